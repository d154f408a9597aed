"""The features, courts and keeps of a position, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import scored_at_end
from burgrave.model.castle.rewards import multiple
from burgrave.model.claims import Occasion
from burgrave.model.components import Follower
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.features import Feature, position_features
from burgrave.model.laying import complete
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.model.rules.castle.keeps import END_COURT, largest_empty_area
from burgrave.model.rules.castle.scoring import MAJORITY
from burgrave.model.tiles import Kind, Mark
from burgrave.model.words import write_node

if TYPE_CHECKING:
    from burgrave.cli.render import json_types


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A feature with its points if it scored now, and their player."""

    feature: Feature
    complete: bool
    worth: int
    """Points if it scored now: on completion, or at the end for a court."""
    scorer: int | None
    """Index of the player with the majority, or None."""


def standings(position: Position) -> tuple[Standing, ...]:
    """Return all features with a tile inside the wall: those with followers first, then by size."""
    laid = position.laid()
    found = []
    for feature in position_features(position):
        if not feature.inside:
            continue
        found.append(
            Standing(
                feature=feature,
                complete=complete(position, feature, laid),
                worth=_worth(position, feature),
                scorer=MAJORITY(position.game, feature.followers),
            )
        )
    return tuple(sorted(found, key=lambda s: (not s.feature.followers, s.feature.nodes[0])))


def _worth(position: Position, feature: Feature) -> int:
    """Return the points of a feature if it scored now, doubled by its scorer's king."""
    court = feature.kind is Kind.COURT
    game = position.game
    plain = END_COURT(game, feature) if court else book_of(game).completed(game, feature)[1]
    scorer = MAJORITY(position.game, feature.followers)
    if scorer is None:
        return plain
    occasion = Occasion.COURT if court else Occasion.COMPLETED
    return plain * multiple(scored_at_end(position, feature, scorer, occasion))


def standing_data(position: Position, standing: Standing) -> json_types.CastleFeature:
    """Return the JSON keys of a feature."""
    feature, game = standing.feature, position.game
    board = position.by_cell()
    starts = [s.name for s in game.board.starts if s.outside in feature.start_cells]
    data: json_types.CastleFeature = {
        "kind": str(feature.kind),
        "at": write_node(board, feature.anchor),
        "tiles": feature.size,
        "cells": [list(cell) for cell in sorted(feature.cells - feature.start_cells)],
        "start_spaces": starts,
        "fountains": feature.count(Mark.FOUNTAIN),
        "markets": feature.count(Mark.MARKET),
        "followers": [_follower_data(position, follower) for follower in feature.followers],
        "complete": standing.complete,
        "worth": standing.worth,
        "scorer": None if standing.scorer is None else game.players[standing.scorer],
        "open": [[cell.x, cell.y, side.name] for cell, side in feature.open_sides],
        "missing": [list(cell) for cell in sorted(feature.empty_cells())],
    }
    if book_of(game).collect:
        data["aeries"] = len(feature.aeries)
    return data


def _follower_data(position: Position, follower: Follower) -> json_types.Standing:
    """Return the JSON keys of a follower on a feature."""
    data: json_types.Standing = {
        "player": position.game.players[follower.player],
        "role": str(follower.role),
        "at": write_node(position.by_cell(), follower.node),
    }
    if position.game.specials:
        data["rank"] = str(follower.rank)
    return data


def standing_text(position: Position, standing: Standing) -> str:
    """Return a feature in one line: kind, holder, points and missing cells."""
    feature = standing.feature
    parts = [f"{feature} at {write_node(position.by_cell(), feature.anchor)}"]
    starts = [s.name for s in position.game.board.starts if s.outside in feature.start_cells]
    parts += [f"with start space {name}" for name in starts]
    for mark in (Mark.FOUNTAIN, Mark.MARKET):
        if number := feature.count(mark):
            parts.append(times(number, mark))
    if feature.aeries:
        parts.append(times(len(feature.aeries), "aerie"))
    parts.append(_majority(position, standing))
    parts.append(_missing(position, standing))
    return ", ".join(parts)


def _majority(position: Position, standing: Standing) -> str:
    """Return the scorer of a feature and his points."""
    game, feature = position.game, standing.feature
    here = ", ".join(
        f"{game.name(f.player)}'s {f.title} on {f.node.cell}" for f in feature.followers
    )
    when = "at the end" if feature.kind is Kind.COURT else "on completion"
    points = f"{standing.worth} {when}"
    if not feature.followers:
        return f"nobody stands on it ({points})"
    if standing.scorer is None:
        return f"{here}: tied, nobody would score its {points}"
    return f"{here}: {game.name(standing.scorer)} would score {points}"


def _missing(position: Position, standing: Standing) -> str:
    """Return the gaps of a feature that is not complete."""
    feature = standing.feature
    cells = " ".join(str(cell) for cell in sorted(feature.empty_cells()))
    if cells:
        return f"open towards {cells}"
    if standing.complete:
        return "complete"
    if feature.kind is Kind.COURT:
        return "enclosed"
    gaps = book_of(position.game).gaps.get(feature.kind)
    if gaps is not None and (around := gaps(position.game, feature, position.laid())):
        return f"closed, but empty around it: {' '.join(map(str, sorted(around)))}"
    return "closed, but it encloses a hole"


def player_data(position: Position, player: int) -> json_types.CastlePlayer:
    """Return the JSON keys of a player."""
    state = position.players[player]
    data: json_types.CastlePlayer = {
        "score": state.score,
        "supply": state.supply,
        "on_board": sum(follower.player == player for follower in position.followers),
        "keep": state.keep,
        "wall_tiles": list(state.wall_tiles),
        "fresh_wall_tiles": list(state.fresh_wall_tiles),
    }
    if position.game.specials:
        data["specials"] = list(map(str, state.specials))
        data["tokens"] = state.part(FalconHoldings).tokens
        data["at_gate"] = state.at_gate
    return data


def player_text(position: Position, player: int) -> str:
    """Return a player's possessions in one line."""
    data = player_data(position, player)
    hand = " ".join(str(n or "?") for n in (*data["wall_tiles"], *data["fresh_wall_tiles"]))
    more = ""
    if position.game.specials:
        more = f", {times(data['tokens'], 'aerie token')}"
        more += "".join(f", {rank} at hand" for rank in data["specials"])
        more += ", marker on the gate" if data["at_gate"] else ""
    return (
        f"{position.game.name(player)}: {times(data['score'], 'point')},"
        f" {times(data['supply'], 'follower')} in the supply, {data['on_board']} on the board,"
        f" keep {data['keep'] or 'none'}, wall tiles {hand or 'none'}{more}"
    )


def standings_text(position: Position, found: tuple[Standing, ...]) -> Iterator[str]:
    """Yield the lines about players, features and the empty area."""
    for player in range(len(position.players)):
        yield player_text(position, player)
    yield f"Largest empty area: {times(largest_empty_area(position), 'cell')}"
    for title, kind in (
        ("Paths", Kind.PATH),
        ("Towers", Kind.TOWER),
        ("Houses", Kind.HOUSE),
        ("Courts", Kind.COURT),
        ("Chapels", Kind.CHAPEL),
    ):
        here = [standing for standing in found if standing.feature.kind is kind]
        if here:
            yield f"{title} ({len(here)})"
            yield from (f"  {standing_text(position, standing)}" for standing in here)
