"""The sets that come with the program: puzzles in an order that teaches one thing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from burgrave.model.files.toml import parse

_FOLDER = resources.files("burgrave.puzzles") / "sets"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedSet:
    """Some shipped puzzles with a story."""

    id: str
    """The name of its file, without ending."""
    title: str
    story: str
    """What the set teaches, in a few sentences."""
    themes: tuple[str, ...]
    """Each of its puzzles shows one of these themes; empty if any puzzle fits."""
    puzzles: tuple[str, ...]
    """Ids of shipped puzzles, from the easiest to the hardest."""


@cache
def shipped_sets() -> tuple[ShippedSet, ...]:
    """Return the shipped sets, by id."""
    found = []
    for file in _FOLDER.iterdir():
        if file.name.endswith(".toml"):
            data = parse(file.name, file.read_text(encoding="utf-8"))
            found.append(
                ShippedSet(
                    id=file.name.removesuffix(".toml"),
                    title=str(data["title"]),
                    story=str(data["story"]),
                    themes=tuple(data.get("themes", ())),
                    puzzles=tuple(data["puzzles"]),
                )
            )
    return tuple(sorted(found, key=lambda one: one.id))
