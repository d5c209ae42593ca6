"""Synthetic tournaments with known truth, for the tests of probespiel.evaluation."""

import dataclasses
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from probespiel.evaluation.tournament import results as rs
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.report import RunInfo
from probespiel.evaluation.tournament.summary import Summary

Floats = npt.NDArray[np.float64]
Play = Callable[[int, int, np.random.Generator, int], Floats]

RPS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def tournament(
    agents: int,
    play: Play,
    *,
    blocks: int = 20,
    deals: int = 2,
    seed: int = 0,
    own_blocks: bool = False,
    copies: int = 1,
) -> pa.Table:
    """A round robin of duels with swapped seats; `play(first, second, rng, games)` gives the payoffs of seat 0.

    `own_blocks` numbers the blocks of each pairing by themselves; `copies` repeats every game with its outcome.
    """
    rng = np.random.default_rng(seed)
    columns: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in rs.SCHEMA.names}
    game = 0
    for pairing, (a, b) in enumerate(combinations(range(agents), 2)):
        for seating, seats in enumerate(((a, b), (b, a))):
            payoff = np.repeat(play(*seats, rng, blocks * deals), copies)
            count = len(payoff)
            block = np.repeat(np.arange(blocks), deals * copies) + (pairing * blocks if own_blocks else 0)
            for seat in (0, 1):
                won = payoff if seat == 0 else -payoff
                row: dict[str, Any] = dict(
                    pairing=pairing, block=block, deal=np.arange(count), seating=seating, game=game + np.arange(count),
                    seat=seat, team=seat, agent=seats[seat], payoff=won, result=np.sign(won), decisions=3, forfeit=0,
                    length=6,
                )  # fmt: skip
                for name, value in row.items():
                    columns[name].append(np.broadcast_to(value, count))
            game += count
    return rs.make_table({name: np.concatenate(parts) for name, parts in columns.items()})


def by_matrix(matrix: Floats, noise: float = 0.0) -> Play:
    """Payoffs from a matrix, with normal noise."""
    return lambda a, b, rng, games: matrix[a, b] + noise * rng.normal(size=games)


def by_strength(theta: Sequence[float]) -> Play:
    """Wins and losses by Bradley-Terry strengths."""
    return lambda a, b, rng, games: np.where(rng.random(games) < 1 / (1 + np.exp(theta[b] - theta[a])), 1.0, -1.0)


def change(table: pa.Table, **columns: npt.ArrayLike) -> pa.Table:
    values: dict[str, npt.ArrayLike] = {name: rs.column(table, name) for name in rs.SCHEMA.names}
    return rs.make_table({**values, **columns})


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}$x^2$&amp;\x00\x1b[31m\u202e",
    "[red]x",
)


def info(**extra: Any) -> RunInfo:
    base = RunInfo(title="A duel", game="test-duel", command="probespiel tournament test-duel", ruleset_hash="abc")
    return dataclasses.replace(base, **extra)


def hostile_report() -> tuple[Summary, RunInfo]:
    table = tournament(4, by_matrix(np.zeros((4, 4)), 1.0), blocks=8)
    forfeit = np.zeros(table.num_rows)
    forfeit[:6] = [1, 2, 3, 1, 2, 3]
    s = analyse(change(table, forfeit=forfeit), HOSTILE, 1, resamples=50)
    evil = HOSTILE[0]
    run = info(
        title=evil, game=evil, scenario=evil, command=evil, ruleset_hash=evil, parameters={evil: [evil]}, notes=[evil],
        versions={evil: evil}, payoff_unit=evil, focus=HOSTILE, descriptions={HOSTILE[1]: evil}, seat_names=[evil] * 2,
        forfeit_messages={(f.game, f.seat): evil + "\x07" for f in s.forfeits}, timestamp=evil,
    )  # fmt: skip
    return s, run
