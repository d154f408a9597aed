"""A kind of tile as a list of segments, and a set of such kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from burgrave.model.geometry import PORTS, Cell, Side, middle, port_name, rotate_port
from burgrave.model.naming import a_noun


class Kind(StrEnum):
    """The kind of a segment."""

    PATH = "path"
    """A path, whose follower is a herald."""
    TOWER = "tower"
    """A tower, whose follower is a knight."""
    HOUSE = "house"
    """A house, whose follower is a squire."""
    COURT = "court"
    """A court, whose follower is a merchant and lies down."""
    CHAPEL = "chapel"
    """A chapel, whose follower is a preacher (The Falcon expansion)."""
    ROAD = "road"
    """A road, whose follower is a thief."""
    CITY = "city"
    """A city, whose follower is a knight."""
    CLOISTER = "cloister"
    """A cloister, whose follower is a monk."""
    FIELD = "field"
    """A field, whose follower is a farmer and lies down."""


LINES = frozenset({Kind.PATH, Kind.ROAD})
"""The kinds that cross the middle of a side; the halves beside them belong to other kinds."""


class Mark(StrEnum):
    """A printed mark that changes the value of a segment."""

    FOUNTAIN = "fountain"
    """A fountain on a path: every tile of the path counts 2."""
    MARKET = "market"
    """A market on a court: 3 points at the end."""
    SHIELD = "shield"
    """A shield on a city: 2 points more, 1 if the city stays uncompleted."""
    INN = "inn"
    """An inn on a road: every tile of the completed road counts 2 (Inns & Cathedrals)."""
    CATHEDRAL = "cathedral"
    """A cathedral in a city: tiles and shields of it completed count 3 (Inns & Cathedrals)."""


MARKED = {
    Mark.FOUNTAIN: (Kind.PATH,),
    Mark.MARKET: (Kind.COURT,),
    Mark.SHIELD: (Kind.CITY,),
    Mark.INN: (Kind.ROAD,),
    Mark.CATHEDRAL: (Kind.CITY,),
}
"""The kinds of segments on which each mark may stand."""


def refuse_mark(mark: Mark, kind: Kind) -> None:
    """Refuse a mark on a kind of segment on which it is never printed.

    Raises:
        ValueError: it is so.

    """
    if kind not in MARKED[mark]:
        where = " or ".join(f"a {one}" for one in MARKED[mark])
        raise ValueError(f"{a_noun(mark)} stands on {where}, not on a {kind}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One connected piece of one kind on one tile."""

    kind: Kind
    ports: tuple[int, ...] = ()
    """Ports it owns at rotation 0, ascending; none if it reaches no side."""
    marks: tuple[Mark, ...] = ()
    """Marks on it, sorted; two markets are two entries."""
    beside: tuple[int, ...] = ()
    """Of a field: for each city on the tile that it borders, one port of that city, ascending."""


@lru_cache(maxsize=4096)  # games and cards have many tiles alike
def _tables(
    ports: tuple[tuple[int, ...], ...],
) -> tuple[tuple[tuple[tuple[int, ...], ...], ...], tuple[tuple[int, ...], ...]]:
    """Return by rotation the ports of each segment, and the segment at each port.

    Args:
        ports: those of each segment as the tile is printed.

    """
    turned = tuple(
        tuple(tuple(sorted(rotate_port(port, rotation) for port in each)) for each in ports)
        for rotation in range(4)
    )
    return turned, tuple(_by_port(segments) for segments in turned)


def _by_port(segments: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return the index of the segment at each port, -1 where a port shows nothing.

    Args:
        segments: the ports of each segment. Of several with one port the first has it.

    """
    owner = {port: index for index, ports in reversed([*enumerate(segments)]) for port in ports}
    return tuple(owner.get(port, -1) for port in range(PORTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class TileKind:
    """A kind of tile: its picture and its number in the set."""

    id: str
    """The letters and figures by which files and notation name it."""
    count: int = 1
    """Tiles of this kind in the set."""
    segments: tuple[Segment, ...]
    squares: tuple[tuple[int, ...], ...] = ()
    """For each square, the indices of the path segments that run into it."""
    aeries: tuple[tuple[int, ...], ...] = ()
    """For each falcon aerie, the indices of the segments it adjoins."""
    title: str = ""
    """A few words for people."""
    tower_place: bool = False
    """Whether a tower can be built on it."""
    code: str = ""
    """The name by which JCloisterZone knows it, if it does."""
    _turned: tuple[tuple[tuple[int, ...], ...], ...] = field(init=False, repr=False, compare=False)
    """Ports by rotation and segment. Derived once: every graph of features asks for it."""
    _owners: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    """Segment index by rotation and port, -1 where a port shows nothing. Derived once."""
    _rotations: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)
    """Found when it is first asked for; every list of places asks. Empty until then."""

    def __post_init__(self) -> None:
        """Derive the tables of ports."""
        turned, owners = _tables(tuple(segment.ports for segment in self.segments))
        object.__setattr__(self, "_turned", turned)
        object.__setattr__(self, "_owners", owners)

    def __hash__(self) -> int:
        """Return a hash that is quick: recent boards are looked up by their tiles."""
        return hash(self.id)

    def __repr__(self) -> str:
        """Return one short line, without the segments."""
        return f"<TileKind {self.id}>"

    def turned(self, index: int, rotation: int) -> tuple[int, ...]:
        """Return the ports of segment ``index`` after ``rotation`` quarter turns, ascending."""
        return self._turned[rotation][index]

    def at(self, port: int, rotation: int) -> int:
        """Return the index of the segment at ``port`` of the board, or -1 for none."""
        return self._owners[rotation][port]

    def bordered(self, index: int) -> tuple[int, ...]:
        """Return the cities on the tile that a field borders, by their indices."""
        return tuple(self.at(port, 0) for port in self.segments[index].beside)

    def has_path(self, side: Side, rotation: int) -> bool:
        """Tell whether a path crosses ``side`` when the tile lies at ``rotation``."""
        index = self.at(middle(side), rotation)
        return index >= 0 and self.segments[index].kind is Kind.PATH

    def shape(self, rotation: int) -> Shape:
        """Return the segments by their ports at ``rotation``, without regard to their order."""
        looks = [
            (
                segment.kind,
                self.turned(index, rotation),
                segment.marks,
                tuple(sorted(self.turned(city, rotation) for city in self.bordered(index))),
            )
            for index, segment in enumerate(self.segments)
        ]
        squares = (tuple(sorted(looks[index] for index in square)) for square in self.squares)
        aeries = (tuple(sorted(looks[index] for index in aerie)) for aerie in self.aeries)
        return Counter(looks), tuple(sorted(squares)), tuple(sorted(aeries))

    def rotations(self) -> tuple[int, ...]:
        """Return the rotations that look different, ascending from 0."""
        if not self._rotations:
            seen: list[Shape] = []
            found = []
            for rotation in range(4):
                shape = self.shape(rotation)
                if shape not in seen:
                    seen.append(shape)
                    found.append(rotation)
            object.__setattr__(self, "_rotations", tuple(found))
        return self._rotations

    def name_of(self, index: int, rotation: int) -> str:
        """Return the canonical name of a segment on the board: a port, or ``#index``.

        Middle ports come first: ``N``, then ``NL``; a segment that reaches no side is ``#2``.
        """
        ports = self.turned(index, rotation)
        if not ports:
            return f"#{index}"
        return port_name(min(ports, key=lambda port: (port % 3 != 1, port)))


Look = tuple[Kind, tuple[int, ...], tuple[Mark, ...], tuple[tuple[int, ...], ...]]
"""A segment as it lies on the board: kind, ports, marks, ports of the cities beside it."""
Joint = tuple[Look, ...]
"""Segments that meet in a square, or that an aerie adjoins."""
Shape = tuple[Counter[Look], tuple[Joint, ...], tuple[Joint, ...]]
"""All segments of a tile as they lie on the board, its squares, its aeries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSet:
    """A set of tiles that a game is played with."""

    id: str
    title: str
    note: str
    """The origin of the facts; a reconstruction says so here."""
    kinds: tuple[TileKind, ...]
    _by_id: Mapping[str, TileKind] = field(init=False, repr=False, compare=False)
    """Kind by its id; of several with one id the first. Derived once: each turn asks for it."""
    _ids: frozenset[str] = field(init=False, repr=False, compare=False)
    """The ids of all kinds. Derived once."""

    def __post_init__(self) -> None:
        """Derive the kinds by their ids."""
        by_id = {kind.id: kind for kind in reversed(self.kinds)}
        object.__setattr__(self, "_by_id", by_id)
        object.__setattr__(self, "_ids", frozenset(by_id))

    def __repr__(self) -> str:
        """Return one short line, without the kinds."""
        return f"<TileSet {self.id}>"

    def kind(self, kind_id: str) -> TileKind:
        """Return the kind named ``kind_id``.

        Raises:
            KeyError: the set has no such kind.

        """
        return self._by_id[kind_id]

    def ids(self) -> frozenset[str]:
        """Return the names of all kinds."""
        return self._ids

    def all_tiles(self) -> tuple[str, ...]:
        """Return the id of every tile, a kind of which there are two twice, sorted."""
        return tuple(sorted(kind.id for kind in self.kinds for _ in range(kind.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTile:
    """A tile on the board."""

    cell: Cell
    kind: TileKind
    rotation: int
    """Clockwise quarter turns, 0 to 3."""

    def __repr__(self) -> str:
        """Return one short line: with its kind a tile would fill half a page."""
        return f"<PlacedTile {self.kind.id}@{self.cell}r{self.rotation}>"

    def at(self, port: int) -> int:
        """Return the index of the segment at ``port`` of the board, or -1."""
        return self.kind.at(port, self.rotation)

    def has_path(self, side: Side) -> bool:
        """Tell whether a path crosses ``side``."""
        return self.kind.has_path(side, self.rotation)

    def kind_at(self, port: int) -> Kind | None:
        """Return the kind of segment at ``port`` of the board, None where nothing lies."""
        index = self.at(port)
        return self.kind.segments[index].kind if index >= 0 else None

    def side_kinds(self, side: Side) -> str:
        """Describe what the tile shows on ``side``.

        Returns:
            ``path`` for a side that a path crosses, ``tower`` for a side of one kind, and
            ``tower and house`` for a side of two halves, the left one first as seen from the
            middle of the tile.

        """
        centre = self.kind_at(middle(side))
        if centre is not None:
            return str(centre)
        halves = (self.kind_at(middle(side) - 1), self.kind_at(middle(side) + 1))
        return " and ".join(str(half) for half in halves if half is not None) or "nothing"
