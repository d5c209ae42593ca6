"""Exact values of games in which something is hidden: against all plans of both seats, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.agents.public_game import NotSolved
from probespiel.agents.sequence_form import hidden_value
from probespiel.envs import make_game
from probespiel.evaluation.stress.conditions import Bench, Condition, Settings
from probespiel.evaluation.stress.exact import solve_all
from probespiel.evaluation.stress.lab import Lab

from .known_kuhn import PLAIN, kuhn_value

JACKS = (3, 1, 2)
TEXT = '''"""The holder's jack beats everything."""
from probespiel.envs.kuhn.module import Module
module = Module("jacks_up", "The holder's jack beats everything.")
@module.hook
def strength(s, p, seat, card, value):
    """A jack counts as three."""
    return 3 if card == 0 else value
'''


@pytest.fixture(scope="module")
def jacks(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("modules") / "jacks_up.py"
    path.write_text(TEXT)
    return str(path)


def test_kuhn() -> None:
    assert hidden_value(make_game("kuhn"), 1_000) == pytest.approx(-1 / 18, abs=1e-9)
    assert kuhn_value(PLAIN, PLAIN) == pytest.approx(-1 / 18, abs=1e-9)


def test_cards_that_count_differently(jacks: str, tmp_path: Path) -> None:
    """The lab solves every condition: values of its first side, whoever has the module."""
    lab = Lab(Bench(Settings("kuhn", jacks)), tmp_path)
    conditions = [Condition(), Condition((0,)), Condition((1,)), Condition((0, 1))]
    found = solve_all(lab, conditions, 100_000)["values"]
    pairs = [(JACKS if 0 in c.holders else PLAIN, JACKS if 1 in c.holders else PLAIN) for c in conditions]
    assert found == pytest.approx([kuhn_value(*pair) for pair in pairs], abs=1e-9)
    assert len(set(found)) >= 3


def test_half_of_the_lead_is_what_counts() -> None:
    """A fee of 1 that one seat alone pays costs it half of a lead, whichever seat that is."""
    path = str(Path(__file__).parent / "planted_costs" / "edge.py")
    for seat, cards in ((0, (JACKS, PLAIN)), (1, (PLAIN, JACKS))):
        value = hidden_value(make_game("kuhn", modules={path: {"fee": 100, "seats": [seat]}}), 1_000)
        assert value == pytest.approx(kuhn_value(*cards) + (0.5 if seat else -0.5), abs=1e-9)


def test_what_is_not_solved() -> None:
    with pytest.raises(NotSolved, match="more than 20 nodes"):
        hidden_value(make_game("kuhn"), 20)
    with pytest.raises(NotSolved, match="two seats"):
        hidden_value(make_game("einblatt-melee", "free_for_all"), 100)
