"""The server: addresses and their handlers behind the guard, and how it is started."""

from __future__ import annotations

import contextlib
import signal
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ...envs.core.errors import ProbespielError
from ..common import told
from .guard import Guard, Limiter, Refused
from .hall import Hall
from .lessons import Lessons
from .pages import Pages
from .runpages import RunPages
from .screens import screen_folders
from .viewing import Viewing

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HERE = Path(__file__).resolve().parent


def application(hall: Hall, hosts: tuple[str, ...] = LOOPBACK, limiter: Limiter | None = None) -> Guard:
    """The whole application; `hosts` are the names by which it may be called (empty: any)."""
    pages = Pages(hall)
    folders = screen_folders()

    async def style(request: Request) -> Response:
        folder = folders.get(request.path_params["system"])
        if folder is None or not (folder / "screen.css").is_file():
            raise Refused(404, "not_found")
        return FileResponse(folder / "screen.css", media_type="text/css")

    async def missing(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        return pages.refused(request, Refused(status, "wrong_method" if status == 405 else "not_found"))

    def get(path: str, handler: Callable[[Request], object]) -> Route:
        return Route(path, pages.guarded(handler), methods=["GET"])

    def post(path: str, handler: Callable[[Request], object]) -> Route:
        return Route(path, pages.guarded(handler), methods=["POST"])

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        hall.close()

    viewing, runs = Viewing(pages), RunPages(pages)
    viewing_routes = []
    for base in ("/game/{id}/view", "/watch/{secret}"):
        viewing_routes += [
            get(base, viewing.show),
            get(f"{base}/export", viewing.export),
            post(f"{base}/branch", viewing.branch),
            post(f"{base}/analyse", viewing.analyse),
        ]

    inner = Starlette(
        routes=[
            get("/", pages.home),
            get("/language", pages.language),
            get("/stats", pages.stats),
            get("/new/{game}", pages.setup),
            get("/rules/{game}", pages.rules),
            get("/learn/{game}", Lessons(pages).show),
            post("/new", pages.create),
            get("/game/{id}", pages.game),
            post("/game/{id}/act", pages.act),
            post("/game/{id}/undo", pages.undo),
            post("/game/{id}/hint", pages.hint),
            post("/game/{id}/bar", pages.bar),
            post("/game/{id}/uncover", pages.uncover),
            post("/game/{id}/invite", pages.invite),
            post("/game/{id}/forget", pages.forget),
            get("/game/{id}/replay", pages.replay),
            get("/game/{id}/rules", pages.room_rules),
            *viewing_routes,
            get("/join/{secret}", pages.door),
            post("/join/{secret}", pages.join),
            get("/runs/{system}", runs.setup),
            post("/runs", runs.create),
            get("/run/{id}", runs.show),
            post("/run/{id}/answer", runs.answer),
            post("/run/{id}/back", runs.back),
            post("/run/{id}/play", runs.play),
            post("/run/{id}/forget", runs.forget),
            get("/static/screen/{system}.css", style),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        exception_handlers={404: missing, 405: missing},
        lifespan=lifespan,
    )
    return Guard(inner, hosts=hosts, refuse=pages.refuse, limiter=limiter or Limiter())


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ProbespielError if it cannot be had."""
    if not host.strip():  # which sockets take for all addresses
        raise ProbespielError(
            f"--host {host!r} is no address: 127.0.0.1 for this machine, 0.0.0.0 for the whole network"
        )
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)  # before the address is told: who comes early waits
    except OSError as error:
        found.close()
        raise ProbespielError(
            f"--host {host} --port {port}: {told(error)}; choose another address or port; port 0 is any that is free"
        ) from error
    return found


def serve(
    hall: Hall,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    path: str = "/",
    open_browser: bool = False,
    tell: Callable[[str], None] = print,
) -> None:
    """Run the server until it is interrupted; `path` is the page whose address is told."""
    listener = bound(host, port)
    shown = host if ":" not in host else f"[{host}]"
    address = f"http://{shown}:{listener.getsockname()[1]}{path}"
    hosts = (*LOOPBACK, host) if host in LOOPBACK else ()
    config = uvicorn.Config(
        application(hall, hosts),
        log_level="warning",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
        limit_concurrency=1_000,
        h11_max_incomplete_event_size=32_768,
    )
    tell(address)
    if open_browser:
        webbrowser.open(address)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it takes its leave as after Ctrl-C
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


__all__ = ["application", "serve"]
