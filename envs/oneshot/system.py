"""OneShot as a system: games, scenarios, modules, and the declaration of a game."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..core.build import Sources
from ..core.errors import RulesetError
from ..core.game import GameSpec, Position, Seat
from ..core.modules import ModuleSet, load_modules
from ..core.modules.asking import MOST_ANSWERS
from ..core.observe import Layout, Piece
from ..core.options import Option
from ..core.setups import options_of, plain
from ..core.system import SetupSystem
from ..core.texts import IN_ORDER
from . import actions, dicing, hooks, services
from . import record as rec
from . import state as st
from .build import duel
from .build import fight as build_fight
from .build import rules as build
from .build.ending import result_lines as build_result
from .build.text import SEATS as BUILDERS
from .build.text import BuildTexts
from .character import figures as sheets
from .mission import (
    battle,
    errand,
    generator,
    groups,
    party,
    pursuer,
    rooms,
    unseen,
)
from .mission import (
    observe as observe_mission,
)
from .mission import (
    rules as mission,
)
from .mission.ending import result_lines as mission_result
from .mission.text import MissionTexts
from .module import INTERFACE
from .params import GAMES, OPTIONS, check_options
from .parley import observe as observe_talk
from .parley import rules as parley
from .parley import talk
from .parley.ending import ending_lines as parley_result
from .parley.text import TalkTexts
from .presets import presets
from .seen import named
from .skirmish import arms, clock, effects, fight, ground, numbers, observe, pilots
from .skirmish import rules as skirmish
from .skirmish.ending import result_lines as fight_result
from .text import QUESTIONS, SEAT_WORDS, FightTexts, seat_words

FIGHT_FILES = (dicing, ground, hooks, numbers, services, sheets, pursuer, clock, effects, arms, fight, observe)
MISSION_FILES = (
    *FIGHT_FILES, observe_talk, talk, generator, errand, groups, battle, rooms, unseen, party, observe_mission, mission,
)  # fmt: skip


class OneShot(SetupSystem):
    """The system object of OneShot."""

    name = "oneshot"
    interface = INTERFACE
    games = ("oneshot-skirmish", "oneshot-parley", "oneshot-build", "oneshot-mission")
    titles = {
        "oneshot": ("OneShot", "OneShot"),
        "oneshot-skirmish": ("OneShot: fight", "OneShot: Kampf"),
        "oneshot-parley": ("OneShot: talk", "OneShot: Gespräch"),
        "oneshot-build": ("OneShot: two builds", "OneShot: Figurenbau"),
        "oneshot-mission": ("OneShot: mission", "OneShot: Mission"),
    }
    about = {
        "oneshot-skirmish": (
            "A fight on a grid by initiative: move, strike, feint, take cover.",
            "Ein Kampf auf dem Raster nach Initiative: ziehen, zuschlagen, täuschen, in Deckung gehen.",
        ),
        "oneshot-parley": (
            "A talk: win somebody over, or find out a lie, before the patience ends.",
            "Ein Gespräch: jemanden gewinnen oder eine Lüge erkennen, ehe die Geduld endet.",
        ),
        "oneshot-build": (
            "Both buy a character in secret, then the two are matched.",
            "Beide bauen im Geheimen einen Charakter, dann treten die zwei an.",
        ),
        "oneshot-mission": (
            "A party on a mission: places, guards, talks and a clock.",
            "Eine Gruppe auf einer Mission: Orte, Wachen, Gespräche und eine Uhr.",
        ),
    }
    parts = ("figures", "obstacles", "cover", "mode", "speaker", "counterpart", "companions", "heroes")
    contents = "config and the parts of the scenario"

    def scenarios(self, game: str) -> tuple[str, ...]:
        """Presets of a game, its default first."""
        return tuple(presets(self.kind(game)))

    def invariants(self, position: Position) -> Iterator[str]:
        """7.8 for fights: who has more wounds than the limit is down, and nobody has less than no wounds."""
        if self.kind(position.game.name) not in ("skirmish", "mission") or position.die() or position.record.pending:
            return
        s = position.record
        for i in range(len(s.x)):
            if s.standing[i] == st.Status.ABSENT or s.team[i] == 2:
                continue
            if s.wounds[i] < 0 or (s.wounds[i] > s.limit[i] and s.standing[i] == st.Status.UP):
                yield f"figure {i} is up with {s.wounds[i]} wounds of {s.limit[i]}"

    @staticmethod
    def kind(game: str) -> str:
        """skirmish, parley, build or mission."""
        kind = game.partition("-")[2]
        if kind not in GAMES:
            raise RulesetError(f"game {game!r} is unknown: one of {', '.join(f'oneshot-{g}' for g in GAMES)}")
        return kind

    def preset(self, game: str, name: str) -> dict[str, Any] | None:
        """A preset of the game."""
        return presets(self.kind(game)).get(name)

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of section 5, with the defaults of the game."""
        own = check_options({}, self.kind(game))
        return {name: replace(option, default=own[name]) for name, option in OPTIONS.items()}

    def values(self, spec: GameSpec) -> dict[str, Any]:
        """Options stand in the part `config`."""
        return check_options(spec.options.get("config") or {}, self.kind(spec.name))

    def bench(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game for tests of a module: builds fight it out on the grid, where modules have a say."""
        if self.kind(game) == "build" and modules:
            config = {"pilot": "grid", **config}
        return self.spec(game, scenario, config, modules)

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """A build whose modules belong to the other seats: all else is alike there; raises RulesetError elsewhere."""
        if more := sorted(set(options) - {"config", "modules"}):
            raise RulesetError(f"{more[0]}: whoever sits here differs, so that the seats cannot exchange their roles")
        out = copy.deepcopy(options)
        for values in (out.get("modules") or {}).values():
            if values and values.get("seats") is not None:
                values["seats"] = [1 - (BUILDERS.index(s) if isinstance(s, str) else s) for s in values["seats"]]
        return out

    def spec_of_setup(self, setup: Mapping[str, Any], game: str, label: str = "custom") -> GameSpec:
        """A game from a complete setup (the shape of a preset, with `modules`)."""
        whole = plain(setup)
        kind = self.kind(game)
        modules = load_modules(INTERFACE, whole.get("modules"))
        inner = {k: v for k, v in whole.items() if k != "modules"}
        on_grid = (
            kind == "build" and isinstance(inner.get("config"), Mapping) and inner["config"].get("pilot") == "grid"
        )
        if not on_grid or all("skirmish" not in (module.levels or ()) for module in modules):
            modules.check_level(kind)  # in a build that is fought out rules of fights hold as well
        options = options_of(whole)
        if kind == "skirmish":
            return self._skirmish(inner, options, label, modules)
        if kind == "build":
            return self._build(inner, options, label, modules)
        if kind == "mission":
            return self._mission(inner, options, label, modules)
        return self._parley(inner, options, label, modules)

    def _skirmish(self, setup: Mapping[str, Any], options: dict[str, Any], label: str, modules: ModuleSet) -> GameSpec:
        checked, figures, params, kit = rec.skirmish(setup, modules.param_fields())
        modules = modules.among([f["name"] for f in figures], [seat_words(f["name"]) for f in figures])
        modules.fill_params(rec.as_record(params), [f["name"] for f in figures])
        n = len(figures)
        capacity = 2 if n == 2 else 8
        by_team = checked["control"] == "team"
        macro = checked["move_mode"] == "macro"
        table = actions.table("skirmish", macro, modules.action_blocks())
        sizes = (checked["grid_width"], checked["grid_height"])
        layout = Layout([*named(observe.fight_pieces(*sizes)), *modules.pieces()])
        largest = Layout([*observe.fight_pieces(st.GRID_MAX, st.GRID_MAX), *modules.pieces()])
        sources = Sources(
            files=(*FIGHT_FILES, skirmish),
            constants={"MISSION": False, "MACRO": macro},
            state=st.skirmish_state(capacity, modules.state_fields(capacity)),
            params=params.dtype,
            **modules.source_parts(),
            seats=capacity,
            words=table.words,
            observation=largest.size,
        )
        names = [f["name"] for f in figures]
        if by_team:
            seats = tuple(Seat(team, team, "team", words=SEAT_WORDS[team]) for team in rec.TEAMS)
        else:
            sides = [rec.TEAMS[f["team"]] for f in figures]
            seats = tuple(
                Seat(f["name"], side, "figure", seat_words(f["name"]), SEAT_WORDS[side])
                for f, side in zip(figures, sides, strict=True)
            )
        margin = checked["utility"] == "margin"
        return GameSpec(
            name="oneshot-skirmish",
            system=self.name,
            scenario=label,
            options=options,
            sources=sources,
            params=params,
            seats=seats,
            actions=table,
            layout=layout,
            phases=(*st.PHASES, *modules.phases()),
            texts=FightTexts(names, list(kit.weapons), table, checked["hidden_stats"]),
            result=fight_result,
            max_decisions=int(params["max_decisions"][0]),
            stops=True,
            tallies=modules.tallies([f["name"] for f in figures]),
            voice=modules.voice(),
            questions=QUESTIONS,
            **modules.payoffs(*((-4.0, 4.0) if margin else (-1.0, 1.0)), len(seats) == 2),
            simultaneous=modules.sealed,
        )

    def _build(self, setup: Mapping[str, Any], options: dict[str, Any], label: str, modules: ModuleSet) -> GameSpec:
        checked, params, kit = rec.build(setup, modules.param_fields())
        modules = modules.among(BUILDERS, [SEAT_WORDS[name] for name in BUILDERS], st.OPTIONS_MAX)
        modules.fill_params(rec.as_record(params), list(BUILDERS))
        table = actions.table("build", modules=modules.action_blocks())
        layout = Layout(
            [
                *named(
                    [
                        Piece("choices", (st.STAGES, st.OPTIONS_MAX), 0, 1, "own choice of every stage, one-hot"),
                        Piece("stage", (st.STAGES,), 0, 1, "the stage that is chosen now"),
                        Piece("budgets", (4,), -1, 1, "gear budget left / 20; own body, mind, charisma"),
                    ]
                ),
                *modules.pieces(),
            ]
        )
        on_grid = checked["pilot"] == "grid"
        margin = on_grid and checked["utility"] == "margin"
        fighting = (*FIGHT_FILES, skirmish, duel, build, pilots, build_fight)
        sources = Sources(
            files=fighting if on_grid else (hooks, dicing, ground, numbers, services, duel, build),
            constants={"MISSION": False, "MACRO": False} if on_grid else {},
            state=st.build_state(on_grid, modules.state_fields(2)),
            params=params.dtype,
            **modules.source_parts(),
            seats=2,
            words=table.words,
            observation=layout.size,
        )
        return GameSpec(
            name="oneshot-build",
            system=self.name,
            scenario=label,
            options=options,
            sources=sources,
            params=params,
            seats=tuple(Seat(name, name, words=words) for name, words in IN_ORDER),
            actions=table,
            layout=layout,
            phases=(*st.PHASES, *modules.phases()),
            texts=BuildTexts(checked, kit, table),
            result=build_result,
            max_decisions=2 * st.STAGES + _asked_besides(modules),
            tallies=modules.tallies(BUILDERS),
            voice=modules.voice(),
            questions=QUESTIONS,
            **modules.payoffs(*((-4.0, 4.0) if margin else (-1.0, 1.0)), True),
            simultaneous=True,
        )

    def _mission(self, setup: Mapping[str, Any], options: dict[str, Any], label: str, modules: ModuleSet) -> GameSpec:
        checked, heroes, params, kit = rec.mission(setup, modules.param_fields())
        modules = modules.among(
            [h["name"] for h in heroes], [seat_words(h["name"]) for h in heroes], len(actions.table("mission"))
        )
        modules.fill_params(rec.as_record(params), [h["name"] for h in heroes])
        macro = checked["move_mode"] == "macro"
        table = actions.table("mission", macro, modules.action_blocks())
        sizes = (checked["grid_width"], checked["grid_height"])
        layout = Layout([*named(observe_mission.mission_pieces(*sizes)), *modules.pieces()])
        largest = Layout([*observe_mission.mission_pieces(st.GRID_MAX, st.GRID_MAX), *modules.pieces()])
        sources = Sources(
            files=MISSION_FILES,
            constants={"MISSION": True, "MACRO": macro, "CUSTOM": modules.interface.first_action},
            state=st.mission_state(modules.state_fields(st.PARTY_FIGURES)),
            params=params.dtype,
            **modules.source_parts(),
            seats=st.HEROES,
            words=table.words,
            observation=largest.size,
        )
        names = [h["name"] for h in heroes]
        saga = checked["utility"] == "saga"
        return GameSpec(
            name="oneshot-mission",
            system=self.name,
            scenario=label,
            options=options,
            sources=sources,
            params=params,
            seats=tuple(Seat(name, "party", "hero", seat_words(name), SEAT_WORDS["party"]) for name in names),
            actions=table,
            layout=layout,
            phases=(*st.PHASES, *modules.phases()),
            texts=MissionTexts(
                names,
                list(kit.weapons),
                [a["name"] for a in kit.archetypes],
                table,
                checked["hidden_stats"],
                list(kit.tools),
                _against(params),
            ),
            result=mission_result,
            max_decisions=int(params["max_decisions"][0]),
            stops=True,
            tallies=modules.tallies([h["name"] for h in heroes]),
            voice=modules.voice(),
            questions=QUESTIONS,
            **modules.payoffs(*((0.0, 5.0) if saga else (0.0, 1.0)), False),
            simultaneous=modules.sealed,
        )

    def _parley(self, setup: Mapping[str, Any], options: dict[str, Any], label: str, modules: ModuleSet) -> GameSpec:
        checked, _, params = rec.parley(setup, modules.param_fields())
        mode = setup.get("mode", "solo")
        names = {"claim": ("liar", "listener"), "claim_solo": ("speaker", "listener")}.get(
            mode, ("speaker", "counterpart")
        )
        if mode == "versus":
            names = ("first", "second")
        modules = modules.among(names, [SEAT_WORDS[name] for name in names], len(actions.table("parley")))
        modules.fill_params(rec.as_record(params), names)
        table = actions.table("parley", modules=modules.action_blocks())
        layout = Layout([*named(observe_talk.talk_pieces()), *modules.pieces()])
        sources = Sources(
            files=(hooks, dicing, ground, numbers, services, observe_talk, talk, parley),
            constants={
                "TALK": st.ParleyAction.TALK.value,
                "DECLINE": st.ParleyAction.DECLINE.value,
                "SAGA": st.ParleyAction.SAGA.value,
                "LUCK": st.ParleyAction.LUCK.value,
            },
            state=st.parley_state(modules.state_fields(2)),
            params=params.dtype,
            **modules.source_parts(),
            seats=2,
            words=table.words,
            observation=layout.size,
        )
        if mode == "solo":
            talking: tuple[str, ...] = ("speaker",)
        elif mode == "claim_solo":
            talking = ("listener",)
        else:
            talking = names
        seats = tuple(Seat(name, name, name, SEAT_WORDS[name]) for name in talking)
        low, high = (checked["payoffs"][2], checked["payoffs"][0]) if mode == "solo" else (-1.0, 1.0)
        return GameSpec(
            name="oneshot-parley",
            system=self.name,
            scenario=label,
            options=options,
            sources=sources,
            params=params,
            seats=seats,
            actions=table,
            layout=layout,
            phases=(*st.PHASES, *modules.phases()),
            texts=TalkTexts(names, mode, table, _against(params)),
            result=parley_result,
            max_decisions=int(params["max_decisions"][0]) + _asked_besides(modules),
            stops=True,
            tallies=modules.tallies(names),
            voice=modules.voice(),
            questions=QUESTIONS,
            **modules.payoffs(float(low), float(high), len(seats) == 2),
            simultaneous=checked["build_choice"] == "choose" or modules.sealed,
        )


def _against(params: Any) -> int:
    """R71: what is added to the attribute that resists words."""
    return int(params["social_offset"][0]) + int(params["social_tie"][0])


def _asked_besides(modules: ModuleSet) -> int:
    """Decisions that modules may ask for beside those of the rules, whose games have so few that they are counted."""
    return MOST_ANSWERS if modules.action_blocks() else 0


SYSTEM = OneShot()
