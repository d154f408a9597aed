"""A position, its players and a move, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from burgrave.model.components import (
    Follower,
    Marker,
    Node,
    Rank,
    Role,
    titled,
    worded,
)
from burgrave.model.errors import CallError
from burgrave.model.geometry import Cell
from burgrave.model.naming import times
from burgrave.model.parts import Parted, ordered
from burgrave.model.tiles import PlacedTile, TileKind

if TYPE_CHECKING:
    from burgrave.model.games import Game

PASS = "pass"  # noqa: S105 -- a word of the notation


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerState(Parted):
    """The possessions of a player, without the followers on the board."""

    score: int = 0
    """Laps times the length of the track, plus the marker's space."""
    supply: int = 6
    """Followers that may be placed, those of a rank not counted."""
    keep: int = 0
    """Tiles of the largest house the player has scored; 0 while the keep is not placed."""
    wall_tiles: tuple[int, ...] = ()
    """Wall tiles in hand that may be used, ascending; 0 is one whose number is not known."""
    fresh_wall_tiles: tuple[int, ...] = ()
    """Wall tiles taken too late to be used yet."""
    fresh_followers: int = 0
    """Followers that came home too late to be used yet."""
    specials: tuple[Rank, ...] = ()
    """King and falconer, as far as they may be placed, sorted."""
    fresh_specials: tuple[Rank, ...] = ()
    """King and falconer, as far as they came home too late to be used yet, sorted."""
    at_gate: bool = False
    """Whether the marker stands on the gate after the number of the score."""

    @property
    def marker(self) -> Marker:
        """The place of the player's marker."""
        return Marker(self.score, self.at_gate)

    def available(self, rank: Rank) -> int:
        """Return the number of followers of a rank that may be placed."""
        return self.supply if rank is Rank.FOLLOWER else self.specials.count(rank)

    def resting(self, rank: Rank) -> int:
        """Return the number of followers of a rank that came home too late for this turn."""
        return self.fresh_followers if rank is Rank.FOLLOWER else self.fresh_specials.count(rank)

    def without(self, ranks: Sequence[Rank]) -> PlayerState:
        """Return the player once followers of some ranks are placed."""
        return replace(
            self,
            supply=self.supply - ranks.count(Rank.FOLLOWER),
            specials=tuple(rank for rank in self.specials if rank not in ranks),
        )

    def with_back(self, ranks: Sequence[Rank]) -> PlayerState:
        """Return the player once followers of some ranks are home, to be used at once."""
        special = (rank for rank in ranks if rank is not Rank.FOLLOWER)
        return replace(
            self,
            supply=self.supply + ranks.count(Rank.FOLLOWER),
            specials=tuple(sorted((*self.specials, *special))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Parted):
    """A game between two turns: everything that the rules need for the next turn."""

    game: Game
    tiles: tuple[PlacedTile, ...] = ()
    """Tiles on the board, inside the wall if there is one, by cell."""
    followers: tuple[Follower, ...] = ()
    """Followers on the board, by cell, segment and player."""
    players: tuple[PlayerState, ...]
    to_move: int = 0
    """Index of the player whose turn it is."""
    order: tuple[str, ...] = ()
    """Ids of the next tiles, as far as their order is known."""
    bag: tuple[str, ...] = ()
    """Ids of the tiles that follow in unknown order, sorted."""
    towers: tuple[tuple[str, int], ...] = ()
    """Corner towers that still hold a wall tile, with its number; 0 is face down."""
    spent: tuple[int, ...] = ()
    """Wall tiles seen that have left the game, ascending."""
    discarded: tuple[str, ...] = ()
    """Tiles that left the game because they had no place."""
    extra_turns: int = 0
    """Extra turns of the player to move after this one, by wall tiles 1."""
    in_extra_turn: bool = False
    """Whether this turn itself was won by a wall tile 1."""
    _by_cell: Mapping[Cell, PlacedTile] = field(init=False, repr=False, compare=False)
    """Derived once: every rule of placement asks for neighbours."""

    def __post_init__(self) -> None:
        """Derive the tiles by cell."""
        object.__setattr__(self, "_by_cell", {tile.cell: tile for tile in self.tiles})

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """Return the tile on ``cell``, if any."""
        return self._by_cell.get(cell)

    def by_cell(self) -> Mapping[Cell, PlacedTile]:
        """Return the tiles inside the wall by cell."""
        return self._by_cell

    def laid(self) -> dict[Cell, PlacedTile]:
        """Return tiles and start-space pictures by cell; pictures lie outside the wall."""
        return {tile.cell: tile for tile in (*self.game.pictures, *self.tiles)}

    @property
    def over(self) -> bool:
        """Whether no tile is left to draw."""
        return not self.order and not self.bag

    def cleared(self, cell: Cell) -> Position:
        """Return the position without what parts of expansions have on a cell."""
        return replace(self, parts=ordered(part.without(cell) for part in self.parts))

    def away(self) -> Counter[tuple[int, Rank]]:
        """Return the number of followers outside the supplies, by owner and rank."""
        standing = [(follower.player, follower.rank) for follower in self.followers]
        return Counter([*standing, *((owner, rank) for _, owner, rank in self.elsewhere())])

    def elsewhere(self) -> Iterator[tuple[str, int, Rank]]:
        """Yield the followers that parts of expansions hold.

        Each is a place in words, ``on towers``, an owner and a rank. Those in a supply and on
        segments of the board are not among them.
        """
        for state in (self, *self.players):
            for part in state.parts:
                yield from ((part.place, owner, rank) for owner, rank in part.followers())

    def __str__(self) -> str:
        """Return game, turn, tiles and scores in a few words."""
        game = self.game

        scores = ", ".join(f"{game.name(i)} {p.score}" for i, p in enumerate(self.players))
        laid = times(len(self.tiles), "tile")
        come = times(len(self.order) + len(self.bag), "tile")
        known = f" ({self.order[0]} is next)" if self.order else ""
        turn = "the game is over" if self.over else f"{game.name(self.to_move)} to move"
        return f"{game.named}: {scores}; {turn}; {laid} laid, {come} to come{known}"

    def __repr__(self) -> str:
        """Return one short line: with board and tiles a position would fill pages."""
        return f"<Position {self}>"

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        # Pictures are drawn of positions, so this module cannot import them.
        return str(import_module("burgrave.model.pictures").board_svg(self))


class Deployment(NamedTuple):
    """A follower to be placed, in a move."""

    cell: Cell
    segment: int
    role: Role
    rank: Rank = Rank.FOLLOWER

    @property
    def title(self) -> str:
        """His name in sentences: that of his rank if he has one, else that of his role."""
        return titled(self.role, self.rank)

    def by(self, player: int) -> Follower:
        """Return the follower on the board once a player has placed him."""
        return Follower(Node(self.cell, self.segment), player, self.role, self.rank)


class ScoreStep(NamedTuple):
    """A feature in a move's order of scoring, with the wall tiles that double it."""

    node: Node
    """Any segment of the feature."""
    wall_tiles: tuple[int, ...] = ()


class Ransom(NamedTuple):
    """A follower bought back from a player who holds it prisoner, in a move."""

    captor: int
    """Index of the player who holds it."""
    late: bool = False
    """Whether it is bought after scoring; otherwise before the action."""
    rank: Rank = Rank.FOLLOWER
    """The rank of the follower that is bought."""


class Capture(NamedTuple):
    """A follower taken prisoner, in a move."""

    cell: Cell
    segment: int | None
    """The segment on which it stands; None for the guard of the tower."""
    back: Rank | None = None
    """The rank of the follower that comes home for it, where an exchange leaves a choice."""


class Guard(NamedTuple):
    """A follower placed on a tower, in a move."""

    cell: Cell
    rank: Rank = Rank.FOLLOWER


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A whole turn as one value.

    The engine lists canonical moves: the lowest of equal-looking rotations, and scoring steps only
    where a choice exists. A ransom is paid early unless the time matters.
    """

    discards: tuple[str, ...] = ()
    """Tiles drawn first that had no place and left the game, in order."""
    declared: tuple[int, ...] = ()
    """Wall tiles declared before the draw, ascending."""
    tile: str | None = None
    """Id of the tile laid; None if none was left that has a place."""
    cell: Cell | None = None
    rotation: int = 0
    """Clockwise quarter turns, 0 to 3."""
    followers: tuple[Deployment, ...] = ()
    """Followers placed; the rules allow one."""
    scoring: tuple[ScoreStep, ...] = ()
    """Features in the order in which they are scored, as far as it matters."""
    extra_turns: int = 0
    """Wall tiles 1 played."""
    reveals: tuple[tuple[str, int], ...] = ()
    """Numbers of face-down wall tiles taken in the turn, by tower."""
    ransoms: tuple[Ransom, ...] = ()
    """Followers bought back; the rules allow one."""
    pieces: tuple[Cell, ...] = ()
    """Cells of the towers that get a tower piece; the rules allow one."""
    captures: tuple[Capture, ...] = ()
    """Followers taken prisoner; the rules allow one."""
    guards: tuple[Guard, ...] = ()
    """Followers placed on towers; the rules allow one."""

    def __post_init__(self) -> None:
        """Refuse half a placement.

        Raises:
            CallError: a tile without a cell, a cell without a tile, or no such number.

        """
        if (self.tile is None) is not (self.cell is None):
            raise CallError("a move names a tile and its cell, or neither")
        if self.rotation not in range(4):
            raise CallError(f"rotation {self.rotation}: quarter turns go from 0 to 3")
        if self.extra_turns < 0:
            raise CallError(f"extra_turns = {self.extra_turns}: give a number from 0 on")

    def laid(self, kind: TileKind) -> PlacedTile:
        """Return the tile of this move on its cell.

        Raises:
            ValueError: the move lays no tile.

        """
        if self.cell is None:
            raise ValueError("this move lays no tile")
        return PlacedTile(cell=self.cell, kind=kind, rotation=self.rotation)

    def text(self, segment: Callable[[Node], str], player: Callable[[int], str]) -> str:
        """Return the move in notation.

        Args:
            segment: gives the name of a segment on its tile, ``N``.
            player: gives the name of a player by index.

        """
        return " ".join(self._words(segment, player))

    def _words(self, segment: Callable[[Node], str], player: Callable[[int], str]) -> Iterator[str]:
        """Yield the words of the notation in their usual order."""
        yield from (f"!{number}" for number in self.declared)
        paid = [(f"ransom:{player(r.captor)}{_ranked(r.rank)}", r.late) for r in self.ransoms]
        yield from (word for word, late in paid if not late)
        yield from (f"-{tile}" for tile in self.discards)
        yield PASS if self.cell is None else f"{self.tile}@{self.cell}r{self.rotation}"
        for one in self.followers:
            place = "" if one.cell == self.cell else f"@{one.cell}"
            word = worded(one.role, one.rank)
            yield f"{word}{place}.{segment(Node(one.cell, one.segment))}"
        yield from (f"^{cell}" for cell in self.pieces)
        for cell, index, back in self.captures:
            taken = "guard" if index is None else segment(Node(cell, index))
            yield f"x{cell}.{taken}{'' if back is None else f':{back}'}"
        yield from (f"guard@{cell}{_ranked(rank)}" for cell, rank in self.guards)
        for node, wall_tiles in self.scoring:
            doubled = "".join(f"*{number}" for number in wall_tiles)
            yield f"={node.cell}.{segment(node)}{doubled}"
        yield from ["+1"] * self.extra_turns
        yield from (f"?{tower}:{number}" for tower, number in self.reveals)
        yield from (f"{word}:late" for word, late in paid if late)

    def __str__(self) -> str:
        """Return the move in notation, segments and players by index: ``K26@5,5r0 knight.#0``.

        ``read_move`` reads it back. ``write_move`` knows the position, and writes ``knight.E``.
        """
        return self.text(lambda node: f"#{node.segment}", lambda player: f"#{player}")

    def __repr__(self) -> str:
        """Return the call that makes the move, without default values."""
        told = [(one.name, getattr(self, one.name), one.default) for one in fields(self)]
        given = ", ".join(f"{name}={value!r}" for name, value, usual in told if value != usual)
        return f"Move({given})"


def _ranked(rank: Rank) -> str:
    """Return what the notation adds for a follower of a rank."""
    return "" if rank is Rank.FOLLOWER else f":{rank}"


class FinalUse(NamedTuple):
    """A wall tile 4 to 9 used in final scoring."""

    player: int
    wall_tile: int
    node: Node | None = None
    """Any segment of the feature it scores; None for tiles 8 and 9."""
