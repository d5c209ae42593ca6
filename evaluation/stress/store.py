"""The folder of a test: its settings, and the answer of every finished job, so that nothing is done twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...envs.core.archive import read_arrays
from ...envs.core.disk import replacing, write_text
from ...envs.core.errors import ProbespielError
from ...envs.core.jit import digest
from .workers import Job

PARTS = "parts"

Report = TypeVar("Report")


@dataclass(frozen=True)
class Kind:
    """What a folder is for: the file of its settings, its format, what it is called in words, and where answers lie.

    `parts` is a pattern for folders of answers below it: a test may consist of others.
    """

    file: str
    format: str
    words: str
    parts: str = PARTS


STRESS = Kind("stress.json", "probespiel-stress/1", "stress test")


def plain_args(value: Any) -> Any:
    """Arguments of a job as JSON: dataclasses become dicts, tuples lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain_args(asdict(value))
    if isinstance(value, Mapping):
        return {str(k): plain_args(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_args(v) for v in value]
    if isinstance(value, Path):
        return str(value)
    return value


class Store:
    """Finished jobs of one test, and how far the report in its folder tells of it.

    Raises ProbespielError for a folder that holds another test, or one that is not to be gone on with.
    """

    def __init__(
        self, folder: Path, settings: Mapping[str, Any], resume: bool, overwrite: bool, kind: Kind = STRESS
    ) -> None:
        self.folder, self.kind = folder, kind
        self.settings = json.loads(json.dumps(settings, default=str))
        self._told, self._whole = 0, False  # what the report in the folder tells
        self._open(resume, overwrite)

    def _open(self, resume: bool, overwrite: bool) -> None:
        path, words = self.folder / self.kind.file, self.kind.words
        if self.folder.exists() and not self.folder.is_dir():
            raise ProbespielError(f"{self.folder} is no folder; name another one with --out")
        before = _read(path, self.kind)
        parts = list(self.folder.glob(f"{self.kind.parts}/*.npz")) if before is not None else []
        if before is not None and not overwrite:
            if resume and before.get("settings") != self.settings:
                raise ProbespielError(
                    f"{self.folder} holds another {words}: {_differs(before, self.settings)}; drop it with "
                    "--overwrite, or name another folder with --out"
                )
            if not resume and parts:
                whole = before.get("finished")
                raise ProbespielError(
                    f"{self.folder} holds {'a finished' if whole else 'an unfinished'} {words}: "
                    f"{'tell it again' if whole else 'go on'} with --resume, drop it with --overwrite, or name another "
                    "folder with --out"
                )
        if not resume or before is None or before.get("settings") != self.settings:
            for part in parts:
                part.unlink()
        else:
            self._told, self._whole = int(before.get("told", 0)), bool(before.get("finished"))
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / PARTS).mkdir(exist_ok=True)
        for leftover in self.folder.rglob(".*.tmp"):  # of a process that was killed while it wrote
            leftover.unlink(missing_ok=True)
        self._write(False)

    def earlier(self, reached: int, read: Callable[[], Report]) -> Report | None:
        """The report in the folder, of the same test, if it tells more than what an interrupted one has reached.

        Answers that are kept are read again step after step: who is interrupted before the last of them knows less
        than was known before. None if there is none such, or it cannot be read; another one is to be written then.
        """
        if self._told > reached:
            try:
                found = read()
            except ProbespielError:  # it was taken away, or damaged: what is known now is more than that
                pass
            else:
                self._write(self._whole)
                return found
        self.told(reached, finished=False)
        return None

    def told(self, reached: int, finished: bool) -> None:
        """Note that a report is in the folder now: how far it got, a number that grows, and whether all is done."""
        self._told, self._whole = reached, finished
        self._write(finished)

    def _write(self, finished: bool) -> None:
        content = {
            "format": self.kind.format, "finished": finished, "told": self._told, "settings": self.settings,
        }  # fmt: skip
        write_text(self.folder / self.kind.file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def path_of(self, job: Job, facts: Any) -> Path:
        """Where the answer of a job lies that was told some facts."""
        text = json.dumps([job.kind, plain_args(job.args), plain_args(facts)], sort_keys=True)
        return self.folder / PARTS / f"{job.kind}-{digest([text])}.npz"

    def get(self, path: Path) -> Any:
        """A finished job's answer, or None; a damaged one is dropped."""
        if not path.is_file():
            return None
        try:
            stored = read_arrays(path)
            return _join(json.loads(bytes(stored["tree"]).decode()), stored)
        except (OSError, ValueError, KeyError):
            path.unlink(missing_ok=True)
            return None

    def put(self, path: Path, answer: Any) -> None:
        """Keep an answer, at once or not at all."""
        arrays: dict[str, np.ndarray] = {}
        tree = json.dumps(_split(answer, arrays)).encode()
        with replacing(path) as file:
            np.savez_compressed(file, tree=np.frombuffer(tree, dtype=np.uint8), **arrays)  # pyright: ignore[reportArgumentType]


def _split(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    if isinstance(value, np.ndarray):
        key = f"a{len(arrays)}"
        arrays[key] = value
        return {"__array__": key}
    if isinstance(value, Mapping):
        return {str(k): _split(v, arrays) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_split(v, arrays) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def _join(value: Any, stored: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"__array__"}:
            return stored[value["__array__"]]
        return {k: _join(v, stored) for k, v in value.items()}
    return [_join(v, stored) for v in value] if isinstance(value, list) else value


def _read(path: Path, kind: Kind) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ProbespielError(f"{path} cannot be read: {error}; name another folder with --out") from None
    if not isinstance(found, dict) or found.get("format") != kind.format:
        raise ProbespielError(f"{path} is no {kind.words} of this version; name another folder with --out")
    return found


def _differs(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    old = before.get("settings") or {}
    names = [n for n in {**old, **now} if old.get(n) != now.get(n)]
    if names == ["ruleset"]:
        return "the rules have changed since: the module's file, another one's, or those of the game"
    return "; ".join(f"{n} was {json.dumps(old.get(n))[:200]}, is now {json.dumps(now.get(n))[:200]}" for n in names)


__all__ = ["STRESS", "Kind", "Store", "plain_args"]
