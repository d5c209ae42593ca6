"""Probespiel: rules of tabletop games, rehearsed by players who never tire."""

__version__ = "0.1.0"
