"""What a figure of a skirmish may know (4.3): the observation of the kernel against the plain coroutine.

Place, status, wounds, weapons and what was done in a turn lie open; values, perks, gear and points of the other team
are told only without `hidden_stats`.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from probespiel.envs.core.game import Position
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit import ITEMS, PERKS
from tests.naive.oneshot import METHODS, Figure, Skirmish
from tests.naive.test_naive_oneshot import compare_game, random_setup

OPEN = (*range(12), 16, 18, 31, 32, 33, 35, 36, 37, 53, 54)
TOLD = (12, 13, 14, 15, 17, 20, *range(40, 53))  # of those that `hidden_stats` hides
SECRET = (*range(12, 16), 17, *range(20, 31), 34, 38, *range(39, 53))


def row_of(naive: Skirmish, me: Figure, other: Figure, secret: bool) -> dict[int, float]:
    """What is known of a figure, by its place in the row."""
    sheet = other.sheet
    status = [float(other.status == name) for name in st.STATUS[:3]]
    places = [*other.pos, other.pos[0] - me.pos[0], other.pos[1] - me.pos[1]]
    out = dict(enumerate([1, other is me, other is not me and other.team == me.team, *status]))
    out |= {6 + k: place / 24 for k, place in enumerate(places)}
    out |= {10: other.size / 4, 11: other.wounds / 8, 16: other.target_modifier / 3, 18: (other.combat or 0) / 16}
    for w in range(2):
        weapon = sheet["weapons"][w] if w < len(sheet["weapons"]) else None
        melee = weapon is not None and weapon["kind"] == "melee"
        out |= {31 + 4 * w: melee, 32 + 4 * w: weapon["damage_mod"] / 2 if weapon else 0}
        out[33 + 4 * w] = weapon["range"] / 6 if weapon and not melee else 0
    out |= {53: other.moved, 54: other.acted}
    if secret:
        return {**out, **dict.fromkeys(SECRET, 0)}
    out |= {12: sheet["limit"] / 8, 13: other.malus / 3, 14: sheet["attack"] / 8, 15: naive.defence(other) / 12}
    out |= {17: sheet["initiative"] / 10, 20: sheet["move_range"] / 6}
    out |= {40 + k: other.items[name] / 3 for k, name in enumerate(ITEMS)}
    out |= {43: other.saga / 10, 44: other.luck}
    return out | {45 + k: other.has(perk) for k, perk in enumerate(PERKS)}


def looks_at(hidden: bool, position: Position, naive: Skirmish, where: str) -> None:
    """Every figure's view of all others, and of the edges that somebody has."""
    for seat, me in enumerate(naive.figures):
        seen = position.game.layout.view(position.observe(seat))
        mates = [f for f in naive.figures if f.team == me.team and f is not me]
        rows = [me, *mates, *[f for f in naive.figures if f.team != me.team]]
        for row, other in enumerate(rows):
            book = row_of(naive, me, other, hidden and other.team != me.team)
            ours = seen["figures"][row]
            for place, value in book.items():
                expected = max(-1.0, min(1.0, float(value)))
                assert abs(ours[place] - expected) < 1e-6, f"value {place} of {other.name} for {me.name} at {where}"
        assert not seen["figures"][len(rows) :].any()
        edges = np.zeros((3, 8, 8))
        for (method, performer, target), left in naive.edges.items():
            ends = [next(i for i, f in enumerate(rows) if f is naive.figures[end]) for end in (performer, target)]
            edges[METHODS.index(method), ends[0], ends[1]] = min(1.0, left / 10)
        np.testing.assert_allclose(seen["edges"], edges, atol=1e-6, err_msg=where)
        assert abs(seen["global"][0] - min(1.0, naive.count / naive.o["max_count"])) < 1e-6, where


@pytest.mark.parametrize("hidden", [False, True])
def test_a_figure_knows_what_it_sees(hidden: bool) -> None:
    rng, decisions = random.Random(11), 0

    def compare(position: Position, naive: Skirmish, where: str) -> None:
        if rng.random() < 0.3:
            looks_at(hidden, position, naive, where)

    for number in range(4):
        setup = random_setup(rng, ((1, 1), (2, 1), (1, 3), (2, 2))[number])
        setup["config"] |= {"hidden_stats": hidden, "max_count": 15}
        decisions += compare_game(setup, rng, False, compare)
    assert decisions > 20
