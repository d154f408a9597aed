"""Turns each of which is the best if the game ended after it: a guess, with nothing proved."""

from __future__ import annotations

from dataclasses import replace

from model.draws import draws
from model.position import Move
from solver.problem import Goal, Play, Problem
from solver.progress import SILENT
from solver.search.walk import NONE, Totals, Walk


class Greedy:
    """Plays the game of a problem by looking no further than a turn."""

    def __init__(self, problem: Problem) -> None:
        """Take over the position of a problem; who wants to win is taken to want the lead."""
        self.problem = replace(problem, goal=Goal.LEAD) if problem.goal is Goal.WIN else problem
        self.position = problem.begin(problem.position)
        self.walk = Walk(self.position, SILENT)

    def first(self) -> tuple[Move, ...]:
        """Return a first move for every tile that may be drawn, in the order of the rules engine.

        Of a turn in which a face-down wall tile is taken, it is one that begins as the best does.
        """
        tiles = len(self.position.order) + len(self.position.bag)
        known: dict[tuple[int, bool], int] = {}
        moves = []
        for draw in draws(self.position, lambda _, tile: self.walk.placeable(self.walk.kind(tile))):
            last = len(draw.discards) + (draw.tile is not None) == tiles
            kind = NONE if draw.tile is None else self.walk.kind(draw.tile)
            if (kind, last) not in known:
                known[kind, last] = self._best(kind, last=last)
            moves.append(self.walk.move(known[kind, last], draw.discards))
        return tuple(moves)

    def line(self) -> tuple[tuple[Move, ...], Totals]:
        """Return moves to the end, or to the horizon, and what each player has then.

        Tiles of a bag come in the order of their ids. No wall tile may lie face down.
        """
        tiles = [*self.position.order, *sorted(self.position.bag)]
        until = max(0, len(tiles) - (self.problem.horizon or len(tiles)))
        moves = []
        while len(tiles) > until:
            at, kind = next(
                (
                    (i, k)
                    for i, k in enumerate(map(self.walk.kind, tiles))
                    if self.walk.placeable(k)
                ),
                (len(tiles), NONE),
            )
            gone, tiles = tuple(tiles[:at]), tiles[at + 1 :]
            turn = self._best(kind, last=not tiles)
            moves.append(self.walk.move(turn, gone))
            self.walk.play(turn, last=not tiles)
            if self.problem.play is Play.SOLITAIRE and tiles:
                self.walk.hand_over(self.problem.asker)
        return tuple(moves), self.walk.standing() if tiles else self.walk.totals()

    def _best(self, kind: int, *, last: bool) -> int:
        """Return the best turn with a kind of tile, or without one.

        Of equal ones it is one with a follower if that may help whom the mover plays for.
        """
        mover, walk = self.walk.mover, self.walk
        found = []
        for turn in walk.turns(kind, last=last):
            walk.play(turn, last=last)
            found.append((self.problem.liking(mover, self.problem.worths(*walk.totals())), turn))
            walk.undo()
        top = max(liking for liking, _ in found)
        equal = [turn for liking, turn in found if liking == top]
        gains = mover == self.problem.asker or not self.problem.serves(mover)
        placing = (turn for turn in equal if bool(walk.move(turn, ()).followers) is gains)
        return next(placing, equal[0])
