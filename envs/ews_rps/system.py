"""ews_rps as a system: scenarios, modules, and the declaration of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.build import Sources
from ..core.checks import near
from ..core.errors import RulesetError
from ..core.game import GameSpec, Seat
from ..core.modules import ModuleSet, load_modules
from ..core.options import Option
from ..core.setups import merge_modules, naming_the_file, read_scenario
from ..core.system import System
from . import bench as bench_setups
from . import hooks, observe, rules
from . import state as st
from .actions import action_table
from .module import INTERFACE
from .params import OPTIONS, check_options, entries, param_record, payoff_bound
from .presets import DEFAULT, PRESETS, Draw
from .state import SEATS
from .text import PHASES, SEAT_WORDS, Texts, result_lines

GAME = "ews_rps"
FILES = (hooks, rules, observe)
SETUP_FIELDS = ("test", "tests", "options", "modules", "preset")


def symbols_first(given: Any) -> ModuleSet:
    """The modules of a mapping name -> parameters, those with symbols before all others: symbols are numbered first."""
    found = load_modules(INTERFACE, given)
    order = sorted(range(len(found)), key=lambda i: found[i].n_symbols == 0)
    if order != list(range(len(found))):
        names = list(given)
        found = load_modules(INTERFACE, {names[i]: given[names[i]] for i in order})
    return found


class EwsRps(System):
    """The system object of ews_rps."""

    name = "ews_rps"
    games = (GAME,)
    titles = {GAME: ("1w6 EWS: rock, paper, scissors", "1w6 EWS: Schere, Stein, Papier")}
    about = {
        GAME: (
            "An evening of tests by rock, paper, scissors: so many wins in a row as the test asks for.",
            "Ein Abend voller Proben mit Schere, Stein, Papier: so viele Siege in Folge, wie die Probe verlangt.",
        )
    }
    interface = INTERFACE
    handicap_unit = ("round's points", "rounds' points")
    bookkeeping = bench_setups.BOOKKEEPING
    control = bench_setups.CONTROL
    counted = ("score",)

    def bench(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game for tests of a module: without a scenario even contests; tests that are drawn are written out."""
        label = self.bench_scenario(game) if scenario is None else scenario
        spec = self.spec(game, label, config, modules)
        if spec.options["tests"] is not None:
            return spec
        _, draw = self.resolve({} if label.endswith(".json") else {"preset": label})
        options = bench_setups.written_out(spec.options, entries(spec.options, draw))
        return self.spec(game, label, {k: v for k, v in options.items() if k != "modules"}, modules)

    def bench_scenario(self, game: str) -> str:
        """Even contests."""
        return bench_setups.DEFAULT

    def handicap(self, options: dict[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
        """Options with `amount` rounds' worth of points more for some seats in every test; raises RulesetError."""
        return bench_setups.handicap(options, seats, amount)

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the seats exchanged in every test; raises RulesetError where that is not possible."""
        return bench_setups.mirrored(options)

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of section 5."""
        return OPTIONS

    def scenarios(self, game: str) -> tuple[str, ...]:
        """The presets; the default first."""
        return tuple(PRESETS)

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """A game from a scenario, with options and modules on top of it."""
        label = DEFAULT if scenario is None else str(scenario)
        setup: dict[str, Any] = {}
        if not label.endswith(".json"):
            setup = {"preset": label}
        elif not set(OPTIONS) <= set(config):  # else everything is said already, and the file may be gone
            setup = read_scenario(Path(label), ", ".join(SETUP_FIELDS))
        with naming_the_file(scenario if setup else None, lambda: self.declare(setup, label)):
            return self.declare({**setup, "modules": merge_modules(setup.get("modules"), modules)}, label, config)

    def declare(
        self, setup: Mapping[str, Any], label: str = "custom", more: Mapping[str, Any] | None = None
    ) -> GameSpec:
        """A game from a setup as in a worked example: `test` or `tests`, `options`, `modules`, `preset`.

        `more` are options on top of all others.
        """
        for name in setup:
            if name not in SETUP_FIELDS:
                raise RulesetError(f"setup: field {name!r} is unknown: one of {', '.join(SETUP_FIELDS)}")
        options, draw = self.resolve(setup, more)
        pool = entries(options, draw)
        given = setup.get("modules") or {}
        chosen = symbols_first(given)
        tests, history = st.capacity(max(options["n_tests"], len(pool)), options["n_tests"] * options["max_rounds"])
        chosen = chosen.among(SEATS, SEAT_WORDS)
        symbols = 3 + sum(module.n_symbols for module in chosen)
        if symbols > st.MOST_SYMBOLS:
            raise RulesetError(f"modules declare {symbols - 3} symbols, at most {st.MOST_SYMBOLS - 3} are possible")
        actions = action_table(chosen.action_blocks())
        state = st.state_dtype(tests, history, symbols, chosen.state_fields(2))
        params = st.param_dtype(tests, chosen.param_fields())
        record = param_record(options, pool, params)
        chosen.fill_params(record[0], SEATS)
        bound = payoff_bound(options, pool)
        for module in chosen:
            bound *= module.payoff_factor
        pieces = chosen.pieces()
        longest = observe.layout(observe.WINDOW, symbols, len(actions), pieces).size
        return GameSpec(
            name=GAME,
            system=self.name,
            scenario=label,
            options={
                **options,
                "modules": {str(name): dict(v or {}) for name, v in (setup.get("modules") or {}).items()},
            },
            sources=Sources(
                files=FILES,
                constants={"TESTS": tests, "HISTORY": history, "SYMBOLS": symbols, "ACTIONS": len(actions)},
                state=state,
                params=params,
                **chosen.source_parts(),
                seats=2,
                words=1,
                observation=longest,  # one rule set for all windows
            ),
            params=record,
            seats=tuple(Seat(name, name, words=words) for name, words in zip(SEATS, SEAT_WORDS, strict=True)),
            actions=actions,
            layout=observe.layout(options["history_window"], symbols, len(actions), pieces),
            phases=(*st.PHASES, *chosen.phases()),
            texts=Texts(actions),
            result=result_lines,
            max_decisions=options["n_tests"] * (1 + len(chosen.actions()) + 2 * options["max_rounds"]),
            tallies=chosen.tallies(SEATS),
            voice=chosen.voice(),
            questions=PHASES,
            **chosen.payoffs(-bound, bound, True),
            simultaneous=True,
            no_op=st.Action.WAIT,
        )

    def resolve(
        self, setup: Mapping[str, Any], more: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], Draw | None]:
        """The checked options of a setup, and what the tests are drawn from where they are not given.

        Options of the preset, the tests of the setup, its options, and `more`: the later ones go on top.
        """
        options, draw = {}, None
        own = setup.get("options") or {}
        if not isinstance(own, Mapping):
            raise RulesetError(f"options = {own!r} is not allowed: a mapping name -> value, of {', '.join(OPTIONS)}")
        if "preset" in setup:
            name = setup["preset"]
            if not isinstance(name, str) or name not in PRESETS:
                hint = near(str(name), PRESETS)
                raise RulesetError(
                    f"scenario {name!r} is unknown in {GAME}: {', '.join(PRESETS)}, or a .json file{hint}"
                )
            options.update(PRESETS[name].options)
            draw = PRESETS[name].draw
        if "test" in setup and "tests" in setup:
            raise RulesetError("setup: test and tests are both given: one of them")
        tests = {"tests": [setup["test"]]} if "test" in setup else {k: setup[k] for k in setup if k == "tests"}
        for layer in (tests, own, more or {}):
            if layer.get("tests") is not None and "n_tests" not in layer:
                options.pop("n_tests", None)  # the number belonged to the tests of an earlier layer
            options.update(layer)
        if "preset" not in setup and options.get("tests") is None:
            draw = PRESETS[DEFAULT].draw
        return check_options(options), draw


SYSTEM = EwsRps()
