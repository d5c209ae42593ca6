"""Jobs on a cluster: the same results as on one machine, whoever comes, goes, dies, or plays otherwise."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest
from distributed import get_worker

from benchmarks.cluster import share_of
from probespiel.agents.policy_file import load_policy
from probespiel.app import cli
from probespiel.envs.core.engine import Deviation, EngineError, Local, Work, cluster, remote
from probespiel.envs.core.engine.cluster import Cluster
from probespiel.envs.core.engine.work import digest_of
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.balance.run import run_balance
from probespiel.evaluation.ews_rps import roshambo
from probespiel.evaluation.exploit import games as exploit_games
from probespiel.evaluation.exploit import learned
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.exploit.run import Plan, exploit
from probespiel.evaluation.stress import combine, context
from probespiel.evaluation.stress.away import LabWork
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.run import run_stress
from probespiel.evaluation.tournament import ladder, playing
from probespiel.evaluation.tournament.ladder_book import Player
from probespiel.evaluation.tournament.run import run_tournament
from probespiel.training import legs
from probespiel.training.config import ScenarioConfig, train_config
from probespiel.training.population import Population

from .test_combine import FEW

LocalCluster: Any = distributed.LocalCluster  # whose stubs tell of its asynchronous form
BOTS = Path(__file__).parent / "bots.py"
FIELD = ("random", "card_only")
BOT = '''from probespiel.agents.base import Agent

class Fixed(Agent):
    """Bets its kings, and calls with everything."""
    def act(self, view):
        """An action."""
        return 1 if view.pieces()["card"].argmax() == 2 or view.pieces()["moves"][:, 1].any() else 0
'''


def here() -> str:
    """The worker of this thread, empty where there is none."""
    try:
        worker: Any = get_worker()
    except ValueError:
        return ""
    return str(worker.address)


@dataclass(frozen=True)
class Squares(Work):
    """Squares of numbers; workers named in `wrong` know another square, those in `strange` fail the probe."""

    wrong: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    file: str = ""
    place: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        return (self.file,) if self.file else ()

    def moved(self, files: Any) -> Squares:
        return Squares(self.wrong, self.strange, self.file, files[self.file])

    def probe(self) -> int:
        return 1 if here() in self.strange else 0

    def do(self, job: int) -> Any:
        if job < 0:
            raise ValueError(f"{job} is negative")
        if self.file:
            return Path(self.place or self.file).read_text(), bool(self.place)
        return job * job + (here() in self.wrong)


@dataclass(frozen=True)
class Waiting(Work):
    """Simulated blocks: nothing but waiting."""

    together = True

    def do(self, job: float) -> float:
        time.sleep(job)
        return job


def until_told(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers wait with their squares until something is told: one alone may do all before another is looked at."""
    do = Squares.do

    def patient(work: Squares, job: int) -> Any:
        late = time.monotonic() + 20.0
        while not lines and time.monotonic() < late:
            time.sleep(0.01)
        return do(work, job)

    monkeypatch.setattr(Squares, "do", patient)


@pytest.fixture(scope="module")
def two() -> Iterator[Any]:
    """Two workers that are threads of this process."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0") as made:
        yield made


@pytest.fixture
def engine(two: Any) -> Iterator[tuple[Cluster, list[str]]]:
    """An engine on those workers, and what it tells."""
    told: list[str] = []
    made = Cluster(two.scheduler_address, tell=told.append)
    yield made, told
    made.close()


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture
def played_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tournament is too short for workers."""
    monkeypatch.setattr(playing, "START_SECONDS", 0.0)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def workers_of(two: Any) -> list[str]:
    return sorted(two.scheduler.workers)


# Results


def test_a_tournament_has_the_same_files(
    kuhn: Game, engine: tuple[Cluster, list[str]], tmp_path: Path, played_away: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "EVERY", 30)
    players: list[str] = []
    played = playing._played
    monkeypatch.setattr(playing, "_played", lambda *args: players.append(here()) or played(*args))
    run_tournament(kuhn, FIELD, 60, 7, out=tmp_path / "away", resamples=50, engine=engine[0])
    assert len(players) == 31 and len(set(players)) == 2 and "" not in players, "one block is played twice"
    run_tournament(kuhn, FIELD, 60, 7, out=tmp_path / "here", resamples=50)
    assert files(tmp_path / "away") == files(tmp_path / "here")
    assert engine[1] == []


def test_a_batch_of_a_ladder_is_the_same(kuhn: Game, engine: tuple[Cluster, list[str]]) -> None:
    first, second = Player(0, "random", "a", ""), Player(1, "card_only", "b", "")
    book: Any = None  # batches are played without it
    found = [ladder.play(book, kuhn, first, second, 0, engine=who, seed=5) for who in (ladder.ALONE, engine[0])]
    assert [(one.games, one.wins, one.draws, one.payoff) for one in found[:1]] == [
        (one.games, one.wins, one.draws, one.payoff) for one in found[1:]
    ]


@pytest.mark.slow
def test_an_exploit_has_the_same_files(
    engine: tuple[Cluster, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against a bot that is given as a file: trainings in legs, games of what they learned, the one that shows it."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    monkeypatch.setattr(exploit_games, "START_SECONDS", 0.0)
    monkeypatch.setattr(learned, "leg_of", lambda config: 2000)
    done: list[tuple[type[Work], str]] = []
    for kind in (legs.Legs, exploit_games.Games):
        do = kind.do
        monkeypatch.setattr(kind, "do", lambda work, job, do=do: done.append((type(work), here())) or do(work, job))
    target = Target("kuhn", f"{bot}:Fixed")
    plan = Plan(steps=4000, games=100, seeds=2, method="learned")
    for folder, who in (("away", engine[0]), ("here", Local())):
        (tmp_path / folder).mkdir()
        exploit(target, tmp_path / folder, plan, engine=who)
    assert files(tmp_path / "away") == files(tmp_path / "here")
    assert {"exploiter-1.safetensors", "exploiter-2.json", "replay.json"} < files(tmp_path / "here").keys()
    for kind in (legs.Legs, exploit_games.Games):
        assert {worker for who, worker in done if who is kind} >= set(engine[0]._alive), kind


def test_trainings_side_by_side_have_the_same_files(
    engine: tuple[Cluster, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against a bot that is given as a file, by which they are measured, too."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    agent = f"{bot}:Fixed"
    monkeypatch.setattr(Population, "each", 1500)
    config = train_config("kuhn", tables=128, batch=512, decisions=2000, opponents={"self": 1, agent: 1},
                          evaluate_against=(agent, "random"), evaluate_games=200)  # fmt: skip
    for folder, who in (("away", engine[0]), ("here", Local())):
        (tmp_path / folder).mkdir()
        people = Population.of_seeds(config, 2, tmp_path / folder)
        found = people.measure(who, people.learn(who, lambda n: None, lambda: False), lambda: None)
        assert [e.opponent for e in found[0].evaluations] == [agent, "random"]
        assert set(found[0].course[0].payoffs) == {"self", agent}
    assert files(tmp_path / "away") == files(tmp_path / "here") and len(files(tmp_path / "here")) == 4


def test_a_training_where_its_rule_file_lies_elsewhere_gives_the_same_files(tmp_path: Path) -> None:
    """Policy and checkpoint name the file where it was given, in modules, settings and scenarios."""
    given, place = BOTS.parent / "planted_costs" / "edge.py", tmp_path / "on the worker" / "edge.py"
    place.parent.mkdir()
    place.write_bytes(given.read_bytes())
    rules = ScenarioConfig(modules={str(given): {}})
    work = legs.Legs.of([train_config("kuhn", scenarios=(rules,), tables=128, batch=512, decisions=1000)])
    assert work.files == (str(given),)
    job = legs.Leg(0, None, None)
    here, there = work.do(job), work.moved({str(given): str(place)}).do(job)
    (tmp_path / "policy").write_bytes(there.policy)
    manifest = load_policy(tmp_path / "policy").manifest
    assert manifest.modules == (str(given),) and list(manifest.scenarios[0]["modules"]) == [str(given)]
    assert (here.policy, here.checkpoint) == (there.policy, there.checkpoint)


def test_a_search_for_balance_has_the_same_files(
    engine: tuple[Cluster, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module is a file that travels; all jobs are done by workers, and none by processes nobody asked for."""
    done = lab_jobs(monkeypatch)
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    edge = Settings("kuhn", str(BOTS.parent / "planted_costs" / "edge.py"), budget="quick", seed=4)
    run_balance(edge, ["fee=140,150"], ["worth=0..0.04"], tmp_path / "here", jobs=1)
    assert not done
    run_balance(edge, ["fee=140,150"], ["worth=0..0.04"], tmp_path / "away", engine=engine[0])
    assert {kind for kind, _ in done} == {"build", "probe", "exact"}
    assert {worker for _, worker in done} == set(engine[0]._alive)
    for name in ("balance.json", "report.html"):
        assert (tmp_path / "away" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.slow
def test_a_stress_test_has_the_same_files(
    engine: tuple[Cluster, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The module is a file that travels: reports and replays name it where it was given. Replays can be opened."""
    done = lab_jobs(monkeypatch)
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))
    rule = tmp_path / "my rules" / "edge.py"
    rule.parent.mkdir()
    rule.write_bytes((BOTS.parent / "planted_costs" / "edge.py").read_bytes())
    edge = Settings("kuhn", str(rule), budget="quick", seed=4)
    run_stress(edge, tmp_path / "here", jobs=1)
    assert not done
    run_stress(edge, tmp_path / "away", engine=engine[0])
    assert {worker for _, worker in done} == set(engine[0]._alive)
    here, away = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "here", tmp_path / "away")
    )
    (replay,) = [name for name in here if name.match("replays/sample-with.json")]
    assert list(json.loads(away[replay])["modules"]) == [str(rule)]
    assert {name for name, data in here.items() if away.get(name) != data} == set() and here.keys() == away.keys()
    assert cli.run(["replay", str(tmp_path / "away" / replay), "--trust-files"]) == 0


@pytest.mark.slow
def test_combinations_are_the_same(
    engine: tuple[Cluster, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = lab_jobs(monkeypatch)
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))
    monkeypatch.setattr(combine, "built_in", lambda settings: ("well",))
    rock = Settings("ews_rps", str(BOTS.parent / "planted" / "granite.py"), budget="quick",
                    config={"max_rounds": 1, "contest_tie": "draw"})  # fmt: skip
    here = combine.run_combine(rock, tmp_path / "here", jobs=1)
    assert not done
    assert combine.run_combine(rock, tmp_path / "away", engine=engine[0]) == here
    assert {worker for _, worker in done} == set(engine[0]._alive)
    assert here.alone.worth is not None and [row.others for row in here.pairings] == [("well",)]


def lab_jobs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Of every job of the stress lab that a worker does its kind and the worker, from now on."""
    done: list[tuple[str, str]] = []
    do = LabWork.do
    monkeypatch.setattr(LabWork, "do", lambda work, job: done.append((job.job.kind, here())) or do(work, job))
    return done


def test_matches_against_the_entrants_have_the_same_returns(engine: tuple[Cluster, list[str]]) -> None:
    pytest.importorskip("pyspiel")
    asked = (["uniform", "bot:greenberg"], ["rockbot", "randbot"], 4, 20, 7)
    away, here = (roshambo.run(*asked, engine=who) for who in (engine[0], None))
    assert [replace(score, micros=0.0) for score in away] == [replace(score, micros=0.0) for score in here]
    assert away[1].by_opponent["rockbot"].value > 0


def test_results_errors_and_files(engine: tuple[Cluster, list[str]], tmp_path: Path) -> None:
    ticks: list[int] = []
    found = {done.index: done.answer for done in engine[0].map(Squares(), range(5), lambda: ticks.append(1))}
    assert found == {i: i * i for i in range(5)}
    assert list(engine[0].map(Squares(), [])) == []
    with pytest.raises(ValueError, match="-1 is negative"):
        list(engine[0].map(Squares(), [1, -1]))
    file = tmp_path / "bot.py"
    file.write_text("content")
    assert [done.answer for done in engine[0].map(Squares(file=str(file)), [0])] == [("content", True)]
    with pytest.raises(EngineError, match="cannot be sent"):
        list(engine[0].map(Squares(file=str(tmp_path / "none")), [0]))
    assert [(done.index, done.answer) for done in Local().map(Squares(), [3, 4])] == [(0, 9), (1, 16)]


KILLED = """
import os, signal
from probespiel.envs.core.engine import Local, Work
class Plain(Work):
    def do(self, job):
        return job
for done in Local(2).map(Plain(), list(range(40))):
    print("done", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_nothing_is_said_on_the_terminal_of_who_was_killed() -> None:
    """Workers end after their parent, and what they shared is removed, without a list of "leaked" things."""
    ended = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, timeout=200)
    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, "done\n")
    assert ended.stderr == ""


def test_digests_tell_values_apart() -> None:
    values = [1, 1.0, "1", True, None, [1], {"a": 1}, b"1", np.arange(3), np.arange(3.0), np.zeros((1, 3)), Squares()]
    values += [np.zeros(3), np.zeros((3, 1)), np.zeros(3, np.int64)]  # the same bytes
    assert len({digest_of(value) for value in values}) == len(values)
    assert digest_of({"a": 1, "b": (2, np.float64(0.1))}) == digest_of({"b": [2, 0.1], "a": 1})
    with pytest.raises(TypeError, match="object has no digest"):
        digest_of([object()])


# Whom to trust


def test_a_foreign_version_is_refused(
    two: Any, engine: tuple[Cluster, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = workers_of(two)
    until_told(engine[1], monkeypatch)
    identity = remote.identity()
    monkeypatch.setattr(remote, "identity", lambda: {**identity, "numpy": "1.0"} if here() == bad else identity)
    assert {done.worker for done in engine[0].map(Squares(), range(8))} == {good}
    (line,) = engine[1]
    assert line.startswith(f"worker {bad} is refused: (") and line.endswith(f"numpy 1.0, here {identity['numpy']}")
    monkeypatch.setattr(remote, "identity", lambda: {**identity, "code of probespiel": "x"} if here() else identity)
    with pytest.raises(EngineError, match=r"all workers at .* are refused.*code of probespiel x, here"):
        list(engine[0].map(Squares(wrong=("nobody",)), range(8)))


def test_who_fails_the_probe_or_finds_other_rules_is_refused(
    two: Any, engine: tuple[Cluster, list[str]], kuhn: Game, played_away: None, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    good, bad = workers_of(two)
    until_told(engine[1], monkeypatch)
    assert {done.worker for done in engine[0].map(Squares(strange=(bad,)), range(8))} == {good}
    assert f"worker {bad} is refused" in engine[1][-1] and "a known block has another result" in engine[1][-1]
    rebuild = playing.Plan.game

    def other_rules(plan: playing.Plan) -> Game:
        changed = {**plan.recipe, "ruleset": "0" * 24} if here() else plan.recipe
        return rebuild(playing.replace(plan, recipe=changed))

    monkeypatch.setattr(playing.Plan, "game", other_rules)
    playing._KEPT.clear()
    with pytest.raises(EngineError, match=r"all workers at .* are refused.*the rules of kuhn are now"):
        monkeypatch.setattr(playing.BlockWork, "probe", lambda self: self.plan.game().ruleset)
        run_tournament(kuhn, FIELD, 60, 9, out=tmp_path, engine=engine[0])


def test_a_deviation_ends_the_run_and_nothing_of_it_is_kept(
    two: Any, engine: tuple[Cluster, list[str]], kuhn: Game, played_away: None, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    good, bad = workers_of(two)
    monkeypatch.setattr(cluster, "EVERY", 20)
    with pytest.raises(Deviation, match="has two results") as error:
        list(engine[0].map(Squares(wrong=(bad,)), range(40)))
    assert error.value.workers == (bad,) and bad in str(error.value) and good not in str(error.value)
    played = playing._played
    other = run_tournament(kuhn, FIELD, 60, 8, out=tmp_path / "other", resamples=50) and files(tmp_path / "other")

    def deviating(plan: Any, match: Any, order: Any) -> playing.Block:
        block = played(plan, match, order)
        return block if here() != bad else playing.Block(block.notes, block.part + b"wrong")

    monkeypatch.setattr(playing, "_played", deviating)
    with pytest.raises(Deviation):
        run_tournament(kuhn, FIELD, 60, 8, out=tmp_path / "away", resamples=50, engine=engine[0])
    left = {name: data for name, data in files(tmp_path / "away").items() if name.startswith("part-")}
    assert all(data == other[name] for name, data in left.items()), "no block of that worker is left"
    run_tournament(kuhn, FIELD, 60, 8, out=tmp_path / "away", resamples=50, resume=True)
    assert files(tmp_path / "away") == other


# The command line


def test_addresses_and_missing_packages_are_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.2)
    command = ["tournament", "kuhn", "--games", "40", "--out", str(tmp_path)]

    def told(*more: str) -> str:
        assert cli.run([*command, *more]) == 2
        (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
        return line

    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        assert f"no scheduler answers at '{address}'" in told("--engine", "dask", "--scheduler", address)
    assert "--scheduler goes with --engine dask" in told("--scheduler", "tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'probespiel[cluster]'" in told("--engine", "dask")


# Many workers, and workers that die


def kill_sometimes(
    made: Any, rng: random.Random, kills: int, killed: list[int], over: threading.Event,
    wait: tuple[float, float] = (0.3, 1.5),
) -> None:  # fmt: skip
    """Kill worker processes of a cluster at random moments, each for good: its nanny begins another one."""
    while len(killed) < kills and not over.wait(rng.uniform(*wait)):
        nanny = rng.choice([nanny for nanny in made.workers.values() if nanny.process is not None])
        if nanny.pid is not None and nanny.pid not in killed:
            killed.append(nanny.pid)
            os.kill(nanny.pid, signal.SIGKILL)


@pytest.mark.slow
def test_killed_workers_lose_nothing(kuhn: Game, tmp_path: Path, played_away: None) -> None:
    field = ("random", "card_only", "search:sims=200")
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as made:
        who = Cluster(made.scheduler_address)
        killed: list[int] = []
        over = threading.Event()
        killer = threading.Thread(target=kill_sometimes, args=(made, random.Random(3), 3, killed, over))
        killer.start()
        run_tournament(kuhn, field, 3000, 7, out=tmp_path / "away", resamples=50, engine=who)
        over.set()
        killer.join()
        who.close()
    assert len(killed) == 3
    run_tournament(kuhn, field, 3000, 7, out=tmp_path / "here", resamples=50)
    assert files(tmp_path / "away") == files(tmp_path / "here")


@pytest.mark.slow
def test_killed_workers_cost_an_exploit_nothing(tmp_path: Path) -> None:
    """Three of four workers are killed while they learn and play: a leg or a portion is done again."""
    target = Target("konfrontation-clash", "rush")
    plan = Plan(steps=300_000, games=4000, seeds=4, method="learned")
    (tmp_path / "away").mkdir()
    (tmp_path / "here").mkdir()
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as made:
        who = Cluster(made.scheduler_address)
        killed: list[int] = []
        over = threading.Event()
        killer = threading.Thread(target=kill_sometimes, args=(made, random.Random(5), 3, killed, over, (2.0, 6.0)))
        killer.start()
        exploit(target, tmp_path / "away", plan, engine=who)
        over.set()
        killer.join()
        who.close()
    assert len(killed) == 3
    exploit(target, tmp_path / "here", plan, engine=Local())
    assert files(tmp_path / "away") == files(tmp_path / "here")


@pytest.mark.slow
def test_bots_and_modules_travel(tmp_path: Path, played_away: None) -> None:
    bot = tmp_path / "there" / "mine.py"
    bot.parent.mkdir()
    bot.write_text(BOTS.read_text())
    module = tmp_path / "there" / "rule.py"
    module.write_text((Path(__file__).parent.parent / "examples" / "modules" / "last_trump.py").read_text())
    game = make_game("einblatt-duel", modules={str(module): {}})
    field = ("random", f"{bot}:Moody", f"{bot}:Bad")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as made:
        who = Cluster(made.scheduler_address)
        run_tournament(game, field, 20, 7, out=tmp_path / "away", resamples=50, engine=who)
        who.close()
    run_tournament(game, field, 20, 7, out=tmp_path / "here", resamples=50)
    assert files(tmp_path / "away") == files(tmp_path / "here")
    assert str(bot) in (tmp_path / "here" / "report.html").read_text()


def test_the_busy_share_by_hand() -> None:
    """Two workers, blocks of 2 s: one idles from 2 to 3 between its blocks; all have one from 1 on."""
    spans = [(0.0, 2.0), (3.0, 5.0), (5.0, 7.0), (1.0, 3.0), (3.0, 5.0), (5.0, 7.0)]
    assert share_of(spans, 2, 4) == pytest.approx((1 + 2 + 2 + 2) / (2 * 4))
    assert share_of([(0.0, 2.0), (0.0, 2.0), (2.0, 4.0), (2.0, 4.0)], 2, 2) == 1.0
    assert share_of([(0.0, 1.0), (2.0, 3.0)], 2, 1) == 0.0, "never two at a time"
