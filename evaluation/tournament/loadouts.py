"""What a tournament says about loadouts: which equipment dominates, and which is dominated, with the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...agents.entrants import MARK
from ..report.wording import listing, signed, span
from .summary import Interval, Summary

_MOST = 40  # loadouts that a sentence lists
_NOTHING = "nothing"


def _worn(name: str) -> str:
    """The loadout of an entrant, or an empty text."""
    _, mark, loadout = name.rpartition(MARK)
    return loadout if mark and ".py" not in loadout else ""


_ANCHORS = {
    "Loadouts of ": "leaderboard", "Dominant equipment of ": "pairs", "No loadout of ": "pairs",
    "Dominated equipment of ": "dominance", "Undecided equipment of ": "dominance",
    "Undominated equipment of ": "dominance", "Equipment of ": "equilibrium", "All else equal, ": "leaderboard",
    "A point of ": "pairs",
}  # fmt: skip


def anchor_of(note: str) -> str | None:
    """Where on the page of a tournament the numbers of a sentence about loadouts stand; None for another sentence."""
    return next((anchor for begin, anchor in _ANCHORS.items() if note.startswith(begin)), None)


def loadout_notes(summary: Summary) -> list[str]:
    """Sentences about loadouts, one group for every agent that came with several; none without loadouts."""
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(summary.names):
        if _worn(name):
            groups.setdefault(name.rpartition(MARK)[0], []).append(index)
    notes: list[str] = []
    if summary.metagame is not None:
        for agent, members in groups.items():
            if len(members) > 1:
                notes += _about(summary, agent, members)
    return notes


def _about(summary: Summary, agent: str, members: Sequence[int]) -> list[str]:
    """What is shown about the loadouts of one agent."""
    metagame = summary.metagame
    assert metagame is not None
    verdicts = metagame.verdicts
    wear = {i: _worn(summary.names[i]) for i in members}
    shown, open_, free = [], [], []
    for i in members:
        v = verdicts[i]
        if v.dominated:
            by = "a mixture" if v.dominator is None else wear.get(v.dominator, summary.names[v.dominator])
            shown.append(f"{wear[i]} (by {by}, ahead by at least {signed(v.margin, 3)})")
        elif v.dominated is None:
            open_.append(wear[i])
        else:
            free.append(wear[i])
    best = [i for i in members if set(verdicts[i].beats) >= set(members) - {i}]
    notes = [f"Loadouts of {agent}: {len(members)}."]
    if best:
        notes.append(f"Dominant equipment of {agent}: {wear[best[0]]} is shown to beat every other loadout.")
    else:
        top = max(members, key=lambda i: (len(set(verdicts[i].beats) & set(members)), -i))
        beaten = len(set(verdicts[top].beats) & set(members))
        notes.append(
            f"No loadout of {agent} is shown to beat all others; of most this is shown for {wear[top]}, which beats "
            f"{beaten} of {len(members) - 1}."
        )
    for what, found in (
        ("Dominated equipment", shown), ("Undecided equipment", open_), ("Undominated equipment", free),
    ):  # fmt: skip
        if found:
            notes.append(f"{what} of {agent}: {listing(found, _MOST)}.")
    mixed = [(metagame.nash[i], wear[i]) for i in members if metagame.nash[i] >= 0.005]
    if mixed:
        told = [f"{name} {weight:.0%}" for weight, name in sorted(mixed, reverse=True)]
        notes.append(f"Equipment of {agent} in the equilibrium mixture of the mean payoffs: {listing(told, _MOST)}.")
    return [*notes, *_part_by_part(summary, agent, wear), *_worth_of_values(summary, agent, wear)]


# --- part by part -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Swap:
    """A part in place of another one, all else equal: mean gain in the rating by payoff, in so many loadouts."""

    gain: float
    interval: Interval
    ahead: int
    pairs: int


def _swaps(summary: Summary, wear: Mapping[int, str]) -> dict[tuple[str, str], _Swap]:
    """All swaps of one part for another (or for nothing) between the loadouts of an agent.

    The ratings' intervals hold all at once, so that half widths may be added up, whatever the games of different
    loadouts have in common, and all swaps may be compared.
    """
    rows = {row.agent: row for row in summary.leaderboard}
    parts = {i: frozenset(text.split("+")) - {"bare"} for i, text in wear.items()}
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for i, mine in parts.items():
        for j, other in parts.items():
            more, fewer = mine - other, other - mine
            one, two = rows[i], rows[j]
            if i == j or len(more) > 1 or len(fewer) > 1 or not (one.rating_interval and two.rating_interval):
                continue
            if any("=" in part for part in more | fewer):
                continue
            half = one.rating_interval.half_width + two.rating_interval.half_width
            key = (next(iter(more), _NOTHING), next(iter(fewer), _NOTHING))
            found.setdefault(key, []).append((one.rating - two.rating, half))
    swaps: dict[tuple[str, str], _Swap] = {}
    for key, gains in found.items():
        mean = sum(gain for gain, _ in gains) / len(gains)
        half = sum(half for _, half in gains) / len(gains)
        swaps[key] = _Swap(mean, Interval(mean - half, mean + half), sum(g > 0 for g, _ in gains), len(gains))
    return swaps


def _part_by_part(summary: Summary, agent: str, wear: Mapping[int, str]) -> list[str]:
    """Which part is best where one can stand for another, all else equal; by what, and whether that is shown."""
    swaps = _swaps(summary, wear)
    rivals: list[set[str]] = []  # parts that stand for each other, directly or by way of others
    for one, two in swaps:
        joined = {one, two}.union(*[group for group in rivals if {one, two} & group])
        rivals = [group for group in rivals if not group & joined] + [joined]
    notes = []
    for group in sorted(map(sorted, rivals)):
        gains = {one: [swap for (a, _), swap in swaps.items() if a == one] for one in group}
        best = max(group, key=lambda part: sum(swap.gain for swap in gains[part]) / len(gains[part]))
        told = []
        for other in group:
            if swap := swaps.get((best, other)):
                how = (
                    f"{other} {signed(swap.gain, 3)} ({span(swap.interval, 3)}; ahead in {swap.ahead} of {swap.pairs})"
                )
                told.append((swap.gain, how, swap.interval.low > 0))
        sure = all(shown for _, _, shown in told)
        lines = listing([how for _, how, _ in sorted(told)], _MOST)
        verdict = "shown to be better than every other" if sure else "ahead, though not every lead is shown"
        notes.append(f"All else equal, {best} is {verdict} for {agent}; mean lead in payoff over {lines}.")
    return notes


def _worth_of_values(summary: Summary, agent: str, wear: Mapping[int, str]) -> list[str]:
    """What a point of a value is worth between loadouts that differ in nothing else."""
    low, high = summary.joint_low, summary.joint_high
    if low is None or high is None:
        return []
    notes = []
    parts = {i: dict.fromkeys(text.split("+")) for i, text in wear.items()}
    for i, mine in parts.items():
        for j, other in parts.items():
            more, fewer = [p for p in mine if p not in other], [p for p in other if p not in mine]
            if len(more) != 1 or len(fewer) != 1 or "=" not in more[0] or "=" not in fewer[0]:
                continue
            (name, a), (same, b) = more[0].split("="), fewer[0].split("=")
            lead, gain, least, most = int(a) - int(b), summary.matrix[i][j], low[i][j], high[i][j]
            if name != same or lead <= 0 or gain is None or least is None or most is None:
                continue
            notes.append(
                f"A point of {name} is worth {signed(gain / lead, 4)} a game to {agent} "
                f"({span(Interval(least / lead, most / lead), 4)}; {a} against {b})."
            )
    return notes


__all__ = ["anchor_of", "loadout_notes"]
