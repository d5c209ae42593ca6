"""The fault campaign: `python -m tests.faults.run` (`make faults`), under an hour on two cores.

    --seed N            other cases (0)
    --only PATTERN      families whose name fits
    --share X           that part of the cases, 1 for all
    --repeat FAMILY CASE  one case, as a failure prints it
    --jobs N            so many cases at a time (2)
    --sample            a few cases that take little time: what the quick tests try

Every case is drawn from the seed, the family and its number alone. A case that fails is made smaller for as long as it
fails, and printed with the command that repeats it. Exits with 1 if any failed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .commands import preload
from .families import FAMILIES, Case, Family, Undisturbed
from .hostile import HOSTILE

ALL: dict[str, Family] = {**FAMILIES, **HOSTILE}
SAMPLE: dict[str, list[Case]] = {
    "disturbed": [
        {"command": "fixed", "faults": [
            {"signal": "SIGKILL", "share": 0.5}, {"refuse": "ENOSPC", "share": 0.6, "lasting": True},
        ]},
        {"command": "until", "faults": [{"signal": "SIGINT", "share": 0.4}]},
    ],
    "damaged": [
        {"reader": "tournament", "damage": [
            {"file": 3, "how": "cut", "share": 0.7, "kind": 0}, {"file": 5, "how": "flip", "share": 0.5, "kind": 3},
        ]},
    ],
    "texts": [
        {"arguments": ["tournament", "kuhn", "--agents", "search:sims={long}", "--games", "2"]},
        {"arguments": ["match", "kuhn", "random", "a\0b", "--sprt", "nan", "\udcff"]},
        {"arguments": ["rules", "kuhn", "--set", "bet={deep}"]},
    ],
    "messages": [
        {"answers": [
            {"body": '{"per_table": false, "batched": true, "apart": true, "tells": false}'},
            {"body": '{"action": 0}', "times": 2},
        ]},
    ],
}  # fmt: skip
TRIES = 40  # smaller cases that are tried after a failure


def smaller(value: Any) -> Iterator[Any]:
    """Simpler values than this one, the simplest first."""
    if isinstance(value, list):
        if len(value) > 1:
            yield value[: len(value) // 2]
            yield value[len(value) // 2 :]
            yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        for i, part in enumerate(value):
            yield from ([*value[:i], less, *value[i + 1 :]] for less in smaller(part))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: less} for less in smaller(part))
    elif isinstance(value, str):
        if len(value) > 1:
            yield from (value[: len(value) // 2], value[len(value) // 2 :], value[1:], value[:-1])
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        yield type(value)(0)
        half = value // 2 if isinstance(value, int) else round(value / 2, 3)
        if 0 < half < value:
            yield half
        if isinstance(value, int) and value > 2:
            yield value - 1


def complaint_of(said: Sequence[str]) -> str:
    """What a failure is, without its numbers and names of files: a smaller case must fail in the same way."""
    return re.sub(r"disturbed|\d+|left in peace", "", said[0]).partition(": ")[2] if said else ""


def shrunk(
    family: Family, case: Case, said: list[str], place: Path, undisturbed: Undisturbed
) -> tuple[Case, list[str]]:
    """The smallest case found that fails in the same way, and what is wrong with it."""
    kind, left = complaint_of(said), TRIES
    found = True
    while found and left:
        found = False
        for name in family.smaller:
            for less in smaller(case[name]):
                if not left:
                    break
                left -= 1
                tried = {**case, name: less}
                with contextlib.suppress(
                    LookupError, TypeError, ValueError, AttributeError
                ):  # smaller than makes sense
                    answer = family.check(tried, place, undisturbed)
                    if answer and complaint_of(answer) == kind:
                        case, said, found = tried, answer, True
                        break
            if found:
                break
    return case, said


def warm(place: Path) -> None:
    """Load here, once, what every process would load; it is in the middle of a tournament that most of it is."""
    from probespiel.app.cli import run as command

    arguments = ["tournament", "kuhn", "--agents", "random,card_only,search:sims=10", "--games", "16", "--seed", "1"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        command([*arguments, "--jobs", "1", "--out", str(place / "warm")])


@contextlib.contextmanager
def _place() -> Iterator[Path]:
    # not a TemporaryDirectory: forked processes would remove it at their end, too
    place = Path(tempfile.mkdtemp(prefix="probespiel-faults-")).resolve()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def tried(name: str, numbers: Iterable[int], given: argparse.Namespace, place: Path) -> int:
    """Try the cases of a family with these numbers, and print those that fail; how many they are."""
    family, undisturbed, failures, known = ALL[name], Undisturbed(place), 0, set[str]()
    for number in numbers:
        if given.sample:
            case = SAMPLE[name][number]
        else:
            case = family.draw(random.Random(f"{given.seed} {name} {number}"))
        said = family.check(case, place, undisturbed)
        if not said:
            continue
        failures += 1
        if complaint_of(said) not in known and not given.sample:
            known.add(complaint_of(said))
            case, said = shrunk(family, case, said, place, undisturbed)
        print(f"FAILED {name} {number}:", *said, sep="\n  ")
        print(
            f"  repeat: make faults ARGS={shlex.quote(f'--repeat {name} {shlex.quote(json.dumps(case))}')}\n",
            flush=True,
        )
    return failures


def side_by_side(name: str, count: int, given: argparse.Namespace, place: Path) -> int:
    """The same in several processes; what they make of each case does not depend on their number."""
    jobs = min(given.jobs, count)
    if jobs == 1:
        return tried(name, range(count), given, place)
    children = []
    for job in range(jobs):
        child = os.fork()
        if child == 0:
            failures = 1
            try:
                own = place / f"job-{job}"
                own.mkdir(exist_ok=True)
                failures = tried(name, range(job, count, jobs), given, own)
            except BaseException:
                traceback.print_exc()  # the exit below would keep it quiet
            finally:
                sys.stdout.flush()
                os._exit(min(failures, 100))
        children.append(child)
    return sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if a case failed."""
    parser = argparse.ArgumentParser(prog="faults", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", nargs=2, metavar=("FAMILY", "CASE"))
    parser.add_argument("--sample", action="store_true")
    given = parser.parse_args(arguments)
    begun, failures, cases = time.monotonic(), 0, 0
    with _place() as place:
        if not given.sample:
            preload()
        warm(place)
        if given.repeat:
            said = ALL[given.repeat[0]].check(json.loads(given.repeat[1]), place, Undisturbed(place))
            print("\n".join(said) or "all is well")
            return int(bool(said))
        for name, family in ALL.items():
            count = len(SAMPLE.get(name, [])) if given.sample else max(1, round(family.count * given.share))
            if not count or not re.search(given.only, name):
                continue
            start = time.monotonic()
            wrong = side_by_side(name, count, given, place)
            failures, cases = failures + wrong, cases + count
            print(f"{name}: {count} cases, {wrong} failed, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{cases} cases, {failures} failed, {time.monotonic() - begun:.0f} s")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
