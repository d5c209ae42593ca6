"""Baselines of konfrontation (section 6 of its specification), compiled.

What a baseline's own line leaves open is common to all of them:

- an attack is weighed by net worth: equilibrium of its bids against the defence that serves the defender best, running
  home included; in the type in which the own lead is greatest; with all units. Of the units and of the resources of a
  faction only the dearest is weighed
- the defender sends everybody, and runs home if standing is worth less
- bids are drawn from the equilibrium mixture; a draw is voted for if fighting on is worth less than nothing
- of victims the cheapest goes, the loser takes the cheaper fate, the winner the dearest spoils
- building is a resource of size 1, while enough turns are left; a project that is begun is continued
- questions of rule modules are answered by `answer_module`

Over 500 lines because the nine heuristics share the questions that they answer, one function a question.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.abi import lowest_bit
from ...envs.core.batch import random_legal
from ...envs.core.jit import kernel
from ...envs.core.rng import rand_float
from ...envs.konfrontation import hooks
from ...envs.konfrontation.legality import legal, spoils_units
from ...envs.konfrontation.services import exposed, removable
from ...envs.konfrontation.state import (
    ALL_CHARACTERS,
    CHARACTERS,
    DECLARING,
    MAX_BID,
    P_RESOURCE,
    T_POWER,
    T_RESOURCE,
    UNITS,
    WORDS,
    Action,
    Phase,
)
from ..base import Param
from ..declaration import Baseline
from .plans import (
    A_RESOURCE,
    ANYBODY,
    BEATEN,
    BY_PRIZE,
    BY_VALUE,
    EMPTY_STOCK,
    EVERYBODY,
    NOT_FIXED,
    ONE_ESCORT,
    best_attack,
    declared_so_far,
    defence_of,
    party_of,
    standing_value,
    value_against,
    workspace,
)
from .values import SIZE, cheapest, dearest, fate_cost, gained, number, power_moved, running_value

BUILDER, RUSH, ZERO_BID, ALL_IN, MATRIX, RAIDER, SUPPORT_RUSH, STALLER, LOOKAHEAD = range(9)
DEPTH = 5  # own actions that `lookahead` plans


@kernel
def has(words: Any, action: int) -> bool:
    """Whether a legal set holds an action."""
    return words[action >> 5] >> (action & 31) & 1 != 0


# --- actions of the campaign ------------------------------------------------------------------------------------------


@kernel
def turns_left(s: Any, p: Any) -> int:
    """Turns of work that a project can still get, this one included."""
    return p.turns - s.turn + (0 if s.worked else 1)


@kernel
def build(s: Any, p: Any, seat: int, words: Any, size: int) -> int:
    """Go on with a project, or start a resource of a size (or the largest that is still completed); else power."""
    if has(words, Action.CONTINUE):
        return Action.CONTINUE
    k = min(size, turns_left(s, p))
    while k >= 1:
        if has(words, Action.START_RESOURCE + k - 1):
            return Action.START_RESOURCE + k - 1
        k -= 1
    return gather(words)


@kernel
def gather(words: Any) -> int:
    """Power if it may be gathered, else nothing."""
    return Action.GATHER if has(words, Action.GATHER) else Action.PASS


@kernel
def building_gain(s: Any, p: Any, seat: int, words: Any) -> float:
    """Net worth that a turn of building brings: a share of what is completed."""
    if has(words, Action.CONTINUE):
        left = s.project_left[seat]
        size = s.project_size[seat]
        whole = p.w_cp * size if s.project[seat] == P_RESOURCE else p.w_unit * (1 + size + p.support_bonus)
        return whole / left if left <= turns_left(s, p) else 0.0
    return p.w_cp if has(words, Action.START_RESOURCE) and turns_left(s, p) >= 1 else 0.0


@kernel
def gathering_gain(s: Any, p: Any, seat: int, words: Any) -> float:
    """Net worth that gathering brings."""
    if not has(words, Action.GATHER):
        return 0.0
    return p.w_power * gained(p, s.power[seat], hooks.gathered(s, p, seat, p.gather_amount))


@kernel
def commonest(s: Any, seat: int) -> int:
    """The nature that most of a faction's characters have (the first of equal ones)."""
    counts = np.zeros(4, np.int64)
    left = s.units[seat] & ALL_CHARACTERS
    while left:
        counts[s.nature[seat, lowest_bit(left)]] += 1
        left &= left - 1
    return int(np.argmax(counts))


@kernel
def preferred_type(s: Any, seat: int, style: int) -> int:
    """The type of attack that a style insists on, or -1."""
    if style == RUSH:
        return commonest(s, seat)
    if style == SUPPORT_RUSH:
        best, most = -1, 0
        for unit in range(CHARACTERS, UNITS):
            if s.value[seat, unit] > most:
                best, most = s.nature[seat, unit], s.value[seat, unit]
        return best
    return -1


@kernel
def plan_attack(s: Any, p: Any, seat: int, style: int, fixed: Any, enough: float, work: Any) -> tuple[float, int]:
    """The attack worth more than `enough` that a style would make, as in `best_attack`."""
    measure = BY_PRIZE if style in (ALL_IN, ZERO_BID) else BY_VALUE
    aim = EMPTY_STOCK if style == RAIDER else (BEATEN if style == ZERO_BID else ANYBODY)
    if style == RUSH:
        aim = A_RESOURCE
    who = ONE_ESCORT if style == SUPPORT_RUSH else EVERYBODY
    kind, none = preferred_type(s, seat, style), number(0)
    return best_attack(s, p, seat, measure, aim, who, kind, fixed, none, none, enough, work)


@kernel
def act(s: Any, p: Any, seat: int, style: int, value: int) -> int:
    """The action of a style; `value` is its parameter."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    if not has(words, Action.PASS):
        return Action.CONTINUE  # a locked project
    if style in (BUILDER, STALLER):
        return build(s, p, seat, words, value)
    if style == LOOKAHEAD:
        return look_ahead(s, p, seat, words)
    attack, enough = -np.inf, -np.inf  # an attack worth no more than that is not made
    if style in (RAIDER, SUPPORT_RUSH):
        enough = 0.0
    elif style in (RUSH, MATRIX):
        enough = building_gain(s, p, seat, words)
        if style == MATRIX:
            enough = max(enough, gathering_gain(s, p, seat, words))
    if has(words, Action.ATTACK):
        fixed = np.full(3, NOT_FIXED, np.int64)
        attack, _ = plan_attack(s, p, seat, style, fixed, enough, workspace())
    if style == ALL_IN:
        return Action.ATTACK if attack > -np.inf else gather(words)
    if style == RAIDER:
        return Action.ATTACK if attack > enough else gather(words)
    if style == ZERO_BID:
        return Action.ATTACK if attack > -np.inf else build(s, p, seat, words, number(1))
    if style == SUPPORT_RUSH:
        return rush_support(s, p, seat, words, attack)
    if style == RUSH:
        nature = commonest(s, seat)
        if count_of(s, seat, nature) < value and has(words, Action.RECRUIT + nature):
            return Action.RECRUIT + nature
        return Action.ATTACK if attack > enough else build(s, p, seat, words, number(1))
    if attack > enough:
        return Action.ATTACK
    building, gathering = building_gain(s, p, seat, words), gathering_gain(s, p, seat, words)
    return build(s, p, seat, words, number(1)) if building >= gathering else Action.GATHER


@kernel
def count_of(s: Any, seat: int, nature: int) -> int:
    """Characters of a nature."""
    n = 0
    left = s.units[seat] & ALL_CHARACTERS
    while left:
        n += s.nature[seat, lowest_bit(left)] == nature
        left &= left - 1
    return n


@kernel
def rush_support(s: Any, p: Any, seat: int, words: Any, attack: float) -> int:
    """The largest support that is still completed, then attacks that are worth something."""
    if has(words, Action.CONTINUE):
        return Action.CONTINUE
    if preferred_type(s, seat, SUPPORT_RUSH) < 0:
        for extra in range(3, 0, -1):
            action = Action.START_SUPPORT + 3 * commonest(s, seat) + extra - 1
            if has(words, action) and 2 + extra < turns_left(s, p):
                return action
    if attack > 0.0:
        return Action.ATTACK
    return gather(words)


@kernel
def look_ahead(s: Any, p: Any, seat: int, words: Any) -> int:
    """Plan some own actions: power and characters first, then attacks of the same worth or building; or building alone.

    Plans are compared by what they bring in all; characters count only by the attacks that they make possible. What
    others do meanwhile is not foreseen.
    """
    steps = min(DEPTH, turns_left(s, p))
    building = max(building_gain(s, p, seat, words), gathering_gain(s, p, seat, words))
    best = building * steps
    choice = build(s, p, seat, words, number(1))
    if building_gain(s, p, seat, words) < gathering_gain(s, p, seat, words):
        choice = Action.GATHER
    room = 0
    taken = s.units[seat] & ALL_CHARACTERS
    for unit in range(CHARACTERS):
        room += 1 - (taken >> unit & 1)
    fixed = np.full(3, NOT_FIXED, np.int64)
    work = workspace()
    for gathers in range(steps):
        for recruits in range(steps - gathers):
            if (recruits > room) or (gathers + recruits == 0 and not has(words, Action.ATTACK)):
                continue
            if (gathers and not has(words, Action.GATHER)) or s.units[seat] & ALL_CHARACTERS == 0:
                continue
            power = gathers * p.gather_amount - recruits * p.recruit_cost
            if s.power[seat] + power < 0:
                continue
            more = recruits * p.nature_multiplier
            left = steps - gathers - recruits
            enough = needed(best - p.w_power * power, building, left) - 1e-9  # as sums are rounded
            value, plan = best_attack(
                s, p, seat, number(BY_VALUE), number(ANYBODY), number(EVERYBODY), number(-1), fixed, more, power,
                enough, work,
            )  # fmt: skip
            if plan < 0:
                continue
            nature = plan >> 12
            if recruits and not has(words, Action.RECRUIT + nature):
                continue
            total = p.w_power * power + value + max(value, building) * (left - 1)
            if total > best:
                best = total
                choice = Action.RECRUIT + nature if recruits else (Action.GATHER if gathers else Action.ATTACK)
    return choice


@kernel
def needed(total: float, building: float, left: int) -> float:
    """What an attack must be worth, so that `left` actions, attacks or building after the first, bring a total."""
    with_building = total - building * (left - 1)
    return with_building if with_building <= building else total / left


# --- declaration and defence ------------------------------------------------------------------------------------------


@kernel
def declare(s: Any, p: Any, seat: int, style: int) -> int:
    """The next step of the attack that the style makes, given what is declared already."""
    if s.phase == Phase.DECL_COMMIT:
        who = ONE_ESCORT if style == SUPPORT_RUSH else EVERYBODY
        return next_unit(s.commit[0], party_of(s, seat, s.kind, who))
    _, plan = plan_attack(s, p, seat, style, declared_so_far(s), -np.inf, workspace())
    if plan < 0:  # a clash must attack, whomever the style would spare
        fixed = declared_so_far(s)
        dearest_, anybody, everybody, none = number(BY_PRIZE), number(ANYBODY), number(EVERYBODY), number(0)
        _, plan = best_attack(
            s, p, seat, dearest_, anybody, everybody, number(-1), fixed, none, none, -np.inf, workspace()
        )
    if plan < 0:
        return any_legal(s, p, seat)
    if s.phase == Phase.DECL_TARGET:
        return Action.ITEM + (plan >> 4 & 255)
    if s.phase == Phase.DECL_TYPE:
        return Action.TYPE + (plan >> 12)
    return Action.FACTION + (((plan & 15) - seat + p.factions) % p.factions) - 1


@kernel
def any_legal(s: Any, p: Any, seat: int) -> int:
    """The legal action with the lowest id."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    for w in range(WORDS):
        if words[w]:
            return 32 * w + lowest_bit(words[w])
    return -1


@kernel
def next_unit(chosen: int, wanted: int) -> int:
    """The next unit of a party to be named (they are named in increasing order), or DONE."""
    left = wanted
    if chosen:
        last = 1
        while chosen >> last:
            last += 1
        left = wanted >> last << last
    return Action.ITEM + lowest_bit(left) if left else Action.DONE


@kernel
def defend(s: Any, p: Any, seat: int, style: int) -> int:
    """Everybody; the styles that calculate spare the target, or send nobody, if that is better."""
    choice = 0
    if style in (MATRIX, LOOKAHEAD) and s.target < UNITS:
        work, none = workspace(), number(0)
        least = np.inf
        for number_ in range(3):
            defence = defence_of(s, seat, s.target, number_)
            value = value_against(
                s, p, s.attacker, seat, s.target, s.kind, s.commit[0], defence, none, none, -np.inf, work
            )
            if value < least:
                least, choice = value, number_
    return next_unit(s.commit[1], defence_of(s, seat, s.target, choice))


@kernel
def evade(s: Any, p: Any, seat: int, style: int) -> int:
    """Run home if standing is worth less; the builder always."""
    if style == BUILDER:
        return Action.RUN_HOME
    cost, none = p.w_power * hooks.run_cost(s, p, seat, p.run_home_cost), number(0)
    value = standing_value(s, p, s.attacker, seat, s.target, s.kind, s.commit[0], none, none, cost, workspace())
    return Action.RUN_HOME if value > cost else Action.STAND


# --- bids and votes ---------------------------------------------------------------------------------------------------


@kernel
def highest_bid(s: Any, p: Any, seat: int) -> int:
    """The most that a seat may bid."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    most = 0
    for b in range(MAX_BID + 1):
        if has(words, Action.BID + b):
            most = b
    return most


@kernel
def bid(s: Any, p: Any, seat: int, rng: Any, style: int) -> int:
    """The bid of a style."""
    most = highest_bid(s, p, seat)
    side = 0 if seat == s.attacker else 1
    if style == ZERO_BID:
        return 0
    if style == ALL_IN:
        return most
    if style == BUILDER:
        return most if side == 1 and T_RESOURCE <= s.target < T_POWER else 0
    if style == STALLER:
        other = s.defender if side == 0 else s.attacker
        needed = s.strength[1 - side] + min(MAX_BID, s.power[other]) - s.strength[side]
        return needed if 0 <= needed <= most else 0
    work = workspace()
    running_value(s, p, work)
    mixture = work[SIZE + side]
    pick = rand_float(rng)
    chosen = 0
    for b in range(most + 1):
        if mixture[b] > 0.0:
            chosen = b
            pick -= mixture[b]
            if pick < 0.0:
                break
    return chosen


@kernel
def vote(s: Any, p: Any, seat: int, style: int) -> int:
    """A draw if fighting on is worth less than nothing; builders always take one, the all-in style never."""
    if style == ALL_IN:
        return Action.VOTE_FIGHT
    if style == BUILDER:
        return Action.VOTE_DRAW
    value = running_value(s, p, workspace())
    own = value if seat == s.attacker else -value
    return Action.VOTE_DRAW if own < 0.0 else Action.VOTE_FIGHT


# --- consequences -----------------------------------------------------------------------------------------------------


@kernel
def fate(s: Any, p: Any, seat: int, other: int) -> int:
    """The cheaper fate of the unit or resource in question; at equal costs what the winner can lose again."""
    what = s.question
    if what >= UNITS:
        return Action.HANDOVER if p.destroyed_resource_pays else Action.REMOVE
    if not removable(s, seat, 1 << what, s.kind):
        return Action.HANDOVER
    return (
        Action.REMOVE
        if fate_cost(s, p, seat, other, what, s.kind) <= p.w_unit * s.value[seat, what]
        else Action.HANDOVER
    )


@kernel
def spoils(s: Any, p: Any, seat: int) -> int:
    """The dearest spoils."""
    best = power_moved(p, s.power[seat], s.power[s.attacker])
    action = Action.SPOILS_POWER
    units = spoils_units(s, p, Action.SPOILS_REMOVE)
    least, most = np.inf, -np.inf
    while units:
        value = p.w_unit * s.value[s.attacker, lowest_bit(units)]
        units &= units - 1
        least, most = min(least, value), max(most, value)
    value = least if p.loser_chooses else most
    if most > -np.inf and value > best:
        best, action = value, Action.SPOILS_REMOVE
    unit = dearest(s, p, s.attacker, seat, spoils_units(s, p, Action.SPOILS_DEMAND), s.kind)
    if unit >= 0 and fate_cost(s, p, s.attacker, seat, unit, s.kind) > best:
        action = Action.SPOILS_DEMAND
    return action


@kernel
def spoils_unit(s: Any, p: Any, seat: int) -> int:
    """The dearest unit for the winner, the cheapest for the loser."""
    units = spoils_units(s, p, s.spoils)
    best = -1
    most = -np.inf
    while units:
        unit = lowest_bit(units)
        units &= units - 1
        value = p.w_unit * s.value[s.attacker, unit]
        if s.spoils == Action.SPOILS_DEMAND:
            value = fate_cost(s, p, s.attacker, s.defender, unit, s.kind)
        if seat == s.attacker:
            value = -value
        if value > most:
            best, most = unit, value
    return Action.ITEM + best


@kernel
def consequence(s: Any, p: Any, seat: int) -> int:
    """The answer to a question about consequences."""
    if s.phase == Phase.VICTIM:
        return Action.ITEM + cheapest(s, p, seat, s.attacker, exposed(s, p, seat, s.commit[1], s.kind), s.kind)
    if s.phase == Phase.FATE:
        return fate(s, p, seat, s.attacker)
    if s.phase == Phase.SPOILS:
        return spoils(s, p, seat)
    if s.phase == Phase.RESPONSE:
        return fate(s, p, seat, s.defender)
    return spoils_unit(s, p, seat)


# --- the baselines ----------------------------------------------------------------------------------------------------


@kernel
def answer_module(s: Any, p: Any, seat: int, rng: Any) -> int:
    """A question of a rule module: a uniform legal answer."""
    words = np.zeros(WORDS, np.int64)
    legal(s, p, seat, words)
    return random_legal(words, rng)


@kernel
def decide(s: Any, p: Any, seat: int, rng: Any, style: int, value: int) -> int:
    """The answer of a style to whatever its seat is asked; `value` is its parameter."""
    if s.depth:
        return answer_module(s, p, seat, rng)
    phase = s.phase
    if phase == Phase.ACTION:
        return act(s, p, seat, style, value)
    if phase in DECLARING:
        return declare(s, p, seat, style)
    if phase == Phase.EVADE:
        return evade(s, p, seat, style)
    if phase == Phase.DEFEND:
        return defend(s, p, seat, style)
    if phase == Phase.BID:
        return Action.BID + bid(s, p, seat, rng, style)
    if phase == Phase.VOTE:
        return vote(s, p, seat, style)
    return consequence(s, p, seat)


@kernel
def plain(s: Any, p: Any, seat: int, rng: Any, style: int) -> int:
    """A style without a parameter."""
    return decide(s, p, seat, rng, style, number(1))


@kernel
def with_parameter(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int, style: int) -> int:
    """A style with one parameter."""
    return decide(s, p, seat, rng, style, int(values[0]))


BASELINES = {
    "builder": Baseline(
        with_parameter,
        "resources all game; bids all it has to save one and else nothing, runs home, takes draws",
        params=(Param("size", 1, "size of its resources", 1, 3, (), int),),
        style=BUILDER,
    ),
    "rush": Baseline(
        with_parameter,
        "recruits its commonest nature, then raids resources in it whenever that is worth more than building",
        params=(Param("n", 3, "characters of that nature", 1, 8, (), int),),
        style=RUSH,
    ),
    "zero_bid": Baseline(plain, "never bids; attacks where its strength alone wins, else builds", style=ZERO_BID),
    "all_in": Baseline(plain, "attacks the dearest target each turn and always bids everything", style=ALL_IN),
    "matrix": Baseline(
        plain, "equilibrium bids; the most valuable of building, gathering and attacking", style=MATRIX, work=7
    ),
    "raider": Baseline(plain, "attacks factions without power, otherwise gathers", style=RAIDER),
    "support_rush": Baseline(
        plain, "the largest support, then attacks in its nature with one escort", style=SUPPORT_RUSH, work=7
    ),
    "staller": Baseline(
        plain,
        "bids what ties with the highest bid of the other side, or 0; builds; takes draws when behind",
        style=STALLER,
    ),
    "lookahead": Baseline(
        plain, "plans own actions ahead, with equilibrium values at the bids", style=LOOKAHEAD, work=12
    ),
}
