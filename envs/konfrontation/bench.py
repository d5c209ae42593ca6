"""Scenarios on the test bench: more power for a faction, seats exchanged."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import RulesetError
from .params import OPTIONS

# counters and histories: two positions that differ in nothing else are the same
BOOKKEEPING = ("decisions", "public", "n_history", "history", "n_events", "events")
# the stack of questions, which keeps what lay above its top
CONTROL = ("f_phase", "f_owner", "f_seat", "f_a", "f_b")


def _option(setup: Mapping[str, Any], name: str) -> Any:
    return setup.get(name, OPTIONS[name].default)


def written_out(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The set-up with what every faction starts with, named as it would be without."""
    out = copy.deepcopy(dict(setup))
    if out.get("factions") is None:
        start = {
            "power": _option(out, "start_power"),
            "units": [["character", nature] for nature in _option(out, "start_characters")],
            "resources": list(_option(out, "start_resources")),
        }
        out["factions"] = {name: copy.deepcopy(start) for name in "ABCDE"[: _option(out, "n_factions")]}
    return out


def handicap(setup: Mapping[str, Any], seats: Sequence[str], n: int) -> dict[str, Any]:
    """The set-up with `n` power more (below 0: less) at the start for some factions; raises RulesetError."""
    out = written_out(setup)
    most = _option(out, "power_cap")
    for name in seats:
        faction = dict(out["factions"][name])
        given = faction.get("power")
        power = (_option(out, "start_power") if given is None else given) + n
        if not 0 <= power <= most:
            raise RulesetError(f"faction {name}: {n:+d} power would make power {power}: 0..power_cap = {most}")
        out["factions"] = {**out["factions"], name: {**faction, "power": power}}
    return out


def mirrored(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The set-up with the order of its factions reversed; who they are, and who attacks in a clash, stays the same."""
    out = written_out(setup)
    names = list(out["factions"])
    last = len(names) - 1
    out["factions"] = {name: out["factions"][name] for name in reversed(names)}
    if _option(out, "mode") == "clash":
        out["attacker"] = names[0] if out.get("attacker") is None else out["attacker"]
    if isinstance(out.get("first_seat"), int):
        out["first_seat"] = last - out["first_seat"]
    for values in (out.get("modules") or {}).values():
        if values and values.get("seats") is not None:
            values["seats"] = [last - s if isinstance(s, int) else s for s in values["seats"]]
    return out
