"""Agents at their door: what they see, their seeds, compiled baselines, and how they are named."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents import declaration
from probespiel.agents.base import Agent, AgentError, NativePolicy, Param, Requests, View
from probespiel.agents.declaration import agent_named, lineup_of
from probespiel.agents.entrants import entrant_of
from probespiel.agents.native import BaselineAgent, baselines_of, native_policy, play_native
from probespiel.agents.registry import ForeignAgent, german_lines, list_agents, make_agent, parse_agent
from probespiel.agents.simple import FirstAgent, RandomAgent
from probespiel.app.cli import run
from probespiel.envs import make_game
from probespiel.envs.core.abi import call_from_python
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import system_names
from probespiel.training.evaluate import opponent_of
from tests.games import card_game


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


@pytest.fixture(scope="module")
def cards() -> Game:
    return card_game(2, 3, 7)


def dealt(game: Game, *outcomes: int) -> Position:
    position = game.position()
    for outcome in outcomes:
        position.fall(outcome)
    return position


def opening(game: Game, tables: int, seed: int = 0) -> Requests:
    """The first decision of seat 0 at many tables."""
    batch = Batch(game, tables, seed)
    batch.start()
    return Requests.gather(game, batch.states, np.arange(tables), np.zeros(tables), 5, np.arange(tables), 0)


def test_view_shows_what_the_seat_knows(kuhn: Game) -> None:
    position = dealt(kuhn, 2, 0)
    view = View.of(position, 0, 1, 2, 3, history=["dealt"])
    assert (view.seat, view.phase, view.legal, view.history) == (0, "move", (0, 1), ("dealt",))
    assert view.mask.tolist() == [1, 1]
    assert np.array_equal(view.observation, position.observe(0))
    assert view.pieces()["card"].tolist() == [0, 0, 1]
    assert view.key == position.key(0)
    assert view.options == {"ante": 1.0, "bet": 1.0}
    assert view.world().to_bytes() == position.forget(0).to_bytes()


def test_view_holds_no_state(kuhn: Game) -> None:
    # Hands that the seat cannot tell apart make views that are equal in every part.
    one, other = (View.of(dealt(kuhn, 0, o), 0, 1, 2, 3) for o in (0, 1))
    assert one.world().to_bytes() == other.world().to_bytes()
    assert np.array_equal(one.observation, other.observation)
    assert (one.key, one.seed, one.legal) == (other.key, other.seed, other.legal)


def test_world_is_a_copy(kuhn: Game) -> None:
    view = View.of(dealt(kuhn, 0, 0), 0)
    before = view.world().to_bytes()
    world = view.world()
    world.roll(view.rng())
    assert world.to_bytes() != before
    view.requests.worlds()[:] = 7
    assert view.world().to_bytes() == before


def test_view_of_a_seat_that_owes_nothing(kuhn: Game) -> None:
    with pytest.raises(AgentError, match="seat 1 owes no decision now"):
        View.of(dealt(kuhn, 0, 0), 1)


def test_seeds_do_not_depend_on_batching(cards: Game) -> None:
    batch = Batch(cards, 8, 3)
    batch.start()
    rows, seats = np.repeat(np.arange(8), 2), np.tile([0, 1], 8)
    together = Requests.gather(cards, batch.states, rows, seats, 11, 100 + rows, 4)
    assert len(set(together.seeds.tolist())) == 16
    for i in (0, 5, 15):
        alone = Requests.gather(cards, batch.states, rows[[i]], seats[[i]], 11, 100 + rows[[i]], [4])
        assert alone.seeds[0] == together.seeds[i]
        assert together[[i]].seeds[0] == together.view(i).seed == together.seeds[i]
    assert not np.any(Requests.gather(cards, batch.states, rows, seats, 12, 100 + rows, 4).seeds == together.seeds)
    assert not np.any(Requests.gather(cards, batch.states, rows, seats, 11, 100 + rows, 5).seeds == together.seeds)


def test_deals_agree_with_what_is_known(cards: Game) -> None:
    requests = opening(cards, 200)
    again = opening(cards, 200)
    assert np.array_equal(requests.deals(), again.deals())
    for i, record in enumerate(requests.deals()[:50]):
        position = Position(cards, data=record.copy().view(cards.state_dtype))
        assert position.key(0) == requests.keys[i]
        assert position.die() == 0
        assert position.legal(0) == list(requests.view(i).legal)


def test_random_is_uniform_and_equals_its_compiled_twin(cards: Game) -> None:
    requests = opening(cards, 6000)
    actions = RandomAgent().act_batch(requests)
    assert np.all(requests.masks[np.arange(6000), actions] == 1)
    order = (requests.masks.cumsum(axis=1) - 1)[np.arange(6000), actions]  # which of the three cards
    counts = np.bincount(order, minlength=3)
    assert abs(counts - 2000).max() < 4 * np.sqrt(6000 * 2 / 9)
    assert np.array_equal(play_native(RandomAgent().native(cards), requests), actions)
    assert [RandomAgent().act(requests.view(i)) for i in range(20)] == actions[:20].tolist()
    assert np.allclose(RandomAgent().probabilities(requests).sum(axis=1), 1)


def test_first_takes_the_lowest(cards: Game) -> None:
    requests = opening(cards, 100)
    actions = FirstAgent().act_batch(requests)
    assert actions.tolist() == [requests.view(i).legal[0] for i in range(100)]
    assert np.array_equal(play_native(FirstAgent().native(cards), requests), actions)


@pytest.mark.parametrize("compiled", [True, False])
def test_baselines_run_compiled_and_interpreted(compiled: bool) -> None:
    game = make_game("kuhn", compiled=compiled)
    requests = opening(game, 300)
    holds_king = requests.observations[:, 2] == 1
    assert np.array_equal(BaselineAgent("card_only").act_batch(requests), holds_king)
    assert 0 < BaselineAgent("bluffer").act_batch(requests)[requests.observations[:, 0] == 1].mean() < 1


@pytest.mark.parametrize("name", sorted(baselines_of("kuhn")))
def test_baselines_read_only_what_they_may(kuhn: Game, name: str) -> None:
    # On the true record, as in a compiled match, they answer as on one in which the other's card was dealt anew.
    requests = opening(kuhn, 300, seed=1)
    batch = Batch(kuhn, 300, 1)
    batch.start()
    policy = native_policy(kuhn, name)
    rng = requests.seeds.copy()
    direct = [
        call_from_python(
            policy.address,
            policy.which,
            batch.states[i].ctypes.data,
            kuhn.params_address,
            0,
            kuhn.address,
            rng[i:].ctypes.data,
        )
        for i in range(300)
    ]
    assert play_native(policy, requests).tolist() == direct


def test_a_baseline_of_another_game(cards: Game) -> None:
    with pytest.raises(AgentError, match="'honest' does not play cards: random, first do"):
        BaselineAgent("honest").prepare(cards)


def test_interpreted_baseline_reports_its_error() -> None:
    game = make_game("kuhn", compiled=False)
    policy = native_policy(game, "first")
    broken = NativePolicy(policy.address, policy.which, policy.keep, policy.pending)
    policy.pending.append(ZeroDivisionError("in a policy"))
    with pytest.raises(ZeroDivisionError, match="in a policy"):
        play_native(broken, opening(game, 1))


# names


def test_names_are_taken_apart() -> None:
    parsed = parse_agent(" search:sims=10,c=0.5 ")
    assert (parsed.name, parsed.path, parsed.values) == ("search", None, {"sims": "10", "c": "0.5"})
    parsed = parse_agent("some/bot.py:Bot:depth=2")
    assert (parsed.name, parsed.path, parsed.values) == ("Bot", Path("some/bot.py"), {"depth": "2"})
    assert parse_agent("bot.py:Bot").values == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no name"),
        (":sims=3", "has no name"),
        ("rendom", "unknown: one of .*did you mean random"),
        ("random:x=1", "parameter 'x' is unknown: it takes none"),
        ("search:simz=1", "parameter 'simz' is unknown: sims, .*did you mean sims"),
        ("search:sims", "'sims' is not of the form key=value"),
        ("search:sims=1,sims=2", "sims is given twice"),
        ("search:sims=0", "sims = '?0'? is not allowed: an integer from 1 to 1e"),
        ("search:sims=ten", "sims = 'ten' is not allowed: an integer"),
        ("search:seconds=nan", "seconds = .*nan.* is not allowed: a number from 0"),
        ("search:select=best", "select = 'best' is not allowed: one of auto, ucb, rm"),
        ("cfr:file=nowhere.npz", "there is no such file"),
        ("bot.py", "after the file comes the name of a class"),
        ("nowhere/bot.py:Bot", "there is no file nowhere"),
    ],
)
def test_errors_name_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(text)


def test_a_level_of_a_game_is_an_agent_of_it(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever agents are named beside a game: each stands for what it is played by, which results then name."""
    levels = lineup_of(kuhn).levels
    assert agent_named(kuhn, "level:2") == agent_named("kuhn", " level:2 ") == levels[1] != levels[0]
    assert agent_named(kuhn, "random") == "random" and agent_named("kuhn", "levels") == "levels"
    assert entrant_of("level:8", kuhn).text == levels[-1] == entrant_of(levels[-1], kuhn).text
    assert opponent_of("level:3", kuhn).name == levels[2]
    for name in ("level:0", "level:9", "level:", "level:x", "level:\u0663"):
        with pytest.raises(AgentError, match=r"kuhn has level:1 to level:8"):
            agent_named("kuhn", name)
    monkeypatch.setattr(
        declaration, "agents_of", lambda system: declaration.Agents(lineups={"kuhn": declaration.Lineup(levels=())})
    )
    with pytest.raises(AgentError, match="kuhn has no levels"):
        agent_named("kuhn", "level:1")


@pytest.mark.parametrize(
    "line",
    [
        ["tournament", "kuhn", "--agents", "level:9,random", "--games", "2"],
        ["play", "kuhn", "--opponent", "level:9"],
        ["exploit", "kuhn", "--agent", "level:9"],
        ["ladder", "kuhn", "add", "level:9", "--ladder", "l.duckdb"],
    ],
    ids=lambda line: line[0],
)
def test_a_level_that_is_none_is_told_by_every_command(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(line) == 2
    assert "agent 'level:9': kuhn has level:1 to level:8" in capsys.readouterr().err


def test_levels_are_listed_with_what_plays_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agents", "kuhn"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("level:")]
    assert told == [
        f"level:{n}  (level of kuhn): {name}" for n, name in enumerate(lineup_of(make_game("kuhn")).levels, 1)
    ]


def test_aliases_and_lists(kuhn: Game, cards: Game) -> None:
    assert isinstance(make_agent("random_legal"), RandomAgent)
    assert make_agent("search:sims=10").name == "search:sims=10"
    everywhere = {kind.name for kind in list_agents()}
    assert {"random", "first", "search", "cfr", "honest"} <= everywhere
    assert "honest" in {kind.name for kind in list_agents(kuhn)}
    assert "honest" not in {kind.name for kind in list_agents(cards)}
    assert all(kind.doc for kind in list_agents())
    for name in system_names():
        assert {kind.name for kind in list_agents() if kind.source == "built in"} <= set(german_lines(name))
        assert all(
            kind.name in german_lines(name)
            for kind in list_agents()
            if kind.source != "built in" and name in kind.systems
        )


def test_what_is_told_to_be_the_default_is_it() -> None:
    """Of every agent that is made by a class: a parameter that nobody gives has the value that the list tells."""
    looked = 0
    for kind in list_agents():
        if kind.params and isinstance(kind.make, type):
            known = inspect.signature(kind.make).parameters
            for param in kind.params:
                assert known[param.name].default == param.default, (kind.name, param.name)
                looked += 1
    assert looked > 30


BOT = """
class Plain:
    def __init__(self, depth=3):
        self.depth = depth

    def act(self, view):
        return view.legal[-1]

class NoAct:
    pass

class Fails:
    def __init__(self):
        raise KeyError("missing")
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "bot.py"
    path.write_text(BOT, encoding="utf-8")
    return path


def test_a_class_in_a_file(bot: Path, cards: Game) -> None:
    agent = make_agent(f"{bot}:Plain:depth=5")
    assert isinstance(agent, ForeignAgent)
    assert agent.inner.depth == 5
    assert agent.per_table
    requests = opening(cards, 5)
    assert agent.act_batch(requests).tolist() == [requests.view(i).legal[-1] for i in range(5)]


def test_an_edit_of_a_file_is_noticed(bot: Path) -> None:
    """Even one of the same length in the same instant; and nothing is left beside the file."""
    stamp = bot.stat().st_mtime_ns
    for depth in (3, 5, 3):
        bot.write_text(BOT.replace("depth=3", f"depth={depth}"), encoding="utf-8")
        os.utime(bot, ns=(stamp, stamp))
        agent = make_agent(f"{bot}:Plain")
        assert isinstance(agent, ForeignAgent) and agent.inner.depth == depth
    assert [path.name for path in bot.parent.iterdir()] == [bot.name]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (":Plane", "has no class Plane: it has Plain, NoAct, Fails; did you mean Plain"),
        (":NoAct", r"NoAct has no method act\(view\)"),
        (":Fails", r"bot\.py:14: KeyError: 'missing'"),
        (":Plain:width=1", "unexpected keyword argument 'width'"),
    ],
)
def test_errors_of_a_class_in_a_file(bot: Path, rest: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        make_agent(f"{bot}{rest}")
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\ny = (\n", r"broken\.py:2: SyntaxError: '\(' was never closed"),
        ("x = 1\n\nimport nothing_of_that_name\n", r"broken\.py:3: ModuleNotFoundError"),
        ("def f():\n    return 1 / 0\n\nf()\n", r"broken\.py:2: ZeroDivisionError"),
        ("raise SystemExit(3)\n", r"broken\.py:1: SystemExit: 3"),
        ("x = 1\nname = '\0'\n", "null bytes"),
    ],
)
def test_a_file_that_cannot_be_imported(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(AgentError, match=message) as caught:
        make_agent(f"{path}:Bot")
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_foreign_answer_that_is_no_integer(cards: Game) -> None:
    class Vague:
        def act(self, view: View) -> str:
            return "card"

    assert ForeignAgent(Vague()).act_batch(opening(cards, 1)).tolist() == [-1]


# parameters


@pytest.mark.parametrize(
    ("param", "text", "value"),
    [
        (Param("n", 1, "", 1, 5, (), int), "5", 5),
        (Param("x", 1.0, "", 0, None, (), float), "2", 2.0),
        (Param("b", False, "", kind=bool), "yes", True),
        (Param("s", "", ""), " text ", "text"),
        (Param("n", None, "", 1, 5, (), int, True), "none", None),
    ],
)
def test_parameters_are_parsed(param: Param, text: str, value: object) -> None:
    parsed = param.parse(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("param", "value"),
    [
        (Param("n", 1, "", 1, 5, (), int), True),
        (Param("n", 1, "", 1, 5, (), int), 6),
        (Param("n", 1, "", 1, 5, (), int), 2.0),
        (Param("n", 1, "", 1, 5, (), int), None),
        (Param("x", 1.0, "", 0, 1, (), float), float("nan")),
        (Param("b", False, "", kind=bool), 1),
    ],
)
def test_wrong_parameters_are_refused(param: Param, value: object) -> None:
    with pytest.raises(AgentError, match=f"{param.name} = .* is not allowed: "):
        param.check(value)


def test_an_agent_must_define_act(cards: Game) -> None:
    with pytest.raises(NotImplementedError, match="must define act"):
        Agent().act_batch(opening(cards, 1))
