"""What solved games say of a use: whether it is always right, never right, or depends on the situation.

The holder plays best once as it likes, once without ever using the module, and once using it wherever it can, against
an opponent who plays best each time. Who loses nothing by the last and something by the second is always right to use
it, whatever the strategies that were found do; and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..report.wording import clean_name, signed
from .findings import Restricted, Use, UseWorth

LEAST = 1e-6  # of a loss that is one: values of solved games are sums of many numbers
ALWAYS, NEVER, MIXED = "always-use", "dead rule", "mixed"


def solved_way(use: Use | None, counts: float) -> str:
    """`always-use`, `dead rule` or `mixed`; "" where games were not solved, or too little depends on it.

    `counts`: a loss of so much, in the mean of all who may have it, is one that matters.
    """
    held = list(use.solved.values()) if use is not None else []
    if not held:
        return ""
    never, always = (sum(losses) / len(held) for losses in zip(*((one.never, one.always) for one in held)))
    if max(one.always for one in held) <= LEAST:
        return ALWAYS if never > counts else ""
    if max(one.never for one in held) <= LEAST:
        return NEVER if always > counts else ""
    return MIXED if min(never, always) > counts else ""


def leaving_costs(use: Use) -> bool:
    """Whether somebody who may have it loses by never using it."""
    return any(one.never > LEAST for one in use.solved.values())


def restrained(use: Use) -> dict[str, Restricted]:
    """What restricted play of the strategies found tells of holders of whom solved games tell nothing.

    Where both are known the games count: they hold no luck of learning, which may well say the opposite.
    """
    return {name: row for name, row in use.restricted.items() if name not in use.solved}


def told_solved(use: Use) -> list[str]:
    """Sentences for every holder: what these two ways to use it cost where both sides play best, and each action."""
    out = []
    for name, one in use.solved.items():
        who = f"For “{clean_name(name)}” by solved games (exact):"
        out.append(f"{who} never using it {_costs(one.never)}; always using it {_costs(one.always)}.")
        if one.answers:
            costs = sorted(one.answers.items(), key=lambda pair: round(pair[1], 6))
            parts = [f"always “{clean_name(action)}” {_costs(loss)}" for action, loss in costs]
            out.append(f"{who} {'; '.join(parts)}.")
    return out


def equally_right(use: Use, actions: Iterable[str]) -> list[str]:
    """Those of some actions of which solved games say that always taking them costs nothing; [] of one alone."""
    held = [one.answers for one in use.solved.values()]
    right = [action for action in actions if all(answers.get(action, 1.0) <= LEAST for answers in held)]
    return right if held and len(right) > 1 else []


def both_ways(worth: UseWorth) -> bool:
    """Whether a use is shown to pay in some situations and to cost in others."""
    leaves = [(leaf.gain, leaf.error) for leaf in worth.leaves if leaf.error is not None]
    return any(g + 2.6 * e < 0 for g, e in leaves) and any(g - 2.6 * e > 0 for g, e in leaves)


def why_solved(use: Use, way: str) -> str:
    """The reason of a verdict about a use that solved games carry."""
    held = list(use.solved.values())
    never, always = _mean([one.never for one in held]), _mean([one.always for one in held])
    if way == ALWAYS:
        return f"where both sides play best, never using it costs {never}, and using it whenever possible costs nothing"
    return f"where both sides play best, never using it costs nothing, and using it whenever possible costs {always}"


def _mean(losses: list[float]) -> str:
    return signed(sum(losses) / len(losses), 3).lstrip("+")


def _costs(loss: float) -> str:
    """ "costs 0.120", "costs nothing", "gains +0.120": who asks more questions may tell more by asking none."""
    if abs(loss) <= LEAST:
        return "costs nothing"
    return f"costs {signed(loss, 3).lstrip('+')}" if loss > 0 else f"gains {signed(-loss, 3)}"


__all__ = [
    "ALWAYS",
    "LEAST",
    "MIXED",
    "NEVER",
    "both_ways",
    "equally_right",
    "leaving_costs",
    "restrained",
    "solved_way",
    "told_solved",
    "why_solved",
]
