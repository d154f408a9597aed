"""The keys that only files of Carcassonne have: players by name, towers, prisoners."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from burgrave.model.components import Prisoner, Rank, Tower
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.files.schema import PlaneBody, PlaneEntry
from burgrave.model.files.tilesets import OWN, set_of
from burgrave.model.games import DEFAULT_EDITION, Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import quoted, suggestion
from burgrave.model.position import PlayerState, Position

_TOWER = re.compile(
    r"(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3}):(?P<height>\d{1,2})"
    r"(?: (?:(?P<closed>closed)|(?P<guard>[a-z]\w*)(?::(?P<rank>[a-z]+))?))?",
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
    held = [_prisoners(game, entry, faults) for entry in entries]
    away = [(one.player, one.rank) for one in position.followers]
    away += [(tower.guard, tower.rank) for tower in built if tower.guard is not None]
    away += [(one.owner, one.rank) for prisoners in held for one in prisoners]
    players = []
    for index, entry in enumerate(entries):
        supply, specials = entry.supply, entry.specials
        if supply is None:
            supply = max(0, game.followers - away.count((index, Rank.FOLLOWER)))
        if specials is None:
            specials = [str(rank) for rank in game.specials if (index, rank) not in away]
        faults.extend(
            f"player.{game.players[index]}.specials: the game has no {name}{game.foreign(name)}"
            for name in specials
            if name not in game.specials
        )
        players.append(
            PlayerState(
                score=entry.score,
                supply=supply,
                specials=tuple(sorted(Rank(n) for n in specials if n in game.specials)),
                pieces=entry.pieces,
                prisoners=held[index],
            )
        )
    return replace(position, built=built, players=tuple(players))


def _prisoners(game: Game, entry: PlaneEntry, faults: list[str]) -> tuple[Prisoner, ...]:
    """Return the followers that a player holds prisoner."""
    found = []
    for line in entry.prisoners:
        name, _, word = line.partition(":")
        if name not in game.players:
            faults.append(f"prisoners: no player {name}; there are {', '.join(game.players)}")
        elif (rank := _rank(game, word, "prisoners", faults)) is not None:
            found.append(Prisoner(game.players.index(name), rank))
    return tuple(sorted(found))


def _rank(game: Game, word: str, at: str, faults: list[str]) -> Rank | None:
    """Return the rank that a word names, an ordinary follower's without one; None if no rank."""
    if not word:
        return Rank.FOLLOWER
    if word.lower() in game.specials:
        return Rank(word.lower())
    faults.append(f"{at}: there is no rank {quoted(word)}{game.foreign(word)}")
    return None


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
        elif (rank := _rank(game, match["rank"] or "", f"built[{index}]", faults)) is not None:
            yield Tower(
                cell=Cell(int(match["x"]), int(match["y"])),
                height=int(match["height"]),
                guard=None if guard is None else game.players.index(guard),
                closed=match["closed"] is not None,
                rank=rank,
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
    guard = "" if tower.guard is None else f" {game.owned(Prisoner(tower.guard, tower.rank))}"
    return f"{tower.cell}:{tower.height}{guard}{' closed' if tower.closed else ''}"


def _player_data(position: Position, index: int) -> dict[str, Any]:
    """Return the entry of a player."""
    state = position.players[index]
    data: dict[str, Any] = {"score": state.score, "supply": state.supply}
    if position.game.specials:
        data["specials"] = list(map(str, state.specials))
    if state.pieces:
        data["pieces"] = state.pieces
    if state.prisoners:
        data["prisoners"] = [position.game.owned(one) for one in state.prisoners]
    return data
