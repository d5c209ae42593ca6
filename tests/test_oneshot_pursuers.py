"""Rooms and enemies of missions by small cases: whom traps meet, which rooms ask anew, what an enemy does next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs.oneshot.mission import pursuer, rooms
from probespiel.envs.oneshot.state import HEROES


def planning(monkeypatch: pytest.MonkeyPatch, **more: Any) -> SimpleNamespace:
    """What enemy 1 does, who stands at (0, 0), towards hero 0 at (3, 3); at once it can be hit with weapon 0 alone."""
    s = SimpleNamespace(
        acted=[0, 0], moved=[0, 0], move_range=[3, 3], x=[3, 0], y=[3, 0], span=[1, 1], reach=[0] * 15,
        plan_flask=9, plan_target=9, plan_weapon=9, plan_x=9, plan_y=9,
    )  # fmt: skip
    foe, steps = more.pop("foe", 0), more.pop("steps", (2, -1))
    for name, value in more.items():
        setattr(s, name, value)
    for name, made in {
        "nearest_foe": lambda s, a: foe, "flask_target": lambda *_: -1, "flood": lambda *_: None,
        "range_steps": lambda s, a, w, b: steps[w], "expected_wounds": lambda s, p, a, w, b, n: (0.5, 0.75)[w],
        "gap": lambda x, y, n, u, v, m: abs(x - u) + abs(y - v),
    }.items():  # fmt: skip
        monkeypatch.setattr(pursuer, name, made)
    pursuer.plan(s, None, 1)
    return s


def test_an_enemy_attacks_with_the_weapon_that_wounds_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of those that reach; hero 0 is somebody, and who is alone does nothing."""
    near = planning(monkeypatch)
    assert (near.plan_flask, near.plan_target, near.plan_weapon, near.plan_x) == (-1, 0, 0, -1)
    assert planning(monkeypatch, steps=(2, 0)).plan_weapon == 1
    alone = planning(monkeypatch, foe=-1)
    assert (alone.plan_target, alone.plan_x) == (-1, -1)


def reachable(*cells: tuple[int, int]) -> list[int]:
    """Rows of cells around (0, 0) as `reach` holds them."""
    rows = [0] * 15
    for x, y in cells:
        rows[7 + y] |= 1 << (x + 6)
    return rows


@pytest.mark.parametrize(
    ("cells", "where"),
    [
        (((1, 0), (1, 1)), (1, 1)),  # nearer
        (((1, 2), (2, 1)), (2, 1)),  # as near, as many steps, the smaller dy
        (((2, 2), (-1, 0)), (2, 2)),
        (((-1, 0), (0, -1)), (-1, -1)),  # none is nearer than where it stands
    ],
)
def test_an_enemy_who_cannot_attack_comes_nearer(
    cells: tuple[tuple[int, int], ...], where: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = planning(monkeypatch, steps=(-1, -1), reach=reachable(*cells))
    assert (found.plan_target, found.plan_x, found.plan_y) == (-1, *(where if where != (-1, -1) else (-1, 9)))


def test_of_equal_places_the_one_with_fewer_steps_then_the_western_one_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Towards (0, 3): two west and east of it, and one that is as near but farther to go."""
    more: dict[str, Any] = {"steps": (-1, -1), "x": [0, 0]}
    found = planning(monkeypatch, **more, reach=reachable((1, 2), (-1, 2), (2, 3)))
    assert (found.plan_x, found.plan_y) == (-1, 2)
    for spent in ({"acted": [0, 1]}, {"moved": [0, 1]}):
        assert planning(monkeypatch, **more, reach=reachable((0, 1)), **spent).plan_x == -1


@pytest.mark.parametrize(("critical", "victims"), [(0, 0b10), (1, 0b1010)])
def test_a_disaster_meets_everybody_who_stands(critical: int, victims: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hero 1 fails at a trap: it meets that one, or if that is critical all who are alive; the tool is gone then."""
    monkeypatch.setattr(rooms, "note", lambda *_: None)
    gone = next(value for value in range(9) if value not in rooms.ALIVE)
    standing = [rooms.ALIVE[0] if h in (1, 3) else gone for h in range(HEROES)]
    s = SimpleNamespace(
        ck_who=1, ck_kind=rooms.Check.TRAP, ck_done=1, ck_win=0, ck_total=2, ck_crit=critical, tool=2, room=4,
        tools=np.ones((HEROES, 5), int), cleared=[0] * 6, standing=standing, victims=99, purpose=0,
    )  # fmt: skip
    rooms.tested(s, None)
    assert s.victims == victims and s.cleared[4] == 1 and s.ck_kind == s.ck_done == 0
    assert s.tools[1, 2] == 1 - critical and s.tools.sum() == s.tools.size - critical


@pytest.mark.parametrize(
    ("event", "cleared", "asks"), [("CONFRONTATION", 0, True), ("CONFRONTATION", 1, False), ("TRAP", 0, False)]
)
def test_only_a_group_that_is_still_there_is_met_again(
    event: str, cleared: int, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody comes back into a room: the third one that was visited."""
    asked: list[str] = []
    for name, made in {
        "note": lambda *_: None, "spend_minutes": lambda *_: None, "throw": lambda *_: asked.append("die"),
        "unpack_group": lambda *_: asked.append("group"), "ask": lambda *_: asked.append("approach"),
        "leader": lambda s: 0, "arrived": lambda s, p: asked.append("arrived"),
    }.items():  # fmt: skip
        monkeypatch.setattr(rooms, name, made)
    s = SimpleNamespace(room=0, entered=0, room_type=[0, int(rooms.Room.EVENT_ROOM)], status_of_game=0, visited=[1, 3],
                        cleared=[1, cleared], room_event=[0, int(rooms.RoomEvent[event])], purpose=-1)  # fmt: skip
    rooms.enter_room(s, SimpleNamespace(minutes_per_room=1), 1)
    assert asked == (["group", "approach"] if asks else ["arrived"]) and s.room == s.entered == 1
