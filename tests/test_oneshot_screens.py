"""Screens of talks and builds: chances are those of the rules, and a build is revealed at the end alone."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from probespiel.app.oneshot.screen import draw
from probespiel.app.session.table import Table
from probespiel.app.web.screens import Drawn, Sight
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.oneshot.state import Phase


def drawn_of(table: Table, seat: int, lang: str = "en") -> Drawn | None:
    seen = table.seen(seat, lang)
    return draw(Sight(table.game, seat, lang, seen.phase_name, seen.pieces, (), seen.told, seen.phase))


def won(position: Position, seat: int, before: int) -> Fraction | None:
    """The chance that the pending check succeeds, by all dice; None if somebody may react to it."""
    faces = position.die()
    record = position.record
    outcome = int(record.l_outcome[seat])
    if not faces or (sum(record.tally[seat].ravel()) > before and outcome >= 0):
        if position.phase() in ("react_fail", "react_six") and int(record.node) in (Phase.REACT_FAIL, Phase.REACT_SIX):
            return None
        return Fraction(outcome in (0, 1))
    parts = []
    for fell in range(faces):
        after = position.clone()
        after.fall(fell)
        part = won(after, seat, before)
        if part is None:
            return None
        parts.append(part)
    return sum(parts, Fraction(0)) / faces


def test_chances_are_those_of_the_rules() -> None:
    game, checked, shown = make_game("oneshot-parley", compiled=False), 0, set[str]()
    for seed in range(3):
        table, chance = Table(game, {0: "human", 1: "human"}, seed), random.Random(seed)
        while not table.over:
            seat = table.waiting()[0]
            drawn = drawn_of(table, seat)
            if table.position.phase() == "talk" and drawn is not None:
                record = table.position.record
                values = drawn.values
                shown |= {key for key in ("last", "reason") if values[key]}
                for method in range(3):
                    felt = int(record.mood_wounds[seat] if method == 0 else record.mood_relation[seat])
                    if felt != (values["wounds"] if method == 0 else values["mood"]):
                        continue  # a mood that the seat cannot know has changed
                    after = table.position.clone()
                    after.apply(seat, game.actions.starts["talk"] + method)
                    truth = won(after, seat, int(record.tally[seat].sum()))
                    if truth is not None:
                        value = int(record.t_value[1 - seat, method])
                        assert values["methods"][method]["chances"][value] == round(100 * float(truth))
                        checked += 1
            table.choose(seat, chance.choice(table.legal(seat)))
    assert checked > 20 and shown == {"last", "reason"}


def test_before_characters_are_chosen_the_generic_page_serves() -> None:
    game = make_game("oneshot-parley", compiled=False)
    assert drawn_of(Table(game, {0: "human", 1: "human"}, 1), 0) is None, "nothing is chosen yet"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_build_fills_and_the_other_is_revealed_at_the_end(lang: str) -> None:
    game, chance = make_game("oneshot-build", compiled=False), random.Random(2)
    table = Table(game, {0: "human", 1: "human"}, 1)
    stages = 0
    while not table.over:
        seat = table.waiting()[0]
        drawn = drawn_of(table, seat, lang)
        assert drawn is not None and drawn.values["columns"] == [game.seats[seat].name]
        rows = drawn.values["rows"]
        at = [row["now"] for row in rows].index(True)
        assert all(row["chosen"][0] for row in rows[:at]) and not any(row["chosen"][0] for row in rows[at:])
        assert len(rows) == 10 and (at < 2 or drawn.values["values"])
        stages = max(stages, at)
        table.choose(seat, chance.choice(table.legal(seat)))
    assert stages > 5
    drawn = drawn_of(table, 0, lang)
    assert drawn is not None and drawn.values["columns"] == ["first", "second"] and len(drawn.values["rest"]) == 1
    assert all(len(row["chosen"]) == 2 for row in drawn.values["rows"])
