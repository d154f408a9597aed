"""Time for a question. Nothing else in the solver reads the clock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a question may take."""

    seconds: float | None = None
    """Wall-clock seconds; None for no limit. With 0 or less nothing is tried."""

    def start(self) -> Stopwatch:
        """Start the clock."""
        return Stopwatch(limit=self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopwatch:
    """A budget that is being spent."""

    limit: float | None
    """Seconds allowed; None for no limit."""
    started: float = field(default_factory=time.monotonic)
    """Seconds on the monotonic clock."""

    def spent(self) -> float:
        """Return the seconds since the start."""
        return time.monotonic() - self.started

    def left(self) -> float | None:
        """Return the seconds left, 0 or more; None for no limit."""
        return None if self.limit is None else max(0.0, self.limit - self.spent())

    @property
    def out(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0
