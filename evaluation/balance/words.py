"""What a search for balance has found, in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..report.phrases import Phrasebook
from ..report.wording import clean_name, listing, signed
from .records import Along, Balance, Crossing, Figure, Point
from .targets import FIGURES, Target
from .texts import words

MEETS = {"yes": "met", "maybe": "perhaps met: the interval reaches beyond the target", "no": "not met"}
FIRST = 12  # points that a terminal shows of those that are known, where nothing can be suggested yet
SHORT = {"yes": "met", "maybe": "perhaps", "no": "not met"}


def values_text(params: Mapping[str, Any]) -> str:
    """ "cost = 3, share = 50"."""
    return ", ".join(f"{name} = {_word(value)}" for name, value in params.items())


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(name: str, value: float, unit: str = "") -> str:
    """A value of a figure in its unit; figures that can be below nothing have a sign."""
    kind = FIGURES[name]
    if kind.percent:
        return f"{value:.{kind.digits}f} %"
    text = f"{value:.{kind.digits}f}" if kind.least == 0 else signed(value, kind.digits)
    return text + (f" {unit}" if unit and name in ("worth", "seat") else "")


def number_aimed_at(name: str, value: float, unit: str = "") -> str:
    """A value that was asked for, with no more digits than it has."""
    text = f"{value:g}".replace("-", "−")
    percent = " %" if FIGURES[name].percent else ""
    return f"{text}{percent}" + (f" {unit}" if unit and name in ("worth", "seat") else "")


def figure_text(found: Figure, unit: str = "") -> str:
    """ "worth +0.040 (exact)", "length 12.3 (11.9 to 12.7)"."""
    around = "exact" if found.exact else f"{number(found.name, found.low)} to {number(found.name, found.high)}"
    bare = not found.exact and found.low == found.high
    return f"{found.name} {number(found.name, found.value, unit)}" + ("" if bare else f" ({around})")


def place(value: float, along: Along, found: Balance, more: int = 0) -> str:
    """A value of a parameter, as exact as its range deserves, or with `more` digits."""
    axis = next(a for a in found.axes if a.name == along.param)
    width = float(axis.values[-1]) - float(axis.values[0])
    digits = (2 if width < 10 else 1 if width < 1000 else 0) + more
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", "−")


def crossing_text(crossing: Crossing, along: Along, found: Balance) -> str:
    """Where a figure has the value that it should have."""
    name, low, high = crossing.figure, place(crossing.low, along, found), place(crossing.high, along, found)
    aim = number_aimed_at(name, crossing.aim, found.payoff_unit)
    if crossing.low == crossing.high:
        return f"{name} is {aim} at {along.param} = {low}" + (" (exact)" if along.exact else "")
    axis = next((a for a in found.axes if a.name == along.param), None)  # beyond what the module allows is nothing
    below = crossing.open_low and not (axis and axis.numeric and axis.low == axis.values[0])
    beyond = crossing.open_high and not (axis and axis.numeric and axis.high == axis.values[-1])
    ends = [f"below {low}" if below else low, f"beyond {high}" if beyond else high]
    span = f"{ends[0]} to {ends[1]}"
    if crossing.value is None:
        return f"{name} may be {aim} for {along.param} {span}, but the course that was measured does not pass it"
    if along.exact:
        at = place(crossing.value, along, found, 1)
        return f"{name} passes {aim} between {along.param} = {low} and {high} (exact), on a straight line at {at}"
    return f"{name} is {aim} at {along.param} = {place(crossing.value, along, found)} ({span})"


def whole_spans(spans: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """The stretches of whole numbers in stretches of any: a parameter has no other values."""
    out: list[tuple[int, int]] = []
    for low, high in spans:
        first, last = math.ceil(low), math.floor(high)
        if first > last:
            continue
        if out and first <= out[-1][1] + 1:
            first, last = out[-1][0], max(last, out.pop()[1])
        out.append((first, last))
    return out


def spans_text(spans: Sequence[tuple[int, int]], along: Along, found: Balance) -> str:
    """ "2 to 4 and 7"."""
    told = [
        place(a, along, found) if a == b else f"{place(a, along, found)} to {place(b, along, found)}" for a, b in spans
    ]
    return listing(told, 4)


def along_lines(along: Along, found: Balance) -> list[str]:
    """What is found along a parameter; of a search that was interrupted nothing that goes for all its values."""
    known = [c for c in along.crossings if found.complete or c.value is not None]  # others leave it to what is missing
    out = [f"{crossing_text(c, along, found)}." for c in known]
    out = [line[:1].upper() + line[1:] for line in out]
    target_of = {target.figure: target for target in found.targets}
    for line in along.lines:
        least, most = (number(line.figure, end) for end in (min(line.mid), max(line.mid)))
        course = f"it stays at {least}" if least == most else f"it goes from {least} to {most}"
        if not found.complete:
            pass  # values that were not measured may be otherwise
        elif target_of[line.figure].excess(min(line.mid), max(line.mid)) > 0:
            out.append(f"{line.figure.capitalize()} is never what is aimed at: {course}.")
        elif target_of[line.figure].holds(min(line.mid), max(line.mid)) == "yes":
            out.append(f"{line.figure.capitalize()} is what is aimed at everywhere: {course}.")
        if line.direction == 0:
            out.append(f"{line.figure.capitalize()} rises and falls along {along.param}: look at the picture.")
    what = "The target is" if len(found.targets) == 1 else "All targets are"
    wide = [t for t in found.targets if t.low != t.high]
    region, sure = whole_spans(along.region), whole_spans(along.sure)
    if wide and along.region and not region:
        first = math.floor(along.region[0][0])
        out.append(f"{what} met for no value of {along.param}, but would be between {first} and {first + 1}.")
    elif wide and along.region:
        surely = f", surely for {spans_text(sure, along, found)}" if sure and not along.exact else ""
        out.append(f"{what} met for {along.param} {spans_text(region, along, found)}{surely}.")
    elif wide and found.complete:
        out.append(f"{what} met for no value of {along.param}.")
    return out


def end_of_range(found: Balance) -> list[str]:
    """Whether better values may lie beyond those that were tried."""
    best, out = found.suggestion, []
    if best is None or best.meets == "yes":
        return out
    for axis in found.axes:
        if not axis.numeric or axis.low is None or axis.high is None:
            continue
        value = best.params[axis.name]
        if value == axis.values[0] and value > axis.low:
            out.append(
                f"{axis.name} = {value} is the least that was tried; the module allows {axis.low} and more: try less."
            )
        if value == axis.values[-1] and value < axis.high:
            out.append(
                f"{axis.name} = {value} is the most that was tried; the module allows up to {axis.high}: try more."
            )
    return out


def at_nothing(found: Balance) -> list[str]:
    """Where 0 is suggested for all numbers: by it a rule may be neutral because it does nothing, which nobody wants."""
    best, out = found.suggestion, []
    if best is None or best.meets != "yes" or any(best.params[a.name] for a in found.axes if a.numeric):
        return out
    numeric = [a.name for a in found.axes if a.numeric]
    others = [p for p in found.points if p.meets == "yes" and all(p.params[name] for name in numeric)]
    if len(numeric) > 1 and others:  # of several sizes one balances another
        names = listing(numeric, len(numeric))
        most = max(others, key=lambda p: p.share)
        return [
            f"With 0 for {names} the rule may do nothing at all: {values_text(most.params)} meets the targets, too."
        ]
    for along in found.along:
        axis = next(a for a in found.axes if a.name == along.param)
        if not axis.numeric or axis.low != 0 or best.params[axis.name] != 0:
            continue
        head = f"With {axis.name} = 0 the rule may do nothing at all"
        most, sure = _reach(along.region), _reach(along.region if along.exact else along.sure)
        last = most == axis.values[-1] and axis.high is not None and most < axis.high
        if not most:
            seems = "with more it is not" if along.exact else "by what was measured it is with more not"
            out.append(
                f"{head}, and {seems} what is aimed at: rather than another size it needs a price, or something in "
                "return."
            )
        elif sure == most:
            what = "as much as was tried, and" if last else "the most of it that"
            out.append(f"{head}: {most} is {what} meets what is aimed at.")
        else:
            what = "as much as was tried, and may meet" if last else "the most of it that may meet"
            out.append(f"{head}: {most} is {what} what is aimed at; up to {sure} it surely does.")
    return out


def _reach(spans: Sequence[tuple[float, float]]) -> int:
    """The largest whole number that a stretch around 0 reaches; 0 without one."""
    return max((math.floor(high) for low, high in spans if low <= 0 <= high), default=0)


def left_out(found: Balance) -> list[str]:
    """What the intervals of estimated figures do not hold."""
    best, learned = found.suggestion, ("worth", "seat", "use", "dominant")
    figures = [] if best is None else [best.figure(target.figure) for target in found.targets]
    names = [figure.name for figure in figures if figure is not None and not figure.exact and figure.name in learned]
    if not names:
        return []
    verb = "is" if len(names) == 1 else "are"
    return [
        f"{listing(names, 9).capitalize()} {verb} estimated from learned play: the intervals leave out what all "
        "learners miss. A stress test of the suggestion (--report) bounds that by best answers."
    ]


def lead(found: Balance) -> str:
    """The answer in one sentence."""
    wanted = listing([target.text() for target in found.targets], 9)
    best = found.suggestion
    if best is None:
        if not found.complete:  # games may be solved already, and other figures not known
            return f"Nothing can be suggested yet for {wanted}: the search was interrupted before a point was finished."
        return f"Nothing can be suggested for {wanted}: no point was measured."
    told = values_text(best.params)
    if all(target.low == target.high for target in found.targets):
        return f"{told} comes nearest to {wanted}."
    if best.meets == "yes":
        return f"{told} meets {'the target' if len(found.targets) == 1 else 'all targets'}: {wanted}."
    if best.meets == "maybe":
        return f"{told} comes nearest to {wanted}, and may meet {'it' if len(found.targets) == 1 else 'all'}."
    return f"No value that was tried meets {wanted}; {told} comes nearest."


def point_text(point: Point, targets: Sequence[Target], unit: str, t: Phrasebook) -> str:
    """A point with its figures, and whether their targets are met, in the language of a phrasebook."""
    if point.fault:
        return f"{values_text(point.params)}: {point.fault}"
    if len(targets) == 1:
        told = ", ".join(t(figure_text(f, unit)) for f in point.figures)
        exactly = targets[0].low == targets[0].high
        return f"{values_text(point.params)}: {told}" + ("" if exactly else f" ({t(SHORT[point.meets])})")
    of = {target.figure: target for target in targets}
    states = [
        f": {t(SHORT[of[f.name].holds(f.low, f.high)])}" if f.name in of else ""  # each by its own
        for f in point.figures
    ]
    told = ", ".join(f"{t(figure_text(f, unit))}{state}" for f, state in zip(point.figures, states))
    return f"{values_text(point.params)}: {told}"


def summary_lines(found: Balance, lang: str = "en") -> list[str]:
    """What a terminal shows, in `en` or `de`."""
    t = words(lang)
    out = [f"Balance: {t(lead(found))}"]
    best = found.suggestion
    if best is not None:
        for target in found.targets:
            figure = best.figure(target.figure)
            if figure is not None:
                state = MEETS[target.holds(figure.low, figure.high)]
                note = f"; target {target.text().partition(' ')[2]}: {state}" if target.low != target.high else ""
                out.append(f"  {t(figure_text(figure, found.payoff_unit) + note)}")
    known = [p for p in found.points if p.figures] if best is None else []
    if known:
        out.append(t(f"Known so far of {len(known)} points:" if len(known) > 1 else "Known so far of one point:"))
        out += [f"  {clean_name(point_text(p, found.targets, found.payoff_unit, t), 300)}" for p in known[:FIRST]]
    if len(known) > FIRST:
        out.append(t(f"  and {len(known) - FIRST} more in the report"))
    for along in found.along:
        out += [f"  {t(line)}" for line in along_lines(along, found)]
    out += [f"  {t(line)}" for line in (*end_of_range(found), *at_nothing(found), *left_out(found))]
    if found.steps:
        out.append(t("One step away:"))
        out += [f"  {clean_name(point_text(p, found.targets, found.payoff_unit, t), 300)}" for p in found.steps]
    front = [p for p in found.points if p.front]
    if len(found.targets) > 1 and len(front) > 1 and best is not None and best.meets != "yes":
        out.append(t(f"Nowhere nearer to one target without being further from another: {len(front)} points"))
        out += [f"  {point_text(p, found.targets, found.payoff_unit, t)}" for p in front[:8]]
    broken = [p for p in found.points if p.fault]
    if broken:
        out.append(t(f"Without figures: {len(broken)} of {len(found.points)} points"))
        out += [f"  {clean_name(point_text(p, found.targets, '', t), 300)}" for p in broken[:5]]
    if found.stress_command:
        out.append(t(f"Next: {found.stress_command}"))
    return out


__all__ = [
    "MEETS", "SHORT", "along_lines", "at_nothing", "end_of_range", "figure_text", "lead", "left_out", "number",
    "point_text", "summary_lines", "values_text",
]  # fmt: skip
