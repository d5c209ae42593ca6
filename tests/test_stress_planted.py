"""The planted modules: what the stress lab says of them is true (`python -m tests.planted` prints the table)."""

from __future__ import annotations

from pathlib import Path

import pytest

from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.effect import DRAWS, SKILL
from probespiel.evaluation.stress.exact import solve_all
from probespiel.evaluation.stress.lab import Lab

from .known_worth import hot_hand_scores
from .planted.truth import CARD, PLANTS, findings, wrong

DUEL = [name for name, plant in PLANTS.items() if plant.game == "einblatt-duel"]
EXACT = [name for name, plant in PLANTS.items() if plant.worth is not None and not plant.within]


def test_the_set_is_large_enough() -> None:
    """Twenty modules over five systems and more, six of them with a worth that is known exactly; each is a file."""
    systems = {plant.game.partition("-")[0] for plant in PLANTS.values()}
    assert len(PLANTS) >= 20 and {"einblatt", "ews_rps", "konfrontation", "scorekeeper", "oneshot"} <= systems
    assert len(EXACT) >= 6
    assert all((plant.folder / f"{name}.py").is_file() for name, plant in PLANTS.items())


def test_what_a_bet_does_to_the_game() -> None:
    """Whoever bets better than the level below scores 8 points more, of which 3 count, and 14 points less are drawn."""
    fair, best, without, with_it = hot_hand_scores()
    assert (fair, best, without, with_it) == pytest.approx((0.584, 0.579, 0.188, 0.045), abs=1e-3)
    assert (fair + best) / 2 - 0.5 > 2 * SKILL and without - with_it > 2 * DRAWS
    assert set(PLANTS["hot_hand"].table) == {"fewer draws", "skill tells more", "changes the game"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if PLANTS[n].game == "kuhn" else pytest.mark.slow) for n in EXACT]
)
def test_exact_worths_agree(name: str, tmp_path: Path) -> None:
    """The values by which the lab tells a worth are those of linear programs, plans and formulas."""
    plant = PLANTS[name]
    path = str(plant.folder / f"{name}.py")
    lab = Lab(Bench(Settings(plant.game, path, scenario=plant.scenario, config=plant.config)), tmp_path)
    named = lab.bench.holder_conditions()
    values = dict(zip(named, solve_all(lab, list(named.values()), 300_000)["values"], strict=True))
    first, second = (values[lab.bench.alone(side)] for side in (0, 1))
    assert plant.worth is not None
    assert ((first - values["nobody"]) - (second - values["nobody"])) / 2 == pytest.approx(plant.worth(), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_verdicts_at_quick(name: str, tmp_path: Path) -> None:
    """Both verdicts are right, and no interval of a known worth misses it."""
    assert not wrong(name, findings(name, tmp_path, "quick"))


@pytest.mark.slow
@pytest.mark.parametrize("name", DUEL)
def test_the_flaw_is_found(name: str, tmp_path: Path) -> None:
    """Each module gets its verdict, and the numbers behind it are right where they can be known.

    One card more is worth `CARD` EP here; bounds are 0.06 EP for what the
    learners may lose by playing less than perfectly.
    """
    found = findings(name, tmp_path, "standard")
    assert found.verdict and found.verdict.word in PLANTS[name].holder
    if name == "echo":
        fault = next(f for f in found.faults if f.where == "everybody")
        assert fault.length and fault.length <= 3 and (tmp_path / "replays" / str(fault.replay)).is_file()
        return
    assert not found.faults and found.worth and found.handicap and found.seat and found.use and found.exploit
    worth = found.worth.overall.value
    if name == "free_lunch":
        assert abs(worth - CARD) < 0.06
        cards = [r.value for side in found.handicap for r in side.by_amount if r.amount == 0]
        assert all(abs(c - 1) < 0.35 for c in cards)
    if name == "early_bird":
        assert abs(found.seat.change.value - CARD) < 0.06
    if name == "courtesy":
        assert abs(worth) < 0.03 and found.verdict.use == "no effect"
    if name == "turncoat":
        assert worth > 1 and all(e.game.turned for e in found.exploit)
        assert all(e.game.action == "exchange the results" for e in found.exploit)
    if name == "burnt_offering":
        use = found.use
        assert use.rate is not None and use.rate < 0.05 and use.worth and use.worth.gain and use.worth.gain < -0.5
