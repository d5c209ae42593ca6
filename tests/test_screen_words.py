"""Words of the browser's screens: every one is a term of the glossary, a name, or listed as an everyday word."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jinja2 import BaseLoader, Environment

from probespiel.app.session.table import Table
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.room import Room
from probespiel.app.web.words import say
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.registry import make_game, systems

from .page_values import page_values
from .test_glossary import DATA, EVERYDAY, WORD, unknown_words

SCREEN = {lang: frozenset((DATA / f"screen_{lang}.txt").read_text("utf-8").split()) for lang in LANGUAGES}
GAMES = [game for system in systems() if not system.reference for game in system.games]
LABEL = re.compile(r'(?:title|aria-label)="([^"]*)"')


SENTENCES = (  # that explain: the aim, notes, what a game and a stage of a build are about, terms by the glossary
    r"(?<=</summary>)(?:<p>[^<]*</p>)+(?=</details>)",
    r'<p class="small muted legend">[^<]*</p>',
    r'(?<=id="stage-words">)[^<]*',
    r'<span class="about[^>]*>[^<]*</span>',
    r'<dl class="terms">.*?</dl>',
)
SHORT = re.compile(r"\b[A-ZÄÖÜ]{2,}\b")


def texts_of(page: str) -> list[str]:
    """The texts of a page, one a line."""
    return [html.unescape(line).strip() for line in re.sub(r"<[^>]+>", "\n", page).split("\n")]


def lines_of(page: str) -> tuple[list[str], list[str]]:
    """What a reader of a page meets: all texts and labels but explaining sentences, and these.

    Marks for eyes alone are left out, and letters and names inside drawings.
    """
    page = re.sub(r'<(\w+)[^>]*aria-hidden="true"[^>]*>[^<]*</\1>', "", page)
    page = re.sub(r'<text[^>]*class="(?:letter|sign|own-text|foe-text)[^>]*>[^<]*</text>', "", page)  # names, signs
    explained: list[str] = []
    for sentence in SENTENCES:
        explained += [line for found in re.findall(sentence, page, re.DOTALL) for line in texts_of(found)]
        page = re.sub(sentence, "", page, flags=re.DOTALL)
    return [*map(html.unescape, LABEL.findall(page)), *texts_of(page)], explained


class Planted(BaseLoader):
    """Templates as they are, but for one that shows a term that nobody explains in its paragraphs and headings."""

    def __init__(self, loader: BaseLoader, name: str) -> None:
        self.loader, self.name = loader, name

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, file, fresh = self.loader.get_source(environment, template)
        return (re.sub(r"</(p|h2)>", r" Flurbel</\1>", source) if template == self.name else source), file, fresh


def unknown_on_pages(game: str, folder: Path, planted: str = "", decisions: int = 25) -> Iterator[str]:
    """Random play of a game: language, word and line of what its pages show and nobody explains.

    Explaining sentences are read for abbreviations alone. `planted` is a template with a term that nobody knows.
    """
    made, lot, hall = make_game(game, compiled=False), random.Random(3), Hall(folder, workers=1)
    pages, everybody = Pages(hall), dict.fromkeys(range(made.n_seats), "human")
    table = Table(made, everybody, seed=7)
    room = Room("0" * 16, game, "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    called = (f"{seat.called(lang)} {seat.side_called(lang)}" for seat in made.seats for lang in LANGUAGES)
    names = {word for name in (*called, game, "x") for word in WORD.findall(name)}
    if planted:
        loader = pages.renderer.environment.loader
        assert loader is not None
        pages.renderer.environment.loader = Planted(loader, planted)
    shared = page_values(room)
    try:
        for _ in range(decisions):
            if table.over:
                break
            seat = table.waiting()[0]
            for lang in LANGUAGES:
                values = shared | pages.seat_values(room, "x" * 64, seat, lang) | {"lang": lang}
                values["t"] = lambda key, lang=lang, **more: say(lang, key, **more)
                lines, explained = lines_of(pages.renderer.render("game.html", values))
                for line in lines:
                    for word in unknown_words(line, made.spec.system, lang):
                        if word not in names and word.lower() not in SCREEN[lang]:
                            yield f"{lang}: {word!r} in {line!r}"
                for line in explained:
                    for word in SHORT.findall(" ".join(unknown_words(line, made.spec.system, lang))):
                        yield f"{lang}: {word!r} in {line!r}"
            table.choose(seat, lot.choice(table.legal(seat)))
    finally:
        hall.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_screen_is_explained(game: str, tmp_path: Path) -> None:
    wrong = dict.fromkeys(unknown_on_pages(game, tmp_path))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("game", "template"),
    [("einblatt-duel", "einblatt/screen.html"), ("ews_rps", "ews_rps/screen.html"), ("oneshot-build", "game.html")],
)
def test_a_term_that_nobody_explains_is_found(game: str, template: str, tmp_path: Path) -> None:
    """In the screen of a system, and outside of it: in the page around it, which had not been read before."""
    found = list(unknown_on_pages(game, tmp_path, template, decisions=1))
    assert any("en: 'Flurbel'" in line for line in found) and any("de: 'Flurbel'" in line for line in found)
    assert all("'Flurbel'" in line for line in found), found


def test_sentences_that_explain_are_read_for_abbreviations() -> None:
    """Only they are left out, and of the card that holds them the title is read."""
    page = '<details class="card"><summary>Aim</summary><p>Have more EP and XQ.</p><p>Win.</p></details><p>Here.</p>'
    lines, explained = lines_of(page)
    assert [line for line in lines if line] == ["Aim", "Here."]
    assert [line for line in explained if line] == ["Have more EP and XQ.", "Win."]
    assert SHORT.findall(" ".join(unknown_words(explained[1], "einblatt", "en"))) == ["XQ"]


def test_listed_words_are_everyday_ones() -> None:
    """No abbreviation is hidden among them, and nothing stands in two lists."""
    for lang, words in SCREEN.items():
        assert not words & EVERYDAY[lang] and len(words) < 120
        assert all(word == word.lower() and word.isalpha() for word in words)
