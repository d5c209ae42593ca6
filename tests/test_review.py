"""The analysis of a finished game: values add up to the payoff, losses are those that are known, and it is told."""

from __future__ import annotations

import itertools
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.playouts import Playouts
from probespiel.app import reviewing
from probespiel.app.cli import run
from probespiel.app.reviewing import told_of
from probespiel.app.session.course import Course
from probespiel.app.session.review import Judged, Review, doubt_of, review, review_text
from probespiel.app.session.table import Table
from probespiel.app.terminal.analysis import lines_of
from probespiel.app.web.graph import graph_of
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import STATUS, Choice, Die, Recorder, Replay

JACK, QUEEN, KING = 0, 1, 2


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def played(game: Game, dice: tuple[int, ...], actions: tuple[str, ...]) -> Course:
    """A game by hand: the dice that fall, and the codes of the actions."""
    position, steps = game.position(), list[Die | Choice]()
    for fell in dice:
        steps.append(Die(position.die(), fell))
        position.fall(fell)
    for code in actions:
        seat, action = position.to_act()[0], game.actions.parse(code)
        steps.append(Choice(seat, action))
        position.apply(seat, action)
    names = {"first": "human", "second": "random"}
    payoffs = tuple(position.returns().tolist())
    return Course(Replay(game, tuple(steps), STATUS[position.status], payoffs, None, names))


@pytest.fixture(scope="module")
def folded_king(kuhn: Game) -> tuple[Course, Review]:
    """The first seat has the king, passes, and gives up against a bet: that loses three for sure."""
    course = played(kuhn, (KING, QUEEN), ("pass", "bet", "pass"))
    return course, review(course, 0.6)


def test_playouts_of_kuhn_are_those_of_random_play(kuhn: Game) -> None:
    position = kuhn.position()
    position.fall(KING)
    position.fall(QUEEN)
    position.apply(0, kuhn.actions.parse("bet"))
    playouts = Playouts(kuhn)
    found = playouts.play(position, 4000, 1)
    assert set(map(tuple, found.tolist())) == {(1.0, -1.0), (2.0, -2.0)}
    assert found[:, 0].mean() == pytest.approx(1.5, abs=0.05)
    assert np.array_equal(found, playouts.play(position, 4000, 1))
    assert not np.array_equal(found, playouts.play(position, 4000, 2))
    position.apply(1, kuhn.actions.parse("bet"))
    assert np.array_equal(playouts.play(position, 3, 1), [[2.0, -2.0]] * 3), "a finished game is its payoff"
    with pytest.raises(AgentError, match="no compiled baseline"):
        Playouts(kuhn, "search:sims=10")


def test_values_add_up_to_the_payoff(folded_king: tuple[Course, Review]) -> None:
    course, found = folded_king
    assert found.numbers.tolist() == [0, 2, 3, 4, 5]
    assert found.movers.tolist() == [-1, -1, 0, 1, 0]
    for seat in (0, 1):
        parts = [found.share(seat, mover) for mover in (-1, 0, 1)]
        total = found.values[-1, seat] - found.values[0, seat]
        assert sum(value for value, _ in parts) == pytest.approx(total)
        assert all(error >= 0 for _, error in parts)
    assert found.values[-1].tolist() == list(course.replay.payoffs) and found.errors[-1].tolist() == [0.0, 0.0]
    assert found.values[0, 0] == pytest.approx(-1 / 18) and found.values[3, 0] == 2.0, "whoever does not err calls"
    assert found.turning_point(0) == 4


def test_figures_of_a_review_by_hand() -> None:
    """Four moments after the start: dice, the first seat twice, the second. Half widths 3, 4, 12, 0, 5 for seat 0."""
    values, errors = np.array([0.0, 1.0, 3.0, -2.0, -1.0]), np.array([3.0, 4.0, 12.0, 0.0, 5.0])
    found = Review(
        np.arange(5), np.column_stack([values, -values]), np.column_stack([errors, errors]),
        np.array([-1, -1, 0, 0, 1]), 100, "random",
        (Judged(2, 0, 1, 1, 0.0, 0.0), Judged(3, 0, 1, 0, 6.0, 3.0), Judged(4, 1, 1, 0, 9.0, 10.0),
         Judged(5, 0, 1, 0, 1.0, 4.0), Judged(6, 0, 1, 0, None, None)),
    )  # fmt: skip
    assert found.moves(0, -1) == [(1, 1.0, 5.0)]
    assert found.moves(0, 0) == [(2, 2.0, pytest.approx(160**0.5)), (3, -5.0, 12.0)]
    assert found.moves(1, 1) == [(4, -1.0, 5.0)]
    # from the first moment to the third: what is between them falls out
    assert found.share(0, 0) == (-3.0, 4.0) and found.share(0, -1) == (1.0, 5.0)
    assert found.share(1, 1) == (-1.0, 5.0) and found.share(0, 2) == (0.0, 0.0)
    assert found.turning_point(0) == found.turning_point(1) == 3
    assert found.lost_by(0) == (6.0, 3.0, 1) and found.lost_by(1) == (0.0, 0.0, 0)
    more = replace(found, judged=(*found.judged, Judged(7, 0, 1, 0, 9.0, 4.0), Judged(8, 1, 1, 0, 2.0, 1.0)))
    assert more.lost_by(0) == (15.0, 5.0, 2) and more.lost_by(1) == (2.0, 1.0, 1), "3, 4 and 5 as errors are"
    assert [one.sure for one in found.judged] == [False, True, False, False, False]
    assert found.worst is found.judged[1], "nine are lost by the other, but not surely"


def test_errors_do_not_add_up_to_a_loss() -> None:
    """Forty rounds of rock, paper, scissors against an equal: it said `lost 0.08 ± 0.06`, and that none lost anything.

    By hand: forty times 0.005 are 0.2, and the root of forty times 0.02 is 0.13.
    """
    none = tuple(Judged(n, 0, 1, 0, 0.005, 0.02, doubt=doubt_of(40)) for n in range(40))
    values = np.zeros((1, 1))
    found = Review(np.zeros(1, int), values, values, np.array([-1]), 100, "random", none)
    assert found.lost_by(0) == (0.0, 0.0, 0) and found.worst is None
    one = replace(none[0], lost=0.035)
    assert replace(found, judged=(one, *none[1:])).lost_by(0) == (0.035, 0.02, 1)


def test_of_many_decisions_some_look_like_losses_by_chance() -> None:
    """By hand, from tables of the normal distribution: 0.025 / 25 = 0.001 on one side is 3.0902 standard errors."""
    assert doubt_of(1) == 1.0 and doubt_of(25) == pytest.approx(3.0902 / 1.96, abs=1e-4)
    lost = Judged(3, 0, 1, 0, 0.03, 0.02)
    assert lost.sure and not replace(lost, doubt=doubt_of(25)).sure
    assert replace(lost, lost=0.0316, doubt=doubt_of(25)).sure


def test_every_decision_is_judged_as_one_of_many(folded_king: tuple[Course, Review]) -> None:
    assert [one.doubt for one in folded_king[1].judged] == [doubt_of(3)] * 3 and doubt_of(3) > 1.1


def test_a_sure_loss_is_found_and_nothing_is_lost_by_the_best(kuhn: Game, folded_king: tuple[Course, Review]) -> None:
    _, found = folded_king
    worst = max(found.judged, key=lambda one: one.lost or 0.0)
    assert worst.number == 5 and worst.sure and worst.lost == pytest.approx(3.0, abs=0.01)
    called = review(played(kuhn, (KING, QUEEN), ("pass", "bet", "bet")), 0.6)
    assert (called.judged[-1].lost, called.judged[-1].best) == (0.0, called.judged[-1].action)
    assert found.lost_by(0)[0] >= 2.99


def test_it_is_told_in_both_languages_and_drawn(folded_king: tuple[Course, Review]) -> None:
    course, found = folded_king
    for lang, words in (("en", ("luck", "Turning point: step 5")), ("de", ("Glück", "Wendepunkt: Schritt 5"))):
        told = told_of(course, found, 0, lang)
        lines = lines_of(told, lang)
        text = "\n".join(lines)
        assert all(word in text for word in words) and {"en": "3.00 more", "de": "3,00 mehr"}[lang] in text
        assert {"en": "-1.00", "de": "\N{MINUS SIGN}1,00"}[lang] in text
        assert lang == "en" or not re.search(r"\d\.\d\d|[^\w]-\d", text), text
        assert [point.number for point in told.points] == [0, 2, 3, 4, 5]
        graph = graph_of(told, 2)
        assert [dot.number for dot in graph.dots] == [0, 2, 3, 4, 5] and graph.dots[-1].lost and graph.dots[-1].turning
        assert all(0 <= dot.x <= graph.width and 0 <= dot.y <= graph.height for dot in graph.dots)
        assert graph.here == graph.dots[1].x


def test_exact_values_have_no_interval(folded_king: tuple[Course, Review]) -> None:
    """A king that is bet into wins 2 by a call and loses 1 without: nothing there is an estimate."""
    course, found = folded_king
    told = told_of(course, found, 0, "en")
    assert [value for _, value, _, _ in told.decisions[-1].options] == ["+2.00", "-1.00"]
    assert (told.losses[-1].text, told.losses[0].text) == ("3.00", "0.00")
    assert "first lost 3.00 beyond doubt, by 1 of 2 decisions" in told.totals[0]


def test_only_finished_games_are_analysed(kuhn: Game) -> None:
    with pytest.raises(ProbespielError, match="only finished games"):
        review(played(kuhn, (KING, QUEEN), ("pass",)))


def test_the_command(
    tmp_path: Path, kuhn: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probespiel.app.cli_replay.review", lambda course, seconds: review(course, 0.2))
    course = played(kuhn, (JACK, QUEEN), ("bet", "bet"))
    course.replay.save(tmp_path / "game.json")
    assert run(["replay", str(tmp_path / "game.json"), "--analysis"]) == 0
    assert "decisions of first (skill)" in capsys.readouterr().out


def test_text_of_a_replay_is_analysed_as_in_another_process(kuhn: Game) -> None:
    table = Table(kuhn, {0: "random", 1: "random"}, seed=3)
    table.advance()
    found = review_text(table.replay().to_json(), 0.2)
    assert found.values[-1].tolist() == list(table.replay().payoffs)


def test_every_action_is_valued_and_the_best_line_begins_with_the_best(folded_king: tuple[Course, Review]) -> None:
    course, found = folded_king
    worst = found.judged[-1]
    assert found.worst == worst and {one.action for one in worst.options} == set(course.positions[4].legal(0))
    values = {one.action: one.value for one in worst.options}
    assert values[worst.best] == pytest.approx(2.0, abs=0.01) and values[worst.action] == pytest.approx(-1.0, abs=0.01)
    assert worst.options[0].action == worst.best and sum(one.share for one in worst.options) == pytest.approx(1.0)
    assert found.line == (Choice(0, worst.best),), "a call ends the game"
    changes = found.moves(0, -1)
    assert [place for place, *_ in changes] == [1, 2, 3, 4], "the deal, and how choices met the cards of others"
    assert changes[3][1] == pytest.approx(0.0), "of the three that a king loses by folding nothing is luck"
    assert sum(change for _, change, _ in changes) == pytest.approx(found.share(0, -1)[0])


def test_where_several_fight_every_decision_is_valued_as_the_coach_does() -> None:
    """What was taken and what is preferred have values: `switch` tries every action, and nothing is found twice."""
    game = make_game("scorekeeper-skirmish", "stairwell_rescue")
    position, lot, steps = game.position(), np.random.default_rng(4), list[Die | Choice]()
    while not position.over:
        if faces := position.die():
            fell = int(lot.integers(faces))
            steps.append(Die(faces, fell))
            position.fall(fell)
            continue
        seat = position.to_act()[0]
        action = int(lot.choice(position.legal(seat)))
        steps.append(Choice(seat, action))
        position.apply(seat, action)
    seats = {seat.name: "random" for seat in game.spec.seats}
    payoffs = tuple(position.returns().tolist())
    found = review(Course(Replay(game, tuple(steps), STATUS[position.status], payoffs, None, seats)), 1.0)
    assert len(found.judged) > 5
    for one in found.judged:
        values = {a.action: a.value for a in one.options if a.value is not None}
        assert one.error is not None and len(values) == len(one.options), "every action was tried"
        first, *others = one.options
        assert one.best == first.action and first.share == max(a.share for a in one.options), "what the coach plays"
        assert [*others] == sorted(others, key=lambda a: (-a.share, -values[a.action])), "then what was tried most"
        assert one.lost == pytest.approx(max(values[one.best] - values[one.action], 0.0))


def test_analyse(
    tmp_path: Path, kuhn: Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text in both languages, JSON that says the same, and a game of another name is refused."""
    monkeypatch.setattr("probespiel.app.cli_replay.review", lambda course, seconds: review(course, 0.4))
    played(kuhn, (KING, QUEEN), ("pass", "bet", "pass")).replay.save(tmp_path / "game.json")
    call = ["analyse", "kuhn", "--replay", str(tmp_path / "game.json")]
    for lang, words in (
        (
            "en",
            ("Every decision", "What chance did", "Best line from step 5", "luck", "3.00 more", "All of it is exact."),
        ),
        (
            "de",
            (
                "Jede Entscheidung",
                "Was der Zufall tat",
                "Bester Weg ab Schritt 5",
                "Glück",
                "3,00 mehr",
                "Alles davon ist genau.",
            ),
        ),
    ):
        assert run([*call, "--lang", lang]) == 0
        shown = capsys.readouterr().out
        assert all(word in shown for word in words), shown
    assert run([*call, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    last = found["decisions"][-1]
    assert found["exact"] and found["played_on_by"] is None and found["games_per_moment"] == 0
    assert last["sure"] and last["lost"] == pytest.approx(3.0, abs=0.01) and len(last["actions"]) == 2
    assert found["best_line"]["from_step"] == 5 and len(found["best_line"]["words"]) == 1
    assert found["moments"][-1]["values"] == [-1.0, 1.0] and found["chance"]["steps"][0]["step"] == 2
    assert run(["analyse", "leduc", *call[2:]]) == 2
    assert "a replay of kuhn, not of leduc" in capsys.readouterr().err


@pytest.mark.parametrize(("before", "number", "told"), [
    (0, 2, "die 1"), (1, 4, "die 4"), (2, 3, "what chance brought"),
    (0, 9, "…; die 5; die 6; die 7; die 8; die 9"),
    (0, 7, "die 1; die 4; die 5; die 6; die 7"),
    (3, 7, "die 4; die 5; die 6; die 7"),
])  # fmt: skip
def test_dice_between_two_moments_are_told(before: int, number: int, told: str) -> None:
    """After the one and up to the other, without decisions (2) and dice that nothing is told of (3); many are cut."""
    course: Any = SimpleNamespace(
        step=lambda n: None if n == 2 else Die(6, 0), title=lambda n, seat, lang: "" if n == 3 else f"die {n}"
    )
    assert reviewing._fallen(course, before, number, "en") == told


def test_what_is_forced_is_not_told_as_chance() -> None:
    """`was der Zufall brachte` stood beside the only possible target of an attack, and beside the end of a list."""
    recorder = Recorder(make_game("konfrontation-campaign"))
    lot, forced = random.Random(2), set[int]()
    position = recorder.position
    while not position.over:
        if faces := position.die():
            recorder.fall(lot.randrange(faces))
            continue
        seat = position.to_act()[0]
        legal = position.legal(seat)
        attack = [action for action in legal if position.game.actions.codes[action] == "attack"]
        recorder.apply(seat, (attack or legal)[0] if len(forced) < 3 else lot.choice(legal))
        if len(legal) == 1:
            forced.add(len(recorder.replay().steps))
    course = Course(recorder.replay())
    found = review(course, 1.0)
    assert len(forced) > 2 and len(found.numbers) < len(course)
    told = told_of(course, found, 0, "en")
    for before, point in itertools.pairwise(told.points):
        steps = [course.step(n) for n in range(before.number + 1, point.number + 1)]
        assert any(isinstance(step, Die) for step in steps) == (point.title == "what chance brought") == point.chance
    chosen = [n + 1 for n in range(len(course)) if course.to_decide(n)]
    movers = dict(zip(found.numbers.tolist(), found.movers.tolist(), strict=True))
    assert [movers[n] for n in chosen] == [step.seat for n in chosen if isinstance(step := course.step(n), Choice)]
