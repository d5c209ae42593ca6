"""Training by small exact cases: who is asked, what is learnt from, what a checkpoint brings back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch as th

from probespiel.agents.base import Agent, Requests
from probespiel.agents.policy_net import PolicyNet, blueprint_of
from probespiel.agents.registry import make_agent
from probespiel.app.cli_train import WORTH_REHEARSING, _tell_forecast
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.learner_tables import LearnerTables
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.rng import derive_seed, rng_table
from probespiel.training import forecast as forecasting
from probespiel.training import lessons
from probespiel.training.checkpoint import foreign_files, load_checkpoint, save_checkpoint
from probespiel.training.config import train_config
from probespiel.training.evaluate import evaluate
from probespiel.training.forecast import Forecast
from probespiel.training.league import League, ask
from probespiel.training.learner import TorchLearner
from probespiel.training.lessons import Classroom, Recalled, imitate, places_of, teacher_of
from probespiel.training.native import NativeLearner
from probespiel.training.nets import actor_of, device_of
from probespiel.training.pupil import Pupil
from probespiel.training.pupil_kernel import Lists
from probespiel.training.selfplay import SelfPlay, limit_threads
from probespiel.training.tables import Tables

limit_threads(1)
SMALL: dict[str, Any] = {"tables": 8, "steps": 4, "batch": 16, "epochs": 1, "hidden": 4, "evaluate_games": 20}
PASS, BET = 0, 1


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn", compiled=False)


def always(game: Game, action: int) -> dict[str, np.ndarray]:
    """Weights of a policy that nearly always takes one action."""
    weights = {name: np.zeros(shape, np.float32) for name, shape in blueprint_of(game, hidden=4).shapes().items()}
    weights["head.bias"][action] = 50.0
    return weights


def league_of(game: Game, **shares: float) -> League:
    return League(blueprint_of(game, hidden=4), shares, places=3, seed=1)


# The league


def test_every_past_policy_answers_for_its_own_place(kuhn: Game) -> None:
    league = league_of(kuhn, self=1.0, past=1.0)
    league.set_current(always(kuhn, PASS))
    for action in (BET, PASS, BET):
        league.offer(always(kuhn, action))
    env = LearnerTables(kuhn, 8, seat=0, seed=1)
    env.reset()
    tables, seats = np.arange(8), np.zeros(8, np.int64)
    env.opponent_ids[:] = np.array([0, 1, 2, 3, 3, 2, 1, 0])[:, None]
    answers = league.answer(env, env._observations, env.masks, seats, tables, np.arange(8, dtype=np.uint64))
    assert answers.tolist() == [PASS, BET, PASS, BET, BET, PASS, BET, PASS]


def test_an_agent_is_asked_about_every_seat_with_its_own_seed(kuhn: Game) -> None:
    """Three questions at once are the same as one after the other."""
    asked: list[tuple[int, int]] = []

    class Listens(Agent):
        def act_batch(self, requests: Requests) -> np.ndarray:
            asked.extend(zip(requests.seats.tolist(), requests.seeds.tolist(), strict=True))
            return np.zeros(len(requests), np.int64)

    env = LearnerTables(kuhn, 3, seat=0, seed=1)
    env.reset()
    seats, tables, seeds = np.array([0, 1, 0]), np.array([2, 1, 0]), np.array([7, 8, 9], np.uint64)
    ask(Listens(), env, seats, tables, seeds)
    for i in range(3):
        ask(Listens(), env, seats[i : i + 1], tables[i : i + 1], seeds[i : i + 1])
    assert asked[:3] == asked[3:] and len(set(asked)) == 3


def test_opponents_come_by_their_shares(kuhn: Game) -> None:
    """Shares 3 : 1 of 400 games: 300 +- 35 are four deviations; and a share of nothing never comes."""
    league = league_of(kuhn, random=3.0, always_bet=1.0, card_only=0.0)
    env = LearnerTables(kuhn, 400, seed=1)
    ids = league.assign(env, np.arange(400), np.zeros(400, np.int64))
    names = [league.name_of(int(i)) for i in ids[:, 1]]
    assert abs(names.count("random") - 300) < 35 and names.count("card_only") == 0
    assert (ids[:, 0] == 0).all()


def test_a_league_goes_on_drawing_where_it_stopped(kuhn: Game) -> None:
    one, two = league_of(kuhn, self=1.0, random=1.0), league_of(kuhn, self=1.0, random=1.0)
    env = LearnerTables(kuhn, 40, seed=1)
    tables, seats = np.arange(40), np.zeros(40, np.int64)
    one.assign(env, tables, seats)
    two.load_state_dict(*one.state_dict())
    assert one.assign(env, tables, seats).tolist() == two.assign(env, tables, seats).tolist()


# The tables


class Others:
    """All other seats take their lowest legal action."""

    def answer(self, env: Any, observations: Any, masks: np.ndarray, seats: Any, tables: Any, seeds: Any) -> np.ndarray:
        return masks.argmax(axis=1).astype(np.int64)

    def assign(self, env: LearnerTables, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return np.zeros((len(tables), env.game.n_seats), dtype=np.int64)


def test_tables_of_several_scenarios_get_their_own_actions(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables([kuhn, make_game("kuhn", ante=2, compiled=False)], [2, 3], Others(), seed=1)
    tables.reset()
    taken: list[list[int]] = []
    monkeypatch.setattr(LearnerTables, "choose", lambda self, actions: taken.append(actions.tolist()))
    tables.step_async(np.array([0, 1, 1, 0, 1]))
    assert taken == [[0, 1], [1, 0, 1]]


def test_the_end_of_a_game_is_seen_where_observations_stand(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a terminal observation there are neither advice nor legal actions."""
    ends: list[np.ndarray] = []
    go_on = LearnerTables.go_on

    def watched(self: LearnerTables) -> Any:
        found = go_on(self)
        ends.extend(info["terminal_observation"] for info in found[3] if info)
        return found

    monkeypatch.setattr(LearnerTables, "go_on", watched)
    tables = Tables([kuhn], [6], Others(), seed=1)
    tables.reset()
    told: list[np.ndarray] = []
    for _ in range(6):
        *_, infos = tables.step(np.array([int(mask.argmax()) for mask in tables.action_masks()]))
        told.extend(info["terminal_observation"] for info in infos if info)
    assert len(told) == len(ends) > 3
    for given, seen in zip(told, ends):
        assert given.tolist() == [*seen.tolist(), *[0.0] * kuhn.n_actions] and seen.any()


# Lessons


def test_the_teacher_is_asked_about_every_table(kuhn: Game) -> None:
    teacher = make_agent("honest")
    teacher.prepare(kuhn)
    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, BET))
    room = Classroom([kuhn], [teacher], pupil, league_of(kuhn, self=1.0).advice, seed=3)
    tables = Tables([kuhn], [30], room, seed=1)
    tables.reset()
    seeds = np.arange(100, 130, dtype=np.uint64)
    env = tables.envs[0]
    wanted = ask(teacher, env, env.seats, np.arange(30), seeds, derive_seed(3, "teacher"))
    told, chances = room.advice(tables, seeds)
    assert told.tolist() == wanted.tolist() and set(wanted) == {PASS, BET}
    assert chances.tolist() == [[float(a == action) for a in range(kuhn.n_actions)] for action in wanted]


def test_a_teacher_that_knows_its_chances_teaches_them(kuhn: Game) -> None:
    """All of its mixture at every table, of which what is played there is drawn, each action as often as it says."""

    class Mixed(Agent):
        def probabilities(self, requests: Requests) -> np.ndarray:
            return np.where(requests.masks != 0, [1.0, 3.0], 0.0)

        def act_batch(self, requests: Requests) -> np.ndarray:
            return np.full(len(requests), PASS)

    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, BET))
    room = Classroom([kuhn], [Mixed()], pupil, league_of(kuhn, self=1.0).advice, seed=3)
    tables = Tables([kuhn], [1000], room, seed=1)
    tables.reset()
    played, chances = room.advice(tables, rng_table(5, 1000, "draws"))
    assert (chances == np.array([0.25, 0.75], np.float32)).all()
    assert abs(int((played == BET).sum()) - 750) < 4 * (1000 * 0.25 * 0.75) ** 0.5


def test_a_fit_goes_towards_chances_and_tells_how_near_they_are(kuhn: Game) -> None:
    """One that bets three times in four agrees by a half with one that bets one time in four; taught, by nearly all."""
    weights = always(kuhn, BET)
    weights["head.bias"][BET] = np.log(3.0)
    pupil = Pupil(blueprint_of(kuhn, hidden=4), weights)
    lists = pupil.listed(np.array([[*[0.0] * kuhn.spec.layout.size, 1.0, 1.0]] * 64, np.float32))
    goals, rng = np.array([[0.75, 0.25]] * 64, np.float32), np.random.default_rng(1)
    assert pupil.fit(lists, goals, 0.0, rng) == pytest.approx(0.5, abs=1e-3)
    agreed = [pupil.fit(lists, goals, 0.05, rng) for _ in range(100)]
    assert agreed[-1] > 0.99


def test_lessons_want_what_the_teacher_does_wherever_the_learner_comes(
    kuhn: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The learner, which never bets, plays more and more itself; what it is to learn stays the teacher's bets."""
    goals: list[np.ndarray] = []
    shares: list[float] = []
    rates: list[float] = []
    mixed = Classroom.mixed

    def watched(self: Classroom, *arguments: Any) -> np.ndarray:
        shares.append(self.share)
        return mixed(self, *arguments)

    def fit(self: Pupil, lists: Any, wanted: np.ndarray, rate: float, rng: Any) -> float:
        goals.append(wanted)
        rates.append(rate)
        return 0.0

    monkeypatch.setattr(Pupil, "fit", fit)
    monkeypatch.setattr(Classroom, "mixed", watched)
    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, PASS))
    advice = league_of(kuhn, self=1.0).advice
    imitate(pupil, [kuhn], [4], [teacher_of("always_bet", [kuhn])], 4 * 16 * 4, 0.01, 1, advice)
    assert len(goals) == 4 and all((wanted == [float(a == BET) for a in (PASS, BET)]).all() for wanted in goals)
    assert list(dict.fromkeys(shares)) == [0.0, 0.5, 1.0]
    assert rates == pytest.approx([0.01 * 0.1 ** (number / 4) for number in range(4)])


def test_some_stray_from_what_teacher_and_learner_do(kuhn: Game) -> None:
    """Of 2000 who always bet a fifth has a habit, and of what they do a fifth is drawn again: 18 % are passes."""
    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, BET))
    teacher = teacher_of("always_bet", [kuhn])
    advice = league_of(kuhn, self=1.0).advice
    for share in (0.0, 1.0):  # the teacher's, and the learner's
        room = Classroom([kuhn], [teacher], pupil, advice, seed=3, stray=0.2)
        room.share = share
        tables = Tables([kuhn], [2000], room, seed=1)
        seen, masks = tables.reset(), tables.action_masks()
        env, rows = tables.envs[0], np.arange(2000)
        others = room.answer(
            env, seen[:, : kuhn.spec.layout.size], masks, env.seats, rows, np.arange(1, 2001, dtype=np.uint64)
        )
        own = room.mixed(tables, pupil.listed(seen), masks, np.full(2000, BET))
        for played in (others, own):
            assert abs(int((played == PASS).sum()) - 360) < 4 * (2000 * 0.18 * 0.82) ** 0.5
        assert ((others == PASS) & (own == PASS)).sum() > 120  # a habit is one for both
        only = np.array([[1, 0]] * 50, np.int8)
        assert not room.strayed(np.zeros(50, np.int64), only, np.arange(50, dtype=np.uint64)).any()


def test_habits_are_orders_of_actions_for_a_game(kuhn: Game) -> None:
    """Of 3000 habits each of three legal actions is a third's, ever again; another is first where it is not legal."""
    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, BET))
    room = Classroom([kuhn], [teacher_of("honest", [kuhn])], pupil, league_of(kuhn, self=1.0).advice, 3, stray=1e-12)
    habits = np.random.default_rng(1).integers(1, 2**63, 3000, dtype=np.uint64)
    asked, masks = np.full(3000, 3), np.tile(np.array([0, 1, 1, 1], np.int8), (3000, 1))
    first = room.strayed(asked, masks, habits)
    assert (first == room.strayed(asked, masks, habits)).all() and (np.bincount(first)[0] == 0)
    assert np.abs(np.bincount(first)[1:] - 1000).max() < 4 * (3000 * 2 / 9) ** 0.5
    fewer = room.strayed(asked, masks * np.array([0, 0, 1, 1], np.int8), habits)
    assert (fewer[first != 1] == first[first != 1]).all() and set(fewer.tolist()) == {2, 3}
    assert (room.strayed(asked, masks, np.zeros(3000, np.uint64)) == asked).all()


def test_habits_end_with_the_game(kuhn: Game) -> None:
    pupil = Pupil(blueprint_of(kuhn, hidden=4), always(kuhn, BET))
    room = Classroom([kuhn], [teacher_of("honest", [kuhn])], pupil, league_of(kuhn, self=1.0).advice, 3, stray=0.25)
    tables = Tables([kuhn], [400], room, seed=1)
    tables.reset()
    (habits,) = room.habits.values()
    before = habits.copy()
    assert habits.shape == (400, 2) and abs(int((habits != 0).sum()) - 200) < 4 * (800 * 0.25 * 0.75) ** 0.5
    episodes = tables.envs[0].episodes.copy()
    tables.step_async(np.array([int(mask.argmax()) for mask in tables.action_masks()]))
    tables.step_wait()
    over = tables.envs[0].episodes != episodes
    assert 0 < over.sum() < 400 and (habits[~over] == before[~over]).all()
    assert (habits[over] != before[over]).any(axis=1).mean() > 0.3  # 1 - 0.5625 without a habit before and after: 0.44


def test_lessons_stray_as_the_settings_say(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: list[Classroom] = []
    monkeypatch.setattr(Pupil, "fit", lambda *_: 0.0)
    strayed = Classroom.strayed
    monkeypatch.setattr(Classroom, "strayed", lambda self, *more: (rooms.append(self), strayed(self, *more))[1])
    training = SelfPlay(train_config("kuhn", teacher="always_bet", lessons=100, stray=0.25, **SMALL))
    training.teach()
    assert rooms and {room.stray for room in rooms} == {0.25}


def test_what_lessons_ignore_means_nothing_afterwards(kuhn: Game) -> None:
    """Who has seen moves and who has not do the same, also after what follows the lessons: it learns values alone."""
    told: list[tuple[bool, bool]] = []
    size = kuhn.spec.layout.size
    for ignore in ((), ("moves",)):
        settings = SMALL | {
            "teacher": "honest",
            "lessons": 2000,
            "settle": 100,
            "decisions": 200,
            "learning_rate": 0.01,
        }
        training = SelfPlay(train_config("kuhn", ignore=ignore, **settings))
        training.run()
        places = places_of(("moves",), [kuhn], training.blueprint)
        assert places.tolist() == [*range(5, 11)]
        inputs = th.zeros((2, size + kuhn.n_actions))
        inputs[:, -kuhn.n_actions :] = 1.0
        inputs[1, places] = 1.0
        weights = training.learner.weights()
        one, other = actor_of(training.blueprint, weights, device_of("cpu"))(inputs).tolist()
        told.append((one == other, bool(weights["trunk.weight"][:, places].any())))
    assert told == [(False, True), (True, False)]


def written(lists: Lists, size: int, usual: np.ndarray) -> np.ndarray:
    """Decisions of lists written out, float32[m, size]."""
    out = np.zeros((len(lists.starts), size), np.float32)
    out[:, : len(usual)] = usual
    for row, begin, total in zip(out, lists.starts, lists.totals):
        row[lists.index[begin : begin + total]] += lists.values[begin : begin + total]
    return out


def test_the_rare_is_recalled_as_often_as_the_usual() -> None:
    """Of 1000 decisions one is another: of 2000 that are drawn half are it; beyond the limit nothing is kept."""
    kept = Recalled(3)
    seen = np.zeros((1000, 4), np.float32)
    seen[700] = 1.0
    kept.add(seen, seen[:, :2] + 5.0)
    kept.add(seen, seen[:, :2] + 7.0)  # known already
    inputs, goals = kept.drawn(2000, np.random.default_rng(1))
    assert inputs.shape == (2000, 4) and (goals == inputs[:, :2] + 5.0).all()
    assert abs(float(inputs[:, 0].sum()) - 1000) < 4 * 500**0.5
    kept.add(np.full((2, 4), 2.0, np.float32) + np.array([[0], [1]], np.float32), seen[:2, :2])
    assert sorted(int(x[0]) for x in kept.inputs) == [0, 1, 2]


def test_what_is_missed_is_recalled_more_often() -> None:
    """Half is drawn by the distances 0.9 and 0.1: 0.25 + 0.45 of all are the first; 4 standard errors of 4000 draws."""
    kept = Recalled(10)
    kept.add(np.array([[1.0], [0.0]], np.float32), np.zeros((2, 2), np.float32))
    kept.missed = np.array([1.8, 0.2])  # in whatever unit
    kept.add(np.array([[5.0]], np.float32), np.zeros((1, 2), np.float32))  # nobody has looked at it yet
    drawn = kept.drawn(4000, np.random.default_rng(2))[0][:, 0].tolist()
    for value, share in ((1.0, 1 / 6 + 0.45), (0.0, 1 / 6 + 0.05), (5.0, 1 / 6)):
        assert abs(drawn.count(value) / 4000 - share) < 4 * (0.25 / 4000) ** 0.5


def test_what_is_missed_is_the_distance_of_the_mixtures(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an actor that likes all alike, from (1, 0), (1/2, 1/2), (1/4, 3/4); with one legal action it has no choice."""
    training = SelfPlay(train_config("kuhn", **SMALL))
    nothing = {name: np.zeros_like(weight) for name, weight in training.learner.weights().items()}
    pupil = Pupil(training.blueprint, nothing)
    inputs = np.zeros((4, kuhn.layout.size + 2), np.float32)
    inputs[:, 0], inputs[:, -2:] = [1, 2, 3, 4], [[1, 1], [1, 1], [1, 1], [0, 1]]
    kept = Recalled(10)
    kept.add(inputs, np.array([[1, 0], [0.5, 0.5], [0.25, 0.75], [0, 1]], np.float32))
    monkeypatch.setattr(lessons, "LOOKED", 3)
    kept.look(pupil)
    assert kept.missed.tolist() == pytest.approx([0.5, 0.0, 0.25, 0.0], abs=1e-5) and (kept.missed > 0).all()


def test_what_is_missed_is_looked_at_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before every second of eight fits, but for the first."""
    looks: list[int] = []
    monkeypatch.setattr(Recalled, "look", lambda kept, pupil: looks.append(len(kept.inputs)))
    monkeypatch.setattr(lessons, "FITS", 2)
    SelfPlay(train_config("kuhn", teacher="always_bet", lessons=8 * 128, recall=100, **SMALL)).teach()
    assert len(looks) == 3 and 0 < looks[0] <= looks[1] <= looks[2]


def test_half_of_a_fit_is_recalled(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[tuple[np.ndarray, np.ndarray]] = []

    def fit(self: Pupil, lists: Lists, wanted: np.ndarray, *more: Any) -> float:
        fits.append((written(lists, kuhn.layout.size + kuhn.n_actions, self.usual), wanted))
        return 0.0

    monkeypatch.setattr(Pupil, "fit", fit)
    for recall in (0, 1000):
        training = SelfPlay(train_config("kuhn", teacher="always_bet", lessons=384, stray=0.5, recall=recall, **SMALL))
        training.teach()
    assert [len(inputs) for inputs, _ in fits] == [128, 128, 128, 256, 256, 256]
    everything = {row.tobytes() for inputs, _ in fits[3:] for row in inputs[:128]}
    recalled = {row.tobytes() for inputs, _ in fits[3:] for row in inputs[128:]}
    assert recalled <= everything and len(recalled) > 0.8 * len(everything) > 5
    for (inputs, wanted), (plain, _) in zip(fits[3:], fits[:3], strict=True):
        known = {row.tobytes(): goal.tolist() for row, goal in zip(inputs[:128], wanted[:128])}
        assert all(
            known.get(row.tobytes(), goal.tolist()) == goal.tolist() for row, goal in zip(inputs[128:], wanted[128:])
        )
        assert inputs.shape[1] == plain.shape[1]


def test_only_what_stands_alone_can_be_ignored(kuhn: Game) -> None:
    with pytest.raises(ProbespielError, match=r"ignore: kuhn has no piece 'pot'; it has card, seat, moves"):
        SelfPlay(train_config("kuhn", ignore=("pot",), **SMALL))
    with pytest.raises(ProbespielError, match=r"ignore: 'hand' is read one by one, with .*; groups=false ends that"):
        SelfPlay(train_config("einblatt-duel", ignore=("hand",), **SMALL))


# Settings, checkpoints, evaluation


def test_settings_stay_and_then_fall_geometrically(monkeypatch: pytest.MonkeyPatch) -> None:
    training = SelfPlay(train_config("kuhn", hold=0.5, **SMALL))
    found = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        monkeypatch.setattr(SelfPlay, "progress", share)
        found.append(training.falling(1.0, 0.01))
    assert found == pytest.approx([1, 1, 1, 0.1, 0.01])


@pytest.mark.parametrize(("name", "kind"), [("torch", TorchLearner), ("native", NativeLearner)])
def test_while_the_values_settle_the_policies_stay(
    tmp_path: Path, name: str, kind: type[TorchLearner] | type[NativeLearner]
) -> None:
    """Neither the current policy nor the average moves; and a checkpoint brings back how far everything was."""
    settings = {"settle": 1, "teacher": "always_bet", "lessons": 64, "average": 0.3, "learner": name}
    training = SelfPlay(train_config("kuhn", **settings, **SMALL))
    training.update()
    learner = training.learner
    assert isinstance(learner, kind) and learner.averaged == 0
    for name, weight in learner.weights().items():
        assert (weight == learner.average()[name]).all()
    training.update()
    assert learner.averaged == 1
    training.reviewed, training.seconds = True, 12.5
    save_checkpoint(training, tmp_path / "c")
    again = load_checkpoint(tmp_path / "c")
    assert isinstance(again.learner, kind) and again.learner.averaged == 1
    assert again.updates == 2 and again.decisions == training.decisions and again.seconds == 12.5
    unreviewed = SelfPlay(train_config("kuhn", review=64, scenarios=[{"reviewer": "always_bet"}], **SMALL))
    for done in (False, True):
        unreviewed.reviewed = done
        save_checkpoint(unreviewed, tmp_path / "c")
        assert load_checkpoint(tmp_path / "c").reviewed == done


def test_files_of_opponents_teachers_and_reviewers_are_foreign() -> None:
    config = train_config("kuhn", **SMALL)
    scenario = config.scenarios[0].model_copy(update={"reviewer": "c.py:Bot", "modules": {"d.py": {}, "mine": {}}})
    update = {"teacher": "b.py:Bot", "opponents": {"self": 1.0, "a.py:Bot": 1.0}, "scenarios": (scenario,)}
    assert foreign_files(config) == []
    assert foreign_files(config.model_copy(update=update)) == ["a.py", "b.py", "c.py", "d.py"]


def test_an_evaluation_tells_its_95_per_cent_interval(kuhn: Game) -> None:
    """Each side weighs a half: 1.96 deviations of the mean of both seats' means."""
    net = PolicyNet(blueprint_of(kuhn, hidden=4), always(kuhn, BET), np.float32)
    found = evaluate(kuhn, net, "random", 40, seed=2)
    errors = [error for *_, error in found.seats]
    assert found.edge == pytest.approx(np.mean([mean for *_, mean, _ in found.seats]))
    half = 1.96 * (sum(error**2 for error in errors) / 4) ** 0.5
    assert (found.edge - found.low, found.high - found.edge) == pytest.approx((half, half)) and half > 0


def test_what_is_said_before_a_training(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 2,000 a second six million take 50 minutes, and half a minute's are 60,000; of a few updates nothing is said.

    One by the clock is rehearsed however short it is: what is compiled would take its time.
    """
    rehearsed: list[str] = []

    def found(config: Any, device: str) -> Forecast:
        rehearsed.append(device)
        return Forecast(2000.0, {"learning": 0.3, "playing": 0.6, "advisers": 0.1, "opponents": 0.0})

    monkeypatch.setattr(forecasting, "forecast", found)
    config = train_config("kuhn", decisions=6_000_000)
    told = []
    for more in ({}, {"minutes": 0.5}, {"decisions": WORTH_REHEARSING * config.per_update - 1}):
        _tell_forecast(train_config("kuhn", **{"decisions": 6_000_000, **more}), "cpu", "en")
        told.append(capsys.readouterr().err.strip())
    assert told == [
        "Expect 2,000 decisions a second, 50:00 in all; most of it (60 %) for playing.",
        "Expect 2,000 decisions a second, 60,000 in all; most time (60 %) for playing.",
        "",
    ]
    assert rehearsed == ["cpu", "cpu"]
    _tell_forecast(train_config("kuhn", minutes=0.01), "cpu", "de")
    assert "1.200 insgesamt; die meiste Zeit (60\u00a0%) für das Spielen." in capsys.readouterr().err
