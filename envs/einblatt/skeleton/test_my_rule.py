"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play at every level: no card is lost, nothing hidden is seen, every game ends."""
    for played in check_modules("einblatt", {MODULE: {}}, games=2):
        assert played.decisions > 0
        assert not played.problems, played


def test_the_card_is_drawn_once_and_paid_for() -> None:
    """A worked example: given hands and piles, then decision by decision."""
    ada = {"name": "Ada", "kind": "pc", "attribute": 4, "suits": "H", "hand": ["C9", "S10"], "draw": ["HA", "C7"]}
    foe = {"name": "Foe", "kind": "npc", "cards": 2, "suits": "S", "hand": ["SK", "D8"]}
    game = make_game("einblatt-duel", "billy_tree", {MODULE: {"cost": 2}}, compiled=False, seats=[ada, foe])
    position = game.position()
    offered = [game.actions.describe(action) for action in position.legal(0)]
    assert position.phase() == "after_draw"
    assert offered == ["done", "draw one card more (my_rule)"]
    position.apply(0, game.actions.parse("draw one card more (my_rule)"))
    position.fall(1)  # of the two cards in the pile the ace of hearts falls
    assert position.phase() == "commit", "Ada holds a trump now, and nobody else has an option"
    assert game.actions.parse("card:HA") in position.legal(0)
    assert position.record.extra_restr[0] == 2
    assert list(game.layout.view(position.observe(0))["my_rule.used"]) == [1]
