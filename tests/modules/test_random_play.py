"""Random play of rule modules, alone, in pairs and in stacks: invariants E7, forgetting and dealing again, length."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.envs.core.batch import Batch
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.modules import built_in, load_module
from probespiel.envs.core.modules.check import Fields, check_source, source_of
from probespiel.envs.core.modules.load import complete
from probespiel.envs.core.registry import system, system_names
from probespiel.envs.einblatt.system import SYSTEM

from . import play

EXAMPLES = [  # those of other systems are tried in test_powers.py
    path
    for path in sorted((Path(__file__).parents[2] / "examples" / "modules").glob("*.py"))
    if "envs.einblatt" in path.read_text(encoding="utf-8")
]
ALONE = [(level, name, params) for level in play.LEVELS for name, params in play.variants(level)]
PAIRS = [
    (level, pair)
    for level in play.LEVELS
    for pair in combinations(play.VARIANTS, 2)
    if pair != ("point_buy", "specialist_buy") and not (level == "melee" and set(pair) & set(play.NO_MELEE))
]
CAMPAIGN = ("sleeve", "full_hand", "experience", "confidence", "incentive")  # they act between conflicts
LONGEST = 320  # decisions a conflict (4.5)


def quick(level: str, name: str, params: dict[str, Any]) -> Any:
    """A case for every run if it is a duel or has default parameters in a campaign; the others are slow."""
    plain = level == "duel" or (level == "campaign" and params == play.VARIANTS[name][0])
    return pytest.param(level, name, params, marks=() if plain else pytest.mark.slow)


@pytest.mark.parametrize(("level", "name", "params"), [quick(*case) for case in ALONE])
def test_alone(level: str, name: str, params: dict[str, Any]) -> None:
    """Every module with every variant of its parameters."""
    game = play.make(play.LEVELS[level]({name: params}))
    play.play_random(game, 1, forget=True)


def exclude_each_other(pair: tuple[str, str]) -> bool:
    """Whether two modules cannot be active together."""
    declared = {name: load_module(SYSTEM.interface, name)[0] for name in pair}
    return any(other in declared[name].conflicts for name in pair for other in pair)


@pytest.mark.parametrize("name", list(play.VARIANTS))
def test_every_pair(name: str) -> None:
    """Every pair of modules that may be active together keeps E7, in a campaign where one of them lives from it."""
    for other in list(play.VARIANTS)[: list(play.VARIANTS).index(name)]:
        pair = (other, name)
        if exclude_each_other(pair):
            with pytest.raises(RulesetError, match="cannot be active together"):
                play.make(play.duel({n: play.VARIANTS[n][0] for n in pair}))
            continue
        level = "campaign" if set(pair) & set(CAMPAIGN) else "duel"
        modules = {n: play.VARIANTS[n][-1] for n in pair}
        play.play_random(play.make(play.LEVELS[level](modules)), len(name))


@pytest.mark.slow
@pytest.mark.parametrize(("level", "pair"), PAIRS)
def test_pairs(level: str, pair: tuple[str, str]) -> None:
    """Every pair of modules that may be active together, in either order."""
    for seed in range(2):
        names = pair if seed else pair[::-1]
        modules = {n: play.VARIANTS[n][seed % len(play.VARIANTS[n])] for n in names}
        play.play_random(play.make(play.LEVELS[level](modules)), seed, forget=True)


CONFIGS: list[dict[str, Any]] = [
    {},
    {"layout": "slots"},
    {"max_tests": 2, "continue_by": "always", "continuation_draw": "top_up", "penalty_timing": "test"},
    {"max_tests": 2, "continuation_draw": "keep", "discard_visibility": "public"},
    {"deck": "shared_npc", "reshuffle_timing": "on_demand"},
    {"deck": "shared_all", "npc_trump_hidden": True},
    {"reshuffle": "each_test", "window_order": "attribute", "npc_restrictions": True},
    {"reshuffle": "on_session", "window_order": "reverse", "npc_trump_hidden": True},
    {"unused_round_card": "return", "initiative_tie": "random", "reaction_decline": "lose", "wait_mode": "forfeit"},
    {"colours_count": False, "initiative_tie": "seat", "npc_trump_hidden": True},
]


def stack(number: int) -> Game:
    """A random stack of modules with random parameters and options."""
    choose = random.Random(number)
    level = choose.choice(list(play.LEVELS))
    names = [n for n in play.VARIANTS if level != "melee" or n not in play.NO_MELEE]
    chosen = choose.sample(names, choose.choice([2, 3, 4, 6, 10, len(names)]))
    modules = play.unlike({n: choose.choice(play.VARIANTS[n]) for n in chosen})
    config = {**choose.choice(CONFIGS), **choose.choice(CONFIGS)}
    if level == "melee":
        config.pop("layout", None)
    setup = play.LEVELS[level](modules, **config)
    if config.get("deck") == "shared_all":
        play.share(setup)
    if level == "campaign" and "layout" not in config and number % 3 == 0:
        for conflict in setup["conflicts"]:
            conflict["conflict_level"] = choose.choice(["duel", "melee"])
    return play.make(setup)


def play_stack(number: int) -> None:
    """One game of a stack, within the length that the specification states."""
    game = stack(number)
    _, decisions = play.play_random(game, number, forget=True)
    assert decisions <= LONGEST * int(game.params.conflicts)


@pytest.mark.parametrize("number", range(8))
def test_stacks(number: int) -> None:
    """Random stacks under random options."""
    play_stack(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8, 160))
def test_many_stacks(number: int) -> None:
    """More of them."""
    play_stack(number)


SECRETS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"marked_cards": {"reorder": True}}, {}),
    ({"two_piles": {"rule": "free"}}, {}),
    ({"confidence": {}, "full_hand": {}}, {"layout": "slots"}),
    ({"mercy": {"timing": "after_draw", "start": 8}}, {}),
    ({"sleeve": {}, "after_card": {}}, {"npc_trump_hidden": True}),
]


@pytest.mark.parametrize(("modules", "config"), SECRETS)
def test_same_information(modules: dict[str, Any], config: dict[str, Any]) -> None:
    """The key of a seat stands for all that it knows, and for nothing that it does not know."""
    assert play.check_information(play.make(play.small(modules, **config)), 30) > 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "config", [{}, {"layout": "slots"}, {"reshuffle_timing": "on_demand", "npc_trump_hidden": True}]
)
@pytest.mark.parametrize(("name", "params"), list(play.variants("duel")))
def test_same_information_in_campaigns(name: str, params: dict[str, Any], config: dict[str, Any]) -> None:
    """The same over two sessions, and with a second module."""
    modules = {name: params}
    play.check_information(play.make(play.small_campaign(modules, **config)), 60)
    other = list(play.VARIANTS)[len(name) % 5]
    play.check_information(
        play.make(play.small(play.unlike({**modules, other: play.VARIANTS[other][0]}), **config)), 60
    )


@pytest.mark.parametrize("of", system_names())
def test_built_in_modules_pass_the_checks_of_outside_ones(of: str) -> None:
    """They use the interface that an outside author has, and nothing else."""
    interface = system(of).interface
    for name in built_in(interface):
        module, source = load_module(interface, name)
        if of == "einblatt":
            level = next(level for level in module.levels or () if level in play.LEVELS)
            sources = play.make(play.LEVELS[level]({name: play.VARIANTS[name][0]})).spec.sources
        else:
            sources = system(of).spec(system(of).games[0], None, {}, {name: {}}).sources
        fields = Fields(sources.state.names or (), sources.params.names or ())
        check_source(source, source_of(source), fields, sources.constants, sources.files)
        complete(module, source)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_sample_modules(path: Path) -> None:
    """The samples are short and sound, alone and together with built-in modules."""
    lines = [x for x in path.read_text(encoding="utf-8").splitlines() if x.strip() and not x.strip().startswith("#")]
    assert len(lines) < 40
    for level in play.LEVELS:
        extra = {"full_hand": {}, "two_piles": {}, "table_redraw": {}} if level == "campaign" else {}
        setup = play.LEVELS[level](extra)
        setup["modules"] = {str(path): {}, **extra}
        play.play_random(play.make(setup), 1, forget=True)
    setup = play.small({})
    setup["modules"] = {str(path): {}}
    play.check_information(play.make(setup), 10)


@pytest.mark.slow
@pytest.mark.parametrize("level", list(play.LEVELS))
def test_everything_compiled(level: str) -> None:
    """All modules that go together, compiled: no game gets stuck, and the interpreted rules do exactly the same."""
    modules = {name: given[0] for name, given in play.VARIANTS.items()}
    modules = {n: v for n, v in play.unlike(modules).items() if level != "melee" or n not in play.NO_MELEE}
    setup = play.LEVELS[level](modules)
    fast, slow = play.make(setup, compiled=True), play.make(setup)
    assert fast.kernel.compiled
    played = Batch(fast, 500).play_random(40)
    assert played.stuck == 0
    assert played.stopped == 0
    assert played.decisions <= played.games * LONGEST * int(fast.params.conflicts)
    for seed in range(3):
        one, two = fast.position(seed), slow.position(seed)
        rng = np.random.default_rng(seed)
        while not one.over:
            seat = one.to_act()[0]
            action = int(rng.choice(one.legal(seat)))
            assert two.legal(seat) == one.legal(seat)
            assert np.array_equal(one.observe(seat), two.observe(seat))
            assert one.forget(seat).to_bytes() == two.forget(seat).to_bytes()
            for position in (one, two):
                position.apply(seat, action)
                position.roll()
            assert one.to_bytes() == two.to_bytes()
