"""What a stress test hands from step to step, by hand: every step is a stub, and who is given what is written down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from probespiel.evaluation.stress import run
from probespiel.evaluation.stress.run import Stress
from tests.lab_findings import findings


@dataclass(frozen=True)
class Circumstances:
    """What steps change of a context, and how they size it."""

    compiled: bool = False
    facts: str = "no facts"
    scale: float = 0.0
    asks: str = "nothing"
    shares: dict[str, float] = field(default_factory=dict)
    bench: Any = field(default_factory=lambda: SimpleNamespace(several=False))
    workers: Any = field(default_factory=lambda: SimpleNamespace(count=3))
    watcher: Any = None

    def sized(self, *given: Any) -> tuple[Circumstances, float]:
        facts, *rest = given
        assert rest == ["offers", 2.0, "observation"] and facts.declining == "declining of phases"
        return replace(self, facts="sized"), 0.5


def begun_with(context: Circumstances, **found: Any) -> Stress:
    """A test that stands at its beginning."""
    test = object.__new__(Stress)
    test.reached, test.surely = 0, 0
    test.context, test.found, test.expected = cast(Any, context), replace(findings(), notes=("one",), **found), None
    return test


def planted(monkeypatch: pytest.MonkeyPatch, **made: Any) -> None:
    for name, work in made.items():
        monkeypatch.setattr(run, name, work)


@dataclass(frozen=True)
class Facts:
    phases: str = "phases"
    longest: int | None = 9
    length: float = 4.5
    declining: str = ""


@pytest.mark.parametrize("longest", [9, None])
@pytest.mark.parametrize("inert", [(), ("effect",)])
def test_the_first_steps_hand_on_what_they_find(
    monkeypatch: pytest.MonkeyPatch, longest: int | None, inert: tuple[str, ...]
) -> None:
    """The scale is the larger of what random play and baselines show; baselines are narrowed after the shares are."""
    seen: list[Any] = []
    base = [SimpleNamespace(name="anchor"), *[SimpleNamespace(name=x) for x in "bcd"]]
    every = SimpleNamespace(baselines=base, anchor=base[0], deviation=3.0)
    few = SimpleNamespace(baselines=base[:2], anchor=base[1], deviation=3.0)

    def compared(context: Circumstances) -> Any:
        seen.append(("baselines", context.facts, context.scale))
        return every

    def effects(context: Circumstances) -> Any:
        seen.append(("effects", context.scale))
        return inert

    def afforded(context: Circumstances, prelude: Any, effect: bool) -> Circumstances:
        seen.append(("afforded", prelude is every, effect))
        return replace(context, shares={"free": 0.25})

    def narrowed(context: Circumstances, prelude: Any, effect: bool) -> Any:
        seen.append(("narrowed", context.shares, prelude is every, effect))
        return few

    planted(
        monkeypatch,
        build=lambda context: SimpleNamespace(notes=("one", "built"), fault=None, compiled=True),
        look_for_breakage=lambda context: SimpleNamespace(
            breakage="unbroken", broken=False, facts=Facts(longest=longest), offered="offers", scale=2.0,
            observation="observation",
        ),
        look_for_declining=lambda context, phases: f"declining of {phases}" if context.compiled else "",
        look_beside_others=lambda context: f"{context.facts}, beside others",
        compare_baselines=compared, look_for_effects=effects, afforded=afforded, narrowed=narrowed,
        look_for_payments=lambda context: 7 if context.scale == 3.0 else 0,
        look_for_idleness=lambda context: ("idle", context.shares), told=lambda context: ("told",),
        look_for_freedom=lambda context, zero_sum: ("free", context.scale, zero_sum),
        left_out=lambda before, after: ("left out",) if (before, after) == (every, few) else (),
    )  # fmt: skip
    test = begun_with(Circumstances(), zero_sum=True)
    assert test.begun() is few
    assert test.surely == (0 if inert else 7), "what changes nothing pays nothing"
    assert seen == [
        ("baselines", "sized, beside others", 0.0), ("effects", 3.0), ("afforded", True, not inert),
        ("narrowed", {"free": 0.25}, True, not inert),
    ]  # fmt: skip
    found, sizes = cast(Any, test.found), cast(Any, test.found.sizes)
    assert (sizes.factor, sizes.longest, sizes.mean_length, sizes.scale) == (0.5, longest or 0, 4.5, 3.0)
    assert (sizes.shares, sizes.heuristics, sizes.known_heuristics) == ({"free": 0.25}, 2, 4)
    assert (found.breakage, found.offered, found.inert, found.anchor) == ("unbroken", "offers", inert, "b")
    assert (found.idle, found.voluntary) == (("idle", {"free": 0.25}), ("free", 3.0, True))
    assert found.notes == ("one", "built", "told", "left out")


def test_rules_that_break_end_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not compile, or random play breaks them; baselines are not asked then."""
    planted(
        monkeypatch, build=lambda context: SimpleNamespace(notes=(), fault="no kernel", compiled=True),
        look_for_breakage=lambda context: SimpleNamespace(breakage="broken", broken=True),
        compare_baselines=lambda context: pytest.fail("baselines play broken rules"),
    )  # fmt: skip
    test = begun_with(Circumstances())
    assert test.begun() is None and not test.steps()
    assert test.found.breakage is not None and test.found.breakage.faults == ("no kernel",)
    planted(monkeypatch, build=lambda context: SimpleNamespace(notes=(), fault=None, compiled=True))
    assert test.begun() is None
    assert cast(Any, test.found.breakage) == "broken"


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("voluntary", [(), ("who may",)])
def test_what_having_it_is_worth_is_measured(
    monkeypatch: pytest.MonkeyPatch, several: bool, voluntary: tuple[str, ...]
) -> None:
    """Of several who play alike in a way of its own; who may always do without it loses nothing by it.

    Of a sure payment other strategies play, and its worth is theirs.
    """

    @dataclass(frozen=True)
    class Found:
        worth: str = "worth"
        handicap: str = "units"
        seat: str = "seat"
        note: str = "" if several else "few games"

    def choose(context: Any, prelude: Any, learners: Any, joins: bool) -> Any:
        assert (prelude, learners.courses) == ("prelude", "courses") and joins == (not several)
        return first

    def surely(context: Any, prelude: Any, learners: Any, given: Any, games: int, compared: Any) -> Any:
        assert (prelude, learners.courses, given, compared(given).worth) == ("prelude", "courses", first, Found(
            "alike prelude" if several else "worth").worth)  # fmt: skip
        return (chosen, compared(chosen)) if games == 5 else None

    first = chosen = SimpleNamespace(told=lambda sides: ("mixtures of", sides))
    planted(
        monkeypatch, learn=lambda context, prelude: SimpleNamespace(courses="courses"), choose=choose,
        measure_alike=lambda context, prelude, it: Found(f"alike {prelude}"), measure=lambda context, it: Found(),
        no_handicap=lambda worth: f"{worth}, free", no_units=lambda units: f"no {units}",
        payable=lambda context, worth: f"payable {worth}", measure_paid=lambda context, it: ("paid", it),
        measured_by=lambda worth, scale: f"{worth} by {scale:g}", measured_surely=surely,
    )  # fmt: skip
    test = begun_with(Circumstances(bench=SimpleNamespace(several=several)), inert=("x",) if several else (),
                   voluntary=voluntary, sides=("a", "b"))  # fmt: skip
    found_chosen, measured = test.measured(cast(Any, "prelude"))
    worth = f"payable {'alike prelude' if several else 'worth'}{', free' if voluntary else ''} by 0"
    assert found_chosen is cast(Any, chosen) and cast(Any, measured.worth) == worth
    found = cast(Any, test.found)
    assert (found.learning, found.mixtures, found.worth) == ("courses", ("mixtures of", ("a", "b")), worth)
    assert (found.handicap, found.seat) == ("no units" if voluntary else "units", "seat")
    assert found.paid == ("paid", chosen) and found.notes == (("one",) if several else ("one", "few games"))
    chosen = SimpleNamespace(told=lambda sides: ("other mixtures of", sides))
    test.surely = 5
    again, _ = test.measured(cast(Any, "prelude"))
    found = cast(Any, test.found)
    assert again is cast(Any, chosen) and found.mixtures[0] == "other mixtures of" and found.paid == ("paid", chosen)


@pytest.mark.parametrize("voluntary", [(), ("who may",)])
@pytest.mark.parametrize("compiled", [False, True])
def test_every_step_is_given_what_it_judges(
    monkeypatch: pytest.MonkeyPatch, voluntary: tuple[str, ...], compiled: bool
) -> None:
    """What is measured goes to levels, oversights and effect; what is bounded goes to the report alone."""
    plans: list[Any] = []
    solved: list[str] = []  # the use is asked of solved games where the worth is

    class Bounds(str):
        exact = compiled

    measured = SimpleNamespace(worth="measured", seat="seat")
    skill = SimpleNamespace(players="players", games=("skilled",))
    expected = SimpleNamespace(asks="asked", steps="steps", told=lambda budget, workers: (budget, workers))

    def of(name: str, *wanted: Any, gives: Any = None) -> Any:
        def step(context: Any, *given: Any) -> Any:
            assert given == wanted, name
            assert context.asks == ("asked" if compiled else "nothing"), name
            return name if gives is None else gives

        return step

    def told(context: Any, name: str, casts: list[Any]) -> tuple[Any, ...]:
        assert name == "sample"
        return tuple(casts)

    worth = "payable bounded, free" if voluntary else "payable bounded"
    planted(
        monkeypatch,
        forecast=lambda context, prelude, effect: expected if (prelude, effect) == ("prelude", False) else None,
        bound_worth=of("", "prelude", "chosen", "measured", gives="bounded"),
        no_handicap=lambda bounds: f"{bounds}, free", payable=lambda context, bounds: Bounds(f"payable {bounds}"),
        solve_use=lambda context, use: solved.append(use) or use,
        watch_use=of("use", "chosen"), read_counters=of("counters", "chosen"),
        look_for_dominance=of("", "prelude", "chosen", gives=("dominance", "variety")),
        measure_dynamics=of("", "prelude", "chosen", gives=("dynamics", "courses")),
        ask_levels=of("", "prelude", "chosen", "measured", "use", gives=("levels", skill)),
        look_for_oversights=of("", "chosen", "use", "measured", gives=("oversights", ("careless",))),
        tell_effect=of("effect", "chosen", run.Known(*cast(
            Any, ("measured", "seat", "dominance", "variety", "dynamics", "courses", skill)))),
        look_for_exploits=of("exploit", "prelude", "chosen"),
        sample_game=of("sample", "prelude", "chosen", "measured", "use"),
        casts_of=of("", "chosen", "players", gives=("cast",)), typical_games=told,
    )  # fmt: skip
    watcher = SimpleNamespace(plan=lambda *given: plans.append(given))
    test = begun_with(
        Circumstances(compiled=compiled, watcher=watcher), voluntary=voluntary, inert=("x",), budget="quick"
    )
    monkeypatch.setattr(test, "begun", lambda: "prelude")
    monkeypatch.setattr(test, "measured", lambda prelude: ("chosen", measured))
    assert test.steps()
    assert plans == ([("steps", ("quick", 3))] if compiled else [])
    assert solved == (["use"] if compiled else [])
    assert cast(Any, test.expected) is (expected if compiled else None)
    found = cast(Any, test.found)
    named = ["use", "counters", "dominance", "dynamics", "levels", "oversights", "effect", "exploit", "sample"]
    assert [getattr(found, name) for name in named] == named
    assert found.worth == worth and found.games == ("cast", "careless", "skilled")
