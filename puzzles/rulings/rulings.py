"""The reference engine's ruling on a move, and the difference of two rulings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import undecided
from burgrave.model.engine import judge, play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.model.results import Final, Played
from burgrave.model.rule import Finding, instead
from burgrave.model.rules.castle.scoring import ORDER
from burgrave.puzzles.rulings.without_a_rule import AnyRule, Otherwise, otherwise

NOT_LEGAL = "the move is not legal"


class Point(Enum):
    """The difference of two rulings."""

    LEGAL = auto()
    """Whether the move may be played."""
    SCORES = auto()
    """The points of its turn, by player."""
    FINAL = auto()
    """The result of the game that it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The ruling on a move."""

    position: Position
    move: Move
    violations: tuple[Finding, ...] = ()
    """Every rule that it breaks."""
    played: Played | None = None
    """The position after it, if it is legal and was played."""
    end: Final | None = None
    """The end of the game if it ends with the move."""

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    @property
    def breaks(self) -> tuple[str, ...]:
        """Ids of the rules that are broken, each once, sorted."""
        return tuple(sorted({finding.rule for finding in self.violations}))

    @property
    def points(self) -> tuple[str, ...]:
        """The points of the turn, in order, ``white 4``."""
        names = self.position.game.players
        events = () if self.played is None else self.played.events
        return tuple(
            f"{names[event.player]} {event.points}"
            for event in events
            if event.player is not None and event.points
        )

    @property
    def totals(self) -> tuple[int, ...]:
        """Scores after the turn."""
        return () if self.played is None else tuple(s.score for s in self.played.position.players)

    def told(self, point: Point, rule: str) -> str:
        """Return the ruling in words, as far as a point and a rule are concerned."""
        if not self.legal:
            by_it = [finding for finding in self.violations if finding.rule == rule]
            finding = (by_it or self.violations)[0]
            return f"{NOT_LEGAL}: {finding.message}"
        if point is Point.LEGAL:
            return "the move is legal"
        if point is Point.FINAL:
            return self._told_end()
        points = ", ".join(entry.capitalize() for entry in self.points)
        return f"the move brings {points}" if points else "the move brings nobody points"

    def _told_end(self) -> str:
        """Return the end of the game in words."""
        names = self.position.game.players
        totals = self.totals if self.end is None else self.end.scores
        text = ", ".join(f"{n.capitalize()} {s}" for n, s in zip(names, totals, strict=True))
        if self.end is None:
            return f"there is no final scoring: {text}"
        winner = "nobody" if self.end.winner is None else names[self.end.winner].capitalize()
        tokens = f", aerie tokens {' to '.join(map(str, self.end.tokens))}" * any(self.end.tokens)
        return f"the game ends {text}, and {winner} wins{tokens}"


def ruling(position: Position, move: Move) -> Ruling:
    """Judge a move, play it if it is legal, and score the end if the game ends with it."""
    try:
        played = play(position, move)
    except IllegalMoveError as error:
        return Ruling(position=position, move=move, violations=tuple(error.findings))
    over = book_of(position.game).ended(played.position) and not undecided(played.position)
    end = final_scoring(played.position) if over else None
    return Ruling(position=position, move=move, played=played, end=end)


def ruled_otherwise(here: Ruling, other: Otherwise) -> Ruling:
    """Return the ruling on a move in a game that differs.

    Args:
        here: the ruling as the game is. Moves that are illegal in it are not played, because no
            position follows.
        other: how the game differs.

    """
    position = replace(here.position, game=other.game)
    with instead(other.instead):
        if here.legal:
            return ruling(position, here.move)
        found = judge(position, here.move).violations
    return Ruling(position=position, move=here.move, violations=found)


def point(here: Ruling, there: Ruling, rule: str) -> Point | None:
    """Return the differences of two rulings on one move that a rule causes; None if in nothing.

    Args:
        here: the ruling with the rule.
        there: the ruling otherwise.
        rule: its id.

    """
    if here.legal is not there.legal:
        broken = {*here.breaks, *there.breaks}
        # If a rule changes the scored features, a move's order of scoring may no longer fit. That
        # is no lesson on the rule.
        return Point.LEGAL if rule in broken or ORDER.id not in broken else None
    if not here.legal:
        return None
    if here.totals != there.totals:
        return Point.SCORES
    return Point.FINAL if _end(here) != _end(there) else None


def _end(ruling: Ruling) -> object:
    """Return the relevant facts of the end of a game."""
    end = ruling.end
    return None if end is None else (end.scores, end.winner, end.tokens)


def explanation(rule: AnyRule, here: Ruling, shown: Point) -> str:
    """Return the verdicts on a move in words: with a rule, and where it is otherwise.

    A switch that changes nothing here is not told. Readings that come to the same verdict tell it
    once.

    Args:
        rule: the rule.
        here: the ruling with the rule.
        shown: the subject of the verdicts.

    """
    verdict = here.told(shown, rule.id)
    parts = [f"{rule.sentence.removesuffix('.')}. So here {verdict}."]
    read: dict[str, list[str]] = {}
    for other in otherwise(rule, here.position.game):
        told = ruled_otherwise(here, other).told(shown, rule.id)
        if here.legal and told.startswith(NOT_LEGAL):
            # The reading itself says why.
            told = NOT_LEGAL
        if told == verdict:
            continue
        if not other.reading:
            parts.append(f"{other.words} {told}.")
        elif told in read:
            read[told].append(f"It is the same where {other.reading}.")
        else:
            read[told] = [f"{other.words} {told}."]
    return " ".join([*parts, *(part for told in read.values() for part in told)])
