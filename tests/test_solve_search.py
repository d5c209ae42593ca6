"""The search that solves what it grows: against a naive copy, known games, and what it may know and take.

The compiler takes half a minute for it, so what is not marked slow runs interpreted, in a process of its own.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from probespiel.agents import solve_search
from probespiel.agents.base import AgentError, Requests, View
from probespiel.agents.exact import GameTree
from probespiel.agents.pacing import aimed
from probespiel.agents.positions_kernel import count_legal
from probespiel.agents.registry import make_agent
from probespiel.agents.solve_deal import expect, range_of, weigh
from probespiel.agents.solve_kernel import plant, plant_start, read, search
from probespiel.agents.solve_play import Seeker, throw
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.agents.solve_tree import (
    AVERAGE,
    BELIEFS,
    CHANCE,
    CHANCE_OF,
    COUNT,
    DEALT,
    DECISION,
    END,
    ENTRIES,
    FIRST,
    FULL,
    INFO,
    INFOS,
    KIND,
    NEXT,
    NODES,
    NOW,
    OFFSET,
    OPEN,
    REACH,
    ROOTS,
    SAMPLED,
    SEAT,
    SIMULATIONS,
    SIZE,
    VISITS,
    clear,
    find_info,
    iterate,
    settle,
    spread,
)
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.jit import config
from probespiel.envs.core.rng import mix
from tests.games import card_game, rps_game
from tests.interpreted import pass_interpreted
from tests.naive.solve_search import Naive
from tests.test_pacing import interrupt_between_slices

interpreted = pytest.mark.skipif(not config.DISABLE_JIT, reason="runs interpreted, in a process of its own")
JACK, QUEEN, KING = 0, 1, 2


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def dealt(game: Game, *outcomes: int) -> Position:
    """A position after some dice."""
    position = game.position()
    for outcome in outcomes:
        position.fall(outcome)
    return position


def kuhn_after(game: Game, mine: int, other: int, *actions: int) -> Position:
    """Kuhn poker with two cards, after some decisions in turn."""
    position = dealt(game, mine, other - (other > mine))
    for action in actions:
        position.apply(position.to_act()[0], action)
    return position


def strategy_of(agent: SolveSearchAgent, position: Position, seed: int = 1) -> np.ndarray:
    """What the agent would do at a position whose turn it is."""
    return agent.analyse(View.of(position, position.to_act()[0], seed)).strategy


def whole_tree(agent: SolveSearchAgent, game: Game, sims: int) -> None:
    """Grow the tree from the start of the game until it is whole, without the solver."""
    agent.prepare(game)
    plan, rng = agent._planned(game), np.array([3], dtype=np.uint64)
    plant_start(plan.start, plan.table, plan.begin, plan.scratch)
    study = plan.from_start._replace(options=plan.options._replace(effort=0))
    plan.check(search(study, Seeker(0, 0, 0), sims=sims, rng=rng))
    assert not plan.start.nodes[0, OPEN]


@interpreted
def test_a_decision_of_more_than_32_actions_has_a_child_for_each() -> None:
    """Liar's dice with 36 bids: any of them first, then whatever is higher, or doubt."""
    game = make_game("liars_dice", dice=3, faces=6)
    agent = SolveSearchAgent(sims=1)
    agent.prepare(game)
    plan, rng = agent._planned(game), np.array([3], dtype=np.uint64)
    plant_start(plan.start, plan.table, plan.begin, plan.scratch)
    study = plan.from_start._replace(options=plan.options._replace(effort=0))
    plan.check(search(study, Seeker(0, 0, 0), sims=60, rng=rng))
    tree, firsts, later = plan.start, 0, 0

    def children(node: int) -> dict[int, int]:
        """By action, in the order in which they were made."""
        found, child = {}, int(tree.nodes[node, FIRST])
        while child >= 0:
            found[int(tree.codes[child])] = child
            child = int(tree.nodes[child, NEXT])
        assert len(found) == tree.nodes[node, COUNT]
        at = int(tree.infos[tree.nodes[node, INFO], OFFSET])
        assert tree.actions[at : at + len(found)].tolist() == [*reversed(found)]
        return dict(reversed(found.items()))

    for node in range(tree.used[NODES]):
        if tree.nodes[node, KIND] == DECISION and tree.nodes[node, COUNT] == 36 and tree.nodes[node, SEAT] == 0:
            firsts += 1
            assert [*children(node)] == [*range(36)]
            for bid, child in children(node).items():
                if tree.nodes[child, KIND] == DECISION:
                    assert [*children(child)] == [*range(bid + 1, 36), 36]
                    later += 1
    assert firsts and later


@interpreted
def test_legal_actions_are_counted_in_all_words() -> None:
    """In einBlatt cards stand in the first word, a pass in the second."""
    position = make_game("einblatt-duel").position(5)
    game, words = position.game, np.full(position.game.words, -1, np.int64)
    state = np.frombuffer(position.to_bytes(), dtype=np.uint8).copy()
    for seat in (0, 1):
        legal = position.legal(seat) if seat in position.to_act() else []
        assert count_legal(game.address, game.params_address, state, seat, words) == len(legal)
        assert [32 * w + a for w in range(game.words) for a in range(32) if int(words[w]) >> a & 1] == legal
        if legal:
            assert min(legal) < 32 <= max(legal) and len(legal) > 2


def compare_with_naive(game: Game, sims: int, passes: int) -> None:
    """Some passes over the whole tree, and the same number of the naive copy."""
    agent, naive = SolveSearchAgent(sims=1), Naive(game)
    whole_tree(agent, game, sims)
    plan = agent._planned(game)
    tree = plan.start
    for _ in range(passes):
        iterate(tree, plan.begin, plan.table.sides)
        naive.iterate()
    settle(tree, plan.begin, plan.table.sides)
    compared = 0
    for name, known in naive.now.items():
        info = find_info(tree, name[1])
        assert (info >= 0) == (len(known) > 1), "what is forced is no decision"
        if info >= 0:
            legal, out = np.zeros(game.words, dtype=np.int64), np.zeros(game.n_actions)
            for action in known:
                legal[action >> 5] |= 1 << (action & 31)
            assert read(tree, name[1], legal, out)
            for action, chance in naive.strategy(name).items():
                assert out[action] == pytest.approx(chance, abs=1e-9)
            compared += 1
    assert compared == tree.used[INFOS]


@interpreted
def test_kuhn_is_solved_as_by_the_naive_copy(kuhn: Game) -> None:
    compare_with_naive(kuhn, sims=60, passes=7)


@interpreted
@pytest.mark.parametrize("average", [False, True])
def test_chances_of_all_nodes_by_hand(average: bool) -> None:
    """Two deals that look alike to the second side; known dice that are not fair, and others that were drawn.

    The first deal: the first side plays 0.2 to 0.8; after the first, dice of 0.3 and 0.7; after the last, the second
    side's 0.6 to 0.4. The second deal: the same 0.6 to 0.4, after the last of them two drawn outcomes, one half each.
    """
    tree, roots = solve_search._tree(12), solve_search._roots(2, size=1)
    tree.nodes[:] = 0
    tree.used[ROOTS], tree.used[NODES] = 2, 12
    roots.nodes[:] = 0, 5
    roots.ranges[:] = [0.5, 0.25], [0.125, 1.0]
    roots.weights[:] = 0.75, 0.25
    other = NOW if average else AVERAGE
    for info, (first, second) in enumerate([(0.2, 0.8), (0.6, 0.4)]):
        tree.infos[info, OFFSET], tree.infos[info, SIZE] = 2 * info, 2
        tree.entries[2 * info : 2 * info + 2, AVERAGE if average else NOW] = first, second
        tree.entries[2 * info : 2 * info + 2, other] = 0.9, 0.1
    # The last action is the first child: 2 is the last action of 0 and 1 its first.
    tree.nodes[:, FIRST] = tree.nodes[:, NEXT] = -1
    family = {0: (DECISION, 2, 1), 1: (CHANCE, 4, 3), 2: (DECISION, 11, 10), 5: (DECISION, 7, 6), 7: (SAMPLED, 9, 8)}
    for node, (kind, *children) in family.items():
        tree.nodes[node, KIND], tree.nodes[node, COUNT], tree.nodes[node, FIRST] = kind, 2, children[0]
        tree.nodes[children[0], NEXT] = children[1]
    tree.nodes[[2, 5], SEAT] = tree.nodes[[2, 5], INFO] = 1
    tree.floats[3, CHANCE_OF], tree.floats[4, CHANCE_OF] = 0.3, 0.7
    spread(tree, roots, np.array([0, 1]), learner=1, average=average)
    chances = {
        0: (0.5, 0.25, 0.75), 1: (0.1, 0.25, 0.75), 2: (0.4, 0.25, 0.75), 3: (0.1, 0.25, 0.225), 4: (0.1, 0.25, 0.525),
        5: (0.125, 1.0, 0.25), 6: (0.125, 0.6, 0.25), 7: (0.125, 0.4, 0.25), 8: (0.125, 0.4, 0.125),
        9: (0.125, 0.4, 0.125), 10: (0.4, 0.15, 0.75), 11: (0.4, 0.1, 0.75),
    }  # fmt: skip
    for node, (first, second, dealt_chance) in chances.items():
        assert tree.floats[node, [REACH, REACH + 1, DEALT]] == pytest.approx([first, second, dealt_chance]), node
    assert tree.weights[:2].tolist() == [[0.0, 0.0], [1.25, 2.0]], "what is added up is that of the learning side alone"


@interpreted
def test_simultaneous_choices_are_solved_as_by_the_naive_copy() -> None:
    """Payoffs of which no two differ alike: a tie of regrets is not broken the same way by both."""
    game = rps_game(rounds=2)
    game.params.payoff[:] = [[0.1, -1.3, 2.2], [0.93, 0.0, -0.71], [-2.1, 1.45, 0.32]]
    compare_with_naive(game, sims=130, passes=4)


@interpreted
def test_later_passes_weigh_more(kuhn: Game) -> None:
    """By the square of the simulations before: after ten and a million the last strategy is all that counts."""
    agent = SolveSearchAgent(sims=1)
    whole_tree(agent, kuhn, 60)
    plan = agent._planned(kuhn)
    tree = plan.start
    for sims in (10, 1_000_000):
        tree.used[SIMULATIONS] = sims
        last = tree.entries[: tree.used[ENTRIES], NOW].copy()
        iterate(tree, plan.begin, plan.table.sides)
    settle(tree, plan.begin, plan.table.sides)
    assert not tree.weights[: tree.used[INFOS]].any(), "chances are added up anew in every pass"
    pure = 0
    for card in (JACK, QUEEN, KING):
        info = find_info(tree, mix(kuhn_after(kuhn, card, (card + 1) % 3).key(0), 0))
        begin, size = tree.infos[info, OFFSET], tree.infos[info, SIZE]
        assert tree.entries[begin : begin + size, AVERAGE] == pytest.approx(last[begin : begin + size], abs=1e-6)
        pure += last[begin] in (0.0, 1.0)
    assert pure > 0, "the first pass was uniform"


@interpreted
def test_forced_moves_are_no_nodes() -> None:
    """Two of four cards each: 24 deals, two cards each to choose from, and then the last ones."""
    agent = SolveSearchAgent(sims=1)
    game = card_game(2, 2, 4)
    whole_tree(agent, game, 150)
    assert agent._planned(game).start.used[NODES] == 1 + 24 * (1 + 2 + 4)


@interpreted
def test_a_code_holds_the_outcome_of_every_die() -> None:
    """A die each: with faces that have no divisor in common one digit would do for all."""
    game = make_game("liars_dice")
    table, seen = SolveSearchAgent(sims=1, start=1)._planned(game).table, set()
    for code in range(36):
        position = game.position()
        throw(table, position.address, code)
        assert position.die() == 0
        seen.add((position.key(0), position.key(1)))
    assert len(seen) == 36


@interpreted
def test_unknown_ranges_are_the_mean_of_the_others(kuhn: Game) -> None:
    """And 1 where nothing is known of any."""
    roots = SolveSearchAgent(sims=1, start=1)._planned(kuhn).roots
    roots.expected[:3, 0], roots.expected[:3, 1] = [0.2, -1.0, 0.4], -1.0
    for side in (0, 1):
        expect(roots, 3, side)
    assert roots.ranges[:3, 0] == pytest.approx([0.2, 0.3, 0.4])
    assert roots.ranges[:3, 1].tolist() == [1.0, 1.0, 1.0]


@pytest.mark.slow
def test_leduc_is_solved_as_by_the_naive_copy() -> None:
    compare_with_naive(make_game("leduc"), sims=8000, passes=3)


@interpreted
def test_the_whole_game_is_in_the_tree(kuhn: Game) -> None:
    """58 nodes as in `exact`, but that both cards are dealt at once."""
    agent = SolveSearchAgent(sims=1)
    whole_tree(agent, kuhn, 60)
    tree = agent._planned(kuhn).start
    used = int(tree.used[NODES])
    kinds = tree.nodes[:used, KIND]
    assert used == GameTree(kuhn).n_nodes - 3 and (kinds == END).sum() == 30 and tree.used[INFOS] == 12
    assert kinds[0] == CHANCE and tree.nodes[0, COUNT] == 6
    children, child = [], int(tree.nodes[0, FIRST])
    while child >= 0:
        children.append(child)
        child = int(tree.nodes[child, NEXT])
    assert tree.floats[children, CHANCE_OF] == pytest.approx(np.full(6, 1 / 6))
    seen = set()
    for child in children:
        position = kuhn.position()
        throw(agent._planned(kuhn).table, position.address, int(tree.codes[child]))
        assert position.to_act() == [0]
        seen.add((position.key(0), position.key(1)))
    assert len(seen) == 6, "every code is a deal of its own"


@interpreted
def test_more_outcomes_than_can_be_children_are_sampled() -> None:
    """Three cards each of seven: 1,260 outcomes in the order of dealing."""
    agent = SolveSearchAgent(sims=30, start=1)
    game = card_game(2, 3, 7)
    agent.prepare(game)
    tree = agent._planned(game).start
    assert tree.nodes[0, KIND] == SAMPLED
    assert 4 <= tree.nodes[0, COUNT] <= 7, "about the root of the simulations"
    strategy = strategy_of(agent, game.position(seed=4))
    assert strategy.sum() == pytest.approx(1)


@interpreted
def test_exploitability_falls_in_kuhn_poker(kuhn: Game) -> None:
    """The whole strategy, of all information states."""
    tree, found = GameTree(kuhn), []
    for sims in (1, 5, 40):
        agent = SolveSearchAgent(sims=sims)
        found.append(tree.exploitability(tree.profile([agent, agent])))
    assert found[0] > 5 * found[1] > 25 * found[2]
    assert found[2] < 0.001


@pytest.mark.slow
def test_exploitability_falls_in_leduc() -> None:
    leduc = make_game("leduc")
    tree, found = GameTree(leduc), []
    for sims in (10, 100, 1000, 10_000):
        agent = SolveSearchAgent(sims=sims)
        found.append(tree.exploitability(tree.profile([agent, agent])))
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.001


@interpreted
def test_answers_are_distributions_over_what_is_legal(kuhn: Game) -> None:
    """At every information state, from the present as well as from the whole game."""
    tree = GameTree(kuhn)
    for agent in (SolveSearchAgent(sims=4, start=1), SolveSearchAgent(sims=20)):
        for seat in (0, 1):
            requests = tree.requests(seat)
            chances = agent.probabilities(requests)
            assert np.all(chances >= 0) and np.all(chances[requests.masks == 0] == 0)
            assert chances.sum(axis=1) == pytest.approx(np.ones(len(requests)))
            drawn = agent.act_batch(requests)
            assert np.all(chances[np.arange(len(requests)), drawn] > 0)


@interpreted
def test_what_the_tree_from_the_start_knows_as_well_is_not_searched_again(kuhn: Game) -> None:
    """A third of 180 simulations comes by each first decision, and the whole game is there; not so with 20 of 21."""
    tree = GameTree(kuhn)
    agent = SolveSearchAgent(sims=18)
    requests = tree.requests(0)
    assert all(agent.analyse(requests[[i]]).kept for i in range(len(requests)))
    agent = SolveSearchAgent(sims=7, start=3)
    plan = agent._planned(kuhn)
    assert plan.start.nodes[0, OPEN], "the game is not there as a whole"
    used = int(plan.start.used[NODES])
    for info, kept in enumerate(plan.kept):
        at = [n for n in range(used) if plan.start.nodes[n, KIND] == DECISION and plan.start.nodes[n, INFO] == info]
        rows = plan.start.nodes[at]
        assert kept == (not rows[:, OPEN].any() or rows[:, VISITS].sum() >= 7)
    assert 0 < plan.kept.sum() < len(plan.kept)
    found = [agent.analyse(requests[[i]]) for i in range(len(requests))]
    assert any(one.kept for one in found) and any(not one.kept and one.simulations == 7 for one in found)


@interpreted
def test_what_is_hidden_changes_nothing(kuhn: Game) -> None:
    """A queen that is bet at: the other's card is not known, and neither is the seed of the decision to the thought."""
    agent = SolveSearchAgent(sims=7, start=1)
    found = [strategy_of(agent, kuhn_after(kuhn, other, QUEEN, 1), seed) for other in (JACK, KING) for seed in (1, 2)]
    for other in found[1:]:
        assert np.array_equal(found[0], other)
    assert not agent.analyse(View.of(kuhn_after(kuhn, JACK, QUEEN, 1), 1)).kept, "the present was searched"


@interpreted
def test_the_same_seed_gives_the_same_answer_in_any_order(kuhn: Game) -> None:
    requests = GameTree(kuhn).requests(0)
    requests = Requests(**{**requests.__dict__, "seeds": np.arange(len(requests), dtype=np.uint64) * 77})
    for start in (1, 10):
        once = SolveSearchAgent(sims=5, start=start).act_batch(requests)
        agent = SolveSearchAgent(sims=5, start=start)
        again = [int(agent.act_batch(requests[[i]])[0]) for i in reversed(range(len(requests)))]
        assert once.tolist() == again[::-1]


@interpreted
def test_answers_are_drawn_by_their_chances(kuhn: Game) -> None:
    """A queen that is bet at calls in a third of all games: 4 sigma of 600 draws are 0.08."""
    agent, many = SolveSearchAgent(sims=100), 600
    row = View.of(kuhn_after(kuhn, JACK, QUEEN, 1), 1).requests
    rows = row[np.zeros(many, dtype=np.int64)]
    rows = Requests(**{**rows.__dict__, "seeds": np.arange(many, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)})
    chance = agent.probabilities(row)[0]
    drawn = agent.act_batch(rows)
    assert chance[1] == pytest.approx(1 / 3, abs=0.05)
    assert np.mean(drawn == 1) == pytest.approx(chance[1], abs=0.08)


@interpreted
def test_positions_come_as_often_as_the_dice_bring_them(kuhn: Game) -> None:
    """All six deals of Kuhn poker are possible to somebody who is possible to somebody..., each with a sixth."""
    agent = SolveSearchAgent(sims=600, start=1, effort=0, floor=1.0)
    position = kuhn_after(kuhn, QUEEN, KING)
    view = View.of(position, 0)
    plan = agent._planned(kuhn)
    world, rng = view.requests.worlds(), np.array([5], dtype=np.uint64)
    plant(plan.tree, plan.scratch)
    plan.check(search(plan.present, Seeker(world.ctypes.data, 0, view.key), sims=600, rng=rng))
    weigh(plan.tree, plan.roots, plan.scratch.deals)
    assert plan.tree.used[ROOTS] == 6
    assert plan.roots.weights[:6] == pytest.approx(np.full(6, 1 / 6), abs=0.06)
    assert plan.roots.weights[:6].sum() == pytest.approx(1)
    keys = [dealt_at(plan.roots.states[i], kuhn).key(0) for i in range(6)]
    assert [key == view.key for key in keys] == plan.roots.mine[:6].astype(bool).tolist()
    assert sum(plan.roots.mine[:6]) == 2


def dealt_at(state: np.ndarray, game: Game) -> Position:
    """The position of a record."""
    return Position(game, data=state.copy().view(game.state_dtype))


@interpreted
def test_positions_weigh_what_the_others_play(kuhn: Game) -> None:
    """Who bets first never holds a queen, which never bets in an equilibrium: its range is the floor."""
    agent = SolveSearchAgent(sims=100, floor=0.02)
    plan = agent._planned(kuhn)
    for mine, low, high in ((QUEEN, 0.02, 0.03), (KING, 0.05, 1.0)):
        position = kuhn_after(kuhn, mine, JACK, 1)
        found = range_of(plan.start, plan.table, position.address, side=0, floor=0.02)
        assert low <= found <= high
    assert range_of(plan.start, plan.table, kuhn_after(kuhn, QUEEN, JACK, 0).address, side=1, floor=0.02) == 1.0


@interpreted
def test_memory_is_bounded_and_a_full_tree_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """All trees take no more than they may; here is room for 40 nodes in two, and more simulations than fit."""
    game = card_game(2, 3, 7)
    plan = SolveSearchAgent(seconds=0.001, start=1, memory=1)._planned(game)
    assert plan.other is not None
    third = plan.other._planned(game).shares[0].tree
    assert (1 << 19) < sum(array.nbytes for tree in (plan.start, plan.tree, third) for array in tree) <= 1 << 20
    plan = SolveSearchAgent(sims=1, start=1, memory=1, handover="none")._planned(game)
    assert (1 << 19) < sum(array.nbytes for tree in (plan.start, plan.tree) for array in tree) <= 1 << 20
    monkeypatch.setattr(solve_search, "_NODE_BYTES", (1 << 19) // 40)
    agent = SolveSearchAgent(sims=60, start=1, memory=1, handover="none")
    strategy = strategy_of(agent, game.position(seed=4))
    assert strategy.sum() == pytest.approx(1)
    plan = agent._planned(game)
    for tree in (plan.start, plan.tree):
        assert tree.used[FULL] and 30 < tree.used[NODES] <= len(tree.nodes) == 40
        assert tree.used[ENTRIES] <= len(tree.entries)


@interpreted
def test_nothing_is_left_of_a_tree_that_was_cleared(kuhn: Game) -> None:
    agent = SolveSearchAgent(sims=1, memory=1)
    whole_tree(agent, kuhn, 60)
    tree = agent._planned(kuhn).start
    assert np.count_nonzero(tree.table) == tree.used[INFOS] + tree.used[BELIEFS] > 12
    clear(tree)
    assert not tree.table.any() and not tree.used.any()


@interpreted
def test_who_cannot_play_is_told_why(kuhn: Game) -> None:
    with pytest.raises(AgentError, match=r"3 sides .* at most two are allowed; search plays"):
        SolveSearchAgent(sims=1).prepare(card_game(3, 2, 7))
    with pytest.raises(AgentError, match="'nobody' does not play kuhn"):
        SolveSearchAgent(sims=1, rollout="nobody").prepare(kuhn)
    with pytest.raises(AgentError, match="horizon = 2 is not allowed: kuhn has no outlook"):
        SolveSearchAgent(sims=1, horizon=2).prepare(kuhn)
    with pytest.raises(AgentError, match=r"memory = 0 is not allowed: an integer from 1 to 1e\+06"):
        SolveSearchAgent(memory=0)
    agent = make_agent("solve_search:sims=20,memory=2")
    assert isinstance(agent, SolveSearchAgent) and agent.sims == 20


@interpreted
def test_a_time_limit_ends_a_search(kuhn: Game) -> None:
    agent = SolveSearchAgent(sims=10**9, seconds=0.02, start=1)
    begin = time.perf_counter()
    found = agent.analyse(View.of(kuhn_after(kuhn, QUEEN, KING), 0))
    assert found.strategy.sum() == pytest.approx(1)
    assert 1 <= found.simulations < 10**6 and aimed(0.02) <= time.perf_counter() - begin < 60


@interpreted
def test_it_is_interrupted_between_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_between_slices("solve_search", solve_search, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "ews_rps",
        "einblatt-duel",
        "konfrontation-clash",
        "scorekeeper-duel",
        "oneshot-parley",
        "liars_dice",
        "goofspiel",
    ],
)
def test_games_of_two_sides_are_played(name: str) -> None:
    """Whole games, compiled, with dice and hidden hands, outlooks and heuristics."""
    game = make_game(name)
    agent, position, number = SolveSearchAgent(sims=30, start=1), game.position(seed=7), 0
    while not position.over and number < 60:
        for seat in position.to_act():
            number += 1
            view = View.of(position, seat, 1, 2, number)
            strategy = agent.analyse(view).strategy
            assert strategy.sum() == pytest.approx(1) and set(np.flatnonzero(strategy)) <= set(view.legal)
            position.apply(seat, agent.act(view))
        position.roll()


@pytest.mark.skipif(config.DISABLE_JIT, reason="is this very process")
def test_interpreted() -> None:
    """What is marked so, in a process without the compiler."""
    pass_interpreted(__file__)


def test_keys_of_seats_do_not_meet() -> None:
    """Information states are named by what is known and by whom."""
    assert len({int(mix(key, seat)) for key in range(50) for seat in range(4)}) == 200
