"""Completion of ids in a shell: each list is made of file names and texts, not of parsed files.

A shell asks at every key, so nothing heavy is imported: no solver, no graph, no file models.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Complete = Callable[[str], list[str]]
"""The function that typer calls with the beginning of a word."""
_ENDINGS = frozenset({".toml", ".json", ".jsonl", ".jcz"})


def _of(names: Callable[[str], Iterator[str]]) -> Complete:
    """Return a completion from a list of names."""

    def complete(incomplete: str) -> list[str]:
        """Return the names that begin as the word does."""
        start = incomplete.lower()
        return sorted({name for name in names(incomplete) if name.lower().startswith(start)})

    return complete


def _library() -> Iterator[tuple[str, str]]:
    """Yield the id of everything shipped, and the beginning of its file."""
    for file in _shipped("burgrave.puzzles", "library"):
        yield file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")


def _files(incomplete: str) -> Iterator[str]:
    """Yield the files and folders that continue a path."""
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    try:
        hidden = Path(incomplete).name.startswith(".")
        for path in folder.iterdir():
            if path.name.startswith(".") and not hidden:
                continue
            shown = str(path) if folder != Path() else path.name
            if path.is_dir():
                yield f"{shown}/"
            elif path.suffix.lower() in _ENDINGS:
                yield shown
    except OSError:
        return


def _cards() -> Iterator[str]:
    """Yield the ids of the rule cards."""
    from burgrave.model.registry import EXPANSIONS, file_of  # noqa: PLC0415 -- not for --help

    brought = (file_of(name, "cards.toml") for name in EXPANSIONS)
    for file in (*_shipped("burgrave.puzzles", "cards"), *brought):
        text = file.read_text(encoding="utf-8")
        yield from re.findall(r'^\s*id = "([A-Z]{2}-[0-9]{2}[a-z]?)"', text, re.MULTILINE)


def _positions(incomplete: str) -> Iterator[str]:
    """Yield completions of a position: files, shipped ids, and cards once begun."""
    yield from _files(incomplete)
    yield from (file.name.removesuffix(".toml") for file in _shipped("burgrave.puzzles", "library"))
    if re.match(r"[A-Za-z]{2}(-|$)", incomplete):
        yield from _cards()


def _shipped(package: str, folder: str) -> Iterator[Any]:
    """Yield the TOML files of a folder of a package."""
    from importlib import resources  # noqa: PLC0415 -- not for --help

    for file in (resources.files(package) / folder).iterdir():
        if file.name.endswith(".toml"):
            yield file


def _puzzles(incomplete: str) -> Iterator[str]:
    """Yield completions of a puzzle: files and shipped ids."""
    yield from _files(incomplete)
    for name, text in _library():
        if re.search(r'^type = "puzzle"', text, re.MULTILINE):
            yield name


def _publishable(incomplete: str) -> Iterator[str]:
    """Yield completions of a puzzle, and the sets of puzzles."""
    yield from _puzzles(incomplete)
    yield from (file.name.removesuffix(".toml") for file in _shipped("burgrave.puzzles", "sets"))


def _themes(incomplete: str) -> Iterator[str]:
    """Yield the themes of the shipped puzzles, behind the themes that stand before a comma."""
    before = incomplete.rpartition(",")[0]
    lead = f"{before}," if before else ""
    for _, text in _library():
        for listed in re.findall(r"^themes = \[(.*?)\]", text, re.MULTILINE | re.DOTALL):
            yield from (lead + theme for theme in re.findall(r'"([^"]+)"', listed))


def _filters(incomplete: str) -> Iterator[str]:
    """Yield completions of a filter, or of a dataset: folders, ids, games, questions, themes."""
    yield from (name for name in _files(incomplete) if name.endswith("/"))
    for name, text in _library():
        if re.search(r'^type = "puzzle"', text, re.MULTILINE):
            yield name
            yield from re.findall(r'^(?:game|question) = "([^"]+)"', text, re.MULTILINE)
    yield from _themes("")


def _rules(incomplete: str) -> Iterator[str]:
    """Yield the ids of the rules and their families, and of the cards once begun."""
    from burgrave import model  # noqa: PLC0415 -- not for --help

    # The rules themselves load the graph library, which takes ten times as long as their texts.
    for file in Path(model.__path__[0]).rglob("*.py"):
        for rule_id in re.findall(r'@rule\(\s*"([\w.-]+)"', file.read_text(encoding="utf-8")):
            parts = rule_id.split(".")
            yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
    if re.match(r"[A-Za-z]{2}-", incomplete):
        yield from _cards()


def _switches(_: str) -> Iterator[str]:
    """Yield the names of the switches."""
    from burgrave.model.registry import GAMES, switches  # noqa: PLC0415 -- not for --help

    yield from {switch.name for game in GAMES for switch in switches(game)}


def _tile_sets(incomplete: str) -> Iterator[str]:
    """Yield the shipped sets of tiles, and files."""
    from burgrave.model.registry import BASES, EXPANSIONS  # noqa: PLC0415 -- not for --help

    yield from (*BASES, *EXPANSIONS)
    yield from _files(incomplete)


def _answers(_: str) -> Iterator[str]:
    """Yield the commands that have an answer."""
    from burgrave.cli.answers import ANSWERS  # noqa: PLC0415 -- not for --help

    yield from (*ANSWERS, "answers")


complete_positions = _of(_positions)
complete_puzzles = _of(_puzzles)
complete_publishable = _of(_publishable)
complete_filters = _of(_filters)
complete_themes = _of(_themes)
complete_rules = _of(_rules)
complete_switches = _of(_switches)
complete_tile_sets = _of(_tile_sets)
complete_answers = _of(_answers)
