"""Exact duels in Scorekeeper: two wound sheets, blow by blow, round by round; optimal play or fixed policies.

A fight of two in contact without fate, ranged weapons or scripted events is a game on pairs of wound sheets: all that
lasts from round to round is what the two have suffered. The chances of blows are matrices from sheet to sheet; a round
is solved backwards for all pairs at once: reactions to hits, the declaration of the faster, that of the slower.

Over 500 lines because it is one recursion, from a blow to a whole fight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.scorekeeper import state as st
from ...envs.scorekeeper.armoury import WEAPONS
from ...envs.scorekeeper.formulas import success_probability
from ...envs.scorekeeper.params import check_setup
from .chances import LIMBS, ZONE_CHANCES, armour_at, sum_chances

Floats = np.ndarray
ACTED, ANNOUNCED, IDLE = range(3)  # of a fighter who is hit: has acted, announced full defence, has done nothing
AIDING = -1  # in place of the zone of an attack: first aid to oneself
CLASS_RANK = {name: rank for rank, name in enumerate(st.CLASS_CODES)}


class Unsupported(ProbespielError):
    """A fight that is more than two wound sheets; the text says why."""


def chance(value: int, fumble_on: int = 0) -> float:
    """Chance of a check."""
    return float(success_probability(value, fumble_on))


# --- sheets -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """What a fighter has suffered."""

    kr: int
    lw: int
    sw: int
    tw: int
    bleeding: int


class Body:
    """All sheets of one fighter, and what wounds make of them; index `len(sheets)` stands for out of the fight."""

    def __init__(self, fighter: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        self.fighter, self.config = fighter, config
        self.capacity = fighter["capacity"]
        bleeds = config["bleeding"] == "scratch" and fighter["kind"] == "character"
        self.bleeds = bleeds
        start = fighter["wounds"]
        first = Sheet(start["kr"], start["lw"], start["sw"], 0, fighter["bleeding"])
        ranges = [range(self.capacity[name]) for name in ("kr", "lw", "sw")]
        self.sheets = [
            Sheet(kr, lw, sw, tw, b)
            for kr, lw, sw, tw in product(*ranges, range(fighter["tw_capacity"]))
            for b in range(sw + 1 if bleeds or first.bleeding else 1)
        ]
        self.index = {sheet: i for i, sheet in enumerate(self.sheets)}
        self.start = self.index[first]
        self.out = len(self.sheets)
        self.shock = fighter["res"] + fighter["wil"]

    def penalty(self, roll: str) -> np.ndarray:
        """R57: what every sheet subtracts from rolls of a kind, int[N]."""
        if roll not in self.config["wound_penalty_rolls"]:
            return np.zeros(len(self.sheets), dtype=int)
        tw = self.config["tw_penalty"]
        return np.array([s.lw + 4 * s.sw + tw * s.tw for s in self.sheets])

    def after(self, sheet: Sheet, wound: int, zone: str | None) -> list[tuple[float, int]]:
        """R51 to R60: (chance, index of the new sheet or `out`) of a wound of a class (1..4) at a zone."""
        limit, config = self.capacity, self.config
        if wound == 4 and zone in LIMBS:
            wound = 3
        kr, lw, sw, tw, bleeding = sheet.kr, sheet.lw, sheet.sw, sheet.tw, sheet.bleeding
        top, level = wound, wound
        if wound == 3 and self.bleeds:
            bleeding += 1
        if level == 1:
            kr, level = (0, 2) if kr + 1 == limit["kr"] else (kr + 1, 0)
        if level == 2:
            top = max(top, 2)
            lw, level = (0, 3) if lw + 1 == limit["lw"] else (lw + 1, 0)
        if level == 3:
            top = max(top, 3)
            sw, level = (0, 4) if sw + 1 == limit["sw"] else (sw + 1, 0)
            if level == 4:
                bleeding, top = 0, 4
        if config["victory"] == "first_blood" and top >= CLASS_RANK[config["first_blood_class"]]:
            return [(1.0, self.out)]
        if level == 4:
            tw += 1
            if tw >= self.fighter["tw_capacity"]:
                return [(1.0, self.out)]
        made = Sheet(kr, lw, sw, tw, bleeding)
        faint = self._faint(made, wound, top, zone)
        rest = [(1.0 - faint, self.index[made])] if faint < 1 else []
        return rest + ([(faint, self.out)] if faint > 0 else [])

    def _faint(self, sheet: Sheet, wound: int, top: int, zone: str | None) -> float:
        config = self.config
        if self.fighter["kind"] != "character" or config["victory"] == "first_blood":
            return 0.0
        value = self.shock
        if wound == 3:
            if zone == "head":
                value = (value + 1) // 2 if config["half_shock_rounding"] == "up" else value // 2
        elif not ((wound < 3 and top >= 3 and config["shock_on_cumulation"]) or (wound == 2 and zone == "head")):
            return 0.0
        if "shock" in config["wound_penalty_rolls"]:
            value -= sheet.lw + 4 * sheet.sw + config["tw_penalty"] * sheet.tw
        return 1.0 - chance(value)

    def wound_matrix(self, chances: Mapping[int, float], zone: str | None) -> Floats:
        """From sheet to sheet for a wound with these chances of classes (0 none), float64[N, N + 1]."""
        out = np.zeros((len(self.sheets), len(self.sheets) + 1))
        for i, sheet in enumerate(self.sheets):
            for wound, p in chances.items():
                if wound == 0:
                    out[i, i] += p
                elif p > 0:
                    for part, j in self.after(sheet, wound, zone):
                        out[i, j] += p * part
        return out

    def upkeep(self) -> Floats:
        """R59: a scratch a point of bleeding; somebody who faints or dies on the way stays out, float64[N, N + 1]."""
        out = np.zeros((len(self.sheets), len(self.sheets) + 1))
        for i, sheet in enumerate(self.sheets):
            spread = {i: 1.0}
            for _ in range(sheet.bleeding if self.bleeds else 0):
                after: dict[int, float] = {}
                for j, p in spread.items():
                    # out is out: whatever else he suffers in this upkeep changes nothing (R75)
                    steps = [(1.0, j)] if j == self.out else self.after(self.sheets[j], 1, None)
                    for part, k in steps:
                        after[k] = after.get(k, 0.0) + p * part
                spread = after
            for j, p in spread.items():
                out[i, j] = p
        return out

    def aid(self) -> Floats:
        """R64: first aid of a fighter to himself, from sheet to sheet, float64[N, N]."""
        out = np.eye(len(self.sheets))
        value = self.fighter["first_aid"] + self.fighter["roll_mod"]
        for i, (sheet, less) in enumerate(zip(self.sheets, self.penalty("first_aid").tolist())):
            if sheet.bleeding:
                works = chance(value - less)
                out[i, i] = 1.0 - works
                out[i, self.index[replace(sheet, bleeding=sheet.bleeding - 1)]] = works
        return out


# --- the two sides ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """One fighter against the other: chances by his own sheet float64[N], and his blows on the other's sheet.

    `hit` and `counter` by zone word; `save`, `parry`, `parry_announced`; `half`, `half_announced`: chance of a parry
    below half its value; `blow` by zone word float64[M, M + 1]; `upkeep` float64[N, N + 1]; `aid` float64[N, N] is
    first aid to oneself, `bleeding` bool[N] where it is needed.
    """

    hit: list[Floats]
    counter: list[Floats]
    save: Floats
    parry: Floats
    parry_announced: Floats
    half: Floats
    half_announced: Floats
    blow: list[Floats]
    upkeep: Floats
    aid: Floats
    bleeding: Floats


def below_half(value: int) -> float:
    """Chance that a d20 is below a value and twice the die, too."""
    return sum(die < value and 2 * die < value for die in range(1, 21)) / 20


def blows(attacker: Mapping[str, Any], body: Body, config: Mapping[str, Any], mode: str) -> list[Floats]:
    """What a blow that gets through does to a body, by zone word (0: not aimed)."""
    name = attacker["melee"] if mode == "melee" else attacker["ranged"]
    weapon = WEAPONS[name]
    bonus = attacker["damage_bonus"] if weapon.bonus or weapon.thrown else 0
    by_zone = {}
    for zone in ZONE_CHANCES:
        if config["armour_by_zone"]:
            hard, soft = armour_at(body.fighter["armour"], zone)
        else:
            every = [armour_at(body.fighter["armour"], z) for z in ZONE_CHANCES]
            hard, soft = max(h for h, _ in every), max(s for _, s in every)
        classes = dict.fromkeys(range(5), 0.0)
        for through, p in sum_chances(weapon.dice, weapon.sides, hard).items():
            more = bonus
            if config["hard_vs_bonus"] == "needs_die" and through == 0:
                more = 0
            elif config["hard_vs_bonus"] == "as_die" and bonus > 0:
                more = max(0, bonus - hard)
            points = through + more - soft
            classes[sum(points >= least for least in (1, 7, 12, 16))] += float(p)
        by_zone[zone] = body.wound_matrix(classes, zone)
    unaimed = sum(float(p) * by_zone[zone] for zone, p in ZONE_CHANCES.items())
    return [np.asarray(unaimed), *by_zone.values()]


def side_of(
    me: Mapping[str, Any], body: Body, other: Mapping[str, Any], against: Body, config: Mapping[str, Any], mode: str
) -> Side:
    """The chances of one fighter, who attacks in a mode (melee or shoot)."""
    melee = me["agl"] + me["melee_skill"] + me["roll_mod"]
    value = melee
    dodge = me["agl"]
    if mode == "shoot":
        value = (me["wil"] if WEAPONS[me["ranged"]].magic else me["wah"]) + me["ranged_skill"] + me["roll_mod"]
    if mode == "shoot":
        dodge = me["magic_resistance"] if WEAPONS[other["ranged"]].magic else me["wah"]
    attack, save, parry = (body.penalty(name) for name in ("attack", "save", "parry"))
    fumble = config["fumble_on"]
    zones = range(len(st.ZONE_CODES)) if config["aiming"] else range(1)
    back = melee + config["counter_modifier"]
    announced = melee + config["declared_defence_bonus"]
    return Side(
        hit=[np.array([chance(value - st.AIM[z] - x, fumble) for x in attack]) for z in zones],
        counter=[np.array([chance(back - st.AIM[z] - x, fumble) for x in attack]) for z in zones],
        save=np.array([chance(dodge + me["roll_mod"] - x) for x in save]),
        parry=np.array([chance(melee - x) for x in parry]),
        parry_announced=np.array([chance(announced - x) for x in parry]),
        half=np.array([below_half(melee - x) for x in parry]),
        half_announced=np.array([below_half(announced - x) for x in parry]),
        blow=blows(me, against, config, mode),
        upkeep=body.upkeep(),
        aid=body.aid(),
        bleeding=np.array([sheet.bleeding > 0 for sheet in body.sheets]),
    )


# --- one round --------------------------------------------------------------------------------------------------------


class Round:
    """One round, seen from the faster side (rows) against the slower one (columns); values are the faster one's."""

    def __init__(self, fast: Side, slow: Side, counter_rule: str, after: Floats) -> None:
        """`after` float64[N, M]: the value when both turns are over and both are able."""
        self.fast, self.slow, self.rule, self.after = fast, slow, counter_rule, after
        self._turns: dict[tuple[int, int], Floats] = {}  # of the slower one, by zone and status of the faster

    @staticmethod
    def on_slow(value: Floats, blow: Floats) -> Floats:
        """The faster one's blow gets through, and `value` follows if the slower stays able."""
        return value @ blow[:, :-1].T + blow[:, -1][None, :]

    @staticmethod
    def on_fast(value: Floats, blow: Floats) -> Floats:
        """The slower one's blow gets through."""
        return blow[:, :-1] @ value - blow[:, -1][:, None]

    def counter_chances(self, side: Side, announced: bool) -> tuple[Floats, Floats]:
        """Chances of a parry, and of one that may be countered."""
        parry = side.parry_announced if announced else side.parry
        half = side.half_announced if announced else side.half
        allowed = {"off": 0 * parry, "any": parry, "half": half, "declared": parry if announced else 0 * parry}
        return parry, allowed[self.rule]

    @cached_property
    def counter_of_fast(self) -> Floats:
        """The best counter of the faster one; the slower has acted: he saves or takes it."""
        best, save = self.after, self.slow.save[None, :]
        for hit, blow in zip(self.fast.counter, self.fast.blow):
            through = self.on_slow(self.after, blow)
            struck = np.minimum(through, save * self.after + (1 - save) * through)
            best = np.maximum(best, (1 - hit)[:, None] * self.after + hit[:, None] * struck)
        return best

    @cached_property
    def counter_of_slow(self) -> Floats:
        """The best counter of the slower one; the faster has acted."""
        best, save = self.after, self.fast.save[:, None]
        for hit, blow in zip(self.slow.counter, self.slow.blow):
            through = self.on_fast(self.after, blow)
            struck = np.maximum(through, save * self.after + (1 - save) * through)
            best = np.minimum(best, (1 - hit)[None, :] * self.after + hit[None, :] * struck)
        return best

    def slow_attacks(self, zone: int, status: int) -> Floats:
        """The turn of the slower one, who declared an attack or first aid; `status` of the faster one."""
        if (zone, status) not in self._turns:
            self._turns[zone, status] = self._slow_turn(zone, status)
        return self._turns[zone, status]

    def _slow_turn(self, zone: int, status: int) -> Floats:
        if zone == AIDING:
            return self.after @ self.slow.aid.T
        after, save = self.after, self.fast.save[:, None]
        through = self.on_fast(after, self.slow.blow[zone])
        best = np.maximum(through, save * after + (1 - save) * through)
        if status != ACTED:
            parry, allowed = self.counter_chances(self.fast, status == ANNOUNCED)
            parried = allowed[:, None] * self.counter_of_fast + (parry - allowed)[:, None] * after
            best = np.maximum(best, parried + (1 - parry)[:, None] * through)
        hit = self.slow.hit[zone][None, :]
        return (1 - hit) * after + hit * best

    def fast_attacks(self, zone: int, declared: int | None, announced: bool) -> Floats:
        """The turn of the faster one, who declared an attack or first aid, and then that of the slower one.

        `declared` is the zone that the slower one will attack, or AIDING, None for none; `announced`: his full defence.
        """
        goes_on = self.after if declared is None else self.slow_attacks(declared, ACTED)
        if zone == AIDING:
            return self.fast.aid @ goes_on
        blow, save = self.fast.blow[zone], self.slow.save[None, :]
        through = self.on_slow(goes_on, blow)
        best = np.minimum(through, save * goes_on + (1 - save) * through)
        parry, allowed = self.counter_chances(self.slow, announced)
        parried = allowed[None, :] * self.counter_of_slow + (parry - allowed)[None, :] * self.after
        ended = through if declared is None else self.on_slow(self.after, blow)  # a failed parry spends the action, too
        best = np.minimum(best, parried + (1 - parry)[None, :] * ended)
        hit = self.fast.hit[zone][:, None]
        return (1 - hit) * goes_on + hit * best

    def declarations(self, slow_in: bool) -> list[tuple[int | None, bool]]:
        """What the slower one may declare: (zone, AIDING or None, whether full defence)."""
        choices: list[tuple[int | None, bool]] = [(None, False)]
        if slow_in:
            choices += [(None, True), *[(z, False) for z in range(len(self.slow.hit))]]
            if self.slow.bleeding.any():
                choices.append((AIDING, False))
        return choices

    def answers(self, declared: int | None, announced: bool, fast_in: bool) -> list[Floats]:
        """Values of what the faster one may declare after that."""
        found = [self.after if declared is None else self.slow_attacks(declared, IDLE)]
        if fast_in:
            if declared is not None:
                found.append(self.slow_attacks(declared, ANNOUNCED))
            found += [self.fast_attacks(z, declared, announced) for z in range(len(self.fast.hit))]
            if self.fast.bleeding.any():
                aided = self.fast_attacks(AIDING, declared, announced)
                found.append(np.where(self.fast.bleeding[:, None], aided, -np.inf))
        return found

    def value(self, fast_in: bool = True, slow_in: bool = True) -> Floats:
        """The value of the round; who is not `in` neither declares nor acts (R7), but may defend."""
        best = None
        for declared, announced in self.declarations(slow_in):
            found = np.maximum.reduce(self.answers(declared, announced, fast_in))
            if declared == AIDING:
                found = np.where(self.slow.bleeding[None, :], found, np.inf)
            best = found if best is None else np.minimum(best, found)
        assert best is not None
        return best


# --- whole duels ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Duel:
    """A duel of two wound sheets."""

    config: Mapping[str, Any]
    fighters: tuple[Mapping[str, Any], Mapping[str, Any]]  # of team a, of team b
    bodies: tuple[Body, Body]
    sides: tuple[Side, Side]

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of sheets."""
        return len(self.bodies[0].sheets), len(self.bodies[1].sheets)


def duel_of(setup: Mapping[str, Any], mode: str = "melee", optimal: bool = True) -> Duel:
    """The duel of a setup; raises Unsupported for fights that are more than two wound sheets.

    `optimal`: for optimal play, where everything that could be chosen counts; else for fixed policies, who only attack.
    """
    checked = check_setup(setup)
    config, fighters = checked["config"], checked["fighters"]
    reasons = [
        (len(fighters) != 2 or {f["team"] for f in fighters} != {"a", "b"}, "it has more than one fighter a side"),
        (bool(checked["events"]), "it has scripted events"),
        (config["victory"] == "death", "victory is death"),
        (any(WEAPONS[f["melee"]].electric for f in fighters) and mode == "melee", "a weapon is electric"),
        (config["head_sw_extra_penalty"] > 0, "head_sw_extra_penalty is set"),
        (config["utility"] != "win" and optimal, f"utility is {config['utility']}"),
        (config["draw_rule"] != "zero" and optimal, f"draw_rule is {config['draw_rule']}"),
        (optimal and config["fate_enabled"] and any(f["fate"] for f in fighters), "somebody has fate points"),
        (optimal and any(f["ranged"] for f in fighters), "somebody has a ranged weapon"),
        (optimal and config["field_length"] > 1, "there is room to move (field_length above 1)"),
        (optimal and config["allow_forgo"], "allow_forgo is set"),
        (
            optimal
            and config["allow_full_run"]
            and (config["full_run_modifier"] > 0 or config["full_run_damage_bonus"] > 0),
            "a full run has an advantage",
        ),
        (mode == "shoot" and not all(f["ranged"] for f in fighters), "somebody has no ranged weapon"),
    ]
    for wrong, why in reasons:
        if wrong:
            raise Unsupported(f"the duel cannot be reduced to two wound sheets: {why}")
    a, b = sorted(fighters, key=lambda f: f["team"])
    bodies = Body(a, config), Body(b, config)
    sides = side_of(a, bodies[0], b, bodies[1], config, mode), side_of(b, bodies[1], a, bodies[0], config, mode)
    return Duel(config, (a, b), bodies, sides)


def orders(duel: Duel, number: int) -> dict[tuple[bool, bool, bool], Floats]:
    """R3, R7, R9: chances float64[N, M] of (a is faster, a is in, b is in) in round `number`."""
    n, m = duel.size
    config = duel.config
    base = []
    for fighter, body in zip(duel.fighters, duel.bodies):
        value = fighter["wah"] + fighter["agl"] + fighter["reaction_mod"]
        if fighter["surprised"] and number == 1:
            value -= config["surprise_penalty"]
        base.append(value - body.penalty("reaction"))
    keys = [(f["wah"] + f["agl"], f["wah"]) for f in duel.fighters]
    yes_no = (True, False)
    out = {(x, y, z): np.zeros((n, m)) for x in yes_no for y in yes_no for z in yes_no}
    pairs: dict[tuple[int, int], dict[tuple[bool, bool, bool], float]] = {}
    for i, x in enumerate(base[0].tolist()):
        for j, y in enumerate(base[1].tolist()):
            if (x, y) not in pairs:
                pairs[x, y] = order_chances(x, y, keys if config["tie_break"] == "base" else [(0, 0), (0, 0)])
            for key, p in pairs[x, y].items():
                out[key][i, j] += p
    return {key: p for key, p in out.items() if p.any()}


def order_chances(x: int, y: int, keys: list[tuple[int, int]]) -> dict[tuple[bool, bool, bool], float]:
    """The same for given reaction values without their dice; `keys` break ties, equal ones are drawn."""
    out: dict[tuple[bool, bool, bool], float] = {}
    for one, other in product(range(1, 11), repeat=2):
        a, b = (x + one, keys[0]), (y + other, keys[1])
        faster = [(True, 1.0)] if a > b else ([(False, 1.0)] if a < b else [(True, 0.5), (False, 0.5)])
        for first, p in faster:
            key = (first, a[0] > 0, b[0] > 0)
            out[key] = out.get(key, 0.0) + p / 100
    return out


def round_values(duel: Duel, then: Floats, chances: Mapping[tuple[bool, bool, bool], Floats]) -> Floats:
    """The value for a of the start of a round, `then` float64[N, M] being that of the next one; optimal play."""
    n, m = duel.size
    a, b = duel.sides
    ends = np.zeros((n + 1, m + 1))
    ends[:n, :m] = then
    ends[:n, m], ends[n, :m] = 1.0, -1.0  # out together: a draw
    after = a.upkeep @ ends @ b.upkeep.T
    rule = duel.config["counter_rule"]
    out = np.zeros((n, m))
    for (a_first, a_in, b_in), p in chances.items():
        if a_first:
            value = Round(a, b, rule, after).value(a_in, b_in)
        else:
            value = -Round(b, a, rule, -after.T).value(b_in, a_in).T
        out += p * value
    return out


def duel_value(setup: Mapping[str, Any]) -> float:
    """The value of a duel for team a under optimal play, by backward induction over its rounds."""
    duel = duel_of(setup)
    value = np.zeros(duel.size)
    later = orders(duel, 2)
    for number in range(duel.config["max_rounds"], 0, -1):
        value = round_values(duel, value, later if number > 1 else orders(duel, 1))
    return float(value[duel.bodies[0].start, duel.bodies[1].start])


@dataclass(frozen=True)
class PolicyDuel:
    """How a duel of fixed policies ends: chances, and the mean number of rounds."""

    a: float
    b: float
    draw: float
    rounds: float


def policy_duel(setup: Mapping[str, Any], rounds: int, react: str = "save", mode: str = "melee") -> PolicyDuel:
    """Two who always attack unaimed and always answer a hit by `react` (save or take), for at most `rounds` rounds."""
    if react not in ("save", "take") or mode not in ("melee", "shoot"):
        raise ProbespielError(f"react = {react!r}, mode = {mode!r} is not allowed: save | take, melee | shoot")
    duel = duel_of(setup, mode, optimal=False)
    a, b = duel.sides
    n, m = duel.size
    through = [
        a.hit[0][:, None] * (1 - (b.save[None, :] if react == "save" else 0.0)),
        b.hit[0][None, :] * (1 - (a.save[:, None] if react == "save" else 0.0)),
    ]
    now = np.zeros((n, m))
    now[duel.bodies[0].start, duel.bodies[1].start] = 1.0
    won = np.zeros(3)  # a, b, draw
    length = 0.0
    for number in range(1, rounds + 1):
        length += float(now.sum())
        total = np.zeros((n, m))
        for (a_first, a_in, b_in), p in orders(duel, number).items():
            part = p * now
            turns = (0, 1) if a_first else (1, 0)
            for who in turns:
                if not (a_in, b_in)[who]:
                    continue
                struck = part * through[who]
                blow = duel.sides[who].blow[0]
                if who == 0:
                    after = struck @ blow
                    won[0] += after[:, -1].sum()
                    part = part - struck + after[:, :-1]
                else:
                    after = blow.T @ struck
                    won[1] += after[-1].sum()
                    part = part - struck + after[:-1]
            total += part
        ends = a.upkeep.T @ total @ b.upkeep
        won += [ends[:n, m].sum(), ends[n, :m].sum(), ends[n, m]]
        now = ends[:n, :m]
    won[2] += now.sum()
    return PolicyDuel(float(won[0]), float(won[1]), float(won[2]), length)


__all__ = ["Duel", "PolicyDuel", "Round", "Side", "Unsupported", "duel_of", "duel_value", "policy_duel"]
