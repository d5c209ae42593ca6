"""What solved games say of a use: whether it is always right, never right, or depends on the situation.

The holder plays best once as it likes, once without ever using the module, and once using it wherever it can, against
an opponent who plays best each time. Who loses nothing by the last and something by the second is always right to use
it, whatever the strategies that were found do; and the other way round.
"""

from __future__ import annotations

from ..report.wording import clean_name, signed
from .findings import Restricted, Use

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
    """A sentence for every holder: what these two ways to use it cost where both sides play best."""
    return [
        f"For “{clean_name(name)}” by solved games (exact): never using it {_costs(one.never)}; "
        f"always using it {_costs(one.always)}."
        for name, one in use.solved.items()
    ]


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
    "leaving_costs",
    "restrained",
    "solved_way",
    "told_solved",
    "why_solved",
]
