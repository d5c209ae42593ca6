"""Findings of the stress lab drawn at random, and what reports say of them: `python -m tests.drawn_findings` writes it.

Every field is drawn by its type and name, near the bounds at which words change, so that each sentence comes about in
some of them. Kept in tests/golden/findings.json are hashes of what is said: of verdicts, next steps, the answer to
every question, the lines of a terminal in both languages, comparisons of reports and combinations. They do not tell
what is right, which cases by hand do (tests/test_stress_*.py, tests/test_sentences.py); they notice what changes. A
change on purpose is written anew, and the rows that changed are read.
"""

from __future__ import annotations

import dataclasses
import json
import random
import types
from dataclasses import replace
from pathlib import Path
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from probespiel.envs.core.errors import ProbespielError
from probespiel.evaluation.stress import words
from probespiel.evaluation.stress.advice import next_for_game, next_for_holder
from probespiel.evaluation.stress.budget import BUDGETS
from probespiel.evaluation.stress.compare import compare
from probespiel.evaluation.stress.compare_report import comparison_lines
from probespiel.evaluation.stress.findings import (
    Choice,
    Effect,
    Fault,
    Figure,
    Findings,
    Interval,
    Restricted,
    Sample,
    SideWorth,
    SolvedUse,
    Stake,
    Use,
    UseWorth,
    Ways,
    Worth,
    WorthRow,
)
from probespiel.evaluation.stress.game_verdict import DIRECTIONS, game_verdict_of
from probespiel.evaluation.stress.game_words import OVERSIGHTS
from probespiel.evaluation.stress.verdict import level_of, use_of, verdict_of
from tests.playthroughs import Hashes

FILE = Path(__file__).parent / "golden" / "findings.json"
ROWS, OF_A_ROW = 20, 25
VALUES = (0.0, 0.0, 0.01, 0.02, 0.03, 0.05, 0.06, 0.08, 0.15, 0.2, 0.4, 0.5, 0.8, 1.2)
HALVES = (0.0, 0.004, 0.01, 0.03, 0.1, 0.4)
SHARES = (0.0, 0.01, 0.04, 0.1, 0.3, 0.5, 0.6, 0.89, 0.91, 0.94, 0.96, 1.0)
ERRORS = (0.0, 0.003, 0.01, 0.03, 0.1)
COUNTS = (0, 1, 2, 3, 5, 19, 20, 30, 99, 100, 500, 5000)
OF_SHARES = (
    "share", "rate", "use_rate", "score", "score_with", "score_without", "with_it", "without_it", "chance", "used",
    "better", "worse", "effect", "dominated_share", "draws", "unresolved", "nash", "nash_mean",
)  # fmt: skip
TEXTS = {
    "game": ("kuhn",), "module": ("rule.py",), "scenario": ("", "standard"), "budget": tuple(BUDGETS),
    "payoff_unit": ("", "EP"), "phase": ("school", "field"), "action": ("fire", "water", "air"), "side": ("A", "B"),
    "instead": ("pass",), "where": ("nobody", "everybody", "A", "A, mirrored", "B, -2 for A"), "who": ("Ada", "Bo"),
    "kind": ("loop", "stuck", "unbounded", "crash"), "text": ("it goes on for ever", "a number is too large"),
    "strategy": ("learned 1 of 2", "pure: fire"), "name": ("counter", "learned 1", "heuristic: bold"),
    "largest": tuple(BUDGETS), "use": tuple(OVERSIGHTS), "hook": ("on_win",), "version": ("1",),
    "condition": ("nobody", "everybody"),
}  # fmt: skip


class Drawing:
    """Records drawn by a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def some(self, chance: float) -> bool:
        return self.rng.random() < chance

    def interval(self, kind: type[Interval]) -> Any:
        value = self.rng.choice(VALUES) * self.rng.choice((-1, 1))
        half = self.rng.choice(HALVES)
        more = {"games": self.rng.choice(COUNTS)} if kind is Sample else {}
        return kind(value, value - half, value + self.rng.choice((half, half, 2 * half)), **more)

    def number(self, name: str) -> float:
        if "error" in name:
            return self.rng.choice(ERRORS)
        if name in OF_SHARES:
            return self.rng.choice(SHARES)
        if name in ("deviation", "scale", "counts", "factor", "reach", "times"):
            return self.rng.choice((0.05, 0.3, 1.0, 2.0))
        return self.rng.choice(VALUES) * self.rng.choice((-1, 1))

    def value(self, kind: Any, name: str, sides: tuple[str, ...]) -> Any:
        """A value of a type, which is that of a field of this name."""
        if get_origin(kind) in (Union, types.UnionType):
            kinds = [k for k in get_args(kind) if k is not type(None)]
            return None if self.some(0.2) else self.value(kinds[0], name, sides)
        if get_origin(kind) is tuple:
            of = get_args(kind)
            if of[-1] is Ellipsis:
                return tuple(self.value(of[0], name, sides) for _ in range(self.rng.choice((0, 1, 1, 2, 3))))
            return tuple(self.value(k, name, sides) for k in of)
        if get_origin(kind) is dict:
            of = get_args(kind)[1]
            return {} if of in (Any, str) or self.some(0.3) else {side: self.value(of, name, sides) for side in sides}
        if kind in (Interval, Sample):
            return self.interval(kind)
        if dataclasses.is_dataclass(kind):
            return self.record(cast(type, kind), sides)
        if kind is bool:
            return self.some(0.3)
        if kind is int:
            return self.rng.choice(COUNTS)
        if kind is float:
            return self.number(name)
        return self.rng.choice(sides if name == "side" else TEXTS.get(name, ("",))) if kind is str else {}

    def record(self, kind: type, whose: tuple[str, ...], **given: Any) -> Any:
        """Fields are drawn each by its name, so that a new one leaves the others as they were."""
        hints, outer, start = get_type_hints(kind), self.rng, self.rng.random()
        made = dict(given)
        for field in dataclasses.fields(kind):
            if field.name not in given:
                self.rng = random.Random(f"{start} {field.name}")
                made[field.name] = self.value(hints[field.name], field.name, whose)
        self.rng = outer
        return kind(**made)

    def worth(self, sides: tuple[str, ...]) -> Worth:
        rows = []
        for side in sides:
            row = self.record(WorthRow, sides, amount=0, worth=self.interval(Sample), odds=self.interval(Interval))
            rows.append(SideWorth(side, (row,), (row.worth.value,), self.interval(Sample) if self.some(0.5) else None))
        made = self.record(Worth, sides, sides=tuple(rows), alike=len(sides) > 2 and self.some(0.7))
        if made.bounds is not None:
            made = replace(made, bounds=replace(made.bounds, sides=tuple(self.interval(Interval) for _ in sides)))
        return replace(made, bounds=None, reach=None) if made.exact else made

    def effect(self) -> Effect:
        names = sorted(DIRECTIONS)
        self.rng.shuffle(names)
        figures = []
        for name in names[: self.rng.randrange(len(names) + 1)]:
            before, after = (self.interval(Interval) for _ in range(2))
            if self.some(0.3):
                before, after = (replace(x, value=abs(x.value), low=0.0, high=0.9) for x in (before, after))
            direct = tuple(self.interval(Interval) for _ in range(2)) if self.some(0.6) else ()
            counts = self.rng.choice((0.01, 0.05, 0.2))
            figures.append(Figure(name, before, after, self.interval(Interval), counts, 100, direct))
        return Effect(tuple(figures), dict.fromkeys(names[len(figures) :][:2], "it was left out"), 0.0)

    def use(self, sides: tuple[str, ...]) -> Use:
        """A use that was offered and tried, of which something is known for every side."""
        solved = {side: self.record(SolvedUse, sides, never=0.0, always=0.0) for side in sides}
        costs = self.rng.choice((("never",), ("always",), ("never", "always"), ()))
        solved = {
            side: replace(one, **dict.fromkeys(costs, self.rng.choice((0.02, 0.5)))) for side, one in solved.items()
        }
        restricted = {side: self.record(Restricted, sides) for side in sides}
        if self.some(0.6):
            free, dear = Sample(0.0, -0.001, 0.001, 500), Sample(0.3, 0.2, 0.4, 500)
            never, always = self.rng.choice(((free, dear), (dear, free), (dear, dear), (free, free)))
            restricted = {side: replace(row, never=never, always=always) for side, row in restricted.items()}
        tried = self.record(UseWorth, sides, count=self.rng.choice((50, 500)), games=200)
        if self.some(0.5):
            gain = self.rng.choice((-0.2, -0.02, 0.0, 0.02, 0.2))
            tried = replace(tried, gain=gain, error=self.rng.choice((0.002, 0.03)), leaves=tried.leaves[:1])
        uses = self.rng.choice((0, 1, 30, 200))
        return self.record(
            Use, sides, actions=self.rng.choice((1, 2)), games=500, opportunities=400, uses=uses, rate=uses / 400,
            games_with_offer=self.rng.choice((300, 500)), forced=0, worth=tried, restricted=restricted,
            solved=solved if self.some(0.3) else {}, choices=(), stakes=(),
        )  # fmt: skip

    def questions(self, sides: tuple[str, ...]) -> Use:
        """A use that consists of answers, which nobody can decline, or that can be made in several ways."""
        spread = self.rng.choice((0.5, 1.2, 3.0))
        stake = Stake("school", 100, spread, self.rng.choice((0.01, 0.1)))
        if self.some(0.4):
            stake = replace(stake, played=self.rng.uniform(0, spread / 2), played_error=0.02)
        answers = tuple(
            Choice(
                "school", f"answer {i}", 50, self.rng.choice((0.2, 0.5, 0.5, 0.95)), self.rng.uniform(-0.3, 0.4), error
            )
            for i, error in enumerate(self.rng.choices((0.005, 0.03, 0.1), k=self.rng.choice((2, 2, 3, 5))))
        )
        if self.some(0.6):
            return replace(Use(2, forced=100, stakes=(stake,), choices=answers), restricted=self.use(sides).restricted)
        ways = Ways(self.rng.choice((0.01, 0.3)), stake, answers)
        return replace(self.use(sides), ways=(ways,))

    def findings(self) -> Findings:
        """All that a test may have found, verdicts included."""
        sides = self.rng.choice((("A", "B"), ("A", "B"), ("A", "B"), ("A",), ("A", "B", "C")))
        faults = tuple(self.record(Fault, sides) for _ in range(self.rng.choice((0,) * 16 + (1, 3))))
        made: Findings = self.record(
            Findings, sides, sides=sides, unit=("card", "cards"), worth=self.worth(sides) if self.some(0.95) else None,
            effect=self.effect() if self.some(0.9) else None, verdict=None, game_verdict=None, params={}, notes=(),
            options={}, also={}, ranges={"cost": (0, 3)} if self.some(0.5) else {}, whole_table=self.some(0.1),
            inert=500 if self.some(0.15) else 0, idle=500 if self.some(0.2) else 0, handicap=None,
            voluntary=500 if self.some(0.1) else 0, offered=self.rng.choice((True, True, True, None, False)),
            hooks=("on_win",) if self.some(0.5) else (), whole=(), seats=self.rng.choice((1, 1, 2)),
            questions={"school": "Which school?"} if self.some(0.5) else {}, german={}, glossary={}, mixtures=None,
        )  # fmt: skip
        if made.breakage is not None:
            made = replace(made, breakage=replace(made.breakage, faults=faults))
        if made.seat is not None and len(sides) != 2:
            made = replace(made, seat=None if len(sides) == 1 else replace(made.seat, side=None))
        if made.use is not None and self.some(0.7):
            made = replace(made, use=self.use(sides) if self.some(0.7) else self.questions(sides))
        made = replace(made, verdict=verdict_of(made), game_verdict=game_verdict_of(made))
        assert made.verdict is not None and made.game_verdict is not None
        holder = next_for_holder(made, made.verdict.word)
        return replace(
            made,
            verdict=replace(made.verdict, next=holder),
            game_verdict=replace(made.game_verdict, next=next_for_game(made, made.game_verdict.word)),
        )


def compared(first: Findings, second: Findings) -> list[Any]:
    """What is said of two reports beside each other; the refusal, where one cannot be compared."""
    try:
        both = compare([("first", first), ("second", second)])
    except ProbespielError as error:
        return [str(error)]
    return [comparison_lines(both, lang) for lang in ("en", "de")]


def hashes_of(row: int) -> dict[str, str]:
    """What is said of the findings of a row."""
    hashes, before = Hashes(), None
    for number in range(row * OF_A_ROW, (row + 1) * OF_A_ROW):
        found = Drawing(number).findings()
        verdict, game = found.verdict, found.game_verdict
        assert verdict is not None and game is not None
        hashes.add("verdict", dataclasses.astuple(verdict))
        hashes.add("game verdict", dataclasses.astuple(game))
        if found.worth is not None:
            hashes.add("kinds", level_of(found.worth), use_of(found, found.worth))
        for question, told in words.answers(found).items():
            hashes.add(question, told)
        for lang in ("en", "de"):
            hashes.add(f"lines {lang}", words.summary_lines(found, lang))
        if before is not None:
            hashes.add("compared", *compared(before, found))
        assert Findings.from_json(json.loads(json.dumps(found.to_json()))).to_json() == found.to_json()
        before = found
    return hashes.told()


def written() -> str:
    """The file as it would be written now."""
    lines = [f"{json.dumps(str(row))}: {json.dumps(hashes_of(row))}" for row in range(ROWS)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
