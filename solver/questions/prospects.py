"""What a tile would make of the features in a castle, and the ways to score a turn, at a glance.

A player who looks at every place of a tile needs this hundreds of times a turn. It tells what
stands on the board and what points it is worth now; what it promises, a player judges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from model.components import Rank
from model.geometry import PORTS
from model.tiles import Kind
from solver.falcon.ending import worth_of
from solver.falcon.state import FalconState
from solver.final_value import A_MARKET
from solver.game_state import RANKS, GameState, Turn
from solver.questions.rehearsal import Rehearsal
from solver.tables import COURT, KINDS

NOBODY = -1


class Stake(NamedTuple):
    """A feature with the followers on it, and what it is worth to whom it belongs."""

    kind: Kind
    men: tuple[int, int]
    """Followers of each player."""
    leader: int
    """Who has more of them, or -1."""
    size: int
    """Its tiles."""
    gaps: int
    """Empty cells that it faces."""
    points: int
    """What it brings its leader, scored as it is; a court at the end."""
    tokens: int
    """Aerie tokens that it brings him."""
    times: int
    """By how much his king multiplies what it brings."""

    @property
    def finished(self) -> bool:
        """Whether it is scored in play as it stands; walled-in holes are not looked at."""
        return not self.gaps and self.kind is not Kind.COURT


class Claim(NamedTuple):
    """A follower that may be placed with a tile, on a feature without one."""

    segment: int
    """Segment of the tile."""
    rank: Rank
    stake: Stake
    """The feature with him on it."""


class Prospect(NamedTuple):
    """A place of a tile, with what changes there."""

    at: int
    """Index of the tile among those to come; those before it have no place."""
    cell: int
    kind: int
    rotation: int
    before: tuple[Stake, ...]
    """The claimed features that the tile touches."""
    after: tuple[Stake, ...]
    """What becomes of them."""
    claims: tuple[Claim, ...]
    """The followers that may be placed; on a feature of several segments of the tile, once."""


class Way(NamedTuple):
    """A turn: one way to score a place and a follower."""

    at: int
    """As in ``Prospect``."""
    turn: Any
    """The turn as the incremental state of the game knows it."""
    takes: tuple[int, int]
    """Wall tiles that the mover takes, and those that his opponent takes."""
    bonus: int
    """Points that the mover wins besides those that his features are worth."""
    doublers: int
    """Wall tiles 2 and 3 that are used."""
    extra: int
    """Wall tiles 1 that are played."""


def prospects(walk: Rehearsal) -> list[Prospect]:
    """Return every place of the next tile that has one; none if no tile has one.

    Args:
        walk: a game in a castle.

    """
    state = walk.state
    assert isinstance(state, GameState)
    for at in range(walk.at, len(walk.order)):
        kind = state.board.kind_index[walk.order[at]]
        if found := list(_prospects(state, at, kind, last=at == len(walk.order) - 1)):
            return found
    return []


def _prospects(state: GameState, at: int, kind: int, *, last: bool) -> Iterator[Prospect]:
    """Yield every place of a tile."""
    board = state.board
    standing = [(root, board.faces[root], _stake(state, root)) for root in state.occupied()]
    for cell, rotation in list(board.places(kind)):
        mark = state.mark()
        done = board.lay(cell, kind, rotation)
        touched = [(root, stake) for root, faces, stake in standing if faces >> cell & 1]
        claims = state.claimable(cell, kind, done, last=last, alike=False)
        yield Prospect(
            at=at,
            cell=cell,
            kind=kind,
            rotation=rotation,
            before=tuple(stake for _, stake in touched),
            after=tuple(_stake(state, root) for root in {board.find(root) for root, _ in touched}),
            claims=tuple(
                Claim(segment, RANKS[rank], _claimed(state, cell * PORTS + segment, rank))
                for segment, _, rank in claims
                if segment >= 0
            ),
        )
        state.undo(mark)


def _claimed(state: GameState, node: int, rank: int) -> Stake:
    """Return a feature with a follower of the mover placed on it."""
    mark = state.mark()
    state.place(rank, node)
    stake = _stake(state, state.board.find(node))
    state.undo(mark)
    return stake


def _stake(state: GameState, root: int) -> Stake:
    """Return a feature with its followers."""
    board = state.board
    men = board.men[2 * root], board.men[2 * root + 1]
    leader = NOBODY if men[0] == men[1] else int(men[0] < men[1])
    points, tokens, times = (0, 0, 1) if leader == NOBODY else _won(state, root, leader)
    return Stake(
        kind=KINDS[board.kind[root]],
        men=men,
        leader=leader,
        size=board.mask[root].bit_count(),
        gaps=board.needs(root).bit_count(),
        points=points,
        tokens=tokens,
        times=times,
    )


def _won(state: GameState, root: int, leader: int) -> tuple[int, int, int]:
    """Return the points and tokens that a feature brings its leader, and how a king multiplies."""
    court = state.board.kind[root] == COURT
    if not isinstance(state, FalconState):
        return A_MARKET * state.board.markets[root] if court else state.worth(root), 0, 1
    found = worth_of(state, root, leader) if court else state.claim(root, leader)
    tokens = (found.aeries & ~state.gone[0]).bit_count() + found.more
    return found.points, tokens, state.factor(root, leader)


def ways(walk: Rehearsal, prospect: Prospect, claim: Claim | None) -> list[Way]:
    """Return every way to score a place and a follower.

    Args:
        walk: the game.
        prospect: one of its ``prospects``.
        claim: one of those of the prospect; None to place no follower.

    """
    state = walk.state
    assert isinstance(state, GameState)
    found = state.turns_on(
        prospect.cell,
        prospect.kind,
        prospect.rotation,
        last=prospect.at == len(walk.order) - 1,
        alike=False,
        segment=claim.segment if claim else NOBODY,
    )
    rank = RANKS.index(claim.rank) if claim else 0
    return [_way(state, prospect.at, turn) for turn in found if turn.rank == rank]


def _way(state: GameState, at: int, turn: Turn) -> Way:
    """Return a turn with what sets it apart from others on the same place."""
    me, plan = state.turn[0], turn.plan
    mine = sum(taker == me for _, taker in plan.takes)
    plain = sum(claim.points for claim in plan.claims if claim.winner == me)
    return Way(
        at=at,
        turn=turn,
        takes=(mine, len(plan.takes) - mine),
        bonus=plan.scores[me] - state.score[me] - plain,
        doublers=sum(len(numbers) for _, numbers in plan.doubled),
        extra=turn.extra,
    )
