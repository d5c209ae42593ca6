"""What happens on a worker of a cluster: it is examined, gets the work and its files, and does jobs.

Calls travel as bytes that only the worker unpickles (`Call`), so that a scheduler needs no more than Dask itself. The
files of the work lie in the worker's own folder under a hash of their content.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from probespiel import __version__

from ..disk import replacing
from ..errors import ProbespielError
from .work import Work, digest_of

LIBRARIES = ("numpy", "numba", "llvmlite", "scipy", "pyarrow", "torch", "open_spiel")  # which decide results
FLOORS = ("envs", "agents", "training", "evaluation")
SOURCES = (".py", ".json", ".npz", ".safetensors", ".toml")


class Call:
    """A call that is made where this is unpickled: what comes out of the bytes is its result."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self.function, self.args = function, args

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.args

    def as_bytes(self) -> bytes:
        """The call, for `pickle.loads` on the worker."""
        return pickle.dumps(self, protocol=5)


class NotAdmitted(ProbespielError):
    """A job came to a worker that does not have its work: one that was never examined, or that began anew."""


@dataclass(frozen=True)
class Exam:
    """What a worker is: where it runs, and why it must not work here (empty: it may)."""

    host: str
    fault: str


@dataclass(frozen=True)
class Reply:
    """What came of a job: the answer, or the error that it raised; `digest` of what must be the same everywhere."""

    worker: str
    seconds: float
    digest: str
    answer: Any = None
    error: BaseException | None = None


@dataclass(frozen=True)
class Parcel:
    """Work as it travels: pickled, with the content of its files by the paths under which it names them."""

    work: bytes
    files: Mapping[str, bytes]
    probe: str

    @property
    def name(self) -> str:
        """A hash of all of it: equal parcels mean equal work."""
        return digest_of([self.work, self.files, self.probe])


@cache
def identity() -> dict[str, str]:
    """What must be the same on all machines: versions, and a hash of the code of this package."""
    found = {"probespiel": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for name in LIBRARIES:
        try:
            found[name] = version(name).partition("+")[0]
        except PackageNotFoundError:
            continue  # an extra, which this work may not need; what needs it says so
    home, h = Path(__file__).resolve().parents[3], hashlib.sha256()
    for floor in FLOORS:
        for path in sorted((home / floor).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                h.update(str(path.relative_to(home)).encode() + b"\0" + path.read_bytes())
    return {**found, "code of probespiel": h.hexdigest()[:24]}


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What another machine has otherwise, in words; what only one of both has installed is none of it."""
    wrong = [f"{name} {there[name]}, here {here[name]}" for name in here if there.get(name, here[name]) != here[name]]
    return "; ".join(wrong[:3])


def probe_of(work: Work) -> str:
    """The digest of the result of the probe of some work."""
    return digest_of(work.probe())


_PRESENT: dict[tuple[str, str], Work] = {}  # by worker and parcel
ALONE = threading.RLock()  # held by whoever does jobs: several workers may be threads of one process


def _address() -> tuple[str, Path]:
    from distributed import get_worker

    worker: Any = get_worker()
    return str(worker.address), Path(worker.local_directory)


def scratch() -> Path:
    """A folder of the worker in which work may lay files while it is there."""
    folder = _address()[1] / "probespiel"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def examine(expected: Mapping[str, str], name: str, parcel: bytes) -> Exam:
    """Look whether this worker does what the others do, and take in the work; the parcel is opened last."""
    address, _ = _address()
    host = f"{platform.node()}, process {os.getpid()}"
    if wrong := differences(expected, identity()):
        return Exam(host, wrong)
    if (address, name) in _PRESENT:
        return Exam(host, "")
    try:
        opened: Parcel = pickle.loads(parcel)
        work = _unpacked(opened)
        with nullcontext() if work.together else ALONE:
            found = probe_of(work)
    except Exception as error:  # rules and agents of others may raise anything
        return Exam(host, f"{type(error).__name__}: {error}")
    if found != opened.probe:
        return Exam(host, "a known block has another result there: its processor or libraries calculate otherwise")
    _PRESENT[address, name] = work
    return Exam(host, "")


def _unpacked(parcel: Parcel) -> Work:
    """The work of a parcel, with its files in a folder of this worker under the hash of their content."""
    work: Work = pickle.loads(parcel.work)
    places: dict[str, str] = {}
    for path, content in parcel.files.items():
        folder = scratch() / digest_of(content)
        folder.mkdir(exist_ok=True)
        places[path] = str(folder / Path(path).name)
        if not Path(places[path]).is_file():
            with replacing(Path(places[path]), sync=False) as file:
                file.write(content)
    return work.moved(places) if places else work


def perform(name: str, job: bytes) -> bytes:
    """Do a job of the work of a parcel; a pickled `Reply`. Raises NotAdmitted."""
    address, _ = _address()
    work = _PRESENT.get((address, name))
    if work is None:
        raise NotAdmitted(address)
    begun = time.perf_counter()
    try:
        with nullcontext() if work.together else ALONE:
            begun = time.perf_counter()
            answer = work.do(pickle.loads(job))
        digest = digest_of(work.same(answer)) if work.checked else ""
        reply = Reply(address, time.perf_counter() - begun, digest, answer)
        return pickle.dumps(reply, protocol=5)
    except Exception as error:  # it is raised again where the results are awaited
        return _raised(address, time.perf_counter() - begun, error)


def _raised(address: str, seconds: float, error: Exception) -> bytes:
    try:
        data = pickle.dumps(Reply(address, seconds, "", error=error), protocol=5)
        pickle.loads(data)  # some errors cannot be made again from what they keep
    except Exception:  # whatever a foreign error does when it is pickled
        told = ProbespielError(f"worker {address}: {type(error).__name__}: {error}")
        data = pickle.dumps(Reply(address, seconds, "", error=told), protocol=5)
    return data


def dismiss(name: str) -> None:
    """Forget the work of a parcel."""
    work = _PRESENT.pop((_address()[0], name), None)
    if work is not None:
        with nullcontext() if work.together else ALONE:
            work.dismiss()


__all__ = [
    "ALONE", "Call", "Exam", "NotAdmitted", "Parcel", "Reply", "differences", "dismiss", "examine", "identity",
    "perform", "probe_of", "scratch",
]  # fmt: skip
