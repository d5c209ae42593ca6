"""The coach's best action is one that exact play could take, in every position tried: duels, clashes, poker, odds."""

from __future__ import annotations

import copy
import dataclasses
import math
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.declaration import lineup_of
from probespiel.agents.exact import GameTree
from probespiel.agents.judge import Judge
from probespiel.agents.konfrontation.equilibrium import solver_of
from probespiel.agents.registry import make_agent
from probespiel.agents.tree_cfr import TreeCfr
from probespiel.app.reasons import EACH, FEW, value_text
from probespiel.app.session import reply
from probespiel.app.session.advice import Advice, Adviser, Counsel, half_width
from probespiel.app.session.reply import DEALS, reply_to
from probespiel.app.session.sight import Choice
from probespiel.app.terminal.hint import lines_of
from probespiel.app.web.advised import advised
from probespiel.app.web.room import Hint
from probespiel.envs import make_game
from probespiel.envs.core.game import Game, Position
from probespiel.envs.einblatt.creation import card_class
from probespiel.envs.ews_rps.odds import success
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.evaluation.einblatt.duel import best_plays

SECONDS = 0.5  # half of what a person's hint gets


def best_of(position: Position, seat: int) -> int:
    """What the coach puts first."""
    adviser = Adviser(SECONDS)
    try:
        return adviser.best(position.game, View.of(position, seat, 1)).best[0].action
    finally:
        adviser.close()


def throw(position: Position, lot: random.Random) -> None:
    while faces := position.die():
        position.fall(lot.randrange(faces))


@pytest.mark.parametrize("wanted", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_in_a_duel_one_of_the_best_cards_is_played(wanted: int) -> None:
    """With r rounds to go an optimal play is one of the r best cards of the hand, whatever the other one holds (E1)."""
    lot, tried = random.Random(2), 0
    game = make_game("einblatt-duel", "even_duel")
    trumps = [seat["suits"] for seat in game.spec.options["seats"]]
    while tried < wanted:
        position = game.position()
        throw(position, lot)
        for rounds in (3, 2, 1):
            for seat in (0, 1):
                cards = [a for a in position.legal(seat) if game.actions.codes[a].startswith("card:")]
                strength = {a: card_class(game.actions.codes[a].removeprefix("card:"), trumps[seat]) for a in cards}
                least = best_plays(list(strength.values()), rounds)[-1]
                found = best_of(position, seat)
                tried += len(set(strength.values())) > rounds
                assert strength.get(found, 0) >= least, (position.told(seat, "en"), game.actions.codes[found])
            for seat in (0, 1):
                position.apply(seat, lot.choice(position.legal(seat)))
            throw(position, lot)


@pytest.mark.parametrize("wanted", [3, pytest.param(200, marks=pytest.mark.slow)])
def test_in_a_clash_the_best_bid_loses_nothing_against_the_equilibrium(wanted: int) -> None:
    """Against the exact mixture of the other side the coach's first bid earns the value of the game."""
    lot, tried = random.Random(4), 0
    while tried < wanted:
        setup = copy.deepcopy(presets()[lot.choice(["tavern_takeover", "assassination", "strongbox", "debate"])])
        for faction in setup["factions"].values():
            faction["power"] = lot.randint(1, 5)
        defence = list(setup["factions"]["defender"]["units"])
        setup |= {"stage": "bid", "attack": {**setup["attack"], "defence": defence}}
        game = Game(SYSTEM.spec_of_setup(setup))
        position, solver = game.position(), solver_of(game)
        left = solver._to_go(position)
        bids = solver.bid_game(position)
        again = bids.solution(left - 1).value if left > 1 else bids.draw
        matrix, exact = bids.matrix(again), bids.solution(left)
        for seat in (0, 1):
            worth = matrix @ exact.column if seat == 0 else -(exact.row @ matrix)
            bid = best_of(position, seat) - st.Action.BID
            tried += float(np.ptp(worth)) > 1e-6
            assert worth[bid] > worth.max() - 0.02, (setup["factions"], seat, bid, worth.round(3))


PASS, BET = 0, 1
KUHN = {  # moves made, own card: what exact play may do (Kuhn 1950); where the answer is mixed, both
    (): ({PASS, BET}, {PASS}, {PASS, BET}),
    (PASS,): ({PASS, BET}, {PASS}, {BET}),
    (BET,): ({PASS}, {PASS, BET}, {BET}),
    (PASS, BET): ({PASS}, {PASS, BET}, {BET}),
}


def test_in_kuhn_poker_the_best_move_is_one_of_an_equilibrium() -> None:
    """Every moment and every card: a dominated fold, call or bet is never put first."""
    game, adviser, tried = make_game("kuhn"), Adviser(sims=3000), 0
    try:
        for moves, allowed in KUHN.items():
            for card, exact in enumerate(allowed):
                position, seat = game.position(), len(moves) & 1
                other = (card + 1) % 3
                first, second = (card, other) if seat == 0 else (other, card)
                position.fall(first)
                position.fall(second - (second > first))
                for number, move in enumerate(moves):
                    position.apply(number & 1, move)
                assert position.record.card[seat] == card
                found = adviser.best(game, View.of(position, seat, 1)).best[0].action
                tried += len(exact) == 1
                assert found in exact, (moves, card, found)
    finally:
        adviser.close()
    assert tried == 7


@pytest.mark.parametrize(("lang", "said"), [("en", "deals by chance, and reads"), ("de", "verteilt sie nach Zufall")])
def test_where_something_is_hidden_a_hint_says_what_it_does_not_read(
    lang: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A queen that is bet into: called by a search it is worth 0, as if the other bet alike with jack and king.

    By hand, after Kuhn (1950): who bets the jack in a share a of deals bets the king three times as often, so that the
    call wins 2 in one case of four and loses 2 in three, which is -1, what giving up is worth, too. The interval around
    0 holds neither; that has to be said. Nothing is hidden from somebody who alone acts in the open.
    """
    passing, betting = 0, 1
    monkeypatch.setattr(Judge, "of", lambda self, view: None)  # as if it were too large to be solved
    game, adviser = make_game("kuhn"), Adviser(sims=3000)
    position = game.position()
    position.fall(0)
    position.fall(0)  # of the two cards that are left: the queen
    position.apply(0, betting)
    duel = make_game("scorekeeper-duel", "blade_mirror").position()
    while faces := duel.die():
        duel.fall(faces - 1)
    seat = duel.to_act()[0]
    try:
        found = adviser.best(game, View.of(position, 1, 1))
        opened = adviser.best(duel.game, View.of(duel, seat, 1))
    finally:
        adviser.close()
    call = next(one for one in found.best if one.action == betting)
    assert found.blind and call.value - call.error > -1.0, "the true worth lies outside of the interval"
    assert said in lines_of(found, {passing: "pass", betting: "bet"}, lang, (-2.0, 2.0))[-1]
    choices = [Choice(passing, "pass", "", "", "pass"), Choice(betting, "bet", "", "", "bet")]
    hint = Hint(1, "", found.simulations, found.best, blind=True)
    assert said in advised(hint, choices, game, lang).reason
    assert said not in advised(dataclasses.replace(hint, blind=False), choices, game, lang).reason
    assert not opened.blind


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "The search estimates how often the others choose what"), ("de", "Auch wie oft die anderen was wählen"),
])  # fmt: skip
def test_a_mixed_hint_says_what_its_intervals_leave_out(lang: str, said: str) -> None:
    """Two searches of a duel of einBlatt named different cards, each surely better than the other's."""
    best = (Advice(0, 0.5, 0.1, 0.6), Advice(1, 0.4, 0.1, 0.4))
    texts = {0: "pass", 1: "bet"}
    choices = [Choice(action, text, "", "", text) for action, text in texts.items()]
    game = make_game("kuhn", compiled=False)
    for mixed in (True, False):
        told = "\n".join(lines_of(Counsel(5000, best, mixed=mixed), texts, lang, (-2.0, 2.0)))
        shown = advised(Hint(0, "", 5000, best, mixed=mixed), choices, game, lang).reason
        assert (said in told) == (said in shown) == mixed
    exact = tuple(dataclasses.replace(one, error=0.0, exact=True) for one in best)
    assert said not in "\n".join(lines_of(Counsel(5000, exact, mixed=True), texts, lang, (-2.0, 2.0)))


def test_in_leduc_the_answer_to_a_raise_loses_no_more_than_its_interval() -> None:
    """With each card: against the equilibrium the coach's move earns what the best one does, within what it states."""
    game, adviser, spreads, raising = make_game("leduc"), Adviser(sims=20_000), [], 2
    solution, tree = TreeCfr(game).run(seconds=120, until=2e-3).solution(), GameTree(game)
    exact = tree.profile([solution, solution])
    raised = np.zeros(6)  # how often the first seat raises with each card
    seen = game.layout.view(tree.requests(0).observations)
    for row in np.flatnonzero(seen["moves"].sum(axis=(1, 2, 3)) == 0):
        raised[seen["card"][row].argmax()] = exact[tree.starts[tree.states_of(0)[row] + 1] - 1]
    requests = tree.requests(1)
    seen = game.layout.view(requests.observations)
    try:
        for row in np.flatnonzero((seen["moves"].sum(axis=(1, 2, 3)) == 1) & (seen["moves"][:, 0, 0, raising] == 1)):
            state, view, card = int(tree.states_of(1)[row]), requests.view(int(row)), int(seen["card"][row].argmax())
            reached = (raised.sum() - raised[card]) / 30
            earned = {}
            for place, action in enumerate(view.legal):
                profile = exact.copy()
                profile[tree.starts[state] : tree.starts[state + 1]] = 0.0
                profile[tree.starts[state] + place] = 1.0
                earned[action] = float(tree.values(profile)[1]) / reached
            first = adviser.best(game, view).best[0]
            spreads.append(max(earned.values()) - min(earned.values()))
            assert max(earned.values()) - earned[first.action] <= first.error + 0.05, (row, earned, first)
    finally:
        adviser.close()
    assert len(spreads) == 6 and max(spreads) > 0.5


@pytest.mark.parametrize("truth", [50, 80])
def test_of_a_claim_is_believed_what_the_exact_odds_say(truth: int) -> None:
    """A listener alone, against dice: whoever follows the coach everywhere earns what the best answer earns."""
    game, adviser = make_game("oneshot-parley", "lone_claim", claim_truth=truth), Adviser(sims=3000)
    tree = GameTree(game)
    requests, states = tree.requests(0), tree.states_of(0)
    best, coached, worst = tree.best_response(0, tree.uniform()), tree.uniform(), []
    try:
        for row, state in enumerate(states):
            view = requests.view(row)
            place = view.legal.index(adviser.best(game, view).best[0].action)
            coached[tree.starts[state] : tree.starts[state + 1]] = np.arange(len(view.legal)) == place
    finally:
        adviser.close()
    for state in states:  # the coach's answer turned round, one moment at a time
        other = coached.copy()
        other[tree.starts[state] : tree.starts[state + 1]] = other[tree.starts[state] : tree.starts[state + 1]][::-1]
        worst.append(float(tree.values(other)[0]))
    assert len(states) == 4 and float(tree.values(coached)[0]) == pytest.approx(best.value, abs=0.01)
    assert min(worst) < best.value - 0.05, "something depends on it"


@pytest.mark.parametrize(("win", "loss"), [(1, 1), (3, 1), (1, 3)])
def test_a_test_is_taken_where_its_exact_chance_pays(win: int, loss: int) -> None:
    """Before a test with stakes the coach's first action is what the odds of rock-paper-scissors say, if not by a hair.

    Either side can hold the chance of success at that of uniform play (R8), so the odds are the value of the test.
    """
    adviser, chosen = Adviser(sims=6000), set[str]()
    try:
        for kind, gap in (("simple", 0), ("simple", 2), ("contest", -9), ("contest", -3), ("contest", 6)):
            numbers = {"value": 10, "target": 10 + gap} if kind == "simple" else {
                "attacker_value": 10, "defender_value": 10 + gap
            }  # fmt: skip
            tests = [{"kind": kind, **numbers, "win_points": win, "loss_points": loss}]
            game = make_game("ews_rps", tests=tests, payoff="stakes", may_decline=True)
            position = game.position()
            throw(position, random.Random(1))
            chance = float(success(kind, gap, game.spec.options))
            worth = win * chance - loss * (1 - chance)
            assert position.phase() == "choice" and position.to_act() == [0]
            if abs(worth) > 0.1:
                found = adviser.best(game, View.of(position, 0, 1)).best[0].action
                chosen.add(game.actions.codes[found])
                assert game.actions.codes[found] == ("attempt" if worth > 0 else "decline"), (kind, gap, chance)
    finally:
        adviser.close()
    assert chosen == {"attempt", "decline"}


def dealt(game: Game, *cards: int) -> Position:
    """Kuhn poker with the outcomes of both deals."""
    position = game.position()
    for card in cards:
        position.fall(card)
    return position


def test_an_expected_reply_knows_only_what_the_seat_knows() -> None:
    """The same, word for word, whichever card the other one holds; dealt are jack and king in turn."""
    game, agent = make_game("kuhn"), make_agent("search:sims=100")  # without a time, so that it answers alike
    agent.prepare(game)
    bet = game.actions.parse("bet")
    found = [reply_to(game, View.of(dealt(game, 1, card), 0, 7), bet, agent) for card in (0, 1)]
    assert found[0] == found[1] and found[0] is not None and (found[0].seat, found[0].deals) == (1, DEALS)
    assert found[0].times >= DEALS / 2 and found[0].texts in (("bet", "setzen"), ("pass", "passen"))
    english, german = found[0].texts
    times = found[0].times
    assert found[0].told(game, "en") == f"Expected next: second: {english} (in {times} of 8 cases tried)."
    assert found[0].told(game, "de") == (
        f"Danach zu erwarten: Zweiter: {german} (in {times} von 8 durchgespielten Fällen)."
    )
    position = dealt(game, 1, 0)
    position.apply(0, bet)
    assert reply_to(game, View.of(position, 1, 7), position.legal(1)[0], agent) is None, "the game is over then"
    agent.close()


def test_what_is_chosen_at_the_same_time_is_no_reply() -> None:
    """Not even of somebody who always shows the same."""
    game, rock = make_game("ews_rps", "plain_rps", compiled=False), make_agent("first")
    rock.prepare(game)
    position = game.position(3)
    assert len(position.to_act()) == 2
    assert reply_to(game, View.of(position, 0, 7), position.legal(0)[0], rock) is None


BET, PASS = (1, ("bet", "setzen")), (1, ("pass", "passen"))


@pytest.mark.parametrize(("found", "told"), [
    ([BET] * 8, (*BET, 8)), ([BET] * 4 + [PASS] * 4, (*BET, 4)), ([PASS] * 5 + [BET] * 3, (*PASS, 5)),
    ([BET] * 3 + [PASS] * 3 + [None] * 2, None),  # in three of eight deals: nobody knows
    ([None] * 5 + [BET] * 3, None), ([None] * 4 + [BET] * 4, None), ([BET] * 4 + [None] * 4, (*BET, 4)),
])  # fmt: skip
def test_a_reply_is_what_follows_in_half_of_the_deals(
    found: list[Any], told: tuple[Any, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 8 deals at least 4 with the same words; of two that are as frequent, the one that came first."""
    nothing: Any = None
    monkeypatch.setattr(reply, "_next", lambda game, view, action, agent, deal: found[deal])
    expected = reply_to(nothing, nothing, 0, nothing)
    assert (None if expected is None else dataclasses.astuple(expected)) == (None if told is None else (*told, DEALS))
    assert DEALS == 8


class World:
    """A game as lists: whose turn it is, with what is legal, from one decision to the next; then it is over."""

    def __init__(self, *moments: tuple[int, list[int]]) -> None:
        self.moments, self.taken = list(moments), []

    def roll(self, dice: Any) -> None:
        """There are none."""

    @property
    def over(self) -> bool:
        return not self.moments

    def to_act(self) -> list[int]:
        return [self.moments[0][0]]

    def legal(self, seat: int) -> list[int]:
        return self.moments[0][1]

    def apply(self, seat: int, action: int) -> None:
        assert seat == self.moments[0][0] and action in self.moments.pop(0)[1]
        self.taken.append((seat, action))


@pytest.mark.parametrize(("then", "told"), [
    ([(1, [4, 5])], 1),
    ([(1, [4]), (1, [6, 7])], 1),  # what has to be done is no reply
    ([(1, [4]), (2, [5]), (2, [6, 7])], 2),
    ([(1, [4]), (0, [6, 7])], None),  # the turn comes back
    ([(0, [6, 7])], None),
    ([(1, [4])], None),
    ([(1, [4])] * 19 + [(1, [6, 7])], 1),
    ([(1, [4])] * 20 + [(1, [6, 7])], None),
])  # fmt: skip
def test_a_forced_move_is_no_reply(
    then: list[tuple[int, list[int]]], told: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of somebody else who has a choice answers, after twenty moves at most."""
    world = World((0, [2, 3]), *then)
    view: Any = SimpleNamespace(seat=0, seed=7, world=lambda: world)
    agent: Any = SimpleNamespace(act=lambda asked: max(asked))
    monkeypatch.setattr(reply, "View", SimpleNamespace(of=lambda world, seat, seed, table_seed: world.legal(seat)))
    words = SimpleNamespace(text=lambda action, lang: f"{action} {lang}")
    monkeypatch.setattr(reply, "Speech", lambda game, world, seat: words)
    nothing: Any = None
    found = reply._next(nothing, view, 3, agent, 0)
    assert world.taken[0] == (0, 3)
    assert found == (None if told is None else (told, (f"{max(then[-1][1])} en", f"{max(then[-1][1])} de")))


def test_simulations_that_all_end_alike_leave_an_interval() -> None:
    """150 of them, 7 at each action: what has the seventh root of 5 % not to happen may be missing."""
    ends = (-2.0, 2.0)  # what poker pays

    def found(error: float, visits: int) -> Any:
        return SimpleNamespace(errors=np.full(4, error), visits=np.full(4, visits))

    assert half_width(ends, found(0.0, 7), 1) == pytest.approx(4 * (1 - 0.05 ** (1 / 7)))
    assert half_width(ends, found(0.0, 2), 1) == pytest.approx(4 * (1 - 0.05**0.5))
    assert half_width(ends, found(0.0, 1), 1) == half_width(ends, found(0.0, 0), 1) == 4
    assert half_width(ends, found(0.25, 7), 1) == pytest.approx(1.96 * 0.25)


@pytest.mark.parametrize(("simulations", "said"), [(1, True), (FEW - 1, True), (FEW, False), (0, False)])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_few_simulations_are_called_a_guess(simulations: int, said: bool, lang: str) -> None:
    advice = (Advice(0, 0.5, 0.1, 0.7), Advice(1, 0.2, 0.1, 0.3))
    lines = lines_of(Counsel(simulations, advice), {0: "pass", 1: "bet"}, lang, (-2.0, 2.0))
    assert any(str(simulations) in line and ("guess" in line or "Vermutung" in line) for line in lines) == said
    hint = Hint(0, "", simulations, advice)
    choices = [Choice(0, "pass", "", "", "pass"), Choice(1, "bet", "", "", "bet")]
    shown = advised(hint, choices, make_game("kuhn", compiled=False), lang).reason
    assert ("guess" in shown or "Vermutung" in shown) == said


@pytest.mark.parametrize(("options", "least"), [(2, FEW), (10, FEW), (11, 11 * EACH), (64, 64 * EACH)])
def test_what_is_a_guess_goes_by_how_many_actions_there_are(options: int, least: int) -> None:
    """271 simulations of 64 ways to begin a build, four of each, were told without a word of warning."""
    advice = (Advice(0, 0.5, 0.1, 0.7), Advice(1, 0.2, 0.1, 0.3))
    texts = {number: f"way {number}" for number in range(options)}
    choices = [Choice(number, name, "", "", name) for number, name in texts.items()]
    game = make_game("kuhn", compiled=False)
    for simulations, said in ((least - 1, True), (least, False)):
        lines = lines_of(Counsel(simulations, advice), texts, "en", (-2.0, 2.0))
        assert any("guess" in line for line in lines) == said
        assert ("guess" in advised(Hint(0, "", simulations, advice), choices, game, "en").reason) == said


@pytest.mark.parametrize(("untried", "lang", "said"), [
    ((), "en", ""),
    ((2, 3), "en", "The search did not try: east, west."),
    ((2, 3), "de", "Das hat die Suche nicht versucht: east, west."),
    ((2, 3, 4, 5), "en", "The search did not try: 4 others."),
    ((2, 3, 4, 5), "de", "Das hat die Suche nicht versucht: 4 andere."),
])  # fmt: skip
def test_a_hint_says_what_the_search_left_out(untried: tuple[int, ...], lang: str, said: str) -> None:
    """By name where it is little, by number else; at the table and on the page."""
    names = ("north", "stay", "east", "west", "up", "down")
    best = (Advice(0, 0.5, 0.1, 0.7), Advice(1, 0.2, 0.1, 0.3))
    texts, ends = dict(enumerate(names)), (-2.0, 2.0)
    lines = lines_of(Counsel(900, best, untried), texts, lang, ends)
    assert lines[-1] == said if said else "try" not in lines[-1]
    choices = [Choice(action, name, "", "", name) for action, name in texts.items()]
    shown = advised(Hint(0, "", 900, best, untried), choices, make_game("kuhn", compiled=False), lang).reason
    assert shown.endswith(said) and ("try" in shown) == (said != "" and lang == "en")


@pytest.mark.parametrize(("value", "places", "told"), [
    (-0.001, 2, "+0.00"), (-0.0, 2, "+0.00"), (-0.001, 3, "-0.001"), (-0.006, 2, "-0.01"), (1.0, 3, "+1.000"),
])  # fmt: skip
def test_nothing_is_never_less_than_nothing(value: float, places: int, told: str) -> None:
    """A call was worth `-0.00 ± 0.01`."""
    assert value_text(value, places) == told
    advice = (Advice(0, value, 0.3 * 10.0 ** (1 - places), 1.0),)
    assert lines_of(Counsel(900, advice), {0: "pass"}, "en", (-2.0, 2.0))[-2].startswith(f"  1. pass   {told} ")


@pytest.mark.parametrize(
    ("scenario", "rollout"), [("one_die", "random"), ("two_dice", "likely"), ("five_dice", "likely")]
)
def test_who_plays_the_simulations_of_liars_dice(scenario: str, rollout: str) -> None:
    game = make_game("liars_dice", scenario, compiled=False)
    assert lineup_of(game).rollout_in(game) == rollout


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_hint_in_liars_dice_names_no_bid_that_cannot_hold(seed: int) -> None:
    """With 1 2 3 6 6 it named eight dice showing 4, of which seven can at most be there, as worth +0.43."""
    game, adviser = make_game("liars_dice", "five_dice"), Adviser(sims=5000)
    view = View.of(game.position(seed), 0)
    try:
        counsel = adviser.best(game, view)
    finally:
        adviser.close()
    dice = np.rint(game.layout.view(view.observation)["dice"] * 5).astype(int)  # how many show each face
    quantity, face = (int(part) for part in game.actions.codes[counsel.best[0].action].split("x"))
    need, hit = quantity - dice[face - 1] - (dice[5] if face < 6 else 0), (1 if face == 6 else 2) / 6
    holds = sum(math.comb(5, k) * hit**k * (1 - hit) ** (5 - k) for k in range(max(need, 0), 6))
    assert dice.sum() == 5 and holds > 0.1, (dice, quantity, face)
