"""What README and docs say is executed."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ASKED = re.findall(r"\| `burgrave (.+?)` \|", README)
OF_ONE_S_OWN = ("my-position.toml", "mine.toml", "record.toml", "game.jcz")
"""Files that the README leaves to the reader."""


def test_set_up_is_two_commands() -> None:
    """Between its markers the README has one command that solves and one that tests."""
    block = README.partition("<!-- set-up -->")[2].partition("<!-- end of set-up -->")[0]
    commands = [line for line in block.splitlines() if line.startswith("python3 ")]
    assert [command.rpartition("/")[2] for command in commands] == [
        "burgrave best three-at-once",
        "python -m pytest -n auto",
    ]


@pytest.mark.parametrize("line", [line for line in ASKED if not line.endswith(OF_ONE_S_OWN)])
def test_a_command_of_the_readme_answers(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command in the README's table runs as written and answers with yes."""
    monkeypatch.chdir(tmp_path)
    if line == "verify":
        line += " CA-01 CA-36"  # the whole of it is tests/puzzles/test_cards.py
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 0, result.output


def test_the_readme_shows_what_the_main_job_prints() -> None:
    """The output in the README is what ``best three-at-once`` prints, but for the seconds."""
    printed = CliRunner().invoke(app, ["best", "three-at-once"]).output.splitlines()
    shown = README.split("```")[3].strip().splitlines()
    assert len(printed) == len(shown)
    for left, right in zip(printed, shown, strict=True):
        start = right.partition(" …")[0].partition("0.41")[0]
        assert left.startswith(start)


def test_the_python_examples_run() -> None:
    """Every example in docs/api.md gives what it says."""
    failed, tried = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False)
    assert (failed, tried > 20) == (0, True)


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
    """Each folder with Python code has its line in the tree, and each line its folder."""
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
    }
    assert {folder for folder in shown if folder.split("/")[0] in packages} == found
