"""Pictures: goldens, width, track, colours.

The goldens are text files. After a change that is wanted, this rewrites them, and the
difference is reviewed like code::

    REWRITE_PICTURES=1 python -m pytest tests/cli/test_draw.py
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.cli.render.castle import castle
from burgrave.cli.render.glyphs import ASCII, UNICODE, Glyphs
from burgrave.cli.render.tile import HEIGHT, WIDTH, picture
from burgrave.cli.sources import draft
from burgrave.model.files.games import shipped_game
from burgrave.model.files.lines import write_line
from burgrave.model.files.positions import load_position, read_position, write_position
from burgrave.model.files.tilesets import read_segment, shipped_tile_set
from burgrave.model.games import Game
from burgrave.model.geometry import PORT_SIDES, Side
from burgrave.model.registry import CASTLE, GAMES, split
from burgrave.model.tiles import Kind, TileKind
from burgrave.model.track import notch, track
from burgrave.puzzles.files.library import Entry, entries, find, position
from tests.cli.conftest import Burgrave

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
MOST_COLUMNS = 100


@pytest.mark.parametrize("name", ["full", "small", "puzzle"])
@pytest.mark.parametrize("style", ["unicode", "ascii"])
def test_the_picture_is_the_golden(burgrave: Burgrave, data: Path, name: str, style: str) -> None:
    """A castle is drawn as the reviewed file shows it, within 100 columns."""
    options = ["--ascii"] if style == "ascii" else []
    file = str(data / f"{name}.toml")
    out = burgrave("draw", file, "--color", "never", *options).out
    golden = data / "pictures" / f"{name}.{style}.txt"
    if os.environ.get("REWRITE_PICTURES"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(out, encoding="utf-8")
    assert out == golden.read_text(encoding="utf-8")
    assert max(map(len, out.splitlines())) <= MOST_COLUMNS
    assert out.isascii() is (style == "ascii")


@pytest.mark.parametrize(
    "name", ["castle-01", "falcon-01", "the-field-between-two-cities", "six-points-or-seven"]
)
def test_a_board_says_what_is_unofficial_or_a_reconstruction(burgrave: Burgrave, name: str) -> None:
    """Below the board, with what is known of the wall."""
    said = " ".join(burgrave("draw", name).out.split())
    board = draft(name).position.game.board
    assert "Burgrave is unofficial." in said
    assert ("are reconstructions, not the printed ones" in said) is (name == "falcon-01")
    assert board.note in said


def test_json_holds_the_lines(burgrave: Burgrave, data: Path) -> None:
    """The same picture as a list of lines."""
    path = str(data / "small.toml")
    lines = burgrave("draw", path, "--json").data["lines"]
    assert "\n".join(lines) + "\n" == burgrave("draw", path).out


def test_an_impossible_position_is_drawn_with_a_word_about_it(
    burgrave: Burgrave, data: Path
) -> None:
    """The picture helps to find the fault, so it is drawn all the same."""
    text = (data / "puzzle.toml").read_text().replace("supply = 0", "supply = 6")
    answer = burgrave("draw", "-", text=text)
    assert (answer.code, "Wh" in answer.out) == (0, True)
    assert "burgrave check says why" in answer.err


def test_the_players_and_the_end_are_told_below(burgrave: Burgrave, data: Path) -> None:
    """Wall tiles that wait, unknown ones, and that the game is over."""
    text = (data / "puzzle.toml").read_text()
    text = text.replace('order = ["Door"]', "").replace(
        "supply = 0", "supply = 0\nwall_tiles = [0, 4]\nfresh_wall_tiles = [9]"
    )
    out = burgrave("draw", "-", text=text).out
    assert "White: 29 points, 0 followers left and 1 on the board, keep none," in out
    assert "wall tiles ? 4" in " ".join(out.split())
    assert "wall tiles for later 9" in " ".join(out.split())
    assert "No tile is left to draw." in out
    assert "to move" not in out


@pytest.mark.parametrize(
    ("options", "env", "coloured"),
    [
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {}, False),
        (["--color", "auto"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_as_it_is_chosen(
    burgrave: Burgrave, data: Path, options: list[str], env: dict[str, str], *, coloured: bool
) -> None:
    """Escapes stand in the picture only if they are wanted, and hide nothing of it."""
    path = str(data / "full.toml")
    out = burgrave("draw", path, *options, **env).out
    assert bool(ESCAPES.search(out)) is coloured
    assert ESCAPES.sub("", out) == burgrave("draw", path, "--color", "never").out
    assert ESCAPES.findall(out)[-1:] in ([], ["\x1b[0m"])


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_auto_colours_a_terminal(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str], *, coloured: bool
) -> None:
    """A terminal is coloured unless NO_COLOR is set to something or it is dumb."""
    from burgrave.cli.output import Colour  # noqa: PLC0415
    from burgrave.cli.output import coloured as asked  # noqa: PLC0415

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert asked(Colour.AUTO) is coloured


def test_output_that_shows_no_boxes_gets_ascii(
    burgrave: Burgrave, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An encoding without box drawing is answered in ASCII."""

    class Old:
        encoding = "latin-1"

    from burgrave.cli import output  # noqa: PLC0415

    monkeypatch.setattr(output.sys, "stdout", Old())
    assert output.glyphs(plain=False) is ASCII


def test_the_track_agrees_with_the_start_spaces_and_towers() -> None:
    """All 100 spaces are there once, and the numbers of start spaces are where they lie."""
    board = shipped_game("castle").board
    stretches = list(track(board))
    numbers = [s.first + step for s in stretches for step in (0, 1)]
    on_towers = [space for tower in board.towers for space in tower.spaces]
    assert sorted(numbers + on_towers) == list(range(board.track))
    found = {(s.cell, s.side): f"{s.first}/{s.first + 1}" for s in stretches}
    for start in board.starts:
        assert found[start.cell, start.side] == start.name


def test_inner_towers_fill_the_notches_of_the_wall() -> None:
    """Five corner towers stand in inner corners, each on a cell of its own."""
    board = shipped_game("castle").board
    filled = {tower.name: notch(board, tower) for tower in board.towers}
    assert {name: tuple(cell) for name, cell in filled.items() if cell} == {
        "16/17": (1, 5),
        "20/21": (1, 7),
        "38/39": (1, 10),
        "66/67": (7, 8),
        "88/89": (4, 0),
    }


def test_everything_of_a_position_is_in_the_picture(data: Path) -> None:
    """Each follower, marker, wall tile and empty cell is written once or more."""
    position = load_position(data / "full.toml")
    text = "\n".join(castle(position, UNICODE).lines(colour=False))
    for follower in position.followers:
        letters = "WB"[follower.player] + follower.role[0]
        wanted = [f for f in position.followers if "WB"[f.player] + f.role[0] == letters]
        assert text.count(letters) == len(wanted)
    for player, letter in zip(position.players, "WB", strict=True):
        assert f"{player.score}{letter}" in text or f"{letter}{player.score}" in text
    for _, number in position.towers:
        assert f"[{number}]" in text
    for cell in position.game.board.cells:
        if cell not in position.by_cell():
            assert f" {cell} " in text


def test_face_down_wall_tiles_and_both_markers_on_a_tower(burgrave: Burgrave) -> None:
    """A question mark for an unknown wall tile; two markers beside one number."""
    out = burgrave("new", "castle", "--unknown").out
    text = "\n".join(castle(read_position("new", out), UNICODE).lines(colour=False))
    assert text.count("[?]") == 13
    assert "0WB/1" in text


def one(*segments: str, squares: tuple[tuple[int, ...], ...] = ()) -> TileKind:
    """Return a kind of tile."""
    found = tuple(read_segment(text) for text in segments)
    return TileKind(id="X", segments=found, squares=squares)


TILES = {
    "corner to corner": (one("tower N E", "house S W"), "^▒▒▒▒▒▒ ^^^▒▒▒▒ ^^^^^^▒"),
    "through the middle": (
        one("tower N S", "court E", "court W market"),
        "·▒▒▒▒▒· $·▒▒▒·· ·▒▒▒▒▒·",
    ),
    "a crossing": (
        one("path N E S W", "court NR EL", "court ER SL", "court SR WL", "court WR NL"),
        "···║··· ═══╬═══ ···║···",
    ),
    "a square": (
        one("path N", "path S", "court NR E SL", "house NL W SR", squares=((0, 1),)),
        "^^^║··· ^^^■··· ^^^║···",
    ),
    "two squares": (
        one("path N", "path S", "path", "court NR E SL", "house NL W SR", squares=((0, 2), (1, 2))),
        "^^^■··· ^^^║··· ^^^■···",
    ),
    "two curves": (
        one("path N E", "path S W", "house NR EL", "house SR WL", "court ER SL WR NL"),
        "···╚═╗^ ═╗···╚═ ^╚═╗···",
    ),
    "a bridge": (
        one("path N S", "path E W", "court NR EL", "court ER SL", "court SR WL", "court WR NL"),
        "···║··· ═══║═══ ···║···",
    ),
    "a path to a door": (one("path W", "house N E S WL WR"), "^^^^^^^ ═══^^^^ ^^^^^^^"),
    "a house inside a court": (one("court N E S W market", "house"), "···$··· ··^^^·· ·······"),
    "a fountain": (one("path E W fountain", "court N ER WL", "court S EL WR"), None),
}


@pytest.mark.parametrize("name", TILES)
def test_a_tile_is_drawn_as_it_is_described(name: str) -> None:
    """Small tiles whose picture everybody can check."""
    kind, expected = TILES[name]
    lines = picture(kind, 0).draw(kind, UNICODE).lines(colour=False)
    assert [len(line) for line in lines] == [WIDTH] * HEIGHT
    if expected is None:
        assert lines[1].startswith("══")
        assert lines[1].count("O") == 1
    else:
        assert lines == expected.split()


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_tile_shows_its_sides_in_every_rotation(glyphs: Glyphs) -> None:
    """In the middle of each side lies what the tile shows there, and every mark is drawn."""
    middles = {Side.N: (3, 0), Side.E: (6, 1), Side.S: (3, 2), Side.W: (0, 1)}
    for kind in shipped_tile_set("castle").kinds:
        for rotation in range(4):
            shown = picture(kind, rotation)
            for index, segment in enumerate(kind.segments):
                for port in kind.turned(index, rotation):
                    if port % 3 == 1 and middles[PORT_SIDES[port]] not in shown.squares:
                        assert shown.owner[middles[PORT_SIDES[port]]] == index, kind.id
                if segment.kind is not Kind.PATH:
                    assert index in shown.owner.values(), kind.id
            marks = [mark for segment in kind.segments for mark in segment.marks]
            assert sorted(shown.marks.values()) == sorted(marks), kind.id
            assert len(shown.squares) == len(kind.squares), kind.id
            assert shown.draw(kind, glyphs).height == HEIGHT


def everything() -> list[Game]:
    """Return the games with their tiles."""
    return [shipped_game(name) for name in GAMES]


@pytest.mark.long
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_tiles_that_differ_look_different(glyphs: Glyphs) -> None:
    """No kind of a game, in any rotation, is drawn as another one whose segments differ."""
    for game in everything():
        drawn: dict[tuple[str, ...], str] = {}
        for kind in game.tile_set.kinds:
            for rotation in range(4):
                lines = tuple(picture(kind, rotation).draw(kind, glyphs).lines(colour=False))
                assert drawn.setdefault(lines, kind.id) == kind.id


@pytest.mark.long
def test_areas_of_one_kind_are_drawn_apart() -> None:
    """What looks like one area is one: two houses that meet at a corner have a line between."""
    for game in everything():
        for kind in game.tile_set.kinds:
            for rotation in range(4):
                shown = picture(kind, rotation)
                signs = {*shown.paths, *shown.edges}
                plain = {place: n for place, n in shown.owner.items() if place not in signs}
                for (x, y), index in plain.items():
                    for near in ((x + 1, y), (x, y + 1)):
                        other = plain.get(near, index)
                        alike = kind.segments[index].kind is kind.segments[other].kind
                        assert other == index or not alike, (kind.id, rotation)


@pytest.mark.parametrize("entry", entries()[::5], ids=lambda entry: entry.id)
def test_what_is_shipped_can_be_drawn_by_its_id(burgrave: Burgrave, entry: Entry) -> None:
    """An id is as good as a file, and a castle fits into 100 columns."""
    answer = burgrave("draw", entry.id.upper())
    assert (answer.code, answer.err) == (0, "")
    if split(entry.game)[0] == CASTLE:
        assert max(map(len, answer.out.splitlines())) <= MOST_COLUMNS
    assert burgrave("check", entry.id).out.splitlines()[0] == "Possible."


def test_a_line_is_a_position_for_every_command(burgrave: Burgrave) -> None:
    """Given as an argument, on standard input or in a file, and printed by ``draw``."""
    told = burgrave("draw", "path-house-and-tower", "--line")
    line = write_line(position(find("path-house-and-tower")))
    assert (told.code, told.out, told.err) == (0, f"{line}\n", "")
    assert burgrave("draw", "path-house-and-tower", "--line", "--json").data == {"line": line}
    assert burgrave("check", line, "K04@1,0r0").out.startswith("Legal: K04@1,0r0\n")
    assert burgrave("check", "-", "K04@1,0r0", text=line).code == 0
    assert burgrave("draw", line, "--line").out == told.out
    refused = burgrave("moves", line[:-8])
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("Error: the line: its last part is cut off")
    assert burgrave("draw", "path-house-and-tower", "--line", "-o", "board.svg").code == 2


def test_the_few_kinds_in_a_bag_are_drawn(burgrave: Burgrave) -> None:
    """Who is to choose among tiles sees them; many are named alone."""
    many = position(find("castle-10"))
    few = write_position(replace(many, bag=many.bag[:3]))
    assert "    K04         K10         K16\n" in burgrave("draw", "-", text=few).out
    shown = burgrave("draw", "castle-10").out
    assert not re.search(r"^    K\d\d         K\d\d", shown, re.MULTILINE)


def test_a_terminal_that_is_too_narrow_is_told(
    burgrave: Burgrave, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folded by the terminal the picture would be unreadable; the file is named instead."""
    said = {}
    for wide in ("80", "100"):
        monkeypatch.setenv("COLUMNS", wide)
        said[wide] = burgrave("draw", str(data / "full.toml")).err
    assert "The picture has 92 columns, the terminal 80" in said["80"]
    assert "burgrave draw -o board.svg" in said["80"]
    assert "columns" not in said["100"]
