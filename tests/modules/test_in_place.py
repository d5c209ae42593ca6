"""Arrays that hooks change in place: compiled, `x += y` read beyond a shorter y, and what lay there became a rule."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.jit import config
from probespiel.envs.core.modules.in_place import fits, guarded

from .test_errors import KUHN, changed, line_of, written

SOURCE = '''"""Changes in place."""
from __future__ import annotations

def whole(x, y):
    x += y
    return x

def part(x, y):
    x[1:3] -= y
    return x

def row(m, y):
    m[1] *= y
    return m

def cell(m, i, n):
    m[step(i), 0] += n[step(i)]
    return m

def number(n):
    n += 1
    n += len((1, 2)) * 2
    n -= n if n > 100 else step([0])
    return n
'''
SHORTER = "marks += np.ones(2 + move, dtype=np.int64)"


def functions(compiled: bool) -> dict[str, Any]:
    """The guarded source, with a function that counts its calls in a list."""

    def step(calls: Any) -> int:
        calls[0] += 1
        return calls[0] - 1

    space: dict[str, Any] = {"step": njit(step) if compiled else step}
    exec(compile(guarded(ast.parse(SOURCE)), "source.py", "exec"), space)
    made = {name: space[name] for name in ("whole", "part", "row", "cell")}
    return (
        {name: njit(boundscheck=True)(f) for name, f in made.items()}
        if compiled
        else {**made, "number": space["number"]}
    )


@pytest.mark.parametrize("compiled", [True, False])
def test_what_fits_is_changed_as_it_stands_there(compiled: bool) -> None:
    """Arrays of one shape, one number for all, a part, a row; what tells a place is called once, in its turn."""
    does = functions(compiled)
    some = np.arange(4)
    assert does["whole"](some.copy(), some).tolist() == [0, 2, 4, 6]
    assert does["whole"](some.copy(), np.array([5])).tolist() == [5, 6, 7, 8]
    assert does["whole"](np.zeros((2, 4)), some).tolist() == [[0, 1, 2, 3]] * 2
    assert does["part"](some.copy(), np.array([1, 2])).tolist() == [0, 0, 0, 3]
    assert does["row"](np.ones((2, 3), dtype=np.int64), np.array([2, 3, 4])).tolist() == [[1, 1, 1], [2, 3, 4]]
    calls = np.zeros(1, dtype=np.int64)
    assert does["cell"](np.zeros((3, 2)), calls, np.array([10.0, 20.0, 30.0])).tolist() == [[20, 0], [0, 0], [0, 0]]
    assert calls.tolist() == [2], "the place was worked out first, then what is added"


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("name", "shape", "length"),
    [("whole", (9,), 4), ("whole", (4,), 9), ("whole", (1,), 3), ("part", (9,), 3), ("row", (2, 9), 4)],
)
def test_what_does_not_fit_is_an_error(name: str, shape: tuple[int, ...], length: int, compiled: bool) -> None:
    changed_ = np.ones(shape, dtype=np.int64)
    with pytest.raises(ValueError):
        functions(compiled)[name](changed_, np.ones(length, dtype=np.int64))
    assert (changed_ == 1).all(), "nothing was changed"


def test_more_dimensions_never_fit() -> None:
    for add in (functions(True)["whole"], functions(False)["whole"]):
        with pytest.raises(ValueError):
            add(np.ones(3), np.ones((1, 3)))
    for fine in ((3, np.ones(2)), (np.ones(2), 3), (np.ones((2, 3)), np.ones(3))):
        assert fits(*fine) is None


def test_numbers_are_not_looked_at() -> None:
    """Most of what rules add is one: that costs nothing."""
    told = ast.unparse(guarded(ast.parse(SOURCE)))
    assert told.count("__fits(") == 5 and told.index("import annotations") < told.index("import fits")
    assert functions(False)["number"](3) == 8
    plain = "def f(x):\n    x += 1\n    return x"
    assert ast.unparse(guarded(ast.parse(plain))) == plain, "and nothing is imported for nothing"


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.skipif(config.DISABLE_JIT, reason="is not compiled"))]
)
def test_a_rule_whose_array_is_too_short_is_stopped(compiled: bool, tmp_path: Path) -> None:
    """By file, line and hook; compiled ones by the line of the hook."""
    body = f"marks = np.zeros(9, dtype=np.int64)\n    {SHORTER}\n    s.mine_made += int(marks[8])"
    text = changed(KUHN, ("from typing", "import numpy as np\nfrom typing"), ("s.mine_made += 1", body))
    path = written(tmp_path, text)
    position = make_game("kuhn", modules={path: {}}, compiled=compiled).position(1)
    with pytest.raises(RulesetError) as caught:
        position.apply(0, 0)
    line = line_of(text, "def moved") - 1 if compiled else line_of(text, SHORTER)
    assert f"{path}:{line}: module mine: hook 'moved' raised " in str(caught.value)
