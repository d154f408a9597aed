"""A good file of each kind, for tests that break them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burgrave.model.files.positions import read_position, read_record
from burgrave.model.files.tilesets import read_tile_set

Data = dict[str, Any]

KINDS = [
    {"id": "Court", "count": 9, "segments": ["court N E S W"]},
    {"id": "Way", "count": 9, "segments": ["path N S", "court NL SR W", "court NR E SL"]},
    {"id": "Tower", "count": 2, "segments": ["tower N", "court E S W market"]},
]

POSITION: Data = {
    "burgrave": 1,
    "type": "position",
    "kinds": KINDS,
    "switches": {"double_once": "off"},
    "start_spaces": {"18/19": "house"},
    "to_move": "black",
    "board": ["Way@0,2r1 white:herald.E", "Way@1,2r1", "Tower@1,3r0 black:knight.N"],
    "order": ["Court", "Way"],
    "bag": {"Court": 2},
    "discarded": ["Tower"],
    "towers": {"12/13": 4, "16/17": 0},
    "spent": [2],
    "white": {"score": 12, "supply": 5, "keep": 3, "wall_tiles": [9]},
    "black": {"score": 30, "fresh_wall_tiles": [1]},
}
TILES: Data = {"burgrave": 1, "type": "tiles", "id": "mine", "title": "mine", "tile": KINDS}
RECORD: Data = {
    "burgrave": 1,
    "type": "record",
    "moves": ["Court@2,6"],
    "result": [12, 30],
    "position": {k: v for k, v in POSITION.items() if k not in {"burgrave", "type"}},
}
READERS: dict[str, tuple[Data, Callable[[str, str], object]]] = {
    "position": (POSITION, read_position),
    "tiles": (TILES, read_tile_set),
    "record": (RECORD, read_record),
}
