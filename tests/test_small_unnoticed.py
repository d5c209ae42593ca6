"""Lines in which a planted error had gone unnoticed, each by a case small enough to work out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import exact as exact_play
from probespiel.app.session import record
from probespiel.app.session.table import Table
from probespiel.envs import make_game
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.replay import Choice, Die
from probespiel.evaluation.balance import design
from probespiel.evaluation.oneshot import builds, builds_report
from probespiel.evaluation.report import trained
from probespiel.evaluation.scorekeeper import duel
from probespiel.evaluation.stress import breakage, building, compare, lab, marking_kernel, probe_kernel, usage
from probespiel.evaluation.stress.findings import Fault
from probespiel.evaluation.stress.marking_kernel import has_a_say, is_marked
from probespiel.evaluation.stress.sample import parting
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.workers import Job
from probespiel.evaluation.tournament import results
from probespiel.training.einblatt import duel_gap

from .lab_findings import findings


def plainly(function: Any) -> Any:
    """A compiled function as it is written."""
    return getattr(function, "py_func", function)


def found_builds(*values: float) -> builds.BuildSearch:
    """A search with these values of builds, of which the number is the attribute, and two weapons each."""
    chars: list[Any] = [
        {**dict.fromkeys(builds.ATTRIBUTES, k % 2), "weapons": [f"axe {k % 2}", "knife"], "armour": "mail"}
        for k in range(len(values))
    ]
    n = len(values)
    field = builds.Field(chars, ["attack"] * n, np.zeros((n, 1), np.int64), np.ones(n, np.int64))
    equilibrium = builds.Equilibrium(np.arange(1), np.zeros((n, 1)), np.ones(1), np.array(values))
    return builds.BuildSearch("axe", {}, n, field, equilibrium, [], None)


def test_the_best_builds_with_a_key_may_be_the_last_ones() -> None:
    found = found_builds(-0.5, -0.75, -0.25, -0.0625)
    assert found.best_by(builds_report.gear_of) == {"axe 1, mail": -0.0625, "axe 0, mail": -0.25}
    assert list(found.best_by(builds_report.gear_of)) == ["axe 1, mail", "axe 0, mail"]


def test_builds_are_written_into_a_folder_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("text_of", "csv_of", "json_of"):
        monkeypatch.setattr(builds_report, name, lambda *given, name=name: name)
    monkeypatch.setattr(builds_report, "plot", lambda found, path, lang: path.write_text(lang))
    for lang in ("en", "de"):
        paths = builds_report.write(found_builds(0.0), tmp_path / "a" / "b", lang)
        assert [path.read_text() for path in paths] == ["text_of", "csv_of", "json_of", lang]


def test_games_part_at_a_decision_or_at_a_die() -> None:
    """Where the first thing that differs is a die before all decisions, they were never the same."""
    one, two, low, high = Choice(0, 1), Choice(0, 2), Die(6, 0), Die(6, 5)

    def parted(first: list[Any], second: list[Any]) -> int | None:
        return parting(cast(Any, SimpleNamespace(steps=first)), cast(Any, SimpleNamespace(steps=second)))

    assert parted([low, one], [high, one]) is None
    assert parted([low, one], [low, two]) == 0
    assert parted([one, low, one], [one, high, two]) == 1
    assert parted([one, low, two], [one, low, one]) == 1
    assert parted([one, two], [one, two, one]) == 2


@pytest.mark.parametrize(("action", "told"), [(3, True), (40, True), (64, False), (5, False)])
def test_a_decision_is_about_the_module_whatever_its_number_is(
    action: int, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sets of actions are words of 32 bits; 3 and 40 are the module's."""
    sets = np.zeros((2, 3), np.int64)
    sets[0, 0], sets[0, 1] = 1 << 3, 1 << 8
    sets[1, action >> 5] = 1 << (action & 31)
    marking = SimpleNamespace(marked=sets[0], phases=np.array([0, 1]))
    say, plain = plainly(has_a_say), plainly(is_marked)
    monkeypatch.setattr(marking_kernel, "is_marked", plain)
    assert (say(0, sets[1], marking), plain(1, marking)) == (told, True)
    assert (plain(0, marking), plain(2, marking), plain(-1, marking)) == (False, False, False)


@pytest.mark.parametrize(("payoffs", "told"), [
    ((-2.0, 2.0), False), ((2.0, -2.0 - 1e-10), False), ((-2.1, 2.0), True), ((0.0, 2.1), True),
    ((0.0, float("nan")), True), ((float("inf"), 0.0), True),
])  # fmt: skip
def test_a_payoff_out_of_its_range_is_told(
    payoffs: tuple[float, float], told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = np.zeros(2)

    def call(*given: Any) -> int:
        assert given[-1] is room
        room[:] = payoffs
        return 0

    monkeypatch.setattr(probe_kernel, "call_kernel", call)
    monkeypatch.setattr(probe_kernel, "address_of", lambda array: array)
    watch = SimpleNamespace(bounds=np.array([-2.0, 2.0]))
    assert bool(plainly(probe_kernel.bad_payoff)(0, 0, 0, watch, room, 2)) == told


def test_a_replay_of_a_failure_has_so_many_decisions_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def ask(step: str, jobs: list[Job]) -> list[Any]:
        asked.extend(job.args["upto"] for job in jobs)
        return ["answer"]

    monkeypatch.setattr(breakage, "_path_of", lambda fault, number: "")
    monkeypatch.setattr(breakage, "with_replay", lambda fault, answer: fault)
    job = Job("break", {"condition": "all", "games": 5, "seed": 1, "choosy": False})
    for length in (None, 7, 2000, 2001):
        fault = Fault("loop", "it goes on", "everybody", 1, 5, length)
        assert breakage._shown(cast(Any, SimpleNamespace(ask=ask)), fault, 3, job, 0) is fault
    assert asked == [0, 7, 2000, 2000]


def test_who_plays_no_rules_has_time_to_live(tmp_path: Path) -> None:
    """Before rules are blamed for the end of a process: as long as they had themselves."""
    died, seen = building.Failed("died", "ended"), []  # type: ignore[var-annotated]
    answers: list[Any] = [died, {"compiled": True, "warnings": []}]

    def run(jobs: list[Job], tick: Any) -> list[Any]:
        seen.extend((job.kind, job.args, job.seconds) for job in jobs)
        return [(0, {"alive": True})]

    context = cast(Any, SimpleNamespace(
        begin=lambda step: None, folder=tmp_path, ask=lambda step, jobs: [answers.pop(0)],
        watcher=SimpleNamespace(tick=None), workers=SimpleNamespace(run=run),
    ))  # fmt: skip
    assert building.build(context) == building.Built(True, (), None)
    assert building.Built(True) == building.Built(True, (), None)
    assert seen == [("alive", {}, building.SECONDS)] and building.SECONDS >= 30


def test_a_module_is_found_by_its_place_among_others() -> None:
    modules = ["first", "second", "third"]
    for place, name in enumerate(modules):
        bench = SimpleNamespace(modules=modules, options={"modules": dict.fromkeys(modules)}, module=name)
        assert lab.module_of(cast(Any, bench)) == modules[place]


def test_a_guided_strategy_throws_as_its_stream_says(monkeypatch: pytest.MonkeyPatch) -> None:
    class Made:
        stream = "of all"

    monkeypatch.setattr(lab, "Guided", Made)
    given: list[Any] = []
    here = SimpleNamespace(bench=SimpleNamespace(player=lambda *what: given.append(what) or Made()), marks="marks")
    made = lab.Lab.guided(cast(Any, here), cast(Any, "strategy"))
    assert given == [("strategy", "marks")] and vars(made) == {} and made.stream == "of all"


def test_no_draws_in_some_games_have_an_interval() -> None:
    """By Wilson: of n deals without one up to z² / (n + z²)."""
    made = findings()
    play = SimpleNamespace(games=100, draws=0.0)
    told = compare._draws(cast(Any, SimpleNamespace(dynamics=SimpleNamespace(everybody=play), budget=made.budget)))
    assert told is not None and (told.value, told.low) == (0.0, 0.0)
    n = 100 / compare.BUDGETS[made.budget].replicates
    assert told.high == pytest.approx(compare._Z**2 / (n + compare._Z**2))
    assert compare._draws(cast(Any, SimpleNamespace(dynamics=None))) is None


def test_the_better_half_is_ordered_by_what_all_points_show(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(design, "scales", lambda targets, figures: seen.append((targets, figures)) or "scale")
    monkeypatch.setattr(design, "hopeful_loss", lambda targets, figures, scale: (scale, figures))
    known = {(k,): value for k, value in enumerate((5, 3, 4, 1, 2, 0, 9, 8, 7, 6, 11, 10))}
    found = design.better_half(cast(Any, ["target"]), cast(Any, known))
    assert seen == [(["target"], list(known.values()))]
    assert found == sorted(known, key=lambda k: known[k])[: max(design.LEAST, 6)]


def test_a_use_is_sampled_with_the_dice_of_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals, seats, agents and decisions: each by the seed that was given."""

    class Sampled(Exception):
        pass

    seeds: list[Any] = []

    def sampled(*given: Any, **more: Any) -> None:
        raise Sampled(more["sample"].seeds)

    monkeypatch.setattr(usage, "draw_pairs", lambda first, second, numbers, seed: seeds.append(seed))
    monkeypatch.setattr(usage, "schedule_of", lambda *given: seeds.append(given[-1]) or SimpleNamespace(
        seating=np.zeros((2, 2), np.int64), dice=0, tables=0
    ))  # fmt: skip
    monkeypatch.setattr(usage, "cast_of", lambda game, cast, seed: seeds.append(seed) or ("cast", []))
    monkeypatch.setattr(usage, "space_of", lambda game: None)
    monkeypatch.setattr(usage, "marking_of", lambda game, marks: None)
    monkeypatch.setattr(usage, "position_bytes", lambda *given, **more: None)
    monkeypatch.setattr(usage, "rng_table", lambda *given: given)
    monkeypatch.setattr(usage, "sample_uses", sampled)
    game = SimpleNamespace(layout=SimpleNamespace(size=3), address=0, params_address=0, n_seats=2)
    here = SimpleNamespace(game=lambda condition: game, guided=lambda one: one, bench=None, marks=None)
    alone = Mixture((Strategy("a"),), (1.0,))
    with pytest.raises(Sampled) as told:
        usage.worths(cast(Any, here), cast(Any, "all"), alone, alone, 5, 20, 4, 0.5, 77)
    assert told.value.args == ((77, 20, "uses"),) and seeds == [77, 77, 77]


def test_every_random_game_that_tells_a_size_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    class Position:
        over, steps = False, 0

        def die(self) -> int:
            return 10

        def fall(self, value: int) -> None:
            assert value == 3

    game = cast(Any, SimpleNamespace(position=Position))
    rng = SimpleNamespace(integers=lambda faces: 3)
    monkeypatch.setattr(exact_play.np.random, "default_rng", lambda seed: seeds.append(seed) or rng)
    assert exact_play.surely_too_large(game, 100) and seeds == list(range(exact_play.PROBES))


def test_games_from_before_were_not_rated() -> None:
    """Lines of a record that do not say so."""
    line = {
        "when": 1.0, "game": "kuhn", "scenario": "standard", "modules": [], "ruleset": "x", "seat": "A",
        "opponent": "random", "score": 0.5, "payoff": 0.0, "practice": False, "file": "a.json",
    }  # fmt: skip
    old = record._read(json.dumps(line).encode())
    assert old is not None and old.rated is False and old.margin is None and old.usual is None
    rated = record._read(json.dumps({**line, "rated": True}).encode())
    assert rated is not None and rated.rated is True


def test_classes_of_cards_are_fifteenths() -> None:
    """The three best of a hand, the first one first; cards that are not held count 0."""
    tree = cast(Any, object.__new__(duel_gap.DuelTree))
    seen = {
        "hand": np.array([[1, 1, 0, 1, 1], [1, 0, 0, 0, 0]]),
        "my_class": np.array([[15, 8, 14, 7, 1], [13, 2, 3, 4, 5]]) / 15,
    }
    tree.game = SimpleNamespace(layout=SimpleNamespace(view=lambda observations: seen))
    tree.seen_by = lambda states, seat: (None, None)
    assert tree.best_three(np.zeros((2, 1)), 0).tolist() == [[15.0, 8.0, 7.0], [13.0, 0.0, 0.0]]


def test_who_waits_may_do_nothing_alone() -> None:
    """In the parallel form, whatever it has done before: of two seats of Kuhn poker one has two actions, one none."""
    env = ProbespielParallel(make_game("kuhn", compiled=False))
    alone = np.eye(env.game.n_actions, dtype=np.int8)[env.game.spec.no_op]
    for seed in range(4):
        seen, _ = env.reset(seed=seed)
        for _ in range(2):
            masks = [seen[agent]["action_mask"] for agent in env.possible_agents]
            waiting = [mask for mask in masks if np.array_equal(mask, alone)]
            assert len(waiting) == 1 and sorted(int(mask.sum()) for mask in masks) == [1, 2]
            seen = env.step({agent: int(seen[agent]["action_mask"].argmax()) for agent in env.possible_agents})[0]
            if not env.agents:
                break


def test_an_agent_that_is_ready_is_not_begun_again() -> None:
    """It was prepared, and told its seed, where it was made."""

    def begun(*given: Any) -> None:
        raise AssertionError("it was ready")

    ready = cast(Any, SimpleNamespace(prepare=begun, reset=begun, per_table=False))
    table = Table(make_game("kuhn", compiled=False), {0: "human", 1: "random"}, 1, ready={1: ready})
    assert table._agent(1) is ready


def test_a_course_is_averaged_over_its_last_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten of them, fewer at its beginning; opponents that were met once alone are left out."""
    drawn: list[Any] = []
    monkeypatch.setattr(trained, "lines_plot", lambda lines, *words: drawn.append((lines, words[2])) or "plot")
    t: Any = type("Words", (), {"__call__": lambda self, text: text, "word": lambda self, text: text.upper()})()
    course = [
        SimpleNamespace(decisions=10 * i, payoffs={"self": float(i), **({"once": 1.0} if i == 3 else {})})
        for i in range(13)
    ]
    assert trained.course_plot(cast(Any, SimpleNamespace(course=course)), t) == "plot"
    (((kind, at, mean),), name) = drawn[0]
    assert (kind, name) == ("SELF", "course") and at.tolist() == [10.0 * i for i in range(13)]
    assert mean.tolist() == [i / 2 for i in range(10)] + [5.5, 6.5, 7.5]
    assert trained.course_plot(cast(Any, SimpleNamespace(course=course[:1])), t) == ""


def test_nothing_of_a_result_is_missing() -> None:
    assert [field.name for field in results.SCHEMA if field.nullable] == []


def test_a_counter_is_made_where_it_pays() -> None:
    """One state, worth 0.2 to the faster. One blow ends the fight in three of four cases, the other never.

    One that gets through makes of it 0.8 for the faster, of which a save leaves a half of the way: 0.5. A counter that
    hits in six of ten cases so brings 0.4 * 0.2 + 0.6 * 0.5; one of the slower 0.4 * 0.2 - 0.6 * 0.25, as -0.7 would
    follow and a save is made. Who is sure of the fight counters nothing.
    """
    blows = [np.array([[1.0, 0.0]]), np.array([[0.25, 0.75]])]
    side: Any = SimpleNamespace(save=np.array([0.5]), counter=[np.array([0.6])] * 2, blow=blows)
    even = duel.Round(side, side, "any", np.array([[0.2]]))
    assert even.counter_of_fast.tolist() == [[pytest.approx(0.38)]]
    assert even.counter_of_slow.tolist() == [[pytest.approx(-0.07)]]
    assert duel.Round(side, side, "any", np.array([[1.0]])).counter_of_fast.tolist() == [[1.0]]
    assert duel.Round(side, side, "any", np.array([[-1.0]])).counter_of_slow.tolist() == [[-1.0]]
