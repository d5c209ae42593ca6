"""The observation of a seat: named blocks (section 4), and the kernel that writes them.

Factions stand in relative order, self first. Every value is clipped to -1..1. A third faction sees a confrontation as
its attacker does (`own` is the attacker). The flag `targeted` marks the target, and what is decided about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.jit import kernel
from ..core.observe import Layout, Piece, parts
from . import hooks
from .services import control_points, strength_points
from .state import (
    CHARACTERS,
    HISTORY,
    NATURES,
    NONE,
    P_RESOURCE,
    PH_CUSTOM,
    RESOURCES,
    T_OTHER,
    T_POWER,
    T_RESOURCE,
    TIE,
    UNITS,
    Phase,
    Result,
)

FACTIONS, FACTION_SIZE, CLASH_SIZE, REVEAL_SIZE = 5, 117, 29, 18
_WHO = ("oneself", *(f"number {i} after oneself" for i in range(1, FACTIONS)))


def layout(pieces: Sequence[Piece] = ()) -> Layout:
    """The observation layout, with the pieces of rule modules behind."""
    whole = (
        "turn / 30, turns / 30, actions left / 3, attacked, worked, clash, campaign, factions / 5, "
        "own place in this turn's order / 5, cp_goal / 50"
    )
    role = "acting, attacker, defender, bystander"
    others = ", ".join(f"{what} is {who}" for what in ("attacker", "defender") for who in _WHO)
    clash = (
        f"active, {others}, target is a unit, target is a resource, target is power, target is another, "
        f"{', '.join(f'{nature} clash' for nature in NATURES)}, "
        "own strength / 40, other strength / 40, difference of strength / 40, ties, own last bid / 20, "
        "other last bid / 20, own vote, other vote, own side has won, other side has won"
    )
    return Layout(
        [
            Piece(
                "global",
                (10,),
                -1,
                1,
                whole,
                parts(whole),
            ),
            Piece("phase", (15,), 0, 1, "phase in which a decision is due (none of them: a phase of a module)"),
            Piece("role", (4,), 0, 1, role, parts(role)),
            Piece(
                "faction",
                (FACTIONS, FACTION_SIZE),
                -1,
                1,
                "present, power / 20 (-1: hidden), cp / 48, special / 20, strength points / 32; 8 characters (present, "
                "nature 4, committed, targeted); 4 supports (present, nature 4, value / 6, committed, targeted); 8 "
                "resources (size / 3, targeted); project (resource, support, nature 4, size or extra / 3, turns / 5)",
            ),
            Piece(
                "clash",
                (CLASH_SIZE,),
                -1,
                1,
                f"{clash}; ties are parts of max_ties, a vote is 1 to draw and -1 to fight",
                parts(clash),
            ),
            Piece(
                "history",
                (HISTORY, REVEAL_SIZE),
                -1,
                1,
                "last reveals, newest first: attacker 5, defender 5, strengths / 40, bids / 20, attacker won, defender "
                "won, tie, draw",
            ),
            *pieces,
        ]
    )


@kernel
def clip(x: float) -> float:
    """x, but not beyond -1..1."""
    return min(1.0, max(-1.0, x))


@kernel
def relative(p: Any, me: int, seat: int) -> int:
    """How many places after `me` a faction sits."""
    return (seat - me + p.factions) % p.factions


@kernel
def write_faction(s: Any, p: Any, me: int, seat: int, out: Any, o: int) -> None:
    """The 117 values of one faction."""
    out[o] = 1.0
    out[o + 1] = -1.0 if p.hidden_power and seat != me else s.power[seat] / 20.0
    out[o + 2] = clip(control_points(s, seat) / 48.0)
    out[o + 3] = clip(s.special[seat] / 20.0)
    out[o + 4] = clip(strength_points(s, seat) / 32.0)
    committed = 0
    marked = 0
    if s.active:
        if seat == s.attacker:
            committed = s.commit[0]
        elif seat == s.defender:
            committed = s.commit[1]
            if s.target != NONE:
                marked = 1 << s.target
        asked = s.attacker if s.phase == Phase.RESPONSE else s.defender
        if s.question != NONE and seat == asked:
            marked |= 1 << s.question
    o += 5
    for u in range(UNITS):
        if s.units[seat] >> u & 1:
            out[o] = 1.0
            out[o + 1 + s.nature[seat, u]] = 1.0
            if u >= CHARACTERS:
                out[o + 5] = clip(s.value[seat, u] / 6.0)
        o += 5 if u < CHARACTERS else 6
        out[o] = committed >> u & 1
        out[o + 1] = marked >> u & 1
        o += 2
    for r in range(RESOURCES):
        out[o] = s.extent[seat, r] / 3.0
        out[o + 1] = marked >> T_RESOURCE + r & 1
        o += 2
    if s.project[seat]:
        if s.project[seat] == P_RESOURCE:
            out[o] = 1.0
        else:
            out[o + 1] = 1.0
            out[o + 2 + s.project_nature[seat]] = 1.0
        out[o + 6] = s.project_size[seat] / 3.0
        out[o + 7] = s.project_left[seat] / 5.0


@kernel
def write_clash(s: Any, p: Any, me: int, out: Any, o: int) -> None:
    """The 29 values of the running confrontation."""
    out[o] = 1.0
    out[o + 1 + relative(p, me, s.attacker)] = 1.0
    if s.defender != NONE:
        out[o + 6 + relative(p, me, s.defender)] = 1.0
    if s.target != NONE:
        k = 0 if s.target < UNITS else (1 if s.target < T_POWER else (3 if s.target == T_OTHER else 2))
        out[o + 11 + k] = 1.0
    if s.kind != NONE:
        out[o + 15 + s.kind] = 1.0
    own = 1 if s.defender == me else 0
    out[o + 19] = clip(s.strength[own] / 40.0)
    out[o + 20] = clip(s.strength[1 - own] / 40.0)
    out[o + 21] = clip((s.strength[own] - s.strength[1 - own]) / 40.0)
    out[o + 22] = s.ties / p.max_ties
    out[o + 23] = max(0, s.bid[own]) / 20.0
    out[o + 24] = max(0, s.bid[1 - own]) / 20.0
    out[o + 25] = s.vote[own]
    out[o + 26] = s.vote[1 - own]
    if s.winner != NONE:
        out[o + 27 if s.winner == own else o + 28] = 1.0


@kernel
def write_reveal(p: Any, me: int, packed: int, out: Any, o: int) -> None:
    """The 18 values of a reveal."""
    out[o + relative(p, me, packed >> 1 & 7)] = 1.0
    out[o + 5 + relative(p, me, packed >> 4 & 7)] = 1.0
    out[o + 10] = clip((packed >> 7 & 1023) / 40.0)
    out[o + 11] = clip((packed >> 17 & 1023) / 40.0)
    out[o + 12] = (packed >> 27 & 31) / 20.0
    out[o + 13] = (packed >> 32 & 31) / 20.0
    result = packed >> 37
    if result == Result.ATTACKER:
        out[o + 14] = 1.0
    elif result == Result.DEFENDER:
        out[o + 15] = 1.0
    elif result == TIE:
        out[o + 16] = 1.0
    elif result == Result.DRAW:
        out[o + 17] = 1.0


@kernel
def observe(s: Any, p: Any, seat: int, out: Any) -> int:
    """Write the observation of a seat: float32[layout.size], zeroed before."""
    n = p.factions
    frame = not p.clash and s.turn > 0
    out[0] = s.turn / 30.0
    if not p.clash:
        out[1] = p.turns / 30.0
        out[6] = 1.0
    else:
        out[5] = 1.0
    if frame and s.status == 0:
        out[2] = s.actions_left / 3.0
        out[3] = s.attacked
        out[4] = s.worked
    out[7] = n / 5.0
    if frame:
        out[8] = ((seat - s.first + n) % n) / 5.0
    out[9] = p.cp_goal / 50.0
    begun = s.due_first == 0 and s.due_natures == 0
    if s.status:
        out[10 + Phase.OVER] = 1.0
    elif begun and s.ask_phase < PH_CUSTOM:
        out[10 + s.ask_phase] = 1.0
    o = 25
    if frame and s.status == 0 and (s.first + s.place) % n == seat:
        out[o] = 1.0
    if s.active:
        if seat == s.attacker:
            out[o + 1] = 1.0
        elif seat == s.defender:
            out[o + 2] = 1.0
    if out[o] + out[o + 1] + out[o + 2] == 0.0:
        out[o + 3] = 1.0
    o += 4
    for d in range(n):
        write_faction(s, p, seat, (seat + d) % n, out, o + FACTION_SIZE * d)
    o += FACTION_SIZE * FACTIONS
    if s.active:
        write_clash(s, p, seat, out, o)
    o += CLASH_SIZE
    for i in range(min(HISTORY, s.n_history)):
        write_reveal(p, seat, s.history[(s.n_history - 1 - i) % HISTORY], out, o + REVEAL_SIZE * i)
    return hooks.observe_modules(s, p, seat, out, o + REVEAL_SIZE * HISTORY)
