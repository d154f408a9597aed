"""Puzzles made from self-play: positions with one best move that shows a theme.

A candidate is one game with several endings. It depends on its own seed alone, so any process makes
the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from model.errors import QuestionError
from model.naming import quoted, suggestion
from model.notation import read_move, write_move
from model.position import Move, Position
from model.problems import problems
from puzzles import telling
from puzzles.candidates.composing import ANY, Aim, composed, improved, sole
from puzzles.candidates.guess import likely, tempting
from puzzles.candidates.scenes import Scene, Stage, scenes, tiles_of
from puzzles.quality import level, measured
from puzzles.questions import Best, Force, Question, plain
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.solving import certified, certify
from puzzles.study.puzzle import HARDEST, Answer, Certification, Origin, Puzzle, Refutation
from puzzles.study.simplify import simplified
from puzzles.study.study import Step, Study, study
from puzzles.themes import THEMES, themes_in
from puzzles.themes.theme import Theme
from puzzles.titles import title
from solver.engines import listers, quick_first
from solver.limits import Limits, OutOfTimeError
from solver.problem import Goal
from solver.questions import best
from solver.result import RootMove, Status, TooLargeError

QUICK = Limits(nodes=9_000)
"""Turns of the first search: positions with more to think about are passed over."""
QUICK_ON_A_PLANE = Limits(nodes=36_000)
"""The same outside castles, where most turns are played in no time: what follows is known."""
EFFORT = Limits(nodes=60_000)
"""Turns that an engine may search; no time, so that every machine comes to the same answers."""
CONFIRMING = Limits(nodes=10_000)
"""Turns of each engine that proves a puzzle: the rules engine plays a thousand of them a second."""
HARD = 3
"""The difficulty from which a puzzle misleads who counts as if the game ended after his move."""
TRIED = 8
"""Positions of one game that are examined closely."""
ASKED = ("force", "best")
"""The questions for which puzzles are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The kind of puzzles to make."""

    game: str
    theme: str
    """The theme, or several with commas, of which any will do."""
    seed: int
    question: str = "force"
    """``force``, or ``best`` for the points or the lead of one turn."""
    tiles_left: int = 3
    turns: int | None = None
    """Turns played, after which the tiles not wanted are left out; None for a whole game."""
    margin: int = 1
    """Points by which the key must be better than every other first move."""
    own: int = 1
    """Own turns that must be found, each the only best one after every best defence."""
    easiest: int = 1
    hardest: int = HARDEST
    version: str = ""
    """The version of the program, for the record."""

    @property
    def asked(self) -> tuple[Theme, ...]:
        """The themes."""
        if self.theme == ANY:
            return tuple(one for one in THEMES.values() if self.game in one.games)
        return tuple(THEMES[name] for name in self.theme.split(","))

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
        for name in () if self.theme == ANY else self.theme.split(","):
            if name not in THEMES:
                lists = "docs/reference/themes.md lists them."
                raise QuestionError(f"no theme {quoted(name)}.{suggestion(name, THEMES, lists)}")
            if self.game not in THEMES[name].games:
                raise QuestionError(f"the theme {name} does not occur in {self.game}")
        if self.question not in ASKED:
            raise QuestionError(
                f"no question {quoted(self.question)}.{suggestion(self.question, ASKED)}"
            )
        for theme in self.asked if self.question == "best" else ():
            if self.game not in theme.once:
                raise QuestionError(
                    f"no single turn shows the theme {theme.name}: --question force makes puzzles"
                    " on it"
                )
        self._check_tiles()

    def _check_tiles(self) -> None:
        """Refuse tiles that the game does not have, or that give too few own turns.

        Raises:
            QuestionError: it is so.

        """
        tiles, asked = tiles_of(self.game), (self.turns or 0) + self.tiles_left
        if asked > tiles:
            raise QuestionError(f"{asked} tiles are asked for; {self.game} has {tiles} to be laid")
        if self.own > 1 and self.question != "force":
            raise QuestionError("--own-turns is for puzzles of --question force")
        if self.own > (self.tiles_left + 1) // 2:
            raise QuestionError(
                f"{self.tiles_left} tiles to come give no {self.own} own turns; --tiles-left"
                f" {2 * self.own - 1} does"
            )

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the puzzle of a number."""
        options = f"--game {self.game} --question {self.question} --tiles-left {self.tiles_left}"
        if self.turns is not None:
            options += f" --turns {self.turns}"
        if self.own > 1:
            options += f" --own-turns {self.own}"
        options += f" --difficulty {self.easiest}-{self.hardest} --margin {self.margin}"
        return Origin(
            theme=self.theme,
            seed=self.seed,
            index=index,
            version=self.version,
            options=options,
        )

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle that a game of self-play holds, if it holds one.

        Args:
            index: number of the game.

        Returns:
            The puzzle. With the theme ``any`` it is composed by local search. Puzzles of difficulty
            3 and above mislead who takes the largest lead if the game ended after his move.

        """
        rng = Random(f"{self.game} {self.theme} {self.seed} {index}")  # noqa: S311 -- to be repeated
        stage = Stage(
            game=self.game,
            tiles_left=self.tiles_left,
            turns=self.turns,
            goal=self.goal,
        )
        if self.theme == ANY:
            position = composed(self.game, self.tiles_left, self.turns, rng, self.aim)
            return None if position is None else finished(self, index, position, rng)
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
    quick = QUICK_ON_A_PLANE if position.game.board.endless else QUICK
    key = _sole(position, _question(wish), quick)
    found = None if key is None else _posed(wish, position, wanted, key)
    if key is None or found is None:
        return None
    shown = _Shown(wish, wanted, key.move, quick)
    simplified(position, shown)
    found = shown.last or found
    if wish.goal is None and (wish.easiest >= HARD or wish.own > 1):
        # Around a scene that shows the theme lie others that mislead.
        shown = _Shown(wish, wanted, None, quick)
        improved(found[0].position, rng, shown, wish.aim)
        found = shown.last or found
    found = _refuting_all(wish, wanted, *found)
    return None if found is None else _finished(wish, index, found, rng)


def finished(wish: Wish, index: int, position: Position, rng: Random) -> Puzzle | None:
    """Return a composed position as a puzzle, with words, measures and proof; None if it is none.

    Args:
        wish: what is wanted.
        index: number of the candidate.
        position: the position.
        rng: chooses its title.

    """
    key = sole(position, EFFORT)
    refuted = _strongest(position, Force(), key, wish.margin) if key else ()
    if key is None or not refuted:
        return None
    made = with_lines(posed(position, Force(), key, refuted))
    solution = study(made)
    return None if solution is None else _finished(wish, index, (made, solution), rng)


def _finished(wish: Wish, index: int, found: tuple[Puzzle, Study], rng: Random) -> Puzzle | None:
    """Return a puzzle with words, measures and proof if it is as hard as wished."""
    made = described(*found)
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
    proved = certify(made, CONFIRMING, described=True, apart=True)
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
    text = f"From {game}"
    if wish.turns is not None:
        text = f"After {wish.turns} tiles of {game}; the tiles that do not come are left out"
    return f"{text}, without what the solution does not need."


@dataclass(slots=True)
class _Shown:
    """Tells whether positions still have their best move and a theme that is wanted."""

    wish: Wish
    wanted: list[Theme]
    move: Move | None
    """The best move that is wanted; None for any."""
    budget: Limits
    """Of each search: a position about which there is more to think is not simpler."""
    last: tuple[Puzzle, Study] | None = None
    """The puzzle of the last position that had both."""

    def __call__(self, position: Position) -> bool:
        """Tell it of a position, the move first."""
        key = _sole(position, _question(self.wish), self.budget)
        if key is None or (self.move is not None and key.move != self.move):
            return False
        found = _posed(self.wish, position, self.wanted, key)
        self.last = found or self.last
        return found is not None


def _posed(
    wish: Wish, position: Position, wanted: list[Theme], key: RootMove
) -> tuple[Puzzle, Study] | None:
    """Return the puzzle of a position and its only best move, without words, if it is wanted."""
    question = _question(wish)
    shown = study(posed(position, question, key))
    wanted = [one for one in wanted if one.refuting or (shown and one.detect(shown))]
    if wanted and is_greedy(position, key.move, question):
        wanted = [one for one in wanted if one.elementary]
    if not wanted:
        return None
    refuted = _refuted(position, question, key, wish.margin)
    made = posed(position, question, key, refuted) if refuted else None
    solution = None if made is None else study(made)
    if made is None or solution is None or not any(one.detect(solution) for one in wanted):
        return None
    return made, solution


def _refuting_all(
    wish: Wish, wanted: list[Theme], made: Puzzle, solution: Study
) -> tuple[Puzzle, Study] | None:
    """Return a puzzle that refutes the best of all wrong moves too, if it still is wanted."""
    question, line = _question(wish), tuple(step.move for step in solution.steps)
    key = RootMove(move=line[0], value=solution.value, line=line)
    refuted = _strongest(made.position, question, key, wish.margin)
    if not refuted:
        return None
    made = with_lines(posed(made.position, question, key, refuted))
    shown = study(made)
    return (made, shown) if shown and any(one.detect(shown) for one in wanted) else None


def _question(wish: Wish) -> Question:
    """Return the question."""
    return Force() if wish.goal is None else Best(goal=wish.goal)


def _sole(position: Position, question: Question, budget: Limits) -> RootMove | None:
    """Return the best first move with a line, if it is alone and soon found."""
    if isinstance(question, Best):
        soon = quick_first(listers(position.game))[0]
        answer = best(position, goal=question.goal, engine=soon)
        if answer.status is not Status.OPTIMAL or len(answer.first) > 1:
            return None
        (one,) = answer.first
        return RootMove(move=one.move, value=one.value, line=(one.move,))
    return sole(position, budget)


def _refuted(
    position: Position, question: Question, key: RootMove, margin: int
) -> tuple[RootMove, ...]:
    """Return wrong first moves that tempt, with their values; none if one comes near the best.

    That the best is alone makes sure of a margin of 1, and only moves that tempt are valued then.
    """
    if isinstance(question, Force) and margin == 1:
        moves = tempting(position, key.move)
        values = {move: question.worth(position, write_move(position, move)) for move in moves}
        return tuple(RootMove(move=m, value=v) for m, v in values.items() if v is not None)
    return _strongest(position, question, key, margin)


def _strongest(
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
    if not isinstance(question, Force):
        found = question.values(position, EFFORT).items()
        return {read_move(position, move): value for move, value in found}
    from solver.search.ending import Ending  # noqa: PLC0415 -- numba loads late

    try:
        ending = Ending(position, EFFORT.nodes)
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
    whole = not isinstance(question, Best)
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


def described(made: Puzzle, solution: Study, idle: int | None = None) -> Puzzle:
    """Return a puzzle with the themes, rules, difficulty and explanation that are found.

    Args:
        made: the puzzle without words.
        solution: its answer, played out.
        idle: the pieces that can go, if they were counted already.

    """
    ruled = replace(made, rules=telling.rules_of(solution), themes=themes_in(solution))
    reasons = telling.reasons(solution)
    measures = measured(ruled, idle)
    return replace(
        ruled,
        difficulty=level(measures, ruled),
        measures=measures,
        explanation=telling.explanation(solution),
        refutations=tuple(
            replace(one, why=why) for one, why in zip(made.refutations, reasons, strict=True)
        ),
    )
