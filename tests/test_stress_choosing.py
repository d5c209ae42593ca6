"""Which strategies of the lab are put together, who learns to beat whom, and what is played at last, by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from probespiel.envs import make_game
from probespiel.envs.core.replay import Choice, Die
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.choosing import choose, pool_of, shared
from probespiel.evaluation.stress.conditions import NOBODY, Condition
from probespiel.evaluation.stress.context import Context
from probespiel.evaluation.stress.inert import beside
from probespiel.evaluation.stress.learning import COUNTER, FREE, USE, Learners, learner_of
from probespiel.evaluation.stress.play import draw_pairs, matrix, schedule_of
from probespiel.evaluation.stress.shadow import Shadow
from probespiel.evaluation.stress.strategies import Mixture, Prelude, Strategy
from probespiel.evaluation.stress.workers import Job

RANDOM, HAWK, DOVE = (Strategy(name, base=name) for name in ("random", "hawk", "dove"))
CONDITIONS = {NOBODY: Condition(), "only A": Condition((0,)), "everybody": Condition((0, 1))}
# What side A gets: hawks 3/7 and doves 4/7 for it, 2/7 and 5/7 for the other; random play loses to all.
PAYS = {
    ("hawk", "hawk"): 3.0, ("hawk", "dove"): -1.0, ("dove", "hawk"): -2.0, ("dove", "dove"): 1.0,
    ("random", "hawk"): -9.0, ("random", "dove"): -9.0, ("hawk", "random"): 9.0, ("dove", "random"): 9.0,
    ("random", "random"): 0.0,
}  # fmt: skip


class Asked:
    """A context whose matrices are read from the table; what has learned plays as the baseline that it stands on."""

    sides = answered = [0, 1]
    ends = (-1, 1)
    scale, observation = 1.0, 0

    def __init__(self, used: bool = False, rounds: int = 1, forced: bool = False) -> None:
        self.declinable = used and not forced
        self.answers = [(7, "stand"), (8, "run")] if forced else []
        self.used, self.budget = used, replace(BUDGETS["quick"], rounds=rounds, seeds=2, choose=100)
        self.bench = SimpleNamespace(
            holder_conditions=lambda: CONDITIONS, side_names=["A", "B"], several=False,
            alone=lambda side: f"only {'AB'[side]}",
        )  # fmt: skip
        self.jobs: list[Job] = []
        self.played: list[int] = []

    def begin(self, step: str) -> None:
        """Nothing."""

    def seed(self, *parts: object) -> int:
        """Any."""
        return 1

    def file_of(self, net: str, condition: Condition) -> str:
        """The name itself."""
        return net

    def need(self, step: str, jobs: Sequence[Job]) -> list[Any]:
        """Nothing is learned."""
        self.jobs += jobs
        return [{} for _ in jobs]

    def variants(self, condition: Condition, amounts: Sequence[int]) -> list[Condition]:
        """A unit more for either side."""
        return [condition, *(condition.handicapped(side, amounts[1]) for side in (0, 1))]

    def matrices(self, step: str, games: Any, deals: int, use: str) -> list[np.ndarray]:
        """By the table, in ten blocks."""
        self.played.append(deals)
        for conditions, *pools in games:
            assert all(len({s.name for s in pool}) == len(pool) for pool in pools), "everybody is in a pool once"
            assert [(c.side, c.amount) for c in conditions] == [(0, 0), (0, 1)], "side A alone has more units"
        return [
            np.tile(np.array([[PAYS[a.base, b.base] for b in columns] for a in rows]), (10, 1, 1))
            for _, rows, columns in games
        ]


def weights(mixture: Mixture) -> Mapping[str, float]:
    """What is played of each baseline, by whoever stands on it."""
    return {b: sum(w for s, w in zip(mixture.strategies, mixture.weights) if s.base == b) for b in PAYS_BASES}


PAYS_BASES = ("random", "hawk", "dove")
LEARNED = Learners(
    tuple(
        (
            name,
            learner_of(kind, f"{kind} where {name} ({s})", f"{kind}-{s}", "hawk" if s == 1 else "dove", f"{kind} {s}"),
        )
        for name in CONDITIONS
        for kind in (USE, FREE)
        for s, base in ((1, "hawk"), (2, "dove"))
    ),
    (),
)


@pytest.mark.parametrize(
    ("used", "side", "forced"), [(True, 0, False), (True, 1, False), (False, 0, False), (True, 0, True)]
)
def test_who_is_in_a_pool(used: bool, side: int, forced: bool) -> None:
    """Ways of using a module are for those who hold it and can use it; the whole game is learned by everybody.

    Who must answer can do so blindly or always alike, but neither always use it nor never.
    """
    context: Any = Asked(used, forced=forced)
    found = pool_of(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED, "only A", side)
    names = ["random", "hawk", "dove"]
    if forced:
        names += ["hawk, answers blindly", "hawk, always answers “stand”", "hawk, always answers “run”"]
        names += ["use where only A (1)", "use where only A (2)"]
    elif used and side == 0:
        names += [f"hawk, {how}" for how in ("always uses it", "never uses it", "tosses a coin", "uses it blindly")]
        names += ["dove, always uses it", "use where only A (1)", "use where only A (2)"]
    assert [s.name for s in found] == [*names, "free where only A (1)", "free where only A (2)"]


def test_an_answer_is_given_by_whoever_is_held_to_it() -> None:
    """It throws as before, and is itself again when it is held to nothing or to something else."""
    held = HAWK.answering(7, "stand")
    assert (held.use, held.answer, held.stream, held.base) == ("answer", 7, "hawk", "hawk")
    assert held.free == HAWK and held.using("as_is").answer == held.using("random").answer == held.leaving.answer == -1
    assert held.using("random").use == "random" and held.deciding(HAWK).answer == -1


@pytest.mark.parametrize(
    ("used", "declinable", "marked", "found"),
    [
        (True, False, {5, 3}, [(3, "do 3"), (5, "do 5")]),
        (True, True, {5, 3}, []),
        (False, False, {5, 3}, []),
        (True, False, {5}, []),
        (True, False, set(range(6)), [(n, f"do {n}") for n in range(6)]),
        (True, False, set(range(7)), []),
    ],
)
def test_answers_are_strategies_where_one_of_a_few_must_be_given(
    used: bool, declinable: bool, marked: set[int], found: list[tuple[int, str]]
) -> None:
    actions = SimpleNamespace(actions=SimpleNamespace(describe=lambda action: f"do {action}"))
    bench = SimpleNamespace(everybody=lambda: "all", spec=lambda condition: actions if condition == "all" else None)
    made: Any = SimpleNamespace(used=used, declinable=declinable, marked=frozenset(marked), bench=bench)
    assert Context.answers.__get__(made) == found


def test_each_side_learns_to_beat_what_the_other_plays() -> None:
    """A's answers are learned against hawks 2/7 and doves 5/7, B's against 3/7 and 4/7; random play is no opponent."""
    context: Any = Asked(rounds=2)
    chosen = choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED)
    assert context.played == [50, 50, 100]
    firsts = context.jobs[: 2 * len(CONDITIONS)]
    for job, (name, side) in zip(firsts, [(name, side) for name in CONDITIONS for side in (0, 1)], strict=True):
        assert job.args["kind"] == COUNTER and job.args["sides"] == [side] and job.args["together"] == 0.0
        assert len(job.args["conditions"]) == 3 and job.args["conditions"][0] == CONDITIONS[name]
        met = {b: sum(w for s, w in job.args["opponents"] if s.base == b) for b in PAYS_BASES}
        wanted = (2 / 7, 5 / 7) if side == 0 else (3 / 7, 4 / 7)
        assert (met["hawk"], met["dove"]) == pytest.approx(wanted)
        assert all(s.base != "random" for s, _ in job.args["opponents"])
    nets = [job.args["net"] for job in context.jobs]
    assert len(nets) == len(set(nets)) == 4 * len(CONDITIONS)
    for name, pools in chosen.pools.items():
        for side, pool in enumerate(pools):
            answers = [s for s in pool if s.name.startswith("counters the others")]
            assert [s.name for s in answers] == [
                f"counters the others as {'AB'[side]} where {name} has it{more}" for more in ("", ", round 2")
            ]
            assert {s.seat for s in answers} == {"AB"[side]} and {s.seat for s in pool if s not in answers} == {""}
        for rows, columns in chosen.mixtures[name]:
            assert weights(rows) == pytest.approx({"random": 0.0, "hawk": 3 / 7, "dove": 4 / 7})
            assert weights(columns) == pytest.approx({"random": 0.0, "hawk": 2 / 7, "dove": 5 / 7})


def test_who_holds_the_module_is_met_as_its_holder() -> None:
    """Using it earns A 0.5 more: B learns against those who use it, A against those who do not have it."""
    context: Any = Asked(used=True)

    def matrices(step: str, games: Any, deals: int, use: str) -> list[np.ndarray]:
        """By the table, with what a use is worth."""
        return [
            np.tile(
                np.array([[PAYS[a.base, b.base] + (a.use != "as_is") / 2 for b in columns] for a in rows]), (10, 1, 1)
            )
            for _, rows, columns in games
        ]

    context.matrices = matrices
    choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), Learners((), ()))
    met = {(job.args["conditions"][0], job.args["sides"][0]): job.args["opponents"] for job in context.jobs}
    assert {s.use for s, _ in met[CONDITIONS["only A"], 0]} == {"as_is"}
    assert "as_is" not in {s.use for s, _ in met[CONDITIONS["only A"], 1]}
    assert [sum(w for _, w in met[CONDITIONS["only A"], side]) for side in (0, 1)] == pytest.approx([1.0, 1.0])


def test_a_seed_plays_what_it_has_learned_itself() -> None:
    """And what has no seed: baselines, and the answers to all; the last mixture is of everybody."""
    context: Any = Asked()
    context.bench.several = True  # nothing is tried elsewhere
    found: list[Sequence[str]] = []

    def matrices(step: str, games: Any, deals: int, use: str) -> list[np.ndarray]:
        """Whoever has learned beats all others, by more from the second seed; nobody else wins."""
        strength = [
            np.array([[1.0 + s.name.endswith("(2)") if "free" in s.name else float(s == HAWK) / 2 for s in pool]])
            for pool in (games[0][1], games[0][2])
        ]
        found.append([s.name for s in games[0][1]])
        return [np.tile(strength[0].T - strength[1], (10, 1, 1)) for _ in games]

    context.matrices = matrices
    chosen = choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED)
    assert [n for n in found[1] if n not in found[0]] == [f"counters the others as A where {NOBODY} has it"]
    for name in CONDITIONS:
        for number, (rows, columns) in zip((1, 2, 2), chosen.mixtures[name], strict=True):
            assert [s.name for s in rows.strategies] == [f"free where {name} ({number})"]
            assert [s.name for s in columns.strategies] == [f"free where {name} ({number})"]
    nobody: Any = Asked()
    nobody.matrices = matrices
    plain = choose(nobody, Prelude((RANDOM, HAWK, DOVE), HAWK), Learners((), ()))
    assert [[s.name for s in rows.strategies] for rows, _ in plain.mixtures[NOBODY]] == [["hawk"]] * 3


def test_what_is_found_in_one_condition_is_tried_in_the_other() -> None:
    """Who has the module leaves it alone so; what is nothing but a way of using it, or another condition's, stays."""
    free, other, far = (
        Strategy(f"learned {n} (1)", base="hawk", net=n, scope="everywhere") for n in ("free", "other", "far")
    )
    uses = Strategy("uses it when it pays (1)", base="hawk", net="use", scope="whether")
    liked = {
        NOBODY: [[HAWK, free], [DOVE]],
        "only A": [[HAWK.using("always"), uses, other], [RANDOM]],
        "only B": [[far], [DOVE.using("coin"), HAWK]],
        "everybody": [[other], [other]],
    }
    used: Any = Asked(used=True)
    by_hand = [
        (NOBODY, 0, other), (NOBODY, 1, RANDOM), (NOBODY, 0, far), (NOBODY, 1, HAWK),
        *[("only A", 0, s.using("never")) for s in (HAWK, free, far)], ("only A", 1, DOVE), ("only A", 1, HAWK),
        *[("only B", 0, s) for s in (HAWK, free, other)], *[("only B", 1, s.using("never")) for s in (DOVE, RANDOM)],
    ]  # fmt: skip

    def told(found: Iterable[tuple[str, int, Strategy]]) -> list[str]:
        return sorted(f"{name} {side} {strategy}" for name, side, strategy in found)

    assert told(shared(used, liked)) == told(by_hand)
    passive: Any = Asked()
    assert [row for row in shared(passive, liked) if row[:2] == ("only A", 0)] == [
        ("only A", 0, s) for s in (HAWK, free, far)
    ]
    assert not list(shared(used, {name: rows for name, rows in liked.items() if name != NOBODY}))
    used.bench.several = True
    assert not list(shared(used, liked))


@pytest.mark.parametrize("forced", [False, True])
def test_who_must_answer_plays_what_was_found_without_it_as_it_is(forced: bool) -> None:
    """Nobody can leave alone what has all the answers: to say of a strategy that it never uses it would be wrong."""
    context: Any = Asked(used=True, forced=forced)
    liked = {NOBODY: [[HAWK], [DOVE]]}
    names = [(name, side, s.name) for name, side, s in shared(context, liked | {"only A": [[], []]})]
    told = "hawk" if forced else "hawk, never uses it"
    assert names == [("only A", 0, told), ("only A", 1, "dove")]


def test_who_has_the_module_may_play_as_if_it_had_not() -> None:
    """What the second seed has found without it beats all there is with it, if left alone: so A plays it, once."""
    context: Any = Asked(used=True)
    last: dict[str, list[str]] = {}

    def matrices(step: str, games: Any, deals: int, use: str) -> list[np.ndarray]:
        """What has learned beats others, more so from the second seed, and most if it leaves the module alone."""

        def strength(s: Strategy) -> float:
            return 5.0 * ("never" in s.name) + s.name.count("(2)") if "free" in s.name else -1.0

        if RANDOM in games[0][1]:  # whole pools
            last.update(zip(CONDITIONS, ([s.name for s in rows] for _, rows, _ in games)))
        return [
            np.tile(np.subtract.outer([strength(s) for s in rows], [strength(s) for s in columns]), (10, 1, 1))
            for _, rows, columns in games
        ]

    context.matrices = matrices
    chosen = choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED)
    left = f"free where {NOBODY} (2), never uses it"
    told = [[s.name for s in rows.strategies] for rows, _ in chosen.mixtures["only A"]]
    assert told == [["free where only A (1)"], [left], [left]]
    assert last["only A"].count(left) == 1 and left not in [s.name for s in chosen.pools["only A"][0]]
    assert all(len(names) == len(set(names)) for names in last.values())
    assert "free where only A (2)" in last[NOBODY] and not any("never" in name for name in last[NOBODY])


def test_what_is_played_best_is_joined_with_what_uses_it_best() -> None:
    """Who has learned the whole game plays best, who has learned the use uses best: A does both, by one seed.

    So does B where everybody has the module. Only what is new is played.
    """
    context: Any = Asked(used=True)
    asked: list[list[tuple[list[str], list[str]]]] = []

    def strength(s: Strategy) -> float:
        return ("free" in s.name) * (1.0 + ("(2)" in s.name)) + 4.0 * (s.whether != "" or s.scope == "whether")

    def matrices(step: str, games: Any, deals: int, use: str) -> list[np.ndarray]:
        """What the two halves of a strategy are worth is added up."""
        asked.append([([s.name for s in rows], [s.name for s in columns]) for _, rows, columns in games])
        return [
            np.tile(np.subtract.outer([strength(s) for s in rows], [strength(s) for s in columns]), (10, 1, 1))
            for _, rows, columns in games
        ]

    context.matrices = matrices
    chosen = choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED)
    best = [f"free where {NOBODY} ({n}), uses it when it pays ({n})" for n in (1, 2, 2)]
    for name, side in (("only A", 0), ("everybody", 0), ("everybody", 1)):
        told = [[s.name for s in pair[side].strategies] for pair in chosen.mixtures[name]]
        assert told == [[name] for name in best]
        names = [s.name for s in chosen.pools[name][side]]
        assert best[2] in names and best[0] not in names, "what is not played is forgotten"
    known = {name for _, rows in zip(CONDITIONS, asked[1]) for name in rows[0]}
    assert not any("uses it when it pays" in name for name in known)
    whether = "uses it when it pays"
    assert [[any(whether in n for n in names) for names in game] for game in asked[2]] == [
        [True, False], [True, True], [False, True]
    ]  # fmt: skip
    assert not any("(1), uses it when it pays (2)" in n for rows, _ in asked[2] for n in rows), "seeds are kept apart"
    assert not any(s.whether for pair in chosen.mixtures[NOBODY] for s in pair[0].strategies)
    del asked[:]
    inert = choose(context, Prelude((RANDOM, HAWK, DOVE), HAWK), LEARNED, joins=False)
    assert len(asked) == 2 and not any(s.whether for pairs in inert.mixtures.values() for s in pairs[-1][0].strategies)


@pytest.mark.parametrize("used", ["as_is", "always", "never"])
def test_a_strategy_is_let_go(used: str) -> None:
    """What is held to a way of using the module is itself again, and throws as before."""
    learned = Strategy("learned (1)", net="n.npz", stream="free 0")
    assert HAWK.using(used).free == HAWK and learned.using(used).free == learned


# Games of the lab


def test_pairs_are_drawn_by_their_weights_and_by_the_deal_alone() -> None:
    deals = np.arange(4000)
    pairs = np.array(draw_pairs([0.2, 0.0, 0.8], [0.5, 0.5], deals, 3))
    for weight, index in ((0.2, 0), (0.0, 1), (0.8, 2)):
        assert (pairs[:, 0] == index).mean() == pytest.approx(weight, abs=0.03)  # five standard deviations
    both = [((pairs[:, 0] == 2) & (pairs[:, 1] == k)).mean() for k in (0, 1)]
    assert both == pytest.approx([0.4, 0.4], abs=0.04), "who plays on a side tells nothing of the other"
    assert draw_pairs([0.2, 0.0, 0.8], [0.5, 0.5], [7, 3], 3) == [tuple(pairs[7]), tuple(pairs[3])]
    assert draw_pairs([0.2, 0.0, 0.8], [0.5, 0.5], deals, 4) != [tuple(pair) for pair in pairs]


def test_a_matrix_is_of_the_deals_of_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal d pays 100 a + 10 b + d in one condition and 1000 more in the other: blocks 0 1 2 | 3 4 of deals 3 to 7."""
    a, b, c = (Strategy(name) for name in "abc")

    def play(lab: Any, condition: Condition, players: Any, seats: Any, deals: Any, seed: int) -> Any:
        names = [s.name for s in players]
        paid = [100 * "abc".index(names[x]) + 10 * "abc".index(names[y]) + d for (x, y), d in zip(seats, deals)]
        return SimpleNamespace(margins=np.array(paid, dtype=float) + 1000 * condition.amount)

    monkeypatch.setattr("probespiel.evaluation.stress.play.play", play)
    lab: Any = SimpleNamespace(bench=SimpleNamespace(sides=[(0,), (1,)]))
    conditions = [Condition(), Condition().handicapped(0, 1)]
    found = matrix(lab, conditions, [b, c], [a, b, c], (3, 8), 2, 1)
    # even deals are played in the first condition: 3, 5, 7 have 1000 more
    first, second = (3 + 4 + 5 + 2000) / 3, (6 + 7 + 1000) / 2
    table = np.array([[100.0, 110.0, 120.0], [200.0, 210.0, 220.0]])
    np.testing.assert_allclose(found, [table + first, table + second])
    alone: Any = SimpleNamespace(bench=SimpleNamespace(sides=[(0,)]))
    found = matrix(alone, conditions[:1], [b, c], [a, b, c], (3, 8), 1, 1)
    np.testing.assert_allclose(found[0], [[105.0] * 3, [205.0] * 3])


def test_who_plays_again_throws_otherwise_on_the_same_dice() -> None:
    bench: Any = SimpleNamespace(sides=[(0,), (1,)], _seat_names=lambda: ["A", "B"], side_seats=lambda c, side: (side,))
    first, again, third = (schedule_of(bench, Condition(), [(0, 1)] * 3, [4, 5, 9], 7, n) for n in (0, 1, 2))
    assert first.dice.tolist() == again.dice.tolist() == third.dice.tolist()
    tables = [tuple(s.tables.tolist()) for s in (first, again, third)]
    assert len(set(tables)) == 3 and len(set(sum(tables, ()))) == 9


# Games beside each other


class Line:
    """A game of so many decisions of one seat, which can be taken in any way; its record is how many were taken."""

    def __init__(self, length: int, taken: int = 0) -> None:
        self.length, self.taken = length, taken

    def die(self) -> int:
        """None."""
        return 0

    def to_act(self) -> list[int]:
        """The seat, until all are taken."""
        return [0] if self.taken < self.length else []

    def legal(self, seat: int) -> list[int]:
        """Two ways."""
        return [0, 1]

    def apply(self, seat: int, action: int) -> None:
        """One more."""
        self.taken += 1

    def to_bytes(self) -> bytes:
        """The record."""
        return bytes([self.taken])


def test_a_game_that_a_rule_ends_sooner_is_not_the_same() -> None:
    """Two decisions beside three; and a rule without effect has as many as the game has."""

    def count(length: int, beside_it: int) -> int:
        shadow: Any = SimpleNamespace(
            start=lambda: Line(beside_it), same=lambda a, b, payoffs: a.taken == b.taken,
            after=lambda before, step: Line(beside_it, before[0] + 1),
        )  # fmt: skip
        position: Any = Line(length)
        return beside(position, shadow, frozenset(), np.array([3], dtype=np.uint64))

    assert [count(2, 3), count(3, 2), count(3, 3)] == [0, 0, 3]


def test_a_step_that_the_rules_do_not_know_has_no_position_after_it() -> None:
    game = make_game("kuhn", compiled=False)
    shadow, fresh = Shadow(game, np.ones(game.state_size, np.uint8)), game.position().to_bytes()
    assert shadow.after(fresh, Choice(0, 0)) is None, "cards are dealt first"
    dealt = shadow.after(fresh, Die(3, 1))
    assert dealt is not None and dealt.die() == 2 and shadow.after(dealt.to_bytes(), Die(3, 2)) is None


# What is asked of workers


class Given:
    """Workers that answer by what a job asks, and a store that keeps it."""

    def __init__(self) -> None:
        self.asked: list[Job] = []
        self.kept: dict[str, Any] = {}
        self.facts: Any = None

    def run(self, jobs: Sequence[Job], tick: Any) -> Any:
        """The last first."""
        self.asked += jobs
        yield from reversed([(i, job.args["x"]) for i, job in enumerate(jobs)])

    def path_of(self, job: Job, facts: Any) -> str:
        """By what is asked."""
        return f"{job.kind} {job.args}"

    def get(self, path: str) -> Any:
        """As it was kept."""
        return self.kept.get(path)

    def put(self, path: str, answer: Any) -> None:
        """Keep it."""
        self.kept[path] = answer


def test_answers_come_in_the_order_of_the_questions() -> None:
    """What is asked twice is done once, what was done is not done again, and the share of a step is told."""
    workers, told = Given(), list[tuple[float, bool]]()
    watcher: Any = SimpleNamespace(tick=None, advance=lambda step, share, played=True: told.append((share, played)))
    nothing: Any = None
    lab: Any = workers
    context = Context(nothing, BUDGETS["quick"], lab, lab, watcher, frozenset({3, 4}), asks={"use": 2})
    jobs = [Job("double", {"x": x}) for x in (5, 6, 5, 7)]
    assert context.ask("use", jobs) == [5, 6, 5, 7]
    assert [job.args["x"] for job in workers.asked] == [5, 6, 7] and told == [(0.125, True)] * 3
    assert context.ask("use", [Job("double", {"x": x}) for x in (8, 6)]) == [8, 6]
    assert [job.args["x"] for job in workers.asked] == [5, 6, 7, 8]
    assert told[3:] == [(0.25, False), (0.25, True)]


def test_conditions_with_handicaps_are_those_that_the_scenario_allows() -> None:
    """A unit fewer is impossible for B; nobody is turned round who cannot be."""
    bench: Any = SimpleNamespace(
        can_handicap=True, can_mirror=False, compared=[0, 1], sides=[(0,), (1,)],
        possible=lambda c: (c.side, c.amount) != (1, -1),
    )  # fmt: skip
    nothing: Any = None
    context = Context(bench, BUDGETS["quick"], nothing, nothing, nothing, frozenset())
    one = Condition((0,))
    handicaps = [one.handicapped(0, -1), one.handicapped(0, 2), one.handicapped(1, 2)]
    assert context.variants(one, [-1, 0, 2], mirrored=True) == [one, *handicaps]
    bench.can_handicap, bench.can_mirror = False, True
    assert context.variants(one, [-1, 0, 2], mirrored=True) == [one, replace(one, mirrored=True)]
    assert context.variants(one, [-1, 0, 2]) == [one]
    assert context.answered == [0, 1]
    bench.sides = [(0,), (1,), (2,)]
    assert context.answered == [0], "with three sides nobody else plays as one"
