"""The module interface of Kuhn poker: `from probespiel.envs.kuhn.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from . import hooks, rules, services

INTERFACE = core.Interface(
    system="kuhn",
    hooks=hooks,
    answers={"moves": (1, 3), "strength": (-1000, 1000)},
    library=services,
    services={"who has the module": "has"},
    state=tuple(rules.STATE),
    params=tuple(rules.PARAMS),
)


class Module(core.Module):
    """One rule module of Kuhn poker: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE
