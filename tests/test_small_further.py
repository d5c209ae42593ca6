"""Further small cases by hand: races, reports, tables, exploits, trainings, and what heroes reckon."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.konfrontation import values as clashes
from probespiel.agents.match import Schedule
from probespiel.agents.scorekeeper import outlook
from probespiel.agents.scorekeeper import values as wounds
from probespiel.app.session import casting
from probespiel.envs.core.engine import Local
from probespiel.envs.core.rng import derive_seed
from probespiel.envs.scorekeeper.state import Wound
from probespiel.evaluation.exploit.games import Games, Spread
from probespiel.evaluation.exploit.learned import Courses
from probespiel.evaluation.exploit.measure import Ask, Bench
from probespiel.evaluation.tournament import loadouts, report
from probespiel.evaluation.tournament.ratings import ranks
from probespiel.evaluation.tournament.sequential import Race, Until
from probespiel.evaluation.tournament.summary import Interval
from probespiel.training import showing
from probespiel.training.psro import Responses

from .test_sequential import block_of

# Reports


@pytest.mark.parametrize(("payoffs", "leader"), [
    ([0.5, -1.0, 0.2], 2),  # a wins 0.5 from b and loses 1 to c; b wins 0.2 from c: from the field -0.25, -0.15, 0.4
    ([0.5, 1.0, 0.2], 0),
    ([-0.5, 0.1, 0.2], 1),
])  # fmt: skip
def test_who_leads_a_race(payoffs: list[float], leader: int) -> None:
    """The one that leads all others by the means, wherever it stands."""
    race = Race(Until("best"), ("a", "b", "c"), (-2.0, 2.0), 40, 480)
    race.add(block_of(np.array([payoffs, payoffs])))
    assert race._leader() == leader


@pytest.mark.parametrize(("least", "most", "sure"), [
    (-0.1, 0.2, False), (0.1, 0.2, True), (-0.2, -0.1, True), (0.0, 0.2, False), (-0.2, 0.0, False),
    (None, None, False),
])  # fmt: skip
def test_a_margin_is_sure_where_its_whole_interval_is_on_one_side(
    least: float | None, most: float | None, sure: bool
) -> None:
    nothing = [[None, None], [None, None]]
    summary = cast(Any, SimpleNamespace(
        leaderboard=[SimpleNamespace(agent=0), SimpleNamespace(agent=1)], names=["a", "b"],
        matrix=[[0.0, 0.1], [-0.1, 0.0]], matrix_low=None, matrix_high=None, scores=nothing, meetings=nothing,
        joint_low=[[None, least], [None, None]], joint_high=[[None, most], [None, None]],
    ))  # fmt: skip
    assert [cell["sure"] for line in report._cells(summary, 3) for cell in line["cells"]] == [False, sure, False, False]


def test_the_matrix_of_a_report_is_in_order_of_rank() -> None:
    """The third earns most, then the first: 3 from the second, 2 from the first, who takes 1 of the second."""
    matrix = [[0.0, 1.0, -2.0], [-1.0, 0.0, -3.0], [2.0, 3.0, 0.0]]
    summary = cast(Any, SimpleNamespace(
        leaderboard=[SimpleNamespace(agent=i) for i in (2, 0, 1)], names=["a", "b", "c"], matrix=matrix,
        matrix_low=[[v - 0.25 for v in row] for row in matrix], matrix_high=[[v + 0.5 for v in row] for row in matrix],
        scores=[[None, 0.75, 0.25], [0.25, None, 0.0], [0.75, 1.0, None]],
        meetings=[[None, 40.0, 40.0], [40.0, None, 40.0], [40.0, 40.0, None]], joint_low=None, joint_high=None,
    ))  # fmt: skip
    lines = report._cells(summary, 3)
    assert [line["agent"] for line in lines] == [2, 0, 1]
    texts = [[cell["text"] for cell in line["cells"]] for line in lines]
    assert texts == [["", "+2.00", "+3.00"], ["−2.00", "", "+1.00"], ["−3.00", "−1.00", ""]]
    assert [[cell["self"] for cell in line["cells"]] for line in lines] == np.eye(3, dtype=bool).tolist()
    assert not any(cell["sure"] for line in lines for cell in line["cells"])
    assert lines[1]["cells"][2]["about"] == "a against b: +1.000 (+0.750 to +1.500), 75.0% of the points in 40 games"
    assert lines[2]["cells"][0]["tint"] == 'style="background:rgba(var(--loss),0.62)"'
    third = round((1 / 3) ** 0.7 * 0.62, 3)
    assert lines[1]["cells"][2]["tint"] == f'style="background:rgba(var(--gain),{third})"'
    assert [cell["text"] for cell in report._cells(summary, 1)[0]["cells"]] == ["", "+2.0", "+3.0"]


def test_the_decision_of_a_race_stands_where_its_bounds_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own note alone: others stand where they always do."""
    monkeypatch.setattr(report, "decision_games", lambda summary, info: ())
    monkeypatch.setattr(report, "anchor_of", lambda note: None)
    info = cast(Any, SimpleNamespace(examples=()))
    summary = cast(Any, SimpleNamespace(decision=SimpleNamespace(text="a earns more than b")))
    assert report._note_links("a earns more than b", summary, info) == ("decision", [])
    assert report._note_links("another", summary, info) is None
    without = cast(Any, SimpleNamespace(decision=None))
    assert report._note_links("a earns more than b", without, info) is None


def test_ranks_of_many_ratings_have_a_tolerance_of_their_own() -> None:
    """What is equal beside 1000 is not beside 0.001; and a rating is equal to others of its row, not of its column."""
    assert ranks(np.array([[1000.0, 0.0, 1e-7], [0.001, 0.0, 1e-7]])).tolist() == [[1, 2, 2], [1, 3, 2]]
    assert ranks(np.array([[1000.0, 0.0, 1e-7]])).tolist() == [[1, 2, 2]]


def test_what_a_part_of_a_loadout_is_worth_is_as_unsure_as_both_ratings() -> None:
    """A sword instead of a club: 0.5 more, by ratings with half widths of 0.2 and 0.1."""
    rows = [
        SimpleNamespace(agent=0, rating=0.3, rating_interval=Interval(0.1, 0.5)),
        SimpleNamespace(agent=1, rating=-0.2, rating_interval=Interval(-0.3, -0.1)),
    ]
    found = loadouts._swaps(cast(Any, SimpleNamespace(leaderboard=rows)), {0: "sword", 1: "club"})
    swap = found["sword", "club"]
    assert (swap.gain, swap.interval.low, swap.interval.high) == pytest.approx((0.5, 0.2, 0.8))
    back = found["club", "sword"]
    assert (back.gain, back.interval.low, back.interval.high) == pytest.approx((-0.5, -0.8, -0.2))


# Tables


@pytest.mark.parametrize(("partner", "second"), [("kind", "kind"), (None, "foe")])
def test_who_sits_beside_a_person_is_the_partner(partner: str | None, second: str) -> None:
    """Sides of two: the partner sits on the person's side alone, and where there is none, opponents sit everywhere."""
    seats = [SimpleNamespace(side=side) for side in ("x", "y", "x", "y")]
    game = cast(Any, SimpleNamespace(seats=seats, seat_index=lambda seat: seat))
    assert casting.cast(game, 0, "foe", partner) == {0: "human", 1: "foe", 2: second, 3: "foe"}


# Exploits and trainings


def test_files_of_trainings_are_numbered_from_one() -> None:
    courses = Courses(cast(Any, None), cast(Any, None), Path("f"), 1, 2)
    assert [str(path) for path in courses._files(0)] == [
        "f/exploiter-1.safetensors", "f/exploiter-1.json", "f/checkpoint-1.part",
    ]  # fmt: skip
    assert [path.name for path in courses._files(1)] == [
        "exploiter-2.safetensors", "exploiter-2.json", "checkpoint-2.part",
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "asked"), [(1, [(5, 1, 7)]), (2, [(0, 0, 1), (0, 0, 200), (5, 1, 7)])])
def test_what_a_deal_costs_is_measured_where_several_could_play(
    count: int, asked: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the agent itself on the first side, which all games have; one process plays all without looking."""
    seen: list[tuple[int, int, int]] = []

    def answer(ask: Ask) -> np.ndarray:
        seen.append((ask.hero, ask.side, ask.count))
        return np.zeros(ask.count)

    monkeypatch.setattr("probespiel.evaluation.exploit.games._TRIAL", 200)
    spread = Spread(Local(count), cast(Games, None))
    assert [len(row) for row in spread(cast(Bench, SimpleNamespace(answer=answer)), [Ask(5, 1, 0, 7)])] == [7]
    assert seen == asked


def test_trainings_of_a_round_begin_where_they_were() -> None:
    """Of three, one was never begun: 0, 40 and 7 decisions are told before anybody learns."""
    told: list[int] = []
    members = [None, SimpleNamespace(decisions=40), SimpleNamespace(decisions=7)]
    people = SimpleNamespace(
        folder=SimpleNamespace(mkdir=lambda **_: None), members=lambda: members, configs=[1, 2, 3],
        learn=lambda *_: members[1:],
    )  # fmt: skip
    doing = SimpleNamespace(tell=told.append, engine=None, stopped=None)
    assert Responses._done(cast(Any, None), cast(Any, people), cast(Any, doing)) is None, "one is missing"
    assert told == [0, 40, 7]


@pytest.mark.parametrize("edge", [0.0, 1.0, -1.0])
def test_who_plays_alone_has_a_middle_game_shown(edge: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one side nobody is ahead of anybody: the middle one of all games, whoever won more of them in the mean."""
    paid = np.arange(showing.LOOKED) - 2.0  # two below nothing
    shown: list[np.ndarray] = []

    class Played:
        def __enter__(self) -> Any:
            payoffs, offences = np.stack([paid, paid], axis=1), np.zeros((showing.LOOKED, 2))
            return SimpleNamespace(play=lambda _: SimpleNamespace(payoffs=payoffs, offences=offences))

        def __exit__(self, *_: object) -> None:
            pass

    def recorded(match: Any, one: Any, names: list[str]) -> Any:
        shown.append(one.dice)
        return SimpleNamespace(replay="replay")

    monkeypatch.setattr(showing, "Match", lambda *_: Played())
    monkeypatch.setattr(showing, "PolicyAgent", SimpleNamespace(of=lambda policy: SimpleNamespace()))
    monkeypatch.setattr(showing, "recorded", recorded)
    game: Any = SimpleNamespace(sides=(("heroes", (0, 1)),), n_seats=2)
    assert showing.example(game, cast(Any, None), "random", edge, 5) == "replay"
    seating = np.zeros((showing.LOOKED, 2), dtype=np.int64)
    dice = Schedule.of(derive_seed(5, "example", "random"), np.arange(showing.LOOKED), seating).dice
    assert shown[0].tolist() == [dice[(showing.LOOKED - 1) // 2]]


# What heroes reckon


@pytest.mark.parametrize(("scratches", "light", "wound", "top"), [
    (0, 0, Wound.KR, Wound.KR), (1, 0, Wound.KR, Wound.KR), (2, 0, Wound.KR, Wound.LW),  # the third scratch
    (2, 1, Wound.KR, Wound.SW),  # makes a light wound, the second, which makes a severe one
    (0, 0, Wound.LW, Wound.LW), (0, 1, Wound.LW, Wound.SW),
])  # fmt: skip
def test_wounds_that_add_up(scratches: int, light: int, wound: int, top: int) -> None:
    """Three scratches make a light wound, two light ones a severe one, four severe ones are too many."""
    s = SimpleNamespace(kr=[scratches], lw=[light], sw=[0])
    p = SimpleNamespace(cap_kr=[3], cap_lw=[2], cap_sw=[4])
    assert wounds.top_class(s, p, 0, wound) == top


def test_shots_that_are_left_count_loaded_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 loaded and 5 in reserve: 7 of the 20 beyond which more says nothing."""
    for name in ("potential", "wound_penalty", "chance_below", "shock_value_of", "parry_chance", "save_chance",
                 "usual_mode", "delay", "acts_before", "distance"):  # fmt: skip
        monkeypatch.setattr(outlook, name, lambda *_: 0)
    monkeypatch.setattr(outlook, "pace", lambda *given: given[-1].fill(1.0))
    numbers = {name: [0, 0] for name in ("kr", "lw", "sw", "bleeding", "fate")}
    sheet = {name: [1, 1] for name in ("cap_kr", "cap_lw", "cap_sw", "wah", "agl", "reaction_mod", "reach", "shock")}
    s: Any = SimpleNamespace(**numbers, loaded=[2, 0], reserve=[5, 0])
    p: Any = SimpleNamespace(**sheet, r_has=[1, 0])
    for reserve, wanted in ((5, 0.35), (0, 0.1), (30, 1.0)):
        s.reserve[0] = reserve
        found = np.zeros(outlook.SIDE)
        outlook.fighter_features(s, p, 0, 1, found)
        assert found[18] == pytest.approx(wanted)
    found = np.zeros(outlook.SIDE)
    outlook.fighter_features(s, p, 1, 0, found)
    assert found[18] == 0.0, "no gun"


@pytest.mark.parametrize(("pays", "cost"), [(0, 6.0), (1, 12.0)])
def test_what_a_lost_resource_costs(pays: int, cost: float) -> None:
    """Size 3 at 2 points each: it is gone, or its points go to the other, too."""
    s: Any = SimpleNamespace(extent=np.array([[0, 3], [0, 0]]))
    p: Any = SimpleNamespace(w_cp=2.0, destroyed_resource_pays=pays)
    assert clashes.resource_cost(s, p, 0, 1) == cost


@pytest.mark.parametrize(("goes", "room", "cost"), [(1, 0, 12.0), (1, -1, 12.0), (0, 0, 24.0), (0, -1, 12.0)])
def test_what_a_lost_unit_costs(goes: int, room: int, cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Strength 4 at 3 points each: removed where it can be, else handed over, which pays the other if it has room."""
    asked: list[tuple[int, bool]] = []
    monkeypatch.setattr(clashes, "removable", lambda s, owner, units, kind: goes if units == 1 << 2 else 0)
    monkeypatch.setattr(clashes, "free_unit", lambda s, seat, support: asked.append((seat, support)) or room)
    s: Any = SimpleNamespace(value=np.array([[0, 0, 4], [0, 0, 0]]))
    assert clashes.fate_cost(s, SimpleNamespace(w_unit=3.0), 0, 1, 2, 0) == cost
    assert asked == ([] if goes else [(1, False)])
