"""Arrays of NumPy's archives, .npz, from files that anything may have happened to."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

# What NumPy and zipfile raise for bytes that are no archive: also for a flag that says "encrypted" (RuntimeError), a
# version that is too high (NotImplementedError, one of its kind), or an offset before the beginning (OSError).
_BROKEN = (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, MemoryError)


class ArchiveError(ValueError):
    """An archive is damaged, or none."""


def read_arrays(
    source: Path | IO[bytes], names: Sequence[str] | None = None, largest: int | None = None
) -> dict[str, np.ndarray]:
    """Arrays of an archive by their names, those named or all; no objects, which could hold code.

    Raises ArchiveError for anything else than an archive that has them, and for one of more than `largest` bytes when
    it is unpacked, OSError if it cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:  # NumPy would leave one open that is no archive
            return read_arrays(file, names, largest)
    try:
        stored = np.load(source, allow_pickle=False)
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ArchiveError("it is a single array")
        with stored:
            total = sum(entry.file_size for entry in stored.zip.infolist()) if stored.zip else 0
            if largest is not None and total > largest:
                raise ArchiveError(f"{total} bytes unpacked, at most {largest} are allowed")
            return {name: stored[name] for name in (stored.files if names is None else names)}
    except ArchiveError:  # a ValueError, too
        raise
    except _BROKEN as error:
        raise ArchiveError(f"{type(error).__name__}: {str(error)[:200]}") from None


__all__ = ["ArchiveError", "read_arrays"]
