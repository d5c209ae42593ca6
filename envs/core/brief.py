"""Values in messages: short, in one line, and the same from run to run."""

from __future__ import annotations

import re
from typing import Any

LONGEST = 200  # characters
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")  # in what Python says of objects, other ones in every process


def brief(value: Any, longest: int = LONGEST) -> str:
    """What Python shows of a value, cut to `longest` characters; its type if it cannot be shown."""
    try:
        text = without_addresses(repr(value))
    except Exception:  # a foreign __repr__ may raise anything; so do integers of thousands of digits
        return f"<{type(value).__name__}>"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def without_addresses(text: str) -> str:
    """A text without the addresses of objects."""
    return _ADDRESS.sub("", text)


__all__ = ["LONGEST", "brief", "without_addresses"]
