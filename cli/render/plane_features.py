"""The features of a position of Carcassonne, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burgrave.cli.render.sentences import listed
from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.features import Feature, position_features
from burgrave.model.laying import complete
from burgrave.model.naming import a_noun, times
from burgrave.model.position import Position
from burgrave.model.rules.carcassonne.completion import missing
from burgrave.model.rules.carcassonne.farms import farms, harvest
from burgrave.model.rules.carcassonne.scoring import MAJORITY
from burgrave.model.tiles import Kind, Mark
from burgrave.model.words import write_node

if TYPE_CHECKING:
    from burgrave.cli.render import json_types

_TITLES = (
    (Kind.ROAD, "Roads"),
    (Kind.CITY, "Cities"),
    (Kind.CLOISTER, "Cloisters"),
    (Kind.FIELD, "Fields"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A feature with its points if it scored now, and their players."""

    feature: Feature
    complete: bool
    worth: int | None
    """Points on completion; None for a field, which is scored with its cities at the end."""
    now: int | None
    """Points if the game ended now, 0 for a completed feature; None for a field."""
    scorers: tuple[int, ...]
    """The players who would score it; of a field those with most farmers on it, although farms
    that pay by city count the farmers on all fields round the city."""


def _marks(feature: Feature) -> tuple[Mark, ...]:
    """Return the marks of a feature besides shields, each once."""
    return tuple(mark for mark in Mark if mark is not Mark.SHIELD and feature.count(mark))


def holdings(position: Position) -> tuple[Holding, ...]:
    """Return all features: those with followers first, then in the order of the board."""
    game, book, laid = position.game, book_of(position.game), position.by_cell()
    found = []
    for feature in position_features(position):
        farm = feature.kind is Kind.FIELD
        completed = complete(position, feature, laid)
        at_the_end = 0 if farm or completed else book.uncompleted(game, feature, laid)[1]
        found.append(
            Holding(
                feature=feature,
                complete=completed,
                worth=None if farm else book.completed(game, feature)[1],
                now=None if farm else at_the_end,
                scorers=MAJORITY(game, feature.followers),
            )
        )
    return tuple(sorted(found, key=lambda h: (not h.feature.followers, h.feature.nodes[0])))


def holding_data(position: Position, holding: Holding) -> json_types.PlaneFeature:
    """Return the JSON keys of a feature."""
    feature, game = holding.feature, position.game
    board = position.by_cell()
    return {
        "kind": str(feature.kind),
        "at": write_node(board, feature.anchor),
        "tiles": feature.size,
        "cells": [list(cell) for cell in sorted(feature.cells)],
        "shields": feature.count(Mark.SHIELD),
        "marks": [str(mark) for mark in _marks(feature)],
        "followers": [
            {
                "player": game.players[follower.player],
                "role": str(follower.role),
                "rank": str(follower.rank),
                "at": write_node(board, follower.node),
            }
            for follower in feature.followers
        ],
        "complete": holding.complete,
        "worth": holding.worth,
        "worth_at_the_end": holding.now,
        "scorers": [game.players[player] for player in holding.scorers],
        "open": [[cell.x, cell.y, side.name] for cell, side in feature.open_sides],
        "missing": [list(cell) for cell in sorted(missing(feature, position.by_cell()))],
    }


def holding_text(position: Position, holding: Holding) -> str:
    """Return a feature in one line: kind, holders, points and missing cells."""
    feature, game = holding.feature, position.game
    parts = [f"{feature} at {write_node(position.by_cell(), feature.anchor)}"]
    if number := feature.count(Mark.SHIELD):
        parts.append(times(number, "shield"))
    parts += [f"with {a_noun(mark)}" for mark in _marks(feature)]
    here = ", ".join(
        f"{game.name(f.player)}'s {f.title} on {f.node.cell}" for f in feature.followers
    )
    points = "" if holding.worth is None else f"{holding.worth}"
    if holding.now:
        points += f", at the end {holding.now}"
    names = " and ".join(game.name(player) for player in holding.scorers)
    if not feature.followers:
        parts.append(f"nobody stands on it{points and f' ({points})'}")
    elif feature.kind is Kind.FIELD:
        parts.append(f"{here}: most farmers: {names or 'tied'}")
    elif not names:
        parts.append(f"{here}: tied, nobody would score {points}")
    else:
        parts.append(f"{here}: {names} would score {points}")
    cells = " ".join(f"{x},{y}" for x, y in sorted(missing(feature, position.by_cell())))
    parts.append("complete" if holding.complete else f"open towards {cells}" if cells else "closed")
    return ", ".join(parts)


def plane_players(position: Position) -> dict[str, json_types.PlanePlayer]:
    """Return the JSON keys of all players, by name."""
    game = position.game
    return {
        name: {
            "score": state.score,
            "supply": state.supply,
            "specials": [str(rank) for rank in state.specials],
            "on_board": sum(follower.player == index for follower in position.followers),
            "guards": sum(tower.guard == index for tower in position.part(Towers).built),
            "pieces": state.part(TowerHoldings).pieces,
            "prisoners": [*map(game.owned, state.part(TowerHoldings).prisoners)],
        }
        for index, (name, state) in enumerate(zip(game.players, position.players, strict=True))
    }


def _supply(data: json_types.PlanePlayer) -> list[str]:
    """Return the followers in a player's supply, in words."""
    ranks = [a_noun(Rank(name).called) for name in data["specials"]]
    return [times(data["supply"], "follower"), *ranks]


def farm_data(position: Position) -> list[json_types.Farm]:
    """Return the points of the farms if the game ended now."""
    board = position_features(position)
    laid = position.by_cell()
    rule_id, found = harvest(position.game, farms(board, laid))
    return [
        {
            "player": position.game.players[gain.player],
            "points": gain.points,
            "at": write_node(laid, gain.feature.anchor),
            "cities": gain.cities,
            "rule": rule_id,
        }
        for gain in found
    ]


def holdings_text(position: Position, found: tuple[Holding, ...]) -> Iterator[str]:
    """Yield the lines about players, features and farms."""
    for name, data in plane_players(position).items():
        parts = [
            f"{name.capitalize()}: {times(data['score'], 'point')}",
            f"{listed(_supply(data))} in the supply",
            f"{data['on_board']} on the board",
        ]
        if book_of(position.game).actions:
            parts += [f"{data['guards']} on towers", times(data["pieces"], "tower piece")]
            parts.append(f"prisoners {' '.join(data['prisoners']) or 'none'}")
        yield ", ".join(parts)
    for kind, title in _TITLES:
        here = [holding for holding in found if holding.feature.kind is kind]
        if here:
            yield f"{title} ({len(here)})"
            yield from (f"  {holding_text(position, holding)}" for holding in here)
    # Of a game that is over the final scoring says it.
    for gain in () if position.over else farm_data(position):
        cities = "1 city" if gain["cities"] == 1 else f"{gain['cities']} cities"
        yield (
            f"If the game ended now, {gain['player'].capitalize()} would farm {gain['points']} at"
            f" {gain['at']} ({cities}) [{gain['rule']}]"
        )
