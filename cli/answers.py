"""The JSON Schema of what every command prints with ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter  # noqa: TID253 -- schemas only

from burgrave.cli.render import json_estimates, json_lists, json_rows, json_types

ANSWERS: Mapping[str, Any] = {
    "new": json_types.File,
    "draw": json_lists.Drawn | json_lists.Written | json_lists.OneLine | json_lists.Linked,
    "check": json_types.Check,
    "moves": json_types.Moves,
    "fits": json_types.Fits,
    "play": json_types.Line,
    "score": json_types.CastleScore | json_types.PlaneScore,
    "best": json_types.Best | json_types.Outlook,
    "force": json_types.Outlook,
    "win": json_types.Outlook,
    "expect": json_types.Outlook,
    "evaluate": json_estimates.Evaluation,
    "max": json_types.Outlook,
    # Of each line.
    "batch": json_rows.BestRow
    | json_rows.OutlookRow
    | json_rows.EvaluationRow
    | json_rows.RefusedRow,
    "count": json_types.Count,
    "why": json_types.Why,
    "puzzles": list[
        json_lists.ShippedPuzzle
        | json_lists.PuzzleHead
        | json_lists.LikePuzzle
        | json_lists.ShippedSet
    ]
    | json_lists.AddedPuzzles
    | json_lists.WrittenPuzzles,
    "solve": list[json_lists.Verdict | json_lists.Unanswered],
    "quiz": list[json_lists.QuizQuestion],
    "generate": list[json_lists.MadePuzzle],
    "compose": json_lists.Composition,
    "booklet": json_lists.Booklet,
    "rules": list[json_lists.Rule] | json_lists.Written,
    "switches": list[json_lists.Switch],
    "verify": list[json_lists.Verdict],
    "replay": json_types.Replay | json_types.File,
    "review": json_estimates.Review | json_estimates.ManyReviews,
    "practise": json_estimates.Practice,
    "import": json_types.File,
    "export": json_lists.Exported,
    "positions": list[json_lists.Shipped],
    "schema": json_types.File,
    "warm": json_lists.Warmed,
    "serve": json_lists.Page,
    "publish": json_lists.PublishedSite,
    "tiles check": json_lists.ValidTileSet,
    "tiles show": json_lists.TileSheet | json_lists.TileSheetFile,
    "tiles list": list[json_lists.TileSet],
}
"""The type of each command's answer."""


def answer_schema(names: Sequence[str]) -> dict[str, Any]:
    """Return one JSON Schema (draft 2020-12) for the answers of some commands.

    Args:
        names: commands of ``ANSWERS``; of several, any may have given the answer.

    """
    definitions: dict[str, Any] = {}
    variants = []
    for name in names:
        schema = TypeAdapter(ANSWERS[name]).json_schema(mode="serialization")
        definitions |= schema.pop("$defs", {})
        variants.append({**schema, "title": f"burgrave {name} --json"})
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    if len(variants) == 1:
        return {**head, **variants[0], "$defs": definitions}
    return {**head, "title": "Answers of Burgrave", "anyOf": variants, "$defs": definitions}
