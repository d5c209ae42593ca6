"""Exact play of konfrontation between two factions: backward induction with a matrix game at every pair of bids.

A tie is bid again, so a matrix game holds its own value in the cells of ties. With V_0 the value of a draw, V_n is the
value of the matrix with V_{n-1} in those cells: the value of bidding with n ties to go (specification, section 7). What
follows a decided pair of bids does not depend on the ties before it, so one matrix serves all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.core import abi
from ...envs.core.game import Game, Position
from ...envs.core.jit import digest
from ...envs.konfrontation import state as st
from ..base import Agent, AgentError, Param, Requests, View
from ..matrix_game import Floats, Solution, solve_zero_sum
from ..policy_net import draw
from .equilibrium_kernel import DEPTH, bid_payoffs

_CACHED = 1 << 14  # bid games that are remembered by all solvers together
_REMEMBERED = 1 << 16  # decisions whose mixture a solver remembers


@dataclass(frozen=True, slots=True)
class BidGame:
    """A pair of simultaneous bids: payoffs float64[bids of seat 0, bids of seat 1] of seat 0, `tied` where they tie.

    `draw` is the value of a draw, `ties` how many ties may follow each other, the last one drawn.
    """

    payoffs: Floats
    tied: np.ndarray
    draw: float
    ties: int

    def levels(self) -> tuple[Solution, ...]:
        """Solutions with 1, 2, ... `ties` ties to go; the last one stands for all further ones (cached)."""
        key = (self.payoffs.shape, self.payoffs.tobytes(), self.tied.tobytes(), self.draw, self.ties)
        if key not in _LEVELS:
            if len(_LEVELS) >= _CACHED:
                _LEVELS.pop(next(iter(_LEVELS)))
            _LEVELS[key] = tuple(self._solve())
        return _LEVELS[key]

    def matrix(self, again: float) -> Floats:
        """The matrix with the value of bidding again in the tied cells."""
        return np.where(self.tied, again, self.payoffs)

    def _solve(self) -> list[Solution]:
        out, again = [], self.draw
        for _ in range(self.ties):
            out.append(solve_zero_sum(self.matrix(again)))
            value = out[-1].value
            if value == again or not self.tied.any():
                break
            again = value
        return out

    def solution(self, ties: int) -> Solution:
        """The solution with that many ties to go, 1..`ties`."""
        levels = self.levels()
        return levels[min(ties, len(levels)) - 1]


_LEVELS: dict[Any, tuple[Solution, ...]] = {}


def forget_bid_games() -> None:
    """Empty the memory of solved bid games, as measurements of speed need it."""
    _LEVELS.clear()


class TooLarge(AgentError):
    """A game with too many positions to be solved."""


class ConfrontationSolver:
    """The exact solution of a game of two factions, position by position, remembered.

    Raises AgentError for games that it cannot solve: more than two factions, or rule modules. `limit` bounds the
    positions that are looked at; beyond it TooLarge is raised.
    """

    def __init__(self, game: Game, limit: int = 1_000_000) -> None:
        if game.spec.system != "konfrontation":
            raise AgentError(f"{game.name} is no game of konfrontation")
        if game.n_seats != 2:
            raise AgentError(
                f"{game.name} has {game.n_seats} factions: only games of two are zero-sum between two sides"
            )
        if game.spec.options.get("modules"):
            raise AgentError("rule modules may change what bids lead to: the solver plays the base rules only")
        self.game = game
        self.limit = limit
        self.positions = 0
        self._values: dict[bytes, float] = {}
        self._games: dict[Any, BidGame] = {}
        self._mixtures: dict[bytes, np.ndarray] = {}
        self._clash = bool(game.params.clash)
        self._stack = np.zeros((DEPTH, game.state_size), dtype=np.uint8)
        offset = {name: field[1] for name, field in (game.state_dtype.fields or {}).items()}
        self._at = {name: place // 8 for name, place in offset.items()}  # every field is made of 8 bytes
        # what the future depends on: the frame and the holdings; and, while one is on, the confrontation
        self._frame = slice(offset["turn"], offset["worth"])
        self._parts = (
            slice(offset["attacker"], offset["sealed"]),
            slice(offset["winner"], offset["result"]),
            slice(offset["phase"], offset["pc"]),
        )
        # and, of the ties and votes so far, how many ties are to go
        ties = slice(offset["ties"], offset["winner"])
        self._future = np.r_[self._frame, *self._parts, ties]

    def _key(self, position: Position) -> bytes:
        data = position.to_bytes()
        if not int(position.record.active):
            return data[self._frame]
        return b"".join([data[self._frame], *[data[part] for part in self._parts]])

    def future(self, position: Position) -> bytes:
        """All that what may follow depends on, but for what is sealed: equal in equal positions."""
        return np.frombuffer(position.to_bytes(), dtype=np.uint8)[self._future].tobytes()

    def _alike(self, position: Position) -> tuple[Any, ...]:
        """What the bids of a clash depend on: clashes that differ only in names and slots share it."""
        at, x = self._at, np.frombuffer(position.to_bytes(), dtype=np.int64).tolist()
        kind, target = x[at["kind"]], x[at["target"]]
        seats = (x[at["attacker"]], x[at["defender"]])

        def unit(seat: int, u: int) -> tuple[bool, bool, int]:
            place = st.UNITS * seat + u
            return u >= st.CHARACTERS, x[at["nature"] + place] == kind, x[at["value"] + place]

        def units(side: int, bits: int) -> tuple[tuple[bool, bool, int], ...]:
            return tuple(sorted(unit(seats[side], u) for u in range(st.UNITS) if bits >> u & 1))

        held = [x[at["units"] + seat] for seat in seats]
        parties = [x[at["commit"] + side] for side in (0, 1)]
        if target < st.UNITS:
            aim: Any = unit(seats[1], target), parties[1] >> target & 1
        elif target < st.T_POWER:
            aim = x[at["extent"] + st.RESOURCES * seats[1] + target - st.T_RESOURCE]
        else:
            aim = target
        room = tuple((bits & st.ALL_CHARACTERS).bit_count() for bits in held)
        room += tuple((bits & st.ALL_SUPPORTS).bit_count() for bits in held)
        slots = tuple(x[at["resources"] + seat].bit_count() for seat in seats)
        return (
            seats,
            tuple(x[at["power"] + seat] for seat in seats),
            x[at["strength"]] - x[at["strength"] + 1],
            (target < st.UNITS, st.UNITS <= target < st.T_POWER, aim),
            units(0, parties[0]),
            units(1, parties[1]),
            units(0, held[0]) if self.game.params.demand_any else None,
            room,
            slots,
        )

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, position: Position) -> float:
        """Payoff of seat 0 when both sides play best from here; sealed choices must not lie in the record."""
        if position.over:
            return float(position.returns()[0])
        if faces := position.die():
            return sum(self.value(self.after_die(position, face)) for face in range(faces)) / faces
        phase = int(position.record.phase)
        if phase in (st.Phase.BID, st.Phase.VOTE):
            return self.bid_game(position).solution(self._to_go(position)).value
        key = self._key(position)
        known = self._values.get(key)
        if known is None:
            self._count()
            seat = position.to_act()[0]
            values = [self.value(self._after(position, seat, action)) for action in position.legal(seat)]
            known = self._values[key] = max(values) if seat == 0 else min(values)
        return known

    def _count(self) -> None:
        self.positions += 1
        if self.positions > self.limit:
            raise TooLarge(
                f"{self.game.name} ({self.game.spec.scenario}) has more than {self.limit:,} positions to solve"
            )

    @staticmethod
    def _after(position: Position, seat: int, action: int) -> Position:
        twin, game = position.clone(), position.game
        abi.call_from_python(game.address, abi.APPLY, twin.address, game.params_address, seat, action)
        game.kernel.raise_pending()
        return twin

    @staticmethod
    def after_die(position: Position, face: int) -> Position:
        """What follows when the die shows that face."""
        twin = position.clone()
        twin.fall(face)
        return twin

    def _to_go(self, position: Position) -> int:
        return int(self.game.params.max_ties) - int(position.record.ties)

    # --- bids ---------------------------------------------------------------------------------------------------------

    def bid_game(self, position: Position) -> BidGame:
        """The bid game of a position in which bids or votes are due, whatever the ties before."""
        twin = position
        if int(position.record.phase) != st.Phase.BID or int(position.record.ties):
            twin = position.clone()
            record = twin.record
            record.phase = record.ask_phase = st.Phase.BID
            for name in ("ties", "sealed", "vote", "total"):
                setattr(record, name, 0)
        key = self._alike(twin) if self._clash else self._key(twin)
        known = self._games.get(key)
        if known is None:
            known = self._games[key] = self._matrix_of(twin)
        return known

    def _matrix_of(self, position: Position) -> BidGame:
        s, p = position.record, self.game.params
        seats = (int(s.attacker), int(s.defender))
        strength = {seats[0]: int(s.strength[0]), seats[1]: int(s.strength[1])}
        bids = [len(position.legal(seat)) for seat in (0, 1)]
        totals = [strength[seat] + np.arange(bids[seat]) for seat in (0, 1)]
        tied = totals[0][:, None] == totals[1][None, :]
        payoffs = np.zeros(tied.shape)
        if self._clash:
            self._stack[0] = np.frombuffer(position.to_bytes(), dtype=np.uint8)
            game = self.game
            bid_payoffs(
                game.address,
                game.params_address,
                self._stack,
                game.words,
                capacity=game.capacity,
                first=st.Action.BID,
                tied=tied,
                payoffs=payoffs,
            )
            self.positions += int((~tied).sum())
            game.kernel.raise_pending()
        else:
            for i, j in np.argwhere(~tied):
                self._count()
                payoffs[i, j] = self.value(self._revealed(position, int(i), int(j)))
        empty = int(s.power[0]) == 0 and int(s.power[1]) == 0
        ties = 1 if empty else int(p.max_ties)
        value = 0.0
        if tied.any() and not self._clash:
            i, j = (int(x) for x in np.argwhere(tied)[0])
            last = position.clone()
            last.record.ties = int(p.max_ties) - 1  # the next tie is drawn
            value = self.value(self._revealed(last, i, j))
        return BidGame(payoffs, tied, value, ties)

    def _revealed(self, position: Position, bid_0: int, bid_1: int) -> Position:
        return self._after(self._after(position, 0, st.Action.BID + bid_0), 1, st.Action.BID + bid_1)

    # --- play ---------------------------------------------------------------------------------------------------------

    def chances(self, position: Position, seat: int) -> dict[int, float]:
        """How a seat that owes a decision plays: action -> chance; pure but for bids (the lowest of equal actions)."""
        legal = position.legal(seat)
        if not legal:
            raise AgentError(f"seat {seat!r} owes no decision now")
        phase = int(position.record.phase)
        if phase == st.Phase.BID:
            solution = self.bid_game(position).solution(self._to_go(position))
            mixture = solution.row if seat == 0 else solution.column
            return {action: float(mixture[action - st.Action.BID]) for action in legal}
        if phase == st.Phase.VOTE:
            game = self.bid_game(position)
            gain = game.solution(self._to_go(position)).value - game.draw
            fight = gain > 0 if seat == 0 else gain < 0
            return {
                action: float(action == (st.Action.VOTE_FIGHT if fight else st.Action.VOTE_DRAW)) for action in legal
            }
        values = [self.value(self._after(position, seat, action)) for action in legal]
        best = int(np.argmax(values) if seat == 0 else np.argmin(values))
        return {action: float(i == best) for i, action in enumerate(legal)}

    def mixtures(self, requests: Requests) -> np.ndarray:
        """`chances` of many decisions, float64[m, A]; the same position is looked at once."""
        out = np.zeros(requests.masks.shape, dtype=np.float64)
        known = self._mixtures
        keys = requests.worlds()[:, self._future]
        for i, (future, seat) in enumerate(zip(keys, requests.seats.tolist())):
            key = b"%d:%b" % (seat, future.tobytes())
            if key in known:
                out[i] = known[key]
                continue
            for action, chance in self.chances(requests.world(i), seat).items():
                out[i, action] = chance
            if len(known) < _REMEMBERED:
                known[key] = out[i].copy()
        return out


_SOLVERS: dict[str, ConfrontationSolver] = {}


def solver_of(game: Game, limit: int = 1_000_000) -> ConfrontationSolver:
    """The solver of a game, shared by all that play it in this process."""
    key = digest([game.kernel.key, str(game.kernel.compiled), game.spec.params.tobytes().hex(), str(limit)])
    if key not in _SOLVERS:
        _SOLVERS[key] = ConfrontationSolver(game, limit)
    return _SOLVERS[key]


class EquilibriumAgent(Agent):
    """Exact equilibrium of a confrontation between two factions (HiGHS at every pair of bids); small campaigns, too."""

    params = (Param("limit", 1_000_000, "positions after which a game counts as too large", 1, 10**9, (), int),)

    def __init__(self, limit: int = 1_000_000) -> None:
        self.limit: int = self.params[0].check(limit)
        self.name = "equilibrium"

    def prepare(self, game: Game) -> None:
        """Solve the game from its start; raises AgentError if it is too large or not of this kind."""
        solver = solver_of(game, self.limit)
        try:
            solver.value(Position(game))
        except TooLarge as error:
            raise AgentError(f"agent {self.name!r}: {error}; the baseline matrix plays campaigns of any size") from None

    def looks_at(self, game: Game) -> frozenset[str]:
        """Nothing that is seen: it solves the position (`ConfrontationSolver.future`)."""
        return frozenset()

    def probabilities(self, requests: Requests) -> np.ndarray:
        """The chances of all actions, float64[m, A]."""
        return solver_of(requests.game, self.limit).mixtures(requests)

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        return draw(self.probabilities(requests), requests.seeds)

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])


__all__ = ["BidGame", "ConfrontationSolver", "EquilibriumAgent", "TooLarge", "forget_bid_games", "solver_of"]
