"""The result of a game in words, for every system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..envs.core.game import Position
from ..envs.einblatt.text import OUTCOMES
from ..envs.scorekeeper.text import RESULT_TEXTS, STATUS_TEXTS, status_code
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


def scorekeeper_result(position: Position, lang: str) -> list[str]:
    """R75, R76: who has won, and in what state everybody is left."""
    s = position.record
    texts: Any = position.game.spec.texts
    lines = [f"{RESULT_TEXTS[lang][int(s.result)]}:"] if s.result else []
    for number, fighter in enumerate(texts.fighters):
        status = STATUS_TEXTS[lang][status_code(s, number)]
        wounds = ", ".join(f"{name.upper()} {int(s[name][number])}" for name in ("kr", "lw", "sw", "tw"))
        lines.append(say(lang, "fighter", name=fighter["name"], team=fighter["team"], status=status, wounds=wounds))
    return lines + plain_result(position, lang)


RESULTS: dict[str, Callable[[Position, str], list[str]]] = {
    "einblatt": einblatt_result,
    "scorekeeper": scorekeeper_result,
}  # by system


def result_lines(position: Position, lang: str) -> list[str]:
    """The result in words, one line a seat."""
    return RESULTS.get(position.game.spec.system, plain_result)(position, lang)
