"""What rule modules put into a position, ask and are: told at the table, in both languages and on both faces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.app.session.table import Table
from probespiel.app.terminal.opening import cast_lines
from probespiel.app.terminal.play import Session
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.room import Room
from probespiel.app.web.words import say
from probespiel.envs.core.fields import Tally
from probespiel.envs.core.game import Position
from probespiel.envs.core.modules import load_modules
from probespiel.envs.core.registry import make_game, system, system_names
from probespiel.envs.core.rulebook import modules_offered, modules_told, rules_of
from probespiel.envs.core.rulebook.data import table_of
from probespiel.envs.einblatt import state as einblatt
from tests.page_values import page_values
from tests.test_play import Script
from tests.test_told_at_the_table import packed


def begun(name: str, modules: dict[str, Any], **options: Any) -> Position:
    position = make_game(name, modules=modules, compiled=False, **options).position(3)
    position.roll()
    return position


@pytest.mark.parametrize(("name", "module", "field", "seats", "lines"), [
    ("ews_rps", "double_stakes", "on", False, ("the stakes are doubled", "der Einsatz ist verdoppelt")),
    ("einblatt-duel", "after_card", "used", True, ("has challenged (Tree)", "hat nachgekartet (Baum)")),
    ("einblatt-duel", "all_in", "used", True, ("has gone all in (Tree)", "hat alles gesetzt (Baum)")),
    ("einblatt-duel", "swap_card", "used", True, ("has swapped a card (Tree)", "hat eine Karte getauscht (Baum)")),
    ("einblatt-duel", "table_redraw", "used", True, ("has redrawn (Tree)", "hat neu gezogen (Baum)")),
    ("oneshot-skirmish", "diehard", "used", True,
     ("diehard is used up (blue fighter)", "Zäher Hund ist verbraucht (Kämpfer Blau)")),
    ("oneshot-skirmish", "momentum", "turns", True,
     ("turns with momentum (blue fighter): 1", "Züge mit Schwung (Kämpfer Blau): 1")),
])  # fmt: skip
def test_what_a_module_notes_stands_in_the_position(
    name: str, module: str, field: str, seats: bool, lines: tuple[str, str]
) -> None:
    position = begun(name, {module: {}})
    for lang, line in zip(("en", "de"), lines, strict=True):
        value = getattr(position.record, f"{module}_{field}")
        if seats:
            value[1] = 0
        else:
            setattr(position.record, f"{module}_{field}", 0)
        assert line not in position.told(0, lang).splitlines()
        if seats:
            value[1] = 1
        else:
            setattr(position.record, f"{module}_{field}", 1)
        assert line in position.told(0, lang).splitlines(), position.told(0, lang)


def test_a_counter_that_is_yes_or_no_is_a_line_only_if_it_is_so() -> None:
    yes = Tally("f", {"en": "so"}, (), 0, 1, False)
    assert [yes.line("so", value) for value in (0, 1)] == ["", "so"]
    assert Tally("f", {"en": "so"}, (), 0, 3, False).line("so", 0) == "so: 0"


def test_a_counter_of_a_crowd_tells_of_those_who_have_some() -> None:
    """Eight lines of momentum 0 stood above every question of a party battle."""
    position = begun("oneshot-skirmish", {"momentum": {}}, scenario="party_battle")
    assert not [line for line in position.told(0).splitlines() if "momentum" in line]
    position.record.momentum_turns[3] = 2
    assert [line for line in position.told(0).splitlines() if "momentum" in line] == [
        "turns with momentum (red scholar): 2"
    ]
    two = begun("oneshot-skirmish", {"momentum": {}})
    assert len([line for line in two.told(0).splitlines() if "momentum" in line]) == 2, "of two, both are told"
    debts = Tally("f", {"en": "owes"}, ("a", "b", "c"), -1, 3, False)
    assert len(debts.lines({"a": 0, "b": 1, "c": -1})) == 3, "where it may fall below 0, 0 is a number like others"


@pytest.mark.parametrize(("lang", "wanted"), [("en", "offer to call it off for 5 power?"),
                                              ("de", "anbieten, gegen 5 Power zu verzichten?")])  # fmt: skip
def test_a_question_tells_the_price(lang: str, wanted: str) -> None:
    """`offer to call it off for power?` named none."""
    game = make_game("konfrontation-clash", modules={"blackmail": {"price": 5}}, compiled=False)
    assert game.spec.voice.questions["blackmail_offer"][lang] == wanted


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_modules_do_is_told_before_a_game(lang: str) -> None:
    """With `lizard_spock` nothing said which symbol beats which."""
    game, script = make_game("ews_rps", modules={"lizard_spock": {}}, compiled=False), Script("q")
    table = Table(game, {0: "human", 1: "random"}, 3)
    Session(table, lang=lang, read=script.read, write=script.write, width=400).run()
    beats = {"en": "lizard beats paper and", "de": "die Echse schlägt Papier und Spock"}[lang]
    assert beats in script.text and "[R" not in script.text
    ((title, does),) = modules_told(game, lang)
    assert f"  {title}: {does}" in script.text.splitlines()


def test_parameters_of_modules_are_told_as_they_are() -> None:
    ((_, does),) = modules_told(make_game("konfrontation-clash", modules={"blackmail": {"price": 5}}, compiled=False))
    assert "for 5 power" in does


def each_way(name: str) -> list[dict[str, Any]]:
    """Every built-in module of a system with every choice of each parameter, and the highest of its numbers."""
    found = []
    for key in system(name).modules():
        (module,) = load_modules(system(name).interface, {key: {}})
        for param, declared in module.params.items():
            if isinstance(declared.default, dict):
                continue
            choices = declared.choices or ((True, False) if isinstance(declared.default, bool) else (declared.high,))
            found += [{key: {param: choice}} for choice in choices]
    return found


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", [name for name in system_names() if system(name).modules()])
def test_at_the_table_no_parameter_is_told_by_its_name_and_range(name: str, lang: str) -> None:
    """`Figuren werden gekauft, mit points = 21 (8..40)`: whoever plays cannot set it, and does not know its codes."""
    told = [does for _, does in modules_offered(name, lang).values()]
    game = system(name).games[0]
    for modules in each_way(name):
        ((_, does),) = modules_told(system(name).spec(game, None, {}, modules), lang)
        told.append(does)
        ((key, values),) = modules.items()
        ((param, value),) = values.items()
        if isinstance(value, str):
            words = table_of(name, "modules.toml")[key]["said"][param][value][lang == "de"]
            assert words != value and words in does, does
        elif not isinstance(value, bool):
            assert str(value) in does, f"{key}: the value of {param} is told"
        page = rules_of(system(name).spec(game, None, {}, modules), lang)
        assert f"`{param}` = " in page, "where rules are set, it has its name"
    for does in told:
        assert not re.search(r"[=_{}]|\.\.\d", does), does


def test_values_are_told_in_words_and_numbers_as_the_language_writes_them() -> None:
    draws = modules_told(make_game("ews_rps", modules={"replay_draws": {"first_only": True}}, compiled=False), "de")
    assert draws[0][1].endswith("Das gilt nur, solange noch keine Serie begonnen hat.")
    always = modules_told(make_game("ews_rps", modules={"replay_draws": {}}, compiled=False), "en")
    assert always[0][1].endswith("That holds throughout.")
    offered = modules_offered("einblatt", "de")
    assert "gegen sie 0,15, schwer gegen sie 0,05" in offered["incentive"][1]
    assert "(\N{MINUS SIGN}3)" in offered["all_in"][1]
    page = rules_of(make_game("ews_rps", modules={"replay_draws": {}}, compiled=False))
    assert "That holds throughout (`first_only` = no (yes, no))." in page


@pytest.mark.parametrize(("lang", "plain", "more"), [
    ("en", "there is anything to read.)", "there is anything to read. This holds without rule modules.)"),
    ("de", "ehe es etwas zu lesen gibt.)", "ehe es etwas zu lesen gibt. Das gilt ohne Regelmodule.)"),
])  # fmt: skip
def test_what_is_known_of_levels_is_known_without_modules(lang: str, plain: str, more: str) -> None:
    """With the well, whoever plays all four symbols alike loses to paper."""
    for modules, wanted in (({}, plain), ({"well": {}}, more)):
        game = make_game("ews_rps", modules=modules, compiled=False)
        table = Table(game, {0: "human", 1: lineup_of(game).levels[-1]}, 3)
        assert cast_lines(table, lang)[-1].endswith(wanted)


@pytest.mark.parametrize("name", [name for name in system_names() if system(name).modules()])
def test_every_module_on_offer_has_a_name_and_says_what_it_does(name: str) -> None:
    for lang in ("en", "de"):
        offered = modules_offered(name, lang)
        assert set(offered) == set(system(name).modules())
        assert all(title != key and len(does) > 20 for key, (title, does) in offered.items())


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_of_a_game_tells_its_modules_and_what_they_note(lang: str, tmp_path: Path) -> None:
    game, hall = make_game("ews_rps", modules={"double_stakes": {}}, compiled=False), Hall(tmp_path, workers=1)
    table = Table(game, dict.fromkeys(range(2), "human"), 3)
    room = Room("0" * 16, "ews_rps", "x", ("a", "b"), table.cast, {0: "x" * 64}, table=table)
    try:
        table.choose(0, game.actions.id("double_stakes.double"))
        values = page_values(room) | Pages(hall).seat_values(room, "x" * 64, 0, lang) | {"lang": lang}
        values |= {"who": lambda agent, game: agent, "t": lambda key, **more: say(lang, key, **more)}
        page = Pages(hall).renderer.render("game.html", values)
        assert f"<li>{ {'en': 'the stakes are doubled', 'de': 'der Einsatz ist verdoppelt'}[lang] }</li>" in page
        assert {"en": "Double or nothing", "de": "Doppelter Einsatz"}[lang] in page
    finally:
        hall.close()
        table.close()


# --- einblatt: what is asked and told of cards ----------------------------------------------------------------------


def test_a_conflict_of_the_campaign_says_what_it_is_about_and_tests() -> None:
    """It was `conflict 2/7`."""
    position = make_game("einblatt-campaign", compiled=False).position(3)
    position.roll()
    for lang, head, event in (
        ("en", "conflict 1/7: wall, test of dexterity", "--- conflict 7: lie to a demon, test of charisma"),
        ("de", "Konflikt 1/7: eine Mauer, Probe auf Geschick",
         "--- Konflikt 7: einen Dämon belügen, Probe auf Charisma"),
    ):  # fmt: skip
        assert head in position.told(0, lang).splitlines()[0], position.told(0, lang)
        said = position.game.say(packed(einblatt.EVENT, einblatt.Event.CONFLICT, -1, 6, 0, 0xFFFF), 0, lang)
        assert said == event


def test_a_card_that_lies_open_is_named_in_the_question() -> None:
    position = begun("einblatt-duel", {"mercy": {}})
    texts, s = position.game.spec.texts, position.record
    stand_in: Any = type("At", (), {"phase": lambda self: "mercy_assign", "record": s})()
    s.focus = 9
    assert texts.phase(stand_in, "en") == "in the place of which card does it go? (spades 8)"
    s.focus = -1
    assert texts.phase(stand_in, "en") == "in the place of which card does it go?"


def test_own_draws_are_told_card_by_card_alone() -> None:
    """`Billy draws 6 cards` stood below the six cards."""
    game = make_game("einblatt-duel", compiled=False)
    event = packed(einblatt.EVENT, einblatt.Event.DRAWS, 0, 6, 0, 0xFFFF)
    assert [game.say(event, seat, "en") for seat in (0, 1)] == ["", "Billy draws 6 cards"]


def test_two_piles_and_experience_stand_in_the_position() -> None:
    position = begun("einblatt-duel", {})
    s = position.record
    deck = int(s.deck_of[0])
    s.draw[deck, 1], s.xp_free[0] = 0b111, 4
    line = position.told(0, "en").splitlines()[1]
    assert ", B 3" in line and "pile A " in line and "experience 4" in line


# --- a decision without a choice -----------------------------------------------------------------------------------


def test_a_forced_decision_is_told_once() -> None:
    """`Only one thing is possible (bid higher or doubt): liar` came before `second: liar`."""
    game = make_game("liars_dice", compiled=False)
    highest = game.actions.codes[game.actions.id("liar") - 1]
    table, script = Table(game, {0: "human", 1: "human"}, 3), Script(highest)
    Session(table, read=script.read, write=script.write, width=200, together=True).run()
    assert table.over and "second: liar" in table.lines(1, "en")
    assert "Only one thing is possible" not in script.text and script.text.count("second: liar") == 1
