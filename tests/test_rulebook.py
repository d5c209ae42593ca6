"""The pages of the rules: filled from a game's parameters, complete, anchored; and the command that shows them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.app.session.casting import cast
from probespiel.app.session.table import Table
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.modules.load import load_module
from probespiel.envs.core.registry import make_game, system, system_names
from probespiel.envs.core.rulebook import Scene, aim_of, anchored, pages, passages_of, rules_of, scene_of
from probespiel.envs.core.rulebook.data import table_of
from probespiel.envs.core.rulebook.pages import anchors, linked, page_of
from probespiel.envs.core.rulebook.template import Case, Setting, fill, setting_text
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.scorekeeper import state as fight
from probespiel.envs.scorekeeper.armoury import ARMOUR, WEAPONS
from probespiel.envs.scorekeeper.text import ARMOUR_TEXTS, WEAPON_TEXTS
from tests.test_told_at_the_table import packed

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = {
    "cards": Setting(5, 3, "1..9"),
    "open": Setting(True, True, "True, False"),
    "goal": Setting(None, None, "None, 1..50"),
    "kind": Setting("b", "a", "a, b"),
    "share": Setting(0.5, 0.5, "0..1"),
    "some": Setting(["x", "y"], [], "some of x, y"),
    "called": Setting(["x", "y"], ["x"], "some of x, y", {"x": "the first", "y": "the second"}),
    "way": Setting("b", "a", "a, b", {"b": "the other way"}),
}


def filled(text: str, lang: str = "en", game: str | None = "x-duel", modules: tuple[str, ...] = ()) -> str:
    return fill(text, Case(SETTINGS, lang, game, modules, {"cost": Setting(2, 1, "0..5")}), "page")


def test_places_are_filled() -> None:
    assert filled("{cards} cards, {share}, {goal}, {open}, {some}") == "5 cards, 0.5, none, yes, x, y\n"
    assert filled("{cards}, {goal}, {open}", "de") == "5, keine, ja\n"
    assert filled("{option:cards}; {param:cost}") == "`cards` = 5 (1..9; usually 3); `cost` = 2 (0..5; usually 1)\n"
    assert setting_text("open", Setting(1, 1, ""), "en") == "`open` = 1"
    assert setting_text("open", Setting(1, 2, ""), "de") == "`open` = 1 (sonst 2)"
    assert filled("{option:open} {option:goal}", "de") == "`open` = ja (ja, nein) `goal` = keine (keine, 1..50)\n"


def test_values_of_options_are_called_what_people_call_them() -> None:
    """`Abgezogen wird bei: attack, parry, save` stood on a German page; the list of options keeps the names."""
    assert filled("{called}; {way}", "de") == "the first, the second; the other way\n"
    assert filled("{option:called}; {option:way}") == (
        "`called` = x, y (some of x, y; usually x); `way` = b (a, b; usually a)\n"
    )


@pytest.mark.parametrize("name", [name for name in system_names() if table_of(name, "options.toml")])
def test_only_values_that_an_option_has_are_called_something(name: str) -> None:
    declared = {key: option for game in system(name).games for key, option in system(name).declared(game).items()}
    for option, words in table_of(name, "options.toml").items():
        allowed = re.findall(r"\w+", f"{declared[option].allowed} {declared[option].default}")
        assert set(words) <= set(allowed), option
        assert all(len(texts) == len(LANGUAGES) and all(texts) for texts in words.values())


def test_sentences_of_a_german_page_hold_no_names_of_options() -> None:
    """KR, attack and base_initiative_low stood in sentences."""
    page = rules_of(make_game("scorekeeper-duel", "blade_mirror", compiled=False), "de")
    assert "wessen Kämpfer zuerst einen Kratzer oder Schlimmeres abbekommt" in page
    assert "Abgezogen wird bei: Angriff, Parade, Rettungswurf, Erste Hilfe." in page
    assert "`first_blood_class` = KR (KR, LW, SW, TW)" in page
    for name in ("scorekeeper", "konfrontation", "oneshot"):
        for lang, words in (("de", 1), ("en", 0)):
            text = page_of(name, lang)
            for option, called in table_of(name, "options.toml").items():
                default = system(name).declared(system(name).games[-1])[option].default
                first = default[0] if isinstance(default, list) else default
                assert option == "first_blood_class" or called[first][words] in text, (name, option)


@pytest.mark.parametrize(("lang", "line"), [
    ("en", "In teams the scenario says (`payoff`) whether"),
    ("de", "In Gruppen zählt je nach Szenario (`payoff`), was"),
])  # fmt: skip
def test_the_page_of_einblatt_names_the_aim_of_teams(lang: str, line: str) -> None:
    """It named the aim of a melee without teams alone; a game's own page knows which it is."""
    assert line in page_of("einblatt", lang)
    for scenario in ("tug_of_war", "free_for_all"):
        assert line not in rules_of(make_game("einblatt-melee", scenario, compiled=False), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_page_quotes_from_the_screen_is_what_it_shows(lang: str) -> None:
    """`Angriff 7 gegen 12: Treffer` and `Magnum 4d6 (6+12)` were lines of long ago."""
    game = make_game("scorekeeper-duel", "drug_flat", compiled=False)
    page, de = rules_of(game, lang), lang == "de"
    roll = packed(fight.EVENT, fight.Event.ROLL, 0, 12, 7 | fight.Roll.ATTACK << 25 | 1 << 29)
    shown = game.say(roll, 0, lang).strip().partition(": ")[2]
    assert shown and shown in page
    position = game.position(seed=1)
    position.roll()
    gun = re.search(r"[Mm]agnum 4[dW]6 \([^)]*\)", position.told(0, lang))
    assert gun and gun[0] in page
    assert de == ("gewürfelt" in shown)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("open", True),
        ("not open", False),
        ("goal", False),
        ("kind=b", True),
        ("kind=a|b", True),
        ("kind=a", False),
        ("not kind=a", True),
        ("cards=5", True),
        ("game=x-duel", True),
        ("game=x-melee|x-duel", True),
        ("not game=x-duel", False),
        ("module=sleeve", True),
        ("module=mercy", False),
    ],
)
def test_passages_are_chosen(condition: str, holds: bool) -> None:
    text = filled(f"{{if:{condition}}}\nyes\n{{else}}\nno\n{{end}}", modules=("sleeve",))
    assert text == ("yes\n" if holds else "no\n")


def test_a_number_has_the_word_that_fits_it() -> None:
    """`You have 1 action(s) a turn` stood on a page."""
    assert filled("{count:cards=card|cards} and {cards}") == "5 cards and 5\n"
    one = Case({"cards": Setting(1, 3, "")}, "en")
    assert fill("{count:cards=card|cards}", one, "page") == "1 card\n"
    with pytest.raises(RulesetError, match=r"page, line 1: .*count:card=a.b.* is no option"):
        fill("{count:card=a|b}", one, "page")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_no_page_leaves_the_plural_to_its_reader(lang: str) -> None:
    for name in system_names():
        assert not re.search(r"\w\((?:s|es|en|n|e)\)", page_of(name, lang)), name


def test_passages_within_passages() -> None:
    text = "a\n{if:open}\nb\n{if:kind=a}\nc\n{else}\nd\n{end}\n{else}\ne\n{end}\nf"
    assert filled(text) == "a\nb\nd\nf\n"
    assert filled("{if:game=x-melee}\nm\n{end}\n{if:game=x-duel}\nd\n{end}", game=None) == "m\nd\n"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a\n{card}", r"page, line 2: \{card\} is no option: one of cards, open"),
        ("{param:price}", r"\{param:price\} is no param: one of cost"),
        ("{if:opened}\n{end}", r"\{if:opened\} names no option"),
        ("{if:open}", r"page: an \{if:...\} has no \{end\}"),
        ("{end}", r"\{end\} without \{if:...\}"),
        ("{else}", r"\{else\} without \{if:...\}"),
    ],
)
def test_wrong_marks_are_named(text: str, part: str) -> None:
    with pytest.raises(RulesetError, match=part):
        filled(text)


@pytest.mark.parametrize("name", system_names())
def test_what_is_allowed_is_german_on_german_pages(name: str) -> None:
    """`seat -> list of seats`, `seven non-decreasing numbers` and `a subset of ['reaction', ...` stood there."""
    for game in system(name).games:
        for key, option in system(name).declared(game).items():
            setting = Setting(option.default, option.default, option.allowed)
            for told in (setting_text(key, setting, lang) for lang in LANGUAGES):
                assert not re.search(r"->|\| |\['|\bTrue\b|\bNone\b", told), told
            foreign = r"\b(or|at most|each|numbers?|seats?|list|path|subset|tests|than|one)\b"
            german = setting_text(key, setting, "de")
            allowed = german.partition(" (")[2].rstrip(")").split(", ")  # codes are single words
            assert not [part for part in allowed if " " in part and re.search(foreign, part)], german


def test_rule_numbers_are_anchors_once() -> None:
    text = "One [R3, R5-R7].\n\nTwo [R6]; three [R12a].\n"
    assert anchors(text) == ["R3", "R5", "R6", "R7", "R12a"]
    page = anchored(text)
    assert page.count('<a id="R6"></a>') == 1 and page.endswith('three <a id="R12a"></a>[R12a].\n')
    assert linked("see R6 and R8", "x.md", ["R6"]) == "see [R6](x.md#R6) and R8"
    assert passages_of("R6", text) == ["One [R3, R5-R7].", "Two [R6]; three [R12a]."] and passages_of("R9", text) == []


_PLAYED = {"en": "The rules of", "de": "Die Regeln von"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", system_names())
def test_pages_are_complete(name: str, lang: str) -> None:
    """Every option and every built-in module is told of, and every rule number that hooks and services cite."""
    owner, page = system(name), page_of(name, lang)
    options = {option for game in owner.games for option in owner.declared(game)}
    assert options
    assert not [option for option in options if f"`{option}` =" not in page]
    assert not [module for module in owner.modules() if f"(`{module}`)" not in page]
    assert "{" not in page
    for game in owner.games:
        told = rules_of(game, lang)
        assert f"{_PLAYED[lang]} {owner.title(game, lang)}" in told and len(told) > 600


@pytest.mark.parametrize("name", system_names())
def test_numbers_at_the_start_of_lines_are_lists(name: str) -> None:
    """Markdown takes "2. " there for an item: such lines count 1, 2, 3, so none is the end of a sentence."""
    for lang in LANGUAGES:
        for text in (page_of(name, lang), *(rules_of(game, lang) for game in system(name).games)):
            found = [int(number) for number in re.findall(r"^\s*(\d+)[.)] ", text, re.MULTILINE)]
            assert all(b in (1, a + 1) for a, b in pairwise([0, *found])), (lang, found)


@pytest.mark.parametrize("name", system_names())
def test_both_languages_tell_the_same_rules(name: str) -> None:
    """The same rule numbers, options and headings at the same places, in every game and scenario."""
    for game in system(name).games:
        for scenario in system(name).scenarios(game):
            spec = system(name).spec(game, scenario, {}, {})
            english, german = rules_of(spec), rules_of(spec, "de")
            assert set(anchors(english)) == set(anchors(german))
            assert english.count("\n#") == german.count("\n#") and english.count("`") == german.count("`")


def test_values_are_those_of_the_game() -> None:
    assert "{rounds}" not in rules_of("einblatt-duel")
    page = rules_of(system("einblatt").spec("einblatt-duel", None, {"rounds": 2, "layout": "slots"}, {}))
    assert "`rounds` = 2 (1..3; usually 3)" in page and "after 2 rounds" in page and "[R43]" in page
    assert "[R43]" not in rules_of("einblatt-duel") and "Melee" not in rules_of("einblatt-duel")
    assert "## Melee" in rules_of("einblatt-melee")
    page = rules_of(
        system("scorekeeper").spec("scorekeeper-duel", None, {"counter_rule": "off", "bleeding": "off"}, {})
    )
    assert "**Counter.**" not in page and "**Bleeding.**" not in page
    assert "bets** 2.5" in rules_of(system("kuhn").spec("kuhn", None, {"bet": 2.5}, {}))
    assert rules_of(make_game("kuhn", compiled=False)) == rules_of("kuhn")


def test_modules_have_their_section() -> None:
    spec = system("einblatt").spec("einblatt-duel", None, {}, {"swap_card": {"cost": 4, "seats": ["Billy"]}})
    page = rules_of(spec)
    assert "### Swapping a card (`swap_card`)" in page and "`cost` = 4 (0..10; usually 2)" in page
    assert "Only for: Billy." in page and "### " not in rules_of("einblatt-duel")
    assert "### Kartentausch (`swap_card`)" in rules_of(spec, "de")


@pytest.mark.parametrize(
    ("lang", "action", "about"), [("en", "pass, bet", "no page of rules"), ("de", "passen, setzen", "keine Seite")]
)
def test_a_system_without_a_page_tells_what_it_declares(
    lang: str, action: str, about: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page was a title alone."""
    monkeypatch.setattr(pages, "data_file", lambda *_: None)
    told = rules_of(make_game("kuhn", bet=2, compiled=False), lang)
    assert about in told and f"\n- {action}: " in told and "\n- `bet` = 2 (" in told
    assert aim_of("kuhn", lang) == "" and f"\n- {action}: " in page_of("kuhn", lang)


def test_outside_modules_tell_of_themselves() -> None:
    path = str(ROOT / "examples/modules/seven_swap.py")
    spec = system("einblatt").spec("einblatt-duel", None, {}, {path: {"limit": 3}})
    page = rules_of(spec)
    assert "(`seven_swap`)" in page and "`limit` = 3 (1..4; usually 2): swaps per seat and conflict" in page
    assert "Before a round a seven may be discarded for a new card." in page
    assert "Actions that it adds: discard a seven for a new card." in page


@pytest.mark.parametrize("name", [name for name in system_names() if system(name).modules()])
def test_parameters_of_built_in_modules_are_told(name: str) -> None:
    """Each parameter stands in the module's own text, in both languages."""
    for lang in LANGUAGES:
        page = page_of(name, lang)
        for module in system(name).modules():
            section = page.split(f"(`{module}`)\n")[1].split("\n### ")[0]
            names = load_module(system(name).interface, module)[0].params
            assert not [param for param in names if f"`{param}` =" not in section], (module, lang)


def test_the_command_tells_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "kuhn", "--set", "bet=3", "--lang", "de"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# Kuhn-Poker\n") and "`bet` = 3" in out
    assert run(["rules", "oneshot"]) == 0
    assert "## The mission" in capsys.readouterr().out
    assert run(["rules", "ews_rps", "--module", "well", "--scenario", "grapple"]) == 0
    out = capsys.readouterr().out
    assert (
        "rock, paper, scissors as played in the scenario “One grapple”" in out and "### With the well (`well`)" in out
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["einblat"], "game 'einblat' is unknown"),
        (
            ["einblatt", "--set", "rounds=2"],
            "'einblatt' is a system: --scenario, --module and --set need one of its games",
        ),
        (["einblatt-duel", "--set", "rounds=7"], "rounds = 7 is not allowed"),
        (["einblatt-duel", "--scenario", "nowhere"], "scenario 'nowhere' is unknown"),
    ],
)
def test_rules_that_there_are_not(arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1 and part in err


def test_a_terminal_gets_it_formatted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(["explain", "KR", "scorekeeper"]) == 0
    out = capsys.readouterr().out
    assert "**" not in out and "scratch" in out


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(RulesetError, match="lang = 'fr' is not allowed: one of en, de"):
        rules_of("kuhn", "fr")


def test_tables_of_weapons_and_armour_are_those_of_the_rules() -> None:
    """What the pages list by hand: dice, ranges and points of every weapon and piece of armour."""
    english, german = (" ".join(page_of("scorekeeper", lang).split()) for lang in LANGUAGES)
    for name, weapon in WEAPONS.items():
        reach = f" ({weapon.reach} m" if weapon.reach else ""
        assert f"{WEAPON_TEXTS[name][0]} {weapon.notation}{reach}" in english, name
        assert f"{WEAPON_TEXTS[name][1]} {weapon.notation.replace('d', 'W')}{reach}" in german, name
    for name, piece in ARMOUR.items():
        points = piece.hard or piece.soft
        assert f"{ARMOUR_TEXTS[name][0]} {'hard' if piece.hard else 'soft'} {points}" in english, name
        assert f"{ARMOUR_TEXTS[name][1]} {'hart' if piece.hard else 'weich'} {points}" in german, name
    kit = built_in_kit()
    page = page_of("oneshot")
    melee = [w for w in kit.weapons.values() if w["kind"] == "melee"]
    assert ", ".join("0" if w["damage_mod"] == 0 else f"{w['damage_mod']:+d}" for w in melee) in page
    ranged = [w for w in kit.weapons.values() if w["kind"] == "ranged"]
    assert ", ".join(str(w["range"] * max(1, w["damage_mod"])) for w in ranged) + " squares at most" in page
    assert ", ".join(f"{name} {armour['bonus']}" for name, armour in kit.armours.items()) in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_game_says_what_it_is_about(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of its page, filled with its options, without anchors, rule numbers and signs of Markdown."""
    for name in system_names():
        for game in system(name).games:
            told = aim_of(game, lang)
            assert 10 < len(told) < 300 and not re.search(r"[<>*`#\n]|\[R|\{", told), told
    assert {"en": "after 3 rounds", "de": "nach 3 Runden"}[lang] in aim_of("einblatt-duel", lang)
    spec = make_game("einblatt-duel", modules={"mercy": {}}, compiled=False).spec
    assert aim_of(spec, lang) == aim_of("einblatt-duel", lang)
    monkeypatch.setattr("probespiel.envs.core.rulebook.pages.data_file", lambda *_: None)
    assert aim_of("kuhn", lang) == "", "a system without a page"


@pytest.mark.parametrize(("scenario", "mode"), [
    ("council", "versus"), ("market", "solo"), ("old_friend", "solo"), ("claim", "claim"), ("lone_claim", "claim_solo"),
])  # fmt: skip
def test_a_talk_says_what_holds_for_the_kind_that_is_played(scenario: str, mode: str) -> None:
    """It told of all three at once: winning somebody over, winning each other over, and a story that is believed."""
    words = {  # of the aim, of how it ends
        "solo": ("win somebody over", "gewinnen, ehe", "Alone, you get", "Allein bekommst du"),
        "versus": ("win each other over", "einander gewinnen", "Two seats win +1", "Zu zweit gewinnt"),
        "claim": ("one seat states", "Einer behauptet", "The liar gets the opposite", "Der Lügner (liar) bekommt"),
        "claim_solo": ("somebody states", "Jemand behauptet", "With nobody else at the table", "Ohne zweiten Spieler"),
    }
    spec = make_game("oneshot-parley", scenario, compiled=False).spec
    told = {lang: (aim_of(spec, lang), rules_of(spec, lang)) for lang in LANGUAGES}
    for kind, (english, german, ends, endet) in words.items():
        for lang, aim, end in (("en", english, ends), ("de", german, endet)):
            assert (aim in told[lang][0]) == (end in told[lang][1]) == (kind == mode), (kind, lang, told[lang][0])
    talks = mode in ("solo", "versus")
    assert ("**Patience:**" in told["en"][1]) == talks and ("**Geduld:**" in told["de"][1]) == talks
    whole = page_of("oneshot")
    assert all(end in whole for _, _, end, _ in words.values()), "the page of the system tells of all"


@pytest.mark.parametrize("name", system_names())
def test_scenarios_have_a_name_and_a_line(name: str) -> None:
    """All of them, in both languages, two of a game never called the same; and no scenario that there is not."""
    for lang in LANGUAGES:
        for game in system(name).games:
            scenes = [scene_of(name, scenario, lang) for scenario in system(name).scenarios(game)]
            assert len({scene.name for scene in scenes}) == len(scenes)
            for scene in scenes:
                assert scene.about.endswith(".") and 10 < len(scene.about) < 110 and len(scene.name) < 36, scene
                assert "_" not in scene.name
    known = {scenario for game in system(name).games for scenario in system(name).scenarios(game)}
    assert set(table_of(name, "scenarios.toml")) == known
    one = next(iter(known))
    assert scene_of(name, one, "en") != scene_of(name, one, "de")


def test_seats_of_scenarios_for_one_person_are_there_and_decide() -> None:
    """In the rescue the first seat lies dying: whoever took it watched a whole game without a question.

    In the assassination the attacker has nothing to decide where the defender runs home.
    """
    named = 0
    for name in system_names():
        for game in system(name).games:
            for scenario in system(name).scenarios(game):
                scene = scene_of(name, scenario)
                named += bool(scene.seat)
                if scene.seat:
                    made = make_game(game, scenario, compiled=False)
                    agents = cast(made, None, "random")
                    assert [made.seats[seat].name for seat in agents if agents[seat] == "human"] == [scene.seat]
                    assert cast(made, made.seats[0].name, "random")[0] == "human", "who asks for a seat gets it"
    assert named == 2
    rescue = Table(made := make_game("scorekeeper-skirmish", "stairwell_rescue", compiled=False),
                   cast(made, None, "random"), 5)  # fmt: skip
    rescue.advance()
    assert rescue.waiting() == [1]


def test_scenarios_without_words_go_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scene_of("kuhn", "my_own.json") == Scene("my_own.json") and scene_of("kuhn", "a_b") == Scene("a b")
    assert scene_of("oneshot", "custom") == Scene("own set-up"), "a German page said custom in its title"
    assert scene_of("oneshot", "custom", "de") == Scene("eigener Aufbau")
    monkeypatch.setattr("probespiel.envs.core.rulebook.scenarios.table_of", lambda *_: {"standard": {"en": ["only"]}})
    with pytest.raises(RulesetError, match="standard: en must be a name and a line about it"):
        scene_of("kuhn", "standard")


def test_the_command_tells_of_scenarios(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "einblatt-melee", "--lang", "de"]) == 0
    out = capsys.readouterr().out
    assert (
        "--scenario tug_of_war (ohne Angabe)\n    Tauziehen: Drei Helden" in out and "--scenario free_for_all\n" in out
    )
    assert run(["games", "einblat-melee"]) == 2
