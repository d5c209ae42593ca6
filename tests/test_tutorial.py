"""The tutorials: played through as they suggest, with other moves, and with input that ends early."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, cycle

import pytest

from probespiel.app.cli import run
from probespiel.app.session.lesson import moments
from probespiel.app.terminal.tutorial import Lesson
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import system_names
from probespiel.envs.core.rulebook import Tutorial, tutorial_of
from probespiel.envs.core.rulebook import tutorial as library

TAUGHT = [name for name in system_names() if tutorial_of(name) is not None]


def test_every_system_is_taught() -> None:
    """All but some of the reference games."""
    assert {"einblatt", "ews_rps", "konfrontation", "kuhn", "oneshot", "scorekeeper"} <= {*TAUGHT}


def lesson_of(name: str, lang: str = "en") -> Tutorial:
    found = tutorial_of(name, lang)
    assert found is not None
    return found


def played(tutorial: Tutorial, answers: Iterator[str], lang: str = "en") -> tuple[bool, str, Lesson]:
    """Whether the lesson came to its end, what it wrote, and the lesson."""
    out: list[str] = []

    def read(prompt: str) -> str:
        out.append(prompt)
        answer = next(answers, None)
        if answer is None:
            raise EOFError
        return answer

    lesson = Lesson(tutorial, lang, read=read, write=out.append)
    done = lesson.run()
    return done, "\n".join(out), lesson


def suggested(tutorial: Tutorial) -> list[str]:
    return [step.action for step in tutorial.steps if step.comment]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", TAUGHT)
def test_as_it_is_taught(name: str, lang: str) -> None:
    """Every decision has a comment and a reason, the game ends with the script, and all texts are shown."""
    tutorial = lesson_of(name, lang)
    seat = tutorial.spec.seats[tutorial.seat].name
    assert len(suggested(tutorial)) >= 2
    assert all(bool(step.comment) == bool(step.why) == (step.seat == seat) for step in tutorial.steps)
    done, text, lesson = played(tutorial, iter(suggested(tutorial)), lang)
    assert done and lesson.position.over
    assert tutorial.title in text and tutorial.intro in text and tutorial.outro in text
    assert all(step.comment in text for step in tutorial.steps)
    assert not any(step.why and step.why in text for step in tutorial.steps)
    assert f"probespiel play {tutorial.spec.name}" in text


@pytest.mark.parametrize("name", TAUGHT)
def test_other_moves_are_answered(name: str) -> None:
    """Whatever stands first or second in the list: where another is taught the reason is given, and it goes on."""
    tutorial = lesson_of(name)
    answers = chain(["99", "nonsense", "", "help", "hint", "999"], cycle(["2", "1"]))
    done, text, lesson = played(tutorial, answers)
    assert done and lesson.position.over
    assert "is no number of the list" in text and "Taught here: " in text
    others = text.count("that is allowed, too.")
    assert others + text.count("Just so: ") == len(suggested(tutorial))
    assert others >= 1
    assert sum(step.why in text for step in tutorial.steps if step.why) == others


@pytest.mark.parametrize(
    ("lang", "moves", "far"), [("en", "move ... (19)", "move 2 east"), ("de", "gehe ... (19)", "gehe 2 Ost")]
)
def test_many_actions_are_listed_in_groups_that_open(lang: str, moves: str, far: str) -> None:
    """26 lines of steps stood before the only blow; as in a game a number opens them, and Enter closes them again."""
    _, text, _ = played(lesson_of("oneshot", lang), iter(["2", "", "2", "8", "quit"]), lang)
    asked = re.split(r"(?:hero|Held)> ", text)
    assert [moves in part for part in asked[:4]] == [True, False, True, False], text
    assert [f"  8  {far}" in part for part in asked[:4]] == [False, True, False, True]
    assert far in asked[4].splitlines()[1]  # what was taught


def test_news_of_a_lesson_are_told_once() -> None:
    """Each moment has a position of its own, and tells what has come since the one before."""
    tutorial = lesson_of("einblatt")
    course = [*moments(tutorial, Game(tutorial.spec, compiled=False), "en")]
    rounds = [[line.split()[-1] for line in moment.news if "- round" in line] for moment in course]
    assert rounds == [["1"], ["2"], ["3"], []]
    assert [moment.position.over for moment in course] == [False, False, False, True]
    assert [moment.step is None for moment in course] == [False, False, False, True]


def test_what_lessons_say_of_screens_stands_there() -> None:
    """`the log says "lost"` was said of a log that did not; what is quoted is on the screen just above."""
    for name in TAUGHT:
        for lang in LANGUAGES:
            tutorial = lesson_of(name, lang)
            _, text, _ = played(tutorial, iter(suggested(tutorial)), lang)
            for step in tutorial.steps:
                prompt = f"\n{tutorial.spec.seats[tutorial.seat].called(lang)}> "
                before = text.partition(step.comment)[0].rpartition(prompt)[2] if step.comment else ""
                for quoted in re.findall('"([^"]+)"|„([^“]+)“', step.comment):
                    assert "".join(quoted) in " ".join(before.split()), (name, lang, quoted)


@pytest.mark.parametrize("name", TAUGHT)
def test_input_may_end_at_any_decision(name: str) -> None:
    tutorial = lesson_of(name)
    for number in range(len(suggested(tutorial))):
        for last in ([], ["quit"]):
            done, text, lesson = played(tutorial, iter(suggested(tutorial)[:number] + last))
            assert not done and not lesson.position.over and text.endswith("The lesson ends here.")


def test_scripts_that_do_not_fit_are_refused() -> None:
    tutorial = lesson_of("kuhn")
    wrong = replace(tutorial, steps=(replace(tutorial.steps[0], action="raise"), *tutorial.steps[1:]))
    with pytest.raises(RulesetError, match="tutorial of kuhn, step 1: first cannot play 'raise' in phase move"):
        played(wrong, iter(["pass"]))
    late = replace(tutorial, steps=(*tutorial.steps, tutorial.steps[0]))
    with pytest.raises(RulesetError, match="in phase over"):
        played(late, iter(["pass", "pass", "pass"]))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"seat": "third"}, "seat = 'third' is not allowed: one of first, second"),
        ({"step": [{"seat": "first"}]}, "step 1: en is missing"),
        ({"step": [{"seat": "nobody", "action": "pass"}]}, "step 1: seat = 'nobody' is not allowed"),
        ({"step": [{"seat": "second"}]}, "step 1: action is missing"),
        ({"title_en": None}, "title_en is missing"),
    ],
)
def test_incomplete_files_are_refused(change: dict[str, object], part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = dict(library.table_of("kuhn", library.FILE)) | change
    monkeypatch.setattr(library, "table_of", lambda *_: {k: v for k, v in whole.items() if v is not None})
    with pytest.raises(RulesetError, match=part):
        tutorial_of("kuhn")


def test_the_command_plays(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("pass\nbet\n"))
    assert run(["tutorial", "kuhn"]) == 0
    out = capsys.readouterr().out
    assert "bet: that is allowed, too. Taught here is pass." in out and "payoff -1" in out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["tutorial", "einblatt-melee", "--lang", "de"]) == 0
    assert "Die Lektion endet hier." in capsys.readouterr().out
    assert run(["tutorial", "chess"]) == 2
    assert "game 'chess' is unknown" in capsys.readouterr().err


def test_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons, pages and explanations start at once on a machine that has never compiled anything."""
    seen = []
    original = Game.__init__

    def watch(self: Game, spec: object, compiled: bool = True) -> None:
        seen.append(compiled)
        original(self, spec, compiled)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "__init__", watch)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for arguments in (["tutorial", "oneshot"], ["rules", "oneshot-mission"], ["explain", "SG", "oneshot"]):
        assert run(arguments) == 0
    assert seen == [False]


def test_a_lesson_is_shown_as_a_game_is() -> None:
    """`hero>` asked a German reader, codes such as `edge:guard:cunning` stood in the list, and no chances."""
    tutorial = lesson_of("oneshot", "de")
    _, text, _ = played(tutorial, iter(suggested(tutorial)), "de")
    assert "\nHeld> " in text and "hero>" not in text
    assert "(edge:" not in text and "(move:" not in text
    assert "Angriff auf Wache mit Axt  - trifft " in text
