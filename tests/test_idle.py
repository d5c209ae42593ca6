"""Where nothing that anybody chooses matters any more nobody is asked, and nothing is lost by that."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from probespiel.agents.public_game import BOOKKEEPING, public_leads
from probespiel.app.session.course import Course
from probespiel.app.session.idle import is_idle
from probespiel.app.session.table import Table
from probespiel.app.terminal.play import Session
from probespiel.app.web.room import PLAYING, Room
from probespiel.envs import make_game
from probespiel.envs.ews_rps.system import SYSTEM as EWS_RPS

PAST = {*BOOKKEEPING, *EWS_RPS.bookkeeping, *EWS_RPS.counted}


@pytest.mark.parametrize("scenario", ["hack", "table_simple", "table_contest", "even_contest"])
def test_nothing_is_changed_by_what_is_drawn(scenario: str) -> None:
    """Wherever nobody is asked every pair of symbols leads to the same; wherever somebody is, one matters somewhere."""
    game, idle, moved = make_game("ews_rps", scenario), 0, 0.0
    for seed in range(6):
        lot, position = random.Random(seed), game.position()
        while not position.over:
            if faces := position.die():
                position.fall(lot.randrange(faces))
                continue
            leads = public_leads(position, PAST, 20_000)
            spread = float(leads.max() - leads.min())
            if is_idle(position):
                idle += 1
                assert spread < 1e-9
            else:
                moved = max(moved, spread)
            for seat in position.to_act():
                position.apply(seat, lot.choice(position.legal(seat)))
    assert idle > 0 and moved > 0.1


def test_where_the_margin_is_paid_or_a_module_looks_somebody_is_asked() -> None:
    for game in (
        make_game("ews_rps", "even_contest", payoff="margin"),
        make_game("ews_rps", "even_contest", {"double_stakes": {}}),
    ):
        lot, position, decided = random.Random(1), game.position(), 0
        while not position.over:
            if faces := position.die():
                position.fall(lot.randrange(faces))
                continue
            decided += int(position.record.decided)
            assert not is_idle(position)
            for seat in position.to_act():
                position.apply(seat, lot.choice(position.legal(seat)))
        assert decided > 0


def evening(seed: int = 5) -> Table:
    """A person in the first seat of some tests, who shows paper against rocks and is asked as often as it matters."""
    return Table(make_game("ews_rps", "even_contest"), {0: "human", 1: "constant"}, seed=seed)


def test_a_table_chooses_for_people_there_and_the_same_again() -> None:
    taken = []
    for _ in range(2):
        table, drawn = evening(), list[int]()
        while not table.over:
            table.advance()
            if not table.waiting():
                continue
            action = table.forced(0)
            assert (action is None) == (not table.idle())
            if action is not None:
                drawn.append(action)
            table.choose(0, 1 if action is None else action)
        taken.append(drawn)
        course = Course(table.replay())
        assert sum(course.to_decide(n) for n in range(len(course))) == len(course) - 2 * len(drawn)
    assert taken[0] == taken[1] and len(set(taken[0])) == 3


def test_nobody_takes_back_what_was_drawn() -> None:
    """The last decision is the last one that was asked for."""
    table = evening()
    while not table.idle():
        table.advance()
        table.choose(0, 1)
        table.advance()
    before, drawn = table.decisions, 0
    while table.idle() and drawn < 3:
        action = table.forced(0)
        assert action is not None
        table.choose(0, action)
        table.advance()
        drawn += 1
    assert drawn and table.undo(0) and table.decisions < before and not table.idle() and table.forced(0) is None


def test_a_room_does_not_ask_and_says_so_until_somebody_is_asked() -> None:
    table = evening()
    room = Room("0" * 16, "ews_rps", "even_contest", ("player", "gm"), table.cast, {0: "x" * 64}, table=table)
    room.start(table)
    told = list[bool]()
    while room.state == PLAYING:
        for seat in table.thinking():
            room.answer(table.version, seat, table.decide(seat))
        if room.state == PLAYING and table.waiting():
            assert not table.idle(), "asked where nothing matters"
            told.append(room.idle)
            room.choose(0, room.stamp(0), len(told) % 2)  # rock draws and ends a test, paper wins it
    assert (True, False) in pairwise(told), "once somebody has been asked it is no news"


def test_the_terminal_says_once_that_it_does_not_ask() -> None:
    """A person who shows paper is asked as often as it matters, and told once a test that it is not asked any more."""
    asked = 0

    def read(prompt: str) -> str:
        nonlocal asked
        asked += 1
        return "paper"

    table, shown = evening(), list[str]()
    Session(table, lang="en", read=read, write=shown.append, width=80).run()
    matters = sum(Course(table.replay()).to_decide(n) for n in range(len(table.replay().steps))) // 2
    assert table.over and asked == matters
    said = [line for line in shown if "Nothing anybody chooses matters here" in line]
    assert 1 <= len(said) <= 20 and len(said) < table.decisions // 4
