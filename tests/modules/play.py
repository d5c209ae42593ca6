"""Scenarios for rule modules, random play of them, and what must hold in every position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from probespiel.envs.core.contract import leak_of, problems_of
from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt.system import SYSTEM

Setup = dict[str, Any]

# parameters of every module that lead into its less usual branches; the plain defaults come first
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "swap_card": [{}, {"who": "all", "cost": 0}],
    "open_look": [{}],
    "marked_cards": [{}, {"reorder": True}],
    "after_card": [{}],
    "two_piles": [
        {},
        {"rule": "won_rest", "switch": False},
        {"rule": "red_black"},
        {"rule": "pictures_numbers", "ace_is_picture": False, "switch": False},
        {"rule": "free"},
    ],
    "table_redraw": [{}, {"when": "any_round"}],
    "sleeve": [{}, {"scope": "current_round", "stash": "conflict_end"}],
    "full_hand": [{}],
    "all_in": [{}, {"reply_on_draw": False}],
    "open_cards": [{}],
    "mercy": [
        {},
        {"who": "all", "deck": "npc", "per_conflict": 3, "reshuffle_draw": "minus_one", "start": 6},
        {"timing": "after_draw", "start": 8, "small_redraw": "keep_plus_one"},
        {"small_redraw": "one_only", "start": 8, "deck": "npc", "timing": "after_draw", "who": "all"},
    ],
    "experience": [{}, {"stronger_by": "attribute", "own_picture": 1, "costs": {"table_redraw": 1, "mercy": 2}}],
    "confidence": [{}],
    "incentive": [{}, {"gm_too": True, "odds": {"accord": 0.4, "accord_sacrifice": 0.3, "against_severe": 0.3}}],
    "broad_skills": [{}],
    "point_buy": [{"points": 40}],
    "specialist_buy": [{"points": 120}],
}
NO_MELEE = ("after_card", "all_in")


def _hero(name: str, suits: str, modules: Mapping[str, Any], **more: Any) -> Setup:
    seat: Setup = {"name": name, "kind": "pc", "suits": suits, "relation": "own", "prepared": 3, "open": 1, "traits": 1}
    if "confidence" in modules:
        seat["conf_value"] = 4
    if "experience" in modules:
        seat["xp"] = 9
    return {**seat, **more}


def duel(modules: Mapping[str, Any], **config: Any) -> Setup:
    """A pc with an injury against an npc; the deck of the pc is nearly used up."""
    ada = _hero("Ada", "C", modules, attribute=6, restriction=1)
    if "full_hand" in modules:
        ada["draw"] = ["C7", "SK", "D9", "HQ", "C8", "DA"]
        ada["discard"] = ["H7", "H8", "H9", "SA", "S7", "CJ", "D10"]
    if "sleeve" in modules:
        ada["sleeve"] = "CQ"
    if "confidence" in modules:
        ada["conf"] = ["S10", "HK"]
    foe = {"name": "Foe", "kind": "npc", "cards": 5, "suits": "S", "prepared": 2, "traits": 1}
    if "confidence" in modules:
        foe["conf"] = ["S10", "HK"]
    return {"level": "duel", "config": config, "modules": dict(modules), "seats": [ada, foe]}


def melee(modules: Mapping[str, Any], **config: Any) -> Setup:
    """Two pcs against two npcs."""
    seats = [
        _hero("Ada", "C", modules, attribute=5, team="PC"),
        _hero("Bea", "S", modules, attribute=6, relation="other", team="PC"),
        {"name": "Orc", "kind": "npc", "cards": 4, "suits": "C", "team": "orcs", "open": 2},
        {"name": "Elk", "kind": "npc", "cards": 5, "suits": "", "team": "orcs", "prepared": 1},
    ]
    return {"level": "melee", "config": {"rounds": 2, **config}, "modules": dict(modules), "seats": seats}


def campaign(modules: Mapping[str, Any], conflicts: int = 4, **config: Any) -> Setup:
    """A pc with two attributes against a GM with one deck, two sessions."""
    attributes = {"strength": {"attribute": 6, "suits": "C"}, "wit": {"attribute": 8, "suits": "SD", "skills": 7}}
    ada = _hero("Ada", "", modules, attributes=attributes)
    del ada["suits"]
    gm = {"name": "GM", "kind": "npc", "cards": 4, "suits": "", "prepared": 2, "traits": 0, "voluntary": True}
    gm["risk"] = True
    if "confidence" in modules:
        gm["conf_value"] = 3
    specs = [
        {"seats": {"GM": {"suits": "H"}}},
        {"seats": {"Ada": {"test": "wit", "relation": "none", "open": 0}, "GM": {"cards": 7, "open": 2}}},
        {"new_session": True, "lethal": True, "seats": {"Ada": {"test": "strength", "traits": 0, "prepared": 5}}},
        {"seats": {"Ada": {"test": "wit", "forbidden": "red", "relation": "other"}, "GM": {"suits": "CS"}}},
    ]
    return {
        "level": "campaign",
        "config": {"heal_per_conflict": 2, **config},
        "modules": dict(modules),
        "seats": [ada, gm],
        "conflicts": [dict(specs[i % 4]) for i in range(conflicts)],
    }


LEVELS: dict[str, Callable[..., Setup]] = {"duel": duel, "melee": melee, "campaign": campaign}


def make(setup: Setup, compiled: bool = False) -> Game:
    """The game of a setup."""
    return Game(SYSTEM.spec_of_setup(setup), compiled)


def check(position: Position) -> None:
    """Everything that holds between two decisions."""
    wrong = problems_of(position, SYSTEM.invariants)
    assert not wrong, "; ".join(wrong)


def check_forget(position: Position, seat: int, seed: int) -> None:
    """What a seat cannot know is forgotten for good, and dealing it again changes nothing that the seat sees."""
    leak = leak_of(position, seat, seed)
    assert leak is None, leak


def play_random(
    game: Game, seed: int, forget: bool = False, watch: Callable[[Position], None] | None = None
) -> tuple[Position, int]:
    """One random game, checked at every step; returns its last position and the number of decisions."""
    rng = np.random.default_rng(seed)
    position = game.position(seed)
    decisions = 0
    try:
        while not position.over:
            check(position)
            if watch:
                watch(position)
            seats = position.to_act()
            seat = int(rng.choice(seats))
            if forget:
                check_forget(position, seat, decisions)
            position.apply(seat, int(rng.choice(position.legal(seat))))
            position.roll()
            decisions += 1
            assert decisions < 2000, "the game does not end"
    except AssertionError as error:
        where = f"seed {seed}, decision {decisions}, phase {position.phase()}, modules {game.spec.options['modules']}"
        raise AssertionError(f"{where}: {error}") from error
    check(position)
    return position, decisions


def unlike(modules: Mapping[str, Any]) -> dict[str, Any]:
    """The modules without those that exclude another one of them."""
    return {n: v for n, v in modules.items() if not (n == "specialist_buy" and "point_buy" in modules)}


def share(setup: Setup) -> Setup:
    """The setup with one deck for all: nobody's piles and zones are given."""
    for seat in setup["seats"]:
        for field in ("draw", "discard", "sleeve", "conf"):
            seat.pop(field, None)
    setup["config"]["deck"] = "shared_all"
    return setup


def variants(level: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every module of a level with every variant of its parameters."""
    for name, given in VARIANTS.items():
        if level != "melee" or name not in NO_MELEE:
            for params in given:
                yield name, params


def small(modules: Mapping[str, Any], **config: Any) -> Setup:
    """A duel of tiny decks, in which the same information comes about again and again."""
    setup = duel(modules, **{"rounds": 2, **config})
    ada, foe = setup["seats"]
    ada.update(attribute=4, draw=["C7", "SK", "D9", "HQ", "CA"], discard=["H7", "H9"])
    foe.update(cards=3, draw=["S7", "SQ", "DK", "CA"], discard=["H8", "D10"])
    if "mercy" in modules:
        setup["wrath"] = {"cards": ["C7"], "draw": ["SK", "H7", "S8"]}
        if modules["mercy"].get("deck") == "npc":
            setup["wrath"] = {"cards": ["C7"]}
    if "incentive" in modules:
        ada["aside"] = ["CK", "DA", "C8"]
    return setup


def small_campaign(modules: Mapping[str, Any], **config: Any) -> Setup:
    """Two conflicts of tiny decks, the second one in another session."""
    setup = small(modules, rounds=1, heal_per_session=3, **config)
    setup["level"] = "campaign"
    for seat in setup["seats"]:
        seat["voluntary"] = seat["risk"] = True
        if "confidence" in modules:
            seat["conf_value"] = 2
    second = {"Ada": {"traits": 0, "prepared": 2}, "Foe": {"cards": 2, "open": 1, "traits": 0}}
    setup["conflicts"] = [{}, {"new_session": True, "seats": second}]
    return setup


def check_information(game: Game, games: int, seed: int = 0) -> int:
    """Positions of the same key look the same, offer the same, are forgotten to the same; returns their number."""
    rng = np.random.default_rng(seed)
    known: dict[tuple[int, int], tuple[np.ndarray, list[int], bytes, str]] = {}
    again = 0
    for number in range(games):
        position = game.position(number)
        story = []
        while not position.over:
            seat = position.to_act()[0]
            key = (seat, position.key(seat))
            now = (position.observe(seat), position.legal(seat), position.forget(seat).to_bytes(), str(story))
            before = known.setdefault(key, now)
            if before is not now:
                again += 1
                pieces = game.layout.pieces
                bad = np.flatnonzero(before[0] != now[0])
                names = sorted({[p.name for p in pieces if game.layout.offsets[p.name] <= i][-1] for i in bad})
                assert not names, f"same key, other observation in {names}: {before[3]} and {now[3]}"
                assert before[1] == now[1], f"same key, other legal actions: {before[3]} and {now[3]}"
                assert before[2] == now[2], f"same key, other hidden state: {before[3]} and {now[3]}"
            action = int(rng.choice(position.legal(seat)))
            story.append(f"{seat} {position.phase()} {game.actions.codes[action]}")
            position.apply(seat, action)
            position.roll()
    return again
