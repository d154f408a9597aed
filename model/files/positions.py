"""Positions and records as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from model.errors import FileError, NotationError
from model.files.games import default_shows, game_of, shipped_kinds
from model.files.schema import PlayerEntry, PositionBody, PositionFile, RecordFile
from model.files.tilesets import own_kinds, shipped_tile_set, shipped_tile_sets, write_segment
from model.files.toml import FORMAT, parse, read_text, to_json, to_toml, validate
from model.games import Game
from model.geometry import Cell
from model.notation import read_board_line, write_board_line
from model.position import Aerie, Follower, PlayerState, Position, Rank
from model.problems import problems as position_problems
from model.rules.placement import INSIDE
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
    file = validate(name, parse(name, text), PositionFile, "position")
    return position_from(name, file, check=check)


def load_position(path: Path) -> Position:
    """Read a position from a file.

    Raises:
        FileError: the file cannot be used.

    """
    return read_position(str(path), read_text(path))


def position_from(
    name: str, body: PositionBody, *, check: bool = True, prefix: str = ""
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
    faults = [*_unknown_ids(game, body), *_foreign_keys(game, body)]
    tiles, followers, lines = _board(game, body.board, faults, check=check)
    if body.to_move not in game.players:
        faults.append(f"to_move: found {body.to_move!r}, allowed are {', '.join(game.players)}")
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    entries = (body.white, body.black)
    position = Position(
        game=game,
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        followers=tuple(sorted(followers)),
        players=tuple(
            _player(entry, game, followers, index) for index, entry in enumerate(entries)
        ),
        to_move=game.players.index(body.to_move),
        order=tuple(_spelled(game, tile) for tile in body.order),
        bag=tuple(sorted(Counter({_spelled(game, t): n for t, n in body.bag.items()}).elements())),
        towers=tuple(
            (t.name, body.towers[t.name]) for t in game.board.towers if t.name in body.towers
        ),
        spent=tuple(sorted(body.spent)),
        discarded=tuple(_spelled(game, tile) for tile in body.discarded),
        extra_turns=body.extra_turns,
        in_extra_turn=body.in_extra_turn,
        taken_aeries=tuple(sorted(map(_aerie, body.taken_aeries))),
    )
    found = position_problems(position, lines) if check else ()
    if found:
        raise FileError(name, [f"{prefix}{f.at}: {f.message} [{f.rule}]" for f in found])
    return position


def _spelled(game: Game, tile_id: str) -> str:
    """Return a tile's id as the set spells it, whatever the case in the file."""
    return next(kind.id for kind in game.tile_set.kinds if kind.id.lower() == tile_id.lower())


def _game(name: str, body: PositionBody, prefix: str) -> Game:
    """Make the game of a position: tile set, own kinds, start spaces, switches."""
    if body.tiles not in shipped_tile_sets():
        allowed = ", ".join(shipped_tile_sets())
        raise FileError(name, [f"{prefix}tiles: no set {body.tiles!r}; shipped are {allowed}"])
    game = game_of(body.game, shipped_tile_set(body.tiles))
    own = own_kinds(name, body.kinds)
    replaced = {kind.id.lower() for kind in own}
    kept = tuple(kind for kind in game.tile_set.kinds if kind.id.lower() not in replaced)
    game = replace(game, tile_set=replace(game.tile_set, kinds=kept + own))
    faults = [*_wrong_switches(game, body), *_foreign_kinds(game)]
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    game = game.with_switches(body.switches)
    faults = list(_wrong_pictures(game, body))
    if faults:
        raise FileError(name, [prefix + fault for fault in faults])
    shows = (
        body.start_spaces.get(start.name, shown)
        for start, shown in zip(game.board.starts, game.shows, strict=True)
    )
    return replace(game, shows=tuple(shows))


def _wrong_switches(game: Game, body: PositionBody) -> Iterator[str]:
    """Yield a problem for every switch or value that the game does not have."""
    names = {switch.name: switch for switch, _ in game.switches}
    for switch, value in body.switches.items():
        if switch not in names:
            foreign = game.foreign(switch)
            there = "" if foreign else f"; there are {', '.join(names)}"
            yield f"switches.{switch}: no such switch{foreign}{there}"
        elif value not in names[switch].values:
            allowed = ", ".join(names[switch].values)
            yield f"switches.{switch}: found {value!r}, allowed are {allowed}"


def _foreign_kinds(game: Game) -> Iterator[str]:
    """Yield a problem for every kind of tile that shows what the game does not have."""
    for kind in game.tile_set.kinds:
        words = {str(segment.kind) for segment in kind.segments} | (
            {"aeries"} if kind.aeries else set()
        )
        for word in sorted(words):
            if foreign := game.foreign(word):
                yield f"tiles: kind {kind.id} shows {word}{foreign}"


def _wrong_pictures(game: Game, body: PositionBody) -> Iterator[str]:
    """Yield a problem for every start space or picture that the game does not have."""
    names = [start.name for start in game.board.starts]
    pictures = {kind.id for kind in game.picture_kinds}
    for start, shown in body.start_spaces.items():
        if start not in names:
            there = game.foreign(start) or f"; there are {', '.join(names)}"
            yield f"start_spaces.{start}: no such start space{there}"
        elif shown not in pictures:
            there = game.foreign(shown) or f"; there are {', '.join(sorted(pictures))}"
            yield f"start_spaces.{start}: no picture {shown!r}{there}"


def _foreign_keys(game: Game, body: PositionBody) -> Iterator[str]:
    """Yield a problem for every key about pieces that the game does not have."""
    keys = {"taken_aeries": bool(body.taken_aeries)}
    for name, entry in (("white", body.white), ("black", body.black)):
        keys[f"{name}.specials"] = bool(entry.specials)
        keys[f"{name}.fresh_specials"] = bool(entry.fresh_specials)
        keys[f"{name}.tokens"] = bool(entry.tokens)
        keys[f"{name}.at_gate"] = entry.at_gate
    for key, used in keys.items():
        foreign = game.foreign(key.rpartition(".")[2])
        if used and foreign:
            yield f"{key}: the game does not have this{foreign}"


def _aerie(text: str) -> Aerie:
    """Read an aerie on the board, ``3,4.0``."""
    cell, _, number = text.rpartition(".")
    x, y = cell.split(",")
    return Aerie(Cell(int(x), int(y)), int(number))


def _unknown_ids(game: Game, body: PositionBody) -> list[str]:
    """Return a problem for every tile or tower that the game does not have."""
    known = {kind.id.lower() for kind in game.tile_set.kinds}
    faults: list[str] = []
    lists: Mapping[str, Sequence[str]] = {"order": body.order, "discarded": body.discarded}
    places = [(f"{key}[{i}]", tile) for key, ids in lists.items() for i, tile in enumerate(ids)]
    places += [(f"bag.{tile}", tile) for tile in body.bag]
    faults += [
        f"{place}: the set {game.tile_set.id} has no tile {tile}{game.foreign(tile)}"
        for place, tile in places
        if tile.lower() not in known
    ]
    towers = {tower.name for tower in game.board.towers}
    for tower in body.towers:
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
                faults.append(f"board[{index}]: a tile lies on {tile.cell} already [{INSIDE.id}]")
                continue
            followers = [f for f in followers if f.node.cell != tile.cell]
        tiles.append(tile)
        followers += here
    return tiles, followers, [tile.cell for tile in tiles]


def _player(
    entry: PlayerEntry, game: Game, followers: Sequence[Follower], index: int
) -> PlayerState:
    """Make a player; followers that are nowhere else are in the supply."""
    ranks = [follower.rank for follower in followers if follower.player == index]
    supply = entry.supply
    if supply is None:
        on_board = ranks.count(Rank.FOLLOWER)
        supply = max(0, game.followers - on_board - entry.fresh_followers)
    resting = [Rank(name) for name in entry.fresh_specials]
    specials = [rank for rank in game.specials if rank not in {*ranks, *resting}]
    if entry.specials is not None:
        specials = [Rank(name) for name in entry.specials]
    return PlayerState(
        score=entry.score,
        supply=supply,
        keep=entry.keep,
        wall_tiles=tuple(sorted(entry.wall_tiles)),
        fresh_wall_tiles=tuple(sorted(entry.fresh_wall_tiles)),
        fresh_followers=entry.fresh_followers,
        specials=tuple(sorted(specials)),
        fresh_specials=tuple(sorted(resting)),
        tokens=entry.tokens,
        at_gate=entry.at_gate,
    )


def position_data(position: Position) -> dict[str, Any]:
    """Return the keys of a position's file, without those that have their default."""
    game = position.game
    shows = default_shows(game)
    data: dict[str, Any] = {"game": game.id, "tiles": game.tile_set.id}
    shipped = {kind.id: kind for kind in shipped_kinds(game)}
    own = [kind for kind in game.tile_set.kinds if shipped.get(kind.id) != kind]
    if own:
        data["kinds"] = [_kind_data(kind) for kind in own]
    if changed := game.changed_switches():
        data["switches"] = changed
    pictures = zip(game.board.starts, game.shows, shows, strict=True)
    if own_shows := {s.name: shown for s, shown, default in pictures if shown != default}:
        data["start_spaces"] = own_shows
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
        "taken_aeries": [f"{aerie.cell}.{aerie.number}" for aerie in position.taken_aeries],
        "bag": dict(sorted(Counter(position.bag).items())),
        "towers": dict(position.towers),
    }
    data.update({key: value for key, value in lists.items() if value})
    for index, name in enumerate(game.players):
        data[name] = _player_data(position, index)
    return data


def _kind_data(kind: TileKind) -> dict[str, Any]:
    """Return the entry of a kind of tile."""
    data: dict[str, Any] = {"id": kind.id, "count": kind.count}
    if kind.title:
        data["title"] = kind.title
    data["segments"] = [write_segment(segment) for segment in kind.segments]
    if kind.squares:
        data["squares"] = [list(square) for square in kind.squares]
    if kind.aeries:
        data["aeries"] = [list(aerie) for aerie in kind.aeries]
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
    if position.game.specials:
        data["specials"] = list(map(str, state.specials))
    if state.fresh_specials:
        data["fresh_specials"] = list(map(str, state.fresh_specials))
    if state.tokens:
        data["tokens"] = state.tokens
    if state.at_gate:
        data["at_gate"] = True
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
