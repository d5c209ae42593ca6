"""Entrants of a tournament: an agent, or an agent with a loadout (`AGENT@LOADOUT`) where a system equips sides.

The method `equip` of a system puts a loadout on a side; its rules stay the same, only their parameters differ, so that
all pairs of loadouts share one compiled rule set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.registry import game_names, system_of
from .base import AgentError
from .declaration import agent_named
from .match import Match, Outcome, Schedule
from .outside import TERMS, BotTerms
from .registry import AgentText, make_agent, parse_agent

MARK = "@"


@dataclass(frozen=True)
class Entrant:
    """A name in a tournament taken apart: the agent, and its loadout or an empty text."""

    agent: AgentText
    loadout: str = ""

    @property
    def text(self) -> str:
        """The name in full."""
        return f"{self.agent.text}{MARK}{self.loadout}" if self.loadout else self.agent.text


def can_equip(game: Game) -> bool:
    """Whether the sides of a game can be equipped."""
    return bool(game.spec.system) and game.name in game_names() and system_of(game.name).can_equip


def entrant_of(text: str, game: Game) -> Entrant:
    """Take an entrant apart; raises AgentError, also for an agent that does not play the game, or RulesetError.

    `level:N` enters what that level of the game is played by.
    """
    name, mark, loadout = text.strip().rpartition(MARK)
    if not mark or ".py" in loadout:  # a file of a bot may have the mark in its name
        return Entrant(_known(text, game))
    if not can_equip(game):
        raise AgentError(f"agent {text!r}: {game.name} has no loadouts; leave {MARK + loadout!r} out")
    if not loadout.strip():
        raise AgentError(f"agent {text!r}: after {MARK} comes a loadout")
    entrant = Entrant(_known(name, game), loadout.strip())
    equipped(game, dict.fromkeys([side for side, _ in game.sides], entrant.loadout))  # whether it fits every side
    return entrant


def _known(text: str, game: Game) -> AgentText:
    """An agent taken apart that a tournament of the game can ask for: that it cannot is said before rules compile."""
    parsed = parse_agent(agent_named(game, text))
    if not parsed.outside:  # a bot's file is read by a process of its own
        make_agent(parsed, game.name).close()
    return parsed


def equipped(game: Game, loadouts: Mapping[str, str]) -> Game:
    """The game with loadouts on some sides; raises RulesetError."""
    system = system_of(game.name)
    options = system.equip(game.spec.options, loadouts)
    return Game(system.restore(game.name, game.spec.scenario, options), game.kernel.compiled)


class LoadoutMatch:
    """A match of entrants, each with its own loadout: like `Match`, one such for every pair of loadouts.

    All seats of a side must belong to one entrant. Dice and seeds are those of `Match` with the same agents, so that
    loadouts are compared on the same dice.
    """

    def __init__(
        self,
        game: Game,
        entrants: Sequence[Entrant],
        seed: int = 0,
        move_seconds: float | None = None,
        bots: BotTerms = TERMS,
    ) -> None:
        self.game, self.entrants, self.seed, self.move_seconds = game, tuple(entrants), seed, move_seconds
        self.bots = bots
        texts = list(dict.fromkeys(entrant.agent.text for entrant in self.entrants))
        self.index = np.array([texts.index(entrant.agent.text) for entrant in self.entrants])
        self.agents = [self.entrants[self.index.tolist().index(i)].agent for i in range(len(texts))]
        self._first = [seats[0] for _, seats in game.sides]
        self._names = [side for side, _ in game.sides]
        self._kept: dict[tuple[str, ...], Match] = {}
        self._match((self.entrants[0].loadout,) * len(self._names))  # bad agents show at once

    def __enter__(self) -> LoadoutMatch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def may_forfeit(self) -> bool:
        """Whether an agent may forfeit (`Match.may_forfeit`)."""
        return any(match.may_forfeit for match in self._kept.values())

    def close(self) -> None:
        """Close all agents."""
        for match in self._kept.values():
            match.close()
        self._kept = {}

    def _match(self, worn: tuple[str, ...]) -> Match:
        """The agents in a game with a loadout on each side."""
        if worn not in self._kept:
            loadouts = {side: loadout for side, loadout in zip(self._names, worn, strict=True) if loadout}
            game = equipped(self.game, loadouts) if loadouts else self.game
            self._kept[worn] = Match(game, self.agents, self.seed, self.move_seconds, bots=self.bots)
        return self._kept[worn]

    def _release(self, worn: tuple[str, ...]) -> None:
        """Agents in Python may hold a lot of memory or a process: they are made anew when they are needed again."""
        if any(player.native is None for player in self._kept[worn].players):
            self._kept.pop(worn).close()

    def of_row(self, schedule: Schedule, absent: Collection[int] = ()) -> tuple[Match, Schedule, tuple[int, ...]]:
        """The match that plays a schedule of one game, that game as its schedule, and who is absent there."""
        worn = tuple(self.entrants[int(i)].loadout for i in schedule.seating[0, self._first])
        row = Schedule(self.index[schedule.seating], schedule.dice, schedule.tables)
        return self._match(worn), row, tuple(sorted({int(self.index[i]) for i in absent}))

    def play(self, schedule: Schedule, absent: Collection[int] = ()) -> Outcome:
        """Play all games; see `Match.play`."""
        seating = schedule.seating
        n, seats = seating.shape
        sides = seating[:, self._first]
        for at, (_, members) in enumerate(self.game.sides):
            if (seating[:, list(members)] != sides[:, at : at + 1]).any():
                raise ProbespielError("with loadouts, all seats of a side belong to one entrant")
        outcome = Outcome(
            np.zeros((n, seats)),
            np.zeros((n, seats), dtype=np.int8),
            np.zeros((n, seats), dtype=np.int32),
            np.zeros((n, seats), dtype=np.int8),
            np.zeros(n, dtype=np.int8),
        )
        gone: set[int] = set()
        worn = [tuple(self.entrants[int(i)].loadout for i in row) for row in sides]
        groups: dict[tuple[str, ...], list[int]] = {}
        for row, key in enumerate(worn):
            groups.setdefault(key, []).append(row)
        stopped = {int(self.index[i]) for i in absent}
        for key, rows in groups.items():
            at = np.array(rows)
            part = Schedule(self.index[seating[at]], schedule.dice[at], schedule.tables[at])
            found = self._match(key).play(part, stopped)
            for name in ("payoffs", "results", "decisions", "offences", "status"):
                getattr(outcome, name)[at] = getattr(found, name)
            outcome.messages |= {(rows[row], seat): text for (row, seat), text in found.messages.items()}
            gone |= set(found.stopped)
            self._release(key)
        outcome.stopped = tuple(i for i in np.unique(seating).tolist() if int(self.index[i]) in gone)
        return outcome


AnyMatch = Match | LoadoutMatch

__all__ = ["MARK", "AnyMatch", "Entrant", "LoadoutMatch", "can_equip", "entrant_of", "equipped"]
