"""The distinct errors of the rules side; every one is a ValueError with a text made for the reader."""

from __future__ import annotations


class ProbespielError(ValueError):
    """Base of all errors that a wrong input can cause; its text names the input, the value and what is allowed."""


class IllegalAction(ProbespielError):
    """An action that is not legal now; the state is unchanged."""


class UnparsableAction(ProbespielError):
    """A text that names no action of the game."""


class RulesetError(ProbespielError):
    """A scenario, a parameter or a rule module that cannot be built."""


class WrongLevel(RulesetError):
    """A rule module that does not know the kind of play it is wanted for."""


class ReplayError(ProbespielError):
    """A replay file that is damaged, or that belongs to other rules."""
