"""`python -m tests.planted [NAME...] [--budget quick] [--jobs 2]`: verdicts of the planted modules beside the truth."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.cluster import processor_seconds

from .truth import PLANTS, findings, line, wrong


def main() -> int:
    """The number of modules about which something wrong is said."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PLANTS, []], help="modules (default: all)")
    parser.add_argument("--budget", default="quick")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = 0
    for name in given.names or PLANTS:
        begun, worked = time.monotonic(), processor_seconds()
        with tempfile.TemporaryDirectory() as folder:
            found = findings(name, Path(folder), given.budget, given.jobs, given.seed)
        faults = wrong(name, found)
        failed += bool(faults)
        worked = processor_seconds() - worked
        print(f"{line(name, found, faults)} | {time.monotonic() - begun:.0f} s, of processors {worked:.0f}", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
