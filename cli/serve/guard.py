"""Guard every request: hosts, origins, the token, and the headers of every answer."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from burgrave.cli.serve.entrance import Entrance, Visitor
from burgrave.cli.serve.limits import GUESS_SECONDS, RETRY_SECONDS, VISITOR_REQUESTS

LOOPBACK = "127.0.0.1"
SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Nothing but the page's own scripts and styles runs, and no other page can read or show it."""


def is_loopback(host: str) -> bool:
    """Tell whether a host name, without its port, stands for this machine alone.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("localhost.example.org")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


def _split(authority: str) -> tuple[str, str]:
    """Return host and port of an authority, ``localhost:8642``."""
    host, colon, port = authority.rpartition(":")
    return (host, port) if colon and not authority.endswith("]") else (authority, "")


def refusal(scope: Scope, headers: Headers, entrance: Entrance | None = None) -> str | None:
    """Return the reason to refuse a request, or None.

    A name that another site points at this machine (DNS rebinding) arrives with a foreign Host. A
    request of another page arrives with a foreign Origin.

    Args:
        scope: the request.
        headers: its headers.
        entrance: the way in from the network; None for a page of this machine alone.

    """
    hosts = headers.getlist("host")
    if len(hosts) != 1:
        return "a request must name one Host"
    host, port = _split(hosts[0])
    server = scope.get("server") or ("", 0)
    ours = is_loopback(host) if entrance is None else host == entrance.host
    if not ours or port != str(server[1]):
        return "this page answers under the address of this machine alone"
    origins = headers.getlist("origin")
    if any(origin != f"http://{hosts[0]}" for origin in origins):
        return "requests of other pages are refused"
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return "requests of other pages are refused"
    return None


class Guard:
    """Turns foreign requests away and adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, entrance: Entrance | None = None) -> None:
        """Stand before an application.

        Args:
            app: the application.
            entrance: the way in from the network; None for a page of this machine alone.

        """
        self.app = app
        self.entrance = entrance
        self._at_work: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or turn it away."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        begun = False

        async def safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _harden(message, self.entrance)
            await send(message)

        try:
            await self._answer(scope, receive, safely)
        except asyncio.CancelledError:
            # The page ends; the server would print a traceback for what it has to break off.
            if not begun:
                reply = JSONResponse({"error": "the page has ended", "problems": []}, 503)
                await reply(scope, receive, safely)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that may be foreign."""
        why = refusal(scope, Headers(scope=scope), self.entrance)
        if self.entrance is not None:
            await self._let_in(self.entrance, why, scope, receive, send)
        elif why is None:
            await self.app(scope, receive, send)
        else:
            await JSONResponse({"error": why, "problems": []}, 403)(scope, receive, send)

    async def _let_in(
        self, entrance: Entrance, why: str | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer requests with the token; refuse all others without a reason."""
        visitor = entrance.visitor(scope)
        reply: Response | None = None
        if why is not None:
            reply = Response(status_code=403)
        elif entrance.opened(scope):
            # The new address has no token, so that neither the screen nor the history keeps it.
            reply = Response(
                status_code=303, headers={"Location": "/", "Cache-Control": "no-store"}
            )
            if visitor is None:
                reply.headers["Set-Cookie"] = entrance.pass_on()
        elif visitor is None:
            if entrance.guessed(scope):
                await asyncio.sleep(GUESS_SECONDS)
            reply = Response(status_code=401)
        elif self._at_work[visitor.address] >= VISITOR_REQUESTS:
            reply = JSONResponse(
                {"error": "too many requests of one machine at once", "problems": []},
                429,
                {"Retry-After": str(RETRY_SECONDS)},
            )
        if reply is None:
            assert visitor is not None
            await self._visit(visitor, scope, receive, send)
        else:
            await reply(scope, receive, send)

    async def _visit(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a visitor."""
        scope.setdefault("state", {})["visitor"] = visitor
        self._at_work[visitor.address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._at_work[visitor.address] -= 1
            self._at_work += Counter()  # forgets who has nothing at work


def _harden(message: MutableMapping[str, Any], entrance: Entrance | None) -> None:
    """Add the safe headers to the beginning of an answer."""
    headers = MutableHeaders(scope=message)
    for name, value in SAFE_HEADERS.items():
        # A browser heeds this one on its own machine and over TLS alone, and complains elsewhere.
        if entrance is None or name != "Cross-Origin-Opener-Policy":
            headers.setdefault(name, value)
