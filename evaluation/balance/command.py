"""The command line that tests a suggestion."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from ..stress.conditions import Settings


def stress_command(settings: Settings, params: Mapping[str, Any]) -> str:
    """The command line of the stress test of some values."""
    parts = ["probespiel", "stress", settings.game, "--module", settings.module]
    for name, value in {**settings.params, **params}.items():
        parts += ["--param", f"{name}={_word(value)}"]
    parts += ["--budget", settings.budget, "--seed", str(settings.seed)]
    if settings.scenario is not None:
        parts += ["--scenario", settings.scenario]
    for name, values in settings.modules.items():
        given = ",".join(f"{key}={_word(value)}" for key, value in values.items())
        parts += ["--also", f"{name}:{given}" if given else name]
    for name, value in settings.config.items():
        parts += ["--set", f"{name}={_word(value)}"]
    return shlex.join(parts)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


__all__ = ["stress_command"]
