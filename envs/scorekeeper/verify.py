"""Worked examples of Scorekeeper (section 9): scripts with given dice, plain functions, refused setups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..core.errors import UnparsableAction
from ..core.game import Game, Position
from ..core.script import Mismatch, Script, answer, field_problems, refusal, same
from . import formulas
from . import state as st
from .services import wound_penalty
from .system import SYSTEM
from .text import stage_code, status_code

_COUNTERS = {"kr", "lw", "sw", "tw", "fate", "bleeding", "loaded", "reserve", "ko_until", "death_rolls"}
_COUNTS = {"counters", "parries"}
_FLAGS = {"jammed", "broken", "acted", "full_defence", "saves_lost", "action_lost", "forfeited", "skip_next"}
_WINNERS = (None, "a", "b", "draw")
_STEPS = {  # fields of each kind of step: those needed, and those that may stand
    "check": (("check",), ()),
    "roll": (("roll", "who", "dice"), ("target", "of")),
    "tie": (("tie",), ()),
    "pick": (("pick",), ()),
    "lot": (("lot", "die"), ("who", "of")),
    "decide": (("decide",), ("action", "reject", "phase", "legal", "legal_has", "legal_not", "count")),
}


class View:
    """A position in the words of section 9."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.texts: Any = game.spec.texts
        self.names: list[str] = [fighter["name"] for fighter in self.texts.fighters]

    def fighter(self, name: Any) -> int:
        """Number of a fighter."""
        if name not in self.names:
            raise Mismatch(f"fighter {name!r} is unknown: {', '.join(self.names)}")
        return self.names.index(name)

    def declared(self, s: Any, f: int) -> str | None:
        """The declaration as a code with names, None until it is made."""
        what, target, zone = int(s.declared[f]), int(s.d_target[f]), int(s.d_zone[f])
        if what in (st.Declared.NOT_YET, st.Declared.NONE_POSSIBLE):
            return None
        if what == st.Declared.OWN:
            return self.game.actions.codes[zone]
        word = st.DECLARED[what]
        if what == st.Declared.AID:
            return f"{word}:{self.names[target]}"
        return word if what not in st.ATTACKS else f"{word}:{self.names[target]}:{st.ZONE_CODES[zone]}"

    def field(self, s: Any, f: int, name: str) -> Any:
        """A value of a fighter."""
        p = self.game.params
        if name in _COUNTERS or name in _COUNTS:
            return int(getattr(s, name)[f])
        if name in _FLAGS:
            return bool(getattr(s, name)[f])
        if name == "status":
            return st.STATUSES[status_code(s, f)]
        if name == "position":
            return int(s.pos[f])
        if name == "reaction":
            return int(s.reaction[f]) if s.rolled[f] else None
        if name == "declared":
            return self.declared(s, f)
        if name == "penalty":
            return int(wound_penalty(s, p, f)) if p.penalty_rolls >> st.Roll.ATTACK & 1 else 0
        known = sorted(_COUNTERS | _COUNTS | _FLAGS | {"status", "position", "reaction", "declared", "penalty"})
        raise Mismatch(f"fighter field {name!r} is unknown: {', '.join(known)}")

    def order(self, s: Any) -> list[str]:
        """Names in acting order; empty until the ties are drawn."""
        if s.pc <= st.Station.TIES:
            return []
        return [self.names[f] for f in s.order[: int(s.n_order)]]

    def legal(self, position: Position) -> list[str]:
        """Legal actions of the fighter who is asked, with names."""
        seat = position.to_act()[0]
        return [self.texts.code(position, seat, action) for action in position.legal(seat)]

    def request(self, position: Position) -> dict[str, Any] | None:
        """What the engine asks for next: roll/who/target/of, tie, pick, or decide/phase/legal; None at the end."""
        s = position.record
        if position.over:
            return None
        if position.die():
            if s.die_kind == st.Die.ROLL:
                out = {"roll": st.ROLLS[s.roll_kind], "who": self.names[s.roll_owner]}
                out["of"] = f"{int(s.roll_left)}d{int(s.roll_faces)}"
                if st.ROLLS[s.roll_kind] not in ("reaction", "zone", "damage", "duration"):
                    out["target"] = int(s.roll_value)
                return out
            if s.die_kind == st.Die.TIE:
                return {"tie": [self.names[f] for f in s.order[int(s.tie_at) : int(s.tie_end)]]}
            if s.die_kind == st.Die.PICK:
                return {"pick": [self.names[f] for f in self.mates(s)]}
            return {"lot": int(s.die_what), "who": self.names[s.die_fighter], "of": f"1d{int(s.die_faces)}"}
        return {
            "decide": self.names[int(s.ask_fighter)],
            "phase": position.phase(),
            "legal": sorted(self.legal(position)),
        }

    def mates(self, s: Any) -> list[int]:
        """Living team mates of the attacker, in setup order."""
        allies = self.game.params.ally[int(s.x_attacker)][1:]
        return [int(a) for a in allies if a >= 0 and not s.dead[a]]


class FightScript(Script):
    """One case of kind `script` while it runs."""

    def __init__(self, case: Mapping[str, Any], compiled: bool) -> None:
        super().__init__(case, Game(SYSTEM.spec_of_setup(case["setup"]), compiled))
        self.view = View(self.game)

    def asked(self) -> dict[str, Any]:
        """The pending request; raises Mismatch when the fight is over."""
        request = self.view.request(self.position)
        if request is None:
            raise Mismatch("the fight is over, nothing more is asked")
        return request

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """A roll, a decision, or a look at the position; a field that its kind does not take is refused."""
        kind = next((name for name in _STEPS if name in step), None)
        if kind is None:
            raise Mismatch(f"no step of a known kind: {dict(step)!r}; known: {', '.join(_STEPS)}")
        needed, optional = _STEPS[kind]
        wrong = field_problems(step, needed, (*optional, "note"))
        if "action" in step and "reject" in step:
            wrong.append("action and reject exclude each other")
        if wrong:
            raise Mismatch(f"{kind}: {'; '.join(wrong)}")
        if kind == "check":
            self.check(step["check"], where)
        elif kind == "roll":
            self.roll(step)
        elif kind == "tie":
            self.tie(step["tie"])
        elif kind == "pick":
            self.pick(step["pick"])
        elif kind == "lot":
            self.lot(step)
        else:
            self.decide(step, where)

    def roll(self, step: Mapping[str, Any]) -> None:
        """A roll with given dice."""
        request = self.asked()
        for key in ("roll", "who", "target", "of"):
            if key in step and step[key] != request.get(key):
                raise Mismatch(f"the script gives {dict(step)!r}, the rules ask for {request!r}")
        dice = step["dice"]
        count, faces = (int(part) for part in request["of"].split("d"))
        if not isinstance(dice, Sequence) or len(dice) != count:
            raise Mismatch(f"dice = {dice!r}, the rules ask for {request['of']}")
        for die in dice:
            if isinstance(die, bool) or not isinstance(die, int) or not 1 <= die <= faces:
                raise Mismatch(f"die {die!r} is none of 1..{faces}")
        for die in dice:
            self.position.fall(die - 1)

    def tie(self, names: Sequence[str]) -> None:
        """The drawn order of a tied group, first to act first."""
        request = self.asked()
        if "tie" not in request or sorted(request["tie"]) != sorted(names):
            raise Mismatch(f"the script draws the order {names!r}, the rules ask for {request!r}")
        left = list(request["tie"])
        for name in names[:-1]:
            self.position.fall(left.index(name))
            left.remove(name)

    def pick(self, name: str) -> None:
        """The ally hit by a stray shot."""
        request = self.asked()
        if name not in request.get("pick", ()):
            raise Mismatch(f"the script picks {name!r}, the rules ask for {request!r}")
        self.position.fall(request["pick"].index(name))

    def lot(self, step: Mapping[str, Any]) -> None:
        """A die of a rule module: {"lot": number, "die": 1..faces}."""
        request = self.asked()
        if request.get("lot") != step["lot"]:
            raise Mismatch(f"the script gives {dict(step)!r}, the rules ask for {request!r}")
        self.position.fall(int(step["die"]) - 1)

    def decide(self, step: Mapping[str, Any], where: str) -> None:
        """A decision, or an action that must be refused."""
        request = self.asked()
        for key in ("decide", "phase"):
            if key in step and step[key] != request.get(key):
                raise Mismatch(f"the script gives {dict(step)!r}, the rules ask for {request!r}")
        legal = set(request["legal"])
        if "legal" in step and set(step["legal"]) != legal:
            self.problems.append(f"{where}: legal is {sorted(legal)}, expected {sorted(step['legal'])}")
        if missing := set(step.get("legal_has", ())) - legal:
            self.problems.append(f"{where}: {', '.join(sorted(missing))} should be legal")
        if wrong := set(step.get("legal_not", ())) & legal:
            self.problems.append(f"{where}: {', '.join(sorted(wrong))} should not be legal")
        if "count" in step and step["count"] != len(legal):
            self.problems.append(f"{where}: {len(legal)} actions are legal, expected {step['count']}")
        if "reject" in step:
            self.reject(step["reject"], where)
        if "action" in step:
            self.position.apply(self.position.to_act()[0], self.find(step["action"]))

    def find(self, text: str) -> int:
        """Id of an action of the fighter who is asked; -1 for a name that he cannot mean."""
        who = int(self.position.record.ask_fighter)
        found = self.view.texts.names.find(who, str(text), self.game.actions)
        if found < 0:
            raise UnparsableAction(f"{self.view.names[who]} can mean nobody by {text!r}")
        return found

    def reject(self, text: str, where: str) -> None:
        """The action must be refused and nothing may change."""
        if not self.refused(lambda: self.position.apply(self.position.to_act()[0], self.find(text)), where):
            raise Mismatch(f"{text!r} was accepted, but must be refused")

    # --- expectations ---

    def check_fighters(self, want: Mapping[str, Any], where: str) -> None:
        """Fields of fighters."""
        for name, fields in want.items():
            f = self.view.fighter(name)
            for field, value in fields.items():
                self.compare(f"{where}: {field} of {name}", self.view.field(self.position.record, f, field), value)

    def check_payoff(self, want: Mapping[str, Any], where: str) -> None:
        """Payoffs by fighter."""
        returns, p = self.position.returns(), self.game.params
        for name, value in want.items():
            have = float(returns[int(p.seat_of[self.view.fighter(name)])])
            self.compare(f"{where}: payoff of {name}", have, value)

    def check_next(self, want: Mapping[str, Any] | None, where: str) -> None:
        """The pending request."""
        request = self.view.request(self.position)
        if want is None or request is None:
            self.compare(f"{where}: next", request, want)
            return
        for key, value in want.items():
            have = request.get(key)
            if key == "legal":
                have, value = sorted(have or ()), sorted(value)
            self.compare(f"{where}: next {key}", have, value)

    def see_round(self, want: Any) -> int:
        """Round, from 1."""
        return int(self.position.record.round_no)

    def see_phase(self, want: Any) -> str:
        """Stage of the round."""
        return st.STAGES[stage_code(self.position.record)]

    def see_over(self, want: Any) -> bool:
        """Whether the fight is over."""
        return self.position.over

    def see_winner(self, want: Any) -> str | None:
        """Team a or b, draw, or null."""
        return _WINNERS[int(self.position.record.result)]

    def see_order(self, want: Any) -> list[str]:
        """Names in acting order."""
        return self.view.order(self.position.record)


def run_script(case: Mapping[str, Any], compiled: bool = False) -> list[str]:
    """Run a case of kind `script`; what did not match (an empty list: it passed)."""
    return FightScript(case, compiled).run()


# --- plain functions and refused setups -------------------------------------------------------------------------------


CALCULATIONS: dict[str, Callable[..., Any]] = {
    "success_probability": formulas.success_probability,
    "hit_zone": formulas.hit_zone,
    "aim_penalty": formulas.aim_penalty,
    "damage": formulas.damage,
    "damage_class": formulas.damage_class,
    "capacities": formulas.capacities,
    "half_target": formulas.half_target,
    "death_survival": formulas.death_survival,
    "heal": formulas.heal,
    "infection": formulas.infection,
    "within_action_radius": formulas.within_action_radius,
}


def calculate(name: str, args: Mapping[str, Any]) -> Any:
    """One function of kind `calc`; raises ProbespielError for an unknown one or arguments that it does not take."""
    return answer(name, CALCULATIONS, args)


def run_calc(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `calc`."""
    problems = []
    for number, step in enumerate(case["steps"], 1):
        if wrong := field_problems(step, ("fn", "expect"), ("args", "note")):
            return [f"step {number}: {'; '.join(wrong)}"]
        have = calculate(step["fn"], step.get("args") or {})
        if not same(have, step["expect"]):
            problems.append(f"step {number}: {step['fn']}({step.get('args')}) is {have!s}, expected {step['expect']!r}")
    return problems


def run_config_error(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `config_error`: every setup must be refused with a text that holds every mention."""
    problems = []
    for number, step in enumerate(case["steps"], 1):
        if wrong := field_problems(step, ("setup", "mentions"), ("note",)):
            return [f"step {number}: {'; '.join(wrong)}"]
        found = refusal(partial(SYSTEM.spec_of_setup, step["setup"]), step["mentions"])
        problems += [f"step {number}: {text}" for text in found]
    return problems


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Runners of the kinds that need nothing beyond the rules."""
    return {
        "script": lambda case: run_script(case, compiled),
        "calc": run_calc,
        "config_error": run_config_error,
    }


__all__ = ["FightScript", "View", "calculate", "case_runners", "run_script"]
