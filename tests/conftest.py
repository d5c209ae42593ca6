"""What holds for every test, however the tests are started."""

import atexit
import gc
import importlib.util
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests import guard

guard.begin()

ROOT = Path(__file__).resolve().parent.parent


def elsewhere(root: Path) -> str:
    """Why the tests of a checkout would try the packages of another one; "" where they try its own.

    An environment that several checkouts share (of `git worktree`, for instance) has the packages of one of them.
    """
    spec = importlib.util.find_spec("probespiel.envs")
    found = None if spec is None or spec.origin is None else Path(spec.origin).resolve().parent.parent
    if found == root:
        return ""
    return (
        f"probespiel is imported from {found}, not from {root}: `make setup-dev` there makes an environment of its own"
    )


def pytest_configure() -> None:
    """Refuse to try other sources than those beside the tests."""
    if wrong := elsewhere(ROOT):
        raise pytest.UsageError(wrong)


# A shell that starts a command in the background (`nohup make test &`) has it ignore Ctrl-C, and whatever a test starts
# would inherit that: tests of interruption need the usual way.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Nor is a closed window to be ignored by what tests start (`nohup make test`), but by this process alone: "ignored" is
# inherited, a handler is not.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

# Workers side by side have a core each, and threads for small matrices only wait for each other. The command line has
# the same setting (`app/start.py`), but tests call what it calls.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Games that tests play are kept where nobody's own games are.
if "PROBESPIEL_DATA" not in os.environ:
    os.environ["PROBESPIEL_DATA"] = tempfile.mkdtemp(prefix="probespiel-tests-")
    atexit.register(shutil.rmtree, os.environ["PROBESPIEL_DATA"], ignore_errors=True)

# Files that take long come first, so that no worker is left alone with one of them in the end.
LONG = (
    "test_adapters.py", "test_stress.py", "test_terminal_signals.py", "test_stress_games.py", "test_ews_rps_agents.py",
    "test_oracle.py", "test_adding_a_system.py", "test_pages.py", "test_random_play.py", "test_training.py",
    "test_cluster.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort by that, and else leave the order as it is; workers are told to keep it (`--no-loadscope-reorder`)."""
    rank = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.path.name, len(LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded meanwhile stays to the end: it is not searched for garbage, now and again and again later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """What is left at the end is let go as ever: some libraries complain of what is not."""
    gc.unfreeze()
