"""Attempts that a process makes beforehand, so that nobody waits until it has loaded its code."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.cli.serve.limits import MOST_SECONDS

ATTEMPTS = (
    ("two-markets-in-hand", "K14@0,1r0"),
    ("two-curves-and-a-cloister", "V@-2,1r0 farmer.SR"),
)
"""Shipped puzzles of each family, each with a move that it says nothing of."""


def attempts() -> Iterator[bytes]:
    """Yield attempts as the page asks about them, so that a process has loaded all it needs."""
    from burgrave.cli.serve.bodies import Trial  # noqa: PLC0415 -- loads late
    from burgrave.puzzles.files.library import find  # noqa: PLC0415

    for name, move in ATTEMPTS:
        asked = Trial(text=find(name).text, answer=move, played=[], seconds=MOST_SECONDS)
        yield asked.model_dump_json().encode()
