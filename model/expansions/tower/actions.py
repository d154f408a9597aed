"""The actions of The Tower: tower pieces and guards."""

from __future__ import annotations

from collections.abc import Iterator

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.tower.parts import PIECES_EACH, TowerHoldings, Towers
from burgrave.model.expansions.tower.switches import (
    ACTION_WITHOUT_TILE,
    GUARD_CAPTURABLE,
    TOWER_NEEDS_TOWER_TILE,
    TOWER_REOPENS,
)
from burgrave.model.expansions.tower.towers import tower_places
from burgrave.model.geometry import Cell
from burgrave.model.position import Move, Position
from burgrave.model.rule import Finding, rule
from burgrave.model.stage import Stage

TOWER_RULES = "Carcassonne: The Tower, rules (Rio Grande Games, 2006)"
_SECTION = f"{TOWER_RULES}, 'Playing the game'"


@rule("tower.setup.pieces", f"{TOWER_RULES}, 'Preparation'")
def PIECES(position: Position) -> Iterator[Finding]:
    """There are 30 tower pieces: 10 for each of 2 players, 9 of 3, 7 of 4, 6 of 5, 5 of 6.

    Six can play with Inns & Cathedrals only. Pieces that are built belong to nobody and never
    come back.

    Passes: of 3 players 8 pieces each in the supply, and 3 in towers.
    Fails: of 4 players 8 pieces in a supply.
    """
    built = sum(tower.height for tower in position.part(Towers).built)
    each = PIECES_EACH.get(len(position.players), 0)
    left = [state.part(TowerHoldings).pieces for state in position.players]
    for index, pieces in enumerate(left):
        if pieces > each:
            yield PIECES.finding(
                f"{position.game.name(index)} has {pieces} tower pieces; {each} are dealt",
                at=f"{position.game.players[index]}.pieces",
            )
    if sum(left) + built > each * len(left):
        yield PIECES.finding(
            f"{sum(left) + built} tower pieces are left or built; {each * len(left)} are dealt",
            at="built",
        )


def sixth_share(position: Position) -> Iterator[Finding]:
    """Yield that The Tower is for six players with a further expansion only."""
    if len(position.players) > book_of(position.game).most_players:
        yield PIECES.finding(
            "six players, with 5 tower pieces each, can play with the expansion Inns & Cathedrals"
            " only, without which this game is played",
            at="players",
        )


@rule(
    "tower.setup.place",
    f"{TOWER_RULES}, 'New landscape tiles'",
    TOWER_REOPENS,
    GUARD_CAPTURABLE,
)
def PLACES(position: Position) -> Iterator[Finding]:
    """Towers stand on tower places, one on each, and are at least one piece high.

    The tower place is no feature; it divides no field and occupies nothing. A tower stays
    complete without its guard only if guards can be taken (switch ``guard_capturable``) and
    it does not open again (switch ``tower_reopens``).

    Passes: a tower of 2 pieces on a tile with a tower place.
    Fails: a tower on a tile without one.
    """
    seen: set[Cell] = set()
    value = position.game.value
    stays_closed = value(GUARD_CAPTURABLE) == "on" and value(TOWER_REOPENS) == "off"
    for index, tower in enumerate(position.part(Towers).built):
        tile = position.tile_at(tower.cell)
        at = f"built[{index}]"
        if tile is None or not tile.kind.tower_place:
            yield PLACES.finding(f"there is no tower place on {tower.cell}", (tower.cell,), at)
        if tower.height < 1:
            message = f"the tower on {tower.cell} has {tower.height} pieces; it needs at least 1"
            yield PLACES.finding(message, (tower.cell,), at)
        if tower.cell in seen:
            message = f"a second tower stands on {tower.cell}; a place has room for one"
            yield PLACES.finding(message, (tower.cell,), at)
        if tower.closed and not stays_closed:
            yield PLACES.finding(
                f"the tower on {tower.cell} is complete without a guard (switches guard_capturable"
                " and tower_reopens)",
                (tower.cell,),
                at,
            )
        seen.add(tower.cell)


@rule("tower.action.one", _SECTION, TOWER_NEEDS_TOWER_TILE, ACTION_WITHOUT_TILE)
def ONE_ACTION(stage: Stage, move: Move) -> Iterator[Finding]:
    """After placing any tile a player takes one action at most: follower, piece or guard.

    The tile need not have a tower place (switch ``tower_needs_tower_tile``). A turn without
    a tile has no action (switch ``action_without_tile``).

    Passes: a tower piece on an old tower place after a tile without one.
    Fails: a follower on the tile and a piece on a tower, or a piece and a guard.
    """
    taken = len(move.followers) + len(move.pieces) + len(move.guards)
    if taken > 1:
        yield ONE_ACTION.finding(f"{taken} actions are taken in one turn")
    if not move.pieces and not move.guards:
        return
    cells = (*move.pieces, *(guard.cell for guard in move.guards))
    game, tile = stage.position.game, stage.tile
    if tile is None and game.value(ACTION_WITHOUT_TILE) == "off":
        yield ONE_ACTION.finding("a turn without a tile has no action", cells)
    needs = game.value(TOWER_NEEDS_TOWER_TILE) == "on"
    if needs and tile is not None and not tile.kind.tower_place:
        yield ONE_ACTION.finding(
            f"the tile on {tile.cell} has no tower place, so towers are left alone this turn", cells
        )


@rule("tower.piece.place", _SECTION, TOWER_REOPENS)
def PIECE_PLACE(stage: Stage, move: Move) -> Iterator[Finding]:
    """A tower piece is placed on any bare tower place or on any open tower, to any height.

    The builder of the tower does not matter. A tower with a follower on it is complete.

    Passes: a third piece on a tower of two that an opponent built.
    Fails: a piece on a tower with a guard, or on a tile without a tower place.
    """
    for cell in move.pieces:
        if cell not in tower_places(stage):
            yield PIECE_PLACE.finding(f"there is no tower place on {cell}", (cell,))
        elif fault := _shut(stage, cell):
            yield PIECE_PLACE.finding(f"{fault} and cannot be raised", (cell,))


@rule("tower.piece.supply", _SECTION)
def PIECE_SUPPLY(stage: Stage, move: Move) -> Iterator[Finding]:
    """A tower piece comes from the player's own supply.

    Passes: a player with one piece left builds it.
    Fails: a player without pieces builds one.
    """
    left = stage.mover.part(TowerHoldings).pieces
    if len(move.pieces) > left:
        yield PIECE_SUPPLY.finding(
            f"{stage.mover_name} has {left} tower pieces and builds {len(move.pieces)}",
            move.pieces,
        )


@rule("tower.guard.place", _SECTION, TOWER_REOPENS)
def GUARD_PLACE(stage: Stage, move: Move) -> Iterator[Finding]:
    """A follower may be placed on any started tower without one, which completes it.

    Passes: a follower on a tower of 3, ten tiles away.
    Fails: a follower on a bare tower place, or a second one on a tower.
    """
    for cell, _ in move.guards:
        if stage.position.part(Towers).on(cell) is None:
            yield GUARD_PLACE.finding(f"no tower has been started on {cell}", (cell,))
        elif fault := _shut(stage, cell):
            yield GUARD_PLACE.finding(f"{fault} and takes no other", (cell,))


@rule("tower.guard.supply", _SECTION)
def GUARD_SUPPLY(stage: Stage, move: Move) -> Iterator[Finding]:
    """A follower on a tower comes from the player's supply and stays there to the end.

    He belongs to no feature: he claims nothing and scores nothing, of whatever rank he is.

    Passes: a ransomed follower is placed on a tower in the same turn.
    Fails: a player without followers in the supply closes a tower.
    """
    for rank in Rank:
        cells = tuple(guard.cell for guard in move.guards if guard.rank is rank)
        if len(cells) > stage.mover.available(rank):
            yield GUARD_SUPPLY.finding(
                f"{stage.mover_name} has {stage.mover.available(rank)} {rank.called}s in the"
                f" supply and places {len(cells)} on towers",
                cells,
            )


def _shut(stage: Stage, cell: Cell) -> str:
    """Return the reason why the tower on a cell is complete; empty if it is open."""
    tower = stage.position.part(Towers).on(cell)
    if tower is not None and tower.guard is not None:
        return f"the tower on {cell} has a follower of {stage.position.game.name(tower.guard)}"
    if tower is not None and tower.closed:
        return f"the tower on {cell} was completed"
    return ""
