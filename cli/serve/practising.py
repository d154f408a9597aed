"""Games that are played on the page: their turns, the moves of levels, other tries at mistakes.

The browser holds the start of a game, its seed and its moves. The deal follows from them and stays
here: what is sent back tells no tile that a player could not know.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from burgrave.cli.render.events import event_data
from burgrave.cli.render.findings import finding_data
from burgrave.cli.render.sentences import move_sentence
from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import AboutMatch, MatchBody, ReplyBody, RetryBody
from burgrave.cli.serve.limits import KEPT_MATCHES
from burgrave.model.errors import IllegalMoveError
from burgrave.model.files.positions import write_record
from burgrave.model.loose_notation import read_typed
from burgrave.model.notation import read_move, write_move
from burgrave.puzzles.games.levels import LEVELS
from burgrave.puzzles.games.matches import Match
from burgrave.puzzles.making.mistakes import retried
from burgrave.solver.limits import Limits


@lru_cache(maxsize=KEPT_MATCHES)
def _after(start: str, seed: int, moves: tuple[str, ...]) -> Match:
    """Return a game after moves; after one more move it is not played anew from its start."""
    if not moves:
        return Match.begun(documents.position(json.loads(start)), seed)
    before = _after(start, seed, moves[:-1])
    return before.played(read_move(before.now, moves[-1]))[0]


def _match(ask: AboutMatch) -> Match:
    """Return the game that a request is about.

    Raises:
        BurgraveError: the position is none, or a move is none or illegal.

    """
    return _after(json.dumps(ask.position), ask.seed, tuple(ask.moves))


def turn_played(ask: MatchBody) -> dict[str, Any]:
    """Play a move of a game if one is given, and return the game as its players see it.

    Raises:
        BurgraveError: the position is none, or a text is no move.

    """
    match = _match(ask)
    turn = None
    if ask.move is not None:
        before = match.now
        try:
            move = read_typed(before, ask.move)
            match, played = match.played(move)
        except IllegalMoveError as error:
            found = [finding_data(finding) for finding in error.findings]
            return {"legal": False, "violations": found}
        turn = {
            "player": before.game.players[before.to_move],
            "notation": match.moves[-1],
            "says": move_sentence(before, move),
            "events": [event_data(before.game, event) for event in played.events],
        }
    return {
        "legal": True,
        "violations": [],
        "turn": turn,
        "position": documents.document(match.seen, documents.title_of(ask.position)),
    }


def recorded(ask: AboutMatch) -> dict[str, Any]:
    """Return a game as the text of a record.

    Raises:
        BurgraveError: the position is none, or a move is none or illegal.

    """
    return {"text": write_record(_match(ask).record(documents.title_of(ask.position)))}


def replied(ask: ReplyBody) -> dict[str, Any]:
    """Return the move of a level, and the seconds that it took.

    Raises:
        BurgraveError: the position is none, the next tile is unknown, or the compiled search does
            not support the position.

    """
    match = _match(ask)
    found = match.reply(LEVELS[ask.level], Limits(seconds=ask.seconds, jobs=1))
    return {"move": write_move(match.now, found.move), "seconds": found.seconds}


def tried_again(ask: RetryBody) -> dict[str, Any]:
    """Judge another try at a mistake.

    Raises:
        BurgraveError: the position is none, or a text is no move.

    """
    position = documents.position(ask.position)
    found = retried(
        position,
        ask.answer,
        played=read_move(position, ask.played),
        best=read_move(position, ask.best),
        playouts=ask.playouts,
        budget=Limits(seconds=ask.seconds, jobs=1),
    )
    return {"right": found.right, "told": found.told}
