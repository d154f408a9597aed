"""Types of the lines that ``batch`` prints; see ``json_types``."""

from __future__ import annotations

from typing import Any, NotRequired

from burgrave.cli.render.json_estimates import Evaluation
from burgrave.cli.render.json_types import Base, Best, Outlook


class Row(Base):
    """What every line says."""

    number: int
    """The line of the input, from 1 on."""
    key: str
    """A digest of the line and its question, by which a later run goes on."""
    id: NotRequired[Any]
    """The id that the line gave."""


class RefusedRow(Row):
    """The answer to a line that was refused."""

    error: str


class BestRow(Row, Best):
    """An answer of ``batch best``."""


class OutlookRow(Row, Outlook):
    """An answer of ``batch force``, ``win`` and ``expect``."""


class EvaluationRow(Row, Evaluation):
    """An answer of ``batch evaluate``."""
