"""Rock breaks rock, but victories are worth less: ews_rps."""

from typing import Any

from probespiel.envs.ews_rps.module import Module

module = Module("toll", "For the acting side rock wins against rock; its successes are worth less.")
module.param("percent", 0, 0, 100, doc="of a success that is lost")
ROCK = 0


@module.hook
def outcome(s: Any, p: Any, mine: int, theirs: int, result: int) -> int:
    """Rock against rock."""
    return 1 if mine == ROCK and theirs == ROCK else result


@module.hook
def utility(s: Any, p: Any, value: float) -> float:
    """The toll."""
    return value * (1.0 - p.toll_percent / 100.0) if value > 0.0 else value
