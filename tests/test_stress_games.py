"""The stress lab in every game that rule modules exist for, with a budget of a few games: it comes to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lab import modules_of
from probespiel.envs.core.registry import game_names, system_of
from probespiel.envs.core.replay import load
from probespiel.evaluation.stress import building, context
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.building import Built
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.context import LabFailure
from probespiel.evaluation.stress.findings import Findings
from probespiel.evaluation.stress.oversights import NAMES
from probespiel.evaluation.stress.paid_words import asked_told
from probespiel.evaluation.stress.progress import Quiet
from probespiel.evaluation.stress.run import Stress, run_stress
from probespiel.evaluation.stress.workers import Failed, Job, Workers
from tests.whole_runs import held

from .test_proofs import NO_GAME, unproved

FEW = replace(
    BUDGETS["quick"], seeds=1, probe=30, learn_use=4, learn_free=4, learn_counter=4, prelude=10, choose=10,
    measure=20, matrix=10, rates=10, samples=10, course=20, replicates=2, ladder=(2, 4), rung=2, show=10, resamples=20,
    differences=(-1, 0, 1), curve=(-1, 0, 1), stakes=2_000, pace=0.0,
)  # fmt: skip
# one module and scenario a game: more than two sides, sides of several seats, one side alone, forced choices
GAMES = {
    "einblatt-duel": ("mercy", None),
    "einblatt-melee": ("full_hand", "free_for_all"),
    "einblatt-campaign": ("swap_card", None),
    "ews_rps": ("well", "hack"),
    "konfrontation-clash": ("blackmail", None),
    "konfrontation-campaign": ("all_pay", "triad"),
    "oneshot-skirmish": ("berserker", "wounded_last_stand"),
    "oneshot-build": ("berserker", None),
    "oneshot-mission": ("berserker", "courier"),
    "scorekeeper-duel": ("free_parry", None),
    "scorekeeper-skirmish": ("free_parry", "stairwell_rescue"),
}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget of a few games, whatever their length."""
    monkeypatch.setitem(BUDGETS, "quick", FEW)
    monkeypatch.setattr(context, "fitted", lambda budget, *_: (budget, 1.0))


def stressed(game: str, module: str, scenario: str | None, folder: Path) -> Findings:
    """The findings of a module, all of whose steps were finished."""
    found, page = run_stress(Settings(game, module, scenario=scenario, budget="quick"), folder, jobs=1)
    assert found.complete and found.verdict and found.verdict.word not in ("broken", "open"), found.faults
    bounds = found.worth and found.worth.bounds
    if bounds is not None:  # of two sides, or of several against the same opponents, where nothing is exact
        assert found.worth and found.worth.alike == (len(found.sides) > 2)
        assert bounds.overall.low <= bounds.overall.value <= bounds.overall.high
    assert (bounds is None) == bool(found.worth and (found.worth.exact or found.whole_table or len(found.sides) == 1))
    assert found.worth and found.use and found.dominance and found.dynamics and found.exploit is not None
    assert (found.seat is None) == (len(found.sides) == 1)
    assert found.effect and found.levels and found.sample and found.game_verdict and found.game_verdict.word != "open"
    left = {name for name, why in found.effect.left_out.items() if why == "there is one side"}
    assert (len(found.sides) == 1) == bool(left) and not left & {figure.name for figure in found.effect.figures}
    assert {"length", "luck", "skill", "search", "decisions"} <= {figure.name for figure in found.effect.figures}
    assert page.is_file()
    numberless, gameless, count = unproved(page.read_text("utf-8"))
    missing = [claim for claim in (*numberless, *gameless) if not NO_GAME.match(claim)]
    assert count > 10 and not missing, missing
    levels = [level.name for level in found.levels][:-1]
    conditions = dict.fromkeys(["everybody", "nobody", *(found.mixtures or ())])
    names = [game.name for game in found.games]
    assert names[: len(conditions)] == list(conditions)
    assert sorted(names[len(conditions) :]) == sorted([*levels, *(NAMES[row.use] for row in found.oversights or ())])
    for level, shown in ((x, one) for x in found.levels[:-1] for one in found.games if one.name == x.name):
        asked = re.fullmatch(r"play (?:at level \d of the game, (.*)|like (.*), in the place of .*)", level.player)
        if asked:  # by the level itself, not by whoever stands for it
            assert set((load(folder / shown.replay).agents or {}).values()) == {asked[1] or asked[2]}
    assert all(load(folder / shown.replay).payoffs for shown in found.games)
    return found


def test_every_game_with_modules_is_tried() -> None:
    """Games that take no built-in module are not tested here, all others are."""
    assert set(GAMES) == {game for game in game_names() if modules_of(game)}


# compiling pilots that fight on the grid takes minutes
# Compiling is most of it: the quick tests try one game of each kind of play.
SLOW = (
    "einblatt-melee", "einblatt-campaign", "ews_rps", "konfrontation-campaign", "oneshot-build", "oneshot-mission",
    "scorekeeper-skirmish",
)  # fmt: skip


@pytest.mark.parametrize("game", [pytest.param(g, marks=pytest.mark.slow) if g in SLOW else g for g in GAMES])
def test_it_runs_in_every_game(game: str, tmp_path: Path) -> None:
    """It finishes, and what it says of a forced choice is not that nobody uses it."""
    module, scenario = GAMES[game]
    found = stressed(game, module, scenario, tmp_path)
    if game not in SLOW:
        held(
            f"stress {game} {module}", tmp_path / "report.json", tmp_path / "report.html", hide=(tmp_path,), alike=False
        )
    if module == "blackmail":  # it has all the answers, and some of them are known to decline it by their effect
        assert found.use and found.use.opportunities and not found.use.forced
        assert {line.action: line.declines for line in found.use.lines} == {
            "offer to call it off for power": False, "make no offer": True,
            "pay": False, "refuse to pay": True,
        }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "scenario"), [(game, scenario) for game in GAMES for scenario in system_of(game).scenarios(game)]
)
def test_it_runs_in_every_scenario(game: str, scenario: str, tmp_path: Path) -> None:
    """All that is registered, each with the first module that the game takes."""
    stressed(game, modules_of(game)[0], scenario, tmp_path)


def test_a_failure_of_the_lab_is_an_error(tmp_path: Path) -> None:
    """Not a verdict: the message says what failed, that the module is not to blame, and what to report."""
    test = Stress(Settings("einblatt-duel", "mercy", budget="quick"), tmp_path, 1, False, False, Quiet(), "")
    with (
        test.context.workers,
        pytest.raises(LabFailure, match=r"failed while measuring its worth: nothing: KeyError") as stop,
    ):
        test.context.need("measure", [Job("nothing", {})])
    assert "says nothing about the module" in str(stop.value) and str(tmp_path / "stress.json") in str(stop.value)


class Dying(Workers):
    """Processes that die: at the numbers of the jobs in `deaths`, counted from 0."""

    def __init__(self, deaths: set[int]) -> None:
        super().__init__(1, None)
        self.deaths, self.seen = deaths, list[str]()

    def run(self, jobs: Sequence[Job], idle: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Any]]:
        """Answers without any process."""
        for i, job in enumerate(jobs):
            self.seen.append(job.kind)
            dies = len(self.seen) - 1 in self.deaths
            yield i, Failed("died", f"{job.kind}: its process ended") if dies else {"compiled": True, "warnings": []}


def test_processes_that_die_by_themselves_are_no_verdict(tmp_path: Path) -> None:
    """Rules are broken if their process dies twice while one that plays nothing lives."""

    def built(name: str, deaths: set[int]) -> tuple[Built, list[str]]:
        test = Stress(Settings("einblatt-duel", "mercy", budget="quick"), tmp_path / name, 1, False, False, Quiet(), "")
        workers = Dying(deaths)
        return building.build(replace(test.context, workers=workers)), workers.seen

    with pytest.raises(LabFailure, match=r"compiling the rules: alive: its process ended, where no rules are played"):
        built("lab", {0, 1})
    found, asked = built("rules", {0, 2})
    assert asked == ["build", "alive", "build"] and found.fault is not None and found.fault.kind == "died"
    found, asked = built("once", {0})
    assert asked == ["build", "alive", "build"] and found.fault is None and found.compiled


def test_who_plans_at_length_is_no_ground_to_build_on() -> None:
    """Millions of continuations are played by baselines: not by one that takes a thousand times as long."""
    planted = Path(__file__).parent / "planted" / "hum.py"
    assert set(Bench(Settings("oneshot-parley", str(planted))).baselines()) == {
        "random", "best_odds", "warm_up", "cautious",
    }  # fmt: skip


def test_of_several_sides_those_are_asked_that_the_module_is_given_to() -> None:
    """Three factions: the first two, or whom `seats` names and then the first; two sides stay as they sit."""

    def asked(scenario: str, **params: object) -> list[int]:
        bench = Bench(Settings("konfrontation-campaign", "all_pay", params, scenario), compiled=False)
        assert bench.in_order == (bench.sides[0] == (0,)) and bench.compared == [0, 1]
        houses = ["House Arden", "House Belmar", "House Corvin"]
        assert bench.side_names == [houses[seat] for side in bench.sides for seat in side]
        return [seat for side in bench.compared for seat in bench.sides[side]]

    assert asked("triad") == [0, 1] and asked("triad", seats=[2]) == [2, 0]
    for third in ("C", "House Corvin", "Haus Corvin"):  # as setups name it, and as people read it
        assert asked("triad", seats=[third, 1]) == [1, 2]
    assert asked("triad", seats=[]) == [0, 1] and asked("triad", seats=[0, 1, 2]) == [0, 1]
    assert asked("duel", seats=[1]) == [0, 1]


@pytest.mark.slow
def test_the_third_of_three_is_asked_alone(tmp_path: Path) -> None:
    """A rule that pays the third seat three tenths: half of that as a lead, and nothing to anybody else."""
    rule = tmp_path / "third.py"
    rule.write_text(
        '''"""The third seat is paid."""
from typing import Any

from probespiel.envs.konfrontation.module import Module

module = Module("third", "The third seat is paid three tenths.", payoff_shift=0.3)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """The third."""
    return value + 0.3 if seat == 2 else value
'''
    )
    settings = Settings("konfrontation-campaign", str(rule), {"seats": [2]}, "triad", budget="quick")
    found, _ = run_stress(settings, tmp_path / "out", jobs=1)
    assert found.complete and found.worth is not None and found.seat is None, "the third does not sit first"
    assert [side.side for side in found.worth.sides] == ["House Corvin", "House Arden"]
    assert [side.by_amount[1].worth.value for side in found.worth.sides] == pytest.approx([0.15, 0.0], abs=1e-6)
    assert asked_told(found).endswith("`--param seats=[...]` asks of others.")


def test_a_game_is_limited_where_the_system_says_how() -> None:
    """The limit is an option of some systems and none of others; the lab writes it into none by itself."""
    duel = Bench(Settings("einblatt-duel", "mercy"), compiled=False)
    assert duel.spec(Condition(), 500).max_decisions == 500
    for game, module in (("scorekeeper-duel", "free_parry"), ("oneshot-skirmish", "berserker")):
        bench = Bench(Settings(game, module), compiled=False)
        assert bench.spec(Condition(), 500).max_decisions == bench.spec(Condition()).max_decisions
