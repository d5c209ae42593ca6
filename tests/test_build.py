"""Building rule sets: compiled and interpreted agree, edits are seen, wrong modules are refused with their place."""

from __future__ import annotations

import dataclasses
import inspect
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from probespiel.agents.abstraction import build_abstraction
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.build import build
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Position
from probespiel.envs.core.rng import rand_below, rng_array

MODULE = '''"""A module for tests."""
from typing import Any
from probespiel.envs.einblatt.module import Module
module = Module("tester", "adds to the class of every card")
module.param("bonus", {bonus}, 0, 9)
@module.hook
def card_class(s: Any, p: Any, seat: int, play: int, value: int) -> int:
    """More."""
    return min(15, value + {code}) if seat == 0 and play < 32 else value
'''

SMALL = '''"""A module for tests of a game that is soon compiled."""
from typing import Any
from probespiel.envs.kuhn.module import Module
module = Module("tester", "adds to the strength of every card")
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """More."""
    return value + {code} if seat == 0 else value
'''


def random_game(position: Position, seed: int) -> list[bytes]:
    """Every state of a random game."""
    rng = rng_array(seed, "test")
    states = []
    while not position.over:
        position.roll(rng)
        states.append(position.to_bytes())
        seats = position.to_act()
        if not seats:
            break
        legal = position.legal(seats[0])
        position.apply(seats[0], legal[int(rand_below(rng, len(legal)))])
        states.append(position.to_bytes())
    return [*states, position.returns().tobytes()]


@pytest.mark.parametrize(("name", "scenario"), [("einblatt-duel", "saruman_ent"), ("einblatt-melee", "tug_of_war")])
def test_interpreted_rules_play_the_same_games(name: str, scenario: str) -> None:
    """Bit by bit, after every die and decision."""
    fast, slow = make_game(name, scenario), make_game(name, scenario, compiled=False)
    for seed in range(6):
        assert random_game(Position(fast), seed) == random_game(Position(slow), seed)


def test_dealing_at_once_equals_dealing_die_by_die() -> None:
    """The fast `roll` of the kernel throws the same dice in the same order as single falls."""
    for name in ("einblatt-duel", "einblatt-melee"):
        game = make_game(name)
        batch = Batch(game, 16, seed=4)
        generators = batch.rngs.copy()
        batch.start()
        for i in range(16):
            position = Position(game)
            position.roll(generators[i : i + 1])
            assert position.to_bytes() == batch.states[i].tobytes()
            assert generators[i] == batch.rngs[i]


def test_batch_results_do_not_depend_on_the_number_of_tables() -> None:
    game = make_game("kuhn")
    assert np.array_equal(Batch(game, 8, seed=3).rngs, Batch(game, 16, seed=3).rngs[:8])


def test_an_edit_of_a_module_is_seen(tmp_path: Path) -> None:
    """In the same process and with a warm cache."""
    path = tmp_path / "tester.py"
    means = []
    for code in ("0", "8", "0"):
        path.write_text(SMALL.format(code=code))
        game = make_game("kuhn", modules={str(path): {}})
        means.append(Batch(game, 200, seed=1).play_random(10).mean_payoff[0])
    assert means[0] == means[2] and means[1] > means[0] + 0.5


def test_comments_do_not_change_the_identity(tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(MODULE.format(bonus=1, code="1"))
    first = make_game("einblatt-duel", modules={str(path): {}}, compiled=False).ruleset
    path.write_text("# a comment\n\n" + MODULE.format(bonus=1, code="1"))
    assert make_game("einblatt-duel", modules={str(path): {}}, compiled=False).ruleset == first
    path.write_text(MODULE.format(bonus=1, code="2"))
    assert make_game("einblatt-duel", modules={str(path): {}}, compiled=False).ruleset != first


def test_what_cannot_be_compiled_runs_interpreted_with_a_warning(tmp_path: Path) -> None:
    """The warning names the file and the line."""
    path = tmp_path / "tester.py"
    path.write_text(SMALL.format(code="eval('1')"))
    with pytest.warns(RuntimeWarning, match=r"interpreted.*tester\.py"):
        game = make_game("kuhn", modules={str(path): {}})
    assert not game.kernel.compiled
    assert Batch(game, 2).play_random(1).games == 2


def test_an_error_inside_an_interpreted_rule_reaches_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(SMALL.format(code="eval('1 // 0')"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = make_game("kuhn", modules={str(path): {}})
    with pytest.raises(RulesetError, match=r"tester\.py:8: module tester: hook 'strength' raised ZeroDivisionError"):
        Batch(game, 2).play_random(1)


def test_a_misspelt_field_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(MODULE.format(bonus=1, code="s.no_such_field"))
    with pytest.raises(RulesetError, match=r"tester\.py:9: .*'card_class'.*no_such_field"):
        make_game("einblatt-duel", modules={str(path): {}})


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("def card_class", "def card_klass", ["tester.py", "card_klass", "card_class"]),
        ("play: int, value: int", "value: int", ["tester.py", "card_class", "(s, p, seat, play, value)"]),
        ('module.param("bonus", 1, 0, 9)', 'module.param("bonus", 1, 0, 9)\nmodule.param("bonus", 2, 0, 9)', ["twice"]),
        ('module.param("bonus", 1, 0, 9)', 'module.state("x", scope="week")', ["week", "conflict"]),
        ("from typing import Any", "from typing import Anything", ["tester.py:2", "ImportError"]),
        ("from typing import Any", "def broken(:", ["tester.py:2", "SyntaxError"]),
        ('module = Module("tester",', 'other = Module("a", "b")\nmodule = Module("tester",', ["exactly one"]),
        ('Module("tester",', 'Module("two words",', ["two words"]),
    ],
)
def test_wrong_modules_are_refused(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    path = tmp_path / "tester.py"
    text = MODULE.format(bonus=1, code="1")
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(RulesetError) as caught:
        make_game("einblatt-duel", modules={str(path): {}})
    for part in parts:
        assert part in str(caught.value)


def test_module_parameters_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "tester.py"
    path.write_text(MODULE.format(bonus=1, code="1"))
    wrong = [({"bonus": 10}, ["bonus", "10", "0..9"]), ({"bonuss": 1}, ["bonuss", "bonus"]), (3, ["tester", "3"])]
    for values, parts in wrong:
        with pytest.raises(RulesetError) as caught:
            make_game("einblatt-duel", modules={str(path): values})
        assert all(part in str(caught.value) for part in parts)


COUNT = """
import sys
from probespiel.envs import make_game
from probespiel.envs.core.game import Position

def count(position, depth):
    while position.die():
        position.fall(0)
    if depth == 0 or position.over:
        return 1
    seat = position.to_act()[0]
    total = 0
    for action in position.legal(seat):
        twin = position.clone()
        twin.apply(seat, action)
        total += count(twin, depth - 1)
    return total

for name in ("kuhn", "einblatt-duel", "einblatt-melee"):
    print(name, [count(Position(make_game(name)), depth) for depth in (1, 2, 3, 4)])
"""


def test_counts_of_legal_sequences() -> None:
    """Python-chess's perft, the first die outcome each time: any change of the rules shows here."""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "kuhn [2, 4, 5, 5]",
        "einblatt-duel [7, 42, 258, 1333]",
        "einblatt-melee [4, 28, 168, 840]",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("switch", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_under_debugging_switches(switch: str) -> None:
    """Random games with bounds checks, and without the compiler."""
    code = (
        "from probespiel.envs import make_game\nfrom probespiel.envs.core.batch import Batch\n"
        "for name in ('kuhn', 'einblatt-duel', 'einblatt-melee'):\n"
        "    print(Batch(make_game(name), 4, seed=1).play_random(3))\n"
    )
    env = {**os.environ, switch: "1"}
    plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    checked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    assert checked == plain and "stuck=0" in plain


def test_rules_of_other_sizes_are_other_code() -> None:
    """Compiled code has its sizes in it: with those of another game it would write beside its memory."""
    sources = make_game("kuhn", compiled=False).spec.sources
    keys = {
        build(dataclasses.replace(sources, **sizes), compiled=False).key
        for sizes in ({}, {"words": sources.words + 1}, {"observation": sources.observation + 1}, {"seats": 3})
    }
    assert len(keys) == 4


def test_what_is_generated_names_no_file_of_others() -> None:
    """numba reads the lines of what it compiles: of another file, from Python 3.13 on, they may be no Python at all."""
    made = build_abstraction(make_game("einblatt-duel")).keep
    assert not Path(made._pyfunc.__code__.co_filename).exists()
    with pytest.raises(OSError, match="source code"):
        inspect.getsourcelines(made._pyfunc)
