"""The best response of a player to a policy for einBlatt's duel, by sampling the hand that it does not see.

The responder knows its own hand, the policy, and the cards played; the policy's hand is integrated over many hands
dealt anew. A best response that is chosen on some hands and measured on others is a lower bound of the best response's
gain in the mean; measured on the hands that it was chosen on, an upper one, for then it also wins by luck. `duel_gap`
has a bound that needs no sampling, of a responder who sees both hands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...agents.policy_net import draw
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.rng import derive_seed, rng_table
from .duel_gap import Chances, DuelTree, Gap, deals
from .duel_gap_kernel import LastChoices, deal_again, finish, grow

RARE = 1e-3  # choices of the policy in round 1 that are rarer are left out
BLOCK = 256  # hidden hands whose trees are held at the same time
CARDS = 32
PASS = 32  # action id, right behind the cards
PASSED = 63  # in place of the class of a first play


@dataclass(frozen=True)
class ResponseGap:
    """Gain of a player's best response beyond the value: on fresh hidden hands, and on those that it was chosen on."""

    fresh: Gap
    chosen: Gap


def response_gap(game: Game, chances: Chances, n: int = 20, hidden: int = 2000, seed: int = 0) -> ResponseGap:
    """What the policy loses to its best response, in EP, for `n` random hands of the responder at each of its seats.

    Each meets `hidden` hands of the policy. The responder tells cards apart by class, plays the best card that is left
    in the last round, and passes only without a card; neither costs it anything against a policy that takes no notice
    of suits and passes. Three rounds. Raises ProbespielError as `DuelTree`.
    """
    if int(game.spec.params["rounds"][0]) != 3:
        raise ProbespielError("rounds: the best response of a player is computed for three")
    fresh: list[list[float]] = [[], []]
    chosen: list[list[float]] = [[], []]
    half = np.arange(hidden) % 2 == 0
    both = np.ones(hidden, dtype=bool)
    for seat in (0, 1):
        tree = DuelTree(game, seat, chances)
        for i, state in enumerate(np.concatenate(list(deals(game, n, seed)))):
            sample = _sample(tree, state, hidden, derive_seed(seed, "hidden hands", seat, i))
            value = sample.value.mean()
            chosen[seat].append(sample.gain(both, both) - value)
            fresh[seat].append((sample.gain(half, ~half) + sample.gain(~half, half)) / 2 - value)
    return ResponseGap(_gap(fresh, n), _gap(chosen, n))


def _gap(found: list[list[float]], n: int) -> Gap:
    means = [float(np.mean(x)) for x in found]
    errors = [float(np.std(x, ddof=1) / n**0.5) for x in found]
    return Gap((means[0], means[1]), (errors[0], errors[1]), n)


@dataclass(frozen=True)
class _Sample:
    """Outcomes of one own hand against many hidden ones.

    Row i: hidden hand `hand[i]`, the responder's first play `first[i]`, the class `seen[i]` of the policy's first play
    with chance `weight[i]`, the responder's second play `second[i]`, its mean payoff then.
    """

    value: np.ndarray  # float64[hidden], E1
    hand: np.ndarray
    first: np.ndarray
    seen: np.ndarray
    weight: np.ndarray
    second: np.ndarray
    payoff: np.ndarray

    def gain(self, choose: np.ndarray, measure: np.ndarray) -> float:
        """Mean payoff on the hands `measure` of the response that is best on the hands `choose`, bool[hidden] each."""
        # information states (first play, what was seen) and choices there (second play)
        state, at = np.unique(self.first * 64 + self.seen, return_inverse=True)
        choices, which = np.unique(self.second, return_inverse=True)
        sums = []
        for part in (choose, measure):
            rows = part[self.hand]
            total = np.zeros((len(state), len(choices)))
            np.add.at(total, (at[rows], which[rows]), self.weight[rows] * self.payoff[rows])
            sums.append(total / part.sum())
        offered = np.zeros((len(state), len(choices)), dtype=bool)
        offered[at, which] = True
        best = np.where(offered, sums[0], -np.inf).argmax(axis=1)
        firsts, opening = np.unique(state // 64, return_inverse=True)
        worth = []
        for total in sums:
            by_opening = np.zeros(len(firsts))
            np.add.at(by_opening, opening, total[np.arange(len(state)), best])
            worth.append(by_opening)
        return float(worth[1][worth[0].argmax()])


def _sample(tree: DuelTree, state: np.ndarray, hidden: int, seed: int) -> _Sample:
    """Deal the policy's hand anew `hidden` times and play out the responder's plans of one own hand."""
    rngs = rng_table(seed, hidden, "hands")
    parts = [_block(tree, state, rngs[i : i + BLOCK], i) for i in range(0, hidden, BLOCK)]
    return _Sample(*(np.concatenate(columns) for columns in zip(*parts)))


def _block(tree: DuelTree, state: np.ndarray, rngs: np.ndarray, start: int) -> tuple[np.ndarray, ...]:
    """The columns of `_Sample` for one block of hidden hands."""
    game, seat = tree.game, tree.seat
    k, p = game.address, game.params_address
    roots = np.empty((len(rngs), len(state)), dtype=np.uint8)
    dice = rng_table(int(rngs[0] >> np.uint64(1)), 1, "second plays")
    deal_again(k, p, state, 1 - seat, targets=roots, rngs=rngs)
    own_class = _classes(tree, roots[:1], 1 - seat)[0]
    their_class = _classes(tree, roots, seat)

    chances = tree.policy_at(roots)
    chances = np.where(chances >= RARE, chances, 0.0)
    chances /= chances.sum(axis=1, keepdims=True)
    hand, own, first = np.nonzero((chances > 0)[:, :, None] & _plays(tree, roots, own_class)[:, None, :])
    seen = np.where(own < CARDS, their_class[hand, np.minimum(own, CARDS - 1)], PASSED).astype(np.int64)
    after_one = _children(tree, roots, hand, own, first)

    # The policy's second play is drawn, one for all answers: with all its plays the tree would grow fivefold.
    second_chances = tree.policy_at(after_one)
    drawn = draw(second_chances, rng_table(int(dice[0] >> np.uint64(1)), len(after_one), "draws"))
    node, second = np.nonzero(_plays(tree, after_one, own_class))
    after_two = _children(tree, after_one, node, drawn[node], second)

    third_chances = tree.policy_at(after_two)
    worth = np.append(own_class + 1.0, 0.5)
    best = np.where(_plays(tree, after_two, own_class), worth[None, :], -1.0).argmax(axis=1)
    end, third = np.nonzero(third_chances > 0)
    payoffs = np.zeros(len(end))
    choices = LastChoices(parents=end, own=third, other=best[end])
    if finish(k, p, after_two, choices, seat=seat, capacity=game.capacity, payoffs=payoffs) >= 0:
        raise ProbespielError(f"{game.name}: the game goes on after the third round")
    game.kernel.raise_pending()
    payoff = np.zeros(len(after_two))
    np.add.at(payoff, end, third_chances[end, third] * payoffs)
    weight = chances[hand, own]
    columns = (hand[node] + start, first[node], seen[node], weight[node], second, payoff)
    return tree.value(roots), *columns


def _classes(tree: DuelTree, states: np.ndarray, seat: int) -> np.ndarray:
    """Classes of all cards for a seat, float64[n, 32]."""
    view = tree.game.layout.view(tree.seen_by(states, seat)[0])
    return np.rint(view["my_class"] * 15.0).astype(np.float64)


def _plays(tree: DuelTree, states: np.ndarray, own_class: np.ndarray) -> np.ndarray:
    """What the responder may want to play, bool[n, 33]: one card of each class; a pass if it has no card."""
    legal = tree.seen_by(states, 1 - tree.seat)[1][:, : PASS + 1] != 0
    same = np.tril(own_class[:, None] == own_class[None, :], k=-1)  # card j < i of the same class as i
    plays = legal[:, :CARDS] & ~(legal[:, None, :CARDS] & same[None, :, :]).any(axis=2)
    return np.concatenate([plays, ~plays.any(axis=1, keepdims=True)], axis=1)


def _children(
    tree: DuelTree, states: np.ndarray, parents: np.ndarray, own: np.ndarray, other: np.ndarray
) -> np.ndarray:
    """The records after both have played, uint8[m, size]."""
    game = tree.game
    targets = np.empty((len(parents), states.shape[1]), dtype=np.uint8)
    if (
        grow(game.address, game.params_address, states, parents, seat=tree.seat, own=own, other=other, targets=targets)
        >= 0
    ):
        raise ProbespielError(f"{game.name}: there is chance after the deal")
    game.kernel.raise_pending()
    return targets


__all__ = ["ResponseGap", "response_gap"]
