"""Positions and records as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from model.errors import FileError, NotationError
from model.files.games import (
    CARCASSONNE,
    CASTLE,
    WITH_TOWER,
    carcassonne_tiles,
    castle_game,
)
from model.files.planes import plane_data, plane_game, plane_head, with_plane
from model.files.schema import (
    PlaneBody,
    PlaneFile,
    PlayerEntry,
    PositionBody,
    PositionFile,
    RecordFile,
)
from model.files.tilesets import (
    CASTLE_KINDS,
    own_kinds,
    shipped_board,
    shipped_tile_set,
    shipped_tile_sets,
    write_segment,
)
from model.files.toml import FORMAT, parse, read_text, to_json, to_toml, validate
from model.games import Game
from model.geometry import Cell
from model.notation import read_board_line, write_board_line
from model.position import Follower, PlayerState, Position
from model.problems import problems as position_problems
from model.tiles import PlacedTile, TileKind


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


def position_keys(name: str, data: Mapping[str, Any]) -> PositionFile | PlaneFile:
    """Check the keys of a position's file against those of its game.

    Raises:
        FileError: every problem of the keys.

    """
    if str(data.get("game", CASTLE)).startswith(CARCASSONNE):
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
    faults = _unknown_ids(game, body)
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
        position = _with_castle(position, body)
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    position = replace(
        position,
        to_move=game.players.index(to_move),
        order=tuple(_spelled(game, tile) for tile in body.order),
        bag=tuple(sorted(Counter({_spelled(game, t): n for t, n in body.bag.items()}).elements())),
        discarded=tuple(_spelled(game, tile) for tile in body.discarded),
    )
    found = position_problems(position, lines) if check else ()
    if found:
        raise FileError(name, [f"{prefix}{f.at}: {f.message} [{f.rule}]" for f in found])
    return position


def _spelled(game: Game, tile_id: str) -> str:
    """Return a tile's id as the set spells it, whatever the case in the file."""
    return next(kind.id for kind in game.tile_set.kinds if kind.id.lower() == tile_id.lower())


def _with_castle(position: Position, body: PositionBody) -> Position:
    """Return the position with what only The Castle has."""
    game, entries = position.game, (body.white, body.black)
    return replace(
        position,
        players=tuple(
            _player(entry, game, position.followers, index) for index, entry in enumerate(entries)
        ),
        towers=tuple(
            (t.name, body.towers[t.name]) for t in game.board.towers if t.name in body.towers
        ),
        spent=tuple(sorted(body.spent)),
        extra_turns=body.extra_turns,
        in_extra_turn=body.in_extra_turn,
    )


def _game(name: str, body: PositionBody | PlaneBody, prefix: str) -> Game:
    """Make the game of a position: tile set, own kinds, start spaces, switches."""
    faults: list[str] = []
    game = plane_game(body, faults) if isinstance(body, PlaneBody) else _castle(body, faults)
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    own = own_kinds(name, body.kinds)
    replaced = {kind.id.lower() for kind in own}
    kept = tuple(kind for kind in game.tile_set.kinds if kind.id.lower() not in replaced)
    game = replace(game, tile_set=replace(game.tile_set, kinds=kept + own))
    faults.extend(
        f"kinds[{index}]: there is no {segment.kind} in this game"
        for index, kind in enumerate(own)
        for segment in kind.segments
        if segment.kind not in game.rules.roles
    )
    names = {switch.name: switch for switch, _ in game.switches}
    for switch, value in body.switches.items():
        if switch not in names:
            faults.append(f"switches.{switch}: no such switch; there are {', '.join(names)}")
        elif value not in names[switch].values:
            allowed = ", ".join(names[switch].values)
            faults.append(f"switches.{switch}: found {value!r}, allowed are {allowed}")
    if isinstance(body, PositionBody):
        game = _with_starts(game, body, faults)
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    return game.with_switches(body.switches)


def _castle(body: PositionBody, faults: list[str]) -> Game:
    """Return The Castle with the tile set that a file names; faults are added to the list."""
    allowed = [name for name in shipped_tile_sets() if _fits_castle(name)]
    if body.tiles not in allowed:
        faults.append(f"tiles: no set {body.tiles!r}; shipped are {', '.join(allowed)}")
        return castle_game()
    return castle_game(shipped_tile_set(body.tiles))


def _fits_castle(name: str) -> bool:
    """Tell whether a shipped set shows what there is in The Castle."""
    kinds = {segment.kind for kind in shipped_tile_set(name).kinds for segment in kind.segments}
    return kinds <= CASTLE_KINDS


def _with_starts(game: Game, body: PositionBody, faults: list[str]) -> Game:
    """Return the game with what the start spaces of a file show."""
    shows = dict(zip((start.name for start in game.board.starts), game.shows, strict=True))
    pictures = {kind.id for kind in game.picture_kinds}
    for start, shown in body.start_spaces.items():
        if start not in shows:
            faults.append(
                f"start_spaces.{start}: no such start space; there are {', '.join(shows)}"
            )
        elif shown not in pictures:
            faults.append(
                f"start_spaces.{start}: no picture {shown!r};"
                f" there are {', '.join(sorted(pictures))}"
            )
        else:
            shows[start] = shown
    return replace(game, shows=tuple(shows.values()))


def _unknown_ids(game: Game, body: PositionBody | PlaneBody) -> list[str]:
    """Return a problem for every tile or tower that the game does not have."""
    known = {kind.id.lower() for kind in game.tile_set.kinds}
    faults: list[str] = []
    lists: Mapping[str, Sequence[str]] = {"order": body.order, "discarded": body.discarded}
    places = [(f"{key}[{i}]", tile) for key, ids in lists.items() for i, tile in enumerate(ids)]
    places += [(f"bag.{tile}", tile) for tile in body.bag]
    faults += [
        f"{place}: the set {game.tile_set.id} has no tile {tile}"
        for place, tile in places
        if tile.lower() not in known
    ]
    towers = {tower.name for tower in game.board.towers}
    for tower in body.towers if isinstance(body, PositionBody) else ():
        if tower not in towers:
            faults.append(f"towers.{tower}: no such tower; there are {', '.join(sorted(towers))}")
    return faults


def _board(
    game: Game, lines: Sequence[str], faults: list[str], *, check: bool
) -> tuple[list[PlacedTile], list[Follower], list[Cell]]:
    """Read the lines of the board; faults are added to the list.

    Without a check two tiles may lie on one cell; the followers are those of the last.
    """
    tiles: list[PlacedTile] = []
    followers: list[Follower] = []
    taken = game.rules.placement[0]  # in every game the first is that a cell must be empty
    for index, line in enumerate(lines):
        try:
            tile, here = read_board_line(game, line)
        except NotationError as error:
            faults.append(
                f"board[{index}]: {error.problem}, at character {error.at + 1} of {line!r}"
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


def _player(
    entry: PlayerEntry, game: Game, followers: Sequence[Follower], index: int
) -> PlayerState:
    """Make a player; followers that are nowhere else are in the supply."""
    on_board = sum(follower.player == index for follower in followers)
    supply = entry.supply
    if supply is None:
        supply = max(0, game.followers - on_board - entry.fresh_followers)
    return PlayerState(
        score=entry.score,
        supply=supply,
        keep=entry.keep,
        wall_tiles=tuple(sorted(entry.wall_tiles)),
        fresh_wall_tiles=tuple(sorted(entry.fresh_wall_tiles)),
        fresh_followers=entry.fresh_followers,
    )


def position_data(position: Position) -> dict[str, Any]:
    """Return the keys of a position's file, without those that have their default."""
    game = position.game
    own = [_kind_data(kind) for kind in own_kinds_of(game)]
    data = plane_head(game, own) if game.board.endless else _castle_head(game, own)
    data["to_move"] = game.players[position.to_move]
    if position.extra_turns:
        data["extra_turns"] = position.extra_turns
    if position.in_extra_turn:
        data["in_extra_turn"] = True
    data["board"] = [write_board_line(game, tile, position.followers) for tile in position.tiles]
    lists = {
        "order": list(position.order),
        "discarded": list(position.discarded),
        "spent": list(position.spent),
        "bag": dict(sorted(Counter(position.bag).items())),
        "towers": dict(position.towers),
    }
    data.update({key: value for key, value in lists.items() if value})
    if game.board.endless:
        data.update(plane_data(position))
    else:
        data.update({name: _player_data(position, i) for i, name in enumerate(game.players)})
    return data


def own_kinds_of(game: Game) -> list[TileKind]:
    """Return the kinds of a game that its shipped set does not have, or has otherwise."""
    if game.board.endless:
        shipped_set = carcassonne_tiles(tower=game.id == WITH_TOWER)
    else:
        shipped_set = shipped_tile_set(game.tile_set.id)
    shipped = {kind.id: kind for kind in shipped_set.kinds}
    return [kind for kind in game.tile_set.kinds if shipped.get(kind.id) != kind]


def _castle_head(game: Game, own: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the keys that say what is played, of The Castle."""
    _, _, shows = shipped_board(game.board.id)
    data: dict[str, Any] = {"game": game.id, "tiles": game.tile_set.id}
    if own:
        data["kinds"] = own
    if changed := game.changed_switches():
        data["switches"] = changed
    pictures = zip(game.board.starts, game.shows, shows, strict=True)
    if own_shows := {s.name: shown for s, shown, default in pictures if shown != default}:
        data["start_spaces"] = own_shows
    return data


def _kind_data(kind: TileKind) -> dict[str, Any]:
    """Return the entry of a kind of tile."""
    data: dict[str, Any] = {"id": kind.id, "count": kind.count}
    if kind.title:
        data["title"] = kind.title
    data["segments"] = [write_segment(segment) for segment in kind.segments]
    if kind.squares:
        data["squares"] = [list(square) for square in kind.squares]
    if kind.tower_place:
        data["tower_place"] = True
    if kind.code:
        data["code"] = kind.code
    return data


def _player_data(position: Position, index: int) -> dict[str, Any]:
    """Return the entry of a player."""
    state = position.players[index]
    data: dict[str, Any] = {"score": state.score, "supply": state.supply}
    if state.keep:
        data["keep"] = state.keep
    if state.wall_tiles:
        data["wall_tiles"] = list(state.wall_tiles)
    if state.fresh_wall_tiles:
        data["fresh_wall_tiles"] = list(state.fresh_wall_tiles)
    if state.fresh_followers:
        data["fresh_followers"] = state.fresh_followers
    return data


def write_position(position: Position, *, title: str = "", as_json: bool = False) -> str:
    """Write a position's file; ``read_position`` gives the position back."""
    head: dict[str, Any] = {"burgrave": FORMAT, "type": "position"}
    if title:
        head["title"] = title
    data = {**head, **position_data(position)}
    return to_json(data) if as_json else to_toml(data)


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
