"""What is done by others: work, its jobs, what comes back, and how two results are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from ..errors import ProbespielError


class EngineError(ProbespielError):
    """Jobs that cannot be done by anybody; the text says why and what to do."""


class WorkersLost(EngineError):
    """Worker processes of this machine were ended by the system twice."""


class Deviation(EngineError):
    """A job had two results; `workers` are those of whom nothing may be kept."""

    def __init__(self, text: str, workers: Sequence[str]) -> None:
        super().__init__(text)
        self.workers = tuple(workers)


class Work:
    """What is done to the jobs of a run; it is pickled, and travels to every process that does some of them.

    Subclasses are frozen dataclasses. A job of `checked` work has the same result whoever does it, whenever and how
    often, as far as `same` tells. Jobs of `together` work may be done in several threads of a process.
    """

    checked: ClassVar[bool] = True
    together: ClassVar[bool] = False

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files that it reads, as it names them: they travel with it."""
        return ()

    def do(self, job: Any) -> Any:
        """Do a job, in any process; what it raises is raised again where the results are awaited."""
        raise NotImplementedError

    def probe(self) -> Any:
        """Something short whose result a worker must share before it is given jobs; None without."""
        return None

    def same(self, answer: Any) -> Any:
        """The part of a result that does not depend on who has made it."""
        return answer

    def moved(self, files: Mapping[str, str]) -> Work:
        """The same work where its files lie elsewhere, by the names of `files`; results must not show it."""
        return self

    def dismiss(self) -> None:
        """Forget what this process keeps between jobs; there will be no more of them."""


class Done(NamedTuple):
    """The answer to the job of this index, and who has given it (empty: this machine)."""

    index: int  # pyright: ignore[reportIncompatibleMethodOverride] - nobody asks a tuple where a value stands
    answer: Any
    worker: str


class Engine(Protocol):
    """Has jobs done; `count` is how many at the same time, about."""

    count: int

    def map(
        self, work: Work, jobs: Sequence[Any], idle: Callable[[], None] = lambda: None
    ) -> Generator[Done, None, None]:
        """Yield results as they finish; `idle` is called about once a second.

        What was not finished is dropped when the generator is closed. Raises what the work raises, and EngineError.
        """
        ...

    def close(self) -> None:
        """Send the workers home."""
        ...


def digest_of(value: Any) -> str:
    """A hash of plain values, arrays and records of them (24 hex digits): equal values have equal hashes."""
    h = hashlib.sha256()
    _feed(h.update, value)
    return h.hexdigest()[:24]


def _feed(update: Callable[[bytes], None], value: Any) -> None:
    if isinstance(value, np.ndarray):
        update(f"array {value.dtype} {value.shape} ".encode())
        update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, np.generic):
        _feed(update, value.item())
    elif isinstance(value, bytes):
        update(b"bytes %d " % len(value))
        update(value)
    elif isinstance(value, Mapping):
        update(b"map %d " % len(value))
        for key in sorted(value, key=repr):
            _feed(update, key)
            _feed(update, value[key])
    elif isinstance(value, (list, tuple)):
        update(b"list %d " % len(value))
        for one in value:
            _feed(update, one)
    elif is_dataclass(value) and not isinstance(value, type):
        update(type(value).__name__.encode())
        for field in fields(value):
            _feed(update, getattr(value, field.name))
    elif value is None or isinstance(value, (bool, int, float, str)):
        update(f"{type(value).__name__} {value!r} ".encode())
    else:
        raise TypeError(f"{type(value).__name__} has no digest: results are plain values, arrays and dataclasses")


__all__ = ["Deviation", "Done", "Engine", "EngineError", "Work", "WorkersLost", "digest_of"]
