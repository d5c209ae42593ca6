"""Pictures that are drawn once for all pages that show the same one: to draw them is most of the time of a page."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from probespiel.evaluation.report.phrases import Phrasebook


def draw_once(
    patch: pytest.MonkeyPatch, module: ModuleType, *names: str, seen: Callable[[Any], Any] = lambda value: value
) -> None:
    """Keep what functions of a module draw, by all that they are given.

    `seen` takes out of an argument what no picture shows, where pages that differ in nothing else follow each other.
    """
    for name in names:
        patch.setattr(module, name, _keeping(getattr(module, name), seen))


def _keeping(draw: Callable[..., str], seen: Callable[[Any], Any]) -> Callable[..., str]:
    known: dict[str, str] = {}

    def drawn(*given: Any) -> str:
        told = repr([value.lang if isinstance(value, Phrasebook) else seen(value) for value in given])
        assert " at 0x" not in told, "what has no text of its own may be another thing at the same place"
        if told not in known:
            known[told] = draw(*given)
        return known[told]

    return drawn
