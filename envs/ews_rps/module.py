"""The module interface of ews_rps: `Module` for built-in modules and for those of other authors alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core import modules as core
from ..core.errors import RulesetError
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from . import hooks, services
from . import state as st
from .state import CUSTOM, MAX_CUSTOM, PHASES, Phase, Verdict

__all__ = ["INTERFACE", "ME", "Field", "Handle", "Module", "ObservationPiece", "Param"]

INTERFACE = core.Interface(
    system="ews_rps",
    hooks=hooks,
    package=f"{__package__}.modules",
    windows={"choice": Phase.CHOICE},
    scopes=("test", "match"),
    phases=PHASES,
    first_phase=len(PHASES),
    first_action=CUSTOM,
    max_actions=MAX_CUSTOM,
    offers=("symbols",),
    concerns={
        "test_start": "acting_seat",
        "outcome": "showing_seats",
        "points": "scoring_seat",
        "goes_on": "acting_seat",
        "verdict": "acting_seat",
        "utility": "acting_seat",
    },
    library=services,
    services={
        "options, questions, dice": "allow ask task lot",
        **core.SERVICES,
        "who has the module": "has",
    },
    needs=core.NEEDS,
    answers={"outcome": (-1, 1), "goes_on": (0, 1), "verdict": (0, len(Verdict) - 1)},
    state=tuple(st.state_numbers(1, 1, 3)),
    params=tuple(st.param_numbers(1)),
    codes=(st, hooks),
    constants=st.MEANINGS,
)


@dataclass
class Module(core.Module):
    """One rule module: declare its parts at the top of the file, then write hooks below.

    Its symbols are shown in rounds where the hook `symbols` allows them, its actions are choices before a test where
    the hook `options` does.
    """

    interface: ClassVar[core.Interface] = INTERFACE

    payoff_factor: float = 1.0  # the largest factor by which its hook `utility` enlarges a payoff
    n_symbols: int = 0  # declared by `symbol`

    def symbol(self, name: str, en: str, de: str | None = None) -> Handle:
        """Declare a symbol of the module, before its other actions; returns the action that shows it.

        In the hooks `symbols` and `outcome` its number is that action minus SYMBOL_SHIFT (see `state.py`).
        """
        if len(self.actions) > self.n_symbols:
            raise RulesetError(f"module {self.name}: symbol {name!r}: symbols are declared before other actions")
        handle = self.action(name, en, de)
        self.n_symbols += 1
        return handle

    def default_scope(self) -> str:
        """A field lasts for a test."""
        return "test"
