"""Stepped hooks: a moment of the flow at which modules are called one after the other."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from . import hooks
from .state import Moment


@kernel
def begin_steps(s: Any, event: int) -> None:
    """The stepped hook `event` (Moment) runs: module after module, fighter after fighter (a turn: the one on turn)."""
    if hooks.event_modules(event) > 0:
        s.step_event = event
        s.step_module = 0
        s.step_fighter = s.actor if event == Moment.TURN else 0


@kernel
def run_step(s: Any, p: Any) -> None:
    """The next call of the stepped hook under way."""
    event, module, f = s.step_event, s.step_module, s.step_fighter
    if module >= hooks.event_modules(event):
        s.step_event = -1
        return
    if event == Moment.TURN:
        s.step_module = module + 1
    elif f + 1 < p.fighters:
        s.step_fighter = f + 1
    else:
        s.step_fighter = 0
        s.step_module = module + 1
    hooks.event_call(s, p, event, module, f)
