"""Exit codes, and the one place where errors become words.

0  answered
1  the answer is no: illegal, refuted, different
2  unusable input
3  only a bound: stopped before the proof, by a limit or Ctrl-C
130  interrupted with Ctrl-C, without an answer
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

import typer

from burgrave.cli.help import Group, example_of
from burgrave.model.errors import BurgraveError, NotationError, printable

if TYPE_CHECKING:
    from burgrave.model.position import Position
    from burgrave.solver.result import Answer

ANSWERED = 0
NO = 1
UNUSABLE = 2
ONLY_A_BOUND = 3
INTERRUPTED = 130
"""The exit code that shells report after Ctrl-C."""

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""The errors of output that cannot be written."""
_GONE = frozenset({errno.EINVAL} if sys.platform == "win32" else ())
"""The errors, besides BrokenPipeError, of a closed reader."""
_UsageError = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""The base of errors about the command line, which typer does not name."""
_CHOICE = re.compile(r"(?:Value error, )?'(.*)' is not one of ((?:'[^']*'(?:, )?)+)\.?", re.DOTALL)
"""Typer's message about a value that is not allowed."""
_NO_COMMAND = re.compile(r"No such command '(.*)'\.", re.DOTALL)
"""Typer's message about an unknown command."""
_EXTRA = re.compile(r"Got unexpected extra arguments? ?\(?s?\)? ?\((.*)\)\.?", re.DOTALL)
"""Typer's message about surplus arguments."""
_DISCARDS_FIRST = re.compile(r"-[^-\s]\S*(\s+\S+)+")
"""A move that begins with a tile that had no place, ``-K11 K07@3,4r0``."""


class Program(Group):
    """The program as a whole: lets moves begin with a minus, and puts errors into words."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Begin a command line; report an error in the program's own options in one line."""
        with _errors_in_words():
            return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; a move that begins with a minus is no option."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        # A space before it changes nothing in a move and hides the minus from the parser.
        shown = [f" {arg}" if _DISCARDS_FIRST.fullmatch(arg) else arg for arg in args]
        return super().parse_args(ctx, shown)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; errors in the user's input end with a message and a code."""
        with _errors_in_words():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def _errors_in_words() -> Iterator[None]:
    """End with a message and a code at an error within the block; help is printed there too."""
    try:
        yield
    except _UsageError as error:
        _refuse(error)
    except BurgraveError as error:
        fail(str(error))
    except KeyboardInterrupt:
        _end("Interrupted.", INTERRUPTED)
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.errno in _GONE:
            _forget(sys.stdout)
            raise typer.Exit(ANSWERED) from None
        if error.errno not in _FULL:
            raise
        _forget(sys.stdout)
        fail(f"the answer cannot be written: {error.strerror}")


def _refuse(error: Any) -> NoReturn:
    """End with one line about a command line that cannot be run.

    A group without a command is no mistake: its help is shown.
    """
    if type(error).__name__ == "NoArgsIsHelpError":
        raise error
    fail(_in_words(error))


def _in_words(error: Any) -> str:
    """Return the fault of a command line, and a correction."""
    from burgrave.model.naming import quoted, suggestion  # noqa: PLC0415 -- typing errors only

    command = getattr(error.ctx, "command", None)
    path = getattr(error.ctx, "command_path", "burgrave")
    option = getattr(error, "option_name", None)
    if type(error).__name__ == "BadOptionUsage":
        surplus = "does not take" in error.message
        return f"{option}: {'it takes no value' if surplus else 'its value is missing'}"
    if option is not None and command is not None:
        known = [name for param in command.params for name in (*param.opts, *param.secondary_opts)]
        options = [*(name for name in known if name.startswith("-")), "--help"]
        helps = suggestion(option, options, f"{path} --help lists them.")
        return f"no option {printable(option)}.{helps}"
    commands = getattr(command, "commands", {})
    unknown = _NO_COMMAND.match(error.message)
    if unknown is not None and commands:
        if error.ctx.parent is None and _names_position(unknown[1]):
            return f"{printable(unknown[1])} is no command. Try: burgrave draw {unknown[1]}"
        helps = suggestion(unknown[1], commands, f"{path} --help lists them.")
        return f"no command {quoted(unknown[1])}.{helps}"
    extra = _EXTRA.fullmatch(error.message)
    if extra is not None:
        return f"{extra[1]}: not expected. Example: {example_of(command)}"
    param = getattr(error, "param", None)
    if param is None:
        return str(error.format_message()).removesuffix(".")
    shown = next((name for name in param.opts if name.startswith("--")), param.metavar)
    if type(error).__name__ == "MissingParameter":
        return f"{shown} is missing. Example: {example_of(command)}"
    return f"{shown}: {_wrong_value(error)}"


def _wrong_value(error: Any) -> str:
    """Return the fault of a value on the command line."""
    from burgrave.model.files.faults import fault  # noqa: PLC0415 -- typing errors only
    from burgrave.model.naming import quoted, suggestion  # noqa: PLC0415 -- typing errors only

    choice = _CHOICE.fullmatch(error.message)
    if choice is None and hasattr(error.__cause__, "errors"):
        return fault(error.__cause__.errors()[0])
    if choice is None:
        return f"{error.message[:1].lower()}{error.message[1:].removesuffix('.')}"
    given, listed = choice.groups()
    known = re.findall(r"'([^']*)'", listed)
    helps = suggestion(given, known)
    if not helps.startswith(" There"):
        helps += f" There are {', '.join(known)}."
    return f"no {quoted(given)}.{helps}"


def _names_position(word: str) -> bool:
    """Tell whether a word is a file or the id of something shipped."""
    from burgrave.puzzles.files.library import entries  # noqa: PLC0415 -- typing errors only

    return Path(word).is_file() or any(entry.id == word.lower() for entry in entries())


def fail(message: str) -> NoReturn:
    """Show a message about unusable input and end."""
    _end(f"Error: {message}", UNUSABLE)


def _end(message: str, code: int) -> NoReturn:
    """Show a last message, if somebody can read it, and end."""
    try:
        typer.echo(message, err=True)
    except OSError:
        _forget(sys.stderr)
    raise typer.Exit(code) from None


def retold(error: NotationError, place: str) -> BurgraveError:
    """Return an error about a text with the place at which the text stands."""
    return BurgraveError(f"{place}: {error}")


def _forget(output: TextIO) -> None:
    """Let nothing more be written: it cannot be, or who read it has gone away."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def tell(position: Position, answer: Answer, *, as_json: bool) -> NoReturn:
    """Print the answer to a question about the rest of a game, and end by how far it is proved."""
    from burgrave.cli.output import show  # noqa: PLC0415 -- help needs no answers
    from burgrave.cli.render.game_answers import game_answer_data, game_answer_text  # noqa: PLC0415
    from burgrave.solver.result import Status  # noqa: PLC0415

    text = "\n".join(game_answer_text(position, answer))
    show(game_answer_data(position, answer), text, as_json=as_json, game=position.game)
    raise typer.Exit(ANSWERED if answer.status is Status.OPTIMAL else ONLY_A_BOUND)
