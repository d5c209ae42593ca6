"""What reports rest on, by hand: what wins and losses pay, room for what is rare, games that show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.balance import fit as fits
from probespiel.evaluation.balance import measuring
from probespiel.evaluation.balance.design import around
from probespiel.evaluation.balance.space import Axis, Space
from probespiel.evaluation.balance.targets import EXCESS, Target
from probespiel.evaluation.report import pages, records, trained
from probespiel.evaluation.report.trained import Against, Round, Trained
from probespiel.evaluation.tournament import analysis, joint, playing, watching
from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.confidence import Sequence
from probespiel.evaluation.tournament.examples import examples
from probespiel.evaluation.tournament.region import Region
from probespiel.evaluation.tournament.sequential import Until
from probespiel.evaluation.tournament.summary import Wish
from tests.test_exact_statistics import duels
from tests.test_watching import rows_of


def test_what_wins_and_losses_pay_is_told_apart() -> None:
    """Six wins of 3 and two losses of 1 are told to the first as 3 and -1, to the second as 1 and -3."""
    s = analyse(duels(np.array([[3.0], [3], [3], [-1], [3], [3], [3], [-1]])), ["a", "b"], 1, resamples=20)
    rows = {row.name: (row.win_payoff, row.loss_payoff, row.wins, row.losses) for row in s.leaderboard}
    assert rows == {"a": (3.0, -1.0, 0.75, 0.25), "b": (1.0, -3.0, 0.25, 0.75)}


@pytest.mark.parametrize(("margin", "below", "above", "known"), [
    (1.0, 2.0, 0.0, False), (1.0, 0.0, 2.0, True), (-1.0, 0.0, 2.0, False), (-1.0, 2.0, 0.0, True),
])  # fmt: skip
def test_who_leads_is_known_unless_what_is_rare_may_turn_it(
    margin: float, below: float, above: float, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same in every block; the margin of the first over the second may be lower, or higher, by 2 all the same."""
    room = np.zeros((2, 2, 2))
    room[:, 0, 1] = below, above
    monkeypatch.setattr(analysis, "rare_margins", lambda sums, reach, level: room)
    s = analyse(duels(np.full((10, 1), margin)), ["a", "b"], 1, resamples=20)
    assert [row.name for row in s.leaderboard] == (["a", "b"] if margin > 0 else ["b", "a"])
    assert [row.rank_interval for row in s.leaderboard] == ([(1, 1), (2, 2)] if known else [(1, 2), (1, 2)])
    assert s.joint_low is not None and s.joint_high is not None
    assert (s.joint_low[0][1], s.joint_high[0][1]) == pytest.approx((margin - below, margin + above))


def test_numbers_are_cut_at_the_span_that_was_declared() -> None:
    """Rounding alone may take one beyond it: it counts as the span itself."""
    one, other = (Sequence(1, 2.0, 0.05, 100) for _ in range(2))
    one.add(np.array([[2.0 * (1 + 5e-10)], [-2.0 * (1 + 5e-10)]]))
    other.add(np.array([[2.0], [-2.0]]))
    assert one.mean.tolist() == other.mean.tolist() == [0.0] and one.deviation.tolist() == other.deviation.tolist()
    with pytest.raises(ProbespielError, match="outside of what the game's payoffs allow, 2"):
        one.add(np.array([[2.1]]))


def test_answers_are_sought_where_all_margins_are_known() -> None:
    matrix = np.array([[0.0, 1.0], [-1.0, 0.0]])
    known = Region(matrix, matrix)
    assert known.best_answer_to(0) is not None and known.best_answer_to(1) is None
    assert Region(matrix - np.inf, matrix + np.inf).best_answer_to(0) is None
    assert Region(np.zeros((1, 1)), np.zeros((1, 1))).best_answer_to(0) is None


def test_wins_are_finite_numbers() -> None:
    for wrong in (np.nan, np.inf, -1.0):
        with pytest.raises(ValueError, match="negative or non-finite"):
            bt._with_prior(np.array([[0.0, 3.0], [wrong, 0.0]]), 1.0)


def test_how_far_it_is_enough_to_know() -> None:
    assert Until("best", within=0.5).settings.items() >= {"goal": "best", "within": 0.5}.items()
    found = Until("sprt", low=-1.0, high=2.0).settings
    assert (found["low"], found["high"]) == (-1.0, 2.0) and "within" not in found
    for wrong in (np.inf, -0.5, np.nan):
        with pytest.raises(ProbespielError, match="within = "):
            Until("best", within=wrong)


def test_games_show_what_two_did_to_each_other() -> None:
    """Nobody is shown against himself, nor who never met."""
    rows = rows_of({(0, 1): [2.0, 1.0, 3.0]})
    found = examples(rows, [Wish("level", a, b) for a, b in ((0, 1), (0, 0), (0, 2), (1, 1))])
    assert [(one.first, one.second) for one in found] == [(0, 1)]


def test_room_of_joint_strategies_is_that_of_their_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine deals of 1 and one of 5, between 0 and 10 and between 4 and 6: what is alike goes by the width of a side."""
    asked: list[Any] = []
    monkeypatch.setattr(joint, "room", lambda values, reach, level: asked.append(reach) or np.array([9.0, 0.0]))
    earned = np.ones((10, 1, 2)) + 1e-12 * np.arange(10)[:, None, None]  # rounding
    earned[0, 0, 0], earned[:, 0, 1] = 5.0, np.linspace(4.0, 6.0, 10)
    found = joint._stretched(earned, np.array([[0.0, 10.0], [4.0, 6.0]]))
    half = 2.2621571628 * earned[:, 0, 0].std() / 3
    assert asked == [(0.0, 10.0)] and found[:, 0, 1].tolist() == [1.0, 1.0]
    assert found[:, 0, 0].tolist() == pytest.approx([9.0 / half, 1.0])


def test_blocks_are_played_here_if_those_that_are_left_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seconds are those from the first block on that is to be played."""
    asked: list[int] = []
    crew = cast(Any, object.__new__(playing.Crew))
    crew.plan = SimpleNamespace(blocks=9, games_of=lambda block: asked.append(block) or 1)
    crew._seconds_a_game = 2.0
    assert crew._seconds(7) == 4.0 and asked == [7, 8]


# Games that are played again


def test_files_that_would_be_run_are_named() -> None:
    settings = {"modules": {"own.py": {}, "mercy": {}}, "files of the agents": {"bot.py": "hash"}}
    assert watching._files_named(settings) == ["own.py", "bot.py"]
    assert watching._files_named({"modules": None, "files of the agents": None}) == []
    assert watching.replay_path(Path("x"), 7) == Path("x") / watching.REPLAYS / "game-7.json"


def test_what_was_played_is_that_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    table = rows_of({(0, 1): [2.0, 1.0, 3.0]})
    monkeypatch.setattr(watching, "read_part", lambda folder, block, fingerprint, n_agents: table)
    plan = cast(Any, SimpleNamespace(agents="ab"))
    found = watching._played(Path("x"), {}, plan, 0, 1)
    assert {name: values.tolist() for name, values in found.items()} == {
        "payoff": [1.0, -1.0], "decisions": [1, 1], "forfeit": [0, 0], "agent": [0, 1],
    }  # fmt: skip
    with pytest.raises(ProbespielError, match="has no game 9"):
        watching._played(Path("x"), {}, plan, 0, 9)


# Pages of policies and of balance


def test_tables_with_roles_stay_as_they_are() -> None:
    table = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
    made = pages._stacking(table)
    assert made.startswith('<table class="stack" role="table">') and 'data-label="a"' in made
    given = table.replace("<table>", '<table role="table">')
    assert pages._stacking(given) == given and pages._stacking(made) == made
    assert pages._stacking("<table><tr><td>1</td></tr></table>").count("role") == 0


def test_values_of_forty_letters_are_told_whole() -> None:
    assert records._short("a" * 38) == repr("a" * 38) and len(records._short("a" * 39)) == 40
    assert records._short("a" * 39).endswith("a…")


def test_what_is_told_of_the_policy_that_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    worst = Against("strong", 2000, -0.3, -0.4, -0.2, ())
    base = Trained("kuhn", ("standard",), "abc", "native", 7, 4000, 3.0, "policy.safetensors", {}, (), (), "EP")
    rounds = (Round(0, "a", 10, {}, "weak", -0.5, False), Round(1, "b", 10, {}, "strong", -0.3, True))
    assert "that of round 1 was kept" in trained.kept_of(replace(base, rounds=rounds, worst=worst))
    assert trained.kept_of(replace(base, rounds=rounds)) == "" and trained.kept_of(base) == ""
    made: dict[str, Any] = {}
    monkeypatch.setattr(trained, "render_page", lambda name, filters, content: made.update(content) or "page")
    for replays, shown in ((("x", ""), True), (("", ""), False)):
        results = tuple(Against(f"p{k}", 10, 0.1, 0.0, 0.2, (), file) for k, file in enumerate(replays))
        assert trained.render(replace(base, results=results)) == "page" and made["games"] == shown


def test_what_lies_just_outside_of_a_range_lies_in_it() -> None:
    target = Target("worth", 0.0, 1.0)
    assert target.excess(1.0 + EXCESS / 2) == 0.0 and target.excess(1.0 + 2 * EXCESS) > 0.0
    assert (target.excess(-0.5), target.excess(1.5), target.excess(-1.0, -0.25)) == (0.5, 0.5, 0.25)


def test_points_around_the_best_come_nearer_from_round_to_round() -> None:
    """By the widest axis of 33 values: eight values away in the first round, then four."""
    space = Space((Axis("cost", tuple(range(33)), True), Axis("size", tuple(range(5)), True)), {})
    for number, far in ((0, 8), (1, 4), (5, 1)):
        found = around(space, [(16, 2)], {}, lambda keys: [cast(Any, (0.0,))] * len(keys), number)
        assert {key for key in found if key[1] == 2} == {(16 - far, 2), (16 + far, 2)}


def test_figures_that_are_wanted_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, made in {
        "choose": lambda *_: "chosen", "learn": lambda *_: None, "_worth": lambda *_: ("worth", np.ones(2)),
        "_seat": lambda *_: "seat", "_use": lambda *_: {"use": "use"},
        "_dominant": lambda context, prelude, chosen: chosen,
        "_course": lambda *_: {"length": "long", "draws": "few"}, "casts_of": lambda *_: None,
        "typical_games": lambda *_: [SimpleNamespace(name=n, replay=n) for n in ("all", measuring.NOBODY, "only A")],
    }.items():  # fmt: skip
        monkeypatch.setattr(measuring, name, made)
    of = {
        ("worth",): ({"worth": "worth"}, "only A"), ("dominant",): ({"dominant": "chosen"}, "all"),
        ("seat", "worth"): ({"worth": "worth", "seat": "seat"}, "all"),
        ("use", "draws"): ({"use": "use", "draws": "few"}, "all"),
    }  # fmt: skip
    for wanted, (figures, replay) in of.items():
        found = measuring.estimated(cast(Any, None), cast(Any, None), wanted, "games")
        assert found.figures == figures and found.replay == replay and (found.gaps is not None) == ("worth" in wanted)


@pytest.mark.parametrize(("rate", "error", "half"), [(0.25, 0.01, 1.96), (0.5, float("nan"), 0.0), (None, None, None)])
def test_how_often_it_is_used(rate: Any, error: Any, half: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "unseen", lambda games: 0.0)
    asked: list[Any] = []
    context = cast(Any, SimpleNamespace(
        bench=SimpleNamespace(everybody=lambda: "all"), budget=SimpleNamespace(rates=50), seed=lambda name: 3,
        need=lambda step, jobs: asked.extend(jobs) or [{"rate": rate, "error": error, "games": 40}],
    ))  # fmt: skip
    found = measuring._use(context, cast(Any, SimpleNamespace(of_all=lambda name: ("rows", "columns"))))
    assert asked[0].args == {"condition": "all", "rows": "rows", "columns": "columns", "deals": 50, "seed": 3}
    if rate is None:
        assert found == {}
    else:
        use = found["use"]
        assert (use.value, use.high - use.value, use.games) == pytest.approx((100 * rate, half, 40), abs=1e-3)


def test_losses_are_expected_by_the_surface_at_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    fit = fits.Fit(cast(Any, "space"), (), {}, 1)
    monkeypatch.setattr(fits.Fit, "keys", property(lambda self: []))
    monkeypatch.setattr(fits.Fit, "line", property(lambda self: False))
    monkeypatch.setattr(fits.Fit, "smooth", property(lambda self: True))
    monkeypatch.setattr(fits, "coordinates", lambda space, keys: (np.array([[0.5], [1.0]]), np.zeros(1)))
    monkeypatch.setattr(fits, "scales", lambda targets, figures: None)
    monkeypatch.setattr(fits, "loss_of", lambda targets, here, scale: here)
    surface = SimpleNamespace(at=lambda places: asked.append(places.tolist()) or (np.array([2.0, np.nan]), None))
    monkeypatch.setattr(fits.Fit, "surfaces", lambda self: {"worth": surface})
    assert cast(Any, fit.losses([(0,), (1,)])) == [{"worth": 2.0}, {}] and asked == [[[0.5], [1.0]]]
