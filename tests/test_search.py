"""The tree search: what it finds in games with known answers, and that it depends only on what its seat knows."""

from __future__ import annotations

import inspect
import time
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents import search as search_module
from probespiel.agents.base import Agent, AgentError, Requests, View
from probespiel.agents.exact import GameTree
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import native_policy
from probespiel.agents.pacing import aimed
from probespiel.agents.policy import PolicyAgent, shipped_policies
from probespiel.agents.registry import make_agent
from probespiel.agents.search import SearchAgent
from probespiel.agents.simple import RandomAgent
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.game import Game, Position
from tests.games import card_game, rps_game


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def cards() -> Game:
    return card_game(2, 3, 7)


def play(game: Game, agents: list[Agent], tables: int, seed: int = 0) -> np.ndarray:
    """The payoffs float64[tables, seats] of whole games."""
    batch = Batch(game, tables, seed)
    batch.start()
    total = np.zeros((tables, game.n_seats))
    number = 0
    while True:
        batch.read()
        if not batch.bits.any():
            return total
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(batch.bits >> seat & 1)
            requests = Requests.gather(game, batch.states, rows, np.full(len(rows), seat), seed, rows, number)
            batch.actions[rows, seat] = agent.act_batch(requests)
        batch.rewards[:] = 0
        batch.step(restart=False)
        total += batch.rewards
        number += 1


def opening(game: Game, tables: int, seed: int = 0) -> Requests:
    """The first decision of seat 0 at many tables."""
    batch = Batch(game, tables, seed)
    batch.start()
    return Requests.gather(game, batch.states, np.arange(tables), np.zeros(tables), 5, np.arange(tables), 0)


def test_rollouts_may_follow_several_baselines(kuhn: Game) -> None:
    """A side draws one of them in every simulation: values lie between those of each alone."""
    position = kuhn.position()
    position.fall(1)
    position.fall(0)
    agent = SearchAgent(sims=2000, rollout="card_only + always_bet", nodes=1, c=50.0)
    bet = agent.analyse(View.of(position, 0, 1)).values[1]
    # -1/2 against card_only and 0 against always_bet (below), each in half of about 1000 trials: 4 sigma are 0.2
    assert bet == pytest.approx(-0.25, abs=0.2)
    assert -0.45 < bet < -0.05
    with pytest.raises(AgentError, match="'nobody' does not play kuhn"):
        SearchAgent(rollout="card_only+nobody").prepare(kuhn)


def test_a_mixed_answer_stays_with_the_baseline_unless_something_is_better() -> None:
    """In the duel nothing beats the three best cards in random order (E1), so the search plays just that."""
    game = make_game("einblatt-duel")
    agent = SearchAgent(sims=500, rollout="best3_shuffled", margin=2.0)
    for seed in range(8):
        view = View.of(game.position(seed), 0, 1)
        chances = agent.analyse(view).chances
        strength = game.layout.view(view.observation)["my_class"]
        third = np.sort(strength[[a for a in view.legal if a < 32]])[-3]
        played = np.flatnonzero(chances > 0)
        assert len(played) >= 3 and (strength[played] >= third).all()
        assert chances[played] == pytest.approx(chances[played].mean(), abs=0.25)


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["highest_first", "best3_shuffled", "lowest_first", "hunter", "turtle"])
def test_beats_the_heuristics_of_the_melee(rival: str) -> None:
    """In `tug_of_war`, on the same deals with the sides swapped, its interval lies above zero."""
    game = make_game("einblatt-melee")
    with Match(game, ["search:sims=500", rival], 1) as match:
        (_, first), _ = game.sides
        sides = np.array([[int(seat not in first) for seat in range(game.n_seats)]] * 2)
        sides[1] ^= 1
        deals = 300
        played = match.play(Schedule.of(7, np.repeat(np.arange(deals), 2), np.tile(sides, (deals, 1))))
    edge = played.payoffs[:, list(first)].mean(axis=1).reshape(deals, 2) @ [0.5, -0.5]
    assert edge.mean() > 1.96 * edge.std() / deals**0.5


# what it finds


def test_regret_matching_finds_the_mixture() -> None:
    game = rps_game()
    result = SearchAgent(sims=30_000).analyse(View.of(game.position(0), 0, 1))
    assert result.simulations == 30_000
    assert result.visits.sum() == 30_000
    assert result.strategy == pytest.approx([0.25, 0.5, 0.25], abs=0.05)
    assert result.chances == pytest.approx(result.strategy)
    assert result.values == pytest.approx([0, 0, 0], abs=0.1)


def test_answers_are_drawn_from_the_mixture() -> None:
    game = rps_game()
    actions = SearchAgent(sims=1000, margin=1e9).act_batch(opening(game, 300))
    shares = np.bincount(actions, minlength=3) / 300
    # Each answer mixes about (1/4, 1/2, 1/4), give or take 0.05; 3 sigma of 300 draws are 0.09.
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.14)
    likeliest = SearchAgent(sims=1000, temperature=0).act_batch(opening(game, 50))
    assert (likeliest == 1).mean() > 0.8


def test_actions_beyond_the_margin_are_left_out(cards: Game) -> None:
    result = SearchAgent(sims=3000, depth=2, margin=1).analyse(View.of(cards.position(2), 0, 1))
    tried = result.visits > 0
    # One round: a low card loses more often than a high one, by far more than the noise of a thousand trials.
    assert result.chances[tried].tolist() == [0, 0, 1]
    assert np.all(result.strategy[tried] > 0)


@pytest.mark.parametrize("select", ["ucb", "rm"])
def test_kuhn_by_hand(kuhn: Game, select: str) -> None:
    agent = SearchAgent(sims=4000, select=select)
    for card, moves, expected in [(0, [0, 1], 0), (2, [0, 1], 1)]:  # after pass, bet: fold the jack, call with the king
        position = kuhn.position()
        position.fall(card)
        position.fall(0)
        for i, move in enumerate(moves):
            position.apply(i & 1, move)
        result = agent.analyse(View.of(position, 0, 1))
        assert result.action == expected
        assert result.values[expected] == pytest.approx(-1 if card == 0 else 2)


@pytest.mark.parametrize("observer", ["multi", "single"])
def test_beats_random_play(kuhn: Game, observer: str) -> None:
    tables = 800
    agent = SearchAgent(sims=200, observer=observer)
    gains = []
    for seat in (0, 1):
        agents: list[Agent] = [RandomAgent(), RandomAgent()]
        random = play(kuhn, agents, tables)[:, seat]
        agents[seat] = agent
        gains.append(play(kuhn, agents, tables)[:, seat] - random)  # on the same deals
    gain = np.concatenate(gains)
    assert gain.mean() > 4 * gain.std() / len(gain) ** 0.5


def test_rollouts_follow_the_policy(kuhn: Game) -> None:
    position = kuhn.position()
    position.fall(1)
    position.fall(0)
    values = {}
    for rollout in ("card_only", "always_bet"):
        result = SearchAgent(sims=2000, rollout=rollout, nodes=1, c=50.0).analyse(View.of(position, 0, 1))
        values[rollout] = result.values
    # A queen that bets: against one who calls with the king alone 1/2 * 1 - 1/2 * 2 is lost; against one who always
    # calls 1/2 * 2 - 1/2 * 2. 4 sigma of about 1000 trials are 0.2.
    assert values["card_only"][1] == pytest.approx(-0.5, abs=0.2)
    assert values["always_bet"][1] == pytest.approx(0, abs=0.25)


def test_three_seats_and_depth() -> None:
    game = card_game(3, 2, 7)
    result = SearchAgent(sims=3000).analyse(View.of(game.position(1), 0, 1))
    whole = result.values[result.visits > 0]
    shallow = SearchAgent(sims=3000, depth=3).analyse(View.of(game.position(1), 0, 1))
    first = shallow.values[shallow.visits > 0]
    # After three decisions the first round alone is scored: from -2 to 2, and higher cards are better.
    assert np.all(np.diff(first) > 0)
    assert np.all(np.abs(first) <= 2)
    assert np.ptp(whole) < np.ptp(first)


def test_the_sum_of_a_side() -> None:
    game = rps_game()
    merged = Game(
        type(game.spec)(**{**vars(game.spec), "seats": tuple(type(s)(s.name, "one") for s in game.spec.seats)})
    )
    result = SearchAgent(sims=500, utility="side").analyse(View.of(merged.position(0), 0, 1))
    assert np.all(result.values == 0)  # what one seat wins the other loses


# what it depends on


@pytest.mark.parametrize("select", ["ucb", "rm"])
def test_same_seed_same_answer_in_any_batch(cards: Game, select: str) -> None:
    requests = opening(cards, 12)
    together = SearchAgent(sims=60, select=select).act_batch(requests)
    agent = SearchAgent(sims=60, select=select)
    order = np.array([5, 1, 11, 0, 7])
    assert np.array_equal(agent.act_batch(requests[order]), together[order])
    assert [agent.act(requests.view(int(i))) for i in order] == together[order].tolist()
    one, two, other = (
        [agent.analyse(r.view(i)) for i in range(12)] for r in (requests, requests, requests.reseeded(1))
    )
    for first, again in zip(one, two, strict=True):
        assert np.array_equal(first.visits, again.visits)
        assert np.array_equal(first.strategy, again.strategy)
    assert any(not np.array_equal(a.values, b.values) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("observer", ["multi", "single"])
def test_hidden_cards_do_not_matter(cards: Game, observer: str) -> None:
    # Every deal of the other seat's hand, and every card that it has sealed, must lead to the very same search.
    agent = SearchAgent(sims=100, observer=observer)
    seen: dict[int, set[bytes]] = {}
    for other in range(4 * 3 * 2):
        position = cards.position()
        for outcome in (6, 3, 0, other % 4, other // 4 % 3, other // 12):
            position.fall(outcome)
        for sealed in (None, 0, 2):
            twin = position.clone()
            if sealed is not None:
                twin.apply(1, twin.legal(1)[sealed])
            result = agent.analyse(View.of(twin, 0, 1, 2, 3))
            seen.setdefault(result.action, set()).add(result.visits.tobytes() + result.values.tobytes())
    assert len(seen) == 1
    assert len(next(iter(seen.values()))) == 1


def test_an_action_that_is_left_alone_by_narrowing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all rollouts do one thing, and all else is tried for their sake alone, that is known and played.

    Of twenty answers drawn from what is legal not all would be it.
    """
    kuhn = make_game("kuhn")
    monkeypatch.setattr(search_module, "bulky_of", lambda game: np.full(game.words, -1, dtype=np.int64))
    agent = SearchAgent(sims=20, rollout="always_bet")
    agent.prepare(kuhn)
    for number in range(20):
        position = kuhn.position(number)
        position.roll()
        result = agent.analyse(View.of(position, 0, number))
        assert kuhn.spec.actions.describe(result.action) == "bet"
        assert result.visits[result.action] == result.simulations == 20 and result.chances[result.action] == 1


def test_forced_moves_are_not_searched(cards: Game) -> None:
    position = Position(cards, seed=4)
    for _ in range(2):
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[0])
    agent = SearchAgent(sims=10**6)
    agent.prepare(cards)
    view = View.of(position, 0, 1)
    agent.act(view)
    begin = time.perf_counter()
    result = agent.analyse(view)
    assert time.perf_counter() - begin < 0.05
    assert (result.action, result.simulations) == (view.legal[0], 0)
    assert result.chances[result.action] == 1


def test_a_forced_move_leaves_nothing_of_the_search_before_it(cards: Game) -> None:
    """What stayed in the hash table would be found by later searches as if it were theirs, until they end no more."""
    agent, open_view = SearchAgent(sims=400), opening(cards, 1).view(0)
    position = Position(cards, seed=4)
    for _ in range(2):
        for seat in position.to_act():
            position.apply(seat, position.legal(seat)[0])
    first = agent.analyse(open_view)
    plan = agent._plan
    assert plan is not None
    assert first.nodes == np.count_nonzero(plan.root.table) > 50
    assert agent.analyse(View.of(position, 0, 1)).simulations == 0
    assert not plan.root.table.any()
    again = agent.analyse(open_view)
    assert np.array_equal(again.visits, first.visits) and np.array_equal(again.values, first.values)


def test_seconds(cards: Game) -> None:
    agent = SearchAgent(seconds=0.05)
    view = View.of(cards.position(0), 0, 1)
    agent.analyse(view)
    begin = time.perf_counter()
    result = agent.analyse(view)
    assert aimed(0.05) <= time.perf_counter() - begin < 0.5
    assert result.simulations >= 32
    few = SearchAgent(seconds=60, sims=100).analyse(view)
    assert few.simulations == 100
    assert SearchAgent(seconds=0).analyse(view).simulations == 1


def test_any_number_of_threads_gives_the_same_answer(kuhn: Game) -> None:
    """Three trees of 34, 33 and 33 simulations: what they found is added up in the same order."""
    view = View.of(dealt(kuhn, 1, 0), 0, 1)
    agents = [SearchAgent(sims=100, trees=3, threads=threads) for threads in (1, 2, 3)]
    first, *others = [agent.analyse(view) for agent in agents]
    assert first.simulations == first.visits.sum() == 100
    for other in others:
        assert other.action == first.action and np.array_equal(other.visits, first.visits)
        assert np.array_equal(other.values, first.values)
    alone = [int(share.tree.used[2]) for share in agents[0]._planned(kuhn).shares]
    sums = [share.tree.sums[:2, 0].sum() for share in agents[0]._planned(kuhn).shares]
    assert alone == [34, 33, 33] and len(set(sums)) > 1, "every tree has dice of its own"
    for agent in agents:
        agent.close()
    plain, one = SearchAgent(sims=100).analyse(view), SearchAgent(sims=100, trees=1, threads=2).analyse(view)
    assert np.array_equal(plain.visits, one.visits), "a tree alone is searched as ever"


def test_trees_stay_within_the_memory(kuhn: Game) -> None:
    for trees in (1, 3):
        plan = SearchAgent(seconds=1, memory=3, trees=trees)._planned(kuhn)
        taken = sum(array.nbytes for share in plan.shares for array in share.tree)
        assert 0.7 * (3 << 20) < taken <= 3 << 20
    assert len(SearchAgent(seconds=1, nodes=7)._planned(kuhn).shares[0].tree.keys) == 7


@pytest.mark.parametrize(("epsilon", "value"), [(0.0, 0.0), (0.5, 0.25), (1.0, 0.5)])
def test_some_actions_of_rollouts_are_random(kuhn: Game, epsilon: float, value: float) -> None:
    """A queen that bets: who always calls wins as often as it loses; who folds with a chance of 1/2 gives 1 then."""
    agent = SearchAgent(sims=4000, rollout="always_bet", epsilon=epsilon, nodes=1, c=50.0)
    found = agent.analyse(View.of(dealt(kuhn, 1, 0), 0, 1)).values[1]
    assert found == pytest.approx(value, abs=0.16), "4 sigma of about 2000 trials of -2, 1 and 2"


@pytest.mark.parametrize("trust", [0, 1, 5, 20, 200])
def test_the_first_visits_of_a_node_follow_the_baselines(kuhn: Game, trust: int) -> None:
    """As many as `trust` says, and at least the first; only then, and at the root at once, anything else is tried."""
    agent = SearchAgent(sims=300, rollout="always_bet", trust=trust)
    agent.analyse(View.of(dealt(kuhn, 1, 0), 0, 1))
    tree = agent._planned(kuhn).shares[0].tree
    few = many = 0
    for node in range(1, int(tree.used[0])):
        tried, edge = set(), int(tree.nodes[node, 0])
        while edge >= 0:
            tried.add(int(tree.edges[edge, 0]))
            edge = int(tree.edges[edge, 1])
        if tree.stats[node, 0] <= max(trust, 1):
            assert tried == {1}, "only the bet of the baseline"
            few += 1
        else:
            assert tried == {0, 1}
            many += 1
    assert (many > 0) == (trust < 200) and (few > 0 or trust < 200) and tree.edges[:2, 2].min() > 0


def dealt(game: Game, *outcomes: int) -> Position:
    """A position after some dice."""
    position = game.position()
    for outcome in outcomes:
        position.fall(outcome)
    return position


def test_both_limits_give_the_same_search(cards: Game) -> None:
    view = View.of(cards.position(0), 0, 1)
    timed, counted = (SearchAgent(sims=100, seconds=s).analyse(view) for s in (60.0, None))
    assert timed.action == counted.action
    assert np.array_equal(timed.visits, counted.visits)


def test_a_full_tree_goes_on(cards: Game) -> None:
    result = SearchAgent(sims=500, nodes=5).analyse(View.of(cards.position(0), 0, 1))
    assert result.nodes == 5
    assert result.visits.sum() == 500


def test_interpreted_rules_can_be_searched() -> None:
    game = make_game("kuhn", compiled=False)
    compiled = make_game("kuhn")
    for g in (game, compiled):
        assert g.n_seats == 2
    one, other = (
        SearchAgent(sims=50, rollout="honest").analyse(View.of(g.position(3), 0, 1)) for g in (game, compiled)
    )
    assert np.array_equal(one.visits, other.visits)


# errors


def on_the_way(game: Game, tables: int) -> Requests:
    """A decision at each of some tables that played six decisions at random."""
    batch = Batch(game, tables, seed=4)
    batch.start()
    for _ in range(6):
        batch.read()
        batch.draw_random()
        batch.step()
    batch.read()
    rows = np.flatnonzero(batch.bits)
    seats = np.where(batch.bits[rows] & 1, 0, 1)
    return Requests.gather(game, batch.states, rows, seats, 1, 2, 0)


def test_a_trained_policy_is_followed_in_games_of_few_actions_too() -> None:
    """Where no actions are too many to search, and whatever is rolled out: with an endless margin, and not without."""
    game = make_game("konfrontation-campaign", "duel")
    requests = on_the_way(game, 100)
    policy = PolicyAgent().act_batch(requests)
    followed = SearchAgent(sims=60, prior="policy", rollout="random", margin=1e9).act_batch(requests)
    assert np.array_equal(followed, policy)
    free = SearchAgent(sims=60, prior="rollout", rollout="random", margin=1e9).act_batch(requests)
    assert (free != policy).sum() > 20


def test_a_trained_policy_is_followed_where_nothing_is_better(tmp_path: Path) -> None:
    """With an endless margin the answer is that of the policy, or without it that of the rollout baseline."""
    game = make_game("scorekeeper-duel", "drug_flat")
    requests = on_the_way(game, 200)
    copy = tmp_path / "policy.safetensors"
    copy.write_bytes(shipped_policies()[game.name].read_bytes())
    policy, aggressor = PolicyAgent().act_batch(requests), make_agent("aggressor").act_batch(requests)
    assert (policy != aggressor).sum() > 5
    for prior, expected in (("policy", policy), (str(copy), policy), ("rollout", aggressor)):
        answers = SearchAgent(sims=60, prior=prior, margin=1e9).act_batch(requests)
        assert np.array_equal(answers, expected)
    with pytest.raises(AgentError, match=r"none.*plays kuhn"):
        SearchAgent(prior="policy").prepare(make_game("kuhn"))
    with pytest.raises(AgentError, match=r"no\.safetensors"):
        SearchAgent(prior="no.safetensors").prepare(game)


def test_declared_defaults_are_those_of_the_constructor() -> None:
    signature = inspect.signature(SearchAgent)
    assert {p.name: p.default for p in SearchAgent.params} == {k: v.default for k, v in signature.parameters.items()}


def test_errors(cards: Game) -> None:
    with pytest.raises(AgentError, match="sims = 0 is not allowed"):
        SearchAgent(sims=0)
    with pytest.raises(AgentError, match="baseline 'honest' does not play cards"):
        SearchAgent(rollout="honest").prepare(cards)


def test_an_illegal_rollout_is_reported(cards: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    # A compiled policy whose number is unknown answers -1.
    def broken(game: Game, name: str) -> object:
        policy = native_policy(game, name)
        block = np.array([99, 0, 0], dtype=np.int64)  # number, values, memory
        return type(policy)(policy.address, block.ctypes.data, (policy, block))

    monkeypatch.setattr("probespiel.agents.rollouts.native_policy", broken)
    with pytest.raises(AgentError, match="rollout: the policy answered an action that is not legal"):
        SearchAgent(sims=5, rollout="first").act(View.of(cards.position(0), 0, 1))


def test_values_agree_with_the_exact_tree(kuhn: Game) -> None:
    # With regret matching at every node the search plays an approximate equilibrium of the game below the root.
    tree = GameTree(kuhn)
    agent = SearchAgent(sims=20_000, select="rm")
    requests = tree.requests(1)
    called = {int(key): agent.analyse(requests[[i]]) for i, key in enumerate(requests.keys)}
    kings = [r for i, r in enumerate(called.values()) if requests.observations[i, 2] == 1]
    jacks_after_bet = [
        r
        for i, r in enumerate(called.values())
        if requests.observations[i, 0] == 1 and requests.observations[i, 6] == 1
    ]
    assert all(r.strategy[1] > 0.9 for r in kings)
    assert all(r.strategy[0] > 0.9 for r in jacks_after_bet)
