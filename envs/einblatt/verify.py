"""Running worked examples of einBlatt (section 9): kinds `play` and `sample`; simple arithmetic is in `creation.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.errors import ProbespielError
from ..core.script import field_problems, refusal
from . import creation
from .scripts import TableScript, omissible
from .state import CARD_CODES
from .system import SYSTEM

DECISION = ("seat", "phase", "action"), ("forced", "illegal", "expect", "note")  # fields needed, and others
CHANCES = ("reshuffle", "wrath", "initiative")
CHANCE = ("chance", "order"), ("deck", "pile", "expect", "note")


class PlayScript(TableScript):
    """One `play` case being played: decisions that the script leaves out are answered in between."""

    def run(self) -> list[str]:
        """Play the script and return what did not match."""
        for number, step in enumerate(self.steps, 1):
            if not step.get("illegal"):
                fields = field_problems(step, *(CHANCE if "chance" in step else DECISION))
                self.problems += [f"step {number}: {text}" for text in fields]
                if "chance" in step and not fields:
                    self.problems += [f"step {number}: {text}" for text in self.chance_problems(step)]
        if not self.problems:
            self.throw()
        while not self.problems:
            self._pass_chance()
            if self.position.over:
                break
            seats = self.position.to_act()
            phase = self.position.phase()
            if phase == "sort":
                self._bring_forward(seats[0])
            step = self.steps[self.cursor] if self.cursor < len(self.steps) else None
            if step is not None and step.get("illegal") and self._illegal_here(step, seats, phase):
                self.cursor += 1
                self.must_refuse(step, phase)
                self.check(step.get("expect"), f"step {self.cursor}")
            elif step is not None and not step.get("illegal") and self._addresses(step, seats, phase):
                self.cursor += 1
                where = f"step {self.cursor}"
                self.take(self.seat(step["seat"]), step["action"], where)
                if not self.problems:
                    self.compare_later(step.get("expect"), where)
            elif step is not None and omissible(step) and phase not in self.auto and self._fits(seats, phase):
                self.cursor += 1  # nobody needs to be asked what has one answer
                self.check(step.get("expect"), f"step {self.cursor}")
            else:
                self.answer_unaddressed(seats[0], phase, step)
        if not self.problems and self.cursor < len(self.steps):
            left = [x for x in self.steps[self.cursor :] if not ("chance" in x or x.get("illegal") or omissible(x))]
            if left:
                self.problems.append(f"the game is over, but the script goes on: {left[0]}")
        if not self.problems:
            self.end()
        return self.problems

    def chance_problems(self, step: Mapping[str, Any]) -> list[str]:
        """What is wrong with the words of a chance step; nothing if it can be understood."""
        kind, order = step["chance"], step["order"]
        names = self.names if kind == "initiative" else CARD_CODES
        out = [] if kind in CHANCES else [f"chance {kind!r}: {', '.join(CHANCES)}"]
        if not isinstance(order, list) or not all(name in names for name in order):
            out.append(f"order = {order!r} is not allowed: a list of {'seats' if kind == 'initiative' else 'cards'}")
        decks = (*self.names, "wrath", "initiative")
        if step.get("deck", "wrath") not in decks:
            out.append(f"deck = {step['deck']!r} is not allowed: {', '.join(decks)}")
        if step.get("pile", "A") not in ("A", "B"):
            out.append(f"pile = {step['pile']!r} is not allowed: A, B")
        return out

    def _bring_forward(self, seat: int) -> None:
        """Sorting goes card by card for each owner; in which order the owners are asked is left open by the rules."""
        for at in range(self.cursor, len(self.steps)):
            step = self.steps[at]
            if step.get("phase") != "sort":
                return
            if self.seat(step["seat"]) == seat:
                self.steps.insert(self.cursor, self.steps.pop(at))
                return

    def compare_later(self, expect: Mapping[str, Any] | None, where: str) -> None:
        """Compare now; if that fails, after the decisions without alternative that the script leaves out."""
        self.check(expect, where)
        problems = list(self.problems)
        while self.problems and self._leave_out():
            self.check(expect, where)
        if self.problems:
            self.problems[:] = problems

    def _leave_out(self) -> bool:
        """Take a decision without alternative that the script leaves out, and forget what did not match before it."""
        if self.position.over or not self.position.to_act():
            return False
        seat, phase = self.position.to_act()[0], self.position.phase()
        following = next((step for step in self.steps[self.cursor :] if "chance" not in step), None)
        listed = following is not None and self._addresses(following, [seat], phase)
        if listed or len(self.position.legal(seat)) > 1:
            return False
        self.problems.clear()
        self.answer_unaddressed(seat, phase, following)
        return not self.problems

    def _addresses(self, step: Mapping[str, Any], seats: list[int], phase: str) -> bool:
        return step["phase"] == phase and self.seat(step["seat"]) in seats

    def _fits(self, seats: list[int], phase: str) -> bool:
        """Whether the next step that demands a decision addresses the question."""
        for step in self.steps[self.cursor :]:
            if "chance" not in step and not step.get("illegal"):
                if self._addresses(step, seats, phase):
                    return True
                if not omissible(step):
                    return False
        return False

    def _illegal_here(self, step: Mapping[str, Any], seats: list[int], phase: str) -> bool:
        """Whether this is the point that an illegal step means: no question that the script leaves out lies before."""
        named = step["seat"] in self.names and self._addresses(step, seats, phase)
        return named or self._fits(seats, phase) or self._unaddressed(seats[0], phase) is None

    def _pass_chance(self) -> None:
        """Chance steps at the cursor: a shuffle that has happened takes its order, others wait for the next one."""
        while self.cursor < len(self.steps) and "chance" in self.steps[self.cursor]:
            step = self.steps[self.cursor]
            if step["chance"] in ("reshuffle", "wrath"):
                before = len(self.steps)
                self.pile(self._deck_of(step), {"A": 0, "B": 1}[step.get("pile", "A")])
                if len(self.steps) < before:
                    continue
            self.waiting.append(self.steps.pop(self.cursor))
        for step in self.due:
            self.check(step["expect"], f"chance {step['chance']}")
        self.due.clear()

    def take(self, seat: int, text: str, where: str) -> None:
        """Take an action of the script, then throw the dice that follow."""
        try:
            self.position.apply(seat, self.parse(text))
        except ProbespielError as error:
            self.problems.append(f"{where}: {error}")
            return
        self._note()
        self.throw()

    def _unaddressed(self, seat: int, phase: str) -> str | None:
        """The answer to a decision that the script does not address: forced, by `auto`, or `done`; None: none fits."""
        legal = self.position.legal(seat)
        text = self.game.actions.codes[legal[0]] if len(legal) == 1 else self.auto.get(phase, "done")
        if phase == "sort" and phase not in self.auto and self.cursor >= len(self.steps):
            text = "pile:A"  # after the last step nothing will be drawn any more
        return text if self.parse(text) in legal else None

    def answer_unaddressed(self, seat: int, phase: str, step: Mapping[str, Any] | None) -> None:
        """Answer a decision that the script does not address."""
        text = self._unaddressed(seat, phase)
        if text is None:
            wants = f"the script wants {step}" if step is not None else "the script is at its end"
            shown = ", ".join(self.game.actions.codes[a] for a in self.position.legal(seat))
            self.problems.append(
                f"seat {self.names[seat]} is asked in phase {phase} (legal: {shown}), "
                f"and {self.auto.get(phase, 'done')!r} does not answer; {wants}"
            )
            return
        self.take(seat, text, f"unaddressed {phase} of {self.names[seat]}")

    def must_refuse(self, step: Mapping[str, Any], phase: str) -> None:
        """The action must be refused, if only because nobody asks for it, and nothing may change."""
        if step["phase"] != phase or field_problems(step, *DECISION):
            return
        where, action = f"step {self.cursor}", step["action"]
        if not self.refused(lambda: self.position.apply(self.seat(step["seat"]), self.parse(action)), where):
            self.problems.append(f"{where}: {action} was accepted, but is illegal")


def run_play(case: Mapping[str, Any], compiled: bool = False) -> list[str]:
    """Run a case of kind `play`; what did not match (an empty list: it passed)."""
    error = (case.get("expect") or {}).get("error")
    if error is None:
        return PlayScript(case, compiled).run()
    mentions = [error] if isinstance(error, str) else error
    return refusal(lambda: SYSTEM.spec_of_setup(case["setup"]), mentions)


def run_sample(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `sample`: uniform random play of a preset, means within a tolerance (E13)."""
    from ..core.batch import Batch
    from ..core.registry import make_game

    setup, expect = case["setup"], case["expect"]
    preset = setup.get("preset", "tug_of_war")
    config = {**(setup.get("config") or {}), "payoff": "ep"}
    if "leaders" in setup:
        config["leaders"] = setup["leaders"] or {}
    level = "einblatt-melee" if preset in ("tug_of_war", "free_for_all") else "einblatt-duel"
    game = make_game(level, preset, **config)
    n = int(next((setup[k] for k in ("games", "n", "samples") if k in setup), 20000))
    tables = min(n, 1000)
    played = Batch(game, tables, int(setup.get("seed", 1))).play_random(-(-n // tables))
    mean = dict(zip([s.name for s in game.seats], played.mean_payoff.tolist(), strict=True))
    teams: dict[str, float] = {}
    for seat in game.seats:
        teams[seat.side] = teams.get(seat.side, 0.0) + mean[seat.name]
    tolerance = expect.get("tolerance", setup.get("tolerance", case.get("tolerance", 0.1)))
    problems = []

    def close(name: str, have: float, want: Any) -> None:
        bound = float(tolerance.get(name, 0.1)) if isinstance(tolerance, Mapping) else float(tolerance)
        if abs(have - float(want)) > bound:
            problems.append(f"{name} is {have:.4f}, expected {want} within {bound}")

    for key, want in expect.items():
        if key == "tolerance":
            continue
        if key in ("ep", "mean_ep"):
            for name, value in want.items():
                close(name, mean[name], value)
        elif isinstance(want, Mapping):
            for name, value in want.items():
                close(name, teams[name] if name in teams else mean[name], value)
        else:
            close(key, teams[game.sides[0][0]], want)
    return problems


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Runners of the kinds that need nothing beyond the rules."""
    runners: dict[str, Callable[[dict[str, Any]], list[str]]] = dict.fromkeys(creation.KINDS, creation.run_case)
    runners["play"] = lambda case: run_play(case, compiled)
    runners["sample"] = run_sample
    return runners
