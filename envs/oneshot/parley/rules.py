"""The contract of parleys: a talk alone or of two, and the claim (4.4, 4.5)."""

from __future__ import annotations

from typing import Any

from ...core.abi import ENDED, STOPPED, lowest_bit, popcount
from ...core.jit import kernel
from ...core.legal import allow
from ...core.rng import mix
from .. import hooks
from ..choices import BuildChoice, FirstSpeaker
from ..dicing import answer_reaction, ask, check_fell, legal_reaction, note, skill_value, throw
from ..state import (
    DECLINE,
    LUCK,
    N_TRIPLES,
    NOBODY,
    P_LUCK,
    SAGA,
    TALK,
    TRIPLES,
    Die,
    Event,
    Parley,
    ParleyAction,
    Phase,
    Result,
)
from .observe import write_talk
from .talk import ALL_TRIPLES, begin_talk, consistent, legal_talk, recheck, talk_check_over, talk_move


@kernel
def place_talker(s: Any, p: Any, i: int) -> None:
    """Write a talker's sheet."""
    for k in range(3):
        s.t_value[i, k] = p.c_value[i, k]
        s.t_social[i, k] = p.c_social[i, k]
    s.t_insight[i] = p.c_insight[i]
    s.t_wounds[i] = p.c_wounds[i]
    s.t_limit_mod[i] = p.c_limit_mod[i]
    s.t_perks[i] = p.c_perks[i]
    s.t_saga[i] = p.c_saga[i]
    s.t_luck[i] = p.luck_uses if p.c_perks[i] & P_LUCK else 0
    set_malus(s, p, i)


@kernel
def set_malus(s: Any, p: Any, i: int) -> None:
    """R62 for a talker."""
    limit = 2 + s.t_value[i, 0] + s.t_limit_mod[i]
    s.t_malus[i] = 1 if p.c_hardened[i] == 0 and 2 * s.t_wounds[i] > limit else 0


@kernel
def take_triple(s: Any, p: Any, i: int, k: int) -> None:
    """A talker gets the k-th attribute triple."""
    s.triple[i] = k
    for j in range(3):
        s.t_value[i, j] = TRIPLES[k, j]
    set_malus(s, p, i)


@kernel
def take_split(s: Any, i: int, k: int) -> None:
    """The k-th split of the charisma of a talker on the three methods, ascending lexicographic."""
    s.split[i] = k
    points = s.t_value[i, 2]
    at = 0
    for a in range(points + 1):
        for b in range(points - a + 1):
            if at == k:
                s.t_social[i, 0] = a
                s.t_social[i, 1] = b
                s.t_social[i, 2] = points - a - b
            at += 1


@kernel
def split_count(points: int) -> int:
    """Number of splits of so many points on three values."""
    return (points + 1) * (points + 2) // 2


@kernel
def start_talk(s: Any, p: Any) -> None:
    """Everybody is known: who speaks first?"""
    if p.mode == Parley.VERSUS and p.first_speaker == FirstSpeaker.RANDOM:
        throw(s, Die.COIN, -1, 2)
    else:
        begin_talk(s, p, 1 if p.mode == Parley.SOLO else 0, 0)


@kernel
def setup(s: Any, p: Any) -> None:
    """Sheets; then the hidden triple, the choice of attributes, the coin, or the statement."""
    s.node = NOBODY
    s.truth = -1
    s.sign = -1
    s.probed = -1
    s.judged = -1
    s.talk_winner = -1
    for i in range(2):
        place_talker(s, p, i)
        s.possible[i] = ALL_TRIPLES
        s.triple[i] = -1
        s.split[i] = -1
        s.sealed[i] = -1
        s.l_outcome[i] = -1
        s.l_method[i] = -1
    if p.mode == Parley.CLAIM:
        ask(s, Phase.CLAIM_TELL, 0)
    elif p.mode == Parley.CLAIM_SOLO:
        throw(s, Die.TRUTH, -1, 100)
    elif p.mode == Parley.SOLO and not p.given:
        throw(s, Die.TRIPLE, 1, N_TRIPLES)
    elif p.mode == Parley.VERSUS and p.build_choice == BuildChoice.CHOOSE:
        ask(s, Phase.TRIPLE, 0)
    else:
        start_talk(s, p)


@kernel
def die(s: Any, p: Any) -> int:
    """Faces of the die that must fall."""
    return s.die_faces


@kernel
def finish(s: Any) -> None:
    """The game is over."""
    s.status_of_game = ENDED
    s.node = NOBODY


@kernel
def judge_sign(s: Any, p: Any, noticed: bool) -> None:
    """R88: what the listener sees."""
    s.sign = 1 if noticed and s.truth == 0 else 0
    s.private[1] = mix(s.private[1], 7 + s.sign)
    note(s, Event.SIGN, 1, s.sign, 0)
    ask(s, Phase.CLAIM_JUDGE, 1)


@kernel
def lie_chance(s: Any, p: Any, probed: int) -> int:
    """R88: chance, in 36ths, that a lie is noticed in the opposed roll, or by the mere mind."""
    cunning = s.t_social[0, 1]
    found = 0
    if probed:
        skill = skill_value(p, s.t_insight[1], s.t_value[1, 1])
        for a in range(1, 7):
            for b in range(1, 7):
                if b + skill + p.lie_tie > a + cunning:
                    found += 1
    else:
        for a in range(1, 7):
            if a + cunning < s.t_value[1, 1]:
                found += 6
    return found


@kernel
def resume(s: Any, p: Any) -> None:
    """The die that waited while hidden things were dealt again."""
    s.die_kind = s.held_kind
    s.die_faces = s.held_faces
    s.die_at = s.held_at
    s.held_kind = s.held_faces = 0
    s.held_at = 0
    s.dealt = 0
    if s.ck_kind:
        recheck(s, p)


@kernel
def redealt(s: Any, p: Any, outcome: int) -> None:
    """The triple of the other, from those that fit what the observer has seen."""
    me = s.observer
    other = 1 - me
    bits = s.dealt
    for _ in range(outcome):
        bits &= bits - 1
    k = lowest_bit(bits)
    take_triple(s, p, other, k)
    s.mood_wounds[me] = s.mood_of[me, k]
    if p.mode == Parley.VERSUS and s.split[other] == -2:
        throw(s, Die.SPLIT, other, split_count(s.t_value[other, 2]))
    else:
        resume(s, p)


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die of a check, the hidden triple, the coin, or the dice of a claim."""
    s.n_events = 0
    kind = s.die_kind
    if kind in (Die.CHECK, Die.CONFIRM):
        who = s.die_at
        s.private[who] = mix(s.private[who], 10 + outcome)
        check_fell(s, p, s.t_saga[who], s.t_luck[who], outcome + 1)
        if s.ck_done:
            settle(s, p)
        return
    if kind == Die.REDEAL:
        redealt(s, p, outcome)
        return
    if kind == Die.SPLIT:
        take_split(s, s.die_at, outcome)
        resume(s, p)
        return
    s.die_kind = Die.NONE
    s.die_faces = 0
    if kind == Die.TRIPLE:
        take_triple(s, p, 1, outcome)
        start_talk(s, p)
    elif kind == Die.COIN:
        s.public = mix(s.public, 5 + outcome)
        begin_talk(s, p, 0, outcome)
    elif kind == Die.TRUTH:
        if s.node == NOBODY:
            s.truth = 1 if outcome < p.claim_truth else 0
            ask(s, Phase.CLAIM_PROBE, 1)
        else:  # dealt again: see determinize
            known = 36 * (p.claim_truth if p.mode == Parley.CLAIM_SOLO else 1)
            s.truth = 1 if outcome < known else 0
    elif kind == Die.LIAR:
        s.liar_roll = outcome + 1 + s.t_social[0, 1]
        if s.probed:
            throw(s, Die.LISTENER, 1, 6)
        else:
            judge_sign(s, p, s.liar_roll < s.t_value[1, 1])
    elif kind == Die.LISTENER:
        total = outcome + 1 + skill_value(p, s.t_insight[1], s.t_value[1, 1])
        judge_sign(s, p, total + p.lie_tie > s.liar_roll)


@kernel
def settle(s: Any, p: Any) -> None:
    """A check is done, or somebody has left."""
    if s.ck_kind and s.ck_done:
        talk_check_over(s, p)
    if s.result:
        finish(s)


@kernel
def seat_of(p: Any, talker: int) -> int:
    """The seat of a talker: a lone listener has seat 0."""
    return 0 if p.mode == Parley.CLAIM_SOLO else talker


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """The seat of a talker, -1 where the environment plays it."""
    if p.mode == Parley.CLAIM_SOLO:
        return who - 1
    return who if who == 0 or p.mode != Parley.SOLO else -1


@kernel
def to_act(s: Any, p: Any) -> int:
    """Both seats while they choose characters, else the one that is asked."""
    if s.node == NOBODY or s.status_of_game or s.die_faces:
        return 0
    if s.node == Phase.TRIPLE or s.node == Phase.SPLIT:
        return (1 if s.sealed[0] < 0 else 0) | (2 if s.sealed[1] < 0 else 0)
    return 1 << seat_of(p, s.asked)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of the node."""
    node = s.node
    if node == Phase.TALK:
        legal_talk(s, p, words)
    elif node == Phase.TRIPLE:
        for k in range(N_TRIPLES):
            allow(words, ParleyAction.TRIPLE + k)
    elif node == Phase.SPLIT:
        for k in range(split_count(s.t_value[seat, 2])):
            allow(words, ParleyAction.SPLIT + k)
    elif node == Phase.CLAIM_TELL:
        allow(words, ParleyAction.TELL_TRUTH)
        allow(words, ParleyAction.TELL_LIE)
    elif node == Phase.CLAIM_PROBE:
        allow(words, ParleyAction.PROBE)
        allow(words, DECLINE)
    elif node == Phase.CLAIM_JUDGE:
        allow(words, ParleyAction.BELIEVE)
        allow(words, ParleyAction.DOUBT)
    else:
        legal_reaction(s, words)


@kernel
def choose_build(s: Any, p: Any, seat: int, action: int) -> None:
    """4.4: sealed choices of attributes and social values; they are taken when both are in."""
    s.sealed[seat] = action
    s.private[seat] = mix(s.private[seat], 100 + action)
    if s.sealed[0] < 0 or s.sealed[1] < 0:
        return
    for i in range(2):
        if s.node == Phase.TRIPLE:
            take_triple(s, p, i, s.sealed[i] - ParleyAction.TRIPLE)
        else:
            take_split(s, i, s.sealed[i] - ParleyAction.SPLIT)
        s.sealed[i] = -1
    note(s, Event.CHOICE, -1, s.node, 0)
    if s.node == Phase.TRIPLE:
        ask(s, Phase.SPLIT, 0)
    else:
        s.node = NOBODY
        start_talk(s, p)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """Take a legal action and go on."""
    s.n_events = 0
    s.decisions += 1
    node = s.node
    if node == Phase.TALK:
        s.public = mix(s.public, 1 + action)
        talk_move(s, p, action - TALK)
    elif node in (Phase.TRIPLE, Phase.SPLIT):
        choose_build(s, p, seat, action)
    elif node == Phase.CLAIM_TELL:
        s.private[0] = mix(s.private[0], action)
        s.truth = 1 if action == ParleyAction.TELL_TRUTH else 0
        ask(s, Phase.CLAIM_PROBE, 1)
    elif node == Phase.CLAIM_PROBE:
        s.private[1] = mix(s.private[1], action)
        s.node = NOBODY
        s.probed = 1 if action == ParleyAction.PROBE else 0
        throw(s, Die.LIAR, 0, 6)
    elif node == Phase.CLAIM_JUDGE:
        s.judged = 1 if action == ParleyAction.BELIEVE else 0
        note(s, Event.JUDGE, 1, s.judged, s.truth)
        finish(s)
    else:
        who = s.ck_who
        s.private[who] = mix(s.private[who], 200 + action)
        if action == SAGA:
            s.t_saga[who] -= 1
            s.ck_paid = 1
        elif action == LUCK:
            s.t_luck[who] -= 1
            s.ck_paid = 2
        answer_reaction(s, p, action, s.t_saga[who], s.t_luck[who])
    settle(s, p)
    if s.decisions >= p.max_decisions and s.status_of_game == 0:
        s.status_of_game = STOPPED
        s.node = NOBODY
        s.die_faces = 0


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended, 2 stopped by the limit of decisions."""
    return s.status_of_game


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """Solo: `payoffs`; versus and claim: +1, -1, 0."""
    if s.status_of_game == 0:
        for i in range(len(out)):
            out[i] = 0.0
        return
    if p.mode == Parley.SOLO:
        out[0] = p.payoffs[1]
        if s.result == Result.SUCCESS:
            out[0] = p.payoffs[0]
        elif s.result == Result.BROKEN:
            out[0] = p.payoffs[2]
        out[0] = hooks.payoff(s, p, 0, out[0])
        return
    worth = 0.0
    if p.mode == Parley.VERSUS:
        if s.talk_winner >= 0:
            worth = 1.0 if s.talk_winner == 0 else -1.0
    elif s.judged >= 0:
        worth = -1.0 if s.judged == s.truth else 1.0
    if p.mode == Parley.CLAIM_SOLO:
        out[0] = hooks.payoff(s, p, 1, -worth)
        return
    out[0] = hooks.payoff(s, p, 0, worth)
    out[1] = hooks.payoff(s, p, 1, -worth)


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Pieces `sheet`, `mode`, `talk`, `last`, `counts`, `node`, `claim` (4.4)."""
    me = 1 if p.mode == Parley.CLAIM_SOLO else seat
    return hooks.observe_modules(s, p, me, out, write_talk(s, p, me, out, 0))


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget the other's triple and split, or whether the statement is true; chance deals them again."""
    s.n_events = 0
    hooks.forget_fields(s, 1 if p.mode == Parley.CLAIM_SOLO else seat)
    if s.status_of_game:
        return
    me = 1 if p.mode == Parley.CLAIM_SOLO else seat
    other = 1 - me
    s.observer = me
    if p.mode in (Parley.CLAIM, Parley.CLAIM_SOLO):
        if me == 1 and s.truth >= 0:
            forget_claim(s, p)
        elif me == 0 and (s.node == Phase.CLAIM_JUDGE or s.die_faces):
            s.private[1] = 0
            s.probed = 1
            s.sign = -1
            s.liar_roll = 0
            s.node = NOBODY
            throw(s, Die.LIAR, 0, 6)
        return
    s.private[other] = 0
    if (s.node == Phase.TRIPLE or s.node == Phase.SPLIT) and s.sealed[other] >= 0:
        s.sealed[other] = -1
        s.decisions -= 1
    if p.mode == Parley.VERSUS:
        s.possible[other] = ALL_TRIPLES
        s.l_nat[other] = s.l_conf[other] = s.l_sum[other] = 0
        s.known[other] = 0
        for k in range(N_TRIPLES):
            s.mood_of[other, k] = 0
        if s.l_outcome[other] > 4:
            s.l_outcome[other] = -1
        if s.ck_kind and s.ck_who == other:  # its dice are its secret: they fall again
            s.node = NOBODY
            s.ck_natural = s.ck_confirm = s.ck_total = s.ck_plain = 0
            s.ck_auto = s.ck_crit = s.ck_win = s.ck_done = 0
            s.re_saga = s.re_luck = 0
            throw(s, Die.CHECK, other, 6)
    if s.triple[other] < 0:  # given by the scenario, or not chosen yet
        return
    s.dealt = s.possible[me]
    if s.ck_kind and s.ck_who == me:
        for k in range(N_TRIPLES):
            if (
                s.dealt >> k & 1
                and (s.node == Phase.REACT_FAIL or s.node == Phase.REACT_SIX)
                and not consistent(s, p, k)
            ):
                s.dealt &= ~(1 << k)
    s.ck_mod = s.ck_mood = s.ck_need = s.ck_total = s.ck_plain = s.ck_crit = 0
    s.held_kind = s.die_kind
    s.held_faces = s.die_faces
    s.held_at = s.die_at
    s.triple[other] = -1
    s.t_malus[other] = 0
    s.mood_wounds[me] = 0
    for k in range(3):
        s.t_value[other, k] = 0
    if p.mode == Parley.VERSUS:
        for k in range(3):
            s.t_social[other, k] = 0
        if s.split[other] >= 0:
            s.split[other] = -2
    throw(s, Die.REDEAL, other, popcount(s.dealt))


@kernel
def forget_claim(s: Any, p: Any) -> None:
    """The listener does not know whether the statement is true; a sign is always one of a lie."""
    s.private[0] = 0
    s.liar_roll = 0
    if s.sign == 1:
        return
    s.truth = -1
    lies = 36
    if s.node == Phase.CLAIM_JUDGE:
        lies = 36 - lie_chance(s, p, s.probed)
    if p.mode == Parley.CLAIM_SOLO:
        throw(s, Die.TRUTH, -1, 36 * p.claim_truth + lies * (100 - p.claim_truth))
    else:
        throw(s, Die.TRUTH, -1, 36 + lies)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """What everybody saw and what this seat alone saw."""
    me = 1 if p.mode == Parley.CLAIM_SOLO else seat
    return mix(mix(s.public, s.private[me]), me + 1)
