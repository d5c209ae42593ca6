"""Recorded games to look at: which eyes are allowed, stepping at the terminal, playing on, and the exported file."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.app.session.course import Course, open_course
from probespiel.app.session.table import Table
from probespiel.app.terminal.viewer import Viewer
from probespiel.app.web.export import exported, write_export
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Choice, Die, Recorder, Replay
from probespiel.envs.core.rng import rng_array
from probespiel.envs.kuhn.system import KuhnTexts


def finished(game: str = "kuhn", people: int = 1, decisions: int | None = None) -> Table:
    """A game of first legal actions, by `people` people and random agents."""
    made = make_game(game, compiled=False)
    table = Table(made, {seat: "human" if seat < people else "random" for seat in range(made.n_seats)}, seed=4)
    while not table.over and (decisions is None or table.decisions < decisions):
        seat = (table.waiting() or table.thinking())[0]
        table.choose(seat, table.legal(seat)[0])
    return table


def viewer(course: Course, *lines: str) -> tuple[Viewer, list[str]]:
    """A viewer at a terminal where somebody types these lines."""
    typed, out = iter(lines), []

    def read(prompt: str) -> str:
        out.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    def analyse(shown: Course, eye: int | None, lang: str) -> list[str]:
        return [f"analysis for {eye} in {lang}"]

    shown = Viewer(
        course, "en", analyse=analyse, export=write_export, opponent=lambda: "random", read=read, write=out.append
    )
    return shown, out


def test_a_step_is_shown_where_somebody_goes_to_it() -> None:
    """The second one by its number, the third one after it; the one behind the last does not exist."""
    course = Course(finished().replay())
    steps = [f"{at:>5}  {course.lines(at, None, 'en')[0]}" for at in range(1, len(course) + 1)]
    shown, out = viewer(course, "2", "next", str(len(course) + 1), "quit")
    assert shown.run() is None and shown.at == 3
    assert [line for line in out if line in steps] == steps[1:3]
    assert all("\n".join(out).count(course.told(at, None, "en")) == 1 for at in (2, 3))


@pytest.mark.parametrize("word", ["back", "b", "p", "previous", "z"])
def test_there_are_several_words_for_a_step_back(word: str) -> None:
    shown, out = viewer(Course(finished().replay()), "3", word, "quit")
    shown.run()
    assert shown.at == 2 and "Unknown" not in "\n".join(out)


def test_a_finished_game_lies_open_and_a_running_one_does_not(tmp_path: Path) -> None:
    course = Course(finished().replay())
    assert course.eyes == (None, 0, 1) and course.over
    assert course.told(2, None, "en").count("—") == 4, "the views of both seats stand below what all see"
    running = Course(finished(decisions=1).replay())
    assert running.eyes == (0,)
    with pytest.raises(ProbespielError, match="nobody may look into other hands"):
        running.eye("second")
    with pytest.raises(ProbespielError, match="resume"):
        running.branch(2, "random")
    hidden = re.compile("|".join(set(course.told(2, 1, "en").splitlines()) - set(course.told(2, 0, "en").splitlines())))
    page = exported(running)
    assert hidden.search(exported(course)) and not hidden.search(page)


@pytest.mark.parametrize(("lang", "told"), [("en", "chance, 2 times"), ("de", "Zufall, 2-mal")])
def test_what_chance_deals_is_not_called_dice(lang: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two cards of Kuhn's poker stood there as two dice; here as if its texts said nothing of them."""
    monkeypatch.setattr(KuhnTexts, "fell", lambda *_: "")
    course = Course(finished().replay())
    assert course.listed(None, lang)[0] == (2, told)
    assert course.heading(1, None, lang).startswith({"en": "chance, one of 3: ", "de": "Zufall, eins von 3: "}[lang])


def test_a_replay_says_which_test_was_drawn() -> None:
    """It said `chance, one of 18: 8`, and nobody could tell what that was."""
    recorder = Recorder(make_game("ews_rps", "evening", compiled=False))
    for outcome in (7, 9):
        recorder.fall(outcome)
    course = Course(recorder.replay())
    assert course.heading(1, None, "en") == "test 1 drawn: simple test, difference +4"
    assert course.heading(2, None, "de") == "Probe 2 ausgelost: Wettstreit, Differenz \N{MINUS SIGN}6"
    assert course.heading(1, 0, "en") == "", "who sat there was told by the test itself"
    dice = Recorder(make_game("ews_rps", "grapple", compiled=False, procedure="pm_d6"))
    dice.apply(0, dice.position.legal(0)[0])
    dice.fall(2)
    assert Course(dice.replay()).heading(2, None, "de") == "Würfel: 3"


@pytest.mark.parametrize(("drawn", "first", "second"), [
    (0, "medic before dealer and thug 1", "thug 1 before dealer"),
    (1, "dealer before medic and thug 1", "thug 1 before medic"),
    (2, "thug 1 before medic and dealer", "dealer before medic")])  # fmt: skip
def test_a_replay_says_who_of_equals_acts_first(drawn: int, first: str, second: str) -> None:
    """R9: it said `chance, one of 3: 2`, and of all draws `chance, 3 times`."""
    recorder = Recorder(make_game("scorekeeper-skirmish", compiled=False))
    for outcome in (0, 1, 1, 5, 2, 4, 4, 9, drawn, 1, 1):  # eight reactions, three of them equal, then two; the draws
        recorder.fall(outcome)
    course = Course(recorder.replay())
    titles = [f"tie, drawn: {told}" for told in (first, second)]
    assert [title for number, title in course.listed(None, "en") if number in (9, 10)] == titles
    assert course.lines(11, None, "en")[0] == "tie, drawn: officer 1 before Derman"
    orders = course.events(11, None, "en")
    assert (
        len(orders) == 1 and f"thug 2, {first.split(' before ')[0]}, {second.replace(' before ', ', ')}, " in orders[0]
    )
    assert course.heading(9, None, "de").startswith("Gleichstand, ausgelost: ") and " und " in course.heading(
        9, None, "de"
    )
    assert course.heading(9, 0, "en") == "", "who sat there was told by the order"


def test_a_step_of_chance_is_told_by_what_it_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """`chance, one of 26: 9` stood above the card that was drawn; where nothing else is told it stays."""
    recorder = Recorder(make_game("einblatt-duel", compiled=False))
    recorder.fall(9)
    course = Course(recorder.replay())
    (drawn,) = course.lines(1, None, "en")
    assert re.fullmatch(r"Billy draws \w+ \w+", drawn) and course.title(1, None, "en") == drawn
    assert course.listed(None, "en") == [(1, drawn)]
    assert course.heading(1, None, "en").endswith(": 10"), "the step itself"
    monkeypatch.setattr(KuhnTexts, "fell", lambda *_: "")
    dealt = Course(finished().replay())
    assert dealt.lines(1, None, "en") == [dealt.heading(1, None, "en")] and "one of 3" in dealt.lines(1, None, "en")[0]


def test_a_journal_opens_from_its_own_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = finished(decisions=1)
    table.keep(tmp_path)
    assert table.path is not None
    course = open_course(table.path)
    assert course.eyes == (0,) and len(course) == len(table.replay().steps)
    assert run(["replay", str(table.path)]) == 0
    assert "It is not over: shown is what first sees." in capsys.readouterr().out
    assert run(["replay", str(table.path), "--seat", "second"]) == 2
    table.close()


def test_stepping_at_the_terminal(tmp_path: Path) -> None:
    course = Course(finished("leduc").replay())
    page = tmp_path / "game.html"
    shown, out = viewer(
        course, "", "n", "back", "3", "99", "seat SECOND", "analysis", "all", "decision", "last", "", "list",
        "nonsense", "help", f"export {page}", "seat nobody", "q",
    )  # fmt: skip
    assert shown.run() is None
    steps = [int(found[1]) for line in out if (found := re.match(r"step (\d+) of", line))]
    last = len(course)
    assert "analysis for 1 in en" in out
    assert steps[:6] == [0, 1, 2, 1, 3, 3] and steps[9] == course.decision_after(3) and steps[10:12] == [last, last]
    assert "Steps are numbered" in "\n".join(out) and "as second sees it" in out and "This is the end" in "\n".join(out)
    assert any(line.startswith("Unknown: nonsense") for line in out) and any("one of first" in line for line in out)
    assert page.read_text().startswith("<!doctype html>")


def test_playing_on_from_the_middle() -> None:
    course = Course(finished("leduc").replay())
    number = course.decision_after(0)
    shown, _ = viewer(course, str(number), "play second")
    branch = shown.run()
    assert branch is not None and branch.cast == {0: "random", 1: "human"}
    table = Table(course.game, branch.cast, seed=99, entries=branch.entries)
    assert table.replay().steps == course.replay.steps[:number]
    assert table.position.to_bytes() == course.positions[number].to_bytes()
    assert course.branch(number, "random").cast == {0: "human", 1: "random"}
    with pytest.raises(ProbespielError, match="the game is over there"):
        course.branch(len(course), "random")


def test_agents_that_are_files_are_not_called_for_a_branch() -> None:
    table = finished()
    replay = table.replay()
    course = Course(type(replay)(replay.game, replay.steps, replay.status, replay.payoffs, 1,
                                 {"first": "human", "second": "/tmp/evil.py:Bot"}))  # fmt: skip
    assert course.branch(2, "random").cast[1] == "random"


def test_the_exported_file_holds_everything_and_asks_for_nothing(tmp_path: Path) -> None:
    course = Course(finished("konfrontation-clash").replay())
    page = exported(course, "de")
    assert re.findall(r"""(?:src=|href=|url\(|@import|fetch\(|XMLHttp|import\()""", page) == []
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert data["lang"] == "de" and data["eyes"][0] is None
    for lang in ("en", "de"):
        for eye, where in enumerate(course.eyes):
            for number in range(len(course) + 1):
                lines = [data["texts"][place] for place in data["boards"][data["told"][lang][eye][number]]]
                assert "\n".join(lines) == course.told(number, where, lang)
    (tmp_path / "notes.html").write_text("mine")
    with pytest.raises(ProbespielError, match="no exported game"):
        write_export(course, tmp_path / "notes.html")
    write_export(course, tmp_path / "game.html")
    write_export(course, tmp_path / "game.html")


def test_an_agent_of_several_seats_is_told_once() -> None:
    """The head of a recording of eight seats said seven times what the same agent is."""
    game = make_game("scorekeeper-skirmish", compiled=False)
    names = [seat.name for seat in game.seats]
    agents = {name: "human" if number == 2 else "random" for number, name in enumerate(names)}
    agents.pop(names[3])
    course = Course(Replay(game, (), "running", (), 1, agents))
    others = [seat for seat in range(len(names)) if seat not in (2, 3)]
    assert course.players() == [(others, "random"), ([2], "human"), ([3], "")]
    page = exported(course)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    told = json.loads(found[1])["players"]
    called = [seat.called("de") for seat in game.seats]
    assert told["de"] == [
        f"{', '.join(called[seat] for seat in others)}: irgendein Zug per Zufall", f"{called[2]}: ein Mensch", called[3]
    ]  # fmt: skip


def full(*_: object) -> None:
    """A disk on which there is no room."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_export_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    finished().save(tmp_path / "game.json")
    assert run(["replay", str(tmp_path / "game.json"), "--export", str(tmp_path / "game.html"), "--lang", "de"]) == 0
    assert '<html lang="de">' in (tmp_path / "game.html").read_text()
    monkeypatch.setattr("os.fsync", full)
    for name in ("game.html", "new.html"):
        assert run(["replay", str(tmp_path / "game.json"), "--export", str(tmp_path / name)]) == 2
        assert "No space left on device" in capsys.readouterr().err
    # what was there is still there, and no half of a page is in the way of the next attempt
    assert '<html lang="de">' in (tmp_path / "game.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.html", "game.json"]


def test_an_analysis_can_be_broken_off() -> None:
    """Ctrl-C in it left the viewer."""
    course = Course(finished().replay())
    lines: list[str] = []
    typed = iter(["analysis", "1", "quit"])

    def takes_long(*_: object) -> list[str]:
        raise KeyboardInterrupt

    shown = Viewer(
        course, "en", analyse=takes_long, export=lambda *_: None, opponent=lambda: "random",
        read=lambda _: next(typed), write=lines.append,
    )  # fmt: skip
    assert shown.run() is None and "Broken off." in lines and shown.at == 1


def test_a_step_is_headed_for_who_took_it_and_those_who_see_all() -> None:
    """Kuhn poker: two cards are dealt, of which nobody's heading tells; then one chooses, and the other is not told."""
    course = Course(finished().replay())
    number = course.decision_after(0) + 1
    step = course.step(number)
    assert isinstance(step, Choice)
    told = course.heading(number, None, "en")
    assert (
        told and course.heading(number, step.seat, "en") == told and course.heading(number, 1 - step.seat, "en") == ""
    )
    assert course.heading(1, 0, "en") == course.heading(1, 1, "en") == ""


@pytest.mark.parametrize("player", [False, True])
def test_insights_name_seats_for_all_but_who_played(monkeypatch: pytest.MonkeyPatch, player: bool) -> None:
    course = Course(finished().replay())
    named: list[bool] = []

    @contextlib.contextmanager
    def by_name() -> Iterator[None]:
        named.append(True)
        yield

    monkeypatch.setattr("probespiel.app.session.course.by_name", by_name)
    monkeypatch.setattr("probespiel.app.session.course.insights_on", lambda *given: (given[1],))
    assert course.insights(0, 0, "en", player) == () and not named
    assert course.insights(len(course), 0, "en", player) == (0,)
    assert named == ([] if player else [True])


ASKS = Path(__file__).parent / "planted" / "mute.py"


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", "Billy is asked “yes?”, and the rules cannot go on: {why}."),
    ("de", "Billy wird gefragt: „ja?“, und die Regeln können nicht weiter: {why}."),
])  # fmt: skip
def test_a_question_that_nobody_can_answer_is_named(lang: str, wanted: str) -> None:
    """Whoever holds two given cards of 32 is asked and may answer nothing: the recording says what it stopped at."""
    made = make_game("einblatt-duel", modules={str(ASKS): {"seats": [0]}}, compiled=False)
    position, steps = made.position(), tuple[Die, ...]()
    for seed in range(500):
        position = made.position()
        steps = tuple(Die(*fell) for fell in position.roll(rng_array(seed)))
        if int(position.record.hand[0]) & 192 == 192:
            break
    assert int(position.record.hand[0]) & 192 == 192 and position.question("en") == "yes?"
    course = Course(Replay(made, steps, "stopped", (0.0, 0.0)))
    why = f"{ASKS}:20: module mute: hook 'legal_of' allows nothing: the seat that is asked could not answer"
    assert not course.over and course.result(lang) == [wanted.format(why=why)]


def test_an_unfinished_game_that_can_go_on_is_not_stuck() -> None:
    """And one in which the rules simply allow nothing names the question."""
    course = Course(finished(decisions=1).replay())
    assert course.result("en") == []
    last = course.positions[-1]
    (seat,) = last.to_act()
    last.legal = lambda seat: []
    assert course.result("en") == [
        f"{course.game.seats[seat].called('en')} is asked “{last.question('en')}”, and no answer is allowed."
    ]


def test_what_a_decision_says_is_not_told_again() -> None:
    """Beside `House Arden: gather power` stood an event of the same words."""
    recorder = Recorder(make_game("konfrontation-campaign", compiled=False))
    recorder.fall(0)
    position = recorder.position
    seat = position.to_act()[0]
    (action,) = (a for a in position.legal(seat) if position.game.actions.codes[a].startswith("gather"))
    recorder.apply(seat, action)
    course = Course(recorder.replay())
    first, *rest = course.lines(2, None, "en")
    assert first.endswith(": gather power") and not any("gather power" in line for line in rest)
    assert any("gather power" in line for line in course.lines(2, 1 - seat, "en")), "who did not decide reads the event"
