"""Liar's dice as a system: tables, texts and the game `liars_dice`."""

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
from ..core.options import Option, filled, whole, word
from ..core.system import System
from ..core.texts import IN_ORDER, ending_lines
from . import hooks, rules
from .module import INTERFACE

SEATS = ("first", "second")
OPTIONS = {
    "dice": whole(1, 1, rules.MOST_DICE, "dice of each seat"),
    "faces": whole(6, 2, rules.MOST_FACES, "faces of a die"),
    "bidding": word(
        "reset_face", "reset_face", "reset_quantity", doc="which part of a bid may fall when the other rises"
    ),
}
SCENARIOS: dict[str, dict[str, Any]] = {
    "one_die": {"dice": 1},
    "two_dice": {"dice": 2},
    "five_dice": {"dice": 5},
}
WORDS = {
    "en": {"dice": "dice", "bid": "last bid", "seat": "seat", "shows": "had", "ask": "bid higher or doubt",
           "liar": "liar"},
    "de": {"dice": "Würfel", "bid": "letztes Gebot", "seat": "Platz", "shows": "hatte", "liar": "gelogen",
           "ask": "biete höher oder zweifle"},
}  # fmt: skip


class LiarsDiceTexts:
    """What a person reads of liar's dice."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Own dice and the last bid; all dice at the end."""
        s, words = position.record, WORDS[lang]
        shown = [] if seat is None else [f"{words['dice']}: {dice_text(s.count[seat])}"]
        bid = "-" if s.last < 0 else position.game.actions.describe(int(s.last), lang)
        return "   ".join([*shown, f"{words['bid']}: {bid}"])

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """A bid, a doubt, or the dice of a seat at the end."""
        words, kind, value = WORDS[lang], event & 255, event >> 8
        if kind >= 2:
            counts = [value >> (3 * face) & 7 for face in range(rules.MOST_FACES)]
            return f"{IN_ORDER[kind - 2][1][lang == 'de']} {words['shows']} {dice_text(counts)}"
        bid = bid_text(value >> 4, value & 15, lang) if value else words["liar"]
        return f"{IN_ORDER[kind][1][lang == 'de']}: {bid}"

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """Whose die it is, the how many-th of several, and what it shows."""
        s, each = position.record, int(position.game.params.dice)
        seat = 0 if s.thrown[0] < each else 1
        die = ("die", "Würfel")[lang == "de"]
        nth = f"{int(s.thrown[seat]) + 1} {('of', 'von')[lang == 'de']} {each}: " if each > 1 else ""
        return f"{position.game.seats[seat].called(lang)}: {die} {nth}{outcome + 1}"

    def phase(self, position: Position, lang: str) -> str:
        """What is asked."""
        return WORDS[lang]["ask"]


def bid_text(quantity: int, face: int, lang: str) -> str:
    """A bid in words: how many dice show a face."""
    return (
        f"{quantity} Würfel mit {face}"
        if lang == "de"
        else f"{quantity} {'die' if quantity == 1 else 'dice'} showing {face}"
    )


def dice_text(counts: Any) -> str:
    """Dice, given by how many show each face."""
    return " ".join(str(face + 1) for face, n in enumerate(counts) for _ in range(int(n))) or "?"


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, which bid was doubted, what all dice showed, and the payoffs."""
    s, words, reason = position.record, WORDS[lang], ""
    if s.doubted:
        shown = (f"{seat.called(lang)} {words['shows']} {dice_text(s.count[i])}"
                 for i, seat in enumerate(position.game.seats))  # fmt: skip
        reason = f"{words['bid']} {position.game.actions.describe(int(s.last), lang)}, {', '.join(shown)}"
    return ending_lines(position, lang, reason)


class LiarsDice(System):
    """The system object of liar's dice."""

    name = "liars_dice"
    games = ("liars_dice",)
    titles = {"liars_dice": ("Liar's dice", "Lügenwürfel")}
    about = {
        "liars_dice": (
            "Bids on hidden dice, until somebody doubts.",
            "Gebote auf verdeckte Würfel, bis jemand zweifelt.",
        )
    }
    reference = True
    interface = INTERFACE

    def scenarios(self, game: str) -> tuple[str, ...]:
        """By the number of dice of each seat."""
        return tuple(SCENARIOS)

    def declared(self, game: str) -> Mapping[str, Option]:
        """Dice, faces and the order of bids."""
        return OPTIONS

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game with `dice` (1..5), `faces` (2..6) and `bidding` (the order of bids, as OpenSpiel has it)."""
        name = scenario or next(iter(SCENARIOS))
        if name not in SCENARIOS:
            raise RulesetError(f"scenario {scenario!r} is unknown in liars_dice: {', '.join(SCENARIOS)}")
        options = filled(OPTIONS, {**SCENARIOS[name], **config})
        chosen = load_modules(INTERFACE, modules)
        params = np.zeros(1, dtype=record_of([*rules.PARAMS, *chosen.param_fields()]))
        params["dice"], params["faces"] = options["dice"], options["faces"]
        params["face_first"] = int(options["bidding"] == "reset_quantity")
        record = params.view(np.recarray)[0]
        chosen.fill_params(record, SEATS)
        total = 2 * int(options["dice"]) * int(options["faces"])
        bids = [(int(rules.quantity_of(record, b)), int(rules.face_of(record, b)) + 1) for b in range(total)]
        codes = tuple(f"{quantity}x{face}" for quantity, face in bids)
        called = {lang: tuple(bid_text(*bid, lang) for bid in bids) for lang in WORDS}
        actions = ActionTable(
            [
                ActionBlock("bid", codes, called, "so many dice show a face at least"),
                ActionBlock("doubt", ("liar",), {lang: (WORDS[lang]["liar"],) for lang in WORDS}, "doubt the last bid"),
            ]
        )
        layout = Layout(
            [
                Piece("seat", (2,), 0, 1, "own seat"),
                Piece("dice", (int(options["faces"]),), 0, 1, "own dice by face, in parts of all"),
                Piece("bids", (total,), 0, 1, "bids made"),
                Piece("last", (total,), 0, 1, "the last bid"),
                Piece("doubted", (1,), 0, 1, "whether it is doubted"),
                *chosen.pieces(),
            ]
        )
        sources = Sources(
            (hooks, rules),
            {"LEGAL_WORDS": actions.words},
            record_of([*rules.STATE, *chosen.state_fields(2)]),
            params.dtype,
            seats=2,
            words=actions.words,
            observation=layout.size + rules.LONGEST,  # room enough: one rule set for all numbers of dice
            **chosen.source_parts(),
        )
        return GameSpec(
            name="liars_dice",
            system="liars_dice",
            scenario=name,
            options={**options, **({"modules": dict(modules)} if modules else {})},
            sources=sources,
            params=params,
            seats=tuple(Seat(name, name, words=words) for name, words in IN_ORDER),
            actions=actions,
            layout=layout,
            phases=("bid",),
            texts=LiarsDiceTexts(),
            result=result_lines,
            max_decisions=total + 1,
            tallies=chosen.tallies(SEATS),
            **chosen.payoffs(-1.0, 1.0, True),
            simultaneous=False,
        )


SYSTEM = LiarsDice()
