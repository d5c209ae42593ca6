"""The records of whole runs: what they hold, and what they leave out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import whole_runs
from tests.whole_runs import FILE, differences_of, held, row_of


@dataclass(frozen=True)
class _Found:
    value: float
    intervals: tuple[tuple[float, float], ...]
    name: str = "x"


FOUND: dict[str, Any] = {"found": _Found(0.5, ((0.1, 0.2), (0.3, 0.4))), "games": np.arange(3), "note": None}


def changed(**to: Any) -> list[str]:
    return differences_of(row_of(FOUND), row_of({**FOUND, **to}))


def test_every_number_and_every_word_of_a_run_is_held() -> None:
    """Whatever changes is told by its place: a number, its place among others, a word, what is there at all."""
    assert changed() == [] and changed(games=[0, 1, 2]) == []
    assert changed(found=_Found(0.5 + 1e-5, ((0.1, 0.2), (0.3, 0.4)))) == ["found.value"]
    assert changed(found=_Found(0.5 + 1e-7, ((0.1, 0.2), (0.3, 0.4)))) == [], "rounding differs by machine"
    assert changed(found=_Found(0.5, ((0.2, 0.1), (0.3, 0.4)))) == ["found.intervals"]
    assert changed(found=_Found(0.5, ((0.3, 0.4), (0.1, 0.2)))) == ["found.intervals"]
    assert changed(found=_Found(0.5, ((0.1, 0.2), (0.3, 0.4)), "y")) == ["words of found"]
    assert changed(games=np.arange(2)) == ["games"] == changed(games=np.array([0, 2, 1]))
    assert changed(note=0.0) == ["note"] and changed(more=1) == ["more", "words of more"]
    assert changed(seconds=3.0, version="1.2") == changed(), "what is another in every run is left out"


def test_the_words_of_a_page_are_held_without_its_pictures(tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    def told(text: str) -> dict[str, str]:
        page.write_text(f"<p>begins</p><h1 class='a'>One <b>two</b></h1>{text}<h2>Three</h2>4", encoding="utf-8")
        return row_of({}, [page], [tmp_path])["said"]

    before = told(f"<svg>5</svg><p>6 {'0' * 24}</p>{tmp_path}")
    assert list(before) == ["report: before", "report: One two", "report: Three"]
    assert told(f"<svg>7</svg>\n<p class='b'>6 {'1' * 24}</p>") == before
    after = told("<p>7</p>")
    assert [name for name in before if before[name] != after[name]] == ["report: One two"]


def test_a_table_and_a_text_of_one_name_are_two_pages(tmp_path: Path) -> None:
    pages = [tmp_path / f"odds.{kind}" for kind in ("csv", "txt", "html")]
    for number, page in enumerate(pages):
        page.write_text(str(number), encoding="utf-8")
    before = row_of({}, pages)["said"]
    assert list(before) == ["odds.csv: before", "odds.txt: before", "odds: before"]
    pages[0].write_text("3", encoding="utf-8")
    assert [name for name, kept in row_of({}, pages)["said"].items() if kept != before[name]] == ["odds.csv: before"]


def test_a_row_that_is_missing_or_differs_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(whole_runs.WRITE, raising=False)
    monkeypatch.setattr(whole_runs, "FILE", tmp_path / "runs.json")
    (tmp_path / "runs.json").write_text(json.dumps({"a run": row_of({"x": 1.0})}), encoding="utf-8")
    held("a run", {"x": 1.0})
    with pytest.raises(AssertionError, match=r"a run: x changed; on purpose: python -m tests\.whole_runs"):
        held("a run", {"x": 2.0})
    with pytest.raises(AssertionError, match="another run is not kept yet"):
        held("another run", {"x": 1.0})


def test_every_row_is_a_line_of_its_own() -> None:
    """So that the change of a record shows which runs have changed."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "{" and lines[-1] == "}" and len(lines) - 2 == len(json.loads(FILE.read_text("utf-8"))) >= 20


def test_a_folder_with_a_blank_says_the_same() -> None:
    """A command that names a file there puts it in quotation marks, which a page writes in its own way."""
    plain, blank = Path("/tmp/one/x"), Path("/tmp/one two/x")
    texts = (f"--module {plain}/edge.py --out {plain}", f"--module '{blank}/edge.py' --out '{blank}'")
    pages = (texts[0], texts[1].replace("'", "&#39;"))
    for told in (texts, pages):
        rows = [row_of({"command": text}, hide=(folder,)) for text, folder in zip(told, (plain, blank), strict=True)]
        assert rows[0] == rows[1]
    assert row_of({"command": "'a' 'b'"}) != row_of({"command": "a b"})
