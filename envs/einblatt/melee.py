"""Turns of a melee: initiative, orders, act or wait, reactions, tie groups (R50..R63)."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit, popcount
from ..core.jit import kernel
from . import hooks
from .frames import EVERYBODY, emit, push, sign
from .piles import discard, discard_openly, reveal, take_out
from .plays import attribute_of, base_attribute, class_of, know_trump, plays_of, take_play
from .reckoning import compare
from .state import (
    NO_CARD,
    Action,
    Die,
    Disobedience,
    Event,
    InitiativeTie,
    Phase,
    Purpose,
    ReactionDecline,
    Reason,
    Station,
)


@kernel
def initiative_value(s: Any, p: Any, seat: int) -> int:
    """R52, A8: attribute value that breaks ties of initiative."""
    return base_attribute(s, p, seat) if p.tie_base else attribute_of(s, p, seat)


@kernel
def first_group(s: Any, p: Any, candidates: int) -> int:
    """R52: seats on turn among `candidates`: highest class, then highest attribute value (bit set)."""
    best = -1
    value = -1
    group = 0
    r = s.round_no
    bits = candidates
    while bits:
        seat = lowest_bit(bits)
        bits &= bits - 1
        c = s.slot_class[seat, r]
        if c < best:
            continue
        v = initiative_value(s, p, seat)
        if c > best or v > value:
            best = c
            value = v
            group = 1 << seat
        elif v == value:
            group |= 1 << seat
    return group


@kernel
def open_card_done(s: Any, p: Any, seat: int, reason: int) -> None:
    """R56: a seat's round card leaves the conflict area for the discard pile (a king slot has no card)."""
    play = s.slot[seat, s.round_no]
    s.is_open[seat] = 0
    s.spent[seat] = 1
    if 0 <= play < 32 and s.area[seat] >> play & 1:
        s.area[seat] &= ~(1 << play)
        discard(s, p, seat, play, reason)


@kernel
def settle(s: Any, p: Any, attacker: int, target: int, play: int, value: int, from_hand: bool) -> None:
    """R56: one comparison of an attacker's round card; both cards go to the discard piles."""
    r = s.round_no
    mine = s.slot[attacker, r]
    strength = s.slot_class[attacker, r]
    compare(s, p, attacker, mine, strength, target, play, value)
    d = sign(strength - value)
    open_card_done(s, p, attacker, Reason.WON if d > 0 else (Reason.LOST if d < 0 else Reason.TIED))
    reason = Reason.LOST if d > 0 else (Reason.WON if d < 0 else Reason.TIED)
    if from_hand:
        if 0 <= play < 32:
            s.area[target] &= ~(1 << play)
            discard(s, p, target, play, reason)
    elif play != Action.PASS and play != NO_CARD:
        open_card_done(s, p, target, reason)


@kernel
def attack(s: Any, p: Any, attacker: int, target: int) -> None:
    """R55: the target defends; it is asked only when it must play a card from hand."""
    s.attacker = attacker
    s.target = target
    s.focus = s.slot[attacker, s.round_no]
    emit(s, Event.ATTACK, attacker, target, 0, EVERYBODY)
    if s.passed[target]:
        settle(s, p, attacker, target, Action.PASS, 0, False)
    elif s.is_open[target]:
        r = s.round_no
        settle(s, p, attacker, target, s.slot[target, r], s.slot_class[target, r], False)
    else:
        plays = plays_of(s, p, target, Purpose.REACT)
        if plays == 0:
            settle(s, p, attacker, target, NO_CARD, class_of(s, p, target, NO_CARD), True)
        else:
            if p.reaction_decline != ReactionDecline.FORBIDDEN:
                plays |= 1 << Action.PASS
            push(s, Phase.REACT, -1, target, 1 << target, plays, 0, 0)
            return
    s.attacker = -1
    s.focus = -1


@kernel
def react_answered(s: Any, p: Any, seat: int, action: int) -> None:
    """R55c, A2: the card from hand, or a declined reaction."""
    attacker = s.attacker
    emit(s, Event.REACT, seat, action, 0, EVERYBODY)
    if action == Action.PASS:
        if p.reaction_decline == ReactionDecline.LOSE:
            settle(s, p, attacker, seat, NO_CARD, -1, True)
        else:
            settle(s, p, attacker, seat, Action.PASS, 0, True)
    else:
        take_play(s, p, seat, action)
        if action < 32:
            s.area[seat] |= 1 << action
            reveal(s, seat, action)
            if p.colours_count:
                know_trump(s, seat, action >> 3)
        settle(s, p, attacker, seat, action, class_of(s, p, seat, action), True)
    s.attacker = -1
    s.focus = -1


@kernel
def penalise(s: Any, p: Any, follower: int) -> None:
    """R63, A20: for an order not followed the leader (or the follower) discards the hand's highest-class card."""
    if p.disobedience == Disobedience.NONE:
        return
    payer = follower if p.disobedience == Disobedience.FOLLOWER_BEST else p.leader[follower]
    emit(s, Event.DISOBEY, follower, payer, 0, EVERYBODY)
    best = -1
    value = -1
    bits = s.hand[payer]
    while bits:
        card = lowest_bit(bits)
        bits &= bits - 1
        c = class_of(s, p, payer, card)
        if c > value:
            value = c
            best = card
    if best >= 0:
        take_out(s, payer, best)
        discard_openly(s, p, payer, best, Reason.UNUSED)


@kernel
def begin_turn(s: Any, p: Any) -> None:
    """R52, R57: who is on turn, or the end of the round."""
    candidates = 0
    for seat in range(p.seats):
        if s.is_open[seat] and not s.waited[seat]:
            candidates |= 1 << seat
    if s.cut or candidates == 0:
        for seat in range(p.seats):
            if s.is_open[seat]:
                play = s.slot[seat, s.round_no]
                s.is_open[seat] = 0
                if 0 <= play < 32 and s.area[seat] >> play & 1:
                    s.area[seat] &= ~(1 << play)
                    if p.return_round_card:
                        s.hand[seat] |= 1 << play
                        s.shown[seat] |= 1 << play
                    else:
                        discard(s, p, seat, play, Reason.PLAYED)
            s.passed[seat] = 0
            s.spent[seat] = 0
            s.waited[seat] = 0
        s.group = 0
        s.pc = Station.ROUND_END
        return
    group = first_group(s, p, candidates)
    s.pc = Station.COMMAND
    s.at = 0
    s.group = group
    if popcount(group) > 1:
        if p.initiative_tie == InitiativeTie.SEAT:
            s.group = 1 << lowest_bit(group)
        elif p.initiative_tie == InitiativeTie.RANDOM:
            s.die_kind = Die.INITIATIVE
            s.die_pile = group
            s.die_faces = popcount(group)


@kernel
def begin_choice(s: Any, p: Any) -> None:
    """R63: orders of leaders to the members of the group, in seat order; then all members choose."""
    while s.at < p.seats:
        seat = s.at
        s.at += 1
        if s.group >> seat & 1:
            if s.at == lowest_bit(s.group) + 1:
                emit(s, Event.INITIATIVE, seat, 0, 0, EVERYBODY)
            s.order[seat] = -1
            hooks.before_action(s, p, seat)
            leader = p.leader[seat]
            if leader >= 0 and leader != seat:
                push(s, Phase.COMMAND, -1, leader, 1 << leader, seat, 0, 0)
                return
    s.pc = Station.ACT


@kernel
def begin_resolution(s: Any, p: Any) -> None:
    """R58: reveal the group's choices; mutual attacks are one comparison, the others follow in seat order."""
    attackers = 0
    for seat in range(p.seats):
        if s.group >> seat & 1:
            if s.sealed[seat] >= Action.ATTACK:
                attackers |= 1 << seat
            else:
                emit(s, Event.WAIT, seat, 0, 0, EVERYBODY)
    if attackers:
        for seat in range(p.seats):
            if attackers >> seat & 1:  # the round card is committed to the attack: it no longer defends
                s.is_open[seat] = 0
                s.spent[seat] = 1
            if not p.forfeit:
                s.waited[seat] = 0
    for seat in range(p.seats):
        if s.group >> seat & 1 and not attackers >> seat & 1 and (attackers == 0 or p.forfeit):
            s.waited[seat] = 1
    s.todo = attackers
    for seat in range(p.seats):
        if s.todo >> seat & 1:
            target = s.sealed[seat] - Action.ATTACK
            if target > seat and s.todo >> target & 1 and s.sealed[target] - Action.ATTACK == seat:
                s.todo &= ~(1 << seat | 1 << target)
                r = s.round_no
                emit(s, Event.ATTACK, seat, target, 1, EVERYBODY)
                settle(s, p, seat, target, s.slot[target, r], s.slot_class[target, r], False)
    s.pc = Station.RESOLVE


@kernel
def finish_turn(s: Any, p: Any) -> None:
    """R63: hooks, and the penalty for every order that was not followed."""
    for seat in range(p.seats):
        if s.group >> seat & 1:
            hooks.after_action(s, p, seat)
            if s.order[seat] >= 0 and s.order[seat] != s.sealed[seat]:
                penalise(s, p, seat)
            s.order[seat] = -1
            s.sealed[seat] = -1
    s.group = 0
    s.target = -1
    s.pc = Station.TURN


@kernel
def melee_station(s: Any, p: Any) -> None:
    """The stations of a round between reveal and round end."""
    pc = s.pc
    if pc == Station.TURN:
        begin_turn(s, p)
    elif pc == Station.COMMAND:
        begin_choice(s, p)
    elif pc == Station.ACT:
        s.pc = Station.ACTED
        push(s, Phase.ACT, -1, lowest_bit(s.group), s.group, 0, 0, 0)
    elif pc == Station.ACTED:
        begin_resolution(s, p)
    elif pc == Station.RESOLVE:
        if s.todo:
            seat = lowest_bit(s.todo)
            s.todo &= s.todo - 1
            attack(s, p, seat, s.sealed[seat] - Action.ATTACK)
        else:
            finish_turn(s, p)
