"""Exact odds under uniform play, in fractions (section 7): both procedures, all options of the rules.

Uniform play of either side makes every round a win, a draw or a loss with 1/3 each, whatever the other side does; so
these are also the values of optimal play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..core.checks import fail
from .params import NUMBERS, entries, need, points, unit

THIRD, SIXTH = Fraction(1, 3), Fraction(1, 6)
FACES: tuple[int, ...] = (-1, 2, -3, 4)  # of the comparison die, without the extremes -5 and 6 (R17)


@dataclass(frozen=True)
class Ending:
    """One way in which a test can end: its chance, net wins, rounds, and whether the side succeeds or draws."""

    chance: Fraction
    net: int
    rounds: int
    success: bool
    equal: bool


@dataclass(frozen=True)
class Chances:
    """Chances of one round for the acting side, while it wants wins (`win`) and while it wants no losses (`loss`).

    `win` is the chance that a winning streak begins or goes on, `loss` that of a losing one.
    """

    win: Fraction = THIRD
    loss: Fraction = THIRD


# --- rounds -----------------------------------------------------------------------------------------------------------


def endings(kind: str, difference: int, options: Mapping[str, Any], chances: Chances | None = None) -> list[Ending]:
    """All ways in which a test by rounds can end (R5-R8, R12, R20, A5), with their chances."""
    chances = chances or Chances()
    k, u, cap = need(kind, difference, options), unit(kind, options), options["max_rounds"]
    draws = kind == "contest" and options["contest_tie"] == "draw"

    def equal(net: int) -> bool:
        return draws and u * net == difference

    def ended(chance: Fraction, net: int, rounds: int) -> Ending:
        return Ending(chance, net, rounds, net >= k, equal(net))

    out = [ended(1 - chances.win - chances.loss, 0, 1)]
    for sign, again in ((1, chances.win), (-1, chances.loss)):
        chance = again
        for rounds in range(1, cap + 1):
            net = sign * rounds
            settled = net >= k if sign > 0 else net < k and not equal(net)
            if rounds == cap or (options["early_stop"] and settled):
                out.append(ended(chance, net, rounds))
                break
            out.append(ended(chance * (1 - again), net, rounds + 1))
            chance *= again
    return out


def success(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Chance of success by rounds, both sides (or one of them) being uniform."""
    return Fraction(sum(e.chance for e in endings(kind, difference, options) if e.success))


def success_from(kind: str, difference: int, options: Mapping[str, Any], net: int) -> Fraction:
    """Chance of success by rounds once a streak of `net` wins (negative: losses) is under way; 0: before the first."""
    if net == 0:
        return success(kind, difference, options)
    left = [e for e in endings(kind, difference, options) if e.net * net > 0 and e.rounds > abs(net)]
    return sum((e.chance for e in left if e.success), Fraction(0)) / sum(e.chance for e in left)


def equality(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Chance of equal totals by rounds; 0 unless contest_tie is draw (contests only)."""
    return Fraction(sum(e.chance for e in endings(kind, difference, options) if e.equal))


def mean_rounds(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Mean number of rounds of a test."""
    return Fraction(sum(e.chance * e.rounds for e in endings(kind, difference, options)))


def best_response(kind: str, difference: int, options: Mapping[str, Any], weights: Sequence[Fraction]) -> Fraction:
    """Chance of success of the best reply to symbols drawn independently by `weights` (rock, paper, scissors)."""
    if need(kind, difference, options) > 0:  # only wins help: the same symbol every round
        win = max(weights[(symbol - 1) % 3] for symbol in range(3))
        return Fraction(sum(e.chance for e in endings(kind, difference, options, Chances(win, 1 - win)) if e.success))
    loss = min(weights[(symbol + 1) % 3] for symbol in range(3))
    return Fraction(sum(e.chance for e in endings(kind, difference, options, Chances(1 - loss, loss)) if e.success))


# --- the comparison die -----------------------------------------------------------------------------------------------


class Die:
    """The plus/minus die (R17, R18): exact chances of one roll, and of the difference of two."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit

    def chain(self, length: int) -> Fraction:
        """Chance that an extreme is added exactly `length` times, 1 or more, of one of the two."""
        if self.limit is not None and length > self.limit:
            return SIXTH**length if length == self.limit + 1 else Fraction(0)
        return SIXTH**length * Fraction(5, 6)

    def longest(self, past: int) -> int:
        """A chain length beyond which only geometric tails remain: at least `past`, or the longest one that exists."""
        return past if self.limit is None else self.limit + 1

    def outcomes(self, longest: int) -> dict[int, Fraction]:
        """Chances of all totals with chains of at most `longest`."""
        out = dict.fromkeys(FACES, SIXTH)
        for length in range(1, longest + 1):
            out[-5 * length] = out[6 * length] = self.chain(length)
        return out

    def at_least(self, d: int) -> Fraction:
        """P(roll >= d)."""
        if self.limit is not None:
            return Fraction(sum(chance for total, chance in self.outcomes(self.limit + 1).items() if total >= d))
        if d > 4:
            return SIXTH ** -(-d // 6)
        if d <= -5:  # only further fives in a row fall short of it
            return 1 - SIXTH ** ((-d) // 5 + 1)
        # what is left are the six faces, for a chain only makes an extreme more extreme
        return Fraction(sum(face >= d for face in (*FACES, -5, 6)), 6)

    def difference_at_least(self, d: int) -> Fraction:
        """P(X - Y >= d) for two independent rolls."""
        if self.limit is not None:
            own = self.outcomes(self.limit + 1).items()
            return Fraction(sum(chance * self.at_least(total + d) for total, chance in own))
        # Beyond chains of n, P(X >= Y + d) is a plain power for every further one of Y: the tails are geometric.
        n = abs(d) // 5 + 3
        total = Fraction(sum(chance * self.at_least(y + d) for y, chance in self.outcomes(n).items()))
        up = self.chain(n + 1) * self.at_least(6 * (n + 1) + d)  # each further six: 1/6 as likely, reached 1/6 as often
        total += up / (1 - SIXTH**2)
        down = self.chain(n + 1) / (1 - SIXTH)
        short = self.chain(n + 1) * (1 - self.at_least(-5 * (n + 1) + d))
        return total + down - short / (1 - SIXTH**2)

    def mean(self) -> Fraction:
        """Mean of a roll."""
        return self._moment(lambda total: Fraction(total)) if self.limit is not None else Fraction(8, 15)

    def variance(self) -> Fraction:
        """Variance of a roll."""
        if self.limit is None:
            return Fraction(4904, 225)
        return self._moment(lambda total: Fraction(total) ** 2) - self.mean() ** 2

    def _moment(self, value: Callable[[int], Fraction]) -> Fraction:
        assert self.limit is not None
        return Fraction(sum(chance * value(total) for total, chance in self.outcomes(self.limit + 1).items()))


def die_success(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Chance of success by the comparison die (R19, A3)."""
    die = Die(options["pm_reroll_limit"])
    if kind == "simple":
        return die.at_least(difference)
    return die.difference_at_least(difference + (options["contest_tie"] != "attacker"))


def die_equality(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Chance of equal totals by the die; 0 unless contest_tie is draw (contests only)."""
    if kind == "simple" or options["contest_tie"] != "draw":
        return Fraction(0)
    die = Die(options["pm_reroll_limit"])
    return die.difference_at_least(difference) - die.difference_at_least(difference + 1)


# --- values -----------------------------------------------------------------------------------------------------------


def margin_value(kind: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """Mean of the clipped margin over margin_clip (payoff margin)."""
    clip = options["margin_clip"]

    def clipped(margin: int) -> Fraction:
        return Fraction(max(-clip, min(clip, margin)), clip)

    if options["procedure"] == "rps":
        u = unit(kind, options)
        return Fraction(sum(e.chance * clipped(u * e.net - difference) for e in endings(kind, difference, options)))
    die = Die(options["pm_reroll_limit"])

    def at_least(margin: int) -> Fraction:
        reach = die.at_least if kind == "simple" else die.difference_at_least
        return reach(margin + difference)

    return -1 + Fraction(sum(at_least(margin) for margin in range(1 - clip, clip + 1))) / clip


def test_value(test: Mapping[str, Any], options: Mapping[str, Any], absent: bool = False) -> Fraction:
    """Value of a test for the acting side, by optimal play of both; `absent`: it is the uniform gm, who never declines.

    Points are read as the decimal fractions that they are written as.
    """
    kind = test["kind"]
    own, other = NUMBERS[kind]
    d = test[other] - test[own]
    if options["payoff"] == "margin":
        value = margin_value(kind, d, options)
    else:
        by_die = options["procedure"] == "pm_d6"
        won = (die_success if by_die else success)(kind, d, options)
        lost = 1 - won - (die_equality if by_die else equality)(kind, d, options)
        stakes = points(test, options) if options["payoff"] == "stakes" else (1.0, 1.0)
        win, loss = (Fraction(str(x)) for x in stakes)
        value = won * win - lost * loss
    return max(Fraction(0), value) if options["may_decline"] and not absent else value


def acting_seat(test: Mapping[str, Any], index: int, options: Mapping[str, Any]) -> int:
    """Seat of the acting side of test number `index` (A4)."""
    if "acting_seat" in test:
        return test["acting_seat"]
    return index % 2 if test["kind"] == "contest" and options["roles"] == "alternate" else 0


def match_value(options: Mapping[str, Any], draw: Any = None) -> Fraction:
    """Value of a match for seat 0, by optimal play of both; of drawn tests the mean."""
    pool = entries(options, draw)
    absent = options["gm_policy"] == "uniform"

    def seat0(test: Mapping[str, Any], index: int) -> Fraction:
        seat = acting_seat(test, index, options)
        value = test_value(test, options, absent and seat == 1)
        return value if seat == 0 else -value

    n = options["n_tests"]
    if options["tests"] is not None:
        return Fraction(sum(seat0(test, i) for i, test in enumerate(pool))) / n
    both = [Fraction(sum(seat0(test, i) for test in pool)) / len(pool) for i in (0, 1)]
    return (both[0] * ((n + 1) // 2) + both[1] * (n // 2)) / n


def bonus_moments(kind: str, options: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Mean and variance of the acting side's change by a test, at difference 0 (contests: of both bonuses' gap)."""
    if options["procedure"] == "pm_d6":
        die = Die(options["pm_reroll_limit"])
        return (die.mean(), die.variance()) if kind == "simple" else (Fraction(0), 2 * die.variance())
    u = unit(kind, options)
    ends = endings(kind, 0, options)
    mean = Fraction(sum(e.chance * u * e.net for e in ends))
    return mean, Fraction(sum(e.chance * (u * e.net) ** 2 for e in ends)) - mean**2


# --- tables -----------------------------------------------------------------------------------------------------------

COLUMNS: dict[str, tuple[str, str, int | None]] = {  # procedure, kind, and the re-roll limit (-1: as the options say)
    "rps_simple": ("rps", "simple", None),
    "rps_contest": ("rps", "contest", None),
    "pm_simple": ("pm_d6", "simple", -1),
    "pm_contest": ("pm_d6", "contest", -1),
    "pm_simple_no_reroll": ("pm_d6", "simple", 0),
    "pm_contest_no_reroll": ("pm_d6", "contest", 0),
}


def cell(column: str, difference: int, options: Mapping[str, Any]) -> Fraction:
    """One success probability of the table; raises RulesetError for a column that it does not have."""
    if column not in COLUMNS:
        raise fail("column", column, "one of " + ", ".join(COLUMNS))
    procedure, kind, limit = COLUMNS[column]
    if procedure == "rps":
        return success(kind, difference, options)
    return die_success(kind, difference, options if limit == -1 else {**options, "pm_reroll_limit": limit})


def table(differences: Iterable[int], options: Mapping[str, Any]) -> list[tuple[int, dict[str, Fraction]]]:
    """Success probabilities by difference, one row each."""
    return [(d, {column: cell(column, d, options) for column in COLUMNS}) for d in differences]


__all__ = [
    "COLUMNS", "Chances", "Die", "Ending", "acting_seat", "best_response", "bonus_moments", "cell", "die_equality",
    "die_success", "endings", "equality", "margin_value", "match_value", "mean_rounds", "need", "success", "table",
    "test_value", "unit",
]  # fmt: skip
