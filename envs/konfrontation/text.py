"""What a person reads of konfrontation: state, events, phases; English and German."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.actions import ActionTable
from ..core.game import GameSpec, Position
from ..core.texts import OwnWords, number_in, signed, won_by
from . import state as st
from .actions import NATURE_NAMES, item_name

PHASE_TEXTS = {
    "action": ("your action", "deine Handlung"),
    "decl_faction": ("attack against whom?", "Angriff gegen wen?"),
    "decl_target": ("what is the target?", "was ist das Ziel?"),
    "decl_type": ("which type of confrontation?", "welche Art von Konfrontation?"),
    "decl_commit": ("who takes part?", "wer tritt an?"),
    "evade": ("run home or stand?", "nach Hause rennen oder standhalten?"),
    "defend": ("who defends?", "wer verteidigt?"),
    "bid": ("your bid (sealed)", "dein Gebot (verdeckt)"),
    "vote": ("a tie: agree on a draw? (sealed)", "Gleichstand: auf Unentschieden einigen? (verdeckt)"),
    "victim": ("which of your units goes instead?", "welche deiner Einheiten geht stattdessen?"),
    "fate": ("out of the game, or to the winner?", "aus dem Spiel oder an den Sieger?"),
    "spoils": ("what do you take?", "was nimmst du?"),
    "spoils_unit": ("which unit?", "welche Einheit?"),
    "response": ("hand the demanded unit over?", "die geforderte Einheit herausgeben?"),
    "over": ("over", "zu Ende"),
}

# why power changes hands, and whether it is got; an action has been told before it
WHYS = {
    "en": {
        (st.Why.BID, False): "the bid", (st.Why.LOOT, True): "loot from the bank",
        (st.Why.TAKEN, True): "for the victory", (st.Why.TAKEN, False): "as the loser",
        (st.Why.HOME, False): "for running home", (st.Why.RULE, True): "by a rule module",
        (st.Why.RULE, False): "by a rule module",
    },
    "de": {
        (st.Why.BID, False): "das Gebot", (st.Why.LOOT, True): "Beute aus der Bank",
        (st.Why.TAKEN, True): "für den Sieg", (st.Why.TAKEN, False): "als Verlierer",
        (st.Why.HOME, False): "fürs Heimrennen", (st.Why.RULE, True): "durch ein Regelmodul",
        (st.Why.RULE, False): "durch ein Regelmodul",
    },
}  # fmt: skip

ASKED = frozenset({"decl_commit", "evade", "defend"})  # while somebody can still name who takes part
NOBODY = ("nobody so far", "noch niemand")
# factions that a scenario names by their part, in English and German
SEAT_WORDS = {"attacker": ("attacker", "Angreifer"), "defender": ("defender", "Verteidiger")}
# what people call the factions of the built-in campaigns; each begins with the letter that stands in codes
HOUSES = {letter: (f"House {name}", f"Haus {name}")
          for letter, name in zip("ABCDE", ("Arden", "Belmar", "Corvin", "Dorran", "Elster"), strict=True)}  # fmt: skip


def words_of(names: Sequence[str], own: bool) -> dict[str, tuple[str, str]]:
    """What factions are called in English and German; `own`: the set-up has named them, so that letters stay."""
    words = SEAT_WORDS if own else {**SEAT_WORDS, **HOUSES}
    return {name: words[name] for name in names if name in words}


def turns_left(turns: int, lang: str) -> str:
    """How long a project still takes."""
    if lang == "de":
        return f"noch {turns} {'Zug' if turns == 1 else 'Züge'}"
    return f"{turns} turn{'' if turns == 1 else 's'} left"


def points_of(points: int, lang: str) -> str:
    """Control points that are got."""
    if lang == "de":
        return f"Kontrollpunkt{'e' * (points != 1)} +{points}"
    return f"control point{'s' * (points != 1)} +{points}"


def counts(params: Any, nature: int, value: int, kind: int) -> int:
    """R3, R5, R25, A10: what a unit of a value counts in a confrontation of a type, without rule modules."""
    if nature != kind:
        return value
    factor = int(params.nature_multiplier)
    return value - 1 + factor if params.double_base else value * factor


def counted_otherwise(spec: GameSpec) -> bool:
    """Whether a rule module has a say in what units count."""
    return any("unit_strength" in vars(module) for module in spec.sources.extensions)


class KonfrontationTexts(OwnWords):
    """Texts of one game: it knows the names of the factions and the actions."""

    kinds = {
        "recruit": ("recruit a character", "einen Charakter anwerben"),
        "start_resource": ("start a resource", "eine Ressource beginnen"),
        "start_support": ("start a support", "eine Unterstützung beginnen"),
    }

    def __init__(self, seats: Sequence[str], actions: ActionTable, words: Mapping[str, tuple[str, str]]) -> None:
        self.seats = tuple(seats)
        self.words = words
        self.actions = actions

    def name(self, seat: int, lang: str = "en") -> str:
        """Name of a faction."""
        name = self.seats[seat] if 0 <= seat < len(self.seats) else ""
        return self.words[name][lang == "de"] if name in self.words else name

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        name = position.phase()
        texts = PHASE_TEXTS.get(name)
        return texts[lang == "de"] if texts else name.replace("_", " ")

    # --- actions with names -------------------------------------------------------------------------------------------

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """A faction by its name; a unit, resource or other target with what is known of it."""
        if st.Action.FACTION <= action < st.Action.FACTION + st.MAXF - 1:
            return self.name(self.faction_of(seat, action), lang)
        if not st.Action.ITEM <= action < st.Action.ITEM + st.T_OTHER:
            return ""
        s, item, de = position.record, int(action - st.Action.ITEM), lang == "de"
        owner = self.owner_of(position, seat)
        if item >= st.T_POWER:
            return ""
        if item >= st.T_RESOURCE:
            what = f"{'Größe' if de else 'size'} {int(s.extent[owner, item - st.T_RESOURCE])}"
        else:
            what = NATURE_NAMES[lang][s.nature[owner, item]]
            if item >= st.CHARACTERS:
                what += f", {'Wert' if de else 'value'} {int(s.value[owner, item])}"
        return f"{item_name(item, lang)} ({what})"

    def code_of(self, position: Position, seat: int, action: int) -> str:
        """A faction by its name: `faction:Guild`."""
        if st.Action.FACTION <= action < st.Action.FACTION + st.MAXF - 1:
            return f"faction:{self.seats[self.faction_of(seat, action)]}"
        return ""

    def parse(self, position: Position, seat: int, text: str) -> int:
        """As elsewhere; a faction also by its name alone, `A`, or by that of its house without the word for house."""
        said = " ".join(text.split()).casefold()
        for action in position.legal(seat) if said else ():
            if st.Action.FACTION <= action < st.Action.FACTION + st.MAXF - 1:
                name = self.seats[self.faction_of(seat, action)]
                if said in (name.casefold(), self.words.get(name, (name,))[0].casefold().removeprefix("house ")):
                    return action
        return super().parse(position, seat, text)

    def faction_of(self, seat: int, action: int) -> int:
        """The faction that an action of a seat means."""
        return (seat + 1 + action - st.Action.FACTION) % len(self.seats)

    def owner_of(self, position: Position, seat: int) -> int:
        """Whose units and resources a question is about."""
        s, phase = position.record, position.phase()
        return int({"decl_target": s.defender, "spoils_unit": s.attacker}.get(phase, seat))

    # --- the state ----------------------------------------------------------------------------------------------------

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """All factions with what they hold, and the running confrontation."""
        s, p = position.record, position.game.params
        de = lang == "de"
        lines = []
        if not p.clash and s.turn:
            order = [self.name(int((s.first + i) % p.factions), lang) for i in range(int(p.factions))]
            lines.append(
                f"{'Zug' if de else 'turn'} {s.turn}/{p.turns}   {'Reihenfolge' if de else 'order'}: {', '.join(order)}"
            )
        names = [self.name(f, lang) for f in range(len(self.seats))]
        width = max(map(len, names))
        for f, name in enumerate(names):
            lines.append(f"{'>' if f == seat else ' '} {name:<{width}}  {self.holdings(position, f, seat, lang)}")
        if s.active and s.defender >= 0:
            lines.append(self.confrontation(position, lang))
        return "\n".join(lines)

    def holdings(self, position: Position, f: int, seat: int | None, lang: str) -> str:
        """What a faction holds, in one line."""
        s, p = position.record, position.game.params
        de = lang == "de"
        hidden = p.hidden_power and f != seat
        parts = [f"Power {'?' if hidden else int(s.power[f])}" if de else f"power {'?' if hidden else int(s.power[f])}"]
        slots = [r for r in range(st.RESOURCES) if s.resources[f] >> r & 1]
        cp = sum(int(s.extent[f, r]) for r in slots) + int(s.bonus[f])
        spoilt = int(s.bonus[f])
        away = f" ({f'davon {spoilt} für Zerstörtes' if de else f'{spoilt} of them for what was destroyed'})"
        parts.append(f"{'Kontrollpunkte' if de else 'control points'} {cp}{away if spoilt else ''}")
        if s.special[f]:
            parts.append(f"{'Sonderpunkte' if de else 'special'} {int(s.special[f])}")
        units = [u for u in range(st.UNITS) if s.units[f] >> u & 1]
        # a number alone before a nature would read as how many there are
        characters = [f"{u + 1}: {NATURE_NAMES[lang][s.nature[f, u]]}" for u in units if u < st.CHARACTERS]
        worth = "Wert" if de else "value"
        supports = [
            f"{u - st.CHARACTERS + 1}: {NATURE_NAMES[lang][s.nature[f, u]]} ({worth} {int(s.value[f, u])})"
            for u in units
            if u >= st.CHARACTERS
        ]
        parts.append(f"{'Charaktere' if de else 'characters'} {', '.join(characters) or '-'}")
        if supports:
            parts.append(f"{'Unterstützung' if de else 'supports'} {', '.join(supports)}")
        sizes = [f"{r + 1}: {'Größe' if de else 'size'} {int(s.extent[f, r])}" for r in slots]
        parts.append(f"{'Ressourcen' if de else 'resources'} {', '.join(sizes) or '-'}")
        if s.project[f]:
            what = self.project(int(s.project[f]), int(s.project_nature[f]), lang)
            left = int(s.project_left[f])
            parts.append(f"{'Projekt' if de else 'project'}: {what}, {turns_left(left, lang)}")
        return "; ".join(parts)

    def project(self, kind: int, nature: int, lang: str) -> str:
        """A project in words."""
        if kind == st.P_RESOURCE:
            return "Ressource" if lang == "de" else "resource"
        return f"{'Unterstützung' if lang == 'de' else 'support'} ({NATURE_NAMES[lang][nature]})"

    def confrontation(self, position: Position, lang: str) -> str:
        """The running confrontation, in one line."""
        s, p = position.record, position.game.params
        de = lang == "de"
        a, d = self.name(int(s.attacker), lang), self.name(int(s.defender), lang)
        parts = [f"{a} {'gegen' if de else 'against'} {d}"]
        if s.target >= 0:
            worth = f" ({'Sonderpunkte' if de else 'special points'} +{int(p.other_points)})"
            parts.append(item_name(int(s.target), lang) + (worth if s.target == st.T_OTHER else ""))
        if s.kind >= 0:
            parts.append(NATURE_NAMES[lang][s.kind])
        if s.commit[0] or s.commit[1]:
            asked = position.phase() in ASKED
            sums = [
                NOBODY[de]
                if asked and not s.commit[side]
                else f"{s.strength[side]}{self.summands(position, side, lang)}"
                for side in (0, 1)
            ]
            parts.append(f"{'Stärke' if de else 'strength'}: {a} {sums[0]}, {d} {sums[1]}")
        if s.ties:
            parts.append(f"{'Gleichstände' if de else 'ties'} {int(s.ties)}/{p.max_ties}")
        return "; ".join(parts)

    def summands(self, position: Position, side: int, lang: str) -> str:
        """What each unit of a side adds to its strength, in brackets; empty if a rule module has a say in that."""
        s, seat = position.record, int((position.record.attacker, position.record.defender)[side])
        units = [u for u in range(st.UNITS) if int(s.commit[side]) >> u & 1]
        if not units or counted_otherwise(position.game.spec):
            return ""
        worth = (counts(position.game.params, s.nature[seat, u], int(s.value[seat, u]), s.kind) for u in units)
        return f" ({', '.join(f'{item_name(u, lang)}: {value}' for u, value in zip(units, worth))})"

    # --- events -------------------------------------------------------------------------------------------------------

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event; empty if there is nothing to say. With hidden stocks only changes are told."""
        kind, who, a, b, c = st.EVENT.unpack(event)
        name, de = self.name(who, lang), lang == "de"
        if kind == st.Event.TURN:
            return f"--- {'Zug' if de else 'turn'} {a}/{b}"
        if kind == st.Event.ACTION:
            return f"{name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.POWER:
            why = WHYS[lang].get((st.Why(c), a > 0), "")
            power = f"Power {number_in(signed(a), lang)}" if de else f"power {a:+d}"
            return f"{name}: {power}{f' ({why})' if why else ''}"
        if kind == st.Event.PROJECT:
            what = self.project(a, c, lang)
            if b:
                return f"{name}: {what}, {turns_left(b, lang)}"
            return f"{name}: {what} {'fertig' if de else 'completed'}"
        if kind == st.Event.LOST:
            return f"{name}: {'das Projekt ist verloren' if de else 'the project is lost'}"
        if kind == st.Event.ATTACK:
            other = self.name(a, lang)
            return f"{f'Angriff, {name} gegen {other}' if de else f'{name} attacks {other}'}: {item_name(b, lang)}"
        if kind == st.Event.TYPE:
            return f"{'Art' if de else 'type'}: {NATURE_NAMES[lang][a]}"
        if kind == st.Event.UNIT:
            value = f" ({b})" if a >= st.CHARACTERS else ""
            return f"{name}: {item_name(a, lang)}, {NATURE_NAMES[lang][c]}{value}, {'tritt an' if de else 'takes part'}"
        if kind == st.Event.NOBODY:
            return f"{name}: {'niemand tritt an' if de else 'nobody takes part'}"
        if kind == st.Event.EVADED:
            return f"{name}: rennt nach Hause" if de else f"{name} runs home"
        if kind == st.Event.BID:
            return f"{name}: Gebot {a}, Ergebnis {b}" if de else f"{name} bids {a}: total {b}"
        if kind == st.Event.TIE:
            return f"{'Gleichstand' if de else 'tie'} {a}/{b}"
        if kind == st.Event.VOTE:
            return f"{name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.RESULT:
            return self.result(who, a, lang)
        return self.consequence(kind, who, a, b, c, lang)

    def result(self, who: int, result: int, lang: str) -> str:
        """How a confrontation ended."""
        de = lang == "de"
        if result == st.Result.DRAW:
            return "unentschieden" if de else "a draw"
        if result == st.Result.EVADED:
            return "die Konfrontation findet nicht statt" if de else "the confrontation does not take place"
        return won_by(self.name(who, lang), lang)

    def consequence(self, kind: int, who: int, a: int, b: int, c: int, lang: str) -> str:
        """One line for what follows from a confrontation, and the rest."""
        name, de = self.name(who, lang), lang == "de"
        if kind == st.Event.GONE:
            what = item_name(a, lang)
            if a >= st.T_RESOURCE:
                paid = f"; {self.name(c, lang)}: {points_of(b, lang)}" if b else ""  # A5
                return f"{name}: {what} {'ist zerstört' if de else 'is destroyed'}{paid}"
            return f"{name}: {what} {'ist aus dem Spiel' if de else 'is out of the game'}"
        if kind == st.Event.HANDED:
            there = f"{self.name(c, lang)} {'als' if de else 'as'} {item_name(b, lang)}"
            return f"{name}: {item_name(a, lang)} {'geht an' if de else 'goes to'} {there}"
        if kind == st.Event.SPECIAL:
            points = "Sonderpunkte" if de else "special points"
            cost = f"; {self.name(c, lang)}: {points} {-b:+d}" if b else ""  # A20
            return f"{name}: {points} {a:+d}{cost}"
        if kind == st.Event.SPOILS:
            return f"{name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.DEMAND:
            owner = self.name(b, lang)
            return f"{name}{': fordert' if de else ' demands'} {item_name(a, lang)} ({owner})"
        if kind == st.Event.NATURE:
            return f"{name}: {item_name(a, lang)} {'ist' if de else 'is'} {NATURE_NAMES[lang][b]}"
        return ""


def result_of(position: Position) -> str:
    """`attacker`, `defender`, `draw`, `evaded`, or an empty text: how the last confrontation ended."""
    record: Any = position.record
    return st.RESULTS[int(record.result)]
