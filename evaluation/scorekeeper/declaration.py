"""How Scorekeeper is judged."""

from __future__ import annotations

from ...envs.core.verify import CaseRunner
from ..declaration import Analysis, Command
from .commands import odds


def _examples() -> dict[str, CaseRunner]:
    from . import exact

    return dict.fromkeys(exact.KINDS, exact.run_case)


ANALYSIS = Analysis(
    pace={
        "scorekeeper-duel": 3.2,
        "scorekeeper-duel/mafia_club": 2.1,
        "scorekeeper-duel/drug_flat": 4.3,
        "scorekeeper-duel/rooftop_chase": 1.8,
        "scorekeeper-duel/blade_mirror": 1.1,
        "scorekeeper-skirmish": 3.4,
        "scorekeeper-skirmish/street_raid": 5.8,
        "scorekeeper-skirmish/mafia_club": 1.8,
        "scorekeeper-skirmish/rooftop_chase": 1.5,
        "scorekeeper-skirmish/blade_mirror": 0.9,
    },
    examples=_examples,
    commands={"odds": Command(odds)},
)
