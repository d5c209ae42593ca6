"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play: nothing hidden is seen, values are in their ranges, every game ends."""
    for played in check_modules("ews_rps", {MODULE: {}}, games=5):
        assert played.decisions > 0
        assert not played.problems, played


def test_the_stakes_are_raised() -> None:
    """The acting seat is asked before the test."""
    game = make_game("ews_rps", modules={MODULE: {}}, compiled=False)
    raise_stakes = game.actions.parse("raise the stakes (my_rule)")
    position = game.position(seed=1)
    seat = position.to_act()[0]
    assert raise_stakes in position.legal(seat)
    position.apply(seat, raise_stakes)
    assert position.record.my_rule_raised == 1
    assert raise_stakes not in position.legal(seat)
