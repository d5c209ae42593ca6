"""Leduc poker as a system: tables, texts and the game `leduc`."""

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
from ..core.options import Option, amount, filled
from ..core.system import System
from ..core.texts import IN_ORDER, ending_lines, leader_first, number_in
from . import hooks, rules
from .module import INTERFACE

RANKS = {"en": ("jack", "queen", "king"), "de": ("Bube", "Dame", "König")}
SUITS = {"en": ("spades", "hearts"), "de": ("Pik", "Herz")}
MOVES = {"en": ("fold", "call", "raise"), "de": ("aussteigen", "mitgehen", "erhöhen")}
WORDS = {"en": ("card", "public card", "paid", "moves"), "de": ("Karte", "offene Karte", "eingesetzt", "Züge")}
OPTIONS = {
    "ante": amount(1.0, 100, "what each seat pays before the deal"),
    "first_bet": amount(2.0, 100, "what a raise adds in the first round"),
    "second_bet": amount(4.0, 100, "what a raise adds in the second round"),
}


def card_text(card: int, lang: str) -> str:
    """A card in words; a question mark for one that is not known."""
    if card < 0:
        return "?"
    rank, suit = RANKS[lang][card // 2], SUITS[lang][card % 2]
    return f"{rank} of {suit}" if lang == "en" else f"{suit} {rank}"


class LeducTexts:
    """What a person reads of Leduc poker."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Own card, public card, what is in the pot, and the moves of both rounds."""
        s = position.record
        rounds = [[MOVES[lang][s.moves[r, i]] for i in range(s.made[r])] for r in range(2)]
        values = (
            "?" if seat is None else card_text(int(s.card[seat]), lang),
            card_text(int(s.board), lang),
            f"{s.paid[0]:g} : {s.paid[1]:g}",
            " | ".join(", ".join(moves) for moves in rounds if moves) or "-",
        )
        return "   ".join(f"{word}: {value}" for word, value in zip(WORDS[lang], values))

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """A move, or the public card."""
        if event & 255 == 2:
            return f"{WORDS[lang][1]}: {card_text(event >> 8, lang)}"
        return f"{IN_ORDER[event & 255][1][lang == 'de']}: {MOVES[lang][event >> 8]}"

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """Who is dealt which card; an event tells of the public one."""
        seat = next((seat for seat in range(2) if position.record.card[seat] < 0), None)
        if seat is None:
            return ""
        after = position.clone()
        after.fall(outcome)
        name, card = position.game.seats[seat].called(lang), card_text(int(after.record.card[seat]), lang)
        return f"{name} bekommt: {card}" if lang == "de" else f"{name} is dealt: {card}"

    def phase(self, position: Position, lang: str) -> str:
        """What is asked."""
        s = position.record
        due = abs(float(s.paid[0]) - float(s.paid[1]))
        cost = number_in(f"{due:g}", lang) if due else {"en": "nothing", "de": "nichts"}[lang]
        return f"dein Zug; mitgehen kostet {cost}" if lang == "de" else f"your move; a call costs {cost}"


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, by a fold or by which cards, and the payoffs."""
    s, de, reason = position.record, lang == "de", ""
    if s.folded >= 0:
        reason = f"{position.game.seats[int(s.folded)].called(lang)} {'steigt aus' if de else 'folds'}"
    elif s.finished:
        mine, theirs, board = (card_text(int(card), lang) for card in (*s.card[list(leader_first(position))], s.board))
        reason = f"{mine} {'gegen' if de else 'against'} {theirs}, {WORDS[lang][1]} {board}"
    return ending_lines(position, lang, reason)


class Leduc(System):
    """The system object of Leduc poker."""

    name = "leduc"
    games = ("leduc",)
    titles = {"leduc": ("Leduc poker", "Leduc-Poker")}
    about = {
        "leduc": (
            "Poker with six cards, two rounds and one card in the middle.",
            "Poker mit sechs Karten, zwei Runden und einer Karte in der Mitte.",
        )
    }
    reference = True
    interface = INTERFACE

    def scenarios(self, game: str) -> tuple[str, ...]:
        """One scenario."""
        return ("standard",)

    def declared(self, game: str) -> Mapping[str, Option]:
        """Ante and raises."""
        return OPTIONS

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game with `ante`, `first_bet` and `second_bet` (0 < value <= 100), what a raise adds in each round."""
        if scenario not in (None, "standard"):
            raise RulesetError(f"scenario {scenario!r} is unknown in leduc: standard")
        chosen = load_modules(INTERFACE, modules)
        options = filled(OPTIONS, config)
        params = np.zeros(1, dtype=record_of([*rules.PARAMS, *chosen.param_fields()]))
        params["ante"], params["bet"] = options["ante"], (options["first_bet"], options["second_bet"])
        chosen.fill_params(params.view(np.recarray)[0], ("first", "second"))
        top = float(options["ante"] + rules.MAX_RAISES * (options["first_bet"] + options["second_bet"]))
        actions = ActionTable([ActionBlock("move", MOVES["en"], MOVES, "fold, call (or check), raise (or bet)")])
        layout = Layout(
            [
                Piece("card", (6,), 0, 1, "own card: two jacks, two queens, two kings"),
                Piece("board", (6,), 0, 1, "the public card"),
                Piece("seat", (2,), 0, 1, "own seat"),
                Piece("moves", (2, 4, 3), 0, 1, "moves by round: fold, call, raise"),
                *chosen.pieces(),
            ]
        )
        state = record_of([*rules.STATE, *chosen.state_fields(2)])
        sources = Sources(
            (hooks, rules),
            {},
            state,
            params.dtype,
            seats=2,
            words=1,
            observation=layout.size,
            **chosen.source_parts(),
        )
        return GameSpec(
            name="leduc",
            system="leduc",
            scenario="standard",
            options={**options, **({"modules": dict(modules)} if modules else {})},
            sources=sources,
            params=params,
            seats=tuple(Seat(name, name, words=words) for name, words in IN_ORDER),
            actions=actions,
            layout=layout,
            phases=("move",),
            texts=LeducTexts(),
            result=result_lines,
            max_decisions=2 * rules.ROUND_MOVES,
            tallies=chosen.tallies(("first", "second")),
            **chosen.payoffs(-top, top, True),
            simultaneous=False,
        )


SYSTEM = Leduc()
