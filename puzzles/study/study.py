"""A puzzle's answer, played out: what its turns join, score and bring, and what was refuted.

Themes and explanations are read off this and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import undecided
from burgrave.model.components import Follower
from burgrave.model.engine import play
from burgrave.model.features import Feature, Features, position_features
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.laying import lay
from burgrave.model.notation import read_move
from burgrave.model.placement import Placement
from burgrave.model.position import Move, Position
from burgrave.model.results import Final
from burgrave.model.rule import Event
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.solver.problem import Goal


@dataclass(frozen=True, kw_only=True)
class Step:
    """A turn with its effects."""

    before: Position
    move: Move
    after: Position
    events: tuple[Event, ...]

    @classmethod
    def of(cls, position: Position, move: Move) -> Step:
        """Play a legal move.

        Raises:
            IllegalMoveError: the move breaks a rule.

        """
        played = play(position, move)
        return cls(before=position, move=move, after=played.position, events=played.events)

    @property
    def mover(self) -> int:
        """The player whose turn it is."""
        return self.before.to_move

    @cached_property
    def features(self) -> Features:
        """The features before the turn."""
        return position_features(self.before)

    @cached_property
    def placement(self) -> Placement | None:
        """The tile on its cell; None if none was laid."""
        if self.move.tile is None:
            return None
        tile = self.move.laid(self.before.game.tile_set.kind(self.move.tile))
        return lay(self.before, tile, self.features, self.move.discards)

    @cached_property
    def touched(self) -> tuple[Feature, ...]:
        """The features of the tile laid, with the follower placed on it."""
        if self.placement is None:
            return ()
        cell = self.placement.tile.cell
        new = [deployment.by(self.mover) for deployment in self.move.followers]
        return tuple(
            replace(feature, followers=(*feature.followers, *standing_on(feature, new)))
            for feature in self.placement.after
            if cell in feature.cells
        )

    def parts(self, feature: Feature) -> tuple[Feature, ...]:
        """Return the features of before of which a feature is made."""
        nodes = frozenset(feature.nodes)
        return tuple(part for part in self.features if part.nodes[0] in nodes)

    def gain(self, player: int) -> int:
        """Return the points that a player wins in the turn."""
        return self.after.players[player].score - self.before.players[player].score

    def scored(self) -> Iterator[tuple[Feature, Event]]:
        """Yield the completed features that bring points, with the event of each scorer."""
        if self.placement is None:
            return
        done = {feature.anchor: feature for feature in self.placement.completed}
        for event in self.events:
            if event.points > 0 and event.anchor in done:
                yield done[event.anchor], event

    def takes(self, player: int) -> int:
        """Return the number of wall tiles that a player takes in the turn."""
        both = (self.before.players[player], self.after.players[player])
        had, has = (len(s.wall_tiles) + len(s.fresh_wall_tiles) for s in both)
        used = 0
        if player == self.mover:
            used = self.move.extra_turns + sum(len(s.wall_tiles) for s in self.move.scoring)
        return has - had + used


def standing_on(feature: Feature, followers: Sequence[Follower]) -> Iterator[Follower]:
    """Yield the followers that stand on a feature."""
    nodes = frozenset(feature.nodes)
    return (follower for follower in followers if follower.node in nodes)


def leader(game: Game, feature: Feature) -> int | None:
    """Return the player who alone has the majority on a feature, if there is one."""
    book, men = book_of(game), feature.followers
    counts = {man.player: book.strength(game, men, man.player) for man in men}
    best = max(counts.values(), default=0)
    first = [player for player, count in counts.items() if count == best]
    return first[0] if len(first) == 1 else None


def as_it_is(position: Position) -> Position:
    """Return a position unchanged."""
    return position


@dataclass(frozen=True, kw_only=True)
class Other:
    """A first move that is worse, with its value."""

    step: Step
    value: Fraction
    line: tuple[str, ...] = ()
    """Best play from the move on, in notation; empty where no line is stored."""
    met: Callable[[Position], Position] = as_it_is
    """Returns a position as the next turn meets it."""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The move, and best play after it as far as it is stored."""
        return (self.step, *_played(self.met(self.step.after), self.line[1:], self.met))


@dataclass(frozen=True, kw_only=True)
class Study:
    """A position with its proved answer."""

    position: Position
    steps: tuple[Step, ...]
    """Best play, the key first; to the end of the game where the question looks so far."""
    value: Fraction
    others: tuple[Other, ...]
    """Refuted first moves."""
    to_the_end: bool = True
    """Whether the question counts final scoring."""
    values: str = "lead"
    """What values are: a ``lead``, its ``mean``, ``points``, or the ``result``, 1 for a win."""
    opposed: bool = True
    """Whether the other player plays for himself."""
    served: int | None = None
    """Whose value it is; None for the player to move."""

    @property
    def asker(self) -> int:
        """The player to move."""
        return self.position.to_move

    @property
    def forcing(self) -> bool:
        """Whether the player to move forces points on his opponent."""
        return self.opposed and self.served not in {None, self.asker}

    @property
    def rival(self) -> int:
        """The player after him."""
        return (self.asker + 1) % len(self.position.players)

    @property
    def key(self) -> Step:
        """The best first move."""
        return self.steps[0]

    @property
    def end(self) -> Position:
        """The position after the last turn that is shown."""
        return self.steps[-1].after

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.position.game

    @cached_property
    def final(self) -> Final | None:
        """Final scoring, if the line ends the game, the question counts it, and it is decided."""
        told = self.to_the_end and self.end.over and not undecided(self.end)
        return final_scoring(self.end) if told else None

    @cached_property
    def end_features(self) -> Features:
        """The features at the end of the line."""
        return position_features(self.end)

    def tried(self, other: Other) -> Study:
        """Return a refuted move with the play after it, as if it were the solution."""
        return replace(self, steps=other.steps, value=other.value, others=())

    def turns_of(self, player: int) -> Iterator[Step]:
        """Yield the turns of a player."""
        return (step for step in self.steps if step.mover == player)

    def won(self, rule: str, player: int) -> Iterator[Event]:
        """Yield the events of final scoring that bring a player points by a rule or family."""
        for event in self.final.events if self.final is not None else ():
            named = any(f"{one}.".startswith(f"{rule}.") for one in event.rules)
            if named and event.player == player and event.points > 0:
                yield event


def study(puzzle: Puzzle) -> Study | None:
    """Play out the stored answer of a puzzle; None if it is not answered by a move.

    Raises:
        IllegalMoveError: a stored move breaks a rule.

    """
    answer = puzzle.answer
    if not answer.moves or answer.value is None:
        return None
    return Study(
        position=puzzle.position,
        steps=tuple(_played(puzzle.position, answer.line or answer.moves[:1], puzzle.question.met)),
        value=Fraction(answer.value),
        others=tuple(
            Other(
                step=Step.of(puzzle.position, read_move(puzzle.position, one.move)),
                value=Fraction(one.value),
                line=one.line,
                met=puzzle.question.met,
            )
            for one in puzzle.refutations
        ),
        to_the_end=puzzle.question.name != "best",
        values=_values(puzzle),
        opposed=puzzle.question.name not in {"max", "help", "series"},
        served=puzzle.question.whose(puzzle.position),
    )


def _values(puzzle: Puzzle) -> str:
    """Return what the values of a puzzle are."""
    other = {"win": "result", "expect": "mean"}.get(puzzle.question.name)
    if other is not None:
        return other
    points = getattr(puzzle.question, "goal", Goal.LEAD) is Goal.POINTS
    return "points" if points or puzzle.question.name == "inflict" else "lead"


def _played(
    position: Position, line: Sequence[str], met: Callable[[Position], Position] = as_it_is
) -> Iterator[Step]:
    """Yield the turns of a line, played from a position on.

    Args:
        position: the position.
        line: the moves in notation.
        met: returns a position as the next turn meets it.

    """
    for text in line:
        step = Step.of(position, read_move(position, text))
        yield step
        position = met(step.after)
