"""Why something cannot be, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.questions import Reasons


def reasons_data(reasons: Reasons | None) -> dict[str, Any]:
    """Return the JSON keys of reasons; none where nothing forbids it."""
    if reasons is None:
        return {"possible": True, "rules": [], "facts": [], "confirmed": []}
    return {
        "possible": False,
        "rules": [
            {"id": rule.id, "text": rule.sentence, "source": rule.source} for rule in reasons.rules
        ],
        "facts": list(reasons.facts),
        "confirmed": list(reasons.confirmed),
    }


def unsettled_data() -> dict[str, Any]:
    """Return the JSON keys where nothing was found out."""
    return {"possible": None, "rules": [], "facts": [], "confirmed": []}


def reasons_text(reasons: Reasons | None) -> Iterator[str]:
    """Yield the lines of an explanation: rules first, then what is given."""
    if reasons is None:
        yield "Nothing forbids it."
        return
    if reasons.rules:
        yield "These rules together forbid it; without any of them it could be."
        for rule in reasons.rules:
            yield f"  {rule.id} - {rule.sentence}"
    else:
        yield "It is impossible whatever the rules: what is given leaves no way."
    for fact in reasons.facts:
        yield f"  {fact}"
    for sentence in reasons.confirmed:
        yield f"  {sentence}"
