"""Draw beside a board: the players with their pieces, and the tiles to come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.naming import times
from burgrave.model.pictures import symbols
from burgrave.model.pictures.caption import caption
from burgrave.model.pictures.legend import role_signs, table
from burgrave.model.pictures.pawns import figure, wall_tile
from burgrave.model.pictures.tiles import framed
from burgrave.model.pictures.xml import Point, box, element, group, path, title, words
from burgrave.model.position import Position
from burgrave.model.tiles import TileKind

WIDTH = 430.0
_HEAD = 62.0
"""Height of a player's name and score, and of a row below."""
_LINE = 42.0
_GAP = 12.0
_TILES, _PER_ROW = 12, 6
"""Most kinds in the bag that are drawn, and how many of them stand in a row."""
_NEXT, _NEXT_PER_ROW = 8, 4
"""Most tiles after the one in hand that are drawn beside it, and how many stand in a row."""
_CAGE = "M-15 -20H15V19H-15ZM-8 -20V19M8 -20V19"
Item = tuple[str, float]
"""Elements round 0, 0 and how wide they are."""


def panel(position: Position, *, short: bool = False) -> tuple[str, float]:
    """Return the panel of a position, from 0, 0 to the right and down, and its height.

    Args:
        position: any position.
        short: whether the meaning of symbols and the board's note are left out.

    """
    drawn = []
    y = 0.0
    for player in range(len(position.players)):
        card, height = _player(position, player)
        drawn.append(group(card, at=(0, y), class_="player", data_panel=str(player)))
        y += height + _GAP
    for card, height in (*_to_come(position), *(() if short else _told(position))):
        drawn.append(group(card, at=(0, y)))
        y += height + _GAP
    return "".join(drawn), y - _GAP


def _player(position: Position, player: int) -> tuple[str, float]:
    """Return the card of a player and its height."""
    state = position.players[player]
    game = position.game
    moves = player == position.to_move and not position.over
    rows = list(_rows(list(_belongings(position, player))))
    height = _HEAD + _LINE * len(rows)
    points, followers = times(state.score, "point"), times(state.supply, "follower")
    said = f"{game.name(player)}: {points}, {followers} left"
    named = words(game.name(player), (62, 26), 24, "bold begin")
    score = element("text", str(state.score), class_="bold end", x=WIDTH - 20, y=40, font_size=32)
    turn = words(_turn(position), (64, 48), 14, "faint begin") if moves else ""
    parts = [title(said), box((0, 0), WIDTH, height, "turn" if moves else "card", rx=10)]
    parts += [group(figure(game, player), at=(34, 30)), named, score, turn]
    for index, row in enumerate(rows):
        x = 20.0
        for item, width in row:
            parts.append(group(item, at=(x + width / 2, _HEAD + _LINE * index + 18)))
            x += width
    return "".join(parts), height


def _turn(position: Position) -> str:
    """Describe the turn for the player to move."""
    said = "to move in an extra turn" if position.in_extra_turn else "to move"
    more = position.extra_turns
    return f"{said}, then {more} extra turn{'s' * (more > 1)}" if more else said


def _rows(items: list[Item]) -> Iterator[list[Item]]:
    """Yield items in rows that fit into a card."""
    row: list[Item] = []
    for item in items:
        if row and sum(width for _, width in [*row, item]) > WIDTH - 40:
            yield row
            row = []
        row.append(item)
    if row:
        yield row


def _belongings(position: Position, player: int) -> Iterator[Item]:
    """Yield a player's possessions, each with its name for screen readers."""
    state, game = position.players[player], position.game
    yield _counted(figure(game, player), state.supply + state.fresh_followers, "follower", " left")
    for rank in (*state.specials, *state.fresh_specials):
        yield title(rank.called) + figure(game, player, None, rank), 44
    if book_of(game).wall_tiles:
        yield _counted(_keep(), state.keep, "tile", " in the largest house, by the keep")
    if Rank.FALCONER in game.specials:
        yield _counted(symbols.aerie(), state.part(FalconHoldings).tokens, "aerie token")
    if book_of(game).actions:
        yield _counted(_piece(), state.part(TowerHoldings).pieces, "tower piece")
    for number in state.wall_tiles:
        yield title("wall tile") + wall_tile(number, (0, 0)), 38
    for number in state.fresh_wall_tiles:
        later = group(wall_tile(number, (0, 0)), class_="ghost")
        yield title("wall tile for later") + later, 38
    # Their order may say who comes home first.
    for one, alike in groupby(state.part(TowerHoldings).prisoners):
        cage = figure(game, one.owner, None, one.rank) + path(_CAGE, "cage")
        yield _counted(cage, len(list(alike)), "prisoner", f" of {game.owner(one)}")


def _counted(symbol: str, count: int, noun: str, more: str = "") -> Item:
    """Return a symbol with a number beside it, and what is counted for screen readers."""
    number = words(f"\u00d7{count}", (16, 0), 20, "begin")
    said = title(times(count, noun) + more)
    return said + group(symbol, at=(-18, 0)) + group(number, at=(-14, 0)), 86


def _keep() -> str:
    """Return a keep."""
    return path("M-12 16V-14H-6V-8H-3V-14H3V-8H6V-14H12V16Z", "stone") + path(
        "M-4 16V6Q0 1 4 6V16Z", "dark"
    )


def _piece() -> str:
    """Return a tower piece."""
    return path("M-13 9V-8H-7V-3H-3V-8H3V-3H7V-8H13V9Z", "stone")


def _to_come(position: Position) -> Iterator[tuple[str, float]]:
    """Yield cards of the tile to lay and of those after it, with their heights."""
    if position.over:
        yield _card(words("No tile is left to draw.", (20, 28), 18, "begin"), 56)
        return
    if position.order:
        yield _in_order(position)
    if position.bag:
        after = Counter(position.bag)
        count = len(position.bag)
        known = f"{times(count, 'tile')} in the bag"
        yield _small(position, known, sorted(after.items()))


def _in_order(position: Position) -> tuple[str, float]:
    """Return a card with the tile in hand and those after it."""
    kinds = [position.game.tile_set.kind(tile) for tile in position.order]
    now = kinds[0]
    parts = [
        group(title(f"tile {now.id}"), framed(now), at=(16, 12), class_="hand", data_tile=now.id),
        words(now.id, (66, 126), 20, "bold"),
        words("to be laid now" + ", then" * (len(kinds) > 1), (136, 22), 15, "faint begin"),
    ]
    following = kinds[1:] if len(kinds) - 1 <= _NEXT else kinds[1:_NEXT]
    for index, kind in enumerate(following):
        row, column = divmod(index, _NEXT_PER_ROW)
        parts.append(_little(kind, kind.id, (136 + column * 72, 34 + row * 64)))
    rows = -(-len(following) // _NEXT_PER_ROW)
    if len(following) < len(kinds) - 1:
        more = f"+{len(kinds) - 1 - len(following)}"
        parts.append(words(more, (136 + 3 * 72 + 22, 34 + 64 + 22), 20, "faint"))
    return _card("".join(parts), max(144, 40 + 64 * rows))


def _little(kind: TileKind, name: str, at: Point) -> str:
    """Return a small tile with words below."""
    return group(group(framed(kind), at=(0, 0), scale=0.44), words(name, (22, 53), 13), at=at)


def _told(position: Position) -> Iterator[tuple[str, float]]:
    """Yield cards that explain the symbols and the board."""
    yield _meaning(position)
    yield from _about(position)


def _meaning(position: Position) -> tuple[str, float]:
    """Return a card that explains the signs of followers."""
    signs = list(role_signs(position.game, position.to_move))
    drawn, height = table(signs, 3, (WIDTH - 40) / 3)
    return _card(group(drawn, at=(20, 10)), height + 20)


def _about(position: Position) -> Iterator[tuple[str, float]]:
    """Yield a card with the note of the board, if it has one."""
    if note := position.game.board.note:
        drawn, height = caption(note, WIDTH - 40)
        yield _card(group(drawn, at=(20, 10)), height + 20)


def _small(position: Position, text: str, tiles: list[tuple[str, int]]) -> tuple[str, float]:
    """Return a card with small tiles, as many as there is room for."""
    parts = [words(text, (20, 26), 17, "begin")]
    shown = tiles if len(tiles) <= _TILES else tiles[: _TILES - 1]
    for index, (tile_id, count) in enumerate(shown):
        row, column = divmod(index, _PER_ROW)
        x, y = 20 + column * 66, 40 + row * 66
        kind = position.game.tile_set.kind(tile_id)
        parts.append(_little(kind, tile_id if count == 1 else f"{tile_id} \u00d7{count}", (x, y)))
    if len(shown) < len(tiles):
        row, column = divmod(len(shown), _PER_ROW)
        left = sum(count for _, count in tiles[len(shown) :])
        parts.append(words(f"+{left}", (20 + column * 66 + 22, 40 + row * 66 + 22), 20, "faint"))
    rows = -(-min(len(tiles), _TILES) // _PER_ROW)
    return _card("".join(parts), 46 + rows * 66)


def _card(drawn: str, height: float) -> tuple[str, float]:
    """Return a card and its height."""
    return box((0, 0), WIDTH, height, "card", rx=10) + drawn, height
