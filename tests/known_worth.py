"""What having a rule is worth, by other means than the lab's: linear programs, all plans, formulas of rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import comb

from probespiel.agents.matrix_game import solve_zero_sum

from .known_kuhn import PLAIN, Moves, kuhn_value


def kuhn_worth(cards: tuple[int, int, int]) -> float:
    """Kuhn poker by all plans: to a side whose cards count so; mean of both seats."""
    first, second, plain = (kuhn_value(*s) for s in ((cards, PLAIN), (PLAIN, cards), (PLAIN, PLAIN)))
    return ((first - plain) - (second - plain)) / 2


def kuhn_bound_worth(may: Moves) -> float:
    """Kuhn poker by all plans: to a side that may make these moves alone with each card; mean of both seats."""
    plain = kuhn_value(PLAIN, PLAIN)
    first, second = kuhn_value(PLAIN, PLAIN, mine_may=may), kuhn_value(PLAIN, PLAIN, theirs_may=may)
    return ((first - plain) - (second - plain)) / 2


def stone_worth(won: float = 1.0) -> float:
    """Rock beats rock in single rounds of ews_rps, a success pays `won`; the holder acts in every second test."""
    return solve_zero_sum([[won, -1, won], [won, 0, -1], [-1, won, 0]]).value / 2


def clash(lead: int, mine: int, theirs: int, stock: int = 10, ties: int = 3, counts: tuple[int, int] = (1, 1)) -> float:
    """A clash about power by the specification's formulas, with highest bids; ties are bid again, then a draw.

    `lead` is how much stronger the attacker is; a bid of either side counts so many times.
    """

    def decided(a: int, b: int) -> float:
        if lead + counts[0] * a > counts[1] * b:
            return -a + b + max(1, b) + 2 + min(2, stock - b)
        return b - a - max(1, a) - max(3, 2 + min(2, stock - a))

    value = 0.0
    for _ in range(ties):
        table = [
            [value if lead + counts[0] * a == counts[1] * b else decided(a, b) for b in range(theirs + 1)]
            for a in range(mine + 1)
        ]
        value = solve_zero_sum(table).value
    return value


def oath_worth(most: int) -> float:
    """Two stronger, but with bids of at most so much, for either side alone."""
    plain = clash(0, 10, 10)
    return ((clash(2, most, 10) - plain) - (clash(-2, 10, most) - plain)) / 2


def drill_worth() -> float:
    """One stronger at the price of an answer, for either side alone."""
    plain = clash(0, 10, 10)
    return ((clash(1, 10, 10) - plain) - (clash(-1, 10, 10) - plain)) / 2


def onslaught_worth() -> float:
    """One stronger for whoever attacks: the attacker alone gains by having it, and the mean of both sides is half."""
    return (clash(1, 10, 10) - clash(0, 10, 10)) / 2


def rampart_worth() -> float:
    """Two stronger for whoever is attacked: the defender alone gains by it, and the mean of both sides is half."""
    return (clash(0, 10, 10) - clash(-2, 10, 10)) / 2


def zeal_worth() -> float:
    """Bids that count twice, for either side alone."""
    plain = clash(0, 10, 10)
    return ((clash(0, 10, 10, counts=(2, 1)) - plain) - (clash(0, 10, 10, counts=(1, 2)) - plain)) / 2


def feint_worth() -> float:
    """Three stronger by a guess at even chances, for either side alone: matching pennies before the bids."""
    plain = clash(0, 10, 10)
    sides = (solve_zero_sum([[plain, clash(lead, 10, 10)], [clash(lead, 10, 10), plain]]).value for lead in (3, -3))
    attacker, defender = (value - plain for value in sides)
    return (attacker - defender) / 2


def underdog_worth(tests: int = 20, won: float = 2 / 3, more: int = 2) -> float:
    """Matches of equals in ews_rps in which who is behind has `more` tenths of a success from a test of its own.

    Each side wins its own tests with the chance `won`, which no bonus changes: a success stays the better result. The
    seats act in turn; the lead of the first is counted in tenths. Mean of both seats.
    """

    @cache
    def value(test: int, lead: int, holder: int) -> float:
        if test == tests:
            return lead / 10 / tests
        acting = test % 2
        sign = 1 if acting == 0 else -1
        bonus = more if holder == acting and sign * lead < 0 else 0
        after = (value(test + 1, lead + sign * (result + bonus), holder) for result in (10, -10))
        return won * next(after) + (1 - won) * next(after)

    plain = value(0, 0, -1)
    return ((value(0, 0, 0) - plain) - (value(0, 0, 1) - plain)) / 2


def hot_hand_scores(tests: int = 10, won: float = 2 / 3, bet: float = 0.3 / 20) -> tuple[float, float, float, float]:
    """Matches of equals in ews_rps with bets that one test in six is right for: two scores, and draws without and with.

    Scores of fair players, who never bet, against beginners, who bet in every second of their `tests`, and of those who
    bet after a six alone against fair players; draws of fair players, and of two who bet after sixes. Each side wins a
    test of its own with the chance `won`; a test more is worth a fifth of a payoff to its lead.
    """
    wins = [comb(tests, k) * won**k * (1 - won) ** (tests - k) for k in range(tests + 1)]
    ahead = _sums([(i - j, x * y) for i, x in enumerate(wins) for j, y in enumerate(wins)])
    blind = _often({0: 1 / 2, 1: 1 / 12, -1: 5 / 12}, tests)
    sharp = _often({0: 5 / 6, 1: 1 / 6}, tests)

    def score(mine: dict[int, float], theirs: dict[int, float]) -> float:
        leads = [
            (0.2 * d + bet * (m - t), a * b * c)
            for d, a in ahead.items()
            for m, b in mine.items()
            for t, c in theirs.items()
        ]
        return sum(p * (1.0 if lead > 1e-9 else 0.5 if lead > -1e-9 else 0.0) for lead, p in leads)

    same = sum(p * p for p in sharp.values())  # bets decide no match but those that are even without them
    return score({0: 1.0}, blind), score(sharp, {0: 1.0}), ahead[0], ahead[0] * same


def _sums(parts: Iterable[tuple[int, float]]) -> dict[int, float]:
    out: dict[int, float] = {}
    for value, chance in parts:
        out[value] = out.get(value, 0.0) + chance
    return out


def _often(once: dict[int, float], times: int) -> dict[int, float]:
    """What independent throws add up to."""
    out = {0: 1.0}
    for _ in range(times):
        out = _sums([(a + b, p * q) for a, p in out.items() for b, q in once.items()])
    return out
