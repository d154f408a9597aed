"""Canonical forms: positions that are the same but for colours and the way the board is turned."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache, partial
from hashlib import sha256
from itertools import chain
from typing import Any

from burgrave.model.components import Node
from burgrave.model.geometry import Cell
from burgrave.model.parts import Form, Parted, View
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.tiles import TileKind

PORTS = 12
"""Ports of a tile, three on each side, clockwise from the left end of the north side."""
DIGEST_BYTES = 16
_KEPT_LOOKS = 20_000
"""Looks of tiles that are kept: a game has some 50 kinds in 4 rotations and 8 symmetries."""


def form(position: Position) -> Form:
    """Return the look of a position: tiles, followers and the next tile.

    Scores, supplies and the tiles that come later are left out, so that near-duplicates have
    one form. The player to move is player 0; a plane is moved to its corner, turned and mirrored
    the way that sorts first, while a wall has no symmetry. Tiles that look alike count as one.
    """
    return min(
        _turned(position, quarters, mirrored=mirrored)
        for quarters, mirrored in position.game.board.symmetries
    )


def whole_form(position: Position) -> Form:
    """Return everything in a position that the rules read, as ``form`` returns its look.

    Two positions with the same value are one position but for colours, the names of tiles, the
    place of a plane, and the way it is turned or mirrored.
    """
    return min(
        _whole(position, quarters, mirrored=mirrored)
        for quarters, mirrored in position.game.board.symmetries
    )


def named_form(position: Position, named: Move | Node | str) -> Form:
    """Return a move, a segment on the board or a tile as ``whole_form`` turns its position.

    It is the same for a question and its copy with other colours, on another place of a plane, or
    on a board that was turned or mirrored.
    """
    return min(
        (
            _whole(position, quarters, mirrored=mirrored),
            repr(_named(position, named, quarters, mirrored=mirrored)),
        )
        for quarters, mirrored in position.game.board.symmetries
    )[1:]


class Match(StrEnum):
    """How two positions are alike."""

    SAME = "same"
    """They are one, but for colours and the place of a plane."""
    TURNED = "turned"
    """They are one once the board of one is turned or mirrored."""
    LOOK = "look"
    """They have one form; scores, supplies or later tiles differ."""

    @property
    def rank(self) -> int:
        """The number of its kind, 0 for the most alike."""
        return [*Match].index(self)


def likeness(position: Position, other: Position) -> Match | None:
    """Return how two positions are alike; None if they are not."""
    if whole_form(position) == whole_form(other):
        unturned = (_whole(one, 0, mirrored=False) for one in (position, other))
        return Match.SAME if next(unturned) == next(unturned) else Match.TURNED
    return Match.LOOK if form(position) == form(other) else None


def digest(value: Form) -> bytes:
    """Return a form in 16 bytes, which datasets store: a change is a new version of these."""
    return sha256(repr(value).encode()).digest()[:DIGEST_BYTES]


def _whole(position: Position, quarters: int, *, mirrored: bool) -> Form:
    """Return the whole form of a position mirrored, if wanted, then turned clockwise."""
    game = position.game
    corner = game.board.corner(_moved(t.cell, quarters, mirrored) for t in position.tiles)

    def place(cell: Cell) -> tuple[int, int]:
        moved = _moved(cell, quarters, mirrored)
        return moved.x - corner.x, moved.y - corner.y

    def looks(names: tuple[str, ...]) -> list[str]:
        kinds = map(game.tile_set.kind, names)
        return [min(_look(kind, 0, turn, mirrored) for turn in range(4)) for kind in kinds]

    view = View(place, partial(_relative, position=position))
    followers = []
    for one in position.followers:
        tile = position.by_cell()[one.node.cell]
        segment = _segment(tile.kind, one.node.segment, tile.rotation, quarters, mirrored)
        player = _relative(one.player, position)
        followers.append((place(tile.cell), segment, str(one.role), str(one.rank), player))
    count = len(position.players)
    return (
        game.id,
        tuple(sorted((s.name, value) for s, value in game.switches if value != s.default)),
        tuple((place(t.cell), _look(t.kind, t.rotation, 0, mirrored)) for t in game.pictures),
        _turned(position, quarters, mirrored=mirrored),
        tuple(sorted(followers)),
        _parts(position, view),
        tuple(
            _possessions(position.players[(position.to_move + turn) % count], view)
            for turn in range(count)
        ),
        tuple(looks(position.order)),
        tuple(sorted(looks(position.bag))),
        tuple(sorted(looks(position.discarded))),
        position.towers,
        position.spent,
        (position.extra_turns, position.in_extra_turn),
    )


def _named(position: Position, named: Move | Node | str, quarters: int, *, mirrored: bool) -> Form:
    """Return what a question names, mirrored, if wanted, then turned clockwise."""
    kind_of, tiles = position.game.tile_set.kind, position.by_cell()
    corner = position.game.board.corner(_moved(cell, quarters, mirrored) for cell in tiles)

    def place(cell: Cell) -> tuple[int, int]:
        moved = _moved(cell, quarters, mirrored)
        return moved.x - corner.x, moved.y - corner.y

    def segment(cell: Cell, index: int | None) -> Form:
        on = tiles.get(cell)
        if on is None or index is None:
            return place(cell), index
        return place(cell), _segment(on.kind, index, on.rotation, quarters, mirrored)

    def look(name: str) -> str:
        return min(_look(kind_of(name), 0, turn, mirrored) for turn in range(4))

    if isinstance(named, str):
        return (look(named),)
    if isinstance(named, Node):
        return segment(*named)
    laid: list[Form] = []
    if named.tile is not None and named.cell is not None:
        tiles = {**tiles, named.cell: named.laid(kind_of(named.tile))}
        shape = _look(kind_of(named.tile), named.rotation, quarters, mirrored)
        laid = [(place(named.cell), shape)]
    return (
        laid,
        tuple(map(look, named.discards)),
        [
            (*segment(one.cell, one.segment), str(one.role), str(one.rank))
            for one in named.followers
        ],
        [(*segment(*step.node), step.wall_tiles) for step in named.scoring],
        (named.declared, named.extra_turns, named.reveals),
        [(_relative(one.captor, position), one.late, str(one.rank)) for one in named.ransoms],
        [place(cell) for cell in named.pieces],
        [(*segment(one.cell, one.segment), str(one.back)) for one in named.captures],
        [(place(one.cell), str(one.rank)) for one in named.guards],
    )


def _possessions(player: PlayerState, view: View) -> Form:
    """Return what a player has."""
    return (
        (player.score, player.at_gate, player.supply, player.fresh_followers),
        (player.keep, player.wall_tiles, player.fresh_wall_tiles),
        tuple(map(str, player.specials)),
        tuple(map(str, player.fresh_specials)),
        _parts(player, view),
    )


def _parts(state: Parted, view: View) -> Form:
    """Return what expansions add to a player or to a position, each with its name."""
    return tuple((type(part).__name__, part.form(view)) for part in state.parts)


def _turned(position: Position, quarters: int, *, mirrored: bool) -> Form:
    """Return the form of a position mirrored east to west, if wanted, then turned clockwise."""
    cells = {tile.cell: _moved(tile.cell, quarters, mirrored) for tile in position.tiles}
    corner = position.game.board.corner(cells.values())
    places = {old: (new.x - corner.x, new.y - corner.y) for old, new in cells.items()}
    tiles = sorted(
        (places[t.cell], _look(t.kind, t.rotation, quarters, mirrored)) for t in position.tiles
    )
    followers = sorted(
        (places[f.node.cell], f.title, _relative(f.player, position)) for f in position.followers
    )
    view = View(places.__getitem__, partial(_relative, position=position))
    more = chain.from_iterable(part.look(view) for part in position.parts)
    kinds = [position.game.tile_set.kind(tile) for tile in position.order[:1]]
    following = tuple(min(_look(kind, 0, turn, mirrored) for turn in range(4)) for kind in kinds)
    return (tuple(tiles), tuple(followers), tuple(more), following)


def _moved(cell: Cell, quarters: int, mirrored: bool) -> Cell:  # noqa: FBT001 -- with its number
    """Return a cell mirrored, if wanted, then turned clockwise round 0,0."""
    cell = Cell(-cell.x, cell.y) if mirrored else cell
    for _ in range(quarters):
        cell = Cell(cell.y, -cell.x)
    return cell


@lru_cache(maxsize=_KEPT_LOOKS)
def _segment(
    kind: TileKind,
    index: int,
    rotation: int,
    quarters: int,
    mirrored: bool,  # noqa: FBT001 -- likewise
) -> str:
    """Return the look of one segment of a tile after an optional reflection and a rotation."""
    looks = [
        (
            segment.kind,
            kind.turned(number, rotation),
            segment.marks,
            tuple(kind.turned(city, rotation) for city in kind.bordered(number)),
        )
        for number, segment in enumerate(kind.segments)
    ]
    # Two segments that reach no side may look alike, and yet meet different squares.
    alike = looks.count(looks[index]) > 1
    return repr((_seen(looks[index], quarters, mirrored), index if alike else 0))


@lru_cache(maxsize=_KEPT_LOOKS)
def _look(kind: TileKind, rotation: int, quarters: int, mirrored: bool) -> str:  # noqa: FBT001 -- likewise
    """Return the shape of a tile as text after an optional reflection and a rotation."""
    looks, squares, aeries = kind.shape(rotation)
    turned = [(_seen(look, quarters, mirrored), count) for look, count in looks.items()]
    parts = [sorted(map(repr, turned))]
    for groups in (squares, aeries):
        seen = [sorted(repr(_seen(look, quarters, mirrored)) for look in one) for one in groups]
        parts.append(sorted(map(repr, seen)))
    return repr(parts)


def _seen(look: Any, quarters: int, mirrored: bool) -> tuple[object, ...]:  # noqa: FBT001 -- likewise
    """Return a segment's look with its ports mirrored, if wanted, then turned."""

    def port(number: int) -> int:
        return ((2 - number if mirrored else number) + 3 * quarters) % PORTS

    segment, ports, marks, beside = look
    cities = sorted(sorted(map(port, city)) for city in beside)
    return (str(segment), sorted(map(port, ports)), tuple(map(str, marks)), cities)


def _relative(player: int | None, position: Position) -> int:
    """Return a player counted from the one to move; -1 for nobody."""
    return -1 if player is None else (player - position.to_move) % len(position.players)
