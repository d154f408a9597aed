"""Cheap views of a position: places of a tile, and turns."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Any, NamedTuple, Protocol

from burgrave.solver.simulation import Completed, Threat

ZONE = 5
"""Maximum number of cells whose possible tiles change with a tile: its own and its neighbours."""


class Where(Enum):
    """The cells at which a glance looks."""

    ANYWHERE = auto()
    JOINING = auto()
    """Cells that several claimed features of a kind face; only joins are reported there."""
    STRANDING = auto()
    """Those on which a tile may take its last place from one to come."""
    CLOSING = auto()
    """Cells of a castle that alone keep a feature of the player open; only completions are reported
    there."""
    FIRST = auto()
    """The first, since what can be done on towers hardly depends on where the tile lies."""


class Joined(NamedTuple):
    """The effect of a tile on features with followers."""

    joins: bool = False
    """Whether it joins some of them."""
    leads: bool = False
    """Whether the player who lays it leads such a feature then and scores it, now or at the end."""
    ties: bool = False
    """Whether it leaves without a leader a feature that his opponent led in part."""
    steals: bool = False
    """Whether it is one that his opponent led in part."""


class Place(NamedTuple):
    """A place of a tile at a glance: what holds of every turn that lays it there."""

    cell: int
    rotation: int
    joins: bool = False
    """This and the next three as in ``Joined``."""
    leads: bool = False
    ties: bool = False
    steals: bool = False
    strands: tuple[str, ...] = ()
    """Those of the tiles to come that have no place then, and had one."""
    cuts: int = 0
    """Cells by which the largest empty area of a castle shrinks."""
    closes: tuple[Completed, ...] = ()
    """The features that it completes and that he scores, or may by a follower."""
    captures: int = 0
    """Gain of the best capture over the next one, if its tower can be completed instead."""
    guards: int = 0
    """Loss avoided by completing the opponent's best tower for a capture."""
    ransoms: bool = False
    """Whether a follower may be bought back at once."""
    lands: bool = False
    """Whether what it completes may lead his marker onto a corner tower with a wall tile."""
    orders: bool = False
    """Whether it may do so and lead on from there: it depends on the order of scoring."""


class Look(NamedTuple):
    """A turn at a glance: a place, and the ``Outcome`` of the actions there."""

    at: int
    """Index of its tile among those to come; those before it have no place."""
    place: Place
    """Facts of every turn with the tile on that place."""
    danger: int
    """Points of his lead that his opponent could take by taking a follower prisoner in reply."""
    turn: Any
    """This and all that follows as in ``Outcome``."""
    segment: int
    points: int
    gain: int
    lead: int
    homes: int
    takes: bool
    taken: tuple[tuple[int, int], ...]
    scores: tuple[Completed, ...]
    doubles: bool
    again: bool
    builds: bool
    captures: bool
    guards: bool
    ransoms: bool
    tower: int
    height: int

    @property
    def claims(self) -> bool:
        """Whether he places a follower on a feature."""
        return self.segment >= 0

    @property
    def worth(self) -> int:
        """His lead if the game ended after his opponent took the prisoner who costs most."""
        return self.lead - self.danger


class Chosen(Protocol):
    """A turn that is chosen: a look, or something else that knows as much."""

    @property
    def turn(self) -> Any:
        """The turn as the simulation knows it."""


def gap(threats: Sequence[Threat], *, by_tower: bool = False) -> int:
    """Return the margin of the first threat over the others, if its tower is begun.

    Among captures the first counts if it takes a feature from its owner, and is 0 otherwise.

    Args:
        threats: most gain first.
        by_tower: whether only those with other towers count: one guard keeps off the rest.

    """
    if not threats or not threats[0].height or not (by_tower or threats[0].ousts):
        return 0
    first, *rest = threats
    others = (one.gain for one in rest if not by_tower or one.tower != first.tower)
    return first.gain - max(0, next(others, 0))
