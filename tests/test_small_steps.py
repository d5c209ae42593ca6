"""Parts of the stress lab that only whole runs had entered: jobs that are handed out, what is watched, what is kept."""

from __future__ import annotations

import ast
import io
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.abi import STOPPED
from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import (
    breakage,
    declining,
    inert,
    jobs,
    learning,
    progress,
    report,
    rollouts,
    tunable,
    watching,
    workers,
)
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.context import Context
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.setting import setting_line, setting_of
from probespiel.evaluation.stress.store import Store, plain_args
from probespiel.evaluation.stress.workers import Job

from .lab_findings import findings


def made_up(**more: Any) -> Any:
    return SimpleNamespace(**more)


class Asked:
    """A context that tells what it is asked to have done, and answers with the number of every job."""

    def __init__(self, **answers: Any) -> None:
        self.steps: list[str] = []
        self.jobs: list[Job] = []

    def seed(self, *parts: object) -> str:
        return f"seed of {parts}"

    def need(self, step: str, jobs: list[Job]) -> list[Any]:
        self.steps.append(step)
        self.jobs += jobs
        if jobs[0].kind == "measure":
            return [{"margins": [float(i)] * int(jobs[i].seconds)} for i in range(len(jobs))]
        return [np.full((2, 1, 1), float(i)) for i in range(len(jobs))]


def test_margins_of_several_conditions_are_asked_for_on_the_same_deals() -> None:
    lab, one, two = cast(Any, Asked()), Condition((0,)), Condition((1,))
    found = Context.cells(
        lab, "a step", [(one, [cast(Any, "first")]), (two, cast(Any, ("second", "third")))], 3, "a use", 1
    )
    assert [x.tolist() for x in found] == [[0.0] * 3, [1.0] * 3] and lab.steps == ["a step"]
    same = {"deals": (0, 3), "seed": "seed of ('a use',)", "hero": 1}
    assert [(job.kind, job.args) for job in lab.jobs] == [
        ("measure", {"condition": one, "mixtures": ["first"], **same}),
        ("measure", {"condition": two, "mixtures": ["second", "third"], **same}),
    ]
    Context.cells(lab, "a step", [(one, [])], 3, "a use")
    assert lab.jobs[-1].args["hero"] == 0


@pytest.mark.parametrize(("deals", "parts"), [(5, [(0, 2), (2, 5)]), (1, [(0, 1)])])
def test_matrices_are_played_in_two_parts_and_put_together(deals: int, parts: list[tuple[int, int]]) -> None:
    lab = cast(Any, Asked())
    games = cast(Any, [(("c",), ("rows",), ("columns",)), (("d", "e"), ("others",), ("all",))])
    found = Context.matrices(lab, "a step", games, deals, "a use")
    n = len(parts)
    assert [x[:, 0, 0].tolist() for x in found] == [
        [float(i) for i in range(n) for _ in range(2)], [float(i) for i in range(n, 2 * n) for _ in range(2)]
    ]  # fmt: skip
    assert [(job.kind, job.args) for job in lab.jobs] == [
        ("matrix", {"conditions": list(c), "rows": list(r), "columns": list(k), "deals": part, "blocks": 10,
                    "seed": "seed of ('a use',)"})
        for c, r, k in games for part in parts
    ]  # fmt: skip


def test_what_stands_on_top_of_a_scenario_is_told() -> None:
    assert setting_of({}, {}) == setting_of(None, None) == [] and setting_line({}, None) == "–"
    both: Any = ({"rounds": 3, "wide": True}, {"well": {"deep": 2}, "plain": {}})
    told = [("options", "rounds=3, wide=True"), ("everybody has", "well (deep=2); plain")]
    assert setting_of(*both) == told and setting_line(*both) == "rounds=3, wide=True; well (deep=2); plain"
    assert setting_of(both[0], {}) == told[:1] and setting_of({}, both[1]) == told[1:]


def test_the_glossary_tells_of_baselines_alone() -> None:
    """Of those that stand in the tables of either condition, by the first word of their names."""

    def game(*names: str) -> Any:
        return made_up(strategies=[made_up(name=name) for name in names])

    found = findings()
    object.__setattr__(found, "game", "kuhn")
    dominance = made_up(nobody=game("random", "learned (1)"), everybody=game("bluffer, never using it"))
    object.__setattr__(found, "dominance", dominance)
    told = report.glossary_of(found)
    assert list(told) == ["random", "bluffer"] and all(told.values())
    assert report.glossary_of(findings(game="kuhn")) == {}


def test_a_damaged_answer_is_dropped(tmp_path: Path) -> None:
    store = Store(tmp_path / "out", {"a": 1}, resume=False, overwrite=False)
    path = store.path_of(Job("measure", {"seed": 3}), None)
    assert store.get(path) is None
    store.put(path, {"margins": np.arange(3.0), "note": ["x", None]})
    found = store.get(path)
    assert found["margins"].tolist() == [0.0, 1.0, 2.0] and found["note"] == ["x", None]
    path.write_bytes(path.read_bytes()[:40])
    assert store.get(path) is None and not path.exists()


def test_what_keys_are_no_words_is_kept_as_words() -> None:
    """So that the same question has the same file, asked now or after its settings were read from a file."""
    given = {2: {Path("a"): (1, Condition((0,)))}, "b": [True, None]}
    told = plain_args(given)
    assert list(told) == ["2", "b"] and list(told["2"]) == ["a"] and told["b"] == [True, None]
    assert json.loads(json.dumps(told)) == told


def watched(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with counters of one number and of three, which lie behind a field of the game."""
    state = np.dtype(
        [("round", np.int64), ("rule_once", np.int64), ("ask_phase", np.int64), ("rule_each", np.int64, (3,))]
    )
    params = np.dtype([("size", np.int64), ("fault", np.int64), ("fault_value", np.float64)])
    bounds = np.array([-100.0, 0.0]), np.array([0.5, 300.0])
    game = made_up(
        state_dtype=state, layout=made_up(bounds=lambda: bounds),
        spec=made_up(payoff_range=(-2.0, 3.0), params=made_up(dtype=params), sources=made_up(faults=("x",))),
    )  # fmt: skip
    monkeypatch.setattr(watching, "module_of", lambda bench: made_up(name="rule"))
    monkeypatch.setattr(watching, "counting", lambda module: ("each", "once"))
    monkeypatch.setattr(watching, "position_bytes", lambda lab, game: "bytes")
    monkeypatch.setattr(watching, "Marks", lambda actions: made_up(words=lambda game: f"words of {actions}"))
    return game


def test_a_game_is_watched_for_what_its_rules_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters by their places; observations by their ranges and some slack; payoffs far beyond theirs; faults."""
    game, lab = watched(monkeypatch), made_up(bench=None, marks=made_up(actions={4}))
    found = watching.watch_of(lab, game)
    words, keep, counters, low, high, payoffs, phase, fault, value = found
    assert (words, keep, counters.tolist(), phase, fault, value) == (
        "words of {4}",
        "bytes",
        [24, 32, 40, 8],
        16,
        8,
        16,
    )
    assert low == pytest.approx([-100.001, -300e-5], abs=1e-5) or low[0] == pytest.approx(-100.001, abs=1e-4)
    assert high[0] == pytest.approx(0.501, abs=1e-4) and high[1] == pytest.approx(300.003, abs=1e-4)
    assert payoffs.tolist() == [watching.FAR * -2.0, watching.FAR * 3.0]
    assert watching.counter_names(lab, game) == ["each[0]", "each[1]", "each[2]", "once"]
    game.spec.sources.faults = ()
    assert watching.fault_places(game) == (-1, -1)


def test_how_a_worker_ended() -> None:
    def told(code: int | None) -> str:
        def wait(seconds: float) -> int:
            if code is None:
                raise subprocess.TimeoutExpired("it", seconds)
            return code

        return workers._last_words(cast(Any, made_up(wait=wait)))

    assert [told(code) for code in (0, 3, -9, -200, None)] == [
        "ended with exit code 0", "ended with exit code 3", "was ended by SIGKILL", "was ended by signal 200",
        "broke the connection",
    ]  # fmt: skip


def test_an_error_is_told_with_the_place_where_it_was_raised() -> None:
    """Of two places, at most; one that was made for readers is told as it is."""

    def inner() -> None:
        raise ValueError("nothing")

    def middle() -> None:
        inner()

    with pytest.raises(ValueError, match="nothing") as raised:
        middle()
    first, *where = workers.text_of(raised.value).splitlines()
    assert first == "ValueError: nothing"
    assert [line.rpartition(" in ")[2] for line in where if line.startswith("  File")] == ["middle", "inner"]
    assert workers.text_of(ProbespielError("for readers")) == "for readers"


def test_a_course_has_a_table_for_each_side_and_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of an opponent is parted among the sides; who is never met has no table."""

    def seats_for(lab: Any, condition: Any, side: int, me: int, other: int) -> tuple[int, int]:
        return (me, other) if side == 0 else (other, me)

    monkeypatch.setattr(learning, "seats_for", seats_for)
    monkeypatch.setattr(learning, "_even", lambda tables: tables)
    lab: Any = made_up(game=lambda condition: made_up(name=condition, n_seats=2))

    def told(together: float) -> list[Any]:
        tables = learning.tables_of(lab, cast(Any, ["c", "d"]), [0, 1], [0.6, 0.0, 0.2], together)
        return [(t.game.name, t.share, t.seats, t.learns) for t in tables]

    rows = [
        (share / 2, seats, learns)
        for at, learns in (((0, 1), (True, False)), ((1, 0), (False, True)))
        for share, seats in ((0.6, at), (0.2, tuple(3 * x for x in at)))
    ]
    assert told(0.0) == [(name, *row) for name in "cd" for row in rows]
    together = (0.2, (0, 0), (True, True))
    assert told(0.2) == [(name, *row) for name in "cd" for row in (together, *rows)]


def test_games_of_a_seating_are_branched_as_they_were_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seatings, dice and tables in their order, what is watched and how much of it, and who is asked."""
    given: list[Any] = []

    def sample_branches(*args: Any, **named: Any) -> int:
        given.append((args, named))
        return 0

    monkeypatch.setattr(rollouts, "sample_branches", sample_branches)
    monkeypatch.setattr(rollouts, "cast_of", lambda game, players, seed, played: ((players, seed, played), []))
    monkeypatch.setattr(rollouts, "space_of", lambda game: "space")
    monkeypatch.setattr(rollouts, "marking_of", lambda game, marks: (marks,))
    monkeypatch.setattr(rollouts, "rng_table", lambda seed, n, name: np.full(n, len(name) + seed, np.uint64))
    game: Any = made_up(
        n_seats=3, n_actions=4, layout=made_up(size=5), address="rules", params_address="params",
        kernel=made_up(raise_pending=lambda: None),
    )  # fmt: skip
    seating, dice = np.array([[0, 1, 2], [2, 1, 0]]), np.array([7, 8], np.uint64)
    found = rollouts.branches_of(
        game, cast(Any, ["a", "b"]), seating, [0, 2], 6, 3, dice, np.array([5, 6], np.uint64), cast(Any, "marks"),
        only_marked=True, share=0.25, replicates=9, played=True,
    )  # fmt: skip
    ((args, named),) = given
    assert args == ("rules", "params", "space", (["a", "b"], 3, True))
    assert tuple(named["branching"]) == (("marks",), True, 0.25, 9, -1)
    sample = named["sample"]
    told = [x.tolist() for x in (sample[0], sample[1], sample.dice, sample.tables, sample.seeds)]
    assert told == [[[0, 1, 2], [2, 1, 0]], [1, 0, 1], [7, 8], [5, 6], [9, 9]]
    assert [x.shape for x in named["found"]] == [(6, 5), (6, 4), (6, 5)]
    assert found.bad == -1 and dice.tolist() == [7, 8], "what is thrown is a copy"


def test_a_test_has_a_budget_of_the_lab_and_a_process_at_least(tmp_path: Path) -> None:
    for budget, count, told in (("fast", 1, "budget = 'fast' is not allowed"), ("quick", 0, "jobs = 0 is not allowed")):
        with pytest.raises(ProbespielError, match=told):
            Stress(Settings("kuhn", "x.py", budget=budget), tmp_path, count, False, False, Quiet(), "")


def test_what_an_index_or_a_condition_reads_makes_nothing_larger() -> None:
    """Only fields whose numbers are added, subtracted or multiplied in what a hook answers."""
    text = """
@module.hook
def settle(s):
    return s.won + (s.bonus if s.flag else s.price) + s.pile[s.at] - 1
"""
    assert tunable._counted_fields(ast.parse(text)) == {"won", "bonus", "price", "pile"}


@pytest.mark.parametrize(("offers", "told"), [((0, 3, 0), True), ((0, 0, 2), True), ((5, 0, 0), False)])
def test_an_action_is_offered_if_any_holder_was(
    offers: tuple[int, ...], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where nobody has it; the rest goes by those with it, or by all."""
    names = ("nobody", "only A", "everybody")
    answers = {
        name: {"games": 10, "decisions": 20 + i, "phases": ["deal", *(["ask"] if i == 1 else [])], "longest": 4 + i,
               "offered": offered, "mean_length": 2.5 + i, "spread": 0.5 + i, "observation": 7 + i}
        for i, (name, offered) in enumerate(zip(names, offers))
    }  # fmt: skip
    searched: list[Any] = []
    monkeypatch.setattr(breakage, "_search", lambda *args: searched.append(args[1:]) or ((), answers, False))
    monkeypatch.setattr(breakage, "MINIMUM_LONGEST", 30)
    bench = made_up(holder_conditions=lambda: dict.fromkeys(names, "condition"))
    lab = made_up(begin=searched.append, bench=bench, compiled=False, budget=None)
    found = breakage.look_for_breakage(cast(Any, lab))
    assert searched == ["break", (dict.fromkeys(names, "condition"), breakage.SLOW_GAMES, "probe")]
    assert found.offered == told and not found.broken
    assert (found.facts.phases, found.facts.longest, found.facts.length) == (("ask",), 60, 4.5)
    assert (found.scale, found.observation) == (0.5, 9) and found.breakage.games == 30


def test_games_beside_each_other_end_when_enough_was_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([5, 5, 5, 5])
    monkeypatch.setattr(inert, "beside", lambda *args, **named: next(counts))
    monkeypatch.setattr(inert, "Shadow", lambda *args: None)
    monkeypatch.setattr(inert, "position_bytes", lambda *args, own: None)
    lab: Any = made_up(
        game=lambda condition: made_up(position=lambda: None), own_actions=(), marks=made_up(phases=(), actions=()),
        bench=made_up(sides=[(0,), (1,)]),
    )  # fmt: skip
    assert inert.inert(lab, Condition((0,)), 3, most=12) == {"games": 3}


def test_a_bar_shows_the_step_and_how_much_is_done() -> None:
    bar = progress.Bar(io.StringIO())
    bar.start({"one": 1.0, "two": 3.0}, {"one": "first", "two": "second"})
    try:
        bar.begin("two")
        task = bar._bar.tasks[0]
        assert (task.description, task.completed) == ("second", pytest.approx(0.25))
        bar.advance("two", 0.5)
        assert task.completed == pytest.approx(0.25 + 0.75 * 0.5)
        bar.begin("three")
        assert (task.description, task.completed) == ("three", 1.0)
    finally:
        bar.stop()


def test_each_pair_of_mixtures_plays_its_own_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal i is that of pair i modulo their number; margins come back in the order of the deals."""
    given: list[Any] = []

    def by_mixtures(*args: Any) -> Any:
        mixtures, which, numbers, seed = args
        given.append((mixtures, which.tolist(), numbers.tolist(), seed))
        return [(np.flatnonzero(which == i), f"players {i}", f"pairs {i}") for i in (1, 0)]

    def play(lab: Any, condition: Any, players: Any, pairs: Any, numbers: Any, seed: int, hero: int) -> Any:
        given.append((lab, condition, players, pairs, numbers.tolist(), seed, hero))
        return made_up(margins=numbers / 2, status=np.where(numbers == 4, STOPPED, STOPPED + 1))

    monkeypatch.setattr(jobs, "by_mixtures", by_mixtures)
    monkeypatch.setattr(jobs, "play", play)
    found = jobs.measure(*cast(Any, ("lab", "where", ["first", "second"], (3, 8), 5, 1)))
    assert given == [
        (["first", "second"], [1, 0, 1, 0, 1], [3, 4, 5, 6, 7], 5),
        ("lab", "where", "players 1", "pairs 1", [3, 5, 7], 5, 1),
        ("lab", "where", "players 0", "pairs 0", [4, 6], 5, 1),
    ]  # fmt: skip
    assert found["margins"].tolist() == [1.5, 2.0, 2.5, 3.0, 3.5] and found["stopped"] == 1


@pytest.mark.parametrize(
    ("phases", "marked", "declared", "asked"),
    [((3,), 2, False, True), ((), 2, False, False), ((3,), 1, False, False), ((3,), 2, True, False)],
)
def test_declining_is_looked_for_where_it_is_not_declared(
    phases: tuple[int, ...], marked: int, declared: bool, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of modules that ask, and have two answers at least."""
    monkeypatch.setattr(declining, "declining_of", lambda bench: (7,) if declared else ())
    given: list[Any] = []
    lab: Any = made_up(
        marked=frozenset(range(marked)), bench=made_up(everybody=lambda: "all"), seed=lambda use: f"seed of {use}",
        need=lambda step, jobs: given.append((step, jobs)) or [{"actions": [4, 5]}],
    )  # fmt: skip
    assert declining.look_for_declining(lab, phases) == ((4, 5) if asked else ())
    args = {"condition": "all", "seed": "seed of declining"}
    assert given == ([("break", [Job("declining", args, declining.SECONDS)])] if asked else [])
