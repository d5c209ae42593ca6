"""The screen of Scorekeeper: where to aim, what a blow does there, and the order of declarations."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.app.scorekeeper.aim import CLASSES, likely, wounds_of
from probespiel.app.scorekeeper.screen import _line, draw
from probespiel.app.session.notes import missing_of, notes_on
from probespiel.app.session.seen import seen_of
from probespiel.app.session.table import Table
from probespiel.app.web.screens import Choice, Sight
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game, system_of
from probespiel.envs.scorekeeper.state import EVENT, ZONE_CODES, Event, Roll
from probespiel.evaluation.scorekeeper.chances import unaimed_classes, zone_classes
from tests.test_told_at_the_table import packed


def test_every_way_to_attack_stands_on_a_silhouette_and_declarations_in_order() -> None:
    game, chance = make_game("scorekeeper-skirmish", compiled=False), random.Random(4)
    table, aimed, ordered = Table(game, dict.fromkeys(range(game.n_seats), "human"), 2), 0, 0
    for _ in range(30):
        seat = table.waiting()[0]
        seen = table.seen(seat)
        sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
        drawn, beside = draw(sight), notes_on(sight)
        assert drawn is not None
        attacks = {option.id for option in seen.choices if option.verb in ("melee", "run", "shoot")}
        assert drawn.placed == attacks
        for one in drawn.values["aims"]:
            for zone in one["zones"]:
                told = beside[zone["choice"].action]
                assert f": {zone['hit']} %, then {zone['likely']}" in told if zone["hit"] else "then" not in told
                assert 98 <= sum(zone["classes"]) <= 102
                aimed += 1
        starts = [n for n, line in enumerate(seen.events) if line.startswith("--- ")]
        told = [line for line in seen.events[starts[-1] :] if " declares: " in line]
        marks = [line.partition(" declares")[0] for line in told]
        assert [one["name"] for one in drawn.values["declared"]] == marks
        for line in drawn.values["lines"].values():
            numbers = [arrow["number"] for arrow in line["arrows"]]
            assert all(numbers) and len(set(numbers)) == len(numbers)
            places = [(arrow["x"], arrow["y"]) for arrow in line["arrows"]]
            close = [abs(x - u) < 20 and abs(y - v) < 20 for (x, y), (u, v) in combinations(places, 2)]
            assert not any(close), "numbers of arrows lie on each other"
            for mark in line["marks"]:
                high = line["base"] - 14 - line["row"] * mark["level"]
                name = mark["x"] + (-1 if mark["left"] else 1) * (13 + 3.5 * len(mark["name"]))  # its middle, about
                lies = [abs(x - name) < 3.5 * len(mark["name"]) and abs(y - high) < 18 for x, y in places]
                assert not any(lies), "the number of an arrow lies on a name"
            assert all(y >= line["top"] + 10 for _, y in places), "a number is cut off"
        ordered = max(ordered, len(marks))
        table.choose(seat, chance.choice(table.legal(seat)))
    assert aimed > 50 and ordered > 4


@pytest.mark.parametrize("scenario", system_of("scorekeeper-skirmish").scenarios("scorekeeper-skirmish"))
def test_names_on_the_metre_line_lie_beside_each_other_and_within_it(scenario: str) -> None:
    """On a phone's line too, which is 340 units wide: a name of 14 signs takes about 97 of them beside its figure."""
    game, chance = make_game("scorekeeper-skirmish", scenario, compiled=False), random.Random(4)
    table, seen_near = Table(game, dict.fromkeys(range(game.n_seats), "human"), 2), 0
    for _ in range(20):
        if table.over:
            break
        seat = table.waiting()[0]
        seen = table.seen(seat)
        drawn = draw(Sight.of(game, seen, [Choice.of(option) for option in seen.choices]))
        assert drawn is not None and {kind: line["width"] for kind, line in drawn.values["lines"].items()} == {
            "wide": 720, "narrow": 340
        }  # fmt: skip
        for line in drawn.values["lines"].values():
            spans = [
                (m["level"], (m["x"] - 110, m["x"] + 9) if m["left"] else (m["x"] - 9, m["x"] + 110))
                for m in line["marks"]
            ]
            assert all(low >= 0 and high <= line["width"] for _, (low, high) in spans)
            for (level, (low, high)), (other, (first, last)) in combinations(spans, 2):
                assert level != other or high <= first or last <= low, spans
                seen_near += level != other
            numbers = [tick["x"] for tick in line["ticks"]]
            assert len(numbers) > 2 and all(b - a >= 20 for a, b in pairwise(numbers))
        table.choose(seat, chance.choice(table.legal(seat)))
    assert seen_near or game.n_seats == 2


@pytest.mark.parametrize("zone", ZONE_CODES)
def test_wounds_of_a_blow_are_those_of_the_odds(zone: str) -> None:
    game = make_game("scorekeeper-skirmish", compiled=False)
    seen = Table(game, dict.fromkeys(range(game.n_seats), "human"), 2).seen(0)
    cards = game.spec.texts.fighters  # type: ignore[attr-defined]
    me = next(n for n, card in enumerate(cards) if card["ranged"] == "magnum")
    for target, card in enumerate(cards):
        found = wounds_of(Sight.of(game, seen), me, target, True, zone)
        truth = (
            unaimed_classes("magnum", card["armour"]) if zone == "any" else zone_classes("magnum", card["armour"], zone)
        )
        expected = {"TW" if name == "dead" else name: float(part) for name, part in truth.items()}
        assert found == pytest.approx({name: expected[name] for name in CLASSES})


@pytest.mark.parametrize(("lang", "declaring", "acting"), [
    ("en", "declaration phase, slowest first", "action phase, quickest first"),
    ("de", "Erklärungsphase, Langsame zuerst", "Handlungsphase, Schnelle zuerst")])  # fmt: skip
def test_who_comes_first_is_told_where_it_is_turned_over(lang: str, declaring: str, acting: str) -> None:
    """R5, R6: below `acting order: Derman, bouncer` the bouncer declared first, and nothing said why."""
    game, lot = make_game("scorekeeper-duel", compiled=False), random.Random(1)
    table, heads = Table(game, {0: "human", 1: "human"}, 1), set[str]()
    while not table.over and len(heads) < 2:
        seat, record = table.waiting()[0], table.position.record
        head = table.seen(seat, lang).told.splitlines()[0].split("  ")[-1]
        assert head in (declaring, acting)
        if head == declaring and int(record.ask_fighter) == int(record.order[0]):
            assert all(record.declared[int(f)] for f in record.order[1 : int(record.n_order)]), "he hears all others"
        heads.add(head)
        table.choose(seat, lot.choice(table.legal(seat)))
    assert heads == {declaring, acting}


def test_dice_are_told_by_what_was_needed() -> None:
    game, chance = make_game("scorekeeper-duel", compiled=False), random.Random(1)
    table = Table(game, {0: "human", 1: "human"}, 1)
    for _ in range(20):
        if not table.over:
            table.choose(table.waiting()[0], chance.choice(table.legal(table.waiting()[0])))
    told = [line for line in table.lines(0, "en") if "needed" in line]
    assert told and len(told) == sum("oder weniger gebraucht" in line for line in table.lines(0, "de"))
    for line in told:
        most, thrown = int(line.split("needed ")[1].split()[0]), line.split("rolled ")[1].split(":")[0]
        if "+" not in thrown and line.endswith((": hit", ": success")):
            assert int(thrown) <= most


@pytest.mark.parametrize("width", [340, 720])
@pytest.mark.parametrize("metres", [0, 1, 2, 3, 4, 8, 40])
def test_arrows_of_two_who_aim_at_each_other_are_two(metres: int, width: int) -> None:
    """Of two close together both went up and down on one line, and their tips were one."""
    common = {"able": True, "me": False, "foe": False}
    fighters = [
        {**common, "name": "one", "metre": 20, "target": 1},
        {**common, "name": "two", "metre": 20 + metres, "target": 0},
    ]
    fight: Any = SimpleNamespace(length=100, at={0: 0, 1: 1})
    drawn = [
        [float(number) for number in re.findall(r"-?[\d.]+", arrow["path"])]
        for arrow in _line(fight, fighters, ["one", "two"], width)["arrows"]
    ]
    assert len(drawn) == 2
    curves = []
    for x1, y1, x2, y2, x3, y3 in drawn:
        assert abs(x3 - x1) >= 24, "a curve, and no line up and down"
        parts = [(1 - t) ** 2 for t in np.linspace(0, 1, 101)], [t * t for t in np.linspace(0, 1, 101)]
        curves.append(
            [(a * x1 + (1 - a - b) * x2 + b * x3, a * y1 + (1 - a - b) * y2 + b * y3) for a, b in zip(*parts)]
        )
    one, two = (np.array(curve) for curve in curves)
    near = np.linalg.norm(one[:, None] - two[None], axis=2).min(axis=1) < 3
    assert near.mean() < 0.2, near.mean()
    assert np.linalg.norm(one[-1] - two[0]) >= 6 and np.linalg.norm(one[0] - two[-1]) >= 6


@pytest.mark.parametrize(("shares", "en", "de"), [
    ((0, 0.6, 0.4, 0, 0), "most likely a scratch (60 %)", "am ehesten ein Kratzer (60 %)"),
    ((0, 0.25, 0.35, 0.25, 0.15), "most likely a light wound (35 %), lethal 15 %",
     "am ehesten eine leichte Wunde (35 %), tödlich 15 %"),
    ((0, 0.5, 0.5, 0, 0), "most likely a light wound (50 %)", "am ehesten eine leichte Wunde (50 %)"),
    ((0, 0, 0, 0, 1), "a lethal wound (100 %)", "eine tödliche Wunde (100 %)"),
])  # fmt: skip
def test_what_a_blow_does_is_told_with_its_share(shares: tuple[float, ...], en: str, de: str) -> None:
    """`then a scratch` was said of blows that wound lightly in three of eight cases."""
    wounds = dict(zip(CLASSES, shares, strict=True))
    told = [likely(wounds, lang).replace("\xa0", " ") for lang in ("en", "de")]
    assert told == [en, de]


def test_a_full_run_adds_its_damage_and_says_what_it_costs() -> None:
    """R20: every blow of 2d4 + 10 wounds severely, or worse; and saving throws are gone."""
    for bonus, forfeits in ((0, True), (10, False)):
        options = {"full_run_damage_bonus": bonus, "full_run_forfeits_saves": forfeits}
        game = make_game("scorekeeper-duel", "mafia_club", compiled=False, **options)
        table = Table(game, {0: "human", 1: "human"}, 67)
        seen = table.seen(table.waiting()[0])
        sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
        beside = notes_on(sight)
        (run,) = [beside[c.action] for c in sight.choices if c.verb == "run" and c.detail == "chest"]
        assert ("; no saving throws after it this round" in run) is forfeits
        assert ("a scratch" in run) is (bonus == 0), run


def test_an_attack_that_cannot_hit_says_nothing_of_wounds() -> None:
    """`kann nicht treffen, dann ein Kratzer` stood beside the blows of somebody badly hurt."""
    table = Table(make_game("scorekeeper-duel", "mafia_club", compiled=False), {0: "human", 1: "human"}, 67)
    while table.waiting()[0] != 0:
        table.choose(1, table.legal(1)[0])
    table.position.record.sw[0] = table.position.record.lw[0] = 2
    seen = table.seen(0, "de")
    sight = Sight.of(table.game, seen, [Choice.of(option) for option in seen.choices])
    beside = notes_on(sight)
    heads = [beside[c.action] for c in sight.choices if c.detail == "head"]
    assert heads and all(told.partition(";")[0] == "kann nicht treffen" for told in heads)


@pytest.mark.parametrize(("lang", "lines"), [
    ("en", ["then it is a lethal wound: death", "then it is a severe wound"]),
    ("de", ["dann ist es eine tödliche Wunde: der Tod", "dann ist es eine schwere Wunde"]),
])  # fmt: skip
def test_what_a_fate_point_spares_is_said(lang: str, lines: list[str]) -> None:
    """R53, R70: the question was asked of a wound that nothing had named."""
    game = make_game("scorekeeper-duel", "drug_flat", compiled=False)
    position = next(p for p in _softened(game) if int(p.record.w_class) == 4)
    seen = seen_of(position, int(position.record.ask_fighter), lang)
    sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
    assert list(notes_on(sight).values()) == lines


def _softened(game: Game) -> Iterator[Position]:
    """Positions of many games in which a wound may be softened."""
    for seed in range(60):
        position, chance = game.position(seed=seed), random.Random(seed)
        while position.status == 0:
            position.roll()
            if position.status:
                break
            if position.phase() == "fate_reduce":
                yield position
            seat = position.to_act()[0]
            wanted = [a for a in position.legal(seat) if game.actions.codes[a].startswith(("shoot", "take", "keep"))]
            position.apply(seat, chance.choice(wanted or list(position.legal(seat))))


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "Derman: damage 6 + 5 + 5, with bonuses and behind the armour 16: "
     "a lethal wound (at an arm or leg a severe one)"),
    ("de", "Derman: Schaden 6 + 5 + 5, mit Boni und hinter der Rüstung 16: "
     "eine tödliche Wunde (an Arm oder Bein eine schwere)"),
])  # fmt: skip
def test_damage_says_which_wound_it_is(lang: str, wanted: str) -> None:
    """R44: whoever was asked whether to repeat or to soften had to know the table by heart."""
    game = make_game("scorekeeper-duel", compiled=False)
    dice = (6 << 10 | 5 << 5 | 5) | Roll.DAMAGE << 25
    assert game.say(packed(EVENT, Event.ROLL, 0, 16, dice), 0, lang).strip() == wanted


@pytest.mark.parametrize(("module", "told"), [("retarget", True), ("natural_one", False), ("free_parry", False)])
def test_chances_are_told_where_no_module_changes_them(module: str, told: bool) -> None:
    """Another target changes no roll: all chances were gone with it, and it was named as what could change them."""
    game = make_game("scorekeeper-duel", "drug_flat", {module: {}}, compiled=False)
    table = Table(game, {0: "human", 1: "human"}, 3)
    seen = table.seen(table.waiting()[0])
    sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
    shots = [choice.action for choice in sight.choices if choice.verb == "shoot"]
    drawn = draw(sight)
    assert shots and (set(shots) <= set(notes_on(sight))) is told
    assert (missing_of(sight) == "") is told
    assert drawn is not None and bool(drawn.values["aims"]) is told
