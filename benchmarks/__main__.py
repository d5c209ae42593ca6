"""One table of speeds, ours and those of peers, measured in one run on one pinned core.

Every row is the median of several rounds of CPU seconds; ours and its peer alternate. Loops are written the same way
for both sides. `--quick` shortens the rounds. The groups of rows are those that the files beside this one name in
`GROUPS`, with remarks below the table in `NOTES`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import resource
from collections.abc import Callable

from . import __path__ as folder
from .measure import Row


def main() -> None:
    """Measure everything and print the table."""
    files = [importlib.import_module(f"{__package__}.{m.name}") for m in pkgutil.iter_modules(folder)]
    groups: dict[str, Callable[[float], list[Row]]] = {}
    notes: dict[str, Callable[[], str]] = {}
    for file in files:
        groups |= getattr(file, "GROUPS", {})
        notes |= getattr(file, "NOTES", {})
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds (noisier)")
    parser.add_argument("--only", choices=tuple(groups), help="one group of rows")
    arguments = parser.parse_args()
    t = 0.3 if arguments.quick else 1.0
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    chosen = [name for name in groups if arguments.only in (None, name)]
    rows = [row for name in chosen for row in groups[name](t)]
    header = ("what", "unit", "per second", "peer in the same run", "peer per second", "ratio")
    table = [header, *[row.cells() for row in rows]]
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    for number, line in enumerate(table):
        cells = [
            c.rjust(w) if i in (2, 4, 5) else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
        ]
        print("| " + " | ".join(cells) + " |")
        if number == 0:
            print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    print()
    for name in chosen:
        if name in notes:
            print(notes[name]())
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
