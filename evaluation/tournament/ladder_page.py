"""A ladder as one page: the rating list, who did how against whom, and the ratings over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup

from ..report.pages import render_page
from ..report.plots import history_plot
from ..report.wording import clean_name, signed
from .ladder import Line, lines, rate
from .ladder_book import Batch, Book

_POINTS = 60  # in time at which ratings are computed anew
_LINES = 10  # players whose ratings are drawn over time
_PAIRS = 25  # players of the head-to-head table

TEXTS: dict[str, tuple[str, str]] = {
    "kicker": ("ladder", "Rangliste"),
    "list": ("Rating list", "Wertungsliste"),
    "list_intro": (
        "Ratings by wins (Bradley-Terry), mean 1500; 400 points are odds of ten to one. ± are 95% intervals, "
        "given from six batches of games on.",
        "Wertungen nach Siegen (Bradley-Terry), Mittel 1500; 400 Punkte sind Aussichten von zehn zu eins. ± sind "
        "95-%-Intervalle, von sechs Sätzen Spielen an.",
    ),
    "player": ("player", "Spieler"),
    "rating": ("rating", "Wertung"),
    "games": ("games", "Spiele"),
    "share": ("points", "Punkte"),
    "version": ("version", "Fassung"),
    "players": ("players", "Spieler"),
    "batches": ("batches", "Sätze"),
    "person": ("a person", "ein Mensch"),
    "old": ("earlier version", "frühere Fassung"),
    "imported": ("imported", "eingelesen"),
    "pairs": ("Head to head", "Paarungen"),
    "pairs_intro": (
        "Share of the points of the player in the row against the one in the column, with the number of games.",
        "Anteil der Punkte des Spielers der Zeile gegen den der Spalte, mit der Zahl der Spiele.",
    ),
    "corner": ("row against column", "Zeile gegen Spalte"),
    "best": ("The best {shown} of {all}.", "Die besten {shown} von {all}."),
    "history": ("Ratings over time", "Wertungen im Lauf der Zeit"),
    "history_intro": (
        "What the list said after so many games; the mean of all who have played by then is 1500.",
        "Was die Liste nach so vielen Spielen sagte; das Mittel aller, die bis dahin gespielt haben, ist 1500.",
    ),
    "so_far": ("games so far", "Spiele bis dahin"),
    "nobody": ("Nobody is entered yet.", "Noch ist niemand eingetragen."),
    "rules": ("rules", "Regeln"),
    "played": ("played", "gespielt"),
    "until": ("{first} to {last}", "{first} bis {last}"),
    "foot": (
        "Made by probespiel. This page contains no scripts and loads nothing.",
        "Mit probespiel erstellt. Diese Seite enthält keine Skripte und lädt nichts nach.",
    ),
}  # fmt: skip


def ladder_page(book: Book, lang: str = "en") -> str:
    """The page of a ladder, in English or German."""
    words = {key: text[lang == "de"] for key, text in TEXTS.items()}
    found, batches = lines(book), book.batches()
    by_time = sorted(batch.played for batch in batches)
    shown = found[:_PAIRS]
    content = dict(
        lang=lang,
        words=words,
        title=f"{book.game} {book.scenario}",
        ruleset=book.ruleset,
        rows=[_row(line, words) for line in found],
        batches=len(batches),
        games=sum(batch.games for batch in batches),
        period=words["until"].format(first=by_time[0][:16], last=by_time[-1][:16]) if by_time else "",
        names=[line.player.agent for line in shown],
        cells=_cells(shown, batches),
        cut=words["best"].format(shown=len(shown), all=len(found)) if len(found) > len(shown) else "",
        history=Markup(_history(found, batches, words)),
    )
    filters: dict[str, Any] = dict(clean=clean_name, thousands=lambda v: f"{v:,.0f}")
    return render_page("ladder.html.j2", filters, content)


def _row(line: Line, words: dict[str, str]) -> dict[str, Any]:
    player = line.player
    mark = "person" if player.person else "imported" if player.imported else "" if line.current else "old"
    return {
        "rank": line.rank,
        "name": player.agent,
        "mark": words[mark] if mark else "",
        "rating": f"{line.rating:.0f}",
        "half": "" if line.half_width is None else f"±{line.half_width:.0f}",
        "games": line.games,
        "share": f"{line.points / line.games:.0%}" if line.games else "–",
        "version": "" if player.person else player.version[:8],
        "played": player.added[:10],
    }


def _cells(shown: list[Line], batches: list[Batch]) -> list[dict[str, Any]]:
    """The head-to-head table: for each player the cells of all others, empty where they never met."""
    at = {line.player.id: k for k, line in enumerate(shown)}
    points, games, payoff = (np.zeros((len(shown), len(shown))) for _ in range(3))
    for batch in batches:
        if batch.first in at and batch.second in at:
            i, j = at[batch.first], at[batch.second]
            points[[i, j], [j, i]] += [batch.points, batch.games - batch.points]
            games[[i, j], [j, i]] += batch.games
            payoff[i, j] += batch.payoff * batch.games
    rows = []
    for i, line in enumerate(shown):
        cells = []
        for j, other in enumerate(shown):
            count, share = games[i, j], points[i, j] / max(games[i, j], 1)
            tint = Markup('style="background:rgba(var(--{}),{})"').format(
                "gain" if share > 0.5 else "loss", round(abs(share - 0.5) * 1.2, 3)
            )
            about = f"{clean_name(line.player.agent)} against {clean_name(other.player.agent)}: {share:.1%}, {count:g}"
            first = f", {signed(payoff[i, j] / count, 3)}" if count and payoff[i, j] else ""
            cells.append({"text": f"{share:.0%}" if count else "", "games": f"{count:.0f}" if count else "",
                          "tint": tint if count else "", "about": about + first, "same": i == j})  # fmt: skip
        rows.append({"name": line.player.agent, "cells": cells})
    return rows


def _history(found: list[Line], batches: list[Batch], words: dict[str, str]) -> str:
    """The ratings of the best players over time as SVG; "" with fewer than two batches."""
    if len(batches) < 2:
        return ""
    ends = sorted({max(2, round(len(batches) * k / _POINTS)) for k in range(1, _POINTS + 1)})
    counts = np.cumsum([batch.games for batch in batches])
    at = {line.player.id: k for k, line in enumerate(found)}
    series = np.full((len(found), len(ends)), np.nan)
    for column, end in enumerate(ends):
        there = sorted({player for batch in batches[:end] for player in (batch.first, batch.second)})
        number = {player: k for k, player in enumerate(there)}
        part = [
            Batch(b.number, number[b.first], number[b.second], b.seed, b.games, b.wins, b.draws, b.losses, b.payoff, "")
            for b in batches[:end]
        ]
        ratings, _ = rate(len(there), part)
        for player, k in number.items():
            series[at[player], column] = ratings[k]
    drawn = [k for k in range(len(found)) if np.isfinite(series[k, -1])][:_LINES]
    names = [found[k].player.agent for k in drawn]
    return history_plot(
        names, np.array([float(counts[end - 1]) for end in ends]), [series[k] for k in drawn], words["history"],
        words["so_far"],
    )  # fmt: skip


__all__ = ["TEXTS", "ladder_page"]
