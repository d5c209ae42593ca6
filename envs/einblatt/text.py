"""What a person reads of einBlatt: state, events, phases; English and German."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.game import Position
from ..core.texts import OwnWords, number_in, reader, signed
from . import state as st
from .actions import SUIT_NAMES, card_name
from .names import called

OUTCOMES = {
    "en": ("perfect loss", "clear loss", "narrow loss", "draw", "narrow win", "clear win", "perfect win"),
    "de": (
        "vollkommene Niederlage",
        "klare Niederlage",
        "knappe Niederlage",
        "Unentschieden",
        "knapper Sieg",
        "klarer Sieg",
        "vollkommener Sieg",
    ),
}
OUTCOME_CODES = ("perfect_loss", "clear_loss", "narrow_loss", "draw", "narrow_win", "clear_win", "perfect_win")
PHASE_TEXTS = {
    "advance": ("spend experience", "Erfahrung ausgeben"),
    "trim_confidence": ("throw off a confidence card", "eine Selbstbewusstseinskarte abwerfen"),
    "seven": (
        "against your motives: choose a set-aside seven",
        "gegen deine Motive: eine beiseitegelegte Sieben wählen",
    ),
    "reward": (
        "by your motives: which card comes back as a reward?",
        "nach deinen Motiven: welche Karte kommt als Belohnung zurück?",
    ),
    "prepare": ("ignore injuries?", "Verletzungen ignorieren?"),
    "mark": ("throw off cards you looked at", "angesehene Karten abwerfen"),
    "reorder": ("put cards back, top first", "Karten zurücklegen, oberste zuerst"),
    "pick_pile": ("draw from which pile?", "von welchem Stapel ziehen?"),
    "after_draw": ("anything after the draw?", "noch etwas nach dem Ziehen?"),
    "stash": ("which card into the sleeve?", "welche Karte in den Ärmel?"),
    "mercy_assign": ("in the place of which card does it go?", "an die Stelle welcher Karte kommt sie?"),
    "open_commit": ("lay a card openly", "eine Karte offen legen"),
    "before_commit": ("anything before the round?", "noch etwas vor der Runde?"),
    "open_card": ("which card do you lay open?", "welche Karte legst du offen?"),
    "exchange": ("exchange hand cards", "Handkarten tauschen"),
    "commit": ("choose your round card", "wähle deine Rundenkarte"),
    "after_reveal": ("anything after the reveal?", "noch etwas nach dem Aufdecken?"),
    "replace": ("in the place of which card does it go?", "an die Stelle welcher Karte kommt sie?"),
    "strike_target": ("whose card is struck?", "wessen Karte wird gestrichen?"),
    "replay": ("play a new card", "spiele eine neue Karte"),
    "command": ("give an order", "gib einen Befehl"),
    "act": ("act or wait", "agieren oder abwarten"),
    "react": ("react with a card", "reagiere mit einer Karte"),
    "after_test": ("anything after the test?", "noch etwas nach der Probe?"),
    "after_card": ("play one more card openly", "spiele offen eine weitere Karte"),
    "answer": ("answer the challenge", "beantworte die Herausforderung"),
    "sort": ("onto which pile?", "auf welchen Stapel?"),
    "continue": ("continue the conflict?", "den Konflikt fortsetzen?"),
    "survive": ("buy off death?", "den Tod abwenden?"),
    "gain_confidence": ("keep a card as confidence?", "eine Karte als Selbstbewusstsein behalten?"),
    "drop_confidence": ("throw off a confidence card", "eine Selbstbewusstseinskarte abwerfen"),
}
NOTHING = {"command": ("no order", "kein Befehl"), "reward": ("no card", "keine Karte")}  # R63, R232
REASONS = {
    "en": ("won", "lost", "tied", "played", "unused", "exchanged"),
    "de": ("gewonnen", "verloren", "gleich", "gespielt", "unbenutzt", "getauscht"),
}


def outcome_class(ep: int) -> str:
    """R70: name of the result class for final EP."""
    return OUTCOME_CODES[max(-3, min(3, ep)) + 3]


def _experience(name: str, a: int, b: int, lang: str) -> str:
    """R210, R211: what a conflict taught, and all that can be spent now."""
    if a == 0:
        return f"{name} gewinnt keine Erfahrung" if lang == "de" else f"{name} gets no experience"
    return f"{name}: Erfahrung +{a}, zusammen {b}" if lang == "de" else f"{name}: experience +{a}, {b} in all"


def _regain(name: str, a: int, b: int, lang: str) -> str:
    """R212: what was used is back."""
    if lang == "de":
        return f"{name}: benutzte Erfahrung kommt zurück, zusammen {b}"
    return f"{name}: used experience comes back, {b} in all"


def _confidence(name: str, a: int, b: int, lang: str) -> str:
    """R222, R223: what everybody sees of a confidence hand."""
    de = lang == "de"
    if b == st.Confidence.PLAYED:
        return f"{name} spielt aus dem Selbstbewusstsein" if de else f"{name} plays a confidence card"
    if b == st.Confidence.SHOWN and a:
        return f"{name}: aus dem Selbstbewusstsein gespielt {a}" if de else f"{name}: confidence cards played {a}"
    if b == st.Confidence.KEPT:
        return f"{name} behält eine Karte als Selbstbewusstsein" if de else f"{name} keeps a card as confidence"
    return ""


def _throw_off(name: str, a: int, b: int, lang: str) -> str:
    """R221, R223, R224: a confidence card goes, and why."""
    why, card = _THROWN_OFF[lang][b], card_name(a, lang)
    if lang == "de":
        return f"{name} wirft aus dem Selbstbewusstsein ab: {card} ({why})"
    return f"{name} throws off a confidence card: {card} ({why})"


def _motive(name: str, a: int, b: int, lang: str) -> str:
    """R232: how a figure has behaved, and in which suit it is rewarded."""
    suit = f" ({SUIT_NAMES[lang][b]})" if 0 <= b < 4 else ""
    return f"{name} {_MOTIVES[lang][a]}{suit}" if a < len(_MOTIVES[lang]) else ""


def _wrath(name: str, a: int, b: int, lang: str) -> str:
    """R202..R204: how many of the three cards drawn are wrath cards."""
    if a:
        return f"{name}: Zornkarten getroffen {a}" if lang == "de" else f"{name}: wrath cards met {a}"
    return f"{name}: keine Zornkarte getroffen" if lang == "de" else f"{name}: no wrath card met"


_THROWN_OFF = {  # as in `ThrowOff`
    "en": ("the highest", "the lowest", "one too many", "of the last session"),
    "de": ("die höchste", "die niedrigste", "eine zu viel", "der letzten Sitzung"),
}
_MOTIVES = {  # as modules/incentive.py counts them
    "en": (
        "",
        "acts against its motives",
        "acts against its motives severely",
        "acts by its motives",
        "acts by its motives, with a sacrifice",
    ),
    "de": (
        "",
        "handelt gegen die eigenen Motive",
        "handelt schwer gegen die eigenen Motive",
        "handelt nach den eigenen Motiven",
        "handelt nach den eigenen Motiven, mit einem Opfer",
    ),
}
_BY_MODULES: dict[int, Callable[[str, int, int, str], str]] = {  # events that rule modules alone tell of
    st.Event.EXPERIENCE: _experience,
    st.Event.REGAIN: _regain,
    st.Event.CONFIDENCE: _confidence,
    st.Event.THROW_OFF: _throw_off,
    st.Event.MOTIVE: _motive,
    st.Event.WRATH: _wrath,
}


def may_play(s: Any, seat: int, lang: str) -> str:
    """R222: how many cards of the confidence hand may still be played in this conflict; empty without the module."""
    spent = getattr(s, "confidence_spent", None)
    if spent is None:
        return ""
    risked = bool(s.voluntary[seat]) and bool(s.risk[seat])
    left = (int(s.traits[seat]) or int(risked)) - int(spent[seat])
    if left <= 0:
        return " (keine mehr im Konflikt)" if lang == "de" else " (no more in this conflict)"
    return f" (noch {left} im Konflikt)" if lang == "de" else f" ({left} more in this conflict)"


def conflicts_of(setup: Mapping[str, Any], names: Sequence[tuple[str, str]] = ()) -> list[tuple[str, str]]:
    """What each conflict of a campaign is about and tests (R90), in English and German; `names` where it has some."""
    tested = {seat["name"]: next(iter(seat["attributes"])) for seat in setup["seats"] if seat.get("attributes")}
    found, several = [], len(tested) > 1
    for number, conflict in enumerate(setup.get("conflicts") or ()):
        asked = conflict.get("seats") or {}
        tested = {name: asked.get(name, {}).get("test") or test for name, test in tested.items()}  # else as before
        both = []
        for n, lang in enumerate(("en", "de")):
            tests = [
                called(test, lang) + (f" ({called(name, lang)})" if several else "") for name, test in tested.items()
            ]
            test = f"{('test of', 'Probe auf')[n]} {', '.join(tests)}" if tests else ""
            about = names[number][n] if number < len(names) else ""
            both.append(", ".join(part for part in (about, test) if part))
        found.append((both[0], both[1]))
    return found


def cards_text(cards: int, lang: str) -> str:
    """A set of cards in words."""
    return ", ".join(card_name(c, lang) for c in range(32) if cards >> c & 1) or "-"


class EinblattTexts(OwnWords):
    """Texts of one game: it knows the names and sides of the seats, and of the modules' actions."""

    def __init__(
        self,
        seats: list[str],
        sides: list[str],
        actions: Any,
        phases: tuple[str, ...],
        attributes: Sequence[Sequence[str]] = (),
        leaders: Sequence[int] = (),
        conflicts: Sequence[tuple[str, str]] = (),
        many: tuple[bool, bool] = (True, True),
    ) -> None:
        self.seats = seats
        self.attributes = [list(names) or [""] for names in attributes] or [[""]] * len(seats)
        self.leaders = list(leaders)  # of each seat, -1: none
        self.conflicts = list(conflicts)  # what each is about, in English and German, where that is known
        self.many = many  # whether there may be more conflicts than one, and more tests: else nobody counts them
        self.sides = sides if len(set(sides)) < len(seats) else []  # those of a melee in teams
        self.actions = actions
        self.phases = phases

    def words_of(self, position: Position, seat: int, action: int, lang: str) -> str:
        """The action table says it well enough, but for a refusal whose question does not say of what."""
        phase = position.phase() if action == st.Action.NO else ""
        return NOTHING[phase][lang == "de"] if phase in NOTHING else ""

    def code_of(self, position: Position, seat: int, action: int) -> str:
        """An attack by the name of its target: `attack:Boy1`."""
        target = action - st.Action.ATTACK
        return f"attack:{self.seats[target]}" if 0 <= target < len(self.seats) else ""

    def play(self, play: int, lang: str) -> str:
        """A play in words."""
        if play == st.NO_CARD:
            return {"en": "no card", "de": "keine Karte"}[lang]
        return self.actions.describe(play, lang)

    def facts(self, position: Position, seat: int) -> Mapping[str, Any]:
        """`confidence`: in English and German how many cards of the confidence hand may still be played (R222)."""
        return {"confidence": tuple(may_play(position.record, seat, lang) for lang in ("en", "de"))}

    def phase(self, position: Position, lang: str) -> str:
        """What is asked now."""
        name = position.phase()
        texts = PHASE_TEXTS.get(name)
        if texts is None:
            return name.replace("_", " ")
        s = position.record
        if name == "command":  # R63
            follower = called(self.seats[int(s.f_a[s.depth - 1])], lang)
            return f"{texts[lang == 'de']} {'an' if lang == 'de' else 'to'} {follower}"
        if name in ("mercy_assign", "replace", "answer") and s.focus >= 0:  # the card that lies open
            return f"{texts[lang == 'de']} ({self.play(int(s.focus), lang)})"
        return texts[lang == "de"]

    def state(self, position: Position, seat: int | None, lang: str) -> str:
        """Standing of all seats, and the own hand."""
        s, p = position.record, position.game.params
        de = lang == "de"
        conflict = min(int(s.conflict), int(p.conflicts) - 1)
        head = [f"{'Runde' if de else 'round'} {min(int(s.round_no), int(p.rounds) - 1) + 1}/{p.rounds}"]
        if p.max_tests > 1:
            head.append(f"{'Probe' if de else 'test'} {s.test + 1}/{p.max_tests}")
        if p.conflicts > 1:
            head.append(f"{'Konflikt' if de else 'conflict'} {conflict + 1}/{p.conflicts}{self.about(conflict, lang)}")
            if seat is not None and s.conflict:  # of the conflicts that are over; they are added up
                paid = number_in(f"{float(s.total[seat]):+g}", lang)
                head.append(f"{'bis hier' if de else 'so far'} {paid}")
        if s.wrath:  # R200: how many there are is public
            head.append(f"{'Zornkarten' if de else 'wrath cards'} {int(s.wrath).bit_count()}")
        lines = ["  ".join(head)]
        names = [called(name, lang) for name in self.seats]
        sides = [f"  {called(side, lang)}" for side in self.sides] or [""] * len(names)
        width, side_width = max(map(len, names)), max(map(len, sides))
        for o, name in enumerate(names):
            known = 15 if o == seat else int(s.known[o])
            trump = int(s.suits[o, s.tested[o]])
            # its own and those that were seen; a suit of which nobody has told whether it is one has a question mark
            suits = [
                name if known >> i & 1 else f"{name}?"
                for i, name in enumerate(SUIT_NAMES[lang])
                if trump >> i & 1 or not known >> i & 1
            ]
            deck = int(s.deck_of[o])
            both = [int(s.draw[deck, pile]).bit_count() for pile in (0, 1)]
            left = ", ".join(f"{name} {n}" for name, n in zip("AB", both, strict=True)) if both[1] else str(both[0])
            r = min(int(s.round_no), 2)
            table = self.play(int(s.slot[o, r]), lang) if s.slot_open[o, r] else ""
            marks = [
                word
                for flag, word in (
                    (s.is_open[o], "offen" if de else "open"),
                    (s.spent[o], "verbraucht" if de else "spent"),
                    (s.waited[o], "wartet" if de else "waits"),
                )
                if flag
            ]
            if s.order[o] >= 0:  # R63: everybody has heard it
                marks.append(f"{'Befehl' if de else 'order'}: {self.actions.describe(int(s.order[o]), lang)}")
            lines.append(
                f"{'>' if o == seat else ' '} {name:<{width}}{sides[o]:<{side_width}}  EP {signed(int(s.ep[o])):>2}  "
                f"{'Hand' if de else 'hand'} {int(s.hand[o]).bit_count()}  "
                f"{'Stapel' if de else 'pile'} {left}  "
                + (
                    f"{'Trumpf' if de else 'trump'} {', '.join(suits)}"
                    if suits
                    else "kein Trumpf"
                    if de
                    else "no trump"
                )
                + self._restriction(s, o, lang)
                + (f"  {'Erfahrung' if de else 'experience'} {int(s.xp_free[o])}" if s.xp_free[o] else "")
                + (f"  {'Rundenkarte' if de else 'round card'} {table}" if table else "")
                + "".join(
                    f"  {'Runde' if de else 'round'} {later + 1}: {self.play(int(s.slot[o, later]), lang)}"
                    for later in range(r + 1, int(p.rounds))
                    if s.slot_open[o, later]
                )
                + (f" ({', '.join(marks)})" if marks else "")
            )
        if seat is not None:
            own = (
                ("deine Hand" if de else "your hand")
                if reader(seat) == seat
                else f"{'Hand' if de else 'hand'} ({names[seat]})"
            )
            lines.append(f"{own}: {cards_text(int(s.hand[seat]), lang)}")
            if s.sleeve[seat]:
                lines.append(f"{'im Ärmel' if de else 'in the sleeve'}: {cards_text(int(s.sleeve[seat]), lang)}")
            if s.conf[seat]:
                held = cards_text(int(s.conf[seat]), lang)
                lines.append(f"{'Selbstbewusstsein' if de else 'confidence'}: {held}{may_play(s, seat, lang)}")
            if s.looked[seat]:
                lines.append(f"{'angesehen' if de else 'looked at'}: {cards_text(int(s.looked[seat]), lang)}")
        return "\n".join(lines)

    def about(self, conflict: int, lang: str) -> str:
        """R90: what a conflict of a campaign is about, and what it tests."""
        told = self.conflicts[conflict][lang == "de"] if conflict < len(self.conflicts) else ""
        return f": {told}" if told else ""

    def restricted(self, seat: int, attribute: int, lang: str) -> str:
        """R74: restriction, and of which attribute where it has a name."""
        names = self.attributes[seat]
        of = names[attribute] if attribute < len(names) else ""
        if lang == "de":
            return f"Einschränkung von {called(of, lang)}" if of else "Einschränkung"
        return f"restriction of {called(of, lang)}" if of else "restriction"

    def _restriction(self, s: Any, seat: int, lang: str) -> str:
        """R74: the restriction points of a seat, of each of its attributes; empty if it has none."""
        told = [
            f"{called(name, lang)} {points}" if name else str(points)
            for name, points in zip(self.attributes[seat], s.restr[seat].tolist())
            if points
        ]
        return f"  {'Einschränkung' if lang == 'de' else 'restriction'} {', '.join(told)}" if told else ""

    def fell(self, position: Position, outcome: int, lang: str) -> str:
        """R200: a wrath card is set aside unseen, so that no event names it; other cards are told as they are drawn."""
        s = position.record
        if int(s.die_kind) != st.Die.CARD or int(s.die_deck) != int(position.game.params.wrath_deck):
            return ""
        after = position.clone()
        after.fall(outcome)
        aside = int(after.record.wrath) & ~int(s.wrath)
        told = "Zornkarte, verdeckt beiseitegelegt" if lang == "de" else "wrath card, set aside unseen"
        return f"{told}: {cards_text(aside, lang)}" if aside else ""

    def event(self, event: int, seat: int | None, lang: str) -> str:
        """One line for an event that the seat saw; empty if there is nothing to say."""
        kind, who, a, b, seen = st.EVENT.unpack(event)
        if seat is not None and not seen >> seat & 1:
            return ""
        if seat is None and seen != 0xFFFF:
            return ""
        de = lang == "de"
        name = called(self.seats[who], lang) if 0 <= who < len(self.seats) else ""
        other = called(self.seats[a], lang) if 0 <= a < len(self.seats) else ""
        if kind == st.Event.SESSION:
            anew = (", Stapel neu gemischt" if de else ", piles shuffled") if b else ""  # R24
            return f"--- {'Sitzung' if de else 'session'} {a}{anew}"
        if kind == st.Event.CONFLICT:
            if not self.many[0]:
                return ""
            return f"--- {'Konflikt' if de else 'conflict'} {a + 1}{self.about(a, lang)}"
        if kind == st.Event.TEST:
            if not self.many[1]:
                return ""
            return f"-- {'Probe' if de else 'test'} {a + 1}"
        if kind == st.Event.ROUND:
            return f"- {'Runde' if de else 'round'} {a + 1}"
        if kind == st.Event.RESHUFFLE:
            return "ein Ablagestapel wird neu gemischt" if de else "a discard pile is shuffled into a new draw pile"
        if kind == st.Event.DRAWS and (a == 0 or who == seat or b == st.DrawFor.TURN):  # each card has been told
            return ""
        if kind == st.Event.DRAWS:
            cards = ("Karte" if a == 1 else "Karten") if de else ("card" if a == 1 else "cards")
            return f"{name} {'zieht' if de else 'draws'} {a} {cards}"
        if kind == st.Event.CARD:
            return f"{name} {'zieht' if de else 'draws'} {card_name(a, lang)}"
        if kind == st.Event.REVEAL:
            return f"{name}: {self.play(a, lang)}"
        if kind == st.Event.WAIT:
            return f"{name} {'wartet ab' if de else 'waits'}"
        if kind == st.Event.ATTACK:
            return f"{name} {'greift' if de else 'attacks'} {other}{' an' if de else ''}"
        if kind == st.Event.REACT:
            return f"{name} {'reagiert' if de else 'reacts'}: {self.play(a, lang)}"
        if kind == st.Event.COMPARE:
            won, trumps = st.compared(b)
            if won == 0:
                return f"{name} - {other}: {'unentschieden' if de else 'a tie'}"
            winner, loser = (name, other) if won > 0 else (other, name)
            why = ""  # R4: a trump beats every other card, whatever their ranks
            if trumps == (1 if won > 0 else 2):
                why = " mit Trumpf" if de else " with a trump"
            return f"{winner} {'gewinnt gegen' if de else 'beats'} {loser}{why} ({winner}: EP +1, {loser}: EP -1)"
        if kind == st.Event.DISCARD:
            return f"{name} {'legt ab' if de else 'discards'}: {card_name(a, lang)} ({REASONS[lang][b]})"
        if kind == st.Event.ORDER:
            leader = self.leaders[who] if who < len(self.leaders) else -1
            giver = called(self.seats[leader], lang) if leader >= 0 else ""
            if a == st.Action.NO:
                return f"{giver} gibt {name} keinen Befehl" if de else f"{giver} gives no order to {name}"
            told = f"{giver} gibt {name} einen Befehl" if de else f"{giver} gives an order to {name}"
            return f"{told}: {self.actions.describe(a, lang)}"
        if kind == st.Event.DISOBEY:
            leader = self.leaders[who] if who < len(self.leaders) else -1
            whom = f" {called(self.seats[leader], lang)}" if leader >= 0 else ""
            return f"{name} gehorcht{whom} nicht" if de else f"{name} does not obey{whom}"
        if kind == st.Event.EP:
            return f"{name}: EP {signed(a)}, {'und dabei bleibt es' if de else 'and that is final'}"
        if kind == st.Event.RESULT:
            return f"{name}: EP {signed(a)}, {OUTCOMES[lang][max(-3, min(3, a)) + 3]}"
        if kind == st.Event.RESTRICT:
            paid = (" zahlt den Preis" if de else " pays the price") if b & 1 else ""
            fewer = " (um so viel weniger Karten bei Proben)" if de else " (so many cards fewer in such tests)"
            return f"{name}{paid}: {self.restricted(who, b >> 1, lang)} +{a}{fewer}"
        if kind == st.Event.DUE:  # R101
            price = f"{self.restricted(who, b, lang)} +{a}"
            return (
                f"{name}: der Preis ist {price} nach dem Konflikt"
                if de
                else (f"{name}: the price is {price} after the conflict")
            )
        if kind == st.Event.HEAL:
            return f"{name}: {self.restricted(who, b, lang)} {'heilt um' if de else 'heals by'} {a}"
        if kind in _BY_MODULES:
            return _BY_MODULES[kind](name, a, b, lang)
        if kind == st.Event.OPTION:
            return f"{name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.REPLACE:
            return f"{name}: {card_name(b, lang)} {'statt' if de else 'instead of'} {card_name(a, lang)}"
        if kind == st.Event.LOOK:
            if seen == st.SEEN:
                return f"{name} {'deckt auf' if de else 'turns over'}: {card_name(a, lang)}"
            return f"{name} {'hat angesehen' if de else 'has looked at'}: {card_name(a, lang)}"  # nobody else has
        if kind == st.Event.TRUMP:
            suit = SUIT_NAMES[lang][a]
            words = ("ist kein Trumpf", "ist Trumpf") if de else ("is no trump", "is trump")
            return f"{name}: {suit} {words[b]}"
        if kind == st.Event.VOTE:
            return f"{name}: {self.actions.describe(a, lang)}"
        if kind == st.Event.DEAD:
            return f"{name} {'ist tot' if de else 'is dead'}"
        return ""
