"""What a worker of the stress lab keeps between its jobs: the bench, the marks of the module, sizes of games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ...agents.public_game import BOOKKEEPING
from ...envs.core.game import Game
from ...envs.core.modules import Module
from .conditions import Bench, Condition, Settings
from .guided import Guided, Marks
from .own_fields import TOLD, deciding_fields
from .probe_kernel import SETTING_UP
from .strategies import Strategy

LONGEST_LOG = 4_000_000  # rows
NETS = "nets"  # folder of learned action values


@dataclass(frozen=True)
class Facts:
    """What the search for breakage found out about the games, for all later jobs.

    `phases` are those in which the module asks, beside those that it declares; `longest` limits the decisions of a
    game, `length` is that of a typical long one; `declining` are actions of the module that were found to decline it,
    `further` those that come on top of the game's decisions. `forced`: wherever one of its actions is legal, nothing
    else is, so that nobody can leave it alone.
    """

    phases: tuple[int, ...] = ()
    longest: int | None = None
    length: float = 100.0
    declining: tuple[int, ...] = ()
    further: tuple[int, ...] = ()
    forced: bool = False


@dataclass
class Lab:
    """A bench with what is known of its games."""

    bench: Bench
    folder: Path
    facts: Facts = Facts()

    @property
    def marks(self) -> Marks:
        """The actions by which the module is used, and its phases."""
        actions, own = parts_of(self.bench)
        return Marks(actions - frozenset(self.facts.declining), own | frozenset(self.facts.phases))

    @property
    def own_actions(self) -> list[int]:
        """All actions of the module, those that decline it included, ascending."""
        actions, _ = parts_of(self.bench)
        return sorted(actions | declining_of(self.bench))

    def game(self, condition: Condition) -> Game:
        """The game of a condition, with its length limited."""
        return self.bench.game(condition, self.facts.longest)

    def guided(self, strategy: Strategy) -> Guided:
        """A strategy that is guided, ready to play; all but searches and other agents are."""
        made = self.bench.player(strategy, self.marks)
        assert isinstance(made, Guided)
        return made

    def log_room(self, games: int) -> int:
        """Rows for the log of so many games."""
        return min(LONGEST_LOG, int(games * (self.facts.longest or 4 * self.facts.length)) + 1000)


def parts_of(bench: Bench) -> tuple[frozenset[int], frozenset[int]]:
    """Ids of the actions by which the module under test is used, and its own phases."""
    name = module_of(bench).name
    actions, phases = bench.modules.parts_of(name)
    return actions - bench.modules.declining(name), phases


def declining_of(bench: Bench) -> frozenset[int]:
    """Ids of the actions that the module under test declares to decline it."""
    return bench.modules.declining(module_of(bench).name)


def module_of(bench: Bench) -> Module:
    """The declaration of the module under test."""
    return bench.modules[list(bench.options["modules"]).index(bench.module)]


def unseen(module: Module) -> bool:
    """Whether a module remembers or throws something of which no observation tells."""
    return bool(module.fields or module.dice) and not module.pieces


def source_of_module(bench: Bench) -> ModuleType:
    """The file of the module under test."""
    return bench.modules.sources[list(bench.options["modules"]).index(bench.module)]


def position_bytes(lab: Lab, game: Game, own: bool = True, control: bool = False, deciding: bool = False) -> np.ndarray:
    """The bytes of a record that make up the position, without counters and histories: 255, others 0; uint8[size].

    With `own` false the module's own fields do not count either (with `deciding` those do by which its hooks decide),
    nor (unless `control`) what only tells how the question came about.
    """
    skipped = set(lab.bench.system.bookkeeping) | set(BOOKKEEPING)
    if not own:
        module = module_of(lab.bench)
        kept = deciding_fields(module, source_of_module(lab.bench)) if deciding else frozenset[str]()
        skipped |= {TOLD, *(f"{module.name}_{name}" for name in module.fields)} - kept
        skipped |= set() if control else set(lab.bench.system.control)
    keep = np.full(game.state_size, 255, dtype=np.uint8)
    fields: Any = game.state_dtype.fields
    for name in game.state_dtype.names or ():
        dtype, offset = fields[name][:2]
        if name in skipped:
            keep[offset : offset + dtype.itemsize] = 0
    return keep


def open_lab(settings: Settings, folder: Path) -> Lab:
    """A lab in this process."""
    return Lab(Bench(settings, folder / NETS), folder)


def begin(path: Path) -> None:
    """Tell in a live file that rules are about to be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.array([0, 0, SETTING_UP], dtype=np.int64).tofile(path)


def finish(path: Path) -> None:
    """Tell that no rules run."""
    np.zeros(3, dtype=np.int64).tofile(path)


__all__ = [
    "Facts", "Lab", "begin", "declining_of", "finish", "module_of", "open_lab", "parts_of", "position_bytes",
    "source_of_module", "unseen",
]  # fmt: skip
