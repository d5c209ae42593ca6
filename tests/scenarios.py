"""What every shipped scenario is for the rules: `python -m tests.scenarios` writes tests/golden/scenarios.json anew.

Of each the fingerprint of its parameter record, what payoffs may be, and after how many decisions it is stopped.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from probespiel.envs.core.game import GameSpec
from probespiel.envs.core.registry import game_names, system_of

FILE = Path(__file__).parent / "golden" / "scenarios.json"


def told(spec: GameSpec) -> list[Any]:
    """A scenario as it is kept; fields of the record are taken by name, whatever lies between them."""
    record = hashlib.blake2b(digest_size=8)
    for name in spec.params.dtype.names or ():
        record.update(name.encode() + spec.params[name].tobytes())
    low, high = spec.payoff_range
    return [record.hexdigest(), float(low), float(high), int(spec.max_decisions)]


def known(game: str) -> dict[str, list[Any]]:
    """All shipped scenarios of a game, in their order."""
    system = system_of(game)
    return {name: told(system.spec(game, name, {}, {})) for name in system.scenarios(game)}


if __name__ == "__main__":
    lines = [
        f"{json.dumps(game)}: {{\n"
        + ",\n".join(f"  {json.dumps(n)}: {json.dumps(v)}" for n, v in known(game).items())
        + "\n}"
        for game in sorted(game_names())
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
