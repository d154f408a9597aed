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
follower on a tower, ``ransom:blue:late`` pays after scoring. Of followers with a rank it is named:
``guard@0,3:big``, ``ransom:blue:big``; ``x0,5.N:big`` says who comes home by an exchange. The whole
language stands in docs/reference/notation.md.
"""

from __future__ import annotations

import re
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, worded
from burgrave.model.draws import draws
from burgrave.model.errors import IllegalMoveError, NotationError
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.position import (
    PASS,
    Capture,
    Deployment,
    FinalUse,
    Guard,
    Move,
    Position,
    Ransom,
    ScoreStep,
)
from burgrave.model.tiles import PlacedTile
from burgrave.model.words import (
    BETWEEN,
    CAPTURE,
    FINAL,
    GUARD,
    LAID,
    NO_PORT,
    ONE_TILE,
    PIECE,
    RANSOM,
    REVEAL,
    ROLE,
    ROTATION,
    STANDING,
    STEP,
    UNPLACED,
    Boards,
    between_cells,
    cell_of,
    laid_example,
    no_part,
    no_port,
    read_kind,
    read_placed,
    read_player,
    read_rank,
    read_rotation,
    read_segment,
    read_title,
    standing_of,
    words,
    write_node,
    write_tile,
)


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
        self.guards: list[Guard] = []

    def fail(self, at: int, problem: str) -> NotationError:
        """Return the error that points at a character."""
        return NotationError(self.text, at, problem)

    def read(self) -> Move:
        """Read the tile first, then every other word."""
        rest = [word for word in words(self.text) if not self.tile(*word)]
        for at, word in rest:
            self.word(at, word)
        if self.laid is None and not self.passes:
            raise self.fail(
                len(self.text),
                f"a move names a tile and a cell, like {laid_example(self.game)}, or is 'pass'",
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
        if match := ROTATION.fullmatch(word):
            if self.laid is None:
                raise self.fail(at, "a rotation follows the tile that it turns")
            turns = read_rotation(match["rotation"], self.text, at)
            self.laid = replace(self.laid, rotation=(self.laid.rotation + turns) % 4)
            return True
        match = LAID.fullmatch(word)
        if match is None and (between := BETWEEN.fullmatch(word)):
            kind, _ = read_kind(self.game, between["kind"], self.text, at)
            raise IllegalMoveError([between_cells(self.game, kind, between)])
        if (
            match is None
            or word[0] == "-"
            or (book_of(self.game).actions and GUARD.fullmatch(word))
        ):
            return False
        if self.laid is not None:
            raise self.fail(at, "a move lays one tile")
        self.laid = read_placed(self.game, match, self.text, at)
        return True

    def word(self, at: int, word: str) -> None:
        """Read any word but the tile."""
        if word.lower() == PASS:
            self.passes = True
        elif word[0] == "-":
            self.discards.append(read_kind(self.game, word[1:], self.text, at + 1)[0].id)
        elif match := ONE_TILE.fullmatch(word):
            self.wall_tile(at, match)
        elif match := STEP.fullmatch(word):
            tile = self.tile_at(cell_of(match))
            node = Node(cell_of(match), read_segment(tile, match, self.text, at))
            self.scoring.append(ScoreStep(node, tuple(int(n) for n in match["tiles"][1::2])))
        elif match := REVEAL.fullmatch(word):
            self.reveals.append((match["tower"], int(match["number"])))
        elif match := ROLE.fullmatch(word):
            self.follower(at, match)
        elif not self.tower(at, word):
            raise self.fail(at, no_part(word))

    def tower(self, at: int, word: str) -> bool:
        """Read a ransom, a tower piece, a capture or a guard, if the word is one."""
        if match := RANSOM.fullmatch(word):
            captor = read_player(self.game, match["player"], self.text, at)
            rank = read_rank(self.game, match["rank"], self.text, at)
            self.ransoms.append(Ransom(captor, late=match["late"] is not None, rank=rank))
        elif match := PIECE.fullmatch(word):
            self.pieces.append(cell_of(match))
        elif match := GUARD.fullmatch(word):
            rank = read_rank(self.game, match["rank"], self.text, at)
            self.guards.append(Guard(cell_of(match), rank))
        elif match := CAPTURE.fullmatch(word):
            cell = cell_of(match)
            on_tile = match["guard"] is None
            segment = read_segment(self.tile_at(cell), match, self.text, at) if on_tile else None
            named = match["rank"] is not None
            back = read_rank(self.game, match["rank"], self.text, at) if named else None
            self.captures.append(Capture(cell, segment, back))
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
        title = read_title(self.game, match["role"], self.text, at)
        tile = self.laid if match["x"] is None else self.tile_at(cell_of(match))
        index = read_segment(tile, match, self.text, at)
        if tile is not None:
            self.followers.append(
                Deployment(tile.cell, index, *standing_of(self.game, title, tile, index))
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


def write_standing(game: Game, board: Boards, follower: Follower) -> str:
    """Write a follower on his tile, ``white:knight.N``."""
    name = write_node(board, follower.node).partition(".")[2]
    word = worded(follower.role, follower.rank)
    return f"{game.players[follower.player]}:{word}.{name}"


def read_board_line(game: Game, text: str) -> tuple[PlacedTile, tuple[Follower, ...]]:
    """Read a tile with the followers on it, ``K07@3,4r0 white:knight.N``.

    Raises:
        NotationError: the text is not such a line.

    """
    written = list(words(text))
    match = LAID.fullmatch(written[0][1]) if written else None
    if match is None and written and (between := BETWEEN.fullmatch(written[0][1])):
        kind, _ = read_kind(game, between["kind"], text, 0)
        fault = between_cells(game, kind, between)
        raise NotationError(text, 0, f"{fault.message} [{fault.rule}]")
    if match is None:
        raise NotationError(
            text, 0, f"a line of the board begins with a tile, like {laid_example(game)}"
        )
    tile = read_placed(game, match, text, 0)
    followers = []
    for at, word in written[1:]:
        standing = STANDING.fullmatch(word)
        if standing is None:
            port = NO_PORT.fullmatch(word.partition(":")[2])
            told = no_port(port) if port else f"'{word}' is no follower, like white:knight.N"
            if UNPLACED.fullmatch(word):
                told = f"'{word}' lacks the segment on which he stands, like {word}.N"
            raise NotationError(text, at, told)
        player = read_player(game, standing["player"], text, at)
        title = read_title(game, standing["role"], text, at + len(standing["player"]) + 1)
        node = Node(tile.cell, read_segment(tile, standing, text, at))
        followers.append(Follower(node, player, *standing_of(game, title, tile, node.segment)))
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
    for at, word in words(text):
        if word.lower() == "final":
            continue
        if word.lower() in game.players:
            player = game.players.index(word.lower())
            continue
        match = FINAL.fullmatch(word)
        if match is None or player is None:
            raise NotationError(text, at, "final scoring is written like 'white 4@3,4.N 9 black 8'")
        node = None
        if match["x"] is not None:
            cell = cell_of(match)
            node = Node(cell, read_segment(position.tile_at(cell), match, text, at))
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
