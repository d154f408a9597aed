"""Everything that is impossible about a position, by place in its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace

from burgrave.model.book import book_of
from burgrave.model.errors import CallError, IllegalPositionError
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import suggestion
from burgrave.model.parts import Part, ordered
from burgrave.model.position import Position
from burgrave.model.quarters import no_tile
from burgrave.model.rule import Finding


def problems(position: Position, lines: Sequence[Cell] = ()) -> tuple[Finding, ...]:
    """Return every rule that a position breaks; none if it can arise.

    Args:
        position: any position.
        lines: the cells in the order of the position's file, so that a finding can name the line;
            by default the order of ``position.tiles``.

    """
    where = {cell: f"board[{index}]" for index, cell in enumerate(lines)}
    if not lines:
        where = {tile.cell: f"board[{index}]" for index, tile in enumerate(position.tiles)}
    found = [finding for law in book_of(position.game).setup for finding in law(position)]
    found += [
        replace(f, at=f.at or where.get(f.cells[0], ""))
        for f in book_of(position.game).standing(position)
    ]
    return tuple(found)


def remarks(position: Position) -> tuple[Finding, ...]:
    """Return the remarks on a position that breaks no rule."""
    return tuple(finding for law in book_of(position.game).remarks for finding in law(position))


def require_possible(position: Position, lines: Sequence[Cell] = ()) -> Position:
    """Return the position if it can arise.

    Raises:
        IllegalPositionError: it cannot; all findings are listed.

    """
    found = problems(position, lines)
    if found:
        raise IllegalPositionError(found)
    return position


def in_form(position: Position) -> Position:
    """Return a position in the form that all rules rely on: its parts are there and in order.

    A position that a file holds has it; one that a script puts together may not.

    Raises:
        CallError: an index or a name stands for nothing; the message says where.

    """
    for fault in _faults_of_form(position):
        raise CallError(fault)
    return replace(
        position,
        tiles=tuple(sorted(position.tiles, key=lambda tile: tile.cell)),
        followers=tuple(sorted(position.followers)),
        bag=tuple(sorted(position.bag)),
        players=tuple(
            replace(state, parts=_parts_in_form(state.parts, position.game))
            for state in position.players
        ),
        parts=_parts_in_form(position.parts, position.game),
    )


def _parts_in_form(parts: Iterable[Part], game: Game) -> tuple[Part, ...]:
    """Return the parts of a state in the form that all rules rely on."""
    return ordered(part.in_form(game) for part in parts)


def _faults_of_form(position: Position) -> Iterator[str]:
    """Yield what stands for nothing in a position."""
    yield from _wrong_numbers(position)
    yield from _unknown_tiles(position)
    yield from _wrong_parts(position)
    there = range(len(position.players))
    owners = [owner for _, owner, _ in position.elsewhere()]
    standing = [follower.player for follower in position.followers]
    for player in (position.to_move, *owners, *standing):
        if player not in there:
            yield f"no player {player}; the players are 0 to {len(there) - 1}"
    for node, *_ in position.followers:
        tile = position.tile_at(node.cell)
        if tile is None or node.segment not in range(len(tile.kind.segments)):
            yield f"followers: no segment {node.segment} lies on {node.cell}"


def _wrong_numbers(position: Position) -> Iterator[str]:
    """Yield the numbers of a position that are too small, or of the wrong length."""
    players = len(position.game.players)
    if len(position.players) != players:
        yield f"players: {len(position.players)} states, but the game has {players} players"
    numbers = {"extra_turns": position.extra_turns, **dict(_counts(position.parts))}
    for player, state in enumerate(position.players):
        for name in ("score", "supply", "keep", "fresh_followers"):
            numbers[f"players[{player}].{name}"] = getattr(state, name)
        numbers |= {f"players[{player}].{name}": n for name, n in _counts(state.parts)}
    yield from (f"{name} = {n}: give a number from 0 on" for name, n in numbers.items() if n < 0)


def _counts(parts: Iterable[Part]) -> Iterator[tuple[str, int]]:
    """Yield the numbers in the parts of a state, by their names."""
    told = ((one.name, getattr(part, one.name)) for part in parts for one in fields(part))
    yield from ((name, value) for name, value in told if isinstance(value, int))


def _wrong_parts(position: Position) -> Iterator[str]:
    """Yield the parts that stand twice in a state, or that the game does not have."""
    book, players = book_of(position.game), position.players
    states = [
        (position.parts, book.position_parts),
        *((s.parts, book.player_parts) for s in players),
    ]
    for parts, kinds in states:
        for kind, number in Counter(type(part) for part in ordered(parts)).items():
            if kind not in kinds:
                yield f"parts: {position.game.title} has no {kind.__name__} here"
            elif number > 1:
                yield f"parts: {kind.__name__} stands there {number} times"


def _unknown_tiles(position: Position) -> Iterator[str]:
    """Yield the tiles, and the towers of the wall, that the game does not have."""
    game = position.game
    for name in ("order", "bag", "discarded"):
        unknown = {*getattr(position, name)} - {*game.tile_set.ids()}
        yield from (f"{name}: {no_tile(game, tile)}" for tile in sorted(unknown))
    for tile in position.tiles:
        if tile.kind not in game.tile_set.kinds or tile.rotation not in range(4):
            yield f"tiles: {tile.kind.id}@{tile.cell}r{tile.rotation} is no tile of this game"
    names = [tower.name for tower in game.board.towers]
    for name, _ in position.towers:
        if name not in names:
            yield f"towers: no tower {name!r}.{suggestion(name, names)}"
