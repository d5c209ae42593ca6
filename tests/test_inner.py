"""Functions that drivers alone call: they do as they say, errors included, have no code of their own; edits show."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import typeof

from probespiel.envs.core.inner import inner
from probespiel.envs.core.jit import config, driver
from probespiel.envs.core.parts import Part

from .test_layout import is_driver, meanings_of, module_name, package_files, parsed, shown, trees_in_mind, walked

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


@inner
def doubled(x: Any) -> Any:
    out = np.empty_like(x)  # memory is counted over both calls
    for i in range(len(x)):
        out[i] = 2 * x[i]
    return out


@inner(allocates=False)
def nth(x: Any, n: int) -> Any:
    if n < 0:
        raise ValueError("n is below 0")
    return x[n] // n


@driver
def answer(x: Any, n: int) -> Any:
    return nth(doubled(x), n=n) + nth(x, n=n)


@inner(allocates=False)
def once_more(x: Any, n: int) -> Any:
    return nth(x, n) + nth(x, n + 1)


@driver
def deeper(x: Any, n: int) -> Any:
    return once_more(x, n) + nth(x, n)


def test_they_do_what_they_say() -> None:
    x = np.array([5, 7, 9, 11])
    for n in (1, 2, 3):
        assert answer(x, n) == 2 * x[n] // n + x[n] // n
    assert deeper(x, 2) == 9 // 2 + 11 // 3 + 9 // 2
    assert answer(x.astype(float), 2) == 9 + 4.0  # of other types, they are translated anew


def test_errors_come_through() -> None:
    x = np.array([5, 7, 9, 11])
    with pytest.raises(ZeroDivisionError):
        answer(x, 0)
    for call in (answer, deeper):
        with pytest.raises(ValueError, match="n is below 0"):
            call(x, -1)


def test_they_have_no_code_of_their_own() -> None:
    """That is what they are for: no machine code is made of them but within their callers."""
    x = np.array([5, 7, 9, 11])
    deeper(x, 1)
    for function in (nth, once_more):
        function.compile((typeof(x), typeof(1)))  # callers that come from the disk have not asked for it
        libraries = [made.library for made in function.overloads.values()]
        assert libraries and all(isinstance(library, Part) for library in libraries)
    assert not any(isinstance(made.library, Part) for made in deeper.overloads.values())


CALL = """
import sys
sys.path.insert(0, sys.argv[1])
from package.high import answer
print(answer(3), sum(answer.stats.cache_hits.values()))
"""


def test_an_edit_of_an_inner_function_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its callers are found on disk while it is as it was, and compiled again when it is not."""
    monkeypatch.setenv("PROBESPIEL_CACHE", str(tmp_path / "cache"))
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "high.py").write_text(
        "from probespiel.envs.core.jit import config, driver\nfrom .low import more\n\n"
        "@driver\ndef answer(x):\n    return more(x) + 1\n"
    )

    def told(body: str) -> str:
        (package / "low.py").write_text(
            f"from probespiel.envs.core.inner import inner\n\n@inner\ndef more(x):\n    return {body}\n"
        )
        # -B: Python tells its own compiled files by second and size, and these edits are as long and as quick
        done = subprocess.run([sys.executable, "-B", "-c", CALL, str(tmp_path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert [told("10 * x"), told("10 * x"), told("20 * x")] == ["31 0", "31 1", "61 0"]


def marked_inner(node: ast.AST) -> bool:
    """Whether a node defines a function that is marked ``@inner`` or ``@inner(...)``."""
    marks = [getattr(m, "func", m) for m in node.decorator_list] if isinstance(node, ast.FunctionDef) else []
    return any(isinstance(mark, ast.Name) and mark.id == "inner" for mark in marks)


def strays(trees: dict[str, tuple[ast.Module, bool]]) -> Iterator[tuple[str, int, str]]:
    """Module, line and name of each use of an inner function that is not in a driver or an inner function.

    Python cannot call them, and rules, whose functions are marked otherwise, may be interpreted. `trees` as in
    `test_layout.wrong_drivers`.
    """
    own = {f"{name}.{n.name}" for name, (tree, _) in trees.items() for n in tree.body if marked_inner(n)}  # type: ignore[attr-defined]
    for name, (tree, is_package) in trees.items():
        meanings = meanings_of(tree, name, is_package)
        compiled = {id(n) for f in walked(tree) if is_driver(f) for n in ast.walk(f)}
        for node in walked(tree):
            meant = ""
            if isinstance(node, ast.Name):
                meant = meanings.get(node.id, "")
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                meant = f"{meanings.get(node.value.id)}.{node.attr}"
            if meant in own and id(node) not in compiled:
                yield name, node.lineno, meant  # type: ignore[attr-defined]


def test_only_drivers_call_them() -> None:
    files = {module_name(path): path for path in package_files()}
    with trees_in_mind():
        trees = {name: (parsed(path), path.name == "__init__.py") for name, path in files.items()}
        assert sum(marked_inner(node) for tree, _ in trees.values() for node in tree.body) > 50
        wrong = [f"{shown(files[module], line)} uses {name}" for module, line, name in strays(trees)]
    assert not wrong, "\n".join(wrong)


def test_strays_are_found() -> None:
    def module(source: str) -> tuple[ast.Module, bool]:
        return ast.parse(source), False

    marked = "@inner(allocates=False)\ndef f(): ...\n@inner\ndef g():\n    f()\n@driver\ndef h():\n    g()\n"
    trees = {
        "p.low": module(marked),
        "p.high": module(
            "from . import low\nfrom .low import f as k, h\n@kernel\ndef a():\n    k()\nh()\nlow.g()\nlow.h()\n"
            "@driver(nogil=True)\ndef b():\n    k()\n    low.g()\n"
        ),
    }
    assert list(strays({"p.low": trees["p.low"]})) == []
    assert sorted(strays(trees)) == [("p.high", 5, "p.low.f"), ("p.high", 7, "p.low.g")]
