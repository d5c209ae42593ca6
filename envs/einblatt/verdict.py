"""What a person reads at the end of einBlatt: results, restrictions and payoffs; English and German."""

from __future__ import annotations

from typing import Any

from ..core.game import Position
from ..core.texts import minus_signs, number_in, signed, won
from .names import called
from .text import OUTCOMES

_RESULT = {
    "restriction": (", restriction of {attribute} {points}", ", Einschränkung von {attribute} {points}"),
    "restriction_one": (", restriction {points}", ", Einschränkung {points}"),
    "dead": (", dead", ", tot"),
    "total": (", payoff {payoff}", ", Auszahlung {payoff}"),
    "campaign": ("Result of the campaign:", "Ergebnis der Kampagne:"),
    "last_conflict": ("Result of the last conflict:", "Ergebnis des letzten Konflikts:"),
    "final": ("Result:", "Ergebnis:"),
}


def result_lines(position: Position, lang: str) -> list[str]:
    """R70: outcome class and EP of every seat, its restrictions (R74), and the payoff where that is something else."""

    def say(key: str, **values: Any) -> str:
        return _RESULT[key][lang == "de"].format(**values)

    s, p, game = position.record, position.game.params, position.game
    campaign = p.conflicts > 1
    running = int(s.conflict) < int(p.conflicts)  # stopped before its end
    payoffs = (position.returns() + 0.0).tolist()
    winner = [f"  {text}"] if (text := won(position, lang)) and not running else []
    last: list[str] = []
    whole: list[str] = []  # of a campaign: what the seats take from all of it
    for seat, info in enumerate(game.seats):
        ep = int((s.ep if running and not s.scored else s.ep_final)[seat])
        last.append(f"  {info.called(lang)}: {OUTCOMES[lang][max(-3, min(3, ep)) + 3]} (EP {signed(ep)})")
        text = ""
        names = list(game.spec.options["seats"][seat].get("attributes") or [""])
        for index, name in enumerate(names):
            if points := int(s.restr[seat, index]):
                text += say("restriction" if name else "restriction_one", attribute=called(name, lang), points=points)
        if s.dead[seat]:
            text += say("dead")
        paid = say("total", payoff=number_in(f"{payoffs[seat]:+g}", lang)) if campaign or payoffs[seat] != ep else ""
        whole.append(f"  {info.called(lang)}: {(paid + text).removeprefix(', ')}")
        last[-1] += "" if campaign else text + paid
    if campaign:  # the whole of it is won by payoffs, whoever has won its last conflict
        lines = [say("campaign"), *winner, *whole, say("last_conflict"), *last]
    else:
        lines = [say("final"), *winner, *last]
    return [minus_signs(line, lang) for line in lines]
