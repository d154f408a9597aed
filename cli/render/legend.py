"""The text below the board: meaning of the signs, players, tiles to come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from burgrave.cli.render.canvas import Canvas, Ink
from burgrave.cli.render.castle import castle
from burgrave.cli.render.glyphs import GROUND, MARKS, Glyphs
from burgrave.cli.render.pawns import ink
from burgrave.cli.render.plane import table
from burgrave.cli.render.tile import HEIGHT, TOWER_PLACE, WIDTH, has_bridge, picture
from burgrave.cli.render.width import columns
from burgrave.model.book import book_of
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.naming import times
from burgrave.model.position import PlayerState, Position
from burgrave.model.quarters import quarters_of
from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.model.tiles import LINES, Kind, TileKind

Sign = tuple[str, Ink, str]
"""A sign, its ink, its meaning."""
_DRAWN = {CASTLE: castle, CARCASSONNE: table}
"""What draws the board of a base."""
_LINE = 92
"""Columns of a line of text, unless the terminal has fewer."""
_FEW = 5
"""Kinds of tiles in the bag that are drawn; if there are more, their ids alone are told."""


def whole(position: Position, glyphs: Glyphs, *, ahead: int = 0) -> Canvas:
    """Draw a position: castle or table, the players, tiles to come and the meaning of the signs.

    The next tile is drawn in all rotations. A few kinds in the bag are drawn too.

    Args:
        position: any position.
        glyphs: the characters to draw with.
        ahead: how many of the tiles after the next are drawn too, if their order is known.

    """
    sheet = _DRAWN[position.game.base](position, glyphs)
    row = sheet.height + 1
    for player in range(len(position.players)):
        row = _player(sheet, row, position, player)
    for line in _wrapped(_to_come(position)):
        sheet.put(0, row, line, Ink.NUMBER)
        row += 1
    if position.order:
        row = _next_tile(sheet, row + 1, position.game.tile_set.kind(position.order[0]), glyphs)
    if later := position.order[1 : 1 + ahead]:
        row = _later_tiles(sheet, row + 1, _kinds(position, later, "then "), glyphs)
    if 0 < len(bag := sorted({*position.bag})) <= _FEW:
        row = _later_tiles(sheet, row + 1, _kinds(position, bag), glyphs)
    _meaning(sheet, row + 1, position, glyphs)
    return sheet


def _player(sheet: Canvas, row: int, position: Position, player: int) -> int:
    """Write a player's possessions; return the row below."""
    state = position.players[player]
    on_board = sum(follower.player == player for follower in position.followers)
    turn = " (to move)" if player == position.to_move and not position.over else ""
    parts = [
        f"{position.game.name(player)}{turn}: {times(state.score, 'point')}",
        f"{times(state.supply, 'follower')} left and {on_board} on the board",
        *_belongings(position, state),
    ]
    sheet.put(0, row, f" {position.game.letter(player)} ", ink(position, player))
    for line in _wrapped(iter([", ".join(parts)])):
        sheet.put(4, row, line, Ink.NUMBER)
        row += 1
    return row


def _belongings(position: Position, state: PlayerState) -> Iterator[str]:
    """Yield in words a player's pieces that only his game has."""
    if book_of(position.game).wall_tiles:
        yield f"keep {state.keep or 'none'}"
    if position.game.specials:
        ranks = [rank.called for rank in position.game.specials]
        yield ", ".join(r.called for r in state.specials) or f"no {' or '.join(ranks)} at hand"
    if book_of(position.game).collect:
        yield times(state.part(FalconHoldings).tokens, "aerie token")
    if state.at_gate:
        yield "marker on the gate"
    if state.wall_tiles:
        yield f"wall tiles {_numbers(state.wall_tiles)}"
    if state.fresh_wall_tiles:
        yield f"wall tiles for later {_numbers(state.fresh_wall_tiles)}"
    holdings = state.part(TowerHoldings)
    if book_of(position.game).actions:
        yield times(holdings.pieces, "tower piece")
    if holdings.prisoners:
        yield "prisoners of " + " ".join(map(position.game.owner, holdings.prisoners))


def _numbers(wall_tiles: tuple[int, ...]) -> str:
    """Return wall tiles in hand; an unknown one is a question mark."""
    return " ".join(str(number) if number else "?" for number in wall_tiles)


def _to_come(position: Position) -> Iterator[str]:
    """Yield in words which tiles are still to be drawn."""
    if position.over:
        yield "No tile is left to draw."
    if position.order:
        yield f"{times(len(position.order), 'tile')} to come in this order: " + " ".join(
            _coded(position, tile) for tile in position.order
        )
    if position.bag:
        counted = Counter(position.bag)
        shown = " ".join(
            _coded(position, tile) + (f"x{number}" if number > 1 else "")
            for tile, number in sorted(counted.items())
        )
        yield f"{times(len(position.bag), 'tile')} in the bag: {shown}"


def _coded(position: Position, tile: str) -> str:
    """Return a tile's id with its quarter code, if it has one: ``K02=tthh``."""
    code = quarters_of(position.game.tile_set.kind(tile))
    return f"{tile}={code}" if code not in {"", tile} else tile


def _wrapped(texts: Iterator[str]) -> Iterator[str]:
    """Yield texts in lines of bounded length."""
    for text in texts:
        line = ""
        for word in text.split():
            if len(line) + len(word) >= min(_LINE, columns() - 4):
                yield line
                line = "   "
            line = f"{line} {word}" if line else word
        yield line


def _next_tile(sheet: Canvas, row: int, kind: TileKind, glyphs: Glyphs) -> int:
    """Draw the next tile in each rotation that looks different; return the row below."""
    for index, rotation in enumerate(kind.rotations()):
        column = 4 + index * (WIDTH + 5)
        sheet.put(column, row, f"{kind.id}r{rotation}", Ink.NUMBER)
        sheet.paste(column, row + 1, picture(kind, rotation).draw(kind, glyphs))
    return row + 1 + HEIGHT


def _kinds(
    position: Position, tiles: Sequence[str], word: str = ""
) -> Sequence[tuple[str, TileKind]]:
    """Return kinds of tiles with their ids, a word before the first."""
    return [
        (f"{'' if index else word}{tile}", position.game.tile_set.kind(tile))
        for index, tile in enumerate(tiles)
    ]


def _later_tiles(
    sheet: Canvas, row: int, tiles: Sequence[tuple[str, TileKind]], glyphs: Glyphs
) -> int:
    """Draw named tiles as their set draws them; return the row below."""
    across = max(1, min(_LINE, columns() - 4) // (WIDTH + 5))
    for index, (name, kind) in enumerate(tiles):
        line, place = divmod(index, across)
        column, top = 4 + place * (WIDTH + 5), row + line * (HEIGHT + 1)
        sheet.put(column, top, name, Ink.NUMBER)
        sheet.paste(column, top + 1, picture(kind, 0).draw(kind, glyphs))
    return row + (1 + HEIGHT) * -(-len(tiles) // across)


def _meaning(sheet: Canvas, row: int, position: Position, glyphs: Glyphs) -> None:
    """Write the meaning of the signs."""
    game = position.game
    meanings = [*tile_signs(glyphs, game.tile_set.kinds)]
    meanings += _wall_signs(position, glyphs) if game.board.towers else []
    row = signs(sheet, row, meanings)
    titles = [f"{role[0]} {role}" for role in book_of(game).roles.values()]
    titles += [f"{rank[0].upper()} {rank}" for rank in game.specials]
    names = _list([game.name(player) for player in range(len(position.players))])
    letters = " ".join(f"{position.game.letter(p)}k" for p in range(len(position.players)))
    texts = [f"{letters} followers of {names}: {', '.join(titles)}"]
    if game.board.starts:
        shown = zip(game.board.starts, game.shows, strict=True)
        starts = ", ".join(f"{start.name} {picture}" for start, picture in shown)
        texts.append(f"Start spaces: {starts}")
    texts += [game.label, game.board.note]
    for line in _wrapped(iter(texts)):
        sheet.put(0, row, line, Ink.NUMBER)
        row += 1


def _list(names: Sequence[str]) -> str:
    """Return names in words, ``Red, Blue and Green``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def signs(sheet: Canvas, row: int, meanings: Sequence[Sign]) -> int:
    """Write signs with their meanings, and return the row below.

    Args:
        sheet: where to write.
        row: the first row.
        meanings: each sign with its ink and its meaning.

    """
    column = 0
    for text, shade, words in meanings:
        if column + len(text) + len(words) + 1 > min(_LINE, columns() - 4):
            column, row = 0, row + 1
        sheet.put(column, row, text, shade)
        sheet.put(column + len(text) + 1, row, words, Ink.NUMBER)
        column += len(text) + len(words) + 4
    return row + 1


def tile_signs(glyphs: Glyphs, kinds: Sequence[TileKind]) -> Iterator[Sign]:
    """Yield each sign that some kinds of tiles show, with its ink and its meaning."""
    segments = [segment for kind in kinds for segment in kind.segments]
    for kind in Kind:
        here = [segment for segment in segments if segment.kind is kind]
        if not here:
            continue
        line = f"{glyphs.path(0b1010)}{glyphs.path(0b1100)}{glyphs.path(0b0101)}"
        yield line if kind in LINES else glyphs.fill[kind] * 3, GROUND[kind], str(kind)
        if kind is Kind.PATH and any(tile.squares for tile in kinds):
            yield glyphs.square, Ink.SQUARE, "square"
        if kind in LINES and any(has_bridge(tile) for tile in kinds):
            yield glyphs.bridges[1], Ink.PATH, "bridge"
        for mark in sorted({mark for segment in here for mark in segment.marks}):
            yield glyphs.marks[mark], MARKS[mark], str(mark)
    if any(tile.aeries for tile in kinds):
        yield glyphs.aerie, Ink.AERIE, "aerie"
    if any(tile.tower_place for tile in kinds):
        yield (
            TOWER_PLACE,
            Ink.WALL_TILE,
            "tower place, 2 a tower of 2 pieces, 2R with Red's follower on it",
        )


def _wall_signs(position: Position, glyphs: Glyphs) -> Iterator[Sign]:
    """Yield each sign on the wall with its ink and its meaning."""
    yield glyphs.wall * 2, Ink.WALL, "wall"
    if position.game.board.gates:
        yield glyphs.gate * 2, Ink.GATE, "gate"
    yield glyphs.arrows[1], Ink.START, "start space"
    yield "[5]", Ink.WALL_TILE, "wall tile on a corner tower, [?] face down"
    yield "57W", Ink.NUMBER, "space 57 with White's marker"
