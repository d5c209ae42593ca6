"""konfrontation as a system: games, scenarios, modules, and the declaration of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.game import GameSpec, Seat
from ..core.modules import ModuleSet, load_modules
from ..core.options import Option, filled
from ..core.setups import merge_modules, options_of, plain
from ..core.system import SetupSystem
from . import bench as bench_setups
from . import confrontation, hooks, legality, observe, rules, scoring, seen, services
from . import state as st
from .actions import action_table
from .bounds import payoff_bounds, payoff_range
from .ending import result_lines
from .module import INTERFACE
from .params import OPTIONS, Checked, check_setup, longest, param_record
from .presets import presets
from .text import PHASE_TEXTS, KonfrontationTexts, words_of

FILES = (hooks, services, legality, confrontation, scoring, rules, observe)
MODE_OF = {"konfrontation-clash": "clash", "konfrontation-campaign": "campaign"}


class Konfrontation(SetupSystem):
    """The system object of konfrontation."""

    name = "konfrontation"
    games = tuple(MODE_OF)
    titles = {
        "konfrontation": ("Konfrontationen", "Konfrontationen"),
        "konfrontation-clash": ("Konfrontationen: one clash", "Konfrontationen: eine einzelne"),
        "konfrontation-campaign": ("Konfrontationen: campaign", "Konfrontationen: Kampagne"),
    }
    about = {
        "konfrontation-clash": (
            "One confrontation of two factions, decided by who takes part and by sealed bids of power.",
            "Eine Konfrontation zweier Fraktionen: wer antritt, und wer verdeckt wie viel Power setzt.",
        ),
        "konfrontation-campaign": (
            "Factions gather power, recruit, build, and take from each other what they cannot have in peace.",
            "Fraktionen sammeln Power, werben an, bauen auf, und nehmen einander, was sie nicht im Guten bekommen.",
        ),
    }
    interface = INTERFACE
    contents = "mode, factions and other parameters"
    handicap_unit = ("power point", "power points")
    bookkeeping = bench_setups.BOOKKEEPING
    control = bench_setups.CONTROL

    def bench_scenario(self, game: str) -> str:
        """One in which both sides have power to spare."""
        return "debate" if MODE_OF[game] == "clash" else super().bench_scenario(game)

    def bench_options(self, game: str) -> dict[str, Any]:
        """The same of a campaign."""
        return {"start_power": 6} if MODE_OF[game] == "campaign" else {}

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of section 5, the same in both modes."""
        return OPTIONS

    def values(self, spec: GameSpec) -> dict[str, Any]:
        """Options stand side by side with the factions."""
        return filled(OPTIONS, {name: value for name, value in spec.options.items() if name in OPTIONS})

    def handicap(self, options: dict[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
        """Options with `amount` power more for some factions at the start; raises RulesetError."""
        return bench_setups.handicap(options, seats, amount)

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the order of the factions reversed."""
        return bench_setups.mirrored(options)

    def scenarios(self, game: str) -> tuple[str, ...]:
        """Presets of a game, its default first."""
        return tuple(name for name, setup in presets().items() if setup["mode"] == MODE_OF[game])

    def preset(self, game: str, name: str) -> dict[str, Any] | None:
        """A preset of any mode."""
        return presets().get(name)

    def changed(
        self, setup: Mapping[str, Any], config: Mapping[str, Any], modules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A set-up with options on top: all of its parameters stand side by side."""
        out = {**setup, **config}
        return {**out, "modules": merge_modules(out.get("modules"), modules)}

    def spec_of_setup(self, setup: Mapping[str, Any], game: str | None = None, label: str = "custom") -> GameSpec:
        """A game from a complete set-up: parameters of section 5, and `modules`."""
        setup = plain(setup)
        modules = load_modules(INTERFACE, setup.get("modules"))
        checked = check_setup(setup, modules)
        mode = checked.options["mode"]
        wanted = next(g for g, m in MODE_OF.items() if m == mode)
        if game is not None and game != wanted:
            raise RulesetError(f"mode = {mode!r} is not allowed in {game}: play it as {wanted}")
        return self._declare(wanted, label, setup, checked, modules)

    def _declare(
        self, game: str, label: str, setup: Mapping[str, Any], checked: Checked, modules: ModuleSet
    ) -> GameSpec:
        n = len(checked.factions)
        capacity = 2 if n == 2 else st.MAXF
        layout = seen.named(observe.layout(modules.pieces()))
        names = [faction.name for faction in checked.factions]
        words = words_of(names, setup.get("factions") is not None and label not in presets())
        modules = modules.among(names, [words.get(name) for name in names])
        actions = action_table(modules.action_blocks())
        params = st.param_dtype(capacity, modules.param_fields())
        sources = Sources(
            files=FILES,
            constants={"MAXF": capacity},
            state=st.state_dtype(capacity, modules.state_fields(capacity)),
            params=params,
            **modules.source_parts(),
            seats=capacity,
            words=modules.words(),
            observation=layout.size,
        )
        clash = checked.options["mode"] == "clash"
        roles = [("attacker" if f == checked.attacker else "defender") if clash else "" for f in range(n)]
        return GameSpec(
            name=game,
            system=self.name,
            scenario=label,
            options=options_of(setup),
            sources=sources,
            params=param_record(checked, modules, params),
            seats=tuple(Seat(name, name, role, words.get(name)) for name, role in zip(names, roles, strict=True)),
            actions=actions,
            layout=layout,
            phases=(*st.PHASES, *modules.phases()),
            texts=KonfrontationTexts(names, actions, words),
            result=result_lines,
            max_decisions=longest(checked.options) * (4 if len(modules) else 1) + 1,
            stops=True,
            tallies=modules.tallies(names),
            voice=modules.voice(),
            questions=PHASE_TEXTS,
            **modules.payoffs(*payoff_range(checked.options), True, payoff_bounds(checked)),
            simultaneous=True,
            aliases=dict.fromkeys([*names, *(said for both in words.values() for said in both)], "faction:1")
            if n == 2
            else {},
            no_op=st.Action.WAIT,
            picking={"decl_commit": st.Action.DONE, "defend": st.Action.DONE},
        )


SYSTEM = Konfrontation()
