"""The games that there are: bases, and the expansions that can be added to each.

The id of a game is its base and its expansions in the order of the alphabet, ``castle+falcon``. All
lists of games, in options, files and tables, come from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from itertools import combinations
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, TypeAlias

from burgrave.model.expansion import Expansion
from burgrave.model.rule import Switch
from burgrave.model.switches import CARCASSONNE_SWITCHES, CASTLE_SWITCHES


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A game that can be played without an expansion."""

    title: str
    players: tuple[str, ...]
    """Names of the players, as many as may play; the first two play unless more are named."""
    followers: int
    """Followers of a player without a rank, besides the scoring marker."""
    book: str
    """Module and name of its rule book. Its rules load the graph library, so only a game does."""
    switches: tuple[Switch, ...]
    board: str = ""
    """Id of the shipped board; none of a game on an endless plane."""
    edited: bool = False
    """Whether there are several editions of its rules."""
    shared: bool = False
    """Whether those with most points share the win; otherwise the game is drawn."""


CASTLE, CARCASSONNE = "castle", "carcassonne"

BASES: Mapping[str, Base] = {
    CASTLE: Base(
        title="Carcassonne: The Castle",
        players=("white", "black"),
        followers=6,
        book="burgrave.model.castle.book:CASTLE_BOOK",
        switches=CASTLE_SWITCHES,
        board="castle",
    ),
    CARCASSONNE: Base(
        title="Carcassonne",
        players=("red", "blue", "green", "yellow", "black", "grey"),
        followers=7,
        book="burgrave.model.carcassonne.book:CARCASSONNE_BOOK",
        switches=CARCASSONNE_SWITCHES,
        edited=True,
        shared=True,
    ),
}
"""The bases by id, which is also that of their shipped tiles."""


def _expansions() -> Mapping[str, Expansion]:
    """Return what each folder of expansions declares, by the folder's name."""
    folder = import_module("burgrave.model.expansions")
    names = sorted(module.name for module in iter_modules(folder.__path__))
    return {name: import_module(f"{folder.__name__}.{name}").EXPANSION for name in names}


EXPANSIONS = _expansions()
"""The expansions by id, which is also that of their shipped tiles."""


def file_of(expansion: str, file: str) -> Traversable:
    """Return a file in the folder of an expansion, ``tiles.toml``."""
    return resources.files(f"burgrave.model.expansions.{expansion}") / file


def split(game_id: str) -> tuple[str, tuple[str, ...]]:
    """Return the base and the expansions of a game, by their ids."""
    base, *expansions = game_id.split("+")
    return base, tuple(expansions)


def ids(*, base: str = "", expansion: str = "") -> tuple[str, ...]:
    """Return the ids of all games, or of those with a base and an expansion.

    Games without an expansion come before those with it.
    """
    found = []
    for begun in BASES:
        fitting = sorted(name for name, one in EXPANSIONS.items() if one.base == begun)
        for size in range(len(fitting) + 1):
            found += ["+".join((begun, *more)) for more in combinations(fitting, size)]
    return tuple(
        one
        for one in found
        if split(one)[0].startswith(base) and (not expansion or expansion in split(one)[1])
    )


GAMES = ids()
"""The ids of the games."""
if TYPE_CHECKING:
    GameId: TypeAlias = str
else:
    GameId = Literal[GAMES]


def switches(game_id: str) -> tuple[Switch, ...]:
    """Return the switches of a game, those of its base first."""
    base, expansions = split(game_id)
    there = [EXPANSIONS[name] for name in expansions]
    more = (switch for one in there for switch in one.switches)
    ranks = any(one.specials for one in there)
    ranked = (switch for one in there for switch in one.ranked if ranks)
    return (*BASES[base].switches, *more, *ranked)


def flags(base: str) -> dict[str, tuple[Switch, str]]:
    """Return the flags that the expansions of a base bring to compiled tables."""
    there = (one for one in EXPANSIONS.values() if one.base == base)
    return {name: flag for one in there for name, flag in one.flags.items()}
