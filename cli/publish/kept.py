"""Replies that an earlier run found out, kept beside the compiled code.

An interrupted run goes on where it stopped, and a site with one more puzzle asks about that one
alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any

from burgrave.cli.publish.puzzles import Recording
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.model.errors import FileError
from burgrave.model.files.paths import ROOMS, write_whole
from burgrave.solver.limits import Limits

_SOURCES = ("cli/**/*.py", "puzzles/**/*.py", "solver/**/*.py", "model/**/*.py", "model/**/*.toml")
"""Everything on which replies may depend, besides the puzzle."""


def recorded(
    sets: PuzzleSets,
    set_id: str,
    puzzle_id: str,
    budget: Limits,
    hear: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Any], int]:
    """Return the replies about a puzzle, and the number of moves that none judges.

    Replies in which a move is left unjudged are not kept: more time may judge it.

    Args:
        sets: the sets of puzzles.
        set_id: the set.
        puzzle_id: the puzzle.
        budget: time and effort for the values of the moves of one turn.
        hear: called often; what it raises ends the work, and nothing is kept.

    """
    from burgrave.solver.kernel.compiling import cache_folder  # noqa: PLC0415 -- loads numba

    of = sets.find(set_id)
    asked = json.dumps([_code(), of.head(puzzle_id), of.text(puzzle_id)])
    place = cache_folder() / f"replies-{sha256(asked.encode()).hexdigest()}.json"
    with suppress(OSError, ValueError):
        return json.loads(place.read_text(encoding="utf-8")), 0
    made = Recording(sets, set_id, puzzle_id, budget, hear)
    if not made.unjudged:
        with suppress(FileError):
            write_whole(place, json.dumps(made.data))
    return made.data, made.unjudged


@cache
def _code() -> str:
    """Return a digest of the code and the sets of tiles."""
    digest = sha256()
    for pattern in _SOURCES:
        for file in sorted(ROOMS.glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()
