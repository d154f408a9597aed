"""Connections that send nothing, or half a request, keep nobody from the page."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from burgrave.cli.serve import connections, guard
from burgrave.cli.serve.connections import Connection
from burgrave.cli.serve.entrance import Entrance
from burgrave.cli.serve.guard import Guard

WAIT = 30


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer every request."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.fixture
def port() -> Iterator[int]:
    """Run a small server with the page's connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(hello, log_level="warning", lifespan="off", http=Connection, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(WAIT)
    listener.close()


def half_open(port: int) -> socket.socket:
    """Return a connection that has sent half of a request."""
    wire = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
    wire.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    return wire


def answer(port: int) -> bytes:
    """Return what a whole request is answered with."""
    connection = HTTPConnection("127.0.0.1", port, timeout=WAIT)
    try:
        connection.request("GET", "/")
        return connection.getresponse().read()
    finally:
        connection.close()


def ended(wire: socket.socket) -> bool:
    """Tell whether the other end closes a connection, sooner or later."""
    with suppress(ConnectionError):
        return wire.recv(1) == b""
    return True


def test_half_open_connections_keep_nobody_out(port: int) -> None:
    """The oldest of a machine are closed when it opens more."""
    held = [half_open(port) for _ in range(connections.PEER_CONNECTIONS + 8)]
    assert answer(port) == b"hello"
    assert all(ended(wire) for wire in held[:8])
    for wire in held:
        wire.close()


def asked(wire: socket.socket) -> bytes:
    """Return the whole answer to a request on an open connection."""
    wire.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    told = b""
    while not told.endswith(b"0\r\n\r\n"):
        part = wire.recv(4096)
        assert part
        told += part
    return told


def test_a_request_must_come_in_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one on the same connection too; one that is answered is not broken off."""
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)
    silent, half = socket.create_connection(("127.0.0.1", port), timeout=WAIT), half_open(port)
    with silent, half:
        assert ended(silent)
        assert ended(half)
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as wire:
        assert asked(wire).endswith(b"0\r\n\r\n")
        time.sleep(0.6)
        assert asked(wire).endswith(b"0\r\n\r\n")
        wire.sendall(b"GET / HT")
        assert ended(wire)


def test_guesses_of_a_token_are_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names a wrong token or cookie waits; who names none, or the right one, does not."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(guard.asyncio, "sleep", sleep)
    entrance = Entrance("192.168.1.20", 8642, "right")
    guarded = Guard(hello, entrance)

    def ask(query: str, cookie: str = "") -> int:
        headers = [(b"host", b"192.168.1.20:8642")]
        headers += [(b"cookie", cookie.encode())] if cookie else []
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": query.encode(),
            "headers": headers,
            "server": ("192.168.1.20", 8642),
            "client": ("192.168.1.7", 1),
        }
        told: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            told.append(message)

        with suppress(StopIteration):
            guarded(scope, None, send).send(None)
        return int(told[0]["status"])

    assert [ask(""), slept] == [401, []]
    assert [ask("token=right"), slept] == [303, []]
    assert [ask("token=wrong"), slept] == [401, [guard.GUESS_SECONDS]]
    assert ask("", f"{entrance.cookie}=a.b") == 401
    assert len(slept) == 2
