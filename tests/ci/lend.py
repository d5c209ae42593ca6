"""Lend this environment's copies of the declared dependencies to another one, as links: `lend.py FOLDER NAME...`.

FOLDER gets a link for each top-level entry that the distributions NAME and all that they require have installed, for
this machine and without extras. What only developers install is not among them, so that an import that pyproject.toml
does not declare fails. A requirement that is declared and not installed is an error.
"""

from __future__ import annotations

import importlib.metadata
import pathlib
import sys
import sysconfig

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def closure(names: list[str]) -> dict[str, importlib.metadata.Distribution]:
    """The distributions of these names and all that they require, by canonical name."""
    found: dict[str, importlib.metadata.Distribution] = {}
    todo = [Requirement(name) for name in names]
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        if name in found and not requirement.extras:
            continue
        try:
            found[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            sys.exit(f"{name} is required and not installed here")
        for text in found[name].requires or []:
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras):
                further.marker = None
                todo.append(further)
    return found


def main(folder: str, names: list[str]) -> None:
    """Make the links."""
    target, home = pathlib.Path(folder), pathlib.Path(sysconfig.get_path("purelib"))
    target.mkdir(parents=True, exist_ok=True)
    lent = closure(names)
    tops = {file.parts[0] for one in lent.values() for file in one.files or () if file.parts[0] != ".."}
    for top in sorted(tops - {"__pycache__"}):
        if (home / top).exists() and not top.endswith(".pth"):
            (target / top).symlink_to(home / top)
    print(f"lent {len(lent)} distributions: {', '.join(sorted(lent))}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
