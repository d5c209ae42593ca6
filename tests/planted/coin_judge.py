"""No edge: after the second round a coin ends the fight (Scorekeeper: shorter, and choices decide less)."""

from typing import Any

from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import lot

module = Module("coin_judge", "After two rounds a coin decides.", table=("round_end", "stands"))
module.state("out", scope="fight", doc="1 out by the coin")


@module.hook
def round_end(s: Any, p: Any, seat: int) -> None:
    """Once."""
    if seat == 0 and s.round_no == 2:
        lot(s, ME, 0, seat, 2)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """Who is out."""
    s.coin_judge_out[outcome] = 1


@module.hook
def stands(s: Any, p: Any, seat: int, ok: int) -> int:
    """Not any more."""
    return 0 if s.coin_judge_out[seat] else ok
