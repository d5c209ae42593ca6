"""Games of every scenario and module are what they were: moves, sights, words, and the answers of all baselines."""

from __future__ import annotations

import json

import pytest

from tests.playthroughs import FILE, hashes_of, rows

KEPT: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
ROWS = rows()
# two to seven seconds each, by `make test-all` alone; the other missions, talks and random set-ups are tried at once
LONG = {f"oneshot-mission {name}" for name in ("boss_hunt", "courier", "heist", "last_stand")}
LONG |= {"konfrontation 3", "oneshot-build arena", "oneshot-parley old_friend"}


def test_every_game_is_kept() -> None:
    """A new scenario, module or baseline has a row: write the file anew (tests/playthroughs.py)."""
    assert list(KEPT) == list(ROWS) and set(ROWS) >= LONG
    assert all({"moves", "sights", "words", "random"} <= set(row) for row in KEPT.values())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, id=name.replace(" ", "_"), marks=[pytest.mark.slow] if name in LONG else []) for name in ROWS],
)
def test_a_game_is_as_it_was(name: str) -> None:
    """Whoever changed it on purpose writes it anew, and reads which rows and names changed."""
    now, kept = hashes_of(ROWS[name]()), KEPT[name]
    other = [what for what in {**kept, **now} if kept.get(what) != now.get(what)]
    assert not other, f"{name}: {', '.join(other)} changed; on purpose: python -m tests.playthroughs"
