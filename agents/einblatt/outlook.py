"""What a campaign of duels is worth between two conflicts: what was won so far, less what restrictions will still cost.

Later conflicts are dealt from new hands, so that their results are noise to a choice of this one, several times what it
can win or lose itself. What a choice leaves behind for them are restriction points (R70), of which each takes a card
from the hands of all later conflicts that test the same attribute.
"""

from __future__ import annotations

from typing import Any

from ...envs.core.jit import kernel

# EP that a restriction point costs in each later conflict of its attribute: by regression over 3,000 sessions of
# `best3_shuffled` 0.18, 0.23, 0.14 and 0.10 where four, three, two and one of them are left in `table32_session`.
POINT = 0.2


@kernel
def clock(s: Any, p: Any) -> int:
    """The conflict: a simulation may end where the next one has begun."""
    return s.conflict


@kernel
def hindered(s: Any, p: Any, seat: int) -> float:
    """What the restriction points of a seat cost it in the conflicts that are left, in EP."""
    tested = s.tested[seat]
    cost = 0.0
    for c in range(s.conflict, p.conflicts):
        if c > s.conflict and p.c_tested[c, seat] >= 0:
            tested = p.c_tested[c, seat]
        if not p.events_only[c] and (p.pc[seat] or p.npc_restrictions):
            cost += p.weight[c] * POINT * s.restr[seat, tested]
    return cost


@kernel
def outlook(s: Any, p: Any, out: Any) -> None:
    """Expected payoffs of both seats where a conflict begins, in EP; what one loses the other wins."""
    first, second = hindered(s, p, 0), hindered(s, p, 1)
    out[0] = s.total[0] - first + second
    out[1] = s.total[1] + first - second
