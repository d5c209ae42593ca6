"""The closed list of hook points (4.9), in the order of play: what the core does where no module has a say."""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel
from ..core.modules.hooks import (  # noqa: F401 - the rules call some of them here
    PASS_ON,
    event_call,
    event_modules,
    forget_fields,
    has_window,
    hook,
    observe_modules,
    reset_fields,
)

ASKED = -2  # answer of draw_pile: a question was asked, go on when it is answered


@hook("event")
def build_deck(s: Any, p: Any, deck: int) -> None:
    """Set-up, once a deck: cards may be set aside."""


@hook("step")
def session_start(s: Any, p: Any, seat: int) -> None:
    """A session starts, after healing and reshuffling."""


@hook("step")
def between(s: Any, p: Any, seat: int) -> None:
    """Before each conflict, after a session start."""


@hook("step")
def conflict_start(s: Any, p: Any, seat: int) -> None:
    """A conflict starts, before its first hand is drawn."""


@hook("filter")
def attribute(s: Any, p: Any, seat: int, value: int) -> int:
    """Current attribute value of a seat, restrictions already subtracted."""
    return value


@hook("filter")
def hand_size(s: Any, p: Any, seat: int, n: int) -> int:
    """Cards a seat draws for a test, before the minimum of R32."""
    return n


@hook("filter")
def draw(s: Any, p: Any, seat: int, purpose: int, n: int) -> int:
    """A draw begins: how many cards; the purpose tells what for."""
    return n


@hook("override")
def draw_pile(s: Any, p: Any, seat: int, deck: int) -> int:
    """One card is to be drawn and both piles hold some: from pile 0 or 1, or ASKED."""
    return PASS_ON


@hook("override")
def exhausted(s: Any, p: Any, deck: int) -> int:
    """All draw piles of a deck are used up: 1 if the module made new ones."""
    return PASS_ON


@hook("options")
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """A window asks what a seat may do: allow(words, action)."""


@hook("filter")
def offer(s: Any, p: Any, seat: int, window: int, action: int, ok: int) -> int:
    """An option of any module is to be offered: 1 or 0."""
    return ok


@hook("choice")
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A seat took an option of this module."""


@hook("event")
def taken(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A seat took an option of any module."""


@hook("step")
def pre_commit(s: Any, p: Any, seat: int) -> None:
    """Before the first round: slots may be filled."""


@hook("filter")
def playable(s: Any, p: Any, seat: int, purpose: int, plays: int) -> int:
    """Plays open to a seat: bit set of action ids 0..62 (cards, pass, king_slot)."""
    return plays


@hook("event")
def take(s: Any, p: Any, seat: int, play: int, zone: int) -> None:
    """A play was chosen and leaves its zone."""


@hook("filter")
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """Class of a play, asked once when it is made or replaced."""
    return value


@hook("filter")
def comparison(s: Any, p: Any, seat: int, other: int, play: int, others: int, won: int) -> int:
    """A play of a seat meets that of another: 1 it wins, 0 a tie, -1 it loses; asked for either of the two."""
    return won


@hook("event")
def before_action(s: Any, p: Any, seat: int) -> None:
    """Melee: before the choice of a seat on turn (tie group: before all choices)."""


@hook("filter")
def permit(s: Any, p: Any, seat: int, targets: int) -> int:
    """Melee: permitted targets of a seat, bit set of seats."""
    return targets


@hook("event")
def after_action(s: Any, p: Any, seat: int) -> None:
    """Melee: after the action or wait of a seat on turn."""


@hook("step")
def round_end(s: Any, p: Any, seat: int) -> None:
    """The comparisons of a round are in the record."""


@hook("event")
def test_end(s: Any, p: Any, seat: int) -> None:
    """A test ends: its window is closed, its cards still lie where they were played."""


@hook("filter")
def penalty(s: Any, p: Any, seat: int, ep: int, points: int) -> int:
    """Restriction points for a result, after the waiver of R74."""
    return points


@hook("override")
def discard(s: Any, p: Any, seat: int, card: int, reason: int) -> int:
    """A card is discarded: zone it goes to (Z_DISC_A, Z_DISC_B, Z_ASIDE, Z_LIMBO)."""
    return PASS_ON


@hook("step")
def conflict_end(s: Any, p: Any, seat: int) -> None:
    """A conflict ends; a death (R93) becomes final only after it."""


@hook("owner")
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """A question of this module (service `ask`): allow(words, action)."""


@hook("owner")
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """A question of this module was answered."""


@hook("owner")
def task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """A task of this module (service `task`) has come up."""


@hook("owner")
def fell(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """A die of this module (service `lot`) fell: outcome 0 .. faces - 1."""


@hook("filter")
def payoff(s: Any, p: Any, seat: int, value: float) -> float:
    """Payoff of a seat: conflicts that are over, and the running one as it stands."""
    return value


@hook("observe")
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Write the module's observation pieces."""


@hook("filter")
def hand_count(s: Any, p: Any, seat: int, n: int) -> int:
    """Hand cards that the others count in layout slots, cards laid face down included."""
    return n


@hook("override")
def untake(s: Any, p: Any, seat: int, play: int) -> int:
    """Search: a play laid face down is taken back; zone to which it returns."""
    return PASS_ON


@kernel
def discards_change() -> bool:
    """Whether any module has a say in discards."""
    return False


@kernel
def seats_of_deck(s: Any, p: Any, deck: int) -> int:
    """All seats that draw from the deck, or all seats if none does."""
    bits = 0
    for seat in range(p.seats):
        if s.deck_of[seat] == deck:
            bits |= 1 << seat
    return bits if bits else -1
