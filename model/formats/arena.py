"""Logs of games of Carcassonne at Board Game Arena as records.

A log is what the page of a replay loads, saved as JSON: packets of events. Numbers are written as
figures or as strings. What a log says of points is compared with our rules, and never taken over.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from burgrave.model.errors import FileError
from burgrave.model.files.faults import shown
from burgrave.model.final import final_scoring
from burgrave.model.formats.arena_tiles import (
    PLAYERS,
    START,
    ArenaTurn,
    arena_tiles,
    gaps,
    recorded,
    tile_numbered,
)
from burgrave.model.formats.imported import Claim, Imported
from burgrave.model.geometry import Cell
from burgrave.model.naming import times
from burgrave.model.position import Position

ARENA = "Board Game Arena"
FAR = 72
"""No tile lies as far from the first one."""
SIDES = 4
_FIGURES = re.compile(r"-?\d{1,9}", re.ASCII)
_POINTS = ("points", "score", "nbr", "value")
"""Keys under which releases of the site tell the points of ``winPoints``."""


def is_log(data: Mapping[str, Any]) -> bool:
    """Tell whether the top of a JSON file is that of a log."""
    return "burgrave" not in data and _packets(data) is not None


def _packets(data: Mapping[str, Any]) -> tuple[str, Sequence[Any]] | None:
    """Return the packets with their place in the file; None if there are none."""
    inner = data.get("data", data)
    if isinstance(inner, list):
        return "data", inner
    for key in ("logs", "data"):
        packets = inner.get(key) if isinstance(inner, Mapping) else None
        if isinstance(packets, list):
            return f"data.{key}" if "data" in data else key, packets
    return None


@dataclass(slots=True)
class _Reading:
    """What was read of a log so far."""

    names: dict[str, str] = field(default_factory=dict)
    """Of each player by id, in the order of their first turns."""
    active: str | None = None
    """The player to move, by id, if the log says so."""
    turns: list[ArenaTurn] = field(default_factory=list)
    drawn: deque[str] = field(default_factory=deque)
    """The kinds of tiles drawn and not laid, in their order."""
    gone: list[str] = field(default_factory=list)
    """The kinds of tiles without a place since the last turn."""
    points: Counter[str] = field(default_factory=Counter)
    """The points that the log tells of, by player's id."""


def read_log(name: str, data: Mapping[str, Any]) -> Imported:
    """Read a log and play it.

    Args:
        name: the file as the user named it, for errors.
        data: the top of the JSON file.

    Raises:
        FileError: no game of Carcassonne, an expansion, a damaged event or an illegal turn, each
            with its place.

    """
    found = _packets(data)
    where, packets = found or ("data", ())
    log = _Reading()
    table = ""
    for at, args, kind, packet in _events(packets, where):
        table = table or str(packet.get("table_id") or "")
        try:
            _READERS.get(kind, _ignored)(log, args, at)
        except ValueError as error:
            raise FileError(name, [str(error)]) from error
    if not log.turns:
        raise FileError(
            name, [f"{where}: no tile is laid (playTile); is it a game of Carcassonne?"]
        )
    if len(log.names) not in PLAYERS:
        raise FileError(
            name,
            [f"{where}: {times(len(log.names), 'player')} lay tiles; a game has 2 to 5"],
        )
    names = [*log.names.values()]
    title = f"{ARENA}{f', table {table}' if table else ''}: {', '.join(names)}"
    record, end = recorded(name, title, names, log.turns, (*log.gone, *log.drawn))
    return Imported(
        record=record,
        remarks=tuple(gaps(record)),
        claims=tuple(_claims(end, log)),
    )


def _events(
    packets: Sequence[Any], where: str
) -> Iterator[tuple[str, Mapping[str, Any], str, Mapping[str, Any]]]:
    """Yield place, arguments and type of every event, with its packet."""
    for number, packet in enumerate(packets):
        if not isinstance(packet, Mapping):
            continue
        events = packet.get("data", ())
        for index, event in enumerate(events if isinstance(events, list) else [events]):
            if not isinstance(event, Mapping):
                continue
            args = event.get("args", ())
            for one in args if isinstance(args, list) else [args]:
                if isinstance(one, Mapping):
                    at = f"{where}[{number}].data[{index}]"
                    yield at, one, str(event.get("type")), packet


def _ignored(_log: _Reading, _args: Mapping[str, Any], _at: str) -> None:
    """Pass over an event that says nothing of the game."""


def _number(args: Mapping[str, Any], key: str, at: str, numbers: range) -> int:
    """Return a number, which may be written as a string.

    Raises:
        ValueError: there is none, or it is out of its range.

    """
    value = args.get(key)
    if not _FIGURES.fullmatch(str(value)):
        what = "is missing" if value is None else f"is {shown(value)}, no number"
        raise ValueError(f"{at}.args.{key}: {what}")
    found = int(str(value))
    if found not in numbers:
        raise ValueError(
            f"{at}.args.{key}: found {found}, allowed are {numbers[0]} to {numbers[-1]}"
        )
    return found


def _whoever(log: _Reading, args: Mapping[str, Any], at: str) -> str:
    """Return the id of the player of an event.

    Raises:
        ValueError: neither the event nor the one before it names him.

    """
    player = args.get("player_id")
    who = log.active if player is None else str(player)
    if who is None:
        raise ValueError(f"{at}.args.player_id: is missing")
    return who


def _to_move(log: _Reading, args: Mapping[str, Any], _at: str) -> None:
    """Note who is to move."""
    for key in ("player_id", "active_player"):
        if args.get(key) is not None:
            log.active = str(args[key])
            return


def _tile_of(args: Mapping[str, Any], at: str) -> str | None:
    """Return our kind of the tile of a draw, by its type or by the id of the single tile."""
    if args.get("type") is not None:
        number = _number(args, "type", at, range(1, 1000))
        return tile_numbered(number, f"{at}.args.type").kind
    key = next((key for key in ("tile_id", "id") if args.get(key) is not None), None)
    if key is None:
        return None
    single = _number(args, key, at, range(10_000))
    return next((tile.kind for tile in arena_tiles().values() if single in tile.ids), None)


def _picked(log: _Reading, args: Mapping[str, Any], at: str) -> None:
    """Note a tile that was drawn; some releases of the site draw the next one early."""
    kind = _tile_of(args, at)
    if kind is not None:
        log.drawn.append(kind)


def _unplaceable(log: _Reading, args: Mapping[str, Any], at: str) -> None:
    """Note a tile that had no place.

    Raises:
        ValueError: the event does not say which.

    """
    kind = _tile_of(args, at)
    if kind is None:
        raise ValueError(f"{at}.args.tile_id: names no tile of the base game")
    if kind in log.drawn:
        log.drawn.remove(kind)
    log.gone.append(kind)


def _tile_laid(log: _Reading, args: Mapping[str, Any], at: str) -> None:
    """Note a tile that was laid; of the tiles drawn before it those left over had no place."""
    number = _number(args, "type", at, range(1, 1000))
    tile = tile_numbered(number, f"{at}.args.type")
    cell = Cell(
        _number(args, "x", at, range(-FAR, FAR + 1)), -_number(args, "y", at, range(-FAR, FAR + 1))
    )
    turns = _number(args, "ori", at, range(1, SIDES + 1)) - 1
    if not log.turns and cell == Cell(0, 0) and number == START:
        return  # the first tile, which nobody lays
    last = log.turns[-1] if log.turns else None
    if last is not None and (last.tile, last.cell, last.turns) == (tile, cell, turns):
        return  # told twice: to the table and to the player
    who = _whoever(log, args, at)
    told = args.get("player_name")
    log.names.setdefault(who, str(told) if told else f"player {len(log.names) + 1}")
    while tile.kind in log.drawn and (before := log.drawn.popleft()) != tile.kind:
        # Next to the first tile there is a place for every other.
        log.gone += [before] if log.turns else []
    player, gone = [*log.names].index(who), tuple(log.gone)
    log.turns.append(
        ArenaTurn(where=at, player=player, tile=tile, cell=cell, turns=turns, gone=gone)
    )
    log.gone.clear()


def _follower(log: _Reading, args: Mapping[str, Any], at: str) -> None:
    """Note a follower on the tile that was laid last.

    Raises:
        ValueError: there is none, another tile is named, or a second follower.

    """
    place = _number(args, "pos", at, range(10))
    if not place:
        return
    if not log.turns:
        raise ValueError(f"{at}: a follower before the first tile")
    last = log.turns[-1]
    if args.get("x") is not None and args.get("y") is not None:
        far = range(-FAR, FAR + 1)
        cell = Cell(_number(args, "x", at, far), -_number(args, "y", at, far))
        if cell != last.cell:
            raise ValueError(f"{at}: a follower on {cell}; the last tile lies on {last.cell}")
    if last.place not in {0, place}:
        raise ValueError(f"{at}: a second follower on the tile on {last.cell}")
    log.turns[-1] = replace(last, place=place)


def _paid(log: _Reading, args: Mapping[str, Any], at: str) -> None:
    """Add up the points that a player won."""
    key = next((key for key in _POINTS if args.get(key) is not None), None)
    if key is not None and args.get("player_id") is not None:
        log.points[str(args["player_id"])] += _number(args, key, at, range(-1000, 1000))


_READERS = {
    "playTile": _tile_laid,
    "playPartisan": _follower,
    "pickTile": _picked,
    "cantPlay": _unplaceable,
    "winPoints": _paid,
    "newActivePlayer": _to_move,
    "gameStateChange": _to_move,
}
"""The events that matter, each with its reader."""


def _claims(end: Position, log: _Reading) -> Iterator[Claim]:
    """Yield the points that the log tells of, compared with ours."""
    if not log.points:
        return
    ours = final_scoring(end).scores if end.over else tuple(p.score for p in end.players)
    for number, who in enumerate(log.names):
        told, name = log.points[who], end.game.name(number)
        text = f"{name} has {times(told, 'point')}"
        same = told == ours[number]
        yield Claim(text if same else f"{text}; by our rules {ours[number]}", same)
