"""Planted edge, known exactly: a test that ends in a draw is passed, and the answer is a name (ews_rps: strong)."""

from typing import Any

from probespiel.envs.ews_rps.module import Module
from probespiel.envs.ews_rps.state import Verdict

module = Module("ties_stand", "A test that ends in a draw is passed.")


@module.hook
def verdict(s: Any, p: Any, value: int) -> int:
    """Told of the acting side."""
    return Verdict.SUCCESS if value == Verdict.EQUAL else value
