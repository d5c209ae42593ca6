"""The command line: what it says, its exit codes, and one clear line for every wrong input."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import probespiel
from probespiel.agents import declaration
from probespiel.agents.registry import split_agents
from probespiel.app import cli, start
from probespiel.app.cli import COMMANDS, run
from probespiel.app.common import game_of, modules_of, pairs, value_of
from probespiel.app.lines import one_line
from probespiel.envs.core.errors import ProbespielError
from probespiel.envs.core.recipes import rebuild, recipe_of
from probespiel.envs.core.registry import systems
from probespiel.evaluation.tournament.plan import check_field

from .schema_check import assert_valid

BOTS = Path(__file__).parent / "bots.py"
EXAMPLES = Path(__file__).parents[1] / "examples" / "modules"
CHEAP = ["tournament", "kuhn", "--games", "4", "--jobs", "1"]


def test_a_search_that_could_not_begin_leaves_the_folder_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "o"
    asked = ["exploit", "kuhn", "--method", "exact", "--out", str(folder), "--agent", "random"]
    assert "scenario 'nowhere' is unknown" in refused(capsys, *asked, "--scenario", "nowhere")
    assert not folder.exists()

    def cannot(*_: object) -> None:
        assert (folder / "settings.json").is_file(), "for --resume, while it works"
        raise ProbespielError("it cannot begin")

    with monkeypatch.context() as patch:
        patch.setattr("probespiel.evaluation.exploit.run.exploit", cannot)
        for _ in range(2):  # the second time it is not said to be there already
            assert run(asked) == 2
            assert "error: it cannot begin" in capsys.readouterr().err
        assert not folder.exists()

        def begun(*_: object) -> None:
            (folder / "checkpoint-1.part").write_text("begun")
            cannot()

        patch.setattr("probespiel.evaluation.exploit.run.exploit", begun)
        assert run(asked) == 2  # now there is something to go on with
    capsys.readouterr()
    assert "already holds an exploit" in refused(capsys, *asked)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a wrong command line gives."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not re.match(r"Preparing |\d+ agents, ", line)]
    assert out == "" and len(lines) == 1 and lines[0].startswith("error: "), err
    return lines[0].removeprefix("error: ")


# What texts mean


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("random", ["random"]),
        ("search:sims=500,cfr:file=x.npz,random", ["search:sims=500", "cfr:file=x.npz", "random"]),
        ("search:sims=500,c=0.7, random", ["search:sims=500,c=0.7", "random"]),
        ("a/b.py:Bot:depth=3,fast=true,random", ["a/b.py:Bot:depth=3,fast=true", "random"]),
        ("random,policy:file=a=b.pt", ["random", "policy:file=a=b.pt"]),
        ("search:c=0.7, sims=5", ["search:c=0.7, sims=5"]),
        ("random,x=y.py:Bot", ["random", "x=y.py:Bot"]),
    ],
)
def test_agents_between_commas(text: str, names: list[str]) -> None:
    assert split_agents(text) == names


def test_values_and_pairs() -> None:
    values = ["3", "0.5", "true", "True", "none", "null", '{"PC": "A"}', "[1, 2]", "any", "C", "-", '"4"']
    assert [value_of(v) for v in values] == [3, 0.5, True, True, None, None, {"PC": "A"}, [1, 2], "any", "C", "-", "4"]
    assert pairs(["a=1", "b = x=y"], "option") == {"a": 1, "b": "x=y"}
    assert modules_of(["mercy", "my/rule.py:a=1,b=[1,2],c=x"]) == {
        "mercy": {},
        str(Path("my/rule.py").resolve()): {"a": 1, "b": [1, 2], "c": "x"},
    }
    for texts, message in [(["a"], "not of the form"), (["=1"], "not of the form"), (["a=1", "a=2"], "given twice")]:
        with pytest.raises(ProbespielError, match=message):
            pairs(texts, "option")
    with pytest.raises(ProbespielError, match="given twice"):
        modules_of(["mercy", "mercy:a=1"])
    with pytest.raises(ProbespielError, match="given twice"):
        modules_of(["rule.py", "./rule.py"], trial=False)
    with pytest.raises(ProbespielError, match="is empty"):
        split_agents("random,,first")
    assert one_line("a\n  b" + "x" * 5000).startswith("a bx") and len(one_line("x" * 5000)) == 2000


def test_options_reach_the_game() -> None:
    game = game_of("einblatt-duel", "rock_face", options=["rounds=2", "max_tests=2"], compiled=False)
    assert game.spec.scenario == "rock_face" and game.spec.options["config"] == {"rounds": 2, "max_tests": 2}
    game = game_of("einblatt-duel", modules=["all_in"], compiled=False)
    assert game.spec.options["modules"] == {"all_in": {}}


def test_a_rule_file_is_found_again_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "results"
    elsewhere.mkdir()
    (tmp_path / "last_trump.py").write_text((EXAMPLES / "last_trump.py").read_text())
    monkeypatch.chdir(tmp_path)
    game = game_of("einblatt-duel", modules=["last_trump.py"], compiled=False)
    monkeypatch.chdir(elsewhere)
    again = rebuild(recipe_of(game), compiled=False)
    assert again.ruleset == game.ruleset and list(again.spec.options["modules"]) == [str(tmp_path / "last_trump.py")]


# Commands


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"probespiel {probespiel.__version__}\n"
    for arguments in ([], ["--help"]):
        assert run(arguments) == 0
        shown = capsys.readouterr().out
        assert all(name in shown for name in COMMANDS)
    assert run(["tournament", "--help"]) == 0
    shown = capsys.readouterr().out
    for option in ("--agents", "--games", "--seed", "--scenario", "--module", "--set", "--jobs", "--out", "--resume"):
        assert option in shown


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    shown = capsys.readouterr().out
    assert "counts.\n  scenarios: billy_tree (default)" in shown and "kuhn\n" in shown
    assert "even_duel\n  stress tests: even_duel (default)" in shown
    assert "  stress tests: duel with start_power=6 (default)" in shown
    assert run(["agents", "einblatt-duel"]) == 0
    shown = capsys.readouterr().out
    assert "best3_shuffled  (baseline of einblatt)" in shown and "  sims=none  " in shown
    assert "always_bet" not in shown


def test_a_tournament_prints_leaderboard_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = [*CHEAP, "--agents", "random,first", "--agent", f"{BOTS}:Good", "--out", str(out), "--seed", "5"]
    assert run(arguments) == 0
    shown, told = capsys.readouterr()
    assert "strategy" in shown and shown.endswith(f"Report: {out / 'report.html'}\n")
    assert (
        "3 agents, 4 games of each pair (12 in all), seed 5, 1 at a time" in told and "2 of 2 blocks, 12 games" in told
    )
    summary = json.loads((out / "summary.json").read_text())
    assert_valid(out / "summary.json")
    assert summary["summary"]["names"] == ["random", "first", f"{BOTS}:Good"]
    command = summary["tournament"]["command"]
    assert "--games 4 --seed 5" in command and "--jobs" not in command and str(out) not in command
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    assert run([*arguments, "--resume", "--lang", "de"]) == 0
    assert f"Bericht: {out / 'report.html'}" in capsys.readouterr().out
    now = {p.name: p.read_bytes() for p in out.iterdir()}
    assert b'lang="de"' in now["report.html"] and b"Rangliste" in now["report.html"]
    assert {**now, "report.html": before["report.html"]} == before


def test_the_default_field_says_whom_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = declaration.agents_of("kuhn")
    other = replace(declared, lineups={"kuhn": declaration.Lineup(field=("random", "honest", "nobody"))})
    monkeypatch.setattr(declaration, "agents_of", lambda _: other)
    assert run([*CHEAP, "--out", str(tmp_path)]) == 0
    assert "nobody is left out: agent 'nobody' is unknown" in capsys.readouterr().err
    assert "nobody is left out" in (tmp_path / "report.html").read_text()


# Wrong input


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nonsense"], "No such command"),
        (["tournament"], "Missing argument 'GAME': a game, as listed by `probespiel games`"),
        (["stress", "kuhn"], "Missing option '--module': the rule module"),
        (["tournament", "chess"], "game 'chess' is unknown: one of einblatt-duel"),
        (["tournament", "kuhn", "--bogus"], "No such option: --bogus"),
        (["tournament", "kuhn", "--games", "x"], "for '--games': 'x' should be a valid integer"),
        (["tournament", "kuhn", "--games", "0"], "for '--games': '0' should be greater than or equal to 1"),
        ([*CHEAP, "--agents", "random,first", "--games", str(10**9 + 1)], "games = 1000000001 is not allowed: 1 to"),
        (["match", "kuhn", "random", "first", "--max-games", str(10**30)], "is not allowed: 1 to 1,000,000,000 of"),
        (["tournament", "kuhn", "--jobs", "0"], "--jobs"),
        (["tournament", "kuhn", "--jobs", str(10**30)], "should be less than or equal to 1024"),
        (["tournament", "kuhn", "--seed", "-1"], "--seed"),
        (["tournament", "kuhn", "--move-seconds", "0"], "--move-seconds"),
        (["tournament", "kuhn", "--lang", "fr"], "Invalid value for '--lang': 'fr' is not one of 'en', 'de'"),
        (["tournament", "kuhn", "--scenario", "nowhere"], "nowhere"),
        (["tournament", "kuhn", "--set", "bet"], "option 'bet' is not of the form key=value"),
        (["tournament", "kuhn", "--set", "pot=3"], "option 'pot' is unknown"),
        (["tournament", "kuhn", "--set", "compiled=false"], "option 'compiled' is unknown"),
        (
            ["rules", "konfrontation-clash", "--set", "max_tie=3"],
            "option 'max_tie' = 3 is unknown; known: mode, stage, ",
        ),
        (["rules", "konfrontation-clash", "--set", "max_tie=3"], "; did you mean max_ties?"),
        (["rules", "oneshot-parley", "--set", "strict_build=1"], "option 'strict_build' is unknown; known: "),
        (["tournament", "einblatt-duel", "--set", "rounds=9"], "rounds = 9 is not allowed: a whole number 1..3"),
        (["tournament", "einblatt-duel", "--module", "magic"], "magic"),
        (["tournament", "einblatt-duel", "--scenario", "tug_of_war"], "play it as einblatt-melee"),
        (["tournament", "einblatt-duel", "--scenario", "missing.json"], "missing.json"),
        ([*CHEAP, "--agents", "random"], "a tournament needs two agents"),
        ([*CHEAP, "--agents", "random,random"], "'random' is named twice"),
        ([*CHEAP, "--agents", ""], "is empty"),
        ([*CHEAP, "--agents", "random,nobody"], "agent 'nobody' is unknown: one of always_bet, bluffer, card_only"),
        ([*CHEAP, "--agents", "random,hunter"], "agent 'hunter' does not play kuhn: always_bet, bluffer, card_only"),
        ([*CHEAP, "--agents", "random,equilibrium"], "agent 'equilibrium' does not play kuhn: always_bet, bluffer"),
        (["exploit", "kuhn", "--agent", "nobody"], "agent 'nobody' is unknown: one of always_bet, bluffer, card_only"),
        ([*CHEAP, "--agents", "random,search:sims=many"], "sims = 'many' is not allowed"),
        ([*CHEAP, "--agents", "random,human"], "human"),
        ([*CHEAP, "--agents", "random,missing.py:Bot"], "there is no file missing.py"),
        ([*CHEAP, "--agents", f"random,{BOTS}:Bad:how=refuse"], "RuntimeError: I will not play"),
        ([*CHEAP, "--agents", "random,first", "--out", "/proc/nowhere"], "/proc/nowhere: No such file"),
        (["agents", "chess"], "game 'chess' is unknown"),
        (["verify", "missing.json"], "missing.json"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "verify":
        assert run(arguments) == 2
        assert text in capsys.readouterr().err
    else:
        assert text in refused(capsys, *arguments)


def test_games_of_a_pairing_have_an_end() -> None:
    check_field(["random", "first"], 10**9)
    for games in (0, 10**9 + 1, 10**30):
        with pytest.raises(
            ProbespielError, match=f"games = {games} is not allowed: 1 to 1,000,000,000 of each pairing"
        ):
            check_field(["random", "first"], games)


@pytest.mark.parametrize("arguments", [
    ["match", "kuhn", "random", "random"],
    [*CHEAP, "--agents", "random,random"],
    [*CHEAP, "--agents", "random"],
])  # fmt: skip
def test_who_plays_is_refused_before_the_plan_is_told(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """`2 agents, at most 8,000 games, ...` stood above the refusal, as if they were being played."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    told = [line for line in err.splitlines() if not line.startswith("Preparing ")]
    assert out == "" and len(told) == 1 and told[0].startswith("error: "), err


def test_folders_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = [*CHEAP, "--agents", "random,first", "--out"]
    plain = tmp_path / "file"
    plain.write_text("x")
    assert "file" in refused(capsys, *base, str(plain))
    folder = tmp_path / "out"
    assert run([*base, str(folder)]) == 0
    capsys.readouterr()
    assert "games was 4, is now 6" in refused(capsys, *base, str(folder), "--resume", "--games", "6")
    (folder / "tournament.json").write_text("[]")
    assert "is not a probespiel-tournament/1 file" in refused(capsys, *base, str(folder), "--resume")
    assert "is not a probespiel-tournament/1 file" in refused(capsys, *base, str(folder))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused(capsys, *CHEAP, "--agents", "random,first", "--out", str(tmp_path / "out"))


@pytest.mark.parametrize(("given", "wanted"), [(None, "1"), ("3", "3")])
def test_matrices_are_worked_on_by_one_thread(monkeypatch: pytest.MonkeyPatch, given: str | None, wanted: str) -> None:
    """From before the libraries are loaded that would start them; who asks for more gets them."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", given or "")
    if given is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    seen: list[str | None] = []
    monkeypatch.setattr(cli, "run", lambda: seen.append(os.environ.get("OPENBLAS_NUM_THREADS")) or 0)
    monkeypatch.setattr(start, "gc", SimpleNamespace(freeze=lambda: None))
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert (ended.value.code, seen) == (0, [wanted])


def test_the_console_script_has_no_traceback(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("probespiel")
    done = subprocess.run([script, "tournament", "chess"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: game 'chess' is unknown")
    command = f"{shlex.quote(str(script))} agents kuhn | head -1"
    piped = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=tmp_path)
    assert piped.stderr == "" and piped.stdout


@pytest.mark.parametrize(("arguments", "code"), [("agents kuhn", 0), ("tournament chess", 2)])
def test_nobody_reads_what_is_written(tmp_path: Path, arguments: str, code: int) -> None:
    """Quiet, as other tools: 141 (128 and SIGPIPE) where the reader has left; closed streams are none."""
    script = Path(sys.executable).with_name("probespiel")
    line = [script, *arguments.split()]
    reading, writing = os.pipe()
    os.close(reading)
    left = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=120)
    os.close(writing)
    assert left.returncode == (code or 141)
    closed = f"exec {shlex.join(map(str, line))}"
    shut = subprocess.run(f"{closed} >&-", shell=True, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=120)
    assert shut.returncode == code
    told = left.stderr + shut.stderr
    assert "Traceback" not in told and "ignored" not in told and "Errno" not in told and "Broken" not in told
    mute = subprocess.run(f"{closed} <&- >&- 2>&-", shell=True, cwd=tmp_path, timeout=120)
    assert mute.returncode == code


@pytest.mark.parametrize("command", ["play", "tournament", "stress"])
def test_help_says_which_scenario_is_the_default(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And the scenario of stress tests is one that can be played and named."""
    assert run([command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    wanted = "that of stress tests that `probespiel games` lists" if command == "stress" else "`probespiel games` lists"
    assert wanted in shown
    for found in systems():
        for game in found.games:
            default = found.bench_scenario(game)
            assert default in found.scenarios(game)
            named, unnamed = (found.bench(game, name, {}, {}) for name in (default, None))
            assert named.scenario == unnamed.scenario == default
            assert named.options == unnamed.options or found.bench_options(game)
