"""The module interface of liar's dice: `from probespiel.envs.liars_dice.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from . import hooks, rules, services

INTERFACE = core.Interface(
    system="liars_dice",
    hooks=hooks,
    answers={"matches": (0, 100)},
    library=services,
    services={"who has the module": "has"},
    state=tuple(rules.STATE),
    params=tuple(rules.PARAMS),
)


class Module(core.Module):
    """One rule module of liar's dice: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE
