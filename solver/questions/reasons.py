"""Why something is out of reach for the rest of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from model.errors import QuestionError
from model.features import Feature
from model.geometry import Cell
from model.position import Node, Position
from model.rules.rule import Rule
from model.rules.wall_tiles import DOUBLERS, EXTRA_TURN
from model.tiles import PlacedTile
from solver.budget import Budget
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.questions.gate import admit, unfinished_feature
from solver.questions.turn import tile_in_hand, why_not
from solver.wishes import Wish

NO_LIMIT = Budget()
SILENT = Reporter()
TWICE = "that nothing is possible under these rules is proved by two solves, one with presolve off"
IN_EACH_ORDER = f"{TWICE}, in each order of the bag"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why something cannot be."""

    rules: tuple[Rule[..., object], ...]
    """Rules that forbid it together, by id; none of them could be left out. Empty if the
    facts alone do."""
    facts: tuple[str, ...] = ()
    """What is given, one sentence each: cells, tiles, followers."""
    confirmed: tuple[str, ...] = (TWICE,)
    """What was confirmed, and by what, one sentence each."""


def why_turn(
    position: Position, wish: Wish, *, tile: str | None = None, budget: Budget = NO_LIMIT
) -> Reasons | None:
    """Return why something cannot be done in this turn.

    Args:
        position: the position before the turn.
        wish: what somebody would like to do.
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
    return Reasons(rules=rules, facts=tuple(_wanting(position, wish, tile)))


def _wanting(position: Position, wish: Wish, tile: str | None) -> Iterator[str]:
    """Yield what is not there that a wish needs, in words."""
    kind = position.game.tile_set.kind(tile_in_hand(position, tile))
    if wish.follower is not None and all(one.kind is not wish.follower for one in kind.segments):
        yield f"tile {kind.id} shows no {wish.follower}"
    wanted = Counter({EXTRA_TURN: wish.extra_turns})
    if wish.doubled is not None:
        doublers = [number for number, doubled in DOUBLERS.items() if doubled is wish.doubled]
        wanted.update(doublers)
        if not doublers:
            yield f"no wall tile doubles a {wish.doubled}"
    held = Counter(position.players[position.to_move].wall_tiles)
    for number, times in wanted.items():
        if held[number] < times:
            more = _many(times - held[number], "more wall tile")
            yield f"{position.game.name(position.to_move)} needs {more} {number}"


def why_unfinished(position: Position, node: Node, *, budget: Budget = NO_LIMIT) -> Reasons | None:
    """Return why a feature cannot be completed with the tiles to come.

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
    from solver.cpsat.timeline.reasons import needs, unfinished  # noqa: PLC0415 -- loads CP-SAT

    feature = unfinished_feature(position, node)
    cells = sorted(needs(position, feature))
    if not cells:
        raise QuestionError(f"the {feature} at {node.cell} has no open side: nothing is missing")
    rules = unfinished(position, feature, budget.start())
    if rules is None:
        return None
    return Reasons(rules=rules, facts=tuple(_missing(position, feature, cells)))


def _missing(position: Position, feature: Feature, cells: list[Cell]) -> Iterator[str]:
    """Yield what a feature still needs and what is left for it, in words."""
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
    laws = position.game.rules.placement
    return any(not any(True for law in laws for _ in law(position, laid)) for laid in lies)


def why_out_of_reach(
    position: Position,
    score: int,
    *,
    asker: int | None = None,
    budget: Budget = NO_LIMIT,
    reporter: Reporter = SILENT,
) -> Reasons | None:
    """Return why no play, with all help, brings a player a final score.

    Args:
        position: the position; tiles in the bag may come in the best order, and face-down wall
            tiles may be the best of those that have not been seen.
        score: the final score.
        asker: the player; the one to move by default.
        budget: the time and the conflicts allowed.
        reporter: hears in how many orders of the bag it is impossible.

    Returns:
        The reasons, or None if some play brings him at least so much.

    Raises:
        QuestionError: a wall tile in hand has no number; no tile lies there.
        OutOfTimeError: the time or the conflicts are used up.

    """
    from solver.cpsat.timeline.reasons import out_of_reach  # noqa: PLC0415 -- loads CP-SAT

    task = Task(
        position=position,
        asker=position.to_move if asker is None else asker,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=Order.CHOOSE,
        watch=budget.start(),
        reporter=reporter,
    )
    admit(task)
    if position.game.board.endless and not position.tiles:
        raise QuestionError("why a score is out of reach is not told of an empty table")
    rules = out_of_reach(task, score)
    if rules is None:
        return None
    facts = (_means(position, task.asker), _left(position), *_face_down(position))
    each = len(set(position.bag)) > 1
    return Reasons(rules=rules, facts=facts, confirmed=(IN_EACH_ORDER if each else TWICE,))


def _means(position: Position, asker: int) -> str:
    """Return what a player has, in words."""
    player = position.players[asker]
    some = [_many(player.score, "point"), _many(player.supply, "follower")]
    if position.game.rules.actions:
        some.append(_many(player.pieces, "tower piece"))
    return f"{position.game.name(asker)} has {', '.join(some[:-1])} and {some[-1]} to place"


def _left(position: Position) -> str:
    """Return which tiles are left, in words."""
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
    """Yield what is taken for wall tiles that lie face down, in words."""
    hidden = [tower for tower, number in position.towers if not number]
    if len(hidden) == 1:
        yield f"the wall tile on {hidden[0]} is face down; it may be any that has not been seen"
    elif hidden:
        towers = f"{', '.join(hidden[:-1])} and {hidden[-1]}"
        yield f"the wall tiles on {towers} are face down; they may be any that have not been seen"


def _many(number: int, word: str) -> str:
    """Return a number of things, in words."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
