"""The leaderboard and the answer for a terminal, by rich."""

import io
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..report.phrases import ENGLISH, Phrasebook
from ..report.wording import claims, clean_name, payoff_digits, record_text, signed
from .joint_words import joint_sentences
from .report import RunInfo, games_for, replay_command
from .summary import AgentRow, Interval, Summary
from .texts import words


def leaderboard_table(summary: Summary, *, unit: str = "", width: int = 100, t: Phrasebook = ENGLISH) -> Table:
    """The leaderboard as a rich table; names are taken literally, never as markup.

    The rating is that by payoff; where all seats are on one side the mean payoff stands there. Below 80 columns the
    shares of wins, draws and losses are left out, below 60 the rank interval and the rating by wins too. `t` is the
    language.
    """
    digits = payoff_digits(summary)
    table = Table(title=None, header_style="bold", row_styles=["", "dim"] if len(summary.names) > 12 else None)
    table.add_column("#", justify="right")
    table.add_column(t("strategy"), overflow="fold", min_width=12)
    unit = t.word(f" {unit}").strip()
    table.add_column(t("payoff") + (f" ({unit})" if unit else ""), justify="right", no_wrap=True)
    if width >= 60:
        table.add_column(t("rank"), justify="center", no_wrap=True)
        table.add_column(t("by wins"), justify="right", no_wrap=True)
    if width >= 80:
        table.add_column(t("win/draw/loss %"), justify="right", no_wrap=True)
    forfeits = any(sum(row.forfeits) for row in summary.leaderboard)
    if forfeits:
        table.add_column(t("forfeits"), justify="right")
    for row in summary.leaderboard:
        paid = (row.payoff, row.payoff_interval) if summary.lone else (row.rating, row.rating_interval)
        cells: list[str | Text] = [str(row.rank), Text(clean_name(row.name)), t.number(_paid(*paid, digits))]
        if width >= 60:
            cells.append("–" if row.rank_interval is None else _ranks(row.rank_interval))
            cells.append(_by_wins(row, t))
        if width >= 80:
            cells.append(f"{row.wins * 100:.0f}/{row.draws * 100:.0f}/{row.losses * 100:.0f}")
        if forfeits:
            cells.append(str(sum(row.forfeits) or "–"))
        table.add_row(*cells)
    return table


def _paid(value: float | None, interval: Interval | None, digits: int) -> str:
    text = signed(value, digits)
    return text if interval is None else f"{text} ±{interval.half_width:.{digits}f}"


def _by_wins(row: AgentRow, t: Phrasebook) -> str:
    interval = "" if row.wins_interval is None else f" ±{row.wins_interval.half_width:.0f}"
    return t.number(t.word(record_text(row)) + interval)


def _ranks(interval: tuple[int, int]) -> str:
    return str(interval[0]) if interval[0] == interval[1] else f"{interval[0]}–{interval[1]}"


def leaderboard_text(
    summary: Summary,
    *,
    focus: Sequence[str] = (),
    unit: str = "",
    width: int = 100,
    color: bool = False,
    lang: str = "en",
    info: RunInfo | None = None,
    folder: Path | None = None,
) -> str:
    """The leaderboard and the answer as text of at most `width` columns (at least 40), with ANSI colours if `color`.

    `lang`: `en` or `de`. With `info` and the `folder` each claim names games that show it, and how to see them is said.
    """
    t = words(lang)
    if width < 40:
        raise ValueError(f"width is {width}; the leaderboard needs at least 40 columns")
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, no_color=not color, highlight=False, legacy_windows=False
    )
    console.print(leaderboard_table(summary, unit=unit, width=width, t=t))
    shown: list[int] = []
    for claim in claims(summary, focus, unit=unit):
        games = [] if info is None or folder is None else games_for(claim, info)
        shown += games
        named = "".join(" " + t(f"[game {game}]") for game in games)
        console.print(Text("• " + t(claim.text) + named))
    if info is not None and info.joint is not None:
        for text in joint_sentences(summary, info.joint, lang, unit=t.word(f" {unit}") if unit else ""):
            console.print(Text("• " + text))
    for warning in summary.warnings:
        console.print(Text("! " + t(clean_name(warning, 10_000))))
    if shown and info is not None and folder is not None:
        console.print(
            Text(t("To see such a game:") + " " + replay_command(str(folder), shown[0], info)), soft_wrap=True
        )
    return out.getvalue()
