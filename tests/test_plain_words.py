"""Lines of the five systems that people did not understand: what they say now, in both languages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from probespiel.app.oneshot.mission import _diary
from probespiel.app.session.notes import notes_on
from probespiel.app.session.seen import seen_of
from probespiel.app.session.sight import Choice, Sight
from probespiel.app.session.table import Table
from probespiel.app.terminal.opening import changed_options, scene_lines
from probespiel.envs.core.events import EventLayout
from probespiel.envs.core.game import Position
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.rulebook import rules_of
from probespiel.envs.einblatt import state as einblatt
from probespiel.envs.goofspiel import rules as goofspiel
from probespiel.envs.konfrontation import state as konfrontation
from probespiel.envs.konfrontation.state import T_RESOURCE
from probespiel.envs.oneshot import state as oneshot
from tests.test_told_who import told


def packed(layout: EventLayout, *numbers: int) -> int:
    """An event of these numbers."""
    return sum((number - low) << at for number, low, at in zip(numbers, layout.low, layout.at, strict=True))


@pytest.fixture(scope="module")
def mission() -> Position:
    return make_game("oneshot-mission", compiled=False).position(seed=1)


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "  civilians (optional) 6, hostages 2"), ("de", "  Zivilisten (optional) 6, Geiseln 2")],
)
def test_civilians_and_hostages_are_told_apart(mission: Position, lang: str, wanted: str) -> None:
    """`6/2` could be two of six."""
    position = mission.clone()
    s = position.record
    s.n_cond, s.cond_kind[0], s.cond_level[0], s.cond_failed[0] = 1, oneshot.Condition.CIVILIANS, 0, 0
    s.cond_value[0] = 6, 2
    assert wanted in position.told(0, lang).splitlines()


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "the party comes to: corridor"), ("de", "die Gruppe kommt in: Gang")],
)
def test_a_room_is_come_to(mission: Position, lang: str, wanted: str) -> None:
    """`-> corridor` did not say who goes; the diary of the page leaves the words out again."""
    room = packed(oneshot.EVENT, oneshot.Event.ROOM, 0, oneshot.Room.CORRIDOR, 0)
    line = mission.game.say(room, 0, lang)
    assert line == wanted
    seen = seen_of(mission, 0, lang, [line, "hier ist eine Falle" if lang == "de" else "there is a trap"])
    assert _diary(Sight.of(mission.game, seen)) == ["Gang: eine Falle" if lang == "de" else "corridor: a trap"]


@pytest.mark.parametrize(("lang", "at", "to"), [("en", "on field 0,5", "moves to field 0,5"),
                                                ("de", "auf Feld 0,5", "geht auf Feld 0,5")])  # fmt: skip
def test_a_place_is_a_field(lang: str, at: str, to: str) -> None:
    """`bei 0,5` reads as a half."""
    position = make_game("oneshot-skirmish", compiled=False).position(seed=1)
    position.record.x[0], position.record.y[0] = 0, 5
    assert at in position.told(0, lang)
    assert position.game.say(packed(oneshot.EVENT, oneshot.Event.MOVE, 0, 0, 5), 0, lang).endswith(to)


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", "{0}: resource 1 goes to {1} as resource 2"), ("de", "{0}: Ressource 1 geht an {1} als Ressource 2")],
)
def test_what_is_handed_over_has_a_new_place(lang: str, wanted: str) -> None:
    """`resource 1 goes to attacker, resource 2` named two resources, as if both went."""
    game = make_game("konfrontation-campaign", compiled=False)
    handed = packed(konfrontation.EVENT, konfrontation.Event.HANDED, 0, T_RESOURCE, T_RESOURCE + 1, 1)
    assert game.say(handed, None, lang) == wanted.format(*(seat.called(lang) for seat in game.seats))


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", ["{0}: resource 1 is destroyed", "{0}: resource 1 is destroyed; {1}: control points +2",
            "{0}: special points +3", "{0}: special points +3; {1}: special points -1"]),
    ("de", ["{0}: Ressource 1 ist zerstört", "{0}: Ressource 1 ist zerstört; {1}: Kontrollpunkte +2",
            "{0}: Sonderpunkte +3", "{0}: Sonderpunkte +3; {1}: Sonderpunkte −1"]),
])  # fmt: skip
def test_points_that_change_are_told_of_everybody(lang: str, wanted: list[str]) -> None:
    """A5, A20: the winner's control points rose, and the loser's special points fell, without a line."""
    game, kind = make_game("konfrontation-campaign", compiled=False), konfrontation.Event
    events = [(kind.GONE, 0, T_RESOURCE, 0, 1), (kind.GONE, 0, T_RESOURCE, 2, 1), (kind.SPECIAL, 0, 3, 0, 1),
              (kind.SPECIAL, 0, 3, 1, 1)]  # fmt: skip
    names = [seat.called(lang) for seat in game.seats]
    assert [game.say(packed(konfrontation.EVENT, *event), None, lang) for event in events] == [
        line.format(*names) for line in wanted
    ]


def test_what_a_destroyed_resource_pays_is_in_event_and_position() -> None:
    """A5: whoever won it; and the position says why its control points are more than its resources."""
    for pays in (True, False):
        position = make_game("konfrontation-clash", "tavern_takeover", compiled=False,
                             destroyed_resource_pays=pays).position(seed=1)  # fmt: skip
        position.roll()
        codes = position.game.actions
        lines, plays = list[str](), iter(["done", "bid:4", "bid:0", "remove"])
        while not position.over:
            seat = position.to_act()[0]
            position.apply(seat, codes.id(next(plays)))
            lines += told(position, None, "en")
            position.roll()
        assert ("defender: resource 1 is destroyed" + "; attacker: control points +2" * pays) in lines
        assert ("control points 2 (2 of them for what was destroyed)" in position.told(0, "en")) is pays


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_fate_of_a_resource_says_what_the_winner_gets(lang: str) -> None:
    """R17, A5: the two choices looked alike."""
    for pays in (True, False):
        game = make_game("konfrontation-clash", "tavern_takeover", compiled=False, destroyed_resource_pays=pays)
        table = Table(game, {0: "human", 1: "human"}, 1)
        for code in ("done", "bid:4", "bid:0"):
            table.choose(table.waiting()[0], game.actions.id(code))
        seen = table.seen(1, lang)
        sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
        beside = {choice.code: notes_on(sight)[choice.action] for choice in sight.choices}
        word = {"en": "attacker: control points", "de": "Angreifer: Kontrollpunkte"}[lang]
        assert beside == {"remove": f"{word} +{2 * pays}", "handover": f"{word} +2"}


def test_what_power_as_a_price_costs_is_no_more_than_there_is() -> None:
    """R18, R20: `−2 für C` was said of somebody who had nothing left."""
    game = make_game("konfrontation-clash", "strongbox", compiled=False)
    table = Table(game, {0: "human", 1: "human"}, 1)
    for code in ("character:1", "character:2", "done", "bid:2", "bid:4"):
        table.choose(table.waiting()[0], game.actions.id(code))
    assert table.position.phase() == "spoils"
    seen = table.seen(1, "en")
    sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
    power = next(choice.action for choice in sight.choices if choice.code == "spoils_power")
    left = int(table.position.record.power[0])
    assert notes_on(sight)[power] == f"power +2 for you; attacker loses {min(2, left)}" and left < 2


def duel_with(trumps: tuple[int, int], cards: tuple[int, int], known: tuple[int, int]) -> Position:
    """A duel in its first round: sets of trump suits, the cards that are played, and which suits everybody knows."""
    position = make_game("einblatt-duel", "saruman_ent", compiled=False).position(seed=1)
    position.roll()
    s = position.record
    for seat in (0, 1):
        s.suits[seat, s.tested[seat]], s.known[seat], s.hand[seat] = trumps[seat], known[seat], 1 << cards[seat]
    for seat in (0, 1):
        position.apply(seat, cards[seat])
    return position


SEVEN, ACE, KING = 8, 23, 22  # of spades, of diamonds


@pytest.mark.parametrize(("trumps", "cards", "known", "wanted"), [
    ((2, 0), (SEVEN, ACE), (15, 15), "Saruman gewinnt gegen Ent mit Trumpf (Saruman: EP +1, Ent: EP −1)"),
    # the comparison has told it
    ((0, 2), (ACE, SEVEN), (15, 0), "Ent gewinnt gegen Saruman mit Trumpf (Ent: EP +1, Saruman: EP −1)"),
    # a higher card: nobody need know why
    ((4, 0), (ACE, KING), (0, 15), "Saruman gewinnt gegen Ent (Saruman: EP +1, Ent: EP −1)"),
    # both trump: the rank decides
    ((4, 4), (ACE, KING), (15, 15), "Saruman gewinnt gegen Ent (Saruman: EP +1, Ent: EP −1)"),
    ((0, 0), (ACE, KING), (15, 15), "Saruman gewinnt gegen Ent (Saruman: EP +1, Ent: EP −1)"),
    ((4, 4), (ACE, ACE), (15, 15), "Saruman - Ent: unentschieden"),
])  # fmt: skip
def test_that_a_trump_has_won_is_said(
    trumps: tuple[int, int], cards: tuple[int, int], known: tuple[int, int], wanted: str
) -> None:
    """`Saruman gewinnt gegen Ent` stood below a seven and an ace, and nothing said why (R4)."""
    assert wanted in told(duel_with(trumps, cards, known), 0, "de")


def test_what_is_said_of_trumps_gives_nothing_away() -> None:
    """A18: worlds that differ in a suit nobody has told of, and in nothing that came of it, are told alike."""
    lines = [told(duel_with((0, suits), (KING, ACE), (15, 0)), 0, "en") for suits in (0, 4)]
    assert lines[0] == lines[1] and any("beats" in line for line in lines[0])


@pytest.mark.parametrize(("lang", "wanted"), [("en", "  round card spades ace"), ("de", "  Rundenkarte Pik Ass")])
def test_a_card_that_lies_open_is_called_a_round_card(lang: str, wanted: str) -> None:
    """`Trumpf Pik  Pik Ass` read like a trump card."""
    position = make_game("einblatt-melee", compiled=False).position(seed=1)
    position.roll()
    position.record.slot[1, 0], position.record.slot_open[1, 0] = 15, 1
    assert wanted in position.told(0, lang).splitlines()[2]


@pytest.mark.parametrize(("lang", "wanted", "final"), [
    ("en", "wrath cards 2", "Billy: EP -3, and that is final"),
    ("de", "Zornkarten 2", "Billy: EP −3, und dabei bleibt es"),
])  # fmt: skip
def test_what_became_of_mercy_is_told(lang: str, wanted: str, final: str) -> None:
    """R203: one more wrath card was the only sign that it was granted, and stood nowhere."""
    position = make_game("einblatt-duel", modules={"mercy": {}}, compiled=False).position(seed=1)
    position.roll()
    position.record.wrath = 1 << 3 | 1 << 30
    assert wanted in position.told(0, lang).splitlines()[0]
    position.record.wrath = 0
    assert wanted[:7] not in position.told(0, lang)
    ended = packed(einblatt.EVENT, einblatt.Event.EP, 0, -3, 1, 0xFFFF)
    assert position.game.say(ended, 0, lang) == final


def test_what_experience_buys_says_what_it_costs() -> None:
    """R212, R215: prices stood in the text of the module only; who pays, pays what is said."""
    game = make_game("einblatt-campaign", modules={"experience": {"costs": {"done": 0}}}, compiled=False)
    position, paid = game.position(seed=3), 0
    for _ in range(400):
        position.roll()
        if position.over:
            break
        position.record.xp_free[:] = 9
        seat = position.to_act()[0]
        seen = seen_of(position, seat, "de")
        sight = Sight.of(game, seen, [Choice.of(option) for option in seen.choices])
        told_of = notes_on(sight)
        bought = [choice for choice in sight.choices if choice.code.startswith("xp_") and choice.action in told_of]
        chosen = bought[0].action if bought else position.legal(seat)[0]
        before = int(position.record.xp_free[seat])
        position.apply(seat, chosen)
        if bought:
            cost = before - int(position.record.xp_free[seat])
            assert told_of[chosen] == f"kostet {cost} Erfahrung"
            paid += 1
    assert paid > 3


def test_a_card_that_is_turned_over_is_told_once() -> None:
    """`Bea zieht 1 Karte` stood below `Bea deckt auf: Kreuz 10`, as if it were another."""
    game = make_game("einblatt-duel", compiled=False)
    kind = einblatt.Event.DRAWS
    lines = [
        game.say(packed(einblatt.EVENT, kind, 1, 1, purpose, 0xFFFF), 0, "de")
        for purpose in (einblatt.DrawFor.HAND, einblatt.DrawFor.TURN, einblatt.DrawFor.EXCHANGE)
    ]
    assert lines[1] == "" and lines[0] == lines[2] == "Baum zieht 1 Karte"


@pytest.mark.parametrize(("payoff", "lang", "wanted"), [
    ("pass", "en", "(decided: nothing changes it any more)"),
    ("pass", "de", "(entschieden: daran ändert sich nichts mehr)"),
    ("margin", "en", "(decided: only the margin still counts)"),
    ("margin", "de", "(entschieden: nur der Abstand zählt noch)"),
])  # fmt: skip
def test_what_a_decided_test_is_played_on_for(payoff: str, lang: str, wanted: str) -> None:
    """R14: `es geht noch um die Höhe` was said of contests that pay for nothing but who wins."""
    position = make_game("ews_rps", "grapple", compiled=False, payoff=payoff).position(seed=1)
    position.roll()
    for seat, symbol in ((0, 1), (1, 0)):
        position.apply(seat, symbol)
    assert wanted in position.told(0, lang)
    page = rules_of(position.game, lang)
    assert {"en": "such rounds cost nothing", "de": "solche Runden kosten nichts"}[lang] in page or payoff == "margin"
    assert ({"en": "only the margin still counts", "de": "nur der Abstand zählt noch"}[lang] in page) is (
        payoff == "margin"
    )


@pytest.mark.parametrize(("kind", "share"), [("simple", Fraction(1, 3)), ("contest", Fraction(61, 189))])
def test_the_die_tells_its_chance_too(kind: str, share: Fraction) -> None:
    """R19, section 7, of a difference of 3: whether to attempt a test is a question of nothing else."""
    numbers = {"value": 9, "target": 12} if kind == "simple" else {"attacker_value": 9, "defender_value": 12}
    options: dict[str, Any] = {"tests": [{"kind": kind, "acting_seat": 0, **numbers}], "procedure": "pm_d6",
                               "may_decline": True, "payoff": "stakes", "win_points": 2}  # fmt: skip
    position = make_game("ews_rps", "hack", compiled=False, **options).position(seed=1)
    position.roll()
    shown = position.told(0, "de").replace("\N{NO-BREAK SPACE}", " ")
    assert f"deine Erfolgschance: {100 * float(share):.1f} %".replace(".", ",") in shown
    assert "; Erfolg +2, Misserfolg −1" in shown
    declined = position.clone()
    declined.apply(0, declined.game.actions.id("decline"))
    result = next(line for line in told(declined, 0, "de") if "abgelehnt" in line)
    assert result.partition(";")[0] == "Ergebnis: abgelehnt"
    position.apply(0, position.game.actions.id("attempt"))
    position.roll()
    rolled = any(line.startswith("du würfelst ") for line in told(position, 0, "de"))
    assert rolled or kind == "contest", "there the other side rolls last"


def test_what_is_set_otherwise_is_said() -> None:
    """`Ein Abend: 20 Proben` stood above an evening of six."""
    spec = make_game("ews_rps", "evening", compiled=False, n_tests=6, may_decline=True).spec
    assert changed_options(spec, "de") == ["n_tests = 6", "may_decline = ja"]
    assert "Anders eingestellt als dort: n_tests = 6; may_decline = ja" in scene_lines(spec, "de")
    assert changed_options(make_game("ews_rps", "evening", compiled=False).spec, "de") == []
    assert not any("otherwise" in line for line in scene_lines(make_game("ews_rps", compiled=False).spec, "en"))


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", ["red fighter hits: die 4, total 6, needed 5", "red fighter misses: die 2, total 4, needed 5",
            "damage to red fighter: 7 against defence 6", "damage to red fighter: 5 against defence 6, no wound",
            "red fighter is dead (survival roll: die 1, total 2, needed 4)"]),
    ("de", ["Kämpfer Rot trifft: Würfel 4, zusammen 6, nötig 5",
            "Kämpfer Rot verfehlt: Würfel 2, zusammen 4, nötig 5", "Schaden an Kämpfer Rot: 7 gegen Verteidigung 6",
            "Schaden an Kämpfer Rot: 5 gegen Verteidigung 6, keine Wunde",
            "Kämpfer Rot ist tot (Überlebenswurf: Würfel 1, zusammen 2, nötig 4)"]),
])  # fmt: skip
def test_numbers_of_a_blow_say_what_they_are(lang: str, wanted: list[str]) -> None:
    """R42, R44, R50: `trifft: 6 gegen 5` and `Schaden: 7 gegen 6` were two numbers of four kinds."""
    game, kind = make_game("oneshot-skirmish", compiled=False), oneshot.Event
    events = [
        (kind.HIT, 6, 54), (kind.MISS, 4, 52), (kind.DAMAGE, 7, 6), (kind.DAMAGE, 5, 6), (kind.SURVIVAL, 0, 21)
    ]  # fmt: skip
    assert [game.say(packed(oneshot.EVENT, what, 0, a, b), None, lang) for what, a, b in events] == wanted


@pytest.mark.parametrize(("lang", "wanted"), [
    ("en", ["Billy turns over: clubs 9", "Billy has looked at: clubs 9"]),
    ("de", ["Billy deckt auf: Kreuz 9", "Billy hat angesehen: Kreuz 9"]),
])  # fmt: skip
def test_cards_that_one_looks_at_are_not_turned_over(lang: str, wanted: list[str]) -> None:
    """R120: `Held deckt auf` was told to him who alone saw them, as if everybody did."""
    game, look = make_game("einblatt-duel", compiled=False), einblatt.Event.LOOK
    assert [game.say(packed(einblatt.EVENT, look, 0, 2, 0, seen), 0, lang) for seen in (0xFFFF, 1)] == wanted


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [
        ("en", ["point card: 2   points: first 0, second 3", "turns won by: second, nobody"]),
        ("de", ["Punktkarte: 2   Punkte: Erster 0, Zweiter 3", "Runden an: Zweiter, niemand"]),
    ],
)
def test_points_say_whose_they_are(lang: str, wanted: list[str]) -> None:
    """`points: 0 : 3` did not say who has three, and `-` not that nobody has won a turn."""
    position = make_game("goofspiel", compiled=False).position(seed=1)
    s = position.record
    s.prize, s.points, s.turn = 1, (0, 3), 2
    s.won[:2] = 1, goofspiel.TIE
    told = position.told(None, lang).splitlines()
    assert told == wanted
