"""Why a hint names one action before the others: one sentence, of what the search found and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..agents.judge import SAME
from ..envs.core.texts import german_number, number_in
from .session.advice import Advice

_ONLY = (
    "Why: the search tried nothing else often enough to compare it.",
    "Warum: die Suche hat nichts anderes oft genug versucht, um es zu vergleichen.",
)
_SAME = (
    "Why: as far as the search can see, \u201c{best}\u201d and \u201c{next}\u201d cannot be told apart: their "
    "difference of {lost} lies within its error of {error}.",
    "Warum: soweit die Suche sieht, lassen sich „{best}“ und „{next}“ nicht unterscheiden: ihr Unterschied von {lost} "
    "liegt innerhalb seines Fehlers von {error}.",
)
_LOSES = (
    "Why: \u201c{next}\u201d would lose {lost} ± {error} against it, {share} of all that lies between the worst and "
    "the best end.",
    "Warum: „{next}“ verlöre dagegen {lost} ± {error}, das sind {share} dessen, was zwischen dem schlechtesten "
    "und dem besten Ende liegt.",
)
_EQUAL = (
    "Why: \u201c{best}\u201d and \u201c{next}\u201d are worth exactly the same.",
    "Warum: „{best}“ und „{next}“ sind genau gleich viel wert.",
)
_ALL_EQUAL = (
    "Why: all of them are worth exactly the same.",
    "Warum: sie alle sind genau gleich viel wert.",
)
_BY = (
    "Why: \u201c{next}\u201d loses {lost} against it, {share} of all that lies between the worst and the best end.",
    "Warum: „{next}“ verliert dagegen {lost}, das sind {share} dessen, was zwischen dem schlechtesten und dem "
    "besten Ende liegt.",
)
_MIXED = (
    "Why: the search mixes and plays \u201c{best}\u201d in {share} % of all cases; \u201c{next}\u201d has the better "
    "mean, by {lost} ± {error}.",
    "Warum: die Suche mischt und spielt „{best}“ in {share} % der Fälle; „{next}“ hat den besseren Mittelwert, um "
    "{lost} ± {error}.",
)
_KEPT = (
    "Why: \u201c{next}\u201d has the better mean, by {lost} ± {error}, but not so surely that the search would leave "
    "\u201c{best}\u201d for it.",
    "Warum: „{next}“ hat den besseren Mittelwert, um {lost} ± {error}, aber nicht so sicher, dass die Suche dafür von "
    "„{best}“ abginge.",
)


_SHARE = ("tried in {share} %", "versucht in {share} %")
_PLAYED = ("played in {share} %", "gespielt in {share} %")


def share_of(one: Advice, mixed: bool, lang: str) -> str:
    """How often the search tried an action or, where it draws what it plays, would play it.

    Of exact values empty, unless who plays without error draws what to play.
    """
    if one.exact and not mixed:
        return ""
    percent = str(round(100 * one.share)) if one.share == 0 or one.share > 0.005 else "< 1"
    return (_PLAYED if mixed else _SHARE)[lang == "de"].format(share=percent)


EACH = 20  # simulations of an action, below which in the mean an advice is called a guess
FEW = 200  # simulations below which it is one, however few actions there are
_FEW = (
    "Only {n} simulations fitted into the time: take it as a guess; more time gives a better one.",
    "Nur {n} Simulationen passten in die Zeit: nimm es als Vermutung; mehr Zeit gibt eine bessere.",
)


def few_of(simulations: int, actions: int, lang: str) -> str:
    """A warning where a search could simulate but little for so many possible actions; empty otherwise."""
    return _FEW[lang == "de"].format(n=simulations) if 0 < simulations < max(FEW, EACH * actions) else ""


_BLIND = (
    "What is hidden from you it deals by chance, and reads nothing out of what the others did: that error is not in "
    "the intervals.",
    "Was dir verborgen ist, verteilt sie nach Zufall und liest nichts aus dem, was die anderen taten: dieser Fehler "
    "steckt nicht in den Intervallen.",
)


_GUESSED = (
    "The search estimates how often the others choose what, too: that error is not in the intervals.",
    "Auch wie oft die anderen was wählen, schätzt sie: dieser Fehler steckt nicht in den Intervallen.",
)


def guessed_of(best: Sequence[Advice], mixed: bool, lang: str) -> str:
    """What the values leave out where a search draws what it plays, and is not exact; else empty."""
    return _GUESSED[lang == "de"] if mixed and best and not best[0].exact else ""


def blind_of(blind: bool, lang: str) -> str:
    """What the values of a search leave out where something is hidden from the seat; empty where nothing is."""
    return _BLIND[lang == "de"] if blind else ""


_FIRST = (
    "Several are named in the order of the list: a value is that of naming this one first, whatever follows; what you "
    "have picked so far does not count.",
    "Mehrere werden in der Folge der Liste genannt: ein Wert gilt dafür, diese zuerst zu nennen, was auch folgt; was "
    "du bisher gewählt hast, zählt nicht mit.",
)


def first_named(lang: str) -> str:
    """What the values of a hint mean where several things are named one by one (`GameSpec.picking`)."""
    return _FIRST[lang == "de"]


NAMED = 3  # actions that were not tried and are named; of more their number is told
_UNTRIED = (
    "The search did not try: {actions}.",
    "Das hat die Suche nicht versucht: {actions}.",
)
_OTHERS = ("{n} others", "{n} andere")


def untried_of(untried: Sequence[int], texts: Mapping[int, str], lang: str) -> str:
    """What a search that narrows its choice left out, named by `texts`; empty where it tried everything."""
    if not untried:
        return ""
    de = lang == "de"
    names = ", ".join(texts[a] for a in untried) if len(untried) <= NAMED else _OTHERS[de].format(n=len(untried))
    return _UNTRIED[de].format(actions=names)


_DOES = ("About \u201c{best}\u201d: {note}.", "Zu „{best}“: {note}.")


def does_of(best: Sequence[Advice], texts: Mapping[int, str], notes: Mapping[int, str], lang: str) -> str:
    """What stands beside the best action, named by `texts`: its chances, costs and what follows; else empty."""
    note = notes.get(best[0].action, "") if best else ""
    return _DOES[lang == "de"].format(best=texts[best[0].action], note=note) if note else ""


def places_of(best: Sequence[Advice]) -> int:
    """Decimal places of the values of a hint: 2, or 3 where its intervals are narrower than those show.

    So it is, too, where exact values differ by less. Nobody plays by a fourth.
    """
    widths = [one.error for one in best if one.error > 0]
    widths += [abs(one.value - other.value) for one, other in pairwise(best) if one.exact]
    widths = [width for width in widths if width > SAME]  # exact, but for the last digits
    return 2 if min(widths, default=1.0) >= 0.5 * 10.0**-2 else 3


def end_text(end: float) -> str:
    """The least or the most that there is to get, with its sign; nothing has none."""
    return f"{end:+g}" if end else "0"


def value_text(value: float, places: int) -> str:
    """A value with its sign; what is rounded to nothing is never told as less than nothing."""
    return f"{round(value, places) + 0.0:+.{places}f}"


def error_text(error: float, places: int) -> str:
    """Half the width of an interval; rounded up, so that none is told as nothing."""
    return f"{math.ceil(round(error * 10**places, 6)) / 10**places:.{places}f}"


def interval_within(value: float, error: float, ends: tuple[float, float]) -> tuple[float, float]:
    """From where to where a value may lie, no farther than between the least and the most that there is to get."""
    low, high = (min(max(end, ends[0]), ends[1]) for end in (value - error, value + error))
    return low, high


_TO = ("{value} ({low} to {high})", "{value} ({low} bis {high})")


def worth_text(value: float, error: float, ends: tuple[float, float], places: int, lang: str) -> str:
    """A value with its 95 % interval; an exact one (`error` 0) alone.

    `error` is half the width. An interval that would reach beyond the `ends`, the least and the most that there is to
    get, is told from end to end, as what nobody can get is no part of it.
    """
    told, width = value_text(value, places), error_text(error, places)
    if error == 0.0:
        return number_in(told, lang)
    inside = ends[0] <= float(told) - float(width) and float(told) + float(width) <= ends[1]
    if inside:
        return number_in(f"{told} ± {width}", lang)
    low, high = (value_text(end, places) for end in interval_within(float(told), float(width), ends))
    return number_in(_TO[lang == "de"].format(value=told, low=low, high=high), lang)


def reason_of(
    best: Sequence[Advice], texts: Mapping[int, str], ends: tuple[float, float], lang: str, mixed: bool = False
) -> str:
    """The sentence on the first of some actions, named by `texts`, against the second.

    `mixed`: the search draws what it plays. `ends` are the least and the most that the seat may get. Values count as
    different only where their difference is greater than the 95 % interval of it. Empty where there is no action.
    """
    de = lang == "de"
    if not best:
        return ""
    if len(best) < 2:
        return _ONLY[de]
    first, second = best[0], best[1]
    lost, error = first.value - second.value, (first.error**2 + second.error**2) ** 0.5

    places = places_of(best)

    def told(text: str) -> str:
        return german_number(text) if de else text

    least = 10.0**-places
    gap = f"{abs(lost):.{places}f}"
    if 0 < abs(lost) < least / 2:
        gap = f"{'weniger als' if de else 'less than'} {least:.{places}f}"

    values: dict[str, object] = {
        "best": texts[first.action],
        "next": texts[second.action],
        "lost": told(gap),
        "error": told(error_text(error, places)),
    }
    part = 100 * lost / max(ends[1] - ends[0], 1e-9)
    values["share"] = f"{part:.0f} %" if part >= 0.5 else ("weniger als 1 %" if de else "less than 1 %")
    if first.exact:
        same = sum(first.value - one.value < SAME for one in best)
        told_so = _BY if same == 1 else _ALL_EQUAL if same == len(best) > 2 else _EQUAL
        return told_so[de].format(**values)
    if abs(lost) <= error:
        return _SAME[de].format(**values)
    if lost < 0:
        return (_MIXED if mixed else _KEPT)[de].format(**values | {"share": round(100 * first.share)})
    return _LOSES[de].format(**values)


__all__ = [
    "EACH", "FEW", "blind_of", "does_of", "end_text", "error_text", "few_of", "first_named", "guessed_of",
    "interval_within", "places_of", "reason_of", "share_of", "untried_of", "value_text", "worth_text",
]  # fmt: skip
