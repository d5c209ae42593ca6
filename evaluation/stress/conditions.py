"""The stress lab's conditions: who has the module, with which handicap, and who sits first.

All conditions are games of one rule set and differ in their parameter records alone. A module belongs to the seats that
its parameter `seats` names; the scenario stays the same otherwise.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...agents.base import Agent
from ...agents.native import baselines_of
from ...agents.registry import make_agent
from ...envs.core.errors import ProbespielError, RulesetError
from ...envs.core.game import Game, GameSpec
from ...envs.core.modules import Interface, ModuleSet, load_module, load_modules
from ...envs.core.modules.declare import HOLDERS
from ...envs.core.registry import system_of
from ...envs.core.setups import whole_name, whole_names
from .at_table import concerns_all
from .guided import ActionValues, Guided, Log, Marks
from .strategies import Strategy

NOBODY, EVERYBODY = "nobody", "everybody"
MIRRORED = "mirrored"  # in the name of a condition in which seats are exchanged
MOST_WORK = 30  # decisions of random play that one of a baseline may take, on which strategies are built


@dataclass(frozen=True)
class Settings:
    """What is put to the test: a game with options and other modules, and the module with its parameters.

    `scenario` None asks for the system's bench scenario. Files are kept by their whole paths.
    """

    game: str
    module: str
    params: Mapping[str, Any] = field(default_factory=dict)
    scenario: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    modules: Mapping[str, Any] = field(default_factory=dict)
    budget: str = "standard"
    seed: int = 1

    def __post_init__(self) -> None:
        """Name files so that workers, replays and reports find them from other folders."""
        object.__setattr__(self, "module", whole_name(self.module))
        object.__setattr__(self, "modules", whole_names(self.modules))

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Condition:
    """One way to play: sides that hold the module, a handicap for a side, roles of the seats exchanged.

    `holders` are indexes of sides; side number `side` has `amount` of the system's units more (below 0: fewer).
    `params` are parameters of the module that differ from the settings of the test, by name.
    """

    holders: tuple[int, ...] = ()
    side: int = 0
    amount: int = 0
    mirrored: bool = False
    params: tuple[tuple[str, Any], ...] = ()

    def handicapped(self, side: int, amount: int) -> Condition:
        """The same with a handicap."""
        return replace(self, side=side if amount else 0, amount=amount)


class Bench:
    """Makes the games and the players of a stress test, each once.

    Raises RulesetError or ProbespielError for settings that make no game.
    """

    def __init__(self, settings: Settings, folder: Path | None = None, compiled: bool = True) -> None:
        self.settings, self.folder, self.compiled = settings, folder, compiled
        self.system = system_of(settings.game)
        self.options, self.scenario = self._options()
        self.module = self._module_key()
        self._games: dict[tuple[Condition, bool], Game] = {}
        self._values: dict[str, ActionValues] = {}
        self.params: tuple[tuple[str, Any], ...] = ()
        self.asks_everybody = True

    def at(self, params: Mapping[str, Any], everybody: bool = True) -> Bench:
        """The same bench with other parameters of the module in all conditions in which somebody has it.

        Games and networks are shared, and so is the condition in which nobody has the module. `everybody` tells whether
        `holder_conditions` names the one in which all have it.
        """
        other = copy.copy(self)
        other.params, other.asks_everybody = tuple(sorted(params.items())), everybody
        return other

    def _options(self) -> tuple[dict[str, Any], str]:
        s = self.settings
        modules = {**s.modules, s.module: dict(s.params)}
        spec = self.system.bench(s.game, s.scenario, s.config, modules)
        return copy.deepcopy(dict(spec.options)), spec.scenario

    @property
    def set_on_top(self) -> dict[str, Any]:
        """Options that differ from those of the scenario as it is named: those asked for, or the bench's own."""
        s = self.settings
        return {**(self.system.bench_options(s.game) if s.scenario is None else {}), **s.config}

    def _module_key(self) -> str:
        """The name under which the options hold the module."""
        wanted = self.settings.module
        given = self.options.get("modules") or {}
        if wanted not in given:  # some systems keep a module under its own name, whatever file it came from
            name = load_module(self.interface, wanted)[0].name
            if name not in given:
                raise RulesetError(f"module {wanted!r}: {self.settings.game} takes no such module")
            self.options["modules"] = {wanted if key == name else key: values for key, values in given.items()}
        return wanted

    def spec(self, condition: Condition, longest: int | None = None) -> GameSpec:
        """The declaration of a condition's game; `longest` limits its decisions where the system can do that."""
        options = copy.deepcopy(self.options)
        names = self._seat_names()
        if condition.amount:
            options = self.system.handicap(options, [names[s] for s in self.sides[condition.side]], condition.amount)
        holders = [s for side in condition.holders for s in self.sides[side]]
        given = {**(options["modules"][self.module] or {}), **dict(condition.params)}
        options["modules"][self.module] = {**given, "seats": holders}
        if condition.mirrored:
            options = self.mirror(options)
        if longest is not None:
            options = self.system.limited(options, longest)
        return self.declare(options)

    def possible(self, condition: Condition) -> bool:
        """Whether the scenario allows the condition: a handicap may leave its range, seats may be given."""
        try:
            self.spec(condition)
        except RulesetError:
            return False
        return True

    def declare(self, options: Mapping[str, Any]) -> GameSpec:
        """The game of complete options."""
        return self.system.restore(self.settings.game, self.scenario, options)

    @property
    def interface(self) -> Interface:
        """What modules of the system can do."""
        return self.system.interface

    @cached_property
    def modules(self) -> ModuleSet:
        """All modules, read once, their actions numbered as in the games: where they begin, and whom they may name."""
        voice = self._first().voice
        found = load_modules(self.interface, self.options["modules"])
        return found.among(voice.who, voice.words, voice.first_action or None)

    @cached_property
    def can_mirror(self) -> bool:
        """Whether the roles of the seats can be exchanged, in this system and this scenario."""
        return self.system.can_mirror and len(self.sides) > 1 and self.possible(Condition(mirrored=True))

    @property
    def can_handicap(self) -> bool:
        """Whether the system names a unit of exchange."""
        return self.system.can_handicap

    @property
    def unit(self) -> tuple[str, str]:
        """The unit of exchange, one and many."""
        return self.system.handicap_unit

    @property
    def payoff_range(self) -> tuple[float, float]:
        """What the game declares that a seat may get, at least and at most."""
        return self._first().payoff_range

    @property
    def zero_sum(self) -> bool:
        """Whether payoffs add up to nothing, with the module too."""
        return self.spec(self.everybody()).zero_sum

    def mirror(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options with the order of the seats reversed."""
        return self.system.mirrored(options)

    def _first(self) -> GameSpec:
        if not hasattr(self, "_plain"):
            self._plain = self.declare(self.options)
        return self._plain

    def _seat_names(self) -> list[str]:
        return [seat.name for seat in self._first().seats]

    @property
    def sides(self) -> list[tuple[int, ...]]:
        """Sides in order of their first seat, each with its seats (as not mirrored).

        Of more than two those come first whose seats the settings give the module to: these are asked what it is worth,
        as it may be for a later one alone.
        """
        out: dict[str, list[int]] = {}
        for index, seat in enumerate(self._first().seats):
            out.setdefault(seat.side, []).append(index)
        sides = [tuple(seats) for seats in out.values()]
        return sorted(sides, key=lambda seats: not self._named & set(seats)) if len(sides) > 2 else sides

    @property
    def _named(self) -> set[int]:
        """The seats that the settings give the module to; all of them if they name none."""
        spec = self._first()
        bits = int(spec.params[0][f"{load_module(self.interface, self.module)[0].name}_{HOLDERS}"])
        return {at for at in range(len(spec.seats)) if bits >> at & 1}

    @property
    def in_order(self) -> bool:
        """Whether the first of the sides sits first."""
        return self.sides[0][0] == 0

    @property
    def side_names(self) -> list[str]:
        """The sides as a person reads them; a side of one seat is called like that seat."""
        seats = self._first().seats
        return [seats[first].side_called("en") if rest else seats[first].called("en") for first, *rest in self.sides]

    def game(self, condition: Condition, longest: int | None = None) -> Game:
        """The game of a condition."""
        key = (condition, longest is not None)
        if key not in self._games:
            self._games[key] = Game(self.spec(condition, longest), self.compiled)
        return self._games[key]

    @property
    def made(self) -> list[Game]:
        """The games that were made so far."""
        return list(self._games.values())

    def everybody(self) -> Condition:
        """All sides have the module."""
        return Condition(tuple(range(len(self.sides))), params=self.params)

    @property
    def compared(self) -> list[int]:
        """Indexes of the sides that are compared: the first two; of a game of one side that one."""
        return list(range(min(2, len(self.sides))))

    @property
    def several(self) -> bool:
        """Whether a side that has the module alone plays against more than one other side."""
        return len(self.sides) > 2 and not self.for_all

    @cached_property
    def for_all(self) -> bool:
        """Whether a side cannot have the module alone: there is one side, or the rule concerns the whole table."""
        return len(self.sides) == 1 or concerns_all(*load_module(self.interface, self.module))

    @property
    def whole_table(self) -> bool:
        """Whether the rule concerns the whole table where there are sides that could have had it alone."""
        return self.for_all and len(self.sides) > 1

    def alone(self, side: int) -> str:
        """The name of the condition in which a side alone has the module; where it cannot, all have it."""
        return EVERYBODY if self.for_all else f"only {self.side_names[side]}"

    def holder_conditions(self) -> dict[str, Condition]:
        """The conditions by name: nobody, each of the sides that are compared alone if it can be, everybody."""
        named: dict[str, Condition] = {NOBODY: Condition()}
        for side in () if self.for_all else self.compared:
            named[self.alone(side)] = Condition((side,), params=self.params)
        if self.asks_everybody or self.for_all:
            named[EVERYBODY] = self.everybody()
        return named

    def side_seats(self, condition: Condition, side: int) -> tuple[int, ...]:
        """The seats of a side in a condition's game, where mirroring may have moved them."""
        seats = self.sides[side]
        if not condition.mirrored:
            return seats
        n = len(self._first().seats)
        return tuple(sorted(n - 1 - s for s in seats))

    def baselines(self) -> list[str]:
        """The compiled baselines that play the game; uniform choice first, without the one that takes the first id.

        Those are left out whose decisions take far longer than a game: strategies are built on them by millions of
        continuations, in each of which one that learns its opponent would begin anew.
        """
        table = {n: b for n, b in baselines_of(self.system.name).items() if n != "first" and b.work <= MOST_WORK}
        names = [n for n, b in table.items() if not b.games or self.settings.game in b.games]
        return sorted(names, key=lambda n: n != "random")

    @cached_property
    def work(self) -> float:
        """Decisions of random play that one of a baseline takes, in the mean of them."""
        table = baselines_of(self.system.name)
        return float(np.mean([table[name].work for name in self.baselines()]))

    def values(self, net: str) -> ActionValues:
        """Learned action values by the name of their file."""
        if net not in self._values:
            if self.folder is None:
                raise ProbespielError("the bench has no folder for networks")
            made = ActionValues(self.game(self.everybody()))
            made.load(self.folder / net)
            self._values[net] = made
        return self._values[net]

    def player(self, strategy: Strategy, marks: Marks, log: Log | None = None) -> Agent:
        """A strategy ready to play."""
        if strategy.agent:
            agent = make_agent(strategy.agent)
            agent.name = strategy.name
            return agent
        values = self.values(strategy.net) if strategy.net else None
        over = bool(strategy.whether)
        made = Guided(
            strategy.name,
            strategy.base,
            marks,
            "never" if over else strategy.use,
            values,
            strategy.scope,
            strategy.temperature,
            log=None if over else log,
            overlook=0.0 if over else strategy.overlook,
            answer=-1 if over else strategy.answer,
        )
        if over:
            values = self.values(strategy.whether)
            made = Guided(
                strategy.name, made, marks, strategy.use, values, "whether", log=log, overlook=strategy.overlook,
                answer=strategy.answer,
            )  # fmt: skip
        made.stream = strategy.stream
        return made


def seating_of(bench: Bench, condition: Condition, pairs: Sequence[tuple[int, int]], hero: int = 0) -> np.ndarray:
    """Who sits where, int64[n, seats]: row i gives side `hero` the first player of `pairs[i]`, others the second."""
    n = len(bench._seat_names())
    first = list(bench.side_seats(condition, hero))
    out = np.empty((len(pairs), n), dtype=np.int64)
    table = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    out[:] = table[:, 1:2]
    out[:, first] = table[:, :1]
    return out


def conditions_in(given: Any) -> list[Condition]:
    """All conditions that the arguments of a job name, each once."""
    if isinstance(given, Condition):
        return [given]
    parts = given.values() if isinstance(given, Mapping) else given if isinstance(given, (list, tuple)) else ()
    return list(dict.fromkeys(condition for part in parts for condition in conditions_in(part)))


def named_conditions(bench: Bench, conditions: Sequence[Condition]) -> Mapping[str, Condition]:
    """Conditions by name: who has the module, which other conditions than the usual ones do not change."""
    names = {condition.holders: name for name, condition in bench.holder_conditions().items()}
    out: dict[str, Condition] = {}
    for condition in conditions:
        name = names.get(condition.holders, "some")
        more = f", {condition.amount:+d} for {bench.side_names[condition.side]}" if condition.amount else ""
        out[f"{name}{more}{f', {MIRRORED}' if condition.mirrored else ''}"] = condition
    return out


__all__ = [
    "EVERYBODY", "MIRRORED", "NOBODY", "Bench", "Condition", "Settings", "conditions_in", "named_conditions",
    "seating_of",
]  # fmt: skip
