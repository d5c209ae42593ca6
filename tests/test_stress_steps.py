"""A rule beside the same game without it, step by step: where it acts, what declines it, what it decides by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.envs.core.replay import Choice as Step
from probespiel.envs.core.replay import Recorder
from probespiel.evaluation.stress import declining as declining_step
from probespiel.evaluation.stress import further as further_step
from probespiel.evaluation.stress import inert as inert_step
from probespiel.evaluation.stress.advice import next_for_holder
from probespiel.evaluation.stress.conditions import Condition, Settings
from probespiel.evaluation.stress.dynamics import Courses, Raw, course
from probespiel.evaluation.stress.effect import of_courses
from probespiel.evaluation.stress.exploit import decisive, lines_of, record
from probespiel.evaluation.stress.findings import (
    Effect,
    Interval,
    Sample,
    Use,
    UseWorth,
)
from probespiel.evaluation.stress.game_verdict import game_verdict_of
from probespiel.evaluation.stress.game_words import (
    effect_lines,
)
from probespiel.evaluation.stress.guided import Marks
from probespiel.evaluation.stress.lab import Facts, Lab, declining_of, open_lab, position_bytes
from probespiel.evaluation.stress.oversights import held_rate
from probespiel.evaluation.stress.own_fields import deciding_fields
from probespiel.evaluation.stress.play import play
from probespiel.evaluation.stress.rollouts import branches_of
from probespiel.evaluation.stress.sample import (
    acting,
    parting,
    used_first,
)
from probespiel.evaluation.stress.shadow import Shadow
from probespiel.evaluation.stress.strategies import Chosen, Mixture, Strategy, joined
from probespiel.evaluation.stress.usage import rates, worths
from probespiel.evaluation.stress.verdict import remarks_of, verdict_of
from probespiel.evaluation.stress.workers import Job

from .lab_findings import LENGTH, OPEN, STILL, findings

JACKS = '''"""A jack counts as three."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("jacks", "A jack counts as three.")
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """Of a holder."""
    return 3 if card == 0 else value
'''


def laboratory(game: str, module: str, folder: Path) -> Lab:
    """A lab whose rules are interpreted."""
    lab = open_lab(Settings(game, module), folder)
    lab.bench.compiled = False
    return lab


def test_where_a_rule_acts(tmp_path: Path) -> None:
    """At the showdown that it turns, and nowhere else; the other game is told."""
    path = tmp_path / "jacks.py"
    path.write_text(JACKS)
    lab = laboratory("kuhn", str(path), tmp_path)
    game, plain = lab.game(lab.bench.everybody()), lab.game(Condition())
    shadow = Shadow(plain, position_bytes(lab, game, own=False))

    def played(made: Any, cards: tuple[int, int]) -> Any:
        recorder = Recorder(made)
        for card in cards:
            recorder.fall(card)
        for seat in (0, 1):
            recorder.apply(seat, 0)
        return recorder.replay()

    jack_first, others = played(game, (0, 0)), played(game, (1, 1))  # jack against queen; queen against king
    assert jack_first.payoffs[0] == 1 and played(plain, (0, 0)).payoffs[0] == -1
    (act,) = acting(jack_first, shadow, frozenset(), frozenset())
    assert act[0] == len(jack_first.steps) and act[1] == 2.0
    assert acting(others, shadow, frozenset(), frozenset()) == []
    assert acting(jack_first, shadow, frozenset({0, 1}), frozenset()) == []  # uses are not the rule's own doing
    assert parting(jack_first, played(plain, (0, 0))) == 2 and parting(jack_first, others) is None
    first, second = [step.action for step in jack_first.steps if isinstance(step, Step)]

    def marked(*actions: int) -> Any:
        return SimpleNamespace(marks=Marks(frozenset(actions)), own_actions=[first, second])  # the others decline it

    assert used_first(jack_first, 0, marked(first)) == 0 and used_first(jack_first, 1, marked(second)) == 1
    assert used_first(jack_first, 0, marked()) is None
    assert used_first(jack_first, 2, marked(first, second)) is used_first(jack_first, None, marked()) is None


def test_that_a_rule_asks_first_is_no_moment(tmp_path: Path) -> None:
    """Blackmail asks for an offer before the game goes on: nothing has happened yet."""
    lab = laboratory("konfrontation-clash", "blackmail", tmp_path)
    game, plain = lab.game(lab.bench.everybody()), lab.game(Condition())
    shadow, own = Shadow(plain, position_bytes(lab, game, own=False)), frozenset(lab.own_actions)
    recorder = Recorder(game)
    while not (set(recorder.position.legal(recorder.position.to_act()[0])) & own):
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
    asked = recorder.replay()
    assert acting(asked, shadow, frozenset(), lab.marks.phases), "who is asked differs"
    assert acting(asked, shadow, own, lab.marks.phases) == []


def test_answers_that_decline_are_found_by_effect(tmp_path: Path) -> None:
    """Whoever makes no offer or refuses to pay goes on as if there were no blackmail; offers and payments change it."""
    lab = laboratory("konfrontation-clash", "blackmail", tmp_path)
    found = declining_step.declining(lab, lab.bench.everybody(), 1)["actions"]
    game = lab.game(lab.bench.everybody())
    assert [game.actions.codes[a] for a in found] == ["blackmail.no_offer", "blackmail.refuse"]


def test_a_module_says_itself_what_declines_it(tmp_path: Path) -> None:
    """Its uses are its other actions, and every action has a line."""
    text = (Path(__file__).parents[1] / "envs/konfrontation/modules/blackmail.py").read_text(encoding="utf-8")
    text = text.replace("from ..", "from probespiel.envs.konfrontation.").replace("blackmail", "racket")
    text = text.replace('nicht zahlen")', 'nicht zahlen", decline=True)')
    path = tmp_path / "racket.py"
    path.write_text(text, encoding="utf-8")
    lab = laboratory("konfrontation-clash", str(path), tmp_path)
    codes = lab.game(lab.bench.everybody()).actions.codes
    assert [codes[a].partition(".")[2] for a in sorted(lab.marks.actions)] == ["offer", "no_offer", "pay"]
    assert [codes[a] for a in declining_of(lab.bench)] == ["racket.refuse"]
    assert [codes[a].partition(".")[2] for a in lab.own_actions] == ["offer", "no_offer", "pay", "refuse"]
    lab.facts = Facts(declining=(min(lab.own_actions),))
    assert len(lab.marks.actions) == 2 and len(lab.own_actions) == 4


STANCES = '''"""A fighter takes a stance for the rest of the round."""
from typing import Any
from probespiel.envs.scorekeeper.module import ME, Module
from probespiel.envs.scorekeeper.services import allow_bits, ask_module
module = Module("poses", "Poses.")
module.state("now", scope="round", doc="the pose")
TAKEN = module.phase("poses_taken")
STEADY = module.action("steady", "stand (poses)")
BOLD = module.action("bold", "press (poses)")
@module.hook
def turn(s: Any, p: Any, seat: int) -> None:
    """On turn."""
    ask_module(s, ME, TAKEN, seat)
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """Both."""
    allow_bits(words, STEADY, 3)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Remembered, and seen by nothing else for now."""
    s.poses_now[seat] = max(s.poses_now[seat], action - STEADY)
'''


def test_answers_that_the_module_remembers_do_not_decline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two poses only the one that leaves the fighter as it was is none; the other could act on later rolls."""
    monkeypatch.setattr(declining_step, "GAMES", 4)
    path = tmp_path / "poses.py"
    path.write_text(STANCES)
    lab = laboratory("scorekeeper-duel", str(path), tmp_path)
    found = declining_step.declining(lab, lab.bench.everybody(), 1)["actions"]
    codes = lab.game(lab.bench.everybody()).actions.codes
    assert [codes[a] for a in found] == ["poses.steady"]


def test_an_answer_that_changes_nothing_at_times_does_not_decline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In odd rounds to press is remembered, in even ones to stand: each answer leaves all as it was now and then."""
    monkeypatch.setattr(declining_step, "GAMES", 4)
    path = tmp_path / "poses.py"
    path.write_text(STANCES.replace("action - STEADY)", "int((action - STEADY) % 2 == s.round_no % 2))"))
    lab = laboratory("scorekeeper-duel", str(path), tmp_path)
    condition, same = lab.bench.everybody(), set[tuple[int, bool]]()
    before = declining_step.unchanged

    def watched(question: Any, action: int, shadow: Any, own: Any) -> bool | None:
        found = before(question, action, shadow, own)
        same.add((action, bool(found)))
        return found

    monkeypatch.setattr(declining_step, "unchanged", watched)
    assert declining_step.declining(lab, condition, 1)["actions"] == []
    assert len(same) == 4, "either answer does both"


def test_strategies_that_are_moved_keep_their_luck() -> None:
    """Names decide the luck of strategies; moved to the game with the module they leave it alone, all alike."""
    one, two = Strategy("hunter", base="hunter"), Strategy("learned", net="a.npz", scope="everywhere")
    mixture = Mixture((one, two), (0.25, 0.75))
    chosen = Chosen({}, {"nobody": [(mixture, mixture), (mixture, mixture)]})
    ((rows, columns),) = chosen.moved("nobody", held=True)
    assert [s.name for s in rows.strategies] == ["hunter", "learned"] and rows.weights == mixture.weights
    assert {s.use for s in (*rows.strategies, *columns.strategies)} == {"never"}
    assert chosen.moved("nobody", held=False) == chosen.of_seeds("nobody")
    assert chosen.all_moved("nobody", held=True) == (rows, columns)
    players, weights, _ = joined(Mixture((one.leaving,), (1.0,)), columns)  # one player, not two of one name
    assert [p.name for p in players] == ["hunter", "learned"] and weights == [1.0, 0.0]


# What a module decides by

READER = '''"""A module for tests."""
from typing import Any
from probespiel.envs.ews_rps.module import ME, Module
from probespiel.envs.ews_rps.services import allow, answer_of
module = Module("reader", "A module for tests.", payoff_shift=1.0)
GO = module.action("go", en="go", de="gehen")
for name in ("shown", "limit", "count", "paid", "index", "copy", "from_", "told", "cells"):
    module.state(name, doc="a number")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once."""
    if s.reader_limit[seat] == 0:
        allow(words, GO)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Counted in several ways."""
    s.reader_shown[seat] = s.reader_limit[seat] = 1
    s.reader_count[seat] = min(9, s.reader_count[seat] + 1)
    s.reader_paid[seat] += 1
    s.reader_told[s.reader_index[seat]] += 1
    s.reader_copy[seat] = s.reader_from_[seat]
    s.reader_cells[seat][0] += 1


@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """What is told decides nothing yet."""
    s.reader_copy[seat] = answer_of(s, seat)


@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Paid."""
    return value + s.reader_paid[seat]{more}


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Seen."""
    out[0] = s.reader_shown[seat]
'''


@pytest.mark.parametrize(("more", "answers"), [("", set[str]()), (" + answer_of(s, seat)", {"mq_told"})])
def test_which_of_its_numbers_a_module_decides_by(tmp_path: Path, more: str, answers: set[str]) -> None:
    """What payoffs, indexes and other numbers are made of; not what is only shown, counted, or limits the offer."""
    path = tmp_path / "reader.py"
    path.write_text(READER.replace("{more}", more))
    source = ModuleType("reader")
    source.__file__ = str(path)
    fields = dict.fromkeys(("shown", "limit", "count", "paid", "index", "copy", "from_", "told", "cells"))
    module = SimpleNamespace(name="reader", fields=fields)
    found = deciding_fields(cast(Any, module), source)
    assert found == {"reader_paid", "reader_index", "reader_from_", *answers}


def test_a_use_that_is_paid_later_has_an_effect() -> None:
    """Of a module that pays what was taken the taken amount is a part of the position; of a counter nothing is."""

    def kept(game: str, path: Path) -> set[str]:
        lab = open_lab(Settings(game, str(path), budget="quick"), Path())
        lab.bench.compiled = False
        made = lab.bench.game(lab.bench.everybody())
        keep = position_bytes(lab, made, own=False, deciding=True)
        names = [f"{lab.bench.modules[0].name}_{field}" for field in lab.bench.modules[0].fields] + ["mq_told"]
        fields: Any = made.state_dtype.fields
        return {name for name in names if name in fields and keep[fields[name][1]]}

    planted = Path(__file__).parent / "planted"
    assert kept("ews_rps", planted / "alms.py") == {"alms_taken"}
    assert kept("ews_rps", planted / "morra.py") == {"morra_equal"}, "answers are read where they are given alone"
    assert kept("oneshot-parley", planted / "hum.py") == set()


def test_its_own_questions_do_not_count_for_the_length() -> None:
    """Games of four decisions, two of them its own, last as long as games of two."""

    def raw(length: float, asked: float) -> Raw:
        figures = {"lengths": np.full((2, 20), length), "margins": np.zeros((2, 20)), "unresolved": np.zeros((2, 20))}
        phases = {"move": length - asked, **({"school": asked} if asked else {})}
        return Raw(figures, np.zeros((2, 20), np.int64), (), False, phases)

    courses = Courses(raw(2.0, 0.0), raw(4.0, 2.0), (raw(5.0, 3.0), raw(2.0, 0.0)))
    assert courses.own == 2.0 and courses.questions == {"school"}
    length = next(change for change in of_courses(courses, True) if change.name == "length")
    assert (length.before, length.after) == (2.0, 2.0) and [value for value, _ in length.direct] == [0.0, 0.0]
    told = effect_lines(Effect((STILL,), own=2.0))
    assert "Its own decisions, 2.0 a game, do not count for the length." in told


def test_actions_on_top_of_a_decision_do_not_count_for_the_length() -> None:
    """Two keys are turned before each of two tests, beside a question with two options: games of four decisions."""

    def raw(length: float, phases: dict[str, float], further: dict[str, float]) -> Raw:
        figures = {"lengths": np.full((2, 20), length), "margins": np.zeros((2, 20)), "unresolved": np.zeros((2, 20))}
        return Raw(figures, np.zeros((2, 20), np.int64), (), False, phases, further)

    plain, held = raw(4.0, {"choice": 4.0}, {}), raw(11.0, {"choice": 8.0, "asked": 3.0}, {"choice": 4.0, "asked": 2.0})
    courses = Courses(plain, held, (held, plain))
    assert courses.own == 7.0, "an option of its own question is counted with the question"
    length = next(change for change in of_courses(courses, True) if change.name == "length")
    assert (length.before, length.after) == (4.0, 4.0) and [value for value, _ in length.direct] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("game", "name", "actions", "forced"),
    [
        ("ews_rps", "twin_keys", ["turn the left key", "turn the right key"], False),  # the test is still to be chosen
        ("ews_rps", "hot_hand", ["bet (hot_hand)"], False),
        ("scorekeeper-duel", "flourish", [], False),  # that is the turn
        ("oneshot-parley", "two_purses", [], False),  # answers to its own question
        ("ews_rps", "morra", [], True),  # one of two must be shown
    ],
)
def test_actions_that_come_on_top_are_found(
    game: str, name: str, actions: list[str], forced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those after which the same seat is asked the same again; they are counted where they are taken.

    And whether nothing else is ever legal where they are.
    """
    monkeypatch.setattr(further_step, "GAMES", 3)
    monkeypatch.setattr(further_step, "DECISIONS", 60)
    lab = laboratory(game, str(Path(__file__).parent / "planted" / f"{name}.py"), Path())
    made = lab.bench.game(lab.bench.everybody())
    got = further_step.further(lab, lab.bench.everybody(), 3)
    found = got["actions"]
    assert [made.actions.describe(action) for action in found] == actions and got["forced"] == forced
    if name == "hot_hand":
        lab.facts = Facts(further=tuple(found), length=60.0)
        anybody = Mixture((Strategy("random", base="random"),), (1.0,))
        got = course(lab, lab.bench.everybody(), [(anybody, anybody)], (0, 2), 1, 4)
        assert list(got["further"]) == ["choice"] and 0 < got["further"]["choice"] < got["phases"]["choice"] / 2


@pytest.mark.parametrize(
    ("game", "name", "nothing"),
    [
        ("oneshot-parley", "hum", True),  # a question of its own
        ("ews_rps", "trinket", True),  # an option in a window of its own
        ("konfrontation-clash", "motto", True),  # a filter that answers what was so
        ("einblatt-duel", "four_aces", False),  # so rare that it is never offered here: not known
        ("ews_rps", "alms", False),  # paid at the end
        ("ews_rps", "hot_hand", False),  # dice of its own, paid at the end
        ("ews_rps", "granite", False),
        ("konfrontation-clash", "schools", False),
        ("kuhn", "twin_queens", False),
    ],
)
def test_a_rule_that_changes_nothing(game: str, name: str, nothing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with it stand like those without it, whatever is chosen; the first that does not tells."""
    monkeypatch.setattr(inert_step, "GAMES", 6)
    lab = open_lab(Settings(game, str(Path(__file__).parent / "planted" / f"{name}.py"), budget="quick"), Path())
    lab.bench.compiled = False
    found = inert_step.inert(lab, lab.bench.everybody(), 3)
    assert (found["games"] == 6) == nothing and found["games"] in (0, 6)


@pytest.mark.parametrize(
    ("game", "name", "nothing"),
    [("konfrontation-campaign", "crown", False), ("konfrontation-clash", "motto", True), ("ews_rps", "trinket", True)],
)
def test_what_changes_for_all_alike_may_win_for_one(
    game: str, name: str, nothing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who counts a hundred points more than others wins; if all do, all is as without the rule."""
    monkeypatch.setattr(inert_step, "GAMES", 3)
    lab = open_lab(Settings(game, str(Path(__file__).parent / "planted" / f"{name}.py"), budget="quick"), Path())
    lab.bench.compiled = False
    assert inert_step.inert(lab, lab.bench.everybody(), 3) == {"games": 3}
    asked: list[Job] = []

    def need(step: str, jobs: Sequence[Job]) -> list[dict[str, Any]]:
        """What workers would answer."""
        asked.extend(jobs)
        return [inert_step.inert(lab, **job.args) for job in jobs]

    context: Any = SimpleNamespace(bench=lab.bench, seed=lambda *_: 3, need=need)
    assert inert_step.look_for_effects(context) == (3 if nothing else 0)
    assert [job.args["condition"].holders for job in asked] == [(0, 1), (0,), (1,)]


def test_a_rule_that_changes_nothing_is_neutral() -> None:
    """However far learners of a few seeds lie apart; but what is shown to be worth something acts where few come."""
    made = findings(STILL, OPEN, inert=400)
    assert made.worth is not None
    unsure = replace(made.worth, overall=Sample(-0.1, -0.2, 0.01, 99))
    made = replace(made, worth=unsure)
    assert verdict_of(made).word == "neutral" and "in 400 games" in verdict_of(made).why[0]
    assert game_verdict_of(made).word == "changes little" and "in 400 games" in game_verdict_of(made).why[0]
    assert verdict_of(replace(made, inert=0)).word != "neutral"
    # random play never met what it changes, but those who play well did
    acting = replace(findings(STILL, OPEN, worth=0.3), inert=400)
    assert verdict_of(acting).word == "strong" and game_verdict_of(acting).word == "no change shown"
    shown = replace(made, worth=replace(unsure, overall=Sample(-0.1, -0.2, -0.01, 99)))
    assert verdict_of(shown).word != "neutral"
    assert game_verdict_of(replace(made, effect=Effect((LENGTH,)))).word == "longer games"


def test_what_random_play_did_not_meet_is_not_nothing() -> None:
    """A use that changed something, or games of the same players that went otherwise, speak against random play."""
    same = replace(STILL, direct=(Interval(0.0, 0.0, 0.0),))
    moved = replace(STILL, direct=(Interval(0.0, -0.01, 0.01),))
    gains = UseWorth(21, 21, 4.0, 0.0, 1.0, 1.0, 0.0)
    bows = UseWorth(21, 21, 0.0, 0.01, 0.0, 0.0, 0.0)
    for effect, use, nothing in ((same, None, True), (moved, None, False), (moved, bows, True), (same, gains, False)):
        made = findings(effect, OPEN, inert=400, use=Use(1, opportunities=9, worth=use) if use else Use(0))
        told = [*verdict_of(made).why, *game_verdict_of(made).why]
        assert any("in 400 games" in line for line in told) == nothing
        assert (verdict_of(made).basis == "nothing changed") == nothing and verdict_of(made).word == "neutral"


def test_what_is_rare_is_told_so() -> None:
    """One chance in 2,000 games says nothing of how often it is used, and the report says how few there were."""
    for offered, rare in ((1, True), (39, True), (40, False), (0, False)):
        use = Use(1, 2000, opportunities=offered, uses=offered, rate=1.0, games_with_offer=offered)
        remarks = remarks_of(findings(STILL, use=use))
        assert any(f"It is rare: offered in {offered} of 2,000 games" in line for line in remarks) == rare
    for chances, told in ((19, False), (20, True)):
        use = Use(1, 2000, opportunities=chances, uses=chances, rate=1.0, games_with_offer=chances)
        steps = next_for_holder(findings(STILL, use=use), "neutral")
        assert any("used in 100% of the chances" in line for line in steps) == told


def test_the_error_of_a_rate_from_one_game_is_not_known() -> None:
    lab = laboratory("ews_rps", str(Path(__file__).parent / "planted" / "hot_hand.py"), Path())
    anybody = Mixture((Strategy("random", base="random"),), (1.0,))
    got = rates(lab, lab.bench.everybody(), anybody, anybody, 1, 3)
    held = held_rate(lab, lab.bench.everybody(), anybody, anybody, 0, 1, 3)
    assert got["opportunities"] > 5 and 0 < got["rate"] < 1 and got["error"] is None
    assert 0 < held["rate"] < 1 and held["error"] is None and held["asked"]  # type: ignore[operator]
    bench = lab.bench
    other = held_rate(lab, bench.holder_conditions()[bench.alone(1)], anybody, anybody, 0, 1, 3)
    assert other == {"rate": None, "error": None, "asked": False}, "who has not got it is not asked"


def test_a_use_changes_nothing_that_is_drawn_later() -> None:
    """A bet is 0.3 / 20 more or less at the end, whatever else is played: half of that is the lead."""
    lab = open_lab(Settings("ews_rps", str(Path(__file__).parent / "planted" / "hot_hand.py"), budget="quick"), Path())
    lab.bench.compiled = False
    anybody = Mixture((Strategy("random", base="random"),), (1.0,))
    got = worths(lab, lab.bench.everybody(), anybody, anybody, samples=12, deals=6, replicates=1, share=1.0, seed=4)
    half = 0.3 / 20 / 2
    assert got["count"] == 12 and got["effect"] == 1.0 and 0 < got["better"] < 1
    assert got["gain"] == pytest.approx(half * (got["better"] - got["worse"]))
    assert got["better"] + got["worse"] == 1.0


def test_the_decisive_decision_is_one_of_the_game_that_was_played(tmp_path: Path) -> None:
    """Players who throw for every decision throw as they did: what is told of a game is true of that game.

    Of twelve games of two or three decisions between two moves a fair coin would be right in one of 4096.
    """
    lab = open_lab(Settings("kuhn", str(Path(__file__).parent / "planted" / "jacks.py"), budget="quick"), tmp_path)
    lab.bench.compiled = False
    players, pairs, deals = [Strategy("a", base="random"), Strategy("b", base="random")], [(0, 1)] * 12, np.arange(12)
    everybody = lab.bench.everybody()
    got = play(lab, everybody, players, pairs, deals, 4, logged=True)
    for game in deals.tolist():
        replay = record(lab, everybody, got, game, game, 4, pairs[game], ["a", "b"])
        best = decisive(lab, everybody, game % 2, players, pairs[game], game, 1, 4)
        assert best is not None
        lines, at = lines_of(replay, best["number"])
        assert lines[at]["who"] == replay.game.seats[best["seat"]].name and lines[at]["what"] == best["action"]


def test_learners_see_a_use_on_the_same_draws() -> None:
    """What is taught of a bet is what it pays, 0.3 / 20 / 2 more or less than none, and nothing that is drawn later."""
    lab = open_lab(Settings("ews_rps", str(Path(__file__).parent / "planted" / "hot_hand.py"), budget="quick"), Path())
    lab.bench.compiled = False
    game, player = lab.bench.game(lab.bench.everybody()), lab.guided(Strategy("random", base="random"))
    found = branches_of(game, [player], np.zeros((2, 2), dtype=np.int64), [0, 1], 10, 5, marks=lab.marks)
    gaps = [row[np.isfinite(row)] for row in found.values]
    assert len(gaps) == 10 and all(len(gap) == 2 for gap in gaps)
    assert [abs(gap[1] - gap[0]) for gap in gaps] == pytest.approx([0.3 / 20 / 2] * 10)
