"""Markers on the track: which orders of scoring lead to which wall tiles taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from burgrave.model.boards import Board
from burgrave.model.book import book_of
from burgrave.model.claims import Claim, claimed
from burgrave.model.components import Marker
from burgrave.model.position import Position, ScoreStep
from burgrave.model.rules.castle.wall_tiles import TAKE
from burgrave.model.switches import WALL_TAKE_MOMENT


class Take(NamedTuple):
    """A wall tile taken from a corner tower."""

    tower: str
    player: int


class Markers(NamedTuple):
    """The places of the markers after some features scored, and the wall tiles taken."""

    places: tuple[Marker, ...]
    """The place of each player's marker."""
    takes: tuple[Take, ...]
    """Sorted, so that equal outcomes are equal values."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of the players."""
        return tuple(place.score for place in self.places)


def points(claim: Claim, steps: Sequence[ScoreStep]) -> int:
    """Return the points of a feature for its scorer, doubled by every wall tile used on it."""
    used = sum(len(step.wall_tiles) for step in steps if step.node in claim.feature.nodes)
    return int(claim.points * 2**used)


def outcomes(
    position: Position, claims: Sequence[Claim], steps: Sequence[ScoreStep]
) -> dict[Markers, tuple[int, ...]]:
    """Return the outcomes of all orders of scoring that a move leaves open.

    Args:
        position: the position before the turn.
        claims: the features completed in the turn.
        steps: the scoring steps of the move. Within each player's features the listed ones
            come first, in the order listed; the others follow in any order.

    Returns:
        For each outcome the first order that leads there, as indices of claims.

    """
    each = position.game.value(WALL_TAKE_MOMENT) == "each_feature"
    mover = position.to_move
    listed = [index for step in steps if (index := claimed(claims, step)) is not None]
    scored = [index for index, claim in enumerate(claims) if claim.winner is not None]
    players = [mover, *(p for p in range(len(position.players)) if p != mover)]
    start = Markers(tuple(player.marker for player in position.players), ())
    states: dict[tuple[frozenset[int], Markers], tuple[int, ...]] = {(frozenset(scored), start): ()}
    for _ in scored:
        following: dict[tuple[frozenset[int], Markers], tuple[int, ...]] = {}
        for (left, markers), order in states.items():
            for index in _next(left, claims, listed, players):
                moved = _advance(position, markers, claims[index], points(claims[index], steps))
                if each:
                    moved = _land(position, moved, claims[index].winner)
                key = (left - {index}, moved)
                following[key] = min(following.get(key, (*order, index)), (*order, index))
        states = following
    ends: dict[Markers, tuple[int, ...]] = {}
    for (_, markers), order in states.items():
        end = markers
        if not each:
            for player in players:
                if markers.places[player] != start.places[player]:
                    end = _land(position, end, player)
        ends[end] = min(ends.get(end, order), order)
    return ends


def _next(
    left: frozenset[int], claims: Sequence[Claim], listed: Sequence[int], players: Sequence[int]
) -> Iterator[int]:
    """Yield the claims that may be scored next: the mover's first, listed ones before others."""
    for player in players:
        own = [index for index in sorted(left) if claims[index].winner == player]
        if own:
            named = [index for index in listed if index in own]
            yield from named[:1] or own
            return


def _advance(position: Position, markers: Markers, claim: Claim, gained: int) -> Markers:
    """Move the scorer's marker by what the feature brings."""
    march = book_of(position.game).march
    places = tuple(
        march(position.game, place, gained).marker if player == claim.winner else place
        for player, place in enumerate(markers.places)
    )
    return markers._replace(places=places)


def _land(position: Position, markers: Markers, player: int | None) -> Markers:
    """Let a marker take the wall tile of the tower on which it stands, if any."""
    if player is None or markers.places[player].at_gate:
        return markers
    board: Board = position.game.board
    gone = {take.tower for take in markers.takes}
    there = {tower: number for tower, number in position.towers if tower not in gone}
    tower = TAKE(board, there, markers.scores[player])
    if tower is None:
        return markers
    return markers._replace(takes=tuple(sorted((*markers.takes, Take(tower.name, player)))))
