"""Where little is left of an open game the coach counts out all dice: its hint agrees with the exact odds there."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.perfect_information import TooLarge, game_value, position_value
from probespiel.app.reasons import reason_of
from probespiel.app.session import advice as coach
from probespiel.app.session.advice import Advice, Adviser, Counsel, counted_out
from probespiel.app.session.sight import Choice
from probespiel.app.terminal.hint import lines_of
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.oneshot import exact as oneshot_odds
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.character.sheet import normal
from probespiel.envs.oneshot.params import check_options
from probespiel.envs.oneshot.system import SYSTEM as ONESHOT
from probespiel.envs.scorekeeper.state import ZONE_CODES
from probespiel.envs.scorekeeper.system import SYSTEM as SCOREKEEPER
from probespiel.evaluation.scorekeeper import exact as scorekeeper_odds

SIMS = 2000
SOLVED = "Best, solved to the end (expected payoff if nobody errs from here on):"
SOLVED_DE = "Am besten, zu Ende gelöst (erwartete Auszahlung, wenn niemand mehr irrt):"
HEROES = ("fighter", "archer", "diplomat", "skirmisher", "bulwark")


def throw(position: Position, lot: random.Random) -> None:
    while faces := position.die():
        position.fall(lot.randrange(faces))


def codes(position: Position, worth: dict[int, float]) -> dict[str, float]:
    return {position.game.actions.codes[action]: value for action, value in worth.items()}


def worth_of(position: Position) -> dict[str, float]:
    """What the coach counts out for the seat that is to act, by code."""
    found = counted_out(position.game, View.of(position, position.to_act()[0], 1))
    assert found is not None
    return codes(position, found)


# --- the odds of one throw, by formulas that know nothing of the compiled rules ---------------------------------------


@pytest.mark.parametrize(("cover", "save"), [(False, 0), (True, 6)])
def test_a_last_shot_is_worth_its_chance_to_stop(cover: bool, save: int) -> None:
    """Zone by zone (7.4): an attack value of 16 with a magnum; where there is cover the other jumps into it under 6."""
    one = {"res": 6, "wil": 6, "melee_skill": 6}
    setup = {
        "config": {"field_length": 10, "max_rounds": 1, "fate_enabled": False, "cover_available": cover},
        "fighters": [
            {"name": "x", "team": "a", "position": 0, "wah": 9, "agl": 9, "ranged_skill": 7, "ranged": "magnum", **one},
            {"name": "y", "team": "b", "position": 4, "wah": 6, "agl": 2, **one},
        ],
    }
    position = Game(SCOREKEEPER.spec_of_setup(setup)).position()
    throw(position, random.Random(1))
    assert position.to_act() == [1]
    position.apply(1, position.game.actions.parse("pass"))
    worth = worth_of(position)
    wanted = scorekeeper_odds.stop_per_shot("magnum", "none", 16, save, 12)
    assert {"any", "chest", "head"} <= set(wanted) == {*ZONE_CODES}
    for zone, chance in wanted.items():
        assert worth[f"shoot:0:{zone}"] == pytest.approx(float(chance), abs=1e-12), zone
    adviser = Adviser(sims=SIMS)
    try:
        first = adviser.best(position.game, View.of(position, 0, 1)).best[0]
    finally:
        adviser.close()
    assert first.exact and first.error == 0.0 and first.value == pytest.approx(float(max(wanted.values())), abs=1e-12)


@pytest.mark.parametrize(
    ("hero", "other"), [("fighter", "fighter"), ("bulwark", "fighter"), ("skirmisher", "skirmisher")]
)
def test_a_last_blow_is_worth_its_chance_to_wound(hero: str, other: str) -> None:
    """Side by side, on the last count of a fight that losses decide (R42 to R44)."""
    position, lot = a_stand({"red": (other, 0), "blue": (hero, 0)}, 2, 10), random.Random(1)
    throw(position, lot)
    while True:
        seat, after = position.to_act()[0], position.clone()
        after.apply(seat, position.game.actions.parse("end_turn"))
        throw(after, lot)
        if after.over:
            break
        position = after
    options, kit = check_options({"max_count": 10}), built_in_kit()
    names = (other, hero) if seat == 0 else (hero, other)
    chars = [normal(name, kit) for name in names]
    one, two = (oneshot_odds.Duellist(char, options, kit) for char in chars)
    wanted = oneshot_odds.wound_chance(one, two, 0, 0, options, "finesse" in chars[0]["perks"])
    worth = worth_of(position)
    assert 0.05 < wanted < 0.95 and worth["attack:0:0"] == pytest.approx(wanted, abs=1e-9) and worth["end_turn"] == 0.0


# --- every position tried -----------------------------------------------------------------------------------------


def a_fight(lot: random.Random) -> Game:
    """One round of two fighters in contact, with values, arms and armour at random; nobody has fate."""

    def fighter(name: str, team: str, place: int) -> dict[str, Any]:
        values = ("wah", "agl", "res", "wil", "melee_skill", "ranged_skill")
        return {
            "name": name, "team": team, "position": place, **{value: lot.randint(4, 9) for value in values},
            "melee": lot.choice(["sword", "club", "knife"]), "damage_bonus": lot.randint(0, 2),
            "armour": lot.choice([[], ["leather_jacket"], ["bristol_vest"], ["kevlar_clothing"], ["plate_armour"]]),
        }  # fmt: skip

    config = {"field_length": 1, "max_rounds": 1, "fate_enabled": False, "allow_full_run": False}
    config["victory"] = lot.choice(["first_blood", "incapacitated"])
    setup = {"config": config, "fighters": [fighter("x", "a", 0), fighter("y", "b", 1)]}
    return Game(SCOREKEEPER.spec_of_setup(setup))


def a_stand(heroes: dict[str, tuple[str, int]], place: int, counts: int) -> Position:
    """The last counts of a fight side by side or a step apart: heroes with so many wounds; whoever lost more loses."""
    squares = {"red": [place, 2], "blue": [4, 2]}
    figures = {
        team: {"team": team, "char": hero, "saga_points": 0, "pos": squares[team], "wounds": wounds}
        for team, (hero, wounds) in heroes.items()
    }
    config = {"grid_width": 6, "grid_height": 6, "max_count": counts, "limit_result": "losses"}
    return Game(ONESHOT.spec_of_setup({"config": config, "figures": figures}, "oneshot-skirmish")).position()


def agreed(position: Position, adviser: Adviser, lot: random.Random) -> list[float]:
    """Play on; wherever all dice can be counted out, what the best action earns over the worst. The coach names one."""
    found = []
    while not position.over:
        throw(position, lot)
        if position.over:
            break
        seat = position.to_act()[0]
        legal = position.legal(seat)
        if len(legal) > 1:
            try:
                worth = {}
                for action in legal:
                    after = position.clone()
                    after.apply(seat, action)
                    worth[action] = position_value(after, coach.NODES, seat)
            except TooLarge:
                worth = {}
            best = adviser.best(position.game, View.of(position, seat, 1)).best
            assert all(one.exact for one in best) == bool(worth)
            if worth:
                top = max(worth.values())
                assert worth[best[0].action] == pytest.approx(top, abs=1e-9), (position.told(seat, "en"), worth)
                assert [one.value for one in best] == pytest.approx(sorted(worth.values(), reverse=True)[: coach.BEST])
                found.append(top - min(worth.values()))
        blows = [a for a in legal if position.game.actions.codes[a].startswith(("melee:", "attack:"))]
        position.apply(seat, lot.choice(blows or legal))
    return found


@pytest.mark.parametrize("wanted", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_in_the_last_round_of_a_fight_the_coach_loses_nothing(wanted: int) -> None:
    """Declarations and defences, with values at random: 0.02 and more hang on most of them."""
    lot, adviser, spreads = random.Random(3), Adviser(sims=SIMS), list[float]()
    try:
        while len(spreads) < wanted:
            spreads += agreed(a_fight(lot).position(), adviser, lot)
    finally:
        adviser.close()
    assert np.mean(np.array(spreads) > 0.02) > 0.5


@pytest.mark.parametrize("wanted", [4, pytest.param(200, marks=pytest.mark.slow)])
def test_in_the_last_turns_on_the_grid_the_coach_loses_nothing(wanted: int) -> None:
    """Blows, steps and edges; a search alone overlooks steps that make a blow likelier."""
    lot, adviser, spreads = random.Random(1), Adviser(sims=SIMS), list[float]()
    try:
        while len(spreads) < wanted:
            heroes = {team: (lot.choice(HEROES), lot.randint(0, 3)) for team in ("red", "blue")}
            position = a_stand(heroes, lot.choice([1, 2]), lot.choice([12, 16, 20]))
            spreads += agreed(position, adviser, lot)
    finally:
        adviser.close()
    assert np.mean(np.array(spreads) > 0.02) > 0.2


# --- when it is done --------------------------------------------------------------------------------------------------


def test_what_is_hidden_is_not_counted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that do not declare that all is open, and those whose modules or options may hide something."""
    monkeypatch.setattr(coach, "position_value", lambda *_: 0.0)
    known = {
        "kuhn": {}, "einblatt-duel": {}, "oneshot-parley": {}, "scorekeeper-duel": {}, "oneshot-skirmish": {}
    }  # fmt: skip
    found = {name: asked_in(make_game(name, compiled=False, **more)) for name, more in known.items()}
    assert {name for name, open_ in found.items() if open_} == {"scorekeeper-duel", "oneshot-skirmish"}
    assert not asked_in(make_game("oneshot-skirmish", compiled=False, hidden_stats=True))
    assert not asked_in(make_game("oneshot-skirmish", None, {"berserker": {}}, compiled=False))
    assert not asked_in(make_game("scorekeeper-duel", None, {"natural_one": {}}, compiled=False))


def asked_in(game: Game) -> bool:
    """Whether the first decision with a choice is counted out."""
    position, lot = game.position(), random.Random(1)
    throw(position, lot)
    while len(position.legal(position.to_act()[0])) < 2:
        position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
        throw(position, lot)
    return counted_out(game, View.of(position, position.to_act()[0], 1)) is not None


def test_what_is_too_large_is_left_to_the_search() -> None:
    position = make_game("scorekeeper-duel", "mafia_club").position(3)
    seat = position.to_act()[0]
    assert counted_out(position.game, View.of(position, seat, 1)) is None
    with pytest.raises(TooLarge, match="more than 20000 positions"):
        position_value(position, coach.NODES, seat)
    with pytest.raises(TooLarge, match="scorekeeper-duel is too large"):
        game_value(position.game, 10)


@pytest.mark.parametrize(("values", "lang", "lines", "why"), [
    ((0.5, 0.25), "en", [SOLVED, "  1. pass   +0.50", "  2. bet   +0.25"],
     "Why: “bet” loses 0.25 against it, 6 % of all that lies between the worst and the best end."),
    ((0.5, 0.5), "en", [SOLVED, "  1. pass   +0.50", "  2. bet   +0.50"],
     "Why: “pass” and “bet” are worth exactly the same."),
    ((0.5, -0.25), "de", [SOLVED_DE, "  1. pass   +0,50",
                          "  2. bet   −0,25"],
     "Warum: „bet“ verliert dagegen 0,75, das sind 19 % dessen, was zwischen dem schlechtesten und dem besten Ende "
     "liegt."),
])  # fmt: skip
def test_exact_values_have_no_interval_and_are_no_guess(
    values: tuple[float, float], lang: str, lines: list[str], why: str
) -> None:
    """However few simulations the search made."""
    best = tuple(Advice(action, value, 0.0, float(action == 0), exact=True) for action, value in enumerate(values))
    texts = {0: "pass", 1: "bet"}
    assert lines_of(Counsel(5, best), texts, lang, (-2.0, 2.0)) == [*lines, why]
    choices = [Choice(action, text, "", "", text) for action, text in texts.items()]
    shown = advised(Hint(0, "", 5, best), choices, make_game("kuhn", compiled=False), lang)
    assert shown.exact and shown.reason == why
    assert list(shown.actions) == [line.split(". ", 1)[1].replace("   ", " ") for line in lines[1:]]


@pytest.mark.parametrize(
    ("values", "english", "german"),
    [
        ((0.5, 0.5, 0.5), "all of them are worth exactly the same", "sie alle sind genau gleich viel wert"),
        (
            (0.5, 0.5, 0.2),
            "“pass” and “bet” are worth exactly the same",
            "„pass“ und „bet“ sind genau gleich viel wert",
        ),
        ((0.5, 0.5), "“pass” and “bet” are worth exactly the same", "„pass“ und „bet“ sind genau gleich viel wert"),
        ((0.5, 0.2, 0.2), "“bet” loses 0.30 against it", "„bet“ verliert dagegen 0,30"),
    ],
)
def test_of_exact_values_all_that_are_alike_are_told(values: tuple[float, ...], english: str, german: str) -> None:
    """Of three symbols of which none is better no two stand out."""
    best = [Advice(action, value, 0.0, 1 / 3, exact=True) for action, value in enumerate(values)]
    texts = {0: "pass", 1: "bet", 2: "raise"}
    assert english in reason_of(best, texts, (-2.0, 2.0), "en") and german in reason_of(best, texts, (-2.0, 2.0), "de")
