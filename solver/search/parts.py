"""What a tile brings to features: its segments, taken together where a square joins them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solver.tables import KINDS, Tables

SIDES = 4


class Part(NamedTuple):
    """The segments of a tile at a rotation that are one feature: one, or arms of a square."""

    kind: int
    sides: int
    """The sides that it reaches, as bits."""
    bits: int
    """The same with its kind: a bit for each side and kind."""
    ports: int
    """How many ports it has."""
    markets: int


def parts(t: Tables, lie: int) -> Iterator[Part]:
    """Yield the parts of a tile at a rotation."""
    kind = lie // 4
    groups = [{segment} for segment in range(len(t.segments[kind]))]
    for pair in t.joined[kind]:
        both = set().union(*(group for group in groups if not group.isdisjoint(pair)))
        groups = [group for group in groups if group.isdisjoint(both)] + [both]
    for group in groups:
        what = t.segments[kind][min(group)]
        at = [side for side in range(SIDES) if not group.isdisjoint(t.edges[lie * 4 + side])]
        yield Part(
            kind=what,
            sides=sum(1 << side for side in at),
            bits=sum(1 << (side * len(KINDS) + what) for side in at),
            ports=sum(segment in group for segment in t.owner[lie]),
            markets=sum(t.markets[kind][segment] for segment in group),
        )
