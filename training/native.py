"""The native learner, on one page and in the order in which things happen: the algorithm of `learner.py`, compiled.

    collect      the policy acts at all tables; past policies answer for the other seats, agents as ever
    advantages   generalised advantage estimation, or V-trace
    learn        loss, gradient and Adam by hand (`native_kernel.py`, `native_step.py`), over lists of what is not 0
    average      the anchor, and what is kept in the end, moves towards the current policy
    league       is offered the current policy

Same settings, same losses, same networks and the same first weights as `TorchLearner`, and a state that holds the same
arrays; but draws of its own. No autograd, and no sum over what is known to be 0: nine tenths of what a seat is shown.
Work is shared out in `PARTS`, whatever the number of threads, and their sums are added up in order: the same
settings give the same bits with one thread as with four. What is usual is added up beforehand (`usual.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import torch as th

from ..agents.net_layout import Work, critic_blueprint, named, net_of, pack, unpack
from ..agents.policy_net import Blueprint, PolicyNet
from ..agents.vectors import aligned
from ..envs.core.learner_tables import WORTH_SHARING, LearnerTables
from ..envs.core.rng import derive_seed, rng_table
from ..envs.core.rows import Rows
from ..envs.core.vec_drivers import Questions, Replies
from .callbacks import Meter
from .config import TrainConfig
from .crew import Crew
from .league import League, ask
from .learner import ADAM_EPSILON, LEAST_SPREAD, explained_variance
from .learner_state import below, shuffle_of, state_of_shuffle
from .native_by_steps import StepByStep
from .native_calls import passes, reply_memory
from .native_games import Throughout
from .native_kernel import (
    ANCHOR_KL,
    CLIPPED,
    ENTROPY,
    HEDGE,
    KL,
    MMD,
    NO_ANSWERS,
    POLICY_LOSS,
    PPO,
    VALUE_LOSS,
    Asked,
    Decisions,
    Nets,
    Span,
    Terms,
    answer_rows,
    estimate,
    expect_usual,
    learn,
    look_again,
    means_of,
    set_goals,
    values_of,
)
from .native_step import AT_HAND, Rates, adam, join_chunks, moments, turn
from .nets import Actor, Critic, one_thread
from .protocol import Coefficients, diverged
from .tables import ListedTables, Tables, advice_for
from .usual import usual_inputs

PARTS = 4  # of all work that can be shared out
CHUNKS_WORTH_SHARING = 400  # of `AT_HAND` numbers a thread: fewer are done before another one is awake
MEASURED = {
    "policy_loss": POLICY_LOSS, "value_loss": VALUE_LOSS, "entropy": ENTROPY, "anchor_kl": ANCHOR_KL, "kl": KL,
    "clip_fraction": CLIPPED,
}  # fmt: skip
KINDS = {"ppo": PPO, "mmd": MMD, "hedge": HEDGE}


class NativeLearner:
    """PPO without a framework, on the CPU. The settings determine every bit of the result, on any number of threads."""

    def __init__(
        self, config: TrainConfig, blueprint: Blueprint, tables: Tables, league: League, device: th.device
    ) -> None:
        self.config, self.blueprint, self.league = config, blueprint, league
        games, counts = ([getattr(env, name) for env in tables.envs] for name in ("game", "num_envs"))
        usual = usual_inputs(games, counts, config.whole_side)
        self.apart = config.critic != "own" and tables.envs[0].game.n_seats > 1  # the critic sees more than the actor
        self.judge = critic_blueprint(blueprint, tables.envs[0].game.n_seats if self.apart else 1)
        self.tables = ListedTables(tables, self.answer, self, PARTS, usual, self.apart)
        self.meter = Meter(league)
        seed = derive_seed(config.seed, "learner")
        self.noise = rng_table(seed, tables.num_envs, "actions")
        self.shuffle = np.random.RandomState(seed & 0xFFFFFFFF)  # of decisions into batches
        self.judges = config.critic == "actions"  # every action
        self.actor, self.critic = net_of(blueprint, True), net_of(self.judge, False, self.judges)
        a, total = self.actor.size, self.actor.size + self.critic.size
        self.vector = aligned(total)  # the weights of the actor, then those of the critic
        self.first, self.second = aligned(total), aligned(total)  # Adam's moments
        self.steps = {"actor": 0, "critic": 0}  # of Adam
        self.mean = aligned(a)  # the average policy
        self.turned = aligned(self.actor.turned), aligned(self.critic.turned)
        self.gradients = aligned(PARTS, total)
        self.policies = aligned(1 + config.places, a)  # the current one and past ones, as opponents
        self.known: list[PolicyNet | None] = [None] * len(self.policies)  # which those are
        self.rooms: list[np.ndarray] = []  # where questions are answered at once
        self.works = [Work(self.critic) for _ in range(PARTS)]
        self.expect(usual)
        self.crew = Crew(min(PARTS, th.get_num_threads()))
        self.decided = self._room(tables.num_envs * config.steps, len(blueprint.advisers))
        self.decided_whole = self._room(tables.num_envs * config.steps if self.apart else 0, 0)  # inputs of the critic
        with th.random.fork_rng(devices=[]), one_thread():  # the first weights are those of the learner in torch
            th.default_generator.manual_seed(seed)
            made = Actor(blueprint), (Actor if self.judges else Critic)(self.judge)
            for net, layout, at in zip(made, (self.actor, self.critic), (slice(a), slice(a, total))):
                weights = {name: t.detach().numpy() for name, t in net.state_dict().items()}
                pack(net.blueprint, layout, weights, self.vector[at])
        self.rewards, self.ends = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.int8)  # of what was decided
        self.updates = self.decisions = self.averaged = 0
        self.mean[:] = self.vector[:a]
        self._turn()
        games = [env.game.kernel.compiled for env in tables.envs]
        alone = not (league.agents or blueprint.advisers)  # nobody but policies is asked
        self.by_steps = StepByStep(self)
        self.throughout = Throughout(self) if alone and all(games) else None

    def update(self, coefficients: Coefficients) -> dict[str, float]:
        """One turn of the algorithm; see `protocol.Learner`."""
        self.league.set_current(self.weights())
        self.collect()
        measured = self.learn(coefficients)
        if not coefficients.values_only:
            self.move_average()
        self.updates += 1
        if self.updates % self.config.offer_every == 0:
            self.league.offer(self.weights())
        return {**measured, **self.meter.take()}

    def collect(self) -> None:
        """Play `config.steps` decisions at every table, into `decided`, with advantages."""
        self._know_opponents()
        self.tables.show()
        if self.throughout is not None:
            kept = self.throughout.play()
            rewards, ends = kept.rewards, kept.ends
        else:
            rewards, ends = self.by_steps.play()
        self.rewards, self.ends = rewards, ends
        self.estimate(np.ones(rewards.size, np.float32))
        self.decisions += rewards.size

    def estimate(self, ratios: np.ndarray) -> None:
        """Advantages and returns of what was decided; `ratios` float32[m] as of `native_kernel.estimate`."""
        config, ahead = self.config, self.ahead()
        self._share(len(ahead), lambda begin, end, *_: estimate(
            self.decided, self.rewards, self.ends, ahead, ratios, Span(begin, end), discount=config.discount,
            trace=config.trace,
        ))  # fmt: skip

    def ahead(self) -> np.ndarray:
        """What the critic expects at all tables now, float32[n]."""
        rows, whole = self.tables.rows, self.tables.whole or self.tables.rows
        if not self.judges:
            return self.values(whole)
        m = len(rows.sizes)
        out, chances = np.empty(m, np.float32), np.empty((m, self.actor.actions), np.float32)
        self._share(m, lambda begin, end, work, _: means_of(
            self.nets, rows, whole, Span(begin, end), chances=chances, out=out, work=work
        ))  # fmt: skip
        return out

    @property
    def judged(self) -> Decisions:
        """What was decided, with the inputs that the critic is shown."""
        return self.decided_whole if self.apart else self.decided

    def estimate_again(self) -> None:
        """Advantages for the policy as it is now, of decisions that an older one took (V-trace)."""
        ratios = np.empty(len(self.decided.starts), np.float32)
        self._share(len(ratios), lambda begin, end, work, _: look_again(
            self.nets, self.decided, self.judged, span=Span(begin, end), ratios=ratios, work=work
        ))  # fmt: skip
        self.estimate(ratios)

    def learn(self, coefficients: Coefficients) -> dict[str, float]:
        """Gradient steps on shuffled parts of what was decided, `config.epochs` times over; what was measured."""
        config, m = self.config, self.config.per_update
        self.recall_average()
        found: list[dict[str, float]] = []
        told, true = (th.from_numpy(array.copy()) for array in (self.decided.critic, self.decided.returns))
        for epoch in range(config.epochs):
            if epoch and config.advantages == "vtrace":
                self.estimate_again()
            order = self.shuffle.permutation(m)
            for begin in range(0, m, config.batch):
                rows = np.sort(order[begin : begin + config.batch])  # neighbours in memory are alike: rows stay at hand
                found.append(self.gradient(rows, coefficients))
                self.step(coefficients)
        measured = {name: float(np.mean([terms[name] for terms in found])) for name in MEASURED}
        measured |= {"learning_rate": coefficients.learning_rate, "ent_coef": coefficients.entropy}
        measured |= {"even_coef": coefficients.even, "kl_coef": config.anchor}
        measured["explained_variance"] = explained_variance(told, true)
        return {f"train/{name}": value for name, value in measured.items()}

    def recall_average(self) -> None:
        """What the average policy would do in all that was decided: the anchor, which rests while an update learns."""
        if self.config.anchor > 0:
            expect_usual(self.nets, self.mean.ctypes.data, self.nets.actor)
            self._share(len(self.decided.starts), lambda begin, end, work, _: set_goals(
                self.nets, self.mean, self.decided, span=Span(begin, end), work=work
            ))  # fmt: skip

    def gradient(self, rows: np.ndarray, coefficients: Coefficients) -> dict[str, float]:
        """The gradient of the loss of some decisions, int64[m], into `gradients`, a row a part; the terms."""
        nets, judged, terms = self.nets, self.judged, self.terms(rows, coefficients)
        sums = np.zeros((PARTS, len(MEASURED)))
        self._share(len(rows), lambda begin, end, work, part: learn(
            nets, self.decided, judged, rows, Span(begin, end), terms=terms, grads=self.gradients[part],
            sums=sums[part], work=work,
        ), adds_up=True)  # fmt: skip
        found = sums.sum(axis=0) / len(rows)
        return {name: float(found[place]) for name, place in MEASURED.items()}

    def terms(self, rows: np.ndarray, coefficients: Coefficients) -> Terms:
        """What the loss of some decisions is made of."""
        config, shift, scale, mirrored = self.config, 0.0, 1.0, self.config.loss != "ppo"
        if config.normalize:
            shift, spread = moments(self.decided.advantages, rows)
            scale = 1.0 / (spread + LEAST_SPREAD)
        return Terms(
            kind=KINDS[config.loss], clip=config.clip, entropy=coefficients.entropy, even=coefficients.even,
            anchor=config.anchor, stay=config.stay if mirrored else 0.0, value_weight=config.value_weight,
            shift=shift, scale=scale, share=1.0 / len(rows), values_only=int(coefficients.values_only),
        )  # fmt: skip

    def step(self, coefficients: Coefficients) -> None:
        """One step of Adam, by the gradients of all parts; raises Diverged."""
        a, total = self.actor.size, len(self.vector)
        nets = {"critic": (a, total)} if coefficients.values_only else {"actor": (0, a), "critic": (a, total)}
        first = min(begin for begin, _ in nets.values())
        squares = np.zeros(-(-(total - first) // AT_HAND))
        self._share_numbers(first, total, lambda begin, end: join_chunks(self.gradients, squares, first, begin, end))
        length = float(squares.sum()) ** 0.5
        if not np.isfinite(length):  # the weights stay as they were
            raise diverged(self.config, self.decisions, f"the gradient's length is {length}")
        factor = min(1.0, self.config.gradient_limit / (length + 1e-6))
        spans: dict[Rates, tuple[int, int]] = {}  # nets that have taken as many steps are one span
        for name, (begin, end) in nets.items():
            self.steps[name] += 1
            t = self.steps[name]
            rates = Rates(coefficients.learning_rate / (1 - 0.9**t), (1 - 0.999**t) ** 0.5, ADAM_EPSILON, factor)
            spans[rates] = (min(begin, spans.get(rates, (begin, end))[0]), end)
        for rates, (begin, end) in spans.items():
            self._share_numbers(begin, end, lambda one, last, rates=rates, begin=begin, end=end: adam(
                self.vector, self.gradients[0], self.first, self.second, rates=rates,
                span=Span(begin + AT_HAND * one, min(begin + AT_HAND * last, end)),
            ))  # fmt: skip
        self._turn()

    def move_average(self) -> None:
        """The mean of all policies since it began, then a moving one; see `learner.TorchLearner`."""
        self.averaged += 1
        rate = np.float32(max(self.config.average, 1.0 / self.averaged))
        self.mean += rate * (self.vector[: self.actor.size] - self.mean)

    # --- the other seats

    def answer(
        self, env: LearnerTables, asked: Rows, seats: np.ndarray, tables: np.ndarray, seeds: np.ndarray
    ) -> np.ndarray:
        """What the opponents choose, int64[m]; as `League.answer`, with policies compiled."""
        league = self.league
        ids = env.opponent_ids[tables, seats]
        actions = np.empty(len(ids), np.int64)
        order = np.argsort(ids, kind="stable")  # those of one policy together
        policies = int(np.searchsorted(ids[order], league.places, side="right"))
        if policies:
            answers = np.zeros((len(ids), len(league.advice.agents)), np.int32)
            if league.advice.agents:
                own = order[:policies]
                answers[own] = advice_for(league.advice, env, seats[own], tables[own])
            question = Asked(asked, answers, ids, seeds.copy(), actions, order)
            nets = self.nets
            self._share(policies, lambda begin, end, work, _: answer_rows(
                nets, self.policies, question, span=Span(begin, end), work=work
            ))  # fmt: skip
        for opponent in np.unique(ids[order[policies:]]).tolist():
            rows = np.flatnonzero(ids == opponent)
            agent = league.agents[opponent - league.places - 1]
            actions[rows] = ask(agent, env, seats[rows], tables[rows], seeds[rows], league._seed)
        return actions

    def replies(self, env: LearnerTables, room: Questions, part: int) -> Replies:
        """Policies answer in compiled code, where no adviser has to be asked first; see `listed_play.AtOnce`."""
        which, actions = np.zeros((2, len(room.seeds)), np.int64)
        policies = self.policies.ctypes.data, 4 * self.policies.shape[1]
        memory = reply_memory(self.actor.layout.ctypes.data, policies, self.works[part].at, room, which, actions)
        self.rooms.append(memory)  # which compiled code knows by its address
        last = -1 if self.league.advice.agents else self.league.places
        return Replies(passes().reply, memory.ctypes.data, last, env.opponent_ids, room, which, actions)

    def share(self, n: int, work: Callable[[int, int, int], object]) -> None:
        """See `listed_play.AtOnce`."""
        self._share(n, lambda begin, end, _, part: work(begin, end, part))

    def _know_opponents(self) -> None:
        """Have the weights of the league's policies at hand."""
        for place, net in enumerate([self.league.current, *self.league.past]):
            assert net is not None
            if self.known[place] is not net:
                pack(self.blueprint, self.actor, net.weights, self.policies[place])
                expect_usual(self.nets, self.policies[place].ctypes.data, self.nets.actor)
                self.known[place] = net

    # --- memory, and who works on what

    def expect(self, usual: np.ndarray) -> None:
        """Take lists that tell how observations differ from `usual`, float32[L]."""
        which = np.flatnonzero(usual).astype(np.int32)
        self.usual = which, np.ascontiguousarray(usual[which], np.float32)
        for work in self.works:
            work.expect(usual)
        self.known = [None] * len(self.policies)
        self.nets = self._nets()
        self._turn()

    def _nets(self) -> Nets:
        """The networks as compiled code takes them: addresses of vectors that are written, never put elsewhere."""
        at = self.vector.ctypes.data
        turned = [t.ctypes.data for t in self.turned]
        actor, critic = (net.layout.ctypes.data for net in (self.actor, self.critic))
        which, usual = (array.ctypes.data for array in self.usual)
        return Nets(
            actor, critic, at, at + 4 * self.actor.size, turned[0], turned[1], *passes()[:4], which, usual,
            len(self.usual[0]), int(self.apart),
        )  # fmt: skip

    def _turn(self) -> None:
        nets = self.nets
        turn(nets.actor, nets.actor_weights, nets.actor_turned)
        turn(nets.critic, nets.critic_weights, nets.critic_turned)
        expect_usual(nets, nets.actor_weights, nets.actor)
        expect_usual(nets, nets.critic_weights, nets.critic)

    def _share(self, m: int, work: Callable[[int, int, np.ndarray, int], object], adds_up: bool = False) -> None:
        """Have `work(begin, end, memory, part)` done for all parts of 0..m-1, side by side if there are threads.

        There are no more parts than threads, for every call costs some of Python's time; but where the work `adds_up`
        something, the parts are the same ones, as then they show in the bits.
        """
        parts = PARTS if adds_up else self.crew.threads
        ends = [m * part // parts for part in range(parts + 1)]
        calls = [(*span, self.works[part].at, part) for part, span in enumerate(pairwise(ends))]
        if m < WORTH_SHARING * parts:
            for call in calls:
                work(*call)
        else:
            self.crew.do([lambda _, call=call: work(*call) for call in calls])

    def _share_numbers(self, first: int, last: int, work: Callable[[int, int], object]) -> None:
        """Have `work(begin, end)` done for all chunks of `AT_HAND` numbers of a vector from `first` to `last`."""
        chunks, threads = -(-(last - first) // AT_HAND), self.crew.threads
        ends = [chunks * part // threads for part in range(threads + 1)]
        if chunks < CHUNKS_WORTH_SHARING * threads:
            work(0, chunks)
        else:
            self.crew.do([lambda _, span=span: work(*span) for span in pairwise(ends)])

    def values(self, rows: Rows) -> np.ndarray:
        """The critic's values of lists, float32[m]."""
        out = np.empty(len(rows.sizes), np.float32)
        self._share(len(out), lambda begin, end, work, _: values_of(
            self.nets, rows, NO_ANSWERS, Span(begin, end), out=out, work=work
        ))  # fmt: skip
        return out

    def _room(self, m: int, advisers: int) -> Decisions:
        whole = [np.zeros(m, np.int64) for _ in range(5)]
        floats = [np.zeros(m, np.float32) for _ in range(3)]
        starts, observed, totals, legal, choices = whole
        return Decisions(
            np.zeros(0, np.int32), np.zeros(0, np.float32), starts, observed, totals, legal, np.zeros(0, np.float32),
            np.zeros(0, np.float32), np.zeros(0, np.float32), np.zeros((m, advisers), np.int32), choices, *floats,
        )  # fmt: skip

    # --- what others may know and keep

    def weights(self) -> dict[str, np.ndarray]:
        """The current policy; see `protocol.Learner`."""
        return unpack(self.blueprint, self.actor, self.vector[: self.actor.size])

    def average(self) -> dict[str, np.ndarray]:
        """The average policy; see `protocol.Learner`."""
        return unpack(self.blueprint, self.actor, self.mean)

    def adopt(self, weights: Mapping[str, np.ndarray]) -> None:
        """Another policy; see `protocol.Learner`."""
        pack(self.blueprint, self.actor, weights, self.vector[: self.actor.size])
        self.mean[:] = self.vector[: self.actor.size]
        self.averaged = 0  # policies in the average
        self._turn()

    def _views(self, vector: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """The named views of a vector of both networks."""
        a = self.actor.size
        return {
            "actor": named(self.blueprint, self.actor, vector[:a]),
            "critic": named(self.judge, self.critic, vector[a:]),
        }

    def state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Networks, moments, generators and counters; see `protocol.Learner`. Named as by `learner_state.state_of`."""
        parts = {**self._views(self.vector), "average": named(self.blueprint, self.actor, self.mean)}
        arrays = {f"{part}.{name}": view for part, views in parts.items() for name, view in views.items()}
        moments = self._views(self.first), self._views(self.second)
        number = 0
        for part in ("actor", "critic"):
            for name, mean in moments[0][part].items():
                if self.steps[part]:
                    arrays[f"optimizer.{number}.step"] = np.array(self.steps[part], np.float32)
                    arrays[f"optimizer.{number}.exp_avg"] = mean
                    arrays[f"optimizer.{number}.exp_avg_sq"] = moments[1][part][name]
                number += 1
        counters = {"updates": self.updates, "decisions": self.decisions, "averaged": self.averaged}
        arrays |= {"noise": self.noise, **state_of_shuffle(self.shuffle)}
        return {name: np.array(array, order="C") for name, array in arrays.items()}, counters

    def load(self, arrays: Mapping[str, np.ndarray], values: Mapping[str, Any]) -> None:
        """Go on; see `protocol.Learner`."""
        a = self.actor.size
        for part, blueprint, layout, vector in (
            ("actor", self.blueprint, self.actor, self.vector[:a]),
            ("critic", self.judge, self.critic, self.vector[a:]),
            ("average", self.blueprint, self.actor, self.mean),
        ):
            pack(blueprint, layout, dict(below(arrays, f"{part}.")), vector)
        moments = self._views(self.first), self._views(self.second)
        number = 0
        for part in ("actor", "critic"):
            for name, mean in moments[0][part].items():
                taken = float(arrays.get(f"optimizer.{number}.step", np.array(0.0)))
                self.steps[part] = int(taken)
                for kind, view in (("exp_avg", mean), ("exp_avg_sq", moments[1][part][name])):
                    view[:] = arrays[f"optimizer.{number}.{kind}"] if taken else 0.0
                number += 1
        if arrays["noise"].shape != self.noise.shape or arrays["noise"].dtype != self.noise.dtype:
            raise ValueError(f"noise is {arrays['noise'].dtype}{arrays['noise'].shape}: of another learner")
        self.noise[:] = arrays["noise"]
        self.shuffle.set_state(shuffle_of(arrays))
        self.updates, self.decisions = int(values["updates"]), int(values["decisions"])
        self.averaged = int(values["averaged"])
        self.known = [None] * len(self.policies)
        self.tables.shown = False
        self._turn()


__all__ = ["NativeLearner"]
