"""What a session shows, in cases worked out by hand: how a run stands, what a decision lost, what a seat sees."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.app.session import review
from probespiel.app.session.afterwards import tells_after
from probespiel.app.session.course import PERSON, Course, _known, _replay_of
from probespiel.app.session.seen import seen_of
from probespiel.app.session.solo import Host, Notes, Score, SoloRun
from probespiel.app.session.standing import Due, Pick, Standing, standing
from probespiel.app.session.table import Table
from probespiel.envs.core.abi import STOPPED
from probespiel.envs.core.errors import ReplayError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import STATUS, Choice, Die, Replay


def course(host: Host) -> Score:
    """Two choices of which one is none, a game, and a choice of three."""
    host.tell("first")
    bold = host.pick("how?", ["carefully", "boldly"])
    host.pick("sure?", ["yes"])
    found = host.game(lambda: make_game("kuhn", compiled=False).spec, lambda _: {}, 5, lambda _: {})
    host.tell("then")
    return Score(found["paid"] + bold + host.pick("what now?", ["on", "back", "out"]), "over")


def test_how_a_run_stands_after_every_answer(tmp_path: Path) -> None:
    """What was told and picked, what is due, and whether it can be taken back; a game ends what was picked."""
    run, notes = SoloRun(("a run", "ein Lauf"), course), Notes.begin("kuhn", {}, 1, "en", tmp_path)
    path = notes.path
    notes.close()

    def after(kind: str = "", value: Any = None) -> Standing:
        if kind:
            more = Notes.go_on(path)
            more.add(kind, value)
            more.close()
        return standing(path, run, "en")

    found = after()
    assert found.next == Pick("how?", ("carefully", "boldly")) and (found.before, found.since) == ((), ("first",))
    assert not found.picked and not found.can_take_back and found.answers == 0
    found = after("pick", 1)
    assert isinstance(found.next, Due) and found.next.seed == 5 and found.next.name is None
    assert found.picked == (("how?", "boldly"),) and found.can_take_back, "a choice of one is none"
    found = after("game", "x.json")
    assert isinstance(found.next, Due) and found.next.name == "x.json" and not found.can_take_back
    found = after("outcome", {"paid": 3.0})
    assert found.next == Pick("what now?", ("on", "back", "out")) and found.picked == ()
    assert found.since == ("then",) and found.before == ("first",)
    found = after("pick", 2)
    assert found.next == Score(6.0, "over") and found.picked == (("what now?", "out"),)


def kings() -> Course:
    """A game of Kuhn poker: the king passes, the queen bets, the king gives up."""
    game = make_game("kuhn", compiled=False)
    position, steps = game.position(), list[Die | Choice]()
    for fell in (2, 1):
        steps.append(Die(position.die(), fell))
        position.fall(fell)
    for code in ("pass", "bet", "pass"):
        seat, action = position.to_act()[0], game.actions.parse(code)
        steps.append(Choice(seat, action))
        position.apply(seat, action)
    payoffs = tuple(position.returns().tolist())
    return Course(Replay(game, tuple(steps), STATUS[position.status], payoffs, None, {}))


@pytest.mark.parametrize(("visits", "lost", "error"), [
    ((10, 10), 2.0, 1.96 * 0.5),  # the errors are 0.3 and 0.4 of independent values
    ((0, 10), None, None),  # what was not tried has no value, whatever stands there
    ((10, 0), 0.0, 0.0),  # nothing else was tried
])  # fmt: skip
def test_what_a_decision_lost(visits: tuple[int, int], lost: float | None, error: float | None) -> None:
    played = kings()
    game = played.game
    number = len(played) - 1  # the last decision: to give up
    taken, other = game.actions.parse("pass"), game.actions.parse("bet")
    values, errors, share, tried = (np.zeros(len(game.actions.codes)) for _ in range(4))
    values[[taken, other]], errors[[taken, other]] = (-1.0, 1.0), (0.3, 0.4)
    share[other], tried[[taken, other]] = 1.0, visits
    result = SimpleNamespace(values=values, errors=errors, strategy=share, chances=share, visits=tried, action=other)
    search: Any = SimpleNamespace(analyse=lambda view: result)
    found = review._judge(played, number, search, 1)
    assert found.action == taken and found.best == (other if visits[1] else taken)
    assert found.lost == lost and found.error == (None if error is None else pytest.approx(error))
    assert found.sure == (lost == 2.0)
    by_action = {one.action: one.value for one in found.options}
    assert by_action == {taken: -1.0 if visits[0] else None, other: 1.0 if visits[1] else None}


def test_a_wrong_step_of_a_journal_is_told_by_its_number() -> None:
    """Counted from one, dice included: the third is the first decision."""
    game = make_game("kuhn", compiled=False)
    right: list[object] = [{"die": 3, "fell": 2}, {"die": 2, "fell": 1}, {"seat": "first", "action": "pass"}]
    assert len(_replay_of(game, right, {}, 1).steps) == 3
    with pytest.raises(ReplayError, match=r"^step 1\b"):
        _replay_of(game, [{"die": 3, "fell": 7}], {}, 1)
    with pytest.raises(ReplayError, match=r"^step 3\b"):
        _replay_of(game, [*right[:2], {"seat": "second", "action": "pass"}], {}, 1)


def test_an_option_is_found_by_its_number() -> None:
    seen = Table(make_game("kuhn", compiled=False), {0: "human", 1: "human"}, 1).seen(0)
    assert len(seen.choices) == 2
    for option in seen.choices:
        assert seen.option(option.id) is option
    assert seen.option(99) is None


def test_a_game_that_was_stopped_is_won_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The king passes, the queen bets and wins, since the king gives up; or it was stopped there, and is undecided."""
    begun = seen_of(make_game("kuhn", compiled=False).position(), 0, "en")
    assert (begun.over, begun.verdict, begun.result) == (False, "", ())
    position = kings().positions[-1]
    ended = [seen_of(position, seat, "en") for seat in (0, 1)]
    assert [(seen.over, seen.stopped, seen.verdict) for seen in ended] == [(True, False, "lost"), (True, False, "won")]
    monkeypatch.setattr(type(position), "status", property(lambda self: STOPPED))
    for seat in (0, 1):
        seen = seen_of(position, seat, "en")
        assert (seen.over, seen.stopped, seen.verdict) == (True, True, "")


def test_only_a_game_that_was_stopped_says_what_stops() -> None:
    """A rule module at the table is no reason to say so of a game that has ended by itself."""
    game: Game = make_game("einblatt-duel", modules={"after_card": {}}, compiled=False)
    table = Table(game, {0: "first", 1: "first"}, 3)
    table.advance()
    assert table.over
    seen = table.seen(0)
    assert not seen.stopped and list(seen.result) == list(game.spec.result(table.position, "en")) and seen.verdict


def test_which_systems_tell_something_afterwards() -> None:
    assert [name for name in ("ews_rps", "kuhn") if tells_after(name)] == ["ews_rps"]


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be brought to the disk there")
def test_the_name_of_a_new_journal_is_on_the_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a game that is kept is lost with the power, though every decision was written."""
    synced: list[bool] = []
    sync = os.fsync

    def noted(file: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(file).st_mode))
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    with Table(make_game("kuhn", compiled=False), {0: "human", 1: "human"}, 1) as table:
        table.keep(tmp_path)
        assert table.path is not None and table.path.parent == tmp_path
        assert synced and synced[-1] and not synced[0], "first what it holds, then its name"


def test_a_bot_from_a_file_is_not_asked_to_play_on(tmp_path: Path) -> None:
    """A recording names it, but whoever opens that may not want to run it: it is not even imported."""
    bot, marker = tmp_path / "bot.py", tmp_path / "imported"
    bot.write_text(f"open({str(marker)!r}, 'w').close()\nclass Bot: pass\n")
    assert _known(f"{bot}:Bot", "instead") == "instead" and not marker.exists()
    assert _known("random", "instead") == "random"
    for name in (None, PERSON, f"{PERSON}:Ann", "nobody-of-this-name"):
        assert _known(name, "instead") == "instead"
