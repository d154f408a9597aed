"""Translate the tiles, cells, segments and decisions of JCloisterZone.

Its y grows to the south. The sides and half sides that a segment reaches on the board name it:
``NW``, ``_S`` for all but the south, ``EL.WR`` for a field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.errors import NotationError
from burgrave.model.formats.save_support import application
from burgrave.model.games import Game
from burgrave.model.geometry import PORT_NAMES, PORT_SIDES, Cell
from burgrave.model.position import Capture, Deployment, Guard, Move, Position, Ransom
from burgrave.model.tiles import Kind, PlacedTile, TileKind

Message = Mapping[str, Any]
"""A decision of a player: its ``type`` and its ``payload``."""
KINDS = {
    "Road": Kind.ROAD,
    "City": Kind.CITY,
    "Monastery": Kind.CLOISTER,
    "Field": Kind.FIELD,
}
"""The kind of segment by its name there."""
TOWER = "Tower"
"""The feature there that a follower on a tower stands on."""
INSIDE = "I"
_INSIDE_BEFORE = frozenset({INSIDE, "CLOISTER", "MONASTERY"})
"""The location of a monastery in saves before version 5.7, whose pointers name no feature."""
_TOWER_BEFORE = "TOWER"
"""The location of a tower in these saves."""
_ALL = "NESW"
_RANKS = {"small": Rank.FOLLOWER, "big": Rank.BIG}
"""The rank of a follower by the middle part of its name there, ``0.big.1``."""


def cell_of(place: Sequence[int]) -> Cell:
    """Return the cell that ``[x, y]`` names."""
    return Cell(place[0], -place[1])


def kind_of(game: Game, code: str) -> TileKind:
    """Return the kind of tile of a code, ``BA/RCr``; a garden on it means nothing.

    Raises:
        NotationError: the game has no such tile.

    """
    plain = application().plain(code)
    for kind in game.tile_set.kinds:
        if kind.code == plain:
            return kind
    raise NotationError(code, 0, f"the set {game.tile_set.id} has no tile of this code")


def rotation_of(word: str | int) -> int:
    """Return the quarter turns that ``R90`` or 90 names."""
    return int(str(word).removeprefix("R")) // 90 % 4


def ends(tile: PlacedTile, segment: int) -> frozenset[str]:
    """Return the sides, or of a field the half sides, that a segment reaches."""
    ports = tile.kind.turned(segment, tile.rotation)
    if tile.kind.segments[segment].kind is Kind.FIELD:
        halves = {name: port for name, port in PORT_NAMES.items() if len(name) > 1}
        return frozenset(name for name, port in halves.items() if port in ports)
    return frozenset(PORT_SIDES[port].name for port in ports)


def read_location(location: str) -> frozenset[str]:
    """Return the sides or half sides that a location names.

    >>> sorted(read_location("_N")), sorted(read_location("EL.WR")), sorted(read_location("I"))
    (['E', 'S', 'W'], ['EL', 'WR'], [])
    """
    if location == INSIDE:
        return frozenset()
    if location.startswith("_"):
        return frozenset(_ALL) - frozenset(location[1:])
    if location in PORT_NAMES or "." in location:
        return frozenset(location.split("."))
    return frozenset(location)


def segment_of(tile: PlacedTile, feature: str | None, location: str) -> int:
    """Return the segment of a tile on the board that a pointer names.

    No two segments of a tile reach the same sides or half sides, so that the location names the
    segment if the feature is not said.

    Raises:
        NotationError: the tile shows no such segment.

    """
    inside = feature is None and location in _INSIDE_BEFORE
    wanted = frozenset() if inside else read_location(location)
    kinds = (*KINDS.values(),) if feature is None else (KINDS.get(feature),)
    for index, segment in enumerate(tile.kind.segments):
        if segment.kind in kinds and ends(tile, index) == wanted:
            return index
    raise NotationError(location, 0, f"tile {tile.kind.id} shows no {feature or 'feature'} there")


def rank_of(name: str) -> Rank:
    """Return the rank of a follower, ``0.big.1``.

    Raises:
        NotationError: there are no such followers.

    """
    rank = _RANKS.get(name.split(".")[1] if name.count(".") > 1 else "small")
    if rank is None:
        raise NotationError(name, 0, "there is no such follower in the games that can be played")
    return rank


def start_tiles(game: Game, start: Sequence[Mapping[str, Any]]) -> tuple[PlacedTile, ...]:
    """Return the tiles that lie on the table at the start."""
    return tuple(
        PlacedTile(
            cell=cell_of((entry["x"], entry["y"])),
            kind=kind_of(game, entry["tile"]),
            rotation=rotation_of(entry["rotation"]),
        )
        for entry in start
    )


@dataclass(slots=True)
class Reader:
    """Reads the decisions of a game turn by turn and remembers who took which follower."""

    game: Game
    captors: dict[str, int] = field(default_factory=dict)
    """The player who last took a follower, by its name there."""

    def move(self, position: Position, messages: Sequence[Message]) -> Move:
        """Return the move that the decisions of one turn make.

        Args:
            position: the position before the turn.
            messages: the decisions, from the first after a ``COMMIT`` to the next.

        Raises:
            NotationError: a decision names a missing item.

        """
        move = Move()
        acted = False
        for message in messages:
            payload = message.get("payload", {})
            match message["type"]:
                case "PLACE_TILE":
                    move = self._laid(move, payload)
                case "PAY_RANSOM":
                    captor = self.captors.get(payload["meepleId"])
                    if captor is None:
                        raise NotationError(
                            payload["meepleId"], 0, "nobody ever took this follower"
                        )
                    paid = Ransom(captor, late=acted, rank=rank_of(payload["meepleId"]))
                    move = replace(move, ransoms=(*move.ransoms, paid))
                case "COMMIT":
                    pass
                case _:
                    acted = True
                    move = self._action(position, move, message)
        return move

    def _laid(self, move: Move, payload: Mapping[str, Any]) -> Move:
        """Return the move with a tile laid."""
        return replace(
            move,
            tile=kind_of(self.game, payload["tileId"]).id,
            cell=cell_of(payload["position"]),
            rotation=rotation_of(payload["rotation"]),
        )

    def _action(self, position: Position, move: Move, message: Message) -> Move:
        """Return the move with an action, or unchanged if the player passes."""
        payload = message.get("payload", {})
        kind = message["type"]
        if kind == "PASS":
            return move
        if kind == "CAPTURE_FOLLOWER":
            pointer = payload["pointer"]
            self.captors[pointer["meepleId"]] = position.to_move
            place = pointer["featurePointer"]
            cell, segment = self.place(position, move, place)
            return replace(move, captures=(*move.captures, Capture(cell, segment)))
        if kind == "EXCHANGE_FOLLOWER" and move.captures:
            last = move.captures[-1]._replace(back=rank_of(payload["meepleId"]))
            return replace(move, captures=(*move.captures[:-1], last))
        if kind == "PLACE_TOKEN" and payload["token"] == "TOWER_PIECE":  # noqa: S105 -- a piece
            return replace(move, pieces=(*move.pieces, cell_of(payload["pointer"]["position"])))
        if kind == "DEPLOY_MEEPLE":
            if not payload["meepleId"].startswith(f"{position.to_move}."):
                problem = f"{position.game.name(position.to_move)} has no such follower"
                raise NotationError(payload["meepleId"], 0, problem)
            cell, segment = self.place(position, move, payload["pointer"])
            rank = rank_of(payload["meepleId"])
            if segment is None:
                return replace(move, guards=(*move.guards, Guard(cell, rank)))
            tile = self.tile(position, move, cell)
            role = book_of(self.game).roles[tile.kind.segments[segment].kind]
            placed = Deployment(cell, segment, role, rank)
            return replace(move, followers=(*move.followers, placed))
        raise NotationError(kind, 0, "this decision has no meaning in the games that can be played")

    def place(
        self, position: Position, move: Move, pointer: Mapping[str, Any]
    ) -> tuple[Cell, int | None]:
        """Return the cell and the segment that a pointer names; None for a tower."""
        cell, feature, location = (
            cell_of(pointer["position"]),
            pointer["feature"],
            pointer["location"],
        )
        if feature == TOWER or (feature is None and location == _TOWER_BEFORE):
            return cell, None
        return cell, segment_of(self.tile(position, move, cell), feature, location)

    def tile(self, position: Position, move: Move, cell: Cell) -> PlacedTile:
        """Return the tile on a cell, the one of the move included."""
        if move.tile is not None and move.cell == cell:
            return move.laid(self.game.tile_set.kind(move.tile))
        tile = position.tile_at(cell)
        if tile is None:
            raise NotationError(str(cell), 0, f"there is no tile on {cell}")
        return tile


def by_turn(messages: Sequence[Message]) -> Iterator[tuple[Message, ...]]:
    """Yield the decisions of each turn, ``COMMIT`` last; the last turn may be unfinished."""
    turn: list[Message] = []
    for message in messages:
        turn.append(message)
        if message["type"] == "COMMIT":
            yield tuple(turn)
            turn = []
    if turn:
        yield tuple(turn)
