"""Gates of The Falcon: pieces of wall without scoring spaces, and markers that pass them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.boards import Board
from burgrave.model.book import March
from burgrave.model.components import Marker
from burgrave.model.expansions.falcon.switches import (
    GATE_START_SPACES,
    GATE_STOP,
    GATE_STOP_PLACE,
    GATE_WIDTH,
)
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule
from burgrave.model.tiles import PlacedTile

FALCON_RULES_2013 = "The Falcon, rules (Hans im Glück, 2013)"
WIKI_2022 = "WikiCarpedia, The Castle Falcon, rules (revision of 2022)"
_SECTION = f"{FALCON_RULES_2013}, 'Gates'"
NONE_OPEN = "none"
"""The value of the switch with which no gate is a start space."""


@rule("falcon.gates", _SECTION)
def GATES(game: Game, marker: Marker, gained: int) -> tuple[int, ...]:
    """The gates are no scoring spaces: they are jumped over and not counted.

    There are four, between 27 and 28, 47 and 48, 69 and 70, 91 and 92.

    Passes: a marker on 26 scores 3 and stands on 29.
    Fails: it stands on 28, the gate counted as a space.
    """
    board = game.board
    before, after = marker.score, marker.score + gained
    laps = range(before // board.track, after // board.track + 1)
    numbers = sorted(lap * board.track + gate.after for lap in laps for gate in board.gates)
    # A marker that stands on a gate has it behind itself.
    return tuple(n for n in numbers if before + marker.at_gate <= n < after)


@rule("falcon.gates.size", f"{_SECTION}; inferred, as no rule names the width", GATE_WIDTH)
def GATE_SIZE(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """Each gate is one tile wide, so that opposite gates make the castle 97 cells large.

    By switch ``gate_width`` each is two tiles wide, and the castle has 120 cells.

    Passes: a tile on (4,0), beside gate 91/92.
    Fails: the same tile within the wall of The Castle alone, which has no such cell.
    """
    for side, _ in tile.cell.neighbours():
        gate = position.game.board.gate_at(tile.cell, side)
        if gate is not None:
            width = "one tile" if len(gate.cells) == 1 else f"{len(gate.cells)} tiles"
            yield GATE_SIZE.finding(
                f"{tile.cell} lies inside: gate {gate.name} on its side {side.name} is {width}"
                " wide",
                (tile.cell,),
            )


def _wall(game: Game) -> Board:
    """Return the board with gates as wide as the switch says; an own wall stays unchanged."""
    chosen = [
        wall for wall in game.walls if len(wall.gates[0].cells) == int(game.value(GATE_WIDTH))
    ]
    return chosen[0] if chosen and game.board.id == chosen[0].id else game.board


@rule("falcon.gates.wall", _SECTION)
def GATE_WALL(position: Position, tile: PlacedTile) -> Iterator[Finding]:
    """A gate is wall: it closes features, and paths end at it.

    Passes: a tower with its last side against a gate is complete.
    Fails: a path side against a gate is illegal.
    """
    game = position.game
    start = game.board.start_facing(tile.cell)
    for side, _ in tile.cell.neighbours():
        gate = game.board.gate_at(tile.cell, side)
        if gate is not None and (start is None or start.side is not side):
            yield GATE_WALL.finding(
                f"the {tile.side_kinds(side)} on side {side.name} of {tile.cell} ends at gate"
                f" {gate.name}",
                (tile.cell,),
            )


@rule(
    "falcon.gates.starts",
    f"{WIKI_2022}, 'Gates'; no other text says it",
    GATE_START_SPACES,
)
def GATE_STARTS(game: Game) -> Game:
    """Two of the gates are start spaces too.

    Only the wiki says so. It names neither the two gates nor their pictures. The default is a
    guess.

    Passes: the first tile on (-1,8), which gate 27/28 faces.
    Fails: the first tile on (4,12), at gate 47/48, which is no start space by default.
    """
    board = _wall(game)
    value = game.value(GATE_START_SPACES)
    wanted = () if value == NONE_OPEN else value.split("+")
    gates = {gate.name: gate for gate in board.gates}
    shows = dict(zip((start.name for start in game.board.starts), game.shows, strict=True))
    starts = [start for start in board.starts if start.name not in gates]
    starts += [gates[name].start for name in wanted if name in gates]
    starts.sort(key=lambda start: int(start.name.split("/")[0]))
    return replace(
        game,
        board=replace(board, starts=tuple(starts)),
        shows=tuple(shows.get(start.name) or gates[start.name].shows for start in starts),
    )


@rule(
    "falcon.variant.gate-stop", f"{FALCON_RULES_2013}, 'Rules Variant'", GATE_STOP, GATE_STOP_PLACE
)
def STOP(game: Game, marker: Marker, gained: int) -> Marker | None:
    """A variant: a marker that would pass a gate in play stops there and loses the rest.

    It stands on the gate, takes no wall tile, and leaves from there next time. Its score is the
    number passed. Landing on the number before a gate is an ordinary landing. Both
    markers stop, on every lap, not in final scoring. By switch ``gate_stop_place`` it
    stands on the number before, takes a tile lying there, and passes next time.

    Passes: a marker on 25 scores 6 and stands on the gate after 27.
    Fails: it moves past the gate to 31.
    """
    if game.value(GATE_STOP) == "off":
        return None
    for number in GATES(game, marker, gained):
        if game.value(GATE_STOP_PLACE) == "on_gate":
            return Marker(number, at_gate=True)
        if number > marker.score:
            return Marker(number)
    return None


def march(game: Game, marker: Marker, gained: int) -> March:
    """Move a marker by some points, over gates or up to the first by the variant."""
    stopped = STOP(game, marker, gained)
    if stopped is None:
        rules = (GATES.id,) if GATES(game, marker, gained) else ()
        return March(Marker(marker.score + gained), rules)
    lost = marker.score + gained - stopped.score
    where = "on the gate after" if stopped.at_gate else "before the gate after"
    note = f", stopped {where} {stopped.score % game.board.track}: {lost} lost"
    return March(stopped, (STOP.id,), note)


def markers_at_gates(position: Position) -> Iterator[Finding]:
    """Yield markers that stand on a gate where none can."""
    game = position.game
    can = game.value(GATE_STOP) == "on" and game.value(GATE_STOP_PLACE) == "on_gate"
    numbers = {gate.after for gate in game.board.gates} if can else set()
    for index, state in enumerate(position.players):
        if state.at_gate and state.score % game.board.track not in numbers:
            yield STOP.finding(
                f"{game.name(index)}'s marker cannot stand on a gate with a score of {state.score}",
                at=f"{game.players[index]}.at_gate",
            )
