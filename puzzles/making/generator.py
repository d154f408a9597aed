"""Puzzles made from self-play: positions with one best move that shows a theme.

A candidate is one game with several endings. It depends on its own seed alone, so any process makes
the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from burgrave.model.errors import QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems
from burgrave.puzzles.candidates.composing import Aim, composed, improved, sole
from burgrave.puzzles.candidates.guess import likely, played, tempting
from burgrave.puzzles.candidates.scenes import Scene, Stage, scenes, tiles_of
from burgrave.puzzles.judging.quality import economy
from burgrave.puzzles.judging.solving import certified, certify
from burgrave.puzzles.judging.stated_facts import described
from burgrave.puzzles.making.wishes import PuzzleWish
from burgrave.puzzles.questions import Best, Force, Question, plain
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.fooled import at_a_glance, seen_ahead
from burgrave.puzzles.study.puzzle import Certification, Origin, Puzzle, Refutation
from burgrave.puzzles.study.simplify import bare, simplified
from burgrave.puzzles.study.study import Step, Study, study
from burgrave.puzzles.themes import ANY, COMMON, named, themes_in
from burgrave.puzzles.themes.theme import Theme
from burgrave.puzzles.words.titles import title
from burgrave.solver.engines import listers, quick_first
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.problem import TWO, Goal
from burgrave.solver.result import RootMove, Status, TooLargeError

EFFORT = 60_000
"""Turns that a search may play; no time, so that every machine comes to the same answers."""
VALUED = 600_000
"""Turns that the kernel may play to value every first move."""
CONFIRMING = 10_000
"""Turns of each engine that proves a puzzle: the rules engine plays a thousand of them a second."""
WHOLE = 2_000_000
"""Turns of the compiled search without its prunings, which proves a puzzle with more tiles."""
FEW = 2
"""Tiles to come with which a puzzle of self-play is proved by the rules engine too."""
HARD = 3
"""The difficulty from which a puzzle misleads who counts as if the game ended after his move."""
SPARED = 2
"""Pieces that the theme of a puzzle may need and its key does not."""
TRIED = 8
"""Positions of one game that are examined closely."""
ASKED = ("force", "best")
"""The questions for which puzzles are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(PuzzleWish):
    """The kind of puzzles to make."""

    theme: str
    """The theme, or several with commas, of which any will do."""
    question: str = "force"
    """``force``, or ``best`` for the points or the lead of one turn."""
    turns: int | None = None
    """Turns played, after which the tiles not wanted are left out; None for a few, by lot."""
    margin: int = 1
    """Points by which the key must be better than every other first move."""
    own: int = 1
    """Own turns that must be found, each the only best one after every best defence."""

    @property
    def asked(self) -> tuple[Theme, ...]:
        """The themes."""
        return named(self.theme, self.game.id)

    @property
    def aim(self) -> Aim:
        """What a composition is to reach."""
        return Aim(turns=self.own, beyond=self.hardest > HARD)

    @property
    def goal(self) -> Goal | None:
        """The aim of one turn: points, or the lead if points mislead; None if no turn."""
        if self.question == "force":
            return None
        elementary = all(theme.elementary for theme in self.asked)
        return Goal.POINTS if elementary else Goal.LEAD

    def check(self) -> None:
        """Refuse a request that no puzzle can satisfy.

        Raises:
            QuestionError: no such theme, a theme of another game, or more tiles than the game has.

        """
        if self.theme == ANY and self.question != "force":
            raise QuestionError(f"--theme {ANY} composes puzzles of --question force alone")
        named(self.theme, self.game.id)
        if self.question not in ASKED:
            raise QuestionError(
                f"no question {quoted(self.question)}.{suggestion(self.question, ASKED)}"
            )
        for theme in self.asked if self.question == "best" else ():
            if self.game.id not in theme.once:
                raise QuestionError(
                    f"no single turn shows the theme {theme.name}: --question force makes puzzles"
                    " on it"
                )
        if self.easiest >= HARD and all(theme.elementary for theme in self.asked):
            raise QuestionError(
                f"no puzzle on {self.theme} has difficulty {HARD} or more: who takes most points at"
                " once solves it"
            )
        self._check_tiles()

    def _check_tiles(self) -> None:
        """Refuse tiles that the game does not have, or that give too few own turns.

        Raises:
            QuestionError: it is so.

        """
        self.check_tiles(self.turns or 0)
        if self.own > 1 and self.question != "force":
            raise QuestionError("--own-turns is for puzzles of --question force")
        if self.own > (self.tiles_left + 1) // 2:
            raise QuestionError(
                f"{self.tiles_left} tiles to come give no {self.own} own turns; --tiles-left"
                f" {2 * self.own - 1} does"
            )

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the puzzle of a number."""
        options = [f"--question {self.question} --tiles-left {self.tiles_left}"]
        if self.turns is not None:
            options.append(f"--turns {self.turns}")
        if self.own > 1:
            options.append(f"--own-turns {self.own}")
        return self.record(self.theme, index, *options, f"--margin {self.margin}")

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle that a game of self-play holds, if it holds one.

        Args:
            index: number of the game.

        Returns:
            The puzzle. With the theme ``any`` it is composed by local search. Puzzles of difficulty
            3 and above mislead who takes the largest lead if the game ended after his move.

        """
        rng = Random(f"{self.game.id} {self.theme} {self.seed} {index}")  # noqa: S311 -- to be repeated
        if self.theme == ANY:
            position = composed(self.game, self.tiles_left, self.turns, rng, self.aim)
            return None if position is None else finished(self, index, position, rng)
        few, many = rng.choice(self.asked).turns
        most = min(many, tiles_of(self.game) - self.tiles_left)
        turns = rng.randint(min(few, most), most) if self.turns is None else self.turns
        stage = Stage(game=self.game, tiles_left=self.tiles_left, turns=turns, goal=self.goal)
        solved, last = 0, 0
        for scene in scenes(stage, self.asked, rng):
            # If one position of an ending is no puzzle, the others usually are none either.
            if scene.ending == last:
                continue
            if not likely(scene, self.asked):
                continue
            last = scene.ending
            if problems(scene.position):
                continue
            wanted = [theme for theme in self.asked if theme.possible(scene.position)]
            found = _puzzle(self, index, scene, wanted, rng)
            if found is not None:
                return found
            solved += 1
            if solved == TRIED:
                break
        return None


def _puzzle(
    wish: Wish, index: int, scene: Scene, wanted: list[Theme], rng: Random
) -> Puzzle | None:
    """Return the puzzle of a scene if it passes every test, the cheap ones first."""
    position = scene.position
    key = _sole(position, _question(wish))
    found = None if key is None else _study(wish, position, wanted, key)
    around = wish.goal is None and (wish.easiest >= HARD or wish.own > 1)
    if key is None or found is None or not (around or _may_fit(wish, found)):
        return None
    # Such a theme is told alone: where others are, they seldom go with the pieces.
    common = {*COMMON}.issuperset(one.name for one in wanted)
    shown = _Shown(wish, wanted, key.move, found, spared=None if around else 0)
    try:
        position = bare(position, shown)
        if common and _refuting_all(wish, wanted, shown.last) is None:
            return None
        shown.spared = None if around else SPARED
        simplified(position, shown)
    except _IdleError:
        return None
    found = shown.last
    if around:
        # Around a scene that shows the theme lie others that mislead.
        shown = _Shown(wish, wanted, None, found)
        improved(found.position, rng, shown, wish.aim)
        found = shown.last
    made = _refuting_all(wish, wanted, found) if _may_fit(wish, found) else None
    return None if made is None else _finished(wish, index, made, rng)


def _may_fit(wish: Wish, found: Study) -> bool:
    """Tell of a solution at a glance whether the puzzle may be as hard as wished."""
    (points, now), key = at_a_glance(found.position), found.key.move
    if key in now:
        return wish.easiest < HARD
    if key in points or wish.hardest < HARD:
        return False
    try:
        # Who sees the opponent's reply too must find what is not harder.
        return wish.hardest > HARD or key in seen_ahead(found.position, EFFORT)
    except (OutOfTimeError, TooLargeError, QuestionError):
        return False


def finished(wish: Wish, index: int, position: Position, rng: Random) -> Puzzle | None:
    """Return a composed position as a puzzle, with words, measures and proof; None if it is none.

    Args:
        wish: what is wanted.
        index: number of the candidate.
        position: the position.
        rng: chooses its title.

    """
    key = sole(position, EFFORT)
    refuted = strongest(position, Force(), key, wish.margin) if key else ()
    if key is None or not refuted:
        return None
    made = with_lines(posed(position, Force(), key, refuted))
    solution = study(made)
    return None if solution is None else _finished(wish, index, (made, solution), rng)


def _finished(wish: Wish, index: int, found: tuple[Puzzle, Study], rng: Random) -> Puzzle | None:
    """Return a puzzle with words, measures and proof if it is as hard as wished."""
    # Where many pieces serve the theme alone, the key is about something else.
    idle = sum(less is not None for less in economy(found[0]))
    if idle > (0 if wish.theme == ANY else SPARED):
        return None
    made = described(*found, idle=idle)
    if made.difficulty is None or not wish.easiest <= made.difficulty <= wish.hardest:
        return None
    measures = made.measures
    if wish.own > 1 and (measures is None or measures.depth < wish.own):
        return None
    # Where a stronger player solves less, the difficulty would say little.
    if made.difficulty >= HARD and measures is not None and measures.solved.points:
        return None
    theme = next((one for one in wish.asked if one.name in made.themes), None)
    if theme is None and wish.theme != ANY:
        return None
    # With three tiles the rules engine may take minutes.
    apart = wish.theme == ANY or len(made.position.order) <= FEW
    most, nodes = (None, CONFIRMING) if apart else (TWO, WHOLE)
    proved = certify(made, Limits(nodes=nodes), most, described=True, apart=apart)
    if not certified(proved):
        return None
    name = "composed" if theme is None else theme.name[:16].rstrip("-")
    return replace(
        made,
        id=f"{name}-{wish.seed}-{index}",
        title=title(made, rng),
        provenance=_whence(wish, index),
        origin=wish.origin(index),
        certification=Certification(engines=tuple(verdict.engine for verdict in proved)),
    )


def _whence(wish: Wish, index: int) -> str:
    """Return in words where a position comes from."""
    if wish.theme == ANY:
        return f"Composed by local search, seed {wish.seed}, number {index}."
    game = f"a game of self-play, seed {wish.seed}, number {index}"
    after = "a few tiles" if wish.turns is None else f"{wish.turns} tiles"
    return (
        f"After {after} of {game}; the tiles that do not come are left out, and what the solution"
        " does not need."
    )


class _IdleError(Exception):
    """The theme needs pieces without which the same move is the only best one."""


@dataclass(slots=True)
class _Shown:
    """Tells whether positions still have their best move and a theme that is wanted."""

    wish: Wish
    wanted: list[Theme]
    move: Move | None
    """The best move that is wanted; None for any."""
    last: Study
    """The solution of the last position that had both."""
    spared: int | None = None
    """Pieces that the theme may need and the move does not; None for any number."""
    missed: int = 0
    """Positions so far in which the move was the best and showed no theme."""

    def __call__(self, position: Position) -> bool:
        """Tell it of a position, the move first."""
        key = _sole(position, _question(self.wish), self.move)
        if key is None:
            return False
        found = _study(self.wish, position, self.wanted, key)
        if found is None and self.spared is not None:
            self.missed += 1
            # A piece that cannot go is tried again after another one went.
            if self.missed > 2 * self.spared:
                raise _IdleError
        self.last = found or self.last
        return found is not None


def _study(wish: Wish, position: Position, wanted: list[Theme], key: RootMove) -> Study | None:
    """Return the solution of a position, played out, if it shows a theme as is wanted.

    Wrong moves have no proved values yet: no theme depends on those.
    """
    question = _question(wish)
    if is_greedy(position, key.move, question):
        wanted = [one for one in wanted if one.elementary]
    if not wanted:
        return None
    refuting, once = any(one.refuting for one in wanted), wish.goal is not None
    found = played(position, key.line, key.value, refuting=refuting, once=once)
    if not any(one.detect(found) for one in wanted):
        return None
    # That the best is alone makes sure of a margin of 1.
    near = wish.margin > 1 and not strongest(position, question, key, wish.margin)
    return None if near else found


def _refuting_all(wish: Wish, wanted: list[Theme], found: Study) -> tuple[Puzzle, Study] | None:
    """Return the puzzle of a solution, with the best wrong moves, if it still is wanted."""
    question, line = _question(wish), tuple(step.move for step in found.steps)
    key = RootMove(move=line[0], value=found.value, line=line)
    refuted = strongest(found.position, question, key, wish.margin)
    if not refuted:
        return None
    made = with_lines(posed(found.position, question, key, refuted))
    shown = study(made)
    if shown is None or {one.name for one in wanted}.isdisjoint(themes_in(shown)):
        return None
    return made, shown


def _question(wish: Wish) -> Question:
    """Return the question."""
    return Force() if wish.goal is None else Best(goal=wish.goal)


def _sole(position: Position, question: Question, wanted: Move | None = None) -> RootMove | None:
    """Return the best first move with a line, if it is alone, as is wanted, and soon found."""
    if question.turn_only:
        told = question.reply(position, quick_first(listers(position.game))[0]).facts
        if told["status"] != str(Status.OPTIMAL) or len(told["moves"]) > 1:
            return None
        move = read_move(position, told["moves"][0])
        if wanted not in {None, move}:
            return None
        return RootMove(move=move, value=Fraction(told["value"]), line=(move,))
    return sole(position, EFFORT, wanted)


def strongest(
    position: Position, question: Question, key: RootMove, margin: int
) -> tuple[RootMove, ...]:
    """Return wrong first moves that tempt, the best of all among them.

    Returns:
        The moves with their values; none if one comes nearer to the best than the margin, or if
        it takes too long to tell.

    """
    every = _values(position, question)
    best_wrong = max((v for move, v in every.items() if move != key.move), default=key.value)
    if key.value - best_wrong < margin:
        return ()
    wrong = tempting(position, key.move, every)
    return tuple(RootMove(move=move, value=value) for move, value in wrong.items())


def _values(position: Position, question: Question) -> dict[Move, Fraction]:
    """Return the value of each first move; none if it takes too long to tell."""
    if question.turn_only:
        found = question.values(position, Limits(nodes=EFFORT)).items()
        return {read_move(position, move): value for move, value in found}
    from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

    try:
        ending = Ending(position, VALUED)
        return {ending.move(turn): Fraction(value) for turn, value in ending.values().items()}
    except (OutOfTimeError, TooLargeError, QuestionError):
        return {}


def is_greedy(position: Position, move: Move, question: Question) -> bool:
    """Tell whether a move is among those that win most in its turn, in points or in lead.

    If no move wins points, no move is greedy. If the question asks for the lead of the turn, only
    points can mislead.
    """
    walk = Rehearsal(position)
    looks = walk.looks()
    most = max(look.points for look in looks), max(look.gain for look in looks)
    whole = not question.turn_only
    return any(
        (0 < look.points == most[0] or (whole and 0 < look.gain == most[1]))
        and walk.move(look) == move
        for look in looks
    )


def posed(
    position: Position, question: Question, key: RootMove, refuted: Sequence[RootMove] = ()
) -> Puzzle:
    """Return a puzzle without words.

    Args:
        position: the position.
        question: the question.
        key: the best first move, with best play after it.
        refuted: wrong first moves with their values.

    """
    at, line = position, []
    for move in key.line:
        line.append(write_move(at, move))
        at = Step.of(at, move).after
    return Puzzle(
        id="puzzle",
        title="",
        position=position,
        question=question,
        answer=Answer(
            value=plain(key.value), moves=(write_move(position, key.move),), line=tuple(line)
        ),
        refutations=tuple(
            Refutation(move=write_move(position, one.move), value=plain(one.value) or 0)
            for one in refuted
        ),
        explanation="",
    )


def with_lines(made: Puzzle) -> Puzzle:
    """Return a puzzle with best play after each of its refuted moves."""
    after = made.question.line_after
    return replace(
        made,
        refutations=tuple(
            replace(one, line=after(made.position, one.move)) for one in made.refutations
        ),
    )
