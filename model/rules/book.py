"""The rule book of a game: which rules decide what, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from model.rules.rule import Finding, Rule
from model.tiles import Kind

if TYPE_CHECKING:
    from model.carcassonne.stage import Stage
    from model.features import Feature, Laid
    from model.games import Game
    from model.placement import Placement
    from model.position import Deployment, FinalUse, Move, Node, Position, Role
    from model.results import Final, Played
    from model.rules.wall_tiles import Turn
    from model.tiles import PlacedTile

Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """How a game goes on where its turn is its own: what follows the tile, and the end.

    The engine draws and places tiles in the same way in every game and calls these
    functions for the rest.
    """

    turns: Callable[[Placement, tuple[str, ...]], Iterator[Move]]
    """The legal moves that lay a tile where it lies, after the tiles without a place."""
    passes: Callable[[Position, tuple[str, ...]], Iterator[Move]]
    """The legal moves of a turn for which no tile is left that has a place."""
    draw: Callable[[Position, Move], Findings]
    """What is wrong with the tiles drawn in a move."""
    rest: Callable[[Position, Move, Placement | None], Findings]
    """What is wrong with everything but tiles and their place; no placement, no tile laid."""
    notes: Callable[[Placement, Move], Findings]
    """The rules by which something about a move is allowed that people ask about."""
    canonical: Callable[[Placement, Move], Move]
    """The move as it is listed, of a legal move whose rotation is canonical already."""
    resolve: Callable[[Placement, Move], Played]
    """What a legal move leads to that lays a tile."""
    pass_turn: Callable[[Position, Move], Played]
    """What a legal move leads to that lays none."""
    final: Callable[[Position, Sequence[FinalUse] | None], Final]
    """The end of a game, with the wall tiles 4 to 9 used or the best use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook:
    """The rules of a game, by what they decide.

    The engine asks the book of the game and knows no game by name: what differs between
    games stands in modules of rules, and a book says which of them are in force.
    """

    all: tuple[Rule[..., object], ...]
    """Every rule, in the order of a game."""
    roles: Mapping[Kind, Role] = field(hash=False)
    """The kinds of segments of the game, each with what a follower on it is."""
    connect: Rule[[PlacedTile, Laid], Iterator[tuple[Node, Node]]]
    """The rule by which segments of neighbouring tiles are one feature."""
    joins: tuple[Rule[[Game, PlacedTile], Iterator[tuple[Node, Node]]], ...] = ()
    """The rules by which segments of one tile are one feature."""
    placement: tuple[Rule[[Position, PlacedTile], Findings], ...]
    """The rules that can forbid a place."""
    deployment: tuple[Rule[[Placement, tuple[Deployment, ...]], Findings], ...]
    """The rules that can forbid a follower."""
    setup: tuple[Rule[[Position], Findings], ...]
    """The rules about components that a position can break."""
    standing: Callable[[Position], Findings]
    """What is impossible about the tiles and followers on the board."""
    completion: Mapping[Kind, Rule[[Game, Feature, Laid], bool]] = field(hash=False)
    """For each kind of segment the rule that says when a feature of it is scored in play."""
    conduct: Conduct
    actions: tuple[Rule[[Stage, Move], Findings], ...] = ()
    """The rules that can forbid tower pieces, guards, captures and ransoms."""
    wall_tiles: tuple[Rule[[Turn], Findings], ...] = ()
    """The rules that can forbid the use of a wall tile in play."""
    worth: Mapping[Kind, Rule[[Feature], int]] = field(hash=False, default_factory=dict)
    """For each kind that The Castle scores in play what a feature is worth."""
    phases: Callable[[Game], tuple[str, ...]] = field(default=lambda _: ())
    """The phases of final scoring of The Castle, by name, in order."""
