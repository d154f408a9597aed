"""Links of CarcassonneLab, which hold a whole game, as records and back.

``https://www.carcassonnelab.com/#/0/D/TILES/MOVES?players=A,B&colors=red,blue``: TILES are the
types of the tiles in the order of drawing, from the first one on the table, as a number in base 24,
six bits a character. MOVES has four characters a turn: how far east or west and how far south or
north, quarter turns with both signs, and the place of the follower. D tells after how many turns a
tile had no place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from string import ascii_lowercase, ascii_uppercase, digits
from urllib.parse import parse_qs, quote, urlsplit

from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.positions import Record
from burgrave.model.files.whole_games import whole_turns
from burgrave.model.formats.arena_tiles import (
    PLAYERS,
    START,
    ArenaTurn,
    arena_kinds,
    arena_tiles,
    gaps,
    recorded,
    tile_numbered,
)
from burgrave.model.formats.imported import Imported
from burgrave.model.geometry import Cell
from burgrave.model.naming import times
from burgrave.model.position import Move

LAB = "CarcassonneLab"
SITE = "https://www.carcassonnelab.com/"
_LINK = re.compile(r"(?:https?://)?(?:www\.)?carcassonnelab\.com/", re.IGNORECASE)
_BITS = ascii_uppercase + ascii_lowercase + digits + "-_"
"""The characters of six bits, from 0 on."""
_FIGURES = "".join(c for c in digits[1:] + ascii_uppercase + ascii_lowercase if c not in "IOl")
"""The characters of distances and turns, from 0 on: without 0, I, O and l, which look alike."""
_WEST, _NORTH = 16, 32
"""Added to the quarter turns of a tile that lies to the west, or to the north."""
_EACH = 4
"""Characters of a turn."""
COLOURS = ("red", "blue", "green", "yellow", "black")


def is_link(text: str) -> bool:
    """Tell whether a text is a link of CarcassonneLab."""
    return _LINK.match(text.strip()) is not None


def read_link(name: str, text: str) -> Imported:
    """Read a link and play its game.

    Args:
        name: what errors call it.
        text: the link.

    Raises:
        FileError: a part is missing or damaged, or a turn is illegal, with its place.

    """
    try:
        players, discards, numbers, moves = _parts(text.strip())
        drawn = [tile_numbered(number, "tiles").kind for number in numbers]
        turns = list(_turns(players, discards, drawn, moves))
    except ValueError as error:
        raise FileError(name, [str(error)]) from error
    laid = sum(1 + len(turn.gone) for turn in turns)
    title = f"{LAB}: {', '.join(players)}"
    record, _ = recorded(name, title, players, turns, drawn[1 + laid :])
    return Imported(record=record, remarks=tuple(gaps(record)))


def _parts(link: str) -> tuple[list[str], Counter[int], list[int], str]:
    """Return players, the number of tiles without a place by turns before, types, and moves.

    Raises:
        ValueError: one cannot be read.

    """
    route, _, query = urlsplit(link).fragment.partition("?")
    parts = route.strip("/").split("/")
    if len(parts) not in {3, 4}:
        raise ValueError("holds no game: a link of one has the form #/0/D/TILES/MOVES?players=A,B")
    _, gone, tiles, moves = (*parts, "")[:4]
    named = parse_qs(query).get("players", [""])[0]
    players = [one.strip() for one in named.split(",") if one.strip()] or ["Red", "Blue"]
    if len(players) not in PLAYERS:
        raise ValueError(f"players: found {times(len(players), 'player')}, expected 2 to 5")
    if not re.fullmatch(r"0(?:\.\d+)*", gone, re.ASCII):
        raise ValueError(f"discards: found {gone[:20]!r}; expected 0, or 0.7 for one after 7 turns")
    discards = Counter(int(one) for one in gone.split(".")[1:])
    numbers = _numbers(tiles)
    if numbers[0] != START:
        raise ValueError(f"tiles: the first is of type {numbers[0]}; a game begins with {START}")
    return players, discards, numbers, moves


def _numbers(tiles: str) -> list[int]:
    """Return the types of tiles of a number in base 24, six bits a character.

    >>> _numbers("CED")
    [15, 17, 4]
    """
    value = 0
    for at, character in enumerate(tiles, start=1):
        if character not in _BITS:
            raise ValueError(f"tiles: {character!r}, character {at}, is none of A-Z a-z 0-9 - _")
        value = value * len(_BITS) + _BITS.index(character)
    found = []
    while value:
        value, number = divmod(value, len(arena_tiles()))
        found.append(number + 1)
    if not found:
        raise ValueError("tiles: the link names none")
    return found[::-1]


def _turns(
    players: Sequence[str], discards: Counter[int], drawn: Sequence[str], moves: str
) -> Iterator[ArenaTurn]:
    """Yield the turns of a link.

    Raises:
        ValueError: a turn cannot be read, or has no tile.

    """
    if len(moves) % _EACH:
        raise ValueError(
            f"moves: {len(moves)} characters; a turn has {_EACH}, so the last is cut off"
        )
    kinds = iter(drawn[1:])
    for number in range(len(moves) // _EACH):
        where = f"turn {number + 1}"
        text = moves[_EACH * number : _EACH * number + _EACH]
        wrong = [character for character in text[:3] if character not in _FIGURES]
        if wrong or text[3] not in digits:
            raise ValueError(
                f"moves: {where}: {text!r} is no turn: three figures and a place, 0 to 9"
            )
        east, south, signs = (_FIGURES.index(character) for character in text[:3])
        if signs % _WEST >= _EACH:
            raise ValueError(f"moves: {where}: {text[2]!r} is no number of quarter turns")
        east = -east if signs & _WEST else east
        north = south if signs & _NORTH else -south
        gone = tuple(islice(kinds, discards[number]))
        kind = next(kinds, None)
        if kind is None:
            raise ValueError(
                f"tiles: {times(len(drawn) - 1, 'tile')} for {where}; each turn lays one"
            )
        yield ArenaTurn(
            where=f"moves: {where}",
            player=number % len(players),
            tile=arena_kinds()[kind],
            cell=Cell(east, north),
            turns=signs % _WEST,
            place=int(text[3]),
            gone=gone,
        )


def write_link(record: Record) -> str:
    """Return a record as a link.

    Args:
        record: a game of Carcassonne from its first turn on, without an expansion.

    Raises:
        QuestionError: no link can hold it.

    """
    at = record.position
    types, moves, discards = [START], list[str](), ["0"]
    for number, (_, move, after) in enumerate(whole_turns(record, LAB)):
        at = after
        types += [arena_kinds()[kind].number for kind in move.discards]
        discards += [str(number)] * len(move.discards)
        if move.tile is not None:
            types.append(arena_kinds()[move.tile].number)
            moves.append(_written(move))
    players = at.game.players
    if len(players) not in PLAYERS:
        raise QuestionError(f"{LAB} shows games of 2 to 5 players")
    types += [arena_kinds()[kind].number for kind in at.order]
    names = ",".join(quote(name) for name in players)
    colours = ",".join(COLOURS[: len(players)])
    path = f"{'.'.join(discards)}/{_packed(types)}/{''.join(moves)}"
    return f"{SITE}#/0/{path}?players={names}&colors={colours}"


def _packed(numbers: Sequence[int]) -> str:
    """Return types of tiles as one number, six bits a character.

    >>> _packed([15, 17, 4])
    'CED'
    """
    value = 0
    for number in numbers:
        value = value * len(arena_tiles()) + number - 1
    written = ""
    while value:
        value, bits = divmod(value, len(_BITS))
        written = _BITS[bits] + written
    return written


def _written(move: Move) -> str:
    """Return the four characters of a turn.

    Raises:
        QuestionError: the tile lies too far out.

    """
    if move.tile is None or move.cell is None:
        raise QuestionError(f"{LAB} shows no turn without a tile")
    tile, (east, north) = arena_kinds()[move.tile], move.cell
    if max(abs(east), abs(north)) >= len(_FIGURES):
        raise QuestionError(f"{LAB} shows no tile on {move.cell}")
    turns = (move.rotation - tile.turned) % 4
    signs = turns + _WEST * (east < 0) + _NORTH * (north > 0)
    place = tile.places.index(move.followers[0].segment) + 1 if move.followers else 0
    return _FIGURES[abs(east)] + _FIGURES[abs(north)] + _FIGURES[signs] + str(place)
