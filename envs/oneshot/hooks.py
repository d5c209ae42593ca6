"""The hook points of OneShot for rule modules, in the order of play: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    hook,
    observe_modules,
    reset_fields,
)


@hook("filter")
def initiative_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """A figure has rolled initiative: what is added to the die, its value included."""
    return value


@hook("event")
def turn_begins(s: Any, p: Any, who: int) -> None:
    """A figure begins its turn, before its options are determined."""


@hook("filter")
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """An attack: what is added to the attack roll of `who` with a weapon slot against `target`."""
    return value


@hook("filter")
def damage_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """A hit: what is added to the damage roll of `who` with a weapon slot against `target`."""
    return value


@hook("filter")
def defence(s: Any, p: Any, target: int, value: int) -> int:
    """Damage is compared: current defence of `target`."""
    return value


@hook("filter")
def survival_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """A survival roll: what is added to the die."""
    return value


@hook("filter")
def edge_bonus(s: Any, p: Any, who: int, target: int, method: int, value: int) -> int:
    """An edge (method 0 aggressive, 1 cunning, 2 diplomatic): what is added to the die."""
    return value


@hook("event")
def dealt(s: Any, p: Any, who: int, target: int) -> None:
    """`who` has dealt `target` a wound; it takes effect now, or at the end of the group."""


@hook("event")
def wounded(s: Any, p: Any, who: int) -> None:
    """A figure has received wounds, after its survival roll."""


@hook("event")
def turn_ends(s: Any, p: Any, who: int) -> None:
    """A figure's turn has ended."""


@hook("filter")
def stands(s: Any, p: Any, who: int, ok: int) -> int:
    """The end of a fight is tested (R41): a figure that is up still stands for its team, 1 or 0."""
    return ok


@hook("filter")
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """The fight or the mission is over: payoff of a figure's seat; with one seat a team for all its figures in turn."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""


@kernel
def figure_bit(s: Any, p: Any, who: int) -> int:
    """The figure that is named first."""
    return 1 << who
