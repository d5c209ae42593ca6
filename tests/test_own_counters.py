"""Fields of modules that only add up what is paid: read off the source, and solved as if they were not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.agents.own_counters import only_adds_up, own_counters
from probespiel.agents.public_game import public_value
from probespiel.envs.ews_rps.system import SYSTEM
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.exact import solve_all
from probespiel.evaluation.stress.lab import Lab

PLANTED = Path(__file__).parent / "planted"
HEAD = '''
@module.hook
def choose(s, p, seat, window, action):
    {}
@module.hook
def payoff(s, p, seat, value):
    """Paid."""
    {}
'''
ADDS, PAYS = "s.m_won[seat] += 1", "return value + 0.3 * s.m_won[seat] / p.n_tests"


@pytest.mark.parametrize(
    ("does", "pays", "so"),
    [
        (ADDS, PAYS, True),
        ("s.m_won[1 - seat] -= 2 if s.m_six else p.fee", PAYS, True),
        ("s.m_won += 1", "return p.c * (value - 2 * -s.m_won) - s.m_lost[seat]", True),
        ("pass", "return value", True),  # never touched
        ("s.m_won[seat] = 1", PAYS, False),
        ("s.m_won[seat] *= 2", PAYS, False),
        ("s.m_won[seat] += s.m_won[1 - seat]", PAYS, False),
        ("s.m_lost[s.m_won[seat]] += 1", PAYS, False),
        ("s.m_won[s.m_won[0]] += 1", PAYS, False),
        ("if s.m_won[seat] < 3:\n        s.m_won[seat] += 1", PAYS, False),
        ("x = s.m_won", PAYS, False),
        ("x = getattr(s, 'm_won')", PAYS, False),
        (ADDS, "return value * s.m_won[seat]", False),
        (ADDS, "return value / s.m_won[seat]", False),
        (ADDS, "return value + s.m_won[seat] * s.m_lost[seat]", False),
        (ADDS, "return value + max(0, s.m_won[seat])", False),
        (ADDS, "return value + (1.0 if s.m_won[seat] > 3 else 0.0)", False),
        (ADDS, "return value + s.m_won[s.m_lost[seat]]", False),
        (ADDS, "return value + abs(s.m_won[seat])", False),
        (ADDS, "return value + ~s.m_won[seat]", False),
        (ADDS, "return value + s.m_won[seat] ** 2", False),
        (ADDS, "if p.c:\n        return value\n    return value + s.m_won[seat]", False),
        (ADDS, "return max(value, s.m_won[seat] + 1)", False),
    ],
)  # fmt: skip
def test_what_only_adds_up(does: str, pays: str, so: bool) -> None:
    """Only added to, and paid as a sum with fixed weights; whatever else reads it may change the game."""
    assert only_adds_up(HEAD.format(does, pays), "m_won") is so


def test_what_is_shown_of_it_does_not_matter_but_another_reader_does() -> None:
    source = HEAD.format(ADDS, PAYS)
    reader = "\n@{}\ndef {}(s, p, seat, out):\n    out[0] = s.m_won[seat]\n"
    assert only_adds_up(source + reader.format("module.hook", "observe"), "m_won")
    assert not only_adds_up(source + reader.format("module.hook", "options"), "m_won")
    assert not only_adds_up(source + reader.format("kernel", "observe"), "m_won")  # a helper that others may call
    assert not only_adds_up(source.replace("@module.hook\ndef payoff", "@kernel\ndef payoff"), "m_won")


BETS = '''"""Bets."""
from probespiel.envs.ews_rps.module import Module
module = Module("bets", "Nothing is paid.")
module.state("own", doc="what lasts", scope="match")
module.state("hidden", doc="what a seat knows", scope="match", private=True)
module.state("brief", doc="of a test", scope="test")
'''


def test_fields_that_are_zeroed_or_hidden_are_none(tmp_path: Path) -> None:
    """What begins anew with every test is a position, and so is what only one seat knows."""
    path = tmp_path / "bets.py"
    path.write_text(BETS)
    bench = Bench(Settings("ews_rps", str(path)))
    assert own_counters(bench.game(bench.everybody())) == {"bets_own"}


def test_a_bet_is_solved_though_its_wins_are_counted(tmp_path: Path) -> None:
    """A bet that pays after a six: 0.3 a test in a sixth of half of them, half a lead: 0.0125, by few positions."""
    lab = Lab(Bench(Settings("ews_rps", str(PLANTED / "hot_hand.py"))), tmp_path)
    conditions = lab.bench.holder_conditions()
    values = dict(zip(conditions, solve_all(lab, list(conditions.values()), 10_000)["values"]))
    assert values == pytest.approx(
        {"nobody": 0.0, "only player": 0.0125, "only game master": -0.0125, "everybody": 0.0}, abs=1e-9
    )
    two = [{"kind": "contest", "attacker_value": 12, "defender_value": 12}] * 2
    short = Bench(Settings("ews_rps", str(PLANTED / "hot_hand.py"), config={"tests": two}))
    game = short.game(conditions["only player"])
    assert own_counters(game) == {"hot_hand_net"}
    past = {*SYSTEM.bookkeeping, *SYSTEM.counted}
    few, many = public_value(game, past | own_counters(game)), public_value(game, past)
    assert few.value == pytest.approx(many.value, abs=1e-9) and few.positions < many.positions
