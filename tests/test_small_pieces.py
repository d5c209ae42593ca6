"""Functions that no test named, each by a case that is small enough to be worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.einblatt import values
from probespiel.envs import make_game
from probespiel.envs.core.game import Position
from probespiel.envs.core.learner_tables import LearnerTables
from probespiel.envs.core.modules.load import ModuleSet
from probespiel.envs.core.steps import Choice, Die
from probespiel.envs.einblatt import state as st
from probespiel.envs.oneshot.parley.text import TalkTexts
from probespiel.envs.oneshot.state import Action, ParleyAction, Status
from probespiel.evaluation.report import plots
from probespiel.evaluation.stress import guided_kernel
from probespiel.evaluation.stress.shadow import shifted
from probespiel.evaluation.tournament.rating_ends import ends_of_blocks
from probespiel.evaluation.tournament.ratings import PRIOR_DRAWS
from tests.test_einblatt_told import campaign
from tests.test_exact_habits import plain, put
from tests.test_oneshot_mission_cases import TRAP, dice, mission, walk
from tests.test_small_tables import sums_of

# --- einBlatt: what hands are worth -----------------------------------------------------------------------------------


def cards_of(monkeypatch: pytest.MonkeyPatch, classes: dict[int, int], **more: Any) -> None:
    """Cards have these classes for everybody, and everybody may play all of them."""

    def at_least(s: Any, p: Any, seat: int, who: int, cards: int, value: int) -> int:
        return sum(c >= value for card, c in classes.items() if cards >> card & 1)

    put(
        monkeypatch, values, at_least=at_least, allowed_colour=lambda s, seat, cards: cards,
        popcount=lambda bits: int(bits).bit_count(), mean_capped=plain(values.mean_capped),
        chance_of=plain(values.chance_of), choose=plain(values.choose), sign=plain(values.sign), **more,
    )  # fmt: skip


@pytest.mark.parametrize(("free", "kept", "draws", "worth"), [
    (0b11, 0b00001, 1, 0.2 + 0.2),  # a five, and of 2, 2, 7 and 9 the mean, which is five as well
    (0b01, 0b00001, 1, 0.35),  # the better one: 5, 5, 7 or 9, so 6.5 in the mean
    (0b11, 0b00001, 0, 0.2 - 0.3),  # the second round is passed
    (0b11, 0b00011, 0, 0.2 - 0.1),
    (0b01, 0b00011, 0, 0.2),
    (0b00, 0b00011, 2, 0.0),
])  # fmt: skip
def test_a_hand_is_worth_its_best_plays(
    free: int, kept: int, draws: int, worth: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A play of class c is worth c / 10 - 0.3, and a pass is one of class 0. Kept cards are not drawn again."""
    classes = {0: 5, 1: 2, 2: 2, 3: 7, 4: 9}
    cards_of(
        monkeypatch, classes, free_slots=lambda s, p, seat: free if seat == 1 else 0,
        own_pool=lambda s, p, seat, n: 0b11111 if seat == 1 else 0,
    )  # fmt: skip
    edge = np.arange(values.CLASSES) / 10 - 0.3
    found = plain(values.hand_worth)(None, None, 1, kept, draws, edge)
    assert found == pytest.approx(worth, abs=1e-12)


def test_what_a_play_may_expect_of_enemies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three rounds one enemy has laid an open four, and holds a hidden card, a three or a five: one is a pass.

    The other has laid nothing, shows a six and holds nothing else. The third seat is a friend. Per enemy a round counts
    a third, and both enemies equally.
    """
    cards_of(
        monkeypatch, {0: 3, 1: 5, 2: 6}, as_seen=lambda s, seat, who, play, value: value,
        unseen_of=lambda s, p, seat, who: 0b011,
    )  # fmt: skip
    slots = np.full((4, 3), -2)
    slots[1, 0] = 7
    s = SimpleNamespace(
        round_no=0, slot=slots, slot_open=slots != -2, slot_class=np.where(slots == 7, 4, 0), hand=[0, 0b010, 0, 0b100],
        shown=[0, 0, 0, 0b100],
    )  # fmt: skip
    p, out = SimpleNamespace(seats=4, rounds=3, team=[0, 1, 0, 2]), np.full(values.CLASSES, np.nan)
    plain(values.prospects)(s, p, 0, out)
    first = {0: -1 - 1 + 0, 2: -1 - 1 + 1, 3: -1 - 0.5 + 1, 4: 0 + 0 + 1, 5: 1 + 0.5 + 1, 6: 3, 7: 3}
    second = {0: -1 + 0 + 0, 2: -1 + 2, 3: -1 + 2, 4: -1 + 2, 5: -1 + 2, 6: 0 + 2, 7: 3}
    for value, one in first.items():
        assert out[value] == pytest.approx((one + second[value]) / 3 / 2), value


def test_what_somebody_did_by_motives_has_the_suit_that_is_given() -> None:
    """In the first conflict as in the second: diamonds, and by lot where none is given."""
    did = [{"seat": "Hero", "event": "accord", "suit": "D"}, {"seat": "Hero", "event": "against"}]
    p = campaign({"incentive": {}}, events=did).params
    suit = st.SUITS.index("D")
    assert suit > 0
    assert p.event_suit[:5].tolist() == [suit, -1, suit, -1, -1]
    assert p.event_seat[:4].tolist() == [0] * 4
    assert p.event_end[:2].tolist() == [2, 4]
    assert p.event[0] == p.event[2] != p.event[1] == p.event[3] > 0


# --- OneShot ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "words"), [
    ("en", "aggressive 1, cunning 0, diplomatic 2"), ("de", "aggressiv 1, listig 0, diplomatisch 2"),
])  # fmt: skip
def test_social_values_are_told_by_name(lang: str, words: str) -> None:
    """Of a charisma of 3 the fifth way: after four that give the first nothing. Other actions have no such words."""
    record = SimpleNamespace(t_value=np.array([[9, 9, 9], [1, 1, 3]]))
    phase = ["split"]
    position = cast(Position, SimpleNamespace(phase=lambda: phase[0], record=record))
    texts = TalkTexts(("a", "b"), "duel", cast(Any, None))
    assert texts.words_of(position, 1, ParleyAction.SPLIT + 4, lang) == words
    assert texts.words_of(position, 1, ParleyAction.SPLIT - 1, lang) == ""
    assert texts.words_of(position, 1, ParleyAction.PROBE, lang) == ""
    phase[0] = "talk"
    assert texts.words_of(position, 1, ParleyAction.SPLIT + 4, lang) == ""


@pytest.mark.parametrize(("face", "alive"), [(6, True), (2, False)])
def test_whom_a_trap_takes_down_may_survive(face: int, alive: bool) -> None:
    """One wound more than the hero bears: a roll to survive, then the party goes on in the room."""
    position = mission({"mind": 1}, {})
    s = position.record
    s.limit[0], s.wounds[0] = 1, 1
    walk(position, TRAP).apply(0, Action.ASSIGN)
    dice(position, 2, 5, face)
    while position.die():
        dice(position, 6)
    assert s.standing[0] == (Status.UNCONSCIOUS if alive else Status.DEAD)
    assert (s.wounds[0], s.ck_kind, s.ck_done) == (2, 0, 0)
    assert position.phase() == "explore"


# --- the lab ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("there", "here", "differs"), [
    ("a x c", "a c", True),  # a die of its own, after which others fall
    ("a c", "a x c", False),  # of the game without it there is no die left to fall otherwise
    ("a x", "a", False),  # none falls after it
    ("a", "a x c", False),
    ("a 1", "a x c", False),
    ("a x 1 c", "a 1 c", True),
    ("1 a", "2 a", False),  # they part at a decision
    ("9 a c", "a c", False),  # what is its own is no difference
    ("9 a x c", "a c", True),
    ("a c", "a c", False), ("", "", False),
])  # fmt: skip
def test_games_differ_by_luck_where_a_die_of_the_rule_moves_later_ones(there: str, here: str, differs: bool) -> None:
    """Dice are letters, decisions their action; 9 is the rule's own."""

    def game(text: str) -> Any:
        return SimpleNamespace(steps=[Choice(0, int(x)) if x.isdigit() else Die(6, ord(x)) for x in text.split()])

    assert shifted(game(there), game(here), frozenset({9})) == differs


@pytest.mark.parametrize(("words", "marked", "count", "offered"), [
    ((0b101, 0b11), (0b100, 0), 4, (True, True)), ((0b100, 0), (0b100, 0b1), 1, (True, False)),
    ((0b011, 0b10), (0b100, 0b1), 3, (False, True)), ((0, 0b1), (0b100, 0b1), 1, (True, False)),
    ((0, 0b11), (0, 0b10), 2, (True, True)), ((0, 0), (0b1, 0b1), 0, (False, False)),
])  # fmt: skip
def test_sets_of_more_than_one_word_are_counted_whole(
    words: tuple[int, int], marked: tuple[int, int], count: int, offered: tuple[bool, bool]
) -> None:
    legal = np.array(words, np.int64)
    assert guided_kernel.count_of(legal) == count
    assert guided_kernel.offers(legal, np.array(marked, np.int64)) == offered


def test_what_declines_a_module_is_its_own_action_of_that_name() -> None:
    """Actions of modules begin at 30: the second one of the first module; the other has one of that name, too."""
    one, other = (SimpleNamespace(name=name, declining=("no",)) for name in ("one", "other"))
    own = [
        SimpleNamespace(module=m, name=name) for m, name in ((one, "bet"), (one, "no"), (other, "no"), (other, "on"))
    ]
    modules: Any = SimpleNamespace(interface=SimpleNamespace(first_action=30), actions=lambda: own)
    assert ModuleSet.declining(modules, "one") == {31}
    assert ModuleSet.declining(modules, "other") == {32}
    assert ModuleSet.declining(modules, "third") == set()


@pytest.mark.parametrize("seat", [None, 1])
def test_opponents_are_those_that_are_assigned_whoever_decides_where(seat: int | None) -> None:
    """A number for a table, or one for each seat; the seat that is told is the one that decides."""
    game, told = make_game("kuhn", compiled=False), list[tuple[list[int], list[int]]]()

    def assign(tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        told.append((tables.tolist(), seats.tolist()))
        return 10 * tables + seats

    env = LearnerTables(game, 3, seat=seat, seed=2, assign=assign)
    env.reset()
    assert told[0] == ([0, 1, 2], env.seats.tolist())
    assert env.seats.tolist() in ([[1, 1, 1]] if seat else [[1, 0, 1], [0, 1, 0]])
    assert env.opponent_ids.tolist() == [[10 * t + s] * 2 for t, s in enumerate(env.seats.tolist())]
    both = LearnerTables(game, 3, seat=seat, seed=2, assign=lambda tables, seats: tables[:, None] * 10 + np.arange(2))
    both.reset()
    assert both.opponent_ids.tolist() == [[0, 1], [10, 11], [20, 21]]


def cycle(ring: list[int], n: int) -> np.ndarray:
    """Each of the ring beats the next one by 1."""
    rest = np.zeros((n, n))
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        rest[a, b], rest[b, a] = 1.0, -1.0
    return rest


@pytest.mark.parametrize(("ring", "n", "most", "order"), [
    ([0, 1, 2], 3, 3, [0, 1, 2]), ([0, 2, 1], 3, 3, [0, 2, 1]), ([2, 0, 3], 4, 3, [0, 3, 2]),
    ([1, 3, 0, 2, 4], 5, 5, [0, 2, 4, 1, 3]), ([1, 0, 2], 5, 3, [0, 2, 1]),
])  # fmt: skip
def test_strategies_stand_round_the_wheel_as_they_beat_each_other(
    ring: list[int], n: int, most: int, order: list[int]
) -> None:
    """Those outside of the cycle are the first to be left out; of equal ones the first is on top."""
    assert plots._round_the_wheel(cycle(ring, n), most) == order


# --- ratings ----------------------------------------------------------------------------------------------------------


def test_wins_of_one_alone_add_nothing_to_what_is_known() -> None:
    """Whatever the interval is, it is not made wider: the lower end is the lesser one, the upper the greater."""
    sums = sums_of([[0.0, 2, 2, 0]] * 10, [[0.0, 2, 0, 0]] * 10)
    low, high = ends_of_blocks(sums, [1], np.zeros(1), np.ones((2, 2)), PRIOR_DRAWS, 0.95)
    assert np.minimum([1234.5], low).tolist() == [1234.5]
    assert np.maximum([1234.5], high).tolist() == [1234.5]
