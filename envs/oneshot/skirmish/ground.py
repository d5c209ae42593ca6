"""The grid: distances between footprints, cover, and where a figure can go (R140-R143)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.legal import allow
from ..state import ALIVE, GRID_MAX, MELEE, MOVES, OFFSET_X, OFFSET_Y, RANGED, Action, Status


@kernel
def gap(ax: int, ay: int, a: int, bx: int, by: int, b: int) -> int:
    """R142: distance of the footprints of sizes `a` and `b` at two positions."""
    gx = max(0, max(bx - (ax + a - 1), ax - (bx + b - 1)))
    gy = max(0, max(by - (ay + a - 1), ay - (by + b - 1)))
    return gx + gy


@kernel
def distance(s: Any, i: int, j: int) -> int:
    """Distance of two figures."""
    return gap(s.x[i], s.y[i], s.span[i], s.x[j], s.y[j], s.span[j])


@kernel
def covered(s: Any, p: Any, i: int) -> bool:
    """A22: at least one square of the figure is cover."""
    square = ((1 << s.span[i]) - 1) << s.x[i]
    for y in range(s.y[i], s.y[i] + s.span[i]):
        if p.cover_rows[y] & square:
            return True
    return False


@kernel
def fits(s: Any, p: Any, i: int, x: int, y: int) -> bool:
    """Whether figure `i` may stand at a position: on the grid, off obstacles and figures that block."""
    if x < 0 or y < 0 or y >= GRID_MAX or not p.free_rows[s.span[i] - 1, y] >> (x + 6) & 1:
        return False
    for j in range(len(s.x)):
        if j != i and s.standing[j] in ALIVE and gap(x, y, s.span[i], s.x[j], s.y[j], s.span[j]) == 0:
            return False
    return True


@kernel
def flood(s: Any, p: Any, i: int, steps: int) -> None:
    """R143: positions within so many steps: row r of `s.reach` is y + r - 7, bit x + 6; the own one included."""
    mine = s.span[i]
    x, y = s.x[i], s.y[i]
    free = s.free
    reach = s.reach
    for r in range(1, 14):
        row = y + r - 7
        free[r] = p.free_rows[mine - 1, row] if 0 <= row < GRID_MAX else 0
        reach[r] = 0
    for j in range(len(s.x)):
        if j != i and s.standing[j] in ALIVE:
            low = s.x[j] - mine + 7  # bit of the leftmost blocked position
            blocked = (1 << (s.span[j] + mine - 1)) - 1
            blocked = blocked << low if low >= 0 else blocked >> -low
            top = s.y[j] - mine + 1 - y + 7
            for r in range(max(1, top), min(14, top + s.span[j] + mine - 1)):
                free[r] &= ~blocked
    reach[7] = 1 << (x + 6)
    for k in range(1, steps + 1):
        below = 0
        for r in range(7 - k, 8 + k):
            here = reach[r]
            reach[r] = (here | here << 1 | here >> 1 | below | reach[r + 1]) & free[r]
            below = here
    reach[7] |= 1 << (x + 6)


@kernel
def allow_moves(s: Any, p: Any, i: int, words: Any) -> None:
    """All moves of figure `i` as offsets."""
    flood(s, p, i, s.move_range[i])
    x = s.x[i] + 6
    for k in range(MOVES):
        if s.reach[7 + OFFSET_Y[k]] >> (x + OFFSET_X[k]) & 1:
            allow(words, Action.MOVE + k)


@kernel
def macro_goal(s: Any, i: int, choice: int) -> int:
    """The figure that a macro move is about; -1 none (4.3)."""
    best = -1
    for j in range(len(s.x)):
        if choice == 5:
            if s.team[j] == s.team[i] and s.standing[j] == Status.UNCONSCIOUS:
                if best < 0 or distance(s, i, j) < distance(s, i, best):
                    best = j
        elif s.team[j] == 1 - s.team[i] and s.standing[j] == Status.UP:
            if best < 0:
                best = j
            elif choice == 2:
                if s.wounds[j] * max(1, s.limit[best]) > s.wounds[best] * max(1, s.limit[j]):
                    best = j
            elif distance(s, i, j) < distance(s, i, best):
                best = j
    return best


@kernel
def macro_score(s: Any, p: Any, i: int, choice: int, goal: int, x: int, y: int) -> int:
    """What a macro move minimises over the positions; 10**6: not wanted."""
    mine = s.span[i]
    if choice == 6:
        square = ((1 << mine) - 1) << x
        for row in range(y, y + mine):
            if p.cover_rows[row] & square:
                return 0
        return 10**6
    if choice == 3:
        near = 10**6
        for j in range(len(s.x)):
            if s.team[j] == 1 - s.team[i] and s.standing[j] == Status.UP:
                near = min(near, gap(x, y, mine, s.x[j], s.y[j], s.span[j]))
        return -near
    far = gap(x, y, mine, s.x[goal], s.y[goal], s.span[goal])
    if choice == 4:
        longest = 0
        for w in range(2):
            if s.w_kind[i, w] == MELEE:
                longest = max(longest, 1)
            elif s.w_kind[i, w] == RANGED:
                longest = max(longest, s.w_range[i, w] * max(1, s.w_damage[i, w]))
        return 100 - far if far <= longest else 100 + far
    return far


@kernel
def macro_offset(s: Any, p: Any, i: int, choice: int) -> int:
    """The offset that a macro move (1..6) stands for, after `flood`; ties: fewest steps, smallest dy, dx. -1: none."""
    goal = macro_goal(s, i, choice)
    if goal < 0 and choice != 6 and choice != 3:
        return -1
    best = -1
    least = 10**6
    for k in range(MOVES):
        if s.reach[7 + OFFSET_Y[k]] >> (s.x[i] + 6 + OFFSET_X[k]) & 1:
            score = macro_score(s, p, i, choice, goal, s.x[i] + OFFSET_X[k], s.y[i] + OFFSET_Y[k])
            if score < least:
                least = score
                best = k
    return best


@kernel
def allow_macros(s: Any, p: Any, i: int, words: Any) -> None:
    """The macro moves of figure `i` that lead somewhere; holding the ground always."""
    flood(s, p, i, s.move_range[i])
    allow(words, Action.MOVE)
    for choice in range(1, 7):
        if macro_offset(s, p, i, choice) >= 0:
            allow(words, Action.MOVE + choice)
