"""The keys that only files of Carcassonne have: edition, players by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from burgrave.model.components import Rank
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.files.parts import parts_data, with_parts
from burgrave.model.files.schema import PlaneBody, PlaneEntry
from burgrave.model.files.tilesets import OWN, set_of
from burgrave.model.games import DEFAULT_EDITION, Game
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import Position


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
    entries = [body.player.get(name, PlaneEntry()) for name in game.players]
    position = with_parts(position, body, entries, faults)
    away, players = position.away(), []
    for index, (entry, state) in enumerate(zip(entries, position.players, strict=True)):
        supply, specials = entry.supply, entry.specials
        if supply is None:
            supply = max(0, game.followers - away[index, Rank.FOLLOWER])
        if specials is None:
            specials = [str(rank) for rank in game.specials if (index, rank) not in away]
        faults.extend(
            f"player.{game.players[index]}.specials: the game has no {name}{game.foreign(name)}"
            for name in specials
            if name not in game.specials
        )
        players.append(
            replace(
                state,
                score=entry.score,
                supply=supply,
                specials=tuple(sorted(Rank(n) for n in specials if n in game.specials)),
            )
        )
    return replace(position, players=tuple(players))


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
    data = parts_data(position.parts, game)
    data["player"] = {name: _player_data(position, i) for i, name in enumerate(game.players)}
    return data


def _player_data(position: Position, index: int) -> dict[str, Any]:
    """Return the entry of a player."""
    state = position.players[index]
    data: dict[str, Any] = {"score": state.score, "supply": state.supply}
    if position.game.specials:
        data["specials"] = list(map(str, state.specials))
    return data | parts_data(state.parts, position.game)
