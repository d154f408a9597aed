"""Positions and games in links that every published copy opens.

A link holds the list of what lies and stands on the board, and the words; the copy has the
pictures. So it shows positions of which it has never heard, and needs no rule for it.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from burgrave.cli import sources
from burgrave.cli.render.review import Game
from burgrave.cli.render.sentences import move_sentence
from burgrave.cli.reviews import game_from
from burgrave.model.castle.final_uses import undecided
from burgrave.model.draws import as_seen
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import kind_data, refuse_unshipped
from burgrave.model.files.toml import parse
from burgrave.model.final import final_scoring
from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.pictures import Stamp, stamp_pictures, stamps
from burgrave.model.position import Position
from burgrave.model.rule import Event

VERSION = 1
"""The form of what links hold."""
MOST_LETTERS = 8000
"""Letters of a link that chat and mail leave whole."""
Drawing = dict[str, Any]
"""What a link holds; docs/reference/page-api.md lists it."""


def link(site: str | None, drawn: Drawing) -> str:
    """Return the address at which a site shows a drawing.

    Args:
        site: the address of the site, with a slash at its end; None if it is not known.
        drawn: the drawing.

    Raises:
        QuestionError: it is not known.

    """
    if site is None:
        raise QuestionError("no site is known: start the page with burgrave serve --site URL")
    squeeze = zlib.compressobj(9, wbits=-15)
    text = json.dumps(drawn, separators=(",", ":"), ensure_ascii=False).encode()
    packed = urlsafe_b64encode(squeeze.compress(text) + squeeze.flush()).decode().rstrip("=")
    return f"{site}#/boards/packed:{packed}"


def drawing_named(argument: str, turn: int | None = None) -> Drawing:
    """Return the drawing of a position or a game.

    Args:
        argument: a file, an id or a line.
        turn: of a game the turn whose position is to be drawn; None for all of the game.

    Raises:
        BurgraveError: it cannot be read or has tiles of its own.

    """
    read = sources.game_or_position(argument) if turn is None else None
    if read is not None and not isinstance(read, Position):
        return game_drawing(game_from(argument, read))
    source = sources.source(argument, turn)
    return drawing(
        sources.position_of(source), str(parse(source.name, source.text).get("title", ""))
    )


def drawing(position: Position, title: str = "") -> Drawing:
    """Return the drawing of a position.

    Raises:
        QuestionError: a site has no picture of something in it.

    """
    _refuse_own(position)
    game = position.game
    come = len(position.order) + len(position.bag)
    mover = game.name(position.to_move)
    says = f"{mover} is to move, {times(come, 'tile')} to come." if come else "The game is over."
    return {
        "version": VERSION,
        "game": game.id,
        "tiles": digest(game.id),
        "title": title or game.named,
        "says": [says, game.label],
        "players": list(game.players),
        "scores": [player.score for player in position.players],
        "mover": None if position.over else position.to_move,
        "stamps": [list(one) for one in _known(position)],
        "steps": [],
        "end": _end(position),
    }


def game_drawing(played: Game) -> Drawing:
    """Return the drawing of a game, turn by turn, as its players saw it.

    Raises:
        QuestionError: a site has no picture of something in it.

    """
    first, _ = played.turns[0]
    drawn = drawing(as_seen(first), played.title)
    before = _known(as_seen(first))
    last = first
    for position, move in played.turns:
        done = play(position, move)
        last = done.position
        after = _known(as_seen(last))
        gone, come = _changes(before, after)
        drawn["steps"].append(
            {
                "says": move_sentence(position, move),
                "notation": write_move(position, move),
                "scores": [player.score for player in last.players],
                "mover": None if last.over else last.to_move,
                "off": gone,
                "on": [list(one) for one in come],
                "events": _events(done.events),
            }
        )
        before = [one for at, one in enumerate(before) if at not in gone] + come
    _refuse_own(last)
    return {**drawn, "end": _end(last)}


def _changes(before: Sequence[Stamp], after: Sequence[Stamp]) -> tuple[list[int], list[Stamp]]:
    """Return which stamps of a list are not in another, and those that are there besides."""
    stays = Counter(after)
    gone = []
    for at, one in enumerate(before):
        if stays[one]:
            stays[one] -= 1
        else:
            gone.append(at)
    return gone, list(stays.elements())


def _end(position: Position) -> dict[str, Any] | None:
    """Return the result of a game that is over and can be scored."""
    if not position.over or undecided(position):
        return None
    final = final_scoring(position)
    return {"scores": list(final.scores), "events": _events(final.events)}


def _events(events: Iterable[Event]) -> list[list[Any]]:
    """Return events as words and points."""
    return [[event.text, event.points] for event in events]


def _refuse_own(position: Position) -> None:
    """Refuse a position with tiles of which a site has no pictures.

    Raises:
        QuestionError: it has such tiles.

    """
    refuse_unshipped(position)
    known = {kind.id: kind_data(kind) for kind in shipped_game(position.game.id).tile_set.kinds}
    own = {
        tile.kind.id for tile in position.tiles if kind_data(tile.kind) != known.get(tile.kind.id)
    }
    if own:
        raise QuestionError(
            f"a site has no picture of your own tiles ({', '.join(sorted(own))}): publish the"
            " position with --show, or share it as a picture or a file"
        )


def _known(position: Position) -> list[Stamp]:
    """Return the stamps of a position.

    Raises:
        QuestionError: a site has no picture for one of them.

    """
    found = list(stamps(position))
    pictured = {*_pictures(position.game.id), *(tile.kind.id for tile in position.tiles)}
    for one in found:
        if one.name not in pictured:
            raise QuestionError(f"a site has no picture of: {one.name}")
    return found


@cache
def _pictures(game_id: str) -> frozenset[str]:
    """Return the names of the pictures of a game that are no tiles."""
    return frozenset(stamp_pictures(shipped_game(game_id)))


@cache
def digest(game_id: str) -> str:
    """Return the digest of the tiles and the wall of a game: a link is good for these alone."""
    game = shipped_game(game_id)
    tiles = [kind_data(kind) for kind in (*game.tile_set.kinds, *game.picture_kinds)]
    walls = [[wall.cells, [t.name for t in wall.towers]] for wall in (game.board, *game.walls)]
    return sha256(json.dumps([tiles, walls], sort_keys=True).encode()).hexdigest()[:8]
