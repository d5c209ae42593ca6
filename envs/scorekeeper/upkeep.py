"""The end of a round: bleeding (R59), death rolls (R63), the end of a trauma (R66)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from .services import begin_roll, emit, shock_value_of
from .state import Event, Moment, Purpose, Roll, Source, Station
from .steps import begin_steps
from .wounds import begin_wound


@kernel
def bleed(s: Any, p: Any) -> None:
    """R59: a scratch a point of bleeding, fighter after fighter."""
    while s.at < p.fighters:
        f = s.at
        dying = s.dead[f] | s.struggle[f]
        if s.bleed_left < 0:
            s.bleed_left = s.bleeding[f] if p.bleeds and p.character[f] else 0
        if s.bleed_left > 0 and dying == 0:
            s.bleed_left -= 1
            emit(s, Event.BLEED, f, 0, 0)
            begin_wound(s, p, f, 1, 0, -1, Source.BLEEDING)
            return
        s.at += 1
        s.bleed_left = -1
    s.pc = Station.DEATH
    s.at = 0


@kernel
def roll_death(s: Any, p: Any) -> None:
    """R63."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if s.struggle[f] == 0 or s.stable[f] or s.dead[f]:
            continue
        if p.death_next_round and s.struggle_round[f] == s.round_no:
            continue
        base = p.shock[f] - p.death_first_penalty - p.death_step * s.death_rolls[f]
        begin_roll(s, Roll.DEATH, Purpose.CHECK, f, -1, shock_value_of(s, p, f, base, Purpose.CHECK), 1, 20)
        return
    s.pc = Station.WAKE
    s.at = 0


@kernel
def roll_wake(s: Any, p: Any) -> None:
    """R66: the end of a trauma."""
    while s.at < p.fighters:
        f = s.at
        s.at += 1
        if s.trauma[f] and s.dead[f] == 0:
            begin_roll(s, Roll.SHOCK, Purpose.WAKE, f, -1, shock_value_of(s, p, f, p.shock[f], Purpose.WAKE), 1, 20)
            return
    s.pc = Station.END_STEPS
    begin_steps(s, Moment.ROUND_END)
