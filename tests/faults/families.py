"""The kinds of cases of the campaign: each draws a case from a generator, tries it, and knows what must hold.

A case is plain JSON, so that it can be printed, repeated and made smaller. `check` returns complaints, none if all is
well: no traceback, a sensible exit code, no hang, nothing left running, no finished block lost, no result changed.
"""

from __future__ import annotations

import hashlib
import io
import random
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from .commands import INTERRUPTED, WRONG, Ended, Fault, run

Case = dict[str, Any]
BOTS = Path(__file__).resolve().parents[1] / "bots.py"
EDGE = Path(__file__).resolve().parents[1] / "planted_costs" / "edge.py"


@dataclass(frozen=True)
class Command:
    """A command that writes results: its arguments, what it is told, and which of its files are the results.

    `finished` are the files that hold finished work: once there, they stay, whatever happens afterwards. `resume` are
    the arguments that go on with it; None: it is begun anew. `overwrite`: what drops what there is.
    """

    arguments: Sequence[str]
    same: Sequence[str] = ("out/**/*",)
    finished: Sequence[str] = ()
    stdin: str = ""
    resume: Sequence[str] | None = None
    overwrite: Sequence[str] = ()
    weight: int = 1


def _tournament(*more: str, agents: str = "random,card_only,search:sims=10", weight: int = 4) -> Command:
    arguments = ["tournament", "kuhn", "--agents", agents, "--seed", "7", "--out", "out", *more]
    return Command(
        arguments, finished=("out/part-*",), resume=[*arguments, "--resume"], overwrite=["--overwrite"], weight=weight
    )


def _resumable(*arguments: str, same: Sequence[str], weight: int = 1, finished: Sequence[str] = ()) -> Command:
    given = [*arguments, "--out", "out"]
    return Command(given, same, finished, "", [*given, "--resume"], ["--overwrite"], weight)


_MATCH = ["match", "kuhn", "random", "card_only", "--sprt", "0.4", "0.6", "--max-games", "200", "--seed", "7"]
_PLAY = ["play", "kuhn", "--seed", "3", "--opponent", "card_only"]
_LAB = ["--module", str(EDGE), "--budget", "quick", "--seed", "2", "--jobs", "1"]
COMMANDS: dict[str, Command] = {
    "fixed": _tournament("--games", "24", "--jobs", "1", weight=8),
    "until": _tournament("--until", "best", "--max-games", "60", "--jobs", "1", agents="random,card_only", weight=6),
    "bot": _tournament("--games", "8", "--jobs", "1", agents=f"random,{BOTS}:Modular", weight=2),
    "workers": _tournament("--games", "8", "--jobs", "2", agents=f"random,{BOTS}:Modular", weight=1),
    "match": Command(
        [*_MATCH, "--jobs", "1", "--out", "out"], finished=("out/part-*",),
        resume=[*_MATCH, "--jobs", "1", "--out", "out", "--resume"], overwrite=["--overwrite"], weight=2,
    ),
    "train": _resumable(
        "train", "kuhn", "--learner", "native", "--steps", "12000", "--seed", "3", "--checkpoint-minutes", "0",
        same=("out/policy.safetensors",), weight=4,
    ),
    "exploit": _resumable(
        "exploit", "kuhn", "--agent", "random", "--method", "exact", same=("out/exploit.json", "out/replay.json"),
        weight=2,
    ),
    "solve": Command(["solve", "kuhn", "--method", "cfr+", "--iterations", "50", "--out", "out/s.npz"], weight=1),
    "play": Command(_PLAY, ("data/games/*.json",), stdin="1\n" * 40, resume=["resume"], weight=4),
    "stress": _resumable("stress", "kuhn", *_LAB, "--param", "fee=50", same=("out/report.json",), weight=0),
    "balance": _resumable(
        "balance", "kuhn", *_LAB, "--param", "fee=0..200", same=("out/balance.json",), weight=0,
    ),
}  # fmt: skip
LONG = ("stress", "balance")
_CLOCK = re.compile(rb'"(seconds|spent)": [0-9.e+-]+')  # how long it took is no result


def contents(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """The files of a folder that fit some patterns, without temporary ones; a replay's name tells a time, its place."""
    found: dict[str, bytes] = {}
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            if path.is_file() and not path.name.endswith(".tmp"):
                name = path.parent.relative_to(folder).as_posix() if pattern.startswith("data/") else path.name
                data = _CLOCK.sub(b"", path.read_bytes()) if path.suffix == ".json" else path.read_bytes()
                found[f"{name}/{path.suffix}" if pattern.startswith("data/") else name] = data
    return found


class Undisturbed:
    """Results of commands to which nothing has happened, each made once; raises RuntimeError if one fails by itself."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._known: dict[str, tuple[dict[str, bytes], int]] = {}

    def of(self, name: str) -> tuple[dict[str, bytes], int]:
        """The results of a command, and in how many steps it made them."""
        if name not in self._known:
            command = COMMANDS[name]
            ended = run(command.arguments, fresh(self.folder(name)), stdin=command.stdin)
            if found := ended.complaints((0,)):
                raise RuntimeError(f"{name} fails by itself: {'; '.join(found)}\n{ended.told()}")
            self._known[name] = contents(self.folder(name), command.same), ended.steps
        return self._known[name]

    def folder(self, name: str) -> Path:
        """Where the command has worked; not to be changed."""
        folder = self._place / f"undisturbed-{name}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder


@dataclass(frozen=True)
class Family:
    """A kind of cases: how one is drawn, what is wrong with it, and which of its fields may be made smaller."""

    draw: Callable[[random.Random], Case]
    check: Callable[[Case, Path, Undisturbed], list[str]]
    smaller: Sequence[str]
    count: int


# Stopped, refused, full


def draw_disturbed(rng: random.Random) -> Case:
    """A command, and one to three things that happen to it before it is left in peace."""
    names = [name for name, command in COMMANDS.items() if command.weight]
    name = rng.choices(names, [COMMANDS[n].weight for n in names])[0]
    return {"command": name, "faults": [_fault(rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]}


def draw_long(rng: random.Random) -> Case:
    """The same for the lab, whose tests take longer."""
    return {"command": rng.choice(LONG), "faults": [_fault(rng, 40.0)]}


def _fault(rng: random.Random, seconds: float = 3.0) -> dict[str, Any]:
    # shares of the steps that the command takes, so that short and long ones are hit everywhere
    kind = rng.choice(("signal", "signal", "after", "refuse", "largest"))
    name = rng.choice(("KILL", "KILL", "TERM", "INT"))
    if kind == "signal":
        return {"signal": f"SIG{name}", "share": round(rng.random(), 3)}
    if kind == "after":
        return {"signal": f"SIG{name}", "after": round(rng.random() * seconds, 2)}
    if kind == "refuse":
        refused = rng.choice(("ENOSPC", "ENOSPC", "EIO", "EACCES", "EROFS", "EDQUOT", "EMFILE"))
        return {"refuse": refused, "share": round(rng.random(), 3), "lasting": rng.random() < 0.6}
    return {"largest": rng.choice((0, 1, 100, 1000, 3000, 10_000, 30_000, 100_000))}


def check_disturbed(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """Disturb a command, leave it in peace, and compare what there is then."""
    command = COMMANDS[case["command"]]
    expected, steps = undisturbed.of(case["command"])
    folder = fresh(place / "case")
    begun = False
    for number, given in enumerate(case["faults"]):
        fault: dict[str, Any] = {k: v for k, v in given.items() if k != "share"}
        if "share" in given:
            fault["step"] = 1 + int(given["share"] * steps)
        before, old = contents(folder, command.finished), set(folder.rglob("*.tmp"))
        ended = _go(command, folder, begun, fault)
        said = [f"disturbed {number + 1}: {text}" for text in ended.complaints(_codes_after(fault, begun))]
        after = contents(folder, command.finished)
        lost = [name for name, data in before.items() if after.get(name) != data]
        if lost and ended.code != 0:
            said.append(f"disturbed {number + 1}: finished work is lost or changed: {', '.join(lost[:3])}")
        if ended.code >= 0 and (litter := [p.name for p in folder.rglob("*.tmp") if p not in old]):
            said.append(f"disturbed {number + 1}: temporary files stay: {', '.join(litter[:3])}")
        if said:
            return [*said, ended.told()]
        begun = True
    ended = _go(command, folder, begun, {})
    said = ended.complaints((0,))
    found = contents(folder, command.same)
    if not said and found != expected:
        wrong = sorted({*found, *expected} - {n for n in found if found[n] == expected.get(n)})
        said.append(f"results differ from those of the undisturbed run: {', '.join(wrong[:4])}")
    return [f"left in peace: {text}" for text in said] + ([ended.told()] if said else [])


def _go(command: Command, folder: Path, begun: bool, fault: Fault) -> Ended:
    """Begin a command or go on with it, as a person would: who is told that nothing can go on begins anew."""
    if begun and command.resume is not None:
        ended = run(command.resume, folder, fault, stdin=command.stdin)
        if ended.code != WRONG or fault:
            return ended
        # nothing was begun, or what was there is of no use
        ended = run([*command.arguments, *command.overwrite], folder, fault, stdin=command.stdin)
        return ended
    return run([*command.arguments, *(command.overwrite if begun else ())], folder, fault, stdin=command.stdin)


def _codes_after(fault: Fault, begun: bool) -> tuple[int, ...]:
    codes = {"SIGKILL": (0, -9), "SIGTERM": (0, INTERRUPTED, 143, -15), "SIGINT": (0, INTERRUPTED)}
    if "signal" not in fault:
        return (0, WRONG)
    return (*codes[fault["signal"]], *((WRONG,) if begun else ()))  # there may be nothing that can go on


def fresh(folder: Path) -> Path:
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


# Torn and garbled files


GARBAGE = (
    b"", b"\0" * 200, b"\xff\xfe\xfd", b"null", b"[]", b"{}", b"[" * 100_000, b'{"a": ' * 50_000, b"9" * 5000, b"NaN",
    b'{"format": 3, "x": 1e999}', b"PAR1PAR1", b"PK\x05\x06" + b"\0" * 18, b"\x93NUMPY\x01\x00", b"\n" * 1000,
    "\ud800".encode("utf-8", "surrogatepass"), b"\xff" * 8 + b"{}", b"\x10\0\0\0\0\0\0\0{\"__metadata__\":",
)  # fmt: skip
_READERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...] | None]] = {
    # what is damaged: whose results, which files, who reads them (None: the command goes on)
    "tournament": ("fixed", ("out/*",), None),
    "sequential": ("until", ("out/*",), None),
    "training": ("train", ("out/checkpoint.safetensors",), None),
    "policy": ("train", ("out/policy.safetensors",), (
        "tournament", "kuhn", "--agents", "random,policy:file=out/policy.safetensors", "--games", "8", "--seed", "1",
        "--jobs", "1", "--out", "read",
    )),
    "tried policy": ("train", ("out/policy.safetensors",), (
        "evaluate-policy", "out/policy.safetensors", "--games", "20",
    )),
    "strategy": ("solve", ("out/s.npz",), (
        "tournament", "kuhn", "--agents", "random,cfr:file=out/s.npz", "--games", "8", "--seed", "1", "--jobs", "1",
        "--out", "read",
    )),
    "exploit": ("exploit", ("out/settings.json", "out/answer.npz"), None),
    "replay": ("exploit", ("out/replay.json",), ("replay", "out/replay.json")),
    "loaded": ("exploit", ("out/replay.json",), ("play", "kuhn", "--load", "out/replay.json")),
}  # fmt: skip


DAMAGE = ("cut", "flip", "flip", "zeros", "garbage", "remove", "folder", "swap", "double", "digit")


def draw_damaged(rng: random.Random) -> Case:
    """A finished or half finished piece of work, and damage to one to three places of it."""
    reader = rng.choices(list(_READERS), [6, 4, 4, 3, 1, 3, 2, 3, 2])[0]
    return {"reader": reader, "damage": [_damage(rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]}


def _damage(rng: random.Random) -> dict[str, Any]:
    how = rng.choice(DAMAGE)
    return {"file": rng.randrange(1000), "how": how, "share": round(rng.random(), 4), "kind": rng.randrange(1000)}


def check_damaged(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """Damage files, then read them: what is read is as before, or it is said in a line what is wrong."""
    source, patterns, reader = _READERS[case["reader"]]
    expected, _ = undisturbed.of(source)
    folder = fresh(place / "case")
    shutil.copytree(undisturbed.folder(source), folder, dirs_exist_ok=True)
    plain = COMMANDS[source]
    told: list[str] = []
    for damage in case["damage"]:
        files = sorted({p for pattern in patterns for p in folder.glob(pattern) if p.is_file()})
        if files:
            path = files[damage["file"] % len(files)]
            told.append(f"{path.relative_to(folder)}: {damage['how']}")
            spoil(path, files, damage)
    command = plain.resume if reader is None else reader
    assert command is not None
    ended = run(command, folder, stdin="quit\n")
    said = ended.complaints((0, WRONG))
    if not said and reader is None and ended.code == 0:
        # a part may stay that differs where it says nothing; what is made of its rows may not
        found = {n: data for n, data in contents(folder, plain.same).items() if not n.startswith("part-")}
        expected = {n: data for n, data in expected.items() if not n.startswith("part-")}
        if found != expected:
            wrong = sorted({*found, *expected} - {n for n in found if found[n] == expected.get(n)})
            said.append(f"results differ from those of undamaged files: {', '.join(wrong[:4])}")
    if not said and reader is not None and ended.code == 0 and case["reader"] in ("policy", "strategy", "replay"):
        key = f"read-{case['reader']}"
        if ended_output(folder, ended) != _as_read(key, reader, source, place, undisturbed):
            said.append("what is read differs from what was written, and nobody says so")
    return [*said, f"    damage: {'; '.join(told)}", ended.told()] if said else []


_READ: dict[tuple[str, Path], str] = {}


def _as_read(key: str, reader: Sequence[str], source: str, place: Path, undisturbed: Undisturbed) -> str:
    if (key, place) not in _READ:
        folder = fresh(place / key)
        shutil.copytree(undisturbed.folder(source), folder, dirs_exist_ok=True)
        _READ[key, place] = ended_output(folder, run(reader, folder, stdin="quit\n"))
    return _READ[key, place]


def ended_output(folder: Path, ended: Ended) -> str:
    """What a reading command has shown, and a hash of the games that it has written.

    A block is told apart by a fingerprint of the files of those who play: it differs where a byte of a file does that
    holds nothing.
    """
    parts = []
    for _, data in sorted(contents(folder, ("read/part-*",)).items()):
        table = parquet.read_table(io.BytesIO(data))
        kept = {k: v for k, v in (table.schema.metadata or {}).items() if k != b"probespiel.fingerprint"}
        told = table.replace_schema_metadata(kept)
        written = pa.BufferOutputStream()
        with pa.ipc.new_stream(written, told.schema) as stream:
            stream.write_table(told)
        parts.append(hashlib.sha256(written.getvalue()).hexdigest())
    return "\n".join([ended.out, *parts])


def spoil(path: Path, others: Sequence[Path], damage: Mapping[str, Any]) -> None:
    """Damage a file."""
    data, how = bytearray(path.read_bytes()), damage["how"]
    at = min(int(damage["share"] * len(data)), max(len(data) - 1, 0))
    if how not in DAMAGE:
        raise LookupError(how)
    if how == "remove":
        path.unlink()
        return
    if how == "folder":
        path.unlink()
        path.mkdir()
        return
    if how == "cut":
        del data[at:]
    elif how == "flip" and data:
        data[at] ^= 1 << damage["kind"] % 8
    elif how == "zeros":
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif how == "garbage":
        data = bytearray(GARBAGE[damage["kind"] % len(GARBAGE)])
    elif how == "swap":
        data = bytearray(others[damage["kind"] % len(others)].read_bytes())
    elif how == "double":
        data = data + data
    elif how == "digit":  # another number in a text, or in what looks like one
        digits = [i for i in range(at, min(at + 400, len(data))) if 48 <= data[i] <= 57]
        for i in digits[:1]:
            data[i] = 48 + (data[i] - 48 + 1 + damage["kind"] % 9) % 10
    path.write_bytes(bytes(data))


FAMILIES: dict[str, Family] = {
    "disturbed": Family(draw_disturbed, check_disturbed, ("faults",), 200),
    "damaged": Family(draw_damaged, check_damaged, ("damage",), 200),
    "lab": Family(draw_long, check_disturbed, ("faults",), 4),
}
