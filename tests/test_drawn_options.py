"""Defaults and ranges of all options, held to what they were (tests/drawn_options.py)."""

from __future__ import annotations

import json

from tests.drawn_options import FILE, options


def test_nobody_changes_a_default_in_passing() -> None:
    """Of any option of any command: what changed is named; on purpose: python -m tests.drawn_options."""
    kept, now = json.loads(FILE.read_text(encoding="utf-8")), json.loads(json.dumps(options()))
    changed = [
        f"{command} {option}: {kept.get(command, {}).get(option)} became {now.get(command, {}).get(option)}"
        for command in sorted({*kept, *now})
        for option in sorted({*kept.get(command, {}), *now.get(command, {})})
        if kept.get(command, {}).get(option) != now.get(command, {}).get(option)
    ]
    assert not changed and list(kept) == list(now)


def test_what_is_held_holds_something() -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(kept) >= 30 and sum(map(len, kept.values())) >= 300
    assert kept["outlook"]["--hidden"] == [32, False, False, False, 1, 1024]
    assert kept["tournament"]["--shared-bots"][0] is False
