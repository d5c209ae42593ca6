"""Sentences of reports that no test worded: each appears where it is so by hand, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.app import against
from probespiel.evaluation.balance import words as balance_words
from probespiel.evaluation.balance.records import Along, Axis, Line
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.exploit.records import EXACT, LEARNED, TREE, Exploited, Figure, Side
from probespiel.evaluation.exploit.report import answers_of, explained
from probespiel.evaluation.report.wording import dominance_sentence
from probespiel.evaluation.stress import words as stress_words
from probespiel.evaluation.stress.findings import (
    Choice,
    Dominance,
    Dominant,
    Dynamics,
    Exploit,
    Interval,
    Luck,
    MatrixGame,
    Mean,
    Place,
    Play,
    Restricted,
    Rung,
    Sample,
    Shown,
    SolvedUse,
    Stake,
    StrategyRow,
    Use,
    UseWorth,
    Verdict,
    Ways,
)
from probespiel.evaluation.stress.words import SETTLED, answers

from .lab_findings import findings

# --- stress tests: the use of a rule ----------------------------------------------------------------------------------

REAL = "Whether to use it is a real decision: it pays in some situations and costs in others."
NONE_SPEAKS = "No situation was found that speaks clearly against it."
OFFERED = Use(1, games=100, opportunities=500, rate=0.5, games_with_offer=90, games_with_use=60)


def used(kind: str, gains: tuple[tuple[float, float | None], ...] = (), **more: Any) -> list[str]:
    """What is said of a use of some kind, tried in situations with these gains and their errors."""
    leaves = tuple(Place(f"place {i}", 0.5, gain, error, 100) for i, (gain, error) in enumerate(gains))
    tried = {"gain": 0.0, "error": 0.01, "better": 0.3, "worse": 0.3, **more.pop("worth", {})}
    worth = UseWorth(500, 300, tried["gain"], tried["error"], 1.0, tried["better"], tried["worse"], leaves=leaves)
    use = replace(OFFERED, **{"worth": worth, **more})
    return answers(findings(use=use, verdict=Verdict("neutral", (), use=kind)))["use"]


def test_a_use_is_told_with_what_it_gains() -> None:
    """As many digits as the figures of a game have; the interval is 1.96 errors to either side."""
    told = used("mixed", worth={"gain": 0.1234, "error": 0.01, "better": 0.25, "worse": 0.5})
    assert told[:2] == [
        "The strongest strategies use it in 50% of 500 opportunities, and in 60 of the 90 games (of 100) in which it "
        "was offered.",
        "Tried both ways at 500 opportunities of 300 games, a use gained +0.12 EP on the average (+0.10 to +0.14); it "
        "was the better choice in 25%, the worse in 50% of them, made no difference in the others.",
    ]
    lost = used("gamble", worth={"gain": -0.1254, "error": 0.02})
    assert "a use lost 0.13 EP on the average (−0.16 to −0.09); it" in lost[1]
    assert used("mixed", games_with_offer=100)[0].endswith(
        "and in 60 of the 100 games, in all of which it was offered."
    )


@pytest.mark.parametrize(("gains", "real"), [
    (((0.027, 0.01), (-0.027, 0.01)), True),
    (((0.027, 0.01), (-0.025, 0.01)), False),  # not 2.6 errors below nothing
    (((0.025, 0.01), (-0.027, 0.01)), False),
    (((0.027, 0.01), (0.027, 0.01)), False),
    (((-0.027, 0.01), (-0.1, 0.01)), False),
    (((0.027, 0.01), (-0.5, None)), False),  # of which nobody knows how sure it is
    ((), False),
])  # fmt: skip
def test_a_use_is_a_real_decision_where_situations_speak_both_ways(
    gains: tuple[tuple[float, float | None], ...], real: bool
) -> None:
    told = used("mixed", gains)
    assert (REAL in told, NONE_SPEAKS in told) == (real, not real)
    assert not any(line.startswith("Flag") for line in told)


@pytest.mark.parametrize(("never", "always", "real"), [
    (0.1, 0.1, True), (0.1, 0.02, False), (0.02, 0.1, False), (0.1, 0.0, False),
])  # fmt: skip
def test_a_use_is_a_real_decision_where_solved_games_lose_by_both(never: float, always: float, real: bool) -> None:
    """A loss of 0.025 counts, half of a twentieth of how far results lie apart."""
    told = used("mixed", solved={"A": SolvedUse(never, always)})
    assert (REAL in told) == real


def test_a_use_that_was_nearly_always_better_leaves_nothing_to_decide() -> None:
    better = {"gain": 0.1, "better": 0.95, "worse": 0.0}
    assert SETTLED in used("mixed", worth=better, rate=0.95)
    assert NONE_SPEAKS in used("mixed", worth=better, rate=0.94)
    assert NONE_SPEAKS in used("mixed", worth={**better, "better": 0.94}, rate=0.95)
    assert NONE_SPEAKS in used("mixed", worth={**better, "worse": 0.01}, rate=0.95)
    assert NONE_SPEAKS in used("mixed", worth={**better, "error": 0.1 / 2.6}, rate=0.95)


WAYS = (Ways(0.5, Stake("school", 100, 1.0, 0.1), (Choice("school", "fire", 50, 0.5, 0.0, 0.02),)),)


def test_flags_of_a_use_are_those_of_the_verdict() -> None:
    always, never, gamble = "Flag: using it is always right; ", "Flag: using it is never right; ", "It is a gamble: "
    for kind, wanted in (("always-use", always), ("gamble", gamble), ("mixed", ""), ("none", "")):
        told = [line for line in used(kind) if line.startswith((always, never, gamble))]
        assert [line[: len(wanted)] for line in told] == ([wanted] if wanted else []), kind
    assert f"{always}there is nothing to decide." in used("always-use")
    assert f"{always}what is left to decide is how." in used("always-use", ways=WAYS)
    assert "Asked for school, it can be used in 1 ways." in used("mixed", ways=WAYS)


@pytest.mark.parametrize(("gain", "solved", "never"), [
    (-0.021, {}, True), (-0.02, {}, False), (0.1, {}, False),
    (0.0, {"A": SolvedUse(0.0, 0.1)}, True), (0.0, {"A": SolvedUse(0.0, 0.02)}, False),
])  # fmt: skip
def test_a_dead_rule_is_never_right_where_a_use_is_shown_to_lose(
    gain: float, solved: dict[str, SolvedUse], never: bool
) -> None:
    """By more than two errors of 0.01, or by solved games."""
    told = used("dead rule", worth={"gain": gain}, solved=solved)
    assert ("Flag: using it is never right; nobody should." in told) == never
    assert ("Flag: no use of it gains by what counts, in no situation that was found." in told) != never


def test_what_was_never_offered_and_what_works_by_itself_are_told_as_that() -> None:
    assert answers(findings(use=Use(0)))["use"] == [
        "It has no actions: it works by itself, and nobody decides about its use."
    ]
    told = answers(findings(use=Use(2, games=1200)))["use"]
    assert told == ["It was never offered in 1,200 games of the strongest play."]
    assert "never offered" not in used("mixed")[0]


def test_what_a_holder_loses_is_told_for_each_way_of_it() -> None:
    """Never 0.1, always 0.2, by a coin 0.3, blindly 0.4: each beside its own words."""
    never, always, coin, blind = (Sample(x / 10, x / 10 - 0.05, x / 10 + 0.05, 99) for x in (1, 2, 3, 4))
    rows = {"A": Restricted(always=always, never=never, coin=coin, random=blind)}
    line = next(line for line in used("mixed", restricted=rows) if line.startswith("For “A”"))
    assert line.startswith("For “A”, against an opponent without it: never using it costs 0.10")
    assert "; always using it costs 0.20" in line
    assert "; tossing a coin costs 0.30" in line
    assert "; using it blindly costs 0.40" in line
    forced = Use(2, forced=100, choices=(Choice("school", "fire", 50, 1.0, None, None),), restricted=rows)
    told = answers(findings(use=forced))["use"]
    assert any(line.startswith("For “A” answering blindly costs 0.40") for line in told)
    assert "Asked for school, the strongest strategies answer: fire 100%." in told
    assert "What each answer gains could not be tried." in told


@pytest.mark.parametrize(("gain", "share", "said"), [
    (0.05, 0.5, "On the average fire is the best answer."),
    (0.047, 0.5, "None is shown to be better than the mixture."),  # 2.4 errors of 0.02 for two answers
    (0.047, 0.9, "Nearly always it is fire, and no other answer is better."),
    (0.05, 0.9, "On the average fire is the best answer."),
    (0.047, 0.89, "None is shown to be better than the mixture."),
])  # fmt: skip
def test_the_best_answer_is_one_that_is_shown_to_be(gain: float, share: float, said: str) -> None:
    answered = (Choice("q", "fire", 50, share, gain, 0.02), Choice("q", "water", 50, 1 - share, -gain, 0.02))
    told = answers(findings(use=Use(2, forced=100, choices=answered)))["use"]
    assert next(line for line in told if line.startswith("Against what is usually")).endswith(said)


# --- stress tests: strategies, answers, the worth ---------------------------------------------------------------------


def matrix(*shares: float, mass: Interval | None = None) -> MatrixGame:
    rows = tuple(
        StrategyRow(f"s{i}", 0.5, 0.5, share > 0.5, share, 0.1, "", 0.0, None) for i, share in enumerate(shares)
    )
    return MatrixGame(
        rows, (), (), Dominant("s0", 0.5), Interval(2.34, 1.26, 3.44), Interval(0.2, 0.1, 0.35), mass, 20, 900
    )


@pytest.mark.parametrize(("shares", "said"), [
    ((0.94, 0.0, 0.94), "None is dominated by others or by a mixture of them. The equilibrium"),
    ((0.94, 0.0, 0.95), "One is dominated by others or by a mixture of them: “s2”. The equilibrium"),
    ((0.95, 0.0, 1.0), "2 are dominated by others or by a mixture of them: “s0” and “s2”. The equilibrium"),
])  # fmt: skip
def test_what_is_dominated_is_so_in_nearly_all_resamples(shares: tuple[float, ...], said: str) -> None:
    lines = answers(findings(dominance=Dominance(matrix(0.0, 0.0), matrix(*shares))))["dominance"]
    assert lines[1].startswith(said)
    assert lines[3].startswith("None is dominated")
    assert (
        "The equilibrium amounts to 2.3 strategies (1.3 to 3.4), each of those that fare alike counted; 20% of the "
        "differences are cyclic (10% to 35%)." in lines[1]
    )


def test_uses_in_equilibrium_are_those_with_the_rule() -> None:
    mass = Interval(0.4, 0.3, 0.55)
    said = "In equilibrium 40% of its opportunities are taken (30% to 55%)."
    assert said in answers(findings(dominance=Dominance(matrix(0.0), matrix(0.0, mass=mass))))["dominance"]
    assert said not in answers(findings(dominance=Dominance(matrix(0.0, mass=mass), matrix(0.0))))["dominance"]


@pytest.mark.parametrize(("low", "high", "said"), [
    (0.01, 0.3, ""), (0.0, 0.3, "is not shown to gain anything"), (-0.1, 0.001, "is not shown to gain anything"),
    (-0.2, 0.0, "is shown to gain nothing"), (-0.2, -0.1, "is shown to gain nothing"),
])  # fmt: skip
def test_there_is_no_exploit_where_no_gain_is_shown(low: float, high: float, said: str) -> None:
    gain = Sample((low + high) / 2, low, high, 400)
    one = Exploit("A", "sly", {"plain": 1.0}, 0.4, 0.25, gain, Shown(False))
    lines = answers(findings(exploit=(one,)))["exploit"]
    assert "gets +0.40 EP from the strongest play that does not know it (plain)" in lines[0]
    assert "the best answer without it gets +0.25. The gain is" in lines[0]
    assert lines[1:] == ([f"For “A” there is no exploit: the best answer found {said}."] if said else [])


def test_shares_of_wins_go_from_without_to_with() -> None:
    """Each side has 40 and 60 % without it and 50 and 80 % with it; the odds are multiplied by e."""
    made = findings(worth=0.2)
    assert made.worth is not None
    sides = tuple(
        replace(side, by_amount=(replace(side.even, score_without=a, score_with=b),))
        for side, a, b in zip(made.worth.sides, (0.4, 0.6), (0.5, 0.8), strict=True)
    )
    worth = replace(made.worth, sides=sides, odds=Interval(1.0, 0.0, 2.0))
    assert (
        "Its share of wins (draws count half) goes from 50.0% to 65.0%; the odds of winning are multiplied by 2.72 "
        "(1.00 to 7.39)."
    ) in answers(replace(made, worth=worth))["worth"]


# --- tournaments ------------------------------------------------------------------------------------------------------


def of_two(names: tuple[str, ...] = ("a", "b"), **verdict: Any) -> Any:
    """A tournament with the verdict on its first strategy."""
    nothing = {
        "dominated": None, "dominator": None, "mixture": None, "margin": 0.0, "best_answer_to": None,
        "seems_dominated": False, "seems_dominator": None, "strict": True,
    }  # fmt: skip
    game = SimpleNamespace(verdicts=(SimpleNamespace(**{**nothing, **verdict}),))
    return SimpleNamespace(names=names, metagame=game, matrix=((0.0, 1.0), (-1.0, 0.0)), seats=())


@pytest.mark.parametrize(("verdict", "said"), [
    ({"dominated": True, "dominator": 1, "margin": 0.25}, "b dominates a: against every strategy it earns more, by "
     "+0.250 a game at least."),
    ({"dominated": False, "best_answer_to": (0.02, 0.98)}, "Nothing dominates a in this tournament: against 0.98 b + "
     "0.02 a it is the best of all strategies."),
    ({"dominated": False, "best_answer_to": (1.0, 0.0)}, "Nothing dominates a in this tournament: against itself it is "
     "the best of all strategies."),
    ({}, "By the mean payoffs no strategy or mixture dominates a, but that is not shown."),
    ({"seems_dominated": True}, "By the mean payoffs a mixture of strategies dominates a, but that is not shown."),
    ({"seems_dominated": True, "seems_dominator": 1}, "By the mean payoffs b dominates a, because it is better against "
     "every strategy, but that is not shown."),
    ({"seems_dominated": True, "seems_dominator": 1, "strict": False}, "By the mean payoffs b dominates a, because it "
     "is never worse, and sometimes better, but that is not shown."),
])  # fmt: skip
def test_what_dominates_a_strategy_is_told_as_far_as_it_is_shown(verdict: dict[str, Any], said: str) -> None:
    assert dominance_sentence(of_two(**verdict), 0) == said


def test_what_nobody_could_dominate_is_told_as_that() -> None:
    never = of_two()
    never.metagame = None
    assert dominance_sentence(never, 0) == (
        "Whether a strategy dominates a is open, because some pair of strategies never met."
    )
    assert dominance_sentence(of_two(("a",)), 0) == "a met no other strategy that could dominate it."


CHANGED = {
    (True, False): "It was shown before that x is dominated; now it is shown that nothing dominates it. "
    "That is more than chance.",
    (False, True): "It was shown before that nothing dominates x; now it is shown to be dominated. "
    "That is more than chance.",
    (None, True): "x is shown to be dominated now; before, that was not shown. It may have been so all along.",
    (True, None): "x was shown to be dominated before; now that is not shown. It may still be so.",
    (None, False): "", (False, None): "",
}  # fmt: skip
NO_CHANGE = "No verdict on dominance has changed."


@pytest.mark.parametrize("dominated", [*CHANGED, (True, True), (False, False), (None, None)])
def test_a_verdict_on_dominance_that_changed_is_told(dominated: tuple[bool | None, bool | None]) -> None:
    """Beside another strategy whose verdict stayed."""
    rows = (against.Standing("x", dominated, (0.5, 0.5), False), against.Standing("y", (True, True), (0, 0), False))
    told = [one.text for one in against._of_standings(rows)]
    same = dominated[0] is dominated[1]
    assert told == ([NO_CHANGE] if same else [CHANGED[dominated]] if CHANGED[dominated] else [])
    assert list(against._of_standings(())) == []


def test_weights_that_moved_are_told_from_before_to_now() -> None:
    rows = (against.Standing("x", (None, None), (0.25, 0.75), True), against.Standing("y", (None, None), (1, 0), False))
    assert [one.text for one in against._of_standings(rows)] == [
        NO_CHANGE, "The weight of x in the equilibrium changed beyond chance: 25% → 75%.",
    ]  # fmt: skip


def kept(**more: Any) -> Any:
    return SimpleNamespace(**{"names": ("a", "b"), "lone": False, "seed": 1, **more})


def run(**more: Any) -> Any:
    return SimpleNamespace(**{"scenario": "duel", "ruleset_hash": "0123456789abcdef", "payoff_unit": "EP", **more})


@pytest.mark.parametrize(("old", "new", "first", "second", "said"), [
    ({}, {"seed": 2}, {}, {}, []),
    ({}, {"names": ("b", "a"), "seed": 2}, {}, {}, []),
    ({"names": ("a", "b", "c")}, {"names": ("d", "a", "b"), "seed": 2}, {}, {}, [
        "Only one of them has: c and d.",
        "The fields differ, so that ratings tell of other opponents: they are shown, but only pairs are compared.",
    ]),
    ({}, {"seed": 2}, {}, {"scenario": "clash"}, ["The scenarios differ (duel before, clash now)."]),
    ({}, {"seed": 2}, {}, {"ruleset_hash": "fedcba9876543210"}, [
        "The rules differ (rule set 0123456789a… before, fedcba98765… now): what changed may come from that.",
    ]),
    ({}, {"seed": 2}, {"payoff_unit": ""}, {}, [
        "The units of payoffs differ (none before, EP now): numbers cannot be compared.",
    ]),
    ({"lone": True}, {"seed": 2}, {}, {}, [
        "One of them counts whole differences of payoffs, the other one half of them: numbers cannot be compared.",
    ]),
    ({}, {}, {}, {}, ["Both have the same seed, and so the same deals: differences are surer than said here."]),
])  # fmt: skip
def test_what_stands_in_the_way_of_comparing_is_told_where_it_does(
    old: Any, new: Any, first: Any, second: Any, said: list[str]
) -> None:
    assert list(against._notes(kept(**old), kept(**new), run(**first), run(**second))) == said


def came_first(best: str, *tied: str, names: tuple[str, ...] = ("a", "b"), sure: bool = True, second: int = 2) -> Any:
    rows = {name: SimpleNamespace(name=name, rank=1 if name == best else second) for name in names}
    rows[best].rank_interval = (1, 1) if sure else None
    return SimpleNamespace(
        names=names, best=rows[best], row=rows.__getitem__, tied_with_best=tuple(names.index(name) for name in tied)
    )


LUCK = " That may be chance: in one of the tournaments the two cannot be told apart."


@pytest.mark.parametrize(("old", "new", "said"), [
    (came_first("a"), came_first("a"), "a came first before and comes first now."),
    (came_first("a"), came_first("b"), "a came first before, b comes first now. That is more than chance: each is "
     "shown to be better than the other one in its tournament."),
    (came_first("a", "b"), came_first("b"), f"a came first before, b comes first now.{LUCK}"),
    (came_first("a"), came_first("b", "a"), f"a came first before, b comes first now.{LUCK}"),
    (came_first("a", sure=False), came_first("b"), f"a came first before, b comes first now.{LUCK}"),
    (came_first("a", second=1), came_first("b"), f"a came first before, b comes first now.{LUCK}"),
    (came_first("a"), came_first("c", names=("a", "c")), "a came first before, c comes first now. c did not take part "
     "before."),
    (came_first("c", names=("a", "c")), came_first("a"), "c came first before, a comes first now. c does not take part "
     "any more."),
])  # fmt: skip
def test_another_first_is_more_than_chance_where_both_tournaments_show_it(old: Any, new: Any, said: str) -> None:
    assert [one.text for one in against._of_best(old, new)] == [said]


# --- balance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high", "said"), [
    (0.0, 0.1, "met"), (-0.01, 0.1, "perhaps met: the interval reaches beyond the target"),
    (0.0, 0.11, "perhaps met: the interval reaches beyond the target"),
    (0.11, 0.2, "not met"), (-0.2, -0.01, "not met"),
])  # fmt: skip
def test_a_target_is_perhaps_met_where_the_interval_reaches_beyond_it(low: float, high: float, said: str) -> None:
    assert balance_words.MEETS[Target("worth", 0.0, 0.1).holds(low, high)] == said


@pytest.mark.parametrize(("mid", "direction", "said"), [
    ((0.0, 0.2, 0.05), 0, ["Worth rises and falls along cost: look at the picture."]),
    ((0.0, 0.2, 0.3), 1, []),
    ((0.2, 0.3, 0.25), 0, ["Worth is never what is aimed at: it goes from +0.200 to +0.300.",
                           "Worth rises and falls along cost: look at the picture."]),
    ((0.05, 0.1), 1, ["Worth is what is aimed at everywhere: it goes from +0.050 to +0.100."]),
    ((0.05, 0.05), 1, ["Worth is what is aimed at everywhere: it stays at +0.050."]),
])  # fmt: skip
def test_a_course_along_a_parameter_is_told_as_it_is(mid: tuple[float, ...], direction: int, said: list[str]) -> None:
    """The target is a worth of 0 to 0.1."""
    places = tuple(float(i) for i in range(len(mid)))
    axis = Axis("cost", tuple(range(len(mid))), True)
    found = cast(
        Any, SimpleNamespace(targets=(Target("worth", 0.0, 0.1),), axes=(axis,), payoff_unit="", complete=True)
    )
    met = ((0.0, 1.0),) if max(mid) <= 0.1 else ()
    along = Along("cost", (Line("worth", direction, places, mid, mid, mid),), (), met, (), True)
    region = "The target is met for cost 0 to 1." if met else "The target is met for no value of cost."
    assert balance_words.along_lines(along, found) == [*said, region]


# --- exploits ---------------------------------------------------------------------------------------------------------


def exploited(method: str, own: Figure | None, **more: Any) -> Exploited:
    second = Side("second", "learned (1)", Figure(-0.5, -0.5, -0.5), None)
    sides = (Side("first", "mean", Figure(0.25, 0.1, 0.4), own), second)
    return Exploited("kuhn", "standard", "timid", method, Figure(0.2, 0.1, 0.3), sides, 9000, 400, 1.0, 1, **more)


@pytest.mark.parametrize(("method", "second"), [
    (EXACT, "exact"), (TREE, "−0.5000 to −0.5000"), (LEARNED, "−0.5000 to −0.5000"),
])  # fmt: skip
def test_what_the_best_answer_gets_is_exact_where_it_was_computed(method: str, second: str) -> None:
    """All games that were measured may be paid alike without that: the second side's."""
    first = "as first: mean gets +0.2500 (+0.1000 to +0.4000)"
    last = f"as second: learned (1) gets −0.5000 ({second})"
    assert answers_of(exploited(method, None)) == [first, last]
    assert answers_of(exploited(method, Figure(-0.125, -0.2, 0.0))) == [f"{first}, timid itself −0.1250", last]


@pytest.mark.parametrize(("method", "how"), [
    (EXACT, "Best responses over the whole game."),
    (TREE, "Answers by the whole game with chances of the agent that were sampled, measured in fresh games: better "
     "ones may exist."),
    (LEARNED, "Answers that were learned, computed or known, chosen by 400 games a side and measured in 9,000 fresh "
     "ones: better ones may exist."),
])  # fmt: skip
def test_how_answers_were_found_is_told(method: str, how: str) -> None:
    assert explained(exploited(method, None)) == [how]
    assert explained(exploited(method, None, notes=("So it was.",), complete=False)) == [
        how, "So it was.", "It was interrupted: --resume goes on.",
    ]  # fmt: skip


@pytest.mark.parametrize(("score", "error", "pays"), [
    (0.61, 0.05, True), (0.59, 0.05, False), (0.56, 0.05, False), (0.5, 0.0, False), (0.501, 0.0, True),
    (0.9, None, False),
])  # fmt: skip
def test_more_search_pays_where_two_errors_say_so(score: float, error: float | None, pays: bool) -> None:
    assert stress_words._pays(Rung("twice", score, error, 400)) == pays


def test_a_ladder_tells_how_many_doublings_pay() -> None:
    """Of three the first and the last are shown to."""
    rungs = tuple(Rung("twice", score, 0.02, 400) for score in (0.6, 0.53, 0.58))
    mean = Mean(4.0, 0.0)
    play = Play(
        games=900, lengths=mean, draws=0.0, unresolved=0.0, luck=Luck(0.5, 0.1, 1.0, 1.0), comeback=mean, drama=mean,
        changes=mean, ladder=rungs,
    )  # fmt: skip
    lines = answers(findings(dynamics=Dynamics(replace(play, ladder=rungs[:1]), play)))["dynamics"]
    assert lines[-2] == (
        "Without it, whoever searches twice as long scores 60% against whoever does not, which pays for sure (400 "
        "games; games are too long for further doublings)."
    )
    assert lines[-1] == (
        "With it, whoever searches twice as long scores 60%, 53%, 58% against whoever does not, from one doubling to "
        "the next; at 2 of 3 that pays for sure (1,200 games)."
    )
    less = answers(findings(dynamics=Dynamics(replace(play, ladder=rungs[1:2]), play)))["dynamics"]
    assert "scores 53% against whoever does not, which is not shown to pay" in less[-2]
