"""Habits of baselines and steps of the lab by hand, against what a list of cases or a search of all says."""

from __future__ import annotations

import itertools
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.declaration import Lineup
from probespiel.agents.einblatt import baselines as einblatt
from probespiel.agents.konfrontation import baselines as konf
from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver, TooLarge
from probespiel.agents.liars_dice import baselines as liars
from probespiel.agents.oneshot import talk
from probespiel.agents.rational_matrix import solve_matrix
from probespiel.agents.scorekeeper import outlook as fight
from probespiel.envs.core.game import Game
from probespiel.envs.einblatt.creation import check_bool
from probespiel.envs.einblatt.state import Action as EinblattAction
from probespiel.envs.einblatt.state import Disobedience, ReactionDecline
from probespiel.envs.einblatt.system import Einblatt
from probespiel.envs.konfrontation.state import Action
from probespiel.envs.konfrontation.system import SYSTEM as KONFRONTATION
from probespiel.envs.scorekeeper.state import Mode, Victory
from probespiel.evaluation.stress import game_levels, levels
from probespiel.evaluation.stress.breakage import with_replay
from probespiel.evaluation.stress.findings import Fault, Move
from probespiel.evaluation.stress.texts import words


def put(monkeypatch: pytest.MonkeyPatch, module: Any, **made: Any) -> None:
    for name, value in made.items():
        monkeypatch.setattr(module, name, value)


def plain(function: Any) -> Any:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


# einblatt: whom a seat on turn attacks


def prey_by_list(s: Any, p: Any, seat: int, style: int, allowed: int) -> int:
    """Worths as the docstring has them; of equal ones the next around the table."""
    mine, r = s.slot_class[seat, s.round_no], s.round_no
    worths: dict[int, int] = {}
    for t in range(p.seats):
        foe = t != seat and allowed >> t & 1 and p.team[t] != p.team[seat]
        if foe and s.is_open[t] and s.slot_class[t, r] < mine:
            worths[t] = 200 + s.slot_class[t, r]
        elif foe and not s.is_open[t] and s.passed[t]:
            worths[t] = 190 if mine > 0 else 0
        elif foe and not s.is_open[t] and s.hand[t] == 0:
            worths[t] = 180
        elif foe and not s.is_open[t]:
            bold = mine >= einblatt.SAFE or style not in (einblatt.HUNTER, einblatt.TURTLE)
            worths[t] = 100 - int(s.hand[t]).bit_count() if bold else 0
    best = max(worths.values(), default=0)
    around = [(seat + i) % p.seats for i in range(1, p.seats)]
    return next((t for t in around if best > 0 and worths.get(t, 0) == best), -1)


def test_prey_is_a_foe_who_may_be_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,500 tables of four drawn by a seed, in two teams or each for itself: targets that are no foes, foes that are
    no targets, open cards above and below, passers and spent seats.
    """
    rng = np.random.default_rng(5)
    found: list[int] = []
    for turn in range(1500):
        s = SimpleNamespace(
            round_no=1, slot_class=rng.integers(0, 9, (4, 2)), is_open=rng.integers(0, 2, 4),
            passed=rng.integers(0, 2, 4), hand=rng.choice([0, 1, 5, 7], 4),
        )  # fmt: skip
        team = [0, 1, 0, 1] if turn % 2 else [0, 1, 2, 3]
        p = SimpleNamespace(seats=4, team=team, targets=rng.integers(0, 16, 4))
        refused = int(rng.integers(0, 16))  # by a rule module
        put(monkeypatch, einblatt, hooks=SimpleNamespace(permit=lambda s, p, seat, bits, no=refused: bits & ~no))
        style = [einblatt.HUNTER, einblatt.TURTLE, einblatt.HIGHEST][turn % 3]
        seat = turn % 4
        wanted = prey_by_list(s, p, seat, style, int(p.targets[seat]) & ~refused)
        assert plain(einblatt.prey)(s, p, seat, style) == wanted
        found.append(wanted)
    assert set(found) == {-1, 0, 1, 2, 3}


# konfrontation: what a style does on its turn, and spoils


GAINS = (-np.inf, -0.5, 0.0, 0.2, 0.6)  # of the best attack; -inf: none


@pytest.mark.parametrize("gain", GAINS)
def test_styles_attack_by_what_it_must_bring(gain: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Building brings 0.1, gathering 0.3. The raider needs more than nothing, rush more than building, the matrix more
    than both; all in and without a bid attack whenever they can; what else they do is named.
    """
    asked: list[float] = []

    def plan_attack(s: Any, p: Any, seat: int, style: int, fixed: Any, enough: float, work: Any) -> tuple[float, int]:
        asked.append(enough)
        return gain, 0

    put(
        monkeypatch, konf, legal=lambda s, p, seat, words: None, plan_attack=plan_attack, workspace=lambda: None,
        has=lambda words, action: action in (Action.PASS, Action.ATTACK), number=lambda x: x,
        building_gain=lambda *_: 0.1, gathering_gain=lambda *_: 0.3, build=lambda *_: "build",
        gather=lambda words: "gather", rush_support=lambda s, p, seat, words, attack: ("support", attack),
        commonest=lambda *_: 0, count_of=lambda *_: 0,
    )  # fmt: skip

    def does(style: int) -> Any:
        return plain(konf.act)(None, None, 0, style, 0)

    attacks = Action.ATTACK
    assert does(konf.ALL_IN) == (attacks if gain > -np.inf else "gather")
    assert does(konf.ZERO_BID) == (attacks if gain > -np.inf else "build")
    assert does(konf.RAIDER) == (attacks if gain > 0.0 else "gather")
    assert does(konf.SUPPORT_RUSH) == ("support", gain)
    assert does(konf.RUSH) == (attacks if gain > 0.1 else "build")
    assert does(konf.MATRIX) == (attacks if gain > 0.3 else Action.GATHER)
    assert asked == [-np.inf, -np.inf, 0.0, 0.0, 0.1, 0.3]


def test_spoils_are_weighed_by_what_they_cost_who_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units 2, 5 and 7 are worth 3, 1 and 2 to the attacker, seat 0; if seat 1 demands them, their fate costs it 4, 9
    and 6. The attacker gives the cheapest, the winner takes the dearest.
    """
    costs = {2: 4.0, 5: 9.0, 7: 6.0}

    def fate_cost(s: Any, p: Any, owner: int, other: int, unit: int, kind: int) -> float:
        assert (owner, other, kind) == (0, 1, 3)
        return costs[unit]

    put(monkeypatch, konf, spoils_units=lambda s, p, what: 0b10100100, fate_cost=fate_cost)
    put(monkeypatch, konf, lowest_bit=lambda bits: (bits & -bits).bit_length() - 1)
    value = np.zeros((2, 12))
    value[0, [2, 5, 7]] = 3.0, 1.0, 2.0
    p = SimpleNamespace(w_unit=1.0)
    for spoils, dearest, cheapest in ((Action.SPOILS_REMOVE, 2, 5), (Action.SPOILS_DEMAND, 5, 2)):
        s = SimpleNamespace(spoils=spoils, attacker=0, defender=1, kind=3, value=value)
        assert plain(konf.spoils_unit)(s, p, 1) == Action.ITEM + dearest
        assert plain(konf.spoils_unit)(s, p, 0) == Action.ITEM + cheapest


# scorekeeper: what an outlook sees of a fight


def test_the_gap_of_a_fight_is_that_of_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places on a line; somebody shoots, so that the gap counts: the least distance of any able one to its nearest foe,
    30 at most; nobody able on one side: 30.
    """
    for places, able in itertools.product(
        [(0, 9, 4, 20), (0, 50, 3, 90), (0, 40, 80, 120)], [(1, 1, 1, 1), (1, 1, 0, 1), (0, 1, 0, 1)]
    ):
        foes = {0: (1, 3), 1: (0, 2), 2: (1, 3), 3: (0, 2)}

        def gap_of(f: int, t: int, places: Any = places) -> int:
            return abs(places[f] - places[t])

        def nearest(s: Any, p: Any, f: int, able: Any = able, gap_of: Any = gap_of, foes: Any = foes) -> int:
            return min((t for t in foes[f] if able[t]), key=lambda t: gap_of(f, t), default=-1)

        put(
            monkeypatch, fight, able=lambda s, f, able=able: bool(able[f]), nearest_able=nearest,
            distance=lambda s, f, t, gap_of=gap_of: gap_of(f, t), usual_mode=lambda *_: Mode.SHOOT,
            fighter_features=lambda *_: None,
        )  # fmt: skip
        out = np.zeros(fight.FEATURES)
        p = SimpleNamespace(fighters=4, team=[0, 1, 0, 1], max_rounds=9, victory=Victory.FIRST_BLOOD)
        count = plain(fight.features)(SimpleNamespace(round_no=2), p, out)
        met = [gap_of(f, nearest(None, None, f)) for f in range(4) if able[f] and nearest(None, None, f) >= 0]
        one, two = able[0] + able[2], able[1] + able[3]
        assert count == one + 16 * two
        shot = 0.05 * min(min(met, default=1000), 30) if met else 0.05
        assert out[2 * fight.SIDE :] == pytest.approx([shot, 0.35, 1.0])


# konfrontation and OneShot: as many positions as are allowed, and the method of a talk


def test_as_many_positions_as_are_allowed_are_solved() -> None:
    solver = object.__new__(ConfrontationSolver)
    solver.limit, solver.positions = 3, 0
    solver.game = cast(Any, SimpleNamespace(name="chess", spec=SimpleNamespace(scenario="usual")))
    for _ in range(3):
        solver._count()
    with pytest.raises(TooLarge, match=r"chess \(usual\) has more than 3 positions to solve"):
        solver._count()


@pytest.mark.parametrize(
    ("chances", "warm", "best"),
    [
        # success, critical, near, failure, disaster
        ([(0.3, 0.0, 0.2, 0.5, 0.0), (0.25, 0.1, 0.0, 0.65, 0.0), (0.2, 0.05, 0.7, 0.05, 0.0)], False, 1),
        ([(0.3, 0.0, 0.2, 0.5, 0.0), (0.25, 0.1, 0.0, 0.65, 0.0), (0.2, 0.05, 0.7, 0.05, 0.0)], True, 2),
        ([(0.1, 0.2, 0.7, 0.0, 0.0), (0.2, 0.1, 0.7, 0.0, 0.0), (0.1, 0.1, 0.8, 0.0, 0.0)], False, 0),  # equal
        ([(0.3, 0.0, 0.5, 0.1, 0.1), (0.2, 0.1, 0.6, 0.1, 0.0), (0.3, 0.0, 0.7, 0.0, 0.0)], True, 2),
        ([(0.1, 0.1, 0.8, 0.0, 0.0), (0.1, 0.3, 0.6, 0.0, 0.0), (0.2, 0.1, 0.7, 0.0, 0.0)], True, 1),
        ([(0.2, 0.1, 0.6, 0.1, 0.0), (0.5, 0.2, 0.1, 0.1, 0.1), (0.2, 0.2, 0.4, 0.0, 0.2)], True, 0),
    ],
)
def test_the_method_of_a_talk_that_most_likely_succeeds(
    chances: list[tuple[float, ...]], warm: bool, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A critical success is one; warm, a tenth less of failures and disasters comes before anything else."""

    def believed(s: Any, p: Any, who: int, method: int, out: Any) -> None:
        assert who == 1
        out[:] = chances[method]

    put(monkeypatch, talk, believed=believed)
    assert plain(talk.best_method)(None, None, 1, int(warm)) == talk.TALK + best


# the lab: deals of a level


@pytest.mark.parametrize(
    ("agent", "work", "rung", "deals"),
    [
        ("search:sims=50", 900_000, 30, 100),  # 4 games of 3 choices, 50 tries of 5 decisions in the mean: 3,000 a deal
        ("search:sims=50", 900_000, 20, 80),  # four times those of a rung
        ("search", 900_000, 30, 25),  # 200 tries
        ("search:sims=50", 180_000, 30, 20),
        ("search:sims=50", 175_000, 30, 0),  # 19: too few
    ],
)
def test_deals_of_a_level_by_its_work(agent: str, work: int, rung: int, deals: int) -> None:
    context: Any = SimpleNamespace(sides=("a", "b"), budget=SimpleNamespace(rung=rung, rung_work=work))
    assert game_levels.deals_of(context, cast(Any, SimpleNamespace(choices=3.0, length=10.0)), agent) == deals


@pytest.mark.parametrize(
    ("game", "number", "agent"),
    [
        ("einblatt-melee", 8, "search:sims=200,prior=rollout"),
        ("konfrontation-clash", 8, "search:sims=1000,indifferent=0,prior=rollout"),
        ("einblatt-melee", 2, "casual:sims=13,temperature=0.58,overlook=0.43"),
        ("ews_rps", 2, "casual:sims=16,temperature=0.5,overlook=0.4"),
        ("ews_rps", 7, "mixture"),
        ("einblatt-no-such-game", 6, None),
    ],
)
def test_levels_of_the_lab_follow_no_policy(game: str, number: int, agent: str | None) -> None:
    """It would know the rules without the module alone."""
    system = SimpleNamespace(name=game.partition("-")[0])
    context: Any = SimpleNamespace(bench=SimpleNamespace(system=system, settings=SimpleNamespace(game=game)))
    expected = f"{Lineup().levels[number - 1]},prior=rollout" if agent is None else agent
    assert game_levels.level_named(context, number) == expected


@pytest.mark.parametrize(
    ("game", "told", "german"),
    [
        (
            "ews_rps",
            "play like meta, who stands for level 6 of the game in stress tests",
            "spielen wie meta, das in Tests von Regeln für Stufe 6 des Spiels steht",
        ),
        ("einblatt-melee", "play at level 6 of the game, meta", "spielen auf Stufe 6 des Spiels, meta"),
    ],
)
def test_who_stands_for_a_level_is_told(game: str, told: str, german: str) -> None:
    """In rock-paper-scissors others than the levels play, whom `probespiel play --level` would bring."""
    system = SimpleNamespace(name=game.partition("-")[0])
    context: Any = SimpleNamespace(bench=SimpleNamespace(system=system, settings=SimpleNamespace(game=game)))
    assert levels.told_of(context, 6, "meta") == told
    assert words("de")(told) == german


# einblatt: the record of a game


@pytest.mark.parametrize(("name", "seats", "comparisons"), [("einblatt-duel", 2, 8), ("einblatt-melee", 12, 48)])
def test_a_record_has_room_for_its_seats_and_comparisons(name: str, seats: int, comparisons: int) -> None:
    """Compiled rules check no bounds: what they are told of sizes is what the record has."""
    sources = Einblatt().spec(name, None, {}, {}).sources
    assert (sources.constants["MAXS"], sources.constants["ENTRIES"], sources.seats) == (seats, comparisons, seats)
    state = sources.state
    assert state["slot"].shape == state["slot_class"].shape == (seats, 3) and state["hand"].shape == (seats,)
    assert {state[field].shape for field in state.names or () if field.startswith("e_")} == {(comparisons,)}


# the lab: what a worker tells of a broken game


@pytest.mark.parametrize("final", [None, {"who": "b", "what": "jumps"}])
@pytest.mark.parametrize("better", [{}, {"kind": "loop", "text": "goes round"}])
def test_a_fault_gets_the_game_that_shows_it(better: dict[str, str], final: dict[str, str] | None) -> None:
    fault = Fault("crash", "breaks", "with it", 3, 100, 40, 5)
    moves = [{"who": "a", "what": "walks"}, {"who": "b", "what": "waits"}]
    answer = {**better, "length": 7, "replay": "replays/1.json", "moves": moves, "final": final}
    kind, text = ("loop", "goes round") if better else ("crash", "breaks")
    jump = None if final is None else Move("b", "jumps")
    wanted = Fault(
        kind, text, "with it", 3, 100, 7, 5, "replays/1.json", (Move("a", "walks"), Move("b", "waits")), jump
    )
    assert with_replay(fault, answer) == wanted
    assert with_replay(fault, {**answer, "text": ""}).text == "breaks"


# set-ups, natures and matrices


def test_natures_fall_faction_by_faction() -> None:
    """R28: three characters of each; each die shows the nature of the next of them."""
    setup = {"mode": "campaign", "n_factions": 2, "turns": 2, "first_seat": 0, "random_natures": True}
    setup |= {"start_characters": ["shady", "social", "combative"], "start_resources": []}
    position = Game(KONFRONTATION.spec_of_setup(setup), compiled=False).position()
    falls = [2, 0, 3, 1, 1, 0]
    for left, fell in zip(range(len(falls), 0, -1), falls):
        assert position.die() == 4 and int(position.record.due_natures) == left and not position.to_act()
        position.fall(fell)
    assert position.die() == 0 and position.to_act() == [0]
    assert position.record.nature[:2, :3].ravel().tolist() == falls


def test_what_is_true_or_false_is_no_number() -> None:
    assert check_bool("x", True) is True and check_bool("x", False) is False
    for wrong in (0, 1, "true", None):
        with pytest.raises(ValueError, match=r"x = .*: allowed are true and false"):
            check_bool("x", wrong)


@pytest.mark.parametrize(
    ("matrix", "value", "row", "column"),
    [
        ([[3, 1], [1, 2]], Fraction(5, 3), "1/3 2/3", "1/3 2/3"),
        ([[0, 0, 0], [4, 0, 2], [1, 3, 0]], Fraction(6, 5), "0 3/5 2/5", "0 2/5 3/5"),  # the first row is dominated
        ([[2, 3], [1, 0]], Fraction(2), "1 0", "1 0"),
        ([[5, 0], [3, 4], [1, 1]], Fraction(10, 3), "1/6 5/6 0", "2/3 1/3"),
    ],
)
def test_mixtures_of_rationals(matrix: list[list[int]], value: Fraction, row: str, column: str) -> None:
    """By hand: what a side mixes earns the same against all that the other mixes, and no other choice does better."""
    found = solve_matrix(matrix)
    assert found.value == value
    assert (found.rows, found.columns) == tuple(tuple(map(Fraction, text.split())) for text in (row, column))
    assert min(sum(x * a for x, a in zip(found.rows, line)) for line in zip(*matrix)) == value
    assert max(sum(y * a for y, a in zip(found.columns, line)) for line in matrix) == value


@pytest.mark.parametrize("decline", list(ReactionDecline))
def test_an_attack_is_met_by_the_least_that_beats_it(decline: ReactionDecline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else by nothing where nothing is lost by it against a card of no worth, by a tie, by nothing, by the least."""
    classes = {0: 0, 3: 2, 4: 5, 9: 5, 20: 7}
    by_class = {
        name: lambda s, p, seat, plays, pick=pick: pick(
            (k for k in classes if plays >> k & 1), key=lambda k: classes[k]
        )
        for name, pick in (("highest", max), ("lowest", min))
    }
    put(monkeypatch, einblatt, **by_class, class_of=lambda s, p, seat, play: classes[play])
    put(monkeypatch, einblatt, lowest_bit=lambda bits: (bits & -bits).bit_length() - 1)
    p = SimpleNamespace(reaction_decline=decline)
    free = decline not in (ReactionDecline.LOSE, ReactionDecline.FORBIDDEN)
    for attack, size in itertools.product((0, 2, 5, 6, 8), range(len(classes) + 1)):
        s = SimpleNamespace(slot_class=np.array([[9, 9], [9, attack]]), attacker=1, round_no=1)
        for cards, may_pass in itertools.product(itertools.combinations(classes, size), (False, True)):
            if not cards and not may_pass:
                continue
            plays = sum(1 << k for k in cards) | may_pass << EinblattAction.PASS
            ranks = {k: (0 if classes[k] > attack else 2 if classes[k] == attack else 4, classes[k]) for k in cards}
            if may_pass:
                ranks[EinblattAction.PASS] = (1 if attack == 0 and free else 3, 0)
            for style in (einblatt.HUNTER, einblatt.TURTLE, einblatt.GREEDY):
                assert plain(einblatt.react)(s, p, 0, style, plays) == min(ranks, key=lambda k: ranks[k])
            if cards:
                first, last = min(cards, key=lambda k: classes[k]), max(cards, key=lambda k: classes[k])
                assert plain(einblatt.react)(s, p, 0, einblatt.LOWEST, plays) == first
                assert plain(einblatt.react)(s, p, 0, einblatt.HIGHEST, plays) == last


def test_orders_are_followed_where_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order to attack whom the rules permit, or to wait, if disobeying costs anything. The turtle waits behind the
    highest open card of the foes, its friends' apart; all others attack their prey, or wait without any.
    """
    wait, attack = EinblattAction.WAIT, EinblattAction.ATTACK
    put(monkeypatch, einblatt, hooks=SimpleNamespace(permit=lambda s, p, seat, bits: bits & 0b0110))
    for order, rule, mine, prey in itertools.product(
        (-1, wait, attack + 1, attack + 2, attack + 3), list(Disobedience), (3, 5, 6), (-1, 1)
    ):
        put(monkeypatch, einblatt, prey=lambda s, p, seat, style, prey=prey: prey)
        s = SimpleNamespace(
            order=[order, -1, -1, -1], round_no=0, is_open=[1, 1, 1, 0],
            slot_class=np.array([[mine], [5], [9], [9]]),  # seat 2 is a friend, seat 3 hides its card
        )  # fmt: skip
        p = SimpleNamespace(disobedience=rule, targets=[0b1010, 0, 0, 0], seats=4, team=[0, 1, 0, 1])
        bound = rule != Disobedience.NONE and order in (wait, attack + 1)
        hunts = attack + prey if prey >= 0 else wait
        assert plain(einblatt.act)(s, p, 0, einblatt.HUNTER) == (order if bound else hunts)
        assert plain(einblatt.act)(s, p, 0, einblatt.TURTLE) == (order if bound else wait if mine >= 5 else hunts)


@pytest.mark.parametrize("classes", [{0: 1, 3: 2, 4: 5, 9: 7}, {0: 7, 3: 1, 4: 5, 9: 0}])
@pytest.mark.parametrize("melee", [False, True])
def test_round_cards_of_styles(melee: bool, classes: dict[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four plays: the best; the best that the free rounds still need in random order or the least of them first; in
    a melee one of the best three or the least of those of the free rounds. The last round always has the best.
    """
    plays, ranked = sum(1 << k for k in classes), sorted(classes, key=lambda k: -classes[k])
    put(monkeypatch, einblatt, class_of=lambda s, p, seat, play: classes[play], MELEE=melee)
    put(monkeypatch, einblatt, lowest_bit=lambda bits: (bits & -bits).bit_length() - 1)
    put(monkeypatch, einblatt, popcount=lambda bits: int(bits).bit_count())
    put(monkeypatch, einblatt, free_slots=lambda s, p, seat: 0b1 if seat else s.free)  # of seat 0, whom it is about
    asked: list[int] = []

    def rand_below(rng: Any, n: int) -> int:
        asked.append(n)
        return n - 1

    put(monkeypatch, einblatt, rand_below=rand_below)
    p, round_card = SimpleNamespace(melee=[0, 1]), plain(einblatt.round_card)
    for conflict, free in itertools.product((0, 1), (0b100, 0b110, 0b111)):
        s = SimpleNamespace(conflict=conflict, free=free)
        k, fights = free.bit_count(), melee and conflict == 1
        found = {style: round_card(s, p, 0, None, style, plays) for style in range(6)}
        drawn, asked[:] = asked[:], []
        least = ranked[k - 1]
        assert found[einblatt.HIGHEST] == ranked[0] and found[einblatt.LOWEST] == least
        if fights:
            assert found[einblatt.HUNTER] == ranked[0] and found[einblatt.TURTLE] == ranked[-1]
            assert found[einblatt.BEST3] == found[einblatt.GREEDY] == ranked[2] and drawn == [3, 3]
        else:
            assert [found[style] for style in (einblatt.BEST3, einblatt.HUNTER, einblatt.TURTLE)] == [least] * 3
            assert drawn == ([] if k == 1 else [k] * 4)
        assert round_card(s, p, 0, None, einblatt.BEST3, 0) == EinblattAction.PASS


# liar's dice


@pytest.mark.parametrize(("dice", "faces"), [(1, 2), (2, 3), (3, 4)])
def test_chances_of_bids_by_all_throws_of_the_other(dice: int, faces: int) -> None:
    """The highest face is wild; both orders of bids; every own throw against every throw of the other."""
    for face_first, own in itertools.product((0, 1), itertools.combinations_with_replacement(range(faces), dice)):
        p = SimpleNamespace(dice=dice, faces=faces, face_first=face_first)
        s = SimpleNamespace(count=np.array([[own.count(face) for face in range(faces)]]))
        throws = list(itertools.product(range(faces), repeat=dice))
        for quantity, face in itertools.product(range(1, 2 * dice + 1), range(faces)):
            bid = face * 2 * dice + quantity - 1 if face_first else (quantity - 1) * faces + face
            held = sum(sum(x in (face, faces - 1) for x in (*own, *other)) >= quantity for other in throws)
            assert plain(liars.chance_of)(s, p, 0, bid) == pytest.approx(held / len(throws), abs=1e-12)


def test_bids_are_the_lowest_that_are_likely_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six bids with these chances; 6 doubts."""
    chances = [0.9, 0.5, 0.7, 0.4, 0.2, 0.1]
    put(monkeypatch, liars, chance_of=lambda s, p, seat, bid: chances[bid])
    p = SimpleNamespace(dice=1, faces=3)

    def does(last: int, least: float) -> int:
        return plain(liars.by_chance)(SimpleNamespace(last=last), p, 0, None, least)

    assert [does(last, 0.5) for last in range(-1, 6)] == [0, 1, 2, 6, 6, 6, 6]
    assert [does(last, 0.2) for last in range(-1, 6)] == [0, 1, 2, 3, 4, 6, 6]
    assert [does(last, 0.05) for last in range(-1, 6)] == [0, 1, 2, 3, 4, 5, 6]
    assert [does(last, 2.0) for last in range(-1, 6)] == [0, 6, 6, 6, 6, 6, 6]
    chances[:] = [0.4, 0.5, 0.7, 0.6, 0.2, 0.1]
    assert does(-1, 2.0) == 2 and does(-1, 0.65) == 2 and does(-1, 0.5) == 1 and does(1, 0.65) == 6
