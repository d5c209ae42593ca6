"""What files of others may not change while they are imported: modules that others look up, and the streams."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import RulesetError


@contextmanager
def kept_imports() -> Iterator[None]:
    """Refuse a file that takes away or replaces what was imported before, which others look up by name, or a stream.

    All is put back; but what the file imported after that was made once more, so that nothing fits together any longer.
    """
    before, streams = dict(sys.modules), {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
    try:
        yield
    finally:
        changed = [f"sys.modules[{name!r}]" for name, found in before.items() if sys.modules.get(name) is not found]
        changed += [f"sys.{name}" for name, stream in streams.items() if getattr(sys, name, None) is not stream]
        sys.modules.update(before)
        for name, stream in streams.items():
            setattr(sys, name, stream)
    if changed:
        raise RulesetError(f"{changed[0]} is another one afterwards; a rule file only declares")


__all__ = ["kept_imports"]
