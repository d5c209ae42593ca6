"""The last screen of every game says who has won and by what, in words, at the terminal and in the browser."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.app.session.table import Table
from probespiel.envs.core.game import Game, Position, Seat
from probespiel.envs.core.registry import game_names, make_game
from probespiel.envs.core.texts import ending_lines, minus_signs, number_in, won
from probespiel.envs.konfrontation import ending
from probespiel.envs.oneshot import state as oneshot
from probespiel.envs.oneshot.build.ending import side_by_side
from probespiel.envs.oneshot.build.text import STAGES

TALKS = {"en": "talk|patience|listener", "de": "Gespräch|Geduld|Zuhörer"}
BY = {  # what the first lines name: numbers of the rules, cards, or what was shown, beside the payoffs
    "einblatt-duel": ("EP [+-]", "EP [+−]"),
    "einblatt-melee": ("EP [+-]", "EP [+−]"),
    "einblatt-campaign": ("EP [+-]", "EP [+−]"),
    "ews_rps": (r"score \d\.\d+ after \d+ tests", r"Stand \d,\d+ nach \d+ Proben"),
    "goofspiel": (r"\d+ points against \d+", r"\d+ Punkte gegen \d+"),
    "konfrontation-clash": ("confrontation|draw", "Konfrontation|unentschieden"),
    "konfrontation-campaign": (
        r"House Arden \d+ control points?, -?\d+ power; House Belmar \d+ control point",
        r"Haus Arden \d+ Kontrollpunkte?, -?\d+ Power; Haus Belmar \d+ Kontrollpunkt",
    ),
    "kuhn": ("folds|(jack|queen|king) against", "steigt aus|(Bube|Dame|König) gegen"),
    "leduc": ("folds|against .*public card", "steigt aus|gegen .*offene Karte"),
    "liars_dice": (
        r"last bid \d (die|dice) showing \d, first had \d, second had",
        r"letztes Gebot \d Würfel mit \d, Erster hatte \d, Zweiter hatte",
    ),
    "oneshot-skirmish": (r"standing red \d, blue \d; count", r"es stehen Rot \d, Blau \d; Zähler"),
    "oneshot-parley": (TALKS["en"], TALKS["de"]),
    "oneshot-build": (r"\d\.\d % of the points of the duel", "\\d,\\d\N{NO-BREAK SPACE}% der Punkte im Zweikampf"),
    "oneshot-mission": (r"has (succeeded|failed): .*alive \d/\d", r"ist (gelungen|gescheitert): .*am Leben \d/\d"),
    "scorekeeper-duel": ("scratches", "Kratzer"),
    "scorekeeper-skirmish": ("scratches", "Kratzer"),
}
WINS = {"en": r"\bwinner: |\bwins?\b|\bloses\b|\bdraw\b|Nobody|success|failure|has (succeeded|failed)",
        "de": r"\bSieg: |gewinn|verliert|unentschieden|Niemand|Erfolg|Misserfolg|ist ge(lungen|scheitert)"}  # fmt: skip


def at_random(game: Game, seed: int) -> Position:
    lot, position = random.Random(seed), game.position()
    while not position.over:
        while faces := position.die():
            position.fall(lot.randrange(faces))
        for seat in () if position.over else position.to_act()[:1]:
            position.apply(seat, lot.choice(position.legal(seat)))
    return position


@cache
def ended(name: str, seed: int) -> Position:
    return at_random(make_game(name, compiled=False), seed)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", game_names())
def test_every_game_says_who_has_won_and_by_what(name: str, lang: str) -> None:
    for seed in (1, 2, 3):
        position = ended(name, seed)
        lines = position.game.spec.result(position, lang)
        head = " ".join(line for line in lines[:2])
        assert re.search(WINS[lang], head), lines
        assert re.search(BY[name][lang == "de"], " ".join(lines)), lines
        payoffs = position.returns()
        if name == "oneshot-mission":
            assert bool(re.search("has failed|ist gescheitert", head)) == (payoffs.max() == 0), lines
        if name not in ("oneshot-mission", "oneshot-parley") and len(position.game.sides) == 2:
            best = position.game.seats[int(payoffs.argmax())]
            named = best.side_called(lang) if payoffs.max() > payoffs.min() else {"en": "draw", "de": "unentsch"}[lang]
            assert named.removeprefix("Team ") in head, (named, lines)  # German: `Gruppe a`
        if lang == "de":
            assert not re.search(r"\d\.\d|(?<!\w)-\d", " ".join(lines)), lines


def test_who_is_better_off_when_the_rounds_are_over_has_won() -> None:
    """It was `a draw after 4 rounds, team b wins by who is left`: won or not?"""
    game = make_game("scorekeeper-skirmish", "street_raid", max_rounds=4, compiled=False)
    told = {lang: set[str]() for lang in ("en", "de")}
    for seed in range(6):
        position = at_random(game, seed)
        for lang, found in told.items():
            found.add(game.spec.result(position, lang)[0])
    won = {f"after 4 rounds, team {team} wins, by who is left:" for team in "ab"}
    gewonnen = {f"nach 4 Runden, Gruppe {team} gewinnt, gezählt nach denen, die übrig sind:" for team in "ab"}
    assert told["en"] & won and told["de"] & gewonnen, told
    assert not [line for line in told["en"] if "draw" in line and "win" in line]


def test_the_winner_is_the_one_who_is_paid_more() -> None:
    found = {won(ended("kuhn", seed), "en") for seed in range(12)}
    assert found == {"winner: first", "winner: second"}


def ending_of(side: str, called: tuple[str, str], payoff: float) -> SimpleNamespace:
    """The end of a game of a side and of another one, as far as its first line asks for it."""
    seats = (Seat("x", side, side_words=called), Seat("y", "others", side_words=("others", "Übrige")))
    sides = ((side, (0,)), ("others", (1,)))
    return SimpleNamespace(game=SimpleNamespace(seats=seats, sides=sides), returns=lambda: np.array([payoff, 0.0]))


@pytest.mark.parametrize(
    ("called", "told"),
    [
        (("orcs", "Orks"), ("winner: orcs; all fled", "Sieg: Orks; alle geflohen")),  # many
        (
            ("attacker", "Angreifer"),
            ("winner: attacker; all fled", "Sieg: Angreifer; alle geflohen"),
        ),  # wants an article
        (("House Arden", "Haus Arden"), ("winner: House Arden; all fled", "Sieg: Haus Arden; alle geflohen")),
    ],
)
def test_who_has_won_is_said_in_words_that_fit_every_name(called: tuple[str, str], told: tuple[str, str]) -> None:
    """`orcs wins`, `Angreifer gewinnt`: verb and article went by names that a rule file or a player chose."""
    end: Any = ending_of("many", called, 1.0)
    for lang, reason, wanted in zip(("en", "de"), ("all fled", "alle geflohen"), told, strict=True):
        assert ending_lines(end, lang, reason)[0] == f"  {wanted}"
    both: Any = ending_of("many", called, 0.0)
    assert (won(both, "en"), won(both, "de")) == ("a draw", "unentschieden")


def cells_of(lines: list[str]) -> list[list[str]]:
    """The table of two builds: stage, first and second build, what stands in several lines put together again."""
    at, rows = lines[0].index(lines[0].split()[0]), list[list[str]]()
    for line in lines:
        left, right = line.split(" | ")
        cells = [left[:at].strip(), left[at:].strip(), right.strip()]
        if cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [f"{before} {now}".strip() for before, now in zip(rows[-1], cells, strict=True)]
    return rows


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_build_ends_with_both_builds_side_by_side(lang: str) -> None:
    """Every value by its name: `0/2/3` said nothing to whoever does not know in which order it stands."""
    for seed in (3, 5):
        position = ended("oneshot-build", seed)
        s, texts = position.record, position.game.spec.texts
        lines = side_by_side(position, lang)
        assert max(map(len, lines)) <= 80 and all(" | " in line for line in lines)
        rows = cells_of(lines)
        assert rows[0] == ["", *(("first", "second") if lang == "en" else ("Erster", "Zweiter"))]
        for stage, row in enumerate(rows[1:]):
            told = (texts.option(position, seat, stage, int(s.choice[seat, stage]), lang) for seat in (0, 1))  # type: ignore[attr-defined]
            assert row == [STAGES[lang][stage], *(minus_signs(text, lang) for text in told)]
        assert len(rows) == 1 + oneshot.STAGES
        share = 50 * (1 + abs(float(s.worth)))
        head = position.game.spec.result(position, "en")[0]
        assert f"winner: {'first' if s.worth > 0 else 'second'}; {share:.1f} %" in head


def test_both_faces_read_the_same_lines(tmp_path: Path) -> None:
    table = Table(make_game("goofspiel", compiled=False), {0: "human", 1: "human"}, 5, keep=tmp_path)
    lot = random.Random(5)
    while not table.over:
        seat = table.waiting()[0]
        table.choose(seat, lot.choice(table.legal(seat)))
    assert "Punkte gegen" in table.seen(0, "de").result[0] and "points against" in table.seen(1, "en").result[0]
    table.close()


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("-0.5", "−0,5"), ("+1,234.5", "+1.234,5"), ("-∞", "−∞"), ("EP -3, 1-2, KR-4, (-7)", "EP −3, 1-2, KR-4, (−7)"),
    ],
)  # fmt: skip
def test_numbers_as_a_german_reader_writes_them(text: str, german: str) -> None:
    told = minus_signs(text, "de") if "EP" in text else number_in(text, "de")
    assert told == german
    assert number_in(text, "en") == text


@pytest.mark.parametrize(("winner", "english", "german"), [
    ("attacker", "confrontation won, 2.5 more", "die Konfrontation gewonnen, 2,5 mehr"),
    ("defender", "confrontation lost, 2.5 more", "die Konfrontation verloren, 2,5 mehr"),
])  # fmt: skip
def test_who_is_better_off_after_a_confrontation(
    monkeypatch: pytest.MonkeyPatch, winner: str, english: str, german: str
) -> None:
    """3 against -2: half of the difference, of whoever has more, the winner or not."""
    record = SimpleNamespace(attacker=1, defender=0, result=1)
    position: Any = SimpleNamespace(record=record, returns=lambda: np.array([-2.0, 3.0]))
    monkeypatch.setattr(ending, "result_of", lambda position: winner)
    monkeypatch.setattr(ending, "leader_first", lambda position: (1, 0))
    texts: Any = None
    assert ending._confrontation(position, texts, "en") == f"{english} than the other"
    assert ending._confrontation(position, texts, "de") == f"{german} als der andere"
