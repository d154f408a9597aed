"""Reasons why a feature or a score is out of reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.book import book_of
from model.components import Node
from model.errors import QuestionError
from model.features import Feature
from model.geometry import Cell, Side, middle
from model.places import places, vacant
from model.position import PlayerState, Position
from model.rule import Rule
from model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN
from model.tiles import PlacedTile, TileKind
from solver.limits import NO_LIMIT, Limits
from solver.problem import Goal, Play, Problem, TileOrder, Wish
from solver.progress import SILENT, Reporter
from solver.questions.preconditions import admit, unfinished_feature
from solver.questions.turn import tile_in_hand, why_not

SIDES = {Side.N: "north", Side.E: "east", Side.S: "south", Side.W: "west"}
TWICE = "that nothing is possible under these rules is proved by two solves, one with presolve off"
IN_EACH_ORDER = f"{TWICE}, in each order of the bag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Reasons why a wish cannot be fulfilled."""

    rules: tuple[Rule[..., object], ...]
    """Rules that forbid it together, by id; none of them could be left out. Empty if the
    facts alone do."""
    facts: tuple[str, ...] = ()
    """The given facts, one sentence each: cells, tiles, followers."""
    confirmed: tuple[str, ...] = (TWICE,)
    """The confirmations with their means, one sentence each."""


def why_turn(
    position: Position, wish: Wish, *, tile: str | None = None, budget: Limits = NO_LIMIT
) -> Reasons | None:
    """Return the reasons against a wish for this turn.

    Args:
        position: the position before the turn.
        wish: the demands on the turn.
        tile: the tile to be laid, whether or not it is the next; by default the next one.
        budget: the time and the conflicts allowed.

    Returns:
        The reasons, or None if the wish can be fulfilled.

    Raises:
        QuestionError: as for ``why_not``.
        OutOfTimeError: the time or the conflicts are used up.

    """
    rules = why_not(position, wish, tile=tile, budget=budget)
    if rules is None:
        return None
    kind = position.game.tile_set.kind(tile_in_hand(position, tile))
    return Reasons(rules=rules, facts=tuple(_of_turn(position, kind, wish)))


def why_unfinished(position: Position, node: Node, *, budget: Limits = NO_LIMIT) -> Reasons | None:
    """Return the reasons why a feature cannot be completed with the tiles to come.

    Args:
        position: the position; tiles in the bag may come in the best order.
        node: any segment of the feature.
        budget: the time and the conflicts allowed.

    Returns:
        The reasons, or None if some play in some order completes it.

    Raises:
        QuestionError: there is no such segment; the feature is complete, or a court or field,
            which are never completed.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from solver.cpsat.explain import needs, unfinished  # noqa: PLC0415 -- loads CP-SAT

    feature = unfinished_feature(position, node)
    cells = sorted(needs(position, feature))
    if not cells:
        raise QuestionError(f"the {feature} at {node.cell} has no open side: nothing is missing")
    rules = unfinished(position, feature, budget.start())
    if rules is None:
        return None
    return Reasons(rules=rules, facts=tuple(_of_feature(position, feature, cells)))


def why_out_of_reach(
    position: Position,
    score: int,
    *,
    asker: int | None = None,
    budget: Limits = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Reasons | None:
    """Return the reasons why no play reaches a final score, with all players helping.

    Args:
        position: the position. Tiles in the bag come in the best order, and face-down wall
            tiles are the best of those not yet seen.
        score: the final score.
        asker: the player; the one to move by default.
        budget: the time and the conflicts allowed.
        reporter: hears in how many orders of the bag it is impossible.

    Returns:
        The reasons, or None if some play reaches the score.

    Raises:
        QuestionError: a wall tile in hand has no number; no tile lies there.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from solver.cpsat.explain import out_of_reach  # noqa: PLC0415 -- loads CP-SAT

    problem = Problem(
        position=position,
        asker=position.to_move if asker is None else asker,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.CHOOSE,
    )
    admit(problem)
    if position.game.board.endless and not position.tiles:
        raise QuestionError("why a score is out of reach is not told of an empty table")
    rules = out_of_reach(problem, score, budget.start(), reporter)
    if rules is None:
        return None
    each = len(set(position.bag)) > 1
    return Reasons(
        rules=rules,
        facts=tuple(_of_score(position, problem.asker)),
        confirmed=(IN_EACH_ORDER if each else TWICE,),
    )


def _of_turn(position: Position, kind: TileKind, wish: Wish) -> Iterator[str]:
    """Yield the places of a tile, and the missing pieces of a wish for a turn.

    Args:
        position: the position before the turn.
        kind: the tile to be laid.
        wish: the demands on the turn.

    """
    if wish.cell is not None:
        yield from _round(position, wish.cell)
    elif wish == Wish(rotation=wish.rotation):
        count = len({laid.cell for laid in places(position, kind.id)})
        cells = _many(len(list(vacant(position))), "empty cell")
        beside = " beside a tile" if position.game.board.endless else ""
        yield f"of {cells}{beside}, {kind.id} fits on {count or 'none'}"
    yield from _wanting(position, kind, wish)


def _round(position: Position, cell: Cell) -> Iterator[str]:
    """Yield the tiles on a cell and beside it."""
    board, there = position.game.board, position.tile_at(cell)
    if not board.endless and cell not in board.cells:
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
    if position.game.board.endless:
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


def _of_feature(position: Position, feature: Feature, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the needs of a feature and the tiles left for it.

    Args:
        position: the position.
        feature: the feature.
        cells: the empty cells that must be filled.

    """
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


def _of_score(position: Position, asker: int) -> Iterator[str]:
    """Yield a player's means for a final score, and the tiles left for all.

    Args:
        position: the position.
        asker: the player.

    """
    player, name = position.players[asker], position.game.name(asker)
    some = [_many(player.score, "point"), *_followers(position, player)]
    if book_of(position.game).actions:
        some.append(_many(player.pieces, "tower piece"))
    yield f"{name} has {', '.join(some[:-1])} and {some[-1]} to place"
    if book_of(position.game).wall_tiles:
        numbers = [str(n) for n in sorted((*player.wall_tiles, *player.fresh_wall_tiles))]
        yield f"{name} holds wall tiles: {', '.join(numbers) or 'none'}"
    if player.prisoners:
        held = (
            f"{count} of {position.game.name(owner)}"
            for owner, count in sorted(Counter(player.prisoners).items())
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
