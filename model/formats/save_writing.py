"""Records of Carcassonne as saves in the form of JCloisterZone 5."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from burgrave.model.components import Node
from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import Record
from burgrave.model.files.whole_games import whole_turns
from burgrave.model.formats.foreign import JCLOISTERZONE
from burgrave.model.formats.jcloisterzone import INSIDE, KINDS, ends
from burgrave.model.formats.save_support import BASE, FARMERS, FOLLOWERS, SMALL_CITY, application
from burgrave.model.formats.saved_draws import following
from burgrave.model.games import Game
from burgrave.model.geometry import PORT_NAMES
from burgrave.model.laying import deployable, lay
from burgrave.model.position import Move, Position
from burgrave.model.registry import CARCASSONNE
from burgrave.model.tiles import Kind, PlacedTile

STATED = frozenset({"farmers", "small_city"})
"""The switches that a save states."""
VERSION = "5.12.1"
"""The version whose form the saves have."""
TRIES = 1_000_000
"""Numbers tried, of which one draws a tile and those without a place before it."""
_ORDER = "NWSE"
_PAIRS = ("NW", "SW", "SE", "NE", "WE", "NS")
_NAMES = {kind: name for name, kind in KINDS.items()}


def write_save(record: Record) -> str:
    """Return a record as the text of a save.

    The application draws each tile by a number from 0 to 1; the save has numbers that draw the
    tiles of the record.

    Args:
        record: a game of Carcassonne without an expansion, from its first turn on.

    Raises:
        QuestionError: the application does not play this game, or a move is illegal.

    """
    start = record.position
    code = {kind.id: kind.code for kind in start.game.tile_set.kinds}
    hands = _Hands()
    replay: list[dict[str, Any]] = []
    drawn: list[list[str]] = []
    for at, move, after in whole_turns(record, JCLOISTERZONE):
        drawn.append([code[tile] for tile in (*move.discards, *filter(None, [move.tile]))])
        if move.tile is not None:
            replay += _decisions(at, move, code[move.tile], hands)
        hands.take_home(after)
    _refuse_other_rules(start.game)
    left = sorted(code[tile] for tile in (*start.order, *start.bag))
    numbers = list(_numbers(drawn, left))
    commits = [message for message in replay if message["type"] == "COMMIT"]
    for message, following_number in zip(commits, numbers[1:], strict=False):
        message["payload"]["random"] = following_number
    game, (tile,) = start.game, start.tiles
    values = _values(game)
    save = {
        "appVersion": VERSION,
        "gameId": "1",
        "name": record.title,
        "initialRandom": numbers[0] if numbers else 0.5,
        "created": "2000-01-01T00:00:00.000Z",
        "clock": 0,
        "setup": {
            "sets": {BASE: 1},
            "elements": {FOLLOWERS: game.followers, FARMERS: values["farmers"] == "on"},
            "rules": {SMALL_CITY: values["small_city"]},
            "timer": None,
            "start": [{"tile": tile.kind.code, "x": 0, "y": 0, "rotation": 90 * tile.rotation}],
        },
        "players": [{"name": name, "slot": slot} for slot, name in enumerate(game.players)],
        "replay": replay,
    }
    return json.dumps(save, indent=2, ensure_ascii=False) + "\n"


def _values(game: Game) -> dict[str, str]:
    """Return the values of the switches of a game, by name."""
    return {switch.name: value for switch, value in game.switches}


def _refuse_other_rules(game: Game) -> None:
    """Refuse a game by rules that a save cannot state.

    Raises:
        QuestionError: it is such a game.

    """
    usual = _values(shipped_game(CARCASSONNE, edition=application().edition))
    theirs = {**usual, **application().switches}
    wrong = [
        f"{name} = {value}"
        for name, value in _values(game).items()
        if name not in STATED and theirs.get(name) != value
    ]
    if wrong:
        raise QuestionError(f"{JCLOISTERZONE} does not play by {', '.join(wrong)}")


@dataclass(slots=True)
class _Hands:
    """The names of followers: who stands where."""

    placed: dict[Node, tuple[int, int]] = field(default_factory=dict)
    """By segment the player and the number of his follower."""

    def place(self, player: int, node: Node) -> str:
        """Return the name of a follower that a player places."""
        taken = {number for who, number in self.placed.values() if who == player}
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        self.placed[node] = (player, number)
        return f"{player}.small.{number}"

    def take_home(self, at: Position) -> None:
        """Forget the followers that stand no more."""
        standing = {follower.node for follower in at.followers}
        self.placed = {node: name for node, name in self.placed.items() if node in standing}


def _decisions(at: Position, move: Move, code: str, hands: _Hands) -> Iterator[dict[str, Any]]:
    """Yield the decisions of a turn."""
    tile = move.laid(at.game.tile_set.kind(str(move.tile)))
    place = [tile.cell.x, -tile.cell.y]
    yield {
        "type": "PLACE_TILE",
        "payload": {"tileId": code, "rotation": f"R{90 * tile.rotation}", "position": place},
    }
    placement = lay(at, tile, position_features(at), move.discards)
    for follower in move.followers:
        pointer = {
            "position": place,
            "feature": _NAMES[tile.kind.segments[follower.segment].kind],
            "location": _location(tile, follower.segment),
        }
        name = hands.place(at.to_move, Node(follower.cell, follower.segment))
        yield {"type": "DEPLOY_MEEPLE", "payload": {"pointer": pointer, "meepleId": name}}
    if not move.followers and any(deployable(placement)):
        yield {"type": "PASS", "payload": {}}
    yield {"type": "COMMIT", "payload": {"random": 0.5}}


def _location(tile: PlacedTile, segment: int) -> str:
    """Return the name that the application gives to a segment.

    Two sides have names of their own; three are named by the side that is missing.
    """
    reached = ends(tile, segment)
    if not reached:
        return INSIDE
    if tile.kind.segments[segment].kind is Kind.FIELD:
        return ".".join(name for name in PORT_NAMES if name in reached)
    if len(reached) == len(_ORDER) - 1:
        return "_" + next(side for side in _ORDER if side not in reached)
    pairs = [name for name in _PAIRS if frozenset(name) == reached]
    return pairs[0] if pairs else "".join(side for side in _ORDER if side in reached)


def _numbers(drawn: Sequence[Sequence[str]], left: list[str]) -> Iterator[float]:
    """Yield for each turn the number that draws its tiles.

    Args:
        drawn: for each turn the tiles without a place, and then the one that was laid.
        left: the tiles to be drawn, in the order of their names; they are taken away.

    Raises:
        QuestionError: no number draws so many tiles in a row.

    """
    for codes in drawn:
        first, many = left.index(codes[0]), len(left)
        known = left.count(codes[0])
        for part in range(TRIES):
            number = (first + known * (part + 0.5) / TRIES) / many
            rest = [*left]
            if _draws(number, codes, rest):
                left[:] = rest
                yield number
                break
        else:
            raise QuestionError(f"no number draws {', '.join(codes)} in a row")


def _draws(number: float, codes: Sequence[str], left: list[str]) -> bool:
    """Tell whether a number draws tiles in a row, which are then taken away."""
    for code in codes:
        if left[int(number * len(left))] != code:
            return False
        left.remove(code)
        number = following(number)
    return True
