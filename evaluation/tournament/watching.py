"""A game of a tournament to be watched: played once more from the seed, and compared with what was played then.

Tournaments keep results, not moves. The seed decides every game, so that one can be played again by itself; who got
what, how many decisions every seat took and who forfeited must be as they are in the block, or nothing is shown.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.match import Schedule
from ...agents.players import UNASKED
from ...agents.recording import Recorded, recorded
from ...envs.core.jit import digest
from ...envs.core.replay import Replay
from ...envs.core.setups import at_hand
from .files import read_notes, stored_settings
from .plan import Plan, TournamentError
from .results import FORFEITS, ResultsError, column, part_path, read_part

REPLAYS = "replays"


@dataclass(frozen=True)
class Watched:
    """A game of a tournament as a replay: its number, its block, and what there is to know before one looks.

    `changed` says what is not as it was when the tournament was played; `forfeits` who forfeited it and why, by name of
    the seat: the replay ends at that decision.
    """

    replay: Replay
    game: int
    block: int
    changed: tuple[str, ...]
    forfeits: Mapping[str, str]


def watched(folder: Path, game: int, *, trust: bool = False) -> Watched:
    """Play a game of the tournament in a folder once more, by its number.

    Raises TournamentError if it was not played, if it comes out otherwise now, or without `trust` if that would run
    files that the folder names: bots from outside and rule modules. Other ProbespielErrors say that the game or an
    agent cannot be had any more.
    """
    settings = stored_settings(folder)
    if not trust and (named := _files_named(settings)):
        raise TournamentError(
            f"{folder} names files ({', '.join(named[:3])}) that would be run to play the game again: add "
            "--trust-files if you trust them"
        )
    now = {**settings, "modules": at_hand(settings.get("modules") or {}, folder)}
    plan = Plan.restored(now)
    block, pairing = plan.place_of(game)
    played = _played(folder, settings, plan, block, game)
    found = _again(folder, plan, block, pairing, game)
    if why := _difference(plan, played, found):
        outside = [plan.agents[i] for i in plan.pairings[pairing] if plan.entrants[i].agent.outside]
        reason = (
            f"a bot from outside ({', '.join(outside)}) need not play the same twice"
            if outside
            else "an agent that goes by the clock, or another machine, need not play the same twice"
        )
        raise TournamentError(
            f"game {game} of {folder} cannot be shown: played again {why}; {reason}. Its result stands"
        )
    names = [seat.name for seat in found.replay.game.seats]
    told = {names[seat]: fault.message for seat, fault in sorted(found.faults.items())}
    return Watched(found.replay, game, block, tuple(plan.differences(now)), told)


def _files_named(settings: Mapping[str, Any]) -> list[str]:
    """The files that settings name: bots, what they read, rule modules."""
    modules = [str(name) for name in settings.get("modules") or {} if str(name).endswith(".py")]
    return [*modules, *(str(path) for path in settings.get("files of the agents") or {})]


def _played(folder: Path, settings: Mapping[str, Any], plan: Plan, block: int, game: int) -> dict[str, np.ndarray]:
    """What was played, by seat: payoff, decisions, forfeit, agent."""
    fingerprint = digest([json.dumps(settings, sort_keys=True)])
    try:
        table = read_part(folder, block, fingerprint=fingerprint, n_agents=len(plan.agents))
    except ResultsError as error:
        raise TournamentError(f"game {game} of {folder} was not played, or its block is gone: {error}") from None
    rows = np.flatnonzero(column(table, "game") == game)
    if not len(rows):
        raise TournamentError(f"{part_path(folder, block)} has no game {game}: its pair had stopped playing by then")
    return {name: column(table, name)[rows] for name in ("payoff", "decisions", "forfeit", "agent")}


def _again(folder: Path, plan: Plan, block: int, pairing: int, game: int) -> Recorded:
    """The game, played once more; who was not asked then is not asked now."""
    schedule, about = plan.block(block, (pairing,))
    row = np.flatnonzero(about["game"] == game)
    one = Schedule(schedule.seating[row], schedule.dice[row], schedule.tables[row])
    messages = read_notes(folder, block).messages
    unasked = {
        int(one.seating[0, seat]) for number, seat, text in messages if number == game and text.startswith(UNASKED)
    }
    # Nobody but the two is made: what an agent does depends on its name and the seeds alone.
    two = plan.pairings[pairing]
    table = dataclasses.replace(plan, entrants=tuple(plan.entrants[i] for i in two))
    absent = [k for k, agent in enumerate(two) if agent in unasked]
    with table.match(plan.game()) as match:
        return recorded(
            match, dataclasses.replace(one, seating=np.searchsorted(two, one.seating)), table.agents, absent
        )


def _difference(plan: Plan, played: Mapping[str, np.ndarray], found: Recorded) -> str:
    """What came out otherwise; empty if nothing did."""
    kinds = np.array([found.faults[seat].code if seat in found.faults else 0 for seat in range(len(plan.sides))])
    if (kinds != played["forfeit"]).any():
        told = [", ".join(FORFEITS[kind] for kind in of) for of in (kinds, played["forfeit"])]
        return f"it ends with other forfeits by seat ({told[0]}; then {told[1]})"
    if (found.decisions != played["decisions"]).any():
        counts = [", ".join(map(str, of)) for of in (found.decisions, played["decisions"])]
        return f"it takes other decisions ({counts[0]} by seat; then {counts[1]})"
    payoffs = np.array(found.replay.payoffs)
    if not kinds.any() and (payoffs != played["payoff"]).any():
        return f"it pays {', '.join(f'{x:g}' for x in payoffs)} (then {', '.join(f'{x:g}' for x in played['payoff'])})"
    return ""


def replay_path(folder: Path, game: int) -> Path:
    """Where the replay of a game is kept."""
    return folder / REPLAYS / f"game-{game}.json"


__all__ = ["Watched", "replay_path", "watched"]
