"""Numbers of the lab by hand: what is asked for, how answers are put together, and what a report makes of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.declaration import Lineup
from probespiel.evaluation.stress import alike, bounds, dynamics, effect, game_levels, levels, stakes, worth
from probespiel.evaluation.stress.amounts import agreeing, handicap_text
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.deciding import deciding, needed
from probespiel.evaluation.stress.dynamics import Courses, Raw, luck_by_group
from probespiel.evaluation.stress.estimates import odds_ratio
from probespiel.evaluation.stress.findings import HandicapRow, Interval, Level, Reach, Sample, Typical
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Strategy
from probespiel.evaluation.stress.typical import casts_of
from probespiel.evaluation.stress.usage import summary_of_worths
from probespiel.evaluation.stress.workers import Job

ONE, TWO, THREE, FOUR = (Strategy(name, base=name) for name in ("one", "two", "three", "four"))
ALONE = {NOBODY: Condition(), "A": Condition(holders=(0,)), "B": Condition(holders=(1,)),
         EVERYBODY: Condition(holders=(0, 1))}  # fmt: skip


def only(strategy: Strategy) -> Mixture:
    return Mixture((strategy,), (1.0,))


def chosen() -> Chosen:
    """`one` against `two` with nobody, and where `B` has it; `three` against `four` where `A` has it; all: 1 and 4."""
    first, second, third = (only(ONE), only(TWO)), (only(THREE), only(FOUR)), (only(ONE), only(FOUR))
    pools = {name: [[ONE, THREE], [TWO, FOUR]] for name in ALONE}
    last = {NOBODY: first, "A": second, "B": first, EVERYBODY: third}
    return Chosen(pools, {name: [second, third, pair] for name, pair in last.items()})


class Bench(SimpleNamespace):
    """Two sides, `A` and `B`, either of which may have the module alone."""

    sides, side_names, for_all, whole_table, can_mirror = (0, 1), ("A", "B"), False, False, True

    def holder_conditions(self) -> dict[str, Condition]:
        return ALONE

    def alone(self, side: int) -> str:
        return "AB"[side]

    def everybody(self) -> Condition:
        return ALONE[EVERYBODY]


class Context(SimpleNamespace):
    """Keeps what is asked for; answers to `cells` and `need` are those given, in their order."""

    def __init__(self, answers: Any = (), **other: Any) -> None:
        budget = SimpleNamespace(
            measure=400, rates=1_000, choose=7, learn_counter=11, rung=10, rung_work=1e6, stakes=1e4
        )
        super().__init__(
            **{"bench": Bench(), "used": True, "sides": (0, 1), "budget": budget, "observation": 0, "scale": 2.0}
            | other
        )
        self.answers, self.asked = iter(answers), list[Any]()

    def begin(self, step: str) -> None:
        self.step = step

    def seed(self, *use: Any) -> tuple[Any, ...]:
        return use

    def cells(self, step: str, wanted: Any, deals: int, use: str, hero: int = 0) -> list[Any]:
        self.asked.append((step, list(wanted), deals, use, hero))
        return [next(self.answers) for _ in wanted]

    def need(self, step: str, jobs: list[Job]) -> list[Any]:
        self.asked.append((step, jobs))
        return [next(self.answers) for _ in jobs]


def test_odds_of_few_points_have_the_ends_of_either_share() -> None:
    """9 and 8 of 10 points: by Clopper and Pearson between 0.5550 and 0.9975, and 0.4439 and 0.9748.

    In log odds 1.9762 below and 3.7847 above those of 0.9, 1.6116 below and 2.2676 above those of 0.8.
    """
    nine, eight = np.array([1.0] * 9 + [-1.0]), np.array([1.0] * 8 + [-1.0] * 2)
    found = odds_ratio(nine, eight)
    value = math.log(9) - math.log(4)
    log_odds = [math.log(x / (1 - x)) for x in (0.5549839, 0.9974714, 0.4439045, 0.9747893)]
    low = math.hypot(math.log(9) - log_odds[0], log_odds[3] - math.log(4))
    high = math.hypot(log_odds[1] - math.log(9), math.log(4) - log_odds[2])
    assert (found.value, found.low, found.high) == pytest.approx((value, value - low, value + high), rel=1e-5)


def test_what_a_seat_is_worth_without_and_with_it_and_what_that_differs_by() -> None:
    """Half of 3 - 1 without, half of 8 - 2 with it; without a mirrored game 3, 8 and 5."""
    three, one, eight, two = (np.full(4, x) for x in (3.0, 1.0, 8.0, 2.0))
    turned = worth.seat_effect(worth.Margins({(0, 0): three}, {}, eight, (one, two)), 1)
    assert (turned.mirrored, turned.nobody.value, turned.everybody.value, turned.change.value) == (True, 1.0, 3.0, 2.0)
    plain = worth.seat_effect(worth.Margins({(0, 0): three}, {}, eight, None), 1)
    assert (plain.mirrored, plain.nobody.value, plain.everybody.value, plain.change.value) == (False, 3.0, 8.0, 5.0)


@pytest.mark.parametrize(("value", "low", "high", "scale", "told"), [
    (1.3, 1.1, 1.5, (-2, 4), "+1.3 cards (+1.1 to +1.5; 9 games)"),
    (1.04, 0.5, 4.0, (-2, 4), "+1.0 card (+0.5 to beyond the scale; 9 games)"),
    (1.06, -2.0, 1.5, (-2, 4), "no cards that are shown (beyond the scale to +1.5; 9 games)"),
    (0.96, 0.9, 1.1, (-2, 4), "+1.0 card (+0.9 to +1.1; 9 games)"),
    (-1.0, -1.2, -0.9, (-2, 4), "−1.0 cards (−1.2 to −0.9; 9 games)"),
    (4.0, 3.0, 4.0, (-2, 4), "more than 4 cards"),
    (1.0, 0.5, 1.0, (-2, 1), "more than 1 card"),
    (4.0, 0.0, 4.0, (-2, 4), "no cards that are shown (0.0 to beyond the scale; 9 games)"),
    (-2.0, -2.0, 0.0, (-2, 4), "no cards that are shown (beyond the scale to 0.0; 9 games)"),
    (-2.0, -2.0, -1.0, (-2, 4), "less than −2 cards"),
    (0.0, 0.0, 0.0, (0, 4), "nothing or less (the scale ends there)"), (4.0, 3.0, 4.0, (0, 4), "more than 4 cards"),
    (-4.0, -4.0, -3.0, (-4, 0), "less than −4 cards"),
    (0.0, -1.0, 0.0, (-4, 0), "nothing or more (the scale ends there)"),
    (0.01, -0.04, 0.04, (-2, 4), "less than 0.1 cards"),
    (0.01, -0.04, 0.05, (-2, 4), "no cards that are shown (0.0 to +0.1; 9 games)"),
    (1.06, 0.2, 1.5, (-2, 4), "+1.1 cards (+0.2 to +1.5; 9 games)"),
])  # fmt: skip
def test_units_of_a_handicap_in_words(value: float, low: float, high: float, scale: tuple[int, int], told: str) -> None:
    row = HandicapRow(value, low, high, 9, 0, float(scale[1]), float(scale[0]))
    assert handicap_text(row, "card", "cards") == told


# Bounds


def test_bounds_of_a_worth_are_asked_of_every_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """What mixtures keep against the best answer, and what the best answer gains, in the order of conditions."""
    answered: list[Any] = []
    monkeypatch.setattr(
        bounds, "answers", lambda c, p, ch, named: answered.extend(named) or [(ONE, TWO), (THREE, TWO), (ONE, FOUR)]
    )
    monkeypatch.setattr(bounds, "bounds_of", lambda *given: given)
    table = cast(Any, SimpleNamespace(exact=False, sure=0, overall="all", sides=[
        SimpleNamespace(even=SimpleNamespace(worth=name)) for name in "ab"
    ]))  # fmt: skip
    monkeypatch.setattr(bounds, "replace", lambda worth, bounds: bounds)
    context = Context(answers=range(6))
    found = cast(Any, bounds.bound_worth(cast(Any, context), cast(Any, None), chosen(), table))
    assert found == ([0, 2, 4], [1, 3, 5], ["a", "b"], "all")
    assert answered == [(name, ALONE[name]) for name in (NOBODY, "A", "B")]
    ((step, wanted, deals, use, hero),) = context.asked
    assert (step, deals, use, hero) == ("bounds", 400, "bounds", 0)
    assert wanted == [
        (ALONE[NOBODY], [(only(ONE), only(TWO))]), (ALONE[NOBODY], [(only(ONE), only(TWO))]),
        (ALONE["A"], [(only(THREE), only(TWO))]), (ALONE["A"], [(only(THREE), only(FOUR))]),
        (ALONE["B"], [(only(ONE), only(FOUR))]), (ALONE["B"], [(only(ONE), only(TWO))]),
    ]  # fmt: skip
    for other in ({"sides": (0,)}, {"sides": (0, 1, 2)}, {"for_all": True}):
        none = Context(bench=Bench(**other))
        assert bounds.bound_worth(cast(Any, none), cast(Any, None), chosen(), table) is table and not none.asked
    exact = cast(Any, SimpleNamespace(exact=True))
    assert bounds.bound_worth(cast(Any, Context()), cast(Any, None), chosen(), exact) is exact


def test_best_answers_are_learned_against_what_the_other_side_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    courses: list[tuple[Any, ...]] = []

    def course(context: Any, prelude: Any, *given: Any) -> Job:
        courses.append(given)
        return Job("learn", {"net": given[1]})

    def strongest(context: Any, step: str, condition: Condition, side: int, candidates: Any, other: Mixture) -> Any:
        return condition, side, [s.name for s in candidates], other

    monkeypatch.setattr(bounds, "course", course)
    monkeypatch.setattr(bounds, "strongest", strongest)
    prelude = cast(Any, SimpleNamespace(anchor=ONE))
    context = Context(answers=[None] * 2)
    found = cast(Any, bounds.answers(cast(Any, context), prelude, chosen(), [("A", ALONE["A"])]))
    assert [(given[0], given[1], given[2], *given[3:]) for given in courses] == [
        (bounds.COUNTER, f"bound-A-{side}.npz", f"bound {side}", [ALONE["A"]], [(met, 1.0)], [side], 0.0, 11)
        for side, met in ((0, FOUR), (1, THREE))
    ]
    assert found == [(
        (ALONE["A"], 0, ["one", "three", "best answer to B where A has it"], only(FOUR)),
        (ALONE["A"], 1, ["two", "four", "best answer to A where A has it"], only(THREE)),
    )]  # fmt: skip


# Levels


def test_what_it_is_worth_to_a_level_and_how_often_it_uses_it() -> None:
    """Half of the deals to measure by, 200, or 20 at least; a fourth of those of rates, 250, or 40 at least."""
    with_it, without = np.full(4, 3.0), np.full(4, 1.0)
    context = Context(answers=[without, with_it, without, without])
    found = levels._worth(cast(Any, context), ONE, TWO)
    assert found is not None and (found.value, found.games) == (1.0, 4), "2 of one side and 0 of the other"
    assert context.asked == [
        ("levels", [(ALONE[NOBODY], [(only(ONE), only(ONE))]), (ALONE["AB"[side]], [(only(TWO), only(ONE))])],
         200, "levels", side) for side in (0, 1)
    ]  # fmt: skip
    context.budget.measure, context.answers = 30, iter([without, with_it] * 2)
    levels._worth(cast(Any, context), ONE, TWO)
    assert context.asked[-1][2] == 20
    assert levels._worth(cast(Any, Context(bench=Bench(whole_table=True))), ONE, TWO) is None
    for rates, deals in ((1_000, 250), (100, 40)):
        context = Context(answers=[{"rate": 0.25, "error": 0.5}])
        context.budget.rates = rates
        assert levels._rate(cast(Any, context), TWO) == (0.25, 0.5)
        ((step, (job,)),) = context.asked
        assert (step, job.kind, job.args["condition"], job.args["rows"], job.args["columns"], job.args["deals"]) == (
            "levels", "rates", ALONE[EVERYBODY], only(TWO), only(TWO), deals,
        )  # fmt: skip
    assert levels._rate(cast(Any, Context(used=False)), TWO) == (None, None)


def test_the_stronger_is_measured_both_ways_of_sitting() -> None:
    """One step, from `one` (with it `two`) to the mixture: it wins all as side 0 and half of the games as side 1.

    A score of (1 + 1 - 0.5) / 2; where the module is there for nobody, or used by those who know it, and moved.
    """
    won, half = np.full(4, 1.0), np.tile([1.0, -1.0], 2)
    context = Context(answers=[won, half] * 4)
    found = levels._skill(cast(Any, context), chosen(), [("weak", ONE, TWO)])
    for scores in (found.nobody, found.everybody, *found.moved):
        assert scores.tolist() == [0.5, 1.0, 0.5, 1.0]
    assert found.steps == ("experts against weak",)
    for (name, whose, weak, held), (step, wanted, deals, use, _) in zip((
        (NOBODY, NOBODY, ONE, False), (EVERYBODY, EVERYBODY, TWO, False), (EVERYBODY, NOBODY, ONE.leaving, True),
        (NOBODY, EVERYBODY, TWO, False),
    ), context.asked, strict=True):  # fmt: skip
        strong = chosen().all_moved(whose, held)
        assert (step, deals, use) == ("levels", 100, "skill")
        assert wanted == [(ALONE[name], [(strong[0], only(weak))]), (ALONE[name], [(only(weak), strong[1])])]
    short = Context(answers=[won, half] * 4)
    short.budget.measure = 60
    levels._skill(cast(Any, short), chosen(), [("weak", ONE, TWO)])
    assert {deals for _, _, deals, _, _ in short.asked} == {20}


@pytest.mark.parametrize("declared", [(), (levels.FAIR,), (levels.BEGINNERS, levels.FAIR, levels.EXPERTS)])
def test_levels_of_the_game_stand_before_those_who_stand_for_them(
    monkeypatch: pytest.MonkeyPatch, declared: tuple[str, ...]
) -> None:
    """In their order, the mixture at last: as experts, unless those of the game were asked."""
    weak = Strategy("random", base="random")
    asked = {name: Level(name, "as the game", "as they see fit", None, 0.5, 0.1) for name in declared}
    games = tuple(Typical(name, 1, 0.0, "file") for name in declared)
    monkeypatch.setattr(levels, "_fair", lambda context, anchor: ({ONE: TWO}[anchor], "whenever they can"))
    monkeypatch.setattr(levels, "_declared", lambda context, prelude: (dict(asked), games))
    monkeypatch.setattr(levels, "_worth", lambda context, plain, holder: Sample(2.0, 1.0, 3.0, 4))
    monkeypatch.setattr(levels, "_rate", lambda context, holder: (0.25, 0.01))
    monkeypatch.setattr(levels, "_skill", lambda context, chosen, ladder: levels.Skill(
        np.zeros(1), np.zeros(1), (np.zeros(1), np.zeros(1)), tuple(name for name, _, _ in ladder)
    ))  # fmt: skip
    prelude = cast(Any, SimpleNamespace(baselines=[ONE, weak], anchor=ONE))
    known = cast(Any, SimpleNamespace(overall=Sample(9.0, 8.0, 10.0, 1)))
    use = cast(Any, SimpleNamespace(rate=0.75, error=0.02))
    told, skill = levels.ask_levels(cast(Any, Context()), prelude, chosen(), known, use)
    names = [*(name for name in levels.LEVELS if name in declared or name != levels.EXPERTS)]
    assert [level.name for level in told] == [
        *names,
        levels.STRONGEST if levels.EXPERTS in declared else levels.EXPERTS,
    ]
    assert [level.rate for level in told] == [0.5 if name in declared else 0.25 for name in names] + [0.75]
    assert told[-1].worth == known.overall and told[-1].error == 0.02 and told[-1].using == "when it pays"
    assert skill.steps == (levels.BEGINNERS, levels.FAIR)
    assert [name for name, _, _ in skill.players] == [n for n in (levels.BEGINNERS, levels.FAIR) if n not in declared]
    assert skill.games == games


def test_levels_of_the_game_are_asked_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first side keeps a game; the worth is with it less without, the rate the mean of both sides."""
    monkeypatch.setattr(levels, "level_named", lambda context, number: f"level {number}")
    monkeypatch.setattr(levels, "lineup_of", lambda context: Lineup())
    monkeypatch.setattr(levels, "deals_of", lambda context, prelude, agent: 30 if agent == "level 5" else 0)
    one, two = ([[0.0] * 4, [3.0] * 4], [[1.0] * 4, [2.0] * 4])
    context = Context(answers=[
        {"margins": one, "rate": 0.5, "error": 0.3, "game": {"deal": 7, "result": 1.5}},
        {"margins": two, "rate": 0.25, "error": 0.4},
    ])  # fmt: skip
    told, games = levels._declared(cast(Any, context), cast(Any, None))
    (level,) = told.values()
    assert (level.name, level.player) == (levels.FAIR, "play at level 5 of the game, level 5")
    assert level.worth is not None and level.worth.value == 2.0
    assert (level.rate, level.error) == (0.375, 0.25)
    assert games == (Typical(levels.FAIR, 7, 1.5, "replays/typical-fair_players.json"),)
    ((_, jobs),) = context.asked
    assert [(job.args["conditions"], job.args["hero"], bool(job.args["path"])) for job in jobs] == [
        ([ALONE[NOBODY], ALONE["A"]], 0, True), ([ALONE[NOBODY], ALONE["B"]], 1, False),
    ]  # fmt: skip


def test_a_level_plays_its_deals_in_every_condition(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Twelve deals in ten blocks, of which two have two; deal i brings i without it and 11 - i with it.

    The middle of twelve results is the sixth, 5, of the deal 6; it is kept.
    """
    played: list[tuple[Any, Any]] = []

    class Match(SimpleNamespace):
        def __init__(self, game: Any, agents: Any, seed: int, tables: Any) -> None:
            super().__init__(game=game, agents=agents)

        def __enter__(self) -> Match:
            return self

        def __exit__(self, *error: Any) -> None:
            pass

        def play(self, schedule: Any) -> Any:
            played.append((self.game.name, schedule))
            numbers = schedule[2]
            payoffs = numbers if self.game.name == "without" else 11 - numbers
            return SimpleNamespace(status=np.zeros(len(numbers)), payoffs=payoffs.astype(np.float64), messages={})

    actions = SimpleNamespace(ids_to_words=lambda marked: np.zeros(1, np.uint64))
    conditions = [ALONE[NOBODY], ALONE["A"]]
    lab = cast(Any, SimpleNamespace(
        bench="bench", folder=tmp_path, marks=SimpleNamespace(actions=(3,)),
        game=lambda condition: SimpleNamespace(name="with" if condition.holders else "without", actions=actions),
    ))  # fmt: skip
    saved: list[Path] = []
    kept: list[Any] = []
    agent = SimpleNamespace(per_table=False, name="x", stream="x")
    monkeypatch.setattr(game_levels, "Match", Match)
    monkeypatch.setattr(game_levels, "make_agent", lambda name: agent)
    monkeypatch.setattr(game_levels, "margins", lambda bench, condition, payoffs, hero: payoffs)
    monkeypatch.setattr(
        game_levels, "schedule_of",
        lambda bench, condition, pairs, numbers, seed, hero: (condition, pairs, np.asarray(numbers), seed, hero),
    )  # fmt: skip
    monkeypatch.setattr(game_levels, "recorded", lambda match, one, agents: kept.append(one) or SimpleNamespace(
        replay=SimpleNamespace(save=saved.append)
    ))  # fmt: skip
    told = game_levels.level(lab, conditions, "x", 12, 5, 1, "deep/file.json")
    assert told["margins"].tolist() == [list(range(12)), list(range(11, -1, -1))]
    assert (told["rate"], told["error"]) == (None, None) and told["game"] == {"deal": 6, "result": 5.0}
    assert [len(schedule[2]) for _, schedule in played] == [2] * 4 + [1] * 16
    assert saved == [tmp_path / "deep" / "file.json"] and saved[0].parent.is_dir()
    assert [(one[0], one[2].tolist(), one[3], one[4]) for one in kept] == [(conditions[1], [6], 5, 1)]
    assert "game" not in game_levels.level(lab, conditions, "x", 12, 5, 1)
    monkeypatch.setattr(game_levels, "FORFEITED", 0)
    with pytest.raises(game_levels.ProbespielError, match="x failed at without"):
        game_levels.level(lab, conditions, "x", 12, 5, 1)


def test_an_agent_is_watched_while_it_decides() -> None:
    """Of 64 actions 1, 32 and 40 are marked: offered beside others in three of five decisions, taken in two of them."""

    def words(ids: Any) -> np.ndarray:
        out = np.zeros(2, dtype=np.uint32)
        for i in ids:
            out[i >> 5] |= np.uint32(1 << (i & 31))
        return out

    answers = np.array([1, 40, 5, 1, 5])
    agent = SimpleNamespace(name="x", stream="s", act_batch=lambda requests: answers[: len(requests.words)])
    watched = game_levels.Watched(cast(Any, agent), cast(Any, SimpleNamespace(
        actions=SimpleNamespace(ids_to_words=words))), [40, 1, 32])  # fmt: skip
    legal = [[1, 5], [40, 63], [32, 5], [1, 40], [5, 6]]
    requests = cast(Any, SimpleNamespace(words=np.array([words(ids) for ids in legal])))
    assert watched.act_batch(requests).tolist() == answers.tolist()
    assert (watched.chances, watched.uses) == (3, 2)
    one = cast(Any, SimpleNamespace(requests=SimpleNamespace(words=requests.words[:1])))
    assert watched.act(one) == 1 and (watched.chances, watched.uses) == (4, 3)


# Worth against several


def test_seats_of_those_who_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    context = Context(answers=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    found = alike._seats(cast(Any, context), chosen())
    assert (found.nobody, found.everybody, found.mirrored) == ({(0, 0): 1.0}, 2.0, (3.0, 4.0))
    ((step, wanted, deals, use, _),) = context.asked
    mirrored = [replace(ALONE[name], mirrored=True) for name in (NOBODY, EVERYBODY)]
    assert [condition for condition, _ in wanted] == [ALONE[NOBODY], ALONE[EVERYBODY], *mirrored]
    assert [pairs for _, pairs in wanted] == [chosen().of_seeds(name) for name in (NOBODY, EVERYBODY)] * 2
    assert (step, deals, use) == ("measure", 400, "measure")
    context.bench = Bench(can_mirror=False)
    found = alike._seats(cast(Any, context), chosen())
    assert (found.nobody, found.everybody, found.mirrored) == ({(0, 0): 5.0}, 6.0, None)


def test_answers_to_others_are_learned_in_both_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Side 0 against those who do not know it and those who do, in either condition; then chosen among all."""
    courses: list[tuple[Any, ...]] = []

    def course(context: Any, prelude: Any, *given: Any) -> Job:
        courses.append(given)
        return Job("learn", {"net": given[1]})

    monkeypatch.setattr(alike, "course", course)
    monkeypatch.setattr(alike, "seek", lambda context, step, side, others, without, having: (
        side, others, [s.name for s in without], [s.name for s in having]
    ))  # fmt: skip
    context = Context(answers=[None] * 4, sides=(0,))
    (found,) = cast(Any, alike.best_answers(cast(Any, context), cast(Any, SimpleNamespace(anchor=ONE)), chosen()))
    assert [(given[1], *given[3:]) for given in courses] == [
        (f"alike-{where}-0-{met}.npz", [ALONE[where]], [(other, 1.0)], [0], 0.0, 11)
        for met, other in enumerate((TWO, FOUR)) for where in (NOBODY, "A")
    ]  # fmt: skip
    without, having = ([
        "one", "three", f"best answer to those who do not know it as A where {where} has it",
        f"best answer to those who know it as A where {where} has it",
    ] for where in (NOBODY, "A"))  # fmt: skip
    assert found == [(0, only(TWO), without, having), (0, only(FOUR), without, having)]


def test_the_worth_against_either_mixture_is_their_mean_and_their_span() -> None:
    found = alike.whole([Sample(1.0, 0.5, 1.5, 7), Sample(3.0, 2.0, 4.0, 9)])
    assert (found.value, found.low, found.high, found.games) == (2.0, 0.5, 4.0, 7)


# What it does to the game


def raw(seeds: int = 1, rungs: Any = (), leads: bool = True, **figures: float) -> Raw:
    values = {"lengths": 10.0, "choices": 4.0, "legal": 3.0, "margins": 1.0, "unresolved": 0.0, "comeback": 0.0,
              "changes": 0.0} | figures  # fmt: skip
    tables = {name: np.full((2, 20), value) for name, value in values.items()}
    return Raw(tables, np.zeros((2, 20), np.int64), rungs, leads, {})


def test_decisions_that_matter_are_looked_at_with_the_lengths_of_their_own_games() -> None:
    """Without it and with it, then with it by those found without, and the other way round."""
    courses = Courses(raw(choices=4.0), raw(choices=8.0), (raw(choices=16.0), raw(choices=32.0)))
    context = Context(answers=[{"counts": [float(i)]} for i in range(4)])
    found = stakes.decisions_that_matter(cast(Any, context), chosen(), courses)
    assert [counts.tolist() for counts in found] == [[0.0], [1.0], [2.0], [3.0]]
    ((step, jobs),) = context.asked
    one = 3.0 * 3 * 2 * 10 / 2  # legal actions, sets and continuations, half a game
    for job, name, whose, choices, left in zip(
        jobs, (NOBODY, EVERYBODY, EVERYBODY, NOBODY), (NOBODY, EVERYBODY, NOBODY, EVERYBODY), (4.0, 8.0, 16.0, 32.0),
        (False, False, True, False), strict=True,
    ):  # fmt: skip
        games = int(np.clip(1e4 / one / choices, 40, 400))
        assert (job.args["condition"], job.args["games"]) == (ALONE[name], games)
        assert job.args["share"] == pytest.approx(min(1.0, 1e4 / one / (games * choices)))
        assert (job.args["rows"], job.args["columns"]) == chosen().all_moved(whose, left)
        assert job.args["least"] == 0.2
    assert step == "effect"


def test_one_answer_to_a_question_is_no_decision() -> None:
    first = np.array([[1.0, np.nan, 5.0], [1.0, 2.0, 5.0]])
    among = np.array([True, True, False])
    assert stakes.leads_of(first, 2 * first, among).tolist() == [0.0, 1.5]
    assert stakes.leads_of(first, 2 * first).tolist() == [6.0, 6.0]


def test_effects_that_cannot_be_told_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that win three of four against half as many, and all with the rule: 0.75, and 1."""
    rungs = ([np.array([0.5, 1.0] * 4)], [np.ones(8)])
    rungs = tuple([part, part] for (part,) in rungs)
    courses = Courses(raw(rungs=rungs[0]), raw(rungs=rungs[1]), (raw(), raw()))
    skill = levels.Skill(np.tile([0.5, 1.0], 4), np.ones(8), (np.ones(8), np.tile([0.5, 1.0], 4)), ())
    changes = {c.name: c for c in effect._of_skill(cast(Any, SimpleNamespace(skill=skill, courses=courses)))}
    assert [(changes[n].before, changes[n].after) for n in ("skill", "search")] == [(0.75, 1.0)] * 2
    monkeypatch.setattr(effect, "decisions_that_matter", lambda *given: [np.tile([1.0, 3.0], 4)] * 4)
    none = SimpleNamespace(name="cycles", before=0.5, after=float("nan"))
    some = SimpleNamespace(name="strategies", before=2.0, after=3.0)
    monkeypatch.setattr(effect, "of_variety", lambda *given: [some, none])
    monkeypatch.setattr(effect, "figures_of", lambda changes: [c.name for c in changes])
    known = effect.Known(
        cast(Any, SimpleNamespace(exact=True, sure=0)), None, cast(Any, None), cast(Any, None),
        cast(Any, SimpleNamespace(nobody=SimpleNamespace(ladder=()))), courses, skill,
    )  # fmt: skip
    found = effect.tell_effect(cast(Any, Context()), chosen(), known)
    assert found.left_out == {"cycles": effect.ONCE, "search": "no searches were played"}
    assert found.figures == [
        "length", "unresolved", "luck", "draws", "comebacks", "lead changes", "skill", "decisions", "strategies"
    ]  # fmt: skip
    alone = effect.tell_effect(cast(Any, Context(bench=Bench(sides=(0,)))), chosen(), known)
    assert alone.figures == ["length", "unresolved", "luck", "skill", "decisions"]
    assert {name for name, why in alone.left_out.items() if why == effect.ONE_SIDE} == {
        "draws", "comebacks", "lead changes", "first seat", "strategies", "cycles"
    }  # fmt: skip
    quiet = replace(known, courses=Courses(raw(leads=False), raw(leads=False), (raw(), raw())))
    told = effect.tell_effect(cast(Any, Context()), chosen(), quiet)
    assert told.left_out["comebacks"] == told.left_out["lead changes"] == "no lead shows before the end"


def test_searches_that_are_paid_surely_are_told_by_all_games_that_were_played() -> None:
    """Eight games of searches, all even both times, leave much room; forty that a payment did not turn leave less."""
    even = [np.full(8, 0.5)]
    skill = levels.Skill(np.full(8, 0.5), np.full(8, 0.5), (np.full(8, 0.5), np.full(8, 0.5)), ())

    def courses(after: float) -> Courses:
        other = raw(rungs=even, margins=after)
        return Courses(raw(rungs=even, margins=0.2), other, (other, raw(margins=0.2)))

    def room(sure: int, after: float, use: bool = False, rungs: Any = even) -> int:
        got = courses(after)
        got = replace(got, everybody=replace(got.everybody, rungs=rungs))
        worth: Any = SimpleNamespace(sure=sure)
        paid = 0 if use else effect.alike_when_paid(worth, got)
        known: Any = SimpleNamespace(skill=skill, courses=got)
        return effect._of_skill(known, paid)[-1].cases[0]

    assert room(1, 0.3) == 40 and room(400, 0.3) == 40
    assert room(0, 0.3) == 8, "the worth is not sure"
    assert room(1, -0.1) == 8 and room(1, 0.0) == 8, "the payment turns results round"
    assert room(1, 0.3, rungs=[np.append(np.full(7, 0.5), 1.0)]) == 8, "searches that play otherwise"


def test_luck_is_the_share_of_what_varies_between_deals() -> None:
    """Results of 0 and 0.2 by the deal, twice the same: all of it, however small; of nothing that varies none."""
    deals = np.tile(np.arange(40) // 20 * 0.2, (2, 1))
    assert luck_by_group(deals) == pytest.approx(np.ones(dynamics.GROUPS))
    assert luck_by_group(np.zeros((2, 40))).tolist() == [0.0] * dynamics.GROUPS


def test_a_search_that_lost_everything_has_a_score_of_nothing() -> None:
    found = dynamics._rung_of("search", np.zeros(5))
    assert (found.search, found.score, found.games) == ("search", 0.0, 10)


# Use


def test_measurements_are_told_by_situation_and_action() -> None:
    """Six decisions of three games in two phases, with two actions: counts, means, and errors of two games or more.

    The columns of facts: game, seat, number, phase, action taken, legal actions, whether results differ.
    """
    game = cast(Any, SimpleNamespace(
        spec=SimpleNamespace(phases=("move", "ask")), actions=SimpleNamespace(describe=lambda a: f"action {a}")
    ))  # fmt: skip
    facts = np.array([
        [0, 0, 0, 0, 8, 2, 1], [0, 0, 1, 1, 9, 3, 0], [1, 0, 0, 1, 9, 2, 1], [1, 0, 1, 1, 9, 3, 1],
        [2, 0, 0, 1, 9, 2, 1], [2, 0, 1, 1, 9, 3, 0],
    ])  # fmt: skip
    gains = np.array([5.0, 1.0, 2.0, 0.0, -1.0, 1.0])
    found = summary_of_worths(game, facts, np.stack([gains, np.zeros(6)], axis=1), np.zeros((6, 1)))
    assert (found["count"], found["games"], found["gain"]) == (6, 3, pytest.approx(8 / 6))
    assert [(row["phase"], row["count"], row["gain"]) for row in found["situations"]] == [
        ("ask", 5, pytest.approx(0.6)), ("move", 1, 5.0)
    ]  # fmt: skip
    assert [(row["action"], row["count"], row["gain"]) for row in found["actions"]] == [
        ("action 9", 5, pytest.approx(0.6)), ("action 8", 1, 5.0)
    ]  # fmt: skip
    for rows in (found["situations"], found["actions"]):
        assert rows[0]["error"] is not None and rows[0]["error"] > 0 and rows[1]["error"] is None
    assert found["leaves"] == []


# What would decide it, and who plays the games that are shown


def test_other_seeds_are_apart_by_the_root_of_their_number() -> None:
    """From the seeds of a small budget to those of the largest, which is named where none would do."""
    sizes = cast(Any, SimpleNamespace(factor=1.0, share=lambda budget: 1.0))
    odds = Interval(0.0, -1.0, 1.0)
    table = cast(Any, SimpleNamespace(
        reach=Reach(0.0, 0.0, 0.5, 0.4), overall=Sample(0.1, -0.4, 0.6, 9), odds=odds, deviation=1.0
    ))  # fmt: skip
    names = list(BUDGETS)
    found = deciding(table, names[0], sizes)
    assert found is not None
    apart = math.sqrt(BUDGETS[names[0]].seeds / BUDGETS[found.largest].seeds)
    assert BUDGETS[names[0]].seeds < BUDGETS[found.largest].seeds and found.seeds == pytest.approx(0.4 * apart)


def test_a_worth_of_what_counts_decides_if_its_interval_leaves_out_nothing() -> None:
    counts = needed(cast(Any, SimpleNamespace(
        reach=Reach(0.0, 0.0, 0.5), overall=Sample(0.0, 0.0, 0.0, 9), odds=Interval(0.0, 0.0, 0.0), deviation=1.0
    )))  # fmt: skip
    edge = cast(Any, SimpleNamespace(
        reach=Reach(counts, counts, 0.5), overall=Sample(counts, 0.0, 0.0, 9), odds=Interval(0.0, 0.0, 0.0),
        deviation=1.0,
    ))  # fmt: skip
    assert counts > 0 and needed(edge) == counts
    edge.overall = Sample(counts * 0.999, 0.0, 0.0, 9)
    assert needed(edge) == 0.0


def test_games_are_shown_with_everybody_then_nobody_then_others() -> None:
    """Levels have it as side A, and the others as well where it is a rule for all."""
    ladder = [("weak", ONE, TWO)]
    found = casts_of(cast(Any, Context()), chosen(), ladder)
    assert [cast.name for cast in found] == [EVERYBODY, NOBODY, "A", "B", "weak"]
    assert [(c.condition, c.rows, c.columns) for c in found[:3]] == [
        (ALONE[name], *chosen().of_all(name)) for name in (EVERYBODY, NOBODY, "A")
    ]
    assert (found[-1].condition, found[-1].rows, found[-1].columns) == (ALONE["A"], only(TWO), only(ONE))
    assert casts_of(cast(Any, Context(bench=Bench(for_all=True))), chosen(), ladder)[-1].columns == only(TWO)


@pytest.mark.parametrize(("before", "after", "change", "digits", "told"), [
    (0.004, 0.0095, 0.0055, 2, 2),  # 0.00, 0.01 and +0.01
    (0.0, 0.2, 0.2, 2, 2),
    (-0.004, 0.0049, 0.0089, 2, 3),  # 0.00 and 0.00 would differ by +0.01
    (0.5, 0.25, -0.1, 2, 2),  # measured on other games: no digits make it agree
])  # fmt: skip
def test_digits_let_figures_differ_by_their_change(
    before: float, after: float, change: float, digits: int, told: int
) -> None:
    assert agreeing(before, after, change, digits) == told
