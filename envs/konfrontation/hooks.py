"""The closed list of hook points, in the order of play: what the core does where no module has a say.

All that modules ask and decide is public; what must stay sealed are the core's own bids and votes.
"""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    PASS_ON,
    event_call,
    event_modules,
    forget_fields,
    has_window,
    hook,
    observe_modules,
    reset_fields,
)


@hook("step")
def turn_start(s: Any, p: Any, seat: int) -> None:
    """A turn begins."""


@hook("step")
def seat_start(s: Any, p: Any, seat: int) -> None:
    """A faction's part of the turn begins; called for that faction's seat alone."""


@hook("options")
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """A faction chooses its action: allow(words, action)."""


@hook("choice")
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A faction took an action of this module; it is used up like any other."""


@hook("filter")
def may_attack(s: Any, p: Any, seat: int, ok: int) -> int:
    """Whether a faction may attack now: 1 or 0."""
    return ok


@hook("filter")
def targets(s: Any, p: Any, seat: int, defender: int, found: int) -> int:
    """Targets that an attacker (seat) may name at a defender: bit set of target numbers."""
    return found


@hook("step")
def declared(s: Any, p: Any, seat: int) -> None:
    """The attack is declared, the defender has not reacted; called for the defender's seat alone."""


@hook("filter")
def run_cost(s: Any, p: Any, seat: int, cost: int) -> int:
    """Price of running home; beyond the stock it is not offered."""
    return cost


@hook("step")
def defended(s: Any, p: Any, seat: int) -> None:
    """All who take part are known, before the first bids; called for both sides."""


@hook("filter")
def unit_strength(s: Any, p: Any, seat: int, unit: int, kind: int, value: int) -> int:
    """What a unit counts in a confrontation of a type (kind)."""
    return value


@hook("filter")
def bid_limit(s: Any, p: Any, seat: int, limit: int) -> int:
    """Highest bid of a side, stock and table allow."""
    return limit


@hook("step")
def revealed(s: Any, p: Any, seat: int) -> None:
    """Bids lie open, not yet compared; called for both sides."""


@hook("filter")
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Strength and bid of a side."""
    return value


@hook("step")
def tied(s: Any, p: Any, seat: int) -> None:
    """Totals are equal, nothing else is decided: before bids are made anew or it is a draw; called for both sides."""


@hook("filter")
def bid_paid(s: Any, p: Any, seat: int, won: int, paid: int) -> int:
    """What of a bid is discarded when the confrontation is decided."""
    return paid


@hook("filter")
def loot(s: Any, p: Any, seat: int, loser: int, amount: int) -> int:
    """What the winner (seat) takes from the bank."""
    return amount


@hook("filter")
def spoils(s: Any, p: Any, seat: int, loser: int, amount: int) -> int:
    """Power that goes from the loser to the winner (seat) as a consequence."""
    return amount


@hook("step")
def confrontation_end(s: Any, p: Any, seat: int) -> None:
    """A confrontation is over (s.result); called for both sides."""


@hook("filter")
def gathered(s: Any, p: Any, seat: int, amount: int) -> int:
    """What gathering power brings."""
    return amount


@hook("filter")
def recruit_price(s: Any, p: Any, seat: int, cost: int) -> int:
    """What recruiting costs."""
    return cost


@hook("owner")
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """A question of this module: allow(words, action)."""


@hook("owner")
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of this module was answered; it is closed."""


@hook("owner")
def task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """A task of this module (service `task`) has come up."""


@hook("owner")
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of this module (service `lot`) fell: outcome 0 .. faces - 1."""


@hook("filter")
def standing(s: Any, p: Any, seat: int, place: int, value: float) -> float:
    """A campaign is over: by what factions are compared at first (place 0) and where that is equal (1, 2), see R32."""
    return value


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The game is over: payoff of a faction."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation piece."""
