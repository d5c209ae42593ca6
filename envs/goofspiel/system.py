"""Goofspiel as a system: tables, texts and the game `goofspiel`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.actions import ActionBlock, ActionTable
from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.fields import record_of
from ..core.game import GameSpec, Position, Seat
from ..core.modules import load_modules
from ..core.observe import Layout, Piece
from ..core.options import Option, filled, flag, whole, word
from ..core.system import System
from ..core.texts import IN_ORDER, ending_lines, leader_first
from . import hooks, rules
from .module import INTERFACE

SEATS = ("first", "second")
OPTIONS = {
    "cards": whole(13, 2, rules.MOST, "cards in each suit"),
    "hidden": flag(True, "whether bids stay hidden when a turn is over"),
    "points_order": word("random", "random", "descending", "ascending", doc="how the point cards come"),
    "scoring": word("win_loss", "win_loss", "point_difference", "total_points", doc="what a game pays"),
}
ORDERS, SCORINGS = OPTIONS["points_order"].words, OPTIONS["scoring"].words
SCENARIOS: dict[str, dict[str, Any]] = {
    "four": {"cards": 4},
    "four_open": {"cards": 4, "hidden": False},
    "five_descending": {"cards": 5, "points_order": "descending"},
    "eight": {"cards": 8},
    "thirteen": {"cards": 13},
}
WORDS = {
    "en": {"prize": "point card", "hand": "hand", "points": "points", "won": "turns won by", "seat": "seat",
           "nobody": "nobody", "bids": "bids", "wins": "wins the turn", "tie": "equal bids, nobody wins the turn",
           "ask": "bid a card"},
    "de": {"prize": "Punktkarte", "hand": "Hand", "points": "Punkte", "won": "Runden an", "seat": "Platz",
           "nobody": "niemand", "bids": "bietet", "wins": "gewinnt die Runde",
           "tie": "gleiche Gebote, niemand gewinnt die Runde",
           "ask": "biete eine Karte"},
}  # fmt: skip
CARD = {"en": "card", "de": "Karte"}


class GoofspielTexts:
    """What a person reads of Goofspiel."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Point card, points, own hand, and who won which turn."""
        s, words = position.record, WORDS[lang]
        prize = "-" if s.prize < 0 else str(int(s.prize) + 1)
        cards = [str(c + 1) for c in range(rules.MOST) if seat is not None and s.hand[seat] >> c & 1]
        names = [one.called(lang) for one in position.game.seats]
        points = ", ".join(f"{name} {got}" for name, got in zip(names, s.points, strict=True))
        won = [words["nobody"] if w == rules.TIE else names[w] for w in s.won[: s.turn]]
        lines = [
            f"{words['prize']}: {prize}   {words['points']}: {points}",
            f"{words['won']}: {', '.join(won) or '-'}",
        ]
        if seat is not None:
            lines.insert(1, f"{words['hand']}: {' '.join(cards)}")
        return "\n".join(lines)

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """A point card, an open bid, or who has won a turn."""
        words, kind, value = WORDS[lang], event & 255, event >> 8
        if kind == 2:
            return f"{words['prize']}: {value + 1}"
        if kind == 3:
            return words["tie"] if value == rules.TIE else f"{IN_ORDER[value][1][lang == 'de']} {words['wins']}"
        return f"{IN_ORDER[kind][1][lang == 'de']} {words['bids']} {value + 1}"

    def phase(self, position: Position, lang: str) -> str:
        """What is asked."""
        return WORDS[lang]["ask"]


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, with how many points, and the payoffs."""
    mine, theirs = (int(position.record.points[seat]) for seat in leader_first(position))
    against = {"en": "against", "de": "gegen"}[lang]
    return ending_lines(position, lang, f"{mine} {WORDS[lang]['points']} {against} {theirs}")


class Goofspiel(System):
    """The system object of Goofspiel."""

    name = "goofspiel"
    games = ("goofspiel",)
    titles = {"goofspiel": ("Goofspiel", "Goofspiel")}
    about = {
        "goofspiel": (
            "Sealed bids with one suit of cards for the cards of another.",
            "Verdeckte Gebote mit den Karten einer Farbe für die einer anderen.",
        )
    }
    reference = True
    interface = INTERFACE

    def scenarios(self, game: str) -> tuple[str, ...]:
        """By the number of cards; four of them with open bids, too."""
        return tuple(SCENARIOS)

    def declared(self, game: str) -> Mapping[str, Option]:
        """Cards, what is hidden, order and scoring."""
        return OPTIONS

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game with `cards` (2..13), `hidden` (bids), `points_order` and `scoring`, as OpenSpiel has them."""
        name = scenario or next(iter(SCENARIOS))
        if name not in SCENARIOS:
            raise RulesetError(f"scenario {scenario!r} is unknown in goofspiel: {', '.join(SCENARIOS)}")
        options = filled(OPTIONS, {**SCENARIOS[name], **config})
        chosen = load_modules(INTERFACE, modules)
        params = np.zeros(1, dtype=record_of([*rules.PARAMS, *chosen.param_fields()]))
        n = int(options["cards"])
        params["cards"], params["hidden"] = n, int(options["hidden"])
        params["order"] = ORDERS.index(options["points_order"])
        params["scoring"] = SCORINGS.index(options["scoring"])
        chosen.fill_params(params.view(np.recarray)[0], SEATS)
        most = n * (n + 1) / 2
        low, high = [(-1.0, 1.0), (-most / 2, most / 2), (0.0, most)][SCORINGS.index(options["scoring"])]
        codes = tuple(str(card + 1) for card in range(n))
        # not bare numbers: in a list of those that are left the second would be `3`, and whoever types 3 mean another
        labels = {lang: tuple(f"{word} {code}" for code in codes) for lang, word in CARD.items()}
        layout = Layout(
            [
                Piece("seat", (2,), 0, 1, "own seat"),
                Piece("hands", (2, n), 0, 1, "cards to bid: own, and the other's where bids are open"),
                Piece("prize", (n,), 0, 1, "the point card"),
                Piece("deck", (n,), 0, 1, "point cards that have not been turned up"),
                Piece("points", (2,), 0, 100 if modules else 1, "own and the other's, in parts of all there are"),
                Piece("prizes", (n, n), 0, 1, "point cards by turn"),
                Piece("won", (n, 3), 0, 1, "by turn: won by the own seat, by the other, by nobody"),
                Piece("bids", (n, n), 0, 1, "own bids by turn"),
                Piece("others", (n, n), 0, 1, "the other's bids by turn, where they are open"),
                *chosen.pieces(),
            ]
        )
        sources = Sources(
            (hooks, rules),
            {},
            record_of([*rules.STATE, *chosen.state_fields(2)]),
            params.dtype,
            seats=2,
            words=1,
            observation=layout.size + rules.LONGEST,  # room enough: one rule set for all numbers of cards
            **chosen.source_parts(),
        )
        return GameSpec(
            name="goofspiel",
            system="goofspiel",
            scenario=name,
            options={**options, **({"modules": dict(modules)} if modules else {})},
            sources=sources,
            params=params,
            seats=tuple(Seat(name, name, words=words) for name, words in IN_ORDER),
            actions=ActionTable([ActionBlock("bid", codes, labels, "a card to bid")]),
            layout=layout,
            phases=("bid",),
            texts=GoofspielTexts(),
            result=result_lines,
            max_decisions=2 * n,
            tallies=chosen.tallies(SEATS),
            **chosen.payoffs(low, high, options["scoring"] != "total_points"),
            simultaneous=True,
        )


SYSTEM = Goofspiel()
