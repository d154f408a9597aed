"""What README and ARCHITECTURE say is true; tests/test_documents.py runs the examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import ROOT, examples

README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_LINES = 120


def test_set_up_is_two_commands() -> None:
    """Between its markers the README has one command that solves and one that tests."""
    block = README.partition("<!-- set-up -->")[2].partition("<!-- end of set-up -->")[0]
    commands = [line for line in block.splitlines() if line.startswith("python3 ")]
    assert [command.rpartition("/")[2] for command in commands] == [
        "burgrave best path-house-and-tower",
        "python -m pytest -n auto",
    ]
    assert ".venv/bin/burgrave warm" in commands[0].split(" && ")


def test_the_readme_is_short_and_has_five_examples() -> None:
    """It has at most 120 lines, and five commands with their output."""
    assert len(README.splitlines()) <= MOST_LINES
    assert [bool(example.output) for example in examples(README)] == [True] * 5


def target(page: Path, link: str) -> Path:
    """Return the file that a link of a page leads to."""
    return (page.parent / link.partition("#")[0]).resolve()


def test_the_links_of_the_top_level_pages_lead_somewhere() -> None:
    """Sphinx checks the links within the site; these pages stand outside it."""
    for page in ROOT.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        found = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
        links = [one or other for one, other in found]
        local = [link for link in links if "://" not in link]
        assert [link for link in local if not target(page, link).exists()] == [], page.name


DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMED = re.compile(r"`((?:model|solver|puzzles|cli|burgrave|tests|benchmarks)[./][\w./-]*\w)`")


def exists(name: str) -> bool:
    """Tell whether a document names a file, a folder, a module or a name in a module."""
    if "/" in name:
        return (ROOT / name).exists()
    path = ROOT.joinpath(*name.split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    for module in (path.parent / "__init__.py", path.parent.with_suffix(".py")):
        if module.is_file() and re.search(rf"\b{path.name}\b", module.read_text(encoding="utf-8")):
            return True
    return False


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if path.name != "CHANGELOG.md"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_document_names_only_modules_that_exist(document: Path) -> None:
    """What a document names in backquotes is there; the history may speak of the past."""
    named = NAMED.findall(document.read_text(encoding="utf-8"))
    assert [name for name in named if not exists(name)] == []


def test_the_architecture_shows_every_folder_of_the_packages() -> None:
    """Each folder with Python code has its line in the tree, and each line its folder.

    Those of expansions have one line together.
    """
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    packages = ("model", "solver", "puzzles", "cli", "burgrave")
    shown, package = set(), ""
    for line in re.findall(r"^((?:  )?[a-z_/]+/)  +\S", text, re.MULTILINE):
        package = package if line.startswith(" ") else line
        shown.add((package + line.strip() if line.startswith(" ") else line).rstrip("/"))
    found = {
        str(path.parent.relative_to(ROOT))
        for name in packages
        for path in (ROOT / name).rglob("__init__.py")
        if path.parents[1] != ROOT / "model" / "expansions"
    }
    assert {folder for folder in shown if folder.split("/")[0] in packages} == found
