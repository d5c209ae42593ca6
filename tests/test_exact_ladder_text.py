"""Ladders as text, by hand: what is written, what is read again, and which line of a spoilt text is named."""

from __future__ import annotations

from typing import Any

import pytest

from probespiel.evaluation.tournament.ladder_text import TAGS, TextError, read, write

ROW: dict[str, Any] = {
    **{name: name for name in TAGS.values()}, "seed": "12", "payoff": 0.1 + 0.2, "wins": 3, "draws": 2, "losses": 1,
    "games": 6,
}  # fmt: skip


def test_what_is_written_is_read_again_to_the_last_bit() -> None:
    odd = ROW | {"first_agent": 'C:\\new "bot"\nwith\r lines', "payoff": -1e-300}
    text = write([ROW, odd])
    assert text.startswith('[Batches "2"]\n') and text.count("\n3-2-1\n") == 2 and 'C:\\\\new \\"bot\\"\\nwith' in text
    assert read(text) == [ROW, odd] and read(text.replace("\n", "\r\n")) == [ROW, odd]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('[Seed "12"]', '[Seed "12"]\n[Seed "12"]', "line 13: the tag Seed is there twice"),
        ('[Seed "12"]', '[Sea "12"]', "line 12: the tag Sea is unknown"),
        ('[Ladder "ladder"]\n', "", "the batch that ends here has no Ladder"),
        ("\n3-2-1\n", "\n\n", "a batch ends without its score"),
        ("\n3-2-1\n", "", "the text ends in the middle of a batch"),
        ('[Batches "1"]', '[Batches "2"]', "1 batches are there, line 1 says 2"),
        ('[Batches "1"]', '[Batches "0"]', "1 batches are there, line 1 says 0"),
        ('"12"', '"1\\2"', "means nothing; a backslash is written twice"),
        ("3-2-1", "3:2:1", "is neither a tag"),
    ],
)
def test_a_spoilt_text_is_told_by_its_line(old: str, new: str, told: str) -> None:
    text = write([ROW])
    assert old in text
    with pytest.raises(TextError) as error:
        read(text.replace(old, new))
    assert told in str(error.value)
