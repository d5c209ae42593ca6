"""How things stand by hand: weights of two tournaments, a line of a training, a run's file, the plan of a search."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from rich.console import Console

from probespiel.app import against, cli_exploit
from probespiel.app.session import standing
from probespiel.app.session.solo import RunError
from probespiel.envs.core.errors import ProbespielError
from probespiel.training import callbacks, psro
from probespiel.training.config import train_config
from probespiel.training.league import League


def tournament(names: str, low: tuple[float, ...] | None, high: tuple[float, ...] | None) -> Any:
    """What is asked of the summary of a tournament whose strategies have letters for names."""
    verdicts = tuple(SimpleNamespace(dominated=name == "a") for name in names)
    nash = tuple(0.5 for _ in names)
    return SimpleNamespace(
        names=tuple(names), metagame=SimpleNamespace(verdicts=verdicts, nash=nash, nash_low=low, nash_high=high)
    )


@pytest.mark.parametrize(
    ("names", "low", "high", "beyond"),
    [
        ("ab", (0.6, 0.0), (0.9, 0.1), [True, True]),  # a: 0.6 to 0.9 after 0.2 to 0.5; b: 0 to 0.1 after 0.2 to 0.5
        ("ba", (0.6, 0.0), (0.9, 0.1), [True, True]),  # by their names, wherever they stand
        ("ab", (0.5, 0.5), (0.9, 0.9), [False, False]),  # one number in common is no difference
        ("ab", (0.0, 0.0), (0.2, 0.2), [False, False]),
        ("ac", (0.6, 0.0), (0.9, 0.1), [False]),  # another opponent moves an equilibrium by itself
        ("abc", (0.6, 0.0, 0.0), (0.9, 0.1, 0.1), [False, False]),
        ("ab", None, None, [False, False]),
    ],
)
def test_weights_are_apart_among_the_same_strategies(
    names: str, low: tuple[float, ...] | None, high: tuple[float, ...] | None, beyond: list[bool]
) -> None:
    old, new = tournament("ab", (0.2, 0.2), (0.5, 0.5)), tournament(names, low, high)
    both = [name for name in "ab" if name in names]
    found = list(against._standings(old, new, both))
    assert [one.weight_beyond for one in found] == beyond
    assert [(one.name, one.dominated) for one in found] == [(name, (name == "a", name == "a")) for name in both]


def test_a_line_of_a_training_tells_what_is_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 s after the lessons 5,000 decisions of 20,000 are done: 50 a second, 300 s for the other three quarters."""
    now = iter([0.0, 0.0, 40.0, 140.0])
    monkeypatch.setattr(callbacks.time, "perf_counter", lambda: next(now))
    training = SimpleNamespace(decisions=0, progress=0.0)
    watch = callbacks.Watch(cast(Any, training), Console(file=io.StringIO()))
    assert watch.line({"lessons/share": 0.5, "lessons/agreement": 0.25}) == (
        "lessons: 50 % done, 25.0 % of the answers like the teacher's"
    )
    training.decisions, training.progress = 5000, 0.25
    assert watch.line({"train/entropy": 0.5}) == "5,000 decisions, 50/s, 5:00 left, entropy 0.500"
    assert watch.line({"review/share": 1.0, "review/agreement": 0.5}) == (
        "review: 100 % done, 50.0 % of the answers like the reviewers'"
    )


def test_the_file_of_a_run_is_let_go_whatever_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    told = SimpleNamespace(before=["b"], since=["s"], picked=["p"])
    score = SimpleNamespace(points=3.0)
    run: Any = SimpleNamespace(course=lambda reader: score)
    for known, stopped in (([], False), ([], True), ([{"pick": 7}], False)):
        notes = SimpleNamespace(known=known, answers=4, can_take_back=True, close=lambda: closed.append("closed"))
        monkeypatch.setattr(standing, "Notes", SimpleNamespace(go_on=lambda path, notes=notes: notes))
        monkeypatch.setattr(standing, "_Reader", lambda notes, lang: SimpleNamespace(told=told))
        pick = standing.Pick("who", ("he", "she"))

        def stops(reader: object, pick: standing.Pick = pick) -> None:
            raise standing._Stop(pick)

        run.course = stops if stopped else lambda reader: score
        if known:
            with pytest.raises(RunError, match=r"^run\.jsonl: \{'pick': 7\} stands after the end of the run$"):
                standing.standing(Path("run.jsonl"), run, "en")
        else:
            found = standing.standing(Path("run.jsonl"), run, "en")
            assert found == standing.Standing(
                ("b",), ("s",), cast(Any, pick if stopped else score), 4, cast(Any, ("p",)), True
            )
    assert closed == ["closed"] * 3


def test_a_search_goes_on_with_the_numbers_of_its_plan(tmp_path: Path) -> None:
    given = {"game": "kuhn", "modules": {"a": {"b": (1, 2)}}, "seconds": 60.0}

    def begun(resume: bool, overwrite: bool = False) -> dict[str, Any] | None:
        return cli_exploit._begin(tmp_path, given, resume, overwrite)

    with pytest.raises(ProbespielError, match=r"^--resume: .*settings\.json cannot be read: "):
        begun(True)
    assert begun(False) is None
    stored = json.loads(json.dumps(given))
    for plan, numbers in (
        ({"plan": {"steps": 7, "games": 9}}, {"steps": 7, "games": 9}),
        ({}, {"steps": 0, "games": 0}),
    ):
        (tmp_path / "settings.json").write_text(json.dumps({**stored, **plan}))
        assert begun(True) == numbers
    with pytest.raises(ProbespielError, match="already holds an exploit"):
        begun(False)
    (tmp_path / "exploiter-1.json").write_text("old")
    assert begun(False, True) is None and not (tmp_path / "exploiter-1.json").exists()
    (tmp_path / "settings.json").write_text(json.dumps({**stored, "seconds": 30.0}))
    with pytest.raises(ProbespielError, match=r"^--resume: seconds was 30\.0 and is 60\.0$"):
        begun(True)


def test_agents_may_be_named_in_one_text() -> None:
    assert train_config("kuhn", evaluate_against="first,random").evaluate_against == ("first", "random")
    assert train_config("kuhn", evaluate_against=("first", "random")).evaluate_against == ("first", "random")
    assert train_config("kuhn", ignore="").ignore == ()


def test_advisers_and_opponents_are_got_ready_for_every_game() -> None:
    ready: list[tuple[str, str]] = []

    def one(name: str) -> SimpleNamespace:
        return SimpleNamespace(prepare=lambda game: ready.append((name, game)))

    league = SimpleNamespace(advice=one("adviser"), agents=[one("first"), one("second")])
    League.prepare(cast(Any, league), ["a", "b"])
    assert ready == [(name, game) for game in "ab" for name in ("adviser", "first", "second")]


def test_who_has_the_least_share_is_still_met(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of LEAST stays, a smaller one goes, and the others are what they were among each other."""
    shares = np.array([psro.LEAST, psro.LEAST - 0.001, 0.24, 0.75 - psro.LEAST])
    met: list[list[str]] = []
    monkeypatch.setattr(psro, "solve_zero_sum", lambda payoffs: SimpleNamespace(column=shares))
    monkeypatch.setattr(psro, "_payoffs", lambda found: found)
    rounds = SimpleNamespace(
        answers=["a=1.0", "b=0.5", "c=1.0"], stages=[1, 2], _text=lambda stage: f"stage {stage}", _columns=list("abcd"),
        _meet=lambda doing, rows: met.append(rows),
    )  # fmt: skip
    found = psro.Responses._mixture(cast(Any, rounds), cast(Any, None))
    assert met == [["stage 1", "stage 2", "a=1.0", "c=1.0"]]
    assert found == pytest.approx({"a": 0.01 / 0.99, "c": 0.24 / 0.99, "d": 0.74 / 0.99})
