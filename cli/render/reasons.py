"""Reasons against a wish, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.model.position import Position
from burgrave.solver.questions import Reasons

if TYPE_CHECKING:
    from burgrave.cli.render import json_types

ORDER, WALL_TILES = "order", "wall tiles"
_UNKNOWN = {
    ORDER: "the order of the tiles in the bag",
    WALL_TILES: "the numbers of the wall tiles that lie face down",
}
"""The unknown tiles and wall tiles, in words."""


def unknown(position: Position, *, with_towers: bool) -> list[str]:
    """Return the unknowns of the rest of a game, in the best case that the answer assumes.

    Args:
        position: the position.
        with_towers: whether wall tiles on towers matter to the question.

    """
    found = [ORDER] if len(set(position.bag)) > 1 else []
    hidden = any(not number for _, number in position.towers)
    return [*found, WALL_TILES] if hidden and with_towers else found


def reasons_data(
    reasons: Reasons | None, facts: Sequence[str], chosen: Sequence[str]
) -> json_types.Why:
    """Return the JSON keys of reasons and given facts; none where nothing forbids it."""
    if reasons is None:
        return {"possible": True, "chosen": list(chosen), "rules": [], "facts": [], "confirmed": []}
    return {
        "possible": False,
        "chosen": list(chosen),
        "rules": [
            {"id": rule.id, "text": rule.sentence, "source": rule.source} for rule in reasons.rules
        ],
        "facts": list(facts),
        "confirmed": list(reasons.confirmed),
    }


def unsettled_data(chosen: Sequence[str]) -> json_types.Why:
    """Return the JSON keys where nothing was found out."""
    return {"possible": None, "chosen": list(chosen), "rules": [], "facts": [], "confirmed": []}


def reasons_text(
    reasons: Reasons | None, facts: Sequence[str], chosen: Sequence[str]
) -> Iterator[str]:
    """Yield the lines of an explanation: rules first, then facts."""
    what = " and ".join(_UNKNOWN[one] for one in chosen)
    if reasons is None:
        yield (
            f"Nothing forbids it, if {what} are as is best for it."
            if what
            else ("Nothing forbids it.")
        )
        return
    if reasons.rules:
        whatever = f", whatever {what}" if what else ""
        yield f"These rules together forbid it{whatever}; without any of them it could be."
        for rule in reasons.rules:
            yield f"  {rule.id} - {rule.sentence}"
    else:
        yield "It is impossible whatever the rules: what is given leaves no way."
    for fact in facts:
        yield f"  {fact}"
    for sentence in reasons.confirmed:
        yield f"  {sentence}"
