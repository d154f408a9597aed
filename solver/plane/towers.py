"""A game of The Tower as an incremental state: towers, prisoners and ransom besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.position import Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from model.switches import (
    ACTION_WITHOUT_TILE,
    CAPTURE_OPTIONAL,
    CAPTURE_OWN,
    EXCHANGE_RATIO,
    GUARD_CAPTURABLE,
    RANSOM_WINDOW,
    TOWER_NEEDS_TOWER_TILE,
    TOWER_REOPENS,
)
from solver.plane.state import PlaneState, Turn
from solver.plane.tables import NOTHING


class TowerState(PlaneState):
    """A position of The Tower that turns can be played on and taken back.

    Attributes:
        places: by kind of tile, whether it has a tower place.
        height: by cell the tower pieces on it.
        guard: by cell the player whose follower stands on the tower, or -1.
        shut: by cell 1 for a tower that stays complete without its guard.
        pieces: by player the tower pieces left.
        held: by ``captor * players + owner`` the prisoners.

    """

    def __init__(self, position: Position) -> None:
        """Take over a position with its towers, pieces and prisoners."""
        super().__init__(position)
        board, game = self.board, position.game
        self.places = [kind.tower_place for kind in board.tables.kinds]
        self.height = [0] * len(board.lie)
        self.guard = [NOTHING] * len(board.lie)
        self.shut = [0] * len(board.lie)
        for tower in position.built:
            cell = board.index(tower.cell)
            self.height[cell] = tower.height
            self.guard[cell] = NOTHING if tower.guard is None else tower.guard
            self.shut[cell] = int(tower.closed)
        self.pieces = [player.pieces for player in position.players]
        self.held = [
            player.prisoners.count(owner)
            for player in position.players
            for owner in range(self.players)
        ]
        self.guards_taken = game.value(GUARD_CAPTURABLE) == "on"
        self.reopens = game.value(TOWER_REOPENS) == "on"
        self.own_taken = game.value(CAPTURE_OWN) == "on"
        self.optional = game.value(CAPTURE_OPTIONAL) == "on"
        self.all_exchanged = game.value(EXCHANGE_RATIO) == "all"
        self.late_ransom = game.value(RANSOM_WINDOW) == "any"
        self.needs_place = game.value(TOWER_NEEDS_TOWER_TILE) == "on"
        self.without_tile = game.value(ACTION_WITHOUT_TILE) == "on"

    def on_place(self, laid: Turn, done: list[int], *, alike: bool) -> list[Turn]:
        """Return the turns that go on from a tile: by early ransom, action, late ransom.

        Args:
            laid: the tile, which lies on the board; -1 if there is none.
            done: the roots of the features that it completes.
            alike: as in ``PlaneState.turns``.

        """
        mover = self.turn[0]
        captors = [c for c in range(self.players) if self.held[c * self.players + mover]]
        rich = self.score[mover] >= PRICE_OF_A_FOLLOWER
        found: list[Turn] = []
        for turn in self._actions(laid, alike=alike):
            found.append(turn)
            # A ransom that could be paid before the action leads to the same position then.
            if captors and not rich and self.late_ransom:
                found += [
                    turn._replace(captor=captor, late=True)
                    for captor in captors
                    if self._affordable(turn, done, captor)
                ]
        for captor in captors if rich else ():
            mark = self.mark()
            self._ransom(captor)
            found += [turn._replace(captor=captor) for turn in self._actions(laid, alike=alike)]
            self.undo(mark)
        return found

    def passes(self) -> list[Turn]:
        """Return every legal turn for which no tile is left that has a place."""
        return self.on_place(Turn(NOTHING, NOTHING, 0), [], alike=True)

    def exposed(self, kind: int, cells: Iterable[int]) -> set[int]:
        """Return the nodes on which the player to move may take followers prisoner.

        Args:
            kind: index of the kind of tile that he lays.
            cells: towers on these cells may be raised, by the rules.

        """
        mover, board = self.turn[0], self.board
        if not self.raises(kind):
            return set()
        towers = [
            (cell, self.height[cell] + 1)
            for cell in cells
            if self.places[board.lie[cell] // 4] and self.guard[cell] < 0 and not self.shut[cell]
        ]
        return {
            node
            for post, node in enumerate(self.posts)
            if node >= 0 and (self.own_taken or post // self.each != mover)
            for cell in (board.cell[node // board.tables.width],)
            if any(self._reaches(tower, height, cell) for tower, height in towers)
        }

    def raises(self, kind: int) -> bool:
        """Tell whether the player to move may raise towers in a turn with a kind of tile."""
        return self.pieces[self.turn[0]] > 0 and (self.places[kind] or not self.needs_place)

    def ransomable(self) -> bool:
        """Tell whether the player to move may buy a follower back before he places one."""
        mover = self.turn[0]
        rich = self.score[mover] >= PRICE_OF_A_FOLLOWER
        return rich and any(self.held[c * self.players + mover] for c in range(self.players))

    def _affordable(self, turn: Turn, done: list[int], captor: int) -> bool:
        """Tell whether a follower can be bought back from a captor once a turn is scored."""
        mover = self.turn[0]
        mark = self.mark()
        self._raise(turn)
        super().act(turn, done)
        rich = self.score[mover] >= PRICE_OF_A_FOLLOWER
        found = rich and self.held[captor * self.players + mover] > 0
        self.undo(mark)
        return found

    def _actions(self, laid: Turn, *, alike: bool) -> Iterator[Turn]:
        """Yield a turn without an action, with a follower, then with each action on a tower."""
        mover = self.turn[0]
        yield laid
        if laid.cell >= 0:
            for segment in self.claimable(laid.kind, alike=alike):
                yield laid._replace(segment=segment)
            barred = self.needs_place and not self.places[laid.kind]
        else:
            barred = not self.without_tile
        if barred:
            return
        board, raisable, guarded = self.board, any(self.pieces), False
        # Once nobody has a piece left it is the same which tower a guard completes.
        for cell in sorted(c for c in board.cell if self.places[board.lie[c] // 4]):
            if self.guard[cell] >= 0 or self.shut[cell]:
                continue
            if self.pieces[mover]:
                raised = laid._replace(piece=cell)
                caught = list(self._caught(raised))
                if self.optional or not caught:
                    yield raised
                yield from caught
            if self.height[cell] and self.supply[mover] and (alike or raisable or not guarded):
                guarded = True
                yield laid._replace(guard=cell)

    def _caught(self, raised: Turn) -> Iterator[Turn]:
        """Yield a turn that raises a tower with each follower that it may take prisoner."""
        board, mover = self.board, self.turn[0]
        height = self.height[raised.piece] + 1
        near = []
        for post, node in enumerate(self.posts):
            if node >= 0 and (self.own_taken or post // self.each != mover):
                slot, segment = divmod(node, board.tables.width)
                cell = board.cell[slot]
                if self._reaches(raised.piece, height, cell):
                    near.append((cell, segment, node))
        yield from (raised._replace(taken=node) for _, _, node in sorted(near))
        if not self.guards_taken:
            return
        for cell in sorted(board.cell):
            owner = self.guard[cell]
            takes = owner >= 0 and (self.own_taken or owner != mover)
            if takes and self._reaches(raised.piece, height, cell):
                yield raised._replace(freed=cell)

    def deeds(self, player: int) -> tuple[bool, bool, bool]:
        """Tell whether a player may capture, complete a tower and buy back in a turn.

        What the tile of the turn adds is left out: its own tower place, and what it scores.
        """
        captures = self.pieces[player] > 0 and any(
            node >= 0 and post // self.each != player and self.reaching(node)
            for post, node in enumerate(self.posts)
        )
        guards = self.supply[player] > 0 and any(self.height[cell] for cell in self._open())
        held = any(self.held[captor * self.players + player] for captor in range(self.players))
        return captures, guards, held and self.score[player] >= PRICE_OF_A_FOLLOWER

    def _open(self) -> list[int]:
        """Return the cells of the towers that may be raised, begun or not."""
        board = self.board
        return [
            cell
            for cell in board.cell
            if self.places[board.lie[cell] // 4] and self.guard[cell] < 0 and not self.shut[cell]
        ]

    def reaching(self, node: int) -> list[int]:
        """Return the cells of the towers that reach a node once they are raised by one."""
        board = self.board
        cell = board.cell[node // board.tables.width]
        return [t for t in self._open() if self._reaches(t, self.height[t] + 1, cell)]

    def _reaches(self, tower: int, height: int, cell: int) -> bool:
        """Tell whether a cell is straight on from a tower and no farther than its height."""
        across, up = divmod(tower, self.board.height)
        x, y = divmod(cell, self.board.height)
        dx, dy = abs(across - x), abs(up - y)
        return min(dx, dy) == 0 and max(dx, dy) <= height

    def act(self, turn: Turn, done: list[int]) -> None:
        """Do what follows the tile of a turn: early ransom, action, scoring, late ransom."""
        self._raise(turn)
        super().act(turn, done)
        if turn.late:
            self._ransom(turn.captor)

    def _raise(self, turn: Turn) -> None:
        """Pay the early ransom of a turn, then do what it does with towers and prisoners."""
        mover = self.turn[0]
        if turn.captor >= 0 and not turn.late:
            self._ransom(turn.captor)
        if turn.piece >= 0:
            self.add(self.height, turn.piece, 1)
            self.add(self.pieces, mover, -1)
        if turn.taken >= 0:
            owner = self.posts.index(turn.taken) // self.each
            self.leave(owner, turn.taken)
            self._take(owner)
        if turn.freed >= 0:
            owner = self.guard[turn.freed]
            self.put(self.guard, turn.freed, NOTHING)
            self.put(self.shut, turn.freed, int(not self.reopens))
            self._take(owner)
        if turn.guard >= 0:
            self.put(self.guard, turn.guard, mover)
            self.add(self.supply, mover, -1)

    def _take(self, owner: int) -> None:
        """Take a player's follower prisoner, or exchange it; an own one goes home."""
        mover = self.turn[0]
        theirs = owner * self.players + mover
        if owner == mover:
            self.add(self.supply, mover, 1)
        elif self.held[theirs]:
            back = self.held[theirs] if self.all_exchanged else 1
            self.add(self.held, theirs, -back)
            self.add(self.supply, owner, 1)
            self.add(self.supply, mover, back)
        else:
            self.add(self.held, mover * self.players + owner, 1)

    def _ransom(self, captor: int) -> None:
        """Let the player to move buy a follower back."""
        mover = self.turn[0]
        self.add(self.score, mover, -PRICE_OF_A_FOLLOWER)
        self.add(self.score, captor, PRICE_OF_A_FOLLOWER)
        self.add(self.held, captor * self.players + mover, -1)
        self.add(self.supply, mover, 1)
