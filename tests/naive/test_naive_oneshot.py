"""The kernel of OneShot's skirmish against the plain coroutine of `oneshot.py`, after every step."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probespiel.envs.oneshot.character.kit as kit_module
from probespiel.envs.core.game import Game, Position
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit import PERKS, SKILLS, VALUES
from probespiel.envs.oneshot.system import SYSTEM
from tests.naive.oneshot import METHODS, Figure, Skirmish, far, sheet_of

KIT = json.loads(Path(str(kit_module.__file__)).with_name("kit.json").read_text(encoding="utf-8"))
CHOICES: dict[str, list[Any]] = {
    "patient_attack": ["improves", "worsens"],
    "untrained_rule": ["literal", "best"],
    "critical_means": ["confirmed", "automatic"],
    "attack_automatics": [False, True],
    "survival_is_test": [False, True],
    "luck_scope": ["all", "tests"],
    "luck_uses": [0, 1, 2],
    "saga_confirm": ["critical_only", "auto_success"],
    "turn_at_zero": [False, True],
    "zero_initiative": [1, 3],
    "tie_break": ["base_initiative_low", "initiative_low"],
    "simultaneous_order": ["random", "seat"],
    "social_tie": ["success", "failure"],
    "social_offset": [0, 2, 3],
    "edge_clock": ["performer", "target"],
    "edge_stacking": [False, True],
    "edge_uses_mood": [False, True],
    "diplomatic_breaks_on_attack": [False, True],
    "edge_range": [None, 3, 6],
    "grid_width": [6, 8, 12],
    "grid_height": [6, 9],
    "max_count": [15, 30, 45],
    "limit_result": ["standing", "losses", "draw"],
    "cover_modifier": [-2, -1, 0],
}
DEFAULTS = {name: values[0] for name, values in CHOICES.items()} | {"max_count": 30, "grid_width": 8}


def random_char(rng: random.Random) -> dict[str, Any]:
    """Any character, legal or not."""
    char: dict[str, Any] = {name: rng.choice([0, 0, 1, 1, 2, 3]) for name in VALUES}
    char["body"] = rng.choice([-1, 0, 0, 1, 2])
    char["skills"] = {name: rng.randint(1, 4) for name in rng.sample(SKILLS, 6)}
    char["weapons"] = rng.sample(list(KIT["weapons"]), rng.choice([1, 2]))
    char["armour"] = rng.choice(list(KIT["armours"]))
    char["perks"] = rng.sample([x for x in PERKS if x != "special_gift"], rng.choice([0, 1, 2, 3]))
    char["items"] = {name: rng.choice([0, 1, 2]) for name in KIT["items"]}
    return char


def random_setup(rng: random.Random, sizes: tuple[int, int]) -> dict[str, Any]:
    """A random skirmish with teams of these sizes."""
    options = dict(DEFAULTS)
    for name in rng.sample(list(CHOICES), 8):
        options[name] = rng.choice(CHOICES[name])
    width, height = options["grid_width"], options["grid_height"]
    taken: set[tuple[int, int]] = set()
    figures: dict[str, Any] = {}
    for team, n in zip(("red", "blue"), sizes, strict=True):
        for k in range(n):
            size = rng.choice([1, 1, 2]) if sum(sizes) > 4 else rng.choice([1, 2, 2, 3])
            places = [(x, y) for x in range(width - size + 1) for y in range(height - size + 1)]
            rng.shuffle(places)
            for place in places:
                squares = {(place[0] + i, place[1] + j) for i in range(size) for j in range(size)}
                if not squares & taken:
                    break
            else:
                return random_setup(rng, sizes)
            char = random_char(rng)
            limit = sheet_of(char, KIT, options)["limit"]
            status = "up" if k == 0 else rng.choice(["up", "up", "up", "unconscious", "dead"])
            figure: dict[str, Any] = {"team": team, "char": char, "pos": list(place), "size": size, "status": status}
            figure["wounds"] = rng.randint(0, max(0, limit)) if status == "up" else limit + rng.choice([1, 2])
            figure["saga_points"] = rng.choice([0, 0, 1, 2])
            figure["initiative_modifier"] = rng.choice([0, 0, 0, -10, -7, -16])
            figure["target_modifier"] = rng.choice([0, 0, 1, -1])
            figures[f"{team}{k}"] = figure
            taken |= squares
    free = [(x, y) for x in range(width) for y in range(height) if (x, y) not in taken]
    obstacles = rng.sample(free, min(len(free), rng.choice([0, 3])))
    cover = rng.sample([(x, y) for x in range(width) for y in range(height)], rng.choice([0, 10]))
    return {
        "config": options,
        "figures": figures,
        "obstacles": [list(o) for o in obstacles],
        "cover": [list(c) for c in cover],
    }


def naive_of(setup: dict[str, Any]) -> Skirmish:
    """The same fight for the oracle."""
    options = setup["config"]
    figures = []
    for name, given in setup["figures"].items():
        char = given["char"]
        figures.append(
            Figure(
                name=name,
                team=int(given["team"] == "blue"),
                sheet=sheet_of(char, KIT, options),
                pos=(given["pos"][0], given["pos"][1]),
                size=given["size"],
                wounds=given["wounds"],
                status=given["status"],
                saga=given["saga_points"],
                luck=options["luck_uses"] if "luck" in char["perks"] else 0,
                initiative_modifier=given["initiative_modifier"],
                target_modifier=given["target_modifier"],
                items=dict(char["items"]),
            )
        )
    squares = [{(x, y) for x, y in setup[part]} for part in ("obstacles", "cover")]
    return Skirmish(figures, options, *squares)


def decode(action: int, position: Position) -> tuple[Any, ...]:
    """An action id in the words of the oracle."""
    s = position.record
    me = int(s.asked)
    named = {
        st.Action.END_TURN: "end_turn",
        st.DECLINE: "decline",
        st.SAGA: "saga",
        st.LUCK: "luck",
        st.Action.WEAK_SPOT: "weak_spot",
    }
    if action in named:
        return (named[action],)
    if action < st.Action.ATTACK:
        k = action - st.Action.MOVE
        return ("move", int(s.x[me]) + int(st.OFFSET_X[k]), int(s.y[me]) + int(st.OFFSET_Y[k]))
    for start, end, name in (
        (st.Action.EXECUTE, st.Action.HEAL, "execute"),
        (st.Action.HEAL, st.Action.SALTS, "heal"),
        (st.Action.SALTS, st.Action.FLASK, "salts"),
        (st.Action.FLASK, st.DECLINE, "flask"),
    ):
        if start <= action < end:
            return (name, action - start)
    if action < st.Action.EDGE:
        return ("attack", (action - st.Action.ATTACK) // 4, (action - st.Action.ATTACK) % 4)
    return ("edge", METHODS[(action - st.Action.EDGE) // 4], (action - st.Action.EDGE) % 4)


def compare_state(position: Position, naive: Skirmish, where: str) -> None:
    """Everything that both know."""
    s = position.record
    for i, f in enumerate(naive.figures):
        ours = (
            int(s.wounds[i]), st.STATUS[int(s.standing[i])], (int(s.x[i]), int(s.y[i])), int(s.saga[i]),
            int(s.luck[i]), int(s.c_init[i]) or None, {n: int(s.items[i, k]) for k, n in enumerate(KIT["items"])},
        )  # fmt: skip
        assert ours == (f.wounds, f.status, f.pos, f.saga, f.luck, f.combat, f.items), f"{f.name} at {where}"
    n = len(naive.figures)
    edges = {
        (METHODS[m], a, b): int(s.edge[m, a, b])
        for m in range(3)
        for a in range(n)
        for b in range(n)
        if s.edge[m, a, b]
    }
    assert edges == naive.edges, where
    assert len(edges) == int(s.edges), where


def compare_game(
    setup: dict[str, Any],
    rng: random.Random,
    compiled: bool = True,
    compare: Callable[[Position, Skirmish, str], None] = compare_state,
) -> int:
    """Play one fight on both with the same dice and decisions, compared at each; the number of decisions."""
    game = Game(SYSTEM.spec_of_setup(setup, "oneshot-skirmish"), compiled)
    position = Position(game)
    naive = naive_of(setup)
    run = naive.run()
    decisions = 0
    request = next(run, None)
    while request is not None:
        where = f"decision {decisions} of {setup}"
        if request[0] == "die":
            assert position.die() == request[1], where
            outcome = rng.randrange(request[1])
            position.fall(outcome)
            answer: Any = outcome + 1
        else:
            assert position.die() == 0, where
            assert position.to_act() == [request[1]] and position.phase() == request[2], where
            compare(position, naive, where)
            legal = {decode(a, position): a for a in position.legal(request[1])}
            assert set(legal) == request[3], where
            game.layout.check(position.observe(request[1]))
            moves = [a for a in legal if a[0] == "move"]
            others = [a for a in legal if a[0] != "move"]
            answer = rng.choice(sorted(moves)) if moves and rng.random() < 0.4 else rng.choice(sorted(others))
            position.apply(request[1], legal[answer])
            decisions += 1
        try:
            request = run.send(answer)
        except StopIteration:
            request = None
    assert position.status == 1 and position.die() == 0 and not position.to_act(), setup
    compare_state(position, naive, f"the end of {setup}")
    winner = {0: 1.0, 1: -1.0, None: 0.0}[naive.winner]
    expected = [winner if f.team == 0 else -winner for f in naive.figures]
    assert position.returns().tolist() == expected, setup
    return decisions


def sizes_of(rng: random.Random) -> tuple[int, int]:
    """Sizes of two teams: most are duels or small."""
    return rng.choice([(1, 1), (1, 1), (1, 1), (2, 1), (2, 2), (1, 3), (4, 4)])


@pytest.mark.parametrize("part", range(2))
def test_kernel_agrees_with_the_oracle(part: int) -> None:
    rng = random.Random(100 + part)
    decisions = sum(compare_game(random_setup(rng, sizes_of(rng)), rng) for _ in range(100))
    assert decisions > 1000


def test_interpreted_kernel_agrees_with_the_oracle() -> None:
    rng = random.Random(7)
    for _ in range(4):
        compare_game(random_setup(rng, (1, 1)), rng, compiled=False)


def test_a_fight_in_which_nobody_is_up_is_a_draw() -> None:
    """Rule 41, whatever the wounds."""
    rng = random.Random(8)
    setup = random_setup(rng, (1, 1))
    for more, figure in enumerate(setup["figures"].values()):
        figure["status"] = "unconscious"
        figure["wounds"] = sheet_of(figure["char"], KIT, setup["config"])["limit"] + 1 + more
    assert compare_game(setup, rng, compiled=False) == 0


@pytest.mark.slow
def test_kernel_agrees_with_the_oracle_at_length() -> None:
    rng = random.Random(2024)
    for _ in range(10_000):
        compare_game(random_setup(rng, sizes_of(rng)), rng)


def test_distance_is_the_shortest_staircase() -> None:
    from probespiel.envs.oneshot.skirmish.ground import gap

    rng = random.Random(3)
    for _ in range(500):
        a, b = [(rng.randrange(12), rng.randrange(12), rng.randint(1, 4)) for _ in range(2)]
        squares = [{(x + i, y + j) for i in range(n) for j in range(n)} for x, y, n in (a, b)]
        assert gap(*a, *b) == far(*squares)
