"""What goes between a match and a bot's process: numbered messages of bounded length, answered within a time limit.

A message is a header (its number, its length) and a body. Questions go out pickled, since the match is trusted; answers
come back as JSON and are believed only if they have the number of the question, fit into the length that an answer to
it may have, and have the form that `checked` knows. Whatever else a bot sends is `Unfit`, and its own fault.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from collections.abc import Mapping
from typing import Any

from .match_kernel import EXCEPTION, ILLEGAL

_HEADER = struct.Struct("<QI")  # number of the question, length of the body
LONGEST = 1 << 14  # bytes of an answer
A_NUMBER = 22  # bytes of an integer of 64 bits in a list
A_CHANCE = 26  # bytes of a number of 64 bits in a list, by its shortest text
LONGEST_TEXT = 2000  # characters of a text in an answer
_PIECE = 1 << 16
# Of an agent: whether it remembers, answers many at once, has neither compiled code nor tells by what it goes, and
# knows its chances.
TRAITS = frozenset(("per_table", "batched", "apart", "tells"))


class Unfit(Exception):
    """Something came that is no answer; the text says what is wrong with it."""


class Pipe:
    """One end of the pipe, over a connected stream socket. Both ends count the questions."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self.number = 0

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def send(self, body: bytes, until: float | None) -> None:
        """Send a message with the number of the current question.

        `until` is a time of `time.monotonic()`, None: without limit. Raises TimeoutError or OSError.
        """
        self._wait_at_most(until)
        self._end.sendall(_HEADER.pack(self.number, len(body)) + body)

    def receive(self, longest: int | None, until: float | None) -> bytes:
        """The body of the next message; raises TimeoutError, EOFError, OSError, or Unfit before it reads a wrong one.

        With a `longest` (bytes), the message must be no longer and have the number of the current question.
        """
        number, length = _HEADER.unpack(self._read(_HEADER.size, until))
        if longest is None:
            self.number = number
        elif number != self.number:
            raise Unfit(f"the answer has the number {number}, the question {self.number}")
        elif length > longest:
            raise Unfit(f"the answer is {length:,} bytes long, {longest:,} are allowed")
        return self._read(length, until)

    def check_silent(self) -> None:
        """Raise Unfit if something lies in the pipe that nobody has asked for, EOFError if its other end is closed."""
        if not select.select([self._end], [], [], 0)[0]:
            return
        if self._end.recv(1, socket.MSG_PEEK):
            raise Unfit("something came that was not asked for")
        raise EOFError

    def _read(self, length: int, until: float | None) -> bytes:
        parts: list[bytes] = []
        while length:
            self._wait_at_most(until)
            part = self._end.recv(min(length, _PIECE))
            if not part:
                raise EOFError
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _wait_at_most(self, until: float | None) -> None:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self._end.settimeout(left)


def checked(kind: str, body: bytes, count: int = 0, width: int = 0) -> dict[str, Any]:
    """The answer to a question of a `kind`, in one of these forms; raises Unfit for everything else.

    - to "start": TRAITS (booleans), or `error` (a text)
    - to "game" or "reset": nothing, or a fault
    - to "one": `action`, an integer of 64 bits, or a fault
    - to "batch": nothing, or `actions`, a list of `count` such integers
    - to "chances": `chances`, None or a list of `count` lists of `width` numbers from 0 to 1, or a fault

    A fault has a `fault` (ILLEGAL or EXCEPTION) and a `message`. Texts are made printable and cut to their longest.
    """
    try:
        answer = json.loads(body.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # ValueError: no UTF-8, no JSON, or an integer of too many digits
        raise Unfit(f"the answer is no JSON ({type(error).__name__})") from None
    if not isinstance(answer, dict):
        raise Unfit("the answer is no JSON object")
    names = frozenset(answer)
    if names == {"error"} and kind == "start":
        return {"error": _text(answer["error"])}
    if names == {"fault", "message"} and kind in ("game", "reset", "one", "chances"):
        if not _is_integer(answer["fault"]) or answer["fault"] not in (ILLEGAL, EXCEPTION):
            raise Unfit("the answer has an unknown fault")
        return {"fault": answer["fault"], "message": _text(answer["message"])}
    wrong = names != {"start": TRAITS, "one": {"action"}}.get(kind, set())
    if kind == "start" and not wrong:
        wrong = not all(isinstance(answer[name], bool) for name in names)
    elif kind == "one" and not wrong:
        wrong = not _is_integer(answer["action"])
    elif kind == "batch" and names == {"actions"}:
        actions = answer["actions"]
        wrong = not (isinstance(actions, list) and len(actions) == count and all(map(_is_integer, actions)))
    elif kind == "chances" and names == {"chances"}:
        rows = answer["chances"]
        wrong = rows is not None and not (
            isinstance(rows, list) and len(rows) == count and all(_are_chances(row, width) for row in rows)
        )
    if wrong:
        raise Unfit(f"the answer has not the form of one to {kind!r}")
    return answer


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63


def _are_chances(row: Any, width: int) -> bool:
    return isinstance(row, list) and len(row) == width and all(isinstance(x, float) and 0 <= x <= 1 for x in row)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unfit("the answer has something else where a text belongs")
    return printable(value)


def printable(text: str) -> str:
    """A text in one line that can be written anywhere: no lone surrogates, no control characters, not too long."""
    line = " ".join(text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8").split())
    return "".join(c if c.isprintable() else "?" for c in line)


def packed(answer: Mapping[str, Any]) -> bytes:
    """An answer as the body of a message."""
    return json.dumps(answer).encode()


__all__ = ["A_CHANCE", "A_NUMBER", "LONGEST", "Pipe", "Unfit", "checked", "packed", "printable"]
