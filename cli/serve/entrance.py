"""The way in from the table's network: an address of this machine, a token, and who came in."""

from __future__ import annotations

import hmac
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Address
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Scope

from burgrave.model.errors import QuestionError

_PROBES = ("10.255.255.254", "172.31.255.254", "192.168.255.254")
"""An address of each block that RFC 1918 keeps for private networks."""
_SESSION_BYTES = 16
_TOKEN_BYTES = 16
"""128 bits: nobody guesses them through a network."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who came in from the network.

    Attributes:
        session: the id of the browser; it cannot see the solves of another session.
        address: the machine, for limits: a browser can begin as many sessions as it likes.

    """

    session: str
    address: str


@dataclass(frozen=True, slots=True)
class Entrance:
    """The way in from the network: whoever has the token may come in.

    Attributes:
        host: the address that the page answers under, and no other.
        port: its port.
        token: the secret of this run of the page.

    """

    host: str
    port: int
    token: str

    @classmethod
    def at(cls, host: str, port: int) -> Entrance:
        """Return an entrance with a fresh token."""
        return cls(host, port, secrets.token_urlsafe(_TOKEN_BYTES))

    @property
    def url(self) -> str:
        """The address with the token; it admits a browser."""
        return f"http://{self.host}:{self.port}/?token={self.token}"

    @property
    def cookie(self) -> str:
        """The name of the cookie; other servers on this machine see it and must not collide."""
        return f"burgrave-{self.port}"

    def visitor(self, scope: Scope) -> Visitor | None:
        """Return the sender of a request, by the cookie of an earlier visit; None without one."""
        told = Request(scope).cookies.get(self.cookie, "")
        session, _, signature = told.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(session).encode()):
            return None
        return Visitor(session, (scope.get("client") or ("", 0))[0])

    def opened(self, scope: Scope) -> bool:
        """Tell whether a request opens the page with the token, as the printed address does."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        told = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token", "")
        return hmac.compare_digest(told.encode("utf-8", "replace"), self.token.encode())

    def guessed(self, scope: Scope) -> bool:
        """Tell whether a request that is not let in named a token or a cookie."""
        return "token=" in scope["query_string"].decode("latin-1") or (
            self.cookie in Request(scope).cookies
        )

    def pass_on(self) -> str:
        """Return the header ``Set-Cookie`` of a fresh session; the cookie does not hold the token.

        The signature shows later that the session was begun with the token (HMAC, RFC 2104).
        """
        session = secrets.token_urlsafe(_SESSION_BYTES)
        value = f"{session}.{self._signature(session)}"
        return f"{self.cookie}={value}; Path=/; HttpOnly; SameSite=Strict"

    def _signature(self, session: str) -> str:
        """Return the signature of a session."""
        return hmac.new(self.token.encode(), session.encode(), sha256).hexdigest()


def private_address(named: str | None) -> str:
    """Return the address of this machine in the table's network.

    Args:
        named: the address that the user named; None to find it.

    Raises:
        QuestionError: it is no private address, or there is none or more than one to find.

    """
    if named is not None:
        if not _is_private(named):
            raise QuestionError(
                f"--address {named}: not an IPv4 address of a private network, as 192.168.1.20 is"
            )
        return named
    found = own_addresses()
    if not found:
        raise QuestionError("--lan: this machine is in no private network; name its --address")
    if len(found) > 1:
        raise QuestionError(
            f"--lan: this machine is in several networks; name one with --address: "
            f"{', '.join(found)}"
        )
    return found[0]


def own_addresses() -> list[str]:
    """Return the addresses of this machine in private networks, as far as the system tells them."""
    found: set[str] = set()
    for probe in _PROBES:
        # This sends nothing: the system only looks up from which address it would send.
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
            wire.connect((probe, 9))
            found.add(wire.getsockname()[0])
    with suppress(OSError):
        for told in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.add(str(told[4][0]))
    return sorted(filter(_is_private, found), key=IPv4Address)


def _is_private(text: str) -> bool:
    """Tell whether an address belongs to a machine in a private network."""
    try:
        address = IPv4Address(text)
    except ValueError:
        return False
    alone = address.is_loopback or address.is_link_local or address.is_unspecified
    return address.is_private and not (alone or address.is_reserved)
