"""Positions and records as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from burgrave.model.book import book_of
from burgrave.model.components import Follower
from burgrave.model.errors import FileError, NotationError, QuestionError
from burgrave.model.files.castles import (
    castle_data,
    castle_head,
    walled_game,
    with_castle,
    with_starts,
)
from burgrave.model.files.games import shipped_game, shipped_kinds
from burgrave.model.files.paths import read_text
from burgrave.model.files.planes import plane_data, plane_game, plane_head, with_plane
from burgrave.model.files.schema import (
    FileModel,
    PlaneBody,
    PlaneFile,
    PositionBody,
    PositionFile,
    PositionKeys,
    RecordFile,
)
from burgrave.model.files.tilesets import OWN, own_kinds, shipped_tile_sets, write_segment
from burgrave.model.files.toml import FORMAT, parse, to_json, to_toml, validate
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import alike, suggestion
from burgrave.model.notation import read_board_line, write_board_line
from burgrave.model.position import Position
from burgrave.model.problems import problems as position_problems
from burgrave.model.quarters import named, no_tile, quarters_of, shown_by
from burgrave.model.registry import CARCASSONNE, CASTLE, split
from burgrave.model.tiles import PlacedTile, TileKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game or a part of one, as its file holds it."""

    title: str = ""
    note: str = ""
    position: Position
    moves: tuple[str, ...] = ()
    """Moves in notation, one a turn."""
    final: str | None = None
    """Wall tiles used in final scoring, in notation; None for the best for each."""
    result: tuple[int, ...] | None = None
    """Totals that a replay must reach, if the file names them."""


def read_position(name: str, text: str, *, check: bool = True) -> Position:
    """Read a position.

    Args:
        name: the file as the user named it, for errors.
        text: TOML or JSON.
        check: whether a position that cannot arise is refused.

    Raises:
        FileError: every problem of the file, impossible things included.

    """
    data = parse(name, text)
    return position_from(name, position_keys(name, data), check=check)


SPARE = 4
"""Lines of a board for each tile of the set up to which they are judged one by one: of a few tiles
too many the rules tell."""


def position_keys(name: str, data: Mapping[str, Any]) -> PositionFile | PlaneFile:
    """Check the keys of a position's file against those of its game.

    Raises:
        FileError: every problem of the keys.

    """
    if split(str(data.get("game", CASTLE)))[0] == CARCASSONNE:
        return validate(name, data, PlaneFile, "position")
    return validate(name, data, PositionFile, "position")


def load_position(path: Path) -> Position:
    """Read a position from a file.

    Raises:
        FileError: the file cannot be used.

    """
    return read_position(str(path), read_text(path))


def position_from(
    name: str, body: PositionBody | PlaneBody, *, check: bool = True, prefix: str = ""
) -> Position:
    """Make a position from the keys of a file.

    Args:
        name: the file as the user named it, for errors.
        body: the keys.
        check: whether a position that cannot arise is refused.
        prefix: where the keys stand in the file, ``position.``.

    Raises:
        FileError: every problem.

    """
    game = _game(name, body, prefix)
    most = SPARE * len(game.tile_set.all_tiles())
    if len(body.board) > most:
        # What is wrong with each of very many lines takes minutes to find out, and to read.
        fault = f"{prefix}board: {len(body.board)} lines; a board has {most} at most"
        raise FileError(name, [fault])
    faults = [*_unknown_ids(game, body), *_foreign_keys(game, body)]
    tiles, followers, lines = _board(game, body.board, faults, check=check)
    to_move = body.to_move or game.players[0]
    if to_move not in game.players:
        faults.append(f"to_move: found {to_move!r}, allowed are {', '.join(game.players)}")
    position = Position(
        game=game,
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        followers=tuple(sorted(followers)),
        players=(),
    )
    if isinstance(body, PlaneBody):
        position = with_plane(position, body, faults)
    else:
        position = with_castle(position, body, faults)
    _refuse(name, faults, prefix)
    position = replace(
        position,
        to_move=game.players.index(to_move),
        order=tuple(_spelled(game, tile) for tile in body.order),
        discarded=tuple(_spelled(game, tile) for tile in body.discarded),
    )
    position = replace(position, bag=tuple(sorted(_bag(position, body))))
    found = position_problems(position, lines) if check else ()
    if found:
        raise FileError(name, [f"{prefix}{f.at}: {f.message} [{f.rule}]" for f in found])
    return position


def _bag(position: Position, body: PositionBody | PlaneBody) -> Iterator[str]:
    """Yield the tiles in the bag of a position that has all others."""
    if isinstance(body.bag, dict):
        for tile, number in body.bag.items():
            yield from [_spelled(position.game, tile)] * number
        return
    used = [tile.kind.id for tile in position.tiles]
    left = Counter(position.game.tile_set.all_tiles())
    left.subtract([*used, *position.order, *position.discarded])
    yield from left.elements()


def _spelled(game: Game, tile_id: str) -> str:
    """Return the id of the tile that an id in any case or a quarter code names."""
    found = named(game.tile_set, tile_id)
    return tile_id if found is None else found[0].id


def _game(name: str, body: PositionBody | PlaneBody, prefix: str) -> Game:
    """Make the game of a position: tile set, own kinds, switches, start spaces."""
    faults: list[str] = []
    game = plane_game(body, faults) if isinstance(body, PlaneBody) else walled_game(body, faults)
    _refuse(name, faults, prefix)
    own = own_kinds(name, body.kinds)
    replaced = {kind.id.lower() for kind in own}
    kept = tuple(kind for kind in game.tile_set.kinds if kind.id.lower() not in replaced)
    game = replace(game, tile_set=replace(game.tile_set, kinds=kept + own))
    _refuse(name, [*_wrong_switches(game, body), *_foreign_kinds(game)], prefix)
    game = game.with_switches(body.switches)
    # Start spaces last: in some games the switches say which there are.
    if isinstance(body, PositionBody):
        game = with_starts(game, body, faults)
    _refuse(name, faults, prefix)
    return game


def _refuse(name: str, faults: Sequence[str], prefix: str) -> None:
    """Raise an error with all problems, if there are any."""
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])


def _wrong_switches(game: Game, body: PositionKeys) -> Iterator[str]:
    """Yield a problem for every switch or value that the game does not have."""
    names = {switch.name: switch for switch, _ in game.switches}
    for switch, value in body.switches.items():
        if switch not in names:
            there = game.foreign(switch) or f".{suggestion(switch, names)}"
            yield f"switches.{switch}: no such switch{there}"
        elif value not in names[switch].values:
            known = names[switch].values
            helps = f".{suggestion(value, known)}" if alike(value, known) else ""
            yield f"switches.{switch}: found {value!r}, allowed are {', '.join(known)}{helps}"


def refuse_foreign_kinds(name: str, game: Game) -> None:
    """Refuse a game whose tiles show what it does not have.

    Args:
        name: the file with the tiles as the user named it, for errors.
        game: the game.

    Raises:
        FileError: every kind that does so.

    """
    _refuse(name, list(_foreign_kinds(game)), "")


def _foreign_kinds(game: Game) -> Iterator[str]:
    """Yield a problem for every kind of tile that shows what the game does not have."""
    for kind in game.tile_set.kinds:
        words = {str(s.kind) for s in kind.segments if s.kind not in book_of(game).roles}
        words |= {"aeries"} if kind.aeries and book_of(game).collect is None else set()
        words |= {"tower_place"} if kind.tower_place and not book_of(game).actions else set()
        for word in sorted(words):
            why = game.foreign(word) or ", which there is not in this game"
            yield f"tiles: kind {kind.id} shows {word}{why}"


def _foreign_keys(
    game: Game, entry: FileModel | Mapping[str, Any], place: str = ""
) -> Iterator[str]:
    """Yield a problem for every key about pieces that the game does not have."""
    for key, value in entry.items() if isinstance(entry, Mapping) else entry:
        if isinstance(value, FileModel) or key == "player":
            yield from _foreign_keys(game, value, f"{place}{key}.")
        elif value and (foreign := game.foreign(key)):
            yield f"{place}{key}: the game does not have this{foreign}"


def _unknown_ids(game: Game, body: PositionBody | PlaneBody) -> list[str]:
    """Return a problem for every tile that the game does not have."""
    faults: list[str] = []
    lists: Mapping[str, Sequence[str]] = {"order": body.order, "discarded": body.discarded}
    places = [(f"{key}[{i}]", tile) for key, ids in lists.items() for i, tile in enumerate(ids)]
    if isinstance(body.bag, dict):
        places += [(f"bag.{tile}", tile) for tile in body.bag]
    for place, tile in places:
        try:
            if named(game.tile_set, tile) is None:
                faults.append(f"{place}: {no_tile(game, tile)}")
        except ValueError as error:
            faults.append(f"{place}: {error}")
    return faults


def _board(
    game: Game, lines: Sequence[str], faults: list[str], *, check: bool
) -> tuple[list[PlacedTile], list[Follower], list[Cell]]:
    """Read the lines of the board; faults are added to the list.

    Without a check two tiles may lie on one cell; the followers are those of the last.
    """
    tiles: list[PlacedTile] = []
    followers: list[Follower] = []
    taken = book_of(game).placement[0]  # in every game the first is that a cell must be empty
    for index, line in enumerate(lines):
        try:
            tile, here = read_board_line(game, line)
        except NotationError as error:
            where = f"t character {error.at + 1} of {line!r}"
            ends = error.problem.endswith((".", "?"))
            faults.append(
                f"board[{index}]: {error.problem}{f' A{where}.' if ends else f', a{where}'}"
            )
            continue
        if any(tile.cell == other.cell for other in tiles):
            if check:
                faults.append(f"board[{index}]: a tile lies on {tile.cell} already [{taken.id}]")
                continue
            followers = [f for f in followers if f.node.cell != tile.cell]
        tiles.append(tile)
        followers += here
    return tiles, followers, [tile.cell for tile in tiles]


class _Keys(NamedTuple):
    """The keys that only files of one base have."""

    head: Callable[[Game, list[dict[str, Any]]], dict[str, Any]]
    """Writes the keys that name the game."""
    data: Callable[[Position], dict[str, Any]]
    """Writes the keys of towers and players."""
    names_tiles: bool = False
    """Whether the set of tiles is named; otherwise all kinds that are not shipped are written."""


_KEYS = {
    CASTLE: _Keys(castle_head, castle_data, names_tiles=True),
    CARCASSONNE: _Keys(plane_head, plane_data),
}


def position_data(position: Position) -> dict[str, Any]:
    """Return the keys of a position's file, without those that have their default."""
    game = position.game
    own = [kind_data(kind) for kind in own_kinds_of(game)]
    data = _KEYS[game.base].head(game, own)
    data["to_move"] = game.players[position.to_move]
    if position.extra_turns:
        data["extra_turns"] = position.extra_turns
    if position.in_extra_turn:
        data["in_extra_turn"] = True
    # In a position that cannot be two tiles may lie on one cell; followers stand on the last.
    data["board"] = [
        write_board_line(
            game, tile, position.followers if position.tile_at(tile.cell) is tile else ()
        )
        for tile in position.tiles
    ]
    lists = {
        "order": list(position.order),
        "discarded": list(position.discarded),
        "bag": dict(sorted(Counter(position.bag).items())),
    }
    data.update({key: value for key, value in lists.items() if value})
    data.update(_KEYS[game.base].data(position))
    return data


def own_kinds_of(game: Game) -> list[TileKind]:
    """Return the kinds of a game that its shipped set does not have, or has otherwise."""
    shipped = {kind.id: kind for kind in shipped_kinds(game)}
    return [kind for kind in game.tile_set.kinds if shipped.get(kind.id) != kind]


def kind_data(kind: TileKind) -> dict[str, Any]:
    """Return the entry of a kind of tile: by its quarter code, or by its segments."""
    code = quarters_of(kind)
    if code and replace(shown_by(code), id=kind.id, count=kind.count) == kind:
        return {"id": kind.id, "count": kind.count, "quarters": code}
    return segment_data(kind)


def segment_data(kind: TileKind) -> dict[str, Any]:
    """Return the entry of a kind of tile by its segments."""
    data: dict[str, Any] = {"id": kind.id, "count": kind.count}
    if kind.title:
        data["title"] = kind.title
    data["segments"] = [write_segment(segment) for segment in kind.segments]
    if kind.squares:
        data["squares"] = [list(square) for square in kind.squares]
    if kind.aeries:
        data["aeries"] = [list(aerie) for aerie in kind.aeries]
    if kind.tower_place:
        data["tower_place"] = True
    if kind.code:
        data["code"] = kind.code
    return data


def write_position(position: Position, *, title: str = "", as_json: bool = False) -> str:
    """Write a position's file; ``read_position`` gives the position back.

    Raises:
        QuestionError: its tile set or board is not shipped, or a file cannot hold something in it.

    """
    refuse_unshipped(position)
    head: dict[str, Any] = {"burgrave": FORMAT, "type": "position"}
    if title:
        head["title"] = title
    data = {**head, **position_data(position)}
    text = to_json(data) if as_json else to_toml(data)
    refuse_loss(position, text)
    return text


def refuse_unshipped(position: Position) -> None:
    """Refuse a position whose tile set or board is not shipped: no file can name it.

    Raises:
        QuestionError: it is such a position.

    """
    game = position.game
    if _KEYS[game.base].names_tiles and game.tile_set.id not in {OWN, *shipped_tile_sets()}:
        raise QuestionError(
            f"the tile set {game.tile_set.id} is not shipped: put its tiles into the position"
            " as kinds of its own"
        )
    usual = shipped_game(game.id).with_switches(game.changed_switches())
    if usual.board != game.board:
        raise QuestionError(f"the board {game.board.id} is not shipped: no file can name it")


def refuse_loss(position: Position, text: str) -> None:
    """Refuse a position that its file does not give back.

    Raises:
        QuestionError: the file holds another position.

    """
    if read_position("the file", text, check=False) != position:
        raise QuestionError("this position has tiles or players that no file can hold")


def read_record(name: str, text: str) -> Record:
    """Read a record; its moves are not played yet.

    Raises:
        FileError: every problem of the file.

    """
    file = validate(name, parse(name, text), RecordFile, "record")
    return Record(
        title=file.title,
        note=file.note,
        position=position_from(name, file.position, prefix="position."),
        moves=tuple(file.moves),
        final=file.final,
        result=None if file.result is None else tuple(file.result),
    )


def write_record(record: Record, *, as_json: bool = False) -> str:
    """Write a record; ``read_record`` gives it back."""
    data: dict[str, Any] = {"burgrave": FORMAT, "type": "record"}
    if record.title:
        data["title"] = record.title
    if record.note:
        data["note"] = record.note
    data["moves"] = list(record.moves)
    if record.final is not None:
        data["final"] = record.final
    if record.result is not None:
        data["result"] = list(record.result)
    data["position"] = position_data(record.position)
    return to_json(data) if as_json else to_toml(data)
