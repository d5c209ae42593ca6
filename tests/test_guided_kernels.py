"""The lab's kernels of leads, draws, branches and learning against small cases by hand.

They run as plain Python; what they ask the rules is answered by the test.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.abi import APPLY, LEGAL, ROLL, TO_ACT, float64_at, int64_at
from probespiel.evaluation.stress import branch_kernel, guided_kernel, memory_kernel, value_kernel
from probespiel.evaluation.stress.branch_data import (
    Branching,
    BranchRows,
    Cast,
    Course,
    Fork,
    Marking,
    Memory,
    Sample,
    Space,
    Tables,
    Trial,
    UseRows,
)


def plain(function: Any) -> Any:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def paying(monkeypatch: pytest.MonkeyPatch, module: Any, payoffs: list[float]) -> None:
    """Rules of which a module asks nothing but what every seat gets."""

    def answer(k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        float64_at(out, len(payoffs))[:] = payoffs
        return 0

    monkeypatch.setattr(module, "call_kernel", answer)


@pytest.mark.parametrize(
    ("payoffs", "sides", "seat", "margin", "lead"),
    [
        ([3.0, -1.0], [0, 1], 0, 2.0, 4.0),
        ([3.0, -1.0], [0, 1], 1, -2.0, -4.0),
        ([5.0, 1.0, 2.0, -2.0], [0, 1, 0, 1], 2, 2.0, 4.0),  # means 3.5 and -0.5
        ([6.0, 3.0, 0.0], [0, 1, 2], 0, 2.25, 3.0),  # half of 6 - 1.5; 6 - 3
        ([0.0, 3.0, 6.0], [0, 1, 2], 2, 2.25, 3.0),
        ([4.0, 2.0], [0, 0], 0, 3.0, 0.0),  # nobody to compare with
    ],
)
def test_margin_and_lead(
    payoffs: list[float], sides: list[int], seat: int, margin: float, lead: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half the lead of the side's mean over that of all other seats; the lead itself is that over the best other."""
    paying(monkeypatch, branch_kernel, payoffs)
    paying(monkeypatch, guided_kernel, payoffs)
    payoff, side_of = np.zeros(64), np.array(sides, dtype=np.int64)
    assert plain(branch_kernel.margin)(0, 0, 0, payoff[: len(sides)], sides=side_of, seat=seat) == margin
    own = np.mean([paid for paid, side in zip(payoffs, sides) if side == sides[seat]])
    assert plain(branch_kernel.paid_to)(payoff, sides=side_of, seat=seat) == own
    guide = np.zeros(guided_kernel.ENTRIES, dtype=np.int64)
    guide[guided_kernel.SEATS], guide[guided_kernel.SIDES] = len(sides), side_of.ctypes.data
    guide[guided_kernel.PAYOFF] = payoff.ctypes.data
    assert plain(guided_kernel.lead_of)(guide, 0, 0, 0, seat=seat) == lead


def test_draws_by_values() -> None:
    """The best at temperature 0; else by exp(value / temperature), of the legal ones alone."""
    values = np.array([9.0, 0.0, np.log(2.0), 0.0])
    net = np.zeros(value_kernel.FIRST_GROUP, dtype=np.int64)
    net[[value_kernel.ACTIONS, value_kernel.VALUES]] = 4, values.ctypes.data
    legal, rng = np.array([0b1110], dtype=np.int64), np.array([7], dtype=np.uint64)
    assert guided_kernel.pick(net, legal, 0.0, rng) == 2 and rng[0] == 7

    def drawn_at(temperature: float) -> int:
        values[:] = 9.0, 0.0, np.log(2.0), 0.0  # what is drawn from is used up
        return guided_kernel.pick(net, legal, temperature, rng)

    drawn = np.bincount([drawn_at(1.0) for _ in range(400)], minlength=4)
    assert drawn[0] == 0 and np.abs(drawn[1:] - [100, 200, 100]).max() < 50  # five standard deviations
    assert drawn_at(0.01) == 2


@pytest.mark.parametrize(
    ("legal", "asked", "only_marked", "wanted"),
    [(0b11, 0, False, True), (0b10, 0, False, False), (0b11, 0, True, False), (0b101, 0, True, True),
     (0b11, 3, True, True), (0b100, 3, True, False)],
)  # fmt: skip
def test_decisions_of_interest(legal: int, asked: int, only_marked: bool, wanted: bool) -> None:
    """Those with a choice; with `only_marked` those in which action 2 can be taken or phase 3 asks."""
    record = np.array([asked], dtype=np.int64)
    phases = np.array([0, 0, 0, 1], dtype=np.int64)
    marking = Marking(np.array([0b100], dtype=np.int64), phases, 0)  # a record that begins with its phase
    branching = SimpleNamespace(marking=marking, only_marked=only_marked)
    words = np.array([legal], dtype=np.int64)
    assert bool(plain(branch_kernel.of_interest)(record.ctypes.data, words, branching)) is wanted


def test_a_step_of_learning_is_the_slope_of_the_error() -> None:
    """Two of three actions are legal; the first stands for a thing of a group. Only differences of values count.

    With sums of squares of a million a step is a thousandth of the slope, which differences of the error tell.
    """
    rng = np.random.default_rng(3)
    v = value_kernel
    length, hidden, actions, channels = 4, v.HIDDEN, 3, 1
    names = ("input", "bias", "action", "out", "shift", "group")
    sizes = (length * hidden, hidden, actions * hidden, hidden, actions, 2 * channels * hidden)
    weights = {n: rng.normal(size=size).astype(np.float32) for n, size in zip(names, sizes, strict=True)}
    before = {n: w.astype(np.float64) for n, w in weights.items()}
    squares = {n: np.full(size, 1e6, dtype=np.float32) for n, size in zip(names, sizes, strict=True)}
    seen = np.array([1.0, 0.0, -2.0, 0.5], dtype=np.float32)
    state = (weights["bias"] + seen @ weights["input"].reshape(length, hidden)).astype(np.float32)
    scratch = {v.UNITS: np.zeros(hidden, np.float32), v.SLOPES: np.zeros(2 * hidden, np.float32)}
    features = np.array([0.5, 0.25], dtype=np.float32)
    values, rate, where = np.zeros(actions), np.ones(1), np.zeros(2, dtype=np.int64)
    net = np.zeros(v.FIRST_GROUP + v.PER_GROUP, dtype=np.int64)
    net[[v.LENGTH, v.ACTIONS, v.GROUPS]] = length, actions, 1
    for entry, name in zip((v.INPUT, v.BIAS, v.ACTION, v.OUT, v.SHIFT), names, strict=False):
        net[entry], net[entry + v.S_INPUT - v.INPUT] = weights[name].ctypes.data, squares[name].ctypes.data
    net[[v.SEEN, v.STATE, v.VALUES, v.RATE]] = [x.ctypes.data for x in (seen, state, values, rate)]
    for entry, array in scratch.items():
        net[entry] = array.ctypes.data
    at = v.FIRST_GROUP
    net[[at + v.ITEMS, at + v.START, at + v.CHANNELS, at + v.WHERE]] = 1, 0, channels, where.ctypes.data
    net[[at + v.WEIGHTS, at + v.S_WEIGHTS, at + v.FEATURES]] = [
        x.ctypes.data for x in (weights["group"], squares["group"], features)
    ]
    targets = np.array([2.0, 50.0, -1.0])  # the second is not legal

    def error(w: dict[str, np.ndarray]) -> float:
        base = w["bias"] + seen @ w["input"].reshape(length, hidden)
        found = []
        for action in (0, 2):
            units = base + w["action"].reshape(actions, hidden)[action]
            if action == 0:
                units = units + features @ w["group"].reshape(2 * channels, hidden)
            found.append(w["shift"][action] + np.maximum(units, 0) @ w["out"])
        gap = np.array(found) - targets[[0, 2]]
        return float(np.mean((gap - gap.mean()) ** 2))

    told = value_kernel.learn(net, np.array([0b101], dtype=np.int64), targets)
    assert told == pytest.approx(error(before), rel=1e-5)
    for name in names:
        slopes = np.zeros(len(before[name]))
        for i in range(len(slopes)):
            ends = []
            for step in (1e-5, -1e-5):
                moved = {n: w.copy() for n, w in before.items()}
                moved[name][i] += step
                ends.append(error(moved))
            slopes[i] = (ends[0] - ends[1]) / 2e-5 / 2  # the step follows half of the squares
        assert before[name] - weights[name] == pytest.approx(1e-3 * slopes, rel=0.01, abs=3e-5), name
    assert np.abs(before["out"] - weights["out"]).max() > 1e-3


# The policy


def guided(
    monkeypatch: pytest.MonkeyPatch, use: int, legal: int, base: int, scope: int = guided_kernel.NOWHERE,
    phase: int = 0,
) -> tuple[int, list[int]]:  # fmt: skip
    """What a guide answers where a baseline says `base`, and its row in the log; action 2 is marked, and phase 3."""
    arrays = {
        guided_kernel.LEGAL_AT: np.zeros(1, dtype=np.int64), guided_kernel.LEFT_AT: np.zeros(1, dtype=np.int64),
        guided_kernel.MARKED: np.array([0b100], dtype=np.int64), guided_kernel.PHASES: np.arange(64) // 3 % 2,
        guided_kernel.TUNING: np.zeros(3), guided_kernel.NET: np.zeros(64, dtype=np.int64),
    }  # fmt: skip
    rows = np.zeros((1, guided_kernel.ROW), dtype=np.int64)
    arrays[guided_kernel.LOG] = np.array([1, 0, rows.ctypes.data], dtype=np.int64)
    guide = np.zeros(guided_kernel.ENTRIES, dtype=np.int64)
    for entry, array in arrays.items():
        guide[entry] = array.ctypes.data
    guide[[guided_kernel.BASE, guided_kernel.USE, guided_kernel.SCOPE, guided_kernel.WORDS]] = 9, use, scope, 1

    def answer(k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        if k == 9:
            return base
        int64_at(out, 1)[0] = legal
        return 0

    monkeypatch.setattr(guided_kernel, "call_kernel", answer)
    monkeypatch.setattr(guided_kernel, "offers", plain(guided_kernel.offers))
    monkeypatch.setattr(guided_kernel, "lead_of", lambda *_, seat: 0.0)
    monkeypatch.setattr(guided_kernel, "base_action", plain(guided_kernel.base_action))
    monkeypatch.setattr(guided_kernel, "write_log", plain(guided_kernel.write_log))
    record, rng = np.array([phase], dtype=np.int64), np.array([5 + legal], dtype=np.uint64)
    found = guided_kernel.guided(guide.ctypes.data, record.ctypes.data, 0, 1, 1, rng.ctypes.data)
    return int(found), rows[0].tolist()


@pytest.mark.parametrize(
    ("use", "legal", "base", "answer"),
    [
        (guided_kernel.AS_IS, 0b101, 0, 0), (guided_kernel.ALWAYS, 0b101, 0, 2), (guided_kernel.NEVER, 0b101, 2, 0),
        (guided_kernel.NEVER, 0b100, 2, 2), (guided_kernel.NEVER, 0b011, 1, 1), (guided_kernel.ALWAYS, 0b011, 0, 0),
    ],
)  # fmt: skip
def test_a_way_of_using_an_action(
    use: int, legal: int, base: int, answer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always or never where there is a choice; what can be declined is free."""
    found, row = guided(monkeypatch, use, legal, base)
    offered = legal >> 2 & 1
    flags = guided_kernel.OFFERED * offered + guided_kernel.TAKEN * (answer == 2)
    flags += guided_kernel.FREE * (offered and legal != 0b100)
    assert found == answer and row == [1, answer, 0, flags, bin(legal).count("1"), 0]


@pytest.mark.parametrize("action", [0, 3, 17, 31, 32, 50, 63])
@pytest.mark.parametrize("marked", [True, False])
def test_a_row_of_the_log_tells_a_decision(action: int, marked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who chose which of how many legal actions, how far ahead it was, and whether the module has the action."""
    gk = guided_kernel
    legal, marks = np.array([0b1011, 0b1], np.int64), np.zeros(2, np.int64)
    for other in range(64):  # all actions but this one, or this one alone
        if (other == action) == marked:
            marks[other >> 5] |= 1 << (other & 31)
    rows, head = np.zeros((2, gk.ROW), np.int64), np.zeros(3, np.int64)
    head[gk.ROOM], head[gk.ROWS] = 2, 1000
    memory: dict[int, np.ndarray] = {1: legal, 2: marks, 3: head, 1000: rows[0], 1000 + 8 * gk.ROW: rows[1]}
    monkeypatch.setattr(gk, "int64_at", lambda at, n: memory[int(at)])
    monkeypatch.setattr(gk, "lead_of", lambda guide, k, s, p, seat: 0.25 * (seat + 1))
    monkeypatch.setattr(gk, "count_of", lambda words: sum(bin(int(word)).count("1") for word in words))
    guide = {gk.WORDS: 2, gk.LEGAL_AT: 1, gk.MARKED: 2, gk.LOG: 3}
    for seat in (1, 0, 1):
        plain(gk.write_log)(guide, None, None, None, seat, action, 7, 0)
    assert head[gk.USED] == 3, "what has no room is counted"
    for row, seat in zip(rows, (1, 0), strict=True):
        told = [int(row[at]) for at in (gk.R_SEAT, gk.R_ACTION, gk.R_PHASE, gk.R_LEGAL, gk.R_LEAD)]
        assert told == [seat, action, 7, 4, int(0.25 * (seat + 1) * gk.LEAD_UNIT)]
        assert row[gk.R_FLAGS] == gk.TAKEN * marked


def test_a_network_answers_where_the_module_has_a_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its action can be taken, and where it asks; everywhere if that is its scope."""
    monkeypatch.setattr(guided_kernel, "by_network", lambda *_, legal, **__: 2 if legal[0] & 0b100 else 1)
    whether, everywhere = guided_kernel.WHETHER, guided_kernel.EVERYWHERE
    asked = [(whether, 0b011, 0), (whether, 0b111, 0), (whether, 0b011, 3), (everywhere, 0b011, 0)]
    found = [guided(monkeypatch, guided_kernel.AS_IS, legal, 0, scope, phase)[0] for scope, legal, phase in asked]
    assert found == [0, 2, 1, 1]


def test_who_explores_stays_with_the_way_of_using(monkeypatch: pytest.MonkeyPatch) -> None:
    tuning, net = np.array([0.0, 1.0]), np.zeros(64, dtype=np.int64)
    guide = np.zeros(guided_kernel.ENTRIES, dtype=np.int64)
    guide[guided_kernel.TUNING], guide[guided_kernel.NET] = tuning.ctypes.data, net.ctypes.data
    legal, left = np.array([0b111], dtype=np.int64), np.array([0b011], dtype=np.int64)
    rng = np.array([3], dtype=np.uint64)
    explore = plain(guided_kernel.by_network)
    found = {int(explore(guide, 0, 0, 0, seat=0, legal=legal, left=left, rng=rng)) for _ in range(40)}
    assert found == {0, 1}


# Branches of a game of two seats whose record holds the phase and what each has chosen


class Toy:
    """Rules of one or more decisions; `asked` and `legal` by turn; what is entered is written into the record."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, asked: list[int], legal: list[int]) -> None:
        self.asked, self.legal, self.turn = asked, legal, 0
        self.record, self.twin = np.zeros(3, dtype=np.int64), np.zeros(24, dtype=np.uint8)
        zeros = lambda n, kind: np.zeros(n, dtype=kind)  # noqa: E731
        self.space = Space(
            self.record.view(np.uint8), self.twin, zeros(1, np.int64), zeros(1, np.int64), zeros(2, np.int64),
            zeros(2, np.int64), zeros(1, np.uint64), zeros(1, np.uint64), zeros(2, np.int32), zeros(2, np.int32),
            zeros(2, np.int8), zeros(2, np.int64), np.zeros(64), np.zeros(8), np.zeros(8), zeros(2, np.int64),
            zeros(1, np.int64),
        )  # fmt: skip
        self.cast = Cast(zeros(3, np.int64), np.arange(3), zeros(3, np.uint64), np.array([0, 1]))
        self.marking = Marking(np.array([0b100], dtype=np.int64), np.array([0, 0, 0, 1], dtype=np.int64), 0)
        self.ends: list[tuple[list[int], int, int, list[int]]] = []
        self.settled: list[tuple[list[int], list[int], int]] = []
        monkeypatch.setattr(branch_kernel, "call_kernel", self.call)
        monkeypatch.setattr(branch_kernel, "copy_bytes", lambda to, s, n: ctypes.memmove(int(to), int(s), int(n)))
        monkeypatch.setattr(branch_kernel, "play_on", self.play_on)
        monkeypatch.setattr(branch_kernel, "start_table", lambda *_, rng: self.record.fill(0))
        monkeypatch.setattr(branch_kernel, "margin", self.margin)
        monkeypatch.setattr(branch_kernel, "settle", self.settle)
        for name in (
            "branch", "enter", "gain_of", "answers_of", "of_interest", "has_a_say", "is_marked", "phase_of",
            "keep", "number_alike", "offers", "paid_to", "reread", "spared",
        ):  # fmt: skip
            monkeypatch.setattr(branch_kernel, name, plain(getattr(branch_kernel, name)))

    def at(self, s: int) -> np.ndarray:
        return int64_at(int(s), 3)

    def margin(self, k: int, p: int, s: int, payoff: np.ndarray, **_: Any) -> float:
        payoff[:2] = 3.0 * self.at(s)[1:]
        return 10.0 * self.at(s)[1] + self.at(s)[2]

    def call(self, k: int, op: int, s: int, p: int, a: int, b: int, out: int) -> int:
        if op == TO_ACT:
            return self.asked[self.turn] if self.turn < len(self.asked) else 0
        if op == LEGAL:
            int64_at(int(out), 1)[0] = self.legal[self.turn]
        elif op == APPLY:
            self.at(s)[1 + a] = b
        elif op == ROLL and s == self.record.ctypes.data:
            self.turn += 1
        return 1

    def settle(self, k: int, p: int, space: Any, cast: Any, seating: Any, first: int, marking: Any, table: int) -> None:
        """Nothing further is asked; who would answer, and what was entered before, is noted."""
        self.settled.append((space.twin.view(np.int64).tolist(), seating.tolist(), first))

    def play_on(self, k: int, p: int, s: int, agents: Any, sheet: Any, table: int, rng: Any, desk: Any) -> int:
        self.ends.append((self.at(s).tolist(), int(table), int(rng[0]), sheet[1].tolist()))
        return 1


SEATING = np.array([0, 1], dtype=np.int64)
FORGETS = Memory(np.zeros((0, 1), np.float32), np.zeros((0, 1), np.int64), np.zeros((0, 8)), 0, 0)


def test_every_action_is_tried_with_the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions 1 and 2 of seat 0 beside the 7 of seat 1, two ends each: their mean; both decisions are counted."""
    toy = Toy(monkeypatch, [0b11], [0b110])
    toy.space.words[0], toy.space.chosen[:] = 0b110, [5, 7]
    fork = Fork(SEATING, toy.record.ctypes.data, 0, 0b11)
    nothing = Branching(Marking(np.zeros(1, np.int64), np.zeros(4, np.int64), 0), False, 1.0, 2, -1)
    assert branch_kernel.branch(0, 0, toy.space, toy.cast, fork=fork, branching=nothing, seed=4) == 0
    assert toy.space.values[1:3].tolist() == [17.0, 27.0] and toy.record.tolist() == [0, 0, 0]
    assert [(record, kept) for record, _, _, kept in toy.ends] == [([0, a, 7], [1, 1]) for a in (1, 2, 1, 2)]
    tables, dice = ([end[at] for end in toy.ends] for at in (1, 2))
    assert tables == dice and dice[0] == dice[1] != dice[2] == dice[3] and not toy.settled


def test_where_the_module_has_a_say_later_decisions_are_numbered_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the question is settled by whoever plays, from a number that no decision before it has had."""
    toy = Toy(monkeypatch, [0b11], [0b110])
    toy.space.words[0], toy.space.chosen[:], toy.space.taken[:] = 0b110, [5, 7], [3, 4]
    fork, branching = Fork(SEATING, toy.record.ctypes.data, 0, 0b11), Branching(toy.marking, False, 1.0, 1, -1)
    assert branch_kernel.branch(0, 0, toy.space, toy.cast, fork=fork, branching=branching, seed=4) == 0
    assert toy.settled == [([0, 1, 7], [0, 1], 0), ([0, 2, 7], [0, 1], 0)]
    later = 2 * branch_kernel.SETTLING
    assert [kept for *_, kept in toy.ends] == [[3 + later, 4 + later]] * 2


def test_a_use_is_compared_with_leaving_it_as_long_as_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use 2 against 1, each with the 7 of seat 1: 27 - 17; who left it goes on leaving it, as its twin number 2."""
    toy = Toy(monkeypatch, [0b11], [0b110])
    toy.space.chosen[:], toy.record[0] = [5, 7], 3
    fork = Fork(SEATING, toy.record.ctypes.data, 0, 0b11)
    keep = np.full(24, 255, dtype=np.uint8)
    trial = Trial(toy.marking, np.array([[1, 2], [1, 0]], dtype=np.int64), keep, 3, 1.0)
    assert branch_kernel.gain_of(0, 0, toy.space, toy.cast, fork=fork, trial=trial, ways=(2, 1), seed=4) == 0
    assert toy.space.total[0] == pytest.approx(10.0)
    assert toy.space.total[1] == pytest.approx(3.0)
    assert toy.settled == [([3, 2, 7], [0, 1], 3), ([3, 1, 7], [2, 1], 3)] * 3
    toy.settled.clear()

    def effect(*given: Any, **named: Any) -> bool:
        with np.errstate(over="ignore"):  # of hashes, which wrap around when it is compiled
            return bool(plain(branch_kernel.has_effect)(*given, **named))

    assert effect(0, 0, toy.space, toy.cast, fork=fork, trial=trial, ways=(2, 1), seed=4)
    assert [seating for _, seating, _ in toy.settled] == [[2, 0]] * 2, "nobody uses it on the way"
    assert not effect(0, 0, toy.space, toy.cast, fork=fork, trial=trial, ways=(1, 1), seed=4)
    keep[8:16] = 0  # what the seat itself has chosen counts for nothing
    assert not effect(0, 0, toy.space, toy.cast, fork=fork, trial=trial, ways=(2, 1), seed=4)


def sample(games: int = 1) -> Sample:
    seeds = np.arange(1, games + 1, dtype=np.uint64)
    return Sample(np.tile(SEATING, (games, 1)), np.array([1, 0]), seeds.copy(), seeds.copy(), seeds.copy())


@pytest.mark.parametrize("share", [1.0, 0.0])
def test_uses_are_measured_where_they_can_be_declined(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three decisions of seat 0 the first offers nothing and the last nothing else; seat 1 is not watched."""
    toy = Toy(monkeypatch, [0b1, 0b10, 0b1, 0b1], [0b011, 0b111, 0b111, 0b100])

    def answers(*_: Any, seating: Any, s: int, asked: int, table: int) -> bool:
        toy.space.chosen[:] = toy.turn % 2
        return True

    def gain(k: int, p: int, space: Any, cast: Any, fork: Any, trial: Any, ways: Any, seed: int) -> int:
        space.total[:2] = 100 * ways[0] + ways[1], 7.0
        return 0

    monkeypatch.setattr(branch_kernel, "answers_of", answers)
    monkeypatch.setattr(branch_kernel, "gain_of", gain)
    monkeypatch.setattr(branch_kernel, "has_effect", lambda *_, **__: 1)
    monkeypatch.setattr(branch_kernel, "copy_observation", lambda *_, **__: None)
    monkeypatch.setattr(branch_kernel, "twin_answer", lambda *_, agent, s, seat, table: {1: 2, 2: 1}[agent])
    found = UseRows(np.zeros((5, 7), dtype=np.int64), np.zeros((5, 3)), np.zeros((5, 0), dtype=np.float32))
    twins = np.array([[1, 2], [1, 2]], dtype=np.int64)
    trial = Trial(toy.marking, twins, np.full(24, 255, dtype=np.uint8), 1, share)
    count = plain(branch_kernel.sample_uses)(0, 0, toy.space, toy.cast, trial, sample(), found)
    assert count == share
    if not share:
        return
    assert found.facts[0].tolist() == [0, 2, 0, 0, 2, 0, 1]
    assert found.worth[0].tolist() == [201.0, 10.0 * 0 + 1, 7.0]  # the lead before: 0 of seat 0, 1 of seat 1


@pytest.mark.parametrize(("share", "rows"), [(1.0, 2), (0.0, 0)])
def test_decisions_are_branched_by_their_share(share: float, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the decisions of seat 0 those with a choice, and where they stand in the game."""
    toy = Toy(monkeypatch, [0b1, 0b10, 0b1, 0b1], [0b011, 0b011, 0b010, 0b110])
    monkeypatch.setattr(branch_kernel, "answers_of", lambda *_, **__: True)
    found = BranchRows(np.zeros((5, 5), dtype=np.int64), np.zeros((5, 3)), np.zeros((5, 0), dtype=np.float32))
    branching = Branching(toy.marking, False, share, 1, -1)
    assert plain(branch_kernel.sample_branches)(0, 0, toy.space, toy.cast, branching, sample(), found) == rows
    assert found.facts[:rows, :3].tolist() == [[0, 0, 0], [0, 3, 0]][:rows]
    if rows:
        assert found.values[:2].tolist() == pytest.approx(np.array([[0, 10, np.nan], [np.nan, 10, 20]]), nan_ok=True)


def test_a_course_teaches_what_branches_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """In units of the scale, at the seats that learn, with steps from the first rate to the last."""
    toy, lessons = Toy(monkeypatch, [0b11], [0b110]), list[Any]()
    rate, net = np.zeros(1), np.zeros(64, dtype=np.int64)
    net[value_kernel.RATE] = rate.ctypes.data

    def learn(net: Any, words: Any, targets: np.ndarray) -> float:
        lessons.append((float(rate[0]), int(words[0]), targets[1:3].tolist()))
        return 0.5

    monkeypatch.setattr(branch_kernel, "answers_of", lambda *_, **__: True)
    monkeypatch.setattr(branch_kernel, "look", lambda *_, **__: None)
    monkeypatch.setattr(branch_kernel, "learn", learn)
    monkeypatch.setattr(branch_kernel, "start_table", lambda *_, rng: setattr(toy, "turn", 0))
    seatings = np.array([[[0, 1]]], dtype=np.int64)
    tables = Tables(np.zeros(1, dtype=np.int64), np.ones(1), seatings, np.array([[[1, 0]]], dtype=np.int64))
    course = Course(2, 4.0, np.array([0.5, 0.25]), np.array([9], dtype=np.uint64), np.inf, FORGETS)
    found = np.zeros(4)
    toy.space.chosen[:] = [5, 6]
    none, every = (Branching(toy.marking, False, share, 1, -1) for share in (0.0, 1.0))
    plain(branch_kernel.improve)(0, toy.space, toy.cast, tables, none, course, net, found)
    assert not lessons and found.tolist() == [0, 0, 2, 0]
    found[:] = 0
    plain(branch_kernel.improve)(0, toy.space, toy.cast, tables, every, course, net, found)
    assert lessons[0] == (0.5, 0b110, [4.0, 6.5]) and lessons[1][0] == 0.375
    assert found.tolist() == [2, 1.0, 2, 0]


@pytest.mark.parametrize(("again", "turns", "gone_through"), [(5, 20, 2), (40, 3, 3), (0, 20, 1)])
def test_the_last_decisions_are_learned_from_again(
    again: int, turns: int, gone_through: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three decisions, room for two: the last ones are gone through as often as it takes, each once a time."""
    toy, lessons = Toy(monkeypatch, [0b11], [0b110]), list[tuple[float, float, list[float]]]()
    net, rate, seen = np.zeros(64, dtype=np.int64), np.zeros(1), np.zeros(1, dtype=np.float32)
    net[value_kernel.LENGTH], net[value_kernel.SEEN] = 1, seen.ctypes.data
    net[value_kernel.RATE] = rate.ctypes.data

    def look(*_: Any, **__: Any) -> None:
        seen[0] += 1.0

    def look_back(net: Any, kept: np.ndarray, words: np.ndarray) -> None:
        assert words.tolist() == [0b110]
        seen[0] = kept[0]

    def learn(net: Any, words: Any, targets: np.ndarray) -> float:
        lessons.append((float(rate[0]), float(seen[0]), targets[1:3].tolist()))
        return 0.5

    monkeypatch.setattr(branch_kernel, "answers_of", lambda *_, **__: True)
    monkeypatch.setattr(branch_kernel, "look", look)
    monkeypatch.setattr(memory_kernel, "look_back", look_back)
    for kernel in (branch_kernel, memory_kernel):
        monkeypatch.setattr(kernel, "learn", learn)
    monkeypatch.setattr(branch_kernel, "start_table", lambda *_, rng: setattr(toy, "turn", 0))
    tables = Tables(np.zeros(1, np.int64), np.ones(1), SEATING[None, None], np.array([[[1, 0]]], dtype=np.int64))
    room = np.zeros((2, len(toy.space.total)))
    memory = Memory(np.zeros((2, 1), np.float32), np.zeros((2, 1), np.int64), room, again, turns)
    course = Course(3, 4.0, np.array([0.5, 0.25]), np.array([9], dtype=np.uint64), np.inf, memory)
    found = np.zeros(4)
    toy.space.chosen[:] = [5, 6]
    branching = Branching(toy.marking, False, 1.0, 1, -1)
    plain(branch_kernel.improve)(0, toy.space, toy.cast, tables, branching, course, net, found)
    assert [what for _, what, _ in lessons[:3]] == [1.0, 2.0, 3.0] and found[0] == 3
    later = lessons[3:]
    assert len(later) == 2 * gone_through and later[-1][0] == 0.25
    for turn in range(gone_through):
        assert sorted(what for _, what, _ in later[2 * turn : 2 * turn + 2]) == [2.0, 3.0]
    assert all(targets == [4.0, 6.5] for *_, targets in later)


@pytest.mark.parametrize(
    ("work", "branched", "games", "spent"), [(np.inf, 4, 4, 24), (12.0, 2, 3, 12), (1.0, 1, 1, 6), (24.0, 4, 4, 24)]
)
def test_a_course_takes_no_more_than_its_work(
    work: float, branched: int, games: int, spent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games with one decision of two actions, each of whose continuations takes 3 decisions: 6 if it is branched.

    With 12 for 4 games all is branched in the first. The 6 that are left are for three games of 6: a third, and 0.5 is
    drawn. They are for two then, of which 6 / (1 + 1/3) is what a whole share is taken to cost: two thirds, and the
    third game is branched. Nothing is left for the last one.
    """
    toy = Toy(monkeypatch, [0b11], [0b110])
    rate, net = np.zeros(1), np.zeros(64, dtype=np.int64)
    net[value_kernel.RATE] = rate.ctypes.data

    def play_on(*_: Any, sheet: Any, **__: Any) -> int:
        sheet[1][:] += (1, 2)
        return 1

    monkeypatch.setattr(branch_kernel, "play_on", play_on)
    monkeypatch.setattr(branch_kernel, "answers_of", lambda *_, **__: True)
    monkeypatch.setattr(branch_kernel, "look", lambda *_, **__: None)
    monkeypatch.setattr(branch_kernel, "learn", lambda *_: 0.0)
    monkeypatch.setattr(branch_kernel, "rand_float", lambda rng: 0.5)
    monkeypatch.setattr(branch_kernel, "start_table", lambda *_, rng: setattr(toy, "turn", 0))
    tables = Tables(np.zeros(1, np.int64), np.ones(1), SEATING[None, None], np.array([[[1, 0]]], dtype=np.int64))
    course = Course(4, 1.0, np.array([0.5, 0.25]), np.array([9], dtype=np.uint64), work, FORGETS)
    found = np.zeros(4)
    toy.space.chosen[:] = [5, 6]
    toy.space.spent[0] = 100  # of an earlier course
    branching = Branching(toy.marking, False, 1.0, 1, -1)
    plain(branch_kernel.improve)(0, toy.space, toy.cast, tables, branching, course, net, found)
    assert (found[0], found[2], toy.space.spent[0]) == (branched, games, spent)


@pytest.mark.parametrize(
    ("legal", "answer", "tried", "taught"),
    [
        (0b1110, 3, [2, 3], {1: 36.0, 2: 26.0, 3: 36.0}),
        (0b1110, -1, [1, 2, 3], {1: 16.0, 2: 26.0, 3: 36.0}),
        (0b1110, 2, [1, 2, 3], {1: 16.0, 2: 26.0, 3: 36.0}),
        (0b1010, 3, [1, 3], {1: 16.0, 3: 36.0}),
    ],
)
def test_what_is_done_without_the_module_is_tried_once(
    legal: int, answer: int, tried: list[int], taught: dict[int, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 1 and 3 beside the module's 2 that which the leaver would do, for both; all, where there is nothing to leave.

    Nor is what the leaver says believed where that is not legal, or the module's.
    """
    toy, lessons = Toy(monkeypatch, [0b11], [legal]), list[dict[int, float]]()
    net = np.zeros(64, dtype=np.int64)
    rate = np.zeros(1)
    net[value_kernel.RATE] = rate.ctypes.data

    def learn(net: Any, words: Any, targets: np.ndarray) -> float:
        lessons.append({action: float(targets[action]) for action in range(8) if int(words[0]) >> action & 1})
        return 0.0

    def twin(*_: Any, agent: int, **__: Any) -> int:
        assert agent == 2
        return answer

    monkeypatch.setattr(branch_kernel, "answers_of", lambda *_, **__: True)
    monkeypatch.setattr(branch_kernel, "look", lambda *_, **__: None)
    monkeypatch.setattr(branch_kernel, "learn", learn)
    monkeypatch.setattr(branch_kernel, "twin_answer", twin)
    toy.space.chosen[:] = [5, 6]
    tables = Tables(np.zeros(1, np.int64), np.ones(1), SEATING[None, None], np.array([[[1, 0]]], dtype=np.int64))
    course = Course(1, 1.0, np.array([0.5, 0.25]), np.array([9], dtype=np.uint64), np.inf, FORGETS)
    branching = Branching(toy.marking, True, 1.0, 1, 2)
    plain(branch_kernel.improve)(0, toy.space, toy.cast, tables, branching, course, net, np.zeros(4))
    assert [record[1] for record, *_ in toy.ends] == (tried if legal & 0b100 else [])
    assert lessons == ([taught] if legal & 0b100 else [])
