"""The actions of a module one by one: how often each is taken where it can be, and what taking it gains.

At decisions of real games at which the module has a say, every legal action is tried, on common dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...envs.core.game import Game
from ...envs.core.replay import Recorder
from .conditions import EVERYBODY, Condition
from .context import Context
from .estimates import mean_of
from .findings import CounterLine
from .lab import Lab, module_of
from .play import draw_pairs, play, schedule_of
from .rollouts import Branches, branches_of
from .stakes import given, leads_of, second_half
from .strategies import Chosen, Mixture, joined
from .tree import clustered, clustered_share
from .workers import Job

REPLICATES = 4  # continuations of every action
COUNTED = 60  # games at whose end counters are read


def read_counters(context: Context, chosen: Chosen) -> tuple[CounterLine, ...]:
    """The counters of the module at the end of games in which everybody has it; () if it has none."""
    if not module_of(context.bench).counters:
        return ()
    rows, columns = chosen.of_all(EVERYBODY)
    args = {"condition": context.bench.everybody(), "rows": rows, "columns": columns,
            "deals": min(COUNTED, context.budget.rates), "seed": context.seed("counters")}  # fmt: skip
    (answer,) = context.need("use", [Job("counters", args)])
    return tuple(CounterLine(**row) for row in answer["counters"])


# What workers do


def trials(
    lab: Lab,
    condition: Condition,
    rows: Mixture,
    columns: Mixture,
    choices: list[dict[str, Any]],
    samples: int,
    deals: int,
    seed: int,
) -> dict[str, Any]:
    """What each action of the module gains: `choices` with their gains, `lines` of all actions, `stakes` of questions.

    `choices` are what is chosen where the module has all answers, as `usage.choices` tells them; `ways` what depends on
    how it is used where it need not be.
    """
    players, first, second = joined(rows, columns)
    game = lab.game(condition)
    cast = [lab.guided(strategy) for strategy in players]
    numbers = np.arange(deals)
    schedule = schedule_of(lab.bench, condition, draw_pairs(first, second, numbers, seed), numbers, seed)

    def tried(replicates: int) -> Branches:
        return branches_of(
            game, cast, schedule.seating, range(game.n_seats), samples, seed, schedule.dice, schedule.tables,
            lab.marks, replicates=replicates, observations=False,
        )  # fmt: skip

    found = tried(REPLICATES)
    half = tried(REPLICATES // 2) if choices or several(found, lab.marks.actions).any() else found
    return {
        "choices": [{**row, **answer_gain(game, found, choices, row)} for row in choices],
        "lines": lines_of(game, found, lab.own_actions, lab.marks.actions),
        "stakes": stakes_of(game, half, found, lab.marks.actions) if choices else [],
        "ways": ways_of(game, half, found, lab.marks.actions),
    }


def lines_of(game: Game, found: Branches, own: Sequence[int], using: frozenset[int]) -> list[dict[str, Any]]:
    """For each of the module's `own` actions: chances, how often it was taken, and its gain over what was taken there.

    Actions outside of `using` decline the module.
    """
    legal = np.isfinite(found.values)
    rows = np.arange(len(found.taken))
    out = []
    for action in own:
        here = legal[:, action]
        line: dict[str, Any] = {
            "action": game.actions.describe(action), "chances": int(here.sum()), "declines": action not in using,
        }  # fmt: skip
        if here.any():
            taken = found.taken[here]
            rate, rate_error = clustered_share(taken == action, found.games[here])
            gains = found.values[here, action] - found.values[rows[here], taken]
            gain, error = clustered(gains, found.games[here])
            line |= {"rate": rate, "rate_error": _finite(rate_error), "gain": gain, "error": _finite(error)}
        out.append(line)
    return out


def stakes_of(game: Game, half: Branches, both: Branches, using: frozenset[int]) -> list[dict[str, Any]]:
    """What depends on the questions to which the module has all answers, by phase: the best answer's lead on the worst.

    `half` are the same decisions as `both`, tried on the first half of the continuations.
    """
    m = min(len(half.games), len(both.games))
    legal = np.isfinite(both.values[:m])
    forced = ~legal[:, [a for a in range(legal.shape[1]) if a not in using]].any(axis=1)
    return [
        _stake(game, half, both, np.flatnonzero(forced & (both.phases[:m] == phase)), using)
        for phase in np.unique(both.phases[:m][forced])
    ]


def several(found: Branches, using: frozenset[int]) -> np.ndarray:
    """Of decisions those at which the module can be used in several ways, and need not be used; bool[m]."""
    legal = np.isfinite(found.values)
    own = np.isin(np.arange(legal.shape[1]), sorted(using))
    return (legal[:, own].sum(axis=1) > 1) & legal[:, ~own].any(axis=1)


def ways_of(game: Game, half: Branches, both: Branches, using: frozenset[int]) -> list[dict[str, Any]]:
    """What depends on how the module is used where it need not be, by phase, among its actions alone; see `stakes_of`.

    A phase in which nobody uses it has none.
    """
    m = min(len(half.games), len(both.games))
    free = several(both, using)[:m]
    out = []
    for phase in np.unique(both.phases[:m][free]):
        here = np.flatnonzero(free & (both.phases[:m] == phase))
        taken = both.taken[here]
        uses = np.isin(taken, sorted(using))
        if not uses.any():
            continue
        weights = np.bincount(taken[uses], minlength=game.n_actions)
        values = _among(both.values[here], using)
        mixed = _mixed(values, weights)
        answers = []
        for action in np.argsort(-weights, kind="stable"):
            rows = np.isfinite(values[:, action]) & np.isfinite(mixed)
            if not rows.any():
                continue
            gain, error = clustered(values[rows, action] - mixed[rows], both.games[here][rows])
            answers.append(
                {"phase": game.spec.phases[phase], "action": game.actions.describe(int(action)),
                 "count": int(weights[action]), "share": float(weights[action] / weights.sum()), "gain": gain,
                 "error": _finite(error)}
            )  # fmt: skip
        stake = _stake(game, half, both, here, using)
        out.append({"used": float(uses.mean()), "stake": stake, "answers": answers})
    return out


def _stake(game: Game, half: Branches, both: Branches, here: np.ndarray, using: frozenset[int]) -> dict[str, Any]:
    """What depends on the decisions `here` of one phase, among the actions `using`; see `Stake`."""
    first, values, taken = _among(half.values[here], using), _among(both.values[here], using), both.taken[here]
    second = second_half(first, values)
    spread, error = clustered(leads_of(first, second), both.games[here])
    uses = np.isin(taken, sorted(using))
    rivals = given(taken[uses], game.n_actions)
    among, among_error = clustered(leads_of(first, second, rivals), both.games[here])
    mixed = _mixed(values, np.bincount(taken[uses], minlength=game.n_actions))
    played, played_error = clustered(values[uses, taken[uses]] - mixed[uses], both.games[here][uses])
    return {
        "phase": game.spec.phases[both.phases[here[0]]], "count": len(here), "spread": spread, "error": _finite(error),
        "played": _finite(played), "played_error": _finite(played_error), "among": among,
        "among_error": _finite(among_error),
    }  # fmt: skip


def _among(values: np.ndarray, using: frozenset[int]) -> np.ndarray:
    """Values [m, A] of some actions alone, NaN for others."""
    return np.where(np.isin(np.arange(values.shape[1]), sorted(using)), values, np.nan)


def _mixed(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What an action drawn by `weights` from those with a value is worth, float64[m]; NaN if none has a weight."""
    legal = np.isfinite(values)
    mass = (legal * weights).sum(axis=1)
    sums = (np.where(legal, values, 0.0) * weights).sum(axis=1)
    return np.where(mass > 0, sums / np.maximum(mass, 1e-300), np.nan)


def answer_gain(
    game: Game, found: Branches, choices: Sequence[dict[str, Any]], row: dict[str, Any]
) -> dict[str, float | None]:
    """Gain of a row's action over the mixture of the choices in its phase, with an error clustered by game."""
    shares = {c["action"]: c["share"] for c in choices if c["phase"] == row["phase"]}
    ids = {game.actions.describe(a): a for a in range(game.n_actions)}
    weights = np.zeros(game.n_actions)
    weights[[ids[name] for name in shares]] = list(shares.values())
    legal = np.isfinite(found.values)
    here = (found.phases == game.spec.phases.index(row["phase"])) & legal[:, ids[row["action"]]]
    mass = (legal * weights).sum(axis=1)
    here &= mass > 0
    if not here.any():
        return {"gain": None, "error": None}
    mixed = (np.where(legal, found.values, 0.0) * weights).sum(axis=1)[here] / mass[here]
    gain, error = clustered(found.values[here, ids[row["action"]]] - mixed, found.games[here])
    return {"gain": gain, "error": _finite(error)}


def _finite(error: float) -> float | None:
    return error if np.isfinite(error) else None


def counters(lab: Lab, condition: Condition, rows: Mixture, columns: Mixture, deals: int, seed: int) -> dict[str, Any]:
    """The module's counters at the end of some games: of every seat together, or of the table."""
    players, first, second = joined(rows, columns)
    numbers = np.arange(deals)
    pairs = draw_pairs(first, second, numbers, seed)
    played = play(lab, condition, players, pairs, numbers, seed, logged=True)
    log = played.log
    assert log is not None
    game, ends = lab.game(condition), played.lengths.cumsum()
    dice = schedule_of(lab.bench, condition, pairs, numbers, seed).dice
    prefix = module_of(lab.bench).name
    known = [t for t in game.spec.tallies if t.field in {f"{prefix}_{n}" for n in module_of(lab.bench).counters}]
    seen: list[list[np.ndarray]] = [[] for _ in known]
    for i in range(deals):
        if ends[i] > len(log):
            break  # there was no room for the rest
        rows_of = slice(int(ends[i] - played.lengths[i]), int(ends[i]))
        decisions = list(zip(log.seats[rows_of].tolist(), log.actions[rows_of].tolist()))
        record = Recorder.follow(game, decisions, rng=dice[i : i + 1]).position.record
        for values, tally in zip(seen, known):
            value = np.atleast_1d(np.asarray(getattr(record, tally.field), dtype=np.float64))
            values.append(value[: len(tally.names)] if tally.names else value[:1])
    lines = [(t, np.array(values)) for t, values in zip(known, seen) if values]
    return {"counters": [counter_line(t.texts["en"], values, t.low, t.high) for t, values in lines]}


def counter_line(name: str, values: np.ndarray, low: int | None = None, high: int | None = None) -> dict[str, Any]:
    """A counter's mean over games with its error, the least and most, and its range; `values` [games, seats]."""
    found = mean_of(values.mean(axis=1))
    return {
        "name": name, "games": len(values), "mean": found.mean, "error": found.error, "least": int(values.min()),
        "most": int(values.max()), "low": low, "high": high,
    }  # fmt: skip


__all__ = [
    "answer_gain", "counter_line", "counters", "lines_of", "read_counters", "several", "stakes_of", "trials", "ways_of",
]  # fmt: skip
