"""What is told of an event names who it is about, as whoever reads it calls them, and why it came."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
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
    (0, 0, "the attacker wins (the last round); attacker you"), (0, 1, "; attacker player"),
    (1, 0, "; attacker game master"), (1, None, "; attacker game master")])  # fmt: skip
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
    assert {"the bid", "loot from the bank", "taken from the loser", "taken by the winner"} <= causes
    for before, line in power:
        if "(" not in line:  # an action, which has been told just before it
            assert before.startswith(line.partition(":")[0]) and ("power" in before or "recruit" in before), before
    for n, line in enumerate(lines):
        if line.endswith("(loot from the bank)"):  # after the victory of the same faction
            assert f"{line.partition(':')[0]} wins" in lines[n - 3 : n]
        if "taken by the winner" in line:
            assert "taken from the loser" in lines[n + 1]


def test_power_by_a_rule_module_says_so() -> None:
    """What blackmail is paid for."""
    game = make_game("konfrontation-clash", "assassination", {"blackmail": {}}, compiled=False)
    lines = [line for seed in range(12) for line in clash(game, seed)]
    for change in ("-2", "+2"):
        assert any(line.endswith(f": power {change} (by a rule module)") for line in lines)


def test_every_cause_has_words() -> None:
    causes = set(konfrontation.Why) - {konfrontation.Why.ACTION}
    assert all({why for why, _ in words} == causes for words in WHYS.values())
