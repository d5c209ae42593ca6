"""What the shell offers while a command is typed, asked for as bash asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from probespiel.agents.registry import list_agents
from probespiel.app import completion
from probespiel.app.cli import command_line, run
from probespiel.app.completion import complete_agents
from probespiel.envs.core.registry import make_game


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[str]]:
    """The completions of the last word of a line."""

    def ask(line: str) -> list[str]:
        monkeypatch.setenv("_PROBESPIEL_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        with pytest.raises(SystemExit) as ended:
            command_line()(prog_name="probespiel")
        assert ended.value.code == 0
        return capsys.readouterr().out.split()

    return ask


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("probespiel tour", ["tournament"]),
        ("probespiel play konf", ["konfrontation-clash", "konfrontation-campaign"]),
        ("probespiel play ews_rps --scenario plain", ["plain_rps"]),
        ("probespiel stress einblatt-duel --module merc", ["mercy"]),
        ("probespiel stress kuhn --module merc", []),
        ("probespiel play nonsense --scenario plain", []),
        ("probespiel stress einblatt-duel --scenario even_duel --module merc", ["mercy"]),
        ("probespiel play einblatt-duel --opponent highest", ["highest_first"]),
        ("probespiel play kuhn --opponent highest", []),
        ("probespiel tournament kuhn --agents random,bluf", ["random,bluffer"]),
    ],
)
def test_names_are_completed(offered: Callable[[str], list[str]], line: str, names: list[str]) -> None:
    assert offered(line) == names


def test_each_name_of_a_list_is_completed_for_itself() -> None:
    anywhere: Any = SimpleNamespace(params={}, args=[])
    assert complete_agents(anywhere, "random,bluf") == ["random,bluffer"]
    assert complete_agents(anywhere, "bluf") == ["bluffer"]
    assert "a,b,random" in complete_agents(anywhere, "a,b,")


def test_only_who_plays_the_game_is_offered(offered: Callable[[str], list[str]]) -> None:
    """Of poker somebody was offered `brute` and `highest_first`, who do not play it."""
    players = offered("probespiel play kuhn --opponent ")
    assert {"random", "search", "honest"} <= set(players) and not {"brute", "highest_first"} & set(players)
    assert players == [kind.name for kind in list_agents(make_game("kuhn", compiled=False))]


@pytest.mark.parametrize(
    ("shell", "first", "file"),
    [
        ("bash", "_probespiel_completion() {", ".bash_completions/probespiel.sh"),
        ("zsh", "#compdef probespiel", ".zfunc/_probespiel"),
        ("fish", "complete --command probespiel", ".config/fish/completions/probespiel.fish"),
    ],
)
def test_the_shell_that_is_named_is_meant(
    shell: str,
    first: str,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whichever one asks: `--show-completion zsh` in bash printed what bash needs."""
    assert run(["--show-completion", shell]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(first)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(["--install-completion", shell]) == 0
    assert str(tmp_path / file) in capsys.readouterr().out
    assert (tmp_path / file).read_text().strip() == shown.strip()
    assert ("loadautofunc" in shown) is (shell == "zsh")  # without it zsh's first Tab does nothing


@pytest.mark.parametrize(("found", "code"), [("zsh", 0), (None, 2)])
def test_without_a_name_it_is_the_shell_in_use(
    found: str | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(completion, "_get_shell_name", lambda: found)
    assert run(["--show-completion"]) == code
    told = capsys.readouterr()
    assert told.out.startswith("#compdef") if found else "powershell, pwsh: none was found" in told.err


@pytest.mark.parametrize("named", ["ksh", "zsh fish"])
def test_a_shell_that_is_not_known_is_refused(named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--show-completion", *named.split()]) == 2
    assert f"takes one shell, of bash, zsh, fish, powershell, pwsh: {named}" in capsys.readouterr().err
