"""Kuhn poker as a system: tables, texts and the game `kuhn`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.actions import ActionBlock, ActionTable
from ..core.brief import brief
from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.fields import record_of
from ..core.game import GameSpec, Position, Seat
from ..core.modules import load_modules
from ..core.observe import Layout, Piece
from ..core.options import Option, amount, filled
from ..core.system import System
from ..core.texts import IN_ORDER, ending_lines, leader_first
from . import hooks, rules
from .module import INTERFACE

CARDS = {"en": ("jack", "queen", "king"), "de": ("Bube", "Dame", "König")}
MOVES = {"en": ("pass", "bet"), "de": ("passen", "setzen")}


OPTIONS = {
    "ante": amount(1.0, 100, "what each seat pays before the deal"),
    "bet": amount(1.0, 100, "what a bet adds"),
}


class KuhnTexts:
    """What a person reads of Kuhn poker."""

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Own card and the moves so far."""
        record = position.record
        moves = ", ".join(MOVES[lang][record.moves[i]] for i in range(record.turn)) or "-"
        mine = "?" if seat is None or record.card[seat] < 0 else CARDS[lang][record.card[seat]]
        return f"Karte: {mine}   Züge: {moves}" if lang == "de" else f"card: {mine}   moves: {moves}"

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """A move."""
        return f"{IN_ORDER[event & 255][1][lang == 'de']}: {MOVES[lang][event >> 8]}"

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """Who is dealt which card."""
        after = position.clone()
        after.fall(outcome)
        seat = 0 if position.record.card[0] < 0 else 1
        name, card = position.game.seats[seat].called(lang), CARDS[lang][int(after.record.card[seat])]
        return f"{name} bekommt: {card}" if lang == "de" else f"{name} is dealt: {card}"

    def phase(self, position: Position, lang: str) -> str:
        """What is asked."""
        s = position.record
        if s.turn and s.moves[s.turn - 1] == 1:  # to pass would be to fold
            return {
                "en": "the other has bet: bet to see the cards, pass to give up",
                "de": "die andere Seite hat gesetzt: wer passt, verliert",
            }[lang]
        return {"en": "your move: bet, or pass for now", "de": "dein Zug: setzen oder passen"}[lang]


def result_lines(position: Position, lang: str) -> list[str]:
    """Who has won, by a fold or by which cards, and the payoffs."""
    s, de, reason = position.record, lang == "de", ""
    if s.dealt == 2 and rules.finished(s):
        last, before = int(s.moves[s.turn - 1]), int(s.moves[s.turn - 2])
        if before == 1 and last == 0:
            name = position.game.seats[(int(s.turn) - 1) & 1].called(lang)
            reason = f"{name} {'steigt aus' if de else 'folds'}"
        else:
            mine, theirs = (CARDS[lang][int(s.card[seat])] for seat in leader_first(position))
            reason = f"{mine} {'gegen' if de else 'against'} {theirs}"
    return ending_lines(position, lang, reason)


class Kuhn(System):
    """The system object of Kuhn poker."""

    name = "kuhn"
    games = ("kuhn",)
    titles = {"kuhn": ("Kuhn poker", "Kuhn-Poker")}
    about = {"kuhn": ("Poker with three cards and one bet.", "Poker mit drei Karten und einem Einsatz.")}
    reference = True
    interface = INTERFACE

    def scenarios(self, game: str) -> tuple[str, ...]:
        """One scenario."""
        return ("standard",)

    def declared(self, game: str) -> Mapping[str, Option]:
        """Ante and bet."""
        return OPTIONS

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game with `ante` and `bet` (0 < value <= 100)."""
        if scenario not in (None, "standard"):
            raise RulesetError(f"scenario {scenario!r} is unknown in kuhn: standard")
        chosen = load_modules(INTERFACE, modules)
        for key in config:
            if key not in OPTIONS:
                raise RulesetError(f"option {brief(key)} is unknown in kuhn: {', '.join(OPTIONS)}")
        options = filled(OPTIONS, config)
        params = np.zeros(1, dtype=record_of([*rules.PARAMS, *chosen.param_fields()]))
        params["ante"], params["bet"] = options["ante"], options["bet"]
        chosen.fill_params(params.view(np.recarray)[0], ("first", "second"))
        top = float(options["ante"] + options["bet"])
        actions = ActionTable([ActionBlock("move", MOVES["en"], MOVES, "pass (check or fold) or bet (or call)")])
        layout = Layout(
            [
                Piece("card", (3,), 0, 1, "own card: jack, queen, king"),
                Piece("seat", (2,), 0, 1, "own seat"),
                Piece("moves", (3, 2), 0, 1, "moves so far: pass, bet"),
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
            name="kuhn",
            system="kuhn",
            scenario="standard",
            options={**options, **({"modules": dict(modules)} if modules else {})},
            sources=sources,
            params=params,
            seats=tuple(Seat(name, name, words=words) for name, words in IN_ORDER),
            actions=actions,
            layout=layout,
            phases=("move",),
            texts=KuhnTexts(),
            result=result_lines,
            max_decisions=3,
            tallies=chosen.tallies(("first", "second")),
            **chosen.payoffs(-top, top, True),
            simultaneous=False,
        )


SYSTEM = Kuhn()
