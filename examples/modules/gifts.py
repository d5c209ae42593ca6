"""Sample rule module: a faction gives power to another one (an action that names whom and how much)."""

from typing import Any

from probespiel.envs.konfrontation.module import Module
from probespiel.envs.konfrontation.services import allow_for, amount_of, gain, kind_of, lose, target_of

module = Module("gifts", "A faction may give power to another one, and stands higher for it.", levels=("campaign",))
GIVE = module.action(
    "give", "give {amount} power to {target}", "{target} {amount} Power schenken", targets="seats",
    amounts=range(1, 4),
)  # fmt: skip
module.counter("given", 99, en="power given away", de="verschenkte Power", scope="game")
module.piece("given", 1, 0, 1, "own gifts, in parts of 99")


@module.hook
def options(s: Any, p: Any, seat: int, window: int, words: Any) -> None:
    others = (1 << p.factions) - 1 & ~(1 << seat)
    allow_for(words, GIVE, others, min(s.power[seat], 99 - s.gifts_given[seat]))


@module.hook
def choose(s: Any, p: Any, seat: int, window: int, action: int) -> None:
    if kind_of(action) == GIVE:
        s.gifts_given[seat] += amount_of(action)
        lose(s, p, seat, amount_of(action))
        gain(s, p, target_of(action), amount_of(action))


@module.hook
def standing(s: Any, p: Any, seat: int, place: int, value: float) -> float:
    return value + s.gifts_given[seat] // 3 if place == 0 else value


@module.hook
def observe(s: Any, p: Any, seat: int, out: Any) -> None:
    out[0] = s.gifts_given[seat] / 99
