"""Help of the program and its commands: groups, examples, and the width of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

from burgrave.cli.render.width import columns

CONTEXT: Mapping[str, Any] = {"help_option_names": ["-h", "--help"]}
"""Settings of every command."""


def example(line: str) -> str:
    """Return the end of a command's help: one command line that can be run unchanged."""
    return f"\b\nExample:\n  {line}"


def example_of(command: Any) -> str:
    """Return the example of a command; empty if it has none."""
    epilog = command.epilog or ""
    return epilog.splitlines()[-1].strip() if epilog.startswith("\b") else ""


class Group(TyperGroup):
    """Commands listed by purpose, each with its whole first sentence."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Begin a command line; help is as wide as the terminal."""
        wide = columns() - 2
        return super().make_context(info_name, args, parent, **{"terminal_width": wide, **extra})

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands under the headings of their groups."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            panel = command.rich_help_panel
            heading = panel if isinstance(panel, str) else "Commands"
            panels.setdefault(heading, []).append((name, _first_sentence(command.help or "")))
        # All groups share the width of the first column.
        wide = max(len(name) for rows in panels.values() for name, _ in rows)
        for heading, rows in panels.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{wide}}", told) for name, told in rows])


def _first_sentence(text: str) -> str:
    """Return the first paragraph of a help text without its full stop."""
    return " ".join(text.partition("\n\n")[0].split()).removesuffix(".")
