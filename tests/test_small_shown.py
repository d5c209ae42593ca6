"""What is shown of games in which a rule acts by itself, and how far a run has come, each by a small case."""

from __future__ import annotations

import copy
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.app.web import runs
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.einblatt.system import SYSTEM as EINBLATT
from probespiel.envs.einblatt.verify import run_play
from probespiel.envs.ews_rps import odds
from probespiel.envs.oneshot.character import sheet
from probespiel.evaluation.stress import exploit
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.strategies import Mixture, Strategy
from tests.modules.play import LEVELS
from tests.test_golden import CASES


class Log(SimpleNamespace):
    """A log of two decisions a game, none of which took an action of the module."""

    def __len__(self) -> int:
        return len(self.taken)


@pytest.mark.parametrize("side", [0, 1])
def test_of_rules_that_act_by_themselves_the_game_is_shown_in_which_they_did_most(
    side: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the same dice and decisions without it: 5 instead of 3 does 2, 1 instead of -4 does 5, 2 cannot be told.

    The second is shown though its decisions count less; it is a loss that was turned. What it is without the rule is
    told by that, not by the game of those who never knew the rule, which ended with 0.5.
    """
    sign = 1.0 if side == 0 else -1.0
    having, replayed = [5.0, 1.0, 2.0], {0: 3.0, 1: -4.0, 2: None}

    def play(*_: Any, logged: bool) -> Any:
        margins = sign * np.array(having if logged else [0.5, 0.5, 0.5])
        return SimpleNamespace(log=Log(taken=np.zeros(6, dtype=bool)), margins=margins, lengths=np.full(3, 2),
                               games_of_log=lambda: np.repeat(np.arange(3), 2))  # fmt: skip

    def without_it(replay: Any, plain: Any, own: Any, phases: Any) -> Any:
        assert (plain, own, phases) == ("plain game", frozenset({4}), frozenset({2}))
        told = replayed[replay.game]
        return None if told is None else SimpleNamespace(payoffs=[told])

    def decisive(lab: Any, where: Any, acts: int, players: Any, pair: Any, deal: int, *_: int) -> dict[str, Any]:
        return {"swing": (9.0, 1.0, 5.0)[deal], "number": deal, "action": f"a{deal}", "instead": "b", "own": False}

    made: dict[str, Any] = {
        "play": play, "draw_pairs": lambda *_: [(0, 1)] * 3, "decisive": decisive, "without_it": without_it,
        "record": lambda lab, where, played, game, *_: SimpleNamespace(save=lambda file: None, agents={}, game=game),
        "lines_of": lambda replay, number: ([replay.game], 10 + number),
        "decided": lambda replay, best: {
            "action": best["action"], "instead": best["instead"], "german": {"x": best["action"]},
        },
        "german_words": lambda replay: {"pass": "passen"},
        "margins": lambda bench, where, payoffs: sign * payoffs[:, 0],
    }  # fmt: skip
    for name, function in made.items():
        monkeypatch.setattr(exploit, name, function)
    lab: Any = SimpleNamespace(folder=tmp_path, game=lambda where: "plain game", own_actions={4}, bench=None,
                               marks=SimpleNamespace(phases=frozenset({2})))  # fmt: skip
    target, own = Mixture((Strategy("target"),), (1.0,)), Strategy("o")
    found = exploit.show(lab, Condition(), Condition(), side, Strategy("h"), target, own, 3, 3, 1, 1, "r/x.json")
    expected = {
        "found": True, "deal": 1, "swing": 1.0, "action": "a1", "instead": "b", "step": 11, "margin": 1.0,
        "margin_without": -4.0, "used": False, "turned": True, "own": False, "lines": [1], "replay": "x.json",
        "agents": {}, "german": {"pass": "passen", "x": "a1"},
    }  # fmt: skip
    assert found == expected
    replayed.update({0: None, 1: None})  # of none is known what it did: the one whose decision counts most
    found = exploit.show(lab, Condition(), Condition(), side, Strategy("h"), target, own, 3, 3, 1, 1, "r/x.json")
    assert (found["deal"], found["margin"], found["margin_without"], found["turned"]) == (0, 5.0, 0.5, False)


def test_games_of_a_run_that_are_over_are_added_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two ended while nobody looked, the third goes on; once all are over the points are written down and told."""
    states = [runs.Standing((), (), due_of("g1"), 0), runs.Standing((), (), due_of("g2"), 0),
              runs.Standing((), (), due_of("g3"), 0)]  # fmt: skip
    added: list[Any] = []
    ended: dict[str, Any] = {"g1": "first", "g2": "second"}
    monkeypatch.setattr(runs, "run_of", lambda system: f"course of {system}")
    monkeypatch.setattr(runs, "standing", lambda path, course, lang: states[len(added)])
    hall: Any = SimpleNamespace(
        folder=tmp_path, _ended=lambda name: ended.get(name), _add=lambda run, kind, value: added.append((kind, value))
    )
    run: Any = SimpleNamespace(points=None, words={}, file="r.json", system="einblatt")
    assert runs.Runs._standing(hall, run, "en") is states[2]
    assert added == [("outcome", "g1: first"), ("outcome", "g2: second")]
    run.points, run.words = 7.0, {"de": "gut"}
    assert runs.Runs._standing(hall, run, "de").next == runs.Score(7.0, "gut")
    assert runs.Runs._standing(hall, run, "en").next == runs.Score(7.0, "")
    assert len(added) == 2


def due_of(name: str) -> Any:
    """A game of a run that is to be played, or goes on."""
    due = cast(Any, object.__new__(runs.Due))
    for field, value in (("name", name), ("outcome", lambda position: f"{name}: {position}")):
        object.__setattr__(due, field, value)
    return due


@pytest.mark.parametrize(("payoff", "procedure", "value"), [
    ("margin", "rps", Fraction(-3, 10)), ("margin", "pm_d6", Fraction(-3, 10)), ("win", "rps", Fraction(1, 4)),
    ("win", "pm_d6", Fraction(-1, 8)), ("stakes", "rps", Fraction(7, 8)), ("stakes", "pm_d6", Fraction(5, 16)),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["simple", "contest"])
def test_what_a_test_of_stone_scissors_paper_is_worth(
    kind: str, payoff: str, procedure: str, value: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Won by half and drawn by a quarter; by the die won by a quarter, drawn by three eighths; paid 2 and -0.5 at most.

    What is worth less than nothing is declined where that is allowed, but not by one who is absent.
    """

    def given(chance: Fraction) -> Any:
        def told(asked: str, difference: int, options: Any) -> Fraction:
            assert (asked, difference) == (kind, -3)
            return chance

        return told

    chances = {"success": (1, 2), "equality": (1, 4), "die_success": (1, 4), "die_equality": (3, 8)}
    for name, (part, whole) in chances.items():
        monkeypatch.setattr(odds, name, given(Fraction(part, whole)))
    monkeypatch.setattr(odds, "margin_value", given(Fraction(-3, 10)))
    monkeypatch.setattr(odds, "points", lambda test, options: (2.0, 0.5))
    own, other = odds.NUMBERS[kind]
    test, options = {"kind": kind, own: 7, other: 4}, {"payoff": payoff, "procedure": procedure, "may_decline": False}
    assert odds.test_value(test, options) == value
    assert odds.test_value(test, {**options, "may_decline": True}) == max(value, 0)
    assert odds.test_value(test, {**options, "may_decline": True}, absent=True) == value


@pytest.mark.parametrize("spend_all", [True, False])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_points_of_a_character_are_spent_to_the_last_where_they_must_be(spend_all: bool, more: int) -> None:
    """Of attributes, of body twice and of charisma: too many are always wrong, too few where all must be spent."""
    fields = (*sheet.PHYSICAL, *sheet.COMBAT, *sheet.SOCIAL)
    char: dict[str, Any] = {
        **dict.fromkeys(sheet.ATTRIBUTES, 2), **dict.fromkeys(fields, 0), "perks": (), "gift": None, "skills": {},
    }  # fmt: skip
    for first, attribute in ((sheet.PHYSICAL[0], "body"), (sheet.COMBAT[0], "body"), (sheet.SOCIAL[0], "charisma")):
        char[first] = char[attribute] + more
    options = {
        "spend_all_points": spend_all, "attribute_cap": 9, "attribute_points": 2 * len(sheet.ATTRIBUTES) - more,
        "skill_surcharge": 0, "gear_budget": None, "max_perks": 3, "allow_will_to_live": False,
    }  # fmt: skip
    wrong = more > 0 or (spend_all and more < 0)
    expected = ["attribute_points", "combat_points", "physical_points", "social_points"] if wrong else []
    assert sheet.problems_of(char, options, cast(Any, None)) == expected


def test_odds_of_an_incentive_are_refused_by_their_value() -> None:
    with pytest.raises(RulesetError, match=r"odds of accord = 0\.555 is not allowed: a multiple of \.01 from 0 to 1"):
        EINBLATT.spec_of_setup(LEVELS["campaign"]({"incentive": {"odds": {"accord": 0.555}}}))


def test_a_choice_that_an_example_gets_wrong_is_told_by_its_step() -> None:
    """The third step of a worked example, by its number."""
    case = copy.deepcopy(CASES["billy_tree"])
    case["steps"][2]["action"] = "card:HA"
    (problem,) = run_play(case)[:1]
    assert problem.startswith("step 3") and "not legal" in problem
