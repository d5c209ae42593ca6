"""What stands beside actions: chances and costs are those of the rules, and it is shown at the terminal."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from probespiel.app.scorekeeper.fight import Fight
from probespiel.app.session import notes as session_notes
from probespiel.app.session.notes import missing_of, notes_on
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.app.web.hall import Hall
from probespiel.app.web.pages import Pages
from probespiel.app.web.room import Room
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.jit import config
from probespiel.envs.core.registry import make_game, system
from probespiel.envs.core.rulebook.pages import modules_of
from probespiel.envs.einblatt.plays import class_of
from probespiel.envs.einblatt.state import Action as EinblattAction
from probespiel.envs.konfrontation.services import strength_of
from probespiel.envs.konfrontation.state import NATURES
from probespiel.envs.konfrontation.state import Action as KonfrontationAction
from probespiel.envs.oneshot.parley.talk import patience_of
from probespiel.envs.scorekeeper import services as scorekeeper
from probespiel.envs.scorekeeper.state import ZONE_CODES, Declared, Mode
from tests.page_values import page_values
from tests.test_play import Script

MODES = {"melee": Mode.MELEE, "run": Mode.RUN, "shoot": Mode.SHOOT, "counter": Mode.COUNTER}


def everybody(game: Game, seed: int) -> Table:
    return Table(game, dict.fromkeys(range(game.n_seats), "human"), seed)


def sight_of(table: Table, seat: int, lang: str = "en") -> Sight:
    seen = table.seen(seat, lang)
    return Sight.of(table.game, seen, [Choice.of(option) for option in seen.choices])


def value_of(position: Position, choice: Choice) -> int:
    """What the die must fall below, by the functions of the rules."""
    s, p = position.record, position.game.params
    me = int(s.ask_fighter)
    if choice.verb in MODES:
        names = [card["name"] for card in position.game.spec.texts.fighters]  # type: ignore[attr-defined]
        counter = choice.verb == "counter"
        target = int(s.x_attacker) if counter else names.index(choice.target)
        zone = ZONE_CODES.index(choice.target if counter else choice.detail)
        return min(int(scorekeeper.attack_value_of(s, p, me, target, MODES[choice.verb], zone)), int(p.fumble_on))
    if choice.verb == "save":
        return int(scorekeeper.save_value_of(s, p, me, int(s.x_attacker), int(s.x_mode)))
    if choice.verb == "parry":
        return int(scorekeeper.parry_value_of(s, p, me, s.declared[me] == Declared.FULL_DEFENCE))
    return int(scorekeeper.aid_value_of(s, p, me))


@pytest.mark.parametrize(("name", "scenario", "options", "seed"), [
    ("scorekeeper-skirmish", "street_raid", {}, 4),
    ("scorekeeper-duel", "mafia_club", {"wound_penalty_rolls": ["parry"]}, 2)])  # fmt: skip
def test_what_the_die_must_show(name: str, scenario: str, options: dict[str, Any], seed: int) -> None:
    game, chance = make_game(name, scenario, compiled=False, **options), random.Random(seed)
    table, met = everybody(game, seed), set[str]()
    for step in range(90):
        if table.over:
            break
        if step == 20:  # blows on the head are rare
            table.position.record.head_penalty[:] = 1
        seat = table.waiting()[0]
        sight = sight_of(table, seat, "de" if len(met) % 2 else "en")
        beside = notes_on(sight)
        for choice in sight.choices:
            if choice.verb in ("melee", "run", "shoot", "counter", "save", "parry", "aid"):
                most = max(0, min(20, value_of(table.position, choice) - 1))
                told = beside[choice.action]
                assert re.findall(r"(\d+) (?:or less|oder weniger): (\d+)", told) == [(str(most), str(5 * most))], told
                met.add(choice.verb)
        wanted = [c.action for c in sight.choices if c.verb not in ("pass", "retreat", "advance", "take", "no_counter")]
        table.choose(seat, chance.choice(wanted or table.legal(seat)))
    expected = {"shoot", "aid", "save"} if name.endswith("skirmish") else {"melee", "run", "save", "parry"}
    assert expected <= met


def test_only_an_attack_may_be_a_fumble() -> None:
    """R29: at 20, however high the value is."""
    fight = Fight(sight_of(everybody(make_game("scorekeeper-duel", compiled=False), 2), 0))
    assert [fight.highest(value) for value in (-3, 1, 12, 20, 21, 30)] == [0, 0, 11, 19, 19, 19]
    assert fight.highest(30, attack=False) == 20


@pytest.mark.parametrize(("lang", "scenario", "modules"), [
    ("en", "assassination", {}), ("de", "strongbox", {}), ("en", "debate", {}),
    ("en", "assassination", {"blackmail": {}}),
])  # fmt: skip
def test_a_bid_says_what_is_left_if_won_and_if_lost(lang: str, scenario: str, modules: dict[str, Any]) -> None:
    """All pairs of bids and what the winner takes, played out: the stock after a defeat, the least after a victory."""
    game = make_game("konfrontation-clash", scenario, modules, compiled=False)
    table = everybody(game, 3)
    while table.position.phase() != "bid":
        seat = table.waiting()[0]
        table.choose(seat, table.legal(seat)[-1])
    bids = {seat: table.legal(seat) for seat in (0, 1)}
    beside = {seat: notes_on(sight_of(table, seat, lang)) for seat in (0, 1)}
    after: dict[tuple[int, int, bool], set[int]] = {}
    totals: dict[tuple[int, int], int] = {}
    spoils = [None, *(game.actions.id(code) for code in ("spoils_remove", "spoils_power"))]
    for pair, wanted in product(product(*bids.values()), spoils):
        position = table.position.clone()
        for seat in (0, 1):
            position.apply(seat, pair[seat])
        totals |= {(seat, pair[seat]): int(position.record.total[seat]) for seat in (0, 1)}
        winner = int(position.record.winner)
        if winner < 0 or (position.phase() == "spoils") is (wanted is None):
            continue
        if wanted is not None:
            position.apply(position.to_act()[0], wanted)
        for seat in (0, 1):
            after.setdefault((seat, pair[seat], seat == winner), set()).add(int(position.record.power[seat]))
    for (seat, bid), total in totals.items():
        numbers = [int(n) for n in re.findall(r"\d+", beside[seat][bid])]
        assert numbers[0] == total
        lost, won = after.get((seat, bid, False)), after.get((seat, bid, True))
        assert lost is None or lost == set(numbers[1:-1])
        assert won is None or min(won) >= numbers[-1]
    said = {key: int(re.findall(r"\d+", beside[key[0]][key[1]])[-1]) for key in after}
    for one in (0, 1):
        least = [min(won) - said[key] for key, won in after.items() if key[0] == one and key[2]]
        assert not least or min(least) == 0, "the least is met"
    assert any(win for _, _, win in after)


def test_a_module_takes_away_only_what_it_has_a_say_in() -> None:
    """All-pay changes what bids cost, and nothing of what a turn does."""
    game = make_game("konfrontation-campaign", "duel", {"all_pay": {}}, compiled=False)
    table = everybody(game, 3)
    plain = everybody(make_game("konfrontation-campaign", "duel", compiled=False), 3)
    seat = table.waiting()[0]
    told = notes_on(sight_of(table, seat))
    assert told and told == notes_on(sight_of(plain, seat))
    table.choose(seat, game.actions.id("attack"))
    while table.position.phase() != "bid":
        seat = table.waiting()[0]
        table.choose(seat, table.legal(seat)[-1])
    seat = table.waiting()[0]
    totals = dict[int, str]()
    for bid in table.legal(seat):  # what a bid comes to is not for the module to say; what it costs is
        position = table.position.clone()
        for who in position.to_act():
            position.apply(who, bid if who == seat else position.legal(who)[0])
        totals[bid] = f"total {int(position.record.total[seat])}"
    assert len(totals) > 1 and notes_on(sight_of(table, seat)) == totals


@pytest.mark.parametrize(("module", "attacks", "edges"), [
    ("diehard", True, True), ("berserker", False, True), ("flanking", False, True), ("shield_wall", False, True),
    ("momentum", False, True),
])  # fmt: skip
def test_chances_of_a_fight_stand_where_no_module_changes_them(module: str, attacks: bool, edges: bool) -> None:
    """With any module they were all gone without a word: diehard changes survival rolls alone."""
    told = {}
    for name, modules in (("plain", {}), ("changed", {module: {}})):
        table = everybody(make_game("oneshot-skirmish", "party_battle", modules, compiled=False), 3)
        chance = random.Random(2)
        while True:
            seat = table.waiting()[0]
            codes = [table.game.actions.codes[a] for a in table.legal(seat)]
            if any(code.startswith("attack") for code in codes) and any(code.startswith("edge") for code in codes):
                break
            table.choose(seat, chance.choice(table.legal(seat)))
        sight = sight_of(table, seat)
        verbs = {choice.action: choice.verb for choice in sight.choices}
        notes = {action: note for action, note in notes_on(sight).items() if verbs[action] in ("attack", "edge")}
        told[name] = {verb: [n for a, n in notes.items() if verbs[a] == verb] for verb in ("attack", "edge")}
        told[name]["missing"] = [missing_of(sight)]
        if modules:
            assert module in missing_of(sight_of(table, seat, "de")) or attacks
    assert told["plain"]["attack"] and told["plain"]["edge"] and told["plain"]["missing"] == [""]
    assert told["changed"]["attack"] == (told["plain"]["attack"] if attacks else [])
    assert told["changed"]["edge"] == (told["plain"]["edge"] if edges else [])
    wanted = "" if attacks else "no chances beside attacks, for a rule module can change them: "
    assert told["changed"]["missing"][0].startswith(wanted) and bool(told["changed"]["missing"][0]) != attacks


def test_a_module_of_a_file_is_called_by_it_without_its_folders() -> None:
    folder = Path(__file__).parents[1] / "examples" / "modules"
    files = {str(folder / "stances.py"): {}, "natural_one": {}}
    game = make_game("scorekeeper-duel", modules=files, compiled=False)
    assert modules_of(game) == ["stances", "Natural one (natural_one)"]
    assert modules_of(game, "de") == ["stances", "Gewürfelte Eins (natural_one)"]


@pytest.mark.parametrize(("lang", "line"), [
    ("en", "(no chances are told beside actions, for a rule module can change them: Natural one (natural_one))"),
    ("de", "(neben den Aktionen stehen keine Chancen, denn ein Regelmodul kann sie ändern: "
     "Gewürfelte Eins (natural_one))"),
])  # fmt: skip
def test_that_chances_are_not_told_is_said_once(lang: str, line: str) -> None:
    game = make_game("scorekeeper-duel", modules={"natural_one": {}}, compiled=False)
    script = Script("state", "1", "1", "1", "q")
    Session(Table(game, {0: "human", 1: "first"}, 3), lang=lang, read=script.read, write=script.write, width=400).run()
    assert script.text.splitlines().count(line) == 1


def test_a_build_says_what_its_shares_are() -> None:
    """At the terminal, where no screen says it; nothing where the rules are not compiled and there are no shares."""
    for compiled in (True, False):
        game, script = make_game("oneshot-build", compiled=compiled), Script("q")
        Session(Table(game, {0: "human", 1: "first"}, 3), read=script.read, write=script.write, width=300).run()
        interpreted = not compiled or config.DISABLE_JIT
        assert ("on average against a plain fighter and a plain talker" in script.text) is not bool(interpreted)


def test_types_say_how_strong_both_sides_could_be() -> None:
    game = make_game("konfrontation-campaign", "triad", {}, compiled=False)
    table = everybody(game, 5)
    seat = table.waiting()[0]
    for code in ("recruit:shady", "recruit:social"):
        table.choose(seat, game.actions.id(code))
        seat = table.waiting()[0]
    table.choose(seat, game.actions.id("attack"))
    while table.position.phase() != "decl_type":
        table.choose(seat, table.legal(seat)[-1])
    s, p, beside = table.position.record, game.params, notes_on(sight_of(table, seat))
    different = set()
    for kind in range(len(NATURES)):
        both = [int(strength_of(s, p, who, int(s.units[who]), kind)) for who in (seat, int(s.defender))]
        assert [int(n) for n in re.findall(r"\d+", beside[KonfrontationAction.TYPE + kind])] == both
        different.add(tuple(both))
    assert len(different) > 1


@pytest.mark.parametrize("lang", ["en", "de"])
def test_whoever_may_take_part_says_what_that_adds(lang: str) -> None:
    """R3, R5: one character after the other was named, and what each adds was not said."""
    table = everybody(make_game("konfrontation-campaign", "duel", compiled=False), 5)
    seat = table.waiting()[0]
    table.choose(seat, table.game.actions.id("attack"))
    while table.position.phase() != "decl_commit":
        table.choose(seat, table.legal(seat)[0])
    beside = notes_on(sight_of(table, seat, lang))
    for option in table.seen(seat, lang).choices:
        if option.verb == "character":
            after = table.position.clone()
            after.apply(seat, option.id)
            added = int(after.record.strength[0] - table.position.record.strength[0])
            assert beside[option.id] == f"{ {'en': 'strength', 'de': 'Stärke'}[lang] } {added}"
    assert len(set(beside.values())) == 2


def edge_truth(position: Position, action: int, seat: int) -> Fraction:
    """The chance that an edge is gained, by all dice."""
    game = position.game

    def go(at: Position) -> Fraction:
        lines = [game.spec.texts.event(event, None, "en") for event in at.events()]
        if any(" fails against " in line for line in lines):
            return Fraction(0)
        if any(re.search(r" is (intimidated|feinted|appeased) by ", line) for line in lines):
            return Fraction(1)
        parts = []
        for fell in range(at.die()):
            after = at.clone()
            after.fall(fell)
            parts.append(go(after))
        return sum(parts, Fraction(0)) / len(parts)

    after = position.clone()
    after.apply(seat, action)
    return go(after)


def test_edges_tell_their_chance_and_what_they_do() -> None:
    game, chance, seen = make_game("oneshot-skirmish", "duel_mirror", compiled=False), random.Random(2), set[int]()
    table = everybody(game, 1)
    for _ in range(40):
        if table.over:
            break
        seat = table.waiting()[0]
        beside = notes_on(sight_of(table, seat))
        for option in table.seen(seat).choices:
            if option.verb == "edge":
                share = re.match(r"works (\d+) %: (.+)", beside[option.id])
                assert share and int(share[1]) == round(100 * float(edge_truth(table.position, option.id, seat)))
                assert ("defence" in share[2]) == (option.detail == "cunning")
                seen.add(int(share[1]))
        table.choose(seat, chance.choice(table.legal(seat)))
    assert seen


def test_cards_tell_their_class() -> None:
    """R5: the rank, and eight more for a trump."""
    table = everybody(make_game("einblatt-duel", compiled=False), 3)
    told = {o.code: notes_on(sight_of(table, 0)).get(o.id, "") for o in table.seen(0).choices}
    assert told.pop("pass") == "counts as a plain 7, strength 0 of 15" and len(told) == 6
    for code, note in told.items():
        trump = code[0] == "C"
        worth = ["7", "8", "9", "10", "J", "Q", "K", "A"].index(code[1:]) + 8 * trump
        assert note == f"strength {worth} of 15" + (", trump" if trump else "")


def test_to_pass_is_worth_what_the_rules_say() -> None:
    """R42: "any card beats that" was told, though a plain 7 draws against it; and where cards are laid openly, too."""
    game = make_game("einblatt-duel", compiled=False)
    position = game.position(3)
    position.roll()
    s, p, sevens = position.record, game.params, (0, 8, 16, 24)  # the tree has no trump: four plain ones
    assert {class_of(s, p, 1, seven) for seven in sevens} == {class_of(s, p, 0, int(EinblattAction.PASS))} == {0}
    opened = Game(system("einblatt").bench("einblatt-duel", None, {}, {"open_cards": {}}), compiled=False)
    table = everybody(opened, 3)
    sight = sight_of(table, 0)
    assert sight.phase == "open_commit"
    assert notes_on(sight)[int(EinblattAction.PASS)] == "counts as a plain 7, strength 0 of 15"


def turns_of(table: Table, seed: int, phase: str) -> Iterator[tuple[Sight, Any]]:
    """What seats see at their turns or reactions in a random game, with the record."""
    rng = random.Random(seed)
    while not table.over:
        seat = table.waiting()[0]
        sight = sight_of(table, seat)
        if sight.phase == phase:
            yield sight, table.position.record
        table.choose(seat, rng.choice(table.position.legal(seat)))


def test_an_attack_tells_what_the_target_defends_with() -> None:
    """R55 by the record: nothing after a pass, the open card, or what is answered from hand; and the own card."""
    game, met = make_game("einblatt-melee", compiled=False), set()
    for seed in range(4):
        for sight, s in turns_of(everybody(game, seed), seed, "act"):
            own = int(s.slot_class[sight.seat, s.round_no])
            for choice in sight.of_verb("attack"):
                target = choice.action - int(EinblattAction.ATTACK)
                if s.passed[target]:
                    kind, told = 0, "has passed: strength 0"
                elif s.is_open[target]:
                    kind, told = 1, f"strength {s.slot_class[target, s.round_no]}"
                elif s.hand[target]:
                    kind, told = 2, f"spent: answers from {int(s.hand[target]).bit_count()} in hand"
                else:
                    kind, told = 3, "spent, and no card in hand: it loses to anything"
                assert notes_on(sight)[choice.action].partition(";")[0] == f"{told}, yours {own}"
                met.add(kind)
    assert met == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("rule", "cost"),
    [
        ("leader_best", ", else Mortimer discards the best card in hand"),
        ("follower_best", ", else you discard your best card"),
        ("none", ""),
    ],
)
def test_an_order_tells_what_it_costs_not_to_follow_it(rule: str, cost: str) -> None:
    """R63, A20: beside what was ordered, waiting too, and nothing beside the rest."""
    game, met = make_game("einblatt-melee", compiled=False, disobedience=rule), set()
    for seed in range(6):
        for sight, s in turns_of(everybody(game, seed), seed, "act"):
            order = int(s.order[sight.seat])
            for choice in sight.choices:
                told = notes_on(sight).get(choice.action, "")
                if choice.action == order:
                    assert told.rpartition("; ")[2] == f"this is the order{cost}"
                    met.add(choice.verb)
                else:
                    assert "order" not in told
    assert met == {"attack", "wait"}


def test_a_reaction_tells_what_it_has_to_beat() -> None:
    told = 0
    game = make_game("einblatt-melee", compiled=False)
    for sight, s in turns_of(everybody(game, 1), 1, "react"):
        against = int(s.slot_class[s.attacker, s.round_no])
        for choice in sight.of_verb(*(c.verb for c in sight.choices if c.action < 32)):
            assert notes_on(sight)[choice.action].endswith(f", against {against}")
            told += 1
    assert told > 5


def test_whose_trumps_are_not_known_has_no_strength() -> None:
    """A card of a suit that may be trump for its owner is open, and how strong it is stays unsaid."""
    game = make_game("einblatt-melee", compiled=False)
    for sight, s in turns_of(everybody(game, 2), 2, "act"):
        open_targets = [c for c in sight.of_verb("attack") if s.is_open[c.action - int(EinblattAction.ATTACK)]]
        if open_targets:
            rows = sight.pieces["seat"].copy()
            rows[:, 17:21] = 0.5
            hidden = replace(sight, pieces={**sight.pieces, "seat": rows})
            assert {notes_on(hidden)[c.action].partition(";")[0] for c in open_targets} == {
                "defends with the open card"
            }
            return
    raise AssertionError("nobody was to attack an open card")


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        ("en", ["  1  clubs 8  (C8)  - strength 9 of 15, trump", "  7  pass  - counts as a plain 7, strength 0 of 15"]),
        (
            "de",
            [
                "  1  Kreuz 8  (C8)  - Stärke 9 von 15, Trumpf",
                "  7  passen  - zählt wie eine farblose 7, Stärke 0 von 15",
            ],
        ),
    ],
)
def test_the_terminal_shows_them(lang: str, lines: list[str]) -> None:
    game, script = make_game("einblatt-duel", compiled=False), Script("q")
    Session(Table(game, {0: "human", 1: "random"}, 3), lang=lang, read=script.read, write=script.write).run()
    assert set(lines) <= set(script.text.splitlines()), script.text


def test_codes_that_say_the_same_again_are_left_out() -> None:
    game, script = make_game("konfrontation-campaign", "duel", compiled=False), Script("attack", "q")
    Session(Table(game, {0: "human", 1: "first"}, 3), read=script.read, write=script.write, width=200).run()
    shown = script.text.splitlines()
    assert (
        "  1  character 1 (combative)  - if won: it, or one that defends in its place, leaves the game or comes to you"
        in shown
    ), script.text
    assert any(line.endswith("  5  start a support ... (12)") for line in shown)


def test_what_a_type_of_confrontation_means_is_said_in_whole_words() -> None:
    """It was `Stärke aller deiner 5, ihrer 6`, and a character was `sie`."""
    game = make_game("konfrontation-campaign", "council", compiled=False)
    table = everybody(game, 3)
    told: dict[str, set[str]] = {"decl_target": set(), "decl_type": set()}
    table.choose(table.waiting()[0], game.actions.id("attack"))
    while (phase := table.position.phase()) != "decl_commit":
        seat = table.waiting()[0]
        if phase in told:
            told[phase].update(notes_on(sight_of(table, seat, "de")).values())
        table.choose(seat, table.legal(seat)[0])
    assert "Stärke, wenn alle antreten: du 5, Gegenseite 5" in told["decl_type"]
    assert any(line.startswith("wenn gewonnen: die Einheit, oder eine, ") for line in told["decl_target"])


@pytest.mark.parametrize(("lang", "line"), [
    ("en", "The notes beside the actions cannot be told here (ZeroDivisionError: rules that nobody knew); all actions"),
    ("de", "Die Angaben neben den Aktionen fehlen hier (ZeroDivisionError: rules that nobody knew); alle Aktionen"),
])  # fmt: skip
def test_notes_that_cannot_be_told_are_left_out(
    lang: str, line: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A line for who plays, the traceback for whoever reads the log; the game goes on."""

    def fails(_: Sight) -> dict[int, str]:
        raise ZeroDivisionError("rules that nobody knew")

    table = everybody(make_game("einblatt-duel", compiled=False), 3)
    monkeypatch.setattr(session_notes, "_notes_of", lambda system: session_notes.Notes(fails))
    told: list[str] = []
    assert notes_on(sight_of(table, 0, lang), told.append) == {} and notes_on(sight_of(table, 0, lang)) == {}
    assert len(told) == 1 and told[0].startswith(line)
    assert caplog.text.count("Traceback") == 2 and "rules that nobody knew" in caplog.text


def test_at_the_terminal_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at every question, and without a traceback; with the file that has it."""

    def fails(_: Sight) -> dict[int, str]:
        raise ZeroDivisionError("rules that nobody knew")

    monkeypatch.setattr(session_notes, "_notes_of", lambda system: session_notes.Notes(fails))
    script = Script("1", "1", "quit")
    table = Table(make_game("einblatt-duel", compiled=False), {0: "human", 1: "first"}, 3)
    Session(table, read=script.read, write=script.write, width=80).run()
    assert "«1»" in script.text and "Traceback" not in script.text
    assert " ".join(script.text.split()).count("(ZeroDivisionError: rules that nobody knew)") == 1
    assert "errors.log" in script.text.replace("\n", "")


def test_the_page_says_it_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(_: Sight) -> dict[int, str]:
        raise ZeroDivisionError("rules that nobody knew")

    monkeypatch.setattr(session_notes, "_notes_of", lambda system: session_notes.Notes(fails))
    table = everybody(make_game("einblatt-duel", compiled=False), 3)
    hall = Hall(tmp_path, workers=1)
    room = Room("0" * 16, "einblatt-duel", "x", ("a", "b"), table.cast, {0: "x" * 64}, table=table)
    try:
        values = Pages(hall).seat_values(room, "x" * 64, 0, "en")
        assert [line[:40] for line in values["trouble"]] == ["The notes beside the actions cannot be t"]
        values |= page_values(room) | {"lang": "en", "who": lambda agent, game: agent, "t": lambda key, **more: key}
        page = Pages(hall).renderer.render("game.html", values)
        assert "ZeroDivisionError: rules that nobody knew" in page and "Traceback" not in page
    finally:
        hall.close()
        table.close()


CHILD = """
import logging, sys
from probespiel.app import cli
from probespiel.app.session import mishap
if {keeps}:
    mishap.keep_log()
    mishap.keep_log()
try:
    raise ZeroDivisionError("rules that nobody knew")
except ZeroDivisionError:
    logging.getLogger("probespiel.app.session.notes").exception("the notes")
"""


@pytest.mark.parametrize("kind", ["kept", "no folder", "library"])
def test_what_is_logged_never_reaches_the_terminal(kind: str, tmp_path: Path) -> None:
    """A file has it, once; where it cannot be written, and in a program that sets up no log, nothing shows it."""
    folder = tmp_path / "data"
    if kind == "no folder":
        folder.write_text("a file")
    code = CHILD.format(keeps=kind != "library")
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PROBESPIEL_DATA": str(folder)},
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    kept = folder / "log" / "errors.log"
    assert kept.exists() == (kind == "kept")
    if kind == "kept":
        text = kept.read_text("utf-8")
        assert text.count("Traceback") == 1 and "ZeroDivisionError: rules that nobody knew" in text
        assert "probespiel.app.session.notes: the notes" in text


def test_a_system_from_outside_may_have_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "noted_package" / "app"
    room.mkdir(parents=True)
    for folder in (room, room.parent):
        (folder / "__init__.py").write_text("")
    (room / "notes.py").write_text("NOTES = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("probespiel.envs.core.rooms._outside", lambda path: {"noted_system": "noted_package"})
    with pytest.raises(RulesetError, match="must be a Notes"):
        session_notes._notes_of("noted_system")


def test_any_card_beats_none() -> None:
    """What stands beside `pass`, by the rules: the worst card against no card."""
    for seat in (0, 1):
        position = make_game("einblatt-duel", compiled=False).position(3)
        position.roll()
        weakest = min((a for a in position.legal(seat) if a < 32), key=lambda a: a & 7)
        for who in (0, 1):
            position.apply(who, weakest if who == seat else position.game.actions.id("pass"))
        assert position.record.ep.tolist()[seat] == 1


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_character_for_a_talk_says_what_its_charisma_gives_and_takes(lang: str) -> None:
    """R13, R76: nothing told a reader what twelve rows of three numbers are about; before it all values are unknown."""
    table = everybody(make_game("oneshot-parley", "council", compiled=False), 3)
    assert {"en": "body 0", "de": "Körper 0"}[lang] not in table.position.told(0, lang)
    beside = notes_on(sight_of(table, 0, lang))
    for option in table.seen(0, lang).choices:
        charisma = int(option.text.rpartition(" ")[2])
        points, left = (int(n) for n in re.findall(r"\d+", beside[option.id]))
        assert points == charisma and left == patience_of(charisma)
        one = {"en": ("1 point ", "1 failure "), "de": ("1 Punkt ", "1 Misserfolg ")}[lang]
        assert (one[0] in beside[option.id]) == (points == 1) and (one[1] in beside[option.id]) == (left == 1)


def test_to_do_nothing_says_what_comes_of_it() -> None:
    table = everybody(make_game("oneshot-mission", compiled=False), 3)
    sight = sight_of(table, 0)
    assert notes_on(sight)[sight.choice("abort").action] == "the mission has failed then"  # type: ignore[union-attr]
    sight = replace(sight_of(everybody(make_game("scorekeeper-duel", compiled=False), 3), 0), choices=())
    take = Choice(sight.game.actions.id("take"), "take", "", "", "take the hit")
    assert notes_on(replace(sight, choices=(take,)))[take.action] == "no roll: the hit counts"
