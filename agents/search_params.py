"""The parameters of the tree search, as they are given by name: `search:sims=...,c=...`."""

from __future__ import annotations

from .base import Param
from .native import HORIZON_PARAM, OUTLOOK
from .search_kernel import MULTI, SELECT_AUTO, SELECT_RM, SELECT_UCB, SINGLE

DEFAULT_SIMS = 1000
DOUBT = 4.0  # where a trained policy is followed that does not play the simulations
SELECTS = {"auto": SELECT_AUTO, "ucb": SELECT_UCB, "rm": SELECT_RM}
OBSERVERS = {"multi": MULTI, "single": SINGLE}

PARAMS = (
    Param("sims", None, f"simulations a decision; {DEFAULT_SIMS} without seconds", 1, 10**9, (), int, True),
    Param("seconds", None, "time a decision; what is reached first ends it", 0.0, 86400.0, (), float, True),
    Param("select", "auto", "auto: rm where several seats choose at once, else ucb", choices=tuple(SELECTS)),
    Param(
        "observer",
        "multi",
        "multi: every seat's nodes are its own information states; single: those of the others are told apart only "
        "by what the searching seat knows, which learns their replies sooner and lets them see its secrets",
        choices=tuple(OBSERVERS),
    ),
    Param(
        "root",
        "paired",
        "paired: where rm is, and the dice decide much, actions are compared on the same deals and dice; select: as "
        "everywhere in the tree; gumbel: simulations are shared out by sequential halving among 16 actions drawn from "
        "the policy that is followed (`prior`; without one all are alike), for sims alone",
        choices=("paired", "select", "gumbel"),
    ),
    Param("c", None, "exploration of ucb; none: 1, with a horizon as the game says", 0.0, 100.0, (), float, True),
    Param("gamma", 0.1, "exploration of rm", 0.0, 1.0, (), float),
    Param(
        "rollout",
        "auto",
        "who plays beyond the tree: random, a baseline of the game, policy (the trained one that ships), a file of a "
        "policy, several joined by + (every side draws one of them in every simulation), or auto: the game's choice",
    ),
    Param(
        "prior",
        "auto",
        "whom the answer follows where nothing is shown to be better: rollout (the rollout baselines), policy (the "
        "trained one that ships for the game), a file of a policy, or auto: the game's choice",
    ),
    Param("epsilon", 0.0, "chance of a random action in a rollout", 0.0, 1.0, (), float),
    Param("trust", 20, "visits below which a node beyond the first follows a rollout baseline", 0, 10**9, (), int),
    Param("depth", 0, "decisions simulated before payoffs count as they stand; 0: all", 0, 10**6, (), int),
    OUTLOOK,
    HORIZON_PARAM,
    Param("utility", "own", "what a seat wants: its own payoff, or the sum of its side", choices=("own", "side")),
    Param("scale", "seen", "payoffs scaled by the range seen, or by the game's", choices=("seen", "game")),
    Param("temperature", 1.0, "of the answer where it is mixed; 0: the likeliest", 0.0, 100.0, (), float),
    Param(
        "margin",
        None,
        "standard errors by which an action of a mixed answer may be worse; twice as many must an action be better "
        "than what the prior does for the answer not to be that; none: 1, or with a horizon or policy the game's",
        0.0,
        1e9,
        (),
        float,
        True,
    ),
    Param(
        "indifferent",
        None,
        "standard deviations of payoffs by which an action must be better, too, than what the prior does for a mixed "
        "answer not to be that; none: the game's where the rollout baselines, or the trained policy that is followed, "
        "are a known solution, else 0",
        0.0,
        100.0,
        (),
        float,
        True,
    ),
    Param(
        "doubt",
        None,
        "simulations that bring what all together do, added to what was tried of an action before it may be better "
        "than what the prior does, where one seat decides alone; none: 4 where a trained policy is followed that does "
        "not play the simulations, too, else 0",
        0.0,
        1e9,
        (),
        float,
        True,
    ),
    Param(
        "narrow",
        True,
        "of the many moves of some games (on a grid, or aimed) search those alone that a rollout baseline or an "
        "adviser of the game would make, and leave the baselines only for what is better by twice the `margin`",
        kind=bool,
    ),
    Param(
        "nodes",
        None,
        "limit of each tree, beyond which it does not grow; none: the memory",
        1,
        10**8,
        (),
        int,
        True,
    ),
    Param("memory", 256, "MB that all trees may take together", 1, 10**6, (), int),
    Param("trees", 1, "that share the simulations and whose roots are added up", 1, 64, (), int),
    Param("threads", None, "trees searched at once; none: as many as there are processors", 1, 64, (), int, True),
)

__all__ = ["DEFAULT_SIMS", "OBSERVERS", "PARAMS", "SELECTS"]
