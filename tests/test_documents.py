"""Every example on every page of the documents runs and prints what the page shows.

After a change that is wanted, this rewrites the outputs, and they are reviewed like code::

    REWRITE_EXAMPLES=1 python -m pytest tests/test_documents.py
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from burgrave.cli.app import app
from burgrave.puzzles.files.library import entries
from burgrave.puzzles.files.sets import shipped_sets
from docs.generated import expand
from tests.documents import DOCS, PAGES, ROOT, Example, agrees, blocks, examples, lines, name

COLUMNS = 116
"""Longer lines of an output are cut on a page."""
SEARCHING = {
    "README.md",
    "docs/how-to/long-questions.md",
    "docs/how-to/puzzles.md",
    "docs/how-to/questions.md",
    "docs/reference/commands.md",
    "docs/tutorial/saved-game.md",
}
"""Pages whose commands search games to their end, or play some."""


def pages(language: str) -> list[object]:
    """Return the pages with blocks in a language, as parameters."""
    return [
        pytest.param(
            page, id=name(page), marks=[pytest.mark.slow] if name(page) in SEARCHING else []
        )
        for page in PAGES
        if blocks(page.read_text(encoding="utf-8"), language)
    ]


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a copy of the folder of the examples, which is the working folder."""
    copy = shutil.copytree(DOCS / "examples", tmp_path / "examples")
    monkeypatch.chdir(copy)
    return copy


def printed(command: str) -> str:
    """Return the text of a command on both outputs; a crash fails the test."""
    program, *args = shlex.split(command)
    assert program == "burgrave", command
    result = CliRunner().invoke(app, args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout + result.stderr


def rewritten(example: Example, output: str) -> str:
    """Return an example with the output that its command prints now."""
    kept = [re.sub(rf"^(.{{{COLUMNS}}}).{{4,}}$", r"\1...", one) for one in output.splitlines()]
    kept = [line for line, seen in zip(kept, map(lines, kept), strict=True) if seen or not line]
    shown = example.output.splitlines()
    if shown[-1:] == ["…"]:
        kept = [*kept[: max(len(shown) - 1, 5)], "…"]
    return "\n".join([f"$ {example.command}", *(line.rstrip() for line in kept)])


@pytest.mark.parametrize("page", pages("console"))
def test_the_commands_of_a_page_print_what_it_shows(page: Path, folder: Path) -> None:
    """The commands of a page run one after another in one folder."""
    text = page.read_text(encoding="utf-8")
    differing = []
    for example in examples(text):
        if example.command.startswith("python -m benchmarks."):
            continue  # tests/model/test_tile_set.py plays those games
        output = printed(example.command).rstrip("\n")
        if not example.output or agrees(example.output, output):
            continue
        differing.append(example.command)
        old = f"$ {example.command}\n{example.output}"
        text = text.replace(old, rewritten(example, output))
    if os.environ.get("REWRITE_EXAMPLES"):
        page.write_text(text, encoding="utf-8")
    assert differing == []


TABLE = re.findall(
    r"\| `burgrave (.+?)` \|", (DOCS / "how-to" / "questions.md").read_text(encoding="utf-8")
)


@pytest.mark.slow
@pytest.mark.parametrize("line", TABLE)
def test_a_command_of_the_table_of_questions_answers(line: str, folder: Path) -> None:
    """Each command in the table runs as written and answers with yes."""
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 0, result.output


@pytest.mark.slow
@pytest.mark.parametrize("page", pages("python"))
def test_the_python_of_a_page_gives_what_it_says(page: Path, folder: Path) -> None:
    """Each block has examples with a prompt; they run in order and print what is shown."""
    failed, tried = doctest.testfile(str(page), module_relative=False)
    text = page.read_text(encoding="utf-8")
    assert (failed, tried >= len(blocks(text, "python"))) == (0, True)


WHOLE = [
    pytest.param(body, id=f"{name(page)}-{number}")
    for page in PAGES
    for language in ("toml", "json")
    for number, body in enumerate(blocks(page.read_text(encoding="utf-8"), language))
]
READERS = {"position": "check", "record": "replay", "puzzle": "solve", "tiles": "tiles check"}
"""The command that reads a file, by the type of the file."""


@pytest.mark.parametrize("body", WHOLE)
def test_a_file_on_a_page_can_be_used(body: str, tmp_path: Path) -> None:
    """Every file shown on a page is accepted by its command without a remark."""
    kind = re.search(r'"?type"?\s*[=:]\s*"(\w+)"', body)
    assert kind is not None
    path = tmp_path / "shown.toml"
    path.write_text(body, encoding="utf-8")
    result = CliRunner().invoke(app, [*READERS[kind[1]].split(), str(path)])
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_commands_for_windows_are_those_of_the_readme() -> None:
    """PowerShell gets the set-up commands of the README with the paths of Windows."""
    page = (DOCS / "how-to" / "windows.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    wanted = " && ".join(blocks(readme, "sh")[0].splitlines()).replace("'", '"').split(" && ")
    power = "\n".join(blocks(page, "powershell"))
    for old, new in (("py -m", "python3 -m"), (".venv\\Scripts\\", ".venv/bin/")):
        power = power.replace(old, new)
    assert {*filter(None, power.splitlines())} == {*wanted}
    assert {*blocks(page, "sh")[0].replace(" && ", "\n").splitlines()} <= {*wanted}


def test_no_page_asks_for_a_part_that_is_not_made() -> None:
    """Each comment for a generated part is replaced, and only on pages that have one."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert "<!-- generated: " not in expand(text), name(page)


def test_what_pages_serve_and_publish_is_shipped() -> None:
    """These commands do not end by themselves, or take minutes: nothing else runs them."""
    shipped = {*(entry.id for entry in entries()), *(one.id for one in shipped_sets())}
    for page in PAGES:
        for command in re.findall(r"burgrave (?:serve|publish) [^`\n]*", page.read_text("utf-8")):
            named = set(re.findall(r"(?<= )[a-z]+(?:-[a-z0-9]+)+(?= |$)", command))
            assert named <= shipped, (name(page), command)


def test_every_block_has_a_language_that_is_tested() -> None:
    """No example hides in a block of another language."""
    known = {"console", "json", "powershell", "python", "sh", "text", "toml", "{toctree}"}
    known |= {"{glossary}"}
    for page in PAGES:
        opened = re.findall(r"^```(\S*)", page.read_text(encoding="utf-8"), re.MULTILINE)[::2]
        assert set(opened) <= known, name(page)
