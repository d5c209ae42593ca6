"""What trainings do and measure, by scripted tables and learners: evaluations, lessons, checkpoints, calls."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import memory_kernel
from probespiel.training import checkpoint, evaluate, native_calls, selfplay
from probespiel.training.protocol import Coefficients, Diverged
from probespiel.training.selfplay import SelfPlay

# Evaluations


class Scripted:
    """Tables whose first game ends in every step, all others in every second one; step k pays k, by seats in turn."""

    pay = 0.0  # or always this

    def __init__(self, tables: int) -> None:
        self.masks, self.seats = np.ones((tables, 2)), np.arange(tables) % 2
        self.step_number, self.num, self.actions = 0, tables, []

    def reset(self) -> np.ndarray:
        return np.zeros((self.num, 3), np.float32)

    def step(self, actions: Any) -> Any:
        self.actions.append(actions)
        self.step_number += 1
        dones = np.full(self.num, self.step_number % 2 == 0)
        dones[0] = True
        paid = self.pay or float(self.step_number)
        infos = [{"seat": t % 2, "episode": {"r": paid}} for t in range(self.num)]
        return np.zeros((self.num, 3), np.float32), None, dones, infos


def evaluated(monkeypatch: pytest.MonkeyPatch, n: int, sides: tuple[tuple[str, tuple[int, ...]], ...]) -> Any:
    """An evaluation at scripted tables: what was found, the tables, and how they were made."""
    made: list[Any] = []

    def tables(game: Any, count: int, sides: Any, **named: Any) -> Scripted:
        made.append((Scripted(count), named, sides))
        return made[-1][0]

    class Sides:
        def __init__(self, *given: Any) -> None:
            self.advice, self.assign, self.env = "advice", "assign", None

    monkeypatch.setattr(evaluate, "LearnerTables", tables)
    monkeypatch.setattr(evaluate, "_Sides", Sides)
    monkeypatch.setattr(evaluate, "beside", lambda advice, env, seats, tables, seen: seen)
    monkeypatch.setattr(evaluate, "draw", lambda chances, seeds: seeds.copy())
    monkeypatch.setattr(evaluate, "payoffs_of", lambda game, agent, games, seed: np.array([1.0, 2.0] * (games // 2)))
    seats = [SimpleNamespace(name=name) for name in "ab"]
    game = SimpleNamespace(
        n_seats=2, sides=sides, seats=seats, spec=SimpleNamespace(bounds_of_seats=[(-9.0, 5.0), (-8.0, 9.0)])
    )
    net = cast(Any, SimpleNamespace(probabilities=lambda seen, masks, temperature: temperature))
    found = evaluate.evaluate([cast(Any, game)], net, "random", n, seed=3, decisions=7)
    return found, *made[0]


TWO, ONE = (("x", (0,)), ("y", (1,))), (("all", (0, 1)),)


def test_the_first_games_of_every_table_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five games of two seats: four tables play twice. The first is paid 1 and 2, the third 2 and 4, as the others."""
    found, env, named, sides = evaluated(monkeypatch, 5, TWO)
    assert env.num == 4 and env.step_number == 4 and sides.env is env
    assert (named["assign"], named["skip_forced"]) == ("assign", False)
    assert found.seats[0][:3] == ("a", 4, 2.25) and found.seats[1][:3] == ("b", 4, 3.0)
    assert (found.games, found.edge, found.decisions, found.opponent) == (8, 2.625, 7, "random")
    errors = [row[3] for row in found.seats]
    half = 1.96 * (errors[0] ** 2 + errors[1] ** 2) ** 0.5 / 2
    assert (found.edge - found.low, found.high - found.edge) == pytest.approx((half, half), rel=1e-4)
    first, second = env.actions[:2]
    assert len(set(first)) == 4 and (second - first == np.uint64(0x9E3779B97F4A7C15)).all(), "new draws in every step"


@pytest.mark.parametrize(("n", "tables", "steps"), [(1, 2, 2), (4, 4, 2), (9, 8, 4), (511, 510, 4), (1100, 512, 6)])
def test_tables_are_as_many_as_games_up_to_512(
    monkeypatch: pytest.MonkeyPatch, n: int, tables: int, steps: int
) -> None:
    """And equally many for every seat; a game takes two steps."""
    _, env, _, _ = evaluated(monkeypatch, n, TWO)
    assert (env.num, env.step_number) == (tables, steps)


def test_of_one_side_the_agent_plays_games_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is paid 1.5 in the mean of as many games; the variances add up."""
    both, *_ = evaluated(monkeypatch, 5, TWO)
    found, *_ = evaluated(monkeypatch, 5, ONE)
    assert found.edge == pytest.approx(2.625 - 1.5)
    alone = evaluate.error_of(np.array([1.0, 2.0] * 4), (-9.0, 9.0))
    assert ((found.high - found.edge) / 1.96) ** 2 == pytest.approx(
        ((both.high - both.edge) / 1.96) ** 2 + alone**2, rel=1e-4
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_games_that_are_all_paid_alike_may_miss_what_there_is(monkeypatch: pytest.MonkeyPatch, sign: float) -> None:
    """Up to the highest and down to the lowest of all bounds, 9 and -9, of which the farther one counts."""
    monkeypatch.setattr(Scripted, "pay", 8.0 * sign)
    found, *_ = evaluated(monkeypatch, 5, TWO)
    assert [row[2:] for row in found.seats] == [
        (8.0 * sign, evaluate.error_of(np.full(4, 8.0 * sign), (-9.0, 9.0)))
    ] * 2
    assert found.told() == f"against random: {8 * sign:+.4f} ({found.low:+.4f} to {found.high:+.4f}, 8 games)"
    german = found.told("de")
    assert german.startswith("gegen random: ") and german.endswith(", 8 Spiele)")


def test_an_agent_alone_is_paid_the_mean_of_its_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    class Match(SimpleNamespace):
        def __init__(self, game: Any, agents: list[Any], seed: int) -> None:
            assert agents == ["her"] and seed == 9
            super().__init__()

        def __enter__(self) -> Match:
            return self

        def __exit__(self, *error: Any) -> None:
            pass

        def play(self, schedule: Any) -> Any:
            assert schedule.seating.tolist() == [[0, 0]] * 3
            return SimpleNamespace(payoffs=np.array([[1.0, 2.0], [3.0, 5.0], [0.0, -1.0]]))

    monkeypatch.setattr(evaluate, "Match", Match)
    found = evaluate.payoffs_of(cast(Any, SimpleNamespace(n_seats=2)), cast(Any, "her"), 3, 9)
    assert found.tolist() == [1.5, 4.0, -0.5]


def test_who_remembers_is_no_opponent_of_an_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three seats the first and the last are on one side; others are prepared for the game."""
    asked: list[Any] = []
    agent = SimpleNamespace(per_table=False, prepare=lambda game: asked.append(("agent", game)))
    monkeypatch.setattr(evaluate, "asked_apart", lambda text, name, answers: asked.append((text, name)) or agent)
    monkeypatch.setattr(
        evaluate, "Advice", lambda advisers: SimpleNamespace(prepare=lambda game: asked.append((advisers, game)))
    )
    game = cast(Any, SimpleNamespace(name="chess", n_seats=3, sides=(("x", (0, 2)), ("y", (1,)))))
    net = cast(Any, SimpleNamespace(blueprint=SimpleNamespace(advisers=("one",))))
    opponent = cast(Any, SimpleNamespace(text="her"))
    sides = evaluate._Sides(game, net, opponent, 0.5)
    assert sides.sides.tolist() == [0, 1, 0] and sides.temperature == 0.5 and sides.env is None
    assert asked == [(("one",), game), (opponent, game), ("agent", game)]
    agent.per_table = True
    with pytest.raises(ProbespielError, match="opponent 'her' remembers things"):
        evaluate._Sides(game, net, opponent, 0.5)


# A training


def training_of(**more: Any) -> Any:
    """A training without rules or networks: its settings say 100 decisions, and a learner counts them by ten."""
    config: dict[str, Any] = {
        "decisions": 100, "minutes": None, "hold": 0.5, "settle": 3, "teacher": None, "advisers": (), "adopted": False,
        "learning_rate": 1e-2, "learning_rate_end": 1e-4, "entropy": 0.1, "entropy_end": 0.1, "even": 0.0,
        "even_end": 1.0, "evaluate_every": 0, "seed": 1, "review": 0, "lessons": 5, "stray": 0.1, "recall": 6,
        "evaluate_against": ("x", "y"), "evaluate_games": 4, "temperature": 0.5, "gradient_limit": 1.0,
    }  # fmt: skip
    made = SelfPlay.__new__(SelfPlay)
    made.config = cast(Any, SimpleNamespace(**{**config, **more}))
    made.seconds, made.agreement, made.taught, made.reviewed = 0.0, 0.0, False, True
    made.evaluations, made.writer, made.teacher, made.reviewers = [], None, None, {}
    learner = SimpleNamespace(updates=0, decisions=0, adopted=[], weights=lambda: "newest", average=lambda: "average")
    learner.loss = 0.5

    def update(coefficients: Any) -> dict[str, float]:
        learner.updates, learner.decisions, learner.heeded = learner.updates + 1, learner.decisions + 10, coefficients
        return {f"train/{name}": (learner.loss if name == "kl" else 0.5) for name in selfplay.LOSSES}

    learner.update, learner.adopt = update, learner.adopted.append
    made.learner = cast(Any, learner)
    made.games, made.league = cast(Any, ["g0", "g1"]), cast(Any, SimpleNamespace(advice="advice"))
    made.blueprint, made.ignored = cast(Any, "blueprint"), cast(Any, "ignored")
    made.tables = cast(Any, SimpleNamespace(envs=[SimpleNamespace(num_envs=3), SimpleNamespace(num_envs=5)]))
    return made


def test_a_run_goes_on_until_all_decisions_are_made() -> None:
    made = training_of()
    seen: list[Any] = []
    made.run(lambda training, measured: seen.append((training.decisions, measured["train/kl"])) or True)
    assert seen == [(10 * k, 0.5) for k in range(1, 11)] and made.finished and made.progress == 1.0
    made = training_of()
    made.run(lambda training, measured: training.decisions < 30)
    assert made.decisions == 30 and not made.finished and made.progress == 0.3 and made.seconds > 0.0
    made.reviewed, made.learner.decisions = False, 200
    assert made.progress == 1.0 and not made.finished
    made.config.minutes, made.seconds = 2.0, 30.0
    assert made.progress == 0.25
    made.seconds = 121.0
    assert made.progress == 1.0


def test_losses_that_are_no_numbers_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = training_of(evaluate_every=3)
    evaluated: list[int] = []
    monkeypatch.setattr(made, "evaluate", lambda: evaluated.append(made.updates))
    written: list[Any] = []
    made.writer = cast(Any, SimpleNamespace(add_scalar=lambda *given: written.append(given), flush=lambda: None))
    for _ in range(7):
        made.update()
    assert evaluated == [3, 6] and ("train/kl", 0.5, 70) in written and len(written) == 7 * len(selfplay.LOSSES)
    made.learner.loss = float("nan")
    with pytest.raises(Diverged, match="after 80 decisions: kl is nan"):
        made.update()


def test_coefficients_in_the_course_of_a_training() -> None:
    """Held for the first half, then geometrically: at three quarters the root of both ends."""
    made = training_of()
    assert made.coefficients() == Coefficients(1e-2, 0.1, 0.0, False)
    made.learner.decisions = 75
    assert made.coefficients()[:3] == pytest.approx((1e-3, 0.1, 0.0))
    assert made.falling(1.0, 0.0) == pytest.approx(1e-9**0.5), "of nothing a billionth is left"
    made.learner.decisions = 50
    assert made.falling(1.0, 4.0) == 1.0
    for settles in ({"teacher": "x"}, {"advisers": ("x",)}, {"adopted": True}):
        made = training_of(**settles)
        for updates, alone in ((0, True), (2, True), (3, False)):
            made.learner.updates = updates
            assert made.coefficients().values_only == alone


@pytest.mark.parametrize("review", [False, True])
@pytest.mark.parametrize("ends", [False, True])
def test_lessons_count_if_they_are_not_ended(monkeypatch: pytest.MonkeyPatch, review: bool, ends: bool) -> None:
    """Those before a training imitate its teacher, those after it the reviewers, and itself where there is none."""
    made = training_of(review=9, learning_rate=0.25)
    made.teacher, made.reviewers, made.reviewed = cast(Any, "teacher"), cast(Any, {1: "reviewer"}), False
    given: list[Any] = []
    monkeypatch.setattr(made, "policy", lambda: "own")
    monkeypatch.setattr(selfplay, "PolicyAgent", SimpleNamespace(of=lambda policy: f"agent of {policy}"))
    monkeypatch.setattr(selfplay, "usual_inputs", lambda games, counts: counts)
    monkeypatch.setattr(selfplay, "derive_seed", lambda seed, what: (seed, what))

    def pupil(*args: Any) -> Any:
        given.append(args)
        return SimpleNamespace(weights=lambda: "taught")

    def imitate(pupil: Any, *args: Any, **named: Any) -> float:
        given.append((args[:-1], named))
        given.append(args[-1](0.25, 0.75))
        return 0.875

    monkeypatch.setattr(selfplay, "Pupil", pupil)
    monkeypatch.setattr(selfplay, "imitate", imitate)
    watched: list[Any] = []

    def watch(share: float, equal: float) -> bool:
        watched.append((share, equal))
        return not ends

    if review:
        made.review(watch)
        assert given[0] == ("blueprint", "average", [3, 5])
        assert given[1] == ((["g0", "g1"], [3, 5], ["agent of own", "reviewer"], 9, 0.25, (1, "review"), "advice"), {})
        assert (made.reviewed, made.taught) == (not ends, False)
    else:
        assert made.teach(watch) is not ends
        assert given[0] == ("blueprint", "newest", [3, 5], "ignored")
        assert given[1] == ((["g0", "g1"], [3, 5], ["teacher"] * 2, 5, 0.25, (1, "teaching"), "advice"),
                            {"stray": 0.1, "recalled": 6})  # fmt: skip
        assert (made.reviewed, made.taught) == (False, not ends)
        assert (made.seconds > 0.0) is not ends
    assert watched == [(0.25, 0.75)] and given[2] is not ends
    assert made.learner.adopted == ([] if ends else ["taught"]) and made.agreement == (0.0 if ends else 0.875)
    if not ends and not review:
        assert made.teach() and len(given) == 3, "lessons are given once"
    given.clear()
    made.taught, made.reviewed = False, False
    made.review() if review else made.teach()
    assert given[2] is True and (made.reviewed, made.taught) == (review, not review)


def test_the_average_policy_plays_but_where_the_current_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "PolicyNet", lambda blueprint, weights: (blueprint, weights))
    made = training_of()
    assert cast(Any, made.net()) == ("blueprint", "average")
    assert cast(Any, made.net(current=True)) == ("blueprint", "newest")


def test_without_a_teacher_there_are_no_lessons() -> None:
    made = training_of()
    assert made.teach() and not made.taught and not made.learner.adopted


def test_a_run_begins_with_lessons_and_ends_with_a_review(monkeypatch: pytest.MonkeyPatch) -> None:
    made = training_of(review=9)
    made.reviewed = False
    told: list[Any] = []

    def lessons(watch: Any) -> bool:
        return True if watch is None else watch(0.5, 0.25)

    monkeypatch.setattr(made, "teach", lambda watch=None: lessons(watch))
    monkeypatch.setattr(made, "review", lambda watch=None: lessons(watch))
    made.run(lambda training, measured: told.append(measured) or True)
    assert told[0] == {"lessons/share": 0.5, "lessons/agreement": 0.25}
    assert told[-1] == {"review/share": 0.5, "review/agreement": 0.25} and len(told) == 12
    made = training_of()
    monkeypatch.setattr(made, "teach", lambda watch=None: lessons(watch))
    made.run(lambda training, measured: False)
    assert made.updates == 0
    made.run()
    assert made.updates == 10


def test_a_policy_is_evaluated_against_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its manifest names what was measured of it, but nothing of it as it was before."""
    made = training_of()
    asked: list[Any] = []
    monkeypatch.setattr(selfplay, "derive_seed", lambda *given: given)
    monkeypatch.setattr(made, "net", lambda: "net")
    monkeypatch.setattr(
        selfplay, "evaluate",
        lambda *given: asked.append(given) or SimpleNamespace(decisions=made.decisions, as_dict=lambda: given[2]),
    )  # fmt: skip
    made.learner.decisions, made.learner.updates = 20, 2
    made.evaluate()
    assert asked == [(["g0", "g1"], "net", name, 4, (1, "evaluation", 2), 20, 0.5) for name in ("x", "y")]
    made.learner.decisions = 30
    made.config.evaluate_against = ("z",)
    assert len(made.evaluate()) == 1 and len(made.evaluations) == 3
    manifests: list[Any] = []
    monkeypatch.setattr(selfplay, "Manifest", SimpleNamespace(of=lambda *given, **named: manifests.append(named)))
    monkeypatch.setattr(selfplay, "version", lambda name: "1")
    spec = SimpleNamespace(scenario="short", options={"cards": 3})
    made.games = cast(Any, [SimpleNamespace(spec=spec)])
    made.game, made.config.model_dump = cast(Any, None), lambda mode: "settings"
    made.__dict__["behaviour"] = "hash"
    made.manifest()
    named = manifests[0]
    assert named["evaluation"] == ("z",) and named["scenarios"] == ({"scenario": "short", "cards": 3},)
    assert (named["decisions"], named["seed"], named["settings"], named["behaviour"]) == (30, 1, "settings", "hash")


@pytest.mark.parametrize(
    ("tables", "weights", "shares"),
    [
        (10, [1.0, 1.0], [5, 5]),
        (10, [3.0, 1.0], [7, 3]),
        (3, [1.0, 1.0, 9.0], [1, 1, 1]),
        (7, [1.0, 2.0, 2.0], [2, 3, 2]),
    ],
)
def test_every_scenario_has_a_table(tables: int, weights: list[float], shares: list[int]) -> None:
    """Of ten, eight are shared: six and two of 3 to 1. Of four by 1, 2, 2 the remainders are 0.8, 0.6, 0.6."""
    assert selfplay.shares_of(tables, weights) == shares
    with pytest.raises(ProbespielError, match=f"tables = {len(weights) - 1}: at least one for each"):
        selfplay.shares_of(len(weights) - 1, weights)


def test_each_reviewer_gets_its_own_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three scenarios the first and the last have one; without reviews there are none."""
    asked: list[Any] = []
    monkeypatch.setattr(selfplay, "make_game", lambda name, scenario, modules, **options: (scenario, options))
    monkeypatch.setattr(
        selfplay, "maker_of", lambda name, device: (lambda *given: SimpleNamespace(weights=dict), "cpu")
    )
    monkeypatch.setattr(selfplay, "device_of", lambda device: device)
    monkeypatch.setattr(selfplay, "blueprint_of", lambda *given: given)
    monkeypatch.setattr(selfplay, "places_of", lambda *given: ())
    monkeypatch.setattr(selfplay, "League", lambda *given: SimpleNamespace(prepare=asked.append, advice="advice"))
    monkeypatch.setattr(selfplay, "Tables", lambda *given: given)
    monkeypatch.setattr(selfplay, "teacher_of", lambda name, games: (name, games))
    scenarios = tuple(
        SimpleNamespace(scenario=name, modules={}, options={"n": 2}, reviewer=reviewer, weight=weight)
        for name, reviewer, weight in (("a", "one", 1.0), ("b", None, 1.0), ("c", "two", 2.0))
    )
    plain: dict[str, Any] = {
        "method": "selfplay", "game": "chess", "learner": "x", "hidden": 4, "groups": True, "advisers": (),
        "ignore": (), "opponents": {"self": 1.0}, "places": 2, "seed": 5, "teacher": "t", "scenarios": scenarios,
        "tables": 7, "whole_side": True,
    }  # fmt: skip
    games = [(name, {"n": 2}) for name in "abc"]
    made = SelfPlay(cast(Any, SimpleNamespace(**plain, review=9)))
    assert cast(Any, made.reviewers) == {0: ("one", games[:1]), 2: ("two", games[2:])}
    assert cast(Any, made.teacher) == ("t", games) and cast(Any, made.game) == games[0] and asked == [games]
    assert cast(Any, made.tables) == (games, [2, 2, 3], made.league, 5, "advice", True)
    assert not made.reviewed and not made.taught and made.seconds == made.agreement == 0.0 and made.writer is None
    made = SelfPlay(cast(Any, SimpleNamespace(**{**plain, "teacher": None}, review=0)))
    assert made.reviewers == {} and made.reviewed and made.teacher is None
    with pytest.raises(ProbespielError, match="method = 'psro' is many trainings"):
        SelfPlay(cast(Any, SimpleNamespace(method="psro")))


# Checkpoints


@pytest.mark.parametrize("begun", [False, True])
def test_a_checkpoint_holds_numbers_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begun: bool) -> None:
    """Whole numbers are never wild; with tables only if games have begun; read again all is as it was."""
    arrays = {"w": np.array([1.0, 2.0]), "n": np.array([3])}
    tables = SimpleNamespace(begun=begun, state_dict=lambda: {"0.states": np.array([4])})
    league = SimpleNamespace(state_dict=lambda: ({"0.w": np.array([5.0])}, {"past": 1}))
    training = SimpleNamespace(
        learner=SimpleNamespace(state=lambda: (arrays, {"updates": 2})), league=league, tables=tables, decisions=80,
        config=SimpleNamespace(model_dump=lambda mode: {"seed": 1}, learning_rate=0.1, gradient_limit=1.0),
        reviewed=True, seconds=1.5, evaluations=[],
    )  # fmt: skip
    path = tmp_path / "checkpoint"
    checkpoint.save_checkpoint(cast(Any, training), path)
    found, values = checkpoint._read(path)
    assert {name: array.tolist() for name, array in found.items()} == {
        "learner.w": [1.0, 2.0], "learner.n": [3], "league.0.w": [5.0], **({"tables.0.states": [4]} if begun else {}),
    }  # fmt: skip
    assert values == {"format": 3, "config": {"seed": 1}, "learner": {"updates": 2}, "league": {"past": 1},
                      "begun": begun, "reviewed": True, "seconds": 1.5, "evaluations": []}  # fmt: skip
    before = path.read_bytes()
    for wild in (np.nan, np.inf):
        arrays["w"] = np.array([1.0, wild])
        with pytest.raises(Diverged, match="after 80 decisions: w is not finite"):
            checkpoint.save_checkpoint(cast(Any, training), path)
    assert path.read_bytes() == before

    class Restored(SimpleNamespace):
        def load(self, *given: Any) -> None:
            self.given = given

        load_state_dict = load

    parts = {name: Restored() for name in ("learner", "league", "tables")}
    restored = SimpleNamespace(**parts)
    row = {"opponent": "x", "games": 2, "edge": 0.5, "low": 0.0, "high": 1.0, "seats": [["a", 2, 0.5, 0.1]]}
    checkpoint._restore(cast(Any, restored), found, values | {"evaluations": [row]})
    assert parts["learner"].given == ({"w": pytest.approx([1.0, 2.0]), "n": [3]}, {"updates": 2})
    assert parts["league"].given == ({"0.w": [5.0]}, {"past": 1})
    assert hasattr(parts["tables"], "given") == begun and (restored.reviewed, restored.seconds) == (True, 1.5)
    assert restored.evaluations[0].seats == (("a", 2, 0.5, 0.1),)


# Compiled calls and memory


def test_questions_to_one_policy_are_answered_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five questions one is nobody's; of three to policy 2, two are looked at at once and the last alone."""
    c = native_calls
    words: dict[tuple[int, int], int] = {}
    memory, which, sizes, work = 0, 1000, 2000, 3000
    for place, value in {
        c.LOOK: 71, c.PASS: 72, c.LAYOUT: 73, c.POLICIES: 10_000, c.POLICY: 100, c.WORK: work, c.INDEXES: 20_000,
        c.LISTED: 30_000, c.ENTRIES: 40, c.SIZES: sizes, c.WHICH: which, c.SEEDS: 40_000, c.CHOSEN: 5000,
    }.items():  # fmt: skip
        words[memory, place] = value
    for r, policy in enumerate((2, -1, 2, 0, 2)):
        words[which, r] = policy
        words[sizes, 2 * r], words[sizes, 2 * r + 1] = 10 + r, 20 + r
    looked: list[Any] = []
    passed: list[Any] = []

    def call(k: int, a: int, b: int, address: int, d: int, e: int, f: int) -> int:
        assert (b, e, f) == (73, 0, 0)
        if k == 71:
            rows = [{p: words[address + 8 * c.WORDS * j, p] for p in (c.SHOWN, c.TOTAL, c.INDEX, c.VALUES, c.ANSWERS)}
                    for j in range(d)]  # fmt: skip
            looked.append((a, [tuple(row.values()) for row in rows]))
            return 0
        assert (k, d) == (72, 0)
        passed.append((a, address))
        words[address, c.CHANCES], words[address, c.ACTIONS] = address + 1, address + 2
        return 3

    monkeypatch.setattr(c, "TOGETHER", 2)
    monkeypatch.setattr(c, "get_word", lambda address, place: words[address, place])
    monkeypatch.setattr(c, "put_word", lambda address, place, value: words.__setitem__((address, place), value))
    monkeypatch.setattr(c, "call_kernel", call)
    monkeypatch.setattr(c, "uint64_at", lambda address, n: address if n == 1 else None)
    monkeypatch.setattr(c, "rand_float", lambda rng: rng)
    monkeypatch.setattr(c, "drawn", lambda chances, n, r: (chances, n, r))
    monkeypatch.setattr(c, "get_index", lambda actions, choice: (actions, choice))
    assert c.reply(memory, 5, 0, 0, 0, 0) == 0

    def shown(*rows: int) -> list[tuple[int, ...]]:
        return [(10 + r, 20 + r, 20_000 + 40 * r, 30_000 + 40 * r, r) for r in rows]

    assert looked == [(10_200, shown(0, 2)), (10_000, shown(3)), (10_200, shown(4))]
    step = 8 * c.WORDS
    assert passed == [(10_200, work), (10_200, work + step), (10_000, work), (10_200, work)]
    assert {r: words[5000, r] for r in (0, 2, 3, 4)} == {
        0: (work + 2, (work + 1, 3, 40_000)), 2: (work + step + 2, (work + step + 1, 3, 40_016)),
        3: (work + 2, (work + 1, 3, 40_024)), 4: (work + 2, (work + 1, 3, 40_032)),
    }  # fmt: skip
    assert [words[which, r] for r in range(5)] == [-1] * 5 and (5000, 1) not in words


def test_memory_of_answers_is_laid_out_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    c = native_calls
    arrays = [np.zeros(shape, kind) for shape, kind in (
        ((3, 7), np.int32), ((3, 7), np.float32), ((3, 2), np.int64), (3, np.uint64), (3, np.int64), (3, np.int64),
        (9, np.int64),
    )]  # fmt: skip
    index, values, sizes, seeds, which, actions, work = arrays
    room = SimpleNamespace(rows=SimpleNamespace(index=index, values=values, sizes=sizes), seeds=seeds)
    monkeypatch.setattr(c, "passes", lambda: c.Passes(1, 2, 3, 4, 5))
    found = c.reply_memory(8, (9, 10), work, cast(Any, room), which, actions)
    at = [array.ctypes.data for array in arrays]
    assert found.tolist() == [1, 2, 8, 9, 10, at[6], at[0], at[1], 28, at[2], at[4], at[3], at[5]]
    places = [c.LOOK, c.PASS, c.LAYOUT, c.POLICIES, c.POLICY, c.WORK, c.INDEXES, c.LISTED, c.ENTRIES, c.SIZES]
    assert [*places, c.WHICH, c.SEEDS, c.CHOSEN] == list(range(13))


def test_decisions_are_kept_over_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of room for three the sixth comes in for the third; and all are read again in other orders, ever more slowly."""
    keep = getattr(memory_kernel.keep, "py_func", memory_kernel.keep)
    memory = SimpleNamespace(
        seen=np.zeros((3, 4), np.float32), words=np.zeros((3, 2), np.int64), targets=np.zeros((3, 5), np.float32)
    )
    net = {memory_kernel.SEEN: "seen", memory_kernel.LENGTH: 4}
    shown = np.arange(1.0, 5.0, dtype=np.float32)
    monkeypatch.setattr(memory_kernel, "float32_at", lambda at, n: shown if (at, n) == ("seen", 4) else None)
    keep(memory, 5, net, np.array([6, 7]), np.array([8.0, 9.0]))
    assert memory.seen.tolist() == [[0] * 4, [0] * 4, [1, 2, 3, 4]]
    assert memory.words.tolist() == [[0, 0], [0, 0], [6, 7]] and memory.targets[2].tolist() == [8, 9, 0, 0, 0]
    assert not memory.targets[:2].any()
    keep(SimpleNamespace(seen=np.zeros((0, 4))), 4, net, np.array([6]), np.array([8.0]))
    reread = getattr(memory_kernel.reread, "py_func", memory_kernel.reread)
    rate = np.zeros(1)
    learned: list[tuple[float, float, int]] = []
    monkeypatch.setattr(memory_kernel, "float64_at", lambda at, n: rate if (at, n) == ("rate", 1) else None)
    monkeypatch.setattr(memory_kernel, "rand_below", lambda rng, n: 0)
    looked: list[Any] = []
    monkeypatch.setattr(
        memory_kernel, "look_back", lambda net, seen, words: looked.append((net, float(seen[0]), int(words[1])))
    )
    monkeypatch.setattr(
        memory_kernel, "learn",
        lambda net, words, targets: learned.append((float(rate[0]), float(targets[0]), int(words[1]))),
    )  # fmt: skip
    memory.targets[:, 0], memory.words[:, 1], memory.seen[:, 0] = [10, 20, 30], [1, 2, 3], [4, 5, 6]
    memory.turns, memory.again = 9, 7
    course = SimpleNamespace(memory=memory, rate=np.array([1.0, 3.0]), rng=None)
    own = {memory_kernel.RATE: "rate"}
    reread(course, 5, own)
    assert looked[:3] == [(own, 5.0, 2), (own, 6.0, 3), (own, 4.0, 1)]
    # three rows of at least seven in two turns; the first item goes behind in every swap
    assert learned == [(2.0, 20.0, 2), (2.0, 30.0, 3), (2.0, 10.0, 1), (3.0, 30.0, 3), (3.0, 10.0, 1), (3.0, 20.0, 2)]
    learned.clear()
    memory.turns = 1
    reread(course, 2, {memory_kernel.RATE: "rate"})
    assert learned == [(3.0, 20.0, 2), (3.0, 10.0, 1)]
    reread(course, 0, {})
    memory.again, memory.turns = 1, 5
    learned.clear()
    reread(course, 2, {memory_kernel.RATE: "rate"})
    assert len(learned) == 2, "once at least"
