"""The edition of the rules that an answer rests on, as a key and as a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from burgrave.model.games import Game


def ruled(data: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Return an answer as JSON with the edition of its rules, if the game has several."""
    return {**data} if game.edition is None else {**data, "edition": game.edition.name}


def rules_text(game: Game) -> Iterator[str]:
    """Yield a line that names the edition of a game's rules, if there are several."""
    if game.edition is not None:
        yield f"rules: {game.named}"
