"""How Konfrontationen is judged."""

from __future__ import annotations

from ...envs.core.verify import CaseRunner
from ..declaration import Analysis


def _examples() -> dict[str, CaseRunner]:
    from . import exact

    return dict.fromkeys(exact.KINDS, exact.run_case)


ANALYSIS = Analysis(
    pace={
        "konfrontation-clash": 1.1,
        "konfrontation-clash/debate": 2.5,
        "konfrontation-campaign": 0.7,
        "konfrontation-campaign/council": 3.2,
    },
    examples=_examples,
)
