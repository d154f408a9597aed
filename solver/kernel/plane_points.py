"""The points of roads, cities and cloisters of Carcassonne, completed or left at the end."""

from __future__ import annotations

from typing import Any

from burgrave.model.worth import PAIR
from burgrave.solver.kernel.bits import bit_count
from burgrave.solver.kernel.compiling import inner
from burgrave.solver.kernel.plane_board import RING_FULL, around
from burgrave.solver.kernel.plane_tables import FIELD, UNITS, WIDTH


@inner
def size(s: Any, t: Any, root: int) -> int:
    """Return the size of a road or city in tiles or, by the switch, in segments."""
    if t.by_segment:
        return int(s.feature[root].nodes)
    return tiles_of(s, root)


@inner
def tiles_of(s: Any, root: int) -> int:
    """Return the number of tiles of a road or city."""
    slots = s.feature[root].slots
    return bit_count(slots[0]) + bit_count(slots[1])


@inner
def worth(s: Any, t: Any, root: int) -> int:
    """Return the points of a completed road, city or cloister."""
    shows = s.shows[root]
    if shows > FIELD:
        return RING_FULL + 1
    return completed(t, shows, tiles_of(s, root), size(s, t, root), int(s.feature[root].units))


@inner
def completed(t: Any, shows: int, tiles: int, size: int, units: int) -> int:
    """Return the points of a completed road or city by its tiles, size, and units and marks."""
    each = t.pair[shows] if tiles == PAIR else t.done[shows]
    return product(size, units, int(t.marked_done[shows] if marked(units) else each))


@inner
def product(size: int, units: int, each: int) -> int:
    """Return the points of a road or city that is or will be complete, by a factor ``each``."""
    return (size + (units & UNITS)) * each


@inner
def marked(units: int) -> bool:
    """Tell whether a mark changes the factor of a road or city."""
    return units > UNITS


@inner
def unfinished(s: Any, t: Any, root: int) -> int:
    """Return the points at the end of a road, city or cloister that is not complete."""
    shows = s.shows[root]
    if shows > FIELD:
        return 1 + around(s, s.cell[root // WIDTH])
    units = int(s.feature[root].units)
    at_end = t.marked_end[shows] if marked(units) else t.end[shows]
    return (size(s, t, root) + (units & UNITS)) * int(at_end)
