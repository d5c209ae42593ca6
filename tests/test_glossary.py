"""The glossary: every word that a game shows is a term, a name of a seat, or an everyday word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.app.web.rulepages import terms_on
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.errors import RulesetError, WrongLevel
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game, system, system_names
from probespiel.envs.core.rulebook import Entry, explain, glossary_of, rules_of, terms_in
from probespiel.envs.core.rulebook.glossary import CORE, check_glossary, near_terms
from probespiel.envs.core.rulebook.pages import RULES, anchors, numbers, page_of

from .screens import shown_in

DATA = Path(__file__).parent / "data"
WORD = re.compile(r"[^\W\d_]+")
HYPHEN = re.compile(r"(?<![\w.,)\]-])-\d")  # before a number, where German has a minus sign
EVERYDAY = {lang: frozenset((DATA / f"everyday_{lang}.txt").read_text(encoding="utf-8").split()) for lang in LANGUAGES}
GAMES = [(game, scenario) for name in system_names() for game in system(name).games
         for scenario in system(name).scenarios(game)]  # fmt: skip


def unknown_words(line: str, name: str, lang: str) -> list[str]:
    """Words of a line that are neither in a term of the system's glossary nor everyday words."""
    rest = list(line)
    for found in terms_in(line, name, lang):
        rest[found.start : found.end] = " " * (found.end - found.start)
    return [word for word in WORD.findall("".join(rest)) if word.lower() not in EVERYDAY[lang]]


def unknown_in(game: Game, seed: int) -> Iterator[str]:
    """What random play of a game shows and nobody explains: language, word, and the line it stands in.

    German lines with a hyphen for a minus sign, too.
    """
    called = (f"{seat.called(lang)} {seat.side_called(lang)}" for seat in game.seats for lang in LANGUAGES)
    names = {word for name in called for word in WORD.findall(name)}
    done: set[tuple[str, str]] = set()
    for lang, text in shown_in(game, seed):
        for line in re.sub(r"\d+", "0", text).splitlines():
            if (lang, line) not in done:
                done.add((lang, line))
                if lang == "de" and HYPHEN.search(line):
                    yield f"de: a hyphen for a minus sign in {line.strip()!r}"
                words = unknown_words(line, game.spec.system, lang)
                yield from (f"{lang}: {word!r} in {line.strip()!r}" for word in words if word not in names)


@pytest.mark.parametrize(("lang", "term", "first"), [
    ("en", "strength", "Of a card: "), ("de", "Stärke", "Einer Karte: ")])  # fmt: skip
def test_the_strength_of_a_card_is_not_told_as_that_of_a_hero(lang: str, term: str, first: str) -> None:
    """Beside every card stands `strength 9 of 15`, and `explain` told of an attribute of campaigns."""
    entry = explain(term, "einblatt-duel", lang)
    assert entry is not None and entry.text.startswith(first) and "15" in entry.text


@pytest.mark.parametrize(("game", "scenario"), GAMES, ids=lambda value: value)
def test_every_word_on_a_screen_is_explained(game: str, scenario: str) -> None:
    """Random play with fixed seeds, interpreted, in both languages."""
    made = make_game(game, scenario, compiled=False)
    wrong = dict.fromkeys(line for seed in (1, 2) for line in unknown_in(made, seed))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "module", [(name, module) for name in system_names() for module in system(name).modules()], ids=lambda m: m[1]
)
def test_every_word_of_a_module_is_explained(module: tuple[str, str]) -> None:
    """The same with each built-in module, in the first game and scenario of its system that it fits."""
    name, rule = module
    for game, scenario in GAMES:
        if game in system(name).games:
            try:
                made = make_game(game, scenario, {rule: {}}, compiled=False)
            except (WrongLevel, RulesetError):
                continue
            wrong = dict.fromkeys(unknown_in(made, 1))
            assert not wrong, "\n".join(wrong)
            return
    raise AssertionError(f"{rule} fits no game")


def test_words_that_nobody_knows_are_found() -> None:
    """The checks above would pass if everything counted as known."""
    assert unknown_words("KR 2/4  flurbled 3 m", "scorekeeper", "en") == ["flurbled"]
    assert unknown_words("KR 2/4", "scorekeeper", "en") == []
    assert unknown_words("KR 2/4", "kuhn", "en") == ["KR"]
    assert all(len(words) < 220 for words in EVERYDAY.values())


def test_everyday_words_are_no_terms_of_ours() -> None:
    """Whatever stands in both is not explained by accident alone: a list of everyday words hides no abbreviation."""
    assert not [
        word for lang in LANGUAGES for word in EVERYDAY[lang] if word.isupper() or any(c.isdigit() for c in word)
    ]
    for name in system_names():
        for lang in LANGUAGES:
            short = {w for e in glossary_of(name, lang) for w in (e.term, *e.also) if w.isupper() and len(w) > 1}
            assert not {word.lower() for word in short} & EVERYDAY[lang]


@pytest.mark.parametrize("name", [CORE, *system_names()])
def test_glossaries_are_sound(name: str) -> None:
    """No name means two things; explanations are short; rule numbers stand on the page."""
    assert not check_glossary(name)
    for lang in LANGUAGES:
        entries = glossary_of(name, lang)
        assert len(entries) > 5
        for entry in entries:
            assert entry.text.endswith((".", "?")) and len(entry.text) < 220, entry.term
            told = [name.lower() for name in (entry.term, *entry.also)]  # the command names them before the text
            assert not entry.text.lower().startswith(tuple(f"{name}:" for name in told)), entry.term
        if name != CORE:
            known = anchors(page_of(name, lang))
            rules = {n for entry in entries if entry.rule for n in numbers(entry.rule)}
            assert rules <= set(known), rules - set(known)
            assert all(RULES.fullmatch(f"[{entry.rule}]") for entry in entries if entry.rule)


def test_terms_are_explained_in_both_languages() -> None:
    english, german = explain("KR", "scorekeeper-duel"), explain("KR", "scorekeeper-duel", "de")
    assert isinstance(english, Entry) and isinstance(german, Entry)
    assert "scratch" in english.also and "Kratzer" in german.also and english.rule == german.rule
    assert explain("kratzer", "scorekeeper") == english  # a word of the other language is understood
    assert explain("success points", "einblatt-melee") == explain("ep", "einblatt")
    assert explain("Wunden", "oneshot", "de") == explain("Wunde", "oneshot", "de")
    assert explain("payoff", "kuhn") == explain("payoff") and explain("KR", "kuhn") is None
    assert explain("flurble") is None
    with pytest.raises(RulesetError, match="lang = 'fr' is not allowed: one of en, de"):
        explain("EP", "einblatt", "fr")
    with pytest.raises(RulesetError, match="game 'chess' is unknown"):
        explain("EP", "chess")


def test_terms_in_a_text() -> None:
    """The longest term at each place; a term ends where no letter follows."""
    text = "derman: saving throw 9 against 6, LW 1/3, 4d6"
    found = [(text[f.start : f.end], f.entry.term) for f in terms_in(text, "scorekeeper-duel")]
    assert found == [("saving throw", "saving throw"), ("LW", "LW"), ("d6", "d4")]
    game = make_game("einblatt-duel", compiled=False)
    line = "Billy EP +1 Trumpf C Stapelei"
    assert [line[f.start : f.end] for f in terms_in(line, game, "de")] == ["EP", "Trumpf", "C"]
    assert [f.entry.term for f in terms_in("the tree's C, CH: c", game)] == ["clubs", "suit"]  # letters as written
    assert terms_in("", game) == [] and terms_in("4711 !?", game) == []


def test_expressions_with_the_word_of_a_term_are_not_the_term() -> None:
    """A mission "counts as much as its difficulty": no clock of a fight."""
    line = "Each one counts as much as its difficulty; the count is 3, it counts."
    assert [line[f.start : f.end] for f in terms_in(line, "oneshot-mission")] == ["difficulty", "count", "counts"]
    run = "The mission is over: failed. The rules pay both after a failure, too. Or leave the rest."
    assert [run[f.start : f.end] for f in terms_in(run, "oneshot")] == ["mission", "over: failed"]


def test_heroes_are_explained_one_by_one_in_both_languages() -> None:
    """The page on a bulwark listed four heroes; "Bollwerk" was in no glossary."""
    for lang, line in (("en", "bulwark, scholar"), ("de", "Bollwerk, Gelehrter")):
        first, second = terms_on([line], "oneshot-mission", lang)
        assert [first.term, second.term] == line.split(", ") and first.text != second.text


def test_a_page_calls_terms_what_it_calls_them() -> None:
    """The first name in the glossary may stand nowhere on the page; one that is written in two ways has both."""
    texts = ["power 4; control points 0", "a control point for each"]
    assert [entry.term for entry in terms_on(texts, "konfrontation-clash", "en")] == ["control points", "power"]
    assert [entry.term for entry in terms_on(["KP 2, Beute"], "konfrontation-clash", "de")] == ["Beute", "KP"]
    (saga,) = terms_on(["saga points +2; 1 saga point"], "oneshot-mission", "en")
    assert saga.term == "saga points"
    assert [entry.term for entry in terms_on(["KR 1, ein Kratzer"], "scorekeeper-duel", "de")] == ["KR, ein Kratzer"]


def test_near_terms() -> None:
    assert near_terms("trmp", "einblatt")[0] == "trump"
    assert "in death struggle" in near_terms("struggle", "scorekeeper")
    assert near_terms("xyzzy", "kuhn") == []


def test_a_term_and_its_game_come_in_any_order(capsys: pytest.CaptureFixture[str]) -> None:
    """As with `rules GAME` the game was typed first, and taken for the term; a term of two words was one too many."""
    for words in (["SW", "scorekeeper-duel"], ["scorekeeper-duel", "SW"]):
        assert run(["explain", *words]) == 0 and "severe wound" in capsys.readouterr().out
    for words in (["success", "points"], ["einblatt-duel", "success", "points"], ["success", "points", "einblatt"]):
        assert run(["explain", *words]) == 0 and "**EP**" in capsys.readouterr().out
    for words, wrong in (
        (["SW", "scorekeper-duel"], "game 'scorekeper-duel' is unknown"), (["no", "such"], "term 'no such' is unknown"),
    ):  # fmt: skip
        assert run(["explain", *words]) == 2 and wrong in capsys.readouterr().err


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "SW", "scorekeeper-duel"]) == 0
    out = capsys.readouterr().out
    assert "severe wound" in out and "[R44, R57]" in out and "probespiel rules scorekeeper" in out
    assert run(["explain", "Trumpf", "--lang", "de"]) == 0
    assert "**Trumpf**" in capsys.readouterr().out
    assert run(["explain", "attack"]) == 0  # a term of several systems: all of them
    out = capsys.readouterr().out
    assert all(f"*{name}:*" in out for name in ("einblatt", "konfrontation", "oneshot", "scorekeeper"))
    assert run(["explain", "max_ties", "konfrontation-clash"]) == 0
    assert "`max_ties` = 10 (1..100)" in capsys.readouterr().out
    assert run(["explain", "capacity_base"]) == 0  # of several options in one item, over two lines
    assert "`capacity_divisor` = 3" in capsys.readouterr().out
    assert run(["explain", "all_pay", "konfrontation", "--lang", "de"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("### Gesetzt ist gesetzt (`all_pay`)") and "###" not in out[3:]
    assert run(["explain", "r31", "einblatt"]) == 0
    assert "[R30-R32]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["trmp", "einblatt"], "term 'trmp' is unknown in einblatt: did you mean 'trump'?"),
        (["xyzzyx"], "term 'xyzzyx' is unknown: `probespiel rules GAME` tells all rules"),
        (["R31"], "rule R31: of which game?"),
        (["R999", "kuhn"], "rule R999 is not told of on the page of kuhn"),
        (["EP", "einblatt-due"], "game 'einblatt-due' is unknown"),
        (["xyzzyx", "kuhn", "--lang", "de"], "der Begriff 'xyzzyx' ist in kuhn unbekannt: `probespiel rules SPIEL"),
        (["Trmpf", "einblatt", "--lang", "de"], "unbekannt: meintest du 'Trumpf'"),
        (["R31", "--lang", "de"], "Regel R31: von welchem Spiel?"),
        (["R999", "kuhn", "--lang", "de"], "von Regel R999 steht nichts auf der Seite von kuhn"),
    ],
)
def test_what_cannot_be_explained_ends_in_a_line(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1 and part in err


def test_pages_speak_the_words_of_the_glossary() -> None:
    """What the page of a game tells and what its glossary explains belong together."""
    for name in system_names():
        for lang in LANGUAGES:
            told = {found.entry.term for found in terms_in(rules_of(system(name).games[0], lang), name, lang)}
            assert len(told) >= 8, (name, lang)
