"""What an expansion declares in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from burgrave.model.components import Rank
from burgrave.model.rule import Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What is added to a base."""

    title: str
    base: str
    """Id of the base."""
    switches: tuple[Switch, ...]
    words: tuple[str, ...]
    """Names that its tiles, boards and switches do not have: pieces, roles, keys of files."""
    board: str = ""
    """Id of the shipped board that replaces that of the base."""
    specials: tuple[Rank, ...] = ()
    """Followers with a rank that each player has besides, sorted."""
    compiled: bool = False
    """Whether the kernel plays it; it refuses games with others."""
    flags: Mapping[str, tuple[Switch, str]] = field(default_factory=dict, hash=False)
    """By name a flag of compiled tables: the switch, and the value that sets the flag."""
    ranked: tuple[Switch, ...] = ()
    """Switches that mean something only in a game whose followers have ranks."""
