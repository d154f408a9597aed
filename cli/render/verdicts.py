"""Stored answers beside those of the engines, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from burgrave.puzzles.cards.verdict import Verdict

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def verdict_data(verdicts: Sequence[Verdict]) -> json_lists.Verdict:
    """Return the JSON keys of one card or puzzle.

    Args:
        verdicts: one for each engine that answered; ``expected`` and ``got`` are those of the
            first that failed, or of the first.

    """
    shown = next((verdict for verdict in verdicts if not verdict.passed), verdicts[0])
    return {
        "id": shown.id,
        "title": shown.title,
        "rules": list(shown.rules),
        "passed": shown.passed,
        "expected": dict(shown.expected),
        "got": dict(shown.got),
        "engine": shown.engine,
        "engines": [verdict.engine for verdict in verdicts],
    }


def verdict_text(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the line of a card or puzzle, then its differences."""
    undecided = any(verdict.unproved for verdict in verdicts)
    passed = all(verdict.passed for verdict in verdicts)
    engines = " ".join(verdict.engine for verdict in verdicts)
    first = verdicts[0]
    word = "no proof" if undecided else "passed" if passed else "FAILED"
    yield f"{word}  {first.id:8} {engines:22} {first.title}"
    if undecided:
        return
    for verdict in verdicts:
        for key, wanted in verdict.expected.items():
            got = verdict.got.get(key)
            if got != wanted:
                yield f"          {verdict.engine}, {key}: expected {wanted}, got {got}"
