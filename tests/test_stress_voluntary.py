"""A rule that nobody has to use cannot be a handicap: when that may be said, and what it makes of what was measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.stress import inert
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.findings import (
    HandicapRow,
    Interval,
    Reach,
    Sample,
    SideHandicap,
    SideWorth,
    Worth,
    WorthBounds,
    WorthRow,
)
from probespiel.evaluation.stress.inert import beside
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.voluntary import look_for_freedom, look_for_idleness, no_handicap, no_units
from probespiel.evaluation.stress.workers import Job

OPTION = '''
from typing import Any

from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, ask

module = Module("boast", "Before a test one may boast.")
BOAST = module.action("boast", "boast (boast)", "prahlen (boast)")
KEEP = module.action("keep", "keep quiet (boast)", "schweigen (boast)", decline=True)
module.state("said", scope="match", doc="1 after a boast")
module.piece("said", 1, 0, 1, "whether this seat has boasted")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Before every test."""
    allow(words, BOAST)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Once is enough."""
    s.boast_said[seat] = 1


@module.hook
def points(s: Any, p: Any, result: int, value: int) -> int:
    """Rounds that are won count more."""
    return value + {more}


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Own boasts."""
    out[0] = s.boast_said[seat]
'''
ASKED = '''
QUESTION = module.phase("boast", en="do you boast?", de="prahlst du?")


@module.hook
def test_start(s: Any, p: Any) -> None:
    """Asked before every test."""
    ask(s, ME, QUESTION, 0)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Yes or no."""
    allow(words, BOAST)
    allow(words, KEEP)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """As in the window."""
    s.boast_said[seat] = action == BOAST
'''


@pytest.mark.parametrize(
    ("more", "asked", "free"),
    [
        ("(s.boast_said[0] + s.boast_said[1])", "", True),  # by who has boasted alone
        ("1", "", False),  # without a word
        ("(s.boast_said[0] + s.boast_said[1])", ASKED, False),  # with a question, which tells that it may be used
    ],
)
def test_who_leaves_a_rule_alone_plays_as_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, asked: str, free: bool
) -> None:
    monkeypatch.setattr(inert, "GAMES", 4)
    (tmp_path / "boast.py").write_text(OPTION.replace("{more}", more) + asked)
    lab = open_lab(Settings("ews_rps", str(tmp_path / "boast.py"), scenario="even_contest", budget="quick"), tmp_path)
    lab.bench.compiled = False
    assert inert.inert(lab, lab.bench.everybody(), 3, left=True) == {"games": 4 if free else 0}
    assert inert.inert(lab, lab.bench.everybody(), 3) == {"games": 0}, "used, it does something"


@pytest.mark.parametrize(
    ("more", "free"),
    [
        ("(s.boast_said[0] + s.boast_said[1])", True),
        ("(p.boast_seats in (1, 2))", False),  # without a word, unless both have it
    ],
)
def test_what_harms_one_side_alone_is_looked_for_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, free: bool
) -> None:
    """A rule may leave all as it is where everybody has it, and change the game of who has it alone."""
    monkeypatch.setattr(inert, "GAMES", 2)
    (tmp_path / "boast.py").write_text(OPTION.replace("{more}", more))
    lab = open_lab(Settings("ews_rps", str(tmp_path / "boast.py"), scenario="even_contest", budget="quick"), tmp_path)
    lab.bench.compiled = False
    assert inert.inert(lab, lab.bench.everybody(), 3, left=True) == {"games": 2}
    asked: list[Job] = []

    def need(step: str, jobs: list[Job]) -> list[dict[str, Any]]:
        """What workers would answer."""
        asked.extend(jobs)
        return [inert.inert(lab, **job.args) for job in jobs]

    context: Any = SimpleNamespace(bench=lab.bench, marked=frozenset({1}), seed=lambda *_: 3, need=need)
    assert look_for_idleness(context) == look_for_freedom(context, True) == (2 if free else 0)
    assert [job.args["condition"].holders for job in asked] == [(0, 1), (0,), (1,)] * 2
    assert all(job.args["left"] for job in asked)


class Walk:
    """Three steps of one seat: action 1 is the module's, 0 anybody's; `sight` is what a seat sees, two numbers."""

    game = SimpleNamespace(n_seats=2)

    def __init__(self, legal: tuple[int, ...] = (0,), sight: tuple[float, float] = (0.0, 0.0), taken: int = 0) -> None:
        self._legal, self._sight, self.taken = legal, sight, taken

    def die(self) -> int:
        """None."""
        return 0

    def to_act(self) -> list[int]:
        """The seat, three times."""
        return [0] if self.taken < 3 else []

    def legal(self, seat: int) -> list[int]:
        """What it may do."""
        return list(self._legal)

    def apply(self, seat: int, action: int) -> None:
        """One more."""
        self.taken += 1

    def observe(self, seat: int) -> np.ndarray:
        """The first seat sees zeros, the second the two numbers."""
        return np.array(self._sight if seat else (0.0, 0.0))

    def to_bytes(self) -> bytes:
        """How many were taken."""
        return bytes([self.taken])


def walked(position: Walk, uses: frozenset[int], seen: list[int] | None) -> int:
    """Decisions of a walk beside the plain one."""
    shadow: Any = SimpleNamespace(
        start=Walk, same=lambda a, b, payoffs: a.taken == b.taken, after=lambda before, step: Walk(taken=before[0] + 1)
    )
    places, walk = None if seen is None else np.array(seen), cast(Any, position)
    return beside(walk, shadow, frozenset({1}), np.array([3], dtype=np.uint64), uses=uses, seen=places)


def test_uses_are_left_out_and_what_is_seen_is_compared() -> None:
    used, nothing = frozenset({1}), frozenset[int]()
    assert walked(Walk((0, 1)), used, None) == 3
    assert walked(Walk((0, 1)), nothing, None) == 0, "a use is a step that the other game does not take"
    assert walked(Walk((1,)), used, None) == 0, "it cannot be left alone"
    told = [walked(Walk((0, 1), (0.0, 1.0)), used, seen) for seen in (None, [0], [1], [0, 1])]
    assert told == [3, 3, 0, 0], "the other seat sees that there is a rule, by its second number"


EVEN = Interval(0.0, -0.2, 0.2)


def worth_of(overall: Interval, **more: Any) -> Worth:
    """The worth of a side and of all, alike."""
    found = Sample(overall.value, overall.low, overall.high, 100)
    row = WorthRow(0, found, Interval(-0.1, -0.3, 0.2), 0.0, 0.0, 0.5, 0.5)
    side = SideWorth("A", (row, replace(row, amount=2)), (-0.1, 0.1), Sample(-0.2, -0.4, 0.0, 50))
    return Worth((side,), found, 1.0, Interval(-0.1, -0.3, 0.2), **more)


@pytest.mark.parametrize(
    ("measured", "told"),
    [
        ((-0.03, -0.06, -0.01), (0.0, 0.0, 0.06)),
        ((-0.01, -0.02, 0.03), (0.0, 0.0, 0.03)),
        ((0.02, -0.01, 0.05), (0.02, 0.0, 0.05)),
        ((0.10, 0.05, 0.15), (0.10, 0.05, 0.15)),
    ],
)
def test_nothing_is_told_below_nothing(measured: tuple[float, ...], told: tuple[float, ...]) -> None:
    """And by as much as was measured there, luck may lie above."""
    found = no_handicap(worth_of(Interval(*measured)))
    assert found.overall == Sample(*told, games=100)
    assert [row.worth for row in found.sides[0].by_amount] == [found.overall] * 2
    assert found.odds == found.sides[0].even.odds == Interval(0.0, 0.0, 0.3)
    assert found.sides[0].answer == Sample(0.0, 0.0, 0.4, 50)
    assert found.sides[0].seeds == (-0.1, 0.1), "what the learners came to is told as it was"


def test_bounds_and_what_decides_stand_above_nothing_as_well() -> None:
    bounds = WorthBounds(Interval(-0.03, -0.12, 0.10), (Interval(-0.1, -0.2, -0.05), Interval(0.2, 0.1, 0.3)), 40)
    found = no_handicap(worth_of(Interval(-0.03, -0.06, 0.0), bounds=bounds, reach=Reach(-0.03, -0.03, 0.02, 0.01)))
    wanted = Interval(0.0, 0.0, 0.10), (Interval(0.0, 0.0, 0.0), Interval(0.2, 0.1, 0.3))
    assert found.bounds == WorthBounds(*wanted, games=40)
    assert found.reach == Reach(0.0, 0.0, 0.02, 0.01)
    exact = worth_of(Interval(-0.5, -0.5, -0.5), exact=True)
    assert no_handicap(exact) is exact, "what is solved needs no argument"


def test_units_end_where_the_scale_does() -> None:
    rows = (HandicapRow(-2.0, -4.0, 1.0, 100, 0, 3.0, -3.0), HandicapRow(1.0, 0.5, 2.0, 100, 2, 1.5, -3.0))
    found = no_units((SideHandicap("A", (-3, 0, 3), (-1.0, 0.0, 1.0), rows),))
    assert found is not None
    assert found[0].by_amount == (HandicapRow(0.0, 0.0, 3.0, 100, 0, 3.0, -3.0), rows[1])
    assert no_units(None) is None


def test_where_an_option_may_harm_nothing_is_said() -> None:
    """Among several others, at a whole table, where payoffs are not opposed; or where there is no use to leave."""

    class Asked:
        """A context that finds no effect in seven games."""

        marked = frozenset({4})

        def __init__(self, **bench: Any) -> None:
            self.bench = SimpleNamespace(
                several=bench.get("several", False), whole_table=bench.get("whole_table", False),
                sides=bench.get("sides", [(0,), (1,)]), everybody=lambda: "all",
                holder_conditions=lambda: {"nobody": "none", "A": "one", "everybody": "all"},
            )  # fmt: skip

        def seed(self, *parts: object) -> int:
            """Any."""
            return 5

        def need(self, step: str, jobs: Any) -> list[Any]:
            """Of everybody, and of one side, who leave it alone."""
            wanted = {"seed": 5, "left": True}
            assert [(job.kind, job.args) for job in jobs] in (
                [("inert", {"condition": "all", **wanted})],
                [("inert", {"condition": "one", **wanted, "untaken": True})],
            )
            return [{"games": 7}]

    def free(zero_sum: bool = True, marked: frozenset[int] = frozenset({4}), **bench: Any) -> int:
        context: Any = Asked(**bench)
        context.marked = marked
        return look_for_freedom(context, zero_sum)

    assert free() == 7 and free(False, sides=[(0, 1)]) == 7
    assert [free(several=True), free(whole_table=True), free(False), free(marked=frozenset())] == [0] * 4


def test_payoffs_may_be_left_out() -> None:
    """Of a rule that does nothing but pay all else stands alike."""

    def beside_payments(payoffs: bool) -> int:
        shadow: Any = SimpleNamespace(
            start=Walk, same=lambda a, b, payoffs: not payoffs and a.taken == b.taken,
            after=lambda before, step: Walk(taken=before[0] + 1),
        )  # fmt: skip
        walk = cast(Any, Walk((0,)))
        return beside(walk, shadow, frozenset({1}), np.array([3], dtype=np.uint64), payoffs=payoffs)

    assert (beside_payments(True), beside_payments(False)) == (0, 3)


ULTIMATUM = '''
"""Whoever has it not pays a tenth, or loses three."""
from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, ask_module

module = Module("toll", "The other one pays.", payoff_shift=0.6, table=("payoff",))
ASKED = module.phase("toll_asked")
PAY = module.action("pay", en="pay", de="zahlen")
REFUSE = module.action("refuse", en="refuse", de="weigern")
module.state("asked", scope="fight", doc="1 has been asked")
module.state("lost", scope="fight", doc="tenths lost")


@module.hook
def round_start(s: Any, p: Any, seat: int) -> None:
    """The other one, once."""
    if not s.toll_asked[1 - seat]:
        s.toll_asked[1 - seat] = 1
        ask_module(s, ME, ASKED, 1 - seat)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One of two."""
    allow_bits(words, PAY, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """A tenth or three."""
    s.toll_lost[seat] = 1 if action == PAY else 3


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Lost."""
    return value - s.toll_lost[seat] / 10
'''


def test_who_is_asked_by_a_rule_of_another_one(tmp_path: Path) -> None:
    """Where all have it each is one of its holders; where one has it the other one is asked, and has it not."""
    path = tmp_path / "toll.py"
    path.write_text(ULTIMATUM)
    lab = open_lab(Settings("scorekeeper-duel", str(path)), tmp_path)
    lab.bench.compiled = False
    for condition, games in ((lab.bench.everybody(), 1), (Condition((0,)), 0)):
        found = inert.inert(lab, condition, 1, untaken=True, payoffs=False, most=1, held=True)["games"]
        assert (found > 0) == bool(games)
        assert inert.inert(lab, condition, 1, untaken=True, payoffs=False, most=1)["games"] > 0
