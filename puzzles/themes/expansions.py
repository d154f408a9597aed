"""Themes of expansions."""

from __future__ import annotations

from collections import Counter
from functools import partial

from burgrave.model.book import book_of
from burgrave.model.components import Node, Rank
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.expansions.tower.prisoners import EXCHANGE
from burgrave.model.features import position_features
from burgrave.model.laying import complete
from burgrave.model.position import Position
from burgrave.model.tiles import Kind, Mark
from burgrave.puzzles.selfplay.look import Where
from burgrave.puzzles.study.study import Study, leader
from burgrave.puzzles.themes import signs
from burgrave.puzzles.themes.signs import SAVED
from burgrave.puzzles.themes.theme import FALCON, INNS, NEVER, TOWER, Theme, alone


def _held(position: Position) -> bool:
    """Tell whether a follower of the player to move is held prisoner, or may be in time."""
    others = [state for i, state in enumerate(position.players) if i != position.to_move]
    held = any(state.part(TowerHoldings).held(position.to_move) for state in others)
    later = len(position.order) + len(position.bag) > 1 + len(others)
    return held or (later and any(state.part(TowerHoldings).pieces for state in others))


def _may_capture(position: Position) -> bool:
    """Tell whether the player to move has a tower piece and an opponent a follower to lose."""
    me = position.to_move
    pieces = position.players[me].part(TowerHoldings).pieces
    return pieces > 0 and any(f.player != me for f in position.followers)


def _may_be_captured(position: Position) -> bool:
    """Tell whether the player to move has a follower and an opponent pieces for a tower built."""
    me = position.to_move
    others = (state for i, state in enumerate(position.players) if i != me)
    return bool(
        position.part(Towers).built
        and position.players[me].supply
        and any(state.part(TowerHoldings).pieces for state in others)
    )


def _chapel(position: Position) -> bool:
    """Tell whether a chapel lies on the board or is to come."""
    kinds = [tile.kind for tile in position.tiles]
    kinds += [position.game.tile_set.kind(tile) for tile in (*position.order, *position.bag)]
    return any(segment.kind is Kind.CHAPEL for kind in kinds for segment in kind.segments)


def _raised(position: Position, marks: Counter[Mark], kind: Kind) -> bool:
    """Tell whether one of some marks makes a kind of feature pay more or nothing."""
    game = position.game
    by = book_of(game).table(game)[kind].by if kind in book_of(game).table(game) else {}
    return any(marks[mark] for mark in by)


def _may_be_raised(position: Position) -> bool:
    """Tell whether such a mark lies on the board or is to come."""
    kinds = [tile.kind for tile in position.tiles]
    kinds += [position.game.tile_set.kind(tile) for tile in (*position.order, *position.bag)]
    return any(
        _raised(position, Counter(segment.marks), segment.kind)
        for kind in kinds
        for segment in kind.segments
    )


def _king(position: Position) -> bool:
    """Tell whether the player to move has his king, in the supply or on the board."""
    state = position.players[position.to_move]
    standing = ((f.player, f.rank) for f in position.followers)
    return (
        state.available(Rank.KING) + state.resting(Rank.KING) > 0
        or (position.to_move, Rank.KING) in standing
    )


@partial(Theme, name="king-doubling", games=FALCON, possible=_king, sign=signs.kings)
def KING_DOUBLING(study: Study) -> bool:
    """The player's king doubles points that he scores in the solution."""
    doubling = {factor.rule.id for factor in book_of(study.position.game).factors}
    events = [event for step in study.steps for event in step.events]
    events += study.final.events if study.final is not None else ()
    return any(
        event.player == study.asker and event.points > 0 and doubling & {*event.rules}
        for event in events
    )


@partial(Theme, name="aerie-race", games=FALCON, sign=signs.aeries)
def AERIE_RACE(study: Study) -> bool:
    """The player gains aerie tokens on the opponent in the solution and has more at its end."""
    before = [state.part(FalconHoldings).tokens for state in study.position.players]
    after = [state.part(FalconHoldings).tokens for state in study.end.players]
    if study.final is not None and study.final.tokens:
        after = list(study.final.tokens)
    lead = after[study.asker] - after[study.rival]
    return lead > max(0, before[study.asker] - before[study.rival])


@partial(
    Theme,
    name="chapel-timing",
    games=FALCON,
    possible=_chapel,
    placed=lambda place: any(one.kind is Kind.CHAPEL for one in place.closes),
    where=Where.CLOSING,
    sought=lambda key, _: any(one.kind is Kind.CHAPEL for one in key.scores),
    sign=signs.chapels,
)
def CHAPEL_TIMING(study: Study) -> bool:
    """The key completes a chapel that the player scores."""
    return any(
        feature.kind is Kind.CHAPEL and event.player == study.asker
        for feature, event in study.key.scored()
    )


@partial(
    Theme,
    name="tower-capture",
    games=TOWER,
    possible=_may_capture,
    placed=lambda place: place.captures >= SAVED,
    where=Where.FIRST,
    sought=lambda key, looks: key.captures and key.height > 0 and alone(key, looks),
    sign=signs.reached,
    ready=signs.may_capture,
    pieces=(1, 1),
    deed=True,
)
def TOWER_CAPTURE(study: Study) -> bool:
    """The key takes a follower prisoner, and his owner leads a feature no more."""
    key = study.key
    taken = {Node(c.cell, c.segment) for c in key.move.captures if c.segment is not None}
    after = position_features(key.after)
    return any(
        follower.node in taken
        and leader(study.game, key.features.at(follower.node)) == follower.player
        and leader(study.game, after.at(follower.node)) != follower.player
        for follower in study.position.followers
    )


@partial(
    Theme,
    name="guard-protects",
    games=TOWER,
    possible=_may_be_captured,
    placed=lambda place: place.guards >= SAVED,
    where=Where.FIRST,
    sought=lambda key, looks: key.guards and alone(key, looks),
    sign=signs.in_danger,
    ready=signs.may_be_captured,
    pieces=(1, 1),
    deed=True,
)
def GUARD_PROTECTS(study: Study) -> bool:
    """The key completes a tower by which an opponent might soon take a follower of the player."""
    others = (s for i, s in enumerate(study.key.after.players) if i != study.asker)
    built = {tower.cell: tower for tower in study.position.part(Towers).built}
    return any(state.part(TowerHoldings).pieces for state in others) and any(
        built[cell]._replace(height=built[cell].height + 1).reaches(follower.node.cell)
        for cell, _ in study.key.move.guards
        for follower in study.key.after.followers
        if follower.player == study.asker
    )


@partial(
    Theme,
    name="ransom-in-time",
    turns=(40, 64),
    games=TOWER,
    possible=_held,
    placed=lambda place: place.ransoms,
    where=Where.FIRST,
    sought=lambda key, looks: key.ransoms and alone(key, looks),
    sign=signs.prisoners,
    pieces=(0, 1),
)
def RANSOM_IN_TIME(study: Study) -> bool:
    """The player buys a follower back in the solution."""
    return any(step.move.ransoms for step in study.turns_of(study.asker))


@partial(
    Theme,
    name="exchange",
    games=TOWER,
    possible=_held,
    placed=lambda place: place.captures >= SAVED,
    where=Where.FIRST,
    sought=lambda key, looks: key.captures and alone(key, looks),
    sign=signs.exchanges,
    ready=signs.may_exchange,
    pieces=(1, 2),
    deed=True,
)
def EXCHANGED(study: Study) -> bool:
    """The player takes a prisoner in the solution and gets a follower of his own back for him."""
    return any(
        EXCHANGE.id in event.rules for step in study.turns_of(study.asker) for event in step.events
    )


@partial(Theme, name="rich-when-completed", games=INNS, possible=_may_be_raised)
def RICH_WHEN_COMPLETED(study: Study) -> bool:
    """The player scores a completed road with an inn, or city with a cathedral, in the solution."""
    return any(
        event.player == study.asker and _raised(step.before, Counter(feature.marks), feature.kind)
        for step in study.steps
        for feature, event in step.scored()
    )


@partial(
    Theme,
    name="worthless-uncompleted",
    games=INNS,
    possible=_may_be_raised,
    once=NEVER,
)
def WORTHLESS_UNCOMPLETED(study: Study) -> bool:
    """An inn or a cathedral that the player lays makes what an opponent holds worth nothing."""
    if study.final is None:
        return False
    laid, tiles = {step.move.cell for step in study.turns_of(study.asker)}, study.end.laid()
    for feature in study.end_features:
        new = [node for node in feature.nodes if node.cell in laid]
        marks = [m for node in new for m in tiles[node.cell].kind.segments[node.segment].marks]
        if (
            leader(study.game, feature) not in {None, study.asker}
            and _raised(study.end, Counter(marks), feature.kind)
            and not complete(study.end, feature, tiles)
        ):
            return True
    return False


EXPANSIONS = (
    KING_DOUBLING,
    AERIE_RACE,
    CHAPEL_TIMING,
    TOWER_CAPTURE,
    GUARD_PROTECTS,
    RANSOM_IN_TIME,
    EXCHANGED,
    RICH_WHEN_COMPLETED,
    WORTHLESS_UNCOMPLETED,
)
