"""`probespiel solo run SYSTEM`: a chain of games for one person, kept after every answer, with a score in the end."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import typer

from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game, GameSpec, Position
from ..envs.core.registry import game_from
from ..envs.core.replay import Replay
from ..envs.core.replay import load as load_replay
from .cli_play import INTERRUPTED_CODE, Think
from .common import Lang, Language, Options, pairs
from .preparing import preparing
from .session.journal import SUFFIX, games_folder
from .session.solo import Host, Notes, Score, SoloRun, left, run_of, systems_with_runs
from .session.table import Table
from .terminal.ending import INTERRUPTED, OVER, TERMINATED, Terminated, ended_by_signals
from .terminal.menu import Left, choose
from .terminal.messages import say
from .terminal.play import THINK, Session
from .terminal.reading import reader
from .terminal.screen import Screen

solo = typer.Typer(help="Play alone: runs of several games with a score.", rich_markup_mode=None)


class AtTerminal(Host):
    """A run at the terminal; `read` and `write` as those of a `Session`."""

    def __init__(
        self,
        notes: Notes,
        think: float = THINK,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], None] | None = None,
        compiled: bool = True,
    ) -> None:
        super().__init__(notes)
        self.screen, self.think, self.compiled = Screen(write), think, compiled  # opponents and hints alike
        self._given, self._write = read, write
        self._options: list[str] = []
        self._read = read if read is not None else reader(lambda: self._options)

    def show(self, text: str) -> None:
        """Show a text."""
        self.screen.lines(text.split("\n"))

    def ask(self, question: str, options: Sequence[str]) -> int:
        """Ask by a numbered list."""
        self._options = list(options)
        return choose(self.screen, self._read, self.lang, question, options, self.notes.system)

    def play(
        self,
        make: Callable[[], GameSpec],
        cast: Callable[[Game], Mapping[int, str]],
        seed: int,
        name: str | None,
        begun: Callable[[str], None],
    ) -> Position:
        """Play a game as `probespiel play` does; raises Left if the person leaves in the middle."""
        folder = games_folder()
        if name is not None and (folder / f"{name}.json").is_file():  # over, but its outcome was not noted
            with preparing(name, self.lang):
                return _last(load_replay(folder / f"{name}.json", compiled=self.compiled))
        spec = make()
        with preparing(spec.name, self.lang):
            game = game_from(spec, self.compiled)
            path = folder / f"{name}{SUFFIX}"
            if name is not None and path.is_file():
                table = Table.resume(path, game=game)
            else:
                table = Table(game, cast(game), seed, lang=self.lang, own_seed=self.notes.own_seed, keep=folder)
                if table.path is not None:
                    begun(table.path.stem)
            table.prepare()
        session = Session(
            table, lang=self.lang, think=self.think, read=self._given, write=self._write, together=True
        )  # fmt: skip
        ending = session.run()
        if ending.reason == TERMINATED:
            raise Terminated(ending.code)
        if ending.reason == INTERRUPTED:
            raise KeyboardInterrupt
        if ending.reason != OVER:
            raise Left
        return table.position


def _last(replay: Replay) -> Position:
    """The last position of a replay."""
    return deque(replay.positions(), maxlen=1)[0][1].clone()


def play_run(host: Host, run: SoloRun) -> Score:
    """Play a run to its end and note its score; raises Left if the person leaves."""
    score = run.course(host)
    host.notes.end(score)
    host.show("")
    host.show(score.words)
    return score


@solo.command("run")
def run(
    system: Annotated[str, typer.Argument(help="the system whose run it is (`probespiel solo list` shows them)")],
    new: Annotated[bool, typer.Option("--new", help="begin a new run, even if one can go on")] = False,
    options: Options = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="decides the dice (default: by chance)")
    ] = None,
    think: Think = THINK,
    lang: Language = Lang.en,
) -> None:
    """Play a run of a system, or go on with the last one; every answer is kept at once, and the score in the end.

    `probespiel stats` shows the scores, `probespiel solo list` what can be set, such as `--set wounds=carried`.
    """
    declared = run_of(system)
    settings = declared.checked(pairs(options or (), "option"))
    notes = None
    if not (new or options or seed is not None):
        notes = _newest(system)
    if notes is None:
        drawn = secrets.randbits(63) if seed is None else seed
        notes = Notes.begin(system, settings, drawn, lang.value, own_seed=seed is not None)
    host = AtTerminal(notes, think)
    if notes.known:
        host.show(say(host.lang, "run_goes_on"))
    else:
        for term, text in declared.guide_in(host.lang):
            host.show(f"{term}: {text}")
    try:
        with ended_by_signals():
            play_run(host, declared)
    except Left:
        host.show(say(host.lang, "run_kept", system=system))
    except KeyboardInterrupt:
        host.show("")
        host.show(say(host.lang, "run_kept", system=system))
        raise typer.Exit(INTERRUPTED_CODE) from None
    finally:
        notes.close()


@solo.command("list")
def listed(lang: Language = Lang.en) -> None:
    """Show the systems that have a run, with the settings of each."""
    for name in systems_with_runs():
        found = run_of(name)
        typer.echo(f"{name}: {found.about[lang is Lang.de]}")
        for setting, one in found.settings.items():
            typer.echo(f"  {setting}={'|'.join(one.values)}: {one.about[lang is Lang.de]}")
            for value, words in one.values.items():
                typer.echo(f"    {value}: {words[lang is Lang.de]}")


def _newest(system: str) -> Notes | None:
    """The newest run that can go on and that no other window plays."""
    for path in left(system):
        try:
            return Notes.go_on(path)
        except ProbespielError:  # another window plays it, or it cannot be read
            continue
    return None


__all__ = ["AtTerminal", "listed", "play_run", "run", "solo"]
