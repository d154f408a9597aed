"""The phases that The Tower adds to a turn: ransoms, tower pieces, prisoners, guards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from burgrave.model.carcassonne.resolution import deploy, discard, score
from burgrave.model.components import Node, Rank
from burgrave.model.course import Course
from burgrave.model.expansions.tower.actions import GUARD_PLACE, PIECE_PLACE
from burgrave.model.expansions.tower.capture import OPPONENT, REACH
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.expansions.tower.prisoners import (
    EXCHANGE,
    PRICE,
    PRICE_OF_A_FOLLOWER,
    PRISONER,
    exchanged,
    paid,
)
from burgrave.model.expansions.tower.switches import TOWER_REOPENS
from burgrave.model.expansions.tower.towers import raised, taken_by
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.rule import Event
from burgrave.model.stage import Stage


def buy_early(course: Course) -> Iterator[Event]:
    """Pay the ransom before the action."""
    yield from _ransom(course, late=False)


def act(course: Course) -> Iterator[Event]:
    """Place a tower piece, take a prisoner, or close a tower."""
    stage, move = Stage(position=course.position, placement=course.placement), course.move
    mover = stage.position.to_move
    yield from _action_events(stage, move)
    gone = [Node(c.cell, c.segment) for c in move.captures if c.segment is not None]
    course.change(mover, partial(_spent, move=move))
    standing = tuple(one for one in course.position.followers if one.node not in gone)
    risen = Towers(built=_towers(stage, move))
    course.position = replace(course.position, followers=standing).with_part(risen)
    for capture in move.captures:
        taken = taken_by(stage, capture)
        if taken is not None and taken.owner == mover:
            back = partial(PlayerState.with_back, ranks=[taken.rank])
            course.change(mover, back)
        elif taken is not None:
            players = EXCHANGE(course.position, mover, taken, capture.back)
            course.position = replace(course.position, players=players)


def _spent(state: PlayerState, move: Move) -> PlayerState:
    """Return the player to move without the tower pieces and the guards that he places."""
    had = state.part(TowerHoldings)
    left = replace(had, pieces=had.pieces - len(move.pieces))
    return state.with_part(left).without([guard.rank for guard in move.guards])


def buy_late(course: Course) -> Iterator[Event]:
    """Pay the ransom after scoring."""
    yield from _ransom(course, late=True)


COURSE = (discard, buy_early, act, deploy, score, buy_late)
"""The phases of a turn with The Tower after the tile."""


def _ransom(course: Course, *, late: bool) -> Iterator[Event]:
    """Pay the ransom of a time."""
    yield from _ransom_events(course.position, course.move, late=late)
    now = [ransom for ransom in course.move.ransoms if ransom.late is late]
    course.position = paid(course.position, now)


def _ransom_events(position: Position, move: Move, *, late: bool) -> Iterator[Event]:
    """Yield two events for every ransom: who pays, and who gets."""
    name = position.game.name(position.to_move)
    for ransom in move.ransoms:
        if ransom.late is not late:
            continue
        captor = position.game.name(ransom.captor)
        yield Event(
            rules=(PRICE.id, PRISONER.id),
            text=f"{name} buys a {ransom.rank.called} back from {captor}",
            player=position.to_move,
            points=-PRICE_OF_A_FOLLOWER,
        )
        yield Event(
            rules=(PRICE.id,),
            text=f"{captor} gets the ransom: {PRICE_OF_A_FOLLOWER}",
            player=ransom.captor,
            points=PRICE_OF_A_FOLLOWER,
        )


def _action_events(stage: Stage, move: Move) -> Iterator[Event]:
    """Yield events for tower pieces, prisoners and guards."""
    position, mover, name = stage.position, stage.position.to_move, stage.mover_name
    for cell in move.pieces:
        text = f"{name} raises the tower on {cell} to {raised(stage, cell).height}"
        yield Event(rules=(PIECE_PLACE.id,), text=text, player=mover, cells=(cell,))
    for capture in move.captures:
        taken = taken_by(stage, capture)
        if taken is None:
            continue
        other = position.game.name(taken.owner)
        what = "guard" if capture.segment is None else taken.rank.called
        if taken.owner == mover:
            text = f"{name} takes back his own {what} on {capture.cell}"
            ids: tuple[str, ...] = (REACH.id, OPPONENT.id)
        elif exchanged(position, mover, taken):
            text = f"{name} takes {other}'s {what} on {capture.cell}: prisoners are exchanged"
            ids = (REACH.id, EXCHANGE.id)
        else:
            text = f"{name} takes {other}'s {what} on {capture.cell} prisoner"
            ids = (REACH.id,)
        yield Event(rules=ids, text=text, player=mover, cells=(capture.cell,))
    for cell, rank in move.guards:
        text = f"{name} closes the tower on {cell} with a {rank.called}"
        yield Event(rules=(GUARD_PLACE.id,), text=text, player=mover, cells=(cell,))


def _towers(stage: Stage, move: Move) -> tuple[Tower, ...]:
    """Return the towers after the action."""
    towers = {tower.cell: tower for tower in stage.position.part(Towers).built}
    for capture in move.captures:
        if capture.segment is None:
            shut = stage.position.game.value(TOWER_REOPENS) == "off"
            bare = towers[capture.cell]._replace(guard=None, rank=Rank.FOLLOWER)
            towers[capture.cell] = bare._replace(closed=shut)
    for cell in move.pieces:
        towers[cell] = raised(stage, cell)
    for cell, rank in move.guards:
        towers[cell] = towers[cell]._replace(guard=stage.position.to_move, rank=rank)
    return tuple(towers[cell] for cell in sorted(towers))
