"""A rule that does nothing but pay, the same whatever else is done: what it is worth drowns in no luck of learning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.intervals import NORMAL
from probespiel.evaluation.stress import sure
from probespiel.evaluation.stress.basis import basis_of, rests_on
from probespiel.evaluation.stress.bounds import bound_worth
from probespiel.evaluation.stress.conditions import EVERYBODY, NOBODY, Condition, Settings
from probespiel.evaluation.stress.estimates import unseen
from probespiel.evaluation.stress.findings import Findings, Interval, Sample, Use, WorthBounds
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.paid import dealt
from probespiel.evaluation.stress.paid_words import asked_told, sure_told
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Prelude, Strategy
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.verdict import level_of, verdict_of
from probespiel.evaluation.stress.words import answers
from probespiel.evaluation.stress.worth import Measured

from .lab_findings import BOWS, STILL, findings

CONDITIONS = {NOBODY: Condition(), "only A": Condition((0,)), "only B": Condition((1,)), EVERYBODY: Condition((0, 1))}
RANDOM, HAWK, ANEW = (Strategy(base, base=base) for base in ("random", "hawk", "anew"))
PRELUDE = Prelude((RANDOM, HAWK), HAWK)
Paid = dict[str, tuple[float, float]]  # what the holder is paid, by base and learner: the least and the most


def context(
    paid: Paid, used: bool = False, several: bool = False, whole_table: bool = False, declinable: bool = False,
    scale: float = 0.1,
) -> Any:  # fmt: skip
    """Games in which whoever has the rule is paid; without the rule -0.5 and 0.5."""
    jobs: list[Any] = []

    def need(step: str, asked: list[Any]) -> list[Any]:
        jobs.extend(asked)
        out = []
        for job in asked:
            side = job.args["hero"]
            (strategy,) = job.args["mixtures"][0][0].strategies
            given = np.tile([-0.5, 0.5], (4, 1))
            way = strategy.whether or strategy.use.replace("as_is", "")
            given[:, side] += np.linspace(*paid[f"{strategy.base} {way}".strip()], 4)
            out.append({"payoffs": [given, [(-0.5, 0.5)] * 4]})
        return out

    bench = SimpleNamespace(several=several, whole_table=whole_table, holder_conditions=lambda: CONDITIONS,
                            alone=lambda side: ("only A", "only B")[side])  # fmt: skip
    return SimpleNamespace(bench=bench, used=used, need=need, seed=lambda *_: 1, jobs=jobs, sides=[0, 1],
                           budget=SimpleNamespace(seeds=2), declinable=declinable, scale=scale)  # fmt: skip


HOOK = """
def payoff(s, p, seat, value):
    \"\"\"Paid.\"\"\"
    {body}
"""


@pytest.mark.parametrize(
    ("body", "blind"),
    [
        ("return value + 0.3", True),
        ("return value - p.rule_fee / 100 + 0.1", True),
        ("return value + 0.3 if seat == 1 else value", True),
        ("return value + (0.2 if has(s, p, seat) else 0.5)", True),
        ("return value + s.rule_won[seat]", False),
        ("return value * 2", False),
        ("return 0.3 + value", False),
        ("return value + 0.1 * value", False),
        ("return value + 0.3 if value > 0 else value", False),
        ("return value + 0.3 if s.round > 3 else value", False),
        ("return value + score(s, p, seat)", False),
        ("return value + has(s, p, s.first)", False),
        ("return max(value + 0.3, 1.0)", False),
        ("s.paid = 1; return value + 0.3", False),
        ("return", False),
    ],
)
def test_what_pays_without_a_look_at_the_game(tmp_path: Path, body: str, blind: bool) -> None:
    """Added by the seat and the parameters; not by anything of the game, nor by the payoff itself."""
    path = tmp_path / "rule.py"
    path.write_text(HOOK.format(body=body))
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert sure.pays_blindly(space["payoff"]) == blind


def test_what_a_rule_that_asks_does_is_looked_at_but_for_payoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two sides, each of which can have it alone; whatever hooks it asks by. Of others the source tells."""
    seen: list[Any] = []
    monkeypatch.setattr(sure, "unchanged", lambda context, seed, **more: seen.append(more) or 40)
    monkeypatch.setattr(sure, "pays_blindly", lambda hook: hook == "blind")
    asks, blind, more = {"used": True}, {"payoff": "blind"}, {"payoff": "blind", "damage": 0}
    for hooks, given, found in (
        ({"payoff": 0, "answered": 0}, asks, 40), ({"answered": 0}, asks, 0),
        ({"payoff": 0}, {"several": True, **asks}, 0),
        ({"payoff": 0}, {"whole_table": True, **asks}, 0), (blind, {}, 1), (blind, {"several": True}, 1),
        (more, {}, 0), ({"payoff": "sees"}, {}, 0), ({}, {}, 0),
    ):  # fmt: skip
        monkeypatch.setattr(sure, "module_of", lambda bench, hooks=hooks: SimpleNamespace(hooks=hooks))
        assert sure.look_for_payments(context({}, **given)) == found
    assert seen == [{"payoffs": False, "most": sure.DECISIONS, "held": True}]


def chosen() -> Chosen:
    """Hawks where nobody has it, others where somebody does."""
    alone = [Mixture((one,), (1.0,)) for one in (HAWK, ANEW)]
    pairs = [[(one, one)] * 3 for one in alone]
    return Chosen(
        {name: [[HAWK if name == NOBODY else ANEW]] * 2 for name in CONDITIONS},
        {name: pairs[name != NOBODY] for name in CONDITIONS},
    )


def learned() -> Any:
    """Two learners of the use a condition, of which the second knows better, and others."""
    uses = [
        (name, Strategy(f"answers as it pays where {name} has it ({n})", net=f"{name} {n}", scope="whether"))
        for name in CONDITIONS if name != NOBODY for n in (1, 2)
    ]  # fmt: skip
    return SimpleNamespace(made=(*uses, (NOBODY, Strategy("learned", net="free", scope="everywhere"))))


def worth_of(low: float, value: float, high: float) -> Any:
    """Measured with such an interval, everywhere."""
    worth = findings(STILL, worth=value).worth
    assert worth is not None
    sides = tuple(replace(side, answer=Sample(value, low, high, 9)) for side in worth.sides)
    bounds = WorthBounds(Interval(0, 0, 0), (), 9)
    return replace(worth, sides=sides, overall=Sample(value, low, high, 9), alike=True, bounds=bounds)


def measured(
    paid: Paid, used: bool = False, games: int = 7, anew: Any = None, declinable: bool = False, scale: float = 0.1
) -> tuple[Any, Any, list[Chosen]]:
    """What is found, the context, and who was compared for it."""
    seen: list[Chosen] = []

    def compared(given: Chosen) -> Measured:
        seen.append(given)
        return Measured(anew or worth_of(-0.1, 0.05, 0.2), None, None, "kept")

    asked = context(paid, used=used, declinable=declinable, scale=scale)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sure, "module_of", lambda bench: SimpleNamespace(payoff_shift=0.5, hooks=()))
        return sure.measured_surely(asked, PRELUDE, learned(), chosen(), games, compared), asked, seen


def test_the_same_strategies_play_with_a_payment_and_without() -> None:
    """A and B are paid three tenths: a lead of half of it, with no room left."""
    found, asked, seen = measured({"hawk": (0.3, 0.3)})
    assert found is not None
    everywhere, got = found
    assert seen == [everywhere] and all(everywhere.mixtures[name] == chosen().mixtures[NOBODY] for name in CONDITIONS)
    assert all(pool is everywhere.pools[NOBODY] for pool in everywhere.pools.values()), "nothing is sought with it"
    assert [(job.args["conditions"], job.args["hero"], job.args["deals"]) for job in asked.jobs] == [
        ([CONDITIONS["only A"], Condition()], 0, sure.GAMES), ([CONDITIONS["only B"], Condition()], 1, sure.GAMES)
    ]  # fmt: skip
    worth = got.worth
    assert (worth.sure, worth.alike, worth.bounds, worth.reach, got.note) == (7, False, None, None, "kept")
    overall = worth.overall
    assert [overall.value, overall.low, overall.high, overall.games] == pytest.approx([0.15, 0.15, 0.15, 9])
    assert [side.even.worth.value for side in worth.sides] == pytest.approx([0.15, 0.15])
    assert [side.even.with_it - side.even.without for side in worth.sides] == pytest.approx([0.15, 0.15])
    assert [side.seeds for side in worth.sides] == [(pytest.approx(0.15),)] * 2
    assert all(side.answer is not None for side in worth.sides), "the same strategies play there, too"
    assert measured({"hawk": (0.2, 0.3)})[0] is None, "it is not the same"
    assert measured({}, games=0)[0] is None
    assert measured({"hawk": (0.3, 0.3)}, anew=replace(worth_of(0, 0, 0), exact=True))[0] is None, "solved games tell"


def test_leads_are_halved_where_there_are_others() -> None:
    assert sure.lead_of(np.array([[0.3, 0.1, 0.3]]), 0).tolist() == pytest.approx([0.05])
    assert sure.lead_of(np.array([[0.3, 0.1]]), 1).tolist() == pytest.approx([-0.1])
    assert sure.lead_of(np.array([[0.3]]), 0).tolist() == [0.3]


LEARNERS: Paid = {
    f"{base} {name} {number}": ends
    for name in ("only A", "only B")
    for base, number, ends in (("random", 1, (-0.5, 0.5)), ("random", 2, (-0.5, 0.5)), ("hawk", 1, (0.1, 0.1)))
}


def of_second(ends: tuple[float, float]) -> Paid:
    """What the second learner's answers are paid."""
    return {**LEARNERS, "hawk only A 2": ends, "hawk only B 2": ends}


@pytest.mark.parametrize(
    ("anew", "same"), [((-0.1, 0.1, 0.3), True), ((0.3, 0.4, 0.5), False), ((0.12, 0.12, 0.12), True)]
)
def test_the_best_learner_answers(anew: tuple[float, float, float], same: bool) -> None:
    """Random play draws others once it is asked, hawks draw nothing; of both learners the second is paid 0.24.

    What was learned anew must not be shown to earn still more; all but the worth is told of it.
    """
    found, asked, seen = measured(of_second((0.24, 0.24)), used=True, anew=worth_of(*anew))
    met = [[one.strategies[0] for one in job.args["mixtures"][0]] for job in asked.jobs]
    assert [(one.base, one.whether, two.whether) for one, two in met] == [
        (base, f"{name} {number}", "")
        for number in (1, 2) for base in ("random", "hawk") for name in ("only A", "only B")
    ]  # fmt: skip
    assert seen == [chosen()] and (found is not None) == same
    if found is None:
        return
    who, got = found
    assert who == chosen() and got.note == "kept"
    worth = got.worth
    room = unseen(sure.GAMES) * 2 * 0.5
    overall = worth.overall
    ends = [0.12, 0.12 - room, 0.12 + room, 400]
    assert [overall.value, overall.low, overall.high, overall.games] == pytest.approx(ends)
    assert all(side.answer is None for side in worth.sides), "it was learned anew, and differs by luck"
    assert 0 < room < 0.01 and (worth.exact, worth.sure, worth.bounds, worth.alike) == (False, 7, None, False)


def test_of_a_learner_that_is_not_paid_the_same_the_other_is_taken() -> None:
    found, _, _ = measured(of_second((0.02, 0.08)), used=True)
    assert found is not None and found[1].worth.overall.value == pytest.approx(0.05)
    assert measured(of_second((0.2, 0.3)), used=True)[0] is None, "it may earn more, and what is not sure"
    assert measured(of_second((0.0, 0.19)), used=True)[0] is None, "nearly as much on the average, by luck perhaps more"
    both = {**of_second((0.02, 0.08)), "hawk only A 1": (0.0, 0.1), "hawk only B 1": (0.0, 0.1)}
    assert measured(both, used=True)[0] is None
    assert measured(of_second((0.24, 0.24)), used=True, anew=replace(worth_of(0, 0, 0), exact=True))[0] is None


def test_what_is_never_right_is_left_alone() -> None:
    """A purse that pays a tenth, and loses by any use: learners err now and then, and are not paid the same."""
    paid = {**of_second((0.05, 0.1)), "hawk only A 1": (0.0, 0.1), "hawk only B 1": (0.0, 0.1),
            "random never": (0.1, 0.3), "hawk never": (0.1, 0.1), "random always": (-0.5, 0.5),
            "hawk always": (0.02, 0.02)}  # fmt: skip
    found, asked, _ = measured(paid, used=True, declinable=True)
    assert found is not None and found[1].worth.overall.value == pytest.approx(0.05)
    assert [job.args["mixtures"][0][0].strategies[0].use for job in asked.jobs[::2]] == [
        *["as_is"] * 4,
        *["never"] * 2,
        *["always"] * 2,
    ]
    dice = {
        **paid,
        "random always": (-0.9, 0.9),
        "hawk always": (-0.4, 0.62),
    }  # a die: 0.11 on the average, and who never throws it is paid 0.1
    assert measured(dice, used=True, declinable=True)[0] is None
    little = measured(dice, used=True, declinable=True, scale=4.0)[0]  # of results that deviate by 4, 0.2 counts
    assert little is not None
    overall = little[1].worth.overall
    deviation = np.linspace(-0.4, 0.62, 4).std(ddof=1) / 2
    may = 0.055 + NORMAL * deviation / 8**0.5  # of two sides with four games each, half of a lead
    assert [overall.value, overall.high] == pytest.approx([0.05, may]) and overall.low == pytest.approx(0.1 - may)
    more = measured({**paid, "hawk always": (0.2, 0.2)}, used=True, declinable=True)[0]
    assert more is not None and more[1].worth.overall.value == pytest.approx(0.1), "both learners missed that"
    assert measured(paid, used=True)[0] is None, "what must be answered cannot be left alone"
    assert measured(paid, used=True, declinable=True, anew=worth_of(0.06, 0.08, 0.1))[0] is not None, "that may be luck"
    assert measured(paid, used=True, declinable=True, anew=worth_of(0.07, 0.08, 0.09))[0] is None


def test_everybody_answers_where_all_have_it() -> None:
    made = sure.answered_alike(context({}, used=True), learned(), chosen(), HAWK, 1)
    for name, (one, two) in {"only A": (2, 0), "only B": (0, 2), EVERYBODY: (2, 2), NOBODY: (0, 0)}.items():
        assert len(made.mixtures[name]) == 3
        for pair in made.mixtures[name]:
            for number, mixture in zip((one, two), pair, strict=True):
                (strategy,) = mixture.strategies
                assert strategy.base == "hawk" and strategy.whether == (f"{name} {number}" if number else "")


def surely(use: Use | None = None, games: int = 1, **more: Any) -> Findings:
    """Findings of a payment of three tenths to B alone."""
    made = findings(STILL, use=use, worth=0.15, zero_sum=False, **more)
    assert made.worth is not None
    first, second = made.worth.sides
    none = replace(first.by_amount[0], worth=Sample(0.0, 0.0, 0.0, 99))
    sides = (replace(first, by_amount=(none,)), second)
    worth = replace(made.worth, overall=Sample(0.15, 0.15, 0.15, 99), sure=games, sides=sides)
    made = replace(made, worth=worth)
    return replace(made, verdict=verdict_of(made))


def test_a_sure_payment_is_told_as_one() -> None:
    """Neither as not shown, nor as resting on what was found; and in German, too."""
    made = surely()
    assert made.verdict is not None and made.worth is not None
    assert (made.verdict.word, made.verdict.basis) == ("small", "exact")
    assert any("“A” 0.00 EP, “B” +0.15 EP (exact)" in text for text in made.verdict.remarks)
    (first, *_) = told = answers(made)["worth"]
    assert first.startswith(
        "Whoever has it alone gains +0.15 EP a game against the same opponents without it (the same"
    )
    assert "99 games on the same deals both times, the same strategies)" in first and "Among" not in first
    assert sure_told(made) in first and sure_told(made).startswith(
        "It does nothing but pay, without a look at the game"
    )
    assert not any("interval that holds" in line or "rests on" in line for line in (*told, *made.verdict.why))
    german = words("de")
    assert all(german(line) for line in told) and not german.missed
    assert "dieselben Strategien)" in german(first) and "ohne auf das Spiel zu sehen" in german(first)
    same = cast(Any, made.worth)
    assert bound_worth(cast(Any, None), cast(Any, None), cast(Any, None), same) is same, "no answers are sought"


def test_a_sure_payment_counts_by_its_value() -> None:
    """Room for payments that were never seen leaves open what nobody would look for in more games."""
    made = worth_of(0.0485, 0.05, 0.0515)
    assert [level_of(replace(made, deviation=sd, sure=9)) for sd in (1.0, 1.01)] == ["small", "neutral"]
    assert level_of(replace(made, deviation=1.01)) == "undecided"
    assert level_of(replace(worth_of(-0.3, 0.0, 0.3), sure=9)) == "undecided", "much could be paid that was never seen"


def test_an_answer_that_had_to_be_found_is_no_exact_one() -> None:
    made = surely(use=BOWS, games=600)
    assert made.worth is not None and basis_of(made, "small") == "strategies"
    told = rests_on(made.worth, "strategies")
    assert told == "that is what the best answers to it are paid that were found"
    assert "600 games of random play" in sure_told(made)
    german = words("de")
    assert german(told).startswith("so viel bekommen") and german(sure_told(made)) and not german.missed


def test_sides_that_were_not_asked_are_told() -> None:
    """Of three; not of two, nor where the rule is of the whole table."""
    made = surely()
    assert asked_told(made) == "" and asked_told(replace(made, sides=("A", "B", "C"), whole_table=True)) == ""
    told = asked_told(replace(made, sides=("A", "B", "C")))
    not_asked = "what it is worth to the others was not asked: `--param seats"
    assert told == f"Of 3 sides A and B had it; {not_asked}=[2]` asks of C."
    german = words("de")
    so = "was es den anderen wert ist, wurde nicht gefragt: `--param seats"
    assert german(told) == f"Von 3 Seiten hatten es A und B; {so}=[2]` fragt nach C."
    crowded = asked_told(replace(made, sides=("A", "B", "C"), seats=2))
    assert crowded == f"Of 3 sides A and B had it; {not_asked}=[...]` asks of others."
    assert made.worth is not None
    lone = replace(made, sides=("A", "B", "C"), worth=replace(made.worth, sides=made.worth.sides[1:]))
    assert asked_told(lone) == f"Of 3 sides B alone had it; {not_asked}=[0]` asks of A."
    assert german(asked_told(lone)) == f"Von 3 Seiten hatte es B allein; {so}=[0]` fragt nach A."
    assert german(crowded).endswith("[...]` fragt nach anderen.") and not german.missed
    assert told in answers(replace(made, sides=("A", "B", "C")))["worth"][0]


CARD = '''
"""A card costs four hundredths; a star in three pays three tenths{0}."""
from typing import Any

from probespiel.envs.oneshot.module import ME, Module
from probespiel.envs.oneshot.services import allow_bits, ask, throw_die

module = Module("card", "A card with a star.", levels=("parley",), payoff_shift=0.5)
ASKED = module.phase("card_asked")
BUY = module.action("buy", en="buy", de="kaufen")
LEAVE = module.action("leave", en="leave the card", de="das Los lassen", decline=True)
STAR = module.die("star", 3, en="star", de="Stern")
module.state("asked", scope="game", doc="1 asked")
module.state("got", scope="game", doc="hundredths")


@module.hook
def talk_begins(s: Any, p: Any, who: int) -> None:
    """Once."""
    if not s.card_asked[who]:
        s.card_asked[who] = 1
        ask(s, ME, ASKED, who)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Yes or no."""
    allow_bits(words, BUY, 3)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Paid for."""
    if action == BUY:
        s.card_got[seat] -= 4
        throw_die(s, ME, STAR, seat)


@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """A star."""
    if outcome == 2:
        s.card_got[seat] += 30


@module.hook
def payoff(s: Any, p: Any, who: int, value: float) -> float:
    """At the end."""
    return value + s.card_got[who] / 100{1}
'''


@pytest.mark.parametrize(("more", "known"), [("", True), (" + (0.1 if value > 0.0 else 0.0)", False)])
def test_payments_by_dice_are_told_apart_from_the_game(more: str, known: bool, tmp_path: Path) -> None:
    """By the same dice without the card: -0.04 or 0.26, whoever wins; what goes by who wins is not told so."""
    path = tmp_path / "card.py"
    path.write_text(CARD.replace("{0}", "").replace("{1}", more))
    lab = open_lab(Settings("oneshot-parley", str(path)), tmp_path)
    lab.bench.compiled = False
    buyer, other = (Mixture((Strategy(name, base="best_odds", use=use),), (1.0,))
                    for name, use in (("buyer", "always"), ("other", "as_is")))  # fmt: skip
    paid = dealt(lab, Condition((0,)), [(buyer, other)], 40, 3, 0)["payoffs"]
    assert (paid is not None) == known
    if paid is not None:
        assert set(np.round(paid[:, 0], 6)) == {-0.04, 0.26} and not paid[:, 1].any()
    few = dealt(lab, Condition((0,)), [(buyer, other)], 3, 3, 0)
    assert few["payoffs"] is None, "of so few games each is another"


def test_what_is_paid_by_a_die_is_known_on_the_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of what the best learner's answers are paid, and its interval; a use that may pay more widens that."""
    draws = {"1": np.full(200, 0.01), "2": np.tile([-0.06, 0.18], 100)}
    monkeypatch.setattr(
        sure, "dealt_leads",
        lambda context, chosen: [draws[chosen.mixtures["only A"][0][0].strategies[0].whether[-1:]]] * 2,
    )  # fmt: skip
    wide = {**LEARNERS, **{f"hawk only {x} {n}": (-0.5, 0.5) for x in "AB" for n in (1, 2)}}
    found, _, _ = measured(wide, used=True)
    assert found is not None
    worth, error = found[1].worth, NORMAL * (0.12**2 * 200 / 199 / 200 * 2) ** 0.5 / 2
    assert (worth.sure, worth.dealt) == (7, True)
    overall = worth.overall
    assert [overall.value, overall.low, overall.high] == pytest.approx([0.06, 0.06 - error, 0.06 + error])
    told = sure_told(replace(findings(STILL), worth=worth, use=Use(1)))
    assert "on the average of its dice" in told and "im Mittel seiner Würfel" in words("de")(told)
    assert measured(wide, used=True, anew=worth_of(0.1, 0.1, 0.1))[0] is None, "what was learned anew earns more"
