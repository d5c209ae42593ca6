"""Kept parts of rule sets: the same code comes out as without them, and nothing is taken that has changed."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import from_dtype, types

from probespiel.envs.core import part_cache
from probespiel.envs.core.part_cache import NotKept

# Builds games in order and prints for each: how many parts were taken and translated, and the final code of the rules
# with its functions numbered in order (their names tell the rule set and the process).
BUILD = r"""
import json, re, sys
from numba.core.codegen import CPUCodeLibrary
from probespiel.envs import make_game
from probespiel.envs.core import code_cache, part_cache

code_cache.PATIENCE = float(sys.argv[3])
texts, counts = {}, {}
optimize, load = CPUCodeLibrary._optimize_final_module, part_cache.PartCache.load_overload

def optimized(self):
    optimize(self)
    lines = [line.split(";")[0].rstrip() for line in str(self._final_module).splitlines()]
    kept = [l for l in lines if l and not l.startswith(("source_", "!", "target", "attributes", "declare"))]
    text = re.sub(r"#\d+|!\S+ !\d+", "", "\n".join(l for l in kept if "= common " not in l))
    names = {}
    # (of one function inlined several times, names that LLVM numbers differ with the length of the first)
    texts[self.name] = re.sub(r"(?:cfunc\.)?_ZN[\w.$]+", lambda m: names.setdefault(m[0], f"N{len(names)}"), text)

def loaded(self, sig, context):
    made = load(self, sig, context)
    counts["taken" if made is not None else "made"] = counts.get("taken" if made is not None else "made", 0) + 1
    return made

CPUCodeLibrary._optimize_final_module, part_cache.PartCache.load_overload = optimized, loaded
if sys.argv[1] == "fresh":
    part_cache._read = lambda path: None
out = []
for modules in json.loads(sys.argv[2]):
    texts.clear(), counts.clear()
    make_game("kuhn", modules={module: {} for module in modules})
    out.append([dict(counts), "\n".join(text for name, text in sorted(texts.items()) if name.endswith("entry"))])
print(json.dumps(out))
"""

MODULE = '''"""A module for tests of a game that is soon compiled."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("tester", "changes the strength of every card")
module.param("bonus", 1, 0, 9)
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """More."""
    return {code}
'''


def builds(cache: Path, *modules: list[str], fresh: bool = False, patience: float = 300.0) -> list[Any]:
    """What `BUILD` prints for kuhn with such modules, one after the other in one process."""
    result = subprocess.run(
        [sys.executable, "-c", BUILD, "fresh" if fresh else "kept", json.dumps(modules), str(patience)],
        env={**os.environ, "PROBESPIEL_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_a_module_is_made_of_kept_parts(tmp_path: Path) -> None:
    """An edited module takes what has not changed from before, and comes out as if all had been translated anew."""
    one, two, three = (tmp_path / f"rule{i}.py" for i in range(3))
    one.write_text(MODULE.format(code="value + p.tester_bonus if seat == 0 else value"))
    two.write_text(MODULE.format(code="value * 2 + p.tester_bonus if seat == 1 else value"))
    three.write_text(MODULE.format(code="0.5 * value"))  # answers another type
    first, second, third = builds(tmp_path / "cache", [str(one)], [str(two)], [str(three)])
    assert first[0].get("taken", 0) == 0 and first[0]["made"] > 15
    assert second[0]["taken"] > 10 and 1 <= second[0]["made"] <= 4
    assert first[1] != second[1] and "fmul" not in second[1]
    assert third[0]["made"] > second[0]["made"]  # those that call the hook are translated for the new type
    (fresh,) = builds(tmp_path / "other", [str(three)], fresh=True)
    assert fresh[1] == third[1] and "taken" not in fresh[0]

    for path in (tmp_path / "cache").glob("rules-*/*"):
        path.unlink()
    kept = sorted((tmp_path / "cache").glob("parts-*/*"))
    kept[0].write_bytes(kept[0].read_bytes()[:-5])  # torn
    kept[1].write_bytes(b"")
    for path in kept[2:]:  # one bit in the middle of the code
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    (again,) = builds(tmp_path / "cache", [str(two)])
    assert "taken" not in again[0] and again[0]["made"] > 15 and again[1] == second[1]


def test_one_compiles_while_others_wait(tmp_path: Path) -> None:
    """Of processes that begin together one translates the rules; one that waits in vain does it by itself."""
    with ThreadPoolExecutor(3) as pool:
        found = [done.result()[0] for done in [pool.submit(builds, tmp_path / "cache", []) for _ in range(3)]]
    assert sorted(counts.get("made", 0) > 0 for counts, _ in found) == [False, False, True]

    (turn,) = (tmp_path / "cache").glob("rules-*/*.turn")
    for path in turn.parent.glob("*.nb*"):
        path.unlink()
    with open(turn, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        ((counts, _),) = builds(tmp_path / "cache", [], patience=0.1)
    assert counts["taken"] > 15


RECORD = np.dtype([("a", "i8"), ("b", "f8", (3,)), ("c", [("x", "i8"), ("y", "i8")]), ("d", "i8")], align=True)


def layout(dtype: Any, *names: str) -> Any:
    return part_cache._layout(from_dtype(dtype), frozenset(names), False)


def test_only_named_fields_count() -> None:
    """A field added at the end changes nothing for those who do not name it; a moved or changed one does."""
    longer = np.dtype([*[(n, RECORD[n]) for n in RECORD.names or ()], ("e", "i8")], align=True)
    moved = np.dtype([("z", "i8"), *[(n, RECORD[n]) for n in RECORD.names or ()]], align=True)
    other = np.dtype([("a", "f8"), ("b", "f8", (4,)), ("c", [("x", "i8"), ("z", "i8")]), ("d", "i8")], align=True)
    assert layout(RECORD, "a", "b", "d") == layout(longer, "a", "b", "d") != layout(moved, "a", "b", "d")
    assert layout(RECORD, "d", "e") != layout(longer, "d", "e")
    for name in "abc":
        assert layout(RECORD, name) != layout(other, name)
    inner = np.dtype([("a", "i8"), ("b", "f8", (3,)), ("c", [("x", "i8"), ("y", "i8"), ("w", "i8")])], align=True)
    assert layout(RECORD, "c", "x") != layout(inner, "c", "x")  # the size of what is held counts


def test_types_tell_all_that_matters() -> None:
    def told(t: Any) -> Any:
        return part_cache._layout(t, frozenset(), False)

    kinds = [
        *(types.int64, types.int32, types.boolean, types.float64, types.none, types.literal(1), types.literal(2)),
        *(types.int64[:], types.int64[::1], types.float64[::1], types.int64[:, ::1], types.UniTuple(types.int64, 2)),
        *(
            types.UniTuple(types.int64, 3),
            types.Tuple((types.int64, types.float64)),
            types.Omitted(0),
            types.Omitted(1),
        ),
        types.Array(types.int64, 1, "C", readonly=True),
    ]
    assert len({repr(told(kind)) for kind in kinds}) == len(kinds)
    with pytest.raises(NotKept, match="argument of type"):
        told(types.unicode_type)


def told(value: Any, *names: str) -> str:
    return part_cache._value(value, frozenset(names))


def test_globals_tell_their_values() -> None:
    """Equal values are equal, different ones differ; what cannot be told is refused, never left out."""
    from enum import IntEnum

    one = IntEnum("One", "A B")
    two = IntEnum("One", "B A")
    array, larger = np.arange(3), np.arange(4)
    values = [1, 1.0, True, "1", None, (1, 2), (1, (2,)), array, larger, array.astype("f4"), np.int32(1), one, two]
    values += [one.A, two.A, one.B, min, np.zeros, np]
    assert len({told(value) for value in values}) == len(values)
    assert told(np.arange(3)) == told(array) and told(array + 1) != told(array)
    for strange in (object(), [1], {1: 2}, lambda: array, np.array([None])):
        with pytest.raises(NotKept):
            told(strange)


def test_code_tells_what_is_done() -> None:
    def hashed(text: str) -> Any:
        namespace: dict[str, Any] = {}
        exec(text, namespace)
        return part_cache._code(namespace["f"].__code__)

    base = "def f(x):\n    return x + 1\n"
    assert hashed(base) == hashed("\n\n# a comment\n" + base) == hashed(base.replace("    ", "  "))
    for other in ("def f(x):\n    return x + 2\n", "def f(x):\n    return x + True\n", "def f(x):\n    return x - 1\n"):
        assert hashed(other) != hashed(base)
    assert hashed("def f(x):\n    return x.a\n") != hashed("def f(x):\n    return x.b\n")
    assert hashed("def f(x):\n    return [i + 1 for i in x]\n") != hashed("def f(x):\n    return [i + 2 for i in x]\n")
