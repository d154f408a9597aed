"""The files that the browser loads: a fixed table, read once. No request ever names a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING

from model.pictures import stylesheet

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
START = "index.html"
PICTURES = "pictures.css"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page."""

    content: bytes
    media_type: str
    tag: str
    """Its ETag: the same as long as the content is."""


def _asset(name: str, content: bytes) -> Asset:
    """Return a file of the page with its type."""
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    return Asset(content, _TYPES[name.rpartition(".")[2]], tag)


@cache
def assets() -> dict[str, Asset]:
    """Return the files of the page by the path under which they are asked for."""
    folder = resources.files("cli.serve") / "client"
    found = {
        file.name: _asset(file.name, file.read_bytes())
        for file in folder.iterdir()
        if file.name.rpartition(".")[2] in _TYPES
    }
    found[PICTURES] = _asset(PICTURES, stylesheet().encode())
    return {"/" if name == START else f"/static/{name}": one for name, one in found.items()}


def show(request: Request) -> Response:
    """Answer a request for a file of the page."""
    from starlette.responses import Response  # noqa: PLC0415 -- a published copy has no server

    asset = assets()[request.scope["path"]]
    headers = {"ETag": asset.tag}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    return Response(asset.content, media_type=asset.media_type, headers=headers)
