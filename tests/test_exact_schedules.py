"""Who meets whom, with which seeds and for how long: leagues, lessons, legs of trainings and courses of games, by hand.

What is played and learnt meanwhile is made up by the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.stress import dynamics
from probespiel.evaluation.tournament import joint
from probespiel.training import league, legs, lessons
from probespiel.training.league import League
from probespiel.training.legs import Leg, Legs
from probespiel.training.pupil_kernel import Lists

# The league


class Told:
    """A source of chance that draws what it is told, and notes from how many."""

    def __init__(self, *drawn: int) -> None:
        self.drawn, self.asked = list(drawn), list[int]()

    def integers(self, most: int) -> int:
        self.asked.append(most)
        return self.drawn.pop(0)


def test_each_policy_that_is_offered_stays_with_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th of two places draws one of n; it takes that place if it is the first or the second."""
    monkeypatch.setattr(league, "PolicyNet", lambda blueprint, weights, kind: weights)
    found = League(cast(Any, SimpleNamespace(advisers=())), {"self": 1.0}, places=2, seed=1)
    told = Told(2, 1, 0, 5)
    monkeypatch.setattr(found, "rng", told)
    for name in "abcdef":
        found.offer(cast(Any, name))
    assert told.asked == [3, 4, 5, 6] and found.past == ["e", "d"] and found.offered == 6


def test_opponents_are_called_by_their_kind() -> None:
    """Current, two places for past ones, then the agents in their order."""
    found = League(
        cast(Any, SimpleNamespace(advisers=())), {"random": 1.0, "self": 1.0, "first": 0.0}, places=2, seed=1
    )
    assert [found.name_of(number) for number in range(5)] == ["self", "past", "past", "random", "first"]


# Lessons


def lesson(monkeypatch: pytest.MonkeyPatch, rounds: int, **more: Any) -> tuple[list[float], list[float], list[float]]:
    """Lessons of so many fits: the learner's share of the play, the rates, and what is told of what is done."""
    shares, rates, told = list[float](), list[float](), list[float]()

    class Room:
        share = 0.0
        rng = np.random.default_rng(1)

        def __init__(self, *_: Any) -> None:
            pass

        def advice(self, tables: Any, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return np.zeros(2, np.int64), np.ones((2, 1), np.float32)

        def mixed(self, tables: Any, *_: Any) -> np.ndarray:
            shares.append(self.share)
            return np.zeros(2, np.int64)

    nothing = Lists(*(np.zeros(0, np.int64) for _ in range(6)))
    tables = SimpleNamespace(
        num_envs=2, reset=lambda: np.zeros((2, 3), np.float32), action_masks=lambda: None, step_async=lambda _: None,
        step_wait=lambda: (np.zeros((2, 3), np.float32),),
    )  # fmt: skip
    monkeypatch.setattr(lessons, "Classroom", Room)
    monkeypatch.setattr(lessons, "Tables", lambda *_: tables)

    def fit(lists: Lists, goals: np.ndarray, rate: float, rng: Any) -> float:
        rates.append(rate)
        return 0.1 * len(rates)

    pupil = cast(Any, SimpleNamespace(listed=lambda _: nothing, fit=fit))
    done = lessons.imitate(
        pupil, [cast(Any, SimpleNamespace(n_actions=1))], [2], [cast(Any, None)], rounds * lessons.STEPS * 2, 0.5, 1,
        cast(Any, None), watch=lambda share, equal: told.append(share) is None and equal < 0.45, **more,
    )  # fmt: skip
    assert done == pytest.approx(0.1 * len(rates))
    assert shares == [share for share in shares[:: lessons.STEPS] for _ in range(lessons.STEPS)]
    return shares[:: lessons.STEPS], rates, told


def test_the_learner_plays_more_and_more_and_alone_from_the_middle_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four fits: nothing of its own, half, all, all; rates fall to a tenth."""
    shares, rates, told = lesson(monkeypatch, 4)
    assert shares == [0.0, 0.5, 1.0, 1.0] and told == [0.25, 0.5, 0.75, 1.0]
    assert rates == pytest.approx([0.5 * 0.1 ** (n / 4) for n in range(4)])


def test_lessons_end_when_whoever_watches_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten fits are planned; the fifth one agrees enough."""
    assert lesson(monkeypatch, 10)[2] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])


def test_as_many_decisions_are_recalled_as_there_may_be() -> None:
    """Three different ones of four, the last of which is one too many; what is known is not kept again."""
    kept = lessons.Recalled(2)
    inputs = np.array([[1], [1], [2], [3]], np.float32)
    kept.add(inputs, 10 * inputs)
    assert [x.tolist() for x in kept.inputs] == [[1], [2]] and [x.tolist() for x in kept.goals] == [[10], [20]]


# Legs of trainings


class Finished(Iterator[Any]):
    """What an engine gives."""

    def __init__(self, done: list[Any]) -> None:
        self.done = done

    def __next__(self) -> Any:
        if not self.done:
            raise StopIteration
        return self.done.pop(0)

    def close(self) -> None:
        self.done.clear()


def test_trainings_are_cut_into_legs_until_their_last_decision() -> None:
    """Of 100 and 90 decisions in legs of 40, the second one begun: the last leg of each has no end of its own."""
    asked: list[list[tuple[int, Any, int | None]]] = []

    def play(work: Any, jobs: list[Leg]) -> Finished:
        asked.append([(job.training, job.checkpoint, job.until) for job in jobs])
        done = []
        for place, job in enumerate(jobs):
            decisions = work.configs[job.training]["decisions"]
            at = decisions if job.until is None else job.until + 1
            done.append(SimpleNamespace(index=place, answer=SimpleNamespace(
                finished=at >= decisions, checkpoint=f"{job.training} at {at}", decisions=at)))  # fmt: skip
        return Finished(done[::-1])

    work = cast(Any, SimpleNamespace(configs=({"decisions": 100}, {"decisions": 90})))
    engine = cast(Any, SimpleNamespace(map=play))
    found = [
        (number, reached.decisions) for number, reached in legs.walk(work, engine, {0: (None, 0), 1: (b"b", 10)}, 40)
    ]
    assert asked == [[(0, None, 40), (1, b"b", 50)], [(0, "0 at 41", 81), (1, "1 at 51", None)], [(0, "0 at 82", None)]]
    assert found == [(1, 51), (0, 41), (1, 90), (0, 82), (0, 100)]
    asked.clear()
    stops = iter([False, False, True])
    assert len(list(legs.walk(work, engine, {0: (None, 0), 1: (b"b", 50)}, 40, lambda: next(stops)))) == 2
    assert asked == [[(0, None, 40), (1, b"b", None)]], "the last decision is that of the end"


def test_a_leg_goes_on_in_memory_only_from_its_own_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of ten decisions; who comes with another checkpoint has it read, and reviews are no moments."""

    class Training:
        config = SimpleNamespace(opponents=("here/a",))
        learner = SimpleNamespace(weights=lambda: "newest")

        def __init__(self, decisions: int = 0) -> None:
            self.decisions, self.seconds = decisions, 5.0

        @property
        def finished(self) -> bool:
            return self.decisions >= 60

        def weights(self) -> str:
            return "average"

        def manifest(self) -> Any:
            return SimpleNamespace(with_modules=lambda names: names)

        def run(self, watch: Any) -> None:
            while not self.finished:
                self.decisions += 10
                watch(self, {"review": 1.0})
                if not watch(self, {"train/entropy": 0.5, "play/against_here/a": 1.5, "play/length": 9.0}):
                    return

    def saved(training: Any, path: Path) -> None:
        path.write_bytes(f"{training.decisions} {training.seconds:g} {training.config.opponents[0]}".encode())

    read: list[bytes] = []

    def loaded(path: Path, *_: Any, **__: Any) -> Training:
        read.append(path.read_bytes())
        return Training(int(read[-1].split()[0]))

    monkeypatch.setattr(legs, "checked", lambda config: SimpleNamespace(opponents=("there/a",)))
    monkeypatch.setattr(legs, "SelfPlay", lambda config, device: Training())
    monkeypatch.setattr(legs, "save_checkpoint", saved)
    monkeypatch.setattr(legs, "save_policy", lambda path, manifest, weights: path.write_bytes(weights.encode()))
    monkeypatch.setattr(legs, "load_checkpoint", loaded)
    work = Legs(({},))
    first = work.do(Leg(0, None, 20))
    assert (first.checkpoint, first.policy) == (b"20 0 there/a", b"average")
    assert (first.decisions, first.finished) == (20, False)
    assert [(one.decisions, one.entropy, one.payoffs) for one in first.course] == [
        (10, 0.5, {"there/a": 1.5}), (20, 0.5, {"there/a": 1.5})]  # fmt: skip
    assert work.do(Leg(0, first.checkpoint, 31)).decisions == 40 and not read
    again = work.do(Leg(0, first.checkpoint, None))
    assert read == [b"20 0 there/a"] and again.decisions == 60 and again.finished and len(again.course) == 4
    assert not legs._LIVE and Legs(({},), newest=True).do(Leg(0, None, None)).policy == b"newest"
    assert Training.config.opponents == ("here/a",)


# Games


def test_a_joint_table_is_shown_by_the_game_with_the_middle_payoff(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sides of two, one and one seats; the best of two agents plays the first and the third. Of four deals 2 and 3 are
    the middle ones, in which the first side gets 1.5 and 2 on average."""
    names = ("best", "worst")
    sides = (("a", (0, 2)), ("b", (1,)), ("c", (3,)))
    payoffs = np.array([[9.0, 8, 9, 8], [1, 7, 2, 0], [0, 9, 4, 0], [-3, 0, 1, 0]])
    scheduled: list[Any] = []

    def play(schedule: Any, rows: Any) -> Any:
        scheduled.append(schedule)
        return SimpleNamespace(payoffs=payoffs)

    match = cast(Any, SimpleNamespace(game=SimpleNamespace(n_seats=4, sides=sides), play=play))
    shown: list[Any] = []

    def recorded(match: Any, one: Any, called: Any) -> Any:
        shown.append((one.seating.tolist(), one.dice.tolist(), one.tables.tolist(), called))
        return SimpleNamespace(faults=faults, replay="the game")

    monkeypatch.setattr(joint, "recorded", recorded)
    rows = [SimpleNamespace(name=name) for name in names]
    table = cast(Any, SimpleNamespace(names=names[::-1], ratings=SimpleNamespace(rows=rows), deals=4))
    faults: list[str] = []
    assert joint.shown_table(match, table, 5) == "the game"
    (all_of_them,) = scheduled
    assert all_of_them.seating.tolist() == [[1, 0, 1, 1]] * 4
    assert shown == [([[1, 0, 1, 1]], [all_of_them.dice[1].tolist()], [all_of_them.tables[1].tolist()], names[::-1])], (
        "the second of four deals, for 1.5"
    )
    faults.append("somebody forfeits")
    assert joint.shown_table(match, table, 5) is None


def test_every_replicate_plays_the_same_deals_with_other_choices_and_partners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals 3 to 5, two replicates, two pairs of mixtures, the seed 7: replicate 1 has the other pair, and draws of its
    own; cards are those of the same deal in both."""
    drawn: list[tuple[list[int], int]] = []
    asked: list[tuple[list[int], int, int]] = []

    def by_mixtures(mixtures: Any, which: np.ndarray, numbers: np.ndarray, seed: int) -> Iterator[Any]:
        drawn.append((which.tolist(), seed))
        for pair in range(2):
            yield np.flatnonzero(which == pair), "players", "pairs"

    def play(lab: Any, condition: Any, players: Any, pairs: Any, deals: np.ndarray, seed: int, **more: Any) -> Any:
        asked.append((deals.tolist(), seed, more["again"]))
        log = SimpleNamespace(
            phases=np.array([0, 1, 1]), actions=np.array([4, 5, 5]), leads=np.array([0.0, dynamics.BEHIND, 0.0])
        )
        return SimpleNamespace(
            margins=10.0 * deals + more["again"], lengths=deals, status=np.full(len(deals), dynamics.STOPPED), log=log
        )

    for name, made in {
        "by_mixtures": by_mixtures, "play": play, "tension": lambda *_: {}, "choices_of": lambda _: {}
    }.items():  # fmt: skip
        monkeypatch.setattr(dynamics, name, made)
    game = SimpleNamespace(spec=SimpleNamespace(phases=("bid", "play", "end")))
    bench, marks = SimpleNamespace(everybody=lambda: None), SimpleNamespace(phases=frozenset())
    lab = cast(Any, SimpleNamespace(game=lambda _: game, facts=SimpleNamespace(further=[5]), bench=bench, marks=marks))
    found = dynamics.course(lab, cast(Any, "used"), [cast(Any, 0), cast(Any, 1)], (3, 6), 2, 7)
    assert drawn == [([1, 0, 1], 7), ([0, 1, 0], 8)]
    assert asked == [([4], 7, 0), ([3, 5], 7, 0), ([3, 5], 7, 1), ([4], 7, 1)]
    assert found["seeds"].tolist() == [[1, 0, 1], [0, 1, 0]]
    assert found["margins"].tolist() == [[30.0, 40.0, 50.0], [31.0, 41.0, 51.0]]
    assert found["lengths"].tolist() == [[3.0, 4.0, 5.0]] * 2 and found["stopped"] == 6 and not found["leads"]
    assert found["phases"] == {"bid": 4 / 6, "play": 8 / 6} and found["further"] == {"play": 8 / 6}
