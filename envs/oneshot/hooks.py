"""The hook points of OneShot for rule modules: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

HOOKS: dict[str, tuple[str, ...]] = {
    "initiative_bonus": ("filter", "a figure has rolled initiative: what is added to the die, its value included"),
    "turn_begins": ("event", "a figure begins its turn, before its options are determined"),
    "attack_bonus": (
        "filter",
        "an attack: what is added to the attack roll of `who` with a weapon slot against `target`",
    ),
    "damage_bonus": (
        "filter",
        "a hit: what is added to the damage roll of `who` with a weapon slot against `target`",
    ),
    "defence": ("filter", "damage is compared: current defence of `target`"),
    "survival_bonus": ("filter", "a survival roll: what is added to the die"),
    "edge_bonus": ("filter", "an edge (method 0 aggressive, 1 cunning, 2 diplomatic): what is added to the die"),
    "dealt": ("event", "`who` has dealt `target` a wound; it takes effect now, or at the end of the group"),
    "wounded": ("event", "a figure has received wounds, after its survival roll"),
    "turn_ends": ("event", "a figure's turn has ended"),
    "observe": ("observe", "write the module's observation pieces"),
}


@kernel
def figure_bit(s: Any, p: Any, who: int) -> int:
    """Bit of the figure that a hook is about."""
    return 1 << who


@kernel
def initiative_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def turn_begins(s: Any, p: Any, who: int) -> None:
    """Event; see HOOKS."""


@kernel
def attack_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def damage_bonus(s: Any, p: Any, who: int, target: int, weapon: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def defence(s: Any, p: Any, target: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def survival_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def edge_bonus(s: Any, p: Any, who: int, target: int, method: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def dealt(s: Any, p: Any, who: int, target: int) -> None:
    """Event; see HOOKS."""


@kernel
def wounded(s: Any, p: Any, who: int) -> None:
    """Event; see HOOKS."""


@kernel
def turn_ends(s: Any, p: Any, who: int) -> None:
    """Event; see HOOKS."""


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """A scope begins anew: 0 a fight."""


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset
