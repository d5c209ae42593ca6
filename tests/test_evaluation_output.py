"""Tests of probespiel.evaluation: results on disk, the report, the terminal."""

import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from probespiel.evaluation.report.wording import answer, clean_name
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.report import render_html, summary_json, write_report
from probespiel.evaluation.tournament.terminal import leaderboard_text
from tests.synthetic import HOSTILE, RPS, by_matrix, by_strength, change, hostile_report, info, tournament

ROOT = Path(__file__).parents[1]

# Results on disk


@pytest.fixture
def table() -> pa.Table:
    return rs.validate(tournament(3, by_strength([1, 0, -1]), blocks=4))


def split(table: pa.Table) -> list[pa.Table]:
    block = rs.column(table, "block")
    return [table.filter(pa.array(block == b)) for b in np.unique(block)]


def test_parts_are_read_back_by_pyarrow_and_duckdb(tmp_path: Path, table: pa.Table) -> None:
    for number, part in enumerate(split(table)):
        rs.write_part(tmp_path, number, part, fingerprint="t1")
    parts = rs.read_parts(tmp_path, fingerprint="t1", n_agents=3)
    assert parts.table.equals(table) and parts.done == {0, 1, 2, 3} and not parts.bad
    query = f"SELECT agent, count(*), sum(payoff) FROM '{tmp_path}/part-*.parquet' GROUP BY agent ORDER BY agent"
    found = duckdb.sql(query)
    assert found is not None
    counts = found.fetchall()
    assert [c[:2] for c in counts] == [(0, 32), (1, 32), (2, 32)]
    assert not [p for p in tmp_path.iterdir() if p.suffix != ".parquet"]
    whole = rs.write_results(tmp_path / "all" / "results.parquet", table)
    assert rs.read_results(whole, 3).equals(table)


def test_a_damaged_part_is_reported_and_replayed(tmp_path: Path, table: pa.Table) -> None:
    pieces = split(table)
    for number, part in enumerate(pieces):
        rs.write_part(tmp_path, number, part, fingerprint="t1")
    path = rs.part_path(tmp_path, 2)
    whole = path.read_bytes()
    (tmp_path / ".part-00000007.parquet.x.tmp").write_bytes(b"left by a kill")
    for size in (0, 3, 8, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        parts = rs.read_parts(tmp_path, fingerprint="t1")
        assert parts.done == {0, 1, 3} and parts.table.num_rows == table.num_rows - pieces[2].num_rows
        assert [b.part for b in parts.bad] == [2] and "truncated or damaged" in parts.bad[0].reason
    rs.write_part(tmp_path, 2, pieces[2], fingerprint="t1")
    assert rs.read_parts(tmp_path, fingerprint="t1").table.equals(table)


def test_flipped_bits_are_never_read_as_results(tmp_path: Path, table: pa.Table) -> None:
    path = rs.write_part(tmp_path, 0, table, fingerprint="t1")
    whole, rng = path.read_bytes(), np.random.default_rng(4)
    for at in rng.integers(0, len(whole), 150):
        spoilt = bytearray(whole)
        spoilt[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(spoilt)
        try:
            parts = rs.read_parts(tmp_path, fingerprint="t1")
        except rs.ResultsError:
            continue  # the fingerprint itself was hit
        assert parts.bad or parts.table.equals(table)


def test_parts_of_another_tournament_and_repeated_games_are_refused(tmp_path: Path, table: pa.Table) -> None:
    rs.write_part(tmp_path, 0, table, fingerprint="t1")
    with pytest.raises(rs.ResultsError, match="belongs to another tournament"):
        rs.read_parts(tmp_path, fingerprint="t2")
    rs.write_part(tmp_path, 1, table, fingerprint="t1")
    with pytest.raises(rs.ResultsError, match="listed twice"):
        rs.read_parts(tmp_path, fingerprint="t1")
    os.replace(rs.part_path(tmp_path, 1), rs.part_path(tmp_path, 5))
    assert "renamed" in rs.read_parts(tmp_path, fingerprint="t1").bad[0].reason
    assert rs.read_parts(tmp_path / "missing", fingerprint="t1").done == frozenset()


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("result", 2, "between -1 and 1"),
        ("forfeit", 4, "between 0 and 3"),
        ("seat", -1, "at least 0"),
        ("payoff", float("nan"), "finite"),
        ("agent", 70_000, "does not fit its type int16"),
        ("result", 0, "a side has one result"),
        ("length", 9, "several values of 'length'"),
    ],
)
def test_wrong_rows_are_named(table: pa.Table, name: str, value: float, text: str) -> None:
    values = rs.column(table, name).astype(np.float64 if name == "payoff" else np.int64)
    values[3] = value
    if text.startswith("a side"):
        table = change(table, team=np.zeros(table.num_rows))
    with pytest.raises(rs.ResultsError, match=text):
        rs.validate(change(table, **{name: values}))


def test_rows_in_any_order(table: pa.Table) -> None:
    """They are sorted by game and then by seat; what is sorted already stays as it is."""
    shuffled = table.take(pa.array(np.random.default_rng(3).permutation(table.num_rows)))
    assert not shuffled.equals(table) and rs.validate(shuffled).equals(table)
    order = list(zip(rs.column(table, "game").tolist(), rs.column(table, "seat").tolist()))
    assert order == sorted(order)


@pytest.mark.parametrize("results", [(0, -1), (-1, 0)])
def test_a_side_has_one_result(table: pa.Table, results: tuple[int, int]) -> None:
    """Whichever of its seats has the better one."""
    found = np.zeros(table.num_rows, np.int64)
    agreed = change(table, team=found, result=found)
    assert rs.validate(agreed).equals(agreed)
    found[4:6] = results
    with pytest.raises(rs.ResultsError, match=f"team 0 of game {rs.column(table, 'game')[4]} both won and did not"):
        rs.validate(change(agreed, result=found))


def test_wrong_columns_are_named(table: pa.Table) -> None:
    with pytest.raises(rs.ResultsError, match="'payoff' is missing"):
        rs.validate(table.drop_columns(["payoff"]))
    with pytest.raises(rs.ResultsError, match="no column 'colour'"):
        rs.make_table({"colour": [1]})
    with pytest.raises(rs.ResultsError, match="has no rows"):
        rs.write_part(Path("nowhere"), 0, rs.SCHEMA.empty_table(), fingerprint="t")
    with pytest.raises(rs.ResultsError, match="between 0 and 99999999"):
        rs.part_path(Path(), -1)


# The report


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]


def test_hostile_names_stay_text() -> None:
    s, run = hostile_report()
    page = render_html(s, run)
    tags = _Tags()
    tags.feed(page)
    assert not tags.seen & {"script", "img", "iframe", "object", "embed", "link", "form", "base"}
    assert not [name for name in tags.attributes if name.startswith("on")]
    assert all(link.startswith("#") for link in tags.links)
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "")
    text = "".join(ET.fromstring(page).itertext())
    assert HOSTILE[0] in text and "{{ 7*7 }}$x^2$" in text and "\u202e" not in text
    ids = [e.attrib["id"] for e in ET.fromstring(page).iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    shown = leaderboard_text(s, focus=HOSTILE)
    assert "[red]x" in shown and "\x1b" not in shown and "\x00" not in shown


def test_the_report_is_complete_and_reproducible(tmp_path: Path) -> None:
    table = tournament(3, by_matrix(RPS, 1.5), blocks=12)
    names = ["rock", "paper", "scissors"]
    s = analyse(table, names, 1, resamples=100)
    run = info(
        focus=["paper", "unknown"], payoff_unit="EP", parameters={"cards": np.int64(5)}, seat_names=["left", "right"]
    )
    page, numbers = write_report(tmp_path / "out", s, run)
    html = page.read_text()
    root = ET.fromstring(html)
    sections = {e.attrib["id"] for e in root.iter() if e.tag.endswith("section")}
    assert {"leaderboard", "equilibrium", "pairs", "other-ratings", "cycles", "dominance", "seats", "run"} <= sections
    assert re.search('dominates <b class="name">paper</b>', html) and html.count("<svg") == 4
    content = json.loads(numbers.read_text())
    assert content["summary"]["names"] == names and content["tournament"]["parameters"] == {"cards": 5}
    assert content["answer"] == answer(s, run.focus, unit="EP")
    assert render_html(s, run) == html and summary_json(s, run) == numbers.read_text()
    stamped = render_html(s, dataclasses.replace(run, timestamp="2026-11-20"))
    assert stamped != html and "2026-11-20" in stamped


def test_another_process_writes_the_same_bytes() -> None:
    code = (
        "import hashlib; from probespiel.evaluation.tournament.report import render_html;"
        "from tests.synthetic import hostile_report;"
        "s, run = hostile_report();"
        "print(hashlib.sha256((render_html(s, run) + s.to_json()).encode()).hexdigest())"
    )
    s, run = hostile_report()
    here = hashlib.sha256((render_html(s, run) + s.to_json()).encode()).hexdigest()
    env = {**os.environ, "PYTHONHASHSEED": "77"}
    there = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=env)
    assert there.stdout.strip() == here


def test_terminal_widths() -> None:
    s = analyse(tournament(3, by_matrix(RPS, 1.0)), ["rock", "paper" * 12, "scissors"], 1, resamples=50)
    for width in (40, 60, 79, 120):
        text = leaderboard_text(s, width=width)
        assert max(map(len, text.splitlines())) <= width and "rock" in text
    assert "\x1b[" in leaderboard_text(s, color=True)
    with pytest.raises(ValueError, match="at least 40"):
        leaderboard_text(s, width=20)


def test_names_are_cleaned() -> None:
    assert clean_name("a\nb\x00\u202ec") == "a�b��c"
    assert clean_name("x" * 99) == "x" * 59 + "…"


def test_on_a_phone_every_cell_of_the_leaderboard_has_its_name(table: pa.Table) -> None:
    page = render_html(analyse(table, ["a", "b", "c"], resamples=20, seed=1), info())
    board = page[page.index('<table class="board"') : page.index("</table>")]
    heads = re.findall(r'role="columnheader"[^>]*>([^<]+)</th>', board)
    rows = board.split('<tr role="row"')[2:]
    assert len(rows) == 3
    for row in rows:
        assert re.findall(r'data-label="([^"]+)"', row) == heads[2:]
    assert "@media (max-width:700px)" in page and ".board td[data-label]::before" in page
