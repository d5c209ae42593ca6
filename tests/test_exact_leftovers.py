"""Lines that whole games go through without telling their errors, one by one and by hand."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.ews_rps import counter
from probespiel.agents.intervals import missed, room, unseen
from probespiel.app import cli_analyse
from probespiel.app.common import EngineName, Lang, cluster_of, engine_of, note
from probespiel.app.web import hall
from probespiel.envs.core.engine import cluster
from probespiel.envs.core.engine.local import Local
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.modules.load import PAYOFF, ModuleSet, declaration_of
from probespiel.envs.core.replay import ReplayError
from probespiel.envs.goofspiel import system as goofspiel
from probespiel.envs.oneshot.build import duel
from probespiel.envs.oneshot.build.duel import D_TACTIC
from probespiel.envs.oneshot.exact import _Duel
from probespiel.envs.scorekeeper import steps
from probespiel.envs.scorekeeper.state import Moment
from probespiel.evaluation.oneshot.builds import attribute_choices
from probespiel.evaluation.stress import paid_words
from probespiel.evaluation.stress.findings import UseWorth
from probespiel.training import callbacks
from tests.lab_findings import BOWS, STILL, findings


def test_modules_widen_what_payoffs_may_be() -> None:
    """By 2 and 0.5 on both sides; bounds of seats hold where nothing else is changed than payoffs."""
    modules = [SimpleNamespace(payoff_shift=shift, hooks={PAYOFF}) for shift in (2.0, 0.5)]

    def of(*which: Any) -> dict[str, Any]:
        return ModuleSet.payoffs(cast(Any, SimpleNamespace(modules=which)), -1.0, 3.0, True, ((-1.0, 0.0), (0.0, 3.0)))

    assert of(*modules) == {
        "payoff_range": (-3.5, 5.5), "payoff_bounds": ((-3.5, 2.5), (-2.5, 5.5)), "zero_sum": False,
    }  # fmt: skip
    still = SimpleNamespace(payoff_shift=0.0, hooks={"filter"})
    assert of(still) == {"payoff_range": (-1.0, 3.0), "payoff_bounds": (), "zero_sum": True}
    assert of()["payoff_bounds"] == ((-1.0, 0.0), (0.0, 3.0))


@pytest.mark.parametrize(("event", "calls"), [
    (Moment.TURN, [(0, 1), (1, 1), (2, 1)]),
    (next(m for m in Moment if m != Moment.TURN), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]),
])  # fmt: skip
def test_modules_are_called_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, event: Moment, calls: list[tuple[int, int]]
) -> None:
    """Three modules and two fighters: in a turn for the one on turn alone, else for both, module after module."""
    made: list[tuple[int, int]] = []
    monkeypatch.setattr(steps.hooks, "event_modules", lambda asked: 3 if asked == event else 0)
    monkeypatch.setattr(
        steps.hooks, "event_call", lambda s, p, asked, module, f: made.append((module, f)) if asked == event else None
    )
    s = SimpleNamespace(step_event=-1, step_module=9, step_fighter=9, actor=1)
    steps.begin_steps(s, next(int(m) for m in Moment if m != event))
    assert s.step_event == -1, "nobody listens to that"
    steps.begin_steps(s, int(event))
    while s.step_event >= 0:
        steps.run_step(s, SimpleNamespace(fighters=2))
    assert made == calls


@pytest.mark.parametrize(("bars", "clocks", "calm", "hits"), [
    (0, 0, [0.75 * 0.5, 0.75 * 0.3, 0.75 * 0.2], [0.25 * 0.5, 0.25 * 0.3, 0.25 * 0.2]),
    (0, 2, [0.75 * 0.8, 0.75 * 0.2, 0.0], [0.25 * 0.8, 0.25 * 0.2, 0.0]),
    (1, 0, [0.5, 0.3, 0.2], [0.0] * 3), (-1, 2, [0.75 * 0.5 + 0.3, 0.2, 0.0], [0.25 * 0.5, 0.0, 0.0]),
])  # fmt: skip
def test_a_turn_of_who_attacks(bars: int, clocks: int, calm: list[float], hits: list[float]) -> None:
    """It wounds with 1/4; the edge of the other, of 0 to 2 rounds, keeps it from that, and is counted down."""
    two = np.zeros((2, D_TACTIC + 9))
    two[1, D_TACTIC], two[1, duel.D_ROUNDS] = 1, 2
    grid = np.zeros((3, 3))
    grid[0] = 0.5, 0.3, 0.2
    still, hurt = np.full((3, 3), 9.0), np.full((3, 3), 9.0)
    rule = SimpleNamespace(diplomatic_breaks_on_attack=0)
    duel.turn_block(rule, two.astype(np.int64), 0, 0.25, np.zeros(3), bars, clocks, grid, still, hurt)
    assert still[0].tolist() == pytest.approx(calm) and hurt[0].tolist() == pytest.approx(hits)


@pytest.mark.parametrize(("given", "fixed", "kind", "test", "acting"), [
    (0, 0, 1, 1, 0), (1, 0, 1, 0, 1), (-1, 0, 1, 1, 1), (-1, 0, 1, 0, 0), (-1, 1, 1, 1, 0),
    (-1, 0, int(counter.Kind.SIMPLE), 1, 0),
])  # fmt: skip
def test_who_acts_is_given_or_goes_by_turns(
    monkeypatch: pytest.MonkeyPatch, given: int, fixed: int, kind: int, test: int, acting: int
) -> None:
    """By turns where nobody is named, unless roles are fixed or the test is a simple one."""

    class Seen(Exception):
        pass

    def values(s: Any, spot: Any, *_: Any) -> None:
        assert (spot.acting, spot.gap, spot.need, spot.kind) == (acting, 3, 2, kind)
        raise Seen

    kinds = [int(k) for k in counter.Kind if k != counter.Kind.SIMPLE]
    kind = kind if kind == int(counter.Kind.SIMPLE) else kinds[0]
    monkeypatch.setattr(counter, "round_values", values)
    p = SimpleNamespace(
        may_decline=1, n_tests=9, pool_acting=[given], pool_kind=[kind], fixed_roles=fixed, pool_other=[8],
        pool_mine=[5], pool_need=[2], pool_win=[0], pool_loss=[0],
    )  # fmt: skip
    answer = getattr(counter.answer, "py_func", counter.answer)
    with pytest.raises(Seen):
        answer(SimpleNamespace(test=test, picks=[0] * 9), p, 0, None, np.zeros(30))


def test_attributes_of_builds() -> None:
    """Luck costs a point, of none there is none to pay; a gift raises the attribute of 3 and lowers the others."""

    def of(perks: list[str], points: int, cap: int) -> list[Any]:
        found = attribute_choices(perks, {"attribute_points": points, "attribute_cap": cap})
        return [(tuple(attributes.values()), gift) for attributes, gift in found]

    assert {sum(triple) for triple, _ in of([], 2, 3)} == {2}
    assert of(["luck"], 2, 3) == of([], 1, 3) and of(["luck"], 0, 3) == of([], 0, 3) != of([], 1, 3)
    gifted = of(["special_gift"], 3, 3)
    assert [(triple, gift is not None) for triple, gift in gifted] and {max(triple) for triple, _ in gifted} == {4}
    assert all(sorted(triple) == [-1, -1, 4] for triple, _ in gifted) and len(gifted) == 3


def test_edges_end_one_round_later_than_they_begin() -> None:
    """Both have a turn: the second gets three rounds, not counted down at once, and the first loses one of two."""

    def after(done: list[tuple[float, int, int, bool]], **options: Any) -> tuple[int, ...]:
        rules = {"diplomatic_breaks_on_attack": False, "edge_clock": "performer", **options}
        return _Duel.after(cast(Any, SimpleNamespace(options=rules)), (1, 2, 2, 1), (0, 1), done)

    calm, edge, hit = (1.0, 0, 0, False), (1.0, 0, 3, False), (1.0, 2, 0, True)
    assert after([calm, edge]) == (1, 2, 1, 3) and after([calm, calm]) == (1, 2, 1, 0)
    assert after([hit, calm]) == (1, 4, 1, 0) and after([calm, hit]) == (3, 2, 1, 0)
    assert after([hit, calm], diplomatic_breaks_on_attack=True) == (1, 4, 0, 0)
    assert after([edge, calm], edge_clock="target") == (1, 2, 3, 0)
    alone = {"diplomatic_breaks_on_attack": False, "edge_clock": "target"}
    found = _Duel.after(cast(Any, SimpleNamespace(options=alone)), (0, 0, 2, 2), (0,), [calm])
    assert found == (0, 0, 2, 1), "the clock of the other's edge is whom it is held against"


def test_room_beside_a_common_value() -> None:
    """Four of five are 0, one is 2: one below may be as far away, as was not seen; above, twos may be more often."""
    found = room(np.array([0.0, 0, 0, 0, 2]), (-5.0, 5.0), level=0.95)
    above = missed(np.array([0.0, 0, 0, 0, 2]), 0.95)
    assert found == pytest.approx([2 * unseen(5, 0.975), above]) and above > 0
    near = room(np.array([0.0, 0, 0, 0, 2]), (-1.0, 5.0), level=0.95)
    assert near[0] == pytest.approx(1 * unseen(5, 0.975)), "no further than values can be"


@pytest.mark.parametrize(("open_game", "finished"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_game_that_ended_just_before_the_server_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_game: bool, finished: bool
) -> None:
    """Its file is gone and its replay is there; else it is taken up again."""
    file = tmp_path / "game.jsonl"
    for path, there in ((file, open_game), (file.with_suffix(".json"), finished)):
        if there:
            path.write_text("{}", encoding="utf-8")

    class Taken(BaseException):
        pass

    def resume(path: Path, **_: Any) -> Any:
        raise Taken

    monkeypatch.setattr(hall.Table, "resume", resume)
    noted: list[Any] = []
    here = SimpleNamespace(file=file, state="preparing", cast={}, changed=lambda: None, lock=nullcontext())
    work = hall.Hall._resume
    over = finished and not open_game
    with nullcontext() if over else pytest.raises(Taken):
        work(cast(Any, SimpleNamespace(note=noted.append)), cast(Any, here))
    assert (here.state == hall.OVER) == over and (noted == [here]) == over
    assert here.file == (file.with_suffix(".json") if over else file)


def test_what_a_use_pays_is_told_where_its_error_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paid_words, "pays_user", lambda found: True)
    worth = UseWorth(500, 300, -0.03, 0.001, 1.0, 0.0, 1.0, own=0.2, own_error=0.01)
    use = replace(BOWS, worth=worth)
    assert "+0.20" in paid_words.paid_use(findings(STILL, use=use))
    for changed in (replace(worth, own=None), replace(worth, own_error=None)):
        assert paid_words.paid_use(findings(STILL, use=replace(use, worth=changed))) == ""
    assert paid_words.paid_use(findings(STILL, use=replace(use, worth=None))) == ""


def test_parameters_of_modules_are_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of both seats, in the record of the game, whose own numbers stay."""
    filled: list[Any] = []

    class Modules:
        def __getattr__(self, name: str) -> Any:
            raise Asked

        def param_fields(self) -> list[Any]:
            return [("extra", np.int64)]

        def fill_params(self, record: Any, seats: Any) -> None:
            filled.append((int(record.cards), seats))
            raise Asked

    class Asked(Exception):
        pass

    monkeypatch.setattr(goofspiel, "load_modules", lambda interface, given: Modules())
    with pytest.raises(Asked):
        goofspiel.SYSTEM.spec("goofspiel", None, {"cards": 5}, {"mine": {}})
    assert filled == [(5, goofspiel.SEATS)]


def test_an_analysis_is_told_as_the_eye_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the game that was named; whatever is told is told in one language, and of what the eye may see."""
    said: list[Any] = []
    course = SimpleNamespace(game=SimpleNamespace(name="kuhn"), eye=lambda seat: f"eye of {seat}")
    for name, stub in {
        "open_course": lambda path, trust: course, "analysis_of": lambda *given: ("made", ("found", *given[1:])),
        "reader_of": lambda of, eye: ("reader", eye), "told_of": lambda *given: given,
        "head": lambda of, eye, lang: said.append((eye, lang)), "lines_of": lambda told, lang: [told, lang],
        "details_of": lambda told: [], "told_after": lambda made, eye, lang: [(made, eye, lang)], "tell": said.append,
    }.items():  # fmt: skip
        monkeypatch.setattr(cli_analyse, name, stub)
    cli_analyse.analyse("kuhn", Path("x"), seat="first", seconds=2.0, as_json=False, trust=True, lang=Lang.de)
    told = ("made", ("found", "de", 2.0), ("reader", "eye of first"), "de")
    assert said == [("eye of first", "de"), told, "de", "", ("made", "eye of first", "de")]
    with pytest.raises(ReplayError, match="of kuhn, not of leduc"):
        cli_analyse.analyse("leduc", Path("x"))


def test_results_are_added_up_by_opponent() -> None:
    """The mean of each kind; a game among the learners counts for themselves. What is taken is gone."""
    league = SimpleNamespace(name_of=lambda number: f"opponent {number}")
    counted = callbacks.Meter(cast(Any, league))
    for ids, result in (([0, 2], 1.0), ([2, 0], 3.0), ([0, 0], -1.0)):
        counted.count({"opponent_ids": np.array(ids), "episode": {"r": result}})
    counted.count_all(np.array([[0, 2], [0, 3]]), np.array([5.0, 7.0]))
    found = counted.take()
    means = {"play/against_opponent 2": 3.0, "play/against_opponent 0": -1.0, "play/against_opponent 3": 7.0}
    assert found == {"play/games": 5.0, **means}
    assert counted.take() == {"play/games": 0.0}


@pytest.mark.parametrize("end", [None, KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("of", [engine_of, cluster_of])
def test_a_cluster_is_left_however_the_work_ends(
    of: Any, end: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, after the work; who asked for it is told where it is and how many workers are wanted."""
    course: list[Any] = []

    class Cluster:
        def __init__(self, scheduler: str | None, jobs: int, tell: Any) -> None:
            course.append((scheduler, jobs, tell))

        def close(self) -> None:
            course.append("left")

    monkeypatch.setattr(cluster, "Cluster", Cluster)
    with nullcontext() if end is None else pytest.raises(end), of(EngineName.dask, "tcp://there:1", 3) as engine:
        assert isinstance(engine, Cluster)
        course.append("works")
        if end is not None:
            raise end
    assert course == [("tcp://there:1", 3, note), "works", "left"]


def test_nobody_is_asked_for_a_cluster_on_this_machine() -> None:
    with cluster_of(EngineName.local, None, 2) as nobody, engine_of(EngineName.local, None, 2) as here:
        assert nobody is None and isinstance(here, Local) and here.count == 2
    for of in (engine_of, cluster_of):
        with pytest.raises(ProbespielError, match="--scheduler goes with --engine dask"), of(EngineName.local, "x", 2):
            pass


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
@pytest.mark.parametrize("does", ["sys.{0} = None", "del sys.{0}"])
def test_a_rule_file_that_takes_a_stream_away_is_refused(stream: str, does: str, tmp_path: Path) -> None:
    """What is said of it can be said then: the stream is there again."""
    before = getattr(sys, stream)
    path = tmp_path / "rule.py"
    path.write_text(f"import sys\n{does.format(stream)}\n", encoding="utf-8")
    with pytest.raises(RulesetError, match=rf"rule\.py:1: sys\.{stream} is another one afterwards; a rule file only"):
        declaration_of(str(path))
    assert getattr(sys, stream) is before
