"""Answers about the rest of a game, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from burgrave.cli.render.findings import STOPPED
from burgrave.cli.render.moves import seen
from burgrave.model.engine import Played, play
from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.solver.problem import Goal, Play, TileOrder
from burgrave.solver.result import Answer, RootMove, Status

if TYPE_CHECKING:
    from burgrave.cli.render import json_types

_HOW = {
    TileOrder.GIVEN: "",
    TileOrder.CHOOSE: ", with the tiles in the order that is best for it",
    TileOrder.ANY: ", in whatever order the tiles come",
    TileOrder.CHANCE: "",
}
_LINES = {Play.AGAINST: "best play of both", Play.EACH: "best play of each"}
"""The heading of a line."""


_WHAT = {Goal.POINTS: "score", Goal.LEAD: "lead", Goal.WIN: "lead"}
"""The unit of a value."""
_WIDE = 100
"""Points between limits from which on they are told as no answer; ``--json`` has them."""


def game_answer_data(position: Position, answer: Answer) -> json_types.Outlook:
    """Return the JSON keys of an answer. ``exact`` holds a fraction where ``value`` is rounded."""
    players = position.game.players
    return {
        "value": None if answer.value is None else number(answer.value),
        "exact": None if answer.value is None else str(answer.value),
        "status": answer.status.value,
        "least": _exact(answer.least),
        "most": _exact(answer.most),
        "player": players[answer.asker],
        "goal": str(answer.goal),
        "play": str(answer.play),
        "order": str(answer.order),
        "tiles": answer.tiles,
        "odds": None
        if answer.odds is None
        else {
            "win": _exact(answer.odds.win),
            "draw": _exact(answer.odds.draw),
            "loss": _exact(answer.odds.loss),
        },
        "moves": [
            {
                "notation": write_move(position, one.move),
                "value": number(one.value),
                "exact": str(one.value),
            }
            for one in answer.first
        ],
        "complete": answer.complete,
        "guess": [write_move(position, move) for move in answer.guess],
        "line": [write_move(at, move) for at, move, _ in replayed_line(position, answer)],
        "scores": None if answer.scores is None else list(answer.scores),
        "engine": answer.engine,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
        "floor": _exact(answer.floor),
        "confirmed": list(answer.confirmed),
    }


def _exact(value: Fraction | None) -> json_types.Exact | None:
    """Return a value, rounded if it is no whole number, and as a fraction."""
    return None if value is None else {"value": number(value), "exact": str(value)}


def number(value: Fraction) -> int | float:
    """Return a value as a number that JSON can hold."""
    return int(value) if value.denominator == 1 else round(float(value), 6)


def in_words(value: Fraction) -> str:
    """Return a value with its fraction, ``4.25 (17/4)``."""
    return str(value) if value.denominator == 1 else f"{float(value):.4g} ({value})"


def game_answer_text(position: Position, answer: Answer) -> Iterator[str]:
    """Yield the lines of an answer: the value, the first moves, a line to the end."""
    name = position.game.name(answer.asker)
    left = len(position.order) + len(position.bag)
    when = "" if answer.tiles == left else f", {times(answer.tiles, 'tile')} from now"
    if answer.value is None and _wide(answer):
        yield (
            f"Nothing useful is proved for {name}{when}: `burgrave evaluate` estimates the lead;"
            " more --time or --nodes may prove it."
        )
    elif answer.value is None:
        yield f"Nothing is proved for {name}{when}: the search was stopped; {STOPPED}."
    else:
        yield f"{_claim(name, answer, early=bool(when))}{when}"
    yield from (f"  {sentence}" for sentence in limits_text(answer))
    if answer.floor is not None:
        least = in_words(answer.floor)
        if answer.goal is Goal.WIN:
            least = f"wins less losses: {least}"
        yield f"  {least} at least, whatever the others do (all of them playing against {name})"
    if answer.first:
        yield from _first_moves(position, answer)
    else:
        yield from (f"    {seen(position, move)}" for move in answer.guess)
    if answer.line:
        yield _LINES.get(answer.play, "so it goes on")
        for at, move, _ in replayed_line(position, answer):
            yield f"  {at.game.name(at.to_move)}: {seen(at, move)}"
    if answer.scores is not None:
        yield f"  {_totals(position, answer.scores)}"
    yield f"{answer.engine}, {times(answer.nodes, 'node')}, {answer.seconds:.2f} s"
    for sentence in answer.confirmed:
        yield f"  {sentence}"


def limits_text(answer: Answer) -> Iterator[str]:
    """Yield the limits and guesses of a stopped search."""
    if answer.status is not Status.OPTIMAL:
        yield from _limits(answer)
    if answer.guess and answer.first:
        yield "the line is a guess: each turn is the best if the game ended after it"
    elif answer.guess:
        moves = "a first move that is" if len(answer.guess) == 1 else "first moves that are"
        yield f"{moves} a guess, nothing proved: the best if the game ended after it"


def _wide(answer: Answer) -> bool:
    """Tell whether the limits of an answer are too wide to be of use."""
    least, most = answer.least, answer.most
    return least is not None and most is not None and most - least >= _WIDE


def _limits(answer: Answer) -> Iterator[str]:
    """Yield the proved limits of an unproved value."""
    least, most, what = answer.least, answer.most, _WHAT[answer.goal]
    if answer.goal is Goal.WIN:
        if answer.value is None and least is not None:
            yield "proved: it does not lose"
        if most is not None:
            yield "proved: it does not win"
    elif _wide(answer):
        if answer.value is not None:
            yield "no useful upper limit is known"
    elif answer.value is not None:
        yield (
            f"at most {in_words(most)} (proved)" if most is not None else "no upper limit is known"
        )
    elif least is None or most is None:
        yield f"no limits of its {what} are known"
    else:
        yield f"its {what} is between {in_words(least)} and {in_words(most)} (proved)"


def _claim(name: str, answer: Answer, *, early: bool) -> str:
    """Return the statement about a player.

    Args:
        name: the player's name.
        answer: an answer with a value.
        early: whether the value is that of a moment before the end of the game.

    """
    assert answer.value is not None
    proved = "(proved)" if answer.status is Status.OPTIMAL else "at least (not proved to be all)"
    if answer.play is Play.EACH:
        proved = f"{proved} if each plays best for himself"
    if answer.odds is not None:
        if answer.value.denominator == 1 and answer.order is TileOrder.GIVEN:
            ends = {1: "wins", 0: "draws", -1: "loses"}
            return f"{name} {ends[int(answer.value)]} {proved}"
        odds = answer.odds
        return (
            f"{name} wins with probability {in_words(odds.win)}, draws with {in_words(odds.draw)},"
            f" loses with {in_words(odds.loss)} {proved}"
        )
    certain = answer.status is Status.OPTIMAL
    if certain and answer.goal is Goal.LEAD and answer.play is Play.AGAINST:
        return f"With best play {_lead(name, answer, early=early)} {proved}"
    what = "point" if answer.value == 1 else "points"
    value = f"{in_words(answer.value)} {what}{'' if answer.goal is Goal.POINTS else ' of lead'}"
    if answer.order is TileOrder.CHANCE:
        return f"{name} can expect {value} {proved}"
    if answer.play is Play.EACH:
        return f"{name} comes to {value} {proved}"
    if answer.play is Play.AGAINST:
        return f"{name} can force {value} {proved}"
    alone = ", all turns being its own" if answer.play is Play.SOLITAIRE else ""
    return f"{name} can reach {value}{alone}{_HOW[answer.order]} {proved}"


def _lead(name: str, answer: Answer, *, early: bool) -> str:
    """Return the proved lead of a player in words: expected, at the end, or before it."""
    assert answer.value is not None
    size = abs(answer.value)
    points = "point" if size == 1 else "points"
    if answer.order is TileOrder.CHANCE:
        return f"{name}'s expected lead is {in_words(answer.value)} {points}"
    if size == 0:
        return f"{name} is level" if early else f"{name} draws"
    if early:
        side = "ahead" if answer.value > 0 else "behind"
        return f"{name} is {side} by {in_words(size)} {points}"
    return f"{name} {'wins' if answer.value > 0 else 'loses'} by {in_words(size)} {points}"


def _first_moves(position: Position, answer: Answer) -> Iterator[str]:
    """Yield the first moves with their values, those of each draw together."""
    whole = "" if answer.complete else " (there may be more)"
    yield f"by {times(len(answer.first), 'first move')}{whole}"
    for one in _sorted(position, answer):
        yield f"  {in_words(one.value):>8s}  {seen(position, one.move)}"


def _sorted(position: Position, answer: Answer) -> list[RootMove]:
    """Return first moves by draw, the mover's best first."""
    helps = answer.play is not Play.AGAINST or position.to_move == answer.asker

    def place(one: RootMove) -> tuple[tuple[str, ...], str, Fraction]:
        worth = -one.value if helps else one.value
        return one.move.discards, one.move.tile or "", worth

    return sorted(answer.first, key=place)


def _totals(position: Position, scores: Sequence[int]) -> str:
    """Return scores by player in words."""
    pairs = zip(position.game.players, scores, strict=True)
    return ", ".join(f"{player.capitalize()} {score}" for player, score in pairs)


def replayed_line(position: Position, answer: Answer) -> Iterator[tuple[Position, Move, Played]]:
    """Yield every turn of the line of an answer with the position before and after it."""
    for move in answer.line:
        if answer.play is Play.SOLITAIRE:
            position = replace(position, to_move=answer.asker)
        played = play(position, move)
        yield position, move, played
        position = played.position
