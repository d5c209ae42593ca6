"""The module interface of Scorekeeper: `Module` for built-in modules and for those of other authors alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core import modules as core
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from . import hooks, services
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
    answers={
        "permit": (0, 1),
        "reaction_value": (-1000, 1000),
        "attack_value": (-1000, 1000),
        "may_save": (0, 1),
        "stands": (0, 1),
        "may_parry": (0, 1),
        "save_value": (-1000, 1000),
        "parry_value": (-1000, 1000),
        "parry_cost": (0, 1),
        "may_counter": (0, 1),
        "check": (0, 1),
        "damage": (0, 1000),
        "wound_class": (0, 4),
        "shock_value": (-1000, 1000),
    },
    needs={services.ask_module: ("legal_of", "answered"), services.lot: ("fell",), **core.NEEDS},
    library=services,
    renamed={"ask": "ask_module"},
    services={
        "options, questions, dice": "allow allow_bits ask_module lot key_with",
        **core.SERVICES,
        "who has the module": "has",
        "who and where": "able distance is_ready reaches mode_of can_reload needs_aid can_aid nearest_enemy "
        "after_advance after_retreat",
        "values": "wound_penalty melee_value range_modifier attack_value_of save_value_of parry_value_of aid_value_of "
        "damage_class",
        "events": "emit",
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
    """One rule module of Scorekeeper: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE

    def default_scope(self) -> str:
        """A field lasts for the fight."""
        return "fight"
