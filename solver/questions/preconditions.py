"""Refuse questions about unknown tiles and about decisions of others."""

from __future__ import annotations

from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.draws import stuck
from burgrave.model.errors import QuestionError
from burgrave.model.features import Feature, position_features
from burgrave.model.games import Game
from burgrave.model.laying import complete
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position
from burgrave.model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE, WALL_OWN_TURN_ONLY
from burgrave.model.tiles import Kind
from burgrave.solver.engines import unknown
from burgrave.solver.problem import TWO, WITHOUT_OPPONENT, Goal, Problem, TileOrder, has_unknowns

NEVER_COMPLETED = frozenset({Kind.COURT, Kind.FIELD})
"""The kinds of features that count at the end of the game alone."""
_NAME_AN_ORDER = "ask for the best order or for any (--order choose or any)"


def admit(problem: Problem) -> None:
    """Refuse a problem that has no answer or whose answer would not be the player's.

    Raises:
        QuestionError: the order of the tiles or a wall tile is unknown, but must be given. Or a
            wall tile in hand has no number. Or the opponent decides within the asker's turn.
            Or wall tiles must be declared before an unknown draw. Or points are forced on more
            than one opponent.

    """
    position = problem.position
    if problem.goal is Goal.THEIRS and len(position.players) != TWO:
        raise QuestionError("points are forced on a single opponent: in a game of two players")
    if problem.gains:
        if problem.goal is not Goal.POINTS:
            _refuse_shared_turns(position)
        refuse_unnamed(position, now=True)
        return
    refuse_unnamed(position)
    alone = problem.play in WITHOUT_OPPONENT
    if problem.order is TileOrder.GIVEN:
        refuse_unknown(position, _NAME_AN_ORDER if alone else "ask what to expect")
    if not alone:
        _refuse_shared_turns(position)
    if problem.order in {TileOrder.ANY, TileOrder.CHANCE} and position.bag:
        _refuse_early_declarations(position)


def refuse_unnamed(position: Position, *, now: bool = False) -> None:
    """Refuse a position in which a wall tile in hand, or one usable ``now``, has no number.

    Raises:
        QuestionError: a player holds one.

    """
    if unnamed_now(position) if now else 0 in in_hands(position):
        raise QuestionError("a wall tile in hand has no number; name it under 'wall_tiles'")


def unnamed_now(position: Position) -> bool:
    """Tell whether a wall tile without a number may be used in this turn."""
    # By this switch they work on the opponent's turn too.
    shared = book_of(position.game).wall_tiles and position.game.value(WALL_OWN_TURN_ONLY) == "off"
    users = position.players if shared else (position.players[position.to_move],)
    return any(0 in state.wall_tiles for state in users)


def in_hands(position: Position) -> list[int]:
    """Return the numbers of all wall tiles in hand; 0 for one without a number."""
    return [n for one in position.players for n in (*one.wall_tiles, *one.fresh_wall_tiles)]


def all_known(position: Position) -> bool:
    """Tell whether every tile to come and every wall tile is known."""
    return all(in_hands(position)) and not has_unknowns(position)


def refuse_unknown(position: Position, instead: str = "") -> None:
    """Refuse a position whose answer depends on something unknown; say what to ask ``instead``.

    Raises:
        QuestionError: tiles are in the bag, or wall tiles lie face down.

    """
    other = f", or {instead}" if instead else ""
    refuse_bag(position, other)
    hidden = [name for name, number in position.towers if not number]
    if hidden:
        raise QuestionError(
            f"the wall tiles on {', '.join(hidden)} are face down; name them under 'towers' or"
            f" leave them out{other}"
        )


def refuse_bag(position: Position, other: str = "") -> None:
    """Refuse a position with tiles in the bag, and name an alternative.

    Raises:
        QuestionError: tiles are in the bag.

    """
    if position.bag:
        number = len(position.bag)
        tiles = "1 tile" if number == 1 else f"{number} tiles"
        raise QuestionError(f"the order of {tiles} is not known; put them into 'order'{other}")


def _numbers(position: Position) -> set[int]:
    """Return the numbers of the wall tiles that may still be used; 0 for face-down ones."""
    return {*in_hands(position), *(number for _, number in position.towers)}


def _refuse_shared_turns(position: Position) -> None:
    """Refuse a game in which wall tiles 2 and 3 work on the opponent's turn too, and are there.

    A move then holds choices of both, and the best move is not the mover's alone.
    """
    game = position.game
    if not book_of(game).wall_tiles or game.value(WALL_OWN_TURN_ONLY) == "on":
        return
    if _numbers(position) & {0, *DOUBLERS}:
        raise QuestionError(
            f"with {WALL_OWN_TURN_ONLY.name} off the opponent decides about his wall tiles 2 and"
            " 3 within the turn; what a player can have against him is not answered for that"
            " switch"
        )


def _refuse_early_declarations(position: Position) -> None:
    """Refuse a game in which wall tiles are declared before an unknown draw.

    No text covers a wall tile that was declared in vain.
    """
    if not book_of(position.game).wall_tiles:
        return
    for switch, numbers in ((WALL_1_DECLARE, {EXTRA_TURN}), (WALL_DOUBLE_DECLARE, set(DOUBLERS))):
        early = position.game.value(switch) == "before_draw"
        if early and _numbers(position) & {0, *numbers}:
            raise QuestionError(
                f"with {switch.name} = before_draw wall tiles are declared before the draw is"
                " known; that is not answered for tiles that come in unknown order"
            )


def refuse_unexplained(game: Game) -> None:
    """Refuse a game whose rules the constraint model does not know, from which reasons come.

    Raises:
        QuestionError: it has such a value of a switch; the message names it.

    """
    if values := unknown("cpsat", game):
        raise QuestionError(
            f"reasons come from the constraint model, which does not know {', '.join(values)}"
        )


def unfinished_feature(position: Position, node: Node) -> Feature:
    """Return the uncompleted feature of a segment, for questions about its completion.

    Raises:
        QuestionError: there is no such segment, or its feature is complete or never is.

    """
    feature = next((one for one in position_features(position) if node in one.nodes), None)
    if feature is None:
        raise QuestionError(f"no segment {node.segment} lies on {node.cell}")
    if feature.kind in NEVER_COMPLETED:
        raise QuestionError(f"the {feature} at {node.cell}: such a feature is never completed")
    if complete(position, feature, position.laid()):
        raise QuestionError(f"the {feature} at {node.cell} is complete: nothing is missing")
    return feature


def drawn_first(position: Position, tile: str | None) -> Position:
    """Return a position in which a tile of the bag has been drawn; None leaves it unchanged.

    Known tiles without a place leave the game first; the tile follows them.

    Raises:
        QuestionError: the next tile is known and another one, or the bag has no such tile.

    """
    if tile is None:
        return position
    name, gone = spelled(position, tile), stuck(position)
    if name in position.order[: gone + 1]:
        return position
    if gone < len(position.order):
        raise QuestionError(f"tile {name} cannot be drawn: the next is {position.order[gone]}")
    if name not in position.bag:
        raise QuestionError(f"no tile {name} is left in the bag")
    bag = list(position.bag)
    bag.remove(name)
    return replace(position, order=(*position.order, name), bag=tuple(bag))


def spelled(position: Position, tile: str) -> str:
    """Return a tile's id as the set spells it.

    Raises:
        QuestionError: the set has no such tile.

    """
    for kind in position.game.tile_set.kinds:
        if kind.id.lower() == tile.lower():
            return kind.id
    tiles = position.game.tile_set
    raise QuestionError(
        f"the set {tiles.id} has no tile {quoted(tile)}.{suggestion(tile, sorted(tiles.ids()))}"
    )
