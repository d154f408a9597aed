"""Connections of browsers: how many one machine may hold, and how long a request may come in."""

from __future__ import annotations

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from burgrave.cli.serve.limits import HEADER_SECONDS, PEER_CONNECTIONS


class Connection(H11Protocol):
    """A connection that is closed if it does not send a request in time.

    A machine that opens too many loses its oldest one that has not sent a request. So half-open
    connections keep nobody out, also not another program of the same machine.
    """

    _late: asyncio.TimerHandle | None = None
    """Closes the connection; None while a request is answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin, and make room."""
        super().connection_made(transport)
        self._await_request()
        held = [one for one in self.connections if _host(one) == _host(self)]
        if len(held) > PEER_CONNECTIONS:
            waiting = (one for one in held if isinstance(one, Connection) and one.waits)
            oldest = min(waiting, key=Connection.deadline)
            self.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._answered()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hear a part of a request."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._answered()
        elif self._late is None:
            self._await_request()

    def _await_request(self) -> None:
        """Let the time for a request begin."""
        self._late = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _answered(self) -> None:
        """Let the time end: a whole head of a request has come."""
        if self._late is not None:
            self._late.cancel()
            self._late = None

    @property
    def waits(self) -> bool:
        """Whether the head of a request is still to come."""
        return self._late is not None

    def deadline(self) -> float:
        """Return the time at which the connection is closed, on the clock of the loop."""
        return self._late.when() if self._late is not None else self.loop.time()


def _host(connection: object) -> str:
    """Return the machine at the other end."""
    client = cast("H11Protocol", connection).client
    return client[0] if client is not None else ""
