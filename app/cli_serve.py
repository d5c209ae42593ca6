"""`probespiel serve`: all games in the browser."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[
        str, typer.Option("--host", help="address to listen at; 0.0.0.0 lets the whole network in (no passwords)")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="port; 0: any that is free")] = 8000,
    open_: Annotated[bool, typer.Option("--open", help="open a browser, too")] = False,
) -> None:
    """Play in the browser: all games, against agents or several people. Ctrl-C ends it; games are kept."""
    from .web.hall import Hall
    from .web.server import serve as run

    run(Hall(), host, port, open_browser=open_, tell=lambda address: typer.echo(f"probespiel is at {address}"))
