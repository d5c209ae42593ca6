"""Who does it, on a mission: what stands beside each hero is the chance that all dice together give."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from probespiel.app.oneshot.mission import draw
from probespiel.app.session.notes import legend_of, notes_on
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.dicing import ask
from probespiel.envs.oneshot.mission.trying import Trial, modifiers, trial_of
from probespiel.envs.oneshot.state import EVENT, LUCK, SAGA, Action, Event, Phase, RoomEvent
from tests.test_notes import everybody, sight_of
from tests.test_play import Script
from tests.test_told_at_the_table import packed

TRAP, PUZZLE, TALK = RoomEvent.TRAP, RoomEvent.PUZZLE, RoomEvent.TALK
ROPE, LOCKPICKS, TOOLBOX, PRECISION, SKELETON_KEY = range(5)
ARCHER, FIGHTER, SKIRMISHER, SCHOLAR = range(4)


@cache
def heist(**options: Any) -> Game:
    return make_game("oneshot-mission", "heist", compiled=False, **options)


def asked(event: RoomEvent, node: Phase = Phase.ASSIGN, **options: Any) -> Table:
    """The party before a room with that in it: one with luck, one hurt, one with tools, and one with nothing."""
    table = everybody(heist(**options), 3)
    s = table.position.record
    s.room_event[s.room] = event
    ask(s, node, 0)
    s.luck[ARCHER], s.saga[ARCHER] = 1, 1
    s.wounds[FIGHTER], s.saga[FIGHTER] = 4, 0
    s.burden[SCHOLAR], s.tools[SCHOLAR, PRECISION] = 2, 3
    s.saga[SKIRMISHER] = 2
    return table


def works(position: Position, action: int, *spends: int, tool: bool = False) -> Fraction:
    """The chance of the test after an action, by all dice; what helps is spent if it is among `spends`."""

    def go(at: Position) -> Fraction:
        for event in at.events():
            kind, _, a, _ = EVENT.unpack(event)
            if kind == Event.CHECK:
                return Fraction(a)
        faces = at.die()
        if faces:
            found = Fraction(0)
            for fell in range(faces):
                after = at.clone()
                after.fall(fell)
                found += go(after)
            return found / faces
        legal = at.legal(at.to_act()[0])
        wanted = [a for a in spends if a in legal] or [Action.USE_TOOL if tool else Action.NO_TOOL]
        after = at.clone()
        after.apply(at.to_act()[0], next((a for a in wanted if a in legal), legal[0]))
        return go(after)

    after = position.clone()
    after.apply(0, action)
    return go(after)


def shares(told: str) -> list[int]:
    return [int(n) for n in re.findall(r"(\d+)\s%", told)]


def per_cent(share: Fraction) -> int:
    return int(f"{100 * float(share):.0f}")


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("event", [TRAP, PUZZLE])
@pytest.mark.parametrize("options", [{}, {"saga_confirm": "auto_success", "sg": 5}])
def test_each_hero_tells_the_chance_of_all_dice(event: RoomEvent, lang: str, options: dict[str, Any]) -> None:
    table = asked(event, **options)
    position, beside = table.position, notes_on(sight_of(table, 0, lang))
    for hero in (ARCHER, FIGHTER, SKIRMISHER, SCHOLAR):
        action = int(Action.ASSIGN) + hero
        plain, _, tool = beside[action].partition(";")
        bare, _, hurt = plain.partition({"en": ", else", "de": ", sonst"}[lang])
        assert shares(bare)[0] == per_cent(works(position, action)), plain
        if event == TRAP:  # a wound if the die and one reach the defence
            need = int(position.record.defence[hero]) - 1
            assert shares(hurt) == [per_cent(Fraction(sum(face >= need for face in range(1, 7)), 6))]
        saved = works(position, action, LUCK, SAGA)
        if hero == ARCHER:
            assert saved == 1 and {"en": "(always with luck)", "de": "(mit Glück immer)"}[lang] in bare
        else:
            assert [per_cent(saved)] * (saved > works(position, action)) == shares(bare)[1:], plain
        if hero == SCHOLAR:  # he uses the best he has
            assert shares(tool)[0] == per_cent(works(position, action, tool=True)), tool
            assert {"en": " with precision kit", "de": " mit Werkzeug (Präzisionswerkzeug)"}[lang] in tool
        else:
            assert not tool


@pytest.mark.parametrize(("lang", "always", "wanted"), [
    ("en", 0, "works 94 % (with a saga point 100 %)"), ("en", 2, "works always"),
    ("de", 2, "gelingt immer")])  # fmt: skip
def test_a_tool_tells_the_chance_with_it(lang: str, always: int, wanted: str) -> None:
    table = asked(PUZZLE)
    s = table.position.record
    s.tools[SCHOLAR, SKELETON_KEY], s.hero = always, SCHOLAR
    ask(s, Phase.TOOL, 0)
    sight = sight_of(table, 0, lang)
    told = {choice.verb: notes_on(sight)[choice.action] for choice in sight.choices}
    assert sight.asked.startswith({"en": "scholar: use a tool?", "de": "Gelehrter: ein Werkzeug"}[lang])
    assert told["use_tool"] == wanted
    bare = {"en": "works 33 %", "de": "gelingt 33\N{NO-BREAK SPACE}%"}[lang]
    assert told["no_tool"].startswith(bare)


@pytest.mark.parametrize("out", [(), (FIGHTER,)])
def test_who_sneaks_for_all_is_named_with_the_chance(out: tuple[int, ...]) -> None:
    table = asked(RoomEvent.CONFRONTATION, Phase.APPROACH)
    s = table.position.record
    s.standing[list(out)] = 1
    sight = sight_of(table, 0)
    name = "scholar" if out else "fighter"
    beside = notes_on(sight)
    for action in (Action.AMBUSH, Action.BYPASS):
        assert beside[int(action)].startswith(f"{name}: works ")
        assert shares(beside[int(action)])[0] == per_cent(works(table.position, int(action)))
    assert int(Action.FIGHT) not in beside


def test_whoever_might_talk_tells_how_well() -> None:
    beside = notes_on(sight_of(asked(TALK), 0))
    assert beside[int(Action.ASSIGN) + FIGHTER] == "aggressive 2, cunning 0, diplomatic 0"


@pytest.mark.parametrize(("event", "wanted"), [
    (TRAP, "after a critical failure all of you may"), (PUZZLE, "a failure costs 3 min"),
    (TALK, "there is a fight")])  # fmt: skip
def test_what_hangs_on_it_is_said(event: RoomEvent, wanted: str) -> None:
    """At the terminal below the position, on the page beside what is here."""
    table = asked(event)
    sight = sight_of(table, 0)
    drawn = draw(sight)
    assert wanted in legend_of(sight) and drawn is not None and wanted in drawn.values["stake"]
    script = Script("q")
    Session(table, read=script.read, write=script.write, width=300).run()
    assert wanted in script.text and "does it  - " in script.text


def test_the_position_tells_what_each_hero_brings_and_carries() -> None:
    """Nothing said who could sneak, what anybody carried, and who was hurt so much that every die suffers."""
    table = asked(TRAP)
    for lang, line, hurt in (
        ("en", "tests (4 needed): sneaking 0, traps 0, puzzles -1; carries lockpicks (+2), "
         "precision kit (+4, uses left 3), fire flask", "every die -1"),
        ("de", "Proben (4 gebraucht): Schleichen 0, Fallen 0, Rätsel −1; trägt Dietriche (+2), "
         "Präzisionswerkzeug (+4, noch 3 Mal), Feuerflasche", "jeder Würfel −1"),
    ):  # fmt: skip
        told = table.position.told(0, lang)
        assert f"   {line}" in told.splitlines()
        assert [hurt in row for row in told.splitlines() if row[1:3] == "b "] == [True]
        s, p = table.position.record, table.game.params
        found = sight_of(table, 0, lang).facts["trials"]
        assert [trial.modifiers for trial in found] == [modifiers(s, p, hero) for hero in range(4)]
        assert found[SCHOLAR].tools == (("lockpicks", 2), ("precision_kit", 4)) and not found[FIGHTER].tools


def test_the_tool_that_is_used_is_the_best_one() -> None:
    table = asked(TRAP)
    s, p = table.position.record, table.game.params
    names = table.game.spec.texts.tools  # type: ignore[attr-defined]
    s.tools[SCHOLAR, SKELETON_KEY], s.burden[SCHOLAR] = 1, 7
    found = trial_of(s, p, SCHOLAR, names)
    assert found.modifiers == modifiers(s, p, SCHOLAR)
    assert found.best is not None and found.best == (names[SKELETON_KEY], None)
    assert Trial((0, 0, 0)).best is None


@pytest.mark.parametrize(("lang", "party", "enemies"), [
    ("en", "=== the party wins the fight", "=== the enemies win the fight"),
    ("de", "=== die Gruppe gewinnt den Kampf", "=== die Gegner gewinnen den Kampf"),
])  # fmt: skip
def test_fights_of_a_mission_are_won_by_those_who_are_known(lang: str, party: str, enemies: str) -> None:
    """`=== Blau gewinnt` ended a mission in which nobody had been called blue."""
    game = heist()
    assert [game.say(packed(EVENT, Event.END, -1, side, 0), 0, lang) for side in (0, 1)] == [party, enemies]
    draw_ = {"en": "=== a draw", "de": "=== unentschieden"}[lang]
    assert game.say(packed(EVENT, Event.END, -1, 2, 0), 0, lang) == draw_


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_diary_of_a_mission_tells_what_was_met(lang: str) -> None:
    """Enemies and tests were left out: their lines had come to read otherwise."""
    table = asked(TRAP)
    met = ((Event.ROOM, -1, 5, 1), (Event.EVENT, -1, TRAP, 1), (Event.CHECK, 0, 1, 4), (Event.CHECK, 1, 0, 7),
           (Event.ROOM, -1, 5, 2), (Event.EVENT, -1, RoomEvent.CONFRONTATION, 2))  # fmt: skip
    lines = [table.game.say(packed(EVENT, *event), 0, lang) for event in met]
    drawn = draw(replace(sight_of(table, 0, lang), events=lines))
    assert drawn is not None
    assert drawn.values["diary"] == {
        "en": ["event room: enemies", "event room: a trap, archer succeeds (needed 4, roll 4), fighter fails"],
        "de": ["Ereignisraum: Gegner", "Ereignisraum: eine Falle, Schütze schafft es (gebraucht 4, zusammen 4), "
               "Kämpfer scheitert"],
    }[lang]  # fmt: skip
