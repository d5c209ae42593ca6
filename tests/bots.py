"""Bots that misbehave in all ways that a bot can, and some that behave; given to agents as `bots.py:Class`."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from probespiel.agents.base import Agent, Requests


class Good:
    """Plays the first legal action; knows nothing of this project's classes."""

    def act(self, view: Any) -> int:
        return view.legal[0]


class Counting:
    """Remembers: plays by the number of its decisions in a game, and by the seed of the game."""

    def __init__(self) -> None:
        self.seed = self.count = 0

    def reset(self, seed: int) -> None:
        self.seed, self.count = seed, 0

    def act(self, view: Any) -> int:
        self.count += 1
        return view.legal[(self.seed + self.count) % len(view.legal)]


class Modular(Agent):
    """Stateless, and answers in batches: plays by the seed of the decision."""

    def act(self, view: Any) -> int:
        return view.legal[view.seed % len(view.legal)]

    def act_batch(self, requests: Requests) -> np.ndarray:
        return np.array([self.act(requests.view(i)) for i in range(len(requests))])


class Moody(Modular):
    """Stateless; a batch in which one seed is odd fails as a whole."""

    def act(self, view: Any) -> int:
        if view.seed % 4 == 1:
            raise RuntimeError("not today")
        return super().act(view)


class Evil:
    """Cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


def recurse(n: int) -> int:
    return recurse(n + 1) + 1


def hang() -> None:
    while True:
        pass


class Bad:
    """Does what its parameter says, from the second decision of a game on if `late`."""

    def __init__(self, how: str = "raise", late: bool = False) -> None:
        self.how, self.left = how, int(late)
        if how == "refuse":
            raise RuntimeError("I will not play")

    def act(self, view: Any) -> Any:
        if self.left:
            self.left -= 1
            return view.legal[0]
        answers = {
            "illegal": 10**6,
            "negative": -1,
            "nothing": None,
            "float": float(view.legal[0]),
            "text": "pass",
            "huge": 10**5000,
            "bool": True,
            "list": [view.legal[0]],
            "array": np.array(view.legal),
            "evil": Evil(),
        }
        if self.how in answers:
            return answers[self.how]
        actions = {
            "raise": lambda: 1 // 0,
            "hang": hang,
            "sleep": lambda: time.sleep(60),
            "recurse": lambda: recurse(0),
            "quit": lambda: sys.exit(7),
            "die": lambda: os._exit(7),
            "flood": lambda: print("x" * 10**6) or view.legal[0],
        }
        return actions[self.how]()


class EveryBad(Bad):
    """Another kind of `KINDS` in every game: the instances of a process count themselves."""

    KINDS = (
        "raise", "recurse", "quit", "illegal", "negative", "nothing", "float", "text", "huge", "bool", "list", "array",
        "evil",
    )  # fmt: skip
    made = -1  # the first instance only shows that the bot can be made

    def __init__(self) -> None:
        super().__init__(self.KINDS[EveryBad.made % len(self.KINDS)])
        EveryBad.made += 1


class Tells:
    """Tells the seeds that it was given, by an error."""

    def reset(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: Any) -> int:
        raise RuntimeError(json.dumps({"view": view.seed, "reset": self.seed}))


class Talks:
    """Notes in its process which seats it has taken; seat 1 tells them, by an error."""

    seats: ClassVar[set[int]] = set()

    def act(self, view: Any) -> int:
        self.seats.add(view.seat)
        if view.seat == 1:
            raise RuntimeError(f"seats {sorted(self.seats)}")
        return view.legal[0]


class Scribbles(Good):
    """Writes into every descriptor that it finds open."""

    def act(self, view: Any) -> int:
        for number in range(3, 100):
            with suppress(OSError):
                os.write(number, b"scribble" * 50)
        return super().act(view)


class HangsInReset(Good):
    """Hangs before its game begins."""

    def reset(self, seed: int) -> None:
        time.sleep(60)


class HangsInResetOnce(Modular):
    """Stateless; hangs before its first decision."""

    def reset(self, seed: int) -> None:
        time.sleep(60)


class Breeds:
    """Starts processes that leave its group, and tells which, by an error."""

    def act(self, view: Any) -> int:
        born = [subprocess.Popen(["sleep", "600"]).pid]
        born.append(subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
        orphan = "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=-3, start_new_session=True).pid)"
        born.append(int(subprocess.run([sys.executable, "-c", orphan], stdout=-1, check=True, timeout=30).stdout))
        raise RuntimeError("born " + " ".join(map(str, born)))


class Grabs:
    """Takes more than it should get, and tells how far it came, by an error."""

    def act(self, view: Any) -> int:
        tries = {
            "memory": lambda: bytearray(4 << 30),
            "write": lambda: Path(__file__).with_name("grabbed").write_text("x"),
            "remove": Path(__file__).with_name("golden").rmdir,
            "kill": lambda: os.kill(os.getppid(), 0),
            "peek": lambda: os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY),
            "files": lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(1000)],
        }
        found: dict[str, object] = {"descriptors": len(os.listdir("/proc/self/fd")) - 1}
        for name, grab in tries.items():
            try:
                grab()
                found[name] = "done"
            except (OSError, MemoryError) as error:
                found[name] = type(error).__name__
        found["core"] = resource.getrlimit(resource.RLIMIT_CORE)[1]
        found["seconds"] = resource.getrlimit(resource.RLIMIT_CPU)[1]
        raise RuntimeError("grabbed " + " ".join(f"{name}={value}" for name, value in found.items()))
