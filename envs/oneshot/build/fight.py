"""The build game with `pilot = grid` (4.6): the two characters fight one skirmish, both played by fixed policies.

The tactic chooses the policy: `attack` fights like the baseline `focus` (alone it is `brute`, but drinks its draught
under the wound malus), `diplomat` like `diplomat`. Nobody has saga points. The choices are those of `build`.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.modules.asking import held
from ...core.rng import mix
from .. import hooks
from ..skirmish import rules as skirmish
from ..skirmish.clock import begin_fight, initiative_step
from ..skirmish.pilots import DIPLOMAT, FOCUS, act_turn, react_fight
from ..skirmish.rules import decide
from ..state import (
    D_ATTACK,
    D_DEFENCE,
    D_HARDENED,
    D_INITIATIVE,
    D_LIMIT,
    NOBODY,
    STAGES,
    Item,
    Phase,
    Skill,
    Stage,
    Status,
)
from . import rules as build
from .rules import LUCKY, attribute, derive_figure, malus_of_armour, perks_of, seal, skill_ranks, split_value


@kernel
def setup(s: Any, p: Any) -> None:
    """Both seats choose their perks; nobody stands on the grid yet."""
    build.setup(s, p)
    s.node = NOBODY


@kernel
def enter(s: Any, p: Any, i: int) -> None:
    """The character chosen by seat i takes its place."""
    derive_figure(s, p, i)
    figure = s.figure[i]
    body, charisma = attribute(s, p, i, 0), attribute(s, p, i, 2)
    for k in range(3):
        s.value[i, k] = attribute(s, p, i, k)
        s.physical[i, k] = split_value(body, s.choice[i, 2], k)
        s.combat[i, k] = split_value(body, s.choice[i, 3], k)
        s.social[i, k] = split_value(charisma, s.choice[i, 4], k)
    s.attack[i] = figure[D_ATTACK]
    s.defence[i] = figure[D_DEFENCE]
    s.initiative[i] = figure[D_INITIATIVE]
    s.limit[i] = figure[D_LIMIT]
    s.hardened[i] = figure[D_HARDENED]
    s.armour_malus[i] = malus_of_armour(s, p, i)
    s.move_range[i] = max(1, 6 - s.armour_malus[i])
    ranks = skill_ranks(s, p, i)
    s.rank[i, Skill.LORE_RACE] = ranks // 100 % 100
    s.rank[i, Skill.INSIGHT] = ranks // 10000
    weapon = s.choice[i, Stage.WEAPON]
    s.w_kind[i, 0] = p.weapons[weapon, 0]
    s.w_damage[i, 0] = p.weapons[weapon, 1]
    s.w_range[i, 0] = p.weapons[weapon, 3]
    s.w_rank[i, 0] = ranks % 100
    s.w_number[i, 0] = weapon
    s.perks[i] = perks_of(s, p, i)
    s.items[i, Item.HEAL] = 1 if s.choice[i, Stage.ITEM] == 1 else 0
    s.items[i, Item.FLASK] = 1 if s.choice[i, Stage.ITEM] == 2 else 0
    s.luck[i] = p.luck_uses if s.perks[i] & LUCKY else 0
    s.team[i] = p.f_team[i]
    s.span[i] = p.f_span[i]
    s.x[i] = p.f_x[i]
    s.y[i] = p.f_y[i]
    s.standing[i] = Status.UP


@kernel
def play_on(s: Any, p: Any) -> None:
    """The fixed policies decide until a die is due or the fight is over."""
    while s.status_of_game == 0 and s.die_faces == 0 and s.node != NOBODY and not held(s):
        me = s.asked
        if s.node == Phase.TURN:
            action = act_turn(s, p, me, FOCUS if s.choice[me, Stage.TACTIC] == 0 else DIPLOMAT)
        else:
            action = react_fight(s, p, me)
        decide(s, p, action)


@kernel
def die(s: Any, p: Any) -> int:
    """Dice of the fight; before it, choices of the other seat that are dealt again (search)."""
    return s.die_faces


@kernel
def fall(s: Any, p: Any, outcome: int) -> None:
    """A die of the fight, or a choice that is dealt again."""
    if s.stage_no < STAGES:
        build.fall(s, p, outcome)
        return
    skirmish.fall(s, p, outcome)
    play_on(s, p)


@kernel
def to_act(s: Any, p: Any) -> int:
    """Seats that have not chosen at this stage; nobody in the fight."""
    return 0 if s.stage_no >= STAGES else build.to_act(s, p)


@kernel
def legal(s: Any, p: Any, seat: int, words: Any) -> None:
    """Options of this stage."""
    build.legal(s, p, seat, words)


@kernel
def apply(s: Any, p: Any, seat: int, action: int) -> None:
    """A sealed choice; after the last the fight begins."""
    if seal(s, p, seat, action):
        for i in range(2):
            enter(s, p, i)
        begin_fight(s, p)
        for i in range(2):
            hooks.built(s, p, i)
        if not held(s):
            initiative_step(s)


@kernel
def go_on(s: Any, p: Any) -> None:
    """What modules had asked for is done: the fight goes on, if it has begun."""
    if s.stage_no == STAGES:
        skirmish.pump(s, p)
        play_on(s, p)


@kernel
def seat_for(s: Any, p: Any, who: int) -> int:
    """A seat is its character."""
    return who


@kernel
def over(s: Any, p: Any) -> int:
    """0 running, 1 ended."""
    return s.status_of_game


@kernel
def returns(s: Any, p: Any, out: Any) -> None:
    """What the skirmish brings: +1, -1, 0, or the margin."""
    if s.stage_no < STAGES:
        out[0] = out[1] = 0.0
    else:
        skirmish.returns(s, p, out)


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Own choices, as in `build`."""
    return build.observe(s, p, seat, out)


@kernel
def determinize(s: Any, p: Any, seat: int) -> None:
    """Forget all choices of the other seat while there are any left; the fight is public."""
    if s.stage_no < STAGES:
        build.determinize(s, p, seat)
    else:
        s.n_events = 0
        hooks.forget_fields(s, seat)


@kernel
def key(s: Any, p: Any, seat: int) -> int:
    """The own choices and the stage; in the fight all choices, and what has happened."""
    known = build.key(s, p, seat)
    return known if s.stage_no < STAGES else mix(known, s.public)
