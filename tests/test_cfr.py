"""The solver against known solutions, exact enumeration against known values, and strategy files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents.base import AgentError, Requests
from probespiel.agents.cfr import CfrAgent, CfrSolver, SavedStrategy
from probespiel.agents.exact import GameTree, TreeTooLarge
from probespiel.agents.native import BaselineAgent, play_native
from probespiel.agents.simple import FirstAgent, RandomAgent
from probespiel.agents.tree_cfr import TreeCfr
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.game import Game
from probespiel.envs.core.rng import mix
from tests.games import card_game, rps_game


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def tree(kuhn: Game) -> GameTree:
    return GameTree(kuhn)


@pytest.fixture(scope="module")
def solved(kuhn: Game) -> SavedStrategy:
    return CfrSolver(kuhn, seed=1).run(100_000).solution()


class Fixed:
    """The same chances at every state."""

    def __init__(self, *chances: float) -> None:
        self.chances = np.array(chances)

    def probabilities(self, requests: Requests) -> np.ndarray:
        return np.tile(self.chances, (len(requests), 1))


# exact enumeration


def test_kuhn_tree_has_its_known_size_and_values(tree: GameTree) -> None:
    assert tree.n_nodes == 1 + 3 + 6 * 9
    uniform = tree.uniform()
    # Two uniform players: worked out by hand over the 30 leaves.
    assert tree.values(uniform) == pytest.approx([0.125, -0.125])
    assert tree.values(tree.profile([RandomAgent(), RandomAgent()])) == pytest.approx([0.125, -0.125])
    # Folding always loses the ante to one who bets always.
    assert tree.values(tree.profile([Fixed(0, 1), Fixed(1, 0)])) == pytest.approx([1, -1])


def test_kuhn_information_states(tree: GameTree) -> None:
    assert mix(5, 5) != mix(6, 6)  # else the key joins a jack after a pass and a queen after a bet
    assert tree.n_states == 12
    # 11/12, as OpenSpiel computes it for the uniform policy.
    assert tree.nash_conv(tree.uniform()) == pytest.approx(11 / 12)


def test_best_response_gets_what_it_claims(tree: GameTree) -> None:
    uniform = tree.uniform()
    for seat in (0, 1):
        response = tree.best_response(seat, uniform)
        assert tree.values(response.profile)[seat] == pytest.approx(response.value)
        assert response.value > tree.values(uniform)[seat]


def test_kuhn_equilibria_are_not_exploitable(tree: GameTree) -> None:
    # The baselines know no chances, so they are estimated: 4000 draws a state are within 4 * 0.008 at 4 sigma.
    profile = tree.profile([BaselineAgent("bluffer"), BaselineAgent("honest")], samples=4000)
    assert tree.values(profile)[0] == pytest.approx(-1 / 18, abs=0.01)
    assert tree.exploitability(profile) < 0.02


def test_rock_paper_scissors_exact() -> None:
    tree = GameTree(rps_game())
    assert (tree.n_nodes, tree.n_states) == (1 + 3 + 9, 2)  # the second choice is made in ignorance of the first
    solution = Fixed(0.25, 0.5, 0.25)
    assert tree.nash_conv(tree.profile([solution, solution])) == pytest.approx(0)
    paper = tree.profile([Fixed(0, 1, 0), solution])
    assert tree.best_response(1, paper).value == pytest.approx(1)
    assert tree.best_response(1, paper).profile[3:].tolist() == [0, 0, 1]


def test_three_seats_exact() -> None:
    tree = GameTree(card_game(3, 2, 6))
    assert tree.values(tree.uniform()) == pytest.approx([0, 0, 0])
    profile = tree.profile([FirstAgent(), RandomAgent(), RandomAgent()])
    # All cards are played and every play counts alike, so against players who choose blindly order does not matter.
    assert tree.values(profile) == pytest.approx([0, 0, 0])
    assert tree.nash_conv(tree.uniform()) == pytest.approx(0)


def test_errors_of_exact_evaluation(tree: GameTree) -> None:
    with pytest.raises(TreeTooLarge, match=r"cards has more than 1,000 nodes \(budget\)"):
        GameTree(card_game(2, 2, 5), budget=1000)
    with pytest.raises(AgentError, match="budget = 0 is not allowed"):
        GameTree(tree.game, budget=0)
    with pytest.raises(AgentError, match="1 are given, kuhn has 2 seats"):
        tree.profile([RandomAgent()])
    with pytest.raises(AgentError, match="does not know its chances; give samples"):
        tree.profile([BaselineAgent("honest")] * 2)
    with pytest.raises(AgentError, match="not a distribution over the legal actions"):
        tree.profile([Fixed(0.5, 0.4)] * 2)
    with pytest.raises(AgentError, match="profile has shape"):
        tree.values(np.ones(3))


# the solver


def test_kuhn_is_solved(tree: GameTree, solved: SavedStrategy) -> None:
    profile = tree.profile([solved, solved])
    exploitability = tree.exploitability(profile)
    assert exploitability < 0.005
    # In a zero-sum game the value lies within the gains of both sides.
    assert tree.values(profile)[0] == pytest.approx(-1 / 18, abs=2 * exploitability)


@pytest.mark.parametrize(
    ("sampling", "regrets", "average", "iterations", "bound"),
    [
        ("external", "linear", "linear", 50_000, 0.02),
        ("external", "plain", "uniform", 50_000, 0.02),
        ("outcome", "plus", "linear", 200_000, 0.02),
        ("outcome", "plain", "uniform", 200_000, 0.02),
    ],
)
def test_variants_solve_kuhn(
    kuhn: Game, tree: GameTree, sampling: str, regrets: str, average: str, iterations: int, bound: float
) -> None:
    strategy = CfrSolver(kuhn, sampling, regrets, average, seed=2).run(iterations).solution()
    assert tree.exploitability(tree.profile([strategy, strategy])) < bound


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_simultaneous_choices_are_solved(sampling: str) -> None:
    game = rps_game()
    strategy = CfrSolver(game, sampling, seed=3).run(40_000).solution()
    tree = GameTree(game)
    for seat in (0, 1):
        assert strategy.probabilities(tree.requests(seat))[0] == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


@pytest.mark.parametrize(("seats", "hand", "deck"), [(2, 3, 6), (3, 2, 6)])
def test_hidden_hands_are_solved(seats: int, hand: int, deck: int) -> None:
    # With three seats nothing is promised; this game is so close to zero-sum between any two that it works.
    game = card_game(seats, hand, deck)
    strategy = CfrSolver(game, seed=4).run(20_000).solution()
    tree = GameTree(game)
    assert len(strategy.keys) < tree.n_states  # forced moves are not stored
    assert tree.exploitability(tree.profile([strategy] * seats)) < 0.08


def test_same_seed_same_strategy_however_it_is_run(kuhn: Game) -> None:
    game = card_game(2, 3, 6)
    whole = CfrSolver(game, seed=5, capacity=16).run(300)
    parts = CfrSolver(game, seed=5, capacity=16)
    for count in (1, 99, 120, 80):
        parts.run(count)
    other = CfrSolver(game, seed=6, capacity=16).run(300)
    assert whole.iterations == parts.iterations == 300
    assert whole.states > 16  # the tables have grown
    assert np.array_equal(whole.solution().chances, parts.solution().chances)
    assert np.array_equal(whole.solution().keys, parts.solution().keys)
    assert not np.array_equal(whole.solution().chances, other.solution().chances)


def test_seconds_end_a_run(kuhn: Game) -> None:
    solver = CfrSolver(kuhn).run(seconds=0.05)
    assert solver.iterations > 0


def test_the_clock_begins_when_everything_is_compiled(kuhn: Game) -> None:
    """However short the time, the first iteration is done: it is what compiles."""
    assert CfrSolver(kuhn).run(seconds=1e-9).iterations == 1
    assert TreeCfr(kuhn, "cfr+").run(seconds=1e-9).iterations == 1


def test_progress_shows_rate_and_remaining_time(kuhn: Game, capsys: pytest.CaptureFixture[str]) -> None:
    CfrSolver(kuhn).run(2000, progress=True)
    shown = capsys.readouterr().err
    assert "2000/2000" in shown
    assert "it/s" in shown
    assert "states=" in shown


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda g: CfrSolver(g, sampling="all"), "sampling = 'all' is not allowed: one of external, outcome"),
        (lambda g: CfrSolver(g, regrets="x"), "regrets = 'x' is not allowed"),
        (lambda g: CfrSolver(g, explore=0), "explore = 0 is not allowed"),
        (lambda g: CfrSolver(g, capacity=0), "capacity = 0 is not allowed"),
        (lambda g: CfrSolver(g).run(), "iterations or seconds must be given"),
        (lambda g: CfrSolver(g).run(0), "iterations = 0 is not allowed"),
    ],
)
def test_errors_of_the_solver(kuhn: Game, make: Callable[[Game], object], message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make(kuhn)


# files


def test_a_strategy_survives_its_file(solved: SavedStrategy, tree: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.npz"
    solved.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["kuhn.npz"]
    loaded = SavedStrategy.load(path)
    assert loaded.manifest == solved.manifest
    assert loaded.manifest["iterations"] == 100_000
    assert loaded.manifest["ruleset"] == tree.game.ruleset
    assert np.array_equal(loaded.keys, solved.keys)
    assert loaded.chances == pytest.approx(solved.chances, abs=1e-6)
    assert tree.exploitability(tree.profile([CfrAgent(str(path))] * 2)) < 0.005


def test_the_agent_equals_its_compiled_twin(kuhn: Game, solved: SavedStrategy) -> None:
    agent = CfrAgent(strategy=solved)
    agent.prepare(kuhn)
    batch = Batch(kuhn, 4000, 1)
    batch.start()
    requests = Requests.gather(kuhn, batch.states, np.arange(4000), np.zeros(4000), 1, np.arange(4000), 0)
    actions = agent.act_batch(requests)
    compiled = agent.native(kuhn)
    assert compiled is not None and np.array_equal(play_native(compiled, requests), actions)
    assert [agent.act(requests.view(i)) for i in range(10)] == actions[:10].tolist()
    king = requests.observations[:, 2] == 1
    chance = agent.probabilities(requests)[king][0, 1]
    assert actions[king].mean() == pytest.approx(chance, abs=4 * np.sqrt(0.25 / king.sum()))


def test_unknown_states_are_played_uniformly(solved: SavedStrategy) -> None:
    game = card_game(2, 3, 6)
    requests = GameTree(game).requests(0)
    expected = requests.masks / requests.masks.sum(axis=1, keepdims=True)
    assert solved.probabilities(requests) == pytest.approx(expected)
    agent = CfrAgent(strategy=solved)
    compiled = agent.native(game)
    assert compiled is not None and np.array_equal(play_native(compiled, requests), agent.act_batch(requests))


def test_without_a_file_a_shipped_strategy_is_needed() -> None:
    with pytest.raises(AgentError, match="no strategy for kuhn comes with the package"):
        CfrAgent().prepare(make_game("kuhn"))


def test_another_game_is_refused(solved: SavedStrategy) -> None:
    with pytest.raises(AgentError, match="made for kuhn with other rules"):
        CfrAgent(strategy=solved).prepare(rps_game())
    with pytest.raises(AgentError, match=r"made for kuhn with other options: bet was 1\.0 and is 2\.0"):
        CfrAgent(strategy=solved).prepare(make_game("kuhn", bet=2.0))


def rewritten(solved: SavedStrategy, path: Path, **changes: object) -> Path:
    """A strategy file with some of its arrays replaced, or left out (None)."""
    solved.save(path)
    with np.load(path) as data:
        arrays = dict(data)
    for name, value in changes.items():
        arrays.pop(name)
        if value is not None:
            arrays[name] = np.asarray(value)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


def manifest(**changes: object) -> np.ndarray:
    text = json.dumps({"format": "probespiel-cfr", "version": 1, **changes})
    return np.frombuffer(text.encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keys": None}, "not a strategy file"),
        ({"keys": [1.0]}, "array keys is float64"),
        ({"keys": np.array([3, 1], dtype=np.int64)}, "sizes of the arrays do not fit"),
        ({"sizes": np.array([2, 2], dtype=np.int32)}, "sizes of the arrays do not fit"),
        ({"chances": np.array([np.nan] * 20, dtype=np.float32)}, "sizes|not finite"),
        ({"keys": np.array(["x"], dtype=object)}, "not a strategy file"),
        ({"manifest": np.frombuffer(b"{", dtype=np.uint8)}, "not a strategy file"),
        ({"manifest": manifest(format="other")}, "does not say probespiel-cfr"),
        ({"manifest": manifest(version=2)}, "version 2 of the format; this program reads version 1"),
    ],
)
def test_damaged_files_are_refused(
    solved: SavedStrategy, tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    path = rewritten(solved, tmp_path / "bad.npz", **changes)
    with pytest.raises(AgentError, match=message):
        SavedStrategy.load(path)


def test_chances_are_checked(solved: SavedStrategy, tmp_path: Path) -> None:
    chances = solved.chances.astype(np.float32)
    for wrong, message in [(-chances, "negative"), (chances * 2, "do not add up to 1"), (chances * np.nan, "finite")]:
        with pytest.raises(AgentError, match=message):
            SavedStrategy.load(rewritten(solved, tmp_path / "bad.npz", chances=wrong))
    keys = solved.keys[::-1]
    with pytest.raises(AgentError, match="keys do not ascend"):
        SavedStrategy.load(rewritten(solved, tmp_path / "bad.npz", keys=keys))


def test_files_that_are_no_archives(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(AgentError, match="not a strategy file"):
        SavedStrategy.load(path)
    with pytest.raises(AgentError, match="there is no such file"):
        SavedStrategy.load(tmp_path / "none.npz")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("keys.npy", b"not an array")
    path.write_bytes(buffer.getvalue())
    with pytest.raises(AgentError, match="not a strategy file"):
        SavedStrategy.load(path)
    data = bytearray(buffer.getvalue())
    data[data.index(b"PK\x01\x02") + 6] = 255  # the version that is needed to read it
    path.write_bytes(data)
    with pytest.raises(AgentError, match="not a strategy file: NotImplementedError"):
        SavedStrategy.load(path)


def test_archives_that_would_fill_the_memory(
    solved: SavedStrategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kuhn.npz"
    solved.save(path)
    with zipfile.ZipFile(path) as archive:
        total = sum(entry.file_size for entry in archive.infolist())
    monkeypatch.setattr("probespiel.agents.cfr.MAX_BYTES", total)
    assert np.array_equal(SavedStrategy.load(path).keys, solved.keys)
    monkeypatch.setattr("probespiel.agents.cfr.MAX_BYTES", total - 1)
    with pytest.raises(AgentError, match=f"{total} bytes unpacked, at most {total - 1} are allowed"):
        SavedStrategy.load(path)
