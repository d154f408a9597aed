"""Cut a tile into its segments: the outline of each as directed pieces, none twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from burgrave.model.pictures.arcs import Arc, arcs, remaining
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.outlines import CELL, Outline, spans
from burgrave.model.tiles import TileKind

_STOPS = (33.3, 50.0, 66.7)
"""Where a side can pass from one area to another: between ports, and where a line crosses."""
_GRAIN, _SLACK = 7, 2.0
"""Distance of the lines on which areas are tested for crossing each other, and how far they may."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A tile at one rotation, its north-west corner at 0, 0."""

    borders: tuple[tuple[Arc, ...], ...]
    """For each segment the pieces of its outline on the border of the tile."""
    inner: tuple[tuple[Arc, ...], ...]
    """For each segment the pieces inside the tile."""
    ways: tuple[tuple[Arc, ...], ...]
    """For each segment the middle line of a path or road."""
    below: tuple[tuple[int, int], ...]
    """Pairs of segments, the first of which lies below the second, if areas of the tile cross.

    Then each area keeps its whole outline; otherwise they divide the tile without overlap."""


@lru_cache(maxsize=8192)
def cut(kind: TileKind, rotation: int) -> Cut:
    """Cut a kind of tile.

    Args:
        kind: any kind, also a picture of a start space.
        rotation: clockwise quarter turns.

    """
    plan = layout(kind)
    number = len(kind.segments)
    outlines: list[list[Arc]] = [[] for _ in range(number)]
    reaching = [region for region in plan.regions if kind.segments[region.segment].ports]
    crossing = _crossing(kind)
    base = reaching[0] if reaching and not reaching[0].edges else None
    for region in plan.regions:
        outlines[region.segment] += _split(region.outline, rotation)
    if base is not None and not crossing:
        # No area hides another, so the lowest one is what the others leave of the tile.
        others = [arc for region in reaching[1:] for arc in outlines[region.segment]]
        whole = outlines[base.segment]
        left = [arc for arc in whole if arc not in others]
        left += [arc.back for arc in others if arc not in whole]
        outlines[base.segment] = remaining(left)
    ways: list[tuple[Arc, ...]] = [()] * number
    for stroke in plan.strokes:
        ways[stroke.segment] = tuple(
            arc for outline in stroke.outlines for arc in arcs(outline, rotation)
        )
    return Cut(
        borders=tuple(tuple(arc for arc in one if _on_border(arc)) for one in outlines),
        inner=tuple(tuple(arc for arc in one if not _on_border(arc)) for one in outlines),
        ways=tuple(ways),
        below=crossing,
    )


def _split(outline: Outline, rotation: int) -> Iterator[Arc]:
    """Yield the pieces of an outline, those on the border divided where areas can change."""
    for arc in arcs(outline, rotation):
        if not _on_border(arc):
            yield arc
            continue
        axis = 0 if arc.start[1] == arc.end[1] else 1
        low, high = sorted((arc.start[axis], arc.end[axis]))
        stops = [stop for stop in _STOPS if low < stop < high]
        if arc.start[axis] > arc.end[axis]:
            stops.reverse()
        here = arc.start
        for stop in (*stops, arc.end[axis]):
            end = (stop, here[1]) if axis == 0 else (here[0], stop)
            yield Arc(here, end)
            here = end


def _on_border(arc: Arc) -> bool:
    """Tell whether a piece runs along the border of the tile."""
    return arc.towards is None and any(
        arc.start[axis] == arc.end[axis] and arc.start[axis] in {0, CELL} for axis in (0, 1)
    )


@lru_cache(maxsize=2048)
def _crossing(kind: TileKind) -> tuple[tuple[int, int], ...]:
    """Return the pairs of areas that reach a side, the lower one first; none if none cross."""
    regions = [one for one in layout(kind).regions if kind.segments[one.segment].ports]
    whole = [region for region in regions if region.edges]
    corners = [list(region.outline.points()) for region in whole]
    crossed = False
    for y in range(_GRAIN, int(CELL), _GRAIN):
        level = sorted(span for one in corners for span in spans(one, y + 0.7))
        crossed |= any(end - _SLACK > start for (_, end), (start, _) in pairwise(level))
    return tuple(combinations([one.segment for one in regions], 2)) if crossed else ()
