"""The heuristics of OneShot: legal, blind to what they cannot know, and each does what its line says."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import Requests
from probespiel.agents.declaration import lineup_of
from probespiel.agents.match import Match, Schedule
from probespiel.agents.native import baselines_of, native_outlook, native_policy, outlook_of, play_native
from probespiel.agents.oneshot import declaration
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.game import Game, Position
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot import state as st
from probespiel.envs.oneshot.character.kit_file import built_in_kit
from probespiel.envs.oneshot.character.sheet import normal
from probespiel.envs.oneshot.params import check_options

SKIRMISH = ("brute", "focus", "kiter", "diplomat", "spoiler")
PARLEY = ("best_odds", "warm_up", "cautious", "dp")
KIT = built_in_kit()
SEARCH_DEALS = 150  # of every duel, each played from both seats


def results(game: Game, first: str, second: str | None, games: int, seed: int = 1) -> np.ndarray:
    """Payoffs float64[games, seats] of two agents by side, every deal seated once; all by `first` without a second."""
    names = [first] if second is None else [first, second]
    seating = [names.index(first) if side == 0 or second is None else 1 for side in sides(game)]
    with Match(game, names, seed) as match:
        outcome = match.play(Schedule.of(seed, np.arange(games), np.tile(seating, (games, 1))))
    assert not outcome.offences.any() and (outcome.status == 1).all()
    return outcome.payoffs


def sides(game: Game) -> list[int]:
    """Number of the side of every seat."""
    order = [seat.side for seat in game.seats]
    return [sorted(set(order), key=order.index).index(side) for side in order]


def lead(game: Game, first: str, second: str, games: int) -> tuple[float, float]:
    """Mean payoff of `first` against `second` over both ways of sitting, and its standard error."""
    one, other = results(game, first, second, games), results(game, second, first, games, 2)
    payoff = np.concatenate([one[:, 0], other[:, -1]])
    return float(payoff.mean()), float(payoff.std(ddof=1) / len(payoff) ** 0.5)


def blind(game: Game, name: str, tables: int = 60, steps: int = 12) -> None:
    """On the true record a baseline answers as on one in which all that its seat cannot know was dealt anew."""
    policy = native_policy(game, name)
    batch = Batch(game, tables, 3)
    batch.start()
    compared = 0
    for _ in range(steps):
        for seat in range(game.n_seats):
            rows = np.flatnonzero(batch.bits >> seat & 1)
            if not len(rows):
                continue
            requests = Requests.gather(game, batch.states, rows, np.full(len(rows), seat), 5, rows, 0)
            rng = requests.seeds.copy()
            direct = [
                call_from_python(
                    policy.address, policy.which, batch.states[row].ctypes.data, game.params_address, seat,
                    game.address, rng[i:].ctypes.data,
                )
                for i, row in enumerate(rows)
            ]  # fmt: skip
            policy.raise_pending()
            assert play_native(policy, requests).tolist() == direct
            compared += len(rows)
        batch.read()
        batch.draw_random()
        batch.step()
    assert compared > tables


def test_every_game_has_its_heuristics() -> None:
    known = baselines_of("oneshot")
    for game, names in (
        ("skirmish", SKIRMISH), ("parley", PARLEY), ("build", ("uniform", "greedy", "build_equilibrium")),
        ("mission", ("cleaver", "ghost", "ambusher")),
    ):  # fmt: skip
        for name in names:
            assert known[name].games == (f"oneshot-{game}",)


@pytest.mark.parametrize("name", SKIRMISH)
def test_fighters_beat_random_play(name: str) -> None:
    mean, error = lead(make_game("oneshot-skirmish", "melee_vs_bow"), name, "random", 100)
    assert mean > 3 * error


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["ambush", "party_battle", "wounded_last_stand"])
@pytest.mark.parametrize("name", SKIRMISH)
def test_fighters_in_every_scenario(name: str, scenario: str) -> None:
    results(make_game("oneshot-skirmish", scenario), name, "random", 50)
    results(make_game("oneshot-skirmish", scenario, hidden_stats=True, control="team"), "random", name, 20)


@pytest.mark.slow
def test_fighters_move_by_macros() -> None:
    game = make_game("oneshot-skirmish", "melee_vs_bow", move_mode="macro")
    for name in SKIRMISH:
        results(game, name, "random", 40)


@pytest.mark.parametrize("name", PARLEY)
def test_talkers_beat_random_play(name: str) -> None:
    games = 80 if name == "dp" else 300  # it works out the values of every sheet that it has not met lately
    mean, error = lead(make_game("oneshot-parley", "council"), name, "random", games)
    assert mean > 3 * error


@pytest.mark.parametrize("name", PARLEY)
def test_talkers_are_blind(name: str) -> None:
    tables = 8 if name == "dp" else 60  # it keeps the values of a few sheets, and else begins anew at every decision
    for scenario in ("market", "council"):
        blind(make_game("oneshot-parley", scenario), name, tables)


@pytest.mark.parametrize("scenario", ["market", "hostile_guard", "old_friend", "interrogation", "stern_rules"])
def test_the_programme_beats_the_other_talkers(scenario: str) -> None:
    """Alone, under the belief, it is at least as good as the rules of thumb, up to five standard errors."""
    game = make_game("oneshot-parley", scenario)
    games = 4000
    means = {name: results(game, name, None, games).mean() for name in PARLEY}
    assert means["dp"] >= max(means.values()) - 5 / games**0.5


def test_the_programme_is_exact_when_everything_is_known() -> None:
    """With a single triple left its play earns the value of section 7.6."""
    game = make_game("oneshot-parley", "stern_rules", goal_successes=2)
    options = check_options(game.spec.options["config"], "parley")
    policy = native_policy(game, "dp")
    speaker = normal("archer", KIT)
    for triple in (0, 5, 11):
        body, mind, charisma = (int(v) for v in st.TRIPLES[triple])
        want, _ = exact.best_talk(
            speaker, normal({"body": body, "mind": mind, "charisma": charisma}, KIT), options, 0, KIT
        )
        payoffs = []
        for seed in range(1500):
            position = game.position()
            position.fall(triple)
            position.record.possible[0] = 1 << triple
            rng = np.random.default_rng(seed)
            dice = np.array([seed], dtype=np.uint64)
            while not position.over:
                record = np.frombuffer(position.to_bytes(), dtype=np.uint8).copy()
                action = call_from_python(
                    policy.address, policy.which, record.ctypes.data, game.params_address, 0, game.address,
                    dice.ctypes.data,
                )  # fmt: skip
                position.apply(0, action)
                while faces := position.die():
                    position.fall(int(rng.integers(faces)))
            payoffs.append(float(position.returns()[0]))
        error = np.std(payoffs, ddof=1) / len(payoffs) ** 0.5
        assert abs(np.mean(payoffs) - want) < 4 * error + 1e-9


def test_claims_are_played_as_in_the_equilibrium() -> None:
    """7.7: with a liar of cunning 1 and a listener of insight 3 the listener earns q / (2 - q)."""
    game = make_game(
        "oneshot-parley", "claim", speaker={"char": {"cunning": 1}}, counterpart={"char": {"skills": {"insight": 3}}}
    )
    payoffs = results(game, "best_odds", None, 4000)
    value = exact.claim(1, 3, 0)["value"]
    assert value > 0.3
    assert abs(payoffs[:, 1].mean() - value) < 4 / len(payoffs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cleaver", "ghost", "ambusher"])
def test_parties_finish_their_missions(name: str) -> None:
    for scenario in ("cellar_cleanse", "courier", "heist", "boss_hunt", "last_stand", "random"):
        game = make_game("oneshot-mission", scenario)
        assert set(np.unique(results(game, name, None, 100))) <= {0.0, 1.0}
    blind(make_game("oneshot-mission", "heist"), name, 30)


# --- the outlook of a search ------------------------------------------------------------------------------------------


def outlook(position: Position) -> float:
    """What the first seat may expect; the second the opposite."""
    game = position.game
    known = outlook_of(game)
    assert known is not None
    entry = native_outlook(game, known)
    out = np.full(game.capacity, np.nan)
    before = position.to_bytes()
    assert call_from_python(entry.address, 0, position.address, game.params_address) == position.record.count
    call_from_python(entry.address, 1, position.address, game.params_address, 0, 0, out.ctypes.data)
    assert position.to_bytes() == before and out[0] == -out[1] and -1 <= out[0] <= 1
    return float(out[0])


def side_by_side(first: dict[str, Any], second: dict[str, Any], **config: Any) -> Game:
    """A duel of two figures that begin beside each other."""
    figures = {"one": {"team": "red", "pos": [4, 5], **first}, "two": {"team": "blue", "pos": [6, 5], **second}}
    return make_game("oneshot-skirmish", "duel_mirror", figures=figures, **config)


def begun(game: Game, *dice: int) -> Position:
    """The first decision after these initiative dice."""
    position = game.position()
    for face in dice:
        position.fall(face - 1)
    while position.die():  # the order of a simultaneous group
        position.fall(0)
    return position


@pytest.mark.parametrize(
    ("one", "two", "config"),
    [
        ("fighter", "fighter", {}),
        ("fighter", "bulwark", {"max_count": 60}),
        ("skirmisher", "diplomat", {"tie_break": "initiative_low"}),
        ("archer", "fighter", {"limit_result": "draw", "max_count": 40}),
    ],
)
def test_the_outlook_is_the_exact_duel(one: str, two: str, config: dict[str, Any]) -> None:
    """From the first turn on, on the mean of all initiative dice, it is the duel of two who attack (7.5)."""
    first, second = ({"char": {"hero": name, "items": {}}, "saga_points": 0} for name in (one, two))
    game = side_by_side(first, second, **config)
    options = check_options(game.spec.options["config"], "skirmish")
    chars = [normal({"hero": name, "items": {}}, KIT) for name in (one, two)]
    want = exact.duel(chars, options, ["attack", "attack"], options["max_count"])
    mean = np.mean([outlook(begun(game, a, b)) for a, b in product(range(1, 7), repeat=2)])
    assert mean == pytest.approx(want["a"] - want["b"], abs=1e-9)


def test_the_outlook_minds_wounds_points_edges_and_distance() -> None:
    def mine(edge: tuple[int, int] | None = None, **more: Any) -> float:
        position = begun(side_by_side({"char": "fighter", "saga_points": 0, **more}, {"char": "fighter"}), 3, 3)
        if edge:
            position.record.edge[edge[0], edge[1], 1 - edge[1]] = 3
            position.record.edges = 1
        return outlook(position)

    even = mine()
    assert mine(wounds=4) < mine(wounds=1) < even < mine(saga_points=1) < mine(saga_points=2)
    assert mine(char={"hero": "fighter", "items": {"heal_draught": 1}}) > even
    for method in range(3):
        assert mine(edge=(method, 0)) > even > mine(edge=(method, 1))
    # the faster one strikes first if they stand side by side, but has to come near first if they do not
    duel = ({"char": "fighter", "saga_points": 0}, {"char": "fighter", "saga_points": 0})
    far = make_game("oneshot-skirmish", "duel_mirror")
    assert outlook(begun(far, 1, 6)) < outlook(begun(side_by_side(*duel), 1, 6)) - 0.01
    assert outlook_of(make_game("oneshot-skirmish", "ambush")) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", SKIRMISH)
def test_the_search_beats_the_heuristics_of_duels(name: str) -> None:
    """Plain `search` over the three duels, both seats of every deal: the 95 % interval of its mean lies above zero."""
    means, errors = [], []
    for scenario in ("duel_mirror", "melee_vs_bow", "diplomat_duel"):
        game, deals = make_game("oneshot-skirmish", scenario), np.arange(SEARCH_DEALS)
        with Match(game, ["search:sims=1000", name], 2026) as match:
            one = match.play(Schedule.of(2026, deals, np.tile([0, 1], (SEARCH_DEALS, 1)))).payoffs[:, 0]
            other = match.play(Schedule.of(2026, deals, np.tile([1, 0], (SEARCH_DEALS, 1)))).payoffs[:, 1]
        payoff = (one + other) / 2
        means.append(payoff.mean())
        errors.append(payoff.std(ddof=1) / SEARCH_DEALS**0.5)
        assert means[-1] > -1.96 * errors[-1], scenario  # in none of them is it clearly worse
    assert np.mean(means) > 1.96 * np.linalg.norm(errors) / len(errors)


def test_who_builds_meets_the_policy_that_was_taught_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of 4,000 simulations took no point from it; where none ships, the equilibrium that taught it builds."""
    game = make_game("oneshot-build", compiled=False)
    assert lineup_of(game).opponent_in(game) == "policy"
    monkeypatch.setattr(declaration, "ships_for", lambda game: False)
    assert lineup_of(game).opponent_in(game) == "build_equilibrium"
