"""Count moves to depth 2: compare with the frozen counts, show a split, freeze new ones.

Run it from the project's folder::

    python -m benchmarks.perft                    all frozen positions, with times
    python -m benchmarks.perft ID ...             some of them
    python -m benchmarks.perft --split ID         the moves of one, each with its count
    python -m benchmarks.perft --freeze FILE ID --shows TEXT --origin TEXT
                                                  count a position file and print its entry

Add a new entry and its new kinds of tiles to the file by hand. A frozen number changes only with a
reason.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from burgrave.model.files.positions import load_position, position_data
from burgrave.model.position import Position
from burgrave.model.tiles import TileKind
from tests.perft import Frozen, frozen, shown, split

PREFIX = "P-"
"""The prefix of the names of a frozen position's own kinds of tiles."""


def compare(entries: list[Frozen]) -> int:
    """Print counts and times; return 1 if a count is not the frozen one."""
    wrong = 0
    print(f"{'position':24} {'depth 1':>8} {'depth 2':>8} {'seconds':>8}")
    for entry in entries:
        begun = time.process_time()
        counts = split(entry.position)
        seconds = time.process_time() - begun
        found = (len(counts), sum(counts.values()))
        verdict = "" if found == entry.moves else f"  frozen: {entry.moves}"
        wrong += bool(verdict)
        print(f"{entry.id:24} {found[0]:8} {found[1]:8} {seconds:8.2f}{verdict}")
    return min(wrong, 1)


def independent(position: Position) -> dict[str, Any]:
    """Return the data of a position that does not depend on shipped tiles or start spaces."""
    placed = {tile.kind.id for tile in position.tiles}
    wanted = {*placed, *position.order, *position.bag, *position.discarded}
    own = {
        kind.id: replace(kind, id=PREFIX + kind.id.removeprefix(PREFIX))
        for kind in position.game.tile_set.kinds
        if kind.id in wanted
    }
    renamed = _renamed(position, own)
    starts = zip(renamed.game.board.starts, renamed.game.shows, strict=True)
    data = position_data(renamed)
    return {**data, "start_spaces": {start.name: shows for start, shows in starts}}


def _renamed(position: Position, own: dict[str, TileKind]) -> Position:
    """Return a position with some kinds of tiles under other names."""
    tile_set = replace(position.game.tile_set, kinds=tuple(own.values()))
    return replace(
        position,
        game=replace(position.game, tile_set=tile_set),
        tiles=tuple(replace(tile, kind=own[tile.kind.id]) for tile in position.tiles),
        order=tuple(own[tile].id for tile in position.order),
        bag=tuple(sorted(own[tile].id for tile in position.bag)),
        discarded=tuple(own[tile].id for tile in position.discarded),
    )


def freeze(path: Path, entry_id: str, shows: str, origin: str) -> tuple[list[str], str]:
    """Count a position; return the lines of its kinds of tiles, and its entry for the file."""
    position = load_position(path)
    counts = split(position)
    data = independent(position)
    kinds = [f"    {inline(kind)}," for kind in data.pop("kinds")]
    head = {
        "id": entry_id,
        "shows": shows,
        "origin": origin,
        "moves": [len(counts), sum(counts.values())],
    }
    lines = ["[[perft]]", *(f"{key} = {inline(value)}" for key, value in head.items())]
    lines += ["[perft.position]", *(f"{key} = {inline(value)}" for key, value in data.items())]
    return kinds, "\n".join(lines) + "\n"


def inline(value: object) -> str:
    """Return a value as TOML on one line; the lines of a board have one each."""
    if isinstance(value, dict):
        items = (f"{json.dumps(key)} = {inline(item)}" for key, item in value.items())
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, list):
        if any("@" in str(item) for item in value):
            return "[\n" + "".join(f"    {inline(item)},\n" for item in value) + "]"
        return "[" + ", ".join(inline(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def main(arguments: list[str]) -> int:
    """Do what the command line asks; return the exit code."""
    parser = argparse.ArgumentParser(description="Count moves to depth 2.")
    parser.add_argument("ids", nargs="*", help="positions; by default all frozen ones")
    parser.add_argument("--split", action="store_true", help="show the count after each move")
    parser.add_argument("--freeze", type=Path, metavar="FILE", help="count a position file")
    parser.add_argument("--shows", default="", help="with --freeze: what the position is for")
    parser.add_argument("--origin", default="", help="with --freeze: where it comes from")
    options = parser.parse_args(arguments)
    if options.freeze is not None:
        if len(options.ids) != 1:
            parser.error("--freeze needs one id")
        kinds, made = freeze(options.freeze, options.ids[0], options.shows, options.origin)
        print("\n".join([*kinds, "", made]))
        return 0
    entries = [entry for entry in frozen() if not options.ids or entry.id in options.ids]
    unknown = set(options.ids) - {entry.id for entry in entries}
    if unknown:
        parser.error(f"no frozen position {', '.join(sorted(unknown))}")
    if options.split:
        for entry in entries:
            print(f"{entry.id}\n{shown(split(entry.position))}")
        return 0
    return compare(entries)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
