"""Play a legal move of Carcassonne: the position after the turn and its events.

A turn goes through the phases that the book names. Each changes the position and tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from burgrave.model.book import book_of
from burgrave.model.components import Follower
from burgrave.model.course import Course
from burgrave.model.draws import after_draw
from burgrave.model.features import Feature
from burgrave.model.placement import Placement
from burgrave.model.position import Move, Position
from burgrave.model.results import Played
from burgrave.model.rule import Event
from burgrave.model.rules.carcassonne.followers import RETURN
from burgrave.model.rules.carcassonne.placement import NONE
from burgrave.model.rules.carcassonne.scoring import MAJORITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A feature completed in a turn, with its followers and each player's points."""

    feature: Feature
    followers: tuple[Follower, ...]
    """Followers on it after the action: those placed in it, without the one taken from it."""
    winners: tuple[int, ...]
    rule: str
    """Id of the rule that says its points."""
    points: int
    """Its points for each winner."""


def resolve(placement: Placement, move: Move) -> Played:
    """Play a legal move that lays a tile.

    Args:
        placement: the tile of the move on its cell.
        move: a legal move; legality is not tested.

    """
    return _played(placement.position, placement, move)


def pass_turn(position: Position, move: Move) -> Played:
    """Play a legal move for which no tile is left that has a place."""
    return _played(position, None, move)


def _played(position: Position, placement: Placement | None, move: Move) -> Played:
    """Go through the phases of a turn; then the next player is to move."""
    course = Course(position=position, placement=placement, move=move)
    events = [event for phase in book_of(position.game).course for event in phase(course)]
    order, bag = after_draw(position, move)
    tiles = position.tiles if placement is None else (*position.tiles, placement.tile)
    after = replace(
        course.position,
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        order=order,
        bag=bag,
        discarded=(*position.discarded, *move.discards),
        to_move=(position.to_move + 1) % len(position.players),
    )
    return Played(after, tuple(events))


def discard(course: Course) -> Iterator[Event]:
    """Throw away the tiles that had no place."""
    for tile in course.move.discards:
        yield Event(rules=(NONE.id,), text=f"tile {tile} has no place and leaves the game")


def deploy(course: Course) -> Iterator[Event]:
    """Place the follower of the move, of which no event tells."""
    position = course.position
    new = [deployment.by(position.to_move) for deployment in course.move.followers]
    ranks = [follower.rank for follower in new]
    course.change(position.to_move, lambda state: state.without(ranks))
    course.position = replace(course.position, followers=tuple(sorted([*position.followers, *new])))
    yield from ()


def score(course: Course) -> Iterator[Event]:
    """Score the features that the tile completes; their followers go home."""
    if course.placement is not None:
        awards = awarded(course.placement, course.position.followers)
        events = tuple(_score_events(course.position, awards))
        course.position = _scored(course.position, awards, events)
        yield from events


COURSE = (discard, deploy, score)
"""The phases of a turn of Carcassonne after the tile."""


def awarded(placement: Placement, followers: tuple[Follower, ...]) -> tuple[Award, ...]:
    """Return the completed features, with the followers on them after the action.

    Args:
        placement: the tile on its cell.
        followers: the followers on the board after the action.

    """
    game = placement.position.game
    found = []
    for feature in placement.completed:
        nodes = frozenset(feature.nodes)
        here = tuple(follower for follower in followers if follower.node in nodes)
        rule, points = book_of(game).completed(game, feature)
        found.append(
            Award(
                feature=feature,
                followers=here,
                winners=MAJORITY(game, here),
                rule=rule,
                points=points,
            )
        )
    return tuple(found)


def _scored(position: Position, awards: tuple[Award, ...], events: tuple[Event, ...]) -> Position:
    """Return the position with the points of some events, the followers of awards at home."""
    home = {follower.node for award in awards for follower in award.followers}
    players = []
    for index, state in enumerate(position.players):
        won = sum(event.points for event in events if event.player == index)
        back = [f.rank for award in awards for f in award.followers if f.player == index]
        players.append(replace(state, score=state.score + won).with_back(back))
    standing = tuple(f for f in position.followers if f.node not in home)
    return replace(position, players=tuple(players), followers=standing)


def _score_events(position: Position, awards: tuple[Award, ...]) -> Iterator[Event]:
    """Yield an event for every completed feature and scorer, then one for every way home."""
    game = position.game
    for award in awards:
        cells = tuple(sorted(award.feature.cells))
        where = f"the {award.feature} at {award.feature.anchor.cell}"
        for winner in award.winners:
            yield Event(
                rules=(award.rule, MAJORITY.id),
                text=f"{game.name(winner)} scores {where}: {award.points}",
                player=winner,
                points=award.points,
                cells=cells,
                anchor=award.feature.anchor,
            )
        if not award.winners:
            why = "is tied" if award.followers else "has no follower"
            text = f"{where} {why}: nobody scores"
            anchor = award.feature.anchor
            yield Event(rules=(MAJORITY.id,), text=text, cells=cells, anchor=anchor)
    for award in awards:
        for follower in award.followers:
            yield Event(
                rules=(RETURN.id,),
                text=f"{game.name(follower.player)}'s {follower.title} on {follower.node.cell}"
                " goes home",
                player=follower.player,
                cells=(follower.node.cell,),
            )
