"""What the ways to rate say, in plain words, English and German: one table of texts, and what is filled into them.

A name passes through `namer`, which an HTML page uses to escape and mark it; everything else is fixed text and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from ..tournament.summary import Metagame, OtherRatings, Summary, Wish
from .showing import circle_wishes, rating_wishes
from .wording import Claim, clean_name, listing, payoff_digits, signed

Namer = Callable[[str], str]

_LANGUAGES = ("en", "de")
_WORTH_TELLING = 0.005  # weights and shares below are left out
_LISTED = 5  # names of a list
_NOTHING = 1e-6  # shares of an equilibrium below this are rounding
_DIFFERENT = 1e-3  # ratings closer than this part of the largest margin count as equal

TEXTS: dict[str, tuple[str, str]] = {
    "payoff": (
        "First by payoff, the mean of what a strategy earned from each of the others: {firsts}.",
        "Vorn nach Auszahlung, dem Mittel dessen, was eine Strategie von jeder anderen bekam: {firsts}.",
    ),
    "wins": (
        "First by wins (Bradley-Terry), whose odds of winning are best, however much is won: {firsts}.",
        "Vorn nach Siegen (Bradley-Terry), wessen Aussicht auf Sieg die beste ist, gleich wie hoch: {firsts}.",
    ),
    "nash": (
        "First by Nash averaging, where an opponent counts as often as the equilibrium mixture plays it: {firsts}.",
        "Vorn nach Nash-Mittelung, wo ein Gegner so oft zählt, wie die Gleichgewichtsmischung ihn spielt: {firsts}.",
    ),
    "deviation": (
        "First by deviation ratings, what somebody gains who alone plays the strategy while all others follow the "
        "mixture that leaves least to gain, so that copies of strategies change nothing: {firsts} ({value}{unit} a "
        "game).",
        "Vorn nach Abweichungswertung, dem Gewinn dessen, der als Einziger die Strategie spielt, während alle anderen "
        "der Mischung folgen, die am wenigsten zu gewinnen lässt, so dass Kopien von Strategien nichts ändern: "
        "{firsts} ({value}{unit} je Spiel).",
    ),
    "alpha": (
        "First by alpha-rank, the time that a population spends with a strategy when it keeps going over to what beats "
        "the present one: {firsts} ({share} of the time).",
        "Vorn nach Alpha-Rank, der Zeit, die eine Bevölkerung bei einer Strategie verbringt, wenn sie immer wieder zu "
        "dem übergeht, was die jetzige schlägt: {firsts} ({share} der Zeit).",
    ),
    "agree": (
        "All these ways to rate put {best} first.",
        "Alle diese Wertungen sehen {best} vorn.",
    ),
    "loses": (
        "Not so by {others}: {best}, first by payoff, gets {lost}{unit} a game from {rival}. The mean over the field "
        "counts {rival} as one of many; the others ask what stands when everybody may choose.",
        "Anders nach {others}: {best}, nach Auszahlung vorn, bekommt von {rival} {lost}{unit} je Spiel. Im Mittel des "
        "Feldes ist {rival} nur einer von vielen; die anderen fragen, was besteht, wenn alle wählen dürfen.",
    ),
    "fed": (
        "Not so by {others}: {best} earns most from {prey} ({won}{unit} a game){weight}.",
        "Anders nach {others}: {best} gewinnt am meisten von {prey} ({won}{unit} je Spiel){weight}.",
    ),
    "no_weight": (
        ", which has no weight in the equilibrium",
        "; im Gleichgewicht hat das kein Gewicht",
    ),
    "stranger": (
        "No crowd is safe: whatever all others play alike, and how often, a stranger gains {value}{unit} a game at "
        "least by playing {firsts}.",
        "Keine Menge ist sicher: Was auch alle anderen gleich spielen, und wie oft, ein Fremder gewinnt mit {firsts} "
        "mindestens {value}{unit} je Spiel.",
    ),
    "all": ("all", "alle"),
    "wins_short": ("wins", "Siegen"),
    "nash_short": ("Nash averaging", "Nash-Mittelung"),
    "deviation_short": ("deviation ratings", "Abweichungswertung"),
    "alpha_short": ("alpha-rank", "Alpha-Rank"),
    "ladder": (
        "{ladder} of what the pairs tell is a ladder, on which whoever stands higher wins by the difference of the "
        "heights; {cyclic} goes round in circles.",
        "{ladder} dessen, was die Paare sagen, ist eine Leiter, auf der gewinnt, wer höher steht, und zwar um den "
        "Unterschied der Höhen; {cyclic} geht im Kreis.",
    ),
    "circle": (
        "In these games {a} beat {b}, {b} beat {c} and {c} beat {a}.",
        "In diesen Spielen schlug {a} {b}, {b} schlug {c} und {c} schlug {a}.",
    ),
    "no_circle": (
        "No three strategies beat each other in a circle in these games.",
        "In diesen Spielen schlagen sich keine drei Strategien im Kreis.",
    ),
    "title": ("Other ways to rate", "Andere Wertungen"),
    "intro": (
        "The same games, rated in several ways. The first two ask how a strategy fares in this field, the others what "
        "happens if players may choose. They follow the mean payoffs; nothing here is shown beyond chance.",
        "Dieselben Spiele, auf mehrere Weisen gewertet. Die ersten beiden fragen, wie es einer Strategie in diesem "
        "Feld ergeht, die anderen, was geschieht, wenn Spieler wählen dürfen. Sie folgen den mittleren "
        "Auszahlungen; nichts davon ist über den Zufall hinaus gezeigt.",
    ),
    "column_strategy": ("strategy", "Strategie"),
    "column_payoff": ("payoff", "Auszahlung"),
    "column_wins": ("wins", "Siege"),
    "column_nash": ("Nash average", "Nash-Mittel"),
    "column_deviation": ("deviation", "Abweichung"),
    "column_alpha": ("alpha-rank", "Alpha-Rank"),
    "cycles_title": ("Ladder and wheel", "Leiter und Rad"),
    "cycles_intro": (
        "The head-to-head matrix as the sum of a ladder and a wheel (Hodge decomposition). An arrow goes from a "
        "strategy to one from which it earns more than the ladder says; the thicker, the more.",
        "Die Matrix der Paare als Summe einer Leiter und eines Rads (Hodge-Zerlegung). Ein Pfeil führt von einer "
        "Strategie zu einer, von der sie mehr bekommt, als die Leiter sagt; je dicker, desto mehr.",
    ),
    "wheel_label": ("What the ladder does not tell, as a wheel", "Was die Leiter nicht sagt, als Rad"),
    "ladder_label": ("The strategies on a ladder", "Die Strategien auf einer Leiter"),
    "height": ("height on the ladder", "Höhe auf der Leiter"),
}  # fmt: skip


def say(key: str, lang: str, **values: object) -> str:
    """A text of the table, filled. Raises `ValueError` for a language that it does not have."""
    if lang not in _LANGUAGES:
        raise ValueError(f"lang is {lang!r}; one of {', '.join(_LANGUAGES)}")
    return TEXTS[key][_LANGUAGES.index(lang)].format(**values)


def rating_sentences(summary: Summary, lang: str = "en", namer: Namer = clean_name, unit: str = "") -> list[str]:
    """The sentences of `rating_claims`."""
    return [claim.text for claim in rating_claims(summary, lang, namer, unit)]


def rating_claims(summary: Summary, lang: str = "en", namer: Namer = clean_name, unit: str = "") -> list[Claim]:
    """One sentence for each way to rate, and one that says why they disagree; none for fewer than two."""
    game = summary.metagame
    if game is None or len(summary.names) < 2:
        return []
    told, firsts = _firsts(summary, game)
    digits = payoff_digits(summary)
    values: dict[str, dict[str, str]] = {name: {} for name in told}
    found = game.ratings
    if found.deviation is not None:
        top = max(found.deviation)
        values["deviation"] = {"value": signed(top, digits), "unit": _of(unit)}
    values["alpha"] = {"share": _percent(max(found.alpha_rank), lang)}
    told_of = [
        Claim(
            say(name, lang, firsts=_who(summary, firsts[name], lang, namer), **values[name]),
            "other-ratings",
            rating_wishes(summary, name, firsts[name]),
        )
        for name in told
    ]
    told_of.append(_agreement(summary, game, firsts, lang, namer, unit))
    if found.deviation is not None and max(found.deviation) > _DIFFERENT * _scale(summary):
        names = _who(summary, firsts["deviation"], lang, namer)
        text = say("stranger", lang, firsts=names, value=signed(max(found.deviation), digits), unit=_of(unit))
        told_of.append(Claim(text, "other-ratings", rating_wishes(summary, "deviation", firsts["deviation"])))
    return [claim for claim in told_of if claim.text]


def cycle_sentences(summary: Summary, lang: str = "en", namer: Namer = clean_name) -> list[str]:
    """The sentences of `cycle_claims`."""
    return [claim.text for claim in cycle_claims(summary, lang, namer)]


def cycle_claims(summary: Summary, lang: str = "en", namer: Namer = clean_name) -> list[Claim]:
    """The shares of ladder and wheel, and the strongest circle of three strategies.

    The ladder is seen where its first beats its last, the wheel in a game of the circle.
    """
    game = summary.metagame
    if game is None or len(summary.names) < 3:
        return []
    share = game.cycles.cyclic_share
    circle = strongest_circle(summary)
    order = [row.agent for row in summary.leaderboard]
    ends = (Wish("ahead", order[0], order[-1]), *(() if circle is None else circle_wishes(circle)[:1]))
    text = say("ladder", lang, ladder=_percent(1 - share, lang), cyclic=_percent(share, lang))
    shares = Claim(text, "cycles", ends)
    if circle is None:
        return [shares, Claim(say("no_circle", lang), "cycles")]
    names = {key: namer(summary.names[i]) for key, i in zip("abc", circle, strict=True)}
    return [shares, Claim(say("circle", lang, **names), "cycles", circle_wishes(circle))]


def strongest_circle(summary: Summary) -> tuple[int, int, int] | None:
    """Three strategies of which each beat the next by the mean payoffs, by as much as can be; None without any."""
    m = np.array([[0.0 if value is None else value for value in row] for row in summary.matrix])
    best, found = _DIFFERENT * _scale(summary), None
    for a, b, c in combinations(range(len(m)), 3):
        for circle in ((a, b, c), (a, c, b)):
            least = min(m[circle[0], circle[1]], m[circle[1], circle[2]], m[circle[2], circle[0]])
            if least > best:
                best, found = least, circle
    return found


def _firsts(summary: Summary, game: Metagame) -> tuple[list[str], dict[str, list[int]]]:
    """The ways to rate that there are, and who comes first by each."""
    found: OtherRatings = game.ratings
    firsts = {
        "payoff": [row.agent for row in summary.leaderboard if row.rank == 1],
        "wins": [row.agent for row in summary.leaderboard if row.wins_rank == 1],
        "nash": _top(found.nash_average, _scale(summary)),
        "alpha": _top(found.alpha_rank, 1.0),
    }
    if found.deviation is not None:
        firsts["deviation"] = _top(found.deviation, _scale(summary))
    return [name for name in ("payoff", "wins", "nash", "deviation", "alpha") if name in firsts], firsts


def _agreement(
    summary: Summary, game: Metagame, firsts: dict[str, list[int]], lang: str, namer: Namer, unit: str
) -> Claim:
    """That all agree, or who disagrees with the rating by payoff and why."""
    best, digits = summary.best.agent, payoff_digits(summary)
    against = [name for name in ("wins", "nash", "deviation", "alpha") if best not in firsts.get(name, [best])]
    if not against:
        wishes = rating_wishes(summary, "payoff", [best])
        return Claim(say("agree", lang, best=namer(summary.names[best])), "other-ratings", wishes)
    if against == ["wins"]:
        return Claim("", "")  # the answer on top of the report says why wins and payoff differ
    joined = _joined([say(f"{name}_short", lang) for name in against if name != "wins"], lang)
    values: dict[str, object] = {"best": namer(summary.names[best]), "unit": _of(unit)}
    values["others"] = joined[0].upper() + joined[1:]
    row = [-np.inf if value is None else value for value in summary.matrix[best]]
    verdict = game.verdicts[best]
    if verdict.worst_opponent is not None and verdict.worst_payoff < 0:
        rival = namer(summary.names[verdict.worst_opponent])
        text = say("loses", lang, rival=rival, lost=signed(verdict.worst_payoff, digits), **values)
        return Claim(text, "other-ratings", (Wish("ahead", verdict.worst_opponent, best),))
    prey = int(np.argmax(row))
    weight = say("no_weight", lang) if game.nash[prey] < _NOTHING else ""
    text = say("fed", lang, prey=namer(summary.names[prey]), won=signed(row[prey], digits), weight=weight, **values)
    return Claim(text, "other-ratings", (Wish("ahead", best, prey),))


def _top(values: Sequence[float], scale: float) -> list[int]:
    return [i for i, value in enumerate(values) if value >= max(values) - _DIFFERENT * scale]


def _scale(summary: Summary) -> float:
    return max((abs(v) for row in summary.matrix for v in row if v is not None), default=0.0)


def _who(summary: Summary, agents: Sequence[int], lang: str, namer: Namer) -> str:
    if len(agents) == len(summary.names):
        return say("all", lang)
    return _joined([namer(summary.names[i]) for i in agents], lang)


def _joined(names: Sequence[str], lang: str) -> str:
    if lang == "en" or len(names) == 1:
        return listing(names)
    shown = names if len(names) <= _LISTED else [*names[: _LISTED - 1], f"{len(names) - _LISTED + 1} andere"]
    return f"{', '.join(shown[:-1])} und {shown[-1]}"


def _percent(share: float, lang: str) -> str:
    number = f"{share * 100:.0f}"
    if 0 < share < _WORTH_TELLING or 1 - _WORTH_TELLING < share < 1:
        number = f"{share * 100:.1f}"
    return number.replace(".", ",") + " %" if lang == "de" else number + "%"


def _of(unit: str) -> str:
    return f" {unit}" if unit else ""


__all__ = [
    "TEXTS", "cycle_claims", "cycle_sentences", "rating_claims", "rating_sentences", "say", "strongest_circle",
]  # fmt: skip
