"""Rule files of others that end the process, never return, or reach for memory that is not theirs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from probespiel.app import trial
from probespiel.app.cli import run
from probespiel.app.common import modules_of
from probespiel.envs import make_game
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.jit import config
from probespiel.envs.core.modules.load import load_module
from probespiel.envs.kuhn.module import INTERFACE

RULES = '''"""Counts the decisions of a game."""

{head}
from probespiel.envs.kuhn.module import Module

module = Module("mine", "Counts.")
module.state("count")
{top}


@module.hook
def moved(s, p, seat, action):
    {body}
'''


def rules(folder: Path, head: str = "import numpy as np", top: str = "", body: str = "s.mine_count += 1") -> Path:
    path = folder / "mine.py"
    path.write_text(RULES.format(head=head, top=top, body=body))
    return path


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("import os\nos._exit(0)", "ended with exit code 0 before all was checked"),
        ("import os\nos._exit(3)", "ended with exit code 3"),
        ("import os\nos.kill(os.getpid(), 11)", "was ended by SIGSEGV"),
        ("import ctypes\nctypes.string_at(0)", "was ended by SIGSEGV"),
    ],
)
def test_rules_that_end_the_process_when_they_are_imported_are_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], head: str, told: str
) -> None:
    path = rules(tmp_path, head)
    assert run(["verify", "--module", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "FAIL rules of others" in shown and "0 passed, 1 failed" in shown
    assert f"'{path}': broken: the process that plays them {told}" in shown
    with pytest.raises(trial.Broken, match="broken: the process"):
        modules_of([str(path)])
    assert run(["tournament", "kuhn", "--module", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "broken: the process that plays them" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_rules_that_interrupt_themselves_end_their_process_without_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """At once, though they leave a thread running, for which an interpreter would wait."""
    waits = "import threading, time\nthreading.Thread(target=time.sleep, args=(100,)).start()"
    path = rules(tmp_path, f"{waits}\nraise KeyboardInterrupt")
    assert run(["verify", "--module", str(path)]) == 1
    said = capfd.readouterr()
    assert f"'{path}': broken: the process that plays them was ended by SIGINT" in said.out
    assert "Traceback" not in said.err


def test_rules_that_end_the_process_when_they_are_played_are_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # what checks the parameters is plain Python, called when a game is built
    path = rules(tmp_path, "import os", "module.check = lambda values: os._exit(0)")
    assert run(["verify", "--module", str(path)]) == 1
    assert "ended with exit code 0" in capsys.readouterr().out


def test_rules_that_never_return_are_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "IMPORT_SECONDS", 1.0)
    begun = time.monotonic()
    assert run(["verify", "--module", str(rules(tmp_path, "while True:\n    pass"))]) == 1
    assert "broken: not imported after 1 s; a rule file only declares" in capsys.readouterr().out
    assert time.monotonic() - begun < 10


def test_rules_that_leave_a_thread_are_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command could not end before the thread does."""
    path = rules(tmp_path, "import threading, time\nthreading.Thread(target=time.sleep, args=(30,)).start()")
    begun = time.monotonic()
    assert run(["rules", "kuhn", "--module", str(path)]) == 2
    shown = capsys.readouterr().err
    assert f"'{path}': broken: it leaves a thread" in shown and "a rule file only declares" in shown
    assert time.monotonic() - begun < 20


def test_rules_of_examples_are_played_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules(tmp_path, "import os\nos._exit(0)")
    case = {"id": "one", "kind": "play", "setup": {"modules": {"mine.py": {}}}, "expect": {}, "steps": []}
    examples = tmp_path / "cases.json"
    examples.write_text(json.dumps({"system": "kuhn", "schema": 1, "title": "t", "cases": [case]}))
    assert run(["verify", str(examples)]) == 1
    assert "broken: the process that plays them ended with exit code 0" in capsys.readouterr().out


def test_sound_rules_and_rules_that_raise_are_told_as_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--module", str(rules(tmp_path)), "--games", "1"]) == 0
    assert "1 passed, 0 failed" in capsys.readouterr().out
    assert run(["verify", "--module", str(rules(tmp_path, "1 // 0"))]) == 2
    assert "mine.py:3: ZeroDivisionError" in capsys.readouterr().err
    assert run(["verify", "--module", str(tmp_path / "nowhere.py")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_games_that_a_module_is_not_for_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--module", "after_card", "--games", "1"]) == 0
    told = capsys.readouterr().out
    assert "ok   einblatt-duel (1 games" in told and told.count("einblatt-melee") == 1
    assert "left out, as a module is not for them (its levels): einblatt-melee\n" in told
    assert run(["verify", "--module", "after_card", "--games", "1", "--quiet"]) == 0
    assert "left out" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("head", "top", "body", "what"),
    [
        ("from probespiel.envs.core.entry import int64_at", "", "int64_at(8, 1)[0] = action", "int64_at"),
        ("from probespiel.envs.core import entry", "", "entry.int64_at(8, 1)[0] = action", "entry.int64_at"),
        ("from probespiel.envs.core.abi import zero_bytes", "", "zero_bytes(8, 8)", "zero_bytes"),
        ("from probespiel.envs.core.abi import call_kernel", "", "call_kernel(8, 1, 0, 0, 0, 0, 0)", "call_kernel"),
        ("import probespiel.envs.core.abi", "", "probespiel.envs.core.abi.copy_bytes(8, 16, 8)", "abi.copy_bytes"),
        ("from probespiel.envs.core.abi import address_of as where", "", "s.mine_count = where(s)", "where"),
        ("from probespiel.envs.core.abi import copy_bytes", "ALL = (copy_bytes,)", "ALL[0](8, 16, 8)", "ALL"),
        ("from probespiel.envs.kuhn import rules", "", "rules.apply(s, p, seat, action)", "rules.apply"),
        ("import numpy as np", "", "s.mine_count = np.frombuffer(b'12345678')[0]", "np.frombuffer"),
        (
            "import numpy as np",
            "",
            "s.mine_count = np.lib.stride_tricks.as_strided(s, (9,))[8]",
            "np.lib.stride_tricks.as_strided",
        ),
        ("import numpy as np", "", "s.mine_count = np.lib.format.open_memmap('x')[0]", "np.lib.format.open_memmap"),
        ("from numpy.lib.stride_tricks import as_strided", "", "s.mine_count = as_strided(s, (9,))[8]", "as_strided"),
        ("from numpy.lib import stride_tricks as t", "", "s.mine_count = t.as_strided(s, (9,))[8]", "t.as_strided"),
        ("from numpy.lib.stride_tricks import as_strided as far", "", "s.mine_count = far(s, (9,))[8]", "far"),
        ("from numpy.ctypeslib import as_array", "", "s.mine_count = as_array(8, (9,))[8]", "as_array"),
        ("from numpy import frombuffer", "", "s.mine_count = frombuffer(b'12345678')[0]", "frombuffer"),
    ],
)
def test_hooks_call_services_alone(tmp_path: Path, head: str, top: str, body: str, what: str) -> None:
    path = rules(tmp_path, head, top, body)
    with pytest.raises(RulesetError) as error:
        load_module(INTERFACE, str(path))
    text = str(error.value)
    assert "module mine: hook 'moved' uses " in text and f"{what}' of " in text and "which is no service" in text
    assert "`probespiel hooks kuhn` lists, allow, allow_bits, lowest_bit, popcount, select_bit, math and numpy" in text
    line = next(n for n, line in enumerate(path.read_text().splitlines(), 1) if line.strip() == body)
    assert text.startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("head", "top", "body"),
    [
        ("from numba import carray", "", "s.mine_count = carray(8, (3,))[0]"),
        ("import numba", "", "s.mine_count = numba.carray(8, (3,))[0]"),
        ("import ctypes", "END = ctypes.CDLL(None).abort", "END()"),
        ("import ctypes", "", "s.mine_count = ctypes.sizeof(8)"),
        ("from numba import objmode", "", "objmode(x='i8')"),
        pytest.param("from numba import njit", "@njit\ndef far(x):\n    return x[9]", "s.mine_count = far(np.zeros(4))",
                     marks=pytest.mark.skipif(config.DISABLE_JIT, reason="it is a plain function there")),
    ],
)  # fmt: skip
def test_what_nobody_checks_is_refused_when_rules_are_built(tmp_path: Path, head: str, top: str, body: str) -> None:
    path = rules(tmp_path, f"import numpy as np\n{head}", top, body)
    with pytest.raises(RulesetError, match="besides its own functions it may call") as error:
        make_game("kuhn", modules={str(path): {}})
    line = next(n for n, line in enumerate(path.read_text().splitlines(), 1) if line.strip() == body)
    assert str(error.value).startswith(f"{path}:{line}: module mine: hook 'moved' uses ")


def test_functions_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """Of a lambda no index and no loop would be looked at."""
    head = "import numpy as np\nfrom probespiel.envs.core.jit import kernel"
    path = rules(tmp_path, head, "far = kernel(lambda x: x.flat[9])", "s.mine_count = far(np.zeros(4))")
    with pytest.raises(RulesetError, match="function 'far' must be written as a `def` of its own") as error:
        make_game("kuhn", modules={str(path): {}})
    assert str(error.value).startswith(f"{path}:9: ")


ASKS = '''"""A rule that asks."""
from probespiel.envs.scorekeeper import services
from probespiel.envs.scorekeeper.module import ME, Module
{head}

module = Module("mine", "Asks.")
ASKED = module.phase("mine_asked", "which?", "welche?")
YES = module.action("yes", "say yes", "ja sagen")


@module.hook
def round_start(s, p, seat):
    {body}


@module.hook
def legal_of(s, p, phase, seat, words):
    services.allow(words, YES)


@module.hook
def answered(s, p, phase, seat, action):
    pass
'''


@pytest.mark.parametrize(
    ("head", "body", "told"),
    [
        ("", "ask(s, ME, ASKED, seat)", "the name 'ask' is not defined"),
        ("", "services.ask(s, ME, ASKED, seat)", "uses 'services.ask' of probespiel.envs.scorekeeper.services"),
        ("from probespiel.envs.scorekeeper.services import ask", "ask(s, ME, ASKED, seat)", "uses 'ask' of "),
    ],
)
def test_who_asks_in_scorekeeper_is_told_how(tmp_path: Path, head: str, body: str, told: str) -> None:
    """What all other systems call `ask` is the rules' own question there."""
    path = tmp_path / "mine.py"
    path.write_text(ASKS.format(head=head, body=body))
    with pytest.raises(RulesetError) as error:
        make_game("scorekeeper-duel", modules={str(path): {}})
    text = str(error.value)
    assert text.startswith(f"{path}:13: module mine: hook 'round_start'") and told in text
    assert text.endswith(
        "; the service is called ask_module: from probespiel.envs.scorekeeper.services import ask_module"
    )
    path.write_text(ASKS.format(head="", body="services.ask_module(s, ME, ASKED, seat)"))
    assert make_game("scorekeeper-duel", modules={str(path): {}}, compiled=False).n_seats == 2


def test_a_service_that_was_not_imported_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(ASKS.format(head="", body="throw_die(s, ME, 0, seat)"))
    with pytest.raises(RulesetError, match=r"'throw_die' is not defined; .*\.services import throw_die$"):
        make_game("scorekeeper-duel", modules={str(path): {}})
    path.write_text(ASKS.format(head="", body="throw_dice(s, ME, 0, seat)"))
    with pytest.raises(RulesetError, match=r"'throw_dice' is not defined; did you mean throw_die\?$"):
        make_game("scorekeeper-duel", modules={str(path): {}})


def test_what_hooks_may_call_is_let_through(tmp_path: Path) -> None:
    head = "import math\nimport numpy as np\nfrom probespiel.envs.core.abi import lowest_bit, popcount"
    top = "TABLE = np.array([1, 2, 3])"
    body = "s.mine_count += popcount(7) + lowest_bit(8) + int(np.sqrt(4.0)) + math.floor(1.5) + TABLE[0] + abs(-1)"
    assert load_module(INTERFACE, str(rules(tmp_path, head, top, body)))[0].name == "mine"


def test_who_interrupts_while_libraries_are_loaded_sees_no_traceback(tmp_path: Path) -> None:
    """The keyboard interrupts the trial's process as well, which may still be importing numpy: here it takes long."""
    ready = tmp_path / "ready"
    (tmp_path / "numpy.py").write_text(f"import time\nopen({str(ready)!r}, 'w').close()\ntime.sleep(60)\n")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        trial._command(writing), stdin=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=(writing,),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    os.close(writing)
    try:
        until = time.monotonic() + 60
        while not ready.exists() and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
        os.close(reading)
    assert ready.exists() and process.returncode == -signal.SIGINT and said == b""
