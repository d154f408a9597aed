"""Compare a stored answer with an engine's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from burgrave.solver.result import Status

_PROVED = str(Status.OPTIMAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A stored answer beside the answer that an engine gives."""

    id: str
    """Id of the card or puzzle."""
    title: str
    rules: tuple[str, ...]
    """Ids of the rules that decide it."""
    engine: str
    expected: dict[str, Any]
    """The stored facts, by key."""
    got: dict[str, Any]
    """The engine's facts, by the same keys."""

    @property
    def passed(self) -> bool:
        """Whether the engine agrees with the stored answer."""
        return self.expected == self.got

    @property
    def unproved(self) -> bool:
        """Whether the engine stopped before its proof, and all unproved facts are the same."""
        needs = {"value", "status", "moves"}
        same = all(self.got[key] == self.expected[key] for key in self.expected.keys() - needs)
        return same and self.got.get("status", _PROVED) != _PROVED
