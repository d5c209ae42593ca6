"""What functions of the stress lab hand on, to whom and in which order, and small sums of theirs worked out by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.observe import Layout, Piece
from probespiel.evaluation.stress import (
    astray,
    branch_kernel,
    compare,
    compare_report,
    conditions,
    context,
    dominance,
    dynamics,
    exact,
    exploit,
    failing,
    forecast,
    game_verdict,
    guided_kernel,
)
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.findings import Interval, Sample
from probespiel.evaluation.stress.game_words import against_it
from probespiel.evaluation.stress.guided import PHASES, Marks
from probespiel.evaluation.stress.lab import Facts
from probespiel.evaluation.stress.strategies import Strategy, mixture_of
from tests.test_guided_kernels import plain

from .lab_findings import findings

JACKS = str(Path(__file__).parent / "planted" / "jacks.py")


def made_up(**more: Any) -> Any:
    return SimpleNamespace(**more)


def test_a_value_astray_is_of_the_piece_in_which_it_lies() -> None:
    """The first and the last value of a piece, between two others."""
    layout = Layout([Piece(name, (2,), 0, 1, name) for name in ("one", "two", "three")])
    told = [astray.piece_astray(np.eye(6, dtype=np.float32)[i] * 5, layout).split()[1] for i in range(6)]
    assert told == ["one", "one", "two", "two", "three", "three"]


def test_conditions_are_named_by_who_has_it_what_they_are_given_and_how_they_sit() -> None:
    bench = Bench(Settings("kuhn", JACKS))
    holders = bench.holder_conditions()
    first, *rest = [name for name in holders if name not in ("nobody", "everybody")]
    one = holders[first]
    given = [
        one, Condition(one.holders, amount=-2, side=1), Condition(one.holders, amount=3, side=0),
        Condition(one.holders, mirrored=True), Condition((7,)), Condition(one.holders, amount=1, mirrored=True),
    ]  # fmt: skip
    a, b = bench.side_names
    named = conditions.named_conditions(bench, given)
    assert rest and list(named.values()) == given
    assert list(named) == [
        first, f"{first}, -2 for {b}", f"{first}, +3 for {a}", f"{first}, {conditions.MIRRORED}", "some",
        f"{first}, +1 for {a}, {conditions.MIRRORED}",
    ]  # fmt: skip


def test_of_several_sides_those_that_are_given_it_come_first() -> None:
    seats = [made_up(side=side, name=f"{side}{i}") for i, side in enumerate("ABCAB")]
    sides = cast(Any, Bench.sides).fget

    def ordered(named: set[int], *seats: Any) -> Any:
        return sides(made_up(_first=lambda: made_up(seats=seats), _named=named))

    assert ordered(set(), *seats) == [(0, 3), (1, 4), (2,)]
    assert ordered({2}, *seats) == [(2,), (0, 3), (1, 4)]
    assert ordered({4, 2}, *seats) == [(1, 4), (2,), (0, 3)]
    assert ordered({1}, *seats[:2]) == [(0,), (1,)], "of two sides the first stays the first"


def test_a_context_is_sized_by_what_was_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the length of games, the size of an observation, whether they are compiled, and their work, in that order."""
    given: list[Any] = []
    monkeypatch.setattr(context, "fitted", lambda *args: given.append(args) or ("fitted", 0.25))
    made = context.Context(
        bench=cast(Any, made_up(work=1.5)), budget=cast(Any, "budget"), store=cast(Any, None), workers=cast(Any, None),
        watcher=cast(Any, None), marked=frozenset({3, 4, 5}), compiled=True,
    )  # fmt: skip
    facts = Facts(declining=(4,), length=12.0)
    sized, factor = made.sized(facts, True, 2.5, 77)
    assert given == [("budget", 12.0, 77, True, 1.5)] and factor == 0.25
    told = (sized.budget, sized.facts, sized.offered, sized.scale, sized.observation, sized.marked)
    assert told == ("fitted", facts, True, 2.5, 77, frozenset({3, 5}))


def test_what_differs_in_two_games_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (findings(options=options, also={}) for options in ({"n": 1}, {"n": 2}))
    (note,) = compare._notes([("a", one), ("b", two)])
    assert note.startswith("The games differ in what was set") and "a: " in note and "b: " in note
    assert compare._notes([("a", one), ("b", one)]) == []
    monkeypatch.setattr(compare_report, "render", lambda found, lang: f"page in {lang}")
    monkeypatch.setattr(compare_report, "comparison_json", lambda found: "{}")
    folder = tmp_path / "of" / "several"
    for _ in range(2):
        assert compare_report.write_comparison(folder, cast(Any, None), "de") == folder / "compare.html"
    assert (folder / "compare.html").read_text() == "page in de" and (folder / "compare.json").read_text() == "{}"


def test_the_number_of_strategies_is_resampled_half_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dominance, "_ENTROPIES", 6)
    blocks = np.array([[[0.0, x], [-x, 0.0]] for x in (0.1, -0.1, 0.2, 0.3)])
    assert [len(dominance.variety_of(blocks, n, 1, 1.0)[1]) for n in (2, 5, 9)] == [2, 3, 3]


def test_a_rung_is_played_on_the_same_deals_both_ways_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the stronger gets is what its opponent loses where they have changed places."""
    given: list[Any] = []

    def play(lab: Any, condition: Any, players: Any, pairs: Any, numbers: Any, seed: int) -> Any:
        given.append((lab, condition, players, pairs, numbers.tolist(), seed))
        return made_up(margins=np.array([1.0, -1.0, 0.0, 0.5, 1.0, 0.0]))

    monkeypatch.setattr(dynamics, "play", play)
    lab, condition, strong, weak = cast(Any, ("lab", "condition", "strong", "weak"))
    found = dynamics.rung(lab, condition, strong, weak, (4, 7), 9)
    assert given == [("lab", "condition", ["strong", "weak"], [(0, 1)] * 3 + [(1, 0)] * 3, [4, 5, 6, 4, 5, 6], 9)]
    assert found["margins"].tolist() == [0.25, -1.0, 0.0] and found["scores"].tolist() == [0.5, 0.0, 0.5]


def test_values_of_games_are_of_the_first_side_wherever_it_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value is that of the seat in front; each condition is solved once."""
    asked: list[Any] = []
    bench = made_up(game=lambda c: f"game {c}", side_seats=lambda c, side: (0,) if c != "turned" else (1,))
    monkeypatch.setattr(exact, "_value", lambda b, game, limit: asked.append((game, limit)) or 0.25 * len(asked))
    found = exact.solve_all(cast(Any, made_up(bench=bench)), cast(Any, ["one", "turned", "one", "two"]), 30)
    assert found == {"values": [0.25, -0.5, 0.25, 0.75], "why": ""}
    assert asked == [("game one", 30), ("game turned", 30), ("game two", 30)]


class Recorded:
    """Follows what it is given, and tells of it as a replay."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def follow(self, *args: Any, **named: Any) -> Any:
        self.given.append((args, named))
        return made_up(replay=lambda: made_up(save=lambda path: path.write_text("saved")))


def test_a_game_of_a_match_is_recorded_with_those_who_played_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decisions of the game alone, its dice, and who sat where."""
    recorded, scheduled = Recorded(), []
    game = made_up(seats=[made_up(name="A"), made_up(name="B")])
    monkeypatch.setattr(exploit, "Recorder", recorded)
    monkeypatch.setattr(
        exploit, "schedule_of", lambda *args: scheduled.append(args) or made_up(seating=np.array([[1, 0]]), dice="dice")
    )
    log = made_up(seats=np.array([0, 1, 1, 0, 0]), actions=np.array([5, 6, 7, 8, 9]))
    played: Any = made_up(log=log, lengths=np.array([2, 2, 1]))
    lab: Any = made_up(bench="bench", game=lambda condition: game)
    exploit.record(lab, cast(Any, "where"), played, 1, 30, 4, (0, 1), ["first", "second"])
    assert scheduled == [("bench", "where", [(0, 1)], [30], 4)]
    assert recorded.given == [((game, [(1, 7), (0, 8)]), {"rng": "dice", "agents": {"A": "second", "B": "first"}})]


def test_a_failing_game_is_kept_with_its_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded, game = Recorded(), made_up(spec="spec")
    monkeypatch.setattr(failing, "Recorder", recorded)
    monkeypatch.setattr(failing, "told", lambda spec, decision: (spec, *decision))
    lab: Any = made_up(bench=made_up(game=lambda condition: game), folder=tmp_path)
    found = failing.kept_game(lab, Condition(), cast(Any, "dice"), [[0, 5], [1, 6]], "of/several/1.json")
    assert recorded.given == [((game, [(0, 5), (1, 6)]), {"rng": "dice"})]
    assert (tmp_path / "of" / "several" / "1.json").read_text() == "saved"
    assert found == {"replay": "1.json", "moves": [("spec", 0, 5), ("spec", 1, 6)], "length": 2}


def test_a_game_that_fails_before_its_first_decision_is_kept_without_any() -> None:
    found = failing.as_far_as_kept(lambda decisions, final: {"kept": [*decisions], "final": [*final]}, [])
    assert found == {"kept": [], "final": [], "length": 0}


def test_shares_reach_no_further_than_from_nothing_to_all() -> None:
    told = [game_verdict.ends("draws", Interval(0.5, low, high)) for low, high in ((-0.5, 1.5), (1.2, 1.4), (0.2, 0.4))]
    assert told == ["0% to 100%", "100% to 100%", "20% to 40%"]


def test_what_is_nothing_in_every_game_is_more_than_not_shown() -> None:
    """Both ends of the interval are nothing then, not its upper one alone."""
    worth = findings().worth
    assert worth is not None
    shown = []
    for low in (-0.5, 0.0):
        sides = tuple(cast(Any, made_up(side=side.side, answer=Sample(0.0, low, 0.0, 99))) for side in worth.sides)
        (first, *_) = against_it(cast(Any, made_up(sides=sides, bounds=None, exact=False)), "", 2)
        shown.append("not shown" not in first)
    assert shown == [False, True]


def test_phases_beyond_those_that_have_flags_have_none() -> None:
    marks = Marks(frozenset(), frozenset({0, PHASES - 1, PHASES, PHASES + 1}))
    assert np.flatnonzero(marks.flags()).tolist() == [0, PHASES - 1]


class Memory:
    """Arrays by their addresses."""

    def __init__(self, **arrays: np.ndarray) -> None:
        self.arrays = arrays

    def __call__(self, at: Any, n: int) -> Any:
        return self.arrays[at][:n]


def test_a_lead_is_the_mean_of_a_side_less_that_of_the_best_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sides 0, 1, 0, 2 that get 1, 4, 2, 3: 1.5, 4 and 3."""
    arrays = Memory(payoff=np.array([1.0, 4.0, 2.0, 3.0]), sides=np.array([0, 1, 0, 2]))
    for name in ("float64_at", "int64_at"):
        monkeypatch.setattr(guided_kernel, name, arrays)
    asked: list[Any] = []
    monkeypatch.setattr(guided_kernel, "call_kernel", lambda *args: asked.append(args))
    guide = {guided_kernel.SEATS: 4, guided_kernel.PAYOFF: "payoff", guided_kernel.SIDES: "sides"}
    leads = [plain(guided_kernel.lead_of)(guide, 0, 0, 0, seat=seat) for seat in range(4)]
    assert leads == [-2.5, 1.0, -2.5, -1.0]
    assert asked == [(0, guided_kernel.RETURNS, 0, 0, 0, 0, "payoff")] * 4, "as it stands now"
    arrays.arrays["sides"] = np.zeros(4, np.int64)
    assert plain(guided_kernel.lead_of)(guide, 0, 0, 0, seat=1) == 0.0


def test_a_decision_is_logged_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions 0 to 63 of two words; the flag of the module's own ones is theirs alone, whatever word they are in."""
    k = guided_kernel
    rows = {f"row {i}": np.zeros(k.ROW, np.int64) for i in range(3)}
    arrays = Memory(
        legal=np.array([0b11, 0b1]), marked=np.array([0, 0b10]), log=np.array([0, 3, 0], dtype=object), **rows
    )  # fmt: skip

    def at(place: Any, n: int) -> Any:
        return arrays(place if isinstance(place, str) else f"row {place // (8 * k.ROW)}", n)

    monkeypatch.setattr(k, "int64_at", at)
    monkeypatch.setattr(k, "lead_of", lambda guide, *args, seat: 0.5 + seat)
    monkeypatch.setattr(k, "count_of", lambda legal: int(sum(map(int.bit_count, legal.tolist()))))
    guide = {k.WORDS: 2, k.LEGAL_AT: "legal", k.MARKED: "marked", k.LOG: "log"}
    log = plain(k.write_log)
    arrays.arrays["log"][k.USED], arrays.arrays["log"][k.ROOM], arrays.arrays["log"][k.ROWS] = 0, 2, 0
    log(guide, 0, 0, 0, seat=1, action=33, phase=4, flags=0)
    log(guide, 0, 0, 0, seat=0, action=1, phase=5, flags=k.TAKEN << 1)
    for action in (64, 3):  # no action, and no room: both are counted alone
        log(guide, 0, 0, 0, seat=1, action=action, phase=6, flags=0)
    wanted = np.zeros((3, k.ROW), np.int64)
    for row, told in zip(wanted, ((1, 33, 4, k.TAKEN, 3, 1.5), (0, 1, 5, k.TAKEN << 1, 3, 0.5))):
        row[[k.R_SEAT, k.R_ACTION, k.R_PHASE, k.R_FLAGS, k.R_LEGAL]] = told[:5]
        row[k.R_LEAD] = int(told[5] * k.LEAD_UNIT)
    assert np.array_equal(np.array(list(rows.values())), wanted) and arrays.arrays["log"][k.USED] == 4


def test_a_margin_is_half_the_lead_of_a_side_over_all_other_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats of sides 0, 1, 1, 2 that get 1, 2, 6 and 3."""
    payoff, sides = np.array([1.0, 2.0, 6.0, 3.0]), np.array([0, 1, 1, 2])
    assert [plain(branch_kernel.paid_to)(payoff, sides, seat) for seat in range(4)] == [1.0, 4.0, 4.0, 3.0]
    monkeypatch.setattr(branch_kernel, "call_kernel", lambda *args: 0)
    monkeypatch.setattr(branch_kernel, "address_of", lambda x: 0)
    found = [plain(branch_kernel.margin)(0, 0, 0, payoff, sides, seat) for seat in range(4)]
    assert found == pytest.approx([(1 - 11 / 3) / 2, (4 - 2) / 2, (4 - 2) / 2, (3 - 3) / 2])


@pytest.mark.parametrize(("enough", "grown"), [(20.0, [1, 2, 4, 8, 16]), (21.0, [1, 4, 8, 16]), (3.0, [1, 2, 4])])
def test_work_is_timed_by_the_two_largest_sizes(enough: float, grown: list[int]) -> None:
    """A unit takes 2 seconds, and to begin 3; sizes are doubled, or four times as large while a fourth has not passed.

    No less is enough than twice what the first took, nor more than four times what is asked for.
    """
    now, sizes = [0.0], list[int]()

    def work(size: int) -> float:
        sizes.append(size)
        now[0] += 3.0 + 2.0 * size
        return float(size)

    assert forecast.timed(work, 1, enough, lambda: now[0]) == pytest.approx((2.0, 3.0))
    assert sizes == [1, *grown]


def test_a_budget_is_fitted_to_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the length of games, the size of an observation, whether they are compiled, their work and its share."""
    given: list[Any] = []
    monkeypatch.setattr(forecast, "fitted", lambda *args: given.append(args) or ("fitted", 1.0))
    made = context.Context(
        bench=cast(Any, made_up(work=1.5)), budget=cast(Any, "budget"), store=cast(Any, None), workers=cast(Any, None),
        watcher=cast(Any, None), marked=frozenset(), compiled=True, facts=Facts(length=12.0), observation=77,
    )  # fmt: skip
    assert forecast.with_budget(made, "quick", 0.25).budget == cast(Any, "fitted")
    assert given == [(forecast.BUDGETS["quick"], 12.0, 77, True, 1.5, 0.25)]


def test_what_is_hardly_played_is_left_out_of_a_mixture() -> None:
    names = [Strategy(name) for name in "abcd"]
    found = mixture_of(names, [0.5, 0.01, 0.25, 0.05], least=0.05)
    assert found.strategies == (names[0], names[2], names[3])
    assert found.weights == pytest.approx((0.5 / 0.8, 0.25 / 0.8, 0.05 / 0.8))
