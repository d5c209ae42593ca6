"""The rules of all systems, and the adapters to PettingZoo, Stable-Baselines3 and OpenSpiel."""

from .core import recipes  # noqa: F401 - which lets games be pickled
from .core.registry import game_names, make_game, system_names
from .registration import register_when_needed

__all__ = ["game_names", "make_game", "system_names"]

register_when_needed()
