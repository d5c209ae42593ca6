"""How far a policy for einBlatt's duel is from the known value (E1), against best responses.

`clairvoyant_gap`: the responder knows both hands, the policy's chances at every decision, and all cards played so far;
only the policy's coming draws are hidden from it. It is at least as strong as any player, who does not see the hand, so
its advantage is an upper bound of the policy's distance to the value. The bound is tight: the three best cards in
uniformly random order give nothing away even to such an opponent (E1). For each deal the value is known and the best
response is computed exactly, so that no choice is made on noise and the mean over random deals is unbiased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...agents.intervals import NORMAL, error_of
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.rng import rng_table
from ...envs.core.texts import number_in
from .duel_gap_kernel import LastChoices, check_both, deal_tables, finish, grow, look

Chances = Callable[[np.ndarray, np.ndarray], np.ndarray]
BLOCK = 8  # deals whose trees are held at the same time


@dataclass(frozen=True)
class Gap:
    """What best responses win beyond the value of the game, for each seat of the policy: mean and standard error."""

    mean: tuple[float, float]
    error: tuple[float, float]
    deals: int

    @property
    def worst(self) -> float:
        """The larger mean."""
        return max(self.mean)

    @property
    def upper(self) -> float:
        """The larger upper end of the 95 % intervals."""
        return max(m + NORMAL * e for m, e in zip(self.mean, self.error))

    def told(self, seats: Sequence[str], lang: str) -> str:
        """In words, with the names of the seats."""
        words = {
            "en": ("as {seat}: whoever sees its hand, too, wins {gap} a game beyond the value", "over {n:,} deals"),
            "de": ("als {seat}: wer auch ihr Blatt sieht, gewinnt {gap} je Spiel über den Wert hinaus",
                   "über {n:,} Verteilungen"),
        }[lang]  # fmt: skip
        figures = [f"{mean:.4f} ± {NORMAL * error:.4f}" for mean, error in zip(self.mean, self.error)]
        lines = [words[0].format(seat=seat, gap=number_in(gap, lang)) for seat, gap in zip(seats, figures, strict=True)]
        return "; ".join(lines) + f" ({number_in(words[1].format(n=self.deals), lang)})"


@dataclass(frozen=True)
class _Level:
    """One round of the trees of some deals: nodes, the policy's chances, and where the pairs of choices lead."""

    chances: np.ndarray  # float64[n, A]
    theirs: np.ndarray  # int8[n, A], legal choices of the responder
    parents: np.ndarray  # int64[m]: node of each pair of choices
    own: np.ndarray  # int64[m]: the policy's choice
    other: np.ndarray  # int64[m]: the responder's


class DuelTree:
    """The trees of duels in which `seat` follows a policy; `chances(observations, masks)` gives float64[m, A].

    A policy that must know more of a position than a seat is shown overrides `policy_at`.
    Raises ProbespielError for a game whose seats do not always choose at the same time, or with chance after the deal.
    """

    def __init__(self, game: Game, seat: int, chances: Chances) -> None:
        if game.n_seats != 2 or "my_class" not in game.layout.offsets or game.spec.options["modules"]:
            raise ProbespielError(f"{game.name} ({game.spec.scenario}): the value is known for duels without modules")
        self.game, self.seat, self.chances = game, seat, chances

    @property
    def _rules(self) -> tuple[int, int]:
        return self.game.address, self.game.params_address

    def seen_by(self, states: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray]:
        """Observations float32[n, L] and masks int8[n, A] of the seats at some records."""
        n = len(states)
        observations = np.zeros((n, self.game.layout.size), dtype=np.float32)
        masks = np.zeros((n, self.game.n_actions), dtype=np.int8)
        who = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), (n,)))
        k, p = self._rules
        look(k, p, states, self.game.words, seats=who, observations=observations, masks=masks)
        self.game.kernel.raise_pending()
        return observations, masks

    def policy_at(self, states: np.ndarray) -> np.ndarray:
        """The policy's chances at some records, float64[n, A]."""
        return self.chances(*self.seen_by(states, self.seat))

    def best_three(self, states: np.ndarray, seat: int) -> np.ndarray:
        """Classes of the three best cards of a seat, 0 where it has fewer, float64[n, 3]."""
        view = self.game.layout.view(self.seen_by(states, seat)[0])
        classes = np.rint(view["hand"] * view["my_class"] * 15.0)
        return -np.sort(-classes, axis=1)[:, :3].astype(np.float64)

    def value(self, states: np.ndarray) -> np.ndarray:
        """The responder's EP under E1 for each deal, float64[n]."""
        mine, theirs = self.best_three(states, self.seat), self.best_three(states, 1 - self.seat)
        return np.sign(theirs[:, :, None] - mine[:, None, :]).sum(axis=(1, 2)) / 3.0

    def levels(self, states: np.ndarray) -> tuple[list[_Level], np.ndarray]:
        """The rounds of the trees below some records, and the responder's payoffs at their ends, float64[m]."""
        rounds = int(self.game.spec.params["rounds"][0])
        out: list[_Level] = []
        k, p = self._rules
        while True:
            if check_both(k, p, states) >= 0:
                raise ProbespielError(f"{self.game.name}: the seats do not choose at the same time")
            theirs = self.seen_by(states, 1 - self.seat)[1]
            chances = self.policy_at(states)
            parents, own, other = np.nonzero((chances > 0)[:, :, None] & (theirs != 0)[:, None, :])
            out.append(_Level(chances, theirs, parents, own, other))
            if len(out) == rounds:
                break
            targets = np.empty((len(parents), states.shape[1]), dtype=np.uint8)
            if grow(k, p, states, parents, seat=self.seat, own=own, other=other, targets=targets) >= 0:
                raise ProbespielError(f"{self.game.name}: there is chance after the deal")
            states = targets
        payoffs = np.zeros(len(parents))
        choices = LastChoices(parents=parents, own=own, other=other)
        if finish(k, p, states, choices, seat=self.seat, capacity=self.game.capacity, payoffs=payoffs) >= 0:
            raise ProbespielError(f"{self.game.name}: the game goes on after the last round")
        self.game.kernel.raise_pending()
        return out, payoffs

    def clairvoyant(self, states: np.ndarray) -> np.ndarray:
        """What a responder who knows both hands gets at each record, float64[n]."""
        levels, values = self.levels(states)
        for level in reversed(levels):
            n, actions = level.chances.shape
            # value of each of the responder's choices: the mean over the policy's
            choices = np.zeros((n, actions))
            np.add.at(choices, (level.parents, level.other), level.chances[level.parents, level.own] * values)
            values = np.where(level.theirs != 0, choices, -np.inf).max(axis=1)
        return values


def deals(game: Game, n: int, seed: int) -> Iterator[np.ndarray]:
    """Random deals in blocks of records, uint8[BLOCK, size]."""
    states = np.zeros((n, game.state_size), dtype=np.uint8)
    deal_tables(game.address, game.params_address, states, rng_table(seed, n, "duel gap"))
    game.kernel.raise_pending()
    for i in range(0, n, BLOCK):
        yield states[i : i + BLOCK]


def clairvoyant_gap(game: Game, chances: Chances, n: int = 400, seed: int = 0) -> Gap:
    """Upper bound of what the policy loses to its best response, in EP, over `n` random deals for each of its seats."""
    return gap_of([DuelTree(game, seat, chances) for seat in (0, 1)], n, seed)


def gap_of(trees: Sequence[DuelTree], n: int, seed: int) -> Gap:
    """The same of a policy given by its trees, of seat 0 and of seat 1."""
    low, high = trees[0].game.spec.payoff_range
    means, errors = [], []
    for tree in trees:
        gaps = np.concatenate([tree.clairvoyant(block) - tree.value(block) for block in deals(tree.game, n, seed)])
        means.append(float(gaps.mean()))
        errors.append(error_of(gaps, (0.0, high - low)))  # nobody who sees all cards gets less than the policy
    return Gap((means[0], means[1]), (errors[0], errors[1]), n)


__all__ = ["Chances", "DuelTree", "Gap", "clairvoyant_gap", "deals", "gap_of"]
