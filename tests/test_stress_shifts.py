"""Rules that move a payoff further than they declare, in some games alone: broken, with the game that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.jit import config
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress.conditions import Settings
from probespiel.evaluation.stress.context import EVERYBODY, NOBODY
from probespiel.evaluation.stress.drawing import drawn
from probespiel.evaluation.stress.failing import as_far_as_kept
from probespiel.evaluation.stress.lab import open_lab
from probespiel.evaluation.stress.run import run_stress
from probespiel.evaluation.stress.texts import words

KING = '''"""A module for tests."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("crowned", "A module for tests.", payoff_shift=1.0)
@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Five more for a king of the first seat, where one is declared."""
    return value + 5.0 if seat == 0 and s.card[0] == 2 else value
'''
LOAN = '''"""A module for tests."""
from typing import Any
from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow
module = Module("loan", "A module for tests.", windows=("after_draw",), payoff_shift=1.0)
TAKE = module.action("take", en="take a loan", de="ein Darlehen nehmen")
module.state("said", doc="1 taken")
module.state("tenths", scope="campaign", doc="tenths of an EP")
@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a conflict."""
    if not s.loan_said[seat]:
        allow(words, TAKE)
@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Seven tenths are left."""
    s.loan_said[seat] = 1
    s.loan_tenths[seat] += 7
@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Two are more than is declared."""
    return value + s.loan_tenths[seat] / 10
'''
TOLD = "module crowned: hook 'payoff' moved a payoff by 5, payoff_shift is 1.0, while payoffs were worked out"


compiled = pytest.mark.skipif(config.DISABLE_JIT, reason="interpreted rules raise an error there")


@pytest.fixture
def crowned(tmp_path: Path) -> str:
    path = tmp_path / "crowned.py"
    path.write_text(KING)
    return str(path)


@compiled
def test_a_payoff_that_goes_too_far_is_told_of_its_own_game(crowned: str, tmp_path: Path) -> None:
    """A third of all deals: not the games after them, and the last one is no exception. The next search starts anew."""
    lab = open_lab(Settings("kuhn", crowned, budget="quick"), tmp_path)
    conditions = lab.bench.holder_conditions()
    for games in (59, 60, 61):
        found = breakage.search(lab, conditions[EVERYBODY], games, 3)
        plain = breakage.search(lab, conditions[NOBODY], games, 3)
        (fault,) = found["faults"]
        assert fault["text"].endswith(TOLD) and fault["length"] in (2, 3)
        kings = 0
        for game in range(games):
            dice = breakage._dice_of(game, games, 3)
            drawn(dice)  # the choices have a generator of their own, seeded first
            position = lab.bench.game(conditions[NOBODY]).position()
            position.roll(dice)
            kings += int(position.record["card"][0] == 2)
        assert fault["count"] == kings > 10 and not plain["faults"]
        assert plain["mean_length"] == pytest.approx(found["mean_length"], abs=0.5)


@compiled
def test_the_report_shows_the_game(crowned: str, tmp_path: Path) -> None:
    found, _ = run_stress(Settings("kuhn", crowned, budget="quick"), tmp_path / "out", jobs=1)
    assert found.verdict and found.verdict.word == "broken"
    (fault,) = [fault for fault in found.faults if fault.where == EVERYBODY]
    assert fault.text.endswith(TOLD) and fault.games and 0.25 < fault.count / fault.games < 0.42
    assert fault.replay and (tmp_path / "out" / "replays" / fault.replay).is_file()
    german = words("de")
    assert german(fault.text).endswith("payoff_shift ist 1,0, während Auszahlungen berechnet wurden")
    assert not german.missed


@pytest.mark.parametrize(("fails", "kept"), [(99, (5, None)), (5, (4, 14)), (3, (2, 12)), (1, (0, 10)), (0, None)])
def test_a_game_is_kept_as_far_as_its_rules_carry(fails: int, kept: tuple[int, int | None] | None) -> None:
    """Of five decisions, where rules fail from so many on: what is kept, and the decision after it."""
    decisions = [[0, 10 + i] for i in range(5)]

    def keep(some: Sequence[Sequence[int]], final: Sequence[int]) -> dict[str, Any]:
        if len(some) >= fails:
            raise ProbespielError("so")
        return {"replay": "x.json", "moves": [], "kept": (len(some), final[1] if final else None)}

    found = as_far_as_kept(keep, decisions)
    assert found.get("kept") == kept and found["length"] == min(fails, 5)
    assert (found["replay"] is None) == (kept is None)
    assert as_far_as_kept(keep, [])["length"] == 0


@compiled
def test_a_campaign_in_which_too_much_is_paid_early_is_kept(tmp_path: Path) -> None:
    """What is paid so far is told after every conflict: the replay ends before the second loan of a seat, not later."""
    path = tmp_path / "loan.py"
    path.write_text(LOAN)
    lab = open_lab(Settings("einblatt-campaign", str(path), budget="quick"), tmp_path)
    where = lab.bench.holder_conditions()[EVERYBODY]
    (fault,) = breakage.search(lab, where, 6, 3)["faults"]
    out = breakage.again(lab, where, fault["game"], 6, 3, fault["length"], "replays/1.json")
    assert out["length"] < fault["length"] and out["final"]["what"] == "take a loan"
    loans = [move["who"] for move in out["moves"] if move["what"] == "take a loan"]
    assert loans.count(out["final"]["who"]) == 1 and (tmp_path / "replays" / "1.json").is_file()
