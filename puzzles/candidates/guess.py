"""Guess solutions before any proof, and choose the scenes to solve.

The guess is a line of turns: after the key each is the one that the policy thinks best. It is
studied like a solution. An engine is asked only if it shows the wanted theme. A wrong guess can
lose a puzzle, but it never lets one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from burgrave.model.position import Move, Position
from burgrave.puzzles.candidates.scenes import Scene
from burgrave.puzzles.selfplay.look import Look
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.fooled import Seen, offered
from burgrave.puzzles.study.study import Other, Step, Study
from burgrave.puzzles.themes.theme import Theme

REFUTED = 5
"""Tempting wrong moves that a puzzle shows at most."""


def likely(scene: Scene, themes: Sequence[Theme]) -> bool:
    """Tell whether the guessed solution of a scene shows one of some themes."""
    themes = [one for one in themes if one.possible(scene.position)]
    if not themes:
        return False
    refuting = any(one.refuting for one in themes)
    lead = Fraction(scene.lead)
    study = played(scene.position, scene.line, lead, refuting=refuting, once=scene.once)
    return any(one.detect(study) for one in themes)


def played(
    position: Position, line: Sequence[Move], value: Fraction, *, refuting: bool, once: bool
) -> Study:
    """Play out a solution that no puzzle states yet.

    Args:
        position: the position.
        line: the turns of the solution, the key first.
        value: its value.
        refuting: whether wrong moves that tempt are wanted; their values are leads after the move.
        once: whether one turn alone is asked for.

    """
    at, steps = position, []
    for move in line:
        steps.append(Step.of(at, move))
        at = steps[-1].after
    wrong = tempting(position, line[0]) if refuting else {}
    return Study(
        position=position,
        steps=tuple(steps),
        value=value,
        others=tuple(
            Other(step=Step.of(position, move), value=lead) for move, lead in wrong.items()
        ),
        to_the_end=not once,
    )


def tempting(
    position: Position,
    key: Move,
    values: Mapping[Move, Fraction] | None = None,
    asker: int | None = None,
) -> dict[Move, Fraction]:
    """Return the wrong first moves that tempt most, each for another reason, best first.

    Args:
        position: the position.
        key: the best first move.
        values: what first moves are worth; None to take the lead if the game ended after them.
        asker: the player who forces points on his opponent; None if each plays for himself.

    """
    walk = Rehearsal(position)
    listed: list[tuple[Move, Look | Seen]]
    if asker is None:
        listed = [(walk.move(look), look) for look in walk.looks()]
    else:
        listed = [*offered(position, asker).items()]
    worth = {move: Fraction(look.lead) for move, look in listed} if values is None else values
    wrong = [(move, look) for move, look in listed if move != key and move in worth]
    wrong.sort(key=lambda one: -worth[one[0]])

    def same_place(move: Move) -> bool:
        return (move.cell, move.rotation) == (key.cell, key.rotation)

    reasons = (
        wrong,
        sorted(wrong, key=lambda one: (-one[1].lead, -one[1].points)),
        sorted(wrong, key=lambda one: -one[1].points),
        [one for one in wrong if same_place(one[0]) and one[0].followers == key.followers],
        [one for one in wrong if same_place(one[0])],
        [one for one in wrong if one[1].takes],
        [one for one in wrong if one[0].followers and not same_place(one[0])],
    )
    chosen = {move: worth[move] for (move, _), *_ in filter(None, reasons)}
    first = list(chosen)[:REFUTED]
    return {move: worth[move] for move, _ in wrong if move in first}
