"""Every place of a tile, with the facts by which a player compares places.

A castle player rates the features beside a place, then the ways to score. On a plane he rates the
lead after the tile, then the turns on promising places. The simulation reports the board; a player
judges its chances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from model.components import Rank
from puzzles.selfplay.rehearsal import Rehearsal
from solver.simulation import Outcome, Scoring, Stake

if TYPE_CHECKING:
    from solver.simulation import CastleSimulation, PlaneSimulation


class Claim(NamedTuple):
    """A follower that may be placed with a tile, on a feature without one."""

    segment: int
    """Segment of the tile."""
    rank: Rank
    stake: Stake
    """The feature with him on it."""


class Prospect(NamedTuple):
    """A place of a tile in a castle, with what changes there."""

    at: int
    """Index of the tile among those to come; those before it have no place."""
    cell: int
    rotation: int
    before: tuple[Stake, ...]
    """The claimed features that the tile touches."""
    after: tuple[Stake, ...]
    """The new features."""
    claims: tuple[Claim, ...]
    """The followers that may be placed; on a feature of several segments of the tile, once."""


class Spot(NamedTuple):
    """A place of a tile on a plane."""

    at: int
    """As in ``Prospect``."""
    cell: int
    rotation: int
    lead: int
    """The lead of who lays it, if he did no more and the game ended."""
    claimed: int | None
    """The most that it would be if he placed a follower; None if he may place none."""


def prospects(walk: Rehearsal) -> list[Prospect]:
    """Return every place of the next tile that has one; none if no tile has one.

    Args:
        walk: a game in a castle.

    """
    game, (at, places) = _castle(walk), walk.next_places()
    if not places:
        return []
    standing = [(one, game.gaps(one), game.stake(one)) for one in game.occupied()]
    found, last = [], at == len(walk.order) - 1
    for cell, rotation in places:
        laid, mark = (walk.order[at], cell, rotation), game.mark()
        game.lay(*laid)
        touched = [(one, stake) for one, gaps, stake in standing if cell in gaps]
        grown = {game.feature_of(one) for one, _ in touched}
        found.append(
            Prospect(
                at=at,
                cell=cell,
                rotation=rotation,
                before=tuple(stake for _, stake in touched),
                after=tuple(game.stake(one) for one in grown),
                claims=tuple(Claim(*claim) for claim in game.claims(laid, last=last)),
            )
        )
        game.undo(mark)
    return found


def ways(walk: Rehearsal, prospect: Prospect, claim: Claim | None) -> list[Scoring]:
    """Return every way to score a place and a follower.

    Args:
        walk: the game.
        prospect: one of its ``prospects``.
        claim: one of those of the prospect; None to place no follower.

    """
    return _castle(walk).scorings(
        (walk.order[prospect.at], prospect.cell, prospect.rotation),
        None if claim is None else (claim.segment, claim.rank),
        last=prospect.at == len(walk.order) - 1,
    )


def spots(walk: Rehearsal) -> list[Spot]:
    """Return every place of the next tile that has one; none if no tile has one.

    Args:
        walk: a game of Carcassonne, with or without The Tower.

    """
    game, (at, places) = _plane(walk), walk.next_places()
    return [Spot(at, *place, *game.leads((walk.order[at], *place))) for place in places]


def on_spot(walk: Rehearsal, spot: Spot) -> list[Outcome]:
    """Return every turn on a place, with its outcome.

    Args:
        walk: the game.
        spot: one of its ``spots``.

    """
    game, laid = walk.game, (walk.order[spot.at], spot.cell, spot.rotation)
    mark, towers, last = game.mark(), game.towers(), spot.at == len(walk.order) - 1
    done = game.lay(*laid)
    found = list(game.outcomes(laid, done, last=last, alike=False, towers=towers))
    game.undo(mark)
    return found


def _castle(walk: Rehearsal) -> CastleSimulation:
    """Return a game in a castle."""
    assert not walk.start.game.board.endless
    return cast("CastleSimulation", walk.game)


def _plane(walk: Rehearsal) -> PlaneSimulation:
    """Return a game on a plane."""
    assert walk.start.game.board.endless
    return cast("PlaneSimulation", walk.game)
