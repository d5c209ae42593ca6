"""Running worked examples of konfrontation (section 9): kinds `play` and `config_error`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..core.errors import IllegalAction, ProbespielError
from ..core.game import Game, Position
from ..core.modules import load_modules
from ..core.script import Mismatch, Script, field_problems, refusal
from ..core.setups import plain
from . import state as st
from .actions import item_code
from .module import INTERFACE
from .params import check_setup
from .presets import presets
from .system import SYSTEM
from .text import result_of

PHASE_NAMES = {"decl_faction": "declare", "decl_target": "declare", "decl_type": "declare", "decl_commit": "declare"}
PHASE_NAMES["response"] = "respond"
CHOICES = {
    "evade": {"run_home": st.Action.RUN_HOME, "stand": st.Action.STAND},
    "fate": {"remove": st.Action.REMOVE, "handover": st.Action.HANDOVER},
    "respond": {"remove": st.Action.REMOVE, "handover": st.Action.HANDOVER},
    "spoils": {"remove": st.Action.SPOILS_REMOVE, "power": st.Action.SPOILS_POWER, "demand": st.Action.SPOILS_DEMAND},
}
VOTES = {"draw": st.Action.VOTE_DRAW, "fight": st.Action.VOTE_FIGHT}
PLAIN_ACTIONS = {"pass": st.Action.PASS, "gather": st.Action.GATHER, "continue": st.Action.CONTINUE}
MAKING = ("recruit", "resource", "support")
DECISIONS = (
    "declare", "bids", "votes", "defend", "victim", "spoils_unit", *CHOICES, *PLAIN_ACTIONS, *MAKING
)  # fmt: skip
FIELDS = {  # of each decision: those needed, and those that may stand
    "declare": (("actor", "faction", "target", "type", "commit"), ()),
    "defend": (("actor", "commit"), ()),
    "bids": (("bids",), ()),
    "votes": (("votes",), ()),
    "victim": (("actor", "unit"), ()),
    "spoils": (("actor", "choice"), ("unit",)),
    "spoils_unit": (("actor", "unit"), ()),
    **dict.fromkeys(("evade", "fate", "respond"), (("actor", "choice"), ())),
    **dict.fromkeys(PLAIN_ACTIONS, (("actor",), ())),
    "recruit": (("actor", "nature"), ("name",)),
    "resource": (("actor", "size"), ("name",)),
    "support": (("actor", "nature", "extra"), ("name",)),
}
STEP_FIELDS = ("decision", "illegal", "forced", "expect", "note")
UNIT, RESOURCE = range(st.UNITS), range(st.T_RESOURCE, st.T_POWER)  # target numbers of each kind
Moves = list[tuple[int, int]]


def setup_of_case(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a case: `options`, and beside them factions, attacker, attack, modules; `preset` is a base."""
    if not isinstance(setup, Mapping):
        raise ProbespielError(f"setup {setup!r} must be an object")
    if isinstance(setup.get("game"), Mapping):
        return setup_of_case(setup["game"])
    options = dict(setup.get("options") or {})
    name = setup.get("preset", options.pop("preset", None))
    if name is not None and name not in presets():
        raise ProbespielError(f"preset {name!r} is unknown: one of {', '.join(presets())}")
    base = presets()[name] if name is not None else {}
    beside = {key: setup[key] for key in ("factions", "attacker", "attack", "modules") if setup.get(key) is not None}
    return {**base, **options, **beside}


class PlayScript(Script):
    """One `play` case being played: the position, and which label belongs to which unit or resource."""

    def __init__(self, case: Mapping[str, Any], compiled: bool) -> None:
        setup = plain(setup_of_case(case["setup"]))
        super().__init__(case, Game(SYSTEM.spec_of_setup(setup), compiled))
        self.labels: dict[tuple[int, int], str] = {}  # (seat, target number) -> label
        for seat, faction in enumerate(check_setup(setup, load_modules(INTERFACE, setup.get("modules"))).factions):
            self.labels.update({(seat, number): label for label, number in faction.labels.items()})
        self.planned: dict[int, str] = {}  # seat -> label of what it is building
        self.throw()

    def throw(self, position: Position | None = None) -> None:
        """Scripts dictate no dice: the first outcome is taken (at the position of this script, if not given)."""
        position = self.position if position is None else position
        while position.die():
            position.fall(0)

    # --- names --------------------------------------------------------------------------------------------------------

    def seat(self, name: Any) -> int:
        """A faction by its name."""
        if name not in self.names:
            raise IllegalAction(f"faction {name!r} is unknown: one of {', '.join(self.names)}")
        return self.names.index(name)

    def find(self, label: Any, owner: int, kind: range) -> int:
        """Target number of a faction's item of one kind (UNIT or RESOURCE) by its label."""
        for key, value in self.labels.items():
            if value == label and key[0] == owner and key[1] in kind:
                return key[1]
        what = "unit" if kind == UNIT else "resource"
        raise IllegalAction(f"no {what} of {self.names[owner]} is called {label!r}")

    def held(self, position: Position) -> set[tuple[int, int]]:
        """All items: (seat, target number)."""
        s = position.record
        sets = [int(s.units[f]) | int(s.resources[f]) << st.T_RESOURCE for f in range(len(self.names))]
        return {(f, i) for f, items in enumerate(sets) for i in range(st.T_POWER) if items >> i & 1}

    # --- decisions ----------------------------------------------------------------------------------------------------

    def moves(self, step: Mapping[str, Any], position: Position) -> Moves:
        """The decisions (seat, action) of a step; raises IllegalAction where it is no such decision."""
        what = step["decision"]
        needed, optional = FIELDS[what]
        wrong = field_problems(step, needed, (*optional, *STEP_FIELDS))
        if wrong:
            raise IllegalAction(f"{what}: {'; '.join(wrong)}")
        if what in ("bids", "votes"):
            given = step[what]
            sides = {self.names[seat] for seat in position.to_act()}
            if not isinstance(given, Mapping) or set(given) != sides:
                raise IllegalAction(f"{what} {given!r}: needs one of each side, {', '.join(sorted(sides))}")
            return [
                (self.seat(name), self.choice(what, VOTES, value) if what == "votes" else self.bid(value))
                for name, value in given.items()
            ]
        actor = self.seat(step["actor"])
        if what == "declare":
            return self.declaration(step, actor, position)
        if what == "defend":
            return self.party(actor, step["commit"])
        if what in CHOICES:
            chosen = [(actor, self.choice(what, CHOICES[what], step["choice"]))]
            if "unit" in step:
                if step["choice"] == "power":
                    raise IllegalAction(f"spoils: power takes no unit {step['unit']!r}")
                chosen.append((actor, st.Action.ITEM + self.attackers_unit(step["unit"], position)))
            return chosen
        if what == "victim":
            return [(actor, st.Action.ITEM + self.find(step["unit"], actor, UNIT))]
        if what == "spoils_unit":
            return [(actor, st.Action.ITEM + self.attackers_unit(step["unit"], position))]
        if what in PLAIN_ACTIONS:
            return [(actor, PLAIN_ACTIONS[what])]
        return [(actor, self.making(step, what))]

    @staticmethod
    def choice(what: str, table: Mapping[str, int], value: Any) -> int:
        """A choice among texts."""
        if not isinstance(value, str) or value not in table:
            raise IllegalAction(f"{what}: {value!r} is not a choice: {', '.join(table)}")
        return table[value]

    @staticmethod
    def bid(value: Any) -> int:
        """The action of a bid."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= st.MAX_BID:
            raise IllegalAction(f"bid {value!r} is not possible: 0..{st.MAX_BID}")
        return st.Action.BID + value

    @staticmethod
    def nature(value: Any) -> int:
        """The number of a nature."""
        if not isinstance(value, str) or value not in st.NATURES:
            raise IllegalAction(f"nature {value!r} is not possible: {', '.join(st.NATURES)}")
        return st.NATURES.index(value)

    def making(self, step: Mapping[str, Any], what: str) -> int:
        """The action that begins a character, a resource or a support."""
        if what == "recruit":
            return st.Action.RECRUIT + self.nature(step["nature"])
        number = step["size" if what == "resource" else "extra"]
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 3:
            raise IllegalAction(f"{what}: {number!r} is not possible: 1..3")
        if what == "resource":
            return st.Action.START_RESOURCE + number - 1
        return st.Action.START_SUPPORT + 3 * self.nature(step["nature"]) + number - 1

    def party(self, actor: int, labels: Any) -> Moves:
        """Units one by one, then done."""
        if not isinstance(labels, list):
            raise IllegalAction(f"commit {labels!r} must be a list of units")
        numbers = [self.find(label, actor, UNIT) for label in labels]
        return [*[(actor, st.Action.ITEM + n) for n in sorted(numbers)], (actor, st.Action.DONE)]

    def attackers_unit(self, label: Any, position: Position) -> int:
        """A unit of the attacker."""
        attacker = int(position.record.attacker)
        if attacker < 0:
            raise IllegalAction("there is no attacker")
        return self.find(label, attacker, UNIT)

    def declaration(self, step: Mapping[str, Any], actor: int, position: Position) -> Moves:
        """A whole declaration."""
        defender = self.seat(step["faction"])
        away = (defender - actor) % len(self.names)
        if away == 0:
            raise IllegalAction("nobody attacks itself")
        number = self.target(step["target"], defender)
        out = [(actor, st.Action.ATTACK)] if position.phase() == "action" else []
        out += [
            (actor, st.Action.FACTION + away - 1),
            (actor, st.Action.ITEM + number),
            (actor, st.Action.TYPE + self.nature(step["type"])),
        ]
        return out + self.party(actor, step["commit"])

    def target(self, target: Any, defender: int) -> int:
        """Target number of {"kind", "name"}; power and other have no name."""
        kinds = {"unit": UNIT, "resource": RESOURCE, "power": st.T_POWER, "other": st.T_OTHER}
        kind = (
            kinds.get(target["kind"]) if isinstance(target, Mapping) and isinstance(target.get("kind"), str) else None
        )
        if kind is None:
            raise IllegalAction(f"target {target!r} needs a kind: {', '.join(kinds)}")
        wrong = field_problems(target, ("kind",) if isinstance(kind, int) else ("kind", "name"))
        if wrong:
            raise IllegalAction(f"target {target!r}: {'; '.join(wrong)}")
        return kind if isinstance(kind, int) else self.find(target["name"], defender, kind)

    # --- the script ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """What the case expects before the first step."""
        self.check(self.case.get("expect_start"), "start")

    def step(self, step: Mapping[str, Any], where: str) -> None:
        """A decision, or one that must be refused."""
        if step.get("decision") not in DECISIONS:
            raise ProbespielError(f"decision {step.get('decision')!r} is unknown: {', '.join(DECISIONS)}")
        if step.get("illegal"):
            self.must_refuse(step, where)
        else:
            self.taken(step)
        if not self.problems:
            self.check(step.get("expect"), where)

    def phase(self) -> str:
        """The phase as scripts call it."""
        if self.position.over:
            return "over"
        name = self.position.phase()
        return PHASE_NAMES.get(name, name)

    def right_phase(self, what: str) -> bool:
        """Whether a decision of this kind is due."""
        phase = self.phase()
        if what in PLAIN_ACTIONS or what in MAKING:
            return phase == "action"
        if what == "declare":
            return phase in ("action", "declare")
        return phase == {"bids": "bid", "votes": "vote"}.get(what, what)

    def must_refuse(self, step: Mapping[str, Any], where: str) -> None:
        """An illegal step must be refused, and nothing may change."""
        if not self.right_phase(step["decision"]):
            return
        twin = self.position.clone()
        try:
            for seat, action in self.moves(step, twin):
                self.attempt(partial(twin.apply, seat, action), where, twin)
                self.throw(twin)
        except IllegalAction:
            return
        self.problems.append(f"{where}: {step['decision']} was accepted, but is illegal")

    def taken(self, step: Mapping[str, Any]) -> None:
        """Take a step; forced decisions that the script leaves out are taken before it."""
        what = step["decision"]
        while not self.right_phase(what) and not self.position.over:
            seats = self.position.to_act()
            options = [(seat, self.position.legal(seat)) for seat in seats]
            if not all(len(legal) == 1 for _, legal in options):
                break
            self.apply(options[0][0], options[0][1][0], {})
        if not self.right_phase(what):
            if not step.get("forced"):  # a forced decision may have been taken already
                raise Mismatch(f"the script wants {what}, but the phase is {self.phase()}")
            return
        for seat, action in self.moves(step, self.position):
            self.apply(seat, action, step)

    def apply(self, seat: int, action: int, step: Mapping[str, Any]) -> None:
        """Take one decision and keep the labels right."""
        before = self.held(self.position)
        self.position.apply(seat, action)
        self.throw()
        after = self.held(self.position)
        what = step.get("decision")
        if what in ("resource", "support") and step.get("name") is not None:
            self.planned[seat] = step["name"]
        gone, come = sorted(before - after), sorted(after - before)
        moved = self.labels.pop(gone[0]) if gone else None
        for key in come:
            if moved is not None:
                label: Any = moved
            elif what == "recruit":
                label = step.get("name")
            else:
                label = self.planned.pop(key[0], None)
            self.labels[key] = label if label is not None else f"{self.names[key[0]]}:{item_code(key[1])}"

    # --- expectations -------------------------------------------------------------------------------------------------

    def see_phase(self, want: Any) -> Any:
        """Phase of the decision that is due."""
        return self.phase()

    def see_actor(self, want: Any) -> Any:
        """The seat asked; at simultaneous decisions the faction whose action it is."""
        s, p = self.position.record, self.game.params
        seats = self.position.to_act()
        if len(seats) == 1:
            return self.names[seats[0]]
        return self.names[int(s.attacker) if p.clash else int((s.first + s.place) % p.factions)]

    def see_turn(self, want: Any) -> Any:
        """Turn, from 1."""
        return int(self.position.record.turn)

    def _sides(self, want: Mapping[str, Any], values: Any) -> dict[str, Any]:
        s = self.position.record
        sides = {int(s.attacker): 0, int(s.defender): 1}
        return self.per_seat(want, lambda f: int(values[sides[f]]) if f in sides else None)

    def see_strength(self, want: Any) -> Any:
        """Strengths in the last confrontation."""
        return self._sides(want, self.position.record.strength)

    def see_totals(self, want: Any) -> Any:
        """Totals revealed last."""
        return self._sides(want, self.position.record.total)

    def see_ties(self, want: Any) -> Any:
        """Ties in the last confrontation."""
        return int(self.position.record.ties)

    def see_result(self, want: Any) -> Any:
        """Result of the last confrontation."""
        return result_of(self.position) or None

    def see_options(self, want: Any) -> Any:
        """Legal fates or responses, remove first."""
        seats = self.position.to_act()
        legal = self.position.legal(seats[0]) if seats else []
        return [name for name, action in CHOICES["fate"].items() if action in legal]

    def see_power(self, want: Any) -> Any:
        """Stocks."""
        return self.per_seat(want, lambda f: int(self.position.record.power[f]))

    def see_special(self, want: Any) -> Any:
        """Special points."""
        return self.per_seat(want, lambda f: int(self.position.record.special[f]))

    def _sizes(self, f: int) -> dict[str, int]:
        s = self.position.record
        slots = [r for r in range(st.RESOURCES) if s.resources[f] >> r & 1]
        return {self.labels[f, st.T_RESOURCE + r]: int(s.extent[f, r]) for r in slots}

    def see_cp(self, want: Any) -> Any:
        """Control points."""
        return self.per_seat(want, lambda f: sum(self._sizes(f).values()) + int(self.position.record.bonus[f]))

    def see_resources(self, want: Any) -> Any:
        """Resources with their sizes."""
        return self.per_seat(want, self._sizes)

    def see_units(self, want: Any) -> Any:
        """Sorted names of units."""
        s = self.position.record
        held = {f: [u for u in range(st.UNITS) if s.units[f] >> u & 1] for f in range(len(self.names))}
        return self.per_seat(want, lambda f: sorted(self.labels[f, u] for u in held[f]))

    def see_values(self, want: Any) -> Any:
        """Undoubled values of units."""
        s = self.position.record
        places = {label: key for key, label in self.labels.items()}
        return {name: int(s.value[places[name]]) if name in places else None for name in want}

    def see_project(self, want: Any) -> Any:
        """Turns of work left, or null."""
        s = self.position.record
        return self.per_seat(want, lambda f: int(s.project_left[f]) if s.project[f] else None)

    def see_payoff(self, want: Any) -> Any:
        """Payoffs."""
        returns = self.position.returns()
        return self.per_seat(want, lambda f: float(returns[f]))


def run_play(case: Mapping[str, Any], compiled: bool = False) -> list[str]:
    """Run a case of kind `play`; what did not match (an empty list: it passed)."""
    return PlayScript(case, compiled).run()


def run_config_error(case: Mapping[str, Any]) -> list[str]:
    """Run a case of kind `config_error`: the game must be refused, by a message with every text of `mentions`."""
    mentions = (case.get("expect") or {}).get("mentions") or case.get("mentions") or []
    return refusal(lambda: SYSTEM.spec_of_setup(setup_of_case(case["setup"])), mentions)


def case_runners(compiled: bool) -> dict[str, Callable[[dict[str, Any]], list[str]]]:
    """Runners of the kinds that need nothing beyond the rules."""
    return {"play": lambda case: run_play(case, compiled), "config_error": run_config_error}
