"""The levels of play that a game declares, at tables where all are alike: what the module is worth to them, its use.

Levels are whole agents, most of them searches, and take as long as these: a level of which a test cannot afford
`FEWEST` deals is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...agents.base import Agent, Requests, View
from ...agents.declaration import Lineup, agents_of
from ...agents.intervals import NORMAL, unseen
from ...agents.match import FORFEITED, Match
from ...agents.recording import recorded
from ...agents.registry import make_agent
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from .conditions import Condition
from .context import Context
from .lab import Lab
from .play import margins, schedule_of
from .strategies import Prelude

Floats = npt.NDArray[np.float64]
FEWEST, OFTEN = 20, 4  # deals of a level at least, and times those of a rung at most
PART = 1 / 3  # of the work of a rung that may go into a level
BLOCKS = 10  # by which the error of a rate is told
LEARNING = 200  # simulations that a decision of an agent counts as which names none


def lineup_of(context: Context) -> Lineup:
    """Who plays the game."""
    return agents_of(context.bench.system.name).lineups.get(context.bench.settings.game, Lineup())


def level_named(context: Context, number: int) -> str:
    """The agent of a level of the game, from 1; rules under test are not built for that, which workers alone may do.

    A search follows no trained policy: none has met the module, and it would be another player with it than without.
    """
    known = lineup_of(context)
    named = (known.lab_levels or known.levels)[number - 1]
    return f"{named},prior=rollout" if named.startswith("search:") and "prior=" not in named else named


def sims_of(agent: str) -> int:
    """Simulations of one of its decisions."""
    found = re.search(r"\bsims=(\d+)", agent)
    return int(found[1]) if found else LEARNING


def deals_of(context: Context, prelude: Prelude, agent: str) -> int:
    """How many deals of a level a test can afford, 0 if it cannot afford the fewest."""
    games = 2 * len(context.sides)  # with it and without, of every side
    work = games * prelude.choices * sims_of(agent) * prelude.length / 2  # of a deal, in decisions of continuations
    deals = min(OFTEN * context.budget.rung, round(PART * context.budget.rung_work / max(work, 1.0)))
    return deals if deals >= FEWEST else 0


class Watched(Agent):
    """An agent of whom is counted how often some actions were legal beside others, and how often it took one."""

    def __init__(self, agent: Agent, game: Game, marked: Sequence[int]) -> None:
        self.agent, self.name, self.stream = agent, agent.name, agent.stream
        self._marked = game.actions.ids_to_words(sorted(marked))
        self.chances, self.uses = 0, 0

    def reset(self, seed: int) -> None:
        """As the agent does."""
        self.agent.reset(seed)

    def prepare(self, game: Game) -> None:
        """As the agent does."""
        self.agent.prepare(game)

    def act(self, view: View) -> int:
        """Its answer, counted."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Its answers, counted."""
        answers = self.agent.act_batch(requests)
        offered = (requests.words & self._marked).any(axis=1) & (requests.words & ~self._marked).any(axis=1)
        taken = (self._marked[answers >> 5] >> (answers & 31)) & 1
        self.chances += int(offered.sum())
        self.uses += int((offered & (taken != 0)).sum())
        return answers

    def close(self) -> None:
        """As the agent does."""
        self.agent.close()


def share_of_uses(chances: Sequence[int], uses: Sequence[int], deals: int) -> tuple[float | None, float | None]:
    """Uses by chances with the standard error of a ratio over blocks of `deals`; None where there was no chance.

    What was done always, or never, may be done otherwise in one of the next deals.
    """
    n, k = np.asarray(chances, dtype=np.float64), np.asarray(uses, dtype=np.float64)
    if not n.sum():
        return None, None
    rate = float(k.sum() / n.sum())
    if len(n) < 2:
        return rate, None
    error = float(np.sqrt(((k - rate * n) ** 2).sum() * len(n) / (len(n) - 1)) / n.sum())
    return rate, max(error, unseen(deals) / NORMAL) if rate in (0.0, 1.0) else error


# What workers do


def level(
    lab: Lab, conditions: Sequence[Condition], agent: str, deals: int, seed: int, hero: int, path: str = ""
) -> dict[str, Any]:
    """Games in which all play the agent: margins float32[conditions, deals] of side `hero`, and its rate of use.

    Chances are counted where the module can be used and left alone, in all conditions together; an agent that remembers
    the game is not watched. The game of middle result in the last condition is written to the file `path` of the
    folder, if there is one. Raises ProbespielError if the agent fails at a game.
    """
    out = np.zeros((len(conditions), deals), dtype=np.float32)
    counts: list[tuple[int, int]] = []
    for block in np.array_split(np.arange(deals), BLOCKS):
        chances = uses = 0
        for row, condition in enumerate(conditions):
            if not len(block):
                continue
            payoffs, watched = games_of_level(lab, condition, agent, block, seed, hero)
            out[row, block] = margins(lab.bench, condition, payoffs, hero)
            if isinstance(watched, Watched):
                chances, uses = chances + watched.chances, uses + watched.uses
        counts.append((chances, uses))
    rate, error = share_of_uses([n for n, _ in counts], [k for _, k in counts], deals)
    told: dict[str, Any] = {"margins": out, "rate": rate, "error": error}
    if path:
        row = int(np.argsort(out[-1], kind="stable")[(deals - 1) // 2])
        with Match(lab.game(conditions[-1]), [make_agent(agent)], seed, None) as match:
            one = schedule_of(lab.bench, conditions[-1], [(0, 0)], [row], seed, hero=hero)
            replay = recorded(match, one, [agent]).replay
        (lab.folder / path).parent.mkdir(parents=True, exist_ok=True)
        replay.save(lab.folder / path)
        told["game"] = {"deal": row, "result": float(out[-1, row])}
    return told


def games_of_level(
    lab: Lab, condition: Condition, agent: str, deals: npt.NDArray[np.int64], seed: int, hero: int
) -> tuple[Any, Agent]:
    """Payoffs of one match in which all play the agent, and the agent, watched unless it remembers the game.

    Raises ProbespielError if it fails at a game.
    """
    game = lab.game(condition)
    made = make_agent(agent)
    watched = made if made.per_table else Watched(made, game, sorted(lab.marks.actions))
    with Match(game, [watched], seed, None) as match:
        outcome = match.play(schedule_of(lab.bench, condition, [(0, 0)] * len(deals), deals, seed, hero=hero))
    if (outcome.status == FORFEITED).any():
        raise ProbespielError(f"{agent} failed at {game.name}: {next(iter(outcome.messages.values()), '')}")
    return outcome.payoffs, watched


__all__ = ["BLOCKS", "Watched", "deals_of", "games_of_level", "level", "level_named", "share_of_uses", "sims_of"]
