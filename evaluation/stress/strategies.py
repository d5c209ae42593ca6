"""The strategies of the stress lab, and mixtures of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .findings import SideMixture


@dataclass(frozen=True)
class Strategy:
    """A strategy of the lab: a baseline with a way of using the module, action values learned, or any other agent.

    `net` is the file of the action values (empty: none), `scope` the decisions that they take, `agent` the text of
    another agent, for instance a search. `whether` is the file of action values by which the module is used or not, and
    nothing else is decided (empty: none). With the chance `overlook` it does not see that it could use the module.
    `answer` is the action that it takes wherever that is legal, of the use "answer". Strategies of one `stream` (empty:
    the name) throw alike, so that what was learned in the same way in two conditions differs by the conditions alone
    (common random numbers). `seat` is the side for which alone it was learned (empty: it plays on every side).
    """

    name: str
    base: str = ""
    use: str = "as_is"
    net: str = ""
    scope: str = "nowhere"
    temperature: float = 0.0
    agent: str = ""
    stream: str = ""
    whether: str = ""
    overlook: float = 0.0
    answer: int = -1
    seat: str = ""

    @property
    def in_any_seat(self) -> str:
        """Its name without the side for which it was learned: that of what each side has learned in the same way."""
        return self.name.replace(f"{COUNTERS} as {self.seat} ", f"{COUNTERS} ", 1) if self.seat else self.name

    def deciding(self, other: Strategy) -> Strategy:
        """The same, using the module when `other` would, by its action values; all that it does else stays as it is."""
        way = ANSWERS_IT if other.name.startswith(ANSWERS_IT) else USES_IT
        name = f"{self.name}, {way} {other.name[other.name.rfind('(') :]}"  # with the learner's number
        return replace(self, use="as_is", answer=-1, whether=other.net, name=name, stream=self.stream or self.name)

    def using(self, use: str) -> Strategy:
        """The same, held to a way of using the module; it throws alike, so that they differ by the use alone."""
        if use == "as_is":
            return replace(self, use=use, answer=-1)
        name = f"{self.name}, {USE_WORDS[use]}"
        return replace(self, use=use, answer=-1, name=name, stream=self.stream or self.name)

    @property
    def answering_blindly(self) -> Strategy:
        """The same, drawing its answers where the module has all of them: nothing is used then, or left alone."""
        return replace(self.using("random"), name=f"{self.name}{BLINDLY}")

    def answering(self, action: int, text: str) -> Strategy:
        """The same, always taking one action of the module where it is legal; `text` is what it is called."""
        name = f"{self.name}{ANSWERS}{text}”"
        return replace(self, use="answer", answer=action, name=name, stream=self.stream or self.name)

    def overlooking(self, chance: float) -> Strategy:
        """The same, with a chance not to see that it could use the module; what it does else stays as it is."""
        name = f"{self.name}, overlooks it with the chance {chance:g}"
        return replace(self, overlook=chance, name=name, stream=self.stream or self.name)

    @property
    def free(self) -> Strategy:
        """The same, held to no way of using the module."""
        if self.use == "as_is":
            return self
        words = f", {USE_WORDS[self.use]}" if self.use in USE_WORDS else self.name[self.name.rfind(ANSWERS) :]
        name = self.name.removesuffix(words).removesuffix(BLINDLY)
        return replace(self, use="as_is", answer=-1, name=name, stream=_own(self.stream, name))

    @property
    def leaving(self) -> Strategy:
        """The same, leaving the module alone, under the same name, by which its luck goes."""
        return replace(self, use="never", answer=-1)


def _own(stream: str, name: str) -> str:
    """A stream, empty where it is the name."""
    return "" if stream == name else stream


def once_each(strategies: Iterable[Strategy]) -> list[Strategy]:
    """Every strategy once, in their order; raises ValueError if two differ under one name: they would be mixed up."""
    known: dict[str, Strategy] = {}
    for strategy in strategies:
        if known.setdefault(strategy.name, strategy) != strategy:
            raise ValueError(f"two strategies are named {strategy.name!r}")
    return list(known.values())


USE_WORDS = {
    "as_is": "as it likes",
    "always": "always uses it",
    "never": "never uses it",
    "coin": "tosses a coin",
    "random": "uses it blindly",
}
ANSWERS = ", always answers “"
BLINDLY = ", answers blindly"
COUNTERS = "counters the others"
USES_IT, ANSWERS_IT = "uses it when it pays", "answers as it pays"  # what a learner of the module's actions does


@dataclass(frozen=True)
class Mixture:
    """Strategies with their weights for one side."""

    strategies: tuple[Strategy, ...]
    weights: tuple[float, ...]


Pair = tuple[Mixture, Mixture]  # what side 0 plays, and all others


@dataclass(frozen=True)
class Prelude:
    """The baselines, and the strongest of them, on which strategies of the lab are built.

    Of games of the strongest with itself when everybody has the module: mean numbers of decisions (`length`), of those
    with several legal actions (`choices`), and of legal actions there; and the deviation of their results. `rollout`
    names who plays simulations of searches. `weakest`: baselines that can be done without, those first that lose most.
    """

    baselines: tuple[Strategy, ...]
    anchor: Strategy
    length: float = 1.0
    choices: float = 1.0
    legal: float = 2.0
    deviation: float = 0.0
    rollout: str = "auto"
    weakest: tuple[Strategy, ...] = ()

    @property
    def others(self) -> list[Strategy]:
        """All baselines but the strongest."""
        return [s for s in self.baselines if s != self.anchor]


@dataclass(frozen=True)
class Chosen:
    """By condition: the pools of both sides, and their mixtures of each learner's seed alone and, last, of all."""

    pools: Mapping[str, Sequence[Sequence[Strategy]]]
    mixtures: Mapping[str, Sequence[Pair]]

    def of_seeds(self, name: str) -> Sequence[Pair]:
        """What is played in a condition, by each learner's seed alone."""
        return self.mixtures[name][:-1]

    def moved(self, name: str, held: bool) -> list[Pair]:
        """What is played in a condition by each learner's seed alone, to be played in another one.

        With `held` they leave the module alone, which they have never seen; their own luck stays the same.
        """
        return [(_kept(rows, held), _kept(columns, held)) for rows, columns in self.of_seeds(name)]

    def all_moved(self, name: str, held: bool) -> Pair:
        """The same with all strategies at hand."""
        rows, columns = self.of_all(name)
        return _kept(rows, held), _kept(columns, held)

    def of_all(self, name: str) -> Pair:
        """What is played in a condition with all strategies at hand."""
        return self.mixtures[name][-1]

    def told(self, names: Sequence[str]) -> dict[str, tuple[SideMixture, ...]]:
        """The mixtures of all strategies for the report; `names` of the sides."""
        return {
            name: tuple(
                SideMixture(side, {s.name: w for s, w in zip(mixture.strategies, mixture.weights)})
                for side, mixture in zip(names, mixtures[-1])
            )
            for name, mixtures in self.mixtures.items()
        }


def _kept(mixture: Mixture, held: bool) -> Mixture:
    if not held:
        return mixture
    return Mixture(tuple(s.leaving for s in mixture.strategies), mixture.weights)


def joined(rows: Mixture, columns: Mixture) -> tuple[list[Strategy], list[float], list[float]]:
    """One list of players, and both mixtures over it."""
    players = once_each((*rows.strategies, *columns.strategies))
    at = {s.name: i for i, s in enumerate(players)}
    out = np.zeros((2, len(players)))
    for line, mixture in enumerate((rows, columns)):
        for strategy, weight in zip(mixture.strategies, mixture.weights):
            out[line, at[strategy.name]] += weight
    return players, out[0].tolist(), out[1].tolist()


def mixture_of(strategies: Sequence[Strategy], weights: Sequence[float], least: float = 0.02) -> Mixture:
    """A mixture without strategies that are hardly played."""
    kept = [(s, w) for s, w in zip(strategies, weights) if w >= least]
    total = sum(w for _, w in kept)
    return Mixture(tuple(s for s, _ in kept), tuple(w / total for _, w in kept))


__all__ = [
    "ANSWERS_IT",
    "COUNTERS",
    "USES_IT",
    "USE_WORDS",
    "Chosen",
    "Mixture",
    "Pair",
    "Prelude",
    "Strategy",
    "joined",
    "mixture_of",
    "once_each",
]
