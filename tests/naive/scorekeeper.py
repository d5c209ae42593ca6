"""Scorekeeper in plain Python, written from the rules alone: slow, and independent of the kernel.

A fight is a generator. It yields what it needs, as a dict, and is sent the answer: dice as a list of numbers, the order
of a tied group or the ally hit as names, decisions as codes with names. Everything else happens in between.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

ZONES = ["right_leg", "left_leg", "abdomen", "chest", "right_arm", "left_arm", "head"]
ZONE_TABLE = (
    ["right_leg"] * 4 + ["left_leg"] * 4 + ["abdomen"] * 2 + ["chest"] * 4 + ["right_arm"] * 2 + ["left_arm"] * 2
) + ["head"] * 2
AIM = {
    "any": 0, "right_leg": 3, "left_leg": 3, "abdomen": 2, "chest": 2, "right_arm": 4, "left_arm": 4, "head": 6,
}  # fmt: skip
CHECKS = ("attack", "save", "parry", "shock", "death", "first_aid")
TORSO = ["abdomen", "chest"]
NOT_HEAD = ZONES[:-1]

# dice, sides, bonus, range, capacity, reserve
ARMS: dict[str, dict[str, Any]] = {
    "unarmed": {"n": 2, "d": 4, "bonus": True},
    "club": {"n": 2, "d": 6, "bonus": True},
    "knife": {"n": 1, "d": 12, "bonus": True},
    "sword": {"n": 2, "d": 8, "bonus": True},
    "stun_baton": {"n": 1, "d": 4, "bonus": True, "electric": True},
    "shotgun": {"n": 5, "d": 4, "range": 30, "mag": 2, "reserve": 6},
    "magnum": {"n": 4, "d": 6, "range": 60, "mag": 6, "reserve": 12},
    "copkiller": {"n": 1, "d": 20, "range": 60, "mag": 8, "reserve": 8},
    "bow": {"n": 1, "d": 12, "bonus": True, "range": 60, "mag": 1, "reserve": 11},
    "throwing_knife": {"n": 1, "d": 8, "bonus": True, "range": 9, "mag": 3, "reserve": 0},
    "arcane_bolt": {"n": 3, "d": 6, "range": 30, "mag": 20, "reserve": 0, "magic": True},
}
CLOTHES: dict[str, tuple[int, int, list[str]]] = {
    "bristol_vest": (3, 0, TORSO),
    "kevlar_clothing": (0, 4, NOT_HEAD),
    "leather_jacket": (0, 2, [*TORSO, "right_arm", "left_arm"]),
    "steel_helmet": (2, 0, ["head"]),
    "plate_armour": (4, 0, NOT_HEAD),
}

DEFAULTS: dict[str, Any] = {
    "field_length": 40, "max_rounds": 30, "victory": "incapacitated", "first_blood_class": "KR", "utility": "win",
    "draw_rule": "zero", "tie_break": "random", "surprise_penalty": 5, "aiming": True, "allow_full_run": True,
    "allow_forgo": False, "declare_out_of_reach": False, "run_factor": 3, "full_run_modifier": 0,
    "full_run_damage_bonus": 0, "full_run_forfeits_saves": True, "parry_limit": 0, "declared_defence_bonus": 0,
    "counter_rule": "declared", "counter_modifier": 0, "counters_per_round": 1, "range_mod_medium": -2,
    "range_mod_long": -4, "fumble_on": 20, "ranged_fumble": "jam", "cover_available": True, "armour_by_zone": True,
    "hard_vs_bonus": "unaffected", "capacity_divisor": 3, "capacity_base": 1, "kr_capacity_extra": 1,
    "shock_on_cumulation": True, "half_shock_rounding": "up", "head_sw_extra_penalty": 0, "tw_penalty": 4,
    "hazard_effect": "lose_action", "hazard_penalty": 4, "bleeding": "scratch", "death_first_penalty": 0,
    "death_step": 1, "death_roll_start": "same_round", "fate_enabled": True, "fate_scope": "own", "fate_ask": "key",
    "fate_reroll_rolls": [
        "reaction", "attack", "zone", "damage", "save", "parry", "shock", "duration", "death", "first_aid",
    ],
    "wound_penalty_rolls": ["attack", "parry", "save", "first_aid"],
}  # fmt: skip

RANK = {"KR": 1, "LW": 2, "SW": 3, "TW": 4}
CLASS = {rank: name for name, rank in RANK.items()}

Steps = Generator[dict[str, Any], Any, Any]


@dataclass(eq=False)
class Man:
    """A fighter and his sheet."""

    name: str
    team: str
    given: dict[str, Any]
    values: dict[str, Any] = field(default_factory=dict)

    def start(self, rules: dict[str, Any]) -> None:
        """Everything as the fight begins."""
        g = self.given
        self.values = {
            "wah": 6, "agl": 6, "res": 6, "wil": 6, "melee_skill": 5, "ranged_skill": 5, "first_aid": 6,
            "damage_bonus": 0, "reaction_mod": 0, "roll_mod": 0, "tw_capacity": 1, "surprised": False,
            "kind": "character", "melee": "unarmed", "ranged": None, "armour": [], **g,
        }  # fmt: skip
        self.values.setdefault("magic_resistance", self.values["wil"])
        gun = ARMS.get(self.values["ranged"] or "", {})
        each = max(1, rules["capacity_base"] + self.values["res"] // rules["capacity_divisor"])
        self.limit = {"KR": each + rules["kr_capacity_extra"], "LW": each, "SW": each}
        wounds = g.get("wounds", {})
        self.count = {name: wounds.get(name.lower(), 0) for name in ("KR", "LW", "SW")} | {"TW": 0}
        self.bleeding = g.get("bleeding", 0)
        self.fate = g.get("fate", 0)
        self.place = g.get("position", 0)
        self.loaded = g.get("loaded", gun.get("mag", 0))
        self.reserve = gun.get("reserve", 0)
        self.jammed = self.broken = False
        self.dead = self.struggling = self.stabilised = self.trauma = False
        self.struggle_since = 0
        self.asleep_until = 0
        self.death_rolls = 0
        self.head_extra = 0
        self.skip_next = False
        self.new_round()
        self.action_lost = False

    def new_round(self) -> None:
        """What is forgotten at the start of a round."""
        self.reaction: int | None = None
        self.declared: str | None = None
        self.acted = self.defending = self.no_saves = self.forfeited = False
        self.parries = self.counters = 0
        self.action_lost, self.skip_next = self.skip_next, False

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def gun(self) -> dict[str, Any]:
        """The ranged weapon; empty without one."""
        return ARMS.get(self["ranged"] or "", {})

    @property
    def person(self) -> bool:
        """No machine."""
        return self["kind"] == "character"

    @property
    def shock(self) -> int:
        """The shock value S."""
        return self["res"] + self["wil"]


class Fight:
    """One fight by the rules."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.rules = {**DEFAULTS, **setup.get("config", {})}
        self.men = [Man(f["name"], f["team"], dict(f)) for f in setup["fighters"]]
        for man in self.men:
            man.start(self.rules)
        self.events = setup.get("events") or []
        self.round = 0
        self.order: list[Man] = []
        self.winner: str | None = None
        self.bled: list[str] = []
        self.in_events = False
        self.struck_as: str | None = None

    # --- small questions ----------------------------------------------------------------------------------------------

    def man(self, name: str) -> Man:
        """A fighter by name."""
        return next(m for m in self.men if m.name == name)

    def side(self, team: str) -> list[Man]:
        """The fighters of a team."""
        return [m for m in self.men if m.team == team]

    def foes(self, man: Man) -> list[Man]:
        """The fighters of the other team."""
        return [m for m in self.men if m.team != man.team]

    def able(self, man: Man) -> bool:
        """Able to act."""
        return not (man.dead or man.struggling or man.trauma) and man.asleep_until < self.round

    def status(self, man: Man) -> str:
        """The status word."""
        if man.dead:
            return "dead"
        if man.stabilised:
            return "stabilised"
        if man.struggling:
            return "struggle"
        if man.trauma:
            return "trauma"
        return "able" if man.asleep_until < self.round else "unconscious"

    def penalty(self, man: Man, roll: str) -> int:
        """What wounds take from a roll of a kind."""
        if roll not in self.rules["wound_penalty_rolls"]:
            return 0
        return man.count["LW"] + 4 * man.count["SW"] + self.rules["tw_penalty"] * man.count["TW"] + man.head_extra

    def armour(self, man: Man, zone: str) -> tuple[int, int]:
        """Hard and soft armour of a zone."""
        pieces = [CLOTHES[name] for name in man["armour"]]
        on = [(h, s) for h, s, zones in pieces if zone in zones or not self.rules["armour_by_zone"]]
        return max([h for h, _ in on], default=0), max([s for _, s in on], default=0)

    def gap(self, one: Man, other: Man) -> int:
        """Metres between two."""
        return abs(one.place - other.place)

    def within(self, man: Man, other: Man, thirds: int) -> bool:
        """Within `thirds` thirds of the AGL, in metres, or in contact."""
        return self.gap(man, other) <= 1 or 3 * self.gap(man, other) <= thirds * man["agl"]

    def ready(self, man: Man) -> bool:
        """The gun can be fired."""
        return bool(man.gun) and man.loaded > 0 and not man.jammed and not man.broken

    def attack_possible(self, man: Man, other: Man, mode: str) -> bool:
        """Target alive and within reach; gun ready."""
        if other.dead:
            return False
        if mode == "shoot":
            return self.ready(man) and self.gap(man, other) <= man.gun["range"]
        return self.within(man, other, self.rules["run_factor"] if mode == "run" else 1)

    def may_reload(self, man: Man) -> bool:
        """Something to do for a reload."""
        if not man.gun or man.broken:
            return False
        return man.jammed or (man.loaded < man.gun["mag"] and man.reserve > 0)

    def may_aid(self, man: Man, other: Man) -> bool:
        """Need and reach of first aid."""
        if other.dead or not self.within(man, other, 1):
            return False
        if other.struggling:
            return not other.stabilised
        return other.bleeding > 0

    def nearest(self, man: Man) -> Man | None:
        """Able foes first."""
        alive = [f for f in self.foes(man) if not f.dead]
        able = [f for f in alive if self.able(f)]
        return min(able or alive, key=lambda f: self.gap(man, f), default=None)

    def place_after(self, man: Man, move: str) -> int:
        """Where a move leads."""
        foe = self.nearest(man)
        far = self.rules["run_factor"] * man["agl"] // 3
        if foe is None:
            return man.place
        if move == "advance":
            steps = max(0, min(far, self.gap(man, foe) - 1))
            return man.place + (steps if foe.place > man.place else -steps)
        if man.place < foe.place or (man.place == foe.place and man.team == "a"):
            return max(0, man.place - far)
        return min(self.rules["field_length"], man.place + far)

    def declarations(self, man: Man) -> list[str]:
        """Everything that may be declared."""
        out = ["pass", "full_defence"]
        zones = ["any", *ZONES] if self.rules["aiming"] else ["any"]
        anywhere = self.rules["declare_out_of_reach"]
        for foe in self.foes(man):
            if foe.dead:
                continue
            for mode in ("melee", "run", "shoot"):
                if mode == "run" and not self.rules["allow_full_run"]:
                    continue
                if anywhere:
                    ok = mode != "shoot" or self.ready(man)
                else:
                    ok = self.attack_possible(man, foe, mode)
                if ok:
                    out += [f"{mode}:{foe.name}:{zone}" for zone in zones]
        if self.may_reload(man):
            out.append("reload")
        out += [move for move in ("advance", "retreat") if self.place_after(man, move) != man.place]
        out += [f"aid:{mate.name}" for mate in self.side(man.team) if self.may_aid(man, mate)]
        return out

    # --- the end ------------------------------------------------------------------------------------------------------

    def lost(self, team: str) -> bool:
        """Whether a team has lost."""
        if self.rules["victory"] == "incapacitated":
            return not any(self.able(m) for m in self.side(team))
        if self.rules["victory"] == "death":
            return all(m.dead for m in self.side(team))
        return team in self.bled

    def test_end(self) -> None:
        """End test."""
        a, b = self.lost("a"), self.lost("b")
        if self.winner is None and (a or b):
            self.winner = "draw" if a and b else ("b" if a else "a")

    def margin(self) -> float:
        """Score of team a less that of team b."""

        def score(team: str) -> float:
            points = [0.0 if m.dead else (1.0 if self.able(m) else 0.5) for m in self.side(team)]
            return sum(points) / len(points)

        return score("a") - score("b")

    def payoff(self, man: Man) -> float:
        """Payoff of a fighter; 0 while the fight goes on."""
        if self.winner is None:
            return 0.0
        sign = 1 if man.team == "a" else -1
        if self.rules["utility"] == "margin":
            return sign * self.margin()
        value = {"a": 1.0, "b": -1.0, "draw": 0.0}[self.winner]
        if self.winner == "draw" and self.rules["draw_rule"] == "margin":
            value = float((self.margin() > 0) - (self.margin() < 0))
        value *= sign
        if self.rules["utility"] == "survival":
            team = self.side(man.team)
            value -= 0.5 * sum(m.dead for m in team) / len(team)
        return value

    # --- rolls and fate -----------------------------------------------------------------------------------------------

    def fate_asks(self, man: Man | None, kind: str, useful: bool) -> bool:
        """Whether somebody is asked about a roll."""
        if man is None or not self.rules["fate_enabled"] or kind not in self.rules["fate_reroll_rolls"]:
            return False
        if man.fate == 0 or man.dead:
            return False
        return useful or kind not in CHECKS or self.rules["fate_ask"] == "always"

    def roll(self, kind: str, man: Man, dice: tuple[int, int], target: int | None, other: Man | None) -> Steps:
        """A roll with all repetitions; the dice that stand in the end."""
        want: dict[str, Any] = {"roll": kind, "who": man.name, "of": f"{dice[0]}d{dice[1]}"}
        if target is not None:
            want["target"] = target
        while True:
            thrown = yield want
            good = target is not None and thrown[0] < target
            if kind == "attack" and self.fumble(thrown):
                good = False
            if kind == "zone":
                self.struck_as = ZONE_TABLE[thrown[0] - 1]
            again = False
            if self.fate_asks(man, kind, not good):
                again = yield from self.again(man)
            if not again and self.rules["fate_scope"] == "involved" and self.fate_asks(other, kind, good):
                assert other is not None
                again = yield from self.again(other)
            if not again:
                return thrown

    def again(self, man: Man) -> Steps:
        """Keep or repeat."""
        answer = yield {"decide": man.name, "phase": "fate_reroll", "legal": ["keep", "reroll"]}
        if answer == "reroll":
            man.fate -= 1
        return answer == "reroll"

    def fumble(self, thrown: list[int]) -> bool:
        """A natural 20."""
        return self.rules["fumble_on"] == 20 and thrown[0] == 20

    def check(self, kind: str, man: Man, target: int, other: Man | None = None) -> Steps:
        """A d20 strictly below the target."""
        thrown = yield from self.roll(kind, man, (1, 20), target, other)
        return thrown[0] < target

    # --- wounds -------------------------------------------------------------------------------------------------------

    def wound(self, man: Man, rank: int, zone: str | None, dealer: Man | None, test: bool = True) -> Steps:
        """The whole wound procedure; `test`: the end is tested after it."""
        if rank == 4 and zone is not None and zone.endswith(("leg", "arm")):
            rank = 3
        if self.asked_to_reduce(man, rank):
            legal = [f"reduce:{n}" for n in range(min(man.fate, rank) + 1)]
            answer = yield {"decide": man.name, "phase": "fate_reduce", "legal": legal}
            points = int(answer.split(":")[1])
            man.fate -= points
            rank -= points
        if rank > 0 and not man.dead:
            made = self.enter(man, rank)
            if max(made) >= RANK[self.rules["first_blood_class"]] and man.team not in self.bled:
                self.bled.append(man.team)
            yield from self.shock_roll(man, rank, made, zone, dealer)
        if test:
            self.test_end()

    def asked_to_reduce(self, man: Man, rank: int) -> bool:
        """Whether fate is asked about a wound."""
        if rank == 0 or man.fate == 0 or man.dead or not self.rules["fate_enabled"]:
            return False
        if self.rules["fate_ask"] == "always" or rank >= 2:
            return True
        if self.rules["victory"] == "first_blood" and self.rules["first_blood_class"] == "KR":
            return True
        return man.count["KR"] + 1 == man.limit["KR"]

    def enter(self, man: Man, rank: int) -> list[int]:
        """Enter a wound with its cumulation; the ranks of all wounds that were made."""
        made = [rank]
        if rank == 4:
            man.count["TW"] += 1
            if man.count["TW"] >= man["tw_capacity"]:
                self.kill(man)
            return made
        if rank == 3 and man.person and self.rules["bleeding"] == "scratch":
            man.bleeding += 1
        while rank < 4:
            name = CLASS[rank]
            man.count[name] += 1
            if man.count[name] < man.limit[name]:
                return made
            man.count[name] = 0
            rank += 1
            made.append(rank)
        man.bleeding = 0
        man.count["TW"] += 1
        if man.count["TW"] >= man["tw_capacity"]:
            if man.person and not man.struggling:
                man.struggling = True
                man.struggle_since = self.round
                man.defending = False
            else:
                self.kill(man)
        return made

    def kill(self, man: Man) -> None:
        """Dead."""
        man.dead = True
        man.defending = False

    def shock_target(self, man: Man, base: int) -> int:
        """Target of a shock roll."""
        return base - self.penalty(man, "shock")

    def shock_roll(self, man: Man, rank: int, made: list[int], zone: str | None, dealer: Man | None) -> Steps:
        """The shock roll that follows a wound."""
        if not man.person or not self.able(man):
            return
        base, sides = man.shock, 10
        if rank == 3 and zone == "head":
            up = self.rules["half_shock_rounding"] == "up"
            base, sides = (man.shock + 1) // 2 if up else man.shock // 2, 4
        elif rank == 3 or (rank < 3 and 3 in made and self.rules["shock_on_cumulation"]):
            pass
        elif rank == 2 and zone == "head":
            sides = 4
        else:
            return
        good = yield from self.check("shock", man, self.shock_target(man, base), dealer)
        if not good:
            yield from self.faint(man, sides, dealer)
            if rank == 3 and zone == "head":
                man.head_extra = self.rules["head_sw_extra_penalty"]

    def faint(self, man: Man, sides: int, dealer: Man | None) -> Steps:
        """Unconscious for some rounds."""
        thrown = yield from self.roll("duration", man, (1, sides), None, dealer)
        man.asleep_until = self.round + thrown[0]
        man.defending = False

    def hazard(self, man: Man, dealer: Man | None) -> Steps:
        """Electric shock or fall."""
        if not man.person or not self.able(man):
            return
        target = self.shock_target(man, man.shock - self.rules["hazard_penalty"])
        good = yield from self.check("shock", man, target, dealer)
        if not good:
            if self.rules["hazard_effect"] == "unconscious":
                yield from self.faint(man, 10, dealer)
            elif man.action_lost or (not self.in_events and (man.acted or man.defending)):
                man.skip_next = True
            else:
                man.action_lost = True
        self.test_end()

    # --- blows --------------------------------------------------------------------------------------------------------

    def attack(self, man: Man, foe: Man, mode: str, zone: str) -> Steps:
        """An attack from its roll to its end."""
        rules = self.rules
        if mode == "shoot":
            value = (man["wil"] if man.gun.get("magic") else man["wah"]) + man["ranged_skill"]
            if 3 * self.gap(man, foe) > 2 * man.gun["range"]:
                value += rules["range_mod_long"]
            elif 3 * self.gap(man, foe) > man.gun["range"]:
                value += rules["range_mod_medium"]
        else:
            value = man["agl"] + man["melee_skill"]
            value += {"run": rules["full_run_modifier"], "counter": rules["counter_modifier"]}.get(mode, 0)
        target = value + man["roll_mod"] - AIM[zone] - self.penalty(man, "attack")
        thrown = yield from self.roll("attack", man, (1, 20), target, foe)
        if self.fumble(thrown):
            if mode == "shoot":
                yield from self.fumbled_shot(man)
            return
        if thrown[0] >= target:
            return
        stopped = yield from self.defend(man, foe, mode)
        if not stopped:
            yield from self.hit(man, foe, mode, zone)

    def fumbled_shot(self, man: Man) -> Steps:
        """What a fumble does."""
        what = self.rules["ranged_fumble"]
        if what == "jam":
            man.jammed = True
        elif what == "break":
            man.broken = True
        elif what == "ally":
            mates = [m for m in self.side(man.team) if m is not man and not m.dead]
            if len(mates) == 1:
                yield from self.hit(man, mates[0], "shoot", "any")
            elif mates:
                name = yield {"pick": [m.name for m in mates]}
                yield from self.hit(man, self.man(name), "shoot", "any")

    def defend(self, man: Man, foe: Man, mode: str) -> Steps:
        """Whether the fighter who is hit stops it; a counter is part of it."""
        rules = self.rules
        if not self.able(foe):
            return False
        magic = mode == "shoot" and man.gun.get("magic", False)
        legal = ["take"]
        noticed = not (foe["surprised"] and self.round == 1)
        if not foe.no_saves and (mode != "shoot" or magic or (rules["cover_available"] and noticed)):
            legal.append("save")
        if mode != "shoot" and (not foe.acted or foe.defending) and not foe.action_lost:
            if rules["parry_limit"] == 0 or foe.parries < rules["parry_limit"]:
                legal.append("parry")
        if len(legal) == 1:
            return False
        answer = yield {"decide": foe.name, "phase": "react", "legal": legal}
        if answer == "save":
            value = foe["agl"] if mode != "shoot" else (foe["magic_resistance"] if magic else foe["wah"])
            target = value + foe["roll_mod"] - self.penalty(foe, "save")
            return (yield from self.check("save", foe, target, man))
        if answer == "parry":
            return (yield from self.parry(man, foe, mode))
        return False

    def parry(self, man: Man, foe: Man, mode: str) -> Steps:
        """A parry, and the counter that may follow."""
        rules = self.rules
        announced = foe.declared == "full_defence"
        foe.parries += 1
        foe.defending = True
        foe.forfeited = foe.forfeited or not announced
        target = foe["agl"] + foe["melee_skill"] + foe["roll_mod"] - self.penalty(foe, "parry")
        target += rules["declared_defence_bonus"] if announced else 0
        thrown = yield from self.roll("parry", foe, (1, 20), target, man)
        if thrown[0] >= target:
            return False
        rule = rules["counter_rule"]
        ok = rule == "any" or (rule == "declared" and announced) or (rule == "half" and 2 * thrown[0] < target)
        if ok and foe.counters < rules["counters_per_round"] and mode != "counter":
            zones = ["any", *ZONES] if rules["aiming"] else ["any"]
            legal = ["no_counter", *[f"counter:{z}" for z in zones]]
            answer = yield {"decide": foe.name, "phase": "counter", "legal": legal}
            if answer != "no_counter":
                foe.counters += 1
                yield from self.attack(foe, man, "counter", answer.split(":")[1])
        return True

    def hit(self, man: Man, foe: Man, mode: str, zone: str) -> Steps:
        """Zone, damage, wound, electric shock."""
        if zone == "any":
            yield from self.roll("zone", man, (1, 20), None, foe)
            assert self.struck_as is not None
            zone = self.struck_as
        weapon = man.gun if mode == "shoot" else ARMS[man["melee"]]
        dice = yield from self.roll("damage", man, (weapon["n"], weapon["d"]), None, foe)
        rank = self.damage_rank(man, foe, mode, zone, weapon, dice)
        if rank:
            yield from self.wound(foe, rank, zone, man)
        if weapon.get("electric") and self.winner is None:
            yield from self.hazard(foe, man)

    def damage_rank(self, man: Man, foe: Man, mode: str, zone: str, weapon: dict[str, Any], dice: list[int]) -> int:
        """Class of the damage behind the armour, 0 for none."""
        hard, soft = self.armour(foe, zone)
        bonus = man["damage_bonus"] if weapon.get("bonus") else 0
        if mode == "run":
            bonus += self.rules["full_run_damage_bonus"]
        through = [max(0, die - hard) for die in dice]
        if self.rules["hard_vs_bonus"] == "needs_die" and not any(through):
            bonus = 0
        if self.rules["hard_vs_bonus"] == "as_die" and bonus > 0:
            bonus = max(0, bonus - hard)
        points = sum(through) + bonus - soft
        return sum(points >= least for least in (1, 7, 12, 16))

    # --- the round ----------------------------------------------------------------------------------------------------

    def play(self) -> Steps:
        """The whole fight."""
        while self.winner is None:
            self.round += 1
            self.order = []
            for man in self.men:
                man.new_round()
            yield from self.scripted()
            if self.winner is None:
                yield from self.reaction()
                yield from self.declare()
                yield from self.act()
            if self.winner is None:
                yield from self.upkeep()

    def scripted(self) -> Steps:
        """Scripted events."""
        self.in_events = True
        for event in self.events:
            man = self.man(event["fighter"])
            if event["round"] != self.round or man.dead or self.winner is not None:
                continue
            kind, wound = event["kind"], event.get("wound")
            zone = None if event.get("zone") in (None, "none") else event["zone"]
            if kind in ("wound", "fall") and wound not in (None, "none"):
                yield from self.wound(man, RANK[wound], zone, None)
            if self.winner is not None:
                break
            if kind in ("fall", "electric"):
                yield from self.hazard(man, None)
            elif kind in ("ordeal", "trauma") and man.person and self.able(man):
                good = yield from self.check("shock", man, self.shock_target(man, man.shock))
                if not good and kind == "trauma":
                    man.trauma = True
                elif not good:
                    yield from self.faint(man, 10, None)
                self.test_end()
        self.in_events = False

    def reaction(self) -> Steps:
        """Reaction rolls, fate, order."""
        rolled = [m for m in self.men if self.able(m)]
        for man in rolled:
            yield from self.react_once(man)
        if self.rules["fate_enabled"] and "reaction" in self.rules["fate_reroll_rolls"]:
            for man in sorted(rolled, key=lambda m: m.reaction or 0):
                while man.fate > 0 and not man.dead:
                    again = yield from self.again(man)
                    if not again:
                        break
                    yield from self.react_once(man)
        yield from self.line_up(rolled)

    def react_once(self, man: Man) -> Steps:
        """A reaction roll, without fate."""
        thrown = yield {"roll": "reaction", "who": man.name, "of": "1d10"}
        value = man["wah"] + man["agl"] + thrown[0] + man["reaction_mod"] - self.penalty(man, "reaction")
        if man["surprised"] and self.round == 1:
            value -= self.rules["surprise_penalty"]
        man.reaction = value

    def line_up(self, rolled: list[Man]) -> Steps:
        """The acting order, ties drawn."""

        def key(man: Man) -> tuple[Any, ...]:
            if self.rules["tie_break"] == "base":
                return (man.reaction, man["wah"] + man["agl"], man["wah"])
            return (man.reaction,)

        order: list[Man] = []
        for value in sorted({key(m) for m in rolled}, reverse=True):
            group = [m for m in rolled if key(m) == value]
            if len(group) > 1:
                names = yield {"tie": [m.name for m in group]}
                group = [self.man(name) for name in names]
            order += group
        self.order = order

    def takes_part(self, man: Man) -> bool:
        """Declares and acts in this round."""
        return man.reaction is not None and man.reaction > 0 and not man.action_lost

    def declare(self) -> Steps:
        """Declarations, slow to fast."""
        for man in reversed(self.order):
            if self.takes_part(man):
                man.declared = yield {"decide": man.name, "phase": "declare", "legal": self.declarations(man)}
                man.defending = man.declared == "full_defence"

    def act(self) -> Steps:
        """Actions, fast to slow."""
        for man in self.order:
            idle = man.declared in (None, "pass", "full_defence")
            if self.winner is not None or idle or man.forfeited or not self.takes_part(man) or not self.able(man):
                continue
            if self.rules["allow_forgo"]:
                answer = yield {"decide": man.name, "phase": "forgo", "legal": ["execute", "forgo"]}
                if answer == "forgo":
                    continue
            man.acted = True
            assert man.declared is not None
            yield from self.carry_out(man, man.declared)

    def carry_out(self, man: Man, what: str) -> Steps:
        """A declared action."""
        word, *rest = what.split(":")
        if word == "reload":
            if self.may_reload(man):
                moved = min(man.gun["mag"] - man.loaded, man.reserve)
                man.loaded += moved
                man.reserve -= moved
                man.jammed = False
        elif word in ("advance", "retreat"):
            man.place = self.place_after(man, word)
        elif word == "aid":
            mate = self.man(rest[0])
            if self.may_aid(man, mate):
                target = man["first_aid"] + man["roll_mod"] - self.penalty(man, "first_aid")
                good = yield from self.check("first_aid", man, target)
                if good and mate.struggling:
                    mate.stabilised = True
                elif good:
                    mate.bleeding -= 1
        else:
            foe = self.man(rest[0])
            if not self.attack_possible(man, foe, word):
                return
            if word == "shoot":
                man.loaded -= 1
            elif self.gap(man, foe) > 1:
                man.place = foe.place + (1 if man.place > foe.place else -1)
            if word == "run" and self.rules["full_run_forfeits_saves"]:
                man.no_saves = True
            yield from self.attack(man, foe, word, rest[1])

    def upkeep(self) -> Steps:
        """Bleeding, death rolls, trauma, end."""
        rules = self.rules
        for man in self.men:
            if rules["bleeding"] == "scratch" and man.person:
                for _ in range(man.bleeding):
                    if man.dead or man.struggling:
                        break
                    yield from self.wound(man, 1, None, None, test=False)
        for man in self.men:
            if not man.struggling or man.stabilised or man.dead:
                continue
            if rules["death_roll_start"] == "next_round" and man.struggle_since == self.round:
                continue
            base = man.shock - rules["death_first_penalty"] - rules["death_step"] * man.death_rolls
            good = yield from self.check("death", man, self.shock_target(man, base))
            man.death_rolls += 1
            if not good:
                self.kill(man)
        for man in self.men:
            if man.trauma and not man.dead:
                good = yield from self.check("shock", man, self.shock_target(man, man.shock))
                man.trauma = not good
        self.test_end()
        if self.winner is None and self.round == rules["max_rounds"]:
            self.winner = "draw"

    # --- what an observer sees ----------------------------------------------------------------------------------------

    def sheet(self, man: Man) -> dict[str, Any]:
        """A fighter in the words of worked examples."""
        return {
            **{name.lower(): man.count[name] for name in ("KR", "LW", "SW", "TW")},
            "status": self.status(man), "fate": man.fate, "position": man.place, "bleeding": man.bleeding,
            "loaded": man.loaded, "reserve": man.reserve, "jammed": man.jammed, "broken": man.broken,
            "reaction": man.reaction, "declared": man.declared, "acted": man.acted, "full_defence": man.defending,
            "saves_lost": man.no_saves, "action_lost": man.action_lost, "forfeited": man.forfeited,
            "ko_until": man.asleep_until, "skip_next": man.skip_next, "death_rolls": man.death_rolls,
            "penalty": self.penalty(man, "attack"), "counters": man.counters, "parries": man.parries,
        }  # fmt: skip
