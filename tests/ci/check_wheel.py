"""Run by an environment that has the wheel and its declared dependencies alone: `python -I check_wheel.py`.

Imports every module that the wheel brought, from the wheel and not from a checkout, opens every data file with the code
that reads it in play, and compares the shipped policies with the rules beside them.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import pathlib
import sys
import sysconfig
import tomllib
import xml.etree.ElementTree as ElementTree

WITH_EXTRAS = {"probespiel.envs.core.openspiel": "openspiel"}
HOME = pathlib.Path(sysconfig.get_path("purelib")).resolve()


def refuses(name: str, extra: str) -> None:
    """Import a module without the extra that it needs; exits unless it says which."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        if f"probespiel[{extra}]" in str(error):
            return
    sys.exit(f"{name} does not say that it needs probespiel[{extra}]")


def import_modules(sources: list[pathlib.Path]) -> None:
    """Import the modules of these files of the package; exits where one comes from elsewhere."""
    for source in sources:
        name = ".".join(source.with_suffix("").parts).removesuffix(".__init__")
        if name in WITH_EXTRAS:
            refuses(name, WITH_EXTRAS[name])
            continue
        found = pathlib.Path(importlib.import_module(name).__file__ or "").resolve()
        if found != HOME / source:
            sys.exit(f"{name} came from {found}, not from the wheel")
    print(f"imported {len(sources)} modules")


def open_data(files: list[pathlib.Path]) -> None:
    """Open these data files; exits where one has a kind that nothing here reads."""
    import jinja2
    import numpy as np

    from probespiel.agents.fitted import FittedOutlook
    from probespiel.agents.policy_file import load_policy

    pages = jinja2.Environment()
    for file in files:
        path = HOME / file
        match path.suffix:
            case ".safetensors" if path.parent.name == "outlooks":
                FittedOutlook.load(path)
            case ".safetensors":
                load_policy(path)
            case ".npz":
                with np.load(path, allow_pickle=False) as arrays:
                    for name in arrays.files:
                        arrays[name]
            case ".json":
                json.loads(path.read_text(encoding="utf-8"))
            case ".svg":
                ElementTree.parse(path)
            case ".html" | ".j2":
                pages.parse(path.read_text(encoding="utf-8"))
            case ".css" | ".js" | ".md" | ".txt" | "":
                path.read_text(encoding="utf-8")
            case ".toml":
                tomllib.loads(path.read_text(encoding="utf-8"))
            case _:
                sys.exit(f"{file}: a data file of a kind that nobody opens")
    print(f"opened {len(files)} data files")


def fit_policies() -> None:
    """Load every shipped policy and compare it with the rules that ship; exits where one was made for others."""
    from probespiel.agents.policy import shipped_policies
    from probespiel.agents.policy_file import load_policy
    from probespiel.envs.core.behaviour import behaviour
    from probespiel.envs.core.registry import make_game

    found = shipped_policies()
    for name, path in found.items():
        manifest = load_policy(path).manifest
        game = make_game(manifest.game, manifest.scenario)
        manifest.check(game)
        if manifest.behaviour != behaviour(manifest.learnt_on()):
            sys.exit(f"policy {name} was made for a game that did something else than {game.name} does now")
    print(f"{len(found)} policies fit their games")


def main() -> None:
    """All of it."""
    brought = [pathlib.Path(str(file)) for file in importlib.metadata.files("probespiel") or ()]
    brought = [file for file in brought if file.parts[0] == "probespiel" and "__pycache__" not in file.parts]
    import_modules(sorted(file for file in brought if file.suffix == ".py"))
    open_data(sorted(file for file in brought if file.suffix != ".py" and file.name != "py.typed"))
    fit_policies()
    print("version", importlib.metadata.version("probespiel"))


if __name__ == "__main__":
    main()
