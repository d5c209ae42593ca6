"""Swapped arguments are found where they are; `test_layout.py` looks for them in all sources."""

from __future__ import annotations

import ast

from tests.arguments import ROOT, swapped_in

HERE, THERE = ROOT / "envs" / "core" / "game.py", ROOT / "envs" / "core" / "build.py"
OTHER = """
def far(s, p, seat): ...
class Made(NamedTuple):
    low: int
    high: int
class Born:
    def __init__(self, x, y): ...
"""
OWN = """
from .build import far as near, Made, Born
from . import build
def own(a, b, c=1): ...
def many(a, *b): ...
class It:
    def do(self, x, y):
        return self.do(y, x)
"""
WRONG = (
    "near(p, s, seat)", "near(w.p, w.s, 3)", "own(b, a)", "own(c, b, a)", "Made(high, low)", "Born(y, x)",
    "build.far(p, s, 1)",
)  # fmt: skip
RIGHT = (
    "near(s, p, seat)", "own(b, c, a)", "own(b, 1)", "own(b, b)", "own(*rest, b, a)", "own(a, b)", "many(b, a)",
    "Made(low, high)", "far(p, s, 1)", "own(b, a=1)",
)  # fmt: skip


def test_swapped_arguments_are_found() -> None:
    """By bare names and fields, of functions here and from elsewhere, of methods, and of what makes an object."""
    trees = {THERE: ast.parse(OTHER), HERE: ast.parse(OWN + "\n".join((*WRONG, *RIGHT)))}
    assert {call for _, call in swapped_in(trees)} == {*WRONG, "self.do(y, x)"}
    assert {path for path, _ in swapped_in(trees)} == {"envs/core/game.py"}
