"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.registry import system
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play of duels and skirmishes: nothing hidden is seen, values are in their ranges, every fight ends."""
    for played in check_modules("scorekeeper", {MODULE: {}}, games=2):
        assert played.decisions > 0
        assert not played.problems, played


def test_scratches_are_struck_off_once() -> None:
    """The first fighter who may does it, and has one scratch less on his next turn at least."""
    for name in system("scorekeeper").games:
        game = make_game(name, "rooftop_chase", {MODULE: {"scratches": 1}}, compiled=False)
        breathe = game.actions.parse("catch your breath (my_rule)")
        position = game.position(seed=1)
        while position.phase() != "declare" or breathe not in position.legal(position.to_act()[0]):
            position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
            position.roll()
        seat = position.to_act()[0]
        assert position.record.kr[seat] == 1
        position.apply(seat, breathe)
        position.roll()
        while not position.record.my_rule_used[seat]:
            position.apply(position.to_act()[0], 0 if position.phase() == "declare" else position.legal(seat)[0])
            position.roll()
        assert position.record.kr[seat] == 0
