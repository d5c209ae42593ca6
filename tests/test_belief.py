"""What the predictor of ews_rps believed: weights by Bayes' rule by hand, told after the game and never before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from probespiel.agents.ews_rps import types
from probespiel.agents.ews_rps.belief import Belief, belief_of
from probespiel.agents.ews_rps.counter import KINDS
from probespiel.agents.native import is_built, native_policy
from probespiel.app.ews_rps import afterwards as telling
from probespiel.app.session import afterwards as session_afterwards
from probespiel.app.session.afterwards import Insight, insights_on
from probespiel.envs.core.actions import LANGUAGES
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.ews_rps import state as st
from probespiel.envs.ews_rps.presets import PRESETS

from .test_ews_rps import a_test
from .test_glossary import DATA, EVERYDAY, unknown_words
from .test_screen_words import SCREEN

AFTER = {lang: frozenset((DATA / f"after_{lang}.txt").read_text("utf-8").split()) for lang in LANGUAGES}
ROCK, PAPER, SCISSORS = range(3)
THIRD, CERTAIN = Fraction(1, 3), Fraction(1)
NEVER = Fraction(0)
BLUR = Fraction(1, 20)  # of every forecast is uniform
# what each kind expected of somebody who showed rock, paper, scissors against rock, rock, rock: the chance of the
# symbol that was shown, round by round
EXPECTED: dict[int, tuple[Fraction, ...]] = {
    types.UNIFORM: (THIRD, THIRD, THIRD),
    types.WEIGHTS: (THIRD, Fraction(1, 4), Fraction(1, 5)),  # one is added to every count: 1 of 4, 1 of 5
    types.WIN_STAY: (THIRD, THIRD, NEVER),  # a draw tells nothing; paper has won, so paper again
    types.STEPS: (THIRD, NEVER, NEVER),
    types.STEPS + 1: (THIRD, CERTAIN, CERTAIN),  # rock, paper, scissors in turn
    types.STEPS + 2: (THIRD, NEVER, NEVER),
    **dict.fromkeys(range(types.FREQUENCY, types.MARKOV), (THIRD, CERTAIN, NEVER)),  # paper beats rock, twice
    **dict.fromkeys(range(types.MARKOV, types.MATCH), (THIRD, THIRD, THIRD)),  # no pair of rounds has occurred before
    types.MATCH: (THIRD, THIRD, NEVER),  # rock has come twice: paper
    types.BIASED: (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)),
}
NEXT: dict[int, tuple[int, ...]] = {  # what each kind shows after these rounds: any of these equally
    types.UNIFORM: (ROCK, PAPER, SCISSORS),
    types.WEIGHTS: (ROCK, PAPER, SCISSORS),
    types.WIN_STAY: (PAPER,),  # scissors has lost to rock
    types.STEPS: (SCISSORS,),
    types.STEPS + 1: (ROCK,),
    types.STEPS + 2: (PAPER,),
    **dict.fromkeys(range(types.FREQUENCY, types.MARKOV), (PAPER,)),
    **dict.fromkeys(range(types.MARKOV, types.MATCH), (ROCK, PAPER, SCISSORS)),
    types.MATCH: (PAPER,),
}


def plain(rounds: int, **more: Any) -> Game:
    """Plain rock-paper-scissors."""
    return make_game("ews_rps", "plain_rps", tests=[a_test("contest", 0)] * rounds, compiled=False, **more)


def played(game: Game, *pairs: tuple[int, int]) -> Position:
    position = game.position()
    for first, second in pairs:
        position.apply(0, first)
        position.apply(1, second)
    return position


def prior(kind: int) -> Fraction:
    """Rock most often a quarter, uniform a tenth, all others alike."""
    given = {types.BIASED: Fraction(1, 4), types.UNIFORM: Fraction(1, 10)}
    return given.get(kind, Fraction(13, 20) / (KINDS - 2))


THROWS = ((ROCK, ROCK), (PAPER, ROCK), (SCISSORS, ROCK))


@pytest.mark.parametrize("change", [Fraction(0), Fraction(1, 4)], ids=["bayes", "change"])
def test_three_throws_by_hand(change: Fraction) -> None:
    """Weights are priors times likelihoods; with `change` a share of them goes back to the priors every round."""
    values = {"change": float(change)}
    game = plain(4)
    before_last = belief_of(played(game, *THROWS[:2]), 1, values)
    # 384 models know nothing before two rounds; what their mixture made of these is what it says itself
    mixture = (THIRD, THIRD, Fraction(float(before_last.chances[KINDS - 1][SCISSORS])))
    weights = {kind: prior(kind) for kind in range(KINDS)}
    for at in range(3):
        likely = {kind: (1 - BLUR) * EXPECTED.get(kind, mixture)[at] + BLUR / 3 for kind in weights}
        total = sum(weights[kind] * likely[kind] for kind in weights)
        weights = {k: (1 - change) * w * likely[k] / total + change * prior(k) for k, w in weights.items()}
        if at == 1:
            assert np.allclose(before_last.after, [float(weights[kind]) for kind in range(KINDS)], atol=1e-12)
    for rounds in (3, 4):  # at the end of the match, and where a round follows
        found = belief_of(played(plain(rounds), *THROWS), 1, values)
        assert np.allclose(found.before, [float(prior(kind)) for kind in range(KINDS)], atol=1e-12)
        assert np.allclose(found.after, [float(weights[kind]) for kind in range(KINDS)], atol=1e-12)
        for kind, symbols in NEXT.items():
            wanted = [1 / len(symbols) if symbol in symbols else 0.0 for symbol in range(3)]
            assert found.chances[kind] == pytest.approx(wanted), types.NAMES[kind]
        assert found.chances[types.BIASED] == pytest.approx([0.5, 0.3, 0.2])
        assert found.expected == pytest.approx(sum(found.after[k] * found.chances[k] for k in range(KINDS)))
    assert found.after.argmax() == types.STEPS + 1 or change, "it has found who goes round in turn"


def test_each_seat_is_read_by_the_other() -> None:
    """Seat 1 showed rock three times: seat 0 holds it for somebody who always shows the same."""
    position = played(plain(3), *THROWS)
    assert belief_of(position, 0).after.argmax() == types.BIASED  # rock, 1/2 thrice, with a higher prior
    assert belief_of(position, 0).chances[types.STEPS] == pytest.approx([1.0, 0.0, 0.0])
    assert belief_of(position, 1).chances[types.STEPS] == pytest.approx([0.0, 0.0, 1.0])
    sure = belief_of(position, 0, {"sure": types.STEPS})
    assert sure.before[types.STEPS] == sure.after[types.STEPS] == 1.0


def test_after_the_end_another_test_begins() -> None:
    """A contest whose attacker has won the last round and had to: the next one starts anew.

    d = 3 asks the attacker (seat 0) for one win. At the start of a test it must win, and a draw is as bad as a loss:
    against somebody who always showed rock, paper is the answer. With a win in hand nothing could go wrong any more.
    """
    game = make_game("ews_rps", tests=[a_test("contest", 3)], max_rounds=1, compiled=False)
    found = belief_of(played(game, (PAPER, ROCK)), 1)
    assert found.chances[types.FREQUENCY] == pytest.approx([0.0, 1.0, 0.0])
    assert found.chances[types.WIN_STAY] == pytest.approx([0.0, 1.0, 0.0])


def test_nothing_sealed_is_read() -> None:
    position = played(plain(4), *THROWS)
    twin = position.clone()
    twin.apply(0, PAPER)
    first, second = belief_of(position, 1), belief_of(twin, 1)
    assert (first.after == second.after).all() and (first.chances == second.chances).all()


# --- in words ---------------------------------------------------------------------------------------------------------


def a_belief(**after: float) -> Belief:
    """Weights by the names of kinds (the rest 0), and what the kinds show: all rock, but for two."""
    weights = np.zeros(KINDS)
    for name, weight in after.items():
        weights[types.NAMES.index(name) if name in types.NAMES else KINDS - 1] = weight
    chances = np.tile([1.0, 0.0, 0.0], (KINDS, 1))
    chances[types.UNIFORM] = 1 / 3
    chances[types.BIASED] = 0.5, 0.3, 0.2
    return Belief(np.array([float(prior(kind)) for kind in range(KINDS)]), weights, chances)


def test_rows_by_hand() -> None:
    """The heaviest first; kinds that differ in a number alone are one row, those that weigh little another."""
    names = ["rock", "paper", "scissors"]
    found = a_belief(uniform=0.5, biased=0.3, constant=0.12, **{"markov:order=1": 0.02, "markov": 0.01}, cycle=0.05)
    assert telling.table_of(found, names, "en") == (
        ("every symbol equally often", "10 %", "50 %", "any symbol"),
        ("by chance, rock most often", "25 %", "30 %", "rock 50 %, paper 30 %, scissors 20 %"),
        ("always the same", "5 %", "12 %", "rock"),
        ("rock, paper, scissors in turn", "5 %", "5 %", "rock"),
        ("beats what followed such rounds", "14 %", "3 %", "rock"),
        ("all others", "42 %", "0 %", "–"),
    )
    found = a_belief(uniform=0.99, mixture=0.008, biased=0.002)
    rows = telling.table_of(found, ["Stein", "Papier", "Schere"], "de")
    assert rows == (
        ("jedes Symbol gleich oft", "10\xa0%", "99\xa0%", "jedes Symbol"),
        ("alle anderen", "90\xa0%", "1\xa0%", "Stein 90\xa0%, Papier 6\xa0%, Schere 4\xa0%"),
    )
    assert telling._share(0.005, "en") == "< 1 %" and telling._share(0.0, "en") == "0 %"


def test_kinds_of_one_row_are_weighed() -> None:
    """Three quarters of the row say paper, a quarter rock."""
    found = a_belief(**{"markov:order=1": 0.75, "markov": 0.25})
    found.chances[types.MARKOV] = 0.0, 1.0, 0.0
    assert telling.table_of(found, ["rock", "paper", "scissors"], "en")[0][3] == "paper 75 %, rock 25 %"


def test_a_kind_stands_in_one_group() -> None:
    assert sorted(kind for kinds, *_ in telling.GROUPS for kind in kinds) == list(range(KINDS))


def test_whose_predictor_it_was() -> None:
    """Its own parameters count where it played; else it has only read along."""
    position = played(plain(3), *THROWS)
    sure = f"counter:sure={types.STEPS}"
    you, other = telling.afterwards(position, 0, "en", {0: "human", 1: sure})
    assert you.title == "What the predictor believed of you" and you.about.startswith("It played against this side")
    assert you.rows[0] == ("always the same", "100 %", "100 %", "scissors")
    assert you.foot == "All together it would expect next: scissors."
    assert other.title == "What the predictor believed of the other side"
    assert other.about.startswith("It did not play against this side")
    nobody = telling.afterwards(position, None, "de", {0: sure, 1: "uniform"})
    assert [one.title for one in nobody] == [
        "Was der Vorhersager glaubte: Spieler",
        "Was der Vorhersager glaubte: Spielleitung",
    ]
    assert nobody[1].about.startswith("Er spielte gegen") and nobody[0].about.startswith("Er spielte nicht gegen")
    assert nobody[1].rows[0] == ("immer dasselbe", "100\xa0%", "100\xa0%", "Stein")


def test_a_table_in_lines() -> None:
    one = Insight("Title", "About.", ("kind", "before"), (("a", "10 %"), ("longer", "5 %")), "Foot.")
    assert one.lines == ["Title", "About.", "  kind    before", "  a       10 %", "  longer  5 %", "Foot."]


# --- when it is told --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", PRESETS)
def test_every_scenario_is_told_after_its_end_alone(scenario: str) -> None:
    """Streaks, contests, single rounds, drawn tests: nothing while it runs, both sides afterwards."""
    more: dict[str, Any] = (
        {"n_tests": 2} if PRESETS[scenario].draw else {"tests": PRESETS[scenario].options["tests"][:2]}
    )
    position = make_game("ews_rps", scenario, compiled=False, **more).position(seed=1)
    while not position.over:
        assert insights_on(position, 0, "en", {}) == ()
        for seat in position.to_act():
            position.apply(seat, ROCK if position.record.past % 2 and seat else seat)
        position.roll()
    for lang in LANGUAGES:
        found = insights_on(position, 1, lang, {})
        assert len(found) == 2
        for one in found:
            assert all(len(row) == len(one.heads) for row in one.rows)
            shares = [100.0 if row[2].startswith("100") else float(row[2].strip("< %\xa0")) for row in one.rows]
            assert 97 <= sum(shares) <= 103


@pytest.mark.parametrize(
    "options",
    [
        {"tests": [a_test("simple", 0)] * 2, "procedure": "pm_d6"},
        {"tests": [a_test("simple", 0)] * 2, "may_decline": True},
    ],
    ids=["die", "declined"],
)
def test_without_a_round_there_is_nothing_to_tell(options: dict[str, Any]) -> None:
    position = make_game("ews_rps", compiled=False, **options).position(seed=1)
    while not position.over:
        for seat in position.to_act():
            legal = position.legal(seat)
            position.apply(seat, 4 if 4 in legal else legal[0])  # declines
        position.roll()
    assert position.record.past == 0 and insights_on(position, 0, "en", {}) == ()


def test_symbols_of_modules_are_expected() -> None:
    game = make_game("ews_rps", "plain_rps", {"lizard_spock": {}}, tests=[a_test("contest", 0)] * 2, compiled=False)
    position = game.position()
    lizard = next(a for a in position.legal(0) if game.actions.describe(a, "en") == "lizard")
    for _ in range(2):
        position.apply(0, lizard)
        position.apply(1, ROCK)
    found = belief_of(position, 1)
    assert found.chances.shape == (KINDS, 5) and found.chances[types.STEPS].argmax() == lizard - st.SYMBOL_SHIFT
    told = "\n".join(insights_on(position, 0, "en", {})[0].lines)
    assert "lizard" in told


@pytest.mark.parametrize(("names", "step", "lang", "told"), [
    ("rock paper scissors", 1, "en", "rock, paper, scissors in turn"),
    ("rock paper scissors", 2, "en", "scissors, paper, rock in turn"),
    ("Stein Papier Schere", 2, "de", "Schere, Papier, Stein der Reihe nach"),
    ("rock paper scissors lizard spock", 1, "en", "rock, paper, scissors, lizard, spock in turn"),
    ("rock paper scissors lizard spock", 2, "en", "rock, scissors, spock, paper, lizard in turn"),
    ("rock paper scissors well", 2, "en", "rock, scissors in turn, or paper, well in turn"),
    ("Stein Papier Schere Brunnen", 2, "de", "Stein, Schere der Reihe nach oder Papier, Brunnen der Reihe nach"),
])  # fmt: skip
def test_turns_go_by_the_symbols_of_the_game(names: str, step: int, lang: str, told: str) -> None:
    """As the kinds themselves go: so many places further, round and round."""
    assert telling.turns(names.split(), step, lang) == told


def test_rows_name_the_symbols_of_the_game() -> None:
    """Whatever these are called, and in either language; nothing of the names stands in the texts."""
    names = ["fire", "water", "grass", "sand"]
    for lang in LANGUAGES:
        rows = [telling.called(kinds, (en, de), names, lang) for kinds, en, de in telling.GROUPS]
        told = " ".join(rows).casefold()
        assert not any(word in told for word in ("rock", "paper", "scissors", "stein", "papier", "schere"))
        assert {"en": "by chance, fire most often", "de": "nach Zufall, am häufigsten fire"}[lang] in rows
        assert rows[5].startswith("fire, water, grass, sand") and rows[6].startswith("fire, grass")


def test_errors_are_logged_and_the_reader_is_told(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """In one line, in either language; the traceback goes to the log."""

    def broken(*_: object) -> list[Insight]:
        raise ValueError("no such rule")

    monkeypatch.setattr(session_afterwards, "declared", lambda *_: session_afterwards.Afterwards(broken))
    for lang, wanted in (
        ("en", "cannot be told of this one (ValueError: no such rule)."),
        ("de", "fehlt bei diesem ("),
    ):
        (told,) = insights_on(played(plain(3), *THROWS), 0, lang, {})
        assert told.about.endswith(wanted) or wanted in told.about
        assert (told.heads, told.rows) == ((), ()) and told.lines == [told.title, told.about]
    assert "cannot be told" in caplog.text and "Traceback" in caplog.text


# --- in which words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_of_it_is_explained(lang: str) -> None:
    names = {"en": ["rock", "paper", "scissors"], "de": ["Stein", "Papier", "Schere"]}[lang]
    texts = [telling.called(kinds, (english, german), names, lang) for kinds, english, german in telling.GROUPS]
    texts += [telling.turns([*names, names[0]], 2, lang)]
    texts += [
        pair[lang == "de"].replace("{shares}", "").replace("{seat}", "").replace("{names}", "")
        for pair in telling._SAYS.values()
    ]
    texts += telling._HEADS[lang]
    known = AFTER[lang] | SCREEN[lang]
    wrong = {word for text in texts for word in unknown_words(text, "ews_rps", lang) if word.lower() not in known}
    assert not wrong


def test_listed_words_are_everyday_ones() -> None:
    for lang, words in AFTER.items():
        assert not words & (EVERYDAY[lang] | SCREEN[lang])
        assert all(word == word.lower() and word.isalpha() for word in words)


@pytest.mark.slow
def test_compiled_rules_believe_the_same() -> None:
    """Whichever rules answer: those that are there, interpreted ones, or compiled ones for a long match."""
    tests = [a_test("contest", 0)] * 160
    compiled = make_game("ews_rps", "plain_rps", tests=tests)
    lot = np.random.default_rng(5)
    throws = [(int(a), int(b)) for a, b in lot.integers(0, 3, (160, 2))]
    for rounds in (20, 160):
        first, second = played(compiled, *throws[:rounds]), played(plain(160), *throws[:rounds])
        found = [belief_of(first, 1), belief_of(second, 1)]
        native_policy(compiled, "counter")
        found.append(belief_of(first, 1))
        assert is_built(compiled)
        for one in found[1:]:
            assert np.allclose(one.after, found[0].after, atol=1e-9)
            assert np.allclose(one.chances, found[0].chances, atol=1e-9)
