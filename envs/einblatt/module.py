"""The module interface of einBlatt: `Module` for built-in modules and for those of other authors alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core import modules as core
from ..core.checks import fail
from ..core.modules import ME, Field, Handle, ObservationPiece, Param
from . import hooks, services
from . import state as st
from .actions import BASE_CODES

__all__ = ["INTERFACE", "ME", "Field", "Handle", "Module", "ObservationPiece", "Param"]

LEVELS = ("duel", "melee", "campaign")
WINDOWS = ("after_draw", "before_commit", "after_reveal", "after_test")
BEHAVIOUR = ("against", "against_severe", "accord", "accord_sacrifice")


def fill_mapping(numbers: np.ndarray, module: str, param: str, value: Mapping[str, Any]) -> None:
    """A parameter that maps texts to numbers: `odds` by event, all others by window action; raises RulesetError."""
    for key, amount in value.items():
        if param == "odds":
            names = ("none", *BEHAVIOUR)
            if key not in names:
                raise fail(f"module {module}: odds", key, "events " + ", ".join(names))
            share = (
                round(float(amount) * 100) if isinstance(amount, (int, float)) and not isinstance(amount, bool) else -1
            )
            if share < 0 or abs(share / 100 - float(amount)) > 1e-9:
                raise fail(f"module {module}: odds of {key}", amount, "a multiple of .01 from 0 to 1")
            numbers[names.index(key)] = share
        else:
            if key not in BASE_CODES:
                raise fail(f"module {module}: {param}", key, "a window action such as table_redraw")
            if isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
                raise fail(f"module {module}: {param} of {key}", amount, "a whole number, at least 0")
            numbers[BASE_CODES.index(key)] = amount
    if param == "odds" and sum(numbers[:5]) != 100:
        raise fail(f"module {module}: odds", dict(value), "shares that add up to 1")


INTERFACE = core.Interface(
    system="einblatt",
    hooks=hooks,
    package=f"{__package__}.modules",
    levels=LEVELS,
    windows={name: st.PHASES.index(name) for name in WINDOWS},
    scopes=("test", "conflict", "session", "campaign"),
    phases=st.PHASES,
    first_phase=st.PH_CUSTOM,
    first_action=st.Action.CUSTOM,
    max_actions=st.CUSTOM_ACTIONS,
    switches={"discards_change": "discard"},
    concerns={"build_deck": "seats_of_deck", "exhausted": "seats_of_deck"},
    mapping_size=st.ACTIONS,
    fill_mapping=fill_mapping,
    answers={
        "attribute": (0, 32),
        "hand_size": (-32, 64),
        "draw": (0, 32),
        "draw_pile": (hooks.ASKED, 1),
        "exhausted": (hooks.PASS_ON, 1),
        "offer": (0, 1),
        "playable": (0, 2**63 - 1),
        "card_class": (-1, 15),
        "comparison": (-1, 1),
        "permit": (0, 2**12 - 1),
        "penalty": (0, 32),
        "discard": (hooks.PASS_ON, st.Zone.LIMBO),
        "hand_count": (0, 32),
        "untake": (hooks.PASS_ON, st.Zone.LIMBO),
    },
    needs={services.ask: ("legal_of", "answered"), services.task: ("task",), services.lot: ("fell",), **core.NEEDS},
    library=services,
    services={
        "options, questions, dice": "allow allow_cards allow_plays ask task lot",
        **core.SERVICES,
        "who has the module": "has",
        "ending what goes on": "close_window end_test",
        "draw and discard piles": "draw left supply peek put_back discard discard_openly discard_cards new_pile "
        "shuffle_in shuffle_all draw_wrath",
        "cards in zones": "zone_of take_out put move reveal",
        "values": "attribute_of base_attribute hand_size_of trump_suits class_of plays_of allowed_colour",
        "plays and the record of a test": "free_slots lay_open play_openly compare outcome_for recorded_cards "
        "open_cards_of replace set_result restrict",
        "events": "emit whisper note",
    },
    state=tuple(st.state_numbers(2, 1)),
    params=tuple(st.param_numbers(2)),
    codes=(st, hooks),
    constants=st.MEANINGS,
    stopped="s.status == 2",
    stack=True,
)


@dataclass
class Module(core.Module):
    """One rule module of einBlatt: declare its parts at the top of the file, then write hooks below."""

    interface: ClassVar[core.Interface] = INTERFACE

    creation: Callable[[dict[str, Any], dict[str, Any]], list[str]] | None = None

    def default_scope(self) -> str:
        """A field lasts for a conflict."""
        return "conflict"

    def character(self, function: Callable[[dict[str, Any], dict[str, Any]], list[str]]) -> Any:
        """Mark a plain function (seat, parameters) -> texts of violated rules: asked for every pc when a game is built.

        `seat` holds its fields and `entries`: attribute name -> attribute, suits, forbidden, skills.
        """
        self.creation = function
        return function
