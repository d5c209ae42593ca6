"""Write the generated parts of the pages in docs/ from the code: `python -m tests.write_docs` (`make docs`).

A part stands between the comments `<!-- WHAT SYSTEM -->` and `<!-- end -->`.
"""

import pathlib
import re

from probespiel.envs.core.modules import document
from probespiel.envs.core.modules.hooks import KINDS
from probespiel.envs.core.registry import system

from . import house

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "rule-modules.md"
ARCHITECTURE = DOCS / "architecture.md"
FIELDS = DOCS / "fields.md"
KNOWN = "kinds|hooks|facts|services|fields|house|rooms"
BLOCK = re.compile(rf"<!-- (?P<what>{KNOWN}) ?(?P<name>\w*) -->\n.*?<!-- end -->", re.DOTALL)


def table(what: str, name: str) -> str:
    """One generated block."""
    if what == "house":
        return house.picture()
    if what == "rooms":
        return house.table()
    if what == "kinds":
        rows = "".join(f"| {kind} | {text} |\n" for kind, text in KINDS.items())
        return f"| kind | what it means |\n|---|---|\n{rows}"
    interface = system(name).interface
    if what == "hooks":
        return document.hook_table(interface)
    if what == "services":
        return document.service_table(interface)
    if what == "fields":
        return document.field_table(interface)
    return "".join(f"- {fact}: {names}\n" for fact, names in document.facts(interface))


def current(text: str) -> str:
    """The page with all blocks as the code has them now."""

    def fresh(block: re.Match[str]) -> str:
        head = f"<!-- {block['what']} {block['name']} -->" if block["name"] else f"<!-- {block['what']} -->"
        return f"{head}\n{table(block['what'], block['name'])}<!-- end -->"

    return BLOCK.sub(fresh, text)


def main() -> None:
    """Rewrite the pages."""
    for page in (PAGE, FIELDS, ARCHITECTURE):
        text = page.read_text(encoding="utf-8")
        page.write_text(current(text), encoding="utf-8")


if __name__ == "__main__":
    main()
