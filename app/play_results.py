"""The result of a game in words, for every system."""

from __future__ import annotations

from collections.abc import Callable

from ..envs.core.game import Position
from ..envs.einblatt.text import OUTCOMES
from .messages import say


def plain_result(position: Position, lang: str) -> list[str]:
    """The payoff of every seat."""
    payoffs = (position.returns() + 0.0).tolist()  # no -0
    return [say(lang, "payoff", seat=seat.name, payoff=payoff) for seat, payoff in zip(position.game.seats, payoffs)]


def einblatt_result(position: Position, lang: str) -> list[str]:
    """R70: outcome class and EP of every seat, its restrictions (R74), and the payoff where that is something else."""
    s, p, game = position.record, position.game.params, position.game
    campaign = p.conflicts > 1
    running = int(s.conflict) < int(p.conflicts)  # stopped before its end
    payoffs = (position.returns() + 0.0).tolist()
    lines = [say(lang, "last_conflict" if campaign else "final")]
    for seat, info in enumerate(game.seats):
        ep = int((s.ep if running and not s.scored else s.ep_final)[seat])
        text = say(lang, "result", seat=info.name, outcome=OUTCOMES[lang][max(-3, min(3, ep)) + 3], ep=ep)
        names = list(game.spec.options["seats"][seat].get("attributes") or [""])
        for index, name in enumerate(names):
            if points := int(s.restr[seat, index]):
                text += say(lang, "restriction" if name else "restriction_one", attribute=name, points=points)
        if s.dead[seat]:
            text += say(lang, "dead")
        if campaign or payoffs[seat] != ep:
            text += say(lang, "total", payoff=payoffs[seat])
        lines.append(text)
    return lines


RESULTS: dict[str, Callable[[Position, str], list[str]]] = {"einblatt": einblatt_result}  # by system


def result_lines(position: Position, lang: str) -> list[str]:
    """The result in words, one line a seat."""
    return RESULTS.get(position.game.spec.system, plain_result)(position, lang)
