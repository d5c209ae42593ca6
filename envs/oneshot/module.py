"""The module interface of OneShot: `from probespiel.envs.oneshot.module import Module`."""

from __future__ import annotations

from typing import ClassVar

from ..core import modules as core
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from ..core.modules.hooks import declared
from . import choices, hooks, services
from . import state as st

__all__ = ["INTERFACE", "ME", "Field", "Handle", "Module", "ObservationPiece", "Param"]

FIGHTS = ("skirmish", "mission")
_WIDE = (-1000, 1000)
_BONUSES = ("initiative_bonus", "attack_bonus", "damage_bonus", "defence", "survival_bonus", "edge_bonus", "talk_bonus")

INTERFACE = core.Interface(
    system="oneshot",
    hooks=hooks,
    package=f"{__package__}.modules",
    levels=st.LEVELS_OF_PLAY,
    windows={"turn": st.Phase.TURN},
    scopes=("fight", "game"),
    phases=st.PHASES,
    first_phase=len(st.PHASES),
    first_action=st.CUSTOM,
    max_actions=st.MAX_CUSTOM,
    concerns={name: "figure_bit" for name, kind, _ in declared(hooks) if kind in ("filter", "event")},
    answers={"stands": (0, 1), **dict.fromkeys(_BONUSES, _WIDE)},
    library=services,
    needs=core.NEEDS,
    services={
        "options, questions, dice": "allow allow_bits ask task lot",
        **core.SERVICES,
        "who has the module": "has",
        "the ground, wounds": "beside comrades_beside badly_hurt",
    },
    state=(*st.mission_numbers(), *st.TAIL),
    params=tuple(st.mission_param_numbers()),
    codes=(st,),
    constants={**st.MEANINGS, **choices.MEANINGS},
)


class Module(core.Module):
    """One rule module of OneShot: declare its parts at the top of the file, then write hooks below.

    Its seats are figures: in a skirmish in seat order (red before blue), in a mission the heroes, then the enemies; in
    a parley the talkers, in a build the two seats. It belongs to fights, unless it names its levels.
    """

    interface: ClassVar[core.Interface] = INTERFACE

    def __post_init__(self) -> None:
        self.levels = FIGHTS if self.levels is None else self.levels
        super().__post_init__()

    def default_scope(self) -> str:
        """A field lasts for a fight."""
        return "fight"
