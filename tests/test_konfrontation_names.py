"""What factions are called: houses in the built-in campaigns, the names that a set-up gives elsewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.app.konfrontation.screen import draw
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Sight
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
    attacker = "strength 3 (character 1: 2, character 2: 1)"
    assert told[0].endswith(f"; {attacker} : nobody so far")
    assert told[1].endswith(f"; {attacker} : 2 (character 1: 2)")
    assert told[-1].endswith("; Stärke 3 (Charakter 1: 2, Charakter 2: 1) : 3 (Charakter 1: 2, Charakter 2: 1)")


def test_a_support_counts_by_its_value_and_what_a_module_counts_is_left_out() -> None:
    """R24, R25: of value 3 in its own type 6."""
    game = make_game("konfrontation-clash", "monster", compiled=False)
    line = game.spec.texts.state(game.position(), 1, "en").splitlines()[-1]
    assert "strength 7 (character 1: 1, support 1: 6) : nobody so far" in line
    sources = SimpleNamespace(extensions=[SimpleNamespace(unit_strength=None)])
    position: Any = SimpleNamespace(
        record=game.position().record, game=SimpleNamespace(params=game.params, spec=SimpleNamespace(sources=sources))
    )
    assert game.spec.texts.summands(position, 0, "en") == ""  # type: ignore[attr-defined]
