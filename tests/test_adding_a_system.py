"""The page on adding a system: its files are installed outside the checkout, and its commands do what they say."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent.parent / "docs" / "adding-a-system.md"
FILE = re.compile(r"<!-- (?:not run: )?file:? (?P<names>[^\n]*) -->\n```\w+\n(?P<text>.*?)```\n", re.DOTALL)
COMMANDS = re.compile(r"<!-- not run: a test runs these commands[^\n]*-->\n```sh\n(?P<text>.*?)```\n", re.DOTALL)

# Run in a process that finds the installed package: commands of the page, with a stress test of seconds.
DRIVER = """
import json
import sys
from dataclasses import replace
from probespiel.app.cli import run
from probespiel.evaluation.stress import budget, context

tiny = replace(
    budget.BUDGETS["quick"], probe=200, learn_use=60, learn_free=60, learn_counter=60, prelude=40, choose=40,
    measure=400, rates=200, samples=40, matrix=40, course=40, rung=20, show=40, resamples=100, seeds=1, rounds=1,
    replicates=2, ladder=(5, 10), stakes=2_000, pace=0.0,
)
budget.BUDGETS["quick"] = tiny
assert context.fitted
context.fitted = lambda budget, *_: (budget, 1.0)
for command in json.loads(sys.argv[1]):
    if code := run(command):
        sys.exit(code)
"""


def files_of_the_page() -> dict[str, str]:
    """Path and text of every file that the page shows."""
    found = {}
    for block in FILE.finditer(PAGE.read_text(encoding="utf-8")):
        found |= dict.fromkeys(block["names"].split(", "), block["text"])
    return found


def commands_of_the_page() -> list[list[str]]:
    """Arguments of every `probespiel` command in the last step."""
    block = COMMANDS.search(PAGE.read_text(encoding="utf-8"))
    assert block
    return [line.split()[1:] for line in block["text"].splitlines() if line.startswith("probespiel ")]


class Outside:
    """A folder in which the package of the page is installed, and the commands that run there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        source = folder / "table-morra"
        for name, text in files_of_the_page().items():
            path = folder / name if name == "cases.json" else source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        install = ["install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(self.site)]
        done = self._process([sys.executable, "-m", "pip", "--disable-pip-version-check", *install, str(source)])
        assert done.returncode == 0, done.stderr
        (folder / "driver.py").write_text(DRIVER, encoding="utf-8")

    def _process(self, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        return subprocess.run(
            command, cwd=self.folder, env=environment, input=text, capture_output=True, text=True, timeout=600
        )

    def run(self, *commands: list[str], text: str = "") -> str:
        """What some commands print, one after the other; they must succeed."""
        done = self._process([sys.executable, "driver.py", json.dumps(commands)], text)
        assert done.returncode == 0, f"{commands}: {done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done.stdout

    def python(self, code: str) -> str:
        """What a piece of Python prints."""
        done = self._process([sys.executable, "-c", code])
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    """The package, installed where the checkout does not look."""
    return Outside(tmp_path_factory.mktemp("outside"))


def commands(name: str) -> list[list[str]]:
    """The commands of the page that begin so."""
    return [arguments for arguments in commands_of_the_page() if arguments[0] == name]


def command(name: str) -> list[str]:
    """The first of them."""
    return commands(name)[0]


def test_every_command_of_the_page_is_tried() -> None:
    names = [arguments[0] for arguments in commands_of_the_page()]
    assert sorted(names) == sorted(
        ["games", "verify", "verify", "odds", "play", "solve", "tournament", "train", "stress"]
    )


def test_it_is_listed_and_verified(outside: Outside) -> None:
    told = outside.run(command("games"), *commands("verify"), command("odds"))
    assert "morra\n  scenarios: standard (default)\n" in told and "modules of morra: snake_eyes" in told
    assert "ok   morra (3 games, 6 decisions)\n1 passed, 0 failed" in told and "2 passed, 0 failed" in told
    assert told.endswith("\none finger is worth 1/2 to Odd, before the coin\n")  # 3 - 5/2


def test_it_is_played_and_solved(outside: Outside) -> None:
    shown = outside.run(command("play"), command("solve"), text="one\n")
    assert "The round counts" in shown and "odd: one finger" in shown and "odd: payoff" in shown
    bound = re.search(r"exploitability[^0-9]*([0-9.]+)", shown)
    assert bound and float(bound[1]) < 0.05, shown


def test_tournament_and_training(outside: Outside) -> None:
    told = outside.run(command("tournament"), command("train"))
    assert "balanced" in told and "fingers" in told and (outside.folder / "results/morra/report.html").is_file()
    assert list((outside.folder / "results/train-morra").glob("*.safetensors"))


def test_the_stress_lab_takes_its_modules(outside: Outside) -> None:
    told = outside.run(command("stress"))
    assert "For its holder: " in told and "For the game: " in told and "broken" not in told.lower()


def test_rules_that_break_what_games_promise_are_refused_before_they_are_compiled(outside: Outside) -> None:
    # Compiled, this game would go on for ever, and nothing could stop it.
    file = outside.site / "table_morra/envs/rules.py"
    sound = file.read_text(encoding="utf-8")
    asked = "return (0 if s.shown[0] else 1) | (0 if s.shown[1] else 2)"
    assert sound.count(asked) == 1
    file.write_text(sound.replace(asked, f"{asked} or 3"), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(outside.site)}
    run = [str(Path(sysconfig.get_path("scripts")) / "probespiel")]
    try:
        for arguments in (["tournament", "morra", "--out", "broken"], ["verify", "--game", "morra"]):
            done = subprocess.run(
                [*run, *arguments], cwd=outside.folder, env=environment, capture_output=True, text=True, timeout=300
            )
            told = done.stdout + done.stderr
            assert done.returncode and "Traceback" not in told
            assert "the game is over, and still asked is odd, even: to_act and die must be 0" in told
            assert arguments[0] == "verify" or "`probespiel verify --game morra` checks all promises" in told
    finally:
        file.write_text(sound, encoding="utf-8")


def test_it_is_an_environment(outside: Outside) -> None:
    code = (
        "import pettingzoo, probespiel.envs\n"
        "env = pettingzoo.make('parallel', 'probespiel/morra-v0')\n"
        "env.reset(seed=1); print(*env.step({'odd': 0, 'even': 1})[1].values())"
    )
    odd, even = (float(x) for x in outside.python(code).split())
    assert odd == -even and odd in (3.0, 6.0)


def test_what_is_wrong_with_a_package_is_said(outside: Outside, tmp_path: Path) -> None:
    # The others stay usable, and a broken one says where it is broken.
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/__init__.py").write_text("")
    (tmp_path / "broken/envs").mkdir()
    (tmp_path / "broken/envs/__init__.py").write_text("")
    (tmp_path / "broken/envs/system.py").write_text("SYSTEM = 1 / 0\n")
    info = tmp_path / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[probespiel.systems]\nbroken = broken\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(outside.site)])}
    run = [str(Path(sysconfig.get_path("scripts")) / "probespiel")]
    done = subprocess.run([*run, "games"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "morra" in done.stdout and "broken.envs.system cannot be loaded" in done.stderr
    done = subprocess.run([*run, "play", "broken"], env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and "ZeroDivisionError" in done.stderr and "Traceback" not in done.stderr
