"""Files that are there whole or not at all, even after a power cut, and folders that one process at a time writes."""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .errors import ProbespielError

_NO_LOCKS = (errno.ENOLCK, errno.EBADF, errno.ENOTSUP, errno.EINVAL)  # what file systems without locks answer


@contextmanager
def replacing(path: Path, sync: bool = True) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` at the end: readers see the old file or the whole new one.

    With `sync` both the file and its name have reached the disk then; what can be made anew need not. After an error
    the old file stays. Raises OSError.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    if sync:
        _sync_folder(path.parent)


def _umask() -> int:
    mask = os.umask(0)  # to ask is to set
    os.umask(mask)
    return mask


def write_text(path: Path, text: str) -> None:
    """Write a text as `replacing` does, in UTF-8; what that cannot hold becomes a question mark. Raises OSError."""
    with replacing(path) as file:
        file.write(text.encode("utf-8", "replace"))


def check_place(path: Path, folder: bool = False) -> None:
    """See that a file, or with `folder` the files of one, can be written: before the work whose result they hold.

    The folders are made. Raises ProbespielError.
    """
    if path.exists() and path.is_dir() != folder:
        raise ProbespielError(f"--out {path} is a {'file: name a folder' if folder else 'folder: name a file in it'}")
    place = path if folder else path.parent
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise ProbespielError(
            f"--out {path} cannot be written: {error.strerror or error}; name another place"
        ) from None


def _sync_folder(folder: Path) -> None:
    # The new name must reach the disk, too; systems that cannot open or sync a folder do this on their own.
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from working in a folder, which is made, and removed again if it stays empty.

    The lock ends with this process, however it ends. Where the file system knows no locks nothing is locked. Raises
    ProbespielError if another process is at work there, or if it is no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise ProbespielError(f"{folder} is no folder; name another one with --out")
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ProbespielError(
                f"another process is writing into {folder}: wait until it has ended, or choose another --out folder"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        yield
    finally:
        os.close(handle)
        with suppress(OSError):  # it holds what was made
            for path in new:
                path.rmdir()


__all__ = ["check_place", "locked", "replacing", "write_text"]
