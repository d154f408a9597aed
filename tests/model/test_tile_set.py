"""The shipped tiles: a set of 60 that could be printed, with everything the game asks for."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest

from benchmarks.tile_set import main as tile_set_figures
from model.errors import FileError
from model.files.schema import TileEntry
from model.files.tilesets import (
    kind_problems,
    read_kind,
    read_tile_set,
    shipped_board,
    shipped_tile_set,
    shipped_tile_sets,
)
from model.geometry import PORTS, Side
from model.tiles import Kind, Mark, Segment, TileKind

KINDS = shipped_tile_set("castle").kinds
FALCON = shipped_tile_set("falcon").kinds
BUILDINGS = (Kind.TOWER, Kind.HOUSE, Kind.CHAPEL)

each_kind = pytest.mark.parametrize("kind", [*KINDS, *FALCON], ids=lambda kind: kind.id)


def test_there_are_60_tiles_of_at_least_45_kinds() -> None:
    """The set has the number of tiles that the rulebook names, and few of them are alike."""
    assert sum(kind.count for kind in KINDS) == 60
    assert len(KINDS) >= 45


def test_the_falcon_has_18_tiles_of_at_least_16_kinds() -> None:
    """A third of them or more show aeries, and some aeries adjoin several features."""
    assert sum(kind.count for kind in FALCON) == 18
    assert len(FALCON) >= 16
    assert 3 * sum(kind.count for kind in FALCON if kind.aeries) >= 18
    assert any(len(aerie) > 1 for kind in FALCON for aerie in kind.aeries)
    assert any(len(aerie) == 1 for kind in FALCON for aerie in kind.aeries)
    assert sum(bool(of(kind, Kind.CHAPEL)) for kind in FALCON) >= 12


@pytest.mark.parametrize("set_id", ["castle", "falcon"])
def test_it_is_called_a_reconstruction(set_id: str) -> None:
    """Title and note say that the printed tiles are not known."""
    tile_set = shipped_tile_set(set_id)
    assert "reconstruction" in tile_set.title
    assert "reconstruction" in tile_set.note


@each_kind
def test_every_kind_is_sound_and_has_a_title(kind: TileKind) -> None:
    """All 12 ports of every tile show something, no port shows two things."""
    assert kind.title
    assert kind_problems(kind) == []
    assert sorted(port for s in kind.segments for port in s.ports) == list(range(PORTS))


def test_titles_tell_the_kinds_apart() -> None:
    """No two kinds have the same title."""
    titles = Counter(kind.title for kind in (*KINDS, *FALCON))
    assert [title for title, n in titles.items() if n > 1] == []


def test_no_kind_is_another_one_turned() -> None:
    """Two kinds differ in every rotation: a tile of which there are two has a count of 2."""
    alike = [
        (one.id, other.id)
        for one, other in combinations((*KINDS, *FALCON), 2)
        if any(one.shape(0) == other.shape(rotation) for rotation in range(4))
    ]
    assert alike == []


def cross(one: Collection[int], other: Collection[int]) -> bool:
    """Tell whether two connected pieces with these ports must cross inside the tile."""
    return any(
        any(low < port < high for port in other) and not all(low < port < high for port in other)
        for low, high in combinations(sorted(one), 2)
    )


def pieces(kind: TileKind) -> list[frozenset[int]]:
    """Return the ports of each connected piece; the arms at one square are one piece."""
    groups = [{index} for index in range(len(kind.segments))]
    for square in kind.squares:
        met = [group for group in groups if group & set(square)]
        groups = [group for group in groups if group not in met] + [set().union(*met)]
    return [frozenset(p for i in group for p in kind.segments[i].ports) for group in groups]


def crossings(kind: TileKind, extra: Collection[frozenset[int]] = ()) -> Iterator[str]:
    """Yield the pieces of a tile that cannot be drawn without crossing."""
    for one, other in combinations([*pieces(kind), *extra], 2):
        if cross(one, other):
            yield f"{sorted(one)} crosses {sorted(other)}"


def dead_ends(kind: TileKind) -> list[Segment]:
    """Return the paths that can end at a building only: no square, one side or none."""
    in_squares = {index for square in kind.squares for index in square}
    return [
        segment
        for index, segment in enumerate(kind.segments)
        if segment.kind is Kind.PATH and len(segment.ports) < 2 and index not in in_squares
    ]


def reaches_buildings(kind: TileKind) -> bool:
    """Tell whether all paths that end inside can be drawn up to a tower or a house at once."""
    buildings = [frozenset(s.ports) for s in kind.segments if s.kind in BUILDINGS]
    ends = dead_ends(kind)
    others = [
        frozenset(s.ports) for s in kind.segments if s not in ends and s.kind not in BUILDINGS
    ]
    for targets in product(range(len(buildings)), repeat=len(ends)):
        drawn = list(buildings)
        for end, target in zip(ends, targets, strict=True):
            drawn[target] |= set(end.ports)
        if not any(cross(one, other) for one, other in combinations([*drawn, *others], 2)):
            return True
    return False


@each_kind
def test_every_kind_can_be_drawn(kind: TileKind) -> None:
    """No two segments cross: ports of one never lie on both sides of another."""
    assert list(crossings(kind)) == []


@pytest.mark.parametrize(
    "kind", [kind for kind in (*KINDS, *FALCON) if dead_ends(kind)], ids=lambda kind: kind.id
)
def test_paths_that_end_inside_reach_a_building(kind: TileKind) -> None:
    """A path that ends on a tile without a square ends at a tower or house it can reach."""
    assert reaches_buildings(kind)


def test_the_drawing_checks_see_what_cannot_be_drawn() -> None:
    """A court on both sides of a straight path crosses it; a court may cut a path off."""
    cut = tile("path N S", "court NL NR SL SR E W")
    off = tile("path N", "court NL NR E W", "house S")
    fine = tile("path N", "court NL W", "tower NR E", "house S")
    assert list(crossings(cut))
    assert not reaches_buildings(off)
    assert not list(crossings(fine))
    assert reaches_buildings(fine)


def tile(*segments: str, squares: tuple[tuple[int, ...], ...] = ()) -> TileKind:
    """Return a kind of tile with these segments."""
    entry = TileEntry(id="X", segments=list(segments), squares=[list(s) for s in squares])
    return read_kind(entry)


def ways(kind: TileKind) -> list[tuple[int, ...]]:
    """Return for each path the sides that it crosses."""
    return [
        tuple(port // 3 for port in segment.ports)
        for segment in kind.segments
        if segment.kind is Kind.PATH
    ]


def of(kind: TileKind, *wanted: Kind) -> list[Segment]:
    """Return the segments of some kinds."""
    return [segment for segment in kind.segments if segment.kind in wanted]


def sides(segment: Segment) -> set[int]:
    """Return the whole sides that a segment fills."""
    return {side for side in Side if set(range(3 * side, 3 * side + 3)) <= set(segment.ports)}


VARIETY = {
    "a straight path": lambda k: any(way in {(0, 2), (1, 3)} for way in ways(k)),
    "a curve": lambda k: any(len(way) == 2 and (way[1] - way[0]) % 2 for way in ways(k)),
    "a fork without a square": lambda k: any(len(way) == 3 for way in ways(k)),
    "a crossing without a square": lambda k: any(len(way) == 4 for way in ways(k)),
    "three paths at a square": lambda k: any(len(square) == 3 for square in k.squares),
    "four paths at a square": lambda k: any(len(square) == 4 for square in k.squares),
    "a path that ends at a building": lambda k: any(s.ports for s in dead_ends(k)),
    "two paths that end at buildings": lambda k: len(dead_ends(k)) > 1,
    "a short path between two squares": lambda k: any(
        not k.segments[i].ports and j != n
        for n, square in enumerate(k.squares)
        for i in square
        for j, other in enumerate(k.squares)
        if i in other
    ),
    "a single path to a square": lambda k: any(len(square) == 1 for square in k.squares),
    "a fountain": lambda k: any(Mark.FOUNTAIN in s.marks for s in k.segments),
    "a court with a market": lambda k: any(s.marks for s in of(k, Kind.COURT)),
    "a court without a market": lambda k: any(not s.marks for s in of(k, Kind.COURT)),
    "a complete house": lambda k: any(not s.ports for s in of(k, Kind.HOUSE)),
    "two separate towers": lambda k: len(of(k, Kind.TOWER)) > 1,
    "two separate houses": lambda k: len(of(k, Kind.HOUSE)) > 1,
    "a tower from side to side": lambda k: any(
        {0, 2} == sides(s) or {1, 3} == sides(s) for s in of(k, Kind.TOWER)
    ),
    "a house from side to side": lambda k: any(
        {0, 2} == sides(s) or {1, 3} == sides(s) for s in of(k, Kind.HOUSE)
    ),
    "towers and houses on one tile": lambda k: bool(of(k, Kind.TOWER) and of(k, Kind.HOUSE)),
    "no path at all": lambda k: not ways(k),
}
"""What the game asks for, by a test that some kind of the set must pass."""


@pytest.mark.parametrize("name", VARIETY)
def test_the_set_holds_what_the_game_needs(name: str) -> None:
    """Every way in which paths, towers, houses and courts can lie is on some tile."""
    assert [kind.id for kind in KINDS if VARIETY[name](kind)]


def test_several_tiles_bring_a_complete_house() -> None:
    """A house inside one tile, worth 1 at once, is on a few tiles and no more."""
    assert 2 <= sum(k.count for k in KINDS if VARIETY["a complete house"](k)) <= 6


def test_flanks_lie_beside_every_path() -> None:
    """Where a path crosses a side, towers, houses and courts of all kinds lie beside it."""
    beside = {
        kind.segments[kind.at(port + step, 0)].kind
        for kind in KINDS
        for port in range(1, PORTS, 3)
        if kind.segments[kind.at(port, 0)].kind is Kind.PATH
        for step in (-1, 1)
    }
    assert beside == {Kind.TOWER, Kind.HOUSE, Kind.COURT}


def test_start_spaces_show_path_tower_house_and_market() -> None:
    """The rulebook names these pictures; 6/7 and 94/95 show paths."""
    board, _, shows = shipped_board("castle")
    by_name = {start.name: shown for start, shown in zip(board.starts, shows, strict=True)}
    assert {"path", "tower", "house", "court-market"} <= set(shows)
    assert by_name["6/7"] == by_name["94/95"] == "path"


HEAD = 'burgrave = 1\ntype = "tiles"\nid = "mine"\ntitle = "mine"\n[[tile]]\nid = "A"\n'
WHOLE = 'segments = ["court N E S W"]'


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('segments = ["court N E S"]', "nothing lies at W"),
        ('segments = ["court N E S W", "house N"]', "two segments lie at N"),
        ('segments = ["court N N E S W"]', "names a side twice"),
        ('segments = ["moat N E S W"]', "'moat' is no kind of segment"),
        ('segments = [""]', "'' is no kind of segment"),
        ('segments = ["court N E S Q"]', "'Q' is no side or mark of a court"),
        ('segments = ["path NL"]', "'NL' is no side or mark of a path"),
        ('segments = ["court N E S W fountain"]', "a fountain stands on a path"),
        ('segments = ["house N E S W market"]', "a market stands on a court"),
        ('segments = ["path N", "court NL NR E S W"]', "path segment 0 ends nowhere"),
        (WHOLE + "\nsquares = [[0]]", "must name different path segments"),
        (WHOLE + "\nsquares = [[7]]", "must name different path segments"),
        (WHOLE + "\nsquares = [[]]", "must name different path segments"),
        (WHOLE + "\naeries = [[1]]", "aerie [1] must name different segments"),
        (WHOLE + "\naeries = [[0, 0]]", "aerie [0, 0] must name different segments"),
        (WHOLE + "\naeries = [[]]", "aerie [] must name different segments"),
        (WHOLE + '\n[[tile]]\nid = "a"\n' + WHOLE, "a is there already"),
        (WHOLE + "\ncount = 0", "tile[0].count"),
        (WHOLE + '\ncolour = "red"', "tile[0].colour"),
        ("", "tile[0].segments"),
    ],
)
def test_a_broken_tile_is_refused_with_its_problem(body: str, problem: str) -> None:
    """A set that cannot be played is refused, and the message names what is wrong."""
    with pytest.raises(FileError) as error:
        read_tile_set("mine.toml", HEAD + body)
    assert problem in str(error.value)


def test_all_broken_tiles_are_named_at_once() -> None:
    """Two faults in two tiles are both reported, each with its tile."""
    second = '\n[[tile]]\nid = "B"\nsegments = ["tower N E S W", "house N"]'
    with pytest.raises(FileError) as error:
        read_tile_set("mine.toml", HEAD + 'segments = ["court N E"]' + second)
    assert "tile A: nothing lies at S" in str(error.value)
    assert "tile B: two segments lie at N" in str(error.value)


def test_a_set_of_ones_own_is_read() -> None:
    """A sound file gives the tiles that it names."""
    tile_set = read_tile_set("mine.toml", HEAD + WHOLE + "\ncount = 3")
    assert tile_set.all_tiles() == ("A", "A", "A")


def test_the_example_in_the_documentation_is_a_sound_set() -> None:
    """What docs/reference/tiles.md shows as a file can be read as it stands."""
    page = Path(__file__).parents[2] / "docs" / "reference" / "tiles.md"
    example = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    assert read_tile_set("example.toml", example).all_tiles() == ("A1", "A1", "A2")


PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "tiles.md").read_text(encoding="utf-8")


def test_the_documentation_names_the_shipped_sets_with_their_numbers() -> None:
    """Each set once, with its number of tiles, and as a reconstruction if it is one."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
    sets = {name: shipped_tile_set(name) for name in shipped_tile_sets()}
    assert sorted((name, int(number)) for name, number, _ in rows) == sorted(
        (name, len(tile_set.all_tiles())) for name, tile_set in sets.items()
    )
    for name, _, what in rows:
        assert ("reconstruction" in what) is ("reconstruction" in sets[name].title)


def test_the_documentation_counts_what_the_set_shows() -> None:
    """The table of what is in the set of The Castle is counted again."""
    tiles = [kind for kind in shipped_tile_set("castle").kinds for _ in range(kind.count)]
    table = dict(re.findall(r"^\| (.+?) \| ([\d, ]+) \|$", PAGE, re.MULTILINE))
    order = (Kind.PATH, Kind.HOUSE, Kind.COURT, Kind.TOWER)
    segments = [segment for tile in tiles for segment in tile.segments]
    marks = [mark for segment in segments for mark in segment.marks]
    assert table["kinds, tiles"] == f"{len(shipped_tile_set('castle').kinds)}, {len(tiles)}"
    assert table["segments of path, house, court, tower"] == ", ".join(
        str(sum(segment.kind is kind for segment in segments)) for kind in order
    )
    assert table["sides that show path, house, court, tower"] == ", ".join(
        str(sum(s.kind is kind for t in tiles for s in t.segments for p in s.ports if p % 3 == 1))
        for kind in order
    )
    assert table["markets, fountains"] == f"{marks.count('market')}, {marks.count('fountain')}"


@pytest.mark.parametrize("command", re.findall(r"\$ python -m benchmarks\.tile_set (.+)", PAGE))
def test_the_documentation_shows_what_self_play_gives(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures are those that the command prints now, but for the time it takes."""
    monkeypatch.setattr(sys, "argv", ["tile_set", *command.split()])
    tile_set_figures()
    _, printed = capsys.readouterr().out.split("\n", 1)
    shown = PAGE.split(f"$ python -m benchmarks.tile_set {command}\n")[1].split("```")[0]
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()
