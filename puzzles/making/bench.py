"""The composer's bench: examine a puzzle that a person composes.

The examination tells whether the key is alone, which pieces could go, and how the tries fail. A
sound puzzle comes back finished, with its words, its measures and the engines that proved it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.notation import read_move, write_move, write_standing
from burgrave.model.position import PlayerState, Position
from burgrave.puzzles.candidates.guess import tempting
from burgrave.puzzles.judging.quality import economy
from burgrave.puzzles.judging.solving import TWO, certified, certify
from burgrave.puzzles.judging.stated_facts import described
from burgrave.puzzles.making.generator import with_lines
from burgrave.puzzles.questions import (
    Question,
    plain,
)
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.study.puzzle import Certification, Puzzle, Refutation
from burgrave.puzzles.study.study import study
from burgrave.puzzles.themes import themes_in
from burgrave.puzzles.words import explanations
from burgrave.solver.engines import make
from burgrave.solver.limits import NO_LIMIT, Clock, Limits
from burgrave.solver.result import Status

EXAMINED = ("best", "force", "inflict", "win", "expect", "max", "help", "series")
"""The questions that the bench examines: those that a move answers."""
CONFIRMING = Limits(nodes=60_000)
"""Turns of each engine that confirms an answer, unless the composer allows more."""

Tell = Callable[[str], None]
"""Hears in words what is examined now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece that could go."""

    kind: str
    """``tile``, ``follower``, ``tower``, ``wall tile``, ``hand``, ``keep``, ``tokens``,
    ``prisoners`` or ``history``."""
    text: str
    """The piece in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What is known of a puzzle so far. An examination yields one after each of its stages."""

    puzzle: Puzzle
    """The puzzle: its answer with every best move; then its tries, words and measures too."""
    proved: bool = False
    """Whether the value is proved."""
    told: bool = False
    """Whether every best move and the tries are known."""
    idle: tuple[Piece, ...] | None = None
    """Pieces that could go, each by itself; None if they were not looked for."""
    branching: str = ""
    """For a whole line: its turn after which several moves are equally good."""
    engines: tuple[str, ...] | None = None
    """The engines that proved the answer; None if no second one was asked."""
    differing: str = ""
    """The engine that came to another answer, if one did."""
    claim: Answer | None = None
    """The answer that the composer's file states; None if it states none."""

    @property
    def cooks(self) -> tuple[str, ...]:
        """The best moves beside the key: the one that the file names, or else the first."""
        return tuple(move for move in self.puzzle.answer.moves if move != self.key)

    @property
    def key(self) -> str:
        """The solution that is meant; empty if the search found no move."""
        moves = self.puzzle.answer.moves
        meant = self.claim.moves if self.claim is not None else ()
        return next((move for move in moves if move in meant), moves[0] if moves else "")

    @property
    def faults(self) -> tuple[str, ...]:
        """The reasons why the puzzle is unsound, as far as they are known."""
        found: list[str] = []
        if self.told:
            found += self._against_the_claim()
            if self.branching:
                found.append(f"after {self.branching} several moves are equally good")
            if self.cooks:
                moves = "move is" if len(self.cooks) == 1 else "moves are"
                found.append(f"{len(self.cooks)} other {moves} as good as {self.key}")
            elif not self.puzzle.refutations:
                found.append("there is no other move")
        if self.differing:
            found.append(f"the engine {self.differing} comes to another answer")
        return tuple(found)

    def _against_the_claim(self) -> Iterator[str]:
        """Yield the differences between the answer of the file and the one found."""
        if self.claim is None:
            return
        answer = self.puzzle.answer
        if self.claim.value != answer.value:
            yield f"the file gives the value {self.claim.value}; it is {answer.value}"
        for move in self.claim.moves:
            if move not in answer.moves:
                yield f"the file names {move} as best; it is not"

    @property
    def makes(self) -> tuple[str, ...]:
        """What the proving engines compute with, each once."""
        return tuple(dict.fromkeys(map(make, self.engines or ())))

    @property
    def certified(self) -> bool:
        """Whether two engines have proved the answer."""
        return len(self.engines or ()) >= TWO and not self.differing

    @property
    def sound(self) -> bool:
        """Whether the key is alone and two engines have proved it."""
        return self.told and self.certified and not self.faults


def examined(
    position: Position,
    question: Question,
    claim: Answer | None = None,
    *,
    clock: Clock | None = None,
    tell: Tell,
) -> Iterator[Bench]:
    """Examine a puzzle, and yield what is known after each stage.

    The stages are the value, the best moves with the tries, the pieces that could go, the measures,
    and the second engine. After cooks are found, without a proof, or at the end of the time,
    nothing further is examined.

    Args:
        position: the position.
        question: one that a move answers.
        claim: the answer that the composer states.
        clock: the time of the whole, and the effort of each engine that proves the answer; None for
            no limit. Engines that confirm it have ``CONFIRMING`` where nothing is said.
        tell: hears what is examined now.

    Raises:
        QuestionError: the question is of another kind, or the position does not allow it.

    """
    if question.name not in EXAMINED:
        raise QuestionError(
            f"the question '{question.name}' is not answered by a move; the bench examines"
            f" {', '.join(EXAMINED)}"
        )
    if not position.order:
        raise QuestionError("the next tile is unknown: a puzzle names it first under 'order'")
    clock = NO_LIMIT.start() if clock is None else clock
    tell("the key")
    reply = question.reply(position, budget=clock.remaining())
    value = reply.facts["value"]
    answer = Answer(value=value, moves=tuple(reply.facts["moves"]), line=reply.line)
    bench = Bench(
        puzzle=Puzzle(
            id="puzzle",
            title="",
            position=position,
            question=question,
            answer=answer,
            explanation="",
        ),
        proved=reply.facts["status"] == str(Status.OPTIMAL) and bool(answer.moves),
        branching="" if reply.facts.get("turns", answer.moves) else " ".join(reply.line[-1:]),
        claim=claim,
    )
    yield bench
    values = _values(bench.puzzle, clock, tell) if bench.proved else {}
    if not values:
        return
    bench = replace(bench, puzzle=_with_tries(bench.puzzle, values), told=True)
    yield bench
    played = study(bench.puzzle)
    if bench.faults or played is None:
        return
    tell("the pieces that could go")
    idle = list[Piece]()
    for number, less in enumerate(economy(bench.puzzle), start=1):
        if less is not None:
            idle.append(removed(position, less))
        tell(f"the pieces that could go: {number} tried, {len(idle)} found")
        if clock.out:
            return
    bench = replace(bench, idle=tuple(idle))
    yield bench
    tell("quality")
    finished = described(bench.puzzle, played, len(idle))
    bench = replace(bench, puzzle=replace(finished, explanation=explanations.told(finished)))
    yield bench
    tell("a second engine")
    yield _confirmed(bench, clock, tell)


def _with_tries(puzzle: Puzzle, values: Mapping[str, Fraction]) -> Puzzle:
    """Return a puzzle with every best move, the strongest wrong moves and the themes."""
    position, question = puzzle.position, puzzle.question
    best = Fraction(puzzle.answer.value or 0)
    moves = tuple(sorted(move for move, worth in values.items() if worth == best))
    first = puzzle.answer.line[:1] or moves[:1]
    wrong = {read_move(position, move): worth for move, worth in values.items() if worth != best}
    key, asker = read_move(position, first[0]), question.forces
    tries = tempting(position, key, wrong, asker) if wrong else {}
    made = replace(
        puzzle,
        answer=replace(
            puzzle.answer,
            moves=moves,
        ),
        refutations=tuple(
            Refutation(move=write_move(position, move), value=plain(worth) or 0)
            for move, worth in tries.items()
        ),
    )
    made = with_lines(made)
    shown = study(made)
    return made if shown is None else replace(made, themes=themes_in(shown))


def _values(puzzle: Puzzle, clock: Clock, tell: Tell) -> Mapping[str, Fraction]:
    """Return the value of every first move; none if the limits were too narrow."""
    position, question = puzzle.position, puzzle.question
    if not question.one_by_one:
        tell("the tries")
        values = question.values(position, clock.remaining())
        if values or clock.limits != NO_LIMIT:
            return values
    # Each move is a question of its own, which may take long.
    found = dict[str, Fraction]()
    moves = [write_move(position, move) for move in legal_moves(position)]
    for number, move in enumerate(moves, start=1):
        tell(f"the tries: move {number} of {len(moves)}")
        if clock.out:
            return {}
        worth = question.worth(position, move)
        if worth is not None:
            found[move] = worth
    return found


def _confirmed(bench: Bench, clock: Clock, tell: Tell) -> Bench:
    """Return what is known after a second engine, of different make if one comes to a proof."""
    limits = CONFIRMING if clock.limits == NO_LIMIT else clock.remaining()
    verdicts = certify(bench.puzzle, limits, described=True, apart=True)
    if len(verdicts) < TWO:
        tell("a second engine of the same make")
        verdicts = certify(bench.puzzle, limits, described=True)
    engines = tuple(verdict.engine for verdict in verdicts)
    wrong = next((verdict.engine for verdict in verdicts if not verdict.passed), "")
    stamp = Certification(engines=engines) if certified(verdicts) else None
    return replace(
        bench,
        puzzle=replace(bench.puzzle, certification=stamp),
        engines=engines,
        differing=wrong,
    )


def removed(before: Position, after: Position) -> Piece:
    """Return the piece that one position has more than another, in words."""
    game = before.game
    if gone := set(before.tiles) - set(after.tiles):
        (tile,) = gone
        return Piece(kind="tile", text=f"tile {tile.kind.id} on {tile.cell}")
    if left := [one for one in before.followers if one not in after.followers]:
        board = {tile.cell: tile for tile in before.tiles}
        standing = write_standing(game, board, left[0])
        return Piece(kind="follower", text=f"{standing} on {left[0].node.cell}")
    if built := {*before.part(Towers).built} - {*after.part(Towers).built}:
        (tower,) = built
        return Piece(kind="tower", text=f"the tower on {tower.cell}")
    if walls := [entry for entry in before.towers if entry not in after.towers]:
        corner, number = walls[0]
        return Piece(kind="wall tile", text=f"wall tile {number or '?'} on corner tower {corner}")
    pairs = zip(before.players, after.players, strict=True)
    for player, (had, has) in enumerate(pairs):
        if had != has:
            return _lost(game.name(player), had, has)
    return Piece(kind="history", text="the list of tiles that are out of the game")


def _lost(name: str, had: PlayerState, has: PlayerState) -> Piece:
    """Return what a player has no more."""
    hand = Counter((*had.wall_tiles, *had.fresh_wall_tiles))
    hand.subtract((*has.wall_tiles, *has.fresh_wall_tiles))
    if gone := [*hand.elements()]:
        return Piece(kind="hand", text=f"{name}'s wall tile {gone[0] or '?'}")
    if had.keep != has.keep:
        return Piece(kind="keep", text=f"{name}'s keep")
    if had.part(FalconHoldings) != has.part(FalconHoldings):
        return Piece(kind="tokens", text=f"{name}'s aerie tokens")
    return Piece(kind="prisoners", text=f"{name}'s prisoners")
