"""Files, games and sentences of tournaments and ladders in which a planted error had gone unnoticed, by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import jinja2
import numpy as np
import pyarrow as pa
import pytest

from probespiel.envs.core.errors import ProbespielError, RulesetError
from probespiel.evaluation.balance import design, measuring, profile, space
from probespiel.evaluation.balance.records import Figure
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.exploit import measure
from probespiel.evaluation.report import pages
from probespiel.evaluation.scorekeeper import chances
from probespiel.evaluation.scorekeeper.odds import Exchange
from probespiel.evaluation.tournament import deviation, examples, files, joint, ladder_page, loadouts, lone, plan
from probespiel.evaluation.tournament.examples import Wish
from probespiel.evaluation.tournament.results import SCHEMA


def made_up(**more: Any) -> Any:
    return SimpleNamespace(**more)


def test_a_secret_seed_stands_in_the_folder_when_all_is_over(tmp_path: Path) -> None:
    """Else nobody could play the tournament again; before, and where it was chosen, is another matter."""

    def kept(secret: bool, **how: bool) -> Any:
        settings = {"games": 10, "seed": 77}
        files.save_settings(tmp_path, made_up(settings=settings, secret=secret, drawn=secret), **cast(Any, how))
        return json.loads((tmp_path / files.SETTINGS).read_text())

    told = {"format": files.FORMAT, "finished": False, "drawn": True, "settings": {"games": 10}}
    assert kept(True, finished=False, tell=False) == told
    assert kept(True, finished=True) == {**told, "finished": True, "settings": {"games": 10, "seed": 77}}
    assert kept(False, finished=False, tell=False)["settings"] == {"games": 10, "seed": 77}


def test_spans_reach_as_far_to_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings of the means are -0.5 and -0.4, shares 0.9 and 0.1; resampled ones lie off to one side.

    What a rating may lose at most is what a side can get less what it can lose: 2 and 4, 3 on average.
    """
    low, high = np.array([[-0.6, -2.5], [0.5, 0.0]]), np.array([[-0.1, -0.3], [0.95, 0.3]])
    seen = np.array([[[-0.5, -0.4], [-0.5, -0.4]], [[0.8, 0.2], [1.0, 0.0]]])
    monkeypatch.setattr(joint, "_resampled", lambda *given: (low, high))
    monkeypatch.setattr(joint, "rated", lambda payoffs: seen)
    reach = np.array([[-1.0, 1.0], [0.0, 4.0]])
    found = joint.spans_of(np.zeros((2, 4, 2)), (2, 2, 2), 1, reach)
    assert found[0] == pytest.approx(np.array([[-0.9, -0.1], [-2.5, 0.0]])), "as far down as up, and no higher than 0"
    assert found[1] == pytest.approx(np.array([[0.5, 1.0], [0.0, 0.3]]))
    assert joint.spans_of(np.zeros((2, 4, 2)), (2, 2, 2), 1)[0][1, 0] == -2.5
    low[0, 1] = -3.5
    assert joint.spans_of(np.zeros((2, 4, 2)), (2, 2, 2), 1, reach)[0][1, 0] == -3.0


def test_a_joint_strategy_has_two_deals_at_least() -> None:
    """Said before any game is played."""
    match: Any = made_up(game=made_up(sides=[("A", [0]), ("B", [1])], n_seats=2))
    with pytest.raises(ProbespielError, match="1 deals of a joint strategy have no error"):
        joint.play_joint(match, ["a", "b"], 1, 3)


def test_who_has_one_strategy_plays_it_always() -> None:
    found = deviation.joint_alpha_rank([np.zeros((1, 1, 1))] * 3)
    assert [x.tolist() for x in found] == [[1.0]] * 3
    assert deviation.gains_table([np.zeros((1, 3))] * 2).shape == (4, 3), "one of the first, three of the second"


def test_a_game_that_was_forfeited_shows_nothing() -> None:
    """Whatever the offence; unless there is no other."""

    def shown(*forfeits: int) -> int:
        rows = []
        for game, forfeit in enumerate(forfeits):
            for agent, payoff in ((0, 1.0 + game), (1, -1.0 - game)):
                rows.append({"block": 0, "deal": 0, "game": game, "agent": agent, "payoff": payoff, "team": agent,
                             "forfeit": forfeit if agent == 0 else 0, "seat": agent})  # fmt: skip
        names = {field.name for field in SCHEMA}
        assert names >= set(rows[0])
        columns = {field.name: pa.array([row.get(field.name, 0) for row in rows]).cast(field.type) for field in SCHEMA}
        (found,) = examples.examples(pa.table(columns, schema=SCHEMA), [Wish("middle", 0, 1)])
        return found.game

    assert shown(0, 0, 0) == 1 and shown(0, 1, 0) == 0 and shown(2, 1, 0) == 2 and shown(1, 2, 1) == 1


def test_loadouts_are_compared_where_an_agent_has_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loadouts, "_about", lambda summary, agent, members: [f"{agent}: {members}"])
    names = [f"a{loadouts.MARK}x", f"b{loadouts.MARK}y", f"a{loadouts.MARK}z"]
    assert loadouts.loadout_notes(made_up(names=names, metagame=object())) == ["a: [0, 2]"]
    assert loadouts.loadout_notes(made_up(names=names, metagame=None)) == []


def test_leads_are_of_seats_or_of_deals() -> None:
    """Of two sides by the means of seats, wherever an agent sits; of one side by the game beside."""
    seating = np.array([[0, 1, 1], [1, 0, 0]])
    payoffs = np.array([[3.0, 1.0, 2.0], [0.0, 4.0, 2.0]])
    assert lone.leads(made_up(seating=seating), made_up(payoffs=payoffs)).tolist() == [1.5, 3.0]
    alone = np.array([[0, 0], [1, 1], [0, 0], [1, 1]])
    payoffs = np.array([[1.0, 3.0], [0.0, 1.0], [2.0, 2.0], [5.0, 4.0]])
    assert lone.leads(made_up(seating=alone), made_up(payoffs=payoffs)).tolist() == [1.5, 1.5, -2.5, -2.5]


def test_of_two_who_were_paid_otherwise_the_share_is_told() -> None:
    """Who took 30 of 40 points and was paid 0.25 less a game, in either order; two points of 600 say nothing."""
    rows = [made_up(name=name, games=9) for name in "ab"]

    def told(points: float, games: int, payoff: float) -> list[str]:
        pair = ladder_page.Pair(0, 1, games, points, payoff, -1)
        return ladder_page.paid_otherwise(cast(Any, made_up(rows=rows, pairs=(pair,))), "en")

    (first,), (second,) = told(30.0, 40, -0.25), told(10.0, 40, 0.25)
    assert "a took 75% of the points against b, but got −0.250 a game" in first
    assert "b took 75% of the points against a, but got −0.250 a game" in second
    assert told(30.0, 40, 0.25) == told(302.0, 600, -0.25) == []


def test_groups_are_listed_without_an_end_where_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as fit, and one more."""
    for more in (0, 1):
        count = ladder_page._GROUPS + more
        rows = [made_up(name=f"p{k}", games=1) for k in range(2 * count)]
        pairs = tuple(ladder_page.Pair(2 * k, 2 * k + 1, 1, 1.0, 0.0, -1) for k in range(count))
        (line,) = ladder_page.never_compared(cast(Any, made_up(rows=rows, pairs=pairs)), "en")
        assert ("…" in line) == bool(more) and line.count(";") == ladder_page._GROUPS - 1 + more


class Counted(measure.Bench):
    """A bench of two players and two sides, of which a hero gets its number and a tenth of that of the deal."""

    def __init__(self, players: int, forfeits: bool = False) -> None:
        bounds = [(-1.0, 2.0), (-3.0, 4.0), (-5.0, 6.0)]
        self.names = [f"player {i}" for i in range(players)]
        self.sides = [[0], [1, 2]]
        self.game = made_up(spec=made_up(bounds_of_seats=bounds), n_seats=3)
        self.match = made_up(may_forfeit=forfeits, players=[made_up(alone=False) for _ in range(players)])
        self.spread, self.opposed, self.seed = None, False, 7
        self.asked: list[Any] = []

    def answer(self, ask: measure.Ask) -> np.ndarray:
        self.asked.append(ask)
        return ask.hero + np.arange(ask.first, ask.first + ask.count) / 10 * (1 - 2 * ask.side)


def test_payoffs_of_a_side_lie_between_the_means_of_its_seats() -> None:
    bench = Counted(2)
    assert [bench.reach(side) for side in (0, 1)] == [(-1.0, 2.0), (-4.0, 5.0)]
    assert bench.gained == (-2.5 - 3.5, 3.5 + 2.5)
    assert Counted(2, forfeits=True).reach(0) == (-5.0, 6.0), "who forfeits may be paid what another seat can get"


def test_all_play_the_same_deals_in_growing_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worse half leaves from `SURE` deals on; what is left over of the last block is played, and no more."""
    for name, value in (("BLOCK", 4), ("LARGEST", 16), ("SURE", 12)):
        monkeypatch.setattr(measure, name, value)
    bench = Counted(6)
    ranked, deals = bench.choose(30, float("inf"))
    assert deals == 30 and [hero for hero, _ in ranked[0]] == [5, 4, 3, 2, 1, 0] == [hero for hero, _ in ranked[1]]
    blocks = list(dict.fromkeys((ask.first, ask.count) for ask in bench.asked))
    assert blocks == [(0, 4), (4, 8), (12, 16), (28, 2)]
    alive = [[ask.hero for ask in bench.asked if ask.first == first and ask.side == 1] for first, _ in blocks]
    assert [len(row) for row in alive] == [6, 6, 3, 2] and set(alive[2]) == {5, 4, 3}
    assert ranked[0][0] == (5, pytest.approx(5 + 2.9 / 2)) and ranked[1][5] == (0, pytest.approx(-1.1 / 2))


def test_a_game_is_shown_of_players_that_can_be_asked() -> None:
    """Neither the agent nor the hero may play by itself; the deal is that of the middle payoff."""
    for alone in (0, 1):
        bench = Counted(2)
        bench.match.players[alone].alone = True
        assert measure.shown(bench, 1, 0, 5) is None
    seen: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "SHOWN", 3)
        patch.setattr(measure, "replayed", lambda bench, schedule: seen.append(schedule) or "replay")
        patch.setattr(measure.Schedule, "of", lambda seed, deals, seats: (seed, deals.tolist(), seats.tolist()))
        assert measure.shown(Counted(2), 1, 1, 5, gaining=False) == cast(Any, "replay")
        assert measure.shown(Counted(2), 0, 1, 5) is None, "nothing is gained"
    assert seen == [(7, [6], [[0, 1, 1]])]


def test_both_directions_are_left_where_chance_alone_may_have_turned_values_round() -> None:
    """Two values that fall by d: made even each is d / 2 off, together 5 or 6.1; chi-squared of two has 5.99 at 5 %."""
    for off, directions in ((5.0, (-1, 1)), (6.1, (-1,))):
        y = np.array([0.0, -((2 * off) ** 0.5)])
        assert profile._monotone(np.arange(2.0), y, np.ones(2), exact=False)[0] == directions
    assert profile._monotone(np.arange(2.0), np.array([0.0, -1.0]), np.ones(2), exact=True)[0] == (-1,)


def test_what_a_seat_is_worth_is_half_of_what_both_seatings_differ_by(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(
        measuring, "seatings", lambda bench, condition: [condition, f"{condition} turned"][: bench.ways]
    )
    monkeypatch.setattr(measuring, "paired", lambda lead, none: (lead.tolist(), none.tolist()))
    monkeypatch.setattr(measuring, "_figure", lambda name, found: (name, found))
    cells = [np.array([1.0, 0.5]), np.array([-1.0, 0.25])]
    for ways, lead in ((2, [1.0, 0.125]), (1, [1.0, 0.5])):
        context = made_up(
            bench=made_up(everybody=lambda: "all", ways=ways), budget=made_up(measure=30),
            cells=lambda *args, ways=ways: asked.append(args) or cells[:ways],
        )  # fmt: skip
        found = measuring._seat(context, cast(Any, made_up(of_seeds=lambda name: f"seeds of {name}")))
        assert found == cast(Any, ("seat", (lead, [0.0, 0.0])))
    wanted = [("all", "seeds of everybody"), ("all turned", "seeds of everybody")]
    assert asked == [("measure", wanted, 30, "measure"), ("measure", wanted[:1], 30, "measure")]


def test_what_yes_and_no_are_called() -> None:
    """In capital letters or not; nothing else is."""
    param: Any = made_up(choices=(), default=True)
    assert [space._read(param, "x", word) for word in ("true", "False", "1", "0")] == [True, False, True, False]
    with pytest.raises(ProbespielError, match="'no' is not allowed: true or false"):
        space._read(param, "x", "no")
    assert space._read(made_up(choices=(), default=3), "x", "-7") == -7
    assert space._read(made_up(choices=("a", "b"), default="a"), "x", "b") == "b"


def test_a_page_escapes_its_content_and_lacks_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without lines of its own for statements, and without characters that XML has not."""
    monkeypatch.setattr(pages, "_TEMPLATES", tmp_path)
    monkeypatch.setattr(pages, "_COMPILED", None)
    (tmp_path / "a.html.j2").write_text("{% if true %}\n  {{ told | twice }}\n  {% endif %}\nend{{ '\x02' }}\n")
    page = pages.render_page("a.html.j2", {"twice": lambda text: text * 2}, {"told": "<b>&"})
    assert page == "  &lt;b&gt;&amp;&lt;b&gt;&amp;\nend"
    with pytest.raises(jinja2.UndefinedError, match="told"):
        pages.render_page("a.html.j2", {"twice": str}, {})


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("attack", 0, 60), ("shock", 2, 40), ("bonus", -5, 20), ("save", 0, 60), ("parry", 0, 60)],
)
def test_numbers_of_an_exchange_have_both_ends(name: str, low: int, high: int) -> None:
    for value in (low, high):
        made = Exchange.of(**cast(Any, {name: value}))
        assert (made.value if name in ("save", "parry") else getattr(made, name)) == value
    for value in (low - 1, high + 1):
        with pytest.raises(RulesetError, match=f"{name} = {value}"):
            Exchange.of(**cast(Any, {name: value}))


def test_a_shot_goes_by_its_weapon_and_the_armour(monkeypatch: pytest.MonkeyPatch) -> None:
    """It kills, or stops where a shock value is given, as often as it gets through: here twice of what it is told."""
    monkeypatch.setattr(chances, "through_chance", lambda attack, save, zone: attack // save)
    monkeypatch.setattr(chances, "kill_of_hit", lambda *given: given)
    monkeypatch.setattr(chances, "stop_of_hit", lambda *given: given)
    zone = next(iter(chances.st.ZONE_CODES))
    assert chances.per_shot("gun", "vest", 4, 2, None)[zone] == ("gun", "vest", zone) * 2
    assert chances.per_shot("gun", "vest", 4, 2, 12)[zone] == ("gun", "vest", zone, 12) * 2


def test_what_differs_from_stored_settings_is_named_once() -> None:
    """What is new, gone or another; inside of what has parts by each part, else as a whole."""
    before = {"games": 10, "gone": 1, "config": {"size": 3, "wide": True}, "agents": ["a", "b"], "bots": {"memory": 5}}
    now = {"games": 20, "config": {"size": 4, "wide": True, "new": "x"}, "agents": ["a", "c"], "bots": None}
    assert plan._differences(before, now, "") == [
        "games was 10, is now 20", "config: size was 3, is now 4", 'config: new was null, is now "x"',
        "agents was a, b, is now a, c", 'bots was {"memory": 5}, is now null', "gone was 1, is now null",
    ]  # fmt: skip
    made = made_up(seed=7, settings={"seed": 7, "games": 1})
    assert plan.Plan.differences(made, {"games": 1}) == [], "a seed that is kept secret is no difference"
    assert plan.Plan.differences(made, {"games": 1, "seed": 8}) == ["seed was 8, is now 7"]


def test_an_agent_has_the_version_of_what_it_is_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of this package changes with it; one of somebody else with its files alone, and so a policy with both."""
    bot, code = tmp_path / "bot.py", ["one"]
    bot.write_text("1")
    parsed = {
        "ours": made_up(outside=False, files=()), "theirs": made_up(outside=True, files=(str(bot),)),
        "policy": made_up(outside=False, files=(str(bot),)), "package": made_up(outside=True, files=()),
    }  # fmt: skip
    monkeypatch.setattr(plan, "parse_agent", parsed.__getitem__)
    monkeypatch.setattr(plan, "_code", lambda: code[0])

    def changed(change: Callable[[], object]) -> list[str]:
        before = {name: plan.version_of(name) for name in parsed}
        change()
        return [name for name in parsed if plan.version_of(name) != before[name]]

    assert changed(lambda: code.insert(0, "two")) == ["ours", "policy", "package"]
    assert changed(lambda: bot.write_text("2")) == ["theirs", "policy"]
    assert {len(plan.version_of(name)) for name in parsed} == {16}


def test_a_root_is_open_where_its_own_band_reaches_the_end() -> None:
    """Near 0 and near 5 a curve may be nothing, between them it is not: each is open at its own end alone."""
    mid = np.array([-0.1, 0.1, 1.0, 1.0, 0.1, -0.1])
    found = profile.Profile(np.arange(6.0), mid, mid - 0.15, mid + 0.15, 0)
    for near, at, low, high, below, above in ((0.0, 0.5, 0.0, 2.0, True, False), (5.0, 4.5, 3.0, 5.0, False, True)):
        root = profile.root_of(found, 0.0, near)
        assert root is not None and root.value == pytest.approx(at)
        assert (root.low, root.high, root.open_low, root.open_high) == (low, high, below, above)


def test_a_course_tells_of_lengths_draws_and_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and their errors, from one course of the strategies of all seeds."""
    monkeypatch.setattr(measuring, "luck_share", lambda margins: (9.0, 8.0, 0.25, 0.125))
    monkeypatch.setattr(measuring, "_of_mean", lambda name, mean, games: (name, mean.mean, mean.error, games))
    monkeypatch.setattr(measuring, "mean_of", lambda values: made_up(mean=values.tolist(), error=0.0))
    answer = {"margins": [[1.0, 0.0], [0.0, 0.0]], "lengths": [[4.0, 6.0], [6.0, 8.0]]}
    asked: list[Any] = []
    lab: Any = made_up(
        budget=made_up(course=2, replicates=5), bench=made_up(everybody=lambda: "all"),
        seed=lambda use: f"seed of {use}", need=lambda step, jobs: asked.append((step, jobs)) or [answer],
    )  # fmt: skip
    found = measuring._course(lab, cast(Any, made_up(of_seeds=lambda name: (f"seeds of {name}",))))
    assert found == cast(Any, {
        "length": ("length", [5.0, 7.0], 0.0, 4), "draws": ("draws", [0.5, 1.0], 0.0, 4),
        "luck": ("luck", 0.25, 0.125, 4),
    })  # fmt: skip
    ((step, (job,)),) = asked
    assert (step, job.kind) == ("dynamics", "course") and job.args == {
        "condition": "all", "mixtures": ["seeds of everybody"], "deals": (0, 2), "replicates": 5,
        "seed": "seed of course",
    }  # fmt: skip


def test_a_figure_that_is_missing_is_infinitely_far() -> None:
    targets = [Target("worth", -0.1, 0.1), Target("length", None, 8.0)]
    figures = {"worth": Figure("worth", 0.0, -0.1, 0.1, 9)}
    assert design.hopeful_loss(targets, figures, {"worth": 1.0, "length": 1.0}) == (float("inf"), float("inf"))
    assert design.loss_of(targets, {"worth": 0.0}, {"worth": 1.0, "length": 1.0}) == (float("inf"), float("inf"))
