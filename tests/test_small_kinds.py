"""Functions of reports that whole runs alone had entered: each by a case small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.evaluation.einblatt import duel as einblatt
from probespiel.evaluation.ews_rps import roshambo
from probespiel.evaluation.oneshot import builds, builds_report
from probespiel.evaluation.scorekeeper import duel as duels
from probespiel.evaluation.scorekeeper import response
from probespiel.evaluation.stress import advice, affording, away, conditions, exact, sure, usage, worth
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition
from probespiel.evaluation.stress.dynamics import _raw_of
from probespiel.evaluation.stress.effect import _moved_seats
from probespiel.evaluation.stress.findings import Interval, Sample, SideWorth, Use, UseWorth, Worth, WorthRow
from probespiel.evaluation.stress.game_verdict import change_ends
from probespiel.evaluation.stress.game_words import seat_ends
from probespiel.evaluation.stress.learning import seats_for
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Strategy
from probespiel.evaluation.stress.tunable import as_parameter
from probespiel.evaluation.stress.verdict import RARELY, without_effect
from probespiel.evaluation.stress.workers import Failed
from probespiel.evaluation.tournament import deviation

from .lab_findings import findings


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-12)


# --- Scorekeeper ------------------------------------------------------------------------------------------------------


def side(**more: Any) -> Any:
    """A fighter of one sheet: blows leave the other able in 4 of 10, and are saved by one in four."""
    blow = np.array([[0.4, 0.6]])
    return SimpleNamespace(hit=np.full((1, 1), 0.5), counter=np.full((1, 1), 0.2), save=np.array([0.25]), blow=[blow],
                           aid=np.array([[0.5]]), **more)  # fmt: skip


def test_who_answers_an_aggressor_counts_its_dodges() -> None:
    """After a blow 0.4 x 0.25 + 0.6 = 0.7 for the faster one, and with the dodge 0.0625 + 0.75 x 0.7 = 0.5875."""
    slow = response.AggressorSlow(side(), side(), "any", np.array([[0.25]]))
    assert slow.fast_attacks(0, None, False).item() == near(0.5 * 0.25 + 0.5 * 0.5875)
    assert slow.fast_attacks(-1, None, False).item() == near(0.125)
    assert slow.counter_of_fast.item() == near(0.8 * 0.25 + 0.2 * 0.5875)
    assert slow.declarations(True) == [(0, False)] and slow.declarations(False) == [(None, False)]
    slow.slow_attacks = lambda zone, status: np.array([[-1.0]])  # type: ignore[method-assign]
    # what the slower one declared is done after that: 0.4 x -1 + 0.6 = 0.2, with the dodge -0.25 + 0.75 x 0.2 = -0.1
    assert slow.fast_attacks(0, 0, False).item() == near(0.5 * -1.0 + 0.5 * -0.1)


def test_an_aggressor_that_is_faster_dodges_what_comes_back() -> None:
    """After a blow 0.4 x 0.25 - 0.6 = -0.5, and with the dodge 0.0625 - 0.375 = -0.3125."""
    fast = response.AggressorFast(side(), side(), "any", np.array([[0.25]]))
    assert fast.counter_of_slow.item() == near(0.8 * 0.25 + 0.2 * -0.3125)
    assert fast._slow_turn(0, response.ACTED).item() == near(0.5 * 0.25 + 0.5 * -0.3125)
    fast.fast_attacks = lambda *given: given  # type: ignore[method-assign, assignment]
    assert fast.answers(3, True, True) == [(0, 3, True)]


def test_ties_of_reaction_are_broken_by_the_base_values(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(duels, "order_chances", lambda *given: seen.append(given) or {(True, True, True): 1.0})
    fighters = tuple(
        dict(wah=w, agl=a, reaction_mod=m, surprised=s) for w, a, m, s in ((5, 3, 1, False), (4, 4, 0, True))
    )
    bodies = tuple(
        SimpleNamespace(penalty=lambda what, k=k: np.array([k]) if what == "reaction" else None) for k in (2, 0)
    )
    config = {"tie_break": "base", "surprise_penalty": 3}
    duel = cast(Any, SimpleNamespace(size=(1, 1), config=config, fighters=fighters, bodies=bodies))
    found = duels.orders(duel, 1)
    assert {key: table.tolist() for key, table in found.items()} == {(True, True, True): [[1.0]]}
    duels.orders(duel, 2)
    config["tie_break"] = "dice"
    duels.orders(duel, 2)
    keys = [(8, 5), (8, 4)]
    assert seen == [(7, 5, keys), (7, 8, keys), (7, 8, [(0, 0), (0, 0)])]


# --- einBlatt, Edward's Rock Paper Scissors, OneShot ------------------------------------------------------------------


@pytest.mark.parametrize("score", [-1, 1])
@pytest.mark.parametrize("utility", einblatt.UTILITIES)
def test_what_has_been_won_before_counts_in_the_formula(utility: str, score: int) -> None:
    """Two rounds from a score of 1 or -1, against backward induction."""
    weights = einblatt.UTILITIES[utility]
    for a, b in (((4, 1), (3, 2)), ((2, 2), (4, 3)), ((4,), (0, 0))):
        assert einblatt.closed_value(a, b, weights, 2, score) == einblatt.DuelSolver(weights).value(a, b, 2, score)
    assert einblatt.closed_value((4, 4), (1, 1), einblatt.UTILITIES["ep"], 2, 1) == 3


def test_a_match_counts_what_the_first_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rock 0, paper 1, scissors 2: won, drawn, lost, lost; both see both throws, each its own first."""
    told: list[Any] = []

    class Player:
        def __init__(self, throws: list[int]) -> None:
            self.throws, self.seen = iter(throws), list[Any]()

        def start(self, place: int, seed: int) -> None:
            told.append((place, seed))

        def throw(self, state: Any) -> int:
            return next(self.throws)

        def see(self, own: int, other: int, state: Any) -> None:
            self.seen.append((own, other))

    played: list[Any] = []
    monkeypatch.setattr(roshambo, "seed_entrants", lambda seed: told.append(seed))
    state = SimpleNamespace(apply_actions=played.append)
    monkeypatch.setattr(roshambo, "_repeated_game", lambda: SimpleNamespace(new_initial_state=lambda: state))
    first, second = Player([1, 2, 0, 2, 1]), Player([0, 2, 1, 0, 0])
    assert roshambo.play_match(cast(Any, first), cast(Any, second), 4, 9) == -1
    assert told == [9, (0, 9), (1, 9)] and played == [[1, 0], [2, 2], [0, 1], [2, 0]]
    assert first.seen == [(1, 0), (2, 2), (0, 1), (2, 0)] and second.seen == [(0, 1), (2, 2), (1, 0), (0, 2)]


def test_skirmishes_of_builds_are_told() -> None:
    """Of two the one that leads everywhere by four standard errors; of rock, paper and scissors none."""
    words = builds_report._WORDS["en"]
    field = SimpleNamespace(name=lambda build: f"build {build}")
    sampled = builds.Sample([4, 7], np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([[0.0, 0.25], [0.25, 0.0]]), 12)
    found = cast(Any, SimpleNamespace(sampled=sampled, field=field))
    assert builds_report.sampled_lines(found, words) == [
        "Skirmishes on the grid, 12 a pair, mean payoff of the row with standard errors:",
        "  +0.00±0.00  +1.00±0.25  build 4",
        "  -1.00±0.25  +0.00±0.00  build 7",
        "equilibrium on the grid:",
        "  100.00 %  build 4",
        "dominated on the grid: build 7 by build 4 (every lead at least 4.0 standard errors)",
        "",
    ]
    circle = np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    found.sampled = builds.Sample([1, 2, 3], circle, np.ones((3, 3)), 5)
    told = builds_report.sampled_lines(found, words)
    assert sorted(told[5:8]) == [f"   33.33 %  build {k}" for k in (1, 2, 3)] and told[8:] == [
        words["sampled_none"],
        "",
    ]


# --- the lab ----------------------------------------------------------------------------------------------------------


def test_paths_of_a_worker_are_shown_as_everywhere() -> None:
    shown = {"/there/a b": "~/a", 'x"y': "z"}
    assert away._as_kept("r/1.json", b'"/there/a b/1" "x\\"y"', shown) == b'"~/a/1" "z"'
    assert away._as_kept("r/1.npz", b"/there/a b", shown) == b"/there/a b"
    told = away._as_shown({"at": ["/there/a b/1", 3], "why": (Failed("raised", 'in x"y'), None)}, shown)
    assert told == {"at": ["~/a/1", 3], "why": (Failed("raised", "in z"), None)}


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("used", [False, True])
def test_seats_are_compared_with_the_strategies_of_both_conditions(mirrored: bool, used: bool) -> None:
    """Half of what the first seat gets more than the last; the rule is left alone by those who have never seen it."""
    there = {NOBODY: Condition(), EVERYBODY: Condition((0, 1))}
    asked: list[Any] = []

    def cells(step: str, wanted: list[Any], deals: int, key: str) -> list[np.ndarray]:
        asked.append((step, deals, key, wanted))
        return [np.array([float(k * k)]) for k in range(len(wanted))]

    context = SimpleNamespace(
        bench=SimpleNamespace(holder_conditions=lambda: there, can_mirror=mirrored), cells=cells, used=used,
        budget=SimpleNamespace(measure=50),
    )  # fmt: skip
    chosen = SimpleNamespace(moved=lambda whose, held: [whose, held])
    found = _moved_seats(cast(Any, context), cast(Any, chosen))
    step, deals, key, wanted = asked[0]
    assert (step, deals, key) == ("effect", 50, "measure")
    pairs = [
        (NOBODY, NOBODY, False),
        (EVERYBODY, EVERYBODY, False),
        (EVERYBODY, NOBODY, used),
        (NOBODY, EVERYBODY, False),
    ]
    plain = [(there[name], [whose, held]) for name, whose, held in pairs]
    if mirrored:
        assert wanted == [(replace(one, mirrored=turned), pair) for one, pair in plain for turned in (False, True)]
        assert [gain.tolist() for gain in found] == [[-0.5], [-2.5], [-4.5], [-6.5]]
    else:
        assert wanted == plain and [gain.tolist() for gain in found] == [[0.0], [1.0], [4.0], [9.0]]


def test_figures_of_courses_are_kept_without_what_is_none() -> None:
    played = {
        "drama": [[0.5, 0.25]],
        "stopped": [1],
        "seeds": [[3, 4]],
        "leads": 1,
        "phases": {"a": 2.0},
        "further": {"b": 1},
    }
    raw = _raw_of([played, {"scores": [1.0, 0.0]}, {"scores": [0.5]}])
    assert list(raw.figures) == ["drama"] and raw.figures["drama"].tolist() == [[0.5, 0.25]]
    assert raw.seeds.tolist() == [[3, 4]] and [rung.tolist() for rung in raw.rungs] == [[1.0, 0.0], [0.5]]
    assert raw.leads is True and (raw.phases, raw.further) == ({"a": 2.0}, {"b": 1})


def test_solved_games_tell_what_ways_of_using_it_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each side its own losses; a use that nobody is offered, or of games that are not solved, stays as it is."""
    asked: list[Any] = []
    answers: list[Any] = [
        {"losses": [(0.5, 0.25), (0.125, 0.0)], "answers": [{"x": 1.0}, {}]}, Failed("hung", "no answer"),
    ]  # fmt: skip

    def ask(context: Any, step: str, job: Any) -> Any:
        asked.append((step, job.kind, job.args))
        return answers.pop(0)

    monkeypatch.setattr(exact, "_asked", ask)
    bench = SimpleNamespace(side_names=["A", "B", "C"], settings=SimpleNamespace(budget="quick"))
    context = cast(Any, SimpleNamespace(sides=(0, 2), bench=bench))
    use = Use(1, opportunities=3)
    found = exact.solve_use(context, use).solved
    assert {name: (one.never, one.always, one.answers) for name, one in found.items()} == {
        "A": (0.5, 0.25, {"x": 1.0}), "C": (0.125, 0.0, {}),
    }  # fmt: skip
    assert asked == [("use", "exact_use", {"sides": [0, 2], "limit": exact.POSITIONS["quick"]})]
    assert exact.solve_use(context, use) is use
    assert exact.solve_use(context, Use(1)).solved == {} and len(asked) == 2


A, B = Strategy("a", base="bold"), Strategy("b", base="shy")
PURE = {one.name: Mixture((one,), (1.0,)) for one in (A, B)}


def test_a_lead_is_half_of_what_a_side_gets_more_than_the_mean_of_the_others() -> None:
    paid = np.array([[1.0, 0.0, 4.0], [2.0, 2.0, 2.0]])
    assert [sure.lead_of(paid, k).tolist() for k in range(3)] == [[-0.5, 0.0], [-1.25, 0.0], [1.75, 0.0]]
    assert sure.lead_of(paid[:, :1], 0).tolist() == [1.0, 2.0]


def test_leads_by_payment_are_of_each_side_with_the_rule_alone() -> None:
    """Both sides by the same deals: with it less without it, whoever sits where."""
    seen: list[Any] = []

    def need(step: str, jobs: Any) -> list[Any]:
        seen.extend((step, job.kind, job.args) for job in jobs)
        return [{"payoffs": [[[3.0, 1.0]], [[1.0, 1.0]]]}, {"payoffs": [[[0.0, 5.0]], [[0.0, 1.0]]]}]

    there = {"A": Condition((0,)), "B": Condition((1,)), NOBODY: Condition()}
    bench = SimpleNamespace(alone="AB".__getitem__, holder_conditions=lambda: there)
    context = cast(Any, SimpleNamespace(bench=bench, sides=(0, 1), seed=lambda what: f"seed of {what}", need=need))
    one, two = (PURE["a"], PURE["b"]), (PURE["b"], PURE["a"])
    chosen = Chosen({}, {"A": [one, two], "B": [two, one]})
    assert [leads.tolist() for leads in sure.leads_by_payment(context, chosen)] == [[1.0], [2.0]]
    assert sure.payments(context, chosen) == [1.0, 2.0]
    for (step, work, args), name, pairs, hero in zip(seen[:2], "AB", ([one], [two[::-1]]), (0, 1), strict=True):
        assert (step, work, args["conditions"]) == ("measure", "paid", [there[name], Condition()])
        assert (args["mixtures"], args["deals"], args["seed"], args["hero"]) == (
            pairs,
            sure.GAMES,
            "seed of sure",
            hero,
        )
    unlike = [{"payoffs": [[[3.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]}] * 2
    context.need = lambda step, jobs: unlike
    assert sure.payments(context, chosen) is None


def test_strategies_found_without_the_rule_play_everywhere() -> None:
    pair = (PURE["a"], PURE["b"])
    chosen = Chosen(
        {NOBODY: [[A], [B]], EVERYBODY: [[B], [A]]}, {NOBODY: [pair, pair], EVERYBODY: [(pair[1], pair[0])] * 2}
    )
    found = sure.alike_everywhere(chosen)
    assert found.pools == dict.fromkeys(chosen.pools, chosen.pools[NOBODY])
    assert found.mixtures == dict.fromkeys(chosen.mixtures, chosen.mixtures[NOBODY])


def test_whoever_has_the_rule_answers_it_as_learned() -> None:
    """Where somebody learned in that condition; or all leave it alone, or use it whenever they can."""
    there = {NOBODY: Condition(), "A": Condition((0,)), EVERYBODY: Condition((0, 1))}
    learned = [Strategy(f"use ({k})", net=f"n{k}", scope="whether") for k in (0, 1)]
    made = [("A", learned[0]), ("A", Strategy("free", net="f", scope="everywhere")), ("A", learned[1])]
    context = cast(Any, SimpleNamespace(
        bench=SimpleNamespace(holder_conditions=lambda: there), sides=(0, 1), budget=SimpleNamespace(seeds=2)
    ))  # fmt: skip
    chosen = Chosen({"pool": [[A]]}, {})
    for number, using in ((0, A.deciding(learned[0])), (1, A.deciding(learned[1])), (sure.LEFT, A.using("never")),
                          (sure.ALWAYS, A.using("always"))):  # fmt: skip
        found = sure.answered_alike(context, cast(Any, SimpleNamespace(made=made)), chosen, A, number)
        plain, has = PURE["a"], Mixture((using,), (1.0,))
        assert found.pools == chosen.pools
        assert found.mixtures == {
            NOBODY: [(plain, plain)] * 3,
            "A": [(has, plain)] * 3,
            EVERYBODY: [(plain, plain)] * 3,
        }


def test_worth_by_what_a_rule_pays_has_room_where_some_is_left() -> None:
    def row(amount: int, without: float) -> WorthRow:
        return WorthRow(amount, Sample(9.0, 8.0, 10.0, 70), Interval(0, 0, 0), 9.0, without, 0.5, 0.5)

    sides = (
        SideWorth("A", (row(0, 1.0), row(1, 2.0)), (5.0, 6.0), Sample(1, 0, 2, 9)),
        SideWorth("B", (row(0, 0.0),), (7.0,)),
    )
    whole = Worth(sides, Sample(9.0, 8.0, 10.0, 60), 1.0, Interval(0, 0, 0), alike=True)
    found = sure.paid_surely(whole, [0.5, 0.25], 0.0, 30)
    assert found.overall == Sample(0.375, 0.375, 0.375, 60) and (found.alike, found.sure) == (False, 30)
    assert [r.worth for r in found.sides[0].by_amount] == [Sample(0.5, 0.5, 0.5, 70)] * 2
    assert [r.with_it for r in found.sides[0].by_amount] == [1.5, 2.5] and found.sides[1].by_amount[0].with_it == 0.25
    assert [s.seeds for s in found.sides] == [(0.5,), (0.25,)] and found.sides[0].answer == sides[0].answer
    roomy = sure.paid_surely(whole, [0.5, 0.25], 0.125, 30)
    assert roomy.overall == Sample(0.375, 0.25, 0.5, sure.GAMES) and roomy.sides[0].answer is None
    assert roomy.sides[1].by_amount[0].worth == Sample(0.25, 0.125, 0.375, sure.GAMES)


def test_uses_are_watched_by_three_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """How often, what each brings, and which answers: all with everybody having it, by what all seeds have learned."""
    rates = {
        "games": 40, "opportunities": 80, "uses": 8, "rate": 0.1, "games_with_offer": 20, "forced": 0,
        "situations": [], "choices": {"phase": 1},
    }  # fmt: skip
    worths = {
        "count": 5, "games": 4, "gain": 0.5, "error": 0.1, "effect": 0.2, "better": 0.3, "worse": 0.4,
        "situations": [], "actions": [], "leaves": [],
    }  # fmt: skip
    tried: dict[str, Any] = {"choices": [], "stakes": [], "lines": [], "ways": []}
    jobs: list[Any] = []

    def need(step: str, given: Any) -> list[Any]:
        jobs.append([(step, job.kind, job.args) for job in given])
        return [rates] if len(given) == 1 else [worths, tried]

    begun: list[str] = []
    context = cast(Any, SimpleNamespace(
        begin=begun.append, marked=(3, 4), need=need, seed=lambda what: what, sides=(0, 1),
        budget=SimpleNamespace(rates=100, samples=7),
        bench=SimpleNamespace(everybody=lambda: "all", side_names=["A", "B"]),
    ))  # fmt: skip
    monkeypatch.setattr(usage, "restricted", lambda context, chosen, side: f"restricted {side}")
    chosen = cast(Any, SimpleNamespace(of_all=lambda name: (f"rows of {name}", f"columns of {name}")))
    found = usage.watch_use(context, chosen)
    same = {"condition": "all", "rows": f"rows of {EVERYBODY}", "columns": f"columns of {EVERYBODY}"}
    assert jobs == [
        [("use", "rates", {**same, "deals": 100, "seed": "rates"})],
        [
            ("use", "worths", {**same, "samples": 7, "deals": 140, "replicates": 4, "share": 0.5, "seed": "worths"}),
            ("use", "trials", {**same, "choices": {"phase": 1}, "samples": 7, "deals": 100, "seed": "answers"}),
        ],
    ]
    assert begun == ["use"] and (found.actions, found.opportunities, found.uses, found.games_with_offer) == (
        2,
        80,
        8,
        20,
    )
    assert found.worth is not None and (found.worth.count, found.worth.gain, found.worth.worse) == (5, 0.5, 0.4)
    assert found.restricted == {"A": "restricted 0", "B": "restricted 1"}
    context.marked = ()
    assert usage.watch_use(context, chosen) == Use(0) and len(jobs) == 2


@pytest.mark.parametrize(
    ("figure", "ends", "told"),
    [
        ("draws", (-1.5, 0.2, 1.5), (-1.0, 1.0)), ("draws", (-0.5, 0.2, 0.9), (-0.5, 0.9)),
        ("draws", (-2.0, -1.25, 0.0), (-1.25, 0.0)), ("draws", (0.0, 1.5, 2.0), (0.0, 1.5)),
        ("length", (-7.0, 1.0, 9.0), (-7.0, 9.0)),
    ],
)  # fmt: skip
def test_a_share_changes_by_all_of_it_at_most(figure: str, ends: tuple[float, ...], told: tuple[float, float]) -> None:
    low, value, high = ends
    assert change_ends(figure, Interval(value, low, high)) == told


def test_a_change_of_seats_is_exact_in_solved_games() -> None:
    made, change = findings(), Sample(0.1, -0.05, 0.25, 1200)
    text = seat_ends(change, made)
    assert "0.05" in text and "0.25" in text and text.endswith("; 1,200 games")
    assert made.worth is not None and seat_ends(change, replace(made, worth=replace(made.worth, exact=True))) == "exact"
    assert seat_ends(change, replace(made, worth=None)) == text


@pytest.mark.parametrize(
    ("gain", "error", "effect", "told"),
    [
        (0.0, None, 0.0, True), (None, 0.1, 0.0, False), (0.0, 0.1, 0.01, False), (0.0, 0.1, None, False),
        (-0.25, 0.1, 0.0, True), (0.25, 0.1, 0.0, True), (-0.3, 0.1, 0.0, False), (0.3, 0.1, 0.0, False),
        (9.0, None, 0.0, True),
    ],
)  # fmt: skip
def test_a_use_without_effect_leads_nowhere(gain: Any, error: Any, effect: Any, told: bool) -> None:
    """2.6 standard errors are 0.26."""
    assert without_effect(UseWorth(500, 300, gain, error, effect, 0.0, 0.0)) is told


def test_one_side_learns_and_all_others_are_played_by_another() -> None:
    seats = {0: (0, 3), 1: (1,), 2: (2, 4)}
    bench = SimpleNamespace(side_seats=lambda condition, side: seats[side], sides=(0, 1, 2))
    lab, condition = cast(Any, SimpleNamespace(bench=bench)), Condition()
    assert seats_for(lab, condition, 0, 7, 1) == (7, 1, 1, 7, 1)
    assert seats_for(lab, condition, 2, 0, 3) == (3, 3, 0, 3, 0)


@pytest.mark.parametrize(
    ("value", "grows", "told"),
    [
        (3.0, False, ('module.param("amount", 3, 0, 6)', "amount=0..6", "p.edge_amount")),
        (3.0, True, ('module.param("amount", 3, 0, 30)', "amount=0..30", "p.edge_amount")),
        (0.256, False, ('module.param("hundredths", 26, 0, 52)', "hundredths=0..52", "p.edge_hundredths / 100")),
        (1.5, True, ('module.param("hundredths", 150, 0, 1500)', "hundredths=0..1500", "p.edge_hundredths / 100")),
    ],
)
def test_a_number_becomes_a_parameter(value: float, grows: bool, told: tuple[str, str, str]) -> None:
    assert as_parameter(cast(Any, SimpleNamespace(value=value, module="edge")), grows) == told


def test_what_a_holder_pays_of_its_own_result_is_twice_a_lead() -> None:
    made = findings(worth=-0.2)
    assert made.worth is not None
    told = advice._paid_alone(made, made.worth, " EP")
    assert told == "Paid by its holder alone, of its own result, that is 0.40 EP: of a payment a lead loses half. "
    exactly = replace(made.worth, exact=True, overall=replace(made.worth.overall, value=0.0625))
    assert "that is 0.125:" in advice._paid_alone(made, exactly, "")
    assert advice._paid_alone(replace(made, sides=("A",)), made.worth, "") == ""


def test_a_use_is_rare_under_its_bound_and_not_at_it() -> None:
    seen = UseWorth(500, 300, 0.1, 0.01, 1.0, 1.0, 0.0)
    assert advice._rate(RARELY, seen, "") == [] == advice._rate(1 - RARELY, seen, "")
    assert advice._rate(RARELY - 1e-9, seen, "")[0].endswith("no situation was found in which it clearly pays.")
    assert advice._rate(1 - RARELY + 1e-9, None, "")[0].endswith(
        "no situation was found that clearly speaks against it."
    )


def test_shares_of_a_budget_are_powers_of_a_quarter_to_thousandths() -> None:
    """Of 70 steps: none, a half of them, one, all."""
    assert [affording._at(step) for step in (0, 35, 1, 70)] == [1.0, 0.5, 0.98, 0.25]
    assert affording._at(3) == round(0.25 ** (3 / 70), 3) == 0.942


def test_the_side_that_moves_is_told_of_mirrored_games_alone() -> None:
    """What side 0 gains in both seats where everybody has it: (8 + 2 - 3 - 1) / 2."""
    three, one, eight, two = (np.full(4, x) for x in (3.0, 1.0, 8.0, 2.0))
    turned = worth.seat_effect(worth.Margins({(0, 0): three}, {}, eight, (one, two)), 1)
    assert turned.side is not None and turned.side.value == 3.0
    assert worth.seat_effect(worth.Margins({(0, 0): three}, {}, eight, None), 1).side is None


def test_work_of_baselines_is_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    works = {"random": 1.0, "bold": 2.0, "shy": 6.0}
    monkeypatch.setattr(conditions, "baselines_of", lambda name: {n: SimpleNamespace(work=w) for n, w in works.items()})
    bench = SimpleNamespace(system=SimpleNamespace(name="x"), baselines=lambda: list(works))
    assert conditions.Bench.work.func(cast(Any, bench)) == 3.0  # type: ignore[attr-defined]


def test_the_first_columns_are_those_with_the_least_largest_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deviation, "_COLUMNS", 2)
    rows = np.array([[5.0, 1.0, 0.0, 2.0], [0.0, 1.0, 9.0, 2.0]])
    assert deviation._first_columns(rows).tolist() == [1, 3]
    assert deviation._first_columns(rows[:, :2]).tolist() == [0, 1]
