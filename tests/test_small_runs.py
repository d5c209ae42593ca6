"""What orchestrators of whole runs do between their steps, one step at a time with everything around it made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest

from probespiel.agents.advice import Advice
from probespiel.agents.base import Requests
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.rng import rng_array
from probespiel.evaluation.balance import run as balance_run
from probespiel.evaluation.exploit.learned import Courses
from probespiel.evaluation.oneshot import builds
from probespiel.evaluation.stress import breakage, worth
from probespiel.evaluation.stress.alike import alike_worth, odds_between
from probespiel.evaluation.stress.answers import Ends
from probespiel.evaluation.stress.context import Unanswered
from probespiel.evaluation.stress.declining import questions
from probespiel.evaluation.stress.estimates import odds_ratio
from probespiel.evaluation.stress.findings import Interval, Reach
from probespiel.evaluation.stress.progress import INTERPRETED
from probespiel.evaluation.tournament import results
from tests.synthetic import by_strength, tournament

from .lab_findings import findings


def test_a_failure_is_played_again_in_its_own_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the choices made in that game, up to where it failed."""
    raised: list[str] = []

    def game(condition: str) -> Any:
        return SimpleNamespace(name=condition, kernel=SimpleNamespace(raise_pending=lambda: raised.append(condition)))

    lab = cast(Any, SimpleNamespace(bench=SimpleNamespace(game=game, everybody=lambda: "everybody")))
    monkeypatch.setattr(breakage, "_course_of", lambda lab, made, *given: [(made.name, *given), 2, 3])
    monkeypatch.setattr(
        breakage, "_up_to_the_end", lambda lab, condition, *given: {"condition": condition, "given": given}
    )
    found = breakage.again(lab, cast(Any, "first"), 4, 10, 7, 2, "x.json")
    assert found == {"condition": "first", "given": (4, 10, 7, [("first", 4, 10, 7, False), 2], "x.json")}
    assert raised == ["first"]


class _Seen(Exception):
    """The field is known."""


@pytest.mark.parametrize("perks", ["none", "finesse"])
def test_builds_are_those_of_the_own_kit_and_perks(perks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another kit has other axes: its figures, and how many builds there are, are those of no other one."""
    fields: list[Any] = []

    def solve(duels: Any, field: Any, *_: Any) -> Any:
        fields.append(field)
        raise _Seen

    monkeypatch.setattr(builds, "Duels", lambda game: None)
    monkeypatch.setattr(builds, "Game", lambda spec: None)
    monkeypatch.setattr(builds, "solve_field", solve)
    path = tmp_path / "kit.json"
    kit = json.loads((Path(builds.__file__).parents[2] / "envs/oneshot/character/kit.json").read_text("utf-8"))
    given = {"max_count": 40, "gear_budget": 7, "attribute_points": 3, "attribute_cap": 2}
    for price in (0, 1):
        kit["weapons"]["axe"]["price"] += price
        path.write_text(json.dumps(kit), encoding="utf-8")
        with pytest.raises(_Seen):
            builds.search_builds("axes", "arena", {**given, "kit": str(path)}, perks)
    cheap, dear = ([field.chars for field in fields][i] for i in (0, 1))
    assert len(dear) < len(cheap)
    wanted = [] if perks == "none" else ["finesse"]
    assert {tuple(sorted(char.get("perks", []))) for char in cheap + dear} == {tuple(wanted)}


class _Field:
    """So many builds that all are alike."""

    def __init__(self, n: int) -> None:
        self.n, self.figures = n, np.zeros((n, 1))

    def __len__(self) -> int:
        return self.n


@pytest.mark.parametrize(("n", "scouts", "known"), [(500, 200, 12), (30, 30, 12), (5, 5, 5)])
def test_replies_are_looked_for_among_many_and_played_by_few(
    n: int, scouts: int, known: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both lie all over the field, from its first build to its last, and hold those that the search begins with."""
    monkeypatch.setattr(
        builds, "payoffs_of", lambda duels, figures, rows, columns, *_: np.zeros((len(rows), len(columns)))
    )
    search = builds.DoubleOracle(cast(Any, None), cast(Any, _Field(n)), 1, builds.quiet, [3])
    for found, count in ((search.scouts, scouts), (search.known, known)):
        assert found[0] == 0 and found[-1] == n - 1 and len({*found.tolist(), 3}) == len(found) <= count + 1
        assert len(found) >= count
    assert search.small.shape == (len(search.scouts), len(search.known)) and search.payoffs.shape[0] == n
    assert search.inner.shape == (len(search.known),) * 2


def test_odds_lie_between_what_either_answer_makes_of_them() -> None:
    """With it the answer that was best without it, and without it the one that is best with it; at best both change."""
    wins = {"plain": 10, "kept": 18, "having": 30, "bare": 8}
    results = {name: np.where(np.arange(40) < count, 1.0, -1.0) for name, count in wins.items()}
    ends = Ends(**results)
    found = odds_between([ends])
    low, high = odds_ratio(results["kept"], results["plain"]), odds_ratio(results["having"], results["bare"])
    assert found.value == odds_ratio(results["having"], results["plain"]).value > 0
    assert (found.low, found.high) == (min(low.low, high.low), max(low.high, high.high))
    assert low.value > 0 and high.value > low.value


def test_the_worth_against_either_mixture_is_that_of_all_sides() -> None:
    """Side A gains 2 (1 to 3) and 1 (0 to 1) against two mixtures, B 4 (2 to 5) and 3 (1 to 3).

    Both sides together 3 (1.5 to 4) and 2 (0.5 to 2), and by either mixture 2.5 (0.5 to 4).
    """

    def ends(plain: float, kept: float, having: float, bare: float) -> Ends:
        return Ends(*(np.full(40, value) for value in (plain, kept, having, bare)))

    table = findings().worth
    assert table is not None
    found = alike_worth(table, [[ends(2, 3, 4, 1), ends(0, 0, 1, 0)], [ends(2, 4, 6, 1), ends(0, 1, 3, 0)]])
    assert (found.overall.value, found.overall.low, found.overall.high, found.overall.games) == (2.5, 0.5, 4.0, 40)
    worths = [(side.even.worth.value, side.even.worth.low, side.even.worth.high) for side in found.sides]
    assert worths == [(1.5, 0.0, 3.0), (3.5, 1.0, 5.0)] and [side.seeds for side in found.sides] == [(1.5,), (3.5,)]
    assert found.bounds is not None and found.bounds.overall == Interval(2.5, 0.5, 4.0)
    assert found.bounds.sides == (Interval(1.5, 0.0, 3.0), Interval(3.5, 1.0, 5.0)) and found.bounds.games == 40
    assert found.alike and found.reach == Reach(0.5, 4.0, 0.0)


@pytest.mark.parametrize(("name", "value"), [("game", 0.5), ("result", -0.5), ("deal", 2.0**70)])
def test_results_are_not_cut_to_whole_numbers(name: str, value: float) -> None:
    """A column of whole numbers that holds others is refused, whatever type it comes in; whole ones are taken."""
    table = tournament(2, by_strength([0.3, 0.0]), blocks=2)
    at = table.schema.get_field_index(name)
    given = table[name].to_numpy().astype(np.float64)
    assert results.validate(table.set_column(at, name, pa.array(given))).equals(results.validate(table))
    given[1] = value
    with pytest.raises(results.ResultsError, match="results do not fit the schema"):
        results.validate(table.set_column(at, name, pa.array(given)))


@pytest.mark.parametrize("name", ["kuhn", "goofspiel"])
def test_a_question_is_one_that_a_single_seat_is_asked(name: str) -> None:
    """Of a choice that two seats make at the same time nobody knows what it changes: the last is asked."""
    game = make_game(name, compiled=False)
    start = game.position()
    shadow = cast(Any, SimpleNamespace(start=lambda: start, after=lambda before, step: start))
    actions = frozenset(range(game.n_actions))
    found = [q for seed in range(5) for q in questions(game, shadow, actions, rng_array(seed, "x"))]
    assert len(found) > 4
    assert all(q.position.to_act() == [q.seat] and q.answers == q.position.legal(q.seat) for q in found)


@pytest.mark.parametrize("solved", [False, True])
def test_the_luck_of_learning_counts_for_seats_unless_games_were_solved(
    solved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of exact values nothing was learned; of others so many seeds."""
    got = SimpleNamespace(nobody={(0, 0): [0.5] * 3})
    cells = SimpleNamespace(
        conditions={}, wanted=lambda chosen: [], margins=lambda values: got,
    )  # fmt: skip
    bench = SimpleNamespace(side_names=["A", "B"], sides=[(0,), (1,)], in_order=True, can_handicap=False)
    context = SimpleNamespace(
        begin=lambda step: None, bench=bench, budget=SimpleNamespace(measure=4, seeds=3), sides=(0, 1),
        cells=lambda *given: [],
    )  # fmt: skip
    monkeypatch.setattr(worth, "Cells", lambda context: cells)
    monkeypatch.setattr(worth, "worth_table", lambda got, sides, names, budget: "table")
    monkeypatch.setattr(worth, "exact_worth", lambda table, exact: "exact")
    monkeypatch.setattr(worth, "exact_values", lambda context, conditions: ([1.0], "") if solved else (None, "a note"))
    monkeypatch.setattr(worth, "seat_effect", lambda got, seeds: seeds)
    found = cast(Any, worth.measure(cast(Any, context), cast(Any, None)))
    assert (found.worth, found.seat, found.note) == (("exact", 1, "") if solved else ("table", 3, "a note"))
    bench.in_order = False
    assert worth.measure(cast(Any, context), cast(Any, None)).seat is None


@dataclass(frozen=True)
class _Context:
    workers: Any = None
    compiled: bool = True


def searching(told: list[str], compiled: bool = True, fails: bool = False) -> Any:
    """A search for balance, all of whose steps are told."""

    @contextmanager
    def workers() -> Iterator[None]:
        told.append("workers begin")
        try:
            yield
        finally:
            told.append("workers end")

    def rounds() -> None:
        told.append("rounds")
        if fails:
            raise Unanswered("grid", cast(Any, None), cast(Any, SimpleNamespace(text="it hangs")))

    return SimpleNamespace(
        inner=SimpleNamespace(
            start=lambda *_: told.append("start"), stop=lambda: told.append("stop"), enter=told.append,
            measure=told.append,
        ),
        context=_Context(workers()), notes=[], module=SimpleNamespace(name="m"), complete=False, solving=False, open=[],
        space=SimpleNamespace(first=lambda: [1, 2]), _weights=dict, _rounds=rounds, _playable=lambda first: first,
        _finer_exactly=lambda: told.append("finer"), _suggest=lambda: told.append("suggest"),
    )  # fmt: skip


def test_workers_of_a_search_for_balance_end_with_it() -> None:
    """Whether its rules break or not."""
    told: list[str] = []
    search = searching(told)
    balance_run.Search.run(search)
    assert told == ["start", "workers begin", "rounds", "workers end", "stop"] and search.complete
    told.clear()
    search = searching(told, fails=True)
    with pytest.raises(RulesetError, match=r"module m: the rules break \(it hangs\)"):
        balance_run.Search.run(search)
    assert told == ["start", "workers begin", "rounds", "workers end", "stop"] and not search.complete


@pytest.mark.parametrize("compiled", [True, False])
def test_that_rules_are_interpreted_is_said_of_those_that_are(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    built = SimpleNamespace(notes=["a note"], fault=None, compiled=compiled)
    monkeypatch.setattr(balance_run, "build", lambda context: built)
    told: list[str] = []
    search = searching(told)
    balance_run.Search._rounds(search)
    assert told == ["build", *([] if compiled else [INTERPRETED]), "finer", "suggest"]
    assert search.context.compiled == compiled and search.notes == ["a note"]


class _Files(Exception):
    """The files of a training are asked for."""


def test_every_training_has_its_own_files() -> None:
    """By its number, from the first to the last."""

    def files(number: int) -> Any:
        raise _Files(number)

    for number in (0, 1, 2):
        with pytest.raises(_Files, match=str(number)):
            Courses._train(cast(Any, SimpleNamespace(_files=files)), number, 1.0, lambda *_: None, lambda: False)


def test_every_adviser_has_its_column() -> None:
    """In the order of their names, behind what is seen: who always bets, and who bets a king and nothing else."""
    game = make_game("kuhn", compiled=False)
    position = game.position()
    for fell in (0, 0):  # a jack, which only the one bets
        position.fall(fell)
    states = np.frombuffer(position.to_bytes(), np.uint8)[None].repeat(2, axis=0)
    asked = Requests.gather(game, states, np.arange(2), np.zeros(2, np.int64), 0, np.arange(2, dtype=np.uint64), 0)
    for names, wanted in ((["always_bet", "card_only"], [1.0, 0.0]), (["card_only", "always_bet"], [0.0, 1.0])):
        advice = Advice(names)
        advice.prepare(game)
        assert advice.columns(asked).tolist() == [wanted] * 2
    beside = Advice(["always_bet"])
    beside.prepare(game)
    assert np.array_equal(beside.beside(asked), np.hstack([asked.observations, [[1.0]] * 2]))
