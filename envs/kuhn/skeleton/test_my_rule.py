"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play: nothing hidden is seen, every game ends, payoffs add up to 0."""
    for played in check_modules("kuhn", {MODULE: {}}, games=20):
        assert played.decisions > 0
        assert not played.problems, played


def test_a_bold_jack_wins() -> None:
    """A worked example: jack and king are dealt, the jack bets and is called."""
    game = make_game("kuhn", modules={MODULE: {}}, compiled=False)
    position = game.position()
    position.fall(0)  # the jack, of three cards
    position.fall(1)  # the king, of two
    position.apply(0, game.actions.parse("bet"))
    assert list(game.layout.view(position.observe(1))["my_rule.bold"]) == [1, 0]
    position.apply(1, game.actions.parse("bet"))
    assert list(position.returns()) == [2.0, -2.0]
