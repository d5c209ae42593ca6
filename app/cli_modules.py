"""`probespiel new-module NAME`, `hooks SYSTEM` and `fields SYSTEM`: where a rule module of one's own begins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..envs.core.modules import Interface, document
from ..envs.core.registry import package_of, system, system_of


def _system_named(name: str) -> str:
    """The system of that name, or of the game of that name; raises RulesetError."""
    try:
        return system_of(name).name
    except ValueError:
        return system(name).name


def new_module(
    name: Annotated[str, typer.Argument(metavar="NAME", help="name of the module: small letters, digits and _")],
    of: Annotated[str, typer.Option("--system", help="the rules system (or one of its games) that it changes")],
    folder: Annotated[Path, typer.Option("--folder", help="folder to write into (default: this one)")] = Path("."),
) -> None:
    """Write a rule module that works, to be changed into your own, and a file of tests beside it.

    Nothing is overwritten.
    """
    which = _system_named(of)
    files = document.skeleton(package_of(which), system(which).interface, name)
    module, tests = document.write_files(files, folder)
    typer.echo(f"{module}: the module, a worked example; change it into your rule")
    typer.echo(f"{tests}: its tests; run them with: pytest {tests}")
    typer.echo(f"check it with: probespiel verify --module {module}")
    typer.echo(f"play it with:  probespiel play {system(which).games[0]} --module {module}")


def hooks(
    name: Annotated[str, typer.Argument(metavar="SYSTEM", help="a rules system, or one of its games")],
    markdown: Annotated[bool, typer.Option("--markdown", help="as Markdown tables")] = False,
) -> None:
    """List the hook points of a system in the order of play, and the services that hooks may call."""
    interface = system(_system_named(name)).interface
    if markdown:
        typer.echo(document.hook_table(interface))
        typer.echo(document.service_table(interface) if interface.services else "", nl=False)
        return
    for head, kind, moment, answer in document.hook_rows(interface):
        typer.echo(head)
        typer.echo(f"    {kind}: {moment}{f'; answers {answer}' if answer else ''}")
    for what, names in document.facts(interface):
        typer.echo(f"{what}: {names}")
    _services(interface)


def fields(
    name: Annotated[str, typer.Argument(metavar="SYSTEM", help="a rules system, or one of its games")],
    markdown: Annotated[bool, typer.Option("--markdown", help="as Markdown tables")] = False,
) -> None:
    """List what hooks of a system can read and write: state, parameters, constants, services, with their values."""
    interface = system(_system_named(name)).interface
    if markdown:
        typer.echo(document.field_table(interface))
        typer.echo(document.service_table(interface) if interface.services else "", nl=False)
        return
    for part, rows in document.field_rows(interface).items():
        typer.echo(f"{part}:")
        for field, values, meaning in rows:
            typer.echo(f"    {field}: {meaning} ({values})")
    _services(interface)


def _services(interface: Interface) -> None:
    before = ""
    for topic, head, text in document.service_rows(interface):
        if topic != before:
            typer.echo(f"services for {topic}:")
            before = topic
        typer.echo(f"    {head}: {text}")
