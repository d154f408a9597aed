"""The errors in a user's input.

BurgraveError               base of all; its text is fit to be shown
├── FileError               a file cannot be used; lists every problem with its place
├── NotationError           a text is not a move, with the place in the text
├── IllegalMoveError        the move breaks rules; lists every finding
├── IllegalPositionError    the position cannot arise; lists every finding
├── QuestionError           the question cannot be asked of this position
└── CallError               an argument of a call from Python is wrong

Anything else that leaves the library is a bug of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from burgrave.model.rule import Finding


_LONGEST_NAME = 300
"""Characters of a file's name that a message shows in full."""


def printable(text: str) -> str:
    r"""Return a text with what could disturb a terminal escaped; line ends stay.

    >>> printable("two\nlines, \x1b[31m \x00 \udcff")
    'two\nlines, \\x1b[31m \\x00 \\udcff'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text
    )


class BurgraveError(Exception):
    """Base of the errors that a user's input can cause."""

    def __init__(self, text: str) -> None:
        """Escape what of a user's input could disturb a terminal."""
        super().__init__(printable(text))


class FileError(BurgraveError):
    """A file cannot be used.

    Attributes:
        name: the file as the user named it.
        problems: one line each, with the place in the file, the fault and a correct form.

    """

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        """Remember the file and its problems."""
        self.name = name
        self.problems = tuple(printable(problem) for problem in problems)
        shown = name if len(name) <= _LONGEST_NAME else f"{name[:60]} … {name[-60:]}"
        lines = [f"{shown}: {problem}" for problem in self.problems]
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[FileError], tuple[str, tuple[str, ...]]]:
        """Pickle by the arguments, so that a process of a pool can hand the error back."""
        return type(self), (self.name, self.problems)


class NotationError(BurgraveError):
    """A text cannot be read as a move.

    Attributes:
        text: the whole text.
        at: index of the character at which reading failed.

    """

    def __init__(self, text: str, at: int, problem: str) -> None:
        """Point at the character."""
        self.text = text
        self.at = at
        self.problem = printable(problem)
        shown, before = (
            printable(part).replace("\n", r"\n") for part in (text, text[:at].ljust(at))
        )
        caret = " " * len(before)
        super().__init__(f"{self.problem}\n  {shown}\n  {caret}^ character {at + 1}")

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, int, str]]:
        """Pickle by the arguments."""
        return type(self), (self.text, self.at, self.problem)


class FindingsError(BurgraveError):
    """Base of the errors that carry findings."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """Remember the findings."""
        self.findings = tuple(findings)
        super().__init__(
            "\n".join(
                f"{finding.at + ': ' if finding.at else ''}{finding.message} [{finding.rule}]"
                for finding in self.findings
            )
        )

    def __reduce__(self) -> tuple[type[FindingsError], tuple[tuple[Finding, ...]]]:
        """Pickle by the arguments."""
        return type(self), (self.findings,)


class IllegalMoveError(FindingsError):
    """A move breaks rules."""


class IllegalPositionError(FindingsError):
    """A position breaks rules."""


class QuestionError(BurgraveError):
    """A question that this position cannot answer, with the reason."""


class CallError(BurgraveError):
    """An argument of a call from Python that has another type or is out of range."""
