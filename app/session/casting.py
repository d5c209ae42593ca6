"""Who plays which seat of a game with people: as a person asks for it, and as a file says."""

from __future__ import annotations

from collections.abc import Mapping

from ...agents.registry import parse_agent
from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.rulebook import scene_of


def cast(game: Game, seat: str | int | None, opponent: str, partner: str | None = None) -> dict[int, str]:
    """Who plays which seat: a person one seat, `partner` the others of the same side, `opponent` all the rest.

    Without a seat it is the one that the scenario has for a person. Raises ProbespielError for a seat that the game
    does not have.
    """
    if seat is None:
        seat = scene_of(game.spec.system, game.spec.scenario).seat or 0
    mine = game.seat_index(seat)
    side = game.seats[mine].side
    agents = {}
    for index, other in enumerate(game.seats):
        friend = other.side == side
        agents[index] = "human" if index == mine else (partner if friend and partner is not None else opponent)
    return agents


def seats_of_people(agents: Mapping[int, str]) -> list[int]:
    """Seats whose agent is a person."""
    return sorted(seat for seat, name in agents.items() if name.partition(":")[0] == "human")


def cast_of(game: Game, agents: Mapping[str, str], trust: bool = False) -> dict[int, str]:
    """Who plays which seat, as a file says.

    Raises ProbespielError if it does not name everybody, or (without `trust`) names a file of code: somebody else may
    have written it.
    """
    missing = [seat.name for seat in game.seats if seat.name not in agents]
    if missing:
        raise ProbespielError(f"the file does not say who plays {', '.join(missing)}: give --seat and --opponent")
    for name, agent in agents.items():
        if not trust and parse_agent(agent).path is not None:
            raise ProbespielError(
                f"the file names a bot's file for {name}, {agent!r}: give --opponent yourself, "
                "or --trust-files to `resume`"
            )
    return {index: agents[seat.name] for index, seat in enumerate(game.seats)}


__all__ = ["cast", "cast_of", "seats_of_people"]
