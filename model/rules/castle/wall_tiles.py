"""Wall tiles in play: taking them, tiles 1 to 3, and when each may be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from burgrave.model.boards import Board, CornerTower
from burgrave.model.claims import Claim, Turn
from burgrave.model.position import Move, Position, ScoreStep
from burgrave.model.rule import Finding, rule
from burgrave.model.rules.castle.setup import RULEBOOK, WALL_TILE_NUMBERS
from burgrave.model.switches import (
    DOUBLE_ONCE,
    EXTRA_TURN_IS_NEXT_TURN,
    LAST_TURN_WALL_TILES,
    WALL_1_CHAIN,
    WALL_1_DECLARE,
    WALL_DOUBLE_DECLARE,
    WALL_OWN_TURN_ONLY,
    WALL_TAKE_MOMENT,
    WALL_TILES_OPTIONAL,
)
from burgrave.model.tiles import Kind

_SECTION = f"{RULEBOOK}, 'The wall tiles'"
_TABLE = f"{RULEBOOK}, 'Description of wall tiles'"
EXTRA_TURN = 1
"""The wall tile that gives another turn."""
DOUBLERS = {2: Kind.TOWER, 3: Kind.HOUSE}
"""The wall tiles that double, with the kind of feature they double."""


@rule("castle.wall.take", _SECTION, WALL_TAKE_MOMENT)
def TAKE(board: Board, on_towers: Mapping[str, int], score: int) -> CornerTower | None:
    """A marker that lands exactly on a number of a corner tower takes the wall tile there.

    Passing a tower takes nothing; both markers can land on any turn; the tile must still
    be there. A marker takes it before the next feature is scored (switch
    ``wall_take_moment``).

    Passes: 31 and 2 points make 33, on tower 32/33.
    Fails: 31 and 3 points make 34, past the tower.
    """
    tower = board.tower_at(score)
    return tower if tower is not None and tower.name in on_towers else None


@rule(
    "castle.wall.when",
    _SECTION,
    WALL_OWN_TURN_ONLY,
    WALL_DOUBLE_DECLARE,
    WALL_1_DECLARE,
    EXTRA_TURN_IS_NEXT_TURN,
    LAST_TURN_WALL_TILES,
)
def WHEN(turn: Turn) -> Iterator[Finding]:
    """Tiles 1 to 3 are used on the owner's own turn, never on the turn they were taken.

    Several may be used in one turn, each once. A tile taken may be used in an extra turn
    (switch ``extra_turn_is_next_turn``). Tiles 4 to 9 are used in final scoring, those taken
    in the last turn too (switch ``last_turn_wall_tiles``). Tiles 1 to 3 unused at the end are
    worth nothing.

    Passes: a tile 2 taken last turn doubles a tower.
    Fails: a tile 2 taken this turn doubles a tower; a tile 2 used on the opponent's turn.
    """
    position, move = turn.position, turn.move
    wanted: list[Counter[int]] = [Counter() for _ in position.players]
    wanted[position.to_move][EXTRA_TURN] += move.extra_turns
    for step, claim in turn.steps():
        user = turn.user(claim)
        wanted[user].update(step.wall_tiles)
        if step.wall_tiles and user != position.to_move and _own_turn_only(position):
            yield WHEN.finding(
                f"{position.game.name(user)} may use wall tile {step.wall_tiles[0]} on"
                f" {position.game.name(user)}'s own turn only",
                (step.node.cell,),
            )
    mine = wanted[position.to_move]
    declared = Counter(move.declared)
    wanted[position.to_move] = mine | declared
    for player, numbers in enumerate(wanted):
        yield from _not_in_hand(position, player, +numbers)
    yield from _declared_late(position, declared, mine)


def _own_turn_only(position: Position) -> bool:
    """Tell whether wall tiles 2 and 3 work on the owner's turn alone."""
    return position.game.value(WALL_OWN_TURN_ONLY) == "on"


def _not_in_hand(position: Position, player: int, wanted: Counter[int]) -> Iterator[Finding]:
    """Yield a finding for every wall tile that the player cannot use now."""
    name = position.game.name(player)
    hand = Counter(position.players[player].wall_tiles)
    for number, times in sorted(wanted.items()):
        if number not in WALL_TILE_NUMBERS:
            yield WHEN.finding(f"there is no wall tile {number}")
        elif number > max(DOUBLERS):
            yield WHEN.finding(f"wall tile {number} is used in final scoring only")
        elif times > hand[number]:
            unnamed = ", or is one that has no number in 'wall_tiles'" if hand[0] else ""
            yield WHEN.finding(
                f"{name} holds {hand[number]} wall tiles {number} that may be used this turn and"
                f" uses {times}: a tile can be used from the turn after it was taken{unnamed}"
            )


def _declared_late(
    position: Position, declared: Counter[int], used: Counter[int]
) -> Iterator[Finding]:
    """Yield a finding for every tile that had to be declared before the draw and was not."""
    for number in sorted(used):
        switch = WALL_1_DECLARE if number == EXTRA_TURN else WALL_DOUBLE_DECLARE
        if position.game.value(switch) == "before_draw" and used[number] > declared[number]:
            yield WHEN.finding(
                f"wall tile {number} must be declared before the draw (switch {switch.name})"
            )


@rule("castle.wall.1", _TABLE, WALL_1_CHAIN, WALL_1_DECLARE)
def EXTRA(turn: Turn) -> Iterator[Finding]:
    """Tile 1 gives another complete turn right after this one.

    It may be declared up to the end of the turn (switch ``wall_1_declare``). Each further
    tile 1 adds a turn (switch ``wall_1_chain``); with nothing left to draw it does nothing.

    Passes: two tiles 1 give two further turns in a row.
    Fails: with the switch off, a second extra turn; or a feature doubled by tile 1.
    """
    position = turn.position
    for step, claim in _wrong_kind(turn, EXTRA_TURN):
        yield EXTRA.finding(
            f"wall tile 1 gives another turn and does not double the {claim.feature} at"
            f" {step.node.cell}",
            (step.node.cell,),
        )
    if position.game.value(WALL_1_CHAIN) == "on" or not turn.move.extra_turns:
        return
    if turn.move.extra_turns + position.extra_turns + position.in_extra_turn > 1:
        yield EXTRA.finding("only one extra turn is allowed in a row (switch wall_1_chain)")


def extra_turns_there_are(position: Position) -> Iterator[Finding]:
    """Yield a finding if a further extra turn is to follow where only one in a row is allowed."""
    if position.extra_turns and position.game.value(WALL_1_CHAIN) == "off":
        yield EXTRA.finding(
            f"{position.extra_turns} more extra turns are to come, but only one is allowed in a row"
            " (switch wall_1_chain)",
            at="extra_turns",
        )


def _wrong_kind(turn: Turn, number: int) -> Iterator[tuple[ScoreStep, Claim]]:
    """Yield the scoring steps that use a wall tile on a feature that it does not double."""
    for step, claim in turn.steps():
        if number in step.wall_tiles and claim.feature.kind is not DOUBLERS.get(number):
            yield step, claim


@rule("castle.wall.2", _TABLE, WALL_DOUBLE_DECLARE)
def DOUBLE_TOWER(turn: Turn) -> Iterator[Finding]:
    """Tile 2 doubles one completed tower when the player scores it.

    It is declared when that tower's marker moves (switch ``wall_double_declare``). The
    marker moves once, by the doubled amount. Start-space tiles double too.

    Passes: a tower of 4 tiles scores 16.
    Fails: a house is doubled by tile 2.
    """
    for step, claim in _wrong_kind(turn, 2):
        yield DOUBLE_TOWER.finding(
            f"wall tile 2 doubles a tower, not the {claim.feature} at {step.node.cell}",
            (step.node.cell,),
        )


@rule("castle.wall.3", _TABLE, WALL_DOUBLE_DECLARE)
def DOUBLE_HOUSE(turn: Turn) -> Iterator[Finding]:
    """Tile 3 doubles one completed house when the player scores it; the keep does not double.

    Otherwise it works like tile 2.

    Passes: a house of 3 tiles scores 6, and the keep counts 3.
    Fails: a tower is doubled by tile 3.
    """
    for step, claim in _wrong_kind(turn, 3):
        yield DOUBLE_HOUSE.finding(
            f"wall tile 3 doubles a house, not the {claim.feature} at {step.node.cell}",
            (step.node.cell,),
        )


@rule("castle.wall.majority", _TABLE)
def NEEDS_MAJORITY(turn: Turn) -> Iterator[Finding]:
    """Tiles 2 to 7 need strictly more followers on the feature than the opponent has.

    Passes: two knights against one.
    Fails: a tied tower.
    """
    for step, claim in turn.steps():
        if step.wall_tiles and claim.winner is None:
            yield NEEDS_MAJORITY.finding(
                f"nobody has more followers than the other on the {claim.feature} at"
                f" {step.node.cell}, so wall tile {step.wall_tiles[0]} may not be used on it",
                (step.node.cell,),
            )


@rule("castle.wall.stack", "The Falcon, rules (Hans im Glück, 2013), 'Wall Tiles'", DOUBLE_ONCE)
def STACK(turn: Turn) -> Iterator[Finding]:
    """A feature is doubled at most once; with the switch off a second tile makes it fourfold.

    Passes: one tile 2 on each of two towers.
    Fails: two tiles 2 on one tower.
    """
    if turn.position.game.value(DOUBLE_ONCE) == "off":
        return
    for step, claim in turn.steps():
        if len(step.wall_tiles) > 1:
            yield STACK.finding(
                f"the {claim.feature} at {step.node.cell} is doubled {len(step.wall_tiles)} times",
                (step.node.cell,),
            )


@rule("castle.wall.hidden", _SECTION)
def HIDDEN(position: Position, move: Move) -> Iterator[Finding]:
    """Wall tiles on the towers are face down; a taken tile is public.

    A position may name them or leave them unknown. Unknown ones come from the unseen wall tiles, of
    two for each number from 1 to 9.

    Passes: a face-down tile turns out to be a 5 while fewer than two 5s have been seen.
    Fails: it turns out to be a third 5, or to be a 4 and a 5.
    """
    pool = unseen(position)
    on_towers = dict(position.towers)
    for tower, times in Counter(tower for tower, _ in move.reveals).items():
        if times > 1:
            yield HIDDEN.finding(f"the wall tile on tower {tower} is named {times} times")
    for tower, number in move.reveals:
        if tower not in on_towers:
            yield HIDDEN.finding(f"no wall tile lies on tower {tower}")
        elif number not in WALL_TILE_NUMBERS:
            yield HIDDEN.finding(f"there is no wall tile {number}")
        elif on_towers[tower] not in {0, number}:
            yield HIDDEN.finding(f"the wall tile on tower {tower} is a {on_towers[tower]}")
        elif on_towers[tower] == 0 and pool[number] <= 0:
            yield HIDDEN.finding(f"both wall tiles {number} have been seen already")
        elif on_towers[tower] == 0:
            pool[number] -= 1


def unseen(position: Position) -> Counter[int]:
    """Return the number of unseen wall tiles, by their number."""
    pool = Counter(dict.fromkeys(range(1, 10), 2))
    pool.subtract(number for _, number in position.towers if number)
    pool.subtract(position.spent)
    for player in position.players:
        pool.subtract(n for n in (*player.wall_tiles, *player.fresh_wall_tiles) if n)
    return pool


@rule("castle.turn.must", f"{RULEBOOK}, 'Playing the game'", WALL_TILES_OPTIONAL)
def MUST(turn: Turn) -> Iterator[Finding]:
    """Placing a tile that has a place, scoring, and taking a wall tile are compulsory.

    Placing a follower and playing a wall tile are free (switch ``wall_tiles_optional``).

    Passes: a wall tile 2 in hand is kept while a tower is scored.
    Fails: with the switch off, the same.
    """
    position = turn.position
    if position.game.value(WALL_TILES_OPTIONAL) == "on":
        return
    hand = Counter(turn.mover.wall_tiles)
    hand.subtract({EXTRA_TURN: turn.move.extra_turns})
    doubled = {claim.feature.nodes for step, claim in turn.steps() if step.wall_tiles}
    for step, claim in turn.steps():
        if turn.user(claim) == position.to_move:
            hand.subtract(step.wall_tiles)
    left = len(position.order) + len(position.bag) - len(turn.move.discards) - 1
    chain = position.game.value(WALL_1_CHAIN) == "on"
    extra = turn.move.extra_turns + position.extra_turns + position.in_extra_turn
    if hand[EXTRA_TURN] > 0 and left > 0 and (chain or not extra):
        yield MUST.finding("wall tile 1 must be played (switch wall_tiles_optional)")
    for number, kind in DOUBLERS.items():
        for claim in turn.claims:
            mine = claim.winner == position.to_move and claim.feature.kind is kind
            mine = mine and claim.doublable
            if hand[number] > 0 and mine and claim.feature.nodes not in doubled:
                yield MUST.finding(
                    f"wall tile {number} must be used on the {claim.feature} (switch"
                    " wall_tiles_optional)",
                    (claim.feature.anchor.cell,),
                )


WALL_TILES = (WHEN, EXTRA, DOUBLE_TOWER, DOUBLE_HOUSE, NEEDS_MAJORITY, STACK, MUST)
"""The rules that can forbid the use of a wall tile in play."""
