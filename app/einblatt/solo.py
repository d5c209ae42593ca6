"""einBlatt alone: its campaign is the run, one game from the first conflict to the last, whose payoff is the score."""

from __future__ import annotations

from typing import Any

from ...envs.core.game import Game, Position
from ...envs.core.registry import system_of
from ...envs.core.texts import number_in, signed
from ...envs.einblatt.actions import SUIT_NAMES
from ...envs.einblatt.names import called
from ...envs.einblatt.presets import TABLE32
from ..opponents import opponent_for
from ..session.casting import cast
from ..session.solo import Host, Score, SoloRun

GAME = "einblatt-campaign"


def outcome(position: Position) -> dict[str, Any]:
    """What the hero has reached."""
    return {"payoff": float(position.returns()[0]), "lines": list(position.game.spec.result(position, "en"))}


def course(host: Host) -> Score:
    """The campaign."""
    host.tell(
        host.text(
            "For einBlatt the run is the campaign: one conflict after the other, and what is spent stays spent.",
            "Für einBlatt ist der Lauf die Kampagne: ein Konflikt nach dem anderen, und was weg ist, bleibt weg.",
        )
    )

    def seats(game: Game) -> dict[int, str]:
        return cast(game, 0, opponent_for(game, host.think))

    found = host.game(lambda: system_of(GAME).spec(GAME, None, {}, {}), seats, host.seed, outcome)
    points = float(found["payoff"])
    words = host.text("The campaign is over: payoff", "Die Kampagne ist zu Ende: Auszahlung")
    return Score(points, f"{words} {number_in(signed(round(points, 3)), host.lang)}.")  # as the game itself tells it


def _hand(hero: dict[str, Any], test: dict[str, Any]) -> int:
    """R31: the cards that the hero draws for a test while nothing is restricted."""
    value = int(hero["attributes"][test["test"]]["attribute"])
    return {"own": value, "other": max(value - 2, 1), "none": max(value // 2, 1)}[test["relation"]]


def _trumps(suits: str, lang: str) -> str:
    words = ", ".join(SUIT_NAMES[lang]["CSDH".index(suit)] for suit in suits)
    return f" ({'Trumpf' if lang == 'de' else 'trump'} {words})" if words else ""


def conflicts_told(lang: str) -> str:
    """The conflicts of the campaign in order: what each is, how many cards both draw, and what is trump for whom."""
    options = system_of(GAME).spec(GAME, None, {}, {}).options
    hero, told, de = options["seats"][0], [], lang == "de"
    draw, master = ("du ziehst {} Karten", "die Spielleitung") if de else ("you draw {} cards", "the game master")
    for number, (conflict, names) in enumerate(zip(options["conflicts"], TABLE32, strict=True), 1):
        mine, other = conflict["seats"]["Hero"], conflict["seats"]["GM"]
        own = draw.format(_hand(hero, mine)) + _trumps(hero["attributes"][mine["test"]]["suits"], lang)
        against = f"{master} {other['cards']}{_trumps(other['suits'], lang)}"
        told.append(f"{number}. {names[de]}: {called(mine['test'], lang)}, {own}, {against}")
    return "; ".join(told) + "."


GUIDE = (
    (
        ("The aim", "Das Ziel"),
        (
            "The highest sum over all conflicts. In each of them you play cards against the game master (GM): the "
            "higher card of a round brings +1 point of success (EP), the lower one -1.",
            "Die höchste Summe über alle Konflikte. In jedem spielst du Karten gegen die Spielleitung: die höhere "
            "Karte einer Runde bringt +1 Erfolgspunkt (EP), die niedrigere \N{MINUS SIGN}1.",
        ),
    ),
    (
        ("Your decision", "Deine Entscheidung"),
        (
            "Which card when. Your best card is wasted on the other side's worst one; a trump beats every card that is "
            "none.",
            "Welche Karte wann. Deine beste ist gegen die schlechteste der anderen Seite verschwendet; ein Trumpf "
            "schlägt jede Karte, die keiner ist.",
        ),
    ),
    (
        ("What stays", "Was bleibt"),
        (
            "Cards that were drawn are gone until the discards are shuffled again. A lost conflict leaves a "
            "restriction: so many cards fewer in later hands of that attribute, until it heals.",
            "Gezogene Karten sind weg, bis die Ablage neu gemischt wird. Ein verlorener Konflikt hinterlässt eine "
            "Einschränkung: so viele Karten weniger in späteren Händen dieses Attributs, bis sie heilt.",
        ),
    ),
    (("The conflicts", "Die Konflikte"), (conflicts_told("en"), conflicts_told("de"))),
    (
        ("The strip above the table", "Die Leiste über dem Tisch"),
        (
            "It says which round of how many this is, and which conflict of how many; then the suits that are trumps "
            "for you. Below it stand both sides: points of the conflict (EP), cards in hand, cards left in the pile.",
            "Sie sagt, die wievielte Runde und der wievielte Konflikt es ist, dann die Farben, die für dich Trumpf "
            "sind. Darunter stehen beide Seiten: Punkte des Konflikts (EP), Karten auf der Hand, Karten im Stapel.",
        ),
    ),
)
RUN = SoloRun(
    ("The campaign, from the first conflict to the last.", "Die Kampagne, vom ersten Konflikt bis zum letzten."),
    course,
    guide=GUIDE,
)
