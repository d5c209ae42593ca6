"""Files of trained policies: weights and a manifest in one safetensors file, which can hold no code.

The manifest says what the policy was trained for and how: game, scenario, rule set, layouts of observations and
actions, network, seed, versions, settings, results. A policy is refused where a game's layouts differ from its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from ..envs.core.disk import replacing
from ..envs.core.game import Game
from ..envs.core.registry import make_game
from ..envs.core.setups import moved_modules
from .policy_net import Blueprint, PolicyError, PolicyNet

FORMAT = 1
MANIFEST = "manifest"  # key of the manifest in the file's metadata
CHECKSUM = "checksum"
LARGEST_POLICY = 1 << 26  # bytes


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> None:
    """Write a safetensors file in one piece: whoever reads `path` finds the old file or the new one, never a part."""
    # np.ascontiguousarray would make vectors of single numbers
    whole = {name: np.array(a, order="C") for name, a in sorted(arrays.items())}
    # among the arrays: the order of several texts would differ from process to process
    data = save_tensors({**whole, CHECKSUM: _checksum(whole, texts)}, dict(texts))
    with replacing(path) as file:
        file.write(data)


def read_tensors(path: Path, largest: int = LARGEST_POLICY) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Arrays and texts of a safetensors file of at most `largest` bytes; raises PolicyError for any other content."""
    try:
        size, file = path.stat().st_size, path.is_file()
        if file and size <= largest:
            data = path.read_bytes()
        elif file:
            raise PolicyError(f"{path} has {size} bytes: at most {largest}")
        else:
            inside = ", ".join(str(one) for one in sorted(path.glob("*.safetensors"))[:3])  # of a training
            raise PolicyError(f"{path} is not a file{f', but a folder; policies in it: {inside}' if inside else ''}")
    except PolicyError:  # a ValueError, too
        raise
    except OSError as error:
        raise PolicyError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a zero byte
        raise PolicyError(f"{str(path)!r} is no path: {error}") from None
    try:
        arrays = load_tensors(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (SafetensorError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise PolicyError(f"{path} is no safetensors file, or a damaged one: {type(error).__name__}: {error}") from None
    texts = {str(key): str(value) for key, value in (header.get("__metadata__") or {}).items()}
    stored = arrays.pop(CHECKSUM, None)  # files of earlier versions have none
    if stored is not None and not np.array_equal(stored, _checksum(arrays, texts)):
        raise PolicyError(f"{path} is damaged: its checksum is not that of its content")
    return arrays, texts


def _checksum(arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> np.ndarray:
    """A hash of arrays and texts, whatever their order: the format itself notices no flipped bit."""
    found = hashlib.blake2b(digest_size=16)
    for name, array in sorted(arrays.items()):
        found.update(f"{name} {array.dtype} {array.shape}\n".encode())
        found.update(np.ascontiguousarray(array).tobytes())
    for name, text in sorted(texts.items()):
        found.update(f"{name} {len(text)} {text}\n".encode("utf-8", "surrogatepass"))
    return np.frombuffer(found.digest(), np.uint8)


@dataclass(frozen=True)
class Manifest:
    """What a policy was trained for, and how.

    `pieces`: (name, shape) of the observation, in order; `actions`: all codes, in order; `behaviour`: the hash of what
    the game does (`envs.core.behaviour`), empty in old files; `scenarios`: options of every scenario trained on;
    `settings`, `evaluation`: of the training, for the reader.
    """

    game: str
    system: str
    scenario: str
    seats: int
    ruleset: str
    modules: tuple[str, ...]
    pieces: tuple[tuple[str, tuple[int, ...]], ...]
    actions: tuple[str, ...]
    network: Blueprint
    behaviour: str = ""
    seed: int = 0
    decisions: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    scenarios: tuple[Mapping[str, Any], ...] = ()
    evaluation: tuple[Mapping[str, Any], ...] = ()

    @property
    def temperature(self) -> float:
        """That of play, as the settings say; 1 where they do not."""
        return float(self.settings.get("temperature", 1.0))

    @classmethod
    def of(cls, game: Game, network: Blueprint, **further: Any) -> Manifest:
        """The manifest of a policy for a game."""
        return cls(
            game=game.name,
            system=game.spec.system,
            scenario=game.spec.scenario,
            seats=game.n_seats,
            ruleset=game.ruleset,
            modules=tuple(game.spec.options.get("modules") or ()),
            pieces=tuple((p.name, tuple(p.shape)) for p in game.layout.pieces),
            actions=tuple(game.actions.codes),
            network=network,
            **further,
        )

    def learnt_on(self) -> Game:
        """The game whose `behaviour` is written down: the first scenario of the training, with modules and options."""
        given = self.settings.get("scenarios")
        if not given:
            return make_game(self.game, self.scenario)
        return make_game(self.game, given[0]["scenario"], given[0]["modules"], **given[0]["options"])

    def with_modules(self, names: Mapping[str, str]) -> Manifest:
        """The same where rule modules go by other names: new ones by old ones."""
        scenarios = tuple(
            {**one, "modules": moved_modules(one["modules"], names)} if "modules" in one else one
            for one in self.scenarios
        )
        return replace(self, modules=tuple(names.get(name, name) for name in self.modules), scenarios=scenarios)

    def to_json(self) -> str:
        """As a text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """The manifest of a text; raises PolicyError."""
        try:
            data = json.loads(text)
            if data.pop("format") != FORMAT:
                raise PolicyError(f"the manifest is of another format than {FORMAT}")
            out = cls(
                game=str(data["game"]),
                system=str(data["system"]),
                scenario=str(data["scenario"]),
                seats=int(data["seats"]),
                ruleset=str(data["ruleset"]),
                modules=tuple(str(m) for m in data["modules"]),
                pieces=tuple((str(name), tuple(int(n) for n in shape)) for name, shape in data["pieces"]),
                actions=tuple(str(code) for code in data["actions"]),
                network=Blueprint.from_dict(data["network"]),
                behaviour=str(data.get("behaviour", "")),
                seed=int(data["seed"]),
                decisions=int(data["decisions"]),
                versions={str(k): str(v) for k, v in data["versions"].items()},
                settings=dict(data["settings"]),
                scenarios=tuple(dict(s) for s in data["scenarios"]),
                evaluation=tuple(dict(e) for e in data["evaluation"]),
            )
        except PolicyError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise PolicyError(f"the manifest is damaged: {type(error).__name__}: {error}") from None
        heat = out.settings.get("temperature", 1.0)
        if isinstance(heat, bool) or not isinstance(heat, (int, float)) or not 0 <= heat <= 100:
            raise PolicyError(f"the manifest is damaged: temperature = {heat!r}, a number from 0 to 100")
        size = sum(int(np.prod(shape, dtype=np.int64)) for _, shape in out.pieces)
        if (size, len(out.actions)) != (out.network.observation, out.network.actions):
            raise PolicyError("the manifest is damaged: its layouts do not fit its network")
        return out

    def differences(self, game: Game) -> list[str]:
        """What keeps the policy from playing a game, one line each; empty if it can."""
        out = []
        theirs = tuple((p.name, tuple(p.shape)) for p in game.layout.pieces)
        if theirs != self.pieces:
            mine, now = dict(self.pieces), dict(theirs)
            out += [
                f"observation piece {n!r}: {_shape(mine[n])} in the policy, missing now" for n in mine if n not in now
            ]
            out += [
                f"observation piece {n!r}: {_shape(now[n])} now, missing in the policy" for n in now if n not in mine
            ]
            out += [
                f"observation piece {n!r}: {_shape(mine[n])} in the policy, {_shape(now[n])} now"
                for n in mine
                if n in now and mine[n] != now[n]
            ]
            if not out:
                out.append("the observation's pieces stand in another order")
        codes = tuple(game.actions.codes)
        if len(codes) != len(self.actions):
            out.append(f"{len(self.actions)} actions in the policy, {len(codes)} now")
        else:
            out += [
                f"action {i}: {a!r} in the policy, {b!r} now"
                for i, (a, b) in enumerate(zip(self.actions, codes))
                if a != b
            ]
        return out

    def check(self, game: Game) -> None:
        """Raise PolicyError if the policy cannot play a game, with what differs."""
        found = self.differences(game)
        if found:
            more = f"; and {len(found) - 4} more" if len(found) > 4 else ""
            raise PolicyError(
                f"the policy was trained for {self.game} ({self.scenario}, {self.seats} seats) and does not fit "
                f"{game.name} ({game.spec.scenario}, {game.n_seats} seats): {'; '.join(found[:4])}{more}"
            )


def _shape(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))


@dataclass(frozen=True)
class Policy:
    """A loaded policy: what it is for, and its network."""

    manifest: Manifest
    net: PolicyNet


def save_policy(path: str | Path, manifest: Manifest, weights: Mapping[str, np.ndarray]) -> None:
    """Write a policy (weights float32 as in `Blueprint.shapes`) in one piece; raises PolicyError for wrong weights."""
    PolicyNet(manifest.network, weights)
    arrays = {name: np.asarray(a, dtype=np.float32) for name, a in weights.items()}
    try:
        write_tensors(Path(path), arrays, {MANIFEST: manifest.to_json()})
    except OSError as error:
        raise PolicyError(f"{path} cannot be written: {error.strerror or error}") from None


def load_policy(path: str | Path, dtype: Any = np.float64) -> Policy:
    """Read a policy; raises PolicyError for a file that is missing, damaged, or no policy. Runs no code of the file."""
    arrays, texts = read_tensors(Path(path))
    if MANIFEST not in texts:
        checkpoint = any(name.startswith("learner.") for name in arrays)
        beside = ", but the checkpoint of a training: its policy is a file beside it" if checkpoint else ""
        raise PolicyError(f"{path} has no manifest: it is no policy of probespiel{beside}")
    try:
        manifest = Manifest.from_json(texts[MANIFEST])
        return Policy(manifest, PolicyNet(manifest.network, arrays, dtype))
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


__all__ = ["Manifest", "Policy", "load_policy", "read_tensors", "save_policy", "write_tensors"]
