"""Results of a ladder as text for people and other programs, in the manner of chess's Portable Game Notation.

The first line tells how many batches follow, `[Batches "12"]`, so that a file that was cut off is noticed. A batch is a
few tags, a line each, and the score; an empty line ends it:

    [Ladder "4be1..."]
    [Game "kuhn"]
    [Scenario "standard"]
    [Rules "9f0c..."]
    [Date "2026-11-22T20:15:04+00:00"]
    [First "bluffer"]
    [FirstVersion "0d1e..."]
    [Second "random"]
    [SecondVersion "0d1e..."]
    [Seed "290...17"]
    [Payoff "0.0625"]
    61-4-35

`Ladder` is the hash of the game, its scenario, options and rules. The score is that of the first: won, drawn, lost. In
a value a backslash stands before a backslash and a quotation mark, and `\\n` for the end of a line. `read` gives back
what `write` was given, to the last bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

TAGS: dict[str, str] = {
    "Ladder": "ladder",
    "Game": "game",
    "Scenario": "scenario",
    "Rules": "ruleset",
    "Date": "played",
    "First": "first_agent",
    "FirstVersion": "first_version",
    "Second": "second_agent",
    "SecondVersion": "second_version",
    "Seed": "seed",
    "Payoff": "payoff",
}
_TAG = re.compile(r'\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]\Z')
_COUNT = re.compile(r'\[Batches "(\d{1,9})"\]\Z')
_SCORE = re.compile(r"(\d{1,9})-(\d{1,9})-(\d{1,9})\Z")


class TextError(ValueError):
    """A text that is no list of results; the message names the line and what is wrong with it."""


def write(rows: Iterable[Mapping[str, Any]]) -> str:
    """Batches as text: each with the values of `TAGS` and with wins, draws and losses."""
    parts = []
    for row in rows:
        tags = [f'[{tag} "{_escaped(_plain(row[name]))}"]' for tag, name in TAGS.items()]
        parts.append("\n".join([*tags, f"{row['wins']}-{row['draws']}-{row['losses']}"]) + "\n")
    return "\n".join([f'[Batches "{len(parts)}"]\n', *parts])


def read(text: str) -> list[dict[str, Any]]:
    """The batches of a text, as `write` was given them; seeds stay text. Raises TextError."""
    found: list[dict[str, Any]] = []
    tags: dict[str, str] = {}
    first, _, rest = text.partition("\n")
    announced = _COUNT.match(first.removesuffix("\r"))
    if announced is None:
        raise TextError(f'line 1: {first[:60]!r} does not say how many batches follow, [Batches "12"]')
    for number, line in enumerate(rest.split("\n"), 2):
        line = line.removesuffix("\r")
        if not line:
            if tags:
                raise TextError(f"line {number}: a batch ends without its score, won-drawn-lost")
            continue
        if match := _TAG.match(line):
            tag, value = match.groups()
            if tag not in TAGS or tag in tags:
                why = "there twice" if tag in tags else f"unknown; there are {', '.join(TAGS)}"
                raise TextError(f"line {number}: the tag {tag} is {why}")
            tags[tag] = _unescaped(value, number)
            continue
        score = _SCORE.match(line)
        if score is None:
            raise TextError(
                f'line {number}: {line[:60]!r} is neither a tag, [Name "value"], nor a score, won-drawn-lost'
            )
        if missing := [tag for tag in TAGS if tag not in tags]:
            raise TextError(f"line {number}: the batch that ends here has no {', '.join(missing)}")
        wins, draws, losses = map(int, score.groups())
        found.append({name: tags[tag] for tag, name in TAGS.items()})
        try:
            found[-1]["payoff"] = float(tags["Payoff"])
        except ValueError:
            raise TextError(f"line {number}: the payoff {tags['Payoff'][:60]!r} is no number") from None
        found[-1] |= {"wins": wins, "draws": draws, "losses": losses, "games": wins + draws + losses}
        tags = {}
    if tags:
        raise TextError("the text ends in the middle of a batch")
    if len(found) != int(announced.group(1)):
        raise TextError(
            f"{len(found)} batches are there, line 1 says {announced.group(1)}: the text is cut off or changed"
        )
    return found


def _plain(value: object) -> str:
    return repr(value) if isinstance(value, float) else str(value)  # repr of a float is read back exactly


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def _unescaped(text: str, number: int) -> str:
    signs = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}

    def sign(match: re.Match[str]) -> str:
        if match.group(1) not in signs:
            raise TextError(f"line {number}: {match.group()} means nothing; a backslash is written twice")
        return signs[match.group(1)]

    return re.sub(r"\\(.)", sign, text)


__all__ = ["TAGS", "TextError", "read", "write"]
