"""What is told of an event names who it is about, as whoever reads it calls them, and why it came."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from probespiel.agents.declaration import lineup_of
from probespiel.app.naming import levels_remark
from probespiel.app.session.table import Table
from probespiel.app.terminal.opening import cast_lines
from probespiel.app.web.lobby import offer
from probespiel.app.web.render import Renderer
from probespiel.app.web.words import say
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import game_names, make_game
from probespiel.envs.core.rulebook import Scene
from probespiel.envs.ews_rps.state import Action
from probespiel.envs.konfrontation import state as konfrontation
from probespiel.envs.konfrontation.text import WHYS
from tests.test_ews_rps import a_test


def told(position: Position, seat: int | None, lang: str) -> list[str]:
    """The lines of the last step."""
    return [position.game.say(event, seat, lang) for event in position.events()]


# --- ews_rps ------------------------------------------------------------------------------------------------------


def contest(acting: int) -> Position:
    """One contest in which that seat attacks."""
    tests = [{**a_test("contest", 0), "acting_seat": acting}]
    return make_game("ews_rps", tests=tests, compiled=False).position(0)


def shown(position: Position, player: int, master: int) -> Position:
    position.apply(0, player)
    position.apply(1, master)
    return position


@pytest.mark.parametrize("acting", [0, 1])
@pytest.mark.parametrize(("lang", "player", "master", "nobody"), [
    ("en", "you: rock, game master: scissors; you win the round",
     "player: rock, you: scissors; the player wins the round",
     "player: rock, game master: scissors; the player wins the round"),
    ("de", "du: Stein, Spielleitung: Schere; du gewinnst die Runde",
     "Spieler: Stein, du: Schere; der Spieler gewinnt die Runde",
     "Spieler: Stein, Spielleitung: Schere; der Spieler gewinnt die Runde")])  # fmt: skip
def test_a_round_names_who_wins_it(acting: int, lang: str, player: str, master: str, nobody: str) -> None:
    """It was `the acting side wins the round`."""
    position = shown(contest(acting), Action.ROCK, Action.SCISSORS)
    assert [told(position, seat, lang)[0] for seat in (0, 1, None)] == [player, master, nobody]


def test_a_drawn_round_has_no_winner_and_the_game_master_may_win() -> None:
    assert told(shown(contest(1), 0, 0), 0, "en")[0] == "you: rock, game master: rock; the round is drawn"
    lost = shown(contest(1), Action.ROCK, Action.PAPER)
    assert told(lost, 0, "en")[0].endswith("; the game master wins the round")
    assert told(lost, 1, "de")[0].endswith("; du gewinnst die Runde")


@pytest.mark.parametrize(("acting", "seat", "wanted"), [
    (0, 0, "the attacker wins (the last round); attacker: you"), (0, 1, "; attacker: player"),
    (1, 0, "; attacker: game master"), (1, None, "; attacker: game master")])  # fmt: skip
def test_the_result_of_a_contest_says_who_attacked(acting: int, seat: int | None, wanted: str) -> None:
    position = contest(acting)
    while not position.over:
        shown(position, *((0, 2) if acting == 0 else (2, 0)))
    (line,) = [line for line in told(position, seat, "en") if line.startswith("result: ")]
    assert line.endswith(wanted)


@pytest.mark.parametrize(("acting", "seat", "streak", "chance"), [
    (0, 0, "you: difference 0, wins needed 0", "your chance if either side"),
    (0, 1, "player: difference 0", "chance of the player if either side"),
    (1, 0, "game master: difference 0", "chance of the game master if"),
    (1, 1, "you: difference 0", "your chance if")])  # fmt: skip
def test_the_position_says_whose_streak_and_chance_it_is(acting: int, seat: int, streak: str, chance: str) -> None:
    position = contest(acting)
    lines = position.told(seat, "en").splitlines()
    assert any(line.startswith(streak) for line in lines) and any(line.startswith(chance) for line in lines)


# --- konfrontation ------------------------------------------------------------------------------------------------


def clash(game: Game, seed: int) -> list[str]:
    """All lines of a game by chance."""
    lot, position, lines = random.Random(seed), game.position(seed), list[str]()
    position.roll()
    while not position.over:
        seat = position.to_act()[0]
        position.apply(seat, lot.choice(position.legal(seat)))
        lines += told(position, None, "en")
        position.roll()
    return lines


def test_power_that_changes_hands_says_why() -> None:
    """`power +3` after a clash could be loot, spoils, or the doing of a rule."""
    game = make_game("konfrontation-campaign", "duel", compiled=False)
    lines = [line for seed in range(8) for line in clash(game, seed)]
    power = [(before, line) for before, line in pairwise(lines) if ": power " in line]
    causes = {line.partition(" (")[2].rstrip(")") for _, line in power}
    assert {"the bid", "loot from the bank", "for the victory", "as the loser"} <= causes
    for before, line in power:
        if "(" not in line:  # an action, which has been told just before it
            assert before.startswith(line.partition(":")[0]) and ("power" in before or "recruit" in before), before
    for n, line in enumerate(lines):
        if line.endswith("(loot from the bank)"):  # after the victory of the same faction
            assert f"winner: {line.partition(':')[0]}" in lines[n - 3 : n]
        if "(as the loser)" in line:
            assert "(for the victory)" in lines[n + 1]


def test_power_by_a_rule_module_says_so() -> None:
    """What blackmail is paid for."""
    game = make_game("konfrontation-clash", "assassination", {"blackmail": {}}, compiled=False)
    lines = [line for seed in range(12) for line in clash(game, seed)]
    for change in ("-2", "+2"):
        assert any(line.endswith(f": power {change} (by a rule module)") for line in lines)


def test_every_cause_has_words() -> None:
    causes = set(konfrontation.Why) - {konfrontation.Why.ACTION}
    assert all({why for why, _ in words} == causes for words in WHYS.values())


# --- levels -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "A level is how many builds your opponent compares"),
    ("de", "Eine Stufe sagt hier, wie viele Figuren dein Gegner vergleicht")])  # fmt: skip
def test_levels_that_are_not_told_apart_say_so_where_they_are_chosen(lang: str, wanted: str) -> None:
    game = make_game("oneshot-build", compiled=False)
    level = lineup_of(game).levels[2]
    for agent, told in ((level, True), ("greedy", False), ("human", False)):
        table = Table(game, {0: "human", 1: agent}, 3)
        assert any(wanted in line for line in cast_lines(table, lang)) == told
        table.close()
    page = setup_page("oneshot-build", lang)
    assert wanted in page and 'value="level:2"' in page
    assert 'id="levels"' not in setup_page("oneshot-skirmish", lang)


def setup_page(game: str, lang: str) -> str:
    """The form in which a game is set up."""
    shared = {
        "lang": lang, "t": lambda key, **more: say(lang, key, **more), "token": "", "path": "/", "partial": True,
        "offer": offer(game), "values": {}, "scene": lambda *_: Scene("x"),
        "game_title": lambda name: name, "who": lambda agent, game: agent,
        "aim": lambda *_: "", "modules": lambda game: {}, "levels_remark": lambda game: levels_remark(game, lang),
        "taught": lambda game: True, "address": "/",
    }  # fmt: skip
    return Renderer().render("setup.html", shared)


@pytest.mark.parametrize("game", game_names())
def test_levels_without_a_rating_say_why(game: str) -> None:
    """So a level is a number with a meaning, or one that says that it has none."""
    lineup = lineup_of(make_game(game, compiled=False))
    told = [levels_remark(game, lang) for lang in ("en", "de")]
    assert all(told) or not any(told)
    assert not any(told) or told[0] != told[1]
    assert all(told) or len(lineup.ratings) == len(lineup.levels) == 8
