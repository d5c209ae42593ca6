"""Planted errors: apply each one to a copy of the tree, run its tests, and tell which tests noticed.

`python tests/mutants/run.py [--only PATTERN] [--jobs N]` (`make mutants`) reads every list beside this file (`*.toml`);
`--sample N --seed S` takes so many of them by chance, for a look between releases.
An entry names a `file`, the exact `old` text (which must occur once), the `new` text, the `tests` to run (pytest node
ids, separated by blanks), and optionally a `why` and `jit = true` for errors that only compiled code shows; all others
run interpreted, which needs no compilation. Many are tried in memory first (`quick.py`, a second each instead of some
ten), and what that does not see killed has its own run here, as have all if there are few. Tests run with `-x -q`, in
the untouched copy first. Exits with 1 if under 95 % of the errors are killed, or if the tests fail without any.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDERS = ("envs", "agents", "training", "evaluation", "app")
READ = ("docs", "examples", "benchmarks")  # what tests read and import besides
NEEDED = 0.95
SECONDS = 600  # for the tests of one entry; an error that makes them hang is noticed too
MANY = 20  # interpreted errors, from which on collecting all their tests in one process takes less time than it saves
PATIENCE = 10  # times as long for the tests of all entries together, without any error
# What tests spend most of their time on is importing these: a server does it once, and every run starts as its copy.
PRELOADED = (
    "pytest", "numpy", "scipy.stats", "scipy.optimize", "scipy.sparse", "pyarrow.parquet", "matplotlib.figure",
    "jinja2", "choix", "rich.table", "numba", "joblib",
)  # fmt: skip
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".pytest_cache")


@dataclass(frozen=True)
class Mutant:
    """One planted error: where it stands, what is changed, and the tests that must notice."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    jit: bool = False

    def apply(self, tree: Path) -> str:
        """Change the file in `tree`; return what it held. Raises ValueError if the old text is not there just once."""
        path = tree / self.file
        if not path.is_file():
            raise ValueError(f"{self.name}: there is no file {self.file}")
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: the old text occurs {text.count(self.old)} times in {self.file}, not once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")
        return text


@dataclass(frozen=True)
class Finding:
    """What became of an entry: killed, survived, or an error text; and how long it took."""

    mutant: Mutant
    verdict: str
    seconds: float


def read_lists(paths: Sequence[Path]) -> list[Mutant]:
    """All entries of some lists; raises ValueError for one that is incomplete or named twice."""
    found: list[Mutant] = []
    for path in paths:
        for index, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])):
            missing = [key for key in ("name", "file", "old", "new", "tests") if key not in entry]
            if missing:
                raise ValueError(f"{path.name}, entry {index}: {missing[0]} is missing")
            name = f"{path.stem}/{entry['name']}"
            if any(mutant.name == name for mutant in found):
                raise ValueError(f"{name} occurs twice")
            tests = tuple(entry["tests"].split())
            found.append(Mutant(name, entry["file"], entry["old"], entry["new"], tests, entry.get("jit", False)))
    return found


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of the sources in a temporary folder whose packages are imported instead of the installed ones."""
    with tempfile.TemporaryDirectory(prefix="probespiel-mutants-") as folder:
        tree = Path(folder)
        for name in (*FOLDERS, *READ, "probespiel", "tests"):
            shutil.copytree(ROOT / name, tree / name, ignore=_LEFT_OUT)
        shutil.copyfile(ROOT / "pyproject.toml", tree / "pyproject.toml")
        # pytest puts the root on the path, where `probespiel` must hold its packages, as the installed one does.
        for name in FOLDERS:
            (tree / "probespiel" / name).symlink_to(tree / name, target_is_directory=True)
        yield tree


def passes(tree: Path, tests: Sequence[str], jit: bool, write_bytecode: bool = False, seconds: float = SECONDS) -> bool:
    """Whether the tests pass in a tree; what takes longer than so many seconds counts as a failure.

    Interpreted ones run in a process forked from a server that has imported what they need from outside, compiled ones
    in a process of their own. Raises ValueError for tests that do not exist.
    """
    arguments = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *tests]
    if jit:
        # On the path of what tests start, too, before the checkout that is installed.
        environment = {**os.environ, "PROBESPIEL_CACHE": str(tree / ".cache"), "PYTHONPATH": str(tree)}
        environment.pop("NUMBA_DISABLE_JIT", None)
        command = [sys.executable, "-m", "pytest", *arguments]
        try:
            status = subprocess.run(
                command, cwd=tree, env=environment, capture_output=True, timeout=seconds, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            return False
    else:
        child = multiprocessing.get_context("forkserver").Process(
            target=_run_pytest, args=(str(tree), arguments, write_bytecode)
        )
        child.start()
        child.join(seconds)
        if child.exitcode is None:
            child.kill()
            child.join()
            return False
        status = child.exitcode
    if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise ValueError(f"pytest finds no {' '.join(tests)}")
    return status == 0


def _run_pytest(tree: str, arguments: list[str], write_bytecode: bool) -> None:
    """Run pytest in a tree, in this process, which ends with its status; what it prints is dropped."""
    os.chdir(tree)
    os.environ["PYTHONPATH"] = tree  # of what tests start
    sys.dont_write_bytecode = not write_bytecode
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os._exit(int(pytest.main(arguments)))


def _tried(mutant: Mutant, trees: SimpleQueue[Path]) -> Finding:
    begun, tree = time.perf_counter(), trees.get()
    try:
        before = mutant.apply(tree)
        try:
            verdict = "survived" if passes(tree, mutant.tests, mutant.jit) else "killed"
        finally:
            (tree / mutant.file).write_text(before, encoding="utf-8")
    except ValueError as error:
        verdict = str(error)
    finally:
        trees.put(tree)
    finding = Finding(mutant, verdict, time.perf_counter() - begun)
    print(f"{finding.verdict:9} {finding.seconds:6.1f} s  {mutant.name}", flush=True)
    return finding


_VERDICT = re.compile(r"(?P<verdict>killed|survived|not in memory) +(?P<seconds>[\d.]+) s  (?P<name>.+?)(?:  .*)?")


def noticed(log: str, mutants: Sequence[Mutant]) -> list[Finding]:
    """The errors that tests noticed by the lines of a log of `quick.py`, as far as it got."""
    of = {mutant.name: mutant for mutant in mutants}
    lines = [found for line in log.splitlines() if (found := _VERDICT.fullmatch(line))]
    return [
        Finding(of[found["name"]], "killed", float(found["seconds"]))
        for found in lines
        if found["verdict"] == "killed" and found["name"] in of
    ]


def in_memory(mutants: Sequence[Mutant], jobs: int) -> list[Finding]:
    """Those interpreted errors that tests notice in memory, tried by so many processes; of others nothing is said."""
    order = sorted((m for m in mutants if not m.jit), key=lambda mutant: (mutant.tests, mutant.name))
    if len(order) < MANY:
        return []
    with tempfile.TemporaryDirectory(prefix="probespiel-mutants-") as folder:
        started = []
        for job in range(jobs):
            names, log = Path(folder, f"names-{job}"), Path(folder, f"log-{job}")
            part = order[job * len(order) // jobs : (job + 1) * len(order) // jobs]
            names.write_text("\n".join(mutant.name for mutant in part), encoding="utf-8")
            command = [sys.executable, str(HERE / "quick.py"), str(log), "--names", str(names)]
            started.append((log, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)))
        for _, process in started:
            process.wait()
        found = [noticed(log.read_text(encoding="utf-8"), order) for log, _ in started if log.is_file()]
    return [finding for part in found for finding in part]


def table(findings: Sequence[Finding]) -> str:
    """Killed and planted errors of each file, and the names of the survivors."""
    files = sorted({f.mutant.file for f in findings})
    lines = [f"{'file':48} killed planted"]
    for file in files:
        mine = [f for f in findings if f.mutant.file == file]
        lines.append(f"{file:48} {sum(f.verdict == 'killed' for f in mine):6} {len(mine):7}")
    killed = sum(f.verdict == "killed" for f in findings)
    lines.append(f"{'all':48} {killed:6} {len(findings):7}  {killed / len(findings):.0%}")
    lines += [f"not killed: {f.mutant.name}: {f.verdict}" for f in findings if f.verdict != "killed"]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the planted errors; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="a regular expression of names (LIST/NAME) or files"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time, each in a copy of its own")
    parser.add_argument("--sample", type=int, metavar="N", default=0, help="only so many of them, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0, help="for --sample")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}; at least 1")
    chosen = [
        mutant for mutant in read_lists(sorted(HERE.glob("*.toml")))
        if re.search(options.only, mutant.name) or re.search(options.only, mutant.file)
    ]  # fmt: skip
    if not chosen:
        parser.error(f"--only {options.only!r} matches no planted error")
    if options.sample:
        drawn = random.Random(options.seed).sample(sorted(m.name for m in chosen), min(options.sample, len(chosen)))
        chosen = [mutant for mutant in chosen if mutant.name in set(drawn)]
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # of the server and its copies
    os.environ["PROBESPIEL_TESTS_ABOVE"] = str(os.getpid())  # tests that hang end with this process: tests/guard.py
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(PRELOADED))
    known = in_memory(chosen, options.jobs)
    for finding in known:
        print(f"{finding.verdict:9} {finding.seconds:6.1f} s  {finding.mutant.name}", flush=True)
    names = {finding.mutant.name for finding in known}
    chosen = [mutant for mutant in chosen if mutant.name not in names]
    trees: SimpleQueue[Path] = SimpleQueue()
    with ThreadPoolExecutor(options.jobs) as pool, copied_tree() as first:
        for jit in (False, True):
            tests = sorted({test for mutant in chosen if mutant.jit == jit for test in mutant.tests})
            if tests and not passes(first, tests, jit, write_bytecode=True, seconds=PATIENCE * SECONDS):
                print(f"these tests fail without any error planted: {' '.join(tests)}", file=sys.stderr)
                return 1
        trees.put(first)
        copies = [copied_tree() for _ in range(options.jobs - 1)]
        for copy in copies:
            trees.put(copy.__enter__())
        try:
            findings = known + list(pool.map(lambda mutant: _tried(mutant, trees), chosen))
        finally:
            for copy in copies:
                copy.__exit__(None, None, None)
    print(table(findings))
    return 0 if sum(f.verdict == "killed" for f in findings) >= NEEDED * len(findings) else 1


if __name__ == "__main__":
    sys.exit(main())
