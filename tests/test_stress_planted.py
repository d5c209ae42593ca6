"""The planted modules, five with a flaw and one without: the stress lab finds what is wrong with them at `standard`."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.findings import Findings
from probespiel.evaluation.stress.run import run_stress

PLANTED = Path(__file__).parent / "planted"
VERDICTS = {
    "turncoat": "overpowered",
    "burnt_offering": "dead rule",
    "free_lunch": "always-use",
    "echo": "broken",
    "early_bird": "seat-favouring",
    "courtesy": "neutral",
}


def findings(name: str, folder: Path, budget: str = "standard") -> Findings:
    """The findings of a planted module in the even duel."""
    return run_stress(Settings("einblatt-duel", str(PLANTED / f"{name}.py"), budget=budget), folder)[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", VERDICTS)
def test_the_flaw_is_found(name: str, tmp_path: Path) -> None:
    """Each module gets its verdict, and the numbers behind it are right where they can be known.

    One card more is worth .3130 EP here (7 against 6 cards, one trump each: E4); bounds are 0.06 EP for what the
    learners may lose by playing less than perfectly.
    """
    found = findings(name, tmp_path)
    assert found.verdict and found.verdict.word == VERDICTS[name]
    if name == "echo":
        fault = next(f for f in found.faults if f.where == "everybody")
        assert fault.length and fault.length <= 3 and (tmp_path / "replays" / str(fault.replay)).is_file()
        return
    assert not found.faults and found.worth and found.handicap and found.seat and found.use and found.exploit
    worth = found.worth.overall.value
    if name == "free_lunch":
        assert abs(worth - 0.3130) < 0.06
        cards = [r.value for side in found.handicap for r in side.by_amount if r.amount == 0]
        assert all(abs(c - 1) < 0.35 for c in cards)
    if name == "early_bird":
        assert abs(found.seat.change.value - 0.3130) < 0.06
    if name == "courtesy":
        assert abs(worth) < 0.03 and found.verdict.use == "no effect"
    if name == "turncoat":
        assert worth > 1 and all(e.game.turned for e in found.exploit)
        assert all(e.game.action == "exchange the results" for e in found.exploit)
    if name == "burnt_offering":
        use = found.use
        assert use.rate is not None and use.rate < 0.05 and use.worth and use.worth.gain and use.worth.gain < -0.5
