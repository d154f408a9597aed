"""Tile sets and boards as files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from burgrave.model.boards import Board, CornerTower, Gate, StartSpace
from burgrave.model.errors import FileError
from burgrave.model.files.paths import read_text
from burgrave.model.files.schema import BoardFile, TileEntry, TileSetFile
from burgrave.model.files.toml import parse, validate
from burgrave.model.geometry import PORT_NAMES, Cell, Side, middle, port_name
from burgrave.model.naming import suggestion
from burgrave.model.quarters import is_meant, shown_by
from burgrave.model.registry import EXPANSIONS, file_of
from burgrave.model.tiles import LINES, Kind, Mark, Segment, TileKind, TileSet, refuse_mark

BUILDINGS = frozenset((Kind.TOWER, Kind.HOUSE, Kind.CHAPEL))
"""The kinds of segments at which a path can end on a tile."""
_SIDES = {side.name: side for side in Side}
CASTLE_KINDS = BUILDINGS | {Kind.PATH, Kind.COURT}
"""The kinds of segments of The Castle and its expansion; a tile shows those of one family."""


@lru_cache(maxsize=4096)  # files of cards repeat their kinds of tiles
def read_segment(text: str) -> Segment:
    """Read a segment, ``court NL W SL market`` or ``field EL WR by N``.

    Raises:
        ValueError: the text is not a segment; the message says why.

    """
    shown, by, cities = text.partition(" by ")
    name, *words = shown.split() or [""]
    try:
        kind = Kind(name.lower())
    except ValueError:
        raise ValueError(f"'{name}' is no kind of segment: {', '.join(Kind)}") from None
    ports: list[int] = []
    marks: list[Mark] = []
    for word in words:
        if word.lower() in set(Mark):
            mark = Mark(word.lower())
            refuse_mark(mark, kind)
            marks.append(mark)
        elif word.upper() in _SIDES:
            side = _SIDES[word.upper()]
            ports += [middle(side)] if kind in LINES else range(3 * side, 3 * side + 3)
        elif word.upper() in PORT_NAMES and kind not in LINES:
            ports.append(PORT_NAMES[word.upper()])
        else:
            raise ValueError(f"'{word}' is no side or mark of a {kind}")
    if len(set(ports)) < len(ports):
        raise ValueError(f"'{text}' names a side twice")
    beside = tuple(sorted(_city_port(word) for word in cities.split()))
    if by and kind is not Kind.FIELD:
        raise ValueError(f"only a field borders cities, not a {kind}")
    return Segment(kind=kind, ports=tuple(sorted(ports)), marks=tuple(sorted(marks)), beside=beside)


def _city_port(word: str) -> int:
    """Return the port that a side names at which a field's city lies."""
    if word.upper() not in _SIDES:
        raise ValueError(f"'{word}' is no side of a city")
    return middle(_SIDES[word.upper()])


def write_segment(segment: Segment) -> str:
    """Write a segment; ``read_segment`` gives it back."""
    words = [str(segment.kind)]
    for side in Side:
        ports = [port for port in segment.ports if port // 3 == side]
        if middle(side) in ports:
            words.append(side.name)
        else:
            words += [side.name + ("L" if port % 3 == 0 else "R") for port in ports]
    cities = [Side(port // 3).name for port in segment.beside]
    return " ".join([*words, *segment.marks, *(["by"] if cities else []), *cities])


def read_kind(entry: TileEntry, *, picture: bool = False) -> TileKind:
    """Make a kind of tile from its entry.

    Args:
        entry: the entry of a file.
        picture: whether it is what a start space shows: only its north side is drawn.

    Raises:
        ValueError: the entry is no tile; the message lists all problems.

    """
    problems: list[str] = []
    kind = _of_quarters(entry, problems) if entry.quarters else _of_segments(entry, problems)
    if not problems:
        problems = kind_problems(kind, picture=picture)
    if problems:
        raise ValueError(f"tile {entry.id}: " + "; ".join(problems))
    return kind


def _of_quarters(entry: TileEntry, problems: list[str]) -> TileKind:
    """Return the kind that the quarter code of an entry shows; problems are added to the list."""
    if entry.segments or entry.squares or entry.aeries:
        problems.append("quarters stand in place of segments, squares and aeries")
    try:
        shown = shown_by(entry.quarters)
    except ValueError as error:
        problems.append(f"quarters: {error}")
        return TileKind(id=entry.id, segments=())
    title = entry.title or shown.title
    return replace(shown, id=entry.id, count=entry.count, title=title)


def _of_segments(entry: TileEntry, problems: list[str]) -> TileKind:
    """Return the kind that the segments of an entry make; problems are added to the list."""
    segments = []
    for text in entry.segments:
        try:
            segments.append(read_segment(text))
        except ValueError as error:
            problems.append(str(error))
    return TileKind(
        id=entry.id,
        count=entry.count,
        title=entry.title,
        segments=tuple(segments),
        squares=tuple(tuple(square) for square in entry.squares),
        aeries=tuple(tuple(sorted(aerie)) for aerie in entry.aeries),
        tower_place=entry.tower_place,
        code=entry.code,
    )


def kind_problems(kind: TileKind, *, picture: bool = False) -> list[str]:
    """Return the faults of a kind of tile, in words."""
    found = []
    owned = [port for segment in kind.segments for port in segment.ports]
    for name, port in PORT_NAMES.items():
        if owned.count(port) > 1:
            found.append(f"two segments lie at {name}")
        if owned.count(port) == 0 and not picture and not _splits(kind, port):
            found.append(f"nothing lies at {name}")
        if port in owned and picture and port // 3 != Side.N:
            found.append(f"a start space shows its north side only, not {name}")
    found += [*_joint_problems(kind), *_field_problems(kind)]
    in_squares = {index for square in kind.squares for index in square}
    built = any(segment.kind in BUILDINGS for segment in kind.segments)
    for index, segment in enumerate(kind.segments):
        ends_inside = segment.kind is Kind.PATH and len(segment.ports) < 2  # noqa: PLR2004
        if ends_inside and index not in in_squares and not built and not picture:
            found.append(f"path segment {index} ends nowhere: name a square or a building")
    return found


def _splits(kind: TileKind, port: int) -> bool:
    """Tell whether a port is the middle of a castle's side that shows a different kind each half.

    Where two halves meet, no feature has the middle of the side.
    """
    if port % 3 != 1:
        return False
    halves = (kind.at(port - 1, 0), kind.at(port + 1, 0))
    return (
        min(halves) >= 0
        and all(kind.segments[half].kind in CASTLE_KINDS - {Kind.PATH} for half in halves)
        and kind.segments[halves[0]].kind is not kind.segments[halves[1]].kind
    )


def _joint_problems(kind: TileKind) -> list[str]:
    """Return the faults of the squares and aeries of a kind of tile."""
    found = []
    for square in kind.squares:
        paths = [
            i for i in square if 0 <= i < len(kind.segments) and kind.segments[i].kind is Kind.PATH
        ]
        if len(paths) != len(square) or len(set(square)) != len(square) or not square:
            found.append(f"square {list(square)} must name different path segments")
    for aerie in kind.aeries:
        there = set(aerie) & set(range(len(kind.segments)))
        if len(there) != len(aerie) or not aerie:
            found.append(f"aerie {list(aerie)} must name different segments")
    return found


def _field_problems(kind: TileKind) -> list[str]:
    """Return the faults of the fields of a kind of tile, in words."""
    found = []
    for index, segment in enumerate(kind.segments):
        for port in segment.beside:
            city = kind.at(port, 0)
            if city < 0 or kind.segments[city].kind is not Kind.CITY:
                found.append(f"field {index} borders no city at {port_name(port)}")
        if len(set(kind.bordered(index))) < len(segment.beside):
            found.append(f"field {index} names a city twice")
    families = {segment.kind in CASTLE_KINDS for segment in kind.segments}
    if len(families) > 1:
        found.append("segments of two families of games lie on one tile")
    return found


def read_tile_set(name: str, text: str) -> TileSet:
    """Read a tile set.

    Raises:
        FileError: every problem of the file.

    """
    file = validate(name, parse(name, text), TileSetFile, "tiles")
    kinds, problems = _kinds(file.tile, "tile")
    for code, count in file.quarters.items():
        try:
            kinds.append(replace(shown_by(code), count=count))
        except ValueError as error:
            problems.append(f"quarters.{error}")
    problems += _alike(kinds)
    if not kinds and not problems:
        problems.append("tile: there is none: add [quarters] with codes, or [[tile]] entries")
    if problems:
        raise FileError(name, problems)
    return TileSet(id=file.id, title=file.title, note=file.note, kinds=tuple(kinds))


def _alike(kinds: list[TileKind]) -> list[str]:
    """Return a problem for each quarter code that shows a kind before it, turned."""
    found = []
    for index, kind in enumerate(kinds):
        if is_meant(kind.id):
            turned = [kind.shape(rotation) for rotation in range(4)]
            same = next((other.id for other in kinds[:index] if other.shape(0) in turned), None)
            if same is not None:
                found.append(f"quarters.{kind.id}: {same} shows the same, turned; add the numbers")
    return found


def _kinds(
    entries: list[TileEntry], key: str, *, picture: bool = False
) -> tuple[list[TileKind], list[str]]:
    """Make kinds from entries; return the valid kinds and all problems."""
    kinds: list[TileKind] = []
    problems = []
    for index, entry in enumerate(entries):
        if entry.id.lower() in {kind.id.lower() for kind in kinds}:
            problems.append(
                f"{key}[{index}].id: {entry.id} is there already (case does not matter)"
            )
        if not (entry.segments or entry.quarters or picture):
            problems.append(f"{key}[{index}].segments: is missing; give segments or quarters")
            continue
        try:
            kinds.append(read_kind(entry, picture=picture))
        except ValueError as error:
            problems.append(f"{key}[{index}]: {error}")
    return kinds, problems


def own_kinds(name: str, entries: list[TileEntry]) -> tuple[TileKind, ...]:
    """Read the kinds that a position brings along.

    Raises:
        FileError: every problem of the entries.

    """
    kinds, problems = _kinds(entries, "kinds")
    if problems:
        raise FileError(name, problems)
    return tuple(kinds)


def load_tile_set(path: Path) -> TileSet:
    """Read a tile set from a file.

    Raises:
        FileError: the file cannot be used.

    """
    return read_tile_set(str(path), read_text(path))


OWN = "own"
"""In place of the id of a set: the game is played with the kinds of the position alone."""


def set_of(kinds: tuple[TileKind, ...] = ()) -> TileSet:
    """Return the set of a position that is played with kinds of its own alone."""
    return TileSet(id=OWN, title="Tiles of its own", note="", kinds=kinds)


def shipped_tile_sets() -> tuple[str, ...]:
    """Return the ids of the tile sets that come with the program."""
    folder = resources.files("burgrave.model.data") / "tiles"
    return tuple(sorted((*(f.name.removesuffix(".toml") for f in folder.iterdir()), *EXPANSIONS)))


def _shipped(sort: str, part_id: str) -> str:
    """Return the text of a tile set or board that comes with the program.

    That of an expansion stands in its folder.

    Args:
        sort: ``tiles`` or ``board``.
        part_id: the id of the set or board.

    """
    ours = resources.files("burgrave.model.data") / sort / f"{part_id}.toml"
    file = file_of(part_id, f"{sort}.toml") if part_id in EXPANSIONS else ours
    return file.read_text(encoding="utf-8")


@cache
def shipped_tile_set(set_id: str) -> TileSet:
    """Return a tile set that comes with the program.

    Raises:
        FileError: there is no such set.

    """
    if set_id not in shipped_tile_sets():
        raise FileError(set_id, [f"no such tile set.{suggestion(set_id, shipped_tile_sets())}"])
    return read_tile_set(f"{set_id}.toml", _shipped("tiles", set_id))


@cache
def shipped_board(board_id: str) -> tuple[Board, tuple[TileKind, ...], tuple[str, ...]]:
    """Return a board that comes with the program.

    Returns:
        The board, the possible pictures of start spaces, and their default pictures.

    """
    name = f"{board_id}.toml"
    file = validate(name, parse(name, _shipped("board", board_id)), BoardFile, "board")
    kinds, problems = _kinds(file.picture, "picture", picture=True)
    if problems:
        raise FileError(name, problems)
    board = Board(
        id=file.id,
        title=file.title,
        note=file.note,
        cells=tuple(
            sorted(Cell(x, y) for y, first, last in file.rows for x in range(first, last + 1))
        ),
        track=file.track,
        towers=tuple(
            CornerTower(
                name=tower.name,
                spaces=_spaces(tower.name),
                corner=Cell(*tower.corner),
                holds_tile=tower.wall_tile,
            )
            for tower in file.towers
        ),
        starts=tuple(
            StartSpace(name=start.name, cell=Cell(*start.cell), side=_SIDES[start.side])
            for start in file.starts
        ),
        gates=tuple(
            Gate(
                name=gate.name,
                after=_spaces(gate.name)[0],
                start=StartSpace(name=gate.name, cell=Cell(*gate.cell), side=_SIDES[gate.side]),
                shows=gate.shows,
            )
            for gate in file.gates
        ),
    )
    return board, tuple(kinds), tuple(start.shows for start in file.starts)


def _spaces(name: str) -> tuple[int, int]:
    """Return the two track numbers in a name like ``12/13``."""
    first, second = name.split("/")
    return int(first), int(second)
