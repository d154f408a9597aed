"""``burgrave schema``: the JSON Schema of all files."""

from __future__ import annotations

from cli.options import JsonOption
from cli.output import show


def schema(as_json: JsonOption = False) -> None:  # noqa: ARG001 -- it is JSON either way
    """Print the JSON Schema of all files."""
    from model.files.schema import FILES, json_schema
    from puzzles.cards.files import CardsFile
    from puzzles.puzzle_files import PuzzleFile

    show(json_schema({**FILES, "puzzle": PuzzleFile, "cards": CardsFile}), "", as_json=True)
