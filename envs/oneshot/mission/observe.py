"""What a hero's seat sees of a mission: the fight, the map, conditions, scenarios, the talk (4.7)."""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.observe import Piece, parts
from ..parley.observe import TALK_SIZE, write_talk
from ..skirmish.observe import ROW, ROWS, clip, fight_pieces, write_fight
from ..state import NOBODY, ROOM_TYPES, TALKING, TOOL_SLOTS, Mode, Phase

WINDOW = 11
CELL = 14  # type one-hot 8 (the last: seen as an exit only), visited, cleared, links 4


def mission_pieces(width: int, height: int) -> list[Piece]:
    """The observation of a mission on an arena of this size."""
    condition = "present, level 1, level 2, level 3, first value / 100, second value / 36, failed"
    scenario = "present, main, met"
    mission = "minutes / 36, sg / 6, penalty in force, carrying, rooms entered, alarm"
    event = "none, confrontation, trap, puzzle, talk"
    return [
        *fight_pieces(width, height, ROWS + 1),
        Piece(
            "rooms",
            (WINDOW, WINDOW, CELL),
            0,
            1,
            f"around the party: {', '.join(ROOM_TYPES)}, exit; visited, cleared, links",
        ),
        Piece("conditions", (4, 7), 0, 1, condition, parts(condition)),
        Piece("scenarios", (5, 3), 0, 1, scenario, parts(scenario)),
        Piece("mission", (6,), 0, 1, mission, parts(mission)),
        Piece("room_event", (5,), 0, 1, event, parts(event)),
        Piece("mission_node", (10,), 0, 1, "node"),
        Piece("tools", (4,), 0, 1, "party members with a usable tool"),
        Piece("parley", (TALK_SIZE,), -1, 1, "the talk, for the hero who talks"),
    ]


@kernel
def mark_room(s: Any, out: Any, at: int, room: int, seen: bool) -> None:
    """One cell of the window."""
    dx = s.room_x[room] - s.room_x[s.room] + WINDOW // 2
    dy = s.room_y[room] - s.room_y[s.room] + WINDOW // 2
    if dx < 0 or dy < 0 or dx >= WINDOW or dy >= WINDOW:
        return
    cell = at + CELL * (dy * WINDOW + dx)
    if not seen:
        out[cell + 7] = 1.0
        return
    out[cell + s.room_type[room]] = 1.0
    out[cell + 7] = 0.0
    out[cell + 8] = 1.0
    out[cell + 9] = s.cleared[room]
    for way in range(4):
        if s.room_links[room, way] >= 0:
            out[cell + 10 + way] = 1.0


@kernel
def write_mission(s: Any, p: Any, seat: int, out: Any) -> int:
    """All pieces for a seat."""
    at = write_fight(s, p, seat, p.hidden_stats, ROWS + 1, out)
    for room in range(s.n_rooms):
        if s.visited[room]:
            for way in range(4):
                other = s.room_links[room, way]
                if other >= 0 and not s.visited[other]:
                    mark_room(s, out, at, other, False)
    for room in range(s.n_rooms):
        if s.visited[room]:
            mark_room(s, out, at, room, True)
    at += WINDOW * WINDOW * CELL
    for i in range(s.n_cond):
        row = at + 7 * s.cond_kind[i]
        out[row] = 1.0
        out[row + 1 + s.cond_level[i]] = 1.0
        out[row + 4] = min(1.0, s.cond_value[i, 0] / 100.0)
        out[row + 5] = min(1.0, s.cond_value[i, 1] / 36.0)
        out[row + 6] = s.cond_failed[i]
    at += 28
    for i in range(s.n_scenarios):
        row = at + 3 * s.scenarios[i]
        out[row] = 1.0
        out[row + 1] = 1.0 if i == 0 else 0.0
        out[row + 2] = s.met[s.scenarios[i]]
    at += 15
    out[at] = min(1.0, s.minutes / 36.0)
    out[at + 1] = p.sg / 6.0
    out[at + 2] = 1.0 if s.burden[0] or s.more or s.stronger else 0.0
    out[at + 3] = s.carrying
    out[at + 4] = min(1.0, s.entered / p.max_rooms)
    out[at + 5] = s.alarm
    at += 6
    event = s.room_event[s.room]
    if event < 5:
        out[at + event] = 1.0
    at += 5
    if 0 <= s.node <= Phase.TOOL:
        out[at + s.node] = 1.0
    at += 10
    for i in range(p.party):
        for k in range(TOOL_SLOTS):
            if s.tools[i, k]:
                out[at + i] = 1.0
    at += 4
    if s.mode == Mode.TALK and s.hero == seat and (s.node == NOBODY or s.node in TALKING):
        write_talk(s, p, 0, out, at)
        out[at + 27] = s.m_relation / 2.0
    return at + TALK_SIZE


__all__ = ["ROW", "clip", "mission_pieces", "write_mission"]
