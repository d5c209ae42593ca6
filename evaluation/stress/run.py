"""The stress test of a rule module: what having it is worth, whether it is used, dominates, changes or breaks the game.

`run_stress` plays the game with nobody, one side, or everybody having the module. In every condition strategies are
found anew (baselines that use the module always, never or by a coin, and learners from several seeds), a mixture that
cannot be exploited among them is chosen on one batch of games and measured on fresh ones. Deals are the same in all
conditions. All rules run in worker processes, which rules under test may crash or hang. The same settings give the same
report, whatever the number of processes and however often the test was interrupted.

`Stress.steps` is the whole test in its order. Every step is a file of its own: a function that takes the context and
what earlier steps have found, and gives a frozen record of `findings`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from probespiel import __version__

from ...envs.core.build import ruleset_hash
from ...envs.core.engine import Engine
from ...envs.core.errors import ProbespielError
from ..declaration import unit_of
from .actions import read_counters
from .advice import next_for_game, next_for_holder
from .affording import afforded, left_out, narrowed, told
from .alike import measure_alike
from .away import workers_of
from .bounds import bound_worth
from .breakage import again_games, look_again, look_for_breakage
from .budget import BUDGETS
from .building import build
from .choosing import choose
from .conditions import Bench, Settings, conditions_in, named_conditions
from .context import STEPS, Context, LabFailure, NotShown, Unanswered
from .declining import look_for_declining
from .dominance import look_for_dominance
from .dynamics import measure_dynamics
from .effect import Known, tell_effect
from .exact import solve_use
from .exploit import look_for_exploits
from .findings import Breakage, Findings, Sizes
from .forecast import Forecast, forecast
from .further import look_beside_others
from .game_verdict import game_verdict_of
from .inert import look_for_effects
from .lab import module_of, parts_of, source_of_module, unseen
from .learning import learn
from .levels import ask_levels
from .naming import german_of, questions_of, used_of
from .oversights import look_for_oversights
from .paid import measure_paid
from .prelude import compare_baselines
from .progress import INTERPRETED, Quiet, Watcher
from .report import german_glossary_of, glossary_of, read_report, report_json, write_reports
from .sample import sample_game
from .setting import kept
from .store import Store
from .strategies import Chosen, Prelude
from .sure import look_for_payments, measured_surely
from .tunable import numbers_of, paying_of, turned_of, whole_of
from .typical import casts_of, typical_games
from .usage import watch_use
from .verdict import verdict_of
from .voluntary import look_for_freedom, look_for_idleness, no_handicap, no_units
from .worth import Measured, measure, measured_by, payable

INTERRUPTED = "This test was interrupted; what was not finished is missing."
BROKEN = "The rules broke so that the test could not go on."


class StressInterrupted(KeyboardInterrupt):
    """A stress test was interrupted at the keyboard; `findings` hold what was finished, `page` the report of it.

    `stays`: that is the report of an earlier time, which tells more than was known again by now.
    """

    def __init__(self, findings: Findings, page: Path, stays: bool = False) -> None:
        super().__init__("interrupted")
        self.findings, self.page, self.stays = findings, page, stays


def run_stress(
    settings: Settings,
    folder: Path,
    jobs: int = 2,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher | None = None,
    command: str = "",
    engine: Engine | None = None,
) -> tuple[Findings, Path]:
    """Test a module and write `report.html`, `report.json` and replays to a folder; findings and the report's path.

    Jobs are done by so many processes of this machine, or by an `engine`, which the caller closes.
    Raises RulesetError or ProbespielError for settings that make no game, LabFailure if the lab itself fails, and
    StressInterrupted after Ctrl-C, with a report of what was finished, now or before.
    """
    test = Stress(settings, folder, jobs, resume, overwrite, Quiet() if watcher is None else watcher, command, engine)
    try:
        test.run()
    except KeyboardInterrupt:
        page, stays = test.interrupted()
        raise StressInterrupted(test.found, page, stays) from None
    page = test.report()
    test.context.store.told(test.reached, finished=True)
    return test.found, page


class Stress:
    """A stress test under way; `found` is what is known so far, `expected` what the steps to come were to take.

    `reached`: how often something was added to what is known.
    """

    def __init__(
        self, settings: Settings, folder: Path, jobs: int, resume: bool, overwrite: bool, watcher: Watcher,
        command: str, engine: Engine | None = None,
    ) -> None:  # fmt: skip
        if settings.budget not in BUDGETS:
            raise ProbespielError(f"budget = {settings.budget!r} is not allowed: one of {', '.join(BUDGETS)}")
        if jobs < 1:
            raise ProbespielError(f"jobs = {jobs} is not allowed: at least 1")
        bench = Bench(settings)
        spec = bench.spec(bench.everybody())
        known = {
            **settings.as_dict(), "version": __version__, "ruleset": ruleset_hash(spec.sources),
            "options": bench.options, "scenario": bench.scenario,
        }  # fmt: skip
        self.context = Context(
            bench=bench,
            budget=BUDGETS[settings.budget],
            store=Store(Path(folder), known, resume, overwrite),
            workers=workers_of(settings, known["ruleset"], Path(folder), jobs, engine),
            watcher=watcher,
            marked=parts_of(bench)[0],
        )
        hooks = paying_of(module_of(bench).hooks, bench.interface)
        self.found = Findings(
            game=settings.game,
            module=settings.module,
            scenario=bench.scenario,
            params={**{name: x.default for name, x in module_of(bench).params.items()}, **settings.params},
            budget=settings.budget,
            seed=settings.seed,
            sides=tuple(bench.side_names),
            unit=bench.unit,
            payoff_unit=unit_of(bench.system.name, bench.options),
            ruleset=known["ruleset"],
            version=__version__,
            command=command,
            whole_table=bench.whole_table,
            zero_sum=bench.zero_sum,
            ranges=turned_of(module_of(bench), source_of_module(bench)),
            numbers=numbers_of(module_of(bench), source_of_module(bench)),
            hooks=hooks,
            whole=whole_of(hooks, bench.interface),
            options=bench.set_on_top,
            dice="fell" in module_of(bench).hooks,
            also=kept(settings.modules),
            unseen=unseen(module_of(bench)),
            questions=questions_of(spec),
            seats=max(map(len, bench.sides)),
        )
        self.spec, self.reached, self.surely = spec, 0, 0
        self.expected: Forecast | None = None

    def run(self) -> None:
        """All steps, until the last one or until the rules break."""
        context = self.context
        shares, titles = zip(*STEPS.values())
        context.watcher.start(dict(zip(STEPS, map(float, shares))), dict(zip(STEPS, titles)))
        try:
            with context.workers:
                try:
                    whole = self.steps()
                except Unanswered as stop:
                    self.broke(stop)
                    whole = False
        finally:
            context.watcher.stop()
        self.note(complete=True)
        if not whole:
            self.note(notes=(*self.found.notes, BROKEN))

    def begun(self) -> Prelude | None:
        """The first steps: the rules, what breaks, the baselines; None if the rules break."""
        built = build(self.context)
        self.note(notes=built.notes)
        if built.fault:
            self.note(breakage=Breakage((built.fault,)))
            return None
        self.context = replace(self.context, compiled=built.compiled)
        if not built.compiled:
            self.context.watcher.measure(INTERPRETED)

        probed = look_for_breakage(self.context)
        self.note(breakage=probed.breakage)
        if probed.broken:
            return None
        facts = replace(probed.facts, declining=look_for_declining(self.context, probed.facts.phases))
        self.context, factor = self.context.sized(facts, probed.offered, probed.scale, probed.observation)
        self.context = replace(self.context, facts=look_beside_others(self.context))
        every = prelude = compare_baselines(self.context)
        self.context = replace(self.context, scale=max(probed.scale, prelude.deviation))
        inert = look_for_effects(self.context)
        self.surely = 0 if inert else look_for_payments(self.context)
        self.context = afforded(self.context, prelude, not inert)
        prelude = narrowed(self.context, prelude, not inert)
        sizes = Sizes(
            factor, probed.facts.longest or 0, probed.facts.length, self.context.scale, dict(self.context.shares),
            len(prelude.baselines), len(every.baselines),
        )  # fmt: skip
        self.note(
            sizes=sizes, offered=probed.offered, inert=inert, anchor=prelude.anchor.name,
            idle=look_for_idleness(self.context), voluntary=look_for_freedom(self.context, self.found.zero_sum),
            notes=(*self.found.notes, *told(self.context), *left_out(every, prelude)),
        )  # fmt: skip
        return prelude

    def measured(self, prelude: Prelude) -> tuple[Chosen, Measured]:
        """Strategies for every condition, and what having the module is worth to them."""
        learners = learn(self.context, prelude)
        self.note(learning=learners.courses)
        chosen = choose(self.context, prelude, learners, joins=not self.found.inert)
        compared = partial(self.compared, prelude)
        sure = measured_surely(self.context, prelude, learners, chosen, self.surely, compared)
        chosen, found = sure or (chosen, compared(chosen))
        self.note(mixtures=chosen.told(self.found.sides))
        if self.found.voluntary:
            found = replace(found, worth=no_handicap(found.worth), handicap=no_units(found.handicap))
        found = replace(found, worth=payable(self.context, measured_by(found.worth, self.context.scale)))
        self.note(worth=found.worth, handicap=found.handicap, seat=found.seat, paid=measure_paid(self.context, chosen))
        if found.note:
            self.note(notes=(*self.found.notes, found.note))
        return chosen, found

    def compared(self, prelude: Prelude, chosen: Chosen) -> Measured:
        """What having the module is worth to some strategies."""
        if not self.context.bench.several:
            return measure(self.context, chosen)
        return measure_alike(self.context, prelude, chosen)

    def steps(self) -> bool:
        """The steps in their order; False if the rules break so that the rest cannot be played."""
        prelude = self.begun()
        if prelude is None:
            return False
        expected = forecast(self.context, prelude, not self.found.inert) if self.context.compiled else None
        if expected is not None:
            self.expected = expected
            self.context = replace(self.context, asks=expected.asks)
            self.context.watcher.plan(expected.steps, expected.told(self.found.budget, self.context.workers.count))
        chosen, measured = self.measured(prelude)
        worth = bound_worth(self.context, prelude, chosen, measured.worth)
        worth = payable(self.context, no_handicap(worth) if self.found.voluntary else worth)
        self.note(worth=worth)
        use = watch_use(self.context, chosen)
        use = solve_use(self.context, use) if worth.exact else use
        self.note(use=use, counters=read_counters(self.context, chosen))
        dominance, variety = look_for_dominance(self.context, prelude, chosen)
        self.note(dominance=dominance)
        dynamics, courses = measure_dynamics(self.context, prelude, chosen)
        self.note(dynamics=dynamics)
        levels, skill = ask_levels(self.context, prelude, chosen, measured.worth, use)
        oversights, careless = look_for_oversights(self.context, chosen, use, measured.worth)
        self.note(levels=levels, oversights=oversights)
        known = Known(measured.worth, measured.seat, dominance, variety, dynamics, courses, skill)
        self.note(effect=tell_effect(self.context, chosen, known))
        self.note(exploit=look_for_exploits(self.context, prelude, chosen))
        self.note(sample=sample_game(self.context, prelude, chosen, measured.worth, use))
        casts = [*casts_of(self.context, chosen, skill.players), *careless]
        self.note(games=(*typical_games(self.context, "sample", casts), *skill.games))
        return True

    def note(self, **found: Any) -> None:
        """Add to what is known."""
        self.found = replace(self.found, **found)
        self.reached += 1

    def broke(self, stop: Unanswered) -> None:
        """A step got no answer: look for the game that breaks the rules.

        If there is none, raises NotShown where the rules raised an error in the words of their module, else LabFailure.
        """
        given = conditions_in(stop.job.args)
        faults = look_again(self.context, named_conditions(self.context.bench, given))
        if not faults and stop.failed.kind == "raised":
            raise NotShown(stop.step, stop.failed.text, len(given) * sum(again_games(self.context)))
        if not faults:
            raise LabFailure(
                self.context, stop.step, f"{stop.failed.text}; no game that breaks was found in wilful random play"
            )
        self.note(breakage=replace(self.found.breakage or Breakage(), faults=(*self.found.faults, *faults)))

    def interrupted(self) -> tuple[Path, bool]:
        """Write the report of what was finished, unless the one in the folder tells more; its path, if it stays."""
        folder = self.context.folder
        before = self.context.store.earlier(self.reached, lambda: read_report(folder / "report.json"))
        if before is None:
            return self.report(INTERRUPTED), False
        self.found, page = before, folder / "report.html"
        return page if page.is_file() else write_reports(folder, before), True

    def report(self, note: str = "") -> Path:
        """Judge and write the report; returns its path."""
        if note:
            self.note(notes=(*self.found.notes, note))
        holder, game = verdict_of(self.found), game_verdict_of(self.found)
        self.note(
            verdict=replace(holder, next=next_for_holder(self.found, holder.word)),
            game_verdict=replace(game, next=next_for_game(self.found, game.word)),
            glossary=glossary_of(self.found),
        )
        leaves = self.found.use.worth.leaves if self.found.use is not None and self.found.use.worth is not None else ()
        told = report_json(replace(self.found, questions={}))
        self.note(questions=used_of(self.found.questions, told))
        places = {leaf.where: leaf.german for leaf in leaves if leaf.where != "always"}  # a word of the reports
        shown = [exploit.game.german for exploit in self.found.exploit or ()]
        places |= {english: german for words in shown for english, german in words.items()}
        places |= self.found.sample.german if self.found.sample is not None else {}
        names = german_of(self.spec, report_json(self.found), places)
        self.note(german={**names, **german_glossary_of(self.found)})
        return write_reports(self.context.folder, self.found)


__all__ = ["Stress", "StressInterrupted", "run_stress"]
