"""What stands before every page: who is asking, whether a form is ours, how much may be sent, and how often.

A browser is known by a cookie with 256 random bits; forms carry a token that only the server can make for that cookie.
Nothing of a page may come from elsewhere, and no page may be shown inside another.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "probespiel"
TOKEN = "token"
MAX_BODY = 16_384  # bytes of a form
MAX_FIELDS = 200
MAX_TARGET = 2_048  # characters of path and query
RATE, BURST = 40.0, 200.0  # requests a second of one browser in the long run, and at once
_KNOWN_BUCKETS = 10_000
_COOKIE = re.compile(r"[A-Za-z0-9_-]{43}")
_YEAR = 365 * 86_400
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Refused(Exception):
    """A request that is not answered: the status, and the key of what the person is told (see `words.py`)."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status, self.key, self.values = status, key, values


@dataclass(frozen=True)
class Visitor:
    """A browser: its secret name, and whether it has been given that with this answer."""

    name: str
    fresh: bool

    @property
    def owner(self) -> str:
        """What may be written down of a browser: a hash of its name."""
        return owner_of(self.name)


def owner_of(name: str) -> str:
    """The hash by which a browser's games are found again, 64 hex digits."""
    return hashlib.sha256(name.encode()).hexdigest()


def token_for(key: bytes, name: str) -> str:
    """The token of a browser's forms; it cannot be made without the server's key (bytes of any length)."""
    return hmac.new(key, name.encode(), "sha256").hexdigest()


def visitor_of(headers: Headers) -> Visitor:
    """Who is asking; somebody without a valid cookie gets a fresh name."""
    jar = SimpleCookie()
    try:
        jar.load(headers.get("cookie", "")[:4_096])
    except CookieError:
        jar.clear()
    name = jar[COOKIE].value if COOKIE in jar else ""
    if _COOKIE.fullmatch(name):
        return Visitor(name, False)
    return Visitor(secrets.token_urlsafe(32), True)


class Limiter:
    """A bucket of tokens a browser: `rate` a second flow in, `burst` fit."""

    def __init__(self, rate: float = RATE, burst: float = BURST, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str, cost: float = 1.0) -> bool:
        """Whether `who` may do something that costs so much; if so, it is paid for."""
        now = self.clock()
        left, last = self._buckets.pop(who, (self.burst, now))
        left = min(self.burst, left + (now - last) * self.rate)
        allowed = left >= cost
        self._buckets[who] = (left - cost if allowed else left, now)
        while len(self._buckets) > _KNOWN_BUCKETS:
            self._buckets.popitem(last=False)
        return allowed


class Guard:
    """The outer layer of the application: headers, cookie, hosts, sizes, rates, and where forms come from.

    `hosts`: names by which the server may be called (empty: any); a page of somebody else that lets its own name point
    to this machine is refused by them. `refuse` makes the answer to a request that is not allowed.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Collection[str], refuse: Callable[[Scope, Refused], Any], limiter: Limiter
    ) -> None:
        self.app, self.hosts, self.refuse, self.limiter = app, frozenset(hosts), refuse, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        visitor = visitor_of(headers)
        scope.setdefault("state", {})["visitor"] = visitor
        still = scope["path"].startswith("/static/")

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out[name] = value
                if not still:
                    out["cache-control"] = "no-store"
                    if visitor.fresh and scope["state"].get("keep", True):
                        out.append(
                            "set-cookie",
                            f"{COOKIE}={visitor.name}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Strict",
                        )
            await send(message)

        try:
            self._check(scope, headers, visitor)
        except Refused as wrong:
            scope["state"]["keep"] = False
            await self.refuse(scope, wrong)(scope, receive, answer)
            return
        await self.app(scope, receive, answer)

    def _check(self, scope: Scope, headers: Headers, visitor: Visitor) -> None:
        client = scope.get("client")
        who = visitor.name if not visitor.fresh else (client[0] if client else "nobody")
        if not self.limiter.take(who):
            raise Refused(429, "too_fast")
        if len(scope["path"]) + len(scope.get("query_string", b"")) > MAX_TARGET:
            raise Refused(414, "too_large")
        host = headers.get("host", "")
        if self.hosts and host_name(host) not in self.hosts:
            raise Refused(421, "wrong_host")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refused(405, "wrong_method")
        if scope["method"] == "POST":
            origin = headers.get("origin")
            if origin is None and headers.get("sec-fetch-site") not in (None, "same-origin"):
                raise Refused(403, "foreign_form")
            if origin is not None and urlsplit_host(origin) != host.lower():
                raise Refused(403, "foreign_form")
            if visitor.fresh:
                raise Refused(403, "no_cookie")


def host_name(host: str) -> str:
    """The name in a Host header, without the port, in small letters."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.rpartition(":")[0] if ":" in name else name


def urlsplit_host(origin: str) -> str:
    """Host and port of an origin, or an empty text for what is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


async def form_of(request: Request, key: bytes) -> dict[str, list[str]]:
    """The fields of a form that one of our own pages sent; raises Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refused(415, "bad_form")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Refused(413, "too_large")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError:  # no ASCII, no UTF-8 behind the percent signs, too many fields
        raise Refused(400, "bad_form") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    sent = fields.pop(TOKEN, [""])[0]
    if not hmac.compare_digest(sent.encode(), token_for(key, request.state.visitor.name).encode()):
        raise Refused(403, "foreign_form")
    return fields


Handler = Callable[[Request], Awaitable[Any]]

__all__ = ["COOKIE", "Guard", "Limiter", "Refused", "Visitor", "form_of", "host_name", "owner_of", "token_for"]
