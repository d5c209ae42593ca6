"""What worked examples, hook points and options of all systems share."""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.errors import IllegalAction, RulesetError
from probespiel.envs.core.modules.hooks import KINDS, declared, hook
from probespiel.envs.core.options import filled, flag, whole, word
from probespiel.envs.core.script import Script, refusal, same
from probespiel.envs.core.setups import merge_modules, options_of
from probespiel.envs.core.verify import case_runners
from probespiel.envs.kuhn import hooks

ENVS = Path(__file__).resolve().parent.parent / "envs"


class Moves(Script):
    """A script of Kuhn poker: the dealer deals the lowest card that is left."""

    def __init__(self, *steps: dict[str, Any], expect: dict[str, Any] | None = None) -> None:
        super().__init__({"steps": steps, "expect": expect}, make_game("kuhn", compiled=False))

    def start(self) -> None:
        while self.position.die():
            self.position.fall(0)

    def step(self, step: dict[str, Any], where: str) -> None:  # type: ignore[override]
        seat, action = self.seat(step["seat"]), self.game.actions.parse(step["move"])
        if step.get("illegal"):
            assert self.refused(lambda: self.position.apply(seat, action), where)
        else:
            self.position.apply(seat, action)
        self.check(step.get("expect"), where)

    def see_over(self, want: Any) -> bool:
        return self.position.over

    def see_payoff(self, want: Any) -> dict[str, float]:
        return self.per_seat(want, lambda seat: float(self.position.returns()[seat]))

    def check_legal(self, want: Any, where: str) -> None:
        self.compare(f"{where}: legal moves", len(self.position.legal(self.position.to_act()[0])), want)


def test_a_script_that_holds() -> None:
    steps = (
        {"seat": "first", "move": "bet", "expect": {"over": False, "legal": 2}},
        {"seat": "first", "move": "bet", "illegal": True},
        {"seat": "second", "move": "bet"},
    )
    assert Moves(*steps, expect={"over": True, "payoff": {"first": "-4/2", "second": 2}}).run() == []


@pytest.mark.parametrize(
    ("steps", "expect", "problems"),
    [
        ([{"seat": "second", "move": "bet"}, {"seat": "first", "move": "bet"}], {}, ["step 1: "]),
        ([{"seat": "first", "move": "bet", "expect": {"over": True}}], {"over": True}, ["step 1: over is False"]),
        ([{"seat": "third", "move": "bet"}], {}, ["step 1: seat 'third' is unknown"]),
        ([{"seat": "first", "move": "pass", "expect": {"legal": 3}}], {}, ["step 1: legal moves is 2, expected 3"]),
        ([], {"pot": 2}, ["end: expect key 'pot' is unknown: legal, over, payoff"]),
    ],
)
def test_a_script_that_does_not_hold(steps: list[Any], expect: dict[str, Any], problems: list[str]) -> None:
    """It ends with the first step that does not hold."""
    found = Moves(*steps, expect=expect).run()
    assert len(found) == len(problems)
    assert all(have.startswith(want) for have, want in zip(found, problems, strict=True)), found


def test_a_refusal_must_leave_no_trace() -> None:
    script = Moves()
    script.start()

    def spoil() -> None:
        script.position.record.turn += 1
        raise IllegalAction("too late")

    assert script.refused(spoil, "here")
    assert script.problems == ["here: the refused action changed the state"]


@pytest.mark.parametrize(
    ("have", "want", "equal"),
    [
        (Fraction(1, 3), "1/3", True),
        (Fraction(1, 3), 0.3333333333, True),
        (Fraction(1, 3), 0.333, False),
        (1 + Fraction(1, 3**40), 1, True),
        (1 + Fraction(1, 3**40), "1", False),
        (1 + Fraction(1, 3**10), 1, False),
        (2, "2", True),
        (2, "two", False),
        (2, None, False),
        (0.1 + 0.2, 0.3, True),
        ("2", 2, False),
        (None, None, True),
        ({"a": [1, 2.0]}, {"a": (1, "2")}, True),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ([1], [1, 1], False),
    ],
)
def test_values_are_the_same(have: Any, want: Any, equal: bool) -> None:
    assert same(have, want) is equal


def test_refused_set_ups() -> None:
    def build() -> None:
        raise RulesetError("rounds = 9 is not allowed: 1..3")

    assert refusal(build, ["Rounds", 9]) == []
    assert refusal(build, ["moon"]) == ["the error 'rounds = 9 is not allowed: 1..3' does not mention 'moon'"]
    assert "was accepted" in refusal(lambda: None, ["rounds"])[0]


def test_nothing_but_the_runner_of_examples_knows_verify() -> None:
    """A system is complete without its worked examples: `core.verify` finds them by their place."""
    wrong = []
    for path in ENVS.glob("[!c]*/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = {(node.module or "").rpartition(".")[2], *(alias.name for alias in node.names)}
                wrong += [f"{path.name}:{node.lineno}"] if "verify" in names else []
    assert not wrong
    assert case_runners("kuhn", False) == {}
    assert "play" in case_runners("konfrontation", False)


def test_hook_points_are_declared_where_they_stand() -> None:
    assert [name for name, *_ in declared(hooks)] == ["moves", "moved", "strength", "payoff", "observe"]
    assert [kind for _, kind, _ in declared(hooks)] == ["filter", "event", "filter", "filter", "observe"]
    with pytest.raises(ValueError, match=f"hook kind 'filtre' is unknown: one of {', '.join(KINDS)}"):
        hook("filtre")


def test_options_are_filled_in() -> None:
    options = {"rounds": whole(3, 1, 9), "open": flag(False), "deck": word("own", "own", "shared")}
    assert filled(options, {"deck": "shared"}) == {"rounds": 3, "open": False, "deck": "shared"}
    with pytest.raises(RulesetError, match=r"rounds = 0 is not allowed: a whole number 1\.\.9"):
        filled(options, {"rounds": 0})
    with pytest.raises(RulesetError, match="option 'round' = 1 is unknown: one of rounds, open, deck; did you mean"):
        filled(options, {"round": 1})


def test_modules_on_top_of_modules() -> None:
    own = {"mercy": {"cards": 2}, "sleeve": {}}
    assert merge_modules(own, {"mercy": None, "all_in": {}}) == {"sleeve": {}, "all_in": {}}
    assert merge_modules(None, {}) == {}
    for given in ((3, {}), ({}, ["mercy"])):
        with pytest.raises(RulesetError, match="is not allowed: a mapping name -> parameters"):
            merge_modules(*given)
    setup = {"modules": own, "config": {"rounds": [1]}}
    copied = options_of(setup)
    assert copied == setup
    assert list(copied) == ["config", "modules"]
    copied["config"]["rounds"].append(2)
    assert setup["config"] == {"rounds": [1]}
