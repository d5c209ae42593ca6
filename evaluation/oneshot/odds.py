"""Exact odds of OneShot by enumeration (section 7): tests, attacks, turns, survival, edges, lies, heroes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...envs.core.errors import ProbespielError
from ...envs.oneshot import exact
from ...envs.oneshot.character.kit import Kit
from ...envs.oneshot.character.kit_file import load_kit
from ...envs.oneshot.character.sheet import normal
from ...envs.oneshot.params import check_options

DIFFICULTIES = (1, 0, -1, -2, -3)
_WORDS = {
    "en": {
        "tests": "Skill test: chance of success by bonus and difficulty",
        "criticals": "Skill test: total modifier, chances of success, critical success, critical failure",
        "hit": "Attack: chance of a hit by (attack - modifiers); of a wound after it by (defence - damage modifiers)",
        "attack": "Attack: chance of a wound by (attack - modifiers) and (defence - damage modifiers)",
        "turns": "Turns in {counts} counts by combat initiative",
        "mean_turns": "Mean number of turns in {counts} counts by initiative value",
        "survival": "Survival by stamina, unhurt and under the wound malus",
        "edges": "Edge by (method value - threshold): chance, mean rounds of a success",
        "lies": "A lie is not noticed in the opposed roll, by (cunning - insight)",
        "heroes": "Chance of a wound per attack at distance 1, row against column",
        "bonus": "bonus",
    },
    "de": {
        "tests": "Fertigkeitsprobe: Erfolgschance nach Bonus und Schwierigkeit",
        "criticals": "Fertigkeitsprobe: Summe der Modifikatoren, Erfolg, kritischer Erfolg, kritischer Fehlschlag",
        "hit": "Trefferchance nach (Angriff - Modifikatoren); Wunde nach einem Treffer nach (Verteidigung - Schaden)",
        "attack": "Chance auf eine Wunde nach (Angriff - Modifikatoren) und (Verteidigung - Schadensmodifikatoren)",
        "turns": "Züge in {counts} Zählern nach Kampfinitiative",
        "mean_turns": "Mittlere Zahl der Züge in {counts} Zählern nach Initiative",
        "survival": "Überleben nach Kondition, unverletzt und mit Wundmalus",
        "edges": "Vorteil nach (Methodenwert - Schwelle): Chance, mittlere Runden eines Erfolgs",
        "lies": "Eine Lüge bleibt im vergleichenden Wurf unbemerkt, nach (Listig - Menschenkenntnis)",
        "heroes": "Chance auf eine Wunde je Angriff im Abstand 1, Zeile gegen Spalte",
        "bonus": "Bonus",
    },
}


def fraction(value: float) -> str:
    """A chance as a fraction; all of them have denominators that divide 1296."""
    exactly = Fraction(value).limit_denominator(1296)
    return str(exactly)


@dataclass
class Table:
    """One table: its title, the head, and rows of texts."""

    name: str
    title: str
    head: list[str]
    rows: list[list[str]] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The table in columns."""
        cells = [self.head, *self.rows]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.head))]
        shown = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        return [self.title, *shown, ""]


@dataclass
class Odds:
    """All tables of a kit under some options."""

    tables: list[Table]

    def text(self) -> str:
        """All tables as text."""
        return "\n".join(line for table in self.tables for line in table.lines())

    def csv(self) -> str:
        """All tables as CSV: table, row, column, value."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["table", "row", "column", "value"])
        for table in self.tables:
            for row in table.rows:
                for column, value in zip(table.head[1:], row[1:], strict=True):
                    writer.writerow([table.name, row[0], column, value])
        return out.getvalue()

    def table(self, name: str) -> Table:
        """One table by its name."""
        return next(table for table in self.tables if table.name == name)

    def plot(self, path: Path) -> None:
        """Tests, attacks, turns and heroes as four pictures in one file."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        def number(text: str) -> float:
            return float(Fraction(text))

        figure, axes = pyplot.subplots(2, 2, figsize=(12, 9), layout="constrained")
        tests, attack = self.table("tests"), self.table("attack")
        turns, heroes = self.table("mean_turns"), self.table("heroes")
        for k, name in enumerate(tests.head[1:], start=1):
            axes[0, 0].plot(
                [int(row[0]) for row in tests.rows], [number(row[k]) for row in tests.rows], marker="o", label=name
            )
        axes[0, 0].legend(fontsize=8)
        axes[0, 0].set_ylim(0, 1)
        axes[0, 0].set_xlabel(tests.head[0])
        axes[1, 0].bar([int(row[0]) for row in turns.rows], [number(row[1]) for row in turns.rows])
        for place, table in ((axes[0, 1], attack), (axes[1, 1], heroes)):
            values = [[number(cell) for cell in row[1:]] for row in table.rows]
            place.imshow(values, vmin=0, vmax=1, cmap="viridis")
            place.set_xticks(range(len(table.head) - 1), table.head[1:], rotation=0 if table is attack else 30)
            place.set_yticks(range(len(table.rows)), [row[0] for row in table.rows])
            for y, row in enumerate(table.rows):
                for x, cell in enumerate(row[1:]):
                    place.text(x, y, cell, ha="center", va="center", fontsize=7, color="white")
        for place, table in zip(axes.ravel(), (tests, attack, turns, heroes), strict=True):
            place.set_title(table.title, fontsize=9)
        with matplotlib.rc_context({"svg.hashsalt": "probespiel"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
        pyplot.close(figure)

    def write(self, path: Path) -> None:
        """Write a file by its suffix: .csv, .txt, .svg or .png; raises ProbespielError."""
        texts = {".csv": self.csv, ".txt": self.text}
        known = (*texts, ".svg", ".png")
        if path.suffix not in known:
            raise ProbespielError(f"out = {str(path)!r} is not allowed: a file ending in {', '.join(known)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in texts:
                path.write_text(texts[path.suffix](), encoding="utf-8")
            else:
                self.plot(path)
        except OSError as error:
            raise ProbespielError(f"out = {str(path)!r} cannot be written: {error.strerror or error}") from None


def hero_matrix(kit: Kit, options: Mapping[str, Any]) -> Table:
    """Chance of a wound per attack of every hero of the kit on every other, unhurt, weapon in the first slot."""
    chars = {name: normal(name, kit) for name in kit.heroes}
    figures = {name: exact.Duellist(char, options, kit) for name, char in chars.items()}
    table = Table("heroes", "", ["", *chars])
    for name, figure in figures.items():
        finesse = "finesse" in chars[name]["perks"]
        chances = [exact.wound_chance(figure, other, 0, 0, options, finesse) for other in figures.values()]
        table.rows.append([name, *[fraction(chance) for chance in chances]])
    return table


def odds_tables(config: Mapping[str, Any] | None = None, counts: int = 60, lang: str = "en") -> Odds:
    """All exact tables under the given options; raises RulesetError for wrong ones."""
    options = check_options(config or {})
    kit = load_kit(options["kit"])
    if isinstance(counts, bool) or not isinstance(counts, int) or not 1 <= counts <= 1000:
        raise ProbespielError(f"counts = {counts!r} is not allowed: a whole number 1..1000")
    words = _WORDS[lang]

    def table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
        return Table(name, words[name].format(counts=counts), list(head), [list(row) for row in rows])

    tests = [
        [f"{bonus:+d}", *[fraction(exact.test_table(bonus + d)["success"]) for d in DIFFICULTIES]]
        for bonus in range(-3, 7)
    ]
    criticals = [[f"{m:+d}", *[fraction(v) for v in exact.test_table(m).values()]] for m in range(-5, 8)]
    columns = range(1, 8)
    attack = [[str(n), *[fraction(exact.at_least(n) * exact.at_least(d)) for d in columns]] for n in range(1, 8)]
    turns = [[str(c), str(exact.turns_within(c, counts))] for c in range(1, 17)]
    mean = [[str(i), fraction(exact.expected_turns(i, counts))] for i in range(1, 11)]
    survival = [[str(v), fraction(exact.at_least(4 - v)), fraction(exact.at_least(5 - v))] for v in range(5)]
    tie = int(options["social_tie"] == "failure")
    edges = []
    for d in range(-6, 5):
        chance, rounds = exact.edge_table(d, 0, tie)
        mean_rounds = sum(n * w for n, w in rounds.items()) / chance if chance else 0.0
        edges.append([f"{d:+d}", fraction(chance), f"{mean_rounds:.3f}"])
    lies = [[f"{d:+d}", fraction(exact.lie_unnoticed(d, 0, options["lie_tie"]))] for d in range(-4, 5)]
    heroes = hero_matrix(kit, options)
    heroes.title = words["heroes"]
    return Odds(
        [
            table("tests", [words["bonus"], *[f"{d:+d}" for d in DIFFICULTIES]], tests),
            table("criticals", ["", "P", "P+", "P-"], criticals),
            table("hit", ["", "P"], [[str(n), fraction(exact.at_least(n))] for n in range(1, 8)]),
            table("attack", ["", *map(str, columns)], attack),
            table("turns", ["", "n"], turns),
            table("mean_turns", ["", "n"], mean),
            table("survival", ["", "0", "-1"], survival),
            table("edges", ["", "P", "n"], edges),
            table("lies", ["", "P"], lies),
            heroes,
        ]
    )
