"""The closed list of hook points: what the core does where no module has a say.

All that modules ask and decide is public; what must stay sealed are the core's own bids and votes.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

PASS_ON = -1  # an override's answer "as usual"

HOOKS: dict[str, tuple[str, str] | tuple[str, str, str]] = {
    "turn_start": ("step", "a turn begins"),
    "seat_start": ("step", "a faction's part of the turn begins; called for that faction's seat alone"),
    "options": ("options", "a faction chooses its action: allow(words, action)"),
    "choose": ("choice", "a faction took an action of this module; it is used up like any other"),
    "may_attack": ("filter", "whether a faction may attack now: 1 or 0"),
    "targets": ("filter", "targets that an attacker (seat) may name at a defender: bit set of target numbers"),
    "declared": ("step", "the attack is declared, the defender has not reacted; called for the defender's seat alone"),
    "run_cost": ("filter", "price of running home; beyond the stock it is not offered"),
    "defended": ("step", "all who take part are known, before the first bids; called for both sides"),
    "unit_strength": ("filter", "what a unit counts in a confrontation of a type (kind)"),
    "bid_limit": ("filter", "highest bid of a side, stock and table allow"),
    "revealed": ("step", "bids lie open, not yet compared; called for both sides"),
    "total": ("filter", "strength and bid of a side"),
    "bid_paid": ("filter", "what of a bid is discarded when the confrontation is decided"),
    "loot": ("filter", "what the winner (seat) takes from the bank"),
    "spoils": ("filter", "power that goes from the loser to the winner (seat) as a consequence"),
    "confrontation_end": ("step", "a confrontation is over (s.result); called for both sides"),
    "gathered": ("filter", "what gathering power brings"),
    "recruit_price": ("filter", "what recruiting costs"),
    "legal_of": ("owner", "a question of this module: allow(words, action)"),
    "answered": ("owner", "a question of this module was answered; it is closed"),
    "task": ("owner", "a task of this module (service `task`) has come up", "run_task"),
    "fell": ("owner", "a die of this module (service `lot`) fell: outcome 0 .. faces - 1", "run_lot"),
    "observe": ("observe", "write the module's observation piece"),
}


@kernel
def may_attack(s: Any, p: Any, seat: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def targets(s: Any, p: Any, seat: int, defender: int, found: int) -> int:
    """Filter; see HOOKS."""
    return found


@kernel
def run_cost(s: Any, p: Any, seat: int, cost: int) -> int:
    """Filter; see HOOKS."""
    return cost


@kernel
def unit_strength(s: Any, p: Any, seat: int, unit: int, kind: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def bid_limit(s: Any, p: Any, seat: int, limit: int) -> int:
    """Filter; see HOOKS."""
    return limit


@kernel
def total(s: Any, p: Any, seat: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def bid_paid(s: Any, p: Any, seat: int, won: int, paid: int) -> int:
    """Filter; see HOOKS."""
    return paid


@kernel
def loot(s: Any, p: Any, seat: int, loser: int, amount: int) -> int:
    """Filter; see HOOKS."""
    return amount


@kernel
def spoils(s: Any, p: Any, seat: int, loser: int, amount: int) -> int:
    """Filter; see HOOKS."""
    return amount


@kernel
def gathered(s: Any, p: Any, seat: int, amount: int) -> int:
    """Filter; see HOOKS."""
    return amount


@kernel
def recruit_price(s: Any, p: Any, seat: int, cost: int) -> int:
    """Filter; see HOOKS."""
    return cost


# Written for the modules of a rule set when it is built.


@kernel
def event_modules(event: int) -> int:
    """How many modules have a `step` hook (EV_...); 0: the event is skipped."""
    return 0


@kernel
def event_call(s: Any, p: Any, event: int, module: int, seat: int) -> None:
    """Call a `step` hook of the module-th module that has it, for one seat."""


@kernel
def has_window(window: int) -> bool:
    """Whether any module has options in a window."""
    return False


@kernel
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Options of all modules."""


@kernel
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Tell the module to which an option belongs that it was taken."""


@kernel
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """Legal answers to a question of module `owner`."""


@kernel
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """Hand an answer to module `owner`."""


@kernel
def run_task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """Run a task of module `owner`."""


@kernel
def run_lot(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """Tell module `owner` how its die fell."""


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """Zero the fields of modules whose scope begins anew: 0 confrontation, 1 turn."""


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset
