"""The hook points of OneShot for rule modules, in the order of play: what holds where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    forget_fields,
    has_window,
    hook,
    observe_modules,
    reset_fields,
)


@hook("event")
def stage_begins(s: Any, p: Any, who: int, stage: int) -> None:
    """Build: a stage (Stage) begins, before a seat chooses."""


@hook("event")
def built(s: Any, p: Any, who: int) -> None:
    """Build: both characters are complete, before they meet; their numbers for exact odds are in `s.figure`."""


@hook("filter")
def initiative_bonus(s: Any, p: Any, who: int, value: int) -> int:
    """A figure has rolled initiative: what is added to the die, its value included."""
    return value


@hook("event")
def turn_begins(s: Any, p: Any, who: int) -> None:
    """A figure begins its turn, before its options are determined."""


@hook("options")
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """A figure that has not acted in its turn is asked what it does: allow(words, action) for actions of the module."""


@hook("choice")
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A figure took an action of this module, which is the action of its turn."""


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


@hook("event")
def talk_begins(s: Any, p: Any, who: int) -> None:
    """A talk begins, told for each talker (in a mission the hero who talks), before the first move."""


@hook("filter")
def talk_bonus(s: Any, p: Any, who: int, method: int, value: int) -> int:
    """A method of a talk (0 aggressive, 1 cunning, 2 diplomatic): what is added to the die, without the mood."""
    return value


@hook("event")
def talked(s: Any, p: Any, who: int, method: int, outcome: int) -> None:
    """A method of a talk has come out (Outcome), mood and patience included, before the next move or the end."""


@hook("owner")
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """A question of this module (services `ask`, `ask_all`): allow(words, action)."""


@hook("owner")
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of this module was answered; a sealed one when all have answered, one seat after the other."""


@hook("owner")
def task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """A task of this module (service `task`) has come up."""


@hook("owner")
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of this module fell (services `throw_die`, `lot`): outcome 0 .. faces - 1."""


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
