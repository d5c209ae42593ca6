"""Random fights of Scorekeeper: setups, and the kernel beside the plain oracle with the same dice, step by step."""

from __future__ import annotations

import random
from typing import Any

from probespiel.envs.core.game import Game
from probespiel.envs.scorekeeper.armoury import ARMOUR, MELEE_WEAPONS, RANGED_WEAPONS
from probespiel.envs.scorekeeper.system import SYSTEM
from probespiel.envs.scorekeeper.verify import View
from tests.naive.scorekeeper import CHECKS, DEFAULTS, Fight

ZONES = ["right_leg", "left_leg", "abdomen", "chest", "right_arm", "left_arm", "head"]
CHOICES: dict[str, list[Any]] = {
    "victory": ["incapacitated", "death", "first_blood"],
    "first_blood_class": ["KR", "LW", "SW", "TW"],
    "utility": ["win", "margin", "survival"],
    "draw_rule": ["zero", "margin"],
    "tie_break": ["random", "base"],
    "counter_rule": ["off", "declared", "half", "any"],
    "fumble_on": [0, 20],
    "ranged_fumble": ["none", "jam", "break", "ally"],
    "hard_vs_bonus": ["unaffected", "needs_die", "as_die"],
    "half_shock_rounding": ["up", "down"],
    "hazard_effect": ["lose_action", "unconscious"],
    "bleeding": ["off", "scratch"],
    "death_roll_start": ["same_round", "next_round"],
    "fate_scope": ["own", "involved"],
    "fate_ask": ["key", "always"],
}
NUMBERS: dict[str, tuple[int, int]] = {
    "surprise_penalty": (0, 20),
    "run_factor": (1, 6),
    "full_run_modifier": (-4, 4),
    "full_run_damage_bonus": (0, 4),
    "parry_limit": (0, 2),
    "declared_defence_bonus": (0, 4),
    "counter_modifier": (-4, 4),
    "counters_per_round": (1, 3),
    "range_mod_medium": (-5, 0),
    "range_mod_long": (-8, 0),
    "capacity_divisor": (1, 6),
    "capacity_base": (0, 2),
    "kr_capacity_extra": (0, 2),
    "head_sw_extra_penalty": (0, 5),
    "tw_penalty": (0, 6),
    "hazard_penalty": (0, 8),
    "death_first_penalty": (0, 3),
    "death_step": (0, 3),
}
FLAGS = [name for name, value in DEFAULTS.items() if isinstance(value, bool)]


def random_config(rng: random.Random, spread: float) -> dict[str, Any]:
    """Options, each changed with chance `spread`."""
    out: dict[str, Any] = {"max_rounds": rng.randint(3, 14), "field_length": rng.choice([1, 2, 5, 12, 30, 60])}
    for name, values in CHOICES.items():
        if rng.random() < spread:
            out[name] = rng.choice(values)
    for name, (low, high) in NUMBERS.items():
        if rng.random() < spread:
            out[name] = rng.randint(low, high)
    for name in FLAGS:
        if rng.random() < spread:
            out[name] = rng.random() < 0.5
    for name, words in (
        ("fate_reroll_rolls", DEFAULTS["fate_reroll_rolls"]),
        ("wound_penalty_rolls", ["attack", "parry", "save", "first_aid", "reaction", "shock"]),
    ):
        if rng.random() < spread:
            out[name] = [word for word in words if rng.random() < 0.5]
    return out


def random_fighter(rng: random.Random, name: str, team: str, config: dict[str, Any]) -> dict[str, Any]:
    """A fighter; now and then a machine, a tough beast, or somebody who is hurt already."""
    out: dict[str, Any] = {"name": name, "team": team, "position": rng.randint(0, config["field_length"])}
    for value in ("wah", "agl", "res", "wil"):
        out[value] = rng.randint(2, 12)
    for skill in ("melee_skill", "ranged_skill"):
        out[skill] = rng.randint(0, 12)
    out["first_aid"] = rng.randint(0, 20)
    out["damage_bonus"] = rng.randint(-2, 6)
    out["fate"] = rng.choice([0, 0, 0, 1, 2, 4])
    out["melee"] = rng.choice(MELEE_WEAPONS)
    out["ranged"] = rng.choice([None, *RANGED_WEAPONS])
    out["armour"] = [piece for piece in ARMOUR if rng.random() < 0.25]
    for field, chance, low, high in (
        ("reaction_mod", 0.2, -15, 5),
        ("roll_mod", 0.2, -4, 4),
        ("tw_capacity", 0.15, 1, 3),
        ("magic_resistance", 0.2, 0, 20),
    ):
        if rng.random() < chance:
            out[field] = rng.randint(low, high)
    if rng.random() < 0.15:
        out["surprised"] = True
    if rng.random() < 0.15:
        out["kind"] = rng.choice(["vehicle", "aircraft", "ship"])
    if rng.random() < 0.4:
        each = max(1, config.get("capacity_base", 1) + out["res"] // config.get("capacity_divisor", 3))
        top = {"kr": each + config.get("kr_capacity_extra", 1), "lw": each, "sw": each}
        out["wounds"] = {name: rng.randrange(limit) for name, limit in top.items()}
        out["bleeding"] = rng.randint(0, out["wounds"]["sw"])
    if out["ranged"] and rng.random() < 0.3:
        out["loaded"] = 0
    return out


def random_events(rng: random.Random, names: list[str]) -> list[dict[str, Any]]:
    """A few scripted events."""
    out = []
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        event = {"round": rng.randint(1, 3), "fighter": rng.choice(names)}
        event["kind"] = rng.choice(["wound", "fall", "electric", "ordeal", "trauma"])
        if event["kind"] == "wound" or (event["kind"] == "fall" and rng.random() < 0.7):
            event["wound"] = rng.choice(["KR", "LW", "SW", "TW"])
            event["zone"] = rng.choice([None, *ZONES])
        out.append(event)
    return out


def random_setup(rng: random.Random, duel: bool = False) -> dict[str, Any]:
    """A setup; half of them near the defaults."""
    config = random_config(rng, rng.choice([0.08, 0.3]))
    fighters: list[dict[str, Any]] = []
    for team in rng.choice(["ab", "ba"]):
        for i in range(1 if duel else rng.randint(1, 4)):
            fighters.append(random_fighter(rng, f"{team}{i}", team, config))
    if rng.random() < 0.5:
        rng.shuffle(fighters)
    return {"config": config, "events": random_events(rng, [f["name"] for f in fighters]), "fighters": fighters}


def game_of_setup(setup: dict[str, Any], compiled: bool = True) -> Game:
    """The kernel's game."""
    return Game(SYSTEM.spec_of_setup(setup), compiled)


class Pair:
    """One fight in the kernel and in the oracle."""

    def __init__(self, game: Game, setup: dict[str, Any]) -> None:
        self.view = View(game)
        self.position = game.position()
        self.fight = Fight(setup)
        self.steps = self.fight.play()
        self.request: dict[str, Any] | None = next(self.steps, None)

    def compare(self) -> None:
        """Both must ask for the same and show the same."""
        have, want = self.view.request(self.position), self.request
        if want is None or have is None:
            assert want is have
        else:
            want = dict(want)
            if "legal" in want:
                want["legal"] = sorted(want["legal"])
            if have.get("roll") in CHECKS:
                assert "target" in want
            if "tie" in have:
                assert sorted(have["tie"]) == sorted(want["tie"])
            else:
                assert have == want
        record, fight = self.position.record, self.fight
        assert record.round_no == fight.round
        winner = fight.winner
        assert (None, "a", "b", "draw")[int(record.result)] == winner
        for f, man in enumerate(fight.men):
            for name, value in fight.sheet(man).items():
                assert self.view.field(record, f, name) == value, (man.name, name)
        if winner is not None:
            returns = self.position.returns()
            for f, man in enumerate(fight.men):
                assert abs(returns[f] - fight.payoff(man)) < 1e-12
        if self.view.order(record):
            assert self.view.order(record) == [man.name for man in fight.order]

    def answer(self, rng: random.Random) -> None:
        """A random answer for both."""
        request = self.request
        assert request is not None
        if "roll" in request:
            count, faces = map(int, request["of"].split("d"))
            given: Any = [rng.randint(1, faces) for _ in range(count)]
            for die in given:
                self.position.fall(die - 1)
        elif "tie" in request:
            given = rng.sample(request["tie"], len(request["tie"]))
            left = list(self.view.request(self.position)["tie"])  # type: ignore[index]
            for name in given[:-1]:
                self.position.fall(left.index(name))
                left.remove(name)
        elif "pick" in request:
            given = rng.choice(request["pick"])
            self.position.fall(request["pick"].index(given))
        else:
            given = self.choose(rng, request["legal"])
            seat = self.position.to_act()[0]
            who = int(self.position.record.ask_fighter)
            self.position.apply(seat, self.view.texts.names.find(who, given, self.view.game.actions))
        try:
            self.request = self.steps.send(given)
        except StopIteration:
            self.request = None

    @staticmethod
    def choose(rng: random.Random, legal: list[str]) -> str:
        """Kinds of action first, so that attacks do not crowd out the rest; fights are to go somewhere."""
        kinds = sorted({code.split(":")[0] for code in legal})
        if len(kinds) > 2 and "pass" in kinds and rng.random() < 0.7:
            kinds.remove("pass")
        kind = rng.choice(kinds)
        return rng.choice([code for code in legal if code.split(":")[0] == kind])

    def play(self, rng: random.Random) -> int:
        """Play to the end, comparing after every step; the number of steps."""
        count = 0
        self.compare()
        while self.request is not None:
            self.answer(rng)
            self.compare()
            count += 1
        return count
