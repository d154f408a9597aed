"""``burgrave positions``: what is shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burgrave.cli.options import JsonOption
from burgrave.cli.output import show

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def positions(as_json: JsonOption = False) -> None:
    """List the shipped positions and puzzles."""
    from burgrave.puzzles.files.library import entries

    found = entries()
    data: list[json_lists.Shipped] = [
        {"id": entry.id, "kind": entry.kind, "title": entry.title} for entry in found
    ]
    text = "\n".join(f"{entry.id:24} {entry.kind:9} {entry.title}" for entry in found)
    show(data, text, as_json=as_json)
