"""Make a tile of Carcassonne from what people see on it: sides, what is joined, what is inside."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from burgrave.model.geometry import PORTS, Side, middle
from burgrave.model.tiles import LINES, Kind, Mark, Segment, refuse_mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a tile of Carcassonne shows. Its places are the sides."""

    sides: tuple[Kind, Kind, Kind, Kind]
    """The kind on each side, clockwise from the north: city, road or field."""
    joined: tuple[frozenset[str], ...] = ()
    """Groups of places that are one feature; a place in no group is a feature alone."""
    cloister: bool = False
    """Whether a cloister stands inside."""
    marks: frozenset[tuple[str, Mark]] = frozenset()
    """Places with the marks of their features."""


def formed(form: Form) -> tuple[Segment, ...]:
    """Return the segments of a tile.

    Fields are divided by roads and cities. Roads that end on the tile meet in a village, unless
    there is a cloister; a road alone ends at a city if there is one.

    Args:
        form: what the tile shows.

    Raises:
        ValueError: two of its features would cross, or a mark lies where it is never printed.

    """
    places = dict(_places(form))
    groups = _groups(places, form.joined)
    segments = [
        Segment(
            kind=places[group[0]][0],
            ports=tuple(sorted(port for place in group for port in places[place][1])),
            marks=tuple(sorted({mark for place, mark in form.marks if place in group})),
        )
        for group in groups
    ]
    for one in segments:
        for mark in one.marks:
            refuse_mark(mark, one.kind)
    _refuse_crossing(segments)
    if form.cloister:
        segments.append(Segment(kind=Kind.CLOISTER))
    ends = tuple(i for i, one in enumerate(segments) if one.kind in LINES and len(one.ports) == 1)
    return (*segments, *_fields(segments, ends))


def _places(form: Form) -> Iterator[tuple[str, tuple[Kind, tuple[int, ...]]]]:
    """Yield each place with its kind and ports, all but fields."""
    for side, kind in zip(Side, form.sides, strict=True):
        if kind is not Kind.FIELD:
            ports = (middle(side),) if kind in LINES else tuple(range(3 * side, 3 * side + 3))
            yield side.name, (kind, ports)


def _groups(
    places: Mapping[str, tuple[Kind, tuple[int, ...]]], joined: Iterable[Collection[str]]
) -> list[tuple[str, ...]]:
    """Return the places of each feature; only those of one kind can be joined."""
    left = list(places)
    found = []
    while left:
        first = left[0]
        mates = next((group for group in joined if first in group), (first,))
        group = tuple(p for p in left if p in mates and places[p][0] is places[first][0])
        found.append(group)
        left = [place for place in left if place not in group]
    return found


def _refuse_crossing(segments: Collection[Segment]) -> None:
    """Refuse features that would cross.

    Raises:
        ValueError: two of them do.

    """
    for one in segments:
        for other in segments:
            if one is not other and len({_arc(port, other.ports) for port in one.ports}) > 1:
                raise ValueError(
                    f"a {one.kind} and a {other.kind} cross: separate the sides of one of them;"
                    " piece by piece they can be joined again"
                )


def _arc(port: int, barrier: Sequence[int]) -> int:
    """Return the arc of the border that a port lies in, between two ports of a barrier."""
    return bisect(barrier, port) % len(barrier)


def _fields(segments: list[Segment], ends: tuple[int, ...]) -> Iterator[Segment]:
    """Yield the fields: what the other segments leave of the border, divided by them.

    A barrier is a set of ports that one city, one road or one village connects. It cuts the
    border into arcs; ports in the same arc of every barrier belong to one field.
    """
    owned = [set(one.ports) for one in segments if one.ports]
    cities = [set(one.ports) for one in segments if one.kind is Kind.CITY]
    stubs = {port for index in ends for port in segments[index].ports}
    cloister = any(one.kind is Kind.CLOISTER for one in segments)
    barriers = [ports for ports in owned if not ports <= stubs]
    if len(ends) > 1:
        barriers.append(stubs)
    elif stubs and cities and not cloister:
        max(cities, key=len).update(stubs)
        roads = [ports for ports in barriers if not any(ports & city for city in cities)]
        barriers = [*cities, *roads]
    lines = [sorted(ports) for ports in barriers]

    def arcs(port: int) -> tuple[int, ...]:
        return tuple(_arc(port, line) for line in lines)

    taken = set().union(*owned)
    found: dict[tuple[int, ...], list[int]] = {}
    for port in range(PORTS):
        if port not in taken:
            found.setdefault(arcs(port), []).append(port)
    for signature, ports in found.items():
        beside = []
        for one in segments:
            if one.kind is not Kind.CITY:
                continue
            at = arcs(one.ports[0])
            apart = [i for i, line in enumerate(lines) if not set(one.ports) <= set(line)]
            if all(signature[i] == at[i] for i in apart):
                beside.append(next(port for port in one.ports if port % 3 == 1))
        yield Segment(kind=Kind.FIELD, ports=tuple(ports), beside=tuple(sorted(beside)))
