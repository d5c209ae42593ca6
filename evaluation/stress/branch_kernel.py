"""Compiled branching: what each legal action of a decision leads to, with everything else left as it is.

From one position every legal action is tried with the same dice and the same seeds for all decisions that follow, so
that the luck of the deal drops out of their differences (common random numbers). On this stand the measurement of what
an action is worth, and a learner: the values found are taught to a network, by which the learning policies act from
then on (rollout policy iteration: Tesauro and Galperin 1996; Bertsekas 2013). What the loops are given is described in
`branch_data`.
"""

from __future__ import annotations

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
    STOPPED,
    TO_ACT,
    address_of,
    call_kernel,
    copy_bytes,
    float64_at,
    lowest_bit,
)
from ...envs.core.batch import start_table
from ...envs.core.jit import driver
from ...envs.core.rng import mix, next_u64, rand_below, rand_float
from .branch_data import Fork
from .guided_kernel import offers
from .marking_kernel import has_a_say, is_marked, of_interest, phase_of, position_hash
from .memory_kernel import keep, reread
from .value_kernel import RATE, learn, look

SETTLING = 64  # decisions that a use may raise
BRANCH = 0x6272616E  # a tag that keeps this use of a seed apart from others


@driver(allocates=False)
def paid_to(payoff, sides, seat):
    """The mean payoff of the seat's side, where `payoff` holds those of all seats."""
    own, n = 0.0, 0
    for other in range(len(sides)):
        if sides[other] == sides[seat]:
            own += payoff[other]
            n += 1
    return own / n


@driver
def margin(k, p, s, payoff, sides, seat):
    """Half the lead of the seat's side at the end: (its mean payoff - the mean of all other seats) / 2."""
    call_kernel(k, RETURNS, s, p, 0, 0, address_of(payoff))
    own, rest, n = paid_to(payoff, sides, seat), 0.0, 0
    for other in range(len(sides)):
        if sides[other] != sides[seat]:
            rest += payoff[other]
            n += 1
    return 0.5 * (own - rest / n) if n else own


@driver
def branch(k, p, space, cast, fork, branching, seed):
    """Write to `space.values` float64[A] the mean result of each legal action of a `fork`, of some replicates.

    `space.words` is the legal set of its seat, `space.taken` the decisions so far. Values are in units of `margin`.
    Where the module has a say, decisions are numbered alike once the question is settled: an answer that leads to
    further questions must not change what is drawn for all that follows.
    Returns 0, or the status of a game that did not end properly.
    """
    words, inner, marking, replicates = space.words, space.inner, branching.marking, branching.replicates
    first = phase_of(fork.s, marking)
    about = has_a_say(first, words, marking)
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
                twin = enter(k, p, space, fork, action=action, dice=again)
                if about:
                    settle(k, p, space, cast, seating=fork.seating, first=first, marking=marking, table=again)
                    number_alike(space)
                sheet = Sheet(fork.seating, space.kept, space.offences, space.answers)
                desk = Desk(inner, space.fresh, space.seed)
                before = space.kept.sum()
                status = play_on(k, p, twin, agents, sheet=sheet, table=again, rng=space.dice, desk=desk)
                space.spent[0] += space.kept.sum() - before
                if status > STOPPED:
                    return status
                lead = margin(k, p, twin, space.payoff, sides=cast.sides, seat=fork.seat)
                space.values[action] += lead / replicates
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
def spared(k, p, space, cast, fork, branching, table):
    """Leave in `space.words` of the actions without the module the one that `branching.leaver` would take.

    Returns it; -1, and all are left, if nobody was named, or some of the two kinds is missing.
    """
    marked, words = branching.marking.marked, space.words
    offered, others = offers(words, marked)
    if branching.leaver < 0 or not offered or not others:
        return np.int64(-1)
    action = twin_answer(k, p, space, cast, agent=branching.leaver, s=fork.s, seat=fork.seat, table=table)
    if action < 0 or (marked[action >> 5] >> (action & 31)) & 1:
        return np.int64(-1)
    for w in range(len(words)):
        words[w] &= marked[w]
    words[action >> 5] |= np.int64(1) << (action & 31)
    return action


@driver
def number_alike(space):
    """Number the decisions of the twin that follow as if none had been taken since the fork."""
    for i in range(len(space.kept)):
        space.kept[i] = space.taken[i] + 2 * SETTLING


@driver
def improve(k, space, cast, tables, branching, course, net, found):
    """Play games, branch at decisions of learning seats, and teach the network what was found.

    In: `space` Space, `cast` Cast, `tables` Tables, `branching` Branching, `course` Course. `net` int64[.] (see
    `value_kernel`) is modified. `found` float64[4] gets branched decisions, the sum of their mean squared errors,
    games, and games that ended badly. Returns 0. What is left of `course.work` is spread evenly over the games to come,
    by what a branched share of those before has cost; once it is used up no more games are played.
    """
    size = len(space.state)
    s = address_of(space.state)
    params, weights, rate, rng = tables.params, tables.weights, course.rate, course.rng
    space.spent[0] = 0
    part, parts = 1.0, 0.0  # of the share of decisions that are branched: in this game, and in all before
    for game in range(course.games):
        if space.spent[0] > 0:
            left = course.work - space.spent[0]
            if left <= 0.0:
                break
            part = min(1.0, left / (course.games - game) * parts / space.spent[0])
        parts += part
        share = part * branching.share
        pick, at = rand_float(rng), 0
        while at + 1 < len(params) and pick >= weights[at]:
            pick -= weights[at]
            at += 1
        p = params[at]
        row = rand_below(rng, tables.seatings.shape[1])
        seating = tables.seatings[at, row]
        learning = tables.learners[at, row]
        float64_at(net[RATE], 1)[0] = rate[0] + (rate[1] - rate[0]) * game / course.games
        table = next_u64(rng)
        space.dice[0] = next_u64(rng)
        dice = np.empty(1, np.uint64)
        dice[0] = space.dice[0]
        for seat in range(len(seating)):
            space.taken[seat] = 0
        start_table(k, s, p, size, rng=dice)
        found[2] += 1.0
        while True:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                if asked < 0 or call_kernel(k, OVER, s, p, 0, 0, 0) <= 0:
                    found[3] += 1.0
                break
            if not answers_of(k, p, space, cast, seating=seating, s=s, asked=asked, table=table):
                found[3] += 1.0
                break
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                if not learning[seat]:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                if not of_interest(s, space.words, branching):
                    continue
                if share < 1.0 and rand_float(rng) >= share:
                    continue
                seed = np.int64(next_u64(rng) >> 1)
                fork = Fork(seating, s, seat, asked)
                left_as = spared(k, p, space, cast, fork=fork, branching=branching, table=table)
                if branch(k, p, space, cast, fork=fork, branching=branching, seed=seed):
                    found[3] += 1.0
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                if left_as >= 0:
                    for w in range(len(space.words)):
                        bare = space.words[w] & ~branching.marking.marked[w]
                        while bare:
                            space.values[32 * w + lowest_bit(bare)] = space.values[left_as]
                            bare &= bare - 1
                for w in range(len(space.words)):
                    left = space.words[w]
                    while left:
                        action = 32 * w + lowest_bit(left)
                        left &= left - 1
                        space.total[action] = space.values[action] / course.scale
                look(net, k, s, p, seat=seat, words=space.words)
                keep(course.memory, np.int64(found[0]), net=net, words=space.words, targets=space.total)
                found[1] += learn(net, space.words, space.total)
                found[0] += 1.0
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, space.chosen[seat], 0)
                space.taken[seat] += 1
            call_kernel(k, ROLL, s, p, 0, 0, address_of(dice))
    reread(course, np.int64(found[0]), net=net)
    return 0


@driver
def sample_branches(k, p, space, cast, branching, sample, found):
    """Play the games of `sample` Sample and record what the actions of some decisions lead to.

    In: `space` Space, `cast` Cast, `branching` Branching. `found` BranchRows is written. Returns the number of rows, at
    most m, or -1 - game for one that ended badly.
    """
    seating, watched, tables = sample.seating, sample.watched, sample.tables
    facts, values, observations = found.facts, found.values, found.observations
    n = len(sample.dice)
    size = len(space.state)
    s = address_of(space.state)
    rows = 0
    room = len(facts)
    length = observations.shape[1]
    for game in range(n):
        rng = sample.dice[game : game + 1]
        for seat in range(seating.shape[1]):
            space.taken[seat] = 0
        start_table(k, s, p, size, rng=rng)
        pick = sample.seeds[game : game + 1]
        number = 0
        while rows < room:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                break
            if not answers_of(k, p, space, cast, seating=seating[game], s=s, asked=asked, table=tables[game]):
                return -1 - game
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                number += 1
                if not watched[seat] or rows >= room:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                if not of_interest(s, space.words, branching):
                    continue
                if branching.share < 1.0 and rand_float(pick) >= branching.share:
                    continue
                seed = np.int64(next_u64(pick) >> 1)
                fork = Fork(seating[game], s, seat, asked)
                if branch(k, p, space, cast, fork=fork, branching=branching, seed=seed):
                    return -1 - game
                facts[rows, 0], facts[rows, 1], facts[rows, 2] = game, number - 1, seat
                facts[rows, 3] = phase_of(s, branching.marking)
                facts[rows, 4] = space.chosen[seat]
                for a in range(values.shape[1]):
                    legal = (space.words[a >> 5] >> (a & 31)) & 1
                    values[rows, a] = space.values[a] if legal else np.nan
                if length:
                    copy_observation(k, p, s, seat, observations=observations, row=rows)
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
def settle(k, p, space, cast, seating, first, marking, table):
    """Go on from the twin until another question is asked than that of phase `first` (or of the module), or to the end.

    `seating` int64[seats]: who answers on the way.
    """
    s = address_of(space.twin)
    for _ in range(SETTLING):
        asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
        if asked <= 0:
            return
        phase = phase_of(s, marking)
        still = phase == first or is_marked(phase, marking)
        bits = asked
        while bits:
            seat = lowest_bit(bits)
            bits &= bits - 1
            call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.inner))
            for w in range(len(marking.marked)):
                still = still or space.inner[w] & marking.marked[w] != 0
            agent = seating[seat]
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
def enter(k, p, space, fork, action, dice):
    """Copy the record of a `fork` to the twin and enter an action of its seat there, with the others' chosen ones."""
    twin = address_of(space.twin)
    copy_bytes(twin, fork.s, len(space.state))
    space.dice[0] = dice
    for i in range(len(space.kept)):
        space.kept[i] = space.taken[i]
    todo = fork.asked
    while todo:
        who = lowest_bit(todo)
        todo &= todo - 1
        call_kernel(k, APPLY, twin, p, who, action if who == fork.seat else space.chosen[who], 0)
        space.kept[who] += 1
    call_kernel(k, ROLL, twin, p, 0, 0, address_of(space.dice))
    return twin


@driver
def has_effect(k, p, space, cast, fork, trial, ways, seed):
    """Whether using an action leads to another position than not using it, once all that it raises is answered.

    `ways`: the action of use, and the one instead. Nobody uses marked actions on the way.
    """
    marking = trial.marking
    first = phase_of(fork.s, marking)
    found = np.int64(0)
    for seat in range(len(fork.seating)):
        space.lineup[seat] = trial.twins[fork.seating[seat], 1]
    for turn in range(2):
        twin = enter(k, p, space, fork, action=ways[turn], dice=unsigned(seed))
        settle(k, p, space, cast, seating=space.lineup, first=first, marking=marking, table=unsigned(seed))
        found ^= position_hash(twin, trial.keep)
    return found != 0


@driver
def gain_of(k, p, space, cast, fork, trial, ways, seed):
    """Write to `space.total` what a use gains over not using it as long as the same question is asked.

    The means over `trial.replicates` of the differences of `margin`, and of `paid_to` the seat; `ways`: the action of
    use, and the one instead.
    Once the question is settled both ways, decisions are numbered alike: a use that takes a decision itself must not
    change what is drawn for all later ones. Returns 0, or the status of a game that ended badly.
    """
    agents = Agents(cast.policies, cast.which, cast.seeds)
    marking = trial.marking
    first = phase_of(fork.s, marking)
    for seat in range(len(fork.seating)):
        space.lineup[seat] = fork.seating[seat]
    space.lineup[fork.seat] = trial.twins[fork.seating[fork.seat], 1]
    space.total[0] = space.total[1] = 0.0
    for r in range(trial.replicates):
        again = unsigned(mix(mix(BRANCH, seed), r))
        for turn in range(2):
            twin = enter(k, p, space, fork, action=ways[turn], dice=again)
            seating = fork.seating if turn == 0 else space.lineup
            settle(k, p, space, cast, seating=seating, first=first, marking=marking, table=again)
            number_alike(space)
            sheet = Sheet(fork.seating, space.kept, space.offences, space.answers)
            desk = Desk(space.inner, space.fresh, space.seed)
            status = play_on(k, p, twin, agents, sheet=sheet, table=again, rng=space.dice, desk=desk)
            if status > STOPPED:
                return status
            part = (1.0 if turn == 0 else -1.0) / trial.replicates
            space.total[0] += part * margin(k, p, twin, space.payoff, sides=cast.sides, seat=fork.seat)
            space.total[1] += part * paid_to(space.payoff, cast.sides, fork.seat)
    return 0


@driver
def sample_uses(k, p, space, cast, trial, sample, found):
    """Measure what it is worth to use a marked action wherever one is offered, against not using any.

    In: `space` Space, `cast` Cast, `trial` Trial; the games played are those of `sample` Sample. `found` UseRows is
    written. Returns the number of rows, at most m, or -1 - game for one that ended badly.
    """
    seating, watched, tables = sample.seating, sample.watched, sample.tables
    facts, worth, marked = found.facts, found.worth, trial.marking.marked
    n = len(sample.dice)
    size = len(space.state)
    s = address_of(space.state)
    rows = 0
    room = len(facts)
    for game in range(n):
        rng = sample.dice[game : game + 1]
        for seat in range(seating.shape[1]):
            space.taken[seat] = 0
        start_table(k, s, p, size, rng=rng)
        pick = sample.seeds[game : game + 1]
        number = 0
        while rows < room:
            asked = call_kernel(k, TO_ACT, s, p, 0, 0, 0)
            if asked <= 0:
                break
            if not answers_of(k, p, space, cast, seating=seating[game], s=s, asked=asked, table=tables[game]):
                return -1 - game
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                number += 1
                if not watched[seat] or rows >= room:
                    continue
                call_kernel(k, LEGAL, s, p, seat, 0, address_of(space.words))
                offered, others = offers(space.words, marked)
                if not offered or not others:
                    continue
                if trial.share < 1.0 and rand_float(pick) >= trial.share:
                    continue
                agent = seating[game, seat]
                always, never = trial.twins[agent, 0], trial.twins[agent, 1]
                use = twin_answer(k, p, space, cast, agent=always, s=s, seat=seat, table=tables[game])
                skip = twin_answer(k, p, space, cast, agent=never, s=s, seat=seat, table=tables[game])
                if use < 0 or skip < 0 or use == skip:
                    continue
                seed = np.int64(next_u64(pick) >> 1)
                fork, ways = Fork(seating[game], s, seat, asked), (use, skip)
                if gain_of(k, p, space, cast, fork=fork, trial=trial, ways=ways, seed=seed):
                    return -1 - game
                facts[rows, 0], facts[rows, 1], facts[rows, 2] = game, number - 1, seat
                facts[rows, 3] = phase_of(s, trial.marking)
                facts[rows, 4], facts[rows, 5] = use, space.chosen[seat]
                worth[rows, 0], worth[rows, 2] = space.total[0], space.total[1]
                worth[rows, 1] = margin(k, p, s, space.payoff, sides=cast.sides, seat=seat)
                facts[rows, 6] = has_effect(k, p, space, cast, fork=fork, trial=trial, ways=ways, seed=seed)
                copy_observation(k, p, s, seat, observations=found.observations, row=rows)
                rows += 1
            bits = asked
            while bits:
                seat = lowest_bit(bits)
                bits &= bits - 1
                call_kernel(k, APPLY, s, p, seat, space.chosen[seat], 0)
                space.taken[seat] += 1
            call_kernel(k, ROLL, s, p, 0, 0, address_of(rng))
    return rows
