"""Rules and terms for the pages: Markdown made into HTML, and the terms that stand on a page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from ...envs.core.game import GameSpec
from ...envs.core.rulebook import rules_of
from ...envs.core.rulebook.glossary import Entry, terms_in

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def rules_page(spec: GameSpec, lang: str) -> Markup:
    """The rules of a game as it is played, in HTML; texts of modules cannot bring any of their own."""
    return _page(rules_of(spec, lang))


@lru_cache(maxsize=64)
def _page(text: str) -> Markup:
    found = _MARKDOWN.render(text)
    # wide tables are scrolled by themselves, also with the keyboard
    found = found.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return Markup(found)  # escaped by the renderer


def terms_on(texts: Iterable[str], spec: GameSpec | str, lang: str) -> list[Entry]:
    """The terms of a game or a system that stand in some texts, each once, in alphabetical order."""
    found = {one.entry.term: one.entry for one in terms_in("\n".join(texts), spec, lang)}
    return sorted(found.values(), key=lambda entry: entry.term.casefold())


__all__ = ["rules_page", "terms_on"]
