"""Join outlines of neighbouring tiles: drop shared sides, and join the rest into loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from burgrave.model.pictures.outlines import Outline, on_curve, turn
from burgrave.model.pictures.xml import Point, number

_STEPS = 6
"""Straight pieces by which a curve is measured."""


class Arc(NamedTuple):
    """A directed piece of an outline, its points rounded so that equal ones compare equal."""

    start: Point
    end: Point
    towards: Point | None = None

    @property
    def back(self) -> Arc:
        """The same piece in the other direction."""
        return Arc(self.end, self.start, self.towards)

    def moved(self, by: Point) -> Arc:
        """Return it moved."""
        towards = None if self.towards is None else _moved(self.towards, by)
        return Arc(_moved(self.start, by), _moved(self.end, by), towards)

    def points(self) -> Iterator[Point]:
        """Yield points along it without its start."""
        if self.towards is not None:
            for step in range(1, _STEPS):
                yield on_curve(self.start, self.towards, self.end, step / _STEPS)
        yield self.end


def _moved(point: Point, by: Point) -> Point:
    """Return a point moved, rounded to tenths."""
    return round(point[0] + by[0], 1), round(point[1] + by[1], 1)


def arcs(outline: Outline, rotation: int = 0) -> list[Arc]:
    """Return the pieces of an outline after quarter turns round the middle of the tile."""
    here = _moved(turn(outline.start, rotation), (0, 0))
    found = []
    for piece in outline.pieces:
        end = _moved(turn(piece.end, rotation), (0, 0))
        towards = None if piece.towards is None else _moved(turn(piece.towards, rotation), (0, 0))
        if end != here:
            found.append(Arc(here, end, towards))
        here = end
    return found


def remaining(found: Iterable[Arc]) -> list[Arc]:
    """Return pieces without those that occur in both directions: there two areas are one."""
    left: dict[Arc, None] = {}
    for arc in found:
        if arc.back in left:
            del left[arc.back]
        else:
            left[arc] = None
    return list(left)


def trails(found: Sequence[Arc]) -> list[list[Arc]]:
    """Return pieces joined end to start, as few trails as the order of the pieces gives.

    Args:
        found: pieces without repetition.

    Returns:
        Trails; one that ends where it starts is a loop. The outline of an area gives loops only.

    """
    leaving: dict[Point, list[Arc]] = {}
    entered: dict[Point, int] = {}
    for arc in reversed(found):
        leaving.setdefault(arc.start, []).append(arc)
        entered[arc.end] = entered.get(arc.end, 0) + 1
    # Open trails begin where more pieces leave than enter; what is left then is loops.
    begins = [a for a in found if len(leaving[a.start]) > entered.get(a.start, 0)]
    made = []
    for first in (*begins, *found):
        trail: list[Arc] = []
        here = first.start
        while leaving.get(here):
            trail.append(leaving[here].pop())
            here = trail[-1].end
            if here == first.start:
                break
        if trail:
            made.append(trail)
    return made


def ways(found: Sequence[Arc]) -> list[list[Arc]]:
    """Return undirected pieces joined at the points where exactly two of them meet."""
    at: dict[Point, list[Arc]] = {}
    for arc in found:
        at.setdefault(arc.start, []).append(arc)
        at.setdefault(arc.end, []).append(arc.back)
    used: set[Arc] = set()

    def walk(arc: Arc) -> list[Arc]:
        trail = []
        while arc not in used:
            used.update((arc, arc.back))
            trail.append(arc)
            onward = [one for one in at[arc.end] if one not in used]
            if len(at[arc.end]) != 2 or not onward:  # noqa: PLR2004 -- two pieces meet
                break
            arc = onward[0]
        return trail

    ends = [arc for arcs_there in at.values() if len(arcs_there) != 2 for arc in arcs_there]  # noqa: PLR2004
    return [trail for arc in (*ends, *found) if (trail := walk(arc))]


def data(made: Iterable[Sequence[Arc]]) -> str:
    """Return trails as path data: relative, with straight pieces in one line drawn as one."""
    parts: list[str] = []
    for trail in made:
        x, y = trail[0].start
        parts.append(f"M{_pair(x, y)}")
        closed = trail[-1].end == trail[0].start
        drawn = _straightened(trail)
        if closed and drawn[-1].towards is None:
            drawn.pop()
        for arc in drawn:
            dx, dy = arc.end[0] - x, arc.end[1] - y
            if arc.towards is not None:
                bent = _pair(arc.towards[0] - x, arc.towards[1] - y)
                parts.append(f"q{bent}{_next(dx)}{_next(dy)}")
            elif not number(dy).strip("0"):
                parts.append(f"h{number(dx)}")
            elif not number(dx).strip("0"):
                parts.append(f"v{number(dy)}")
            else:
                parts.append(f"l{_pair(dx, dy)}")
            x, y = arc.end
        parts.append("z" if closed else "")
    return "".join(parts)


def _pair(x: float, y: float) -> str:
    """Return two numbers."""
    return number(x) + _next(y)


def _next(value: float) -> str:
    """Return a number after another: a minus sign divides them as well as a space."""
    text = number(value)
    return text if text.startswith("-") else f" {text}"


def _straightened(trail: Sequence[Arc]) -> list[Arc]:
    """Return a trail with straight pieces along the grid joined."""
    made: list[Arc] = []
    for arc in trail:
        last = made[-1] if made else None
        if last and last.towards is None and arc.towards is None and _level(last, arc):
            made[-1] = Arc(last.start, arc.end)
        else:
            made.append(arc)
    return made


def _level(one: Arc, other: Arc) -> bool:
    """Tell whether two straight pieces lie on one line of the grid."""
    return any(one.start[axis] == one.end[axis] == other.end[axis] for axis in (0, 1))
