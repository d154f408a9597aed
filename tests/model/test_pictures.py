"""Pictures: well formed, whole, the same every time, with all that a page holds on to."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from math import dist
from pathlib import Path

import pytest

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, Role
from burgrave.model.expansions.tower.parts import Tower, Towers
from burgrave.model.features import position_features
from burgrave.model.files.positions import load_position
from burgrave.model.files.tilesets import (
    shipped_board,
    shipped_tile_set,
    shipped_tile_sets,
)
from burgrave.model.geometry import Cell
from burgrave.model.pictures import (
    Step,
    Theme,
    View,
    board_svg,
    stamp_pictures,
    stamps,
    stylesheet,
    tile_set_svg,
    tile_svg,
)
from burgrave.model.pictures.arcs import Arc
from burgrave.model.pictures.cuts import cut
from burgrave.model.pictures.hatch import hatch
from burgrave.model.pictures.layout import layout
from burgrave.model.pictures.outlines import inside, on_border
from burgrave.model.pictures.shapes import board_shapes, corner
from burgrave.model.pictures.style import COLOURS, LIGHT, PLAYER_COLOURS
from burgrave.model.position import Deployment, Move
from burgrave.model.tiles import LINES, PlacedTile, TileKind
from tests.perft import frozen
from tests.strategies import falcon_kind, random_kind

SVG = "{http://www.w3.org/2000/svg}"
KINDS = [kind for name in shipped_tile_sets() for kind in shipped_tile_set(name).kinds]
PICTURES = [kind for name in ("castle", "falcon") for kind in shipped_board(name)[1]]
POSITIONS = {
    entry.id: entry.position for entry in frozen() if entry.id in {"falcon-late", "tower-rgg"}
}
POSITIONS["full"] = load_position(Path(__file__).parents[1] / "data" / "cli" / "full.toml")


def parsed(svg: str) -> ET.Element:
    """Return the tree of a picture; it fails if that is not well formed."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title") is not None
    assert not re.search(r"\b(nan|inf|None)\b", svg)
    # Several pictures stand on one page, where an id must be there once.
    assert not any("id" in element.attrib for element in root.iter())
    return root


def hooks(root: ET.Element, name: str) -> list[str]:
    """Return the values of a data attribute."""
    return [e.attrib[f"data-{name}"] for e in root.iter() if f"data-{name}" in e.attrib]


@pytest.mark.parametrize("kind", [*KINDS, *PICTURES], ids=lambda kind: kind.id)
def test_every_segment_and_mark_of_every_tile_is_drawn(kind: TileKind) -> None:
    """One group a segment, named by its kind; each mark, square, aerie and tower place once."""
    for rotation in range(4):
        root = parsed(tile_svg(kind, rotation))
        groups = [e for e in root.iter() if "data-segment" in e.attrib]
        drawn = {int(e.attrib["data-segment"]): e.attrib["data-kind"] for e in groups}
        assert drawn == dict(enumerate(segment.kind for segment in kind.segments))
        assert len(groups) == len(kind.segments)
        titles = Counter(e.text for e in root.iter(f"{SVG}title"))
        for name, number in Counter(m for s in kind.segments for m in s.marks).items():
            assert titles[name] == number
        assert titles["square"] == len(kind.squares)
        assert titles["aerie"] == len(kind.aeries)
        assert titles["tower place"] == kind.tower_place


def random_kinds() -> list[TileKind]:
    """Return kinds such as a set of one's own could hold, with areas that cross each other."""
    makers = (random_kind, falcon_kind)
    return [makers[seed % 2](random.Random(seed), f"R{seed}") for seed in range(100, 160)]


@pytest.mark.parametrize("kind", [*KINDS, *random_kinds()], ids=lambda kind: kind.id)
def test_what_is_seen_at_the_border_is_what_the_ports_say(kind: TileKind) -> None:
    """Just inside the border the topmost area is the owner of the port; lines cross middles."""
    parsed(tile_svg(kind))
    plan = layout(kind)
    outlines = [(r.segment, list(r.outline.points())) for r in plan.regions]
    for port in range(12):
        owner = kind.at(port, 0)
        if owner < 0:
            continue  # where two halves of a side meet
        x, y = on_border(port + 0.5)
        point = (50 + (x - 50) * 0.97, 50 + (y - 50) * 0.97)
        if kind.segments[owner].kind in LINES:
            ends = [o.start for s in plan.strokes if s.segment == owner for o in s.outlines]
            ends += [
                p.end
                for s in plan.strokes
                if s.segment == owner
                for o in s.outlines
                for p in o.pieces
            ]
            assert (x, y) in ends
        else:
            assert [s for s, corners in outlines if inside(point, corners)][-1] == owner


@pytest.mark.parametrize("name", shipped_tile_sets())
def test_a_set_shows_each_kind_once(name: str) -> None:
    """In the order of the set, with its id."""
    tile_set = shipped_tile_set(name)
    root = parsed(tile_set_svg(tile_set))
    assert hooks(root, "tile") == [kind.id for kind in tile_set.kinds]
    segments = [segment for kind in tile_set.kinds for segment in kind.segments]
    meant = {s.kind for s in segments} | {mark for s in segments for mark in s.marks}
    assert meant <= {e.text for e in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("name", POSITIONS)
def test_stamps_lie_where_the_picture_has_them(name: str) -> None:
    """Tiles, followers, towers with their guards, markers and wall tiles; each has a picture."""
    position = POSITIONS[name]
    attributes = [e.attrib for e in parsed(board_svg(position, View(panel=False))).iter()]
    found = stamps(position)
    tiles = [one for one in found if one.name in {tile.kind.id for tile in position.tiles}]
    assert Counter(tiles) == Counter(
        (e["data-tile"], *map(int, e["data-cell"].split(",")), int(e["data-rotation"]))
        for e in attributes
        if "data-tile" in e
    )
    others = [one for one in found if one not in tiles]
    standing = [one for one in others if not re.search("^(wall|numbers|start)| guard$", one.name)]
    classes = {"follower", "marker", "tower-pieces"}
    texts = [e["transform"] for e in attributes if e.get("class") in classes]
    placed = [tuple(map(float, re.findall(r"-?[\d.]+", text)[:2])) for text in texts]
    assert len(standing) == len(placed)
    assert all(min(dist(at, (one.x, one.y)) for at in placed) < 1 for one in standing)
    guards = sum(tower.guard is not None for tower in position.part(Towers).built)
    assert sum(one.name.endswith(" guard") for one in others) == guards
    assert sum(one.name.startswith("wall tile") for one in others) == len(position.towers)
    assert {one.name for one in others} <= set(stamp_pictures(position.game))


def test_a_guard_hides_no_follower_on_his_tile() -> None:
    """A follower in the place of the tower is drawn beside it."""
    kind = next(kind for kind in KINDS if kind.id == "TW02")
    tile = PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0)
    farmer = Follower(Node(Cell(0, 0), 0), 1, Role.FARMER)
    start = replace(POSITIONS["tower-rgg"], tiles=(tile,), followers=(farmer,), parts=())
    built = start.with_part(Towers(built=(Tower(Cell(0, 0), 2, guard=0),)))
    places = []
    for position in (start, built):
        root = parsed(board_svg(position, View(panel=False)))
        (at,) = (e.attrib["transform"] for e in root.iter() if "data-follower" in e.attrib)
        places.append(float(at.removeprefix("translate(").partition(" ")[0]))
    assert abs(places[1] - 50) >= 30 > abs(places[0] - 50)


@pytest.mark.parametrize("name", POSITIONS)
def test_everything_of_a_position_is_in_its_picture(name: str) -> None:
    """Cells, tiles, followers, towers and the track; the same bytes for an equal position."""
    position = POSITIONS[name]
    svg = board_svg(position)
    assert svg == board_svg(position)._repr_svg_()
    root = parsed(svg)
    cells = hooks(root, "cell")
    assert len(cells) == len(set(cells))
    assert {str(tile.cell) for tile in position.tiles} <= set(cells)
    said = {e.text for e in root.iter(f"{SVG}text")}
    assert {*book_of(position.game).roles.values(), *position.game.specials} <= said
    board = position.game.board
    assert board.endless or set(cells) == {str(cell) for cell in board.cells}
    standing = [f"{f.node.cell},{f.node.segment}" for f in position.followers]
    assert sorted(hooks(root, "follower")) == sorted(standing)
    assert hooks(root, "panel") == [str(player) for player in range(len(position.players))]
    assert sorted(hooks(root, "tower")) == sorted(
        str(tower.cell) for tower in position.part(Towers).built
    )
    if not board.endless:
        on_towers = [space for tower in board.towers for space in tower.spaces]
        spaces = sorted([*map(int, hooks(root, "space")), *on_towers])
        assert spaces == list(range(board.track))
        assert hooks(root, "corner") == [tower.name for tower in board.towers]
        assert hooks(root, "gate") == [gate.name for gate in board.gates]
        markers = [e for e in root.iter() if e.attrib.get("class") == "marker"]
        assert len(markers) == len(position.players)


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("view", [View(), View(panel=False)])
def test_a_picture_says_what_is_unofficial_or_a_reconstruction(name: str, view: View) -> None:
    """Below every board, and for readers of the screen; the board's note on the panel."""
    position = POSITIONS[name]
    root = parsed(board_svg(position, view))
    said = " ".join(e.text or "" for e in root.iter(f"{SVG}text"))
    board = position.game.board
    assert "unofficial" in said
    reconstructed = position.game.id == "castle+falcon"
    assert ("reconstructions, not the printed ones" in said) is reconstructed
    assert position.game.label in (root.find(f"{SVG}desc").text or "")  # type: ignore[union-attr]
    assert (board.note in said) is (view.panel or not board.note)


@pytest.mark.parametrize(("name", "printed"), [("castle", True), ("falcon", False)])
def test_a_picture_of_a_set_says_what_it_is(name: str, printed: bool) -> None:  # noqa: FBT001
    """The title calls the tiles of The Falcon a reconstruction, those of The Castle printed."""
    root = parsed(tile_set_svg(shipped_tile_set(name)))
    said = " ".join(e.text or "" for e in root.iter(f"{SVG}text"))
    assert "unofficial" in said
    assert ("printed" in said) is printed
    assert ("reconstruction" in said) is not printed


def test_a_view_shows_what_it_is_asked_for() -> None:
    """Cells, places, segments, a move and a line; without coordinates and panel less."""
    position = POSITIONS["tower-rgg"]
    cells = (Cell(1, 2), Cell(2, 1))
    node = Node(position.tiles[0].cell, 0)
    move = Move(tile="V", cell=cells[0], followers=(Deployment(cells[0], 0, Role.THIEF),))
    steps = (Step(0, move), Step(1, Move(tile="B", cell=cells[1])))
    full = View(cells=cells[:1], features=(node,), legal=cells, move=move, line=steps)
    root = parsed(board_svg(position, full))
    classes = Counter(name for e in root.iter() for name in e.attrib.get("class", "").split())
    assert hooks(root, "legal") == ["1,2", "2,1"]
    assert (classes["marked"], classes["move"], classes["badge"], classes["arrow"]) == (1, 3, 2, 1)
    assert classes["glow"] + classes["glow-line"] == 1
    bare = parsed(board_svg(position, View(coordinates=False, panel=False)))
    assert hooks(bare, "panel") == []
    assert not any(e.attrib.get("class") == "faint" for e in bare.iter())


def test_a_frame_shows_the_cells_of_an_open_plane() -> None:
    """Every cell of the frame can be found, tiles or not."""
    position = POSITIONS["tower-rgg"]
    root = parsed(board_svg(position, View(frame=(Cell(-5, -4), Cell(4, 5)))))
    assert set(hooks(root, "cell")) == {f"{x},{y}" for x in range(-5, 5) for y in range(-4, 6)}


def test_colours_are_fixed_in_a_file_and_variables_on_a_page() -> None:
    """A page under a strict Content-Security-Policy brings the style sheet itself."""
    svg = tile_svg(KINDS[0], embed_style=False)
    assert "<style" not in svg
    assert "style=" not in svg
    for theme in Theme:
        style = ET.fromstring(tile_svg(KINDS[0], theme=theme)).find(f"{SVG}style")
        assert style is not None
        assert "var(" not in (style.text or "")
        assert ("prefers-color-scheme" in (style.text or "")) is (theme is Theme.AUTO)
        assert set(LIGHT) == set(re.findall(r"var\(--bv-([a-z-]+),#", stylesheet(theme)))


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("theme", COLOURS)
def test_letters_are_read_on_every_player_colour(theme: Theme) -> None:
    """The contrast of large bold letters is at least 3; print has greys alone."""
    colours = COLOURS[theme]
    for name in PLAYER_COLOURS:
        low, high = sorted((luminance(colours[name]), luminance(colours[f"{name}-ink"])))
        assert (high + 0.05) / (low + 0.05) >= 3, name
    used = {"red", "blue", "green", "tower", "house", "court", "city", "field", "gold", "water"}
    greys = [colours[name] for name in used]
    assert (theme is Theme.PRINT) is all(c[1:3] == c[3:5] == c[5:] for c in greys)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_feature_is_one_shape_over_all_its_tiles(name: str) -> None:
    """One element a feature; every loop is closed, and no border runs within it."""
    position = POSITIONS[name]
    features = position_features(position).all
    shapes = board_shapes(position, position.laid())
    assert sorted(shape.nodes for shape in shapes) == [feature.nodes for feature in features]
    for shape in shapes:
        arcs = {(arc.start, arc.end) for loop in shape.loops for arc in loop}
        assert all(loop[0].start == loop[-1].end for loop in shape.loops)
        assert not any((end, start) in arcs for start, end in arcs)
        assert bool(shape.line) is (shape.kind in LINES)
    hooked = hooks(parsed(board_svg(position)), "feature")
    assert sorted(hooked) == sorted(f"{f.nodes[0].cell},{f.nodes[0].segment}" for f in features)


@pytest.mark.parametrize("name", POSITIONS)
def test_shapes_cover_every_tile_once(name: str) -> None:
    """Areas neither overlap nor leave a gap; what lies inside a tile lies on top."""
    position = POSITIONS[name]
    shapes = board_shapes(position, position.laid())
    corners = [
        [[loop[0].start, *(p for arc in loop for p in arc.points())] for loop in shape.loops]
        for shape in shapes
        if position.laid()[shape.nodes[0].cell].kind.segments[shape.nodes[0].segment].ports
    ]
    for tile in position.tiles:
        if cut(tile.kind, 0).below:
            continue
        left, top = corner(tile.cell)
        for x, y in ((13.1, 9.3), (88.2, 40.7), (52.3, 91.6), (5.7, 61.9)):
            point = (left + x, top + y)
            over = [sum(inside(point, loop) for loop in loops) % 2 for loops in corners]
            assert sum(over) == 1


def test_owners_are_told_apart_without_colour() -> None:
    """Each of six players has a hatching and a dash of his own; a tie shows both."""
    square = [Arc((0, 0), (100, 0)), Arc((100, 0), (100, 100))]
    square += [Arc((100, 100), (0, 100)), Arc((0, 100), (0, 0))]
    assert len({hatch([square], player, 13, (0, 1)) for player in range(6)}) == 6
    both = hatch([square], 0, 13, (0, 2)), hatch([square], 0, 13, (1, 2))
    assert all(both)
    assert not set(both[0].split("M")[1:]) & set(both[1].split("M")[1:])
    root = parsed(board_svg(POSITIONS["full"], theme=Theme.PRINT))
    assert {"hatch", "wide-hatch", "stripe"} <= {
        name for e in root.iter() for name in e.attrib.get("class", "").split()
    }


@pytest.mark.parametrize("name", POSITIONS)
def test_a_thumbnail_is_small_and_has_no_words(name: str) -> None:
    """Tiles, followers and wall alone; a board of 40 tiles has at most 60 kB."""
    position = POSITIONS[name]
    small = board_svg(position, View(thumbnail=True))
    root = parsed(small)
    assert not [e for e in root.iter(f"{SVG}text") if e.text and not e.text.isdigit()]
    tiles = max(40, len(position.tiles))
    assert len(board_svg(position, View(panel=False))) <= 60_000 * tiles / 40
    assert len(small) <= 30_000 * tiles / 40


def test_a_cropped_castle_leaves_out_what_is_far_from_its_tiles() -> None:
    """Every tile stays, with one cell round them."""
    position = replace(POSITIONS["full"], tiles=POSITIONS["full"].tiles[:1], followers=())
    at = position.tiles[0].cell
    root = parsed(board_svg(position, View(crop=True)))
    cells = {Cell(*map(int, one.split(","))) for one in hooks(root, "cell")}
    assert at in cells
    assert all(abs(c.x - at.x) <= 1 and abs(c.y - at.y) <= 1 for c in cells)
    inside = position.game.board.cells
    left, right = min(c.x for c in cells), max(c.x for c in cells)
    walled = [
        any(Cell(beyond, c.y) not in inside for c in cells if c.x == x)
        for x, beyond in ((left, left - 1), (right, right + 1))
    ]
    assert sorted(walled) == [False, True]
    stand = {
        float(e.attrib["x"]) / 100
        for e in root.iter(f"{SVG}text")
        if (e.text or "").startswith("row ")
    }
    away = (left - min(stand), max(stand) - right - 1)
    # Beyond the corners of the wall, which reach a cell and more; else close to the cells.
    assert all(far >= 1.2 if wall else far < 0.5 for far, wall in zip(away, walled, strict=True))


def test_a_page_finds_each_segment_of_each_tile() -> None:
    """Unseen, within the cell of its tile, so that a click on it is understood."""
    position = POSITIONS["full"]
    root = parsed(board_svg(position, View(segments=True), embed_style=False))
    for cell in (e for e in root.iter() if "data-tile" in e.attrib and "data-cell" in e.attrib):
        kind = position.game.tile_set.kind(cell.attrib["data-tile"])
        found = [int(e.attrib["data-segment"]) for e in cell if "data-segment" in e.attrib]
        assert sorted(found) == list(range(len(kind.segments)))


def test_rotation_turns_a_tile_clockwise() -> None:
    """What lies in the north lies in the east after one quarter turn."""
    kind = next(kind for kind in KINDS if kind.id == "E")
    city = layout(kind).regions[1].outline
    assert city.data().startswith("M0 0L100 0")
    assert city.data(1).startswith("M100 0L100 100")


def test_words_of_a_set_of_ones_own_are_escaped() -> None:
    """A title may hold anything a TOML file can."""
    kind = TileKind(id="X", title='<b> & "\u0001', segments=KINDS[0].segments)
    assert parsed(tile_svg(kind)).find(f"{SVG}desc").text == '<b> & "'  # type: ignore[union-attr]
