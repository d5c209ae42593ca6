"""A bot's process that breaks the protocol; takes the place of `probespiel.agents.bot_host`. LIE names what it does.

It needs no more than the standard library, so that it starts at once. LIES are what it answers to a question for one
decision, STARTS to the first question, GAMES to that for a new game, BATCHES to that for two decisions.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Mapping

HEADER = struct.Struct("<QI")
SLEEP = 60.0
FLOOD = 600 << 20  # bytes


class Line:
    """The socket, and the number of the question that was read last."""

    def __init__(self, descriptor: int) -> None:
        self.end = socket.socket(fileno=descriptor)
        self.number = 0

    def read(self) -> None:
        """Read a question and forget it."""
        data = b""
        while len(data) < HEADER.size:
            data += self.end.recv(HEADER.size - len(data)) or os._exit(0)
        self.number, left = HEADER.unpack(data)
        while left:
            left -= len(self.end.recv(min(left, 1 << 16)) or os._exit(0))

    def body(self, body: bytes, number: int | None = None, length: int | None = None) -> None:
        """Send a body under a header of its own, or under a wrong one."""
        head = HEADER.pack(self.number if number is None else number, len(body) if length is None else length)
        self.end.sendall(head + body)

    def slowly(self, body: bytes) -> None:
        """Send an answer byte by byte."""
        for byte in HEADER.pack(self.number, len(body)) + body:
            self.end.sendall(bytes([byte]))
            time.sleep(0.05)

    def flood(self) -> None:
        """Send more than anybody can want, as long as somebody reads."""
        self.end.sendall(HEADER.pack(self.number, FLOOD))
        for _ in range(FLOOD >> 20):
            self.end.sendall(bytes(1 << 20))


Lie = Callable[[Line], object]


def says(body: bytes | str) -> Lie:
    """Send a whole message."""
    return lambda line: line.body(body if isinstance(body, bytes) else body.encode())


def fault(**parts: object) -> Lie:
    return says(json.dumps(parts))


def then(*acts: Lie) -> Lie:
    """Several lies after each other."""
    return lambda line: [act(line) for act in acts]


def hang(_: Line) -> None:
    time.sleep(SLEEP)


GOOD = says('{"action": 0}')
LIES: dict[str, Lie] = {
    # what is no JSON, or not what is asked for
    "nothing": says(b""),
    "no JSON": says("pass"),
    "two objects": says('{"action": 0}{"action": 0}'),
    "no UTF-8": says(b'{"action": "\xff\xfe"}'),
    "UTF-16": says('{"action": 0}'.encode("utf-16")),
    "zeros": says(bytes(5000)),
    "brackets": says("[" * 16_000),
    "braces": says('{"action":' * 1600),
    "list": says("[0]"),
    "number": says("0"),
    "null": says("null"),
    "empty": says("{}"),
    "answer to another question": says('{"actions": [0, 0]}'),
    "more than asked": says('{"action": 0, "more": 1}'),
    "5000 digits": says('{"action": ' + "9" * 5000 + "}"),
    "65 bits": says('{"action": 9223372036854775808}'),
    "far below": says('{"action": -99999999999999999999}'),
    "nan": says('{"action": NaN}'),
    "infinity": says('{"action": -Infinity}'),
    "float": says('{"action": 0.0}'),
    "exponent": says('{"action": 1e2}'),
    "bool": says('{"action": true}'),
    "text": says('{"action": "0"}'),
    "action in a list": says('{"action": [0]}'),
    "action null": says('{"action": null}'),
    "pickle": says(b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x06action\x94K\x00s."),
    # faults of the wrong form
    "fault unknown": fault(fault=9, message="x"),
    "fault of time": fault(fault=3, message="x"),
    "fault bool": fault(fault=True, message="x"),
    "fault without message": fault(fault=1),
    "message is a list": fault(fault=1, message=["x"]),
    # headers
    "old number": lambda line: line.body(b'{"action": 0}', number=line.number - 1),
    "number to come": lambda line: line.body(b'{"action": 0}', number=line.number + 1),
    "largest number": lambda line: line.body(b'{"action": 0}', number=2**64 - 1),
    "length without end": lambda line: line.body(b'{"action": 0}', length=2**32 - 1),
    "too long": says('{"action": 0' + " " * 20_000 + "}"),
    "flood": lambda line: line.flood(),
    "noise": lambda line: line.end.sendall(b"GET / HTTP/1.1\r\n\r\n"),
    # time
    "half a header": then(lambda line: line.end.sendall(b"\x01\x00"), hang),
    "half a body": then(lambda line: line.body(b'{"act', length=13), hang),
    "drops": lambda line: line.slowly(b'{"action": 0}' + b" " * 100),
    "silence": hang,
    # ends
    "half and gone": then(lambda line: line.body(b'{"act', length=13), lambda _: os._exit(3)),
    "closed": then(lambda line: line.end.close(), hang),
    "gone": lambda _: os._exit(7),
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "overrun": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    # right at first, or by itself
    "twice": then(GOOD, GOOD),
    "afterthought": then(GOOD, lambda line: line.end.sendall(b"x")),
    "good and gone": then(GOOD, lambda _: os._exit(5)),
    "good and deaf": then(GOOD, hang),
    "good": GOOD,
    "surrogates": fault(fault=2, message="\ud800 and \udfff"),
    "controls": fault(fault=1, message="a\x00b\x1b[2Jc\nd"),
    "long message": fault(fault=2, message="x" * 9000),
}
TRAITS = '{"per_table": false, "batched": true, "apart": true, "tells": false}'
STARTS: dict[str, Lie] = {
    "start no JSON": says("hello"),
    "start error is a number": says('{"error": 3}'),
    "start error": says(json.dumps({"error": "I will \ud800 not"})),
    "start traits are numbers": says('{"per_table": 0, "batched": 1, "apart": 0, "tells": 1}'),
    "start half": says('{"per_table": false}'),
    "start long": says(" " * 20_000),
    "start gone": lambda _: os._exit(1),
}
DEAF: dict[str, Lie] = {"deaf": then(says(TRAITS), hang)}  # does not even see that the pipe is closed
GAMES: dict[str, Lie] = {
    "game action": GOOD,
    "game fault": fault(fault=2, message="no"),
    "game hangs": hang,
    "game list": says("[]"),
}
BATCHES: dict[str, Lie] = {
    "batch short": says('{"actions": [0]}'),
    "batch long": says('{"actions": [0, 0, 0]}'),
    "batch floats": says('{"actions": [0.0, 0.0]}'),
    "batch bools": says('{"actions": [true, false]}'),
    "batch large": says('{"actions": [0, 9223372036854775808]}'),
    "batch text": says('{"actions": "00"}'),
    "batch deep": says('{"actions": [[0], [0]]}'),
    "batch null": says('{"actions": null}'),
}


def host(descriptor: int) -> None:
    """Answer as LIE says, and everything else as is right."""
    name, line = os.environ["LIE"], Line(descriptor)

    def answer(lies: Mapping[str, Lie], otherwise: str) -> None:
        line.read()
        lies.get(name, says(otherwise))(line)

    answer(
        {**STARTS, **DEAF},
        TRAITS if name not in GAMES else '{"per_table": true, "batched": false, "apart": false, "tells": false}',
    )
    answer(GAMES, "{}")
    while True:
        answer(BATCHES if name in BATCHES else LIES, '{"action": 0}')
