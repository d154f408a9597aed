"""The booklet of puzzles."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from puzzles.library import find, puzzle, select
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
    assert "reconstructions" in front
    assert "What the start spaces show is a guess" in front
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
    one, two = "landing-order", "a-city-without-a-lord"
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
    """A castle is called a reconstruction, and a file that ``generate`` writes is accepted."""
    path = tmp_path / "book.html"
    file = tmp_path / "mine.toml"
    file.write_text(find("landing-order").text, encoding="utf-8")
    assert burgrave("booklet", str(file), "-o", str(path)).code == 0
    said = path.read_text(encoding="utf-8").partition("Solutions</h2>")[2]
    assert "Unofficial puzzles for" in said
    walled = not puzzle(find("landing-order")).position.game.board.endless
    assert ("are a reconstruction" in said) is walled
    assert burgrave("booklet", str(tmp_path / "no.toml"), "-o", str(path), "--force").code == 2


def test_a_pdf_is_made(burgrave: Burgrave, tmp_path: Path) -> None:
    """A file that is a PDF, with a page for the list, one for the puzzle and one for solutions."""
    path = tmp_path / "book.pdf"
    assert burgrave("booklet", "landing-order", "-o", str(path)).code == 0
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
    assert burgrave("booklet", "landing-order", "-o", "there.html").code == 2
    assert (tmp_path / "there.html").read_text() == "mine"


def test_a_file_of_another_ending_is_no_filter(burgrave: Burgrave, tmp_path: Path) -> None:
    """The message says how files with puzzles are named, not that no puzzle has this id."""
    file = tmp_path / "F.x"
    file.write_text(find("landing-order").text, encoding="utf-8")
    told = burgrave("booklet", str(file), "-o", str(tmp_path / "book.html"))
    assert told.code == 2
    assert told.err == f"Error: {file}: a file with puzzles ends in .toml, .json or .jsonl\n"
