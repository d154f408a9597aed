"""docs/commands.md tells of every command and option, and its examples are real."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.app import app
from tests.cli.conftest import Burgrave

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS = (DOCS / "commands.md").read_text(encoding="utf-8")


def commands(command: Any, name: str = "burgrave") -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name."""
    below = getattr(command, "commands", None)
    if below is None or name == "burgrave":
        yield name, command
    for word, inner in (below or {}).items():
        yield from commands(inner, f"{name} {word}")


ALL = dict(commands(typer.main.get_command(app)))


def section(name: str) -> str:
    """Return the part of the page that tells of a command."""
    heading = f"## `{name}`" if name != "burgrave" else "# Commands"
    _, _, rest = COMMANDS.partition(heading)
    assert rest, f"docs/commands.md has no section {heading}"
    return rest.partition("\n## ")[0]


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_documented_with_its_options(name: str) -> None:
    """Each option stands in its command's section."""
    text = section(name)
    for parameter in ALL[name].params:
        for option in parameter.opts:
            if option.startswith("-") and option != "--help":
                assert f"`{option}" in text, f"{name} {option}"


@pytest.mark.parametrize("name", [name for name in ALL if name != "burgrave"])
def test_every_command_has_an_example_and_json(name: str) -> None:
    """An example begins with the command's name, and ``--json`` is spoken of."""
    text = section(name)
    assert re.search(rf"^\$ .*{name}\b", text, re.MULTILINE)
    assert "--json" in text


def test_no_option_is_documented_that_does_not_exist() -> None:
    """What the page names in backquotes is an option of that command."""
    for name, command in ALL.items():
        known = {option for parameter in command.params for option in parameter.opts}
        if name == "burgrave":  # its section speaks of --json once for all
            known.add("--json")
        named = set(re.findall(r"`(--[a-z-]+)", section(name)))
        assert named <= known | {"--help"}, name


def blocks(page: str) -> list[str]:
    """Return the fenced blocks of a page that hold TOML."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"```toml\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("text", blocks("files.md"))
def test_the_files_of_the_page_can_be_used(burgrave: Burgrave, tmp_path: Path, text: str) -> None:
    """Every whole file shown in docs/files.md is accepted by its command."""
    kind = re.search(r'^type = "(\w+)"', text, re.MULTILINE)
    assert kind is not None
    path = tmp_path / "shown.toml"
    path.write_text(text, encoding="utf-8")
    command = {"position": ["check"], "record": ["replay"], "puzzle": ["solve"]}.get(
        kind[1], ["tiles", "check"]
    )
    answer = burgrave(*command, str(path))
    assert (answer.code, answer.err) == (0, "")


def shown(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page with the output that it shows below them."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), shown("notation.md"))
def test_the_examples_of_the_notation_print_what_is_shown(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    """Moves, verdicts and errors of docs/notation.md are those of the program."""
    monkeypatch.chdir(DOCS / "examples")
    program, *args = shlex.split(command)
    answer = burgrave(*args)
    assert program == "burgrave"
    assert (answer.out + answer.err).rstrip() == output.rstrip()


def seen(text: str) -> list[str]:
    """Return lines without times of day, which differ from run to run."""
    return re.sub(r"\d+\.\d\d s$", "T s", text.rstrip(), flags=re.MULTILINE).splitlines()


@pytest.mark.parametrize(
    ("command", "output"), [example for example in shown("commands.md") if example[1].strip()]
)
def test_the_examples_of_the_commands_print_what_is_shown(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    """What docs/commands.md shows is what comes out; ... and a last line … stand for more."""
    monkeypatch.chdir(DOCS / "examples")
    answer = burgrave(*shlex.split(command)[1:])
    lines, printed = seen(output), seen(answer.out + answer.err)
    if lines[-1] == "…":
        lines.pop()
        printed = printed[: len(lines)]
    assert len(lines) == len(printed)
    for line, real in zip(lines, printed, strict=True):
        assert real.startswith(line.removesuffix("..."))
        assert line.endswith("...") or line == real


@pytest.mark.parametrize(
    "command", [command for command, output in shown("commands.md") if not output.strip()]
)
def test_the_other_examples_can_be_run(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    """Examples that are shown without their output are answered."""
    monkeypatch.chdir(shutil.copytree(DOCS / "examples", tmp_path / "examples"))
    assert burgrave(*shlex.split(command)[1:]).code == 0


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of Python do what the page says."""
    (text,) = re.findall(r"```python\n(.*?)```", COMMANDS, re.DOTALL)
    monkeypatch.chdir(DOCS / "examples")
    names: dict[str, Any] = {}
    exec(text, names)
    assert names["verdict"].legal
    assert names["moves"][0] == "Cap@0,1r0"
    assert names["answer"].value == 12
