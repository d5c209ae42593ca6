"""What the numbers of an observation are called in sentences, in both languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Position
from probespiel.envs.core.observe import Piece, parts
from probespiel.envs.core.registry import game_names, make_game, system_of
from probespiel.envs.core.rulebook import observed
from probespiel.envs.core.rulebook.observed import Observed, readable
from probespiel.evaluation.stress.usage import features_of

SYSTEMS = ("einblatt", "ews_rps", "konfrontation", "oneshot", "scorekeeper")
GAMES = [name for name in game_names() if system_of(name).name in SYSTEMS]


@pytest.mark.parametrize("name", GAMES)
def test_every_number_has_words_in_both_languages(name: str) -> None:
    """No place is left open, and no name of the inside shows; phases are told by their questions."""
    spec = system_of(name).spec(name, None, {}, {})
    words = Observed(spec)
    assert {text.partition("[")[0] for text in words.missing(spec.layout)} <= {"phase"}
    told = [words.number(piece, i) for piece in spec.layout.pieces if piece.name != "phase" for i in range(piece.size)]
    assert len(told) > 50
    for both in told:
        assert all(text and not {"{", "_", "["} & set(text) for text in both), both
    german = [both for both in told if both[0] == both[1]]  # a few words are the same in both
    assert len(german) < 0.05 * len(told), german[:9]
    assert set(spec.phases) - {"over"} - set(spec.questions) <= {"roll", "draw"}
    assert all(len(both) == 2 and all(both) and "{" not in "".join(both) for both in spec.questions.values())


def test_places_are_filled() -> None:
    """Rows and places count from 1, or are told by their names; blocks stand behind."""
    wanted = {
        ("einblatt-duel", "net", 1): (
            "EP won by seat 1 from seat 2 in this test",
            "EP von Platz 1 gegen Platz 2 in dieser Probe",
        ),
        ("einblatt-duel", "clock", 1): ("it is round 2", "es läuft Runde 2"),
        ("einblatt-duel", "table", 7): (
            "the open round card of seat 1 is clubs ace",
            "die offene Rundenkarte von Platz 1 ist Kreuz Ass",
        ),
        ("konfrontation-campaign", "faction", 117 + 1): ("power (the next faction)", "Power (die nächste Fraktion)"),
        ("ews_rps", "history", 11): ("round 2 back: one showed rock", "2. Runde zurück: man zeigte Stein"),
        ("scorekeeper-duel", "enemy1.wounds", 0): (
            "share of the scratches that make a light wound (enemy 1)",
            "Anteil der Kratzer, die eine leichte Wunde ergeben (Gegner 1)",
        ),
        ("oneshot-parley", "counts", 6): (
            "critical successes so far with cunning words",
            "besondere Erfolge bisher mit listigen Worten",
        ),
        ("oneshot-mission", "parley", 51): (
            "failures so far with cunning words",
            "Misserfolge bisher mit listigen Worten",
        ),
    }  # fmt: skip
    for (game, name, index), both in wanted.items():
        spec = system_of(game).spec(game, None, {}, {})
        piece = next(piece for piece in spec.layout.pieces if piece.name == name)
        assert Observed(spec).number(piece, index) == both


def test_what_has_no_words_is_told_by_its_name() -> None:
    """As pieces of outside systems and modules are, made readable; counters of modules have their own words."""
    spec = system_of("kuhn").spec("kuhn", None, {}, {})
    words = Observed(spec)
    assert words.number(Piece("last_bid", (2, 3), 0, 1, ""), 4) == ("last bid 2, 2", "last bid 2, 2")
    assert words.number(Piece("talk", (2,), 0, 1, "", parts("own successes, other_ones")), 1)[1] == "talk: other ones"
    assert readable("talk.own successes") == "talk: own successes" and readable("seat[0].ep") == "seat 1: ep"
    assert words.whole(Piece("open_cards", (9,), 0, 1, "")) == ("open cards", "open cards")
    assert len(words.missing(spec.layout)) == spec.layout.size
    focus = str(Path(__file__).parent.parent / "examples" / "modules" / "focus.py")
    spec = system_of("einblatt-duel").spec("einblatt-duel", None, {}, {focus: {}})
    tally = next(tally for tally in spec.tallies if tally.field.startswith("focus_"))
    piece = Piece(tally.field.replace("_", ".", 1), (2,), 0, 1, "")
    assert Observed(spec).number(piece, 1) == (f"{tally.texts['en']} (2)", f"{tally.texts['de']} (2)")


def test_features_say_of_which_kind_they_are() -> None:
    """Questions are told in words, sets of cards by how many there are, and what is 0 or 1 as what holds."""
    position = Position(make_game("einblatt-duel", compiled=False))
    seen = []
    for hand in (0b111, 0b1100):
        position.record.hand[0] = hand
        seen.append(position.observe(0).copy())
    seen[0][:32], seen[1][:32] = 0, 0
    phases = position.game.spec.phases
    seen[1][phases.index("after_test")] = 1
    told = {feature.name: feature for feature in features_of(position.game, np.array(seen))[1]}
    phase = told["phase.after_test"]
    assert phase.called == ("asked “anything after the test?”", "gefragt „noch etwas nach der Probe?“") and phase.flag
    cards = told["sum of hand"]
    assert cards.called == ("how many: own hand", "wie viele: eigene Hand") and cards.whole and not cards.flag
    best = told["second my_class of hand"]
    assert best.called[1] == "zweitbester Kartenwert (0 Sieben bis 7 Ass, Trumpf 8 mehr), eigene Hand" and best.whole
    assert best.called[0].startswith("second best card value (0 a seven to 7 an ace, a trump 8 more), own hand")


def test_a_wrong_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = system_of("kuhn").spec("kuhn", None, {}, {})
    for table, text in (
        ({"pieces": {"card": ["card"]}}, "'card' is no pair of texts"),
        ({"pieces": {"card": ["card {0:suit}", "Karte {0:suit}"]}}, "there is no list 'suit': action"),
    ):
        monkeypatch.setattr(observed, "table_of", lambda system, file, table=table: table)
        with pytest.raises(RulesetError, match=text):
            Observed(spec).number(spec.layout.pieces[0], 0)
