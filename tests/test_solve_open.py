"""When the search that solves hands a decision over to the tree search: what is hidden, by hand and in games.

Runs interpreted, in a process of its own: the compiler would take half a minute.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import solve_deal, solve_play
from probespiel.agents.base import View
from probespiel.agents.search import SearchAgent
from probespiel.agents.solve_deal import in_the_open
from probespiel.agents.solve_play import Seeker
from probespiel.agents.solve_search import SolveSearchAgent
from probespiel.agents.solve_tree import SIMULATIONS
from probespiel.envs import make_game
from probespiel.envs.core.abi import APPLY, KEY, LEGAL, ROLL, TO_ACT
from probespiel.envs.core.jit import config
from tests.interpreted import pass_interpreted

interpreted = pytest.mark.skipif(not config.DISABLE_JIT, reason="runs interpreted, in a process of its own")


def _first_view(name: str, scenario: str) -> View:
    position = make_game(name, scenario).position()
    position.roll(np.array([5], dtype=np.uint64))
    while len(position.legal(position.to_act()[0])) == 1:
        position.apply(position.to_act()[0], int(position.legal(position.to_act()[0])[0]))
    return View.of(position, position.to_act()[0])


@interpreted
@pytest.mark.parametrize(
    ("name", "scenario", "handed"),
    [
        ("scorekeeper-duel", "even_duel", True),  # declared in the open
        ("konfrontation-campaign", "duel", True),
        ("goofspiel", "four_open", False),  # bids are sealed
        ("kuhn", "standard", False),  # the other's card is hidden
        ("ews_rps", "even_contest", False),  # symbols come at once
        ("oneshot-build", "arena", False),  # what is bought is shown in the end
    ],
)
def test_what_is_decided_in_the_open_is_handed_over(name: str, scenario: str, handed: bool) -> None:
    """With `handover=none` never."""
    view = _first_view(name, scenario)
    assert _open(SolveSearchAgent(sims=1, start=1), view) == handed
    assert SolveSearchAgent(handover="none")._make_plan(view.requests.game).other is None


def _open(agent: SolveSearchAgent, view: View) -> bool:
    plan, requests, worlds = agent._make_plan(view.requests.game), view.requests, view.requests.worlds()
    seeker = Seeker(worlds.ctypes.data, int(requests.seats[0]), int(requests.keys[0]))
    return bool(in_the_open(plan.table, plan.scratch, seeker, np.array([5], dtype=np.uint64)))


class Choices:
    """A game by hand whose record is two bytes: what was chosen (seat 0, three actions), and a card nobody may know.

    `told`: what seat 1 knows of each choice, `own`: seat 0; `after`: who decides next, a set of seats as bits.
    """

    def __init__(self, told: dict[int, int], own: dict[int, int], after: int, cards: int, at_once: bool) -> None:
        self.told, self.own, self.after, self.cards, self.at_once = told, own, after, cards, at_once

    def __call__(self, _: Any, what: int, s: np.ndarray, __: Any, seat: int, action: int, out: Any) -> int:
        """One entry of the kernel."""
        if what == ROLL:
            s[1] = out[0] % self.cards
            out[0] += 1
        elif what == TO_ACT:
            return self.after if s[0] else 3 if self.at_once else 1
        elif what == LEGAL:
            out[0] = 0b111 if seat == 0 and not s[0] else 0b11
        elif what == APPLY and seat == 0:
            s[0] = action + 1
        elif what == KEY:
            return 100 * seat + (self.own if seat == 0 else self.told)[int(s[0]) - 1]
        return 0


TOLD = {0: 10, 1: 11, 2: 12}
ALIKE = {0: 10, 1: 10, 2: 12}


@interpreted
@pytest.mark.parametrize(
    ("told", "own", "after", "cards", "at_once", "answer"),
    [
        (TOLD, TOLD, 2, 1, False, True),
        (ALIKE, TOLD, 2, 1, False, False),  # seat 1 takes a choice for another
        (ALIKE, ALIKE, 2, 1, False, True),  # two that come to the same are no secret
        (ALIKE, TOLD, 0, 1, False, True),  # nobody decides any more
        (ALIKE, TOLD, 1, 1, False, True),  # nobody else ever does
        (TOLD, TOLD, 2, 3, False, False),  # a card is hidden
        (TOLD, TOLD, 2, 1, True, False),  # seat 1 chooses at once
    ],
)
def test_choices_are_open_that_all_tell_apart(
    told: dict[int, int], own: dict[int, int], after: int, cards: int, at_once: bool, answer: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Each rule of `in_the_open` in a game of one choice."""
    game = Choices(told, own, after, cards, at_once)
    for module in (solve_deal, solve_play):
        monkeypatch.setattr(module, "call_kernel", game)
        monkeypatch.setattr(module, "address_of", lambda array: array)
    monkeypatch.setattr(solve_deal, "copy_bytes", lambda to, source, size: to.__setitem__(slice(size), source))
    room = {name: np.zeros(2, np.uint8) for name in ("dealt", "state")}
    words, path = np.zeros(1, np.int64), np.zeros(64, np.int64)
    dealt_words = np.zeros(0, np.int64)
    scratch = SimpleNamespace(**room, words=words, path=path, dealt_words=dealt_words, seed=np.zeros(1, np.uint64))
    table = SimpleNamespace(k=0, p=0, n_words=1, sides=np.array([0, 1]))
    seeker = Seeker(cast(Any, np.zeros(2, np.uint8)), 0, 0)
    assert in_the_open(table, scratch, seeker, np.zeros(1, np.uint64)) == answer


@interpreted
@pytest.mark.parametrize(
    ("name", "scenario", "given", "led"),
    [
        ("einblatt-melee", "tug_of_war", {}, True),
        ("einblatt-campaign", "table32_tricks", {}, True),
        ("konfrontation-campaign", "duel", {}, True),
        ("konfrontation-campaign", "duel", {"rollout": "lookahead"}, False),  # as it is asked
        ("konfrontation-campaign", "duel", {"handover": "none"}, False),
        ("einblatt-duel", "duel_tricks", {}, False),  # it keeps to the policy itself
        ("einblatt-duel", "billy_tree", {}, False),  # no search is led there
        ("leduc", "standard", {}, False),
    ],
)
def test_what_a_policy_leads_is_handed_over(name: str, scenario: str, given: dict[str, Any], led: bool) -> None:
    """All of it, with a tenth of the usual search from the start; elsewhere the solver goes on."""
    assert SolveSearchAgent(sims=1, start=1, **given)._make_plan(make_game(name, scenario, compiled=False)).led == led


@interpreted
def test_a_led_search_answers_sealed_choices_too() -> None:
    """A card of the melee, which nobody sees before all have chosen."""
    view = _first_view("einblatt-melee", "tug_of_war")
    agent = SolveSearchAgent(sims=2)
    found = agent.analyse(view)
    assert found.handed_over and found.simulations == 2
    assert agent._planned(view.requests.game).start.used[SIMULATIONS] == 2, "not ten times as many"


@interpreted
def test_who_is_handed_a_decision_follows_whom_the_game_follows() -> None:
    """Of the rollouts named by the user the answer keeps to nobody else; the caution is handed on, too."""
    game = make_game("scorekeeper-duel", "even_duel")
    agent = SolveSearchAgent(sims=40, rollout="random", margin=2.5, indifferent=0.25, epsilon=0.125, memory=3)
    other = agent._other(game)
    assert isinstance(other, SearchAgent)
    assert [other.values[key] for key in ("prior", "rollout", "margin", "indifferent", "epsilon")] == [
        "rollout", "random", 2.5, 0.25, 0.125,
    ]  # fmt: skip
    auto = SolveSearchAgent(seconds=0.5)._other(game)
    assert auto is not None and (auto.values["prior"], auto.values["rollout"]) == ("auto", "auto")
    assert (auto.sims, auto.seconds) == (None, 0.5)
    assert SolveSearchAgent(handover="none")._other(game) is None


@interpreted
def test_what_is_handed_over_depends_on_nothing_but_what_is_known() -> None:
    """All simulations are the tree search's; another seed of the decision changes nothing."""
    view = _first_view("scorekeeper-duel", "even_duel")
    agent, one = SolveSearchAgent(sims=12, start=1, rollout="random", outlook="none"), view.requests
    found = agent.analyse(view)
    assert (found.handed_over, found.simulations, found.strategy.sum()) == (True, 12, 1.0)
    other = type(one)(
        one.game, one.seats, one.observations, one.masks, one.words, one.keys, one.seeds + np.uint64(9), one.phases,
        one._worlds,
    )  # fmt: skip
    assert np.array_equal(agent.probabilities(one), agent.probabilities(other))


def test_interpreted() -> None:
    """All tests of this file."""
    if not config.DISABLE_JIT:
        pass_interpreted(__file__)
