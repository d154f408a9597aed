"""What a process does beforehand, so that nobody waits for it: compile searches, load code."""

from __future__ import annotations

from collections.abc import Iterator

from cli.serve.limits import MOST_SECONDS
from solver.limits import SILENT, Reporter

EXAMPLES = ("castle-01", "prisoner-of-the-tower")
"""Shipped positions, one of each family of games: of The Castle and of Carcassonne."""
ATTEMPTS = (
    ("two-markets-in-hand", "C07@2,6r0"),
    ("two-curves-and-a-cloister", "V@-2,1r0 farmer.SR"),
)
"""Shipped puzzles of each family, each with a move that it says nothing of."""


def warm(*names: str, reporter: Reporter = SILENT) -> None:
    """Ask one short question of each family, so that its search is compiled and kept on disk.

    Args:
        names: shipped positions to ask about, one of each family of games to compile.
        reporter: hears what is compiled.

    """
    from puzzles.library import find, position  # noqa: PLC0415 -- loads late
    from solver.limits import Limits  # noqa: PLC0415
    from solver.questions import forced  # noqa: PLC0415

    for name in names or EXAMPLES:
        forced(position(find(name)), budget=Limits(nodes=1), reporter=reporter)


def attempts() -> Iterator[bytes]:
    """Yield attempts as the page asks about them, so that a process has loaded all it needs."""
    from cli.serve.bodies import Trial  # noqa: PLC0415 -- loads late
    from puzzles.library import find  # noqa: PLC0415

    for name, move in ATTEMPTS:
        asked = Trial(text=find(name).text, answer=move, played=[], seconds=MOST_SECONDS)
        yield asked.model_dump_json().encode()
