"""After a game of ews_rps: what the predictor believed of each side, and what it would have expected next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...agents.base import AgentError
from ...agents.ews_rps import types
from ...agents.ews_rps.baselines import symbols_in
from ...agents.ews_rps.belief import NAME, Belief, belief_of
from ...agents.ews_rps.counter import KINDS
from ...agents.native import baselines_of
from ...agents.registry import parse_agent
from ...envs.core.game import Position
from ...envs.core.texts import number_in, reader
from ..session.afterwards import Afterwards, Insight

FEW = 5  # kinds that have a row of their own
LEAST = 0.01  # a smaller weight has none, unless it is the largest

# kinds that differ in a number alone are one row; {first} is the first symbol of the game, {turn} the order of a step
GROUPS: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((types.UNIFORM,), "every symbol equally often", "jedes Symbol gleich oft"),
    ((types.WEIGHTS,), "by chance, in fixed shares", "nach Zufall, mit festen Anteilen"),
    ((types.BIASED,), "by chance, {first} most often", "nach Zufall, am häufigsten {first}"),
    ((types.WIN_STAY,), "the same after a win, another after a loss", "bleibt nach Sieg, wechselt nach Niederlage"),
    ((types.STEPS,), "always the same", "immer dasselbe"),
    ((types.STEPS + 1,), "{turn}", "{turn}"),
    ((types.STEPS + 2,), "{turn}", "{turn}"),
    (
        tuple(range(types.FREQUENCY, types.MARKOV)),
        "beats what the other showed most",
        "schlägt, was die Gegenseite meist zeigte",
    ),
    (tuple(range(types.MARKOV, types.MATCH)), "beats what followed such rounds", "schlägt, was solchen Runden folgte"),
    ((types.MATCH,), "beats what followed the longest repetition", "schlägt, was der längsten Wiederholung folgte"),
    ((KINDS - 1,), "another pattern", "ein anderes Muster"),
)

_HEADS = {
    "en": ("kind of player", "before", "after", "expected next"),
    "de": ("Art zu spielen", "vorher", "nachher", "erwartet"),
}
_SAYS: dict[str, tuple[str, str]] = {
    "of_you": ("What the predictor believed of you", "Was der Vorhersager von dir glaubte"),
    "of_other": (
        "What the predictor believed of the other side",
        "Was der Vorhersager von der anderen Seite glaubte",
    ),
    "of_seat": ("What the predictor believed: {seat}", "Was der Vorhersager glaubte: {seat}"),
    "played": (
        "It played against this side: before the first round and after the last one, how likely it held each kind of "
        "player, and what that kind would show if one more such test began.",
        "Er spielte gegen diese Seite: für wie wahrscheinlich er vor der ersten und nach der letzten Runde jede Art "
        "zu spielen hielt, und was sie zeigen würde, wenn noch eine solche Probe begänne.",
    ),
    "watched": (
        "It did not play against this side, and has read the rounds afterwards: before the first round and after the "
        "last one, how likely it holds each kind of player, and what that kind would show if one more such test began.",
        "Er spielte nicht gegen diese Seite und hat die Runden danach gelesen: für wie wahrscheinlich er vor der "
        "ersten und nach der letzten Runde jede Art zu spielen hält, und was sie zeigen würde, wenn noch eine solche "
        "Probe begänne.",
    ),
    "others": ("all others", "alle anderen"),
    "turn": ("{names} in turn", "{names} der Reihe nach"),
    "or": (", or ", " oder "),
    "any": ("any symbol", "jedes Symbol"),
    "foot": (
        "All together it would expect next: {shares}.",
        "Alles zusammen würde er als Nächstes erwarten: {shares}.",
    ),
}  # fmt: skip


def _say(lang: str, key: str, **values: object) -> str:
    return _SAYS[key][lang == "de"].format(**values)


def _share(share: float, lang: str) -> str:
    """A share in whole per cent; one that is not nothing is not told as nothing."""
    told = f"{100 * share:.0f} %"
    told = "< 1 %" if share > 0.0 and told == "0 %" else told
    return number_in(told, lang)


def _shares(chances: np.ndarray, names: list[str], lang: str) -> str:
    """Symbols with their shares, the likeliest first; one that is certain by its name alone."""
    if chances.max() - chances.min() < 0.005:
        return _say(lang, "any")
    if chances.max() > 0.995:
        return names[int(chances.argmax())]
    order = [int(at) for at in np.argsort(-chances, kind="stable") if chances[at] >= 0.005]
    return ", ".join(f"{names[at]} {_share(float(chances[at]), lang)}" for at in order)


def turns(names: Sequence[str], step: int, lang: str) -> str:
    """The orders in which symbols follow each other that are so many places apart; the one of the first comes first.

    A step of 2 of 3 symbols goes round backwards, and is told from the last one down.
    """
    left, found = list(range(len(names))), []
    while left:
        start = left[-1] if step == len(names) - 1 else left[0]
        order = [start]
        while (after := (order[-1] + step) % len(names)) != start:
            order.append(after)
        left = [at for at in left if at not in order]
        found.append(_say(lang, "turn", names=", ".join(names[at] for at in order)))
    return _say(lang, "or").join(found)


def called(kinds: Sequence[int], texts: tuple[str, str], names: Sequence[str], lang: str) -> str:
    """What a row of kinds is called, by the names of the game's symbols."""
    step = kinds[0] - types.STEPS if types.STEPS < kinds[0] < types.FREQUENCY else 0
    turn = turns(names, step, lang) if step else ""
    return texts[lang == "de"].format(first=names[0], turn=turn)


def table_of(belief: Belief, names: list[str], lang: str) -> tuple[tuple[str, ...], ...]:
    """The rows: kinds by what they weigh in the end; those that weigh little are one row."""
    found = []
    for kinds, *both in GROUPS:
        at = list(kinds)
        after = float(belief.after[at].sum())
        chances = belief.after[at] @ belief.chances[at] / after if after > 0.0 else belief.chances[at].mean(axis=0)
        found.append((float(belief.before[at].sum()), after, called(kinds, (both[0], both[1]), names, lang), chances))
    found.sort(key=lambda row: -row[1])
    shown = [row for place, row in enumerate(found) if place == 0 or (place < FEW and row[1] >= LEAST)]
    rest = found[len(shown) :]
    rows = [(name, _share(b, lang), _share(a, lang), _shares(chances, names, lang)) for b, a, name, chances in shown]
    if rest:
        before, after = sum(row[0] for row in rest), sum(row[1] for row in rest)
        mixed = sum((row[1] * row[3] for row in rest), np.zeros(len(names)))
        told = _shares(mixed / after, names, lang) if after > 0.0 else "–"
        rows.append((_say(lang, "others"), _share(before, lang), _share(after, lang), told))
    return tuple(rows)


def _values(agent: str) -> dict[str, float] | None:
    """The parameters of the predictor if an agent is that; None if it is another one."""
    try:
        parsed = parse_agent(agent)
    except AgentError:
        return None
    if parsed.path is not None or parsed.name != NAME:
        return None
    known = {param.name for param in baselines_of("ews_rps")[NAME].params}
    return {name: float(value) for name, value in parsed.values.items() if name in known}


def afterwards(position: Position, seat: int | None, lang: str, cast: Mapping[int, str]) -> list[Insight]:
    """What was believed of the reader, then of the other side; nothing where no round was played."""
    if not position.record.past:
        return []
    texts = position.game.spec.texts
    names = [texts.symbol(at, lang) for at in range(symbols_in(position.game))]  # type: ignore[attr-defined]
    found, said = [], ""  # what has been said of the table
    for who in (0, 1) if seat is None else (seat, 1 - seat):
        values = _values(cast.get(1 - who, ""))
        belief = belief_of(position, 1 - who, values)
        title = _say(lang, "of_you" if who == seat else "of_other")
        if reader(seat) is None:  # nobody reads it in one of the seats, or later, in a recording
            title = _say(lang, "of_seat", seat=position.game.seats[who].called(lang))
        about = _say(lang, "watched" if values is None else "played")
        found.append(
            Insight(
                title=title,
                about="" if about == said else about,
                heads=_HEADS[lang],
                rows=table_of(belief, names, lang),
                foot=_say(lang, "foot", shares=_shares(belief.expected, names, lang)),
            )
        )
        said = about
    return found


AFTERWARDS = Afterwards(afterwards)
