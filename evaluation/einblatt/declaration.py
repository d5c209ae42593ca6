"""How einBlatt is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...envs.core.verify import CaseRunner
from ..declaration import Analysis


def _unit(config: Mapping[str, Any]) -> str:
    return "" if config.get("payoff") in ("class", "win") else "EP"


def _examples() -> dict[str, CaseRunner]:
    from . import exact

    return dict.fromkeys(exact.KINDS, exact.run_case)


ANALYSIS = Analysis(
    unit=_unit,
    pace={"einblatt-duel": 1.2, "einblatt-melee": 2.5, "einblatt-campaign": 1.5},
    focus={"einblatt-duel": ("best3_shuffled",)},
    examples=_examples,
)
