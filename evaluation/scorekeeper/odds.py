"""The exact odds of Scorekeeper: hit, defence and damage classes of every weapon against every armour, by enumeration.

As text, as CSV and as a plot. Everything is about one attack on a fresh target whom no single wound fills up (RES 3 or
more). Chances are fractions; nothing is simulated.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...envs.core.errors import ProbespielError
from ...envs.scorekeeper import state as st
from ...envs.scorekeeper.armoury import ARMOUR, WEAPONS
from ...envs.scorekeeper.formulas import aim_penalty, half_target, success_probability
from ...envs.scorekeeper.params import check_armour, check_config, refuse, whole
from .chances import LIMBS, ZERO, ZONE_CHANCES, class_chances, weapon_of

CLASSES = ("none", "KR", "LW", "SW", "dead")  # of a blow that got through; a lethal wound of a limb is severe (R51)
COLUMNS = ("hit", "defended", "through", *CLASSES, "kill", "stop")
HIGHEST = 30  # attack and defence values in the table of checks
DEFENCES = ("save", "parry", "take")
_WORDS = {
    "en": {
        "checks": "Chance of a check by its value, and with one fate point for a repetition:",
        "value": "value",
        "attack": "attack",
        "other": "other check",
        "attack_fate": "attack, fate",
        "other_fate": "other, fate",
        "title": "One attack under {attack}, {defence}, shock value {shock}, damage bonus {bonus:+d}",
        "save": "save under {value}",
        "parry": "parry under {value}",
        "take": "no defence",
        "armour": "armour",
        "bare": "none",
        "best": "best zone",
        "hit": "hit",
        "defended": "defended",
        "through": "through",
        "zone": "zone",
        "none": "no wound",
        "KR": "KR",
        "LW": "LW",
        "SW": "SW",
        "dead": "dead",
        "kill": "kill",
        "stop": "stop",
        "unaimed": "{weapon} ({dice}): unaimed, and the zone with the best chance to stop",
        "zones": "{weapon} ({dice}) against {armour}, by zone",
        "legend": "no wound to dead: of a blow that got through; kill, stop: of one attack, at once dead, or dead or "
        "fainted.",
        "plot": "classes of an unaimed blow that got through",
    },
    "de": {
        "checks": "Chance einer Probe nach ihrem Wert, und mit einem Schicksalspunkt für die Wiederholung:",
        "value": "Wert",
        "attack": "Angriff",
        "other": "andere Probe",
        "attack_fate": "Angriff, Schicksal",
        "other_fate": "andere, Schicksal",
        "title": "Ein Angriff unter {attack}, {defence}, Schockwert {shock}, Schadensbonus {bonus:+d}",
        "save": "Rettungswurf unter {value}",
        "parry": "Parade unter {value}",
        "take": "keine Abwehr",
        "armour": "Rüstung",
        "bare": "keine",
        "best": "beste Zone",
        "hit": "Treffer",
        "defended": "abgewehrt",
        "through": "durch",
        "zone": "Zone",
        "none": "nichts",
        "KR": "KR",
        "LW": "LW",
        "SW": "SW",
        "dead": "tot",
        "kill": "tödlich",
        "stop": "gestoppt",
        "unaimed": "{weapon} ({dice}): ungezielt, und die Zone mit der besten Aussicht zu stoppen",
        "zones": "{weapon} ({dice}) gegen {armour}, nach Zonen",
        "legend": "nichts bis tot: eines Treffers, der durchkam; tödlich, gestoppt: eines Angriffs, sofort tot, oder "
        "tot oder ohnmächtig.",
        "plot": "Schadensklassen eines ungezielten Treffers, der durchkam",
    },
}


@dataclass(frozen=True)
class Exchange:
    """What one attack meets: values of attack and defence, shock value, damage bonus, and options of the rules.

    `defence` is `save`, `parry` or `take` with its value; `options` are those of the scenario (section 5).
    """

    attack: int = 12
    defence: str = "save"
    value: int = 6
    shock: int = 12
    bonus: int = 0
    options: Mapping[str, Any] = field(default_factory=lambda: check_config({}))

    @classmethod
    def of(
        cls,
        attack: int = 12,
        save: int | None = None,
        parry: int | None = None,
        shock: int = 12,
        bonus: int = 0,
        config: Mapping[str, Any] | None = None,
    ) -> Exchange:
        """A checked one; without save and parry a save under 6. A value of 0 is no defence. Raises RulesetError."""
        whole(0, 60)("attack", attack)
        whole(2, 40)("shock", shock)
        whole(-5, 20)("bonus", bonus)
        if save is not None and parry is not None:
            raise ProbespielError("save and parry cannot both be given: a target chooses one defence (R24)")
        name, value = ("parry", parry) if parry is not None else ("save", 6 if save is None else save)
        whole(0, 60)(name, value)
        return cls(attack, name if value else "take", int(value or 0), shock, bonus, check_config(config or {}))

    @property
    def defended(self) -> Fraction:
        """Chance that a hit is stopped (R25, R32)."""
        return success_probability(self.value)

    def hit(self, zone: str) -> Fraction:
        """Chance to hit when aiming at a zone word (R22, R23, R29)."""
        return success_probability(self.attack - aim_penalty(zone), self.options["fumble_on"])


@dataclass(frozen=True)
class Odds:
    """One row: a weapon against armour, aimed at a zone word."""

    weapon: str
    armour: tuple[str, ...]
    zone: str
    chances: Mapping[str, Fraction]  # of COLUMNS

    @property
    def wearing(self) -> str:
        """The armour in a word."""
        return "+".join(self.armour) or "none"


def protection(pieces: Sequence[str], zone: str, by_zone: bool) -> tuple[int, int]:
    """R47: hard and soft armour at a zone."""
    worn = [ARMOUR[name] for name in pieces if not by_zone or zone in ARMOUR[name].zones]
    return max((a.hard for a in worn), default=0), max((a.soft for a in worn), default=0)


def struck(weapon: str, pieces: Sequence[str], zone: str, exchange: Exchange) -> dict[str, Fraction]:
    """Chances of CLASSES of a blow that got through at a zone, and `kill` and `stop` of it (R44 to R47, R51, R60)."""
    options = exchange.options
    hard, soft = protection(pieces, zone, options["armour_by_zone"])
    found = class_chances(weapon, hard, soft, exchange.bonus, options["hard_vs_bonus"])
    out = {name: found[name] for name in CLASSES[:-1]} | {"dead": ZERO}
    out["SW" if zone in LIMBS else "dead"] += found["TW"]
    head = zone == "head"
    half = half_target(exchange.shock, options["half_shock_rounding"])
    faint = {"SW": half if head else exchange.shock, "LW": exchange.shock if head else HIGHEST}
    stop = sum((out[name] * (1 - success_probability(value)) for name, value in faint.items()), out["dead"])
    return out | {"kill": out["dead"], "stop": stop}


def odds(weapon: str, pieces: Sequence[str], zone: str, exchange: Exchange) -> Odds:
    """One row; `zone` is a zone word, `any` for an unaimed attack (R42)."""
    if zone == "any":
        parts = [(chance, struck(weapon, pieces, z, exchange)) for z, chance in ZONE_CHANCES.items()]
        blow = {name: sum((chance * part[name] for chance, part in parts), ZERO) for name in (*CLASSES, "kill", "stop")}
    else:
        blow = struck(weapon, pieces, zone, exchange)
    hit = exchange.hit(zone)
    through = hit * (1 - exchange.defended)
    chances = {"hit": hit, "defended": exchange.defended, "through": through}
    chances |= {name: blow[name] for name in CLASSES} | {name: through * blow[name] for name in ("kill", "stop")}
    return Odds(weapon, tuple(pieces), zone, chances)


@dataclass(frozen=True)
class OddsTable:
    """All rows for some weapons, armours and zones, and what is told about them."""

    exchange: Exchange
    rows: tuple[Odds, ...]
    by_zone: bool
    lang: str

    @property
    def words(self) -> Mapping[str, str]:
        """Words of the language."""
        return _WORDS[self.lang]

    def title(self) -> str:
        """What the attack meets."""
        one = self.exchange
        defence = self.words[one.defence].format(value=one.value)
        return self.words["title"].format(attack=one.attack, defence=defence, shock=one.shock, bonus=one.bonus)

    def checks(self) -> list[str]:
        """The table of checks, as lines."""
        words = self.words
        head = [words[name] for name in ("value", "attack", "other", "attack_fate", "other_fate")]
        body = []
        for value in range(1, 22):
            chances = [success_probability(value, self.exchange.options["fumble_on"]), success_probability(value)]
            both = [*chances, *(1 - (1 - chance) ** 2 for chance in chances)]
            body.append([str(value), *(f"{float(chance):.4f}" for chance in both)])
        return [words["checks"], *aligned([head, *body])]

    def text(self) -> str:
        """The tables for reading."""
        words = self.words
        lines = [*self.checks(), "", self.title(), words["legend"]]
        for group in self._groups():
            first = group[0]
            arm = WEAPONS[first.weapon]
            shown = dict(weapon=first.weapon, dice=arm.told(self.lang), armour=self._armour(first))
            lines += ["", words["zones" if self.by_zone else "unaimed"].format(**shown)]
            names = [name for name in COLUMNS if name != "defended"]
            head = [words["zone" if self.by_zone else "armour"], *(words[name] for name in names)]
            if not self.by_zone:
                head += [words["best"], words["stop"]]
            body = []
            for row in group:
                if row.zone != "any" and not self.by_zone:
                    continue
                cells = [row.zone if self.by_zone else self._armour(row)]
                cells += [f"{float(row.chances[name]):.4f}" for name in names]
                if not self.by_zone:
                    best = self.best(row)
                    cells += [best.zone, f"{float(best.chances['stop']):.4f}"]
                body.append(cells)
            lines += aligned([head, *body])
        return "\n".join(lines) + "\n"

    def _armour(self, row: Odds) -> str:
        return row.wearing if row.armour else self.words["bare"]

    def _groups(self) -> list[list[Odds]]:
        groups: dict[tuple[str, ...], list[Odds]] = {}
        for row in self.rows:
            key = (row.weapon, row.wearing) if self.by_zone else (row.weapon,)
            groups.setdefault(key, []).append(row)
        return list(groups.values())

    def best(self, row: Odds) -> Odds:
        """The zone word with the best chance to stop (7.4), for the weapon and armour of a row."""
        same = [r for r in self.rows if (r.weapon, r.armour) == (row.weapon, row.armour)]
        return max(same, key=lambda r: r.chances["stop"])

    def csv(self) -> str:
        """The rows for machines, all zones: every fraction exactly, and its value beside it."""
        out = io.StringIO()
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(["weapon", "dice", "armour", "zone", *(p for n in COLUMNS for p in (n, f"{n}_value"))])
        for row in self.rows:
            values = [part for n in COLUMNS for part in (str(row.chances[n]), repr(float(row.chances[n])))]
            lines.writerow([row.weapon, WEAPONS[row.weapon].notation, row.wearing, row.zone, *values])
        return out.getvalue()

    def plot(self, path: Path) -> None:
        """Bars of the classes of an unaimed blow that got through, every weapon against every armour."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        shown = [row for row in self.rows if row.zone == "any"]
        weapons = list(dict.fromkeys(row.weapon for row in shown))
        columns = min(4, len(weapons))
        lines = -(-len(weapons) // columns)
        size = (3.2 * columns + 1.5, 2.4 * lines + 0.8)
        figure, axes = pyplot.subplots(lines, columns, figsize=size, layout="constrained", squeeze=False, sharex=True)
        colours = ("#d9d9d9", "#fee391", "#fe9929", "#cc4c02", "#662506")
        for place in range(lines * columns):
            axis = axes[place // columns][place % columns]
            if place >= len(weapons):
                axis.set_visible(False)
                continue
            rows = [row for row in shown if row.weapon == weapons[place]]
            left = [0.0] * len(rows)
            labels = [self._armour(row) for row in rows]
            for name, colour in zip(CLASSES, colours):
                values = [float(row.chances[name]) for row in rows]
                axis.barh(range(len(rows)), values, left=left, color=colour, label=self.words[name])
                left = [a + b for a, b in zip(left, values)]
            axis.set_yticks(range(len(rows)), labels, fontsize=7)
            axis.invert_yaxis()
            axis.set_xlim(0, 1)
            axis.set_title(f"{weapons[place]} ({WEAPONS[weapons[place]].told(self.lang)})", fontsize=9)
        handles, names = axes[0][0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper right", ncols=len(names), fontsize=8)
        figure.suptitle(self.words["plot"], x=0.02, ha="left", fontsize=10)
        with matplotlib.rc_context({"svg.hashsalt": "probespiel"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
        pyplot.close(figure)

    def write(self, path: Path) -> None:
        """Write the tables in the form that the suffix names: .csv, .txt, .svg or .png; raises ProbespielError."""
        if path.suffix not in (".csv", ".txt", ".svg", ".png"):
            raise ProbespielError(f"out = {str(path)!r} is not allowed: a file ending in .csv, .txt, .svg or .png")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".svg", ".png"):
            self.plot(path)
        else:
            path.write_text(self.csv() if path.suffix == ".csv" else self.text(), encoding="utf-8")


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Cells as lines of a table, the first column to the left."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return [
        "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip()
        for line in lines
    ]


def pieces_of(text: str) -> tuple[str, ...]:
    """Armour in a word: `none`, a piece, or pieces with + between them; raises RulesetError."""
    return () if text == "none" else tuple(check_armour(text.split("+")))


def odds_table(
    weapons: Sequence[str] = (),
    armour: Sequence[str] = (),
    exchange: Exchange | None = None,
    by_zone: bool = False,
    lang: str = "en",
) -> OddsTable:
    """The odds of some weapons (none: all) against some armour (none: bare, and every piece); raises RulesetError."""
    arms = [name for name in weapons or WEAPONS if weapon_of(name)]
    worn = [pieces_of(text) for text in (armour or ("none", *ARMOUR))]
    for what, names in (("weapon", arms), ("armour", ["+".join(pieces) or "none" for pieces in worn])):
        for name in names:
            if names.count(name) > 1:
                raise refuse(what, name, "each one once")
    met = exchange or Exchange.of()
    rows = tuple(odds(arm, pieces, zone, met) for arm in arms for pieces in worn for zone in st.ZONE_CODES)
    return OddsTable(met, rows, by_zone, lang)


__all__ = ["CLASSES", "COLUMNS", "Exchange", "Odds", "OddsTable", "odds", "odds_table", "pieces_of"]
