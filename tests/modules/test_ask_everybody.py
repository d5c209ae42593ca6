"""A question to all who can have a module: -1, as the parameter that tells who has it may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probespiel.envs import make_game
from probespiel.envs.core.soundness import check_game

VOTE = '''"""Before every {when} all who have it say yes or no at once."""

from typing import Any

from probespiel.envs.core.abi import lowest_bit
from probespiel.envs.{system}.module import ME, Module
from probespiel.envs.{system}.services import allow, ask_all

module = Module("ballot", "All say yes or no.")
ASKED = module.phase("ballot", en="yes or no?", de="ja oder nein?", sealed=True)
AYE = module.action("aye", en="aye", de="jawohl")
NAY = module.action("nay", en="nay", de="keineswegs")
module.state("said", scope="{scope}", doc="1 aye, 2 nay")
module.piece("said", 1, 0, 2, "what was said")


@module.hook
def {when}(s: Any, p: Any, seat: int) -> None:
    if lowest_bit(p.ballot_seats) == seat:
        ask_all(s, ME, ASKED, p.ballot_seats)


@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    allow(words, AYE)
    allow(words, NAY)


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    s.ballot_said[seat] = 1 if action == AYE else 2


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0] = s.ballot_said[seat]
'''


@pytest.mark.parametrize(
    ("game", "system", "when", "scope"),
    [
        ("einblatt-duel", "einblatt", "conflict_start", "conflict"),
        ("einblatt-melee", "einblatt", "conflict_start", "conflict"),
        ("konfrontation-campaign", "konfrontation", "turn_start", "turn"),
        ("scorekeeper-duel", "scorekeeper", "round_start", "round"),
    ],
)
@pytest.mark.parametrize("seats", [None, [1]])
def test_all_who_can_have_it_are_asked(
    tmp_path: Path, game: str, system: str, when: str, scope: str, seats: list[int] | None
) -> None:
    """Nobody else, however many seats the record has room for; a set of seats is asked as it is."""
    file = tmp_path / "ballot.py"
    file.write_text(VOTE.format(system=system, when=when, scope=scope), encoding="utf-8")
    given: dict[str, Any] = {} if seats is None else {"seats": seats}
    played = make_game(game, modules={str(file): given}, compiled=False)
    position = played.position(0)
    while not position.to_act():
        position.roll()
    while position.phase() != "ballot":
        position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
        position.roll()
    assert position.to_act() == (list(range(played.n_seats)) if seats is None else seats)
    assert not check_game(played, 1).problems
