"""The pictures from which a published copy draws what links hold."""

from __future__ import annotations

from typing import Any

from burgrave.cli.drawings import digest
from burgrave.cli.publish.pieces import Pieces
from burgrave.model.files.games import shipped_game
from burgrave.model.pictures import stamp_pictures


def pictures(game_id: str) -> dict[str, Any]:
    """Return what a site keeps of a game besides its tiles: the pictures of all pieces."""
    pieces = Pieces()
    found = stamp_pictures(shipped_game(game_id))
    return {
        "tiles": digest(game_id),
        "pictures": {
            name: {
                "svg": pieces.take(one.svg),
                "layer": one.layer,
                "says": one.says,
                "extent": one.extent,
            }
            for name, one in found.items()
        },
        "pieces": pieces.texts,
    }
