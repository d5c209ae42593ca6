"""One confrontation: declaration, defence, bids, result, consequences (R1..R22)."""

from __future__ import annotations

from typing import Any

from ..core.abi import lowest_bit
from ..core.jit import kernel
from . import hooks
from .services import (
    close_confrontation,
    emit,
    gain_by,
    lose_by,
    note,
    seat_of,
    settle,
    strength_of,
    wait,
)
from .state import HISTORY, NONE, T_OTHER, T_POWER, T_RESOURCE, TIE, Action, Event, Phase, Result, Station, Why


@kernel
def clear_confrontation(s: Any) -> None:
    """Nothing of a confrontation is known."""
    s.active = 0
    s.attacker = NONE
    s.defender = NONE
    s.target = NONE
    s.kind = NONE
    s.ties = 0
    s.winner = NONE
    s.spoils = 0
    s.question = NONE
    s.result = Result.NONE
    for i in range(2):
        s.commit[i] = 0
        s.strength[i] = 0
        s.sealed[i] = 0
        s.bid[i] = NONE
        s.total[i] = 0
        s.vote[i] = 0


@kernel
def begin_confrontation(s: Any, p: Any, attacker: int) -> None:
    """R1: the declaration begins."""
    clear_confrontation(s)
    hooks.reset_fields(s, p, 0)
    s.active = 1
    s.attacker = attacker
    wait(s, Phase.DECL_FACTION)


@kernel
def told_units(s: Any, seat: int, units: int) -> None:
    """Everybody hears who takes part."""
    if units == 0:
        emit(s, Event.NOBODY, seat, 0, 0, 0)
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        emit(s, Event.UNIT, seat, unit, s.value[seat, unit], s.nature[seat, unit])


@kernel
def remember(s: Any, result: int) -> None:
    """A reveal enters the history."""
    s.history[s.n_history % HISTORY] = (
        1
        | s.attacker << 1
        | s.defender << 4
        | min(1023, max(0, s.strength[0])) << 7
        | min(1023, max(0, s.strength[1])) << 17
        | s.bid[0] << 27
        | s.bid[1] << 32
        | result << 37
    )
    s.n_history += 1


@kernel
def reveal(s: Any, p: Any) -> None:
    """R11: both bids lie open."""
    for side in range(2):
        s.bid[side] = s.sealed[side] - 1 - Action.BID
        s.sealed[side] = 0
        s.vote[side] = 0
        note(s, s.bid[side])
    s.pc = Station.REVEALED


@kernel
def compare(s: Any, p: Any) -> None:
    """R11: the higher total wins; R14: at a tie nothing is lost."""
    for side in range(2):
        seat = seat_of(s, side)
        s.total[side] = hooks.total(s, p, seat, s.strength[side] + s.bid[side])
        emit(s, Event.BID, seat, s.bid[side], s.total[side], 0)
    if s.total[0] != s.total[1]:
        decided(s, p, 0 if s.total[0] > s.total[1] else 1)
        return
    s.ties += 1
    emit(s, Event.TIE, -1, s.ties, p.max_ties, 0)
    s.pc = Station.TIED


@kernel
def tie(s: Any, p: Any) -> None:
    """R14, R34: bids are made anew, or the tie is a draw."""
    if s.ties >= p.max_ties or (s.power[s.attacker] == 0 and s.power[s.defender] == 0):  # R34
        remember(s, Result.DRAW)
        close_confrontation(s, Result.DRAW)
        return
    remember(s, TIE)
    if p.draw_votes:
        wait(s, Phase.VOTE)
    else:
        s.pc = Station.BID


@kernel
def decided(s: Any, p: Any, winner: int) -> None:
    """R12, R13: bids are discarded, the winner takes loot; then the consequences (R16..R20)."""
    remember(s, Result.ATTACKER if winner == 0 else Result.DEFENDER)
    s.winner = winner
    won, lost = seat_of(s, winner), seat_of(s, 1 - winner)
    emit(s, Event.RESULT, won, winner + 1, 0, 0)
    for side in range(2):
        seat = seat_of(s, side)
        lose_by(s, p, seat, hooks.bid_paid(s, p, seat, 1 if side == winner else 0, s.bid[side]), Why.BID)
    gain_by(s, p, won, hooks.loot(s, p, won, lost, max(p.min_loot, s.bid[1 - winner])), Why.LOOT)
    if winner == 1:
        wait(s, Phase.SPOILS)
    elif s.target == T_POWER:
        take_power(s, p, won, lost)
        close_confrontation(s, Result.ATTACKER)
    elif s.target == T_OTHER:  # A20
        s.special[won] += p.other_points
        s.special[lost] -= p.other_cost
        emit(s, Event.SPECIAL, won, p.other_points, p.other_cost, lost)
        close_confrontation(s, Result.ATTACKER)
    elif s.target >= T_RESOURCE or s.commit[1] >> s.target & 1:
        s.question = s.target
        wait(s, Phase.FATE)
    elif s.commit[1]:
        wait(s, Phase.VICTIM)
    elif p.undefended_goes:  # A4
        s.question = s.target
        wait(s, Phase.FATE)
    else:
        close_confrontation(s, Result.ATTACKER)


@kernel
def take_power(s: Any, p: Any, won: int, lost: int) -> None:
    """R18, R20b: the loser gives what it has, the winner receives the whole amount."""
    amount = hooks.spoils(s, p, won, lost, p.power_spoils)
    lose_by(s, p, lost, amount, Why.TAKEN)
    gain_by(s, p, won, amount, Why.TAKEN)


@kernel
def declare(s: Any, p: Any, seat: int, action: int) -> None:
    """R1..R9: the declaration, running home, the defence."""
    phase = s.phase
    if phase == Phase.DECL_FACTION:
        s.defender = (seat + action - Action.FACTION + 1) % p.factions
        wait(s, Phase.DECL_TARGET)
    elif phase == Phase.DECL_TARGET:
        s.target = action - Action.ITEM
        emit(s, Event.ATTACK, seat, s.defender, s.target, 0)
        wait(s, Phase.DECL_TYPE)
    elif phase == Phase.DECL_TYPE:
        s.kind = action - Action.TYPE
        emit(s, Event.TYPE, seat, s.kind, 0, 0)
        wait(s, Phase.DECL_COMMIT)
    elif phase == Phase.EVADE:
        if action == Action.RUN_HOME:
            emit(s, Event.EVADED, seat, 0, 0, 0)
            lose_by(s, p, seat, hooks.run_cost(s, p, seat, p.run_home_cost), Why.HOME)
            close_confrontation(s, Result.EVADED)
        else:
            wait(s, Phase.DEFEND)
    else:
        side = 0 if phase == Phase.DECL_COMMIT else 1
        if action == Action.DONE:
            told_units(s, seat, s.commit[side])
            s.pc = Station.DECLARED if side == 0 else Station.DEFENDED
        else:
            s.commit[side] |= 1 << action - Action.ITEM
            s.strength[side] = strength_of(s, p, seat, s.commit[side], s.kind)


@kernel
def count_votes(s: Any) -> None:
    """A14: two votes for a draw end it, anything else leads to the next bids."""
    for side in range(2):
        s.vote[side] = 1 if s.sealed[side] - 1 == Action.VOTE_DRAW else -1
        note(s, s.sealed[side])
        emit(s, Event.VOTE, seat_of(s, side), Action.VOTE_DRAW if s.vote[side] == 1 else Action.VOTE_FIGHT, 0, 0)
        s.sealed[side] = 0
    if s.vote[0] == 1 and s.vote[1] == 1:
        s.n_history -= 1
        remember(s, Result.DRAW)
        close_confrontation(s, Result.DRAW)
    else:
        s.pc = Station.BID


@kernel
def consequence(s: Any, p: Any, action: int) -> None:
    """R16, R17, R20: victim, fate, spoils."""
    phase = s.phase
    if phase == Phase.VICTIM:
        s.question = action - Action.ITEM
        wait(s, Phase.FATE)
    elif phase == Phase.FATE:
        settle(s, p, s.defender, s.attacker, s.question, action == Action.HANDOVER)
        close_confrontation(s, Result.ATTACKER)
    elif phase == Phase.SPOILS:
        s.spoils = action
        emit(s, Event.SPOILS, s.defender, action, 0, 0)
        if action == Action.SPOILS_POWER:
            take_power(s, p, s.defender, s.attacker)
            close_confrontation(s, Result.DEFENDER)
        else:
            wait(s, Phase.SPOILS_UNIT)
    elif phase == Phase.SPOILS_UNIT:
        s.question = action - Action.ITEM
        if s.spoils == Action.SPOILS_REMOVE:
            settle(s, p, s.attacker, s.defender, s.question, False)
            close_confrontation(s, Result.DEFENDER)
        else:
            emit(s, Event.DEMAND, s.defender, s.question, s.attacker, 0)
            wait(s, Phase.RESPONSE)
    else:
        settle(s, p, s.attacker, s.defender, s.question, action == Action.HANDOVER)
        close_confrontation(s, Result.DEFENDER)
