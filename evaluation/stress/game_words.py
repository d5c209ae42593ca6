"""What the report says in words of the game as a whole, of players of every strength, of each action, and a game."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...agents.intervals import NORMAL
from ..report.wording import SAME, clean_name, listing, points, reach, signed
from .amounts import of_games, span
from .deciding import beyond
from .findings import ActionLine, CounterLine, Effect, Findings, Level, Sample, SampleGame, Use, Worth
from .game_verdict import all_draw, cut_off, drawn_by_play, gains_where_all_have_it, sentence

DIGITS = 2
METHOD = ("These are strategies of the lab that stand for people; nobody was asked.",)  # how something was measured
METHODS = (
    "Left out, because ",
    "All intervals of changes hold together ",
    "Estimates may come out below ",
)  # the same, how such sentences begin
# typical oversights, in the strongest play otherwise
OVERSIGHTS = {
    "never": "If its holder never thinks of using it",
    "overlook": "If its holder overlooks it in {chance:.0%} of the chances",
    "always": "If its holder uses it at once wherever it can be",
    "random": "If its holder answers it blindly",
    "unseen": "If the others do not reckon with it and play as where nobody has it",
}


def effect_lines(effect: Effect, use: Use | None = None, guessed: int = 0) -> list[str]:
    """What changes, what stays, what is not sure, and what is left out; `guessed`: questions that are a mere guess."""
    shown = [f for f in effect.figures if f.shown]
    matters = [f for f in shown if f.matters]
    little = [f for f in shown if not f.matters]
    stays = [f.name for f in effect.figures if effect.stays(f) and not f.shown]
    unsure = [f for f in effect.figures if not effect.stays(f) and not f.shown]
    drawn = [f for f in (all_draw(effect),) if f is not None]
    drifted = [f for f in unsure if f.drifted and f not in drawn]
    still_open = [f.name for f in unsure if not f.drifted]
    compared = [f for f in effect.figures if f.direct]
    games = max((f.games for f in effect.figures), default=0)
    out = [f"{_first(sentence(f))}." for f in matters] + [f"{_first(drawn_by_play(f))}." for f in drawn]
    if little:
        out.append(
            f"Shown to change, but the change measured is less than what counts: {'; '.join(map(sentence, little))}."
        )
    if guessed:
        known = effect.of("cycles")
        told = "" if known is not None and known.shown else ", though the figure of cycles alone does not show it"
        many = "one of its questions" if guessed == 1 else f"{guessed} of its questions"
        out.append(f"It makes {many} a guess, where no answer is best{told}.")
    if stays:
        out.append(f"Shown to stay as they are, within what counts: {listing(stays, 12)}.")
        if "strategies" in stays and use is not None and (use.choices or use.ways):
            out.append("A strategy that mixes what it does counts as one strategy.")
    if still_open:
        out.append(f"Not sure, the intervals reach too far: {listing(still_open, 12)}.")
    if drifted:
        out.append(
            "Goes otherwise by the strategies that were found with it, but with the same ones no change is shown: "
            f"{'; '.join(map(sentence, drifted))}."
        )
    if compared and all(f.untouched for f in compared):
        out.append("With the same strategies no game went otherwise by it.")
    if effect.own >= 0.05:
        out.append(f"Its own decisions, {effect.own:.1f} a game, do not count for the length.")
    by_reason: dict[str, list[str]] = {}
    for name, why in effect.left_out.items():
        by_reason.setdefault(why, []).append(name)
    out += [f"Left out, because {why}: {listing(names, 12)}." for why, names in by_reason.items()]
    out.append(
        f"All intervals of changes hold together at 95 % ({len(effect.figures)} figures, up to {games:,} deals, played "
        "in both games); a change is stated if it shows with the same strategies in both games, too."
    )
    cut = [f.name for f in effect.figures if cut_off(f)]
    if cut:
        out.append(
            "Estimates may come out below what is possible, and are then shown as the least that is; the change beside "
            f"them is that of the estimates: {listing(cut, 12)}."
        )
    return out


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]


def level_lines(levels: Sequence[Level], found: Findings) -> list[str]:
    """What it is worth to players of each strength, and how often they use it."""
    d = found.digits
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    out = []
    for level in levels:
        who = f"{_first(level.name)} ({level.player})"
        worth = level.worth
        if worth is None:
            told = "nobody has it alone"
        elif found.worth is not None and found.worth.exact and worth == found.worth.overall:
            told = f"having it is worth {signed(worth.value, 3)}{unit} (exact)"
        else:
            ends = reach(worth.low, worth.high, d)
            told = f"having it is worth {signed(worth.value, d)}{unit} among them ({ends}; {worth.games:,} games)"
        use = ""
        if level.rate is not None:
            around = f" ({points(level.error)})" if level.error is not None else ""
            use = f"; they use it {level.using}, in {level.rate:.0%} of their chances{around}"
        out.append(f"{who}: {told}{use}.")
    for row in found.oversights or ():
        ends = reach(row.worth.low, row.worth.high, d)
        used = f"; it is used in {row.rate:.0%} of the chances" if row.rate is not None else ""
        around = f" ({points(row.error)})" if used and row.error is not None else ""
        how = OVERSIGHTS[row.use].format(chance=row.chance)
        worth = f"having it is worth {signed(row.worth.value, d)}{unit} ({ends}; {row.worth.games:,} games)"
        out.append(f"{how}, {worth}{used}{around}.")
    return [*out, *METHOD]


def action_lines(lines: Sequence[ActionLine], unit: str, digits: int = DIGITS) -> list[str]:
    """One sentence an action: how often it is taken, and what it gains over what is done there."""
    out = []
    for line in lines:
        name = f"“{clean_name(line.action)}”" + (" (declines it)" if line.declines else "")
        if not line.chances or line.rate is None:
            out.append(f"{name} was never a choice.")
            continue
        told = f"{name} is taken in {line.rate:.0%} of {line.chances:,} chances that were tried"
        if line.gain is not None and line.error is not None:
            around = around_of(line.error, digits)
            gain = signed(line.gain, digits)
            told += (
                f" and loses {gain.lstrip('−')}{unit} against what is done there ({around})"
                if gain.startswith("−")
                else f" and gains {gain}{unit} over what is done there ({around})"
            )
        out.append(f"{told}.")
    return out


def around_of(error: float, digits: int) -> str:
    """A standard error of a gain as an interval: "± 0.02", or that there was no other value."""
    return f"± {NORMAL * error:.{digits}f}" if error > 0 else SAME


def counter_lines(counters: Sequence[CounterLine]) -> list[str]:
    """One sentence a counter."""
    out = []
    for c in counters:
        around = f" (± {NORMAL * c.error:.1f})" if c.error else ""
        seen = f"{c.least:,} to {c.most:,}" if c.least != c.most else f"always {c.most:,}"
        beyond = ""
        if c.low is not None and c.high is not None and not c.low <= c.least <= c.most <= c.high:
            beyond = f" It is declared as {c.low:,} to {c.high:,}: hold it there, or declare what it can be."
        out.append(
            f"At the end of a game “{clean_name(c.name)}” stands at {c.mean:.1f} on the average{around}, "
            f"{seen} in {c.games:,} games.{beyond}"
        )
    return out


def sample_lines(sample: SampleGame, found: Findings) -> list[str]:
    """What the sample game shows."""
    d = found.digits
    if not sample.deals:
        return ["There is no game to show."]
    first, *rivals = found.sides
    other = "it changes who wins, or whether anybody does"
    if not rivals:
        other = "it moves the result to the other side of the middle"
    flips = f"In {sample.flips:,} of {sample.deals:,} deals {other}, with the same players."
    if sample.shifted:
        flips += (
            " Where it has other dice thrown, or more, all later ones fall otherwise, so that luck makes these games "
            "differ, too."
        )
    elif sample.alike:
        flips += f" In {sample.alike:,} of them all else is decided the same."
    if not sample.found:
        why = "no such deal was found" if not sample.flips else "in none of them its moment could be told"
        if sample.flips and sample.idle:
            why = "it is used in none of them, so that they differ by the luck of choices"
        elif sample.flips and (sample.shifted or (found.use is not None and found.use.actions)):
            why = "none of those that were looked at is decided by the rule alone"
        return [f"{flips} There is no game to show: {why}."]
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    who = f"“{clean_name(sample.side)}”" if sample.side else "everybody"
    side = f"“{clean_name(sample.side or first)}”"
    players = listing(
        [f"“{clean_name(seat)}” plays “{clean_name(name, 120)}”" for seat, name in sample.players.items()], 6
    )
    out = [
        f"{flips} Shown is a short one: deal {sample.deal + 1}. {players}, in both games.",
        f"Without it {side} gets {signed(sample.margin_without, d)}{unit}; where {who} has it, "
        f"{signed(sample.margin, d)}{unit}.",
    ]
    if sample.pure:
        out.append("All dice and all decisions but its own are the same in both.")
    elif sample.parted is None:
        out.append("The two games differ from the set-up on.")
    elif sample.parted:
        many = f"first {sample.parted} decisions are" if sample.parted > 1 else "first decision is"
        out.append(f"The {many} the same in both.")
    forced = found.use is not None and bool(found.use.forced) and not found.use.opportunities
    use = "answer" if forced else "use"
    moment = sample.moment.replace(" uses it: ", " answers: ", 1) if forced else sample.moment
    what = f"The {use} that gained most" if sample.gained else f"With this {use} the games part"
    if sample.passive:
        what = (
            "This is when it acts"
            if found.use is not None and found.use.actions
            else "It acts by itself, and this is when"
        )
    if sample.reckoned:
        what = "It does nothing in this game, but is reckoned with, and here the games part"
    out.append(f"{what}: {moment}.")
    return out


LEARNED_ANEW = "Both sides have learned anew to play with it: that may be the luck of what was learned."


def sides_told(side: Sample | None, found: Findings) -> list[str]:
    """What becomes of the sides where all have it, if they sit here and there; nothing is said of no change."""
    if side is None or len(found.sides) != 2 or not beyond(side):
        return []
    told = f"{_first(gains_where_all_have_it(found, side))} ({seat_ends(side, found)})."
    return [told] if found.worth is not None and found.worth.exact else [told, LEARNED_ANEW]


def against_it(worth: Worth, unit: str, digits: int) -> list[str]:
    """What having it is worth where the opponent has it too; learned anew for that, it may be luck.

    Not what is more than the room that the best answers leave: so much no course of learning misses.
    """
    out, luck = list[str](), False
    missed = worth.bounds.overall.high - worth.bounds.overall.low if worth.bounds is not None else math.inf
    for side in worth.sides:
        if side.answer is None:
            continue
        name, size = clean_name(side.side), f"{signed(side.answer.value, digits)}{unit}"
        nothing = side.answer.low == side.answer.high == 0.0  # in every game, which is more than not shown
        if worth.exact or beyond(side.answer) or nothing:
            ends = "exact" if worth.exact else span(side.answer, digits)
            out.append(f"Against an opponent who has it too, it is worth {size} to “{name}” ({ends}).")
            luck |= not worth.exact and not nothing and abs(side.answer.value) <= missed
        else:
            out.append(
                f"Against an opponent who has it too, it is not shown to be worth anything to “{name}”: {size} "
                f"({span(side.answer, digits)})."
            )
    return [*out, LEARNED_ANEW] if luck else out


def seat_ends(change: Sample, found: Findings) -> str:
    """How sure a change of the first seat is: by solved games, or its interval from so many."""
    if found.worth is not None and found.worth.exact:
        return "exact"
    return f"{span(change, found.digits)}; {of_games(change.games)}"


__all__ = [
    "LEARNED_ANEW", "action_lines", "against_it", "around_of", "counter_lines", "effect_lines", "level_lines",
    "sample_lines", "seat_ends", "sides_told",
]  # fmt: skip
