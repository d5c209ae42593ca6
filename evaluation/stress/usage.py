"""Is the module used, and is that right? Uses per opportunity by situation, and what a use is worth to the user.

The worth of a use is measured where it is offered: the game goes on once with the use and once without it, on the same
dice and with the same players, and the difference of the results is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...agents.policy_net import blueprint_of
from ...envs.core.game import Game, GameSpec
from ...envs.core.rng import rng_table
from ...envs.core.rulebook.observed import Observed
from .branch_data import Sample, Trial, UseRows
from .branch_kernel import sample_uses
from .conditions import EVERYBODY, Condition
from .context import Context
from .estimates import paired
from .findings import (
    ActionGain,
    ActionLine,
    Choice,
    Place,
    Restricted,
    Situation,
    SituationGain,
    Stake,
    Use,
    UseWorth,
    Ways,
)
from .guided import Guided, LoggedDecisions
from .lab import Lab, position_bytes
from .naming import both_questions
from .play import draw_pairs, play, schedule_of
from .rollouts import cast_of, marking_of, space_of
from .strategies import Chosen, Mixture, Strategy, joined, once_each
from .tree import Feature, clustered, clustered_share, honest_leaves, words_for
from .workers import Job

STANDINGS = ("behind", "level", "ahead")
USES = ("always", "never", "coin", "random")  # ways of using the module to which a side is held
A_GAME = 2.0  # uses that are tried both ways, of a game that offers so many: those of one game hang together
REPLICATES = 4  # continuations of an opportunity, with the use and without
WIDE = 30  # pieces with so many values in a row, none with a name, are sets of things, and enter by their sums


def watch_use(context: Context, chosen: Chosen) -> Use:
    """Rates of use, what a use is worth, and what is lost if it is always, never or blindly used."""
    context.begin("use")
    if not context.marked:
        return Use(0)
    b = context.budget
    rows, columns = chosen.of_all(EVERYBODY)
    same = {"condition": context.bench.everybody(), "rows": rows, "columns": columns}
    (rates,) = context.need("use", [Job("rates", {**same, "deals": b.rates, "seed": context.seed("rates")})])
    jobs = [
        Job("worths", {**same, "samples": b.samples, "deals": 20 * b.samples, "replicates": REPLICATES,
                       "share": share_tried(rates), "seed": context.seed("worths")}),
        Job("trials", {**same, "choices": rates["choices"], "samples": b.samples, "deals": b.rates,
                       "seed": context.seed("answers")}),
    ]  # fmt: skip
    worths, tried = context.need("use", jobs)
    names = context.bench.side_names
    return Use(
        actions=len(context.marked),
        **{
            **rates,
            "situations": tuple(Situation(**row) for row in rates["situations"]),
            "choices": tuple(Choice(**row) for row in tried["choices"]),
        },
        stakes=tuple(Stake(**row) for row in tried["stakes"]),
        lines=tuple(ActionLine(**row) for row in tried["lines"]),
        ways=tuple(
            Ways(row["used"], Stake(**row["stake"]), tuple(Choice(**answer) for answer in row["answers"]))
            for row in tried["ways"]
        ),
        worth=UseWorth(
            **{
                **worths,
                "situations": tuple(SituationGain(**row) for row in worths["situations"]),
                "actions": tuple(ActionGain(**row) for row in worths["actions"]),
                "leaves": tuple(Place(**row) for row in worths["leaves"]),
            }
        ),
        restricted={names[side]: restricted(context, chosen, side) for side in context.sides},
    )


def share_tried(rates: Mapping[str, Any]) -> float:
    """The chance of a use to be tried both ways, by what was counted by `rates`."""
    often = rates["opportunities"] / max(rates["games_with_offer"], 1)
    return min(1.0, A_GAME / max(often, A_GAME))


def restricted(context: Context, chosen: Chosen, side: int) -> Restricted:
    """What a side that has the module alone loses by a way of using it, against using it as it likes."""
    name = context.bench.alone(side)
    condition, mixtures = context.bench.holder_conditions()[name], chosen.of_all(name)
    mine, others = mixtures[side], mixtures[1 - side]
    wanted = [(condition, [(mine, others)])]
    for use in USES:
        held = Mixture(tuple(s.using(use) for s in mine.strategies), mine.weights)
        wanted.append((condition, [(held, others)]))
    free, *bound = context.cells("use", wanted, context.budget.measure // 2, f"restricted {side}", side)
    return Restricted(**{use: paired(free, got) for use, got in zip(USES, bound)})


# What workers do


def standing_of(leads: np.ndarray) -> np.ndarray:
    """Index into STANDINGS of each lead, int64[n]."""
    return 1 + (leads > 1e-6).astype(np.int64) - (leads < -1e-6)


def rates(lab: Lab, condition: Condition, rows: Mixture, columns: Mixture, deals: int, seed: int) -> dict[str, Any]:
    """How often the module is used where it is offered, by phase and standing, from the log of some games."""
    players, first, second = joined(rows, columns)
    numbers = np.arange(deals)
    played = play(lab, condition, players, draw_pairs(first, second, numbers, seed), numbers, seed, logged=True)
    log = played.log
    assert log is not None
    game_of = played.games_of_log()[: len(log)]
    table = situations(lab.game(condition), log, game_of)
    offered, taken = log.free, log.taken & log.free
    forced = log.offered & ~log.free
    with_offer, with_use = np.unique(game_of[offered]), np.unique(game_of[taken])
    rate, error = clustered_share(taken[offered], game_of[offered])
    return {
        "games": deals,
        "opportunities": int(offered.sum()),
        "uses": int(taken.sum()),
        "rate": rate if len(with_offer) else None,
        "error": error if np.isfinite(error) else None,
        "games_with_offer": len(with_offer),
        "games_with_use": len(with_use),
        "forced": int(forced.sum()),
        "choices": choices(lab.game(condition), log, forced & (log.legal > 1)),
        "situations": table,
    }


def use_rates(
    lab: Lab, condition: Condition, strategies: Sequence[Strategy], elsewhere: Sequence[Strategy], opponent: Strategy,
    deals: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """How often each strategy uses the module where it can, on any side, against one opponent; None: never offered.

    On side 0 `strategies` play, in all other seats what stands for them in `elsewhere`.
    """
    out: list[float | None] = []
    numbers = np.arange(deals)
    for strategy, other in zip(strategies, elsewhere, strict=True):
        players = once_each((strategy, other, opponent))
        one, two, they = (players.index(s) for s in (strategy, other, opponent))
        pairs = [(one, they) if i % 2 else (they, two) for i in range(deals)]
        played = play(lab, condition, players, pairs, numbers, seed, logged=True)
        log = played.log
        assert log is not None
        game_of = played.games_of_log()[: len(log)]
        own = set(lab.bench.side_seats(condition, 0))
        on_first = np.isin(log.seats, sorted(own))
        mine = (on_first == (game_of % 2 == 1)) if len(players) > 1 else np.ones(len(log), dtype=bool)
        offered = log.free & mine
        out.append(float(log.taken[offered].mean()) if offered.any() else None)
    return {"rates": out}


def choices(game: Game, log: LoggedDecisions, asked: np.ndarray) -> list[dict[str, Any]]:
    """What is chosen at the decisions `asked` bool[n], by phase, most frequent first, and in which seats."""
    out = []
    for phase in np.unique(log.phases[asked]):
        at = asked & (log.phases == phase)
        here, whose = log.actions[at], log.seats[at]
        seats = [(game.seats[s].called("en"), whose == s) for s in np.unique(whose)]
        actions, counts = np.unique(here, return_counts=True)
        rows = [
            {"phase": game.spec.phases[phase], "action": game.actions.describe(int(action)), "count": int(count),
             "share": int(count) / len(here),
             "seats": {name: float((here[own] == action).mean()) for name, own in seats}}
            for action, count in zip(actions, counts)
        ]  # fmt: skip
        out += sorted(rows, key=lambda row: -row["count"])
    return out


def situations(game: Game, log: LoggedDecisions, game_of: np.ndarray) -> list[dict[str, Any]]:
    """Opportunities and uses by phase and standing, most frequent first; what cannot be declined is none."""
    offered = np.flatnonzero(log.free)
    phases, standing = log.phases[offered], standing_of(log.leads[offered])
    out = []
    for phase, place in sorted(set(zip(phases.tolist(), standing.tolist()))):
        here = offered[(phases == phase) & (standing == place)]
        rate, error = clustered_share(log.taken[here], game_of[here])
        out.append(
            {
                "phase": game.spec.phases[phase],
                "standing": STANDINGS[place],
                "opportunities": len(here),
                "rate": rate,
                "error": None if not np.isfinite(error) else error,
            }
        )
    return sorted(out, key=lambda row: -row["opportunities"])


def worths(
    lab: Lab,
    condition: Condition,
    rows: Mixture,
    columns: Mixture,
    samples: int,
    deals: int,
    replicates: int,
    share: float,
    seed: int,
) -> dict[str, Any]:
    """What a use is worth wherever it is offered: on the average, by phase and standing, and where it pays most.

    `share`: the chance of each to be tried, so that they come from many games.
    """
    players, first, second = joined(rows, columns)
    game = lab.game(condition)
    cast_list: list[Guided] = []
    twins = np.zeros((3 * len(players), 2), dtype=np.int64)
    for i, strategy in enumerate(players):
        for twin in (strategy, strategy.using("always"), strategy.using("never")):
            cast_list.append(lab.guided(twin))
        twins[3 * i : 3 * i + 3] = [3 * i + 1, 3 * i + 2]
    numbers = np.arange(deals)
    schedule = schedule_of(lab.bench, condition, draw_pairs(first, second, numbers, seed), numbers, seed)
    cast, policies = cast_of(game, cast_list, seed)
    facts = np.zeros((samples, 7), dtype=np.int64)
    worth = np.zeros((samples, 3))
    seen = np.zeros((samples, game.layout.size), dtype=np.float32)
    count = sample_uses(
        game.address,
        game.params_address,
        space_of(game),
        cast,
        trial=Trial(
            marking_of(game, lab.marks),
            twins,
            keep=position_bytes(lab, game, own=False, deciding=True),
            replicates=replicates,
            share=share,
        ),
        sample=Sample(
            schedule.seating * 3,
            watched=np.ones(game.n_seats, dtype=np.int64),
            dice=schedule.dice,
            tables=schedule.tables,
            seeds=rng_table(seed, deals, "uses"),
        ),
        found=UseRows(facts, worth, seen),
    )
    for policy in policies:
        policy.raise_pending()
    game.kernel.raise_pending()
    m = max(count, 0)
    own, error = clustered(worth[:m, 2], facts[:m, 0])
    told = {"own": own if m else None, "own_error": error if m and np.isfinite(error) else None}
    return {**summary_of_worths(game, facts[:m], worth[:m], seen[:m]), **told}


def summary_of_worths(game: Game, facts: np.ndarray, worth: np.ndarray, seen: np.ndarray) -> dict[str, Any]:
    """The measurements in numbers: all, by situation, by action, and the leaves of a tree over the observations."""
    games, gains = facts[:, 0], worth[:, 0]
    mean, error = clustered(gains, games)
    place = standing_of(worth[:, 1])
    by_situation = []
    for phase, where in sorted(set(zip(facts[:, 3].tolist(), place.tolist()))):
        here = (facts[:, 3] == phase) & (place == where)
        m, e = clustered(gains[here], games[here])
        by_situation.append(
            {"phase": game.spec.phases[phase], "standing": STANDINGS[where], "count": int(here.sum()), "gain": m,
             "error": e if np.isfinite(e) else None}
        )  # fmt: skip
    leaves: list[dict[str, Any]] = []
    if len(gains) >= 200:
        values, told = features_of(game, seen)
        leaves = [
            {"where": words_for(leaf.conditions, told), "german": words_for(leaf.conditions, told, "de"),
             "share": leaf.share, "gain": leaf.mean, "error": leaf.error if np.isfinite(leaf.error) else None,
             "count": leaf.count}
            for leaf in honest_leaves(values, gains, games, least=min(60, max(12, len(gains) // 16)))
        ]  # fmt: skip
    actions = []
    for action in np.unique(facts[:, 4]):
        here = facts[:, 4] == action
        m, e = clustered(gains[here], games[here])
        actions.append({"action": game.actions.describe(int(action)), "count": int(here.sum()), "gain": m,
                        "error": e if np.isfinite(e) else None})  # fmt: skip
    return {
        "count": len(gains),
        "games": len(np.unique(games)),
        "gain": mean if len(gains) else None,
        "error": error if len(gains) and np.isfinite(error) else None,
        "effect": float((facts[:, 6] != 0).mean()) if len(gains) else None,
        "better": float((gains > 0).mean()) if len(gains) else None,
        "worse": float((gains < 0).mean()) if len(gains) else None,
        "situations": sorted(by_situation, key=lambda row: -row["count"]),
        "actions": sorted(actions, key=lambda row: -row["count"])[:8],
        "leaves": sorted(leaves, key=lambda row: -row["gain"]),
    }


RANKS = {"best": "bester", "second": "zweitbester", "third": "drittbester", "fourth": "viertbester"}


def features_of(game: Game, seen: np.ndarray) -> tuple[np.ndarray, list[Feature]]:
    """Columns for the tree, float64[n, k], and what they are: plain values, and what sets of things add up to.

    Values are in the units that people know, so that a limit reads as it is meant.
    """
    words, columns = Observed(game.spec), list[np.ndarray]()
    kinds: list[tuple[str, tuple[str, str], float]] = []  # name, words, unit
    for piece in game.layout.pieces:
        start = game.layout.offsets[piece.name]
        block = seen[:, start : start + piece.size]
        if piece.shape and piece.shape[-1] >= WIDE and not piece.parts and piece.name != "phase":
            if len(piece.shape) == 1:
                columns.append(block.sum(axis=1))
                english, german = words.whole(piece)
                told = (f"how many: {english}", f"wie viele: {german}")
                kinds.append((f"sum of {piece.name}", told, piece.unit))
            continue
        for i in range(piece.size):
            if (block[:, i] != block[0, i]).any():
                columns.append(block[:, i])
                part = piece.number(i)
                if piece.name == "phase" and not piece.parts and i < len(game.spec.phases):
                    kinds.append((f"phase.{game.spec.phases[i]}", asked_in(game.spec, game.spec.phases[i]), 1.0))
                else:
                    kinds.append((part.name, words.number(piece, i), part.unit))
    known = {piece.name: piece for piece in game.layout.pieces}
    for group in blueprint_of(game).groups:
        offsets = [c for c in group.channels if c[0] < game.layout.size]
        at = np.arange(group.items)
        parts = {piece_at(game, c[0]): seen[:, c[0] + at * c[1]] for c in offsets}
        sets = {n: v for n, v in parts.items() if np.isin(v, (0.0, 1.0)).all() and v.any()}
        grades = {n: v for n, v in parts.items() if n not in sets and v.any()}
        for have, members in sets.items():
            for grade, value in grades.items():
                inside = np.where(members > 0, value, -1.0)
                best = -np.sort(-inside, axis=1)[:, :4]
                (what, was), (where, wo) = words.whole(known[grade]), words.whole(known[have])
                for rank, word in enumerate([*RANKS][: best.shape[1]]):
                    columns.append(best[:, rank])
                    english = f"{word}{'' if word == 'best' else ' best'} {what}, {where}"
                    told = (english, f"{RANKS[word]} {was}, {wo}")
                    kinds.append((f"{word} {grade} of {have}", told, known[grade].unit))
    if not columns:
        return np.zeros((len(seen), 0)), []
    values = np.stack(columns, axis=1) * np.array([unit for _, _, unit in kinds])
    return values, [
        Feature(name, told, unit == 1.0 and bool(np.isin(column, (0.0, 1.0)).all()),
                bool(np.allclose(column, column.round(), atol=1e-4)))
        for (name, told, unit), column in zip(kinds, values.T)
    ]  # fmt: skip


def asked_in(spec: GameSpec, phase: str) -> tuple[str, str]:
    """That a question is asked, in English and German."""
    both = both_questions(spec).get(phase, (phase.replace("_", " "),) * 2)
    return f"asked “{both[0]}”", f"gefragt „{both[1]}“"


def piece_at(game: Game, offset: int) -> str:
    """The name of the observation piece that an offset lies in."""
    return next(p.name for p in reversed(game.layout.pieces) if game.layout.offsets[p.name] <= offset)


__all__ = ["rates", "share_tried", "use_rates", "watch_use", "worths"]
