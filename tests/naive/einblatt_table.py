"""The table of the einBlatt oracle: piles, hands, plays and comparisons, shared by duel and melee."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tests.naive.einblatt_cards import PASS_CLASS, card_class, card_code, card_id, compare, playable
from tests.naive.einblatt_state import OPTIONS, Deck, Seat, build_decks, fix_hand, lay_out

Request = tuple[str, Any]
Script = Generator[Request, Any, None]


class Table:
    """Seats, decks and options; generator methods yield what has to fall or to be decided."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        """Set the table (section 9)."""
        if setup.get("modules"):
            raise ValueError("modules: the oracle knows the base rules alone")
        options = dict(setup.get("config", {}))
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise ValueError(f"config: unknown options {unknown}")
        self.config: dict[str, Any] = {**OPTIONS, **options}
        self.seats = [Seat(index, fields) for index, fields in enumerate(setup["seats"])]
        self.decks: dict[int, Deck] = build_decks(self.config["deck"], self.seats)
        lay_out(self.seats, self.decks, setup["seats"])
        self.phase = ""
        self.round = 0

    def _ask(self, phase: str, legal: Mapping[int, list[str]]) -> Generator[Request, Any, dict[int, str]]:
        """Ask one seat, or several at once; nobody's answer has an effect before all are in (4.2)."""
        answers: dict[int, str] = {}
        while len(answers) < len(legal):
            self.phase = phase
            seat, action = yield "decide", {seat: legal[seat] for seat in sorted(legal) if seat not in answers}
            answers[seat] = action
        return answers

    def _seat_index(self, reference: str | int) -> int:
        """Index of a seat named in the configuration."""
        if isinstance(reference, int):
            return reference
        return [seat.name for seat in self.seats].index(reference)

    # --- piles and hands (2.3, 2.4) -------------------------------------------------------------------------------

    def _deal(self, first: bool) -> Script:
        """Hands for a test: fixed ones, drawn ones in seat order, or what an older test left (R33, A12)."""
        policy = "redraw" if first else self.config["continuation_draw"]
        if policy == "keep":
            return
        drawing = list(self.seats)
        if first:
            # A hand that the setup fixes lies there already; one that the conflict fixes replaces it.
            drawing = [seat for seat in self.seats if not seat.hand_given and seat.next_hand is None]
        if policy == "redraw":
            for seat in self.seats:
                if seat in drawing or (first and seat.next_hand is not None):
                    self._discard_hand(seat)
        if first:
            for seat in self.seats:
                if seat.next_hand is not None:
                    deck = self.decks[seat.index]
                    was_empty = not deck.draw
                    fix_hand(seat, seat.next_hand, self.seats, self.decks)
                    if not was_empty:
                        self._renew_at_once(deck)
                seat.next_hand, seat.hand_given = None, False
        for seat in drawing:
            yield from self._draw_hand(seat)

    def _draw_hand(self, seat: Seat) -> Script:
        """Draw card by card up to the hand size, or as many as both piles hold (R22-R24, R31, R32)."""
        deck = self.decks[seat.index]
        if self.config["reshuffle"] == "each_test":
            deck.shuffle_all()
        while len(seat.hand) < seat.hand_size(self.config["npc_restrictions"]):
            deck.renew()  # an empty pile is tried again when a card has to be drawn (R22)
            if not deck.draw:
                return  # R23
            cards = sorted(deck.draw)
            self.phase = "draw"
            number = yield "chance", {"kind": "draw", "deck": deck.owner, "pile": "A", "cards": cards}
            deck.draw.remove(cards[number])
            seat.hand.append(cards[number])
            self._renew_at_once(deck)

    def _renew_at_once(self, deck: Deck) -> None:
        """A pile that has just been used up is replaced at once, unless only on demand (R22, A16)."""
        if self.config["reshuffle_timing"] == "immediate":
            deck.renew()

    def _discard(self, seat: Seat, card: int) -> None:
        """Put a card on the discard pile of its owner's deck (R25)."""
        self.decks[seat.index].discard.add(card)

    def _discard_hand(self, seat: Seat) -> None:
        """Discard what is left of a hand (R25, R33)."""
        for card in seat.hand:
            self._discard(seat, card)
        seat.hand = []

    def _clear_area(self) -> None:
        """Cards still in the conflict area go to the discard piles: a duel's, at the end of the test (R25)."""
        for seat in self.seats:
            for card in seat.area:
                self._discard(seat, card)
            seat.area = []

    # --- plays and comparisons (2.1) ------------------------------------------------------------------------------

    def _class(self, seat: Seat, card: int | None) -> int:
        """Class of a seat's card, or of a pass (R5, R42)."""
        if card is None:
            return PASS_CLASS
        return card_class(card, seat.attribute.suits, self.config["colours_count"])

    def _playable(self, seat: Seat) -> list[int]:
        """What a seat may play from hand (R15)."""
        return playable(seat.hand, seat.attribute.forbidden)

    def _card_texts(self, cards: Sequence[int]) -> list[str]:
        """Action texts of cards (4.6)."""
        return [f"card:{card_code(card)}" for card in cards]

    def _play_from_hand(self, seat: Seat, action: str) -> int | None:
        """Lay a chosen card from hand into the conflict area; a pass costs none (R42)."""
        if action == "pass":
            return None
        card = card_id(action.removeprefix("card:"))
        seat.hand.remove(card)
        seat.area.append(card)
        return card

    def _compare(self, seat: Seat, own_class: int, other: Seat, other_class: int) -> None:
        """Higher class +1 EP, lower class -1, equal nothing (R41, R56)."""
        result = compare(own_class, other_class)
        seat.ep += result
        other.ep -= result
