"""Sums, words and anchors of the stress lab in which a planted error had gone unnoticed, each worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.stress import inert, marking_kernel, oversights, proof, seated, usage, voluntary, words
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY
from probespiel.evaluation.stress.findings import Interval, Sample, Sizes
from probespiel.evaluation.stress.progress import Estimate, duration
from probespiel.evaluation.stress.strategies import ANSWERS_IT, Mixture, Strategy
from tests.test_guided_kernels import plain

from .lab_findings import findings


def made_up(**more: Any) -> Any:
    return SimpleNamespace(**more)


def test_what_a_module_does_not_write_of_an_observation_lies_at_its_own_places() -> None:
    pieces = [made_up(name=name, size=size) for name, size in (("a", 2), ("rule.b", 3), ("c", 1), ("rule.d", 2))]
    game = made_up(layout=made_up(pieces=pieces, offsets={"a": 0, "rule.b": 2, "c": 5, "rule.d": 6}))
    module = made_up(name="rule", pieces=[made_up(name="b")])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inert, "module_of", lambda bench: module)
        assert inert.seen_of(made_up(bench=None), game).tolist() == [0, 1, 5, 6, 7]


def test_the_hash_of_a_position_goes_by_all_bytes_that_make_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three words; of the middle one nothing counts, of the last one its lower half."""
    arrays = {"record": np.zeros(3, np.int64), "keep": np.array([-1, 0, 0xFFFFFFFF])}
    monkeypatch.setattr(marking_kernel, "int64_at", lambda at, n: arrays[at][:n])
    monkeypatch.setattr(marking_kernel, "address_of", lambda keep: "keep")
    monkeypatch.setattr(marking_kernel, "mix", lambda h, word: (int(h) * 31 + int(word)) % (1 << 61))

    def told(*record: int) -> Any:
        arrays["record"][:] = record
        return plain(marking_kernel.position_hash)("record", np.zeros(24, np.uint8))

    still = told(1, 2, 3)
    assert told(1, 9, 3) == told(1, 2, 3 + (1 << 40)) == still
    assert len({still, told(2, 2, 3), told(1, 2, 4)}) == 3


def test_what_an_oversight_loses_is_as_sure_as_both_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worth of 1, from 0.6 to 1.8, less 0.5, which may be 0.2 or 1.1: ends by Pythagoras, each of its own side."""
    monkeypatch.setattr(oversights, "worth_of", lambda pairs: pairs)
    monkeypatch.setattr(oversights, "widened", lambda *given: Sample(-0.5, -1.1, -0.2, 30))
    pair = np.zeros(2), np.zeros(2)
    found = oversights.less(Sample(1.0, 0.6, 1.8, 99), [pair], 2)
    assert found.value == 0.5 and found.games == 30
    assert found.low == pytest.approx(0.5 - np.hypot(0.4, 0.6))
    assert found.high == pytest.approx(0.5 + np.hypot(0.8, 0.3))


def test_a_rate_of_use_is_of_games_in_which_that_side_is_the_hero(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    log = made_up(seats=np.array([0, 1, 1]), free=np.array([True] * 3), offered=np.array([True] * 3),
                  taken=np.array([False, True, True]))  # fmt: skip
    log = type("Log", (SimpleNamespace,), {"__len__": lambda self: 3})(**vars(log))

    def play(*args: Any, **named: Any) -> Any:
        given.append((args[0], args[1], args[2], args[4].tolist(), args[5], named))
        return made_up(log=log, games_of_log=lambda: np.arange(3))

    monkeypatch.setattr(oversights, "play", play)
    one = Mixture((Strategy("one"),), (1.0,))
    lab: Any = made_up(bench=made_up(side_seats=lambda condition, side: (side,)))
    found = oversights.held_rate(lab, cast(Any, "where"), one, one, 1, 2, 8)
    assert given == [(lab, "where", [Strategy("one")], [0, 1], 8, {"logged": True, "hero": 1})]
    assert found["rate"] == 1.0 and found["asked"]


def test_times_in_words() -> None:
    told = [duration(seconds) for seconds in (89.4, 90.0, 5399.0, 5400.0)]
    assert told == ["89 s", "2 min", "90 min", "1.5 h"]


def test_the_time_that_is_left_leaves_out_what_was_done_before() -> None:
    """Two steps of 10 seconds. Half of the first was there; a fourth more took 10 seconds, instead of 2.5.

    So 12.5 are to come, at (10 + 4) / (2.5 + 4) of what was planned, 4 being the trust in the plan.
    """
    now = [0.0]
    found = Estimate(lambda: now[0])
    found.start({"before": 1.0, "one": 1.0, "two": 1.0})
    found.begin("one")
    assert found.done == pytest.approx(1 / 3)
    now[0] = 5.0
    found.plan({"one": 10.0, "two": 10.0})
    found.advance("one", 0.5, played=False)
    found.advance("one", 0.25)
    now[0] = 15.0
    assert found.left == pytest.approx(12.5 * 14.0 / 6.5)
    assert found.done == pytest.approx((5.0 + 7.5) / 25.0)
    found.advance("one", 0.9)
    assert found.done == pytest.approx((5.0 + 9.8) / 25.0), "nothing is over before the next begins"


def test_what_was_played_of_the_budget_is_told_where_it_is_not_all() -> None:
    def told(share: float, heuristics: int) -> list[tuple[str, str]]:
        return proof.scope(findings(sizes=Sizes(1.0, 8, 8.0, 1.0, {"quick": share}, heuristics, 5)))

    assert told(1.0, 5) == []
    assert told(0.5, 4) == [("played of the budget", "50%"), ("heuristics", "4 / 5")]


def test_sentences_are_shown_by_the_games_of_their_own_sections() -> None:
    """The sample shows what it is worth and how it is used; the rest is shown by games as they are played."""
    games = tuple(
        made_up(name=name, replay=f"replays/{i}.json") for i, name in enumerate((NOBODY, EVERYBODY, "only A", "x"))
    )
    exploits = tuple(made_up(game=made_up(found=found)) for found in (False, True))
    sample = made_up(found=True, replay="sample.json")
    some = findings(games=games, exploit=exploits, sample=sample)
    bare = findings(games=games, exploit=(), sample=made_up(found=False, replay="no.json"))
    asked = ("worth", "use", "sample", "exploit", "effect")
    assert {name: proof.games_of(some, name) for name in asked} == {
        "worth": ["sample"], "use": ["sample", "exploit-1"], "sample": ["sample"], "exploit": ["exploit-1"],
        "effect": [f"{proof._OTHERS}0", f"{proof._OTHERS}1"],
    }  # fmt: skip
    both, alone = ([f"{proof._OTHERS}{i}" for i in which] for which in ((0, 1), (0, 2)))
    assert [proof.games_of(bare, name) for name in asked] == [alone, both, both, alone, both]
    assert proof.shown_game(some) == "replays/sample.json" and proof.shown_game(bare) == "replays/1.json"
    assert proof.shown_game(findings()) == ""


def test_sentences_about_levels_are_shown_by_a_game_of_each() -> None:
    """Three levels, the last of which are those who play what was found, then two oversights; no more."""
    names = (NOBODY, EVERYBODY, "only A", "low", "high", oversights.NAMES["never"], oversights.NAMES["always"])
    games = tuple(made_up(name=name, replay="x") for name in names)
    levels = tuple(made_up(name=name) for name in ("low", "high", "found"))
    missed = tuple(made_up(use=use) for use in ("never", "always"))
    some = findings(games=games, levels=levels, oversights=missed)
    told = [proof.games_of(some, "levels", index) for index in range(6)]
    assert told == [[f"{proof._OTHERS}{k}"] for k in (3, 4, 2, 5, 6)] + [[]]
    table = findings(games=games, levels=levels, oversights=missed, whole_table=True)
    assert proof.games_of(table, "levels", 2) == [f"{proof._OTHERS}1"]


def test_who_decides_for_another_side_is_made_alike() -> None:
    """What is learned for one side and decides by another's values, for the other: by the same values, used as ever."""
    other = Strategy("plain", seat="B", stream="stream B")
    deciding = Strategy(f"plain, {ANSWERS_IT} (2)", seat="A", whether="net.npz", use="never")
    found = seated.counterpart(deciding, [other])
    assert found is not None
    told = (found.name, found.seat, found.whether, found.use, found.stream)
    assert told == (f"plain, {ANSWERS_IT} (2)", "B", "net.npz", "never", "stream B")


def test_who_is_held_to_a_use_throws_alike() -> None:
    one, two = Strategy("one"), Strategy("two", stream="first")
    assert one.using("never").stream == "one" and two.using("never").stream == "first"
    assert one.using("as_is").name == "one" != one.using("always").name


def test_ways_of_use_are_compared_on_half_of_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has it alone, as it likes and held to each way, against the same others."""
    given: list[Any] = []
    mine, others = Mixture((Strategy("one"),), (1.0,)), Mixture((Strategy("two"),), (1.0,))
    bench = made_up(alone=lambda side: f"only {side}", holder_conditions=lambda: {"only 1": "where"})
    context = made_up(
        bench=bench, budget=made_up(measure=400),
        cells=lambda *args: given.append(args) or ["free", *(f"bound {i}" for i in range(len(args[1]) - 1))],
    )  # fmt: skip
    chosen: Any = made_up(of_all=lambda name: {"only 1": (others, mine)}[name])
    monkeypatch.setattr(usage, "paired", lambda free, bound: (free, bound))
    found = usage.restricted(context, chosen, 1)
    ((step, wanted, deals, label, side),) = given
    assert (step, deals, label, side) == ("use", 200, "restricted 1", 1)
    held = [Mixture((Strategy("one").using(use),), mine.weights) for use in usage.USES]
    assert [where for where, _ in wanted] == ["where"] * (1 + len(held))
    assert [players for _, (players,) in wanted] == [(who, others) for who in (mine, *held)]
    assert {use: getattr(found, use) for use in usage.USES} == {
        use: ("free", f"bound {i}") for i, use in enumerate(usage.USES)
    }


def test_situations_are_told_by_phase_and_standing() -> None:
    """Four chances in one phase, two of them ahead, and one in another; the one that cannot be declined is none."""
    log: Any = made_up(
        free=np.array([True, True, False, True, True, True]), phases=np.array([0, 0, 0, 0, 1, 0]),
        leads=np.array([1.0, 2.0, 1.0, -1.0, 1.0, 0.0]), taken=np.array([True, False, True, True, False, True]),
    )  # fmt: skip
    found = usage.situations(made_up(spec=made_up(phases=("x", "y"))), log, np.arange(6))
    told = [(row["phase"], row["standing"], row["opportunities"], row["rate"]) for row in found]
    behind, level, ahead = usage.STANDINGS
    assert told[0] == ("x", ahead, 2, 0.5)
    assert sorted(told[1:]) == sorted([("x", behind, 1, 1.0), ("x", level, 1, 1.0), ("y", ahead, 1, 0.0)])


def test_an_interval_from_nothing_upwards_stays_as_it_is() -> None:
    for found in (Interval(0.1, 0.0, 0.3), Interval(0.0, 0.0, 0.0), Interval(0.2, 0.1, 0.3)):
        assert voluntary._mirrored(found) is found
    assert voluntary._mirrored(Interval(-0.1, -0.4, 0.2)) == Interval(0.0, 0.0, 0.4)
    assert voluntary._mirrored(Interval(0.1, -0.4, 0.3)) == Interval(0.1, 0.0, 0.3)


def test_results_change_where_those_of_any_side_do() -> None:
    """Of a rule of the whole table: one side alone is enough."""

    def told(*ends: tuple[float, float]) -> str:
        worth = findings().worth
        assert worth is not None
        sides = []
        for side, (low, high) in zip(worth.sides, ends):
            row = side.by_amount[0]
            sides.append(
                made_up(side=side.side, even=made_up(worth=Sample((low + high) / 2, low, high, 9)), by_amount=(row,))
            )
        names = ("overall", "odds", "deviation", "exact", "sure", "alike")
        shown = made_up(**{name: getattr(worth, name) for name in names}, sides=tuple(sides))
        found = findings(whole_table=True)
        object.__setattr__(found, "worth", shown)
        return " ".join(words._worth(cast(Any, shown), found, ""))

    assert "results are not shown to change" in told((-0.1, 0.2), (-0.3, 0.1))
    assert "results change" in told((0.1, 0.2), (-0.3, 0.1)) and "results change" in told((-0.1, 0.2), (-0.3, -0.1))
