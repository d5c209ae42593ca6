"""A ladder as it is told: the rating list, who did how against whom, and the ratings over time.

`Standing` is kept as JSON; the lines for the terminal and the page are made from that alone, in English or German.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from ...envs.core.disk import write_text
from ...envs.core.texts import german_number
from ..report.pages import render_page
from ..report.plots import history_plot
from ..report.records import kept
from ..report.wording import clean_name, digits_of, signed
from .ladder import Line, graded, lines, rate, rate_by_payoff
from .ladder_book import Batch, Book
from .ratings import comparable, separated

NAME, VERSION = "ladder", 1
FILE = "ladder.json"
_POINTS = 60  # in time at which ratings are computed anew
_LINES = 10  # players whose ratings are drawn over time
_PAIRS = 25  # players of the head-to-head table
_GROUPS, _OF_GROUP = 4, 5  # groups that cannot be compared and players of each that are named
_SEEN = 10  # pairs of whom a game is named

TEXTS: dict[str, tuple[str, str]] = {
    "kicker": ("ladder", "Rangliste"),
    "list": ("Rating list", "Wertungsliste"),
    "wins_intro": (
        "Ratings by wins (Bradley-Terry), mean 1500; 400 points are odds of ten to one. A drawn game is half a win. "
        "± are 95% intervals, given from six batches of games on.",
        "Wertungen nach Siegen (Bradley-Terry), Mittel 1500; 400 Punkte sind Aussichten von zehn zu eins. Ein "
        "unentschiedenes Spiel ist ein halber Sieg. ± sind 95-%-Intervalle, von sechs Sätzen Spielen an.",
    ),
    "graded_intro": (
        "A game is not only won or lost here, it pays, and who is paid more stands higher: what each earns a game from "
        "the others on average (least squares over all batches). Beside it stand ratings by wins, for which a drawn "
        "game is half a win.",
        "Ein Spiel wird hier nicht nur gewonnen oder verloren, es bringt etwas, und wer mehr bekommt, steht höher: was "
        "jeder im Mittel je Spiel von den anderen gewinnt (kleinste Quadrate über alle Sätze). Daneben stehen "
        "Wertungen nach Siegen, für die ein unentschiedenes Spiel ein halber Sieg ist.",
    ),
    "paid": (
        "What games pay decides here, not who wins: {first} took {share} of the points against {second}, but got "
        "{payoff} a game on average.",
        "Hier entscheidet, was Spiele bringen, nicht wer siegt: {first} holte {share} der Punkte gegen {second}, "
        "bekam aber im Mittel {payoff} je Spiel.",
    ),
    "apart": (
        "Nothing compares these groups, as nobody of one met anybody of another: {groups}. Between them the order says "
        "nothing.",
        "Nichts vergleicht diese Gruppen, denn niemand aus der einen traf jemanden aus einer anderen: {groups}. "
        "Zwischen ihnen sagt die Reihenfolge nichts.",
    ),
    "unbeaten": (
        "Between these groups one never took even half a game from another: {groups}. No number of points separates "
        "them; how far apart their ratings by wins are rests on a drawn game that is assumed between every two.",
        "Zwischen diesen Gruppen nahm die eine der anderen nie auch nur ein halbes Spiel ab: {groups}. Keine Zahl von "
        "Punkten trennt sie; wie weit ihre Wertungen nach Siegen auseinanderliegen, beruht auf einem unentschiedenen "
        "Spiel, das zwischen je zweien angenommen wird.",
    ),
    "group_more": ("{shown} and {more} more", "{shown} und {more} weitere"),
    "payoff": ("payoff", "Auszahlung"),
    "by_wins": ("by wins", "nach Siegen"),
    "player": ("player", "Spieler"),
    "rating": ("rating", "Wertung"),
    "games": ("games", "Spiele"),
    "game": ("game ", "Spiel "),
    "share": ("won", "gewonnen"),
    "version": ("version", "Fassung"),
    "players": ("players", "Spieler"),
    "batches": ("batches", "Sätze"),
    "person": ("a person", "ein Mensch"),
    "old": ("an earlier version", "eine frühere Fassung"),
    "imported": ("imported", "eingelesen"),
    "pairs": ("Head to head", "Paarungen"),
    "pairs_intro": (
        "Share of the games that the player in the row won against the one in the column, with the number of games.",
        "Anteil der Spiele, die der Spieler der Zeile gegen den der Spalte gewann, mit der Zahl der Spiele.",
    ),
    "pairs_graded": (
        "What the player in the row got a game from the one in the column on average, with the number of games.",
        "Was der Spieler der Zeile im Mittel je Spiel von dem der Spalte bekam, mit der Zahl der Spiele.",
    ),
    "corner": ("row against column", "Zeile gegen Spalte"),
    "best": ("The best {shown} of {all}.", "Die besten {shown} von {all}."),
    "history": ("Ratings over time", "Wertungen im Lauf der Zeit"),
    "history_intro": (
        "What the list said after so many games; the mean of all who have played by then is 1500.",
        "Was die Liste nach so vielen Spielen sagte; das Mittel aller, die bis dahin gespielt haben, ist 1500.",
    ),
    "history_graded": (
        "What each earned a game from the others after so many games; the mean of all who have played by then is 0.",
        "Was jeder nach so vielen Spielen je Spiel von den anderen gewann; das Mittel aller, die bis dahin gespielt "
        "haben, ist 0.",
    ),
    "so_far": ("games so far", "Spiele bis dahin"),
    "seen": ("Games that show it", "Spiele, die es zeigen"),
    "seen_intro": (
        "Of the batches of the two the one of middle result is played again from its seed; shown is its game of middle "
        "result. A game of a person is shown as it was played, where that was.",
        "Von den Sätzen der beiden wird der mit dem mittleren Ergebnis aus seinem Startwert noch einmal gespielt; "
        "gezeigt wird sein Spiel mit dem mittleren Ergebnis. Ein Spiel eines Menschen wird gezeigt, wie es gespielt "
        "wurde, dort, wo das war.",
    ),
    "against": ("against", "gegen"),
    "command": ("command", "Befehl"),
    "pair": ("pair", "Paar"),
    "empty": ("Nobody is entered for {game} {scenario}.", "Für {game} {scenario} ist niemand eingetragen."),
    "see": (
        "A game of {first} against {second}: {command}",
        "Ein Spiel von {first} gegen {second}: {command}",
    ),
    "nobody": ("Nobody is entered yet.", "Noch ist niemand eingetragen."),
    "rules": ("rules", "Regeln"),
    "played": ("played", "gespielt"),
    "until": ("{first} to {last}", "{first} bis {last}"),
    "foot": (
        "Made by probespiel. This page contains no scripts and loads nothing.",
        "Mit probespiel erstellt. Diese Seite enthält keine Skripte und lädt nichts nach.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A line of the list; `kind` is "" for an agent that can play, or `person`, `old`, `imported`.

    `half` is half of the 95 % interval, None with too few batches. `paid` is the rating by payoff, None where payoffs
    tell no more than wins, and `paid_half` half of its interval.
    """

    rank: int
    name: str
    kind: str
    version: str
    added: str
    rating: float
    half: float | None
    games: int
    points: float
    paid: float | None = None
    paid_half: float | None = None


@dataclass(frozen=True)
class Pair:
    """What the player of a row got against that of another one, by their places in the list from 0 on.

    `payoff` is the mean of the first; `batch` the one of middle result between them of those that can be seen (-1:
    none): what agents play that are here as they were then can be played again, and a person's game was kept.
    """

    first: int
    second: int
    games: int
    points: float
    payoff: float
    batch: int


@dataclass(frozen=True)
class Moment:
    """What the list said after so many games: ratings by place in the list of today, None before a player's first.

    They are those that rank: by payoff where the rows have one, else by wins.
    """

    games: int
    ratings: tuple[float | None, ...]


@dataclass(frozen=True)
class Standing:
    """A ladder as it stands; `first` and `last` are the times of its first and last batch, "" without any.

    `where` are the options of a command line that name its file and its rules; without any it is in the usual place.
    """

    game: str
    scenario: str
    ruleset: str
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    history: tuple[Moment, ...]
    batches: int
    games: int
    first: str = ""
    last: str = ""
    where: tuple[str, ...] = ()

    @property
    def graded(self) -> bool:
        """Whether payoffs rank, not wins."""
        return any(row.paid is not None for row in self.rows)

    @property
    def digits(self) -> int:
        """Decimals that suit the payoffs."""
        return digits_of([pair.payoff for pair in self.pairs] + [row.paid or 0.0 for row in self.rows])


def standing_of(book: Book, where: Sequence[str] = ()) -> Standing:
    """How a ladder stands; `where`: see `Standing`."""
    found, batches = lines(book), book.batches()
    by_time = sorted(batch.played for batch in batches)
    return Standing(
        book.game, book.scenario, book.ruleset, tuple(_row(line) for line in found), _pairs(found, batches),
        _moments(found, batches), len(batches), sum(batch.games for batch in batches),
        by_time[0] if by_time else "", by_time[-1] if by_time else "", tuple(where),
    )  # fmt: skip


def _row(line: Line) -> Row:
    player = line.player
    kind = "person" if player.person else "imported" if player.imported else "" if line.current else "old"
    return Row(
        line.rank, player.agent, kind, "" if player.person else player.version, player.added, line.rating,
        line.half_width, line.games, line.points, line.paid, line.paid_half,
    )  # fmt: skip


def _pairs(found: Sequence[Line], batches: Sequence[Batch]) -> tuple[Pair, ...]:
    at = {line.player.id: k for k, line in enumerate(found)}
    people = {line.player.id for line in found if line.player.person and not line.player.imported}
    met: dict[tuple[int, int], list[tuple[float, Batch]]] = {}
    for batch in batches:
        i, j = at[batch.first], at[batch.second]
        share = batch.points / batch.games
        met.setdefault((min(i, j), max(i, j)), []).append((share if i < j else 1 - share, batch))
    out = []
    for (i, j), played in sorted(met.items()):
        games = sum(batch.games for _, batch in played)
        payoff = sum((b.payoff if at[b.first] == i else -b.payoff) * b.games for _, b in played) / games
        here = found[i].current and found[j].current
        again = sorted((share, b.number) for share, b in played if (b.seed and here) or b.first in people)
        middle = again[(len(again) - 1) // 2][1] if again else -1
        out.append(Pair(i, j, games, float(sum(share * b.games for share, b in played)), float(payoff), middle))
    return tuple(out)


def _moments(found: Sequence[Line], batches: Sequence[Batch]) -> tuple[Moment, ...]:
    """The ratings over time; none with fewer than two batches."""
    if len(batches) < 2:
        return ()
    ends = sorted({max(2, round(len(batches) * k / _POINTS)) for k in range(1, _POINTS + 1)})
    counts = np.cumsum([batch.games for batch in batches])
    at = {line.player.id: k for k, line in enumerate(found)}
    paid = graded(batches)
    out = []
    for end in ends:
        there = sorted({player for batch in batches[:end] for player in (batch.first, batch.second)})
        number = {player: k for k, player in enumerate(there)}
        part = [
            Batch(b.number, number[b.first], number[b.second], b.seed, b.games, b.wins, b.draws, b.losses, b.payoff, "")
            for b in batches[:end]
        ]
        ratings = (rate_by_payoff(len(there), part) if paid else rate(len(there), part, ()))[0]
        row: list[float | None] = [None] * len(found)
        for player, k in number.items():
            row[at[player]] = float(ratings[k])
        out.append(Moment(int(counts[end - 1]), tuple(row)))
    return tuple(out)


def standing_lines(found: Standing, lang: str = "en") -> list[str]:
    """The list for the terminal, in `en` or `de`."""
    words = words_of(lang)
    if not found.rows:
        return [words["empty"].format(game=found.game, scenario=found.scenario)]
    shown = [_shown(row, words, lang, found.digits) for row in found.rows]
    paid = [f"{one['paid']:>7} {one['paid_half']:<6}  " if found.graded else "" for one in shown]
    space = max(map(len, paid))
    head = f"{words['payoff']:>7}".ljust(space) if found.graded else ""
    out = [f"     {head}{words['by_wins']:<11} {words['games']:>8} {words['share']:>9}  {words['player']}"]
    for row, one, first in zip(found.rows, shown, paid, strict=True):
        mark = words["person"] if row.kind == "person" else row.version[:8]
        old = f"  ({words[row.kind]})" if row.kind in ("old", "imported") else ""
        out.append(
            f"{row.rank:>3}  {first:<{space}}{one['rating']:>5} {one['half']:<5} {one['games']:>8} {one['share']:>9}  "
            f"{row.name} {f'({mark})' if row.kind == 'person' else mark}{old}"
        )
    out += [*never_compared(found, lang), *never_beaten(found, lang), *paid_otherwise(found, lang)]
    best = next((pair for pair in found.pairs if pair.batch >= 0), None)
    if best is not None:
        names = [found.rows[k].name for k in (best.first, best.second)]
        out.append(words["see"].format(first=names[0], second=names[1], command=command_of(found, best)))
    return out


def never_compared(found: Standing, lang: str) -> list[str]:
    """A sentence on groups of players of whom none met anybody of another group, if there are such.

    Who has not played is in none.
    """
    met = np.zeros((len(found.rows), len(found.rows)), dtype=np.bool_)
    for pair in found.pairs:
        met[pair.first, pair.second] = True
    together = comparable(met)
    groups = [np.flatnonzero(row) for k, row in enumerate(together) if found.rows[k].games and not row[:k].any()]
    if len(groups) < 2:
        return []
    words = words_of(lang)
    shown = [_few([found.rows[k].name for k in group], words) for group in groups[:_GROUPS]]
    return [words["apart"].format(groups="; ".join([*shown, "…"] if len(groups) > _GROUPS else shown))]


def never_beaten(found: Standing, lang: str) -> list[str]:
    """A sentence on groups of those who met, of which one never took even half a game from the next, if there are such.

    Strongest first, for each part of the ladder in which all can be compared and somebody's rating has an interval.
    """
    n = len(found.rows)
    wins = np.zeros((n, n))
    for pair in found.pairs:
        wins[pair.first, pair.second], wins[pair.second, pair.first] = pair.points, pair.games - pair.points
    words, out = words_of(lang), []
    parts = np.unique(comparable(wins + wins.T > 0), axis=0)
    for part in sorted((np.flatnonzero(row) for row in parts), key=lambda part: int(part[0])):
        groups = separated(wins[np.ix_(part, part)]).groups
        if len(groups) > 1 and any(found.rows[k].half is not None for k in part):
            shown = [_few([found.rows[part[k]].name for k in group], words) for group in groups[:_GROUPS]]
            out.append(words["unbeaten"].format(groups=" > ".join([*shown, "…"] if len(groups) > _GROUPS else shown)))
    return out


def _few(names: Sequence[str], words: Mapping[str, str]) -> str:
    shown = ", ".join(clean_name(name) for name in names[:_OF_GROUP])
    more = len(names) - _OF_GROUP
    return words["group_more"].format(shown=shown, more=more) if more > 0 else shown


def paid_otherwise(found: Standing, lang: str) -> list[str]:
    """A sentence on two players of whom one took more points and the other was paid more, if there are such.

    Of several pairs the one that was paid most in all. Half a percentage point beside 50 % says nothing.
    """
    odd = [pair for pair in found.pairs if (pair.points / pair.games - 0.5) * pair.payoff < -0.005 * abs(pair.payoff)]
    if not odd:
        return []
    pair = max(odd, key=lambda pair: (abs(pair.payoff) * pair.games, -pair.first, -pair.second))
    share, payoff, names = (
        pair.points / pair.games,
        pair.payoff,
        [found.rows[k].name for k in (pair.first, pair.second)],
    )
    if share < 0.5:
        share, payoff, names = 1 - share, -payoff, names[::-1]
    text = words_of(lang)["paid"].format(
        first=clean_name(names[0]),
        second=clean_name(names[1]),
        share=_number(f"{share:.0%}", lang),
        payoff=_number(signed(payoff, 3), lang),
    )
    return [text]


def seen(pair: Pair) -> bool:
    """Whether there is a game of two players to be seen."""
    return pair.batch >= 0


def command_of(found: Standing, pair: Pair) -> str:
    """The command that shows a game of two players."""
    return replay_command(found.game, pair.batch, found.where or ("--scenario", found.scenario))


def replay_command(game: str, batch: int, where: Sequence[str]) -> str:
    """The command that shows a game of a batch; `where` are the options that name its ladder."""
    return shlex.join(["probespiel", "ladder", game, "replay", str(batch), *where])


def render(found: Standing, lang: str = "en") -> str:
    """The page of a ladder, in English or German."""
    words = words_of(lang)
    shown = found.rows[:_PAIRS]
    pairs = [pair for pair in found.pairs if pair.first < _PAIRS and pair.second < _PAIRS]
    seen = [pair for pair in pairs if pair.batch >= 0][:_SEEN]
    content = dict(
        lang=lang,
        words=words,
        title=f"{found.game} {found.scenario}",
        ruleset=found.ruleset,
        graded=found.graded,
        rows=[_shown(row, words, lang, found.digits) for row in found.rows],
        batches=_number(f"{found.batches:,}", lang),
        games=_number(f"{found.games:,}", lang),
        period=words["until"].format(first=found.first[:16], last=found.last[:16]) if found.first else "",
        names=[row.name for row in shown],
        cells=_cells(shown, pairs, found, lang),
        cut=words["best"].format(shown=len(shown), all=len(found.rows)) if len(found.rows) > len(shown) else "",
        apart=[*never_compared(found, lang), *never_beaten(found, lang)],
        paid=paid_otherwise(found, lang),
        seen=[(found.rows[p.first].name, found.rows[p.second].name, command_of(found, p)) for p in seen],
        history=Markup(_history(found, words)),
    )
    filters: dict[str, Any] = dict(clean=clean_name)
    return render_page("ladder.html.j2", filters, content)


def _shown(row: Row, words: dict[str, str], lang: str, digits: int) -> dict[str, Any]:
    """The cells of a row; `digits` of its payoff. Who has not played has no ratings."""
    played = row.games > 0
    return {
        "rank": row.rank,
        "name": row.name,
        "mark": words[row.kind] if row.kind else "",
        "paid": _number(signed(row.paid, digits), lang) if played else "–",
        "paid_half": "" if row.paid_half is None else f"±{_number(f'{row.paid_half:.{digits}f}', lang)}",
        "rating": f"{row.rating:.0f}" if played else "–",
        "half": "" if row.half is None else f"±{row.half:.0f}",
        "games": _number(f"{row.games:,}", lang),
        "share": _number(f"{row.points / row.games:.0%}", lang) if row.games else "–",
        "version": row.version[:8],
        "played": row.added[:10],
    }


def _cells(shown: Sequence[Row], pairs: Sequence[Pair], found: Standing, lang: str) -> list[dict[str, Any]]:
    """The head-to-head table: for each player the cells of all others, empty where they never met.

    A cell tells what ranks, payoff or wins, and the other where one points at it.
    """
    words = words_of(lang)
    points, games, payoff = (np.zeros((len(shown), len(shown))) for _ in range(3))
    for pair in pairs:
        i, j = pair.first, pair.second
        points[[i, j], [j, i]] = [pair.points, pair.games - pair.points]
        games[[i, j], [j, i]] = pair.games
        payoff[[i, j], [j, i]] = [pair.payoff, -pair.payoff]
    shares = points / np.maximum(games, 1)
    leads = payoff / (2 * max(np.abs(payoff).max(initial=0.0), 1e-12)) if found.graded else shares - 0.5
    rows = []
    for i, line in enumerate(shown):
        cells = []
        for j, other in enumerate(shown):
            count, lead = games[i, j], leads[i, j]
            tint = Markup('style="background:rgba(var(--{}),{})"').format(
                "gain" if lead > 0 else "loss", round(abs(lead) * 1.2, 3)
            )
            paid = _number(signed(payoff[i, j], found.digits), lang)
            numbers = _number(f"{shares[i, j]:.1%}, {count:g}", lang)
            about = f"{clean_name(line.name)} {words['against']} {clean_name(other.name)}: {numbers}"
            first = f", {paid}" if count and payoff[i, j] else ""
            text = paid if found.graded else _number(f"{shares[i, j]:.0%}", lang)
            cells.append({"text": text if count else "", "games": f"{count:.0f}" if count else "",
                          "tint": tint if count else "", "about": about + first, "same": i == j})  # fmt: skip
        rows.append({"name": line.name, "cells": cells})
    return rows


def _history(found: Standing, words: dict[str, str]) -> str:
    """The ratings of the best players over time as SVG; "" with fewer than two batches."""
    if not found.history:
        return ""
    drawn = [k for k, rating in enumerate(found.history[-1].ratings) if rating is not None][:_LINES]
    series = [
        np.array([np.nan if moment.ratings[k] is None else moment.ratings[k] for moment in found.history], np.float64)
        for k in drawn
    ]
    games = np.array([float(moment.games) for moment in found.history])
    return history_plot([found.rows[k].name for k in drawn], games, series, words["history"], words["so_far"])


def _number(text: str, lang: str) -> str:
    return german_number(text) if lang == "de" else text


def words_of(lang: str) -> dict[str, str]:
    """The texts of ladders in a language, `en` or `de`."""
    return {key: text[lang == "de"] for key, text in TEXTS.items()}


def write_reports(page: Path, found: Standing, lang: str = "en") -> Path:
    """Write the page, in `en` or `de`, and the record beside it; returns the path of the record."""
    text, same = kept(NAME, VERSION, found)
    write_text(page, render(same, lang))
    numbers = page.with_suffix(".json")
    write_text(numbers, text)
    return numbers


__all__ = [
    "FILE", "NAME", "TEXTS", "VERSION", "Moment", "Pair", "Row", "Standing", "command_of", "render", "replay_command",
    "seen", "standing_lines", "standing_of", "words_of", "write_reports",
]  # fmt: skip
