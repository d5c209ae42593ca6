"""What having a rule is worth, by other means than the lab's: linear programs, all plans, formulas of rules."""

from __future__ import annotations

from probespiel.agents.matrix_game import solve_zero_sum

from .known_kuhn import PLAIN, kuhn_value


def kuhn_worth(cards: tuple[int, int, int]) -> float:
    """Kuhn poker by all plans: to a side whose cards count so; mean of both seats."""
    first, second, plain = (kuhn_value(*s) for s in ((cards, PLAIN), (PLAIN, cards), (PLAIN, PLAIN)))
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


def zeal_worth() -> float:
    """Bids that count twice, for either side alone."""
    plain = clash(0, 10, 10)
    return ((clash(0, 10, 10, counts=(2, 1)) - plain) - (clash(0, 10, 10, counts=(1, 2)) - plain)) / 2
