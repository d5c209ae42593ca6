"""Terms and abbreviations: what each means, in English and German, and where in a text they stand.

A glossary is a TOML file of `[[term]]` tables: `en` and `de` (the term and its synonyms, the usual one first),
`en_forms` and `de_forms` (inflected forms, which are found but not shown), `en_not` and `de_not` (expressions in which
the word means something else: they are no term), `en_text` and `de_text`, and `rule` (numbers, may be missing). An
English plural with s needs no form.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import RulesetError
from ..game import Game, GameSpec
from ..registry import system_names
from .data import check_language, data_file, read_table, table_of
from .pages import spec_of

CORE = ""  # the glossary of what all systems share
_LETTERS = re.compile(r"[^\W\d_]+")
_SEVERAL_DICE = re.compile(r"^\d+(?=[dw]\d+$)")
_CORE_FILE = Path(__file__).parent / "glossary.toml"
_FIELDS = {"en", "de", "en_forms", "de_forms", "en_not", "de_not", "en_text", "de_text", "rule"}
_NEEDED = ("en", "de", "en_text", "de_text")


@dataclass(frozen=True)
class Entry:
    """A term in a language: its synonyms, an explanation, rule numbers (or an empty text), and its system (or CORE)."""

    term: str
    also: tuple[str, ...]
    text: str
    rule: str
    system: str
    forms: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # expressions with its word that are not the term


@dataclass(frozen=True)
class Found:
    """A term in a text: it stands at text[start:end]."""

    start: int
    end: int
    entry: Entry


@lru_cache(maxsize=64)
def glossary_of(name: str, lang: str = "en") -> tuple[Entry, ...]:
    """The terms of a system (CORE: those of all systems) in a language; raises RulesetError."""
    check_language(lang)
    if name == CORE:
        table: Mapping[str, Any] = read_table(_CORE_FILE)
    else:
        table = table_of(name, "glossary.toml")
    where = str(_CORE_FILE if name == CORE else data_file(name, "glossary.toml"))
    return tuple(_entry(name, lang, given, where) for given in table.get("term", ()))


def _entry(name: str, lang: str, given: Mapping[str, Any], where: str) -> Entry:
    label = str((given.get("en") or ["?"])[0])
    lacks = [key for key in _NEEDED if not given.get(key)]
    if lacks or set(given) - _FIELDS:
        wrong = ", ".join(sorted(lacks or set(given) - _FIELDS))
        raise RulesetError(f"{where}: term {label!r}: {wrong} {'is missing' if lacks else 'is unknown'}")
    words = given[lang]
    forms = list(given.get(f"{lang}_forms", ()))
    if lang == "en":
        forms += [f"{word}s" for word in words if not word.endswith("s")]
    text, others = given[f"{lang}_text"].strip(), tuple(given.get(f"{lang}_not", ()))
    return Entry(words[0], tuple(words[1:]), text, given.get("rule", ""), name, tuple(forms), others)


def _scope(game: Game | GameSpec | str | None) -> tuple[str, ...]:
    """Systems whose terms a game knows, its own before those of all; None: every system."""
    if game is None:
        return (*system_names(), CORE)
    name = game if isinstance(game, str) and game in system_names() else spec_of(game).system
    return (name, CORE)


def entries(game: Game | GameSpec | str | None, lang: str) -> Iterator[Entry]:
    """The terms that a game or system knows (None: of all systems), its own before those of all systems."""
    for name in _scope(game):
        yield from glossary_of(name, lang)


def explain(term: str, game: Game | GameSpec | str | None = None, lang: str = "en") -> Entry | None:
    """What a term, synonym or form of the language means in a game or system (None: in any), or None.

    The other language is tried when this one does not know it: the entry is in `lang` all the same.
    """
    found = explain_all(term, game, lang)
    return found[0] if found else None


def explain_all(term: str, game: Game | GameSpec | str | None = None, lang: str = "en") -> list[Entry]:
    """All entries of that name, one a system at most; dice are found by their kind: 2d6 is explained as d6 is."""
    wanted = _SEVERAL_DICE.sub("", _folded(term))
    for tried in (lang, *[other for other in ("en", "de") if other != lang]):
        found = {}
        for name in _scope(game):
            for here, there in zip(glossary_of(name, lang), glossary_of(name, tried), strict=True):
                if wanted in map(_folded, _written(there)):
                    found.setdefault(name, here)
        if found:
            return list(found.values())
    return []


def near_terms(term: str, game: Game | GameSpec | str | None = None, lang: str = "en", most: int = 5) -> list[str]:
    """Terms that look like one that nobody knows, the nearest first."""
    known = {_folded(word): entry.term for entry in entries(game, lang) for word in (entry.term, *entry.also)}
    wanted = _folded(term)
    near = difflib.get_close_matches(wanted, known, n=most, cutoff=0.6)
    near += [word for word in known if len(wanted) > 2 and wanted in word and word not in near]
    return list(dict.fromkeys(known[word] for word in near))[:most]


def terms_in(text: str, game: Game | GameSpec | str | None, lang: str = "en") -> list[Found]:
    """The terms of a game or system (None: of all) that stand in a text, from left to right, the longest at each place.

    A term ends where no letter follows, so that `d6` is found in `4d6` and `EP` in `EP+1`. Single letters are found as
    they are written, all others in small and capital letters alike.
    """
    by_first = _index(_scope(game), lang)
    lower = text.lower()
    if len(lower) != len(text):  # a letter whose small form is longer, which none of our languages has
        lower = text
    found: list[Found] = []
    end = 0
    for word in _LETTERS.finditer(lower):
        start = word.start()
        if start < end:
            continue
        for term, entry in by_first.get(word[0], ()):
            after = start + len(term)
            ends = not lower[after : after + 1].isalpha()
            if not ends or not lower.startswith(term, start):
                continue
            if entry is None or len(term) > 1 or text[start] in _written(entry):
                if entry is not None:
                    found.append(Found(start, after, entry))
                end = after
                break
    return found


@lru_cache(maxsize=64)
def _index(names: tuple[str, ...], lang: str) -> dict[str, list[tuple[str, Entry | None]]]:
    """First letters of a term -> terms that begin with them, the longest first; None: an expression that is no term."""
    known: dict[str, Entry | None] = {}
    for name in names:
        for entry in glossary_of(name, lang):
            for word in _written(entry):
                known.setdefault(_folded(word), entry)
    for name in names:
        for entry in glossary_of(name, lang):
            for word in entry.others:
                known.setdefault(_folded(word), None)
    out: dict[str, list[tuple[str, Entry | None]]] = {}
    for term in sorted(known, key=len, reverse=True):
        first = _LETTERS.match(term)
        if first is not None:
            out.setdefault(first[0], []).append((term, known[term]))
    return out


def _written(entry: Entry) -> tuple[str, ...]:
    return (entry.term, *entry.also, *entry.forms)


def _folded(word: str) -> str:
    return " ".join(word.split()).lower()


def check_glossary(name: str) -> list[str]:
    """What is wrong with a glossary: names of two entries in one language."""
    wrong = []
    for lang in ("en", "de"):
        seen: dict[str, str] = {}
        for entry in glossary_of(name, lang):
            for word in (entry.term, *entry.also):
                other = seen.setdefault(_folded(word), entry.term)
                if other != entry.term:
                    wrong.append(f"{name or 'core'}, {lang}: {word!r} is {other!r} and {entry.term!r}")
    return wrong


__all__ = ["CORE", "Entry", "Found", "explain", "explain_all", "glossary_of", "near_terms", "terms_in"]
