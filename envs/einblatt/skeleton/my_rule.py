"""my_rule: a seat that was dealt no trump may draw one card more, at a price.

A worked example to be changed into your own rule.

play it:                probespiel play einblatt-duel --module my_rule.py:cost=2
check it:               probespiel verify --module my_rule.py
see all hook points:    probespiel hooks einblatt
"""

from typing import Any

from probespiel.envs.core.jit import kernel
from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, draw, restrict, supply, trump_suits
from probespiel.envs.einblatt.state import DrawFor, Zone

# The declaration comes first: name, what it does, and where it has a say.
module = Module("my_rule", "A seat that was dealt no trump may draw one card more.", windows=("after_draw",))

# A parameter, in hooks `p.my_rule_cost`: default, lowest, highest. `--module my_rule.py:cost=2` changes it.
module.param("cost", 1, 0, 4, doc="restriction points that the card costs")

# A number that is remembered for each seat, in hooks `s.my_rule_used[seat]`; it is 0 again when its scope begins anew.
module.state("used", scope="conflict", doc="times that the seat has done it in this conflict")

# An action of its own, with the texts that people read and type; always kept under a global name.
DRAW_MORE = module.action("draw_more", en="draw one card more (my_rule)", de="eine Karte mehr ziehen (my_rule)")

# What bots and learners see of it: a block of numbers with its size and its range.
module.piece("used", 1, 0, 1, "the seat has done it in this conflict")


@kernel  # a function that hooks call is marked like this
def has_trump(s: Any, seat: int) -> bool:
    """Whether a seat holds a card of one of its trump suits; a set of cards is a number, bit = 8 * suit + rank."""
    for suit in range(4):
        if trump_suits(s, seat) >> suit & 1 and s.hand[seat] >> 8 * suit & 255:
            return True
    return False


@module.hook  # a function with the name of a hook point is called there; `s` is the state, `p` the parameters
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Offered once a conflict, while no trump is in the hand and a card is left to draw."""
    if not s.my_rule_used[seat] and s.hand[seat] and not has_trump(s, seat) and supply(s, seat):
        allow(words, DRAW_MORE)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """The seat draws; what it costs is due at the end of the conflict."""
    s.my_rule_used[seat] = 1  # without this the option would be offered for ever
    draw(s, seat, 1, DrawFor.EXTRA, Zone.HAND)
    restrict(s, seat, p.my_rule_cost)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Writes the pieces in the order of their declaration; only what the seat may know."""
    out[0] = s.my_rule_used[seat]
