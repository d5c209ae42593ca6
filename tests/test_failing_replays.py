"""The replay of a game that its rules did not survive tells by which step they break, where, and how."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.app.cli import run
from probespiel.app.session.course import open_course
from probespiel.app.web.export import exported
from probespiel.envs.core.errors import ProbespielError, ReplayError
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.replay import Choice, Die, Recorder, Replay, loads
from probespiel.envs.core.rng import rng_array
from probespiel.evaluation.stress import breakage
from probespiel.evaluation.stress.conditions import Bench, Settings
from probespiel.evaluation.stress.failing import failing_steps
from probespiel.evaluation.stress.lab import Lab

BELL = str(Path(__file__).parent / "planted" / "cracked_bell.py")
CRACKED = f"{BELL}:14: module cracked_bell: hook 'wounded' raised ValueError: the bell is cracked"
ODD = '''"""Odd."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("odd", "Odd.", payoff_shift=1.0)
@module.hook
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Raises."""
    odd = {"a": [1]}
    return odd["missing"]
'''


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The replay of a game whose end the rules cannot count, as the laboratory keeps it."""
    path = tmp_path / "odd.py"
    path.write_text(ODD)
    lab = Lab(Bench(Settings("kuhn", str(path)), compiled=False), tmp_path)
    told = breakage.raised(lab, lab.bench.everybody(), 3, 5, "replays/odd.json")
    return tmp_path / "replays" / told["replay"]


def cracked() -> Replay:
    """A duel up to the blow that the rules do not survive, which is a decision and its dice."""
    made = make_game("scorekeeper-duel", modules={BELL: {}}, compiled=False)
    for seed in range(40):
        recorder, rng = Recorder(made, seed=seed), random.Random(seed)
        while not recorder.position.over:
            seat = recorder.position.to_act()[0]
            action = rng.choice(recorder.position.legal(seat))
            if fails := recorder.failing(seat, action):
                return replace(recorder.replay(), fails=fails)
            recorder.apply(seat, action)
            recorder.roll()
    raise AssertionError("no bell was cracked")


@pytest.mark.parametrize(("lang", "words"), [
    ("en", "With this step the rules break"), ("de", "An diesem Schritt zerbrechen die Regeln"),
])  # fmt: skip
def test_the_replay_of_broken_rules_names_the_place(
    lang: str, words: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the terminal, in the browser's list and in the exported file: the decision, file, line, hook and error."""
    course = open_course(kept, trust=True)
    (choice,) = course.replay.fails
    assert isinstance(choice, Choice) and not course.over
    (line,) = course.result(lang)
    who, action = course.game.seats[choice.seat].called(lang), json.loads(kept.read_text())["fails"][0]["action"]
    assert action == course.game.actions.codes[choice.action]
    assert line.startswith(f"{who}: ") and f". {words}: " in line
    assert line.endswith("odd.py:9: module odd: hook 'payoff' raised KeyError: 'missing'.")
    page = exported(course, lang)
    assert f"{words}: " in page and "odd.py:9: module odd: hook" in page
    assert run(["replay", str(kept), "--trust-files", "--lang", lang]) == 0
    assert line in " ".join(capsys.readouterr().out.split("\n"))


def test_who_does_not_see_the_step_is_told_the_place_alone(kept: Path) -> None:
    course = open_course(kept, trust=True)
    (choice,) = course.replay.fails
    assert isinstance(choice, Choice)
    assert course.result("en", choice.seat) == course.result("en")
    (line,) = course.result("en", 1 - choice.seat)
    assert line.startswith("With the next step the rules break: ") and "odd.py:9: " in line


def test_dice_after_the_last_decision_are_kept() -> None:
    """A blow falls by dice: without them the rules survive it, and nothing would be told."""
    replay = cracked()
    assert isinstance(replay.fails[0], Choice) and replay.fails[1:]
    assert all(isinstance(step, Die) for step in replay.fails[1:])
    assert replay.fault() == CRACKED
    again = loads(replay.to_json(), replay.game)
    assert (again.fails, again.fault()) == (replay.fails, CRACKED)
    assert replace(replay, fails=replay.fails[:-1]).fault() == ""


def test_rules_that_survive_have_no_failing_steps() -> None:
    """Nothing is kept apart of a game that goes on, nor where interpreted rules do not come as far."""
    made = make_game("kuhn", compiled=False)
    recorder = Recorder(made, seed=3)
    assert recorder.failing(0, 0) == () and recorder.replay().fault() == ""
    before = recorder.position.to_bytes()
    recorder.failing(0, 1)
    assert recorder.position.to_bytes() == before and '"fails"' not in recorder.replay().to_json()
    with pytest.raises(ProbespielError, match="seed"):
        Recorder(made).failing(0, 0)
    rng = rng_array(5)
    assert failing_steps(made, rng, [(0, 9), (0, 9)]) == failing_steps(made, rng, [(0, 0)]) == ()


def test_compiled_rules_ask_interpreted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled rules may end the process or name no line."""
    replay = cracked()
    monkeypatch.setattr(replay.game.kernel, "compiled", True)
    built: list[bool] = []

    def rebuilt(recipe: object, compiled: bool = True) -> Game:
        built.append(compiled)
        return make_game("scorekeeper-duel", modules={BELL: {}}, compiled=False)

    monkeypatch.setattr("probespiel.envs.core.replay.rebuild", rebuilt)
    assert replay.fault() == CRACKED and built == [False]


@pytest.mark.parametrize(("fails", "why"), [
    ("7", "7 is no list"),
    ('[{"die": 6, "fell": 1}]', "an action of a seat, and then nothing but dice"),
    ('[{"seat": "first", "action": "bet"}, {"seat": "first", "action": "bet"}]', "and then nothing but dice"),
    ('[{"seat": "third", "action": "bet"}]', "fails, step 1: a step is"),
    ('[{"seat": "first", "action": "fly"}]', "fails, step 1: .*fly"),
    ('[{"seat": "first", "action": "bet"}, {"die": 6, "fell": 6}]', "fails, step 2: a step is"),
    ('[{"seat": "first", "action": "bet"}' + ', {"die": 6, "fell": 1}' * 1000 + "]", "1001 steps, at most 1000"),
])  # fmt: skip
def test_wrong_failing_steps_are_refused(fails: str, why: str) -> None:
    game = make_game("kuhn", compiled=False)
    text = Recorder(game, seed=3).replay().to_json().replace(' "result"', f' "fails": {fails},\n "result"')
    with pytest.raises(ReplayError, match=why):
        loads(text, game)


def test_failing_steps_that_are_not_legal_are_no_fault() -> None:
    """A file may name any; and a game that came to its end was survived."""
    game = make_game("kuhn", compiled=False)
    recorder = Recorder(game, seed=3)
    illegal = Choice(1, recorder.position.legal(0)[0])
    assert replace(recorder.replay(), fails=(illegal,)).fault() == ""
    while not recorder.position.over:
        seat = recorder.position.to_act()[0]
        recorder.apply(seat, recorder.position.legal(seat)[0])
    ended = replace(recorder.replay(), fails=(illegal,)).to_json()
    with pytest.raises(ReplayError, match="fails: the rules break in a game that is running; the file says ended"):
        loads(ended, game)
