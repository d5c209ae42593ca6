"""Fitted outlooks: what the network says, what it learns in games with known values, and how searches ask it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.fitted import FittedOutlook, Scale, asked, seen_in, shipped_outlooks
from probespiel.agents.native import Ahead, ahead_of, native_sight
from probespiel.agents.policy_net import PolicyError
from probespiel.agents.registry import make_agent
from probespiel.agents.search import SearchAgent
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.app.cli import run
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.game import Game, Position
from probespiel.training.outlook import Fit, fitted_to
from probespiel.training.outlook_kernel import Found, Net, School, gradient, step


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def fitted(kuhn: Game) -> FittedOutlook:
    return fitted_to([kuhn], Fit(positions=60_000, hidden=16, epochs=10, agents="random"))


def made(game: Game, **more: Any) -> FittedOutlook:
    """An outlook of two units with small whole weights."""
    size = sum(n for _, n in seen_in(game))
    first = np.arange(2 * size, dtype=np.float32).reshape(size, 2) % 3 - 1
    plain: dict[str, Any] = {
        "game": game.name, "scenario": game.spec.scenario, "seats": game.n_seats, "seen": seen_in(game),
        "scale": Scale(0.5, 2.0, -3.0, 3.0, np.nan), "first": first, "bias": np.array([0.25, -0.5], np.float32),
        "last": np.array([1.0, -2.0, 0.125], np.float32),
    }  # fmt: skip
    return FittedOutlook(**{**plain, **more})


def told(game: Game, outlook: FittedOutlook, position: Position) -> np.ndarray:
    """What it says of a position, float64[seats]."""
    sight = lineup_of(game).sight
    ready = asked(game, outlook, native_sight(game, sight) if sight is not None else None)
    state, out = np.frombuffer(bytearray(position.to_bytes()), np.uint8), np.zeros(game.capacity)
    call_from_python(ready.function.address, 1, state.ctypes.data, game.params_address, ready.block, 0, out.ctypes.data)
    return out[: game.n_seats]


def by_hand(outlook: FittedOutlook, seen: np.ndarray) -> float:
    """The network in a line."""
    answer = np.maximum(seen @ outlook.first + outlook.bias, 0) @ outlook.last[:-1] + outlook.last[-1]
    return float(np.clip(outlook.scale.shift + outlook.scale.factor * answer, outlook.scale.low, outlook.scale.high))


def test_it_says_what_the_network_says_of_what_each_seat_sees(kuhn: Game) -> None:
    position = kuhn.position(seed=3)
    outlook = made(kuhn)
    expected = [by_hand(outlook, position.observe(seat)) for seat in range(2)]
    assert told(kuhn, outlook, position) == pytest.approx(expected, abs=1e-6)
    assert expected[0] != expected[1]
    kept = made(kuhn, scale=Scale(0.5, 2.0, -0.125, 0.25, np.nan))  # between the least and the most that was paid
    assert set(told(kuhn, kept, position)) <= {-0.125, 0.25}
    even = told(kuhn, made(kuhn, scale=Scale(0.5, 2.0, -3.0, 3.0, 0.0)), position)
    assert even.sum() == pytest.approx(0) and even[0] - even[1] == pytest.approx(expected[0] - expected[1], abs=1e-6)


def test_the_gradient_is_that_of_the_squared_error() -> None:
    rng = np.random.default_rng(5)
    found = Found(
        np.array([0, 2, 1, 2, 3], np.int32), rng.normal(size=5).astype(np.float32), np.array([0, 2, 5]),
        np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.float32),
    )  # fmt: skip
    goals, rows = np.array([0.5, -1.0], np.float32), np.arange(2)

    def net(flat: np.ndarray) -> Net:
        return Net(flat[:12].reshape(4, 3), flat[12:15], flat[15:])

    flat, grads = rng.normal(size=19).astype(np.float32), np.zeros(19, np.float32)
    gradient(net(flat), net(grads), found, rows, goals)
    for i in range(19):
        sides = []
        for change in (1e-3, -1e-3):
            moved = flat.copy()
            moved[i] += change
            sides.append(gradient(net(moved), net(np.zeros(19, np.float32)), found, rows, goals) / 2)
        assert grads[i] == pytest.approx((sides[0] - sides[1]) / 2e-3, abs=5e-3)
    assert np.count_nonzero(grads) > 8


def test_a_step_of_adam_by_hand() -> None:
    """The first step is the rate against the sign of the gradient, and the decay; the gradient is used up."""
    weights, grads = np.array([1.0, -2.0, 3.0], np.float32), np.array([8.0, -0.5, 0.0], np.float32)
    net = Net(np.zeros((1, 1), np.float32), np.zeros(1, np.float32), np.zeros(2, np.float32))
    school = School(net, net, weights, grads, np.zeros(3, np.float32), np.zeros(3, np.float32))
    step(school, np.float32(0.5), np.float32(0.1), np.float32(0.01), number=1)
    assert weights == pytest.approx([1 - 0.1 - 0.001, -2 + 0.1 + 0.002, 3 - 0.003], abs=1e-5) and not grads.any()
    # 4, then 2: moments of 0.9 * 0.4 + 0.1 * 2 = 0.56 by 0.19, and of 0.999 * 0.016 + 0.001 * 4 = 0.019984 by 0.001999
    weights, grads = np.zeros(1, np.float32), np.array([4.0], np.float32)
    school = School(net, net, weights, grads, np.zeros(1, np.float32), np.zeros(1, np.float32))
    step(school, np.float32(1.0), np.float32(0.1), np.float32(0.0), number=1)
    grads[:] = 2.0
    step(school, np.float32(1.0), np.float32(0.1), np.float32(0.0), number=2)
    assert weights[0] == pytest.approx(-0.1 - 0.1 * (0.56 / 0.19) / (0.019984 / 0.001999) ** 0.5, abs=1e-5)


def exact_values(game: Game) -> dict[bytes, tuple[float, float]]:
    """What each seat sees before decisions: the chance of seeing it, and what the seat is then paid in the mean.

    Everybody plays at random; all of chance and play is gone through.
    """
    chances: dict[bytes, float] = {}
    sums: dict[bytes, float] = {}

    def below(position: Position, chance: float) -> np.ndarray:
        """Expected payoffs, and whatever is seen on the way is entered."""
        if position.over:
            return np.array(position.returns())
        faces = position.die()
        if faces:
            return sum((below(_after(position, fall=i), chance / faces) for i in range(faces)), start=zero) / faces
        (seat,) = position.to_act()
        legal = position.legal(seat)
        paid = sum((below(_after(position, seat, a), chance / len(legal)) for a in legal), start=zero) / len(legal)
        for watcher in range(game.n_seats):
            seen = position.observe(watcher).tobytes()
            chances[seen] = chances.get(seen, 0.0) + chance
            sums[seen] = sums.get(seen, 0.0) + chance * paid[watcher]
        return paid

    zero = np.zeros(game.n_seats)
    below(game.position(), 1.0)
    return {seen: (chance, sums[seen] / chance) for seen, chance in chances.items()}


def _after(position: Position, seat: int = 0, action: int = -1, fall: int = -1) -> Position:
    copy = position.clone()
    if fall >= 0:
        copy.fall(fall)
    else:
        copy.apply(seat, action)
    return copy


def missed(outlook: FittedOutlook, exact: dict[bytes, tuple[float, float]]) -> float:
    """Root of the mean squared difference from the exact values, weighted by chances."""
    chances = np.array([chance for chance, _ in exact.values()])
    off = [by_hand(outlook, np.frombuffer(seen, np.float32)) - value for seen, (_, value) in exact.items()]
    return float(np.sqrt((chances * np.square(off)).sum() / chances.sum()))


def test_values_of_kuhn_poker_are_learnt(kuhn: Game, fitted: FittedOutlook) -> None:
    """The outlook comes near to the exact values, nearer than with a twentieth of the positions, and sums to zero.

    Blind, that is by the mean of all payoffs, the values are missed by their own spread, 1.1.
    """
    exact = exact_values(kuhn)
    values = np.array([value for _, value in exact.values()])
    few = fitted_to([kuhn], Fit(positions=3000, hidden=16, epochs=10, agents="random"))
    assert values.std() > 0.8 and len(exact) > 20
    assert missed(fitted, exact) < 0.1 < missed(few, exact)
    assert fitted.scale.total == 0.0 and (fitted.scale.low, fitted.scale.high) == (-2.0, 2.0)


@pytest.mark.slow
def test_values_of_leduc_poker_are_learnt() -> None:
    game = make_game("leduc")
    exact = exact_values(game)
    found = fitted_to([game], Fit(positions=1_000_000, hidden=64, epochs=12, agents="random"))
    blind = replace(found, last=np.zeros_like(found.last))
    assert missed(found, exact) < 0.25 * missed(blind, exact)


def test_files_are_kept_and_refused(kuhn: Game, tmp_path: Path) -> None:
    outlook, path = made(kuhn, settings={"seed": 1}, quality={"explained": 0.5}), tmp_path / "a.safetensors"
    outlook.save(path)
    again = FittedOutlook.load(path)
    assert (again.seen, again.scenario, again.settings, again.quality) == (
        outlook.seen, outlook.scenario, outlook.settings, outlook.quality,
    )  # fmt: skip
    assert all(np.array_equal(getattr(again, name), getattr(outlook, name)) for name in ("first", "bias", "last"))
    assert np.isnan(again.scale.total) and again.scale.high == 3.0
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(PolicyError, match="damaged"):
        FittedOutlook.load(path)
    with pytest.raises(PolicyError, match="hidden units"):
        made(kuhn, bias=np.zeros(3, np.float32))
    with pytest.raises(PolicyError, match="finite"):
        made(kuhn, bias=np.array([np.nan, 0], np.float32))


def test_what_does_not_fit_is_told(kuhn: Game, tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    made(kuhn).save(path)
    with pytest.raises(AgentError, match="fitted to kuhn"):
        SearchAgent(outlook=str(path)).prepare(make_game("leduc"))
    replace(made(kuhn), seats=3).save(path)
    with pytest.raises(AgentError, match="3 seats, here are 2"):
        SearchAgent(outlook=str(path)).prepare(kuhn)
    with pytest.raises(AgentError, match=r"outlook = 'no\.safetensors'"):
        SearchAgent(outlook="no.safetensors").prepare(kuhn)
    with pytest.raises(AgentError, match="horizon = 2 is not allowed"):
        SearchAgent(horizon=2, outlook="none").prepare(kuhn)


def test_horizon_and_ticks(kuhn: Game, tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    made(kuhn).save(path)
    assert ahead_of(kuhn, None) == Ahead()
    found = ahead_of(kuhn, None, str(path))
    assert found.horizon == 1 and found.ticks and found.outlook and found.memory
    assert ahead_of(kuhn, 0, str(path)) == Ahead()
    assert ahead_of(kuhn, 5, str(path)).horizon == 5


def test_a_search_asks_beyond_the_tree(kuhn: Game, fitted: FittedOutlook, tmp_path: Path) -> None:
    """An outlook that says the same of everything makes all actions worth that; it is asked once."""
    path = tmp_path / "a.safetensors"
    flat = made(kuhn, first=np.zeros_like(made(kuhn).first), bias=np.zeros(2, np.float32))
    flat.save(path)
    view = View.of(kuhn.position(seed=3), 0, 1)
    found = SearchAgent(sims=2, outlook=str(path), horizon=1, rollout="random").analyse(view)
    # after the other seat has answered at a node that was new: the outlook's 0.5 + 2 * 0.125, or the end of the game
    assert found.visits.tolist() == [1, 1] and found.values == pytest.approx([0.75, -2])
    later = SearchAgent(sims=2, outlook=str(path), horizon=3, rollout="random").analyse(view)
    ends = SearchAgent(sims=400, outlook=str(path), horizon=1, rollout="random").analyse(view)
    # three decisions further, and once the tree holds the game, games are over before it is asked
    assert not np.isclose(later.values, 0.75).any() and (ends.values < -0.5).all()
    fitted.save(path)
    assert make_agent(f"search:sims=50,outlook={path}").act(view) in view.legal
    assert SolveSearchAgent(sims=50, outlook=str(path)).act(view) in view.legal


def test_what_ships_fits_its_game() -> None:
    for name in shipped_outlooks():
        game, _, scenario = name.partition("--")
        assert ahead_of(make_game(game, scenario or None), None).memory, name


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some" / "kuhn.safetensors"
    line = ["outlook", "kuhn", "--out", str(path), "--positions", "2000", "--epochs", "2", "--agents", "random"]
    assert run(line) == 0
    first = path.read_bytes()
    out, err = capsys.readouterr()
    assert f"search:outlook={path}" in out and "2,000 positions" in err
    assert "Fitting to kuhn (standard), played by random." in err
    assert run([*line, "--lang", "de"]) == 0 and "Ausblick" in capsys.readouterr().out
    assert path.read_bytes() == first  # the same seed, the same file
    assert run([*line[:-1], "no_such"]) == 2 and "no_such" in capsys.readouterr().err
    assert run(["outlook", "kuhn", "--out", str(tmp_path / "a.txt")]) == 2
    assert "must end in .safetensors" in capsys.readouterr().err
