"""The entries of puzzles in lists: of a command, and of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists
    from burgrave.puzzles.files.datasets import StoredHead
    from burgrave.puzzles.files.library import Entry
    from burgrave.puzzles.study.puzzle import Puzzle


def entry_head(entry: Entry | StoredHead) -> json_lists.PuzzleHead:
    """Return the entry of a shipped puzzle, or of a stored one, which need not be read for it."""
    return _head(entry, entry.game, entry.edition, entry.question)


def puzzle_head(puzzle: Puzzle) -> json_lists.PuzzleHead:
    """Return the entry of a puzzle."""
    game = puzzle.position.game
    edition = "" if game.edition is None else game.edition.name
    return _head(puzzle, game.id, edition, puzzle.question.name)


def _head(
    one: Entry | StoredHead | Puzzle, game: str, edition: str, question: str
) -> json_lists.PuzzleHead:
    """Return an entry with the id of the game, its edition and the name of the question."""
    head: json_lists.PuzzleHead = {
        "id": one.id,
        "title": one.title,
        "game": game,
        "question": question,
        "themes": list(one.themes),
        "difficulty": one.difficulty,
    }
    if edition:
        head["edition"] = edition
    return head
