"""Random set-ups of konfrontation, in the form of the oracle and in that of the parameters, and play in step."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from probespiel.envs.core.game import Position
from tests.naive.konfrontation import NATURES, NaiveKonfrontation

CHOICES: dict[str, list[Any]] = {
    "max_ties": [1, 2, 3, 10], "draw_votes": [True, False], "run_home_cost": [0, 1, 3],
    "run_home_targets": ["units", "characters"], "undefended_target": ["target", "none"],
    "nature_multiplier": [1, 2, 3, 4], "support_doubling": ["whole", "base"],
    "support_bonus_counts": ["extra", "all_turns"], "support_nonmatching": ["handover", "protected"],
    "destroyed_resource_pays": [True, False], "min_loot": [0, 1, 5], "power_spoils": [0, 2, 10],
    "demand_scope": ["involved", "any"], "spoils_chooser": ["winner", "loser"], "power_cap": [1, 4, 20],
    "hidden_power": [True, False], "other_points": [0, 2], "other_cost": [0, 3], "w_power": [0, 1, 0.5],
    "w_cp": [2, 1.25], "w_unit": [3, 0], "w_other": [1, 7], "actions_per_turn": [1, 2, 3],
    "rotate_first": [True, False], "gather_amount": [0, 2, 5], "recruit_cost": [0, 2], "resource_max_turns": [1, 2, 3],
    "project_interrupt": ["pause", "locked", "lost"], "victory": ["control_points", "power", "net_worth"],
    "cp_goal": [None, 3, 6], "utility": ["win_loss", "margin"], "turns": [1, 3, 8, 20],
    "start_resources": [[], [1], [3, 2, 1], [1] * 8], "random_natures": [True, False],
    "start_characters": [list(NATURES), ["combative"] * 8, []],
    "allowed_types": [list(NATURES), ["social"], ["shady", "combative"]],
}  # fmt: skip


def random_options(rng: random.Random, mode: str) -> dict[str, Any]:
    """About a third of the options away from their defaults."""
    out: dict[str, Any] = {"mode": mode}
    for name, values in CHOICES.items():
        if rng.random() < 0.35:
            out[name] = rng.choice(values)
    cap = out.get("power_cap", 20)
    out["start_power"] = rng.randint(0, min(cap, rng.choice([1, 4, 20])))
    targets = ["unit", "resource", "power", "other"]
    if rng.random() < 0.3:
        out["allowed_targets"] = rng.sample(targets, rng.randint(1, 4))
    if mode == "campaign":
        out["n_factions"] = n = rng.randint(2, 5)
        out["first_seat"] = rng.choice(["random", *range(n)])
        if rng.random() < 0.3:
            kinds = ["gather", "recruit", "resource", "support", "attack"]
            out["allowed_actions"] = rng.sample(kinds, rng.randint(0, 5))
    return out


def random_faction(rng: random.Random, cap: int, full: bool) -> dict[str, Any]:
    """Holdings in the oracle's form."""
    most = (8, 4, 8) if full else (3, 2, 2)
    return {
        "power": rng.randint(0, min(cap, rng.choice([2, 6, 20]))),
        "characters": rng.choices(NATURES, k=rng.randint(0, most[0])),
        "supports": [(rng.choice(NATURES), rng.randint(1, 3)) for _ in range(rng.randint(0, most[1]))],
        "resources": [rng.randint(1, 3) for _ in range(rng.randint(0, most[2]))],
    }


def labelled(faction: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The same holdings as parameters, labels from the slots."""
    units: dict[str, Any] = {f"{prefix}c{i}": ["character", n] for i, n in enumerate(faction["characters"])}
    units |= {f"{prefix}s{i}": ["support", n, e] for i, (n, e) in enumerate(faction["supports"])}
    resources = {f"{prefix}r{i}": size for i, size in enumerate(faction["resources"])}
    return {"power": faction["power"], "units": units, "resources": resources}


def random_setup(rng: random.Random, mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """(set-up of the oracle, parameters) of one random game."""
    options = random_options(rng, mode)
    naive: dict[str, Any] = {"options": options}
    config = dict(options)
    if mode == "clash" or rng.random() < 0.6:
        n = options.get("n_factions", 2)
        cap, full = options.get("power_cap", 20), rng.random() < 0.2
        factions = [random_faction(rng, cap, full) for _ in range(n)]
        naive["factions"] = factions
        config["factions"] = {"ABCDE"[i]: labelled(f, "abcde"[i]) for i, f in enumerate(factions)}
    if mode == "clash":
        attacker = rng.randrange(2)
        naive["attacker"], config["attacker"] = attacker, "AB"[attacker]
        if not naive["factions"][attacker]["characters"]:
            return random_setup(rng, mode)
        options["stage"] = config["stage"] = rng.choice(["full", "defence", "bid"])
        found = _random_attack(rng, naive) if options["stage"] != "full" else {}
        if found is None or not NaiveKonfrontation(_full(naive)).legal(attacker):
            return random_setup(rng, mode)
        if found:
            naive["attack"] = found
            config["attack"] = _labelled_attack(found, attacker)
    return naive, config


def _full(naive: dict[str, Any]) -> dict[str, Any]:
    return {**naive, "options": {**naive["options"], "stage": "full"}}


def _random_attack(rng: random.Random, naive: dict[str, Any]) -> dict[str, Any] | None:
    """A random legal declaration and defence, found by playing them."""
    game = NaiveKonfrontation(_full(naive))
    while game.phase in ("DECL_FACTION", "DECL_TARGET", "DECL_TYPE", "DECL_COMMIT", "EVADE", "DEFEND"):
        seat = game.to_act()[0]
        legal = game.legal(seat)
        if not legal:
            return None
        game.act(seat, 55 if game.phase == "EVADE" else rng.choice(legal))
    c = game.conf
    assert c
    return {
        "faction": c["defender"], "target": c["target"], "type": c["type"], "commit": list(c["commit"][0]),
        "defence": list(c["commit"][1]),
    }  # fmt: skip


def _labelled_attack(attack: dict[str, Any], attacker: int) -> dict[str, Any]:
    mine, theirs = "ab"[attacker], "ba"[attacker]
    letters = {"character": "c", "support": "s", "resource": "r"}

    def label(prefix: str, item: tuple[str, int]) -> str:
        return f"{prefix}{letters[item[0]]}{item[1]}"

    kind, _ = attack["target"]
    target: dict[str, Any] = {"kind": {"character": "unit", "support": "unit"}.get(kind, kind)}
    if kind in letters:
        target["name"] = label(theirs, attack["target"])
    return {
        "faction": "BA"[attacker],
        "target": target,
        "type": attack["type"],
        "commit": [label(mine, u) for u in attack["commit"]],
        "defence": [label(theirs, u) for u in attack["defence"]],
    }


def compare(position: Position, naive: NaiveKonfrontation, watcher: int) -> None:
    """Position and oracle agree on who may do what, on stocks and payoffs, and on what the watcher sees."""
    assert position.die() == naive.die()
    seats = naive.to_act()
    assert position.to_act() == seats
    assert not seats or position.phase() == naive.phase.lower()
    for seat in range(naive.n):
        assert position.legal(seat) == naive.legal(seat), (position.phase(), seat)
    np.testing.assert_allclose(position.observe(watcher), np.array(naive.observe(watcher), np.float32), atol=1e-6)
    assert position.over == (naive.phase == "OVER" and not naive.due)
    np.testing.assert_allclose(position.returns(), naive.returns(), atol=1e-9)
    s = position.record
    for f, faction in enumerate(naive.factions):
        assert (s.power[f], s.special[f], s.bonus[f]) == (faction.power, faction.special, faction.bonus)


def play_in_step(position: Position, naive: NaiveKonfrontation, rng: random.Random) -> int:
    """Play both by the same random choices, comparing all the way; decisions taken."""
    decisions = 0
    compare(position, naive, rng.randrange(naive.n))
    while not position.over:
        while faces := naive.die():
            outcome = rng.randrange(faces)
            position.fall(outcome)
            naive.fall(outcome)
            compare(position, naive, rng.randrange(naive.n))
        if position.over:
            break
        seat = rng.choice(naive.to_act())
        legal = naive.legal(seat)
        # bids near each other, so that ties happen
        action = rng.choice(legal[:3] if naive.phase == "BID" and rng.random() < 0.7 else legal)
        if 22 in legal and rng.random() < 0.3:
            action = 22
        position.apply(seat, action)
        naive.act(seat, action)
        decisions += 1
        compare(position, naive, rng.randrange(naive.n))
    return decisions


__all__ = ["NaiveKonfrontation", "compare", "play_in_step", "random_setup"]
