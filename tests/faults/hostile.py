"""Hostile cases: texts in every option of every command, messages of bots, bots themselves, and rule modules."""

from __future__ import annotations

import json
import os
import random
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numba
import typer

from .commands import INTERRUPTED, WRONG, run
from .families import BOTS, EDGE, Case, Family, Undisturbed, contents, fresh

# Texts

_COUNTED = {"{long}": lambda: "9" * 5000, "{deep}": lambda: "[" * 50_000, "{x}": lambda: "x" * 100_000}
TEXTS = (
    "", " ", "\t\n", "-", "--", "-1", "0", "1", "2", "1e309", "nan", "inf", "-inf", "0x10", "1_000", "٣", "３", "²",
    "½", "{long}", "-{long}", "{deep}", "{x}", "true", "null", "none", "[]", "{}", '{"a": 1}', "a=1", "=", "a=", "=1",
    ":", "a:b=c", "a,b", ",", ",,", "a\0b", "\udcff", "\ud800", "\u202e", "\x1b[31m", "é", "e\u0301", "😀", "..", "/",
    "/tmp", ".", "~", "/dev/null", "/dev/full", "/proc/self/mem", "/nonexistent/x", "nowhere.json", "nowhere.py",
    "nowhere.npz", "random", "search:sims=0", "search:sims={long}", "policy:file=nowhere", "cfr:file=/dev/null",
    "random@", "@", "a@b@c", "bet={deep}", "bet={long}", "bet=1", "bet=null", "bet=true", "bet=[]", "%s", "{0}",
    "$(x)", "`x`", "'", '"', "\\", "18446744073709551616", "9223372036854775808", "-9223372036854775809",
    "340282366920938463463374607431768211456", "0.5", "1e-400", "kuhn", "leduc", "einblatt", "..json", "*.json",
    "0..0", "fee=0..200", "fee=5..1", "fee=0..{long}", "worth=0..0", "random=1", "self=nan", "self=-1", "past=1e400",
    "past={long}", "entropy=nan", "hidden={long}", "decisions={long}", "games=-1", "0.5 0.5", "LOW HIGH", "\ufeff1",
    "１.５", "1,000", "1 000", "+1", " 1", "1 ", "01",
)  # fmt: skip
_BASES: dict[str, tuple[str, ...]] = {  # what is needed before an option counts; none of them takes long
    "tournament": ("kuhn", "--agents", "random,card_only", "--games", "2", "--jobs", "1", "--seed", "1"),
    "match": ("kuhn", "random", "card_only", "--max-games", "4", "--jobs", "1", "--seed", "1"),
    "play": ("kuhn", "--opponent", "random"), "rules": ("kuhn",), "tutorial": ("kuhn",), "explain": ("bet",),
    "replay": ("nowhere.json",), "solve": ("kuhn", "--out", "s.npz", "--iterations", "1", "--method", "cfr+"),
    "train": ("kuhn", "--learner", "native", "--steps", "1", "--seed", "1"),
    "evaluate-policy": ("nowhere.safetensors",), "stress": ("kuhn", "--module", "nowhere.py", "--budget", "quick"),
    "balance": ("kuhn", "--module", "nowhere.py", "--param", "fee=0..1", "--budget", "quick"),
    "exploit": ("kuhn", "--agent", "random", "--method", "exact"), "compare": ("nowhere", "nowhere2"),
    "verify": ("nowhere.json",), "new-module": ("a", "--system", "kuhn"),
    "builds oneshot": ("--weapon", "nothing"), "hooks": ("kuhn",), "fields": ("kuhn",),
    "bench-rps": ("--matches", "4", "--throws", "10"),  # all it plays by itself takes minutes
    "serve": ("--port", "nothing"), "agents": ("kuhn",),
}  # fmt: skip
_SLOW = {  # (command, option): texts that are right and mean long work
    ("train", "--steps"), ("train", "--minutes"), ("solve", "--iterations"), ("solve", "--seconds"),
    ("serve", "--port"), ("tournament", "--games"), ("tournament", "--max-games"), ("match", "--max-games"),
    ("train", "--threads"), ("exploit", "--seconds"), ("evaluate-policy", "--games"), ("train", "--shipped"),
    ("solve", "--abstract"), ("bench-rps", "--matches"),
}  # fmt: skip
_LARGE = ("18446744073709551616", "9223372036854775808", "340282366920938463463374607431768211456", "{long}", "0.5")


def _options() -> list[tuple[tuple[str, ...], str | None]]:
    """Every command (with its parent) and each of its options by its first name; None: an argument."""
    from probespiel.app.cli import command_line

    found: list[tuple[tuple[str, ...], str | None]] = []

    def look(path: tuple[str, ...], command: Any) -> None:
        for name, below in getattr(command, "commands", {}).items():
            look((*path, name), below)
        if getattr(command, "commands", None):
            return
        found.append((path, None))
        for param in command.params:
            if param.opts and param.opts[0].startswith("--") and not param.is_flag and param.opts[0] != "--help":
                found.append((path, param.opts[0]))

    look((), typer.main.get_command(command_line()))
    return found


def _serves(command: str, option: str | None, text: str) -> bool:
    """Whether a server would start, which goes on until somebody ends it."""
    try:
        return (command, option) == ("serve", "--port") and int(text) >= 0
    except ValueError:
        return False


def draw_texts(rng: random.Random) -> Case:
    """A command with hostile texts in one or two of its options."""
    options = _options()
    path, option = rng.choice(options)
    base = [*path, *_BASES.get(" ".join(path), ())]
    given: list[str] = []
    for chosen in (option, *([rng.choice([o for p, o in options if p == path])] if rng.random() < 0.3 else [])):
        text = rng.choice(TEXTS)
        while ((path[-1], chosen) in _SLOW and text in _LARGE) or _serves(path[-1], chosen, text):
            text = rng.choice(TEXTS)
        if chosen is not None:
            given += [chosen, text]
        elif len(base) > len(path) and (rng.random() < 0.7 or path[0] == "builds"):
            base[len(path)] = text
        else:
            given.append(text)
    return {"arguments": [*base, *given]}


def written(text: str) -> str:
    """A text with what stands in it for a long one."""
    for name, made in _COUNTED.items():
        text = text.replace(name, made())
    return text


def check_texts(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """A line and exit code 2, or whatever the command does; never a traceback, and nothing without end."""
    folder = fresh(place / "case")
    ended = run([written(text) for text in case["arguments"]], folder, stdin="quit\nquit\n")
    said = ended.complaints((0, 1, WRONG))
    last = ended.err.rstrip().rpartition("\n")[2]
    if not said and ended.code == WRONG and len(last) > 2100:
        said.append(f"an error line of {len(last)} characters")
    return [*said, ended.told()] if said else []


# Messages

_ANSWERS: tuple[Any, ...] = (
    {"action": 0}, {"action": 1}, {"action": -1}, {"action": None}, {"action": "0"}, {"action": [0]},
    {"action": 1e300}, {"action": True}, {"action": 2**63}, {"action": 10**40}, {"actions": [0]}, {"actions": []}, {},
    [], None, 0, "x", {"fault": 1, "message": "x"}, {"fault": 2, "message": "\ud800"}, {"fault": 3, "message": "x"},
    {"fault": 1}, {"error": "x"}, {"per_table": False, "batched": True, "apart": True, "tells": False},
    {"action": {"action": {"action": 0}}}, {"action": 0, "": 0},
)  # fmt: skip
_RAW = (
    "",
    "{",
    "}",
    "\xff\xfe",
    "[" * 3000,
    '{"action": NaN}',
    '{"action": 0}{"action": 0}',
    "\0" * 50,
    "GET / HTTP/1.1\r\n",
)


def draw_messages(rng: random.Random) -> Case:
    """What a bot's process does at its first questions: messages of the pipe, right or wrong in one way or several."""
    answers = []
    for number in range(rng.choice((3, 4, 6))):
        good = {0: {"per_table": False, "batched": bool(rng.random() < 0.5), "apart": True, "tells": False}}.get(
            number, {"action": 0}
        )
        spoilt = rng.random() < (0.15 if number == 0 else 0.5)
        body = json.dumps(rng.choice(_ANSWERS)) if rng.random() < 0.6 else rng.choice(_RAW)
        answers.append({
            "body": body if spoilt else json.dumps(good),
            "number": rng.choice((0, 0, 0, 0, 0, 1, -1, 2**32)) if spoilt else 0,
            "longer": rng.choice((0, 0, 0, 0, 1, -1, 2**20, 2**31)) if spoilt else 0,
            "times": rng.choice((1, 1, 1, 2, 40)) if spoilt else 1,
            "wait": rng.choice((0, 0, 0, 0.1, 0.6, 5)) if spoilt else 0,
            "then": rng.choice(("", "", "", "", "", "close", "exit", "kill", "stop")) if spoilt else "",
        })  # fmt: skip
    return {"answers": answers}


def check_messages(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """Whatever comes, the bot alone forfeits, and the tournament is played to its end, or it cannot begin."""
    folder = fresh(place / "case")
    environment = {
        "ANSWERS": json.dumps(case["answers"]),
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
    }

    def prepare() -> None:
        from probespiel.agents import outside

        outside.HOST, outside.GRACE_SECONDS = "spoken", 0.5

    bot = f"{BOTS}:Good"
    arguments = ["tournament", "kuhn", "--agents", f"random,{bot}", "--games", "4", "--seed", "3", "--jobs", "1"]
    ended = run([*arguments, "--move-seconds", "0.3", "--out", "out"], folder, prepare=prepare, environment=environment)
    return _judged(ended, folder)


def _judged(ended: Any, folder: Path) -> list[str]:
    """What is wrong with a tournament of `random` against a bot from outside."""
    said = ended.complaints((0, WRONG))
    if not said and ended.code == 0:
        summary = json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))["summary"]
        names = summary["names"]
        for row in summary["leaderboard"]:
            if names[row["agent"]] == "random" and sum(row["forfeits"]):
                said.append("an agent of the house forfeits for the bot")
        if len(contents(folder, ("out/part-*.parquet",))) == 0:
            said.append("finished without blocks")
    return [*said, ended.told()] if said else []


# Bots

_DEEDS: dict[str, str] = {
    "legal": "pass",
    "raise": "raise RuntimeError('\\ud800' * 10)",
    "exit": "sys.exit(3)",
    "die": "os._exit(9)",
    "kill": "os.kill(os.getpid(), 9)",
    "hang": "time.sleep(30)",
    "spin": "while True: pass",
    "fork": "[os.fork() for _ in range(4)]; time.sleep(20)",
    "thread": "threading.Thread(target=time.sleep, args=(30,)).start()",
    "memory": "keep = bytearray(1 << 32)",
    "lists": "keep = [[0] * 10**6 for _ in range(10**4)]",
    "recurse": "f = lambda: f(); f()",
    "print": "print('x' * 10**6); sys.stderr.write('y' * 10**6)",
    "close": "os.closerange(0, 64)",
    "scribble": "[os.write(n, b'z' * 99) for n in range(3, 20) if valid(n)]",
    "parent": "os.kill(os.getppid(), 15)",
    "group": "os.killpg(os.getpgid(os.getppid()), 15)",
    "write": "open('out/part-00000000.parquet', 'wb').write(b'')",
    "wipe": "import shutil; shutil.rmtree('out')",
    "signals": "[signal.signal(n, signal.SIG_IGN) for n in (2, 15)]; time.sleep(30)",
    "session": "os.setsid()",
    "stop": "os.kill(os.getpid(), signal.SIGSTOP)",
    "alarm": "signal.alarm(1); time.sleep(30)",
    "none": "return None", "text": "return 'bet'", "huge": "return 10**4000", "nan": "return float('nan')",
    "list": "return [0] * 10**6", "self": "return self", "type": "return int", "negative": "return -1",
    "array": "import numpy; return numpy.zeros((2, 2))", "true": "return True", "bytes": "return b'0'",
}  # fmt: skip
_BOT = """
import os, signal, sys, threading, time
from contextlib import suppress
{importing}
def valid(n):
    try:
        os.fstat(n); return True
    except OSError:
        return False
class Bot:
    def __init__(self):
{making}
        self.count = 0
    def reset(self, seed):
{resetting}
    def act(self, view):
        self.count += 1
        if self.count >= {from_}:
{acting}
        return view.legal[0]
"""


def draw_bots(rng: random.Random) -> Case:
    """A bot that does something at one or two of its moments."""
    moments = dict.fromkeys(("importing", "making", "resetting", "acting"), "legal")
    for _ in range(rng.choice((1, 1, 2))):
        moment = rng.choices(list(moments), [1, 1, 2, 5])[0]
        deeds = list(_DEEDS)
        if moment != "acting":
            deeds = [deed for deed in deeds if "return" not in _DEEDS[deed]]
        if moment in ("importing", "making"):  # for which a minute is given, at every start
            deeds = [deed for deed in deeds if "sleep(" not in _DEEDS[deed] and deed != "spin"]
        moments[moment] = rng.choice(deeds)
    return {**moments, "from_": rng.choice((1, 1, 2, 3)), "shared": rng.random() < 0.3}


def check_bots(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """Whatever a bot does, it alone forfeits, and nothing of it is left."""
    folder = fresh(place / "case")
    parts = {
        name: textwrap.indent(_DEEDS[case[name]], " " * indent)
        for name, indent in (("importing", 0), ("making", 8), ("resetting", 8), ("acting", 12))
    }
    (folder / "bot.py").write_text(_BOT.format(**parts, from_=case["from_"]), encoding="utf-8")
    arguments = ["tournament", "kuhn", "--agents", "random,bot.py:Bot", "--games", "4", "--seed", "3", "--jobs", "1"]
    more = ["--shared-bots"] if case["shared"] else []
    ended = run([*arguments, *more, "--move-seconds", "0.5", "--out", "out"], folder)
    return _judged(ended, folder)


# Modules

_ODD = (
    "os._exit(0)", "sys.exit()", "raise KeyboardInterrupt", "raise SystemExit(2)", "raise BaseException('x')",
    "while True: pass", "time.sleep(100)", "os.kill(os.getpid(), 11)", "bytearray(1 << 36)", "print('x' * 10**6)",
    "sys.modules.clear()", "del Module", "module = None", "module = 3", "module = [Module('a', 'b')] * 3",
    "module.hooks = None", "import nothing_like_this", "from probespiel.envs.kuhn.rules import *",
    "sys.setrecursionlimit(10)", "Module('edge', 'twice')", "module.param('fee', 0, 0, 200, doc='again')",
    "module.param('x', 5, 6, 4, doc='no')", "module.param('y' * 1000, 0, 0, 1, doc='\\ud800')",
    "def strength(): pass", "module.field('z', 'f8')", "1 / 0", "\0", "(", "os.closerange(0, 50)",
    "threading.Thread(target=time.sleep, args=(100,)).start()", "sys.stdout = None", "os.chdir('/')",
)  # fmt: skip
_BODIES = (
    "return value", "return None", "return 'x'", "return 1 / 0", "return 10**400", "while True: pass",
    "raise ValueError('no')", "return s.nothing", "s.pot[99] = 1", "return -2**63", "return float('nan')",
    "return value + p.edge_fee", "s[:] = 0", "return open('x').read()", "return strength(s, p, seat, card, value)",
    "return print(value)", "import os; os._exit(0)",
)  # fmt: skip


def draw_modules(rng: random.Random) -> Case:
    """A rule module that declares, or does, what none should; or the text of a good one with some places spoilt."""
    return {
        "command": rng.choice(("verify", "verify", "verify", "tournament", "rules")),
        "lines": [rng.choice(_ODD) for _ in range(rng.choice((0, 1, 1, 2)))],
        "body": rng.choice(_BODIES),
        "spoilt": [[round(rng.random(), 4), rng.randrange(1000)] for _ in range(rng.choice((0, 0, 0, 1, 3)))],
    }


def check_modules(case: Case, place: Path, undisturbed: Undisturbed) -> list[str]:
    """A rule file that breaks is told to be broken, with no traceback and no waiting."""
    folder = fresh(place / "case")
    text = EDGE.read_text(encoding="utf-8").replace("return 3 if card == 0 else value", case["body"])
    head, blank, rest = text.partition("\n\n\n")
    text = "\n".join(["import os, sys, threading, time", head, *case["lines"], blank, rest])
    for share, kind in case["spoilt"]:
        text = _spoilt(text, share, kind)
    (folder / "rule.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    arguments = {
        "verify": ["verify", "rule.py", "--games", "4"],
        "tournament": ["tournament", "kuhn", "--module", "rule.py", "--agents", "random,card_only", "--games", "2",
                       "--jobs", "1", "--out", "out"],
        "rules": ["rules", "kuhn", "--module", "rule.py"],
    }[case["command"]]  # fmt: skip

    def prepare() -> None:  # what is compiled for a broken rule is of no use to anybody; interpreted play will do
        from probespiel.app import trial

        trial.IMPORT_SECONDS = 8.0
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        # numba would read it anew when it first compiles something, in the middle of a rule set
        numba.config.__dict__["DISABLE_JIT"] = 1

    ended = run(arguments, folder, prepare=prepare)
    said = ended.complaints((0, 1, WRONG, INTERRUPTED) if "KeyboardInterrupt" in text else (0, 1, WRONG))
    return [*said, ended.told()] if said else []


def _spoilt(text: str, share: float, kind: int) -> str:
    lines = text.splitlines()
    at = min(int(share * len(lines)), len(lines) - 1)
    line = lines[at]
    words = line.split(" ")
    how = kind % 6
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[kind % len(lines)])
    elif how == 2:
        lines[at] = " ".join(words[: kind % (len(words) + 1)])
    elif how == 3:
        lines[at] = line.replace("(", "((", 1)
    elif how == 4:
        lines[at] = "".join(chr(ord(c) + 1) if c.isdigit() and c != "9" else c for c in line)
    else:
        lines[at] = line[::-1]
    return "\n".join(lines)


HOSTILE: Mapping[str, Family] = {
    "texts": Family(draw_texts, check_texts, ("arguments",), 600),
    "messages": Family(draw_messages, check_messages, ("answers",), 100),
    "bots": Family(draw_bots, check_bots, (), 80),
    "modules": Family(draw_modules, check_modules, ("lines", "spoilt"), 100),
}
