"""What reports of tournaments, ladders, policies and builds say, and the records they are kept in: numbers by hand."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.balance import measuring
from probespiel.evaluation.balance.design import front_of
from probespiel.evaluation.balance.fit import Fit
from probespiel.evaluation.balance.measuring import Measured
from probespiel.evaluation.balance.profile import Profile, _zeros
from probespiel.evaluation.balance.records import Figure
from probespiel.evaluation.balance.space import Axis, Space, space_of
from probespiel.evaluation.balance.targets import Target
from probespiel.evaluation.ews_rps import roshambo
from probespiel.evaluation.konfrontation import exact as clash
from probespiel.evaluation.oneshot import builds, odds
from probespiel.evaluation.oneshot import builds_report as books
from probespiel.evaluation.report import trained
from probespiel.evaluation.report.pages import _labelled
from probespiel.evaluation.report.records import record
from probespiel.evaluation.report.schema import Records, fields_of
from probespiel.evaluation.report.trained import Against, Trained, Update
from probespiel.evaluation.scorekeeper import duel as duels
from probespiel.evaluation.scorekeeper import exact as first
from probespiel.evaluation.scorekeeper import response
from probespiel.evaluation.stress.conditions import Condition
from probespiel.evaluation.stress.findings import Mean
from probespiel.evaluation.tournament import files, ladder, playing, run, sequential, watching
from probespiel.evaluation.tournament import ratings as bt
from probespiel.evaluation.tournament import report as pages
from probespiel.evaluation.tournament.analysis import analyse
from probespiel.evaluation.tournament.joint import kept_joint
from probespiel.evaluation.tournament.sequential import Race, Until
from tests.synthetic import by_matrix, change, info, tournament

# Records and pages


@dataclass(frozen=True)
class Pair:
    """Two  numbers
    of a pair."""

    ends: tuple[int, int]
    names: tuple[str, ...] = ()


def test_a_record_is_told_with_its_words_and_what_must_stand_there() -> None:
    records = Records()
    assert fields_of(Pair, records) == {
        "ends": {"type": "array", "prefixItems": [{"type": "integer"}] * 2, "items": False, "minItems": 2},
        "names?": {"type": "array", "items": {"type": "string"}},
    }
    assert not records.defs, "they stand at the top of their file"
    assert records.record(Pair) == {"$ref": "#/$defs/Pair"}
    pair = records.defs["Pair"]
    assert (pair["description"], pair["required"]) == ("Two numbers of a pair.", ["ends"])
    left = Records()
    left.record(Pair, {"ends": None, "names": {"const": 1}})
    assert left.defs["Pair"]["properties"] == {"names": {"const": 1}} and left.defs["Pair"]["required"] == []


def test_tuples_of_another_length_are_no_record() -> None:
    assert record(Pair, {"ends": [1, 2], "names": ["a"]}) == Pair((1, 2), ("a",))
    for ends in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="zip"):
            record(Pair, {"ends": ends})


def test_cells_that_span_columns_have_no_label() -> None:
    """On narrow screens a cell is told with the head of its column; not a wide one, and not the head of a row."""
    row = '<tr><th>a</th><td>1</td><td colspan="2">none</td></tr>'
    assert _labelled(row, ["name", "won & lost", "games"]) == (
        '<tr role="row"><th role="rowheader">a</th><td role="cell" data-label="won &amp; lost">1</td>'
        '<td role="cell" colspan="2">none</td></tr>'
    )
    assert _labelled("<tr><td>1</td><td>2</td></tr>", ["", "x"]) == (
        '<tr role="row"><td role="cell">1</td><td role="cell" data-label="x">2</td></tr>'
    )


# What a policy is worth


def against(name: str, low: float, high: float) -> Against:
    return Against(name, 100, (low + high) / 2, low, high, ())


FOUND = Trained("kuhn", ("standard",), "abc", "native", 7, 4000, 3.0, "policy.safetensors", {}, (), (), "EP")


def test_an_interval_that_ends_at_nothing_tells_nothing() -> None:
    results = (against("a", 0.0, 0.2), against("b", -0.2, 0.0), against("c", 0.1, 0.2), against("d", -0.2, -0.1))
    assert trained.headline(replace(FOUND, results=results)) == (
        "The policy wins from c. It loses to d. It cannot be told apart from a and b."
    )


def test_the_course_of_a_training_by_kinds_of_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of their names, the mean of the updates so far; who was met in one update alone is left out."""
    drawn: list[Any] = []
    monkeypatch.setattr(trained, "lines_plot", lambda lines, *_: drawn.append(lines) or "picture")
    course = (Update(10, 0.5, {"strong": 1.0, "past": 0.0, "once": 9.0}), Update(20, 0.5, {"past": 1.0}),
              Update(30, 0.5, {"past": 0.5, "strong": 3.0}))  # fmt: skip
    t = trained.words("en")
    assert trained.course_plot(replace(FOUND, course=course), t) == "picture"
    told = [(name, at.tolist(), mean.tolist()) for name, at, mean in drawn[0]]
    assert told == [("past", [10.0, 20.0, 30.0], [0.0, 0.5, 0.5]), ("strong", [10.0, 30.0], [1.0, 2.0])]
    assert trained.course_plot(replace(FOUND, course=course[:1]), t) == "" and len(drawn) == 1


# Tournaments


def test_as_many_unknown_pairs_as_may_be_named_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for named, told in ((3, 3), (2, 1)):
        monkeypatch.setattr(sequential, "_NAMED", named)
        race = Race(Until("ranking"), ("a", "b", "c"), (-4.0, 4.0), 10, 100)
        race.blocks = 3
        lines = [line for line in race._claims() if "not known" in line]
        assert len(lines) == told and lines[0] == (
            "it is not known who earns more, a or b" if told == 3 else "of 3 pairs it is not known who earns more"
        )


def test_a_prior_draw_with_everybody_else_and_none_with_oneself() -> None:
    wins = np.array([[7.0, 3.0], [1.0, 9.0]])
    assert bt._with_prior(wins, 1.0).tolist() == [[0.0, 3.5], [1.5, 0.0]]
    assert bt._with_prior(wins[None], 2.0).tolist() == [[[0.0, 4.0], [2.0, 0.0]]]


@pytest.mark.parametrize(("zero_sum", "sides", "margins"), [
    (True, 2, False), (False, 2, True), (True, 3, True), (False, 1, True),
])  # fmt: skip
def test_ladders_whose_games_pay_no_margins_are_books_of_their_own(
    zero_sum: bool, sides: int, margins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(ladder, "digest", lambda parts: asked.append(parts) or "key")
    monkeypatch.setattr(ladder, "Book", lambda *given: given)
    spec = SimpleNamespace(zero_sum=zero_sum, scenario="s", options={"b": 1, "a": 2})
    game = cast(Any, SimpleNamespace(name="g", ruleset="r", spec=spec, sides=range(sides)))
    assert ladder.book_of(Path("x"), game) == (Path("x"), "key", "g", "s", "r")
    assert asked == [["g", "s", "r", "[('a', 2), ('b', 1)]", *(["margins"] if margins else [])]]


def test_a_block_keeps_messages_in_the_order_of_games_and_who_was_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = {(2, 0): "late", (0, 1): "wrong", (0, 0): "first"}
    outcome = SimpleNamespace(messages=messages, stopped=[3, 1])
    plan = cast(Any, SimpleNamespace(
        block=lambda block, which: ("schedule", {"game": np.array([10, 11, 12])}),
        play=lambda match, schedule, absent: outcome, table=lambda *given: given,
    ))  # fmt: skip
    monkeypatch.setattr(playing, "block_bytes", lambda block, table, plan: (block, table[1]))
    found = playing._played(plan, cast(Any, None), playing.Order(4, (0,), (1, 7)))
    assert found.notes.messages == ((10, 0, "first"), (10, 1, "wrong"), (12, 0, "late"))
    assert found.notes.stopped == (1, 3, 7) and found.part == (4, "schedule")


def test_how_long_games_take_is_tried_by_neighbours_of_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents inside only: 0, 2 and 3 of four; the first of each two sits where the seating says 0."""
    plan = cast(Any, SimpleNamespace(
        entrants=[SimpleNamespace(agent=SimpleNamespace(outside=x)) for x in (False, False, False)],
        seating=((0, 1, 1),), seed=5,
    ))  # fmt: skip
    now = [0.0]
    played: list[list[Any]] = []

    def play(schedule: Any) -> None:
        now[0] += 0.25 * len(schedule.seating)
        played.append(schedule.seating.tolist())

    monkeypatch.setattr(playing.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(playing, "_LONG_SECONDS", 9.0)
    monkeypatch.setattr(playing, "_TRIAL_SECONDS", 1.25)
    match = cast(Any, SimpleNamespace(play=play))
    assert playing._seconds_a_game(plan, match) == 0.25
    assert played[0] == [[0, 1, 1], [1, 2, 2]] and [len(one) for one in played] == [2, 2, 2, 4][: len(played)]
    monkeypatch.setattr(playing, "_LONG_SECONDS", 0.4)
    assert playing._seconds_a_game(plan, match) == np.inf, "one round of games takes too long"
    plan.entrants[1].agent.outside = True
    monkeypatch.setattr(playing, "_LONG_SECONDS", 9.0)
    assert playing._seconds_a_game(plan, match) == np.inf and played[-1] == [[0, 2, 2]], "a bot is never asked"
    plan.entrants[0].agent.outside = True
    assert playing._seconds_a_game(plan, match) == np.inf


def test_seconds_of_a_tournament_are_those_of_the_blocks_left() -> None:
    crew = cast(Any, object.__new__(playing.Crew))
    crew._seconds_a_game = 0.5
    crew.plan = SimpleNamespace(blocks=4, games_of=lambda block: 10 * (block + 1))
    assert crew._seconds(2) == 0.5 * (30 + 40)


def test_rows_of_finished_blocks_are_added_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One block with a tally, one that an earlier version wrote without, and a damaged one."""
    parts = [
        SimpleNamespace(part=0, rows=8, header={files._TALLY: "kept"}), files.BadPart(tmp_path, 1, "damaged"),
        SimpleNamespace(part=3, rows=4, header={}),
    ]  # fmt: skip
    for name, made in {
        "each_part": lambda folder, **how: iter(parts), "read_tally": lambda text, agents: ("read", text, agents),
        "read_results": lambda path, agents: path.name, "tally_of": lambda rows, agents: ("counted", rows, agents),
    }.items():  # fmt: skip
        monkeypatch.setattr(files, name, made)
    plan = cast(Any, SimpleNamespace(agents=("a", "b", "c"), fingerprint="f"))
    found, rows = files.read_tallies(tmp_path, plan)
    assert rows == 12
    assert found == {0: ("read", "kept", 3), 3: ("counted", "part-00000003.parquet", 3)}


def test_a_tournament_that_is_broken_off_tells_of_its_finished_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    for name, made in {
        "read_tallies": lambda folder, plan: ({0: 1, 3: 2}, 9) if folder == "folder" else ({}, 0),
        "_finish": lambda plan, game, folder, resamples, notes, command, race, *, whole: asked.append(
            (folder, resamples, notes, command, race, whole)) or "summary",
    }.items():  # fmt: skip
        monkeypatch.setattr(run, name, made)
    plan = cast(Any, SimpleNamespace(blocks=5))
    assert run._break_off(plan, cast(Any, None), cast(Any, "folder"), 20, ["note"], "command") == ("summary", 2)
    assert asked == [("folder", 20, ["note", "Interrupted: 2 of 5 blocks were finished."], "command", None, False)]
    assert run._break_off(plan, cast(Any, None), cast(Any, "none"), 20, [], "command") == (None, 0)


@pytest.mark.parametrize(("faults", "decisions", "payoffs", "told"), [
    ({}, [2, 1], (1.0, -1.0), ""),
    ({}, [2, 2], (1.0, -1.0), "it takes other decisions (2, 2 by seat; then 2, 1)"),
    ({}, [2, 1], (2.0, -1.0), "it pays 2, -1 (then 1, -1)"),
    ({1: 1}, [2, 1], (1.0, -1.0), "it ends with other forfeits by seat"),
])  # fmt: skip
def test_what_came_out_otherwise_when_a_game_is_played_again(
    faults: dict[int, int], decisions: list[int], payoffs: tuple[float, float], told: str
) -> None:
    plan = cast(Any, SimpleNamespace(sides=(0, 1)))
    played = {"forfeit": np.zeros(2, int), "decisions": np.array([2, 1]), "payoff": np.array([1.0, -1.0])}
    found = cast(Any, SimpleNamespace(
        faults={seat: SimpleNamespace(code=code) for seat, code in faults.items()}, decisions=np.array(decisions),
        replay=SimpleNamespace(payoffs=payoffs),
    ))  # fmt: skip
    why = watching._difference(plan, played, found)
    assert why.startswith(told) and bool(why) == bool(told)
    if faults:  # then what a forfeit pays is not compared
        played["forfeit"] = np.array([0, 1])
        found.replay.payoffs = (9.0, 9.0)
        assert watching._difference(plan, played, found) == ""


def test_a_game_is_played_again_by_the_two_of_its_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Game 7 of agents 1 and 3, who sit as second and first of the two; the second was not asked any more."""
    schedule = watching.Schedule(np.array([[1, 3], [3, 1]]), np.array([5, 6], np.uint64), np.array([0, 1]))
    asked: list[Any] = []

    class Table:
        def __enter__(self) -> str:
            return "match"

        def __exit__(self, *_: object) -> None:
            return None

    @dataclass(frozen=True)
    class Fake:
        entrants: tuple[str, ...]
        pairings: tuple[tuple[int, int], ...] = ((0, 1), (1, 3))

        @property
        def agents(self) -> tuple[str, ...]:
            return self.entrants

        def block(self, block: int, which: tuple[int, ...]) -> Any:
            assert (block, which) == (2, (1,))
            return schedule, {"game": np.array([6, 7])}

        def game(self) -> str:
            return "game"

        def match(self, game: str) -> Table:
            return Table()

    messages = {(7, 0): watching.UNASKED + " any more", (7, 1): "late", (6, 1): watching.UNASKED}
    monkeypatch.setattr(watching, "read_notes", lambda folder, block: SimpleNamespace(
        messages=[(game, seat, text) for (game, seat), text in messages.items()]))  # fmt: skip
    monkeypatch.setattr(watching, "recorded", lambda match, one, names, absent: asked.append((one, names, absent)))
    watching._again(Path("x"), cast(Any, Fake(("a", "b", "c", "d"))), 2, 1, 7)
    ((one, names, absent),) = asked
    assert one.seating.tolist() == [[1, 0]] and one.dice.tolist() == [6] and one.tables.tolist() == [1]
    assert (names, absent) == (("b", "d"), [1])


def test_ratings_of_whole_tables_are_read_from_their_file(tmp_path: Path) -> None:
    """Of two sides: means of deviation ratings 1 and 3, 2 and 0; a file of other shapes is none."""
    content: dict[str, Any] = {
        "names": ["a", "b"], "sides": ["x", "y"], "deals": 9, "replay": "r.json",
        "payoffs": np.zeros((2, 2, 2)).tolist(), "errors": np.zeros((2, 2, 2)).tolist(),
        "deviation": [[1.0, 2.0], [3.0, 0.0]], "alpha": [[0.5, 0.5], [0.25, 0.75]],
        "spans": np.arange(8.0).reshape(2, 2, 2).tolist(),
    }  # fmt: skip
    file = tmp_path / "joint.json"
    file.write_text(json.dumps(content))
    found = kept_joint(file)
    assert found is not None and (found.deals, found.replay) == (9, "r.json")
    assert [(row.name, row.deviation, row.alpha) for row in found.rows] == [("a", 2.0, 0.375), ("b", 1.0, 0.625)]
    for name, other in (("deviation", [[1.0, 2.0]]), ("alpha", [[1.0], [2.0]]), ("names", ["a"]), ("sides", ["x"])):
        file.write_text(json.dumps({**content, name: other}))
        assert kept_joint(file) is None, name
    assert kept_joint(tmp_path / "none.json") is None


def test_a_strategy_that_a_mixture_alone_dominates_is_told_so() -> None:
    """Of rock, paper and scissors at 3 a fourth that loses 1 to each is worse than all three by a third each."""
    game = np.array([[0, -3, 3, 1], [3, 0, -3, 1], [-3, 3, 0, 1], [-1, -1, -1, 0]], dtype=float)
    s = analyse(tournament(4, by_matrix(game), blocks=8), list("abcd"), 1, resamples=20)
    assert s.metagame is not None
    last = next(v for v in s.metagame.verdicts if v.agent == 3)
    assert (last.seems_dominated, last.seems_dominator, last.strict) == (True, None, True)
    # one who draws with the mixture and with itself is never better: never worse, and not strictly
    game[3], game[:, 3] = [-1, -1, -1, 0], [1, 1, 1, 0]
    one = np.array([[0.0, 1, 0], [-1, 0, -1], [0, 1, 0]])
    found = analyse(tournament(3, by_matrix(one), blocks=8), list("abc"), 1, resamples=20).metagame
    assert found is not None
    worse = found.verdicts[1]
    assert (worse.seems_dominated, worse.seems_dominator, worse.strict) == (True, 0, True)
    weak = np.array([[0.0, 0, 1], [0, 0, 0], [-1, 0, 0]])
    found = analyse(tournament(3, by_matrix(weak), blocks=8), list("abc"), 1, resamples=20).metagame
    assert found is not None and (found.verdicts[1].seems_dominator, found.verdicts[1].strict) == (0, False)


def test_a_page_leads_with_its_first_sentence_and_scales_seats_by_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat payoffs of 3 and -3 at most, wherever they stand."""
    made: dict[str, Any] = {}
    monkeypatch.setattr(pages, "render_page", lambda name, filters, content: made.update(content) or "page")
    game = np.array([[0.0, 3.0, 1.0], [-3.0, 0, 2], [-1.0, -2, 0]])
    s = analyse(tournament(3, by_matrix(game), blocks=8), list("abc"), 1, resamples=20)
    assert pages.render_html(s, info()) == "page"
    texts = [claim.text for claim in pages.claims(s, (), pages._namer, "")]
    assert made["lead"].text == texts[0] and [claim.text for claim in made["sentences"]] == texts[1:]
    paid = [abs(t.payoff) for row in s.leaderboard for t in row.seats if t.payoff is not None]
    assert made["seat_scale"] == max(paid) > min(paid)


def test_a_summary_whose_parts_do_not_go_together_is_damaged() -> None:
    game = np.array([[0.0, 3.0], [-3.0, 0]])
    table = tournament(2, by_matrix(game), blocks=8)
    forfeit = np.zeros(table.num_rows)
    forfeit[0] = 1
    s = analyse(change(table, forfeit=forfeit), list("ab"), 1, resamples=20)
    pages._check(s, [])
    assert s.metagame is not None and s.forfeits
    twice = replace(s, leaderboard=(s.leaderboard[0], s.leaderboard[0]))
    none = replace(s, names=(), leaderboard=())
    short = replace(s, metagame=replace(s.metagame, nash=s.metagame.nash[:1]))
    beaten = replace(s.metagame.verdicts[0], beats=(2,))
    high = replace(s, metagame=replace(s.metagame, verdicts=(beaten, s.metagame.verdicts[1])))
    seat = replace(s, forfeits=(replace(s.forfeits[0], seat=2),))
    kind = replace(s, forfeits=(replace(s.forfeits[0], kind=99),))
    for wrong, why in (
        (twice, "leaderboard"), (none, "leaderboard"), (short, "as many strategies"), (high, "does not exist"),
        (seat, "seat that does not exist"), (kind, "does not exist"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            pages._check(wrong, [])


# Balance


def test_a_share_without_errors_may_be_a_little_more_or_less() -> None:
    """As much of what it is not as could have been left unseen in 50 games; of nothing at all, and of everything."""
    share = measuring.unseen(50)
    for value in (0.0, 0.25, 1.0):
        found = measuring._of_mean("use", Mean(value, 0.0), 50)
        low, high = value * (1 - share), value + share * (1 - value)
        assert (found.low, found.high) == pytest.approx((100 * low, 100 * high))
    assert measuring._of_mean("length", Mean(7.0, 0.0), 9) == Figure("length", 7.0, 7.0, 7.0, 9)
    assert measuring._of_mean("use", Mean(None, None), 50).value == 0.0


def test_roles_are_exchanged_where_they_can_be() -> None:
    condition = Condition((0, 1))
    for can in (True, False):
        bench = cast(Any, SimpleNamespace(can_mirror=can))
        assert measuring.seatings(bench, condition)[1:] == ([replace(condition, mirrored=True)] if can else [])


def test_points_that_none_beats_everywhere() -> None:
    """Distances 0 and 2, 1 and 1, 2 and 2, and 0 and 2 again: the third is beaten; one without a figure is nowhere."""
    targets = (Target("worth", 0.0, 0.0), Target("length", 0.0, 10.0))

    def at(worth: float, length: float) -> dict[str, Figure]:
        figures = {"worth": worth, "length": 10 + length}
        return {name: Figure(name, v, v, v, 0, True) for name, v in figures.items()}

    known = {(0,): at(0.0, 2.0), (1,): at(-1.0, 1.0), (2,): at(2.0, 2.0), (3,): at(0.0, 2.0)}
    assert front_of(targets, known) == {(0,), (1,), (3,)}
    assert front_of(targets, {**known, (4,): {"worth": at(0.0, 0.0)["worth"]}}) == {(0,), (1,), (3,)}
    assert front_of(targets, {**known, (5,): at(0.0, 0.0)}) == {(5,)}


def test_zeros_of_lines_and_of_level_stretches() -> None:
    x = np.arange(6.0)
    assert _zeros(x, np.array([1.0, 0.0, 0.0, 0.0, -1.0, 3.0])) == [2.0, 4.25]
    assert _zeros(x, np.array([0.0, 1.0, -1.0, 2.0, 2.0, 0.0])) == [0.0, 1.5, 2 + 1 / 3, 5.0]
    assert _zeros(x, np.zeros(6)) == [2.5] and _zeros(x, np.ones(6)) == []


def test_what_was_measured_of_a_point_stands_by_its_interval() -> None:
    """A course by which all meet the target: one point surely does not, one may not, one does; and the other way round.

    At 0 a worth of 0.3 to 0.6 leaves open what is wanted, 0.4 at most; at 1 one of 0.5 to 0.6 does not.
    """
    space = Space((Axis("cost", (0, 1, 2, 3), True),), {})
    ends = {0: (0.3, 0.6), 1: (0.5, 0.6), 2: (-0.1, 0.1)}
    known = {(i,): Measured({"worth": Figure("worth", low, low, high, 100)}) for i, (low, high) in ends.items()}
    fit = Fit(space, (Target("worth", -0.4, 0.4),), known, 1)
    for mid, met in ((0.0, ((0.0, 0.0), (2.0, 3.0))), (0.9, ((2.0, 2.0),))):
        flat = Profile(np.arange(4.0), np.full(4, mid), np.full(4, mid - 0.05), np.full(4, mid + 0.05), 1)
        along = fit._told(0, {"worth": flat}, (2,))
        assert (along.region, along.sure) == (met, met)


def test_a_range_of_one_value_fixes_it_and_64_points_are_not_too_many(tmp_path: Path) -> None:
    from probespiel.envs.core.modules import load_module
    from probespiel.envs.core.registry import system_of
    from probespiel.evaluation.balance import space as spaces

    path = tmp_path / "kinds.py"
    lines = ['"""A module."""', "from probespiel.envs.kuhn.module import Module", "", 'module = Module("kinds", "k")']
    lines += [f'module.param("{name}", 1, 0, 9, doc="n")' for name in ("a", "b")]
    path.write_text("\n".join(lines) + "\n")
    module = load_module(system_of("kuhn").interface, str(path))[0]
    found = space_of(module, ["a=4..4", "b=0..3"])
    assert found.fixed == {"a": 4} and [axis.name for axis in found.axes] == ["b"]
    most = len(space_of(module, ["a=0..9", "b=0..9"]).first())
    for allowed in (most, most - 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spaces, "MOST_FIRST", allowed)
            if allowed == most:
                assert len(space_of(module, ["a=0..9", "b=0..9"]).first()) == most
                continue
            with pytest.raises(ProbespielError, match=f"{most} would be measured first, at most {most - 1}"):
                space_of(module, ["a=0..9", "b=0..9"])


# Exact values and builds


def test_ten_ties_and_units_of_three_are_what_a_case_without_them_means(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def section_7(*given: Any) -> Any:
        asked.append(given)
        return "formula"

    monkeypatch.setattr(clash, "section_7", section_7)
    monkeypatch.setattr(clash, "analyse", lambda game: clash.BidAnalysis(0.5, np.array([1.0]), np.array([0.25, 0.75])))
    setup = {"target": "unit", "attacker_power": 2, "defender_power": 1, "strength_difference": -1}
    expect = {"value": "1/2", "attacker_strategy": [1], "defender_strategy": [0.25, 0.5], "tolerance": 0.125}
    told = clash.run_bid_value({"setup": setup, "expect": expect})
    assert asked == [("unit", 2, 1, -1, 10, 3)]
    assert told == ["defender_strategy of bid 1 by section 7 is 0.75, expected 0.5 within 0.125"]
    clash.run_bid_value({"setup": {**setup, "max_ties": 2, "unit": 5}, "expect": {}})
    assert asked[1] == ("unit", 2, 1, -1, 2, 5)
    (wrong,) = clash.run_bid_value({"setup": setup, "expect": {"attacker_strategy": [1, 0], "value": 0.5}})
    assert wrong == "attacker_strategy by section 7 has 1 bids, expected 2"


def test_the_announced_parry_of_a_melee_has_its_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values 8 and 12 with a bonus of 2: parries of 8 and 10, of 12 and 14, and below half of each of them."""
    sides: list[Any] = []

    class Round:
        def __init__(self, fast: Any, slow: Any, rule: str, after: np.ndarray) -> None:
            sides.extend([fast, slow])
            self.after = after

        def value(self) -> np.ndarray:
            return self.after

    monkeypatch.setattr(first, "Round", Round)
    monkeypatch.setattr(first, "chance", lambda value, fumble=0: value + fumble / 100)
    monkeypatch.setattr(first, "below_half", lambda value: value / 2)
    assert first.first_blood(8, 5, 12, 6, 0.75, "half", 2) == 0.0
    for side, value, agility in ((sides[0], 8, 5), (sides[1], 12, 6)):
        figures = [side.hit[0], side.counter[0], side.save, side.parry, side.parry_announced, side.half]
        assert [float(x[0]) for x in figures] == [value + 0.2, value + 0.2, agility, value, value + 2, value / 2]
        assert float(side.half_announced[0]) == (value + 2) / 2
        assert (side.blow[0].tolist(), side.upkeep.tolist(), side.bleeding.tolist()) == ([[0, 1]], [[1, 0]], [False])
    assert sides[2:4] == sides[1::-1], "in every round either may be first"


def test_heroes_with_finesse_strike_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chars = {"a": {"perks": ["finesse"]}, "b": {"perks": []}}
    asked: list[Any] = []
    monkeypatch.setattr(odds, "normal", lambda name, kit: chars[name])
    monkeypatch.setattr(odds, "exact", SimpleNamespace(
        Duellist=lambda char, options, kit: "ab"[char is chars["b"]],
        wound_chance=lambda one, other, x, y, options, finesse: asked.append((one, other, x, y, finesse)) or 1,
    ))  # fmt: skip
    monkeypatch.setattr(odds, "fraction", lambda chance: f"{chance}")
    table = odds.hero_matrix(cast(Any, SimpleNamespace(heroes=["a", "b"])), {})
    assert asked == [("a", "a", 0, 0, True), ("a", "b", 0, 0, True), ("b", "a", 0, 0, False), ("b", "b", 0, 0, False)]
    assert (table.head, table.rows) == (["", "a", "b"], [["a", "1", "1"], ["b", "1", "1"]])


def test_rounds_of_an_edge_are_the_mean_of_those_that_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A half by one round and a fourth by three of three fourths: (0.5 + 0.75) / 0.75; where none ends, none."""
    monkeypatch.setattr(odds.exact, "edge_table", lambda d, _, tie: (0.75, {1: 0.5, 3: 0.25}) if d else (0, {}))
    monkeypatch.setattr(odds, "hero_matrix", lambda kit, options: odds.Table("heroes", "", [], []))
    monkeypatch.setattr(odds, "fraction", str)
    found = next(table for table in odds.odds_tables().tables if table.name == "edges")
    assert {row[0]: row[2] for row in found.rows if row[0] in ("-1", "+0")} == {"-1": "1.667", "+0": "0.000"}


def field(n: int) -> builds.Field:
    chars = [
        {"body": i, "mind": 0, "charisma": 0, "base_attack": i % 2, "base_defence": 0, "base_initiative": 0,
         "weapons": ["axe"], "armour": "none", "perks": ["luck"] * (i == 1)}
        for i in range(n)
    ]  # fmt: skip
    return builds.Field(cast(Any, chars), ["attack", "diplomat"] * n, np.zeros((n, 1), np.int64), np.arange(1, n + 1))


def test_an_equilibrium_of_builds_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns 2 and 0 with three and one fourth; build 1 is once worse than 0, build 3 twice."""
    payoffs = np.array([[0.5, 0.0], [0.0, 0.0], [0.0, -0.5], [-0.5, -0.25]])
    found = builds.Equilibrium(np.array([2, 0]), payoffs, np.array([0.75, 0.25]), payoffs @ [0.75, 0.25])
    assert found.support() == [(2, 0.75), (0, 0.25)]
    assert replace(found, weights=np.array([1e-7, 1.0])).support() == [(0, 1.0)]
    assert found.dominated().tolist() == [False, True, True, True]
    assert replace(found, columns=np.array([2])).dominated().tolist() == [False, False, False, False]
    search = builds.BuildSearch("axes", {}, 10, field(4), found, [], None)
    assert (search.top(3), search.top(1)) == ([2, 0, 1], [2, 0])
    monkeypatch.setattr(builds, "BASES", 3)
    assert search.bases() == [2, 0, 1, 3]
    assert search.best_by(lambda char, tactic: tactic) == {"attack": 0.375, "diplomat": 0.0}
    assert search.best_by(books.perks_of) == {"-": 0.375, "luck": 0.0}
    monkeypatch.setattr(builds, "describe", lambda char, tactic: f"build {char['body']}")
    monkeypatch.setattr(books, "SHOWN", 1)
    text = books.text_of(search)
    assert "axes: 10 legal builds, 4 that a duel can tell apart, 8 exact duels." in text
    assert "   75.00 %  build 2\n   25.00 %  build 0\n" in text and "a mixture of 2 builds" in text
    assert "lose against the equilibrium:\n  +0.0000  build 1\n\n" in text
    assert "3 of 4 builds are dominated by an examined build against all 2 examined opponents" in text
    rows = books.csv_of(search).splitlines()
    assert rows[0] == "build,builds,value,build 2,build 0" and rows[1] == "build 0,1,0.375000,0.500000,0.000000"
    assert rows[4].split(",")[:3] == ["build 3", "4", "-0.437500"]


def test_a_sample_of_skirmishes_by_hand() -> None:
    """Build 5 leads 7 by 4, 3 and 3.5 everywhere: of errors 3 and 4, 0 and 1, 1 and 0 that is 0.8, 3 and 3.5."""
    means = np.array([[0.0, 2.0, 2.0], [-4.0, -1.0, -1.5], [9.0, -9.0, 0.0]])
    errors = np.array([[3.0, 0.0, 1.0], [4.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    found = builds.Sample([5, 7, 9], means, errors, 100)
    assert found.dominated(0.8) == [(7, 5, pytest.approx(0.8))] and found.dominated(0.81) == []
    assert replace(found, errors=np.zeros((3, 3))).dominated() == [(7, 5, pytest.approx(3e9))]


def test_matches_of_portions_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two portions of two matches against either of two opponents, in any order; microseconds of a throw are means."""
    tasks = [SimpleNamespace(contender="c", opponent=o, first=f, count=2) for o in "xy" for f in (0, 2)]

    def mapped(work: Any, given: Any) -> Any:
        for k, task in reversed(list(enumerate(tasks))):
            yield k, SimpleNamespace(task=task, returns=[10 * k, 10 * k + 1], seconds=0.5), "worker"

    for name, made in {
        "check_name": lambda name: None, "_side": functools.cache(lambda *_: None), "Matches": lambda *_: None,
        "tasks_of": lambda *_, together: tasks if together == 1 else None,
        "score": lambda name, returns, micros, throws: (name, returns, micros, throws),
    }.items():  # fmt: skip
        monkeypatch.setattr(roshambo, name, made)
    told: list[int] = []
    engine = cast(Any, SimpleNamespace(map=mapped))
    (found,) = roshambo.run(["c"], ["x", "y"], 4, 1000, 1, engine, told.append)
    assert found == ("c", {"x": [0, 1, 10, 11], "y": [20, 21, 30, 31]}, pytest.approx(2.0 * 1e6 / 8000), 1000)
    assert told == [2] * 4


@pytest.mark.parametrize(("team", "a_first", "b_first"), [
    ("a", "AggressorSlow", "AggressorFast"), ("b", "AggressorFast", "AggressorSlow"),
])  # fmt: skip
def test_who_bleeds_out_between_rounds_has_lost(
    team: str, a_first: str, b_first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a and a fourth of b go out after a round, when the rest is worth v: 3/8 v + 1/8 - 3/8; b alone loses.

    After one round that is -1/4, after two 3/8 * -1/4 - 1/4, after three once more so. Either is first in half of them.
    """
    played: list[tuple[str, float]] = []

    def scripted(name: str) -> Any:
        class Round:
            def __init__(self, fast: Any, slow: Any, rule: str, after: np.ndarray) -> None:
                assert rule == "half"
                self.after, self.by_a = after, fast is sides[0]

            def value(self, fast_in: bool = True, slow_in: bool = True) -> np.ndarray:
                assert (fast_in, slow_in) == ((True, False) if self.by_a else (False, True))
                played.append((name, float(self.after[0, 0])))
                return self.after

        return Round

    sides = SimpleNamespace(upkeep=np.array([[0.5, 0.5]])), SimpleNamespace(upkeep=np.array([[0.75, 0.25]]))
    duel = SimpleNamespace(
        size=(1, 1), sides=sides, config={"counter_rule": "half", "max_rounds": 3},
        bodies=(SimpleNamespace(start=0), SimpleNamespace(start=0)),
    )  # fmt: skip
    asked: list[int] = []

    def orders(duel: Any, number: int) -> dict[tuple[bool, bool, bool], np.ndarray]:
        asked.append(number)
        half = np.array([[0.5]])
        return {(True, True, False): half, (False, True, False): half}

    for name in ("AggressorSlow", "AggressorFast"):
        monkeypatch.setattr(response, name, scripted(name))
    monkeypatch.setattr(response, "duel_of", lambda setup: duel)
    monkeypatch.setattr(response, "orders", orders)
    after = [-0.25, -0.34375, 3 / 8 * -0.34375 - 0.25]
    assert response.response_value({}, team) == (1 if team == "a" else -1) * after[2]
    assert played == [pair for v in after for pair in ((a_first, v), (b_first, -v))]
    assert asked == [2, 1], "surprise counts in the first round alone"
    with pytest.raises(ProbespielError, match=r"a \| b"):
        response.response_value({}, "c")
    monkeypatch.setattr(duels, "Round", scripted("Round"))
    monkeypatch.setattr(duels, "duel_of", lambda setup: duel)
    monkeypatch.setattr(duels, "orders", orders)
    assert duels.duel_value({}) == after[2] and asked == [2, 1, 2, 1]


def test_what_is_won_from_an_aggressor_is_the_mean_of_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "response_value", lambda setup, team: {"a": 0.5, "b": 0.25}[team])
    monkeypatch.setattr(response, "policy_duel", lambda setup, rounds: SimpleNamespace(a=0.5, b=rounds / 120))
    assert response.exploitability({}) == 0.375
    assert response.aggressor_value({"config": {}}) == 0.25
    assert response.aggressor_value({"config": {"max_rounds": 12}}) == 0.4
