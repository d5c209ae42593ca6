"""Templates into pages: those of the server, and those of the systems' screens under `<system>/`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, select_autoescape

from ..session.seen import told_once
from .screens import screen_folders

HERE = Path(__file__).resolve().parent


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
