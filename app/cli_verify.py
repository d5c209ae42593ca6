"""`probespiel verify`: worked examples against the rules, rule modules and games against what games promise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..envs.core.contract import Soundness
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.registry import system, system_of_module
from ..envs.core.soundness import check_game, check_modules
from ..envs.core.verify import load_cases, verify_file, with_modules
from ..evaluation.declaration import analysis_of
from .common import Modules, Options, Scenario, game_of, modules_of
from .completion import complete_game
from .lines import one_line
from .trial import Broken, Note, outside_rules, played_apart


def verify(
    files: Annotated[
        list[Path] | None, typer.Argument(help="files of worked examples (JSON); none: the modules are checked")
    ] = None,
    case: Annotated[str | None, typer.Option("--case", help="run this case only (its id)")] = None,
    module: Modules = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="check this game, as listed by `probespiel games`, with the modules of --module",
            autocompletion=complete_game,
        ),
    ] = None,
    scenario: Scenario = None,
    option: Options = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="compile every rule set first (slow, exact same rules)")
    ] = False,
    games: Annotated[
        int, typer.Option("--games", min=1, max=100_000, help="random games of each kind, to check modules or a game")
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**31, help="decides the random games")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print failures only")] = False,
) -> None:
    """Check worked examples, rule modules or a game; exit code 1 if something fails, 2 if a file cannot be used.

    With files, the modules of --module are added to every example that is played. Without files they are played at
    random in every game of their system, and every promise of the rules is checked: nothing is lost, nothing hidden
    is seen, values are in their ranges, every game ends, texts are told. With --game that one is played, of a system of
    your own, too. Rules from files are played by a process of their own: if it dies, they are broken.
    """
    chosen = modules_of(module or (), trial=False)
    if not files and not chosen and game is None:
        raise typer.BadParameter("give files of worked examples, modules with --module, or a game with --game")
    if files and game is not None:
        raise typer.BadParameter("--game checks a game by random play; files of worked examples name theirs")
    if game is None and (scenario is not None or option):
        raise typer.BadParameter("--scenario and --set go with --game")
    results = _Results(quiet)
    paths = list(files or ())
    arguments: dict[str, Any] = {
        "files": [str(path) for path in paths],
        "game": None if game is None else [game, scenario, list(module or ()), list(option or ())],
        "case": case,
        "chosen": chosen,
        "compiled": compiled,
        "games": games,
        "seed": seed,
    }
    rules = [*chosen, *(name for path in paths for name in _modules_in(path))]
    if not outside_rules(rules):
        check(results.take, **arguments)
    else:
        try:
            for note in played_apart(f"{__name__}:check", rules, arguments):
                results.take(note)
        except Broken as error:
            results.add("rules of others", [str(error)])
    results.close()


def check(
    note: Callable[[Note], None],
    files: Sequence[str],
    game: Sequence[Any] | None,
    case: str | None,
    chosen: Mapping[str, Any],
    compiled: bool,
    games: int,
    seed: int,
) -> None:
    """Check the worked examples of `files`, or without any a `game` or the modules `chosen`, and note what comes out.

    `game`: its name, scenario, modules and options as on a command line. A note is `what` and its `problems`, why a
    file is `unusable`, or which games are `left` out.
    """
    if game is not None:
        name, scenario, modules, options = game
        made = game_of(name, scenario, modules, options, compiled=False)
        played = check_game(Game(made.spec, compiled), games, seed)
        note({"what": _counted(played), "problems": played.problems})
    elif not files:
        name = system_of_module(next(iter(chosen)))
        tried = check_modules(name, chosen, games, seed, compiled)
        for played in tried:
            note({"what": _counted(played), "problems": played.problems})
        if left := [game for game in system(name).games if game not in {played.game for played in tried}]:
            note({"left": left})
    for path in files:
        try:
            of, _ = load_cases(path)
            for result in verify_file(path, analysis_of(of).examples(), compiled, case, chosen):
                note({"what": f"{result.id} ({result.kind})", "problems": result.problems})
        except ProbespielError as error:
            note({"unusable": one_line(error)})


def _counted(played: Soundness) -> str:
    return f"{played.game} ({played.games} games, {played.decisions} decisions)"


def _modules_in(path: Path) -> Iterator[str]:
    """The rule modules that the examples of a file name; none if it cannot be used."""
    try:
        _, cases = load_cases(path)
    except ProbespielError:
        return  # told when it is checked
    for example in cases:
        setup = with_modules(example, {}, path.parent).get("setup")
        modules = setup.get("modules") if isinstance(setup, dict) else None
        yield from (name for name in (modules if isinstance(modules, dict) else ()) if isinstance(name, str))


class _Results:
    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.passed = self.failed = self.unusable = 0

    def add(self, what: str, problems: Sequence[str]) -> None:
        if problems:
            self.failed += 1
            typer.echo(f"FAIL {what}")
            for problem in problems:
                typer.echo(f"     {problem}")
            return
        self.passed += 1
        if not self.quiet:
            typer.echo(f"ok   {what}")

    def take(self, note: Note) -> None:
        """Show what `check` has noted."""
        if "left" in note:
            if not self.quiet:
                typer.echo(f"left out, as a module is not for them (its levels): {', '.join(note['left'])}")
        elif "unusable" in note:
            typer.echo(f"error: {note['unusable']}", err=True)
            self.unusable += 1
        else:
            self.add(note["what"], note["problems"])

    def close(self) -> None:
        typer.echo(f"{self.passed} passed, {self.failed} failed")
        if self.unusable:
            raise typer.Exit(2)
        if self.failed:
            raise typer.Exit(1)
