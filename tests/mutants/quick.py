"""A first run over the planted errors in one process, several times faster than `run.py`, which has the last word.

`python tests/mutants/quick.py LOG [--only PATTERN]` collects all listed tests once, interpreted, and runs them once
without any error. Then each error is planted in a fork of that process, in its file and in the module that was made of
it, and its tests run there until one fails, the quickest first. Every verdict is a line of LOG.

An error that a test notices was noticed. What survives need not have been there: a subclass, or an object made at
import, still has the old class. So `run.py --only NAME` decides about survivors, about entries of which a test fails
when their file is executed anew without any error ("not in memory"), and about those that need compiling.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import signal
import sys
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
OURS = ("probespiel", "tests", "benchmarks")
SECONDS, TIMES = 30.0, 10.0  # an error that makes its tests hang: so many times what they took, and more


def _runner() -> Any:
    spec = importlib.util.spec_from_file_location("mutants_run", HERE / "run.py")
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def executed_anew(path: Path) -> None:
    """Execute the file of every module made of it again, and give its new things to all who have imported the old."""
    for module in [
        m for m in sys.modules.values() if os.path.realpath(getattr(m, "__file__", None) or "") == str(path)
    ]:
        old = dict(vars(module))
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), module.__dict__)
        new = {name: vars(module).get(name) for name in old if not name.startswith("__")}
        own = (types.FunctionType, type)
        moved = {
            id(was): new[name] for name, was in old.items()
            if isinstance(was, own) and was.__module__ == module.__name__ and name in new
        }  # fmt: skip
        for other in [m for m in sys.modules.values() if getattr(m, "__name__", "").startswith(OURS)]:
            for name, value in list(vars(other).items()):
                if other is not module and id(value) in moved:
                    setattr(other, name, moved[id(value)])
                elif other is not module and name in new and value is old[name] and not isinstance(value, bool):
                    setattr(other, name, new[name])


class Planter:
    """The plugin of pytest that has all tests, and plants one error after the other instead of running them."""

    def __init__(self, tree: Path, mutants: Sequence[Any], log: Path) -> None:
        self.tree, self.mutants, self.log = tree, mutants, log
        self.failed: list[str] = []
        self.times: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what failed, and how long it took."""
        self.times[report.nodeid] = self.times.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def say(self, text: str) -> None:
        """A line of the log."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    def run(self, items: Sequence[pytest.Item], to_the_end: bool) -> dict[str, Any]:
        """Run tests in this process; what failed, and how long they took."""
        self.failed.clear()
        self.times.clear()
        for at, item in enumerate(items):
            following = items[at + 1] if at + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed and not to_the_end:
                break
        return {"failed": self.failed, "times": self.times}

    def forked(self, work: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any]:
        """What work in a fork of this process brings; `failed` names no test if it hung or ended otherwise."""
        told = self.tree / "told.json"
        told.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            try:
                found = work()
            except BaseException as error:  # whatever it is, this process ends here
                found = {"failed": [f"{type(error).__name__}: {error}"]}  # of the file with its error, for instance
            told.write_text(json.dumps(found), encoding="utf-8")
            os._exit(0)
        end = time.monotonic() + seconds
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return {"failed": ["it hangs"]}
            time.sleep(0.02)
        return json.loads(told.read_text(encoding="utf-8")) if told.is_file() else {"failed": ["the process ended"]}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All errors, in the place of all tests."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        by_file: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            by_file.setdefault(item.nodeid.partition("::")[0], []).append(item)
        times: dict[str, float] = {}
        bad: set[str] = set()
        for name, items in by_file.items():
            found = self.forked(lambda items=items: self.run(items, to_the_end=True), 3600.0)
            times |= found.get("times", {})
            bad |= set(found["failed"]) if "times" in found else {item.nodeid for item in items}
            self.say(f"{len(items)} tests of {name}: {sum(times.get(i.nodeid, 0.0) for i in items):.1f} s")
        self.say(f"fail without any error planted: {', '.join(sorted(bad)) or 'none'}")
        lost: dict[tuple[str, tuple[str, ...]], set[str]] = {}
        for mutant in self.mutants:
            begun, path = time.monotonic(), (self.tree / mutant.file).resolve()
            items = [i for i in session.items if i.nodeid not in bad and _named(i.nodeid, mutant.tests)]
            items.sort(key=lambda item: times[item.nodeid])
            seconds = SECONDS + TIMES * sum(times[item.nodeid] for item in items)

            def work(items: Sequence[pytest.Item] = items, path: Path = path, to_the_end: bool = False) -> Any:
                executed_anew(path)
                return self.run(items, to_the_end)

            key = mutant.file, mutant.tests
            if key not in lost:
                found = self.forked(lambda work=work: work(to_the_end=True), seconds)
                lost[key] = set(found["failed"]) if "times" in found else {item.nodeid for item in items}
            left = [item for item in items if item.nodeid not in lost[key]]
            before = mutant.apply(self.tree)
            try:
                found = self.forked(lambda work=work, left=left: work(left), seconds)
            finally:
                path.write_text(before, encoding="utf-8")
            if not left or (len(left) < len(items) and not found["failed"]):
                verdict = "not in memory"
            else:
                verdict = "killed" if found["failed"] else "survived"
            by = found["failed"][0] if found["failed"] else ""
            self.say(f"{verdict:9} {time.monotonic() - begun:6.1f} s  {mutant.name}  {by}".rstrip())
        return True


def _named(test: str, names: Sequence[str]) -> bool:
    return any(test == name or test.startswith((f"{name}[", f"{name}::", f"{name}/")) for name in names)


def main() -> None:
    """Run the planted errors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", type=Path, help="where verdicts go, one a line")
    parser.add_argument("--only", metavar="PATTERN", default="", help="a regular expression of names (LIST/NAME)")
    parser.add_argument("--names", type=Path, help="a file with the names of those to try, one a line")
    options = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    runner = _runner()
    entries = runner.read_lists(sorted(HERE.glob("*.toml")))
    mutants = [m for m in entries if re.search(options.only, m.name) and not m.jit]
    if options.names is not None:
        names = set(options.names.read_text(encoding="utf-8").splitlines())
        mutants = [mutant for mutant in mutants if mutant.name in names]
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    log = options.log.resolve()
    with runner.copied_tree() as tree:
        os.chdir(tree)
        sys.dont_write_bytecode = True
        arguments = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *tests]
        pytest.main(arguments, plugins=[Planter(tree.resolve(), mutants, log)])


if __name__ == "__main__":
    main()
