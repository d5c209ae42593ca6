"""The learners by name, as the setting `learner` gives it; one is loaded when it is asked for."""

from __future__ import annotations

from ..envs.core.errors import ProbespielError
from .protocol import Maker


def maker_of(name: str, device: str) -> tuple[Maker, str]:
    """What makes the learner, and the device of torch that it takes for `device`; raises ProbespielError."""
    if name == "native":
        if device not in ("auto", "cpu"):
            raise ProbespielError(f"device = {device!r}: the native learner runs on the CPU; take learner = 'torch'")
        from .native import NativeLearner

        return NativeLearner, "cpu"
    if name == "torch":
        from .learner import TorchLearner

        return TorchLearner, device
    from .sb3 import SB3Learner

    return SB3Learner, device


__all__ = ["maker_of"]
