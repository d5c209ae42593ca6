"""Trainings of answers, their forecasts and their figures by hand: settings, shares of time, weights of seats."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.policy_net import blueprint_of
from probespiel.envs import make_game
from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import workers
from probespiel.evaluation.tournament import playing
from probespiel.training import answers, evaluate, forecast, outlook, population, psro
from probespiel.training.config import train_config
from probespiel.training.league import League
from probespiel.training.native import LEAST_SPREAD, NativeLearner


def game_of(*sides: tuple[int, ...]) -> Any:
    return SimpleNamespace(
        name="chess", spec=SimpleNamespace(system="board"), n_seats=sum(map(len, sides)),
        sides=tuple((str(k), seats) for k, seats in enumerate(sides)),
    )  # fmt: skip


@pytest.mark.parametrize("whole", [False, True])
def test_settings_of_answers(monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    """Of four, the first two learn as the game's own do where it has advisers, and every second begins as the agent.

    60,000 decisions of 10 tables and 5 steps are 1,200 updates in which values alone are learned; of 256 tables and 8
    steps 29.
    """
    declared = {"advisers": ("one",), "tables": 10, "steps": 5, "hidden": 32, "entropy": 9.0}
    network = SimpleNamespace(hidden=16, groups=1, advisers=("two",))
    policy = SimpleNamespace(manifest=SimpleNamespace(network=network))
    monkeypatch.setattr(answers, "training_of", lambda system: SimpleNamespace(defaults={"chess": declared}))
    monkeypatch.setattr(answers, "own_policy", lambda agent, game: policy)
    monkeypatch.setattr(answers, "train_config", lambda game, **given: {"game": game, **given})
    game = game_of((0,), (1, 2)) if whole else game_of((0,), (1,))
    found = [answers.answer_to("her", game, [{"scenario": "x"}], number, 9, minutes=2.5) for number in range(5)]
    made = [cast(Any, config) for config, _ in found]
    assert [own for _, own in found] == [True, False, True, False, True]
    assert [config["tables"] for config in made] == [10, 10, 256, 256, 10]
    assert [config["hidden"] for config in made] == [16, 32, 16, 64, 16]
    assert [config["advisers"] for config in made] == [("two",), ("one",), ("two",), (), ("two",)]
    assert [config["settle"] for config in made] == [1200, 1200, 29, 0, 1200]
    assert [config.get("adopted", False) for config in made] == [True, False, True, False, True]
    assert [config["groups"] for config in made] == [True] * 5
    for config in made:
        assert (config["game"], config["seed"], config["opponents"], config["whole_side"], config["minutes"]) == (
            "chess", 4, {"her": 1.0}, whole, 2.5,
        )  # fmt: skip
        assert config["scenarios"] == ({"scenario": "x"},) and config["evaluate_against"] == ("her",)
        assert config["entropy"] == 0.03, "which the game's own would have as 9"
    declared["tables"], declared["steps"] = 60_000, 2
    assert cast(Any, answers.answer_to("her", game, [], 0, 9)[0])["settle"] == 4
    monkeypatch.setattr(answers, "own_policy", lambda agent, game: None)
    declared["advisers"] = ()
    plain, own = cast(Any, answers.answer_to("her", game, [], 0, 9))
    assert (plain["tables"], plain["settle"], plain["groups"], own) == (256, 0, True, False)


def test_a_forecast_shares_the_time_of_its_second_update(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten seconds two learn, one advises, three are the opponent's: four are play; 100 decisions are 10 a second."""
    now = [0.0]

    def lasts(seconds: float) -> Any:
        def work(*given: Any) -> None:
            now[0] += seconds

        return work

    agent = SimpleNamespace(act_batch=lasts(1.5))
    learner, advice = SimpleNamespace(learn=lasts(2.0)), SimpleNamespace(columns=lasts(1.0))
    asked: list[Any] = []

    class Training(SimpleNamespace):
        def __init__(self, config: Any, device: str) -> None:
            asked.append((config, device))
            super().__init__(learner=learner, league=SimpleNamespace(advice=advice, agents=[agent]))

        def update(self) -> None:
            self.learner.learn()
            self.league.advice.columns()
            for _ in range(2):
                self.league.agents[0].act_batch()
            now[0] += 4.0

    monkeypatch.setattr(forecast, "SelfPlay", Training)
    monkeypatch.setattr(forecast, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    config = SimpleNamespace(per_update=100, model_copy=lambda update: update)
    found = forecast.forecast(cast(Any, config), "cpu")
    assert asked == [({"teacher": None, "review": 0, "settle": 0, "evaluate_every": 0}, "cpu")]
    assert found.rate == 10.0 and found.seconds(50) == 5.0 and found.dearest == "playing"
    assert found.shares == {"learning": 0.2, "advisers": 0.1, "opponents": 0.3, "playing": 0.4}
    agent.act_batch = lasts(3.0)  # as the clock is read twice, there may be less than nothing left
    assert forecast.forecast(cast(Any, config)).dearest == "opponents"


def test_seats_and_sides_weigh_the_same_where_they_decide() -> None:
    """Of the first side's two seats one had nothing to decide; the other side's two weigh a fourth each."""
    results: list[list[float]] = [[1.0, 3.0] * 50, [], [0.0] * 4, [5.0]]
    means, errors, weights = evaluate.seat_figures(results, [(0, 1), (2, 3)], (-9.0, 9.0))
    assert means.tolist() == [2.0, 0.0, 0.0, 5.0] and weights.tolist() == [0.5, 0.0, 0.25, 0.25]
    assert errors[0] == pytest.approx((100 / 99) ** 0.5 / 10) and errors[1] == 0.0 and errors[3] == np.inf
    assert errors[2] == pytest.approx((1 - 0.05**0.25) * 9 / 1.96), "four games, of which none paid anything else"
    with pytest.raises(ProbespielError, match="side 2 of 2 had nothing to decide in any game"):
        evaluate.seat_figures([[1.0], []], [(0,), (1,)], (0.0, 1.0))


def test_mates_are_played_by_the_policy_and_others_by_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three seats the first and the last are one side."""
    table = evaluate._Sides.__new__(evaluate._Sides)
    table.sides = np.array([0, 1, 0])
    found = table.assign(np.arange(3), np.array([0, 1, 2]))
    own, other = evaluate.OWN, evaluate.OTHER
    assert found.tolist() == [[own, other, own], [other, own, other], [own, other, own]]
    table.env = cast(Any, SimpleNamespace(opponent_ids=found))
    table.net = cast(Any, SimpleNamespace(probabilities=lambda seen, masks, temperature: (seen, masks, temperature)))
    table.advice, table.agent, table.temperature = cast(Any, "advice"), cast(Any, "agent"), 0.5
    monkeypatch.setattr(evaluate, "beside", lambda advice, env, seats, tables, observations: observations)
    monkeypatch.setattr(evaluate, "draw", lambda chances, seeds: 10 * chances[0] + seeds.astype(np.int64))
    monkeypatch.setattr(
        evaluate, "ask", lambda agent, env, seats, tables, seeds: 1000 + 100 * tables + 10 * seats + seeds
    )
    tables, seats = np.array([0, 0, 1, 2]), np.array([1, 2, 1, 1])
    told = table(np.array([1, 2, 3, 4]), np.ones(4), seats, tables, np.array([5, 6, 7, 8]))
    assert told.tolist() == [1015, 26, 37, 1218]


def test_past_policies_are_kept_with_equal_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three places the fifth policy is drawn a place of five, and comes in for places 0 to 2 alone."""
    game = make_game("kuhn", compiled=False)
    league = League(blueprint_of(game, hidden=4), {"self": 1.0, "past": 1.0}, places=3, seed=1)
    env = SimpleNamespace(game=game)
    assert league.assign(cast(Any, env), np.arange(8), np.zeros(8, np.int64)).tolist() == [[0, 0]] * 8, "nobody yet"
    asked: list[int] = []
    drawn = iter([3, 2, 0])

    class Rng:
        def integers(self, below: int, size: int | None = None) -> Any:
            asked.append(below)
            return next(drawn) if size is None else np.arange(size) % below

        def random(self, size: int) -> np.ndarray:
            return np.tile([0.25, 0.75], size // 2)

    league.rng = cast(Any, Rng())
    weights = {name: np.zeros(shape, np.float32) for name, shape in blueprint_of(game, hidden=4).shapes().items()}
    monkeypatch.setattr("probespiel.training.league.PolicyNet", lambda blueprint, weights, kind: weights["number"])
    for number in range(6):
        league.offer(weights | {"number": cast(Any, number)})
    assert cast(Any, league.past) == [5, 1, 4]
    assert asked == [4, 5, 6] and league.offered == 6
    ids = league.assign(cast(Any, env), np.arange(8), np.ones(8, np.int64))
    assert ids.tolist() == [[0, 0], [2, 0], [0, 0], [1, 0], [0, 0], [3, 0], [0, 0], [2, 0]], (
        "one of three, place 1 to 3"
    )


def test_equal_advantages_are_none() -> None:
    """Without a deviation they are divided by the least one; else by theirs, and their mean is taken off."""
    config = train_config("kuhn", tables=8, steps=4, batch=16)
    assert config.normalize
    learner = NativeLearner.__new__(NativeLearner)
    learner.config = config
    for values, shift, scale in (([2.0] * 4, 2.0, 1 / LEAST_SPREAD), ([1.0, 3.0], 2.0, 1 / (2**0.5 + LEAST_SPREAD))):
        learner.decided = cast(Any, SimpleNamespace(advantages=np.array(values, np.float32)))
        coefficients = cast(Any, SimpleNamespace(entropy=0.1, even=0.2, values_only=False))
        terms = learner.terms(np.arange(len(values)), coefficients)
        assert (terms.shift, terms.scale, terms.share) == (shift, pytest.approx(scale), 1 / len(values))
        assert (terms.entropy, terms.even, terms.values_only) == (0.1, 0.2, 0)


def test_what_is_explained_is_what_is_not_missed() -> None:
    goals = np.array([1.0, 3.0], np.float32)  # a variance of 1
    assert outlook._explained(0.25, goals) == 0.75
    assert outlook._explained(0.5e-12, np.ones(3, np.float32)) == 0.5


def test_policies_are_measured_against_everybody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two policies after 40 and 90 decisions, 20 an update, against two agents; answers come in any order."""
    saved: dict[str, Any] = {}
    made: list[Any] = []

    class Manifest(SimpleNamespace):
        pass

    policies = {name: SimpleNamespace(manifest=Manifest(decisions=n), net=SimpleNamespace(weights=f"of {name}"))
                for name, n in (("a", 40), ("b", 90))}  # fmt: skip
    monkeypatch.setattr(population, "load_policy", lambda file, kind: policies[file.name])
    monkeypatch.setattr(population, "replace", lambda manifest, evaluation: (manifest.decisions, evaluation))
    monkeypatch.setattr(
        population, "save_policy", lambda file, manifest, weights: saved.update({file.name: (manifest, weights)})
    )
    monkeypatch.setattr(population, "derive_seed", lambda seed, what, end: (seed, what, end))
    work = SimpleNamespace(dismiss=lambda: made.append("dismissed"))
    monkeypatch.setattr(population, "Games", lambda *given: made.append(given) or work)
    monkeypatch.setattr(population, "plain", lambda scenario: scenario)
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_bytes(file.name.encode())
    config = cast(Any, SimpleNamespace(
        game="chess", scenarios=["first", "second"], evaluate_against=("x", "y"), per_update=20, evaluate_games=7,
        temperature=0.5,
    ))  # fmt: skip

    def play(work: Any, jobs: Any) -> Any:
        for index in (3, 0, 2, 1):
            answer = SimpleNamespace(name=jobs[index], as_dict=lambda job=jobs[index]: job)
            yield SimpleNamespace(index=index, answer=answer)

    told: list[int] = []
    found = population.measured(config, files, [5, 6], cast(Any, SimpleNamespace(map=play)), lambda: told.append(1))
    assert [[cast(Any, e).name for e in row] for row in found] == [[(0, "x"), (0, "y")], [(1, "x"), (1, "y")]]
    assert made == [("chess", "first", (b"a", b"b"), ((5, "evaluation", 2), (6, "evaluation", 4)), ("x", "y"), 7, 0.5),
                    "dismissed"]  # fmt: skip
    assert saved == {"a": ((40, ((0, "x"), (0, "y"))), "of a"), "b": ((90, ((1, "x"), (1, "y"))), "of b")}
    assert len(told) == 4


def test_what_two_players_get_is_the_mean_over_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred deals a side 2 and 5 on the mean: 3.5."""
    results = iter([2.0, 5.0])

    class Match(SimpleNamespace):
        def __init__(self, *given: Any, bots: Any) -> None:
            super().__init__()

        def __enter__(self) -> Match:
            return self

        def __exit__(self, *error: Any) -> None:
            pass

        def play(self, schedule: Any) -> Any:
            return SimpleNamespace(payoffs=np.full((len(schedule.seating), 2), next(results)), messages={})

    monkeypatch.setattr(psro, "Match", Match)
    scenario = {"scenario": "standard", "modules": {}, "options": {}}
    found = psro.Meetings("kuhn", (scenario,), (2.0,), ("honest", "bluffer"), ("a", "b"), "", 200).do((0, 1, 7))
    assert (found.payoff, found.games) == (3.5, 200)


def test_games_are_timed_where_all_play_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game takes a thousandth; where a bot from outside takes part nobody knows how long."""
    now = [0.0]

    def play(schedule: Any) -> None:
        now[0] += 0.001 * len(schedule.seating)

    monkeypatch.setattr(playing, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    match = cast(Any, SimpleNamespace(play=play))
    for outside, seconds in (((False, False), 0.001), ((False, False, True), np.inf), ((False, True), np.inf)):
        entrants = [SimpleNamespace(agent=SimpleNamespace(outside=one)) for one in outside]
        plan = cast(Any, SimpleNamespace(entrants=entrants, seating=((0, 1),), seed=3))
        assert playing._seconds_a_game(plan, match) == pytest.approx(seconds)


def test_a_worker_goes_on_while_its_file_changes(tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.write_bytes(bytes(16) + b"12345678")
    worker = cast(Any, SimpleNamespace(job=SimpleNamespace(live=live, seconds=5.0), seen=b"", deadline=0.0))
    assert workers._goes_on(worker) and worker.deadline > 0
    worker.deadline = 0.0
    assert not workers._goes_on(worker) and worker.deadline == 0.0
    live.write_bytes(bytes(16) + b"12345679")
    assert workers._goes_on(worker) and worker.deadline > 0
    assert not workers._goes_on(cast(Any, SimpleNamespace(job=None)))
