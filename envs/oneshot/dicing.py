"""Checks: the die, its confirmation, automatic and critical results, and what may be done about them (R20-R28, 4.1)."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.legal import allow
from ..core.rng import mix
from .choices import Critical, LuckScope, SagaConfirm, Untrained
from .state import DECLINE, EVENT, EVENTS, LUCK, NOBODY, SAGA, Check, Die, Event, Phase

AT, LOW = EVENT.at, EVENT.low


@kernel
def note(s: Any, kind: int, who: int, a: int, b: int) -> None:
    """An event of `EVENT` for the reader: a kind, a figure or talker (-1: nobody), and two numbers."""
    if s.n_events < EVENTS:
        s.events[s.n_events] = kind | (who - LOW[1]) << AT[1] | (a - LOW[2]) << AT[2] | (b - LOW[3]) << AT[3]
        s.n_events += 1


@kernel
def remember(s: Any, what: int) -> None:
    """Roll something that everybody saw into the public history."""
    s.public = mix(s.public, what)


@kernel
def throw(s: Any, kind: int, who: int, faces: int) -> None:
    """A die must fall."""
    s.die_kind = kind
    s.die_at = who
    s.die_faces = faces


@kernel
def ask(s: Any, node: int, who: int) -> None:
    """A decision is due."""
    s.node = node
    s.ask_phase = node
    s.asked = who


@kernel
def skill_value(p: Any, rank: int, mind: int) -> int:
    """R22, A4: the rank of a fitting skill, or mind - 1."""
    if rank >= 1:
        if p.untrained_rule == Untrained.BEST and mind - 1 > rank:
            return mind - 1
        return rank
    return mind - 1


@kernel
def begin_check(s: Any, kind: int, who: int, mod: int, need: int, conf: int, stake: int, bonus: int) -> None:
    """Start a check: d6 + mod >= need; its die falls next. See the fields `ck_*`."""
    s.ck_kind = kind
    s.ck_who = who
    s.ck_mod = mod
    s.ck_need = need
    s.ck_conf = conf
    s.ck_stake = stake
    s.ck_bonus = bonus
    s.ck_natural = 0
    s.ck_confirm = 0
    s.ck_done = 0
    throw(s, Die.CHECK, who, 6)


@kernel
def check_fell(s: Any, p: Any, saga: int, luck: int, face: int) -> None:
    """A die of the check shows `face`; `saga` and `luck` are what its roller has left."""
    if s.die_kind == Die.CHECK:
        s.ck_natural = face
        if s.ck_conf and (face == 1 or face == 6):
            s.die_kind = Die.CONFIRM
            return
    else:
        s.ck_confirm = face
    s.die_kind = Die.NONE
    s.die_faces = 0
    s.ck_total = s.ck_natural + s.ck_mod
    s.ck_plain = 1 if s.ck_total >= s.ck_need else 0
    s.ck_auto = 0
    if s.ck_confirm:
        if s.ck_natural == 1 and s.ck_confirm <= 2:
            s.ck_auto = -1
        elif s.ck_natural == 6 and s.ck_confirm >= 5:
            s.ck_auto = 1
    s.ck_win = s.ck_plain
    s.ck_crit = 0
    if s.ck_auto:
        s.ck_win = 1 if s.ck_auto > 0 else 0
        if p.critical_means == Critical.AUTOMATIC or s.ck_win == s.ck_plain:
            s.ck_crit = 1
    offer(s, p, saga, luck)


@kernel
def offer(s: Any, p: Any, saga: int, luck: int) -> None:
    """Ask the roller whether he spends luck or a saga point, if that can change anything; else the check is done."""
    s.re_saga = 0
    s.re_luck = 0
    if s.ck_win:
        if saga > 0 and s.ck_bonus and s.ck_conf and s.ck_natural == 6 and s.ck_auto == 0:
            s.re_saga = 1
            ask(s, Phase.REACT_SIX, s.ck_who)
            return
        s.ck_done = 1
        return
    if saga > 0 and s.ck_conf:
        if s.ck_auto < 0:
            if s.ck_plain or (s.ck_crit and s.ck_stake):
                s.re_saga = 1
        elif s.ck_natural == 6 and p.saga_confirm == SagaConfirm.AUTO_SUCCESS:
            s.re_saga = 1
    if luck > 0:
        if p.luck_scope == LuckScope.ALL or s.ck_kind not in (Check.ATTACK, Check.SURVIVE):
            s.re_luck = 1
        elif s.ck_kind == Check.SURVIVE and p.survival_is_test:
            s.re_luck = 1
    if s.re_saga or s.re_luck:
        ask(s, Phase.REACT_FAIL, s.ck_who)
    else:
        s.ck_done = 1


@kernel
def legal_reaction(s: Any, words: Any) -> None:
    """Options of `react_fail` and `react_six`."""
    allow(words, DECLINE)
    if s.re_saga:
        allow(words, SAGA)
    if s.re_luck:
        allow(words, LUCK)


@kernel
def answer_reaction(s: Any, p: Any, action: int, saga: int, luck: int) -> None:
    """R128, R129, R136: what the roller does; `saga` and `luck` are what is left after paying for it."""
    six = s.node == Phase.REACT_SIX
    s.node = NOBODY
    if action == SAGA:
        note(s, Event.SAGA, s.ck_who, 0, 0)
        if six:
            s.ck_auto = 1
            s.ck_crit = 1
            s.ck_done = 1
        elif s.ck_auto < 0:
            s.ck_auto = 0
            s.ck_crit = 0
            s.ck_win = s.ck_plain
            if s.ck_win:
                s.ck_done = 1
            else:
                offer(s, p, saga, luck)
        else:
            s.ck_auto = 1
            s.ck_win = 1
            s.ck_done = 1
    elif action == LUCK:
        note(s, Event.LUCK, s.ck_who, 0, 0)
        s.ck_auto = 1
        s.ck_crit = 0
        s.ck_win = 1
        s.ck_done = 1
    else:
        s.ck_done = 1
