"""Templates into pages: those of the server, and those of the systems' screens under `<system>/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, select_autoescape

from .screens import screen_folders

HERE = Path(__file__).resolve().parent


def told_once(lines: Sequence[str], heading: str) -> list[str]:
    """Lines of a result below a heading that tells the verdict: without that verdict, and without a title of theirs."""
    found = [line.strip() for line in lines]
    if not heading:
        return found
    if sum(line.endswith(":") for line in found) == 1 and found[0].endswith(":"):
        found = found[1:]
    return [line for line in found if line.casefold() != heading.casefold()]


class Renderer:
    """The templates, read once; a value that is missing is an error, and all texts are escaped."""

    def __init__(self) -> None:
        folders = screen_folders()
        self.styles = sorted(name for name, folder in folders.items() if (folder / "screen.css").is_file())
        self.environment = Environment(
            loader=ChoiceLoader(
                [
                    FileSystemLoader(HERE / "templates"),
                    PrefixLoader({name: FileSystemLoader(folder) for name, folder in folders.items()}),
                ]
            ),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters["told_once"] = told_once

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """A template with its values."""
        return self.environment.get_template(name).render(styles=self.styles, **values)


__all__ = ["Renderer"]
