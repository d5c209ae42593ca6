"""Parts of tournaments and of the lab by hand, one function at a time: who is asked for what, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest

from probespiel.agents.match import Schedule
from probespiel.envs.core.errors import RulesetError
from probespiel.evaluation.balance import run as balance
from probespiel.evaluation.stress import away, dynamics, workers
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.lab import Facts
from probespiel.evaluation.stress.workers import Failed, Job
from probespiel.evaluation.tournament import playing, run
from probespiel.evaluation.tournament.deviation import MetagameError, alpha_rank
from probespiel.evaluation.tournament.files import TournamentError


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3,), (0, 0), (2, 2, 2)])
def test_margins_are_a_square(shape: tuple[int, ...]) -> None:
    with pytest.raises(MetagameError, match="give a square matrix"):
        alpha_rank(np.zeros(shape))


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_margins_have_no_empty_cells(wrong: float) -> None:
    with pytest.raises(MetagameError, match="without empty cells"):
        alpha_rank(np.array([[0.0, wrong], [0.0, 0.0]]))


@pytest.mark.parametrize(("intensity", "population"), [(0.0, 50), (-1.0, 50), (math.nan, 50), (1.0, 1)])
def test_mutants_need_a_reason_and_somebody_to_meet(intensity: float, population: int) -> None:
    with pytest.raises(MetagameError, match="must be above 0, population = "):
        alpha_rank(np.zeros((2, 2)), intensity, population)
    assert alpha_rank(np.zeros((2, 2)), 1.0, 2).tolist() == [0.5, 0.5]


# A race: rounds of blocks, each of the pairings that are still played


class Race:
    """Two rounds, of two blocks of three pairings and of one block of two."""

    def __init__(self) -> None:
        self.rounds = [(range(0, 2), (0, 1, 2)), (range(2, 3), (0, 2))]
        self.added: list[list[int]] = []

    def round(self) -> tuple[range, tuple[int, ...]] | None:
        return self.rounds.pop(0) if self.rounds else None

    def add(self, table: pa.Table) -> None:
        self.added.append(table["pairing"].to_pylist())


@pytest.mark.parametrize(
    ("blocks", "wrong"),
    [
        ({0: [0, 1, 2], 1: [2, 1, 0, 0], 2: [2, 0]}, None),
        ({0: [0, 1, 2], 1: [0, 1, 2], 2: [0, 1, 2]}, 2),
        ({0: [0, 2], 1: [0, 1, 2], 2: [0, 2]}, 0),
        ({0: [0, 1, 2], 1: [0, 1, 3], 2: [0, 2]}, 1),
    ],
)
def test_a_block_of_a_race_has_the_pairings_of_its_round(
    blocks: dict[int, list[int]], wrong: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there already is not played again, and nobody looks at a round before the one before it was counted."""
    race, asked = Race(), list[tuple[range, list[int], tuple[int, ...] | None]]()
    plan = SimpleNamespace(blocks=3, fingerprint="abc", agents=["a", "b"])

    def play(blocks: range, todo: list[int], which: tuple[int, ...] | None) -> Iterator[int]:
        asked.append((blocks, todo, which))
        yield from [10 * block for block in todo]

    def read_part(folder: Path, block: int, *, fingerprint: str, n_agents: int) -> pa.Table:
        assert (fingerprint, n_agents) == ("abc", 2)
        return pa.table({"pairing": blocks[block]})

    monkeypatch.setattr(run, "read_part", read_part)
    monkeypatch.setattr(run, "save_settings", lambda *_, **__: None)
    crew, store = SimpleNamespace(plan=plan, folder=Path("x"), play=play), SimpleNamespace(done={0})
    told: list[int] = []
    going = run._played(cast(Any, crew), cast(Any, race), cast(Any, store))
    if wrong is None:
        told += going
        assert told == [10, 20] and race.added == list(blocks.values())
        assert asked == [(range(0, 2), [1], (0, 1, 2)), (range(2, 3), [2], (0, 2))]
        return
    with pytest.raises(TournamentError, match="has other pairings than belong there"):
        told += going
    assert len(race.added) == wrong


def test_without_a_race_all_blocks_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(run, "save_settings", lambda *_, **__: None)
    crew = SimpleNamespace(
        plan=SimpleNamespace(blocks=4), folder=Path("x"), play=lambda *a: asked.append(a) or iter([7])
    )
    assert list(run._played(cast(Any, crew), None, cast(Any, SimpleNamespace(done={1, 3})))) == [7]
    assert asked == [(range(4), [0, 2], None)]


def test_agents_of_this_package_play_the_first_deal_to_be_compared() -> None:
    """Of six games the first deal of pairings without agents from outside, with the dice and tables of each."""
    seating = np.array([[0, 1], [1, 0], [0, 2], [0, 1], [1, 3], [3, 1]])
    dice, tables = np.arange(6, dtype=np.uint64) + 100, np.arange(6, dtype=np.uint64) + 200
    about = {"deal": np.array([5, 5, 5, 6, 5, 5]), "pairing": np.array([0, 0, 1, 0, 2, 2])}
    asked: list[Schedule] = []
    outcome = SimpleNamespace(payoffs=np.ones(2), decisions=np.full(2, 3), offences=np.zeros(2))
    plan = SimpleNamespace(
        block=lambda number: (Schedule(seating, dice, tables), about) if number == 0 else None,
        entrants=[SimpleNamespace(agent=SimpleNamespace(outside=outside)) for outside in (False, False, True, False)],
        play=lambda match, schedule: asked.append(schedule) or outcome,
    )
    found = playing.BlockWork.probe(cast(Any, SimpleNamespace(plan=plan, match=lambda: "match")))
    assert [part.tolist() for part in found] == [[1.0, 1.0], [3, 3], [0.0, 0.0]]
    rows = [0, 1, 4, 5]
    assert asked[0].seating.tolist() == seating[rows].tolist()
    assert (asked[0].dice.tolist(), asked[0].tables.tolist()) == (dice[rows].tolist(), tables[rows].tolist())


# The lab


def test_figures_of_a_course_are_each_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means over deals of what is known: no figure stands in the place of another one."""
    monkeypatch.setattr(dynamics, "luck_share", lambda margins: (1.0, 2.0, 0.5, 0.1))
    grid = np.array([[3.0, -1.0], [1.0, 1.0]])
    played = {
        "margins": grid, "unresolved": np.array([[1.0, 0.0], [0.0, 0.0]]),
        "drama": np.array([[0.1, 0.3], [0.1, np.nan]]), "comeback": np.array([[0.5, 0.5], [0.7, 0.7]]),
        "changes": np.array([[2.0, 4.0], [4.0, 6.0]]), "lengths": np.array([[10.0, 30.0], [10.0, 30.0]]),
    }  # fmt: skip
    found = dynamics._play_of([played, {"scores": [1.0, 0.5]}, {"scores": [0.0]}], ["weak", "strong"])
    means = {"drama": 0.2, "comeback": 0.6, "changes": 4.0, "lengths": 20.0}
    assert {name: getattr(found, name).mean for name in means} == pytest.approx(means)
    assert [(rung.search, rung.games) for rung in found.ladder] == [("weak", 4), ("strong", 2)]
    assert (found.games, found.draws, found.unresolved) == (4, 0.0, 0.25)


class Engine:
    """Answers the orders that it is given, the last one first."""

    count = 2

    def map(self, work: Any, orders: list[away.Order], idle: Any) -> Iterator[Any]:
        for index in reversed(range(len(orders))):
            order = orders[index]
            answer = away.Answered((order.job.kind, order.facts), {f"file-{index}": bytes([index])})
            yield SimpleNamespace(index=index, answer=("somebody", answer))


def test_orders_to_an_engine_are_the_jobs_in_their_order(tmp_path: Path) -> None:
    there = away.Away.__new__(away.Away)
    there.engine, there.work, there.folder, there.facts = cast(Any, Engine()), cast(Any, None), tmp_path, "facts"
    (tmp_path / away.NETS).mkdir()
    for name in ("net-a", "net-b"):
        (tmp_path / away.NETS / name).write_bytes(name.encode())
    jobs = [Job("first", {"net": "net-a"}, 1.0, tmp_path / "live/1"), Job("second", {"net": "none"}, 2.0)]
    assert list(there.run(jobs)) == [(1, ("second", "facts")), (0, ("first", "facts"))]
    assert [(tmp_path / f"file-{i}").read_bytes() for i in range(2)] == [b"\0", b"\1"]
    order = there._order(jobs[0])
    assert order.files == {f"{away.NETS}/net-a": b"net-a"} and order.job.live == Path("live/1")
    assert there._order(jobs[1]).files == {} and there._order(jobs[1]).job.live is None


def test_a_worker_has_the_seconds_of_its_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier game has left in the file that it is watched by goes first."""
    sent: list[bytes] = []
    worker = SimpleNamespace(pipe=SimpleNamespace(send_bytes=sent.append), seen=b"old")
    crew = workers.Workers(1, {})
    monkeypatch.setattr(crew, "_start", lambda: worker)
    monkeypatch.setattr(workers.time, "monotonic", lambda: 1000.0)
    (tmp_path / "live").touch()
    crew._give(7, Job("course", {}, 12.5, tmp_path / "live"))
    assert (worker.deadline, worker.index, worker.seen) == (1012.5, 7, b"") and not (tmp_path / "live").exists()
    assert crew._busy == [worker] and len(sent) == 1
    ended: list[Any] = []
    monkeypatch.setattr(workers, "_end", ended.append)
    assert crew._receive(cast(Any, worker), False) == Failed("hung", "course: no answer for 12.5 s")
    assert ended == [worker] and crew._busy == []


def probed(monkeypatch: pytest.MonkeyPatch, compiled: bool, answers: list[Any], first: bool) -> tuple[Any, list[Job]]:
    """A search for balance after a probe of two points, which share the condition in which nobody holds the module."""
    nobody, one, two = Condition(), Condition((0,)), Condition((0, 1))
    asked: list[Job] = []
    benches = {key: SimpleNamespace(holder_conditions=lambda w=w: {"nobody": nobody, "it": w})
               for key, w in (("a", one), ("b", two))}  # fmt: skip
    context = SimpleNamespace(
        compiled=compiled, folder=Path("f"), budget=SimpleNamespace(probe=4000), seed=lambda name: len(name),
        file_of=lambda kind, condition: f"{kind}-p", bench=SimpleNamespace(at=benches.get),
        ask=lambda step, jobs: asked.extend(jobs) or answers,
    )  # fmt: skip
    search = SimpleNamespace(
        context=context, inner=SimpleNamespace(enter=lambda step: None), known={}, facts=None if first else Facts(),
        space=SimpleNamespace(params=lambda key: key), sized=[],
    )  # fmt: skip
    search._sizes = search.sized.append
    monkeypatch.setattr(balance, "replace", lambda context, facts: context)
    balance.Search._probe(cast(Any, search), cast(Any, ["a", "b"]))
    return search, asked


SOUND: dict[str, Any] = {"faults": [], "large": []}


@pytest.mark.parametrize("compiled", [True, False])
def test_points_are_probed_once_in_every_condition(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that are not compiled play fewer games and may take ten times as long."""
    search, asked = probed(monkeypatch, compiled, [SOUND] * 3, True)
    assert [job.args["condition"].holders for job in asked] == [(), (0,), (0, 1)]
    games, seconds = (400, balance.SECONDS) if compiled else (balance.SLOW_GAMES, 10 * balance.SECONDS)
    assert {(job.kind, job.args["games"], job.args["seed"], job.seconds) for job in asked} == {
        ("probe", games, 5, seconds)
    }
    assert [job.args["live"] for job in asked] == ["live/probe-p-", "live/probe-p-0", "live/probe-p-0-1"]
    assert [job.live for job in asked] == [Path("f") / job.args["live"] for job in asked]
    assert search.known == {} and len(search.sized) == 1


def test_a_point_breaks_where_one_of_its_conditions_does(monkeypatch: pytest.MonkeyPatch) -> None:
    large = {"faults": [], "large": [{"name": "purse"}]}
    search, _ = probed(monkeypatch, True, [SOUND, large, SOUND], False)
    assert {key: found.fault for key, found in search.known.items()} == {
        "a": "the rules break: purse grows without bound"
    }
    assert search.sized == [], "how long games are is known from the first points"
    search, _ = probed(monkeypatch, True, [SOUND, SOUND, Failed("hung", "no answer")], False)
    assert {key: found.fault for key, found in search.known.items()} == {"b": "the rules break: no answer"}
    with pytest.raises(RulesetError, match="the game breaks without the module, too: no answer"):
        probed(monkeypatch, True, [Failed("hung", "no answer"), SOUND, SOUND], False)


def test_sizes_are_those_of_all_first_points() -> None:
    """The longest game of all, ten times, the longest mean, phases that the module adds; the spread is the game's."""
    nobody = {"phases": [0, 1], "longest": 300, "mean_length": 8.0, "offered": 0, "spread": 2.5, "observation": 40}
    one = {"phases": [0, 1, 5], "longest": 900, "mean_length": 9.0, "offered": 3, "spread": 7.0, "observation": 50}
    two = {"phases": [4], "longest": 200, "mean_length": 12.0, "offered": 0, "spread": 8.0, "observation": 60}
    search = SimpleNamespace()
    answers = {Condition(): nobody, Condition((0,)): one, Condition((1,)): two, Condition((2,)): Failed("died", "x")}
    balance.Search._sizes(cast(Any, search), answers)
    assert search.facts == Facts((4, 5), 9000, 12.0) and search.sizes == (True, 2.5, 40)
    calm = {Condition(): {**nobody, "spread": 0.0, "longest": 1}}
    balance.Search._sizes(cast(Any, search), calm)
    assert search.facts == Facts((), balance.MINIMUM_LONGEST, 8.0) and search.sizes == (False, 1e-6, 40)
