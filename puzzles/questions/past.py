"""Questions about the past of a position that was played from the beginning of a game."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.features import position_features
from burgrave.model.files.games import first_tiles
from burgrave.model.laying import complete
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.puzzles.questions.wording import counted
from burgrave.solver.engines import plays
from burgrave.solver.limits import Clock, Limits, OutOfTimeError
from burgrave.solver.result import Status
from burgrave.solver.simulation import PLAYED_BY, Table, table

MOST_TURNS = 6
"""Turns after which the past is not looked into: the lines are too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past(Question):
    """A question about all games that lead to a position."""

    past: ClassVar[bool] = True
    asked: ClassVar[str]
    """What is asked about the turns, in words."""

    @abstractmethod
    def _common(
        self, position: Position, games: Sequence[tuple[Move, ...]]
    ) -> tuple[Facts, tuple[str, ...]]:
        """Return what all games have in common as a fact, and as a line; empty if they differ."""

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that play every line."""
        return tuple(way for way in PLAYED_BY if plays(way, position.game))

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        turns, who = _turns_and_first(position)
        return (
            f"{position.game.name(who)} began this game, and {counted(turns, 'turn')}"
            f" {'has' if turns == 1 else 'have'} been played: {self.asked}?"
        )

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return what every game that leads here has in common; nothing if the time is out."""
        name = self.engines(position)[0] if engine is None else engine
        games: list[tuple[Move, ...]] = []
        status = Status.UNKNOWN
        with suppress(OutOfTimeError):
            games = list(_Games(position, name, budget.start()))
            status = Status.OPTIMAL
        fact, line = self._common(position, games)
        return Reply(facts={"status": str(status), **fact}, line=line, engine=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class History(_Past):
    """By which turns, and no others, did a position come about?"""

    asked: ClassVar[str] = "what were they, in order"
    name: str = "history"
    must: ClassVar[frozenset[str]] = frozenset({"line"})
    may: ClassVar[frozenset[str]] = frozenset()

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- in notation
        """Return what a stored answer claims: turns."""
        return {"status": str(Status.OPTIMAL), "turns": list(answer.line)}

    def _common(
        self, position: Position, games: Sequence[tuple[Move, ...]]
    ) -> tuple[Facts, tuple[str, ...]]:
        """Return the turns of the only game; none if several games or none lead here."""
        found = _told(position, games[0]) if len(games) == 1 else ()
        return {"turns": list(found)}, found

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:  # noqa: ARG002 -- there is none
        """Play a line from the beginning."""
        at = began(position)
        for before, move in played(position, line):
            at = play(before, move).position
        return "" if _still(at) == _still(position) else "the line does not lead to the position"


@dataclass(frozen=True, slots=True, kw_only=True)
class Last(_Past):
    """Which tile was laid last?"""

    asked: ClassVar[str] = "which tile was laid last"
    name: str = "last"
    must: ClassVar[frozenset[str]] = frozenset({"cell"})
    may: ClassVar[frozenset[str]] = frozenset()

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- a cell needs none
        """Return what a stored answer claims: a cell."""
        return {"status": str(Status.OPTIMAL), "cell": answer.cell}

    def _common(
        self,
        position: Position,  # noqa: ARG002 -- a cell needs none
        games: Sequence[tuple[Move, ...]],
    ) -> tuple[Facts, tuple[str, ...]]:
        """Return the cell of the tile that ends every game; none if games differ."""
        cells = {str(game[-1].cell) for game in games}
        return {"cell": cells.pop() if len(cells) == 1 else ""}, ()

    def shown(self, position: Position, line: Sequence[str], moves: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 -- a cell has none
        """Return the turns of one game that leads to the position."""
        return a_game(position)


def a_game(position: Position) -> tuple[str, ...]:
    """Return the turns of one game that leads to a position; none if there is no such game."""
    found = next(iter(_Games(position, PLAYED_BY[0], NO_LIMIT.start())), None)
    return () if found is None else _told(position, found)


def began(position: Position) -> Position:
    """Return the beginning of the game that led to a position, without tiles to come.

    Raises:
        QuestionError: the position has tiles to come, its tiles are too many, or it does not hold
            the start tile.

    """
    game = position.game
    if position.order or position.bag:
        raise QuestionError("the past is known of positions without tiles to come")
    turns, first = _turns_and_first(position)
    if not 0 < turns <= MOST_TURNS:
        raise QuestionError(f"the past is looked into after 1 to {MOST_TURNS} turns")
    start = first_tiles(game)
    for tile in start:
        if position.tile_at(tile.cell) != tile:
            raise QuestionError(f"the start tile {tile.kind.id} does not lie on {tile.cell}")
    return Position(
        game=game,
        tiles=start,
        players=(book_of(game).fresh(game),) * len(game.players),
        to_move=first,
        towers=position.towers,
    )


def _turns_and_first(position: Position) -> tuple[int, int]:
    """Return the number of turns played and the player who began."""
    turns = len(position.tiles) - len(first_tiles(position.game))
    return turns, (position.to_move - turns) % len(position.players)


class _Games:
    """Every game that leads to a position, found by playing on from the beginning."""

    def __init__(self, position: Position, way: str, clock: Clock) -> None:
        """Take over a position."""
        self._clock, self._goal = clock, canonical_tiles(position)
        start = began(position)
        self._left = {tile.cell: tile for tile in self._goal.tiles}
        for tile in start.tiles:
            del self._left[tile.cell]
        kinds = tuple(tile.kind.id for tile in self._left.values())
        self._table: Table = table(replace(start, bag=kinds), way)
        self._heights = {tower.cell: tower.height for tower in self._goal.part(Towers).built}
        # A follower who is placed still stands there, or his feature is complete. In The Tower he
        # may be captured.
        features, laid = position_features(self._goal), self._goal.laid()
        self._may = {
            (node, player)
            for feature in features
            if self._heights or complete(self._goal, feature, laid)
            for node in feature.nodes
            for player in range(len(position.players))
        } | {(follower.node, follower.player) for follower in self._goal.followers}

    def __iter__(self) -> Iterator[tuple[Move, ...]]:
        """Yield the games."""
        yield from self._on(())

    def _on(self, played: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        """Yield the games that begin with some moves, which are played."""
        if not self._left:
            if _still(self._table.position()) == _still(self._goal):
                yield played
            return
        last = len(self._left) == 1
        for tile in sorted({one.kind.id for one in self._left.values()}):
            lying = [one for one in self._left.values() if one.kind.id == tile]
            for turn in self._table.turns_at(lying, last=last):
                self._clock.tick()
                move = self._table.move(turn)
                if not self._fits(move, played):
                    continue
                assert move.cell is not None
                laid = self._left.pop(move.cell)
                self._table.play(turn, last=last)
                yield from self._on((*played, move))
                self._table.undo()
                self._left[move.cell] = laid

    def _fits(self, move: Move, played: Sequence[Move]) -> bool:
        """Tell whether what a move places can come to what is there.

        Args:
            move: the move, which lays a tile as it lies.
            played: the moves before it.

        """
        mover = self._table.mover
        built = Counter(cell for one in (*played, move) for cell in one.pieces)
        low = all(built[cell] <= self._heights.get(cell, 0) for cell in move.pieces)
        return low and all((Node(d.cell, d.segment), mover) in self._may for d in move.followers)


def canonical_tiles(position: Position) -> Position:
    """Return a position whose tiles lie in the lowest of the rotations that look alike."""
    tiles, followers = [], list(position.followers)
    for tile in position.tiles:
        kind = tile.kind
        shape = kind.shape(tile.rotation)
        rotation = next(r for r in kind.rotations() if kind.shape(r) == shape)
        new = replace(tile, rotation=rotation)
        tiles.append(new)
        if rotation == tile.rotation:
            continue
        for index, follower in enumerate(followers):
            ports = kind.turned(follower.node.segment, tile.rotation)
            if follower.node.cell == tile.cell and ports:
                followers[index] = follower._replace(node=Node(tile.cell, new.at(ports[0])))
    return replace(position, tiles=tuple(tiles), followers=tuple(sorted(followers)))


def _still(position: Position) -> Position:
    """Return a position without the tiles to come, as it is compared."""
    return canonical_tiles(replace(position, order=(), bag=()))


def _told(position: Position, game: Sequence[Move]) -> tuple[str, ...]:
    """Return the moves of a game in notation."""
    return tuple(write_move(position, move) for move in game)


def played(position: Position, line: Sequence[str]) -> Iterator[tuple[Position, Move]]:
    """Yield the turns of a game that leads to a position, each as position and move.

    Raises:
        BurgraveError: a move is none, or is illegal.

    """
    at, order = began(position), [move.partition("@")[0] for move in line]
    for number, text in enumerate(line):
        at = replace(at, order=tuple(order[number:]))
        move = read_move(at, text)
        yield at, move
        at = play(at, move).position
