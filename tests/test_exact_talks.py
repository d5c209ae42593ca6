"""Talks and claims of oneshot by hand from the rules: one kernel function at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.oneshot import choices
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.parley import rules, talk

NOTED_NOWHERE = 1 << 30


def record(**more: Any) -> Any:
    """Two talkers of no values at all, of whom nothing is asked."""
    two = ("wounds", "limit_mod", "malus", "insight", "perks", "saga", "luck")
    s = SimpleNamespace(
        t_value=np.zeros((2, 3), int), t_social=np.zeros((2, 3), int), triple=np.full(2, -1), split=np.full(2, -1),
        sealed=np.full(2, -1), private=[0, 0], public=0, fails=np.zeros(2, int), successes=np.zeros(2, int),
        recover_left=np.zeros(2, int), known=np.zeros(2, int), possible=np.full(2, talk.ALL_TRIPLES),
        mood_relation=np.zeros(2, int), mood_wounds=np.zeros(2, int), mood_of=np.zeros((2, rules.N_TRIPLES), int),
        l_nat=np.zeros(2, int), l_conf=np.zeros(2, int), l_sum=np.zeros(2, int), l_outcome=np.full(2, -1),
        l_method=np.full(2, -1), tally=np.zeros((2, 3, 5), int), n_events=NOTED_NOWHERE, node=st.NOBODY, solo=0,
        status_of_game=0, decisions=0, step_no=0, result=0, talk_winner=-1, die_kind=0, die_faces=0, die_at=-1,
        truth=-1, sign=-1, probed=-1, judged=-1, ck_kind=0, ck_done=0, ck_natural=0, ck_confirm=0, ck_total=0,
        ck_mood=0, ck_mod=0, ck_need=0, ck_win=0, ck_auto=0, ck_crit=0, ck_paid=0, ck_who=0, method=0, speaker=0,
    )  # fmt: skip
    s.events = np.zeros(99, int)
    for name in two:
        setattr(s, f"t_{name}", np.zeros(2, int))
    for name, value in more.items():
        setattr(s, name, value)
    return s


def params(**more: Any) -> Any:
    """Parameters: those that are named."""
    return SimpleNamespace(**more)


@pytest.mark.parametrize(
    ("wounds", "hardened", "malus"), [(2, 0, 0), (3, 0, 1), (3, 1, 0)], ids=["half of the limit", "more", "hardened"]
)
def test_wounds_beyond_half_of_the_limit_are_a_malus(wounds: int, hardened: int, malus: int) -> None:
    """R62: a physical value of 1 and a modifier of 1 make a limit of 4."""
    s = record(t_wounds=np.array([wounds, 0]), t_limit_mod=np.array([1, 0]))
    s.t_value[0, 0] = 1
    rules.set_malus(s, params(c_hardened=[hardened, 0]), 0)
    assert s.t_malus.tolist() == [malus, 0]


def test_luck_comes_with_its_perk() -> None:
    three = np.zeros((2, 3), int)
    p = params(c_value=three, c_social=three, c_insight=[0, 0], c_wounds=[0, 0], c_limit_mod=[0, 0],
               c_perks=[0, rules.P_LUCK], c_saga=[2, 3], c_hardened=[0, 0], luck_uses=2)  # fmt: skip
    s = record()
    for i in range(2):
        rules.place_talker(s, p, i)
    assert s.t_luck.tolist() == [0, 2] and s.t_saga.tolist() == [2, 3]


def test_splits_are_counted_in_their_order() -> None:
    s = record()
    s.t_value[1, 2] = 2
    told = []
    for k in range(rules.split_count(2)):
        rules.take_split(s, 1, k)
        told.append(tuple(s.t_social[1].tolist()))
    assert told == [(0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]


@pytest.mark.parametrize(("tie", "noticed"), [(0, 15), (1, 21)])
def test_a_lie_is_noticed_by_the_higher_sum(tie: int, noticed: int) -> None:
    """R88: cunning 2 against insight 2: 15 of 36 throws are higher, 6 equal."""
    s = record(t_insight=np.array([5, 2]))
    s.t_social[0, 1] = 2
    p = params(lie_tie=tie, untrained_rule=choices.Untrained.BEST)
    assert rules.lie_chance(s, p, 1) == noticed
    s.t_value[1, 1] = 5  # without a probe: a die and cunning of less than the mind, 1 and 2 of six
    assert rules.lie_chance(s, p, 0) == 12


@pytest.mark.parametrize(("truth", "noticed", "sign"), [(0, True, 1), (0, False, 0), (1, True, 0), (1, False, 0)])
def test_a_sign_is_one_of_a_lie(truth: int, noticed: bool, sign: int) -> None:
    s = record(truth=truth)
    rules.judge_sign(s, params(), noticed)
    assert s.sign == sign and (s.node, s.asked) == (st.Phase.CLAIM_JUDGE, 1)


@pytest.mark.parametrize(("outcome", "truth"), [(29, 1), (30, 0)])
def test_a_statement_is_true_as_often_as_it_is_said_to_be(outcome: int, truth: int) -> None:
    s = record(die_kind=st.Die.TRUTH)
    rules.fall(s, params(claim_truth=30), outcome)
    assert s.truth == truth and s.node == st.Phase.CLAIM_PROBE
    # dealt again while it is judged: 36 of each share that is true are before those that were not noticed
    for mode, known in ((st.Parley.CLAIM_SOLO, 36 * 30), (st.Parley.CLAIM, 36)):
        for at, found in ((known - 1, 1), (known, 0)):
            s = record(die_kind=st.Die.TRUTH, node=st.Phase.CLAIM_JUDGE)
            rules.fall(s, params(claim_truth=30, mode=mode), at)
            assert s.truth == found


def test_a_lie_that_is_not_probed_is_noticed_by_a_mind_above_the_roll() -> None:
    """Cunning 1: a 1 makes 2, which a mind of 3 is above; a 2 makes 3, which it is not."""
    for outcome, sign in ((0, 1), (1, 0)):
        s = record(die_kind=st.Die.LIAR, truth=0, probed=0)
        s.t_social[0, 1], s.t_value[1, 1] = 1, 3
        rules.fall(s, params(), outcome)
        assert s.liar_roll == outcome + 2 and s.sign == sign


@pytest.mark.parametrize(("outcome", "tie", "sign"), [(2, 0, 0), (2, 1, 1), (3, 0, 1), (1, 1, 0)])
def test_a_probe_is_won_by_the_higher_sum(outcome: int, tie: int, sign: int) -> None:
    """The listener's insight is 2: with a 3 it has the liar's 5."""
    s = record(die_kind=st.Die.LISTENER, truth=0, liar_roll=5, t_insight=np.array([4, 2]))
    rules.fall(s, params(lie_tie=tie, untrained_rule=choices.Untrained.BEST), outcome)
    assert s.sign == sign


@pytest.mark.parametrize("outcome", [0, 1])
def test_the_coin_says_who_begins(outcome: int, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[int, int]] = []
    monkeypatch.setattr(rules, "begin_talk", lambda s, p, solo, first: begun.append((solo, first)))
    rules.fall(record(die_kind=st.Die.COIN), params(), outcome)
    assert begun == [(0, outcome)]


def test_sealed_choices_are_each_ones_own() -> None:
    s = record(node=st.Phase.TRIPLE)
    p = params(c_hardened=[0, 0])
    rules.choose_build(s, p, 0, st.ParleyAction.TRIPLE + 1)
    assert s.triple.tolist() == [-1, -1]
    rules.choose_build(s, p, 1, st.ParleyAction.TRIPLE + 4)
    assert s.triple.tolist() == [1, 4] and s.node == st.Phase.SPLIT


@pytest.mark.parametrize(("judged", "truth", "worth"), [(1, 1, -1), (0, 0, -1), (1, 0, 1), (0, 1, 1)])
def test_who_judges_right_wins(judged: int, truth: int, worth: int) -> None:
    s = record(judged=judged, truth=truth, status_of_game=1)
    out = np.zeros(2)
    rules.returns(s, params(mode=st.Parley.CLAIM), out)
    assert out.tolist() == [worth, -worth]
    rules.returns(s, params(mode=st.Parley.CLAIM_SOLO), out[:1])
    assert out[0] == -worth


@pytest.mark.parametrize(("result", "paid"), [(st.Result.SUCCESS, 5), (st.Result.LEFT, 3), (st.Result.BROKEN, 2)])
def test_a_talk_alone_pays_by_its_end(result: int, paid: int) -> None:
    out = np.zeros(1)
    rules.returns(record(result=result, status_of_game=1), params(mode=st.Parley.SOLO, payoffs=[5, 3, 2]), out)
    assert out[0] == paid


@pytest.mark.parametrize(("action", "saga", "luck", "by"), [(st.SAGA, 1, 2, 1), (st.LUCK, 2, 1, 2)])
def test_what_is_paid_for_a_check_is_gone(
    action: int, saga: int, luck: int, by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "answer_reaction", lambda *_: None)
    s = record(node=st.Phase.REACT_FAIL, t_saga=np.array([0, 2]), t_luck=np.array([0, 2]), ck_who=1)
    rules.apply(s, params(max_decisions=2), 1, action)
    assert (s.t_saga[1], s.t_luck[1], s.ck_paid) == (saga, luck, by) and s.status_of_game == 0
    rules.apply(s, params(max_decisions=2), 1, action)
    assert s.status_of_game == rules.STOPPED  # the second of two decisions


@pytest.mark.parametrize(("mode", "faces"), [(st.Parley.CLAIM_SOLO, 36 * 30 + 26 * 70), (st.Parley.CLAIM, 36 + 26)])
def test_a_statement_without_a_sign_is_dealt_by_what_was_not_noticed(
    mode: int, faces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 36 lies 10 are noticed: 26 are left beside 36 truths, by the shares of both."""
    monkeypatch.setattr(rules, "lie_chance", lambda *_: 10)
    s = record(node=st.Phase.CLAIM_JUDGE, sign=0, truth=1)
    rules.forget_claim(s, params(mode=mode, claim_truth=30))
    assert s.truth == -1 and (s.die_kind, s.die_faces) == (st.Die.TRUTH, faces)


def test_a_seat_is_known_by_what_it_saw_itself() -> None:
    s, p = record(public=3, private=[5, 6]), params(mode=st.Parley.VERSUS)
    keys = [rules.key(s, p, seat) for seat in (0, 1)]
    s.private[1] = 7
    assert rules.key(s, p, 0) == keys[0] and rules.key(s, p, 1) != keys[1]


@pytest.mark.parametrize(("outcome", "kept"), [(4, 4), (5, -1)])
def test_what_the_other_has_learnt_is_forgotten(outcome: int, kept: int) -> None:
    """Of its attempts how methods came out was seen by both, what it recovered or read was not."""
    s = record(
        triple=np.array([0, 3]),
        possible=np.array([0b1011, 1]),
        known=np.array([1, 1]),
        l_outcome=np.array([5, outcome]),
    )
    s.mood_of[:], s.t_value[1], s.l_nat[:] = 1, 2, 6
    rules.determinize(s, params(mode=st.Parley.VERSUS), 0)
    assert s.possible.tolist() == [0b1011, talk.ALL_TRIPLES] and s.known.tolist() == [1, 0]
    assert s.l_outcome.tolist() == [5, kept] and s.l_nat.tolist() == [6, 0]
    assert s.mood_of.any(axis=1).tolist() == [True, False] and s.triple.tolist() == [0, -1] and not s.t_value[1].any()
    assert (s.die_kind, s.die_faces) == (st.Die.REDEAL, 3)


def test_the_mood_goes_with_the_values_that_are_dealt() -> None:
    """The second of those that fit, number 3, and what the mood would be towards it."""
    s = record(observer=0, dealt=0b1010, held_kind=0, held_faces=0, held_at=0, mood_wounds=np.array([2, 2]))
    s.mood_of[0, [1, 3]] = [1, -1]
    rules.redealt(s, params(mode=st.Parley.SOLO, c_hardened=[0, 0]), 1)
    assert s.triple.tolist() == [-1, 3] and s.mood_wounds.tolist() == [-1, 2]


# Talks


def test_patience_is_four_less_charisma_and_one_at_least() -> None:
    """R76."""
    assert [talk.patience_of(charisma) for charisma in range(6)] == [4, 3, 2, 1, 1, 1]


def test_moods_go_by_the_wounds_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "wound_mood", lambda wounds, limit: 100 * wounds + limit)
    s = record(t_wounds=np.array([1, 2]), t_limit_mod=np.array([3, 4]))
    s.t_value[:, 0] = [5, 6]
    talk.set_mood(s, params(relation=-1), 0)
    assert s.mood_wounds[0] == 200 + 2 + 6 + 4 and s.mood_relation[0] == -1


@pytest.mark.parametrize(
    ("charisma", "fails", "left", "may"), [(1, 1, 1, True), (0, 1, 1, False), (1, 0, 1, False), (1, 1, 0, False)]
)
def test_who_may_recover(charisma: int, fails: int, left: int, may: bool) -> None:
    """R78."""
    s = record(fails=np.array([fails, 3]), recover_left=np.array([left, 3]))
    s.t_value[:, 2] = [charisma, 2]
    words = np.zeros(8, np.int64)
    talk.legal_talk(s, params(), words)
    at = st.TALK + st.Talk.RECOVER
    assert bool(words[at >> 5] >> (at & 31) & 1) == may


def test_what_is_added_to_the_die_of_a_move() -> None:
    """A method: its value and the difficulty; a reading: insight or a mind without it; recovery: charisma and mood."""
    s = record(t_malus=np.array([1, 0]), mood_relation=np.array([2, 0]))
    s.t_value[0], s.t_social[0] = [1, 4, 6], [3, 0, 0]
    p = params(
        request_difficulty=-2, read_difficulty=1, recover_adds_untrained=0, untrained_rule=choices.Untrained.BEST
    )
    assert talk.talk_modifier(s, p, 0, st.Talk.AGGRESSIVE) == 3 - 2 - 1
    assert talk.talk_modifier(s, p, 0, st.Talk.READ) == 3 + 1 - 1
    assert talk.talk_modifier(s, p, 0, st.Talk.RECOVER) == 6 + 2 - 1
    p.recover_adds_untrained = 1
    assert talk.talk_modifier(s, p, 0, st.Talk.RECOVER) == 6 + 2 - 1 + 3


@pytest.mark.parametrize(("wanted", "more"), [(1, 0), (2, 1)])
def test_the_check_of_a_method(wanted: int, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mood of wounds counts for aggression, that of the relation else; a second success has to be worth it."""
    begun: list[tuple[Any, ...]] = []
    monkeypatch.setattr(talk, "begin_check", lambda s, *found: begun.append(found))
    monkeypatch.setattr(talk, "talk_modifier", lambda s, p, who, move: 10 * (move + 1))
    p = params(goal_successes=1 + wanted, social_offset=3, social_tie=1)
    for move, mood in ((st.Talk.AGGRESSIVE, 2), (st.Talk.CUNNING, -1)):
        s = record(speaker=1, successes=np.array([0, 1]), mood_wounds=np.array([0, 2]), mood_relation=np.array([0, -1]))
        s.t_value[0] = [4, 5, 6]
        talk.talk_move(s, p, int(move))
        kind, who, modifier, need, _, _, again = begun.pop()
        assert (kind, who, again) == (st.Check.TALK, 1, more)
        assert modifier == 10 * (move + 1) + mood and need == 4 + move + 3 + 1 and s.ck_mood == mood


def test_a_recovery_is_one_of_the_speakers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "begin_check", lambda *_: None)
    monkeypatch.setattr(talk, "talk_modifier", lambda *_: 0)
    s = record(speaker=1, recover_left=np.array([2, 2]))
    talk.talk_move(s, params(), int(st.Talk.RECOVER))
    assert s.recover_left.tolist() == [2, 1]


def test_moods_stay_within_two() -> None:
    """R72, R75."""
    assert [talk.shift(2, 1), talk.shift(-2, -2), talk.shift(1, -1), talk.shift(-1, -2)] == [2, -2, 0, -2]
    out = (st.Outcome.SUCCESS, st.Outcome.NEAR_MISS, st.Outcome.FAILURE, st.Outcome.CRITICAL_FAILURE)
    for double, worst in ((1, -2), (0, -1)):
        assert [talk.mood_change(params(critical_mood_double=double), one) for one in out] == [0, 1, -1, worst]


@pytest.mark.parametrize(
    ("natural", "confirm", "mod", "outcome"),
    [
        (1, 2, 9, st.Outcome.CRITICAL_FAILURE),  # whatever else it has
        (1, 3, 9, st.Outcome.SUCCESS),
        (6, 5, -9, st.Outcome.CRITICAL_SUCCESS),
        (6, 4, -9, st.Outcome.FAILURE),
        (3, 0, 2, st.Outcome.SUCCESS),  # with a mood of -1: 4 of 4
        (3, 0, 1, st.Outcome.NEAR_MISS),  # 4 of 4 without the mood
        (3, 0, 0, st.Outcome.FAILURE),
    ],
)
def test_outcomes_of_a_method(natural: int, confirm: int, mod: int, outcome: int) -> None:
    s = record(ck_natural=natural, ck_confirm=confirm, ck_mod=mod - 1, ck_mood=-1)
    assert talk.outcome_for(s, params(critical_means=choices.Critical.AUTOMATIC), 4, -1) == outcome


def over(who: int = 0, **more: Any) -> Any:
    """The check of a method of who speaks, aggression, has come out; a mood of 1 counted in it."""
    s = record(ck_kind=st.Check.TALK, ck_who=who, ck_mood=1, ck_need=5, speaker=who, **more)
    s.t_value[:, 2] = [0, 2]  # patience with the first 2, with the second 4
    return s


def settled(s: Any, **more: Any) -> Any:
    p = {"mood_tracks": choices.MoodTracks.SEPARATE, "critical_mood_double": 1, "goal_successes": 3, "max_steps": 9}
    p |= {"critical_means": choices.Critical.AUTOMATIC, "social_offset": 0, "social_tie": 0} | more
    talk.talk_check_over(s, params(**p))
    return s


@pytest.mark.parametrize(
    ("win", "auto", "crit", "total", "successes", "fails", "mood"),
    [
        (1, 0, 0, 6, 1, 0, 0), (1, 1, 1, 6, 2, 0, 0), (0, 0, 0, 6, 0, 0, 1), (0, 0, 0, 5, 0, 1, -1),
        (0, -1, 1, 6, 0, 2, -2),
    ],
    ids=["success", "critical", "near miss", "failure", "critical failure"],
)  # fmt: skip
def test_what_a_method_brings(
    win: int, auto: int, crit: int, total: int, successes: int, fails: int, mood: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two more failures than a success end it; a near miss had 5 of 5 without the mood."""
    monkeypatch.setattr(talk, "learn", lambda *_: None)
    monkeypatch.setattr(talk, "learn_rest", lambda *_: None)
    s = settled(over(ck_win=win, ck_auto=auto, ck_crit=crit, ck_total=total))
    assert s.successes.tolist() == [successes, 0] and s.fails.tolist() == [fails, 0]
    assert s.mood_wounds.tolist() == [mood, 0] and not s.mood_relation.any()
    broken = fails >= 2  # the other one's charisma is 2
    assert (s.result, s.talk_winner) == ((st.Result.BROKEN, 1) if broken else (0, -1))
    assert broken or (s.speaker, s.node) == (1, st.Phase.TALK)


def test_a_talk_ends_with_the_success_that_was_the_goal_or_with_its_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "learn", lambda *_: None)
    monkeypatch.setattr(talk, "learn_rest", lambda *_: None)
    s = settled(over(ck_win=1, successes=np.array([2, 0])))
    assert (s.result, s.talk_winner) == (st.Result.SUCCESS, 0)
    for step, solo, result in ((8, 0, 0), (9, 0, st.Result.DRAW), (9, 1, st.Result.LEFT)):
        assert settled(over(ck_win=1, step_no=step, solo=solo)).result == result


def test_a_recovery_takes_back_as_many_failures_as_the_own_charisma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "learn_rest", lambda *_: None)
    for own, left in ((2, 1), (4, 0)):
        s = over(ck_win=1, fails=np.array([3, 0]), method=3)
        s.ck_kind = st.Check.RECOVER
        s.t_value[:, 2] = [own, 0]
        assert settled(s).fails.tolist() == [left, 0]


def test_who_reads_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "learn_rest", lambda *_: None)
    s = over(ck_win=1, method=4)
    s.ck_kind = st.Check.READ
    assert settled(s).known.tolist() == [1, 0]


def test_patience_and_moods_that_were_read_strike_what_does_not_fit() -> None:
    """A failure after which the talk goes on: whoever would have broken off by then is struck."""
    s = record(fails=np.array([2, 0]))
    talk.learn_rest(s, 0, False)
    for k in range(rules.N_TRIPLES):
        assert bool(s.possible[0] >> k & 1) == (talk.patience_of(rules.TRIPLES[k, 2]) > 2)
    s = record(mood_wounds=np.array([1, 0]))
    s.mood_of[0, 2] = 1
    talk.learn_rest(s, 0, False)
    assert s.possible[0] == talk.ALL_TRIPLES  # it was not read
    s.known[0] = 1
    talk.learn_rest(s, 0, False)
    assert s.possible[0] == 1 << 2


@pytest.mark.parametrize("node", [st.Phase.REACT_FAIL, st.Phase.REACT_SIX])
def test_a_question_tells_which_values_fit(node: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may pay for a failure has failed against these values; who may for a 6 has not."""
    monkeypatch.setattr(talk, "talk_modifier", lambda *_: 0)
    p = params(social_offset=0, social_tie=0)
    s = record(ck_kind=st.Check.TALK, ck_natural=2, node=node, method=int(st.Talk.CUNNING))
    for k in range(rules.N_TRIPLES):
        assert talk.consistent(s, p, k) == ((rules.TRIPLES[k, 1] <= 2) == (node == st.Phase.REACT_SIX))
    monkeypatch.setattr(talk, "talk_modifier", lambda *_: 9)
    for confirm, paid, won in ((0, 0, True), (2, 0, False), (3, 0, True), (2, 2, True)):  # of a 1
        s = record(ck_kind=st.Check.TALK, ck_natural=1, ck_confirm=confirm, ck_paid=paid, node=node)
        assert talk.consistent(s, p, 0) == (won == (node == st.Phase.REACT_SIX))
