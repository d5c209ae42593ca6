"""Sample rule module: a resource, earned by lost rounds and spent on a better hand (a counter that people see)."""

from typing import Any

from probespiel.envs.einblatt.module import Module
from probespiel.envs.einblatt.services import allow, draw, outcome_for, supply
from probespiel.envs.einblatt.state import DrawFor, Reason, Zone

module = Module("focus", "Whoever loses a round gains focus, and draws for it later.", windows=("before_commit",))
module.counter("points", 3, en="focus", de="Konzentration", scope="campaign", doc="focus points, at most three")
module.piece("points", 1, 0, 3, "own focus points")
SPEND = module.action("spend", "draw a card for a focus point", "für Konzentration eine Karte ziehen")


@module.hook
def round_end(s: Any, p: Any, seat: int) -> None:
    for i in range(s.n_entries):
        mine = s.e_round[i] == s.round_no and (s.e_a[i] == seat or s.e_b[i] == seat)
        if mine and outcome_for(s, i, seat) == Reason.LOST:
            s.focus_points[seat] = min(3, s.focus_points[seat] + 1)


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    if s.focus_points[seat] and supply(s, seat):
        allow(words, SPEND)


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    s.focus_points[seat] -= 1
    draw(s, seat, 1, DrawFor.EXTRA, Zone.HAND)


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0] = s.focus_points[seat]
