"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.registry import system
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play at every level: nothing hidden is seen, values are in their ranges, every game ends."""
    for played in check_modules("konfrontation", {MODULE: {}}, games=2):
        assert played.decisions > 0
        assert not played.problems, played


def test_a_levy_brings_power_once() -> None:
    """The first faction that may act takes the option."""
    for name in system("konfrontation").games:
        game = make_game(name, modules={MODULE: {"amount": 3}}, compiled=False)
        levy = game.actions.parse("levy power (my_rule)")
        position = game.position(seed=1)
        while not position.over:
            seat = position.to_act()[0]
            legal = position.legal(seat)
            if levy in legal:
                before = int(position.record.power[seat])
                position.apply(seat, levy)
                assert position.record.my_rule_used[seat] == 1
                assert before <= position.record.power[seat] <= before + 3
                return
            position.apply(seat, legal[0])
            position.roll()
    raise AssertionError("no game offered the option")
