"""The things on the table of the einBlatt oracle: options, attributes, seats, decks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.naive.einblatt_cards import DECK, card_code, card_id, hand_size

# Base options with their defaults; options of rule modules are none of the oracle's business.
OPTIONS: dict[str, Any] = {
    "rounds": 3,
    "layout": "rounds",
    "max_tests": 1,
    "continue_by": "any",
    "continuation_draw": "redraw",
    "continuation_ep": "cumulative",
    "penalty_timing": "conflict",
    "colours_count": True,
    "permission": "other_teams",
    "targets": None,
    "leaders": {},
    "disobedience": "leader_best",
    "reaction_decline": "forbidden",
    "wait_mode": "hold",
    "unused_round_card": "discard",
    "initiative_tie": "simultaneous",
    "tie_attribute": "current",
    "deck": "own",
    "reshuffle": "on_empty",
    "reshuffle_timing": "immediate",
    "npc_trump_hidden": False,  # concerns observations alone
    "discard_visibility": "hidden",  # concerns observations alone
    "payoff": "ep",
    "class_weights": (-4, -3, -1, 0, 1, 3, 4),
    "restriction_narrow": 1,
    "restriction_clear": 3,
    "restriction_perfect": 4,
    "restriction_permanent": 1,
    "heal_per_session": 1,
    "heal_per_conflict": 0,
    "unplayed": 0,
    "npc_restrictions": False,
    "window_order": "seat",  # concerns module windows alone
    "max_decisions": 10000,
}


@dataclass
class Attribute:
    """One attribute with its features (R10, R15) and what it has suffered (R74, R75)."""

    name: str
    value: int | None  # base value; None: an npc without an override, whose card count stands in (R17)
    suits: str = ""
    forbidden: str | None = None
    restriction: int = 0  # all points, the permanent ones included
    permanent: int = 0  # those of them that do not heal

    def suffer(self, points: int, permanent: int) -> None:
        """Enter new points of restriction; at most all of them are permanent (R74, R75)."""
        self.restriction += points
        self.permanent += min(points, permanent)

    def heal(self, points: int) -> None:
        """Take points of restriction away, but no permanent ones (R75)."""
        self.restriction -= min(points, max(0, self.restriction - self.permanent))


@dataclass
class Deck:
    """The piles of one deck; a pile is a set until somebody draws from it (R20, R21)."""

    owner: int  # the first seat that uses the deck
    draw: set[int] = field(default_factory=set)
    discard: set[int] = field(default_factory=set)
    shuffled: Callable[["Deck"], None] = lambda deck: None  # told of every reshuffle

    def renew(self) -> None:
        """Put the shuffled discard pile in the place of a used-up draw pile (R22)."""
        if not self.draw and self.discard:
            self.draw, self.discard = self.discard, set()
            self.shuffled(self)

    def shuffle_all(self) -> None:
        """Shuffle draw and discard pile together (R24)."""
        self.draw, self.discard = self.draw | self.discard, set()
        self.shuffled(self)


class Seat:
    """One participant: the character behind it, its cards, and how it stands in the round."""

    def __init__(self, index: int, fields: Mapping[str, Any]) -> None:
        """Read a seat of a setup; the hand it names is dealt by the game."""
        self.index = index
        self.name: str = fields["name"]
        self.kind: str = fields["kind"]
        self.team: str = fields.get("team", self.name)  # R54: without a team a seat is a team of its own
        self.cards: int | None = None  # npc: its card count (R17)
        self.relation = "own"
        self.malus = 0
        self.attributes: list[Attribute] = []
        self.tested = 0
        if "attributes" not in fields:
            self.attributes.append(Attribute("", None))
        self.change(fields)
        # Whichever test comes first: given restrictions are those of the first attribute.
        self.attributes[0].restriction = fields.get("restriction", 0)
        self.attributes[0].permanent = fields.get("permanent", 0)

        self.hand: list[int] = []
        self.hand_given = False  # the hand of the next conflict lies there already
        self.next_hand: list[int] | None = None  # the hand that the next conflict fixes
        self.area: list[int] = []  # played cards that have not gone to a pile yet
        self.carried = 0  # EP of earlier tests of this conflict
        self.ep = 0  # EP of this conflict, the carried ones included
        self.dead = False
        self.clear_round()

    def change(self, fields: Mapping[str, Any]) -> None:
        """Take over the fields that a conflict changes; all others stay as they were (section 5)."""
        for name, entry in fields.get("attributes", {}).items():
            known = [attribute for attribute in self.attributes if attribute.name == name]
            if not known:
                known = [Attribute(name, None)]
                self.attributes += known
            known[0].value = entry["attribute"]
            known[0].suits = entry.get("suits", "")
            known[0].forbidden = entry.get("forbidden")
        if "test" in fields:
            self.tested = [attribute.name for attribute in self.attributes].index(fields["test"])
        if "attribute" in fields:
            self.attribute.value = fields["attribute"]
        self.attribute.suits = fields.get("suits", self.attribute.suits)
        self.attribute.forbidden = fields.get("forbidden", self.attribute.forbidden)
        self.cards = fields.get("cards", self.cards)
        self.relation = fields.get("relation", self.relation)
        self.malus = fields.get("malus", self.malus)

    @property
    def attribute(self) -> Attribute:
        """The tested attribute (R30)."""
        return self.attributes[self.tested]

    def restricted(self, npc_restrictions: bool) -> int:
        """Points that count against the seat: an npc suffers them only by option (R74, A21)."""
        return self.attribute.restriction if self.kind == "pc" or npc_restrictions else 0

    def base_value(self) -> int:
        """Base value of the tested attribute, or the card count standing in for it (R17, A9)."""
        value = self.cards if self.attribute.value is None else self.attribute.value
        if value is None:
            raise ValueError(f"seat {self.name}: neither attribute nor cards")
        return value

    def current_value(self, npc_restrictions: bool) -> int:
        """Current value of the tested attribute (R74)."""
        return max(0, self.base_value() - self.restricted(npc_restrictions))

    def hand_size(self, npc_restrictions: bool) -> int:
        """Number of cards for a test (R17, R31, R32)."""
        if self.kind == "npc":
            if self.cards is None:
                raise ValueError(f"seat {self.name}: cards missing")
            return max(0, self.cards - self.restricted(npc_restrictions))
        return hand_size(self.current_value(npc_restrictions), self.relation, self.malus)

    def clear_round(self) -> None:
        """Forget the round: no round card, no flags."""
        self.round_card: int | None = None  # stays known after its use, until the round ends
        self.open = False  # R51
        self.spent = False  # R55c: the round card was used
        self.passed = False  # R55a
        self.waited = False  # R57


def build_decks(policy: str, seats: list[Seat]) -> dict[int, Deck]:
    """The deck of every seat, shared as the `deck` option says (R20)."""
    decks: dict[int, Deck] = {}
    npcs = [seat.index for seat in seats if seat.kind == "npc"]
    for seat in seats:
        if policy == "shared_all":
            owner = 0
        elif policy == "shared_npc" and seat.kind == "npc":
            owner = npcs[0]
        else:
            owner = seat.index
        decks[seat.index] = decks.get(owner) or Deck(owner)
    return decks


def lay_out(seats: list[Seat], decks: dict[int, Deck], fields: list[Mapping[str, Any]]) -> None:
    """Put the cards of a setup where it says; if it names no draw pile, that is the rest of the deck (R21)."""
    named: dict[int, set[int]] = {deck.owner: set() for deck in decks.values()}
    draw_given: set[int] = set()
    for seat, entry in zip(seats, fields):
        deck = decks[seat.index]
        for zone in ("hand", "draw", "discard"):
            for code in entry.get(zone, ()):
                card = card_id(code)
                if card in named[deck.owner]:
                    raise ValueError(f"seat {seat.name}: card {code} twice in one deck")
                named[deck.owner].add(card)
                if zone == "hand":
                    seat.hand.append(card)
                else:
                    getattr(deck, zone).add(card)
        seat.hand_given = "hand" in entry
        if "draw" in entry:
            draw_given.add(deck.owner)
    for deck in decks.values():
        if deck.owner not in draw_given:
            deck.draw = set(DECK) - named[deck.owner]


def fix_hand(seat: Seat, cards: list[int], seats: list[Seat], decks: dict[int, Deck]) -> None:
    """Give a seat the hand that a conflict fixes, out of the piles of its deck (section 9)."""
    deck = decks[seat.index]
    for card in cards:
        for other in seats:
            if decks[other.index] is deck and card in other.hand:
                raise ValueError(f"seat {seat.name}: card {card_code(card)} is in the hand of {other.name}")
        deck.draw.discard(card)
        deck.discard.discard(card)
        seat.hand.append(card)
