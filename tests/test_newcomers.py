"""What somebody reads who has never read the rules: the aim, why a die decided, what an option is for, what lost."""

from __future__ import annotations

import re

import numpy as np
import pytest

from probespiel.app.ews_rps.screen import draw as draw_rps
from probespiel.app.oneshot.build_words import option_words, stage_words
from probespiel.app.reasons import does_of
from probespiel.app.reviewing import told_of
from probespiel.app.session.advice import Advice, Counsel
from probespiel.app.session.course import Course
from probespiel.app.session.notes import notes_on
from probespiel.app.session.review import Judged, Review
from probespiel.app.session.seen import seen_of, told_once
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.session.table import Table
from probespiel.app.terminal.analysis import lines_of as analysis_lines
from probespiel.app.terminal.hint import lines_of as hint_lines
from probespiel.app.terminal.play import Session
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import STATUS, Die, Replay
from probespiel.envs.core.replay import Choice as Taken
from probespiel.envs.core.rulebook import aim_of
from probespiel.envs.einblatt import state as einblatt
from probespiel.envs.konfrontation import state as konfrontation
from probespiel.envs.oneshot import state as oneshot
from probespiel.envs.oneshot.parley.text import needed_in_talk
from probespiel.envs.oneshot.state import Stage
from probespiel.envs.scorekeeper import state as scorekeeper
from tests.test_oneshot_told import begun, kinds, play
from tests.test_play import Script
from tests.test_told_at_the_table import packed


def sight_of(position: Position, seat: int = 0, lang: str = "en") -> Sight:
    seen = seen_of(position, seat, lang)
    return Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])


# --- why a die decided ------------------------------------------------------------------------------------------------


def test_an_edge_tells_its_die_before_it_is_won_or_lost() -> None:
    """R84: `appease fails` said neither what was thrown nor what was needed."""
    game, met = make_game("oneshot-skirmish", "duel_mirror", compiled=False), {True: 0, False: 0}
    for seed in range(1, 6):
        for position, events in play(game, seed, 60, "edge"):
            told = kinds(events)
            for at, (kind, who, total, _) in enumerate(told):
                if kind != oneshot.Event.EDGE_DIE:
                    continue
                won = told[at + 1][0] == oneshot.Event.EDGE
                assert won or told[at + 1][0] == oneshot.Event.NO_EDGE
                line, s = game.say(events[at], None, "en"), position.record
                assert line.startswith(f"{game.seats[who].called('en')}: die {int(s.l_natural)}")
                assert "total" in line or s.l_natural in (1, 6)  # which may decide by themselves
                if "total" in line:
                    assert line.endswith(f"total {total}, needed {int(s.l_goal)}")
                    assert (total >= s.l_goal) == won
                met[won] += 1
    assert min(met.values()) > 3


def test_an_edge_below_nothing_is_told() -> None:
    """The value of the other side is below 0 with the perk special gift."""
    game, kind = make_game("oneshot-skirmish", compiled=False), oneshot.Event.EDGE_DIE
    for won, total, told in ((1, 3, "total 3, needed -1"), (0, -2, "total -2, needed -1")):
        line = game.say(packed(oneshot.EVENT, kind, 0, total, 1000 * won - 10 + 4), 0, "en")
        assert line == f"red fighter: die 4, {told}"


def test_hidden_values_are_not_told_by_dice() -> None:
    """With `hidden_stats` what an enemy hits from, and what wounds it, is to be found out; the lines said it."""
    game = make_game("oneshot-skirmish", compiled=False, hidden_stats=True)
    for kind, a, b, told in (
        (oneshot.Event.HIT, 6, 54, "blue fighter hits: die 4, total 6"),
        (oneshot.Event.EDGE_DIE, 3, 1054, "blue fighter: die 4, total 3"),
        (oneshot.Event.DAMAGE, 3, 6, "damage to blue fighter: 3, no wound"),
    ):
        assert game.say(packed(oneshot.EVENT, kind, 1, a, b), 0, "en") == told
    game = make_game("oneshot-skirmish", compiled=False)
    assert game.say(packed(oneshot.EVENT, oneshot.Event.HIT, 1, 6, 54), 0, "en").endswith("total 6, needed 5")


def test_words_tell_what_they_had_to_reach() -> None:
    """R71: whoever listens knows the own attribute, whoever speaks what is added to that of the other."""
    game = make_game("oneshot-parley", "council", compiled=False)
    line = packed(oneshot.EVENT, oneshot.Event.TALK, 1, int(oneshot.Talk.AGGRESSIVE), int(oneshot.Outcome.SUCCESS))
    assert game.say(line, 0, "en") == "second (aggressive, needed: your body + 3): success"
    assert game.say(line, 1, "en") == "second (aggressive, needed: the other side's body + 3): success"
    assert game.say(line, 0, "de") == "Zweiter (aggressiv, nötig: dein Körper + 3): Erfolg"
    assert needed_in_talk(2, 0, False, "de") == "nötig: das Charisma der Gegenseite"
    mission = make_game("oneshot-mission", compiled=False)
    added = int(mission.params.social_offset) + int(mission.params.social_tie)
    told = mission.say(packed(oneshot.EVENT, oneshot.Event.TALK, 0, 1, int(oneshot.Outcome.FAILURE)), 0, "en")
    assert told == f"talk (cunning, {needed_in_talk(1, added, False, 'en')}): failure"


def test_a_fight_that_who_is_left_decides_is_not_told_as_a_draw() -> None:
    """R75: `the end: a draw` stood above `you win`."""
    drawn = packed(scorekeeper.EVENT, scorekeeper.Event.END, -1, int(scorekeeper.Result.DRAWN), 0)
    lot = [make_game(name, compiled=False) for name in ("scorekeeper-skirmish", "scorekeeper-duel")]
    assert [game.say(drawn, 0, "en") for game in lot] == [
        "the end: neither team has won outright; who is left decides",
        "the end: a draw",
    ]
    won = packed(scorekeeper.EVENT, scorekeeper.Event.END, -1, int(scorekeeper.Result.WON_A), 0)
    assert lot[0].say(won, 0, "en") == "the end: team a wins"


# --- the aim ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "scenario", "english", "german"),
    [
        ("oneshot-skirmish", "duel_mirror", "On count 180 it ends anyway: then the team with more figures standing",
         "Bei Zähler 180 ist ohnehin Schluss: dann gewinnt die Gruppe, von der mehr stehen"),
        ("oneshot-skirmish", "wounded_last_stand", "then the team that has lost fewer figures wins", "weniger Figuren"),
        ("oneshot-parley", "council", "first, with 2 successes, has won", "zuerst gelingt, mit 2 Erfolgen"),
        ("oneshot-build", "arena", "+1 is a sure win, -1 a sure loss", "−1 eine sichere Niederlage"),
        ("oneshot-mission", "courier", "Success pays everybody 1, failure 0.", "Ein Erfolg zahlt allen 1"),
        ("ews_rps", "evening", "the average of all 20 tests", "der Durchschnitt aller 20 Proben"),
    ],
)  # fmt: skip
def test_the_aim_says_what_decides_and_what_is_paid(game: str, scenario: str, english: str, german: str) -> None:
    made = make_game(game, scenario, compiled=False)
    assert english in aim_of(made, "en") and german in aim_of(made, "de")


@pytest.mark.parametrize(("scenario", "told"), [
    ("evening", "score so far: you +0.000 · game master +0.000"), ("grapple", "")])  # fmt: skip
def test_the_page_of_a_match_shows_the_score(scenario: str, told: str) -> None:
    """It stood in the position that has to be opened, and there alone."""
    position = begun("ews_rps", scenario)
    drawn = draw_rps(sight_of(position))
    assert drawn is not None and drawn.values["standing"] == told


def test_a_single_test_has_no_average() -> None:
    assert "average" not in aim_of(make_game("ews_rps", "grapple", compiled=False), "en")


# --- what an option is for --------------------------------------------------------------------------------------------


def built(stage: Stage, lang: str = "en") -> Sight:
    """A build before a stage, all options before it being the last that are possible."""
    position = make_game("oneshot-build", compiled=False).position(1)
    while position.record.stage_no < stage:
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[0])
    return sight_of(position, 0, lang)


def test_stages_of_a_build_say_what_they_are_for() -> None:
    """It was chances alone; nobody knew what base attack was good for."""
    for stage, word in ((Stage.ATTRIBUTES, "skill points"), (Stage.COMBAT, "lower throw"), (Stage.SKILLS, "insight")):
        assert word in stage_words(built(stage)), stage
    assert stage_words(built(Stage.COMBAT, "de")).startswith("Grundangriff: du triffst mit kleineren Würfen")
    sight = built(Stage.WEAPON)
    assert stage_words(sight) == f"left to spend on things: {int(sight.game.params.gear_budget)}"
    assert stage_words(built(Stage.TACTIC)) == ""


def test_things_and_tactics_of_a_build_say_what_they_do() -> None:
    """R43, R101, R105: what stands beside a weapon is what the kit says of it."""
    weapons = built(Stage.WEAPON)
    named = {choice.text: option_words(weapons)[choice.action] for choice in weapons.choices}
    assert named["axe"] == "damage +2, melee, price 4"
    assert named["bow"] == "damage +2, reach 5, price 5"
    armours = built(Stage.ARMOUR, "de")
    beside = {choice.text: option_words(armours)[choice.action] for choice in armours.choices}
    assert beside["Plattenrüstung"] == "Verteidigung +3, Rüstungsmalus 3, Preis 3"
    tactics = built(Stage.TACTIC)
    told = [notes_on(tactics)[choice.action] for choice in tactics.choices]
    assert told[0].startswith("attacks whenever it can") and "its own attack ends that" in told[1]
    assert option_words(built(Stage.SOCIAL)) == {}


def test_the_terminal_says_what_each_perk_does() -> None:
    game, script = make_game("oneshot-build", compiled=False), Script("q")
    Session(Table(game, {0: "human", 1: "random"}, 3), read=script.read, write=script.write, width=200).run()
    shown = script.text.splitlines()
    assert any(line.startswith("(finesse: Agility counts for damage in melee") for line in shown), script.text
    perks = ("hardened", "special gift", "armour training", "finesse", "weak spot", "luck", "patient")
    assert all(any(line.startswith(f"({perk}: ") for line in shown) for perk in perks)
    assert not any(line.startswith("(") and "A perk." in line for line in shown), "what all are tells none from another"


def test_units_that_a_winner_demands_say_who_has_them_then() -> None:
    """R16: `out of the game` and `hand it over` had nothing beside them."""
    position = begun("konfrontation-campaign")
    s = position.record
    seat = position.to_act()[0]
    other = position.game.seats[1 - seat].called("en")
    s.attacker, s.defender, s.active = 1 - seat, seat, 1
    sight = sight_of(position, seat)
    lot = (Choice(79, "remove", "", "", "out of the game"), Choice(80, "handover", "", "", "hand it over"))
    told = notes_on(Sight(**{**vars(sight), "choices": lot}))
    assert told == {79: "lost to both", 80: f"won by: {other}"}
    attack = position.game.actions.id("attack")
    assert notes_on(sight)[attack].startswith("a confrontation for something of another")


@pytest.mark.parametrize(
    ("forfeit", "lang", "told"),
    [
        (0, "en", "others act first; after an attack you may act again"),
        (1, "en", "others act first; you do not attack any more in this round"),
        (1, "de", "andere sind vor dir dran; in dieser Runde greifst du nicht mehr an"),
    ],
)
def test_waiting_says_whether_one_comes_again(forfeit: int, lang: str, told: str) -> None:
    game = make_game("einblatt-melee", compiled=False, wait_mode=("hold", "forfeit")[forfeit])
    assert int(game.params.forfeit) == forfeit
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 1)
    while table.position.phase() != "act":
        seat = table.waiting()[0]
        table.choose(seat, table.legal(seat)[0])
    seat = table.waiting()[0]
    sight = sight_of(table.position, seat, lang)
    (wait,) = sight.of_verb("wait")
    assert notes_on(sight)[wait.action] == told


def test_poker_says_what_the_moves_mean_now() -> None:
    """Kuhn and Leduc asked for `your move`, and to pass after a bet gave up without a word."""
    kuhn = make_game("kuhn", compiled=False).position(1)
    kuhn.roll()
    asked = [kuhn.game.spec.texts.phase(kuhn, lang) for lang in ("en", "de")]
    assert asked == ["your move: bet, or pass for now", "dein Zug: setzen oder passen"]
    kuhn.apply(0, kuhn.game.actions.id("bet"))
    assert kuhn.game.spec.texts.phase(kuhn, "en") == "the other has bet: bet to see the cards, pass to give up"
    leduc = make_game("leduc", compiled=False).position(1)
    leduc.roll()
    assert leduc.game.spec.texts.phase(leduc, "en") == "your move; a call costs nothing"
    leduc.apply(0, leduc.game.actions.id("raise"))
    assert leduc.game.spec.texts.phase(leduc, "de") == "dein Zug; mitgehen kostet 2"
    fold = leduc.game.actions.id("fold")  # "passen" was said of it, which means to check as well
    leduc.apply(1, fold)
    assert leduc.game.actions.describe(fold, "de") == "aussteigen"
    assert any("Zweiter steigt aus" in line for line in leduc.game.spec.result(leduc, "de"))


# --- what happened ----------------------------------------------------------------------------------------------------


def test_an_order_of_nothing_is_told_as_none() -> None:
    """R63: it was `Mortimer gives an order to Francis: no`."""
    game = make_game("einblatt-melee", compiled=False)
    francis = [info.name for info in game.seats].index("Francis")
    event = packed(einblatt.EVENT, einblatt.Event.ORDER, francis, int(einblatt.Action.NO), 0, einblatt.SEEN)
    assert game.say(event, 0, "en") == "Mortimer gives no order to Francis"
    assert game.say(event, 0, "de") == "Mortimer gibt Francis keinen Befehl"


def test_a_restriction_says_what_it_takes() -> None:
    """R74."""
    game = make_game("einblatt-campaign", compiled=False)
    event = packed(einblatt.EVENT, einblatt.Event.RESTRICT, 0, 2, 0, einblatt.SEEN)
    assert game.say(event, 0, "en") == "Hero: restriction of strength +2 (so many cards fewer in such tests)"


def test_a_campaign_shows_what_its_conflicts_have_paid() -> None:
    position = begun("einblatt-campaign")
    assert "so far" not in position.told(0, "en").splitlines()[0]
    position.record.conflict = 2
    position.record.total[:2] = (3.0, -3.0)
    heads = [position.told(seat, "de").splitlines()[0] for seat in (0, 1)]
    assert [head.rpartition("  ")[2] for head in heads] == ["bis hier +3", "bis hier −3"]


def test_the_log_of_a_clash_names_roles_as_labels_in_german() -> None:
    """A role as the subject of a sentence wants an article: `Verteidiger setzt 3`."""
    game = make_game("konfrontation-clash", compiled=False)
    bid = packed(konfrontation.EVENT, konfrontation.Event.BID, 1, 3, 6, 0)
    assert (game.say(bid, 0, "de"), game.say(bid, 0, "en")) == (
        "Verteidiger: Gebot 3, Ergebnis 6",
        "defender bids 3: total 6",
    )
    attack = packed(konfrontation.EVENT, konfrontation.Event.ATTACK, 0, 1, konfrontation.T_POWER, 0)
    assert game.say(attack, 0, "de").startswith("Angriff, Angreifer gegen Verteidiger: ")


# --- why, and what was lost -------------------------------------------------------------------------------------------


def test_a_hint_says_what_its_action_does() -> None:
    best = (Advice(0, 0.5, 0.01, 0.9), Advice(1, 0.1, 0.01, 0.1))
    texts, notes = {0: "parry", 1: "take the hit"}, {0: "works on 7 or less: 35 %", 1: "no roll"}
    assert does_of(best, texts, notes, "en") == "About “parry”: works on 7 or less: 35 %."
    assert does_of(best, texts, {1: "no roll"}, "en") == does_of((), texts, notes, "de") == ""
    choices = [Choice(0, "parry", "", "", "parry"), Choice(1, "take", "", "", "take the hit")]
    shown = advised(Hint(0, "", 900, best), choices, make_game("kuhn", compiled=False), "en", notes).reason
    assert shown.endswith("About “parry”: works on 7 or less: 35 %.")
    lines = hint_lines(Counsel(900, best), texts, "de", (-1.0, 1.0), notes)
    assert lines[-1] == "Zu „parry“: works on 7 or less: 35 %."


def kuhn_course() -> Course:
    """The king is dealt to the first seat, which passes and gives up."""
    game = make_game("kuhn", compiled=False)
    position, steps = Position(game), list[Die | Taken]()
    for fell in (2, 1):
        steps.append(Die(position.die(), fell))
        position.fall(fell)
    for code in ("pass", "bet", "pass"):
        seat, action = position.to_act()[0], game.actions.parse(code)
        steps.append(Taken(seat, action))
        position.apply(seat, action)
    payoffs = tuple(position.returns().tolist())
    return Course(Replay(game, tuple(steps), STATUS[position.status], payoffs, None, {}))


def found(lost: float, error: float, values: list[float], half: float = 0.1) -> Review:
    """A review of that game in which the last decision of the first seat lost something."""
    both = np.column_stack([np.array(values), -np.array(values)])
    return Review(
        np.array([0, 2, 3, 4, 5]), both, np.full((5, 2), half), np.array([-1, -1, 0, 1, 0]), 100, "random",
        (Judged(3, 0, 0, 1, 0.2, 0.5), Judged(4, 1, 1, 0, 9.0, 0.1), Judged(5, 0, 0, 1, lost, error)),
    )  # fmt: skip


def test_the_analysis_begins_with_where_the_game_was_lost() -> None:
    course = kuhn_course()
    told = told_of(course, found(3.0, 0.2, [0.0, 1.0, 0.9, 1.5, -1.0]), 0, "en")
    assert told.verdict == (
        "first: the costliest decision was step 5, “pass”: “bet” was worth 3.00 ± 0.20 more. "
        "What moved the value most in all: decisions of first (skill), -2.60 ± 0.20."
    )
    assert analysis_lines(told, "en")[0] == told.verdict
    german = told_of(course, found(3.0, 0.2, [0.0, 2.9, 2.9, 2.9, 2.9]), 1, "de").verdict
    assert german.startswith(
        "Zweiter: die teuerste Entscheidung war Schritt 4, „setzen“: „passen“ war 9,00 ± 0,10 mehr"
    )
    assert german.endswith("Am meisten bewegte den Wert im Ganzen: Zufall (Glück), −2,90 ± 0,14.")


def test_the_analysis_says_if_nothing_was_surely_lost_or_moved() -> None:
    told = told_of(kuhn_course(), found(3.0, 3.5, [0.0, 1.0, 0.9, 1.5, -1.0], half=9.0), 0, "en")
    assert told.verdict == (
        "first: no decision lost anything beyond doubt. Chance and decisions made no difference beyond their errors."
    )


@pytest.mark.parametrize(("lines", "heading", "left"), [
    (["Result:", "  a draw", "  Billy: draw (EP +0)"], "A draw", ["  Billy: draw (EP +0)"]),
    (["Result:", "  a draw", "  Billy: draw (EP +0)"], "", ["Result:", "  a draw", "  Billy: draw (EP +0)"]),
    (["All:", "winner: Billy", "The last:", "a draw"], "You win", ["All:", "winner: Billy", "The last:", "a draw"]),
    (["winner: Billy", "why:"], "You win", ["winner: Billy", "why:"])])  # fmt: skip
def test_a_result_below_its_heading_is_not_told_twice(lines: list[str], heading: str, left: list[str]) -> None:
    """`The game is over: A draw` stood above `Result:` and `a draw`."""
    assert told_once(lines, heading) == left


def test_a_contest_is_told_by_attackers() -> None:
    """`You act` stood above `the attacker wins`, and nobody could tell who that was."""
    position = begun("ews_rps", "even_contest")
    position.roll()
    told = [position.game.say(event, 0, "en") for event in position.events()]
    assert any("contest, attacker: you" in line for line in told), told


def test_what_a_roll_needs_stands_beside_repeating_it() -> None:
    """`repeat the roll for a fate point` had nothing beside it; it is what the line of the first throw tells."""
    game, met = make_game("scorekeeper-duel", "mafia_club", compiled=False), 0
    for seed in range(40):
        position, lot, told = game.position(seed), np.random.default_rng(seed), ""
        while not position.over:
            position.roll()
            lines = [game.say(event, None, "en") for event in position.events()]
            told = next((line for line in reversed(lines) if "needed" in line), told)
            for seat in position.to_act():
                if position.phase() == "fate_reroll" and seat == 0:
                    sight = sight_of(position)
                    notes = notes_on(sight)
                    (repeat,) = (choice.action for choice in sight.of_verb("reroll"))
                    kind = int(position.record.roll_kind)
                    if kind in (scorekeeper.Roll.REACTION, scorekeeper.Roll.ZONE, scorekeeper.Roll.DAMAGE):
                        assert repeat not in notes, "that is no check"
                        continue
                    needed = re.search(r"needed (\d+) or less", told)
                    assert needed and f" {needed[1]} or less: {5 * int(needed[1])} %" in notes[repeat], (told, notes)
                    met += 1
            for seat in position.to_act():
                legal = position.legal(seat)
                position.apply(seat, legal[int(lot.integers(len(legal)))])
        if met > 12:
            break
    assert met > 12
