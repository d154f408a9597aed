"""Help: groups, whole sentences, examples that run, and the width of the terminal."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer

from burgrave.cli.app import COMMANDS, app
from burgrave.cli.help import example_of
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ROOT: Any = typer.main.get_command(app)
ALL = {name: one for name, one in ROOT.commands.items() if name != "tiles"} | {
    f"tiles {name}": one for name, one in ROOT.commands["tiles"].commands.items()
}
ENDLESS = {"serve", "generate", "publish"}
"""Commands whose examples run too long for a test."""


def test_help_lists_every_command_in_its_group_with_a_whole_sentence(burgrave: Burgrave) -> None:
    """No description is cut off, and no command stands outside a group."""
    text = burgrave("--help", COLUMNS="80").out
    told = " ".join(text.split())
    for heading in COMMANDS:
        assert f"\n{heading}:\n" in text
    assert "Commands:" not in text
    assert "..." not in text.partition("Options:")[2]
    for name, command in ROOT.commands.items():
        first = " ".join(command.help.partition("\n\n")[0].split()).removesuffix(".")
        assert f" {name} {first}" in told


@pytest.mark.parametrize("columns", [50, 60, 80, 100])
@pytest.mark.parametrize("name", ["", "best", "check", "generate", "tiles show"])
def test_help_keeps_to_the_columns(burgrave: Burgrave, name: str, columns: int) -> None:
    """Lists of values that cannot be broken and the example, which is copied, aside."""
    text = burgrave(*name.split(), "--help", COLUMNS=str(columns)).out.partition("Example:")[0]
    assert max(len(line) for line in text.splitlines() if "<" not in line) <= columns


@pytest.mark.parametrize(
    "line",
    ["rules castle.keep", "switches", "rules", "puzzles", "solve to-the-door.toml", "score CA-69"],
)
@pytest.mark.parametrize("columns", [60, 90])
def test_answers_keep_to_the_columns(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, line: str, columns: int
) -> None:
    """Prose and tables are folded at words; without COLUMNS a program reads whole lines."""
    monkeypatch.chdir(EXAMPLES)
    folded = burgrave(*line.split(), COLUMNS=str(columns)).out
    words = (word for text in folded.splitlines() if len(text) > columns for word in text.split())
    assert not [word for word in words if len(word) < columns // 2]
    whole = burgrave(*line.split(), COLUMNS="").out
    if line == "puzzles":
        assert len(whole.splitlines()) < len(folded.splitlines())


@pytest.mark.parametrize("name", ALL)
def test_every_command_shows_one_example(burgrave: Burgrave, name: str) -> None:
    """It begins with the command itself."""
    line = example_of(ALL[name])
    assert line.startswith(f"burgrave {name}")
    assert line in burgrave(*name.split(), "--help", COLUMNS="100").out


@pytest.mark.parametrize("name", [name for name in ALL if name not in ENDLESS])
def test_the_example_of_a_command_runs(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """It runs unchanged, in a folder that holds the files that it names."""
    monkeypatch.chdir(tmp_path)
    for source, target in (
        ("two-farms.jcz", "game.jcz"),
        ("doors.toml", "my-tiles.toml"),
        ("positions.jsonl", "positions.jsonl"),
        *([] if name in {"new", "import"} else [("three-turns.toml", "game.toml")]),
    ):
        shutil.copy(EXAMPLES / source, tmp_path / target)
    answer = burgrave(*shlex.split(example_of(ALL[name]))[1:], text="quit\n")
    assert answer.code in {0, 1}, answer.err


@pytest.mark.parametrize("name", sorted(ENDLESS))
def test_the_other_examples_use_what_there_is(name: str) -> None:
    """Their options exist."""
    words = shlex.split(example_of(ALL[name]))
    known = {option for param in ALL[name].params for option in param.opts}
    assert {word for word in words if word.startswith("-")} <= known


def test_the_command_that_help_recommends_first_fits_a_terminal(burgrave: Burgrave) -> None:
    """Its answer has no line of more than 80 columns."""
    line = re.search(r"Start with: burgrave (.+)", burgrave("--help", COLUMNS="100").out)
    assert line is not None
    answer = burgrave(*line[1].split(), COLUMNS="80")
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines())) <= 80


def test_help_names_every_exit_code(burgrave: Burgrave) -> None:
    """That of Ctrl-C too."""
    shown = " ".join(burgrave("--help").out.split()).partition("Exit codes: ")[2]
    assert [int(code) for code in re.findall(r"\b\d+\b", shown)] == [0, 1, 2, 3, 130]


def test_help_can_be_asked_for_in_every_way(burgrave: Burgrave) -> None:
    """``help best``, ``best -h`` and ``best --help`` are the same; nothing at all is help."""
    shown = burgrave("best", "--help")
    assert shown.code == 0
    for words in ("best -h", "help best"):
        again = burgrave(*words.split())
        assert (again.code, again.err, again.out) == (0, "", shown.out)
    assert burgrave("help").out == burgrave("--help").out
    assert "Positions and moves:" in burgrave().out + burgrave().err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("best", "POSITION is missing. Example: burgrave best castle-04 --top 3"),
        ("score castle-04 more", "more: not expected. Example: burgrave score castle-04"),
        ("best castle-04 --top 0", "--top: found '0', expected 1 or more"),
        ("best castle-04 --top many", "--top: found 'many', expected a whole number"),
        ("best castle-04 --top", "--top: its value is missing"),
        ("best castle-04 --json=3", "--json: it takes no value"),
        ("evaluate castle-04 --time long", "--time: found 'long', expected a number"),
        ("new carcassonne --players 7", "--players: found '7', expected 6 or less"),
        ("castle-04", "castle-04 is no command. Try: burgrave draw castle-04"),
        ("booklet castle", "--output is missing. Example: burgrave booklet"),
    ],
)
def test_a_wrong_command_line_is_one_line(burgrave: Burgrave, line: str, words: str) -> None:
    """With the example of the command instead of its usage."""
    answer = burgrave(*line.split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"Error: {words}")
    assert len(answer.err.splitlines()) == 1


def test_what_is_copied_or_drawn_is_never_folded(burgrave: Burgrave) -> None:
    """A position in one line, a picture and the list of moves keep their lines."""
    (line,) = burgrave("draw", "castle-04", "--line", COLUMNS="50").out.splitlines()
    assert len(line) > 50
    assert burgrave("check", line).code == 0
    board = burgrave("draw", "castle-04", COLUMNS="50").out
    assert "y=11" in board
    assert board.partition(" W ")[0] == burgrave("draw", "castle-04").out.partition(" W ")[0]
