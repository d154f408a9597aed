"""A game of Carcassonne as an incremental state: players, turns and their undo.

It lists the same turns as the reference engine, in the same canonical form, and plays and
takes them back without building a position. Which tile comes when is left to the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from model.geometry import Cell
from model.position import Capture, Deployment, Move, Position, Ransom
from model.rules.carcassonne.followers import ROLES
from solver.memo import Memo
from solver.plane.board import PlaneBoard
from solver.plane.tables import KINDS, MAN, NOTHING


class Turn(NamedTuple):
    """A turn of the search; what is not done in it is -1."""

    cell: int
    """Where the tile is laid; -1 if no tile is left that has a place."""
    kind: int
    """Index of the kind of tile."""
    rotation: int
    segment: int = NOTHING
    """The segment on which a follower is placed."""
    piece: int = NOTHING
    """Cell of the tower that is raised."""
    taken: int = NOTHING
    """Node of the follower that it takes prisoner."""
    freed: int = NOTHING
    """Cell of the tower whose guard it takes prisoner."""
    guard: int = NOTHING
    """Cell of the tower that is completed with a follower."""
    captor: int = NOTHING
    """Player from whom a follower is bought back."""
    late: bool = False
    """Whether it is bought back after scoring."""


class OpenTower(NamedTuple):
    """A tower on which the player to move may do something, or the place for one."""

    cell: int
    raised: tuple[tuple[int, int], ...]
    """The ways to raise it: the node of the follower that is taken, the cell of the tower whose
    guard is taken, both -1 if nobody is."""
    tall: bool
    """Whether it may be completed with a follower."""


Journal = list[tuple[list[int], int, int]]
LAID: list[int] = []
"""Stands in the journal for a tile, which the board takes back itself."""


class PlaneState:
    """A position that turns can be played on and taken back.

    Attributes:
        board: tiles and features.
        players: how many there are.
        score: by player.
        supply: by player the followers that may be placed.
        turn: the player to move, alone in a list so that the journal can hold it.
        held: by ``captor * players + owner`` the prisoners; none without The Tower.
        each: the most followers that a player has.
        posts: by ``player * each + i`` the node on which a follower stands, or -1.
        farmed: by followers on fields and completed cities what farms bring each player at the
            end, as far as it was wanted: few turns change it.

    """

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        self.game = position.game
        self.board = PlaneBoard(position)
        self.players = len(position.players)
        self.score = [player.score for player in position.players]
        self.supply = [player.supply for player in position.players]
        self.turn = [position.to_move]
        self.held = [0] * self.players**2
        self.each = max(_followers(position, player) for player in range(self.players))
        self.posts = [NOTHING] * (self.players * self.each)
        self.farmed = Memo[tuple[tuple[tuple[int, int], ...], tuple[int, ...]], tuple[int, ...]]()
        self.journal: Journal = []
        for follower in position.followers:
            self.stand(follower.player, self.board.node(follower.node))
        self.journal.clear()

    def put(self, array: list[int], index: int, value: int) -> None:
        """Write a value and keep the old one in the journal."""
        self.journal.append((array, index, array[index]))
        array[index] = value

    def add(self, array: list[int], index: int, value: int) -> None:
        """Add to a value and keep the old one in the journal."""
        self.put(array, index, array[index] + value)

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return len(self.journal)

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        journal = self.journal
        while len(journal) > mark:
            array, index, value = journal.pop()
            if array is LAID:
                self.board.lift()
            else:
                array[index] = value

    def lay(self, cell: int, kind: int, rotation: int) -> list[int]:
        """Lay a tile; return the roots of all features that it completes."""
        self.journal.append((LAID, 0, 0))
        done = self.board.lay(cell, kind, rotation)
        return done + self.board.secluded(cell) if self.board.cloisters else done

    def stand(self, player: int, node: int) -> None:
        """Put a follower of a player on a node."""
        self.add(self.board.men, self.board.find(node), 1 << MAN * player)
        post = self.posts.index(NOTHING, player * self.each, (player + 1) * self.each)
        self.put(self.posts, post, node)

    def owned(self, player: int) -> list[int]:
        """Return the nodes on which followers of a player stand, and -1 for those who do not."""
        return self.posts[player * self.each : (player + 1) * self.each]

    def leave(self, player: int, node: int) -> None:
        """Take a follower of a player off a node."""
        self.add(self.board.men, self.board.find(node), -1 << MAN * player)
        self.put(self.posts, self.posts.index(node), NOTHING)

    def turns(self, kind: int, *, alike: bool = True) -> list[Turn]:
        """Return every legal turn that lays a tile of a kind, in the reference's order.

        Args:
            kind: index of the kind.
            alike: whether turns that differ only in the segment of one and the same feature
                on which the follower stands are all listed, or the first of them alone, and so
                with guards on towers that nobody can raise.

        """
        return [turn for turns, _ in self.laid(kind, alike=alike) for turn in turns]

    def laid(
        self, kind: int, *, alike: bool, last: bool = False
    ) -> Iterator[tuple[list[Turn], list[int]]]:
        """Yield the turns on each place with the roots of what the tile completes there.

        While they are yielded the tile lies there, so that ``finish`` can go on with one of the
        turns; what is done then must be undone before the next.

        Args:
            kind: index of the kind.
            alike: as for ``turns``.
            last: whether the game ends then, so that on towers one way is enough to take each
                follower prisoner.

        """
        towers = self.captures() if last else self.towers()
        for cell, rotation in list(self.board.places(kind)):
            mark = self.mark()
            done = self.lay(cell, kind, rotation)
            turns = self.on_place(Turn(cell, kind, rotation), done, alike=alike, towers=towers)
            yield turns, done
            self.undo(mark)

    def towers(self) -> list[OpenTower]:
        """Return what the player to move may do on towers that stand before he lays his tile."""
        return []

    def captures(self) -> list[OpenTower]:
        """Return one way to take each follower prisoner who is in reach of a tower that stands."""
        return []

    def on_place(
        self,
        laid: Turn,
        done: list[int],  # noqa: ARG002 -- The Tower asks what is completed
        *,
        alike: bool,
        towers: Sequence[OpenTower] | None,  # noqa: ARG002 -- there are no towers
    ) -> list[Turn]:
        """Return the turns on a place, the tile lying there.

        Args:
            laid: the turn that does nothing else.
            done: the roots of the features that the tile completes.
            alike: as for ``turns``.
            towers: what ``towers`` said before the tile was laid; None for no action on towers.

        """
        segments = self.claimable(laid.kind, alike=alike)
        return [laid, *(laid._replace(segment=segment) for segment in segments)]

    def passes(self) -> list[Turn]:
        """Return every legal turn for which no tile is left that has a place."""
        return [Turn(NOTHING, NOTHING, 0)]

    def exposed(self, kind: int, cells: Iterable[int]) -> set[int]:  # noqa: ARG002 -- there are no towers
        """Return the nodes on which the player to move may take followers prisoner.

        Args:
            kind: index of the kind of tile that he lays.
            cells: towers on these cells may be raised, by the rules.

        """
        return set()

    def raises(self, kind: int) -> bool:  # noqa: ARG002 -- there are no towers
        """Tell whether the player to move may raise towers in a turn with a kind of tile."""
        return False

    def ransomable(self) -> bool:
        """Tell whether the player to move may buy a follower back before he places one."""
        return False

    def claimable(self, kind: int, *, alike: bool) -> Iterator[int]:
        """Yield each segment of the tile just laid on which a follower may be placed."""
        if not self.supply[self.turn[0]]:
            return
        board = self.board
        base = (len(board.cell) - 1) * board.tables.width
        seen: set[int] = set()
        for segment, what in enumerate(board.tables.segments[kind]):
            if what not in board.tables.claimed:
                continue
            root = board.find(base + segment)
            if not board.men[root] and (alike or root not in seen):
                seen.add(root)
                yield segment

    def play(self, turn: Turn) -> None:
        """Play a turn, one of ``turns`` or ``passes``."""
        self.finish(turn, self.lay(turn.cell, turn.kind, turn.rotation) if turn.cell >= 0 else [])

    def finish(self, turn: Turn, done: list[int]) -> None:
        """Play what follows the tile of a turn, which lies and completes some roots."""
        self.act(turn, done)
        self.put(self.turn, 0, (self.turn[0] + 1) % self.players)

    def act(self, turn: Turn, done: list[int]) -> None:
        """Do what follows the tile of a turn: the follower, then scoring."""
        mover = self.turn[0]
        if turn.segment >= 0:
            self.stand(mover, self.board.slot[turn.cell] * self.board.tables.width + turn.segment)
            self.add(self.supply, mover, -1)
        if done:
            self.settle(done)

    def settle(self, done: list[int]) -> None:
        """Score completed features and send their followers home."""
        board = self.board
        men = board.men
        occupied = [root for root in done if men[root]]
        for root in occupied:
            points = board.worth(root)
            for player in board.tables.leaders(men[root]):
                self.add(self.score, player, points)
        for root in occupied:
            for post, node in enumerate(self.posts):
                if node >= 0 and board.find(node) == root:
                    self.put(self.posts, post, NOTHING)
                    self.add(self.supply, post // self.each, 1)
            self.put(men, root, 0)

    def move(self, turn: Turn, discards: tuple[str, ...] = ()) -> Move:
        """Return a turn as the move that the reference engine lists."""
        board, t = self.board, self.board.tables

        def cells(index: int) -> tuple[Cell, ...]:
            return (board.place(index),) if index >= 0 else ()

        captures = [Capture(*board.segment(turn.taken))] if turn.taken >= 0 else []
        captures += [Capture(cell, None) for cell in cells(turn.freed)]
        laid = turn.cell >= 0
        followers: tuple[Deployment, ...] = ()
        if turn.segment >= 0:
            role = ROLES[KINDS[t.segments[turn.kind][turn.segment]]]
            followers = (Deployment(board.place(turn.cell), turn.segment, role),)
        return Move(
            discards=discards,
            tile=t.kinds[turn.kind].id if laid else None,
            cell=board.place(turn.cell) if laid else None,
            rotation=turn.rotation,
            followers=followers,
            ransoms=(Ransom(turn.captor, turn.late),) if turn.captor >= 0 else (),
            pieces=cells(turn.piece),
            captures=tuple(captures),
            guards=cells(turn.guard),
        )


def _followers(position: Position, player: int) -> int:
    """Return how many followers a player has, wherever they are."""
    return (
        position.players[player].supply
        + sum(follower.player == player for follower in position.followers)
        + sum(tower.guard == player for tower in position.built)
        + sum(state.prisoners.count(player) for state in position.players)
    )
