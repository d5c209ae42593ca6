"""What a person starts, in small exact cases: who sees what at the terminal, where games are saved, what is played."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import AgentError, View
from probespiel.agents.entrants import Entrant
from probespiel.agents.registry import make_agent
from probespiel.app import cli_tournament
from probespiel.app.cli import run as command
from probespiel.app.common import game_of, pairs
from probespiel.app.session import advice
from probespiel.app.session.advice import Adviser
from probespiel.app.session.table import Table
from probespiel.app.terminal.hint import lines_of as hint_lines
from probespiel.app.terminal.play import Session
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.app.web.screens import Choice
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Recorder, load
from probespiel.envs.core.rng import rng_array
from probespiel.envs.kuhn.system import KuhnTexts
from probespiel.evaluation.tournament import run as tournament
from probespiel.evaluation.tournament.run import TournamentInterrupted
from tests.test_play import Script, duel_setup, interpreted, run

TWO = {0: "human", 1: "human"}


@pytest.fixture
def duel() -> Game:
    return interpreted(duel_setup())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own, and games are kept in another one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PROBESPIEL_DATA", str(tmp_path / "data"))
    return tmp_path / "here"


# At the terminal


def session_of(game: Game, *lines: str | Callable[[], str], agents: dict[int, str] = TWO) -> tuple[Session, Script]:
    script = Script(*lines)
    return Session(Table(game, agents, 3), read=script.read, write=script.write), script


def test_everybody_is_told_what_he_saw_himself(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session, script = session_of(duel)
    monkeypatch.setattr(session.table, "lines", lambda seat, _: [["what Billy saw"], ["what Tree saw"]][seat])
    session._tell(1, session.table.seen(1))
    assert "what Tree saw" in script.text and "Billy" not in script.text
    session._tell(1, session.table.seen(1, since=session._told[1]))
    assert script.text.count("what Tree saw") == 1  # and once


def test_choices_of_one_moment_are_entered_when_all_are_made(duel: Game) -> None:
    entered: list[int] = []

    def typed() -> str:
        entered.append(len(session.table.replay().steps))
        return "1"

    session, _ = session_of(duel, "", typed, "", typed, "", typed, "", typed)
    session.run()
    assert entered == [0, 0, 2, 2]


def test_a_hint_is_for_the_seat_that_asks(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def best(_: Adviser, game: Game, view: View) -> advice.Counsel:
        return advice.Counsel(0, (advice.Advice(view.legal[0], 0.0, 0.0, 1.0),))

    monkeypatch.setattr(Adviser, "best", best)
    session, script = session_of(duel, "", "hint", "1", "", "hint")
    session.run()
    first, second = script.text.split("Tree is to decide")
    assert "Only one thing is possible: clubs 10" in first
    assert "Only one thing is possible: spades 8" in second


def test_hints_are_the_three_that_a_search_would_play_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The likeliest first, of equal ones the more valuable, none that was not tried; with 95 % intervals."""
    monkeypatch.setattr(advice, "Judge", lambda game: SimpleNamespace(of=lambda view: None, too_much=False))
    found = SimpleNamespace(
        action=3, simulations=50, visits=np.array([0, 5, 3, 2, 9]), values=np.array([9.0, 0.1, 0.2, 0.4, 0.3]),
        errors=np.array([0.0, 0.01, 0.02, 0.5, 0.03]), strategy=np.array([0.0, 0.0, 0.45, 0.45, 0.1]),
        chances=np.array([0.0, 0.0, 0.5, 0.5, 0.0]),
    )  # fmt: skip

    class Known(Adviser):
        def _analyse(self, game: Any, view: Any) -> Any:
            return found

    opened = SimpleNamespace(forget=lambda seat: SimpleNamespace(die=lambda: 0))  # nothing is hidden
    view: Any = SimpleNamespace(legal=[0, 1, 2, 3, 4], seat=0, world=lambda: opened)
    counsel = Known(1.0).best(make_game("kuhn", compiled=False), view)
    best = counsel.best
    assert counsel.simulations == 50 and counsel.untried == (0,) and counsel.mixed
    assert [(one.action, one.value, one.share) for one in best] == [(3, 0.4, 0.5), (2, 0.2, 0.5), (4, 0.3, 0.0)]
    assert [one.error for one in best] == pytest.approx([0.98, 0.0392, 0.0588])
    # one answer, and behind it not what was visited more, but what is worth at least 0.31 and 0.14 (of 0.0 and -0.1);
    # of these the greater value stands first, as the heading says
    found.visits = np.array([0, 8, 1, 10, 6])
    found.values, found.errors = np.array([0, 0.1, 0.5, 0.6, 0.4]), np.array([0, 0.1, 0.184, 0.1, 0.046])
    found.strategy, found.chances = found.visits / 25, np.eye(5)[3]
    counsel = Known(1.0).best(make_game("kuhn", compiled=False), view)
    assert [one.action for one in counsel.best] == [3, 2, 4] and not counsel.mixed
    # it keeps to what it follows until something is surely better, whatever was tried more often and found better
    found.action, found.chances = 1, np.eye(5)[1]
    kept = Known(1.0).best(make_game("kuhn", compiled=False), view)
    assert [(one.action, one.share) for one in kept.best] == [(1, 8 / 25), (3, 10 / 25), (4, 6 / 25)] and not kept.mixed
    texts = dict(enumerate("abcde"))
    assert (
        "“d” has the better mean, by 0.50 ± 0.30, but not so surely that the search would leave “b” for it."
        in " ".join(
            hint_lines(
                replace(kept, best=(replace(kept.best[0], error=0.2236), *kept.best[1:])), texts, "en", (-2.0, 2.0)
            )
        )
    )
    texts = dict(enumerate("abcde"))
    assert "the first; behind it by value" in hint_lines(counsel, texts, "en", (-2.0, 2.0))[0]
    assert "tried in 40 %" in hint_lines(counsel, texts, "en", (-2.0, 2.0))[2]
    drawn = hint_lines(replace(counsel, mixed=True), texts, "de", (-2.0, 2.0))
    assert "das Häufigste zuerst" in drawn[0] and "gespielt in 40 %" in drawn[2]
    hint = Hint(0, "", counsel.simulations, counsel.best)  # the page tells the same
    choices, kuhn = [Choice(a, text, "", "", text) for a, text in texts.items()], make_game("kuhn", compiled=False)
    assert advised(hint, choices, kuhn, "en").actions[0] == "d +0.60 ± 0.20, tried in 40 %"
    assert advised(replace(hint, mixed=True), choices, kuhn, "de").actions[0] == "d +0,60 ± 0,20, gespielt in 40 %"
    # what it keeps to may not have been tried at all, and may be worth whatever there is; so is what it says untried
    found.visits[1] = 0
    kept = Known(1.0).best(make_game("kuhn", compiled=False), view)
    assert (kept.best[0].action, kept.best[0].value, kept.best[0].error) == (1, 0.0, 2.0)
    assert [one.action for one in kept.best] == [1, 3, 4] and kept.untried == (0, 1)
    found.visits[:], found.action = 0, 3
    assert [one.action for one in Known(1.0).best(make_game("kuhn", compiled=False), view).best] == [3]


def test_what_was_told_before_is_not_told_again(duel: Game) -> None:
    """Taken up after two rounds, the last one is told, the first is not."""
    _, script = run(duel, "1", "1")
    assert "Tree: spades 8" in script.text
    _, again = run(duel, resume=load("einblatt-duel-3.json", duel), path=Path("b.json"))
    assert "Taken up again" in again.text and "Meanwhile:" in again.text
    assert "Tree: spades 8" not in again.text and "Tree: diamonds 9" in again.text


def test_games_that_begin_in_the_same_second_have_names_of_their_own(duel: Game, folder: Path) -> None:
    tables = [Table(duel, TWO, 5, keep=folder / "kept") for _ in range(3)]
    assert len({table.path for table in tables}) == 3
    for table in tables:
        table.close()


# The tournament's command line


class Called(Exception):
    """Nothing is played: what would have been."""


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Run a command line up to the tournament; entrants and command that it was given."""
    found: dict[str, Any] = {}

    def instead(game: Game, entrants: list[Entrant], games: int, seed: Any, *more: Any, **named: Any) -> None:
        found.update(game=game, agents=[e.text for e in entrants], games=games, seed=seed, **named)
        raise TournamentInterrupted(None, 1, 5)

    def call(*arguments: str) -> dict[str, Any]:
        assert command(["tournament", *arguments, "--jobs", "1"]) == 130  # as after Ctrl-C in other programs
        return found

    monkeypatch.setattr(tournament, "run_tournament", instead)
    monkeypatch.setattr(cli_tournament, "game_of", partial(game_of, compiled=False))
    return call


def test_the_command_that_is_told_plays_the_same_again(called: Callable[..., dict[str, Any]]) -> None:
    """Its own options lead to the same game, field, number of games and limits; the seed is added with the results."""
    options = ["--set", "ante=2", "--set", "bet=3", "--move-seconds", "2.5", "--bot-memory", "600", "--shared-bots"]
    first = dict(called("kuhn", "--agents", "random,first", "--games", "6", *options))
    told = shlex.split(first["command"])
    assert told[:3] == ["probespiel", "tournament", "kuhn"]
    again = called(*told[2:])
    assert again["agents"] == first["agents"] == ["random", "first"] and again["games"] == first["games"] == 6
    assert again["game"].spec.options == first["game"].spec.options and again["game"].spec.options["ante"] == 2
    assert again["bots"] == first["bots"] and again["command"] == first["command"]
    for flag, value in (("--move-seconds", "2.5"), ("--bot-memory", "600")):
        assert told[told.index(flag) + 1] == value


def test_lists_and_single_agents_go_together(called: Callable[..., dict[str, Any]]) -> None:
    found = called("kuhn", "--agents", "random,first", "--agent", "honest", "--agent", "always_bet", "--games", "2")
    assert found["agents"] == ["random", "first", "honest", "always_bet"]


def test_every_agent_plays_with_every_loadout(called: Callable[..., dict[str, Any]]) -> None:
    """Those that are named, and those that the budget buys."""
    two = called("scorekeeper-duel", "--agents", "random,first", "--budget", "0", "--games", "2")["agents"]
    bought = [agent for agent in two if agent.startswith("random@")]
    assert bought and [agent for agent in two if agent not in bought] == [f"first{a[len('random') :]}" for a in bought]
    found = called(
        "scorekeeper-duel", "--agents", "random,first", "--loadout", "sword", "--budget", "0", "--games", "2"
    )["agents"]
    parts = ["sword", *[agent.partition("@")[2] for agent in bought]]
    assert found == [f"{name}@{part}" for name in ("random", "first") for part in parts]


# The rest of the command line


def test_values_of_options() -> None:
    """What follows the first equals sign is the value; nothing is given twice."""
    assert pairs(["a=b=c", " d = 1 "], "option") == {"a": "b=c", "d": 1}
    with pytest.raises(ProbespielError, match="option 'a' is given twice"):
        pairs(["a=1", "a=2"], "option")
    with pytest.raises(ProbespielError, match="key=value"):
        pairs(["a"], "option")


def test_dice_are_told_from_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KuhnTexts, "fell", lambda *_: "")  # as of a system that does not say what its chance brings
    recorder = Recorder(make_game("kuhn", compiled=False))
    for outcome in (2, 0):
        recorder.fall(outcome)
    recorder.save("k.json")
    assert command(["replay", "k.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "    1  chance, one of 3: 3" in lines and "    2  chance, one of 2: 1" in lines


class _Answered(Adviser):
    """One whose search has an answer of its own: of two actions it prefers the first."""

    def _analyse(self, game: Any, view: Any) -> Any:
        return SimpleNamespace(
            simulations=9, action=3, strategy={3: 0.8, 5: 0.2}, visits={3: 7, 5: 2}, values={3: 0.5, 5: 0.1}
        )


def test_what_was_counted_out_goes_before_what_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best by complete search is what would be played, without any error; among equals the search decides."""
    view: Any = SimpleNamespace(legal=[3, 5])
    game: Any = None
    monkeypatch.setattr(advice, "Judge", lambda game: None)
    monkeypatch.setattr(advice, "lineup_of", lambda game: SimpleNamespace(foreseen=None))
    for values, wanted in (({3: 1.0, 5: 2.0}, [5, 3]), ({3: 1.0, 5: 1.0}, [3, 5])):
        monkeypatch.setattr(advice, "counted_out", lambda game, view, values=values: values)
        first, second = [advice.Advice(a, values[a], 0.0, float(a == wanted[0]), exact=True) for a in wanted]
        assert _Answered().best(game, view) == advice.Counsel(9, (first, second))


def test_who_tells_no_values_gives_no_advice() -> None:
    with pytest.raises(AgentError, match="random tells no values"):
        advice.analysed(make_agent("random"), cast(Any, None))


@pytest.mark.parametrize(("game", "engine"), [("scorekeeper-skirmish", "switch"), ("scorekeeper-duel", "search")])
def test_the_coach_searches_as_the_opponent_does(game: str, engine: str) -> None:
    """Where sides of several fight it compares whole ways to play: to every action it gives a value."""
    made = make_game(game)
    position = made.position(1)
    position.roll(rng_array(1))
    seat, adviser = position.to_act()[0], Adviser(sims=200)
    try:
        counsel = adviser.best(made, View.of(position, seat, 1))
        answer = adviser._agents[f"{engine}:sims=200"].act(View.of(position, seat, 1))
    finally:
        adviser.close()
    assert list(adviser._agents) == [adviser.name_in(made)] == [f"{engine}:sims=200"]
    assert len(counsel.best) == advice.BEST and all(-1 <= one.value <= 1 for one in counsel.best)
    if engine == "switch":
        assert counsel.untried == () and 0 < sum(one.share for one in counsel.best) <= 1
    else:
        assert counsel.best[0].action == answer


def test_what_never_happened_may_be_worth_all_that_a_game_pays() -> None:
    """Payoffs of 1 to 5, six cases of which none was otherwise: of 4, what has the sixth root of 5 % not to be seen."""
    found: Any = SimpleNamespace(errors=np.zeros(1), visits=np.array([6]))
    assert advice.half_width((1.0, 5.0), found, 0) == pytest.approx(4 * (1 - 0.05 ** (1 / 6)))
