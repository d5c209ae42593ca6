"""The screen of Scorekeeper: where to aim, what a blow does there, and the order of declarations."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from probespiel.app.scorekeeper.aim import CLASSES, wounds_of
from probespiel.app.scorekeeper.screen import draw
from probespiel.app.session.notes import notes_on
from probespiel.app.session.table import Table
from probespiel.app.web.screens import Choice, Sight
from probespiel.envs.core.registry import make_game
from probespiel.envs.scorekeeper.state import ZONE_CODES
from probespiel.evaluation.scorekeeper.chances import unaimed_classes, zone_classes


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
                assert f": {zone['hit']} %, then {zone['likely']}" in beside[zone["choice"].action]
                assert 98 <= sum(zone["classes"]) <= 102
                aimed += 1
        starts = [n for n, line in enumerate(seen.events) if line.startswith("--- ")]
        told = [line for line in seen.events[starts[-1] :] if " declares: " in line]
        marks = [line.partition(" declares")[0] for line in told]
        assert [one["name"] for one in drawn.values["declared"]] == marks
        numbers = [arrow["number"] for arrow in drawn.values["line"]["arrows"]]
        assert all(numbers) and len(set(numbers)) == len(numbers)
        places = [(arrow["x"], arrow["y"]) for arrow in drawn.values["line"]["arrows"]]
        close = [abs(x - u) < 20 and abs(y - v) < 20 for (x, y), (u, v) in combinations(places, 2)]
        assert not any(close), "numbers of arrows lie on each other"
        assert all(y >= drawn.values["line"]["top"] + 10 for _, y in places), "a number is cut off"
        ordered = max(ordered, len(marks))
        table.choose(seat, chance.choice(table.legal(seat)))
    assert aimed > 50 and ordered > 4


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
