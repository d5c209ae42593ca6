"""The module interface of Kuhn poker: `from probespiel.envs.kuhn.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from . import hooks

INTERFACE = core.Interface(system="kuhn", hooks=hooks)


class Module(core.Module):
    """One rule module of Kuhn poker: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE
