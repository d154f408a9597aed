"""Findings on a move or a position, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.model.rule import Finding

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


def finding_data(finding: Finding) -> json_types.Finding:
    """Return the JSON keys of a finding; cells are lists ``[x, y]``."""
    return {
        "rule": finding.rule,
        "message": finding.message,
        "cells": [list(cell) for cell in finding.cells],
        "source": finding.source,
        "at": finding.at,
    }


def findings_text(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of findings: place and sentence, then rule and source."""
    for finding in findings:
        place = f"{finding.at}: " if finding.at else ""
        yield f"  {place}{finding.message}"
        yield f"      [{finding.rule}] {finding.source}"


STOPPED = "allow more with --time or --nodes"
"""Advice after a search that a limit or Ctrl-C stopped."""
