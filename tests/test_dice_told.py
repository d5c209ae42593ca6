"""A recording says what every die stood for: those of a roll of several, those thrown again, and what is drawn."""

from __future__ import annotations

import random
import re

import pytest

from probespiel.app.session.course import Course
from probespiel.envs.core.game import TellsDice
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Die, Recorder
from probespiel.envs.oneshot import state as st


def recorded(name: str, scenario: str, steps: int, seed: int = 4) -> Course:
    """A game by chance, dice and decisions one by one, as far as so many steps."""
    recorder, lot = Recorder(make_game(name, scenario, compiled=False)), random.Random(seed)
    position = recorder.position
    for _ in range(steps):
        if position.over:
            break
        if faces := position.die():
            recorder.fall(lot.randrange(faces))
            continue
        seat = position.to_act()[0]
        recorder.apply(seat, lot.choice(position.legal(seat)))
    return Course(recorder.replay())


def dice_told(course: Course, lang: str) -> dict[int, list[str]]:
    """What is told of each die, by the number of its step."""
    return {n: course.lines(n, None, lang) for n in range(1, len(course) + 1) if isinstance(course.step(n), Die)}


@pytest.mark.parametrize(("name", "scenario"), [
    ("scorekeeper-duel", "mafia_club"), ("scorekeeper-skirmish", "street_raid"),
    ("oneshot-skirmish", "duel_mirror"), ("oneshot-skirmish", "party_battle"), ("oneshot-parley", "council"),
    ("oneshot-parley", "market"), ("oneshot-parley", "claim"), ("oneshot-parley", "lone_claim"),
    ("oneshot-mission", "heist"), ("einblatt-campaign", "table32_tricks"), ("kuhn", "standard"), ("leduc", "standard"),
    ("goofspiel", "four"), ("liars_dice", "one_die"), ("liars_dice", "five_dice")])  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_die_is_told_as_a_mere_number(name: str, scenario: str, lang: str) -> None:
    """It said `chance, one of 2: 1` of who begins a talk, and `chance, one of 4: 1` of a die of damage."""
    told = dice_told(recorded(name, scenario, 120), lang)
    bare = re.compile(r"chance, one of|Zufall, eins von")
    assert len(told) > 1 or scenario == "claim"
    assert [lines for lines in told.values() if not lines or any(bare.search(line) for line in lines)] == []


def test_a_die_of_several_says_which_of_them_it_is() -> None:
    course = recorded("scorekeeper-skirmish", "street_raid", 400)
    found = [
        (number, match)
        for number, lines in dice_told(course, "en").items()
        if (match := re.fullmatch(r"(.+): damage, die (\d) of (\d): (\d)", lines[0]))
    ]
    assert len(found) > 3
    for number, match in found:
        who, nth, dice, fell = match.groups()
        last = course.lines(number + int(dice) - int(nth), None, "en")[0]  # the roll with all its dice
        assert last.strip().startswith(f"{who}: damage ")
        thrown = last.partition(": damage ")[2].partition(",")[0].split(" + ")
        assert len(thrown) == int(dice) and thrown[int(nth) - 1] == fell


def test_a_one_and_a_six_are_thrown_again() -> None:
    """R24: between the two there is nothing else to tell; who may do something about it is asked after them."""
    course = recorded("oneshot-parley", "council", 300)
    coin = next(n for n in dice_told(course, "en") if course.positions[n - 1].record.die_kind == st.Die.COIN)
    first = course.positions[coin].to_act()[0]
    assert course.heading(coin, None, "en") == f"drawn to speak first: {('first', 'second')[first]}"
    assert course.heading(coin, None, "de") == f"ausgelost, wer zuerst spricht: {('Erster', 'Zweiter')[first]}"
    again = 0
    for number, (line, *more) in dice_told(course, "en").items():
        record, fell = course.positions[number - 1].record, course.step(number)
        assert isinstance(fell, Die)
        confirmed = record.die_kind == st.Die.CHECK and fell.fell in (0, 5)
        assert confirmed == ("thrown again" in line) and not (confirmed and more)
        if confirmed:
            again += 1
            name = course.game.seats[int(record.die_at)].called("en")
            assert line == f"{name}: die {fell.fell + 1}, thrown again to confirm it"
            assert course.positions[number].record.die_kind == st.Die.CONFIRM
    assert again > 1


def test_what_is_drawn_of_strangers_and_statements_is_told() -> None:
    """Laid open, a recording says who the other side is, how it feels, and whether a statement was true."""
    market = recorded("oneshot-parley", "market", 1)
    values = [int(value) for value in market.positions[1].record.t_value[1]]
    drawn = ", ".join(f"{name} {value}" for name, value in zip(("body", "mind", "charisma"), values))
    assert market.heading(1, None, "en") == f"counterpart: {drawn}" and market.heading(1, 0, "en") == ""
    for fell, english, german in ((0, "a true statement", "eine wahre Aussage"), (99, "a lie", "eine Lüge")):
        recorder = Recorder(make_game("oneshot-parley", "lone_claim", compiled=False))
        recorder.fall(fell)
        course = Course(recorder.replay())
        assert course.heading(1, None, "en") == f"drawn: {english}"
        assert course.heading(1, None, "de") == f"ausgelost: {german}"
    heist = recorded("oneshot-mission", "heist", 60, 2)
    found = {lines[0].split(": ")[0] for lines in dice_told(heist, "en").values()}
    assert "die for the mission" in found
    texts = heist.game.spec.texts
    assert isinstance(texts, TellsDice)
    asked = [heist.positions[n - 1] for n in dice_told(heist, "en")]
    (stranger,) = (position for position in asked if position.record.die_kind == st.Die.RELATION)
    told = [texts.fell(stranger, outcome, "de") for outcome in (0, 5)]
    assert told == ["Beziehung \N{MINUS SIGN}1 (eher feindlich), Würfel 1", "Beziehung +1 (eher freundlich), Würfel 6"]


@pytest.mark.parametrize(("game", "fallen", "english", "german"), [
    ("kuhn", (1, 1), "second is dealt: king", "Zweiter bekommt: König"),
    ("kuhn", (1, 0), "second is dealt: jack", "Zweiter bekommt: Bube"),
    ("leduc", (3,), "first is dealt: queen of hearts", "Erster bekommt: Herz Dame"),
    ("leduc", (3, 3), "second is dealt: king of spades", "Zweiter bekommt: Pik König"),
    ("liars_dice", (3,), "first: die 4", "Erster: Würfel 4"),
    ("liars_dice", (3, 0), "second: die 1", "Zweiter: Würfel 1"),
    ("liars_dice/two_dice", (3, 5), "first: die 2 of 2: 6", "Erster: Würfel 2 von 2: 6"),
    ("liars_dice/two_dice", (3, 5, 0), "second: die 1 of 2: 1", "Zweiter: Würfel 1 von 2: 1")])  # fmt: skip
def test_what_is_dealt_in_games_of_reference_is_told(
    game: str, fallen: tuple[int, ...], english: str, german: str
) -> None:
    """It said `chance, one of 3: 2` of a card, which is another one by what was dealt before."""
    name, _, scenario = game.partition("/")
    recorder = Recorder(make_game(name, scenario or None, compiled=False))
    for outcome in fallen:
        recorder.fall(outcome)
    course = Course(recorder.replay())
    assert course.heading(len(fallen), None, "en") == english and course.heading(len(fallen), None, "de") == german
    assert course.lines(len(fallen), 0, "en") == [], "a recording through the eyes of a seat says it by its hand"


def test_the_public_card_is_told_once() -> None:
    recorder = Recorder(make_game("leduc", compiled=False))
    for outcome in (3, 3):
        recorder.fall(outcome)
    for seat in (0, 1):
        recorder.apply(seat, 1)
    recorder.fall(3)
    assert Course(recorder.replay()).lines(5, None, "de") == ["offene Karte: Herz König"]


def test_what_a_trap_does_is_told() -> None:
    """It said `chance, one of 6: 3` of a die of damage; at the table a hero it did not wound heard nothing."""
    course = recorded("oneshot-mission", "cellar_cleanse", 150, 7)
    told = dice_told(course, "de")
    traps = [n for n in told if course.positions[n - 1].record.die_kind == st.Die.TRAP]
    assert [told[n] for n in traps] == [
        ["Schaden an Kämpfer: 6 gegen Verteidigung 6"],
        ["Schaden an Schütze: 2 gegen Verteidigung 4, keine Wunde"],
        ["Schaden an Diplomat: 6 gegen Verteidigung 5"],
    ]
    for seat in range(3):
        assert course.events(traps[1], seat, "en") == ["damage to archer: 2 against defence 4, no wound"]


@pytest.mark.parametrize(("kind", "english", "german"), [
    (st.Die.CHECK, "first: die 2", "Erster: Würfel 2"),
    (st.Die.CONFIRM, "first: confirming die 2", "Erster: Bestätigungswürfel 2")])  # fmt: skip
def test_a_die_before_a_question_is_told(kind: st.Die, english: str, german: str) -> None:
    """R24, R136: whoever has luck is asked before anybody is told what came of the roll."""
    course = recorded("oneshot-parley", "council", 300)
    dice = [position for position in course.positions if position.die() and position.record.die_kind == kind]
    position = next(position for position in dice if position.record.die_at == 0).clone()
    texts = position.game.spec.texts
    assert isinstance(texts, TellsDice)
    assert texts.fell(position, 1, "en") == "", "an event tells of it"
    position.record.t_luck[0], position.record.ck_need = 1, 9
    assert texts.fell(position, 1, "en") == english and texts.fell(position, 1, "de") == german
