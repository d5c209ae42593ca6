"""A rule that does nothing but pay, and whose payments go by nothing else that is played: its worth drowns in no luck.

Strategies are learned anew where a rule is, and differ by the luck of that; a payment that is sure would drown in it,
the more so where many seats share a side. A rule whose one hook pays without a look at the game leaves all that was
good to play as it was: the same strategies play with it and without, and its worth is known. If a rule asks something,
and all but payoffs stands as without it whatever is answered, its worth is what the best learner's answers are paid,
whoever plays the rest. Not where somebody is asked who has not got it: what the holder is paid goes by those answers.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ...agents.intervals import NORMAL
from .conditions import NOBODY, Condition
from .context import Context
from .deciding import NEUTRAL
from .estimates import unseen
from .findings import Sample, Worth
from .inert import unchanged
from .lab import module_of
from .learning import Learners
from .paid import SAME, Floats
from .strategies import Chosen, Mixture, Prelude, Strategy
from .workers import Job
from .worth import Measured

DECISIONS = 2_000  # of random play
GAMES = 400  # in which payments are looked at
DEALT = 200  # in which payments by dice are told apart from all else, which are played twice
LEFT, ALWAYS = -1, -2  # in place of a learner's number: the rule is left alone, or used whenever it can be
BEYOND = 1.5  # half intervals by which what was learned anew must earn more: two of a hundred would by luck with one


def look_for_payments(context: Context) -> int:
    """In how many games of random play a rule did nothing but pay, 0 if it did more; 1 if its source tells.

    Raises Unanswered where the rules fail.
    """
    bench, module = context.bench, module_of(context.bench)
    if not context.used:
        return int(set(module.hooks) == {"payoff"} and pays_blindly(module.hooks["payoff"]))
    asks = "payoff" in module.hooks and not bench.several and not bench.whole_table
    return unchanged(context, "payments", payoffs=False, most=DECISIONS, held=True) if asks else 0


def pays_blindly(hook: Callable[..., object]) -> bool:
    """Whether a hook `payoff` adds to a payoff, or takes from it, by nothing but the seat and the parameters.

    It has one statement, `return value + ...` or a choice between such; of the state it asks who has the rule at most.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(hook)))
    made = tree.body[0]
    if not isinstance(made, ast.FunctionDef):
        return False
    state, *_, value = [argument.arg for argument in made.args.args]
    body = [s for s in made.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return False
    return _added(body[0].value, state, value)


def _added(node: ast.expr, state: str, value: str) -> bool:
    """Whether an expression is the value, with something added to it or not that goes by no state."""
    if isinstance(node, ast.IfExp):
        return _free(node.test, {state, value}) and all(_added(part, state, value) for part in (node.body, node.orelse))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return _added(node.left, state, value) and _free(node.right, {state, value})
    return isinstance(node, ast.Name) and node.id == value


def _free(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression uses none of some names, but to ask who has the rule, and calls nothing else."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            asks = isinstance(part.func, ast.Name) and part.func.id == "has" and len(part.args) == 3
            if not asks or not all(_free(argument, names) for argument in part.args[1:]):
                return False
    asked = {id(part.args[0]) for part in ast.walk(node) if isinstance(part, ast.Call)}
    return not any(isinstance(part, ast.Name) and part.id in names and id(part) not in asked for part in ast.walk(node))


def measured_surely(
    context: Context, prelude: Prelude, learners: Learners, chosen: Chosen, games: int,
    compared: Callable[[Chosen], Measured],
) -> tuple[Chosen, Measured] | None:  # fmt: skip
    """Who plays, and the worth, if a rule that was seen to do nothing but pay in so many `games` pays what is sure.

    Measured by `compared`; None if it does not, if it was solved, or if what was learned with it earns more by it.
    """
    if not games:
        return None
    if context.used:
        return _answered(context, prelude, learners, chosen, games, compared)
    same = alike_everywhere(chosen)
    got = compared(same)
    sides = payments(context, same)
    if got.worth.exact or sides is None:
        return None
    return same, replace(got, worth=paid_surely(got.worth, sides, 0.0, games))


def _answered(
    context: Context, prelude: Prelude, learners: Learners, chosen: Chosen, games: int,
    compared: Callable[[Chosen], Measured],
) -> tuple[Chosen, Measured] | None:  # fmt: skip
    """The same of a rule that asks: what a heuristic is paid that plays as ever, and answers like a learner or not.

    Whoever draws its moves draws others once it is asked, so that a heuristic is taken that does not. All other figures
    are those of what was learned anew. Some payments may not have been seen: they leave room in the interval. Of
    answers that are paid by a die of the rule, and by nothing else, it is what they are paid on the average. Others
    that are paid now more, now less tell nothing sure; what they may bring more is room, too, and if it may count,
    nothing is sure.
    """
    anew = compared(chosen)
    if anew.worth.exact:
        return None
    found, might = list[tuple[list[float], float]](), -np.inf
    for number in (*range(context.budget.seeds), *([LEFT, ALWAYS] if context.declinable else [])):
        tried = list[list[Floats]]()
        for plain in prelude.baselines:
            tried.append(leads_by_payment(context, answered_alike(context, learners, chosen, plain, number)))
            if _spread(tried[-1]) <= SAME:
                break
        steady = min(tried, key=_spread)
        if _spread(steady) <= SAME:
            found.append(([float(leads.mean()) for leads in steady], 0.0))
            continue
        drawn = dealt_leads(context, answered_alike(context, learners, chosen, prelude.baselines[0], number))
        if drawn is None:
            might = max(might, _most(steady))
        else:
            found.append(([float(leads.mean()) for leads in drawn], _most(drawn) - float(np.mean(drawn))))
    if not found:
        return None
    sides, error = max(found, key=lambda one: sum(one[0]))
    value = float(np.mean(sides))
    more = max(0.0, might - value, *(float(np.mean(other)) + reach - value for other, reach in found if reach))
    if might - value > max(NEUTRAL * context.scale, SAME):
        return None
    overall = anew.worth.overall
    least = overall.value - BEYOND * (overall.value - overall.low)
    if least > value + error + SAME:
        return None
    room = max(unseen(GAMES) * 2.0 * module_of(context.bench).payoff_shift, error, more)
    return chosen, replace(anew, worth=replace(paid_surely(anew.worth, sides, room, games), dealt=error > 0.0))


def payments(context: Context, chosen: Chosen) -> list[float] | None:
    """What a lead grows by where each side that is compared has a rule alone, half of it; None if it is not the same.

    Of a side without others what it is paid.
    """
    found = leads_by_payment(context, chosen)
    return None if _spread(found) > SAME else [float(leads.mean()) for leads in found]


def _spread(sides: list[Floats]) -> float:
    return max(float(np.ptp(leads)) for leads in sides)


def _most(sides: list[Floats]) -> float:
    """The upper end of the interval of a mean over sides, 95 %."""
    error = sum(float(leads.var(ddof=1)) / len(leads) for leads in sides) ** 0.5 / len(sides)
    return float(np.mean([leads.mean() for leads in sides])) + NORMAL * error


def leads_by_payment(context: Context, chosen: Chosen) -> list[Floats]:
    """By what half of a lead grows in each game where each side that is compared has a rule alone, float64[games]."""
    bench = context.bench
    jobs = []
    for side in context.sides:
        name = bench.alone(side)
        pairs = [(pair[side], pair[1 - side]) for pair in chosen.of_seeds(name)]
        args = {"conditions": [bench.holder_conditions()[name], Condition()], "mixtures": pairs, "deals": GAMES,
                "seed": context.seed("sure"), "hero": side}  # fmt: skip
        jobs.append(Job("paid", args, float(GAMES)))
    answers = context.need("measure", jobs)
    return [
        lead_of(np.subtract(*np.asarray(answer["payoffs"], dtype=np.float64)), side)
        for side, answer in zip(context.sides, answers)
    ]


def dealt_leads(context: Context, chosen: Chosen) -> list[Floats] | None:
    """The same in fewer games, of payments by the rule's own dice and the answers to it; None if they go by more.

    Nothing of what else is played is in them.
    """
    bench = context.bench
    if "fell" not in module_of(bench).hooks:
        return None
    jobs = []
    for side in context.sides:
        name = bench.alone(side)
        pairs = [(pair[side], pair[1 - side]) for pair in chosen.of_seeds(name)]
        args = {"condition": bench.holder_conditions()[name], "mixtures": pairs, "deals": DEALT,
                "seed": context.seed("sure"), "hero": side}  # fmt: skip
        jobs.append(Job("dealt", args, float(DEALT)))
    answers = [answer["payoffs"] for answer in context.need("measure", jobs)]
    if any(paid is None for paid in answers):
        return None
    return [lead_of(np.asarray(paid), side) for side, paid in zip(context.sides, answers)]


def lead_of(paid: Floats, side: int) -> npt.NDArray[np.float64]:
    """Half of the lead of a side, float64[n], from what every side is paid, (n, sides); of one side what it is paid."""
    rest = np.delete(paid, side, axis=1)
    return paid[:, side] if not rest.shape[1] else 0.5 * (paid[:, side] - rest.mean(axis=1))


def alike_everywhere(chosen: Chosen) -> Chosen:
    """The strategies that were found without the rule, in every condition."""
    return Chosen(
        dict.fromkeys(chosen.pools, chosen.pools[NOBODY]),
        dict.fromkeys(chosen.mixtures, chosen.mixtures[NOBODY]),
    )


def answered_alike(
    context: Context, learners: Learners, chosen: Chosen, plain: Strategy, number: int
) -> Chosen:  # fmt: skip
    """One strategy in every condition, where whoever has the rule answers it as the learner of a seed found best.

    Or leaves it alone (`LEFT`), or uses it whenever it can (`ALWAYS`).
    """
    held = {LEFT: "never", ALWAYS: "always"}.get(number)
    mixtures = {}
    for name, condition in context.bench.holder_conditions().items():
        uses = [use for where, use in learners.made if where == name and use.scope == "whether"]
        having = [side in condition.holders and bool(uses) for side in (context.sides[0], context.sides[-1])]
        using = plain.using(held) if held else plain.deciding(uses[number]) if uses else plain
        pair = [Mixture((using if has else plain,), (1.0,)) for has in having]
        mixtures[name] = [(pair[0], pair[1])] * (context.budget.seeds + 1)
    return Chosen(chosen.pools, mixtures)


def paid_surely(worth: Worth, sides: list[float], room: float, games: int) -> Worth:
    """A worth by what a rule pays each side, whatever was played; its intervals have some `room`."""

    def sure(value: float, n: int) -> Sample:
        return Sample(value, value - room, value + room, GAMES if room else n)

    told = []
    for side, value in zip(worth.sides, sides, strict=True):
        rows = [replace(r, worth=sure(value, r.worth.games), with_it=r.without + value) for r in side.by_amount]
        answer = None if room else side.answer  # what was learned anew tells less of it
        told.append(replace(side, by_amount=tuple(rows), seeds=(value,), answer=answer))
    overall = sure(float(np.mean(sides)), worth.overall.games)
    return replace(worth, sides=tuple(told), overall=overall, alike=False, bounds=None, reach=None, sure=games)


__all__ = [
    "alike_everywhere", "answered_alike", "dealt_leads", "lead_of", "leads_by_payment", "look_for_payments",
    "measured_surely", "paid_surely", "payments", "pays_blindly",
]  # fmt: skip
