"""Decisions of a party: who decides, what is allowed, and what it does (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.legal import allow
from ..dicing import answer_reaction, legal_reaction, note
from ..parley.talk import legal_talk, talk_move
from ..skirmish.arms import weak_spot_chosen, wound_answered
from ..skirmish.fight import act, allow_turn
from ..state import (
    ALIVE,
    DECLINE,
    HEROES,
    LUCK,
    NOBODY,
    SAGA,
    TALK,
    TALK_CHECKS,
    TALKING,
    Action,
    Event,
    Item,
    Mode,
    Phase,
    Status,
)
from .errand import carrier, end_mission, explore
from .rooms import approach, assign, best_tool, enter_room, room_test


@kernel
def decider(s: Any) -> int:
    """The seat that decides: a talker is the hero who talks."""
    if s.mode == Mode.TALK and s.asked == 0 and (s.node == NOBODY or s.node in TALKING):
        return s.hero
    return s.asked


@kernel
def legal_options(s: Any, p: Any, words: Any) -> None:
    """Options of the node."""
    node = s.node
    if node == Phase.TURN:
        allow_turn(s, p, words)
    elif node == Phase.REACT_WOUND:
        allow(words, DECLINE)
        allow(words, SAGA)
    elif node == Phase.REACT_WEAK_SPOT:
        allow(words, DECLINE)
        allow(words, Action.WEAK_SPOT)
    elif node == Phase.EXPLORE:
        for way in range(4):
            if s.room_links[s.room, way] >= 0:
                allow(words, Action.GO + way)
        allow(words, Action.ABORT)
        heal, salts = carrier(s, Item.HEAL) >= 0, carrier(s, Item.SALTS) >= 0
        for i in range(HEROES):
            if s.standing[i] in ALIVE:
                if heal and s.wounds[i] > 0:
                    allow(words, Action.HEAL + i)
                if salts and s.standing[i] == Status.UNCONSCIOUS:
                    allow(words, Action.SALTS + i)
    elif node == Phase.APPROACH:
        allow(words, Action.FIGHT)
        allow(words, Action.AMBUSH)
        allow(words, Action.BYPASS)
    elif node == Phase.ASSIGN:
        for i in range(HEROES):
            if s.standing[i] == Status.UP:
                allow(words, Action.ASSIGN + i)
    elif node == Phase.TOOL:
        allow(words, Action.USE_TOOL)
        allow(words, Action.NO_TOOL)
    elif node == Phase.TALK:
        legal_talk(s, p, words)
    else:
        legal_reaction(s, words)


@kernel
def on_the_map(s: Any, p: Any, action: int) -> None:
    """Node `explore`: walk, use an item, give up."""
    s.node = NOBODY
    if action == Action.ABORT:
        end_mission(s, 0)
    elif action >= Action.GO:
        enter_room(s, p, s.room_links[s.room, action - Action.GO])
    elif action >= Action.SALTS:
        i = action - Action.SALTS
        s.items[carrier(s, Item.SALTS), Item.SALTS] -= 1
        s.wounds[i] = min(s.wounds[i], s.limit[i])
        s.standing[i] = Status.UP
        note(s, Event.WAKE, s.asked, i, 0)
        explore(s, p)
    else:
        i = action - Action.HEAL
        s.items[carrier(s, Item.HEAL), Item.HEAL] -= 1
        s.wounds[i] = max(0, s.wounds[i] - p.heal_amount)
        if s.standing[i] == Status.UNCONSCIOUS and s.wounds[i] <= s.limit[i]:
            s.standing[i] = Status.UP
        note(s, Event.HEAL, s.asked, i, 0)
        explore(s, p)


@kernel
def react(s: Any, p: Any, action: int) -> None:
    """`react_fail` and `react_six`, in talks and elsewhere."""
    who = s.ck_who
    if s.mode == Mode.TALK and s.ck_kind in TALK_CHECKS:
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
    if node == Phase.TURN:
        act(s, p, action)
    elif node == Phase.REACT_WOUND:
        wound_answered(s, p, action)
    elif node == Phase.REACT_WEAK_SPOT:
        weak_spot_chosen(s, p, action)
    elif node == Phase.EXPLORE:
        on_the_map(s, p, action)
    elif node == Phase.APPROACH:
        approach(s, p, action)
    elif node == Phase.ASSIGN:
        assign(s, p, action - Action.ASSIGN)
    elif node == Phase.TOOL:
        s.node = NOBODY
        if action == Action.USE_TOOL:
            s.tool = best_tool(s, p, s.hero)
        room_test(s, p)
    elif node == Phase.TALK:
        talk_move(s, p, action - TALK)
    else:
        react(s, p, action)
