"""Switching between whole ways to play: what is found of them is what can be worked out, and how long one is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.declaration import Plans, lineup_of
from probespiel.agents.einblatt.outlook import clock
from probespiel.agents.registry import make_agent
from probespiel.agents.switch import Found, SwitchAgent
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.rng import rng_array
from probespiel.envs.oneshot import state as st

JACK, QUEEN, KING = range(3)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def heist() -> Game:
    return make_game("oneshot-mission", "heist", sg=3)


def holding(game: Game, card: int, move: str = "") -> View:
    """What the seat that holds a card sees, whose turn it is: the first, or after a move of the first the second."""
    position = game.position()
    seat = int(bool(move))
    cards = (KING, card) if seat else (card, QUEEN if card != QUEEN else KING)
    for number, wanted in enumerate(cards):
        position.fall([c for c in range(3) if c not in cards[:number]].index(wanted))
    if move:
        position.apply(0, game.actions.id(move))
    return View.of(position, seat, 1, 2, 3)


@pytest.mark.parametrize(
    ("usual", "other", "card", "move", "more", "deviation"),
    [
        # who bets nothing but a king loses 1 with a jack; a bet makes the queen give up (+1), and the king call (-2)
        ("card_only", "always_bet", JACK, "", 0.5 * (1 - 2) + 1, 1.5),
        # with a queen it wins as much from a jack, and loses 1 more to a king
        ("card_only", "always_bet", QUEEN, "", 0.5 * (1 - 2) - 0.5 * (1 - 1), 0.5),
        ("card_only", "always_bet", KING, "", 0.0, 0.0),
        # after a bet of whoever bets anything the queen meets jack and king alike; to give up costs 1
        ("card_only", "always_bet", QUEEN, "bet", 0.5 * (2 - 2) + 1, 2.0),
        # to pass is no use to who calls the bet that follows, as usual
        ("always_bet", "card_only", JACK, "", 0.0, 0.0),
    ],
)
def test_what_a_way_earns_beyond_the_usual_one(
    kuhn: Game, usual: str, other: str, card: int, move: str, more: float, deviation: float
) -> None:
    agent = SwitchAgent(sims=8000, usual=usual, among=f"{other}+{usual}", margin=3.0)
    view = holding(kuhn, card, move)
    found = agent.compare(view)
    assert found.names == (usual, other)
    assert found.rounds.tolist() == [4000, 4000] and found.more[0] == found.errors[0] == 0.0
    assert found.more[1] == pytest.approx(more, abs=4 * found.errors[1] + 1e-12)
    assert found.errors[1] == pytest.approx(deviation / np.sqrt(4000), rel=0.05)
    assert found.chosen == (more > 0)
    like = make_agent(other if more > 0 else usual)
    like.prepare(kuhn)
    assert agent.act(view) == like.act(view)


def test_who_is_not_better_by_the_margin_is_not_followed(kuhn: Game) -> None:
    view = holding(kuhn, JACK)
    for margin, chosen in ((3.0, 1), (1000.0, 0)):
        agent = SwitchAgent(sims=4000, usual="card_only", among="always_bet", margin=margin)
        assert agent.compare(view).chosen == chosen


def test_halving_gives_the_better_ways_more_games(kuhn: Game) -> None:
    """Of four ways the worst of the others go first; the usual one stays to be compared with."""
    agent = SwitchAgent(sims=1200, usual="card_only", among="honest+bluffer+always_bet", margin=0.0)
    found = agent.compare(holding(kuhn, JACK))
    assert found.names == ("card_only", "honest", "bluffer", "always_bet")
    assert sorted(found.rounds.tolist()) == [150, 150, 450, 450]
    assert found.rounds[0] == 450 and found.chosen in (2, 3)  # the bluffer bets a jack now and then


def test_the_same_decision_has_the_same_answer(kuhn: Game) -> None:
    """By its seed; hands that the seat cannot tell apart are one decision."""
    answers = []
    for other in (0, 1):
        position = kuhn.position()
        position.fall(JACK)
        position.fall(other)
        agent = make_agent("switch:sims=6,usual=card_only,among=always_bet,margin=0")
        answers.append([agent.act(View.of(position, 0, 1, table)) for table in range(40)])
    assert answers[0] == answers[1] and len(set(answers[0])) == 2


def test_a_stretch_is_played_alike_and_the_rest_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """One conflict is one stretch: as much more as in games played by hand, in which one seat alone plays otherwise."""
    plans = Plans("lowest_first", ("highest_first",), clock)  # it counts conflicts
    monkeypatch.setattr("probespiel.agents.switch.lineup_of", lambda game: replace(lineup_of(game), plans=plans))
    game = make_game("einblatt-duel")
    usual, other = make_agent("lowest_first"), make_agent("highest_first")
    agent = SwitchAgent(sims=4000)
    for one in (agent, usual, other):
        one.prepare(game)
    position = game.position(3)
    position.roll(rng_array(3))
    view = View.of(position, 0, 1, 2, 3)
    found = agent.compare(view)
    assert found.names == ("lowest_first", "highest_first")
    mores = []
    for deal in range(800):
        earned = []
        for mine in (usual, other):
            at = Position(game, data=view.requests.reseeded(deal).deals()[0].view(game.state_dtype))
            for step in range(200):
                for seat in at.to_act():
                    at.apply(seat, (mine if seat == 0 else usual).act(View.of(at, seat, 1, deal, step)))
                at.roll(rng_array(deal, step))
            earned.append(at.returns()[0])
        mores.append(earned[1] - earned[0])
    error = np.hypot(found.errors[1], np.std(mores) / 800**0.5)
    assert found.more[1] == pytest.approx(np.mean(mores), abs=4 * error)
    assert abs(np.mean(mores)) > 8 * error


def test_a_new_game_begins_anew(heist: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def compare(self: SwitchAgent, view: View) -> Found:
        asked.append(view.seat)
        return Found(("expedition",), 0, *np.zeros((3, 1)))

    monkeypatch.setattr(SwitchAgent, "compare", compare)
    agent = SwitchAgent()
    agent.prepare(heist)
    seat, position = next(
        (seat, at) for seat, at in walked(heist, [agent] * heist.n_seats, 1) if at.record.node == st.Phase.TURN
    )
    asked.clear()
    view = View.of(position, seat, 1, 2, 3)
    for games in (1, 2):
        agent.reset(0)
        for _ in range(3):
            agent.act(view)
        assert len(asked) == games


def walked(game: Game, agents: list[SwitchAgent], seed: int) -> list[tuple[int, Position]]:
    """A mission; the decisions that are more than a single action, each as (seat, the position before it)."""
    position, out = game.position(seed), []
    for step in range(4000):
        position.roll(rng_array(seed, step))
        if position.over:
            return out
        for seat in position.to_act():
            if len(position.legal(seat)) > 1:
                out.append((seat, position.clone()))
            position.apply(seat, agents[seat].act(View.of(position, seat, 1, seed, step)))
    raise AssertionError("it does not end")


def test_a_way_is_kept_for_a_fight(heist: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hero chooses once in a fight, once beside it in a room, never on the way; and does as the way that it chose."""
    asked: list[tuple[int, int, int, int]] = []

    def compare(self: SwitchAgent, view: View) -> Found:
        record = view.requests.deals().view(heist.state_dtype)[0]
        asked.append((seed, view.seat, int(record["entered"][0]), int(record["mode"][0]) == st.Mode.FIGHT))
        assert record["node"][0] != st.Phase.EXPLORE
        names = ("expedition", "stalker")
        return Found(names, 1, np.zeros(2), np.zeros(2), np.zeros(2))

    monkeypatch.setattr(SwitchAgent, "compare", compare)
    agents = [SwitchAgent(among="stalker") for _ in range(heist.n_seats)]
    usual, stalker = make_agent("expedition"), make_agent("stalker")
    for agent in (*agents, usual, stalker):
        agent.prepare(heist)
    different, chosen = 0, list[tuple[int, int, int, int]]()
    for seed in range(12):
        for agent in agents:
            agent.reset(0)
        asked.clear()
        decided = walked(heist, agents, seed)
        chosen += asked
        for seat, position in decided:
            view, like = View.of(position, seat, 1, seed, 0), stalker
            if position.record.node == st.Phase.EXPLORE:
                like = usual
            for agent in agents:
                agent._here = None
            answers = [agent.act(view) for agent in (agents[seat], like)]
            assert answers[0] == answers[1]
            different += like is stalker and usual.act(view) != stalker.act(view)
    assert len(chosen) == len(set(chosen)) > 20
    fights = {one[:3] for one in chosen if one[3]}
    assert fights & {one[:3] for one in chosen if not one[3]}, "in some rooms it chooses before a fight and in it"
    assert different > 20, "else it does not matter whom it follows"


def test_of_a_game_that_names_no_ways_all_heuristics_are_tried(kuhn: Game) -> None:
    agent = SwitchAgent(sims=40)
    agent.prepare(kuhn)
    assert agent.compare(holding(kuhn, JACK)).names == ("random", "honest", "bluffer", "card_only", "always_bet")


def test_the_usual_way_of_a_melee_is_another_in_teams() -> None:
    for scenario, usual in (("tug_of_war", "lowest_first"), ("free_for_all", "highest_first")):
        game = make_game("einblatt-melee", scenario)
        agent = SwitchAgent(sims=8)
        agent.prepare(game)
        position = game.position(1)
        position.roll(rng_array(1))
        found = agent.compare(View.of(position, position.to_act()[0]))
        assert found.names[0] == usual and len(found.names) == 6


def test_errors_say_what_is_allowed(kuhn: Game) -> None:
    for text, told in (
        ("switch:among=nobody", "baseline 'nobody' does not play kuhn: "),
        ("switch:usual=nobody", "baseline 'nobody' does not play kuhn: "),
        ("switch:sims=0", "sims = '?0'? is not allowed"),
        ("switch:horizon=2", "kuhn has no outlook"),
    ):
        with pytest.raises(AgentError, match=told):
            make_agent(text).prepare(kuhn)
