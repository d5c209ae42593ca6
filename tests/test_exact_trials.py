"""What parts of a stress test try, learn, count and keep, by hand: one function at a time, with scripted others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.intervals import NORMAL
from probespiel.agents.oneshot import outlook as race
from probespiel.agents.scorekeeper import outlook as fight
from probespiel.envs.core.abi import STOPPED
from probespiel.envs.scorekeeper.state import Mode
from probespiel.evaluation.stress import (
    actions,
    affording,
    alike,
    breakage,
    building,
    combine,
    deciding,
    effect,
    jobs,
    learning,
    own_fields,
    paid,
    play,
    plots,
    prelude,
    proof,
    rollouts,
    sample,
    tree,
)
from probespiel.evaluation.stress.conditions import EVERYBODY, Condition
from probespiel.evaluation.stress.findings import Interval
from probespiel.evaluation.stress.progress import Estimate
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from probespiel.evaluation.stress.tunable import turned_in
from tests.lab_findings import figure


def alone(name: str) -> Mixture:
    return Mixture((Strategy(name),), (1.0,))


# Errors and words


def test_errors_of_values_that_hang_together() -> None:
    """Groups of 1 and 3, of 2, of 6: mean 3, sums -2, -1 and 3 off it; 14 * 3 / 2 = 21, its root over four values."""
    mean, error = tree.clustered(np.array([1.0, 2.0, 3.0, 6.0]), np.array([5, 9, 5, 7]))
    assert (mean, error) == (3.0, pytest.approx(21**0.5 / 4))
    assert tree.clustered(np.array([1.0, 2.0]), np.array([3, 3])) == (1.5, np.inf)
    assert np.isnan(tree.clustered(np.zeros(0), np.zeros(0, np.int64))).all()


def test_shares_have_room_for_what_was_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room is that of the groups' shares between 0 and 1; the larger of both stands."""
    asked: list[Any] = []
    most = [0.5]

    def room(values: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        asked.append((values.tolist(), bounds))
        return np.array([0.1, most[0]])

    monkeypatch.setattr(tree, "room", room)
    taken, groups = np.array([True, False, True, True]), np.array([2, 2, 4, 4])
    mean, error = tree.clustered(taken.astype(float), groups)
    assert tree.clustered_share(taken, groups) == (mean, max(error, 0.5 / NORMAL)) and mean == 0.75
    most[0] = 9.0
    assert tree.clustered_share(taken, groups) == (mean, 9.0 / NORMAL)
    assert asked == [([0.5, 1.0], (0.0, 1.0))] * 2
    assert tree.clustered_share(taken, np.zeros(4, int)) == (0.75, np.inf) and len(asked) == 2


def test_values_are_exact_where_games_were_solved_and_nothing_is_open() -> None:
    level, open_ = Interval(0.25, 0.25, 0.25), Interval(0.25, 0.1, 0.4)
    assert "(exact)" in proof._ends(level, True)
    for sample_, solved in ((level, False), (open_, True), (open_, False)):
        assert "exact" not in proof._ends(sample_, solved)


def test_a_figure_strays_from_where_it_counts_on() -> None:
    """A change of exactly what counts, that is not shown with the same strategies."""
    for value, strays in ((1.0, True), (0.99, False)):
        found = replace(figure("length", 10.0, 10.0 + value, 0.5, 1.0), direct=(Interval(0.0, -1.0, 1.0),) * 2)
        if found.shown:
            found = replace(figure("length", 10.0, 10.0 + value, 0.5, 1.0), cases=(3, 3))
        assert found.strays == (strays and found.drifted)


def test_a_larger_budget_is_enough_if_it_reaches_less_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """What must be reached is reached by a budget whose interval is shorter, not by one that is just as long."""
    names = list(deciding.BUDGETS)
    of: dict[str, float] = {}
    monkeypatch.setattr(deciding, "part_of", lambda budget, factor, share: budget)
    monkeypatch.setattr(deciding, "reach_at", lambda reach, now, then: of[then.name])
    monkeypatch.setattr(deciding, "needed", lambda worth: 0.5)
    sizes = cast(Any, SimpleNamespace(factor=1.0, share=lambda name: 1.0))
    worth = cast(Any, SimpleNamespace(reach=SimpleNamespace(deals=0.75, seeds=0.5, low=-0.5, high=0.25)))
    for expected, told in (((0.5, 0.5), ""), ((0.5, 0.49), names[2]), ((0.49, 0.4), names[1])):
        of.update(zip(names[1:], (*expected, *[0.6] * 9)))
        found = deciding.deciding(worth, names[0], sizes)
        assert found is not None and (found.budget, found.reach, found.needed) == (told, 0.75, 0.5)
        assert (found.largest, found.gap, found.times) == (told or names[-1], 0.75, 1.5**2)


# Fields of modules


SOURCE = """
def strength(s, p, seat, value):
    s.m_count += 1
    s.m_seen[s.m_at] = s.m_seen[seat] + s.m_more
    return helper(s, value)

def helper(s, value):
    if s.m_hand[0] > 2:
        s.x_other = s.m_last
    value, s.m_twice = s.m_twice, 0
    return value

def observe(s, p, seat, out):
    out[0] = s.m_shown
"""


def test_fields_that_are_read_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a counter that goes by itself alone, nor what is only shown or belongs to others."""
    names = ("count", "seen", "at", "more", "hand", "last", "twice", "shown", "other")
    fields = {name: SimpleNamespace(name=name, bits=name == "seen") for name in names}
    module = cast(Any, SimpleNamespace(name="m", fields=fields))
    monkeypatch.setattr(own_fields, "source_of", lambda source: SOURCE)
    found = own_fields.deciding_fields(module, cast(Any, None))
    assert found == {f"m_{name}" for name in ("at", "more", "hand", "last", "twice")}
    assert own_fields.counting(module) == [name for name in names if name != "seen"]


def test_parameters_are_ranked_by_the_weakest_place_on_their_way() -> None:
    """One that an answer is made of, one that a condition asks for, and one of a function that a condition calls."""
    text = """
@module.hook
def strength(s, p, seat, value):
    if p.m_limit > helper(p):
        return value
    return value + p.m_gain

def helper(p):
    return p.m_deep
"""
    ranges = {"deep": (0, 9), "limit": (0, 9), "gain": (0, 9), "unused": (0, 9)}
    assert list(turned_in(text, "m", ranges)) == ["gain", "deep", "limit"]


# What is played and learned


def test_baselines_are_compared_by_the_mean_of_their_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two blocks; the mean of the first against the second is 1 - 3 over 2 less that of the second, halved."""
    seen: list[np.ndarray] = []

    def exploitability(m: np.ndarray) -> np.ndarray:
        seen.append(m.copy())
        return np.array([0.0, 1.0])

    monkeypatch.setattr(prelude.mg, "exploitability", exploitability)
    blocks = np.array([[[0.0, 4.0], [1.0, 0.0]], [[0.0, 2.0], [-3.0, 0.0]]])
    answers = iter([[blocks], [{"lengths": [4.0], "choices": [2.0], "legal": [3.0], "margins": [1.0, 3.0]}]])
    monkeypatch.setattr(prelude, "_rollout", lambda context, ranked: ranked[0])
    context = cast(Any, SimpleNamespace(
        begin=lambda step: None, seed=lambda *_: 1, need=lambda step, jobs: next(answers),
        budget=SimpleNamespace(prelude=10, baselines=1),
        bench=SimpleNamespace(baselines=lambda: ["a", "b"], everybody=lambda: Condition((0, 1))),
    ))  # fmt: skip
    found = prelude.compare_baselines(context)
    assert (found.anchor.name, found.length, found.choices, found.legal, found.deviation) == ("a", 4.0, 2.0, 3.0, 1.0)
    assert seen[0].tolist() == [[0.0, 2.0], [-2.0, 0.0]]


def test_players_of_deals_are_those_of_their_mixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals 0 and 2 by the first pair, none by the second, deal 1 by the third."""
    monkeypatch.setattr(play, "draw_pairs", lambda first, second, deals, seed: [(0, 1)] * len(deals))
    pairs = [(alone(f"a{i}"), alone(f"b{i}")) for i in range(3)]
    found = list(play.by_mixtures(pairs, np.array([0, 2, 0]), np.array([7, 8, 9]), 5))
    told = [(mine.tolist(), [p.name for p in players], drawn) for mine, players, drawn in found]
    assert told == [([0, 2], ["a0", "b0"], [(0, 1)] * 2), ([1], ["a2", "b2"], [(0, 1)])]


def scripted_play(monkeypatch: pytest.MonkeyPatch, module: Any, result: Any) -> list[Any]:
    """Every second deal by another pair; what was asked to be played."""
    asked: list[Any] = []

    def by_mixtures(mixtures: Any, which: np.ndarray, deals: np.ndarray, seed: int) -> Any:
        for k in range(len(mixtures)):
            mine = np.flatnonzero(which == k)
            yield mine, [f"player {k}"], [(k, k)] * len(mine)

    def played(lab: Any, condition: Any, players: Any, pairs: Any, deals: np.ndarray, seed: int, hero: int = 0) -> Any:
        asked.append((condition, players, deals.tolist(), hero))
        return result(condition, deals)

    monkeypatch.setattr(module, "by_mixtures", by_mixtures)
    monkeypatch.setattr(module, "play", played)
    return asked


def test_margins_of_deals_and_games_that_were_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals 3 to 7 by two pairs in turn: margins are their numbers, and those from 5 on are stopped."""
    asked = scripted_play(monkeypatch, jobs, lambda where, deals: SimpleNamespace(
        margins=deals.astype(float), status=np.where(deals >= 5, STOPPED, 0)))  # fmt: skip
    found = jobs.measure(cast(Any, None), cast(Any, "where"), cast(Any, [1, 2]), (3, 8), 5, 1)
    assert found["margins"].tolist() == [3.0, 4.0, 5.0, 6.0, 7.0] and found["stopped"] == 3
    assert asked == [("where", ["player 0"], [4, 6], 1), ("where", ["player 1"], [3, 5, 7], 1)]


def test_what_every_side_is_paid_is_the_mean_of_its_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats 0 and 2 against seat 1, in two conditions."""

    def result(where: int, deals: np.ndarray) -> Any:
        seats = np.stack([deals + 1.0, deals + 10.0 * where, deals + 4.0], axis=1)
        return SimpleNamespace(outcome=SimpleNamespace(payoffs=seats))

    asked = scripted_play(monkeypatch, paid, result)
    bench = SimpleNamespace(sides=("A", "B"), side_seats=lambda where, side: ((0, 2), (1,))[side])
    lab = cast(Any, SimpleNamespace(bench=bench))
    found = paid.paid(lab, cast(Any, [1, 2]), cast(Any, [1, 2]), 2, 5, 1)["payoffs"]
    assert found.tolist() == [[[2.5, 10.0], [3.5, 11.0]], [[2.5, 20.0], [3.5, 21.0]]]
    assert [deals for _, _, deals, _ in asked] == [[0], [0], [1], [1]] and {hero for *_, hero in asked} == {1}


@pytest.mark.parametrize("kind", [learning.USE, learning.FREE, learning.COUNTER])
def test_who_learns_a_use_learns_that_alone(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Decisions with the module alone, by its best, with one beside it who never uses it and is the same in luck."""
    asked: list[Any] = []

    class Player:
        def __init__(self, name: str, base: Any, marks: Any, use: str, values: Any = None, scope: str = "nowhere",
                     temperature: float = 0.0, explore: float = 0.0) -> None:  # fmt: skip
            self.name, self.use, self.scope, self.stream = name, use, scope, ""
            self.temperature, self.explore = temperature, explore

    def teach(values: Any, players: Any, tables: Any, games: int, *given: Any, **how: Any) -> Any:
        asked.append((players, tables, games, how))
        return "learned"

    for name, made in {
        "Guided": Player, "teach": teach, "asdict": lambda learned: {"told": learned},
        "ActionValues": lambda game, seed: SimpleNamespace(save=lambda path: path.write_text("values")),
        "tables_of": lambda lab, conditions, sides, shares, together: (sides, shares, together),
        "derive_seed": lambda *_: 1,
    }.items():  # fmt: skip
        monkeypatch.setattr(learning, name, made)
    bench = SimpleNamespace(player=lambda strategy, marks: Player(strategy.name, "", marks, "as_is"))
    lab = cast(Any, SimpleNamespace(bench=bench, folder=tmp_path, marks="marks", game=lambda where: "game"))
    opponents = [(Strategy("x"), 0.4), (Strategy("y"), 0.15)]
    found = learning.train(
        lab, kind, "n.npz", [Condition()], "anchor", opponents, [1], 0.5, 70, 0.25, 99.0, 2.0, 5
    )  # fmt: skip
    ((players, tables, games, how),) = asked
    use = kind == learning.USE
    assert found == {"net": "n.npz", "told": "learned"} and (tmp_path / learning.NETS / "n.npz").is_file()
    assert [p.name for p in players] == ["learner", "x", "y", *(["leaver"] if use else [])]
    assert tables == ([1], [0.4, 0.15], 0.5) and games == 70
    assert how == {"only_marked": use, "share": 0.25, "leaver": 3 if use else -1, "work": 99.0,
                   "again": learning.AGAIN if use else 0}  # fmt: skip
    assert players[0].temperature == (0.0 if use else learning.TEMPERATURE) and players[0].explore == learning.EXPLORE
    if use:
        assert (players[3].use, players[3].stream) == ("never", "learner")


def test_lists_of_tables_go_round_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables of one game and three of another: who learns sits where it says."""

    class Taught(Exception):
        pass

    asked: list[Any] = []

    def tables_of(games: np.ndarray, *given: np.ndarray) -> None:
        asked.extend((games, *given))
        raise Taught

    monkeypatch.setattr(rollouts, "cast_of", lambda *_: ([], None))
    monkeypatch.setattr(rollouts, "space_of", lambda game: None)
    monkeypatch.setattr(rollouts, "Tables", tables_of)
    games = [SimpleNamespace(address=1, params_address=k, n_seats=2) for k in (7, 8)]
    tables = [
        SimpleNamespace(game=games[g], share=1.0, seats=[n, 0], learns=[n % 2, 1 - n % 2])
        for n, g in enumerate((0, 1, 1, 0, 1))
    ]  # fmt: skip
    with pytest.raises(Taught):
        rollouts.teach(cast(Any, None), [], cast(Any, tables), 1, 1, 1.0, cast(Any, None))
    addresses, shares, seatings, learners = asked
    assert (addresses.tolist(), shares.tolist()) == ([7, 8], [0.4, 0.6])
    assert seatings[:, :, 0].tolist() == [[0, 3, 0], [1, 2, 4]]
    assert learners.tolist() == [[[0, 1], [1, 0], [0, 1]], [[1, 0], [0, 1], [0, 1]]]


# Steps of a test


def test_counters_are_read_where_a_module_has_some(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    counters = ["c"]
    monkeypatch.setattr(actions, "module_of", lambda bench: SimpleNamespace(counters=counters))
    monkeypatch.setattr(actions, "CounterLine", lambda **row: row)
    context = cast(Any, SimpleNamespace(
        bench=SimpleNamespace(everybody=lambda: "all"), budget=SimpleNamespace(rates=500), seed=lambda name: 3,
        need=lambda step, jobs: asked.extend(jobs) or [{"counters": [{"name": "c", "mean": 1.0}]}],
    ))  # fmt: skip
    chosen = cast(Any, SimpleNamespace(of_all=lambda name: (f"a {name}", f"b {name}")))
    assert actions.read_counters(context, chosen) == ({"name": "c", "mean": 1.0},)
    assert asked[0].args == {"condition": "all", "rows": f"a {EVERYBODY}", "columns": f"b {EVERYBODY}",
                             "deals": actions.COUNTED, "seed": 3}  # fmt: skip
    counters.clear()
    assert actions.read_counters(context, chosen) == () and len(asked) == 1


@pytest.mark.parametrize(
    ("choices", "many", "tried"), [([], False, [4]), ([{"a": 1}], False, [4, 2]), ([], True, [4, 2])]
)
def test_trials_are_made_twice_where_something_is_chosen(
    choices: list[Any], many: bool, tried: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once with all continuations and once with half of them, which tells what luck made of the first."""
    asked: list[int] = []

    def branches(*_: Any, replicates: int, observations: bool) -> int:
        asked.append(replicates)
        return replicates

    for name, made in {
        "joined": lambda rows, columns: ([], None, None), "draw_pairs": lambda *_: [], "branches_of": branches,
        "schedule_of": lambda *_: SimpleNamespace(seating=0, dice=0, tables=0),
        "several": lambda found, actions: np.array([many]),
        "answer_gain": lambda game, found, choices, row: {"gain": found},
        "lines_of": lambda game, found, *_: found, "stakes_of": lambda game, half, found, _: (half, found),
        "ways_of": lambda game, half, found, _: (half, found),
    }.items():  # fmt: skip
        monkeypatch.setattr(actions, name, made)
    lab = cast(Any, SimpleNamespace(game=lambda where: SimpleNamespace(n_seats=2), bench=None, own_actions=(),
                                    marks=SimpleNamespace(actions=frozenset())))  # fmt: skip
    found = actions.trials(lab, Condition(), alone("a"), alone("b"), choices, 5, 3, 1)
    assert asked == tried
    assert found["ways"] == (tried[-1], 4) and found["stakes"] == ((2, 4) if choices else []) and found["lines"] == 4
    assert found["choices"] == [{**row, "gain": 4} for row in choices]


def test_games_part_at_a_line_that_is_there() -> None:
    lines = [{"step": 0}, {"step": 2}]
    for parted, told in ((1, [False, True]), (2, [False, False]), (None, [False, False])):
        found = sample.commented(lines, None, (), None, parted)
        assert ["both games are the same" in str(line) for line in found] == told


def test_time_passes_from_the_beginning_on() -> None:
    now = [100.0]
    progress = Estimate(lambda: now[0])
    progress.start({"a": 1.0})
    now[0] = 107.5
    assert progress.elapsed == 7.5


def test_what_sitting_first_is_worth_to_the_same_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effect, "change_of_samples", lambda name, before, after, change, counts: (name, counts))
    monkeypatch.setattr(effect, "replace", lambda change, direct: (*change, direct))
    monkeypatch.setattr(effect, "_direct", lambda moved, error: (len(moved), error(np.array([1.0, 3.0]))))
    seat = cast(Any, SimpleNamespace(nobody=None, everybody=None, change=None))
    worth = cast(Any, SimpleNamespace(deviation=2.0))
    assert effect._of_seat(seat, worth, ()) == ("first seat", effect.SEAT * 2.0)
    assert effect._of_seat(seat, worth, [np.zeros(2)] * 4) == ("first seat", effect.SEAT * 2.0, (4, pytest.approx(1.0)))


def test_odds_of_two_ways_are_changes_from_what_is_played_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept from plain, having from bare; the value is that of having from plain."""
    monkeypatch.setattr(alike, "odds_ratio", lambda a, b: SimpleNamespace(value=float(a.sum() - b.sum())))
    monkeypatch.setattr(alike, "spanned", lambda parts, value, games: SimpleNamespace(
        value=value, low=parts[0].value, high=parts[1].value))  # fmt: skip
    kept, plain, having, bare = (np.full(1, x) for x in (1.0, 0.0, 5.0, 2.0))
    ends = cast(Any, SimpleNamespace(kept=kept, plain=plain, having=having, bare=bare))
    assert alike.odds_between([ends] * 2) == Interval(10.0, 2.0, 6.0)


def test_the_whole_budget_is_affordable_where_it_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(affording.BUDGETS))
    limit = affording.BUDGETS[name].seconds
    monkeypatch.setattr(affording, "declared_pace", lambda *_: None)
    monkeypatch.setattr(affording, "with_budget", lambda context, budget, share: share)
    most = [0.0]
    monkeypatch.setattr(affording, "seconds_of", lambda share, *_: most[0] * share)
    for most[0], told in ((limit, True), (limit * 1.001, False)):
        found = affording.share_of(cast(Any, None), cast(Any, None), name, True)
        assert (found == 1.0) == told and 0.9 < found <= 1.0


def test_worths_are_drawn_for_who_has_several() -> None:
    sides = [SimpleNamespace(by_amount=[1])]
    assert plots.worth_plot(cast(Any, SimpleNamespace(sides=sides)), "cards", "EP") == ""


@pytest.mark.parametrize(("kind", "told"), [("hung", "never return"), ("died", "bring the process down (ended)")])
def test_rules_that_die_while_they_are_compiled_are_not_built(
    kind: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failed = building.Failed(kind, "ended")
    context = cast(Any, SimpleNamespace(
        begin=lambda step: None, folder=tmp_path, ask=lambda step, jobs: [failed], watcher=SimpleNamespace(tick=None),
        workers=SimpleNamespace(run=lambda jobs, tick: [(0, "alive")]),
    ))  # fmt: skip
    found = building.build(context)
    assert not found.compiled and found.fault is not None and told in found.fault.text
    assert found.fault.where == EVERYBODY


def test_a_part_of_a_combination_ends_where_rules_break(monkeypatch: pytest.MonkeyPatch) -> None:
    part = cast(Any, object.__new__(combine.Part))
    part.context = SimpleNamespace(budget=SimpleNamespace(differences=(1, 2), curve=(0, 1)))
    monkeypatch.setattr(combine, "replace", lambda what, **change: SimpleNamespace(**{**vars(what), **change}))
    monkeypatch.setattr(combine, "typical_games", lambda context, step, casts: (step, casts))
    monkeypatch.setattr(combine, "casts_of", lambda context, chosen: chosen)
    noted: list[Any] = []
    part.begun, part.measured = lambda: None, lambda prelude: (f"chosen by {prelude}", None)
    part.note = lambda **what: noted.append(what)
    assert part.steps() is False and not noted
    assert (part.context.budget.differences, part.context.budget.curve) == ((0,), (0,))
    part.begun = lambda: "prelude"
    assert part.steps() is True and noted == [{"games": ("measure", "chosen by prelude")}]


def test_a_fault_that_is_found_again_has_its_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakage, "with_replay", lambda fault, answer: (fault.kind, fault.text, answer))
    monkeypatch.setattr(breakage, "_path_of", lambda fault, number: f"{fault.kind}-{number}")
    asked: list[Any] = []
    context = cast(Any, SimpleNamespace(ask=lambda step, jobs: asked.extend(jobs) or [{"text": "again"}]))
    job = breakage.Job("probe", {"condition": "where", "games": 5, "seed": 7, "live": "x", "more": 1, "choosy": True})
    found = breakage._lost(context, EVERYBODY, breakage.Failed("raised", "it broke"), job, 3)
    assert found == ("crash", "it broke", {"text": "again"})
    assert asked[0].args == {"condition": "where", "games": 5, "seed": 7, "choosy": True, "path": "crash-3"}
    asked.clear()
    fault = breakage.Fault("endless", "it does not end", EVERYBODY, length=9)
    assert breakage._shown(context, fault, 4, job, 2) == ("endless", "it does not end", {"text": "again"})
    assert asked[0].args == {"condition": "where", "game": 4, "games": 5, "seed": 7, "upto": 9, "kind": "endless",
                             "path": "endless-2", "choosy": True}  # fmt: skip


# What players reckon with


@pytest.mark.parametrize(("has", "broken", "ready", "reload", "far", "mode"), [
    (1, 0, True, False, 5, Mode.SHOOT), (1, 0, False, True, 5, Mode.SHOOT), (1, 0, True, True, 6, Mode.MELEE),
    (1, 1, True, True, 1, Mode.MELEE), (0, 0, True, True, 1, Mode.MELEE), (1, 0, False, False, 1, Mode.MELEE),
])  # fmt: skip
def test_who_can_shoot_does(
    has: int, broken: int, ready: bool, reload: bool, far: int, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A weapon that is whole, loaded or can be, within its range of five."""
    monkeypatch.setattr(fight, "is_ready", lambda s, p, f: ready)
    monkeypatch.setattr(fight, "can_reload", lambda s, p, f: reload)
    monkeypatch.setattr(fight, "distance", lambda s, f, t: far)
    s, p = SimpleNamespace(broken=[9, broken]), SimpleNamespace(r_has=[9, has], r_range=[9, 5])
    assert fight.usual_mode(s, p, 1, 0) == mode


@pytest.mark.parametrize(("edges", "value"), [
    ((0, 0), 0.5 * 0.75 - 0.25 * 0.5),  # both strike once, at once, and either may be out at the first wound
    ((0, 2), -0.25),  # 1 has a diplomatic edge on 0, who does not strike
    ((2, 0), 0.5),
])  # fmt: skip
def test_a_race_of_two_by_hand(edges: tuple[int, int], value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """At count 5, the last: 0 hits in a half, 1 in a fourth of cases, and whoever is hit is out."""
    for name, made in {
        "rest_of": lambda s, p, one, other: 0, "distance": lambda s, a, b: abs(a - b), "tie_key": lambda s, p, i: 0,
        "approach": lambda s, p, i, far: far, "hampered": lambda s, i, lost: 0,
    }.items():  # fmt: skip
        monkeypatch.setattr(race, name, made)

    def blows(s: Any, p: Any, i: int, far: int, scared: int, fooled: int, out: np.ndarray) -> None:
        assert far == 1, "they stand one field apart"
        out[:] = (0.5, 0.25)[i]

    monkeypatch.setattr(race, "blows", blows)
    edge = np.zeros((3, 2, 2), np.int64)
    edge[race.Talk.DIPLOMATIC, 0, 1], edge[race.Talk.DIPLOMATIC, 1, 0] = edges
    s = SimpleNamespace(
        saga=[0, 0], items=np.zeros((2, 8), int), count=5, group=0, due=[5, 5], edge=edge, c_init=[9, 9],
        limit=[0, 0], wounds=[0, 0],
    )  # fmt: skip
    p = SimpleNamespace(max_count=5, diplomatic_breaks_on_attack=0, edge_clock=0, limit_result=race.LimitResult.DRAW)
    assert race.race(s, p) == pytest.approx(value)
