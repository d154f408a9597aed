"""The rule book of a game: which rules decide what, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from burgrave.model.components import Follower, Marker, Node, Rank, Role
from burgrave.model.games import Game, Rules
from burgrave.model.geometry import Cell, Side
from burgrave.model.parts import Part, ordered
from burgrave.model.position import PlayerState
from burgrave.model.rule import Event, Finding, Rule
from burgrave.model.tiles import Kind

if TYPE_CHECKING:
    from burgrave.model.claims import Farm, Harvest, Pile, Scored, Turn
    from burgrave.model.course import Course
    from burgrave.model.features import Feature, Laid
    from burgrave.model.placement import Placement
    from burgrave.model.position import Deployment, FinalUse, Move, Position
    from burgrave.model.results import Final, Played
    from burgrave.model.stage import Stage
    from burgrave.model.tiles import PlacedTile, TileKind
    from burgrave.model.worth import Worth

Findings = Iterator[Finding]


class March(NamedTuple):
    """A move of a scoring marker."""

    marker: Marker
    rules: tuple[str, ...] = ()
    """Ids of the rules that had a say in it."""
    note: str = ""
    """Its remark, after a comma."""


def straight_on(game: Game, marker: Marker, gained: int) -> March:  # noqa: ARG001
    """Move a marker by some points; nothing on the way stops it."""
    return March(Marker(marker.score + gained))


def _one(game: Game, follower: Follower) -> int:  # noqa: ARG001
    """Count every follower as one."""
    return 1


def _once(scored: Scored) -> int:  # noqa: ARG001
    """Count the tiles of every scored house once."""
    return 1


def _same(position: Position, move: Move) -> Move:  # noqa: ARG001
    """Return a move as it is."""
    return move


class Border(NamedTuple):
    """A rule on two sides that meet, as data: for each value both sides show it or neither does."""

    law: Rule[[Position, PlacedTile], Findings]
    shows: Callable[[TileKind, Side, int], object]
    """The picture at a side of a kind of tile, by its rotation."""
    values: tuple[object, ...]


class Factor(NamedTuple):
    """A rule that multiplies a feature's points for the player who scores it."""

    rule: Rule[[Scored], int]
    by: str
    """The subject in words: ``the king``."""


class Without(NamedTuple):
    """How the game goes without a rule, as lessons on the rule ask."""

    instead: Callable[..., object] | None = None
    """The function that acts in place of the rule's."""
    game: Callable[[Game], Game] | None = None
    """The change of the game, where more than the rule differs."""
    pays: bool = False
    """Whether the rule brings points that no player has without it."""
    forbids: bool = False
    """Whether moves are illegal by the rule, although it finds no fault itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """The part of a turn that differs between games: everything after the tile, and the end.

    The engine draws and places tiles in the same way in every game and calls these
    functions for the rest.
    """

    turns: Callable[[Placement, tuple[str, ...]], Iterator[Move]]
    """The legal moves that lay a tile where it lies, after the tiles without a place."""
    passes: Callable[[Position, tuple[str, ...]], Iterator[Move]]
    """The legal moves of a turn for which no tile is left that has a place."""
    draw: Callable[[Position, Move], Findings]
    """The faults of the tiles drawn in a move."""
    rest: Callable[[Position, Move, Placement | None], Findings]
    """The faults of everything except tiles and their place; None as placement means no tile."""
    notes: Callable[[Placement, Move], Findings]
    """The rules that allow the parts of a move about which players often ask."""
    canonical: Callable[[Placement, Move], Move]
    """The canonical form of a legal move whose rotation is canonical already."""
    resolve: Callable[[Placement, Move], Played]
    """The result of a legal move that lays a tile."""
    pass_turn: Callable[[Position, Move], Played]
    """The result of a legal move that lays none."""
    final: Callable[[Position, Sequence[FinalUse] | None], Final]
    """The end of a game, with the wall tiles 4 to 9 used or the best use."""
    canonical_pass: Callable[[Position, Move], Move] = _same
    """The canonical form of a legal move that lays no tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook(Rules):
    """The rules of a game, by what they decide.

    The engine asks the book of the game and knows no game by name. Modules of rules hold the
    differences between games, and a book says which rules are in force.
    """

    all: tuple[Rule[..., object], ...]
    """Every rule, in the order of a game."""
    roles: Mapping[Kind, Role] = field(hash=False)
    """The kinds of segments of the game, each with the role of a follower on it."""
    connect: Rule[[PlacedTile, Laid], Iterator[tuple[Node, Node]]]
    """The rule by which segments of neighbouring tiles are one feature."""
    placement: tuple[Rule[[Position, PlacedTile], Findings], ...]
    """The rules that can forbid a place."""
    sides: Rule[[Position, PlacedTile], Findings]
    """The rule of placement by which tiles meet with full sides, so that each has one cell."""
    borders: Callable[[Game], tuple[Border, ...]]
    """What ``placement`` says of sides that meet, as data."""
    deployment: tuple[Rule[[Placement, tuple[Deployment, ...]], Findings], ...]
    """The rules that can forbid a follower."""
    ranks: tuple[Rank, ...] = ()
    """Ranks of which each player has a follower besides the others, sorted."""
    setup: tuple[Callable[[Position], Findings], ...]
    """The rules about components that a position can break."""
    remarks: tuple[Callable[[Position], Findings], ...] = ()
    """Its remark on a position that breaks no rule."""
    standing: Callable[[Position], Findings]
    """The impossible tiles and followers on the board."""
    completion: Mapping[Kind, Rule[[Game, Feature, Laid], bool]] = field(hash=False)
    """For each kind of segment the rule that says when a feature of it is scored in play."""
    gaps: Mapping[Kind, Callable[[Game, Feature, Laid], frozenset[Cell]]] = field(
        default_factory=dict, hash=False
    )
    """By kind the empty cells that keep a feature of it open, besides those that it faces."""
    ended: Rule[[Position], bool]
    """The rule that says when final scoring follows."""
    conduct: Conduct
    arrange: Callable[[Game], Game] | None = None
    """The changes of board and followers by the switches of a game; None if nothing."""
    actions: tuple[Rule[[Stage, Move], Findings], ...] = ()
    """The rules that can forbid tower pieces, guards, captures and ransoms."""
    wall_tiles: tuple[Rule[[Turn], Findings], ...] = ()
    """The rules that can forbid the use of a wall tile in play."""
    place_notes: tuple[Callable[[Position, PlacedTile], Findings], ...] = ()
    """The rules that say why a place is allowed that people ask about."""
    worth: Mapping[Kind, Rule[[Game, Feature], int]] = field(hash=False)
    """The points of a completed feature, by each kind that scores in play."""
    table: Callable[[Game], Mapping[Kind, Worth]]
    """What ``worth`` and ``incomplete`` say of kinds that bring points by the tile, as data."""
    incomplete: Mapping[Kind, Rule[[Game, Feature, Laid], int]] = field(hash=False)
    """The points of an uncompleted feature at the end, by kind; in a castle they are none."""
    marked: Mapping[Kind, tuple[Rule[[Game, Feature], int | None], ...]] = field(
        default_factory=dict, hash=False
    )
    """By kind the rules asked before ``worth``; one says None of a feature without its mark."""
    marked_end: Mapping[Kind, tuple[Rule[[Game, Feature], int | None], ...]] = field(
        default_factory=dict, hash=False
    )
    """By kind the rules asked before ``incomplete``, likewise."""
    march: Callable[[Game, Marker, int], March] = straight_on
    """The move of a marker in play by some points."""
    factors: tuple[Factor, ...] = ()
    """The multiplier of a feature's points."""
    player_parts: tuple[type[Part], ...] = ()
    """The kinds of parts that its expansions bring to a player."""
    position_parts: tuple[type[Part], ...] = ()
    """The kinds of parts that its expansions bring to a position."""
    ransom: int = 0
    """Points that buy a prisoner back; 0 in a game without prisoners."""
    start_tile: str = ""
    """Kind of the tile that lies on the table when a game begins; empty if none does."""
    most_players: int = 5
    """Players of Carcassonne who have followers of a colour."""
    counts: Callable[[Game, Follower], int] = _one
    """As how many followers one counts in a majority."""
    keep_factor: Callable[[Scored], int] = _once
    """The factor of a scored house for its scorer's keep."""
    keep_times: Callable[[Game], int] = lambda _: 1
    """The highest factor of ``keep_factor``."""
    bars: tuple[Callable[[Game, Sequence[Follower], int | None], bool], ...] = ()
    """The fault of doubling a feature with these followers by wall tiles 2 and 3."""
    course: tuple[Callable[[Course], Iterator[Event]], ...] = ()
    """The phases of a turn of Carcassonne after the tile, in order."""
    harvest: Callable[[Game, Sequence[Farm]], tuple[str, tuple[Harvest, ...]]] | None = None
    """The id of the rule on farms that is in force, and what they bring; None without farms."""
    in_vain: Callable[[Sequence[Follower]], tuple[str, ...]] | None = None
    """The rules, besides majorities, by which followers on a tied feature bring nothing."""
    pile: Callable[[Position], Pile] | None = None
    """The tokens of a position; None in a game without tokens."""
    collect: Callable[[Pile, Scored], tuple[Pile, Event | None]] | None = None
    """The tokens that the scorer of a feature takes; None in a game without tokens."""
    with_pile: Callable[[Position, Pile], Position] | None = None
    """The position with other tokens; None in a game without tokens."""
    tokens: int = 0
    """Tokens in the game."""
    token_end: Rule[[Position, Sequence[int]], tuple[int | None, int]] | None = None
    """The points for tokens at the end, by player; None in a game without tokens."""
    phases: Callable[[Game], tuple[str, ...]] = field(default=lambda _: ())
    """The phases of final scoring of The Castle, by name, in order."""
    without: Mapping[Rule[..., Any], Without] = field(default_factory=dict, hash=False)
    """How the game goes without a rule, where neither its findings nor its entry here say so."""

    def joined(self, tile: PlacedTile, laid: Laid) -> Iterator[tuple[Node, Node]]:
        """Yield the pairs of segments, one of them of the tile, that are one feature."""
        yield from self.connect(tile, laid)

    def fresh(self, game: Game) -> PlayerState:
        """Return what a player has when a game begins."""
        parts = ordered(kind.fresh(game) for kind in self.player_parts)
        return PlayerState(supply=game.followers, specials=game.specials, parts=parts)

    def arranged(self, game: Game) -> Game:
        """Return the game with the board and the followers that its switches make."""
        return game if self.arrange is None else self.arrange(game)

    def weight(self, game: Game, rank: Rank) -> int:
        """Return as how many followers anyone of a rank counts in a majority."""
        return self.counts(game, Follower(Node(Cell(0, 0), 0), 0, Role.KNIGHT, rank))

    def strength(self, game: Game, followers: Iterable[Follower], player: int) -> int:
        """Return as how many followers those of a player count together in a majority."""
        return sum(self.counts(game, one) for one in followers if one.player == player)

    def completed(self, game: Game, feature: Feature) -> tuple[str, int]:
        """Return the points of a completed feature, after the id of the rule that says so."""
        for rule in self.marked.get(feature.kind, ()):
            if (points := rule(game, feature)) is not None:
                return rule.id, points
        rule_of_kind = self.worth[feature.kind]
        return rule_of_kind.id, rule_of_kind(game, feature)

    def uncompleted(self, game: Game, feature: Feature, laid: Laid) -> tuple[str, int]:
        """Return the points of an uncompleted feature at the end, after the id of the rule."""
        for rule in self.marked_end.get(feature.kind, ()):
            if (points := rule(game, feature)) is not None:
                return rule.id, points
        rule_of_kind = self.incomplete[feature.kind]
        return rule_of_kind.id, rule_of_kind(game, feature, laid)


def book_of(game: Game) -> RuleBook:
    """Return the rule book of a game.

    Raises:
        TypeError: the game holds rules of another make.

    """
    if not isinstance(game.rules, RuleBook):
        raise TypeError(f"the rules of {game.title} are no rule book")
    return game.rules
