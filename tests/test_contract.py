"""What a game promises: rules that break one promise each are found out, and told by what they break."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from probespiel.envs.core import contract, registry
from probespiel.envs.core.contract import check_random_play, try_contract
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, GameSpec

from .test_adding_a_system import files_of_the_page

RULES, SYSTEM = "table_morra/envs/rules.py", "table_morra/envs/system.py"
ASKED = "return (0 if s.shown[0] else 1) | (0 if s.shown[1] else 2)"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where packages are found that are forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "table_morra"]:
        del sys.modules[name]


def spec_of(home: Path, file: str = RULES, old: str = "", new: str = "") -> GameSpec:
    """The game of the page on adding a system, with a change of one of its files."""
    for name, text in files_of_the_page().items():
        if name == file:
            assert text.count(old) == 1 or not old
            text = text.replace(old, new) if old else text
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    importlib.invalidate_caches()
    return importlib.import_module("table_morra.envs.system").SYSTEM.spec("morra", None, {}, {})


BROKEN = {
    "asked after the end": (
        RULES,
        ASKED,
        ASKED + " or 3",
        "decision 2, phase show: the game is over, and still asked is odd, even",
    ),
    "a die after the end": (
        RULES,
        "return 2 if s.factor == 0 else 0",
        "return 2 if s.factor == 0 or s.shown[0] * s.shown[1] else 0",
        "a die is due",
    ),
    "asked while a die is due": (
        RULES,
        "if s.factor == 0:\n        return 0\n    return (0",
        "return (0",
        "a die is due, and asked is odd, even",
    ),
    "a seat that is not there": (
        RULES,
        ASKED,
        ASKED + " | (0 if s.shown[0] else 4)",
        "to_act is 7: a bit for each of 2 seats, from 0 to 3",
    ),
    "asked at once": (
        SYSTEM,
        "simultaneous=True",
        "simultaneous=False",
        "odd, even are asked at once, and the game says simultaneous=False",
    ),
    "an action that is not there": (
        RULES,
        "hooks.fingers(s, p, seat, 3)",
        "hooks.fingers(s, p, seat, 7)",
        "odd: action 2 is legal, and the last one is 1",
    ),
    "more events than have room": (
        RULES,
        "s.n_events = 2",
        "s.n_events = 3",
        "n_events is 3: from 0 to 2, for which there is room",
    ),
    "longer than is said": (
        SYSTEM,
        "max_decisions=2",
        "max_decisions=1",
        "it goes on after 2 decisions, and the game says max_decisions=1",
    ),
    "a choice that is lost": (
        RULES,
        "s.shown[seat] = action + 1",
        "s.shown[seat] = 0",
        "it goes on after 3 decisions, and the game says max_decisions=2",
    ),
    "dice without end": (
        RULES,
        "s.factor = 1 + outcome",
        "s.factor = 0",
        "50 dice have fallen in a row, and there is another",
    ),
    "payoffs beyond what is said": (SYSTEM, "top = 200.0", "top = 1.0", "are outside -1..1"),
    "payoffs that do not add up": (RULES, "out[1 - winner] = -won", "out[1 - winner] = 0.0", "do not add up to 0"),
    "no German question": (
        SYSTEM,
        ', "de": "zeige deine Finger"',
        "",
        "the question of phase 'show' in 'de' fails: KeyError: 'de'",
    ),
    "no text of an event": (
        SYSTEM,
        'return f"{SEATS[event >> 2 & 1]}: {FINGERS[lang][(event >> 4) - 1]}"',
        "return None",
        "the text of event ",
    ),
    "nothing that is asked": (
        SYSTEM,
        '"show your fingers"',
        '""',
        "the question of phase 'show' in 'en' is '': a text must be told",
    ),
    "what is sealed stays": (
        RULES,
        "s.shown[1 - seat] = 0",
        "pass",
        "shown depends on what the seat cannot know, and is not forgotten",
    ),
    "a history without the coin": (
        RULES,
        "mix(mix(s.factor, s.shown[seat])",
        "mix(mix(0, s.shown[seat])",
        "something else after the same history",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_promise_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, told: str
) -> None:
    monkeypatch.setattr("probespiel.envs.core.game.MOST_DICE", 50)
    found = check_random_play(Game(spec_of(home, file, old, new), compiled=False), games=8)
    assert found.problems and all("seed " in problem for problem in found.problems)
    assert any(told in problem for problem in found.problems), found.problems


def test_the_game_of_the_page_keeps_its_promises(home: Path) -> None:
    found = check_random_play(Game(spec_of(home), compiled=False), games=8)
    assert (found.games, found.decisions, found.problems) == (8, 16, ())


def test_no_game_is_begun_after_enough_decisions(home: Path) -> None:
    found = check_random_play(Game(spec_of(home), compiled=False), games=8, most=5)
    assert (found.games, found.decisions) == (3, 6)  # 4 are not enough, so that a third game is begun


def test_rules_that_have_passed_are_not_tried_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBESPIEL_CACHE", str(home / "cache"))
    spec, played = spec_of(home), []
    check = contract.check_random_play
    monkeypatch.setattr(contract, "check_random_play", lambda *a, **b: played.append(1) or check(*a, **b))
    try_contract(spec)
    try_contract(spec)
    assert len(played) == 1
    other = spec.params.copy()
    other["stake"] = 2.0
    try_contract(replace(spec, params=other))  # other parameters are other rules
    assert len(played) == 2


def test_rules_that_fail_are_tried_until_they_pass(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBESPIEL_CACHE", str(home / "cache"))
    spec = spec_of(home, SYSTEM, "max_decisions=2", "max_decisions=1")
    for _ in range(2):
        with pytest.raises(
            RulesetError, match=r"game morra: its rules do not keep .* `probespiel verify --game morra`"
        ):
            try_contract(spec)


def test_systems_from_outside_alone_are_tried(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(registry, "try_contract", lambda spec: tried.append(spec.name))
    monkeypatch.setattr(registry, "outside_systems", lambda: {"morra": "table_morra"})
    registry.game_from(spec_of(home))
    assert tried == ["morra"]
    registry.game_from(spec_of(home), compiled=False)  # whoever interprets can stop
    registry.make_game("kuhn")
    assert tried == ["morra"]
