"""The benchmark of repeated rock-paper-scissors: its protocol, its scores, and what it refuses."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import binom

from probespiel.app.cli import run as command
from probespiel.envs.core.errors import ProbespielError

pytest.importorskip("pyspiel")

from probespiel.envs.core.engine import Local
from probespiel.evaluation.ews_rps import roshambo
from tests.whole_runs import held

BOTS = Path(__file__).parent / "bots.py"


def test_the_population_is_that_of_the_paper() -> None:
    names = roshambo.population()
    assert len(names) == 43 and {"greenberg", "iocainebot", "randbot", "rockbot"} <= set(names)


def test_entrants_play_as_they_are_known_to() -> None:
    """Against rock: the copier loses to the one that beats its last symbol, paper wins always."""
    scores = roshambo.run(
        ["constant:symbol=1", "constant", "bot:greenberg", "bot:rotatebot"], ["rockbot", "copybot"], 4, throws=200
    )
    means = {s.contender: {o: e.value for o, e in s.by_opponent.items()} for s in scores}
    assert means["constant:symbol=1"]["rockbot"] == 200
    assert means["constant"]["rockbot"] == 0
    assert means["constant"]["copybot"] <= -198  # it beats what was shown before
    assert means["bot:greenberg"]["rockbot"] > 180 and means["bot:greenberg"]["copybot"] > 150
    assert means["bot:rotatebot"]["rockbot"] in (-1, 0, 1)


def test_the_same_seed_gives_the_same_returns() -> None:
    """In one process or in two, whatever is played besides; another seed gives others."""
    opponents = ["randbot", "iocainebot"]
    both = roshambo.run(["mixture", "regret"], opponents, 4, 60, seed=5)
    alone = roshambo.run(["regret"], opponents[::-1], 4, 60, seed=5, engine=Local(2))
    other = roshambo.run(["regret"], opponents, 4, 60, seed=6)
    assert dict(both[1].by_opponent) == dict(alone[0].by_opponent)
    assert dict(other[0].by_opponent) != dict(alone[0].by_opponent)


def test_agents_in_python_take_part(tmp_path: Path) -> None:
    """An agent without a compiled policy plays by views; one that answers no symbol is refused."""
    path = tmp_path / "bot.py"
    path.write_text(
        "from probespiel.agents.base import Agent\n"
        "class Paper(Agent):\n"
        "    def act(self, view):\n"
        "        return 1\n"
        "class Broken(Agent):\n"
        "    def act(self, view):\n"
        "        return 3\n"
    )
    score = roshambo.run([f"{path}:Paper"], ["rockbot"], 4, 30)[0]
    assert score.by_opponent["rockbot"].value == 30
    with pytest.raises(ProbespielError, match=r"bot\.py:Broken': answered 3 .*not legal now"):
        roshambo.run([f"{path}:Broken"], ["rockbot"], 4, 30)


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("os._exit(0)", "its process ended with exit code 0"),
        ("ctypes.string_at(0)", "its process was ended by SIGSEGV"),
        ("raise ValueError('no idea')", "ValueError: no idea"),
    ],
)
def test_whoever_ends_its_process_is_named(tmp_path: Path, does: str, told: str) -> None:
    """In the command's own process it would end with success and say nothing."""
    path = tmp_path / "bot.py"
    path.write_text(
        "import ctypes, os\n"
        "from probespiel.agents.base import Agent\n"
        "class Quitter(Agent):\n"
        "    def act(self, view):\n"
        f"        {does}\n"
    )
    asked = ["--agents", f"{path}:Quitter", "--against", "rockbot", "--no-references", "--matches", "4", "--jobs", "1"]
    code = "import sys; from probespiel.app.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "bench-rps", *asked], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 2, done
    assert f"bot.py:Quitter': {told}" in done.stderr and "Traceback" not in done.stderr


def test_an_agent_in_its_own_process_takes_both_seats_and_begins_anew(tmp_path: Path) -> None:
    """One that remembers counts its throws from the start of each match, and knows which seat it has."""
    path = tmp_path / "bot.py"
    path.write_text(
        "from probespiel.agents.base import Agent\n"
        "class Counts(Agent):\n"
        "    per_table = True\n"
        "    def reset(self, seed):\n"
        "        self.number = 0\n"
        "    def act(self, view):\n"
        "        self.number += 1\n"
        "        return 1 if self.number == 1 else 0\n"
    )
    score = roshambo.run([f"{path}:Counts"], ["rockbot"], 6, 20)[0]
    assert score.by_opponent["rockbot"].value == 1 and score.plain_exploitability == -1


def test_scores() -> None:
    """The worst opponent is chosen on one half of the matches and measured on the other."""
    returns = {"a": [10, 20, 30, 40], "b": [-8, 2, -8, 2], "c": [5, -6, 5, -6]}
    score = roshambo.score("x", returns)
    assert score.population_return.value == pytest.approx((25 - 3 - 0.5) / 3)
    # on the even matches b is worst (-8), measured on the odd ones: it loses 2; and c (-6) the other way: it loses 5
    assert score.worst == ("b", "c")
    assert score.exploitability.value == pytest.approx((-2 + -5) / 2)
    assert score.total.value == pytest.approx(score.population_return.value - score.exploitability.value)
    assert score.plain_exploitability == 3
    # variances of the means: 500/3/4, 100/3/4 and 121/3/4, so 721/12 together, and by Welch as many degrees of freedom
    free = 3 * 721**2 / (500**2 + 100**2 + 121**2)
    assert score.population_return.half_width == pytest.approx(stdtrit(free, 0.975) * math.sqrt(721 / 12) / 3)


def test_few_matches_are_told_with_the_quantile_of_student() -> None:
    """1, 2 and 3: an error of one by the root of three at two degrees of freedom; differences have both errors."""
    half = 4.302653 / math.sqrt(3)
    found = roshambo.estimate([1, 2, 3])
    assert (found.value, found.half_width) == pytest.approx((2.0, half))
    apart = found - roshambo.estimate([4, 5, 6])
    assert (apart.value, apart.half_width) == pytest.approx((-3.0, half * math.sqrt(2)))


@pytest.mark.parametrize("matches", [4, 10, 20])
def test_of_rare_returns_94_percent_of_intervals_hold_the_truth(matches: int) -> None:
    """One throw's worth more or less, by the binomial law; and returns that vary as normal ones do, by simulation."""
    for share in (0.01, 0.03, 0.1, 0.2, 0.3):
        held = 0.0
        for seen in range(matches + 1):
            found = roshambo.estimate([5] * (matches - seen) + [-5] * seen, 10)
            if abs(found.value - (5 - 10 * share)) <= found.half_width + 1e-9:
                held += float(binom.pmf(seen, matches, share))
        assert held >= 0.94, (share, held)
    rng = np.random.default_rng(matches)
    games = np.rint(rng.normal(40.0, 100.0, size=(4000, matches))).astype(int)
    found = [roshambo.estimate(row.tolist()) for row in games]
    assert np.mean([abs(one.value - 40.0) <= one.half_width for one in found]) >= 0.94


@pytest.mark.parametrize("matches", [4, 20])
def test_returns_of_all_opponents_hold_the_truth(matches: int) -> None:
    """Three opponents of means 100, 0 and -50 that vary by 30, 60 and 90: the mean return is 50 / 3."""
    rng, held = np.random.default_rng(matches), 0
    for _ in range(2000):
        drawn = rng.normal([[100.0], [0.0], [-50.0]], [[30.0], [60.0], [90.0]], size=(3, matches))
        found = roshambo.score("x", dict(zip("abc", np.rint(drawn).astype(int).tolist()))).population_return
        held += abs(found.value - 50 / 3) <= found.half_width
    assert held >= 0.94 * 2000


def test_matches_that_all_end_alike_leave_room_for_others() -> None:
    """Four of four: others may have the chance 1 - 0.05^(1/4) = 0.52713, and be worse by 15 or better by 5 of 10."""
    assert roshambo.estimate([5, 5, 5, 5], 10).half_width == pytest.approx(0.52713 * 15, abs=1e-4)
    assert roshambo.estimate([-9] * 4, 10).half_width == pytest.approx(0.52713 * 19, abs=1e-4)
    assert math.isnan(roshambo.estimate([5], 10).error)
    found = roshambo.score("x", {"a": [10] * 4, "b": [-4] * 4}, throws=10)
    assert found.population_return.value == 3
    assert found.population_return.half_width == pytest.approx(0.52713 * 13, abs=1e-4), "13 down to -10"
    assert found.exploitability.value == 4 and found.exploitability.half_width > 7
    varied = roshambo.score("x", {"a": [10] * 4, "b": [-4, 0, 2, 6]}, throws=10)
    assert varied.population_return.half_width == pytest.approx(3.182446 * np.std([-4, 0, 2, 6], ddof=1) / 4), (
        "b's alone"
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--agents", "nobody"], "agent 'nobody' is unknown"),
        (["--agents", "human"], "nobody is asked"),
        (["--agents", "bot:nobody"], "the entrants are actr_lag2_decay"),
        (["--agents", "meta,meta"], "given twice"),
        (["--agents", "uniform", "--against", "nobody"], "the entrants are"),
        (["--agents", "uniform", "--against", "rockbot", "--out", "x.txt"], "must end in .csv"),
        (["--agents", "uniform", "--matches", "3"], "'--matches'"),
        (["--agents", "uniform", "--throws", "1001"], "'--throws'"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], arguments: list[str], part: str) -> None:
    assert command(["bench-rps", "--jobs", "1", *arguments]) == 2
    assert part in capsys.readouterr().err.splitlines()[-1]


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "rates" / "out.csv"
    arguments = ["--agents", "frequency", "--against", "rockbot,randbot", "--matches", "4", "--throws", "50"]
    for lang, word, plan in (
        ("en", "worst opponent", "4 matches of 50 throws"), ("de", "schlimmster Gegner", "4 Partien zu 50 Würfen")
    ):  # fmt: skip
        assert command(["bench-rps", *arguments, "--jobs", "1", "--out", str(path), "--lang", lang]) == 0
        out, err = capsys.readouterr()
        assert word in out and "frequency" in out and "bot:greenberg" in out and "bot:iocainebot" in out
        assert plan in out and str(path) in err
    lines = path.read_text().splitlines()
    assert lines[0] == "contender,opponent,mean_return,standard_error" and len(lines) == 1 + 3 * 2
    rows = [line.split(",") for line in lines[1:]]
    held("bench-rps", {" ".join(row[:2]): [float(value) for value in row[2:]] for row in rows})


def test_without_openspiel() -> None:
    """The command says how to install it."""
    code = (
        "import sys; sys.modules['pyspiel'] = None\n"
        "from probespiel.app.cli import run\n"
        "sys.exit(run(['bench-rps', '--agents', 'uniform', '--matches', '4']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == "error: OpenSpiel is not installed: pip install 'probespiel[openspiel]'"


@pytest.mark.slow
def test_the_mixture_stands_above_the_strongest_entrant() -> None:
    """PR - WPE at least that of greenberg in the same run, and nothing lost to uniform play."""
    scores: dict[str, Any] = {
        s.contender: s for s in roshambo.run(["mixture", "bot:greenberg"], roshambo.population(), 20, engine=Local(2))
    }
    ours, theirs = scores["mixture"], scores["bot:greenberg"]
    assert ours.total.value >= theirs.total.value
    assert ours.population_return.value - theirs.population_return.value > 0
    against_uniform = ours.by_opponent[roshambo.UNIFORM]
    assert against_uniform.value > -4 * against_uniform.error
