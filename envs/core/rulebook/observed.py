"""What the numbers of an observation are called in sentences, in English and German.

A system says so in `observed.toml` of its rulebook: `pieces` for whole pieces, `numbers` for their parts. Texts are
[English, German] and may name `{part}`, the number in a row; `{0}`, `{1}`, the rows before it and the place in a row,
counted from 1; `{n}`, a number that stands in the name of a part, and `{n+}`, one more; each, as `{0:list}`, by what
`lists` have in its place; the list `action` has the actions of the game. A piece may be written with the length of its
rows, as `counts:15`. `blocks` are what stands before the point in names of pieces. What a table does not have is told
by its name: names of outside systems and modules are made of words, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..actions import LANGUAGES
from ..errors import RulesetError
from ..fields import Tally
from ..game import GameSpec
from ..observe import Layout, Piece
from .data import data_file, table_of

FILE = "observed.toml"
Both = tuple[str, str]  # in English and in German
_NUMBER = re.compile(r"\d+")
_PLACE = re.compile(r"\{(part|[n\d]\+?)(?::(\w+))?\}")


class Observed:
    """Words for the numbers of the observations of a game; counters of modules are told by their names."""

    def __init__(self, spec: GameSpec) -> None:
        table = table_of(spec.system, FILE)
        self.where = str(data_file(spec.system, FILE) or FILE)
        self.blocks, self.lists, self.pieces, self.numbers = (
            _texts(table.get(name, {}), self.where) for name in ("blocks", "lists", "pieces", "numbers")
        )
        self.lists["action"] = [
            tuple(spec.actions.describe(a, lang) for lang in LANGUAGES) for a in range(len(spec.actions))
        ]
        self.tallies = {tally.field: tally for tally in spec.tallies}

    def number(self, piece: Piece, index: int) -> Both:
        """What one number of a piece is, by its index in the flat piece."""
        tally = self.tallies.get(piece.name.replace(".", "_"))
        if tally is not None:
            return self._of_tally(tally, piece, index)
        block, name = self._block_of(piece.name)
        part = piece.parts[index % piece.shape[-1]].name if piece.parts else ""
        text, own = self._piece(name, piece), self._part(name, part) if part else None
        if text is None and own is None:
            return self._inside(block, readable(piece.number(index).name.removeprefix(f"{block}.")))
        at = [int(i) for i in np.unravel_index(index, piece.shape)]
        own = own or _both(readable(part) if part else "")
        told = tuple(self._filled(t, at, own[k], k) for k, t in enumerate(text or ("{part}", "{part}")))
        return self._inside(block, told[0])[0], self._inside(block, told[1])[1]

    def whole(self, piece: Piece) -> Both:
        """What a whole piece is, such as a set of cards; rows before it are not told."""
        text = self._piece(piece.name, piece)
        return _both(readable(piece.name)) if text is None or "{" in text[0] else (text[0], text[1])

    def missing(self, layout: Layout) -> list[str]:
        """Names of all numbers of a layout for which there are no words."""
        out = []
        for piece in layout.pieces:
            _, name = self._block_of(piece.name)
            for index in range(piece.size):
                part = piece.parts[index % piece.shape[-1]].name if piece.parts else ""
                known = self._part(name, part) is not None if part else self._piece(name, piece) is not None
                if not known:
                    out.append(piece.number(index).name)
        return out

    def _of_tally(self, tally: Tally, piece: Piece, index: int) -> Both:
        english, german = (tally.texts.get(lang, tally.texts["en"]) for lang in LANGUAGES)
        if piece.size == 1 or piece.size < len(tally.names):
            return english, german
        return f"{english} ({index + 1})", f"{german} ({index + 1})"

    def _block_of(self, name: str) -> tuple[str, str]:
        """The block in which a piece stands, and its name there."""
        block, point, rest = name.partition(".")
        return (block, rest) if point and self._of_numbers(self.blocks, block) is not None else ("", name)

    def _inside(self, block: str, text: str) -> Both:
        if not block:
            return _both(text)
        found = self._of_numbers(self.blocks, block)
        assert found is not None
        return f"{text} ({found[0]})", f"{text} ({found[1]})"

    def _piece(self, name: str, piece: Piece) -> Sequence[Any] | None:
        return self.pieces.get(f"{name}:{piece.shape[-1]}") or self.pieces.get(name)

    def _part(self, piece: str, part: str) -> Both | None:
        """Words for a part: those of this piece, of parts of any piece, or of what stands behind the last point."""
        for name in (f"{piece}.{part}", part, part.rpartition(".")[2]):
            found = self._of_numbers(self.numbers, name)
            if found is not None:
                return found
        return None

    def _of_numbers(self, table: Mapping[str, Sequence[Any]], name: str) -> Both | None:
        """An entry by its name, or by its name with {n} in the place of the last number in it."""
        if name in table:
            return table[name][0], table[name][1]
        numbers = [*_NUMBER.finditer(name)]
        if not numbers:
            return None
        last = numbers[-1]
        found = table.get(f"{name[: last.start()]}{{n}}{name[last.end() :]}")
        if found is None:
            return None
        return self._with(found[0], int(last[0]), 0), self._with(found[1], int(last[0]), 1)

    def _with(self, text: str, n: int, lang: int) -> str:
        def told(at: re.Match[str]) -> str:
            if at[1] not in ("n", "n+"):
                return at[0]
            return str(n + (at[1] == "n+")) if at[2] is None else str(self._listed(at[2], n)[lang])

        return _PLACE.sub(told, text)

    def _filled(self, text: str, at: Sequence[int], part: str, lang: int) -> str:
        def told(place: re.Match[str]) -> str:
            if place[1] == "part":
                return part
            i = at[int(place[1])]
            return str(i + 1) if place[2] is None else str(self._listed(place[2], i)[lang])

        return _PLACE.sub(told, text)

    def _listed(self, name: str, i: int) -> Sequence[Any]:
        """An entry of a list, its number behind its end."""
        row = self.lists.get(name)
        if row is None:
            raise RulesetError(f"{self.where}: there is no list {name!r}: {', '.join(self.lists)}")
        return row[i] if i < len(row) else _both(str(i + 1))


def readable(name: str) -> str:
    """The name of a number in words: "talk.own successes" is "talk: own successes", "net[0][1]" "net 1, 2"."""
    first, *rest = re.findall(r"[^\[\]]+", name.replace("_", " ").replace(".", ": "))
    out = first
    for k, part in enumerate(rest):
        number = part.isdigit()
        out += (", " if k and number else " " if number else "") + (str(int(part) + 1) if number else part)
    return out


def _both(text: str) -> Both:
    return text, text


def _texts(table: Mapping[str, Any], where: str) -> dict[str, Sequence[Any]]:
    """A part of the table; raises RulesetError for an entry that is no pair of texts, or list of such."""
    for name, entry in table.items():
        rows = entry if entry and isinstance(entry[0], list) else [entry]
        if any(len(row) != len(LANGUAGES) or not all(isinstance(text, str) for text in row) for row in rows):
            raise RulesetError(f"{where}: {name!r} is no pair of texts, English and German")
    return dict(table)


__all__ = ["Both", "Observed", "readable"]
