"""`probespiel play GAME`: a person against agents, or several people, at the terminal."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..agents.registry import parse_agent
from ..envs.core.errors import ProbespielError, ReplayError
from ..envs.core.game import Game
from ..envs.core.replay import Replay
from ..envs.core.replay import load as load_replay
from .common import GameName, Lang, Language, Modules, Options, Scenario, game_of
from .messages import say

DEFAULT_OPPONENT = "search"
INTERRUPTED_CODE = 130


def play(
    game: GameName,
    opponent: Annotated[
        str | None, typer.Option("--opponent", help="who plays the other seats (default: search); human: people here")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="your seat, by name or number from 0 (default: the first one)")
    ] = None,
    partner: Annotated[
        str | None, typer.Option("--partner", help="who plays the other seats of your own team (default: the opponent)")
    ] = None,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="decides dice and opponents (default: by chance)")
    ] = None,
    lang: Language = Lang.en,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="file of the replay (default: GAME-SEED.json, or that of --load)")
    ] = None,
    load: Annotated[Path | None, typer.Option("--load", help="take up a saved game")] = None,
) -> None:
    """Play a game at the terminal, line by line; it is saved as a replay in any case.

    Type the number of an action, its text or its code; `help` lists the other commands.
    """
    from .play import INTERRUPTED, Session, cast, may_replace

    if replay is not None and not may_replace(replay):
        raise ProbespielError(f"--replay {str(replay)!r}: this file exists and is not a replay")
    if replay is not None and not replay.absolute().parent.is_dir():
        raise ProbespielError(f"--replay {str(replay)!r}: there is no folder {str(replay.absolute().parent)!r}")
    for stream in (sys.stdin, sys.stdout):  # a terminal of another encoding must not end the game
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    typer.echo(say(lang.value, "build", game=game), err=True)
    given = bool(scenario or module or options)
    made = game_of(game, scenario, module, options) if load is None or given else None
    resumed = None if load is None else _resume(load, game, made, seed)
    if resumed is not None:
        made = resumed.game
    assert made is not None
    if resumed is not None and opponent is None and seat is None and partner is None:
        agents = _recorded(resumed)
    else:
        agents = cast(made, seat, opponent if opponent is not None else DEFAULT_OPPONENT, partner)
    if resumed is not None and resumed.seed is not None:
        seed = resumed.seed
    elif seed is None:
        seed = secrets.randbits(63)  # bots that play along must not find it by trying
    session = Session(made, agents, seed, lang=lang.value, path=replay if replay is not None else load, resume=resumed)
    if session.run().reason == INTERRUPTED:
        raise typer.Exit(INTERRUPTED_CODE)


def _resume(path: Path, name: str, game: Game | None, seed: int | None) -> Replay:
    found = load_replay(path, game)
    if found.game.name != name:
        raise ReplayError(f"{path}: a replay of {found.game.name}, not of {name}")
    if seed is not None and seed != found.seed:
        raise ReplayError(f"{path}: its seed is {found.seed}, so --seed {seed} cannot be had")
    return found


def _recorded(replay: Replay) -> dict[int, str]:
    """Who played, as the file says; ProbespielError if it does not name everybody, or names a file of code."""
    agents = dict(replay.agents or {})
    missing = [seat.name for seat in replay.game.seats if seat.name not in agents]
    if missing:
        raise ProbespielError(f"the replay does not say who plays {', '.join(missing)}: give --seat and --opponent")
    for name, agent in agents.items():
        if parse_agent(agent).path is not None:  # a file that somebody else may have written must not run code
            raise ProbespielError(f"the replay names a bot's file for {name}, {agent!r}: give --opponent yourself")
    return {index: agents[seat.name] for index, seat in enumerate(replay.game.seats)}
