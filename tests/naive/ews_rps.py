"""The ews_rps oracle: the rules once more in plain Python, by names instead of numbers, and odds by enumeration."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
DEFAULTS: dict[str, Any] = {
    "procedure": "rps",
    "bonus_step": 3,
    "max_rounds": 20,
    "shortfall_rounding": "up",
    "contest_loser_malus": False,
    "contest_tie": "attacker",
    "early_stop": False,
    "roles": "alternate",
    "gm_policy": "adversary",
    "pm_reroll_limit": None,
    "may_decline": False,
    "payoff": "pass",
    "margin_clip": 12,
    "win_points": 1,
    "loss_points": 1,
}


def result_of(mine: str, theirs: str) -> str:
    """R5."""
    if mine == theirs:
        return "draw"
    return "win" if BEATS[mine] == theirs else "loss"


class Streak:
    """The rounds of one test or contest, R6-R8 and R12."""

    def __init__(self, test: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self.test, self.options = test, options
        self.results: list[str] = []
        self.ended_by: str | None = None

    @property
    def counted(self) -> list[str]:
        """The rounds of the streak, without the one that ended it."""
        if not self.results or self.results[0] == "draw":
            return []
        return [r for i, r in enumerate(self.results) if all(x == self.results[0] for x in self.results[: i + 1])]

    @property
    def net(self) -> int:
        """Wins minus losses."""
        return self.counted.count("win") - self.counted.count("loss")

    def bonuses(self, net: int | None = None) -> tuple[int, int]:
        """Bonuses of the acting side and of the other one."""
        net = self.net if net is None else net
        step = self.options["bonus_step"]
        if self.test["kind"] == "simple":
            return step * net, 0
        winner, loser = step * abs(net), -step * abs(net) if self.options["contest_loser_malus"] else 0
        return (winner, loser) if net > 0 else (loser, winner)

    def verdict(self, net: int | None = None) -> str:
        """R9, R13, A1, A3: what the test would be worth with this net."""
        net = self.net if net is None else net
        if self.options["shortfall_rounding"] == "down":
            per_round = self.options["bonus_step"]
            if self.test["kind"] == "contest" and self.options["contest_loser_malus"]:
                per_round *= 2
            return "success" if net >= math.floor(Fraction(difference(self.test), per_round)) else "failure"
        ours, theirs = self.bonuses(net)
        return compare(self.test, ours, theirs, self.options)

    def settled(self) -> bool:
        """A5, by looking ahead: whatever lengthens the streak further, the verdict stays."""
        if not self.net:
            return False
        further = [self.net + math.copysign(k, self.net) for k in range(0, 120)]
        return len({self.verdict(int(net)) for net in further}) == 1

    def show(self, result: str) -> None:
        """One more round."""
        going_on = result != "draw" and (not self.results or result == self.results[0])
        self.results.append(result)
        if not going_on:
            self.ended_by = "draw" if result == "draw" else "luck_turned"
        elif len(self.results) >= self.options["max_rounds"]:
            self.ended_by = "max_rounds"
        elif self.options["early_stop"] and self.settled():
            self.ended_by = "decided"


def numbers(test: Mapping[str, Any]) -> tuple[int, int]:
    """Value and target, or the two values."""
    if test["kind"] == "simple":
        return test["value"], test["target"]
    return test["attacker_value"], test["defender_value"]


def difference(test: Mapping[str, Any]) -> int:
    """R3."""
    mine, theirs = numbers(test)
    return theirs - mine


def compare(test: Mapping[str, Any], ours: int, theirs: int, options: Mapping[str, Any]) -> str:
    """R9, R13, R19: success, failure or draw with these bonuses."""
    mine, other = numbers(test)
    left, right = mine + ours, other + theirs
    if left != right or test["kind"] == "simple":
        return "success" if left >= right else "failure"
    return {"attacker": "success", "defender": "failure", "draw": "draw"}[options["contest_tie"]]


def die_value(dice: list[int], limit: int | None) -> int | None:
    """R17, R18: what a chain of dice is worth; None while it goes on."""
    values = [face if face % 2 == 0 else -face for face in dice]
    if dice[0] < 5:
        return values[0]
    total, rolls = values[0], 0
    for face, value in zip(dice[1:], values[1:]):
        if rolls == limit:
            break
        rolls += 1
        if face != dice[0]:
            return total
        total += value
    return total if rolls == limit else None


class NaiveEwsRps:
    """A match: `pending` says what is due, `fall` and `act` answer it."""

    def __init__(self, tests: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> None:
        self.tests, self.options = tests, {**DEFAULTS, **options}
        self.results: list[dict[str, Any]] = []
        self.rounds: list[tuple[str, str]] = []  # symbols of seats 0 and 1
        self.about: list[tuple[bool, bool]] = []  # of each round: whether the first of its test, and decided before it
        self._script = self._play()
        self._request: tuple[str, Any] = ("over", None)
        self._advance(None)

    def _advance(self, answer: Any) -> None:
        try:
            self._request = self._script.send(answer)
        except StopIteration:
            self._request = ("over", None)

    def pending(self) -> tuple[str, Any]:
        """("decide", {seat: actions}), ("die", faces) or ("over", None)."""
        return self._request

    def fall(self, outcome: int) -> None:
        """A die falls, 0..faces-1."""
        self._advance(outcome)

    def act(self, seat: int, action: str) -> None:
        """A seat acts."""
        if action not in self._request[1][seat]:
            raise ValueError(f"{action} of {self._request[1][seat]}")
        self._advance((seat, action))

    def seat_of(self, index: int) -> int:
        """A4: who acts in test number `index`."""
        test = self.tests[index]
        if "acting_seat" in test:
            return test["acting_seat"]
        if test["kind"] == "simple" or self.options["roles"] == "fixed":
            return 0
        return index % 2

    def _play(self) -> Generator[Any, Any, None]:
        for index, test in enumerate(self.tests):
            yield from self._one(index, test)

    def _one(self, index: int, test: Mapping[str, Any]) -> Any:
        options, acting = self.options, self.seat_of(index)
        by_die = options["procedure"] == "pm_d6"
        absent = options["gm_policy"] == "uniform"
        if (options["may_decline"] or by_die) and not (absent and acting == 1):
            choices = ["attempt", "decline"] if options["may_decline"] else ["attempt"]
            _, choice = yield "decide", {acting: choices}
            if choice == "decline":
                self._close(index, "declined", 0, 0, 0, 0, "declined")
                return
        if by_die:
            own = yield from self._roll()
            other = (yield from self._roll()) if test["kind"] == "contest" else 0
            self._close(index, compare(test, own, other, options), own, other, 0, 0, "rolled")
            return
        streak = Streak(test, options)
        while streak.ended_by is None:
            symbols: dict[int, str] = {}
            owing = [0] if absent else [0, 1]
            while owing:
                seat, symbols_of_seat = yield "decide", {s: ["rock", "paper", "scissors"] for s in owing}
                symbols[seat] = symbols_of_seat
                owing.remove(seat)
            if absent:
                symbols[1] = ["rock", "paper", "scissors"][(yield "die", 3)]
            self.rounds.append((symbols[0], symbols[1]))
            self.about.append((not streak.results, streak.settled()))
            streak.show(result_of(symbols[acting], symbols[1 - acting]))
        own, other = streak.bonuses()
        self._close(index, streak.verdict(), own, other, streak.net, len(streak.results), streak.ended_by)

    def _roll(self) -> Any:
        dice: list[int] = []
        while True:
            dice.append((yield "die", 6) + 1)
            value = die_value(dice, self.options["pm_reroll_limit"])
            if value is not None:
                return value

    def _close(self, index: int, verdict: str, own: int, other: int, net: int, rounds: int, ended_by: str) -> None:
        test, options = self.tests[index], self.options
        mine, theirs = numbers(test)
        margin = mine + own - theirs - other
        names = {"success": ("passed", "attacker"), "failure": ("failed", "defender")}
        shown = names[verdict][test["kind"] == "contest"] if verdict in names else verdict
        clip = options["margin_clip"]
        if verdict == "declined":
            value = Fraction(0)
        elif options["payoff"] == "margin":
            value = Fraction(min(clip, max(-clip, margin)), clip)
        else:
            stakes = options["payoff"] == "stakes"
            gains = {
                "success": test.get("win_points", options["win_points"]) if stakes else 1,
                "failure": -test.get("loss_points", options["loss_points"]) if stakes else -1,
                "draw": 0,
            }
            value = Fraction(gains[verdict])
        self.results.append(
            {
                "verdict": shown, "own_bonus": own, "other_bonus": other, "margin": margin, "net": net,
                "rounds": rounds, "ended_by": ended_by, "seat0": value if self.seat_of(index) == 0 else -value,
            }
        )  # fmt: skip

    def history(self, seat: int, window: int) -> list[list[int]]:
        """Section 4, `history`: the latest rounds, newest first, as a seat sees them."""
        rows = []
        for both, (first, decided) in reversed([*zip(self.rounds, self.about)]):
            mine, theirs = both[seat], both[1 - seat]
            symbols = [int(symbol == shown) for shown in (mine, theirs) for symbol in BEATS]
            results = [int(result_of(mine, theirs) == name) for name in ("win", "draw", "loss")]
            rows.append([*symbols, *results, int(first), int(decided)])
        return rows[:window]

    def shares(self, seat: int) -> list[float]:
        """Section 4, `counts`: symbols of the other and own ones, and the other's by the one that it showed before."""
        theirs, mine = ([both[who] for both in self.rounds] for who in (1 - seat, seat))
        out = [shown.count(symbol) / max(1, len(shown)) for shown in (theirs, mine) for symbol in BEATS]
        for before in BEATS:
            after = [then for last, then in pairwise(theirs) if last == before]
            out += [after.count(symbol) / max(1, len(after)) for symbol in BEATS]
        return out

    @property
    def utility(self) -> Fraction:
        """Seat 0's mean utility."""
        return Fraction(sum((r["seat0"] for r in self.results), Fraction(0))) / len(self.tests)


def enumerate_streaks(test: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[tuple[Fraction, Streak]]:
    """All ways in which a test can run under uniform play, with their chances."""
    full = {**DEFAULTS, **options}
    open_: list[tuple[Fraction, tuple[str, ...]]] = [(Fraction(1), ())]
    while open_:
        chance, results = open_.pop()
        for result in ("win", "draw", "loss"):
            streak = Streak(test, full)
            for earlier in (*results, result):
                streak.show(earlier)
            if streak.ended_by:
                yield chance / 3, streak
            else:
                open_.append((chance / 3, (*results, result)))


def enumerate_rolls(limit: int | None, depth: int = 12) -> Iterator[tuple[Fraction, int]]:
    """Totals of the comparison die with their chances; unlimited chains are cut off after `depth` dice."""
    open_: list[list[int]] = [[]]
    while open_:
        dice = open_.pop()
        for face in range(1, 7):
            value = die_value([*dice, face], limit)
            if value is not None:
                yield Fraction(1, 6 ** (len(dice) + 1)), value
            elif len(dice) < depth:
                open_.append([*dice, face])
