"""The layout that is promised: complete packages, imports that run one way, no machine's paths, docstrings."""

import ast
import functools
import gc
import pathlib
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.arguments import FOLDERS, MEANT, swapped_in

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "probespiel"
# Each folder may import from itself and from those before it.
ORDER = ("envs", "agents", "training", "evaluation", "app")
# What rules may not know: the libraries that play or present them, and any source of chance but the driver's dice.
FORBIDDEN_IN_RULES = {"pettingzoo", "gymnasium", "torch", "stable_baselines3", "random", "secrets", "numpy.random"}
# Systems for comparison with others' work: code that serves every system may use them as its sample.
REFERENCE = {"kuhn", "leduc", "goofspiel", "liars_dice"}
LONGEST = 500  # lines of a file of the package
LONG_BECAUSE = "Over 500 lines because"
# Drivers are compiled functions: arguments that belong together travel as named tuples, further ones by name.
MOST_PARAMETERS, MOST_BY_POSITION = 8, 4
# `call_kernel` for plain Python: its seven integers are those of the kernels' C interface, and naming them would cost
# each of its calls half as much again.
BY_POSITION = {f"{PACKAGE}.envs.core.abi._through"}
# What stands in the root beside the folders; saved games and other outputs do not belong there.
IN_THE_ROOT = {
    ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "constraints.txt",
    "pyproject.toml",
}  # fmt: skip
SKIPPED_FOLDERS = {"build", "dist", "results", "__pycache__", "node_modules"}


def pyproject() -> dict:
    """The project's own table of contents."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@functools.cache
def project_files() -> tuple[pathlib.Path, ...]:
    """Files that git tracks or would track; without git, all but hidden and generated ones."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
        files = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        files = [
            path
            for path in ROOT.rglob("*")
            if not any(part in SKIPPED_FOLDERS or part.endswith(".egg-info") for part in path.relative_to(ROOT).parts)
            and not any(part.startswith(".") and part != ".ci" for part in path.relative_to(ROOT).parts[:-1])
        ]
    return tuple(sorted(path for path in files if path.is_file()))


def python_files() -> list[pathlib.Path]:
    """All of the project's Python files."""
    return [path for path in project_files() if path.suffix == ".py"]


def package_files() -> list[pathlib.Path]:
    """The Python files that are installed."""
    folders = set(pyproject()["tool"]["setuptools"]["package-dir"].values())
    return [path for path in python_files() if path.relative_to(ROOT).parts[0] in folders]


def module_name(path: pathlib.Path) -> str:
    """The name under which a package's file is imported."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts if parts[0] == PACKAGE else [PACKAGE, *parts])


@contextmanager
def trees_in_mind() -> Iterator[None]:
    """Many syntax trees are held within, and let go at the end: millions of objects, among which the search for
    garbage would take four times as long as reading them, here and in all tests after these."""
    wanted = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        parsed.cache_clear()
        walked.cache_clear()
        if wanted:
            gc.enable()


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """The trees are read once for all tests of this file."""
    with trees_in_mind():
        yield


@functools.cache
def parsed(path: pathlib.Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@functools.cache
def walked(tree: ast.AST) -> list[ast.AST]:
    """All parts of a syntax tree; several rules look at each."""
    return list(ast.walk(tree))


def imports_of(tree: ast.AST, name: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted name of everything that module ``name`` imports, in functions too.

    ``from a import b`` gives ``a.b``: whether b is a module cannot be seen here, and a longer name hides nothing.
    """
    for node in walked(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".") if is_package else name.split(".")[:-1]
                parents = parts[: len(parts) - (node.level - 1)]
                base = ".".join([*parents, *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args:
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if function in {"import_module", "__import__"} and isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)


def imports_in(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """``imports_of`` for a file of the package."""
    return imports_of(parsed(path), module_name(path), path.name == "__init__.py")


def against_the_order(name: str, imported: str) -> bool:
    """Whether module ``name`` may not import ``imported``."""
    top, *rest = imported.split(".")
    if top in ORDER:
        return True  # a bare folder name: it is found from the checkout only
    if top != PACKAGE or not rest or rest[0] not in ORDER:
        return False
    own = name.split(".")[1:2]
    return not own or ORDER.index(rest[0]) > ORDER.index(own[0])


def randomness_in(tree: ast.Module) -> Iterator[int]:
    """Lines that reach numpy's generators through the attribute ``np.random``."""
    for node in walked(tree):
        if isinstance(node, ast.Attribute) and node.attr == "random" and isinstance(node.value, ast.Name):
            if node.value.id in {"np", "numpy"}:
                yield node.lineno


def rules_files() -> list[pathlib.Path]:
    """The rules kernels and the rule modules."""
    return [*ROOT.glob("envs/*/rules.py"), *ROOT.glob("envs/*/*/rules.py"), *ROOT.glob("envs/*/modules/*.py")]


def shown(path: pathlib.Path, line: int = 1) -> str:
    """A place as editors understand it."""
    return f"{path.relative_to(ROOT)}:{line}"


def test_the_root_holds_what_it_is_for():
    assert {path.name for path in project_files() if path.parent == ROOT} == IN_THE_ROOT


def test_package_list_is_complete():
    declared = pyproject()["tool"]["setuptools"]["packages"]
    on_disk = {module_name(path.parent / "__init__.py") for path in package_files()}
    assert sorted(declared) == sorted(set(declared)), "a package is declared twice"
    assert set(declared) == on_disk
    missing = {path.parent for path in package_files()} - {p.parent for p in package_files() if p.name == "__init__.py"}
    assert not missing, "folders with Python files but no __init__.py"


def test_every_folder_of_the_order_is_installed():
    assert set(pyproject()["tool"]["setuptools"]["package-dir"]) == {PACKAGE, *(f"{PACKAGE}.{f}" for f in ORDER)}


def test_package_data_is_declared():
    # A data file whose suffix is not declared would be there in the checkout and missing after installation.
    patterns = pyproject()["tool"]["setuptools"]["package-data"]["*"]
    folders = set(pyproject()["tool"]["setuptools"]["package-dir"].values())
    data = [p for p in project_files() if p.relative_to(ROOT).parts[0] in folders and p.suffix != ".py"]
    known = {pattern.rpartition("*")[2] for pattern in patterns}
    lost = [shown(p) for p in data if p.suffix not in known and p.name not in known]
    assert not lost, "package data that no pattern of pyproject.toml takes along"


def test_imports_run_one_way():
    wrong = [
        f"{shown(path, line)} imports {imported}"
        for path in package_files()
        for line, imported in imports_in(path)
        if against_the_order(module_name(path), imported)
    ]
    assert not wrong, "\n".join(wrong)


def systems() -> set[str]:
    """Names of the systems: the folders of the rules."""
    return {path.parent.name for path in ROOT.glob("envs/*/system.py")} - {"core"}


def generic_files() -> list[pathlib.Path]:
    """Files that serve every system: all that lie in no system's room."""
    rooms = systems()
    return [path for path in package_files() if not rooms & set(path.relative_to(ROOT).parts)]


def test_no_generic_file_names_a_system():
    # Reference games are named nowhere either, but in samples: their names are words of game theory.
    names = sorted(systems() - REFERENCE)
    assert len(names) >= 5
    wrong = []
    for path in [*generic_files(), ROOT / "benchmarks/__main__.py", ROOT / "benchmarks/measure.py"]:
        lines = path.read_text(encoding="utf-8").splitlines()
        wrong += [f"{shown(path, n)} names {s}" for n, line in enumerate(lines, 1) for s in names if s in line]
    assert not wrong, "\n".join(wrong)


def test_evaluation_is_no_hall():
    entries = {path.relative_to(ROOT / "evaluation").parts[0] for path in package_files() if "evaluation" in path.parts}
    assert len(entries) <= 12, sorted(entries)


def test_long_files_say_why():
    wrong = []
    for path in package_files():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LONGEST and LONG_BECAUSE not in (ast.get_docstring(parsed(path)) or ""):
            wrong.append(f"{shown(path)} has {lines} lines; over {LONGEST} its docstring must say: {LONG_BECAUSE} ...")
    assert not wrong, "\n".join(wrong)


def imported_for_running(tree: ast.AST, name: str, is_package: bool) -> list[str]:
    """``imports_of`` without those that only type checkers read."""
    unread = [n for n in walked(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)]
    left = Counter(imported for _, imported in imports_of(tree, name, is_package))
    for part in unread:
        left -= Counter(imported for _, imported in imports_of(ast.Module(part.body, []), name, is_package))
    return list(left)


def imported_modules(path: pathlib.Path, names: set[str]) -> set[str]:
    """Modules among `names` that a file imports, in functions too, but for those that only type checkers read."""
    tree, place = parsed(path), (module_name(path), path.name == "__init__.py")
    found = set()
    for imported in imported_for_running(tree, *place):
        # a.b.c is the module a.b.c, or the name c of the module a.b
        found.add(imported if imported in names else imported.rpartition(".")[0])
    return found & names


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    out: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) > at + 1:
                out.append(sorted(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return out


def test_no_circle_of_imports():
    files = {module_name(path): path for path in package_files()}
    assert circles({name: imported_modules(path, set(files)) for name, path in files.items()}) == []


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}) == [["a", "b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_rules_know_no_library_and_no_chance():
    wrong = []
    for path in rules_files():
        for line, imported in imports_in(path):
            if any(imported == name or imported.startswith(f"{name}.") for name in FORBIDDEN_IN_RULES):
                wrong.append(f"{shown(path, line)} imports {imported}")
        wrong.extend(f"{shown(path, line)} uses np.random" for line in randomness_in(parsed(path)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "name", "is_package", "expected"),
    [
        ("from ..agents.match import play", "probespiel.envs.x", False, "probespiel.agents.match.play"),
        ("from . import agents", "probespiel", True, "probespiel.agents"),
        ("from .. import training", "probespiel.envs.core.x", False, "probespiel.envs.training"),
        ("from ... import training", "probespiel.envs.core.x", False, "probespiel.training"),
        ("from ... import training", "probespiel.envs.core", True, "probespiel.training"),
        ("def f():\n    import probespiel.app.cli", "probespiel.envs.x", False, "probespiel.app.cli"),
        ("importlib.import_module('probespiel.app')", "probespiel.envs.x", False, "probespiel.app"),
    ],
)
def test_imports_are_read_right(source, name, is_package, expected):
    # The checks above are only as good as this reading, and pass on an empty tree.
    assert expected in [imported for _, imported in imports_of(ast.parse(source), name, is_package)]


@pytest.mark.parametrize(
    ("name", "imported", "wrong"),
    [
        ("probespiel.envs.core.x", "probespiel.agents.match", True),
        ("probespiel.agents.x", "probespiel.envs.core", False),
        ("probespiel.agents.x", "probespiel.agents.y", False),
        ("probespiel.agents.x", "envs.core", True),
        ("probespiel.app.cli", "probespiel.envs", False),
        ("probespiel.training.x", "probespiel.evaluation", True),
        ("probespiel.envs.core.x", "probespiel.__version__", False),
        ("probespiel", "probespiel.envs", True),
        ("probespiel.envs.x", "agents_of_chaos", False),
    ],
)
def test_the_order_is_read_right(name, imported, wrong):
    assert against_the_order(name, imported) is wrong


def is_driver(node: ast.AST) -> bool:
    """Whether a node defines a function that is marked ``@driver`` or ``@inner``, with or without options."""
    if not isinstance(node, ast.FunctionDef):
        return False
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
    return any(isinstance(mark, ast.Name) and mark.id in ("driver", "inner") for mark in marks)


def parameters_of(function: ast.FunctionDef) -> int:
    """The number of a function's parameters."""
    spec = function.args
    return len(spec.posonlyargs) + len(spec.args) + len(spec.kwonlyargs)


def meanings_of(tree: ast.Module, name: str, is_package: bool) -> dict[str, str]:
    """Absolute dotted names of what the names of module ``name`` stand for: its functions, and what it imports."""
    out = {node.name: f"{name}.{node.name}" for node in walked(tree) if isinstance(node, ast.FunctionDef)}
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom):
            absolute = imports_of(ast.Module([node], []), name, is_package)
            out.update({alias.asname or alias.name: full for alias, (_, full) in zip(node.names, absolute)})
    return out


def wrong_drivers(trees: dict[str, tuple[ast.Module, bool]]) -> Iterator[tuple[str, int, str]]:
    """Module, line and fault of drivers with too many parameters, and of calls that fill too many by position.

    `trees`: by the module's name its syntax tree, and whether it is a package.
    """
    drivers = {
        f"{name}.{node.name}": node
        for name, (tree, _) in trees.items()
        for node in walked(tree)
        if isinstance(node, ast.FunctionDef) and is_driver(node)
    }
    for full, node in drivers.items():
        if parameters_of(node) > MOST_PARAMETERS:
            yield full.rpartition(".")[0], node.lineno, f"{node.name} has {parameters_of(node)} parameters"
    meanings = {name: meanings_of(tree, name, is_package) for name, (tree, is_package) in trees.items()}

    def driver_named(full: str) -> ast.FunctionDef | None:
        """The driver of an absolute name, which may be one that a module only hands on."""
        seen = set()
        while full not in drivers and full not in seen:
            seen.add(full)
            module, _, name = full.rpartition(".")
            full = meanings.get(module, {}).get(name, "")
        return drivers.get(full)

    for name, (tree, _) in trees.items():
        for node in walked(tree):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
                called = driver_named(f"{meanings[name].get(node.func.value.id)}.{node.func.attr}")
            else:
                called = driver_named(meanings[name].get(getattr(node.func, "id", ""), ""))
            if called is None:
                continue
            # nobody sees how many *a fills: as many as there are
            starred = any(isinstance(arg, ast.Starred) for arg in node.args)
            filled = parameters_of(called) if starred else len(node.args)
            if filled > MOST_BY_POSITION and f"{name}.{called.name}" not in BY_POSITION:
                yield name, node.lineno, f"{filled} arguments of {called.name} are filled by position"


def test_drivers_take_few_arguments_most_by_name():
    files = {module_name(path): path for path in package_files()}
    trees = {name: (parsed(path), path.name == "__init__.py") for name, path in files.items()}
    assert sum(is_driver(node) for tree, _ in trees.values() for node in walked(tree)) > 100
    wrong = [f"{shown(files[name], line)} {fault}" for name, line, fault in wrong_drivers(trees)]
    assert not wrong, "\n".join(wrong)


def test_files_of_rule_sets_hold_no_driver():
    """A file with kernels is loaded anew for every rule set, by another name: its drivers would be kept under each."""
    wrong = []
    for path in package_files():
        marked = [node for node in walked(parsed(path)) if isinstance(node, ast.FunctionDef)]
        kernels = [f for f in marked if any(isinstance(m, ast.Name) and m.id == "kernel" for m in f.decorator_list)]
        wrong += [shown(path, f.lineno) for f in marked if kernels and is_driver(f)]
    assert not wrong, "\n".join(wrong)


def test_drivers_are_read_right():
    def module(source: str) -> tuple[ast.Module, bool]:
        return ast.parse(source), False

    five, nine = "a, b, c, d, e", "a, b, c, d, e, f, g, h, i"
    trees = {
        "p.kernel": module(f"@driver\ndef f({five}): ...\n@driver(allocates=False)\ndef g({nine}): ..."),
        "p.plain": module(f"def f({five}): ...\nf(1, 2, 3, 4, 5)\nunknown(1, 2, 3, 4, 5)"),
        "p.between": module("from .kernel import f as h"),
        "p.q.user": module(
            "from .. import kernel\nfrom ..between import h\nfrom ..plain import f\n"
            "f(1, 2, 3, 4, 5)\nh(1, 2, 3, 4, e=5)\nh(1, 2, 3, 4, 5)\nkernel.f(*a)\n"
            "def inner():\n    from ..kernel import g as own\n    own(1, 2, 3, 4, 5, 6)"
        ),
    }
    assert sorted(wrong_drivers(trees)) == [
        ("p.kernel", 4, "g has 9 parameters"),
        ("p.q.user", 6, "5 arguments of f are filled by position"),
        ("p.q.user", 7, "5 arguments of f are filled by position"),
        ("p.q.user", 10, "6 arguments of g are filled by position"),
    ]


def test_no_machine_paths():
    # In pieces, so that this file does not name them.
    paths = ["/" + "work/", "/" + "root/", "../" + "shared"]
    wrong = []
    for path in project_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # binary data
        wrong.extend(shown(path, n) for n, line in enumerate(lines, start=1) if any(p in line for p in paths))
    assert not wrong, "\n".join(wrong)


def test_every_file_says_what_it_is():
    wrong = [shown(path) for path in python_files() if not ast.get_docstring(parsed(path))]
    assert not wrong, "\n".join(wrong)


def test_public_names_have_docstrings():
    wrong = []
    for path in package_files():
        nodes = list(parsed(path).body)
        while nodes:
            node = nodes.pop()
            if isinstance(node, ast.If | ast.Try):
                nodes.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if not node.name.startswith("_") and not ast.get_docstring(node):
                    wrong.append(f"{shown(path, node.lineno)} {node.name}")
    assert not wrong, "\n".join(sorted(wrong))


def test_no_arguments_are_swapped() -> None:
    """No two that stand by position have each other's names, in compiled code and in what no game comes to, too."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert swapped_in({path: parsed(path) for path in paths}, walked) == MEANT
