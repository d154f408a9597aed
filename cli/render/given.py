"""What is given, in words: the cells, tiles and pieces that a wish meets with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell, Side, middle
from burgrave.model.places import places, vacant
from burgrave.model.position import PlayerState, Position
from burgrave.model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN
from burgrave.model.tiles import PlacedTile, TileKind
from burgrave.solver.problem import Wish
from burgrave.solver.questions import tile_in_hand

SIDES = {Side.N: "north", Side.E: "east", Side.S: "south", Side.W: "west"}


def of_turn(position: Position, wish: Wish, tile: str | None = None) -> Iterator[str]:
    """Yield the places of a tile, by default the next, and the missing pieces of a wish."""
    kind = position.game.tile_set.kind(tile_in_hand(position, tile))
    if wish.cell is not None:
        yield from _round(position, wish.cell)
    elif wish == Wish(rotation=wish.rotation):
        count = len({laid.cell for laid in places(position, kind.id)})
        cells = _many(len(list(vacant(position))), "empty cell")
        beside = "" if position.game.board.cells else " beside a tile"
        yield f"of {cells}{beside}, {kind.id} fits on {count or 'none'}"
    yield from _wanting(position, kind, wish)


def _round(position: Position, cell: Cell) -> Iterator[str]:
    """Yield the tiles on a cell and beside it."""
    board, there = position.game.board, position.tile_at(cell)
    if not board.holds(cell):
        yield f"{cell} lies outside the wall"
    elif there is not None:
        yield f"on {cell} lies {there.kind.id}"
    else:
        beside = [
            f"in the {SIDES[side]} {_meets(position, tile, side.opposite)}"
            for side, beyond in cell.neighbours()
            if (tile := position.laid().get(beyond)) is not None
        ]
        yield f"beside {cell}: {'; '.join(beside) or 'nothing'}"


def _meets(position: Position, tile: PlacedTile, side: Side) -> str:
    """Return a tile or start space with its picture on a side, in words."""
    if not position.game.board.starts:
        return f"{tile.kind.id} with a {tile.kind.segments[tile.at(middle(side))].kind}"
    name = tile.kind.id if tile.cell in position.game.board.cells else "a start space"
    return f"{name} with{'' if tile.has_path(side) else 'out'} a path"


def _wanting(position: Position, kind: TileKind, wish: Wish) -> Iterator[str]:
    """Yield the missing pieces of a wish."""
    mover = position.players[position.to_move]
    if wish.follower is not None:
        followers = " and ".join(_followers(position, mover))
        yield f"{position.game.name(position.to_move)} has {followers} to place"
    if wish.follower is not None and all(one.kind is not wish.follower for one in kind.segments):
        yield f"tile {kind.id} shows no {wish.follower}"
    wanted = Counter({EXTRA_TURN: wish.extra_turns})
    if wish.doubled is not None:
        doublers = [number for number, doubled in DOUBLERS.items() if doubled is wish.doubled]
        wanted.update(doublers)
        if not doublers:
            yield f"no wall tile doubles a {wish.doubled}"
    held = Counter(mover.wall_tiles)
    for number, times in wanted.items():
        if held[number] < times:
            more = _many(times - held[number], "more wall tile")
            yield f"{position.game.name(position.to_move)} needs {more} {number}"


def of_feature(position: Position, node: Node, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the empty cells that the feature of a segment needs, and the tiles left for them."""
    feature = position_features(position).at(node)
    names = "; ".join(str(cell) for cell in cells)
    more = _many(len(cells), "more cell")
    yield f"the {feature} at {feature.anchor.cell} needs at least {more}: {names}"
    yield _left(position)
    for cell in cells:
        fitting = [
            tile for tile in sorted({*position.order, *position.bag}) if _fits(position, tile, cell)
        ]
        yield f"on {cell} fit now: {', '.join(fitting)}" if fitting else f"on {cell} none fits now"


def _fits(position: Position, tile: str, cell: Cell) -> bool:
    """Tell whether a tile may be laid on a cell now."""
    kind = position.game.tile_set.kind(tile)
    lies = (PlacedTile(cell=cell, kind=kind, rotation=rotation) for rotation in kind.rotations())
    laws = book_of(position.game).placement
    return any(not any(True for law in laws for _ in law(position, laid)) for laid in lies)


def of_score(position: Position, asker: int) -> Iterator[str]:
    """Yield a player's means for a final score, and the tiles left for all."""
    player, name = position.players[asker], position.game.name(asker)
    some = [_many(player.score, "point"), *_followers(position, player)]
    if book_of(position.game).actions:
        some.append(_many(player.part(TowerHoldings).pieces, "tower piece"))
    yield f"{name} has {', '.join(some[:-1])} and {some[-1]} to place"
    if book_of(position.game).wall_tiles:
        numbers = [str(n) for n in sorted((*player.wall_tiles, *player.fresh_wall_tiles))]
        yield f"{name} holds wall tiles: {', '.join(numbers) or 'none'}"
    if player.part(TowerHoldings).prisoners:
        held = (
            f"{count} of {position.game.owner(one)}"
            for one, count in sorted(Counter(player.part(TowerHoldings).prisoners).items())
        )
        yield f"{name} holds prisoners: {', '.join(held)}"
    yield _left(position)
    yield from _face_down(position)


def _followers(position: Position, player: PlayerState) -> list[str]:
    """Return the followers that a player may place."""
    specials = [f"the {rank}" for rank in position.game.specials if rank in player.specials]
    return [_many(player.supply, "follower"), *specials]


def _left(position: Position) -> str:
    """Return which tiles are left."""
    known, bag = position.order, position.bag
    left = [", ".join(known)] if known else []
    if len(bag) > 1:
        left.append(f"{'then ' if known else ''}in any order {', '.join(sorted(bag))}")
    elif bag:
        left = [", ".join((*known, *bag))]
    count = len(known) + len(bag)
    verb = "is" if count == 1 else "are"
    return f"{_many(count, 'tile')} {verb} left: {', '.join(left) or 'none'}"


def _face_down(position: Position) -> Iterator[str]:
    """Yield the assumed numbers of face-down wall tiles."""
    hidden = [tower for tower, number in position.towers if not number]
    if len(hidden) == 1:
        yield f"the wall tile on {hidden[0]} is face down; it may be any that has not been seen"
    elif hidden:
        towers = f"{', '.join(hidden[:-1])} and {hidden[-1]}"
        yield f"the wall tiles on {towers} are face down; they may be any that have not been seen"


def _many(number: int, word: str) -> str:
    """Return a number of things."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
