"""The keys that expansions bring to files, by the parts of a state that their books name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.files.schema import FileModel
from burgrave.model.games import Game
from burgrave.model.parts import Part, ordered
from burgrave.model.position import PlayerState, Position


def with_parts(
    position: Position, body: FileModel, entries: Sequence[FileModel], faults: list[str]
) -> Position:
    """Return a position with the parts that a file tells of, and new players with theirs.

    Args:
        position: the position so far.
        body: the keys of the position.
        entries: the keys of each player.
        faults: the list to which faults are added.

    """
    game, book = position.game, book_of(position.game)

    def read(kinds: Iterable[type[Part]], keys: FileModel) -> tuple[Part, ...]:
        return ordered(kind.read(keys, game, faults) for kind in kinds)

    parts = read(book.position_parts, body)
    players = tuple(PlayerState(parts=read(book.player_parts, entry)) for entry in entries)
    return replace(position, parts=parts, players=players)


def parts_data(parts: Iterable[Part], game: Game) -> dict[str, Any]:
    """Return the keys of parts in a file, without those that have their default."""
    return {key: value for part in parts for key, value in part.data(game).items()}
