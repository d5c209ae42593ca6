"""Sample rule module: whoever leaves the fight without a wound is paid for it (what a game pays)."""

from typing import Any

from probespiel.envs.scorekeeper.module import Module

module = Module("glory", "A fighter without a wound at the end is paid for it.", payoff_shift=0.5)
module.param("percent", 25, 0, 50, doc="added to the payoff, in hundredths")


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Scratches count; where a seat decides for a whole team nothing is added."""
    wounds = s.kr[seat] + s.lw[seat] + s.sw[seat] + s.tw[seat]
    return value + p.glory_percent / 100.0 if wounds == 0 and not p.by_team else value
