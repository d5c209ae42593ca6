"""Policies for fights: targets, places, edges, items, reactions. Baselines play by them, and so does the build game.

Nothing is read that the seat may not know: under `hidden_stats` an enemy counts as an average one.
"""

from __future__ import annotations

from typing import Any

from ...core.abi import lowest_bit
from ...core.jit import kernel
from ..dicing import skill_value
from ..state import (
    DECLINE,
    LUCK,
    MACRO,
    MELEE,
    MOVES,
    OFFSET_X,
    OFFSET_Y,
    RANGED,
    SAGA,
    Action,
    Check,
    Phase,
    Skill,
    Status,
    Talk,
)
from .arms import blast_area
from .ground import distance, flood, gap
from .numbers import (
    attack_modifier,
    barred,
    chance_at_least,
    damage_modifier,
    defence_now,
    edge_modifier,
    hurt_malus,
    malus,
)

POLICIES = True  # compiled beside the rules of every game that uses it, not as a part of them
BRUTE, FOCUS, KITER, DIPLOMAT, SPOILER, STALKER, SNIPER = range(7)
USUAL_DEFENCE, USUAL_LIMIT, USUAL_VALUE = 5, 4, 1  # of an enemy whose values are hidden
CLOSE = 7  # distance from which an enemy can come and strike in one turn
APPROACH, NEAREST, WEAKEST, RETREAT, RANGE = 0, 1, 2, 3, 4  # of a place; those from 1 on are macro moves too


@kernel
def may(s: Any, action: int) -> bool:
    """Whether an action is legal in this turn."""
    return s.allowed[action >> 5] >> (action & 31) & 1 == 1


@kernel
def test_chance(modifier: int, need: int) -> float:
    """R24: chance that d6 + modifier >= need, with confirmed ones and sixes."""
    wins = 0.0
    for face in range(1, 7):
        passes = 1.0 if face + modifier >= need else 0.0
        if face == 1:
            wins += passes * 4.0 / 6.0
        elif face == 6:
            wins += 2.0 / 6.0 + passes * 4.0 / 6.0
        else:
            wins += passes
    return wins / 6.0


@kernel
def unknown(s: Any, p: Any, me: int, b: int) -> bool:
    """Whether the values of a figure are hidden from somebody who looks from `me`."""
    return p.hidden_stats != 0 and s.team[b] != s.team[me]


@kernel
def guard_of(s: Any, p: Any, me: int, b: int) -> int:
    """Defence of a figure as far as `me` may know it."""
    return USUAL_DEFENCE if unknown(s, p, me, b) else defence_now(s, p, b)


@kernel
def rest_of(s: Any, p: Any, me: int, b: int) -> int:
    """Wounds that a figure can still take, as far as `me` may know."""
    limit = USUAL_LIMIT if unknown(s, p, me, b) else s.limit[b]
    return max(0, limit - s.wounds[b])


@kernel
def steps_at(s: Any, who: int, weapon: int, far: int) -> int:
    """R101-R104: range steps of an attack over a distance, or -1."""
    kind = s.w_kind[who, weapon]
    if kind == MELEE:
        return 0 if far <= 1 else -1
    if kind != RANGED:
        return -1
    steps = (far - 1) // s.w_range[who, weapon] if far > 0 else 0
    return -1 if steps >= 1 and s.w_damage[who, weapon] - steps <= 0 else steps


@kernel
def wounds_by(s: Any, p: Any, me: int, weapon: int, b: int, far: int) -> float:
    """Expected wounds of an attack over a distance; -1 where it is impossible."""
    steps = steps_at(s, me, weapon, far)
    if steps < 0:
        return -1.0
    hit = chance_at_least(s.attack[me] - attack_modifier(s, p, me, weapon, b, steps))
    return hit * chance_at_least(guard_of(s, p, me, b) - damage_modifier(s, p, me, weapon, b, steps))


@kernel
def best_weapon(s: Any, p: Any, me: int, b: int, far: int) -> int:
    """The weapon slot with the highest expected wounds over a distance; -1 none."""
    one = wounds_by(s, p, me, 0, b, far)
    two = wounds_by(s, p, me, 1, b, far)
    if one < 0.0 and two < 0.0:
        return -1
    return 1 if two > one else 0


@kernel
def worth_at(s: Any, p: Any, me: int, b: int, far: int) -> float:
    """Expected wounds with the better weapon; -1 where no attack is possible."""
    return max(wounds_by(s, p, me, 0, b, far), wounds_by(s, p, me, 1, b, far))


@kernel
def longest(s: Any, me: int) -> int:
    """The longest distance at which a weapon of the figure has no range step; 1 for melee weapons."""
    far = 1
    for w in range(2):
        if s.w_kind[me, w] == RANGED:
            far = max(far, s.w_range[me, w])
    return far


@kernel
def nearest(s: Any, p: Any, me: int) -> int:
    """The nearest enemy that is up, one that may be attacked if there is any; -1 none."""
    best = -1
    for t in range(p.members[1 - s.team[me]]):
        b = p.first[1 - s.team[me]] + t
        if s.standing[b] == Status.UP:
            if best < 0:
                best = b
            elif barred(s, me, best) != barred(s, me, b):
                best = best if barred(s, me, b) else b
            elif distance(s, me, b) < distance(s, me, best):
                best = b
    return best


@kernel
def weakest(s: Any, p: Any, me: int) -> int:
    """The enemy with the fewest wounds left among those that can be attacked in this turn, else the nearest."""
    best = -1
    least = 1 << 20
    steps = 0 if s.moved[me] else s.move_range[me]
    for t in range(p.members[1 - s.team[me]]):
        b = p.first[1 - s.team[me]] + t
        if s.standing[b] == Status.UP and not barred(s, me, b):
            far = distance(s, me, b)
            if worth_at(s, p, me, b, max(1, far - steps)) > 0.0:
                cost = 1000 * rest_of(s, p, me, b) + far
                if cost < least:
                    least = cost
                    best = b
    return best if best >= 0 else nearest(s, p, me)


@kernel
def place(s: Any, p: Any, me: int, goal: int, how: int) -> int:
    """The move that serves best, as an offset number; -1: stay. See the constants APPROACH to RANGE.

    APPROACH: where the attack on `goal` is worth most, else as near to it as possible. RANGE: the same, and then as far
    from all enemies as possible. RETREAT: as far from all enemies as it makes sense.
    """
    flood(s, p, me, s.move_range[me])
    foes = p.first[1 - s.team[me]]
    members = p.members[1 - s.team[me]]
    enough = longest(s, me) + s.move_range[me]
    best = -1
    most = -1e18
    for k in range(-1, MOVES):
        x, y = s.x[me], s.y[me]
        if k >= 0:
            x += OFFSET_X[k]
            y += OFFSET_Y[k]
            if not s.reach[7 + OFFSET_Y[k]] >> (x + 6) & 1:
                continue
        steps = abs(x - s.x[me]) + abs(y - s.y[me])
        far = gap(x, y, s.span[me], s.x[goal], s.y[goal], s.span[goal])
        score = 0.0
        if how != RETREAT:
            worth = worth_at(s, p, me, goal, far)
            score = 1000.0 * worth if worth > 0.0 else -1000.0 - 10.0 * far
        if how != APPROACH:
            near = 1 << 20
            for t in range(members):
                b = foes + t
                if s.standing[b] == Status.UP:
                    near = min(near, gap(x, y, s.span[me], s.x[b], s.y[b], s.span[b]))
            if how == RETREAT or score > 0.0:
                score += float(min(near, enough))
        score -= 0.01 * steps
        if score > most:
            most = score
            best = k
    return best


@kernel
def walk(s: Any, p: Any, me: int, goal: int, how: int) -> int:
    """The action that goes there; END_TURN if the figure stays."""
    if s.moved[me]:
        return Action.END_TURN
    if MACRO:
        choice = Action.MOVE + (how if how else NEAREST)
        return choice if may(s, choice) else Action.END_TURN
    k = place(s, p, me, goal, how)
    return Action.MOVE + k if k >= 0 else Action.END_TURN


@kernel
def help_of(s: Any, p: Any, me: int) -> int:
    """A smelling salt for who lies there, a draught for the worst hurt under the wound malus; -1 nothing."""
    mine = p.first[s.team[me]]
    best = -1
    for k in range(p.members[s.team[me]]):
        if may(s, Action.SALTS + k):
            return Action.SALTS + k
        if may(s, Action.HEAL + k):
            b = mine + k
            if 2 * s.wounds[b] > s.limit[b] and (best < 0 or rest_of(s, p, me, b) < rest_of(s, p, me, mine + best)):
                best = k
    return Action.HEAL + best if best >= 0 else -1


@kernel
def flask_worth(s: Any, p: Any, me: int, b: int) -> float:
    """Expected wounds of enemies less those of friends if a flask is thrown at `b`."""
    worth = 0.0
    area = blast_area(s, p, b)
    while area:
        i = lowest_bit(area)
        area &= area - 1
        chance = chance_at_least(guard_of(s, p, me, i) - p.flask_damage + malus(s, me) - s.surprise)
        if s.team[i] == 1 - s.team[me]:
            worth += chance if s.standing[i] == Status.UP else 0.0
        else:
            worth -= chance
    return worth


@kernel
def edge_on(s: Any, method: int, target: int) -> bool:
    """Whether somebody holds such an edge over a figure."""
    for i in range(len(s.x)):
        if s.edge[method, i, target] > 0:
            return True
    return False


@kernel
def edge_chance(s: Any, p: Any, me: int, target: int, method: int) -> float:
    """Chance to gain an edge."""
    value = USUAL_VALUE if unknown(s, p, me, target) else s.value[target, method]
    return test_chance(edge_modifier(s, p, me, target, method), value + p.social_offset + p.social_tie)


@kernel
def truce(s: Any, p: Any, me: int) -> int:
    """The diplomatic edge that ends with this turn, or is missing, over the nearest enemy that can strike; or -1."""
    foes = p.first[1 - s.team[me]]
    best = -1
    for t in range(p.members[1 - s.team[me]]):
        b = foes + t
        if (
            s.standing[b] == Status.UP
            and s.edge[Talk.DIPLOMATIC, me, b] <= 1
            and may(s, Action.EDGE + 4 * Talk.DIPLOMATIC + t)
        ):
            armed = distance(s, me, b) <= CLOSE or s.w_kind[b, 0] == RANGED or s.w_kind[b, 1] == RANGED
            if armed and (best < 0 or distance(s, me, b) < distance(s, me, foes + best)):
                best = t
    return Action.EDGE + 4 * Talk.DIPLOMATIC + best if best >= 0 else -1


@kernel
def nuisance(s: Any, p: Any, me: int, goal: int) -> int:
    """The feint before an enemy's first wound; in the first turn, the intimidation of the strongest enemy; or -1."""
    foes = p.first[1 - s.team[me]]
    feint = Action.EDGE + 4 * Talk.CUNNING + goal - foes
    if s.wounds[goal] == 0 and may(s, feint) and not edge_on(s, Talk.CUNNING, goal) and distance(s, me, goal) <= CLOSE:
        if edge_chance(s, p, me, goal, Talk.CUNNING) >= 0.5:
            return feint
    if s.count <= s.c_init[me]:
        strongest = -1
        most = -1.0
        for t in range(p.members[1 - s.team[me]]):
            b = foes + t
            if s.standing[b] == Status.UP:
                power = 0.0 if unknown(s, p, me, b) else worth_at(s, p, b, me, 1)
                if power > most:
                    most = power
                    strongest = t
        threat = Action.EDGE + 4 * Talk.AGGRESSIVE + strongest
        if strongest >= 0 and may(s, threat) and not edge_on(s, Talk.AGGRESSIVE, foes + strongest):
            return threat
    return -1


@kernel
def strike(s: Any, p: Any, me: int, goal: int) -> int:
    """The attack or the flask that is worth most now: on `goal` if it can be attacked, else on anybody; -1 none."""
    foes = p.first[1 - s.team[me]]
    best = -1
    most = 0.0
    for t in range(p.members[1 - s.team[me]]):
        b = foes + t
        far = distance(s, me, b)
        for w in range(2):
            action = Action.ATTACK + 4 * w + t
            if may(s, action):
                worth = wounds_by(s, p, me, w, b, far) + (10.0 if b == goal else 0.0)
                if worth > most and worth != 10.0:
                    most = worth
                    best = action
    if most >= 10.0:
        most -= 10.0
    for t in range(p.members[1 - s.team[me]]):
        if may(s, Action.FLASK + t):
            worth = flask_worth(s, p, me, foes + t)
            if worth > most:
                most = worth
                best = Action.FLASK + t
    return best


@kernel
def act_turn(s: Any, p: Any, me: int, style: int) -> int:
    """A decision of the node `turn`."""
    goal = weakest(s, p, me) if style in (FOCUS, SNIPER) else nearest(s, p, me)
    if goal < 0:
        return Action.END_TURN
    if not s.acted[me]:
        if style in (FOCUS, KITER, STALKER, SNIPER):
            found = help_of(s, p, me)
            if found >= 0:
                return found
        elif style == DIPLOMAT:
            found = truce(s, p, me)
            if found >= 0:
                return found
        elif style == SPOILER:
            found = nuisance(s, p, me, goal)
            if found >= 0:
                return found
        ready = worth_at(s, p, me, goal, distance(s, me, goal)) > 0.0 and not barred(s, me, goal)
        first = style not in (STALKER, SNIPER) or longest(s, me) <= 1  # strike before moving, if that is possible
        if (ready and first) or s.moved[me]:
            found = strike(s, p, me, goal)
            if found >= 0:
                return found
        if s.moved[me]:
            return Action.END_TURN
        how = RANGE if style in (KITER, STALKER, SNIPER) else APPROACH
        found = walk(s, p, me, goal, how)
        if found != Action.END_TURN:
            return found
        found = strike(s, p, me, goal)
        return found if found >= 0 else Action.END_TURN
    if style in (KITER, STALKER, SNIPER) and longest(s, me) > 1:
        return walk(s, p, me, goal, RETREAT + 0 * me)  # a sum is no literal
    if style in (FOCUS, BRUTE, STALKER, SNIPER):
        return Action.END_TURN
    far = distance(s, me, goal)
    return (
        walk(s, p, me, goal, APPROACH + 0 * me) if far > 1 and worth_at(s, p, me, goal, far) <= 0.0 else Action.END_TURN
    )


@kernel
def weak_spot_pays(s: Any, p: Any, me: int) -> bool:
    """R135: whether the test raises the chance of a wound."""
    b = s.target
    need = guard_of(s, p, me, b) - damage_modifier(s, p, me, s.weapon, b, s.steps)
    found = test_chance(skill_value(p, s.rank[me, Skill.LORE_RACE], s.value[me, 1]) - malus(s, me), 4)
    gained = found * chance_at_least(need - 1) + (1.0 - found) * chance_at_least(need + 1)
    return gained > chance_at_least(need)


@kernel
def react_fight(s: Any, p: Any, me: int) -> int:
    """Reactions: saga points avert wounds; luck is kept for survival until the figure is badly hurt."""
    node = s.node
    if node == Phase.REACT_WOUND:
        return SAGA
    if node == Phase.REACT_WEAK_SPOT:
        return Action.WEAK_SPOT if weak_spot_pays(s, p, me) else DECLINE
    if node == Phase.REACT_FAIL:
        kind = s.ck_kind
        minor = kind in (Check.ATTACK, Check.EDGE, Check.WEAK)
        if s.re_luck and (not minor or hurt_malus(s, me)):
            return LUCK
        if s.re_saga and not minor:
            return SAGA
        if s.re_luck and kind == Check.SURVIVE:
            return LUCK
    return DECLINE
