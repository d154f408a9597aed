"""What must change nothing: names, colours, directions, tiles that are out of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.boards import StartSpace
from burgrave.model.components import Aerie, Follower, Node
from burgrave.model.engine import legal_moves, play
from burgrave.model.expansions.falcon.parts import Aeries
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side
from burgrave.model.position import Move, Position
from burgrave.model.results import Played
from burgrave.model.tiles import PlacedTile, TileKind
from tests.strategies import (
    Step,
    castle_games,
    falcon_hall_games,
    falcon_hall_positions,
    hall_games,
    hall_positions,
    named,
)

MOST_MOVES = 40
"""Positions with more moves are compared by their number only; playing them all takes long."""


def shown(tile: PlacedTile) -> tuple[Any, ...]:
    """Return a tile as it looks, whatever its rotation is called."""
    looks, squares, aeries = tile.kind.shape(tile.rotation)
    return tile.cell, frozenset(looks.items()), squares, aeries


def standing(position: Position, follower: Follower) -> tuple[Any, ...]:
    """Return a follower by what he stands on."""
    tile = position.by_cell()[follower.node.cell]
    segment = follower.node.segment
    ports = tile.kind.turned(segment, tile.rotation)
    where = tile.cell, ports, None if ports else segment
    return *where, follower.role, follower.player, follower.rank


def key(position: Position) -> tuple[Any, ...]:
    """Return what a position is, whatever rotations and segments are called."""
    return (
        frozenset(shown(tile) for tile in position.tiles),
        frozenset(standing(position, follower) for follower in position.followers),
        position.players,
        position.to_move,
        position.order,
        position.bag,
        position.towers,
        position.spent,
        position.discarded,
        position.extra_turns,
        position.in_extra_turn,
        position.parts,
    )


def told(played: Played) -> list[tuple[Any, ...]]:
    """Return the events of a turn without the words that name players and tiles."""
    return [(event.rules, event.player, event.points, event.cells) for event in played.events]


# Names of the kinds of tiles


def renamed(position: Position, name: Callable[[str], str]) -> Position:
    """Return a position in which every kind of tile has another name."""
    kinds = {kind.id: replace(kind, id=name(kind.id)) for kind in position.game.tile_set.kinds}
    tile_set = replace(position.game.tile_set, kinds=tuple(kinds.values()))
    return replace(
        position,
        game=replace(position.game, tile_set=tile_set),
        tiles=tuple(replace(tile, kind=kinds[tile.kind.id]) for tile in position.tiles),
        order=tuple(map(name, position.order)),
        bag=tuple(sorted(map(name, position.bag))),
        discarded=tuple(map(name, position.discarded)),
    )


def backwards(kind_id: str) -> str:
    """Return a name that sorts the other way round."""
    return f"{9 - int(kind_id[-1])}-{kind_id}"


def renamed_move(move: Move) -> Move:
    """Return a move under the other names."""
    return replace(
        move,
        tile=None if move.tile is None else backwards(move.tile),
        discards=tuple(map(backwards, move.discards)),
    )


@given(st.one_of(hall_games(), falcon_hall_games()))
def test_the_names_of_tiles_change_nothing(game: list[Step]) -> None:
    """With all kinds renamed the same moves lead to the same positions and points."""
    for step in game:
        other = play(renamed(step.before, backwards), renamed_move(step.move))
        assert other.position == renamed(step.played.position, backwards)
        assert told(other) == told(step.played)
    before = game[-1].before
    listed = Counter(map(renamed_move, legal_moves(before)))
    if len(before.bag) < 2:
        assert Counter(legal_moves(renamed(before, backwards))) == listed


@given(hall_games())
def test_two_kinds_that_look_alike_are_one(game: list[Step]) -> None:
    """A tile laid under the name of an equal-looking kind has the same followers and points."""
    for step in game:
        if step.move.tile is None:
            continue
        game_value = step.before.game
        kind = game_value.tile_set.kind(step.move.tile)
        twin = replace(kind, id="Twin")
        tile_set = replace(game_value.tile_set, kinds=(*game_value.tile_set.kinds, twin))
        order = ("Twin", *step.before.order[len(step.move.discards) + 1 :])
        position = replace(step.before, game=replace(game_value, tile_set=tile_set), order=order)
        other = play(position, replace(step.move, tile="Twin", discards=()))
        kept = [event for event in told(step.played) if event[0] != ("castle.place.none",)]
        assert told(other) == kept
        assert other.position.players == step.played.position.players


# Colours


def swapped(position: Position) -> Position:
    """Return a position in which the players have changed places."""
    followers = [f._replace(player=1 - f.player) for f in position.followers]
    return replace(
        position,
        followers=tuple(sorted(followers)),
        players=position.players[::-1],
        to_move=1 - position.to_move,
    )


@given(st.one_of(hall_games(), falcon_hall_games()))
def test_the_colours_change_nothing(game: list[Step]) -> None:
    """With White and Black exchanged the same moves are legal and lead to mirrored positions."""
    for step in game:
        assert play(swapped(step.before), step.move).position == swapped(step.played.position)
    position = game[-1].played.position
    if position.over:
        position = game[-1].before
    assert list(legal_moves(swapped(position))) == list(legal_moves(position))


@given(castle_games())
@settings(max_examples=1)
def test_the_colours_change_no_total(game: list[Step]) -> None:
    """With White and Black exchanged at the end of a whole game, the totals are exchanged."""
    end = named(game[-1].played.position)
    here, there = final_scoring(end), final_scoring(swapped(end))
    assert here.scores == there.scores[::-1]
    assert sum(event.points for event in here.events) == sum(e.points for e in there.events)


# Directions


def turned_cell(cell: Cell) -> Cell:
    """Return where a cell lies after a quarter turn of the plane, clockwise."""
    return Cell(cell.y, -cell.x)


def turned_game(game: Game) -> Game:
    """Return a game in a castle that is turned by a quarter; the track stays."""
    board = game.board
    starts = tuple(map(turned_start, board.starts))
    gates = tuple(replace(gate, start=turned_start(gate.start)) for gate in board.gates)
    cells = tuple(sorted(map(turned_cell, board.cells)))
    return replace(game, board=replace(board, cells=cells, starts=starts, gates=gates))


def turned_start(start: StartSpace) -> StartSpace:
    """Return a start space after a quarter turn of the plane."""
    return replace(start, cell=turned_cell(start.cell), side=Side((start.side + 1) % 4))


def turned(position: Position) -> Position:
    """Return a position turned by a quarter."""
    tiles = [
        replace(tile, cell=turned_cell(tile.cell), rotation=(tile.rotation + 1) % 4)
        for tile in position.tiles
    ]
    followers = [
        f._replace(node=Node(turned_cell(f.node.cell), f.node.segment)) for f in position.followers
    ]
    return replace(
        position,
        game=turned_game(position.game),
        tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
        followers=tuple(sorted(followers)),
    ).with_part(
        Aeries(
            taken_aeries=tuple(
                sorted(
                    Aerie(turned_cell(cell), number)
                    for cell, number in position.part(Aeries).taken_aeries
                )
            )
        )
    )


def whatever_the_order(game: Game, played: Played) -> Counter[tuple[Any, ...]]:
    """Return the events of a turn as far as orders of scoring with the same outcome agree.

    They agree on the outcome, not on which of the features takes a marker past a gate, nor
    on which of them loses points there.
    """
    stops = dict(game.changed_switches()).get("gate_stop") == "on"
    passing = {"falcon.gates", "falcon.variant.gate-stop"}
    return Counter(
        (tuple(rule for rule in rules if rule not in passing), player, 0 if stops else points)
        for rules, player, points, _ in told(played)
    )


def turned_move(move: Move) -> Move:
    """Return a move turned by a quarter."""
    assert move.cell is not None
    return replace(
        move,
        cell=turned_cell(move.cell),
        rotation=(move.rotation + 1) % 4,
        followers=tuple(d._replace(cell=turned_cell(d.cell)) for d in move.followers),
        scoring=tuple(
            step._replace(node=Node(turned_cell(step.node.cell), step.node.segment))
            for step in move.scoring
        ),
    )


@given(st.one_of(hall_games(), falcon_hall_games()))
def test_directions_change_no_turn(game: list[Step]) -> None:
    """In a castle turned by a quarter the turned moves lead to the turned positions."""
    for step in game:
        if step.move.tile is None:
            continue
        other = play(turned(step.before), turned_move(step.move))
        assert other.position == turned(step.played.position)
        assert whatever_the_order(step.before.game, other) == (
            whatever_the_order(step.before.game, step.played)
        )


@given(st.one_of(hall_positions(), falcon_hall_positions()))
def test_directions_change_no_list(position: Position) -> None:
    """In a castle turned by a quarter there are as many legal moves, with turned results."""
    here = list(legal_moves(position))
    there = list(legal_moves(turned(position)))
    assert len(here) == len(there)
    if len(here) <= MOST_MOVES:
        expected = Counter(key(turned(play(position, move).position)) for move in here)
        assert Counter(key(play(turned(position), move).position) for move in there) == expected


# Tiles out of the game


@given(hall_positions())
def test_a_discarded_tile_changes_nothing(position: Position) -> None:
    """A tile that has left the game changes no move and no result."""
    stray = TileKind(id="Stray", segments=position.game.tile_set.kinds[0].segments)
    tile_set = replace(position.game.tile_set, kinds=(*position.game.tile_set.kinds, stray))
    game = replace(position.game, tile_set=tile_set)
    other = replace(position, game=game, discarded=(*position.discarded, stray.id))
    moves = list(legal_moves(position))
    assert list(legal_moves(other)) == moves
    for move in moves[:10]:
        mine, theirs = play(position, move), play(other, move)
        assert theirs.events == mine.events
        assert replace(theirs.position, game=position.game, discarded=mine.position.discarded) == (
            mine.position
        )
