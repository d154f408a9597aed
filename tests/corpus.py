"""Recorded games of an independent engine, driven through ours and compared at every decision.

Each line of a file is a game of JCloisterZone. It holds every decision with its options and the
choice. After each turn it holds points, supplies, prisoners and followers.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.draws import draws
from burgrave.model.engine import play
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.expansions.tower.turn import actions, staged
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.formats.jcloisterzone import (
    TOWER,
    Reader,
    cell_of,
    kind_of,
    rank_of,
    rotation_of,
    segment_of,
    start_tiles,
)
from burgrave.model.formats.save_support import application
from burgrave.model.geometry import Cell
from burgrave.model.laying import lay
from burgrave.model.places import can_lie, places, vacant
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.model.registry import CARCASSONNE
from burgrave.model.results import Played
from burgrave.model.rule import Event
from burgrave.model.tiles import PlacedTile, TileKind

EVENTS = {
    "road": "carcassonne.road.score",
    "city": "carcassonne.city.score",
    "monastery": "carcassonne.cloister.score",
    "road.incomplete": "carcassonne.end.road",
    "city.incomplete": "carcassonne.end.city",
    "monastery.incomplete": "carcassonne.end.cloister",
    "field": "carcassonne.farm.field3",
}
"""The rule that brings points, by the other engine's name of the event."""


PLAIN = {
    "inns.road.score": "carcassonne.road.score",
    "inns.city.score": "carcassonne.city.score",
    "inns.road.end": "carcassonne.end.road",
    "inns.city.end": "carcassonne.end.city",
}
"""The rules for features without an inn or a cathedral, by those for features with one."""
RANKS = {"SmallFollower": Rank.FOLLOWER, "BigFollower": Rank.BIG}


def games(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the recorded games of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass
class Comparison:
    """A game that is driven through our engine, with all differences found."""

    record: dict[str, Any]
    differences: list[str] = field(default_factory=list)
    compared: Counter[str] = field(default_factory=Counter)
    """How many lists, scores and so on were compared, by what they are."""

    def same(self, what: str, theirs: object, ours: object) -> None:
        """Compare two values."""
        self.compared[what] += 1
        if theirs != ours:
            self.differences.append(f"{self.record['game']} {what}: {theirs!r} | {ours!r}")


def opening(record: dict[str, Any]) -> Position:
    """Return the position with which a recorded game begins, the order of its tiles known."""
    expansions = application().chosen(record["sets"])
    game = shipped_game(
        "+".join((CARCASSONNE, *expansions)),
        players=record["players"],
        edition=application().edition,
    )
    known = {switch.name for switch, _ in game.switches}
    game = game.with_switches({n: v for n, v in application().switches.items() if n in known})
    state = replace(book_of(game).fresh(game), supply=record["elements"]["small-follower"])
    return Position(
        game=game,
        tiles=start_tiles(game, record["start"]),
        players=(state,) * record["players"],
        order=tuple(kind_of(game, code).id for code in drawn(record)),
    )


def drawn(record: dict[str, Any]) -> Iterator[str]:
    """Yield the codes of the tiles in the order in which they were drawn, discarded ones too."""
    gone = [e for e in record["other_events"] if e["type"] == "tile-discarded"]
    number = 0
    for step in record["steps"]:
        if step["message"]["type"] == "PLACE_TILE":
            yield from (e["tile"] for e in gone if e["turn"] == number)
            yield step["message"]["payload"]["tileId"]
            number += 1
    yield from (e["tile"] for e in gone if e["turn"] >= number)


def turns(record: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield the steps of each turn."""
    turn: list[dict[str, Any]] = []
    for step in record["steps"]:
        turn.append(step)
        if step["message"]["type"] == "COMMIT":
            yield turn
            turn = []
    assert not turn


def endings(path: Path, tiles: int) -> Iterator[Position]:
    """Yield each recorded game of a file at the turn with so many tiles left, or fewer."""
    for record in games(path):
        position = opening(record)
        reader = Reader(position.game)
        for steps in turns(record):
            if len(position.order) <= tiles:
                break
            made = reader.move(position, [step["message"] for step in steps])
            discards = next(iter(draws(position))).discards
            position = play(position, replace(made, discards=discards)).position
        yield position


def compare(record: dict[str, Any]) -> Comparison:
    """Drive a recorded game through our engine and compare everything that it tells."""
    found = Comparison(record)
    position = opening(record)
    reader = Reader(position.game)
    scored = {entry["turn"]: entry["events"] for entry in record["scoring"]}
    others: list[tuple[int, str]] = []
    number = -1
    for number, steps in enumerate(turns(record)):
        move = _compare_turn(found, reader, position, steps)
        played = play(position, move)
        others += [(number, name) for name in _other_events(played)]
        found.same("events", _named(scored.get(number, [])), _ours(played.events))
        position = played.position
        after = steps[-1]["after"]
        if position.over:  # the record's points hold final scoring already
            after = {**after, "points": [state.score for state in position.players]}
        found.same("state", _their_state(position, after), _our_state(position))
        found.same("possible", (), problems(position))
    if not position.over:
        played = play(position, Move(discards=position.order))
        others += [(number + 1, name) for name in _other_events(played)]
        position = played.position
    end = final_scoring(position)
    found.same("final events", _named(scored.get(number + 1, [])), _ours(end.events))
    found.same("final", record["final"]["points"], list(end.scores))
    gone = [kind_of(position.game, code).id for code in record["discarded"]]
    found.same("discarded", gone, list(position.discarded))
    theirs = [(event["turn"], event["type"]) for event in record["other_events"]]
    found.same("others", sorted(theirs), sorted(others))
    return found


def _compare_turn(
    found: Comparison, reader: Reader, position: Position, steps: Sequence[dict[str, Any]]
) -> Move:
    """Compare what may be chosen in a turn, and return the move that was made."""
    discards = next(iter(draws(position))).discards
    phases = [step["decision"]["phase"] for step in steps]
    for number, step in enumerate(steps):
        found.same("player", step["decision"]["player"], position.to_move)
        so_far = Reader(position.game, dict(reader.captors)).move(
            position, [other["message"] for other in steps[:number]]
        )
        items = {
            item.get("meeple", item["type"]): item["options"]
            for item in step["decision"]["items"]
            if "options" in item
        }
        if phases[number] == "TilePhase":
            kind = kind_of(position.game, step["decision"]["items"][0]["tileId"])
            _compare_placements(found, position, kind, items["TilePlacement"])
        elif phases[number] == "ActionPhase":
            _compare_actions(found, position, so_far, items)
        elif phases[number] == "TowerCapturePhase":
            if "CaptureFollower" in items:
                _compare_captures(found, position, so_far, items["CaptureFollower"])
            else:
                _compare_choice(found, position, so_far, items["SelectPrisonerToExchange"])
        elif "ActionPhase" not in phases:
            _compare_actions(found, position, so_far, {})
        elif so_far.pieces and "TowerCapturePhase" not in phases:
            _compare_captures(found, position, so_far, [])
    made = reader.move(position, [step["message"] for step in steps])
    return replace(made, discards=discards)


def _compare_placements(
    found: Comparison, position: Position, kind: TileKind, theirs: list[Any]
) -> None:
    """Compare all cells with all rotations, and that equal-looking ones are listed once."""
    tiles = [
        PlacedTile(cell=cell, kind=kind, rotation=rotation)
        for cell in vacant(position)
        for rotation in range(4)
    ]
    ours = {(tile.cell, tile.rotation) for tile in tiles if can_lie(position, tile)}
    named = {(cell_of(cell), rotation_of(turn)) for cell, turns_ in theirs for turn in turns_}
    found.same("placements", named, ours)
    listed = {(tile.cell, tile.rotation) for tile in places(position, kind.id)}
    found.same("listed", {p for p in named if p[1] in kind.rotations()}, listed)


def _options(position: Position, so_far: Move) -> tuple[PlacedTile, list[Move]]:
    """Return the tile of a turn and the moves that differ in their action alone."""
    tile = so_far.laid(position.game.tile_set.kind(so_far.tile or ""))
    placement = lay(position, tile, position_features(position))
    plain = replace(so_far, followers=(), pieces=(), captures=(), guards=())
    return tile, list(actions(staged(position, placement, plain), plain))


def _compare_actions(
    found: Comparison, position: Position, so_far: Move, theirs: dict[str, Any]
) -> None:
    """Compare the followers, guards and tower pieces that may be placed."""
    tile, ours = _options(position, so_far)
    offered = [(rank, *options) for word, rank in RANKS.items() for options in theirs.get(word, ())]
    followers = [options for options in offered if options[1] != TOWER]
    found.same(
        "followers",
        sorted((segment_of(tile, feature, place), rank) for rank, feature, place, _ in followers),
        sorted((d.segment, d.rank) for move in ours for d in move.followers),
    )
    found.same("on the tile", {cell_of(cell) for *_, cell in followers} - {tile.cell}, set())
    guards = [options for options in offered if options[1] == TOWER]
    found.same(
        "guards",
        sorted((cell_of(cell), rank) for rank, *_, cell in guards),
        sorted(tuple(guard) for move in ours for guard in move.guards),
    )
    found.same(
        "towers",
        sorted(cell_of(cell) for cell in theirs.get("TowerPiece", [])),
        sorted({cell for move in ours for cell in move.pieces}),
    )


def _compare_captures(
    found: Comparison, position: Position, so_far: Move, theirs: list[Any]
) -> None:
    """Compare the followers and guards that the tower just raised may take."""
    tile, moves = _options(position, so_far)
    board = {**position.by_cell(), tile.cell: tile}
    ours = {c[:2] for move in moves if move.pieces == so_far.pieces for c in move.captures}
    owner = {tuple(f.node): (f.player, f.rank) for f in position.followers}
    owner |= {
        (t.cell, None): (t.guard, t.rank)
        for t in position.part(Towers).built
        if t.guard is not None
    }
    found.same(
        "captures",
        sorted(
            (_standing(board, options), (int(options[0][0]), rank_of(options[0])))
            for options in theirs
        ),
        sorted(((cell, -1 if at is None else at), owner[cell, at]) for cell, at in ours),
    )


def _compare_choice(
    found: Comparison, position: Position, so_far: Move, theirs: list[dict[str, Any]]
) -> None:
    """Compare the followers of which one comes home for the one just taken."""
    _, moves = _options(position, so_far)
    taken = so_far.captures[0][:2]
    backs = {c.back for move in moves for c in move.captures if c[:2] == taken}
    found.same("choice", sorted(RANKS[one["type"]] for one in theirs), sorted(map(str, backs)))


def _standing(board: Mapping[Cell, PlacedTile], options: Sequence[Any]) -> tuple[Cell, int]:
    """Return where a follower stands: cell and segment, -1 on a tower."""
    _, feature, location, place = options
    cell = cell_of(place)
    return cell, -1 if feature == TOWER else segment_of(board[cell], feature, location)


def _named(events: Sequence[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """Return the scoring events of a turn as player, points and rule."""
    return sorted((event["player"], event["points"], EVENTS[event["name"]]) for event in events)


def _ours(events: Sequence[Event]) -> list[tuple[int, int, str]]:
    """Return our scoring events in the same terms."""
    named = [(event, PLAIN.get(event.rules[0], event.rules[0])) for event in events]
    return sorted(
        (event.player, event.points, rule)
        for event, rule in named
        if event.player is not None and rule in EVENTS.values()
    )


def _other_events(played: Played) -> Iterator[str]:
    """Yield what else happened, by the other engine's names."""
    for event in played.events:
        if event.rules[0] == "carcassonne.place.none":
            yield "tile-discarded"
        elif event.rules == ("tower.ransom.price", "tower.ransom.prisoner"):
            yield "ransom-paid"
        elif "tower.exchange" in event.rules:
            yield "prisoners-exchange"


def _their_state(position: Position, after: dict[str, Any]) -> dict[str, Any]:
    """Return what the record says of the players after a turn."""
    board = position.by_cell()
    return {
        "points": after["points"],
        "supply": [
            [supply.get(word, 0) for word in ("SmallFollower", "BigFollower")]
            for supply in after["supply"]
        ],
        "pieces": after["tower_pieces"],
        "prisoners": [
            sorted((owner, rank_of(name)) for name, owner, number in held for _ in range(number))
            for held in after["captured"]
        ],
        "standing": sorted(
            (
                _standing(board, entry[:1] + entry[2:] + entry[1:2]),
                int(entry[0][0]),
                rank_of(entry[0]),
            )
            for entry in after["deployed"]
        ),
    }


def _our_state(position: Position) -> dict[str, Any]:
    """Return the same of our position."""
    standing = [(tuple(one.node), one.player, one.rank) for one in position.followers]
    standing += [
        ((t.cell, -1), t.guard, t.rank) for t in position.part(Towers).built if t.guard is not None
    ]
    return {
        "points": [state.score for state in position.players],
        "supply": [[state.supply, len(state.specials)] for state in position.players],
        "pieces": [state.part(TowerHoldings).pieces for state in position.players],
        "prisoners": [
            [tuple(one) for one in state.part(TowerHoldings).prisoners]
            for state in position.players
        ],
        "standing": sorted(standing),
    }
