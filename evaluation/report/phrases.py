"""Reports in another language: finished sentences are looked up in a table of phrases and told anew.

A result keeps its sentences in English, as they were found, so that a report can be made again from its file alone. A
table of phrases has each English sentence beside the one of another language; both name the parts that vary, with how
they are told in braces:

    {x}     a name: kept as it is, or as the report says that it is called
    {x:r}   all the rest, kept as it is
    {x:f}   a name without spaces, such as that of a file: kept as it is
    {x:n}   a number: with the signs of the language
    {x:e}   a number with its error, "1.2 ± 0.3"
    {x:i}   an interval, "1.2 to 3.4", "exact", or "the same every time"
    {x:u}   a unit with a space before it, or nothing
    {x:l}   a list of names, "a, b and c" or "a, b and 3 others", with numbers behind them, "a +1.2 EP (± 0.3)", or none
    {x:p}   a phrase of the table, or nothing
    {x:o}   a phrase of the table, or a name
    {x:s}   a list of such phrases or names
    {x:m}   phrases between semicolons
    {x:w}   a mixture, "0.62 a + 0.38 b"

The phrase with the most fixed letters that fits is taken; parts that are phrases must fit, too. Only {x:r} goes beyond
the end of a sentence: of several ones each is told by itself. A test renders reports and finds every sentence that no
phrase fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from markupsafe import Markup

from ...envs.core.texts import german_number

Table = Mapping[str, str]  # English phrase -> the same in another language

_PART = re.compile(r"\{(\w+)(?::(\w))?\}")
_NUMBER = r"[+−±-]?\s?\d(?:[\d,.]*\d)?(?:e[+-]?\d+)?\s?%?|–|∞"
_KINDS = {
    "": r"(?:(?![.!?] ).)+?",
    "r": r".+",
    "f": r"\S+",
    "n": _NUMBER,
    "i": rf"(?:{_NUMBER}) to (?:{_NUMBER})|exact|the same every time",
    "e": rf"(?:{_NUMBER})(?: ± (?:{_NUMBER}))?",
    "u": r"(?: [^\d\s(][^\d(),.;:]*?)?",
    "l": r"(?:(?![.!?] ).)+?",
    "p": r"(?:(?![.!?] ).)*?",
    "o": r"(?:(?![.!?] ).)+?",
    "s": r"(?:(?![.!?] ).)+?",
    "m": r"(?:(?![.!?] ).)+?",
    "w": r"[\d.]+ .+?",
}
_WEIGHT = re.compile(r"(?:(?<=^)|(?<= \+ ))\d\.\d+")
_END = re.compile(r"(?<=[.!?]) (?=\S)")  # of a sentence before another one
_ALONE = re.compile(_NUMBER)
_NUMBERED = re.compile(
    r"(?P<name>.+?) (?P<number>[+−±-]?\d[\d,.]*%?(?: [^\s()]+)?(?: \((?:[^()]*\d[^()]*|exact|the same every time)\))?)"
)
_IN_BRACKETS = re.compile(r"(?P<name>.+?) \((?P<number>[+−±-]?\d[\d,.]*)(?P<unit>(?: [^\d()]*)?)\)")
_APART = re.compile(r", | and ")
_PRIVATE = 0xE000  # characters that no text has
_TOLD = _PRIVATE + 0x800  # the same, for what was told anew
_QUOTED = re.compile(r"“((?:[^“”]|“[^“”]*”)*)”")  # a name may quote another one
_OTHERS = re.compile(r"(\d+) others")


@dataclass(frozen=True)
class Phrase:
    """A phrase in English and in another language."""

    english: str
    other: str

    @cached_property
    def kinds(self) -> dict[str, str]:
        """How each part is told."""
        return dict(_PART.findall(self.english))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What fits it. Raises KeyError for a kind that does not exist."""
        at, parts = 0, []
        for found in _PART.finditer(self.english):
            parts += [re.escape(self.english[at : found.start()]), f"(?P<{found[1]}>{_KINDS[found[2] or '']})"]
            at = found.end()
        return re.compile("".join([*parts, re.escape(self.english[at:])]), re.DOTALL)

    @property
    def letters(self) -> int:
        """How much of it is fixed."""
        return len(_PART.sub("", self.english))


@cache
def _phrase(english: str, other: str) -> Phrase:
    """A phrase, with its pattern compiled once in a process."""
    return Phrase(english, other)


class Phrasebook:
    """A language of reports: call it with a sentence. Without tables it is English, and gives everything back."""

    def __init__(self, lang: str = "en", tables: Sequence[Table] = (), names: Mapping[str, str] | None = None) -> None:
        self.lang = lang
        self.names = dict(names or {})
        self.fixed = {english: other for table in tables for english, other in table.items() if "{" not in english}
        phrases = [_phrase(english, other) for table in tables for english, other in table.items() if "{" in english]
        self.phrases = sorted(phrases, key=lambda phrase: -phrase.letters)
        self.missed: dict[str, None] = {}  # sentences without a phrase, in order
        self._known: dict[str, str | None] = {}

    @property
    def english(self) -> bool:
        """Whether nothing is to be told anew."""
        return self.lang == "en"

    def __call__(self, text: str) -> str:
        """A sentence in this language; one without a phrase stays as it is, and is noted in `missed`."""
        if self.english or not text.strip():
            return text
        found = self.told(str(text))
        if found is None:
            self.missed[str(text)] = None
            return text
        return Markup(found) if isinstance(text, Markup) else found

    def all(self, texts: Iterable[str]) -> list[str]:
        """Sentences in this language."""
        return [self(text) for text in texts]

    def word(self, text: str) -> str:
        """A name or an expression in this language; those without a phrase stay as they are."""
        return text if self.english else (self.names.get(text) or self.told(text) or text)

    def number(self, text: str) -> str:
        """Numbers as this language writes them, and "to", "exact" and "and" between them."""
        if self.english:
            return text
        told = text.replace(" to ", " bis ").replace("exact", "exakt").replace(" and ", " und ")
        told = told.replace("the same every time", "jedes Mal dasselbe")
        return Markup(german_number(told)) if isinstance(text, Markup) else german_number(told)

    def mixture(self, text: str) -> str:
        """A mixture, "0.62 a + 0.38 b", with its weights as this language writes them."""
        return text if self.english else _WEIGHT.sub(lambda found: german_number(found[0]), text)

    def told(self, text: str) -> str | None:
        """The same in this language, None if no phrase fits."""
        if text not in self._known:
            self._known[text] = self._told(text)
        return self._known[text]

    def _told(self, text: str) -> str | None:
        if text in self.fixed:
            return self.fixed[text]
        for phrase in self.phrases:
            found = phrase.pattern.fullmatch(text)
            if found is None:
                continue
            parts = {name: self._part(value, phrase.kinds[name]) for name, value in found.groupdict().items()}
            if all(part is not None for part in parts.values()):
                return _PART.sub(lambda at, parts=parts: parts[at[1]] or "", phrase.other)
        if text[:1].isupper() and text.endswith("."):  # a reason that was made a sentence
            reason = self.told(text[0].lower() + text[1:-1])
            if reason is not None:
                return f"{reason[:1].upper()}{reason[1:]}."
        for end in _END.finditer(text):
            head, tail = self.told(text[: end.start()]), self.told(text[end.end() :])
            if head is not None and tail is not None:
                return f"{head} {tail}"
        return None

    def _part(self, value: str, kind: str) -> str | None:
        """A part that varies, as its kind is told; None for a phrase that is none."""
        if kind in ("", "r", "f"):
            return self.names.get(value, value)
        if kind in "nie":
            return self.number(value)
        if kind == "w":
            return self.mixture(value)
        if kind == "u":
            return self.fixed.get(value, value)
        if kind == "l":
            return self._list(value)
        if kind == "m":
            told = [self.told(item) for item in value.split("; ")]
            return None if any(item is None for item in told) else "; ".join(item or "" for item in told)
        if kind == "o":
            return self.word(value)
        if kind == "s":
            return self._quoted(value) if "“" in value else self._told_list(self._names_in(value))
        return "" if not value else self.told(value)

    def _names_in(self, value: str) -> list[str]:
        """The names of a list. One may have a comma, if what stands behind it is no phrase, but is one together."""
        out: list[str] = []
        for item in value.split(", "):
            first, *rest = item.split(" and ")
            if out and self.told(first) is None and self.told(f"{out[-1]}, {first}") is not None:
                out[-1] += f", {first}"
            else:
                out.append(first)
            out += rest
        return out

    def _quoted(self, value: str) -> str:
        """A list of names in quotation marks, which may have commas in them, or of phrases that have such names."""
        names: list[str] = []
        held: list[str] = []

        def hold(found: re.Match[str]) -> str:
            names.append(found[0])
            held.append(f"„{self.word(found[1])}“")
            return chr(_TOLD + len(held) - 1)

        out = _QUOTED.sub(hold, value)
        for item in _APART.split(out):
            if item in map(chr, range(_TOLD, _TOLD + len(names))):
                continue
            english = item
            for number, name in enumerate(names):
                english = english.replace(chr(_TOLD + number), name)
            told = self.told(english) if english != item else None
            if told is not None:
                held.append(told)
                out = out.replace(item, chr(_TOLD + len(held) - 1))
        out = self._items(out)
        for number, name in enumerate(held):
            out = out.replace(chr(_TOLD + number), name)
        return out

    def _told_list(self, items: Sequence[str]) -> str:
        """A list of phrases and names; what was told anew is not told once more, as the numbers in it would be."""
        held: dict[str, str] = {}
        shown: list[str] = []
        for item in items:
            known = self.names.get(item) or self.told(item)
            if known is not None:
                held[chr(_TOLD + len(held))] = known
            shown.append(item if known is None else chr(_TOLD + len(held) - 1))
        out = self._list(" and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown))
        for mark, text in held.items():
            out = out.replace(mark, text)
        return out

    def _list(self, value: str) -> str:
        held: dict[str, str] = {}  # names in which there are commas, or "and", by what stands for them
        for name in self._joined:
            if name in value:
                held[chr(_PRIVATE + len(held))] = self.names[name]
                value = value.replace(name, chr(_PRIVATE + len(held) - 1))
        out = self._items(value)
        for mark, name in held.items():
            out = out.replace(mark, name)
        return out

    @cached_property
    def _joined(self) -> list[str]:
        """Names that would be taken apart in a list, the longest first."""
        return sorted((name for name in self.names if _APART.search(name)), key=len, reverse=True)

    def _items(self, value: str) -> str:
        head, word, last = value.rpartition(" and ")
        if not word:  # one name, or numbers in a row
            parts = value.split(", ")
            return ", ".join(map(self.number, parts)) if all(map(_ALONE.fullmatch, parts)) else self._item(value)
        items = ", ".join(map(self._item, head.split(", ")))
        return " und ".join([items, _OTHERS.sub(r"\1 andere", self._item(last))])

    def _item(self, text: str) -> str:
        """A name of a list, or a name with a number behind it."""
        if text in self.names:
            return self.names[text]
        found = _IN_BRACKETS.fullmatch(text)
        if found is not None:
            name = self.names.get(found["name"], found["name"])
            return f"{name} ({self.number(found['number'])}{self.fixed.get(found['unit'], found['unit'])})"
        found = _NUMBERED.fullmatch(text)
        if found is None:
            return self.number(text) if _ALONE.fullmatch(text) else text
        name = self.names.get(found["name"]) or self.fixed.get(found["name"], found["name"])
        return f"{name} {self.number(found['number'])}"


ENGLISH = Phrasebook()


def check(table: Table) -> None:
    """Raise ValueError for a phrase whose parts differ in its two languages."""
    for english, other in table.items():
        mine, theirs = ({name for name, _ in _PART.findall(text)} for text in (english, other))
        if mine != theirs:
            raise ValueError(f"{english!r} and {other!r} have other parts: both must name the same ones")


__all__ = ["ENGLISH", "Phrase", "Phrasebook", "Table", "check"]
