"""What stands on top of a test's scenario, in words: options of the rules, and other modules; whose code it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...envs.core.replay import asks_trust
from ..report.wording import clean_name


class Tested(Protocol):
    """What a report tests: a module in a game, with others that everybody has (None: not kept)."""

    @property
    def game(self) -> str: ...

    @property
    def module(self) -> str: ...

    @property
    def also(self) -> Mapping[str, Any] | None: ...


def trust_of(found: Tested) -> bool:
    """Whether to show a game of a report runs rules that are not built in, which a replay has to be allowed."""
    return asks_trust(found.game, (found.module, *(found.also or ())))


def kept(modules: Mapping[str, Any]) -> dict[str, Any]:
    """Modules with their parameters by name, as a report keeps them."""
    return {name: dict(given or {}) for name, given in modules.items()}


def setting_of(options: Mapping[str, Any] | None, also: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """What it is called and what it is, as far as there is any; None stands for what was not kept."""
    out = []
    if options:
        out.append(("options", _values(options)))
    if also:
        out.append(("everybody has", "; ".join(_module(name, given) for name, given in also.items())))
    return out


def setting_line(options: Mapping[str, Any] | None, also: Mapping[str, Any] | None) -> str:
    """The same without what it is called; a dash if there is none."""
    return "; ".join(text for _, text in setting_of(options, also)) or "–"


def _values(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{clean_name(str(name))}={clean_name(str(value), 200)}" for name, value in given.items())


def _module(name: str, given: Mapping[str, Any]) -> str:
    return f"{clean_name(name, 200)} ({_values(given)})" if given else clean_name(name, 200)


__all__ = ["kept", "setting_line", "setting_of", "trust_of"]
