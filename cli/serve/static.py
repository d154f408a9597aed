"""The files that the browser loads: a fixed table, read once. No request ever names a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from gzip import compress
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

from burgrave.cli.serve.bundle import bundle
from burgrave.model.pictures import stylesheet

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_CLIENT = resources.files("burgrave.cli.serve") / "client"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
START = "index.html"
MAIN = "main.js"
"""The module that the page begins with."""
SCRIPT = "app.js"
"""All modules as one script."""
PICTURES = "pictures.css"
_VENDOR = "vendor"
"""The folder of libraries of others, each in a folder of its name as its package has it."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page."""

    content: bytes
    packed: bytes
    """The same by gzip."""
    media_type: str
    tag: str
    """Its ETag: the same as long as the content is."""


def _asset(name: str, content: bytes) -> Asset:
    """Return a file of the page with its type."""
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    return Asset(content, compress(content, mtime=0), _TYPES[name.rpartition(".")[2]], tag)


def modules() -> dict[str, str]:
    """Return the texts of the modules of the page, by the names of their files.

    A library of others stands under its own name, with its licence before it.
    """
    own = {name: text.decode() for name, text in _files().items() if name.endswith(".js")}
    for library in sorted((_CLIENT / _VENDOR).iterdir(), key=lambda one: one.name):
        licence = (library / "LICENSE.txt").read_text(encoding="utf-8")
        code = (library / "index.js").read_text(encoding="utf-8")
        own[f"{library.name}.js"] = f"/* {library.name}: {licence}*/\n{code}"
    return own


def _files() -> dict[str, bytes]:
    """Return the files of which the page is made, by their names."""
    found = {
        file.name: file for file in _CLIENT.iterdir() if file.name.rpartition(".")[2] in _TYPES
    }
    return {name: found[name].read_bytes() for name in sorted(found)}


@cache
def assets() -> dict[str, Asset]:
    """Return the files of the page by the path under which they are asked for."""
    found = {name: text for name, text in _files().items() if not name.endswith(".js")}
    found[SCRIPT] = bundle(modules(), MAIN).encode()
    found[PICTURES] = stylesheet().encode()
    return {
        "/" if name == START else f"/static/{name}": _asset(name, text)
        for name, text in found.items()
    }


def show(request: Request) -> Response:
    """Answer a request for a file of the page."""
    from starlette.responses import Response  # noqa: PLC0415 -- a published copy has no server

    asset = assets()[request.scope["path"]]
    headers = {"ETag": asset.tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, media_type=asset.media_type, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return Response(asset.packed, media_type=asset.media_type, headers=headers)
