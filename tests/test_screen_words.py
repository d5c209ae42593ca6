"""Words of the browser's screens: every one is a term of the glossary, a name, or listed as an everyday word."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def lines_of(page: str) -> list[str]:
    """What a reader of the screen of a page meets: its texts and labels, without marks for eyes alone.

    Sentences that explain are left out, as they are in the glossary: the aim of the game, open before the first
    decision, and what a stage of a build is for.
    """
    page = re.sub(r'<details class="card" id="aim".*?</details>', "", page, flags=re.DOTALL)
    page = re.sub(r'(<p class="[^"]*" id="stage-words">)[^<]*', r"\1", page)
    start, end = page.find('<div class="screen'), page.find('<section class="card" aria-labelledby="since">')
    page = re.sub(r'<(\w+)[^>]*aria-hidden="true"[^>]*>[^<]*</\1>', "", page[start:end])
    page = re.sub(r'<span class="about[^>]*>[^<]*</span>', "", page)  # what the glossary says of a thing
    page = re.sub(r'<text[^>]*class="(?:letter|sign|own-text|foe-text)[^>]*>[^<]*</text>', "", page)  # names, signs
    return [html.unescape(line).strip() for line in [*LABEL.findall(page), *re.sub(r"<[^>]+>", "\n", page).split("\n")]]


def unknown_on_pages(game: str, folder: Path) -> Iterator[str]:
    """Random play of a game: language, word and line of what its screens show and nobody explains."""
    made, lot, hall = make_game(game, compiled=False), random.Random(3), Hall(folder, workers=1)
    pages, everybody = Pages(hall), dict.fromkeys(range(made.n_seats), "human")
    table = Table(made, everybody, seed=7)
    room = Room("0" * 16, game, "x", tuple(s.name for s in made.seats), table.cast, {0: "x" * 64}, table=table)
    called = (f"{seat.called(lang)} {seat.side_called(lang)}" for seat in made.seats for lang in LANGUAGES)
    names = {word for name in called for word in WORD.findall(name)}
    shared = page_values(room)
    try:
        for _ in range(25):
            if table.over:
                break
            seat = table.waiting()[0]
            for lang in LANGUAGES:
                values = shared | pages.seat_values(room, "x" * 64, seat, lang) | {"lang": lang}
                values["t"] = lambda key, lang=lang, **more: say(lang, key, **more)
                for line in lines_of(pages.renderer.render("game.html", values)):
                    for word in unknown_words(line, made.spec.system, lang):
                        if word not in names and word.lower() not in SCREEN[lang]:
                            yield f"{lang}: {word!r} in {line!r}"
            table.choose(seat, lot.choice(table.legal(seat)))
    finally:
        hall.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_screen_is_explained(game: str, tmp_path: Path) -> None:
    wrong = dict.fromkeys(unknown_on_pages(game, tmp_path))
    assert not wrong, "\n".join(wrong)


def test_listed_words_are_everyday_ones() -> None:
    """No abbreviation is hidden among them, and nothing stands in two lists."""
    for lang, words in SCREEN.items():
        assert not words & EVERYDAY[lang] and len(words) < 120
        assert all(word == word.lower() and word.isalpha() for word in words)
