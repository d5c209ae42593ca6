"""What opponents of rock, paper, scissors are taken to show next: the mixture of predictors, step by step by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from probespiel.agents.ews_rps import predictors as engine
from probespiel.agents.ews_rps.predictors import Learnt

SYMBOLS = 3
OUTCOMES = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # own symbol against the other's: paper beats rock
WORTH = np.array([-1.0, 0.25, 2.0])  # of a loss, a draw, a win
GUESSES = 2 * engine.SPEEDS * engine.VIEWS * engine.DEPTHS
EXPERTS = engine.EXPERTS * engine.VIEWS * engine.DEPTHS


def slot() -> tuple[np.ndarray, np.ndarray]:
    """Bytes and numbers of a slot that knows nothing."""
    seen = np.zeros(engine.bytes_each(SYMBOLS), dtype=np.uint8)
    seen[engine.ROWS * engine.ROUNDS :] = engine.NONE
    return seen, np.zeros(engine.numbers_each(SYMBOLS))


def test_rounds_of_the_other_kind_weigh_a_quarter() -> None:
    """Four rounds, of which the second had nothing at stake; the next one has: 1/4, 1 and 1 for what followed."""
    seen, _ = slot()
    for n, (other, stake) in enumerate(((0, 0), (1, 1), (2, 1), (0, 1))):
        engine.append(SYMBOLS, n, seen, 0, other, 0, stake)  # the stake is that of the round after it
    evenly, newest = np.zeros((engine.DEPTHS, 9)), np.zeros((engine.DEPTHS, 9))
    engine.count_followers(1, SYMBOLS, 4, seen, evenly, newest)
    assert evenly[0, :3].tolist() == [1.0, engine.OTHER_KIND, 1.0]
    assert newest[0, :3] == pytest.approx([0.95, 0.25 * 0.95**3, 0.95**2]), "the newest weighs most"
    assert evenly[1, :3].tolist() == [0.0, engine.OTHER_KIND, 0.0], "after 0 alone came 1"
    engine.append(SYMBOLS, 4, seen, 0, 1, 0, 0)
    engine.count_followers(1, SYMBOLS, 5, seen, evenly, newest)
    assert evenly[0, :3].tolist() == [0.25, 1.25, 0.25], "now nothing is at stake, as it was not in the second"


def test_chances_of_experts_by_hand() -> None:
    """Three rounds in which the other shows 2, 2 and 1; all three experts of the counts without a context.

    Of two that followed one was 2 and one was 1: (1 + 0.4) / (2 + 1.2) each, and 0.4 / 3.2; a tenth is even chances.
    The most frequent symbol is the lower one, 1. Turns from it were 0 six times and 1 twice: (6 + 1/2) / (8 + 3/2).
    """
    seen, _ = slot()
    for n, other in enumerate((2, 2, 1)):
        engine.append(SYMBOLS, n, seen, 0, other, 0, 0)
    turned, guess = np.zeros(GUESSES * SYMBOLS), seen[engine.ROWS * engine.ROUNDS :]
    place = 1 * engine.DEPTHS * engine.SPEEDS * 2  # the first guess of the view of the other's symbols
    turned[place * SYMBOLS : place * SYMBOLS + 2] = [6.0, 2.0]
    chances = np.zeros(EXPERTS * SYMBOLS)
    engine.predict(SYMBOLS, 3, seen, turned, guess, chances, 0.1)
    rows = chances.reshape(-1, SYMBOLS)
    assert rows.sum(axis=1) == pytest.approx(np.ones(EXPERTS))
    first = 1 * engine.DEPTHS * engine.EXPERTS
    assert rows[first] == pytest.approx([0.9 * share / 3.2 + 0.1 / 3 for share in (0.4, 1.4, 1.4)])
    assert guess[place] == 1 and guess[place + 1] == 0, "what both show most"
    assert rows[first + 1] == pytest.approx([0.9 * share / 9.5 + 0.1 / 3 for share in (0.5, 6.5, 2.5)])
    assert rows[first + 2] == pytest.approx(np.full(3, 1 / 3)), "nothing is known of turns from one's own"


def test_weights_of_experts_are_kept_and_learnt_by_each_mixture() -> None:
    chances = np.array([0.5, 0.25, 0.25, 0.1, 0.1, 0.8])
    weights = np.full(engine.MIXTURES * 2, -2.0)
    engine.score_experts(SYMBOLS, chances, weights, 2)
    for m in range(engine.MIXTURES):
        wanted = [engine.KEEP[m] * -2.0 + engine.LEARN[m] * math.log(p) for p in (0.25, 0.8)]
        assert weights[2 * m : 2 * m + 2] == pytest.approx(wanted)


def test_a_mixture_is_trusted_by_what_its_replies_won() -> None:
    """Mixtures expect rock, paper and scissors, and answer paper, scissors and rock; against paper: 0.25, 2, -1."""
    seen, numbers = slot()
    learnt = Learnt(own=0, other=1, situation=0, scored=1, stake=1)
    values = np.array([1.0, 0.5, 0.1])
    engine.advance_mixture(SYMBOLS, 0, seen, numbers, OUTCOMES, WORTH, values, learnt)
    start = len(numbers) - 2 * engine.MIXTURES
    assert numbers[start:].tolist() == [0.0] * 6, "before the first round nothing was predicted"
    for m in range(3):
        expected = engine.mixture_chances(SYMBOLS, numbers, m)
        expected[:] = 0.1
        expected[m] = 0.8
    numbers[start:] = 4.0
    engine.advance_mixture(SYMBOLS, 1, seen, numbers, OUTCOMES, WORTH, values, learnt)
    assert numbers[start:].tolist() == [2.25, 2.0625, 4.0, 6.0, 1.0, 3.0]
    assert engine.mixture_chances(SYMBOLS, numbers, 2).tolist() == numbers[start - 3 : start].tolist()
    engine.advance_mixture(SYMBOLS, 2, seen, numbers, OUTCOMES, WORTH, values, learnt._replace(scored=0))
    assert numbers[start] == 2.25, "where nothing was at stake nothing is learnt of it"


@pytest.mark.parametrize(("won", "squares", "chosen"), [
    ((0.0, 1.0, 0.5), 3.75, -1), ((0.0, 2.0, 0.5), 3.75, 1), ((0.4, 0.2, 0.0), 0.0, -1), ((0.6, 0.2, 0.0), 0.0, 0),
])  # fmt: skip
def test_little_is_trusted_before_much_was_won(won: tuple[float, ...], squares: float, chosen: int) -> None:
    """One deviation above nothing, the square root of all squares and a quarter: 2, and 0.5 without any."""
    numbers = np.zeros(engine.numbers_each(SYMBOLS))
    numbers[-2 * engine.MIXTURES :] = [x for own in won for x in (own, squares)]
    assert engine.choose_mixture(SYMBOLS, numbers, 1.0) == chosen


def test_guesses_and_their_turns_are_scored_by_the_reply_to_them() -> None:
    """The guess was rock and the other showed rock: turned by 0, 1 and 2 it says rock, paper, scissors.

    The best replies to these are paper, scissors and rock, and earn 2, -1 and 0.25 against rock.
    """
    seen, numbers = slot()
    guess = seen[engine.ROWS * engine.ROUNDS :]
    learnt = Learnt(own=1, other=0, situation=0, scored=1, stake=1)
    values = np.array([0.5, 0.0, 0.0])
    engine.advance_guesses(SYMBOLS, 0, seen, numbers, OUTCOMES, WORTH, values, learnt)
    assert not numbers.any()
    guess[: engine.GUESSES] = engine.NONE
    guess[4], guess[7] = 0, 2
    numbers[: engine.GUESSES * SYMBOLS] = 1.0
    engine.advance_guesses(SYMBOLS, 1, seen, numbers, OUTCOMES, WORTH, values, learnt)
    assert numbers[12:15].tolist() == [2.5, -0.5, 0.75]
    assert numbers[21:24].tolist() == [0.75, 2.5, -0.5], "scissors, rock, paper"
    assert numbers[:12].tolist() == [0.5] * 12, "no guess earns nothing"
