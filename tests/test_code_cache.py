"""The cache of compiled code: found by content from any folder, private, and no damage to it reaches anybody."""

from __future__ import annotations

import importlib.util
import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba import types

from probespiel.envs.core.code_cache import cached_cfunc, cached_njit

pytestmark = pytest.mark.skipif("__import__('numba').config.DISABLE_JIT", reason="nothing is compiled")
SIGNATURE = types.int64(types.int64)
number = itertools.count()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for every test."""
    monkeypatch.setenv("PROBESPIEL_CACHE", str(tmp_path / "below" / "cache"))
    return tmp_path / "below" / "cache"


def function(folder: Path, body: str = "return x + 41") -> Callable[[int], int]:
    """A function of a file in a folder, freshly imported."""
    folder.mkdir(exist_ok=True)
    file = folder / "rules.py"
    file.write_text(f"def f(x):\n    {body}\n")
    spec = importlib.util.spec_from_file_location(f"rules_{next(number)}", file)
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # where stored code looks for its globals
    spec.loader.exec_module(module)
    return module.f


def compiled(folder: Path) -> tuple[Any, int]:
    """What the function answers to 1, and how often its code came from the cache."""
    made = cached_njit(function(folder), "name", SIGNATURE)
    return made(1), sum(made.stats.cache_hits.values())


def test_another_folder_finds_the_same_code(tmp_path: Path) -> None:
    """A second checkout compiles nothing; other content has another name and is another thing."""
    assert compiled(tmp_path / "one") == (42, 0)
    assert compiled(tmp_path / "two") == (42, 1)
    other = cached_njit(function(tmp_path / "one", "return x + 1"), "other name", SIGNATURE)
    assert (other(1), sum(other.stats.cache_hits.values())) == (2, 0)


def test_a_c_function_is_kept_too(tmp_path: Path) -> None:
    """Its address is ready at once, and it divides like numpy: by zero without an exception."""
    body = "return x // 0 + 5"
    first = cached_cfunc(function(tmp_path / "one", body), "name", SIGNATURE)
    again = cached_cfunc(function(tmp_path / "two", body), "name", SIGNATURE)
    assert (first.cache_hits, again.cache_hits) == (0, 1) and first.ctypes(3) == again.ctypes(3)


CALLERS = """
import sys
import numpy as np
from probespiel.envs.core.code_cache import cached_njit

def memory(n):
    return np.full(n, 2.5).cumsum()

def products(n):
    return np.dot(np.full((n, n), 2.5), np.full(n, 0.5))

def hashes(n):
    return hash("a text" * n)

made = cached_njit({"memory": memory, "products": products, "hashes": hashes}[sys.argv[1]], "name")
assert np.array_equal(made(3), made.py_func(3))
print(sum(made.stats.cache_hits.values()), "scipy.linalg" in sys.modules)
"""


@pytest.mark.parametrize(
    "what", ["memory", pytest.param("products", marks=pytest.mark.slow), pytest.param("hashes", marks=pytest.mark.slow)]
)
def test_what_code_calls_is_there_when_it_is_taken_from_the_cache(tmp_path: Path, what: str) -> None:
    """Memory is asked for, texts are hashed by the secret of the process: addresses that no kept code can hold.

    scipy's linear algebra, an eighth of the start of a command, is imported where code multiplies matrices alone.
    """
    (tmp_path / "callers.py").write_text(CALLERS)
    command = [sys.executable, str(tmp_path / "callers.py"), what]
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert told[0].split()[0] == "0" and told[1] == f"1 {what == 'products'}\n"


def test_only_the_owner_may_write_what_is_run(tmp_path: Path, cache: Path) -> None:
    """Neither the cache nor a folder in it is open to others, whatever the umask."""
    compiled(tmp_path)
    assert {path.stat().st_mode & 0o077 for path in (cache, *(p for p in cache.iterdir()))} == {0}


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "first byte": lambda data: flipped(data, 0),
    "middle": lambda data: flipped(data, len(data) // 2),
    "last byte": lambda data: flipped(data, len(data) - 1),
    "zeros": lambda data: bytes(len(data)),
    "a text": lambda data: b"hello",
    "another pickle": lambda data: pickle.dumps({"a": 1}),
    "a pickle that cannot be read": lambda data: b"cnowhere\nnothing\n.",
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_compiled_again(suffix: str, kind: str, tmp_path: Path, cache: Path) -> None:
    """Index or code torn, overwritten or foreign: the answer is right, and the next start finds good code."""
    compiled(tmp_path)
    (file,) = (cache / "name").glob(f"*{suffix}")
    file.write_bytes(DAMAGE[kind](file.read_bytes()))
    assert compiled(tmp_path) == (42, 0)
    assert compiled(tmp_path) == (42, 1)


def test_a_missing_file_of_code_is_compiled_again(tmp_path: Path, cache: Path) -> None:
    """An index that speaks of code that is gone."""
    compiled(tmp_path)
    for file in (cache / "name").glob("*.nbc"):
        file.unlink()
    assert compiled(tmp_path) == (42, 0)
    assert compiled(tmp_path) == (42, 1)


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path, cache: Path) -> None:
    """A file stands where the folder should be: compiled, run, not kept."""
    cache.parent.mkdir(parents=True)
    cache.write_text("in the way")
    assert compiled(tmp_path) == (42, 0)
    assert compiled(tmp_path) == (42, 0)
