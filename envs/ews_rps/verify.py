"""Running worked examples of ews_rps (section 9): kinds `play`, `probability`, `table` and `config_error`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..core.abi import popcount
from ..core.errors import IllegalAction, ProbespielError, RulesetError
from ..core.game import Game, Position
from ..core.script import Script, field_problems, refusal, same
from . import odds
from . import state as st
from .params import OPTIONS, check_options
from .rules import symbols_of
from .system import SYSTEM

SIDES = {
    "player": (st.Kind.SIMPLE, 0),
    "gm": (st.Kind.SIMPLE, 1),
    "attacker": (st.Kind.CONTEST, 0),
    "defender": (st.Kind.CONTEST, 1),
}
FIELDS = {"choice": (("choice",), ("seat",)), "roll": (("roll", "dice"), ())}  # those needed, and others; else a round
STEP_FIELDS = ("expect", "illegal", "note")
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


class Test:
    """What a script may say about one test: the running one, or the one that ended last."""

    def __init__(self, position: Position, ended: bool) -> None:
        s = position.record
        prefix = "last_" if ended else ""
        self.ended = ended
        self.kind = int(s[prefix + "kind"])
        self.bonuses = [int(b) for b in s[prefix + "bonus"]]
        self.numbers = [int(s[prefix + "mine"]), int(s[prefix + "other"])]
        self.last_net, self.last_rounds = int(s[prefix + "net"]), int(s[prefix + "rounds"])
        self.last_outcome = OUTCOMES[int(s.outcome)]
        self.last_verdict, self.last_ending = int(s.last_verdict), int(s.last_ending)

    @property
    def outcome(self) -> str:
        """Result of the last round, for the acting side."""
        return self.last_outcome

    @property
    def bonus(self) -> int:
        """Bonus of the acting side."""
        return self.bonuses[0]

    @property
    def attacker_bonus(self) -> int:
        """Bonus of the acting side."""
        return self.bonuses[0]

    @property
    def defender_bonus(self) -> int:
        """Bonus of the other side."""
        return self.bonuses[1]

    @property
    def total(self) -> int:
        """Value plus bonus (R9)."""
        return self.numbers[0] + self.bonuses[0]

    attacker_total = total

    @property
    def defender_total(self) -> int:
        """Value plus bonus of the other side (R13)."""
        return self.numbers[1] + self.bonuses[1]

    @property
    def target(self) -> int:
        """Number to reach."""
        return self.numbers[1]

    @property
    def margin(self) -> int:
        """R10, R14."""
        return self.total - self.defender_total

    @property
    def net(self) -> int:
        """Wins minus losses of the streak."""
        return self.last_net

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.last_rounds

    @property
    def verdict(self) -> str | None:
        """The verdict, once there is one."""
        return st.verdict_name(self.kind, self.last_verdict) if self.ended else None

    @property
    def ended_by(self) -> str | None:
        """How it ended, once it has."""
        return st.ENDINGS[self.last_ending] if self.ended else None


READABLE = (
    "outcome", "bonus", "attacker_bonus", "defender_bonus", "total", "attacker_total", "defender_total", "target",
    "margin", "net", "rounds", "verdict", "ended_by", "ended",
)  # fmt: skip


def compare(test: Test, expect: Mapping[str, Any], where: str, more: Mapping[str, Any] | None = None) -> list[str]:
    """What of `expect` does not hold; `more` are further values that a step knows."""
    problems = []
    for key, want in expect.items():
        if more and key in more:
            have = more[key]
        elif key in READABLE:
            have = getattr(test, key)
        else:
            known = ", ".join([*READABLE, *(more or {})])
            problems.append(f"{where}: expect key {key!r} is unknown: {known}")
            continue
        if not same(have, want):
            problems.append(f"{where}: {key} is {have!r}, expected {want!r}")
    return problems


class PlayScript(Script):
    """One `play` case being played: what is said of a test is about the running one, or the one that ended last."""

    def __init__(self, case: Mapping[str, Any], compiled: bool) -> None:
        super().__init__(case, Game(SYSTEM.declare(case["setup"]), compiled))
        self.results: list[Test] = []
        if self.position.die() and self.position.record.ask_phase == st.Phase.DRAW:
            raise ProbespielError("the tests of a script must be given (test or tests), not drawn")

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """One step: taken as a whole or not at all."""
        trial = self.position.clone()
        ended = len(self.results)
        try:
            rolled = self.take(trial, step)
        except ProbespielError:
            if not step.get("illegal"):
                raise
            return
        if step.get("illegal"):
            self.problems.append(f"{where}: was accepted, but is illegal")
            return
        before = int(self.position.record.last_test)
        self.position = trial
        over = int(trial.record.last_test) != before
        test = Test(trial, over)
        if over:
            self.results.append(test)
        more = {} if rolled is None else {"result": rolled}
        self.problems += compare(test, step.get("expect") or {}, where, {**more, "ended": len(self.results) > ended})

    def take(self, position: Position, step: Mapping[str, Any]) -> int | None:
        """Enter a step at a position; the result of a roll. Raises ProbespielError for what is not possible now."""
        kind = next((name for name in FIELDS if name in step), "round")
        needed, optional = FIELDS.get(kind, ((), tuple(SIDES)))
        wrong = field_problems(step, needed, (*optional, *STEP_FIELDS))
        if wrong:
            raise IllegalAction(f"{kind}: {'; '.join(wrong)}")
        if position.over:
            raise IllegalAction("the match is over")
        if kind == "choice":
            return self.choose(position, step)
        asked = position.to_act()
        if position.phase() == "choice" and [position.legal(seat) for seat in asked] == [[st.Action.ATTEMPT]]:
            position.apply(asked[0], st.Action.ATTEMPT)  # the only answer, which a script may leave out
        if kind == "roll":
            return self.roll(position, step)
        return self.round(position, {name: step[name] for name in step if name in SIDES})

    def seat_of(self, position: Position, side: Any) -> int:
        """The seat that plays a side of the running test."""
        s = position.record
        if not isinstance(side, str) or side not in SIDES or SIDES[side][0] != s.kind:
            known = ", ".join(name for name, (kind, _) in SIDES.items() if kind == s.kind)
            raise IllegalAction(f"side {side!r} is none of this test: {known}")
        return int(s.acting) if SIDES[side][1] == 0 else 1 - int(s.acting)

    def apply(self, position: Position, seat: int, code: Any) -> None:
        """Take an action."""
        self.attempt(lambda: position.apply(seat, self.game.actions.parse(str(code))), f"{code!r}", position)

    def choose(self, position: Position, step: Mapping[str, Any]) -> None:
        """An answer before a test, by the acting side unless a side is named."""
        s = position.record
        seat = self.seat_of(position, step["seat"]) if "seat" in step else int(s.acting)
        fresh = s.rounds == 0 and s.face == 0 and s.roll_side == 0 and not s.sealed.any()
        if self.game.params.gm_uniform and s.acting == 1 == seat and fresh and step["choice"] == "attempt":
            return  # A8: the absent gm has attempted it already
        if s.ask_phase != st.Phase.CHOICE:
            raise IllegalAction("no test waits for a choice now")
        self.apply(position, seat, step["choice"])

    def round(self, position: Position, symbols: Mapping[str, Any]) -> None:
        """Both symbols of a round."""
        s = position.record
        if s.ask_phase != st.Phase.ROUND:
            raise IllegalAction(f"no round can be played now, but {st.PHASES[int(s.ask_phase)]}")
        seats = {self.seat_of(position, side): symbol for side, symbol in symbols.items()}
        if len(seats) != 2:
            raise IllegalAction(f"a round needs the symbols of both sides, not of {', '.join(symbols) or 'nobody'}")
        for seat in sorted(seats):
            if self.game.params.gm_uniform and seat == 1:
                self.fall_symbol(position, seats[seat])
            else:
                self.apply(position, seat, seats[seat])

    def fall_symbol(self, position: Position, code: Any) -> None:
        """The symbol of the absent gm, which is chance (A8)."""
        action = self.game.actions.parse(str(code))
        bits = symbols_of(position.record, self.game.params, 1)
        symbol = action if action < 3 else action - st.SYMBOL_SHIFT
        if st.Action.SCISSORS < action < st.CUSTOM or not bits >> symbol & 1:
            raise IllegalAction(f"the gm cannot show {code!r}")
        position.fall(popcount(bits & (1 << symbol) - 1))

    def roll(self, position: Position, step: Mapping[str, Any]) -> int:
        """The dice of one side, to the end of its chain (R18)."""
        s = position.record
        if s.ask_phase != st.Phase.ROLL:
            raise IllegalAction("no roll is due now")
        seat = self.seat_of(position, step["roll"])
        due = int(s.acting) if s.roll_side == 0 else 1 - int(s.acting)
        if seat != due:
            raise IllegalAction(f"it is not {step['roll']}'s roll")
        dice = step.get("dice")
        if not isinstance(dice, Sequence) or isinstance(dice, str) or not dice:
            raise IllegalAction(f"dice = {dice!r}: a list of faces")
        side, number_of_test = int(s.roll_side), int(s.last_test)
        for index, face in enumerate(dice):
            if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= 6:
                raise IllegalAction(f"dice: {face!r} is no face 1..6")
            position.fall(face - 1)
            s = position.record
            done = int(s.roll_side) != side or int(s.last_test) != number_of_test
            if done != (index == len(dice) - 1):
                raise IllegalAction(
                    f"dice = {list(dice)!r}: the chain ends {'before' if done else 'after'} the last one"
                )
        if int(s.last_test) != number_of_test:
            return int(s.last_bonus[side])
        return int(s.bonus[side])

    def end(self) -> None:
        """The final `expect`: of the single test, or `results` and the utilities of the match."""
        expect = self.case.get("expect") or {}
        returns = self.position.returns()
        seats = {"seat0": float(returns[0]), "seat1": float(returns[1])}
        rest = {}
        for key, want in expect.items():
            if key == "results":
                if len(want) != len(self.results):
                    self.problems.append(f"results: {len(self.results)} tests have ended, expected {len(want)}")
                for index, (test, wanted) in enumerate(zip(self.results, want)):
                    self.problems += compare(test, wanted, f"result {index + 1}")
            elif key in seats:
                if not same(seats[key], want):
                    self.problems.append(f"{key} is {seats[key]}, expected {want!r}")
            else:
                rest[key] = want
        if rest and self.results:
            self.problems += compare(self.results[-1], rest, "end", {"ended": True})
        elif rest:
            self.problems += compare(Test(self.position, False), rest, "end (no test has ended)")


def run_play(case: Mapping[str, Any], compiled: bool = False) -> list[str]:
    """Run a case of kind `play`; what did not match (an empty list: it passed)."""
    return PlayScript(case, compiled).run()


# --- exact odds -------------------------------------------------------------------------------------------------------


def run_probability(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `probability`: success under uniform play, or the quantity that it asks for."""
    setup = case["setup"]
    have = dict(quantities(setup, case["expect"]))
    problems = []
    for key, want in case["expect"].items():
        if key not in have:
            problems.append(f"expect key {key!r} is unknown here: {', '.join(have)}")
        elif not same(have[key], want):
            problems.append(f"{key} is {have[key]}, expected {want!r}")
    return problems


def quantities(setup: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[tuple[str, Fraction]]:
    """The exact values that a `probability` case can ask for."""
    options = check_options({**(setup.get("options") or {})})
    quantity = setup.get("quantity")
    kind, d = setup.get("kind", "simple"), setup.get("difference", 0)
    if kind not in st.KINDS:
        raise RulesetError(f"kind = {kind!r} is not allowed: {', '.join(st.KINDS)}")
    if isinstance(d, bool) or not isinstance(d, int):
        raise RulesetError(f"difference = {d!r} is not allowed: a whole number")
    if quantity == "match_value" or "seat0_value" in wanted:
        value = value_of_match(setup)
        yield "seat0_value", value
        yield "seat1_value", -value
    if quantity == "rounds" or "mean_rounds" in wanted:
        yield "mean_rounds", odds.mean_rounds(kind, d, options)
    if quantity == "bonus_moments" or "variance" in wanted:
        moments = odds.bonus_moments(kind, options)
        yield "mean", moments[0]
        yield "variance", moments[1]
    yield "rps", odds.success(kind, d, options)
    yield "pm_d6", odds.die_success(kind, d, options)
    yield "rps_draw", odds.equality(kind, d, options)
    yield "pm_d6_draw", odds.die_equality(kind, d, options)
    if "opponent" in setup:
        weights = [Fraction(w) for w in setup["opponent"]]
        if len(weights) != 3 or min(weights) < 0 or sum(weights) != 1:
            raise RulesetError(f"opponent = {setup['opponent']!r} is not allowed: three weights of sum 1")
        yield "best_response", odds.best_response(kind, d, options, weights)


def value_of_match(setup: Mapping[str, Any]) -> Fraction:
    """Seat 0's value of the match of a setup: `test`, `tests`, `preset`, or one test by `kind` and `difference`.

    Contests have acting seat 0 unless a test names another; those of a preset alternate.
    """
    known = {name: setup[name] for name in ("test", "tests", "preset", "options") if name in setup}
    given = dict(known.get("options") or {})
    if not any(name in setup for name in ("test", "tests", "preset")) and "tests" not in given:
        if "kind" not in setup:
            raise RulesetError("match_value needs test, tests, preset, or kind and difference")
        known["test"] = one_test(setup)
    options, draw = SYSTEM.resolve(known)
    if "preset" not in setup and options["tests"] is not None:
        fixed = [{"acting_seat": 0, **test} if test["kind"] == "contest" else test for test in options["tests"]]
        options = {**options, "tests": fixed}
    return odds.match_value(options, draw)


def one_test(setup: Mapping[str, Any]) -> dict[str, Any]:
    """A test by kind and difference, with further fields of the setup."""
    kind, d = setup["kind"], setup.get("difference", 0)
    names = ("value", "target") if kind == "simple" else ("attacker_value", "defender_value")
    test = {"kind": kind, names[0]: 0, names[1]: d}
    return {**test, **{name: setup[name] for name in ("acting_seat", "win_points", "loss_points") if name in setup}}


def rows_of(part: Any) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a table: a list of objects with `difference`, lists under `columns`, or an object by difference."""
    rows = part["rows"] if isinstance(part, Mapping) and "rows" in part else part
    if isinstance(rows, Mapping):
        for d, row in rows.items():
            yield int(d), row
        return
    columns = list(part.get("columns", ())) if isinstance(part, Mapping) else []
    for row in rows:
        named = row if isinstance(row, Mapping) else dict(zip(columns or ["difference", *odds.COLUMNS], row))
        key = "difference" if "difference" in named else "d"
        yield int(named[key]), {name: value for name, value in named.items() if name != key}


def run_table(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `table`: success probabilities by difference (columns as in `odds.COLUMNS`)."""
    setup = case.get("setup") or {}
    options = check_options({**(setup.get("options") or {})})
    problems = []
    count = 0
    for d, row in rows_of(case["expect"]):
        for column, want in row.items():
            if column in OPTIONS or column in ("note", "id"):
                continue
            count += 1
            have = odds.cell(column, d, options)
            if not same(have, want):
                problems.append(f"difference {d}: {column} is {have}, expected {want!r}")
    return problems if count else ["the table has no entries"]


def run_config_error(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `config_error`: building the game must fail and say why."""
    expect = case.get("expect") or {}
    mentions = expect.get("mentions", expect.get("error", case.get("mentions", [])))
    mentions = [mentions] if isinstance(mentions, str) else list(mentions)
    return refusal(lambda: SYSTEM.declare(case["setup"]), mentions)


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Runners by kind."""
    return {
        "play": lambda case: run_play(case, compiled),
        "probability": run_probability,
        "table": run_table,
        "config_error": run_config_error,
    }


__all__ = ["PlayScript", "Test", "case_runners", "run_play"]
