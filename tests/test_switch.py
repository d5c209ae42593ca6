"""Switching between whole ways to play: what is found of them is what can be worked out, and how long one is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from probespiel.agents.base import Agent, AgentError, View
from probespiel.agents.declaration import Plans, lineup_of
from probespiel.agents.einblatt.outlook import clock
from probespiel.agents.registry import make_agent
from probespiel.agents.switch import Found, SwitchAgent
from probespiel.agents.switch_kernel import EARNED, EARNED_SQUARES, ROUNDS, SQUARES, TOTAL
from probespiel.agents.switch_race import FIRST, race
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


def chose(names: tuple[str, ...], chosen: int) -> Found:
    """As if nothing had been found but a way."""
    empty = np.zeros(len(names))
    return Found(names, empty.astype(np.int64), chosen, empty, empty, empty, empty, empty)


@pytest.mark.parametrize(
    ("usual", "other", "card", "move", "more", "deviation"),
    [
        # who bets nothing but a king loses 1 with a jack; a bet makes the queen give up (+1), and the king call (-2)
        ("card_only", "always_bet", JACK, "", 0.5 * (1 - 2) + 1, 1.5),
        # with a queen it wins as much from a jack, and loses 1 more to a king
        ("card_only", "always_bet", QUEEN, "", 0.5 * (1 - 2) - 0.5 * (1 - 1), 0.5),
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


def test_a_single_round_shows_nothing(kuhn: Game) -> None:
    """Its error would be 0, however much chance there is in it."""
    position = kuhn.position()
    position.fall(JACK)
    position.fall(0)
    for sims, followed in ((2, {0}), (4, {0, 1})):
        agent = SwitchAgent(sims=sims, usual="card_only", among="always_bet", margin=0.0)
        assert {agent.compare(View.of(position, 0, 1, table)).chosen for table in range(40)} == followed


def test_ways_that_begin_alike_and_go_on_as_usual_are_one(kuhn: Game) -> None:
    """With a king both bet, so that there is nothing to try; with a queen two of three pass."""
    agent = SwitchAgent(sims=90, usual="card_only", among="always_bet", margin=0.0)
    found = agent.compare(holding(kuhn, KING))
    assert found.names == ("card_only",) and found.rounds.tolist() == [0] and found.chosen == 0
    agent = SwitchAgent(sims=90, usual="card_only", among="always_bet+honest", margin=0.0)
    found = agent.compare(holding(kuhn, QUEEN))
    assert found.names == ("card_only", "always_bet") and found.rounds.tolist() == [45, 45]
    assert [kuhn.actions.codes[action] for action in found.actions] == ["pass", "bet"]


def test_what_every_action_is_worth(kuhn: Game) -> None:
    """Where nobody bets or calls but with a king: a jack loses 1 if it passes, and wins 1 or loses 2 if it bets."""
    agent = SwitchAgent(sims=8000, usual="card_only", among="honest")
    passing, betting = kuhn.actions.id("pass"), kuhn.actions.id("bet")
    result = agent.analyse(holding(kuhn, JACK))
    assert result.simulations == result.visits.sum() == 8000 and result.visits[betting] == 4000
    assert (result.values[passing], result.errors[passing]) == (-1.0, 0.0)
    assert result.errors[betting] == pytest.approx(1.5 / 4000**0.5, rel=0.05)
    assert result.values[betting] == pytest.approx(-0.5, abs=4 * result.errors[betting])
    assert result.action == betting and result.chances[betting] == result.chances.sum() == 1.0
    assert result.strategy[[passing, betting]].tolist() == [0.5, 0.5], "both were tried as often"
    # where everybody bets and calls a king wins 2, even if it passes first
    result = SwitchAgent(sims=40, usual="always_bet", among="card_only").analyse(holding(kuhn, KING))
    assert result.values[[passing, betting]].tolist() == [2.0, 2.0] and not result.errors.any()


def test_a_value_is_that_of_one_seat() -> None:
    """However many are of its side: no more than the game pays."""
    game = make_game("scorekeeper-skirmish", "street_raid")
    agent = SwitchAgent(sims=60)
    agent.prepare(game)
    position = game.position(1)
    position.roll(rng_array(1))
    seat = position.to_act()[0]
    result = agent.analyse(View.of(position, seat))
    assert set(np.flatnonzero(result.visits)) == set(position.legal(seat))
    assert np.abs(result.values).max() <= 1.0 < len(next(seats for _, seats in game.sides if seat in seats))
    assert result.values.min() == -1.0, "by some action all of the side lose every game, and not a part of them"


def test_halving_gives_the_better_ways_more_games() -> None:
    """Of four ways the worst of the others go first; the usual one stays to be compared with."""
    game = make_game("einblatt-melee", "free_for_all")
    agent = SwitchAgent(sims=1200, among="best3_shuffled+lowest_first+turtle", margin=0.0, every=False)
    agent.prepare(game)
    for seed in range(1, 7):
        position = game.position(seed)
        position.roll(rng_array(seed))
        found = agent.compare(View.of(position, position.to_act()[0]))
        assert len(set(found.actions)) == len(found.names) == 4
        assert sorted(found.rounds.tolist()) == [150, 150, 450, 450] and found.rounds[0] == 450
        kept, out = 1 + int(found.rounds[1:].argmax()), np.flatnonzero(found.rounds == 150)
        assert found.chosen == (kept if found.more[kept] > 0 else 0)
        assert (found.more[kept] > found.more[out] - 2 * np.hypot(found.errors[kept], found.errors[out])).all()


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


@pytest.mark.parametrize(
    ("name", "other", "stretch", "deals"),
    [("einblatt-duel", "highest_first", clock, 800), ("einblatt-melee", "highest_first", None, 250)],
)
def test_a_stretch_is_played_alike_and_the_rest_as_usual(
    monkeypatch: pytest.MonkeyPatch, name: str, other: str, stretch: Callable[..., int] | None, deals: int
) -> None:
    """As much more as in games played by hand, in which a side alone plays otherwise: in a duel for the one conflict
    that it has, in teams, without stretches, for one decision of all of them."""
    plans = Plans("lowest_first", (other,), stretch)
    monkeypatch.setattr("probespiel.agents.switch.lineup_of", lambda game: replace(lineup_of(game), plans=plans))
    game = make_game(name)
    like = {None: make_agent("lowest_first"), other: make_agent(other)}
    agent = SwitchAgent(sims=4000)
    for one in (agent, *like.values()):
        one.prepare(game)
    position = game.position(3)
    position.roll(rng_array(3))
    seat = position.to_act()[0]
    side = next(seats for _, seats in game.sides if seat in seats)
    view = View.of(position, seat, 1, 2, 3)
    found = agent.compare(view)
    assert found.names == ("lowest_first", other)
    mores = []
    for deal in range(deals):
        earned = []
        for mine in (None, other):
            at = Position(game, data=view.requests.reseeded(deal).deals()[0].view(game.state_dtype))
            for step in range(200):
                way = mine if step == 0 or stretch else None
                owing = [(one, like[way if one in side else None]) for one in at.to_act()]
                for one, action in [(one, player.act(View.of(at, one, 1, deal, step))) for one, player in owing]:
                    at.apply(one, action)
                at.roll(rng_array(deal, step))
            assert at.over
            earned.append(at.returns()[list(side)].sum())
        mores.append(earned[1] - earned[0])
    error = np.hypot(found.errors[1], np.std(mores) / deals**0.5)
    assert found.more[1] == pytest.approx(np.mean(mores), abs=4 * error)
    if stretch:
        assert abs(np.mean(mores)) > 4 * error


def test_a_new_game_begins_anew(heist: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def compare(self: SwitchAgent, view: View) -> Found:
        asked.append(view.seat)
        return chose(("expedition",), 0)

    monkeypatch.setattr(SwitchAgent, "compare", compare)
    agent = SwitchAgent(every=False)
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
        return chose(("expedition", "stalker"), 1)

    monkeypatch.setattr(SwitchAgent, "compare", compare)
    agents = [SwitchAgent(among="stalker", every=False) for _ in range(heist.n_seats)]
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


def test_where_every_action_is_tried_it_is_chosen_anew_at_every_decision(
    heist: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the moves on the grid only those that a way begins with; where somebody asks what each is worth, all."""
    agent, usual, kept = (
        SwitchAgent(sims=20, among="stalker", every=every, begun="legal") for every in (True, True, False)
    )
    few = SwitchAgent(sims=20, among="stalker")
    for one in (agent, usual, kept, few):
        one.prepare(heist)
    seat, position = next(
        (seat, at)
        for seat, at in walked(heist, [usual] * heist.n_seats, 1)
        if at.record.node == st.Phase.TURN and any(st.Action.MOVE <= a < st.Action.ATTACK for a in at.legal(seat))
    )
    view, asked = View.of(position, seat, 1, 2, 3), list[int]()
    began = {int(make.act(view)) for make in map(ready(heist), ("expedition", "stalker"))}
    moves = {action for action in view.legal if st.Action.MOVE <= action < st.Action.ATTACK}
    found = agent.compare(view)
    assert set(found.actions.tolist()) == set(view.legal) - (moves - began) and len(moves - began) > 3
    assert found.names[0] == "expedition" and "" in found.names
    assert set(agent.compare(view, every=True).actions.tolist()) == set(view.legal)
    assert set(few.compare(view).actions.tolist()) == began
    assert few._planned(heist).ahead.outlook and few._planned(heist).margin == 1.5, "as missions say"
    assert set(few.compare(view, every=True).actions.tolist()) == set(view.legal)

    def compare(self: SwitchAgent, view: View) -> Found:
        asked.append(view.seat)
        return replace(found, chosen=0)

    monkeypatch.setattr(SwitchAgent, "compare", compare)
    for one, times in ((agent, 3), (kept, 1)):
        one.reset(0)
        asked.clear()
        for _ in range(3):
            one.act(view)
        assert len(asked) == times


def racing(
    gains: list[float], games: int | None, seconds: float | None = None, noise: float = 1.0
) -> tuple[tuple[int, float, float], np.ndarray]:
    """A race of ways that earn so much more than the usual one, which wins 0 or 2, and what was found of all."""
    rng, found = np.random.default_rng(5), np.zeros((1 + len(gains), 5))

    def play(kept: np.ndarray, rounds: int, seconds: float | None) -> None:
        usual = rng.integers(2, size=rounds) * 2.0
        for way in kept:
            more = np.zeros(rounds) if way == 0 else gains[way - 1] + noise * rng.standard_normal(rounds)
            sums = (rounds, more.sum(), (more**2).sum(), (usual + more).sum(), ((usual + more) ** 2).sum())
            found[way, [ROUNDS, TOTAL, SQUARES, EARNED, EARNED_SQUARES]] += sums

    return race(play, found, games, seconds), found


def test_a_race_goes_on_with_who_may_be_better() -> None:
    """The worse drop out, and the best is told with what it earns; no more games than are allowed."""
    (best, more, error), found = racing([-0.5, 0.3, -1.0, 0.0], 2000)
    assert best == 2 and more == pytest.approx(0.3, abs=4 * error) and 0.0 < error < 0.1
    assert found[:, ROUNDS].argmin() in (1, 3) and found[2, ROUNDS] == found[0, ROUNDS] == found[:, ROUNDS].max()
    assert found[:, ROUNDS].sum() <= 2000
    _, found = racing([0.0, 0.01], 50)
    assert found[:, ROUNDS].sum() <= 50
    (best, _, _), found = racing([0.9, 1.0, 0.7], 4 * FIRST, noise=0.1)
    assert best == 2 and found[:, ROUNDS].tolist() == [FIRST] * 4, "nobody has dropped out"


def test_a_race_ends_where_nobody_may_be_better() -> None:
    """At once where all are far worse; with who is the same in all games, after as many as show it."""
    nobody, found = racing([-3.0, -4.0], 10**6)
    assert nobody == (0, 0.0, 0.0) and found[:, ROUNDS].tolist() == [FIRST] * 3
    nobody, found = racing([0.0], 10**6, noise=0.0)
    assert nobody == (0, 0.0, 0.0) and FIRST < found[0, ROUNDS] < 60


def test_a_race_ends_where_the_last_one_is_surely_better() -> None:
    (best, more, error), found = racing([3.0, -3.0], 10**6)
    assert best == 1 and more > 3 * error and found[:, ROUNDS].sum() < 100


def test_few_rounds_without_a_difference_are_no_certainty() -> None:
    """An error is never 0: a race of a few games follows nobody who happened to be a little better in all of them."""
    (best, more, error), _ = racing([0.2], 2 * FIRST, noise=0.0)
    assert best == 1 and more == pytest.approx(0.2) and error > 0.1


def test_a_race_has_an_end_by_the_clock() -> None:
    (best, _, _), found = racing([0.0, 0.1], None, seconds=0.0)
    assert best in (0, 1, 2) and found[0, ROUNDS] == FIRST


def ready(game: Game) -> Callable[[str], Agent]:
    """Makes agents that are prepared for a game."""

    def make(name: str) -> Agent:
        agent = make_agent(name)
        agent.prepare(game)
        return agent

    return make


def test_of_a_game_that_names_no_ways_all_heuristics_are_tried(kuhn: Game) -> None:
    assert SwitchAgent(sims=40).names(kuhn) == ("random", "honest", "bluffer", "card_only", "always_bet")


def test_the_usual_way_of_a_melee_is_another_in_teams() -> None:
    for scenario, usual in (("tug_of_war", "lowest_first"), ("free_for_all", "highest_first")):
        game = make_game("einblatt-melee", scenario)
        names = SwitchAgent(sims=8).names(game)
        assert names[0] == usual and len(names) == 6


def test_who_chooses_with_others_of_its_side_tries_ways_not_actions() -> None:
    """All of a side do at once as is tried, so that ways that begin alike in one seat are not one."""
    game = make_game("einblatt-melee", "tug_of_war")
    agent = SwitchAgent(sims=60, every=False)
    position = game.position(1)
    position.roll(rng_array(1))
    seat = position.to_act()[0]
    assert len(position.to_act()) > 2
    found = agent.compare(View.of(position, seat))
    assert found.names == agent.names(game) and len(set(found.actions)) < 6
    found, result = agent.compare(View.of(position, seat), every=True), agent.analyse(View.of(position, seat))
    assert set(found.actions) == set(position.legal(seat)) == set(np.flatnonzero(result.visits))
    for action in position.legal(seat):
        alike = np.flatnonzero(found.actions == action)
        assert result.visits[action] == found.rounds[alike].sum()
        assert result.values[action] == found.earned[alike[found.more[alike].argmax()]]


def test_in_teams_of_a_melee_every_card_is_tried() -> None:
    """As the game says; and only what the ways do where that is asked for."""
    for scenario, every, all_of_them in (
        ("tug_of_war", None, True),
        ("tug_of_war", False, False),
        ("free_for_all", None, False),
        ("free_for_all", True, True),
    ):
        game = make_game("einblatt-melee", scenario)
        position = game.position(1)
        position.roll(rng_array(1))
        seat = position.to_act()[0]
        agent = SwitchAgent(sims=60, every=every)
        found = set(agent.compare(View.of(position, seat)).actions.tolist())
        assert found <= set(position.legal(seat)) and (len(found) == len(position.legal(seat))) == all_of_them


def test_errors_say_what_is_allowed(kuhn: Game) -> None:
    for text, told in (
        ("switch:among=nobody", "baseline 'nobody' does not play kuhn: "),
        ("switch:usual=nobody", "baseline 'nobody' does not play kuhn: "),
        ("switch:sims=0", "sims = '?0'? is not allowed"),
        ("switch:horizon=2", "kuhn has no outlook"),
    ):
        with pytest.raises(AgentError, match=told):
            make_agent(text).prepare(kuhn)
