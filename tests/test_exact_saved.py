"""Saved strategies and runs by hand: which chances are refused, what is played of them, where a reader stops."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents import cfr_kernel
from probespiel.agents.base import AgentError
from probespiel.agents.cfr import FORMAT, VERSION, SavedStrategy
from probespiel.app.session import standing
from probespiel.app.session.standing import Due, Pick


@pytest.mark.parametrize(("chances", "told"), [
    ([0.25, 0.75, 1.0], None), ([0.2496, 0.75, 1.0], None), ([0.2, 0.75, 1.0], "do not add up"),
    ([-0.25, 1.25, 1.0], "negative or not finite"), ([np.nan, 1.0, 1.0], "negative or not finite"),
    ([np.inf, 0.0, 1.0], "negative or not finite"), ([0.0, 1.0, 1.0], None),
])  # fmt: skip
def test_one_wrong_chance_spoils_a_strategy(chances: list[float], told: str | None) -> None:
    """Others that are right beside it do not help; what is a little off 1 is made 1."""
    keys, sizes = np.array([3, 9]), np.array([2, 1], np.int32)
    manifest = {"format": FORMAT, "version": VERSION}
    given = np.array(chances, np.float32)
    if told is not None:
        with pytest.raises(AgentError, match=told):
            SavedStrategy._checked(manifest, keys, sizes, given)
        return
    found = SavedStrategy._checked(manifest, keys, sizes, given)
    assert found.starts.tolist() == [0, 2, 3] and found.chances.dtype == np.float64
    assert found.chances == pytest.approx([*(given[:2] / given[:2].sum()), 1.0], abs=1e-7)
    for wrong in ([9, 3], [3, 3]):
        with pytest.raises(AgentError, match="keys do not ascend"):
            SavedStrategy._checked(manifest, np.array(wrong), sizes, given)
    for few in ([2, 2], [3, 0], [1, 1]):
        with pytest.raises(AgentError, match="sizes of the arrays do not fit"):
            SavedStrategy._checked(manifest, keys, np.array(few, np.int32), given)


@pytest.mark.parametrize(("words", "key", "abstract", "played"), [
    ((0b100, 0), 7, 0, 2),  # the only one, whatever is known
    ((0b1010, 0), 5, 0, 3),  # two are known of this state: the draw takes the second
    ((0b1010, 0b10), 5, 0, 33),  # three are not: the last of equal chances
    ((0b1010, 0), 6, 0, 3),  # nothing is known
    ((0b1010, 0), 5, 90, 103),  # an abstraction says what its action is in the game
])  # fmt: skip
def test_what_a_saved_strategy_plays(
    words: tuple[int, int], key: int, abstract: int, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the state 5 chances 0.25 and 0.75 are known, of two actions."""
    memory = {(1, 6): [1, 100, 200, 300, 2, abstract], (100, 1): np.array([5]), (200, 2): np.array([1, 3])}
    rng, drawn = object(), list[Any]()

    def call(k: int, op: int, s: int, p: int, seat: int, b: int, out: Any) -> int:
        assert (k, s, p, seat) == (abstract or 80, 3, 4, 1)
        if op == cfr_kernel.LEGAL:
            assert b == 0
            out[:] = words
            return 0
        if op == cfr_kernel.APPLY:
            assert abstract and out == 0
            return 100 + b
        assert (op, b, out) == (cfr_kernel.KEY, 0, 0)
        return key

    def draw(chances: Any, n: int, lot: Any) -> int:
        assert lot is rng and len(chances) == n
        drawn.append([float(c) for c in chances])
        return n - 1

    stands: dict[str, Any] = {
        "uint64_at": lambda at, n: rng if (at, n) == (9, 1) else None, "int64_at": lambda at, n: memory[at, n],
        "float64_at": lambda at, n: np.array([0.25, 0.75]) if (at, n) == (308, 2) else None,
        "address_of": lambda array: array, "popcount": lambda word: int(word).bit_count(), "mix": lambda key, seat: key,
        "find_key": lambda keys, key: keys.tolist().index(key) if key in keys else -1, "call_kernel": call,
        "nth_action": lambda words, n: [a for a in range(64) if int(words[a >> 5]) >> (a & 31) & 1][n], "draw": draw,
    }  # fmt: skip
    for name, stand in stands.items():
        monkeypatch.setattr(cfr_kernel, name, stand)
    assert cfr_kernel.play_saved(1, 3, 4, 1, 80, 9) == played
    count = sum(map(int.bit_count, words))
    known = [[0.25, 0.75]] if key == 5 and count == 2 else [[1 / count] * count]
    assert drawn == ([] if count == 1 else known)


# A run that is read from its file


def reader_of(answers: list[dict[str, Any]]) -> Any:
    """A reader of a file with these answers."""

    def take(kind: str) -> Any:
        return answers.pop(0)[kind] if answers and kind in answers[0] else None

    reader = standing._Reader.__new__(standing._Reader)
    reader.notes, reader.told = cast(Any, SimpleNamespace(take=take, path="run", known=answers)), standing._Told()
    return reader


def test_a_reader_picks_as_the_file_says_and_stops_behind_it() -> None:
    """Of one option nothing is told; choices since the last game are."""
    reader = reader_of([{"pick": 1}, {"game": "one"}, {"outcome": {"success": True}}, {"pick": 0}, {"game": "two"}])
    assert reader.pick("who", ("he", "she")) == 1 and reader.pick("sure", ("yes",)) == 0
    assert reader.told.picked == [("who", "she")]
    given, due = (len, dict, 7, repr), cast(Any, Due)
    assert reader.game(*given) == {"success": True} and reader.told.picked == []
    assert reader.pick("when", ("now", "then")) == 0 and reader.told.picked == [("when", "now")]
    with pytest.raises(standing._Stop) as stop:
        reader.game(*given)
    assert stop.value.next == due(*given, "two") and reader.told.picked == [("when", "now")]
    with pytest.raises(standing._Stop) as stop:
        reader.pick("where", ["here", "there"])
    assert stop.value.next == Pick("where", ("here", "there"))
    with pytest.raises(standing._Stop) as stop:
        reader.game(*given)
    assert stop.value.next == due(*given, None)
