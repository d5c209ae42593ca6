"""A module together with the built-in modules of its game: which combinations break, dominate or cancel each other.

In every combination everybody has the other modules, and what having the module under test is worth to one side is
measured as in a stress test: strategies are found anew, deals are the same. A combination is a folder of its own, so
that an interrupted search goes on where it was; the number of processes changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from probespiel import __version__

from ...envs.core.build import ruleset_hash
from ...envs.core.engine import Engine
from ...envs.core.errors import ProbespielError, RulesetError
from ..report.records import read_record
from .conditions import EVERYBODY, NOBODY, Bench, Settings
from .context import NotShown, slug
from .findings import FINE, Findings, Interval
from .lab import module_of
from .progress import Quiet, Watcher
from .run import Stress
from .setting import kept
from .store import PARTS, Kind, Store
from .typical import casts_of, typical_games
from .verdict import NEUTRAL, broken_texts, level_of

NAME, VERSION = "combinations", 1  # of the format in which they are kept
NOTHING = "nothing"  # the folder of the module by itself
INTERRUPTED = "the test was interrupted"
COMBINE = Kind("combine.json", "probespiel-combine-settings/1", "test of combinations", f"with/*/{PARTS}")
WORDS = {
    "refused": "the modules do not go together: the game says so before it is played",
    "breaks": "the rules fail together, and the module does not fail by itself",
    "broken without it": "the rules fail together even where nobody has the module under test",
    "dominates": "having it is overpowered there, and it is not by itself",
    "turns round": "what is an advantage by itself is a handicap there, or the other way round",
    "cancels": "less than half of what it is worth by itself is left",
    "stronger": "its advantage or handicap is larger there than by itself",
    "weaker": "its advantage or handicap is smaller there than by itself",
    "no interplay shown": "no difference is shown that counts",
}


# what is known of a combination: findings, why the game refuses it, or that it failed in a game that cannot be shown
Found = Findings | str | NotShown


@dataclass(frozen=True)
class Pairing:
    """The module together with `others`: a word of `WORDS`, why, and what having it is worth there.

    `change` is that less what it is worth by itself; None where there is none, as after a fault. `replay` is the file
    of a game: the one that shows the fault, or one in which the module is had as its worth tells.
    """

    others: tuple[str, ...]
    word: str
    why: str
    level: str = ""
    worth: Interval | None = None
    change: Interval | None = None
    exact: bool = False
    replay: str = ""


@dataclass(frozen=True)
class Combinations:
    """A module by itself and with others; `deviation` is that of a result without it.

    `missing` are combinations that are still to be measured, where the test was interrupted. `options` stand on top of
    the scenario, `also` are further modules that everybody has in all of them; None where that was not kept.
    """

    game: str
    module: str
    scenario: str
    budget: str
    seed: int
    payoff_unit: str
    alone: Pairing
    pairings: tuple[Pairing, ...]
    deviation: float
    version: str
    complete: bool
    command: str = ""
    missing: tuple[tuple[str, ...], ...] = ()
    options: dict[str, Any] | None = None
    also: dict[str, Any] | None = None

    @property
    def digits(self) -> int:
        """Digits behind the point of what it is worth: three where hundredths may count (see `FINE`)."""
        return 2 if self.deviation >= FINE else 3

    def of(self, *others: str) -> Pairing | None:
        """The pairing with some modules, in any order."""
        return next((row for row in self.pairings if set(row.others) == set(others)), None)


class CombineInterrupted(KeyboardInterrupt):
    """A test of combinations was interrupted at the keyboard; `found` holds what was finished.

    `stays`: that is the report of an earlier time, which tells more than was known again by now.
    """

    def __init__(self, found: Combinations, stays: bool = False) -> None:
        super().__init__("interrupted")
        self.found, self.stays = found, stays


class Part(Stress):
    """A stress test that ends when the worth is measured, without handicaps."""

    def steps(self) -> bool:
        """The first steps; False if the rules break."""
        b = self.context.budget
        self.context = replace(self.context, budget=replace(b, differences=(0,), curve=(0,)))
        prelude = self.begun()
        if prelude is None:
            return False
        chosen, _ = self.measured(prelude)
        self.note(games=typical_games(self.context, "measure", casts_of(self.context, chosen)))
        return True


def read_combinations(path: Path) -> Combinations:
    """What a `combinations.json` holds; raises ProbespielError for anything else."""
    return read_record(Combinations, NAME, VERSION, path)


def built_in(settings: Settings) -> tuple[str, ...]:
    """The built-in modules of the game beside the one under test and those that everybody has anyway."""
    bench = Bench(settings, compiled=False)
    taken = {settings.module, module_of(bench).name, *settings.modules}
    return tuple(name for name in bench.system.modules() if name not in taken)


def groups_of(names: Sequence[str], pairs: bool) -> list[tuple[str, ...]]:
    """The combinations in their order: every module, then every pair of them."""
    return [(name,) for name in names] + (list(combinations(names, 2)) if pairs else [])


def run_combine(
    settings: Settings,
    folder: Path,
    pairs: bool = False,
    jobs: int = 2,
    resume: bool = False,
    overwrite: bool = False,
    watching: Callable[[str, int, int], Watcher] | None = None,
    command: str = "",
    engine: Engine | None = None,
) -> Combinations:
    """Measure a module by itself and with every built-in module of its game (with `pairs` every two of them, too).

    `watching` gives a watcher for each combination by its name, its number (0: the module by itself), and how many
    there are. Jobs are done by so many processes of this machine, or by an `engine`, which the caller closes. A
    combination whose rules fail in a game that cannot be shown is not measured, the others are. Raises RulesetError or
    ProbespielError for settings that make no game, LabFailure if the lab itself fails, NotShown if the module fails so
    by itself, and CombineInterrupted after Ctrl-C.
    """
    bench = Bench(settings)
    if bench.whole_table:
        raise ProbespielError(
            f"--combine: module {module_of(bench).name} concerns the whole table, so that nobody can have it alone and "
            "it is worth nothing to anybody; `probespiel stress` without --combine tells what it does to the game"
        )
    groups = groups_of(built_in(settings), pairs)
    if not groups:
        raise ProbespielError(
            f"--combine: {settings.game} has no built-in modules but those that are in the game already, so that there "
            "is nothing to combine with"
        )
    known = {
        **settings.as_dict(), "version": __version__, "ruleset": ruleset_hash(bench.spec(bench.everybody()).sources),
        "options": bench.options, "groups": groups,
    }  # fmt: skip
    store = Store(folder, known, resume, overwrite, COMBINE)
    found: dict[tuple[str, ...], Found] = {}

    def told(complete: bool) -> Combinations:
        return combined(settings, bench, found, groups, complete, command)

    for number, group in enumerate([(), *groups]):
        name = "alone" if not group else " and ".join(group)
        watcher = Quiet() if watching is None else watching(name, number, len(groups))
        try:
            found[group] = _part(
                settings, group, folder / "with" / slug("-".join(group) or NOTHING), jobs, resume, watcher, engine
            )
        except NotShown as error:  # there is no verdict of these together; the others can be measured all the same
            if not group:
                raise
            found[group] = error
        except KeyboardInterrupt:
            before = store.earlier(len(found), lambda: read_combinations(folder / "combinations.json"))
            raise CombineInterrupted(told(False) if before is None else before, before is not None) from None
    store.told(len(found), finished=True)
    return told(True)


def _part(
    settings: Settings, group: tuple[str, ...], folder: Path, jobs: int, resume: bool, watcher: Watcher,
    engine: Engine | None,
) -> Findings | str:  # fmt: skip
    """What is found of one combination, or why it cannot be played."""
    wanted = replace(settings, modules={**settings.modules, **{other: {} for other in group}})
    try:
        test = Part(wanted, folder, jobs, resume, not resume, watcher, "", engine)
    except RulesetError as error:
        if not group:
            raise
        return str(error)
    test.run()
    test.context.store.told(test.reached, finished=True)
    return test.found


def combined(
    settings: Settings, bench: Bench, found: Mapping[tuple[str, ...], Found],
    groups: Sequence[tuple[str, ...]], complete: bool, command: str,
) -> Combinations:  # fmt: skip
    """What was found of all combinations so far, judged."""
    alone = found.get(())
    first = alone if isinstance(alone, Findings) else None
    base = (
        _pairing((), first, None, f"with/{NOTHING}") if first is not None else Pairing((), "not measured", INTERRUPTED)
    )
    rows = []
    for group in groups:
        if group not in found:
            continue
        got = found[group]
        where = f"with/{slug('-'.join(group))}"
        if isinstance(got, str):
            rows.append(Pairing(group, "refused", got))
        elif isinstance(got, NotShown):
            rows.append(Pairing(group, "not measured", str(got).splitlines()[0]))
        else:
            rows.append(_pairing(group, got, first, where))
    worth = first.worth if first is not None else None
    return Combinations(
        settings.game, settings.module, bench.scenario, settings.budget, settings.seed,
        first.payoff_unit if first is not None else "", base, tuple(rows), worth.deviation if worth else 1.0,
        __version__, complete, command, tuple(group for group in groups if group not in found),
        bench.set_on_top, kept(settings.modules),
    )  # fmt: skip


def _pairing(group: tuple[str, ...], got: Findings, alone: Findings | None, where: str) -> Pairing:
    """A combination, compared with the module by itself."""
    if got.faults:
        own = any(fault.where != NOBODY for fault in got.faults)
        before = alone is not None and bool(alone.faults)
        word = "no interplay shown" if before else "breaks" if own else "broken without it"
        replay = next((fault.replay for fault in got.faults if fault.replay), None)
        path = f"{where}/replays/{replay}" if replay else ""
        return Pairing(group, word if group else "broken", "; ".join(broken_texts(got)), replay=path)
    if got.worth is None:
        return Pairing(group, "not measured", INTERRUPTED)
    worth, level = got.worth.overall, level_of(got.worth)
    here, exact = Interval(worth.value, worth.low, worth.high), got.worth.exact
    holding = [game for game in got.games if game.name not in (NOBODY, EVERYBODY)] or list(got.games)
    path = f"{where}/{holding[0].replay}" if holding else ""
    if not group:
        return Pairing(group, level, "", level, here, None, exact, path)
    if alone is None or alone.worth is None:
        why = "by itself it cannot be played"
        return Pairing(group, "no interplay shown", why, level, here, None, exact, path)
    before = alone.worth.overall
    change = difference(here, Interval(before.value, before.low, before.high))
    word = interplay(here, change, level, level_of(alone.worth), NEUTRAL * alone.worth.deviation)
    return Pairing(group, word, WORDS[word], level, here, change, exact and alone.worth.exact, path)


def difference(after: Interval, before: Interval) -> Interval:
    """after - before of two estimates that are taken as independent, with its interval."""
    value = after.value - before.value
    low = math.hypot(after.value - after.low, before.high - before.value)
    high = math.hypot(after.high - after.value, before.value - before.low)
    return Interval(value, value - low, value + high)


def interplay(worth: Interval, change: Interval, level: str, before: str, counts: float) -> str:
    """The word of `WORDS` for a worth and its change; `counts` is the least change that counts."""
    shown = (change.low > 1e-7 or change.high < -1e-7) and abs(change.value) >= counts
    if not shown:
        return "no interplay shown"
    first = worth.value - change.value  # by itself
    if level == "overpowered" and before != "overpowered":
        return "dominates"
    if worth.value * first < 0 and (worth.low > 0 or worth.high < 0) and before not in ("neutral", "undecided"):
        return "turns round"
    other_way = worth.value * first < 0  # as it seems: what it is worth by itself is gone
    if (other_way or abs(worth.value) < abs(first) / 2) and before not in ("neutral", "undecided"):
        return "cancels"
    return "stronger" if abs(worth.value) > abs(first) else "weaker"


__all__ = [
    "COMBINE",
    "NAME",
    "VERSION",
    "WORDS",
    "Combinations",
    "CombineInterrupted",
    "Pairing",
    "combined",
    "difference",
    "groups_of",
    "interplay",
    "read_combinations",
    "run_combine",
]  # fmt: skip
