"""Edges of statistics, seeds and tables: what lies just on a limit, or just beside it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import scipy.sparse

from probespiel.envs.core.aec import ProbespielAEC
from probespiel.envs.core.contract import problems_of
from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.envs.core.game import Position
from probespiel.envs.core.observe import Layout, Piece
from probespiel.envs.core.parallel import ProbespielParallel
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.rng import mix, rng_table
from probespiel.envs.einblatt import ending, melee
from probespiel.envs.oneshot import exact
from probespiel.envs.oneshot.build import fight as build_fight
from probespiel.envs.oneshot.build.duel import check_chance
from probespiel.envs.oneshot.character.sheet import carried_wounds, rank_cost
from probespiel.envs.oneshot.exact import _Duel, check_outcomes
from probespiel.envs.oneshot.mission import rules as mission_rules
from probespiel.evaluation.ews_rps.odds import weights_of
from probespiel.evaluation.tournament import ladder, results
from probespiel.evaluation.tournament.blocks import BlockSums
from probespiel.evaluation.tournament.ladder_page import _cells
from probespiel.evaluation.tournament.metagame import mixed_domination
from probespiel.evaluation.tournament.ratings import separated
from probespiel.evaluation.tournament.report import example_reason
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.summary import Example, plain


def test_where_nothing_is_won_nothing_dominates() -> None:
    """All payoffs are 0: neither strategy is ahead of the other anywhere."""
    found = mixed_domination(np.zeros((2, 2)), 0)
    assert (found.strict, found.weak) == (False, False) and not found.weights.any()


def test_once_one_is_best_nothing_is_open() -> None:
    """a earns less than b and c by 0.2 at most, which is near enough, though c leads: bc tells nothing any more."""
    watch = Race(Until("best", within=0.5), tuple("abc"), (-4.0, 4.0), 10, 100)
    watch.blocks, sequence = 3, watch._sequence
    sequence.low, sequence.high = np.array([-0.1, -0.2, -3.0]), np.array([2.0, 2.0, 3.0])
    sequence.n = np.full(3, 20)
    sequence._sum = np.array([0.1, -0.1, -1.2]) * 20 / (2 * sequence.span)
    sequence._squares = sequence._sum**2 / 20
    assert watch._best() == 0 and watch._leader() == 2 and not watch.told[2] and not watch._hopeless()[2]
    assert not watch._open().any()
    sequence.low[1] = -0.6
    assert watch._best() is None and watch._open()[2]


def test_half_a_point_keeps_groups_together() -> None:
    """One drawn game of four; of two others none."""
    assert separated(np.array([[0.0, 3.5], [0.5, 0.0]])).groups == ((0, 1),)
    assert separated(np.array([[0.0, 4.0], [0.0, 0.0]])).groups == ((0,), (1,))


def test_halves_of_strata_that_alternate_hold_both() -> None:
    """Units of two strata in turn, worth 1, 10, 100 and 1000: 1 and 10 are one half, 100 and 1000 the other."""
    cells = [scipy.sparse.csr_array(np.array([[1.0], [10.0], [100.0], [1000.0]])) for _ in range(6)]
    sums = BlockSums(1, 1, 4, np.array([0, 1, 0, 1]), tuple(cells), np.zeros((1, 1)), 2, True, np.zeros((1, 1)))
    first, second = sums.halves()
    assert (first.games.item(), second.games.item()) == (11.0, 1100.0)
    assert sums.totals().seat_payoff.item() == 1111.0


def test_of_three_units_of_a_stratum_the_second_is_the_other_half() -> None:
    cells = [scipy.sparse.csr_array(np.array([[1.0], [10.0], [100.0]])) for _ in range(6)]
    sums = BlockSums(1, 1, 3, np.array([0, 0, 0]), tuple(cells), np.zeros((1, 1)), 2, True, np.zeros((1, 1)))
    first, second = sums.halves()
    assert (first.games.item(), second.games.item()) == (101.0, 10.0)


@pytest.mark.parametrize("seed", [2, 3])
def test_every_state_of_a_table_of_dice_has_its_own_seed(seed: int) -> None:
    found = rng_table(seed, 64, "dice")
    assert len(set(found.tolist())) == 64 and np.array_equal(found[:5], rng_table(seed, 5, "dice"))
    others = np.concatenate([rng_table(seed + 2, 64, "dice"), rng_table(seed, 64, "cards")])
    assert not set(found.tolist()) & set(others.tolist())


def test_a_value_out_of_its_range_is_named_by_its_piece() -> None:
    layout = Layout([Piece("own", (2,), 0.0, 1.0, ""), Piece("other", (3,), -1.0, 1.0, "")])
    layout.check(np.array([0.0, 1.0, -1.0, 0.0, 1.0]))
    for index, value, said in ((0, -0.1, "'own', value 0"), (1, 1.1, "'own', value 1"), (2, -1.1, "'other', value 0"),
                               (4, np.nan, "'other', value 2")):  # fmt: skip
        seen = np.zeros(5)
        seen[index] = value
        with pytest.raises(RulesetError, match=said):
            layout.check(seen)


@pytest.mark.parametrize("form", [ProbespielAEC, ProbespielParallel])
def test_tables_throw_the_dice_of_the_position_whatever_the_size_of_the_seed(form: Any) -> None:
    game = make_game("kuhn", compiled=False)
    for small in range(6):
        dealt = []
        for seed in (small, 2**32 + small, 2**62 + small):
            env, position = form(game), game.position(seed)
            env.reset(seed=seed)
            position.roll()
            dealt.append(tuple(position.key(seat) for seat in (0, 1)))
            assert tuple(env.position.key(seat) for seat in (0, 1)) == dealt[-1]
        if len(set(dealt)) == 3:
            return
    pytest.fail("seeds that differ in their upper bits alone deal alike")


@pytest.mark.parametrize(("by", "wrong"), [(0.0, False), (1.5, True), (-1.5, True)])
def test_what_is_seen_beyond_either_end_of_its_range_is_a_problem(
    by: float, wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = make_game("kuhn", compiled=False).position(3)
    position.roll()
    seen = position.observe(0).copy()
    seen[0] += by
    monkeypatch.setattr(Position, "observe", lambda self, seat: seen)
    told = problems_of(position)
    assert len(told) == wrong and all("is outside" in line for line in told)


# What pages tell


def test_weights_may_be_nothing_but_not_less() -> None:
    assert weights_of("1/2, 1/2, 0") == [Fraction(1, 2), Fraction(1, 2), 0] and weights_of("1,0,0") == [1, 0, 0]
    for wrong in ("1/2,3/4,-1/4", "1/2,1/2", "1/2,1/4,1/8", "1/2,1/2,1/0", "a,b,c"):
        with pytest.raises(ProbespielError, match="three weights of sum 1"):
            weights_of(wrong)


def test_why_a_game_of_a_tournament_was_chosen() -> None:
    ahead = Example("ahead", 0, 1, 5, 0, (1.0, -1.0), 7, 20)
    assert example_reason(ahead).startswith("the middle result of the 7 among their first 20 games in which the first")
    assert example_reason(replace(ahead, kind="middle")) == "the middle result of their first 20 games"


def test_cells_of_a_ladder_are_tinted_by_who_took_more() -> None:
    """a took 3 of 4 points from b and lost 0.5 a game all the same; c, who met nobody, has no numbers."""
    rows: list[Any] = [SimpleNamespace(name=name, rank=i, rating=1500.0, half=None, kind="", games=4, points=3.0,
                                       version="", added="") for i, name in enumerate("abc")]  # fmt: skip
    pair: Any = SimpleNamespace(first=0, second=1, points=3.0, games=4.0, payoff=-0.5)
    found: Any = SimpleNamespace(graded=False, digits=3)
    table = _cells(rows, [pair], found, "en")
    told = [[str(cell) for cell in row["cells"]] for row in table]
    assert "var(--gain),0.3" in told[0][1] and "75.0%, 4" in told[0][1] and "0.500" in told[0][1]
    assert "var(--loss),0.3" in told[1][0] and "25.0%, 4" in told[1][0] and "'25%'" in told[1][0]
    found.graded = True  # then it is tinted by who got more: 0.5 is the most
    more: Any = SimpleNamespace(first=1, second=2, points=2.0, games=2.0, payoff=-0.25)
    table = _cells(rows, [pair, more], found, "en")
    told = [[str(cell) for cell in row["cells"]] for row in table]
    assert "var(--loss),0.6" in told[0][1] and "var(--gain),0.6" in told[1][0] and "var(--loss),0.3" in told[1][2]
    assert table[0]["cells"][1]["text"] == "−0.500" and "75.0%, 4" in told[0][1]


@pytest.mark.parametrize(("most", "within", "batches"), [(20, 0.0, 2), (21, 0.0, 3), (99, 7.0, 3), (99, 7.5, 3)])
def test_a_newcomer_plays_until_it_has_enough_games_or_is_rated_well_enough(
    most: int, within: float, batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten games a batch, of which one of others was there; its interval is 10, 9, 8, 7 and so on points wide."""
    book = SimpleNamespace(players=lambda: [SimpleNamespace(id=i) for i in range(3)], batches=lambda: list(played),
                           record=lambda batch: played.append(batch))  # fmt: skip
    played = [SimpleNamespace(first=1, second=2, games=10)]
    own = lambda found: sum(0 in (one.first, one.second) for one in found)  # noqa: E731
    monkeypatch.setattr(ladder, "is_current", lambda player: True)
    monkeypatch.setattr(ladder, "rate", lambda n, found, of: (np.zeros(n), np.full(n, 10.0 - own(found))))
    monkeypatch.setattr(ladder, "best_opponent", lambda who, others, n, found: others[-1])
    monkeypatch.setattr(
        ladder,
        "play",
        lambda book, game, first, second, *_: SimpleNamespace(first=first.id, second=second.id, games=10),
    )
    newcomer: Any = SimpleNamespace(id=0)
    found: Any = list(ladder.place(cast(Any, book), cast(Any, None), newcomer, within, most))
    assert [(one.first, one.second) for one in found] == [(0, 2)] * batches and played[1:] == found


# Rules that are seldom met


def test_what_a_mission_asks_for_is_remembered_with_both_of_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario, a condition of kind 2 at level 1 with 12 minutes and 3 people: parties that were told other numbers
    know something else."""
    noted: list[int] = []
    for name, made in {
        "run_generator": lambda *_: None, "explore": lambda *_: None, "remember": lambda s, what: noted.append(what),
    }.items():  # fmt: skip
        monkeypatch.setattr(mission_rules, name, made)
    s = SimpleNamespace(
        starved=0, mode=mission_rules.Mode.GENERATE, n_scenarios=1, scenarios=[7], n_cond=1, cond_kind=[2],
        cond_level=[1], cond_value=np.array([[12, 3]]), tape_n=2, tape=[4, 5], tape_at=2, visited=[0], n_visited=0,
    )  # fmt: skip
    mission_rules.run_tape(s, None)
    assert noted == [2007, 3009, 1203]
    assert (s.tape, s.tape_n, s.tape_at, s.visited, s.n_visited) == ([0, 0], 0, 0, [1], 1)


def test_ranks_beyond_the_third_cost_more() -> None:
    """R12, A1: one more for each beyond it, or one, two, three more."""
    assert [rank_cost(rank, "linear") for rank in range(6)] == [0, 1, 2, 3, 5, 7]
    assert [rank_cost(rank, "triangular") for rank in range(7)] == [0, 1, 2, 3, 5, 8, 12]


@pytest.mark.parametrize(("perks", "wounds", "when", "carried"), [
    ((), 3, "always", 0), (("will_to_live",), 0, "always", 1), (("will_to_live",), 0, "if_wounded", 0),
    (("will_to_live",), 2, "if_wounded", 1),
])  # fmt: skip
def test_a_will_to_live_carries_one_wound_on(perks: tuple[str, ...], wounds: int, when: str, carried: int) -> None:
    assert carried_wounds({"perks": perks}, wounds, {"will_to_live_wound": when}) == carried


def test_a_check_has_the_chance_of_all_its_outcomes() -> None:
    """With 7 - modifier needed: a 1 fails in a third of its cases though it would do, a 6 does in a third of them."""
    for modifier in range(-4, 8):
        for confirmed in (True, False):
            outcomes = check_outcomes(modifier, 7, confirmed)
            wanted = sum(chance for chance, _, success, *_ in outcomes if success)
            assert check_chance(modifier, 7, int(confirmed)) == pytest.approx(wanted)
    assert check_chance(-9, 7, 1) == pytest.approx(1 / 18) and check_chance(9, 7, 1) == pytest.approx(17 / 18)


def test_after_the_last_stage_nobody_builds_and_the_fight_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        build_fight, "build", SimpleNamespace(to_act=lambda s, p: 0b11, key=lambda s, p, seat: 40 + seat)
    )
    for stage, bits in ((0, 0b11), (build_fight.STAGES - 1, 0b11), (build_fight.STAGES, 0)):
        s = SimpleNamespace(stage_no=stage, public=9)
        assert build_fight.to_act(s, None) == bits
        assert build_fight.key(s, None, 1) == (41 if bits else mix(41, 9))


@pytest.mark.parametrize(("result", "a", "b", "draw"), [("losses", 0.5, 0.2, 0.3), ("draw", 0.0, 0.0, 1.0)])
def test_at_the_limit_of_a_duel_who_has_fewer_wounds_wins(result: str, a: float, b: float, draw: float) -> None:
    """a has one wound and b two in half of all cases, the other way round in a fifth, and both have one in the rest."""
    race = object.__new__(_Duel)
    left = {(1, 2, 0, 0): 0.5, (2, 1, 0, 0): 0.2, (1, 1, 0, 0): 0.3}
    for name, value in {
        "two": [SimpleNamespace(key=0), SimpleNamespace(key=0)], "play": lambda *_: left,
        "options": {"turn_at_zero": False, "limit_result": result},
    }.items():  # fmt: skip
        setattr(race, name, value)
    assert race.run((3, 3), 3, 100) == pytest.approx({"a": a, "b": b, "draw": draw, "open": 0.0})
    assert race.run((3, 3), None, 3) == pytest.approx({"a": 0.0, "b": 0.0, "draw": 0.0, "open": 1.0})


@pytest.mark.parametrize(
    ("charisma", "steps", "value"),
    [
        (1, 1, (17 + 0.2) / 18),
        (3, 1, (17 - 1) / 18),
        (1, 0, 0.2),
        (1, 2, (17 + (17 + 0.2) / 18) / 18),
        (2, 2, (17 + (17 - 1) / 18) / 18),
    ],
)
def test_a_talk_that_only_a_1_can_spoil(
    charisma: int, steps: int, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails in 1 of 18: then the steps are over (0.2), patience is (-1), or it is tried once more."""
    monkeypatch.setattr(exact, "derive", lambda *_: {"wound_limit": 3})
    speaker = {"aggressive": 9, "cunning": 9, "diplomatic": 9, "charisma": 0, "mind": 0}
    other = {**dict.fromkeys(exact.ATTRIBUTES, 0), "charisma": charisma}
    options = {
        "social_offset": 4, "social_tie": "success", "goal_successes": 1, "max_steps": steps,
        "payoffs": (1.0, 0.2, -1.0),
        "mood_tracks": "linked", "critical_means": "confirmed", "recover_adds_untrained": False, "relation": 0,
        "request_difficulty": 0, "critical_mood_double": False, "recover_limit": 0,
    }  # fmt: skip
    worth, chance = exact.best_talk(speaker, other, options, kit=cast(Any, "kit"))
    assert worth == pytest.approx(value) and chance == pytest.approx(1 - 1 / 18**steps)


def test_only_orders_of_those_who_were_on_turn_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats 1 and 2 of four were: 1 did what it was told, 2 did not, and 3, who is told something, is still to come."""
    after, punished = list[int](), list[int]()
    monkeypatch.setattr(melee.hooks, "after_action", lambda s, p, seat: after.append(seat))
    monkeypatch.setattr(melee, "penalise", lambda s, p, seat: punished.append(seat))
    s = SimpleNamespace(group=0b0110, order=[-1, 4, 5, 6], sealed=[7, 4, 4, -1])
    melee.finish_turn(s, SimpleNamespace(seats=4))
    assert (after, punished) == ([1, 2], [2]) and s.group == 0
    assert (s.order, s.sealed) == ([-1, -1, -1, 6], [7, -1, -1, -1])


@pytest.mark.parametrize(
    ("payoff", "paid"),
    [
        ("TEAM_SUM", [3.0, -4.0, 3.0]),
        ("TEAM_MAX", [2.0, -4.0, 2.0]),
        ("WIN", [1.0, -1.0, 1.0]),
        ("EP_CLIPPED", [2.0, -3.0, 1.0]),
    ],
)
def test_what_a_test_pays_a_team_or_its_seats(payoff: str, paid: list[float]) -> None:
    """Seats 0 and 2, with 2 and 1 points of success, against seat 1 with -4."""
    p = SimpleNamespace(payoff=ending.Payoff[payoff], seats=3, team=[0, 1, 0])
    s = SimpleNamespace(ep=[2, -4, 1])
    assert [ending.utility(s, p, seat) for seat in range(3)] == paid


@pytest.mark.parametrize(("changes", "text"), [
    ({"result": [1, -1, 1, 0]}, r"team 5 of game 8 both won and did not"), ({"seat": [0, 1, 1, 1]}, "seat 1 of game 8"),
    ({"deal": [3, 3, 4, 5]}, "game 8 has several values of 'deal'"), ({"agent": [0, 1, 2, 0]}, "agent is 2 in row 2"),
    ({"payoff": [0.0, np.inf, 0.0, 0.0]}, "payoff is inf in row 1"),
    ({"forfeit": [0, 4, 0, 0]}, "forfeit is 4 in row 1"),
    ({"length": [1, 1, -1, 1]}, "length is -1 in row 2; it must be at least 0"),
])  # fmt: skip
def test_what_no_table_of_results_may_hold(changes: dict[str, list[float]], text: str) -> None:
    """Two games of two seats; those of the second are one team, which wins or loses as a whole."""
    columns = {
        "pairing": [0] * 4, "block": [0] * 4, "deal": [3, 3, 4, 4], "seating": [0] * 4, "game": [7, 7, 8, 8],
        "seat": [0, 1, 0, 1], "team": [0, 1, 5, 5], "agent": [0, 1, 1, 0], "payoff": [1.0, -1.0, 2.0, 2.0],
        "result": [1, -1, 1, 1], "decisions": [2] * 4, "forfeit": [0, 3, 0, 0], "length": [6] * 4,
    }  # fmt: skip
    turned = {name: list(reversed(values)) for name, values in columns.items()}
    found = results.validate(results.make_table(turned), 2)
    assert {name: found.column(name).to_pylist() for name in columns} == columns
    with pytest.raises(results.ResultsError, match=text):
        results.validate(results.make_table(columns | changes), 2)


def test_a_summary_is_plain() -> None:
    found = plain({"a": (np.float64(1 / 3), np.nan, np.int64(4)), 5: [-0.0, None, "x", -np.inf, 12345678901.23]})
    assert found == {"a": [0.3333333333, None, 4], "5": [0.0, None, "x", None, 12345678900.0]}
    assert str(found["5"][0]) == "0.0" and type(found["a"][2]) is int
