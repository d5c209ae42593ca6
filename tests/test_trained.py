"""The report of a training: what it says by hand, from its file alone, in German; its course; games that show it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents.policy_file import load_policy
from probespiel.app import cli
from probespiel.app.results import opened
from probespiel.app.training import course_of
from probespiel.envs import make_game
from probespiel.envs.core.engine import Local
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.replay import load
from probespiel.evaluation.report import trained
from probespiel.evaluation.report.phrases import check
from probespiel.evaluation.report.trained import Against, Round, Seat, Trained, Trial, Update
from probespiel.training.config import train_config
from probespiel.training.population import Population
from probespiel.training.showing import NAME, example

from .schema_check import assert_valid
from .test_reports import assert_all_german

SEATS = (Seat("first", 200, 0.25, 0.01), Seat("second", 1, -0.5, None))
RESULTS = (
    Against("weak<b>", 4000, 0.25, 0.2, 0.3, SEATS, "replay-1.json"),
    Against("strong", 4000, -0.25, -0.3, -0.2, SEATS),
    Against("equal", 1234, 0.01, -0.02, 0.04, SEATS),
    Against("weaker", 4000, 0.5, 0.4, 0.6, SEATS),
)
COURSE = tuple(Update(1000 * k, 1 / (k + 2), {"past": k / 10, "strong": -k / 20}) for k in range(1, 5))
FOUND = Trained(
    "kuhn", ("standard", "other"), "abc", "native", 7, 4000, 3.0, "policy.safetensors", {"entropy": "0.05"}, COURSE,
    RESULTS, "EP", command="probespiel train kuhn",
)  # fmt: skip


def test_words_by_hand() -> None:
    assert trained.headline(FOUND) == (
        "The policy wins from weak<b> and weaker. It loses to strong. It cannot be told apart from equal."
    )
    assert trained.headline(replace(FOUND, results=())) == "The policy was not measured against anybody."
    assert trained.claim(FOUND, RESULTS[2]) == (
        "Against equal: +0.0100 EP a game from it, interval −0.0200 to +0.0400, 1,234 games."
    )
    alone = replace(FOUND, one_side=True, unit="", results=RESULTS[:2], complete=False, scenarios=("one",))
    assert trained.headline(alone) == "The policy earns more than weak<b>. It earns less than strong."
    assert trained.claim(alone, RESULTS[0]).startswith("Against weak<b>: +0.2500 more than that agent gets by itself,")
    assert trained.notes(alone) == ["The training was interrupted after 4,000 decisions: --resume goes on."]
    assert trained.notes(FOUND) == ["It was measured in the first of 2 scenarios."]
    lines = trained.lines_of(FOUND, "en", Path("results"))
    assert lines[2] == "    probespiel replay results/replay-1.json" and len(lines) == 7


def test_pages_are_whole_and_german() -> None:
    page = trained.render(FOUND)
    ET.fromstring(page.replace("<!DOCTYPE html>", ""))
    assert "weak<b>" not in page and "probespiel replay replay-1.json" in page and page.count("<svg") == 2
    names = ["kuhn", "standard, other", "abc", "native", "past", "strong", "equal", "weaker", "weak<b>"]
    names += ["probespiel train kuhn", "policy.safetensors", "entropy", "first", "second"]
    trials = (Trial(7, "policy-1.safetensors", 0.25, True), Trial(8, "policy-2.safetensors", None, False))
    names += ["policy-1.safetensors", "policy-2.safetensors"]
    several = replace(FOUND, trials=trials)
    assert "Of 2 trainings the one that earns most on average was kept" in trained.lines_of(several)[-2]
    stages = (
        Round(0, "policy-0/policy-1.safetensors", 4096, {}, "weak<b>", -0.5, False),
        Round(1, "policy-1/policy-1.safetensors", 6144, {"strong": 0.75, "equal": 0.25}, "strong", -0.25, True),
    )
    rounds = replace(FOUND, rounds=stages, worst=Against("strong", 2000, -0.3, -0.4, -0.2, ()))
    assert trained.lines_of(rounds)[-1 - len(trained.notes(rounds))] == (
        "Of 2 policies that of round 1 was kept. Of all that it met and that was learned against it, strong is worst "
        "for it: −0.3000 EP a game, interval −0.4000 to −0.2000, 2,000 fresh games."
    )
    page = trained.render(rounds)
    assert "strong 75 %, equal 25 %" in page and "<strong>" in page and "weak&lt;b&gt;" in page and "#rounds" in page
    names += ["policy-0/policy-1.safetensors", "policy-1/policy-1.safetensors", "strong 75 %, equal 25 %"]
    for found in (FOUND, several, rounds, replace(FOUND, one_side=True, complete=False), replace(FOUND, results=())):
        t = trained.words("de")
        assert_all_german(trained.render(found), trained.render_in(found, t), t, names)
        assert not set(trained.lines_of(found, "de")) & set(trained.lines_of(found))
    called = replace(FOUND, german={"first": "Spielleitung"})
    assert "Spielleitung +0,2500; second" in trained.render(called, "de") and "first +0.2500" in trained.render(called)
    for table in trained.GERMAN:
        check(table)


def test_the_file_alone_is_enough(tmp_path: Path) -> None:
    trained.write_reports(tmp_path, FOUND)
    result = opened(tmp_path)
    assert result.page("en") == (tmp_path / "report.html").read_text()
    assert "How it learned" in result.page("en") and "Wie sie lernte" in result.page("de")
    assert f"probespiel replay {tmp_path / 'replay-1.json'}" in result.lines("en")
    assert json.loads((tmp_path / "training.json").read_text())["format"] == "probespiel-training/1"


def test_a_course_forgets_what_was_taken_back(tmp_path: Path) -> None:
    """A training that was killed goes on from its last checkpoint, and logs the updates after that once more."""
    log = tmp_path / "log"
    entries = [(100, 0.9), (200, 0.8), (300, 0.7), (200, 0.5), (300, 0.4)]
    lines = [
        json.dumps({"decisions": d, "seconds": 1.0, "train/entropy": e, "play/against_past": -e}) for d, e in entries
    ]
    lines.insert(2, '{"decisions": 250, "train/en')
    lines.append(json.dumps({"decisions": 300, "review/share": 0.5}))
    log.write_text("\n".join(lines))
    found = course_of(log)
    assert [(u.decisions, u.entropy) for u in found] == [(100, 0.9), (200, 0.5), (300, 0.4)]
    assert found[0].payoffs == {"past": -0.9} and course_of(tmp_path / "none") == []
    many = [Update(k, None, {}) for k in range(1, 1001)]
    assert [u.decisions for u in trained.thinned(many)] == list(range(5, 1001, 5))
    assert trained.thinned(many[:3]) == tuple(many[:3])


def test_a_training_is_told_shown_and_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    line = ["train", "kuhn", "--steps", "4096", "--seed", "3", "--against", "random,bluffer", "--out", str(out)]
    line += ["--setting", "tables=128", "--setting", "batch=512", "--setting", "evaluate_games=400"]
    assert cli.run(line) == 0
    told = capsys.readouterr().out
    assert f"Report: {out / 'report.html'}" in told
    result = opened(out)
    assert result.path == out / "training.json"
    content = json.loads(result.path.read_text())["training"]
    assert content["decisions"] == 4096 and [update["decisions"] for update in content["course"]][-1] == 4096
    assert [one["opponent"] for one in content["results"]] == ["random", "bluffer"] and content["complete"]
    assert content["settings"]["evaluate_games"] == "400" and "seed" not in content["settings"]
    for number, name in enumerate(("random", "bluffer"), start=1):
        replay = load(out / f"replay-{number}.json")
        assert replay.agents is not None and set(replay.agents.values()) == {NAME, name}
    assert cli.run(["report", str(out), "--lang", "de"]) == 0
    assert "Gegen random: " in capsys.readouterr().out and (out / "report.de.html").is_file()
    assert content["command"].startswith(
        "probespiel train kuhn --steps 4096 --seed 3 --against random,bluffer --setting"
    )
    again = content["command"].split()[1:]
    assert cli.run([*again, "--out", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "policy.safetensors").read_bytes() == (out / "policy.safetensors").read_bytes()
    game, policy = make_game("kuhn"), load_policy(out / "policy.safetensors")
    for edge in (1.0, -1.0):
        replay = example(game, policy, "random", edge, 5)
        assert replay is not None and replay.agents is not None
        seat = list(replay.agents.values()).index(NAME)
        assert np.sign(replay.payoffs[seat]) == edge


LITTLE = ["--setting", "tables=128", "--setting", "batch=512", "--setting", "evaluate_games=400", "--steps", "3000"]


def test_trainings_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first comes to the very policy that a training alone does; the one that earns most is kept and told."""
    monkeypatch.setattr(Population, "each", 1500)
    line = ["train", "kuhn", *LITTLE, "--seed", "3", "--against", "random,honest"]
    out = tmp_path / "out"
    assert cli.run([*line, "--out", str(tmp_path / "alone")]) == 0
    assert cli.run([*line, "--seeds", "2", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert (out / "policy-1.safetensors").read_bytes() == (tmp_path / "alone" / "policy.safetensors").read_bytes()
    content = json.loads((out / "training.json").read_text())["training"]
    assert_valid(out / "training.json")
    first, second = content["trials"]
    assert first["seed"] == 3 != second["seed"] and first["edge"] != second["edge"]
    best = 1 if first["edge"] > second["edge"] else 2
    assert [first["kept"], second["kept"]] == [best == 1, best == 2]
    assert (out / "policy.safetensors").read_bytes() == (out / f"policy-{best}.safetensors").read_bytes()
    edges = [one["edge"] for one in content["results"]]
    assert max(first["edge"], second["edge"]) == pytest.approx(sum(edges) / 2) and len(edges) == 2
    assert content["seconds"] is None and content["course"][-1]["decisions"] == content["decisions"] == 3072
    assert f"{out / 'policy-2.safetensors'}" in told and not list(out.glob("checkpoint*"))
    assert content["command"].endswith("--seeds 2")
    before = files(out)
    assert cli.run([*line, "--seeds", "2", "--resume", "--out", str(out)]) == 0 and files(out) == before
    assert cli.run([*line, "--seeds", "3", "--resume", "--out", str(out)]) == 2
    assert "or another number of them" in capsys.readouterr().err
    assert cli.run([*line, "--seeds", "2", "--out", str(out)]) == 2
    assert "--resume goes on with it" in capsys.readouterr().err
    for more, why in (
        (["--minutes", "1"], "minutes: a training in legs"),
        (["--tensorboard", "x"], "go with one training"),
    ):
        assert cli.run([*line, "--seeds", "2", *more, "--out", str(tmp_path / "no")]) == 2
        assert why in capsys.readouterr().err


def test_a_population_that_is_broken_off_goes_on(tmp_path: Path) -> None:
    """Where notes are newer than a checkpoint, updates that are done again stand once in the course."""
    config = train_config("kuhn", tables=128, steps=8, batch=512, decisions=5000, seed=5)

    def people(name: str) -> Population:
        (tmp_path / name).mkdir(exist_ok=True)
        made = Population.of_seeds(config, 2, tmp_path / name)
        made.each = 1100
        return made

    heard: list[int] = []
    whole = people("whole").learn(Local(), heard.append, lambda: False)
    assert sum(heard) == 2 * 5120
    broken, heard = people("broken"), []
    after_one = iter([False, True])
    assert broken.learn(Local(), heard.append, lambda: next(after_one)) == [] and heard == [2048]
    assert [member and member.decisions for member in broken.members()] == [2048, None]
    checkpoint = tmp_path / "broken" / "checkpoint-1.part"
    older = checkpoint.read_bytes()
    looks = iter([False, True])
    assert broken.learn(Local(), heard.append, lambda: next(looks)) == []
    assert [member and member.decisions for member in broken.members()] == [4096, None]
    checkpoint.write_bytes(older)
    runs = [whole, broken.learn(Local(), heard.append, lambda: False)]
    assert runs[0] == runs[1] and [m.decisions for m in runs[0]] == [5120, 5120]
    assert [m.decisions for m in runs[0][0].course] == [1024, 2048, 3072, 4096, 5120]
    assert files(tmp_path / "whole") == files(tmp_path / "broken")
    (tmp_path / "whole" / "policy-2.json").write_text("{}")
    with pytest.raises(ProbespielError, match=r"policy-2\.json is damaged"):
        Population.of_seeds(config, 2, tmp_path / "whole").members()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
