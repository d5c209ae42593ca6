"""Pages of reports: one self-contained HTML file each, made from a template of this folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

_TEMPLATES = Path(__file__).parent / "templates"


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], content: Mapping[str, Any]) -> str:
    """The page of a template: all that is not `Markup` is escaped, and a name that `content` lacks is an error."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    page = environment.get_template(template).render(content)
    # XML has no characters below a space; clean_name keeps them out of names, this out of everything else.
    return "".join(c for c in page if c >= " " or c in "\t\n")


__all__ = ["render_page"]
