"""What people read of the questions and dice of modules that stand beside the rules (see `asking`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .asking import ANSWERED, ENTRY

if TYPE_CHECKING:
    from ..actions import ActionTable


@dataclass(frozen=True)
class Voice:
    """`questions`: phase -> what is asked; `dice`: number -> name, both by language; `who`: names of those concerned,
    `words`: how a person reads them in English and German, None: as they are.

    `asking`: whether there is anything of that kind.
    """

    asking: bool = False
    questions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    dice: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    who: Sequence[str] = ()
    words: Sequence[tuple[str, str] | None] = ()
    first_action: int = 0  # where actions of modules begin in the table of the game

    def events(self, record: Any) -> list[int]:
        """What modules asked and threw in the last step: negative numbers, which events of the rules never are."""
        return [-int(entry) for entry in record.mq_log[: int(record.mq_logs)]] if self.asking else []

    def called(self, who: int, lang: str) -> str:
        """Somebody as a person reads it, "" for nobody."""
        if not 0 <= who < len(self.who):
            return ""
        both = self.words[who] if who < len(self.words) else None
        return self.who[who] if both is None else both[lang == "de"]

    def event(self, event: int, actions: ActionTable, lang: str) -> str:
        """One line for such an event."""
        kind, who, what, value = ENTRY.unpack(-event)
        name = self.called(who, lang)
        if kind == ANSWERED:
            return f"{name}: {actions.describe(value, lang)}"
        die = self.dice[what][lang]
        return f"{die} ({name}): {value + 1}" if name else f"{die}: {value + 1}"
