"""The booklet of puzzles."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

import burgrave as api
from burgrave.cli.render.booklet import (
    LETTERS,
    PAPER,
    SMALL,
    colophon,
    extent,
    printed,
    puzzle_view,
)
from burgrave.cli.render.booklet_pdf import groups, kept, solution
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries, select
from burgrave.puzzles.files.sets import shipped_sets
from burgrave.puzzles.study.puzzle import Puzzle
from tests.cli.conftest import Burgrave


class Page(HTMLParser):
    """The elements of a page that are still open, and the text that was read."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Open an element."""
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the last element."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Read text."""
        self.said += data


def test_a_page_holds_everything(burgrave: Burgrave, tmp_path: Path) -> None:
    """Every puzzle with a picture, solutions after them, and nothing from elsewhere."""
    path = tmp_path / "book.html"
    answer = burgrave("booklet", "castle", "best", "-o", str(path), "--title", "A & B", "--json")
    text = path.read_text(encoding="utf-8")
    ids = [entry.id for entry in select(("castle", "best"))]
    assert sorted(answer.data["puzzles"]) == ids
    assert answer.data["file"] == str(path)
    assert text.count("<svg") >= len(ids) * 2
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert "@import" not in text
    page = Page()
    page.feed(text)
    assert page.open == []
    front, _, back = page.said.partition("Solutions")
    assert "A & B" in front
    assert "unofficial" in front
    for name in ids:
        assert puzzle(find(name)).position.game.board.note in front
    for number, name in enumerate(answer.data["puzzles"], start=1):
        shown = puzzle(find(name))
        assert shown.words in front
        assert shown.explanation not in front
        assert shown.explanation in back
        assert f'href="#s{number}"' in text
        assert f'id="s{number}"' in text


def test_two_puzzles_share_a_page_of_a_pdf(burgrave: Burgrave, tmp_path: Path) -> None:
    """A page for the list, one for two puzzles, and those of the solutions; a few kB a puzzle."""
    path = tmp_path / "book.pdf"
    one, two = "tower-and-path-in-one-move", "a-long-road-by-the-tower"
    assert burgrave("booklet", one, "-o", str(path)).code == 0
    alone = len(re.findall(rb"/Type /Page\b", path.read_bytes()))
    for name in (one, two):
        (tmp_path / f"{name}.toml").write_text(find(name).text, encoding="utf-8")
    files = [str(tmp_path / f"{name}.toml") for name in (one, two)]
    made = burgrave("booklet", *files, "-o", str(path), "--force", "--json")
    assert made.data["puzzles"] == [one, two]
    data = path.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", data)) <= alone + 1
    assert len(data) <= 2 * 100_000


def test_a_booklet_says_that_it_is_unofficial_at_its_end(
    burgrave: Burgrave, tmp_path: Path
) -> None:
    """Tiles that are a reconstruction are called one, and a file of ``generate`` is accepted."""
    path = tmp_path / "book.html"
    file = tmp_path / "mine.toml"
    file.write_text(find("tower-and-path-in-one-move").text, encoding="utf-8")
    assert burgrave("booklet", str(file), "-o", str(path)).code == 0
    said = path.read_text(encoding="utf-8").partition("Solutions</h2>")[2]
    assert "Unofficial puzzles for" in said
    made = puzzle(find("tower-and-path-in-one-move"))
    assert ("are reconstructions" in said) is made.position.game.reconstructed
    on_printed_tiles = replace(made, position=api.new("castle", seed=1))
    assert "reconstruct" not in colophon([on_printed_tiles])
    assert burgrave("booklet", str(tmp_path / "no.toml"), "-o", str(path), "--force").code == 2


def test_a_pdf_is_made(burgrave: Burgrave, tmp_path: Path) -> None:
    """A file that is a PDF, with a page for the list, one for the puzzle and one for solutions."""
    path = tmp_path / "book.pdf"
    assert burgrave("booklet", "tower-and-path-in-one-move", "-o", str(path)).code == 0
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", data)) >= 3


@pytest.mark.parametrize("args", [["nosuch", "-o", "a.html"], ["-o", "a.txt"]])
def test_what_makes_no_booklet_is_refused(
    burgrave: Burgrave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    """Unknown filters and unknown endings; and a file that is there is kept."""
    monkeypatch.chdir(tmp_path)
    assert burgrave("booklet", *args).code == 2
    (tmp_path / "there.html").write_text("mine")
    assert burgrave("booklet", "tower-and-path-in-one-move", "-o", "there.html").code == 2
    assert (tmp_path / "there.html").read_text() == "mine"


def test_a_file_of_another_ending_is_no_filter(burgrave: Burgrave, tmp_path: Path) -> None:
    """The message says how files with puzzles are named, not that no puzzle has this id."""
    file = tmp_path / "F.x"
    file.write_text(find("tower-and-path-in-one-move").text, encoding="utf-8")
    told = burgrave("booklet", str(file), "-o", str(tmp_path / "book.html"))
    assert told.code == 2
    assert told.err == f"Error: {file}: a file with puzzles ends in .toml, .json or .jsonl\n"


CELL = re.compile(r'data-cell="(-?\d+,-?\d+)"')
SPREAD = [puzzle(entry) for entry in puzzle_entries()[::6]]
"""Some puzzles of all games."""


def turns(one: Puzzle) -> set[str]:
    """Return the cells of the key and of every later turn of the solution."""
    texts = (*one.answer.moves, *one.answer.line)
    return {found for text in texts for found in re.findall(r"@(-?\d+,-?\d+)r", text)}


@pytest.mark.parametrize("one", SPREAD, ids=lambda one: one.id)
def test_every_turn_of_a_solution_is_on_the_paper(one: Puzzle) -> None:
    """A castle is shown whole: the area that stays empty decides, and it is counted there."""
    shown = {*CELL.findall(printed(one.position, puzzle_view(one), PAPER).svg)}
    assert turns(one) <= shown
    board = one.position.game.board
    if not board.endless:
        assert {str(cell) for cell in board.cells} <= shown


@pytest.mark.parametrize("room", [PAPER, SMALL, (116.0, 100.0)])
def test_letters_have_one_size_on_paper(room: tuple[float, float]) -> None:
    """That of coordinates is the same on a small table and in a large castle, and fits the room."""
    for one in SPREAD[::4]:
        board = printed(one.position, puzzle_view(one), room)
        assert board.wide <= room[0] + 0.01
        assert board.high <= room[1] + 0.01
        scale = board.wide / extent(board.svg)[0]
        row = re.search(r'font-size="([\d.]+)">(?:row|y) ', board.svg)
        label = re.search(r'font-size="([\d.]+)">(?:Burgrave|Carcassonne)', board.svg)
        assert row
        assert label
        assert scale * float(row[1]) == pytest.approx(LETTERS, rel=0.04)
        assert scale * float(label[1]) == pytest.approx(LETTERS * 15 / 14, rel=0.04)


def test_a_set_keeps_its_order_title_and_story(burgrave: Burgrave, tmp_path: Path) -> None:
    """What a set wants to be taken in order is; another title is the reader's."""
    path = tmp_path / "steps.html"
    chosen = next(one for one in shipped_sets() if one.id == "first-steps")
    made = burgrave("booklet", "First-Steps", "1-2", "-o", str(path), "--json")
    easy = [name for name in chosen.puzzles if (find(name).difficulty or 0) <= 2]
    assert made.data["puzzles"] == easy
    assert easy != sorted(easy, key=lambda name: (find(name).game, find(name).difficulty, name))
    text = path.read_text(encoding="utf-8")
    assert f"<h1>{chosen.title}</h1>" in text
    assert escape(chosen.story) in text
    args = ("first-steps", "market-stalls", "-o", str(path), "--force", "--title", "Two sets")
    assert burgrave("booklet", *args).code == 0
    text = path.read_text(encoding="utf-8")
    assert "<h1>Two sets</h1>" in text
    assert escape(f"{chosen.title}. {chosen.story}") in text


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (("carcassonne", "inflict"), "Puzzles of Carcassonne"),
        (("castle", "best"), "Puzzles of Carcassonne: The Castle"),
        (
            ("castle", "castle+falcon", "last"),
            "Puzzles of Carcassonne: The Castle and Carcassonne: The Castle with The Falcon",
        ),
    ],
)
def test_the_heading_names_the_games(
    burgrave: Burgrave, tmp_path: Path, filters: tuple[str, ...], said: str
) -> None:
    """Those of the puzzles that are in it, and no other."""
    path = tmp_path / "book.html"
    assert burgrave("booklet", *filters, "-o", str(path)).code == 0
    assert f"<h1>{said}</h1>" in path.read_text(encoding="utf-8")


def test_no_line_stands_alone() -> None:
    """Of a paragraph at the end of a page, none or two lines go on, at least."""
    for lines in range(1, 12):
        for fitting in range(14):
            here = kept(lines, fitting)
            assert here <= fitting
            assert here in {0, lines} or 2 <= here <= lines - 2
            assert here == lines or lines > fitting


def test_a_solution_begins_with_its_reasons() -> None:
    """Heading, answer, picture and first paragraph share a page, so do the last two."""
    one = puzzle(find("market-day"))
    blocks = solution(1, one)
    parts = [*groups(blocks)]
    assert [block for part in parts for block in part] == blocks
    first = [getattr(block, "text", "picture") for block in parts[0]]
    assert first[0].endswith(one.title)
    assert first[2:] == ["picture", one.explanation.splitlines()[0]]
    assert len(parts[-1]) == 2
