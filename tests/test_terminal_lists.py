"""Lists of games and agents, and the completion of shells."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from probespiel.app.cli import run as command
from probespiel.envs.core.registry import systems
from tests.terminals import SCRIPT, environment


def test_every_game_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for found in systems():
        assert set(found.about) == set(found.games) and all(len(set(lines)) == 2 for lines in found.about.values())
        assert set(found.titles) == {found.name, *found.games}
        assert len({title for title, _ in found.titles.values()}) == len(found.titles)
    assert command(["games"]) == 0
    own, _, reference = capsys.readouterr().out.partition("Reference games")
    assert "\nkuhn\n" in reference and "kuhn" not in own and "einblatt-duel\n  Two figures" in own
    assert command(["games", "--lang", "de"]) == 0
    assert "Vergleichsspiele" in capsys.readouterr().out


def test_agents_of_all_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["agents"]) == 0
    shown = capsys.readouterr().out
    assert "always_bet  (baseline of kuhn)" in shown and "best3_shuffled  (baseline of einblatt)" in shown
    assert command(["agents", "--scenario", "duel"]) == 2
    assert "belong to a game" in capsys.readouterr().err


def asked_by(shell: str, words: str) -> dict[str, str]:
    """How a shell asks for what may follow some words."""
    return {
        "_PROBESPIEL_COMPLETE": f"complete_{shell}", "COMP_WORDS": f"probespiel {words}", "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": f"probespiel {words}", "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("words", ["play einblatt-m", "agents einblatt-m", "tournament einblatt-m"])
def test_the_shell_completes_names_of_games(
    shell: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in asked_by(shell, words).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        command([])
    shown = capsys.readouterr()
    assert re.findall(r"[\w-]*melee[\w-]*", shown.out) == ["einblatt-melee"], shown


def test_a_shell_is_answered(tmp_path: Path) -> None:
    """By the installed command, that is, which a shell starts for it."""
    env = environment(tmp_path, **asked_by("bash", "play einblatt-m"))
    done = subprocess.run([SCRIPT], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert re.findall(r"[\w-]*melee[\w-]*", done.stdout) == ["einblatt-melee"], (done.stdout, done.stderr)
