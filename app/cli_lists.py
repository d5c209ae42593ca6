"""`probespiel games` and `probespiel agents [GAME]`: what can be played, and who can play it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.registry import system_of, systems
from ..envs.core.rulebook import scene_of
from ..envs.core.system import System
from .common import Lang, Language, Modules, Options, Scenario, bench_of, game_of
from .completion import complete_game
from .terminal.screen import tell
from .trial import try_agents

_LISTED = (
    {"scenarios": "scenarios", "tests": "stress tests", "modules": "modules of", "default": "default"},
    {"scenarios": "Szenarien", "tests": "Regeltests", "modules": "Module von", "default": "ohne Angabe"},
)
_REFERENCE = (
    "Reference games, well known, to compare with what others found:",
    "Vergleichsspiele, wohlbekannt, zum Vergleich mit dem, was andere fanden:",
)


def games(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="tell of the scenarios of this game, a line each", autocompletion=complete_game
        ),
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """List the games with their scenarios and rule modules; of one game what each scenario is about."""
    if game is not None:
        _tell_scenarios(system_of(game), game, lang)
        return
    known = list(systems())
    for found in known:
        if not found.reference:
            _tell(found, lang)
    if any(found.reference for found in known):
        tell(f"\n{_REFERENCE[lang == Lang.de]}\n")
    for found in known:
        if found.reference:
            _tell(found, lang)


def _tell_scenarios(found: System, game: str, lang: Lang) -> None:
    tell(game)
    if game in found.about:
        tell(f"  {found.about[game][lang == Lang.de]}")
    for number, name in enumerate(found.scenarios(game)):
        scene = scene_of(found.name, name, lang.value)
        first = f" ({_LISTED[lang == Lang.de]['default']})" if number == 0 else ""
        tell(f"  --scenario {name}{first}")
        tell(f"    {scene.name}{f': {scene.about}' if scene.about else ''}")


def _tell(found: System, lang: Lang) -> None:
    for game in found.games:
        first, *more = found.scenarios(game)
        tell(game)
        if game in found.about:
            tell(f"  {found.about[game][lang == Lang.de]}")
        text = _LISTED[lang == Lang.de]
        shown = ", ".join([f"{first} ({text['default']})", *more])
        tell(f"  {text['scenarios']}: {shown}")
        tell(f"  {text['tests']}: {bench_of(game)} ({text['default']})")
    modules = found.modules()
    if modules:
        tell(f"{_LISTED[lang == Lang.de]['modules']} {found.name}: {', '.join(modules)}")


def agents(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="a game, as listed by `probespiel games` (default: agents of all games)",
            autocompletion=complete_game,
        ),
    ] = None,
    scenario: Scenario = None,
    module: Modules = None,
    options: Options = None,
    cards: Annotated[
        bool, typer.Option("--cards", help="only the trained policies that ship, and what is known of their strength")
    ] = False,
) -> None:
    """List the agents that can play a game (or any game), with their parameters."""
    from ..agents.declaration import LEVEL, lineup_of
    from ..agents.registry import list_agents, outside_points

    if cards:
        if scenario or module or options:
            raise ProbespielError("--cards shows all that is known of a policy: without --scenario, --module and --set")
        _tell_cards(game)
        return

    if game is None and (scenario or module or options):
        raise ProbespielError("--scenario, --module and --set belong to a game: `probespiel agents GAME ...`")
    try_agents(point.name for point in outside_points())
    # Interpreted: nothing is played, so nothing needs to be compiled.
    made = None if game is None else game_of(game, scenario, module, options, compiled=False)
    for kind in list_agents(made):
        tell(f"{kind.name}  ({kind.source})")
        if kind.doc:
            tell(f"  {kind.doc}")
        for param in kind.params:
            tell(f"  {param.name}={_shown(param.default)}  {param.doc}; {param.allowed()}")
    for number, name in enumerate(() if made is None else lineup_of(made).levels, 1):
        tell(f"{LEVEL}{number}  (level of {game}): {name}")
    tell("path/to/file.py:Class[:key=value,...]  (a bot of your own)")


def _tell_cards(game: str | None) -> None:
    """The cards of the policies that ship, for a game or for all."""
    from ..agents.policy import shipped_policies
    from ..agents.policy_card import lines_of
    from ..agents.policy_file import load_policy

    if game is not None:
        system_of(game)  # raises where the game is unknown
    mine = {n: p for n, p in shipped_policies().items() if game is None or n == game or n.startswith(f"{game}--")}
    for name, path in mine.items():
        for line in lines_of(name, path, load_policy(path).manifest):
            tell(line)
    if not mine:
        tell(f"No policy ships for {game}: `probespiel train {game}` makes one.")


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
