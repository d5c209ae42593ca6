"""Tests of the rule module my_rule: `pytest test_my_rule.py`."""

from pathlib import Path

from probespiel.envs import make_game
from probespiel.envs.core.soundness import check_modules

MODULE = str(Path(__file__).with_name("my_rule.py"))


def test_it_keeps_the_promises_of_the_rules() -> None:
    """Random play: nothing hidden is seen, values are in their ranges, every game ends."""
    for played in check_modules("oneshot", {MODULE: {}}, games=1):
        assert played.decisions > 0
        assert not played.problems, played


def test_the_wounded_are_angry() -> None:
    """After a wound the figure remembers it."""
    game = make_game("oneshot-skirmish", "duel_mirror", {MODULE: {}}, compiled=False)
    position = game.position(seed=1)
    seen = set()
    while not position.over:
        seat = position.to_act()[0]
        attacks = [a for a in position.legal(seat) if game.actions.codes[a].startswith(("attack", "move"))]
        position.apply(seat, attacks[-1] if attacks else position.legal(seat)[0])
        while faces := position.die():
            before = position.record.wounds.copy()
            position.fall(faces - 1)
            s = position.record
            hurt = (s.wounds > before) & (s.wounds <= s.limit)  # who falls must roll to survive first
            assert (position.record.my_rule_angry[hurt] == 1).all()
            seen.update(hurt.tolist())
    assert True in seen
