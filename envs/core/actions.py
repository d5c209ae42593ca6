"""The action table of a game: blocks of ids with their codes and their texts in every language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from .abi import WORD_BITS
from .errors import RulesetError, UnparsableAction

LANGUAGES = ("en", "de")


@dataclass(frozen=True)
class ActionBlock:
    """Consecutive action ids of one kind.

    `codes` are the texts of scripts and replays (one per id, e.g. `card:CA`); `texts` maps a language to what a person
    reads and may type; a missing language falls back to the codes.
    """

    name: str
    codes: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doc: str = ""

    def __post_init__(self) -> None:
        for lang, texts in self.texts.items():
            if len(texts) != len(self.codes):
                raise RulesetError(
                    f"action block {self.name!r}: {len(texts)} texts in {lang!r} for {len(self.codes)} actions"
                )


class ActionTable:
    """All actions of a game: ids 0..n-1, described and parsed without loss (`parse(describe(a, lang)) == a`)."""

    def __init__(self, blocks: Sequence[ActionBlock], ids: type[IntEnum] | None = None) -> None:
        """`ids` are the numbers that kernels use: each is the start of a block, that of its own name if there is one.

        Raises RulesetError for a name, a number of texts, or a start that does not fit.
        """
        self.blocks = tuple(blocks)
        self.starts: dict[str, int] = {}
        self.codes: list[str] = []
        self._texts: dict[str, list[str]] = {lang: [] for lang in LANGUAGES}
        for block in self.blocks:
            if block.name in self.starts:
                raise RulesetError(f"action block {block.name!r} is declared twice")
            self.starts[block.name] = len(self.codes)
            self.codes.extend(block.codes)
            for lang in LANGUAGES:
                self._texts[lang].extend(block.texts.get(lang, block.codes))
        for name, action in (ids.__members__ if ids else {}).items():
            start = self.starts.get(name.lower())
            alone = [code.replace(":", "_").lower() for code in self.codes[action : action + 1]] == [name.lower()]
            if start != action and (start is not None or not (alone or action in self.starts.values())):
                found = "no block starts there" if start is None else f"block {name.lower()!r} starts at {start}"
                raise RulesetError(f"{name} is action {int(action)}, but {found}")
        self._ids: dict[str, int] = {}
        for texts in [self.codes, *self._texts.values()]:
            for index, text in enumerate(texts):
                if not text.strip():
                    raise RulesetError(f"action {index} ({self.codes[index]!r}) has an empty text")
                other = self._ids.setdefault(self._fold(text), index)
                if other != index:
                    raise RulesetError(f"actions {other} and {index} share the text {text!r}")

    @staticmethod
    def _fold(text: str) -> str:
        return " ".join(text.split()).casefold()

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def words(self) -> int:
        """Number of 32-bit words of a legal-action set."""
        return (len(self.codes) + WORD_BITS - 1) // WORD_BITS

    def id(self, code: str) -> int:
        """The id of a code; raises UnparsableAction."""
        return self.parse(code)

    def describe(self, action: int, lang: str = "en") -> str:
        """What a person reads for an action id; raises UnparsableAction for an id out of range."""
        if not 0 <= action < len(self.codes):
            raise UnparsableAction(f"action {action!r} is out of range: 0..{len(self.codes) - 1}")
        if lang not in self._texts:
            raise UnparsableAction(f"lang {lang!r} is unknown: one of {', '.join(LANGUAGES)}")
        return self._texts[lang][action]

    def parse(self, text: str, aliases: Mapping[str, str] | None = None) -> int:
        """The id for a code or a text in any language, letter case and runs of blanks ignored.

        `aliases` maps further texts (such as names of seats) to codes. Raises UnparsableAction with near matches.
        """
        folded = self._fold(str(text))
        if folded in self._ids:
            return self._ids[folded]
        if aliases:
            for alias, code in aliases.items():
                if self._fold(alias) == folded:
                    return self._ids[self._fold(code)]
        import difflib

        near = difflib.get_close_matches(folded, list(self._ids), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnparsableAction(f"no action is called {text!r}{hint}")

    def mask_to_ids(self, mask: np.ndarray) -> list[int]:
        """Ids of the set entries of an action mask (int8[n])."""
        return [int(i) for i in np.flatnonzero(mask)]

    def ids_to_words(self, ids: Iterable[int]) -> np.ndarray:
        """The legal-action set (int64[words], 32 bits used) of some ids."""
        words = np.zeros(self.words, dtype=np.int64)
        for i in ids:
            words[i // WORD_BITS] |= 1 << (i % WORD_BITS)
        return words

    def words_to_ids(self, words: np.ndarray) -> list[int]:
        """The ids of a legal-action set (int64[words])."""
        out = []
        for w, word in enumerate(words.tolist()):
            while word:
                low = word & -word
                out.append(w * WORD_BITS + low.bit_length() - 1)
                word ^= low
        return out

    def table(self) -> list[tuple[str, str, str]]:
        """Rows (ids, block, doc) for documentation."""
        rows = []
        for block in self.blocks:
            start = self.starts[block.name]
            end = start + len(block.codes) - 1
            rows.append((f"{start}" if start == end else f"{start}-{end}", block.name, block.doc))
        return rows
