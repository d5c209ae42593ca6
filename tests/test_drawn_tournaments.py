"""What is made of tournaments with known payoffs is what it was: every figure, every sentence, the games shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.drawn_tournaments import FILE, TABLES, made_of

KEPT: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TABLES)
def test_what_is_made_of_it_is_what_it_was(name: str) -> None:
    """Whoever changed it on purpose writes it anew, and reads which figures changed."""
    now, kept = made_of(name), KEPT[name]
    assert list(now["figures"]) == list(kept["figures"])
    for place, figure in kept["figures"].items():
        assert now["figures"][place] == pytest.approx(figure, rel=1e-5, abs=1e-6), place
    other = [what for what, told in kept["said"].items() if now["said"][what] != told]
    assert not other, f"{', '.join(other)} changed; on purpose: python -m tests.drawn_tournaments"
