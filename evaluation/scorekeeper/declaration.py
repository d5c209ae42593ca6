"""How Scorekeeper is judged."""

from __future__ import annotations

from ...envs.core.verify import CaseRunner
from ..declaration import Analysis, Command
from .commands import odds


def _examples() -> dict[str, CaseRunner]:
    from . import exact

    return dict.fromkeys(exact.KINDS, exact.run_case)


ANALYSIS = Analysis(
    pace={"scorekeeper-duel": 2.9, "scorekeeper-skirmish": 5.2},
    examples=_examples,
    commands={"odds": Command(odds)},
)
