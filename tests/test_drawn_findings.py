"""What reports say of findings drawn at random is what it was: verdicts, next steps, answers, comparisons."""

from __future__ import annotations

import json

import pytest

from tests.drawn_findings import FILE, ROWS, hashes_of

KEPT: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))


# a second each: half of them by `make test-all` alone
@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=[pytest.mark.slow] if row >= ROWS // 2 else []) for row in range(ROWS)]
)
def test_what_is_said_is_what_it_was(row: int) -> None:
    """Whoever changed it on purpose writes it anew, and reads which questions changed."""
    now, kept = hashes_of(row), KEPT[str(row)]
    other = [what for what in {**kept, **now} if kept.get(what) != now.get(what)]
    assert not other, f"{', '.join(other)} changed; on purpose: python -m tests.drawn_findings"
