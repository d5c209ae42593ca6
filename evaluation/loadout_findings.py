"""What a tournament says about loadouts: which equipment dominates, and which is dominated, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ..agents.entrants import MARK
from .summary import Summary
from .wording import SHOWN, listing, share_text, signed

_MOST = 40  # loadouts that a sentence lists


def _worn(name: str) -> str:
    """The loadout of an entrant, or an empty text."""
    _, mark, loadout = name.rpartition(MARK)
    return loadout if mark and ".py" not in loadout else ""


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
        sure = v.dominated_share
        if v.dominated and (sure is None or sure >= SHOWN):
            how = ""
            if v.dominator is not None:
                lead = signed(v.margin, 3)
                how = f" (by {wear.get(v.dominator, summary.names[v.dominator])}, ahead by at least {lead}"
                how += f", in {share_text(sure, summary.resamples)})" if sure is not None else ")"
            elif sure is not None:
                how = f" (by a mixture, in {share_text(sure, summary.resamples)})"
            shown.append(wear[i] + how)
        elif v.dominated or (sure is not None and sure > 1 - SHOWN):
            open_.append(wear[i])
        else:
            free.append(wear[i])
    best = [i for i in members if set(verdicts[i].beats) >= set(members) - {i}]
    notes = [f"Loadouts of {agent}: {len(members)}."]
    if best:
        notes.append(f"Dominant equipment of {agent}: {wear[best[0]]} beats every other loadout, intervals above zero.")
    else:
        top = max(members, key=lambda i: (len(set(verdicts[i].beats) & set(members)), -i))
        beaten = len(set(verdicts[top].beats) & set(members))
        notes.append(
            f"No loadout of {agent} beats all others; {wear[top]} beats most, {beaten} of {len(members) - 1}, with "
            "intervals above zero."
        )
    for what, found in (
        ("Dominated equipment", shown), ("Not decided", open_), ("Never shown to be dominated", free),
    ):  # fmt: skip
        if found:
            notes.append(f"{what} of {agent}: {listing(found, _MOST)}.")
    mixed = [(metagame.nash[i], wear[i]) for i in members if metagame.nash[i] >= 0.005]
    if mixed:
        told = [f"{name} {weight:.0%}" for weight, name in sorted(mixed, reverse=True)]
        notes.append(f"Equipment of {agent} in the equilibrium mixture: {listing(told, _MOST)}.")
    return notes


__all__ = ["loadout_notes"]
