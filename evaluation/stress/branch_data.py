"""What the compiled loops of branching are given: players, games, working space, and room for results."""

from __future__ import annotations

from typing import Any, NamedTuple


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
    `total` float64[A]; `lineup` int64[seats]; `spent` int64[1]: decisions of continuations so far.
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
    lineup: Any
    spent: Any


class Marking(NamedTuple):
    """What belongs to a module: `marked` int64[W] (actions), `phases` int64[.] (1 for its phases).

    `phase_at` is the offset of the phase in a record.
    """

    marked: Any
    phases: Any
    phase_at: Any


class Branching(NamedTuple):
    """Which decisions are branched, and how often: those of interest, each with the chance `share`.

    `marking` Marking: with `only_marked` (bool) a decision is of interest only if the module has a say in it, else
    wherever there is a choice. `replicates`: continuations of each action, whose results are averaged. `leaver`: of the
    unmarked actions beside marked ones only that of this agent is tried, for all of them; -1: all are.
    """

    marking: Any
    only_marked: Any
    share: Any
    replicates: Any
    leaver: Any


class Trial(NamedTuple):
    """How uses of marked actions are measured.

    `marking` Marking; `twins` int64[a, 2]: for each agent the one that always uses marked actions, and the one that
    never does; `keep` uint8[size]: mask of the bytes of a record that count as an effect; `replicates`: continuations
    with the use and without, whose results are averaged; `share`: the chance of each use to be measured at all.
    """

    marking: Any
    twins: Any
    keep: Any
    replicates: Any
    share: Any


class Fork(NamedTuple):
    """A decision at which games part: of `seat` in the record at address `s`.

    `asked`: bit set of the seats that owe a decision there, whose answers lie in `Space.chosen`. `seating`
    int64[seats]: agent of each seat.
    """

    seating: Any
    s: Any
    seat: Any
    asked: Any


class Tables(NamedTuple):
    """n rule sets in one address space and m ways to sit down at each, of which games are drawn.

    `params` int64[n]: addresses of parameter records; `weights` float64[n]: the chance of each; `seatings` int64[n, m,
    seats]: agent of each seat, all m equally likely; `learners` int64[n, m, seats]: 1 if the seat's decisions are
    branched, and follow the network.
    """

    params: Any
    weights: Any
    seatings: Any
    learners: Any


class Memory(NamedTuple):
    """Room for m decisions that were branched, the last ones, to be learned from again; m may be 0.

    `seen` float32[m, L], `words` int64[m, W], `targets` float64[m, A]. About `again` decisions are learned from again,
    all equally often, at least once and `turns` times at most.
    """

    seen: Any
    words: Any
    targets: Any
    again: Any
    turns: Any


class Course(NamedTuple):
    """A course of learning: number of `games`; `scale`, by which values are divided; `rng` uint64[1], used up.

    `rate` float64[2]: step at the start and at the end. `work`: decisions of all continuations, at most (float; inf for
    no limit): where they turn out longer than was thought, fewer decisions of each game are branched. `memory` Memory
    is filled, and gone through when the games are over.
    """

    games: Any
    scale: Any
    rate: Any
    rng: Any
    work: Any
    memory: Any


class Sample(NamedTuple):
    """n games to take samples from, with the agents `seating` int64[n, seats].

    `watched` int64[seats]: 1 if decisions of the seat count. `tables` uint64[n]: seeds. `dice`, `seeds` uint64[n]:
    generators of the dice, and of all that is drawn for the samples; used up.
    """

    seating: Any
    watched: Any
    dice: Any
    tables: Any
    seeds: Any


class BranchRows(NamedTuple):
    """Room for m branched decisions.

    `facts` int64[m, 5]: game, number of the decision in the game, seat, phase, action taken. `values` float64[m, A]:
    what each action leads to, NaN where not legal. `observations` float32[m, L], or [m, 0] for none; zeroed before.
    """

    facts: Any
    values: Any
    observations: Any


class UseRows(NamedTuple):
    """Room for m uses that were measured.

    `facts` int64[m, 7]: game, number of the decision in the game, seat, phase, action of use, action taken, whether the
    use had any effect. `worth` float64[m, 3]: gain by using it, lead as it stands, what the seat is paid more by
    it. `observations` float32[m, L], zeroed before.
    """

    facts: Any
    worth: Any
    observations: Any
