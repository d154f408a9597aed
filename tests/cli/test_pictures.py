"""Pictures as files: the goldens that the docs show, options, PNG, what is refused.

The goldens stand in docs/pictures with the commands that make them. After a change that is
wanted, this rewrites them, and they are looked at::

    REWRITE_PICTURES=1 python -m pytest tests/cli/test_pictures.py
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import struct
import sys
from pathlib import Path

import pytest

from burgrave.puzzles.files.library import Entry, entries
from tests.cli.conftest import Burgrave

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures"
PAGE = (PICTURES / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ burgrave (.*)$", PAGE, re.MULTILINE)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a copy of the folder of the examples, which is the working folder."""
    folder = shutil.copytree(DOCS / "examples", tmp_path / "examples")
    monkeypatch.chdir(folder)
    return folder


def target(command: str) -> str:
    """Return the file that a command writes."""
    args = shlex.split(command)
    return args[args.index("-o") + 1]


@pytest.mark.parametrize("command", COMMANDS, ids=target)
def test_a_picture_of_the_docs_is_what_its_command_makes(
    burgrave: Burgrave, examples: Path, command: str
) -> None:
    """The same bytes, so that a change of the looks is seen in review."""
    answer = burgrave(*shlex.split(command))
    assert (answer.code, answer.out) == (0, "")
    made = (examples / target(command)).read_bytes()
    golden = PICTURES / target(command)
    if os.environ.get("REWRITE_PICTURES"):
        golden.write_bytes(made)
    assert made == golden.read_bytes()


def test_the_docs_have_no_other_pictures() -> None:
    """Each file is shown on the page and has its command."""
    names = sorted(path.name for path in PICTURES.glob("*.svg"))
    assert names == sorted(map(target, COMMANDS))
    assert sorted(re.findall(r"\((.*\.svg)\)", PAGE)) == names


def png_size(data: bytes) -> tuple[int, int]:
    """Return width and height as a PNG's head tells them."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_png_is_as_wide_as_it_is_asked_for(burgrave: Burgrave, examples: Path) -> None:
    """By the name of the file; JSON names it."""
    answer = burgrave("draw", "two-ways.toml", "-o", "a.png", "--width", "300", "--json")
    assert (answer.code, answer.data) == (0, {"file": "a.png"})
    width, height = png_size((examples / "a.png").read_bytes())
    assert (width, 200 < height < 400) == (300, True)
    shown = burgrave("tiles", "show", "doors.toml", "-o", "b.PNG", "--json")
    assert (shown.code, shown.data["file"], shown.data["kinds"]) == (0, "b.PNG", 2)
    assert png_size((examples / "b.PNG").read_bytes())[0] == 276


def test_a_set_of_ones_own_is_drawn(burgrave: Burgrave, examples: Path) -> None:
    """Every tile of a file, with its id."""
    assert burgrave("tiles", "show", "doors.toml", "-o", "set.svg").code == 0
    svg = (examples / "set.svg").read_text(encoding="utf-8")
    assert re.findall(r'data-tile="(\w+)"', svg) == ["Way", "Door"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-o", "a.pdf"], "a.pdf: a picture's name ends in .svg or .png"),
        (["-o", "two-ways.toml"], "two-ways.toml: a picture's name ends in .svg or .png"),
        (["-o", "no/a.svg"], "no/a.svg: there is no folder no"),
        (["-o", "there.svg"], "there.svg: the file exists; add --force to replace it"),
        (["--legal"], "--legal is for pictures: add -o board.svg"),
        (["--no-panel"], "--no-panel is for pictures: add -o board.svg"),
        (["--width", "100"], "--width is for PNG: add -o and a name that ends in .png"),
        (["-o", "a.svg", "--width", "9"], "--width is for PNG: add -o and a name that ends"),
        (["-o", "a.png", "--width", "9"], "--width 9: give from 16 to 6000 pixels"),
        (["-o", "a.svg", "--highlight", "3;4"], "--highlight: "),
        (["-o", "a.svg", "--highlight", "99,0"], "99,0: that cell is not inside"),
        (["-o", "a.svg", "--feature", "5,5.N"], "--feature: "),
        (["-o", "a.svg", "--feature", "2,6"], "--feature: "),
        (["-o", "a.svg", "--move", "Cap@"], "--move 1: "),
        (["-o", "a.svg", "--move", "Cap@5,5r0", "--move", "pass"], "castle.place.adjacent"),
        (["-o", "a.svg", "--tile", "Cap"], "--tile needs --legal"),
        (["-o", "a.svg", "--legal", "--tile", "Nope"], "--tile: this game has no tile 'Nope'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    burgrave: Burgrave, examples: Path, args: list[str], message: str
) -> None:
    """One message, exit code 2, and no file."""
    (examples / "there.svg").write_text("old", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in examples.iterdir()}
    answer = burgrave("draw", "two-ways.toml", *args)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert {path.name: path.read_bytes() for path in examples.iterdir()} == before


def test_png_without_the_extra_says_what_to_install(
    burgrave: Burgrave, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SVG needs nothing."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    answer = burgrave("draw", "two-ways.toml", "-o", "a.png")
    assert (answer.code, 'pip install ".[pictures]"' in answer.err) == (2, True)
    assert burgrave("draw", "two-ways.toml", "-o", "a.svg").code == 0


def test_places_of_a_tile_from_the_bag(burgrave: Burgrave, examples: Path) -> None:
    """Where the next tile is not known, it is named."""
    assert burgrave("new", "castle", "--unknown", "-o", "new.toml").code == 0
    asked = burgrave("draw", "new.toml", "-o", "a.svg", "--legal")
    assert (asked.code, "add --tile KIND" in asked.err) == (2, True)
    assert burgrave("draw", "new.toml", "-o", "a.svg", "--legal", "--tile", "k14").code == 0
    svg = (examples / "a.svg").read_text(encoding="utf-8")
    assert sorted(re.findall(r'data-legal="([^"]*)"', svg)) == ["0,2", "2,0", "2,11", "5,11", "7,9"]


@pytest.mark.parametrize("entry", entries()[::12], ids=lambda entry: entry.id)
def test_what_is_shipped_becomes_a_picture(
    burgrave: Burgrave, tmp_path: Path, entry: Entry
) -> None:
    """By its id, like the text."""
    answer = burgrave("draw", entry.id, "-o", str(tmp_path / "a.svg"))
    assert (answer.code, answer.out) == (0, "")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg ")


IMPOSSIBLE = {
    "a tile on the wall and one far away": (
        "two-ways.toml",
        ('"Way@0,2r1 white:herald.E"', '"Way@9,9r1 white:herald.E", "Way@-199,99r0"'),
        ["9,9", "-199,99"],
    ),
    "a tower where no tile is, one where none can be built, one follower too many": (
        "tower-game.toml",
        ("built = [", 'built = [ "99,-99:3 red", "0,0:1",'),
        ["0,0", "99,-99"],
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_position_becomes_a_picture_all_the_same(
    burgrave: Burgrave, examples: Path, name: str
) -> None:
    """It helps to find the fault; a PNG of it stays within bounds."""
    file, (old, new), cells = IMPOSSIBLE[name]
    text = (examples / file).read_text(encoding="utf-8")
    assert old in text
    answer = burgrave("draw", "-", "-o", "a.svg", text=text.replace(old, new))
    assert answer.code == 0
    assert "This position is impossible" in answer.err
    svg = (examples / "a.svg").read_text(encoding="utf-8")
    assert set(cells) <= set(re.findall(r'data-cell="([^"]*)"', svg))
    assert burgrave("draw", "-", "-o", "a.png", text=text.replace(old, new)).code == 0
    assert max(png_size((examples / "a.png").read_bytes())) <= 6000
