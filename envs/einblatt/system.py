"""einBlatt as a system: games, scenarios, modules, and the declaration of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.game import GameSpec, Position, Seat
from ..core.modules import ModuleSet, load_modules
from ..core.options import Option, filled
from ..core.setups import options_of, plain
from ..core.system import SetupSystem
from . import bench as bench_setups
from . import (
    ending,
    frames,
    hooks,
    melee,
    observe,
    opening,
    piles,
    plays,
    reckoning,
    redeal,
    rules,
    windows,
)
from . import state as st
from .actions import action_table
from .module import INTERFACE
from .names import called, words
from .params import OPTIONS
from .presets import ABOUT, presets
from .record import check_characters, check_setup, leaders_of, param_record
from .text import PHASE_TEXTS, EinblattTexts, conflicts_of
from .verdict import result_lines

FILES = (hooks, frames, piles, plays, reckoning, redeal, melee, windows, opening, ending, rules, observe)
LEVEL_OF = {"einblatt-duel": "duel", "einblatt-melee": "melee", "einblatt-campaign": "campaign"}
EVEN = "even_duel"  # the scenario of the test bench
DEFAULT = {"duel": "billy_tree", "melee": "tug_of_war", "campaign": "table32_session"}


class Einblatt(SetupSystem):
    """The system object of einBlatt."""

    name = "einblatt"
    games = tuple(LEVEL_OF)
    titles = {
        "einblatt": ("einBlatt", "einBlatt"),
        "einblatt-duel": ("einBlatt: duel", "einBlatt: Duell"),
        "einblatt-melee": ("einBlatt: melee", "einBlatt: Getümmel"),
        "einblatt-campaign": ("einBlatt: campaign", "einBlatt: Kampagne"),
    }
    about = {
        "einblatt-duel": (
            "Two figures settle a test in three rounds: a card each, face down, and the better one counts.",
            "Zwei Figuren tragen eine Prüfung in drei Runden aus: je eine Karte verdeckt, die bessere zählt.",
        ),
        "einblatt-melee": (
            "Several on two sides: wait, or attack one of the others with a card.",
            "Mehrere auf zwei Seiten: abwarten, oder einen der anderen mit einer Karte angreifen.",
        ),
        "einblatt-campaign": (
            "A chain of tests whose wounds and experience stay with the figures.",
            "Eine Kette von Prüfungen, deren Einschränkungen und Erfahrung den Figuren bleiben.",
        ),
    }
    interface = INTERFACE
    parts = ("seats", "conflicts", "wrath")
    contents = "level, config, seats, modules, conflicts"
    handicap_unit = ("card", "cards")
    bookkeeping = bench_setups.BOOKKEEPING
    control = bench_setups.CONTROL

    def bench(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game for tests of a module; seats have what the modules need."""
        name = self.bench_scenario(game) if scenario is None else scenario
        setup = self.changed(self.setup_of(game, name), config, modules)
        setup = bench_setups.equip(plain(setup), load_modules(INTERFACE, setup["modules"]))
        return self.spec_of_setup(setup, game, name)

    def bench_scenario(self, game: str) -> str:
        """For duels one of equals."""
        return EVEN if LEVEL_OF[game] == "duel" else super().bench_scenario(game)

    def scenarios(self, game: str) -> tuple[str, ...]:
        """Presets of a game, its default first."""
        level = LEVEL_OF[game]
        names = [name for name, setup in presets().items() if setup["level"] == level]
        names += [EVEN] if level == "duel" else []
        return tuple(sorted(names, key=lambda n: (n != DEFAULT[level], names.index(n))))

    def invariants(self, position: Position) -> Iterator[str]:
        """What does not hold in a position (see `core.contract`)."""
        from .invariants import problems

        return problems(position)

    def preset(self, game: str, name: str) -> dict[str, Any] | None:
        """A preset of any level."""
        return bench_setups.even_duel() if name == EVEN else presets().get(name)

    def setup_of(self, game: str, scenario: str | None) -> dict[str, Any]:
        """The setup of a preset or of a scenario file, which must be of the level of the game."""
        level, setup = LEVEL_OF[game], super().setup_of(game, scenario)
        own = setup.setdefault("level", level)
        if own != level:
            fit = next((g for g, v in LEVEL_OF.items() if v == own), "?")
            raise RulesetError(f"scenario {str(scenario)!r} is of level {own!r}: play it as {fit}, not as {game}")
        return setup

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of section 5, the same at every level."""
        return OPTIONS

    def values(self, spec: GameSpec) -> dict[str, Any]:
        """Options stand in the part `config`."""
        return filled(OPTIONS, spec.options.get("config") or {})

    def handicap(self, options: dict[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
        """Options with `amount` hand cards more for some seats; raises RulesetError."""
        return bench_setups.handicap(options, seats, amount)

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the seats in reverse order."""
        return bench_setups.mirrored(options)

    def limited(self, options: dict[str, Any], decisions: int) -> dict[str, Any]:
        """Options with `max_decisions` at so many decisions: hooks may raise questions without end."""
        return {**options, "config": {**(options.get("config") or {}), "max_decisions": decisions}}

    def spec_of_setup(self, setup: Mapping[str, Any], game: str | None = None, label: str = "custom") -> GameSpec:
        """A game from a complete setup (the shape of a worked example's `setup`)."""
        setup = plain(setup)
        modules = load_modules(INTERFACE, setup.get("modules"))
        checked = check_setup(setup, modules)
        check_characters(modules, checked)
        game = game or next(g for g, level in LEVEL_OF.items() if level == checked["level"])
        return self._declare(game, label, setup, checked, modules)

    def _declare(
        self,
        game: str,
        label: str,
        setup: Mapping[str, Any],
        checked: dict[str, Any],
        modules: ModuleSet,
    ) -> GameSpec:
        seats = checked["seats"]
        n = len(seats)
        modules = modules.among([s["name"] for s in seats], [words(s["name"]) for s in seats])
        is_melee = any(c["conflict_level"] == "melee" for c in checked["conflicts"])
        capacity = 2 if n == 2 else 12
        entries = 48 if is_melee else 8
        state = st.state_dtype(capacity, entries, modules.state_fields(capacity))
        params = st.param_dtype(capacity, modules.param_fields())
        record = param_record(checked, modules, params)
        layout = observe.layout(n, modules)
        flags = 0
        extra = 0
        for m in modules:
            if m.name in observe.MOD_FLAGS:
                flags |= 1 << observe.MOD_FLAGS.index(m.name)
            elif len(observe.MOD_FLAGS) + extra < 20:
                flags |= 1 << len(observe.MOD_FLAGS) + extra
                extra += 1
        # numbers that compiled code holds as constants; a scenario differs only in its parameter record
        constants = {
            "MAXS": capacity,
            "ENTRIES": entries,
            "EVENTS": st.EVENTS if capacity > 2 else st.EVENTS_DUEL,
            "MELEE": is_melee,
            "MOD_BITS": flags,
        }
        phases = (*st.PHASES, *modules.phases())
        attributes = next((list(s["entries"]) for s in seats if s["kind"] == "pc"), [])
        actions = action_table([s["name"] for s in seats], attributes, modules.actions())
        sources = Sources(
            files=FILES,
            constants=constants,
            state=state,
            params=params,
            **modules.source_parts(),
            seats=capacity,
            words=st.WORDS,
            observation=observe.layout(capacity, modules).size,  # one rule set for any number of seats
        )
        bound = self._payoff_bound(checked)
        aliases = {name: f"attack:{i}" for i, name in enumerate(s["name"] for s in seats)}
        aliases.update({f"attack:{s['name']}": f"attack:{i}" for i, s in enumerate(seats)})
        aliases.update({called(s["name"], "de"): f"attack:{i}" for i, s in enumerate(seats)})
        aliases.update({code: f"card:{code}" for code in st.CARD_CODES})
        teams = checked["config"]["payoff"]
        return GameSpec(
            name=game,
            system=self.name,
            scenario=label,
            options=options_of(setup),
            sources=sources,
            params=record,
            seats=tuple(Seat(s["name"], s["team"], s["kind"], words(s["name"]), words(s["team"])) for s in seats),
            actions=actions,
            layout=layout,
            phases=phases,
            texts=EinblattTexts(
                [s["name"] for s in seats],
                [s["team"] for s in seats],
                actions,
                phases,
                [list(s.get("attributes") or ()) for s in setup["seats"]],
                leaders_of(checked),
                conflicts_of(setup, ABOUT.get(label, ())),
                (len(checked["conflicts"]) > 1, checked["config"]["max_tests"] > 1),
            ),
            result=result_lines,
            max_decisions=checked["config"]["max_decisions"],
            stops=True,
            tallies=modules.tallies([s["name"] for s in seats]),
            voice=modules.voice(),
            questions=PHASE_TEXTS,
            **modules.payoffs(-bound, bound, n == 2 and teams != "team_max", self._team_bounds(checked)),
            simultaneous=True,
            aliases=aliases,
        )

    @staticmethod
    def _payoff_bound(checked: Mapping[str, Any]) -> float:
        """A bound of the absolute payoff of any seat."""
        config = checked["config"]
        n = len(checked["seats"])
        size = max(sum(o["team"] == s["team"] for o in checked["seats"]) for s in checked["seats"])
        total = 0.0
        for conflict in checked["conflicts"]:
            if conflict["events_only"]:
                continue
            per_test = config["rounds"] if conflict["conflict_level"] == "duel" else config["rounds"] * n
            one = {
                "ep": min(per_test * config["max_tests"], per_test + 2) + 2.0,
                "ep_clipped": 3.0,
                "class": max(abs(w) for w in config["class_weights"]),
                "win": 1.0,
            }.get(config["payoff"])
            if one is None:
                one = (per_test + 4.0) * (size if config["payoff"] == "team_sum" else 1)
            elif config["payoff"] == "ep" and not checked["modules"] and config["max_tests"] == 1:
                one = float(per_test)
            total += conflict["weight"] * one
        return float(np.float64(total + abs(config["unplayed"]) * sum(c["weight"] for c in checked["conflicts"])))

    @staticmethod
    def _team_bounds(checked: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
        """Bounds of the sum of a team's results in melees without rule modules, for every seat; () elsewhere.

        A comparison uses up the round card of the seat that attacks (R56), which then cannot act in this round (R59):
        of n seats there are at most n comparisons in a round. Each moves two seats by 1 against each other (R56), and
        so a team by 1 at most. The range of payoffs counts all comparisons for every member of a team instead.
        """
        config, conflicts = checked["config"], checked["conflicts"]
        melees = all(c["conflict_level"] == "melee" and not c["events_only"] for c in conflicts)
        if config["payoff"] != "team_sum" or not melees:
            return ()
        n = len(checked["seats"])
        each = config["rounds"] * n * config["max_tests"] + abs(config["unplayed"])
        most = float(sum(c["weight"] for c in conflicts) * each)
        return ((-most, most),) * n


SYSTEM = Einblatt()
