"""Screens of fights, talks, builds and missions: their chances are those of the rules, and they show what is known."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.app.oneshot import ground
from probespiel.app.oneshot.build import Model, character, completed, duel_of, hits_from
from probespiel.app.oneshot.ground import Weapon as GroundWeapon
from probespiel.app.oneshot.ground import odds_of
from probespiel.app.oneshot.screen import draw
from probespiel.app.session.notes import notes_on
from probespiel.app.session.table import Table
from probespiel.app.web.screens import Choice, Drawn, Sight
from probespiel.envs.core.abi import ENDED
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.choices import Scenario
from probespiel.envs.oneshot.exact import hit_chance
from probespiel.envs.oneshot.mission.text import GOALS
from probespiel.envs.oneshot.state import Phase
from probespiel.evaluation.oneshot.builds import figure_of


def sight_of(table: Table, seat: int, lang: str = "en") -> Sight:
    seen = table.seen(seat, lang)
    return Sight.of(table.game, seen, [Choice.of(option) for option in seen.choices])


def drawn_of(table: Table, seat: int, lang: str = "en") -> Drawn | None:
    return draw(sight_of(table, seat, lang))


def won(position: Position, seat: int, before: int) -> Fraction | None:
    """The chance that the pending check succeeds, by all dice; None if somebody may react to it."""
    faces = position.die()
    record = position.record
    outcome = int(record.l_outcome[seat])
    if not faces or (sum(record.tally[seat].ravel()) > before and outcome >= 0):
        if position.phase() in ("react_fail", "react_six") and int(record.node) in (Phase.REACT_FAIL, Phase.REACT_SIX):
            return None
        return Fraction(outcome in (0, 1))
    parts = []
    for fell in range(faces):
        after = position.clone()
        after.fall(fell)
        part = won(after, seat, before)
        if part is None:
            return None
        parts.append(part)
    return sum(parts, Fraction(0)) / faces


def test_chances_are_those_of_the_rules() -> None:
    game, checked, shown = make_game("oneshot-parley", compiled=False), 0, set[str]()
    for seed in range(3):
        table, chance = Table(game, {0: "human", 1: "human"}, seed), random.Random(seed)
        while not table.over:
            seat = table.waiting()[0]
            drawn = drawn_of(table, seat)
            if table.position.phase() == "talk" and drawn is not None:
                record = table.position.record
                values = drawn.values
                shown |= {key for key in ("last", "reason") if values[key]}
                for method in range(3):
                    felt = int(record.mood_wounds[seat] if method == 0 else record.mood_relation[seat])
                    if felt != (values["wounds"] if method == 0 else values["mood"]):
                        continue  # a mood that the seat cannot know has changed
                    after = table.position.clone()
                    after.apply(seat, game.actions.starts["talk"] + method)
                    truth = won(after, seat, int(record.tally[seat].sum()))
                    if truth is not None:
                        value = int(record.t_value[1 - seat, method])
                        assert values["methods"][method]["chances"][value] == round(100 * float(truth))
                        checked += 1
            table.choose(seat, chance.choice(table.legal(seat)))
    assert checked > 20 and shown == {"last", "reason"}


def test_before_characters_are_chosen_the_generic_page_serves() -> None:
    game = make_game("oneshot-parley", compiled=False)
    assert drawn_of(Table(game, {0: "human", 1: "human"}, 1), 0) is None, "nothing is chosen yet"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_build_fills_and_the_other_is_revealed_at_the_end(lang: str) -> None:
    game, chance = make_game("oneshot-build", compiled=False), random.Random(2)
    table = Table(game, {0: "human", 1: "human"}, 1)
    stages = 0
    while not table.over:
        seat = table.waiting()[0]
        drawn = drawn_of(table, seat, lang)
        assert drawn is not None and drawn.values["columns"] == [game.seats[seat].called(lang)]
        rows = drawn.values["rows"]
        at = [row["now"] for row in rows].index(True)
        assert all(row["chosen"][0] for row in rows[:at]) and not any(row["chosen"][0] for row in rows[at:])
        assert len(rows) == 10 and (at < 2 or drawn.values["values"])
        stages = max(stages, at)
        table.choose(seat, chance.choice(table.legal(seat)))
    assert stages > 5
    drawn = drawn_of(table, 0, lang)
    assert drawn is not None and drawn.values["columns"] == [who.called(lang) for who in game.seats]
    assert len(drawn.values["rest"]) == 1
    assert all(len(row["chosen"]) == 2 for row in drawn.values["rows"])


def attack_truth(position: Position, action: int, seat: int) -> tuple[Fraction, Fraction]:
    """The chances that an attack hits and that it wounds, by all dice, as the log tells them."""
    game = position.game

    def go(at: Position) -> tuple[Fraction, Fraction]:
        told = [game.spec.texts.event(event, None, "en") for event in at.events()]
        for line in told:
            numbers = re.search(r"damage to .*: (-?\d+) against defence (-?\d+)(?:, no wound)?$", line)
            if numbers:
                return Fraction(1), Fraction(int(numbers[1]) >= int(numbers[2]))
            if re.search(r" misses: die \d, total -?\d+, needed -?\d+$", line):
                return Fraction(0), Fraction(0)
        faces, parts = at.die(), []
        for fell in range(faces):
            after = at.clone()
            after.fall(fell)
            parts.append(go(after))
        return sum((p[0] for p in parts), Fraction(0)) / faces, sum((p[1] for p in parts), Fraction(0)) / faces

    after = position.clone()
    after.apply(seat, action)
    return go(after)


def test_odds_of_attacks_and_the_way_to_them_on_the_ground() -> None:
    game, chance = make_game("oneshot-skirmish", "melee_vs_bow", compiled=False), random.Random(3)
    table, checked, near = Table(game, {0: "human", 1: "human"}, 4), 0, 0
    for _ in range(60):
        if table.over:
            break
        seat = table.waiting()[0]
        sight = sight_of(table, seat, "de" if checked % 2 else "en")
        drawn, beside = draw(sight), notes_on(sight)
        assert drawn is not None
        codes = {action: game.actions.codes[action].split(":")[0] for action in table.legal(seat)}
        attacks = [action for action, code in codes.items() if code == "attack"]
        targets = [f["attack_by"].action for f in drawn.values["ground"]["figures"] if f["attack_by"]]
        assert bool(attacks) == bool(targets) and set(targets) <= set(attacks)
        for action in attacks:
            hit, wound = attack_truth(table.position, action, seat)
            parts = [f"{100 * float(hit):.0f}", f"{100 * float(wound):.0f}"]
            assert re.findall(r"(\d+)[ \N{NO-BREAK SPACE}]%", beside[action]) == parts
            checked += 1
        moves = drawn.values["ground"]["moves"]
        for move in moves[:: max(1, len(moves) // 3)]:  # a place from which it is said that somebody can be reached
            after = table.position.clone()
            after.apply(seat, move["choice"].action)
            if after.phase() == "turn" and after.to_act() == [seat]:
                legal = [game.actions.codes[action].split(":")[0] for action in after.legal(seat)]
                assert move["near"] == ("attack" in legal)
                near += move["near"]
        wanted = [action for action, code in codes.items() if code in ("move", "attack")]
        table.choose(seat, chance.choice(wanted or list(codes)))
    assert checked > 3 and near > 0


def test_a_mission_shows_what_the_party_knows_and_what_it_earns() -> None:
    game, chance = make_game("oneshot-mission", "courier", compiled=False), random.Random(5)
    table, seen = Table(game, {0: "human", 1: "human"}, 3), set[str]()
    for _ in range(400):
        if table.over:
            break
        seat = table.waiting()[0]
        drawn = drawn_of(table, seat)
        assert drawn is not None and drawn.values["goals"][0]["words"]
        record, rooms = table.position.record, drawn.values["map"]["rooms"]
        assert sum(room["kind"] is not None for room in rooms) == sum(record.visited[: int(record.n_rooms)] > 0)
        assert sum(room["here"] for room in rooms) == 1
        assert drawn.values["minutes"] == int(record.minutes)
        phase = table.position.phase()
        if phase == "explore":
            ways = [choice for choice in table.seen(seat).choices if choice.verb == "go"]
            assert {room["go"].action for room in rooms if room["go"]} == {way.id for way in ways} <= drawn.placed
        seen |= {"fight"} if drawn.values["fight"] else {"talk"} if drawn.values["talk"] else {phase}
        codes = {game.actions.codes[action].split(":")[0]: action for action in table.legal(seat)}
        wanted = [codes[code] for code in ("bypass", "go") if code in codes and chance.random() < 0.9]
        table.choose(seat, wanted[0] if wanted else chance.choice([a for c, a in codes.items() if c != "abort"]))
    assert table.over and {"explore", "approach"} <= seen
    drawn = drawn_of(table, 0, "de")
    assert drawn is not None and drawn.values["over"]
    assert drawn.values["success"] == bool(table.position.returns()[0])
    assert [name for name, _, _ in drawn.values["pay"]] == ["Plänkler", "Gelehrter"]


@pytest.mark.parametrize(("melee", "covered", "faces"), [
    (False, False, 4),  # the attack value 5 less the rank 2: 3 or more
    (False, True, 3),  # A22: 4 or more, for one square of the target lies in cover
    (True, True, 4),  # cover is no help hand to hand
])  # fmt: skip
def test_cover_helps_against_shots_alone(melee: bool, covered: bool, faces: int) -> None:
    ground, edges = np.zeros((2, 4, 4)), np.zeros((3, 8, 8))
    ground[1, 1, 2] = covered
    sight: Any = SimpleNamespace(
        pieces={"map": ground, "edges": edges}, game=SimpleNamespace(params=SimpleNamespace(cover_modifier=-1))
    )
    me = {"x": 0, "y": 0, "span": 1, "attack": 5, "armour_malus": 0, "malus": 0, "surprise": False, "strength": 1,
          "agility": 1, "finesse": False}  # fmt: skip
    foe = {"x": 1, "y": 0, "span": 2, "aim": 0, "defence": 4}
    found = odds_of(sight, me, foe, GroundWeapon(melee, 1, 6, 2))
    assert found is not None and found.hit == pytest.approx(faces / 6)
    assert found.wound == pytest.approx(found.hit * 5 / 6), "strength 1 and 1 of the weapon: 2 or more wound"


def test_a_mission_shows_saga_points_the_target_and_the_main_goal_first() -> None:
    game = make_game("oneshot-mission", "heist", compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    record = table.position.record
    record.saga[:4] = (0, 3, 10, 1)
    record.n_scenarios, record.scenarios[1] = 2, Scenario.DESTROY  # a side condition asks for another task
    drawn = drawn_of(table, 0)
    assert drawn is not None and [hero["saga"] for hero in drawn.values["heroes"]] == [0, 3, 10, 1]
    assert [(goal["name"], goal["main"]) for goal in drawn.values["goals"]] == [("retrieve", True), ("destroy", False)]
    rooms = drawn.values["map"]["rooms"]
    assert len(rooms) > 1 and not any(room["target"] for room in rooms), "it has not been seen"
    record.room_type[record.room] = st.ROOM_TYPES.index("target_area")
    drawn = drawn_of(table, 0)
    assert drawn is not None
    assert [room["target"] for room in drawn.values["map"]["rooms"]] == [room["here"] for room in rooms]


def test_a_mission_given_up_at_once_says_why_it_pays_two_points() -> None:
    """R120, and the ruling on it: both points are paid whatever the result; unexplained, two looked like a mistake."""
    game = make_game("oneshot-mission", "cellar_cleanse", compiled=False)  # its time limit is optional
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    before = drawn_of(table, 0)
    assert before is not None and before.values["paid_anyway"] == ""
    while not table.over:
        table.choose(table.waiting()[0], game.actions.codes.index("abort"))
    for lang, begins in (("en", "The rules pay this though"), ("de", "Das zahlen die Regeln, obwohl")):
        drawn = drawn_of(table, 0, lang)
        assert drawn is not None and drawn.values["success"] is False and drawn.values["minutes"] == 0
        assert {(points, dead) for _, points, dead in drawn.values["pay"]} == {(2, False)}
        assert drawn.values["paid_anyway"].startswith(begins)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_mission_that_succeeds_is_told_as_accomplished(lang: str) -> None:
    """The page said `Mission failed` below `the mission has succeeded`: it looked for words that no line has."""
    game = make_game("oneshot-mission", "courier", compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    under_way = drawn_of(table, 0, lang)
    assert under_way is not None and under_way.values["success"] is False
    table.position.record.success, table.position.record.status_of_game = 1, ENDED
    assert table.over and table.position.returns()[0] == 1
    drawn = drawn_of(table, 0, lang)
    assert drawn is not None and drawn.values["success"] is True and drawn.values["paid_anyway"] == ""


def test_what_is_settled_in_a_room_is_said() -> None:
    """`Here: somebody to talk to` stood on the page long after the talk, as if there were something left to do."""
    game = make_game("oneshot-mission", "cellar_cleanse", compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    record = table.position.record
    record.room_type[record.room], record.room_event[record.room] = st.Room.EVENT_ROOM, st.RoomEvent.PUZZLE
    for cleared in (False, True):
        record.cleared[record.room] = cleared
        drawn = drawn_of(table, 0)
        assert drawn is not None and drawn.values["event"] == "a puzzle"
        assert drawn.values["settled"] is cleared and drawn.values["map"]["todo"] is False, "it is where the party is"
    other = int(record.room_links[record.room].max())
    record.visited[other], record.room_type[other], record.cleared[other] = 1, st.Room.EVENT_ROOM, 0
    drawn = drawn_of(table, 0)
    assert drawn is not None and drawn.values["map"]["todo"] is True


def test_a_fallen_party_is_neither_paid_nor_rolls_dice() -> None:
    """The page explained why "this" is paid where nobody got anything, and told of the dice of the dead."""
    game = make_game("oneshot-mission", "cellar_cleanse", compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    while not table.over:
        table.choose(table.waiting()[0], game.actions.codes.index("abort"))
    record, heroes = table.position.record, range(game.n_seats)
    for hero in heroes:
        record.wounds[hero] = record.limit[hero] + 1
    hurt = drawn_of(table, 0)
    assert hurt is not None and all(hero["said"].endswith(", every die −1") for hero in hurt.values["heroes"])
    assert table.position.told(0, "en").count("every die -1") == game.n_seats
    record.standing[: game.n_seats] = st.Status.DEAD
    fallen = drawn_of(table, 0)
    assert fallen is not None and [hero["said"] for hero in fallen.values["heroes"]] == ["dead"] * game.n_seats
    assert {(points, dead) for _, points, dead in fallen.values["pay"]} == {(0, True)}
    assert fallen.values["paid_anyway"] == "" and "every die" not in table.position.told(0, "en")


def test_a_mission_tells_its_goal_and_conditions_in_words() -> None:
    position = Table(make_game("oneshot-mission", "cellar_cleanse", compiled=False), {}, 3).position
    english, german = position.told(0, "en").splitlines(), position.told(0, "de").splitlines()
    assert english[1:3] == [f"  {GOALS[Scenario.CLEANSE][0]}", "  time limit (optional) 20 min"]
    assert german[1:3] == [f"  {GOALS[Scenario.CLEANSE][1]}", "  Zeitlimit (optional) 20 min"]


def test_a_talk_tells_how_many_successes_are_needed_and_methods_as_they_are_chosen() -> None:
    game, chance = make_game("oneshot-parley", "council", compiled=False), random.Random(1)
    table = Table(game, {0: "human", 1: "human"}, 1)
    while table.position.phase() != "talk":
        table.choose(table.waiting()[0], chance.choice(table.legal(table.waiting()[0])))
    seat = table.waiting()[0]
    for lang, word in (("en", "successes"), ("de", "Erfolge")):
        seen = table.seen(seat, lang)
        assert seen.told.count(f"{word} 0/{int(game.params.goal_successes)}") == 2
        methods = [option.text for option in seen.choices if option.detail or option.target in (
            "aggressive", "cunning", "diplomatic")]  # fmt: skip
        assert len(methods) == 3 and all(f"  {method} " in seen.told for method in methods)


def test_a_build_is_worth_what_the_exact_duel_says() -> None:
    game, chance = make_game("oneshot-build", compiled=False), random.Random(7)
    table = Table(game, {0: "human", 1: "human"}, 1)
    while not table.over:
        for seat in table.waiting():
            table.choose(seat, chance.choice(table.legal(seat)))
    seen = table.seen(0)
    record, kit = table.position.record, built_in_kit()
    char = character(game.params, [int(n) for n in record.choice[0]], kit)
    assert char["weapons"][0] in seen.told and char["armour"] in seen.told
    figure = figure_of(char, "attack", game.spec.texts.options, kit)  # type: ignore[attr-defined]
    assert list(figure)[: st.D_TALK] == [int(n) for n in record.figure[0]][: st.D_TALK]
    model = Model(game, kit)
    assert completed(game, record.choice[0].tolist(), model) == record.choice[0].tolist()
    assert duel_of(game, [], model, model) == pytest.approx(0.5), "a mirror"
    mine = [int(n) for n in record.choice[1]]
    assert 0 < (duel_of(game, mine, model, Model(game, kit, talker=True)) or 0) < 1


@pytest.mark.parametrize(("automatics", "lang", "words"), [
    (False, "en", {"always": 36, "never": 0}), (True, "en", {"nearly always": 34, "hardly ever": 2}),
    (False, "de", {"immer": 36, "nie": 0}), (True, "de", {"fast immer": 34, "fast nie": 2}),
])  # fmt: skip
def test_an_attack_hits_from_the_throw_that_is_told(automatics: bool, lang: str, words: dict[str, int]) -> None:
    """As often as the exact odds say; nobody is told that a throw of -6 hits."""
    for least in range(-8, 20):
        told = hits_from(least, automatics, lang)
        throws = words[told] if told in words else 6 * (7 - int(told))
        assert throws / 36 == pytest.approx(hit_chance(least, 0, automatics)), (least, told)


@pytest.mark.parametrize(("limit", "span", "gap"), [(3, 1, 9.0), (40, 1, 32 / 40), (40, 2, 72 / 40), ("", 1, 0.0)])
def test_marks_of_wounds_stay_on_the_figure(limit: int | str, span: int, gap: float) -> None:
    """Nine units apart where there is room, else as far as all of them fit; those that were suffered are full."""
    one = {"x": 1, "y": 0, "span": span, "limit": limit, "wounds": 2, "foe": False}
    found = ground._piece(one, lambda y, height: 0.0, cast(Any, None), {})
    pips = found["pips"]
    assert len(pips) == (limit or 0) and [pip["full"] for pip in pips] == [k < 2 for k in range(len(pips))]
    assert np.diff([pip["x"] for pip in pips]) == pytest.approx(np.full(max(len(pips) - 1, 0), gap))
    assert not pips or (pips[0]["x"] + pips[-1]["x"]) / 2 == pytest.approx(found["cx"])


def test_who_is_called_red_is_painted_red_whoever_looks() -> None:
    """The red fighter was blue on its own screen, and the blue one red; in missions nobody is called by a colour."""
    table = Table(make_game("oneshot-skirmish", "duel_mirror", compiled=False), {0: "human", 1: "human"}, 3)
    red = [bool(drawn.values["red"]) for seat in (0, 1) if (drawn := drawn_of(table, seat)) is not None]
    assert red == [info.called("en") == "red fighter" for info in table.game.seats] == [True, False]
