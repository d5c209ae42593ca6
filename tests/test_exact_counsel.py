"""What a coach says, by hand: whose reply is expected after an action, and whom it asks about that."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.intervals import NORMAL, unseen
from probespiel.agents.perfect_information import TooLarge
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


# What is best


def counsel(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, Any], exact: dict[int, float] | None = None, dice: int = 0
) -> advice.Counsel:
    """What an adviser tells of a search with these numbers of actions 0 to 5, of which 5 is illegal.

    To deal what seat 1 does not know a die of so many faces would be thrown first; 0: nothing is hidden from it.
    """
    whole = SimpleNamespace(**{name: np.array(x) if isinstance(x, list) else x for name, x in found.items()})
    asked: list[str] = []
    monkeypatch.setattr(
        advice, "make_agent", lambda name: asked.append(name) or SimpleNamespace(prepare=lambda _: None)
    )
    monkeypatch.setattr(advice, "analysed", lambda agent, view: whole)
    monkeypatch.setattr(advice, "counted_out", lambda game, view: exact)
    monkeypatch.setattr(advice, "Judge", lambda game: SimpleNamespace(of=lambda view: None, too_much=False))
    monkeypatch.setattr(advice, "engine_in", lambda game: "search")
    monkeypatch.setattr(advice, "lineup_of", lambda game: SimpleNamespace(foreseen=None))
    game = cast(Any, SimpleNamespace(spec=SimpleNamespace(bounds_of_seats=((-90.0, 90.0), (-2.0, 3.0)))))
    adviser = advice.Adviser(sims=70)
    world = SimpleNamespace(forget=lambda seat: SimpleNamespace(die=lambda: dice if seat == 1 else -1))
    view = cast(Any, SimpleNamespace(legal=(0, 1, 2, 3, 4), seat=1, world=lambda: world))
    told = adviser.best(game, view)
    adviser.best(game, view)
    assert asked == ["search:sims=70"], "made once"
    return told


def of(told: advice.Counsel) -> list[tuple[Any, ...]]:
    return [(a.action, a.value, pytest.approx(a.error), a.share, a.exact) for a in told.best]


VISITS = [40.0, 20.0, 0.0, 30.0, 10.0, 0.0]


def test_behind_the_answer_stands_what_is_surely_worth_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares are those of visits. Action 4 seems better than 1, but by luck of few tries: 1 and 3 are told."""
    share = [x / 100 for x in VISITS]
    found = {"action": 0, "simulations": 100, "visits": VISITS, "values": [0.5, 0.3, 9.0, 0.1, 0.4, 9.0],
             "errors": [0.1, 0.05, 0.0, 0.01, 0.3, 0.0], "strategy": share,
             "chances": [1.0] + [0.0] * 5}  # fmt: skip
    told = counsel(monkeypatch, found)
    assert of(told) == [(0, 0.5, NORMAL * 0.1, 0.4, False), (1, 0.3, NORMAL * 0.05, 0.2, False),
                        (3, 0.1, NORMAL * 0.01, 0.3, False)]  # fmt: skip
    assert (told.simulations, told.untried, told.mixed, told.blind) == (100, (2,), False, False)
    assert counsel(monkeypatch, found, dice=6).blind, "what is hidden was dealt as chance does"
    found["errors"] = [0.1, 0.05, 0.0, 0.01, 0.1, 0.0]
    assert [a.action for a in counsel(monkeypatch, found).best] == [0, 4, 1], "now it is surely worth more than 3"


def test_of_a_mixed_answer_the_likeliest_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among equally likely ones the better; an error of nothing is that of what was never seen, in all the range."""
    found = {"action": 3, "simulations": 100, "visits": [40.0, 20.0, 0.0, 1.0, 10.0, 0.0],
             "values": [0.5, 0.3, 9.0, 0.1, 0.4, 9.0], "errors": [0.0, 0.05, 0.0, 0.0, 0.3, 0.0],
             "strategy": [0.4, 0.1, 0.0, 0.3, 0.2, 0.0], "chances": [0.2, 0.1, 0.0, 0.5, 0.2, 0.0]}  # fmt: skip
    told = counsel(monkeypatch, found)
    assert of(told) == [(3, 0.1, 5.0, 0.5, False), (0, 0.5, 5.0 * unseen(40.0), 0.2, False),
                        (4, 0.4, NORMAL * 0.3, 0.2, False)]  # fmt: skip
    assert told.mixed and told.untried == (2,)


def test_a_search_of_nothing_tells_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = [0.0] * 6
    found = {"action": 4, "simulations": 0, "visits": zeros, "values": zeros, "errors": zeros, "strategy": zeros,
             "chances": zeros}  # fmt: skip
    told = counsel(monkeypatch, found)
    assert of(told) == [(4, 0.5, 2.5, 0.0, False)], "it may be worth whatever there is to get"
    assert told.untried == (0, 1, 2, 3)


def test_what_is_counted_out_stands_by_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 and 3 are equal but for rounding: first comes what the search plays oftener, then what it tried oftener."""
    found = {"action": 0, "simulations": 100, "visits": VISITS, "values": [0.5] * 6, "errors": [0.1] * 6,
             "strategy": [0.1, 0.3, 0.3, 0.6, 0.0, 0.0]}  # fmt: skip
    exact = {0: 0.25, 1: 0.75, 2: 0.75, 3: 0.75 - 1e-12, 4: -1.0}
    told = counsel(monkeypatch, found, exact)
    assert of(told) == [(3, exact[3], 0.0, 1.0, True), (1, 0.75, 0.0, 0.0, True), (2, 0.75, 0.0, 0.0, True)]
    assert (told.simulations, told.untried, told.mixed) == (100, (), False)


@pytest.mark.parametrize(("counted", "legal", "large", "found"), [
    (True, (1, 2), False, {1: 1.5, 2: 2.5}), (False, (1, 2), False, None), (None, (1, 2), False, None),
    (True, (1,), False, None), (True, (1, 2), True, None),
])  # fmt: skip
def test_positions_are_counted_out_where_the_game_says_so(
    monkeypatch: pytest.MonkeyPatch, counted: bool | None, legal: tuple[int, ...], large: bool, found: Any
) -> None:
    """Of a copy for each action, for the seat that asks; not of a single one, nor where that is too much."""
    taken: list[Any] = []

    def value(after: Any, nodes: int, seat: int) -> float:
        assert nodes == advice.NODES
        if large and taken[-1][1] == 2:
            raise TooLarge
        return taken[-1][1] + 0.5

    world = SimpleNamespace(clone=lambda: SimpleNamespace(apply=lambda seat, action: taken.append((seat, action))))
    game = cast(Any, "game")
    monkeypatch.setattr(advice, "position_value", value)
    monkeypatch.setattr(advice, "lineup_of", lambda _: SimpleNamespace(
        counted=None if counted is None else lambda of_game: counted and of_game == game))  # fmt: skip
    view = cast(Any, SimpleNamespace(legal=legal, seat=6, world=lambda: world))
    assert advice.counted_out(game, view) == found
    assert taken == ([(6, 1), (6, 2)] if counted and len(legal) > 1 else [])
