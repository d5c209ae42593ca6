"""Whatever a bot's process sends or does, it alone forfeits: no error for the user, no waiting, no memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents import outside
from probespiel.agents.base import AgentError, Requests
from probespiel.agents.faults import EXCEPTION, ILLEGAL, TIME, Fault
from probespiel.agents.keeper import landlock_version
from probespiel.agents.match import FORFEITED, Match, Schedule
from probespiel.agents.outside import BotProcess, BotTerms
from probespiel.envs.core.game import Game
from probespiel.envs.core.registry import make_game
from tests import liar_host

BOTS = Path(__file__).parent / "bots.py"
LIMIT = 0.3
ENDED = "its process ended with exit code"
EXPECTED: dict[str, tuple[int, str]] = {
    **dict.fromkeys(
        ("nothing", "no JSON", "two objects", "no UTF-8", "UTF-16", "zeros", "brackets", "braces", "5000 digits", "nan",
         "infinity", "pickle"),
        (EXCEPTION, "broke the protocol: the answer is no JSON ("),
    ),
    **dict.fromkeys(("list", "number", "null"), (EXCEPTION, "broke the protocol: the answer is no JSON object")),
    **dict.fromkeys(
        ("empty", "answer to another question", "more than asked", "65 bits", "far below", "float", "exponent", "bool",
         "text", "action in a list", "action null", "fault without message"),
        (EXCEPTION, "broke the protocol: the answer has not the form of one to 'one'"),
    ),
    **dict.fromkeys(("fault unknown", "fault of time", "fault bool"), (EXCEPTION, "the answer has an unknown fault")),
    "message is a list": (EXCEPTION, "the answer has something else where a text belongs"),
    "old number": (EXCEPTION, "the answer has the number 2, the question 3"),
    "number to come": (EXCEPTION, "the answer has the number 4, the question 3"),
    "largest number": (EXCEPTION, "the answer has the number 18446744073709551615, the question 3"),
    "length without end": (EXCEPTION, "the answer is 4,294,967,295 bytes long, 16,384 are allowed"),
    "too long": (EXCEPTION, "the answer is 20,013 bytes long, 16,384 are allowed"),
    "flood": (EXCEPTION, "the answer is 629,145,600 bytes long, 16,384 are allowed"),
    "noise": (EXCEPTION, "broke the protocol: the answer has the number "),
    **dict.fromkeys(("half a header", "half a body", "drops", "silence"), (TIME, f"no answer within {LIMIT} s")),
    "half and gone": (EXCEPTION, f"{ENDED} 3"),
    "closed": (EXCEPTION, "its process broke the connection"),
    "gone": (EXCEPTION, f"{ENDED} 7"),
    "killed": (EXCEPTION, "its process was ended by SIGKILL"),
    "overrun": (EXCEPTION, "its process was ended by SIGSEGV"),
    "surrogates": (EXCEPTION, "? and ?"),
    "controls": (ILLEGAL, "a?b?[2Jc d"),
    "long message": (EXCEPTION, "x" * 2000),
}  # fmt: skip
AFTERWARDS: dict[str, tuple[int, str] | None] = {  # right the first time: what becomes of the second question
    "twice": (EXCEPTION, "something came that was not asked for"),
    "afterthought": (EXCEPTION, "something came that was not asked for"),
    "good and gone": (EXCEPTION, f"{ENDED} 5"),
    "good and deaf": (TIME, f"no answer within {LIMIT} s"),
    "good": None,
}
STAYS = ("surrogates", "controls", "long message", "good")  # nothing is wrong with the protocol


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return make_game("kuhn")


def requests(game: Game, count: int) -> Requests:
    """The first decision of some deals."""
    states = np.stack([np.frombuffer(game.position(seed).to_bytes(), np.uint8) for seed in range(count)])
    return Requests.gather(game, states, np.arange(count), np.zeros(count), 1, np.arange(count), 0)


@pytest.fixture
def liar(kuhn: Game, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the process of a bot that tells a lie; it is closed at the end."""
    made: list[BotProcess] = []
    monkeypatch.setattr(outside, "HOST", liar_host.__name__.rpartition(".")[2])
    monkeypatch.setattr(outside, "GRACE_SECONDS", 0.5)
    monkeypatch.setenv("PYTHONPATH", str(Path(liar_host.__file__).parent), prepend=os.pathsep)

    def make(lie: str) -> BotProcess:
        monkeypatch.setenv("LIE", lie)
        made.append(BotProcess("liar", kuhn, 1, LIMIT))
        return made[-1]

    yield make
    for process in made:
        process.close()


def test_every_lie_is_expected() -> None:
    assert set(liar_host.LIES) == set(EXPECTED) | set(AFTERWARDS) and len(liar_host.LIES) >= 45


@pytest.mark.parametrize("lie", list(liar_host.LIES))
def test_whatever_a_process_sends_it_forfeits(kuhn: Game, liar: Any, lie: str) -> None:
    bot = liar(lie)
    bot.check()
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    found = bot.ask_one(requests(kuhn, 1))
    if lie in AFTERWARDS:
        assert found == 0
        if lie in ("twice", "afterthought", "good and gone"):
            time.sleep(0.2)  # so that it has happened when the next question is asked
        found = bot.ask_one(requests(kuhn, 1))
    expected = EXPECTED.get(lie) or AFTERWARDS[lie]
    assert time.monotonic() - begun < LIMIT + 2.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "KiB"
    if expected is None:
        assert found == 0
    else:
        assert isinstance(found, Fault)
        assert found.code == expected[0] and expected[1] in found.message and len(found.message) <= 2000, found
        found.message.encode()
    assert bot.stops == (lie not in STAYS)
    assert (bot._process is None) == (lie not in STAYS)


@pytest.mark.parametrize("lie", list(liar_host.STARTS))
def test_a_process_that_lies_when_it_starts_cannot_be_started(liar: Any, lie: str) -> None:
    text = "I will ? not" if lie == "start error" else "agent 'liar' cannot be started: "
    with pytest.raises(AgentError) as error:
        liar(lie).check()
    assert text in str(error.value)


@pytest.mark.parametrize("lie", list(liar_host.GAMES))
def test_a_game_that_does_not_begin_is_forfeited(liar: Any, lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = liar(lie)
    bot.check()
    assert bot.per_table
    begun = time.monotonic()
    fault = bot.begin({0: 1})
    assert time.monotonic() - begun < LIMIT + 2.5
    assert fault is not None and fault.code == (TIME if lie == "game hangs" else EXCEPTION)
    assert bot.stops == (lie != "game fault")


@pytest.mark.parametrize("lie", list(liar_host.BATCHES))
def test_a_wrong_batch_is_asked_one_by_one(kuhn: Game, liar: Any, lie: str) -> None:
    bot = liar(lie)
    assert bot.ask_batch(requests(kuhn, 2)) is None and bot.stops == 1
    assert bot.ask_batch(requests(kuhn, 2)) is None and bot.stops == 1, "it is not asked for batches any more"


def test_a_bot_that_does_not_read_is_not_waited_for(kuhn: Game, liar: Any) -> None:
    bot = liar("good and deaf")
    assert bot.ask_one(requests(kuhn, 1)) == 0
    many = requests(kuhn, 1)[np.zeros(20_000, dtype=int)]  # more than a pipe holds
    begun = time.monotonic()
    assert bot.ask_batch(many) is None
    assert time.monotonic() - begun < LIMIT + 2.5 and bot.stops == 1


# With the whole bot in its process


def played(game: Game, name: str, deals: int = 1, seconds: float = 5.0, **terms: Any) -> tuple[Any, list[str]]:
    """The outcome of some deals of a bot in seat 0 against `first`, and what is said of its forfeits."""
    schedule = Schedule.of(3, np.arange(deals), np.tile([0, 1], (deals, 1)))
    with Match(game, [f"{BOTS}:{name}", "first"], 3, seconds, bots=BotTerms(**terms)) as match:
        outcome = match.play(schedule)
    return outcome, [outcome.messages[key] for key in sorted(outcome.messages)]


def test_a_bot_that_writes_into_all_that_is_open_forfeits(kuhn: Game) -> None:
    outcome, told = played(kuhn, "Scribbles", deals=2)
    assert (outcome.status == FORFEITED).all() and outcome.offences.tolist() == [[EXCEPTION, 0]] * 2
    assert all("broke the protocol" in text for text in told)


@pytest.mark.parametrize("name", ["HangsInReset", "HangsInResetOnce"])
def test_a_bot_that_hangs_in_reset_is_one_that_hangs(kuhn: Game, name: str) -> None:
    begun = time.monotonic()
    outcome, told = played(kuhn, name, deals=5, seconds=0.3)
    assert time.monotonic() - begun < 45
    assert outcome.offences.tolist() == [[TIME, 0]] * 5 and outcome.stopped == (0,)
    late = sum("no answer within" in text for text in told)
    assert late == (3 if name == "HangsInReset" else 2), "one of three stops was that of a batch"
    assert sum("was not asked any more" in text for text in told) == 5 - late


def test_what_a_bot_starts_ends_with_it(kuhn: Game) -> None:
    _, told = played(kuhn, "Breeds", seconds=60.0)
    born = [int(word) for word in told[0].partition("born ")[2].partition(" (")[0].split()]
    assert len(born) == 3
    until = time.monotonic() + 5
    while any(Path(f"/proc/{pid}").exists() for pid in born) and time.monotonic() < until:
        time.sleep(0.02)
    assert not [pid for pid in born if Path(f"/proc/{pid}").exists()]


def family(pid: int) -> set[int]:
    """A process and all that it has started, directly or not, as far as it is alive."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(path.parent.name)] = int(parent)
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes through /proc")
@pytest.mark.parametrize("lie", ["good", "deaf"])
def test_bots_die_with_a_match_that_is_killed(lie: str) -> None:
    code = (
        "import sys; from probespiel.envs.core.registry import make_game\n"
        "from probespiel.agents import outside\n"
        "outside.HOST = 'liar_host'\n"
        "bot = outside.BotProcess('liar', make_game('kuhn', compiled=False), 1, 5.0); bot.check()\n"
        "print('ready', flush=True); sys.stdin.read()"
    )
    path = os.pathsep.join(filter(None, [str(Path(liar_host.__file__).parent), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path, "LIE": lie}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as match:
        assert match.stdout is not None and match.stdout.readline() == "ready\n"
        alive = family(match.pid)
        assert len(alive) == 4, "the match, the nursery, the keeper and the bot"
        match.kill()
        until = time.monotonic() + 5
        while any(family(pid) - {pid} or Path(f"/proc/{pid}").exists() for pid in alive - {match.pid}):
            assert time.monotonic() < until
            time.sleep(0.02)


def test_limits_of_a_bot(kuhn: Game) -> None:
    _, told = played(kuhn, "Grabs", memory=600)
    found = dict(part.split("=") for part in told[0].partition("grabbed ")[2].partition(" (")[0].split())
    assert found["memory"] == "MemoryError" and found["files"] == "OSError" and found["core"] == "0"
    assert found["descriptors"] == "4", "those of standard input, output and errors, and the pipe"
    assert found["seconds"] == str((60 + 2000 * 5) * (os.cpu_count() or 1))
    if landlock_version():
        assert found["write"] == "PermissionError" and found["remove"] == "PermissionError"
        assert found["peek"] == "PermissionError", "the memory of others, in which the seed lies"
        assert outside.fences() == ""
    if landlock_version() >= 6:
        assert found["kill"] == "PermissionError"


def test_without_landlock_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "landlock_version", lambda: 0)
    assert "bots from outside could write files" in outside.fences()


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(AgentError, match=r"bot_memory = 100 is not allowed: at least 512 \(MiB\)"):
        BotTerms(memory=100)
