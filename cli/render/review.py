"""A review of a game as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.review import ReviewedTurn

if TYPE_CHECKING:
    from burgrave.cli.render import json_estimates

DUEL = 2
"""Players in a game in which what one wins the other loses."""
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game that was played.

    Attributes:
        name: the file as the user named it.
        title: its title; may be empty.
        turns: each position with the move played in it.

    """

    name: str
    title: str
    turns: tuple[tuple[Position, Move], ...]

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, as a sentence has them."""
        game = self.turns[0][0].game
        return tuple(game.name(player) for player in range(len(game.players)))


class Sums(NamedTuple):
    """The sums of a player's turns, in points of lead."""

    luck: float
    gain: float
    """Of his moves against those at first sight."""
    lost: float
    """Against the best moves."""


def review_data(
    game: Game,
    turns: Sequence[ReviewedTurn],
    *,
    playouts: int,
    seed: int,
    puzzles: Sequence[str] = (),
) -> json_estimates.Review:
    """Return the JSON keys of a review; ``puzzles`` are the ids of those written."""
    return {
        "game": game.turns[0][0].game.id,
        "players": list(game.players),
        "playouts": playouts,
        "seed": seed,
        "turns": [turn_data(game, turn) for turn in turns],
        "summary": [
            {
                "player": name,
                "luck": round(sums.luck, 2),
                "gain": round(sums.gain, 2),
                "lost": round(sums.lost, 2),
                "marks": mistakes(turns, player),
            }
            for player, name in enumerate(game.players)
            for sums in [_sum(turns, player)]
        ],
        "puzzles": [*puzzles],
    }


def review_text(game: Game, turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    """Yield the lines of a review."""
    if game.title:
        yield game.title
    yield f"{'turn':>4}  {'player':8}{'before':>7}{'luck':>7}{'move':>7}{'after':>8}      move"
    for turn in turns:
        position = game.turns[turn.number - 1][0]
        sign = " " if turn.proved else "~"
        yield (
            f"{turn.number:>4}  {game.players[turn.player]:8}{turn.before:>+7.1f}"
            f"{turn.luck:>+7.1f}{turn.gain:>+7.1f}{turn.after:>+8.1f} {sign}{turn.mark:<3} "
            f"{write_move(position, turn.played)}"
        )
        if turn.mark.startswith("?"):
            idea = f" ({', '.join(turn.missed)})" if turn.missed else ""
            yield (f"{'':40} better by {_apart(turn)}: {write_move(position, turn.best)}{idea}")
    yield f"lead of {game.players[0]}: {sparkline(leads(turns))}"
    for player, name in enumerate(game.players):
        marks, sums = mistakes(turns, player), _sum(turns, player)
        yield (
            f"{name}: luck {sums.luck:+.1f}, moves {sums.gain:+.1f} against those at first sight,"
            f" {0.0 - sums.lost:+.1f} against the best found; "
            + ", ".join(f"{count} {mark}" for mark, count in marks.items())
        )
    if len(game.players) == DUEL:
        yield _books(game, turns)
    guessed = sum(not turn.proved for turn in turns)
    yield f"~ estimate by playouts ({times(guessed, 'turn')}); the others are proved"


def _apart(turn: ReviewedTurn) -> str:
    """Return by how much the best move is better, with the interval if it is an estimate."""
    if turn.proved:
        return f"{turn.loss:.1f}"
    return f"{turn.loss:.1f} ({turn.loss_low:.1f} to {turn.loss_high:.1f})"


def _books(game: Game, turns: Sequence[ReviewedTurn]) -> str:
    """Return in words how luck and moves of both lead to the first player's lead at the end."""
    mine, others = _sum(turns, 0), _sum(turns, 1)
    begun = turns[0].before if turns[0].player == 0 else -turns[0].before
    return (
        f"{game.players[0]}: lead {begun:+.1f} at first, luck of both"
        f" {mine.luck - others.luck:+.1f}, moves of both {mine.gain - others.gain:+.1f},"
        f" lead {leads(turns)[-1]:+.1f} at last"
    )


def leads(turns: Sequence[ReviewedTurn]) -> list[float]:
    """Return the lead of the first player after each turn; that of others counts against him."""
    return [turn.after if turn.player == 0 else -turn.after for turn in turns]


def sparkline(values: Sequence[float]) -> str:
    """Return values as a row of bars."""
    most = max(1.0, *(abs(value) for value in values))
    steps = (int((value / most + 1) / 2 * (len(BARS) - 1) + 0.5) for value in values)
    return "".join(BARS[step] for step in steps)


def _sum(turns: Sequence[ReviewedTurn], player: int) -> Sums:
    """Return the sums of a player's turns."""
    mine = [turn for turn in turns if turn.player == player]
    return Sums(
        luck=sum(turn.luck for turn in mine),
        gain=sum(turn.gain for turn in mine),
        lost=sum(turn.loss for turn in mine),
    )


def turn_data(game: Game, turn: ReviewedTurn) -> json_estimates.ReviewedTurn:
    """Return the JSON keys of a turn; moves are written in notation."""
    position = game.turns[turn.number - 1][0]
    return {
        "number": turn.number,
        "player": turn.player,
        "played": write_move(position, turn.played),
        "best": write_move(position, turn.best),
        "before": round(turn.before, 4),
        "luck": round(turn.luck, 4),
        "gain": round(turn.gain, 4),
        "after": round(turn.after, 4),
        "loss": round(turn.loss, 4),
        "loss_low": round(turn.loss_low, 4),
        "loss_high": round(turn.loss_high, 4),
        "win_loss": round(turn.win_loss, 4),
        "mark": turn.mark,
        "proved": turn.proved,
        "missed": [*turn.missed],
    }


def mistakes(turns: Sequence[ReviewedTurn], player: int) -> dict[str, int]:
    """Return how many turns of a player have each mark."""
    marks = [turn.mark for turn in turns if turn.player == player]
    return {mark: marks.count(mark) for mark in ("??", "?", "?!", "!")}
