"""The search for balance: what may be asked, the statistics on made-up data, and a search that is interrupted."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.app.cli import run
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.modules import load_module
from probespiel.envs.core.registry import system_of
from probespiel.evaluation.balance import run as balance_run
from probespiel.evaluation.balance.design import around, better_half, between, front_of, hopeful_loss, loss_of, scales
from probespiel.evaluation.balance.fit import Fit
from probespiel.evaluation.balance.measuring import Measured
from probespiel.evaluation.balance.profile import covariance, curve, root_of, spans
from probespiel.evaluation.balance.records import Along, Balance, Figure, Point, balance_json, read_balance
from probespiel.evaluation.balance.run import BalanceInterrupted, Inner, run_balance, stress_command
from probespiel.evaluation.balance.space import Axis, Space, space_of
from probespiel.evaluation.balance.surface import coordinates, surface
from probespiel.evaluation.balance.targets import Target, targets_of
from probespiel.evaluation.balance.texts import words
from probespiel.evaluation.balance.words import along_lines, left_out, summary_lines
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.progress import Quiet
from tests.whole_runs import held

from .schema_check import assert_valid

EDGE = str(Path(__file__).parent / "planted_costs" / "edge.py")
MODULE = '''"""A module with parameters of all kinds."""
from probespiel.envs.kuhn.module import Module
module = Module("kinds", "Parameters.")
module.param("cost", 1, 0, 90000, doc="a number")
module.param("share", 50, 1, 100, doc="a number")
module.param("more", 5, 0, 9, doc="a number")
module.param("rest", 5, 0, 9, doc="a number")
module.param("last", 5, 0, 9, doc="a number")
module.param("often", False, doc="a flag")
module.param("mode", "mild", choices=("mild", "hard", "cruel"), doc="a choice")
'''


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("modules") / "kinds.py"
    path.write_text(MODULE)
    return load_module(system_of("kuhn").interface, str(path))[0]


# What may be asked


def test_spaces(kinds: Any) -> None:
    space = space_of(kinds, ["cost=3..7", "share=90,10", "mode=hard,mild", "often=true"])
    assert space.axes == (
        Axis("cost", (3, 4, 5, 6, 7), True), Axis("share", (10, 90), True), Axis("mode", ("hard", "mild"), False),
    )  # fmt: skip
    assert space.fixed == {"often": True}
    assert space.params((4, 0, 1)) == {"cost": 7, "share": 10, "mode": "mild"}
    assert set(space.steps((0, 1, 1))) == {(1, 1, 1), (0, 0, 1), (0, 1, 0)}
    assert len(space.first()) == 4 * 2 * 2 and (0, 0, 0) in space.first() and (4, 1, 1) in space.first()
    assert [key[0] for key in space_of(kinds, ["cost=0..100"]).first()] == [0, 12, 25, 38, 50, 62, 75, 88, 100]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([], r"nothing is left open.*cost \(0..90000\).*mode \(mild, hard, cruel\)"),
        (["cost=4"], "nothing is left open"),
        (["cots=1..5"], "module kinds has no such parameter.*did you mean cost"),
        (["seats=0,1"], "says who has the module"),
        (["cost"], "not of the form NAME=LOW..HIGH"),
        (["cost="], "not of the form"),
        (["cost=5..1"], "the range is empty, 5 lies above 1"),
        (["share=0..50"], r"share = 0 is not allowed: a whole number 1..100"),
        (["share=1..101"], r"share = 101 is not allowed: a whole number 1..100"),
        (["cost=1..x"], "whole numbers LOW..HIGH"),
        (["cost=1.5,2"], r"'1.5' is no whole number \(cost \(0..90000\)\)"),
        (["cost=1,2,1"], "names a value twice"),
        (["cost=1..5", "cost=6..7"], "'cost' is given twice"),
        (["mode=mild..cruel"], r"no range; list values of mode \(mild, hard, cruel\)"),
        (["mode=mild,hurd"], "one of mild, hard, cruel"),
        (["often=maybe,true"], "'maybe' is not allowed: true or false"),
        (["cost=0..90000"], r"too many combinations \(90,001\): at most 50,000"),
        (["cost=0..999", "share=1..100"], r"too many combinations \(1,000 of cost x 100 of share\)"),
        (["cost=0..9", "share=1..9", "more=0..9", "rest=0..8", "last=0..5"], "5 parameters open: at most 4"),
        (["cost=0..9", "share=1..9", "more=0..9", "rest=0..3"], "81 would be measured first, at most 64"),
    ],
)  # fmt: skip
def test_spaces_that_are_refused(kinds: Any, texts: list[str], told: str) -> None:
    with pytest.raises(ProbespielError, match=told):
        space_of(kinds, texts)


def test_targets() -> None:
    assert targets_of([]) == (Target("worth", 0.0, 0.0),)
    assert targets_of(["worth=0..0.1", "use", "length=..30", "luck=40%..", "seat=-.05..0.05"]) == (
        Target("worth", 0.0, 0.1), Target("use", 20.0, 80.0), Target("length", None, 30.0), Target("luck", 40.0, None),
        Target("seat", -0.05, 0.05),
    )  # fmt: skip
    use, long = Target("use", 20.0, 80.0), Target("length", None, 30.0)
    assert (use.aim, use.half, long.aim, long.half) == (50.0, 30.0, 30.0, 0.0)
    assert use.excess(15.0) == 5.0 and use.excess(90.0) == 10.0 and use.excess(15.0, 25.0) == 0.0
    assert [use.holds(*x) for x in ((30, 70), (10, 30), (85, 95))] == ["yes", "maybe", "no"]
    assert (use.text(), long.text()) == ("use 20 to 80 %", "length up to 30")


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["wroth=0..1"], "'wroth' is unknown: worth, length, use.*did you mean worth"),
        (["worth=1..0"], "the range is empty, 1 lies above 0"),
        (["worth=.."], "has no end at all"),
        (["worth=a..b"], "not of the form worth=LOW..HIGH"),
        (["length"], "needs a range"),
        (["use=20..120"], r"120 is not allowed: 0..100"),
        (["length=-3..5"], r"-3 is not allowed: 0..inf"),
        (["use", "use=1..2"], "'use' is given twice"),
    ],
)
def test_targets_that_are_refused(texts: list[str], told: str) -> None:
    with pytest.raises(ProbespielError, match=told):
        targets_of(texts)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--param", "price=0..3"], "module edge has no such parameter: fee"),
        (["--param", "fee=0..9", "--target", "use"], "module edge has no actions"),
        (["--param", "fee=0..9", "--budget", "huge"], "huge"),
    ],
)
def test_wrong_input_is_one_line(
    more: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["balance", "kuhn", "--module", EDGE, "--out", str(tmp_path / "out"), *more]) == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("error: ") and told in last


def test_a_rule_of_the_table_has_no_worth_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "table_rule.py"
    path.write_text(MODULE.replace('"kinds", "Parameters."', '"table_rule", "For all.", table=True'))
    with pytest.raises(ProbespielError, match=r"concerns the whole table.*aim at length"):
        run_balance(Settings("kuhn", str(path), budget="quick"), ["cost=0..9"], [], tmp_path / "out")


# Conditions


def test_points_are_conditions_of_one_bench() -> None:
    """Parameters reach the games of those who have the module; the game without it is the same for all points."""
    bench = Bench(Settings("kuhn", EDGE), compiled=False)
    cheap, dear = bench.at({"fee": 3}, everybody=False), bench.at({"fee": 70})
    assert list(cheap.holder_conditions()) == ["nobody", "only first", "only second"]
    assert list(dear.holder_conditions())[-1] == "everybody"
    for here, fee in ((cheap, 3), (dear, 70)):
        named = here.holder_conditions()
        assert named["nobody"] == Condition()
        assert bench.game(named["only first"]).spec.params["edge_fee"][0] == fee
    assert bench.game(Condition()).spec.params["edge_fee"][0] == 0
    assert bench.holder_conditions()["only first"].params == ()


def test_the_command_of_a_point() -> None:
    given = Settings("kuhn", "/rules/my rule.py", {"a": True}, None, {"bet": 2.5}, {"well": {"x": 1}}, "quick", 7)
    assert stress_command(given, {"fee": 3, "mode": "hard"}) == (
        "probespiel stress kuhn --module '/rules/my rule.py' --param a=true --param fee=3 --param mode=hard "
        "--budget quick --seed 7 --also well:x=1 --set bet=2.5"
    )


# Profiles


def test_exact_values_bracket_what_is_between() -> None:
    """Of a falling figure known at 0, 4 and 5 all that is sure is between which two of them it passes nothing."""
    x = np.array([0.0, 4.0, 5.0])
    found = curve(x, np.array([2.0, 0.5, -1.0]), np.zeros((3, 3)), 1, np.linspace(0, 5, 301))
    assert found.direction == -1
    root = root_of(found, 0.0)
    assert root is not None and (root.low, root.high) == (4.0, 5.0) and root.value == pytest.approx(4 + 1 / 3)
    assert not root.open_low and not root.open_high
    at = root_of(found, 0.5)
    assert at is not None and (at.low, at.value, at.high) == (4.0, 4.0, 4.0)
    assert root_of(found, 3.0) is None
    sides = spans(found.x, (found.low >= 0.5) & (found.high <= 2.0))
    assert sides == ((0.0, 4.0),)


def test_a_figure_that_turns_round_is_no_monotone_one() -> None:
    x = np.arange(5.0)
    found = curve(x, np.array([0.0, 2.0, 3.0, 2.0, 0.0]), np.zeros((5, 5)), 1, np.linspace(0, 4, 101))
    assert found.direction == 0
    left, right = root_of(found, 1.0, near=0.0), root_of(found, 1.0, near=4.0)
    assert left is not None and right is not None
    assert (left.value, right.value) == (pytest.approx(0.5), pytest.approx(3.5))
    assert spans(found.x, found.mid >= 2.0 - 1e-9) == ((1.0, 3.0),)


@pytest.mark.parametrize(("places", "width"), [(9, 4.0), (21, 2.8)])
def test_the_interval_of_a_root_holds_it(places: int, width: float) -> None:
    """A line through 6.3 measured with noise, 150 times: the interval holds 6.3 in 95 %, or more.

    It reaches to the measured places around, as the figure may step anywhere between two of them.
    """
    x = np.linspace(0, 10, places)
    held = []
    widths = []
    for number in range(150):
        noise = np.random.default_rng(number).normal(0, 0.05, places)
        found = curve(x, 0.63 - 0.1 * x + noise, np.eye(places) * 0.05**2, number, np.linspace(0, 10, 400))
        root = root_of(found, 0.0)
        assert root is not None
        held.append(root.low <= 6.3 <= root.high)
        widths.append(root.high - root.low)
    assert np.mean(held) >= 0.95
    assert np.mean(widths) < width


def test_an_end_may_lie_beyond() -> None:
    x = np.arange(4.0)
    found = curve(x, np.array([0.5, 0.4, 0.3, 0.2]), np.eye(4) * 0.15**2, 1, np.linspace(0, 3, 100))
    root = root_of(found, 0.0)
    assert root is not None and root.value is None and root.open_high and not root.open_low and root.high == 3.0


def test_common_deals_make_common_errors() -> None:
    """Two points whose gains differ by a number have the same error; a third one on other deals has its own."""
    rng = np.random.default_rng(1)
    first = rng.normal(0, 1, 400)
    gaps = [first, first[:100] + 2.0, rng.normal(0, 1, 400), None]
    found = covariance(gaps, np.array([0.1, 0.2, 0.1, 0.3]))
    assert np.diag(found) == pytest.approx([0.01, 0.04, 0.01, 0.09])
    assert found[0, 1] == pytest.approx(0.1 * 0.2 * 0.5, rel=1e-6)  # a quarter of the deals of the first
    assert abs(found[0, 2]) < 0.002 and found[0, 3] == 0


def test_surfaces_follow_what_was_measured() -> None:
    space = Space((Axis("a", tuple(range(11)), True), Axis("b", ("x", "y"), False)), {})
    keys = [(a, b) for a in range(0, 11, 2) for b in range(2)]
    truth = {key: 0.1 * key[0] ** 1.5 - 1.0 * key[1] for key in space.all()}
    places, owner = coordinates(space, keys)
    assert owner.tolist() == [0, 1, 1]
    made = surface(places, owner, np.array([truth[key] for key in keys]), np.eye(len(keys)) * 1e-6)
    others = [key for key in space.all() if key not in keys]
    mean, sd = made.at(coordinates(space, others)[0])
    assert np.abs(mean - [truth[key] for key in others]).max() < 0.05
    at, none = made.at(places)
    assert np.abs(at - [truth[key] for key in keys]).max() < 0.01 and none.max() < 0.02 and sd.min() >= 0


# The design

WORTH, USE = Target("worth", 0.0, 0.1), Target("use", 20.0, 80.0)


def figure(name: str, value: float, half: float = 0.0) -> Figure:
    return Figure(name, value, value - half, value + half, 100, half == 0)


def points(*worths: float, half: float = 0.0) -> dict[tuple[int, ...], dict[str, Figure]]:
    """Every fourth point of one axis."""
    return {(4 * i,): {"worth": figure("worth", w, half)} for i, w in enumerate(worths)}


def test_losses() -> None:
    scale = {"worth": 0.1, "use": 30.0}
    assert loss_of((WORTH, USE), {"worth": 0.05, "use": 50.0}, scale) == (0.0, 0.0)
    assert loss_of((WORTH, USE), {"worth": 0.3, "use": 5.0}, scale)[0] == pytest.approx(4 + 0.25)
    assert loss_of((WORTH, USE), {"worth": 0.05}, scale)[0] == float("inf")
    assert hopeful_loss((WORTH,), {"worth": figure("worth", 0.2, 0.15)}, scale)[0] == 0.0
    assert scales((WORTH, USE), [])["use"] == 30.0


def test_the_better_half_and_what_lies_between() -> None:
    known = points(0.9, 0.6, 0.35, -0.2, -0.4, -0.8)
    assert better_half((WORTH,), known) == [(12,), (8,), (16,)]
    assert between((WORTH,), known) == [(10,)]
    assert between((WORTH,), {(4,): known[8,], (5,): known[12,]}) == []
    assert between((Target("worth", 0.4, None),), known) == [(6,)]


def test_around_comes_nearer_every_round() -> None:
    space = Space((Axis("a", tuple(range(33)), True), Axis("b", tuple(range(33)), True)), {})
    nearest = lambda keys: [(float(abs(k[0] - 9) + abs(k[1] - 16)), 0.0) for k in keys]  # noqa: E731
    assert around(space, [(16, 16)], {(16, 16)}, nearest, 0)[0] == (8, 16)
    assert around(space, [(8, 16)], {(8, 16)}, nearest, 3)[0] == (9, 16)


def test_the_front() -> None:
    known = {
        (0,): {"worth": figure("worth", 0.5), "use": figure("use", 50)},
        (1,): {"worth": figure("worth", 0.2), "use": figure("use", 10)},
        (2,): {"worth": figure("worth", 0.6), "use": figure("use", 10)},
        (3,): {"worth": figure("worth", 0.3)},
    }
    assert front_of((WORTH, USE), known) == {(0,), (1,)}
    known[4,] = {"worth": figure("worth", 0.1), "use": figure("use", 80)}
    assert front_of((WORTH, USE), known) == {(4,)}


def test_a_fit_along_an_axis() -> None:
    """A worth of 0.5 - 0.1 cost, measured at every second cost: 5 is where it is nothing, 4 to 5 where it is wanted."""
    space = Space((Axis("cost", tuple(range(11)), True),), {})
    known = {
        (i,): Measured({"worth": Figure("worth", 0.5 - 0.1 * i, 0.48 - 0.1 * i, 0.52 - 0.1 * i, 400)})
        for i in range(0, 11, 2)
    }
    fit = Fit(space, (WORTH,), known, 1)
    losses = fit.losses(space.all())
    assert min(range(11), key=lambda i: losses[i]) in (4, 5) and losses[0][0] > losses[2][0] > losses[3][0] > 0
    (along,) = fit.along((4,))
    assert not along.exact and along.param == "cost" and len(along.lines[0].x) == 101
    (crossing,) = along.crossings
    assert crossing.aim == 0.05 and crossing.value == pytest.approx(4.5, abs=0.02)
    assert (crossing.low, crossing.high) == (4.0, 6.0)  # the measured places around
    ((low, high),) = along.region
    assert (low, high) == (pytest.approx(4, abs=0.05), pytest.approx(5, abs=0.05))
    assert along.sure == ()  # at 4 it is perhaps more, and where it falls below nothing before 6 is not known
    wide = replace(fit, targets=(Target("worth", -0.15, 0.15),)).along((4,))[0]
    assert wide.sure == ((4.0, 6.0),)  # between two places where it is surely met, it is


def test_a_value_that_is_known_to_meet_a_target_is_told_to_do_so() -> None:
    """A worth of 0.6 - 0.05 cost is 0.1 to 0.5 from 2 to 10: the ends lie on no place of a grid, and are met."""
    target = (Target("worth", 0.1, 0.5),)
    values = {i: 0.6 - 0.05 * i for i in range(0, 51, 5)}
    line = {i: Measured({"worth": Figure("worth", value, value, value, 0, True)}) for i, value in values.items()}
    plain = Space((Axis("cost", tuple(range(51)), True),), {})
    known = {(i,): line[i] for i in line}
    ((low, high),) = Fit(plain, target, known, 1).along((5,))[0].region
    assert (low, high) == (2.0, 10.0)
    table = Space((Axis("cost", tuple(range(51)), True), Axis("kind", ("x", "y"), False)), {})
    both = {(i, k): line[i] for i in line for k in (0, 1)}
    (along,) = Fit(table, target, both, 1).along((5, 0))
    assert along.region[-1][1] == 10.0


@pytest.mark.parametrize(
    ("value", "low", "high", "around", "inside"),
    [(0.21, 0.2005, 0.2195, 0.19, False), (0.19, 0.181, 0.199, 0.21, True), (0.19, 0.181, 0.201, 0.21, False)],
)
def test_what_was_measured_stands_against_a_smooth_course(
    value: float, low: float, high: float, around: float, inside: bool
) -> None:
    """At 3 a surface of a worth of up to 0.2 goes by its neighbours; what was measured there decides, if it does."""
    space = Space((Axis("cost", tuple(range(7)), True), Axis("kind", ("x", "y"), False)), {})
    own, other = Figure("worth", value, low, high, 9), Figure("worth", around, around - 0.005, around + 0.005, 9)
    known = {(i, k): Measured({"worth": own if i == 3 else other}) for i in range(7) for k in (0, 1)}
    (along,) = Fit(space, (Target("worth", 0.0, 0.2),), known, 1).along((0, 0))
    assert any(a <= 3.0 <= b for a, b in along.region) is inside


# A whole search


class _Stop(Quiet):
    """Interrupts when a step begins."""

    def __init__(self, step: str) -> None:
        self.wanted = step

    def begin(self, step: str) -> None:
        """Like Ctrl-C."""
        if step == self.wanted:
            raise KeyboardInterrupt


def test_a_search_interrupted_and_resumed(tmp_path: Path) -> None:
    """The end is that of an undisturbed search, byte by byte, whatever the number of processes."""
    settings = Settings("kuhn", EDGE, budget="quick", seed=4)
    asked = (["fee=130..160"], ["worth=0..0.04"])
    with pytest.raises(BalanceInterrupted) as stop:
        run_balance(settings, *asked, tmp_path / "a", jobs=1, watcher=_Stop("finer"))
    early = stop.value.found
    assert not early.complete and early.suggestion is not None and len(early.points) == 9
    assert "interrupted" in stop.value.page.read_text(encoding="utf-8")
    with pytest.raises(BalanceInterrupted) as again:
        run_balance(settings, *asked, tmp_path / "a", jobs=1, resume=True, watcher=_Stop("break"))
    assert again.value.stays and not stop.value.stays, "an earlier one that tells more stays"
    assert balance_json(again.value.found) == balance_json(early)
    with pytest.raises(ProbespielError, match="unfinished search for balance: go on with --resume"):
        run_balance(settings, *asked, tmp_path / "a", jobs=1)
    with pytest.raises(ProbespielError, match="holds another search for balance: targets was"):
        run_balance(settings, asked[0], ["worth=0..0.5"], tmp_path / "a", jobs=1, resume=True)
    found, page = run_balance(settings, *asked, tmp_path / "a", jobs=1, resume=True)
    again, _ = run_balance(settings, *asked, tmp_path / "b", jobs=2)
    assert found == again and found.complete
    for name in ("balance.json", "report.html"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    held("balance kuhn edge", tmp_path / "a" / "balance.json", page, hide=(tmp_path,), alike=False)
    with pytest.raises(BalanceInterrupted) as late:
        run_balance(settings, *asked, tmp_path / "a", jobs=1, resume=True, watcher=_Stop("solve"))
    assert late.value.stays and late.value.found.complete
    kept = tmp_path / "a" / "balance.json"
    assert_valid(kept)
    assert balance_json(read_balance(kept)) == kept.read_text(encoding="utf-8")
    root = ET.fromstring(page.read_text(encoding="utf-8").replace("<!DOCTYPE html>", ""))
    assert not [e for e in root.iter() if e.tag.endswith(("script", "link", "iframe"))]
    assert found.suggestion is not None and found.suggestion.params == {"fee": 150} and found.suggestion.meets == "yes"
    assert [p.params["fee"] for p in found.steps] == [149, 151]
    lines = summary_lines(found)
    assert lines[0] == "Balance: fee = 150 meets the target: worth 0 to 0.04."
    assert any("Worth passes 0.02 between fee = 149 and 150 (exact), on a straight line at 149.97." in x for x in lines)
    assert (
        lines[-1]
        == f"Next: probespiel stress kuhn --module {shlex.quote(EDGE)} --param fee=150 --budget quick --seed 4"
    )
    kept.write_text(json.dumps({"format": "probespiel-balance/0"}))
    with pytest.raises(ProbespielError, match="no balance of this version"):
        read_balance(kept)


class _StopAfter(Quiet):
    """Interrupts when so many answers are there in a step."""

    def __init__(self, step: str, answers: int) -> None:
        self.wanted, self.left = step, answers

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """Like Ctrl-C."""
        self.left -= step == self.wanted
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("watcher", [_Stop("grid"), _StopAfter("solve", 9)])
def test_an_interrupted_search_tells_the_worths_that_were_solved(watcher: Quiet, tmp_path: Path) -> None:
    """Before any length is known; where games are still being solved, those of points that are."""
    settings = Settings("kuhn", EDGE, budget="quick", seed=4)
    targets = ["worth=0..0.04", "length=0..2"]
    with pytest.raises(BalanceInterrupted) as stop:
        run_balance(settings, ["fee=130..160"], targets, tmp_path / "a", jobs=1, watcher=watcher)
    found = stop.value.found
    whole = isinstance(watcher, _Stop)
    assert found.suggestion is None and (len(found.points) == 9 if whole else 1 < len(found.points) < 9)
    lines = summary_lines(found)
    assert "before a point was finished" in lines[0]
    assert lines[1] == f"Known so far of {len(found.points)} points:"
    assert lines[2] == "  fee = 130: worth +0.120 (exact): not met"
    assert [point.meets for point in found.points] == [  # a length that is not known yet may be right
        "maybe" if point.params["fee"] in (149, 152) else "no" for point in found.points
    ]
    page = stop.value.page.read_text(encoding="utf-8")
    assert ">fee = 130</th>" in page and "+0.120" in page
    (german, *_) = [line for line in summary_lines(found, "de") if "bekannt" in line]
    assert german.startswith("Bisher von ")


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Interrupted; the report of before stays"), ("de", "Unterbrochen; der frühere Bericht bleibt")],
)
def test_ctrl_c_is_told_though_the_search_was_finished(
    lang: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is that of an interruption, and the note says why the report is a whole one."""
    best = Point({"fee": 150}, 1.0, (Figure("worth", 0.02, 0.02, 0.02, 0, True),), "yes", True)
    targets = (Target("worth", 0.0, 0.04),)
    found = Balance("kuhn", EDGE, "s", {}, "quick", 1, targets, (), "", "x", "0", suggestion=best, complete=True)

    def stopped(*_: Any) -> Any:
        raise BalanceInterrupted(found, tmp_path / "report.html", True)

    monkeypatch.setattr(balance_run, "run_balance", stopped)
    line = ["balance", "kuhn", "--module", EDGE, "--param", "fee=130..160", "--target", "worth=0..0.04", "--report"]
    assert run([*line, "--resume", "--lang", lang, "--jobs", "1", "--out", str(tmp_path)]) == 130
    out, err = capsys.readouterr()
    assert said in err and "fee = 150" in out


def test_steps_of_the_lab_are_parts_of_those_of_the_search() -> None:
    class Seen(Quiet):
        told: list[tuple[str, float]] = []

        def advance(self, step: str, share: float, played: bool = True) -> None:
            self.told.append((step, share))

    inner = Inner(Seen())
    inner.enter("grid", 4)
    inner.begin("learn")
    inner.advance("learn", 0.5)
    assert Seen.told == [("grid", 0.125)]


@pytest.mark.slow
def test_several_parameters_at_once(tmp_path: Path) -> None:
    """A fee less half of a gift and two kinds: where both are open, points are found at which they cancel."""
    path = tmp_path / "edgy.py"
    text = Path(EDGE).read_text(encoding="utf-8").replace("edge", "edgy")
    more = (
        'module.param("gift", 0, 0, 100, doc="g")\nmodule.param("kind", "plain", choices=("plain", "rich"), doc="k")\n'
    )
    head, hook, rest = text.partition("\n\n@module.hook\ndef strength")
    rest = rest.replace("edgy_fee / 100.0", "edgy_fee / 100.0 + p.edgy_gift / 200.0 + 0.5 * p.edgy_kind")
    path.write_text(head + "\n" + more + hook + rest)
    settings = Settings("kuhn", str(path), budget="quick")
    found, _ = run_balance(settings, ["fee=100..160", "gift=0..10", "kind=plain,rich"], ["worth=0"], tmp_path / "out")
    best = found.suggestion
    assert best is not None and abs(best.figures[0].value) < 0.003
    worth = {"plain": 0.7698, "rich": 1.0198}
    for point in found.points:
        p = point.params
        assert point.figures[0].value == pytest.approx(worth[p["kind"]] - p["fee"] / 200 + p["gift"] / 400, abs=1e-4)
    assert [along.param for along in found.along] == ["fee", "gift"]
    fee = found.along[0].crossings[0]
    true = 200 * (worth[best.params["kind"]] + best.params["gift"] / 400)
    assert fee.value == pytest.approx(true, abs=0.5)
    assert len(found.steps) in (4, 5)


def test_what_intervals_leave_out_is_told() -> None:
    """Estimates from learned play say so; exact figures and lengths need no such remark."""

    def told(*figures: Figure) -> list[str]:
        best = Point({"fee": 1}, 1.0, figures, "yes", True)
        targets = tuple(Target(figure.name, 0.0, 1.0) for figure in figures)
        found = Balance("kuhn", "m.py", "s", {}, "quick", 1, targets, (), "", "x", "0", suggestion=best)
        assert set(left_out(found)) <= {line.strip() for line in summary_lines(found)}
        return left_out(found)

    length = Figure("length", 5.0, 4.0, 6.0, 100)
    assert told(Figure("worth", 0.5, 0.4, 0.6, 100), length)[0].startswith("Worth is estimated from learned play")
    assert not told(Figure("worth", 0.5, 0.5, 0.5, 0, True), length)


@pytest.mark.parametrize(
    ("region", "said"),
    [
        (((30.1, 30.8),), "met for no value of cost, but would be between 30 and 31."),
        (((30.1, 30.8), (34.5, 36.2)), "met for cost 35 to 36."),
        (((30.0, 30.4), (30.9, 31.2)), "met for cost 30 to 31."),  # neighbours
        (((28.0, 30.4), (33.0, 33.0)), "met for cost 28 to 30 and 33."),
        (((29.5, 30.0),), "met for cost 30."),
        ((), "met for no value of cost."),
    ],
)
def test_what_lies_between_two_values_is_no_value(region: Any, said: str) -> None:
    """Parameters are whole numbers: where targets are met on lines between two of them alone, none meets them."""
    axis, target = Axis("cost", tuple(range(61)), True), Target("use", 20.0, 80.0)
    found: Any = SimpleNamespace(axes=(axis,), targets=(target,), payoff_unit="", complete=True)
    along = Along("cost", (), (), region, (), False)
    assert along_lines(along, found) == [f"The target is {said}"]
    found.targets = (target, Target("worth", 0.0, 1.0))
    assert along_lines(along, found) == [f"All targets are {said}"]
    german = words("de")
    assert all(german(line) != line for line in along_lines(along, found))
