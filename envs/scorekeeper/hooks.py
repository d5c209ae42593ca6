"""The closed list of hook points: what the core does where no module has a say.

`HOOKS` gives for each name its kind (see `core.modules.declare.KINDS`), the moment at which it is called, and the
function below that the kernel calls where that has another name; the order is the order of play. `seat` is the number
of the fighter whom a hook is about, who must have the module.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

HOOKS: dict[str, tuple[str, ...]] = {
    "round_start": ("step", "a round starts, its scripted events are over: every fighter in setup order"),
    "reaction_value": ("filter", "reaction value of a fighter who has just rolled `die` (R3)"),
    "permit": ("filter", "a fighter may attack a target in a mode (M_...): 1 or 0; asked for those that rules permit"),
    "options": ("options", "a fighter declares: allow(words, action) for actions of the module"),
    "turn": ("step", "a fighter's turn begins; his declaration is in s.declared, s.d_target, s.d_zone"),
    "choose": ("choice", "the turn of a fighter who declared an action of this module"),
    "attack_value": ("filter", "value of an attack (R22, R37), all modifiers in"),
    "may_save": ("filter", "the fighter hit may choose `save`: 1 or 0"),
    "may_parry": ("filter", "the fighter hit in melee may choose `parry`: 1 or 0"),
    "save_value": ("filter", "value of a saving throw, all modifiers in"),
    "parry_value": ("filter", "value of a parry, all modifiers in"),
    "parry_cost": ("filter", "a parry out of the reaction spends the action and goes into full defence (R33): 1 or 0"),
    "may_counter": ("filter", "the fighter who has parried may counter (R34): 1 or 0"),
    "check": ("filter", "a check (kind K_...) fell: 1 success, 0 failure"),
    "damage": ("filter", "points of damage behind all armour"),
    "wound_class": ("filter", "class of a wound before fate (R51 is done), 0 none"),
    "shock_value": ("filter", "value of a shock roll of any purpose (R_...)"),
    "wounded": ("event", "a wound was entered, cumulated classes included; class and zone as received"),
    "parried": ("event", "a parry has succeeded"),
    "acted": ("event", "a fighter's turn is over"),
    "round_end": ("step", "the upkeep is done, before the end is tested: every fighter in setup order"),
    "legal_of": ("owner", "a question of this module (service `ask_module`): allow(words, action)"),
    "answered": ("owner", "a question of this module was answered"),
    "fell": ("owner", "a die of this module (service `lot`) fell: outcome 0 .. faces - 1", "run_lot"),
    "observe": ("observe", "write the module's observation pieces"),
    "state_key": ("filter", "key of what search must tell apart: key_with(value, number) for fields of the module"),
}


@kernel
def reaction_value(s: Any, p: Any, seat: int, die: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def permit(s: Any, p: Any, seat: int, target: int, mode: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def attack_value(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def may_save(s: Any, p: Any, seat: int, mode: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def may_parry(s: Any, p: Any, seat: int, mode: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def save_value(s: Any, p: Any, seat: int, mode: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def parry_value(s: Any, p: Any, seat: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def parry_cost(s: Any, p: Any, seat: int, cost: int) -> int:
    """Filter; see HOOKS."""
    return cost


@kernel
def may_counter(s: Any, p: Any, seat: int, attacker: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def check(s: Any, p: Any, seat: int, roll: int, die: int, value: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def damage(s: Any, p: Any, seat: int, target: int, mode: int, zone: int, points: int) -> int:
    """Filter; see HOOKS."""
    return points


@kernel
def wound_class(s: Any, p: Any, seat: int, zone: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def shock_value(s: Any, p: Any, seat: int, purpose: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def wounded(s: Any, p: Any, seat: int, zone: int, wound: int) -> None:
    """Event; see HOOKS."""


@kernel
def parried(s: Any, p: Any, seat: int, attacker: int) -> None:
    """Event; see HOOKS."""


@kernel
def acted(s: Any, p: Any, seat: int) -> None:
    """Event; see HOOKS."""


@kernel
def state_key(s: Any, p: Any, value: int) -> int:
    """Filter; see HOOKS."""
    return value


# Written for the modules of a rule set (`core.modules.bind`); here what holds without modules.


@kernel
def event_modules(event: int) -> int:
    """How many modules have a `step` hook (EV_...); 0: the event is skipped."""
    return 0


@kernel
def event_call(s: Any, p: Any, event: int, module: int, seat: int) -> None:
    """Call a `step` hook of the module-th module that has it, for one fighter."""


@kernel
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Options of all modules."""


@kernel
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Tell the module to which an action belongs that it is carried out."""


@kernel
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """Legal answers to a question of module `owner`."""


@kernel
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """Hand an answer to module `owner`."""


@kernel
def run_lot(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """Tell module `owner` how its die fell."""


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """Zero the fields of modules whose scope begins anew: 0 round."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset
