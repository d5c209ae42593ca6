"""`probespiel play GAME` and `probespiel resume`: people against agents, or against each other, at the terminal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..agents.declaration import agent_named
from ..agents.registry import make_agent
from ..envs.core.errors import ProbespielError, ReplayError
from ..envs.core.game import Game
from ..envs.core.registry import system_of
from ..envs.core.replay import Choice, Die, Replay, build_recorded
from ..envs.core.replay import load as load_replay
from .common import Lang, Language, Modules, NamedGame, Options, Scenario, game_of, modules_of, pairs
from .completion import complete_agent
from .naming import agent_called
from .notes import noted
from .opponents import opponent_for, opponent_of_level
from .preparing import preparing
from .session.casting import cast, cast_of
from .session.journal import InUse, Kept, games_folder, is_journal, journals, read_journal
from .session.table import Table
from .terminal.ending import INTERRUPTED, ended_by_signals
from .terminal.files import may_replace
from .terminal.messages import say
from .terminal.play import THINK, Session
from .terminal.screen import tell
from .trial import try_agents

INTERRUPTED_CODE = 130

Think = Annotated[
    float,
    typer.Option("--think", min=0.05, max=3600, help="seconds that the default opponents and a hint may take"),
]
Trust = Annotated[
    bool, typer.Option("--trust-files", help="let the game run rule modules and bots that it names by their files")
]


def play(
    game: NamedGame = None,
    opponent: Annotated[
        str | None,
        typer.Option(
            "--opponent",
            help="who plays the other seats (default: the game's choice); human: people here",
            autocompletion=complete_agent,
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", help="your seat, by name or number from 0 (default: the scenario's, mostly the first)"),
    ] = None,
    partner: Annotated[
        str | None, typer.Option("--partner", help="who plays the other seats of your own team (default: the opponent)")
    ] = None,
    level: Annotated[
        int | None, typer.Option("--level", min=1, help="how well the other seats play, from 1 (a beginner) to 8")
    ] = None,
    think: Think = THINK,
    rated: Annotated[bool, typer.Option("--rated", help="a rated game: no take-back, no hint")] = False,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            max=2**63 - 1,
            help="decides the dice (default: by chance); a game by it counts for no rating",
        ),
    ] = None,
    lang: Language = Lang.en,
    replay: Annotated[Path | None, typer.Option("--replay", help="also write the game to this file in the end")] = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="take up a saved game; the file stays as it is unless you `save`")
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="play in the browser instead (see `probespiel serve`)")] = False,
) -> None:
    """Play a game at the terminal, line by line; every decision is kept at once, and `probespiel resume` goes on.

    Type the number of an action, its text or its code; `help` lists the other commands.
    """
    if level is not None and (opponent is not None or load is not None):
        raise ProbespielError("--level says who plays the other seats: leave out --opponent and --load")
    if rated and (seed is not None or load is not None):
        raise ProbespielError("--rated needs dice that nobody can know beforehand: leave out --seed and --load")
    if game is None:
        if load is None:
            raise ProbespielError("Missing argument 'GAME': a game, as listed by `probespiel games`")
        game = load_replay(load, compiled=False).game.name
    system_of(game)  # unknown names are told before anything is compiled
    opponent, partner = (name if name is None else agent_named(game, name) for name in (opponent, partner))
    named = [name for name in (opponent, partner) if name is not None]
    try_agents(named)
    for name in named:
        make_agent(name, game).close()
    if replay is not None and not may_replace(replay):
        raise ProbespielError(f"--replay {str(replay)!r}: this file exists and is not a replay")
    if replay is not None and not replay.absolute().parent.is_dir():
        raise ProbespielError(f"--replay {str(replay)!r}: there is no folder {str(replay.absolute().parent)!r}")
    agents: dict[int, str] = {}
    entries: tuple[Die | Choice, ...] = ()
    if load is None:  # a wrong seat is told before anything is compiled
        draft = game_of(game, scenario, module, options, compiled=False)
        if level is not None:
            opponent = opponent_of_level(draft, level, think)
        agents = cast(draft, seat, opponent or opponent_for(draft, think), partner)
        if web:
            _in_browser(draft, agents, _config(scenario, module, options), seed, lang.value, rated)
            return
    elif web:
        raise ProbespielError("--web begins a new game: leave --load out")
    own_seed = seed is not None or load is not None
    with preparing(game, lang.value):
        if load is None:
            made = game_of(game, scenario, module, options)
        else:
            other = game_of(game, scenario, module, options) if scenario or module or options else None
            found = _loaded(load, game, other, seed)
            made, entries, seed = found.game, found.steps, found.seed if found.seed is not None else seed
            if opponent is None and seat is None and partner is None:
                agents = cast_of(made, found.agents or {})
            else:
                agents = cast(made, seat, opponent or opponent_for(made, think), partner)
        if seed is None:
            seed = secrets.randbits(63)  # bots that play along must not find it by trying
        table = Table(made, agents, seed, lang=lang.value, rated=rated, entries=entries, own_seed=own_seed)
        table.prepare()
    begin(Session(table, path=replay, old=load, think=think))


def _config(
    scenario: str | None, modules: list[str] | None, options: list[str] | None
) -> tuple[str | None, dict[str, Any], dict[str, dict[str, Any]]]:
    """Scenario, options and modules of a command line as plain values."""
    return scenario, pairs(options or (), "option"), modules_of(modules or ())


def _in_browser(
    draft: Game,
    agents: Mapping[int, str],
    config: tuple[str | None, Mapping[str, Any], Mapping[str, Any]],
    seed: int | None,
    lang: str,
    rated: bool,
) -> None:
    """Serve a new game, and open a browser at its door."""
    from .web.hall import Hall
    from .web.room import Order
    from .web.server import serve

    scenario, options, modules = config
    order = Order(
        game=draft.name,
        scenario=draft.spec.scenario if scenario is None else scenario,
        options=options,
        modules=modules,
        cast=agents,
        seats=tuple(info.name for info in draft.seats),
        seed=secrets.randbits(63) if seed is None else seed,
        lang=lang,
        rated=rated,
        own_seed=seed is not None,
    )
    hall = Hall()
    room = hall.begin(order, None)
    if not room.people:
        raise ProbespielError("--web: nobody here plays; let a seat be `human`")
    path = f"/join/{room.invite(room.people[0])}"

    def say(address: str) -> None:
        typer.echo(noted(lang, "web", address=address))

    serve(hall, port=0, path=path, open_browser=True, tell=say)


def resume(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="a number or a name of the list, or a file (default: the last game)"),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="show the games that can go on")] = False,
    think: Think = THINK,
    trust: Trust = False,
    lang: Annotated[
        Lang | None,
        typer.Option("--lang", help="language (default: that of the game; of a list, that of the last game)"),
    ] = None,
) -> None:
    """Go on with a game that was left: the last one, or one that is named."""
    kept = journals()
    if listed:
        last = kept[0].head.lang if kept else Lang.en.value
        for line in _told(kept, last if lang is None else lang.value):
            tell(line)
        return
    if name is None:
        _go_on_with_the_last(kept, think, trust, lang)
        return
    path = _named(name, kept)
    if is_journal(path):
        _go_on(read_journal(path), think, trust, lang)
        return
    found = load_replay(path, compiled=False, trust=trust)
    agents = cast_of(found.game, found.agents or {}, trust)
    try_agents(agents.values())
    with preparing(found.game.name, (lang or Lang.en).value):
        made = load_replay(path, trust=trust)
        seed = made.seed if made.seed is not None else secrets.randbits(63)
        table = Table(made.game, agents, seed, lang=(lang or Lang.en).value, entries=made.steps, own_seed=True)
        table.prepare()
    begin(Session(table, old=path, think=think))


def begin(session: Session) -> None:
    """Play a new game, kept in the user's folder; where that cannot be, it is told and played all the same."""
    try:
        session.table.keep(games_folder())
    except OSError as error:
        session.say("not_kept", "red", reason=error)
    _run(session)


def _go_on_with_the_last(kept: list[Kept], think: float, trust: bool, lang: Lang | None) -> None:
    for one in kept:
        try:
            _go_on(one, think, trust, lang)
        except InUse:  # the one before it, then
            continue
        return
    raise ProbespielError(say((lang or Lang.en).value, "none_left"))


def _go_on(kept: Kept, think: float, trust: bool, lang: Lang | None) -> None:
    language = lang.value if lang is not None else kept.head.lang
    if trust:
        try_agents(kept.head.agents.values())
    with preparing(str(kept.head.recipe["game"]), language):
        game = build_recorded(kept.head.recipe, compiled=True, trust=trust, folder=kept.path.parent)
        table = Table.resume(kept.path, game=game, trust=trust)
        table.prepare()
    _run(Session(table, lang=language, think=think))


def _named(name: str, kept: list[Kept]) -> Path:
    """The file that a person means; raises ProbespielError."""
    if name.isdecimal() and 1 <= int(name) <= len(kept):
        return kept[int(name) - 1].path
    for one in kept:
        if name in (one.path.name, one.path.stem):
            return one.path
    path = Path(name).expanduser()
    if not path.is_file() and not kept:
        raise ProbespielError(
            f"{name!r} is no file, and there is no game to go on with; `probespiel play GAME` begins one"
        )
    if not path.is_file():
        raise ProbespielError(f"game {name!r} is not one of the {len(kept)} of `probespiel resume --list`, and no file")
    return path


def _told(kept: list[Kept], lang: str) -> list[str]:
    """The games that can go on, a line each."""
    lines = []
    for number, one in enumerate(kept, 1):
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.changed))
        game, seats = str(one.head.recipe["game"]), _seats_called(one.head.recipe, lang)
        who = "; ".join(
            f"{seats.get(seat, seat)}: {agent_called(agent, game, lang)}" for seat, agent in one.head.agents.items()
        )
        count = say(lang, "listed" if one.decisions != 1 else "listed_one", n=one.decisions)
        lines.append(f"{number:3}  {when}  {game} {one.head.recipe['scenario']}, {count} ({who})")
    return lines or [say(lang, "none_left")]


def _seats_called(recipe: Mapping[str, Any], lang: str) -> dict[str, str]:
    """The seats of a recorded game as a person reads them, by name; none where its rules cannot be read any more."""
    try:
        game = build_recorded(recipe, compiled=False, trust=False)
    except ProbespielError:  # a game or a rule file that is gone: the list names its seats as the file does
        return {}
    return {seat.name: seat.called(lang) for seat in game.seats}


def _run(session: Session) -> None:
    with ended_by_signals():
        ending = session.run()
    if ending.reason == INTERRUPTED:
        raise typer.Exit(INTERRUPTED_CODE)
    if ending.code:
        raise typer.Exit(ending.code)


def _loaded(path: Path, name: str, game: Game | None, seed: int | None) -> Replay:
    found = load_replay(path, game)
    if found.game.name != name:
        raise ReplayError(f"{path}: a replay of {found.game.name}, not of {name}")
    if seed is not None and seed != found.seed:
        raise ReplayError(f"{path}: its seed is {found.seed}, so --seed {seed} cannot be had")
    return found
