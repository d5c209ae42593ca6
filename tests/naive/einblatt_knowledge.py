"""A bookkeeper at the table of the einBlatt oracle: what has been seen by everybody, and hence what a seat may know."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from tests.naive.einblatt import NaiveEinblatt
from tests.naive.einblatt_cards import SUITS, card_class, compare
from tests.naive.einblatt_state import Deck, Seat
from tests.naive.einblatt_table import Request, Script

PASS = 32
MELEE_PHASES = ("act", "command", "react")


class WatchedEinblatt(NaiveEinblatt):
    """The oracle, with a book of what lay open (4.4, A18, A19) and of what each seat has lived through.

    `lived[seat]` is everything that the seat saw and did, in order: two games that it cannot tell apart have the same.
    """

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self.lived: list[list[Any]] = [[] for _ in setup["seats"]]
        super().__init__(setup)

    # --- the book -----------------------------------------------------------------------------------------------------

    def _play(self) -> Script:
        """Open the book before the first card falls."""
        n = len(self.seats)
        self.played: list[set[int]] = [set() for _ in range(n)]  # cards of each seat seen in this conflict
        self.shown: list[set[int]] = [set() for _ in range(n)]  # cards that went back to a hand before all eyes
        self.laid: list[list[int]] = [[] for _ in range(n)]  # plays of this test by round, PASS for a pass
        self.open_rounds = 0  # of them, how many everybody has seen
        self.won: list[list[int]] = [[0] * n for _ in range(n)]
        self.known = [set() if self._hides(seat) else set(SUITS) for seat in self.seats]
        self.orders: dict[int, str] = {}
        self.seen = {deck.owner: set(deck.discard) for deck in self.decks.values()}  # since its last reshuffle
        self.unseen: dict[int, dict[int, int]] = {deck.owner: {} for deck in self.decks.values()}  # card -> who laid it
        for deck in self.decks.values():
            deck.shuffled = self._reshuffled
        yield from super()._play()

    def _hides(self, seat: Seat) -> bool:
        return self.config["npc_trump_hidden"] and seat.kind == "npc"

    def _happens(self, *what: Any) -> None:
        """Everybody sees it."""
        for lived in self.lived:
            lived.append(what)

    def _reshuffled(self, deck: Deck) -> None:
        """What lies open then is all that is known of the deck."""
        users = [seat for seat in self.seats if self.decks[seat.index] is deck]
        lying = {card for seat in users for card in seat.area if not self._face_down(seat)}
        self.seen[deck.owner] = lying | {card for seat in users for card in self.shown[seat.index]}
        self.unseen[deck.owner] = {}
        self._happens("reshuffle", deck.owner)

    def _face_down(self, seat: Seat) -> bool:
        """Whether what a seat has laid is not yet revealed: only in `slots` (R43)."""
        return self.config["layout"] == "slots" and len(self.laid[seat.index]) > self.open_rounds

    def _reveal(self, seat: Seat, card: int) -> None:
        self.played[seat.index].add(card)
        self.seen[self.decks[seat.index].owner].add(card)

    def _tell_trump(self, seat: Seat, card: int) -> None:
        if self.config["colours_count"]:
            self.known[seat.index].add(SUITS[card // 8])

    def _open_round(self) -> None:
        """The plays of one more round lie open."""
        number = self.open_rounds
        self.open_rounds += 1
        for seat in self.seats:
            play = self.laid[seat.index][number]
            self._happens("play", seat.index, play)
            if play != PASS:
                self._reveal(seat, play)
                if self._in_melee:
                    self._tell_trump(seat, play)  # A18: the turn order is public

    # --- what the oracle does -------------------------------------------------------------------------------------

    def _play_conflict(self, conflict: Mapping[str, Any]) -> Script:
        level = conflict.get("conflict_level", "duel") if self.level == "campaign" else self.level
        self._in_melee = level == "melee"
        self.played = [set() for _ in self.seats]
        yield from super()._play_conflict(conflict)

    def _deal(self, first: bool) -> Script:
        self.laid = [[] for _ in self.seats]
        self.open_rounds = 0
        self.won = [[0] * len(self.seats) for _ in self.seats]
        yield from super()._deal(first)

    def _draw_hand(self, seat: Seat) -> Script:
        """Only the owner sees which cards come; how many is public."""
        before, script, answer = len(seat.hand), super()._draw_hand(seat), None
        while True:
            try:
                request = script.send(answer)
            except StopIteration:
                break
            answer = yield request
            self.lived[seat.index].append(("draw", request[1]["cards"][answer]))
        self._happens("draws", seat.index, len(seat.hand) - before)

    def _commit(self) -> Script:
        yield from super()._commit()
        if self.config["layout"] != "slots":
            for seat in self.seats:
                self.laid[seat.index].append(PASS if seat.round_card is None else seat.round_card)
            self._open_round()

    def _play_from_hand(self, seat: Seat, action: str) -> int | None:
        card = super()._play_from_hand(seat, action)
        if self.phase == "react":
            self._happens("react", seat.index, action)
            if card is not None:
                self._reveal(seat, card)
                self._tell_trump(seat, card)
        elif self.config["layout"] == "slots":
            self.laid[seat.index].append(PASS if card is None else card)
        if card is not None:
            self.shown[seat.index].discard(card)
        return card

    def _compare(self, seat: Seat, own_class: int, other: Seat, other_class: int) -> None:
        if self.config["layout"] == "slots":
            for _ in range(len(self.laid[0]) - self.open_rounds):
                self._open_round()
            number = sum(1 for entry in self.lived[0] if entry[0] == "compare" and entry[1] == self._test_number)
        else:
            number = self.open_rounds - 1
        before = seat.ep
        super()._compare(seat, own_class, other, other_class)
        result = seat.ep - before
        self.won[seat.index][other.index] += result
        self.won[other.index][seat.index] -= result
        self._happens("compare", self._test_number, seat.index, other.index, result)
        if not self._in_melee:
            self._betray(seat, self.laid[seat.index][number], other_class)
            self._betray(other, self.laid[other.index][number], own_class)

    @property
    def _test_number(self) -> tuple[int, int]:
        return self.conflict, self.test

    def _betray(self, seat: Seat, play: int, against: int) -> None:
        """A18: public as soon as a comparison comes out otherwise than it would in the other case."""
        if play == PASS or not self.config["colours_count"]:
            return
        suit = SUITS[play // 8]
        trumps = set(seat.attribute.suits)
        here, there = (card_class(play, case) for case in (trumps, trumps ^ {suit}))
        if compare(here, against) != compare(there, against):
            self.known[seat.index].add(suit)

    def _discard_hand(self, seat: Seat) -> None:
        """A19: the others do not see which cards are left over, unless they have seen them in that hand."""
        deck = self.decks[seat.index].owner
        for card in seat.hand:
            if card in self.seen[deck]:
                continue
            if self.config["discard_visibility"] == "public":
                self._reveal(seat, card)
                self._happens("discard", seat.index, card)
            else:
                self.unseen[deck][card] = seat.index
        self.shown[seat.index] = set()
        super()._discard_hand(seat)

    def _disobeyed(self, follower: Seat) -> None:
        hands = [set(seat.hand) for seat in self.seats]
        super()._disobeyed(follower)
        for seat, hand in zip(self.seats, hands):
            for card in hand - set(seat.hand):  # paid before all eyes
                self._reveal(seat, card)
                self.shown[seat.index].discard(card)
                self._happens("pays", seat.index, card)

    def _end_melee_round(self) -> None:
        if self.config["unused_round_card"] == "return":
            for seat in self.seats:
                if seat.open and seat.round_card is not None:
                    self.shown[seat.index].add(seat.round_card)
        super()._end_melee_round()

    def _turn(self, group: list[Seat]) -> Script:
        self._happens("turn", *[seat.index for seat in group])
        self.orders = {}
        yield from super()._turn(group)
        self.orders = {}

    def _resolve(self, group: list[Seat], actions: Mapping[int, str]) -> Script:
        for seat in group:
            self._happens("acts", seat.index, actions[seat.index])
        yield from super()._resolve(group, actions)

    def _ask(self, phase: str, legal: Mapping[int, list[str]]) -> Generator[Request, Any, dict[int, str]]:
        answers = yield from super()._ask(phase, legal)
        if phase == "command":
            self._happens("orders", *sorted(answers.items()))
        elif phase == "continue":
            self._happens("votes", *sorted(answers.items()))
        return answers

    # --- what a seat may know -------------------------------------------------------------------------------------

    def pieces(self, me: int) -> dict[str, Any]:
        """Pieces of the observation (4.7) as sets of cards, or numbers a seat."""
        seats, deck = self.seats, self.decks[me]
        mates = [seat for seat in seats if seat.index != me and self.decks[seat.index] is deck]
        hidden = {card for card, who in self.unseen[deck.owner].items() if who != me and card in deck.discard}
        unknown = set(hidden)
        for seat in mates:
            unknown |= set(seat.hand) - self.shown[seat.index]
            if self._face_down(seat):
                unknown |= set(seat.area)
        face_down = [len(seat.area) if seat.index != me and self._face_down(seat) else 0 for seat in seats]
        out: dict[str, Any] = {
            "hand": set(seats[me].hand),
            "draw_set": deck.draw | unknown if deck.draw else set(),
            "discard_set": deck.discard - hidden,
            "played": self.played,
            "seen": [self.seen[self.decks[seat.index].owner] for seat in seats],
            "hands": [len(seat.hand) + down for seat, down in zip(seats, face_down)],
            "draws": [len(self.decks[seat.index].draw) for seat in seats],
            "discards": [len(self.decks[seat.index].discard) for seat in seats],
            "net": self.won,
            "trumps": [
                [float(suit in seat.attribute.suits) if seat.index == me or suit in self.known[seat.index] else 0.5
                 for suit in SUITS]
                for seat in seats
            ],
            "slots_open": [laid[: self.open_rounds] for laid in self.laid],
        }  # fmt: skip
        if self.phase in MELEE_PHASES:
            out["classes"] = [self._shown_class(me, seat) for seat in seats]
        if self.phase == "react":
            assert self.attack is not None
            out["focus"], out["attacker"] = seats[self.attack[0]].round_card, self.attack[0]
        return out

    def _shown_class(self, me: int, seat: Seat) -> int:
        """Class of the round card, hidden suits of the others counted as plain."""
        if seat.round_card is None:
            return 0
        known = set(SUITS) if seat.index == me else self.known[seat.index]
        return card_class(seat.round_card, set(seat.attribute.suits) & known, self.config["colours_count"])
