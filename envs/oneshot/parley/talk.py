"""Talks: methods, mood, patience, recovery, reading (R70-R82); one talker persuades the other.

Solo: talker 0 speaks, 1 is the counterpart. Versus: both speak in turns. What a talker may infer about the other's
attributes is kept in `possible`: the triples that fit all outcomes so far.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.legal import allow
from ...core.rng import mix
from .. import hooks
from ..choices import Critical, MoodTracks
from ..dicing import ask, begin_check, note, skill_value
from ..skirmish.numbers import wound_mood
from ..state import MISSION, N_TRIPLES, NOBODY, TALK, TRIPLES, Check, Event, Outcome, Phase, Result, Talk

ALL_TRIPLES = (1 << N_TRIPLES) - 1


@kernel
def patience_of(charisma: int) -> int:
    """R76, A30: real failures until a counterpart with this charisma breaks off."""
    return max(1, 4 - charisma)


@kernel
def set_mood(s: Any, p: Any, who: int) -> None:
    """R73, R74: moods of the other towards `who` at the start; and what they would be for every triple."""
    other = 1 - who
    s.mood_relation[who] = p.relation
    s.mood_wounds[who] = wound_mood(s.t_wounds[other], 2 + s.t_value[other, 0] + s.t_limit_mod[other])
    for k in range(N_TRIPLES):
        s.mood_of[who, k] = wound_mood(s.t_wounds[other], 2 + TRIPLES[k, 0] + s.t_limit_mod[other])


@kernel
def talker(s: Any, who: int) -> int:
    """A talker for rule modules: in a mission the hero."""
    if MISSION:
        return s.hero
    return who


@kernel
def begin_talk(s: Any, p: Any, solo: int, first: int) -> None:
    """Talkers are known: moods, patience, and the first decision."""
    for who in range(2):
        set_mood(s, p, who)
        s.possible[who] = ALL_TRIPLES
        s.fails[who] = 0
        s.successes[who] = 0
        s.recover_left[who] = p.recover_limit
        s.known[who] = 0
        s.l_outcome[who] = -1
        s.l_method[who] = -1
        s.l_nat[who] = s.l_conf[who] = s.l_sum[who] = 0
        for m in range(3):
            for o in range(5):
                s.tally[who, m, o] = 0
    s.talking = 1
    s.solo = solo
    s.step_no = 0
    s.result = 0
    s.talk_winner = -1
    s.speaker = first
    ask(s, Phase.TALK, first)
    for who in range(1 if solo else 2):
        hooks.talk_begins(s, p, talker(s, who))


@kernel
def legal_talk(s: Any, p: Any, words: Any) -> None:
    """Methods, RECOVER (R78), READ; LEAVE in solo talks."""
    who = s.speaker
    for m in range(3):
        allow(words, TALK + m)
    if s.t_value[who, 2] >= 1 and s.fails[who] >= 1 and s.recover_left[who] >= 1:
        allow(words, TALK + Talk.RECOVER)
    allow(words, TALK + Talk.READ)
    if s.solo:
        allow(words, TALK + Talk.LEAVE)


@kernel
def talk_modifier(s: Any, p: Any, who: int, move: int) -> int:
    """What is added to the die of a method (without the mood), of a recovery or of a reading."""
    if move < Talk.RECOVER:
        return hooks.talk_bonus(
            s, p, talker(s, who), move, s.t_social[who, move] + p.request_difficulty - s.t_malus[who]
        )
    if move == Talk.READ:
        return skill_value(p, s.t_insight[who], s.t_value[who, 1]) + p.read_difficulty - s.t_malus[who]
    mod = s.t_value[who, 2] + s.mood_relation[who] - s.t_malus[who]
    return mod + s.t_value[who, 1] - 1 if p.recover_adds_untrained else mod


@kernel
def talk_move(s: Any, p: Any, move: int) -> None:
    """Take a move of the talk: 0..2 a method, or RECOVER, READ, LEAVE."""
    who = s.speaker
    other = 1 - who
    s.node = NOBODY
    s.step_no += 1
    s.ck_paid = 0
    s.ck_mood = 0
    s.method = move
    if move < Talk.RECOVER:
        s.l_method[who] = move
        s.ck_mood = s.mood_wounds[who] if move == Talk.AGGRESSIVE else s.mood_relation[who]
        need = s.t_value[other, move] + p.social_offset + p.social_tie
        more = 1 if p.goal_successes - s.successes[who] >= 2 else 0
        begin_check(s, Check.TALK, who, talk_modifier(s, p, who, move) + s.ck_mood, need, 1, 1, more)
    elif move == Talk.RECOVER:
        s.recover_left[who] -= 1
        begin_check(s, Check.RECOVER, who, talk_modifier(s, p, who, move), 4, 1, 1, 0)
    elif move == Talk.READ:
        begin_check(s, Check.READ, who, talk_modifier(s, p, who, move), 4, 1, 0, 0)
    else:
        note(s, Event.LEAVE, who, 0, 0)
        s.result = Result.LEFT


@kernel
def shift(value: int, by: int) -> int:
    """R75: a mood stays within -2..2."""
    return max(-2, min(2, value + by))


@kernel
def mood_change(p: Any, outcome: int) -> int:
    """R72, A32: how an outcome changes the mood."""
    if outcome == Outcome.NEAR_MISS:
        return 1
    if outcome == Outcome.FAILURE:
        return -1
    if outcome == Outcome.CRITICAL_FAILURE:
        return -2 if p.critical_mood_double else -1
    return 0


@kernel
def outcome_for(s: Any, p: Any, need: int, mood: int) -> int:
    """R72: outcome of the check that lies in `ck_*` if value and mood of the counterpart were these."""
    raw = s.ck_natural + s.ck_mod - s.ck_mood
    passes = raw + mood >= need
    auto = 0
    if s.ck_confirm:
        if s.ck_natural == 1 and s.ck_confirm <= 2:
            auto = -1
        elif s.ck_natural == 6 and s.ck_confirm >= 5:
            auto = 1
    wins = auto > 0 or (auto == 0 and passes)
    if s.ck_paid == 2:
        return Outcome.SUCCESS
    critical = auto != 0 and (p.critical_means == Critical.AUTOMATIC or wins == passes)
    if s.ck_paid == 1:
        if wins:
            return Outcome.CRITICAL_SUCCESS
        if auto == 0:
            return Outcome.SUCCESS  # `auto_success`: a 6 that failed becomes an automatic success
        auto = 0
        critical = False
        wins = passes
    if wins:
        return Outcome.CRITICAL_SUCCESS if critical else Outcome.SUCCESS
    if auto < 0:
        return Outcome.CRITICAL_FAILURE if critical else Outcome.FAILURE
    return Outcome.NEAR_MISS if raw >= need else Outcome.FAILURE


@kernel
def consistent(s: Any, p: Any, k: int) -> bool:
    """Whether the k-th triple could have led to the reaction that is being asked about."""
    if s.ck_kind != Check.TALK:
        return True
    method = s.method
    mood = s.mood_of[s.ck_who, k] if method == Talk.AGGRESSIVE else s.mood_relation[s.ck_who]
    need = TRIPLES[k, method] + p.social_offset + p.social_tie
    wins = s.ck_natural + talk_modifier(s, p, s.ck_who, method) + mood >= need
    if s.ck_natural == 1 and 1 <= s.ck_confirm <= 2 and s.ck_paid == 0:
        wins = False
    elif s.ck_natural == 6 and s.ck_confirm >= 5:
        wins = True
    return wins == (s.node == Phase.REACT_SIX)


@kernel
def recheck(s: Any, p: Any) -> None:
    """Compute the pending check of a talk anew after the counterpart's values were dealt again."""
    who = s.ck_who
    s.ck_mod = talk_modifier(s, p, who, s.method)
    s.ck_mood = 0
    s.ck_need = 4
    if s.ck_kind == Check.TALK:
        s.ck_mood = s.mood_wounds[who] if s.method == Talk.AGGRESSIVE else s.mood_relation[who]
        s.ck_mod += s.ck_mood
        s.ck_need = s.t_value[1 - who, s.method] + p.social_offset + p.social_tie
    if s.ck_natural:
        s.ck_total = s.ck_natural + s.ck_mod
        s.ck_plain = 1 if s.ck_total >= s.ck_need else 0
        if s.ck_auto:
            s.ck_crit = 1 if p.critical_means == Critical.AUTOMATIC or s.ck_win == s.ck_plain else 0


@kernel
def learn(s: Any, p: Any, who: int, method: int, outcome: int) -> None:
    """Strike the triples that do not fit an outcome, and carry on their moods."""
    linked = p.mood_tracks == MoodTracks.LINKED
    change = mood_change(p, outcome)
    for k in range(N_TRIPLES):
        if not s.possible[who] >> k & 1:
            continue
        if method >= 0:
            mood = s.mood_of[who, k] if method == Talk.AGGRESSIVE else s.mood_relation[who]
            if outcome_for(s, p, TRIPLES[k, method] + p.social_offset + p.social_tie, mood) != outcome:
                s.possible[who] &= ~(1 << k)
                continue
            if linked or method == Talk.AGGRESSIVE:
                s.mood_of[who, k] = shift(s.mood_of[who, k], change)


@kernel
def learn_rest(s: Any, who: int, broken: bool) -> None:
    """Strike the triples that do not fit the patience shown, or the moods read."""
    for k in range(N_TRIPLES):
        if s.possible[who] >> k & 1:
            if (s.fails[who] >= patience_of(TRIPLES[k, 2])) != broken:
                s.possible[who] &= ~(1 << k)
            elif s.known[who] and s.mood_of[who, k] != s.mood_wounds[who]:
                s.possible[who] &= ~(1 << k)


@kernel
def talk_check_over(s: Any, p: Any) -> None:
    """The check of a talk is done: its outcome, mood, patience, and whose turn it is."""
    kind = s.ck_kind
    who = s.ck_who
    other = 1 - who
    s.ck_kind = 0
    s.ck_done = 0
    s.l_nat[who] = s.ck_natural
    s.l_conf[who] = s.ck_confirm
    s.l_sum[who] = s.ck_natural + s.t_social[who, s.method] if s.method < 3 else s.ck_natural
    known = s.ck_total - (s.ck_mood if kind == Check.TALK else s.mood_relation[who] if kind == Check.RECOVER else 0)
    note(s, Event.DIE, who, s.ck_natural + 10 * s.ck_confirm + 100 * (kind == Check.READ), known)
    if kind == Check.TALK:
        method = s.method
        if s.ck_win:
            outcome = Outcome.CRITICAL_SUCCESS if s.ck_crit else Outcome.SUCCESS
        elif s.ck_auto < 0:
            outcome = Outcome.CRITICAL_FAILURE if s.ck_crit else Outcome.FAILURE
        elif s.ck_total - s.ck_mood >= s.ck_need:
            outcome = Outcome.NEAR_MISS
        else:
            outcome = Outcome.FAILURE
        learn(s, p, who, method, outcome)
        change = mood_change(p, outcome)
        if p.mood_tracks == MoodTracks.LINKED or method == Talk.AGGRESSIVE:
            s.mood_wounds[who] = shift(s.mood_wounds[who], change)
        if p.mood_tracks == MoodTracks.LINKED or method != Talk.AGGRESSIVE:
            s.mood_relation[who] = shift(s.mood_relation[who], change)
        if outcome == Outcome.SUCCESS:
            s.successes[who] += 1
        elif outcome == Outcome.CRITICAL_SUCCESS:
            s.successes[who] += 2
        elif outcome == Outcome.FAILURE:
            s.fails[who] += 1
        elif outcome == Outcome.CRITICAL_FAILURE:
            s.fails[who] += 2
        s.tally[who, method, outcome] += 1
        note(s, Event.TALK, who, method, outcome)
        if not s.solo:
            s.public = mix(s.public, 64 * method + outcome)
    elif kind == Check.RECOVER:
        outcome = Outcome.NOT_RECOVERED
        if s.ck_win:
            outcome = Outcome.RECOVERED
            s.fails[who] -= min(s.t_value[who, 2], s.fails[who])
        elif s.ck_crit:
            s.fails[who] += 2
        note(s, Event.RECOVER, who, 0, outcome)
        s.public = mix(s.public, 300 + s.fails[who])
    else:
        outcome = Outcome.UNREAD
        if s.ck_win:
            outcome = Outcome.READ
            s.known[who] = 1
        note(s, Event.READ, who, 0, outcome)
    s.l_outcome[who] = outcome
    broken = s.fails[who] >= patience_of(s.t_value[other, 2])
    learn_rest(s, who, broken)
    s.private[who] = mix(s.private[who], 1000 + outcome)
    if s.known[who]:
        s.private[who] = mix(s.private[who], 50 + 5 * s.mood_wounds[who] + s.mood_relation[who])
    if s.successes[who] >= p.goal_successes:
        s.result = Result.SUCCESS
        s.talk_winner = who
    elif broken:
        s.result = Result.BROKEN
        s.talk_winner = other
    elif s.step_no >= p.max_steps:
        s.result = Result.LEFT if s.solo else Result.DRAW
    else:
        if not s.solo:
            s.speaker = other
        ask(s, Phase.TALK, s.speaker)
    if kind == Check.TALK:
        hooks.talked(s, p, talker(s, who), s.method, outcome)
