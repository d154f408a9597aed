"""A game against the program in the terminal: typed moves, hints, moves taken back, a record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from burgrave.cli.asking import QUIT, show_board
from burgrave.cli.lines import play_line
from burgrave.cli.output import note, say
from burgrave.cli.progress import ending
from burgrave.cli.render.events import events_text, final_text, undecided_text
from burgrave.model.castle.final_uses import undecided
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.paths import read_text, write_whole
from burgrave.model.files.positions import read_record, write_record
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.levels import Level
from burgrave.puzzles.games.matches import Match
from burgrave.puzzles.questions.wording import a_move
from burgrave.puzzles.words.hints import move_hints
from burgrave.puzzles.words.tutor import typed
from burgrave.solver.limits import Limits
from burgrave.solver.questions import Choice

NOTED = 0.1
"""Seconds of thought that are told."""
_WORDS = {
    "hint": "the next of three hints",
    "board": "show the position again",
    "back": "take back your last move",
    "quit": "end here; a game with --keep goes on the next time",
    "?": "show these words",
}
"""The words that can be typed besides a move."""


class Practice:
    """A game of the user against a level, as far as it was played.

    Args:
        start: the position before the first move.
        user: the player whom the user plays; a level plays for all others.
        level: the level.
        seed: of the deal and of all chance of the level.
        budget: the threads.
        keep: the record that is written after each move; None for none.

    """

    def __init__(  # noqa: PLR0913 -- a game with its means
        self,
        start: Position,
        *,
        user: int,
        level: Level,
        seed: int,
        budget: Limits,
        keep: Path | None,
    ) -> None:
        """Begin a game, or resume the game of the record.

        Raises:
            FileError: the file keeps another game, or none.

        """
        self._match = Match.begun(start, seed)
        self._user, self._level, self._budget = user, level, budget
        self._keep = keep
        if keep is not None and keep.exists():
            self._resume(keep)

    @property
    def now(self) -> Position:
        """The position after the last move."""
        return self._match.now

    def _resume(self, file: Path) -> None:
        """Play the moves of a record."""
        record = read_record(str(file), read_text(file))
        if record.position != self.now:
            raise FileError(str(file), ["keeps a game from another position, or another --seed"])
        line = play_line(self.now, record.moves, place=f"{file}: move ", read=read_move)
        if line.refused:
            raise FileError(str(file), [f"move {len(line.turns) + 1} is illegal"])
        for turn in line.turns:
            self._match, _ = self._match.played(read_move(self.now, turn.notation))

    def play(self, move: Move) -> Iterator[str]:
        """Play a legal move and keep it; yield what happens as lines."""
        position = self.now
        self._match, played = self._match.played(move)
        self._write()
        moves = self._match.moves
        yield f"{len(moves):2d}. {position.game.name(position.to_move)}: {moves[-1]}"
        yield from (f"  {event}" for event in events_text(played.events))

    def take_back(self) -> bool:
        """Take back the user's last move and all after it; return whether there was one."""
        for at in reversed(range(len(self._match.moves))):
            if self._match.positions[at].to_move == self._user:
                self._match = self._match.cut(at)
                self._write()
                return True
        return False

    def reply(self) -> Choice:
        """Return the move of the level in the position as it is, and what it took.

        Raises:
            KeyboardInterrupt: Ctrl-C came, maybe in a proof of which an estimate took the place.

        """
        with ending():
            return self._match.reply(self._level, self._budget)

    def _write(self) -> None:
        """Write the record, if one is kept."""
        if self._keep is not None:
            record = self._match.record(f"Practice against {self._level.words}")
            write_whole(self._keep, write_record(record, as_json=self._keep.suffix == ".json"))

    def run(self) -> bool:
        """Let the user play until the game is over; return whether it is."""
        while not self.now.over:
            # The only legal turn without a placeable tile needs no search.
            if self.now.to_move != self._user or self._match.idle:
                found = self.reply()
                say("\n".join(self.play(found.move)))
                if found.seconds >= NOTED:
                    note(f"  thought {found.seconds:.1f} s")
            elif not self._turn():
                return False
        say("\n".join(self._end()))
        return True

    def _turn(self) -> bool:
        """Let the user play a turn or take one back; return whether to go on."""
        say("")
        show_board(self._match.seen)
        hints: list[str] = []
        turn = len(self._match.moves)
        while len(self._match.moves) == turn:
            try:
                text = typer.prompt("Your move", err=True).strip()
            except typer.Abort:
                return False
            word = text.lower()
            if word in QUIT:
                return False
            if word == "hint":
                hints = hints[1:] or hints or self._hints()
                say(hints[0])
            elif word in {"?", "help", "board", "back"}:
                self._do(word)
            else:
                self._try(text)
        return True

    def _do(self, word: str) -> None:
        """Carry out a typed command."""
        if word == "board":
            show_board(self._match.seen)
        elif word == "back":
            if not self.take_back():
                note("There is no move of yours to take back.")
        else:
            say(f"Type {a_move(self.now.game)}. Other words:")
            say("\n".join(f"  {name:10}{meaning}" for name, meaning in _WORDS.items()))

    def _hints(self) -> list[str]:
        """Return hints at the move of the level, each telling more than the one before."""
        best = write_move(self.now, self.reply().move)
        return [*move_hints(self.now, best), f"The move of {self._level.name}: {best}."]

    def _try(self, text: str) -> None:
        """Play a move that the user typed, or say what is wrong with it."""
        try:
            move = typed(self.now, text)
        except QuestionError as error:
            note(str(error))
            return
        say("\n".join(self.play(move)) if isinstance(move, Move) else move)

    def _end(self) -> Iterator[str]:
        """Yield the lines of the end of the game."""
        reason = undecided(self.now)
        yield from undecided_text(reason)
        if not reason:
            yield from final_text(self.now, final_scoring(self.now))
        if self._keep is not None:
            yield f"burgrave review {self._keep} says what each move was worth."
