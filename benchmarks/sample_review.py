"""Find the review of the page's sample game anew: ``python -m benchmarks.sample_review``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from burgrave.cli.serve import reviewing
from burgrave.cli.serve.bodies import ReviewBody
from burgrave.solver.limits import SILENT

PLACE = Path(__file__).parents[1] / "cli" / "serve" / "sample_review.jsonl"
PLAYOUTS = 1500
"""Playouts a turn: three times those of a review on the page."""


def main() -> None:
    """Review the game, and write a line a turn; it takes some ten minutes."""
    turns: list[dict[str, Any]] = []
    asked = ReviewBody(text=reviewing.sample()["text"], playouts=PLAYOUTS)
    reviewing.reviewed(asked, SILENT, turns.append)
    PLACE.write_text("".join(f"{json.dumps(turn)}\n" for turn in turns), encoding="utf-8")


if __name__ == "__main__":
    main()
