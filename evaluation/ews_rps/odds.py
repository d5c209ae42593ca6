"""The exact odds of ews_rps as a table: text, CSV and a plot (section 7 of its specification)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...envs.core.errors import ProbespielError
from ...envs.ews_rps import odds
from ...envs.ews_rps.system import SYSTEM

LOW, HIGH = -12, 12
WIDEST = 99  # largest difference that is tabulated
_WORDS = {
    "en": {
        "difference": "difference",
        "rps": "RPS, both",
        "rps_simple": "RPS, simple",
        "rps_contest": "RPS, contest",
        "pm_simple": "die, simple",
        "pm_contest": "die, contest",
        "pm_simple_no_reroll": "plain die, simple",
        "pm_contest_no_reroll": "plain die, contest",
        "rps_draw": "RPS, tie",
        "pm_draw": "die, tie",
        "reply_simple": "best reply, simple",
        "reply_contest": "best reply, contest",
        "title": "Chance of success of the acting side",
        "better": "Rock-paper-scissors is better for the acting side than the die: {kind} at {list}.",
        "nowhere": "no difference",
        "simple": "simple tests",
        "contest": "contests",
        "rounds": "Mean rounds of a test at difference 0: {value}.",
        "moments": "Change by a {kind} ({procedure}): mean {mean}, variance {variance}.",
        "one_simple": "simple test",
        "one_contest": "contest",
        "value": "Value of the match {scenario} for seat 0: {value}.",
    },
    "de": {
        "difference": "Differenz",
        "rps": "SSP, beide",
        "rps_simple": "SSP, einfach",
        "rps_contest": "SSP, Wettstreit",
        "pm_simple": "Würfel, einfach",
        "pm_contest": "Würfel, Wettstreit",
        "pm_simple_no_reroll": "W6 schlicht, einfach",
        "pm_contest_no_reroll": "W6 schlicht, Wettstreit",
        "rps_draw": "SSP, Gleichstand",
        "pm_draw": "Würfel, Gleichstand",
        "reply_simple": "beste Antwort, einfach",
        "reply_contest": "beste Antwort, Wettstreit",
        "title": "Erfolgschance der handelnden Seite",
        "better": "Schere, Stein, Papier ist für die handelnde Seite besser als der Würfel: {kind} bei {list}.",
        "nowhere": "keiner Differenz",
        "simple": "einfache Proben",
        "contest": "Wettstreite",
        "rounds": "Mittlere Rundenzahl einer Probe bei Differenz 0: {value}.",
        "moments": "Veränderung durch {kind} ({procedure}): Mittel {mean}, Varianz {variance}.",
        "one_simple": "eine einfache Probe",
        "one_contest": "einen Wettstreit",
        "value": "Wert der Partie {scenario} für Platz 0: {value}.",
    },
}


@dataclass(frozen=True)
class OddsTable:
    """Exact chances by difference: names of the columns, rows of fractions, and what else there is to say."""

    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[Fraction, ...]], ...]
    notes: tuple[str, ...]
    lang: str
    words: Mapping[str, str] = field(repr=False)

    def column(self, name: str) -> list[Fraction]:
        """One column, from the lowest difference to the highest."""
        index = self.columns.index(name)
        return [row[index] for _, row in self.rows]

    def text(self) -> str:
        """The table for reading: every fraction with its value."""
        names = list(self.columns)
        if self.column("rps_simple") == self.column("rps_contest"):
            names.remove("rps_contest")
        head = [self.words["difference"], *(self.words[name] for name in names)]
        if "rps_contest" not in names:
            head[1] = self.words["rps"]
        at = [self.columns.index(name) for name in names]
        body = [[f"{d:+d}" if d else "0", *(shown(row[i]) for i in at)] for d, row in self.rows]
        widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in [head, *body]]
        return "\n".join([self.words["title"], "", *lines, "", *self.notes]) + "\n"

    def csv(self) -> str:
        """The table for machines: every fraction exactly, and its value beside it."""
        out = io.StringIO()
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(["difference", *(part for name in self.columns for part in (name, f"{name}_value"))])
        for d, row in self.rows:
            lines.writerow([d, *(part for value in row for part in (str(value), repr(float(value))))])
        return out.getvalue()

    def plot(self, path: Path) -> None:
        """The table as steps over the difference; the suffix (.svg or .png) says in which form."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(9, 5.5), layout="constrained")
        differences = [d for d, _ in self.rows]
        marks = "osv^DXP*<>"
        for index, name in enumerate(self.columns):
            values = [float(value) for value in self.column(name)]
            axes.plot(
                differences, values, marker=marks[index % len(marks)], markersize=4, linewidth=1.2,
                drawstyle="steps-mid", label=self.words[name], alpha=0.85,
            )  # fmt: skip
        axes.set_xlabel(self.words["difference"])
        axes.set_ylabel(self.words["title"])
        axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
        with matplotlib.rc_context({"svg.hashsalt": "probespiel"}):
            dated = {"Date": None} if path.suffix == ".svg" else None
            figure.savefig(path, dpi=150, metadata=dated)
        pyplot.close(figure)

    def write(self, path: Path) -> None:
        """Write the table in the form that the suffix names: .csv, .txt, .svg or .png; raises ProbespielError."""
        if path.suffix not in (".csv", ".txt", ".svg", ".png"):
            raise ProbespielError(f"out = {str(path)!r} is not allowed: a file ending in .csv, .txt, .svg or .png")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".svg", ".png"):
            self.plot(path)
        else:
            path.write_text(self.csv() if path.suffix == ".csv" else self.text(), encoding="utf-8")


def shown(value: Fraction) -> str:
    """A fraction and its value, e.g. `2/3 = 0.6667`; long ones by their value alone."""
    if value.denominator == 1:
        return str(value)
    text = str(value)
    return f"{text} = {float(value):.4f}" if len(text) <= 16 else f"{float(value):.10g}"


def weights_of(text: str) -> list[Fraction]:
    """Three weights of rock, paper, scissors such as `1/2,3/10,1/5`; raises ProbespielError."""
    try:
        weights = [Fraction(part.strip()) for part in text.split(",")]
    except (ValueError, ZeroDivisionError):
        weights = []
    if len(weights) != 3 or min(weights) < 0 or sum(weights) != 1:
        raise ProbespielError(f"opponent = {text!r} is not allowed: three weights of sum 1, for instance 1/2,3/10,1/5")
    return weights


def odds_table(
    config: Mapping[str, Any] | None = None,
    low: int = LOW,
    high: int = HIGH,
    opponent: Sequence[Fraction] | None = None,
    scenario: str | None = None,
    lang: str = "en",
) -> OddsTable:
    """The table for some options of the rules; raises RulesetError or ProbespielError.

    With contest_tie = draw it has columns for equal totals, with `opponent` (weights of rock, paper, scissors) columns
    for the best reply to symbols drawn by them, and with `scenario` a line with the value of that match.
    """
    if not -WIDEST <= low <= high <= WIDEST:
        raise ProbespielError(f"differences {low}..{high} are not allowed: within -{WIDEST}..{WIDEST}, lower one first")
    words = _WORDS[lang]
    options, draw = SYSTEM.resolve({} if scenario is None else {"preset": scenario}, config)
    columns: dict[str, Any] = {name: (lambda d, name=name: odds.cell(name, d, options)) for name in odds.COLUMNS}
    if options["contest_tie"] == "draw":
        columns["rps_draw"] = lambda d: odds.equality("contest", d, options)
        columns["pm_draw"] = lambda d: odds.die_equality("contest", d, options)
    if opponent is not None:
        for kind in ("simple", "contest"):
            columns[f"reply_{kind}"] = lambda d, kind=kind: odds.best_response(kind, d, options, opponent)
    rows = tuple((d, tuple(value(d) for value in columns.values())) for d in range(low, high + 1))
    table = OddsTable(tuple(columns), rows, (), lang, words)
    notes = []
    for kind in ("simple", "contest"):
        pairs = zip(table.column(f"rps_{kind}"), table.column(f"pm_{kind}"))
        better = [f"{d:+d}" if d else "0" for (d, _), (a, b) in zip(rows, pairs) if a > b]
        notes.append(words["better"].format(kind=words[kind], list=", ".join(better) or words["nowhere"]))
    notes.append(words["rounds"].format(value=shown(odds.mean_rounds("simple", 0, options))))
    for procedure in ("rps", "pm_d6"):
        for kind in ("simple", "contest"):
            mean, variance = odds.bonus_moments(kind, {**options, "procedure": procedure})
            notes.append(
                words["moments"].format(
                    kind=words[f"one_{kind}"], procedure=procedure, mean=shown(mean), variance=shown(variance)
                )
            )
    if scenario is not None:
        notes.append(words["value"].format(scenario=scenario, value=shown(odds.match_value(options, draw))))
    return OddsTable(tuple(columns), rows, tuple(notes), lang, words)
