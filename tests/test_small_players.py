"""What players count, match and put together, each by a list of all cases or by a history of a few rounds."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.einblatt import abstraction, windows
from probespiel.agents.ews_rps import rounds, types
from tests.test_exact_habits import plain, put

Rounds = list[tuple[int, int]]


def history(monkeypatch: pytest.MonkeyPatch, played: Rounds) -> None:
    """What both seats have shown, the first round first; a symbol beats the one before it."""
    entries = [a | b << 4 for a, b in played]
    put(
        monkeypatch, types, entry_at=lambda s, i: entries[i], shown_by=lambda entry, seat: entry >> 4 * seat & 15,
        result_in=lambda entry, seat: result(entry >> 4 * seat & 15, entry >> 4 * (1 - seat) & 15),
        result_for=lambda s, p, seat, own, other: result(own, other) if own < 3 else 0,
    )  # fmt: skip


def result(own: int, other: int) -> int:
    return (0, 1, -1)[(own - other) % 3]


def counted(function: Any, *given: Any) -> list[float]:
    counts = np.zeros(types.SYMBOLS)
    plain(function)(*given, counts)
    return counts.tolist()[:3]


def test_what_was_shown_lately_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A half as much with every round that it is ago; rounds before those that are looked at do not count."""
    history(monkeypatch, [(0, 2), (0, 1), (1, 0), (2, 0)])
    assert counted(types.frequency_counts, None, 4, 0, 0.5) == [1.5, 0.25, 0.125]
    assert counted(types.frequency_counts, None, 4, 1, 0.5) == [0.375, 0.5, 1.0]
    assert counted(types.frequency_counts, None, 3, 1, 1.0) == [2.0, 1.0, 0.0]
    put(monkeypatch, types, LOOK_BACK=2)
    assert counted(types.frequency_counts, None, 4, 0, 0.5) == [1.5, 0.0, 0.0]


@pytest.mark.parametrize(("played", "order", "seat", "counts"), [
    ([(0, 1), (1, 2), (0, 1), (2, 2), (0, 1)], 1, 0, [1, 1, 3]),  # two rounds followed the last one: 2 and 2
    ([(0, 1), (1, 2), (0, 1), (2, 2), (0, 1)], 1, 1, [1, 2, 2]),
    ([(0, 1), (1, 2), (0, 1), (2, 2), (0, 1)], 2, 0, [1, 1, 3]),  # both last rounds had not been before
    ([(2, 2), (0, 1), (1, 0), (0, 1), (1, 2), (2, 2), (0, 1)], 2, 0, [2, 1, 1]),  # they had, once
    ([(2, 2), (0, 1), (1, 0), (0, 1), (1, 2), (2, 2), (0, 1)], 1, 0, [2, 1, 2]),
    ([(0, 1), (1, 2), (0, 0), (2, 0), (1, 1), (2, 1), (0, 1)], 1, 0, [1, 1, 2]),  # both symbols have to be the same
    ([(0, 1)], 2, 0, [1, 1, 1]), ([], 1, 0, [1, 1, 1]),
])  # fmt: skip
def test_what_followed_the_last_rounds_is_counted(
    played: Rounds, order: int, seat: int, counts: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside one of each; of the longest context that was seen at all."""
    history(monkeypatch, played)
    put(monkeypatch, types, ENOUGH=1)
    assert counted(types.markov_counts, None, len(played), seat, order) == counts


def test_a_context_that_was_seen_too_seldom_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [(2, 2), (0, 1), (1, 0), (0, 1), (1, 2), (2, 2), (0, 1)]
    history(monkeypatch, played)
    put(monkeypatch, types, ENOUGH=2)
    assert counted(types.markov_counts, None, len(played), 0, 2) == [2, 1, 2]
    put(monkeypatch, types, LOOK_BACK=4)
    assert counted(types.markov_counts, None, len(played), 0, 1) == [1, 1, 2]


@pytest.mark.parametrize(("played", "seat", "limit", "symbol"), [
    ([(0, 1), (1, 2), (0, 1)], 0, 9, 2), ([(0, 1), (1, 2), (0, 1)], 1, 9, 1),
    ([(0, 0), (1, 1), (2, 2)], 0, 9, -1), ([], 0, 9, -1), ([(0, 0)], 0, 9, -1),
    ([(0, 1), (0, 2), (1, 0), (0, 0), (0, 1)], 0, 9, 0),  # its own last two rounds, 0 and 0, were the first two
    ([(1, 0), (2, 0), (0, 1), (0, 0), (1, 0)], 1, 9, 0),  # the same of the other seat: 0 was shown after them
    ([(0, 1), (1, 1), (2, 0), (2, 1), (0, 1)], 0, 9, 0),  # the other's, 1 and 1
    ([(0, 1), (1, 2), (0, 1), (2, 0), (0, 1)], 0, 9, 0),  # the later one of two
    ([(0, 1), (0, 2), (1, 0), (0, 0), (0, 1)], 0, 1, 2),  # the last round alone, both: the first one
])  # fmt: skip
def test_what_followed_the_longest_match(
    played: Rounds, seat: int, limit: int, symbol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of both seats together, else of the own or the other's symbols; of equal ones of both, then the latest."""
    history(monkeypatch, played)
    assert plain(types.longest_match_at)(None, len(played), seat, limit) == symbol


@pytest.mark.parametrize(("played", "seat", "symbol"), [
    ([(1, 0)], 0, 1), ([(1, 0)], 1, 2), ([(0, 2)], 0, 0), ([(0, 2)], 1, 1), ([(2, 1)], 1, 0), ([(2, 2)], 0, -1),
    ([], 0, -1),
    ([(1, 0), (2, 2)], 0, -1), ([(2, 2), (1, 0)], 0, 1),
])  # fmt: skip
def test_who_wins_stays_and_who_loses_shifts(
    played: Rounds, seat: int, symbol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To what would have beaten the other's symbol; a draw tells nothing."""
    history(monkeypatch, played)
    assert plain(types.shift_after)(None, None, len(played), seat) == symbol


@pytest.mark.parametrize(("chances", "worth", "allowed", "best"), [
    ((0.5, 0.3, 0.2), (-1, 0, 1), 0b111, 0b010),  # 1 beats 0
    ((0.5, 0.3, 0.2), (-1, 0, 1), 0b101, 0b001),  # -0.1 against -0.2 of the last
    ((1 / 3, 1 / 3, 1 / 3), (-1, 0, 1), 0b111, 0b111), ((1 / 3, 1 / 3, 1 / 3), (-1, 0, 1), 0b110, 0b110),
    ((0.5, 0.5, 0.0), (-1, 0, 1), 0b111, 0b010),
    ((0.5, 0.5, 0.0), (-1, 1, 1), 0b111, 0b010), ((0.4, 0.0, 0.6), (0, 0, 1), 0b111, 0b001),
])  # fmt: skip
def test_best_replies_to_chances(
    chances: tuple[float, ...], worth: tuple[float, ...], allowed: int, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(
        monkeypatch, rounds, symbols_of=lambda s, p, seat: allowed,
        result_for=lambda s, p, seat, own, other: result(own, other) if max(own, other) < 3 else 0,
    )  # fmt: skip
    padded = np.zeros(rounds.SYMBOLS)
    padded[:3] = chances
    assert plain(rounds.best_replies)(None, None, 0, padded, np.array(worth, float)) == best


# --- einBlatt ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(80))
def test_cards_are_put_where_they_do_best_together(seed: int) -> None:
    """Up to three cards, each in a place of its own that is not banned, or in none."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    gains, banned = rng.integers(-3, 7, (16, n)), int(rng.integers(0, 1 << n))
    classes = [int(v) for v in rng.integers(0, 16, 3)]
    classes[int(rng.integers(1, 4)) :] = []
    options = [None, *(x for x in range(n) if not banned >> x & 1)]
    best = max(
        sum(int(gains[c, x]) for c, x in zip(classes, where) if x is not None)
        for where in itertools.product(options, repeat=len(classes))
        if len({x for x in where if x is not None}) == sum(x is not None for x in where)
    )
    a, b, c = (*classes, -1, -1)[:3]
    assert plain(windows.best_assignment)(gains, n, banned, a, b, c) == best


def test_the_nth_best_card_of_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equal classes that of the lowest id; none where there are fewer."""
    classes = {0: 4, 2: 9, 3: 4, 5: 0}
    put(
        monkeypatch, abstraction, class_of=lambda s, p, seat, card: classes[card] if seat == 1 else 0,
        lowest_bit=lambda bits: (bits & -bits).bit_length() - 1,
    )  # fmt: skip
    held = sum(1 << card for card in classes)
    assert [plain(abstraction.nth_best)(SimpleNamespace(), None, 1, held, n) for n in range(5)] == [2, 0, 3, 5, -1]
    assert plain(abstraction.nth_best)(None, None, 1, 0, 0) == -1
