"""Text for terminals that cannot show everything: umlauts and signs are written in ASCII, never as question marks."""

from __future__ import annotations

import codecs
import locale
import os
import sys
import unicodedata
from io import TextIOWrapper
from typing import Any

HANDLER = "probespiel-plain"
_WRITTEN = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS",
    "–": "-", "—": "-", "−": "-", "‑": "-", "…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v", "×": "x", "·": ".",
    "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=", "½": "1/2", "•": "*", "„": '"', "“": '"', "”": '"', "‚": "'",
    "‘": "'", "’": "'", "«": '"', "»": '"', "\u00a0": " ", "\u202f": " ", "♣": "C", "♠": "S", "♦": "D", "♥": "H",
    "€": "EUR", "æ": "ae", "Æ": "Ae", "ø": "oe", "Ø": "Oe", "œ": "oe", "ł": "l", "Ł": "L",
}  # fmt: skip


def plain(text: str) -> str:
    """A text in ASCII: `Koenig` for `König`; letters lose their accents, other signs become their code."""
    return "".join(map(_ascii, text))


def _ascii(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in _WRITTEN:
        return _WRITTEN[sign]
    base = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return base or sign.encode("ascii", "backslashreplace").decode()


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _replace)


def as_written(text: str, stream: Any) -> str:
    """A text as a stream will write it: what its encoding lacks takes more room, which matters before it is folded."""
    if getattr(stream, "errors", None) != HANDLER:
        return text
    return text.encode(stream.encoding, HANDLER).decode(stream.encoding)


def ascii_only() -> bool:
    """Whether the user's locale is that of C: Python then writes UTF-8, but nobody has said that it can be read."""
    if os.environ.get("PYTHONUTF8") or os.environ.get("PYTHONIOENCODING"):
        return False
    try:
        return locale.setlocale(locale.LC_CTYPE) in ("C", "POSIX")
    except locale.Error:
        return True


def write_plainly() -> None:
    """Have standard output and error write what their encoding lacks in ASCII, all of it in the locale C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="ascii" if ascii_only() else None, errors=HANDLER)


__all__ = ["HANDLER", "as_written", "ascii_only", "plain", "write_plainly"]
