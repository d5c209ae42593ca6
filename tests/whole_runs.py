"""What whole runs report, held to what they reported before: `python -m tests.whole_runs [WORDS]` writes it anew.

Tests that play whole runs anyway (stress tests, tournaments, ladders, searches for balance, exploits) hand their
reports to `held`. Of each, tests/golden/runs.json keeps every figure (those of one place are added up, each by a weight
of its own, so that none can trade places with another) and a hash of the texts of every part. It does not tell what is
right, which cases by hand and naive twins do; it notices what changes, in any line between a game and its report.

Figures must be the same on every machine: what was timed, and who made it, is left out. Whoever changes a report on
purpose writes the rows anew (WORDS are options of pytest, `-k kuhn` for instance), and reads which of them changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probespiel import __version__
from probespiel.envs.core.jit import config
from tests.drawn_tournaments import figures_of

HERE = Path(__file__).parent
FILE = HERE / "golden" / "runs.json"
WRITE = "PROBESPIEL_WRITE_RUNS"  # the folder that rows go to while they are written anew
OTHER = frozenset(("version", "ruleset", "rules", "seconds", "took", "when", "made", "digest", "path", "file"))
# A page's pictures are drawn by a library, and differ from one of its versions to the next; what is folded in a
# script or a style is the same everywhere.
_QUOTE = "(?:'|&#39;|&#x27;)"
_LEFT_OUT = re.compile(r"<(svg|style|script|footer)\b.*?</\1>|<[^>]+>", re.DOTALL)


def _cleared(text: str, hide: Sequence[Path]) -> str:
    """A text without the folders that are others in every run, without hashes of sources, without the version."""
    for folder in map(str, (*hide, HERE)):
        text = re.sub(f"{_QUOTE}{re.escape(folder)}([^'&<]*){_QUOTE}", r"\1", text)  # a blank in it is why it is quoted
        text = text.replace(folder, "")
    return re.sub(r"\b[0-9a-f]{24,64}\b", "", text).replace(__version__, "")


def _plain(value: Any, hide: Sequence[Path]) -> Any:
    """A value of dictionaries, lists, numbers and texts, without what differs by machine and moment."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        return {str(name): _plain(inner, hide) for name, inner in value.items() if name not in OTHER}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist(), hide)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_plain(inner, hide) for inner in value]
    return _cleared(value, hide) if isinstance(value, str) else value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif not isinstance(value, bool | int | float | None):
        yield str(value)


def _hash(texts: Iterator[str]) -> str:
    found = hashlib.blake2b(digest_size=6)
    for text in texts:
        found.update(text.encode("utf-8", "surrogateescape") + b"\0")
    return found.hexdigest()


def _parts_of_page(page: Path, hide: Sequence[Path]) -> dict[str, str]:
    """A hash of every part of a page, by its heading: words and tables, not pictures."""
    text = _cleared(page.read_text(encoding="utf-8"), hide)
    parts = re.split(r"<h[12][^>]*>(.*?)</h[12]>", text, flags=re.DOTALL)
    names = ["before", *(_LEFT_OUT.sub("", name).strip() for name in parts[1::2])]
    own = page.stem if page.suffix == ".html" else page.name  # tables lie beside texts of the same name
    return {
        f"{own}: {name}": _hash(iter(_LEFT_OUT.sub(" ", part).split()))
        for name, part in zip(names, parts[::2], strict=True)
    }


def row_of(content: Any, pages: Sequence[Path] = (), hide: Sequence[Path] = ()) -> dict[str, Any]:
    """The row of a run: its figures, and hashes of what its parts and its pages say."""
    told = _plain(content, hide)
    parts = told if isinstance(told, dict) else {"all": told}
    said = {name: _hash(_texts(part)) for name, part in parts.items()}
    for page in pages:
        said |= _parts_of_page(page, hide)
    return {"figures": figures_of(told), "said": said}


def held(name: str, content: Any, *pages: Path, hide: Sequence[Path] = (), alike: bool = True) -> None:
    """Assert that a run reports what it reported: its content, and its pages; `hide` holds folders of this run alone.

    `content` may be a file of json, or something of dictionaries, lists, arrays and records. `alike` says whether
    interpreted games are the same: they are not where a compiled run probes longer, and solves what is small enough.
    """
    if config.DISABLE_JIT and not alike:
        return
    now = row_of(json.loads(content.read_text(encoding="utf-8")) if isinstance(content, Path) else content, pages, hide)
    if folder := os.environ.get(WRITE):
        (Path(folder) / f"{_hash(iter([name]))}.json").write_text(json.dumps({name: now}), encoding="utf-8")
        return
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert name in kept, f"{name} is not kept yet: python -m tests.whole_runs"
    differences = differences_of(kept[name], now)
    assert not differences, f"{name}: {', '.join(differences[:20])} changed; on purpose: python -m tests.whole_runs"


def differences_of(kept: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The places at which two rows differ by more than rounding."""
    places = [*kept["figures"], *(place for place in now["figures"] if place not in kept["figures"])]
    missing = float("nan")  # which equals nothing
    found = [
        place for place in places
        if now["figures"].get(place, missing) != pytest.approx(kept["figures"].get(place, missing), rel=1e-5, abs=1e-6)
    ]  # fmt: skip
    names = [*kept["said"], *(name for name in now["said"] if name not in kept["said"])]
    return found + [f"words of {name}" for name in names if kept["said"].get(name) != now["said"].get(name)]


def main(words: list[str]) -> int:
    """Run the tests that hand their reports over, and keep what they hand over instead of comparing it."""
    files = [str(p) for p in sorted(HERE.glob("test_*.py")) if "tests.whole_runs import" in p.read_text("utf-8")]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:xdist", *files, *words],
            env={**os.environ, WRITE: folder}, cwd=HERE.parent, check=False,
        )  # fmt: skip
        rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() and words else {}
        for path in sorted(Path(folder).iterdir()):
            rows |= json.loads(path.read_text(encoding="utf-8"))
    if done.returncode == 0:
        lines = [f"{json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows)]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
