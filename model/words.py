"""The words of which moves and boards are written: tiles on cells, segments, followers, players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import ceil, floor

from burgrave.model.book import book_of
from burgrave.model.components import Node, Rank, Role
from burgrave.model.errors import NotationError
from burgrave.model.games import Game
from burgrave.model.geometry import PORT_NAMES, Cell
from burgrave.model.naming import suggestion
from burgrave.model.position import Position
from burgrave.model.quarters import named, no_tile
from burgrave.model.rule import Finding
from burgrave.model.tiles import PlacedTile, TileKind

_CELL = r"(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3})"
_PLACE = r"(?P<port>[nesw][lr]?|#\d{1,2})"
LAID = re.compile(rf"(?P<kind>[\w-]+)@{_CELL}(?:r(?P<rotation>\d))?", re.IGNORECASE)
BETWEEN = re.compile(
    r"(?P<kind>[\w-]+)@(?P<x>-?\d{1,3}(?:\.\d+)?),(?P<y>-?\d{1,3}(?:\.\d+)?)(?:r\d)?", re.IGNORECASE
)
"""A tile whose place is no whole cell, unless ``LAID`` fits too."""
ROTATION = re.compile(r"r(?P<rotation>\d)", re.IGNORECASE)
ROLE = re.compile(rf"(?P<role>[a-z]+)(?:@{_CELL})?\.{_PLACE}", re.IGNORECASE)
STEP = re.compile(rf"={_CELL}\.{_PLACE}(?P<tiles>(?:\*\d)*)", re.IGNORECASE)
REVEAL = re.compile(r"\?(?P<tower>\d{1,2}/\d{1,2})[:=](?P<number>\d)")
ONE_TILE = re.compile(r"(?P<sign>[!+])(?P<number>\d)")
_TURNED = re.compile(r"[\w-]+@-?\d+,-?\d+r(?P<turns>[+-]?\w+)", re.IGNORECASE)
_FAR = re.compile(r"[\w-]+@-?\d+,-?\d+(?:r\d)?", re.IGNORECASE)
NO_PORT = re.compile(r"[a-z]+\.(?P<port>\w+)", re.IGNORECASE)
FINAL = re.compile(rf"(?P<number>\d)(?:@{_CELL}\.{_PLACE})?", re.IGNORECASE)
_NODE = re.compile(rf"{_CELL}\.{_PLACE}", re.IGNORECASE)
STANDING = re.compile(rf"(?P<player>[a-z]\w*):(?P<role>[a-z]+)\.{_PLACE}", re.IGNORECASE)
UNPLACED = re.compile(r"[a-z]\w*:[a-z]+", re.IGNORECASE)
_RANK = r"(?::(?!late\b)(?P<rank>[a-z]+))?"
RANSOM = re.compile(rf"ransom:(?P<player>[a-z]\w*|#\d){_RANK}(?P<late>:late)?", re.IGNORECASE)
PIECE = re.compile(rf"\^{_CELL}")
GUARD = re.compile(rf"guard@{_CELL}{_RANK}", re.IGNORECASE)
CAPTURE = re.compile(rf"x{_CELL}\.(?:(?P<guard>guard)|{_PLACE}){_RANK}", re.IGNORECASE)

_CORNERS = {"NW": "NL or WR", "NE": "NR or EL", "SE": "ER or SL", "SW": "SR or WL"}
"""By a corner of a tile the halves of its sides there."""

Boards = Mapping[Cell, PlacedTile]


def words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a text with the index of their first character."""
    for match in re.finditer(r"\S+", text):
        yield match.start(), match.group()


def read_kind(game: Game, name: str, text: str, at: int) -> tuple[TileKind, int]:
    """Return the kind of tile that an id or a quarter code names, and its rotation."""
    try:
        found = named(game.tile_set, name)
    except ValueError as error:
        raise NotationError(text, at, str(error)) from None
    if found is None:
        raise NotationError(text, at, no_tile(game, name))
    return found


def read_placed(game: Game, match: re.Match[str], text: str, at: int) -> PlacedTile:
    """Return the tile that a match of ``LAID`` puts on a cell."""
    kind, turned = read_kind(game, match["kind"], text, at)
    rotation = (turned + read_rotation(match["rotation"], text, at)) % 4
    return PlacedTile(cell=cell_of(match), kind=kind, rotation=rotation)


def laid_example(game: Game) -> str:
    """Return an example of a tile on its cell, with a tile of the game."""
    return f"{game.tile_set.kinds[0].id}@3,4r1"


def cell_of(match: re.Match[str]) -> Cell:
    """Return the cell that a match names."""
    return Cell(int(match["x"]), int(match["y"]))


def no_part(word: str) -> str:
    """Return the message about a word that is no part of a move."""
    if match := _TURNED.fullmatch(word):
        return f"rotation r{match['turns']}: allowed are r0 to r3"
    if _FAR.fullmatch(word):
        return f"'{word}' lies too far out: coordinates have at most 3 digits"
    if match := NO_PORT.fullmatch(word):
        return no_port(match)
    return f"'{word}' is no part of a move"


def no_port(match: re.Match[str]) -> str:
    """Return the message about a place on a tile that no segment can have."""
    port = match["port"]
    if halves := _CORNERS.get(port.upper()):
        return f"'{port}' is no segment; write {halves}, the halves of sides in that corner"
    return f"'{port}' is no segment; a segment is a side (N), half a side (NL) or #2"


def between_cells(game: Game, kind: TileKind, match: re.Match[str]) -> Finding:
    """Return the findings on a tile whose coordinates are not whole numbers."""
    x, y = float(match["x"]), float(match["y"])
    cells = sorted({Cell(a, b) for a in (floor(x), ceil(x)) for b in (floor(y), ceil(y))})
    on = " and ".join(map(str, cells))
    message = f"tile {kind.id} would lie partly on {on}; a tile lies on one cell, side to side"
    return book_of(game).sides.finding(message, tuple(cells))


def read_rotation(digit: str | None, text: str, at: int) -> int:
    """Return a rotation, 0 if none is written."""
    rotation = int(digit or 0)
    if rotation > 3:  # noqa: PLR2004
        raise NotationError(text, at, f"rotation {rotation}: allowed are r0 to r3")
    return rotation


def read_segment(tile: PlacedTile | None, match: re.Match[str], text: str, at: int) -> int:
    """Return the index of the segment that a port or ``#number`` names on a tile."""
    name = match["port"].upper()
    if tile is None:
        raise NotationError(text, at, f"there is no tile to look for segment {name} on")
    if name.startswith("#"):
        index = int(name[1:])
        if index >= len(tile.kind.segments):
            raise NotationError(text, at, f"tile {tile.kind.id} has no segment {name}")
        return index
    index = tile.at(PORT_NAMES[name])
    if index < 0:
        raise NotationError(text, at, _nothing_there(tile, name))
    return index


def _nothing_there(tile: PlacedTile, name: str) -> str:
    """Return the message about a port at which a tile has no segment."""
    halves = [
        f"{half} ({tile.kind_at(PORT_NAMES[half])})"
        for half in (f"{name}L", f"{name}R")
        if half in PORT_NAMES and tile.at(PORT_NAMES[half]) >= 0
    ]
    if halves:
        return f"side {name} of tile {tile.kind.id} shows two halves: name {' or '.join(halves)}"
    return f"tile {tile.kind.id} shows nothing at {name}"


def read_title(game: Game, word: str, text: str, at: int) -> Role | Rank:
    """Return the role that a word or its first letter names, or the rank that it names."""
    roles = book_of(game).roles.values()
    known: dict[str, Role | Rank] = {
        name: role for role in roles for name in (role.value, role.value[0])
    }
    known |= {rank.value: rank for rank in game.specials}
    title = known.get(word.lower())
    if title is None:
        meant = (word, *(role for role in Role if role.value[0] == word.lower()))
        foreign = next(filter(None, map(game.foreign, meant)), "")
        allowed = [str(each) for each in (*roles, *game.specials)]
        helps = (
            f": allowed are {', '.join(allowed)}" if foreign else f".{suggestion(word, allowed)}"
        )
        raise NotationError(text, at, f"there is no follower '{word}'{foreign}{helps}")
    return title


def read_rank(game: Game, word: str | None, text: str, at: int) -> Rank:
    """Return the rank that a word names; an ordinary follower's if none is written."""
    ranks = {rank.value: rank for rank in (Rank.FOLLOWER, *game.specials)}
    if word is None:
        return Rank.FOLLOWER
    if word.lower() not in ranks:
        foreign = game.foreign(word)
        helps = foreign or f".{suggestion(word, ranks)}"
        raise NotationError(text, at, f"there is no rank '{word}'{helps}")
    return ranks[word.lower()]


def standing_of(game: Game, title: Role | Rank, tile: PlacedTile, index: int) -> tuple[Role, Rank]:
    """Return role and rank of a follower on a segment; a rank goes with any role."""
    if isinstance(title, Rank):
        return book_of(game).roles[tile.kind.segments[index].kind], title
    return title, Rank.FOLLOWER


def read_player(game: Game, word: str, text: str, at: int) -> int:
    """Return the index of the player whom a word or ``#index`` names."""
    indexes = [f"#{index}" for index in range(len(game.players))]
    if word in indexes:
        return indexes.index(word)
    if word.lower() not in game.players:
        helps = suggestion(word, game.players)
        raise NotationError(text, at, f"no player {word.lower()}.{helps}")
    return game.players.index(word.lower())


def write_tile(tile: PlacedTile) -> str:
    """Write a placed tile, ``K07@3,4r0``."""
    return f"{tile.kind.id}@{tile.cell}r{tile.rotation}"


def write_node(board: Boards, node: Node) -> str:
    """Write a segment on the board, ``3,4.NL``.

    Args:
        board: tiles by cell, the segment's tile among them.
        node: the segment.

    """
    tile = board[node.cell]
    return f"{node.cell}.{tile.kind.name_of(node.segment, tile.rotation)}"


def read_cell(text: str) -> Cell:
    """Read a cell, ``3,4``.

    Raises:
        NotationError: the text is no cell.

    """
    match = re.fullmatch(_CELL, text)
    if match is None:
        raise NotationError(text, 0, "a cell is written like 3,4")
    return cell_of(match)


def read_node(position: Position, text: str) -> Node:
    """Read a segment on the board, ``3,4.NL``; ``write_node`` gives a name of it back.

    Raises:
        NotationError: the text names no segment of a tile on the board.

    """
    match = _NODE.fullmatch(text)
    if match is None:
        raise NotationError(text, 0, "a segment is written like 3,4.N")
    cell = cell_of(match)
    return Node(cell, read_segment(position.tile_at(cell), match, text, 0))
