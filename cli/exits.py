"""Exit codes, and the one place where errors become words.

0  answered
1  the answer is no: illegal, refuted, different
2  unusable input
3  only a bound: stopped before the proof, by a limit or Ctrl-C
"""

from __future__ import annotations

import errno
import os
import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from model.errors import BurgraveError, NotationError, printable

if TYPE_CHECKING:
    from model.position import Position
    from solver.result import Answer

ANSWERED = 0
NO = 1
UNUSABLE = 2
ONLY_A_BOUND = 3
INTERRUPTED = 130
"""What shells report for a program that Ctrl-C ended."""

_FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Why output cannot be written that somebody wants."""
_UsageError = cast("type[Exception]", typer.BadParameter.__bases__[0])
"""The base of errors about the command line, which typer does not name."""
_CHOICE = re.compile(r"(?:Value error, )?'(.*)' is not one of ((?:'[^']*'(?:, )?)+)\.?", re.DOTALL)
"""How typer says that a value is not allowed."""
_DISCARDS_FIRST = re.compile(r"-[^-\s]\S*(\s+\S+)+")
"""A move that begins with a tile that had no place, ``-C11 C07@3,4r1``."""


class Program(TyperGroup):
    """The program as a whole: lets moves begin with a minus, and puts errors into words."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; a move that begins with a minus is no option."""
        # A space before it changes nothing in a move and hides the minus from the parser.
        shown = [f" {arg}" if _DISCARDS_FIRST.fullmatch(arg) else arg for arg in args]
        return super().parse_args(ctx, shown)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what a user's input can cause ends with a message and a code."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except _UsageError as error:
            _help(error)
            raise
        except BurgraveError as error:
            fail(str(error))
        except KeyboardInterrupt:
            typer.echo("Interrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _forget_output()
            raise typer.Exit(ANSWERED) from None
        except OSError as error:
            if error.errno not in _FULL:
                raise
            _forget_output()
            fail(f"the answer cannot be written: {error.strerror}")
        return result


def _help(error: Any) -> None:
    """Add to an error about the command line what may have been meant."""
    from model.naming import alike, suggestion  # noqa: PLC0415 -- typing errors only

    option = getattr(error, "option_name", None)
    if option is not None and error.ctx is not None:
        known = [name for param in error.ctx.command.params for name in param.opts]
        options = [name for name in known if name.startswith("-")]
        helps = suggestion(option, options, f"{error.ctx.command_path} --help lists them.")
        error.message = f"No option {printable(option)}.{helps}"
        error.possibilities = None
        return
    choice = _CHOICE.fullmatch(error.message)
    if choice is not None:
        given, listed = choice.groups()
        known = re.findall(r"'([^']*)'", listed)
        error.message = f"'{printable(given)}' is not one of {', '.join(known)}."
        if any(alike(given, known)):
            error.message += suggestion(given, known)


def fail(message: str) -> NoReturn:
    """Show a message about unusable input and end."""
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(UNUSABLE)


def retold(error: NotationError, place: str) -> BurgraveError:
    """Return an error about a text with the place at which the text stands."""
    return BurgraveError(f"{place}: {error}")


def _forget_output() -> None:
    """Let nothing more be written: who read our output has gone away."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(position: Position, answer: Answer, *, as_json: bool) -> NoReturn:
    """Print the answer to a question about the rest of a game, and end by how far it is proved."""
    from cli.output import show  # noqa: PLC0415 -- help needs no answers
    from cli.render.game_answers import game_answer_data, game_answer_text  # noqa: PLC0415
    from solver.result import Status  # noqa: PLC0415

    text = "\n".join(game_answer_text(position, answer))
    show(game_answer_data(position, answer), text, as_json=as_json)
    raise typer.Exit(ANSWERED if answer.status is Status.OPTIMAL else ONLY_A_BOUND)
