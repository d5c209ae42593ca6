"""A sample game: one deal without and with the module, by the same players, which the module decides.

The same strategies play many deals in both conditions, with the same dice and the same seeds of decisions. Of those in
which the winner is another one, or which somebody wins in one of the two alone, a short one is shown. Its decisive
moment is the use of the module that gained most; of a rule that works by itself it is the moment when it acts: the
step after which the position is another one than by the rules without it. A rule that never acts may decide all the
same, as a threat that is reckoned with: then the moment is the first decision that is another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...envs.core.game import Position
from ...envs.core.replay import Choice, Die, Replay
from .conditions import EVERYBODY, Condition
from .context import Context
from .exploit import decided, decisive, german_words, lines_of, looked_at, record
from .findings import Line, SampleGame, Use, Worth
from .lab import Lab, position_bytes
from .play import Played, draw_pairs, margins, play
from .shadow import Shadow, shifted, without_it
from .strategies import Chosen, Mixture, Prelude, joined
from .workers import Job

COMPARED = 8  # games in which the use that gained most is looked for, which takes many continuations
LOOKED = 40  # games that are looked at, of which the first with a moment to show is taken
STEPS = 20_000  # and their decisions, but for the first game
LEAST = 0.4  # deviations of a result that a use must gain to be called decisive
EVEN = 1e-9  # results closer to 0 than this are draws


def sample_game(context: Context, prelude: Prelude, chosen: Chosen, worth: Worth, use: Use) -> SampleGame:
    """A game that the module decides, for the side that gains or loses most by having it alone.

    If it decides none so, it may take both sides: then where everybody has it. None is looked for if its uses have no
    effect: games then differ by the luck of later choices only.
    """
    context.begin("sample")
    if use.worth is not None and use.worth.effect == 0.0:
        return SampleGame(False)
    bench = context.bench
    gains = [row.even.worth.value for row in worth.sides]
    at = int(np.argmax(np.abs(gains)))
    side = context.sides[at]
    candidates, replicates = looked_at(prelude, COMPARED)
    same = {"plain": Condition(), "side": side, "gains": bool(gains[at] >= 0), "deals": context.budget.show,
            "candidates": candidates, "replicates": replicates,
            "least": LEAST * context.scale, "seed": context.seed("sample"), "folder": "replays"}  # fmt: skip
    conditions = bench.holder_conditions()
    answer: dict[str, Any] = {}
    name = ""
    for name in dict.fromkeys(n for n in (bench.alone(side), EVERYBODY) if n in conditions):
        rows, columns = chosen.of_all(name)
        args = {"condition": conditions[name], "rows": rows, "columns": columns, **same}
        (answer,) = context.need("sample", [Job("sample", args)])
        if answer["flips"]:
            break
    told = {key: tuple(Line(**{**line, "then": tuple(line["then"])}) for line in answer.get(key, ()))
            for key in ("lines", "lines_without")}  # fmt: skip
    return SampleGame(**{**answer, **told, "side": "" if name == EVERYBODY else bench.side_names[side]})


# What workers do


def show(
    lab: Lab, condition: Condition, plain: Condition, side: int, rows: Mixture, columns: Mixture, gains: bool,
    deals: int, candidates: int, replicates: int, least: float, seed: int, folder: str,
) -> dict[str, Any]:  # fmt: skip
    """Find a deal that the module turns for a `side`, write both games as replays, and tell them.

    With `gains` a deal that it turns in the side's favour is preferred, else one against it. A use must gain `least`,
    or the games differ by the luck of later choices only.
    """
    numbers = np.arange(deals)
    players, first, second = joined(rows, columns)
    pairs = draw_pairs(first, second, numbers, seed)
    with_it = play(lab, condition, players, pairs, numbers, seed, logged=True)
    without = play(lab, plain, players, pairs, numbers, seed, logged=True)
    assert with_it.log is not None and without.log is not None
    sign = 1.0 if side == 0 else -1.0
    after, before = winner(sign * with_it.margins), winner(sign * without.margins)
    whole = (with_it.lengths.cumsum() <= len(with_it.log)) & (without.lengths.cumsum() <= len(without.log))
    used = np.bincount(with_it.games_of_log()[: len(with_it.log)][with_it.log.taken], minlength=deals) > 0
    alike = decided_alike(with_it, without, frozenset(lab.own_actions), lab.marks.phases)
    order = turned(before, after, with_it.lengths + without.lengths, used, gains, alike)
    out = {"found": False, "deals": deals, "flips": len(order), "alike": int(alike[order].sum()),
           "idle": bool(lab.own_actions) and not used[order].any(), "shifted": False}  # fmt: skip
    own = frozenset(lab.own_actions)
    names = [p.name for p in players]
    shadows = [
        Shadow(lab.game(plain), position_bytes(lab, lab.game(condition), own=False, control=control))
        for control in looks(lab.own_actions)
    ]
    kept: tuple[dict[str, Any], Replay, Replay] | None = None
    for game in within([g for g in order if whole[g]], with_it.lengths, used, candidates):
        deal, pair = int(numbers[game]), pairs[game]
        there = record(lab, condition, with_it, game, deal, seed, pair, names)
        here = record(lab, plain, without, game, deal, seed, pair, names)
        luck = shifted(there, here, own)
        out["shifted"] |= luck
        same = without_it(there, lab.game(plain), own, lab.marks.phases)
        lead = 0.0 if same is None else float(sign * margins(lab.bench, plain, np.array([same.payoffs]))[0])
        pure = same is not None and winner(np.array([lead]))[0] != after[game]
        if same is not None and not pure and (luck or own):
            continue  # with the same dice and decisions it changes nothing: others fell, or other moves were drawn
        if luck and same is None:
            continue
        if same is not None and pure:
            here = same
        lines, instead = lines_of(there, -1)[0], lines_of(here, -1)[0]
        found = (acting(there, shadow, own, lab.marks.phases) for shadow in shadows)
        acts = next((known for known in found if known), [])
        best = None
        if used[game]:
            best = decisive(lab, condition, side, players, pair, deal, replicates, seed)
        if best is not None and (not best["weight"] or best["swing"] < least):
            best = None
        words = {**german_words(there), **german_words(here)}
        if best is not None:
            named = decided(there, best)
            best, words = {**best, **named}, {**words, **named["german"]}
        parted = parting(there, here)
        at, moment = moment_of(lines, acts, best, used_first(there, parted, lab))
        reckoned, forbids = moment is None and not lab.own_actions, False
        if reckoned:
            at, moment = reckoned_with(lines, instead, parted)
            forbids = at is not None and barred(there, here, at)
            if at is not None and forbids:
                who, what, other = lines[at]["who"], lines[at]["what"], instead[at]["what"]
                moment, reckoned = f"{who} decides on {what}: the rule forbids {other}", False
        if moment is None or (reckoned and kept):
            continue
        cast = {seat.called("en"): (there.agents or {}).get(seat.name, "") for seat in there.game.seats}
        told = {
            **out, "found": True, "deal": deal, "players": cast,
            "margin": float(sign * with_it.margins[game]),
            "margin_without": lead if pure else float(sign * without.margins[game]), "pure": pure,
            "passive": best is None and (bool(acts) or forbids), "gained": best is not None, "reckoned": reckoned,
            "moment": moment, "parted": parted, "lines": commented(lines, at, acts, best, parted),
            "lines_without": instead, "german": words,
        }  # fmt: skip
        kept = told, there, here
        if not reckoned:
            break
    if kept is None:
        return out
    told, there, here = kept
    told["shifted"] = out["shifted"]
    files = {"replay": "sample-with.json", "replay_without": "sample-without.json"}
    (lab.folder / folder).mkdir(parents=True, exist_ok=True)
    there.save(lab.folder / folder / files["replay"])
    here.save(lab.folder / folder / files["replay_without"])
    return {**told, **files}


def within(games: Sequence[int], lengths: np.ndarray, used: np.ndarray, weighed: int) -> list[int]:
    """The first of some games that may be looked at: of those with a use `weighed`, `LOOKED` and `STEPS` in all."""
    out: list[int] = []
    steps = uses = 0
    for game in games:
        steps += int(lengths[game])
        uses += bool(used[game])
        if out and (len(out) == LOOKED or steps > STEPS):
            break
        if not used[game] or uses <= weighed:
            out.append(game)
    return out


def reckoned_with(
    lines: Sequence[dict[str, Any]], instead: Sequence[dict[str, Any]], parted: int | None
) -> tuple[int | None, str | None]:
    """The first decision that is another one than in the game without the rule, in words; none if there is none."""
    if parted is None or parted >= min(len(lines), len(instead)) or lines[parted]["who"] != instead[parted]["who"]:
        return None, None
    return parted, f"{lines[parted]['who']} decides on {lines[parted]['what']} (instead of: {instead[parted]['what']})"


def barred(there: Replay, here: Replay, parted: int) -> bool:
    """Whether decision `parted` of the game without the rule is not legal where the one with it is taken."""
    (wanted, *_) = [step for step in here.steps if isinstance(step, Choice)][parted:]
    number, legal = 0, dict[int, list[int]]()
    for step, position in there.positions():
        if isinstance(step, Choice):
            if number == parted:
                return wanted.action not in legal[step.seat]
            number += 1
        legal = {seat: list(position.legal(seat)) for seat in position.to_act()}
    return False


def looks(actions: Sequence[int]) -> tuple[bool, ...]:
    """By what it is told that a rule with these actions acts: whether what is still to be done counts, in turn.

    It counts where nothing else differs, as the rule may only have ordered something; but that a rule with actions asks
    for them is no act of it.
    """
    return (False,) if actions else (False, True)


def winner(margins: np.ndarray) -> np.ndarray:
    """1 where a side wins, -1 where it loses, 0 for draws; int64[n]."""
    return np.sign(np.where(np.abs(margins) < EVEN, 0.0, margins)).astype(np.int64)


def turned(
    before: np.ndarray, after: np.ndarray, length: np.ndarray, used: np.ndarray, gains: bool, alike: np.ndarray
) -> list[int]:
    """Numbers of the games with another winner, or with one where there was none, or with none where there was one.

    In the wanted direction first, then with a use, then those in which all else is decided `alike` bool[n], then those
    that another side wins, then the shortest.
    """
    wanted = 1 if gains else -1
    rise = np.sign(after - before)
    order = np.lexsort((np.arange(len(after)), length, before * after >= 0, ~alike, ~used, rise != wanted))
    return [int(g) for g in order if rise[g] != 0]


def decided_alike(with_it: Played, without: Played, own: frozenset[int], phases: frozenset[int]) -> np.ndarray:
    """Whether all is decided the same in both games of a deal but for the module's `own` actions and `phases`; bool[n].

    Where players mix, its decisions shift what is drawn for all later ones: such games differ by luck, too.
    """
    both = [_decided(played, own, phases) for played in (with_it, without)]
    return np.array([a is not None and a == b for a, b in zip(*both, strict=True)], dtype=bool)


def _decided(played: Played, own: frozenset[int], phases: frozenset[int]) -> list[bytes | None]:
    """The decisions (seat, action) of every game but for those of a module; None where the log has not all of them."""
    log = played.log
    assert log is not None
    ends = played.lengths.cumsum()
    rest = ~(np.isin(log.actions, sorted(own)) | np.isin(log.phases, sorted(phases)))
    steps = np.stack([log.seats, log.actions], axis=1)
    return [
        steps[end - length : end][rest[end - length : end]].tobytes() if end <= len(log) else None
        for end, length in zip(ends.tolist(), played.lengths.tolist(), strict=True)
    ]


def acting(
    replay: Replay, shadow: Shadow, own: frozenset[int], phases: frozenset[int]
) -> list[tuple[int, float, list[str]]]:
    """Where the rule acts by itself: index of the step (0: set-up), what the payoffs differ by, what would have been.

    Each step is taken again by the rules without it, but for those by which the module is used or answered: its `own`
    actions, and all in its `phases`. That it asks for its actions where the game goes on without it is no act, nor that
    payoffs still differ by what it has brought about before.
    """
    out: list[tuple[int, float, list[str]]] = []
    before, asked, stood = b"", False, np.zeros(0)
    for index, (step, position) in enumerate(replay.positions()):
        its_own = asked or (isinstance(step, Choice) and step.action in own)
        if not its_own:
            other = shadow.start() if step is None else shadow.after(before, step)
            if other is not None and not shadow.same(position, other):
                brought = stood - shadow.payoffs(before) if before else 0.0
                gap = float(np.abs(position.returns() - other.returns() - brought).max())
                asking = any(own.intersection(position.legal(seat)) for seat in position.to_act())
                if gap > EVEN or (not asking and not shadow.same(position, other, payoffs=False)):
                    out.append((index, gap, _events(other)))
        before, stood = position.to_bytes(), position.returns()
        asked = int(position.record.ask_phase) in phases and bool(position.to_act())
    return out


def _events(position: Position) -> list[str]:
    game = position.game
    return [line for line in (game.say(event, None, "en") for event in position.events()) if line]


def moment_of(
    lines: Sequence[dict[str, Any]],
    acts: Sequence[tuple[int, float, list[str]]],
    best: dict[str, Any] | None,
    first: int | None = None,
) -> tuple[int | None, str | None]:
    """The index of the decisive line (None: the set-up), and the moment in words; no words if there is no moment.

    `best` is the use that gained most, if it gained enough. Without one it is the line at which the rule acts; of
    several the one after which the payoffs differ most at once, the first of these. Else it is the use with which the
    two games part, line `first`, where one does: what it gained is too little to be measured in one game.
    """
    if best is not None:
        at = int(best["number"])
        return at, f"{lines[at]['who']} uses it: {lines[at]['what']} (instead of: {best['instead']})"
    if not acts:
        return first, None if first is None else f"{lines[first]['who']} uses it: {lines[first]['what']}"
    step = max(acts, key=lambda act: (round(act[1], 9), -act[0]))[0]
    at = line_of(lines, step)
    if at is None:
        return None, "the rule acts before the first decision"
    return at, f"the rule acts after {lines[at]['who']}: {lines[at]['what']}"


def used_first(replay: Replay, parted: int | None, lab: Lab) -> int | None:
    """The number of the decision with which the game parts from the other, if that is a use, not a refusal."""
    choices = [step for step in replay.steps if isinstance(step, Choice)]
    used = parted is not None and parted < len(choices) and choices[parted].action in lab.marks.actions
    return parted if used else None


def line_of(lines: Sequence[dict[str, Any]], step: int) -> int | None:
    """The index of the last line at or before a step of the replay; None before the first."""
    known = [i for i, line in enumerate(lines) if line["step"] <= step]
    return known[-1] if known else None


def commented(
    lines: Sequence[dict[str, Any]], at: int | None, acts: Sequence[tuple[int, float, list[str]]],
    best: dict[str, Any] | None, parted: int | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """The lines with the decisive one marked, and comments: where the games part, where the rule acts, what is used."""
    notes: dict[int, list[str]] = {}
    if parted is not None and parted < len(lines):
        notes.setdefault(parted, []).append("up to here both games are the same")
    for step, _, instead in acts:
        line = line_of(lines, step)
        if line is not None:
            told = f"the rule acts; without it: {'; '.join(instead)}" if instead else "the rule acts"
            notes.setdefault(line, []).append(told)
    if best is not None and at is not None:
        notes.setdefault(at, []).append(f"worth {best['swing']:+.2f} against “{best['instead']}”".replace("-", "−"))
    return [
        {**line, "decisive": i == at, "comment": ". ".join(dict.fromkeys(notes.get(i, [])))}
        for i, line in enumerate(lines)
    ]


def parting(first: Replay, second: Replay) -> int | None:
    """The number of the decision from which on two games differ; None if they begin differently."""
    decisions = 0
    for a, b in zip(first.steps, second.steps):
        if a != b:
            return None if decisions == 0 and isinstance(a, Die) else decisions
        decisions += isinstance(a, Choice)
    return decisions


__all__ = [
    "acting", "barred", "commented", "decided_alike", "line_of", "looks", "moment_of", "parting", "reckoned_with",
    "sample_game", "show", "turned", "used_first", "winner", "within",
]  # fmt: skip
