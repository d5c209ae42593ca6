"""The module interface of konfrontation: `Module` for built-in modules and for those of other authors alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core import modules as core
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from . import hooks, services
from . import state as st

__all__ = ["INTERFACE", "ME", "Field", "Handle", "Module", "ObservationPiece", "Param"]

INTERFACE = core.Interface(
    system="konfrontation",
    hooks=hooks,
    package=f"{__package__}.modules",
    levels=("clash", "campaign"),
    windows={"action": st.Phase.ACTION},
    scopes=("confrontation", "turn", "game"),
    phases=st.PHASES,
    first_phase=st.PH_CUSTOM,
    first_action=st.CUSTOM,
    max_actions=st.MAX_CUSTOM,
    answers={"may_attack": (0, 1), "targets": (0, 2**62 - 1)},
    needs={services.ask: ("legal_of", "answered"), services.task: ("task",), services.lot: ("fell",), **core.NEEDS},
    library=services,
    services={
        "options, questions, dice": "allow allow_bits ask task lot",
        **core.SERVICES,
        "who has the module": "has",
        "holdings": "gain lose control_points strength_points net_worth free_unit free_resource put_unit put_resource "
        "settle",
        "confrontations": "actor side_of seat_of strength_of removable exposed targets_at close_confrontation",
        "events": "emit note",
    },
    stopped="s.status == 2",
    stack=True,
    state=tuple(st.state_numbers(2)),
    params=tuple(st.param_numbers(2)),
    codes=(st, hooks),
    constants=st.MEANINGS,
)


@dataclass
class Module(core.Module):
    """One rule module of konfrontation: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE

    def default_scope(self) -> str:
        """A field lasts for a confrontation."""
        return "confrontation"
