"""How an exploit is looked for, by scripted players and clocks: which way, for how long, what is measured and shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.exploit import exact, run
from probespiel.evaluation.exploit.records import EXACT, LEARNED, Exploited, Figure, Target
from probespiel.evaluation.exploit.run import Plan


@pytest.mark.parametrize("counted", [False, True])
def test_games_are_spread_where_they_are_counted(counted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "Bench", lambda *given, **named: (given, named))
    monkeypatch.setattr(run, "Games", SimpleNamespace(of=lambda *given: given))
    closed: list[str] = []
    monkeypatch.setattr(run, "Spread", lambda *given: SimpleNamespace(given=given, close=lambda: closed.append("s")))
    target: Any = SimpleNamespace(agent="her")
    plan, game, candidates, engine = Plan(seed=9, steps=5 if counted else 0), *cast(Any, ("game", "some", "engine"))
    bench, spread = cast(Any, run._seated(game, target, candidates, plan, engine))
    assert bench == (("game", "her", "some", 9), {"spread": spread})
    assert (spread.given if spread else None) == (("engine", (target, "some", 9)) if counted else None)
    run._leave(cast(Any, SimpleNamespace(close=lambda: closed.append("b"))), spread)
    assert closed == (["b", "s"] if counted else ["b"])


@pytest.mark.parametrize(("per_table", "counted"), [(False, False), (False, True), (True, False)])
def test_learned_answers_are_ranked_and_measured(
    per_table: bool, counted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of the first side the best leads what the agent gets by 0.5, of the second by 2: that one is shown.

    Learning may take its share of 100 seconds, less the 3 that computing took.
    """
    now, log = [50.0], list[Any]()

    class Courses:
        def __init__(self, *given: Any) -> None:
            log.append(given[2:])

        def learn(self, seconds: float, tell: Any, stopped: Any) -> list[Any]:
            log.append(round(seconds, 6))
            return ["run"]

        def learn_in_legs(self, steps: int, *given: Any) -> list[Any]:
            log.append(("legs", steps, given[0]))
            return ["run"]

    def computed(*given: Any) -> list[str]:
        now[0] += 3.0
        return ["computed"]

    ranked = [[(1, 5.5), (0, 5.0), (2, -9.0)], [(2, 4.0), (1, 3.0), (0, 2.0)]]
    bench = SimpleNamespace(names=["agent", "x", "y"], choose=lambda *given: log.append(given) or (ranked, 44))
    stands: dict[str, Any] = {
        "time": SimpleNamespace(monotonic=lambda: now[0]), "Courses": Courses, "_computed": computed,
        "_learned": lambda folder, runs: [f"learned {r}" for r in runs], "_known": lambda game: ["known"],
        "_seated": lambda game, target, candidates, *rest: log.append(candidates) or (bench, None),
        "_leave": lambda *given: log.append("left"),
        "_measured": lambda bench, heroes, lists, plan: ("bound", (heroes, lists), 321),
        "_replay": lambda bench, heroes, best, folder, bound: f"shown {best} of {heroes}",
    }  # fmt: skip
    for name, stand in stands.items():
        monkeypatch.setattr(run, name, stand)
    game: Any = SimpleNamespace(name="chess", spec=SimpleNamespace(scenario="short"))
    target: Any = SimpleNamespace(agent="her")
    plan = Plan(seconds=100.0, seeds=3, seed=9, steps=7 if counted else 0, command="as typed")
    told: list[Any] = []
    found = cast(Any, run._by_learning(
        game, target, tmp_path, plan, cast(Any, SimpleNamespace(per_table=per_table)), ("why not",),
        lambda *given: told.append(given), lambda: counted, cast(Any, "engine"),
    ))  # fmt: skip
    learning = [] if per_table else [(tmp_path, 9, 3), ("legs", 7, "engine") if counted else run.LEARNING * 100 - 3]
    candidates = ["known"] if per_table else ["computed", "learned run", "known"]
    assert log == [*learning, candidates, (plan.chosen_by, plan.share(run.CHOOSING)), "left"]
    assert told == [(1.0, "choosing and measuring")]
    first, second = (("x", 5.5), ("agent", 5.0), ("y", -9.0)), (("y", 4.0), ("x", 3.0), ("agent", 2.0))
    assert found.sides == ([1, 2], [first, second])
    assert (found.bound, found.games, found.chosen_by, found.seconds) == ("bound", 321, 44, 0.0)
    assert found.replay == "shown 1 of [1, 2]" and found.complete is not counted
    assert found.runs == (() if per_table else ("run",)) and (found.seed, found.command) == (9, "as typed")
    assert found.notes[0] == "Not enumerated: why not." and len(found.notes) == 1 + per_table


def test_shares_of_a_plan() -> None:
    """Seconds, or without end where numbers count; a tenth of the games chooses, in whole blocks or more."""
    assert Plan(seconds=8.0).share(0.25) == 2.0 and Plan(steps=1).share(0.25) == float("inf")
    assert not Plan(steps=0).counted and Plan(steps=1).counted
    assert (Plan().chosen_by, Plan().measured_by) == (run.CHOOSE, run.MEASURE)
    block = run.BLOCK
    some = [Plan(steps=1, games=games) for games in (5 * block, 30 * block, 20 * run.CHOOSE)]
    assert [one.chosen_by for one in some] == [block, 3 * block, run.CHOOSE] and some[0].measured_by == 5 * block


def test_a_replay_shows_the_exploit_or_what_the_answer_gets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where nothing is gained, or the agent itself is the best, no exploit is looked for."""
    asked: list[Any] = []
    saved: list[Path] = []
    replay: list[Any] = [SimpleNamespace(save=saved.append)]
    monkeypatch.setattr(run, "shown", lambda *given: asked.append(given) or replay[0])
    bench: Any = "bench"
    for heroes, bound, gaining in (([1, 2], 0.5, True), ([1, 0], 0.5, False), ([1, 2], 0.0, False)):
        assert run._replay(bench, heroes, 1, tmp_path, Figure(1.0, bound, 2.0)) == run.REPLAY
        assert asked.pop() == (bench, heroes[1], 1, 20 * run.CHOOSE, gaining)
    assert saved == [tmp_path / run.REPLAY] * 3
    replay[0] = None
    assert run._replay(bench, [1, 2], 0, tmp_path, Figure(1.0, 0.5, 2.0)) == "" and len(saved) == 3


def test_what_can_be_enumerated_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """By histories if that is exact, else by positions, else by histories with what is missing; or it is said why."""
    sure: Any = exact.Answered(cast(Any, None), True, 0, 1.0, (), 0)
    unsure: Any = replace(sure, exact=False)
    placed = replace(sure, positions=5)
    agent: Any = SimpleNamespace(name="her")
    asked: list[Any] = []
    for tree, positions, wanted in (
        (sure, placed, (sure, ())), (unsure, placed, (placed, ())),
        (unsure, "no", (unsure, ("the chances of her are not known",))), ("too large", placed, (placed, ())),
        ("too large", "no", (None, ("too large", "no"))), ("no", "no", (None, ("no",))),
    ):  # fmt: skip
        monkeypatch.setattr(run, "answer_by_tree", lambda *given, tree=tree: asked.append(given) or tree)
        monkeypatch.setattr(run, "answer_by_positions", lambda *given, found=positions: asked.append(given) or found)
        assert run._enumerated(cast(Any, "game"), agent, Plan(seconds=8.0)) == wanted
    assert asked[0] == ("game", agent, 4.0, 0) and asked[2] == ("game", agent)


def test_which_way_an_agent_is_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By the method that is asked for; games need two sides, and an engine a plan that is counted."""
    sides = [2]
    seat = SimpleNamespace(side="A", side_called={"en": "House A", "de": "Haus A"}.get)
    game = SimpleNamespace(name="chess", spec=SimpleNamespace(scenario="short"), seats=[seat])
    monkeypatch.setattr(run, "make_game", lambda *given, **named: setattr(game, "sides", [0] * sides[0]) or game)
    monkeypatch.setattr(run, "asked_apart", lambda *given: SimpleNamespace(name="", given=given, close=lambda: None))
    monkeypatch.setattr(run, "runs_files", lambda game: ("trusted",))
    log: list[Any] = []
    found: list[Any] = [SimpleNamespace(exact=True)]
    monkeypatch.setattr(run, "_enumerated", lambda game, agent, plan: (found[0], ("because",)))
    result = Exploited("chess", "short", "her", EXACT, Figure(1.0, 1.0, 1.0), (), 0, 0, 9.0, 1)
    monkeypatch.setattr(run, "_by_tree", lambda *given: log.append(("tree", given[4], given[5])) or result)
    monkeypatch.setattr(
        run, "_by_learning", lambda *given: log.append(("learning", given[4].name, given[5], given[8])) or result
    )
    monkeypatch.setattr(run, "Local", lambda: "here")
    target = Target("chess", "her")

    def told(method: str = "auto", **more: Any) -> Any:
        return run.exploit(target, tmp_path, Plan(method=method, steps=more.pop("steps", 0)), **more)

    one = told()
    assert log.pop() == ("tree", found[0], "here") and one.trust == ("trusted",) and one.german == {"House A": "Haus A"}
    assert one.seconds is not None and 0 <= one.seconds < 9.0
    counted = told(EXACT, engine="there", steps=3)
    assert counted.seconds is None and log.pop() == ("tree", found[0], "there")
    told(LEARNED)
    assert log.pop() == ("learning", "her", ("asked for learned answers",), "here")
    found[0] = None
    told(engine="there", steps=3)
    assert log.pop() == ("learning", "her", ("because",), "there")
    for some in (None, SimpleNamespace(exact=False)):
        found[0] = some
        with pytest.raises(ProbespielError, match="--method exact is not possible: because"):
            told(EXACT)
    with pytest.raises(ProbespielError, match="method = 'guess' is not allowed"):
        told("guess")
    with pytest.raises(ProbespielError, match="give steps"):
        told(engine="there")
    sides[0] = 1
    with pytest.raises(ProbespielError, match=r"chess \(short\) has one side"):
        told()


def test_a_plan_by_the_clock_as_one_by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three workers on two trainings: both at once. A deal costs 0.005 s, twice on either side."""
    learned: list[float] = []
    closed: list[str] = []
    per_table, cost = [False], [0.005]
    monkeypatch.setattr(run, "make_game", lambda *given, **named: "game")
    monkeypatch.setattr(run, "make_agent", lambda *given: SimpleNamespace(per_table=per_table[0]))
    monkeypatch.setattr(run, "steps_within", lambda target, game, seed, seconds: learned.append(seconds) or 77)
    bench = SimpleNamespace(sides=[0, 1], close=lambda: closed.append("closed"))
    monkeypatch.setattr(run, "Bench", lambda *given: bench)
    monkeypatch.setattr(run, "Spread", lambda *given: SimpleNamespace(cost=lambda bench: cost[0]))
    target = Target("chess", "her")
    found = run.planned(target, Plan(seconds=100.0, seeds=2), 3)
    deals = int(run.MEASURING * 300 / (0.005 * 2 * 2))
    assert found.steps == 77 and closed == ["closed"]
    assert found.games == deals // run.BLOCK * run.BLOCK and 4 * run.BLOCK < found.games < run.MEASURE
    run.planned(target, Plan(seconds=100.0, seeds=4), 3)
    assert learned == pytest.approx([run.LEARNING * 100, run.LEARNING * 100 * 3 / 4])
    cost[0], per_table[0] = 1e9, True
    least = run.planned(target, Plan(seconds=100.0, seeds=2), 1)
    assert (least.steps, least.games) == (1000, 4 * run.BLOCK)
    cost[0] = 1e-9
    assert run.planned(target, Plan(seconds=100.0), 1).games == run.MEASURE
