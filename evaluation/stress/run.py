"""The stress test of a rule module: what having it is worth, whether it is used, dominates, changes or breaks the game.

`run_stress` plays the game with nobody, one side, or everybody having the module. In every condition strategies are
found anew (baselines that use the module always, never or by a coin, and learners from several seeds), a mixture that
cannot be exploited among them is chosen on one batch of games and measured on fresh ones. Deals are the same in all
conditions. All rules run in worker processes, which rules under test may crash or hang. The same settings give the same
report, whatever the number of processes and however often the test was interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from probespiel import __version__

from ...envs.core.build import ruleset_hash
from ...envs.core.errors import ProbespielError, RulesetError
from ...envs.core.rng import derive_seed
from ..tournament import metagame as mg
from .breakage import DOINGS, last_of, text_of, told
from .budget import BUDGETS, Budget, fitted
from .conditions import EVERYBODY, NOBODY, Bench, Condition, Settings, Strategy, once_each
from .dominance import dominance, resampled
from .dynamics import ladder_of, luck_share
from .lab import parts_of
from .progress import Quiet, Watcher
from .report import write_reports
from .store import Store
from .training import COUNTER, FREE, USE, learner_of
from .usage import Mixture, mixture_of
from .verdict import verdict_of
from .workers import Failed, Job, Workers
from .worth import cards_of, paired, seat_effect, worth_table

FATAL = ("no legal move", "nobody asked", "endless", "cut short", "repeated")  # play cannot be trusted to end
MINIMUM_LONGEST = 200
PROBE_SECONDS = 30.0  # for one decision; rules that need longer are taken never to return
CHOICES = 60  # resamples whose equilibria are averaged
STEPS = {  # share of the time that each step takes, as far as that can be told beforehand
    "build": 30, "break": 6, "prelude": 2, "learn": 22, "choose": 12, "measure": 12, "use": 6, "dominance": 10,
    "dynamics": 16, "exploit": 8,
}  # fmt: skip
TITLES = {
    "build": "compiling the rules", "break": "looking for what breaks", "prelude": "comparing the baselines",
    "learn": "learning to play with and without it", "choose": "choosing strategies", "measure": "measuring its worth",
    "use": "watching its use", "dominance": "looking for dominant strategies", "dynamics": "measuring luck and depth",
    "exploit": "looking for the exploit",
}  # fmt: skip


class StressInterrupted(KeyboardInterrupt):
    """A stress test was interrupted at the keyboard; `findings` hold what was finished, `page` the report of it."""

    def __init__(self, findings: dict[str, Any], page: Path) -> None:
        super().__init__("interrupted")
        self.findings, self.page = findings, page


def run_stress(
    settings: Settings,
    folder: Path,
    jobs: int = 2,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher | None = None,
    command: str = "",
) -> tuple[dict[str, Any], Path]:
    """Test a module and write `report.html`, `report.json` and replays to a folder; findings and the report's path.

    Raises RulesetError or ProbespielError for settings that make no game, and StressInterrupted after Ctrl-C, with a
    report of what was finished.
    """
    test = Stress(settings, folder, jobs, resume, overwrite, Quiet() if watcher is None else watcher, command)
    try:
        test.run()
    except KeyboardInterrupt:
        page = test.report("This test was interrupted; what was not finished is missing.")
        raise StressInterrupted(test.findings, page) from None
    return test.findings, test.report()


class _Broken(Exception):
    """The rules cannot be played further; what was found is in the findings."""


class Stress:
    """A stress test under way."""

    def __init__(
        self, settings: Settings, folder: Path, jobs: int, resume: bool, overwrite: bool, watcher: Watcher, command: str
    ) -> None:
        if settings.budget not in BUDGETS:
            raise ProbespielError(f"budget = {settings.budget!r} is not allowed: one of {', '.join(BUDGETS)}")
        if jobs < 1:
            raise ProbespielError(f"jobs = {jobs} is not allowed: at least 1")
        self.settings, self.folder, self.watcher, self.command = settings, Path(folder), watcher, command
        self.bench = Bench(settings)
        spec = self.bench.spec(self.bench.everybody())
        self.actions, _ = parts_of(self.bench)
        known = {
            **settings.as_dict(), "version": __version__, "ruleset": ruleset_hash(spec.sources),
            "options": self.bench.options, "scenario": self.bench.scenario,
        }  # fmt: skip
        self.store = Store(self.folder, known, resume, overwrite)
        self.budget: Budget = BUDGETS[settings.budget]
        self.facts: dict[str, Any] = {}
        self.workers = Workers(jobs, {"settings": settings.as_dict(), "folder": str(self.folder)})
        self.conditions = self.bench.holder_conditions()
        self.sides = list(range(min(2, len(self.bench.sides))))
        self.pools: dict[str, list[list[Strategy]]] = {}
        self.mixtures: dict[str, list[tuple[Mixture, Mixture]]] = {}
        self.notes: list[str] = []
        self.findings: dict[str, Any] = {
            "game": settings.game, "module": settings.module, "scenario": self.bench.scenario,
            "params": dict(settings.params), "budget": settings.budget, "seed": settings.seed,
            "sides": self.bench.side_names, "unit": list(self.bench.unit), "ruleset": known["ruleset"],
            "version": __version__, "command": command, "notes": self.notes,
        }  # fmt: skip

    # --- doing jobs -----------------------------------------------------------------------------------------------

    def seed(self, *parts: object) -> int:
        """A seed for one use."""
        return derive_seed(self.settings.seed, "stress", *parts)

    def ask(self, step: str, jobs: Sequence[Job]) -> list[Any]:
        """Answers of jobs in their order, `Failed` where one has none; finished ones are not done again."""
        answers: list[Any] = [None] * len(jobs)
        paths = [self.store.path_of(job, self.facts) for job in jobs]
        todo: list[int] = []
        share = 1.0 / max(len(jobs), 1)
        for i, path in enumerate(paths):
            if path in paths[:i]:  # the same work again
                continue
            answers[i] = self.store.get(path)
            if answers[i] is None:
                todo.append(i)
            else:
                self.watcher.advance(step, share)
        self.workers.facts = self.facts
        for at, answer in self.workers.run([jobs[i] for i in todo], self.watcher.tick):
            i = todo[at]
            answers[i] = answer
            if not isinstance(answer, Failed):
                self.store.put(paths[i], answer)
                answers[i] = self.store.get(paths[i])
            self.watcher.advance(step, share)
        return [answers[paths.index(path)] for path in paths]

    def need(self, step: str, jobs: Sequence[Job]) -> list[Any]:
        """The same, where a job without an answer means that the rules break."""
        answers = self.ask(step, jobs)
        for job, answer in zip(jobs, answers):
            if isinstance(answer, Failed):
                self.fault(f"{answer.kind} while {TITLES[step]}", answer.text, str(job.args.get("condition", "")))
                raise _Broken
        return answers

    def fault(self, kind: str, text: str, where: str, **more: Any) -> None:
        """Note something that is broken."""
        self.findings.setdefault("breakage", {}).setdefault("faults", []).append(
            {"kind": kind, "text": text, "where": where, **more}
        )

    # --- the steps ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """All steps, one after the other."""
        self.watcher.start({name: float(w) for name, w in STEPS.items()}, TITLES)
        try:
            with self.workers:
                self.compile()
                self.look_for_breakage()
                self.prelude()
                self.learn()
                self.choose()
                self.measure()
                self.watch_use()
                self.look_for_dominance()
                self.dynamics()
                self.exploit()
            self.findings["complete"] = True
        except _Broken:
            self.findings["complete"] = True
            self.notes.append("The rules broke so that the test could not go on.")
        finally:
            self.watcher.stop()
        self.store.note(True)

    def compile(self) -> None:
        """Compile the rule set and the baselines in one process, for the others to find."""
        self.watcher.begin("build")
        live = self.folder / "live" / "build"
        (answer,) = self.ask("build", [Job("build", {"live": "live/build"}, PROBE_SECONDS, live)])
        if isinstance(answer, Failed):
            if answer.kind == "refused":
                raise RulesetError(answer.text)
            words = {"hung": "the rules never return", "died": f"the rules bring the process down ({answer.text})"}
            self.fault(answer.kind, f"{words.get(answer.kind, answer.text)} while the game was set up", EVERYBODY)
            raise _Broken
        self.compiled = bool(answer["compiled"])
        self.notes += [str(w) for w in answer["warnings"]]
        if not self.compiled:
            self.notes.append(
                "The module could not be compiled; it runs thousands of times slower, and little is known."
            )

    def look_for_breakage(self) -> None:
        """Wilful random play in every condition; the shortest game that shows each fault."""
        self.watcher.begin("break")
        games = self.budget.probe if self.compiled else 6
        seconds = PROBE_SECONDS if self.compiled else 10 * PROBE_SECONDS
        jobs = []
        for i, condition in enumerate(self.conditions.values()):
            args = {"condition": condition, "games": games, "seed": self.seed("probe"), "live": f"live/{i}"}
            jobs.append(Job("probe", args, seconds, self.folder / args["live"]))
        answers = self.ask("break", jobs)
        found: dict[str, Any] = {}
        broken = False
        for i, (name, condition) in enumerate(self.conditions.items()):
            answer = answers[i]
            if isinstance(answer, Failed):
                broken = True
                self._lost(name, condition, answer, jobs[i])
                continue
            found[name] = answer
            for fault in answer["faults"]:
                by_module = bool(fault.get("by_module"))
                replay = self._shown(name, condition, fault, jobs[i])
                about = {
                    "kind": fault["kind"], "text": text_of(fault), "where": name, "count": fault["count"],
                    "games": games, "cycle": fault["cycle"], "length": fault["length"],
                }  # fmt: skip
                self.fault(**{**about, **replay})
                broken = broken or by_module or fault["kind"] in FATAL
            for large in answer["large"]:
                self.fault(
                    "unbounded", f"{large['name']} of the module reached {large['value']:,} in a game of "
                    f"{large['length']:,} decisions", name, count=1, games=games, length=large["length"],
                )  # fmt: skip
        summary = self.findings.setdefault("breakage", {})
        summary.setdefault("faults", [])
        summary["games"] = sum(a["games"] for a in found.values())
        summary["decisions"] = sum(a["decisions"] for a in found.values())
        if broken or NOBODY not in found or EVERYBODY not in found:
            raise _Broken
        base, full = found[NOBODY], found[EVERYBODY]
        phases: set[int] = set()
        for name, answer in found.items():
            if name != NOBODY:
                phases |= set(answer["phases"])
        longest = max(MINIMUM_LONGEST, 10 * max(a["longest"] for a in found.values()))
        self.facts = {"phases": sorted(phases - set(base["phases"])), "longest": longest, "length": full["mean_length"]}
        self.offered = any(a["offered"] > 0 for n, a in found.items() if n != NOBODY)
        self.scale = max(float(base["spread"]), 1e-6)
        self.budget, factor = fitted(self.budget, float(full["mean_length"]), int(full["observation"]), self.compiled)
        self.findings["sizes"] = {"factor": factor, "longest": longest, "mean_length": full["mean_length"],
                                  "scale": self.scale}  # fmt: skip
        self.findings["offered"] = self.offered

    def _shown(self, name: str, condition: Condition, fault: dict[str, Any], job: Job) -> dict[str, Any]:
        """The replay of the shortest game that shows a fault."""
        args = {
            "condition": condition, "game": fault["game"], "games": job.args["games"], "seed": job.args["seed"],
            "upto": min(fault["length"], 2000), "crash": fault["kind"] == "crash",
            "path": f"replays/{fault['kind'].replace(' ', '_')}-{_slug(name)}.json",
        }  # fmt: skip
        (answer,) = self.ask("break", [Job("again", args, 600.0)])
        return {"replay": None, "moves": []} if isinstance(answer, Failed) else answer

    def _lost(self, name: str, condition: Condition, failed: Failed, job: Job) -> None:
        """A process was lost, or the rules raised: what was going on."""
        if failed.kind in ("raised", "refused"):
            (answer,) = self.ask(
                "break", [Job("raised", {"condition": condition, "games": 40, "seed": job.args["seed"]})]
            )
            text = failed.text if isinstance(answer, Failed) or not answer["text"] else answer["text"]
            self.fault("crash", text, name, count=1)
            return
        last = last_of(self.folder / str(job.args["live"]))
        word = (
            "the rules never return" if failed.kind == "hung" else f"the rules bring the process down ({failed.text})"
        )
        if last is None:
            self.fault("crash" if failed.kind == "died" else "hang", word, name, count=1)
            return
        decisions = last["decisions"]
        entering = last["doing"] == 3
        args = {
            "condition": condition, "game": last["game"], "games": job.args["games"], "seed": job.args["seed"],
            "decisions": decisions[:-1] if entering else decisions, "path": f"replays/{failed.kind}-{_slug(name)}.json",
        }  # fmt: skip
        (answer,) = self.ask("break", [Job("follow", args, 600.0)])
        more = {} if isinstance(answer, Failed) else answer
        final = None
        if entering and decisions:
            final = told(self.bench.game(condition), decisions[-1])
        text = f"{word} {DOINGS.get(last['doing'], '')} (after {len(decisions)} decisions)"
        self.fault("crash" if failed.kind == "died" else "hang", text, name, count=1, final=final, **more)

    def variants(self, condition: Condition, cards: Sequence[int], mirrored: bool = False) -> list[Condition]:
        """The condition with handicaps for the sides, as far as the scenario allows them, and mirrored."""
        out = [condition]
        if self.bench.can_handicap:
            for side in self.sides:
                out += [c for n in cards if n and (c := condition.with_cards(side, n)) and self.possible(c)]
        if mirrored and self.bench.can_mirror:
            out.append(replace(condition, mirrored=True))
        return out

    def possible(self, condition: Condition) -> bool:
        """Whether the scenario allows a handicap."""
        try:
            self.bench.spec(condition)
        except ProbespielError:
            return False
        return True

    def prelude(self) -> None:
        """The strongest baseline without the module: the one that the best opponent among them gains least from."""
        self.watcher.begin("prelude")
        base = [Strategy(name, base=name) for name in self.bench.baselines()]
        args = {"conditions": [Condition()], "rows": base, "columns": base, "deals": (0, self.budget.prelude),
                "blocks": 10, "seed": self.seed("prelude")}  # fmt: skip
        (blocks,) = self.need("prelude", [Job("matrix", args)])
        m = np.asarray(blocks).mean(axis=0)
        m = (m - m.T) / 2
        self.anchor = base[int(np.lexsort((-m.mean(axis=1), np.round(mg.exploitability(m), 2)))[0])]
        self.baselines = base
        self.findings["anchor"] = self.anchor.name

    def learn(self) -> None:
        """Learners of every condition, from several seeds."""
        self.watcher.begin("learn")
        b = self.budget
        ends = (min(b.differences), max(b.differences))
        jobs: list[Job] = []
        made: list[tuple[str, Strategy]] = []
        others = [(s, 0.15) for s in self.baselines if s != self.anchor][:4]
        for name, condition in self.conditions.items():
            variants = self.variants(condition, ends, mirrored=name in (NOBODY, EVERYBODY))
            for s in range(b.seeds):
                if self.actions and condition.holders and self.offered:
                    net = f"use-{_slug(name)}-{s}.npz"
                    sides = [h for h in condition.holders if h in self.sides]
                    jobs.append(self._course(USE, net, variants, [(self.anchor, 0.5)], sides, 0.5, b.learn_use, 1.0, s))
                    label = f"uses it when it pays where {name} has it ({s + 1})"
                    made.append((name, learner_of(USE, label, net, self.anchor.base)))
                net = f"free-{_slug(name)}-{s}.npz"
                opponents = [(self.anchor, 0.4), *others]
                jobs.append(self._course(FREE, net, variants, opponents, self.sides, 1.0, b.learn_free, 0.4, s))
                made.append((name, learner_of(FREE, f"learned where {name} has it ({s + 1})", net, self.anchor.base)))
        learned = self.need("learn", jobs)
        self.findings["learning"] = [
            {"condition": name, "strategy": s.name, "branched": a["branched"], "games": a["games"], "error": a["error"]}
            for (name, s), a in zip(made, learned)
        ]
        self.learners = made

    def _course(
        self, kind: str, net: str, conditions: list[Condition], opponents: list[tuple[Strategy, float]],
        sides: list[int], together: float, games: int, share: float, number: int,
    ) -> Job:  # fmt: skip
        args = {
            "kind": kind, "net": net, "conditions": conditions, "anchor": self.anchor.base, "opponents": opponents,
            "sides": sides, "together": together, "games": games, "share": share, "scale": self.scale,
            "seed": self.seed("learn", kind, net, number),
        }  # fmt: skip
        return Job("train", args)

    def pool(self, name: str, side: int) -> list[Strategy]:
        """The strategies of a side in a condition before anybody counters them."""
        condition = self.conditions[name]
        out = list(self.baselines)
        holds = side in condition.holders and bool(self.actions) and self.offered
        if holds:
            out += [self.anchor.using(use) for use in ("always", "never", "coin", "random")]
            others = [s for s in self.baselines if s.base not in ("random", self.anchor.base)]
            out += [s.using("always") for s in others]  # a holder should not be easier to read than others
        for where, strategy in self.learners:
            if where == name and (strategy.scope == "everywhere" or holds):
                out.append(strategy)
        return out

    def matrices(self, step: str, pools: dict[str, list[list[Strategy]]], deals: int, use: str,
                 names: Sequence[str] | None = None) -> dict[str, np.ndarray]:  # fmt: skip
        """Blocks of margins (blocks, rows, columns) of the pools of every condition, on fresh deals."""
        jobs, of = [], []
        ends = (min(self.budget.differences), max(self.budget.differences))
        for name in names or list(pools):
            rows, columns = pools[name][0], pools[name][-1]
            conditions = [self.conditions[name]]
            if use != "matrix":
                conditions += [c for c in self.variants(self.conditions[name], ends) if c.cards and c.side == 0]
            half = max(1, deals // 2)
            for part in ((0, half), (half, deals)):
                if part[1] > part[0]:
                    args = {"conditions": conditions, "rows": rows, "columns": columns, "deals": part, "blocks": 10,
                            "seed": self.seed(use)}  # fmt: skip
                    jobs.append(Job("matrix", args))
                    of.append(name)
        out: dict[str, np.ndarray] = {}
        for name, blocks in zip(of, self.need(step, jobs)):
            out[name] = np.concatenate([out[name], blocks]) if name in out else np.asarray(blocks)
        return out

    def choose(self) -> None:
        """Mixtures that no other strategy found exploits: of all strategies, and of each learner's seed alone."""
        self.watcher.begin("choose")
        b = self.budget
        pools = {name: [self.pool(name, side) for side in self.sides] for name in self.conditions}
        for number in range(1, b.rounds + 1):
            self._counter(pools, number)
        self.pools = pools
        second = self.matrices("choose", pools, b.choose, "choose")
        for name in self.conditions:
            self.mixtures[name] = self._mixtures(second[name], pools[name][0], pools[name][-1])
        self.findings["mixtures"] = {
            name: [
                {"side": self.bench.side_names[side], "mixture": {s.name: w for s, w in zip(m.strategies, m.weights)}}
                for side, m in zip(self.sides, mixtures[-1])
            ]
            for name, mixtures in self.mixtures.items()
        }

    def _counter(self, pools: dict[str, list[list[Strategy]]], number: int) -> None:
        """Each side of every condition learns to beat the other's mixture: a step of policy-space response oracles.

        (Lanctot et al. 2017.) One step alone leaves the side ahead that happened to find the better answer.
        """
        b = self.budget
        later = "" if number == 1 else f"-{number}"
        first = self.matrices("choose", pools, max(b.choose // 2, 20), f"choose first{later}")
        jobs, made = [], []
        for name, condition in self.conditions.items():
            samples = resampled(first[name], CHOICES, self.seed("choices"))
            row = mg.maximin_many(samples)[1].mean(axis=0)
            column = mg.maximin_many(-samples.swapaxes(1, 2))[1].mean(axis=0)
            for side in self.sides:
                if side > 0 and len(self.bench.sides) > 2:
                    continue
                weights = column if side == 0 else row
                against = pools[name][-1] if side == 0 else pools[name][0]
                opponents = [(s, w) for s, w in zip(against, weights.tolist()) if w > 0.03]
                net = f"counter-{_slug(name)}-{side}{later}.npz"
                variants = self.variants(condition, (min(b.differences), max(b.differences)))
                jobs.append(self._course(COUNTER, net, variants, opponents, [side], 0.0, b.learn_counter, 0.5, side))
                label = f"counters the others as {self.bench.side_names[side]} where {name} has it"
                label += f", round {number}" if number > 1 else ""
                made.append((name, side, learner_of(COUNTER, label, net, self.anchor.base)))
        self.need("choose", jobs)
        for name, side, strategy in made:
            pools[name][side].append(strategy)

    def _mixtures(
        self, blocks: np.ndarray, rows: list[Strategy], columns: list[Strategy]
    ) -> list[tuple[Mixture, Mixture]]:
        """Equilibria of the pools with one learner's seed each, and, last, of the whole pools.

        An equilibrium of noisy means may rest on a lucky strategy alone; the mean of those of resamples does not.
        """
        samples = resampled(blocks, CHOICES, self.seed("choices"))
        out = []
        for s in [*range(1, self.budget.seeds + 1), None]:
            keep_r = [i for i, x in enumerate(rows) if s is None or _seed_of(x) in (s, None)]
            keep_c = [j for j, x in enumerate(columns) if s is None or _seed_of(x) in (s, None)]
            games = samples[:, keep_r][:, :, keep_c]
            row = mg.maximin_many(games)[1].mean(axis=0)
            column = mg.maximin_many(-games.swapaxes(1, 2))[1].mean(axis=0)
            out.append(
                (
                    mixture_of([rows[i] for i in keep_r], row.tolist()),
                    mixture_of([columns[j] for j in keep_c], column.tolist()),
                )
            )
        return out

    def cells(self, step: str, wanted: dict[str, tuple[Condition, list[tuple[Mixture, Mixture]]]], deals: int,
              use: str) -> dict[str, np.ndarray]:  # fmt: skip
        """Margins of side 0 on the same fresh deals in several conditions, by name."""
        jobs = [
            Job(
                "measure",
                {"condition": c, "mixtures": mixtures, "deals": (0, deals), "seed": self.seed(use)},
                float(deals),
            )
            for c, mixtures in wanted.values()
        ]
        answers = self.need(step, jobs)
        return {name: np.asarray(a["margins"], dtype=np.float64) for name, a in zip(wanted, answers)}

    def measure(self) -> None:
        """What having the module is worth, at several hand-size differences, in payoff and in cards."""
        self.watcher.begin("measure")
        b = self.budget
        per_seed = {name: mixtures[:-1] for name, mixtures in self.mixtures.items()}
        wanted: dict[str, tuple[Condition, list[tuple[Mixture, Mixture]]]] = {}
        for side in self.sides:
            only = f"only {self.bench.side_names[side]}"
            cards = [0] if not self.bench.can_handicap else sorted({*b.curve, *b.differences})
            for n in cards:
                plain = Condition().with_cards(side, n)
                if not self.possible(plain):
                    continue
                if n == 0 or n in b.curve or n in b.differences:
                    wanted[f"{NOBODY} {side} {n}"] = (plain, per_seed[NOBODY])
                if n in b.differences or n == 0:
                    wanted[f"{only} {n}"] = (self.conditions[only].with_cards(side, n), per_seed[only])
        wanted[f"{EVERYBODY} 0"] = (self.conditions[EVERYBODY], per_seed[EVERYBODY])
        if self.bench.can_mirror:
            for name in (NOBODY, EVERYBODY):
                wanted[f"{name} mirrored"] = (replace(self.conditions[name], mirrored=True), per_seed[name])
        got = self.cells("measure", wanted, b.measure, "measure")
        self.measured = got
        names = self.bench.side_names
        self.findings["worth"] = worth_table(got, self.sides, names, b, self.budget.seeds, self.scale)
        self.findings["cards"] = cards_of(got, self.sides, names, b) if self.bench.can_handicap else None
        self.findings["seat"] = seat_effect(got, self.bench.can_mirror)

    def watch_use(self) -> None:
        """Rates of use, what a use is worth, and what is lost if it is always, never or blindly used."""
        self.watcher.begin("use")
        b = self.budget
        if not self.actions:
            self.findings["use"] = {"actions": 0}
            return
        rows, columns = self.mixtures[EVERYBODY][-1]
        condition = self.conditions[EVERYBODY]
        jobs = [
            Job("rates", {"condition": condition, "rows": rows, "columns": columns, "deals": b.rates,
                          "seed": self.seed("rates")}),
            Job("worths", {"condition": condition, "rows": rows, "columns": columns, "samples": b.samples,
                           "deals": 20 * b.samples, "replicates": 4, "seed": self.seed("worths")}),
        ]  # fmt: skip
        rates, worths = self.need("use", jobs)
        restricted = {}
        for side in self.sides:
            only = f"only {self.bench.side_names[side]}"
            mixtures = self.mixtures[only][-1]
            wanted = {"as it likes": (self.conditions[only], [mixtures])}
            for use in ("always", "never", "coin", "random"):
                held = list(mixtures)
                held[side] = Mixture(tuple(s.using(use) for s in mixtures[side].strategies), mixtures[side].weights)
                wanted[use] = (self.conditions[only], [(held[0], held[1])])
            got = self.cells("use", wanted, b.measure // 2, f"restricted {side}")
            sign = 1.0 if side == 0 else -1.0
            restricted[self.bench.side_names[side]] = {
                use: paired(sign * got["as it likes"], sign * got[use]) for use in wanted if use != "as it likes"
            }
        self.findings["use"] = {"actions": len(self.actions), **rates, "worth": worths, "restricted": restricted}

    def look_for_dominance(self) -> None:
        """The matrix game of all strategies, without the module and with it, on fresh games."""
        self.watcher.begin("dominance")
        b = self.budget
        pools: dict[str, list[list[Strategy]]] = {}
        for name in (NOBODY, EVERYBODY):
            pools[name] = [once_each(s for pool in self.pools[name] for s in pool)]
        blocks = self.matrices("dominance", pools, b.matrix, "matrix")
        out = {}
        for name in (NOBODY, EVERYBODY):
            players = pools[name][0]
            rates = [float("nan")] * len(players)
            if name == EVERYBODY and self.actions:
                args = {"condition": self.conditions[name], "strategies": players, "opponent": self.anchor,
                        "deals": max(40, b.rates // 20), "seed": self.seed("use rates")}  # fmt: skip
                (answer,) = self.need("dominance", [Job("use_rates", args)])
                rates = [float("nan") if r is None else float(r) for r in answer["rates"]]
            out[name] = dominance([p.name for p in players], blocks[name], rates, b.resamples, self.seed("resample"))
            out[name]["games"] = len(players) ** 2 * b.matrix
        self.findings["dominance"] = out

    def dynamics(self) -> None:
        """Luck share, drama and length, and the ladder of searches, with nobody and with everybody having it."""
        self.watcher.begin("dynamics")
        b = self.budget
        jobs, of = [], []
        for name in (NOBODY, EVERYBODY):
            rows, columns = self.mixtures[name][-1]
            args = {"condition": self.conditions[name], "rows": rows, "columns": columns, "deals": (0, b.course),
                    "replicates": b.replicates, "seed": self.seed("course")}  # fmt: skip
            jobs.append(Job("course", args))
            of.append((name, ""))
            for strong, weak in ladder_of(b.ladder):
                args = {"condition": self.conditions[name], "strong": strong, "weak": weak, "deals": (0, b.rung),
                        "seed": self.seed("ladder")}  # fmt: skip
                jobs.append(Job("rung", args))
                of.append((name, strong.agent))
        answers = self.need("dynamics", jobs)
        out: dict[str, Any] = {}
        for (name, rung), answer in zip(of, answers):
            here = out.setdefault(name, {"ladder": []})
            if rung:
                scores = np.asarray(answer["scores"])
                here["ladder"].append(
                    {"search": rung, "score": float(scores.mean()), "error": _error(scores), "games": 2 * len(scores)}
                )
                continue
            margins = np.asarray(answer["margins"])
            between, within, share, error = luck_share(margins)
            here["luck"] = {"share": share, "error": error, "between": between, "within": within}
            here["games"] = int(margins.size)
            for key in ("drama", "comeback", "changes", "lengths"):
                # deals are what is independent
                values = np.asarray(answer[key])
                known = np.isfinite(values)
                means = np.where(
                    known.any(axis=0), np.nansum(values, axis=0) / np.maximum(known.sum(axis=0), 1), np.nan
                )
                means = means[np.isfinite(means)]
                here[key] = {"mean": float(means.mean()) if len(means) else None, "error": _error(means)}
            flat = np.sign(np.where(np.abs(margins) < 1e-9, 0.0, margins))
            here["draws"] = float((flat == 0).mean())
        self.findings["dynamics"] = out

    def exploit(self) -> None:
        """The best response to the strongest play that does not know the module, and the game that shows it."""
        self.watcher.begin("exploit")
        b = self.budget
        self.findings["exploit"] = []
        for side in self.sides:
            if side > 0 and len(self.bench.sides) > 2:
                continue
            name = self.bench.side_names[side]
            only = f"only {name}"
            condition = self.conditions[only]
            plain = self.mixtures[NOBODY][-1]
            target, own = plain[1 - side], plain[side]
            jobs, fresh = [], []
            for s in range(b.seeds):
                net = f"exploit-{_slug(name)}-{s}.npz"
                opponents = list(zip(target.strategies, target.weights))
                jobs.append(self._course(COUNTER, net, [condition], opponents, [side], 0.0, b.learn_counter, 0.5, s))
                fresh.append(learner_of(COUNTER, f"best response ({s + 1})", net, self.anchor.base))
            self.need("exploit", jobs)
            candidates = [*self.pools[only][side], *fresh]
            rows, columns = (
                (candidates, list(target.strategies)) if side == 0 else (list(target.strategies), candidates)
            )
            args = {"conditions": [condition], "rows": rows, "columns": columns, "deals": (0, 2 * b.choose),
                    "blocks": 10, "seed": self.seed("exploit choose")}  # fmt: skip
            (blocks,) = self.need("exploit", [Job("matrix", args)])
            m = np.asarray(blocks).mean(axis=0)
            values = m @ np.array(target.weights) if side == 0 else -(np.array(target.weights) @ m)
            best = candidates[int(values.argmax())]
            hero = Mixture((best,), (1.0,))
            pair = (hero, target) if side == 0 else (target, hero)
            base = (own, target) if side == 0 else (target, own)
            got = self.cells("exploit", {"with": (condition, [pair]), "without": (Condition(), [base])}, b.measure,
                             "exploit")  # fmt: skip
            sign = 1.0 if side == 0 else -1.0
            gain = paired(sign * got["with"], sign * got["without"])
            shown: Any = {"found": False}
            args = {"condition": condition, "plain": Condition(), "side": side, "exploiter": best, "target": target,
                    "own": own, "deals": b.show, "replicates": 40, "seed": self.seed("show"),
                    "path": f"replays/exploit-{_slug(name)}.json"}  # fmt: skip
            if gain["low"] > 0:  # else there is none
                (shown,) = self.ask("exploit", [Job("exploit", args)])
            self.findings["exploit"].append(
                {
                    "side": name,
                    "strategy": best.name,
                    "target": {s.name: w for s, w in zip(target.strategies, target.weights)},
                    "value": float((sign * got["with"]).mean()),
                    "without": float((sign * got["without"]).mean()),
                    "gain": gain,
                    "game": {"found": False, "why": shown.text} if isinstance(shown, Failed) else shown,
                }
            )

    def report(self, note: str = "") -> Path:
        """Judge and write the report; returns its path."""
        if note:
            self.notes.append(note)
        self.findings["verdict"] = verdict_of(self.findings)
        return write_reports(self.folder, self.findings)


def _slug(text: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in text)[:60]


def _seed_of(strategy: Strategy) -> int | None:
    """The learner's seed of a strategy, from its name; None for those that every pool has."""
    head, _, tail = strategy.name.rpartition("(")
    return int(tail[:-1]) if head and tail.endswith(")") and tail[:-1].isdigit() else None


def _error(values: np.ndarray) -> float | None:
    return float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else None


__all__ = ["Stress", "StressInterrupted", "run_stress"]
