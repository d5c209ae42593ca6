"""Write the generated parts of the pages in docs/ from the code: `python -m tests.write_docs` (`make docs`).

A part stands between the comments `<!-- WHAT SYSTEM -->` and `<!-- end -->`. The pages in docs/rules/ are
generated as a whole, from the rulebooks in the rooms of the systems, and so are the schemas of files of results in
docs/schemas/.
"""

import pathlib
import re

from probespiel.app.results import KINDS as KINDS_OF_RESULTS
from probespiel.app.schemas import schema_text
from probespiel.envs.core.modules import document
from probespiel.envs.core.modules.hooks import KINDS
from probespiel.envs.core.registry import system, system_names
from probespiel.envs.core.rulebook.pages import anchored, anchors, linked, page_of

from . import house

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "rule-modules.md"
ARCHITECTURE = DOCS / "architecture.md"
FIELDS = DOCS / "fields.md"
RULES = DOCS / "rules"
SCHEMAS = DOCS / "schemas"
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
    make = {"hooks": document.hook_table, "services": document.service_table, "fields": document.field_table}
    if what in make:
        return linked(make[what](interface), f"rules/{name}.md", anchors(page_of(name)))
    return "".join(f"- {fact}: {names}\n" for fact, names in document.facts(interface))


def current(text: str) -> str:
    """The page with all blocks as the code has them now."""

    def fresh(block: re.Match[str]) -> str:
        head = f"<!-- {block['what']} {block['name']} -->" if block["name"] else f"<!-- {block['what']} -->"
        return f"{head}\n{table(block['what'], block['name'])}<!-- end -->"

    return BLOCK.sub(fresh, text)


def rule_pages() -> dict[pathlib.Path, str]:
    """The pages of docs/rules/ as the rulebooks have them now, in English and German."""
    note = "<!-- written by `make docs` from envs/{}/rulebook/; change it there -->\n\n"
    return {
        RULES / f"{name}{ending}.md": note.format(name) + anchored(page_of(name, lang))
        for name in system_names()
        for lang, ending in (("en", ""), ("de", ".de"))
    }


def schema_files() -> dict[pathlib.Path, str]:
    """The files of docs/schemas/ as the records have them now, one for each kind of result."""
    return {SCHEMAS / f"{name}-{kind.version}.json": schema_text(name) for name, kind in KINDS_OF_RESULTS.items()}


def main() -> None:
    """Rewrite the pages."""
    SCHEMAS.mkdir(exist_ok=True)
    for file, text in schema_files().items():
        file.write_text(text, encoding="utf-8")
    RULES.mkdir(exist_ok=True)
    for page, text in rule_pages().items():
        page.write_text(text, encoding="utf-8")
    for page in (PAGE, FIELDS, ARCHITECTURE):
        text = page.read_text(encoding="utf-8")
        page.write_text(current(text), encoding="utf-8")


if __name__ == "__main__":
    main()
