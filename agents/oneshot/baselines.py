"""Baselines of OneShot (section 6 of its specification), compiled; none reads what its seat may not know.

Skirmishes: targets, places and reactions are what `envs/oneshot/skirmish/pilots.py` says; saga points avert wounds,
luck is kept for survival until the figure is badly hurt, a fire flask is thrown where it is worth more than the best
attack. Talks: the belief is uniform over the attribute triples that fit all outcomes so far; lies are told and
believed as in the equilibrium (7.7). Missions: fights are those of `focus`, talks those of `dp`, which leaves a
talk where a break-off is too likely; the way is the same for all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.jit import kernel
from ...envs.core.rng import rand_below
from ...envs.oneshot.choices import Scenario
from ...envs.oneshot.parley.rules import lie_chance
from ...envs.oneshot.skirmish.pilots import (
    BRUTE,
    DIPLOMAT,
    FOCUS,
    KITER,
    SNIPER,
    SPOILER,
    STALKER,
    act_turn,
    react_fight,
)
from ...envs.oneshot.state import (
    DECLINE,
    N_TRIPLES,
    OPTIONS_MAX,
    TALK_CHECKS,
    TRIPLES,
    Action,
    Mode,
    Parley,
    ParleyAction,
    Phase,
)
from ..base import Param
from ..declaration import Baseline
from .books import best_reply_book, equilibrium_book, talk_memory
from .build import by_the_book, drawn_from, stage_weights
from .mission import AMBUSHER, CLEAVER, GHOST, approached, assigned, on_the_way
from .talk import drawn, react_talk, talk_best_odds, talk_cautious, talk_dp, talk_warm_up
from .tries import best_of_some, ranked_builds
from .vanguard import guarded_turn

ODDS, WARM, CAUTIOUS, PROGRAMME = range(4)

# --- skirmish ---------------------------------------------------------------------------------------------------------


@kernel
def fighter(s: Any, p: Any, style: int) -> int:
    """Any decision of a fight."""
    if s.node == Phase.TURN:
        return act_turn(s, p, s.asked, style)
    return react_fight(s, p, s.asked)


@kernel
def raider(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int, style: int) -> int:
    """Any decision of a mission: the way of `cleaver`, fights of the style."""
    if s.node == Phase.TURN:
        return act_turn(s, p, s.asked, style)
    return party(s, p, CLEAVER + 0 * s.node, memory)


@kernel
def brute(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Attacks the nearest enemy with the best expected wounds."""
    return fighter(s, p, BRUTE + 0 * s.node)  # a sum is no literal, for which numba would compile a callee anew


@kernel
def focus(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Attacks whoever can take the fewest wounds; heals under the wound malus."""
    return fighter(s, p, FOCUS + 0 * s.node)


@kernel
def kiter(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Strikes from as far as possible and steps back."""
    return fighter(s, p, KITER + 0 * s.node)


@kernel
def diplomat(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Renews the diplomatic edge over the nearest threat whenever it would end."""
    return fighter(s, p, DIPLOMAT + 0 * s.node)


@kernel
def spoiler(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Feints before an enemy's first wound, intimidates the strongest in its first turn."""
    return fighter(s, p, SPOILER + 0 * s.node)


# --- parley -----------------------------------------------------------------------------------------------------------


@kernel
def noticed(s: Any, p: Any, probed: int) -> float:
    """Chance that a lie is noticed."""
    return lie_chance(s, p, probed) / 36.0


@kernel
def claimant(s: Any, p: Any, rng: Any) -> int:
    """7.7: lies with chance 1 / (2 - q); asks where it is noticed sooner; doubts a sign, else believes as often."""
    q = max(noticed(s, p, 0), noticed(s, p, 1))
    node = s.node
    if node == Phase.CLAIM_TELL:
        return ParleyAction.TELL_LIE if drawn(rng, 1.0 / (2.0 - q)) else ParleyAction.TELL_TRUTH
    if node == Phase.CLAIM_PROBE:
        return ParleyAction.PROBE if noticed(s, p, 1) >= noticed(s, p, 0) else DECLINE
    if s.sign == 1:
        return ParleyAction.DOUBT
    if p.mode == Parley.CLAIM_SOLO:
        true = p.claim_truth / 100.0
        return ParleyAction.BELIEVE if true >= (1.0 - true) * (1.0 - noticed(s, p, s.probed)) else ParleyAction.DOUBT
    return ParleyAction.BELIEVE if drawn(rng, 1.0 / (2.0 - q)) else ParleyAction.DOUBT


@kernel
def chosen_triple(rng: Any) -> int:
    """Any triple with the highest charisma: it gives points to talk with, and leaves the other one try only."""
    best = 0
    found = 0
    for k in range(N_TRIPLES):
        if TRIPLES[k, 2] == 3:
            found += 1
            if rand_below(rng, found) == 0:
                best = k
    return ParleyAction.TRIPLE + best


@kernel
def chosen_split(s: Any, seat: int, rng: Any) -> int:
    """Any split of the charisma."""
    points = s.t_value[seat, 2]
    return ParleyAction.SPLIT + rand_below(rng, (points + 1) * (points + 2) // 2)


@kernel
def talker(s: Any, p: Any, seat: int, rng: Any, style: int, memory: int) -> int:
    """Any decision of a parley."""
    node = s.node
    if node in (Phase.CLAIM_TELL, Phase.CLAIM_PROBE, Phase.CLAIM_JUDGE):
        return claimant(s, p, rng)
    if node == Phase.TRIPLE:
        return chosen_triple(rng)
    if node == Phase.SPLIT:
        return chosen_split(s, seat, rng)
    if node != Phase.TALK:
        return react_talk(s)
    if style == ODDS:
        return talk_best_odds(s, p, seat)
    if style == WARM:
        return talk_warm_up(s, p, seat)
    if style == CAUTIOUS:
        return talk_cautious(s, p, seat)
    return talk_dp(s, p, seat, memory)


@kernel
def best_odds(s: Any, p: Any, seat: int, rng: Any) -> int:
    """The method with the highest chance of a success now, under the belief."""
    return talker(s, p, seat, rng, ODDS + 0 * s.node, 0 * s.node)


@kernel
def warm_up(s: Any, p: Any, seat: int, rng: Any) -> int:
    """While the mood is bad, the method that least likely fails for real."""
    return talker(s, p, seat, rng, WARM + 0 * s.node, 0 * s.node)


@kernel
def cautious(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Recovers or leaves when one failure from breaking."""
    return talker(s, p, seat, rng, CAUTIOUS + 0 * s.node, 0 * s.node)


@kernel
def dp(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The dynamic programme of 7.6, averaged over the belief."""
    return talker(s, p, seat, rng, PROGRAMME + 0 * s.node, memory)


# --- build ------------------------------------------------------------------------------------------------------------


@kernel
def uniform(s: Any, p: Any, seat: int, rng: Any) -> int:
    """Every complete build is equally likely."""
    weights = np.zeros(OPTIONS_MAX)
    stage_weights(s, p, seat, weights)
    return drawn_from(weights, rng)


@kernel
def booked(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The build that a book of builds holds."""
    return by_the_book(s, p, seat, rng, memory)


@kernel
def compared(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The best of some builds."""
    return best_of_some(s, p, seat, rng, values[0], memory)


# --- mission ----------------------------------------------------------------------------------------------------------


@kernel
def party(s: Any, p: Any, style: int, memory: int) -> int:
    """Any decision of a mission; `memory`: of the talk programme."""
    node = s.node
    if node == Phase.TURN:
        return act_turn(s, p, s.asked, FOCUS)
    if node == Phase.EXPLORE:
        return on_the_way(s, p, style)
    if node == Phase.APPROACH:
        return approached(s, style)
    if node == Phase.ASSIGN:
        return assigned(s, p)
    if node == Phase.TOOL:
        return Action.USE_TOOL
    if node == Phase.TALK:
        return talk_dp(s, p, 0, memory)
    if s.mode == Mode.TALK and s.ck_kind in TALK_CHECKS:
        return react_talk(s)
    return react_fight(s, p, s.asked)


@kernel
def cleaver(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Fights everything."""
    return party(s, p, CLEAVER + 0 * s.node, memory)


@kernel
def ghost(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Sneaks past whom it need not kill."""
    return party(s, p, GHOST + 0 * s.node, memory)


@kernel
def prowler(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The way of `ghost`, the fights of `stalker`."""
    if s.node == Phase.TURN:
        return act_turn(s, p, s.asked, STALKER)
    return party(s, p, GHOST + 0 * s.node, memory)


@kernel
def vanguard(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Fights everything, the hardiest hero nearest to the enemies."""
    if s.node == Phase.TURN:
        return guarded_turn(s, p, s.asked)
    return party(s, p, CLEAVER + 0 * s.node, memory)


@kernel
def infiltrator(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """The way of `ghost`, the fights of `vanguard`."""
    if s.node == Phase.TURN:
        return guarded_turn(s, p, s.asked)
    return party(s, p, GHOST + 0 * s.node, memory)


@kernel
def expedition(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Where nothing but crossing is asked for, `infiltrator`, else `vanguard`."""
    if s.node == Phase.TURN:
        return guarded_turn(s, p, s.asked)
    crossing = s.n_scenarios == 1 and s.scenarios[0] == Scenario.TRAVERSE
    return party(s, p, (GHOST if crossing else CLEAVER) + 0 * s.node, memory)


@kernel
def ambusher(s: Any, p: Any, seat: int, rng: Any, values: Any, memory: int) -> int:
    """Tries to surprise every group."""
    return party(s, p, AMBUSHER + 0 * s.node, memory)


def _talks(game: Game) -> Any:
    return talk_memory(game)


_FIGHT, _TALK, _BUILD, _MISSION = ("oneshot-skirmish",), ("oneshot-parley",), ("oneshot-build",), ("oneshot-mission",)

BASELINES = {
    "brute": Baseline(brute, "attacks the nearest enemy with the best expected wounds", _FIGHT),
    "focus": Baseline(focus, "attacks whoever can take the fewest wounds; heals under the wound malus", _FIGHT),
    "kiter": Baseline(kiter, "strikes from as far as possible and steps back", _FIGHT),
    "diplomat": Baseline(diplomat, "renews the diplomatic edge whenever it would end, else like brute", _FIGHT),
    "spoiler": Baseline(spoiler, "a feint before each enemy's first wound, intimidates the strongest, brute", _FIGHT),
    "best_odds": Baseline(best_odds, "the method with the highest immediate chance under the belief", _TALK),
    "warm_up": Baseline(warm_up, "raises a bad mood by near misses first", _TALK),
    "cautious": Baseline(cautious, "recovers or leaves when one failure from breaking", _TALK),
    "dp": Baseline(dp, "dynamic programme (7.6) averaged over the belief", _TALK, memory=_talks, work=1500),
    "uniform": Baseline(uniform, "every complete build is equally likely", _BUILD),
    "compared": Baseline(
        compared,
        "the best of some builds drawn from a list that reaches from uniform ones to the equilibrium",
        _BUILD,
        params=(Param("tried", 8, "builds that are compared", 1, 10**6, kind=int),),
        memory=ranked_builds,
    ),
    "greedy": Baseline(booked, "the best reply found to uniform builds", _BUILD, memory=best_reply_book),
    "build_equilibrium": Baseline(
        booked, "the equilibrium of a list of sampled builds and replies to it", _BUILD, memory=equilibrium_book
    ),
    "cleaver": Baseline(cleaver, "fights everything", _MISSION, memory=_talks),
    "ghost": Baseline(ghost, "sneaks past whom it need not kill", _MISSION, memory=_talks),
    "ambusher": Baseline(ambusher, "tries to surprise every group", _MISSION, memory=_talks),
    "prowler": Baseline(
        prowler, "sneaks past whom it need not kill, fights from the longest range", _MISSION, memory=_talks
    ),
    "vanguard": Baseline(
        vanguard, "fights everything, the hardiest hero nearest to the enemies", _MISSION, memory=_talks
    ),
    "infiltrator": Baseline(
        infiltrator, "sneaks past whom it need not kill, fights like vanguard", _MISSION, memory=_talks
    ),
    "expedition": Baseline(
        expedition, "like infiltrator where only crossing is asked for, else like vanguard", _MISSION, memory=_talks
    ),
    "stalker": Baseline(
        raider, "fights everything from the longest range, the nearest first", _MISSION, memory=_talks, style=STALKER
    ),
    "sniper": Baseline(
        raider, "fights everything from the longest range, the weakest first", _MISSION, memory=_talks, style=SNIPER
    ),
}
