"""The compiled loops of the native learner over many lists, beside small networks whose answers are worked out by hand.

Of both networks all weights are 0 but a few: the only hidden number is tanh(tanh(x + 0.1)), where x is the second
number of what the seat sees (of the critic: of what the next seat sees, too), and 0.1 comes of the fourth, which is as
usual and on no list. There are more lists than are looked at together, each with legal actions of its own.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from probespiel.agents.net_layout import TOGETHER, named
from probespiel.agents.policy_net import Blueprint
from probespiel.agents.vectors import aligned
from probespiel.envs.core.rng import rand_float
from probespiel.envs.core.rows import Rows
from probespiel.training.native import NativeLearner
from probespiel.training.native_kernel import (
    NO_ANSWERS,
    Asked,
    Decisions,
    Span,
    act,
    answer_rows,
    expect_usual,
    lay_out,
    look_again,
    means_of,
    set_goals,
    values_of,
)
from tests.test_native_critics import learner_of

SEEN, ACTIONS = 30, 12
N = 2 * TOGETHER + 5
FROM = 3  # a span that does not begin at the first
Lists = list[tuple[dict[int, float], list[int]]]  # what differs from the usual, and the legal actions

OWN = [0.1 * (i % 7) - 0.3 for i in range(N)]  # the second number of what each seat sees
OTHER = [0.2 * (i % 5) - 0.4 for i in range(N)]
LEGAL: list[list[int]] = [sorted({i % 9, i % 9 + 1, *([11] if i % 2 else [])}) for i in range(N)]
LISTS: Lists = [({1: x, 7: 0.5} if i % 3 else {1: x}, legal) for i, (x, legal) in enumerate(zip(OWN, LEGAL))]
WHOLE: Lists = [({**seen, SEEN + 1: x}, legal) for (seen, legal), x in zip(LISTS, OTHER)]


def hidden(x: float) -> float:
    return float(np.tanh(np.tanh(x + 0.1)))


def chances(i: int, tilt: float = 1.0, by: float = 1.0) -> np.ndarray:
    """Of the legal actions of list i: action a has the weight (a + 1) * exp(tilt * a * h), h that of by * x."""
    weight = np.array([(a + 1) * np.exp(tilt * a * hidden(by * OWN[i])) for a in LEGAL[i]])
    return weight / weight.sum()


def worth(i: int) -> np.ndarray:
    """What the critic of actions makes of those of list i."""
    return np.array([10.0 * a - 3.0 * hidden(OWN[i] + 2.0 * OTHER[i]) for a in LEGAL[i]])


def told(i: int) -> float:
    """What the critic of a value makes of list i."""
    return 4.0 * hidden(OWN[i] + 2.0 * OTHER[i]) + 0.25


def rows_of(lists: Lists, observation: int) -> Rows:
    index = np.zeros((len(lists), observation + ACTIONS), np.int32)
    values, sizes = np.zeros(index.shape, np.float32), np.zeros((len(lists), 2), np.int64)
    for i, (seen, legal) in enumerate(lists):
        entries = {**seen, **{observation + a: 1.0 for a in legal}}
        sizes[i] = len(seen), len(entries)
        index[i, : len(entries)], values[i, : len(entries)] = list(entries), list(entries.values())
    nothing = np.zeros((0, 0), np.float32)
    return Rows(np.zeros((1, observation), np.float32), nothing, index, values, sizes, nothing)


def set_by_hand(vector_views: dict[str, np.ndarray], second: int | None) -> None:
    for array in vector_views.values():
        array[:] = 0.0
    vector_views["trunk.weight"][0, 1] = 1.0
    vector_views["trunk.weight"][0, 3] = 0.2  # which is usually one half
    if second is not None:
        vector_views["trunk.weight"][0, second] = 2.0
    vector_views["mix.weight"][0, 0] = 1.0


def by_hand(critic: str) -> NativeLearner:
    """The learner whose policy has the `chances` above, and whose critic the `worth` or `told`."""
    native = learner_of(Blueprint(SEEN, ACTIONS, 16), critic)
    actor, judge = (native._views(native.vector)[part] for part in ("actor", "critic"))
    set_by_hand(actor, None)
    actor["head.bias"][:] = np.log(np.arange(ACTIONS) + 1)
    actor["head.weight"][:, 0] = np.arange(ACTIONS)
    set_by_hand(judge, SEEN + 1)
    if critic == "actions":
        judge["head.bias"][:] = 10.0 * np.arange(ACTIONS)
        judge["head.weight"][:, 0] = -3.0
    else:
        judge["value.bias"][:], judge["value.weight"][0, 0] = 0.25, 4.0
    native._turn()
    return native


def decided(native: NativeLearner, rows: Rows, order: list[int]) -> Decisions:
    """The lists as decisions, kept in some order."""
    m = len(order)
    room = native._room(m, 0)
    sizes = rows.sizes[order]
    starts, legal = sizes[:, 1].cumsum() - sizes[:, 1], sizes[:, 1] - sizes[:, 0]
    for name, array in (("index", rows.index), ("values", rows.values)):
        joined = np.concatenate([array[i, : rows.sizes[i, 1]] for i in order])
        room = room._replace(**{name: joined})
    zeros = np.zeros(int(legal.sum()), np.float32)
    return room._replace(
        starts=starts, observed=sizes[:, 0].copy(), totals=sizes[:, 1].copy(), legal=legal.cumsum() - legal,
        then=zeros.copy(), goals=zeros.copy(),
    )  # fmt: skip


def each(found: Decisions, array: np.ndarray) -> Iterator[np.ndarray]:
    """What belongs to the legal actions of each decision."""
    for begin, n in zip(found.legal, found.totals - found.observed):
        yield array[begin : begin + n]


def test_what_is_to_come_is_the_mean_of_each_list_over_its_own_chances() -> None:
    native = by_hand("actions")
    out, room = np.full(N, np.nan, np.float32), np.full((N, ACTIONS), np.nan, np.float32)
    rows, whole = rows_of(LISTS, SEEN), rows_of(WHOLE, 2 * SEEN)
    means_of(native.nets, rows, whole, Span(FROM, N), chances=room, out=out, work=native.works[0].at)
    assert np.isnan(out[:FROM]).all()
    assert out[FROM:] == pytest.approx([float(chances(i) @ worth(i)) for i in range(FROM, N)], rel=1e-4)
    # one of them: actions 3 and 4 by hand, of the weights 4 and 5 times e^0 and e^h
    i = 12
    assert LEGAL[i] == [3, 4]
    h, g = hidden(OWN[i]), hidden(OWN[i] + 2 * OTHER[i])
    share = 5 * np.exp(h) / (4 + 5 * np.exp(h))
    assert out[i] == pytest.approx(30 + 10 * share - 3 * g, rel=1e-4)


def test_values_are_of_each_list() -> None:
    native = by_hand("all")
    out = np.full(N, np.nan, np.float32)
    rows = rows_of(WHOLE, 2 * SEEN)
    values_of(native.nets, rows, NO_ANSWERS, Span(FROM, N), out=out, work=native.works[0].at)
    assert np.isnan(out[:FROM]).all()
    assert out[FROM:] == pytest.approx([told(i) for i in range(FROM, N)], abs=1e-5)


def test_each_question_is_answered_by_its_policy_from_its_own_list() -> None:
    """The first policy takes the highest legal action, the second the lowest, and the third draws."""
    native = by_hand("all")
    for place, slope in enumerate((60.0, -60.0, 0.0)):
        views = named(native.blueprint, native.actor, native.policies[place])
        set_by_hand(views, None)
        views["head.bias"][:] = slope * np.arange(ACTIONS) if slope else np.log(np.arange(ACTIONS) + 1)
        expect_usual(native.nets, native.policies[place].ctypes.data, native.nets.actor)
    which = np.array([2 if i % 4 == 3 else i % 4 % 2 for i in range(N)], np.int64)
    order = np.argsort(which, kind="stable")
    seeds = np.arange(1, N + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    asked = Asked(
        rows_of(LISTS, SEEN), np.zeros((N, 0), np.int32), which, seeds.copy(), np.full(N, -1, np.int64), order
    )
    answer_rows(native.nets, native.policies, asked, span=Span(FROM, N), work=native.works[0].at)
    for i in range(N):
        if i in order[:FROM]:
            assert asked.actions[i] == -1
            assert asked.seeds[i] == seeds[i]
            continue
        one = seeds[i : i + 1].copy()
        u = rand_float(one)
        assert asked.seeds[i] == one[0]
        weight = np.array([a + 1.0 for a in LEGAL[i]])
        drawn = LEGAL[i][int(np.searchsorted(weight.cumsum() / weight.sum(), u, side="right"))]
        assert asked.actions[i] == (LEGAL[i][-1], LEGAL[i][0], drawn)[which[i]]


def test_what_another_policy_would_do_is_kept_for_each_decision() -> None:
    """A policy that sees three times as much, and heeds it half as much."""
    native = by_hand("all")
    other = aligned(native.actor.size)
    other[:] = native.vector[: native.actor.size]
    views = named(native.blueprint, native.actor, other)
    views["head.weight"] *= 0.5
    views["trunk.weight"][0, 1] = 3.0
    expect_usual(native.nets, other.ctypes.data, native.nets.actor)
    order = list(range(N - 1, -1, -1))
    found = decided(native, rows_of(LISTS, SEEN), order)
    found.goals[:] = np.nan
    set_goals(native.nets, other, found, span=Span(FROM, N), work=native.works[0].at)
    for d, (i, goals) in enumerate(zip(order, each(found, found.goals))):
        if d < FROM:
            assert np.isnan(goals).all()
        else:
            assert goals == pytest.approx(np.log(chances(i, tilt=0.5, by=3.0)), abs=1e-5)


def test_decisions_are_judged_again_by_what_was_taken_in_each() -> None:
    """Every action had the chance of one quarter: the ratio is four times that of now."""
    native = by_hand("all")
    order = list(range(N - 1, -1, -1))
    found = decided(native, rows_of(LISTS, SEEN), order)
    judged = decided(native, rows_of(WHOLE, 2 * SEEN), order)
    found.then[:] = np.log(0.25)
    found.choices[:] = [i % len(LEGAL[i]) for i in order]
    found.critic[:] = np.nan
    ratios = np.full(N, np.nan, np.float32)
    look_again(native.nets, found, judged, span=Span(FROM, N), ratios=ratios, work=native.works[0].at)
    assert np.isnan(ratios[:FROM]).all()
    assert np.isnan(found.critic[:FROM]).all()
    assert ratios[FROM:] == pytest.approx([4 * chances(i)[i % len(LEGAL[i])] for i in order[FROM:]], rel=1e-4)
    assert found.critic[FROM:] == pytest.approx([told(i) for i in order[FROM:]], abs=1e-5)


def test_decisions_are_kept_behind_what_is_used() -> None:
    """The second of three steps of two tables, behind ten inputs and four legal actions."""
    starts, legal = np.full(6, -1, np.int64), np.full(6, -1, np.int64)
    used = lay_out(np.array([[2, 5], [1, 3]], np.int64), starts, legal, step=1, steps=3, used=10, used_legal=4)
    assert used == (18, 9)
    assert starts.tolist() == [-1, 10, -1, -1, 15, -1]
    assert legal.tolist() == [-1, 4, -1, -1, 7, -1]


@pytest.mark.parametrize("critic", ["all", "actions"])
def test_what_is_decided_at_the_tables_is_kept(critic: str) -> None:
    """The second of two steps: inputs, chances, draws of each table, and what the critic, shown more, makes of it."""
    native = by_hand(critic)
    rows, whole, steps = rows_of(LISTS, SEEN), rows_of(WHOLE, 2 * SEEN), 2
    found, judged = (native._room(steps * N, 0) for _ in range(2))
    inputs, legal = lay_out(rows.sizes, found.starts, found.legal, step=1, steps=steps, used=0, used_legal=0)
    shown, _ = lay_out(whole.sizes, judged.starts, judged.legal, step=1, steps=steps, used=0, used_legal=0)
    floats = np.full(legal, np.nan, np.float32)
    found = found._replace(
        index=np.zeros(inputs, np.int32), values=np.zeros(inputs, np.float32), then=floats, goals=floats.copy(),
        worth=floats.copy() if critic == "actions" else np.zeros(0, np.float32),
        answers=np.zeros((steps * N, 0), np.int32),
    )  # fmt: skip
    judged = judged._replace(index=np.zeros(shown, np.int32), values=np.zeros(shown, np.float32))
    found.critic[:] = np.nan
    noise, actions = np.arange(1, N + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15), np.full(N, -1, np.int64)
    before = noise.copy()
    act(
        native.nets, rows, whole, np.zeros((N, 0), np.int32), found, judged, Span(FROM, N, 1, steps), noise=noise,
        actions=actions, work=native.works[0].at,
    )  # fmt: skip
    assert (actions[:FROM] == -1).all()
    assert np.isnan(found.critic[: steps * FROM]).all()
    assert np.isnan(found.critic[::2]).all()
    for i in range(FROM, N):
        d, (seen, legal) = steps * i + 1, LISTS[i]
        n, size = len(legal), len(seen) + len(legal)
        at = slice(found.starts[d], found.starts[d] + size)
        assert (found.observed[d], found.totals[d]) == (len(seen), size)
        assert found.index[at].tolist() == [*seen, *(SEEN + a for a in legal)]
        assert found.values[at] == pytest.approx([*seen.values(), *[1.0] * n])
        at = slice(judged.starts[d], judged.starts[d] + size + 1)
        assert (judged.observed[d], judged.totals[d]) == (len(seen) + 1, size + 1)
        assert judged.index[at].tolist() == [*WHOLE[i][0], *(2 * SEEN + a for a in legal)]
        assert judged.values[at] == pytest.approx([*WHOLE[i][0].values(), *[1.0] * n])
        own = slice(found.legal[d], found.legal[d] + n)
        assert found.then[own] == pytest.approx(np.log(chances(i)), abs=1e-5)
        one = before[i : i + 1].copy()
        choice = int(np.searchsorted(chances(i).cumsum(), rand_float(one), side="right"))
        assert (found.choices[d], actions[i], noise[i]) == (choice, legal[choice], one[0])
        if critic == "actions":
            assert found.worth[own] == pytest.approx(worth(i), rel=1e-4)
            assert found.critic[d] == pytest.approx(float(chances(i) @ worth(i)), rel=1e-4)
        else:
            assert found.critic[d] == pytest.approx(told(i), abs=1e-5)
