"""Pages of reports: one self-contained HTML file each, made from a template of this folder.

On a narrow screen a table becomes a list of its rows, so that nothing of it is cut or must be pushed aside. For that
each of its cells is given the head of its column as a label, and all parts are given the roles that a browser would
forget with the layout of a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.bccache import Bucket
from jinja2.runtime import Context

from .proof import proof
from .wording import replay_line

_TEMPLATES = Path(__file__).parent / "templates"
_TABLE = re.compile(r"<table\b[^>]*>.*?</table>", re.DOTALL)
_TABLE_HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
_ROW = re.compile(r"<tr\b[^>]*>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<(t[hd])\b([^>]*)>(.*?)</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


class _Compiled(BytecodeCache):
    """Templates that this process has compiled."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take a template that is known."""
        if bucket.key in self.known:
            bucket.bytecode_from_string(self.known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self.known[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


def render_page(template: str, filters: Mapping[str, Callable[..., Any]], content: Mapping[str, Any]) -> str:
    """The page of a template: all that is not `Markup` is escaped, and a name that `content` lacks is an error."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_COMPILED,
    )
    environment.globals.update(proof=proof, replay_line=replay_line)
    environment.filters.update({name: _late(found) for name, found in filters.items()})
    page = environment.get_template(template).render(content)
    page = _TABLE.sub(lambda found: _stacking(found[0]), page)
    # XML has no characters below a space; clean_name keeps them out of names, this out of everything else.
    return "".join(c for c in page if c >= " " or c in "\t\n")


def _late(found: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is asked for each page, of fixed texts too, which a compiled template would keep as they were."""

    @pass_context
    def asked(context: Context, *values: Any) -> Any:
        return found(*values)

    return asked


def _stacking(table: str) -> str:
    """A table whose cells have the heads of their columns as labels; one that has roles, or no heads, stays."""
    found = _TABLE_HEAD.search(table)
    if found is None or 'role="table"' in table:
        return table
    heads = [_plain(cell[3]) for cell in _CELL.finditer(found[0])]
    start = table.index(">")
    opening = table[:start]
    if 'class="' in opening:
        opening = opening.replace('class="', 'class="stack ', 1)
    else:
        opening += ' class="stack"'
    opening += ' role="table"'
    head = _CELL.sub(r'<\1 role="columnheader"\2>\3</\1>', found[0]).replace("<tr", '<tr role="row"')
    head = head.replace("<thead>", '<thead role="rowgroup">')
    body = _ROW.sub(lambda row: _labelled(row[0], heads), table[found.end() :])
    body = body.replace("<tbody>", '<tbody role="rowgroup">')
    return opening + table[start : found.start()] + head + body


def _labelled(row: str, heads: list[str]) -> str:
    """A row whose cells have labels, as far as each has a column of its own."""
    at = iter(heads)

    def cell(found: re.Match[str]) -> str:
        label = next(at, "")
        if found[1] == "th":
            return f'<th role="rowheader"{found[2]}>{found[3]}</th>'
        told = f' data-label="{escape(label)}"' if label and "colspan" not in found[2] else ""
        return f'<td role="cell"{told}{found[2]}>{found[3]}</td>'

    return _CELL.sub(cell, row).replace("<tr", '<tr role="row"', 1)


def _plain(html: str) -> str:
    """The text of an element."""
    return " ".join(unescape(_TAG.sub("", html)).split())


__all__ = ["render_page"]
