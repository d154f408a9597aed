"""A game of The Tower as an incremental state: towers, prisoners and ransom besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from solver.plane.state import OpenTower, PlaneState, Turn
from solver.plane.tables import NOTHING


class TowerState(PlaneState):
    """A position of The Tower that turns can be played on and taken back.

    Attributes:
        places: by kind of tile, whether it has a tower place.
        height: by cell the tower pieces on it.
        guard: by cell the player whose follower stands on the tower, or -1.
        shut: by cell 1 for a tower that stays complete without its guard.
        pieces: by player the tower pieces left.

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

    def towers(self) -> list[OpenTower]:
        """Return what the player to move may do on towers that stand, in the order of cells."""
        return self._ways(sorted(self._open(self.board.cell)))

    def captures(self) -> list[OpenTower]:
        """Return one way to take each follower prisoner who is in reach of a tower that stands."""
        found, seen = [], {NOTHING}
        for tower in self.towers():
            new = tuple(way for way in tower.raised if way[0] not in seen)
            seen.update(taken for taken, _ in new)
            found += [tower._replace(raised=new, tall=False)] if new else []
        return found

    def _ways(self, cells: Iterable[int]) -> list[OpenTower]:
        """Return what the player to move may do on towers that may be raised on some cells."""
        board, mover = self.board, self.turn[0]
        able = self.pieces[mover] > 0
        followers = sorted(
            (board.cell[node // board.tables.width], node)
            for post, node in enumerate(self.posts if able else ())
            if node >= 0 and (self.own_taken or post // self.each != mover)
        )
        guards = [
            (cell, self.guard[cell])
            for cell in (sorted(board.cell) if able and self.guards_taken else ())
            if self.guard[cell] >= 0 and (self.own_taken or self.guard[cell] != mover)
        ]
        found = []
        for cell in cells:
            height = self.height[cell]
            taken = [(n, NOTHING) for at, n in followers if self._reaches(cell, height + 1, at)]
            taken += [(NOTHING, at) for at, _ in guards if self._reaches(cell, height + 1, at)]
            if able and (self.optional or not taken):
                taken.insert(0, (NOTHING, NOTHING))
            found.append(OpenTower(cell, tuple(taken), height > 0))
        return found

    def _with_tile(self, laid: Turn, towers: Sequence[OpenTower]) -> Sequence[OpenTower]:
        """Return the towers on which something may be done once a tile lies."""
        if laid.cell < 0:
            return towers if self.without_tile else ()
        if self.places[laid.kind]:
            return sorted((*towers, *self._ways((laid.cell,))))
        return () if self.needs_place else towers

    def on_place(
        self, laid: Turn, done: list[int], *, alike: bool, towers: Sequence[OpenTower] | None
    ) -> list[Turn]:
        """Return the turns that go on from a tile: by early ransom, action, late ransom.

        Args:
            laid: the tile, which lies on the board; -1 if there is none.
            done: the roots of the features that it completes.
            alike: as in ``PlaneState.turns``.
            towers: what ``towers`` said before the tile was laid; None for no action on towers.

        """
        here = () if towers is None else self._with_tile(laid, towers)
        mover = self.turn[0]
        captors = [c for c in range(self.players) if self.held[c * self.players + mover]]
        rich = self.score[mover] >= PRICE_OF_A_FOLLOWER
        found: list[Turn] = []
        for turn in self._actions(laid, here, alike=alike):
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
            found += self._actions(laid, here, alike=alike, captor=captor)
            self.undo(mark)
        return found

    def passes(self) -> list[Turn]:
        """Return every legal turn for which no tile is left that has a place."""
        return self.on_place(Turn(NOTHING, NOTHING, 0), [], alike=True, towers=self.towers())

    def exposed(self, kind: int, cells: Iterable[int]) -> set[int]:
        """Return the nodes on which the player to move may take followers prisoner.

        Args:
            kind: index of the kind of tile that he lays.
            cells: towers on these cells may be raised, by the rules.

        """
        if not self.raises(kind):
            return set()
        towers = self._ways(found) if (found := self._open(cells)) else []
        return {taken for tower in towers for taken, _ in tower.raised if taken >= 0}

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

    def _actions(
        self, laid: Turn, towers: Sequence[OpenTower], *, alike: bool, captor: int = NOTHING
    ) -> list[Turn]:
        """Return a turn without an action, with a follower, then with each action on a tower."""
        cell, kind, rotation = laid[:3]
        none, turn = NOTHING, Turn
        found = [turn(cell, kind, rotation, none, none, none, none, none, captor)]
        if cell >= 0:
            found += [
                turn(cell, kind, rotation, segment, none, none, none, none, captor)
                for segment in self.claimable(kind, alike=alike)
            ]
        able = self.supply[self.turn[0]] > 0
        # Once nobody has a piece left it is the same which tower a guard completes.
        each = alike or any(self.pieces)
        for tower, raised, tall in towers:
            found += [
                turn(cell, kind, rotation, none, tower, taken, freed, none, captor)
                for taken, freed in raised
            ]
            if able and tall:
                found.append(turn(cell, kind, rotation, none, none, none, none, tower, captor))
                able = each
        return found

    def buys(self, player: int) -> bool:
        """Tell whether a player may buy a follower back at once."""
        held = any(self.held[captor * self.players + player] for captor in range(self.players))
        return held and self.score[player] >= PRICE_OF_A_FOLLOWER

    def _open(self, cells: Iterable[int]) -> list[int]:
        """Return those of some cells on which a tower may be raised, begun or not."""
        lies = self.board.lie
        return [
            cell
            for cell in cells
            if self.places[lies[cell] // 4] and self.guard[cell] < 0 and not self.shut[cell]
        ]

    def reaching(self, node: int) -> list[int]:
        """Return the cells of the towers that reach a node once they are raised by one."""
        board = self.board
        cell = board.cell[node // board.tables.width]
        return [t for t in self._open(board.cell) if self._reaches(t, self.height[t] + 1, cell)]

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
