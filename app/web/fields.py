"""What the fields of a form say: numbers, and the action that was chosen."""

from __future__ import annotations

from .guard import Refused


def number_of(text: str) -> int:
    """A whole number of a form; raises Refused."""
    if not text.isascii() or not text.isdecimal() or len(text) > 6:
        raise Refused(400, "bad_form")
    return int(text)


def action_of(fields: dict[str, list[str]]) -> int:
    """The action that a form names: by a button, or by a slider as its place among several; raises Refused."""
    texts = fields.get("action", [])
    if not texts:
        several = fields.get("of", [""])[0].split(",")
        place = number_of(fields.get("place", [""])[0])
        texts = several[place : place + 1]
    if len(texts) != 1:
        raise Refused(400, "bad_form")
    return number_of(texts[0])


__all__ = ["action_of", "number_of"]
