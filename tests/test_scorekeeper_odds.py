"""`probespiel odds scorekeeper`: every number against counting all dice, forms of output, wrong input."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes

from probespiel.app.cli import run
from probespiel.envs.core.errors import RulesetError
from probespiel.envs.scorekeeper import formulas
from probespiel.envs.scorekeeper.armoury import ARMOUR, WEAPONS
from probespiel.evaluation.scorekeeper.exact import stop_per_shot
from probespiel.evaluation.scorekeeper.odds import CLASSES, COLUMNS, Exchange, odds, odds_table, pieces_of
from tests.whole_runs import held

AIM = {"any": 0, "right_leg": 3, "left_leg": 3, "abdomen": 2, "chest": 2, "right_arm": 4, "left_arm": 4, "head": 6}


@cache
def sums(weapon: str, hard: int) -> Counter[int]:
    """How many throws of a weapon's dice give each sum behind hard armour."""
    faces = range(1, WEAPONS[weapon].sides + 1)
    return Counter(sum(max(0, d - hard) for d in dice) for dice in product(faces, repeat=WEAPONS[weapon].dice))


def count(weapon: str, pieces: tuple[str, ...], zone: str, exchange: Exchange) -> dict[str, Fraction]:
    """All dice of one attack, counted by the words of the rules: d20, d20, d20, the weapon's dice, d20."""
    arm, options = WEAPONS[weapon], exchange.options
    hits = [d for d in range(1, 21) if d < exchange.attack - AIM[zone] and d != options["fumble_on"]]
    stopped = [d for d in range(1, 21) if d < exchange.value]
    out = dict.fromkeys((*CLASSES, "stop"), Fraction(0))
    struck = Counter(formulas.hit_zone(d) for d in range(1, 21)) if zone == "any" else Counter({zone: 20})
    bonus = exchange.bonus if arm.bonus or arm.thrown else 0
    for where, times in struck.items():
        worn = [ARMOUR[p] for p in pieces if where in ARMOUR[p].zones or not options["armour_by_zone"]]
        hard, soft = max([0, *(a.hard for a in worn)]), max([0, *(a.soft for a in worn)])
        for through, ways in sums(weapon, hard).items():
            added = bonus
            if options["hard_vs_bonus"] == "needs_die" and through == 0:
                added = 0
            if options["hard_vs_bonus"] == "as_die" and bonus > 0:
                added = max(0, bonus - hard)
            points = max(0, through + added - soft)
            name = "none" if points == 0 else "KR" if points < 7 else "LW" if points < 12 else "SW"
            if points > 15 and not where.endswith(("arm", "leg")):
                name = "dead"
            weight = Fraction(times * ways, 20 * arm.sides**arm.dice)
            out[name] += weight
            if name == "dead":
                out["stop"] += weight
            elif name == "SW":
                half = where == "head"
                up = options["half_shock_rounding"] == "up"
                target = exchange.shock // 2 if half and not up else exchange.shock
                faints = [d for d in range(1, 21) if not (2 * d if half and up else d) < target]
                out["stop"] += weight * Fraction(len(faints), 20)
            elif name == "LW" and where == "head":
                out["stop"] += weight * Fraction(len([d for d in range(1, 21) if d >= exchange.shock]), 20)
    hit, defended = Fraction(len(hits), 20), Fraction(len(stopped), 20)
    through = hit * (1 - defended)
    told = {"hit": hit, "defended": defended, "through": through}
    return {**told, **{c: out[c] for c in CLASSES}, "kill": through * out["dead"], "stop": through * out["stop"]}


EXCHANGES = [
    Exchange.of(),
    Exchange.of(17, parry=13, shock=15, bonus=4, config={"hard_vs_bonus": "needs_die", "fumble_on": 0}),
    Exchange.of(24, save=0, shock=7, bonus=5, config={"hard_vs_bonus": "as_die", "half_shock_rounding": "down"}),
    Exchange.of(3, save=21, bonus=-3, config={"armour_by_zone": False}),
]


@pytest.mark.parametrize("exchange", EXCHANGES, ids=range(4))
def test_every_weapon_against_every_armour(exchange: Exchange) -> None:
    """Every number of the table, exactly."""
    table = odds_table((), ("none", *ARMOUR, "bristol_vest+steel_helmet", "leather_jacket+plate_armour"), exchange)
    assert len(table.rows) == len(WEAPONS) * (len(ARMOUR) + 3) * 8
    for row in table.rows:
        assert row.chances == count(row.weapon, row.armour, row.zone, exchange), row
        assert sum(row.chances[name] for name in CLASSES) == 1


def test_specification() -> None:
    """Numbers of section 7 of the specification."""
    at12 = {zone: odds("magnum", (), zone, Exchange.of()).chances["stop"] for zone in ("any", "chest", "head")}
    assert {zone: round(float(x), 4) for zone, x in at12.items()} == {"any": 0.1812, "chest": 0.1779, "head": 0.1419}
    behind = odds("shotgun", ("bristol_vest",), "chest", Exchange.of()).chances
    assert (behind["none"], behind["KR"]) == (Fraction(243, 1024), Fraction(781, 1024))
    assert odds("shotgun", ("plate_armour",), "chest", Exchange.of()).chances["none"] == 1
    for weapon, armour in (("bow", "kevlar_clothing"), ("copkiller", "bristol_vest")):
        exact = stop_per_shot(weapon, armour, 14, 7, 13)
        for zone, chance in exact.items():
            found = odds(weapon, (armour,), zone, Exchange.of(14, save=7, shock=13))
            assert found.chances["stop"] == chance


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, CSV and plots."""
    paths = [tmp_path / "new" / f"odds.{suffix}" for suffix in ("csv", "svg", "txt")]
    assert run(["odds", "scorekeeper", *(f"--out={path}" for path in paths)]) == 0
    shown = capsys.readouterr()
    assert paths[2].read_text(encoding="utf-8") == shown.out
    assert all(f"{name} (" in shown.out for name in WEAPONS)
    held("odds scorekeeper", {}, paths[0], paths[2])
    assert [line.split() for line in shown.err.splitlines()] == [[str(path)] for path in paths]
    rows = list(csv.DictReader(paths[0].read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(WEAPONS) * (len(ARMOUR) + 1) * 8
    for row in rows[::17]:
        want = count(row["weapon"], pieces_of(row["armour"]), row["zone"], Exchange.of())
        assert {name: Fraction(row[name]) for name in COLUMNS} == want
        assert all(float(row[f"{name}_value"]) == float(value) for name, value in want.items())
    line = next(x for x in shown.out.split("magnum (4d6)")[1].splitlines() if x.startswith("kevlar_clothing"))
    want = count("magnum", ("kevlar_clothing",), "any", Exchange.of())
    head = count("magnum", ("kevlar_clothing",), "head", Exchange.of())
    numbers = [f"{float(want[name]):.4f}" for name in COLUMNS if name != "defended"]
    assert line.split() == ["kevlar_clothing", *numbers, "head", f"{float(head['stop']):.4f}"]
    assert paths[1].read_text(encoding="utf-8").startswith("<?xml")


def test_zones_and_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odds.png"
    arguments = ["--weapon", "club", "--armour", "none", "--armour", "bristol_vest+steel_helmet", "--zones"]
    assert (
        run(["odds", "scorekeeper", *arguments, "--parry", "14", "--bonus", "1", "--lang", "de", f"--out={path}"]) == 0
    )
    assert path.read_bytes()[:4] == b"\x89PNG"
    out = capsys.readouterr().out
    assert "Parade unter 14" in out and "club (2W6) gegen bristol_vest+steel_helmet, nach Zonen" in out
    assert sum(line.startswith("head ") for line in out.splitlines()) == 2
    held("odds scorekeeper by zone", {"lines": out.splitlines()})


def test_blows_that_are_drawn_are_not_aimed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One bar for each armour, of the classes of what got through, though the table has rows for zones."""
    table = odds_table(["club"], ["none", "plate_armour"], Exchange.of(), by_zone=True)
    drawn: list[list[float]] = []
    monkeypatch.setattr(Axes, "barh", lambda axis, at, values, **_: drawn.append(list(values)))
    table.plot(tmp_path / "odds.svg")
    wanted = [odds("club", armour, "any", Exchange.of()).chances for armour in ((), ("plate_armour",))]
    assert drawn == [[float(chances[name]) for chances in wanted] for name in CLASSES]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--weapon", "laser"], "weapon = 'laser' is not allowed"),
        (["--weapon", "bow", "--weapon", "bow"], "each one once"),
        (["--armour", "paper"], "armour = 'paper' is not allowed"),
        (["--armour", ""], "armour = ''"),
        (["--attack", "99"], "attack = 99 is not allowed; allowed: 0..60"),
        (["--save", "-1"], "save = -1"),
        (["--save", "6", "--parry", "8"], "save and parry cannot both be given"),
        (["--shock", "1"], "shock = 1"),
        (["--bonus", "21"], "bonus = 21"),
        (["--set", "fumble_on=19"], "fumble_on = 19"),
        (["--set", "luck=1"], "'luck' = 1"),
        (["--out", "odds.pdf"], ".csv, .txt, .svg or .png"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], arguments: list[str], part: str) -> None:
    assert run(["odds", "scorekeeper", *arguments]) == 2
    err: Any = capsys.readouterr().err.splitlines()
    assert len(err) == 1 and err[0].startswith("error: ") and part in err[0]


def test_errors_are_specific() -> None:
    with pytest.raises(RulesetError, match="attack = True"):
        Exchange.of(True)
    with pytest.raises(RulesetError, match="armour = 'hat'"):
        pieces_of("steel_helmet+hat")
