"""What a system declares about who plays it: its baselines, its own agents, and how its games are searched.

`agents/<system>/declaration.py` holds the record `AGENTS`; `envs/core/rooms.py` says how rooms are found. A system
without one is played by what plays everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Protocol

import numpy as np

from ..envs.core.game import Game
from ..envs.core.registry import system_of
from ..envs.core.rooms import declaration
from .base import AgentError, Param, View

LEVEL = "level:"  # what the name of an agent that is a level of its game begins with


class Remembered(Protocol):
    """Working memory of a policy; what it answers must not depend on what is found there."""

    @property
    def address(self) -> int:
        """Where compiled code finds it."""
        ...


@dataclass(frozen=True)
class Baseline:
    """One compiled policy: its function, a line for lists, and the games that it plays (empty: all of its system).

    With parameters or a memory the function takes two more arguments: the parameters' values float64[.], and the
    address of what `memory` made for the game (0 without). A `style` is one more argument, the last one: baselines that
    differ in a number share one function, which is then compiled once. `work`: about how many decisions of random play
    one of its decisions takes, where it takes far more than others (else 1).
    """

    function: Callable[..., int]
    doc: str
    games: tuple[str, ...] = ()
    params: tuple[Param, ...] = ()
    memory: Callable[[Game], Remembered] | None = None
    style: int | None = None
    work: int = 1

    @property
    def takes_more(self) -> bool:
        """Whether the function takes values and a memory."""
        return bool(self.params) or self.memory is not None


@dataclass(frozen=True)
class Outlook:
    """How a position that is not the end counts, where a search does not simulate on.

    `clock(s, p)` tells a time that never goes back (rounds, say); `estimate(s, p, out)` writes the expected payoffs of
    all seats, float64[seats], and is asked where the clock has just moved on. `horizon` is how far it moves until then,
    `c` the exploration and `margin` the caution of the search (see its parameters), unless others are asked for: both
    depend on how much chance there is until the outlook is asked, and how far it can be trusted.
    """

    clock: Callable[..., int]
    estimate: Callable[..., None]
    horizon: int
    c: float = 0.3
    margin: float = 1.0


@dataclass(frozen=True)
class Sight:
    """What a fitted outlook sees of a game, where that is more than a seat's observation (`agents/fitted.py`).

    `clock(s, p)` as in `Outlook`; `features(s, p, seat, out)` writes what is seen for a seat, float32[size], zeroed
    before, and is asked where the clock has just moved on. It may read only what the seat may know. `horizon`, `c` and
    `margin` as in `Outlook`; `shared`: all seats see the same there, and get the same.
    """

    clock: Callable[..., int]
    features: Callable[..., None]
    size: int
    horizon: int
    c: float = 0.3
    margin: float = 1.0
    shared: bool = False


@dataclass(frozen=True)
class Plans:
    """Whole ways to play between which `switch` chooses, and for how long.

    `usual`: the baseline that plays the rest of the game; `among`: those that are compared with it (empty: all).
    `stretch(s, p)` is another number wherever it is to choose anew, and below 0 where it plays as usual; it goes by
    what every seat knows. Without one every decision is a stretch. `every`: each decision is compared anew, and what
    `begun` says is tried: each legal action ("legal"), or what one of the ways would do ("ways"). `margin` as in
    `switch`; `ahead`: games end where the outlook values them.
    """

    usual: str
    among: tuple[str, ...] = ()
    stretch: Callable[..., int] | None = None
    every: bool = False
    begun: str = "legal"
    margin: float = 1.0
    ahead: bool = False


# In a game, lines of actions int64[n] for the seat that answers, the best first, to lines int64[m, n] that were seen.
Replies = Callable[[Game, np.ndarray], Sequence[np.ndarray]]
# Of a game, a decision and a number of seconds: see `foreseen` of a lineup.
Foreseen = Callable[[Game, View, float | None], Mapping[int, float] | None]

# From somebody who sees little and forgets much to a full search; measured in docs/measurements/levels.md.
LEVELS = (
    "casual:sims=8,temperature=0.8,overlook=0.5",
    "casual:sims=16,temperature=0.5,overlook=0.4",
    "casual:sims=32,temperature=0.35,overlook=0.3",
    "casual:sims=64,temperature=0.2,overlook=0.2",
    "casual:sims=150,temperature=0.1,overlook=0.1",
    "search:sims=200",
    "search:sims=1000",
    "search:sims=8000",
)
# Weaker than the first of them, where there is room for it: of the few things that are seen nearly any is done.
NEWCOMER = "casual:sims=6,temperature=3,overlook=0.8"


@dataclass(frozen=True)
class Lineup:
    """Who plays a game, and how a search plays it.

    `rollout`: the baseline that stands for everybody in simulations, or several joined by +, or a function that says so
    for a game. `bulky`: names of blocks of actions that are too large to try all of them (see `narrow` of the search),
    and `advisers`: baselines whose choice is tried besides those of the rollouts where actions are bulky. `outlook`:
    how positions are valued, or a function that makes one for a game, or None for it. `sight`: what a fitted outlook
    sees. `plans`: between which ways to play `switch` chooses, and when, or a function that says so for a game.
    `policy_margin`: the `margin` of a search that follows the trained policy that ships; without one it does so only if
    asked to. `policy_plays`: then the policy plays the simulations, too, and with `policy_solves` those of
    `solve_search`, which then keeps to it (elsewhere that leaves to the search what it decides with a policy).
    `solved`: where who plays as the rollout baselines do loses nothing to anybody, how many standard deviations of
    payoffs an action must be better by for a search to leave that; 0 where that is not so. `policy_solved`: the same of
    the trained policy that ships, where a search follows it and it loses next to nothing to anybody. `field`: who plays
    a tournament if nobody is named (empty: all baselines and a search), with `pairing` games for each two of them where
    somebody searches or runs in Python (None: as in other games). `opponent`: whom a person meets who names nobody, or
    a function that says so for a game; `search` gets a time limit. `counted` says of a game that nothing in it is
    hidden and its two sides want the opposite, so that a hint counts out what is left of it. `levels`: opponents from a
    beginner to the best there is, of whom those that search get a time limit, too; `ratings` are theirs by wins as
    measured by `python -m benchmarks.levels`, the first at 0, 100 points more meaning 64 % of the points (empty: not
    measured); `remark` is what whoever chooses a level should know of them, in English and German. `lab_levels`: whom
    the stress lab asks instead (empty: the same ones). `foreseen`: what the best found behind each action earns from
    who plays an equilibrium, the best first, within so many seconds (None: as long as it takes), where that is known.
    `replies`: where two seats choose without seeing each other, good answers to what one was seen to choose.
    """

    rollout: str | Callable[[Game], str] = "random"
    bulky: tuple[str, ...] = ()
    advisers: tuple[str, ...] = ()
    outlook: Outlook | Callable[[Game], Outlook | None] | None = None
    sight: Sight | None = None
    plans: Plans | Callable[[Game], Plans] | None = None
    policy_margin: float | None = None
    policy_plays: bool = False
    policy_solves: bool = False
    solved: Callable[[Game], float] | None = None
    policy_solved: Callable[[Game], float] | None = None
    field: tuple[str, ...] = ()
    pairing: int | None = None
    opponent: str | Callable[[Game], str] = "search"
    counted: Callable[[Game], bool] | None = None
    levels: tuple[str, ...] = LEVELS
    lab_levels: tuple[str, ...] = ()
    ratings: tuple[float, ...] = ()
    remark: tuple[str, str] = ("", "")
    replies: Replies | None = None
    foreseen: Foreseen | None = None

    def rollout_in(self, game: Game) -> str:
        """Who stands for everybody in the simulations of a game."""
        return self.rollout if isinstance(self.rollout, str) else self.rollout(game)

    def opponent_in(self, game: Game) -> str:
        """Whom a person meets in a game who names nobody."""
        return self.opponent if isinstance(self.opponent, str) else self.opponent(game)


@dataclass(frozen=True)
class Agents:
    """Who plays a system.

    `own`: agents that play this system only, as `file:Class` of the room, by name. `lineups` by game. `abstraction`:
    the file of functions that the solver and its agents read positions by (see `abstraction.py`). `seat_values`: values
    that networks find for each seat inside a longer observation piece: (piece, offset, times the number of seats more).
    `german`: the lines on baselines and own agents, where they are read in German.
    """

    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    lineups: Mapping[str, Lineup] = field(default_factory=dict)
    abstraction: ModuleType | None = None
    seat_values: tuple[tuple[str, int, int], ...] = ()
    german: Mapping[str, str] = field(default_factory=dict)


_NOTHING = Agents()
_NOBODY = Lineup()


def agents_of(system: str) -> Agents:
    """What a system declares on this floor; raises RulesetError."""
    return declaration(system, "agents", "AGENTS", Agents) or _NOTHING


def lineup_of(game: Game) -> Lineup:
    """Who plays a game, and how it is searched."""
    return agents_of(game.spec.system).lineups.get(game.name, _NOBODY)


def agent_named(game: Game | str, name: str) -> str:
    """The agent that a name means in a game: `level:N` is that level of it, any other itself. Raises AgentError."""
    if not name.strip().startswith(LEVEL):
        return name
    called = game if isinstance(game, str) else game.name
    system = system_of(game).name if isinstance(game, str) else game.spec.system
    levels = agents_of(system).lineups.get(called, _NOBODY).levels
    number = name.strip().removeprefix(LEVEL)
    if not levels:
        raise AgentError(f"agent {name!r}: {called} has no levels")
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(levels)):
        raise AgentError(f"agent {name!r}: {called} has {LEVEL}1 to {LEVEL}{len(levels)}")
    return levels[int(number) - 1]


__all__ = [
    "LEVEL",
    "LEVELS",
    "Agents",
    "Baseline",
    "Lineup",
    "Outlook",
    "Plans",
    "Sight",
    "agent_named",
    "agents_of",
    "lineup_of",
]
