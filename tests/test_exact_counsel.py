"""What a coach says, by hand: whose reply is expected after an action, and whom it asks about that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.app.session import advice, reply
from probespiel.app.session.advice import Adviser
from probespiel.app.session.reply import Reply, reply_to


class World:
    """A game of turns: after the action of seat 0 these seats are to act, one after the other, with so many actions."""

    def __init__(self, turns: list[tuple[tuple[int, ...], int]], first: tuple[int, ...] = (0,)) -> None:
        self.turns, self.now, self.applied, self.rolls = turns, [(first, 2), *turns], [], 0

    @property
    def over(self) -> bool:
        return not self.now

    def roll(self, dice: Any) -> None:
        self.rolls += 1

    def to_act(self) -> tuple[int, ...]:
        return self.now[0][0] if self.now else ()

    def legal(self, seat: int) -> list[int]:
        return [10 * seat + a for a in range(self.now[0][1])]

    def apply(self, seat: int, action: int) -> None:
        self.applied.append((seat, action))
        self.now.pop(0)


def told(monkeypatch: pytest.MonkeyPatch, worlds: list[World], answers: list[int]) -> Reply | None:
    """The reply that is expected in these worlds, one a deal, where the agent answers so."""
    given, said = iter(worlds), iter(answers)
    seeds: list[Any] = []
    monkeypatch.setattr(reply, "rng_array", lambda *given: seeds.append(given))
    monkeypatch.setattr(reply, "View", SimpleNamespace(of=lambda world, seat, seed, table_seed: (seat, table_seed)))
    speech = SimpleNamespace(text=lambda action, lang: f"{action} in {lang}")
    monkeypatch.setattr(reply, "Speech", lambda game, world, seat: speech)
    view: Any = SimpleNamespace(seat=0, seed=9, world=lambda: next(given))
    found = reply_to(cast(Any, "game"), view, 3, cast(Any, SimpleNamespace(act=lambda seen: next(said))))
    assert seeds == [(9, "reply", deal) for deal in range(reply.DEALS)]
    return found


def test_the_likeliest_next_decision_of_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of eight deals four say 11; what is forced in between is done."""
    worlds = [World([((1,), 1), ((2,), 1), ((1,), 2)]) for _ in range(8)]
    found = told(monkeypatch, worlds, [11, 10, 11, 12, 11, 13, 11, 14])
    en, de = reply.LANGUAGES[:2]
    assert found == Reply(1, (f"11 in {en}", f"11 in {de}"), 4, 8)
    assert worlds[0].applied == [(0, 3), (1, 10), (2, 20)] and worlds[0].rolls == 4
    game: Any = SimpleNamespace(seats=[None, SimpleNamespace(called=lambda lang: f"Eve ({lang})")])
    assert found is not None
    assert found.told(game, "en") == f"Expected next: Eve (en): 11 in {en} (in 4 of 8 cases tried)."
    assert found.told(game, "de").startswith(f"Danach zu erwarten: Eve (de): 11 in {de} (in 4 von 8 ")


def test_what_is_done_in_less_than_half_of_all_deals_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = [World([((1,), 2)]) for _ in range(8)]
    assert told(monkeypatch, worlds, [11, 10, 11, 12, 11, 13, 15, 14]) is None


@pytest.mark.parametrize("world", [
    ([((0,), 2)], (0,)),  # the seat itself goes on
    ([((1,), 1), ((0, 1), 2)], (0,)),  # it acts among others
    ([], (0,)),  # the game is over
    ([((1,), 1)], (0,)),  # over after what is forced
    ([((1,), 2)], (0, 1)),  # others choose at the same time
    ([((1,), 1)] * 25, (0,)),  # too much is forced
])  # fmt: skip
def test_where_nobody_else_decides_nothing_is_told(monkeypatch: pytest.MonkeyPatch, world: Any) -> None:
    worlds = [World(list(world[0]), world[1]) for _ in range(8)]
    assert told(monkeypatch, worlds, []) is None
    assert len(worlds[0].applied) <= 1 + 20


def test_a_coach_asks_one_agent_about_others_and_releases_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def make(name: str) -> Any:
        agent = SimpleNamespace(name=name, games=[], closed=0)
        agent.prepare = agent.games.append
        agent.close = lambda: setattr(agent, "closed", agent.closed + 1)
        made.append(agent)
        return agent

    monkeypatch.setattr(advice, "make_agent", make)
    monkeypatch.setattr(advice, "reply_to", lambda game, view, action, agent: (game, view, action, agent.name))
    coach = Adviser(0.1)
    for action in (3, 4):
        assert cast(Any, coach.reply(cast(Any, "game"), cast(Any, "view"), action)) == (
            "game", "view", action, advice.AGENT,
        )  # fmt: skip
    assert len(made) == 1 and made[0].games == ["game"]
    coach.close()
    assert made[0].closed == 1
    Adviser(0.1).close()
