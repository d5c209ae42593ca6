"""What a rules system offers to the rest of the project."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from .checks import anything, near
from .errors import RulesetError
from .game import GameSpec, Position
from .modules import Interface, built_in
from .options import Option
from .setups import merge_modules, naming_the_file, read_scenario


class System(ABC):
    """A rules system: its games, their presets and options, and what tests and the stress lab need to know of it.

    `about`: a line on each game, in English and German; `titles`: what people call the system and its games in both,
    where that is not their name; `reference`: the system is here for comparison with the work of
    others, not for its own sake. `handicap_unit`: the unit of exchange in which the worth of a rule can be told, one
    and many. `bookkeeping`, `control` and `counted`: fields of the state record that do not make up the position, that
    only tell how a question came about, and that hold what was paid so far and only gets more added to it.
    `keys_of_futures`: all is public, and positions have equal keys where their futures are equal, whatever led there
    and can still be seen of it; else a key is that of all that a seat has seen and done.
    """

    name: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    interface: ClassVar[Interface]  # what rule modules can hook into
    about: ClassVar[Mapping[str, tuple[str, str]]] = {}
    titles: ClassVar[Mapping[str, tuple[str, str]]] = {}
    reference: ClassVar[bool] = False
    handicap_unit: ClassVar[tuple[str, str]] = ("unit", "units")
    bookkeeping: ClassVar[tuple[str, ...]] = ()
    control: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[tuple[str, ...]] = ()
    keys_of_futures: ClassVar[bool] = False

    def title(self, name: str, lang: str) -> str:
        """What people call this system or one of its games, in a language."""
        return self.titles.get(name, (name, name))[lang == "de"]

    @abstractmethod
    def scenarios(self, game: str) -> tuple[str, ...]:
        """Names of the presets of a game; the first is the default."""

    def modules(self) -> tuple[str, ...]:
        """Names of the built-in rule modules."""
        return built_in(self.interface)

    @abstractmethod
    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """Validate everything and declare the game; raises RulesetError."""

    def restore(self, game: str, label: str, options: Mapping[str, Any]) -> GameSpec:
        """The declaration whose `options` these are, under its scenario's name; raises RulesetError.

        They come on top of the scenario (but see `SetupSystem`).
        """
        rest = {key: value for key, value in options.items() if key != "modules"}
        return self.spec(game, label, rest, options.get("modules") or {})

    def declared(self, game: str) -> Mapping[str, Option]:
        """The options of a game with their defaults and what is allowed.

        A system that does not declare them has those of its default scenario, without what is allowed.
        """
        options = self.spec(game, None, {}, {}).options
        return {name: Option(value, anything, "") for name, value in options.items() if name != "modules"}

    def values(self, spec: GameSpec) -> dict[str, Any]:
        """The value of every option of `declared` in a game, defaults filled in."""
        return {name: spec.options.get(name, option.default) for name, option in self.declared(spec.name).items()}

    def bench(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """The game in which a rule is put to the test; without a scenario that of the bench. Raises RulesetError."""
        if scenario is None:
            scenario, config = self.bench_scenario(game), {**self.bench_options(game), **config}
        return self.spec(game, scenario, config, modules)

    def bench_scenario(self, game: str) -> str:
        """The scenario in which a rule is put to the test if none is named, one of `scenarios`."""
        return self.scenarios(game)[0]

    def bench_options(self, game: str) -> dict[str, Any]:
        """Options that the bench sets on top of that scenario."""
        return {}

    def limited(self, options: dict[str, Any], decisions: int) -> dict[str, Any]:
        """Options under which a game is stopped after so many decisions.

        By default the options as they are: games of most systems end by their own limit of decisions.
        """
        return options

    def invariants(self, position: Position) -> Iterator[str]:
        """What does not hold in a position although it always should, in words."""
        return iter(())

    @property
    def can_handicap(self) -> bool:
        """Whether there is a unit of exchange."""
        return type(self).handicap is not System.handicap

    def handicap(self, options: dict[str, Any], seats: Sequence[str], amount: int) -> dict[str, Any]:
        """Options under which each of the seats has `amount` units more (less, if negative).

        Raises RulesetError if there is no such unit, or none is left.
        """
        raise RulesetError(f"{self.name}: the system names no handicap")

    @property
    def can_mirror(self) -> bool:
        """Whether the seats can exchange their roles."""
        return type(self).mirrored is not System.mirrored

    def mirrored(self, options: dict[str, Any]) -> dict[str, Any]:
        """Options with the order of the seats reversed; raises RulesetError if that is not possible."""
        raise RulesetError(f"{self.name}: the system cannot exchange the roles of its seats")

    @property
    def can_equip(self) -> bool:
        """Whether sides can be equipped with loadouts."""
        return type(self).equip is not System.equip

    def equip(self, options: Mapping[str, Any], loadouts: Mapping[str, str]) -> dict[str, Any]:
        """Options under which some sides have a loadout, each a text; the rules stay the same. Raises RulesetError."""
        raise RulesetError(f"{self.name}: the system has no loadouts")

    def loadouts(self, budget: int, prices: Mapping[str, Any], characters: Sequence[str] = ()) -> list[str]:
        """All loadouts that a budget buys, with some prices changed; raises RulesetError."""
        raise RulesetError(f"{self.name}: the system has no loadouts")


class SetupSystem(System):
    """A system whose games are declared by complete set-ups, as presets, scenario files and worked examples give them.

    A set-up is a mapping with `config`, `modules` and the `parts` of the system. The options of a game are its set-up,
    so that a preset that has changed since changes nothing for a game that is restored. `contents` are those of a
    scenario file, in words.
    """

    parts: ClassVar[tuple[str, ...]] = ()
    contents: ClassVar[str]

    @abstractmethod
    def preset(self, game: str, name: str) -> dict[str, Any] | None:
        """The set-up of a preset, a fresh object; None if there is none of that name."""

    @abstractmethod
    def spec_of_setup(self, setup: Mapping[str, Any], game: str, label: str = "custom") -> GameSpec:
        """Validate a complete set-up and declare its game; raises RulesetError."""

    def setup_of(self, game: str, scenario: str | None) -> dict[str, Any]:
        """The set-up of a preset (None: the default) or of a scenario file; raises RulesetError."""
        known = self.scenarios(game)
        name = known[0] if scenario is None else str(scenario)
        setup = read_scenario(Path(name), self.contents) if name.endswith(".json") else self.preset(game, name)
        if setup is None:
            raise RulesetError(
                f"scenario {name!r} is unknown in {game}: {', '.join(known)}, or a .json file{near(name, known)}"
            )
        return setup

    def changed(
        self, setup: Mapping[str, Any], config: Mapping[str, Any], modules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A set-up with options on top: those named like a part replace it, the others go into `config`."""
        options = dict(config)
        out = {**setup, **{part: options.pop(part) for part in self.parts if part in options}}
        own = setup.get("config") or {}
        out["config"] = {**own, **options} if isinstance(own, Mapping) else own  # what is no mapping is refused later
        out["modules"] = merge_modules(setup.get("modules"), modules)
        return out

    def spec(self, game: str, scenario: str | None, config: Mapping[str, Any], modules: Mapping[str, Any]) -> GameSpec:
        """A game from a scenario, with options and modules on top of it."""
        own, label = self.setup_of(game, scenario), self.label(game, scenario)
        with naming_the_file(scenario, lambda: self.spec_of_setup(self.changed(own, {}, {}), game, label)):
            return self.spec_of_setup(self.changed(own, config, modules), game, label)

    def label(self, game: str, scenario: str | None) -> str:
        """The name under which a game of a scenario goes."""
        return self.scenarios(game)[0] if scenario is None else str(scenario)

    def restore(self, game: str, label: str, options: Mapping[str, Any]) -> GameSpec:
        """The declaration whose options these are: a complete set-up."""
        return self.spec_of_setup(options, game, label)


__all__ = ["SetupSystem", "System"]
