"""Guard every request: hosts, origins, methods, and the headers of every answer."""

from __future__ import annotations

import ipaddress
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


def refusal(scope: Scope, headers: Headers) -> str | None:
    """Return the reason to refuse a request, or None.

    A name that another site points at this machine (DNS rebinding) arrives with a foreign Host. A
    request of another page arrives with a foreign Origin.
    """
    hosts = headers.getlist("host")
    if len(hosts) != 1:
        return "a request must name one Host"
    host, port = _split(hosts[0])
    server = scope.get("server") or ("", 0)
    if not is_loopback(host) or port != str(server[1]):
        return "this page answers under the address of this machine alone"
    origins = headers.getlist("origin")
    if any(origin != f"http://{hosts[0]}" for origin in origins):
        return "requests of other pages are refused"
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return "requests of other pages are refused"
    return None


class Guard:
    """Turns foreign requests away and adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or turn it away."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                _harden(message)
            await send(message)

        why = refusal(scope, Headers(scope=scope))
        if why is None:
            await self.app(scope, receive, safely)
        else:
            await JSONResponse({"error": why, "problems": []}, 403)(scope, receive, safely)


def _harden(message: MutableMapping[str, Any]) -> None:
    """Add the safe headers to the beginning of an answer."""
    headers = MutableHeaders(scope=message)
    for name, value in SAFE_HEADERS.items():
        headers.setdefault(name, value)
