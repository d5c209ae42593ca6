"""An observation out of its range is told with the number of the rules that is at fault, and with who writes it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from probespiel.envs.core.fields import COUNT, FLAG, WHOLE, number
from probespiel.envs.core.observe import Layout, Piece
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress.astray import astray, piece_astray
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.texts import words

DEBT = '''"""Whoever bids an ace owes three points."""

from typing import Any

from probespiel.envs.goofspiel.module import Module

module = Module("debt", "An ace costs three points.")


@module.hook
def bid_shown(s: Any, p: Any, seat: int, card: int) -> None:
    """Even of nothing."""
    s.points[seat] -= 99
'''
FIELDS = [
    number("purse", COUNT, "coins"), number("fate", COUNT, "fate left", (3,)), number("up", FLAG, "stands", (2, 2)),
    number("sum", WHOLE, "anything"),
]  # fmt: skip


def module_file(folder: Path, source: str) -> ModuleType:
    """A file as a Python module, which is not a module of rules."""
    path = folder / "written.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None and spec.loader is not None
    out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(out)
    return out


def record(**changed: Any) -> Any:
    known: dict[str, Any] = {"purse": 4, "fate": np.array([0, 2, 9]), "up": np.array([[0, 1], [1, 1]]), "sum": -9}
    return SimpleNamespace(**{**known, **changed})


def test_the_number_that_the_module_writes_is_named_with_its_lines(tmp_path: Path) -> None:
    """Not the first one that is wrong, but the one that it has written, wherever it stands in an assignment."""
    source = "def hook(s, seat):\n    s.fate[seat] -= 1\n    s.sum, s.up[seat][0] = 3, 2\n    s.fate[0] = 0\n"
    module = module_file(tmp_path, source)
    fate, up = np.array([0, -1200, -7]), np.array([[0, 1], [1, 2]])
    assert astray(record(), FIELDS, module) == ""
    lines = "it is written in written.py:2, 4"
    assert astray(record(purse=-1, fate=fate), FIELDS, module) == (
        f"s.fate[1] (fate left) is −1,200, its values are 0 and up; {lines}"
    )
    assert astray(record(up=up), FIELDS, module) == (
        "s.up[1][1] (stands) is 2, its values are 0 or 1; it is written in written.py:3"
    )
    assert astray(record(purse=-1), FIELDS, module) == "s.purse (coins) is −1, its values are 0 and up"


def test_else_the_piece_of_the_observation_is_named() -> None:
    layout = Layout([Piece("near", (2,), 0, 1, "one"), Piece("far", (2,), -3, 3, "two")])
    assert piece_astray(np.array([0, 1, -3, 3], dtype=np.float32), layout) == ""
    assert piece_astray(np.array([0, 1, 0, -4], dtype=np.float32), layout) == (
        "piece far holds −4, its range is −3 to 3"
    )
    assert "piece near holds nan" in piece_astray(np.array([0, np.nan, 0, -4], dtype=np.float32), layout)


def test_a_game_of_wilful_play_tells_what_went_astray(tmp_path: Path) -> None:
    """Thirteen cards a side, as an observation is looked at every sixteenth decision; and in German."""
    path = tmp_path / "debt.py"
    path.write_text(DEBT)
    lab = open_lab(Settings("goofspiel", str(path), scenario="thirteen", budget="quick"), tmp_path / "lab")
    lab.bench.compiled = False
    everybody = lab.bench.everybody()
    (fault,) = breakage.search(lab, everybody, 1, 5)["faults"]
    assert (fault["kind"], fault["length"]) == ("bad observation", 16)
    told = breakage.again(lab, everybody, 0, 1, 5, 16, "replays/1.json", kind=fault["kind"])
    assert told["text"].startswith(
        "an observation lies outside of the range that it declares: s.points[0] (points won)"
    )
    assert told["text"].endswith("its values are 0 and up; it is written in debt.py:13")
    german = words("de").told(told["text"])
    assert german is not None and german.endswith("Werte sind 0 and up; geschrieben wird es in debt.py:13")
