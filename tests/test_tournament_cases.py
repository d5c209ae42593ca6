"""Small cases of tournaments by hand: where games lie, who is given up, what is played again, what bounds hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.entrants import Entrant, entrant_of
from probespiel.agents.match import Outcome
from probespiel.agents.outside import TERMS
from probespiel.agents.registry import parse_agent
from probespiel.envs.core.engine import Local
from probespiel.envs.core.registry import make_game
from probespiel.evaluation.tournament import playing
from probespiel.evaluation.tournament.examples import examples
from probespiel.evaluation.tournament.files import BlockNotes, read_notes, write_notes
from probespiel.evaluation.tournament.plan import BLOCKS, Plan, TournamentError
from probespiel.evaluation.tournament.playing import OPENING, Crew, Order
from probespiel.evaluation.tournament.progress import Silent
from probespiel.evaluation.tournament.results import part_path
from probespiel.evaluation.tournament.summary import Example, Wish
from tests.test_watching import rows_of

BOT = f"{Path(__file__).parent / 'bots.py'}:Good"


def plan_of(agents: Sequence[str], games: int) -> Plan:
    """A plan for Kuhn poker, of which nothing is compiled."""
    game = make_game("kuhn", compiled=False)
    return Plan.of(game, [entrant_of(name, game) for name in agents], games, 7, None, TERMS)


def crew(plan: Plan, folder: Path) -> Crew:
    """One process that plays a plan; without agents, since the tests play by themselves."""
    nobody: Any = None
    return Crew(plan, nobody, nobody, Local(1), folder, Silent())


@pytest.mark.parametrize("games", [2, 38, 40, 42, 99, 100])
def test_the_place_of_every_game(games: int) -> None:
    """Every number that a block gives to its games leads back to that block and pairing; all numbers are given once."""
    plan = plan_of(("random", "card_only", "search:sims=2"), games)
    numbers: list[int] = []
    for block in range(plan.blocks):
        about = plan.block(block)[1]
        for number, pairing in zip(about["game"].tolist(), about["pairing"].tolist(), strict=True):
            assert plan.place_of(number) == (block, pairing)
            numbers.append(number)
    assert sorted(numbers) == list(range(plan.games)) and plan.games == 3 * 2 * -(-games // 2)
    assert plan.blocks <= BLOCKS
    for wrong in (-1, plan.games):
        with pytest.raises(TournamentError, match=f"game {wrong} is not allowed: 0 to {plan.games - 1}"):
            plan.place_of(wrong)


@pytest.mark.parametrize(("zero_sum", "may_forfeit", "loadout", "bounds"), [
    (False, False, "", (-1.0, 2.0)),  # seats with 0 to 1 and -2 to 3, each half of the time
    (True, False, "", (-0.5, 0.5)),  # -1 to 0 is what the second seat has if the first gets 0 to 1
    (False, True, "", (-2.0, 3.0)),
    (True, True, "", (-2.0, 3.0)),
    (False, False, "plate", (-9.0, 9.0)),
    (True, True, "plate", (-9.0, 9.0)),
])  # fmt: skip
def test_between_what_the_mean_of_a_deal_lies(
    zero_sum: bool, may_forfeit: bool, loadout: str, bounds: tuple[float, float]
) -> None:
    """The bounds of the seats; of a game with loadouts nothing is known but the range of all payoffs."""
    plan = plan_of(("random", "card_only"), 10)
    plan = dataclasses.replace(plan, entrants=(plan.entrants[0], Entrant(parse_agent("random"), loadout)))
    spec = SimpleNamespace(payoff_range=(-9.0, 9.0), bounds_of_seats=((0.0, 1.0), (-2.0, 3.0)), zero_sum=zero_sum)
    match: Any = SimpleNamespace(game=SimpleNamespace(spec=spec), may_forfeit=may_forfeit)
    assert plan.earnings(match) == bounds


class Table:
    """Plays blocks in the place of a process: keeps the orders, and writes empty files."""

    def __init__(self, stopped: Sequence[Sequence[int]] = ()) -> None:
        self.stopped, self.orders = stopped, []

    def __call__(self, plan: Plan, match: Any, block: int, orders: Any, folder: Path) -> int:
        self.orders.append((block, orders.playing, orders.absent))
        if block < len(self.stopped):
            write_notes(folder, block, BlockNotes(tuple(self.stopped[block]), ()))
        part_path(folder, block).touch()
        return block


@pytest.mark.parametrize(("stopped", "absent"), [
    ([[1], [1], [1], [1]], (1,)),
    ([[0, 1], [1], [1, 2], [1]], (1,)),
    ([[1], [], [], []], ()),
    ([[1], [1], [1], []], ()),
    ([[], [1], [1], [1]], ()),
    ([[0, 1], [0, 1], [1, 0], [0, 1]], (0, 1)),
])  # fmt: skip
def test_who_is_given_up(
    stopped: list[list[int]], absent: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was not asked any more in each of the first four blocks, and only for the blocks behind them."""
    monkeypatch.setattr(playing, "_play_block", table := Table(stopped))
    plan = plan_of(("random", "card_only", BOT), 40)
    assert plan.outside and plan.blocks == 20 and OPENING == 4
    assert list(crew(plan, tmp_path).play(range(6), list(range(6)))) == [plan.games_of(0)] * 6
    assert table.orders == [(b, None, () if b < 4 else absent) for b in range(6)]


@pytest.mark.parametrize("among", [None, (0, 2)])
def test_what_was_removed_is_played_again_in_the_same_way(
    among: tuple[int, ...] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the pairings that play, without who is given up, blocks of an earlier run too; nothing else is."""
    monkeypatch.setattr(playing, "_play_block", table := Table([[2]] * 4))
    plan = plan_of(("random", "card_only", BOT), 40)
    for block in range(4):
        table(plan, None, block, playing._Orders([block], among), tmp_path)
    table.orders.clear()
    played = []
    for games in crew(plan, tmp_path).play(range(8), [4, 5, 6, 7], among):
        played.append(games)
        if len(played) == 3:
            for block in (1, 5):
                part_path(tmp_path, block).unlink()
    assert played == [plan.games_of(4, among)] * 4
    assert table.orders == [
        *((b, among, (2,)) for b in (4, 5, 6, 7)), (1, among, ()), (5, among, (2,)),
    ]  # fmt: skip
    assert all(part_path(tmp_path, block).is_file() for block in range(8))


def test_who_is_absent_stays_so_in_the_notes() -> None:
    """Who forfeits without being asked has stopped, as who stops in the block itself."""
    plan = plan_of(("random", "card_only", "search:sims=2"), 40)
    asked = []

    def play(schedule: Any, absent: Any) -> Outcome:
        asked.append(absent)
        n, seats = schedule.seating.shape
        found = Outcome(
            np.zeros((n, seats)), np.zeros((n, seats), dtype=np.int8), np.zeros((n, seats), dtype=np.int32),
            np.zeros((n, seats), dtype=np.int8), np.zeros(n, dtype=np.int8),
        )  # fmt: skip
        found.stopped = (0,)
        return found

    match: Any = SimpleNamespace(play=play)
    for absent, stopped in (((), (0,)), ((2,), (0, 2)), ((0, 1), (0, 1))):
        block = playing._played(plan, match, Order(3, None, absent))
        assert block.notes.stopped == stopped and asked.pop() == absent


@pytest.mark.parametrize(("racing", "wrong", "left"), [
    (False, ("b",), [0, 2, 3, 4]), (True, ("b",), [0]), (False, ("a", "c"), [1, 4]), (True, ("c",), [0, 1, 2]),
    (True, ("d",), [0, 1, 2, 3, 4]), (False, ("d",), [0, 1, 2, 3, 4]),
])  # fmt: skip
def test_blocks_of_workers_that_play_otherwise(
    racing: bool, wrong: tuple[str, ...], left: list[int], tmp_path: Path
) -> None:
    """They are removed with their notes; in a race all that were played after the first of them as well.

    Block 4 was there before: no worker of this run has played it.
    """
    one = crew(plan_of(("random", "card_only"), 40), tmp_path)
    one._players = {3: "c", 1: "b", 0: "a", 2: "a"}
    for block in range(5):
        part_path(tmp_path, block).touch()
        write_notes(tmp_path, block, BlockNotes((1,), ()))
    one._drop(wrong, racing)
    if racing and wrong != ("d",):
        left = [*left, 4]
    assert [block for block in range(5) if part_path(tmp_path, block).is_file()] == left
    assert [block for block in range(5) if not read_notes(tmp_path, block).empty] == left


def test_a_draw_shows_nobody_ahead() -> None:
    """Leads 0, 2, 0, -1, 0: one game shows the first ahead, one the second."""
    table = rows_of({(0, 1): [0, 2, 0, -1, 0], (0, 2): [0, 0]})
    assert examples(table, [Wish("ahead", 0, 1), Wish("ahead", 1, 0), Wish("ahead", 0, 2), Wish("ahead", 2, 0)]) == (
        Example("ahead", 0, 1, 1, 0, (2.0, -2.0), 1, 5),
        Example("ahead", 1, 0, 3, 0, (1.0, -1.0), 1, 5),
    )
