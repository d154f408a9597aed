"""The base tiles of Board Game Arena, and games of Carcassonne made of their numbers.

CarcassonneLab uses the same numbers. There a cell has its y to the south.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from burgrave.model.book import book_of
from burgrave.model.draws import stuck
from burgrave.model.engine import play
from burgrave.model.errors import FileError, IllegalMoveError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import Record
from burgrave.model.files.whole_games import begun
from burgrave.model.formats.imported import spelled
from burgrave.model.geometry import Cell
from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.position import Deployment, Move, Position
from burgrave.model.registry import CARCASSONNE

START = 15
"""The type of the tile with which the game begins."""
PLAYERS = range(2, 6)
"""Players of a game there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaTile:
    """A type of tile there."""

    number: int
    kind: str
    """The id of our kind."""
    turned: int
    """The quarter turns that our kind has when theirs stands upright."""
    ids: tuple[int, ...]
    """The single tiles."""
    places: tuple[int, ...]
    """Our segment of each place of a follower, from place 1 on; -1 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaTurn:
    """A turn of a game there."""

    where: str
    """Its place in the file, for errors."""
    player: int
    tile: ArenaTile
    cell: Cell
    turns: int
    """Quarter turns clockwise of their picture."""
    place: int = 0
    """The place of a follower; 0 for none."""
    gone: tuple[str, ...] = ()
    """The kinds of tiles that were drawn before and had no place."""


@cache
def arena_tiles() -> Mapping[int, ArenaTile]:
    """Return the types of tiles by their numbers."""
    text = (resources.files("burgrave.model.data") / "arena.toml").read_text(encoding="utf-8")
    found = (
        ArenaTile(
            number=entry["number"],
            kind=entry["kind"],
            turned=entry["turned"],
            ids=tuple(entry["ids"]),
            places=tuple(entry["places"]),
        )
        for entry in tomllib.loads(text)["type"]
    )
    return {tile.number: tile for tile in found}


@cache
def arena_kinds() -> Mapping[str, ArenaTile]:
    """Return the types of tiles by the ids of our kinds."""
    return {tile.kind: tile for tile in arena_tiles().values()}


def tile_numbered(number: int, where: str) -> ArenaTile:
    """Return a type of tile.

    Raises:
        ValueError: the base game has no such tile.

    """
    found = arena_tiles().get(number)
    if found is None:
        raise ValueError(
            f"{where}: tile type {number} is not of the base game (types 1 to"
            f" {len(arena_tiles())}); games with an expansion cannot be read"
        )
    return found


def recorded(
    name: str,
    title: str,
    players: Sequence[str],
    turns: Sequence[ArenaTurn],
    later: Sequence[str] = (),
) -> tuple[Record, Position]:
    """Play the turns of a game, and return its record and the position at its end.

    Args:
        name: the file as the user named it, for errors.
        title: of the record.
        players: their names, in the order of their turns.
        turns: the turns.
        later: the kinds of tiles drawn after the last turn, in their order.

    Raises:
        FileError: a turn is illegal, or there are more tiles of a kind than the set has.

    """
    start = begun(shipped_game(CARCASSONNE, players=spelled(players)))
    order = tuple(_drawn(turns, later))
    left = Counter(start.bag)
    left.subtract(order)
    if spare := [kind for kind, number in left.items() if number < 0]:
        kind = spare[0]
        fault = (
            f"tile {kind} (type {arena_kinds()[kind].number}) is drawn {order.count(kind)} times;"
            f" the set has {start.bag.count(kind)} to be drawn"
        )
        raise FileError(name, [fault])
    start = replace(start, order=order, bag=tuple(sorted(left.elements())))
    at, moves = start, list[str]()
    for turn in turns:
        if turn.player != at.to_move:
            due, mover = (players[number] for number in (at.to_move, turn.player))
            raise FileError(name, [f"{turn.where}: {mover} lays a tile; it is the turn of {due}"])
        move = _move(name, at, turn)
        try:
            played = play(at, move)
        except IllegalMoveError as error:
            raise FileError(
                name, [f"{turn.where}: {found.message} [{found.rule}]" for found in error.findings]
            ) from error
        moves.append(write_move(at, move))
        at = played.position
    if at.order and not at.bag and stuck(at) == len(at.order):
        nothing_left = Move(discards=at.order)
        moves.append(write_move(at, nothing_left))
        at = play(at, nothing_left).position
    record = Record(title=title, position=start, moves=tuple(moves))
    return replace(record, note=" ".join(gaps(record))), at


def gaps(record: Record) -> Iterator[str]:
    """Yield what a game that another program recorded leaves open, a sentence each."""
    missing = len(record.position.bag)
    if missing:
        yield (
            f"{times(missing, 'tile')} of the set are not told of: the game was not played to its"
            " end, or they had no place. The record has them in the bag."
        )


def _drawn(turns: Sequence[ArenaTurn], later: Sequence[str]) -> Iterator[str]:
    """Yield the kinds of tiles in the order in which they were drawn."""
    for turn in turns:
        yield from turn.gone
        yield turn.tile.kind
    yield from later


def _move(name: str, at: Position, turn: ArenaTurn) -> Move:
    """Return a turn as a move.

    Raises:
        FileError: the tile has no such place for a follower.

    """
    followers: tuple[Deployment, ...] = ()
    if turn.place:
        places = turn.tile.places
        segment = places[turn.place - 1] if 0 < turn.place <= len(places) else -1
        if segment < 0:
            known = [str(n) for n, index in enumerate(places, start=1) if index >= 0]
            fault = (
                f"{turn.where}: tile type {turn.tile.number} has no place {turn.place} for a"
                f" follower; there are {', '.join(known)}"
            )
            raise FileError(name, [fault])
        kind = at.game.tile_set.kind(turn.tile.kind)
        role = book_of(at.game).roles[kind.segments[segment].kind]
        followers = (Deployment(turn.cell, segment, role),)
    return Move(
        discards=turn.gone,
        tile=turn.tile.kind,
        cell=turn.cell,
        rotation=(turn.turns + turn.tile.turned) % 4,
        followers=followers,
    )
