"""Short worked examples: a duel of Ada (pc, trump clubs) against Foe (npc, trump spades), played by a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probespiel.envs.einblatt.verify import run_play

Step = dict[str, Any]


def cards(text: str) -> list[str]:
    """`"C7 HA"` -> card codes."""
    return text.split()


def step(seat: str, phase: str, action: str, /, **expect: Any) -> Step:
    """A decision; a card may be written without `card:`; what is expected after it follows as keywords."""
    if action[0] in "CSDH" and action[1:] in ("7", "8", "9", "10", "J", "Q", "K", "A"):
        action = f"card:{action}"
    out: Step = {"seat": seat, "phase": phase, "action": action}
    return {**out, "expect": expect} if expect else out


def refused(seat: str, phase: str, action: str) -> Step:
    """An action that must be illegal."""
    return {**step(seat, phase, action), "illegal": True}


def rounds(ada: str, foe: str, /, **expect: Any) -> list[Step]:
    """Commits of whole rounds, Ada's and Foe's plays in order; the expectation belongs to the last of them."""
    steps = []
    for mine, theirs in zip(ada.split(), foe.split(), strict=True):
        steps += [step("Ada", "commit", mine), step("Foe", "commit", theirs)]
    if expect:
        steps[-1]["expect"] = expect
    return steps


def zone(value: Any) -> Any:
    """Card lists may be given as one text."""
    return cards(value) if isinstance(value, str) else value


def seat(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Ada or Foe with changed fields."""
    base: dict[str, Any] = {"name": name, "kind": "pc", "attribute": 4, "suits": "C"}
    if name == "Foe":
        base = {"name": name, "kind": "npc", "cards": 3, "suits": "S"}
    lists = ("hand", "draw", "draw_b", "discard", "discard_b", "conf", "aside")
    out = {**base, **{k: zone(v) if k in lists else v for k, v in fields.items()}}
    if "attributes" in out:
        out = {name: value for name, value in out.items() if name not in ("attribute", "suits")}
    if out["kind"] == "pc":
        out.pop("cards", None)
        out.setdefault("attribute", 4) if "attributes" not in out else None
    return out


def run(
    modules: Mapping[str, Any],
    steps: Sequence[Step],
    ada: Mapping[str, Any] | None = None,
    foe: Mapping[str, Any] | None = None,
    auto: Mapping[str, str] | None = None,
    level: str = "duel",
    config: Mapping[str, Any] | None = None,
    conflicts: Sequence[Mapping[str, Any]] | None = None,
    wrath_setup: Mapping[str, Any] | None = None,
    **expect: Any,
) -> None:
    """Play the script and fail with every mismatch; keywords are what is expected in the end."""
    setup: dict[str, Any] = {
        "level": level,
        "modules": dict(modules),
        "config": dict(config or {}),
        "seats": [seat("Ada", ada or {}), seat("Foe", foe or {})],
    }
    if conflicts is not None:
        setup["conflicts"] = list(conflicts)
    if wrath_setup is not None:
        setup["wrath"] = {k: zone(v) for k, v in wrath_setup.items()}
    case = {"id": "script", "kind": "play", "setup": setup, "steps": list(steps), "expect": expect, "auto": auto or {}}
    problems = run_play(case, compiled=False)
    assert not problems, problems
