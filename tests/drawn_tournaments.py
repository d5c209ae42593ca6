"""Tournaments with known payoffs, and what is made of them: `python -m tests.drawn_tournaments` writes it anew.

Of each, tests/golden/tournaments.json keeps every figure of its summary (figures of one place are added up, each by a
weight of its own, so that none can trade places with another) and a hash of its sentences, the games that are to show
them, and the lines of the terminal in both languages. It does not tell what is right, which twins and cases by hand do
(tests/test_evaluation.py, tests/test_joint.py, tests/test_rating_ends.py); it notices what changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from probespiel.evaluation.report.rating_words import cycle_claims, rating_claims
from probespiel.evaluation.report.wording import claims
from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.terminal import leaderboard_text
from tests.playthroughs import Hashes
from tests.synthetic import RPS, by_matrix, by_strength, change, info, tournament

FILE = Path(__file__).parent / "golden" / "tournaments.json"
RESAMPLES = 60
DIGITS = 7  # significant ones of what is kept


def antisymmetric(agents: int, seed: int, spread: float = 1.0) -> np.ndarray:
    found = np.random.default_rng(seed).normal(size=(agents, agents)) * spread
    return found - found.T


def dominated() -> np.ndarray:
    """Rock, paper, scissors, one that is worse than rock everywhere, and one that loses to all."""
    found = np.zeros((5, 5))
    found[:3, :3] = RPS
    found[3, :3] = RPS[0] - 0.4
    found[:3, 3] = -found[3, :3]
    found[4, :4], found[:4, 4] = -2.0, 2.0
    return found


def weakly_dominated() -> np.ndarray:
    """Rock, paper, scissors, one that is as good as rock but against scissors, and one that loses to all."""
    found = np.zeros((5, 5))
    found[:3, :3] = RPS
    found[3, :3] = RPS[0] - np.array([0.0, 0.0, 1.0])
    found[:3, 3] = -found[3, :3]
    found[4, :4], found[:4, 4] = -2.0, 2.0
    return found


def with_forfeits() -> pa.Table:
    table = tournament(4, by_matrix(antisymmetric(4, 5), 1.0), blocks=12)
    forfeit = np.zeros(table.num_rows)
    forfeit[:9] = [1, 2, 3, 0, 1, 1, 2, 0, 3]
    return change(table, forfeit=forfeit)


def unmet() -> pa.Table:
    """A round robin of which one pairing was not played."""
    table = tournament(4, by_strength([1.0, 0.4, 0.0, -0.8]), blocks=16)
    return table.filter(pa.array(rs.column(table, "pairing") != 2))


TABLES: dict[str, Callable[[], pa.Table]] = {
    "two": lambda: tournament(2, by_strength([0.3, 0.0]), blocks=20),
    "level": lambda: tournament(4, by_matrix(np.zeros((4, 4)), 1.0), blocks=20),
    "circle": lambda: tournament(3, by_matrix(RPS, 0.3), blocks=20),
    "strengths": lambda: tournament(6, by_strength([1.2, 0.7, 0.3, 0.0, -0.4, -1.1]), blocks=30),
    "never lost": lambda: tournament(4, by_strength([40.0, 0.3, 0.0, -0.2]), blocks=20),
    "graded": lambda: tournament(5, by_matrix(antisymmetric(5, 1), 0.8), blocks=25),
    "many": lambda: tournament(9, by_matrix(antisymmetric(9, 2, 0.4), 1.0), blocks=16, deals=1),
    "dominated": lambda: tournament(5, by_matrix(dominated(), 0.2), blocks=25),
    "weakly dominated": lambda: tournament(5, by_matrix(weakly_dominated()), blocks=12),
    "own blocks": lambda: tournament(4, by_matrix(antisymmetric(4, 3), 0.5), blocks=15, own_blocks=True),
    "few blocks": lambda: tournament(3, by_strength([0.5, 0.0, -0.5]), blocks=3, deals=1),
    "copies": lambda: tournament(3, by_matrix(antisymmetric(3, 4), 0.7), blocks=12, copies=3),
    "forfeits": with_forfeits,
    "unmet": unmet,
}


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of a summary with the names on the way to them; what is missing counts as a number of its own."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(inner, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers(inner, path)
    elif value is None:
        yield path, -123.0
    elif isinstance(value, bool | int | float):
        yield path, float(value)


def figures_of(content: Any) -> dict[str, float]:
    """One figure a place: the sum of its numbers, each times a weight of its own, which is never small."""
    added: dict[str, list[float]] = {}
    for path, number in _numbers(content):
        added.setdefault(path.lstrip("."), []).append(number)
    return {
        path: float(f"{sum(x * (2 + math.sin(i + 1)) for i, x in enumerate(found)):.{DIGITS}g}")
        for path, found in added.items()
    }


def made_of(name: str) -> dict[str, Any]:
    """What is made of a tournament."""
    table, hashes = TABLES[name](), Hashes()
    names = [f"agent{i}" for i in range(1 + int(table["agent"].to_numpy().max()))]
    summary = analyse(table, names, 1, resamples=RESAMPLES)
    for focus in ((), tuple(names[:2])):
        hashes.add("claims", [(c.text, c.anchor, c.wishes) for c in claims(summary, focus, unit=" EP")])
    for lang in ("en", "de"):
        hashes.add("ratings", [(c.text, c.anchor, c.wishes) for c in rating_claims(summary, lang)])
        hashes.add("cycles", [(c.text, c.anchor, c.wishes) for c in cycle_claims(summary, lang)])
        hashes.add("terminal", leaderboard_text(summary, focus=names[:1], unit="EP", lang=lang, info=info()))
        hashes.add("narrow", leaderboard_text(summary, width=50, color=True, lang=lang))
    hashes.add("warnings", summary.warnings)
    return {"figures": figures_of(summary.to_dict()), "said": hashes.told()}


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(name)}: {json.dumps(made_of(name))}" for name in TABLES]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
