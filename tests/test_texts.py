"""Texts that nobody expects: without end, no UTF-8, in other digits, with addresses. Short errors, no traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.agents.faults import shown, told
from probespiel.agents.registry import make_agent
from probespiel.app.cli import run
from probespiel.app.common import value_of
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.brief import brief, without_addresses
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.registry import make_game
from probespiel.envs.core.vec_env import ProbespielVecEnv
from probespiel.evaluation.tournament.files import stored_seed

DEEP, LONG = "[" * 100_000, "9" * 5_000


class Loud:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_values_are_shown_briefly_and_the_same_in_every_process() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert brief(5) == "5" and brief("a\ud800b\n") == r"'a\ud800b\n'"
    assert brief("x" * 1000) == "'" + "x" * 196 + "..." and len(brief(list(range(1000)), 60)) == 60
    assert brief(10**5000) == "<int>" and brief(Loud()) == "<Loud>" and brief(nested) == "<list>"
    assert brief(object()) == "<object object>" and brief(shown).startswith("<function shown>")
    assert without_addresses("<a.B object at 0x7f01aB> at home") == "<a.B object> at home"
    assert shown(object()) == "<object object>" and told(ValueError(object())) == "ValueError: <object object>"
    assert brief(np.zeros(3)) == "array([0., 0., 0.])"


@pytest.mark.parametrize("value", ["٣", "1_000", "３", "²", "½", "", " ", "0x10", LONG, "1e400", "nan"])
def test_numbers_are_written_in_plain_digits(value: str) -> None:
    with pytest.raises(AgentError, match=r"sims = .* is not allowed: an integer from 1 to") as error:
        make_agent(f"search:sims={value}" if value.strip() else "search:sims=+")
    assert len(str(error.value)) < 300 + len(value)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["tournament", "kuhn", "--set", f"bet={DEEP}"], "is nested too deeply"),
        (["tournament", "kuhn", "--set", f"bet={LONG}"], "bet = '999"),
        (["tournament", "kuhn", "--seed", LONG], "--seed"),
        (["tournament", "kuhn", "--agents", "x\udcff,random"], r"argument 'x\udcff,random' is no UTF-8"),
        (["tournament", "kuhn", "--out", "/tmp/\udcff"], r"argument '/tmp/\udcff' is no UTF-8"),
        (["verify", "\udcff.json"], "is no UTF-8"),
        (["tournament", "kuhn", "--agents", "search:sims=٣,random"], "sims = '٣' is not allowed"),
        (["tournament", "kuhn", "--module", "a\x00b.py"], "a"),
        (["tournament", "kuhn", "--agents", "a\x00b.py:Bot,random"], "a"),
        (["tournament", "kuhn", "--scenario", "a\x00b.json"], "a"),
        (["tournament", "kuhn", "--agents", "random,first", "--out", "a\x00b"], "a"),
        (["verify", "a\x00b.json"], "a"),
        (["replay", "a\x00b.json"], "a"),
    ],
)
def test_odd_arguments_are_refused_in_a_line(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: ") and part in last and len(last) < 2100
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [DEEP.encode(), b'{"x": ' + LONG.encode() + b"}", b"\xff\xfe", b"", b"\x00" * 100])
def test_odd_files_are_refused_in_a_line(
    content: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, arguments in {
        "scenario.json": ["tournament", "kuhn", "--scenario", "scenario.json"],
        "cases.json": ["verify", "cases.json"],
        "replay.json": ["replay", "replay.json"],
        "rules.py": ["tournament", "kuhn", "--module", "rules.py"],
        "bot.py": ["tournament", "kuhn", "--agents", "bot.py:Bot,random"],
        "tournament.json": ["tournament", "kuhn", "--agents", "first,random", "--games", "2", "--out", "."],
    }.items():
        Path(name).write_bytes(content)
        assert run(arguments) == 2, name
        told_last = capsys.readouterr().err.splitlines()[-1]
        assert told_last.startswith("error: ") or name == "cases.json", told_last
        assert name in told_last and len(told_last) < 2100
    with pytest.raises(ProbespielError):
        stored_seed(tmp_path)


@pytest.mark.parametrize("n", [0, -1, 10**12, 10**400, 1.5, True, "3", None])
def test_impossible_numbers_of_tables_are_refused(n: Any) -> None:
    with pytest.raises(ProbespielError, match=r"n = .* is not allowed: 1\.\.10000000 tables"):
        Batch(make_game("kuhn", compiled=False), n)
    with pytest.raises(ProbespielError, match="is not allowed"):
        ProbespielVecEnv("kuhn", n)


def test_refusals_do_not_repeat_whole_values() -> None:
    for name, value in {"bet": "x" * 10**6, "bet ": list(range(10**5)), "x" * 10**5: 1}.items():
        with pytest.raises(ProbespielError) as error:
            make_game("kuhn", None, None, **{name: value})
        assert len(str(error.value)) < 1000


def test_values_of_the_command_line() -> None:
    assert value_of("3") == 3 and value_of("none") is None and value_of(LONG) == LONG
    with pytest.raises(ProbespielError, match="is nested too deeply"):
        value_of(DEEP)
