"""`probespiel replay`: a recorded game in words, in both languages, and what it refuses."""

from __future__ import annotations

import html
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probespiel.app.cli import run
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game, system_of
from probespiel.envs.core.replay import Recorder
from probespiel.envs.core.rng import rng_array
from probespiel.evaluation.report.wording import replay_line
from probespiel.evaluation.stress import report as stress_report
from probespiel.evaluation.stress.findings import Typical
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.verdict import verdict_of

from .lab_findings import STILL, findings

GAMES = ["kuhn", "einblatt-duel", "ews_rps", "konfrontation-clash", "scorekeeper-duel", "oneshot-skirmish"]


def recorded(game: Game, path: Path, limit: int = 60) -> Recorder:
    """A game of first legal actions, at most `limit` decisions long, written to a file."""
    recorder = Recorder(game, 1)
    rng = rng_array(5)
    for _ in range(limit):
        recorder.roll(rng)
        if recorder.position.over:
            break
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
    recorder.save(path)
    return recorder


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_step_is_told(name: str, lang: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorder = recorded(make_game(name, compiled=False), tmp_path / "game.json")
    assert run(["replay", str(tmp_path / "game.json"), "--lang", lang]) == 0
    out = capsys.readouterr().out
    numbers = [int(line[:5]) for line in out.splitlines() if line[:5].strip().isdigit() and line[5:7] == "  "]
    assert numbers == list(range(1, len(recorder.replay().steps) + 1))
    assert ("is not finished" in out or "was not finished" in out or "nicht zu Ende" in out) != recorder.position.over


def test_a_seat_sees_its_own_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Kuhn by hand: the first seat gets the lowest card left at each die, passes, and is called by nobody."""
    path = tmp_path / "kuhn.json"
    recorded(make_game("kuhn", compiled=False), path)
    assert run(["replay", str(path), "--seat", "second"]) == 0
    out = capsys.readouterr().out
    assert "chance, one of" not in out and "first (your move)" not in out and "first: pass" in out
    assert run(["replay", str(path), "--from", "3", "--to", "3"]) == 0
    out = capsys.readouterr().out
    assert "    3  first: pass" in out and "your move" not in out and "    2  " not in out and "    4  " not in out


def test_modules_by_file_are_run_only_where_trusted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "jacks.py"
    mark = tmp_path / "mark"
    module.write_text(
        f"import pathlib; pathlib.Path({str(mark)!r}).touch()\n"
        "from probespiel.envs.kuhn.module import Module\n"
        "module = Module('jacks', 'Jacks are worth three.')\n\n\n"
        "@module.hook\ndef strength(s, p, seat, card, value):\n    return 3 if card == 0 else value\n"
    )
    spec = system_of("kuhn").spec("kuhn", None, {}, {str(module): {}})
    recorded(Game(spec, compiled=False), tmp_path / "game.json")
    mark.unlink()
    assert run(["replay", str(tmp_path / "game.json")]) == 2
    assert "is not built in" in capsys.readouterr().err and not mark.exists()
    assert run(["replay", str(tmp_path / "game.json"), "--trust-files"]) == 0
    assert "rule modules: jacks\n" in capsys.readouterr().out and mark.exists()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nowhere.json"], "nowhere.json: it cannot be read: No such file or directory"),
        (["bad.json"], "bad.json"),
        (["game.json", "--seat", "third"], "one of first, second"),
        (["game.json", "--from", "0"], "--from"),
    ],
)
def test_what_is_refused(
    arguments: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recorded(make_game("kuhn", compiled=False), tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    content["steps"] = content["steps"][:-1]
    (tmp_path / "bad.json").write_text(json.dumps(content))
    assert run(["replay", *arguments]) == 2
    assert part in capsys.readouterr().err


@pytest.mark.parametrize("command", [
    ["train", "kuhn", "--steps", "2000", "--against", "random"],
    ["exploit", "kuhn", "--agent", "random"],
    ["exploit", "kuhn", "--agent", "random", "--method", "learned", "--steps", "1000", "--games", "100"],
    ["tournament", "kuhn", "--agents", "random,first", "--games", "40", "--joint", "8", "--jobs", "1"],
], ids=["train", "exact", "learned", "joint"])  # fmt: skip
def test_commands_that_a_report_names_show_games_with_rule_files(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rule file is given from the folder in which it lies, the commands are run in the folder of the report."""
    (tmp_path / "edge.py").write_text((Path(__file__).parent / "planted_costs" / "edge.py").read_text())
    monkeypatch.chdir(tmp_path)
    assert run([*command, "--module", "edge.py", "--out", "a report"]) == 0
    capsys.readouterr()
    monkeypatch.chdir("a report")
    shown = re.findall(r"probespiel (replay [^<`]*json)", html.unescape(Path("report.html").read_text()))
    assert shown
    for line in shown:
        assert run(shlex.split(line)) == 0, capsys.readouterr().err
        assert "rule modules: edge" in capsys.readouterr().out


def test_a_line_that_shows_a_replay_holds_any_path() -> None:
    assert replay_line("a replay.json", trust=True) == "probespiel replay --trust-files 'a replay.json'"
    assert replay_line(Path("results/replay-1.json"), trust=False) == "probespiel replay results/replay-1.json"
    assert replay_line("a.json", trust=True, lang="de") == "probespiel replay --lang de --trust-files a.json"


@pytest.mark.parametrize(
    ("game", "module", "also", "trust"),
    [("einblatt-duel", "mercy", None, False), ("einblatt-duel", "a/mercy.py", None, True),
     ("einblatt-duel", "mercy", {"all_in": {}, "b.py": {}}, True), ("einblatt-duel", "mercy", {"all_in": {}}, False),
     ("einblatt-duel", "installed", None, True), ("not here", "mercy", None, True)],
)  # fmt: skip
def test_a_report_asks_for_trust_where_code_of_others_is_run(
    game: str, module: str, also: dict[str, Any] | None, trust: bool
) -> None:
    """Files, and rules that are installed; and it tells where its commands are given."""
    games = (Typical("everybody", 3, 0.5, "replays/typical-everybody.json"),)
    found = findings(STILL, game=game, module=module, also=also, games=games)
    found = replace(found, verdict=verdict_of(found), game_verdict=game_verdict_of(found))
    page, german = stress_report.render(found), stress_report.render(found, "de")
    line = "--trust-files " * trust + "replays/typical-everybody.json"
    assert f"<code>probespiel replay {line}</code>" in page and f"<code>probespiel replay --lang de {line}" in german
    assert "Commands that show a game are given in the folder of this page." in page
    assert "Befehle, die ein Spiel zeigen, gelten im Ordner dieser Seite." in german
