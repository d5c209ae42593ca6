"""Comparing what a worked example expects with what is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Case = dict[str, Any]


def differences(have: Any, want: Any, where: str) -> list[str]:
    """What does not match: objects are partial, lists are compared fully, numbers within 1e-9."""
    if isinstance(want, Mapping) and isinstance(have, Mapping):
        out = []
        for key, value in want.items():
            if key not in have:
                out.append(f"{where}: {key!r} is unknown: {', '.join(map(str, have)) or 'nothing'}")
            else:
                out.extend(differences(have[key], value, f"{where}.{key}" if where else key))
        return out
    if isinstance(want, Sequence) and not isinstance(want, str) and isinstance(have, (list, tuple)):
        if len(want) == len(have):
            return [
                d for i, (h, w) in enumerate(zip(have, want, strict=True)) for d in differences(h, w, f"{where}[{i}]")
            ]
        return [f"{where} is {have!r}, expected {want!r}"]
    numbers = [isinstance(v, (int, float)) and not isinstance(v, bool) for v in (have, want)]
    if all(numbers) and abs(have - want) <= 1e-9:
        return []
    if type(have) is type(want) and have == want:
        return []
    return [f"{where} is {have!r}, expected {want!r}"]
