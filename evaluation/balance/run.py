"""The search for balance: which values of a module's parameters meet the targets, and how sure that is.

All points are conditions of one rule set on the same deals, so that differences between them are not luck. Figures that
are differences of values are exact where the games can be solved; all others come from the steps of the stress lab,
with more games in every round of `design`. Answers are kept job by job: an interrupted search goes on where it was, and
ends as one that was not; the number of processes changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from probespiel import __version__

from ...envs.core.build import ruleset_hash
from ...envs.core.engine import Engine
from ...envs.core.errors import ProbespielError, RulesetError
from ...envs.core.modules import Module
from ..declaration import unit_of
from ..stress.away import workers_of
from ..stress.breakage import SECONDS, SLOW_GAMES, text_of
from ..stress.budget import BUDGETS, part_of
from ..stress.building import build
from ..stress.conditions import Bench, Condition, Settings
from ..stress.context import Context, Unanswered, slug
from ..stress.lab import Facts, module_of, parts_of
from ..stress.prelude import compare_baselines
from ..stress.progress import INTERPRETED, Quiet, Watcher
from ..stress.setting import kept
from ..stress.store import Kind, Store
from ..stress.strategies import Prelude
from ..stress.workers import Failed, Job
from .command import stress_command
from .design import SHARES, around, better_half, between, front_of, surer_ones, through
from .fit import Fit
from .measuring import ALONE, SOLVED, Measured, estimated, solved, solved_before
from .records import Axis, Balance, Point, read_balance
from .report import write_reports
from .space import Key, Space, space_of
from .targets import Target, targets_of
from .words import values_text

BALANCE = Kind("settings.json", "probespiel-balance-search/1", "search for balance")
INTERRUPTED = "This search was interrupted; what was measured stands here, what was not finished is missing."
PROBES = 10  # games in which a stress test looks for breakage, for one here
MINIMUM_LONGEST = 200
ROUNDS = 12  # of finer values between exact ones
SUGGESTIONS = 4  # that are measured with all games, as long as that makes another one better
STEPS = {
    "build": "compiling the rules", "break": "looking for what breaks", "solve": "solving the games",
    "grid": "measuring a coarse grid", "finer": "measuring the better half, and between",
    "suggest": "measuring the suggestion and its neighbours",
}  # fmt: skip
COMPILING, POINT = 30.0, 35.0  # shares of the time: of the rules, and of a point with all games of the budget


class BalanceInterrupted(KeyboardInterrupt):
    """Ctrl-C in a search: `found` was measured, `page` is its report; `stays`: they are of before, and tell more."""

    def __init__(self, found: Balance, page: Path, stays: bool = False) -> None:
        super().__init__("interrupted")
        self.found, self.page, self.stays = found, page, stays


@dataclass
class Inner:
    """Tells the watcher of the search what steps of the lab tell: each is a part of one of its own."""

    outer: Watcher
    step: str = "build"
    part: float = 1.0

    def start(self, weights: Mapping[str, float], titles: Mapping[str, str]) -> None:
        """Begin to watch."""
        self.outer.start(weights, titles)

    def begin(self, step: str) -> None:
        """Steps of the lab begin many times over."""

    def plan(self, seconds: Mapping[str, float], text: str) -> None:
        """A search has more rounds than one test."""

    def measure(self, text: str) -> None:
        """The same for a search."""
        self.outer.measure(text)

    def advance(self, step: str, share: float, played: bool = True) -> None:
        """So much more of a step is done."""
        self.outer.advance(self.step, share * self.part, played)

    def tick(self) -> None:
        """Time passes."""
        self.outer.tick()

    def stop(self) -> None:
        """The end."""
        self.outer.stop()

    def enter(self, step: str, asks: int = 1) -> None:
        """A step of the search begins, in which the lab is asked so many times."""
        self.step, self.part = step, 1.0 / max(asks, 1)
        self.outer.begin(step)


NOTHING = Measured({})


@dataclass(frozen=True)
class Found:
    """What is known of a point: its figures, the share of the games behind them, and why there are none."""

    measured: Measured = NOTHING
    share: float = 0.0
    fault: str = ""


def run_balance(
    settings: Settings,
    params: Sequence[str],
    targets: Sequence[str],
    folder: Path,
    jobs: int = 2,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher | None = None,
    command: str = "",
    engine: Engine | None = None,
) -> tuple[Balance, Path]:
    """Look for balance, and write `report.html` and `balance.json` to a folder; what was found, and the page's path.

    `params` are texts of open parameters (see `space`), `targets` of targets; `settings.params` are given by `params`,
    too. Jobs are done by so many processes of this machine, or by an `engine`, which the caller closes.
    Raises RulesetError or ProbespielError for what makes no search, LabFailure if the lab itself fails, and
    BalanceInterrupted after Ctrl-C, with a report of what was measured, now or before.
    """
    watching = Quiet() if watcher is None else watcher
    search = Search(settings, params, targets, folder, jobs, resume, overwrite, watching, command, engine)
    try:
        search.run()
    except KeyboardInterrupt:
        found, stays = search.interrupted()
        page = folder / "report.html"
        page = page if stays and page.is_file() else write_reports(folder, found)
        raise BalanceInterrupted(found, page, stays) from None
    found = search.told()
    page = write_reports(folder, found)
    search.context.store.told(search.reached, finished=True)
    return found, page


def check_targets(targets: Sequence[Target], bench: Bench, module: Module) -> None:
    """Raise ProbespielError for targets that say nothing of a module or a game."""
    for target in targets:
        if target.figure == "use" and not parts_of(bench)[0]:
            raise ProbespielError(f"--target use: module {module.name} has no actions, so nobody decides about its use")
        if target.figure == "seat" and len(bench.sides) < 2:
            raise ProbespielError(f"--target seat: {bench.settings.game} ({bench.scenario}) has one side")
        if target.figure == "worth" and len(bench.sides) > 1 and bench.for_all:
            raise ProbespielError(
                f"--target worth: module {module.name} concerns the whole table, so that nobody can have it alone: "
                "aim at length, draws, luck, seat, use or dominant"
            )


class Search:
    """A search under way; `known` is what was found out so far."""

    def __init__(
        self, settings: Settings, params: Sequence[str], targets: Sequence[str], folder: Path, jobs: int, resume: bool,
        overwrite: bool, watcher: Watcher, command: str, engine: Engine | None = None,
    ) -> None:  # fmt: skip
        if settings.budget not in BUDGETS:
            raise ProbespielError(f"budget = {settings.budget!r} is not allowed: one of {', '.join(BUDGETS)}")
        if jobs < 1:
            raise ProbespielError(f"jobs = {jobs} is not allowed: at least 1")
        module = module_of(Bench(replace(settings, params={})))
        self.space: Space = space_of(module, params)
        self.targets = targets_of(targets)
        self.settings = replace(settings, params=dict(self.space.fixed))
        bench = Bench(self.settings)
        check_targets(self.targets, bench, module)
        spec = bench.spec(bench.everybody())
        self.ruleset = ruleset_hash(spec.sources)
        known = {
            **self.settings.as_dict(), "version": __version__, "ruleset": self.ruleset, "options": bench.options,
            "scenario": bench.scenario, "axes": [[a.name, list(a.values)] for a in self.space.axes],
            "targets": [[t.figure, t.low, t.high] for t in self.targets],
        }  # fmt: skip
        self.inner = Inner(watcher)
        self.context = Context(
            bench=bench,
            budget=BUDGETS[settings.budget],
            store=Store(Path(folder), known, resume, overwrite, BALANCE),
            workers=workers_of(self.settings, self.ruleset, Path(folder), jobs, engine),
            watcher=self.inner,
            marked=parts_of(bench)[0],
        )
        self.module, self.command = module, command
        self.wanted = [target.figure for target in self.targets]
        self.known: dict[Key, Found] = {}
        self.facts: Facts | None = None
        self.prelude: Prelude | None = None
        self.solving = any(name in SOLVED for name in self.wanted)
        self.notes: list[str] = []
        self.complete = False

    # --- the course ---------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """All rounds."""
        self.inner.start(self._weights(), STEPS)
        try:
            with self.context.workers:
                self._rounds()
        except Unanswered as stop:
            raise RulesetError(
                f"module {self.module.name}: the rules break ({stop.failed.text}); `probespiel stress` tells more"
            ) from None
        finally:
            self.inner.stop()
        self.complete = True

    def _weights(self) -> dict[str, float]:
        """Expected shares of the time, if all figures have to be estimated."""
        n, m = len(self.space.first()), 1 + 2 * len(self.space.axes)
        return {
            "build": COMPILING, "break": 0.2 * n, "solve": 0.2 * n, "grid": SHARES[0] * POINT * n,
            "finer": SHARES[1] * POINT * (n / 2 + 1), "suggest": POINT * m,
        }  # fmt: skip

    def _rounds(self) -> None:
        self.inner.enter("build")
        built = build(self.context)
        self.notes += built.notes
        if built.fault:
            raise RulesetError(f"module {self.module.name}: {built.fault.text}; `probespiel stress` tells more")
        self.context = replace(self.context, compiled=built.compiled)
        if not built.compiled:
            self.inner.measure(INTERPRETED)
        first = self._playable(self.space.first())
        if self.solving:
            self.inner.enter("solve")
            self._solve(first)
        if not self.open:
            self._finer_exactly()
        else:
            keys = first
            for number, share in enumerate(SHARES[:-1]):
                self._measure(keys, share, "grid" if number == 0 else "finer")
                keys = self._next(number)
        self._suggest()

    @property
    def open(self) -> list[str]:
        """The figures of the targets that are estimated."""
        return [name for name in self.wanted if not (self.solving and name in SOLVED)]

    def _bench(self, key: Key) -> Bench:
        """The bench at a point; with a game in which all have the module only if a figure needs it."""
        everybody = any(name not in ALONE for name in self.open)
        return self.context.bench.at(self.space.params(key), everybody)

    def _playable(self, keys: Sequence[Key]) -> list[Key]:
        """The points of which games can be made and played; what is wrong with others is noted."""
        new = [key for key in keys if key not in self.known]
        for key in new:
            try:
                bench = self._bench(key)
                bench.spec(bench.everybody())
                self.known[key] = Found()
            except RulesetError as error:
                self.known[key] = Found(fault=f"not allowed: {error}")
        self._probe([key for key in new if not self.known[key].fault])
        return [key for key in keys if not self.known[key].fault]

    def _probe(self, keys: Sequence[Key]) -> None:
        """A few games of wilful random play in every condition of some points (see `stress.breakage`)."""
        if not keys:
            return
        self.inner.enter("break")
        context = replace(self.context, facts=Facts())
        games = max(30, context.budget.probe // PROBES) if context.compiled else SLOW_GAMES
        wanted: dict[Condition, set[Key]] = {}
        for key in keys:
            bench = context.bench.at(self.space.params(key))
            for condition in bench.holder_conditions().values():
                wanted.setdefault(condition, set()).add(key)
        jobs = []
        for condition in wanted:
            live = f"live/{context.file_of('probe', condition)}-{'-'.join(map(str, condition.holders))}"
            args = {"condition": condition, "games": games, "seed": context.seed("probe"), "live": live}
            jobs.append(Job("probe", args, SECONDS if context.compiled else 10 * SECONDS, context.folder / live))
        answers = dict(zip(wanted, context.ask("break", jobs)))
        for condition, answer in answers.items():
            faults = [answer.text] if isinstance(answer, Failed) else [text_of(f) for f in answer["faults"]]
            faults += (
                [] if isinstance(answer, Failed) else [f"{x['name']} grows without bound" for x in answer["large"]]
            )
            if faults and not condition.holders:
                raise RulesetError(f"the game breaks without the module, too: {faults[0]}")
            for key in wanted[condition] if faults else ():
                self.known[key] = Found(fault=f"the rules break: {faults[0]}")
        if self.facts is None:
            self._sizes(answers)

    def _sizes(self, answers: Mapping[Condition, Any]) -> None:
        """How long games are and how far results deviate, for all later jobs; from the first points together."""
        good = [a for a in answers.values() if not isinstance(a, Failed)]
        nobody = answers[Condition()]
        phases = {phase for a in good for phase in a["phases"]} - set(nobody["phases"])
        longest = max(MINIMUM_LONGEST, 10 * max(a["longest"] for a in good))
        length = max(float(a["mean_length"]) for a in good)
        self.facts = Facts(tuple(sorted(phases)), longest, length)
        self.sizes = (
            any(a["offered"] > 0 for a in good), max(float(nobody["spread"]), 1e-6), int(nobody["observation"])
        )  # fmt: skip

    def _solve(self, keys: Sequence[Key]) -> None:
        """Exact figures at some points; from the first game that cannot be solved on, all are estimated."""
        asked = (replace(self.context, facts=Facts()), [self._bench(key) for key in keys], self.wanted)
        share = 1.0 if not self.open else 0.0
        try:
            found = solved(*asked)
        except KeyboardInterrupt:  # what was solved until then is told
            for key, figures in zip(keys, solved_before(*asked)):
                if figures:
                    self.known[key] = Found(Measured(figures), share)
            raise
        if found is None:
            self.solving = False
            self.known = {key: Found(fault=f.fault) for key, f in self.known.items()}
            return
        for key, figures in zip(keys, found):
            if not figures:
                self.known[key] = Found(fault="the game could not be solved, because of the rules")
            else:
                self.known[key] = Found(Measured(figures), max(share, self.known[key].share))

    def _measure(self, keys: Sequence[Key], share: float, step: str) -> None:
        """Figures at some points, by a share of the games of the budget; finished points are not measured again."""
        todo = [key for key in self._playable(keys) if self.known[key].share < share]
        if self.solving:
            new = [key for key in todo if not self.known[key].measured.figures]
            self.inner.enter(step)
            self._solve(new)
            if not self.solving:
                todo = list(dict.fromkeys([*todo, *(k for k, f in self.known.items() if not f.fault)]))
        if not self.open:
            return
        self.inner.enter(step, 8 * len(todo))
        whole = self._sized()
        if self.prelude is None:
            self.prelude = compare_baselines(whole)
        part = replace(part_of(whole.budget, share), differences=(0,), curve=(0,))
        scale = max(whole.scale, self.prelude.deviation)
        context = replace(whole, budget=part, tag=f"{share:g}", scale=scale)
        for key in todo:
            here = replace(context, bench=self._bench(key))
            before = self.known[key].measured.figures
            try:
                got = estimated(here, self.prelude, self.open, f"replays/{slug(values_text(self.space.params(key)))}")
            except Unanswered as stop:
                self.known[key] = Found(fault=f"the rules break: {stop.failed.text}")
                continue
            exact = {name: f for name, f in before.items() if f.exact}
            self.known[key] = Found(Measured({**got.figures, **exact}, got.gaps, got.replay), share)

    def _sized(self) -> Context:
        """The context for games of known length, with the whole budget."""
        assert self.facts is not None
        offered, scale, observation = self.sizes
        return self.context.sized(self.facts, offered, scale, observation)[0]

    def _fit(self) -> Fit:
        return Fit(self.space, self.targets, self._figures(), self.context.seed("balance", "fit") % (1 << 32))

    def _figures(self) -> dict[Key, Measured]:
        """What is known of the points without a fault."""
        return {key: f.measured for key, f in self.known.items() if not f.fault and f.measured.figures}

    def _new(self, kept: Sequence[Key], number: int) -> list[Key]:
        """Points that are not known yet, where the targets seem near."""
        figures = {key: m.figures for key, m in self._figures().items()}
        if len(self.space.axes) == 1:
            found = between(self.targets, figures) if self.space.axes[0].numeric else []
            return [key for key in found if key not in self.known]
        if not self._fit().smooth:
            return []
        return around(self.space, kept, self.known, self._fit().losses, number)

    def _next(self, number: int) -> list[Key]:
        """The points of the next round."""
        kept = better_half(self.targets, {key: m.figures for key, m in self._figures().items()})
        return [*kept, *self._new(kept, number)]

    def _finer_exactly(self) -> None:
        """Exact values between exact values, until there is nothing between, or enough."""
        for number in range(ROUNDS):
            if not self._figures():
                return
            kept = better_half(self.targets, {key: m.figures for key, m in self._figures().items()})
            new = self._new(kept, number)
            if not new:
                return
            self._measure(new, 1.0, "finer")

    def _suggest(self) -> None:
        """Measure what is suggested, and all that is one step away, with all games of the budget."""
        for _ in range(SUGGESTIONS if self.open else ROUNDS):
            best = self._best(self.space.all())
            if best is None:
                return
            near = [best, *self.space.steps(best), *([] if self.open else self._through(best))]
            if not any(self.known.get(key, Found()).share < 1.0 and not self._faulty(key) for key in near):
                return
            self._measure(near, 1.0, "suggest")

    def _through(self, best: Key) -> list[Key]:
        figures = {key: m.figures for key, m in self._figures().items()}
        return through(self.space, self.targets, figures, best)

    def _faulty(self, key: Key) -> bool:
        return key in self.known and bool(self.known[key].fault)

    def _best(self, keys: Sequence[Key]) -> Key | None:
        """The point that is expected to be nearest to the targets; None if nothing is known."""
        able = [key for key in keys if not self._faulty(key)]
        fit = self._fit()
        if not able or not fit.keys:
            return None
        losses = fit.losses(able)
        best = min(range(len(able)), key=lambda i: (losses[i], able[i]))
        return able[best] if losses[best][0] < float("inf") else None

    # --- what is told -------------------------------------------------------------------------------------------------

    @property
    def reached(self) -> int:
        """How much is known, a number that grows: a point that is done counts a thousand, a first figure one."""
        return sum(1000 if f.fault else round(1000 * f.share) + len(f.measured.figures) for f in self.known.values())

    def interrupted(self) -> tuple[Balance, bool]:
        """What is known, unless the report in the folder tells more; and whether that stays."""
        path = self.context.folder / "balance.json"
        before = self.context.store.earlier(self.reached, lambda: read_balance(path))
        return (self.told(INTERRUPTED), False) if before is None else (before, True)

    def told(self, note: str = "") -> Balance:
        """What is known so far."""
        bench, figures = self.context.bench, {key: m.figures for key, m in self._figures().items()}
        front = front_of(self.targets, figures) if len(self.targets) > 1 else set()
        points = {k: self._point(k, k in front) for k in sorted(self.known) if figures.get(k) or self.known[k].fault}
        whole = [key for key in figures if self.known[key].share >= 1.0]
        best = self._best(sorted(whole or figures)) if figures else None
        best = self._best(surer_ones(best, {k: p.meets for k, p in points.items()}, whole)) or best
        steps = [key for key in self.space.steps(best) if key in points] if best is not None else []
        return Balance(
            game=self.settings.game,
            module=self.settings.module,
            scenario=bench.scenario,
            fixed=dict(self.space.fixed),
            budget=self.settings.budget,
            seed=self.settings.seed,
            targets=self.targets,
            axes=tuple(self._axis(axis.name, axis.values, axis.numeric) for axis in self.space.axes),
            payoff_unit=unit_of(bench.system.name, bench.options),
            ruleset=self.ruleset,
            version=__version__,
            command=self.command,
            points=tuple(points.values()),
            along=self._fit().along(best) if best is not None else (),
            suggestion=points[best] if best is not None else None,
            steps=tuple(points[key] for key in steps),
            stress_command=stress_command(self.settings, self.space.params(best)) if best is not None else "",
            notes=(*self.notes, *([note] if note else [])),
            complete=self.complete,
            options=bench.set_on_top,
            also=kept(self.settings.modules),
        )

    def _point(self, key: Key, front: bool) -> Point:
        found = self.known[key]
        figures = found.measured.figures
        found_of = [(t, figures.get(t.figure)) for t in self.targets]
        unknown = "no" if self.complete or found.fault else "maybe"  # it may still be measured
        held = [unknown if f is None else t.holds(f.low, f.high) for t, f in found_of]
        meets = "no" if "no" in held else "maybe" if "maybe" in held else "yes"
        told = tuple(figures[name] for name in self.wanted if name in figures)
        replay = found.measured.replay
        return Point(self.space.params(key), found.share, told, meets, front, found.fault, replay)

    def _axis(self, name: str, values: tuple[Any, ...], numeric: bool) -> Axis:
        param = self.module.params[name]
        return Axis(name, values, numeric, *((param.low, param.high) if numeric else (None, None)))


__all__ = ["BalanceInterrupted", "Search", "run_balance", "stress_command"]
