"""Play a legal move of Carcassonne: the position after the turn and its events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, Tower
from burgrave.model.draws import after_draw
from burgrave.model.features import Feature
from burgrave.model.placement import Placement
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.results import Played
from burgrave.model.rule import Event
from burgrave.model.rules.carcassonne.followers import RETURN
from burgrave.model.rules.carcassonne.placement import NONE
from burgrave.model.rules.carcassonne.scoring import MAJORITY
from burgrave.model.rules.tower.actions import GUARD_PLACE, PIECE_PLACE
from burgrave.model.rules.tower.capture import OPPONENT, REACH
from burgrave.model.rules.tower.prisoners import (
    EXCHANGE,
    PRICE,
    PRICE_OF_A_FOLLOWER,
    PRISONER,
    paid,
)
from burgrave.model.stage import Stage
from burgrave.model.switches import TOWER_REOPENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """A feature completed in a turn, with its followers and each player's points."""

    feature: Feature
    followers: tuple[Follower, ...]
    """Followers on it after the action: those placed in it, without the one taken from it."""
    winners: tuple[int, ...]
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


def staged(position: Position, placement: Placement | None, move: Move) -> Stage:
    """Return the table at the moment of the action: the early ransoms of the move are paid."""
    at_action = paid(position, [ransom for ransom in move.ransoms if not ransom.late])
    return Stage(position=at_action, placement=placement)


def _played(position: Position, placement: Placement | None, move: Move) -> Played:
    """Go through a turn: discards, ransom, action, scoring, late ransom."""
    events = list(_discard_events(move))
    events += _ransom_events(position, move, late=False)
    stage = staged(position, placement, move)
    acted = _acted(stage, move)
    events += _action_events(stage, move)
    if placement is not None:
        awards = awarded(placement, acted.followers)
        events += _score_events(acted, awards)
        acted = _scored(acted, awards)
    events += _ransom_events(acted, move, late=True)
    late = paid(acted, [ransom for ransom in move.ransoms if ransom.late])
    order, bag = after_draw(position, move)
    after = replace(
        late,
        tiles=tuple(sorted(stage.board.values(), key=lambda tile: tile.cell)),
        order=order,
        bag=bag,
        discarded=(*position.discarded, *move.discards),
        to_move=(position.to_move + 1) % len(position.players),
    )
    return Played(after, tuple(events))


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
        found.append(
            Award(
                feature=feature,
                followers=here,
                winners=MAJORITY(game, here),
                points=book_of(game).worth[feature.kind](game, feature),
            )
        )
    return tuple(found)


def _acted(stage: Stage, move: Move) -> Position:
    """Return the position after the action, the new tile not yet among its tiles."""
    position = stage.position
    mover = position.to_move
    new = [deployment.by(mover) for deployment in move.followers]
    gone = [Node(c.cell, c.segment) for c in move.captures if c.segment is not None]
    standing = [follower for follower in position.followers if follower.node not in gone]
    used = replace(
        position.players[mover],
        supply=stage.mover.supply - len(new) - len(move.guards),
        pieces=stage.mover.pieces - len(move.pieces),
    )
    acted = replace(
        position,
        players=_with(position, mover, used),
        followers=tuple(sorted([*standing, *new])),
        built=_towers(stage, move),
    )
    for capture in move.captures:
        owner = stage.owner(capture)
        if owner is not None:
            acted = replace(acted, players=_taken(acted, owner))
    return acted


def _with(position: Position, player: int, state: PlayerState) -> tuple[PlayerState, ...]:
    """Return the players with one of them changed."""
    players = list(position.players)
    players[player] = state
    return tuple(players)


def _taken(position: Position, owner: int) -> tuple[PlayerState, ...]:
    """Return the players once the mover has taken a follower; an own one goes home."""
    mover = position.to_move
    if owner == mover:
        state = position.players[mover]
        return _with(position, mover, replace(state, supply=state.supply + 1))
    return EXCHANGE(position, mover, owner)


def _towers(stage: Stage, move: Move) -> tuple[Tower, ...]:
    """Return the towers after the action."""
    towers = {tower.cell: tower for tower in stage.position.built}
    for capture in move.captures:
        if capture.segment is None:
            shut = stage.position.game.value(TOWER_REOPENS) == "off"
            towers[capture.cell] = towers[capture.cell]._replace(guard=None, closed=shut)
    for cell in move.pieces:
        towers[cell] = stage.raised(cell)
    for cell in move.guards:
        towers[cell] = towers[cell]._replace(guard=stage.position.to_move)
    return tuple(towers[cell] for cell in sorted(towers))


def _scored(position: Position, awards: tuple[Award, ...]) -> Position:
    """Return the position once the completed features are scored and their followers home."""
    home = {follower.node for award in awards for follower in award.followers}
    players = []
    for index, state in enumerate(position.players):
        won = sum(award.points for award in awards if index in award.winners)
        back = sum(f.player == index for award in awards for f in award.followers)
        players.append(replace(state, score=state.score + won, supply=state.supply + back))
    standing = tuple(f for f in position.followers if f.node not in home)
    return replace(position, players=tuple(players), followers=standing)


def _discard_events(move: Move) -> Iterator[Event]:
    """Yield an event for every tile that had no place."""
    for tile in move.discards:
        yield Event(rules=(NONE.id,), text=f"tile {tile} has no place and leaves the game")


def _ransom_events(position: Position, move: Move, *, late: bool) -> Iterator[Event]:
    """Yield two events for every ransom: who pays, and who gets."""
    name = position.game.name(position.to_move)
    for ransom in move.ransoms:
        if ransom.late is not late:
            continue
        captor = position.game.name(ransom.captor)
        yield Event(
            rules=(PRICE.id, PRISONER.id),
            text=f"{name} buys a follower back from {captor}",
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
        text = f"{name} raises the tower on {cell} to {stage.raised(cell).height}"
        yield Event(rules=(PIECE_PLACE.id,), text=text, player=mover, cells=(cell,))
    for capture in move.captures:
        owner = stage.owner(capture)
        if owner is None:
            continue
        other = position.game.name(owner)
        what = "guard" if capture.segment is None else "follower"
        if owner == mover:
            text = f"{name} takes back his own {what} on {capture.cell}"
            ids: tuple[str, ...] = (REACH.id, OPPONENT.id)
        elif mover in position.players[owner].prisoners:
            text = f"{name} takes {other}'s {what} on {capture.cell}: prisoners are exchanged"
            ids = (REACH.id, EXCHANGE.id)
        else:
            text = f"{name} takes {other}'s {what} on {capture.cell} prisoner"
            ids = (REACH.id,)
        yield Event(rules=ids, text=text, player=mover, cells=(capture.cell,))
    for cell in move.guards:
        text = f"{name} closes the tower on {cell} with a follower"
        yield Event(rules=(GUARD_PLACE.id,), text=text, player=mover, cells=(cell,))


def _score_events(position: Position, awards: tuple[Award, ...]) -> Iterator[Event]:
    """Yield an event for every completed feature and scorer, then one for every way home."""
    game = position.game
    for award in awards:
        cells = tuple(sorted(award.feature.cells))
        where = f"the {award.feature} at {award.feature.anchor.cell}"
        for winner in award.winners:
            yield Event(
                rules=(book_of(game).worth[award.feature.kind].id, MAJORITY.id),
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
                text=f"{game.name(follower.player)}'s {follower.role} on {follower.node.cell}"
                " goes home",
                player=follower.player,
                cells=(follower.node.cell,),
            )
