"""What functions of statistics make of numbers drawn by a seed: `python -m tests.drawn_figures` writes it anew.

Each function gets a few inputs, ordinary ones and such with ties, few values, nothing or all of a kind. Kept in
tests/golden/figures.json is one figure a call: the sum of all numbers that came back, each by a weight of its own. It
does not tell what is right, which cases by hand and naive twins do; it notices what changes, in any line.
"""

from __future__ import annotations

import dataclasses
import json
import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from probespiel.agents import intervals as iv
from probespiel.agents import matrix_game, rational_matrix
from probespiel.evaluation.balance import design, profile, surface
from probespiel.evaluation.balance.records import Figure
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.stress import (
    actions,
    changes,
    dominance,
    dynamics,
    effect,
    estimates,
    forecast,
    stakes,
    tree,
    typical,
)
from probespiel.evaluation.stress import worth as worths
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.context import Context
from probespiel.evaluation.stress.lab import Facts
from probespiel.evaluation.stress.learning import COUNTER, FREE, USE
from probespiel.evaluation.stress.levels import LEVELS
from probespiel.evaluation.stress.play import draw_pairs
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress
from probespiel.evaluation.stress.sample import winner, within
from probespiel.evaluation.stress.strategies import Prelude, Strategy
from probespiel.evaluation.stress.usage import standing_of
from probespiel.evaluation.tournament import deviation, joint, ladder, ladder_page, rating_ends, ratings
from probespiel.evaluation.tournament import metagame as mg
from probespiel.evaluation.tournament.confidence import Sequence

FILE = Path(__file__).parent / "golden" / "figures.json"
CASES = 6  # inputs of every function
DIGITS = 7  # significant ones of what is kept

Rng = np.random.Generator


def values(rng: Rng, n: int = 0) -> Any:
    """Values of games: ordinary ones, or nearly all alike, all alike, or few."""
    n = n or int(rng.integers(1, 90))
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return np.where(rng.random(n) < 0.1, rng.choice([-1.0, 1.0], n), 0.0)
    return np.full(n, 0.5) if kind == 2 else rng.choice([-1.0, 0.0, 1.0], n)


def matrix(rng: Rng, n: int = 0) -> Any:
    """An antisymmetric matrix, of numbers without a tie."""
    n = n or int(rng.integers(2, 7))
    found = rng.normal(size=(n, n))
    return found - found.T


def blocks(rng: Rng, n: int = 4) -> np.ndarray:
    return matrix(rng, n)[None] + rng.normal(size=(12, n, n))


def wins(rng: Rng) -> np.ndarray:
    n = int(rng.integers(2, 6))
    found = rng.integers(0, 30, (n, n)).astype(float)
    np.fill_diagonal(found, 0.0)
    if rng.random() < 0.5:
        found[:, 0] = 0.0  # nobody ever beat the first
    return found


def batches(rng: Rng) -> list[ladder.Batch]:
    out = []
    for _ in range(14):
        first, second = (int(x) for x in rng.choice(4, 2, replace=False))
        won, lost, drawn = (int(x) for x in rng.integers(0, 20, 3))
        given = {"first": first, "second": second, "wins": won, "losses": lost, "draws": drawn + 1}
        given |= {"games": won + lost + drawn + 1, "payoff": float(rng.normal())}
        names = {field.name for field in dataclasses.fields(ladder.Batch)}
        rest = {
            f.name: 0
            for f in dataclasses.fields(ladder.Batch)
            if f.name not in given and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        }
        out.append(ladder.Batch(**{k: v for k, v in {**given, **rest}.items() if k in names}))
    return out


def sequence(rng: Rng) -> list[Any]:
    found, out = Sequence(3, 2.0, 0.05, 2000), []
    for step in range(5):
        which = None if step % 2 == 0 else np.array([True, False, True])
        found.add(rng.normal(0.4, 0.5, size=(60, 3)).clip(-2, 2), which)
        found.look()
        out.append([found.low, found.high, found.mean, found.deviation, found.reach(), found.to_come(), found.bound])
    found.narrow(found.low + 0.01, found.high - 0.01, np.array([True, False, False]))
    return [*out, found.low, found.high]


def pairs(rng: Rng) -> list[tuple[np.ndarray, np.ndarray]]:
    n = int(rng.integers(12, 60))
    return [(values(rng, n), values(rng, n)) for _ in range(int(rng.integers(1, 3)))]


def tries(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Values of actions by two sets of continuations, NaN where an action is not legal."""
    first, second = rng.normal(size=(2, 15, 4))
    illegal = rng.random((15, 4)) < 0.3
    illegal[:, :2] = False
    return np.where(illegal, np.nan, first), np.where(illegal, np.nan, second)


def margins(rng: Rng) -> np.ndarray:
    return rng.normal(size=(2, 60)) + rng.normal(size=60)


def leaves(rng: Rng) -> list[Any]:
    x = rng.integers(0, 4, (600, 3)).astype(float)
    y = np.where(x[:, 0] > 1, 1.0, -0.5) + (x[:, 1] > 2) * (x[:, 0] <= 1) + rng.normal(size=600) * 0.5
    found = tree.honest_leaves(x, y, np.arange(600) // 3)
    return [[[*map(float, sum(leaf.conditions, ())), leaf.share, leaf.mean, leaf.error, leaf.count]] for leaf in found]


def covered(rng: Rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = 6
    spread = rng.normal(size=(n, n)) * 0.05
    slope = rng.choice([-1.0, 0.0, 1.0])
    return (
        np.arange(float(n)),
        slope * np.arange(n) / n + rng.normal(size=n) * 0.05,
        spread @ spread.T + 0.002 * np.eye(n),
    )


def curved(rng: Rng) -> Any:
    x, y, cov = covered(rng)
    if rng.random() < 0.3:
        cov = np.zeros_like(cov)
    return profile.curve(x, y, cov, 1, np.linspace(0.0, 5.0, 11))


def part(rng: Rng) -> changes.Part:
    found = np.where(rng.random((2, 30)) < 0.2, np.nan, rng.normal(size=(2, 30)))
    return changes.part_of(found, np.repeat([[0], [1]], 30, axis=1))


def sample(rng: Rng) -> estimates.Sample:
    """A mean with its interval."""
    low, middle, high = np.sort(rng.normal(size=3)).tolist()
    return estimates.Sample(middle, low, high, int(rng.integers(2, 40)))


def raw(rng: Rng, like: dynamics.Raw | None = None) -> dynamics.Raw:
    """Games of a condition; `like`: with the same margins and scores."""
    shape = (3, 40)
    found: dict[str, Any] = {
        "lengths": rng.integers(4, 9, shape).astype(float),
        "unresolved": np.zeros(shape) if rng.random() < 0.4 else (rng.random(shape) < 0.2).astype(float),
        "margins": like.figures["margins"] if like else rng.choice([-1.0, -0.005, 0.0, 0.5], shape),
        "comeback": np.where(rng.random(shape) < 0.3, np.nan, rng.random(shape) < 0.5),
        "changes": rng.integers(0, 4, shape).astype(float),
        "drama": np.where(rng.random(shape) < 0.3, np.nan, rng.random(shape)),
    }
    scores = like.rungs if like else tuple(np.full(9, 0.5) if rng.random() < 0.4 else rng.random(9) for _ in range(2))
    phases = {"deal": float(rng.random()), **({"ask": float(rng.random())} if rng.random() < 0.5 else {})}
    return dynamics.Raw(found, rng.integers(0, 2, shape), scores, True, phases, {"deal": float(rng.random())})


def courses(rng: Rng) -> dynamics.Courses:
    """Games before and after, and those of strategies that changed places."""
    before = raw(rng)
    after = raw(rng, before if rng.random() < 0.5 else None)
    return dynamics.Courses(before, after, (raw(rng, before if rng.random() < 0.5 else None), raw(rng)))


def played(rng: Rng) -> dynamics.Play:
    found = raw(rng)
    return dynamics._play_of([found.figures, *({"scores": x} for x in found.rungs)], ["a", "b"])


def skilled(rng: Rng) -> list[changes.Change]:
    """Changes of skill, where a rule pays what is sure, and where it does not."""
    levels = [np.full(12, 0.5) if rng.random() < 0.4 else rng.random(12) for _ in range(4)]
    games = courses(rng)
    sure = cast(Any, SimpleNamespace(sure=bool(rng.random() < 0.7)))
    known: Any = SimpleNamespace(
        skill=SimpleNamespace(nobody=levels[0], everybody=levels[1], moved=levels[2:]), courses=games
    )
    return [*effect._of_skill(known, effect.alike_when_paid(sure, games)), *effect._of_skill(known)]


def varied(rng: Rng) -> list[changes.Change]:
    """Changes of the number of strategies and of cycles, of numbers that all differ."""
    numbers: Any = [rng.normal(3, 1, n) for n in (20, 20, 9)]
    shares: Any = [rng.random(8) for _ in range(3)]
    lucky: Any = [[rng.random(n) for n in (4, 5, 5)] for _ in range(2)]
    found = dominance.Variety(numbers, shares, 8, float(rng.normal()), *lucky)
    games: Any = [SimpleNamespace(different=sample(rng)) for _ in range(2)]
    return effect.of_variety(cast(Any, SimpleNamespace(nobody=games[0], everybody=games[1])), found)


def ahead(rng: Rng) -> list[np.ndarray]:
    """Leads among two sides and three, of which some have two seats, and of one side."""
    payoffs, out = rng.normal(size=(5, 4)), []
    for sides in ([[0, 3], [1, 2]], [[0, 2], [1], [3]], [[0], [1, 3], [2]], [[0, 1, 2, 3]]):
        bench = SimpleNamespace(sides=sides, side_seats=lambda condition, side, sides=sides: sides[side])
        out.append(dynamics.final_leads(cast(Any, SimpleNamespace(bench=bench)), cast(Any, None), payoffs))
    return out


def paid_alike(rng: Rng) -> list[np.ndarray]:
    """Payoffs of joint strategies, of which some are the same in all deals, and some in all but one."""
    earned, reach = rng.normal(size=(12, 6, 2)).clip(-3.0, 3.0), np.array([[-3.0, 3.0], [-4.0, 5.0]])
    earned[:, :4] = earned[0, :4]
    earned[int(rng.integers(12)), 2:4, 0] += 0.5
    return [joint._unmoved(earned, reach), joint._stretched(earned, reach)]


def standings(rng: Rng) -> list[Any]:
    """What pairs of a ladder got, and whether payoffs say more than who won."""
    lines: Any = [
        SimpleNamespace(
            player=SimpleNamespace(id=i, person=i == 3, imported=bool(rng.random() < 0.3)),
            current=bool(rng.random() < 0.8),
        )
        for i in (2, 0, 3, 1)
    ]
    found = [replace(x, number=i, seed=int(rng.integers(2))) for i, x in enumerate(batches(rng))]
    factor = float(rng.choice([0.5, 1.0, -1.0]))
    alike = [replace(x, payoff=factor * (x.wins - x.losses) / x.games) for x in found]
    several = [[], found, alike, [replace(x, payoff=0.0, wins=0, losses=0) for x in found]]
    pairs = [[x.first, x.second, x.points / x.games, x.payoff, x.batch] for x in ladder_page._pairs(lines, found)]
    return [pairs, [ladder.graded(x) for x in several]]


def moments(rng: Rng) -> Any:
    """The ratings of a ladder over time."""
    lines: Any = [SimpleNamespace(player=SimpleNamespace(id=i)) for i in (2, 0, 3, 1)]
    return ladder_page._moments(lines, batches(rng))


def losses(rng: Rng) -> list[Any]:
    """How far figures are from their targets, at best and as they were measured, and by what that is weighed."""
    names = ("worth", "length", "draws")
    targets = [Target("worth", -0.1, 0.1), Target("length", None, 8.0), Target("draws", 0.2, None)]
    points = []
    for _ in range(3):
        middles, halves = rng.normal(size=3) * (0.3, 4.0, 0.2) + (0.0, 8.0, 0.2), rng.random(3) * (0.2, 1.0, 0.1)
        points.append({
            name: Figure(name, x, x - half, x + half, 99)
            for name, x, half in zip(names, middles.tolist(), halves.tolist())
        })  # fmt: skip
    scale = design.scales(targets, points)
    return [scale, [design.hopeful_loss(targets, point, scale) for point in points],
            [design.loss_of(targets, {n: f.value for n, f in point.items()}, scale) for point in points]]  # fmt: skip


def fitted(rng: Rng) -> list[Any]:
    """A surface over two parameters, at places of its own and at others."""
    x, spread = rng.random((7, 2)), rng.normal(size=(7, 7)) * 0.02
    y = x @ rng.normal(size=2) + np.sin(5 * x[:, 0]) * rng.choice([0.0, 0.4]) + rng.normal(size=7) * 0.03
    found = surface.surface(x, np.array([0, 1]), y, spread @ spread.T + 0.001 * np.eye(7))
    return [found.at(x), found.at(rng.random((4, 2))), sorted(part.share for part in found.parts)[-3:]]


def roots(rng: Rng) -> list[Any]:
    """Where curves have some values, and the first of them near each end."""
    found = curved(rng)
    middle = float(found.mid.mean())
    return [profile.root_of(found, value) for value in (middle - 0.3, middle, middle + 0.1)] + [
        profile.root_of(found, middle, near) for near in (0.0, 5.0)
    ]


# two sides without a unit of exchange, and with one; several sides; one side
TESTED = (
    ("kuhn", str(Path(__file__).parent / "planted" / "jacks.py"), None), ("konfrontation-clash", "blackmail", None),
    ("einblatt-melee", "full_hand", "free_for_all"), ("oneshot-mission", "berserker", "courier"),
)  # fmt: skip


@cache
def tested(number: int) -> Context:
    """A stress test that has not begun."""
    game, module, scenario = TESTED[number]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(game, module, scenario=scenario, budget="quick")
        return Stress(settings, Path(folder) / "new", 1, False, False, Quiet(), "").context


def work(rng: Rng, number: int) -> list[Any]:
    """What the steps of a stress test do, take and ask, by a pace of numbers that all differ; with and without uses."""
    levels = list(LEVELS)[: rng.integers(3)]
    kinds = "games learned mixed branches answers courses again searches stakes programs solved".split()  # noqa: SIM905
    kinds += [f"{word}{name}" for word in (forecast.LEVEL, forecast.MATCHES) for name in levels]
    used, plain = bool(rng.random() < 0.6), tested(number)
    context = replace(
        plain, marked=frozenset({1} if used else ()), offered=used, facts=Facts(length=float(rng.integers(4, 40))),
        observation=int(rng.integers(20, 900)), scale=1.5,
    )  # fmt: skip
    honest = Strategy("random", base="random")
    prelude = Prelude((honest,), honest, *rng.uniform(2.0, 20.0, 3).tolist())
    pace = forecast.Pace(
        dict(zip(kinds, (10 ** rng.uniform(-6, -2, len(kinds))).tolist())),
        {kind: float(rng.uniform(1, 9)) for kind in (FREE, COUNTER)},
        {kind: float(rng.uniform(1, 99)) for kind in (FREE, USE)},
        float(rng.choice([0.0, 50.0, np.inf])), 1.5, float(rng.uniform(0.5, 1.0)),
    )  # fmt: skip
    joins = bool(rng.random() < 0.7)
    done = forecast.work_of(context, prelude, pace, joins)
    by_kind = {step: [amounts[kind] for kind in (*kinds, "jobs")] for step, amounts in done.items()}
    return [
        {step: np.log1p(amounts) for step, amounts in by_kind.items()},
        {step: math.log1p(seconds) for step, seconds in forecast.steps_of(context, prelude, pace, joins).items()},
        forecast.asks_of(context),
    ]


def seat_told(rng: Rng) -> changes.Change:
    found: Any = SimpleNamespace(nobody=sample(rng), everybody=sample(rng), change=sample(rng))
    return effect._of_seat(found, cast(Any, SimpleNamespace(deviation=2.0)), [rng.normal(size=9) for _ in range(4)])


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "unseen": lambda rng: iv.unseen(int(rng.integers(0, 99))),
    "missed": lambda rng: iv.missed(np.abs(values(rng))),
    "share_ends": lambda rng: iv.share_ends(int(rng.integers(0, 9)), int(rng.integers(9, 30))),
    "room": lambda rng: iv.room(values(rng), (-3.0, 5.0)),
    "mean_interval": lambda rng: iv.mean_interval(values(rng), (-3.0, 5.0)),
    "error_of": lambda rng: iv.error_of(values(rng), (-3.0, 5.0)),
    "paired_many": lambda rng: estimates.paired_many(pairs(rng)),
    "scored": lambda rng: estimates.scored(values(rng)),
    "odds_ratio": lambda rng: estimates.odds_ratio(*pairs(rng)[0]),
    "mean_of": lambda rng: [estimates.mean_of(v, r) for v in (values(rng),) for r in (None, (-4.0, 4.0))],
    "interval": lambda rng: estimates.interval(float(rng.normal()), float(rng.random()), int(rng.integers(1, 40))),
    "overall_of": lambda rng: worths.overall_of(pairs(rng), 3),
    "odds_of": lambda rng: worths.odds_of(pairs(rng), 2),
    "reach_of": lambda rng: worths.reach_of(pairs(rng), 3),
    "by_seed": lambda rng: worths.by_seed(values(rng, 20), 3),
    "units": lambda rng: worths._units(float(rng.normal()), (-2, -1, 0, 1, 2), np.sort(rng.integers(-2, 3, 5)) / 1.0),
    **{f"work of {name}": lambda rng, n=n: work(rng, n) for n, (name, *_) in enumerate(TESTED)},
    "part_of": part,
    "change_of": lambda rng: changes.change_of("luck", part(rng), part(rng), 0.1, [part(rng), part(rng)], (3, 4)),
    "quantile": lambda rng: changes.quantile(int(rng.integers(1, 60)), int(rng.integers(1, 9))),
    "luck_change": lambda rng: effect.luck_change(*(margins(rng) for _ in range(4))),
    "change_of_samples": lambda rng: changes.change_of_samples("seat", sample(rng), sample(rng), sample(rng), 0.1),
    "of_courses": lambda rng: effect.of_courses(courses(rng), bool(rng.random() < 0.3)),
    "of_skill": skilled,
    "of_matter": lambda rng: effect._of_matter([rng.integers(0, 9, n) for n in (9, 8, 7, 9)]),
    "of_seat": seat_told,
    "of_variety": varied,
    "final_leads": ahead,
    "play_of": played,
    "asked": lambda rng: (lambda c: [c.own, *map(c.asked, (c.nobody, c.everybody, *c.moved))])(courses(rng)),
    "freedom": lambda rng: effect.freedom(rng.random(3), rng.integers(1, 20, 3)),
    "alike_in": lambda rng: effect.alike_in(values(rng)),
    "luck_share": lambda rng: dynamics.luck_share(margins(rng)),
    "luck_by_group": lambda rng: dynamics.luck_by_group(margins(rng)),
    "gaps": lambda rng: stakes.gaps(*tries(rng)),
    "leads_of": lambda rng: stakes.leads_of(*tries(rng), np.array([True, True, rng.random() < 0.5, False])),
    "mattering": lambda rng: stakes.mattering(*tries(rng), 0.3),
    "plan of stakes": lambda rng: stakes.plan(10 ** rng.uniform(0, 5), *rng.uniform(1, 30, 3), observation=300),
    "among": lambda rng: actions._among(tries(rng)[0], frozenset({0, 1})),
    "mixed": lambda rng: actions._mixed(np.nan_to_num(tries(rng)[0]), rng.random(4)),
    "ranks of values": lambda rng: tree.ranks(rng.integers(0, 5, 20)),
    "clustered": lambda rng: tree.clustered(values(rng, 30), np.arange(30) // int(rng.integers(1, 9))),
    "clustered_share": lambda rng: tree.clustered_share(values(rng, 30) > 0, np.arange(30) // 3),
    "honest_leaves": leaves,
    "reaching": lambda rng: dominance.reaching(estimates.Sample(0.5, 0.4, 0.7, 9), rng.random(5) / 9, 0, 1),
    "resampled": lambda rng: dominance.resampled(blocks(rng), 7, 3),
    "antisymmetric": lambda rng: dominance.antisymmetric(blocks(rng)),
    "variety_of": lambda rng: dominance.variety_of(dominance.antisymmetric(blocks(rng)), 8, 1, 1.0),
    "cyclic_by_block": lambda rng: dominance.cyclic_by_block(dominance.antisymmetric(blocks(rng))),
    "likeness": lambda rng: dominance.likeness(dominance.antisymmetric(blocks(rng)), 5.0),
    "worth_playing": lambda rng: dominance.worth_playing(np.array([matrix(rng, 4) for _ in range(5)])),
    "effective_number": lambda rng: dominance.effective_number(rng.dirichlet(np.ones(5))),
    "mass": lambda rng: dominance.mass(rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 30), rng.random(3), 12),
    "matrix_game": lambda rng: dominance.matrix_game("abcd", blocks(rng), rng.random(4), 20, 1, 99),
    "middle": lambda rng: typical.middle(values(rng, 9), rng.random(9) < 0.7, rng.random(9) < 0.7),
    "winner": lambda rng: winner(values(rng)),
    "within": lambda rng: within(range(12), rng.integers(4, 60, 12), rng.random(12) < 0.5, 5),
    "standing_of": lambda rng: standing_of(values(rng)),
    "draw_pairs": lambda rng: draw_pairs(rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(2)), np.arange(20), 5),
    "max_entropy_nash": lambda rng: mg.max_entropy_nash(matrix(rng)),
    "nash_of_ties": lambda rng: mg.max_entropy_nash(np.sign(matrix(rng, 5)) * (np.abs(matrix(rng, 5)) > 0.8)),
    "nash_of_copies": lambda rng: mg.max_entropy_nash(np.kron(matrix(rng, 3), np.ones((2, 2)))),
    "solve": lambda rng: [mg.solve(rng.normal(size=(3, 4))).value, mg.solve(rng.normal(size=(3, 3))).row],
    "exploitability": lambda rng: mg.exploitability(matrix(rng)),
    "cross_fitted": lambda rng: mg.cross_fitted_exploitability(*(matrix(rng, 5) for _ in range(2))),
    "hodge": lambda rng: mg.hodge(matrix(rng, 5), np.ones((5, 5)) if rng.random() < 0.5 else None),
    "cyclic_share": lambda rng: (lambda m: mg.cyclic_share(m, m + matrix(rng, 5) / 9))(matrix(rng, 5)),
    "pure_dominance": lambda rng: mg.pure_dominance(np.sign(matrix(rng, 5))),
    "mixed_domination": lambda rng: (lambda d: [d.margin, d.gain])(mg.mixed_domination(matrix(rng, 5), 2)),
    "dominated_many": lambda rng: mg.dominated_many(np.array([np.sign(matrix(rng, 4)), matrix(rng, 4)])),
    "bradley_terry": lambda rng: ratings.bradley_terry(wins(rng)),
    "payoff_ratings": lambda rng: ratings.payoff_ratings(matrix(rng)),
    "laplacian_inverse": lambda rng: ratings.laplacian_inverse(np.abs(matrix(rng, 5)) * (np.abs(matrix(rng, 5)) > 1)),
    "ranks": lambda rng: ratings.ranks(np.round(values(rng, 8), 1)),
    "rank_intervals": lambda rng: ratings.rank_intervals(matrix(rng, 6) > 1),
    "separated": lambda rng: [float(len(g)) for g in ratings.separated(wins(rng)).groups],
    "likelihood_ends": lambda rng: (lambda w: rating_ends.likelihood_ends(
        w, ratings.bradley_terry(w), np.arange(len(w)), np.full(len(w), 1.5)))(wins(rng)),
    "paid alike": paid_alike,
    "standings": standings,
    "moments": moments,
    "rate": lambda rng: ladder.rate(4, batches(rng)),
    "rate_by_payoff": lambda rng: ladder.rate_by_payoff(4, batches(rng)),
    "best_opponent": lambda rng: ladder.best_opponent(0, [1, 2, 3], 4, batches(rng)),
    "gains_table": lambda rng: deviation.gains_table([rng.normal(size=(2, 3)) for _ in range(2)]),
    "deviation_ratings": lambda rng: deviation.deviation_ratings([rng.normal(size=(2, 3)) for _ in range(2)]),
    "stranger": lambda rng: deviation.stranger(rng.normal(size=(5, 5)), matrix(rng, 5)),
    "outcast": lambda rng: deviation.outcast(rng.normal(size=(5, 5)), matrix(rng, 5)),
    "confidence": sequence,
    "curve": curved,
    "roots": roots,
    "surface": fitted,
    "losses": losses,
    "spans": lambda rng: profile.spans(np.arange(9.0), rng.random(9) < 0.6),
    "covariance": lambda rng: profile.covariance([rng.normal(size=30), None, rng.normal(size=30)], rng.random(3)),
    "solve_zero_sum": lambda rng: matrix_game.solve_zero_sum(rng.normal(size=(4, 3))).value,
    "solve_matrix": lambda rng: float(rational_matrix.solve_matrix(rng.integers(-5, 6, (3, 4)).tolist()).value),
}  # fmt: skip


def flat(found: Any) -> list[float]:
    """All numbers of what came back, in their order; what is missing counts as a number of its own."""
    if dataclasses.is_dataclass(found) and not isinstance(found, type):
        return [x for field in dataclasses.fields(found) for x in flat(getattr(found, field.name))]
    if isinstance(found, dict):
        return [x for value in found.values() for x in flat(value)]
    if isinstance(found, list | tuple | np.ndarray):
        return [x for value in found for x in flat(value)]
    if found is None or isinstance(found, str):
        return [-123.0] if found is None else []
    number = float(cast(Any, found))
    return [number if math.isfinite(number) else (-77.0 if math.isnan(number) else math.copysign(999.0, number))]


def figures_of(name: str) -> list[float]:
    """One figure a call of a function."""
    out = []
    for case in range(CASES):
        numbers = flat(FUNCTIONS[name](np.random.default_rng(case)))
        whole = sum(x * (2 + math.sin(i + 1)) for i, x in enumerate(numbers))
        out.append(float(f"{whole:.{DIGITS}g}") + 0.0)
    return out


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(name)}: {json.dumps(figures_of(name))}" for name in FUNCTIONS]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
