"""The functions for scripts that no lower package has under their public name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burgrave.cli import sources
from burgrave.cli.beginnings import begun
from burgrave.cli.commands.score import score_data
from burgrave.cli.render import json_types
from burgrave.cli.render.glyphs import ASCII, UNICODE
from burgrave.cli.render.legend import whole
from burgrave.cli.render.values import plain
from burgrave.cli.reviews import game_of
from burgrave.model import engine
from burgrave.model.errors import CallError, QuestionError
from burgrave.model.notation import read_move
from burgrave.model.position import Move, Position
from burgrave.model.results import Played
from burgrave.puzzles.cards.deck import engines_for, run, select
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.puzzles.files.library import entries
from burgrave.puzzles.files.library import select as select_puzzles
from burgrave.puzzles.games.levels import LEVELS, answer, dealt
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions.preconditions import spelled
from burgrave.tables import Table


def load(source: str | Path, at: int | None = None) -> Position:
    """Read a position.

    Args:
        source: the path of a file, or the id of a shipped position, puzzle or rule card. Or a
            position in one line, as ``write_line`` writes it.
        at: of a record or a save: the turn before which the position stands, from 1.

    Raises:
        BurgraveError: it cannot be read, or the position cannot arise.

    """
    return sources.position(str(source), at)


def moves(position: Position, tile: str | None = None) -> list[Move]:
    """Return every legal move, each once.

    Args:
        position: the position before the turn.
        tile: only moves that lay this tile; None for every tile that may be drawn.

    Raises:
        QuestionError: the set has no such tile.

    """
    name = None if tile is None else spelled(position, tile)
    return list(engine.legal_moves(position, name))


def check(position: Position, move: Move | str) -> engine.Judgement:
    """Return the verdict on a move: whether it is legal, and which rules it breaks.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move.

    """
    return engine.judge(position, _move(position, move))


def play(position: Position, move: Move | str) -> Played:
    """Return the position after a move, with the events of the turn.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move, or the move is illegal.

    """
    return engine.play(position, _move(position, move))


def _move(position: Position, move: Move | str) -> Move:
    """Return a move; read it if it is text."""
    return read_move(position, move) if isinstance(move, str) else move


def draw(position: Position, *, ascii_only: bool = False, colour: bool = False) -> str:
    """Return a picture of a position in characters, for a terminal.

    Args:
        position: any position.
        ascii_only: whether no characters but those of ASCII are used.
        colour: whether the text holds the control characters of colours.

    """
    return "\n".join(whole(position, ASCII if ascii_only else UNICODE).lines(colour=colour))


def new(  # noqa: PLR0913 -- the options of the command
    game: str,
    *,
    seed: int | None = None,
    unknown: bool = False,
    first: str | None = None,
    players: int | None = None,
    edition: str | None = None,
    tiles: str | Path | None = None,
) -> Position:
    """Begin a game.

    Args:
        game: ``castle``, ``castle+falcon``, ``carcassonne`` or ``carcassonne+tower``.
        seed: the same number gives the same shuffled position; None for one picked by chance.
        unknown: whether the tiles lie in a bag and the wall tiles face down.
        first: the name of the player who begins; None for the first.
        players: 2 to 6 players of Carcassonne; None for 2.
        edition: the edition of Carcassonne's rules; None for today's.
        tiles: a file with a tile set to play with; None for the shipped tiles.

    Raises:
        FileError: the tile set cannot be used in this game.
        QuestionError: there is no such game, player or edition, or ``seed`` and ``unknown``
            exclude each other.

    """
    own = None if tiles is None else Path(tiles)
    return begun(
        game, seed, unknown=unknown, first=first, players=players, edition=edition, tiles=own
    )[1]


def replay(source: str | Path) -> tuple[tuple[Position, Move], ...]:
    """Read a record, or a save of JCloisterZone: each position with the move played in it.

    ``review`` takes the result as it is.

    Args:
        source: the path of the file.

    Raises:
        BurgraveError: it cannot be read, or a move in it is illegal.

    """
    return game_of(str(source)).turns


def positions() -> list[str]:
    """Return the ids of all shipped positions and puzzles; ``load`` reads them."""
    return [entry.id for entry in entries()]


def puzzles(filters: Sequence[str] = ()) -> list[str]:
    """Return the ids of the shipped puzzles that filters leave.

    Args:
        filters: ids, sets, games, themes, questions or difficulties, like ``["castle", "1-2"]``.

    Raises:
        QuestionError: a filter says nothing of any puzzle.

    """
    return [entry.id for entry in select_puzzles(filters)]


def score(position: Position) -> json_types.CastleScore | json_types.PlaneScore:
    """Return the players, the features with their points, and final scoring of a finished game.

    The keys are those of ``burgrave score --json``.

    Args:
        position: the position.

    """
    return score_data(position)


def verify(cards: Sequence[str] = (), *, engine: str | None = None) -> list[Verdict]:
    """Answer the rule cards and compare with the stored verdicts.

    Args:
        cards: beginnings of ids, rules or families of rules; all cards if there is none.
        engine: the only engine; None for every one that can answer.

    Raises:
        QuestionError: there is no such card, or the engine can answer none.

    """
    found = [
        run(card, one)
        for card in select(cards)
        for one in engines_for(card)
        if engine in {None, one}
    ]
    if not found:
        raise QuestionError(f"engine {engine} can answer none of these cards")
    return found


def practise(
    position: Position, *, level: int = 3, seed: int = 1, budget: Limits = NO_LIMIT
) -> Move:
    """Return the move that an opponent plays, who knows what a player knows.

    Args:
        position: the position before the turn. Unknown tiles are drawn by the seed.
        level: the strength, 1 to 5: 1 takes the most points, 2 plays at sight, others look ahead.
        seed: of draws and of the opponent.
        budget: the time, and the number of threads.

    Raises:
        QuestionError: the game is over, there is no such level, or the compiled search does not
            know something in the position.

    """
    if level not in LEVELS:
        raise QuestionError(f"level = {level}: the levels are {', '.join(map(str, LEVELS))}")
    return answer(dealt(position, seed), LEVELS[level], seed, budget).move


def table(position: Position) -> Table:
    """Return a fast table for bots, which lists, plays and takes back turns.

    Args:
        position: the position at which it begins. As many turns can be played as tiles are to come.

    Raises:
        QuestionError: a wall tile in hand has no number.

    """
    return Table(position)


def to_dict(answer: object) -> dict[str, object]:
    """Return an answer as values for JSON.

    The answer to a question, and an evaluation, have the keys of ``--json``. Any other value has
    those of its fields. A fraction has ``value`` and ``exact``, which is text: ``17/4``.

    Args:
        answer: what a function of this module returned, one value.

    Raises:
        CallError: it is no such value.

    """
    found = plain(answer)
    if not isinstance(found, dict):
        raise CallError(f"to_dict: found {type(answer).__name__}, expected an answer of Burgrave")
    return found
