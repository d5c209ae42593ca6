"""Does the module break the game? Wilful random play under watch, and the shortest game that shows each fault.

A fault of the module is told with a replay of the game that shows it; only rules that cannot set a game up at all have
none. What cannot be shown is an error of the lab.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.core.game import Game
from ...envs.core.modules import blame
from ...envs.core.rng import rng_table
from .astray import out_of_range
from .budget import further_games
from .conditions import EVERYBODY, NOBODY, Bench, Condition
from .context import Context, LabFailure, slug
from .drawing import drawn
from .failing import as_far_as_kept, kept_game, last_of, told
from .findings import Breakage, Fault, Move
from .lab import Facts, Lab, begin
from .probe_kernel import (
    ASKING,
    BAD_PAYOFF,
    BAD_VIEW,
    COUNT,
    CUT_SHORT,
    ENDLESS,
    ENTERING,
    FAULTY,
    FINE,
    KINDS,
    NO_MOVE,
    NOBODY_ASKED,
    OBSERVING,
    PAYING,
    REPEATED,
    SETTING_UP,
    Habits,
    Progress,
    probe,
)
from .watching import counter_names, players, room_for, watch_of
from .workers import Failed, Job

LARGE = 1000  # a number of the module beyond this has no bound that a table could keep
SECONDS = 30.0  # for one decision; rules that need longer are taken never to return
FOLLOWING = 120.0  # seconds to play one game again
SHOWN = 2000  # decisions of a replay, at most
SLOW_GAMES = 6  # of rules that are not compiled
AGAIN = (4, 32, 256)  # times the games when a later step was stopped by the rules, one after the other until it shows
MINIMUM_LONGEST = 200
# play cannot be trusted to end, or what it comes to is no number that could be measured
FATAL = ("no legal move", "nobody asked", "endless", "cut short", "repeated", "bad payoff")
DOINGS = {
    SETTING_UP: "while the game was set up",
    ASKING: "while a seat's legal actions were listed",
    ENTERING: "while the last action was entered",
    OBSERVING: "while a seat's observation was written",
    PAYING: "while payoffs were worked out",
}
TEXTS = {
    NO_MOVE: "a seat that owes a decision has no legal action",
    NOBODY_ASKED: "the game goes on, but nobody is asked",
    ENDLESS: "the game does not end: it was stopped after {length:,} decisions",
    CUT_SHORT: "the game had to be stopped after {length:,} decisions: a question raised questions without end",
    REPEATED: "the position after decision {cycle:,} comes back after decision {length:,}: the game can go on for ever",
    BAD_PAYOFF: "a payoff is no number, or lies far outside of the range that the game declares",
    BAD_VIEW: "an observation lies outside of the range that it declares",
}


@dataclass(frozen=True)
class Probed:
    """What wilful play has shown; `broken` if the rules cannot be played further.

    Else: the facts for later jobs, whether an action of the module was ever `offered`, the deviation of results without
    the module, and the numbers of an observation.
    """

    breakage: Breakage
    broken: bool
    facts: Facts = field(default_factory=Facts)
    offered: bool = False
    scale: float = 1.0
    observation: int = 0


def look_for_breakage(context: Context) -> Probed:
    """Wilful random play in every condition; the shortest game that shows each fault."""
    context.begin("break")
    conditions = context.bench.holder_conditions()
    games = context.budget.probe if context.compiled else SLOW_GAMES
    faults, found, broken = _search(context, conditions, games, "probe")
    answers = list(found.values())
    if context.compiled and not faults and EVERYBODY in found:
        more = further_games(context.budget, float(found[EVERYBODY]["mean_length"]))
        held = {name: condition for name, condition in conditions.items() if name != NOBODY}
        faults, rest, broken = _search(context, held, more, "probe further", True) if more else (faults, {}, broken)
        answers += rest.values()
    played = Breakage(faults, sum(a["games"] for a in answers), sum(a["decisions"] for a in answers))
    if broken or NOBODY not in found or EVERYBODY not in found:
        return Probed(played, True)
    base, full = found[NOBODY], found[EVERYBODY]
    held = [answer for name, answer in found.items() if name != NOBODY]
    phases = {phase for answer in held for phase in answer["phases"]}
    longest = max(MINIMUM_LONGEST, 10 * max(answer["longest"] for answer in found.values()))
    return Probed(
        played,
        False,
        Facts(tuple(sorted(phases - set(base["phases"]))), longest, float(full["mean_length"])),
        any(answer["offered"] > 0 for answer in held),
        max(float(base["spread"]), 1e-6),
        int(full["observation"]),
    )


def look_again(context: Context, conditions: Mapping[str, Condition]) -> tuple[Fault, ...]:
    """Faults that are found in more and more games, after the rules have stopped a later step; () if none is."""
    for games in again_games(context):
        faults = _search(context, conditions, games, f"probe again {games}", True)[0]
        if faults:
            return faults
    return ()


def again_games(context: Context) -> tuple[int, ...]:
    """How many games of every condition `look_again` plays, one after the other; interpreted rules play once."""
    return tuple(n * context.budget.probe for n in AGAIN) if context.compiled else (AGAIN[0] * SLOW_GAMES,)


def _search(
    context: Context, conditions: Mapping[str, Condition], games: int, use: str, choosy: bool = False
) -> tuple[tuple[Fault, ...], dict[str, dict[str, Any]], bool]:
    """Faults, what was found in every condition whose games came to their end, and whether play cannot go on.

    `choosy`: seats of three games in four keep to few actions (see `LIKES`).
    """
    seconds = SECONDS if context.compiled else 10 * SECONDS
    jobs = []
    for i, condition in enumerate(conditions.values()):
        live = f"live/{slug(use)}-{i}"
        args = {"condition": condition, "games": games, "seed": context.seed(use), "live": live, "choosy": choosy}
        jobs.append(Job("probe", args, seconds, context.folder / live))
    found: dict[str, dict[str, Any]] = {}
    faults: list[Fault] = []
    broken = False
    for name, job, answer in zip(conditions, jobs, context.ask("break", jobs)):
        broken = broken or isinstance(answer, Failed)
        if isinstance(answer, Failed):
            faults.append(_lost(context, name, answer, job, len(faults)))
            continue
        found[name] = answer
        for fault in answer["faults"]:
            broken = broken or bool(fault.get("by_module")) or fault["kind"] in FATAL
            about = Fault(fault["kind"], text_of(fault), name, fault["count"], games, fault["length"], fault["cycle"])
            faults.append(_shown(context, about, fault["game"], job, len(faults)))
        for large in answer["large"]:
            length, what = large["length"], f"{large['name']} of the module reached {large['value']:,}"
            about = Fault("unbounded", f"{what} in a game of {length:,} decisions", name, 1, games, length)
            faults.append(_shown(context, about, large["game"], job, len(faults)))
    return tuple(faults), found, broken


def _shown(context: Context, fault: Fault, game: int, job: Job, number: int) -> Fault:
    """The fault with the replay of the game that shows it, one of those that a job has played."""
    args = {
        "condition": job.args["condition"], "game": game, "games": job.args["games"], "seed": job.args["seed"],
        "upto": min(fault.length or 0, SHOWN), "kind": fault.kind, "path": _path_of(fault, number),
        "choosy": job.args["choosy"],
    }  # fmt: skip
    (answer,) = context.ask("break", [Job("again", args, 600.0)])
    if isinstance(answer, Failed):
        raise LabFailure(context, "break", f"{fault.text}, but the game cannot be played again: {answer.text}")
    return with_replay(fault, answer)


def _lost(context: Context, name: str, failed: Failed, job: Job, number: int) -> Fault:
    """What was going on when the rules raised an error, ended the process, or did not return."""
    same = {key: job.args[key] for key in ("condition", "games", "seed")}
    if failed.kind in ("raised", "refused"):
        fault = Fault("crash", failed.text, name)
        args = {**same, "choosy": job.args["choosy"], "path": _path_of(fault, number)}
        (answer,) = context.ask("break", [Job("raised", args)])
        if isinstance(answer, Failed) or not answer["text"]:
            raise LabFailure(context, "break", f"{failed.text}, but no game shows it again")
        return with_replay(fault, answer)
    last = last_of(context.folder / str(job.args["live"]))
    word = "the rules never return" if failed.kind == "hung" else f"the rules bring the process down ({failed.text})"
    if last is None:
        raise LabFailure(context, "break", f"{failed.text} before a game had begun")
    decisions = last["decisions"]
    text = f"{word} {DOINGS.get(last['doing'], '')} (after {len(decisions)} decisions)"
    text += _why(context, {**same, "game": last["game"], "decisions": decisions}) if failed.kind == "died" else ""
    fault = Fault("crash" if failed.kind == "died" else "hang", text, name)
    if last["doing"] == SETTING_UP:
        return fault
    entering = last["doing"] == ENTERING and bool(decisions)
    kept, final = (decisions[:-1], decisions[-1]) if entering else (decisions, [])
    args = {**same, "game": last["game"], "decisions": kept, "final": final, "path": _path_of(fault, number)}
    answer = _followed(context, args)
    if entering:
        answer = {**answer, "final": told(context.bench.spec(job.args["condition"]), final)}
    return with_replay(fault, answer)


def _why(context: Context, args: dict[str, Any]) -> str:
    """What interpreted rules say, with file, line and hook, of a game by which compiled ones ended; "" if nothing."""
    (answer,) = context.ask("break", [Job("why", args, FOLLOWING)])
    return "" if isinstance(answer, Failed) or not answer["text"] else f": {answer['text']}"


def _followed(context: Context, args: dict[str, Any]) -> dict[str, Any]:
    """The replay of a game up to the place where the rules break, or to as near as it can be played again."""
    decisions = args["decisions"]
    while True:
        (answer,) = context.ask("break", [Job("follow", {**args, "decisions": decisions}, FOLLOWING)])
        if not isinstance(answer, Failed):
            return answer
        if not decisions:
            raise LabFailure(context, "break", f"the rules break, but no game that shows it can be kept: {answer.text}")
        decisions, args = decisions[: len(decisions) // 2], {**args, "final": []}


def with_replay(fault: Fault, answer: Mapping[str, Any]) -> Fault:
    """The fault with what a worker tells of its game: replay, length, last moves, and perhaps better words."""
    final = answer.get("final")
    return replace(
        fault,
        kind=answer.get("kind", fault.kind),
        text=answer.get("text") or fault.text,
        length=answer["length"],
        replay=answer["replay"],
        moves=tuple(Move(**move) for move in answer["moves"]),
        final=Move(**final) if final else None,
    )


def _path_of(fault: Fault, number: int) -> str:
    return f"replays/{number + 1}-{slug(fault.kind)}-{slug(fault.where)}.json"


# What workers do


def search(
    lab: Lab, condition: Condition, games: int, seed: int, live: str = "", choosy: bool = False
) -> dict[str, Any]:
    """Play under watch; `live` names a file in which the running game is kept for whoever outlives this process."""
    limit = lab.bench.spec(condition).max_decisions
    if live:
        begin(lab.folder / live)
    game = lab.bench.game(condition)
    if live:
        path = lab.folder / live
        shared = np.memmap(path, dtype=np.int64, mode="w+", shape=3 + 2 * limit)
        now, course = np.asarray(shared[:3]), np.asarray(shared[3:]).reshape(limit, 2)
    else:
        now, course = np.zeros(3, dtype=np.int64), np.zeros((limit, 2), dtype=np.int64)
    habits = players(games, choosy)
    watch = watch_of(lab, game)
    shown = room_for(games, watch)
    total = probe(
        game.address,
        game.params_address,
        game.n_seats,
        watch,
        habits=habits,
        dice=rng_table(seed, games, "probe"),
        progress=Progress(now, course),
        found=shown,
    )
    kinds, lengths, cycles, slips, most = shown.kinds, shown.lengths, shown.cycles, shown.faults, shown.most
    game.kernel.raise_pending()
    worst = []
    for kind in range(1, len(KINDS)):
        for slip in np.unique(slips[kinds == kind, 0]):
            found = np.flatnonzero((kinds == kind) & (slips[:, 0] == slip))
            shortest = int(found[np.lexsort((found, lengths[found]))[0]])
            fault: dict[str, Any] = {
                "kind": KINDS[kind], "count": len(found), "game": shortest, "length": int(lengths[shortest]),
                "cycle": int(cycles[shortest]),
            }  # fmt: skip
            if kind == FAULTY:
                known, doing = game.spec.sources.faults, DOINGS[int(cycles[shortest])]
                text = blame.fault_text(known, int(slip), float(slips[shortest, 1]))
                fault.update(kind=known[int(slip) - 1].kind, text=f"{text}, {doing}", by_module=True)
            worst.append(fault)
    ended = lengths[kinds == FINE]
    names = counter_names(lab, game)
    return {
        "games": games,
        "decisions": int(total),
        "seed": seed,
        "faults": worst,
        "large": [
            {"name": names[c], "value": int(most[c, 0]), "game": int(most[c, 1]), "length": int(most[c, 2])}
            for c in range(len(names))
            if most[c, 0] > LARGE
        ],
        "mean_length": float(ended.mean()) if len(ended) else float(lengths.mean()) if games else 0.0,
        "longest": int(ended.max(initial=0)),
        "spread": float(shown.payoffs[kinds == FINE].std()) if len(ended) > 1 else 1.0,
        "phases": np.flatnonzero(shown.phases).tolist(),
        "offered": int(shown.used[0]),
        "taken": int(shown.used[1]),
        "observation": game.layout.size,
    }


def again(
    lab: Lab, condition: Condition, game: int, games: int, seed: int, upto: int, path: str, kind: str = "",
    choosy: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Play one of the games again by the same choices, up to a number of decisions, and keep it as a replay.

    Choices are made as `search` made them. What the rules raise on the way is told; after a crash of a module, which
    compiled rules cannot describe, the game is played once more by interpreted rules. Of a bad observation it is told
    which number is at fault. `kind` is that of the fault.
    """
    made = lab.bench.game(condition)
    decisions = _course_of(lab, made, game, games, seed, choosy)[:upto]
    made.kernel.raise_pending()
    out = _up_to_the_end(lab, condition, game, games, seed, decisions, path)
    if kind == KINDS[BAD_VIEW]:
        found = out_of_range(lab, made, _dice_of(game, games, seed), decisions)
        return {**out, "text": f"{TEXTS[BAD_VIEW]}: {found}"} if found else out
    return {**out, **(explained(lab, condition, _dice_of(game, games, seed), decisions) if kind == "crash" else {})}


def _dice_of(game: int, games: int, seed: int) -> np.ndarray:
    """The generator, uint64[1], that a game of `search` began with."""
    return rng_table(seed, games, "probe")[game : game + 1].copy()


def _course_of(lab: Lab, made: Game, game: int, games: int, seed: int, choosy: bool) -> list[list[int]]:
    """The decisions (seat, action) of a game of `search`; an error of interpreted rules stays pending at its kernel."""
    limit = made.spec.max_decisions
    course, now = np.zeros((limit, 2), dtype=np.int64), np.zeros(3, dtype=np.int64)
    watch = watch_of(lab, made)
    habits = players(game + 1, choosy)
    probe(
        made.address,
        made.params_address,
        made.n_seats,
        watch,
        habits=Habits(habits.wills[game:], habits.likes[game:]),
        dice=_dice_of(game, games, seed),
        progress=Progress(now, course),
        found=room_for(1, watch),
    )
    return course[: int(now[COUNT])].tolist()


def explained(lab: Lab, condition: Condition, dice: np.ndarray, decisions: Sequence[Sequence[int]]) -> dict[str, str]:
    """What interpreted rules say of the error that these decisions lead to: `kind`, `text`; empty if they say nothing.

    `dice` uint64[1]: the generator that the game began with.
    """
    try:
        _played_out(Bench(lab.bench.settings, compiled=False).game(condition), dice, decisions, [])
    except ProbespielError as error:
        return {"text": str(error), "kind": "hang" if "it never ends" in str(error) else "crash"}
    return {}


def why(
    lab: Lab, condition: Condition, game: int, games: int, seed: int, decisions: Sequence[Sequence[int]]
) -> dict[str, str]:
    """What interpreted rules say of some decisions of a game of `search`: `text`, empty if they survive them."""
    try:
        return {"text": "", **explained(lab, condition, _dice_of(game, games, seed), decisions)}
    except Exception as error:  # whatever the rules raise is what is looked for
        return {"text": f"{type(error).__name__}: {error}"}


def _played_out(made: Game, dice: np.ndarray, decisions: Sequence[Sequence[int]], entered: list[Sequence[int]]) -> None:
    """Look and decide as `search` did; `entered` tells how far it came when the rules raise an error."""
    rng = dice.copy()
    drawn(rng)  # the choices have a generator of their own, seeded first
    position = made.position()
    position.roll(rng)
    for number in range(len(decisions) + 1):
        for seat in position.to_act():
            position.legal(seat)
            position.observe(seat)
        if number < len(decisions):
            entered.append(decisions[number])
            position.apply(*(int(part) for part in decisions[number]))
            position.roll(rng)
    if position.over:
        position.returns()


def follow(
    lab: Lab,
    condition: Condition,
    game: int,
    games: int,
    seed: int,
    decisions: Sequence[Sequence[int]],
    path: str,
    final: Sequence[int] = (),
) -> dict[str, Any]:
    """Write the replay of some decisions of a game of `search`; the game need not end.

    `final` is the decision (seat, action) after them by which the rules fail.
    """
    rng = _dice_of(game, games, seed)
    drawn(rng)
    return kept_game(lab, condition, rng, decisions, path, final)


def raised(lab: Lab, condition: Condition, games: int, seed: int, path: str, choosy: bool = False) -> dict[str, Any]:
    """The first game of `search` in which interpreted rules raise, decision by decision: what, and its replay.

    Like `follow`, with the `text` of the error, empty if no game raises one.
    """
    for game in range(games):
        entered: list[Sequence[int]] = []
        try:
            made = lab.bench.game(condition)
            decisions = _course_of(lab, made, game, games, seed, choosy)
            made.kernel.pending.clear()  # it is raised once more, where it belongs
            _played_out(made, _dice_of(game, games, seed), decisions, entered)
        except Exception as error:  # whatever the rules raise is what is looked for
            text = str(error) if isinstance(error, ProbespielError) else f"{type(error).__name__}: {error}"
            return {**_up_to_the_end(lab, condition, game, games, seed, entered, path), "text": text}
    return {"text": ""}


def _up_to_the_end(
    lab: Lab, condition: Condition, game: int, games: int, seed: int, decisions: Sequence[Sequence[int]], path: str
) -> dict[str, Any]:
    """`follow`; a decision by which the rules fail has no place in a replay, and is told as the `final` one."""
    return as_far_as_kept(lambda some, final: follow(lab, condition, game, games, seed, some, path, final), decisions)


def text_of(fault: dict[str, Any]) -> str:
    """A fault of `search` in words."""
    if "text" in fault:
        return fault["text"]
    return TEXTS[KINDS.index(fault["kind"])].format(length=fault["length"], cycle=fault["cycle"])


__all__ = [
    "Probed", "again", "again_games", "follow", "look_again", "look_for_breakage", "raised", "search", "text_of",
    "watch_of",
]  # fmt: skip
