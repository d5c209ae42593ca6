"""What a person reads in a game: lines that were wrong, said too little, or showed names of the inside."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.konfrontation.notes import notes as power_notes
from probespiel.app.reasons import error_text, places_of, reason_of
from probespiel.app.scorekeeper.notes import _needed
from probespiel.app.session.advice import Advice
from probespiel.app.session.groups import Group, grouped
from probespiel.app.session.seen import Option, seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.session.table import Table
from probespiel.app.terminal import play
from probespiel.app.terminal.board import Board
from probespiel.app.terminal.entries import entries
from probespiel.app.terminal.opening import cast_lines
from probespiel.app.terminal.play import Session
from probespiel.app.terminal.screen import fold
from probespiel.envs.core.events import EventLayout
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.modules.load import load_modules
from probespiel.envs.core.registry import game_names, make_game, system, system_names
from probespiel.envs.core.rulebook import explain, modules_of
from probespiel.envs.einblatt import state as einblatt
from probespiel.envs.konfrontation import state as konfrontation
from probespiel.envs.oneshot import state as oneshot
from probespiel.envs.oneshot.choices import Scenario
from probespiel.envs.oneshot.text import called
from probespiel.envs.scorekeeper import state as scorekeeper


def packed(layout: EventLayout, *numbers: int) -> int:
    """An event of these numbers."""
    return sum((number - low) << at for number, low, at in zip(numbers, layout.low, layout.at, strict=True))


def begun(name: str, scenario: str | None = None, **more: Any) -> Position:
    """A game at its first question."""
    position = make_game(name, scenario, compiled=False, **more).position(seed=5)
    position.roll()
    return position


# --- einBlatt -----------------------------------------------------------------------------------------------------


def card_event(kind: int, seat: int, a: int, b: int = 0) -> int:
    """An event that everybody has seen."""
    return packed(einblatt.EVENT, kind, seat, a, b, 0xFFFF)


@pytest.mark.parametrize(("lang", "wanted"), [("en", "Billy: hearts is trump"), ("de", "Billy: Herz ist Trumpf")])
def test_a_trump_suit_has_its_name(lang: str, wanted: str) -> None:
    """It was `H`."""
    assert begun("einblatt-duel").game.say(card_event(einblatt.Event.TRUMP, 0, 3, 1), 0, lang) == wanted


def test_no_cards_drawn_are_no_news() -> None:
    game = begun("einblatt-duel").game
    assert game.say(card_event(einblatt.Event.DRAWS, 0, 0), 0, "en") == ""
    assert game.say(card_event(einblatt.Event.DRAWS, 0, 1), 1, "en") == "Billy draws 1 card"


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "restriction dexterity 2, charisma 1"), ("de", "Einschränkung Geschick 2, Charisma 1")])  # fmt: skip
def test_restrictions_stand_in_the_position(lang: str, wanted: str) -> None:
    """R74: they take cards from every later hand, and were told at the end only."""
    position = begun("einblatt-campaign")
    names = list(position.game.spec.options["seats"][0]["attributes"])
    assert "restriction" not in position.told(0, "en")
    position.record.restr[0, names.index("dexterity")] = 2
    position.record.restr[0, names.index("charisma")] = 1
    own, other = position.told(0, lang).splitlines()[1:3]
    assert own.endswith(wanted) and wanted.split()[0] not in other


def test_restrictions_of_a_single_attribute_need_no_name() -> None:
    position = begun("einblatt-duel")
    position.record.restr[0, 0] = 2
    assert position.told(0, "en").splitlines()[1].endswith("  restriction 2")


@pytest.mark.parametrize(("lang", "order", "pays", "asked", "mark"), [
    ("en", "Mortimer gives an order to Francis: wait", "Francis does not obey Mortimer", "give an order to Kyle",
     "order: wait"),
    ("de", "Mortimer gibt Francis einen Befehl: abwarten", "Francis gehorcht Mortimer nicht",
     "gib einen Befehl an Kyle", "Befehl: abwarten"),
])  # fmt: skip
def test_an_order_tells_who_gives_it_to_whom(lang: str, order: str, pays: str, asked: str, mark: str) -> None:
    """R63: `order to Francis` did not say by whom, nor the question to whom; the order was nowhere at the question."""
    position = begun("einblatt-melee")
    game, s = position.game, position.record
    names = [info.name for info in game.seats]
    francis, kyle, mortimer = (names.index(name) for name in ("Francis", "Kyle", "Mortimer"))
    assert game.say(card_event(einblatt.Event.ORDER, francis, einblatt.Action.WAIT), 0, lang) == order
    assert game.say(card_event(einblatt.Event.DISOBEY, francis, mortimer), 0, lang) == pays
    texts = game.spec.texts
    stand_in = SimpleNamespace(phase=lambda: "command", record=SimpleNamespace(f_a=[0, kyle], depth=2), game=game)
    assert texts.phase(stand_in, lang) == asked  # type: ignore[arg-type]
    s.order[francis] = einblatt.Action.WAIT
    lines = position.told(0, lang).splitlines()
    assert [mark in line for line in lines if names[francis] in line] == [True]
    assert sum(mark in line for line in lines) == 1


@pytest.mark.parametrize(("lang", "order", "card"), [
    ("en", "no order", "no card"), ("de", "kein Befehl", "keine Karte")])  # fmt: skip
def test_an_order_that_is_none_says_so(lang: str, order: str, card: str) -> None:
    """R63, R232: among orders, and among cards of a reward, stood `no`."""
    texts = begun("einblatt-melee").game.spec.texts
    for phase, told in (("command", order), ("reward", card), ("continue", "")):
        stand_in: Any = SimpleNamespace(phase=lambda phase=phase: phase)
        assert texts.words_of(stand_in, 0, int(einblatt.Action.NO), lang) == told  # type: ignore[attr-defined]
        assert texts.words_of(stand_in, 0, int(einblatt.Action.WAIT), lang) == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(("lang", "wanted"), [("en", "  round 2: clubs 7"), ("de", "  Runde 2: Kreuz 7")])
def test_cards_that_lie_open_for_later_rounds_are_seen(lang: str, wanted: str) -> None:
    """Modules lay them openly in advance; only that of the running round was shown."""
    position = begun("einblatt-duel")
    s = position.record
    s.slot[1, 1], s.slot_open[1, 1] = 0, 1
    s.slot[1, 2], s.slot_open[1, 2] = 1, 0  # face down: it stays so
    lines = position.told(0, lang).splitlines()
    assert [line.endswith(wanted) for line in lines[1:3]] == [False, True]


# --- konfrontation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "House Arden 1 control point, 1 power, strength {}; House Belmar 1 control point, 1 power, strength {}"),
    ("de", "Haus Arden 1 Kontrollpunkt, 1 Power, Stärke {}; Haus Belmar 1 Kontrollpunkt, 1 Power, Stärke {}"),
])  # fmt: skip
def test_what_tells_equal_factions_apart_is_said(lang: str, wanted: str) -> None:
    """R32: `B wins` was followed by two factions with the same points and the same power."""
    position = begun("konfrontation-campaign")
    s = position.record
    s.status, s.power[0], s.power[1] = 1, 1, 1
    s.value[0, 0] = 3
    strengths = [sum(int(s.value[f, u]) for u in range(konfrontation.UNITS) if s.units[f] >> u & 1) for f in (0, 1)]
    assert wanted.format(*strengths) in " ".join(position.game.spec.result(position, lang))
    s.power[0] = 2
    assert "strength" not in " ".join(position.game.spec.result(position, "en"))


def sight_of(position: Position, seat: int, lang: str = "en") -> Sight:
    """What a seat sees."""
    seen = seen_of(position, seat, lang)
    return Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])


def test_handing_over_to_somebody_without_room_says_what_becomes_of_it() -> None:
    """R33: who chose `hand it over` was told that the character is out of the game."""
    position = begun("konfrontation-campaign")
    s = position.record
    seat = position.to_act()[0]
    s.attacker, s.defender, s.active = 1 - seat, seat, 1
    choice = Choice(80, "handover", "", "", "hand it over")

    def told() -> str:
        sight = sight_of(position, seat)
        return power_notes(Sight(**{**vars(sight), "choices": (choice,)})).get(80, "")

    name = position.game.seats[1 - seat].called("en")
    assert told() == f"won by: {name}"
    s.units[1 - seat] |= konfrontation.ALL_CHARACTERS
    assert told() == f"{name}: 8 characters already, one more leaves the game"


@pytest.mark.parametrize(("lang", "labels"), [
    ("en", {"recruit a character", "start a resource", "start a support"}),
    ("de", {"einen Charakter anwerben", "eine Ressource beginnen", "eine Unterstützung beginnen"})])  # fmt: skip
def test_groups_of_actions_are_called_by_what_is_done(lang: str, labels: set[str]) -> None:
    """They were `start support: … extra`."""
    table = Table(make_game("konfrontation-campaign", compiled=False), {0: "human", 1: "human"}, 1)
    found = {entry.label for entry in grouped(table.seen(0, lang).choices) if isinstance(entry, Group)}
    assert labels <= found and not any("…" in label for label in found)


# --- Scorekeeper --------------------------------------------------------------------------------------------------


def test_a_roll_that_cannot_succeed_is_called_that() -> None:
    """It was `hits on 0 or less: 0 %`."""
    for lang, cannot, can in (
        ("en", "cannot hit", "hits on 1 or less: 5 %"),
        ("de", "kann nicht treffen", "trifft mit 1"),
    ):
        fight: Any = SimpleNamespace(
            sight=SimpleNamespace(lang=lang, pick=lambda en, de, lang=lang: (en, de)[lang == "de"])
        )
        assert _needed(fight, 0, works=False) == cannot
        assert _needed(fight, 1, works=False).startswith(can)
    assert _needed(SimpleNamespace(sight=SimpleNamespace(pick=lambda en, de: en)), 0) == "cannot work"  # type: ignore[arg-type]


@pytest.mark.parametrize(("lang", "kind", "wanted"), [
    ("en", scorekeeper.Roll.DAMAGE, "repeat the roll for the damage for a fate point?"),
    ("en", scorekeeper.Roll.ATTACK, "repeat the attack for a fate point?"),
    ("de", scorekeeper.Roll.SHOCK, "den Schockwurf für einen Schicksalspunkt wiederholen?"),
])  # fmt: skip
def test_the_question_says_which_roll_may_be_repeated(lang: str, kind: int, wanted: str) -> None:
    position = begun("scorekeeper-duel")
    record = SimpleNamespace(roll_kind=int(kind), ask_fighter=0)
    stand_in: Any = SimpleNamespace(phase=lambda: "fate_reroll", record=record)
    assert position.game.spec.texts.phase(stand_in, lang) == f"Derman, {wanted}"


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "  Derman takes the hit"), ("de", "  Derman pariert"), ("en", "  Derman tries a saving throw"),
    ("de", "  Derman versucht einen Rettungswurf"),
])  # fmt: skip
def test_what_somebody_does_is_told_of_him(lang: str, wanted: str) -> None:
    """It was `derman: take the hit`; a saving throw read like the line of its die, which follows."""
    does = {"en": scorekeeper.Action.TAKE, "de": scorekeeper.Action.PARRY}[lang]
    action = scorekeeper.Action.SAVE if wanted.endswith(("throw", "Rettungswurf")) else does
    event = packed(scorekeeper.EVENT, scorekeeper.Event.REACT, 0, int(action), 0)
    assert begun("scorekeeper-duel").game.say(event, 0, lang) == wanted


def test_a_fight_that_runs_out_of_rounds_says_so_and_counts_what_there_is() -> None:
    position = begun("scorekeeper-duel")
    s = position.record
    s.status, s.result, s.round_no, s.kr[0] = 1, scorekeeper.Result.DRAWN, 60, 2
    for lang, head, hurt, whole in (("en", "a draw after 60 rounds:", "scratches 2", "no wounds"),
                                    ("de", "unentschieden nach 60 Runden:", "Kratzer 2", "keine Wunden")):  # fmt: skip
        lines = position.game.spec.result(position, lang)
        assert lines[0] == head and lines[1].endswith(f"; {hurt}") and lines[2].endswith(f"; {whole}")
    s.dead[0] = s.dead[1] = 1  # both fell: no limit ended it
    assert position.game.spec.result(position, "en")[0] == "a draw:"
    teams = [position.game.spec.result(position, lang)[1].partition(":")[0] for lang in ("en", "de")]
    assert teams == ["  Derman (team a)", "  Derman (Gruppe a)"], "it said `Derman (a)`"


def test_teams_have_one_name() -> None:
    """German had `Team a` in the list of seats and `Gruppe a` in the result."""
    position = begun("scorekeeper-duel")
    position.record.status, position.record.result = 1, scorekeeper.Result.WON_A
    for lang in ("en", "de"):
        assert position.game.spec.result(position, lang)[0].startswith(position.game.seats[0].side_called(lang))


# --- oneshot ------------------------------------------------------------------------------------------------------


def test_wounds_decide_between_equal_teams_and_are_told_then() -> None:
    """A15b: `blue wins: standing red 1, blue 1` did not say why."""
    position = begun("oneshot-skirmish")
    s = position.record
    s.status_of_game, s.count, s.wounds[0] = 1, position.game.params.max_count, 3
    foe = int(position.game.params.first[1])
    assert "wounds red 3, blue 0" in " ".join(position.game.spec.result(position, "en"))
    assert "Wunden Rot 3, Blau 0" in " ".join(position.game.spec.result(position, "de"))
    s.standing[foe] = oneshot.Status.DEAD
    assert "wounds red" not in " ".join(position.game.spec.result(position, "en"))


@pytest.mark.parametrize(("moved", "acted", "wanted"), [
    (0, 0, "your turn: one action and one move"), (1, 0, "your turn: one action is left"),
    (0, 1, "your turn: one move is left")])  # fmt: skip
def test_the_question_says_what_is_left_of_a_turn(moved: int, acted: int, wanted: str) -> None:
    position = begun("oneshot-skirmish")
    assert position.phase() == "turn"
    asked = int(position.record.asked)
    position.record.moved[asked], position.record.acted[asked] = moved, acted
    assert position.question("en") == wanted


@pytest.mark.parametrize(("lang", "mood", "read"), [
    ("en", "mood +1, for threats -2", "first: has read the mood"),
    ("de", "Stimmung +1, für Drohungen −2", "Erster: Stimmung erkannt")])  # fmt: skip
def test_both_moods_say_what_they_are(lang: str, mood: str, read: str) -> None:
    """They were `-1 / -2`, and to read them was `first: read`."""
    position = begun("oneshot-parley")
    s = position.record
    s.known[0], s.mood_relation[0], s.mood_wounds[0] = 1, 1, -2
    assert mood in position.told(0, lang)
    event = packed(oneshot.EVENT, oneshot.Event.READ, 0, 0, int(oneshot.Outcome.READ))
    assert position.game.say(event, 0, lang) == read


@pytest.mark.parametrize(("lang", "wanted"), [("en", "(2 rounds)"), ("de", "(2 Runden)")])
def test_how_long_an_edge_lasts_has_a_unit(lang: str, wanted: str) -> None:
    position = begun("oneshot-skirmish")
    foe = int(position.game.params.first[1])
    position.record.edge[0, 0, foe] = 2
    assert position.told(0, lang).splitlines()[-1].endswith(wanted)
    assert position.game.say(packed(oneshot.EVENT, oneshot.Event.EDGE, 0, foe, 2), 0, lang).endswith(wanted)


def test_an_enemy_that_enters_says_what_it_is_worth() -> None:
    """It was `enemy 1: brawler (4)`."""
    game = begun("oneshot-mission").game
    archetype = game.spec.texts.archetypes[0]  # type: ignore[attr-defined]
    event = packed(oneshot.EVENT, oneshot.Event.ENTER, oneshot.HEROES, 0, 4)
    assert game.say(event, 0, "en") == f"enemy 1 comes into the fight: {called(archetype, 'en')} (points 4)"
    assert game.say(event, 0, "de") == f"Gegner 1 kommt in den Kampf: {called(archetype, 'de')} (Punkte 4)"


def test_the_mark_stands_beside_the_reader() -> None:
    """It stood beside the enemy whose turn it was while a hero was asked whether to avert a wound."""
    position = begun("oneshot-skirmish")
    s, foe = position.record, int(position.game.params.first[1])
    for actor in (0, foe):
        s.actor = actor
        marked = [line for line in position.told(0, "en").splitlines() if line.startswith(">")]
        assert len(marked) == 1 and "red fighter" in marked[0]
        (public,) = [line for line in position.told(None, "en").splitlines() if line.startswith(">")]
        assert ("red fighter" in public) == (actor == 0), "nobody reads it: whose turn it is"


@pytest.mark.parametrize(("lang", "wanted"), [("en", "combined (optional): traverse"),
                                              ("de", "kombiniert (optional): Durchqueren")])  # fmt: skip
def test_a_combined_condition_says_which_task_it_is(lang: str, wanted: str) -> None:
    """Two tasks stood in the headline, and `combined (optional)` below."""
    position = begun("oneshot-mission")
    s = position.record
    s.n_cond, s.cond_kind[0], s.cond_level[0], s.cond_failed[0] = 1, oneshot.Condition.COMBINED, 0, 0
    s.cond_scenario[0] = Scenario.TRAVERSE
    assert f"  {wanted}" in position.told(0, lang).splitlines()


def test_attacks_with_one_weapon_are_called_by_what_is_done() -> None:
    """They were `attack enemy … with bow`."""
    rows = [Option(n, f"attack:{n}", f"attack enemy {n} with bow", "attack", str(n), "", "attack") for n in range(4)]
    rest = [Option(9 + n, f"move:{n}", f"move {n}", "move", str(n), "") for n in range(20)]
    assert {entry.label for entry in grouped([*rows, *rest]) if isinstance(entry, Group)} == {"attack", "move"}
    assert begun("oneshot-skirmish").game.spec.texts.kinds["attack"] == ("attack", "angreifen")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("won", "total", "wanted"), [
    (0, 3, "fighter fails (needed 4, roll 3)"), (1, 4, "fighter succeeds (needed 4, roll 4)"),
    (1, 0, "fighter succeeds"),  # by a tool that always works
    (0, 7, "fighter fails"),  # by a natural one
])  # fmt: skip
def test_a_test_on_a_mission_says_what_it_needed(won: int, total: int, wanted: str) -> None:
    """It was `fighter fails (3)`."""
    event = packed(oneshot.EVENT, oneshot.Event.CHECK, 0, won, total)
    assert begun("oneshot-mission").game.say(event, 0, "en") == wanted


def test_a_task_is_called_one() -> None:
    """`cleanse   degree of difficulty 1` was the headline, and `cleanse not done` the end."""
    position = begun("oneshot-mission")
    assert position.told(0, "en").splitlines()[0].startswith("mission: ")
    position.record.status_of_game = 1
    for lang, wanted in (("en", "not done: cleanse"), ("de", "nicht erledigt: Säubern")):
        assert wanted in " ".join(position.game.spec.result(position, lang))


# --- rule modules -------------------------------------------------------------------------------------------------


MODULES = [(name, module) for name in system_names() for module in system(name).modules()]


def test_there_are_modules_that_ask() -> None:
    assert len(MODULES) > 25 and ("konfrontation", "blackmail") in MODULES


@pytest.mark.parametrize(("name", "module"), MODULES)
def test_modules_ask_in_words_of_both_languages(name: str, module: str) -> None:
    """`Jetzt: blackmail offer` was a name of the inside; and an action's text held its code in brackets."""
    (loaded,) = load_modules(system(name).interface, {module: {}}).modules
    for phase in loaded.phases:
        asked = loaded.questions.get(phase, {})
        assert asked.get("en") and asked.get("de") and asked["en"] != asked["de"], phase
    for texts in loaded.actions.values():
        assert not any(re.search(r"\([a-z_]+\)", text) for text in texts.values()), texts


def test_a_module_of_blackmail_tells_what_was_answered() -> None:
    position = begun("konfrontation-clash", modules={"blackmail": {}})
    lot = random.Random(1)
    heard: set[str] = set()
    while not position.over:
        seat = position.to_act()[0]
        position.apply(seat, lot.choice(position.legal(seat)))
        heard |= {position.game.say(event, None, "en") for event in position.events()}
        position.roll()
    assert any(line.startswith("attacker: ") and "offer" in line for line in heard), heard


def test_the_modules_of_a_game_are_told_before_it() -> None:
    game = make_game("einblatt-duel", modules={"swap_card": {}, "all_in": {}}, compiled=False)
    assert modules_of(game, "de") == ["Kartentausch (swap_card)", "Alles auf eine Karte (all_in)"]
    assert modules_of("einblatt-duel") == []
    lines: list[str] = []
    Session(Table(game, {0: "human", 1: "random"}, 3), lang="de", read=leaves, write=lines.append).run()
    assert "Mit den Modulen: Kartentausch (swap_card), Alles auf eine Karte (all_in)" in lines


def leaves(prompt: str) -> str:
    """Whoever leaves at the first question."""
    return "q"


# --- the terminal -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_no_list_of_actions_shows_a_name_of_the_inside(name: str) -> None:
    """`Stein (rock)`, `move 2 south (move:0,-2)`: only what is quicker to type than the text stands beside it."""
    game = make_game(name, compiled=False)
    lot, position = random.Random(3), game.position(3)
    for _ in range(25):
        position.roll()
        if position.over:
            break
        for seat in position.to_act():
            for lang in ("en", "de"):
                options = seen_of(position, seat, lang).choices
                for option, line in zip(options, entries(options, options, {}, lang), strict=True):
                    beside = line.removeprefix(option.text).strip()
                    assert beside == "" or re.fullmatch(r"\([A-Z0-9]{1,4}\)", beside), line
            position.apply(seat, lot.choice(position.legal(seat)))


def test_one_agent_in_many_seats_is_told_once() -> None:
    game: Game = make_game("einblatt-melee", compiled=False)
    cast = dict.fromkeys(range(game.n_seats), "random") | {0: "human", 1: "first"}
    table = Table(game, cast, 1)
    village = ", ".join(info.name for info in game.seats if info.side == "village")
    assert cast_lines(table, "en") == [
        "  Francis (heroes): you",
        "  Kyle (heroes): always the first move of the list [first]",
        "  Mortimer (heroes): any move by chance [random]",
        f"  {village} (village): any move by chance [random]",
    ]


FIRST = "round 1  of 3\n> me  5\n  you  6\n  he  7\n  she  8\n  they  9\nA strikes"


@pytest.mark.parametrize(("told", "seat", "wanted"), [
    (FIRST.replace("he  7", "he  3").replace("strikes", "aims"), 0, "> me  5\n  he  3\nA aims"),
    (FIRST.replace("round 1", "round 2"), 0, None),  # another round: all of it
    (FIRST, 1, None),  # another person looks
    (FIRST.replace("  she  8\n", ""), 0, None),  # a line has gone, and that would not be seen
    (FIRST.replace("  she  8", "  x . y"), 0, None),  # a row of a map says nothing alone
])  # fmt: skip
def test_between_two_questions_only_what_has_changed_is_shown(told: str, seat: int, wanted: str | None) -> None:
    board = Board()
    assert board.lines(0, FIRST) == (FIRST.split("\n"), False)
    assert board.lines(seat, told) == ((told if wanted is None else wanted).split("\n"), wanted is not None)


def test_the_whole_position_comes_again_when_it_was_forgotten_or_out_of_sight() -> None:
    board = Board()
    board.lines(0, FIRST)
    assert board.lines(0, FIRST) == (["> me  5"], True)
    board.forget()
    assert board.lines(0, FIRST) == (FIRST.split("\n"), False)
    assert board.lines(0, FIRST, news=14)[1] and not board.lines(0, FIRST, news=15)[1]


def test_the_position_is_shown_whole_by_its_command() -> None:
    """Of eight fighters one line each stands there again, and not eight times in one exchange of blows."""
    table = Table(
        make_game("scorekeeper-skirmish", compiled=False), {**dict.fromkeys(range(8), "first"), 0: "human"}, 3
    )
    lines: list[str] = []
    typed = iter(["state", "2", "q"])
    Session(table, read=lambda _: next(typed), write=lines.append).run()
    fighters = [sum(line.startswith(f"  {name} ") for line in lines) for name in ("medic", "dealer")]
    assert all(count >= 2 for count in fighters)


def test_a_legend_is_said_again_only_if_it_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four lines of it stood above each of the ten lists of a build."""
    legends = iter(["one", "one", "two", "two", "one"])
    monkeypatch.setattr(play, "notes_on", lambda sight, tell: {sight.choices[0].action: "beside it"})
    monkeypatch.setattr("probespiel.app.session.notes.legend_of", lambda sight: next(legends))
    table = Table(make_game("ews_rps", compiled=False), {0: "human", 1: "random"}, 3)
    lines: list[str] = []
    typed = iter(["1", "1", "1", "1", "q"])
    Session(table, read=lambda _: next(typed), write=lines.append).run()
    assert [line for line in lines if line.startswith("(") and len(line) == 5] == ["(one)", "(two)", "(one)"]


@pytest.mark.parametrize(("errors", "places"), [((0.2, 0.1), 2), ((0.004, 0.1), 3), ((0.0003, 0.1), 3), ((0.0,), 2)])
def test_a_hint_has_as_many_places_as_its_intervals_need(errors: tuple[float, ...], places: int) -> None:
    """`+0.11 ± 0.00`, three times, told nothing apart; and nobody plays by a fourth place."""
    best = [Advice(number, 0.5, error, 0.5) for number, error in enumerate(errors)]
    assert places_of(best) == places
    if len(best) > 1:
        told = reason_of(best, {0: "a", 1: "b"}, (-1.0, 1.0), "en")
        assert re.search(rf"error of \d\.\d{{{places}}}\.$", told), told


@pytest.mark.parametrize(
    ("values", "places"), [((0.5, 0.25), 2), ((0.504, 0.5), 3), ((0.5, 0.5), 2), ((0.5, 0.49), 2), ((0.5,), 2)]
)
def test_exact_values_have_three_places_where_they_differ_by_less(values: tuple[float, ...], places: int) -> None:
    assert places_of([Advice(n, value, 0.0, 1.0, exact=True) for n, value in enumerate(values)]) == places


@pytest.mark.parametrize(
    ("error", "places", "told"),
    [
        (0.25, 2, "0.25"),
        (0.2501, 2, "0.26"),
        (0.0001, 3, "0.001"),
        (0.004, 3, "0.004"),
        (0.0, 2, "0.00"),
        (1.0, 2, "1.00"),
    ],
)
def test_an_interval_is_rounded_up_so_that_none_is_told_as_nothing(error: float, places: int, told: str) -> None:
    assert error_text(error, places) == told


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "would lose less than 0.001 ± 0.001"), ("de", "dagegen weniger als 0,001 ± 0,001")]
)
def test_a_difference_that_is_smaller_than_its_places_is_told_as_less(lang: str, said: str) -> None:
    best = [Advice(0, 0.0004, 0.0001, 0.9), Advice(1, 0.0001, 0.0001, 0.1)]
    assert said in reason_of(best, {0: "a", 1: "b"}, (-1.0, 1.0), lang)


def test_options_of_seen_have_words_of_their_kind() -> None:
    option = Option(1, "recruit:social", "recruit a character: social", "recruit", "social", "", "recruit a character")
    assert Choice.of(option).kind == "recruit a character"


def test_a_number_of_a_list_never_stands_alone() -> None:
    """Long entries of a list began on the line below their number."""
    assert fold("  1  " + "abc def; " * 4, 20)[0] == "  1  abc def; abc"
    assert fold("  name of a thing  " + "x" * 16, 30) == ["  name of a thing", "      " + "x" * 16]


@pytest.mark.parametrize(("lang", "shown", "asked"), [
    ("de", "Derman     Gruppe a  Meter 8", ("2W6", "W6", "2d6")),
    ("en", "Derman    team a  metre 8", ("2d6", "d6", "2W6"))])  # fmt: skip
def test_teams_and_dice_are_words_of_the_language(lang: str, shown: str, asked: tuple[str, ...]) -> None:
    """The sheet said `Derman  a` and, in German, `Knüppel 2d6`, which nobody could look up."""
    position = begun("scorekeeper-skirmish")
    told = position.told(0, lang)
    assert shown in told and f" {asked[0]}, " in told and (" 2d6" in told) == (lang == "en")
    found = [explain(term, position.game, lang) for term in asked]
    assert found[0] is not None and found[0].term == {"en": "d4", "de": "W4"}[lang]
    assert found == [found[0]] * 3 and explain("2x6", position.game, lang) is None
