"""What holds in every position of einBlatt whatever the modules (E7 and the record's own order)."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.game import Position


def zones(position: Position, deck: int) -> list[tuple[str, int]]:
    """Every place that cards of a deck can be in, with its card set."""
    s, n = position.record, position.game.n_seats
    out = [(f"draw pile {pile}", int(s.draw[deck, i])) for i, pile in enumerate("AB")]
    out += [(f"discard pile {pile}", int(s.disc[deck, i])) for i, pile in enumerate("AB")]
    piles = 0
    for _, cards in out:
        piles |= cards
    for o in range(n):
        if int(s.deck_of[o]) == deck:
            who = position.game.seats[o].name
            for field in ("hand", "conf", "sleeve", "aside", "area"):
                out.append((f"{field} of {who}", int(getattr(s, field)[o])))
            # looked-at cards may still lie on their pile; turned-over ones lie nowhere else
            out.append((f"looked of {who}", int(s.looked[o]) & ~piles))
    if deck == int(position.game.params.wrath_deck):
        out.append(("wrath cards", int(s.wrath)))
    return out


def codes(cards: int) -> str:
    """Codes of a card set."""
    from .state import CARD_CODES

    return " ".join(CARD_CODES[c] for c in range(32) if cards >> c & 1)


def lost_cards(position: Position) -> Iterator[str]:
    """E7: every card of every deck is in exactly one place."""
    s, game = position.record, position.game
    for deck in range(len(s.cards)):
        whole = int(s.cards[deck])
        if whole == 0 or (deck == game.capacity and int(game.params.wrath_deck) != deck):
            continue
        name = "the wrath deck" if deck == game.capacity else f"the deck of {game.seats[deck].name}"
        seen = 0
        for zone, cards in zones(position, deck):
            if cards & seen:
                yield f"{name}: {codes(cards & seen)} in {zone} and elsewhere as well"
            seen |= cards
        if whole & ~seen:
            yield f"{name}: {codes(whole & ~seen)} lost"
        if seen & ~whole:
            yield f"{name}: {codes(seen & ~whole)} too many"
        for pile in range(2):
            known = [int(s.top[deck, pile, i]) for i in range(int(s.top_n[deck, pile]))]
            if len(set(known)) != len(known) or not all(int(s.draw[deck, pile]) >> c & 1 for c in known):
                yield f"{name}: a known top card is not in its pile, or known twice"


def problems(position: Position) -> Iterator[str]:
    """E7 in words: what does not hold in a position (nothing, if the rules are sound)."""
    s, game = position.record, position.game
    yield from lost_cards(position)
    # results that mercy sets in a melee or for both sides are no comparisons (R204, R205)
    if ("mercy" not in game.spec.options["modules"] or not s.ep_set.any()) and int(s.ep.sum()) != 0:
        yield f"EP {s.ep[: game.n_seats].tolist()} do not add up to 0"
    for o, seat in enumerate(game.seats):
        deck = int(s.deck_of[o])
        discarded = int(s.disc[deck, 0]) | int(s.disc[deck, 1])
        for wrong, text in (
            (int(s.shown[o]) & ~int(s.hand[o]), "shows cards that are not in its hand"),
            (int(s.unseen[o]) & ~discarded, "has unseen discards that are not on a discard pile"),
            (int(s.sleeve[o]).bit_count() > 1, "has more than one card in the sleeve"),
            (not 0 <= s.xp_free[o] <= s.xp[o], f"has {s.xp_free[o]} of {s.xp[o]} experience points left"),
            ((s.restr[o] < 0).any(), f"has negative restrictions {s.restr[o].tolist()}"),
            ((s.restr[o] < s.perm[o]).any(), "has more permanent restriction points than restriction points"),
            (abs(s.ep[o]) > 3 * game.n_seats + 2, f"has {s.ep[o]} EP"),
        ):
            if wrong:
                yield f"{seat.name} {text}"
