"""Steps of the lab by hand: pay, answers, budgets, intervals of changes, words, marks of actions, whose rule it is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.game import Seat
from probespiel.evaluation.stress import (
    actions,
    alike,
    answers,
    at_table,
    budget,
    changes,
    choosing,
    combine,
    dynamics,
    effect,
    game_words,
    guided,
    guided_kernel,
    learning,
    naming,
    paid,
    prelude,
    probe_kernel,
    report,
    usage,
)
from probespiel.evaluation.stress.answers import Ends
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.changes import Change
from probespiel.evaluation.stress.conditions import EVERYBODY, Condition
from probespiel.evaluation.stress.findings import Figure, Interval
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from tests.test_exact_stress import ALONE, ONE, TWO, Context, chosen, only


def plain(function: Any) -> Any:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


# What is asked for and put together


def test_pay_is_what_sides_get_more_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 402 games a fourth, 100 deals: A alone gets 3 more and takes 1, B gets 1 and gives 2: 2, 0.5, both 2.5.

    With everybody both get 1 and 3 more: 2 in the mean.
    """
    monkeypatch.setattr(paid, "paired", lambda after, before: (float(after.mean()), len(after), float(before.mean())))

    def told(*gains: float) -> dict[str, Any]:
        base = np.array([5.0, 7.0])
        return {"payoffs": [np.tile(base + gains, (100, 1)), np.tile(base, (100, 1))]}

    context: Any = Context([told(3, -1), told(2, 1), told(1, 3)])
    context.budget.measure = 402
    context.bench.zero_sum = False
    found = paid.measure_paid(context, chosen())
    assert found is not None
    assert [cast(Any, row)[0] for row in vars(found).values()] == [2.0, 0.5, 2.5, 2.0]
    ((step, jobs),) = context.asked
    assert step == "measure" and [(job.args["hero"], job.args["deals"]) for job in jobs] == [
        (0, 100),
        (1, 100),
        (0, 100),
    ]
    assert [job.args["conditions"] for job in jobs] == [[ALONE[n], Condition()] for n in ("A", "B", EVERYBODY)]
    assert jobs[1].args["mixtures"] == [(pair[1], pair[0]) for pair in chosen().of_seeds("B")]
    assert [(job.args["seed"], job.seconds) for job in jobs] == [(("paid",), 100.0)] * 3
    table = Context([{"payoffs": [np.array([[6.0, 10.0]]), np.array([[5.0, 7.0]])]}])
    table.bench.zero_sum, table.bench.for_all, table.budget.measure = False, True, 3
    whole = paid.measure_paid(cast(Any, table), chosen())
    assert whole is not None and [row and cast(Any, row)[0] for row in vars(whole).values()] == [None, None, None, 2.0]
    assert table.asked[0][1][0].args["deals"] == 1
    table.bench.zero_sum = True
    assert paid.measure_paid(cast(Any, table), chosen()) is None
    table.bench.zero_sum, table.bench.sides = False, (0,)
    assert paid.measure_paid(cast(Any, table), chosen()) is None


def test_margins_with_nobody_and_with_one_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cells without it and two with it for each side, of which those of the second have the other sign."""
    monkeypatch.setattr(alike, "units_of", lambda context, side: ([(side, 0)], [(side, 0), (side, 1)]))
    given: dict[str, Any] = {}
    monkeypatch.setattr(
        alike, "worth_table", lambda margins, sides, names, b: given.update(worth=margins, seeds=b.seeds)
    )
    monkeypatch.setattr(alike, "handicaps_of", lambda margins, sides, names, b: given.update(handicaps=margins))
    monkeypatch.setattr(alike, "alike_worth", lambda table, ends: ends)
    monkeypatch.setattr(alike, "seat_effect", lambda margins, seeds: margins)
    monkeypatch.setattr(alike, "_seats", lambda context, chosen: "seats")
    best = SimpleNamespace(
        plain=Strategy("p", base="p"), having=Strategy("h", base="h"), others=only(Strategy("o", base="o")),
        kept=Strategy("k", base="k"),
    )  # fmt: skip
    monkeypatch.setattr(alike, "best_answers", lambda *given: [[best, best], [best, best]])
    context: Any = Context([np.array([float(k)]) for k in range(1, 7)])
    context.budget = replace(BUDGETS["quick"], measure=9, seeds=4)
    context.bench.can_handicap, context.bench.in_order = True, True
    knows = Ends(*[np.tile([0.0, 1.0], 450) + n for n in (0, 1, 3, 0)])
    monkeypatch.setattr(alike, "play_ends", lambda *given: knows)
    found = cast(Any, alike.measure_alike(context, cast(Any, None), chosen()))
    assert (found.seat, given["seeds"], context.step) == ("seats", 1, "measure")
    for margins in (given["worth"], given["handicaps"]):
        assert {cell: float(v[0]) for cell, v in margins.nobody.items()} == {(0, 0): 1.0, (1, 0): -4.0}
        assert {cell: float(v[0]) for cell, v in margins.alone.items()} == {
            (0, 0): 2.0, (0, 1): 3.0, (1, 0): -5.0, (1, 1): -6.0,
        }  # fmt: skip
    heroes = [[rows.strategies[0].base for _, ((rows, _),) in asked[1]] for asked in context.asked]
    assert heroes == [["p", "h", "k"]] * 2, "at a handicap the same play is compared, whatever was learned without one"
    for having in (knows.kept, knows.kept + np.tile([9.0, -8.0, 0.0], 300)):  # as good, and better by luck
        assert alike.knows_better(cast(Any, best), replace(knows, having=having)) is best.kept


def test_of_many_candidates_the_best_of_a_look_are_compared() -> None:
    """Of ten (and as many as are looked at closely, two fewer) the best by the look stay, in their order."""
    few = answers.FINALISTS
    names = [Strategy(f"s{k}", base=f"b{k}") for k in range(few + 2)]
    looks = [float(k) for k in range(few + 2)]
    looks[0], looks[2] = 99.0, -1.0  # the third and the second are the worst
    last = [0.0] * few
    last[1] = 5.0
    context: Any = Context([np.array([value]) for value in (*looks, *last)])
    found = answers.strongest(context, "measure", ALONE["A"], 1, names, only(names[0]))
    kept = [names[0], *names[3:]]
    assert found is kept[1]
    (_, first, deals, use, hero), (_, second, more, again, _) = context.asked
    assert (deals, use, hero) == (7, "measure look", 1) and (more, again) == (7 * answers.ANSWERED, "measure choose")
    assert len(first) == few + 2
    assert [row[1][0][0] for row in second] == [Mixture((one,), (1.0,)) for one in kept]
    context = Context([np.array([float(k == 1)]) for k in range(few)])
    assert answers.strongest(context, "measure", ALONE["A"], 1, names[:few], only(names[0])) is names[1]
    assert len(context.asked) == 1


def test_a_course_of_learning_tries_what_its_work_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of learning to use it two actions are tried and one of all others."""
    shared: list[Any] = []
    monkeypatch.setattr(learning, "share_of", lambda *given: shared.append(given) or 0.25)
    monkeypatch.setattr(learning, "decisions_in", lambda work, observation: ("decisions", work, observation))
    asked: Any = prelude.Prelude.__new__(prelude.Prelude)
    for name, value in {"legal": 9.0, "choices": 1e9, "length": 5.0, "anchor": SimpleNamespace(base="greedy")}.items():
        object.__setattr__(asked, name, value)
    monkeypatch.setattr(learning, "replace", lambda was, **new: SimpleNamespace(**{"length": 5.0, **new}))
    context: Any = Context()
    context.marked, context.observation, context.file_of = [1, 2], 33, lambda net, condition: f"{net} in {condition}"
    context.budget.learn_work = 1e5
    job = learning.course(context, asked, learning.USE, "net", "role", [ALONE["A"]], [("x", 0.5)], [0], 0.5, 70)  # type: ignore[list-item]
    args = job.args
    assert (args["share"], args["work"], args["seed"]) == (
        0.25,
        ("decisions", 1e5, 33),
        ("learn", learning.USE, "role"),
    )
    assert (args["games"], args["together"], args["scale"], args["anchor"]) == (70, 0.5, 2.0, "greedy")
    work, games, share, narrowed, observation = shared[0]
    assert (work, games, share, observation) == (1e5, 70, learning.SHARES[learning.USE], 33)
    assert (narrowed.legal, narrowed.choices) == (3, learning.MARKED)


# Budgets and intervals


def test_a_budget_of_an_interpreted_game_is_a_slow_one() -> None:
    """All that is played and branched is a fixed share of that of a compiled one, with one seed and two rungs."""
    full = BUDGETS["standard"]
    fast, factor = budget.fitted(full, 10.0, 600, True)
    slow, less = budget.fitted(full, 10.0, 600, False)
    assert factor == budget.COST / 20.0 and less == pytest.approx(factor * budget.SLOW)
    assert (slow.stakes, slow.learn_work, slow.rung_work) == tuple(
        round(work * budget.SLOW) for work in (full.stakes, full.learn_work, full.rung_work)
    )
    assert slow.seeds == 1 and slow.ladder == full.ladder[:2] and fast.seeds == full.seeds
    assert budget.cost_of(0.5, 600, 2.0) == 3.0


def test_further_games_are_as_many_as_find_room() -> None:
    """At most so many times the probe, and only if they are more than it."""
    some = replace(BUDGETS["quick"], probe=100, probe_work=1_000)
    assert budget.further_games(some, 9.0) == 111 and budget.further_games(some, 10.0) == 0
    assert budget.further_games(some, 0.5) == min(budget.FURTHER * 100, 1_000)
    assert budget.further_games(replace(some, probe_work=10**9), 1.0) == budget.FURTHER * 100


def test_intervals_of_changes_hold_together() -> None:
    """Of two changes each has half the tail, and each of the four direct ones a fourth."""
    one = Change("length", 5.0, 6.0, (0.1, 0.2, 0.3), 21, 0.5, ((1.0, 0.4), (2.0, 0.5)), 0.25)
    found, _ = changes.figures_of([one, replace(one, name="draws")])
    alone, two, four = (changes.quantile(21, n) for n in (1, 2, 4))
    assert alone == pytest.approx(2.086, abs=1e-3) and two == pytest.approx(2.423, abs=1e-3)
    assert four == pytest.approx(2.744, abs=1e-3)
    assert found.before.high - 5 == pytest.approx(0.1 * alone) and found.after.high - 6 == pytest.approx(0.2 * alone)
    assert found.change.low == pytest.approx(1 - 0.3 * two) and found.learned == pytest.approx(0.25 * two)
    assert [(d.value, d.high - d.value) for d in found.direct] == [
        (1.0, pytest.approx(0.4 * four)), (2.0, pytest.approx(0.5 * four)),
    ]  # fmt: skip


def test_a_pair_of_rules_in_a_word() -> None:
    """By itself 0.5 or nothing: what counts is the change, and which way the worth goes then."""

    def told(worth: float, change: float, half: float = 0.1, level: str = "fair", before: str = "strong") -> str:
        def around(value: float) -> Interval:
            return Interval(value, value - half, value + half)

        return combine.interplay(around(worth), around(change), level, before, 0.2)

    assert told(-0.5, -1.0) == "turns round" and told(0.1, -0.4) == "cancels" and told(0.3, -0.2) == "weaker"
    assert told(-0.1, -0.6) == "cancels", "which may be nothing"
    assert told(0.9, 0.4) == "stronger" and told(0.9, 0.4, half=0.5) == "no interplay shown"
    assert told(0.6, 0.1, half=0.01) == "no interplay shown" and told(0.9, 0.4, level="overpowered") == "dominates"
    assert told(0.5, 0.5) == "stronger", "of nothing by itself"
    assert told(-0.5, -1.0, before="neutral") == "weaker" and told(
        0.9, 0.4, level="overpowered", before="overpowered"
    ) == ("stronger")


# Words


def test_own_decisions_are_told_from_a_twentieth_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    steady = Interval(1.0, 1.0, 1.0)
    figure = Figure("length", steady, steady, Interval(0.0, 0.0, 0.0), 0.5, 10, (), 0.0)
    for own, told in ((0.05, True), (0.049, False)):
        got: Any = effect.Effect((figure,), {}, own)
        found: Any = SimpleNamespace(
            effect=got, use=None, sides=("A", "B"), digits=2, dominance=None, worth=None, sample=None, dynamics=None
        )
        lines = game_words.effect_lines(got, found)
        assert any("do not count for the length" in line for line in lines) == told


def test_games_behind_a_report_are_counted() -> None:
    """Two of every pair that worths compare; parts that were not done count nothing."""
    both = SimpleNamespace(nobody=SimpleNamespace(games=10), everybody=SimpleNamespace(games=20))
    rows = [SimpleNamespace(worth=SimpleNamespace(games=n)) for n in (3, 4)]
    found: Any = SimpleNamespace(
        breakage=SimpleNamespace(games=100), learning=[SimpleNamespace(games=5), SimpleNamespace(games=6)],
        dominance=both, dynamics=None, worth=SimpleNamespace(sides=[SimpleNamespace(by_amount=rows)]),
    )  # fmt: skip
    assert report._games(found) == 100 + 11 + 30 + 14
    empty: Any = SimpleNamespace(breakage=None, learning=None, dominance=None, dynamics=None, worth=None)
    assert report._games(empty) == 0


def test_german_names_stand_for_english_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of places always, others where the report tells them; long ones are cut short in both."""
    monkeypatch.setattr(naming, "clean_name", lambda name, most=5: name[:most])
    monkeypatch.setattr(naming, "PLACE", 8)
    monkeypatch.setattr(naming, "PLACES", ("<{}>",))
    monkeypatch.setattr(naming, "both_questions", lambda spec: {"q": ("who goes", "wer geht")})
    names = [("bet", "setzen"), ("pass along", "weitergeben")]

    class Actions:
        def __len__(self) -> int:
            return 2

        def describe(self, action: int, lang: str = "en") -> str:
            return names[action][lang == "de"]

    seat = Seat("0", "a", "", ("first", "Erster"), ("side A", "Seite A"))
    spec: Any = SimpleNamespace(
        actions=Actions(), tallies=[SimpleNamespace(texts={"en": "coins", "de": "Münzen"})], seats=[seat]
    )
    told = "<bet> <pass > <coins> <first> <who goes> <side A>"
    assert naming.german_of(spec, told, {"at the beginning": "ganz am Anfang"}) == {
        "at the b": "ganz am ", "bet": "setze", "pass ": "weite", "coins": "Münze", "first": "Erste",
        "side A": "Seite A", "who goes": "wer geht",
    }  # fmt: skip


# Marks and networks


def test_questions_are_phases_of_games_with_it_alone() -> None:
    """Not those that games without it have by any strategies; its own decisions on top of others count as well."""

    def raw(*phases: str, **further: float) -> Any:
        return SimpleNamespace(phases={phase: 1.0 + k for k, phase in enumerate(phases)}, further=further)

    courses: Any = dynamics.Courses(
        raw("move"), raw("move", "ask", "rare"), cast(Any, (raw("move", "more", move=0.5), raw("move", "rare")))
    )
    assert courses.questions == {"ask", "more"} and courses.own == 2.0
    assert courses.asked(courses.moved[0]) == 2.5


def test_comebacks_are_of_games_and_strategies_before_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comeback that never is in any game is as rare as they are many; a count of leads is no share of games."""
    given: list[Any] = []
    monkeypatch.setattr(effect, "part_of", lambda values, seeds: SimpleNamespace(value=1.0))
    monkeypatch.setattr(effect, "luck_change", lambda *margins: "luck")
    monkeypatch.setattr(effect, "change_of", lambda name, *rest: given.append((name, rest[-1])) or name)
    zero = np.zeros((1, 7))

    def raw() -> Any:
        figures = dict.fromkeys(("lengths", "unresolved", "margins", "comeback", "changes"), zero)
        return SimpleNamespace(figures=figures, seeds=np.zeros(7))

    courses: Any = SimpleNamespace(nobody=raw(), everybody=raw(), moved=(), asked=lambda raw: 0.0)
    assert effect.of_courses(courses, False) == ["length", "unresolved", "luck", "draws", "comebacks", "lead changes"]
    assert dict(given) == {
        "length": (0, 0), "unresolved": (7, 7), "draws": (7, 7), "comebacks": (7, 7), "lead changes": (0, 0),
    }  # fmt: skip
    assert effect.of_courses(courses, True) == ["length", "unresolved", "luck"]
    assert effect.alike_in(np.array([np.nan, 2.0, 2.0])) == 2 and effect.alike_in(np.array([1.0, 2.0])) == 0
    assert effect.alike_in(np.array([np.nan])) == 0


def test_actions_that_are_not_marked_have_one_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four legal actions, one of them marked, three have the mean of 1, 3 and 8 in two words."""
    values = np.zeros(40)
    values[[0, 2, 5, 33]] = 1.0, 3.0, 50.0, 8.0
    marked = np.array([1 << 5, 0])
    monkeypatch.setattr(guided_kernel, "int64_at", lambda at, n: marked)
    monkeypatch.setattr(guided_kernel, "float64_at", lambda at, n: values)
    monkeypatch.setattr(guided_kernel, "lowest_bit", lambda bits: (int(bits) & -int(bits)).bit_length() - 1)
    guide = {guided_kernel.MARKED: 0, guided_kernel.WORDS: 2}
    net = {guided_kernel.VALUES: 0, guided_kernel.ACTIONS: 40}
    plain(guided_kernel.level)(guide, net, np.array([0b100101, 0b10]))
    assert values[[0, 2, 5, 33]].tolist() == [4.0, 4.0, 50.0, 4.0] and values.sum() == 62.0


@pytest.mark.parametrize(
    ("will", "lot", "chosen_action"), [(0.5, 0.4, 34), (0.5, 0.5, -7), (1.0, 0.9, 34), (0.0, 0.0, -7)]
)
def test_a_will_takes_marked_actions(
    will: float, lot: float, chosen_action: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two marked ones of those that are legal the second; without any, or else, any legal one."""
    for name, stand in {
        "popcount": lambda bits: int(bits).bit_count(), "rand_float": lambda rng: lot,
        "rand_below": lambda rng, n: n - 1, "random_legal": lambda words, rng: -7,
        "lowest_bit": lambda bits: (int(bits) & -int(bits)).bit_length() - 1,
    }.items():  # fmt: skip
        monkeypatch.setattr(probe_kernel, name, stand)
    wilful = plain(probe_kernel.wilful)
    words, marked = np.array([0b111, 0b101]), np.array([0b1010, 0b110])
    assert wilful(words, marked, will, None) == chosen_action
    assert wilful(words, np.array([0b1000, 0]), will, None) == -7, "none that is legal"


def test_weights_of_another_size_are_refused(tmp_path: Any) -> None:
    values = guided.ActionValues.__new__(guided.ActionValues)
    values.weights = {"a": np.ones((2, 3), np.float32), "b": np.ones(4, np.float32)}
    values.save(tmp_path / "net.npz")
    for array in values.weights.values():
        array[...] = 0.0
    values.load(tmp_path / "net.npz")
    assert all((array == 1.0).all() for array in values.weights.values())
    for wrong in ({"a": np.ones((3, 2), np.float32)}, {"c": np.ones(1, np.float32)}):
        values.weights = {"b": np.ones(4, np.float32), **wrong}
        with pytest.raises(guided.AgentError, match="are missing or of another shape"):
            values.load(tmp_path / "net.npz")


def test_whoever_decides_on_the_first_side_is_asked_about_its_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """In odd games the strategy plays first, in even ones second; of what it may do it takes half, then all.

    Seats 0 and 2 are of the first side.
    """
    rows = [(g, s) for g in range(4) for s in range(3)]

    class Log:
        seats, free = np.array([s for _, s in rows]), np.ones(12, bool)
        taken = np.array([(g % 2 == 1) == (s != 1) and g != 1 for g, s in rows])

        def __len__(self) -> int:
            return 12

    log = Log()
    asked: list[Any] = []

    def play(lab: Any, condition: Any, players: Any, pairs: Any, numbers: Any, seed: int, logged: bool) -> Any:
        asked.append((players, pairs, numbers.tolist(), seed))
        return SimpleNamespace(log=log, games_of_log=lambda: np.array([g for g, _ in rows]))

    monkeypatch.setattr(usage, "play", play)
    seats = {0: (0, 2), 1: (1,)}
    lab: Any = SimpleNamespace(bench=SimpleNamespace(side_seats=lambda condition, side: seats[side]))
    one, two = Strategy("one", base="one"), Strategy("two", base="two")
    found = usage.use_rates(lab, ALONE["A"], [one, two], [one, two], two, 4, 9)
    # of the first: seats 0 and 2 of games 1 and 3 and seat 1 of games 0 and 2, of which those of game 1 were not taken
    assert found["rates"] == [pytest.approx(4 / 6), pytest.approx(np.mean(log.taken))]
    assert asked[0] == ([one, two], [(1, 0), (0, 1), (1, 0), (0, 1)], [0, 1, 2, 3], 9)
    assert asked[1][:2] == ([two], [(0, 0)] * 4)
    log.free[:] = False
    assert usage.use_rates(lab, ALONE["A"], [one], [one], two, 4, 9)["rates"] == [None]
    three = Strategy("three", base="three")  # what one has learned for all other seats
    usage.use_rates(lab, ALONE["A"], [one], [three], two, 4, 9)
    assert asked[-1][:2] == ([one, three, two], [(2, 1), (0, 2), (2, 1), (0, 2)])


# Whose rule it is


@pytest.mark.parametrize(("text", "asks"), [
    ("x = has(1)", True), ("x = services.has(1)", True), ("from a import has as h", True), ("x = owns(1)", False),
    (f"x = p.pay_{at_table.HOLDERS}", True), (f"x = {at_table.HOLDERS}", False), ("from a import owns", False),
])  # fmt: skip
def test_a_rule_that_asks_who_has_it(text: str, asks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a name, an attribute or an import, wherever it stands among others."""
    monkeypatch.setattr(at_table, "source_of", lambda source: f"y = 1\n{text}\nz = y")
    assert at_table._asks_who(cast(Any, None)) == asks


def test_a_rule_whose_hooks_all_concern_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does nothing by itself does not, nor one with actions of its own, nor one that asks who has it."""
    monkeypatch.setattr(at_table, "_asks_who", lambda source: source == "asks")
    hook: Any = SimpleNamespace
    table = {
        "pay": hook(kind="change", arguments=("s",)), "draw": hook(kind="change", arguments=("s", "seat")),
        "show": hook(kind="observe", arguments=("seat",)), "state_key": hook(kind="change", arguments=("s",)),
    }  # fmt: skip

    def module(*hooks: str, actions: Any = (), concerns: Any = (), whole: bool = False, yes: Any = ()) -> Any:
        interface = SimpleNamespace(table=table, concerns=concerns)
        return SimpleNamespace(hooks=hooks, interface=interface, base_actions=actions, whole_table=whole,
                               for_table=lambda name: name in yes)  # fmt: skip

    def told(*hooks: str, source: str = "", **more: Any) -> bool:
        return at_table.concerns_all(module(*hooks, **more), cast(Any, source))

    assert told("pay", "show", "state_key") and told(whole=True)
    assert not told("show", "state_key") and not told("pay", actions=("a",)) and not told("pay", source="asks")
    assert not told("pay", "draw") and told("pay", "draw", yes=("draw",))
    assert not told("pay", concerns=("pay",)) and told("pay", concerns=("pay",), yes=("pay",))


def test_actions_without_a_weight_are_worth_nothing_known() -> None:
    """Of 2 and 4 with weights 1 and 3 it is 3.5; what is not legal does not count; without a weight it is unknown."""
    values = np.array([[2.0, 4.0, np.nan], [np.nan, 4.0, 5.0], [1.0, np.nan, np.nan]])
    weights = np.array([[1.0, 3.0, 9.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    found = actions._mixed(values, weights)
    assert found[:2].tolist() == [3.5, 4.0] and np.isnan(found[2])


def test_uses_are_joined_with_what_the_same_condition_plays() -> None:
    """A holder plays what was found there or with nobody, with the use that was learned in that condition alone."""
    use, other = (Strategy(name, base="b", net=name, scope="whether") for name in ("use (1)", "other (1)"))
    learners: Any = SimpleNamespace(made=[("A", use), ("B", other), ("A", ONE)])
    context: Any = Context()
    mixtures = {name: [(only(ONE), only(TWO))] for name in ALONE}
    anchor: Any = SimpleNamespace(anchor=TWO)
    found = choosing.joined_with_uses(context, anchor, learners, mixtures)
    told = {name: [[(s.base, s.whether) for s in pool] for pool in pools] for name, pools in found.items()}
    assert told == {"A": [[("one", "use (1)")], []]}, "the anchor is the course itself"
    context.used = False
    assert choosing.joined_with_uses(context, anchor, learners, mixtures) == {}
