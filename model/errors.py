"""Everything that may go wrong with what a user hands in.

BurgraveError               base of all; its text is fit to be shown
├── FileError               a file cannot be used; lists every problem with its place
├── NotationError           a text is not a move, with the place in the text
├── IllegalMoveError        the move breaks rules; lists every finding
├── IllegalPositionError    the position cannot arise; lists every finding
└── QuestionError           the question cannot be asked of this position

Anything else that leaves the library is a bug of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.rules.rule import Finding


_UNSHOWN = "\N{REPLACEMENT CHARACTER}"


def _shown(text: str) -> str:
    """Return a text of the same length without characters that would disturb a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else _UNSHOWN for c in text)


class BurgraveError(Exception):
    """Base of the errors that a user's input can cause."""


class FileError(BurgraveError):
    """A file cannot be used.

    Attributes:
        name: the file as the user named it.
        problems: one line each: the place in the file, what is wrong, what would be right.

    """

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        """Remember the file and its problems."""
        self.name = name
        self.problems = tuple(_shown(problem) for problem in problems)
        lines = [f"{_shown(name)}: {problem}" for problem in self.problems]
        super().__init__("\n".join(lines))


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
        self.problem = _shown(problem)
        shown = _shown(text).replace("\n", _UNSHOWN)
        super().__init__(f"{self.problem}\n  {shown}\n  {' ' * at}^ character {at + 1}")


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


class IllegalMoveError(FindingsError):
    """A move breaks rules."""


class IllegalPositionError(FindingsError):
    """A position breaks rules."""


class QuestionError(BurgraveError):
    """A question that this position cannot answer, with the reason."""
