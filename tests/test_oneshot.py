"""OneShot: worked examples, exact counts, invariants, hidden things, hostile input."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import IllegalAction, RulesetError
from probespiel.envs.core.verify import verify_file
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit_file import built_in_kit, check_kit
from probespiel.envs.oneshot.character.sheet import derive, generate, problems_of
from probespiel.envs.oneshot.params import OPTIONS, PER_FIGURE, check_options
from probespiel.envs.oneshot.presets import presets
from probespiel.envs.oneshot.record import char_of
from probespiel.envs.oneshot.system import SYSTEM

GOLDEN = Path(__file__).parent / "golden" / "oneshot.json"
WEIRD: list[Any] = [
    None, True, False, -1, 0, 1, 2, 5, 10**6, -(2**70), 0.5, float("nan"), "", "red", "fighter", "axe", "\x00", b"x",
    [], [1], [1, 2], [[1, 2]], (), {}, {"a": 1}, {"hero": "fighter"}, object(), 3j, np.int64(3), np.array([1, 2]),
]  # fmt: skip


def test_worked_examples() -> None:
    results = verify_file(GOLDEN)
    assert len(results) == 92
    assert [(r.id, r.problems) for r in results if r.problems] == []


def test_counts_of_builds() -> None:
    """7.4 and 4.6."""
    assert [exact.count_builds(5, False), exact.count_builds(4, False)] == [1907, 959]
    assert [exact.count_builds(5, True), exact.count_builds(4, True)] == [1303, 482]
    assert len(exact.perk_sets(3)) == 93
    assert exact.formula("diamond", [6]) == 84 == len(st.OFFSET_X)


def test_table_of_skill_tests() -> None:
    """7.1, digit by digit."""
    want = {-3: 1 / 18, -2: 1 / 6, -1: 1 / 3, 0: 1 / 2, 1: 2 / 3, 2: 5 / 6, 3: 17 / 18, 7: 17 / 18, -9: 1 / 18}
    for modifier, chance in want.items():
        table = exact.test_table(modifier)
        assert table["success"] == pytest.approx(chance, abs=1e-12)
        assert table["critical_success"] == pytest.approx(1 / 18 if modifier >= -2 else 0, abs=1e-12)
        assert table["critical_failure"] == pytest.approx(1 / 18 if modifier <= 2 else 0, abs=1e-12)


def test_turns_edges_lies() -> None:
    """7.3, 7.4."""
    means = [95 / 6, 12, 29 / 3, 49 / 6, 7, 37 / 6, 11 / 2, 5, 14 / 3, 25 / 6]
    assert [exact.expected_turns(i, 60) for i in range(1, 11)] == pytest.approx(means)
    assert [exact.formula("edge_success", [d + 4, 4]) for d in (0, -2, -3, -4)] == pytest.approx(
        [17 / 18, 5 / 6, 2 / 3, 1 / 2]
    )
    assert [exact.formula("edge_rounds", [d + 4, 4]) for d in (-1, 0, 1)] == pytest.approx([47 / 17, 62 / 17, 79 / 17])
    lies = [1 / 12, 1 / 6, 5 / 18, 5 / 12, 7 / 12, 13 / 18, 5 / 6, 11 / 12, 35 / 36]
    assert [exact.lie_unnoticed(d, 0) for d in range(-4, 5)] == pytest.approx(lies)


def test_duels_are_symmetric_and_monotone() -> None:
    """7.8: equal builds have equal chances; a better value never lowers the chance."""
    kit, options = built_in_kit(), check_options({})
    base = {"body": 2, "strength": 1, "stamina": 1, "base_attack": 1, "base_defence": 1, "weapons": ["sword"]}
    char = char_of(base, options, kit, "char")
    mirror = exact.duel([char, char], options, ["attack", "attack"], 120)
    assert mirror["a"] == pytest.approx(mirror["b"], abs=1e-12)
    plain = mirror["a"] - mirror["b"]
    for better in ({"strength": 2}, {"base_attack": 2}, {"base_defence": 2}, {"skills": {"blades": 1}}):
        result = exact.duel(
            [char_of({**base, **better}, options, kit, "char"), char], options, ["attack", "attack"], 120
        )
        assert result["a"] - result["b"] >= plain - 1e-12


@pytest.mark.parametrize("hero", list(built_in_kit().heroes))
def test_heroes_are_legal(hero: str) -> None:
    options = check_options({})
    assert problems_of(char_of(hero, options, built_in_kit(), hero), options, built_in_kit()) == []


def test_generated_enemies_keep_the_rules() -> None:
    kit = built_in_kit()
    for cap in (1, 4, 6):
        options = check_options({"enemy_attribute_cap": cap})
        for archetype in kit.archetypes:
            for points in range(st.MAX_POINTS + 1):
                char = generate(points, archetype, options, kit)
                assert sum(char[a] for a in ("body", "mind", "charisma")) == min(points, 3 * cap)
                assert max(char[a] for a in ("body", "mind", "charisma")) <= cap
                assert sum(char[a] for a in ("strength", "stamina", "agility")) == char["body"]
                derived = derive(char, options, kit)
                assert derived["skill_cost"] <= derived["skill_budget"]
                assert derived["attack"] + char["base_attack"] == 6


@pytest.mark.parametrize("scenario", ["duel_mirror", "ambush", "party_battle"])
def test_invariants_of_fights(scenario: str) -> None:
    """7.8, after every decision of random games."""
    game = make_game("oneshot-skirmish", scenario)
    rng = random.Random(5)
    for seed in range(2 if scenario == "party_battle" else 4):
        position = game.position(seed=seed)
        n = int(game.params.n)
        before = None
        while not position.over:
            s = position.record
            now = [(int(s.standing[i]), int(s.saga[i]), int(s.luck[i]), int(s.items[i].sum())) for i in range(n)]
            for i in range(n):
                if not s.pending:
                    assert (s.wounds[i] > s.limit[i]) == (s.standing[i] != st.Status.UP)
                if before is not None:
                    assert before[i][0] != st.Status.DEAD or now[i][0] == st.Status.DEAD
                    assert all(b >= a for a, b in zip(now[i][1:], before[i][1:]))
            before = now
            seat = position.to_act()[0]
            legal = position.legal(seat)
            if position.phase() == "turn":
                a = int(s.actor)
                if not s.surprise:
                    assert s.count % s.c_init[a] == 0
                for t in range(int(game.params.members[1 - s.team[a]])):
                    b = int(game.params.first[1 - s.team[a]]) + t
                    if s.edge[st.Talk.DIPLOMATIC, b, a] > 0:
                        assert not {st.Action.ATTACK + t, st.Action.ATTACK + 4 + t, st.Action.FLASK + t} & set(legal)
            position.apply(seat, rng.choice(legal))
            position.roll()


def test_symmetric_duels_have_symmetric_chances() -> None:
    """Five standard errors around zero."""
    result = Batch(make_game("oneshot-skirmish", "duel_mirror"), 400, seed=3).play_random(10)
    assert result.stuck == result.stopped == 0
    assert abs(result.mean_payoff[0]) < 5 / result.games**0.5


def test_team_control_and_macro_moves_differ_in_seats_alone() -> None:
    game = make_game("oneshot-skirmish", "ambush", control="team")
    assert [seat.name for seat in game.seats] == ["red", "blue"]
    position = game.position(seed=1)
    rng = random.Random(1)
    while not position.over:
        seat = position.to_act()[0]
        assert int(position.record.team[position.record.asked]) == seat
        position.apply(seat, rng.choice(position.legal(seat)))
        position.roll()
    assert position.returns().sum() == 0


def hidden_twins(rng: random.Random) -> tuple[Any, Any]:
    """Two solo talks that differ in the hidden triple alone, at the same point, seen alike."""
    game = make_game("oneshot-parley", "market")
    one, two = game.position(), game.position()
    one.fall(rng.randrange(12))
    two.fall(rng.randrange(12))
    for _ in range(3):
        if one.over or two.over:
            break
        legal = one.legal(0)
        if legal != two.legal(0):
            break
        action = rng.choice(legal)
        first, second = one.clone(), two.clone()
        for position in (first, second):
            position.apply(0, action)
        while first.die() and second.die():
            face = rng.randrange(6)
            first.fall(face)
            second.fall(face)
        if (
            first.die()
            or second.die()
            or (first.observe(0) != second.observe(0)).any()
            or first.key(0) != second.key(0)
        ):
            break
        one, two = first, second
    return one, two


def test_a_speaker_cannot_see_the_counterpart() -> None:
    """Seen alike means: the same observation, key, legal moves, and the same position once all hidden is forgotten."""
    rng = random.Random(4)
    differed = 0
    for _ in range(300):
        one, two = hidden_twins(rng)
        assert (one.observe(0) == two.observe(0)).all() and one.key(0) == two.key(0)
        if one.over or two.over:
            continue
        assert one.forget(0).to_bytes() == two.forget(0).to_bytes()
        differed += int(one.record.triple[1]) != int(two.record.triple[1])
    assert differed > 50


def test_forgotten_triples_fit_what_was_seen() -> None:
    """A talk dealt again has had the same outcomes."""
    game = make_game("oneshot-parley", "market")
    rng = random.Random(8)
    for seed in range(150):
        position = game.position(seed=seed)
        while not position.over:
            s = position.record
            assert int(s.possible[0]) >> int(s.triple[1]) & 1
            again = position.forget(0)
            again.roll(np.array([rng.randrange(2**63)], dtype=np.uint64))
            assert again.legal(0) == position.legal(0)
            assert (again.observe(0) == position.observe(0)).all()
            position.apply(0, rng.choice(position.legal(0)))
            position.roll()


def test_a_listener_cannot_see_the_lie() -> None:
    game = make_game("oneshot-parley", "claim")
    for probe in ("probe", "decline"):
        seen = []
        for statement in ("tell_truth", "tell_lie"):
            position = game.position()
            position.apply(0, game.actions.parse(statement))
            position.apply(1, game.actions.parse(probe))
            for face in (5, 0):  # a lie told well is not noticed
                if position.die():
                    position.fall(face)
            seen.append((position.observe(1).tobytes(), position.key(1), position.forget(1).to_bytes()))
        assert seen[0] == seen[1]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_names_itself_value_and_range(name: str) -> None:
    for value in (object, -99, "nonsense", 10**9, 0.5, [1, 2]):
        with pytest.raises(RulesetError) as caught:
            SYSTEM.spec_of_setup({**presets("skirmish")["duel_mirror"], "config": {name: value}}, "oneshot-skirmish")
        assert name in str(caught.value)
        if name != "kit":
            assert repr(value) in str(caught.value)
    with pytest.raises(RulesetError, match="unknown"):
        check_options({f"{name}_": 1})


def mutate(rng: random.Random, value: Any) -> Any:
    """The value with one random part replaced, removed or added."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            del value[key]
        elif rng.random() < 0.1:
            value[rng.choice([*OPTIONS, *PER_FIGURE, "char", "nonsense", 3])] = rng.choice(WEIRD)
        else:
            value[key] = mutate(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.85:
        index = rng.randrange(len(value))
        value[index] = mutate(rng, value[index])
        return value
    return rng.choice(WEIRD)


@pytest.mark.parametrize("kind", ["skirmish", "parley"])
def test_hostile_scenarios(kind: str) -> None:
    """Broken scenarios: a RulesetError that says something, or a game that can be declared."""
    rng = random.Random(2)
    refused = 0
    for _ in range(300):
        setup = copy.deepcopy(rng.choice(list(presets(kind).values())))
        for _ in range(rng.choice([1, 1, 2])):
            mutate(rng, setup)
        try:
            SYSTEM.spec_of_setup(setup, f"oneshot-{kind}")
        except RulesetError as error:
            assert len(str(error)) > 10
            refused += 1
    assert refused > 100


def test_hostile_kits() -> None:
    path = Path(str(check_kit.__code__.co_filename)).with_name("kit.json")
    whole = json.loads(path.read_text(encoding="utf-8"))
    rng = random.Random(3)
    refused = 0
    for _ in range(200):
        kit = mutate(rng, copy.deepcopy(whole))
        try:
            check_kit(kit, "mine")
        except RulesetError as error:
            assert "mine" in str(error)
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("setup", "parts"),
    [
        ({"figures": {}}, ["figures"]),
        ({"figures": {"a": {"team": "green"}}}, ["'a'", "green", "red"]),
        ({"figures": {"a": {"team": "red", "char": {"weapons": ["spear"]}}}}, ["spear", "axe"]),
        ({"figures": {"a": {"team": "red", "pos": [11, 0]}}}, ["pos", "11", "0..10"]),
        ({"figures": {"a": {"team": "red", "wounds": 9}}}, ["wounds", "9", "0..2"]),
        ({"figures": {"a": {"team": "red"}, "b": {"team": "blue", "pos": [1, 5]}}}, ["overlaps", "'a'"]),
        ({"figures": {f"a{i}": {"team": "red"} for i in range(5)}}, ["red", "5", "1..4"]),
        (
            {"config": {"strict_builds": True}, "figures": {"a": {"team": "red", "char": {"body": 4}}}},
            ["attribute_cap"],
        ),
    ],
)
def test_wrong_figures(setup: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(RulesetError) as caught:
        SYSTEM.spec_of_setup(setup, "oneshot-skirmish")
    for part in parts:
        assert part in str(caught.value)


def test_hostile_actions() -> None:
    game = make_game("oneshot-skirmish", "duel_mirror")
    rng = random.Random(1)
    position = game.position(seed=1)
    refused = 0
    for number in range(3000):
        if position.over:
            position = game.position(seed=number)
        seat = position.to_act()[0]
        action = rng.choice(WEIRD) if rng.random() < 0.3 else rng.randrange(-3, 130)
        before = position.to_bytes()
        try:
            position.apply(seat, action)
        except IllegalAction as error:
            assert position.to_bytes() == before and "legal" in str(error)
            refused += 1
        else:
            position.roll()
    assert refused > 500


def test_texts_of_all_actions_are_parsed_back() -> None:
    for name in ("oneshot-skirmish", "oneshot-parley"):
        table = make_game(name).actions
        for action in range(len(table)):
            assert table.parse(table.codes[action]) == action
            for lang in ("en", "de"):
                assert table.parse(table.describe(action, lang)) == action


@pytest.mark.parametrize(
    ("name", "scenario"), [("skirmish", "duel_mirror"), ("parley", "old_friend"), ("parley", "claim")]
)
def test_states_and_events_in_both_languages(name: str, scenario: str) -> None:
    game = make_game(f"oneshot-{name}", scenario)
    words: dict[str, set[str]] = {"en": set(), "de": set()}
    for seed in range(4):
        position, rng = game.position(seed=seed), random.Random(seed)
        while not position.over:
            seat = position.to_act()[0]
            for lang in words:
                assert game.spec.texts.state(position, seat, lang) and game.spec.texts.phase(position, lang)
            position.apply(seat, rng.choice(position.legal(seat)))
            for lang, seen in words.items():
                seen.update(game.spec.texts.event(e, seat, lang) for e in position.events())
            while faces := position.die():
                position.fall(rng.randrange(faces))
                for lang, seen in words.items():
                    seen.update(game.spec.texts.event(e, seat, lang) for e in position.events())
    assert min(len(words["en"]), len(words["de"])) > 2
