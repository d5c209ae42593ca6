"""Pictures of reports, held to the numbers and words that they showed before (tests/drawn_pictures.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.drawn_pictures import FILE, KINDS, made_of, row_of, unrendered
from tests.whole_runs import differences_of


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_show_what_they_showed(kind: str) -> None:
    kept, now = json.loads(FILE.read_text(encoding="utf-8"))[kind], made_of(kind)
    differences = differences_of(kept, now)
    assert kept["pictures"] == now["pictures"] and not differences, (
        f"{kind}: {', '.join(differences)} changed; on purpose: python -m tests.drawn_pictures"
    )


def test_whatever_is_drawn_is_held() -> None:
    """Each of these changes one thing of a picture: it is told by its place."""

    def told(
        *, x: float = 1.0, color: str = "#010101", word: str = "a", bar: float = 2.0, limit: float = 5.0
    ) -> dict[str, Any]:
        figure = Figure(figsize=(3, 2))
        axes = figure.add_subplot()
        axes.plot([x, 2.0], [3.0, np.nan], color=color)
        axes.barh(0, bar)
        axes.text(0.5, 0.5, word)
        axes.set_xlim(0, limit)
        return row_of([figure])

    def changed(**to: object) -> list[str]:
        return differences_of(told(), told(**to))  # type: ignore[arg-type]

    assert changed() == []
    assert (
        changed(x=1.1) == ["lines of 1"]
        and changed(bar=2.1) == ["patches of 1"]
        and changed(limit=6.0) == ["limits of 1", "x ticks of 1"]
    )
    assert changed(color="#020202") == changed(word="b") == ["words of words"]


def test_nothing_is_rendered_meanwhile(tmp_path: Path) -> None:
    with unrendered() as seen:
        Figure().savefig(tmp_path / "x.svg")
    assert len(seen) == 1 and not (tmp_path / "x.svg").exists()
