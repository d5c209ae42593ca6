"""Balance in small cases by hand: figures, fits, surfaces, and which points are measured next."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from inspect import signature
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from scipy.stats import binom, multivariate_normal

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.balance import measuring, run
from probespiel.evaluation.balance.design import better_half, between, loss_of, scales, surer_ones
from probespiel.evaluation.balance.fit import Fit
from probespiel.evaluation.balance.measuring import Measured, dominance
from probespiel.evaluation.balance.profile import curve
from probespiel.evaluation.balance.records import Figure
from probespiel.evaluation.balance.run import Found, Search, check_targets
from probespiel.evaluation.balance.space import Axis, Space
from probespiel.evaluation.balance.surface import LENGTHS, SIZES, VAGUE, coordinates, surface
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY
from probespiel.evaluation.stress.findings import Mean
from probespiel.evaluation.stress.jobs import JOBS
from probespiel.evaluation.stress.workers import Job

WORTH, USE = Target("worth", 0.0, 0.1), Target("use", 20.0, 80.0)


def worth(value: float, half: float = 0.02, exact: bool = False) -> Measured:
    return Measured({"worth": Figure("worth", value, value - half, value + half, 0 if exact else 100, exact)})


# Figures


@pytest.mark.parametrize(("sides", "values", "value"), [((0,), [0.1, 0.5], 0.4), ((0, 1), [0.1, 0.5, -0.7], 0.6)])
def test_an_exact_worth_is_the_mean_gain_of_the_sides(
    sides: tuple[int, ...], values: list[float], value: float
) -> None:
    """All are values of the first side: 0.1 with nobody, 0.5 if it has the module, -0.7 if the other one has."""
    assert measuring._value_of("worth", values, sides) == pytest.approx(value)


def test_what_sitting_first_is_worth_is_half_of_what_exchanging_the_roles_changes() -> None:
    assert measuring._value_of("seat", [0.4], (0, 1)) == 0.4
    assert measuring._value_of("seat", [0.4, -0.2], (0, 1)) == pytest.approx(0.3)


def bench(mirror: bool = False) -> Any:
    conditions = {NOBODY: "nobody", "only 0": "first", "only 1": "second", EVERYBODY: "all"}
    return SimpleNamespace(
        holder_conditions=lambda: conditions, alone=lambda side: f"only {side}", everybody=lambda: "all",
        can_mirror=mirror, several=False,
    )  # fmt: skip


def played(cells: dict[str, list[float]], sides: tuple[int, ...] = (0, 1), mirror: bool = False) -> Any:
    """A context in which the first side's margins are known, by condition."""

    def ask(step: str, wanted: Any, deals: int, name: str) -> list[np.ndarray]:
        return [np.array(cells[str(condition)]) for condition, _ in wanted]

    budget = SimpleNamespace(measure=2, seeds=1)
    return SimpleNamespace(bench=bench(mirror), sides=sides, cells=ask, budget=budget)


CHOSEN: Any = SimpleNamespace(of_seeds=lambda name: name)


def test_a_worth_that_was_played_is_the_mean_gain_of_the_sides() -> None:
    """The first side gains 1 in both deals; the second 3, since what it gains the first one loses."""
    cells = {"nobody": [0.0, 2.0], "first": [1.0, 3.0], "second": [-3.0, -1.0]}
    found, gaps = measuring._worth(played(cells), CHOSEN)
    assert gaps.tolist() == [2.0, 2.0] and found.value == 2.0
    found, gaps = measuring._worth(played(cells, (1,)), CHOSEN)
    assert gaps.tolist() == [3.0, 3.0]


def test_of_several_sides_each_is_asked_against_the_same_others() -> None:
    """Margins are the asked side's own: the first gains 1 and 3, the second 0 and 2 in the two deals."""
    cells = {(0, "first"): [2.0, 4.0], (0, "nobody"): [1.0, 1.0], (1, "second"): [5.0, 5.0], (1, "nobody"): [5.0, 3.0]}

    def ask(step: str, wanted: Any, deals: int, name: str, hero: int) -> list[np.ndarray]:
        assert all(pairs == [(hero, 1 - hero)] for _, pairs in wanted)  # it plays its own part, alone
        return [np.array(cells[hero, str(condition)]) for condition, _ in wanted]

    asked: Any = SimpleNamespace(bench=bench(), sides=(0, 1), cells=ask, budget=SimpleNamespace(measure=2, seeds=1))
    asked.bench.several = True
    chosen: Any = SimpleNamespace(of_seeds=lambda name: [(0, 1)])
    found, gaps = measuring._worth(asked, chosen)
    assert gaps.tolist() == [0.5, 2.5] and found.value == 1.5


def test_a_seat_that_was_played_is_half_of_the_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "seatings", lambda bench, condition: ["all", "turned"])
    assert measuring._seat(played({"all": [3.0, 5.0], "turned": [-1.0, 1.0]}), CHOSEN).value == 2.0
    monkeypatch.setattr(measuring, "seatings", lambda bench, condition: ["all"])
    assert measuring._seat(played({"all": [3.0, 5.0]}), CHOSEN).value == 4.0


def test_shares_are_told_in_per_cent_with_95_per_cent_intervals() -> None:
    use = measuring._of_mean("use", Mean(0.25, 0.01), 10)
    assert (use.value, use.low, use.high, use.games) == pytest.approx((25, 23.04, 26.96, 10))
    length = measuring._of_mean("length", Mean(7.0, 0.5), 9)
    assert (length.value, length.low, length.high) == pytest.approx((7, 6.02, 7.98))


def test_draws_of_a_course_are_margins_of_nothing() -> None:
    """One of four games is drawn; the second side wins another one."""
    answer = {"margins": [[1.0, -1.0] * 20, [0.0, 1.0] * 20], "lengths": [[3.0, 5.0] * 20, [4.0, 6.0] * 20]}

    def need(step: str, jobs: Sequence[Job]) -> tuple[Any, ...]:
        for job in jobs:  # what is asked for is what workers do
            signature(JOBS[job.kind]).bind(None, **job.args)
        return (answer,)

    context: Any = SimpleNamespace(
        budget=SimpleNamespace(course=2, replicates=2), bench=bench(), seed=lambda *names: 1, need=need
    )
    found = measuring._course(context, cast(Any, SimpleNamespace(of_seeds=lambda name: [(None, None)])))
    assert found["draws"].value == pytest.approx(25) and found["length"].value == pytest.approx(4.5)


def test_a_point_meets_all_targets_or_none() -> None:
    def meets(*figures: Figure, complete: bool = True) -> str:
        targets = tuple(Target(one.figure, one.low, one.high) for one in (WORTH, USE))
        known = {(0,): Found(Measured({one.name: one for one in figures}), 1.0)}
        search: Any = SimpleNamespace(
            known=known,
            targets=targets,
            wanted=["worth", "use"],
            space=SimpleNamespace(params=lambda key: {}),
            complete=complete,
        )
        return Search._point(search, (0,), False).meets

    good, open_, bad = (Figure("worth", 0.05, *ends, 100) for ends in ((0.02, 0.08), (0.02, 0.2), (0.12, 0.2)))
    used = Figure("use", 50.0, 40.0, 60.0, 100)
    assert [meets(one, used) for one in (good, open_, bad)] == ["yes", "maybe", "no"]
    assert meets(good) == "no" and meets(good, complete=False) == "maybe", "it may still be measured"


def test_a_point_that_was_shown_to_meet_the_targets_is_suggested_before_one_that_may() -> None:
    """By its fit the second seems nearest; the third and fourth surely meet the targets, the fourth by all games."""
    meets = {(0,): "no", (1,): "maybe", (2,): "yes", (3,): "yes"}
    assert surer_ones((1,), meets, [(1,), (3,)]) == [(3,)]
    assert surer_ones((1,), meets, [(1,)]) == [(2,), (3,)], "of an interrupted search, whose last games are missing"
    assert surer_ones((2,), meets, [(3,)]) == surer_ones(None, meets, []) == []
    assert surer_ones((1,), {(1,): "maybe", (0,): "no"}, [(0,)]) == []


# What is asked for, and measured


@pytest.mark.parametrize(
    ("figure", "sides", "for_all", "told"),
    [
        ("seat", 2, False, ""), ("seat", 1, False, "--target seat: g \\(s\\) has one side"), ("seat", 3, True, ""),
        ("worth", 2, True, "--target worth: module m concerns the whole table"), ("worth", 1, True, ""),
        ("worth", 2, False, ""), ("length", 1, True, ""),
    ],
)  # fmt: skip
def test_targets_that_say_nothing_of_a_game(figure: str, sides: int, for_all: bool, told: str) -> None:
    """A party alone may have what concerns the whole table; nobody sits before it."""
    asked: Any = SimpleNamespace(
        sides=tuple(range(sides)), for_all=for_all, settings=SimpleNamespace(game="g"), scenario="s"
    )
    with pytest.raises(ProbespielError, match=told) if told else nullcontext():
        check_targets([Target(figure, 0.0, 1.0)], asked, cast(Any, SimpleNamespace(name="m")))


@pytest.mark.parametrize(
    ("figures", "needed"), [(["worth"], False), (["worth", "length"], True), (["length"], True), ([], False)]
)
def test_a_game_in_which_all_have_it_is_made_for_a_figure_of_it(figures: list[str], needed: bool) -> None:
    made: list[tuple[Any, bool]] = []
    at = SimpleNamespace(bench=SimpleNamespace(at=lambda params, everybody: made.append((params, everybody))))
    search: Any = SimpleNamespace(open=figures, context=at, space=SimpleNamespace(params=lambda key: {"cost": key[0]}))
    Search._bench(search, (3,))
    assert made == [({"cost": 3}, needed)]


@dataclass(frozen=True)
class Whole:
    """What is left of a context."""

    bench: Any = None
    budget: Any = None
    tag: str = ""
    scale: float = 1.0


class Half:
    """A search whose games are solved as long as `limit` points, and estimated by what `estimates` notes."""

    def __init__(self, known: dict[Any, Found], limit: int) -> None:
        self.known, self.limit, self.solving = known, limit, True
        self.inner: Any = SimpleNamespace(enter=lambda *_: None)
        self.prelude: Any = SimpleNamespace(deviation=1.0)
        self.space: Any = SimpleNamespace(params=lambda key: {"cost": key[0]})

    @property
    def open(self) -> list[str]:
        return [] if self.solving else ["worth"]

    def _playable(self, keys: list[Any]) -> list[Any]:
        return [key for key in keys if not self.known.setdefault(key, Found()).fault]

    def _bench(self, key: Any) -> Any:
        return key

    def _sized(self) -> Whole:
        return Whole()

    def _solve(self, keys: list[Any]) -> None:
        if len(keys) > self.limit:
            self.solving, self.known = False, {key: Found(fault=f.fault) for key, f in self.known.items()}
        for key in keys if self.solving else ():
            self.known[key] = Found(worth(0.1, 0.0, True), 1.0)


def measured_by(search: Half, keys: list[Any], share: float, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The points that a search estimates when it is to measure some."""
    asked: list[Any] = []

    def estimates(context: Whole, *_: Any) -> Measured:
        asked.append(context.bench)
        return worth(0.2)

    monkeypatch.setattr(run, "estimated", estimates)
    monkeypatch.setattr(run, "part_of", lambda budget, part: BUDGETS["quick"])
    Search._measure(cast(Any, search), keys, share, "grid")
    return asked


def test_what_was_solved_is_estimated_once_a_game_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact figures beside estimated ones would not be comparable: all points but the broken are estimated anew."""
    exact = Found(worth(0.1, 0.0, True), 1.0)
    search = Half({(0,): exact, (1,): exact, (3,): Found(fault="broken")}, limit=1)
    assert measured_by(search, [(2,)], 0.5, monkeypatch) == [] and search.known[2,].measured.figures["worth"].exact
    assert measured_by(search, [(4,), (5,), (3,)], 0.5, monkeypatch) == [(4,), (5,), (0,), (1,), (2,)]
    assert [f.share for f in search.known.values()] == [0.5, 0.5, 0.0, 0.5, 0.5, 0.5]
    assert search.known[3,].fault == "broken" and not search.known[0,].measured.figures["worth"].exact


def test_finished_points_are_not_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Half({(0,): Found(worth(0.2), 0.5), (1,): Found(worth(0.2), 0.25)}, limit=0)
    search.solving = False
    assert measured_by(search, [(0,), (1,), (2,)], 0.5, monkeypatch) == [(1,), (2,)]
    assert measured_by(search, [(0,), (1,), (2,)], 0.5, monkeypatch) == []
    assert measured_by(search, [(1,)], 1.0, monkeypatch) == [(1,)]


def test_points_are_estimated_with_their_share_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in its own game, by the same baselines, on the scale that is the larger one; without curves of handicaps."""
    given: list[Any] = []
    monkeypatch.setattr(run, "estimated", lambda *args: given.append(args) or worth(0.2))
    monkeypatch.setattr(run, "part_of", lambda budget, part: given.append((budget, part)) or BUDGETS["quick"])
    search = Half({}, limit=0)
    search.solving, search.prelude = False, SimpleNamespace(deviation=2.5)
    search._sized = lambda: Whole(budget="whole", scale=1.5)
    Search._measure(cast(Any, search), [(3,)], 0.25, "grid")
    budget = replace(BUDGETS["quick"], differences=(0,), curve=(0,))
    assert given == [
        ("whole", 0.25),
        (Whole((3,), budget, "0.25", 2.5), search.prelude, ["worth"], f"replays/{run.slug('cost = 3')}"),
    ]


def test_between_exact_values_all_is_exact() -> None:
    """Whole points, until there is nothing between; from no figure nothing follows."""
    asked: list[Any] = []
    more = iter([[(1,)], [(2,), (3,)], []])
    search: Any = SimpleNamespace(
        _figures=lambda: {(0,): worth(0.0), (4,): worth(0.3)}, targets=(WORTH,),
        _new=lambda kept, number: next(more), _measure=lambda *args: asked.append(args),
    )  # fmt: skip
    Search._finer_exactly(search)
    assert asked == [([(1,)], 1.0, "finer"), ([(2,), (3,)], 1.0, "finer")]
    search._figures = dict
    Search._finer_exactly(search)
    assert len(asked) == 2


# Which points are next


def test_what_is_far_is_half_of_what_was_seen() -> None:
    """0 and 2 are 1 from their mean."""
    assert scales((Target("worth", 0.0, 0.0),), [worth(0.0).figures, worth(2.0).figures])["worth"] == 0.5
    assert scales((WORTH,), [worth(0.0).figures])["worth"] == pytest.approx(0.05)


def test_half_of_seven_is_four_and_two_neighbours_have_one_between() -> None:
    known = {(i,): worth(float(i)).figures for i in range(7)}
    assert better_half((WORTH,), known) == [(0,), (1,), (2,), (3,)]
    ends = {(4,): worth(0.4).figures, (6,): worth(-0.2).figures}
    assert between((WORTH,), ends) == [(5,)] and between((WORTH,), {(4,): ends[4,], (5,): ends[6,]}) == []


def test_steps_go_to_both_ends() -> None:
    space = Space((Axis("a", (10, 20, 30), True), Axis("b", ("x", "y"), False)), {})
    assert space.steps((1, 1)) == [(0, 1), (2, 1), (1, 0)]
    assert Axis("a", tuple(range(10)), True).first(4) == [0, 3, 6, 9]


# Fits


def test_beyond_what_was_measured_nothing_is_expected_and_exact_values_stand() -> None:
    space = Space((Axis("cost", tuple(range(7)), True),), {})
    # a falling line would have 0.2999 there, pooled with its neighbour
    known = {(2,): worth(0.29), (3,): worth(0.3, 0.0, exact=True), (4,): worth(-0.2)}
    fit = Fit(space, (WORTH,), known, 1)
    losses = fit.losses(space.all())
    assert [np.isinf(loss[0]) for loss in losses] == [True, True, False, False, False, True, True]
    scale = scales((WORTH,), [one.figures for one in known.values()])
    assert losses[3] == loss_of((WORTH,), {"worth": 0.3}, scale)


def test_surfaces_need_an_axis_of_numbers() -> None:
    known = {(i,): worth(float(i)) for i in range(3)}
    assert not Fit(Space((Axis("kind", ("x", "y", "z"), False),), {}), (WORTH,), known, 1).smooth
    assert Fit(Space((Axis("cost", (1, 2, 3), True),), {}), (WORTH,), known, 1).smooth


def test_a_slice_of_surfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worth rises from 0 to 1 over costs of 10 to 30, use falls from 100; they are told with 95 % bands.

    A worth of half or more and a use of 20 or more go together from 20 to 26.
    """
    space = Space((Axis("cost", (10, 20, 30), True), Axis("kind", ("x", "y"), False)), {})
    targets = (Target("worth", 0.5, None), Target("use", 20.0, None))
    figures = {"worth": Figure("worth", 0.5, 0.4, 0.6, 9), "use": Figure("use", 50.0, 45.0, 55.0, 9)}
    fit = Fit(space, targets, {key: Measured(dict(figures)) for key in space.all()}, 1)
    made: Any = {
        "worth": SimpleNamespace(at=lambda x: (x[:, 0], np.full(len(x), 0.1))),
        "use": SimpleNamespace(at=lambda x: (100 * (1 - x[:, 0]), np.ones(len(x)))),
    }
    monkeypatch.setattr(Fit, "surfaces", lambda self: made)
    (along,) = fit.along((1, 0))
    line, use = along.lines
    at = (np.array(line.x) - 10) / 20
    assert line.x[0] == 10 and line.x[-1] == 30 and (line.direction, use.direction) == (1, -1)
    assert line.mid == pytest.approx(at) and use.mid == pytest.approx(100 - 100 * at)
    assert line.low == pytest.approx(at - 0.196) and line.high == pytest.approx(at + 0.196)
    assert along.region == ((pytest.approx(20, abs=0.1), pytest.approx(26, abs=0.1)),)
    assert along.sure == ((pytest.approx(10 + 20 * 0.696, abs=0.1), pytest.approx(10 + 20 * 0.7804, abs=0.1)),)


def plateau(most: int, fee: int) -> float:
    """A worth that rises with the first parameter up to a plateau, less the second."""
    return min(0.3 * most - 0.5, 2.338) - fee / 20


def test_lines_through_what_was_solved_are_those_of_the_points() -> None:
    """Exact values far apart: nothing is said to be 0, or sure, that a smooth course has between them.

    On the line through (16, 47) the worth is -0.012 from 10 to 20, and 0 at no whole number nor between.
    """
    space = Space((Axis("most", tuple(range(21)), True), Axis("fee", tuple(range(61)), True)), {})
    keys = [(m, f) for m in (0, 5, 10, 15, 20) for f in (0, 15, 30, 45, 60)]
    keys += [(m, 47) for m in (0, 5, 9, 10, 15, 16, 17, 20)] + [(16, f) for f in (0, 44, 45, 46, 48, 49, 60)]
    known = {(m, f): worth(plateau(m, f), 0.0, exact=True) for m, f in keys}
    most, fee = Fit(space, (Target("worth", -0.1, 0.1),), known, 1).along((16, 47))
    assert (most.exact, most.lines[0].direction, fee.lines[0].direction) == (True, 1, -1)
    assert not most.crossings and most.region[0][0] > 9.0 and most.region[-1][1] == 20.0
    (zero,) = fee.crossings
    assert zero.low <= 20 * 2.338 <= zero.high and zero.value == pytest.approx(20 * 2.338)
    ((low, high),) = fee.region
    assert low <= 45 and high == pytest.approx(48.76, abs=0.1)


def test_along_every_parameter_points_are_solved_until_the_ends_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search asks for points on both lines until those next to an end of the target are neighbours."""
    space = Space((Axis("most", tuple(range(21)), True), Axis("fee", tuple(range(61)), True)), {})
    search: Any = object.__new__(Search)
    search.space, search.targets, search.wanted, search.solving = space, (Target("worth", -0.1, 0.1),), ["worth"], True
    search.known = {}
    search.context = SimpleNamespace(seed=lambda *_: 1)
    monkeypatch.setattr(Search, "_best", lambda self, keys: (16, 47))

    def measured(self: Any, keys: Sequence[Any], share: float, step: str) -> None:
        for m, f in keys:
            self.known[m, f] = Found(worth(plateau(m, f), 0.0, exact=True), 1.0)

    monkeypatch.setattr(Search, "_measure", measured)
    search._suggest()
    most = sorted(m for m, f in search.known if f == 47)
    fee = sorted(f for m, f in search.known if m == 16)
    assert {0, 5, 10, 15, 20} <= set(most) and {8, 9, 10} & set(most), "where it comes within the target"
    assert {44, 45, 46, 47, 48, 49} <= set(fee), "both ends and the aim"
    assert len(search.known) < 40


def test_a_slice_that_wavers_within_its_band_does_not_turn_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A course that goes up and down by less than it is sure of rises or falls as its ends do."""
    space = Space((Axis("cost", (10, 20, 30), True), Axis("kind", ("x", "y"), False)), {})
    fit = Fit(space, (WORTH,), {key: worth(0.5) for key in space.all()}, 1)

    def directed(course: Any, sd: float) -> int:
        made: Any = {"worth": SimpleNamespace(at=lambda x: (course(x[:, 0]), np.full(len(x), sd)))}
        monkeypatch.setattr(Fit, "surfaces", lambda self: made)
        return fit.along((1, 0))[0].lines[0].direction

    def wave(x: Any) -> Any:
        return np.sin(6 * np.pi * x) / 10 + 0.05 * x

    assert [directed(wave, 0.2), directed(lambda x: -wave(x), 0.2), directed(wave, 0.01)] == [1, -1, 0]
    assert [directed(lambda x: x, 0.01), directed(lambda x: -x, 0.01)] == [1, -1]


def test_a_profile_is_monotone_as_long_as_no_measurement_contradicts() -> None:
    """0, 3, 0 with errors of 1 are 4.5 from both monotone lines: less than 7.81, the 5 % point of three squares."""
    x = np.arange(3.0)
    found = curve(x, np.array([0.0, 3.0, 0.0]), np.eye(3), 1, x)
    assert found.direction == 1 and found.mid == pytest.approx([0, 1.5, 1.5])
    assert curve(x, np.array([0.0, 4.0, 0.0]), np.eye(3), 1, x).direction == 0  # 8 from both
    assert curve(x, np.full(3, -1.0), np.zeros((3, 3)), 1, x).direction == 1  # as a figure above nothing would


def test_places_of_a_surface_go_from_the_first_value_to_the_last() -> None:
    space = Space((Axis("cost", (10, 20, 40), True), Axis("kind", ("x", "y"), False)), {})
    places, owner = coordinates(space, [(0, 1), (1, 0), (2, 0)])
    assert places == pytest.approx(np.array([[0, 0, 1], [1 / 3, 1, 0], [1, 1, 0]])) and owner.tolist() == [0, 1, 1]


def test_processes_of_a_surface_count_by_how_likely_they_are() -> None:
    """The trend goes by what is known well: through 0 and 1, past a third value that is hardly known."""
    x, owner = np.array([[0.0], [0.5], [1.0]]), np.array([0])
    made = surface(x, owner, np.array([0.0, 1.0, 9.0]), np.diag([1e-6, 1e-6, 1e4]))
    assert made.level == pytest.approx(0.5, abs=1e-6) and made.at(np.array([[0.25]]))[0] == pytest.approx(0.5, abs=0.2)
    assert made.at(x)[1][:2] == pytest.approx([1e-3, 1e-3], rel=0.1) and made.at(x)[1][2] > 0.3
    rng = np.random.default_rng(5)
    x = np.linspace(0, 1, 9)[:, None]
    for y in (np.sin(9 * x[:, 0]), 2 * x[:, 0] + rng.normal(0, 0.3, 9)):
        cov = np.eye(9) * 0.09
        made = surface(x, owner, y, cov)
        design = np.hstack([np.ones((9, 1)), x])
        high = y - y.mean()
        rest = high - design @ np.linalg.lstsq(design, high, rcond=None)[0]
        likely = {}
        for length in LENGTHS:
            for share in SIZES:
                size = share * rest.var()
                full = size * np.exp(-0.5 * ((x - x.T) / length) ** 2) + cov
                full += VAGUE * np.mean(high**2) * design @ design.T
                likely[length, size] = multivariate_normal(np.zeros(9), full).pdf(high)
        shares = {(part.scale[0], part.size): part.share for part in made.parts}
        total = sum(likely.values())
        for key, found in shares.items():
            assert found == pytest.approx(likely[key] / total, abs=2e-3), key
        assert sum(shares.values()) == pytest.approx(1.0) and len({round(v, 4) for v in shares.values()}) > 1


@pytest.mark.parametrize(("share", "resamples", "low", "high"), [
    (1.0, 200, 0.025 ** (1 / 200), 1.0),  # what happened in all of them has happened so often by luck
    (0.0, 200, 0.0, 1 - 0.025 ** (1 / 200)),
    (0.5, 2, 1 - 0.975**0.5, 0.975**0.5),  # one of two
])  # fmt: skip
def test_a_share_of_resamples_is_not_exact(share: float, resamples: int, low: float, high: float) -> None:
    found = dominance(share, resamples, 8)
    assert not found.exact and found.games == 8 and found.name == "dominant"
    assert (found.value, found.low, found.high) == pytest.approx((100 * share, 100 * low, 100 * high))
    assert Target("dominant", 0.0, 95.0).holds(found.low, found.high) == {1.0: "no", 0.0: "yes", 0.5: "maybe"}[share]


@pytest.mark.parametrize("resamples", [20, 100, 200])
def test_shares_of_resamples_hold_the_truth(resamples: int) -> None:
    """By the binomial law: whatever the share of all resamples that there are, 94 % of the intervals hold it."""
    ends = [dominance(seen / resamples, resamples, 8) for seen in range(resamples + 1)]
    for share in (0.0, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0):
        chances = binom.pmf(np.arange(resamples + 1), resamples, share)
        held = [end.low - 1e-9 <= 100 * share <= end.high + 1e-9 for end in ends]
        assert chances[held].sum() >= 0.94, (share, chances[held].sum())
