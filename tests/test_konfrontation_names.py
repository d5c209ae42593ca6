"""What factions are called: houses in the built-in campaigns, the names that a set-up gives elsewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.konfrontation.notes import bidding
from probespiel.app.konfrontation.screen import draw
from probespiel.app.session.notes import legend_of, notes_on
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.session.table import Table
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.konfrontation.presets import presets
from probespiel.envs.konfrontation.system import SYSTEM
from probespiel.envs.konfrontation.text import HOUSES, KonfrontationTexts


@pytest.mark.parametrize("scenario", [name for name, setup in presets().items() if setup["mode"] == "campaign"])
def test_factions_of_a_campaign_have_names_that_begin_with_the_letter_of_their_code(scenario: str) -> None:
    game = make_game("konfrontation-campaign", scenario, compiled=False)
    for number, seat in enumerate(game.seats):
        assert seat.name == "ABCDE"[number]
        for lang, house in (("en", "House "), ("de", "Haus ")):
            told = seat.called(lang)
            assert told.startswith(house) and told.removeprefix(house)[0] == seat.name
            assert told in game.position(1).told(0, lang)
    assert len({name for both in HOUSES.values() for name in both}) == 10


def attacking(scenario: str) -> tuple[Game, Table]:
    """A game in which the first faction to act is asked whom it attacks."""
    game = make_game("konfrontation-campaign", scenario, compiled=False)
    table = Table(game, dict.fromkeys(range(game.n_seats), "human"), 3)
    while table.position.phase() != "decl_faction":
        (seat,) = table.waiting()
        attack = game.actions.id("attack")
        table.choose(seat, attack if attack in table.legal(seat) else game.actions.id("pass"))
    return game, table


def test_a_faction_is_understood_by_its_letter_its_code_and_its_name() -> None:
    """`A` in a command went on meaning what it meant; words and code of one action name the same faction."""
    game, table = attacking("council")
    position, texts = table.position, game.spec.texts
    assert isinstance(texts, KonfrontationTexts)
    (seat,) = table.waiting()
    met = set()
    for action in table.legal(seat):
        code = texts.code(position, seat, action)
        letter = code.removeprefix("faction:")
        other = next(number for number, info in enumerate(game.seats) if info.name == letter)
        said = [code, letter, *(game.seats[other].called(lang) for lang in ("en", "de"))]
        said += [HOUSES[letter][0].removeprefix("House ")]
        assert {texts.parse(position, seat, text) for text in said} == {action}
        assert texts.action(position, seat, action, "de") == HOUSES[letter][1]
        met.add(letter)
    assert len(met) == 4 and game.seats[seat].name not in met


def test_a_set_up_that_names_its_factions_keeps_their_names() -> None:
    setup = presets()["duel"] | {"factions": {"A": {"power": 3}, "Guild": {"power": 3}}}
    game = Game(SYSTEM.spec_of_setup(setup), compiled=False)
    assert [seat.called("de") for seat in game.seats] == ["A", "Guild"]
    clash = make_game("konfrontation-clash", compiled=False)
    assert [seat.called("de") for seat in clash.seats] == ["Angreifer", "Verteidiger"]


def test_a_screen_is_headed_by_the_turn_and_before_the_first_one_by_nothing() -> None:
    """A recording began with the holdings of House Arden as the title of both boards."""
    game, table = attacking("duel")

    def head(position: Position) -> str:
        drawn = draw(Sight.of(game, seen_of(position, 0, "en")))
        assert drawn is not None
        return drawn.values["head"]

    begun = game.position()  # the order of turns is still to be drawn
    assert "House Arden" in begun.told(0, "en").splitlines()[0] and head(begun) == ""
    assert head(table.position).startswith("turn 1/8 · order: House ")


def test_the_strength_of_a_side_is_told_by_who_adds_what() -> None:
    """R3, R5: in a social clash 2 for a social character, 1 for another; no number where nobody was named yet."""
    game = make_game("konfrontation-clash", "tavern_takeover", compiled=False)
    position, told = game.position(), list[str]()
    while position.phase() == "defend":
        told.append(game.spec.texts.state(position, 1, "en").splitlines()[-1])
        position.apply(1, position.legal(1)[0])
    told.append(game.spec.texts.state(position, 1, "de").splitlines()[-1])
    attacker = "strength: attacker 3 (character 1: 2, character 2: 1)"
    assert told[0].endswith(f"; {attacker}, defender nobody so far")
    assert told[1].endswith(f"; {attacker}, defender 2 (character 1: 2)")
    assert told[-1].endswith(
        "; Stärke: Angreifer 3 (Charakter 1: 2, Charakter 2: 1), Verteidiger 3 (Charakter 1: 2, Charakter 2: 1)"
    )


def test_a_support_counts_by_its_value_and_what_a_module_counts_is_left_out() -> None:
    """R24, R25: of value 3 in its own type 6."""
    game = make_game("konfrontation-clash", "monster", compiled=False)
    line = game.spec.texts.state(game.position(), 1, "en").splitlines()[-1]
    assert "strength: attacker 7 (character 1: 1, support 1: 6), defender nobody so far" in line
    sources = SimpleNamespace(extensions=[SimpleNamespace(unit_strength=None)])
    position: Any = SimpleNamespace(
        record=game.position().record, game=SimpleNamespace(params=game.params, spec=SimpleNamespace(sources=sources))
    )
    assert game.spec.texts.summands(position, 0, "en") == ""  # type: ignore[attr-defined]


def sight_of(position: Position, seat: int, lang: str) -> Sight:
    """What a seat sees, its choices included."""
    seen = seen_of(position, seat, lang)
    return Sight.of(position.game, seen, [Choice.of(option) for option in seen.choices])


@pytest.mark.parametrize(
    ("target", "english", "german"),
    [
        ("resource:1", "resource 1 (size 1)", "Ressource 1 (Größe 1)"),
        ("character:2", "character 2 (social)", "Charakter 2 (gesellschaftlich)"),
        ("target:power", "power", "Power"),
    ],
)
def test_what_is_fought_for_is_called_by_its_name(target: str, english: str, german: str) -> None:
    """The screen said \"target: a unit\", and which of eight it was stood far below on a phone."""
    game = make_game("konfrontation-campaign", compiled=False)
    position = game.position(3)
    position.roll()
    seat = position.to_act()[0]
    position.apply(seat, game.actions.parse("attack"))
    position.apply(seat, position.legal(seat)[0])  # the only other faction
    before = draw(sight_of(position, seat, "en"))
    assert before is not None and before.values["clash"]["target"] == "", "nothing is named yet"
    position.apply(seat, game.actions.parse(target))
    for lang, called in (("en", english), ("de", german)):
        drawn = draw(sight_of(position, seat, lang))
        assert drawn is not None and drawn.values["clash"]["target"] == called


def test_bids_say_what_they_decide_unless_a_module_does() -> None:
    """Nobody who has not read the rules knew that the winner's bid is lost as well, and what power is gathered for."""
    game = make_game("konfrontation-clash", "debate", compiled=False)
    position = game.position(3)
    while position.phase() != "bid":
        position.apply(position.to_act()[0], position.legal(position.to_act()[0])[0])
    sight = sight_of(position, position.to_act()[0], "en")
    told = "Strength plus bid decides: the higher total wins. Both bids are gone then; if equal, both come back."
    drawn = draw(sight)
    assert bidding(sight) == legend_of(sight) == told and drawn is not None and drawn.values["bids"]["rule"] == told
    assert bidding(sight_of(position, sight.seat, "de")).startswith("Stärke plus Gebot entscheidet: ")
    meddled = SimpleNamespace(spec=SimpleNamespace(sources=SimpleNamespace(extensions=[SimpleNamespace(total=None)])))
    assert bidding(Sight(meddled, 0, "en", "bid", {}, sight.choices)) == ""  # type: ignore[arg-type]
    campaign = make_game("konfrontation-campaign", compiled=False)
    start = campaign.position(3)
    start.roll()
    first = sight_of(start, start.to_act()[0], "en")
    assert bidding(first) == ""
    assert notes_on(first)[campaign.actions.parse("gather")] == "power +2, for bids in confrontations"
