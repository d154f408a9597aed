"""In what a move differs from the best one: the kind of a mistake, and the phase of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from burgrave.model.components import Role
from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import judge, play
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.fitting import fillable
from burgrave.model.position import Move, PlayerState, Position
from burgrave.puzzles.games.review import ReviewedTurn

Phase: TypeAlias = Literal["opening", "middle", "ending"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""Thirds of a game, by the tiles to come."""
MistakeKind: TypeAlias = Literal[
    "farm", "follower kept", "follower wasted", "blocked cell", "helped", "other follower", "place"
]
KINDS: tuple[MistakeKind, ...] = get_args(MistakeKind)
"""Kinds of mistakes. A move that differs from the best one in several ways is of the first kind
that is true of it:

- farm: one of both moves places a farmer, and the other does not;
- follower kept: the best move places a follower, and the move played does not;
- follower wasted: the other way round;
- blocked cell: after the move played fewer of the opponents' followers, or more of the player's own
  ones, stand on features that face a cell which no tile to come fits;
- helped: an opponent would have more points if the game ended now;
- other follower: both place one, on features of different kinds;
- place: all else.
"""
HELPED = 2
"""Points by which an opponent has more after a move that helped him."""


def phase_of(position: Position) -> Phase:
    """Return the phase of the game before a turn."""
    left = len(position.order) + len(position.bag)
    share = left / (left + len(position.tiles))
    return PHASES[min(2, int(3 * (1 - share)))]


def kind_of(position: Position, turn: ReviewedTurn) -> MistakeKind | None:
    """Return the kind of a mistake.

    Args:
        position: the position in which the turn was played.
        turn: the turn.

    Returns:
        The kind; None if the move is the best one, or if there was no choice.

    """
    seen = as_seen(position)
    if turn.played == turn.best or stuck(seen) == len(seen.order):
        return None
    played, best = turn.played, turn.best
    if _farms(played) != _farms(best):
        return "farm"
    if bool(played.followers) != bool(best.followers):
        return "follower wasted" if played.followers else "follower kept"
    after, better = _after(seen, played), _after(seen, best)
    if after is not None and better is not None:
        player = position.to_move
        mine, theirs = _trapped(after, player)
        mine_better, theirs_better = _trapped(better, player)
        if mine > mine_better or theirs < theirs_better:
            return "blocked cell"
        if _opponents(after, player) >= _opponents(better, player) + HELPED:
            return "helped"
    roles = [[one.role for one in move.followers] for move in (played, best)]
    return "place" if roles[0] == roles[1] else "other follower"


def _farms(move: Move) -> bool:
    """Tell whether a move places a farmer."""
    return any(one.role is Role.FARMER for one in move.followers)


def _after(position: Position, move: Move) -> Position | None:
    """Return the position after a move; None if it turns over a wall tile that nobody knows."""
    return play(position, move).position if judge(position, move).legal else None


def _trapped(position: Position, player: int) -> tuple[int, int]:
    """Return how many followers of a player, and of all others, are trapped.

    Their features face a cell that no tile to come fits.
    """
    claimed = [feature for feature in position_features(position) if feature.followers]
    faced = {cell for feature in claimed for cell in feature.empty_cells()}
    blocked = {cell for cell in faced if not fillable(position, cell)}
    mine = theirs = 0
    for feature in claimed:
        if feature.empty_cells() & blocked:
            own = feature.number_of(player)
            mine += own
            theirs += len(feature.followers) - own
    return mine, theirs


def _opponents(position: Position, player: int) -> int:
    """Return the most points of an opponent if the game ended now.

    A wall tile without a number, which the player may just have taken, counts nothing.
    """
    players = tuple(map(_without_unknown, position.players))
    scores = final_scoring(replace(position, order=(), bag=(), players=players)).scores
    return max((score for one, score in enumerate(scores) if one != player), default=0)


def _without_unknown(state: PlayerState) -> PlayerState:
    """Return a player's possessions but for wall tiles that lie face down."""
    return replace(
        state,
        wall_tiles=tuple(filter(None, state.wall_tiles)),
        fresh_wall_tiles=tuple(filter(None, state.fresh_wall_tiles)),
    )
