"""The shipped tiles of The Castle and The Falcon: what they show, and that they can be drawn."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest

from benchmarks.tile_set import main as tile_set_figures
from burgrave.model.errors import FileError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.schema import TileEntry
from burgrave.model.files.tilesets import (
    kind_problems,
    load_tile_set,
    read_kind,
    read_tile_set,
    shipped_board,
    shipped_tile_set,
    shipped_tile_sets,
    write_segment,
)
from burgrave.model.geometry import PORTS, Cell, Side
from burgrave.model.tiles import MARKED, Kind, Mark, PlacedTile, Segment, TileKind, refuse_mark

KINDS = shipped_tile_set("castle").kinds
FALCON = shipped_tile_set("falcon").kinds
BUILDINGS = (Kind.TOWER, Kind.HOUSE, Kind.CHAPEL)

each_kind = pytest.mark.parametrize("kind", [*KINDS, *FALCON], ids=lambda kind: kind.id)


def test_the_shipped_set_is_the_printed_one() -> None:
    """All 48 kinds show what two readers saw on the scans, in the same rotation and number."""
    facts = load_tile_set(Path(__file__).parents[1] / "data" / "printed_castle.toml").kinds
    assert [kind.id for kind in KINDS] == [kind.id for kind in facts]
    for kind, fact in zip(KINDS, facts, strict=True):
        assert (kind.id, kind.count) == (fact.id, fact.count)
        assert kind.shape(0) == fact.shape(0), kind.id
    assert sum(kind.count for kind in KINDS) == 60


def test_the_printed_tiles_count_what_the_box_holds() -> None:
    """10 markets, 6 fountains, 8 squares with three arms each, 6 tiles with a path to a building.

    63 of the 240 sides show two kinds, a half each.
    """
    tiles = [kind for kind in KINDS for _ in range(kind.count)]
    marks = [mark for kind in tiles for segment in kind.segments for mark in segment.marks]
    assert (marks.count(Mark.MARKET), marks.count(Mark.FOUNTAIN)) == (10, 6)
    assert [len(square) for kind in tiles for square in kind.squares] == [3] * 8
    assert sum(bool(dead_ends(kind)) for kind in tiles) == 6
    shown = Counter(
        PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0).side_kinds(side)
        for kind in tiles
        for side in Side
    )
    split = sum(number for what, number in shown.items() if " and " in what)
    whole = {what: number for what, number in shown.items() if " and " not in what}
    assert split == 63
    assert whole == {"path": 87, "house": 26, "court": 36, "tower": 28}


def test_the_start_spaces_show_what_the_wall_shows() -> None:
    """As the track numbers of the assembled wall tell, both halves of each space."""
    board, kinds, shows = shipped_board("castle")
    by_id = {kind.id: kind for kind in kinds}
    seen = {
        start.name: [write_segment(segment) for segment in by_id[shown].segments]
        for start, shown in zip(board.starts, shows, strict=True)
    }
    # The picture is drawn with the castle to the north, so the lower number is on the right.
    assert seen == {
        "6/7": ["house NL", "court NR market"],
        "18/19": ["path N fountain", "court NL NR"],
        "40/41": ["tower N"],
        "50/51": ["tower NL", "house NR"],
        "62/63": ["court NL market", "tower NR"],
        "74/75": ["path N", "court NL", "house NR"],
        "94/95": ["court N market"],
    }


def test_the_falcon_has_18_tiles_of_at_least_16_kinds() -> None:
    """A third of them or more show aeries, which adjoin all that the tile shows."""
    assert sum(kind.count for kind in FALCON) == 18
    assert len(FALCON) >= 16
    assert 3 * sum(kind.count for kind in FALCON if kind.aeries) >= 18
    assert all(len(a) == len(kind.segments) for kind in FALCON for a in kind.aeries)
    assert sum(bool(of(kind, Kind.CHAPEL)) for kind in FALCON) >= 12


def test_only_the_falcon_is_called_a_reconstruction() -> None:
    """Title and note say that its printed tiles are not known."""
    for set_id in ("castle", "falcon"):
        tile_set = shipped_tile_set(set_id)
        assert ("reconstruction" in tile_set.title) is (set_id == "falcon")
        assert ("reconstruction" in tile_set.note) is (set_id == "falcon")
    assert shipped_game("castle+falcon").reconstructed
    assert not shipped_game("castle").reconstructed


@each_kind
def test_every_kind_is_sound_and_has_a_title(kind: TileKind) -> None:
    """No port shows two things, and the halves of every side show something."""
    assert kind.title
    assert kind_problems(kind) == []
    owned = Counter(port for segment in kind.segments for port in segment.ports)
    assert set(owned.values()) == {1}
    assert {port for port in range(PORTS) if port % 3 != 1} <= owned.keys()


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


def of(kind: TileKind, *wanted: Kind) -> list[Segment]:
    """Return the segments of some kinds."""
    return [segment for segment in kind.segments if segment.kind in wanted]


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
        ("", "tile[0].segments: is missing; give segments or quarters"),
        ('quarters = "tthx"', "tile A: quarters: tthx: 'x' is no quarter"),
        ('quarters = "tthh"\n' + WHOLE, "quarters stand in place of segments"),
    ],
)
def test_a_broken_tile_is_refused_with_its_problem(body: str, problem: str) -> None:
    """A set that cannot be played is refused, and the message names what is wrong."""
    with pytest.raises(FileError) as error:
        read_tile_set("mine.toml", HEAD + body)
    assert problem in str(error.value)


def test_a_mark_may_stand_on_several_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile may bear it on each of them, and the refusal of another names them all."""
    monkeypatch.setitem(MARKED, Mark.SHIELD, (Kind.ROAD, Kind.CITY))
    refuse_mark(Mark.SHIELD, Kind.ROAD)
    refuse_mark(Mark.SHIELD, Kind.CITY)
    with pytest.raises(ValueError, match="a shield stands on a road or a city, not on a field"):
        refuse_mark(Mark.SHIELD, Kind.FIELD)


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
    assert read_tile_set("example.toml", example).all_tiles() == ("A1", "A1", "A2", "tthh-ew")


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


@pytest.mark.long
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
