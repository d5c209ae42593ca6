"""A player who makes mistakes as people do: looks not far ahead, overlooks things, and tells values badly apart."""

from __future__ import annotations

import numpy as np

from ..envs.core.game import Game
from ..envs.core.rng import rand_float, rng_array
from .base import Agent, Param, View
from .search import SearchAgent


class CasualAgent(Agent):
    """A shallow search whose answer is drawn: the better an action looks the likelier, unless it is overlooked.

    Values are compared by how far apart the best and the worst of the position are, so that a small `temperature` gives
    away little where all actions are alike, and much only where much is at stake and looks alike. With a `lapse` below
    1 only that share of its decisions is drawn, and the others are what the search says: where one bad decision of
    fifty loses a game, a player of some skill must go wrong more rarely.
    """

    params = (
        Param("sims", 50, "simulations a decision", 1, 10**9, (), int),
        Param("seconds", None, "time a decision; what is reached first ends it", 0.0, 86400.0, (), float, True),
        Param(
            "temperature", 0.3, "of the draw, in distances between best and worst; 0: the best", 0.0, 100.0, (), float
        ),
        Param("overlook", 0.2, "chance with which each action is not seen at all", 0.0, 1.0, (), float),
        Param("lapse", 1.0, "share of decisions that are drawn; in the others the best is taken", 0.0, 1.0, (), float),
    )

    def __init__(
        self,
        sims: int = 50,
        seconds: float | None = None,
        temperature: float = 0.3,
        overlook: float = 0.2,
        lapse: float = 1.0,
    ) -> None:
        given = locals()
        values = {p.name: p.check(given[p.name]) for p in self.params}
        self.temperature: float = values["temperature"]
        self.overlook: float = values["overlook"]
        self.lapse: float = values["lapse"]
        self.name = "casual"
        # what is known by training would hide how shallow the search is
        self._search = SearchAgent(sims=values["sims"], seconds=values["seconds"], prior="rollout")

    def prepare(self, game: Game) -> None:
        """Prepare the search; raises AgentError if it cannot play the game."""
        self._search.prepare(game)

    def act(self, view: View) -> int:
        """One decision."""
        if len(view.legal) == 1:
            return view.legal[0]
        found = self._search.analyse(view)
        if self.lapse < 1.0 and rand_float(rng_array(view.seed, "lapse")) >= self.lapse:
            return found.action
        rng = rng_array(view.seed, "casual")  # not that of the search
        seen = [a for a in view.legal if found.visits[a] > 0] or [found.action]
        kept = [a for a in seen if rand_float(rng) >= self.overlook]
        if not kept:
            kept = [seen[int(rand_float(rng) * len(seen))]]
        return kept[draw(found.values[kept], self.temperature, rand_float(rng))]


def draw(values: np.ndarray, temperature: float, at: float) -> int:
    """The index drawn from softmax(values / (temperature x their range)) with `at` in [0, 1).

    Equal values are equally likely; temperature 0 draws the first of the best.
    """
    spread = float(values.max() - values.min())
    if temperature == 0.0:
        return int(values.argmax())
    scaled = np.zeros(len(values)) if spread == 0.0 else (values - values.max()) / (spread * temperature)
    weights = np.cumsum(np.exp(scaled))
    return min(int(np.searchsorted(weights, at * weights[-1], side="right")), len(values) - 1)


__all__ = ["CasualAgent", "draw"]
