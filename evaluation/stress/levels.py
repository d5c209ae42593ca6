"""Who is the module for: what it is worth to players of different strength, and how much the stronger beat the weaker.

The lab has no people to ask. Beginners, fair players and experts are levels 2, 5 and 8 of the game, as people meet them
when they play it; the strongest are the mixture that nothing found exploits. Where a test cannot afford the searches of
a level, beginners choose uniformly among what is legal, and fair players follow the strongest compiled heuristic and
use the module in the plain way that served them best on other games; so they do where stronger levels are asked to beat
weaker ones, which takes many games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .conditions import EVERYBODY, NOBODY, Condition
from .context import Context, slug
from .estimates import paired_many, scored
from .findings import Level, Sample, Typical, Use, Worth
from .game_levels import deals_of, level_named, lineup_of
from .strategies import Chosen, Mixture, Pair, Prelude, Strategy
from .workers import Job

Floats = npt.NDArray[np.float64]
BEGINNERS, FAIR, EXPERTS, STRONGEST = "beginners", "fair players", "experts", "the strongest found"
LEVELS = {BEGINNERS: 2, FAIR: 5, EXPERTS: 8}  # of the game
# plain ways of using a module, and how they are told
WAYS = {"as_is": "as the heuristic happens to", "always": "whenever they can", "never": "not at all"}


@dataclass(frozen=True)
class Skill:
    """Scores float64[deals] of the stronger of two levels, mean of all steps, with nobody and everybody having it.

    `moved`: with the module by the experts found without it, and without it by those found with it. `players`: those
    who stand for levels of the game that were not asked, (name, how they play, how the one plays who has the module);
    `games`: one of each level that was.
    """

    nobody: Floats
    everybody: Floats
    moved: tuple[Floats, Floats]
    steps: tuple[str, ...]
    players: tuple[tuple[str, Strategy, Strategy], ...] = ()
    games: tuple[Typical, ...] = ()


def ask_levels(
    context: Context, prelude: Prelude, chosen: Chosen, worth: Worth, use: Use
) -> tuple[tuple[Level, ...], Skill]:
    """What the module is worth to each level, how often it is used there, and how much stronger levels beat weaker."""
    context.begin("levels")
    weak = next(s for s in prelude.baselines if s.base == "random")
    fair, way = _fair(context, prelude.anchor)
    kinds = [(BEGINNERS, weak, weak, "choose among all that is legal, with equal chances", "at random")]
    if prelude.anchor != weak:
        kinds.append((FAIR, prelude.anchor, fair, f"play like the heuristic {prelude.anchor.name}, the strongest", way))
    levels, games = _declared(context, prelude)
    for name, plain, holder, player, using in kinds:
        if name not in levels:
            way = using if context.used else ""
            levels[name] = Level(name, player, way, _worth(context, plain, holder), *_rate(context, holder))
    last = Level(
        STRONGEST if EXPERTS in levels else EXPERTS, "play the mixture of strategies that nothing found exploits",
        "when it pays" if context.used else "", None if context.bench.whole_table else worth.overall, use.rate,
        use.error,
    )  # fmt: skip
    order = [levels[name] for name in LEVELS if name in levels]
    ladder = [(name, plain, holder) for name, plain, holder, _, _ in kinds]
    stand_ins = tuple(row for row in ladder if row[0] not in {game.name for game in games})
    return (*order, last), replace(_skill(context, chosen, ladder), players=stand_ins, games=games)


def _declared(context: Context, prelude: Prelude) -> tuple[dict[str, Level], tuple[Typical, ...]]:
    """Levels of the game that the test can afford, by the name of those whom they stand for, and a game of each."""
    bench, out, games = context.bench, dict[str, Level](), list[Typical]()
    conditions = bench.holder_conditions()
    sides = context.sides[:1] if bench.whole_table else context.sides
    agents = {name: level_named(context, number) for name, number in LEVELS.items()}
    deals = {name: deals_of(context, prelude, agent) for name, agent in agents.items()}
    jobs = [
        Job("level", {"conditions": [conditions[NOBODY], conditions[bench.alone(side)]], "agent": agents[name],
                      "deals": deals[name], "seed": context.seed("levels", name), "hero": side,
                      "path": _path(name) if side == sides[0] else ""})
        for name in LEVELS if deals[name]
        for side in sides
    ]  # fmt: skip
    answers = iter(context.need("levels", jobs))
    for name, number in LEVELS.items():
        if not deals[name]:
            continue
        got = [next(answers) for _ in sides]
        margins = [np.asarray(answer["margins"], dtype=np.float64) for answer in got]
        worth = None if bench.whole_table else worth_of([(alone, without) for without, alone in margins])
        rate, error = mean_rate([(answer["rate"], answer["error"]) for answer in got]) if context.used else (None, None)
        player = told_of(context, number, agents[name])
        out[name] = Level(name, player, "as they see fit" if context.used else "", worth, rate, error)
        games.append(Typical(name, got[0]["game"]["deal"], got[0]["game"]["result"], _path(name)))
    return out, tuple(games)


def told_of(context: Context, number: int, agent: str) -> str:
    """How a level of the game plays, or who stands for it where it would see nothing of a module or take too long."""
    if lineup_of(context).lab_levels:
        return f"play like {agent}, who stands for level {number} of the game in stress tests"
    return f"play at level {number} of the game, {agent}"


def _path(name: str) -> str:
    return f"replays/typical-{slug(name)}.json"


def mean_rate(rates: Sequence[tuple[float | None, float | None]]) -> tuple[float | None, float | None]:
    """The mean of the rates of use of several sides that had a chance, with its standard error."""
    known = [(rate, error) for rate, error in rates if rate is not None]
    if not known:
        return None, None
    errors = [error for _, error in known if error is not None]
    error = float(sum(e**2 for e in errors) ** 0.5 / len(known)) if len(errors) == len(known) else None
    return float(np.mean([rate for rate, _ in known])), error


def _fair(context: Context, anchor: Strategy) -> tuple[Strategy, str]:
    """The heuristic with the plain way of using the module that serves its holder best, and that way in words."""
    if not context.used:
        return anchor, ""
    words = list(WAYS.values())
    ways = [anchor.using(use) for use in WAYS]
    condition = context.bench.holder_conditions()[context.bench.alone(0)]
    (blocks,) = context.matrices("levels", [([condition], ways, [anchor])], context.budget.choose, "fair players")
    best = int(blocks.mean(axis=0)[:, 0].argmax())
    return ways[best], words[best]


def _worth(context: Context, plain: Strategy, holder: Strategy) -> Sample | None:
    """What having the module alone is worth among players of a level, mean of the sides; None for the whole table."""
    bench = context.bench
    if bench.whole_table:
        return None
    conditions = bench.holder_conditions()
    deals, others, pairs = max(20, context.budget.measure // 2), _only(plain), []
    for side in context.sides:
        wanted = [(conditions[NOBODY], [(others, others)]), (conditions[bench.alone(side)], [(_only(holder), others)])]
        without, alone = context.cells("levels", wanted, deals, "levels", side)
        pairs.append((alone, without))
    return worth_of(pairs)


def worth_of(pairs: Sequence[tuple[Floats, Floats]]) -> Sample:
    """The mean over sides of what each gains: its margins on the same deals with the module alone, and without."""
    return paired_many(pairs)


def _rate(context: Context, holder: Strategy) -> tuple[float | None, float | None]:
    """How often a level uses the module where it can be used or not, and the standard error."""
    if not context.used:
        return None, None
    args = {"condition": context.bench.everybody(), "rows": _only(holder), "columns": _only(holder),
            "deals": max(40, context.budget.rates // 4), "seed": context.seed("levels rates")}  # fmt: skip
    (answer,) = context.need("levels", [Job("rates", args)])
    return answer["rate"], answer["error"]


def _skill(context: Context, chosen: Chosen, ladder: Sequence[tuple[str, Strategy, Strategy]]) -> Skill:
    """Every level against the one below it, both ways of sitting, without and with the module."""
    conditions = context.bench.holder_conditions()
    deals = max(20, context.budget.measure // 4)
    scores: list[Floats] = []
    for name, whose in ((NOBODY, NOBODY), (EVERYBODY, EVERYBODY), (EVERYBODY, NOBODY), (NOBODY, EVERYBODY)):
        held = context.used and name != whose == NOBODY
        strategies = [holder if whose == EVERYBODY else plain.leaving if held else plain for _, plain, holder in ladder]
        alike = [_only(strategy) for strategy in strategies]
        best = chosen.all_moved(whose, held)
        known: list[Pair] = [*((mixture, mixture) for mixture in alike), best]
        wanted: list[tuple[Condition, Sequence[Pair]]] = []
        for weak, strong in pairwise(known):
            wanted += [(conditions[name], [(strong[0], weak[1])]), (conditions[name], [(weak[0], strong[1])])]
        got = context.cells("levels", wanted, deals, "skill")
        scores.append(np.mean([score_of(*pair) for pair in zip(got[::2], got[1::2])], axis=0))
    names = [name for name, _, _ in ladder] + [EXPERTS]
    return Skill(
        scores[0],
        scores[1],
        (scores[2], scores[3]),
        tuple(f"{strong} against {weak}" for weak, strong in pairwise(names)),
    )


def score_of(first: Floats, second: Floats) -> Floats:
    """Scores of the stronger side from margins of side 0, on which it plays in the first games, not in the second."""
    return (scored(first) + 1.0 - scored(second)) / 2


def _only(strategy: Strategy) -> Mixture:
    return Mixture((strategy,), (1.0,))


__all__ = [
    "BEGINNERS", "EXPERTS", "FAIR", "LEVELS", "STRONGEST", "Skill", "ask_levels", "mean_rate", "score_of", "worth_of",
]  # fmt: skip
