"""Small cases, worked out by hand, of lines that were drawn and of the functions around them."""

from __future__ import annotations

import hashlib
import re
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import llvmlite.binding as binding
import numpy as np
import pytest

from probespiel.agents import native, public_game
from probespiel.agents.base import AgentError
from probespiel.agents.intervals import error_of
from probespiel.agents.konfrontation.equilibrium import ConfrontationSolver
from probespiel.agents.liars_dice import baselines as liars
from probespiel.agents.policy_net import PolicyError
from probespiel.envs import make_game
from probespiel.envs.core import abi, jit, options
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.einblatt import creation
from probespiel.envs.konfrontation import state as st
from probespiel.envs.konfrontation.params import _party
from probespiel.envs.oneshot.state import RoomEvent
from probespiel.evaluation.stress import away
from probespiel.evaluation.stress.workers import Failed
from probespiel.training import legs
from probespiel.training.config import train_config
from probespiel.training.einblatt import duel_gap

# Rules


def test_interpreted_rules_that_have_failed_are_not_asked_again_until_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loop that goes on meanwhile is answered so that it ends: the game is over, nobody may do anything."""
    game = make_game("kuhn", compiled=False)
    asked: list[int] = []

    def entry(op: int, *_: int) -> int:
        asked.append(op)
        raise ValueError(f"failed {len(asked)}")

    monkeypatch.setattr(game.kernel.namespaces["probespiel.envs.core.entry"], "entry", entry)
    state, words = np.zeros(1, game.state_dtype), np.full(game.words, -1, np.int64)

    def call(op: int) -> int:
        return abi.call_from_python(
            game.address, op, state.ctypes.data, game.params_address, out=words.ctypes.data if op == abi.LEGAL else 0
        )

    assert [call(op) for op in (abi.APPLY, abi.OVER, abi.DIE, abi.TO_ACT, abi.ROLL)] == [abi.RULE_ERROR, 2, 0, 0, 0]
    assert words.tolist() == [-1] * game.words and call(abi.LEGAL) == abi.RULE_ERROR
    assert words.tolist() == [0] * game.words and asked == [abi.APPLY]
    with pytest.raises(ValueError, match="failed 1"):
        game.kernel.raise_pending()
    assert call(abi.LEGAL) == abi.RULE_ERROR and asked == [abi.APPLY, abi.LEGAL]
    with pytest.raises(ValueError, match="failed 2"):
        game.kernel.raise_pending()
    game.kernel.raise_pending()  # nothing is left


@pytest.mark.parametrize(
    ("skill", "slots"),
    [("fencing", 1), ({"breadth": "blades"}, 1), ({"breadth": "fighting"}, 1),
     ({"breadth": "fighting", "malus": -5}, 1), ({"breadth": "fighting", "malus": -2, "name": "f"}, 4),
     ({"breadth": "close_combat", "malus": -3}, 2)],
)  # fmt: skip
def test_slots_of_a_skill(skill: Any, slots: int) -> None:
    """R16: one, and of a broad one another for every point by which its malus is less than its base (blades -2)."""
    assert creation.skill_slots(skill) == slots


@pytest.mark.parametrize("skill", [3, None, ["fencing"], ("blades",), {}, {"malus": -2}, {"breadth": "all"},
                                   {"breadth": "blades", "malus": -1}, {"breadth": "blades", "malus": -3},
                                   {"breadth": "blades", "cost": 1}])  # fmt: skip
def test_what_is_no_skill(skill: Any) -> None:
    with pytest.raises(ValueError):
        creation.skill_slots(skill)


@pytest.mark.parametrize(
    ("given", "leader", "units", "told"),
    [
        ((), False, 0, ""), (("A",), True, 0b1, ""), (("B", "A", "S"), True, 0x103, ""), (("S", "B"), False, 0x102, ""),
        ((), True, 0, "at least one character"), (("S",), True, 0, "at least one character"),
        (("S",), False, 0, "supports only together with a character"),
        (("A", "A"), False, 0, "each unit at most once"), (("R",), False, 0, "units of Red: A, B, S"),
        (("X",), False, 0, "units of Red: A, B, S"), ((3,), False, 0, "units of Red: A, B, S"),
        ("A", False, 0, "a list of units of Red"),
    ],
)  # fmt: skip
def test_who_takes_part_in_a_confrontation(given: Any, leader: bool, units: int, told: str) -> None:
    """Two characters, a support and a resource; the attacker needs a character, and so do supports."""
    faction: Any = SimpleNamespace(name="Red", labels={"A": 0, "B": 1, "S": st.CHARACTERS, "R": st.UNITS})
    with pytest.raises(RulesetError, match=f"party = .*: {told}$") if told else nullcontext():
        assert _party("party", faction, given, leader) == units


def test_what_options_take() -> None:
    """Words in the order of their numbers, amounts above 0 up to the most, names of codes; nothing unknown."""
    words, some = options.word("b", "a", "b", "c"), options.amount(1.0, 2.0)
    assert [words.number(text) for text in "abc"] == [0, 1, 2] and words.allowed == "a, b, c" and words.code is None
    coded = options.coded(RoomEvent.TRAP)
    assert (coded.default, coded.code, coded.number("trap")) == ("trap", RoomEvent, int(RoomEvent.TRAP))
    known = {"w": words, "n": some, "c": coded, "f": options.flag(True), "k": options.whole(3, 1, 4)}
    assert options.filled(known, {}) == {"w": "b", "n": 1.0, "c": "trap", "f": True, "k": 3}
    given = {"w": "c", "n": 2, "c": "talk", "f": False, "k": 4}
    assert options.filled(known, given) == given and type(options.filled(known, given)["n"]) is int
    for name, value, told in (
        ("n", 0, "n = 0 is out of range: more than 0, at most 2"), ("n", 2.01, "out of range"), ("n", True, "range"),
        ("n", "1", "range"), ("w", "d", "w = 'd'"), ("c", "Trap", "c = 'Trap'"), ("k", 5, "1..4"), ("k", 0, "1..4"),
        ("z", 1, "option 'z' = 1 is unknown: one of w, n, c, f, k"),
    ):  # fmt: skip
        with pytest.raises(RulesetError, match=re.escape(told)):
            options.filled(known, {name: value})


# Solvers and learners


def test_how_far_a_search_looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the outlook that the game declares, else by the one that ships or is named; with a horizon of 0 by none."""
    game = cast(Any, SimpleNamespace(name="g"))
    declared = SimpleNamespace(horizon=3, c=0.5, margin=2.0)
    look, sighted = SimpleNamespace(address=7), SimpleNamespace(address=9)
    ready = SimpleNamespace(function=SimpleNamespace(address=11), block=12)
    here: dict[str, Any] = {"known": declared, "shipped": "shipped", "sight": None}
    asked: list[tuple[Any, ...]] = []

    def load(path: Any) -> str:
        if str(path) == "wrong":
            raise PolicyError("no outlook")
        return f"loaded {path}"

    def ask(*given: Any) -> Any:
        asked.append(given)
        return ready

    monkeypatch.setattr(native, "outlook_of", lambda game: here["known"])
    monkeypatch.setattr(native, "shipped_outlook", lambda game: here["shipped"])
    monkeypatch.setattr(native, "lineup_of", lambda game: SimpleNamespace(sight=here["sight"]))
    monkeypatch.setattr(native, "native_outlook", lambda game, known: look if known is declared else None)
    monkeypatch.setattr(native, "native_sight", lambda game, sight: sighted if sight is here["sight"] else None)
    monkeypatch.setattr(native, "asked", ask)
    monkeypatch.setattr(native.FittedOutlook, "load", load)
    assert native.ahead_of(game, None) == native.Ahead(7, 0, 3, False, 0.5, 2.0, (cast(Any, look),))
    for horizon in (1, 5):
        assert native.ahead_of(game, horizon) == native.Ahead(7, 0, horizon, False, 0.5, 2.0, (cast(Any, look),))
    assert native.ahead_of(game, 0) == native.ahead_of(game, None, "none") == native.Ahead()
    for horizon, outlook, found in ((None, "x.file", "loaded x.file"), (1, "x.file", "loaded x.file")):
        steps = native.HORIZON if horizon is None else horizon
        expected = native.Ahead(11, 12, steps, True, 1.0, 1.0, (cast(Any, ready.function),), ready)
        assert native.ahead_of(game, horizon, outlook) == expected
        assert asked.pop() == (game, found, None)
    with pytest.raises(AgentError, match=r"^outlook = 'wrong': no outlook$"):
        native.ahead_of(game, None, "wrong")
    here |= {"known": None, "sight": SimpleNamespace(horizon=4, c=0.25, margin=3.0)}
    functions = (cast(Any, ready.function), cast(Any, sighted))
    for horizon, steps in ((None, 4), (1, 1)):
        assert native.ahead_of(game, horizon) == native.Ahead(11, 12, steps, False, 0.25, 3.0, functions, ready)
        assert asked.pop() == (game, "shipped", sighted)
    assert native.ahead_of(game, 0) == native.Ahead() and not asked
    here["shipped"] = None
    assert native.ahead_of(game, None) == native.ahead_of(game, 0) == native.Ahead()
    with pytest.raises(AgentError, match=r"^horizon = 2 is not allowed: g has no outlook; leave it out, or 0$"):
        native.ahead_of(game, 2)


def test_what_counts_as_the_same_answer_of_another_machine() -> None:
    """How long something took is nobody's answer; files are, if they are networks, but no words about an end."""
    work = away.LabWork(cast(Any, {}), "")

    def same(kind: str, answer: Any, **files: bytes) -> Any:
        return work.same((kind, away.Answered(answer, {name.replace("_", "/"): data for name, data in files.items()})))

    assert same("build", 3.0) is None is same("pace", Failed("died", "in words"))
    assert same("games", Failed("died", "in words")) == "died"
    net = f"{away.NETS}_a"
    assert (
        same("games", 5, **{net: b"1", "log": b"2"}) == [5, {f"{away.NETS}/a": b"1"}] == same("games", 5, **{net: b"1"})
    )
    assert same("games", 5, **{net: b"1"}) != same("games", 5, **{net: b"2"})
    assert same("games", 5) != same("games", 6)


@pytest.mark.parametrize("clash", [False, True])
def test_ties_before_and_votes_make_no_other_game_of_bids(clash: bool) -> None:
    """What was bid, sealed or voted before is left out; a position of first bids is taken as it is, each game once."""
    names = ("ties", "sealed", "vote", "total", "ask_phase", "phase", "other")
    made: list[Any] = []

    def position(**given: int) -> Any:
        record = SimpleNamespace(**dict.fromkeys(names, 0) | {"ask_phase": given["phase"]} | given)
        return SimpleNamespace(record=record, clone=lambda: position(**vars(record)))

    def known(position: Any) -> tuple[int, ...]:
        return tuple(int(getattr(position.record, name)) for name in names)

    def refuse(position: Any) -> Any:
        raise AssertionError("the other key is asked for")

    solver: Any = object.__new__(ConfrontationSolver)
    solver._clash, solver._games = clash, {}
    solver._alike, solver._key = (known, refuse) if clash else (refuse, known)
    solver._matrix_of = lambda position: made.append(position) or known(position)
    bid, vote = int(st.Phase.BID), int(next(phase for phase in st.Phase if phase != st.Phase.BID))
    plain = (0, 0, 0, 0, bid, bid, 7)
    first = position(phase=bid, other=7)
    assert solver.bid_game(first) == plain and made.pop() is first
    for phase, ties in ((bid, 2), (vote, 0), (vote, 1)):
        before = position(phase=phase, ties=ties, sealed=1, vote=1, total=5, other=7)
        told = known(before)
        assert solver.bid_game(before) == plain and known(before) == told and not made, "one game, kept"
    assert solver.bid_game(position(phase=vote, ties=1, other=8)) == (*plain[:-1], 8) and len(made) == 1


def test_what_a_rule_file_names_and_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names behind a dot and texts in brackets; words of 8 bytes, without those all of whose bytes lie in a field."""
    text = "s.a['b'][0] = s['c'][i]\n'd: s.no'\nt = no['e', 'no']\ndef f(s): return s.g.h\n"
    assert public_game._named(text) == {"a", "b", "c", "g", "h"}
    monkeypatch.setattr(public_game, "source_of", lambda extension: {1: "s.x", 2: "s['y']"}[extension])
    game: Any = SimpleNamespace(spec=SimpleNamespace(sources=SimpleNamespace(extensions=(1, 2))))
    assert [public_game.modules_mention(game, name) for name in ("x", "y", "z")] == [True, True, False]
    record: Any = SimpleNamespace(
        state_size=48, state_dtype=np.dtype([("a", "i8"), ("b", "i8", 2), ("c", "i4"), ("d", "i4"), ("e", "i8", 2)])
    )
    words = public_game.words_of(record, ())
    assert words.tolist() == [[0, 6]] and words.dtype == np.int64
    assert public_game.words_of(record, ("b",)).tolist() == [[0, 1], [3, 6]]
    assert public_game.words_of(record, ("c",)).tolist() == [[0, 6]], "half of a word is left"
    assert public_game.words_of(record, ("c", "d", "a")).tolist() == [[1, 3], [4, 6]]
    assert public_game.words_of(record, tuple("abcde")).tolist() == []


@pytest.mark.parametrize("face_first", [0, 1])
def test_how_likely_a_bid_is(face_first: int) -> None:
    """Two dice of three faces each, the third wild; own dice are one first face and one wild one.

    Of another one's dice each counts for a face with 2/3, as wild with 1/3: one of two does with 8/9 and 5/9, both do
    with 4/9 and 1/9.
    """
    p: Any = SimpleNamespace(dice=2, faces=3, face_first=face_first)
    s: Any = SimpleNamespace(count=np.array([[0, 0, 2], [1, 0, 1]]), last=-1)
    own: list[list[float]] = [[1.0, 1.0, 8 / 9, 4 / 9], [1.0, 8 / 9, 4 / 9, 0.0], [1.0, 5 / 9, 1 / 9, 0.0]]

    def bid_of(face: int, quantity: int) -> int:
        return face * 4 + quantity - 1 if face_first else (quantity - 1) * 3 + face

    for face in range(3):
        for quantity in range(1, 5):
            assert liars.chance_of(s, p, 1, bid_of(face, quantity)) == pytest.approx(own[face][quantity - 1])
    assert liars.chance_of(s, p, 0, bid_of(2, 3)) == pytest.approx(5 / 9)
    assert liars.chance_of(s, p, 0, bid_of(0, 3)) == pytest.approx(8 / 9)
    nothing = np.zeros(1, np.uint64)
    for last, least, wanted in (
        (-1, 1.0, bid_of(0, 1)), (bid_of(0, 1), 1.0, bid_of(0, 2) if face_first else bid_of(1, 1)),
        (bid_of(0, 4), 0.5, 12),  # 4/9 is not believed
        (bid_of(2, 3), 0.1, 12 if face_first else bid_of(0, 4)), (bid_of(2, 4), 0.0, 12),
        (bid_of(2, 2), 0.5, 12 if face_first else bid_of(0, 3)),
    ):  # fmt: skip
        s.last = last
        assert liars.by_chance(s, p, 1, nothing, least) == wanted
    s.last = -1
    assert liars.by_chance(s, p, 1, nothing, 2.0) == bid_of(0, 1), "the likeliest, of equals the first"


def test_what_is_lost_in_a_duel_is_asked_of_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees all cards gains 1 and 3 more in seat 0, 5 and 5 in seat 1; nobody can get less."""

    def tree(game: Any, seat: int, chances: Any) -> Any:
        assert chances == "chances"
        gains = np.array([[1.0, 3.0], [5.0, 5.0]][seat])
        return SimpleNamespace(game=game, value=lambda block: block, clairvoyant=lambda block: block + gains)

    monkeypatch.setattr(duel_gap, "DuelTree", tree)
    monkeypatch.setattr(duel_gap, "deals", lambda game, n, seed: iter([np.full(n, float(seed))]))
    game: Any = SimpleNamespace(spec=SimpleNamespace(payoff_range=(-10.0, 10.0)))
    found = duel_gap.clairvoyant_gap(game, cast(Any, "chances"), 2, 7)
    assert found.mean == (2.0, 5.0) and found.deals == 2
    assert found.error[0] == error_of(np.array([1.0, 3.0]), (0.0, 20.0))
    assert found.error[1] == error_of(np.array([5.0, 5.0]), (0.0, 20.0))


def test_the_settings_of_a_training_name_files_where_they_lie() -> None:
    """On another machine: those of all agents, their own files and those that they read, and of rule modules."""
    config = train_config(
        "kuhn", opponents={"self": 0.5, "past": 0.25, "/a/bot.py:Bot:x=1": 0.25}, teacher="/a/bot.py:Bot", review=10,
        evaluate_against=("random", "policy:file=/a/p.safetensors"),
        scenarios=[
            {"scenario": "three", "modules": {"/a/mine.py": {"n": 1}, "own": {}}, "reviewer": "/a/bot.py:Other"}, {},
        ],
    )  # fmt: skip
    places = {"/a/bot.py": "/b/1.py", "/a/p.safetensors": "/b/2", "/a/mine.py": "/b/3.py"}
    moved = legs.moved_config(config, places)
    assert moved.opponents == {"self": 0.5, "past": 0.25, "/b/1.py:Bot:x=1": 0.25} and moved.teacher == "/b/1.py:Bot"
    assert moved.evaluate_against == ("random", "policy:file=/b/2")
    assert [one.reviewer for one in moved.scenarios] == ["/b/1.py:Other", None]
    assert [dict(one.modules) for one in moved.scenarios] == [{"/b/3.py": {"n": 1}, "own": {}}, {}]
    assert moved.model_copy(update={"opponents": config.opponents, "teacher": config.teacher,
        "evaluate_against": config.evaluate_against, "scenarios": config.scenarios}) == config  # fmt: skip
    data = config.model_dump(mode="json")
    work = legs.Legs((config.model_dump(mode="json"), data | {"teacher": None}))
    assert work._config(0) == config and work.moved(places)._config(0) == moved
    assert work.moved(places)._config(1).teacher is None


def test_every_thing_that_compiled_code_depends_on_has_a_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreter, machine, libraries, processor and its features, and checked bounds."""
    found = {jit.machine_fingerprint.__wrapped__()}
    config = SimpleNamespace(BOUNDSCHECK="other")
    for where, name, value in (
        (jit.platform, "machine", lambda: "other"), (jit.numba, "__version__", "0"), (jit.llvmlite, "__version__", "0"),
        (jit.np, "__version__", "0"), (binding, "get_host_cpu_name", lambda: "other"),
        (binding, "get_host_cpu_features", lambda: SimpleNamespace(flatten=lambda: "+other")),
        (jit, "config", config), (jit, "sys", SimpleNamespace(implementation=SimpleNamespace(cache_tag="other"))),
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            found.add(jit.machine_fingerprint.__wrapped__())
    assert len(found) == 9 and all(text.count("|") == 7 for text in found)
    assert jit.digest(["ab", "c"]) == hashlib.sha256(b"ab\0c\0").hexdigest()[:24] != jit.digest(["a", "bc"])
