"""What a seat sees of a fight, as numbers (4.3): pieces `figures`, `edges`, `map`, `global`."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.observe import Piece
from ..state import MELEE, Phase, Status
from .numbers import defence_now, malus

ROW = 56
ROWS = 8


def fight_pieces(width: int, height: int, rows: int = ROWS) -> list[Piece]:
    """The observation of a fight on a ground of this size, with so many rows of figures."""
    return [
        Piece("figures", (rows, ROW), -1, 1, "self, allies, enemies: status, place, values, gear, perks"),
        Piece("edges", (3, 8, 8), 0, 1, "rounds left / 10: aggressive, cunning, diplomatic; performer; target"),
        Piece("map", (2, height, width), 0, 1, "obstacles, cover"),
        Piece("global", (12,), -1, 1, "count, node, deferred, pending effects, last die, total, threshold, margin"),
    ]


@kernel
def clip(value: float) -> float:
    """The value within -1..1."""
    return max(-1.0, min(1.0, value))


@kernel
def self_of(s: Any, p: Any, seat: int) -> int:
    """The figure from which a seat looks: the one on turn if it is the seat's, else its first."""
    if p.seat_of[s.actor] == seat and s.actor < p.n:
        return s.actor
    for i in range(p.n):
        if p.seat_of[i] == seat:
            return i
    return 0


@kernel
def row_of(p: Any, me: int, team: int, i: int) -> int:
    """Row of a figure for somebody who looks from figure `me`: self, allies, enemies, in seat order."""
    mine = p.first[team]
    if i == me:
        return 0
    if i == p.object_at:
        return ROWS  # the row behind those of the figures
    if mine <= i < mine + p.members[team]:
        return i - mine + (1 if i < me else 0)
    return p.members[team] + i - p.first[1 - team]


@kernel
def write_figure(s: Any, p: Any, me: int, i: int, secret: bool, out: Any, at: int) -> None:
    """One row of `figures`; `secret` leaves out what hidden_stats hides."""
    own = s.team[i] == s.team[me]
    out[at] = 1.0
    out[at + 1] = 1.0 if i == me else 0.0
    out[at + 2] = 1.0 if own and i != me else 0.0
    out[at + 3 + s.standing[i]] = 1.0
    out[at + 6] = s.x[i] / 24.0
    out[at + 7] = s.y[i] / 24.0
    out[at + 8] = (s.x[i] - s.x[me]) / 24.0
    out[at + 9] = (s.y[i] - s.y[me]) / 24.0
    out[at + 10] = s.span[i] / 4.0
    out[at + 11] = clip(s.wounds[i] / 8.0)
    out[at + 18] = clip(s.c_init[i] / 16.0)
    if s.c_init[i] > 0:
        out[at + 19] = clip((s.due[i] - s.count) / 16.0)
    for w in range(2):
        if s.w_kind[i, w]:
            out[at + 31 + 4 * w] = 1.0 if s.w_kind[i, w] == MELEE else 0.0
            out[at + 32 + 4 * w] = clip(s.w_damage[i, w] / 2.0)
            out[at + 33 + 4 * w] = clip(s.w_range[i, w] / 6.0)
    out[at + 53] = s.moved[i]
    out[at + 54] = s.acted[i]
    out[at + 55] = 1.0 if s.surprise == 1 and i == s.actor else 0.0
    out[at + 16] = clip(s.target_mod[i] / 3.0)
    if secret:
        return
    out[at + 12] = clip(s.limit[i] / 8.0)
    out[at + 13] = clip(malus(s, i) / 3.0)
    out[at + 14] = clip(s.attack[i] / 8.0)
    out[at + 15] = clip(defence_now(s, p, i) / 12.0)
    out[at + 17] = clip(s.initiative[i] / 10.0)
    out[at + 20] = s.move_range[i] / 6.0
    out[at + 24] = clip(s.combat[i, 2] / 4.0)
    for k in range(3):
        out[at + 21 + k] = clip(s.physical[i, k] / 4.0)
        out[at + 25 + k] = clip((s.value[i, k] + 1) / 6.0)
        out[at + 28 + k] = clip(s.social[i, k] / 4.0)
        out[at + 40 + k] = clip(s.items[i, k] / 3.0)
    for w in range(2):
        out[at + 34 + 4 * w] = clip(s.w_rank[i, w] / 14.0)
    out[at + 39] = clip(s.rank[i, 0] / 14.0)
    out[at + 43] = clip(s.saga[i] / 10.0)
    out[at + 44] = clip(s.luck[i] / 1.0)
    for k in range(8):
        out[at + 45 + k] = s.perks[i] >> k & 1


@kernel
def write_fight(s: Any, p: Any, me: int, secret: int, rows: int, out: Any) -> int:
    """All pieces of a fight as figure `me` sees them; return their length."""
    team = s.team[me]
    for i in range(p.n):
        if s.standing[i] != Status.ABSENT:
            row = row_of(p, me, team, i)
            write_figure(s, p, me, i, secret != 0 and s.team[i] != team, out, row * ROW)
    offset = rows * ROW
    if s.edges:
        for m in range(3):
            for a in range(min(p.n, ROWS)):
                for b in range(min(p.n, ROWS)):
                    if s.edge[m, a, b] > 0:
                        place = row_of(p, me, team, a) * 8 + row_of(p, me, team, b)
                        out[offset + 64 * m + place] = clip(s.edge[m, a, b] / 10.0)
    offset += 192
    width, height = p.grid_width, p.grid_height
    for y in range(height):
        walls, cover = p.obstacle_rows[y], p.cover_rows[y]
        if walls | cover:
            for x in range(width):
                out[offset + y * width + x] = walls >> x & 1
                out[offset + (height + y) * width + x] = cover >> x & 1
    offset += 2 * width * height
    out[offset] = clip(s.count / p.max_count)
    node = s.node
    if node == Phase.TURN:
        out[offset + 1] = 1.0
    elif node == Phase.REACT_FAIL:
        out[offset + 2] = 1.0
    elif node == Phase.REACT_SIX:
        out[offset + 3] = 1.0
    elif node == Phase.REACT_WOUND:
        out[offset + 4] = 1.0
    elif node == Phase.REACT_WEAK_SPOT:
        out[offset + 5] = 1.0
    out[offset + 6] = s.deferred
    out[offset + 7] = clip(s.pending / 8.0)
    out[offset + 8] = s.l_natural / 6.0
    if s.l_total > -99:
        out[offset + 9] = clip(s.l_total / 12.0)
        hidden = secret != 0 and s.l_secret >= 0 and s.team[s.l_secret] != team
        if not hidden:
            out[offset + 10] = clip(s.l_goal / 12.0)
            out[offset + 11] = clip((s.l_total - s.l_goal) / 12.0)
    return offset + 12
