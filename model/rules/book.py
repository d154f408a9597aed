"""The rule book of a game: which rules decide what, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from model.rules.rule import Event, Finding, Rule
from model.tiles import Kind

if TYPE_CHECKING:
    from model.features import Feature
    from model.games import Game
    from model.geometry import Cell
    from model.placement import Placement
    from model.position import Deployment, Follower, Marker, Position
    from model.rewards import Pile
    from model.rules.scoring import Scored
    from model.rules.wall_tiles import Turn
    from model.tiles import PlacedTile

Findings = Iterator[Finding]


class March(NamedTuple):
    """A move of a scoring marker."""

    marker: Marker
    rules: tuple[str, ...] = ()
    """Ids of the rules that had a say in it."""
    note: str = ""
    """What is to be said of it, after a comma."""


class Factor(NamedTuple):
    """A rule that multiplies what a feature brings the player who scores it."""

    rule: Rule[[Scored], int]
    by: str
    """Who does it, in words: ``the king``."""


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
    setup: tuple[Callable[[Position], Findings], ...]
    """The rules about components that a position can break."""
    completion: Mapping[Kind, Rule[[Game, Feature, Mapping[Cell, PlacedTile]], bool]] = field(
        hash=False
    )
    """For each kind of segment the rule that says when a feature of it is scored in play."""
    worth: Mapping[Kind, Rule[[Feature], int]] = field(hash=False)
    """For each kind that is scored in play the rule that says what a feature is worth."""
    incomplete: Mapping[Kind, Rule[[Feature], Event]] = field(hash=False)
    """For each kind the rule that says what it brings uncompleted at the end: nothing."""
    notes: tuple[Rule[[Position, PlacedTile], Findings], ...]
    """The rules that say why a place is allowed that people ask about."""
    march: Callable[[Game, Marker, int], March]
    """How a marker moves in play by some points."""
    factors: tuple[Factor, ...] = ()
    """What multiplies the points of a feature."""
    bars: tuple[Callable[[Game, Sequence[Follower], int | None], bool], ...] = ()
    """What keeps wall tiles 2 and 3 from doubling a feature with these followers."""
    in_vain: Callable[[Sequence[Follower]], tuple[str, ...]] | None = None
    """By which rules the followers on a tied feature bring nothing, majorities apart."""
    collect: Callable[[Pile, Scored], tuple[Pile, Event | None]] | None = None
    """What tokens the scorer of a feature takes; None in a game without tokens."""
    token_end: Rule[[Position, Sequence[int]], tuple[int | None, int]] | None = None
    """Who scores how much for tokens at the end; None in a game without tokens."""
    arrange: Callable[[Game], Game] | None = None
    """What the switches of a game change on its board; None if nothing."""
    phases: Callable[[Game], tuple[str, ...]]
    """The phases of final scoring, by name, in order."""
