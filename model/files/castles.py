"""The keys that only files of The Castle have: start spaces, towers, White and Black."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from burgrave.model.components import Rank
from burgrave.model.files.games import default_shows, shipped_game
from burgrave.model.files.parts import parts_data, with_parts
from burgrave.model.files.schema import PlayerEntry, PositionBody
from burgrave.model.files.tilesets import (
    CASTLE_KINDS,
    OWN,
    set_of,
    shipped_tile_set,
    shipped_tile_sets,
)
from burgrave.model.games import Game
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import PlayerState, Position
from burgrave.model.rules.castle.setup import NAMES


def walled_game(body: PositionBody, faults: list[str]) -> Game:
    """Return the game in a castle that a file names; faults are added to the list."""
    own = body.tiles == OWN
    if not own and (body.tiles not in shipped_tile_sets() or not _fits_castle(body.tiles)):
        allowed = [*(name for name in shipped_tile_sets() if _fits_castle(name)), OWN]
        faults.append(f"tiles: no set {quoted(body.tiles)}.{suggestion(body.tiles, allowed)}")
        return shipped_game(body.game)
    if len(set(body.players)) < len(body.players):
        faults.append("players: a name stands twice")
    game = shipped_game(body.game, tile_set=None if own else shipped_tile_set(body.tiles))
    tiles = set_of() if own else game.tile_set
    return replace(game, players=tuple(body.players), tile_set=tiles)


def _fits_castle(name: str) -> bool:
    """Tell whether a shipped set is for a castle."""
    kinds = {segment.kind for kind in shipped_tile_set(name).kinds for segment in kind.segments}
    return kinds <= CASTLE_KINDS


def with_starts(game: Game, body: PositionBody, faults: list[str]) -> Game:
    """Return the game with what the start spaces of a file show; faults are added to the list."""
    names = [start.name for start in game.board.starts]
    pictures = {kind.id for kind in game.picture_kinds}
    for start, shown in body.start_spaces.items():
        if start not in names:
            there = game.foreign(start) or f"; there are {', '.join(names)}"
            faults.append(f"start_spaces.{start}: no such start space{there}")
        elif shown not in pictures:
            every = f"There are {', '.join(sorted(pictures))}."
            there = game.foreign(shown) or f".{suggestion(shown, pictures, every)}"
            faults.append(f"start_spaces.{start}: no picture {quoted(shown)}{there}")
    shows = zip(names, game.shows, strict=True)
    return replace(game, shows=tuple(body.start_spaces.get(s, shown) for s, shown in shows))


def with_castle(position: Position, body: PositionBody, faults: list[str]) -> Position:
    """Return a position with players and corner towers; faults are added to the list."""
    game, known = position.game, dict(zip(NAMES, (body.white, body.black), strict=True))
    entries = [known.get(name, PlayerEntry()) for name in game.players]
    towers = {tower.name for tower in game.board.towers}
    faults.extend(
        f"towers.{tower}: no such tower; there are {', '.join(sorted(towers))}"
        for tower in body.towers
        if tower not in towers
    )
    position = with_parts(position, body, entries, faults)
    return replace(
        position,
        players=tuple(_player(entry, position, index) for index, entry in enumerate(entries)),
        towers=tuple(
            (t.name, body.towers[t.name]) for t in game.board.towers if t.name in body.towers
        ),
        spent=tuple(sorted(body.spent)),
        extra_turns=body.extra_turns,
        in_extra_turn=body.in_extra_turn,
    )


def _player(entry: PlayerEntry, position: Position, index: int) -> PlayerState:
    """Make a player; followers that are nowhere else are in the supply."""
    game, away = position.game, position.away()
    supply = entry.supply
    if supply is None:
        supply = max(0, game.followers - away[index, Rank.FOLLOWER] - entry.fresh_followers)
    resting = [Rank(name) for name in entry.fresh_specials]
    there = (rank for rank in game.specials if rank not in resting)
    specials = [rank for rank in there if not away[index, rank]]
    if entry.specials is not None:
        specials = [Rank(name) for name in entry.specials]
    return replace(
        position.players[index],
        score=entry.score,
        supply=supply,
        keep=entry.keep,
        wall_tiles=tuple(sorted(entry.wall_tiles)),
        fresh_wall_tiles=tuple(sorted(entry.fresh_wall_tiles)),
        fresh_followers=entry.fresh_followers,
        specials=tuple(sorted(specials)),
        fresh_specials=tuple(sorted(resting)),
        at_gate=entry.at_gate,
    )


def castle_head(game: Game, own: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the keys of a file that name a game in a castle."""
    shows = default_shows(game)
    data: dict[str, Any] = {"game": game.id, "tiles": game.tile_set.id}
    if game.players != NAMES:
        data["players"] = list(game.players)
    if own:
        data["kinds"] = own
    if changed := game.changed_switches():
        data["switches"] = changed
    pictures = zip(game.board.starts, game.shows, shows, strict=True)
    if own_shows := {s.name: shown for s, shown, default in pictures if shown != default}:
        data["start_spaces"] = own_shows
    return data


def castle_data(position: Position) -> dict[str, Any]:
    """Return the keys of wall tiles and players."""
    lists = {
        "spent": list(position.spent),
        **parts_data(position.parts, position.game),
        "towers": dict(position.towers),
    }
    names = enumerate(position.game.players)
    players = {name: _player_data(position, i) for i, name in names if name in NAMES}
    return {key: value for key, value in lists.items() if value} | players


def _player_data(position: Position, index: int) -> dict[str, Any]:
    """Return the entry of a player."""
    state = position.players[index]
    data: dict[str, Any] = {"score": state.score, "supply": state.supply}
    if state.keep:
        data["keep"] = state.keep
    if state.wall_tiles:
        data["wall_tiles"] = list(state.wall_tiles)
    if state.fresh_wall_tiles:
        data["fresh_wall_tiles"] = list(state.fresh_wall_tiles)
    if state.fresh_followers:
        data["fresh_followers"] = state.fresh_followers
    if position.game.specials:
        data["specials"] = list(map(str, state.specials))
    if state.fresh_specials:
        data["fresh_specials"] = list(map(str, state.fresh_specials))
    data |= parts_data(state.parts, position.game)
    if state.at_gate:
        data["at_gate"] = True
    return data
