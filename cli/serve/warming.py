"""Compile the searches in a process of their own while the user reads the page."""

from __future__ import annotations

import os
from contextlib import suppress

EXAMPLES = ("castle-01", "prisoner-of-the-tower")
"""Shipped positions, one of each family of games: of The Castle and of Carcassonne."""
_POLITENESS = 15
"""Its niceness against the page and its solves (``os.nice``)."""


def warm(*names: str) -> None:
    """Ask one short question of each family, so that its search is compiled and kept on disk.

    Args:
        names: shipped positions to ask about, one of each family of games to compile.

    """
    from puzzles.library import find, position  # noqa: PLC0415 -- loads late
    from solver.limits import Limits  # noqa: PLC0415
    from solver.questions import forced  # noqa: PLC0415

    for name in names or EXAMPLES:
        forced(position(find(name)), budget=Limits(nodes=1))


def main() -> None:
    """Lower the priority and compile."""
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(_POLITENESS)
    warm()


if __name__ == "__main__":
    main()
