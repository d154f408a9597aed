"""Puzzles of the kinds that composers know: helped, series, a tile added, the past.

A candidate depends on its own seed alone. Local search looks for one solution on a small board, and
then everything goes that the solution does not need. Two engines prove each puzzle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from model.engine import legal_moves, play
from model.errors import QuestionError
from model.naming import quoted, suggestion
from model.notation import read_move, write_move
from model.places import places
from model.position import Position
from model.problems import problems
from puzzles import telling
from puzzles.candidates.changes import changed, unused
from puzzles.candidates.composing import start
from puzzles.candidates.guess import tempting
from puzzles.candidates.scenes import game_named, tiles_of
from puzzles.quality import level, measured
from puzzles.questions import Add, Aim, Help, History, Last, Question, Series, plain
from puzzles.questions.past import MOST_TURNS
from puzzles.selfplay.games import new_position
from puzzles.solving import TWO, certified, certify
from puzzles.study.fooled import at_a_glance
from puzzles.study.puzzle import HARDEST, Answer, Certification, Origin, Puzzle, Refutation
from puzzles.study.simplify import simplified
from puzzles.study.study import study
from puzzles.themes import themes_in
from puzzles.titles import title
from solver.limits import Limits
from solver.result import Status

KINDS = ("help", "series", "add", "history", "last")
"""The questions of these kinds."""
SEARCHED = Limits(nodes=60_000)
"""Turns of each search: a position with more to think about is passed over."""
LOOKED_BACK = Limits(nodes=5_000)
"""Turns of each look into the past."""
STEPS = 60
"""Changes tried from one start."""
BAGS = 12
"""Sets of tiles to choose from that are tried on one board."""
CHOICE = (2, 4)
"""Fewest and most kinds of tiles to choose from."""
CLAIMS = 0.6
"""Probability that a turn of the past prefers a follower."""
SHORTEST = 3
"""Fewest turns of the past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWish:
    """The kind of puzzles to make."""

    game: str
    question: str
    """One of ``KINDS``."""
    seed: int
    tiles_left: int = 2
    """Tiles to come; of the past, the turns that were played."""
    turns: int | None = None
    """Turns of self-play from which a composition starts; None for a few, by lot."""
    easiest: int = 1
    hardest: int = HARDEST
    version: str = ""
    """The version of the program, for the record."""

    def check(self) -> None:
        """Refuse a request that no puzzle can satisfy.

        Raises:
            QuestionError: no such question, more tiles than the game has, or a past that is too
                long or of The Tower.

        """
        if self.question not in KINDS:
            raise QuestionError(
                f"no question {quoted(self.question)}.{suggestion(self.question, KINDS)}"
            )
        tiles, wanted = tiles_of(self.game), (self.turns or 0) + self.tiles_left
        if wanted > tiles:
            raise QuestionError(f"{wanted} tiles are asked for; {self.game} has {tiles} to be laid")
        if self.question in {"history", "last"}:
            if game_named(self.game).id.endswith("tower"):
                raise QuestionError("the past of The Tower is not looked into")
            if not SHORTEST <= self.tiles_left <= MOST_TURNS:
                raise QuestionError(f"a past has {SHORTEST} to {MOST_TURNS} turns: --tiles-left")

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the puzzle of a number."""
        options = f"--game {self.game} --question {self.question} --tiles-left {self.tiles_left}"
        if self.turns is not None:
            options += f" --turns {self.turns}"
        options += f" --difficulty {self.easiest}-{self.hardest}"
        return Origin(
            theme="any", seed=self.seed, index=index, version=self.version, options=options
        )

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle of a number, if there is one."""
        rng = Random(f"{self.game} {self.question} {self.seed} {index}")  # noqa: S311 -- to be repeated
        made = _MADE[self.question](self, rng)
        if made is None:
            return None
        made = replace(made, provenance=f"Composed by local search, seed {self.seed}, {index}.")
        return self._proved(made, index, rng)

    def _proved(self, made: Puzzle, index: int, rng: Random) -> Puzzle | None:
        """Return a puzzle with its words and its proof, if it is as hard as wished."""
        measures = measured(made)
        made = replace(made, measures=measures)
        made = replace(made, difficulty=level(measures, made))
        if made.difficulty is None or not self.easiest <= made.difficulty <= self.hardest:
            return None
        words = telling.told(made)
        played = study(made)
        made = replace(
            made,
            explanation=words,
            themes=() if played is None else themes_in(played),
            rules=telling.cited(words) if played is None else telling.rules_of(played),
        )
        if not telling.cited(words):
            return None
        limit = LOOKED_BACK if self.question in {"history", "last"} else SEARCHED
        proved = certify(made, limit, TWO, described=True, apart=True)
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
    at = start(wish.game, wish.tiles_left, wish.turns, rng)
    if at is None or len(at.order) < wish.tiles_left:
        return None
    if wish.question == "help":
        at = _without_men(at, 1 - at.to_move)
    question = _asked(wish.question, at)
    position = _climbed(at, rng, lambda other: _worth(question, other))
    if _worth(question, position) < SOLE:
        return None
    line = question.reply(position, budget=SEARCHED).line

    def keeps(less: Position) -> bool:
        found = question.reply(less, budget=SEARCHED)
        return _worth(question, less) >= SOLE and found.line == line

    return _posed(simplified(position, keeps), question)


def _without_men(position: Position, player: int) -> Position:
    """Return a position in which a player may place nobody: fewer of his moves are as good."""
    players = list(position.players)
    players[player] = replace(players[player], supply=0)
    return replace(position, players=tuple(players))


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
    points, now = at_a_glance(position)
    return SOLE if key not in points | now else 500


def _climbed(position: Position, rng: Random, worth: Callable[[Position], int]) -> Position:
    """Return the best position that small changes lead to."""
    best, tiles = worth(position), len(position.order)
    for _ in range(STEPS):
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
    return (Help if name == "help" else Series)(asker=position.to_move)


def _posed(position: Position, question: Question) -> Puzzle | None:
    """Return a puzzle with its answer and its strongest tries, without words."""
    reply, values = question.reply(position), question.values(position)
    best = Fraction(reply.facts["value"])
    wrong = {read_move(position, move): worth for move, worth in values.items() if worth != best}
    if not wrong:
        return None
    tries = tempting(position, read_move(position, reply.line[0]), wrong)
    return Puzzle(
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


def _adding(wish: KindWish, rng: Random) -> Puzzle | None:
    """Return a puzzle about a tile to add."""
    at = start(wish.game, 1, wish.turns, rng)
    if at is None:
        return None
    aim, kinds = rng.choice(list(Aim)), unused(at)
    for _ in range(BAGS):
        bag = tuple(sorted({*rng.sample(kinds, rng.randint(*CHOICE))}))
        position = replace(at, order=(), bag=bag)
        question = Add(aim=aim, tile=rng.choice(kinds) if aim is Aim.BLOCKED else "")
        line = _only(question, position)
        if not line or len(bag) < CHOICE[0] or not still_asks(question, position):
            continue

        def keeps(less: Position, asked: Add = question, only: tuple[str, ...] = line) -> bool:
            return _only(asked, less) == only and still_asks(asked, less)

        small = simplified(position, keeps)
        return Puzzle(
            id="puzzle",
            title="",
            position=small,
            question=question,
            answer=Answer(line=line),
            explanation="",
        )
    return None


def still_asks(question: Question, position: Position) -> bool:
    """Tell whether a tile must be added, and the answer does not show at once."""
    if not isinstance(question, Add):
        return True
    if question.aim is Aim.BLOCKED:
        # The tile that fills the only cell of another is no surprise.
        return len({laid.cell for laid in places(position, question.tile)}) >= CHOICE[0]
    return bool(position.followers)


def _only(question: Question, position: Position) -> tuple[str, ...]:
    """Return the turns of the only answer; none if there are several or none."""
    try:
        found = question.reply(position, budget=SEARCHED)
    except QuestionError:
        return ()
    turns = tuple(found.facts["turns"])
    return turns if len(turns) == 1 or isinstance(question, History) else ()


def _past(wish: KindWish, rng: Random) -> Puzzle | None:
    """Return a puzzle about the past of a game of a few turns."""
    at = new_position(game_named(wish.game), rng)
    scored = False
    for _ in range(wish.tiles_left):
        moves = [move for move in legal_moves(at) if move.tile is not None]
        if not moves:
            return None
        placing = [move for move in moves if move.followers]
        chosen = rng.choice(placing if placing and rng.random() < CLAIMS else moves)
        played = play(at, chosen)
        scored = scored or any(event.points for event in played.events)
        at = replace(played.position, order=at.order[1:])
    position = replace(at, order=(), bag=())
    if not scored or problems(position):
        return None
    line = tuple(History().reply(position, budget=LOOKED_BACK).facts["turns"])
    question: Question = History()
    cell = ""
    if wish.question == "last":
        line, question = (), Last()
        cell = str(question.reply(position, budget=LOOKED_BACK).facts["cell"])
    if not line and not cell:
        return None
    return Puzzle(
        id="puzzle",
        title="",
        position=position,
        question=question,
        answer=Answer(line=line, cell=cell),
        explanation="",
    )


_MADE: dict[str, Callable[[KindWish, Random], Puzzle | None]] = {
    "help": _by_moves,
    "series": _by_moves,
    "add": _adding,
    "history": _past,
    "last": _past,
}
"""For each kind the function that makes a puzzle without words."""
