"""Rules and terms for the pages: Markdown made into HTML, and the terms that stand on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

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
    """The terms of a game or a system that stand in some texts, each once, in alphabetical order.

    Each is called what those texts call it: nobody finds "cp" where "control points" is written.
    """
    text = "\n".join(texts)
    found: dict[str, tuple[Entry, dict[str, None]]] = {}
    for one in terms_in(text, spec, lang):
        names = found.setdefault(one.entry.term, (one.entry, {}))[1]
        names[_name_of(text[one.start : one.end], one.entry)] = None
    called = [replace(entry, term=", ".join(_once(names))) for entry, names in found.values()]
    return sorted(called, key=lambda entry: entry.term.casefold())


def _once(names: Iterable[str]) -> list[str]:
    """Names without those of which a plural stands beside them."""
    given = list(names)
    return [name for name in given if not any(other != name and other[:-1] == name for other in given)]


def _name_of(word: str, entry: Entry) -> str:
    """The name of an entry that is meant by a word, which may be an inflected form: the one it begins most alike."""
    word = word.casefold()

    def alike(name: str) -> int:
        """How many first letters are the same."""
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, name.casefold(), strict=False)))

    return max((entry.term, *entry.also), key=alike)


__all__ = ["rules_page", "terms_on"]
