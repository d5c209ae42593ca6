"""The design of a tournament: pairings, seatings, deals and blocks, and the settings that decide its games.

Every pair of agents plays the same deals, but pairs with a bot from outside have deals of their own: it could know the
cards of a deal that it has played before. A deal is played in all *seatings* of the pair: with two sides, each agent
takes each side once (in a duel the seats are swapped; in a melee an agent takes all seats of its side). In games of
more sides each agent takes each side once against copies of the other on all other sides, so that a deal of n sides
makes 2n games and either agent sits alone as often as in company. In games of one side each agent plays the deal by
itself (`lone.py`).

A *block* holds the same deals of all pairings, or of those that still play. It is the unit of work, of the files and of
the bootstrap; the number of deals in a block depends on nothing but the number of games.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from probespiel import __version__

from ... import agents
from ...agents.entrants import AnyMatch, Entrant, LoadoutMatch, entrant_of
from ...agents.match import Match, Outcome, Schedule, deal_seeds
from ...agents.outside import TERMS, BotTerms
from ...agents.policy import shipped_policies
from ...agents.registry import AgentText, parse_agent
from ...envs.core.brief import brief
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.jit import digest
from ...envs.core.keys import check_seed
from ...envs.core.recipes import rebuild, recipe_of
from ...envs.core.rooms import folder_of, outside_systems
from ...envs.core.setups import moved_modules
from .lone import lone_seatings, play_once
from .results import SCHEMA, make_table

BLOCKS = 100  # of a tournament with enough deals
MOST_DEALS = 5000  # in a block, so that a block fits into memory and is lost only as a small part
MOST_GAMES = 10**9  # of a pairing: 200,000 blocks, which are files of a folder


class TournamentError(ProbespielError):
    """A tournament that cannot be played or continued; the text says why and what to do."""


def check_field(texts: Sequence[str], games: int = 1) -> None:
    """Raise TournamentError for agents (by their texts) and games of each pairing that make no tournament.

    That is an agent named twice, fewer than two, and games outside 1..MOST_GAMES.
    """
    for text in texts:
        if texts.count(text) > 1:
            raise TournamentError(f"agent {text!r} is named twice")
    if len(texts) < 2:
        raise TournamentError(f"a tournament needs two agents at least, not {len(texts)}")
    if not 1 <= games <= MOST_GAMES:
        raise TournamentError(f"games = {brief(games)} is not allowed: 1 to {MOST_GAMES:,} of each pairing")


def seatings(game: Game) -> list[tuple[int, ...]]:
    """All seatings of a pair: for each, 0 or 1 (first or second agent) for every seat."""
    sides = [seats for _, seats in game.sides]
    if len(sides) == 1:
        return lone_seatings(game.n_seats)
    found = [tuple(int((s in side) != (first == 0)) for s in range(game.n_seats)) for side in sides for first in (0, 1)]
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Plan:
    """Everything that decides the games of a tournament; can be sent to another process.

    `games` for each pairing are rounded up to whole deals. `pairings` are pairs of indexes into `entrants`.
    """

    recipe: Mapping[str, Any]
    entrants: tuple[Entrant, ...]
    seating: tuple[tuple[int, ...], ...]
    sides: tuple[int, ...]
    asked: int
    seed: int
    move_seconds: float | None
    bots: BotTerms
    drawn: bool
    settings: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        game: Game,
        entrants: Sequence[Entrant],
        games: int,
        seed: int,
        move_seconds: float | None,
        bots: BotTerms = TERMS,
        drawn: bool = False,
        more: Mapping[str, Any] | None = None,
    ) -> Plan:
        """The plan for a game; `drawn` says that nobody has chosen the seed, `more` are further settings.

        Raises TournamentError for settings that make no tournament, RulesetError for a seed outside 0..2**128-1.
        """
        texts = [entrant.text for entrant in entrants]
        check_field(texts, games)
        check_seed(seed)
        recipe = recipe_of(game)
        settings = {
            "game": recipe["game"],
            "agents": texts,
            "games": games,
            "seed": seed,
            "move-seconds": move_seconds,
            "bot-memory": bots.memory,
            "shared-bots": bots.shared,
            **recipe,
            "files of the agents": _files([entrant.agent for entrant in entrants]),
            "code of the agents": _code(),
            **(more or {}),
        }
        side = {seat: index for index, (_, seats) in enumerate(game.sides) for seat in seats}
        return cls(
            recipe,
            tuple(entrants),
            tuple(seatings(game)),
            tuple(side[s] for s in range(game.n_seats)),
            games,
            seed,
            move_seconds,
            bots,
            drawn,
            json.loads(json.dumps(settings, default=str)),
        )

    @classmethod
    def restored(cls, settings: Mapping[str, Any]) -> Plan:
        """The plan of a tournament by its settings, those of now: `differences` says what is not as it was then.

        Raises ProbespielError if the game or an agent cannot be had any more, or if its rules have changed.
        """
        try:
            game = rebuild(settings, compiled=False)
            entrants = [entrant_of(text, game) for text in settings["agents"]]
            bots = BotTerms(settings["bot-memory"], settings["shared-bots"])
            more = {name: settings[name] for name in ("until",) if name in settings}
            return cls.of(
                game, entrants, settings["games"], settings["seed"], settings["move-seconds"], bots, more=more
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise TournamentError(f"these are no settings of a tournament: {type(error).__name__}: {error}") from None

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return tuple(entrant.text for entrant in self.entrants)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the settings: equal hashes mean equal games."""
        return digest([json.dumps(self.settings, sort_keys=True)])

    @cached_property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """All pairs of agents."""
        return tuple(combinations(range(len(self.agents)), 2))

    @cached_property
    def outside(self) -> bool:
        """Whether bots from outside take part."""
        return any(entrant.agent.outside for entrant in self.entrants)

    @property
    def secret(self) -> bool:
        """Whether the seed must not be read by anybody while the tournament is played."""
        return self.drawn and self.outside

    def earnings(self, match: AnyMatch) -> tuple[float, float]:
        """Between what the mean payoff of an agent over all seatings of a deal lies, by the bounds of the seats.

        Where payoffs add up to 0, the seats of one agent gain no more than those of the other can lose. A forfeit may
        pay a seat what another one can get, so that all have the widest bounds where somebody may forfeit. The bounds
        of a game say nothing about one with loadouts: there it is the range of all payoffs.
        """
        game = match.game
        if any(entrant.loadout for entrant in self.entrants):
            return game.spec.payoff_range
        low, high = np.array(game.spec.bounds_of_seats).T
        if match.may_forfeit:
            return float(low.min()), float(high.max())
        own = np.array(self.seating) == 0
        least, most = own @ low, own @ high
        if game.spec.zero_sum:
            least, most = np.maximum(least, -(~own @ high)), np.minimum(most, -(~own @ low))
        return float(least.sum() / own.sum()), float(most.sum() / own.sum())

    @property
    def deals(self) -> int:
        """Deals of each pairing."""
        return -(-self.asked // len(self.seating))

    @property
    def deals_a_block(self) -> int:
        """Deals of each pairing in a block; the last block may have fewer."""
        return min(-(-self.deals // BLOCKS), MOST_DEALS)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.deals // self.deals_a_block)

    @property
    def games_a_pairing(self) -> int:
        """Games of each pairing, over all deals and seatings."""
        return self.deals * len(self.seating)

    @property
    def games(self) -> int:
        """Games of the whole tournament."""
        return self.games_a_pairing * len(self.pairings)

    def deals_of(self, block: int) -> range:
        """Numbers of the deals in a block."""
        return range(block * self.deals_a_block, min((block + 1) * self.deals_a_block, self.deals))

    def place_of(self, game: int) -> tuple[int, int]:
        """The block and the index of the pairing of a game, by its number; raises TournamentError if there is none."""
        if not 0 <= game < self.games:
            raise TournamentError(f"game {game} is not allowed: 0 to {self.games - 1}")
        pairing, at = divmod(game, self.games_a_pairing)
        return at // len(self.seating) // self.deals_a_block, pairing

    def games_of(self, block: int, playing: Sequence[int] | None = None) -> int:
        """Games in a block in which the pairings of these indexes play (all without)."""
        count = len(self.pairings) if playing is None else len(playing)
        return len(self.deals_of(block)) * len(self.seating) * count

    def block(self, block: int, playing: Sequence[int] | None = None) -> tuple[Schedule, dict[str, np.ndarray]]:
        """The schedule of a block, and for every game its `pairing`, `deal`, `seating` and number `game`, int64[n].

        Only the pairings with the indexes `playing` play (all without); their games are the same whoever else plays.
        """
        deals = np.array(self.deals_of(block))
        who_plays = np.arange(len(self.pairings)) if playing is None else np.array(playing)
        turns = len(self.seating)
        pairing = np.repeat(who_plays, len(deals) * turns)
        at = np.tile(np.repeat(np.arange(len(deals)), turns), len(who_plays))
        deal, turn = deals[at], np.tile(np.arange(turns), len(who_plays) * len(deals))
        seated = np.array(self.pairings)[who_plays][:, np.array(self.seating)]  # pairing, turn, seat
        who = np.broadcast_to(seated[:, None], (len(who_plays), len(deals), *seated.shape[1:]))
        number = (pairing * self.deals + deal) * turns + turn
        about = {"pairing": pairing, "deal": deal, "seating": turn, "game": number}
        series = [self._series(pair) for pair in self.pairings]
        dice, tables = np.zeros(len(deal), dtype=np.uint64), np.zeros(len(deal), dtype=np.uint64)
        for one in dict.fromkeys(series):
            rows = np.array([other == one for other in series])[pairing]
            for seeds, of_deal in zip((dice, tables), deal_seeds(self.seed, deals, one), strict=True):
                seeds[rows] = of_deal[at[rows]]
        return Schedule(who.reshape(len(deal), -1), dice, tables), about

    def _series(self, pair: tuple[int, int]) -> tuple[str, ...]:
        """The series of deals of a pairing: one of its own where a bot from outside could remember them."""
        outside = any(self.entrants[i].agent.outside for i in pair)
        return tuple(sorted(self.entrants[i].text for i in pair)) if outside else ()

    def play(self, match: AnyMatch, schedule: Schedule, absent: Collection[int] = ()) -> Outcome:
        """What becomes of a schedule of this plan; the agents `absent` forfeit without being asked."""
        return play_once(match, schedule, absent) if max(self.sides) == 0 else match.play(schedule, absent)

    def table(self, block: int, schedule: Schedule, about: Mapping[str, np.ndarray], outcome: Outcome) -> pa.Table:
        """The rows of a block in the form of `results.SCHEMA`."""
        n, seats = schedule.seating.shape
        columns: dict[str, np.ndarray] = {name: np.repeat(values, seats) for name, values in about.items()}
        columns |= {
            "block": np.full(n * seats, block),
            "seat": np.tile(np.arange(seats), n),
            "team": np.tile(np.array(self.sides), n),
            "agent": schedule.seating,
            "payoff": outcome.payoffs,
            "result": outcome.results,
            "decisions": outcome.decisions,
            "forfeit": outcome.offences,
            "length": np.repeat(outcome.lengths, seats),
        }
        types = {field.name: field.type.to_pandas_dtype() for field in SCHEMA}
        return make_table({name: np.ravel(values).astype(types[name]) for name, values in columns.items()})

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that decide the games, as the settings name them: bots, what they read, rule modules."""
        agents = [path for entrant in self.entrants for path in entrant.agent.files]
        modules = [path for path in self.recipe["modules"] if path.endswith(".py")]
        return tuple(dict.fromkeys([*agents, *modules]))

    def moved(self, files: Mapping[str, str]) -> Plan:
        """The same games where the files lie elsewhere: places by path."""
        modules = moved_modules(self.recipe["modules"], files)
        entrants = tuple(dataclasses.replace(one, agent=one.agent.moved(files)) for one in self.entrants)
        return dataclasses.replace(self, recipe={**self.recipe, "modules": modules}, entrants=entrants)

    def game(self) -> Game:
        """The game, built anew."""
        return rebuild(self.recipe)

    def match(self, game: Game) -> AnyMatch:
        """The agents, ready to play."""
        if any(entrant.loadout for entrant in self.entrants):
            return LoadoutMatch(game, self.entrants, self.seed, self.move_seconds, self.bots)
        agents = [entrant.agent for entrant in self.entrants]
        return Match(game, agents, self.seed, self.move_seconds, bots=self.bots)

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """What differs from settings that were stored ("name was ..., is now ..."); a seed left out does not."""
        return _differences({"seed": self.seed, **other}, self.settings, "")


def _differences(before: Mapping[str, Any], now: Mapping[str, Any], prefix: str) -> list[str]:
    found: list[str] = []
    for name in [*now, *(name for name in before if name not in now)]:
        old, new = before.get(name), now.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differences(old, new, f"{prefix}{name}: ")
        elif old != new:
            found.append(f"{prefix}{name} was {_short(old)}, is now {_short(new)}")
    return found


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:197] + "..."


def version_of(agent: str) -> str:
    """The version of an agent, by its text: a hash of the files that it is made of or reads, and of this package's.

    An agent that comes with this package changes with it, a bot of somebody else only with its files.
    """
    parsed = parse_agent(agent)
    files = _files([parsed])
    content = list(files.values()) if parsed.outside and files else [_code(), *files.values()]
    return digest(content)[:16]


def _files(agents: Sequence[AgentText]) -> dict[str, str]:
    """Hashes of the files that agents are made of or read: an edited bot is another bot."""
    found: dict[str, str] = {}
    for parsed in agents:
        found |= {path: _hash([Path(path)]) for path in parsed.files}
    return found


_CODE = (".py", ".npz")


def _code() -> str:
    """A hash of the agents that come with this package and with outside systems, and its version."""
    folders = [Path(str(agents.__file__)).parent, *(folder_of(system, "agents") for system in outside_systems())]
    files = [path for folder in folders if folder is not None for path in folder.rglob("*") if path.suffix in _CODE]
    return f"{__version__} {_hash([*sorted(files), *shipped_policies().values()])}"


def _hash(paths: Sequence[Path]) -> str:
    return digest([path.read_bytes().hex() for path in paths])
