"""The server: a socket, on this machine alone unless a user wants more, and its loop."""

from __future__ import annotations

import errno
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from burgrave.cli.serve.app import application
from burgrave.cli.serve.connections import Connection
from burgrave.cli.serve.entrance import Entrance
from burgrave.cli.serve.guard import LOOPBACK
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.model.errors import QuestionError
from burgrave.puzzles.files.datasets import Dataset
from burgrave.puzzles.study.puzzle import Puzzle

_MOST_CONNECTIONS = 200
_NOT_HERE = {errno.EADDRNOTAVAIL, getattr(errno, "WSAEADDRNOTAVAIL", errno.EADDRNOTAVAIL)}
_PATIENCE = 2
"""Seconds that open connections are given when the page ends."""


def listening(port: int, host: str = LOOPBACK) -> socket.socket:
    """Return a socket on one address.

    Args:
        port: its port; 0 for any that is free.
        host: the address; by default that of this machine alone.

    Raises:
        QuestionError: the port is taken or may not be used, or the address is not of this machine.

    """
    try:
        return socket.create_server((host, port))
    except OSError as error:
        if error.errno in _NOT_HERE:
            raise QuestionError(f"--address {host}: this machine has no such address") from error
        raise QuestionError(
            f"--port {port}: cannot be used: {error.strerror}; name another, or 0 for any"
        ) from error


def address(listener: socket.socket) -> str:
    """Return the address of the page."""
    host, port = listener.getsockname()
    return f"http://{host}:{port}/"


def run(  # noqa: PLR0913 -- the options of the command
    listener: socket.socket,
    start: dict[str, Any],
    puzzles: tuple[str, list[Puzzle]] | Dataset | str | None,
    entrance: Entrance | None,
    *,
    named: bool,
    browse: bool,
    site: str | None,
) -> None:
    """Answer requests until Ctrl-C.

    Args:
        listener: the socket.
        start: the keys of the position that the page opens with.
        puzzles: title and puzzles of a set that the page opens with instead, a dataset, or the id
            of a shipped set; None for none.
        entrance: the way in from the network; None for a page of this machine alone.
        named: whether the user named the position; else a first screen comes before it.
        browse: whether to open the page in the browser.
        site: the address of a published copy that shows what links hold; None for none.

    """
    sets = PuzzleSets()
    first = puzzles if isinstance(puzzles, str) else None
    if isinstance(puzzles, Dataset):
        first = sets.keep(puzzles).id
    elif isinstance(puzzles, tuple):
        first = sets.take(*puzzles, stays=True).id
    url = address(listener) if entrance is None else entrance.url
    config = uvicorn.Config(
        application(start, sets, first, entrance, named=named, site=site),
        log_level="warning",
        access_log=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_PATIENCE,
        server_header=False,
        # Who sends a request is who is connected, whatever a header claims.
        proxy_headers=False,
        ws="none",
        http=Connection,
    )
    server = _Server(config, (lambda: webbrowser.open(url)) if browse else None)
    # Ctrl-C is the normal end of the page and needs no message.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object] | None) -> None:
        """Remember whom to tell."""
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.ready is not None:
            self.ready()
