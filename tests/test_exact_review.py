"""The analysis of a game: what is measured, judged and said of it, number by number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import View
from probespiel.agents.playouts import Playouts
from probespiel.app.reviewing import told_of
from probespiel.app.session import advice
from probespiel.app.session import review as reviewed
from probespiel.app.session.course import Course
from probespiel.app.session.review import FEWEST, LINE, Judged, Review, Valued, review
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Choice, Die, Recorder
from tests.test_small_views import kings

PASS, BET = 0, 1


def analysis(course: Course) -> Review:
    """Kings and queens by hand: dice, pass, bet, pass, and their values to either seat, which do not add up to 0."""
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))

    def options(best: float, other: float) -> tuple[Valued, ...]:
        return Valued(betting, best, 0.1, 0.75), Valued(passing, other, 0.2, 0.25)

    judged = (
        Judged(3, 0, passing, betting, 0.125, 0.25, options(0.5, 0.375)),
        Judged(4, 1, betting, betting, 0.0, 0.0, (*options(1.0, 0.0)[:1], Valued(passing, None, None, 0.0))),
        Judged(5, 0, passing, betting, 3.0, 0.5, options(2.0, -1.0)),
    )
    first, second = np.array([0.0, 0.5, 0.25, 2.0, -1.0]), np.array([0.0, 1.0, 1.5, 1.25, 1.0])
    errors = np.column_stack([[0.3, 0.4, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0, 0.0]])
    return Review(
        np.array([0, 2, 3, 4, 5]), np.column_stack([first, second]), errors, np.array([-1, -1, 0, 1, 0]), 200, "random",
        judged, (Choice(0, betting),),
    )  # fmt: skip


def test_what_is_said_to_the_first_seat() -> None:
    course = kings()
    told = told_of(course, analysis(course), 0, "en")
    name, other = (info.called("en") for info in course.game.seats)
    assert told.way == f"For {name}: worth +0.00 at the start, -1.00 at the end. The difference comes from:"
    assert told.parts == (
        ("chance (luck)", "+0.50 ± 0.50"), (f"decisions of {name} (skill)", "-3.25 ± 0.40"),
        (f"decisions of {other} (skill)", "+1.75 ± 0.00"),
    )  # fmt: skip
    assert told.turned.startswith("Turning point: step 5, ") and told.turned.endswith(" (+2.00 → -1.00)")
    assert (told.turning, told.lined[:21]) == (5, "Best line from step 5")
    assert told.totals == (
        f"{name} lost 3.00 ± 0.50 beyond doubt, by 1 of 2 decisions with a choice",
        f"{other} lost nothing beyond doubt, by 1 decision with a choice",
    )
    assert [point.chance for point in told.points] == [True, True, False, False, False]
    assert [point.title for point in told.points][:2] == ["the start", "what chance brought"]
    assert told.points[2].title == course.title(3, None, "en") and told.turned.count(course.title(5, None, "en")) == 1
    assert [(number, change) for number, _, change in told.chances] == [(2, "+0.50 ± 0.50")]


@pytest.mark.parametrize(("lang", "none", "some"), [
    ("en", "No decision has an exact value here", "exact, those of 1 of 3 decisions: "),
    ("de", "Keine Entscheidung hat hier einen genauen Wert", "genau, die von 1 von 3 Entscheidungen: "),
])  # fmt: skip
def test_how_many_decisions_have_exact_values_is_said(lang: str, none: str, some: str) -> None:
    """A campaign is solved at its ends alone, and liar's dice nowhere: a reader could not know."""
    course = kings()
    found = analysis(course)
    assert none in told_of(course, found, 0, lang).method
    first = replace(found.judged[0], options=tuple(replace(one, error=0.0) for one in found.judged[0].options))
    method = told_of(course, replace(found, judged=(first, *found.judged[1:])), 0, lang).method
    assert some in method and none not in method


def test_what_is_said_to_the_second_seat_in_german() -> None:
    course = kings()
    told = told_of(course, analysis(course), 1, "de")
    first, name = (info.called("de") for info in course.game.seats)
    assert told.way.startswith(f"{name}: wert +0,00 am Anfang, +1,00 am Ende.")
    assert told.parts == (
        ("Zufall (Glück)", "+1,00 ± 1,00"), (f"Entscheidungen: {first} (Können)", "+0,25 ± 0,80"),
        (f"Entscheidungen: {name} (Können)", "\N{MINUS SIGN}0,25 ± 0,00"),
    )  # fmt: skip
    assert told.turned.startswith("Wendepunkt: Schritt 2, was der Zufall brachte (+0,00 → +1,00)")
    assert [change for _, _, change in told.chances] == ["+1,00 ± 1,00"]
    assert told.points[1].title == "was der Zufall brachte"


def test_decisions_are_told_with_what_was_taken_and_what_is_better() -> None:
    course = kings()
    found = analysis(course)
    told = told_of(course, found, 0, "en")
    assert [[taken for *_, taken in one.options] for one in told.decisions] == [
        [False, True], [True, False], [False, True],
    ]  # fmt: skip
    passing, betting = (course.words(3, course.game.actions.parse(code), "en") for code in ("pass", "bet"))
    first, same, last = told.losses
    assert (first.taken, first.better, first.text, first.sure) == (passing, betting, "0.12 ± 0.25", False)
    assert (same.better, same.text, last.text, last.sure) == ("the same", "0.00 ± 0.00", "3.00 ± 0.50", True)
    assert told.decisions[1].options[1][1] == "not tried"


def test_the_best_line_is_told_in_the_place_of_what_was_played() -> None:
    """The king calls instead of giving up."""
    course = kings()
    told = told_of(course, analysis(course), 0, "en")
    assert len(told.line) == 1 and told.line[0] != course.title(5, None, "en")
    assert course.words(5, course.game.actions.parse("bet"), "en") in told.line[0]


def test_every_game_that_goes_on_has_dice_of_its_own() -> None:
    """Kuhn poker from before the deal: among games in which both bet, either seat wins about as many."""
    game = make_game("kuhn")
    found = Playouts(game).play(game.position(), 400, 1)[:, 0]
    won, lost = (found == 2.0).sum(), (found == -2.0).sum()
    assert won > 20 and lost > 20


# What is measured and judged


def result(course: Course, values: dict[int, float], shares: dict[int, float]) -> Any:
    size = len(course.game.actions.codes)
    arrays = [np.zeros(size) for _ in range(4)]
    for array, found in zip(arrays, (values, dict.fromkeys(values, 0.3), shares, dict.fromkeys(values, 9.0))):
        for action, value in found.items():
            array[action] = value
    return SimpleNamespace(
        values=arrays[0],
        errors=arrays[1],
        strategy=arrays[2],
        chances=arrays[2],
        visits=arrays[3],
        action=max(shares, key=shares.__getitem__),
    )


def test_what_a_search_would_play_is_better_and_no_luck_of_values_is_a_loss() -> None:
    """It would play bet, though pass has the higher value by 0.5 in this search: nothing was lost by passing."""
    course = kings()
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))
    found = result(course, {passing: 1.0, betting: 0.5}, {passing: 0.25, betting: 0.75})
    judged = reviewed._judge(course, 4, cast(Any, SimpleNamespace(analyse=lambda view: found)), 1)
    assert (judged.number, judged.best, judged.lost) == (5, betting, 0.0)
    assert [one.action for one in judged.options] == [betting, passing]
    assert [one.error for one in judged.options] == [pytest.approx(1.96 * 0.3)] * 2


def test_what_all_simulations_found_alike_may_still_be_otherwise() -> None:
    """As a hint tells it: payoffs lie between -2 and 2, and in nine simulations what has the ninth root is not seen."""
    course = kings()
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))
    found = result(course, {passing: -1.0, betting: -2.0}, {passing: 1.0, betting: 0.0})
    found.errors[betting] = 0.0
    judged = reviewed._judge(course, 4, cast(Any, SimpleNamespace(analyse=lambda view: found)), 1)
    assert {one.action: one.error for one in judged.options} == {
        passing: pytest.approx(1.96 * 0.3), betting: pytest.approx(4 * (1 - 0.05 ** (1 / 9))),
    }  # fmt: skip


def test_decisions_are_searched_with_dice_of_their_own_and_options_told_by_share_then_value() -> None:
    """Both would be played as often; the better one is told first. Dice go by the number of the decision."""
    course = kings()
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))
    seen: list[Any] = []
    for values in ((1.0, 0.5), (0.5, 1.0)):
        found = result(course, dict(zip((passing, betting), values)), {passing: 0.5, betting: 0.5})
        search = SimpleNamespace(analyse=lambda view, found=found: seen.append(view) or found)
        judged = reviewed._judge(course, 4, cast(Any, search), 7)
        better = passing if values[0] > values[1] else betting
        assert judged.best == judged.options[0].action == better and judged.lost == 0.5 * (better != judged.action)
    reviewed._judge(course, 2, cast(Any, search), 7)
    assert seen[0].seed == seen[1].seed != seen[2].seed


def test_where_two_searches_differ_nothing_is_lost_for_sure() -> None:
    """By hand: 0.041 ± 0.015 worse in the first, 0.036 better in the second: they differ by 0.077."""
    course = kings()
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))
    again = result(course, {passing: 0.5, betting: 0.464}, {passing: 0.5, betting: 0.5})
    found = reviewed._apart(0.041, 0.015, cast(Any, again), betting, passing)
    assert found == pytest.approx((0.015**2 + 0.077**2) ** 0.5)
    again.visits[passing] = 0
    assert reviewed._apart(0.041, 0.015, cast(Any, again), betting, passing) == 0.041, "not tried, so not sure"


@pytest.mark.parametrize(("second", "sure"), [(1.0, True), (-1.0, False)])
def test_what_looks_lost_is_asked_for_twice(second: float, sure: bool) -> None:
    """One search finds bet better by 1; with another seed it is found so once more, or worse. Else one is enough."""
    course, seeds = kings(), list[int]()
    passing, betting = (course.game.actions.parse(code) for code in ("pass", "bet"))

    def analyse(view: View) -> Any:
        worth = second if seeds else 1.0
        seeds.append(view.seed)
        found = result(course, {passing: 0.0, betting: worth}, {passing: 0.25, betting: 0.75})
        found.errors[[passing, betting]] = 0.1
        return found

    searching: Any = SimpleNamespace(analyse=analyse)
    assert reviewed._judge(course, 4, searching, 1).sure == sure and len(set(seeds)) == 2
    seeds.clear()
    second = 0.1
    seeds.append(0)
    assert not reviewed._judge(course, 4, searching, 1).sure and len(seeds) == 2, "0.1 lies within its error"


class Moment(int):
    """A position by its number, at which nobody chooses beside others."""

    def to_act(self) -> tuple[int, ...]:
        return ()


class Deal:
    """A course of five steps: a die, a choice, a step that could not be another one, a choice, a die."""

    game: Any = SimpleNamespace(name="game", spec=SimpleNamespace(bounds_of_seats=((0.0, 4.0), (-1.0, 1.0))))
    over = True
    positions = [Moment(number) for number in range(6)]

    def __len__(self) -> int:
        return 5

    def to_decide(self, number: int) -> bool:
        return number in (1, 3)

    def step(self, number: int) -> Die | Choice:
        return (Die(2, 0), Choice(0, 1), Choice(1, 1), Choice(1, 0), Die(2, 1))[number - 1]


def test_moments_and_their_movers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step with nothing to choose (3) is nobody's decision and no moment; every moment has dice of its own."""
    seeds: list[tuple[int, int]] = []

    def play(position: int, games: int, seed: int) -> np.ndarray:
        seeds.append((position, seed))
        return np.tile([[1.0, -1.0], [3.0, 1.0]], (games // 2, 1))

    playouts = SimpleNamespace(play=play, agent="random")
    monkeypatch.setattr(reviewed, "Playouts", lambda game: playouts)
    monkeypatch.setattr(reviewed, "_affordable", lambda *_: FEWEST)
    unsearched(monkeypatch)
    found = review(cast(Course, Deal()), 1.0, 7)
    assert found.numbers.tolist() == [0, 1, 2, 4, 5] and found.movers.tolist() == [-1, -1, 0, 1, -1]
    assert len({seed for _, seed in seeds}) == 5 and [position for position, _ in seeds] == found.numbers.tolist()
    assert found.values.tolist() == [[2.0, 0.0]] * 5
    # 1 and 3 by turns: a deviation of the root of n / (n - 1); at the end there is nothing to be wrong about
    assert found.errors[:4] == pytest.approx(np.full((4, 2), 1.96 / (FEWEST - 1) ** 0.5))
    assert found.errors[4].tolist() == [0, 0]
    assert found.line == () and found.worst is None


class Forced(Deal):
    """The same with a die of one face at its end: from the last choice on nothing could come otherwise."""

    def step(self, number: int) -> Die | Choice:
        return Die(1, 0) if number == 5 else super().step(number)


def unsearched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a review measure what positions are worth and judge nothing."""
    monkeypatch.setattr(reviewed, "engine_in", lambda game: "search")
    monkeypatch.setattr(reviewed, "make_agent", lambda text: SimpleNamespace(prepare=lambda game: None))
    monkeypatch.setattr(reviewed, "_solved", lambda course, numbers: ({}, None))
    monkeypatch.setattr(reviewed, "_judge", lambda course, number, *_: Judged(number, 0, 0, 0, None, None))


def test_a_forced_end_is_the_last_decision_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured at the end, where nothing is in doubt, and told by the decision that led there."""
    playouts = SimpleNamespace(play=lambda position, games, seed: np.full((games, 2), float(position)), agent="random")
    monkeypatch.setattr(reviewed, "Playouts", lambda game: playouts)
    monkeypatch.setattr(reviewed, "_affordable", lambda *_: FEWEST)
    unsearched(monkeypatch)
    found = review(cast(Course, Forced()), 1.0, 7)
    assert found.numbers.tolist() == [0, 1, 2, 4] and found.movers.tolist() == [-1, -1, 0, 1]
    assert found.values[:, 0].tolist() == [0.0, 1.0, 2.0, 5.0], "the last one is what position 5 is worth"
    assert found.errors[3].tolist() == [0, 0] and found.errors[2].min() > 0


CALLS = """
from typing import Any
from probespiel.envs.kuhn.module import Module

module = Module("calls", "Whoever passed first calls a bet.")


@module.hook
def moves(s: Any, p: Any, seat: int, bits: int) -> int:
    return 2 if s.turn == 2 else bits
"""


def test_luck_ends_with_the_last_die_and_not_with_what_is_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kuhn poker in which a bet after a pass must be called, by hand: king, queen, pass, bet, and the call is forced.

    Between players by chance the better card is worth 3/2 to the first seat, whether it bets (1 and 2 by halves) or
    passes (the same), the worse one -1 (-1/2 and -3/2): 1/4 before the deal. So chance brings 5/4, the pass nothing,
    and the bet, which cannot but be called, 1/2. What is forced brings nothing, and nothing of it is an estimate.
    """
    (tmp_path / "calls.py").write_text(CALLS)
    recorder = Recorder(make_game("kuhn", None, {str(tmp_path / "calls.py"): {}}))
    for card in (2, 1):
        recorder.fall(card)
    for seat, move in ((0, PASS), (1, BET), (0, BET)):
        recorder.apply(seat, move)
    course = Course(recorder.replay())
    assert course.over and course.replay.payoffs == (2.0, -2.0)
    unsearched(monkeypatch)
    monkeypatch.setattr(reviewed, "_affordable", lambda *_: 2_000)
    found = review(course, 1.0)
    assert found.numbers.tolist() == [0, 2, 3, 4] and found.movers.tolist() == [-1, -1, 0, 1]
    assert found.values[:, 0].tolist() == pytest.approx([0.25, 1.5, 1.5, 2.0], abs=0.1)
    assert found.values[3].tolist() == [2.0, -2.0] and found.errors[3].tolist() == [0.0, 0.0]
    shares = [found.share(0, mover)[0] for mover in (-1, 0, 1)]
    assert shares == pytest.approx([1.25, 0.0, 0.5], abs=0.1)
    assert sum(shares) == pytest.approx(2.0 - found.values[0, 0])
    told = told_of(course, replace(found, judged=()), 0, "en")
    assert [number for number, _, _ in told.chances] == [2], "the deal alone; the forced call stood here as well"
    assert [point.chance for point in told.points] == [True, True, False, False]
    assert told.points[3].title == "second: bet"


class Endless:
    """A position of a game without an end."""

    over = False

    def clone(self) -> Endless:
        return self

    def apply(self, seat: int, action: int) -> None:
        pass

    def die(self) -> int:
        return 0

    def to_act(self) -> tuple[int, ...]:
        return (1,)


def test_the_best_line_begins_with_the_better_action_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewed, "View", SimpleNamespace(of=lambda *_: None))
    course: Any = SimpleNamespace(positions=[None, None, Endless()])
    search: Any = SimpleNamespace(act=lambda view: 9)
    line = reviewed._line(course, Judged(3, 0, 4, 5, 1.0, 0.1), search, 1)
    assert line == (Choice(0, 5), *[Choice(1, 9)] * (LINE - 1))


# Advice


def test_where_all_is_counted_out_the_largest_value_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 and 3 are worth most, and the search prefers 3; what is worth less comes after them though it is liked best."""
    found = SimpleNamespace(strategy=[0.0, 0.1, 0.7, 0.2], visits=[0, 1, 7, 2], simulations=10)
    monkeypatch.setattr(advice, "counted_out", lambda game, view: {1: 1.0, 2: 0.5, 3: 1.0})
    monkeypatch.setattr(advice, "Judge", lambda game: None)
    monkeypatch.setattr(advice.Adviser, "_analyse", lambda self, game, view: found)
    monkeypatch.setattr(advice, "lineup_of", lambda game: SimpleNamespace(foreseen=None))
    counsel = advice.Adviser(sims=1).best(cast(Any, None), cast(Any, SimpleNamespace(legal=[1, 2, 3])))
    assert [(one.action, one.value, one.share, one.exact) for one in counsel.best] == [
        (3, 1.0, 1.0, True), (1, 1.0, 0.0, True), (2, 0.5, 0.0, True),
    ]  # fmt: skip


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_counted_out_is_worth_what_the_seat_that_asks_gets(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[tuple[int, int]] = []
    world = SimpleNamespace(clone=lambda: SimpleNamespace(apply=lambda who, action: applied.append((who, action))))
    monkeypatch.setattr(advice, "lineup_of", lambda game: SimpleNamespace(counted=lambda game: True))
    monkeypatch.setattr(advice, "position_value", lambda after, nodes, who: 10.0 * who + applied[-1][1])
    view = SimpleNamespace(legal=[4, 6], seat=seat, world=lambda: world)
    assert advice.counted_out(cast(Any, None), cast(Any, view)) == {4: 10.0 * seat + 4, 6: 10.0 * seat + 6}
    assert applied == [(seat, 4), (seat, 6)]
    view.legal = [4]
    assert advice.counted_out(cast(Any, None), cast(Any, view)) is None, "there is no choice"
