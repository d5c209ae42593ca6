"""Archives of arrays in which any byte may be wrong: whoever reads one gets the arrays or a refusal, nothing else."""

from __future__ import annotations

import base64
import io
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.base import AgentError
from probespiel.envs.core.archive import ArchiveError, read_arrays
from probespiel.evaluation.stress.guided import ActionValues
from probespiel.evaluation.stress.store import PARTS, Store
from probespiel.evaluation.tournament.results import ResultsError
from probespiel.evaluation.tournament.tally import FORMAT, read_tally, tally_text
from probespiel.evaluation.tournament.tally import tallies_of as tallies

from .synthetic import by_strength, tournament

ARRAYS = {"whole": np.arange(18).reshape(6, 3) % 7, "halves": np.full(9, 0.5)}


def packed(compressed: bool) -> bytes:
    """The archive of ARRAYS."""
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **cast(Any, ARRAYS))
    return file.getvalue()


def harmed(data: bytes, rng: random.Random, bits: int = 1) -> list[bytes]:
    """The data with so many single bits turned at every place, cut off there, and with rubbish there."""
    found = []
    for place in range(len(data)):
        for bit in rng.sample(range(8), bits):
            turned = bytearray(data)
            turned[place] ^= 1 << bit
            found.append(bytes(turned))
        rubbish = data[:place] + rng.randbytes(9) + data[place + 9 :]
        found += [data[:place], rubbish]
    return found


@pytest.mark.parametrize("compressed", [True, False])
def test_arrays_or_a_refusal(compressed: bool) -> None:
    ends: Counter[str] = Counter()
    for data in harmed(packed(compressed), random.Random(5), 8):
        try:
            found = read_arrays(io.BytesIO(data), list(ARRAYS))
        except ArchiveError as error:
            ends[str(error).partition(":")[0]] += 1
            assert 0 < len(str(error)) < 300
        else:
            ends["read"] += 1
            assert all(np.array_equal(found[name], ARRAYS[name]) for name in ARRAYS)
    # what was seen to reach users as a traceback is among them
    assert {"BadZipFile", "KeyError", "NotImplementedError", "RuntimeError", "ValueError", "read"} <= set(ends)
    assert ("error" in ends) == compressed  # of zlib


def test_what_is_asked_for_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(packed(True))
    assert list(read_arrays(path, ["halves"])) == ["halves"] and set(read_arrays(path)) == set(ARRAYS)
    with pytest.raises(ArchiveError, match=r"KeyError: .*third"):
        read_arrays(path, ["halves", "third"])
    np.save(tmp_path / "single.npy", np.arange(3))
    with pytest.raises(ArchiveError, match=r"^it is a single array$"):
        read_arrays(tmp_path / "single.npy")
    np.savez(tmp_path / "objects.npz", a=np.array([{}], dtype=object))
    with pytest.raises(ArchiveError, match="ValueError"):
        read_arrays(tmp_path / "objects.npz")
    with pytest.raises(FileNotFoundError):
        read_arrays(tmp_path / "none.npz")


def test_a_tally_is_read_or_refused() -> None:
    tally = next(iter(tallies(tournament(3, by_strength([1, 0.5, 0]), blocks=7), 3).values()))
    text, refused = tally_text(tally), 0
    for data in harmed(base64.b64decode(text.partition(" ")[2]), random.Random(6))[::17]:
        try:
            found = read_tally(f"{FORMAT} {base64.b64encode(data).decode()}", 3)
        except ResultsError as error:
            refused += 1
            assert "damaged" in str(error)
        else:
            assert tally_text(found) == text
    assert refused > 100


def test_a_damaged_answer_of_the_lab_is_made_again(tmp_path: Path) -> None:
    """Whatever its damage: it is dropped, and missing."""
    store, rng, dropped = Store(tmp_path, {}, False, False), random.Random(7), 0
    answer, path = {"a": np.arange(40) % 3, "b": [1, "two", None]}, tmp_path / PARTS / "job-1.npz"
    store.put(path, answer)
    data = path.read_bytes()
    for other in harmed(data, rng)[::5]:
        path.write_bytes(other)
        found = store.get(path)
        dropped += found is None
        assert path.is_file() == (found is not None)
        assert found is None or (found["b"] == answer["b"] and np.array_equal(found["a"], answer["a"]))
    assert dropped > 200


def test_damaged_weights_are_told_of(tmp_path: Path) -> None:
    path, values = tmp_path / "net", SimpleNamespace(weights={"whole": np.zeros((6, 3), dtype=np.int64)})
    path.write_bytes(packed(True))
    ActionValues.load(cast(ActionValues, values), path)
    assert np.array_equal(values.weights["whole"], ARRAYS["whole"])
    path.write_bytes(packed(True)[:-20])
    with pytest.raises(AgentError, match=r"net: these weights are damaged \(.*\); begin anew with --overwrite"):
        ActionValues.load(cast(ActionValues, values), path)
    path.write_bytes(packed(True))
    values.weights = {"whole": np.zeros(20)}
    with pytest.raises(AgentError, match=r"'whole' are missing or of another shape"):
        ActionValues.load(cast(ActionValues, values), path)
