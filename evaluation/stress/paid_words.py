"""Sentences about what is paid where payoffs need not add up to nothing."""

from __future__ import annotations

from ...agents.intervals import NORMAL
from ...envs.core.modules.declare import HOLDERS
from ..report.wording import clean_name, listing, reach, signed
from .amounts import of_games
from .deciding import NEUTRAL, beyond
from .findings import Choice, Findings, Sample

SHOWN = 2.6  # standard errors by which a use is shown to be paid
FOUND_PAID = "These payments are those of the strategies found."
LEAST = 1e-6  # of a lead that is one: payoffs are kept in single precision


def pays_out(found: Findings) -> bool:
    """Whether all sides together are shown to be paid more, or less, by so much that it would count."""
    paid, worth = found.paid, found.worth
    if paid is None or worth is None:
        return False
    counts = NEUTRAL * worth.deviation / 2
    return any(change is not None and beyond(change) and abs(change.value) > counts
               for change in (paid.together, paid.everybody))  # fmt: skip


def leads_told(found: Findings) -> tuple[str, ...]:
    """Whose gains are told, and that they are leads, and what is paid, where payoffs need not add up to nothing."""
    told = [text for text in (sure_told(found), asked_told(found)) if text]
    crowd = f"Sides have up to {found.seats} seats: what a side gains is the mean of its seats."
    whose = (*told, crowd) if found.seats > 1 else (*told,)
    if found.zero_sum or len(found.sides) < 2:
        return whose
    return (
        *whose,
        "Payoffs need not add up to nothing here: gains are half of what the lead over the others grows by.",
        paid_told(found),
    )


def asked_told(found: Findings) -> str:
    """Which of several sides were asked what it is worth to them, "" if all were."""
    asked = [side.side for side in found.worth.sides] if found.worth is not None else []
    others = [side for side in found.sides if side not in asked]
    if not asked or not others or found.whole_table:
        return ""
    names = listing([clean_name(name) for name in asked]) + (" alone" if len(asked) == 1 else "")
    known = found.seats == 1 and HOLDERS not in found.params  # then sides are numbered like seats
    how = f"=[{found.sides.index(others[0])}]` asks of {clean_name(others[0])}" if known else "=[...]` asks of others"
    told = f"Of {len(found.sides)} sides {names} had it; what it is worth to the others was not asked"
    return f"{told}: `--param seats{how}."


def sure_told(found: Findings) -> str:
    """That a payment is sure, and what follows of that, "" else."""
    if found.worth is None or not found.worth.sure:
        return ""
    if found.use is not None and found.use.actions:
        how = "on the average of its dice" if found.worth.dealt else "the same every time"
        return (
            f"It does nothing but pay: in {of_games(found.worth.sure)} of random play all else stood as without it, "
            f"whatever was answered. It is worth what it pays, {how}, to a heuristic that answers it as "
            "the best of the learners does, leaves it alone, or uses it whenever it can, whichever pays most."
        )
    return (
        "It does nothing but pay, without a look at the game: what is good to play stays so, and the same strategies "
        "play with it and without."
    )


def paid_told(found: Findings) -> str:
    """What the holder itself and the others are paid more, "" where a lead says it all."""
    paid = found.paid
    if paid is None or not pays_out(found):
        return ""
    # a worth that was solved stands beside it, of players who play best
    basis = f" {FOUND_PAID}" if found.worth is not None and found.worth.exact else ""
    if paid.own is None or paid.others is None:
        told = _change(found, paid.everybody)
        return f"Counted as it is paid and not as a lead, the sides get {told} by it on the average.{basis}"
    other = "the other side" if len(found.sides) == 2 else "each other side"
    return (
        f"Counted as it is paid and not as a lead, whoever has it alone gets {_change(found, paid.own)} by it, "
        f"{other} {_change(found, paid.others)}; where all have it, the mean of all is "
        f"{_change(found, paid.everybody)}.{basis}"
    )


def right_by_lead(found: Findings, right: Choice | None) -> list[str]:
    """That an answer of all that is always `right` is so for a lead, where all are paid less by it; else nothing."""
    paid = found.paid
    if right is None or paid is None or not found.whole_table or not pays_out(found) or paid.everybody.high >= 0:
        return []
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    return [
        "Right is here what gains a lead over the others: where all answer so, they are paid "
        f"{signed(paid.everybody.value, found.digits)}{unit} by it on the average, and whether another answer would be "
        "paid better no lead tells."
    ]


def paid_use(found: Findings) -> str:
    """What a use brings its user where that is shown to be more, and no lead that counts, "" else."""
    seen = found.use.worth if found.use else None
    if not pays_user(found) or seen is None or seen.own is None or seen.own_error is None:
        return ""
    unit = f" {found.payoff_unit}" if found.payoff_unit else ""
    whom = "its user" if found.seats < 2 else "its user's side, in the mean of its seats,"
    told = (
        f"As it is paid, a use brings {whom} {signed(seen.own, found.digits)}{unit} "
        f"(± {NORMAL * seen.own_error:.{found.digits}f})"
    )
    gain, error = seen.gain or 0.0, SHOWN * (seen.error or 0.0)
    if abs(gain) <= max(error, LEAST):
        return f"{told}: no lead over the others comes of it."
    return f"{told}; its lead over the others changes by {signed(gain, found.digits)}{unit} by it, too little to count."


def pays_user(found: Findings) -> bool:
    """Whether a use is shown to pay its user where payoffs need not add up to nothing, although it gains no lead."""
    seen, worth = (found.use.worth if found.use else None), found.worth
    if found.zero_sum or worth is None or seen is None or seen.own is None or seen.gain is None:
        return False
    counts, error = NEUTRAL * worth.deviation / 2, SHOWN * (seen.own_error or 0.0)
    return seen.own - error > counts and seen.gain - SHOWN * (seen.error or 0.0) <= counts


def keeps_its_own(found: Findings) -> bool:
    """Whether the holder is not shown to be paid less, whatever its lead over the others becomes."""
    return pays_out(found) and found.paid is not None and found.paid.own is not None and found.paid.own.high >= 0.0


def _change(found: Findings, change: Sample) -> str:
    d, unit = found.digits, f" {found.payoff_unit}" if found.payoff_unit else ""
    return f"{signed(change.value, d)}{unit} ({reach(change.low, change.high, d)})"


__all__ = [
    "asked_told", "keeps_its_own", "leads_told", "paid_told", "paid_use", "pays_out", "pays_user", "right_by_lead",
    "sure_told",
]  # fmt: skip
