"""How games of a stress test are found again, named, counted and told apart, by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.scorekeeper import outlook as fight
from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import (
    breakage,
    dynamics,
    failing,
    forecast,
    game_levels,
    naming,
    oversights,
    proof,
    store,
    tree,
    usage,
    voluntary,
)
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.findings import Interval, Sample
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.workers import Job
from tests.lab_findings import findings


def alone(name: str) -> Mixture:
    return Mixture((Strategy(name),), (1.0,))


# Games that were lost


@pytest.mark.parametrize(("doing", "found"), [
    (0, None), (1, {"game": 7, "decisions": [[0, 4], [1, 5]], "doing": 1}),
    (2, {"game": 7, "decisions": [[0, 4], [1, 5]], "doing": 2}),
])  # fmt: skip
def test_the_game_that_was_running_when_a_process_was_lost(doing: int, found: Any, tmp_path: Path) -> None:
    """Two decisions of it are kept; none if nothing was being done, or the file is too short."""
    file = tmp_path / "live"
    numbers = np.zeros(3, np.int64)
    numbers[failing.GAME], numbers[failing.COUNT], numbers[failing.DOING] = 7, 2, doing
    np.concatenate([numbers, [0, 4, 1, 5, 9, 9]]).astype(np.int64).tofile(file)
    assert failing.last_of(file) == found
    file.write_bytes(b"short")
    assert failing.last_of(file) is None and failing.last_of(tmp_path / "none") is None


@pytest.mark.parametrize(("text", "kind"), [("it never ends", "hang"), ("it broke", "crash")])
def test_what_interpreted_rules_say_of_an_error(text: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def bench(settings: Any, compiled: bool) -> Any:
        made.append((settings, compiled))
        return SimpleNamespace(game=lambda condition: "game")

    def played(game: Any, dice: Any, decisions: Any, course: list[Any]) -> None:
        if text:
            raise ProbespielError(text)

    monkeypatch.setattr(breakage, "Bench", bench)
    monkeypatch.setattr(breakage, "_played_out", played)
    lab = cast(Any, SimpleNamespace(bench=SimpleNamespace(settings="settings")))
    assert breakage.explained(lab, Condition(), np.zeros(1, np.uint64), []) == {"text": text, "kind": kind}
    text = ""
    assert breakage.explained(lab, Condition(), np.zeros(1, np.uint64), []) == {} and made[0] == ("settings", False)


def test_answers_lie_where_the_same_is_asked(tmp_path: Path) -> None:
    """In whatever order arguments are named; elsewhere if one differs, or what was told."""
    kept = cast(Any, object.__new__(store.Store))
    kept.folder = tmp_path
    one, other = Job("measure", {"a": 1, "b": 2}), Job("measure", {"b": 2, "a": 1})
    assert kept.path_of(one, None) == kept.path_of(other, None)
    others = [(Job("measure", {"a": 1, "b": 3}), None), (Job("rates", {"a": 1, "b": 2}), None), (one, "facts")]
    paths = {kept.path_of(job, facts) for job, facts in [(one, None), *others]}
    assert len(paths) == 4 and all(path.suffix == ".npz" for path in paths)


# Names and words


def test_questions_that_say_no_more_than_their_phase_are_left_out() -> None:
    """A module's stand for the rules'; a text in German alone is none."""
    spec = cast(Any, SimpleNamespace(
        questions={"pay": ("how much is paid", "was gezahlt wird"), "go_on": ("go on", "weiter?"),
                   "mute": ("", "stumm"), "plain": ("what now", "")},
        voice=SimpleNamespace(questions={"pay": {"en": "what it costs", "de": "was es kostet"}}),
    ))  # fmt: skip
    assert naming.both_questions(spec) == {"pay": ("what it costs", "was es kostet"), "plain": ("what now", "")}


def test_who_decides_by_another_has_the_luck_of_before() -> None:
    """A stream that is there stays; else it is that of the name."""
    learner = Strategy("uses it where all have it (2)", net="use.npz")
    plain = Strategy("honest", base="honest", use="answer", answer=3)
    found = plain.deciding(learner)
    assert (found.stream, found.base) == ("honest", "honest")
    assert (found.whether, found.use, found.answer) == ("use.npz", "as_is", -1)
    assert found.name.startswith("honest, ") and found.name.endswith(" (2)")
    assert found.deciding(learner).stream == "honest"


def test_levels_are_told_with_their_worth_and_use() -> None:
    """With games and the share of uses, or a dash where the whole table has it."""
    level = SimpleNamespace(name="beginner", worth=Sample(0.25, 0.125, 0.375, 1200), rate=0.5)
    other = SimpleNamespace(name="expert", worth=None, rate=None)
    found = findings(levels=(level, other), oversights=None)
    told = dict(proof.numbers(found)["levels"])
    assert told["beginner"].endswith("(1,200); 50%") and told["beginner"].startswith("+0.25")
    assert told["expert"] == "–"


# Intervals and counts


@pytest.mark.parametrize(("given", "found"), [
    ((0.5, -0.25, 1.0), (0.5, 0.0, 1.0)), ((0.0, -0.75, 0.5), (0.0, 0.0, 0.75)), ((-0.5, -1.0, 0.25), (0.0, 0.0, 1.0)),
    ((0.5, 0.0, 1.0), (0.5, 0.0, 1.0)), ((0.25, 0.125, 1.0), (0.25, 0.125, 1.0)),
])  # fmt: skip
def test_what_may_be_nothing_reaches_as_far_above(given: tuple[float, ...], found: tuple[float, ...]) -> None:
    made = voluntary._mirrored(cast(Any, Interval(*given)))
    assert (made.value, made.low, made.high) == found


def test_values_that_are_all_alike_are_not_split() -> None:
    """A column that tells 0 from 10 by twenty each; one that tells nothing; values that are all the same."""
    x = np.stack([np.zeros(40), np.repeat([1.0, 3.0], 20)], axis=1)
    y = np.repeat([0.0, 10.0], 20)
    assert tree._split(x, y, 5) == (1, 2.0)
    assert tree._split(x, np.full(40, 3.0), 5) is None and tree._split(x[:, :1], y, 5) is None
    assert tree._split(x, y, 21) is None, "too few on either side"
    uneven = np.repeat([1.0, 3.0], [25, 15])[:, None]
    assert tree._split(uneven, uneven[:, 0], 15) == (0, 2.0) and tree._split(uneven, uneven[:, 0], 16) is None
    assert tree._split(-uneven, uneven[:, 0], 15) == (0, -2.0) and tree._split(-uneven, uneven[:, 0], 16) is None
    one = np.where(np.arange(40) == 0, 1e6, y)  # one that went far astray hides nothing from the ranks
    assert tree._split(x, one, 5) == (1, 2.0)


def test_draws_of_games_are_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of eight games end level; two of eight without an end."""
    monkeypatch.setattr(dynamics, "luck_share", lambda margins: (1.0, 2.0, 0.5, 0.1))
    grid = np.array([[0.0, 1.0, -1.0, 0.0], [1e-12, 2.0, -2.0, 1.0]])
    figures = {name: np.ones((2, 4)) for name in ("drama", "comeback", "changes", "lengths")}
    played = {"margins": grid, "unresolved": np.array([[1.0, 0, 0, 0], [1, 0, 0, 0]]), **figures}
    found = dynamics._play_of([played, {"scores": [0.5, 1.0]}], ["strong"])
    assert (found.draws, found.unresolved, found.games) == (0.375, 0.25, 8)
    assert (found.luck.share, found.luck.error, found.luck.between, found.luck.within) == (0.5, 0.1, 1.0, 2.0)
    assert [(rung.search, rung.games) for rung in found.ladder] == [("strong", 4)]


def test_uses_are_counted_where_they_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offered in five of six decisions: twice it must be answered, thrice it can be declined, and is used twice."""

    class Log(SimpleNamespace):
        def __len__(self) -> int:
            return 6

    log = Log(
        free=np.array([1, 0, 1, 0, 1, 0], bool), taken=np.array([1, 1, 1, 0, 0, 1], bool),
        offered=np.array([1, 1, 1, 0, 1, 1], bool), legal=np.array([2, 1, 2, 2, 2, 2]),
    )  # fmt: skip
    played = SimpleNamespace(log=log, games_of_log=lambda: np.array([0, 0, 1, 1, 2, 2]))
    asked: list[Any] = []
    for name, made in {
        "joined": lambda rows, columns: ([], None, None), "draw_pairs": lambda *_: [], "play": lambda *_, **__: played,
        "situations": lambda game, log, game_of: "table",
        "choices": lambda game, log, which: asked.append(which.tolist()) or "choices",
    }.items():  # fmt: skip
        monkeypatch.setattr(usage, name, made)
    found = usage.rates(cast(Any, SimpleNamespace(game=lambda where: None)), Condition(), alone("a"), alone("b"), 9, 1)
    counts = {"games": 9, "opportunities": 3, "uses": 2, "games_with_offer": 3, "games_with_use": 2, "forced": 2}
    assert {name: found[name] for name in counts} == counts
    assert found["rate"] == pytest.approx(2 / 3) and (found["choices"], found["situations"]) == ("choices", "table")
    assert asked == [[False] * 5 + [True]], "what cannot be answered otherwise is no choice"


def test_a_use_that_is_overlooked_is_overlooked_now_and_then() -> None:
    mixture = Mixture((Strategy("a"), Strategy("b")), (0.25, 0.75))
    held = oversights._held(mixture, "never")
    assert held.weights == (0.25, 0.75) and [s.use for s in held.strategies] == ["never"] * 2
    missed = oversights._held(mixture, oversights.OVERLOOK)
    assert [(s.use, s.overlook) for s in missed.strategies] == [("as_is", oversights.OVERLOOKED)] * 2


# What is planned


def test_other_budgets_are_taken_as_far_as_they_can_be_afforded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "with_budget", lambda context, budget, share: (budget, share))
    bench = SimpleNamespace(settings=SimpleNamespace(budget="quick"))
    context = cast(Any, SimpleNamespace(bench=bench, shares={"standard": 0.5}))
    assert forecast._with(context, "quick") is context
    assert forecast._with(context, "standard") == cast(Any, ("standard", 0.5))
    assert forecast._with(context, "thorough") == cast(Any, ("thorough", 1.0))


def test_units_and_the_beginning_of_some_work() -> None:
    """A second to begin with and a tenth for every unit, until four seconds pass; and work that does nothing."""
    now = [50.0]

    def work(size: int) -> float:
        now[0] += 1.0 + 0.1 * size
        return float(size)

    each, once = forecast.timed(work, 4, 2.0, lambda: now[0])
    assert (each, once) == (pytest.approx(0.1), pytest.approx(1.0))

    def nothing(size: int) -> float:
        now[0] += 5.0
        return 0.0

    assert forecast.timed(nothing, 4, 2.0, lambda: now[0]) == (0.0, 5.0)


@pytest.mark.parametrize("hero", [0, 1])
def test_games_of_a_level(hero: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Seven deals in two conditions, the agent alone at the table; a game of middle result is kept."""
    results = {"without": [0.0] * 7, "with": [5.0, 1.0, 7.0, 3.0, 2.0, 6.0, 4.0]}
    asked: list[Any] = []

    class Both:
        def __init__(self, game: str, agents: list[Any], seed: int, seconds: Any) -> None:
            self.game, self.agents = game, agents

        def __enter__(self) -> Both:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def play(self, schedule: Any) -> Any:
            where, pairs, deals = schedule
            assert pairs == [(0, 0)] * len(deals) and where == self.game
            paid = np.array([results[where][deal] for deal in deals])
            return SimpleNamespace(status=np.zeros(len(deals)), payoffs=paid, messages={})

    def recorded(match: Any, one: Any, names: list[str]) -> Any:
        asked.append((match.game, one, names))
        return SimpleNamespace(replay=SimpleNamespace(save=lambda file: file.write_text("replay")))

    for name, made in {
        "make_agent": lambda agent: SimpleNamespace(per_table=True), "Match": Both, "recorded": recorded,
        "schedule_of": lambda bench, where, pairs, deals, seed, hero: (where, pairs, list(deals)),
        "margins": lambda bench, where, payoffs, hero: payoffs + 100 * hero,
        "share_of_uses": lambda chances, uses, deals: (sum(chances), sum(uses)),
    }.items():  # fmt: skip
        monkeypatch.setattr(game_levels, name, made)
    lab = cast(Any, SimpleNamespace(bench=None, folder=tmp_path, game=lambda where: where, marks=None))
    found = game_levels.level(lab, cast(Any, ["without", "with"]), "search", 7, 5, hero, "games/x.json")
    assert found["margins"].tolist() == [[100.0 * hero] * 7, [x + 100 * hero for x in results["with"]]]
    assert found["game"] == {"deal": 6, "result": 4.0 + 100 * hero} and (tmp_path / "games" / "x.json").is_file()
    assert asked == [("with", ("with", [(0, 0)], [6]), ["search"])] and (found["rate"], found["error"]) == (0, 0)
    assert "game" not in game_levels.level(lab, cast(Any, ["with"]), "search", 7, 5, hero, "")


def test_features_of_a_fighter_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fighter 1 against fighter 0: wounds as parts of what it bears, leads of reaction, what is loaded."""

    def pace(s: Any, p: Any, f: int, t: int, out: np.ndarray) -> None:
        assert (f, t) == (1, 0)
        out[:] = np.e, np.e**2, 0.25, 0.75

    for name, made in {
        "pace": pace, "potential": lambda p, f, kr, lw, sw: 100 * kr + 10 * lw + sw, "wound_penalty": lambda s, p, f: 5,
        "chance_below": lambda value: value / 20, "shock_value_of": lambda s, p, f, shock, purpose: shock,
        "parry_chance": lambda s, p, f, announced: 0.5, "save_chance": lambda s, p, f, t, mode: 0.25 * (f == 1),
        "usual_mode": lambda s, p, f, t: fight.Mode.SHOOT if f == 1 else fight.Mode.MELEE,
        "delay": lambda s, p, f, t, mode: 2.0 * (mode == fight.Mode.SHOOT), "acts_before": lambda s, f, t: 1.0,
        "distance": lambda s, f, t: 3,
    }.items():  # fmt: skip
        monkeypatch.setattr(fight, name, made)
    s = SimpleNamespace(kr=[0, 1], lw=[0, 2], sw=[0, 3], bleeding=[0, 2], fate=[0, 6], loaded=[0, 4], reserve=[0, 8])
    p = SimpleNamespace(
        cap_kr=[9, 4], cap_lw=[9, 4], cap_sw=[9, 4], shock=[0, 10], wah=[5, 7], agl=[6, 9], reaction_mod=[2, 1],
        r_has=[0, 1], reach=[0, 3],
    )  # fmt: skip
    out = np.zeros(fight.SIDE)
    fight.fighter_features(s, p, 1, 0, out)
    assert out[:20].tolist() == pytest.approx([
        1.0, 1.0, 0.25, 0.75, 123.0, 0.5, 0.25, 0.5, 0.75, 0.5, 0.5, 0.25, 0.8, 1.0, 1.0, 2.0, 0.4, 1.0, 0.6, 1.0,
    ])  # fmt: skip
    p.r_has[1], p.reach[1] = 0, 2
    fight.fighter_features(s, p, 1, 0, out)
    assert out[18] == out[19] == 0.0
