"""What a party has not seen of its mission is forgotten, so that it can be dealt again (search)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ..parley.talk import consistent
from ..state import EXITS, PACKED, ROOMS, TRIPLES


@kernel
def forget_stranger(s: Any, p: Any) -> None:
    """The counterpart of a talk: any triple that fits what was seen."""
    s.dealt = s.possible[0]
    if s.ck_kind:
        for k in range(len(TRIPLES)):
            if s.dealt >> k & 1 and not consistent(s, p, k):
                s.dealt &= ~(1 << k)
    s.ck_mod = s.ck_mood = s.ck_need = s.ck_total = s.ck_plain = s.ck_crit = 0
    s.triple[1] = -1
    s.mood_wounds[0] = 0
    for k in range(3):
        s.t_value[1, k] = 0


@kernel
def swap_rooms(s: Any, a: int, b: int) -> None:
    """Exchange the numbers of two rooms, links to them included."""
    s.room_type[a], s.room_type[b] = s.room_type[b], s.room_type[a]
    s.room_x[a], s.room_x[b] = s.room_x[b], s.room_x[a]
    s.room_y[a], s.room_y[b] = s.room_y[b], s.room_y[a]
    s.visited[a], s.visited[b] = s.visited[b], s.visited[a]
    s.cleared[a], s.cleared[b] = s.cleared[b], s.cleared[a]
    s.room_event[a], s.room_event[b] = s.room_event[b], s.room_event[a]
    s.group_n[a], s.group_n[b] = s.group_n[b], s.group_n[a]
    for k in range(PACKED):
        s.group_units[a, k], s.group_units[b, k] = s.group_units[b, k], s.group_units[a, k]
    for way in range(4):
        s.room_links[a, way], s.room_links[b, way] = s.room_links[b, way], s.room_links[a, way]
    for i in range(s.n_rooms):
        for way in range(4):
            if s.room_links[i, way] == a:
                s.room_links[i, way] = b
            elif s.room_links[i, way] == b:
                s.room_links[i, way] = a
    if s.room == a:
        s.room = b
    elif s.room == b:
        s.room = a


@kernel
def forget_map(s: Any) -> bool:
    """Number the rooms by their visits, and open every exit whose other end is unknown; false if nothing is hidden."""
    n = s.n_visited
    if n == s.n_rooms:
        return False
    for new in range(n):
        for old in range(new, s.n_rooms):
            if s.visited[old] == new + 1:
                if old != new:
                    swap_rooms(s, old, new)
                break
    s.known_rooms = n
    for i in range(n, ROOMS):
        s.room_type[i] = s.room_x[i] = s.room_y[i] = 0
        s.visited[i] = s.cleared[i] = s.room_event[i] = s.group_n[i] = 0
        for k in range(PACKED):
            s.group_units[i, k] = 0
        for way in range(4):
            s.room_links[i, way] = -1
    for i in range(n):
        for way in range(4):
            if s.room_links[i, way] >= n:
                s.room_links[i, way] = -2
    s.n_rooms = n
    for k in range(EXITS):
        s.queue_room[k] = s.queue_way[k] = 0
    s.queue_n = s.queue_at = 0
    return True
