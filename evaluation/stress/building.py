"""First step: compile the rules and the baselines in one process, for the others to find in the cache."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from ...agents.native import native_policy
from ...envs.core.build import build as compile_rules
from ...envs.core.errors import RulesetError
from .breakage import search
from .conditions import EVERYBODY
from .context import Context, LabFailure
from .findings import Fault
from .lab import Lab, begin, finish
from .workers import Failed, Job

LIVE = "live/build"
SECONDS = 30.0  # for the rules to set a game up; rules that need longer are taken never to return
SLOW = "The module could not be compiled; it runs thousands of times slower, and little is known."


@dataclass(frozen=True)
class Built:
    """Whether the rules are compiled, what was said on the way, and the fault that kept a game from being set up."""

    compiled: bool
    notes: tuple[str, ...] = ()
    fault: Fault | None = None


def build(context: Context) -> Built:
    """Compile everything; raises RulesetError for rules of which no game can be made.

    Raises LabFailure if processes die that play no rules.
    """
    context.begin("build")
    job = Job("build", {"live": LIVE}, SECONDS, context.folder / LIVE)
    (answer,) = context.ask("build", [job])
    if isinstance(answer, Failed) and answer.kind == "died":  # the rules' fault only if others live, and again
        ((_, other),) = context.workers.run([Job("alive", {}, SECONDS)], context.watcher.tick)
        if isinstance(other, Failed):
            raise LabFailure(context, "build", f"{other.text}, where no rules are played")
        (answer,) = context.ask("build", [job])
    if isinstance(answer, Failed):
        if answer.kind == "refused":
            raise RulesetError(answer.text)
        words = {"hung": "the rules never return", "died": f"the rules bring the process down ({answer.text})"}
        text = f"{words.get(answer.kind, answer.text)} while the game was set up"
        return Built(False, fault=Fault(answer.kind, text, EVERYBODY))
    slow = () if answer["compiled"] else (SLOW,)
    return Built(bool(answer["compiled"]), (*(str(w) for w in answer["warnings"]), *slow))


# What workers do


def alive(lab: Lab) -> dict[str, Any]:
    """Nothing: a worker that cannot do this fails whatever the rules are."""
    return {"alive": True}


def compile_all(lab: Lab, live: str) -> dict[str, Any]:
    """Compile the rule set, the baselines, and the search for breakage, before any rule is run against the clock.

    The file `live` tells when the rules are first run (see `workers.Job`).
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        everybody = lab.bench.everybody()
        kernel = compile_rules(lab.bench.spec(everybody).sources, lab.bench.compiled)
        begin(lab.folder / live)
        game = lab.bench.game(everybody)
        finish(lab.folder / live)
        for name in lab.bench.baselines():
            native_policy(game, name)
    search(lab, everybody, 0, 0)
    return {"compiled": bool(kernel.compiled), "warnings": [str(w.message) for w in caught]}


__all__ = ["SECONDS", "Built", "alive", "build", "compile_all"]
