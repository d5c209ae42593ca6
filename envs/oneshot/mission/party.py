"""Decisions of a party: who decides, what is allowed, and what it does (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.legal import allow
from ..dicing import answer_reaction, legal_reaction, note
from ..parley.talk import legal_talk, talk_move
from ..skirmish.arms import weak_spot_chosen, wound_answered
from ..skirmish.fight import act
from ..state import (
    ABORT,
    AMBUSH,
    ASSIGN,
    BYPASS,
    CK_SNEAK,
    CK_TALK,
    DEAD,
    DECLINE,
    E_HEAL,
    E_WAKE,
    FIGHT,
    GO,
    HEAL,
    HEROES,
    I_HEAL,
    I_SALTS,
    LUCK,
    M_TALK,
    N_APPROACH,
    N_ASSIGN,
    N_EXPLORE,
    N_TALK,
    N_TOOL,
    N_TURN,
    N_WEAK,
    N_WOUND,
    NO_TOOL,
    NOBODY,
    SAGA,
    SALTS,
    TALK,
    UNCONSCIOUS,
    UP,
    USE_TOOL,
    WEAK_SPOT,
)
from .errand import carrier, end_mission, explore
from .rooms import approach, assign, best_tool, enter_room, room_test


@kernel
def decider(s: Any) -> int:
    """The seat that decides: a talker is the hero who talks."""
    if s.mode == M_TALK and s.asked == 0 and (s.node == N_TALK or s.node < N_TALK):
        return s.hero
    return s.asked


@kernel
def legal_options(s: Any, p: Any, words: Any) -> None:
    """Options of the node."""
    node = s.node
    if node == N_TURN:
        for w in range(len(words)):
            words[w] = s.allowed[w]
    elif node == N_WOUND:
        allow(words, DECLINE)
        allow(words, SAGA)
    elif node == N_WEAK:
        allow(words, DECLINE)
        allow(words, WEAK_SPOT)
    elif node == N_EXPLORE:
        for way in range(4):
            if s.room_links[s.room, way] >= 0:
                allow(words, GO + way)
        allow(words, ABORT)
        heal, salts = carrier(s, I_HEAL) >= 0, carrier(s, I_SALTS) >= 0
        for i in range(HEROES):
            if s.standing[i] < DEAD:
                if heal and s.wounds[i] > 0:
                    allow(words, HEAL + i)
                if salts and s.standing[i] == UNCONSCIOUS:
                    allow(words, SALTS + i)
    elif node == N_APPROACH:
        allow(words, FIGHT)
        allow(words, AMBUSH)
        allow(words, BYPASS)
    elif node == N_ASSIGN:
        for i in range(HEROES):
            if s.standing[i] == UP:
                allow(words, ASSIGN + i)
    elif node == N_TOOL:
        allow(words, USE_TOOL)
        allow(words, NO_TOOL)
    elif node == N_TALK:
        legal_talk(s, p, words)
    else:
        legal_reaction(s, words)


@kernel
def on_the_map(s: Any, p: Any, action: int) -> None:
    """Node `explore`: walk, use an item, give up."""
    s.node = NOBODY
    if action == ABORT:
        end_mission(s, 0)
    elif action >= GO:
        enter_room(s, p, s.room_links[s.room, action - GO])
    elif action >= SALTS:
        i = action - SALTS
        s.items[carrier(s, I_SALTS), I_SALTS] -= 1
        s.wounds[i] = min(s.wounds[i], s.limit[i])
        s.standing[i] = UP
        note(s, E_WAKE, s.asked, i, 0)
        explore(s, p)
    else:
        i = action - HEAL
        s.items[carrier(s, I_HEAL), I_HEAL] -= 1
        s.wounds[i] = max(0, s.wounds[i] - p.heal_amount)
        if s.standing[i] == UNCONSCIOUS and s.wounds[i] <= s.limit[i]:
            s.standing[i] = UP
        note(s, E_HEAL, s.asked, i, 0)
        explore(s, p)


@kernel
def react(s: Any, p: Any, action: int) -> None:
    """`react_fail` and `react_six`, in talks and elsewhere."""
    who = s.ck_who
    if s.mode == M_TALK and s.ck_kind >= CK_TALK and s.ck_kind < CK_SNEAK:
        if action == SAGA:
            s.t_saga[0] -= 1
            s.ck_paid = 1
        elif action == LUCK:
            s.t_luck[0] -= 1
            s.ck_paid = 2
        answer_reaction(s, p, action, s.t_saga[0], s.t_luck[0])
        return
    if action == SAGA:
        s.saga[who] -= 1
    elif action == LUCK:
        s.luck[who] -= 1
    answer_reaction(s, p, action, s.saga[who], s.luck[who])


@kernel
def decide(s: Any, p: Any, action: int) -> None:
    """Take an action of the node."""
    node = s.node
    if node == N_TURN:
        act(s, p, action)
    elif node == N_WOUND:
        wound_answered(s, p, action)
    elif node == N_WEAK:
        weak_spot_chosen(s, p, action)
    elif node == N_EXPLORE:
        on_the_map(s, p, action)
    elif node == N_APPROACH:
        approach(s, p, action)
    elif node == N_ASSIGN:
        assign(s, p, action - ASSIGN)
    elif node == N_TOOL:
        s.node = NOBODY
        if action == USE_TOOL:
            s.tool = best_tool(s, p, s.hero)
        room_test(s, p)
    elif node == N_TALK:
        talk_move(s, p, action - TALK)
    else:
        react(s, p, action)
