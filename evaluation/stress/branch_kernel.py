"""Compiled branching: what each legal action of a decision leads to, with everything else left as it is.

From one position every legal action is tried with the same dice and the same seeds for all decisions that follow, so
that the luck of the deal drops out of their differences (common random numbers). On this stand the measurement of what
an action is worth, and a learner: the values found are taught to a network, by which the learning policies act from
then on (rollout policy iteration: Tesauro and Galperin 1996; Bertsekas 2013).

Over 500 lines because its compiled loops share the working space that they are given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...agents.base_kernel import decision_seed, unsigned
from ...agents.match_kernel import Agents, Desk, Sheet, is_legal, play_on
from ...envs.core.abi import (
    APPLY,
    LEGAL,
    OBSERVE,
    OVER,
    RETURNS,
    ROLL,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    float64_at,
    int64_at,
    lowest_bit,
)
from ...envs.core.batch import start_table
from ...envs.core.jit import driver
from ...envs.core.rng import mix, next_u64, rand_below, rand_float
from .guided_kernel import count_of
from .value_kernel import RATE, learn, look

SETTLING = 64  # decisions that a use may raise
BRANCH, PLACE = 0x6272616E, 0x706C6163  # tags that keep the uses of a seed and of a hash apart


class Cast(NamedTuple):
    """Who plays: compiled policies, `policies`, `which` int64[a], `seeds` uint64[a], and the side of each seat."""

    policies: Any
    which: Any
    seeds: Any
    sides: Any  # int64[seats]


class Space(NamedTuple):
    """Working space of one process.

    `state`, `twin` uint8[size]; `words`, `inner` int64[W]; `chosen`, `fresh` int64[seats]; `seed`, `dice` uint64[1];
    `taken`, `kept` int32[seats]; `offences` int8[seats]; `answers` int64[seats]; `payoff` float64[capacity]; `values`,
    `total` float64[A].
    """

    state: Any
    twin: Any
    words: Any
    inner: Any
    chosen: Any
    fresh: Any
    seed: Any
    dice: Any
    taken: Any
    kept: Any
    offences: Any
    answers: Any
    payoff: Any
    values: Any
    total: Any


@driver
def position_hash(s, keep):
    """Hash of the bytes of a record that make up the position."""
    h = np.int64(PLACE)
    n = len(keep) // 8
    words = int64_at(s, n)
    masks = int64_at(address_of(keep), n)
    for i in range(n):
        h = mix(h, words[i] & masks[i])
    return h


@driver
def margin(k, p, s, payoff, sides, seat):
    """Half the lead of the seat's side at the end: (its mean payoff - the mean of all other seats) / 2."""
    call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
    own, n_own, rest, n_rest = 0.0, 0, 0.0, 0
    for other in range(len(sides)):
        if sides[other] == sides[seat]:
            own += payoff[other]
            n_own += 1
        else:
            rest += payoff[other]
            n_rest += 1
    if n_rest == 0:
        return own / n_own
    return 0.5 * (own / n_own - rest / n_rest)


@driver
def branch(k, p, space, cast, seating, s, seat, asked, replicates, seed):
    """Write to `space.values` float64[A] what each legal action of `seat` leads to on the average of `replicates` ends.

    `s` is the address of the record, `asked` the seats that owe a decision there, whose other answers lie in
    `space.chosen`; `space.words` is the legal set of `seat`, `space.taken` the decisions so far. Values are in units
    of `margin`. Returns 0, or the status of a game that did not end properly.
    """
    size = len(space.state)
    words, inner = space.words, space.inner
    agents = Agents(cast.policies, cast.which, cast.seeds)
    for w in range(len(words)):
        bits = words[w]
        while bits:
            action = 32 * w + lowest_bit(bits)
            bits &= bits - 1
            space.values[action] = 0.0
    for r in range(replicates):
        again = unsigned(mix(mix(BRANCH, seed), r))
        for w in range(len(words)):
            bits = words[w]
            while bits:
                action = 32 * w + lowest_bit(bits)
                bits &= bits - 1
                twin = address_of(space.twin)
                copy_bytes(twin, s, size)
                space.dice[0] = again
                for i in range(len(seating)):
                    space.kept[i] = space.taken[i]
                todo = asked
                while todo:
                    who = lowest_bit(todo)
                    todo &= todo - 1
                    call_kernel(k, APPLY, twin, p, who, action if who == seat else space.chosen[who], 0)
                    space.kept[who] += 1
                call_kernel(k, ROLL, twin, p, 0, 0, address_of(space.dice))
                sheet = Sheet(seating, space.kept, space.offences, space.answers)
                desk = Desk(inner, space.fresh, space.seed)
                status = play_on(k, p, twin, agents, sheet=sheet, table=again, rng=space.dice, desk=desk)
                if status > 2:
                    return status
                space.values[action] += margin(k, p, twin, space.payoff, cast.sides, seat) / replicates
    return 0


@driver
def answers_of(k, p, space, cast, seating, s, asked, table):
    """Ask all seats of `asked` and keep their answers in `space.chosen`; False if one is not legal."""
    bits = asked
    while bits:
        seat = lowest_bit(bits)
        bits &= bits - 1
        agent = seating[seat]
        space.seed[0] = decision_seed(cast.seeds[agent], table, seat, np.int64(space.taken[seat]))
        call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
        action = call_kernel(cast.policies[agent], cast.which[agent], s, p, seat, k, address_of(space.seed))
        if not is_legal(space.words, action):
            return False
        space.chosen[seat] = action
    return True


@driver
def of_interest(s, words, marked, phases, phase_at, only_marked):
    """Whether a decision is to be looked at: any with a choice, or only one in which a module has a say."""
    if count_of(words) < 2:
        return False
    if not only_marked:
        return True
    for w in range(len(words)):
        if words[w] & marked[w]:
            return True
    phase = int64_at(s + phase_at, 1)[0]
    return 0 <= phase < len(phases) and phases[phase] != 0


@driver
def improve(k, params, weights, space, cast, seatings, learners, net, marked, phases, phase_at, only_marked, share,
            replicates, games, scale, rate, rng, found):  # fmt: skip
    """Play games, branch at decisions of learning seats, and teach the network what was found.

    In: `params` int64[n] (addresses of parameter records, one drawn for each game by the chances `weights`
    float64[n]), `seatings` int64[n, m, seats] (casts of the seats, one of m drawn), `learners` int64[n, m, seats] (1:
    the seat's decisions are branched, and follow the network), `net` int64[.] (see `value_kernel`), `marked` int64[W]
    and `phases` int64[.] (decisions of the module), `share` (chance that a decision is branched), `scale` (values are
    divided by it), `rate` float64[2] (step at the start and at the end). `found` float64[4] gets branched decisions,
    their mean squared error, games, and games that ended badly. Returns 0.
    """
    size = len(space.state)
    s = address_of(space.state)
    for game in range(games):
        pick, at = rand_float(rng), 0
        while at + 1 < len(params) and pick >= weights[at]:
            pick -= weights[at]
            at += 1
        p = params[at]
        row = rand_below(rng, seatings.shape[1])
        seating = seatings[at, row]
        learning = learners[at, row]
        float64_at(net[RATE], 1)[0] = rate[0] + (rate[1] - rate[0]) * game / games
        table = next_u64(rng)
        space.dice[0] = next_u64(rng)
        dice = np.empty(1, np.uint64)
        dice[0] = space.dice[0]
        for seat in range(len(seating)):
            space.taken[seat] = 0
        start_table(k, s, p, size, dice)
        found[2] += 1.0
        while True:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                if asked < 0 or call_kernel(k, OVER, s, p, 0, 0, 0) <= 0:
                    found[3] += 1.0
                break
            if not answers_of(k, p, space, cast, seating, s, asked, table):
                found[3] += 1.0
                break
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                if not learning[seat]:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                if not of_interest(s, space.words, marked, phases, phase_at, only_marked):
                    continue
                if share < 1.0 and rand_float(rng) >= share:
                    continue
                if branch(k, p, space, cast, seating, s, seat, asked, replicates, np.int64(next_u64(rng) >> 1)):
                    found[3] += 1.0
                    continue
                for w in range(len(space.words)):
                    left = space.words[w]
                    while left:
                        action = 32 * w + lowest_bit(left)
                        left &= left - 1
                        space.total[action] = space.values[action] / scale
                look(net, k, s, p, seat, space.words)
                found[1] += learn(net, space.words, space.total)
                found[0] += 1.0
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, space.chosen[seat], 0)
                space.taken[seat] += 1
            call_kernel(k, ROLL, s, p, 0, 0, address_of(dice))
    return 0


@driver
def sample_branches(k, p, space, cast, seating, watched, marked, phases, phase_at, only_marked, share, replicates, dice,
                    tables, seeds, facts, values, observations):  # fmt: skip
    """Play games and record what the actions of some decisions lead to.

    In: `seating` int64[n, seats], `watched` int64[seats] (1: decisions of this seat count), `dice`, `tables`, `seeds`
    uint64[n]; the rest as in `improve`. Out: `facts` int64[m, 6] (game, number of the decision in the game, seat,
    phase, action taken, decisions branched there), `values` float64[m, A] (NaN where not legal) and `observations`
    float32[m, L or 0]. Returns the number of rows, at most m, or -1 - game for one that ended badly.
    """
    n = len(dice)
    size = len(space.state)
    s = address_of(space.state)
    rows = 0
    room = len(facts)
    length = observations.shape[1]
    for game in range(n):
        rng = dice[game : game + 1]
        for seat in range(seating.shape[1]):
            space.taken[seat] = 0
        start_table(k, s, p, size, rng)
        pick = seeds[game : game + 1]
        number = 0
        while rows < room:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                break
            if not answers_of(k, p, space, cast, seating[game], s, asked, tables[game]):
                return -1 - game
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                number += 1
                if not watched[seat] or rows >= room:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                if not of_interest(s, space.words, marked, phases, phase_at, only_marked):
                    continue
                if share < 1.0 and rand_float(pick) >= share:
                    continue
                seed = np.int64(next_u64(pick) >> 1)
                if branch(k, p, space, cast, seating[game], s, seat, asked, replicates, seed):
                    return -1 - game
                facts[rows, 0], facts[rows, 1], facts[rows, 2] = game, number - 1, seat
                facts[rows, 3] = int64_at(s + phase_at, 1)[0]
                facts[rows, 4] = space.chosen[seat]
                for a in range(values.shape[1]):
                    legal = (space.words[a >> 5] >> (a & 31)) & 1
                    values[rows, a] = space.values[a] if legal else np.nan
                if length:
                    copy_observation(k, p, s, seat, observations, rows)
                rows += 1
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, space.chosen[seat], 0)
                space.taken[seat] += 1
            call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
    return rows


@driver
def copy_observation(k, p, s, seat, observations, row):
    """Write the observation of a seat into a row, zeroed before."""
    from_ = address_of(observations) + 4 * observations.shape[1] * row
    call_kernel(k, OBSERVE, s, p, seat, 0, from_)


@driver
def twin_answer(k, p, space, cast, agent, s, seat, table):
    """What another agent would answer for a seat at the record at address `s`, -1 if that is not legal."""
    space.seed[0] = decision_seed(cast.seeds[agent], table, seat, np.int64(space.taken[seat]))
    action = call_kernel(cast.policies[agent], cast.which[agent], s, p, seat, k, address_of(space.seed))
    return action if is_legal(space.words, action) else np.int64(-1)


@driver
def settle(k, p, space, cast, twins, seating, s, first, who, marked, phases, phase_at, table):
    """Go on from a record until another question is asked than the first (or one of the module), or to the end.

    The seats in the bit set `who` use no marked actions on the way; all others play as they like.
    """
    for _ in range(SETTLING):
        asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        if asked <= 0:
            return
        phase = int64_at(s + phase_at, 1)[0]
        still = phase == first or (0 <= phase < len(phases) and phases[phase] != 0)
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.inner))
            for w in range(len(marked)):
                still = still or space.inner[w] & marked[w] != 0
            agent = seating[seat]
            if (who >> seat) & 1:
                agent = twins[agent, 1]
            space.seed[0] = decision_seed(cast.seeds[agent], table, seat, np.int64(space.kept[seat]))
            action = call_kernel(cast.policies[agent], cast.which[agent], s, p, seat, k, address_of(space.seed))
            if not is_legal(space.inner, action):
                return
            space.fresh[seat] = action
        if not still:
            return
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, APPLY, s, p, seat, space.fresh[seat], 0)
            space.kept[seat] += 1
        call_kernel(k, ROLL, s, p, 0, 0, address_of(space.dice))


@driver
def enter(k, p, space, s, seat, asked, action, dice):
    """Copy the record at `s` to the twin and enter an action of `seat` there, with the others' chosen ones."""
    twin = address_of(space.twin)
    copy_bytes(twin, s, len(space.state))
    space.dice[0] = dice
    for i in range(len(space.kept)):
        space.kept[i] = space.taken[i]
    todo = asked
    while todo:
        who = lowest_bit(todo)
        todo &= todo - 1
        call_kernel(k, APPLY, twin, p, who, action if who == seat else space.chosen[who], 0)
        space.kept[who] += 1
    call_kernel(k, ROLL, twin, p, 0, 0, address_of(space.dice))
    return twin


@driver
def has_effect(k, p, space, cast, twins, seating, s, seat, asked, use, skip, keep, marked, phases, phase_at, seed):
    """Whether using an action leads to another position than not using it, once all that it raises is answered.

    `keep` uint8[size] marks the bytes of the record that count.
    """
    first = int64_at(s + phase_at, 1)[0]
    found = np.int64(0)
    for turn in range(2):
        twin = enter(k, p, space, s, seat, asked, use if turn == 0 else skip, unsigned(seed))
        settle(k, p, space, cast, twins, seating, twin, first, np.int64(-1), marked, phases, phase_at, unsigned(seed))
        found = position_hash(twin, keep) - found
    return found != 0


@driver
def gain_of(k, p, space, cast, twins, seating, s, seat, asked, use, skip, marked, phases, phase_at, replicates, seed,
            found):  # fmt: skip
    """Write to `found` float64[1] what a use gains over not using it as long as the same question is asked.

    The mean over `replicates` of the difference of `margin`. Returns 0, or the status of a game that ended badly.
    """
    agents = Agents(cast.policies, cast.which, cast.seeds)
    first = int64_at(s + phase_at, 1)[0]
    found[0] = 0.0
    for r in range(replicates):
        again = unsigned(mix(mix(BRANCH, seed), r))
        for turn in range(2):
            twin = enter(k, p, space, s, seat, asked, use if turn == 0 else skip, again)
            if turn == 1:
                who = np.int64(1) << seat
                settle(k, p, space, cast, twins, seating, twin, first, who, marked, phases, phase_at, again)
            sheet = Sheet(seating, space.kept, space.offences, space.answers)
            desk = Desk(space.inner, space.fresh, space.seed)
            status = play_on(k, p, twin, agents, sheet=sheet, table=again, rng=space.dice, desk=desk)
            if status > 2:
                return status
            value = margin(k, p, twin, space.payoff, cast.sides, seat)
            found[0] += (value if turn == 0 else -value) / replicates
    return 0


@driver
def sample_uses(k, p, space, cast, twins, seating, watched, marked, phases, phase_at, keep, replicates, dice, tables,
                seeds, sides, facts, worth, observations):  # fmt: skip
    """Play games and measure what it is worth to use a marked action wherever one is offered, against not using any.

    In: `twins` int64[a, 2] (for each agent the one that always uses marked actions, and the one that never does),
    `seating` int64[n, seats], `watched` int64[n, seats], `keep` uint8[size] (bytes of a record that count as
    an effect), `dice`, `tables`, `seeds` uint64[n]; the rest as in `improve`. Out: `facts` int64[m, 7] (game, number of
    the decision, seat, phase, action of use, action taken, whether the use had any effect), `worth` float64[m, 2] (gain
    by using it, lead as it stands), `observations` float32[m, L]. Returns the number of rows, at most
    m, or -1 - game for one that ended badly.
    """
    n = len(dice)
    size = len(space.state)
    s = address_of(space.state)
    rows = 0
    room = len(facts)
    for game in range(n):
        rng = dice[game : game + 1]
        for seat in range(seating.shape[1]):
            space.taken[seat] = 0
        start_table(k, s, p, size, rng)
        pick = seeds[game : game + 1]
        number = 0
        while rows < room:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                break
            if not answers_of(k, p, space, cast, seating[game], s, asked, tables[game]):
                return -1 - game
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                number += 1
                if not watched[game, seat] or rows >= room:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                offered, others = False, False
                for w in range(len(space.words)):
                    offered = offered or space.words[w] & marked[w] != 0
                    others = others or space.words[w] & ~marked[w] != 0
                if not offered or not others:
                    continue
                agent = seating[game, seat]
                use = twin_answer(k, p, space, cast, twins[agent, 0], s, seat, tables[game])
                skip = twin_answer(k, p, space, cast, twins[agent, 1], s, seat, tables[game])
                if use < 0 or skip < 0 or use == skip:
                    continue
                seed = np.int64(next_u64(pick) >> 1)
                if gain_of(
                    k, p, space, cast, twins, seating[game], s, seat, asked, use, skip, marked, phases, phase_at,
                    replicates, seed, space.total,
                ):  # fmt: skip
                    return -1 - game
                facts[rows, 0], facts[rows, 1], facts[rows, 2] = game, number - 1, seat
                facts[rows, 3] = int64_at(s + phase_at, 1)[0]
                facts[rows, 4], facts[rows, 5] = use, space.chosen[seat]
                worth[rows, 0] = space.total[0]
                worth[rows, 1] = margin(k, p, s, space.payoff, sides, seat)
                facts[rows, 6] = has_effect(
                    k, p, space, cast, twins, seating[game], s, seat, asked, use, skip, keep, marked, phases, phase_at,
                    seed,
                )  # fmt: skip
                copy_observation(k, p, s, seat, observations, rows)
                rows += 1
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, space.chosen[seat], 0)
                space.taken[seat] += 1
            call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
    return rows
