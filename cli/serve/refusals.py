"""What the page refuses; whoever answers without a server needs no more of it."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.cli.serve.documents import Problem


class RefusalError(Exception):
    """A request that is answered with a message and no more."""

    def __init__(self, status: int, message: str, problems: Sequence[Problem] = ()) -> None:
        """Remember status (of HTTP), message and problems."""
        super().__init__(message)
        self.status = status
        self.problems = tuple(problems)
