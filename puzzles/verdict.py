"""What comes out when a stored answer is compared with an engine's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A stored answer beside the answer that an engine gives."""

    id: str
    """Id of the card or puzzle."""
    title: str
    rules: tuple[str, ...]
    """Ids of the rules that decide it."""
    engine: str
    passed: bool
    expected: dict[str, Any]
    """What is stored, by key."""
    got: dict[str, Any]
    """What the engine says, by the same keys."""
