"""The module interface of Scorekeeper: `Module` for built-in modules and for those of other authors alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core import modules as core
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from . import hooks
from . import state as st

__all__ = ["INTERFACE", "ME", "Field", "Handle", "Module", "ObservationPiece", "Param"]

INTERFACE = core.Interface(
    system="scorekeeper",
    hooks=hooks,
    package=f"{__package__}.modules",
    levels=("duel", "skirmish"),
    windows={"declare": st.WIN_DECLARE},
    scopes=("round", "fight"),
    phases=st.PHASES,
    first_phase=st.PH_CUSTOM,
    first_action=st.ACTIONS,
    max_actions=st.MODULE_ACTIONS,
)


@dataclass
class Module(core.Module):
    """One rule module of Scorekeeper: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE

    def default_scope(self) -> str:
        """A field lasts for the fight."""
        return "fight"
