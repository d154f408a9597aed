"""Handle a position for the page: draw, check, lay tiles, judge, play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from burgrave.cli.drawings import drawing, link
from burgrave.cli.lines import line_data, play_line
from burgrave.cli.render.events import event_data, final_data
from burgrave.cli.render.features import player_data, standing_data, standing_text, standings
from burgrave.cli.render.findings import finding_data
from burgrave.cli.render.fits import fits_data, fits_text
from burgrave.cli.render.plane_features import holding_data, holding_text, holdings, plane_players
from burgrave.cli.render.sentences import acts, move_sentence, sentence
from burgrave.cli.serve import documents
from burgrave.cli.serve.acting import name_of, target
from burgrave.cli.serve.bodies import (
    AboutPosition,
    MoveBody,
    PictureBody,
    PlacesBody,
    PlayBody,
    TurnsBody,
    ViewBody,
    WriteBody,
)
from burgrave.cli.serve.limits import MOST_TURNS
from burgrave.cli.serve.pictures import picture
from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import undecided
from burgrave.model.draws import draws
from burgrave.model.engine import Judgement, judge, play
from burgrave.model.errors import BurgraveError, FileError, IllegalMoveError
from burgrave.model.features import position_features
from burgrave.model.files.lines import write_line
from burgrave.model.files.positions import write_position
from burgrave.model.final import final_scoring
from burgrave.model.fitting import fits as fitting
from burgrave.model.geometry import Cell
from burgrave.model.laying import lay
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.model.pictures import Theme, View, board_svg
from burgrave.model.placement import Placement
from burgrave.model.places import places as legal_places
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems, remarks
from burgrave.model.registry import CARCASSONNE, CASTLE
from burgrave.model.tiles import PlacedTile
from burgrave.solver.questions.preconditions import spelled


def view(body: ViewBody) -> dict[str, Any]:
    """Return the picture of a position, its problems and its contents."""
    try:
        read = documents.draft(body.position)
    except FileError as error:
        return {"problems": documents.problems_of(error), "svg": None}
    position = read.position
    found = problems(position, read.lines)
    return {
        "problems": [finding_data(finding) for finding in found],
        "svg": picture(position, body),
        "says": list(_said(position, body.line)),
        "document": documents.document(position, documents.title_of(body.position)),
        "line": _line(position),
        "title": documents.title_of(body.position),
        "game": position.game.named,
        "about": _about(position),
        "to_move": position.game.players[position.to_move],
        "over": position.over,
        **({} if found else _contents(position)),
    }


def drawn(body: PictureBody) -> dict[str, Any]:
    """Return a position as a picture that stands by itself, with its style.

    Raises:
        BurgraveError: the position is none.

    """
    position = documents.draft(body.position).position
    view = View(panel=False, axes=False, crop=True) if body.plain else View()
    return {"svg": board_svg(position, view, theme=Theme(body.theme))}


def linked(site: str | None, body: AboutPosition) -> dict[str, Any]:
    """Return the address at which a published copy shows a position.

    Args:
        site: the address of the copy; None if the page knows none.
        body: the position.

    Raises:
        BurgraveError: the position is none or has tiles of its own, or the page knows no copy.

    """
    shown = drawing(documents.position(body.position), documents.title_of(body.position))
    return {"url": link(site, shown)}


def _said(position: Position, line: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of moves that are shown, up to the first illegal one."""
    for text in line:
        move = read_move(position, text)
        if not judge(position, move).legal:
            return
        yield move_sentence(position, move)
        position = play(position, move).position


def _line(position: Position) -> str | None:
    """Return a position in one line, for an address; None if no line can hold it."""
    try:
        return write_line(position)
    except BurgraveError:
        return None


def _about(position: Position) -> list[str]:
    """Return the texts beside the board: label, note of the board, remarks."""
    said = (position.game.label, position.game.board.note, *(r.message for r in remarks(position)))
    return [text for text in said if text]


def _plane_features(position: Position) -> list[dict[str, Any]]:
    """Return the features of a table of Carcassonne, each with its words."""
    return [
        {**holding_data(position, one), "text": holding_text(position, one)}
        for one in holdings(position)
    ]


def _castle_features(position: Position) -> list[dict[str, Any]]:
    """Return the features of a castle, each with its words."""
    return [
        {**standing_data(position, one), "text": standing_text(position, one)}
        for one in standings(position)
    ]


_FEATURES = {CASTLE: _castle_features, CARCASSONNE: _plane_features}
"""What tells of the features of a base."""


def _contents(position: Position) -> dict[str, Any]:
    """Return the contents of the table of a possible position."""
    features = _FEATURES[position.game.base](position)
    reason = undecided(position) if position.over else ""
    told = position.over and not reason
    return {
        "players": players(position),
        "features": features,
        "final": final_data(position, final_scoring(position)) if told else None,
        "undecided": reason or None,
    }


def fits(body: AboutPosition) -> dict[str, Any]:
    """Return which tiles to come fit on each cell, as keys and in words.

    Raises:
        BurgraveError: the position is none.

    """
    position = documents.position(body.position)
    found = fitting(position)
    return {**fits_data(position, found), "text": list(fits_text(position, found))}


def players(position: Position) -> Mapping[str, object]:
    """Return what each player has, by name."""
    game = position.game
    if game.base == CARCASSONNE:
        return plane_players(position)
    return {name: player_data(position, i) for i, name in enumerate(game.players)}


def write(body: WriteBody) -> dict[str, Any]:
    """Return a position as the text of a file; one that is impossible too."""
    read = documents.draft(body.position)
    title = documents.title_of(body.position)
    as_json = body.format == "json"
    return {"text": write_position(read.position, title=title, as_json=as_json)}


def places(body: PlacesBody) -> dict[str, Any]:
    """Return the places for the tile in hand.

    Raises:
        BurgraveError: the position is none, or the tile cannot be drawn.

    """
    position = documents.position(body.position)
    if position.over:
        return {"tiles": [], "tile": None, "places": [], "discards": []}
    possible = list(draws(position))
    tiles = [draw.tile for draw in possible if draw.tile is not None]
    if not tiles:
        passing = next(book_of(position.game).conduct.passes(position, possible[0].discards))
        empty: dict[str, Any] = {
            "tiles": [],
            "tile": None,
            "places": [],
            "pass": write_move(position, passing),
        }
        return {**empty, "discards": list(passing.discards)}
    wanted = None if body.tile is None else spelled(position, body.tile)
    draw = next((draw for draw in possible if draw.tile == wanted), possible[0])
    assert draw.tile is not None
    found: dict[Cell, list[int]] = {}
    for tile in legal_places(position, draw.tile):
        found.setdefault(tile.cell, []).append(tile.rotation)
    return {
        "tiles": tiles,
        "tile": draw.tile,
        "discards": list(draw.discards),
        "places": [{"cell": list(c), "rotations": r} for c, r in sorted(found.items())],
    }


def turns(body: TurnsBody) -> dict[str, Any]:
    """Return the faults of a place or, if there are none, the turns that lay the tile there.

    Raises:
        BurgraveError: the position is none, or there is no such tile.

    """
    position = documents.position(body.position)
    kind = spelled(position, body.tile)
    draw = next((d for d in draws(position) if d.tile == kind), None)
    discards = draw.discards if draw is not None else ()
    move = Move(discards=discards, tile=kind, cell=Cell(*body.cell), rotation=body.rotation)
    tile = move.laid(position.game.tile_set.kind(kind))
    broken = [f for law in book_of(position.game).placement for f in law(position, tile)]
    broken += book_of(position.game).conduct.draw(position, move)
    data: dict[str, Any] = {
        "move": write_move(position, move),
        "violations": [finding_data(finding) for finding in broken],
        "notes": [],
        "says": "",
        "targets": {},
        "turns": [],
        "more": False,
    }
    if not broken:
        placement = lay(position, tile, position_features(position), discards)
        notes = book_of(position.game).conduct.notes(placement, move)
        targets: dict[str, dict[str, Any]] = {}
        listed = list(islice(_told(position, placement, discards, targets), MOST_TURNS + 1))
        data["says"] = sentence(placement, ())
        data["targets"] = targets
        data["notes"] = [finding_data(finding) for finding in notes]
        data["turns"] = listed[:MOST_TURNS]
        data["more"] = len(listed) > MOST_TURNS
    return data


def _told(
    position: Position,
    placement: Placement,
    discards: tuple[str, ...],
    targets: dict[str, dict[str, Any]],
) -> Iterator[dict[str, Any]]:
    """Yield the legal turns with a tile on its cell, each with its points.

    Args:
        position: the position before.
        placement: the tile on its cell.
        discards: tiles drawn before it that had no place.
        targets: gets what the turns do besides the tile, by the names that they list.

    """
    conduct, game = book_of(position.game).conduct, position.game
    for move in conduct.turns(placement, discards):
        played = conduct.resolve(placement, move)
        done = tuple(acts(placement, move))
        targets.update((name_of(act), target(placement, act)) for act in done)
        gains = {
            name: after.score - before.score
            for name, before, after in zip(
                game.players, position.players, played.position.players, strict=True
            )
        }
        yield {
            "notation": write_move(position, move),
            "says": sentence(placement, [act.says for act in done]),
            "acts": [name_of(act) for act in done],
            "followers": [_follower(placement.tile, d.segment, d.title) for d in move.followers],
            "gains": gains,
            "events": [event_data(game, event) for event in played.events],
        }


def _follower(tile: PlacedTile, segment: int, title: str) -> dict[str, Any]:
    """Return a follower on the new tile: his role and segment."""
    name = tile.kind.name_of(segment, tile.rotation)
    return {"title": title, "segment": segment, "at": name}


def judged(body: MoveBody) -> dict[str, Any]:
    """Return every rule that a move breaks, and the rules that allow it.

    Raises:
        BurgraveError: the position is none, or the text is no move.

    """
    position = documents.position(body.position)
    try:
        move = read_typed(position, body.move)
        verdict, written = judge(position, move), write_move(position, move)
    except IllegalMoveError as error:
        verdict, written = Judgement(error.findings, ()), " ".join(body.move.split())
    return {
        "legal": verdict.legal,
        "move": written,
        "violations": [finding_data(finding) for finding in verdict.violations],
        "notes": [finding_data(finding) for finding in verdict.notes],
    }


def played(body: PlayBody) -> dict[str, Any]:
    """Play moves; stop at the first illegal one and report it.

    Raises:
        BurgraveError: the position is none, or a text is no move.

    """
    line = play_line(documents.position(body.position), body.moves)
    after = documents.document(line.end, documents.title_of(body.position))
    before = (line.start, *(turn.played.position for turn in line.turns))
    said = [
        {**told, "says": move_sentence(position, read_move(position, told["notation"]))}
        for told, position in zip(line_data(line)["moves"], before, strict=False)
    ]
    return {**line_data(line), "moves": said, "position": after}
