"""The build search of OneShot as text, tables and a plot."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from ...envs.core.errors import ProbespielError
from ...envs.oneshot.character.kit import ATTRIBUTES, COMBAT
from .builds import BuildSearch, describe

SHOWN = 10  # builds in lists
MATRIX = 16  # builds in the printed matrix and the plot
_WORDS = {
    "en": {
        "space": "{weapon}: {legal} legal builds, {distinct} that a duel can tell apart, {pairs} exact duels.",
        "notation": "Builds: body/mind/charisma; strength/stamina/agility; base attack/defence/initiative; "
        "aggressive/cunning/diplomatic; skills; gear; perks; tactic.",
        "pure": "One build dominates: no other gains anything against it.",
        "mixed": "Equilibrium: a mixture of {n} builds; nobody gains by another legal build.",
        "best": "The next best, and what they lose against the equilibrium:",
        "dominated": "{n} of {of} builds are dominated by an examined build against all {columns} examined opponents "
        "(exact).",
        "triples": "Best build of each attribute triple against the equilibrium:",
        "combat": "Best build of each combat split (attack/defence/initiative):",
        "gear": "Best build with each weapon and armour:",
        "tactic": "Best build with each tactic:",
        "perks": "Best build with each set of perks:",
        "saga": "With {points} saga points spent by both ({n} advanced builds, from the best and the best with all "
        "attributes and tactics):",
        "sampled": "Skirmishes on the grid, {games} a pair, mean payoff of the row with standard errors:",
        "sampled_dominated": "dominated on the grid: {worse} by {better} (every lead at least {z:.1f} standard errors)",
        "sampled_none": "no build is dominated on the grid by two standard errors",
        "sampled_nash": "equilibrium on the grid:",
        "value": "value",
        "title": "Payoff of the row against the column: P(win) - P(loss)",
        "weights": "Equilibrium",
        "by_triple": "Best value by attributes (body/mind/charisma)",
    },
    "de": {
        "space": "{weapon}: {legal} erlaubte Figuren, davon {distinct} im Zweikampf verschieden, {pairs} Zweikämpfe "
        "genau berechnet.",
        "notation": "Figuren: Körper/Geist/Charisma; Stärke/Kondition/Geschick; Grundangriff/-verteidigung/-initiative;"
        " aggressiv/listig/diplomatisch; Fertigkeiten; Ausrüstung; Spezifika; Taktik.",
        "pure": "Eine Figur ist überlegen: keine andere gewinnt etwas gegen sie.",
        "mixed": "Gleichgewicht: eine Mischung aus {n} Figuren; keine andere erlaubte gewinnt etwas.",
        "best": "Die nächstbesten, und was sie gegen das Gleichgewicht verlieren:",
        "dominated": "{n} von {of} Figuren sind gegen alle {columns} untersuchten Gegner von einer anderen dominiert "
        "(genau).",
        "triples": "Beste Figur zu jeder Attributverteilung gegen das Gleichgewicht:",
        "combat": "Beste Figur zu jeder Aufteilung der Kampfpunkte (Angriff/Verteidigung/Initiative):",
        "gear": "Beste Figur mit jeder Waffe und Rüstung:",
        "tactic": "Beste Figur mit jeder Taktik:",
        "perks": "Beste Figur mit jeder Auswahl von Spezifika:",
        "saga": "Wenn beide {points} Sagenpunkte ausgeben ({n} gesteigerte Figuren, aus den besten und den besten mit "
        "jeder Attributverteilung und Taktik):",
        "sampled": "Gefechte auf dem Raster, {games} je Paar, mittlerer Gewinn der Zeile mit Standardfehler:",
        "sampled_dominated": "auf dem Raster dominiert: {worse} von {better} (jeder Vorsprung mindestens {z:.1f} "
        "Standardfehler)",
        "sampled_none": "keine Figur ist auf dem Raster um zwei Standardfehler dominiert",
        "sampled_nash": "Gleichgewicht auf dem Raster:",
        "value": "Wert",
        "title": "Gewinn der Zeile gegen die Spalte: P(Sieg) - P(Niederlage)",
        "weights": "Gleichgewicht",
        "by_triple": "Bester Wert nach Attributen (Körper/Geist/Charisma)",
    },
}


def triple_of(char: Any, tactic: str) -> str:
    """Attributes as text."""
    return "/".join(str(char[a]) for a in ATTRIBUTES)


def combat_of(char: Any, tactic: str) -> str:
    """Combat split as text."""
    return "/".join(str(char[a]) for a in COMBAT)


def gear_of(char: Any, tactic: str) -> str:
    """Weapon and armour."""
    return f"{char['weapons'][0]}, {char['armour']}"


def perks_of(char: Any, tactic: str) -> str:
    """Perks."""
    return ", ".join(char["perks"]) or "-"


def tactic_of(char: Any, tactic: str) -> str:
    """The tactic."""
    return tactic


KEYS = {"triples": triple_of, "combat": combat_of, "gear": gear_of, "tactic": tactic_of, "perks": perks_of}


def text_of(found: BuildSearch, lang: str = "en") -> str:
    """The report as text."""
    words = _WORDS[lang]
    field, equilibrium = found.field, found.equilibrium
    pairs = equilibrium.payoffs.size
    lines = [
        words["space"].format(weapon=found.weapon, legal=found.legal, distinct=len(field), pairs=pairs),
        words["notation"],
        "",
    ]

    def mixture(name: Any, support: list[tuple[int, float]]) -> list[str]:
        head = words["pure"] if len(support) == 1 else words["mixed"].format(n=len(support))
        return [head, *[f"  {100 * weight:6.2f} %  {name(i)}" for i, weight in support], ""]

    support = equilibrium.support()
    lines += mixture(field.name, support)
    inside = {i for i, _ in support}
    rest = [i for i in found.top(len(support) + SHOWN) if i not in inside]
    lines += [words["best"], *[f"  {equilibrium.values[i]:+.4f}  {field.name(i)}" for i in rest], ""]
    n = int(equilibrium.dominated().sum())
    lines += [words["dominated"].format(n=n, of=len(field), columns=len(equilibrium.columns)), ""]
    for what, key in KEYS.items():
        best = found.best_by(key)
        if len(best) > 1:
            lines += [words[what], *[f"  {value:+.4f}  {name}" for name, value in list(best.items())[:SHOWN]], ""]
    for step in found.advanced:
        lines.append(words["saga"].format(points=step.points, n=len(step.field)))
        lines += mixture(step.field.name, step.equilibrium.support())
    if found.sampled is not None:
        lines += sampled_lines(found, words)
    return "\n".join(lines).rstrip() + "\n"


def sampled_lines(found: BuildSearch, words: dict[str, str]) -> list[str]:
    """What the skirmishes say."""
    from ...agents.matrix_game import solve_zero_sum

    sampled = found.sampled
    assert sampled is not None
    lines = [words["sampled"].format(games=sampled.games)]
    for a, build in enumerate(sampled.builds):
        cells = [f"{sampled.means[a, b]:+.2f}±{sampled.errors[a, b]:.2f}" for b in range(len(sampled.builds))]
        lines.append(f"  {'  '.join(cells)}  {found.field.name(build)}")
    solved = solve_zero_sum(sampled.means)
    lines.append(words["sampled_nash"])
    for a in np.argsort(-solved.row, kind="stable"):
        if solved.row[a] > 1e-6:
            lines.append(f"  {100 * solved.row[a]:6.2f} %  {found.field.name(sampled.builds[a])}")
    worse = sampled.dominated()
    for low, high, z in worse:
        lines.append(words["sampled_dominated"].format(worse=found.field.name(low), better=found.field.name(high), z=z))
    if not worse:
        lines.append(words["sampled_none"])
    return [*lines, ""]


def csv_of(found: BuildSearch) -> str:
    """The exact payoff matrix: every build a row, every examined opponent a column; first name, count and value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    field, equilibrium = found.field, found.equilibrium
    writer.writerow(["build", "builds", "value", *[field.name(int(k)) for k in equilibrium.columns]])
    for i in range(len(field)):
        row = [f"{v:.6f}" for v in equilibrium.payoffs[i]]
        writer.writerow([field.name(i), int(field.counts[i]), f"{equilibrium.values[i]:.6f}", *row])
    return out.getvalue()


def json_of(found: BuildSearch) -> str:
    """Equilibria as data."""

    def mixture(field: Any, support: list[tuple[int, float]]) -> list[dict[str, Any]]:
        return [{"weight": weight, "character": field.chars[i], "tactic": field.tactics[i]} for i, weight in support]

    data = {
        "weapon": found.weapon,
        "options": found.options,
        "legal_builds": found.legal,
        "distinct_builds": len(found.field),
        "equilibrium": mixture(found.field, found.equilibrium.support()),
        "saga": {str(s.points): mixture(s.field, s.equilibrium.support()) for s in found.advanced},
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def plot(found: BuildSearch, path: Path, lang: str = "en") -> None:
    """The matrix of the best builds, the mixture, and the best value of each attribute triple."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    words = _WORDS[lang]
    equilibrium, field = found.equilibrium, found.field
    examined = {int(k): at for at, k in enumerate(equilibrium.columns)}
    best = [i for i in found.top(len(examined)) if i in examined][:MATRIX]
    best += [k for k in examined if k not in best][: MATRIX - len(best)]
    matrix = np.array([[equilibrium.payoffs[i, examined[j]] for j in best] for i in best])
    names = [describe(field.chars[i], field.tactics[i]).split("; -")[0] for i in best]
    figure = pyplot.figure(figsize=(15, 10), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(3, 1), height_ratios=(3, 1))
    axes = figure.add_subplot(grid[0, 0])
    shown = axes.imshow(matrix, vmin=-1, vmax=1, cmap="RdBu")
    axes.set_yticks(range(len(best)), names, fontsize=6)
    axes.set_xticks(range(len(best)), [str(k + 1) for k in range(len(best))], fontsize=7)
    for y in range(len(best)):
        for x in range(len(best)):
            axes.text(x, y, f"{matrix[y, x]:+.2f}", ha="center", va="center", fontsize=6)
    axes.set_title(words["title"], fontsize=10)
    figure.colorbar(shown, ax=axes, shrink=0.7)
    weights = dict(equilibrium.support())
    bars = figure.add_subplot(grid[0, 1])
    bars.barh(range(len(best)), [weights.get(i, 0.0) for i in best])
    bars.set_yticks(range(len(best)), [str(k + 1) for k in range(len(best))], fontsize=7)
    bars.invert_yaxis()
    bars.set_title(words["weights"], fontsize=10)
    values = found.best_by(triple_of)
    below = figure.add_subplot(grid[1, :])
    below.bar(list(values), list(values.values()))
    below.axhline(0, color="black", linewidth=0.8)
    below.set_title(words["by_triple"], fontsize=10)
    with matplotlib.rc_context({"svg.hashsalt": "probespiel"}):
        figure.savefig(path, dpi=130, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def write(found: BuildSearch, folder: Path, lang: str = "en") -> list[Path]:
    """Write builds.txt, builds.csv, builds.json and builds.svg into a folder; raises ProbespielError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        texts = {"builds.txt": text_of(found, lang), "builds.csv": csv_of(found), "builds.json": json_of(found)}
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        plot(found, folder / "builds.svg", lang)
    except OSError as error:
        raise ProbespielError(f"out = {str(folder)!r} cannot be written: {error.strerror or error}") from None
    return [folder / name for name in (*texts, "builds.svg")]


__all__ = ["csv_of", "json_of", "plot", "text_of", "write"]
