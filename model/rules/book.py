"""The rule book of a game: which rules decide what, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from model.rules.rule import Finding, Rule
from model.tiles import Kind

if TYPE_CHECKING:
    from model.features import Feature
    from model.games import Game
    from model.geometry import Cell
    from model.placement import Placement
    from model.position import Deployment, Position
    from model.rules.wall_tiles import Turn
    from model.tiles import PlacedTile

Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook:
    """The rules of a game, by what they decide.

    The engine asks the book of the game and knows no game by name: what differs between
    games stands in modules of rules, and a book says which of them are in force.
    """

    all: tuple[Rule[..., object], ...]
    """Every rule, in the order of a game."""
    placement: tuple[Rule[[Position, PlacedTile], Findings], ...]
    """The rules that can forbid a place."""
    deployment: tuple[Rule[[Placement, tuple[Deployment, ...]], Findings], ...]
    """The rules that can forbid a follower."""
    wall_tiles: tuple[Rule[[Turn], Findings], ...]
    """The rules that can forbid the use of a wall tile in play."""
    setup: tuple[Rule[[Position], Findings], ...]
    """The rules about components that a position can break."""
    completion: Mapping[Kind, Rule[[Game, Feature, Mapping[Cell, PlacedTile]], bool]] = field(
        hash=False
    )
    """For each kind of segment the rule that says when a feature of it is scored in play."""
    worth: Mapping[Kind, Rule[[Feature], int]] = field(hash=False)
    """For each kind that is scored in play the rule that says what a feature is worth."""
    phases: Callable[[Game], tuple[str, ...]]
    """The phases of final scoring, by name, in order."""
