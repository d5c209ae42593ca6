"""The part of the report that speaks of whole tables: who is first there, and why pairs may say otherwise."""

from __future__ import annotations

from typing import Any

from ...envs.core.texts import german_number
from ..report.wording import Namer, clean_name, payoff_digits, signed
from .summary import JointRating, JointRatings, Summary

_DIFFERENT = 1e-9
_TEXTS: dict[str, tuple[str, str]] = {
    "title": ("Whole tables", "Ganze Tische"),
    "intro": (
        "Above, every strategy sits alone among copies of another one. Here all strategies sat at all sides in all "
        "{tables} ways, {deals} deals each. In brackets is the middle {level} of what deals drawn anew from these give "
        "(bootstrap): where two overlap, chance may have decided who is first.",
        "Oben sitzt jede Strategie allein unter Kopien einer anderen. Hier saßen alle Strategien auf allen Seiten, auf "
        "alle {tables} Weisen, je {deals} Gaben. In Klammern stehen die mittleren {level} dessen, was neu aus diesen "
        "gezogene Gaben ergeben (Bootstrap): Wo zwei sich überschneiden, kann der Zufall entschieden haben, wer vorn "
        "ist.",
    ),
    "strategy": ("strategy", "Strategie"),
    "deviation": ("deviation", "Abweichung"),
    "alpha": ("alpha-rank", "Alpha-Rank"),
    "pairs": ("payoff among copies", "Auszahlung unter Kopien"),
    "first_deviation": (
        "First by deviation ratings, what a player gains who goes over to the strategy while the table follows the "
        "mixture that leaves least to gain: {firsts} ({value} a game).",
        "Vorn nach Abweichungswertung, dem Gewinn dessen, der zu der Strategie übergeht, während der Tisch der "
        "Mischung folgt, die am wenigsten zu gewinnen lässt: {firsts} ({value} je Spiel).",
    ),
    "first_alpha": (
        "First by alpha-rank, the time that the sides spend with a strategy when each keeps going over to what pays "
        "more against the others: {firsts} ({value} of the time).",
        "Vorn nach Alpha-Rank, der Zeit, die die Seiten bei einer Strategie verbringen, wenn jede immer wieder zu dem "
        "übergeht, was gegen die anderen mehr bringt: {firsts} ({value} der Zeit).",
    ),
    "shown": (
        "A table at which they sit in the order of their ratings, the best first; of the first deals the one that "
        "brought that side the middle payoff:",
        "Ein Tisch, an dem sie in der Reihenfolge ihrer Wertungen sitzen, die beste zuerst; von den ersten Gaben die, "
        "die dieser Seite die mittlere Auszahlung brachte:",
    ),
    "agree": (
        "Among copies of one strategy {best} is first, too.",
        "Auch unter Kopien einer Strategie ist {best} vorn.",
    ),
    "copies": (
        "Among copies of one strategy {best} is first by payoff, a mean that counts every company alike.",
        "Unter Kopien einer Strategie ist {best} nach Auszahlung vorn, einem Mittel, das jede Gesellschaft gleich "
        "zählt.",
    ),
    "differ": (
        "The two ways to rate whole tables differ: the one asks from what nobody gains by going over to something "
        "else alone, the other where the sides are while they keep going over.",
        "Die beiden Wertungen ganzer Tische unterscheiden sich: Die eine fragt, wovon abzugehen niemandem allein "
        "etwas bringt, die andere, wo die Seiten sind, während sie immer wieder übergehen.",
    ),
}


def _say(key: str, lang: str, **values: object) -> str:
    return _TEXTS[key][lang == "de"].format(**values)


def _number(text: str, lang: str) -> str:
    return german_number(text) if lang == "de" else text


def _firsts(rows: tuple[JointRating, ...], name: str) -> list[JointRating]:
    top = max(getattr(row, name) for row in rows)
    return [row for row in rows if getattr(row, name) >= top - _DIFFERENT]


def joint_sentences(
    summary: Summary, joint: JointRatings, lang: str = "en", namer: Namer = clean_name, unit: str = ""
) -> list[str]:
    """Who is first at whole tables by each rating, and whether that is who is first among copies."""
    digits = payoff_digits(summary)
    by_deviation, by_alpha = _firsts(joint.rows, "deviation"), _firsts(joint.rows, "alpha")
    firsts = [summary.names[row.agent] for row in summary.leaderboard if row.rank == 1]

    def names(rows: list[JointRating]) -> str:
        return ", ".join(namer(row.name) for row in rows)

    out = [
        _say(
            "first_deviation", lang, firsts=names(by_deviation),
            value=_number(signed(by_deviation[0].deviation, digits), lang) + unit,
        ),
        _say("first_alpha", lang, firsts=names(by_alpha), value=_number(f"{by_alpha[0].alpha:.0%}", lang)),
    ]  # fmt: skip
    told = [{row.name for row in rows} for rows in (by_deviation, by_alpha)]
    best = ", ".join(map(namer, firsts))
    out.append(_say("agree" if all(set(firsts) & found for found in told) else "copies", lang, best=best))
    if not told[0] & told[1]:
        out.append(_say("differ", lang))
    return out


def joint_section(
    summary: Summary, joint: JointRatings | None, lang: str, namer: Namer, unit: str, trust: bool
) -> dict[str, Any]:
    """What the page shows of whole tables; empty if none were played. `trust`: their replay names files."""
    if joint is None:
        return {}
    digits = payoff_digits(summary)
    among_copies = {summary.names[row.agent]: row.rating for row in summary.leaderboard}

    def cells(row: JointRating) -> list[str]:
        own, share = row.deviation_interval, row.alpha_interval
        return [
            f"{signed(row.deviation, digits)} ({signed(own.low, digits)} … {signed(own.high, digits)})",
            f"{row.alpha:.1%} ({share.low:.1%} … {share.high:.1%})",
            signed(among_copies.get(row.name), digits),
        ]

    return {
        "title": _say("title", lang),
        "intro": _say(
            "intro",
            lang,
            tables=_number(f"{joint.tables:,}", lang),
            deals=_number(f"{joint.deals:,}", lang),
            level=_number("95%", lang),
        ),
        "columns": [_say(key, lang) for key in ("strategy", "deviation", "alpha", "pairs")],
        "rows": [{"name": row.name, "cells": cells(row)} for row in joint.rows],
        "sentences": joint_sentences(summary, joint, lang, namer, unit),
        "replay": joint.replay,
        "trust": trust,
        "games": ["whole-table-game"] if joint.replay else [],
        "shown": _say("shown", lang),
    }


__all__ = ["joint_section", "joint_sentences"]
