"""The closed list of hook points, in the order of play: what the core does where no module has a say.

`seat` is the number of the fighter whom a hook is about, who must have the module.
"""

from __future__ import annotations

from typing import Any

from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    event_call,
    event_modules,
    hook,
    observe_modules,
    reset_fields,
)


@hook("step")
def round_start(s: Any, p: Any, seat: int) -> None:
    """A round starts, its scripted events are over: every fighter in setup order."""


@hook("filter")
def reaction_value(s: Any, p: Any, seat: int, die: int, value: int) -> int:
    """Reaction value of a fighter who has just rolled `die` (R3)."""
    return value


@hook("filter")
def permit(s: Any, p: Any, seat: int, target: int, mode: int, ok: int) -> int:
    """A fighter may attack a target in a mode (M_...): 1 or 0; asked for those that rules permit."""
    return ok


@hook("options")
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """A fighter declares: allow(words, action) for actions of the module."""


@hook("step")
def turn(s: Any, p: Any, seat: int) -> None:
    """A fighter's turn begins; his declaration is in s.declared, s.d_target, s.d_zone."""


@hook("choice")
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The turn of a fighter who declared an action of this module."""


@hook("filter")
def attack_value(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, value: int) -> int:
    """Value of an attack (R22, R37), all modifiers in."""
    return value


@hook("filter")
def may_save(s: Any, p: Any, seat: int, mode: int, ok: int) -> int:
    """The fighter hit may choose `save`: 1 or 0."""
    return ok


@hook("filter")
def may_parry(s: Any, p: Any, seat: int, mode: int, ok: int) -> int:
    """The fighter hit in melee may choose `parry`: 1 or 0."""
    return ok


@hook("filter")
def save_value(s: Any, p: Any, seat: int, mode: int, value: int) -> int:
    """Value of a saving throw, all modifiers in."""
    return value


@hook("filter")
def parry_value(s: Any, p: Any, seat: int, value: int) -> int:
    """Value of a parry, all modifiers in."""
    return value


@hook("filter")
def parry_cost(s: Any, p: Any, seat: int, cost: int) -> int:
    """A parry out of the reaction spends the action and goes into full defence (R33): 1 or 0."""
    return cost


@hook("filter")
def may_counter(s: Any, p: Any, seat: int, attacker: int, ok: int) -> int:
    """The fighter who has parried may counter (R34): 1 or 0."""
    return ok


@hook("filter")
def check(s: Any, p: Any, seat: int, roll: int, die: int, value: int, ok: int) -> int:
    """A check (kind K_...) fell: 1 success, 0 failure."""
    return ok


@hook("filter")
def damage(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, points: int) -> int:
    """Points of damage behind all armour."""
    return points


@hook("filter")
def wound_class(s: Any, p: Any, seat: int, zone: int, value: int) -> int:
    """Class of a wound before fate (R51 is done), 0 none."""
    return value


@hook("filter")
def shock_value(s: Any, p: Any, seat: int, purpose: int, value: int) -> int:
    """Value of a shock roll of any purpose (R_...)."""
    return value


@hook("event")
def wounded(s: Any, p: Any, seat: int, zone: int, wound: int) -> None:
    """A wound was entered, cumulated classes included; class and zone as received."""


@hook("event")
def parried(s: Any, p: Any, seat: int, attacker: int) -> None:
    """A parry has succeeded."""


@hook("event")
def acted(s: Any, p: Any, seat: int) -> None:
    """A fighter's turn is over."""


@hook("step")
def round_end(s: Any, p: Any, seat: int) -> None:
    """The upkeep is done, before the end is tested: every fighter in setup order."""


@hook("owner")
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """A question of this module (service `ask_module`): allow(words, action)."""


@hook("owner")
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of this module was answered."""


@hook("owner")
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of this module (service `lot`) fell: outcome 0 .. faces - 1."""


@hook("filter")
def stands(s: Any, p: Any, seat: int, ok: int) -> int:
    """The end is tested (R75, not by first blood): a fighter who is not beaten still stands for the team, 1 or 0."""
    return ok


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The fight is over: payoff of a fighter's seat; with one seat a team for all its fighters in turn."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""


@hook("filter")
def state_key(s: Any, p: Any, value: int) -> int:
    """Key of what search must tell apart: key_with(value, number) for fields of the module."""
    return value
