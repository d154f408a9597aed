"""The keys that only files of Carcassonne have: players by name, towers, prisoners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from burgrave.model.components import Tower
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.files.schema import PlaneBody, PlaneEntry
from burgrave.model.files.tilesets import OWN, set_of
from burgrave.model.games import DEFAULT_EDITION, Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import PlayerState, Position

_TOWER = re.compile(
    r"(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3}):(?P<height>\d{1,2})"
    r"(?: (?:(?P<closed>closed)|(?P<guard>[a-z]\w*)))?",
    re.IGNORECASE,
)


def plane_game(body: PlaneBody, faults: list[str]) -> Game:
    """Return the game that a file names; faults are added to the list."""
    edition = body.edition
    if edition not in editions():
        faults.append(f"edition: no edition {quoted(edition)}.{suggestion(edition, editions())}")
        edition = DEFAULT_EDITION
    if len(set(body.players)) < len(body.players):
        faults.append("players: a name stands twice")
    allowed = ", ".join(body.players)
    faults.extend(
        f"player.{name}: no such player; there are {allowed}"
        for name in body.player
        if name not in body.players
    )
    game = shipped_game(body.game, players=body.players, edition=edition)
    return replace(game, tile_set=set_of()) if body.tiles == OWN else game


def with_plane(position: Position, body: PlaneBody, faults: list[str]) -> Position:
    """Return a position with towers and players; faults are added to the list.

    Followers that a file does not tell of are in the supply.
    """
    game = position.game
    built = tuple(sorted(_towers(game, body.built, faults)))
    entries = [body.player.get(name, PlaneEntry()) for name in game.players]
    held = [_owners(game, entry, faults) for entry in entries]
    players = []
    for index, entry in enumerate(entries):
        elsewhere = (
            sum(follower.player == index for follower in position.followers)
            + sum(tower.guard == index for tower in built)
            + sum(prisoners.count(index) for prisoners in held)
        )
        supply = entry.supply
        if supply is None:
            supply = max(0, game.followers - elsewhere)
        players.append(
            PlayerState(
                score=entry.score, supply=supply, pieces=entry.pieces, prisoners=held[index]
            )
        )
    return replace(position, built=built, players=tuple(players))


def _owners(game: Game, entry: PlaneEntry, faults: list[str]) -> tuple[int, ...]:
    """Return the owners of the followers that a player holds prisoner."""
    unknown = [name for name in entry.prisoners if name not in game.players]
    faults.extend(
        f"prisoners: no player {name}; there are {', '.join(game.players)}" for name in unknown
    )
    return tuple(sorted(game.players.index(n) for n in entry.prisoners if n not in unknown))


def _towers(game: Game, lines: Sequence[str], faults: list[str]) -> Iterator[Tower]:
    """Yield the towers of a file."""
    for index, line in enumerate(lines):
        match = _TOWER.fullmatch(line)
        guard = match["guard"].lower() if match and match["guard"] else None
        if match is None:
            faults.append(f"built[{index}]: {line!r} is no tower, like '3,4:2' or '3,4:2 red'")
        elif guard is not None and guard not in game.players:
            allowed = ", ".join(game.players)
            faults.append(f"built[{index}]: no player {guard}: allowed are {allowed}")
        else:
            yield Tower(
                cell=Cell(int(match["x"]), int(match["y"])),
                height=int(match["height"]),
                guard=None if guard is None else game.players.index(guard),
                closed=match["closed"] is not None,
            )


def plane_head(game: Game, own: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the keys of a file that name the game, edition, players, own kinds and switches."""
    data: dict[str, Any] = {"game": game.id}
    if game.edition is not None:
        data["edition"] = game.edition.name
    data["players"] = list(game.players)
    if game.tile_set.id == OWN:
        data["tiles"] = OWN
    if own:
        data["kinds"] = own
    if changed := game.changed_switches():
        data["switches"] = changed
    return data


def plane_data(position: Position) -> dict[str, Any]:
    """Return the keys of towers and players."""
    game = position.game
    data: dict[str, Any] = {}
    if position.built:
        data["built"] = [_tower_line(game, tower) for tower in position.built]
    data["player"] = {name: _player_data(position, i) for i, name in enumerate(game.players)}
    return data


def _tower_line(game: Game, tower: Tower) -> str:
    """Write a tower; ``_towers`` gives it back."""
    guard = "" if tower.guard is None else f" {game.players[tower.guard]}"
    return f"{tower.cell}:{tower.height}{guard}{' closed' if tower.closed else ''}"


def _player_data(position: Position, index: int) -> dict[str, Any]:
    """Return the entry of a player."""
    state = position.players[index]
    data: dict[str, Any] = {"score": state.score, "supply": state.supply}
    if state.pieces:
        data["pieces"] = state.pieces
    if state.prisoners:
        data["prisoners"] = [position.game.players[owner] for owner in state.prisoners]
    return data
