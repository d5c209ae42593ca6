"""`probespiel odds SYSTEM`: exact odds; every system has its own table and its own options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .common import Lang, Language, Options, pairs

app = typer.Typer(
    help="Exact odds of a system's rules, in fractions.", add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None,
)  # fmt: skip


def ews_rps(
    low: Annotated[int, typer.Option("--low", help="lowest difference")] = -12,
    high: Annotated[int, typer.Option("--high", help="highest difference")] = 12,
    options: Options = None,
    opponent: Annotated[
        str | None,
        typer.Option("--opponent", help="weights of rock, paper, scissors: adds the best reply, e.g. 1/2,3/10,1/5"),
    ] = None,
    scenario: Annotated[str | None, typer.Option("--scenario", help="a preset: adds the value of its match")] = None,
    out: Annotated[
        list[Path] | None, typer.Option("--out", help="file to write, by suffix .csv, .txt, .svg or .png; repeatable")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Chances of success by difference, by rock-paper-scissors and by the plus/minus die."""
    from ..evaluation.ews_rps.odds import odds_table, weights_of

    weights = None if opponent is None else weights_of(opponent)
    table = odds_table(pairs(options or (), "option"), low, high, weights, scenario, lang.value)
    for path in out or ():
        table.write(path)
        typer.echo(str(path), err=True)
    typer.echo(table.text(), nl=False)


def scorekeeper(
    weapon: Annotated[list[str] | None, typer.Option("--weapon", help="only this one; repeatable")] = None,
    armour: Annotated[
        list[str] | None, typer.Option("--armour", help="only this: none, a piece, or pieces like a+b; repeatable")
    ] = None,
    attack: Annotated[int, typer.Option("--attack", help="attack value")] = 12,
    save: Annotated[int | None, typer.Option("--save", help="saving throw of the target (default 6), 0: none")] = None,
    parry: Annotated[int | None, typer.Option("--parry", help="it parries instead, under this value")] = None,
    shock: Annotated[int, typer.Option("--shock", help="shock value of the target, RES + WIL")] = 12,
    bonus: Annotated[int, typer.Option("--bonus", help="damage bonus of the attacker")] = 0,
    zones: Annotated[bool, typer.Option("--zones", help="a line for every zone")] = False,
    options: Options = None,
    out: Annotated[
        list[Path] | None, typer.Option("--out", help="file to write, by suffix .csv, .txt, .svg or .png; repeatable")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Chances of hit, defence and damage classes: every weapon against every armour."""
    from ..evaluation.scorekeeper.odds import Exchange, odds_table

    exchange = Exchange.of(attack, save, parry, shock, bonus, pairs(options or (), "option"))
    table = odds_table(weapon or (), armour or (), exchange, zones, lang.value)
    for path in out or ():
        table.write(path)
        typer.echo(str(path), err=True)
    typer.echo(table.text(), nl=False)


def oneshot(
    counts: Annotated[int, typer.Option("--counts", help="length of a fight for the tables of turns")] = 60,
    options: Options = None,
    out: Annotated[
        list[Path] | None, typer.Option("--out", help="file to write, by suffix .csv, .txt, .svg or .png; repeatable")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Tests, attacks and wounds, turns by initiative, survival, edges, lies, and the heroes of the kit."""
    from ..evaluation.oneshot.odds import odds_tables

    tables = odds_tables(pairs(options or (), "option"), counts, lang.value)
    for path in out or ():
        tables.write(path)
        typer.echo(str(path), err=True)
    typer.echo(tables.text(), nl=False)


ODDS: dict[str, Callable[..., Any]] = {"ews_rps": ews_rps, "scorekeeper": scorekeeper, "oneshot": oneshot}
for _system, _command in ODDS.items():
    app.command(_system)(_command)


@app.callback(invoke_without_command=True)
def odds(context: typer.Context) -> None:
    """Exact odds of a system's rules, in fractions."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
