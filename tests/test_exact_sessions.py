"""What a person's games come to, by hand: standings and ratings, sets and groups of actions, journals, reviews."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.app.session import journal, lesson, mishap, notes, record, review
from probespiel.app.session.course import Course
from probespiel.app.session.groups import Group, grouped, shared_start, shared_words
from probespiel.app.session.record import Played, difference, level_of, outcome_of, ratings, standings
from probespiel.app.session.seen import Option
from probespiel.app.session.sets import sets_of
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.replay import Choice, Die

# The record


def played(score: float | None, payoff: float = 0.0, practice: bool = False, **more: Any) -> Played:
    values: dict[str, Any] = {
        "when": 1.0, "game": "chess", "scenario": "s", "modules": (), "ruleset": "r", "seat": "a", "opponent": "x",
        "file": "f", "usual": True, **more,
    }  # fmt: skip
    return Played(score=score, payoff=payoff, practice=practice, **values)


def test_what_was_reached_against_an_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of five games three count: 1.5 of 3 points are a difference of 0, and 2 of 4 with the assumed draw."""
    monkeypatch.setattr(record, "level_of", lambda game, opponent: {"l1": 1, "l2": 2}.get(opponent, 0))
    games = [played(1.0, 3.0), played(0.5, 1.0), played(0.0, -4.0), played(1.0, 5.0, practice=True), played(None, 5.0)]
    (one,) = standings(games)
    assert (one.game, one.opponent, one.level, one.games, one.rated) == ("chess", "x", 0, 5, 3)
    assert (one.won, one.drawn, one.lost, one.payoff, one.rating) == (1, 1, 1, 2.0, 0.0)
    assert one.low == pytest.approx(difference(1.5, 3)[1]) and one.high == pytest.approx(-cast(float, one.low))
    (alone,) = standings([played(None, 5.0), played(1.0, practice=True)])
    assert (alone.games, alone.rated, alone.rating, alone.low, alone.high) == (2, 0, None, None, None)
    more = [
        *[played(1.0, opponent="x")] * 2, played(1.0, opponent="l2"), played(1.0, opponent="l1", modules=("b", "a")),
        played(1.0, opponent="l1"), played(0.0, game="asso", opponent="x"),
        played(1.0, opponent="b"),
    ]  # fmt: skip
    found = [(one.game, one.opponent, one.games) for one in standings(more)]
    assert found == [
        ("asso", "x", 1),
        ("chess", "l1", 1),
        ("chess", "l2", 1),
        ("chess", "x", 2),
        ("chess", "b", 1),
        ("chess +a +b", "l1", 1),
    ]


def test_a_difference_is_that_of_one_drawn_game_more() -> None:
    """Three points of four games are 3.5 of 5: odds of 7 to 3, 147 points."""
    found, low, high = difference(3.0, 4)
    assert found == pytest.approx(400 * math.log10(7 / 3)) and low < found < high
    assert difference(4.0, 4)[2] == math.inf and difference(0.0, 4)[1] == -math.inf
    assert (record._points(0.0), record._points(1.0), record._points(0.5)) == (-math.inf, math.inf, 0.0)
    assert [record.points(value) for value in (math.inf, -math.inf, 12.4, -0.6)] == ["+∞", "-∞", "+12", "-1"]


def test_ratings_are_of_games_against_known_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Practice, modules, no other side and levels without a rating do not count; level 2 is reached at its rating."""
    lineup = SimpleNamespace(ratings=(0.0, 100.0), levels=("one", "two:sims=3", "three"))
    monkeypatch.setattr(record, "_lineup", lambda game: lineup)
    monkeypatch.setattr(record, "rated", lambda met: asked.append(met) or (100.0, 50.0, 150.0))
    asked: list[Any] = []
    names: Any = {"opponent": "two:sims=3,seconds=9"}
    games = [
        played(1.0, opponent="one"), played(0.5, **names), played(None, **names), played(0.0, practice=True, **names),
        played(0.0, modules=("m",), **names), played(0.0, opponent="three"), played(0.0, opponent="four"),
    ]  # fmt: skip
    (found,) = ratings(games)
    assert asked == [[(0.0, 1.0), (100.0, 0.5)]]
    assert (found.game, found.games, found.rating, found.level) == ("chess", 2, 100.0, 2)
    assert level_of("chess", "two:sims=4") == 0 and level_of("chess", "three") == 3


def test_the_margin_is_half_of_what_a_side_earned_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The own side has 1 and 3 on the mean of its seats, the others 0 and 4: drawn with none, and 0 more."""
    monkeypatch.setattr(record, "_is_usual", lambda game: False)
    seats = [SimpleNamespace(side=side, name=name) for side, name in (("x", "a"), ("x", "b"), ("y", "c"), ("z", "d"))]
    game: Any = SimpleNamespace(
        sides=(("x", (0, 1)), ("y", (2,)), ("z", (3,))), seats=seats, name="chess", ruleset="r",
        spec=SimpleNamespace(scenario="s", options={"modules": ["m"]}),
    )  # fmt: skip
    cast_of = {3: "second", 0: "human:Eve", 1: "first", 2: "second"}
    for payoffs, score, margin in (
        ((1, 3, 0, 4), 0.0, 0.0), ((1, 3, 0, 1), 1.0, 0.75), ((1, 3, 2, 2), 0.5, 0.0), ((1, 3, 2, 1), 0.5, 0.25),
    ):  # fmt: skip
        found = outcome_of(game, cast_of, payoffs, False, "f", rated=True)
        assert found is not None and (found.score, found.margin, found.payoff) == (score, margin, 1.0)
        assert (found.opponent, found.seat, found.modules, found.rated) == ("first + second", "a", ("m",), True)
    assert outcome_of(game, {0: "human", 1: "human:Eve"}, (1, 3, 0, 4), False, "f") is None
    game.sides = (("x", (0, 1, 2, 3)),)
    alone = outcome_of(game, cast_of, (1, 3, 0, 4), False, "f")
    assert alone is not None and (alone.score, alone.margin) == (None, None)


def test_who_plays_a_whole_side_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats a and b are one person's: 1 and 3 are 2 on the mean; two persons, or people on both sides, have no line."""
    monkeypatch.setattr(record, "_is_usual", lambda game: False)
    seats = [SimpleNamespace(side=side, name=name) for side, name in (("x", "a"), ("x", "b"), ("y", "c"))]
    game: Any = SimpleNamespace(
        sides=(("x", (0, 1)), ("y", (2,))), seats=seats, name="chess", ruleset="r",
        spec=SimpleNamespace(scenario="s", options={}),
    )  # fmt: skip
    found = outcome_of(game, {1: "human", 0: "human", 2: "bot"}, (1, 3, 1), False, "f")
    assert found is not None
    assert (found.seat, found.payoff, found.score, found.opponent) == ("a", 2.0, 1.0, "bot")
    for who in (
        {0: "human", 1: "human:Eve", 2: "bot"}, {0: "human", 1: "bot", 2: "human"}, {0: "bot", 1: "bot", 2: "bot"},
    ):  # fmt: skip
        assert outcome_of(game, who, (1, 3, 1), False, "f") is None
    game.sides = (("x", (0, 1, 2)),)
    seats[2].side = "x"
    party = outcome_of(game, dict.fromkeys(range(3), "human"), (1, 1, 1), False, "f")
    assert party is not None and (party.opponent, party.score, party.payoff) == ("", None, 1.0)


def test_damaged_lines_of_a_record_are_left_out(tmp_path: Path) -> None:
    assert record.record(tmp_path) == []
    one = played(1.0, 2.5, modules=("m",), margin=0.5)
    record.note(tmp_path, one)
    line = json.loads((tmp_path / record.NAME).read_text())
    wrong = [{"game": 3}, {"score": "1"}, {"payoff": math.nan}, {"practice": 2}, {"modules": [3]}, {"margin": math.inf}]
    with (tmp_path / record.NAME).open("a") as file:
        for change in wrong:
            file.write(json.dumps({**line, **change}) + "\n")
        file.write("half a li\n[1]\n")
    record.note(tmp_path, played(None))
    assert record.record(tmp_path) == [one, played(None)]


# Many actions


def options(texts: list[str], codes: list[str] | None = None) -> list[Option]:
    parts = [(*code.split(":"), "")[:2] for code in codes or ["take:x"] * len(texts)]
    return [Option(n, "", text, verb, target, "") for n, (text, (verb, target)) in enumerate(zip(texts, parts))]


def shape(found: Any) -> list[Any]:
    return [(g.label, [o.text for o in g.options]) if isinstance(g, Group) else g.text for g in found]


def test_many_actions_are_grouped_by_what_tells_them_apart() -> None:
    """By verb, else by target, else by the first of the things in which they differ; a group of one is itself."""
    few = options(["a", "b"])
    assert grouped(few, most=2) == few
    texts = ["hit him hard", "hit him softly", "wait"]
    by_verb = grouped(options(texts, ["hit:a", "hit:b", "wait:"]), most=2)
    assert shape(by_verb) == [("hit him", texts[:2]), "wait"]
    by_target = grouped(options(texts, ["do:a", "do:a", "do:b"]), most=2)
    assert shape(by_target) == [("hit him", texts[:2]), "wait"]
    things = ["a, b", "a, c", "d", "d, e, f", "g"]
    assert shape(grouped(options(things), most=2)) == [("a", ["a, b", "a, c"]), ("d", ["d", "d, e, f"]), "g"]
    deeper = ["a, b, c", "a, b, d", "a, e, f"]
    assert shape(grouped(options(deeper), most=2)) == [("a, b", deeper[:2]), "a, e, f"]
    assert shape(grouped(options(["a", "b", "c"]), most=2)) == ["a", "b", "c"]
    assert shape(grouped(options(["a", "a, b", "a, c, d"]), most=2)) == ["a", "a, b", "a, c, d"]


def test_words_that_texts_share() -> None:
    assert shared_start(["hit: him now", "hit him then"]) == "hit: him" and shared_start(["hit him"]) == ""
    assert shared_start(["hit him", "wait"]) == "" and shared_start(["hit: a", "hit: b"]) == "hit"
    assert shared_words(["hire a thief here", "hire a knight here"]) == "hire a … here"
    assert shared_words(["hire a b", "hire c d"]) == "hire" and shared_words(["a b", "a b c"]) == ""
    assert shared_words(["hire a b now", "hire c d now"]) == "hire … now" and shared_words(["one"]) == ""


def test_what_is_a_list_of_sets() -> None:
    """Twice as many sets as things at least, two things at least, no numbers, no set twice."""
    sets = ["none", *"abc", "a, b", "a, c", "b, c", "a, b, c", "d", "a, d"]
    found = sets_of(options(sets))
    assert found is not None and found.things == ("a", "b", "c", "d") and found.most == 3
    assert found.option([]) is found.options[frozenset()] and cast(Option, found.option([2, 1])).text == "b, c"
    twice = ["none", *"abcde", "a, b", "a, c", "b, c", "d, e"]
    assert sets_of(options(twice)) is not None, "five things of ten sets"
    assert sets_of(options([*twice[:-1], "f"])) is None, "six are too many"
    assert sets_of(options([*sets[:-1], "a, d 2"])) is None and sets_of(options([*sets[:-1], "b, a"])) is None
    assert sets_of(options(sets[:9])) is None
    assert sets_of(options([*sets, "x"], [*["take:x"] * 10, "leave:x"])) is None


# Journals, notes, logs


def test_journals_of_one_second_are_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is -2; and the name of a game that was replayed is not taken again."""
    monkeypatch.setattr(journal, "time", SimpleNamespace(strftime=lambda form: "20260101-000000"))
    head: Any = SimpleNamespace(line=lambda: "{}\n")
    game: Any = SimpleNamespace(name="chess", actions=SimpleNamespace(codes=()), seats=())
    made = [journal.Journal.create(tmp_path / "new", head, game) for _ in range(2)]
    first = "chess-20260101-000000"
    (tmp_path / "new" / f"{first}-3.json").touch()
    made.append(journal.Journal.create(tmp_path / "new", head, game))
    names = [one.path.name.removesuffix(journal.SUFFIX) for one in made]
    assert names == [first, f"{first}-2", f"{first}-4"]
    for one in made:
        one.close()
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal._line({"payoff": math.inf})
    assert journal._line({"name": "Bär"}) == '{"name": "Bär"}\n'


def test_modules_that_meddle_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "modules_of", lambda spec, lang: ["One", "Two"])
    extensions = (SimpleNamespace(pay=1), SimpleNamespace(draw=1, more=2))
    sight: Any = SimpleNamespace(lang="en", game=SimpleNamespace(spec=SimpleNamespace(sources=None)))
    sight.game.spec.sources = SimpleNamespace(extensions=extensions)
    assert notes.meddling(sight, ["draw"]) == ["Two"] and notes.meddling(sight, ["pay", "draw"]) == ["One", "Two"]
    sight.game.spec.sources.extensions = ()
    assert notes.meddling(sight, ["draw"]) == []
    assert notes.chance_in(0.256, "en") == "26 %" and notes.chance_in(0.256, "de") == "26\u00a0%"


def test_errors_are_kept_in_a_folder_that_need_not_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And in one that is there; a log that cannot be written stops nothing."""
    monkeypatch.setattr(mishap, "data_folder", lambda: tmp_path / "data")
    kept = mishap._LOGGER.handlers[:]
    try:
        mishap.keep_log()
        mishap.keep_log()
        assert sum(isinstance(handler, mishap._Log) for handler in mishap._LOGGER.handlers) == 1
        for text in ("first", "second"):
            mishap._LOGGER.error(text)
        assert [line.rpartition(": ")[2] for line in mishap.log_file().read_text().splitlines()] == ["first", "second"]
        (tmp_path / "file").touch()
        monkeypatch.setattr(mishap, "data_folder", lambda: tmp_path / "file")
        mishap.keep_log()
        mishap._LOGGER.error("nowhere")
    finally:
        for handler in mishap._LOGGER.handlers:
            if isinstance(handler, mishap._Log):
                handler.close()
        mishap._LOGGER.handlers[:] = kept
    assert mishap.reason_of(ValueError("bad")) == "ValueError: bad" and mishap.reason_of(KeyError()) == "KeyError"


# Courses and lessons


def test_what_changed_is_told_to_the_eye() -> None:
    """As the eye reads it in its language; what stayed as it was is not told."""
    made = Course.__new__(Course)
    told: list[Any] = []

    def position(**tallies: int) -> Any:
        return SimpleNamespace(tallies=lambda eye, lang: told.append((eye, lang)) or tallies)

    made.positions, made._lines = cast(Any, [position(a=1, b=2), position(a=3, b=2)]), {}
    made.heading = lambda number, eye, lang: f"step {number}"  # type: ignore[method-assign]
    made.events = lambda number, eye, lang: ["event"]  # type: ignore[method-assign]
    made.step = lambda number: Choice(0, 7)  # type: ignore[method-assign]
    assert made.lines(1, 0, "de") == ["step 1", "event", "a: 1 → 3"] and told == [(0, "de")] * 2
    assert made.lines(1, 0, "de")[2] and len(told) == 2, "once"
    made.heading = lambda number, eye, lang: ""  # type: ignore[method-assign]
    assert made.lines(1, None, "en") == ["event", "a: 1 → 3"]


@pytest.mark.parametrize(("step", "eye", "lines", "title"), [
    (Die(6, 3), None, ["a die", "fell 3"], "fell 3"), (Die(6, 3), None, ["a die"], "a die"),
    (Die(6, 3), 0, ["fell 3", "more"], "fell 3"), (Choice(0, 7), None, ["bets", "more"], "bets"),
    (Choice(0, 7), 1, [], ""), (Die(6, 3), None, ["drew a nine", "hand: 3 → 4"], "drew a nine"),
])  # fmt: skip
def test_a_step_in_one_line(step: Any, eye: int | None, lines: list[str], title: str) -> None:
    """What came of a die rather than its number, where all is laid open."""
    made = Course.__new__(Course)
    made.lines = lambda number, eye, lang: lines  # type: ignore[method-assign]
    made.step = lambda number: step  # type: ignore[method-assign]
    made.heading = lambda number, eye, lang: "a die"  # type: ignore[method-assign]
    assert made.title(1, eye, "en") == title


def test_events_are_told_once_and_to_whom_they_concern() -> None:
    """Laid open, it is what all see, but what the seats see where that is none or one of them; each text once."""
    made = Course.__new__(Course)
    says = {("draw", 0): "you draw 5", ("draw", 1): "he draws", ("draw", None): "she draws",
            ("bet", 0): "a bet", ("bet", 1): "a bet", ("bet", None): "a bet", ("sigh", 1): "you sigh"}  # fmt: skip
    made.game = cast(Any, SimpleNamespace(n_seats=2, say=lambda event, seat, lang: says.get((event, seat), "")))
    made.positions = cast(Any, [SimpleNamespace(events=lambda: ["draw", "bet", "sigh"])])
    assert made.events(0, None, "en") == ["she draws", "a bet", "you sigh"]
    assert made.events(0, 0, "en") == ["you draw 5", "a bet"] and made.events(0, 1, "en")[2] == "you sigh"


def test_a_review_shares_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of it is playing on, shared by five moments, half is thinking, shared by two decisions: the longest here.

    Of the steps one falls to chance between the decisions of seats 1 and 0; what a moment is worth after one is his.
    """
    steps: dict[int, Any] = {1: Choice(1, 7), 2: Die(6, 3), 3: Choice(0, 8), 4: Die(6, 2), 5: Die(6, 1)}

    class Alone(str):
        def to_act(self) -> tuple[int, ...]:
            return ()

    class Played5:
        over, game, positions = True, "game", [Alone(letter) for letter in "abcdef"]

        def __len__(self) -> int:
            return 5

        def to_decide(self, number: int) -> bool:
            return number in (0, 2)

        def step(self, number: int) -> Any:
            return steps[number]

    given: list[Any] = []

    class Playouts:
        agent = "those who play on"

        def __init__(self, game: Any) -> None:
            pass

        def play(self, position: str, games: int, seed: int) -> np.ndarray:
            given.append((position, games, seed))
            return np.array([[1.0, -1.0], [3.0, 1.0]]) * (1 + "abcdef".index(str(position)))

    monkeypatch.setattr(review, "Playouts", Playouts)
    monkeypatch.setattr(review, "_affordable", lambda course, playouts, seconds: given.append(seconds) or 44)
    monkeypatch.setattr(review, "errors_of", lambda payoffs, course, number: np.full(2, float(number)))
    monkeypatch.setattr(review, "engine_in", lambda game: "search")
    monkeypatch.setattr(
        review, "make_agent", lambda name: given.append(name) or SimpleNamespace(prepare=lambda game: None)
    )
    judged = review.Judged(0, 0, 0, 0, None, None)
    monkeypatch.setattr(review, "_solved", lambda course, numbers: ({}, None))
    monkeypatch.setattr(review, "_judge", lambda course, number, *_: given.append(number) or judged)
    monkeypatch.setattr(review.Review, "worst", None)
    found = review.review(cast(Any, Played5()), 4 * review.LONGEST, seed=2)
    assert given[:3] == [f"search:seconds={review.LONGEST:g}", 0, 2]
    assert given[3] == 2 * review.LONGEST / 5, "moments 0, 1, 2, 3, 5"
    assert given[4:] == [(p, 44, 2 * 1_000_003 + n) for p, n in (("a", 0), ("b", 1), ("c", 2), ("d", 3), ("f", 5))]
    assert found.numbers.tolist() == [0, 1, 2, 3, 5] and found.movers.tolist() == [-1, 1, -1, 0, -1]
    assert found.values[:, 0].tolist() == [2.0, 4.0, 6.0, 8.0, 12.0] and found.values[0, 1] == 0.0
    assert found.errors[3].tolist() == pytest.approx([3 * review.NORMAL] * 2) and found.games == 44
    # what seat 1 did to seat 0 is 2, chance 2 and 4
    assert found.share(0, 1)[0] == 2.0 and found.share(0, -1)[0] == 6.0 and found.turning_point(0) == 4
    assert found.share(0, 1)[1] == pytest.approx(review.NORMAL)
    # two decisions: each may be wrong in one case of forty
    assert [one.doubt for one in found.judged] == pytest.approx([2.2414 / 1.95996] * 2, rel=1e-4)
    with pytest.raises(ProbespielError, match="the game is not over"):
        review.review(cast(Any, SimpleNamespace(over=False)))


def test_games_that_fit_into_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial of some games takes 0.5 s; of games from later moments twice as many fit into the time."""
    clock = itertools.count(0.0, 0.5)
    monkeypatch.setattr(review, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    asked: list[Any] = []
    playouts: Any = SimpleNamespace(play=lambda *given: asked.append(given))
    course_of: Any = SimpleNamespace(positions=["begin", "end"])
    found = review._affordable(course_of, playouts, 1.0)
    assert asked == [("begin", 1, 0), ("begin", review._TRIAL, 0)]
    assert found == int(np.clip(4 * review._TRIAL, review.FEWEST, review.MOST))
    assert review._affordable(course_of, playouts, 1e9) == review.MOST
    assert review._affordable(course_of, playouts, 0.0) == review.FEWEST


def test_lessons_stop_at_the_decisions_of_the_pupil(monkeypatch: pytest.MonkeyPatch) -> None:
    """A die of six falls before the first move; the other's move between is news, as is what came of the own one."""
    log: list[Any] = []

    class Position:
        def __init__(self, game: Any, dice: tuple[int, ...] = (6, 0, 0, 4, 0, 0)) -> None:
            self.dice, self.new = list(dice), list[str]()

        def die(self) -> int:
            return self.dice[0] and self.dice[0]

        def fall(self, face: int) -> None:
            log.append(face)
            self.new = [f"fell {face}"]
            self.dice.pop(0)

        def apply(self, seat: int, action: int) -> None:
            self.new = [f"{seat} did {action}"]
            self.dice.pop(0)

        def events(self) -> list[str]:
            return self.new

        def clone(self) -> Any:
            return "clone"

    game: Any = SimpleNamespace(
        say=lambda event, seat, lang: f"{event} ({seat}, {lang})", seat_index=lambda name: "ab".index(name)
    )
    steps = [SimpleNamespace(seat="b"), SimpleNamespace(seat="a"), SimpleNamespace(seat="b")]
    monkeypatch.setattr(lesson, "Position", Position)
    monkeypatch.setattr(lesson, "rng_array", lambda *given: given)
    monkeypatch.setattr(lesson, "rand_below", lambda dice, faces: 3 if (dice, faces) == ((5, "position"), 6) else 1)
    monkeypatch.setattr(lesson, "_meant", lambda position, step, seat, number: 10 * number + seat)
    tutorial: Any = SimpleNamespace(seed=5, seat=1, steps=steps)
    found = list(lesson.moments(tutorial, game, "en"))
    assert log == [3, 1]
    assert [one.action for one in found] == [11, 31, -1] and [one.step for one in found] == [steps[0], steps[2], None]
    assert found[0].news == ("fell 3 (1, en)",)
    assert found[1].news == ("1 did 11 (1, en)", "0 did 20 (1, en)", "fell 1 (1, en)")
    assert found[2].news == ("1 did 31 (1, en)",) and cast(Any, found[0].position) == "clone"
