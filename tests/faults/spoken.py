"""A bot's process that answers as ANSWERS says, one after the other; stands for `probespiel.agents.bot_host`."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import time
from typing import Any

HEADER = struct.Struct("<QI")
MANY = 1 << 32


def host(descriptor: int) -> None:
    """Read a question, say the next answer; after the last one, always the first legal-looking thing."""
    end, answers = socket.socket(fileno=descriptor), json.loads(os.environ["ANSWERS"])
    while True:
        data = b""
        while len(data) < HEADER.size:
            data += end.recv(HEADER.size - len(data)) or os._exit(0)
        number, left = HEADER.unpack(data)
        while left:
            left -= len(end.recv(min(left, 1 << 16)) or os._exit(0))
        answer: dict[str, Any] = answers.pop(0) if answers else {"body": '{"action": 0}'}
        time.sleep(answer.get("wait", 0))
        body = answer["body"].encode("utf-8", "surrogatepass") if "\xff" not in answer["body"] else b"\xff\xfe"
        header = HEADER.pack(
            (number + answer.get("number", 0)) % (1 << 64), max(0, len(body) + answer.get("longer", 0)) % MANY
        )
        for _ in range(answer.get("times", 1)):
            end.sendall(header + body)
        then = answer.get("then", "")
        if then == "close":
            end.close()
            time.sleep(30)
        elif then == "exit":
            os._exit(4)
        elif then:
            os.kill(os.getpid(), signal.SIGKILL if then == "kill" else signal.SIGSTOP)
