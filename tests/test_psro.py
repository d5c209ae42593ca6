"""A policy that learns against best answers: games, mixtures, rounds and choice by hand; a whole run, broken off."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.policy_file import load_policy
from probespiel.agents.registry import make_agent
from probespiel.agents.rollouts import QuickPolicy, quick
from probespiel.app import cli
from probespiel.app.results import opened
from probespiel.envs import make_game
from probespiel.envs.core.engine import Local
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import system_of
from probespiel.training.config import TrainConfig, train_config
from probespiel.training.population import Population
from probespiel.training.psro import Doing, Learned, Meetings, Met, Responses, Stage
from probespiel.training.selfplay import SelfPlay

SMALL: dict[str, Any] = {
    "method": "psro", "rounds": 1, "answers": 1, "decisions": 4096, "round_decisions": 2048, "answer_decisions": 4096,
    "tables": 128, "batch": 512, "evaluate_games": 400, "opponents": {"self": 3.0, "past": 1.0},
}  # fmt: skip


def plainly(scenario: str, modules: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"scenario": scenario, "modules": dict(modules or {}), "options": {}}


def responses(folder: Path, **settings: Any) -> Responses:
    """One policy (P) and one answer to it (A, drawn and at its likeliest) that were never learned."""
    made = Responses(train_config("kuhn", **{**SMALL, **settings}), folder)
    made.stages = [Stage(0, "P", 10, {})]
    made.answers = ["policy:file=A,temperature=1.0", "policy:file=A,temperature=0.0"]
    return made


def played(made: Responses, payoffs: list[list[float]], afresh: bool = False) -> None:
    """What everybody is said to have got from everybody, by rows of the columns of `made`."""
    columns = [*made.baselines, *(f"policy:file={s.file},temperature=1.0" for s in made.stages), *made.answers]
    rows = [*columns[len(made.baselines) : -1]]
    for row, line in zip(rows, payoffs, strict=True):
        for column, payoff in zip(columns, line, strict=True):
            made.met[row, column, afresh] = Met(payoff, 0.25, 100)


def test_games_of_two_players() -> None:
    """What one wins the other loses, the mean is over sides, and scenarios weigh what the settings say."""
    work = Meetings("kuhn", (plainly("standard"),), (1.0,), ("honest", "bluffer", "random"), ("a", "b", "c"), "", 4000)
    there, back, alone = (work.do(job) for job in ((0, 1, 7), (1, 0, 7), (0, 0, 7)))
    assert there.payoff == pytest.approx(-back.payoff, abs=1e-12) and there.games == 4000
    assert alone.payoff == 0.0 and there.payoff != 0.0
    assert work.do((0, 1, 8)).payoff != there.payoff and work.do((0, 1, 7)) == there
    # 2000 deals a side: the variance of the mean over two sides is a quarter of the sum of theirs
    assert 0.5 < there.error / (1.3 / 2 / 2000**0.5 * 2**0.5) < 1.5
    assert work.do((2, 0, 7)) != work.do((2, 1, 7))


OUTSIDE = """import os
from probespiel.agents.base import Agent


class Bot(Agent):
    {more}

    def act(self, view):
        {act}
        return view.legal[-1]
"""


@pytest.mark.parametrize("more", ["pass", "def native(self, game):\n        return None", "per_table = True"])
@pytest.mark.parametrize(("act", "told"), [
    ("pass", ""), ("os._exit(3)", "its process ended with exit code 3"), ("1 // 0", "ZeroDivisionError"),
    ("return 77", "answered 77, not legal now"),
])  # fmt: skip
def test_a_player_from_outside_has_a_process_of_its_own(act: str, told: str, more: str, tmp_path: Path) -> None:
    """Whatever it can tell besides: its end is told by its name, and what it gave up counts for nobody."""
    path = tmp_path / "mine.py"
    path.write_text(OUTSIDE.format(act=act, more=more), encoding="utf-8")
    players = ("honest", f"{path}:Bot")
    work = Meetings("kuhn", (plainly("standard"),), (1.0,), players, ("a", "b"), "", 40)
    if told:
        for job in ((0, 1, 7), (1, 0, 7)):
            with pytest.raises(AgentError, match=f"^agent 'b': .*{told}"):
                work.do(job)
        return
    found = work.do((1, 0, 7))
    assert found.games == 40 and found == work.do((1, 0, 7))
    assert found.payoff == pytest.approx(-work.do((0, 1, 7)).payoff, abs=1e-12)


def test_scenarios_weigh_what_they_weigh() -> None:
    first, second, *_ = system_of("konfrontation-clash").scenarios("konfrontation-clash")
    one, two = plainly(first), plainly(second)
    players = ("matrix", "random")
    each = [Meetings("konfrontation-clash", (s,), (1.0,), players, players, "", 200).do((0, 1, 7)) for s in (one, two)]
    both = Meetings("konfrontation-clash", (one, two), (3.0, 1.0), players, players, "", 400).do((0, 1, 7))
    assert each[0].payoff != each[1].payoff
    assert both.payoff == pytest.approx(0.75 * each[0].payoff + 0.25 * each[1].payoff, abs=1e-12)
    assert both.error**2 == pytest.approx((0.75 * each[0].error) ** 2 + (0.25 * each[1].error) ** 2, rel=1e-9)
    assert both.games == 400


def test_the_mixture_is_the_worst_for_what_was_learned(tmp_path: Path) -> None:
    """Rock and paper against rock, paper and scissors: 2/3 paper and 1/3 scissors hold both to -1/3."""
    made = responses(tmp_path)
    played(made, [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0]])
    found = made._mixture(Doing(Local()))
    assert found == pytest.approx({made.answers[0]: 2 / 3, made.answers[1]: 1 / 3})
    # a share of 0.6 % is nobody: 1 - 2q of the first column against 159 of the second
    made = responses(tmp_path)
    played(made, [[0.0, 1.0, 2.0], [160.0, 0.0, 161.0]])
    assert made._mixture(Doing(Local())) == {"policy:file=A,temperature=1.0": 1.0}


def test_a_round_is_against_itself_and_the_mixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = responses(tmp_path, rounds=2, review=0, tables=128, steps=8, seed=5)
    asked: list[tuple[int, TrainConfig, str]] = []
    monkeypatch.setattr(made, "_policy", lambda number, config, own, *_: asked.append((number, config, own)))
    made._next(1, made.stages[0], {"x": 0.75, "past": 0.25}, Doing(Local()))
    number, config, own = asked[0]
    assert (number, own) == (1, "policy:file=P,temperature=1.0")
    assert config.opponents == pytest.approx({"self": 0.45, "past": 0.15 + 0.1, "x": 0.3})
    assert (config.method, config.rounds, config.decisions) == ("selfplay", 3, 2048)
    assert config.adopted and config.settle == 60_000 // 1024 and config.seed != 5
    made._next(2, made.stages[0], {"x": 1.0}, Doing(Local()))
    assert asked[1][1].seed != config.seed


def test_who_is_hurt_least_is_kept(tmp_path: Path) -> None:
    """By the worst of each row, not by its mean; and the worst game of the one that is kept is played again."""
    made = responses(tmp_path)
    made.stages.append(Stage(1, "Q", 30, {"x": 1.0}))
    rows = [[0.0, 5.0, 9.0, -0.5], [-0.3, 0.0, -0.4, 0.1], [0.0, 0.0, 0.0, 0.0]]
    played(made, rows)
    played(made, [[one + 0.05 for one in row] for row in rows], afresh=True)
    found = made._chosen(Doing(Local()))
    assert found.kept == 1 and found.stages[1].file == "Q"
    assert found.worst == (made.answers[1], made.answers[0])
    assert [one.payoff for one in found.least] == [-0.5, -0.4] and found.afresh.payoff == pytest.approx(-0.35)
    made.folder = Path("some/where")
    assert made.named("policy:file=some/where/policy-1.safetensors") == "policy:file=policy-1.safetensors"
    assert made.named("bluffer") == "bluffer"


def test_decisions_in_all(tmp_path: Path) -> None:
    made = responses(tmp_path, rounds=3, answers=2)
    assert made.total == 4096 + 3 * 2048 + 4 * 2 * 4096


def run(folder: Path, ends: int | None = None) -> Any:
    """A whole run, or one that is stopped after so many legs."""
    legs = 0

    def tell(decisions: int) -> None:
        nonlocal legs
        legs += decisions > 0

    made = Responses(train_config("kuhn", **{**SMALL, "seed": 3}), folder)
    found = made.run(Doing(Local(), tell, lambda: ends is not None and legs >= ends))
    return made, found


def test_a_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Population, "each", 1500)
    monkeypatch.chdir(tmp_path)
    _, found = run(Path("whole"))
    assert found is not None and [s.round for s in found.stages] == [0, 1]
    assert found.stages[1].met and sum(found.stages[1].met.values()) == pytest.approx(1.0)
    assert found.stages[1].decisions == found.stages[0].decisions + 2048
    assert found.least[found.kept].payoff == max(one.payoff for one in found.least)
    kept = sorted(p.relative_to("whole") for p in Path("whole").rglob("*.safetensors"))
    assert [str(p) for p in kept] == [
        f"{name}/policy-1.safetensors" for name in ("answers-0", "answers-1", "policy-0", "policy-1")
    ]
    first = {path: (Path("whole") / path).read_bytes() for path in kept}
    Path("whole").rename("other")
    for ends in (1, 2, 3):  # in the first policy, in its answer, in the round
        assert run(Path("whole"), ends)[1] is None
    made, again = run(Path("whole"))
    assert again is not None and {path: (Path("whole") / path).read_bytes() for path in kept} == first
    assert again.least == found.least and again.afresh == found.afresh
    other = run(Path("elsewhere"))[1]  # chance does not go by the folder
    assert other.least == found.least and other.afresh == found.afresh
    policy = made.policy(again)
    assert policy.manifest.settings["method"] == "psro" and policy.manifest.seed == 3
    assert policy.manifest.decisions == again.stages[again.kept].decisions
    quickly = quick(make_agent(f"policy:file=whole/{kept[2]}"))
    assert isinstance(quickly, QuickPolicy) and quickly.native(make_game("kuhn")).address


def test_it_begins_with_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same network: then nothing is learned before the first round."""
    monkeypatch.chdir(tmp_path)
    run(Path("whole"))
    start = f"policy:file={tmp_path}/whole/policy-0/policy-1.safetensors"
    made = Responses(train_config("kuhn", **{**SMALL, "start": start}), tmp_path / "on")
    assert made.total == 2048 + 2 * 4096
    (tmp_path / "on").mkdir()
    stage = made._first(Doing(Local()))
    assert stage is not None and stage.round == 0
    one, two = load_policy(stage.file), load_policy(tmp_path / "whole" / "policy-0" / "policy-1.safetensors")
    assert all(np.array_equal(one.net.weights[name], two.net.weights[name]) for name in two.net.weights)
    for wrong in ("bluffer", start):
        with pytest.raises(ProbespielError, match="is no policy with the network"):
            Responses(train_config("kuhn", **{**SMALL, "start": wrong, "hidden": 16}), tmp_path)


def test_what_it_has_nothing_to_do_with(tmp_path: Path) -> None:
    config = train_config("kuhn", **SMALL)
    with pytest.raises(ProbespielError, match="method = 'psro' is many trainings"):
        SelfPlay(config)
    with pytest.raises(ProbespielError, match="method = 'selfplay': rounds of best answers"):
        Responses(train_config("kuhn"), tmp_path)
    with pytest.raises(ProbespielError, match="comma in their path"):
        Responses(config, tmp_path / "a,b")
    with pytest.raises(ProbespielError, match="oneshot-mission has one side, so that nobody answers"):
        Responses(train_config("oneshot-mission", method="psro"), tmp_path)
    with pytest.raises(ProbespielError, match="answers = 3 is a setting of method = 'psro'"):
        train_config("kuhn", answers=3)
    for wrong in ({"minutes": 1.0}, {"evaluate_every": 5}):
        with pytest.raises(ProbespielError, match="counts decisions: leave minutes and evaluate_every out"):
            train_config("kuhn", method="psro", **wrong)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    line = ["train", "kuhn", "--method", "psro", "--steps", "4096", "--seed", "3", "--against", "random"]
    for name, value in SMALL.items():
        if name not in ("method", "decisions", "opponents"):
            line += ["--setting", f"{name}={value}"]
    assert cli.run([*line, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "Of 2 policies that of round " in told and "fresh games." in told and str(tmp_path) in told
    policy = load_policy(out / "policy.safetensors")
    assert policy.manifest.settings["rounds"] == 1 and [e["opponent"] for e in policy.manifest.evaluation] == ["random"]
    page = (out / "report.html").read_text()
    assert "Rounds against best answers" in page and str(tmp_path / "out" / "policy") not in page
    assert "Runden gegen beste Antworten" in opened(out).page("de")
    assert cli.run([*line, "--out", str(out)]) == 2 and "already holds a training" in capsys.readouterr().err
    assert cli.run([*line, "--out", str(out), "--resume"]) == 0
    again = capsys.readouterr().out
    assert again == told
    assert cli.run([*line, "--out", str(out), "--seeds", "2"]) == 2
    assert "--seeds goes with selfplay" in capsys.readouterr().err
    kept, alone = (out / "policy.safetensors").read_bytes(), ["train", "kuhn", "--steps", "1024", "--against", "random"]
    assert cli.run([*alone, "--out", str(out)]) == 2 and "already holds a training" in capsys.readouterr().err
    assert (out / "policy.safetensors").read_bytes() == kept
    assert cli.run([*alone, "--out", str(out), "--overwrite"]) == 0 and not (out / "settings.json").exists()


def test_a_start_names_its_file() -> None:
    assert train_config("kuhn", **{**SMALL, "start": "policy:file=x.safetensors"}).agents[-1] == (
        "policy:file=x.safetensors"
    )


def test_the_worst_game_has_its_interval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the policy that is kept: -0.35, and 1.96 standard errors of 0.25 on both sides."""
    from probespiel.app import training

    made = responses(tmp_path)
    made.stages = [Stage(0, f"{tmp_path}/policy-0/P", 10, {}), Stage(1, f"{tmp_path}/policy-1/Q", 30, {"bluffer": 1.0})]
    found = Learned(
        tuple(made.stages), ("honest", "bluffer"), (Met(-0.5, 0.1, 9), Met(-0.4, 0.1, 9)), 1, Met(-0.35, 0.25, 100)
    )
    told: dict[str, Any] = {}
    monkeypatch.setattr(training, "_report", lambda *_, **named: told.update(named))
    training._rounds_report(made, found, None, (), tmp_path, "en", "")  # pyright: ignore[reportArgumentType]
    worst = told["worst"]
    assert (worst.opponent, worst.games, worst.edge) == ("bluffer", 100, -0.35)
    assert (worst.low, worst.high) == pytest.approx((-0.84, 0.14))
    assert [(one.policy, one.least, one.kept) for one in told["rounds"]] == [
        ("policy-0/P", -0.5, False), ("policy-1/Q", -0.4, True),
    ]  # fmt: skip
