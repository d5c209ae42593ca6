"""What the stress lab suggests after its verdicts: the next step in words, and the numbers that could be turned."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from inspect import signature

import pytest

from probespiel.envs.core.registry import system
from probespiel.evaluation.stress.advice import next_for_game, next_for_holder
from probespiel.evaluation.stress.findings import (
    ActionLine,
    Breakage,
    Choice,
    Exploit,
    Fault,
    Figure,
    Findings,
    HookNumber,
    Interval,
    Place,
    Sample,
    SampleGame,
    Shown,
    Use,
    UseWorth,
)
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.texts import words
from probespiel.evaluation.stress.tunable import numbers_in, paying_of, turned_in, turned_of, whole_of
from probespiel.evaluation.stress.verdict import verdict_of
from probespiel.evaluation.stress.words import answers

from .lab_findings import BOWS, LENGTH, OPEN, STILL, figure, findings


@pytest.mark.parametrize(
    ("system", "names", "found"),
    [
        ("ews_rps", {"symbols", "observe", "outcome", "verdict", "goes_on", "legal_of", "options"}, ()),
        (
            "ews_rps",
            {"round_end", "points", "utility", "choose", "symbols"},
            ("choose", "utility", "points", "round_end"),
        ),
        ("einblatt", {"playable", "permit", "comparison", "hand_size", "exhausted"}, ("hand_size",)),
        ("konfrontation", {"targets", "may_attack", "recruit_price", "spoils"}, ("spoils", "recruit_price")),
    ],
)
def test_an_amount_is_paid_where_numbers_are_asked_for(system: str, names: set[str], found: tuple[str, ...]) -> None:
    """Not in hooks that answer with sets, with yes or no, or that only offer."""
    interface = import_module(f"probespiel.envs.{system}.module").INTERFACE
    assert paying_of(names, interface) == found


@pytest.mark.parametrize(
    ("made", "word", "said"),
    [
        (findings(worth=0.27, ranges={"price": (1, 5)}), "small", "found it is worth 0.27 EP to its holder"),
        (findings(worth=0.27, ranges={"price": (1, 5)}), "small", "price=1..5 --target worth=-0.050..0.050` looks for"),
        (findings(worth=0.27, ranges={"price": (1, 5), "most": (0, 3)}), "small",
         "value; others that might do: most; none was tried here."),
        (findings(worth=0.27, ranges={"price": (1, 5)}), "always-use", "worth=-0.050..0.050 --target use` looks"),
        (findings(worth=0.27), "strong", "declare one"),
        (findings(worth=0.27, hooks=("choose", "options")), "strong",
         "0.54 EP: of a payment a lead loses half. No number was found in it that tells how much it does: declare one "
         "(`module.param(\"hundredths\", 1, 0, 81)`), let it cost so many hundredths in its hook `choose`, and"),
        (findings(worth=1.46, hooks=("total",)), "strong",
         "declare one (`module.param(\"cost\", 1, 0, 5)`), let it cost so much in its hook `total`, and"),
        (findings(worth=-4.0, hooks=("total",)), "strong",
         "declare one (`module.param(\"gain\", 1, 0, 12)`), let it bring so much in its hook `total`, and"),
        (findings(worth=-0.51, hooks=("damage",), whole=("damage",)), "strong",
         "declare one (`module.param(\"gain\", 1, 0, 10)`), let it bring so much in its hook `damage`, and"),
        (findings(worth=-0.51, hooks=("choose", "damage"), whole=("damage",)), "strong",
         "declare one (`module.param(\"hundredths\", 1, 0, 153)`), let it bring so many hundredths in its hook `choo"),
        (findings(worth=-0.27), "strong",
         "bring so many hundredths in a hook `payoff` (it needs `payoff_shift=`), and"),
        (findings(worth=1.46), "strong", "cost so much in a hook `payoff` (it needs `payoff_shift=`), and"),
        (findings(worth=0.27, numbers=(HookNumber("m", "choose", 2, 33, True),)), "always-use",
         "(`module.param(\"amount\", 2, 0, 20)`, and `p.m_amount` in its place)"),
        (findings(worth=-0.27, numbers=(HookNumber("m", "choose", 2, 33, True),)), "small", "amount\", 2, 0, 4)"),
        (findings(worth=-0.27, numbers=(HookNumber("m", "choose", 2, 33),)), "small", "amount\", 2, 0, 20)"),
        (findings(worth=0.27, numbers=(HookNumber("m", "total", 4, 12), HookNumber("m", "choose", 1, 9))), "small",
         "its hook `total` has one, 4 in line 12. If its worth goes by that, make it one "
         "(`module.param(\"amount\", 4, 0, 8)`, and `p.m_amount` in its place), and `probespiel balance game "
         "--module rule.py --param amount=0..8 --target"),
        (findings(worth=0.3, numbers=(HookNumber("m", "hp", 1, 5), HookNumber("m", "payoff", 0.2, 9, True))), "small",
         "its hook `payoff` has one, 0.2 in line 9. If its worth goes by that, make it one "
         "(`module.param(\"hundredths\", 20, 0, 200)`"),
        (findings(worth=0.27, numbers=(HookNumber("m", "payoff", 0.2, 9),)), "small",
         "(`module.param(\"hundredths\", 20, 0, 40)`, and `p.m_hundredths / 100` in its place)"),
        (findings(worth=-0.27), "small", "Its holder loses 0.27 EP"),
        (findings(), "neutral", "Nothing has to be balanced: whoever has it is neither better nor worse off."),
        (findings(worth=0.04), "neutral", "Nothing has to be balanced: what its holder gains does not count."),
        (findings(worth=-0.04), "neutral", "Nothing has to be balanced: what its holder loses does not count."),
        (findings(worth=0.004), "neutral", "neither better nor worse off."),
        (findings(), "dead rule", "cheaper"),
        (findings(use=replace(BOWS, rate=0.03, worth=UseWorth(9, 9, 0, 0, 1, 0, 0, leaves=(
            Place("hand ≤ 2", 0.1, 0.5, 0.1, 50), Place("hand > 2", 0.9, -0.3, 0.1, 50))))),
         "neutral", "used in 3% of the chances: it clearly pays where hand ≤ 2 (+0.50 EP)."),
        (findings(use=replace(BOWS, rate=0.99)), "neutral",
         "in 99% of the chances: no situation was found that clearly speaks"),
        (findings(breakage=None, worth=0.0), "open", "--resume"),
    ],
)  # fmt: skip
def test_next_steps(made: Findings, word: str, said: str) -> None:
    """Results deviate by 1, so that 0.05 is what the verdict calls neutral."""
    told = next_for_holder(made, word)
    assert said in " ".join(told)
    german = words("de")
    german.all(told)
    assert not german.missed


def test_what_answers_with_a_name_has_no_number_to_turn() -> None:
    """The third verdict is no more than the second one."""
    rule = "@module.hook\ndef {}(s, p, value):\n    return value + 2\n"
    assert [number.value for number in numbers_in(rule.format("utility"), "rule")] == [2]
    assert not numbers_in(rule.format("verdict"), "rule")


def exploited(low: float) -> Exploit:
    """The best answers of a side gain so much at least."""
    return Exploit("A", "sly", {"plain": 1.0}, 0.5, 0.0, Sample(0.5, low, 0.9, 100), Shown(False))


def test_a_rule_that_no_game_feels_is_tried_elsewhere() -> None:
    """As in a single duel one that halves what is lost for later ones; not where games go otherwise, or one chooses."""
    same = Interval(0.0, 0.0, 0.0)
    still = replace(STILL, direct=(same, same))
    moved = replace(STILL, direct=(same, Interval(0.01, 0.0, 0.02)))
    felt = {
        "untouched": (findings(still), True),
        "moved": (findings(still, moved), False),
        "moved, but not in random play": (findings(moved, inert=300), False),
        "never compared": (findings(STILL), False),
        "never compared, nothing in random play": (findings(STILL, inert=300), True),
        "somebody chooses": (findings(still, use=BOWS), False),
        # it cancels out where both have it, and what it costs its holder is what it gains
        "one alone wins by it": (findings(still, sample=SampleGame(False, 90, 3)), False),
        "one alone wins nothing by it": (findings(still, sample=SampleGame(False, 90, 0)), True),
        "it is exploited": (findings(still, exploit=(exploited(0.1),)), False),
        "it is not exploited": (findings(still, exploit=(exploited(-0.1),)), True),
    }
    german = words("de")
    for what, (made, unfelt) in felt.items():
        told = next_for_holder(made, "neutral")
        assert any("what it waits for" in text for text in told) == unfelt, what
        german.all(told)
    assert not german.missed and not any(
        "waits" in text for text in next_for_holder(findings(still, worth=0.3), "small")
    )


@pytest.mark.parametrize(
    ("deviation", "size"), [(0.22, "0.011"), (2.0, "0.10"), (30.0, "1.5"), (400.0, "20"), (5000.0, "250")]
)
def test_the_target_is_what_counts_as_neutral_in_this_game(deviation: float, size: str) -> None:
    """A twentieth of what results deviate by, whatever the unit, to two figures and no more than whole numbers."""
    made = findings(worth=deviation, ranges={"price": (1, 5)})
    assert made.worth is not None
    made = replace(made, worth=replace(made.worth, deviation=deviation))
    assert f"--target worth=-{size}..{size}`" in " ".join(next_for_holder(made, "small"))


HOOKS = """
BONUS = 7
@module.hook
def options(s, p, seat, window, words):
    allow_for(words, TAKE, 0, 3)
@module.hook
def choose(s, p, seat, window, action):
    s.rule_used[seat] = 1
    draw(s, seat, 2, max(s.cards[5], 9))
@module.hook
def total(s, p, seat, value):
    if s.round == 3:
        return value + 4 * (s.power[1] > 6) if s.power[2] - 5 else min(value, 30)
    return value - BONUS * s.rule_used[seat + 2] / 100
def helper(s):
    return s.power + 8
"""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("--budget quick --seed 1", ""),
        ("--scenario 'my games/truce.json' --seed 1", " --scenario 'my games/truce.json'"),
        ("--set max_rounds=1 --also well --param amount=3 --param deep=2",
         " --set max_rounds=1 --also well --param deep=2"),
    ],
)  # fmt: skip
def test_the_next_step_is_in_the_same_game(given: str, told: str) -> None:
    """Another scenario, other options and other modules are another game: the command names those of the test."""
    made = findings(
        STILL, worth=0.3, ranges={"amount": (0, 8)}, command=f"probespiel stress game --module rule.py {given}"
    )
    (line,) = [line for line in next_for_holder(made, "strong") if "probespiel balance" in line]
    command = line.split("`")[1]
    assert command.startswith("probespiel balance game --module rule.py --param amount=0..8 --target worth=-")
    assert command.endswith(told or "0.050") and (told != "" or "--scenario" not in command)


@pytest.mark.parametrize(
    ("share", "gain", "phases", "told"),
    [
        (1.0, -1.5, ("pact",), True),
        (0.9, -1.5, ("pact",), False),  # the other one is given, too
        (1.0, -0.02, ("pact",), False),  # not shown to cost
        (1.0, -1.5, ("pact", "oath"), False),  # which answers belong to which is not known
    ],
)
def test_a_question_with_one_right_answer_is_no_choice(
    share: float, gain: float, phases: tuple[str, ...], told: bool
) -> None:
    """Whoever must answer, and always answers alike because all else costs, decides nothing: that can be mended."""
    choices = tuple(Choice(phase, "break it", 90, share, 0.0, 0.0) for phase in phases)
    lines = (ActionLine("keep it", 100, 1 - share, 0.0, gain, 0.01), ActionLine("break it", 100, share, 0.0, 0.0, 0.0))
    use = Use(2, forced=100, choices=choices, lines=lines)
    for questions, asked in (({"pact": "keep the pact?"}, "“keep the pact?”"), ({}, "for pact")):
        made = findings(STILL, use=use, questions=questions)
        found = [line for line in next_for_game(made, "changes little") if "always right" in line]
        assert bool(found) == told
        if told:
            assert found[0].startswith(f"Asked {asked}, “break it” is always right, so ")
            assert "„break it“ immer richtig" in words("de")(found[0])


def test_numbers_of_hooks_that_could_be_turned() -> None:
    """What an answer is changed by comes before what services are given; by hand, line by line."""
    found = [(x.hook, x.value, x.line, x.less) for x in numbers_in(HOOKS, "rule")]
    assert found == [("total", 4.0, 13, False), ("total", 7.0, 14, False), ("choose", 2.0, 9, False)]
    paid = "@module.hook\ndef choose(s, p, seat, window, action):\n    s.purse[seat] -= 2\n"
    asked = "@module.hook\ndef total(s, p, seat, value):\n    return value - 3\n"
    assert [(x.value, x.less) for x in numbers_in(paid + asked, "rule")] == [(3.0, True), (2.0, True)]


def test_a_number_that_only_one_side_gets_could_be_turned() -> None:
    """Whoever is attacked is two stronger, and three weaker else; what is asked for is no such number."""
    rampart = "@module.hook\ndef total(s, p, seat, value):\n    return value + (2 if side_of(s, seat) == 1 else 0)\n"
    assert [(x.value, x.less) for x in numbers_in(rampart, "rule")] == [(2.0, False)]
    both = rampart.replace("+ (2", "- (2").replace("else 0", "else 3 if s.turn > 7 else value")
    assert [(x.value, x.less) for x in numbers_in(both, "rule")] == [(2.0, True), (3.0, True)]


def test_a_number_in_place_of_a_filters_value_could_be_turned() -> None:
    """Three points instead of one; but no set of seats, no yes, and no card that is chosen."""
    rule = """
BIG = 3

@module.hook
def prize(s, p, seat, value):
    if value == 1:
        return BIG
    return value

@module.hook
def damage(s, p, seat, points):
    return 5 if s.hurt[seat] else points

@module.hook
def permit(s, p, seat, targets):
    return 6 if s.first else targets

@module.hook
def may_parry(s, p, seat, ok):
    return 1 if s.first else ok

@module.hook
def draw_pile(s, p, seat, deck):
    return 2
"""
    assert [(x.hook, x.value, x.line) for x in numbers_in(rule, "rule")] == [("prize", 3.0, 7), ("damage", 5.0, 12)]
    summed = """
@module.hook
def payoff(s, p, seat, value):
    got = -0.02 * s.did[seat]
    left = 0.5 * s.other[seat]
    if left:
        got += 0.05
    return value + got
"""
    found = [(x.value, x.line, x.less) for x in numbers_in(summed, "rule")]
    assert found == [(0.02, 4, True), (0.05, 7, False)], "what is added up before it is answered, and nothing else"


def test_which_hooks_count_in_whole_numbers_of_their_own() -> None:
    """Points of damage have no hundredths; a payoff has, and who is told of a choice may pay whatever there is."""
    scorekeeper = system("scorekeeper").interface
    assert whole_of(paying_of(["damage", "payoff", "choose"], scorekeeper), scorekeeper) == ("damage",)


HANDED = """
def share(s, seat, part):
    s.pot += part
@module.hook
def declared(s, p, seat):
    ask_all(s, ME, SUM, 3)
    throw_die(s, ME, OMEN, 1)
    lot(s, ME, 2, seat, 8)
    gain(s, p, seat, amount=5)
    put(s, seat, 7, 4)
    share(s, seat, 6)
"""


def test_codes_that_services_are_given_cannot_be_turned() -> None:
    """Seats, sets of them and zones are none; a die's faces are, amounts, and what a function of the file gets."""
    services = import_module("probespiel.envs.konfrontation.services")
    names = {name: tuple(signature(call).parameters) for name, call in vars(services).items() if callable(call)}
    names |= {"put": ("s", "seat", "card", "zone"), "share": ("s", "seat", "part")}
    found = [(x.value, x.line) for x in numbers_in(HANDED, "rule", names)]
    assert found == [(8.0, 8), (5.0, 9), (6.0, 11)]


ADDED = """
@module.hook
def answered(s, p, phase, seat, action):
    if has(s, p, 1) and answer_of(s, 1) == TAKE:
        s.rule_used[seat] += 1
        s.rule_won[seat] += 8
"""


def test_what_is_added_to_a_field_could_be_turned() -> None:
    """But neither a seat that is asked for, nor a count."""
    names = {"has": ("s", "p", "seat"), "answer_of": ("s", "seat")}
    assert [(x.value, x.line) for x in numbers_in(ADDED, "rule", names)] == [(8.0, 6)]


TITHE = """
@module.hook
def payoff(s, p, seat, value):
    for who in range(p.factions):
        if has(s, p, who):
            if who == seat:
                value -= 0.1 * (p.factions - 1)
            else:
                value += 0.1
    return value
"""


def test_what_one_pays_and_others_get_is_turned_at_once() -> None:
    """By the gain of the others alone the holder would never be as well off as they are; a count is no such number."""
    first, second = numbers_in(TITHE, "rule")
    assert (first.value, first.line, first.less, first.also) == (0.1, 7, True, (9,))
    assert (second.line, second.less, second.also) == (9, False, (7,))
    made = findings(STILL, worth=-0.3, numbers=(first, second))
    (told,) = next_for_holder(made, "strong")
    assert (
        "has one, 0.1 in lines 7 and 9. If its worth goes by that, make it one" in told
        and "`p.rule_hundredths / 100` in all of them" in told
    )
    assert "--param hundredths=0..20 " in told  # nothing is neutral
    german = words("de")
    assert "in den Zeilen 7 und 9." in german(told) and "in allen davon" in german(told) and not german.missed


FERRY = """
@module.hook
def answered(s, p, phase, seat, action):
    s.rule_paid[seat] += 1 if action == COIN else 3
    s.rule_won[seat] += 1 if action == COIN else -1
    s.rule_often[seat] += 1
    s.rule_lost[seat] -= 2
"""


def test_what_is_added_by_a_choice_is_a_number_to_turn() -> None:
    """A coin or a purse of three; won or lost, and how often, are counts."""
    numbers = numbers_in(FERRY, "rule")
    assert [(x.value, x.line, x.less) for x in numbers] == [(1, 4, False), (3, 4, False), (2, 7, True)]


WAGERS = """
@module.hook
def utility(s, p, value):
    if s.rule_size == 1:
        return value + (0.1 if value > 0 else -0.1)
    return value + (0.3 if value > 0 else -0.4)
"""


def test_of_several_numbers_none_is_said_to_be_the_one() -> None:
    """A small wager and a large one: whoever turns the first leaves the other as it is."""
    numbers = numbers_in(WAGERS, "rule")
    assert [(x.value, x.line) for x in numbers] == [(0.1, 5), (0.3, 6)]
    (told,) = next_for_holder(findings(worth=0.3, numbers=numbers), "strong")
    assert "has 2 of different size, first 0.1 in line 5. Make the one that is to be turned a parameter; the" in told
    german = words("de")
    assert "hat 2 verschiedene, zuerst 0,1 in Zeile 5. Aus der, an der" in german(told) and not german.missed
    pair = (HookNumber("rule", "payoff", 0.1, 7, True, (9,)), HookNumber("rule", "payoff", 0.5, 8))
    (told,) = next_for_holder(findings(worth=0.3, numbers=pair), "strong")
    assert "first 0.1 in lines 7 and 9" in told and "`p.rule_hundredths / 100` in all of them), and" in told
    assert "zuerst 0,1 in den Zeilen 7 und 9" in words("de")(told) and not words("de").missed


TURNED = """
@module.hook
def options(s, p, seat, window, words):
    if s.rule_used[seat] < p.rule_limit:
        allow(words, TAKE)
@module.hook
def choose(s, p, seat, window, action):
    pay(s, p, seat, p.rule_price)
    share(s, p)
@module.hook
def total(s, p, seat, value):
    return value + p.rule_bonus * (s.power[seat] > p.rule_least) + p.rule_always + s.rule_state
@module.hook
def observe(s, p, seat, out):
    out[0] = p.rule_shown
def share(s, p):
    s.pot += p.rule_part
def unused(s, p):
    s.pot += p.rule_lost
"""


def test_parameters_that_can_be_turned() -> None:
    """By what an answer is made of first, then what is paid, also by a function that is called; then conditions.

    A switch, what is only shown, what no hook reads, a field of the state, another module's parameter are none.
    """
    names = ("limit", "shown", "price", "least", "lost", "bonus", "always", "part", "state", "unread")
    ranges = {name: (0, 1) if name == "always" else (0, 5) for name in names}
    assert list(turned_in(TURNED, "rule", ranges)) == ["bonus", "price", "part", "limit", "least"]
    assert turned_in(TURNED, "other", ranges) == {} and turned_in(TURNED, "rule", {"part": (2, 4)}) == {"part": (2, 4)}


def test_numbers_of_shipped_modules_are_turned() -> None:
    """Of a rule with a price, a condition and a text that is chosen: what is declared, in the files as they are."""
    for name, found in (
        ("oneshot.modules.flanking", {"bonus": (1, 3), "comrades": (1, 3)}),
        ("konfrontation.modules.blackmail", {"price": (1, 20)}),
        ("scorekeeper.modules.free_parry", {"limit": (0, 20)}),  # after_acting is a switch
        ("einblatt.modules.marked_cards", {}),
    ):
        source = import_module(f"probespiel.envs.{name}")
        assert turned_of(source.module, source) == found, name


def places(*gains: float) -> UseWorth:
    """What a use gains in as many situations, each with an error of 0.1."""
    leaves = tuple(Place(f"place {n}", 0.5, gain, 0.1, 50) for n, gain in enumerate(gains))
    return UseWorth(9, 9, 0, 0, 1, 0, 0, leaves=leaves)


@pytest.mark.parametrize(
    ("rate", "gains", "said"),
    [
        (0.04, (0.28, -0.9), "in 4% of the chances: no situation was found in which it clearly pays."),  # < 2.9 errors
        (0.04, (0.30, -0.9), "in 4% of the chances: it clearly pays where place 0 (+0.30 EP)."),
        (0.97, (0.9, -0.28), "in 97% of the chances: no situation was found that clearly speaks against it."),
        (0.97, (0.9, -0.30), "in 97% of the chances: it does not pay where place 1 (\N{MINUS SIGN}0.30 EP)."),
        (0.50, (0.9, -0.9), ""),
    ],
)
def test_where_a_use_pays_is_told_of_what_is_rare_or_usual(rate: float, gains: tuple[float, ...], said: str) -> None:
    """And only of situations whose gain is clear: beyond 2.6 errors, and 0.15 more for each that was looked at."""
    told = " ".join(next_for_holder(findings(use=replace(BOWS, rate=rate, worth=places(*gains))), "neutral"))
    assert said in told and ("It is used in" in told) == bool(said)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ((LENGTH,), "should not last longer"),
        ((figure("length", 15.0, 10.0, 0.2, 1.0),), "should not be shorter"),
        ((STILL, OPEN), "If that is what it is meant for, nothing has to be done."),
        ((figure("draws", 0.1, 0.12, 0.001, 0.05),), "nothing has to be done"),  # shown, but it does not count
        ((figure("draws", 0.4, 0.1, 0.1, 0.05),), "nothing has to be done"),  # fewer draws ask for nothing
        ((figure("first seat", 0.0, 0.4, 0.1, 0.1),), "Give the last seat something"),
        ((figure("first seat", 0.4, 0.0, 0.1, 0.1),), "Give the first seat something"),
    ],
)
def test_the_next_step_answers_the_figure_that_matters(figures: tuple[Figure, ...], said: str) -> None:
    (told,) = next_for_game(findings(*figures, use=BOWS), "changes the game")
    assert said in told


def test_a_rule_that_acts_by_itself_cannot_be_used_less_often() -> None:
    """Advice on use is for modules with actions; the others can only act less."""
    for figures, word in ((figure("length", 10.0, 21.0, 0.5, 1.0), "stalls the game"), (LENGTH, "longer games")):
        passive, used = (" ".join(next_for_game(findings(figures, use=use), word)) for use in (Use(0), BOWS))
        assert "act" in passive and "used" not in passive and "can be had" not in passive
        assert "used" in used or "can be had" in used


def test_the_next_step_after_a_fault_is_its_game() -> None:
    made = findings(breakage=Breakage((Fault("endless", "loops", "everybody", replay="1-endless.json"),)))
    assert "replays/1-endless.json" in next_for_holder(made, "broken")[0]
    assert game_verdict_of(made).word == "broken" and next_for_game(made, "broken") == ()


def test_a_rule_of_the_whole_table_gives_nobody_an_edge() -> None:
    made = findings(STILL, worth=0.4, whole_table=True)
    found = verdict_of(made)
    assert found.word == "shared" and "advantage" not in " ".join((*found.why, *found.remarks))
    told = answers(replace(made, verdict=found))["worth"]
    assert "nobody has it alone" in told[0] and "A +0.40 EP" in told[0] and "Whoever" not in told[0]


def test_numbers_that_are_written_into_what_is_paid_are_found() -> None:
    """Not those of a field that is only compared, nor a mark of 1; those below 0 take something."""
    text = (
        "@module.hook\ndef answered(s, p, phase, seat, action):\n"
        "    s.fruit_tenths[seat] = 1 if early else (3 if ripe else -2)\n"
        "    s.fruit_code = 5\n    s.fruit_had[seat] = 1\n    s.fruit_owed = -4\n"
        "@module.hook\ndef payoff(s, p, seat, value):\n"
        "    if s.fruit_code == 5:\n        return value\n"
        "    return value + s.fruit_tenths[seat] / 10 * s.fruit_had[0] * (s.fruit_code == 5) + (s.fruit_owed or 0)\n"
    )
    found = [(number.value, number.line, number.less) for number in numbers_in(text, "fruit")]
    assert found == [(1.0, 3, False), (3.0, 3, False), (2.0, 3, True), (4.0, 6, True)]
