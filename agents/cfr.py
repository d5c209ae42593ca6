"""Solving small games by Monte Carlo counterfactual regret minimization, and playing the solution as `cfr:file=...`.

Lanctot, Waugh, Zinkevich and Bowling 2009, Monte Carlo Sampling for Regret Minimization in Extensive Games (NIPS);
floors and linear averages after Tammelin 2014 (CFR+) and Brown and Sandholm 2019 (linear CFR). In games of two seats
whose payoffs sum to zero the average strategy approaches an equilibrium; elsewhere it comes without a bound.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from ..envs.core.archive import read_arrays
from ..envs.core.build import general_function
from ..envs.core.disk import replacing
from ..envs.core.game import Game
from ..envs.core.rng import rng_array
from ..envs.core.rooms import folder_of
from .abstraction import abstraction_hash, build_abstraction
from .base import Agent, AgentError, NativePolicy, Param, Requests, View
from .cfr_kernel import (
    BAD_RULES,
    ENTRIES,
    FULL,
    INFO_COLUMNS,
    ITERATIONS,
    STATES,
    TOO_DEEP,
    Settings,
    Tables,
    Work,
    draw_rows,
    fill_chances,
    iterate,
    play_saved,
    rehash,
)
from .native import play_native
from .position_keys import position_keys, reading_of

FORMAT = "probespiel-cfr"
VERSION = 1
MAX_BYTES = 4 << 30  # of a strategy file, unpacked
MAX_DEPTH = 1024  # own decisions in a game
REGRETS = ("plus", "linear", "plain")
AVERAGES = ("linear", "uniform")
SAMPLINGS = ("external", "outcome")


@dataclass(frozen=True)
class SavedStrategy:
    """A behaviour strategy for every seat of one game.

    `keys` int64[M] ascending: hashes of information states; `starts` int64[M + 1]; `chances` float64[E], those of state
    i, one for each legal action in ascending order, from `starts[i]` to `starts[i + 1]`. `manifest` says what it
    belongs to. An information state that is not there is played uniformly over its legal actions. With `pieces` in the
    manifest, keys are not of information states but of positions, told apart by these pieces (`position_keys`).
    """

    manifest: Mapping[str, Any]
    keys: np.ndarray
    starts: np.ndarray
    chances: np.ndarray

    @property
    def by_position(self) -> bool:
        """Whether its keys are those of positions."""
        return "pieces" in self.manifest

    def probabilities(self, requests: Requests) -> np.ndarray:
        """The chances of all actions, float64[m, A]."""
        out = np.zeros(requests.masks.shape, dtype=np.float64)
        keys = requests.keys
        if self.by_position:
            worlds = requests.worlds().view(np.int64)
            keys = position_keys(requests.game, worlds, reading_of(requests.game, self.manifest["pieces"]))
        fill_chances(self.keys, self.starts, self.chances, keys, seats=requests.seats, words=requests.words, out=out)
        return out

    def save(self, path: str | Path) -> None:
        """Write a compressed npz file (without pickles); raises OSError."""
        text = json.dumps(dict(self.manifest), sort_keys=True).encode()
        with replacing(Path(path)) as file:
            np.savez_compressed(
                file,
                manifest=np.frombuffer(text, dtype=np.uint8),
                keys=self.keys,
                sizes=np.diff(self.starts).astype(np.int32),
                chances=self.chances.astype(np.float32),
            )

    @classmethod
    def load(cls, path: str | Path) -> SavedStrategy:
        """Read such a file; raises AgentError for one that is missing, damaged or of another kind."""
        where = Path(path)
        if not where.is_file():
            raise AgentError(f"file = {str(path)!r}: there is no such file")
        try:
            found = read_arrays(where, ("manifest", "keys", "sizes", "chances"), MAX_BYTES)
            manifest = json.loads(found["manifest"].astype(np.uint8).tobytes().decode())
        except (OSError, ValueError) as error:
            raise AgentError(f"file = {str(path)!r}: not a strategy file: {error}") from None
        try:
            return cls._checked(manifest, found["keys"], found["sizes"], found["chances"])
        except AgentError as error:
            raise AgentError(f"file = {str(path)!r}: {error}") from None

    @classmethod
    def _checked(cls, manifest: Any, keys: np.ndarray, sizes: np.ndarray, chances: np.ndarray) -> SavedStrategy:
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise AgentError(f"the manifest does not say {FORMAT}")
        if manifest.get("version") != VERSION:
            raise AgentError(f"version {manifest.get('version')!r} of the format; this program reads version {VERSION}")
        pieces = manifest.get("pieces", [])
        if not isinstance(pieces, list) or not all(isinstance(name, str) for name in pieces):
            raise AgentError(f"pieces = {pieces!r} in the manifest: a list of names")
        wanted = [("keys", keys, np.int64), ("sizes", sizes, np.int32), ("chances", chances, np.float32)]
        for name, array, dtype in wanted:
            if array.dtype != dtype or array.ndim != 1:
                raise AgentError(f"array {name} is {array.dtype}{list(array.shape)}, not {np.dtype(dtype)}[n]")
        if len(keys) != len(sizes) or (len(sizes) and sizes.min() < 1) or int(sizes.sum()) != len(chances):
            raise AgentError("sizes of the arrays do not fit")
        if np.any(keys[1:] <= keys[:-1]):
            raise AgentError("keys do not ascend")
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        exact = chances.astype(np.float64)
        if not np.all(np.isfinite(exact)) or np.any(exact < 0):
            raise AgentError("chances that are negative or not finite")
        if len(keys):
            sums = np.add.reduceat(exact, starts[:-1])
            if np.any(np.abs(sums - 1.0) > 1e-3):
                raise AgentError("chances that do not add up to 1")
            exact /= np.repeat(sums, sizes)
        return cls(manifest, keys, starts, exact)

    def check_game(self, game: Game) -> None:
        """Raise AgentError naming what differs if the strategy was made for another game."""
        mine = describe_game(game)
        if self.manifest.get("abstraction"):
            # it speaks of places in a hand, not of cards: it plays every scenario of the game by the same abstraction
            if self.manifest.get("game") != game.name:
                raise AgentError(f"the strategy was made for {self.manifest.get('game')}, not for {game.name}")
            if self.manifest["abstraction"] != abstraction_hash(game.spec.system):
                raise AgentError(f"the abstraction of {game.spec.system} has changed: solve the game again")
            return
        for key, what in [
            ("ruleset", "rules"),
            ("actions", "action layout"),
            ("options", "options"),
            ("seats", "seats"),
        ]:
            if self.manifest.get(key) != mine[key]:
                made = self.manifest.get("game")
                detail = _difference(self.manifest.get(key), mine[key])
                raise AgentError(f"the strategy was made for {made} with other {what}: {detail}")
        for piece in self.manifest.get("pieces", ()):
            if piece not in game.layout.offsets:
                raise AgentError(f"the strategy tells positions apart by {piece!r}, which {game.name} does not show")


def sure_strategy(game: Game, keys: np.ndarray, sizes: np.ndarray, choices: np.ndarray, **more: Any) -> SavedStrategy:
    """The strategy that makes one choice at each information state; `more` goes into its manifest.

    `keys`, `sizes`, `choices` int64[m], in any order: what a state is found by, how many actions are legal, and the
    place of the chosen one among them.
    """
    order = np.argsort(keys)
    starts = np.concatenate([[0], np.cumsum(sizes[order])]).astype(np.int64)
    chances = np.zeros(int(starts[-1]))
    chances[starts[:-1] + choices[order]] = 1.0
    manifest = {"format": FORMAT, "version": VERSION, **describe_game(game), "abstraction": "", "states": len(order)}
    return SavedStrategy({**manifest, **more}, keys[order], starts, chances)


def describe_game(game: Game) -> dict[str, Any]:
    """What a strategy must agree with: rules, options, action layout, seats (as JSON would return them)."""
    return json.loads(
        json.dumps(
            {
                "game": game.name,
                "scenario": game.spec.scenario,
                "ruleset": game.ruleset,
                "options": dict(game.spec.options),
                "actions": game.actions.codes,
                "seats": [seat.name for seat in game.seats],
            }
        )
    )


def _difference(old: Any, new: Any) -> str:
    if isinstance(old, dict) and isinstance(new, dict):
        changed = [k for k in sorted({*old, *new}) if old.get(k) != new.get(k)]
        return ", ".join(f"{k} was {old.get(k)!r} and is {new.get(k)!r}" for k in changed[:5])
    if isinstance(old, list) and isinstance(new, list):
        return f"{len(old)} then, {len(new)} now"
    return f"{old!r} then, {new!r} now"


class CfrSolver:
    """Learns a strategy for every seat of a game by self-play over its kernel; the same seed gives the same strategy.

    `sampling`: `external` tries all actions of one seat and one of the others', `outcome` plays single games (for games
    with many actions). `regrets`: `plus` floors them at 0, `linear` weighs them by the iteration, `plain` does neither.
    `average`: weight of iteration t in the average strategy, t (`linear`) or 1 (`uniform`). `explore`: chance of a
    uniform action in outcome sampling. `capacity`: information states to make room for at first.
    `abstract`: solve the system's abstraction of the game (`agents/abstractions`) instead of the game as it is.
    Raises AgentError for a value out of range.
    """

    def __init__(
        self,
        game: Game,
        sampling: str = "external",
        regrets: str = "plus",
        average: str = "linear",
        explore: float = 0.6,
        seed: int = 0,
        capacity: int = 4096,
        abstract: bool = False,
    ) -> None:
        for name, value, allowed in [
            ("sampling", sampling, SAMPLINGS),
            ("regrets", regrets, REGRETS),
            ("average", average, AVERAGES),
        ]:
            if value not in allowed:
                raise AgentError(f"{name} = {value!r} is not allowed: one of {', '.join(allowed)}")
        if not 0 < explore <= 1:
            raise AgentError(f"explore = {explore!r} is not allowed: more than 0, at most 1")
        if capacity < 1:
            raise AgentError(f"capacity = {capacity!r} is not allowed: at least 1")
        if game.n_seats < 2:
            raise AgentError(f"{game.name} has one seat; a solution needs at least two")
        self.game = game
        self.seed = seed
        self._abstraction = build_abstraction(game) if abstract else None
        self.values = {"sampling": sampling, "regrets": regrets, "average": average, "explore": explore}
        self._rng = rng_array(seed, "cfr")
        self._tables = _new_tables(capacity, 4 * capacity)
        self._settings = Settings(
            k=game.address,
            p=game.params_address,
            seats=game.n_seats,
            average_power=1.0 if average == "linear" else 0.0,
            regret_power=1.0 if regrets == "linear" else 0.0,
            floor=regrets == "plus",
            explore=float(explore),
            abstract=self._abstraction.address if self._abstraction else 0,
        )
        depth = min(game.spec.max_decisions + 2, MAX_DEPTH)
        self._work = Work(
            states=np.zeros((depth, game.state_size), dtype=np.uint8),
            words=np.zeros((depth, game.words), dtype=np.int64),
            sigma=np.zeros((depth, game.n_actions), dtype=np.float64),
            value=np.zeros((depth, game.n_actions), dtype=np.float64),
            frame=np.zeros((depth, 3), dtype=np.int64),
            reach=np.zeros((depth, 2), dtype=np.float64),
            payoff=np.zeros(game.capacity, dtype=np.float64),
        )

    @property
    def iterations(self) -> int:
        """Iterations done; one traverses the game once for every seat."""
        return int(self._tables.used[ITERATIONS])

    @property
    def states(self) -> int:
        """Information states met so far."""
        return int(self._tables.used[STATES])

    def run(self, iterations: int | None = None, seconds: float | None = None, progress: bool = False) -> CfrSolver:
        """Learn for a number of iterations, or until time is up, whichever comes first; can be called again.

        The clock begins after the first iteration, which compiles what it needs where nothing has yet. `progress` draws
        a bar with rate and remaining time on the error stream. Raises AgentError.
        """
        if iterations is None and seconds is None:
            raise AgentError("iterations or seconds must be given")
        if iterations is not None and iterations < 1:
            raise AgentError(f"iterations = {iterations!r} is not allowed: at least 1")
        begin, done, chunk = None, 0, 1
        with tqdm(total=iterations, disable=not progress, unit="it", desc="cfr", smoothing=0.1) as bar:
            while iterations is None or done < iterations:
                if seconds is not None and begin is not None and time.perf_counter() - begin >= seconds:
                    break
                count = chunk if iterations is None else min(chunk, iterations - done)
                before = time.perf_counter()
                n = self._iterate(count)
                done += n
                bar.update(n)
                bar.set_postfix(states=self.states, refresh=False)
                # About ten looks at the clock a second; where the chunks end does not change what is learnt.
                now = time.perf_counter()
                begin, spent = now if begin is None else begin, now - before
                if n == chunk and spent < 0.05:
                    chunk *= 2
                elif spent > 0.2:
                    chunk = max(1, chunk // 2)
        return self

    def _iterate(self, count: int) -> int:
        by_outcome = self.values["sampling"] == "outcome"
        n = iterate(self._tables, self._settings, self._work, by_outcome, iterations=count, rng=self._rng)
        self.game.kernel.raise_pending()
        if n == BAD_RULES:
            raise AgentError(f"{self.game.name}: a seat that owes a decision has no legal action")
        if n == TOO_DEEP:
            raise AgentError(f"{self.game.name} is too deep: more than {len(self._work.frame)} decisions of one seat")
        if self._tables.used[FULL]:
            self._tables = _grown(self._tables)
        return n

    def solution(self) -> SavedStrategy:
        """The average strategy so far."""
        t = self._tables
        n = int(t.used[STATES])
        order = np.argsort(t.keys[:n])
        sizes = t.infos[:n, 1][order]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        entries = np.repeat(t.infos[:n, 0][order] - starts[:-1], sizes) + np.arange(starts[-1])
        weights = t.averages[entries]
        sums = np.add.reduceat(weights, starts[:-1]) if n else np.zeros(0)
        total = np.repeat(sums, sizes)
        chances = np.divide(weights, total, out=1.0 / np.repeat(sizes, sizes), where=total > 0)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            **describe_game(self.game),
            **self.values,
            "abstraction": abstraction_hash(self.game.spec.system) if self._abstraction else "",
            "iterations": self.iterations,
            "states": n,
            "seed": self.seed,
        }
        return SavedStrategy(manifest, t.keys[:n][order], starts, chances)


def _new_tables(states: int, entries: int) -> Tables:
    return Tables(
        table=np.zeros(1 << (2 * states).bit_length(), dtype=np.int64),
        keys=np.zeros(states, dtype=np.int64),
        infos=np.zeros((states, INFO_COLUMNS), dtype=np.int64),
        regrets=np.zeros(entries, dtype=np.float64),
        averages=np.zeros(entries, dtype=np.float64),
        values=np.zeros(entries, dtype=np.float64),
        used=np.zeros(5, dtype=np.int64),
    )


def _grown(old: Tables) -> Tables:
    # The old arrays hold what the new ones are to hold, and more room; which of both ran out does not matter.
    new = _new_tables(2 * len(old.keys), 2 * len(old.regrets))
    n, entries = int(old.used[STATES]), int(old.used[ENTRIES])
    new.keys[:n] = old.keys[:n]
    new.infos[:n] = old.infos[:n]
    for target, source in [(new.regrets, old.regrets), (new.averages, old.averages), (new.values, old.values)]:
        target[:entries] = source[:entries]
    new.used[:] = old.used
    new.used[FULL] = 0
    rehash(new)
    return new


def shipped_strategy(game: Game) -> Path | None:
    """The strategy file that comes with the package for a game, if there is one."""
    room = folder_of(game.spec.system, "agents")
    path = None if room is None else room / "strategies" / f"{game.name}.npz"
    return path if path is not None and path.is_file() else None


class CfrAgent(Agent):
    """Plays a strategy that was solved beforehand; without a file, the one that comes with the package."""

    params = (Param("file", "", "strategy file written by the solver; empty: the one that comes with the package"),)

    def __init__(self, file: str = "", strategy: SavedStrategy | None = None) -> None:
        self._given = SavedStrategy.load(file) if strategy is None and file else strategy
        self.name = f"cfr:file={file}" if file else "cfr"
        self._loaded: dict[str, SavedStrategy] = {}
        self._natives: dict[int, tuple[Game, NativePolicy]] = {}

    def strategy(self, game: Game) -> SavedStrategy:
        """The strategy played in a game; raises AgentError if there is none."""
        found = self._given if self._given is not None else self._loaded.get(game.name)
        if found is None:
            path = shipped_strategy(game)
            if path is None:
                raise AgentError(f"file is missing: no strategy for {game.name} comes with the package; cfr:file=PATH")
            found = self._loaded[game.name] = SavedStrategy.load(path)
            found.check_game(game)
        return found

    def prepare(self, game: Game) -> None:
        """Raise AgentError if the strategy was made for another game; compile what playing it needs."""
        self.strategy(game).check_game(game)
        self.native(game)

    def act(self, view: View) -> int:
        """One decision."""
        return int(self.act_batch(view.requests)[0])

    def act_batch(self, requests: Requests) -> np.ndarray:
        """Many decisions, int64[m]."""
        if self.strategy(requests.game).manifest.get("abstraction"):
            return play_native(self._compiled(requests.game), requests)
        actions = np.zeros(len(requests), dtype=np.int64)
        draw_rows(self.probabilities(requests), requests.seeds, np.zeros(len(requests), dtype=np.uint64), actions)
        return actions

    def probabilities(self, requests: Requests) -> np.ndarray:
        """The chances of all actions, float64[m, A]; for strategies of the game as it is."""
        strategy = self.strategy(requests.game)
        if strategy.manifest.get("abstraction"):
            raise AgentError("the strategy belongs to an abstraction: its chances are those of abstract actions")
        return strategy.probabilities(requests)

    def looks_at(self, game: Game) -> frozenset[str] | None:
        """The pieces by which its strategy tells positions apart; None for one that goes by histories."""
        strategy = self.strategy(game)
        return frozenset(strategy.manifest["pieces"]) if strategy.by_position else None

    def native(self, game: Game) -> NativePolicy | None:
        """The compiled twin; the same seed gives the same action. None for a strategy by positions."""
        if self.strategy(game).by_position:
            return None
        return self._compiled(game)

    def _compiled(self, game: Game) -> NativePolicy:
        if id(game) not in self._natives:
            s = self.strategy(game)
            abstraction = build_abstraction(game) if s.manifest.get("abstraction") else None
            header = np.array(
                [
                    len(s.keys),
                    s.keys.ctypes.data,
                    s.starts.ctypes.data,
                    s.chances.ctypes.data,
                    game.words,
                    abstraction.address if abstraction else 0,
                ],
                dtype=np.int64,
            )
            made = general_function(play_saved)
            policy = NativePolicy(made.address, header.ctypes.data, (header, made, s, abstraction))
            self._natives[id(game)] = (game, policy)
        return self._natives[id(game)][1]


__all__ = ["CfrAgent", "CfrSolver", "SavedStrategy", "describe_game", "shipped_strategy", "sure_strategy"]
