"""What a seat of Scorekeeper may know (4.8): the observation of the kernel against the oracle and a book of its rolls.

The book stands on the oracle alone. It leaves out what `private_sheets` hides of the other team: values, care, damage
bonus, fate, capacities, reserve, armour, and the target values of its rolls.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.naive.scorekeeper import ARMS, CHECKS, ZONES, Man
from tests.naive.scorekeeper_random import Pair, game_of_setup, random_setup

STATUS = ("able", "unconscious", "trauma", "struggle", "stabilised", "dead")
DECLARED = ("not yet", "none", "pass", "full_defence", "reload", "advance", "retreat", "aid", "melee", "run", "shoot")
PHASES = ("declare", "forgo", "react", "counter", "fate_reroll", "fate_reduce")
ROLLS = ("reaction", "attack", "zone", "damage", "save", "parry", "shock", "duration", "death", "first_aid")


def flags(size: int, *places: int) -> list[float]:
    """Ones at some places."""
    return [float(i in places) for i in range(size)]


class Watched(Pair):
    """Both fights, and what everybody has seen of the last check: who threw, what fell, which value it had to beat."""

    last: Mapping[str, Any] = {}

    def answer(self, rng: random.Random) -> None:
        """A random answer for both; a check that falls is written down."""
        request = self.request
        super().answer(rng)
        if request is not None and "roll" in request:
            self.last = request

    def rows(self, me: Man) -> dict[str, Man]:
        """Who stands in which block: oneself, the mates, the enemies, in the order of the seats."""
        mates = [m for m in self.fight.side(me.team) if m is not me]
        named = {"self": me, **{f"mate{i + 1}": m for i, m in enumerate(mates)}}
        return {**named, **{f"enemy{i + 1}": m for i, m in enumerate(self.fight.foes(me))}}

    def person(self, me: Man, man: Man) -> dict[str, list[float]]:
        """What `me` may know of a fighter."""
        fight, rules = self.fight, self.fight.rules
        rows = list(self.rows(me).items())
        told = 1.0 if man.team == me.team or not rules["private_sheets"] else 0.0
        gun, field = man.gun, rules["field_length"]
        arms = ARMS[man["melee"]]
        blocks = ["self", *[f"mate{i}" for i in (1, 2, 3)], *[f"enemy{i}" for i in (1, 2, 3, 4)]]
        word, *rest = ("not yet" if man.declared is None else man.declared).split(":")
        target = [blocks.index(name) for name, other in rows if rest and other.name == rest[0]]
        zone = [(["any", *ZONES]).index(rest[1]) if len(rest) > 1 else 0] if rest else []
        armour = [fight.armour(man, zone) for zone in ZONES]
        out: dict[str, list[float]] = {
            "who": [1, man is me, man is not me and man.team == me.team, man.team != me.team],
            "nature": [man["surprised"], man.person],
            "status": flags(6, STATUS.index(fight.status(man))),
            "awake": [max(0, man.asleep_until - fight.round + 1) / 10],
            "values": [told * man[n] / 20 for n in ("wah", "agl", "res", "wil", "melee_skill", "ranged_skill")],
            "care": [told * man[name] / 30 for name in ("first_aid", "magic_resistance")],
            "modifiers": [told * man["damage_bonus"] / 20, man["reaction_mod"] / 20, man["roll_mod"] / 20],
            "fate": [told * man.fate / 10],
            "wounds": [man.count[n] / man.limit[n] for n in ("KR", "LW", "SW")]
            + [told * man.limit[n] / 10 for n in ("KR", "LW", "SW")],
            "lethal": [man.count["TW"] / 5, man["tw_capacity"] / 5, man.bleeding / 5],
            "penalty": [fight.penalty(man, "attack") / 20, man.head_extra / 10, man.death_rolls / 20],
            "place": [man.place / field, (man.place - me.place) / field],
            "flags": [man.acted, man.defending, man.no_saves, man.action_lost, man.forfeited, man.skip_next],
            "blows": [man.parries / 8, man.counters / 8],
            "declared_target": flags(8, *target),
            "declared_zone": flags(8, *zone),
            "melee_weapon": [arms["n"] / 5, arms["d"] / 20, arms.get("electric", False)],
            "ranged_weapon": [0.0] * 11,
            "armour": [told * hard / 10 for hard, _ in armour] + [told * soft / 10 for _, soft in armour],
        }
        if word != "not yet":
            out["declared"] = flags(11, DECLARED.index(word))
        if gun:
            out["ranged_weapon"] = [
                1, gun["n"] / 5, gun["d"] / 20, gun["range"] / 60, man.loaded / 20, gun["mag"] / 20,
                told * man.reserve / 20, man.jammed, man.broken, gun.get("magic", False), gun.get("bonus", False),
            ]  # fmt: skip
        return out

    def look(self, seat: int) -> None:
        """Compare what a seat sees with what it may know."""
        fight, me = self.fight, self.fight.men[seat]
        seen = self.position.game.layout.view(self.position.observe(seat))
        request = self.request
        assert request is not None and "decide" in request
        book = {f"{row}.{n}": v for row, man in self.rows(me).items() for n, v in self.person(me, man).items()}
        rounds = fight.rules["max_rounds"]
        book |= {
            "phase": flags(6, PHASES.index(request["phase"])),
            "clock": [fight.round / rounds, (rounds - fight.round) / rounds],
            "field": [fight.rules["field_length"] / 200],
        }
        for name, man in self.rows(me).items():
            if man.reaction is not None:
                np.testing.assert_allclose(seen[f"{name}.reaction"][0], np.clip(man.reaction / 40, -1, 1), atol=1e-6)
        if self.last:
            book["roll"] = flags(10, ROLLS.index(self.last["roll"]))
            thrower = fight.man(self.last["who"])
            if fight.rules["private_sheets"] and thrower.team != me.team:
                assert seen["dice"][1] == 0, "the target value of an enemy's check"
            elif self.last["roll"] in CHECKS:
                expected = np.clip(self.last["target"] / 30, -1, 1)
                np.testing.assert_allclose(seen["dice"][1], expected, atol=1e-6)
        for name, value in book.items():
            given = np.clip(np.array(value, dtype=float), -1, 1)
            np.testing.assert_allclose(seen[name], given, atol=1e-6, err_msg=f"{name} of seat {seat}")
        present = self.rows(me)
        for name, value in seen.items():  # nothing is told of seats that nobody has
            if "." in name and name.split(".")[0] not in present:
                assert not value.any(), name


def look_around(seeds: range, private: bool) -> int:
    """Random fights, at every decision what a random seat sees; how often somebody looked."""
    looks = 0
    for seed in seeds:
        rng = random.Random(seed)
        setup = random_setup(rng, duel=seed % 4 > 0)
        setup["config"] |= {"private_sheets": private, "max_rounds": 4}
        pair = Watched(game_of_setup(setup, compiled=False), setup)
        while pair.request is not None:
            if "decide" in pair.request:
                # after a check everybody looks: whether its value is told depends on who threw
                everybody = range(len(pair.fight.men))
                for seat in (rng.choice(everybody),) if pair.request["phase"] == "declare" else everybody:
                    pair.look(seat)
                    looks += 1
            pair.answer(rng)
    return looks


@pytest.mark.parametrize("private", [False, True])
def test_a_fighter_knows_what_it_has_seen(private: bool) -> None:
    assert look_around(range(5), private) > 15


@pytest.mark.slow
@pytest.mark.parametrize("private", [False, True])
def test_in_many_fights(private: bool) -> None:
    assert look_around(range(100, 140), private) > 300
