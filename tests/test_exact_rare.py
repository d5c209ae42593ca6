"""Small cases that few games come to, by hand: half a write, a project that is too large, a reward of another suit."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from probespiel.agents.konfrontation import baselines
from probespiel.agents.search_answer import nothing_better
from probespiel.agents.search_pairs import KNOWN, no_pairs
from probespiel.app.session.journal import Journal
from probespiel.envs.core.registry import make_game
from probespiel.envs.einblatt import opening
from probespiel.envs.einblatt.modules import incentive
from probespiel.envs.einblatt.verify import run_play
from probespiel.envs.konfrontation.state import Action
from probespiel.evaluation.balance.run import Search
from probespiel.training import pupil
from probespiel.training.tables import Tables
from tests.test_exact_search import options_of
from tests.test_golden import CASES


class Slow:
    """A file that takes three bytes at a time, nothing at its second call, and fails when it holds `most`."""

    def __init__(self, fd: int, most: int = 99) -> None:
        self.fd, self.most, self.calls, self.data = fd, most, 0, b""

    def tell(self) -> int:
        return len(self.data)

    def write(self, data: bytes) -> int | None:
        self.calls += 1
        if len(self.data) >= self.most:
            raise OSError("full")
        if self.calls == 2:
            return None
        self.data += data[:3]
        return len(data[:3])

    def fileno(self) -> int:
        return self.fd

    def truncate(self, end: int) -> None:
        self.data = self.data[:end]

    def seek(self, end: int) -> None:
        assert end == len(self.data)


def test_a_line_is_written_whole_in_as_many_goes_as_it_takes(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as real:
        journal = cast(Any, object.__new__(Journal))
        journal._file = Slow(real.fileno())
        journal._write("eight by")
        assert journal._file.data == b"eight by" and journal._file.calls == 4
        journal._file = Slow(real.fileno(), 6)
        journal._file.data = b"old"
        with pytest.raises(OSError, match="full"):
            journal._write("eight by")
        assert journal._file.data == b"old", "no half a line stays"
        assert os.fstat(real.fileno()).st_size == 0


@pytest.mark.parametrize(("size", "left", "legal", "chosen"), [
    (3, 9, (1, 2, 3), 3), (3, 2, (1, 2, 3), 2), (3, 9, (1,), 1), (0, 9, (1, 2), None), (3, 0, (1,), None),
    (3, 9, (), None),
])  # fmt: skip
def test_the_largest_resource_that_can_still_be_built(
    size: int, left: int, legal: tuple[int, ...], chosen: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the size that is wanted, or the next smaller one; else power, and never what stands before the first size."""
    allowed = {Action.START_RESOURCE + n - 1 for n in legal} | {Action.START_RESOURCE - 1, Action.GATHER}
    monkeypatch.setattr(baselines, "has", lambda words, action: action in allowed - {Action.CONTINUE})
    monkeypatch.setattr(baselines, "turns_left", lambda s, p: left)
    found = baselines.build(None, None, 0, None, size)
    assert found == (Action.GATHER if chosen is None else Action.START_RESOURCE + chosen - 1)


@pytest.mark.parametrize(("aside", "taken"), [
    ({8 + 6, 8 + 7, 6}, {8 + 6}), ({8 + 7, 6, 7}, {8 + 7}), ({6, 7, 16 + 6}, {6, 16 + 6}), ({7, 16 + 7}, {7, 16 + 7}),
    ({3, 8 + 5}, set()),
])  # fmt: skip
def test_the_card_that_rewards(aside: set[int], taken: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """R232, suit 1: its king, else its ace, else any king, else any ace."""
    monkeypatch.setattr(incentive, "set_aside", lambda s, deck: sum(1 << card for card in aside))
    s = SimpleNamespace(deck_of=[0], incentive_suit=[1])
    assert incentive.reward(s, 0) == sum(1 << card for card in taken)


def test_errors_of_pairs_count_as_soon_as_one_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third is better by 0.5 than the prior's two, of error 1 by themselves; in pairs it has none."""
    from probespiel.agents import search_answer

    monkeypatch.setattr(search_answer, "error_between", lambda pairs, out, one, other, noise: 0.0)
    out = np.zeros((3, 4))
    out[:, 0], out[:, 1] = 4, (1.0, 1.0, 1.5)
    prior, pairs = np.array([0.5, 0.5, 0.0]), no_pairs(3)
    function = getattr(nothing_better, "py_func", nothing_better)
    assert function(options_of(), prior, out, noise=1.0, pairs=pairs)
    pairs.used[KNOWN] = 1
    assert not function(options_of(), prior, out, noise=1.0, pairs=pairs)


def test_a_pass_over_lessons_has_eight_batches_of_64_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def go_towards(nets: Any, lists: Any, goals: np.ndarray, order: np.ndarray, grads: Any, work: Any) -> int:
        assert order.tolist() == sorted(order.tolist())
        sizes.append(len(order))
        return len(order) // 2

    monkeypatch.setattr(pupil, "go_towards", go_towards)
    made = cast(Any, object.__new__(pupil.Pupil))
    made.nets, made.gradient, made.work, made._step = None, [None], SimpleNamespace(at=0), lambda rate: None
    for m, batches in ((100, [64, 36]), (8 * 80 + 3, [80] * 8 + [3])):
        sizes.clear()
        share = made.fit(None, np.zeros((m, 2)), 0.1, np.random.default_rng(1))
        assert sizes == batches * pupil.PASSES and share == (batches[-1] // 2) / batches[-1]


def test_tables_of_a_training_have_no_wrappers() -> None:
    tables = cast(Any, object.__new__(Tables))
    tables.num_envs = 3
    assert tables.env_is_wrapped(object) == [False] * 3 and tables.env_is_wrapped(object, [1]) == [False]


def test_the_best_point_is_no_broken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    search = cast(Any, object.__new__(Search))
    losses = {(0,): (0.0,), (1,): (0.5,), (2,): (0.5,), (3,): (float("inf"),)}
    search._faulty = lambda key: key == (0,)
    search._fit = lambda: SimpleNamespace(keys=[(1,)], losses=lambda keys: [losses[key] for key in keys])
    assert search._best([(0,), (2,), (1,), (3,)]) == (1,)
    assert search._best([(0,)]) is None and search._best([(3,)]) is None


def test_what_a_conflict_sets_and_what_it_leaves() -> None:
    """R30, R90: every field may be set to 0, and -1 leaves it; a suit that is set anew is hidden again."""
    fields = ("tested", "attr", "suits", "forbid", "skills", "cards", "relation", "malus")
    plain = {"open": "opened", "prepared": "prepared", "traits": "traits", "voluntary": "voluntary", "risk": "risk",
             "conf_value": "conf_value"}  # fmt: skip
    for value, kept in ((0, False), (-1, True)):
        position = make_game("einblatt-duel", compiled=False).position()
        s, real = position.record, position.game.params
        p = SimpleNamespace(**{name: getattr(real, name) for name in dir(real) if not name.startswith("_")})
        for name in (n for n in vars(p) if n.startswith("c_")):
            setattr(p, name, np.full_like(getattr(real, name), -1))
        for name in (*fields, *plain):
            getattr(p, f"c_{name}")[:] = value
        for name in (*plain.values(), "ep", "ep_carried", "extra_restr"):
            getattr(s, name)[:] = 1
        p.trump_hidden, p.pc, p.seats = 1, np.zeros_like(np.atleast_1d(real.pc)), 2
        s.conflict, s.tested[:], s.known[:] = 0, 0, 15
        for name in ("attr", "suits", "forbid", "skills"):
            getattr(s, name)[:] = 3 if name != "forbid" else 1
        s.npc_cards[:], s.relation[:], s.malus[:] = 3, 2, 3
        opening.begin_conflict(s, p)
        found = [int(getattr(s, name)[1, 0]) for name in ("attr", "suits", "forbid", "skills")]
        found += [int(s.npc_cards[1]), int(s.relation[1]), int(s.malus[1])]
        assert found == ([3, 3, 1, 3, 3, 2, 3] if kept else [0] * 7)
        assert int(s.known[1]) == (15 if kept else 0)
        assert [int(getattr(s, name)[1]) for name in plain.values()] == [int(kept)] * len(plain)
        assert [int(getattr(s, name)[1]) for name in ("ep", "ep_carried", "extra_restr")] == [0, 0, 0]


def test_fields_of_a_step_are_checked_unless_it_is_to_be_refused() -> None:
    case = copy.deepcopy(CASES["billy_tree"])
    case["steps"][0]["nonsense"] = 1
    (told,) = run_play(case)
    assert told.startswith("step 1: ") and "nonsense" in told
    case = copy.deepcopy(CASES["billy_tree"])
    wrong = {"seat": "Billy", "phase": "commit", "action": "card:CA", "illegal": True, "nonsense": 1}
    case["steps"].insert(0, wrong)
    assert run_play(case) == []
