"""What outside authors break: refused when built or stopped when played, by file, line and hook; never corrupting."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel.app import cli
from probespiel.envs import make_game
from probespiel.envs.core.batch import Batch
from probespiel.envs.core.contract import problems_of
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.core.game import Game, Position
from probespiel.envs.core.modules import load_module
from probespiel.envs.core.registry import system as made_system
from probespiel.envs.core.soundness import check_game, check_modules

# A module of Kuhn poker (quick to build) and one of einBlatt; every test changes some lines of one of them.
KUHN = '''"""For tests."""
from typing import Any
from probespiel.envs.core.jit import kernel
from probespiel.envs.kuhn.module import Module
module = Module("mine", "For tests.")
module.param("bonus", 1, 0, 3)
module.state("count")
module.state("made", per_seat=False)
module.piece("made", 1, 0, 3, "moves made")
TABLE = (0, 1, 2)
@kernel
def helper(x: int) -> int:
    """More."""
    return x + 1
@module.hook
def moved(s: Any, p: Any, seat: int, move: int) -> None:
    """Counted."""
    s.mine_count[seat] += helper(move)
    s.mine_made += 1
@module.hook
def strength(s: Any, p: Any, seat: int, card: int, value: int) -> int:
    """More."""
    return value + TABLE[p.mine_bonus - 1]
@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    """Moves."""
    out[0] = s.mine_made
'''
EINBLATT = '''"""For tests."""
from typing import Any
from probespiel.envs.einblatt.module import ME, Module
from probespiel.envs.einblatt.services import allow, ask, lot
from probespiel.envs.einblatt.services import task as later
module = Module("mine", "For tests.", windows=("before_commit",))
GO = module.action("go", en="go (mine)", de="los (mine)")
QUESTION = module.phase("mine_question")
module.state("used")
@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    """Once a conflict."""
    if not s.mine_used[seat]:
        allow(words, GO)
@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    """A question, then a task."""
    s.mine_used[seat] = 1
    later(s, ME, 0, seat)
    ask(s, ME, QUESTION, seat)
@module.hook
def legal_of(s: Any, p: Any, phase: int, seat: int, words: Any) -> None:
    """One answer."""
    allow(words, GO)
@module.hook
def answered(s: Any, p: Any, phase: int, seat: int, action: int) -> None:
    """Nothing."""
@module.hook
def task(s: Any, p: Any, what: int, seat: int) -> None:
    """A die."""
    lot(s, ME, 0, seat, 6)
@module.hook
def fell(s: Any, p: Any, what: int, seat: int, outcome: int) -> None:
    """Nothing."""
'''


def changed(text: str, *changes: tuple[str, str]) -> str:
    """A text with replacements, each of which must apply."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def written(folder: Path, text: str) -> str:
    """The path of a module file."""
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def line_of(text: str, part: str) -> int:
    """Number of the first line that holds a text."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


def refused(game: str, path: str, compiled: bool = False, **params: Any) -> str:
    """The text of the error with which a module is refused."""
    with pytest.raises(RulesetError) as caught:
        make_game(game, modules={path: params}, compiled=compiled)
    return str(caught.value)


def made(game: str, path: str, compiled: bool = False, **params: Any) -> Game:
    """A game with the module, whatever numba says of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return make_game(game, modules={path: params}, compiled=compiled)


def test_the_unchanged_modules_are_sound(tmp_path: Path) -> None:
    (first,) = check_modules("kuhn", {written(tmp_path, KUHN): {}}, games=20)
    assert first.decisions > 30
    assert first.problems == ()
    game = make_game("einblatt-duel", modules={written(tmp_path, EINBLATT): {}}, compiled=False)
    played = check_game(game, 1)
    assert played.decisions > 6
    assert played.problems == ()


# --- refused when built ---------------------------------------------------------------------------------------------

# (old text, new text, text on the line that the error names, further parts of the error)
SOURCE: list[tuple[str, str, str, list[str]]] = [
    # fields, parameters and names
    ("s.mine_made += 1", "s.mine_maid += 1", "s.mine_maid", ["hook 'moved'", "mine_maid", "did you mean mine_made"]),
    ("s.mine_made += 1", "s.made += 1", "s.made", ["hook 'moved'", "did you mean mine_made"]),
    ("s.mine_made += 1", "s.mine_made += p.bonus", "p.bonus", ["hook 'moved'", "parameter", "did you mean mine_bonus"]),
    ("s.mine_made += 1", "p.mine_bonus = 2", "p.mine_bonus = 2", ["hook 'moved'", "parameters are fixed"]),
    ("s.mine_made += 1", "TABLE[0] += 1", "TABLE[0] += 1", ["hook 'moved'", "changes TABLE", "module.state"]),
    ("s.mine_made += 1", "TABLE.append(1)", "TABLE.append(1)", ["hook 'moved'", "changes TABLE", "module.state"]),
    ("s.mine_made += 1", "t = TABLE; t[1] = 2", "t = TABLE; t[1] = 2", ["hook 'moved'", "changes TABLE"]),
    ("s.mine_made += 1", "t = TABLE; t += (1,)", "t = TABLE; t += (1,)", ["hook 'moved'", "changes TABLE"]),
    ("s.mine_made += 1", "global TABLE; TABLE = (1,)", "global TABLE", ["hook 'moved'", "changes TABLE"]),
    ("s.mine_made += 1", "s.mine_made += hepler(1)", "hepler(1)", ["hook 'moved'", "not defined", "mean helper"]),
    ("@kernel\ndef helper", "def helper", "def helper", ["helper", "@kernel"]),
    ("TABLE = (0, 1, 2)", "WORDS = 3\nTABLE = (0, 1, 2)", "WORDS", ["'WORDS' is taken"]),
    ("TABLE = (0, 1, 2)", "import difflib\nTABLE = (0, 1, 2)\ndifflib.x = 1", "difflib.x", []),
    # hooks
    ("def moved", "def mowed", "@module.hook\ndef mowed", ["no hook is called 'mowed'", "did you mean moved"]),
    ("seat: int, move: int", "seat: int", "def moved", ["'moved' takes (s, p, seat, move), not (s, p, seat)"]),
    ("seat: int, move: int", "seat: int, move: int = 0", "def moved", ["not (s, p, seat, move=0)"]),
    ("seat: int, move: int", "*all: int", "def moved", ["not (s, p, *all)"]),
    ("@module.hook\ndef moved", "def moved", "def moved", ["named like a hook", "@module.hook"]),
    ("def strength", "def moved", "def moved", ["'moved' is defined twice"]),
    (
        "    return value + TABLE",
        "    if value:\n        return value + TABLE",
        "def strength",
        ["hook 'strength'", "on every path"],
    ),
    ("    return value + TABLE", "    return\n    return value + TABLE", "return", ["must return a number"]),
    ("    out[0] = s.mine_made", "    yield 1", "def observe", ["hook 'observe'", "yield"]),
    ("def moved(", "async def moved(", "def moved", ["plain function"]),
    ("@module.hook\ndef moved", "@module.hook\nclass moved:\n    pass\ndef other", "class moved", ["no function"]),
    # the declaration
    ('Module("mine"', 'Module("two words"', "two words", ["letters, digits and _"]),
    ('Module("mine"', "Module(3", "Module(3", ["letters, digits and _"]),
    ('"For tests.")', '"For tests.", levels=("duel",))', "levels", ["duel", "knows none"]),
    ('"For tests.")', '"For tests.", windows="after_draw")', "windows", ["a tuple of names"]),
    ('"For tests.")', '"For tests.", rank={"strenght": 1})', "rank", ["strenght", "did you mean strength"]),
    ('"For tests.")', '"For tests.", colour="red")', "colour", ["TypeError", "colour"]),
    ('"bonus", 1, 0, 3', '"bonus", 5, 0, 3', "bonus", ["default", "5", "0..3"]),
    ('"bonus", 1, 0, 3', '"bonus", 0.5', "bonus", ["default", "0.5", "whole number"]),
    ('"bonus", 1, 0, 3', '"bonus", "a", choices=("b", "c")', "bonus", ["default", "'a'", "b, c"]),
    ('"bonus", 1, 0, 3', '"bonus", {}', "bonus", ["numbers, flags or choices"]),
    ('"bonus", 1, 0, 3', '"bo nus", 1, 0, 3', "bo nus", ["letters, digits and _"]),
    ('module.state("count")', 'module.state("count", scope="gam")', "gam", ["scope 'gam'", "did you mean game"]),
    ('module.state("count")', 'module.state("made")', 'module.state("made", per', ["state field 'made'", "twice"]),
    ("per_seat=False", "per_seat=False, private=True", "private", ["only a field per seat"]),
    ('"made", 1, 0, 3', '"made", 0, 0, 3', 'piece("made"', ["size = 0", "1..4096"]),
    ('"made", 1, 0, 3', '"made", 1, 3, 0', 'piece("made"', ["3..0", "low < high"]),
    ('"made", 1, 0, 3', '"made", 1, 0, float("inf")', 'piece("made"', ["finite"]),
    ('module.piece("made", 1, 0, 3, "moves made")', "", "def observe", ["'observe' writes pieces"]),
    ("TABLE =", 'module.action("go", en="go")\nTABLE =', "module.action", ["no actions of their own"]),
    # the file
    ("from typing import Any", "from typing import Anyhow", "Anyhow", ["ImportError"]),
    ("from typing import Any", "def broken(:", "def broken", ["SyntaxError"]),
    ("from typing import Any", "from typing import Any\nraise SystemExit(3)", "SystemExit", ["SystemExit"]),
    (
        "from typing import Any",
        "from typing import Any\nimport sys\nsys.modules.pop('difflib', None)",
        '"""For tests."""',
        [
            "sys.modules['difflib']",
            "only declares",
        ],
    ),
    ("from typing import Any", "from typing import Any\n1 / 0", "1 / 0", ["ZeroDivisionError"]),
    ("TABLE = (0, 1, 2)", 'TABLE = (0, 1, 2)\nother = Module("a", "b")', '"""For tests."""', ["exactly one", "2"]),
    ("kuhn.module", "einblatt.module", "def moved", ["no hook is called 'moved'"]),
]


@pytest.mark.parametrize(("old", "new", "where", "parts"), SOURCE, ids=lambda v: str(v)[:40] if v else "none")
def test_refused_when_built(tmp_path: Path, old: str, new: str, where: str, parts: list[str]) -> None:
    """By file and line (that of the text `where`), in plain words."""
    text = changed(KUHN, (old, new))
    path = written(tmp_path, text)
    if old == "TABLE = (0, 1, 2)" and "difflib" in new:
        text = changed(text, ("s.mine_made += 1", "s.mine_made += len(difflib.ndiff('', ''))"))
        path, where = written(tmp_path, text), "difflib.ndiff"
        parts = ["hook 'moved'", "one file"]
    error = refused("kuhn", path)
    assert "\n" not in error
    first = where.splitlines()[0]
    lines = [n for n, line in enumerate(text.splitlines(), 1) if first in line]
    lines += [n - 1 for n in lines] if first.startswith(("def ", "class ")) else []  # a decorator counts as the place
    assert any(f"{path}:{n}: " in error for n in lines), error
    for part in parts:
        assert part in error


LEGAL = '    """One answer."""\n    allow(words, GO)'
OPTION = "        allow(words, GO)\n@module.hook\ndef choose"
TAKEN = "    later(s, ME, 0, seat)\n    ask(s, ME, QUESTION, seat)"
FELL = 'seat: int, outcome: int) -> None:\n    """Nothing."""'
ANSWERED = 'action: int) -> None:\n    """Nothing."""'
NO_FIELD = [("not s.mine_used[seat]", "True"), ("    s.mine_used[seat] = 1\n", "")]

RULES: list[tuple[list[tuple[str, str]], str, list[str]]] = [
    ([('en="go (mine)", ', 'en="", ')], "module.action", ["needs a text"]),
    ([('en="go (mine)", ', ""), ('de="los (mine)"', "")], "module.action", ["needs a text"]),
    (
        [
            ("GO = module.action", "module.action"),
            (OPTION, "        pass\n@module.hook\ndef choose"),
            (LEGAL, "    pass"),
        ],
        "module = ",
        ["GO = module.action"],
    ),
    ([("QUESTION = module.phase", "module.phase"), (TAKEN, "    pass")], "module = ", ["QUESTION"]),
    ([('"mine_question"', '"commit"')], "module.phase", ["'commit' exists already"]),
    ([('"mine_question"', '"a b"')], "module.phase", ["letters"]),
    ([("@module.hook\ndef choose", "def chosen")], "module = ", ["options are offered", "no hook 'choose'"]),
    ([("@module.hook\ndef legal_of", "def legal")], "module = ", ["phases mine_question", "'legal_of' or 'answered'"]),
    ([("@module.hook\ndef fell", "def falls")], "lot(s, ME", ["hook 'task'", "'lot'", "needs the hook fell"]),
    ([("import task as later", "import task"), ("later(s", "task(s")], "def task", ["hides the imported"]),
    ([('windows=("before_commit",)', 'windows=("before",)')], "module = ", ["before", "did you mean before_commit"]),
    ([('Module("mine"', 'Module("mercy"')], "module = ", ["built-in module has this name"]),
    (
        [('Module("mine"', 'Module("f"'), ('state("used")', 'state("phase")'), *NO_FIELD],
        "module = ",
        ["'f_phase' is a name of the rules"],
    ),
]


@pytest.mark.parametrize(("changes", "where", "parts"), RULES, ids=lambda v: str(v)[:50])
def test_rules_that_cannot_work_are_refused(
    tmp_path: Path, changes: list[tuple[str, str]], where: str, parts: list[str]
) -> None:
    """Actions without text, name or hook; questions that nobody answers; names that are taken."""
    text = changed(EINBLATT, *changes)
    error = refused("einblatt-duel", written(tmp_path, text))
    line = line_of(text, where)
    assert f"mine.py:{line}: " in error or f"mine.py:{line - 1}: " in error, error
    for part in parts:
        assert part in error


def test_functions_that_call_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    """Compiling them ended the process; a chain of calls is none."""
    chain = '@kernel\ndef {0}(x: int) -> int:\n    """On."""\n    return {1}(x) + 1\n'
    begin, end = ("@kernel\ndef helper", "return x + 1")
    circle = changed(KUHN, (begin, chain.format("third", "helper") + begin), (end, "return third(x) if x else 0"))
    error = refused("kuhn", written(tmp_path, circle))
    assert f"mine.py:{line_of(circle, 'return helper(x)')}: module mine: function 'third' calls itself" in error
    assert "by way of 'helper': functions of a module cannot" in error
    make_game("kuhn", modules={written(tmp_path, circle.replace("third(x) if x else 0", "x + 1")): {}}, compiled=False)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x.flat[n] = 7", "uses .flat: compiled rules do not check an index of that; write x[i]"),
        ("m = x.flat", "uses .flat"),
        ("m = np.take_along_axis(x, np.array([n]), 0)[0]", "uses 'np.take_along_axis': compiled rules do not check"),
        ("m = np.select([x > 0], [x[:1]], 0)[3]", "uses 'np.select'"),
        ("np.add(x, x, np.zeros(n, dtype=np.int64))", "gives 'np.add' an array for its results"),
        ("np.sqrt(x, y)", "write x[:] = np.sqrt(...)"),
        ("plus(x, x, y)", "gives 'plus' an array"),
        ("np.outer(x, x, y)", "gives 'np.outer' an array"),
        ("np.outer(x, x, out=y)", "gives 'np.outer' an array"),
    ],
)  # fmt: skip
def test_ways_into_arrays_that_nobody_checks_are_refused(line: str, told: str, tmp_path: Path) -> None:
    """Compiled, `np.add(x, x, y)` with a longer y reads beyond x, as do the others: what lies there becomes a rule."""
    head = "import numpy as np\nplus = np.add\n"
    body = f"x, y, n = np.arange(4), np.zeros(9), s.mine_made\n    {line}\n    s.mine_made += 1"
    wrong = changed(KUHN, ("from typing", head + "from typing"), ("s.mine_made += 1", body))
    error = refused("kuhn", written(tmp_path, wrong))
    assert f"mine.py:{line_of(wrong, line)}: module mine: hook 'moved' " in error and told in error


def test_ways_into_arrays_that_are_checked_are_allowed(tmp_path: Path) -> None:
    body = "x = np.arange(4)\n    for v in x.flat:\n        s.mine_made += np.add(v, x)[0] + np.outer(x, x)[0, 1]"
    fine = changed(KUHN, ("from typing", "import numpy as np\nfrom typing"), ("s.mine_made += 1", body))
    make_game("kuhn", modules={written(tmp_path, fine): {}}, compiled=False)


@pytest.mark.parametrize("system", ["einblatt", "ews_rps", "konfrontation", "kuhn", "oneshot", "scorekeeper"])
def test_the_place_of_a_module_is_in_the_file_of_its_author(system: str, tmp_path: Path) -> None:
    """Not where a system adds to what is declared."""
    text = f'"""One."""\nfrom probespiel.envs.{system}.module import Module\nmodule = Module("mine", "For tests.")\n'
    path = written(tmp_path, text)
    assert load_module(made_system(system).interface, path)[0].place == f"{path}:3"
    wrong = written(tmp_path, text + 'module.param("cost", 5, 0, 3)\n')
    with pytest.raises(RulesetError, match=re.escape(f"{wrong}:4: module mine: ")):
        load_module(made_system(system).interface, wrong)


def test_clashes_name_both_modules(tmp_path: Path) -> None:
    """The same name, a module that it excludes, an action of the base table, a phase, a field."""
    one = written(tmp_path, EINBLATT)
    other = tmp_path / "other.py"

    def clash(*changes: tuple[str, str], **built_in: Any) -> str:
        other.write_text(changed(EINBLATT, *changes))
        with pytest.raises(RulesetError) as caught:
            make_game("einblatt-duel", modules={one: {}, str(other): {}, **built_in}, compiled=False)
        return str(caught.value)

    assert f"other.py:6: module mine: module 'mine' is given twice, see {one}:6" in clash()
    renamed = ('Module("mine"', 'Module("yours"')
    fields = NO_FIELD
    assert f"phase 'mine_question' is claimed by module mine as well, see {one}:6" in clash(renamed, *fields)
    excluding = ('"For tests.", w', '"For tests.", conflicts=("mine",), w')
    phase = ('phase("mine_question")', 'phase("yours_question")')
    assert "yours and mine cannot be active together" in clash(renamed, excluding, phase, *fields)
    base = ('"For tests.", w', '"For tests.", base_actions=(62,), w')
    text = clash(renamed, base, phase, *fields, swap_card={})
    assert "action 62 is claimed by module yours as well" in text
    assert "swap_card.py" in text
    many = (
        'state("used")',
        'state("used")\n' + "\n".join(f'A{i} = module.action("a{i}", en="a{i}")' for i in range(24)),
    )
    assert "26 actions of their own, at most 24" in clash(renamed, phase, many, *fields)
    same = ('en="go (mine)", de="los (mine)"', 'en="go (mine)", de="anders"')
    assert "go (mine)" in clash(renamed, phase, same, *fields)


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("none.py", None, ["none.py", "does not exist"]),
        ("latin.py", "# Grüße".encode("latin-1"), ["latin.py", "cannot be read"]),
        ("empty.py", b"", ["empty.py:1", "exactly one module = Module(...), it holds 0"]),
        ("null.py", b"a\0b", ["null.py", "null bytes"]),
        ("folder.py", "folder", ["folder.py", "is a folder"]),
        ("plain.txt", b"", ["plain.txt", "path ending in .py"]),
    ],
)
def test_files_that_are_no_modules(tmp_path: Path, name: str, content: bytes | str | None, parts: list[str]) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    error = refused("kuhn", str(path))
    assert all(part in error for part in parts), error


def test_functions_of_the_author_that_fail_when_a_game_is_built(tmp_path: Path) -> None:
    """`check` and `character` are plain Python; what they raise is told with its place."""
    check = "def check(values: Any) -> None:\n    values['nothing']\nmodule.check = check\nTABLE ="
    assert "check: KeyError: 'nothing'" in refused("kuhn", written(tmp_path, changed(KUHN, ("TABLE =", check))))
    for body, part in (
        ("return 1 / 0", "ZeroDivisionError"),
        ("return 'no'", "a list of texts"),
        ("return [1]", "list"),
    ):
        text = changed(EINBLATT, ('state("used")', f'state("used")\n@module.character\ndef rule(seat, p):\n    {body}'))
        error = refused("einblatt-duel", written(tmp_path, text))
        assert part in error
        assert "mine.py:10: module mine: character" in error


def test_parameters_of_the_command_line_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, KUHN)
    assert "bonus = 4 is not allowed: a whole number 0..3" in refused("kuhn", path, bonus=4)
    assert "bonus = True is not allowed" in refused("kuhn", path, bonus=True)
    assert "'bonuss' = 1 is unknown" in refused("kuhn", path, bonuss=1)


# --- stopped when played ----------------------------------------------------------------------------------------------

# (old text, new text, hook, parts of the error when interpreted, parts when compiled)
PLAYED: list[tuple[str, str, str, list[str], list[str]]] = [
    ("s.mine_count[seat] +=", "s.mine_count[seat + 2] +=", "moved", ["IndexError"], ["raised an error"]),
    ("s.mine_made += 1", "raise ValueError('so')", "moved", ["ValueError: so"], ["raised an error"]),
    ("s.mine_made += 1", "while True:\n        s.mine_made += 1", "moved", ["never ends"], ["raised an error"]),
    ("value + TABLE", "5000 + TABLE", "strength", ["answered 5000, allowed are -1000..1000"], ["answered 5000"]),
    ("TABLE[p.mine_bonus - 1]", "TABLE[p.mine_bonus + 2]", "strength", ["IndexError"], ["raised an error"]),
    ("out[0] = s.mine_made", "out[0] = 3.5 + s.mine_made", "observe", ["'made', whose range is 0..3"], ["wrote 3.5"]),
    ("out[0] = s.mine_made", "out[0] = 0.0 / s.mine_made", "observe", [], ["'made', whose range is 0..3"]),
    ("out[0] = s.mine_made", "out[1] = s.mine_made", "observe", ["IndexError"], ["raised an error"]),
]


def play_on(game: Game) -> str:
    """The error that ends random play by the batch, and that a position meets as well."""
    with pytest.raises(RulesetError) as caught:
        batch = Batch(game, 8, seed=1)
        batch.start()
        for _ in range(20):
            batch.read()
            batch.draw_random()
            batch.step()
    (problem,) = set(check_game(game, 1).problems)
    assert str(caught.value) in problem
    return str(caught.value)


@pytest.mark.parametrize(("old", "new", "hook", "interpreted", "compiled"), PLAYED, ids=lambda v: str(v)[:30])
def test_stopped_when_interpreted(
    tmp_path: Path, old: str, new: str, hook: str, interpreted: list[str], compiled: list[str]
) -> None:
    """With the very line where it happens."""
    if "while" in new:
        pytest.skip("a million turns of an interpreted loop take too long; see the slow test")
    text = changed(KUHN, (old, new))
    path = written(tmp_path, text)
    with np.errstate(all="ignore"):
        error = play_on(made("kuhn", path))
    assert f"hook {hook!r}" in error
    inside = "raised" in error
    assert f"{path}:{line_of(text, new) if inside else line_of(text, f'def {hook}') - 1}: module mine: " in error
    assert all(part in error for part in interpreted), error


@pytest.mark.parametrize("answer", ["'x'", "None", "[1]", "10**400"])
def test_an_answer_that_is_no_number_is_blamed_on_its_hook(tmp_path: Path, answer: str) -> None:
    path = written(tmp_path, changed(KUHN, ("value + TABLE[p.mine_bonus - 1]", answer)))
    error = play_on(made("kuhn", path))
    assert str(path) in error and "hook 'strength'" in error, error


@pytest.mark.parametrize(
    ("old", "new", "hook", "interpreted", "compiled"),
    [pytest.param(*case, marks=() if i in (0, 2, 3, 5) else pytest.mark.slow) for i, case in enumerate(PLAYED)],
)
def test_stopped_when_compiled(
    tmp_path: Path, old: str, new: str, hook: str, interpreted: list[str], compiled: list[str]
) -> None:
    """With the place of the hook; the game can be played on, and its state is unchanged by what failed."""
    text = changed(KUHN, (old, new))
    path = written(tmp_path, text)
    game = made("kuhn", path, compiled=True)
    assert game.kernel.compiled
    error = play_on(game)
    assert f"{path}:{line_of(text, f'def {hook}') - 1}: module mine: hook {hook!r}" in error
    assert all(part in error for part in compiled), error
    position = game.position(1)
    before = position.to_bytes()
    if hook == "moved":
        with pytest.raises(RulesetError):
            position.apply(0, 0)
        assert position.to_bytes() == before


def test_a_loop_in_a_hook_ends(tmp_path: Path) -> None:
    """Interpreted, and short enough to wait for."""
    text = changed(KUHN, ("s.mine_made += 1", "for i in range(10**9):\n        s.mine_made = i & 1"))
    path = written(tmp_path, text)
    game = made("kuhn", path)
    position = game.position(0)
    with pytest.raises(RulesetError, match=r"mine\.py:19: module mine: hook 'moved' raised RuntimeError: a loop went"):
        position.apply(0, 0)


def test_what_numba_cannot_compile_plays_on_with_a_warning(tmp_path: Path) -> None:
    """File, line, hook and reason are named; errors of play are found all the same."""
    text = changed(KUHN, ("s.mine_made += 1", "s.mine_made += eval('1')"))
    path = written(tmp_path, text)
    with pytest.warns(RuntimeWarning) as caught:
        game = make_game("kuhn", modules={path: {}})
    told = str(caught[0].message)
    assert "interpreted and slowly" in told
    assert f"{path}:19: module mine: hook 'moved': " in told
    assert "eval" in told
    assert not game.kernel.compiled
    assert check_game(game, 5).problems == ()


OFFERED = "not one of its module's"
ENDLESS: list[tuple[list[tuple[str, str]], str, list[str]]] = [
    ([("    lot(s, ME, 0, seat, 6)", "    later(s, ME, 0, seat)")], "task", ["never ends"]),
    (
        [(ANSWERED, f"{ANSWERED}\n    for i in range(40):\n        ask(s, ME, QUESTION, seat)")],
        "answered",
        ["pile up"],
    ),
    ([(FELL, f"{FELL}\n    lot(s, ME, 0, seat, 6)")], "fell", ["never ends"]),
    ([(LEGAL, "    pass")], "legal_of", ["allows nothing"]),
    ([(OPTION, OPTION.replace("GO", "33"))], "options", [OFFERED]),
    ([(OPTION, OPTION.replace("GO", "900"))], "options", ["IndexError"]),
]


@pytest.mark.parametrize(("changes", "hook", "parts"), ENDLESS, ids=lambda v: str(v)[:30])
def test_questions_and_tasks_without_end(
    tmp_path: Path, changes: list[tuple[str, str]], hook: str, parts: list[str]
) -> None:
    text = changed(EINBLATT, *changes)
    path = written(tmp_path, text)
    played = check_game(made("einblatt-duel", path), 1)
    (problem,) = played.problems
    assert f"module mine: hook {hook!r}" in problem
    assert all(part in problem for part in parts), problem


def test_an_endless_window_is_stopped_and_named(tmp_path: Path) -> None:
    """An option that may be taken for ever: the limit of decisions stops the game, and the hook is named."""
    changes = [
        ("    s.mine_used[seat] = 1\n", ""),
        ("    later(s, ME, 0, seat)\n    ask(s, ME, QUESTION, seat)", "    pass"),
    ]
    text = changed(EINBLATT, *changes)
    path = written(tmp_path, text)
    game = make_game("einblatt-duel", modules={path: {}}, compiled=False, max_decisions=100)
    position = game.position(1)
    go = game.actions.parse("go (mine)")
    while not position.over:
        seat = position.to_act()[0]
        legal = position.legal(seat)
        position.apply(seat, go if go in legal else legal[0])
        position.roll()
    (problem,) = problems_of(position)
    assert "stopped by the limit of 100 decisions in phase 'before_commit'" in problem
    assert f"{path}:{line_of(text, 'def options') - 1}: module mine: hook 'options'" in problem


# --- what the rules promise -------------------------------------------------------------------------------------------


UNSOUND: list[tuple[str, list[tuple[str, str]], list[str]]] = [
    ("kuhn", [("out[0] = s.mine_made", "out[0] = s.card[1 - seat] + 1")], ["'mine.made' shows what the seat cannot"]),
    ("kuhn", [("s.mine_made += 1", "s.mine_count[seat] = s.card[seat]")], ["mine_count", "private"]),
    (
        "einblatt-duel",
        [(TAKEN, "    s.hand[seat] = 0")],
        ["the deck of", "lost"],
    ),
    (
        "einblatt-duel",
        [(TAKEN, "    s.ep[seat] += 1")],
        ["do not add up to 0"],
    ),
]


@pytest.mark.parametrize(("game", "changes", "parts"), UNSOUND, ids=lambda v: str(v)[:40])
def test_broken_promises_are_found(tmp_path: Path, game: str, changes: list[tuple[str, str]], parts: list[str]) -> None:
    """Hidden cards shown, secrets kept in public fields, cards lost, points out of nothing."""
    text = changed(KUHN if game == "kuhn" else EINBLATT, *changes)
    problems = check_game(made(game, written(tmp_path, text)), 12 if game == "kuhn" else 3).problems
    assert problems
    assert all(part in problems[0] for part in parts), problems


@pytest.mark.parametrize("value", [100.0, -100.0, np.nan])
def test_observations_out_of_their_range_are_found(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    position = make_game("kuhn", compiled=False).position(1)
    (seat,) = position.to_act()
    assert problems_of(position) == []
    seen = position.observe(seat)
    seen[1] = value
    monkeypatch.setattr(Position, "observe", lambda self, seat: seen)
    (problem,) = problems_of(position)
    assert problem.startswith(f"{position.game.seats[seat].name}: observation piece ") and "is outside" in problem


# --- the command line -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "kuhn", "--opponent", "random"],
        ["tournament", "kuhn", "--games", "4", "--jobs", "1", "--agents", "random,first"],
        ["verify"],
        ["agents", "kuhn"],
    ],
    ids=lambda a: a[0],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [("s.mine_made += 1", "s.mine_maid += 1"), ("from typing import Any", "def broken(:"), ("def moved", "def mowed")],
)
def test_no_command_shows_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], old: str,
    new: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, changed(KUHN, (old, new)))
    assert cli.run([*arguments, "--module", path]) == 2
    shown = capfd.readouterr()
    assert "Traceback" not in shown.err + shown.out
    last = shown.err.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert f"{path}:" in last


def test_faults_while_commands_play(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """A tournament ends with the place of the hook; `verify` counts it as a failure."""
    monkeypatch.chdir(tmp_path)
    text = changed(KUHN, ("s.mine_count[seat] +=", "s.mine_count[seat + 2] +="))
    path = written(tmp_path, text)
    agents = ["tournament", "kuhn", "--games", "4", "--jobs", "1", "--agents", "random,first", "--module", path]
    assert cli.run(agents) == 2
    shown = capfd.readouterr()
    assert "Traceback" not in shown.err + shown.out
    assert f"error: {path}:{line_of(text, 'def moved') - 1}: module mine: hook 'moved' raised an error" in shown.err
    assert cli.run(["verify", "--module", path]) == 1
    shown = capfd.readouterr()
    assert "FAIL kuhn" in shown.out
    assert f"{path}:{line_of(text, 'seat + 2')}: module mine: hook 'moved' raised IndexError" in shown.out
