"""Lines whose neighbours are tested, which nothing quick guarded: found by planting errors at random. By hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.einblatt.values import chance_of
from probespiel.agents.gumbel import Draw
from probespiel.agents.oneshot import books
from probespiel.agents.oneshot.build import ways_of_triple
from probespiel.agents.policy_file import Manifest, PolicyError, _shape
from probespiel.agents.policy_net import draw
from probespiel.agents.search_answer import best_known
from probespiel.app.reasons import does_of
from probespiel.envs.einblatt.hooks import seats_of_deck
from probespiel.envs.ews_rps.hooks import showing_seats
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.actions import item_code
from probespiel.envs.oneshot.actions import _offset, fight_blocks
from probespiel.envs.oneshot.build import legal
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.hooks import figure_bit
from probespiel.envs.scorekeeper.services import is_ready, melee_value
from probespiel.evaluation.balance import records as balance_records
from probespiel.evaluation.balance.run import POINT, SHARES
from probespiel.evaluation.balance.run import Search as BalanceSearch
from probespiel.evaluation.exploit import texts as exploit_texts
from probespiel.evaluation.report import trained
from probespiel.evaluation.scorekeeper import chances as sc
from probespiel.evaluation.stress import combine, strategies
from probespiel.evaluation.stress.findings import Interval
from probespiel.evaluation.tournament import joint_words, loadouts
from probespiel.evaluation.tournament import texts as tournament_texts
from probespiel.evaluation.tournament.plan import Plan

# Tournaments


def of_three(beats: dict[int, tuple[int, ...]], **verdicts: Any) -> Any:
    """A summary of one agent with three loadouts and another agent; `beats` by their numbers."""
    rows = [
        SimpleNamespace(dominated=verdicts.get(f"v{i}"), dominator=2, margin=0.25, beats=beats.get(i, ()))
        for i in range(4)
    ]
    return SimpleNamespace(
        names=("rush@axe", "rush@bow", "rush@club", "random"),
        metagame=SimpleNamespace(verdicts=rows, nash=(0.25, 0.0, 0.75, 0.0)),
    )


def test_which_of_three_loadouts_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loadouts, "_part_by_part", lambda *_: [])
    monkeypatch.setattr(loadouts, "_worth_of_values", lambda *_: [])
    notes = loadouts.loadout_notes(of_three({2: (0, 1), 0: (1,)}, v0=True, v1=True, v2=False))
    assert notes == [
        "Loadouts of rush: 3.",
        "Dominant equipment of rush: club is shown to beat every other loadout.",
        "Dominated equipment of rush: axe (by club, ahead by at least +0.250) and bow (by club, ahead by at least "
        "+0.250).",
        "Undominated equipment of rush: club.",
        "Equipment of rush in the equilibrium mixture of the mean payoffs: club 75% and axe 25%.",
    ]
    notes = loadouts.loadout_notes(of_three({2: (0, 3), 0: (1,)}))
    assert notes[1] == (
        "No loadout of rush is shown to beat all others; of most this is shown for axe, which beats 1 of 2."
    )
    assert notes[2] == "Undecided equipment of rush: axe, bow and club."


def test_a_folder_with_the_sign_of_loadouts_is_none() -> None:
    assert [loadouts._worn(name) for name in ("rush@axe", "rush", "me@home/bot.py:Bot")] == ["axe", "", ""]


@pytest.mark.parametrize(("zero_sum", "ends"), [(True, (-1.0, 1.0)), (False, (-1.0, 1.5))])
def test_an_agent_gains_no_more_than_the_others_can_lose(zero_sum: bool, ends: tuple[float, float]) -> None:
    """A seat may get 2 by its bounds, but the other loses 1 at most. Without that it is the mean of 2 and 1."""
    spec = SimpleNamespace(bounds_of_seats=((-1.0, 2.0), (-1.0, 1.0)), zero_sum=zero_sum)
    plan: Any = SimpleNamespace(entrants=(), seating=((0, 1), (1, 0)))
    match: Any = SimpleNamespace(game=SimpleNamespace(spec=spec), may_forfeit=False)
    assert Plan.earnings(plan, match) == ends
    match.may_forfeit = True
    assert Plan.earnings(plan, match) == (-1.0, 2.0)


@pytest.mark.parametrize("texts", [tournament_texts, exploit_texts])
def test_english_is_not_translated_and_german_is(texts: Any) -> None:
    assert texts.words("en").lang == "en" and texts.words("de").lang == "de"
    english, german = next((e, g) for table in texts.GERMAN for e, g in table.items() if "{" not in e)
    assert texts.words("en")(english) == english and texts.words("de")(english) == german


def test_words_of_whole_tables_are_in_the_language() -> None:
    assert [joint_words._say("strategy", lang) for lang in ("en", "de")] == ["strategy", "Strategie"]


# The lab, balance, trainings


def test_two_mixtures_over_one_list() -> None:
    a, b, c = (strategies.Strategy(name) for name in "abc")
    found = strategies.joined(strategies.Mixture((a, b), (0.5, 0.5)), strategies.Mixture((c, a), (0.25, 0.75)))
    assert [s.name for s in found[0]] == ["a", "b", "c"]
    assert found[1:] == ([0.5, 0.5, 0.0], [0.75, 0.0, 0.25])


@pytest.mark.parametrize(("value", "low", "word"), [
    (0.5, 0.0, "cancels"), (0.5, 0.01, "turns round"), (0.7, 0.0, "cancels"), (0.7, 0.01, "turns round"),
])  # fmt: skip
def test_a_worth_turns_round_where_its_interval_is_beyond_nothing(value: float, low: float, word: str) -> None:
    """By itself -0.6, together as much the other way, of which the interval may touch 0 or not: no larger handicap."""
    change = Interval(value + 0.6, 0.5, 1.9)
    assert combine.interplay(Interval(value, low, 1.0), change, "strong", "weak", 0.05) == word


def test_figures_of_a_point_by_name() -> None:
    luck, seat = (balance_records.Figure(name, 1.0, 0.0, 2.0, 5) for name in ("luck", "seat"))
    point = balance_records.Point({}, figures=(luck, seat))
    assert point.figure("luck") is luck and point.figure("seat") is seat and point.figure("draws") is None


def test_shares_of_a_search_for_balance() -> None:
    """Six points to begin with along two parameters: the finer ones are half as many and one, then five."""
    search: Any = SimpleNamespace(space=SimpleNamespace(first=lambda: range(6), axes=(1, 2)))
    found = BalanceSearch._weights(search)
    assert found["grid"] == pytest.approx(SHARES[0] * POINT * 6)
    assert found["finer"] == pytest.approx(SHARES[1] * POINT * 4)
    assert found["suggest"] == pytest.approx(POINT * 5)


def test_names_in_a_row() -> None:
    assert [trained._listed(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


# Scorekeeper: one blow


def test_hard_armour_takes_no_more_than_the_bonus_as_a_die() -> None:
    assert sc.class_chances("club", 2, 0, 1, "as_die") == sc.class_chances("club", 2, 0, 0, "as_die")
    assert sc.class_chances("club", 2, 0, 3, "as_die") == sc.class_chances("club", 2, 0, 1, "unaffected")
    assert sc.class_chances("club") == sc.class_chances("club", 0, 0, 0)


def test_chances_of_a_blow_at_a_zone_by_the_dice() -> None:
    """All add up to 1, and what stops a fighter is the mean over the zones."""
    assert sum(sc.unaimed_classes("sword", "steel_helmet", 1).values()) == 1
    parts = [chance * sc.stop_of_hit("sword", "steel_helmet", zone, 12) for zone, chance in sc.ZONE_CHANCES.items()]
    assert sc.stop_of_hit("sword", "steel_helmet", "any", 12) == sum(parts) and 0 < sum(parts) < 1


def test_who_faints_from_a_light_wound() -> None:
    """Of the head alone."""
    elsewhere = next(zone for zone in sc.ZONE_CHANCES if zone != "head")
    assert sc.faints(elsewhere, "LW", 12) == 0 < sc.faints("head", "LW", 12) < 1


# Players


def test_chance_of_good_cards_by_hand() -> None:
    """One of two good ones among two of five cards: 2 * 3 of 10 hands."""
    assert chance_of(1, 5, 2, 2) == pytest.approx(0.6)


def test_ways_to_distribute_points() -> None:
    """Three points on three values: 10 ways, no points: one."""
    for count in (books.splits, legal.ways):
        assert [count(points) for points in (0, 1, 2, 3)] == [1, 3, 6, 10]


def test_all_builds_are_builds_with_skills_gear_and_tactics() -> None:
    kit = built_in_kit()
    builds, whole = legal.count_build_game(20, 1, True, kit)
    assert whole == builds * 4 * 2 * legal.count_loadouts(20, kit)


def test_perks_are_paid_by_points_for_skills() -> None:
    """Two points of the body, 6 ways each of two kinds, none of charisma: 36, where 5 + 5 m pay for perks of 3 or 6."""
    params: Any = SimpleNamespace(
        n_triples=[2, 2], triple_open=np.ones((2, 2, 2), np.int8), triples=np.zeros((2, 2, 2, 3), np.int64)
    )
    params.triples[0, 0] = [(2, 1, 0), (2, 0, 0)]
    ways = getattr(ways_of_triple, "py_func", ways_of_triple)
    assert [ways(params, 4 | 8, 0), ways(params, 4 | 8, 1), ways(params, 4, 1), ways(params, 0, 2)] == [36, 0, 36, 0]


def test_a_search_begins_with_what_its_policy_thinks_likely() -> None:
    """Of the chances of three actions two are legal: 0.2 and 0.6 are a quarter and three quarters."""
    found = Draw.of(np.array([0, 2]), np.array([0.2, 0.2, 0.6]), 1, 0.0)
    assert found.actions.tolist() == [2, 0] and np.exp(found.logits) == pytest.approx([0.75, 0.25])


def test_the_best_of_several_baselines_is_the_one_of_the_best_mean() -> None:
    """Means 0.2, 0.5 and 0.4; what was searched, 0.55, is not better beyond the noise."""
    out, prior = np.zeros((4, 4)), np.array([0.3, 0.4, 0.3, 0.0])
    out[:, 0], out[:, 1] = 10.0, [0.2, 0.5, 0.4, 0.55]
    options: Any = SimpleNamespace(margin=1.0, indifferent=0.0, doubt=0.0)
    known = getattr(best_known, "py_func", best_known)
    assert known(options, prior, out, 3, 0.5) == 1
    assert known(options, prior, out, 3, 0.0) == 3 and known(options, prior, out, 0, 0.5) == 0


def test_what_has_no_chance_is_never_drawn() -> None:
    """Also by the lowest number that there is, 0: the seed that splitmix64 makes 0 of is minus its own step."""
    zero = np.array([(1 << 64) - 0x9E3779B97F4A7C15], dtype=np.uint64)
    assert draw(np.array([[0.0, 0.0, 0.25, 0.75]]), zero).tolist() == [2]


def test_a_policy_that_does_not_fit_tells_four_differences() -> None:
    for count in (4, 5):
        found: Any = SimpleNamespace(
            differences=lambda game, n=count: [f"d{i}" for i in range(n)], game="kuhn", scenario="standard", seats=2
        )
        game: Any = SimpleNamespace(name="leduc", spec=SimpleNamespace(scenario="standard"), n_seats=2)
        with pytest.raises(PolicyError) as raised:
            Manifest.check(found, game)
        assert str(raised.value).endswith("d0; d1; d2; d3" if count == 4 else "d0; d1; d2; d3; and 1 more")
    assert _shape((2, 3)) == "2 x 3"


def test_what_stands_beside_the_best_action_is_in_the_language() -> None:
    best: Any = [SimpleNamespace(action=3)]
    assert does_of(best, {3: "bet"}, {3: "pays 2"}, "en").startswith("About ")
    assert does_of(best, {3: "setzen"}, {3: "kostet 2"}, "de") == "Zu „setzen“: kostet 2."


# Words and bits of the rules


def test_steps_are_told_by_the_sky() -> None:
    assert [_offset(2, -1, "en"), _offset(-3, 1, "de")] == ["2 east 1 south", "3 West 1 Nord"]
    attack = next(block for block in fight_blocks() if block.name == "attack")
    assert (attack.texts["de"][0], attack.texts["en"][0]) == (
        "Angriff auf Gegner 1 mit Waffe 1", "attack enemy 1 with weapon 1",
    )  # fmt: skip


def test_items_of_a_campaign_have_codes() -> None:
    """Characters first, then supporters, each counted from 1."""
    assert [item_code(item) for item in (0, st.CHARACTERS - 1, st.CHARACTERS, st.T_RESOURCE, st.T_POWER)] == [
        "character:1", f"character:{st.CHARACTERS}", "support:1", "resource:1", "target:power",
    ]  # fmt: skip


def test_a_figure_has_a_bit() -> None:
    assert [getattr(figure_bit, "py_func", figure_bit)(None, None, who) for who in (0, 3)] == [1, 8]


def test_seats_that_draw_from_a_deck() -> None:
    """Seats 0 and 2 from the first, 1 from the second; where nobody does, all are meant."""
    state: Any = SimpleNamespace(deck_of=[0, 1, 0])
    seats = getattr(seats_of_deck, "py_func", seats_of_deck)
    assert [seats(state, SimpleNamespace(seats=3), deck) for deck in (0, 1, 2)] == [5, 2, -1]


def test_a_weapon_is_ready_that_is_loaded_and_whole() -> None:
    """R36: one thing amiss is enough."""
    ready = getattr(is_ready, "py_func", is_ready)
    for amiss in ("", "has", "loaded", "jammed", "broken"):
        params: Any = SimpleNamespace(r_has=[int(amiss != "has")])
        state: Any = SimpleNamespace(
            loaded=[int(amiss != "loaded")], jammed=[int(amiss == "jammed")], broken=[int(amiss == "broken")]
        )
        assert bool(ready(state, params, 0)) is (amiss == ""), amiss


def test_the_value_of_a_blow_counts_what_is_added_to_rolls() -> None:
    params: Any = SimpleNamespace(agl=[5, 6], melee_skill=[4, 3], roll_mod=[2, -1])
    value = getattr(melee_value, "py_func", melee_value)
    assert [value(None, params, who) for who in (0, 1)] == [11, 8]


def test_symbols_of_modules_are_shown_by_the_other_seat_too() -> None:
    """From the fourth symbol on; the three of the rules are shown by who acts."""
    seats = getattr(showing_seats, "py_func", showing_seats)
    state: Any = SimpleNamespace(acting=1)
    assert [seats(state, None, 0, theirs) for theirs in (2, 3, 4)] == [2, 3, 3]
