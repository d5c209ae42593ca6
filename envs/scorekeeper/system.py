"""Scorekeeper as a system: games, scenarios, modules, and the declaration of a game."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.game import GameSpec, Position, Seat
from ..core.modules import ModuleSet, load_modules
from ..core.options import Option
from ..core.setups import options_of
from ..core.system import SetupSystem
from . import (
    bench,
    combat,
    declarations,
    hooks,
    keys,
    observe,
    payoffs,
    round_start,
    rules,
    services,
    steps,
    turns,
    upkeep,
    wounds,
)
from . import state as st
from .actions import Names, action_table, fighter_words, named_codes
from .loadouts import affordable, parse_loadout, prices_of
from .module import INTERFACE
from .params import ENVIRONMENT, OPTIONS, check_config, check_setup, unknown
from .presets import presets
from .record import decision_limit, param_record
from .text import PHASE_QUESTIONS, TEAM_WORDS, ScorekeeperTexts, result_lines

FILES = (
    hooks, services, wounds, combat, steps, round_start, declarations, turns, upkeep, rules, payoffs, keys, observe,
)  # fmt: skip
LEVEL_OF = {"scorekeeper-duel": "duel", "scorekeeper-skirmish": "skirmish"}
EVEN = "even_duel"  # the scenario of the test bench
DEFAULT = {"duel": "mafia_club", "skirmish": "street_raid"}


def is_duel(setup: Mapping[str, Any]) -> bool:
    """Whether a setup has exactly one fighter a side."""
    fighters = setup.get("fighters") if isinstance(setup, Mapping) else None
    if not isinstance(fighters, (list, tuple)) or not all(isinstance(f, Mapping) for f in fighters):
        return False
    return [f.get("team") for f in fighters] in (["a", "b"], ["b", "a"])


class Scorekeeper(SetupSystem):
    """The system object of Scorekeeper."""

    name = "scorekeeper"
    games = tuple(LEVEL_OF)
    titles = {
        "scorekeeper": ("Scorekeeper", "Scorekeeper"),
        "scorekeeper-duel": ("Scorekeeper: duel", "Scorekeeper: Zweikampf"),
        "scorekeeper-skirmish": ("Scorekeeper: skirmish", "Scorekeeper: Gruppenkampf"),
    }
    about = {
        "scorekeeper-duel": (
            "Two fighters declare in the open, slowest first, then act: zones, parries, wounds, fate.",
            "Zwei Kämpfer erklären offen, der langsamste zuerst, dann handeln sie: Zonen, Paraden, Wunden, Schicksal.",
        ),
        "scorekeeper-skirmish": (
            "The same between groups, with shots, full runs and first aid.",
            "Dasselbe zwischen Gruppen, mit Schüssen, vollem Lauf und erster Hilfe.",
        ),
    }
    interface = INTERFACE
    parts = ("fighters", "events")
    contents = "config, events, fighters, modules"
    handicap_unit = ("point of reaction", "points of reaction")
    bookkeeping = bench.BOOKKEEPING
    control = bench.CONTROL
    keys_of_futures = True

    def scenarios(self, game: str) -> tuple[str, ...]:
        """Presets of a game, its default first; a skirmish takes those of duels, too."""
        level = LEVEL_OF[game]
        names = [name for name, setup in presets().items() if level == "skirmish" or is_duel(setup)]
        order = [name for name in names if is_duel(presets()[name]) == (level == "duel")]
        order += [name for name in names if name not in order]
        order += [EVEN] if level == "duel" else []
        return tuple(sorted(order, key=lambda n: (n != DEFAULT[level], order.index(n))))

    def preset(self, game: str, name: str) -> dict[str, Any] | None:
        """A preset, which must be a duel if the game is one."""
        if name == EVEN and LEVEL_OF[game] == "duel":
            return bench.even_duel()
        setup = presets().get(name)
        if setup is not None and LEVEL_OF[game] == "duel" and not is_duel(setup):
            raise RulesetError(f"scenario {name!r} is no duel: play it as scorekeeper-skirmish, not as {game}")
        return setup

    def changed(
        self, setup: Mapping[str, Any], config: Mapping[str, Any], modules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A set-up with options on top, of the rules or of the environment."""
        known = [*OPTIONS, *ENVIRONMENT, *self.parts]
        for name in config:
            if name not in known:
                raise unknown("option", name, config[name], known)
        return super().changed(setup, config, modules)

    def bench(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game for tests of a module; fighters that are given bring the first scenario's ground with them."""
        named = self.scenarios(game)[0] if scenario is None and "fighters" in config else scenario
        return super().bench(game, named, config, modules)

    def bench_scenario(self, game: str) -> str:
        """For duels one of equals."""
        return EVEN if LEVEL_OF[game] == "duel" else super().bench_scenario(game)

    def invariants(self, position: Position) -> Iterator[str]:
        """What does not hold in a position although it always should (7.10)."""
        return bench.broken(position)

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of the rules, and those beside them."""
        return {**OPTIONS, **ENVIRONMENT}

    def values(self, spec: GameSpec) -> dict[str, Any]:
        """Options stand in the part `config`."""
        return check_config(spec.options.get("config"))

    def handicap(self, options: dict[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
        """Options with so many points more on every reaction roll of some seats; raises RulesetError."""
        return bench.handicap(options, seats, amount)

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the fighters in reverse order."""
        return {**options, "fighters": list(reversed(options["fighters"]))}

    def equip(self, options: Mapping[str, Any], loadouts: Mapping[str, str]) -> dict[str, Any]:
        """A setup in which all fighters of a team wear its loadout (see `loadouts.py`); raises RulesetError."""
        worn = {team: parse_loadout(text) for team, text in loadouts.items()}
        fighters = [worn[f["team"]].put_on(f) if f["team"] in worn else dict(f) for f in options["fighters"]]
        return {**copy.deepcopy(dict(options)), "fighters": fighters}

    def loadouts(self, budget: int, prices: Mapping[str, Any], characters: Sequence[str] = ()) -> list[str]:
        """All loadouts that a budget buys, with some prices changed; raises RulesetError."""
        return list(affordable(budget, prices_of(prices), characters))

    def spec_of_setup(self, setup: Mapping[str, Any], game: str | None = None, label: str = "custom") -> GameSpec:
        """A game from a complete setup (the shape of a worked example's `setup`)."""
        if game is None:
            game = "scorekeeper-duel" if is_duel(setup) else "scorekeeper-skirmish"
        level = LEVEL_OF[game]
        modules = load_modules(INTERFACE, setup.get("modules"))
        modules.check_level(level)
        checked = check_setup(setup, duel=level == "duel")
        return self._declare(game, label, setup, checked, modules)

    def _declare(
        self, game: str, label: str, setup: Mapping[str, Any], checked: dict[str, Any], modules: ModuleSet
    ) -> GameSpec:
        fighters, config = checked["fighters"], checked["config"]
        modules = modules.among([f["name"] for f in fighters], [fighter_words(f["name"]) for f in fighters])
        capacity = 2 if len(fighters) == 2 else 2 * st.TEAM
        state = st.state_dtype(capacity, modules.state_fields(capacity))
        params = st.param_dtype(capacity, modules.param_fields())
        record = param_record(checked, modules, params)
        declared: Any = modules.modules
        layout = observe.layout(declared)
        actions = action_table(modules.action_blocks())
        constants = {"MAXF": capacity, "EVENTS": st.EVENTS if capacity > 2 else st.EVENTS_DUEL}
        sources = Sources(
            files=FILES,
            constants=constants,
            state=state,
            params=params,
            **modules.source_parts(),
            seats=capacity,
            words=modules.words(),
            observation=layout.size,
        )
        by_team = config["control"] == "team"
        seats = (
            tuple(Seat(f"team_{team}", team, "team", words, words) for team, words in TEAM_WORDS.items())
            if by_team
            else tuple(
                Seat(f["name"], f["team"], f["kind"], fighter_words(f["name"]), TEAM_WORDS[f["team"]]) for f in fighters
            )
        )
        names = Names(
            [f["name"] for f in fighters], record["enemy"][0], record["ally"][0], [f["kind"] for f in fighters]
        )
        phases = (*st.PHASES, *modules.phases())
        sizes = [sum(seat.side == team for seat in seats) for team in "ab"]
        survival = config["utility"] == "survival"
        return GameSpec(
            name=game,
            system=self.name,
            scenario=label,
            options=options_of(setup),
            sources=sources,
            params=record,
            seats=seats,
            actions=actions,
            layout=layout,
            phases=phases,
            texts=ScorekeeperTexts(fighters, names, actions, phases, config["draw_rule"] == "margin"),
            result=result_lines,
            max_decisions=decision_limit(config, len(fighters)),
            stops=True,
            tallies=modules.tallies([f["name"] for f in fighters]),
            voice=modules.voice(),
            questions=PHASE_QUESTIONS,
            **modules.payoffs(-1.5 if survival else -1.0, 1.0, sizes[0] == sizes[1] and not survival),
            simultaneous=modules.sealed,
            aliases=named_codes([(f["name"], f["team"] == "b") for f in fighters]),
        )


SYSTEM = Scorekeeper()
