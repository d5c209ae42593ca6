"""Outlooks that were fitted to games: what `probespiel outlook` writes and `search:outlook=FILE` asks.

A small network says what a position is worth to a seat, from what that seat sees: from its observation, or where the
system declares a sight of its own (`declaration.Sight`) from that. Weights and a manifest stand in one safetensors
file. Outlooks that ship stand beside the policies, in `training/<system>/outlooks`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.core.build import Function, general_function
from ..envs.core.game import Game
from ..envs.core.rooms import folder_of, system_names
from .base import AgentError
from .declaration import lineup_of
from .fitted_kernel import WORDS, fitted
from .policy_file import read_tensors, write_tensors
from .policy_net import PolicyError

SUFFIX = ".safetensors"
FORMAT = 1
MANIFEST = "outlook"  # key in the file's metadata
HORIZON = 1  # decisions beyond the tree before an outlook without a sight of its own is asked


@dataclass(frozen=True)
class Scale:
    """What the network's answers mean: payoff = shift + factor * answer, kept between low and high.

    `total` is what the payoffs of all seats add up to in every game, nan where that differs.
    """

    shift: float
    factor: float
    low: float
    high: float
    total: float

    def array(self) -> np.ndarray:
        """As float64[5], in the order of `fitted_kernel`."""
        return np.array([self.shift, self.factor, self.low, self.high, self.total], dtype=np.float64)


@dataclass(frozen=True)
class FittedOutlook:
    """Weights `first` float32[size, H], `bias` float32[H], `last` float32[H + 1], and what they are for.

    `seen` names what is seen, with sizes: pieces of the observation, or the system's sight. `settings` and `quality`
    are of the fit, for the reader.
    """

    game: str
    scenario: str
    seats: int
    seen: tuple[tuple[str, int], ...]
    scale: Scale
    first: np.ndarray
    bias: np.ndarray
    last: np.ndarray
    settings: Mapping[str, Any] = field(default_factory=dict)
    quality: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size, hidden = sum(n for _, n in self.seen), len(self.bias)
        shapes = (self.first.shape, self.bias.shape, self.last.shape)
        if shapes != ((size, hidden), (hidden,), (hidden + 1,)):
            raise PolicyError(f"weights of an outlook: shapes {shapes}, but {size} inputs and {hidden} hidden units")
        if not all(a.dtype == np.float32 and np.isfinite(a).all() for a in (self.first, self.bias, self.last)):
            raise PolicyError("weights of an outlook: finite numbers, float32, are needed")

    def differences(self, game: Game) -> str:
        """What keeps it from a game, in words; empty if nothing does."""
        now = seen_in(game)
        if self.game != game.name:
            return f"it was fitted to {self.game}"
        if self.seats != seats_in(game):
            return f"it was fitted to {self.seats} seats, here are {seats_in(game)}"
        if self.seen != now:
            odd = sorted(set(self.seen) ^ set(now))
            return f"what is seen differs: {', '.join(f'{name} ({size})' for name, size in odd[:4]) or 'the order'}"
        return ""

    def save(self, path: Path) -> None:
        """Write the file in one piece; raises PolicyError."""
        told = {
            "format": FORMAT,
            "game": self.game,
            "scenario": self.scenario,
            "seats": self.seats,
            "seen": [list(part) for part in self.seen],
            "scale": {name: None if np.isnan(v) else v for name, v in asdict(self.scale).items()},
            "settings": dict(self.settings),
            "quality": dict(self.quality),
        }
        arrays = {"first": self.first, "bias": self.bias, "last": self.last}
        try:
            write_tensors(path, arrays, {MANIFEST: json.dumps(told, sort_keys=True, ensure_ascii=False)})
        except OSError as error:
            raise PolicyError(f"{path} cannot be written: {error.strerror or error}") from None

    @classmethod
    def load(cls, path: Path) -> FittedOutlook:
        """Read a file; raises PolicyError where it is missing, damaged, or no outlook."""
        arrays, texts = read_tensors(path)
        if MANIFEST not in texts:
            raise PolicyError(f"{path} is no outlook: `probespiel outlook GAME --out FILE` writes one")
        try:
            told = json.loads(texts[MANIFEST])
            if told["format"] != FORMAT:
                raise PolicyError(f"{path} is of another format than {FORMAT}")
            return cls(
                game=str(told["game"]),
                scenario=str(told["scenario"]),
                seats=int(told["seats"]),
                seen=tuple((str(name), int(size)) for name, size in told["seen"]),
                scale=Scale(**{name: np.nan if v is None else float(v) for name, v in told["scale"].items()}),
                first=arrays["first"],
                bias=arrays["bias"],
                last=arrays["last"],
                settings=dict(told["settings"]),
                quality=dict(told["quality"]),
            )
        except PolicyError as error:
            raise PolicyError(f"{path}: {error}") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise PolicyError(f"{path} is damaged: {type(error).__name__}: {error}") from None


def seats_in(game: Game) -> int:
    """The number of seats that a fitted outlook must agree on: 0 where all of them see and get the same."""
    sight = lineup_of(game).sight
    return 0 if sight is not None and sight.shared else game.n_seats


@dataclass(frozen=True)
class Asked:
    """An outlook ready to be asked about one game: its entry, the block that it is called with, and what both need."""

    function: Function
    block: int
    keep: Any


def seen_in(game: Game) -> tuple[tuple[str, int], ...]:
    """What a fitted outlook sees of a game: names and sizes."""
    sight = lineup_of(game).sight
    if sight is not None:
        return ((f"{game.spec.system}: {sight.features.__name__}", sight.size),)
    return tuple((piece.name, int(np.prod(piece.shape, dtype=np.int64))) for piece in game.layout.pieces)


def asked(game: Game, outlook: FittedOutlook, sight: Function | None) -> Asked:
    """An outlook with working space of its own; `sight` is the system's own, compiled.

    Raises AgentError if it does not fit the game.
    """
    wrong = outlook.differences(game)
    if wrong:
        raise AgentError(f"outlook of {outlook.game} ({outlook.scenario}) does not fit {game.name}: {wrong}")
    size, hidden = outlook.first.shape
    room = (np.zeros(size, np.float32), np.zeros(size + 1, np.int32), np.zeros(size + 1, np.float32))
    sums, scale = np.zeros(hidden, np.float32), outlook.scale.array()
    weights = tuple(np.ascontiguousarray(a) for a in (outlook.first, outlook.bias, outlook.last))
    own = lineup_of(game).sight
    shared = own is not None and own.shared
    numbers = [game.address, sight.address if sight else 0, int(shared), game.n_seats, size, hidden]
    block = np.array([*numbers, *(a.ctypes.data for a in (*weights, scale, *room, sums))], dtype=np.int64)
    if len(block) != WORDS:
        raise AgentError(f"a block of {len(block)} words, {WORDS} are needed")
    return Asked(general_function(fitted), block.ctypes.data, (block, weights, scale, room, sums))


def shipped_outlook(game: Game) -> FittedOutlook | None:
    """The outlook that ships for a game: that of its scenario, else that of the game; None where none fits."""
    room = folder_of(game.spec.system, "training")
    if room is None:
        return None
    for name in (f"{game.name}--{game.spec.scenario}", game.name):
        path = room / "outlooks" / f"{name}{SUFFIX}"
        if path.is_file():
            found = FittedOutlook.load(path)
            if not found.differences(game):
                return found
    return None


def shipped_outlooks() -> dict[str, Path]:
    """Files of all outlooks that ship, by name."""
    rooms = [folder_of(system, "training") for system in system_names()]
    found = [path for room in rooms if room is not None for path in (room / "outlooks").glob(f"*{SUFFIX}")]
    return {path.name.removesuffix(SUFFIX): path for path in sorted(found, key=lambda path: path.name)}


__all__ = ["Asked", "FittedOutlook", "Scale", "asked", "seats_in", "seen_in", "shipped_outlook", "shipped_outlooks"]
