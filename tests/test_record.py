"""The record of a person's games: what is noted, what counts for the rating, and what the rating is."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probespiel.agents.declaration import Lineup, agents_of
from probespiel.app.cli import run
from probespiel.app.cli_stats import lines_of
from probespiel.app.session.journal import read_journal
from probespiel.app.session.record import (
    ABOUT_RATINGS,
    NAME,
    TOGETHER,
    Played,
    Rating,
    Standing,
    difference,
    level_of,
    outcome_of,
    rated,
    ratings,
    record,
    standings,
)
from probespiel.app.session.solo import Notes
from probespiel.app.session.table import Table
from probespiel.app.web.guard import Refused
from probespiel.app.web.lobby import order_of
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game, system_of, systems


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


def play(table: Table) -> None:
    """First legal actions to the end."""
    while not table.over:
        seat = (table.waiting() or table.thinking())[0]
        table.choose(seat, table.legal(seat)[0])
    table.close()


def new(kuhn: Game, folder: Path, seed: int = 1, **more: object) -> Table:
    return Table(kuhn, {0: "human", 1: "random"}, seed, keep=folder, **more)  # type: ignore[arg-type]


def test_a_finished_game_is_noted_once(kuhn: Game, tmp_path: Path) -> None:
    table = new(kuhn, tmp_path)
    play(table)
    (played,) = record(tmp_path)
    assert (played.game, played.seat, played.opponent, played.practice) == ("kuhn", "first", "random", False)
    payoff = table.replay().payoffs[0]
    assert played.payoff == payoff and played.score == (payoff > 0)
    assert table.path is not None and played.file == table.path.name
    two = Table(kuhn, {0: "human", 1: "human"}, 1, keep=tmp_path)
    play(two)
    play(Table(kuhn, {0: "human", 1: "random"}, 1))
    assert len(record(tmp_path)) == 1, "neither games of several people nor those that are kept nowhere"


def test_what_was_taken_back_or_helped_counts_for_nothing(kuhn: Game, tmp_path: Path) -> None:
    table = new(kuhn, tmp_path)
    table.choose(0, table.legal(0)[0])
    table.undo(0)
    assert table.path is not None
    table.close()
    again = Table.resume(table.path, game=kuhn)  # it is known after a restart, too
    assert again.practice
    play(again)
    helped = new(kuhn, tmp_path)
    helped.practise()
    assert helped.path is not None and read_journal(helped.path).taken_back
    before = helped.replay().steps
    helped.close()
    resumed = Table.resume(helped.path, game=kuhn)
    assert resumed.practice and resumed.replay().steps == before
    play(resumed)
    middle = new(kuhn, tmp_path)
    middle.choose(0, 0)
    entries = middle.replay().steps
    middle.close()
    play(new(kuhn, tmp_path, 7, entries=entries))
    dealt = Table(kuhn, {0: "human", 1: "random"}, 7)
    play(new(kuhn, tmp_path, 7, entries=dealt.replay().steps))  # who loads it again may have seen both cards
    dealt.close()
    own = new(kuhn, tmp_path, own_seed=True)  # who has named the seed may have played it before
    assert own.path is not None
    own.close()
    play(Table.resume(own.path, game=kuhn))
    assert [played.practice for played in record(tmp_path)] == [True, True, True, True, True]
    (standing,) = standings(record(tmp_path))
    assert (standing.games, standing.rated, standing.rating) == (5, 0, None)


_KNOWN = "It counts for no rating: its seed was known before."


@pytest.mark.parametrize(("more", "practice"), [(["--seed", "3"], True), ([], False)])
def test_a_seed_of_ones_own_counts_for_no_rating_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    practice: bool,
) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n"))
    assert run(["play", "kuhn", "--opponent", "random", *more]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert (_KNOWN in out) == practice and out.count("The game is over") == 1
    (played,) = record(tmp_path / "games")
    assert played.practice == practice


@pytest.mark.parametrize("more", [["--seed", "3"], ["--load", "game.json"]])
def test_no_rated_game_has_dice_that_can_be_known(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    assert run(["play", "kuhn", "--rated", *more]) == 2
    assert "leave out --seed and --load" in " ".join(capsys.readouterr().err.split())


def test_a_page_begins_no_rated_game_by_a_seed_of_ones_own() -> None:
    fields = {"game": ["kuhn"], "opponent": ["random"], "seed": [" 5 "], "rated": [""]}
    order = order_of(fields, "en")
    assert (order.seed, order.own_seed, order.rated) == (5, True, False)
    drawn = order_of(fields | {"seed": [""], "rated": ["1"]}, "en")
    assert (drawn.own_seed, drawn.rated) == (False, True)
    with pytest.raises(Refused) as refused:
        order_of(fields | {"rated": ["1"]}, "en")
    assert (refused.value.status, refused.value.key) == (400, "rated_seed")


def test_a_run_remembers_that_its_seed_was_named(tmp_path: Path) -> None:
    for own in (True, False):
        notes = Notes.begin("oneshot", {}, 4, "en", tmp_path, own_seed=own)
        notes.close()
        again = Notes.go_on(notes.path)
        again.close()
        assert (notes.own_seed, again.own_seed) == (own, own)


@pytest.mark.parametrize(
    ("people", "others", "person", "score"),
    [
        ((5.0, -1.0, -1.0), (1.0,) * 6, "first", 0.5),  # both sides have 1 a head
        ((2.0, 1.0, 1.0), (1.0,) * 6, "first", 1.0),
        ((2.0, 1.0, 1.0), (1.0,) * 6, "last", 0.0),
        ((1.0, 1.0, 0.0), (0.4,) * 6, "first", 1.0),  # the smaller side has less in all and more a head
    ],
)
def test_the_score_is_that_of_the_side(
    people: tuple[float, ...], others: tuple[float, ...], person: str, score: float
) -> None:
    """By the mean payoff of a side, here of three against six."""
    game = make_game("einblatt-melee", compiled=False)
    assert [len(seats) for _, seats in game.sides] == [3, 6]
    seat = 0 if person == "first" else 8
    cast = {at: "human" if at == seat else "random" for at in range(9)}
    played = outcome_of(game, cast, people + others, False, "f")
    assert played is not None and played.score == score and played.payoff == (people + others)[seat]
    both = outcome_of(game, {at: "human" if at < 2 else "random" for at in range(9)}, people + others, False, "f")
    assert both is not None and both.payoff == (people[0] + people[1]) / 2 and both.file == "f"


def test_the_best_of_the_other_sides_is_met() -> None:
    """Where there are three sides, who has less than one of the others has not won."""
    game = make_game("konfrontation-campaign", scenario="triad", compiled=False)
    assert len(game.sides) == 3
    played = outcome_of(game, {0: "human", 1: "random", 2: "random"}, (2.0, 3.0, 1.0), False, "f")
    assert played is not None and played.score == 0.0


def test_the_scale_of_the_levels_is_that_of_the_first_scenario_unchanged() -> None:
    """Kept with the game, as its options are not; lines from before that go by scenario and modules."""

    def usual(**asked: Any) -> bool | None:
        game = make_game("konfrontation-campaign", compiled=False, **asked)
        cast = dict.fromkeys(range(len(game.seats)), "random") | {0: "human"}
        played = outcome_of(game, cast, (1.0,) * len(game.seats), False, "f")
        assert played is not None
        return played.usual

    first = system_of("konfrontation-campaign").scenarios("konfrontation-campaign")[0]
    assert usual() is True and usual(scenario=first) is True and usual(scenario="triad") is False
    assert usual(turns=9) is False
    name = agents_of("konfrontation").lineups["konfrontation-campaign"].levels[2]
    kept = Played(1.0, "konfrontation-campaign", first, (), "r", "a", name, 1.0, 1.0, False, "f")
    assert ratings([kept])[0].games == 1
    assert not ratings([replace(kept, scenario="triad")]) and not ratings([replace(kept, modules=("wild",))])
    assert not ratings([replace(kept, usual=False)]) and ratings([replace(kept, scenario="gone", usual=True)])
    assert not ratings([replace(kept, game="gone")])


def test_standings_by_opponent() -> None:
    """Won, drawn and lost of the games that count; levels first, then whom one met most often; modules stand apart."""
    one = Played(1.0, "kuhn", "standard", (), "r", "first", "random", 1.0, 2.0, False, "f")
    lost, drawn = replace(one, score=0.0, payoff=-1.0), replace(one, score=0.5, payoff=0.0)
    first = "casual:temperature=0.8,sims=8,overlook=0.5,seconds=2"
    games = [
        *(one, lost, lost, drawn, replace(lost, practice=True, payoff=-8.0)),
        replace(one, opponent="bluffer"),
        replace(one, opponent=first),
        *[replace(one, modules=("wild",))] * 3,
    ]
    found = standings(games)
    assert [(s.game, s.opponent, s.games) for s in found] == [
        ("kuhn", first, 1), ("kuhn", "random", 5), ("kuhn", "bluffer", 1), ("kuhn +wild", "random", 3),
    ]  # fmt: skip
    met = found[1]
    assert (met.rated, met.won, met.drawn, met.lost) == (4, 1, 1, 2) and met.payoff == pytest.approx(-8 / 5)
    assert met.rating == pytest.approx(400 * math.log10((1.5 + 0.5) / (4 - 1.5 + 0.5)))


def test_damaged_lines_are_left_out(kuhn: Game, tmp_path: Path) -> None:
    play(new(kuhn, tmp_path))
    line = (tmp_path / NAME).read_text()
    broken = [line[:30], "[]", "{}", line.replace('"kuhn"', "3"), line.replace("false", '"x"'), line + '{"game":']
    (tmp_path / NAME).write_text("\n".join(broken))
    assert len(record(tmp_path)) == 1
    assert record(tmp_path / "nowhere") == []


def test_differences_of_ratings() -> None:
    rating, low, high = difference(5, 10)
    assert (
        rating == 0
        and low == pytest.approx(-high)
        and high == pytest.approx(400 * math.log10(0.812914 / 0.187086), abs=0.01)
    )
    rating, low, high = difference(10, 10)
    assert rating > 400 and low == pytest.approx(400 * math.log10(0.691503 / 0.308497), abs=0.01) and high == math.inf
    assert difference(0, 3)[1] == -math.inf  # ten games won are those of somebody who wins 69.15 % in 2.5 % of cases
    assert rating == pytest.approx(400 * math.log10(10.5 / 0.5)), "with one drawn game more"
    # 64 of 100 points are a lead of 100
    assert difference(6400, 10000)[0] == pytest.approx(100, abs=1)
    assert difference(640, 1000)[2] - difference(640, 1000)[1] < difference(64, 100)[2] - difference(64, 100)[1]


def test_levels_are_known_by_their_agents() -> None:
    assert level_of("kuhn", "casual:temperature=0.8,sims=8,overlook=0.5,seconds=2") == 1
    assert level_of("kuhn", "random") == 0 and level_of("gone", "random") == 0 and level_of("kuhn", "a + b") == 0


@pytest.mark.parametrize(("lang", "who"), [("en", "nobody on another side"), ("de", "niemand auf einer anderen Seite")])
def test_who_plays_alone_meets_nobody(lang: str, who: str) -> None:
    """A mission of one stood in the statistics with an empty name before the colon."""
    alone = Played(1.0, "oneshot-mission", "custom", (), "0", "fighter", "", None, 0.0, False, "one.json")
    assert f"  {who}: 1 " in lines_of(standings([alone]), lang)[1]


@pytest.mark.parametrize(("lang", "row"), [
    ("en", "mean payoff +0.50; not rated"), ("de", "mittlere Auszahlung +0,50; nicht gewertet")])  # fmt: skip
def test_who_wins_together_is_not_rated_and_is_told_why(lang: str, row: str) -> None:
    """`rated 0: 0 won, 0 drawn, 0 lost` stood below two missions, one of them a success."""
    base = Played(1.0, "oneshot-mission", "x", (), "0", "fighter", "random", None, 0.0, False, "one.json")
    missions, duel = [base, replace(base, payoff=1.0)], replace(base, game="kuhn", score=1.0)
    told = lines_of(standings(missions), lang)
    assert told[1].endswith(row) and told[-1] == TOGETHER[lang == "de"]
    assert lines_of(standings([duel]), lang)[-1] == ABOUT_RATINGS[lang == "de"], "there is a side that can be beaten"


@pytest.mark.parametrize(("level", "games", "lang", "said"), [
    (0, 1, "en", "rated games: 1): below level 1"),
    (0, 1, "de", "gewertete Spiele: 1): unter Stufe 1"),
    (3, 20, "en", "rated games: 20): level 3"),
    (3, 20, "de", "gewertete Spiele: 20): Stufe 3"),
])  # fmt: skip
def test_a_rating_is_told_with_its_level(level: int, games: int, lang: str, said: str) -> None:
    """One lost game was told as "from 1 rated games: level 0", a level that nobody can choose."""
    one = Standing("kuhn", "random", 0, games, games, 0, 0, games, -1.0, -100.0, -math.inf, 50.0)
    assert lines_of([one], lang, {"kuhn": Rating("kuhn", games, -100.0, -math.inf, 50.0, level)})[1].endswith(said)


def test_the_command(
    kuhn: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path))
    assert run(["stats"]) == 0
    assert "No finished game yet" in capsys.readouterr().out
    (tmp_path / "games").mkdir()
    for seed in (1, 2):
        play(new(kuhn, tmp_path / "games", seed))
    for lang, words in (("en", "95 % interval"), ("de", "95-%-Intervall")):
        assert run(["stats", "--lang", lang]) == 0
        assert words in capsys.readouterr().out
    assert run(["stats", "kuhn", "--json"]) == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["games"] == 2 and row["won"] + row["drawn"] + row["lost"] == 2
    assert run(["stats", "leduc"]) == 0
    assert "No finished game yet" in capsys.readouterr().out
    assert run(["stats", "kuhm"]) == 2
    assert "did you mean kuhn" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lang", "level", "others"),
    [
        (
            "en", "level 1 of 8: search that overlooks moves, 8 simulations a decision, at most 2 s",
            "search, 4,000 simulations a decision + any move by chance",
        ),
        (
            "de", "Stufe 1 von 8: Suche, die Züge übersieht, 8 Simulationen je Entscheidung, höchstens 2 s",
            "Suche, 4.000 Simulationen je Entscheidung + irgendein Zug per Zufall",
        ),
    ],
)  # fmt: skip
def test_opponents_stand_there_in_words(lang: str, level: str, others: str) -> None:
    one = Standing("kuhn +more", "casual:sims=8,temperature=0.8,overlook=0.5,seconds=2", 1, 3, 0, 0, 0, 0, 0.5,
                   None, None, None)  # fmt: skip
    two = replace(one, opponent="search:sims=4000 + random", level=0)
    gone = replace(one, game="gone", opponent="somebody:x=1", level=0)
    told = [line.split(": 3 ")[0].strip() for line in lines_of([one, two, gone], lang) if ": 3 " in line]
    assert told == [level, others, "somebody:x=1"]


def test_a_rating_on_the_scale_of_the_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    for rating in (-150.0, 0.0, 260.0):  # all points as expected: the rating is found again
        shares = [1 / (1 + 10 ** ((known - rating) / 400)) for known in (0.0, 100.0, 200.0)]
        met = [(known, 1.0) for known, share in zip((0.0, 100.0, 200.0), shares) for _ in range(round(3000 * share))]
        met += [(k, 0.0) for k, share in zip((0.0, 100.0, 200.0), shares) for _ in range(3000 - round(3000 * share))]
        found, low, high = rated(met)
        assert low < rating < high and found == pytest.approx(rating, abs=2) and high - low < 25
    found, low, high = rated([(100.0, 1.0)] * 3)
    # three games are won with 29.24 % in 2.5 % of cases
    assert low < found < high == math.inf and low == pytest.approx(
        100 + 400 * math.log10(0.292402 / 0.707598), abs=0.01
    )
    found, low, high = rated([(100.0, 0.0)])
    assert low == -math.inf and found < high
    assert rated([(50.0, 0.5)])[0] == pytest.approx(50)
    wide, narrow = rated([(0.0, 1.0), (0.0, 0.0)]), rated([(0.0, 1.0), (0.0, 0.0)] * 20)
    assert wide[2] - wide[1] > 3 * (narrow[2] - narrow[1]) > 0

    lineup = Lineup(levels=("random", "search:sims=9"), ratings=(0.0, 120.0))
    monkeypatch.setattr("probespiel.app.session.record._lineup", lambda game: lineup)
    played = Played(1.0, "kuhn", "standard", (), "r", "first", "search:sims=9,seconds=2", 1.0, 1.0, False, "f")
    games = [played, replace(played, score=0.0), replace(played, practice=True), replace(played, opponent="other")]
    games.append(replace(played, modules=("wild",)))  # the scale of the levels says nothing of other rules
    games.append(replace(played, usual=False))
    (one,) = ratings(games)
    assert one.games == 2 and one.rating == pytest.approx(120) and one.level == 2
    assert "+120" in lines_of(standings(games), "en", {"kuhn": one})[1]


def test_ratings_of_levels_stand_beside_them() -> None:
    for system in systems():
        for lineup in agents_of(system.name).lineups.values():
            assert len(lineup.ratings) in (0, len(lineup.levels)) and (not lineup.ratings or lineup.ratings[0] == 0)
