"""What steps of the lab hand to others, by hand: who plays whom in which condition, and which game is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.declaration import Lineup
from probespiel.evaluation.exploit import learned
from probespiel.evaluation.exploit.records import Target
from probespiel.evaluation.stress import breakage, dominance, dynamics, exploit, levels, stakes
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.dynamics import Courses, Raw, choices_of, tension
from probespiel.evaluation.stress.probe_kernel import FINE, KINDS, NO_MOVE, NOBODY_ASKED
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.training.legs import Moment, Reached

CONDITIONS = {NOBODY: Condition(), EVERYBODY: Condition(holders=(0, 1)), "A": Condition((0,)), "B": Condition((1,))}
BENCH = SimpleNamespace(
    holder_conditions=lambda: CONDITIONS, alone=lambda side: "AB"[side], whole_table=False, everybody=lambda: "all",
    side_names=("white", "black"), sides=("white", "black"),
)  # fmt: skip


def alone(name: str) -> Mixture:
    return Mixture((Strategy(name),), (1.0,))


def circle(size: float) -> np.ndarray:
    """Rock, paper, scissors by so much, eight blocks."""
    return np.tile(size * np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]]), (8, 1, 1))


def test_strategies_meet_those_of_their_own_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has it: those found without it. Everybody has it: those found with it, who also meet without it."""
    asked: list[Any] = []
    rated: list[Any] = []

    def matrices(step: str, wanted: list[Any], deals: int, seed: str) -> list[np.ndarray]:
        asked.extend(wanted)
        return [circle(1.0), np.zeros((8, 3, 3)), circle(9.0)]

    def use_rates(context: Any, players: list[Strategy], opponent: Strategy) -> list[float]:
        rated.append(([p.name for p in players], opponent.name))
        return [0.25, 0.5, 1.0]

    monkeypatch.setattr(dominance, "_use_rates", use_rates)
    pools = {NOBODY: [[Strategy("a"), Strategy("b")], [Strategy("b"), Strategy("c")]],
             EVERYBODY: [[Strategy("d")], [Strategy("e"), Strategy("f")]]}  # fmt: skip
    context = cast(Any, SimpleNamespace(
        begin=lambda _: None, bench=BENCH, budget=SimpleNamespace(matrix=5, resamples=8), matrices=matrices,
        marked=True, seed=lambda _: 1, scale=1.0,
    ))  # fmt: skip
    prelude, chosen = cast(Any, SimpleNamespace(anchor=Strategy("anchor"))), cast(Any, SimpleNamespace(pools=pools))
    found, variety = dominance.look_for_dominance(context, prelude, chosen)
    told = [(conditions, [p.name for p in rows], [p.name for p in columns]) for conditions, rows, columns in asked]
    first, second = list("abc"), list("def")
    assert told == [
        ([CONDITIONS[NOBODY]], first, first), ([CONDITIONS[EVERYBODY]], second, second),
        ([CONDITIONS[NOBODY]], second, second),
    ]  # fmt: skip
    assert rated == [(second, "anchor")], "who does not have it cannot use it"
    assert [row.use_rate for row in found.nobody.strategies] == [None] * 3
    assert [row.use_rate for row in found.everybody.strategies] == [0.25, 0.5, 1.0]
    assert (found.nobody.games, found.everybody.games) == (45, 45)
    assert found.nobody.cyclic.value == pytest.approx(1.0) and found.everybody.cyclic.value == 0.0
    assert variety.value == pytest.approx(3.0), "of three that differ by far, without it"


def test_levels_of_the_game_are_asked_with_the_module_on_one_side_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Margins without and with it, 1 and 3 on side A, 0 and 1 on side B: a mean of (2 + 1) / 2."""
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[dict[str, Any]]:
        jobs.extend(job.args for job in asked)
        return [
            {"margins": [[1.0] * 4, [3.0] * 4] if job.args["hero"] == 0 else [[0.0] * 4, [1.0] * 4], "rate": 0.5,
             "error": 0.1, "game": {"deal": 7 + job.args["hero"], "result": 2.0}}
            for job in asked
        ]  # fmt: skip

    monkeypatch.setattr(levels, "level_named", lambda context, number: f"level {number}")
    monkeypatch.setattr(levels, "lineup_of", lambda context: Lineup())
    monkeypatch.setattr(levels, "deals_of", lambda context, prelude, agent: 0 if agent == "level 5" else 4)
    context = cast(Any, SimpleNamespace(bench=BENCH, sides=(0, 1), used=True, need=need, seed=lambda *_: 1))
    found, games = levels._declared(context, cast(Any, None))
    told = [(job["agent"], job["conditions"], job["hero"], job["path"]) for job in jobs]
    without, a, b = CONDITIONS[NOBODY], CONDITIONS["A"], CONDITIONS["B"]
    assert told == [
        ("level 2", [without, a], 0, "replays/typical-beginners.json"), ("level 2", [without, b], 1, ""),
        ("level 8", [without, a], 0, "replays/typical-experts.json"), ("level 8", [without, b], 1, ""),
    ]  # fmt: skip
    assert list(found) == ["beginners", "experts"], "who cannot be afforded is not asked"
    worth = found["beginners"].worth
    assert worth is not None and worth.value == 1.5
    assert [(game.name, game.deal) for game in games] == [("beginners", 7), ("experts", 7)]


def test_a_rule_of_the_whole_table_is_asked_of_one_side() -> None:
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[dict[str, Any]]:
        jobs.extend(asked)
        return [{"margins": [[0.0] * 4] * 2, "rate": None, "error": None, "game": {"deal": 0, "result": 0.0}}
                for _ in asked]  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "level_named", lambda context, number: f"level {number}")
        patch.setattr(levels, "lineup_of", lambda context: Lineup())
        patch.setattr(levels, "deals_of", lambda *_: 4)
        bench = SimpleNamespace(**{**vars(BENCH), "whole_table": True})
        context = cast(Any, SimpleNamespace(bench=bench, sides=(0, 1), used=False, need=need, seed=lambda *_: 1))
        found, _ = levels._declared(context, cast(Any, None))
    assert len(jobs) == 3 and {level.worth for level in found.values()} == {None}


def test_stronger_levels_meet_weaker_ones_both_ways_of_sitting() -> None:
    """Two levels and the experts, in four conditions; those found without it leave it alone where they have it."""
    cells: list[Any] = []

    def of(mixture: Mixture) -> str:
        strategy = mixture.strategies[0]
        return strategy.name + ("" if strategy.use == "as_is" else f", {strategy.use}")

    def asked(step: str, wanted: list[Any], deals: int, seed: str) -> list[np.ndarray]:
        cells.append([(where, of(rows), of(columns)) for where, ((rows, columns),) in wanted])
        # the stronger wins as side 0 of the first step, and draws all else
        return [np.array([1.0, 1.0]), *[np.zeros(2)] * 3]

    moved: list[Any] = []

    def all_moved(whose: str, held: bool) -> tuple[Mixture, Mixture]:
        moved.append((whose, held))
        return alone("row"), alone("column")

    context = cast(Any, SimpleNamespace(bench=BENCH, budget=SimpleNamespace(measure=400), used=True, cells=asked))
    ladder = [("weak", Strategy("w"), Strategy("W")), ("strong", Strategy("s"), Strategy("S"))]
    found = levels._skill(context, cast(Any, SimpleNamespace(all_moved=all_moved)), ladder)
    for at, (where, (w, s)) in enumerate([
        (NOBODY, ("w", "s")), (EVERYBODY, ("W", "S")), (EVERYBODY, ("w, never", "s, never")), (NOBODY, ("W", "S")),
    ]):  # fmt: skip
        c = CONDITIONS[where]
        assert cells[at] == [(c, s, w), (c, w, s), (c, "row", s), (c, s, "column")], at
    assert moved == [(NOBODY, False), (EVERYBODY, False), (NOBODY, True), (EVERYBODY, False)]
    assert found.steps == ("strong against weak", "experts against strong")
    assert found.nobody.tolist() == [0.625] * 2, "(1 + 1/2) / 2 of the first step, 1/2 of the second"


def test_the_figures_of_each_condition_stand_in_their_place() -> None:
    """The stronger wins all with nobody, loses all with everybody, and draws where strategies are moved."""
    results = iter([1.0, -1.0, 0.0, 0.0])

    def asked(step: str, wanted: list[Any], deals: int, seed: str) -> list[np.ndarray]:
        one = next(results)
        return [np.full(2, one), np.full(2, -one)]

    context = cast(Any, SimpleNamespace(bench=BENCH, budget=SimpleNamespace(measure=400), used=False, cells=asked))
    chosen = cast(Any, SimpleNamespace(all_moved=lambda *_: (alone("row"), alone("column"))))
    found = levels._skill(context, chosen, [("weak", Strategy("w"), Strategy("W"))])
    assert (found.nobody.tolist(), found.everybody.tolist()) == ([1.0] * 2, [0.0] * 2)
    assert found.moved[0].tolist() == found.moved[1].tolist() == [0.5] * 2


def test_a_fault_is_shown_by_its_shortest_game_and_a_number_is_large_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the games 1, 3 and 4 without a legal move the last two are the shortest: the first of them is shown."""

    def probe(*_: Any, found: Any, **__: Any) -> int:
        found.kinds[:] = [FINE, NO_MOVE, FINE, NO_MOVE, NO_MOVE, NOBODY_ASKED]
        found.lengths[:] = [10, 9, 20, 5, 5, 3]
        found.cycles[:] = [0, 1, 2, 3, 4, 5]
        found.payoffs[:] = [1.0, 50.0, -1.0, 50.0, 50.0, 50.0]
        found.most[:] = [[breakage.LARGE, 1, 9], [breakage.LARGE + 1, 4, 5]]
        found.phases[[1, 3]] = 2
        found.used[:] = 8, 6
        return 52

    watch = SimpleNamespace(counters=np.zeros(2))
    for name, made in {
        "probe": probe, "watch_of": lambda *_: watch, "counter_names": lambda *_: ["at the limit", "beyond it"],
    }.items():  # fmt: skip
        monkeypatch.setattr(breakage, name, made)
    game = SimpleNamespace(address=0, params_address=0, n_seats=2, layout=SimpleNamespace(size=77),
                           kernel=SimpleNamespace(raise_pending=lambda: None))  # fmt: skip
    bench = SimpleNamespace(spec=lambda _: SimpleNamespace(max_decisions=4), game=lambda _: game)
    found = breakage.search(cast(Any, SimpleNamespace(bench=bench)), Condition(), 6, 1)
    stuck, silent = found["faults"]
    assert stuck == {"kind": KINDS[NO_MOVE], "count": 3, "game": 3, "length": 5, "cycle": 3}
    assert (silent["kind"], silent["game"]) == (KINDS[NOBODY_ASKED], 5)
    assert found["large"] == [{"name": "beyond it", "value": breakage.LARGE + 1, "game": 4, "length": 5}]
    assert (found["mean_length"], found["longest"], found["spread"]) == (15.0, 20, 1.0), "of games that came to an end"
    assert found["phases"] == [1, 3] and (found["offered"], found["taken"], found["decisions"]) == (8, 6, 52)


@pytest.mark.parametrize("side", [0, 1])
def test_the_game_that_is_shown_turns_a_loss_into_a_win(
    side: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Six games by margins of the exploiter, with it and without:

    0: 9 and 8, won anyway; 1: 1 and -1, turned, long; 2: 1 and -1, turned, short; 3: 5 and -5, turned, but it is not
    used; 4: -1 and -9, lost anyway; 5: 7 and -7, turned, but its log is not complete. Four games are looked at: a use
    comes first, then a turn, then the larger gain, then the shorter game. 1 swings most, as much as 4 does.
    """
    sign = 1.0 if side == 0 else -1.0
    with_it, without = np.array([9.0, 1, 1, 5, -1, 7]), np.array([8.0, -1, -1, -5, -9, -7])
    order: list[int] = []
    seats: list[Any] = []

    class Log(SimpleNamespace):
        def __len__(self) -> int:
            return 17

    lengths = np.array([3, 4, 2, 3, 5, 6])  # the first five fill the log
    log = Log(taken=np.isin(np.arange(17), [0, 3, 8, 12, 16]))
    games_of_log = np.repeat(np.arange(6), lengths)

    def play(lab: Any, where: Any, players: Any, pairs: Any, numbers: Any, seed: int, logged: bool) -> Any:
        assert seed == 7 and numbers.tolist() == [0, 1, 2, 3, 4, 5]
        seats.append([player.name for player in players])
        margins = sign * (with_it if logged else without)
        return SimpleNamespace(log=log, margins=margins, lengths=lengths, games_of_log=lambda: games_of_log)

    def decisive(lab: Any, where: Any, acts: int, players: Any, pair: Any, deal: int, *numbers: int) -> dict[str, Any]:
        assert (acts, pair, numbers) == (side, (deal, 9), (3, 7)), "its side, its pair, the times and the dice"
        order.append(deal)
        return {"swing": {2: 0.5, 1: 0.75, 0: 0.25, 4: 0.75}[deal], "number": 3, "action": "x", "instead": "y",
                "own": True, "weight": 1, "seat": 0}  # fmt: skip

    def record(lab: Any, where: Any, played: Any, at: int, deal: int, seed: int, pair: Any, names: Any) -> Any:
        assert (at, seed, pair) == (deal, 7, (deal, 9)) and names == seats[0]
        return replay

    replay = SimpleNamespace(save=lambda file: None, agents={"white": "a"})
    for name, made in {
        "play": play, "draw_pairs": lambda first, second, numbers, seed: [(i, 9) for i in range(6)],
        "decisive": decisive, "record": record, "lines_of": lambda replay, number: ([], number),
        "decided": lambda replay, best: {"action": best["action"], "instead": best["instead"], "german": {}},
        "german_words": lambda replay: {},
    }.items():  # fmt: skip
        monkeypatch.setattr(exploit, name, made)
    lab, hero, own = cast(Any, SimpleNamespace(folder=tmp_path)), Strategy("hero"), Strategy("own")
    found = exploit.show(lab, Condition(), Condition(), side, hero, alone("target"), own, 6, 4, 3, 7, "replays/x.json")
    assert order == [2, 1, 4, 0], "with the module in use; turned; by the gain of 8, then of 1; the shorter"
    assert (found["deal"], found["swing"], found["turned"], found["used"]) == (1, 0.75, True, True)
    assert (found["margin"], found["margin_without"], found["step"]) == (1.0, -1.0, 3)
    assert found["agents"] == {"white": "a"}
    assert seats == ([["hero", "target"], ["own", "target"]] if side == 0 else [["target", "hero"], ["target", "own"]])


def test_a_game_that_is_won_without_it_is_not_turned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Log(SimpleNamespace):
        def __len__(self) -> int:
            return 2

    def play(*_: Any, logged: bool) -> Any:
        margins = np.array([2.0]) if logged else np.array([1.0])
        return SimpleNamespace(log=Log(taken=np.array([True, False])), margins=margins, lengths=np.array([2]),
                               games_of_log=lambda: np.zeros(2, dtype=np.int64))  # fmt: skip

    best = {"swing": 1.0, "number": 0, "action": "x", "instead": "y", "own": True}
    for name, made in {
        "play": play, "draw_pairs": lambda *_: [(0, 1)], "decisive": lambda *_: best,
        "record": lambda *_: SimpleNamespace(save=lambda file: None, agents={}), "lines_of": lambda *_: ([], 0),
        "decided": lambda replay, best: {"action": best["action"], "instead": best["instead"], "german": {}},
        "german_words": lambda replay: {},
    }.items():  # fmt: skip
        monkeypatch.setattr(exploit, name, made)
    lab = cast(Any, SimpleNamespace(folder=tmp_path))
    found = exploit.show(lab, Condition(), Condition(), 0, Strategy("h"), alone("t"), Strategy("o"), 1, 1, 1, 1, "x")
    assert (found["turned"], found["deal"]) == (False, 0)


@pytest.mark.parametrize(("having", "kept", "low", "best", "shown"), [
    (2.0, 1.0, 0.5, "having", True), (1.0, 2.0, 0.5, "kept", True), (2.0, 1.0, -0.5, "having", False),
])  # fmt: skip
def test_the_exploit_is_sought_among_those_who_have_it(
    having: float, kept: float, low: float, best: str, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Side B has it alone; its target is how side A plays without it. It is shown where the gain is sure."""
    sought: list[Any] = []
    asked: list[Any] = []

    def seek(context: Any, step: str, side: int, target: Mixture, without: Any, having: Any) -> Any:
        sought.append((side, target.strategies[0].name, [s.name for s in without], [s.name for s in having]))
        return SimpleNamespace(having=Strategy("having"), kept=Strategy("kept"), plain=Strategy("plain"))

    def show(context: Any, prelude: Any, condition: Any, side: int, best: Strategy, *_: Any) -> Any:
        asked.append((condition, side, best.name))
        return exploit.Shown(False)

    ends = SimpleNamespace(having=np.full(2, having), kept=np.full(2, kept), with_it=None, without=None)
    for name, made in {
        "course": lambda context, prelude, kind, net, role, where, *_: SimpleNamespace(args={"net": net}, where=where),
        "learner_of": lambda kind, label, *_: Strategy(label), "seek": seek, "play_ends": lambda *_: ends,
        "between": lambda _: SimpleNamespace(value=1.0, low=low, high=2.0), "_shown": show,
    }.items():  # fmt: skip
        monkeypatch.setattr(exploit, name, made)
    pools = {NOBODY: [[Strategy("A without")], [Strategy("B without")]],
             "B": [[Strategy("A of B")], [Strategy("B having")]]}  # fmt: skip
    chosen = cast(Any, SimpleNamespace(pools=pools, of_all=lambda name: (alone(f"A {name}"), alone(f"B {name}"))))
    budget = SimpleNamespace(seeds=1, learn_counter=1, measure=1)
    context = cast(Any, SimpleNamespace(budget=budget, bench=BENCH, need=lambda *_: None))
    found = exploit._exploit(context, cast(Any, SimpleNamespace(anchor=Strategy("anchor"))), chosen, 1)
    assert sought == [(
        1, f"A {NOBODY}", ["B without", "best response without it (1)"], ["B having", "best response (1)"],
    )]  # fmt: skip
    assert (found.side, found.strategy) == ("black", best)
    assert asked == ([(CONDITIONS["B"], 1, best)] if shown else [])


def test_the_share_of_learning_counts_what_was_done_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three trainings of 100 decisions: one is done, one has 40; legs bring the second to 70, the third to its end."""
    told: list[tuple[float, str]] = []
    courses = learned.Courses(Target("kuhn", "random"), cast(Any, None), tmp_path, 1, 3)
    run = '{{"seed": 1, "own_weights": false, "decisions": {0}, "seconds": null, "file": "f", "course": []}}'
    (tmp_path / "exploiter-1.json").write_text(run.format(100), encoding="utf-8")
    (tmp_path / "checkpoint-2.part").write_bytes(b"begun")
    begun = run.format(40).replace("[]", '[{"decisions": 40, "payoff": -0.5}]')
    (tmp_path / "checkpoint-2.json").write_text(begun, encoding="utf-8")
    trained: list[Any] = []

    def walk(work: Any, engine: Any, at: Any, each: int, stopped: Any) -> Iterator[tuple[int, Reached]]:
        assert at == {1: (b"begun", 40), 2: (None, 0)}
        yield 1, Reached(b"c", b"p", 70, False, (Moment(70, 1.0, {"random": 0.25}),))
        yield 2, Reached(b"c", b"p", 104, True, ())

    config = SimpleNamespace(seed=1)
    for name, made in {
        "settings_of": lambda target, game, number, *_, **__: (config, number == 1), "leg_of": lambda _: 30,
        "Legs": SimpleNamespace(of=lambda *args, **_: trained.append(args) or SimpleNamespace(dismiss=lambda: None)),
        "walk": walk,
    }.items():  # fmt: skip
        monkeypatch.setattr(learned, name, made)
    runs = courses.learn_in_legs(100, cast(Any, None), lambda share, text: told.append((share, text)), lambda: False)
    assert [share for share, _ in told] == pytest.approx([170 / 300, 270 / 300]), "a finished one counts its decisions"
    assert [text for _, text in told] == ["best answer 2 of 3, payoff +0.250", "best answer 3 of 3"]
    assert [run.decisions for run in runs] == [100, 70, 104]
    assert [(point.decisions, point.payoff) for point in runs[1].course] == [(40, -0.5), (70, 0.25)]
    assert trained == [([config] * 3, ["", "random", ""])], "the second alone begins with the agent's own weights"


# How games go, and which decisions matter


class Log(SimpleNamespace):
    """Decisions in their order."""

    def __len__(self) -> int:
        return len(self.legal)


def test_choices_are_decisions_with_several_actions() -> None:
    """Games of two, three and one decision: one choice among three, one among two, and none."""
    log = Log(legal=np.array([1, 3, 2, 1, 1, 1]))
    games = np.array([0, 0, 1, 1, 1, 2])
    found = choices_of(cast(Any, SimpleNamespace(log=log, margins=np.zeros(3), games_of_log=lambda: games)))
    assert found["choices"].tolist() == [1, 1, 0]
    assert found["legal"][:2].tolist() == [3, 2] and np.isnan(found["legal"][2])


def test_drama_is_the_mean_depth_of_the_decisions_behind() -> None:
    """The winner by 2 lies behind by 1 and by 4 of twice the largest margin, 4: roots of 1/4 and 1, 0.75 on average."""
    log = Log(legal=np.ones(3), seats=np.array([0, 1, 0]), leads=np.array([-1.0, 4.0, 3.0]))
    bench = SimpleNamespace(side_seats=lambda _, side: [side], sides=("a", "b"))
    outcome = SimpleNamespace(payoffs=np.array([[1.0, -1.0]]))  # ahead in the end as before: no further change
    games = {"games_of_log": lambda: np.zeros(3, np.int64), "outcome": outcome}
    played = cast(Any, SimpleNamespace(log=log, margins=np.array([2.0]), **games))
    found = tension(cast(Any, SimpleNamespace(bench=bench)), Condition(), played)
    assert found["drama"] == pytest.approx([0.75]) and found["comeback"].tolist() == [1.0]
    assert found["changes"].tolist() == [1.0]


def raw(phases: dict[str, float], further: dict[str, float] | None = None) -> Raw:
    figures = {"lengths": np.full((1, 2), 6.0), "choices": np.full((1, 2), 4.0), "legal": np.full((1, 2), 3.0)}
    return Raw(figures, np.zeros((1, 2)), (), False, phases, further or {})


def played_courses() -> Courses:
    everybody = raw({"move": 5.0, "ask": 2.0}, {"move": 1.0, "ask": 0.5})
    return Courses(raw({"move": 5.0}), everybody, (raw({"move": 4.0, "ask": 1.0}), raw({"move": 6.0})))


def test_own_decisions_are_asked_or_come_on_top_of_others() -> None:
    """Two in the phase that is the rule's own, and one on top of a move; what is on top of its own counts there."""
    courses = played_courses()
    assert courses.questions == {"ask"} and courses.own == 3.0


def test_strategies_of_one_condition_play_in_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[int]:
        jobs.extend(asked)
        return list(range(len(asked)))

    for name, made in {
        "ladder_of": lambda *_: [], "ladder_plan": lambda *_: ((), 1), "_raw_of": lambda answers: answers[0],
        "_play_of": lambda answers, _: answers[0], "Dynamics": lambda *plays: plays,
    }.items():  # fmt: skip
        monkeypatch.setattr(dynamics, name, made)
    budget = SimpleNamespace(ladder=(), course=3, replicates=2)
    context = cast(Any, SimpleNamespace(begin=lambda _: None, budget=budget, bench=BENCH, used=True, need=need,
                                        seed=lambda _: 1))  # fmt: skip
    chosen = cast(Any, SimpleNamespace(of_seeds=lambda name: [name], moved=lambda name, held: [name, held]))
    found, courses = dynamics.measure_dynamics(context, cast(Any, SimpleNamespace(rollout="")), chosen)
    told = [(job.args["condition"], job.args["mixtures"]) for job in jobs]
    nobody, everybody = CONDITIONS[NOBODY], CONDITIONS[EVERYBODY]
    assert told == [
        (nobody, [NOBODY]), (everybody, [EVERYBODY]), (everybody, [NOBODY, True]), (nobody, [EVERYBODY, False]),
    ]  # fmt: skip
    assert found == (0, 1) and courses == Courses(cast(Any, 0), cast(Any, 1), cast(Any, (2, 3)))


def test_decisions_that_matter_are_looked_for_in_four_conditions() -> None:
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[dict[str, Any]]:
        jobs.extend(job.args for job in asked)
        return [{"counts": [float(number)]} for number in range(len(asked))]

    context = cast(Any, SimpleNamespace(bench=BENCH, budget=SimpleNamespace(stakes=10**6), observation=60, used=True,
                                        scale=3.0, seed=lambda _: 1, need=need))  # fmt: skip
    chosen = cast(Any, SimpleNamespace(all_moved=lambda whose, held: (whose, held)))
    found = stakes.decisions_that_matter(context, chosen, played_courses())
    nobody, everybody = CONDITIONS[NOBODY], CONDITIONS[EVERYBODY]
    assert [(job["condition"], job["rows"], job["columns"]) for job in jobs] == [
        (nobody, NOBODY, False), (everybody, EVERYBODY, False), (everybody, NOBODY, True), (nobody, EVERYBODY, False),
    ]  # fmt: skip
    assert {job["least"] for job in jobs} == {stakes.LEAST * 3.0} and jobs[0]["own"] == ["ask"]
    assert [counts.tolist() for counts in found] == [[0.0], [1.0], [2.0], [3.0]]


def test_questions_that_are_answered_alike_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games, half of whose decisions were looked at: in each a move that matters, and a question that does not."""
    values = np.array([[1.0, 0.0]] * 4)
    made = SimpleNamespace(games=np.array([0, 0, 1, 1]), values=values, phases=np.array([0, 1, 0, 1]),
                           taken=np.array([0, 1, 1, 1]))  # fmt: skip
    for name, value in {
        "joined": lambda *_: ([], [], []), "schedule_of": lambda *_: SimpleNamespace(seating=0, dice=0, tables=0),
        "draw_pairs": lambda *_: [], "branches_of": lambda *_, **__: made,
    }.items():  # fmt: skip
        monkeypatch.setattr(stakes, name, value)
    game = SimpleNamespace(n_seats=2, spec=SimpleNamespace(phases=("move", "ask")))
    lab = cast(Any, SimpleNamespace(game=lambda _: game, guided=lambda s: s, bench=None, marks=None,
                                    facts=SimpleNamespace(longest=4, length=4.0)))  # fmt: skip
    found = stakes.stakes(lab, Condition(), alone("a"), alone("b"), 2, 0.5, 0.1, ["ask"], 1)
    assert found["counts"].tolist() == [2.0, 2.0]


def test_luck_of_learning_is_told_by_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one learned strategy at a time. Nobody: a circle, without b a ladder of two. Moved: all are alike.

    Everybody: a circle of d, e, f, over g and h. Without g it stays; without d a ladder of e, f, g is left. h is held
    to no use, so that the cyclic share is told without it: squares of the gaps 10.25, of those of ratings 6.875.
    """
    above = np.zeros((5, 5))
    above[0], above[1, 2:], above[2, 3:], above[3, 4] = (0.0, 1.0, -1.0, 1.5, 3.0), (1.0, 2.0, 3.0), (1.0, 3.0), 1.0
    pools = {NOBODY: [[Strategy("a"), Strategy("b", net="b"), Strategy("c")]],
             EVERYBODY: [[Strategy("d", net="d"), Strategy("e"), Strategy("f")],
                         [Strategy("g", whether="g"), Strategy("h", use="never")]]}  # fmt: skip
    context = cast(Any, SimpleNamespace(
        begin=lambda _: None, bench=BENCH, budget=SimpleNamespace(matrix=5, resamples=2), marked=False,
        matrices=lambda *_: [circle(1.0)[:4], np.tile(above - above.T, (4, 1, 1)), np.zeros((4, 5, 5))],
        seed=lambda _: 1, scale=1.0,
    ))  # fmt: skip
    prelude, chosen = cast(Any, SimpleNamespace(anchor=Strategy("anchor"))), cast(Any, SimpleNamespace(pools=pools))
    found, variety = dominance.look_for_dominance(context, prelude, chosen)
    parts = [[part.tolist() for part in parts] for parts in (variety.lucky_different, variety.lucky_cyclic)]
    assert parts[0] == [[pytest.approx(1.0)], pytest.approx([1.0, 3.0]), pytest.approx([1.0, 1.0])]
    assert parts[1] == [[pytest.approx(0.0, abs=1e-9)], pytest.approx([0.0, 1.0], abs=1e-9), [0.0, 0.0]]
    shares = [1.0, 1.0 - 6.875 / 10.25, 0.0]
    for cyclic, different, share, number in zip(variety.cyclic, variety.different, shares, (3.0, 3.0, 1.0)):
        assert cyclic == pytest.approx(np.full(4, share)) and different == pytest.approx(np.full(2, number))
    assert (variety.blocks, variety.value) == (4, pytest.approx(1.0))
    nobody, everybody = found.nobody, found.everybody
    assert (nobody.learned, everybody.learned) == (1, 2)
    assert (nobody.effective.low, nobody.effective.high) == pytest.approx((3.0, 3.0)), "of one alone luck is not told"
    assert (nobody.cyclic.low, nobody.cyclic.high) == pytest.approx((1.0, 1.0))
    assert everybody.effective.value == pytest.approx(3.0) and everybody.effective.low == 1.0
    luck = 12.7062 * 1.0  # Student's t of one degree, and the jackknife's error of 1 and 3
    assert everybody.effective.high == pytest.approx(3.0 + luck, abs=1e-3)
    assert everybody.cyclic.value == pytest.approx(shares[1])
    assert (everybody.cyclic.low, everybody.cyclic.high) == (0.0, 1.0)
