"""Fail where tests hide: `check_tests.py REPORT.xml AT_LEAST`, a JUnit report and the fewest tests it may hold.

A test may be left out only for a reason that is listed here; a missing package is none.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree

REASONS = (
    "root may write everywhere",
    "take too long; see the slow test",
    "through /proc",
    "there is no chromium here",
    "runs interpreted, in a process of its own",
)


def main(report: str, at_least: int) -> None:
    """Read the report, say what was run, and exit with 1 where something is missing."""
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    skipped = [(case, mark.get("message", "")) for case in cases for mark in case.iter("skipped")]
    ran = len(cases) - len(skipped)
    print(f"{ran} tests were run, {len(skipped)} left out")
    hidden = [
        f"{case.get('classname')}::{case.get('name')}: {why}"
        for case, why in skipped
        if not any(r in why for r in REASONS)
    ]
    if hidden:
        print("left out without a reason that counts:", *hidden, sep="\n  ")
    if ran < at_least:
        print(f"fewer than {at_least} tests: if some were taken out on purpose, say so in .ci/run")
    if hidden or ran < at_least:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
