"""Themes of points and corner towers: features scored, their order, and places of markers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from math import inf

from burgrave.model.castle.markers import outcomes
from burgrave.model.castle.rewards import claims_of
from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import DOUBLERS
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN as ONE
from burgrave.model.tiles import Kind, Mark
from burgrave.puzzles.selfplay.look import Look, Where
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import Step, Study
from burgrave.puzzles.themes import signs
from burgrave.puzzles.themes.theme import (
    CASTLES,
    NEVER,
    Theme,
    extra_turns,
    in_hand,
    prizes,
    whatever,
    within_reach,
)


def _one_to_play(position: Position) -> float:
    """Tell whether the player to move alone holds a wall tile 1, with no others to use."""
    mine, other = (position.players[p].wall_tiles for p in (position.to_move, 1 - position.to_move))
    doublers = sum(number in {2, 3} for number in mine)
    return 2.0 * (mine.count(ONE) == 1) - other.count(ONE) - 0.2 * doublers


def _closed(walk: Rehearsal, tile: str, player: int, kinds: Collection[Kind]) -> int:
    """Return the most points that a tile completes for a player, of some kinds of features."""
    places = walk.glance(tile, (), player, Where.CLOSING)
    worth = (sum(one.points for one in place.closes if one.kind in kinds) for place in places)
    return max(worth, default=0)


def _to_double(walk: Rehearsal, tile: str) -> float:
    """Return the points of a completion that the player to move may double, now or later."""
    # He is assumed to hold the wall tiles of the beginning of the walk.
    held = walk.start.players[walk.mover].wall_tiles
    doubled = [kind for number, kind in DOUBLERS.items() if number in held]
    return _closed(walk, tile, walk.mover, doubled) or -inf


def _little(walk: Rehearsal, tile: str) -> float:
    """Rate a tile by how little it completes, as the next one follows in an extra turn."""
    return float(-sum(_closed(walk, tile, player, tuple(Kind)) for player in (0, 1)))


def _on_towers(position: Position) -> bool:
    """Tell whether a wall tile can be taken."""
    return bool(position.towers)


def _takes(key: Look, looks: Sequence[Look]) -> bool:  # noqa: ARG001 -- of this turn alone
    """Tell whether a turn takes a wall tile."""
    return key.takes


def _overshoots(key: Look, looks: Sequence[Look]) -> bool:
    """Tell whether a turn takes a wall tile, and one that takes none wins more points."""
    return key.takes and any(one.points > key.points and not one.takes for one in looks)


def _in_order(key: Look, looks: Sequence[Look]) -> bool:
    """Tell whether a turn takes a wall tile which it would not in another order of scoring."""

    def place(look: Look) -> tuple[int, int, int]:
        return look.place.cell, look.place.rotation, look.segment

    if not key.takes or len(key.scores) == 1:
        return False
    alike = (one for one in looks if place(one) == place(key) and not one.doubles)
    return len({one.taken for one in alike}) > 1


def _wins_most(key: Look, looks: Sequence[Look]) -> bool:
    """Tell whether a turn wins points, and not fewer than any other."""
    return 0 < key.points == max(one.points for one in looks)


def _wins_less(key: Look, looks: Sequence[Look]) -> bool:
    """Tell whether another turn wins more points."""
    return key.points < max(one.points for one in looks)


@partial(Theme, name="complete-for-most", elementary=True, refuting=True, glimpsed=_wins_most)
def COMPLETE_FOR_MOST(study: Study) -> bool:
    """The key wins the player more points in its turn than any refuted move."""
    gain = study.key.gain(study.asker)
    return bool(study.others) and gain > max(o.step.gain(study.asker) for o in study.others)


@partial(Theme, name="patience", refuting=True, glimpsed=_wins_less)
def PATIENCE(study: Study) -> bool:
    """A refuted move wins the player more points in its turn than the key does."""
    gain = study.key.gain(study.asker)
    return any(other.step.gain(study.asker) > gain for other in study.others)


@partial(
    Theme,
    name="exact-landing",
    suits=prizes,
    lands=True,
    turns=(24, 40),
    games=CASTLES,
    possible=_on_towers,
    placed=lambda place: place.lands,
    where=Where.CLOSING,
    glimpsed=_takes,
    sought=_takes,
    sign=signs.landings,
)
def EXACT_LANDING(study: Study) -> bool:
    """By the key the player's marker lands exactly on a corner tower and takes its wall tile."""
    return study.key.takes(study.asker) > 0


@partial(
    Theme,
    name="overshoot",
    suits=prizes,
    lands=True,
    turns=(24, 40),
    games=CASTLES,
    refuting=True,
    possible=_on_towers,
    glimpsed=_overshoots,
    sign=signs.landings,
)
def OVERSHOOT(study: Study) -> bool:
    """The key takes a wall tile, and a refuted move wins more points in its turn but takes none."""
    if not study.key.takes(study.asker):
        return False
    gain = study.key.gain(study.asker)
    return any(
        other.step.gain(study.asker) > gain and not other.step.takes(study.asker)
        for other in study.others
    )


@partial(
    Theme,
    name="order-of-scoring",
    turns=(24, 48),
    games=CASTLES,
    possible=_on_towers,
    placed=lambda place: place.orders,
    where=Where.CLOSING,
    sought=_in_order,
    suits=prizes,
    lands=True,
    sign=signs.together,
)
def ORDER_OF_SCORING(study: Study) -> bool:
    """The key completes features in an order that decides which wall tiles the player takes."""
    step = study.key
    if step.placement is None:
        return False
    claims = claims_of(step.placement, step.move.followers)
    ends = outcomes(step.before, claims, ())
    taken = {sum(take.player == study.asker for take in end.takes) for end in ends}
    numbers = {tuple(t.tower for t in end.takes if t.player == study.asker) for end in ends}
    return len(taken) > 1 or len(numbers) > 1


@partial(
    Theme,
    name="fountain-doubling",
    games=CASTLES,
    placed=lambda place: any(one.fountain for one in place.closes),
    where=Where.CLOSING,
    sought=lambda key, _: any(one.fountain for one in key.scores),
    sign=signs.fountains,
)
def FOUNTAIN_DOUBLING(study: Study) -> bool:
    """The player scores a path with a fountain in the solution, on which the key's tile lies."""
    cell = study.key.move.cell
    return any(
        feature.kind is Kind.PATH
        and feature.count(Mark.FOUNTAIN)
        and cell in feature.cells
        and event.player == study.asker
        for step in study.steps
        for feature, event in step.scored()
    )


@partial(
    Theme,
    name="wall-tile-timing",
    turns=(30, 52),
    games=CASTLES,
    refuting=True,
    possible=lambda at: within_reach(at, 2, 3),
    sought=whatever,
    suits=in_hand(2, 3),
    sign=signs.doublings,
    late=_to_double,
)
def WALL_TILE_TIMING(study: Study) -> bool:
    """The player uses wall tile 2 or 3 at the right moment of the solution.

    Either he does so in a turn after the key, or a refuted move is the key without the wall tile.
    """
    later = any(doubled(step) for step in study.turns_of(study.asker) if step is not study.key)
    kept = any(_alike(other.step, study.key) and not doubled(other.step) for other in study.others)
    return later or (doubled(study.key) and kept)


@partial(
    Theme,
    name="extra-turn",
    turns=(24, 44),
    games=CASTLES,
    possible=extra_turns,
    sought=lambda key, _: key.again,
    suits=_one_to_play,
    sign=signs.hands,
    once=NEVER,
    late=_little,
)
def EXTRA_TURN(study: Study) -> bool:
    """The player plays a wall tile 1 in the solution and moves again."""
    turns = study.steps[:-1]
    return any(step.move.extra_turns for step in turns if step.mover == study.asker)


def doubled(step: Step) -> bool:
    """Tell whether a turn uses a wall tile 2 or 3."""
    return any(one.wall_tiles for one in step.move.scoring)


def _alike(one: Step, other: Step) -> bool:
    """Tell whether two turns lay the tile and place the follower alike."""
    a, b = one.move, other.move
    return (a.cell, a.rotation, a.followers) == (b.cell, b.rotation, b.followers)


SCORING = (
    COMPLETE_FOR_MOST,
    PATIENCE,
    EXACT_LANDING,
    OVERSHOOT,
    ORDER_OF_SCORING,
    FOUNTAIN_DOUBLING,
    WALL_TILE_TIMING,
    EXTRA_TURN,
)
