"""Lessons before or after a training: the learner's policy imitates agents, one for each scenario.

Where random play never wins, a reward alone teaches nothing: an agent that wins sometimes shows how. And what a search
finds in a scenario, by many simulations, can be learnt from it afterwards. The agent says what it would do in every
decision of the learner, with its chances where it knows them: a mixture is learnt from far fewer decisions than by what
is drawn from it. At first the agent plays as well, then the learner more and more, so that it also learns what to do
where the agent would not have come (Ross, Gordon and Bagnell 2011, A Reduction of Imitation Learning and Structured
Prediction to No-Regret Online Learning). Where neither would come, because both play too well, others may: a share of
all actions is drawn from everything that is legal, and a share of the seats clings to an order of actions for a whole
game, as it leads to long repetitions, so that mistakes are met and answered. And of a teacher that knows its chances
what is met once in a million decisions may be recalled as often as what is met every time, and more often while it is
not known yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from ..agents.advice import Advice
from ..agents.apart import asked_apart
from ..agents.base import Agent, AgentError, Requests
from ..agents.by_position import chances_of
from ..agents.policy_net import Blueprint, draw
from ..envs.core.errors import ProbespielError
from ..envs.core.game import Game
from ..envs.core.learner_tables import LearnerTables
from ..envs.core.rng import derive_seed, rng_table
from .league import ask
from .pupil import Pupil
from .pupil_kernel import Lists, joined
from .tables import Tables, beside

STEPS = 16  # decisions at every table between two fits
LEAST_RATE = 0.1  # of learning, at the end
FITS = 8  # between two looks at what is missed of the decisions that are recalled
LOOKED = 4096  # of them at once
LEAST_MISSED = 1e-6  # so that there is something to draw from


class Classroom:
    """Everybody at the tables: the agent of the scenario, or the learner with the chance `share`.

    With the chance `stray` any legal action is played instead, and with the same chance a seat has a habit for a game:
    it plays the legal action that stands first in some order of all actions.
    """

    def __init__(
        self, games: Sequence[Game], agents: Sequence[Agent], pupil: Pupil, advice: Advice, seed: int, stray: float = 0
    ) -> None:
        self.agents = {id(game): agent for game, agent in zip(games, agents, strict=True)}
        self.heard = advice
        self.pupil = pupil
        self.share = 0.0
        self.stray = stray
        self.habits: dict[int, np.ndarray] = {}  # by game: uint64[tables, seats], 0 for none
        self.seed = derive_seed(seed, "teacher")
        self.rng = np.random.Generator(np.random.PCG64(derive_seed(seed, "classroom")))

    def assign(self, env: LearnerTables, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """All seats are alike, int64[k, n_seats]; some have new habits."""
        habits = self._habits(env)
        fresh = self.rng.integers(1, 2**63, (len(tables), env.game.n_seats), dtype=np.uint64)
        habits[tables] = np.where(self.rng.random(fresh.shape) < self.stray, fresh, np.uint64(0))
        return np.zeros((len(tables), env.game.n_seats), dtype=np.int64)

    def answer(
        self,
        env: LearnerTables,
        observations: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        tables: np.ndarray,
        seeds: np.ndarray,
    ) -> np.ndarray:
        """What the other seats choose, int64[m]."""
        out = np.empty(len(seats), dtype=np.int64)
        learner = self.rng.random(len(seats)) < self.share
        own, other = np.flatnonzero(learner), np.flatnonzero(~learner)
        if len(other):
            out[other] = ask(self.agents[id(env.game)], env, seats[other], tables[other], seeds[other], self.seed)
        if len(own):
            seen = beside(self.heard, env, seats[own], tables[own], observations[own])
            out[own] = self.drawn(self.pupil.listed(np.concatenate([seen, masks[own]], axis=1)))
        return self.strayed(out, masks, self._habits(env)[tables, seats])

    def advice(self, tables: Tables, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the agent would do for the learner at every table: actions int64[n], and chances float32[n, A].

        Of an agent that does not know its chances the action that it names has all. `seeds` uint64[n] decide.
        """
        actions = np.empty(tables.num_envs, dtype=np.int64)
        goals = np.zeros((tables.num_envs, tables.envs[0].game.n_actions), dtype=np.float32)
        for env, part in zip(tables.envs, tables.parts):
            agent, rows = self.agents[id(env.game)], np.arange(env.num_envs)
            requests = Requests.gather(env.game, env.states, rows, env.seats, self.seed, seeds[part], 0)
            chances = chances_of(agent, requests)
            if chances is None:
                actions[part] = agent.act_batch(requests)
                goals[np.arange(tables.num_envs)[part], actions[part]] = 1.0
            else:
                actions[part] = draw(chances, requests.seeds)
                goals[part] = chances / chances.sum(axis=1, keepdims=True)
        return actions, goals

    def mixed(self, tables: Tables, lists: Lists, masks: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The actions, but with the chance `share` one drawn from the learner's policy, int64[m]."""
        rows = np.flatnonzero(self.rng.random(len(actions)) < self.share)
        out = actions.copy()
        if len(rows):
            out[rows] = self.drawn(lists.some(rows))
        habits = [self._habits(env)[np.arange(env.num_envs), env.seats] for env in tables.envs]
        return self.strayed(out, masks, np.concatenate(habits))

    def strayed(self, actions: np.ndarray, masks: np.ndarray, habits: np.ndarray) -> np.ndarray:
        """The actions, but those of `habits` uint64[m], and with the chance `stray` any legal one, int64[m]."""
        if not self.stray:
            return actions
        numbers = np.arange(1, masks.shape[1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        order = (habits[:, None] ^ numbers) * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(11)  # overflow wraps around
        first = np.where(masks != 0, order.astype(np.float64), -1.0).argmax(axis=1)
        anything = np.where(masks != 0, self.rng.random(masks.shape), -1.0).argmax(axis=1)
        out = np.where(habits != 0, first, actions)
        return np.where(self.rng.random(len(actions)) < self.stray, anything, out)

    def _habits(self, env: LearnerTables) -> np.ndarray:
        """Those of a game's tables."""
        none = np.zeros((env.num_envs, env.game.n_seats), dtype=np.uint64)
        return self.habits.setdefault(id(env.game), none)

    def drawn(self, lists: Lists) -> np.ndarray:
        """Actions drawn from the learner's policy, int64[m]."""
        return draw(self.pupil.chances(lists), self.rng.integers(0, 2**64, len(lists.starts), dtype=np.uint64))


class Recalled:
    """Different decisions, the first `most` that were met: what was seen, and the chances that were wanted.

    `missed` float64[.] is how far the actor was from them when that was last looked at, in total variation.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.known: set[bytes] = set()
        self.inputs: list[np.ndarray] = []
        self.goals: list[np.ndarray] = []
        self.missed = np.zeros(0)

    def add(self, inputs: np.ndarray, goals: np.ndarray) -> None:
        """Keep what is new of float32[m, L] and float32[m, A]."""
        for seen, wanted in zip(inputs, goals):
            key = blake2b(seen.tobytes(), digest_size=16).digest()
            if key not in self.known and len(self.known) < self.most:
                self.known.add(key)
                self.inputs.append(seen.copy())
                self.goals.append(wanted.copy())

    def drawn(self, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """So many of them, float32[count, L], float32[count, A]: half by how much they are missed, if that is known.

        The others each as likely as any other.
        """
        anyone = rng.integers(0, len(self.inputs), count // 2)
        rest = count - len(anyone)
        if len(self.missed):
            wrong = rng.choice(len(self.missed), rest, p=self.missed / self.missed.sum())
        else:
            wrong = rng.integers(0, len(self.inputs), rest)
        rows = [*anyone.tolist(), *wrong.tolist()]
        return np.stack([self.inputs[i] for i in rows]), np.stack([self.goals[i] for i in rows])

    def look(self, pupil: Pupil) -> None:
        """See how far the pupil is from what was wanted of each of them."""
        parts = []
        for at in range(0, len(self.inputs), LOOKED):
            found = pupil.chances(pupil.listed(np.stack(self.inputs[at : at + LOOKED])))
            parts.append(0.5 * np.abs(found - np.stack(self.goals[at : at + LOOKED])).sum(axis=1))
        self.missed = np.concatenate(parts).astype(np.float64) + LEAST_MISSED


def teacher_of(name: str, games: Sequence[Game]) -> Agent:
    """The agent that teaches; raises AgentError for one that does not play a game, or remembers things."""
    agent = asked_apart(name, games[0] if games else None)
    if agent.per_table:
        raise AgentError(f"teacher {name!r} remembers things between its moves: it cannot teach")
    for game in games:
        agent.prepare(game)
    return agent


def places_of(pieces: Sequence[str], games: Sequence[Game], blueprint: Blueprint) -> np.ndarray:
    """Where the values of pieces of the observation stand in the input of a network, int64[k].

    Raises ProbespielError for a piece that a game has not, or that the network reads as one of several like things.
    """
    out: list[np.ndarray] = []
    for name in pieces:
        layout = games[0].spec.layout
        size = {piece.name: piece.size for piece in layout.pieces}
        if name not in size:
            raise ProbespielError(f"ignore: {games[0].name} has no piece {name!r}; it has {', '.join(size)}")
        out.append(layout.offsets[name] + np.arange(size[name]))
        for group in blueprint.groups:
            if np.isin(group.index(), out[-1]).any():
                raise ProbespielError(f"ignore: {name!r} is read one by one, with {group.name}; groups=false ends that")
    return np.concatenate([np.zeros(0, np.int64), *out])


def imitate(
    pupil: Pupil,
    games: Sequence[Game],
    counts: Sequence[int],
    teachers: Sequence[Agent],
    decisions: int,
    rate: float,
    seed: int,
    advice: Advice,
    watch: Callable[[float, float], bool] | None = None,
    stray: float = 0.0,
    recalled: int = 0,
) -> float:
    """Let `pupil` imitate an agent for each game in about `decisions` decisions; how much they agree at the end, 0..1.

    That is 1 less the distance (in total variation) of their mixtures. `counts` are the tables of each game, `rate` the
    learning rate at first, which falls to a tenth; `advice` is what the pupil hears. `watch` is told the share of the
    lessons that is done and how much they agree; its False ends them. With the chance `stray` anything is played.
    Up to `recalled` different decisions are kept, and half of every fit is drawn from them: of that, one half the rare
    as often as the usual, and one what is missed most (prioritized replay: Schaul et al. 2016).
    """
    room = Classroom(games, teachers, pupil, advice, seed, stray)
    tables = Tables(games, list(counts), room, derive_seed(seed, "lessons"), advice)
    draws = rng_table(seed, tables.num_envs, "lessons")
    observations = tables.reset()
    rounds = max(1, decisions // (STEPS * tables.num_envs))
    equal = 0.0
    kept = Recalled(recalled)
    for number in range(rounds):
        room.share = min(1.0, 2.0 * number / rounds)
        seen: list[Lists] = []
        wanted: list[np.ndarray] = []
        for _ in range(STEPS):
            draws += np.uint64(0x9E3779B97F4A7C15)  # fresh bits for every decision; overflow wraps around
            answers, chances = room.advice(tables, draws)
            seen.append(pupil.listed(observations))
            wanted.append(chances)
            if recalled:
                kept.add(pupil.read(observations), chances)
            tables.step_async(room.mixed(tables, seen[-1], tables.action_masks(), answers))
            observations = tables.step_wait()[0]
        if recalled:
            if number and number % FITS == 0:
                kept.look(pupil)
            again = kept.drawn(sum(map(len, wanted)), room.rng)
            seen.append(pupil.listed(again[0]))
            wanted.append(again[1])
        equal = pupil.fit(joined(seen), np.concatenate(wanted), rate * LEAST_RATE ** (number / rounds), room.rng)
        if watch is not None and not watch((number + 1) / rounds, equal):
            break
    return equal


__all__ = ["Classroom", "Recalled", "imitate", "places_of", "teacher_of"]
