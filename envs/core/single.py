"""A single table of a game for step-by-step use: what PettingZoo's two forms have in common."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from gymnasium import spaces

from . import abi
from .abi import ENDED as GAME_ENDED
from .abi import LEGAL, OBSERVE, OVER, RETURNS, ROLL, TO_ACT, call_kernel, int64_at
from .abi import STOPPED as GAME_STOPPED
from .actions import LANGUAGES
from .batch import start_table
from .checks import check_seed
from .errors import ProbespielError, RulesetError
from .game import Game, Position
from .inner import inner
from .jit import driver
from .registry import make_game
from .rendering import RENDER_MODES, check_render_mode, picture_of, warn_of_no_mode
from .rng import derive_seed, rng_array

Observation = dict[str, np.ndarray] | np.ndarray

# What a compiled call needs to know, one int64 each; addresses unless said otherwise.
(
    KERNEL,
    PARAMS,
    STATE,
    STATE_SIZE,  # bytes
    RNG,
    BEFORE,  # float64[capacity], payoffs at the last step
    PAYOFF,  # float64[capacity]
    DELTA,  # float64[capacity], change of payoff in this step
    LEGAL_SETS,  # int64[n_seats, words], legal actions of the seats as they were last presented
    SCRATCH,  # int64[words]
    ACTIONS,  # int64[n_seats], the choices of a parallel step
    N_WORDS,
    N_ACTIONS,
    LENGTH,  # of an observation
    CAPACITY,
    N_SEATS,
    OBSERVATIONS,  # float32[rows, LENGTH], the block that rows are taken from
    MASKS,  # int8[rows, N_ACTIONS]
    BITS,  # seats of this cycle that still owe their decision
    CYCLES,  # cycles played: a cycle is over when all seats that owed a decision at the same time have answered
    LIMIT,  # cycles after which the game is truncated, -1 for none
    NO_OP,  # the action that a seat without a decision may name in a parallel step
    CONTEXT,  # how many there are
) = range(23)

# What a compiled step answers: a seat 0..62 (AEC) with flags; negative when nothing was done or the rules are broken.
SEAT, PAID, ENDED, STOPPED = 63, 64, 128, 256
REFUSED, STUCK, FAILED = -1, -2, -3

BLOCK_BYTES = 3 << 15  # rows come from blocks of about this size; a stored observation keeps its block alive

int8_at = abi.array_view("i1")


@driver
def present(context, seat, row, legal_set):
    """Write the mask and the observation of a seat into row `row`, its legal actions to `legal_set`; their number."""
    c = int64_at(context, CONTEXT)
    call_kernel(c[KERNEL], LEGAL, c[STATE], c[PARAMS], seat, 0, legal_set)
    words = int64_at(legal_set, c[N_WORDS])
    mask = int8_at(c[MASKS] + row * c[N_ACTIONS], c[N_ACTIONS])
    legal = 0
    for a in range(c[N_ACTIONS]):
        bit = (words[a >> 5] >> (a & 31)) & 1
        mask[a] = bit
        legal += bit
    observe_row(context, seat, row)
    return legal


@inner
def observe_into(context, seat, address):
    """Write the observation of a seat, float32[LENGTH], to an address."""
    c = int64_at(context, CONTEXT)
    abi.zero_bytes(address, 4 * c[LENGTH])
    call_kernel(c[KERNEL], OBSERVE, c[STATE], c[PARAMS], seat, 0, address)


@driver
def observe_row(context, seat, row):
    """Write the observation of a seat into row `row`."""
    c = int64_at(context, CONTEXT)
    observe_into(context, seat, c[OBSERVATIONS] + 4 * c[LENGTH] * row)


@driver
def observe_all(context, address):
    """Write the observations of all seats, float32[N_SEATS, LENGTH], to an address."""
    c = int64_at(context, CONTEXT)
    for seat in range(c[N_SEATS]):
        observe_into(context, seat, address + 4 * c[LENGTH] * seat)


@inner
def score(context):
    """Write the changes of payoff since the last call to DELTA; PAID if there is any, else 0."""
    c = int64_at(context, CONTEXT)
    call_kernel(c[KERNEL], RETURNS, c[STATE], c[PARAMS], 0, 0, c[PAYOFF])
    payoff = abi.float64_at(c[PAYOFF], c[CAPACITY])
    before = abi.float64_at(c[BEFORE], c[CAPACITY])
    delta = abi.float64_at(c[DELTA], c[CAPACITY])
    paid = 0
    for seat in range(c[N_SEATS]):
        delta[seat] = payoff[seat] - before[seat]
        before[seat] = payoff[seat]
        if delta[seat] != 0.0:
            paid = PAID
    return paid


@inner
def close_cycle(context):
    """When all have answered: throw the dice and count the cycle; flags ENDED or STOPPED, or an error."""
    c = int64_at(context, CONTEXT)
    call_kernel(c[KERNEL], ROLL, c[STATE], c[PARAMS], 0, 0, c[RNG])
    c[CYCLES] += 1
    bits = call_kernel(c[KERNEL], TO_ACT, c[STATE], c[PARAMS], 0, 0, 0)
    c[BITS] = bits
    if bits < 0:
        return FAILED
    if bits == 0:
        status = call_kernel(c[KERNEL], OVER, c[STATE], c[PARAMS], 0, 0, 0)
        if status == GAME_ENDED:
            return ENDED
        return STOPPED if status == GAME_STOPPED else STUCK
    if 0 <= c[LIMIT] <= c[CYCLES]:
        return STOPPED
    return 0


@inner
def first_question(context):
    """Set the table up and throw the first dice; flags as `close_cycle`."""
    c = int64_at(context, CONTEXT)
    start_table(c[KERNEL], c[STATE], c[PARAMS], c[STATE_SIZE], rng=abi.uint64_at(c[RNG], 1))
    before = abi.float64_at(c[BEFORE], c[CAPACITY])
    for seat in range(c[CAPACITY]):
        before[seat] = 0.0
    c[CYCLES] = -1  # closing the cycle before the first one makes it 0
    return close_cycle(context)


def space_of(game: Game, mask: str = "observation") -> spaces.Space[Any]:
    """What a seat observes: Dict(observation=Box float32[L], action_mask=Box int8[A]), or the Box alone."""
    low, high = game.layout.bounds()
    seen = spaces.Box(low, high, dtype=np.float32)
    if mask == "info":
        return seen
    return spaces.Dict(observation=seen, action_mask=spaces.Box(0, 1, (game.n_actions,), np.int8))


class SingleTable:
    """One table of a game for step-by-step use: record, dice, buffers and everything that both PettingZoo forms share.

    `illegal` says what an illegal action does: "raise" raises IllegalAction, the position is unchanged; "forfeit" ends
    the game against the offender's side, which ends with the lowest payoff of the game's range, all others with the
    highest. `mask` says where the mask of legal actions stands: "observation" makes observations {"observation":
    float32[L], "action_mask": int8[A]}; "info" makes them float32[L], and `infos` hold "action_mask", for libraries
    that take no nested observations. `max_cycles` (at least 1, or None) truncates after so many cycles; one cycle is
    over when all seats that owed a decision at the same time have answered. A game can be copied and pickled at any
    point.
    """

    render_modes: ClassVar[tuple[str, ...]] = RENDER_MODES
    agents: list[str]

    def __init__(
        self,
        game: Game | str,
        scenario: str | None = None,
        modules: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        illegal: str = "raise",
        max_cycles: int | None = None,
        mask: str = "observation",
        lang: str = "en",
        **config: Any,
    ) -> None:
        if isinstance(game, str):
            game = make_game(game, scenario, modules, **config)
        elif scenario is not None or modules or config:
            raise ProbespielError(
                "scenario, modules and options belong to a game given by name, not to a finished Game"
            )
        check_render_mode(render_mode)
        if illegal not in ("raise", "forfeit"):
            raise ProbespielError(f"illegal {illegal!r}: raise, forfeit")
        if mask not in ("observation", "info"):
            raise ProbespielError(f"mask {mask!r}: observation, info")
        if lang not in LANGUAGES:
            raise ProbespielError(f"lang {lang!r}: one of {', '.join(LANGUAGES)}")
        self.render_mode = render_mode
        self.illegal = illegal
        self.mask = mask
        self._mask_in_info = mask == "info"
        self.lang = lang
        self.metadata: dict[str, Any] = {
            "name": f"{game.name.replace('-', '_')}_v0",
            "render_modes": list(self.render_modes),
            "is_parallelizable": False,  # the parallel form is native, see parallel.py
        }
        self.possible_agents = [seat.name for seat in game.seats]
        self._seats = {name: seat for seat, name in enumerate(self.possible_agents)}
        self.agents = []
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            name: space_of(game, mask) for name in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            name: spaces.Discrete(game.n_actions) for name in self.possible_agents
        }
        self._data = np.zeros(1, dtype=game.state_dtype)
        self._rng: np.ndarray = rng_array(secrets.randbits(63))
        self._before = np.zeros(game.capacity)
        self._legal_sets = np.zeros((game.n_seats, game.words), dtype=np.int64)
        self._progress = np.array([0, 0, -1], dtype=np.int64)  # BITS, CYCLES, LIMIT
        self._forfeit: list[float] | None = None  # the final payoffs of a game that somebody forfeited
        self._bind(game)
        self.max_cycles = max_cycles

    def _bind(self, game: Game) -> None:
        """Take a game and collect the addresses of all arrays."""
        if self._data.dtype != game.state_dtype:
            raise RulesetError(f"game {game.name}: the state record has other fields than when this was stored")
        self.game = game
        self._payoff, self._delta = np.zeros(game.capacity), np.zeros(game.capacity)
        self._scratch = np.zeros(game.words, dtype=np.int64)
        self._actions = np.zeros(game.n_seats, dtype=np.int64)
        self._context = c = np.zeros(CONTEXT, dtype=np.int64)
        c[[KERNEL, PARAMS, STATE_SIZE]] = game.address, game.params_address, game.state_size
        c[[N_WORDS, N_ACTIONS, LENGTH]] = game.words, game.n_actions, game.layout.size
        c[[CAPACITY, N_SEATS, NO_OP]] = game.capacity, game.n_seats, game.spec.no_op
        for index, array in [
            (STATE, self._data),
            (BEFORE, self._before),
            (PAYOFF, self._payoff),
            (DELTA, self._delta),
            (LEGAL_SETS, self._legal_sets),
            (SCRATCH, self._scratch),
            (ACTIONS, self._actions),
        ]:
            c[index] = array.ctypes.data
        c[BITS : LIMIT + 1] = self._progress
        self._progress = c[BITS : LIMIT + 1]
        self._address: int = c.ctypes.data
        self._set_rng(self._rng)
        self._pending = game.kernel.pending
        self._n_actions = game.n_actions
        self._no_mask = np.zeros(game.n_actions, dtype=np.int8)
        self._no_mask.flags.writeable = False
        row_bytes = 4 * game.layout.size + game.n_actions
        self._block = max(BLOCK_BYTES // row_bytes, 2 * game.n_seats)
        self._rows: list[tuple[np.ndarray, np.ndarray]] = []
        self._row = self._end = 0

    def _set_rng(self, rng: np.ndarray) -> None:
        self._rng = rng
        self._context[RNG] = rng.ctypes.data

    def _seen(self, observation: np.ndarray, mask: np.ndarray) -> Observation:
        """An observation in the form that `mask` asks for."""
        return observation if self._mask_in_info else {"observation": observation, "action_mask": mask}

    def _info(self, mask: np.ndarray) -> dict[str, Any]:
        """The info that goes with a mask."""
        return {"action_mask": mask} if self._mask_in_info else {}

    def _refill(self) -> None:
        """A new block of rows; the old one lives as long as somebody holds a row of it."""
        observations = np.empty((self._block, self.game.layout.size), dtype=np.float32)
        masks = np.empty((self._block, self._n_actions), dtype=np.int8)
        self._context[OBSERVATIONS] = observations.ctypes.data
        self._context[MASKS] = masks.ctypes.data
        self._rows = list(zip(observations, masks))
        self._row, self._end = 0, self._block

    @property
    def max_cycles(self) -> int | None:
        """Cycles after which the game is truncated, or None."""
        limit = int(self._context[LIMIT])
        return None if limit < 0 else limit

    @max_cycles.setter
    def max_cycles(self, cycles: int | None) -> None:
        if cycles is not None and (isinstance(cycles, bool) or not isinstance(cycles, int) or cycles < 1):
            raise ProbespielError(f"max_cycles {cycles!r}: an integer from 1 on, or None")
        self._context[LIMIT] = -1 if cycles is None else cycles

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """As `space_of`; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Discrete(A), the same object each time."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        low, high = self.game.layout.bounds()
        seats = self.game.n_seats
        return spaces.Box(np.tile(low, seats), np.tile(high, seats), dtype=np.float32)

    def state(self) -> np.ndarray:
        """What all seats know together: their observations in seat order, float32[n_seats * L]."""
        out = np.empty(self.game.n_seats * self.game.layout.size, dtype=np.float32)
        observe_all(self._address, out.ctypes.data)
        self._raise_pending()
        return out

    @property
    def position(self) -> Position:
        """A copy of the position, for texts, search and replays."""
        return Position(self.game, data=self._data.copy())

    def render(self) -> str | np.ndarray | None:
        """The public view: a text in mode "ansi", printed in "human", uint8[600, 800, 3] in "rgb_array"."""
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        text = self.position.told(None, self.lang)
        if self.render_mode == "human":
            print(text)
            return None
        return picture_of(text) if self.render_mode == "rgb_array" else text

    def close(self) -> None:
        """Nothing is held open."""

    def _start_dice(self, seed: int | None) -> None:
        """Before a reset: new dice for a seed, else the old ones go on; the same dice as `game.position(seed)`."""
        self._forfeit = None
        if seed is not None:
            self._rng[0] = derive_seed(check_seed(seed), "position")

    def _index(self, action: Any) -> int:
        """The id that an action of any type stands for, -1 for what is none."""
        if isinstance(action, (bool, np.bool_)):
            return -1
        try:
            number = operator.index(action)
        except TypeError:
            return -1
        return number if 0 <= number < self._n_actions else -1

    def _raise_pending(self) -> None:
        if self._pending:
            self.game.kernel.raise_pending()

    def _fail(self, code: int) -> NoReturn:
        """Raise what a broken rule set calls for."""
        self._raise_pending()
        position = self.position
        seats = ", ".join(self.possible_agents[s] for s in position.to_act()) or "nobody"
        raise RulesetError(
            f"game {self.game.name}, code {code}: the game goes on, but {seats} is to act in phase "
            f"{position.phase()!r} and has no legal action"
        )

    def _forfeit_by(self, offenders: set[int]) -> list[float]:
        """End the game against the sides of the offending seats; the last rewards of all seats."""
        losing = {self.game.seats[seat].side for seat in offenders}
        low, high = self.game.spec.payoff_range
        self._forfeit = [low if seat.side in losing else high for seat in self.game.seats]
        return [final - before for final, before in zip(self._forfeit, self._before.tolist())]

    def payoffs(self) -> dict[str, float]:
        """Payoff of every seat so far, or as a forfeit set it."""
        values = self.position.returns().tolist() if self._forfeit is None else self._forfeit
        return dict(zip(self.possible_agents, values))

    # Copies: the arrays travel, everything that holds addresses is bound anew.
    _bound = ("game", "_payoff", "_delta", "_scratch", "_actions", "_context", "_address", "_pending", "_rows", "_row",
              "_end", "_block", "_no_mask", "_n_actions")  # fmt: skip

    def _portable(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self._bound}

    def __getstate__(self) -> dict[str, Any]:
        return {**self._portable(), "game": self.game}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in state.items() if name != "game"})
        self._bind(state["game"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(deepcopy(self._portable(), memo))
        twin._bind(self.game)
        return twin

    def __copy__(self) -> Self:
        return deepcopy(self)  # two tables never share a record
