"""The contract of the build game: both seats choose a character in ten sealed stages, then a duel is solved (4.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.abi import ENDED, lowest_bit, popcount
from ...core.jit import kernel
from ...core.legal import allow
from ...core.modules.asking import held
from ...core.rng import mix
from .. import hooks
from ..choices import Patience, Surcharge, TieBreak, Untrained
from ..state import (
    D_ATTACK,
    D_BONUS,
    D_CHARM,
    D_DAMAGE,
    D_DEFENCE,
    D_HARDENED,
    D_INITIATIVE,
    D_KEY,
    D_LIMIT,
    D_LORE,
    D_TACTIC,
    D_TALK,
    MELEE,
    N_BUILD,
    NO_LORE,
    OPTIONS_MAX,
    SPLITTING,
    STAGES,
    Stage,
)
from .duel import duel_value

HARDENED, GIFT, ARMOUR_TRAINING, FINESSE, WEAK, LUCKY, LIVELY, PATIENT = 1, 2, 4, 8, 16, 32, 64, 128


@kernel
def setup(s: Any, p: Any) -> None:
    """Both seats choose their perks."""
    for seat in range(2):
        s.sealed[seat] = -1
        for k in range(STAGES):
            s.choice[seat, k] = -1
    s.ask_phase = N_BUILD
    s.observer = -1
    for seat in range(2):
        hooks.stage_begins(s, p, seat, 0)


@kernel
def perks_of(s: Any, p: Any, seat: int) -> int:
    """Bit set of the perks chosen."""
    return p.perk_bits[s.choice[seat, Stage.PERKS]]


@kernel
def attribute(s: Any, p: Any, seat: int, k: int) -> int:
    """Body, mind or charisma chosen."""
    perks = perks_of(s, p, seat)
    return p.triples[1 if perks & LUCKY else 0, 1 if perks & GIFT else 0, s.choice[seat, Stage.ATTRIBUTES], k]


@kernel
def split_count(points: int) -> int:
    """Ways to distribute points on three values; one way for none."""
    return (points + 1) * (points + 2) // 2 if points > 0 else 1


@kernel
def split_value(points: int, option: int, k: int) -> int:
    """The k-th value of a split, ascending lexicographic."""
    at = 0
    for a in range(max(0, points) + 1):
        for b in range(max(0, points) - a + 1):
            if at == option:
                if k == 0:
                    return a
                return b if k == 1 else max(0, points) - a - b
            at += 1
    return 0


@kernel
def price(s: Any, p: Any, seat: int) -> int:
    """Price of the gear chosen so far."""
    total = 0
    if s.choice[seat, Stage.WEAPON] >= 0:
        total += p.weapons[s.choice[seat, Stage.WEAPON], 2]
    if s.choice[seat, Stage.ARMOUR] >= 0:
        total += p.armours[s.choice[seat, Stage.ARMOUR], 2]
    return total


@kernel
def cheapest_armour(p: Any) -> int:
    """Price of the cheapest armour."""
    least = p.armours[0, 2]
    for k in range(p.n_armours):
        least = min(least, p.armours[k, 2])
    return least


@kernel
def options(s: Any, p: Any, seat: int, stage: int, words: Any) -> None:
    """Options of a stage that can still be completed legally."""
    budget = p.gear_budget if p.gear_budget >= 0 else 1000
    if stage == Stage.PERKS:
        for i in range(OPTIONS_MAX):
            if p.perk_open[i]:
                allow(words, i)
    elif stage == Stage.ATTRIBUTES:
        perks = perks_of(s, p, seat)
        luck, gift = 1 if perks & LUCKY else 0, 1 if perks & GIFT else 0
        cost = (3 if perks & ARMOUR_TRAINING else 0) + (3 if perks & FINESSE else 0)
        for i in range(p.n_triples[luck]):
            if p.triple_open[luck, gift, i] and 5 + 5 * p.triples[luck, gift, i, 1] - cost >= 0:
                allow(words, i)
    elif stage in SPLITTING:
        points = attribute(s, p, seat, 2 if stage == Stage.SOCIAL else 0)
        for i in range(split_count(points)):
            allow(words, i)
    elif stage == Stage.SKILLS:
        for i in range(4):
            allow(words, i)
    elif stage == Stage.WEAPON:
        for i in range(p.n_weapons):
            if p.weapons[i, 2] + cheapest_armour(p) <= budget:
                allow(words, i)
    elif stage == Stage.ARMOUR:
        for i in range(p.n_armours):
            if price(s, p, seat) + p.armours[i, 2] <= budget:
                allow(words, i)
    elif stage == Stage.ITEM:
        for i in range(3):
            if price(s, p, seat) + p.item_price[i] <= budget:
                allow(words, i)
    else:
        allow(words, 0)
        allow(words, 1)


@kernel
def rank_step(p: Any, rank: int) -> int:
    """R12: what the rank after this one costs."""
    above = max(0, rank + 1 - 3)
    if above == 0:
        return 1
    return 2 if p.skill_surcharge == Surcharge.LINEAR else 1 + above


@kernel
def raise_skill(p: Any, rank: int, points: int, top: int) -> int:
    """Raise a rank as far as affordable, at most to `top`: rank + 1000 * points left."""
    while rank < top and rank_step(p, rank) <= points:
        points -= rank_step(p, rank)
        rank += 1
    return rank + 1000 * points


@kernel
def skill_ranks(s: Any, p: Any, seat: int) -> int:
    """Ranks by the skill plan chosen: of the weapon's group + 100 * lore_race + 10000 * insight."""
    perks = perks_of(s, p, seat)
    points = 5 + 5 * attribute(s, p, seat, 1)
    points -= (3 if perks & ARMOUR_TRAINING else 0) + (3 if perks & FINESSE else 0)
    plan = s.choice[seat, Stage.SKILLS]
    lore, insight = 0, 0
    if plan == 0:
        return raise_skill(p, 0, points, 1000) % 1000
    if plan == 1:
        found = raise_skill(p, 0, points, 3)
        group = found % 1000
        found = raise_skill(p, 0, found // 1000, 1000)
        lore = found % 1000
        group = raise_skill(p, group, found // 1000, 1000) % 1000
    elif plan == 2:
        found = raise_skill(p, 0, points, 3)
        lore = found % 1000
        group = raise_skill(p, 0, found // 1000, 1000) % 1000
    else:
        found = raise_skill(p, 0, points, 3)
        group = found % 1000
        insight = raise_skill(p, 0, found // 1000, 1000) % 1000
    return group + 100 * lore + 10000 * insight


@kernel
def malus_of_armour(s: Any, p: Any, seat: int) -> int:
    """R106, R132: malus of the armour chosen."""
    training = 1 if perks_of(s, p, seat) & ARMOUR_TRAINING else 0
    return max(0, p.armours[s.choice[seat, Stage.ARMOUR], 1] - training)


@kernel
def derive_figure(s: Any, p: Any, seat: int) -> None:
    """What a duel needs of the character chosen."""
    f = s.figure[seat]
    perks = perks_of(s, p, seat)
    body, mind, charisma = attribute(s, p, seat, 0), attribute(s, p, seat, 1), attribute(s, p, seat, 2)
    patient = 1 if perks & PATIENT else 0
    better = 1 if p.patient_attack == Patience.IMPROVES else -1
    armour = s.choice[seat, Stage.ARMOUR]
    malus = malus_of_armour(s, p, seat)
    f[D_ATTACK] = 6 - split_value(body, s.choice[seat, 3], 0) - better * patient
    f[D_DEFENCE] = 3 + split_value(body, s.choice[seat, 3], 1) + p.armours[armour, 0] + patient
    base_initiative = split_value(body, s.choice[seat, 3], 2)
    f[D_INITIATIVE] = (10 if patient else 6) - base_initiative
    f[D_KEY] = f[D_INITIATIVE] if p.tie_break == TieBreak.INITIATIVE_LOW else base_initiative
    f[D_HARDENED] = 1 if perks & HARDENED else 0
    f[D_LIMIT] = 2 + body - f[D_HARDENED] + (1 if perks & LIVELY else 0)
    ranks = skill_ranks(s, p, seat)
    group, lore = ranks % 100, ranks // 100 % 100
    weapon = s.choice[seat, Stage.WEAPON]
    f[D_BONUS] = group - malus
    power = 2
    if p.weapons[weapon, 0] == MELEE and not perks & FINESSE:
        power = 0
    f[D_DAMAGE] = p.weapons[weapon, 1] + split_value(body, s.choice[seat, 2], power)
    f[D_LORE] = NO_LORE
    if perks & WEAK:
        f[D_LORE] = mind - 1
        if lore >= 1:
            f[D_LORE] = max(lore, mind - 1) if p.untrained_rule == Untrained.BEST else lore
    f[D_TALK] = split_value(charisma, s.choice[seat, 4], 2)
    f[D_CHARM] = charisma
    f[D_TACTIC] = s.choice[seat, Stage.TACTIC]


@kernel
def die(s: Any, p: Any) -> int:
    """Choices of the other seat that are dealt again (search)."""
    return s.die_faces


@kernel
def next_hidden(s: Any, p: Any) -> None:
    """The die for the next choice of the other that is to be dealt again."""
    other = 1 - s.observer
    s.die_faces = 0
    for stage in range(s.stage_no):
        if s.choice[other, stage] < 0:
            for w in range(3):
                s.words[w] = 0
            options(s, p, other, stage, s.words)
            for w in range(3):
                s.die_faces += popcount(s.words[w])
            return
    for w in range(3):
        s.words[w] = 0


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """The other seat's next choice, uniform among its options."""
    other = 1 - s.observer
    stage = 0
    while s.choice[other, stage] >= 0:
        stage += 1
    for w in range(3):
        word = s.words[w]
        n = popcount(word)
        if 0 <= outcome < n:
            for _ in range(outcome):
                word &= word - 1
            s.choice[other, stage] = 32 * w + lowest_bit(word)
            break
        outcome -= n
    next_hidden(s, p)


@kernel
def to_act(s: Any, p: Any) -> int:
    """Seats that have not chosen at this stage."""
    if s.status_of_game or s.die_faces or s.stage_no == STAGES:
        return 0
    return (1 if s.sealed[0] < 0 else 0) | (2 if s.sealed[1] < 0 else 0)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of this stage."""
    options(s, p, seat, s.stage_no, words)


@kernel
def seal(s: Any, p: Any, seat: int, action: int) -> int:
    """A sealed choice; when both are in, the next stage. 1 once both characters are complete."""
    s.n_events = 0
    s.decisions += 1
    s.sealed[seat] = action
    s.private[seat] = mix(s.private[seat], action + 1)
    if s.sealed[0] < 0 or s.sealed[1] < 0:
        return 0
    for i in range(2):
        s.choice[i, s.stage_no] = s.sealed[i]
        s.sealed[i] = -1
    s.stage_no += 1
    if s.stage_no < STAGES:
        s.ask_phase = N_BUILD + s.stage_no
        for i in range(2):
            hooks.stage_begins(s, p, i, s.stage_no)
        return 0
    return 1


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """A sealed choice; after the last the duel."""
    if seal(s, p, seat, action):
        for i in range(2):
            derive_figure(s, p, i)
        for i in range(2):
            hooks.built(s, p, i)
        go_on(s, p)


@kernel
def go_on(s: Any, p: Any) -> None:
    """The duel, once both characters are complete and nothing is asked any more."""
    if s.stage_no == STAGES and s.status_of_game == 0 and not held(s):
        s.worth = duel_value(p, s.figure, p.max_count, np.zeros(3))
        s.status_of_game = ENDED


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended."""
    return s.status_of_game


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """P(win) - P(loss) of the duel."""
    out[0] = s.worth if s.status_of_game else 0.0
    out[1] = -out[0]
    if s.status_of_game:
        for seat in range(2):
            out[seat] = hooks.payoff(s, p, seat, out[seat])


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Own choices one-hot by stage, the stage, budgets left."""
    for stage in range(STAGES):
        if s.choice[seat, stage] >= 0:
            out[OPTIONS_MAX * stage + s.choice[seat, stage]] = 1.0
    at = OPTIONS_MAX * STAGES
    if s.sealed[seat] >= 0 and s.stage_no < STAGES:
        out[OPTIONS_MAX * s.stage_no + s.sealed[seat]] = 1.0
    if s.stage_no < STAGES:
        out[at + s.stage_no] = 1.0
    at += STAGES
    if p.gear_budget >= 0:
        out[at] = (p.gear_budget - price(s, p, seat)) / 20.0
    if s.choice[seat, Stage.ATTRIBUTES] >= 0:
        for k in range(3):
            out[at + 1 + k] = (attribute(s, p, seat, k) + 1) / 7.0
    return hooks.observe_modules(s, p, seat, out, at + 4)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget all choices of the other seat; chance deals them again."""
    s.n_events = 0
    hooks.forget_fields(s, seat)
    if s.status_of_game or s.stage_no == STAGES:  # both are known when they meet
        return
    other = 1 - seat
    s.observer = seat
    s.sealed[other] = -1
    s.private[other] = 0
    for k in range(STAGES):
        s.choice[other, k] = -1
    next_hidden(s, p)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """The own choices and the stage; when the two meet, all choices."""
    known = mix(mix(s.private[seat], s.stage_no), seat + 1)
    return known if s.stage_no < STAGES else mix(known, s.private[1 - seat])
