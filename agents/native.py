"""Compiled baselines: policies written beside a system's rules, one C function per rule set.

Functions marked `@kernel` with arguments `(s, p, seat, rng)` return an action id. They may call functions of the rules,
and may read only what their seat may know. A system names its own in its declaration (`agents/declaration.py`); those
of `agents/common.py` play every system.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ..envs.core.build import Function, build_function
from ..envs.core.errors import RulesetError
from ..envs.core.game import Game
from ..envs.core.jit import digest
from ..envs.core.modules import asking
from ..envs.core.rooms import room_of, system_names
from . import common
from .base import Agent, AgentError, NativePolicy, Param, Requests, View
from .declaration import Baseline, Outlook, Remembered, Sight, agents_of, lineup_of
from .fitted import HORIZON, FittedOutlook, asked, shipped_outlook
from .native_kernel import Questions, act_native
from .policy_net import PolicyError
from .search_kernel import BAD_POLICY


def _tables_of(system: str) -> tuple[Mapping[str, Baseline], ...]:
    return common.BASELINES, agents_of(system).baselines


def _files(system: str) -> tuple[ModuleType, ...]:
    functions = [b.function for table in _tables_of(system) for b in table.values()]
    return tuple(sys.modules[name] for name in dict.fromkeys(f.__module__ for f in functions))


def _with_helpers(files: Iterable[ModuleType]) -> tuple[ModuleType, ...]:
    """The files and, before each, those beside it, or policies among the rules, whose kernel functions it uses."""
    out: dict[str, ModuleType] = {}

    def add(module: ModuleType) -> None:
        if module.__name__ in out:
            return
        for value in vars(module).values():
            home = getattr(value, "__module__", None) or ""
            if getattr(value, "__kernel__", False) and home != module.__name__ and _beside(home):
                add(sys.modules[home])
        out[module.__name__] = module

    for module in files:
        add(module)
    return tuple(out.values())


def files_of(function: Callable[..., object]) -> tuple[ModuleType, ...]:
    """The file of a kernel function of this floor, and those that it needs, as `build_function` wants them."""
    return _with_helpers([sys.modules[function.__module__]])


@cache
def _beside(name: str) -> bool:
    # in a room of this floor, or a policy among the rules; what else baselines call belongs to the rule set
    rooms = [room_of(system, "agents") for system in system_names()]
    own = name == common.__name__ or name.startswith(tuple(f"{room}." for room in rooms if room is not None))
    return own or getattr(sys.modules.get(name), "POLICIES", False)


def baselines_of(system: str) -> dict[str, Baseline]:
    """Baselines that play a system, by name; those of every system first."""
    every, own = _tables_of(system)
    for name in own:
        if name in every:
            raise RulesetError(f"baseline {name!r} of the system {system!r} is known already")
    return {**every, **own}


def heuristics_of(game: Game) -> list[str]:
    """Baselines of the system that play this game; those that every system has are none."""
    own = agents_of(game.spec.system).baselines
    return [name for name, baseline in own.items() if not baseline.games or game.name in baseline.games]


def bulky_of(game: Game) -> np.ndarray:
    """Actions of blocks that are too large to try all of them, as a set, int64[W]; see `narrow` of the search."""
    words = np.zeros(game.words, dtype=np.int64)
    for name in lineup_of(game).bulky:
        size = next(len(block.codes) for block in game.actions.blocks if block.name == name)
        for action in range(game.actions.starts[name], game.actions.starts[name] + size):
            words[action >> 5] |= 1 << (action & 31)
    return words


def outlook_of(game: Game) -> Outlook | None:
    """How a search may value positions of a game, or None."""
    found = lineup_of(game).outlook
    return found if found is None or isinstance(found, Outlook) else found(game)


def native_outlook(game: Game, outlook: Outlook) -> Function:
    """The compiled outlook, an entry (op, s, p, -, -, out): op 0 asks for the clock, op 1 for the payoffs."""
    home = sys.modules[outlook.estimate.__module__]
    key = digest([game.kernel.key, str(game.kernel.compiled), game.spec.system, "outlook"])
    if key not in _BUILT:
        lines = ["def look(op, s_address, p_address, a, b, out_address):"]
        lines += ["    s, p = state_at(s_address), params_at(p_address)"]
        lines += ["    if op == 0:", "        return _clock(s, p)"]
        lines += ["    _estimate(s, p, float64_at(out_address, CAPACITY))", "    return 0", ""]
        glue = "\n".join(lines).replace("CAPACITY", str(game.capacity))
        names = {"_clock": outlook.clock, "_estimate": outlook.estimate}
        files = _with_helpers([home])
        try:
            _BUILT[key] = build_function(game.kernel, game.spec.sources, files, glue, "look", -1, names)
        except NumbaError as error:
            raise AgentError(
                f"the outlook of {game.spec.system} cannot be compiled for {game.name}: {error}"
            ) from error
    return _BUILT[key]


def native_sight(game: Game, sight: Sight) -> Function:
    """The compiled sight: an entry (op, s, p, seat, -, out), CLOCK or SEE."""
    key = digest([game.kernel.key, str(game.kernel.compiled), game.spec.system, "sight"])
    if key not in _BUILT:
        lines = ["def see(op, s_address, p_address, a, b, out_address):"]
        lines += ["    s, p = state_at(s_address), params_at(p_address)"]
        lines += ["    if op == 0:", "        return _clock(s, p)"]
        lines += [f"    _features(s, p, a, float32_at(out_address, {sight.size}))", "    return 0", ""]
        names = {"_clock": sight.clock, "_features": sight.features}
        files = _with_helpers([sys.modules[sight.features.__module__]])
        try:
            glue = "\n".join(lines)
            _BUILT[key] = build_function(game.kernel, game.spec.sources, files, glue, "see", -1, names)
        except NumbaError as error:
            raise AgentError(f"the sight of {game.spec.system} cannot be compiled for {game.name}: {error}") from error
    return _BUILT[key]


def native_clock(game: Game, clock: Callable[..., int], name: str) -> Function:
    """A function (s, p) of a record that tells a time or a place in the game, compiled: an entry (0, s, p, -, -, -)."""
    key = digest([game.kernel.key, str(game.kernel.compiled), game.spec.system, name])
    if key not in _BUILT:
        glue = "def look(op, s_address, p_address, a, b, out_address):\n"
        glue += "    return _clock(state_at(s_address), params_at(p_address))\n"
        files = _with_helpers([sys.modules[clock.__module__]])
        try:
            _BUILT[key] = build_function(game.kernel, game.spec.sources, files, glue, "look", -1, {"_clock": clock})
        except NumbaError as error:
            raise AgentError(f"{name} of {game.spec.system} cannot be compiled for {game.name}: {error}") from error
    return _BUILT[key]


OUTLOOK = Param(
    "outlook",
    "auto",
    "what values positions in place of the rest of the game: none, a file that `probespiel outlook` has written, or "
    "auto: what the game has",
)
HORIZON_PARAM = Param(
    "horizon",
    None,
    "rounds simulated before the outlook values the position, or with one that has no clock decisions beyond the tree; "
    "0: never; none: as the game says",
    0,
    10**6,
    (),
    int,
    True,
)


@dataclass(frozen=True)
class Ahead:
    """How far a search simulates, and what values a position there.

    `outlook` is the address of a compiled outlook (0: none), called with `memory`; it is asked when its clock, or with
    `ticks` the number of decisions, has moved on by `horizon` (0: never). `c` and `margin` as in `declaration.Outlook`.
    `functions` may hold errors of interpreted ones; `keep` must live as long as it is used.
    """

    outlook: int = 0
    memory: int = 0
    horizon: int = 0
    ticks: bool = False
    c: float = 1.0
    margin: float = 1.0
    functions: tuple[Function, ...] = ()
    keep: Any = None

    def raise_pending(self) -> None:
        """Raise the first error that an interpreted outlook met."""
        for function in self.functions:
            if function.pending:
                raise function.pending.pop()


def ahead_of(game: Game, horizon: int | None, outlook: str = "auto") -> Ahead:
    """What values positions of a game, and how far ahead; for the parameters of a search of these names.

    Of a game with an outlook of its own and one that is fitted, `auto` means the first. Raises AgentError for a file
    that is none or does not fit, and for a horizon where there is no outlook.
    """
    known = outlook_of(game) if outlook == "auto" else None
    found = None
    if outlook == "auto":
        found = shipped_outlook(game) if known is None else None
    elif outlook != "none":
        try:
            found = FittedOutlook.load(Path(outlook))
        except PolicyError as error:
            raise AgentError(f"outlook = {outlook!r}: {error}") from None
    if known is None and found is None:
        if horizon:
            raise AgentError(f"horizon = {horizon} is not allowed: {game.name} has no outlook; leave it out, or 0")
        return Ahead()
    if known is not None:
        steps = known.horizon if horizon is None else int(horizon)
        if not steps:
            return Ahead()
        look = native_outlook(game, known)
        return Ahead(look.address, 0, steps, False, known.c, known.margin, (look,))
    assert found is not None
    sight = lineup_of(game).sight
    steps = (HORIZON if sight is None else sight.horizon) if horizon is None else int(horizon)
    if not steps:
        return Ahead()
    look = None if sight is None else native_sight(game, sight)
    ready = asked(game, found, look)
    functions = (ready.function, *(() if look is None else (look,)))
    c, margin = (1.0, 1.0) if sight is None else (sight.c, sight.margin)
    return Ahead(ready.function.address, ready.block, steps, sight is None, c, margin, functions, ready)


def raise_status(
    game: Game, status: int, policies: Iterable[NativePolicy], aheads: Iterable[Ahead], param: str = "rollout"
) -> None:
    """Raise what went wrong in a compiled search: errors of interpreted parts, or what its status tells.

    `param` is the parameter that named the policies.
    """
    game.kernel.raise_pending()
    for policy in policies:
        policy.raise_pending()
    for ahead in aheads:
        ahead.raise_pending()
    if status == BAD_POLICY:
        raise AgentError(f"{param}: the policy answered an action that is not legal")
    if status < 0:
        raise AgentError(f"{game.name}: a seat that owes a decision has no legal action")


_BUILT: dict[str, Function] = {}
ANOTHER = -1  # in place of a baseline's number: an address to call, and with what


def native_policy(
    game: Game, name: str, values: Mapping[str, Any] | None = None, memory: Remembered | None = None
) -> NativePolicy:
    """The compiled baseline `name` for a game; raises AgentError with the baselines that the game has.

    `values` are checked values of its parameters; the others have their defaults. `memory` is what its baseline makes
    for the game, of somebody who wants to look into it.
    """
    files = _files(game.spec.system)
    table, plays, key = _playing(game)
    if name not in plays:
        raise AgentError(f"baseline {name!r} does not play {game.name}: {', '.join(plays)} do")
    if key not in _BUILT:
        _BUILT[key] = _build(game, files, table, plays)
    built = _BUILT[key]
    baseline, number = table[name], list(table).index(name)
    given = values or {}
    numbers = np.array([float(given.get(param.name, param.default)) for param in baseline.params])
    if memory is None and baseline.memory is not None:
        memory = baseline.memory(game)
    block = np.array([number, numbers.ctypes.data, 0 if memory is None else memory.address], dtype=np.int64)
    return NativePolicy(built.address, block.ctypes.data, (built, block, numbers, memory), built.pending)


def is_built(game: Game) -> bool:
    """Whether the baselines of a game can be asked at once, without being compiled first."""
    return not game.kernel.compiled or _playing(game)[2] in _BUILT


def _playing(game: Game) -> tuple[dict[str, Baseline], list[str], str]:
    """The baselines of a game's system, the names of those that play it, and the key of what is built of them."""
    table = baselines_of(game.spec.system)
    plays = [n for n, b in table.items() if not b.games or game.name in b.games]
    return table, plays, digest([game.kernel.key, str(game.kernel.compiled), game.spec.system, *plays])


def of_another(game: Game, policy: NativePolicy) -> NativePolicy:
    """A compiled policy of any function, to be called as the baselines of a game are, by their address."""
    key = _playing(game)[2]
    if key not in _BUILT:
        native_policy(game, "random")
    built = _BUILT[key]
    block = np.array([ANOTHER, policy.address, policy.which], dtype=np.int64)
    return NativePolicy(built.address, block.ctypes.data, (built, block, policy), built.pending)


def _build(game: Game, files: tuple[ModuleType, ...], table: dict[str, Baseline], plays: list[str]) -> Function:
    # Each function goes by a name of its own: two files may well use one name for different functions.
    lines = ["def policy(which, s_address, p_address, seat, k, rng_address):"]
    lines += ["    s, p, rng = state_at(s_address), params_at(p_address), uint64_at(rng_address, 1)"]
    lines += ["    block = int64_at(which, 3)  # number, address of the values, address of the memory"]
    lines += ["    number, values_address, memory = block[0], block[1], block[2]"]
    lines += [f"    if number == {ANOTHER}:"]
    lines += ["        return _another(values_address, memory, s_address, p_address, seat, k, rng_address)"]
    if game.spec.sources.asking:
        lines += ["    if _held(s):", "        return _reply(s, p, seat, rng)"]
    for index, (name, baseline) in enumerate(table.items()):
        if name not in plays:
            continue  # written for other records, and it would take its time to compile
        more = f", float64_at(values_address, {len(baseline.params)}), memory" if baseline.takes_more else ""
        if baseline.style is not None:
            more += f", {baseline.style} + 0 * number"  # numba compiles a callee anew for every literal
        lines += [f"    if number == {index}:"]
        lines += [f"        return _baseline{index}(s, p, seat, rng{more})"]
    lines += ["    return -1", ""]
    names = {f"_baseline{index}": b.function for index, (name, b) in enumerate(table.items()) if name in plays}
    names["_another"] = common.another
    if game.spec.sources.asking:
        names |= {"_held": asking.held, "_reply": common.reply}
    try:
        return build_function(
            game.kernel, game.spec.sources, _with_helpers((common, *files)), "\n".join(lines), "policy", -1, names
        )
    except NumbaError as error:
        raise AgentError(f"baselines of {game.spec.system} cannot be compiled for {game.name}: {error}") from error


def play_native(policy: NativePolicy, requests: Requests) -> np.ndarray:
    """What a compiled policy answers to requests, int64[m].

    It runs on records in which all that the seat cannot know was dealt anew, so that a policy that reads only what it
    may answers as it does in a compiled match.
    """
    game = requests.game
    actions = np.zeros(len(requests), dtype=np.int64)
    act_native(
        policy.address,
        policy.which,
        game.address,
        game.params_address,
        questions=Questions(
            worlds=requests.deals(),
            seats=requests.seats,
            seeds=requests.seeds,
            rngs=np.zeros(len(requests), dtype=np.uint64),
            actions=actions,
        ),
    )
    policy.raise_pending()
    game.kernel.raise_pending()
    return actions


class BaselineAgent(Agent):
    """A compiled baseline as an agent."""

    def __init__(self, baseline: str, **values: Any) -> None:
        self.baseline = self.name = baseline
        self.values = values
        self._policies: dict[int, tuple[Game, NativePolicy]] = {}

    def prepare(self, game: Game) -> None:
        """Compile the system's baselines for the rule set."""
        self.native(game)

    def native(self, game: Game) -> NativePolicy:
        """The compiled policy; raises AgentError if it does not play the game."""
        if id(game) not in self._policies:
            self._policies[id(game)] = (game, native_policy(game, self.baseline, self.values))
        return self._policies[id(game)][1]

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> Any:
        """Many decisions, int64[m]."""
        return play_native(self.native(requests.game), requests)
