"""The screen of ews_rps: numbers that an observation cuts off are shown as they are."""

from __future__ import annotations

import random
from typing import Any

import pytest

from probespiel.app.ews_rps.screen import draw
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.web.screens import Drawn
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.ews_rps.params import NUMBERS
from probespiel.envs.ews_rps.text import lead, needed


def begun(kind: str, value: int, other: int, acting: int, **options: Any) -> Position:
    """One test with the given numbers, at its first round."""
    test = {"kind": kind, "acting_seat": acting, **dict(zip(NUMBERS[kind], (value, other), strict=True))}
    position = make_game("ews_rps", "table_simple", compiled=False, tests=[test], **options).position(seed=2)
    position.roll()
    return position


def drawn(position: Position, seat: int, lang: str = "de") -> Drawn:
    seen = seen_of(position, seat, lang)
    found = draw(Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices]))
    assert found is not None
    return found


@pytest.mark.parametrize("acting", [0, 1])
@pytest.mark.parametrize(("kind", "value", "other", "need"), [
    ("simple", 12, 15, 1), ("simple", 10, 60, 17), ("simple", 60, 10, -16), ("contest", -40, 55, 32),
])  # fmt: skip
def test_values_beyond_the_range_of_an_observation_are_shown(
    acting: int, kind: str, value: int, other: int, need: int
) -> None:
    """Differences beyond 12 were shown as 12, values beyond 30 as 30, and the streak needed as 12 at most."""
    position = begun(kind, value, other, acting)
    assert int(position.record.need) == need
    for seat in (0, 1):
        test = drawn(position, seat).values["test"]
        mine = (value, other) if seat == acting else (other, value)
        assert (test["mine"], test["other"], test["gap"], test["need"]) == (*mine, other - value, need)
        goals = [step["value"] for step in test["steps"] if step["goal"]]
        assert goals == ([need] if abs(need) <= 12 else []), "a bar that no screen holds is left out"
        assert len(test["steps"]) <= 13


def test_the_screen_says_the_numbers_that_the_terminal_says() -> None:
    position = begun("contest", 20, 47, 0)
    test = drawn(position, 0).values["test"]
    told = position.told(0, "de")
    assert all(str(test[name]) in told for name in ("mine", "other", "gap", "need")), told


@pytest.mark.parametrize(("need", "english", "german"), [
    (2, "at least 2 more won than lost", "mindestens 2 mehr gewonnen als verloren"),
    (0, "at least as many won as lost", "mindestens so viel gewonnen wie verloren"),
    (-3, "at most 3 more lost than won", "bis zu 3 mehr verloren als gewonnen"),
])  # fmt: skip
def test_wins_needed_are_told_in_words(need: int, english: str, german: str) -> None:
    """`needed 0, now -1` told nothing to somebody who had not read the rules."""
    assert (needed(need, "en"), needed(need, "de")) == (english, german)


@pytest.mark.parametrize(("gap", "english", "german"), [
    (4, "4 less", "4 weniger"), (0, "", ""), (-1, "1 more", "1 mehr"),
])  # fmt: skip
def test_who_is_ahead_is_told_in_words(gap: int, english: str, german: str) -> None:
    assert (lead(gap, "en"), lead(gap, "de")) == (english, german)
    for seat in (0, 1):
        test = drawn(begun("contest", 10, 10 + gap, 0), seat, "en").values["test"]
        assert test["lead"] == english and test["needed"] == needed(test["need"], "en")


@pytest.mark.parametrize(("scenario", "options"), [("evening", {}), ("table_simple", {"payoff": "stakes"})])
def test_a_match_that_is_decided_says_so(scenario: str, options: dict[str, Any]) -> None:
    """Whoever is ahead by more than the tests that are left are worth has won; nobody said so, and play went on."""
    game, met = make_game("ews_rps", scenario, compiled=False, **options), set()
    p = game.params
    worth = float(max(p.pool_win.max(), p.pool_loss.max())) if options.get("payoff") == "stakes" else 1.0
    position, lot = game.position(), random.Random(5)
    while position.die():
        position.fall(lot.randrange(position.die()))
    for test in range(int(p.n_tests)):
        for score in (-p.n_tests, -1.0, 0.0, 1.0, 2.0, float(p.n_tests)):
            position.record.test, position.record.score = test, score
            left = worth * (int(p.n_tests) - test)
            told = {lang: position.told(None, lang).splitlines()[-1] for lang in ("en", "de")}
            met.add(decided := abs(score) > left)
            assert ("decided, winner: " in told["en"]) == decided == ("entschieden, Sieg: " in told["de"])
            if decided:
                assert told["en"].endswith("winner: player" if score > 0 else "winner: game master")
                assert len(told["de"]) < 80
    assert met == {True, False}
    position.record.status, position.record.test, position.record.score = 1, p.n_tests, 1.0
    assert "decided" not in position.told(None, "en"), "at the end the result says it"
