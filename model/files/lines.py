"""A position as one line of text, for addresses, issues and chat.

It looks like this::

    burgrave:1:castle:black:48-91:6:eNplk01P…

After ``burgrave`` and the line's version come facts for people: game, player to move, scores and
number of tiles to come. The last part holds the position: the keys of its file as
JSON, compressed by zlib, as base64url. docs/reference/files.md has the grammar.
"""

from __future__ import annotations

import binascii
import hashlib
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import cache
from typing import Any

from burgrave.model.boards import Board
from burgrave.model.errors import FileError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.paths import MOST_BYTES
from burgrave.model.files.positions import (
    kind_data,
    position_data,
    read_position,
    refuse_loss,
    refuse_unshipped,
)
from burgrave.model.files.tilesets import shipped_tile_set, shipped_tile_sets
from burgrave.model.files.toml import FORMAT
from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.position import Position
from burgrave.model.registry import BASES, CASTLE, split
from burgrave.model.rules.castle.setup import NAMES

LINE_NAME = "the line"
"""The name in messages of a position given as a line."""
_VERSION = 1
_SIGN = "burgrave"
_PARTS = 7
_DIGEST = "shipped"
"""The key of the line alone: a digest of the shipped tiles and board that it relies on."""


def is_line(text: str) -> bool:
    """Tell whether a text claims to be a position in one line."""
    return text.lstrip().lower().startswith(f"{_SIGN}:")


def write_line(position: Position) -> str:
    """Write a position as one line; ``read_line`` gives the position back.

    Raises:
        QuestionError: its tile set or board is not shipped, so that no file or line can name it.

    """
    refuse_unshipped(position)
    data = position_data(position)
    packed = json.dumps(
        {**data, _DIGEST: _digest_of(data)}, separators=(",", ":"), ensure_ascii=False
    )
    tail = urlsafe_b64encode(zlib.compress(packed.encode(), 9)).decode().rstrip("=")
    line = ":".join([_SIGN, str(_VERSION), *_head(data), tail])
    refuse_loss(position, line_file(line))
    return line


def read_line(line: str) -> Position:
    """Read a position from a line.

    Args:
        line: the line; spaces and line ends in it do not matter.

    Raises:
        FileError: it is no such line, or damaged, or relies on tiles that this release does
            not ship, or the position cannot arise.

    """
    return read_position(LINE_NAME, line_file(line))


def line_file(line: str) -> str:
    """Return the position's file, as JSON, that a line stands for.

    Raises:
        FileError: it is no such line, or damaged, or relies on tiles that this release does
            not ship.

    """
    parts = "".join(line.split()).split(":")
    if parts[0].lower() != _SIGN or len(parts) != _PARTS:
        raise _fault(
            f"found {len(parts)} parts between colons, expected {_PARTS},"
            f" like {_SIGN}:{_VERSION}:castle:white:48-91:6:eNpl…; copy the whole line"
        )
    if parts[1] != str(_VERSION):
        raise _fault(f"version {parts[1][:20]} of the line; this release reads {_VERSION}")
    data = _unpacked(parts[-1])
    digest = data.pop(_DIGEST, None)
    try:
        head, known = _head(data), _digest_of(data)
        file = json.dumps({"burgrave": FORMAT, "type": "position", **data}, ensure_ascii=False)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise _fault("its last part holds no position") from error
    if parts[2:-1] != head:
        raise _fault(
            f"it begins with {':'.join(parts[2:-1])[:60]}, but its last part holds"
            f" {':'.join(head)}; copy the whole line"
        )
    if digest != known:
        raise _fault(
            "it was written by a release with other tiles, another board or other rules; ask for"
            " the position's file, or for a line of this release"
        )
    return file


def _fault(problem: str) -> FileError:
    """Return the error that names the fault of a line."""
    return FileError(LINE_NAME, [problem])


def _unpacked(tail: str) -> dict[str, Any]:
    """Return the values in the last part of a line.

    Raises:
        FileError: it is damaged or too large.

    """
    try:
        packed = urlsafe_b64decode(tail.encode("ascii") + b"=" * (-len(tail) % 4))
        stream = zlib.decompressobj()
        text = stream.decompress(packed, MOST_BYTES)
        # Text after the end, or no end within the bytes allowed, is no line of ours.
        if not stream.eof or stream.unused_data:
            raise _fault("its last part is cut off, or too large; copy the whole line")
        data = json.loads(text)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise _fault("its last part is damaged; copy the whole line") from error
    if not isinstance(data, dict):
        raise _fault("its last part holds no position")
    return data


def _head(data: Mapping[str, Any]) -> list[str]:
    """Return the parts for people: game, player to move, scores, number of tiles to come."""
    entries = data.get("player", data)
    players = [name for name in data.get("players", NAMES) if name in entries]
    scores = "-".join(str(int(entries[name]["score"])) for name in players)
    come = len(data.get("order", ())) + sum(data.get("bag", {}).values())
    return [str(data["game"]).replace("+", "-"), str(data["to_move"]), scores, str(come)]


def _digest_of(data: Mapping[str, Any]) -> str:
    """Return the digest of a position's data from the release: tiles, board, edition."""
    return _digest(str(data["game"]), str(data.get("tiles", CASTLE)), str(data.get("edition", "")))


def _board_facts(board: Board) -> dict[str, Any]:
    """Return the layout of a board, without its texts."""
    return {
        "cells": board.cells,
        "track": board.track,
        "towers": [[t.name, t.spaces, t.corner, t.holds_tile] for t in board.towers],
        "starts": [[s.name, s.cell, int(s.side)] for s in board.starts],
        "gates": [[g.name, g.after, g.cells, int(g.start.side)] for g in board.gates],
    }


@cache
def _digest(game_id: str, tiles: str, edition: str) -> str:
    """Return the digest of shipped tiles, board and edition.

    Raises:
        KeyError: there is no such game, tile set or edition.

    """
    if BASES[split(game_id)[0]].edited:
        game = shipped_game(game_id, edition=edition or DEFAULT_EDITION)
        # All values: a line without a word about them must not change its rules with a release.
        switches = [[switch.name, value] for switch, value in game.switches]
    else:
        if tiles not in shipped_tile_sets():
            raise KeyError(tiles)
        game, switches = shipped_game(game_id, tile_set=shipped_tile_set(tiles)), []
    facts = {
        "tiles": [kind_data(kind) for kind in game.tile_set.kinds],
        "pictures": [kind_data(kind) for kind in game.picture_kinds],
        "switches": switches,
        "boards": [_board_facts(board) for board in game.walls or (game.board,)],
        "shows": game.shows,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:8]
