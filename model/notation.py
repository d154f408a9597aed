"""Moves, segments and placed tiles as text, and back.

A move is a line of words, in any order and case::

    -K11 K07@3,4r0 knight.N =2,4.E*2 =3,4.N +1 ?32/33:5

``-K11`` is a tile that had no place, ``K07@3,4r0`` the tile laid, ``knight.N`` the
follower, ``=2,4.E*2`` a feature to be scored, doubled by wall tile 2, ``+1`` a wall
tile 1, ``!2`` a wall tile declared before the draw, ``?32/33:5`` a face-down wall tile
that turned out to be a 5. ``pass`` is a turn for which no tile is left. With The Tower::

    ransom:blue D@1,0r2 ^0,3 x0,5.N

buys a follower back from Blue before the action, puts a tower piece on 0,3 and takes the
follower on 0,5.N prisoner (``x0,5.guard`` the one on the tower); ``guard@0,3`` places a
follower on a tower, ``ransom:blue:late`` pays after scoring. The whole language stands in
docs/reference/notation.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil, floor

from model.book import book_of
from model.components import Follower, Node, Rank, Role
from model.draws import draws
from model.errors import IllegalMoveError, NotationError
from model.games import Game
from model.geometry import PORT_NAMES, Cell
from model.naming import suggestion
from model.position import PASS, Capture, Deployment, FinalUse, Move, Position, Ransom, ScoreStep
from model.quarters import named
from model.rule import Finding
from model.tiles import PlacedTile, TileKind

_CELL = r"(?P<x>-?\d{1,3}),(?P<y>-?\d{1,3})"
_PLACE = r"(?P<port>[nesw][lr]?|#\d{1,2})"
_LAID = re.compile(rf"(?P<kind>[\w-]+)@{_CELL}(?:r(?P<rotation>\d))?", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?P<kind>[\w-]+)@(?P<x>-?\d{1,3}(?:\.\d+)?),(?P<y>-?\d{1,3}(?:\.\d+)?)(?:r\d)?", re.IGNORECASE
)
"""A tile whose place is no whole cell, unless ``_LAID`` fits too."""
_ROTATION = re.compile(r"r(?P<rotation>\d)", re.IGNORECASE)
_ROLE = re.compile(rf"(?P<role>[a-z]+)(?:@{_CELL})?\.{_PLACE}", re.IGNORECASE)
_STEP = re.compile(rf"={_CELL}\.{_PLACE}(?P<tiles>(?:\*\d)*)", re.IGNORECASE)
_REVEAL = re.compile(r"\?(?P<tower>\d{1,2}/\d{1,2})[:=](?P<number>\d)")
_ONE_TILE = re.compile(r"(?P<sign>[!+])(?P<number>\d)")
_TURNED = re.compile(r"[\w-]+@-?\d+,-?\d+r(?P<turns>[+-]?\w+)", re.IGNORECASE)
_FAR = re.compile(r"[\w-]+@-?\d+,-?\d+(?:r\d)?", re.IGNORECASE)
_NO_PORT = re.compile(r"[a-z]+\.(?P<port>\w+)", re.IGNORECASE)
_FINAL = re.compile(rf"(?P<number>\d)(?:@{_CELL}\.{_PLACE})?", re.IGNORECASE)
_NODE = re.compile(rf"{_CELL}\.{_PLACE}", re.IGNORECASE)
_STANDING = re.compile(rf"(?P<player>[a-z]\w*):(?P<role>[a-z]+)\.{_PLACE}", re.IGNORECASE)
_RANSOM = re.compile(r"ransom:(?P<player>[a-z]\w*|#\d)(?P<late>:late)?", re.IGNORECASE)
_PIECE = re.compile(rf"\^{_CELL}")
_GUARD = re.compile(rf"guard@{_CELL}", re.IGNORECASE)
_CAPTURE = re.compile(rf"x{_CELL}\.(?:(?P<guard>guard)|{_PLACE})", re.IGNORECASE)

Boards = Mapping[Cell, PlacedTile]


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a text with the index of their first character."""
    for match in re.finditer(r"\S+", text):
        yield match.start(), match.group()


def _kind(game: Game, name: str, text: str, at: int) -> tuple[TileKind, int]:
    """Return the kind of tile that an id or a quarter code names, and its rotation."""
    try:
        found = named(game.tile_set, name)
    except ValueError as error:
        raise NotationError(text, at, str(error)) from None
    if found is None:
        raise NotationError(text, at, no_tile(game, name))
    return found


def _placed(game: Game, match: re.Match[str], text: str, at: int) -> PlacedTile:
    """Return the tile that a match of ``_LAID`` puts on a cell."""
    kind, turned = _kind(game, match["kind"], text, at)
    rotation = (turned + _rotation(match["rotation"], text, at)) % 4
    return PlacedTile(cell=_cell(match), kind=kind, rotation=rotation)


def _laid(game: Game) -> str:
    """Return an example of a tile on its cell, with a tile of the game."""
    return f"{game.tile_set.kinds[0].id}@3,4r1"


def no_tile(game: Game, name: str) -> str:
    """Return the message about a name that no tile of a game has."""
    told = f"the set {game.tile_set.id} has no tile {name}"
    return told + (game.foreign(name) or f".{suggestion(name, sorted(game.tile_set.ids()))}")


def _cell(match: re.Match[str]) -> Cell:
    """Return the cell that a match names."""
    return Cell(int(match["x"]), int(match["y"]))


def _no_part(word: str) -> str:
    """Return the message about a word that is no part of a move."""
    if match := _TURNED.fullmatch(word):
        return f"rotation r{match['turns']}: allowed are r0 to r3"
    if _FAR.fullmatch(word):
        return f"'{word}' lies too far out: coordinates have at most 3 digits"
    if match := _NO_PORT.fullmatch(word):
        return f"'{match['port']}' is no segment; a segment is a side (N), half a side (NL) or #2"
    return f"'{word}' is no part of a move"


def _between_cells(game: Game, kind: TileKind, match: re.Match[str]) -> Finding:
    """Return the findings on a tile whose coordinates are not whole numbers."""
    x, y = float(match["x"]), float(match["y"])
    cells = sorted({Cell(a, b) for a in (floor(x), ceil(x)) for b in (floor(y), ceil(y))})
    on = " and ".join(map(str, cells))
    message = f"tile {kind.id} would lie partly on {on}; a tile lies on one cell, side to side"
    return book_of(game).sides.finding(message, tuple(cells))


def _rotation(digit: str | None, text: str, at: int) -> int:
    """Return a rotation, 0 if none is written."""
    rotation = int(digit or 0)
    if rotation > 3:  # noqa: PLR2004
        raise NotationError(text, at, f"rotation {rotation}: allowed are r0 to r3")
    return rotation


def _segment(tile: PlacedTile | None, match: re.Match[str], text: str, at: int) -> int:
    """Return the index of the segment that a port or ``#number`` names on a tile."""
    name = match["port"].upper()
    if tile is None:
        raise NotationError(text, at, f"there is no tile to look for segment {name} on")
    if name.startswith("#"):
        index = int(name[1:])
        if index >= len(tile.kind.segments):
            raise NotationError(text, at, f"tile {tile.kind.id} has no segment {name}")
        return index
    index = tile.at(PORT_NAMES[name])
    if index < 0:
        raise NotationError(text, at, _nothing_there(tile, name))
    return index


def _nothing_there(tile: PlacedTile, name: str) -> str:
    """Return the message about a port at which a tile has no segment."""
    halves = [
        f"{half} ({tile.kind_at(PORT_NAMES[half])})"
        for half in (f"{name}L", f"{name}R")
        if half in PORT_NAMES and tile.at(PORT_NAMES[half]) >= 0
    ]
    if halves:
        return f"side {name} of tile {tile.kind.id} shows two halves: name {' or '.join(halves)}"
    return f"tile {tile.kind.id} shows nothing at {name}"


def _title(game: Game, word: str, text: str, at: int) -> Role | Rank:
    """Return the role that a word or its first letter names, or the rank that it names."""
    roles = book_of(game).roles.values()
    known: dict[str, Role | Rank] = {
        name: role for role in roles for name in (role.value, role.value[0])
    }
    known |= {rank.value: rank for rank in game.specials}
    title = known.get(word.lower())
    if title is None:
        meant = (word, *(role for role in Role if role.value[0] == word.lower()))
        foreign = next(filter(None, map(game.foreign, meant)), "")
        allowed = [str(each) for each in (*roles, *game.specials)]
        helps = (
            f": allowed are {', '.join(allowed)}" if foreign else f".{suggestion(word, allowed)}"
        )
        raise NotationError(text, at, f"there is no follower '{word}'{foreign}{helps}")
    return title


def _standing(game: Game, title: Role | Rank, tile: PlacedTile, index: int) -> tuple[Role, Rank]:
    """Return role and rank of a follower on a segment; a rank goes with any role."""
    if isinstance(title, Rank):
        return book_of(game).roles[tile.kind.segments[index].kind], title
    return title, Rank.FOLLOWER


def _player(game: Game, word: str, text: str, at: int) -> int:
    """Return the index of the player whom a word or ``#index`` names."""
    indexes = [f"#{index}" for index in range(len(game.players))]
    if word in indexes:
        return indexes.index(word)
    if word.lower() not in game.players:
        helps = suggestion(word, game.players)
        raise NotationError(text, at, f"no player {word.lower()}.{helps}")
    return game.players.index(word.lower())


class _Reader:
    """Reads the words of one move."""

    def __init__(self, position: Position, text: str) -> None:
        self.position = position
        self.game = position.game
        self.text = text
        self.laid: PlacedTile | None = None
        self.discards: list[str] = []
        self.declared: list[int] = []
        self.followers: list[Deployment] = []
        self.scoring: list[ScoreStep] = []
        self.extra_turns = 0
        self.reveals: list[tuple[str, int]] = []
        self.passes = False
        self.ransoms: list[Ransom] = []
        self.pieces: list[Cell] = []
        self.captures: list[Capture] = []
        self.guards: list[Cell] = []

    def fail(self, at: int, problem: str) -> NotationError:
        """Return the error that points at a character."""
        return NotationError(self.text, at, problem)

    def read(self) -> Move:
        """Read the tile first, then every other word."""
        rest = [word for word in _words(self.text) if not self.tile(*word)]
        for at, word in rest:
            self.word(at, word)
        if self.laid is None and not self.passes:
            raise self.fail(
                len(self.text),
                f"a move names a tile and a cell, like {_laid(self.game)}, or is 'pass'",
            )
        if self.passes and (self.laid or self.followers or self.scoring or self.extra_turns):
            raise self.fail(0, "a turn without a placement has no follower, scoring or wall tile")
        return Move(
            discards=tuple(self.discards),
            declared=tuple(sorted(self.declared)),
            tile=self.laid.kind.id if self.laid else None,
            cell=self.laid.cell if self.laid else None,
            rotation=self.laid.rotation if self.laid else 0,
            followers=tuple(self.followers),
            scoring=tuple(self.scoring),
            extra_turns=self.extra_turns,
            reveals=tuple(sorted(self.reveals)),
            ransoms=tuple(self.ransoms),
            pieces=tuple(self.pieces),
            captures=tuple(self.captures),
            guards=tuple(self.guards),
        )

    def tile(self, at: int, word: str) -> bool:
        """Read the tile laid, if the word is one; a rotation may follow as its own word."""
        if match := _ROTATION.fullmatch(word):
            if self.laid is None:
                raise self.fail(at, "a rotation follows the tile that it turns")
            turns = _rotation(match["rotation"], self.text, at)
            self.laid = replace(self.laid, rotation=(self.laid.rotation + turns) % 4)
            return True
        match = _LAID.fullmatch(word)
        if match is None and (between := _BETWEEN.fullmatch(word)):
            kind, _ = _kind(self.game, between["kind"], self.text, at)
            raise IllegalMoveError([_between_cells(self.game, kind, between)])
        if (
            match is None
            or word[0] == "-"
            or (book_of(self.game).actions and _GUARD.fullmatch(word))
        ):
            return False
        if self.laid is not None:
            raise self.fail(at, "a move lays one tile")
        self.laid = _placed(self.game, match, self.text, at)
        return True

    def word(self, at: int, word: str) -> None:
        """Read any word but the tile."""
        if word.lower() == PASS:
            self.passes = True
        elif word[0] == "-":
            self.discards.append(_kind(self.game, word[1:], self.text, at + 1)[0].id)
        elif match := _ONE_TILE.fullmatch(word):
            self.wall_tile(at, match)
        elif match := _STEP.fullmatch(word):
            tile = self.tile_at(_cell(match))
            node = Node(_cell(match), _segment(tile, match, self.text, at))
            self.scoring.append(ScoreStep(node, tuple(int(n) for n in match["tiles"][1::2])))
        elif match := _REVEAL.fullmatch(word):
            self.reveals.append((match["tower"], int(match["number"])))
        elif match := _ROLE.fullmatch(word):
            self.follower(at, match)
        elif not self.tower(at, word):
            raise self.fail(at, _no_part(word))

    def tower(self, at: int, word: str) -> bool:
        """Read a ransom, a tower piece, a capture or a guard, if the word is one."""
        if match := _RANSOM.fullmatch(word):
            captor = _player(self.game, match["player"], self.text, at)
            self.ransoms.append(Ransom(captor, late=match["late"] is not None))
        elif match := _PIECE.fullmatch(word):
            self.pieces.append(_cell(match))
        elif match := _GUARD.fullmatch(word):
            self.guards.append(_cell(match))
        elif match := _CAPTURE.fullmatch(word):
            cell = _cell(match)
            on_tile = match["guard"] is None
            segment = _segment(self.tile_at(cell), match, self.text, at) if on_tile else None
            self.captures.append(Capture(cell, segment))
        else:
            return False
        return True

    def wall_tile(self, at: int, match: re.Match[str]) -> None:
        """Read a wall tile declared or a wall tile 1 played."""
        number = int(match["number"])
        if match["sign"] == "!":
            self.declared.append(number)
        elif number == 1:
            self.extra_turns += 1
        else:
            raise self.fail(at, "only wall tile 1 is played with '+'; tiles 2 and 3 follow '*'")

    def follower(self, at: int, match: re.Match[str]) -> None:
        """Read a follower."""
        title = _title(self.game, match["role"], self.text, at)
        tile = self.laid if match["x"] is None else self.tile_at(_cell(match))
        index = _segment(tile, match, self.text, at)
        if tile is not None:
            self.followers.append(
                Deployment(tile.cell, index, *_standing(self.game, title, tile, index))
            )

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """Return the tile on a cell, the one just laid included."""
        if self.laid is not None and self.laid.cell == cell:
            return self.laid
        return self.position.tile_at(cell)


def read_move(position: Position, text: str) -> Move:
    """Read a move.

    Args:
        position: the position before the move; it says which segment a port belongs to.
        text: the move. Tiles that had no place may be left out where the known order of
            the tiles tells them.

    Raises:
        NotationError: the text is no move; the error points at the character.
        IllegalMoveError: the tile has no cell of its own, ``K07@2.5,3``.

    """
    move = _Reader(position, text).read()
    if move.discards or not position.order:
        return move
    forced = next((draw for draw in draws(position) if draw.tile == move.tile), None)
    if forced is None or not forced.discards:
        return move
    return replace(move, discards=forced.discards)


def write_move(position: Position, move: Move) -> str:
    """Write a move; ``read_move`` gives the same move back.

    Args:
        position: the position before the move.
        move: the move.

    """
    game = position.game
    board = dict(position.by_cell())
    if move.tile is not None and move.cell is not None:
        board[move.cell] = move.laid(game.tile_set.kind(move.tile))
    return move.text(
        lambda node: write_node(board, node).partition(".")[2], lambda player: game.players[player]
    )


def write_tile(tile: PlacedTile) -> str:
    """Write a placed tile, ``K07@3,4r0``."""
    return f"{tile.kind.id}@{tile.cell}r{tile.rotation}"


def write_node(board: Boards, node: Node) -> str:
    """Write a segment on the board, ``3,4.NL``.

    Args:
        board: tiles by cell, the segment's tile among them.
        node: the segment.

    """
    tile = board[node.cell]
    return f"{node.cell}.{tile.kind.name_of(node.segment, tile.rotation)}"


def read_cell(text: str) -> Cell:
    """Read a cell, ``3,4``.

    Raises:
        NotationError: the text is no cell.

    """
    match = re.fullmatch(_CELL, text)
    if match is None:
        raise NotationError(text, 0, "a cell is written like 3,4")
    return _cell(match)


def read_node(position: Position, text: str) -> Node:
    """Read a segment on the board, ``3,4.NL``; ``write_node`` gives a name of it back.

    Raises:
        NotationError: the text names no segment of a tile on the board.

    """
    match = _NODE.fullmatch(text)
    if match is None:
        raise NotationError(text, 0, "a segment is written like 3,4.N")
    cell = _cell(match)
    return Node(cell, _segment(position.tile_at(cell), match, text, 0))


def write_standing(game: Game, board: Boards, follower: Follower) -> str:
    """Write a follower on his tile, ``white:knight.N``."""
    name = write_node(board, follower.node).partition(".")[2]
    return f"{game.players[follower.player]}:{follower.title}.{name}"


def read_board_line(game: Game, text: str) -> tuple[PlacedTile, tuple[Follower, ...]]:
    """Read a tile with the followers on it, ``K07@3,4r0 white:knight.N``.

    Raises:
        NotationError: the text is not such a line.

    """
    words = list(_words(text))
    match = _LAID.fullmatch(words[0][1]) if words else None
    if match is None and words and (between := _BETWEEN.fullmatch(words[0][1])):
        kind, _ = _kind(game, between["kind"], text, 0)
        fault = _between_cells(game, kind, between)
        raise NotationError(text, 0, f"{fault.message} [{fault.rule}]")
    if match is None:
        raise NotationError(text, 0, f"a line of the board begins with a tile, like {_laid(game)}")
    tile = _placed(game, match, text, 0)
    followers = []
    for at, word in words[1:]:
        standing = _STANDING.fullmatch(word)
        if standing is None:
            raise NotationError(text, at, f"'{word}' is no follower, like white:knight.N")
        player = _player(game, standing["player"], text, at)
        title = _title(game, standing["role"], text, at + len(standing["player"]) + 1)
        node = Node(tile.cell, _segment(tile, standing, text, at))
        followers.append(Follower(node, player, *_standing(game, title, tile, node.segment)))
    return tile, tuple(followers)


def write_board_line(game: Game, tile: PlacedTile, followers: tuple[Follower, ...]) -> str:
    """Write a tile with the followers on it."""
    here = [
        write_standing(game, {tile.cell: tile}, f) for f in followers if f.node.cell == tile.cell
    ]
    return " ".join([write_tile(tile), *here])


def read_final(position: Position, text: str) -> tuple[FinalUse, ...]:
    """Read the wall tiles used in final scoring, ``white 4@3,4.N 9 black 8``.

    Raises:
        NotationError: the text is not such a line.

    """
    game = position.game
    player: int | None = None
    uses = []
    for at, word in _words(text):
        if word.lower() == "final":
            continue
        if word.lower() in game.players:
            player = game.players.index(word.lower())
            continue
        match = _FINAL.fullmatch(word)
        if match is None or player is None:
            raise NotationError(text, at, "final scoring is written like 'white 4@3,4.N 9 black 8'")
        node = None
        if match["x"] is not None:
            cell = _cell(match)
            node = Node(cell, _segment(position.tile_at(cell), match, text, at))
        uses.append(FinalUse(player, int(match["number"]), node))
    return tuple(uses)


def write_final(position: Position, uses: tuple[FinalUse, ...]) -> str:
    """Write the wall tiles used in final scoring; ``read_final`` gives them back."""
    board = position.by_cell()
    words = ["final"]
    for player, name in enumerate(position.game.players):
        mine = [use for use in uses if use.player == player]
        if mine:
            words.append(name)
        for use in mine:
            at = "" if use.node is None else f"@{write_node(board, use.node)}"
            words.append(f"{use.wall_tile}{at}")
    return " ".join(words)
