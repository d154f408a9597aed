"""The catalogue of games, tile sets, switches and beginnings of games."""

from __future__ import annotations

from typing import Any

from burgrave.cli.beginnings import game_of, shuffled, untouched
from burgrave.cli.render.sentences import tile_words
from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import AboutPosition, NewBody, ReadBody
from burgrave.cli.sources import Source, body_of, refuse_turns_in_a_row
from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.files.lines import is_line, line_file
from burgrave.model.files.positions import position_from
from burgrave.model.files.toml import parse
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side
from burgrave.model.notation import read_board_line, write_board_line
from burgrave.model.pictures import figure_svg, follower_spots, tile_svg
from burgrave.model.registry import BASES, CARCASSONNE, GAMES
from burgrave.model.rule import Switch
from burgrave.model.tiles import PlacedTile, TileKind

PASTED = "the text"
"""The name of an opened or pasted text in messages."""


def _shipped() -> list[Game]:
    """Return the games with their default switches."""
    return [shipped_game(name) for name in GAMES]


def prepare() -> None:
    """Draw every tile once, so that its shapes are cached."""
    for game in _shipped():
        for kind in game.tile_set.kinds:
            tile_svg(kind, embed_style=False)


def games() -> dict[str, Any]:
    """Return the games with their players, switches and editions, and a picture of each rank."""
    return {
        "games": [_game(game) for game in _shipped()],
        "colours": list(BASES[CARCASSONNE].players),
        "figures": {str(rank): figure_svg(rank) for rank in Rank},
        "editions": [
            {
                "name": edition.name,
                "title": edition.title,
                "switches": dict(edition.switches),
            }
            for edition in editions().values()
        ],
    }


def _game(game: Game) -> dict[str, Any]:
    """Return a game."""
    segments = [segment for kind in game.tile_set.kinds for segment in kind.segments]
    marks: dict[str, set[str]] = {}
    for segment in segments:
        marks.setdefault(str(segment.kind), set()).update(map(str, segment.marks))
    return {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "followers": game.followers,
        "specials": [str(rank) for rank in game.specials],
        "plane": not game.board.cells,
        "towers": [tower.name for tower in game.board.towers if tower.holds_tile],
        "starts": [start.name for start in game.board.starts],
        "pictures": [kind.id for kind in game.picture_kinds],
        "tower_pieces": bool(book_of(game).actions),
        "sides": sorted({str(segment.kind) for segment in segments if segment.ports}),
        "marks": {kind: sorted(found) for kind, found in marks.items() if found},
        "aeries": any(kind.aeries for kind in game.tile_set.kinds),
        "switches": [switch_words(switch) for switch, _ in game.switches],
    }


def switch_words(switch: Switch) -> dict[str, Any]:
    """Return a switch as a question with its answers; the first is the default."""
    return {
        "name": switch.name,
        "question": switch.question,
        "values": [{"value": value, "says": says} for value, says in switch.readings.items()],
        "default": switch.default,
        "why": switch.why,
    }


def new(body: NewBody) -> dict[str, Any]:
    """Return a fresh position.

    Raises:
        QuestionError: a wrong number of players, an unknown edition, or a seed for an unknown
            order.

    """
    if body.unknown and body.seed is not None:
        raise QuestionError("a seed shuffles what is to stay unknown: give one of the two")
    game = game_of(body.game, body.players, body.edition)
    title, position = untouched(game) if body.unknown else shuffled(game, body.seed)
    return {"position": documents.document(position, title)}


def tiles(body: AboutPosition) -> dict[str, Any]:
    """Return the kinds of tiles of a position's game, drawn, with the names of their segments.

    Raises:
        BurgraveError: the position is none.

    """
    position = documents.draft(body.position).position
    game = position.game
    left = {kind.id: kind.count for kind in game.tile_set.kinds}
    for tile in position.tiles:
        left[tile.kind.id] -= 1
    for name in position.discarded:
        left[name] -= 1
    return {
        "set": game.tile_set.title,
        "note": game.tile_set.note,
        "kinds": [{**_kind(game, kind), "left": left[kind.id]} for kind in game.tile_set.kinds],
    }


def _kind(game: Game, kind: TileKind) -> dict[str, Any]:
    """Return a kind of tile; segments have a name for each rotation.

    A segment's spot is where a follower stands on it at rotation 0, in hundredths of a tile.
    """
    return {
        "id": kind.id,
        "count": kind.count,
        "title": kind.title,
        "says": tile_words(kind),
        "tower_place": kind.tower_place,
        "rotations": list(kind.rotations()),
        "svg": tile_svg(kind, embed_style=False),
        "sides": [
            PlacedTile(cell=Cell(0, 0), kind=kind, rotation=0).side_kinds(side).split(" and ")
            for side in Side
        ],
        "segments": [
            {
                "kind": str(segment.kind),
                "role": str(book_of(game).roles.get(segment.kind, "")),
                "spot": [round(way, 1) for way in spot],
                "names": [kind.name_of(index, rotation) for rotation in range(4)],
            }
            for index, (segment, spot) in enumerate(
                zip(kind.segments, follower_spots(kind), strict=True)
            )
        ],
    }


def read(body: ReadBody) -> dict[str, Any]:
    """Read a text that a user opened or pasted.

    It is a file with a position or a puzzle, a position in one line, or it holds lines of a board.
    Such lines are laid on the current board.

    Raises:
        BurgraveError: it is neither; the error names the fault.

    """
    text = body.text.strip()
    if not text:
        raise QuestionError("there is nothing to read: the text is empty")
    if is_line(text):
        text = line_file(text)
    if text.startswith("{") or "burgrave" in text:
        return {"position": opened(Source(name=PASTED, text=text))}
    if body.position is None:
        raise QuestionError("lines of a board need a position to stand on")
    position = documents.draft(body.position).position
    lines = [line.strip().strip('",') for line in text.splitlines() if line.strip()]
    board = [_spelled(position.game, line) for line in lines]
    keys = documents.document(position, documents.title_of(body.position))
    cells = {_cell(line) for line in board}
    keys["board"] = [line for line in keys["board"] if _cell(line) not in cells] + board
    return {"position": keys}


def _spelled(game: Game, line: str) -> str:
    """Return a line of a board in canonical form."""
    tile, followers = read_board_line(game, line)
    return write_board_line(game, tile, followers)


def _cell(line: str) -> str:
    """Return the cell of a line of a board, in canonical form."""
    return line.partition("@")[2].partition("r")[0]


def opened(source: Source) -> dict[str, Any]:
    """Return the keys of the position of a file or puzzle; it may be impossible.

    Raises:
        BurgraveError: the file cannot be used, is too large for the page, or holds a puzzle in
            which every turn is one player's.

    """
    refuse_turns_in_a_row(source)
    body, prefix = body_of(source)
    documents.refuse_large(body)
    position = position_from(source.name, body, check=False, prefix=prefix)
    title = str(parse(source.name, source.text).get("title", ""))
    return documents.document(position, title)
