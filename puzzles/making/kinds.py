"""Puzzles of the kinds that composers know: helped, series, self-inflicted, a tile added, the past.

A candidate depends on its own seed alone. Local search looks for one solution on a small board, and
then everything goes that the solution does not need. Two engines prove each puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random

from burgrave.model.book import book_of
from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.naming import quoted, suggestion
from burgrave.model.notation import read_move, write_move
from burgrave.model.places import places
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.model.words import read_cell
from burgrave.puzzles.candidates import adding
from burgrave.puzzles.candidates.changes import SUPPLY, changed
from burgrave.puzzles.candidates.composing import TURNS, start
from burgrave.puzzles.candidates.guess import tempting
from burgrave.puzzles.judging.quality import level
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.judging.stated_facts import ENOUGH, described
from burgrave.puzzles.making.generator import HARD, with_lines
from burgrave.puzzles.making.wishes import PuzzleWish
from burgrave.puzzles.questions import Force, Help, History, Inflict, Last, Question, Series, plain
from burgrave.puzzles.questions.past import MOST_TURNS
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.fooled import AHEAD, at_a_glance, short
from burgrave.puzzles.study.puzzle import Certification, Origin, Puzzle, Refutation
from burgrave.puzzles.study.simplify import simplified
from burgrave.puzzles.study.study import study
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.last_tile import excluded
from burgrave.puzzles.words.other_answers import ruled
from burgrave.puzzles.words.titles import title
from burgrave.solver.limits import Limits
from burgrave.solver.problem import TWO
from burgrave.solver.result import Status

KINDS = ("help", "series", "inflict", "add", "history", "last")
"""The questions of these kinds."""
SEARCHED = Limits(nodes=60_000)
"""Turns of each search: a position with more to think about is passed over."""
LINES = ("help", "series", "inflict")
"""Those that turns to come answer."""
EACH = "force"
"""The question in which more than two players each play for himself."""
LOOKED_BACK = Limits(nodes=5_000)
"""Turns of each look into the past."""
STEPS, PRESSED = 60, 700
"""Changes tried from one start; the same where points are forced, which is rare."""
CLAIMS = 0.6
"""Probability that a turn of the past prefers a follower or a tower piece."""
SHORTEST = 3
"""Fewest turns of the past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWish(PuzzleWish):
    """The kind of puzzles to make."""

    question: str
    """One of ``KINDS``; for more than two players, who each play for himself, ``force`` too."""
    turns: int | None = None
    """Turns of self-play from which a composition starts; None for a few, by lot."""

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.game.players)

    def check(self) -> None:
        """Refuse a request that no puzzle can satisfy.

        Raises:
            QuestionError: no such question, more tiles than the game has, a past that is too long,
                or a difficulty that so few turns cannot have.

        """
        several = (EACH,) if self.players > TWO else ()
        if self.question not in {*KINDS, *several}:
            raise QuestionError(
                f"no kind of puzzle {quoted(self.question)}.{suggestion(self.question, KINDS)}"
            )
        self.check_tiles(self.turns or 0)
        past = self.question in {"history", "last"}
        if past and not SHORTEST <= self.tiles_left <= MOST_TURNS:
            raise QuestionError(f"a past has {SHORTEST} to {MOST_TURNS} turns: --tiles-left")
        if self.question in LINES and self.players == TWO:
            self._check_line()

    def _check_line(self) -> None:
        """Refuse a line that is too short for the difficulty.

        Raises:
            QuestionError: it is so.

        """
        if self.tiles_left < AHEAD:
            raise QuestionError(f"a line has {AHEAD} turns or more: --tiles-left")
        # Who counts as if the game ended now is fooled, and who sees two turns solves two.
        hardest = HARD if self.tiles_left == AHEAD else HARDEST
        if self.hardest < HARD or self.easiest > hardest:
            raise QuestionError(
                f"puzzles of --question {self.question} with {self.tiles_left} tiles to come have"
                f" difficulty {HARD}{f' to {hardest}' if hardest > HARD else ''}: --difficulty"
            )

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the puzzle of a number."""
        options = [f"--question {self.question} --tiles-left {self.tiles_left}"]
        if self.turns is not None:
            options.append(f"--turns {self.turns}")
        if self.players != TWO:
            options.append(f"--players {self.players}")
        return self.record("any", index, *options)

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle of a number, if there is one."""
        rng = Random(f"{self.game.id} {self.question} {self.seed} {index}")  # noqa: S311 -- to be repeated
        made = _MADE[self.question](self, rng)
        if made is None:
            return None
        made = replace(made, provenance=f"Composed by local search, seed {self.seed}, {index}.")
        return self._proved(made, index, rng)

    def _proved(self, made: Puzzle, index: int, rng: Random) -> Puzzle | None:
        """Return a puzzle with its words and its proof, if it is as hard as wished."""
        played = study(made)
        if played is None:
            words = explanations.told(made)
            made = replace(made, difficulty=level(None, made), explanation=words, rules=ruled(made))
        else:
            made = described(made, played)
        if made.difficulty is None or not self.easiest <= made.difficulty <= self.hardest:
            return None
        if not made.rules or (made.measures is not None and made.measures.idle):
            return None
        limit = LOOKED_BACK if self.question in {"history", "last"} else SEARCHED
        proved = certify(made, limit, ENOUGH, described=True, apart=True)
        if not certified(proved):
            return None
        return replace(
            made,
            id=f"{self.question}-{self.seed}-{index}",
            title=title(made, rng),
            origin=self.origin(index),
            certification=Certification(engines=tuple(verdict.engine for verdict in proved)),
        )


def _by_moves(wish: KindWish, rng: Random) -> Puzzle | None:
    """Return a puzzle that a whole line answers."""
    at = _begun(wish, wish.tiles_left, rng)
    if at is None or len(at.order) < wish.tiles_left:
        return None
    for player in range(wish.players):
        idle = {"help": player != at.to_move, "inflict": player == at.to_move}
        idle[EACH] = player != at.to_move and rng.random() < RESTED
        at = _without_men(at, player) if idle.get(wish.question) else at
    question = _asked(wish.question, at)
    steps = PRESSED if wish.question == "inflict" else STEPS
    position = _climbed(at, rng, lambda other: _worth(question, other), steps)
    if _worth(question, position) < SOLE:
        return None
    known = question.reply(position, budget=SEARCHED)
    line = known.line

    def keeps(less: Position) -> bool:
        found = question.reply(less, budget=SEARCHED)
        # Against an opponent the line is one of several: the key alone is unique.
        opposed = wish.question in {"inflict", EACH}
        same = found.line == line or (opposed and found.line[:1] == line[:1])
        return same and _worth(question, less) >= SOLE

    small = simplified(position, keeps)
    shown = small.part(Towers).built or _towerless(small) or any("^" in move for move in line)
    return _posed(small, question) if shown else None


def _begun(wish: KindWish, tiles: int, rng: Random) -> Position | None:
    """Return a small board to compose on; None if it is no position to solve."""
    if wish.players == TWO:
        return start(wish.game, tiles, wish.turns, rng)
    walked = _walked(wish.game, rng.randint(*TURNS) if wish.turns is None else wish.turns, rng)
    if walked is None:
        return None
    at = walked[0]
    players = tuple(replace(one, supply=rng.randint(1, SUPPLY)) for one in at.players)
    return replace(at, order=at.order[:tiles], players=players)


def _walked(game: Game, turns: int, rng: Random) -> tuple[Position, bool] | None:
    """Return the position after some turns by chance, and whether somebody scored or was captured.

    None if a tile has no place.
    """
    at, scored = new_position(game, rng), False
    for _ in range(turns):
        moves = [move for move in legal_moves(at) if move.tile is not None]
        if not moves:
            return None
        acting = [move for move in moves if move.captures]
        acting = acting or [move for move in moves if move.followers or move.pieces]
        played = play(at, rng.choice(acting if acting and rng.random() < CLAIMS else moves))
        scored = scored or any(event.points for event in played.events)
        at = played.position
    return at, scored or any(one.part(TowerHoldings).prisoners for one in at.players)


def _towerless(position: Position) -> bool:
    """Tell whether a game has no towers; a puzzle of The Tower shows one."""
    return not book_of(position.game).actions


def _without_men(position: Position, player: int) -> Position:
    """Return a position in which a player may place nobody: fewer of his moves are as good."""
    players = list(position.players)
    players[player] = replace(players[player], supply=0)
    return replace(position, players=tuple(players))


RESTED = 0.7
"""Probability that another player has no follower where each plays for himself."""
FORCED = 9
"""Points that the opponent's own turns bring him; more add no worth."""
SOLE = 1_000
"""The worth of a position with one solution that a short-sighted player does not find."""


def _worth(question: Question, position: Position) -> int:
    """Return the value of a position that the climb raises."""
    if position.to_move != getattr(question, "asker", position.to_move):
        return -1
    try:
        found = question.reply(position, budget=SEARCHED)
    except QuestionError:
        return -1
    if found.facts["status"] != str(Status.OPTIMAL):
        return -1
    moves = found.facts["moves"]
    sole = len(moves) == 1 and found.facts.get("turns", moves) != []
    if len(moves) > 1 or not sole:
        return len(found.line) * 100 - min(len(moves), 99)
    key = read_move(position, moves[0])
    # The players of limited foresight are of games of two.
    points, now = _at_a_glance(position, question)
    natural = key in points | now
    if question.forces is not None:
        won = min(suffered(question, position, found.line), FORCED)
        if won and not natural:
            return SOLE
        after = play(position, key).position
        room = len({laid.cell for tile in after.order[:1] for laid in places(after, tile)})
        # The fewer places the opponent has, the nearer he is to a turn that he does not want.
        near = 90 // room if room else 0
        fooled = 100 - 100 // (1 + len((points | now) - {key})) if natural else 200
        return 500 + 20 * won + near + fooled // 2
    return 500 if natural else SOLE


def _at_a_glance(position: Position, question: Question) -> tuple[set[Move], set[Move]]:
    """Return the moves with most points at once, and those that look best if the game ended then.

    Of more than two players the players of limited foresight know nothing.
    """
    if len(position.players) == TWO:
        return at_a_glance(position, question)
    if not question.fought:
        return set(), set()
    values = question.values(short(position, 1), SEARCHED)
    most = max(values.values(), default=None)
    return set(), {read_move(position, move) for move, value in values.items() if value == most}


def suffered(question: Question, position: Position, line: Sequence[str]) -> int:
    """Return the points that the opponent's own turns bring him, which is the point of the kind.

    They are points at once, or those that the game would bring him more if it ended.
    """
    other, at, points = question.whose(position), position, 0
    for text in line:
        after = play(at, read_move(at, text)).position
        if at.to_move == other:
            before, now = (
                final_scoring(replace(one, order=(), bag=())).scores[other] for one in (at, after)
            )
            points += max(now - before, after.players[other].score - at.players[other].score)
        at = after
    return points


def _climbed(
    position: Position, rng: Random, worth: Callable[[Position], int], steps: int
) -> Position:
    """Return the best position that small changes lead to."""
    best, tiles = worth(position), len(position.order)
    for _ in range(steps):
        if best >= SOLE:
            break
        other = changed(position, rng)
        if other == position or len(other.order) != tiles or problems(other):
            continue
        found = worth(other)
        if found >= best:
            best, position = found, other
    return position


def _asked(name: str, position: Position) -> Question:
    """Return the question of a position."""
    if name == EACH:
        return Force()
    kinds: dict[str, type[Help | Series | Inflict]]
    kinds = {"help": Help, "series": Series, "inflict": Inflict}
    return kinds[name](asker=position.to_move)


def _posed(position: Position, question: Question) -> Puzzle | None:
    """Return a puzzle with its answer and its strongest tries, without words."""
    reply, values = question.reply(position), question.values(position)
    best = Fraction(reply.facts["value"])
    wrong = {read_move(position, move): worth for move, worth in values.items() if worth != best}
    if not wrong:
        return None
    tries = tempting(position, read_move(position, reply.line[0]), wrong, question.forces)
    made = Puzzle(
        id="puzzle",
        title="",
        position=position,
        question=question,
        answer=Answer(value=plain(best), moves=tuple(reply.facts["moves"]), line=tuple(reply.line)),
        refutations=tuple(
            Refutation(move=write_move(position, move), value=plain(worth) or 0)
            for move, worth in tries.items()
        ),
        explanation="",
    )
    return with_lines(made)


def _adding(wish: KindWish, rng: Random) -> Puzzle | None:
    """Return a puzzle about a tile to add."""
    return adding.composed(partial(_begun, wish, 1, rng), rng)


def _past(wish: KindWish, rng: Random) -> Puzzle | None:
    """Return a puzzle about the past of a game of a few turns."""
    walked = _walked(wish.game, wish.tiles_left, rng)
    if walked is None:
        return None
    at, scored = walked
    position = replace(at, order=(), bag=())
    if (
        not scored
        or problems(position)
        or not (position.part(Towers).built or _towerless(position))
    ):
        return None
    line = tuple(History().reply(position, budget=LOOKED_BACK).facts["turns"])
    question: Question = History()
    cell = ""
    if wish.question == "last":
        line, question = (), Last()
        cell = str(question.reply(position, budget=LOOKED_BACK).facts["cell"])
    if not line and not (cell and _is_hard(position, read_cell(cell))):
        return None
    return Puzzle(
        id="puzzle",
        title="",
        position=position,
        question=question,
        answer=Answer(line=line, cell=cell),
        explanation="",
    )


def _is_hard(position: Position, last: Cell) -> bool:
    """Tell whether more than the neighbours and owners of single tiles shows which came last."""
    found = excluded(position, last)
    return bool(found.ordered or found.played)


_MADE: dict[str, Callable[[KindWish, Random], Puzzle | None]] = {
    "help": _by_moves,
    "series": _by_moves,
    "inflict": _by_moves,
    EACH: _by_moves,
    "add": _adding,
    "history": _past,
    "last": _past,
}
"""For each kind the function that makes a puzzle without words."""
