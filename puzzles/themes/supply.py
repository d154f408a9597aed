"""Themes of followers and of space: supplies, keeps, the empty area, tiles without a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from burgrave.model.book import book_of
from burgrave.model.final import final_scoring
from burgrave.model.places import placeable
from burgrave.model.position import Position
from burgrave.model.rules.castle.keeps import END_KEEP, largest_empty_area
from burgrave.puzzles.selfplay.look import Look, Where
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import Study
from burgrave.puzzles.themes import signs
from burgrave.puzzles.themes.theme import CASTLES, NEVER, TOWER, Theme, extra_turns, whatever

SPLIT = 2
"""Cells by which the largest empty area shrinks if a tile cuts some of it off."""


def at_hand(position: Position, player: int) -> int:
    """Return the number of followers of all ranks that a player can place."""
    state = position.players[player]
    return state.supply + len(state.specials)


def _tiles(position: Position) -> int:
    """Return the number of tiles to come."""
    return len(position.order) + len(position.bag)


def _turns(position: Position) -> int:
    """Return the number of turns that the player to move may still have."""
    tiles = _tiles(position)
    return tiles if extra_turns(position) else (tiles + 1) // 2


def _behind(position: Position) -> bool:
    """Tell whether the player to move has no larger keep than his opponent."""
    keeps = [state.keep for state in position.players]
    return keeps.pop(position.to_move) <= max(keeps)


@partial(
    Theme,
    name="keep-race",
    turns=(8, 48),
    games=CASTLES,
    possible=_behind,
    placed=lambda place: any(one.keep for one in place.closes),
    where=Where.CLOSING,
    sought=lambda key, _: any(one.keep for one in key.scores),
    sign=signs.keeps,
    ready=lambda outlook: signs.keeps(outlook) > 0,
    once=NEVER,
)
def KEEP_RACE(study: Study) -> bool:
    """A house scored in the solution brings the player the larger keep and the empty area."""
    before = [state.keep for state in study.position.players]
    after = [state.keep for state in study.end.players]
    grown = after[study.asker] > before[study.asker] <= before[study.rival]
    if not grown or not any(study.won(END_KEEP.id, study.asker)):
        return False
    # Wall tiles 8 may make the keep the larger one without the house.
    players = list(study.end.players)
    players[study.asker] = replace(players[study.asker], keep=before[study.asker])
    otherwise = final_scoring(replace(study.end, players=tuple(players)))
    return not any(
        END_KEEP.id in event.rules and event.player == study.asker for event in otherwise.events
    )


@partial(
    Theme,
    name="starve-the-empty-area",
    games=CASTLES,
    possible=lambda at: largest_empty_area(at) > SPLIT,
    placed=lambda place: place.cuts >= SPLIT,
    sought=whatever,
    sign=signs.starved,
    ready=lambda outlook: signs.starved(outlook) > 0,
    once=NEVER,
)
def STARVE(study: Study) -> bool:
    """The opponent scores the empty area at the end, and the key cuts off a part of the largest."""
    shrunk = largest_empty_area(study.key.before) - largest_empty_area(study.key.after)
    return shrunk >= SPLIT and any(study.won(END_KEEP.id, study.rival))


@partial(
    Theme,
    name="last-follower",
    refuting=True,
    possible=lambda at: at_hand(at, at.to_move) == 1,
    sign=signs.scarce,
)
def LAST_FOLLOWER(study: Study) -> bool:
    """The only follower is placed in the solution, and a refuted move uses him otherwise."""
    if at_hand(study.position, study.asker) != 1:
        return False
    placed = [s.move.followers for s in study.turns_of(study.asker) if s.move.followers]
    key = study.key.move.followers
    return bool(placed) and any(other.step.move.followers != key for other in study.others)


def _comes_home(key: Look, looks: Sequence[Look]) -> bool:
    """Tell whether a follower comes home in a turn that places the last one of the supply."""
    return key.homes > 0 and (key.claims or not any(look.claims for look in looks))


def _worth_claiming(walk: Rehearsal, tile: str) -> float:
    """Return the gain of the player to move from a follower if a tile is the last.

    It is none where wall tiles count besides.
    """
    if book_of(walk.start.game).wall_tiles:
        return 0.0
    walk.deal((tile,))
    plain = [one for one in walk.judged() if not one.acts]
    without = max((one.lead for one in plain if not one.claims), default=0.0)
    return max((one.lead - without for one in plain if one.claims), default=0.0)


@partial(
    Theme,
    name="return-in-time",
    turns=(8, 48),
    possible=lambda at: at_hand(at, at.to_move) < _turns(at),
    sought=_comes_home,
    sign=signs.returning,
    late=_worth_claiming,
    once=TOWER,
)
def RETURN_IN_TIME(study: Study) -> bool:
    """The player places more followers in the solution than he had: one comes home in time."""
    placed = sum(len(s.move.followers) + len(s.move.guards) for s in study.turns_of(study.asker))
    return placed > at_hand(study.position, study.asker)


@partial(
    Theme,
    name="unplaceable-tile",
    turns=(8, 48),
    possible=lambda at: _tiles(at) > 1,
    placed=lambda place: bool(place.strands),
    where=Where.STRANDING,
    sought=whatever,
    sign=signs.narrow,
    late=lambda walk, tile: len(walk.places(tile)),
    once=NEVER,
)
def UNPLACEABLE(study: Study) -> bool:
    """A tile leaves the game in the solution for want of a place, which it had at the start."""
    gone = {tile for step in study.steps for tile in step.move.discards}
    return any(placeable(study.position, tile) for tile in sorted(gone))


SUPPLY = (
    KEEP_RACE,
    STARVE,
    LAST_FOLLOWER,
    RETURN_IN_TIME,
    UNPLACEABLE,
)
