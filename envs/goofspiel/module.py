"""The module interface of Goofspiel: `from probespiel.envs.goofspiel.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from . import hooks, rules, services

INTERFACE = core.Interface(
    system="goofspiel",
    hooks=hooks,
    answers={"bid_value": (0, 100), "prize": (0, 100)},
    library=services,
    services={"who has the module": "has"},
    state=tuple(rules.STATE),
    params=tuple(rules.PARAMS),
)


class Module(core.Module):
    """One rule module of Goofspiel: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE
