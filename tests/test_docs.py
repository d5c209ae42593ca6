"""The pages: generated parts are those of the code, every system is spoken of, every place that is named exists."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from probespiel.envs.core.registry import system, system_names

from . import house, write_docs
from .test_layout import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md")])
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w.-]+(/[\w.-]+)+/?")  # a path with a folder in it
FUNCTION = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)\(\)")
CLASS = re.compile(r"[A-Z]\w*[a-z]\w*")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FOLDERS = tuple(sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")))
WRITTEN = ("results", "dist", "build")  # folders that commands make


@pytest.mark.parametrize(
    "page", [write_docs.PAGE, write_docs.FIELDS, write_docs.ARCHITECTURE], ids=lambda page: page.name
)
def test_generated_parts_are_current(page: Path) -> None:
    """`make docs` rewrites them."""
    text = page.read_text(encoding="utf-8")
    assert write_docs.BLOCK.search(text)
    assert write_docs.current(text) == text


def test_pages_of_the_rules_are_current() -> None:
    """They are written as a whole; a page of a system that is gone has no place there."""
    pages = write_docs.rule_pages()
    assert len(pages) >= 12
    for page, text in pages.items():
        assert page.read_text(encoding="utf-8") == text, page.name
    assert {*write_docs.RULES.iterdir()} == {*pages}


def test_rule_numbers_of_hooks_are_links() -> None:
    """A rule number in a table of hooks or services leads to the page that tells the rule."""
    for block in write_docs.BLOCK.finditer(write_docs.PAGE.read_text(encoding="utf-8")):
        if block["what"] in ("hooks", "services"):
            assert not re.search(r"(?<!\[)\bR\d+\b(?!\])(?!\))", re.sub(r"\(rules/[^)]*\)", "", block[0]))


def test_every_system_is_there() -> None:
    text = write_docs.PAGE.read_text(encoding="utf-8")
    blocks = {(b["what"], b["name"]) for b in write_docs.BLOCK.finditer(text)}
    for name in system_names():
        assert ("hooks", name) in blocks
        assert all(f"`{hook}(" in text for hook in system(name).interface.table)
        if system(name).interface.services:
            assert ("services", name) in blocks


def test_every_service_is_named_once() -> None:
    for name in system_names():
        services = " ".join(system(name).interface.services.values()).split()
        assert len(services) == len(set(services))


def test_kinds_are_explained() -> None:
    kinds = {hook.kind for name in system_names() for hook in system(name).interface.table.values()}
    text = write_docs.PAGE.read_text(encoding="utf-8")
    assert all(re.search(rf"^\| {kind} \|", text, re.MULTILINE) for kind in kinds)


# --- the house


def test_no_room_of_a_system_imports_that_of_another() -> None:
    names = house.systems()
    assert {"kuhn", "einblatt"} <= set(names)
    strangers = [(a, b) for a, b in house.arrows() if a[1] in names and b[1] in names and a[1] != b[1]]
    assert not strangers


def test_the_picture_leaves_out_only_what_follows() -> None:
    """Along the arrows that are drawn one comes from every room to all that it imports, and to no others."""
    whole = house.drawn_arrows()
    drawn = house.needed(whole)
    assert len(drawn) < len(whole)
    for room in house.rooms():
        assert house.reached(room, drawn) == house.reached(room, whole)
    assert all(any(a == arrow for arrow in whole) for a in drawn)


def test_arrows_that_follow_are_left_out() -> None:
    a, b, c = (("x", name) for name in "abc")
    assert house.needed([(a, b), (a, c), (b, c)]) == [(a, b), (b, c)]
    assert house.needed([(a, b), (b, a), (b, c)]) == [(a, b), (b, a), (b, c)]  # a circle stays


# --- places that pages name


def blocks_of(text: str) -> Iterator[str]:
    """Paragraphs, items of lists and rows of tables, without what stands in fences."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (block for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|) ?)", text) if block.strip())


@functools.cache
def defined_in(path: Path) -> frozenset[str]:
    """Functions, classes and `Class.method` that a file defines."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{child.name}" for child in node.body if isinstance(child, ast.FunctionDef)}
    return frozenset(found)


def wrong_names(text: str) -> list[str]:
    """Functions `name()` and classes that no Python file named in the same paragraph defines."""
    wrong = []
    for block in blocks_of(text):
        words = CODE.findall(block)
        files = [ROOT / word for word in words if word.endswith(".py") and (ROOT / word).is_file()]
        known = frozenset().union(*(defined_in(path) for path in files))
        for word in words:
            function = FUNCTION.fullmatch(word)
            name = function[1] if function else word
            if (function or CLASS.fullmatch(word)) and name not in known:
                wrong.append(f"{word}: not in {', '.join(str(path.relative_to(ROOT)) for path in files) or 'any file'}")
    return wrong


def missing_files(text: str) -> list[str]:
    """Paths of the checkout that a text names in backquotes and that do not exist."""
    words = [word for block in blocks_of(text) for word in CODE.findall(block)]
    paths = [word for word in words if FILE.fullmatch(word) and word.split("/")[0] in FOLDERS]
    return [path for path in paths if path.split("/")[0] not in WRITTEN and not (ROOT / path).exists()]


def test_architecture_names_what_is_there() -> None:
    """Every function and class on the page stands in a file that the same paragraph names."""
    text = write_docs.ARCHITECTURE.read_text(encoding="utf-8")
    assert len([word for word in CODE.findall(text) if FUNCTION.fullmatch(word)]) > 30
    assert not wrong_names(text)


WATCHED = """
import io, sys
from probespiel.app.cli import run

seen = set()

def note(frame, event, argument):
    if event == "call":
        seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))

sys.stdin = io.StringIO("bet\\n")
sys.setprofile(note)
agents = "honest,always_bet,search:sims=2"
done = run(["play", "kuhn", "--opponent", "honest", "--seed", "3", "--replay", "replay.json"])
done += run(["tournament", "kuhn", "--agents", agents, "--games", "2", "--jobs", "1", "--out", "tournament"])
sys.setprofile(None)
for file, name in seen:
    print("called", file, name, sep="\\t")
sys.exit(done)
"""


def test_the_decision_goes_the_way_that_is_told(tmp_path: Path) -> None:
    """The commands of the section call every function that it names; interpreted, so that kernels can be watched."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", WATCHED], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "payoff -2" in done.stdout
    lines = [line.split("\t")[1:] for line in done.stdout.splitlines() if line.startswith("called\t")]
    called = {(Path(file).resolve(), name) for file, name in lines}
    section = write_docs.ARCHITECTURE.read_text(encoding="utf-8").split("\n## One decision")[1].split("\n## ")[0]
    told = []
    for block in blocks_of(section):
        words = CODE.findall(block)
        files = [ROOT / word for word in words if word.endswith(".py")]
        told += [(found[1], files) for word in words if (found := FUNCTION.fullmatch(word))]
    assert len(told) > 30
    assert not [name for name, files in told if not any((file, name) in called for file in files)]


def test_wrong_names_are_found() -> None:
    """The check above passes on an empty page."""
    assert not wrong_names("`build()` and `Kernel` (`envs/core/build.py`), `Position.apply()` of `envs/core/game.py`")
    assert wrong_names("`built()` (`envs/core/build.py`)") == ["built(): not in envs/core/build.py"]
    assert wrong_names("`Position.apply()`\n\n`envs/core/game.py`") == ["Position.apply(): not in any file"]
    assert wrong_names("- `Position`\n- `envs/core/game.py`") == ["Position: not in any file"]
    assert missing_files("`envs/core/gone.py`, `envs/core/game.py`, `path/to/file.py`") == ["envs/core/gone.py"]


def test_claims_under_test_have_their_tests() -> None:
    claims = (ROOT / "docs" / "measurements" / "tests.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(test_\w+)` \|", claims.partition("## Claims under test")[2], re.MULTILINE)
    assert len(named) > 10
    written = {
        name
        for file in Path(__file__).parent.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert not [name for name in named if name not in written]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_and_links_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not missing_files(text)
    links = [link for block in blocks_of(text) for link in LINK.findall(block) if "://" not in link]
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            goal = target.read_text(encoding="utf-8")
            heads = re.findall(r"^#+ (.*)$", goal, re.MULTILINE)
            assert f'<a id="{anchor}"></a>' in goal or anchor in [
                re.sub(r"[^\w\- ]", "", head).lower().replace(" ", "-") for head in heads
            ], link
