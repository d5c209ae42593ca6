"""The module interface of Leduc poker: `from probespiel.envs.leduc.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from . import hooks, rules, services

INTERFACE = core.Interface(
    system="leduc",
    hooks=hooks,
    answers={"moves": (1, 7), "strength": (-1000, 1000)},
    library=services,
    services={"who has the module": "has"},
    state=tuple(rules.STATE),
    params=tuple(rules.PARAMS),
)


class Module(core.Module):
    """One rule module of Leduc poker: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE
