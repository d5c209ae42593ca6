"""The build game of OneShot: masks, secrecy, and payoffs against the plain solver of duels."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import native_policy
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.actions import splits
from probespiel.envs.oneshot.build.legal import perk_sets
from probespiel.envs.oneshot.character.kit import ATTRIBUTES, COMBAT, PHYSICAL, SOCIAL
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.character.sheet import greedy_skills, normal, problems_of, rank_cost
from probespiel.envs.oneshot.params import check_options

KIT = built_in_kit()


def ranks(plan: int, group: str, points: int) -> dict[str, int]:
    """The skill plans of 4.6."""
    if plan == 0:
        return greedy_skills([group], points, "linear")
    if plan == 1:
        found = greedy_skills([group], min(points, 3), "linear")
        found |= greedy_skills(["lore_race"], points - sum(rank_cost(r, "linear") for r in found.values()), "linear")
        left = points - sum(rank_cost(r, "linear") for r in found.values())
        while left >= rank_cost(found.get(group, 0) + 1, "linear") - rank_cost(found.get(group, 0), "linear"):
            left -= rank_cost(found.get(group, 0) + 1, "linear") - rank_cost(found.get(group, 0), "linear")
            found[group] = found.get(group, 0) + 1
        return found
    first, rest = ("lore_race", group) if plan == 2 else (group, "insight")
    found = greedy_skills([first], min(points, 3), "linear")
    return found | greedy_skills([rest], points - sum(found.values()), "linear")


def character(choice: Any) -> dict[str, Any]:
    """The sheet that ten choices make."""
    perks = perk_sets(3)[choice[0]]
    triple = list(exact.triples(5 - ("luck" in perks), 3)[choice[1]])
    char: dict[str, Any] = {"perks": list(perks)}
    if "special_gift" in perks:
        k = triple.index(3)
        triple = [v + 1 if j == k else v - 1 for j, v in enumerate(triple)]
        char["gift"] = ATTRIBUTES[k]
    char |= dict(zip(ATTRIBUTES, triple, strict=True))
    for names, option, points in ((PHYSICAL, 2, triple[0]), (COMBAT, 3, triple[0]), (SOCIAL, 4, triple[2])):
        char |= dict(zip(names, splits(max(0, points))[choice[option]], strict=True))
    weapon = list(KIT.weapons)[choice[6]]
    cost = 3 * ("armour_training" in perks) + 3 * ("finesse" in perks)
    char["skills"] = ranks(int(choice[5]), KIT.weapons[weapon]["group"], 5 + 5 * triple[1] - cost)
    item = [{}, {"heal_draught": 1}, {"fire_flask": 1}][choice[8]]
    return normal({**char, "weapons": [weapon], "armour": list(KIT.armours)[choice[7]], "items": item}, KIT)


def play(game: Any, seed: int) -> Any:
    """A random game to its end."""
    position, rng = game.position(seed=seed), random.Random(seed)
    while not position.over:
        for seat in position.to_act():
            game.layout.check(position.observe(seat))
            position.apply(seat, rng.choice(position.legal(seat)))
    return position


@pytest.mark.parametrize(
    "config",
    [
        {"max_count": 40},
        {"max_count": 30, "diplomatic_breaks_on_attack": True, "social_offset": 2, "edge_clock": "target"},
        {"max_count": 30, "tie_break": "initiative_low", "attack_automatics": True, "edge_uses_mood": True},
    ],
)
def test_payoffs_are_those_of_the_plain_solver(config: dict[str, Any]) -> None:
    game = make_game("oneshot-build", "literal", **config)
    options = check_options(config, "build")
    seen = set()
    for seed in range(12):
        position = play(game, seed)
        chars = [character(position.record.choice[i]) for i in (0, 1)]
        assert [problems_of(char, options, KIT) for char in chars] == [[], []]
        tactics = [("attack", "diplomat")[int(position.record.choice[i, 9])] for i in (0, 1)]
        result = exact.duel(chars, options, tactics, options["max_count"])
        assert position.returns()[0] == pytest.approx(result["a"] - result["b"], abs=1e-9), (chars, tactics)
        assert position.returns().sum() == 0
        seen.update(tactics)
    assert len(seen) == 2


def test_choices_are_secret() -> None:
    """Whatever the other has chosen: the same observation, key, options, and the same position once it is forgotten."""
    game = make_game("oneshot-build")
    for seed in range(20):
        rng = random.Random(seed)
        one, two = game.position(seed=1), game.position(seed=1)
        for _ in range(rng.randrange(st.STAGES)):
            mine = rng.choice(one.legal(0))
            for position in (one, two):
                position.apply(0, mine)
                position.apply(1, rng.choice(position.legal(1)))
        assert one.legal(0) == two.legal(0) and one.key(0) == two.key(0)
        assert (one.observe(0) == two.observe(0)).all()
        forgotten = one.forget(0)
        assert forgotten.to_bytes() == two.forget(0).to_bytes()
        forgotten.roll(np.array([seed], dtype=np.uint64))
        assert forgotten.to_act() == [0, 1] and forgotten.legal(1)


def test_texts_and_errors() -> None:
    """Every option is called by what it stands for, in the stage in which it is open, and understood by that."""
    game = make_game("oneshot-build", "arena")
    texts: Any = game.spec.texts
    position, rng = game.position(), random.Random(3)
    while not position.over:
        for lang in ("en", "de"):
            said = [texts.action(position, 0, action, lang) for action in position.legal(0)]
            assert len(set(said)) == len(said) and not any(text.startswith(("option", "Auswahl")) for text in said)
            assert [texts.parse(position, 0, text) for text in said] == position.legal(0)
            if position.record.stage_no == st.Stage.WEAPON:
                assert ("axe", "Axt")[lang == "de"] in said
        assert texts.parse(position, 0, "option:0") == 0
        chosen = rng.choice(position.legal(0))
        words = texts.action(position, 0, chosen, "en")
        position.apply(0, chosen)
        position.apply(1, rng.choice(position.legal(1)))
        assert words in texts.state(position, 0, "en")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"gear_budget": 21}, "gear_budget"),
        ({"pilot": "table"}, "one of exact, grid"),
        ({"sg": 0}, "1..6"),
    ]
    for config, part in wrong:
        with pytest.raises(RulesetError, match=part):
            make_game("oneshot-build", "arena", **config)


def play_on_grid(game: Any, seed: int) -> tuple[Any, list[int], list[str]]:
    """A random game with `pilot = grid`: the position at its end, the dice of the fight, and what could be read."""
    position, rng = game.position(), random.Random(seed)
    while position.record.stage_no < st.STAGES:
        for seat in position.to_act():
            game.layout.check(position.observe(seat))
            position.apply(seat, rng.choice(position.legal(seat)))
    dice, lines = [], []
    while faces := position.die():
        assert not position.to_act() and not position.over
        dice.append(rng.randrange(faces))
        position.fall(dice[-1])
        lines += [game.spec.texts.event(event, None, "en") for event in position.events()]
    assert position.over
    return position, dice, lines


def compare_with_skirmishes(seeds: range, modules: dict[str, Any], compiled: bool, **config: Any) -> tuple[set, set]:
    """Ends and policies of games with `pilot = grid`, each compared with `oneshot-skirmish` step by step."""
    game = make_game(
        "oneshot-build",
        "arena",
        modules,
        compiled=compiled,
        pilot="grid",
        allow_will_to_live=True,
        luck_uses=2,
        **config,
    )
    ends, seen = set(), set()
    for seed in seeds:
        position, dice, lines = play_on_grid(game, seed)
        choices = position.record.choice
        names = [("focus", "diplomat")[int(choices[i, 9])] for i in (0, 1)]
        figures = {
            name: {"team": team, "char": character(choices[i]), "saga_points": 0}
            for i, (name, team) in enumerate((("first", "red"), ("second", "blue")))
        }
        other = make_game(
            "oneshot-skirmish", "duel_mirror", modules, compiled=compiled, figures=figures,
            diplomatic_breaks_on_attack=True, luck_uses=2, **config,
        )  # fmt: skip
        policies = [native_policy(other, name) for name in names]
        fight, at, said = other.position(), 0, []
        while not fight.over:
            if fight.die():
                fight.fall(dice[at])
                at += 1
            else:
                seat = fight.to_act()[0]
                record = np.frombuffer(fight.to_bytes(), dtype=np.uint8).copy()
                rng = np.zeros(1, dtype=np.uint64)
                policy = policies[seat]
                action = call_from_python(
                    policy.address, policy.which, record.ctypes.data, other.params_address, seat, other.address,
                    rng.ctypes.data,
                )  # fmt: skip
                fight.apply(seat, action)
            said += [other.spec.texts.event(event, None, "en") for event in fight.events()]
        assert at == len(dice) and fight.returns().tolist() == position.returns().tolist()
        for field in ("wounds", "x", "y", "standing", "items", "luck", "count"):
            assert np.array_equal(getattr(fight.record, field), getattr(position.record, field)), field
        assert lines == said
        ends.add(float(position.returns()[0]))
        seen.update(names)
        text = game.spec.texts.state(position, None, "de")
        assert "Zähler" in text and "Taktik" in text
    return ends, seen


def test_skirmishes_of_builds_are_skirmishes() -> None:
    """The same characters in `oneshot-skirmish`, played by the baselines of that game with the same dice."""
    ends, seen = compare_with_skirmishes(range(25), {}, True, max_count=60, social_offset=3, simultaneous_order="seat")
    assert len(ends) > 1 and len(seen) == 2


def test_modules_of_fights_belong_to_skirmishes_of_builds() -> None:
    """A module, here a perk of the first character alone, does the same there as in a skirmish."""
    modules = {"berserker": {"seats": ["first"]}, "momentum": {}}
    compare_with_skirmishes(range(2), modules, False, max_count=20, social_offset=3, simultaneous_order="seat")
    with pytest.raises(RulesetError, match="berserker"):
        make_game("oneshot-build", "arena", modules)


ASKS = '''"""Asks the first builder three times."""
from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow, ask

module = Module("asks", "Three questions.", levels=(LEVEL,))
WELL = module.phase("asks_well")
FINE = module.action("fine", "fine (asks)")


@module.hook
def BEGINS -> None:
    if who == 0 and FIRST:
        for i in range(3):
            ask(s, ME, WELL, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow(words, FINE)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    pass
'''


@pytest.mark.parametrize(
    ("game", "begins", "first"),
    [
        ("build", "stage_begins(s: Any, p: Any, who: int, stage: int)", "stage == 3"),
        ("parley", "talk_begins(s: Any, p: Any, who: int)", "True"),
    ],
)
def test_questions_of_modules_do_not_use_up_the_decisions(game: str, begins: str, first: str, tmp_path: Path) -> None:
    """A build has 20 decisions, a talk few more; those that modules ask for come on top of them."""
    text = ASKS.replace("LEVEL", repr(game)).replace("BEGINS", begins).replace("FIRST", first)
    (tmp_path / "asks.py").write_text(text)
    plain = make_game(f"oneshot-{game}", compiled=False)
    asking = make_game(f"oneshot-{game}", modules={str(tmp_path / "asks.py"): {}}, compiled=False)
    assert asking.spec.max_decisions == plain.spec.max_decisions + 2000
    position, rng, taken = asking.position(seed=3), random.Random(1), 0
    while not position.over:
        for seat in position.to_act():
            position.apply(seat, rng.choice(position.legal(seat)))
            taken += 1
        if position.die():
            position.fall(rng.randrange(position.die()))
    assert position.status == 1, "it has ended, and was not stopped"
    if game == "build":
        assert (taken, plain.spec.max_decisions) == (23, 20)


def test_secrets_before_a_skirmish() -> None:
    """The choices of the other seat are forgotten and dealt again; the dice of the fight are nobody's secret."""
    game = make_game("oneshot-build", "arena", pilot="grid", max_count=30)
    position, rng = game.position(seed=1), random.Random(2)
    for _ in range(4):
        for seat in (0, 1):
            position.apply(seat, rng.choice(position.legal(seat)))
    forgotten = position.forget(0)
    assert (forgotten.record.choice[1] == -1).all() and forgotten.die()
    forgotten.roll(np.array([3], dtype=np.uint64))
    assert forgotten.to_act() == [0, 1] and (forgotten.record.choice[1, :4] >= 0).all()
    assert forgotten.record.choice[0].tolist() == position.record.choice[0].tolist()
    margin = make_game("oneshot-build", "arena", pilot="grid", max_count=30, utility="margin")
    end, *_ = play_on_grid(margin, 5)
    low, high = margin.spec.payoff_range
    assert low <= end.returns()[0] <= high and end.returns().sum() == 0


@pytest.mark.slow
@pytest.mark.parametrize("axe_first", [True, False])
def test_the_grid_comes_near_the_exact_duel(axe_first: bool) -> None:
    """Fighters who begin side by side and always attack: the sampled payoff is that of the chain, within its error."""
    first: dict[str, Any] = {
        "body": 3, "charisma": 2, "strength": 2, "stamina": 1, "base_attack": 1, "base_defence": 2, "aggressive": 2,
        "skills": {"axes": 3}, "weapons": ["axe"], "armour": "leather",
    }  # fmt: skip
    second = {**first, "base_defence": 1, "base_initiative": 1, "skills": {"blades": 4}, "weapons": ["sword"]}
    chars = [normal(char, KIT) for char in ((first, second) if axe_first else (second, first))]
    figures = {
        name: {"team": team, "char": char, "saga_points": 0, "pos": pos}
        for name, team, char, pos in (("one", "red", chars[0], [4, 5]), ("two", "blue", chars[1], [6, 5]))
    }
    game = make_game("oneshot-skirmish", "duel_mirror", figures=figures)
    games = 20_000
    with Match(game, ["brute"], 1) as match:
        payoffs = match.play(Schedule.of(1, np.arange(games), np.zeros((games, 2), dtype=np.int64))).payoffs[:, 0]
    options = check_options(game.spec.options["config"], "skirmish")
    want = exact.duel(chars, options, ["attack", "attack"], options["max_count"])
    assert abs(payoffs.mean() - (want["a"] - want["b"])) < 4 * payoffs.std(ddof=1) / games**0.5
