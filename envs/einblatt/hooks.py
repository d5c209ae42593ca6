"""The closed list of hook points (4.9): what the core does where no module has a say.

`HOOKS` gives for each name its kind (see `core.modules.declare.KINDS`), the moment at which it is called, and the
function below that the kernel calls where that has another name; the order is the order of play.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import kernel

PASS_ON = -1  # an override's answer "as usual"
ASKED = -2  # draw_pile: a question was asked, go on when it is answered

HOOKS: dict[str, tuple[str, ...]] = {
    "build_deck": ("event", "set-up, once a deck: cards may be set aside"),
    "session_start": ("step", "a session starts, after healing and reshuffling"),
    "between": ("step", "before each conflict, after a session start"),
    "conflict_start": ("step", "a conflict starts, before its first hand is drawn"),
    "attribute": ("filter", "current attribute value of a seat, restrictions already subtracted"),
    "hand_size": ("filter", "cards a seat draws for a test, before the minimum of R32"),
    "draw": ("filter", "a draw begins: how many cards; the purpose tells what for"),
    "draw_pile": ("override", "one card is to be drawn and both piles hold some: from pile 0 or 1, or ASKED"),
    "exhausted": ("override", "all draw piles of a deck are used up: 1 if the module made new ones"),
    "options": ("options", "a window asks what a seat may do: allow(words, action)"),
    "offer": ("filter", "an option of any module is to be offered: 1 or 0"),
    "choose": ("choice", "a seat took an option of this module"),
    "taken": ("event", "a seat took an option of any module"),
    "pre_commit": ("step", "before the first round: slots may be filled"),
    "playable": ("filter", "plays open to a seat: bit set of action ids 0..62 (cards, pass, king_slot)"),
    "take": ("event", "a play was chosen and leaves its zone"),
    "card_class": ("filter", "class of a play, asked once when it is made or replaced"),
    "before_action": ("event", "melee: before the choice of a seat on turn (tie group: before all choices)"),
    "permit": ("filter", "melee: permitted targets of a seat, bit set of seats"),
    "after_action": ("event", "melee: after the action or wait of a seat on turn"),
    "round_end": ("step", "the comparisons of a round are in the record"),
    "test_end": ("event", "a test ends: its window is closed, its cards still lie where they were played"),
    "penalty": ("filter", "restriction points for a result, after the waiver of R74"),
    "discard": ("override", "a card is discarded: zone it goes to (Z_DISC_A, Z_DISC_B, Z_ASIDE, Z_LIMBO)"),
    "conflict_end": ("step", "a conflict ends; a death (R93) becomes final only after it"),
    "legal_of": ("owner", "a question of this module (service `ask`): allow(words, action)"),
    "answered": ("owner", "a question of this module was answered"),
    "task": ("owner", "a task of this module (service `task`) has come up", "run_task"),
    "fell": ("owner", "a die of this module (service `lot`) fell: outcome 0 .. faces - 1", "run_lot"),
    "observe": ("observe", "write the module's observation pieces"),
    "hand_count": ("filter", "hand cards that the others count in layout slots, cards laid face down included"),
    "untake": ("override", "search: a play laid face down is taken back; zone to which it returns"),
}


@kernel
def build_deck(s: Any, p: Any, deck: int) -> None:
    """Event; see HOOKS."""


@kernel
def attribute(s: Any, p: Any, seat: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def hand_size(s: Any, p: Any, seat: int, n: int) -> int:
    """Filter; see HOOKS."""
    return n


@kernel
def draw(s: Any, p: Any, seat: int, purpose: int, n: int) -> int:
    """Filter; see HOOKS."""
    return n


@kernel
def draw_pile(s: Any, p: Any, seat: int, deck: int) -> int:
    """Override; see HOOKS."""
    return PASS_ON


@kernel
def exhausted(s: Any, p: Any, deck: int) -> int:
    """Override; see HOOKS."""
    return PASS_ON


@kernel
def playable(s: Any, p: Any, seat: int, purpose: int, plays: int) -> int:
    """Filter; see HOOKS."""
    return plays


@kernel
def take(s: Any, p: Any, seat: int, play: int, zone: int) -> None:
    """Event; see HOOKS."""


@kernel
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """Filter; see HOOKS."""
    return value


@kernel
def offer(s: Any, p: Any, seat: int, window: int, action: int, ok: int) -> int:
    """Filter; see HOOKS."""
    return ok


@kernel
def taken(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Event; see HOOKS."""


@kernel
def discard(s: Any, p: Any, seat: int, card: int, reason: int) -> int:
    """Override; see HOOKS."""
    return PASS_ON


@kernel
def penalty(s: Any, p: Any, seat: int, ep: int, points: int) -> int:
    """Filter; see HOOKS."""
    return points


@kernel
def test_end(s: Any, p: Any, seat: int) -> None:
    """Event; see HOOKS."""


@kernel
def untake(s: Any, p: Any, seat: int, play: int) -> int:
    """Override; see HOOKS."""
    return PASS_ON


@kernel
def hand_count(s: Any, p: Any, seat: int, n: int) -> int:
    """Filter; see HOOKS."""
    return n


@kernel
def permit(s: Any, p: Any, seat: int, targets: int) -> int:
    """Filter; see HOOKS."""
    return targets


@kernel
def before_action(s: Any, p: Any, seat: int) -> None:
    """Event; see HOOKS."""


@kernel
def after_action(s: Any, p: Any, seat: int) -> None:
    """Event; see HOOKS."""


# Written for the modules of a rule set (`core.modules.bind`); here what holds without modules.


@kernel
def event_modules(event: int) -> int:
    """How many modules have a `step` hook (EV_...); 0: the event is skipped."""
    return 0


@kernel
def event_call(s: Any, p: Any, event: int, module: int, seat: int) -> None:
    """Call a `step` hook of the module-th module that has it, for one seat."""


@kernel
def has_window(window: int) -> bool:
    """Whether any module has options in windows at all."""
    return False


@kernel
def discards_change() -> bool:
    """Whether any module has a say in discards."""
    return False


@kernel
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Options of all modules."""


@kernel
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """Tell the module to which an option belongs that it was taken."""


@kernel
def legal_of(s: Any, p: Any, owner: int, phase: int, seat: int, words: Any) -> None:
    """Legal answers to a question of module `owner`."""


@kernel
def answered(s: Any, p: Any, owner: int, phase: int, seat: int, action: int) -> None:
    """Hand an answer to module `owner`."""


@kernel
def run_task(s: Any, p: Any, owner: int, what: int, seat: int) -> None:
    """Run a task of module `owner`."""


@kernel
def run_lot(s: Any, p: Any, owner: int, what: int, seat: int, outcome: int) -> None:
    """Tell module `owner` how its die fell."""


@kernel
def forget_fields(s: Any, seat: int) -> None:
    """Zero what modules remember for other seats alone (search)."""


@kernel
def reset_fields(s: Any, p: Any, scope: int) -> None:
    """Zero the fields of modules whose scope begins anew: 0 test, 1 conflict, 2 session."""


@kernel
def observe_modules(s: Any, p: Any, seat: int, out: Any, offset: int) -> int:
    """Write the observation pieces of all modules; return the offset behind them."""
    return offset


@kernel
def seats_of_deck(s: Any, p: Any, deck: int) -> int:
    """Seats that draw from a deck (bit set), which its set-up and its end are about; all seats for no one's deck."""
    bits = 0
    for seat in range(p.seats):
        if s.deck_of[seat] == deck:
            bits |= 1 << seat
    return bits if bits else -1
