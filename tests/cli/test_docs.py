"""The page of commands has every command and option; tests/test_documents.py runs its examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from burgrave.cli.app import app
from docs.generated import COMMANDS_PAGE, expand
from tests.documents import DOCS, blocks

COMMANDS = expand(COMMANDS_PAGE.read_text(encoding="utf-8"))


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
    assert rest, f"docs/reference/commands.md has no section {heading}"
    return rest.partition("\n## ")[0]


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_documented_with_its_options(name: str) -> None:
    """Each option stands in its command's section."""
    text = section(name)
    for parameter in ALL[name].params:
        for option in parameter.opts:
            if option.startswith("-") and option != "--help":
                assert re.search(rf"[ `]{option}[ ,`]", text), f"{name} {option}"


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
        named = set(re.findall(r"`(--[a-z-]+)[ `]", section(name)))
        assert named <= known | {"--help"}, name


def test_the_script_of_the_page_on_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of the script do what the page says."""
    page = (DOCS / "how-to" / "python.md").read_text(encoding="utf-8")
    (text,) = [one for one in blocks(page, "python") if "verdict = " in one]
    monkeypatch.chdir(DOCS / "examples")
    names: dict[str, Any] = {}
    exec(text, names)
    assert names["verdict"].legal
    assert names["moves"][0] == "Cap@0,1r0"
    assert names["answer"].value == 12
