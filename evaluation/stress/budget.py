"""How much a stress test plays: sizes of every step for the three budgets, fitted to the game's length."""

from __future__ import annotations

from dataclasses import dataclass, replace

COST = 17.0  # of a duel of einBlatt, see `cost_of`
SLOW = 1 / 2000  # what rules that are not compiled can play in the time
FURTHER = 20  # times the games, at most, in which rare faults are looked for, as far as they take little
LEAST, MOST = 1 / 60, 1.5  # bounds of the factor by which games are fewer or more
# times the factor for the games of courses, up to all of them: they tell how games go, where a rare draw or a turn of
# the lead needs hundreds of deals, and take a hundredth of the time of learning and choosing
COURSE = 10


@dataclass(frozen=True)
class Budget:
    """Sizes: seeds of the learners, games of learning, deals for each purpose."""

    name: str
    seeds: int
    baselines: int  # the strongest, beside uniform choice
    rounds: int  # in which both sides learn to counter what the other plays
    probe: int  # games under watch, for each way of having the module
    learn_use: int  # games of a course of learning: when to use the module
    learn_free: int  # ... the whole game
    learn_counter: int  # ... against given opponents
    prelude: int  # deals of every pair of baselines
    choose: int  # deals of every pair of strategies, by which mixtures are chosen
    measure: int  # deals of every condition that is measured
    matrix: int  # deals of every pair of strategies in the fresh matrix
    rates: int  # deals from which rates of use are counted
    samples: int  # uses that are tried both ways
    course: int  # deals that are played several times over
    replicates: int  # so many times
    ladder: tuple[int, ...]  # simulations of the searches
    rung: int  # deals of every rung
    show: int  # deals among which the exploit's game is looked for
    differences: tuple[int, ...]  # handicaps at which having the module is measured
    curve: tuple[int, ...]  # ... at which the game without it is measured
    resamples: int
    stakes: int  # decisions of continuations by which is told which decisions matter
    learn_work: int  # decisions of continuations in a course of learning, at most
    rung_work: int  # decisions of continuations in a rung, at most
    seconds: float  # of processors, about, that all after the baselines may take (see `affording`)
    probe_work: int = 1_000_000  # decisions, about, by which games short enough are looked at further for rare faults
    pace: float = 0.15  # seconds after which the time of a kind of work is known


BUDGETS = {
    "quick": Budget(
        "quick", 2, 5, 1, 3_000, 2_000, 4_000, 2_000, 300, 600, 8_000, 400, 2_000, 1_500, 400, 4, (25, 50, 100), 80,
        2_000, (-2, 0, 2), (-2, -1, 0, 1, 2, 4), 300, 500_000, 3_000_000, 3_000_000,
        100.0,
    ),
    "standard": Budget(
        "standard", 3, 8, 3, 20_000, 8_000, 25_000, 12_000, 600, 2_000, 40_000, 1_000, 10_000, 8_000, 2_000, 6,
        (25, 50, 100, 200, 400), 200, 10_000, (-2, -1, 0, 1, 2), (-3, -2, -1, 0, 1, 2, 3, 4, 6), 1_000,
        5_000_000, 30_000_000, 30_000_000, 900.0, 6_000_000,
    ),
    "deep": Budget(
        "deep", 5, 16, 4, 100_000, 40_000, 150_000, 60_000, 2_000, 8_000, 200_000, 4_000, 50_000, 30_000, 8_000, 8,
        (25, 50, 100, 200, 400, 800, 1600), 500, 40_000, (-3, -2, -1, 0, 1, 2, 3),
        (-4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8), 2_000, 25_000_000, 200_000_000, 150_000_000, 14_400.0,
    ),
}  # fmt: skip
_PLAYED = (
    "learn_use", "learn_free", "learn_counter", "prelude", "choose", "measure", "matrix", "rates", "samples", "rung",
    "show",
)  # fmt: skip
_TRIED = ("stakes", "learn_work", "rung_work")  # of these the factor takes nothing
_FLOOR = {"learn_use": 60, "learn_free": 60, "learn_counter": 60, "samples": 200, "course": 60, "rung": 20}


def cost_of(length: float, observation: int, work: float = 1.0) -> float:
    """What a game costs, from its mean number of decisions and the length of an observation; no clock is asked.

    `work`: decisions of random play that one of a baseline takes, in the mean of those that play.
    """
    return max(length, 1.0) * (work + observation / 600.0)


def fitted(
    budget: Budget, length: float, observation: int, compiled: bool, work: float = 1.0, share: float = 1.0
) -> tuple[Budget, float]:
    """The budget for a game: longer games are played less often. Returns it with the factor.

    Of all that is played and learned a `share` can be afforded (see `affording`).
    """
    factor = min(MOST, max(LEAST, COST / cost_of(length, observation, work)))
    if not compiled:
        factor *= SLOW
    changed = part_of(budget, factor, share)
    if not compiled:
        changed = replace(
            changed,
            ladder=budget.ladder[:2],
            seeds=1,
            stakes=round(budget.stakes * SLOW),
            learn_work=round(budget.learn_work * SLOW),
            rung_work=round(budget.rung_work * SLOW),
        )
    return changed, factor


def part_of(budget: Budget, factor: float, share: float = 1.0) -> Budget:
    """The budget with `factor` times the games of everything that is played after the search for breakage.

    Of that and of what depends on no factor, the continuations of decisions, a `share`.
    """
    parts = dict.fromkeys(_PLAYED, factor) | {"course": max(factor, min(1.0, COURSE * factor))}
    changed = {
        name: max(_FLOOR.get(name, 40), round(getattr(budget, name) * part * share)) for name, part in parts.items()
    }
    return replace(budget, **changed, **{name: round(getattr(budget, name) * share) for name in _TRIED})


def further_games(budget: Budget, length: float) -> int:
    """How many more games of each condition with the module are looked at for rare faults; 0 if there is no room."""
    more = min(FURTHER * budget.probe, int(budget.probe_work / max(length, 1.0)))
    return more if more > budget.probe else 0


__all__ = ["BUDGETS", "Budget", "cost_of", "fitted", "further_games", "part_of"]
