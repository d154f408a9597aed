"""Rule lessons: the smallest scenes in which a rule decides, with both verdicts.

A rule decides where a move is legal without it, or where another value of one of its switches
gives another verdict. What is not needed for that is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from model.engine import judge, play
from model.errors import QuestionError
from model.games import Game
from model.geometry import Cell
from model.notation import write_move
from model.position import Capture, Deployment, Move, Position, Rank
from model.rules.index import RULES
from model.rules.rule import Rule
from puzzles.plane_player import Passable
from puzzles.players import Player, random_player
from puzzles.puzzle import Answer, Certification, Origin, Puzzle
from puzzles.questions import Legal
from puzzles.scenes import game_named
from puzzles.selfplay import new_position
from puzzles.simplify import simplified
from puzzles.solving import certified, certify

FORBIDDING = ("placement", "deployment", "actions", "wall_tiles")
"""The lists of a book whose rules forbid moves."""
TURNS = (1, 10)
"""The fewest and the most turns played before a lesson."""
TRIED = 200
"""Moves that are tried in a scene."""


def rule_named(rule_id: str) -> Rule[..., object]:
    """Return a rule on which lessons can be made.

    Raises:
        QuestionError: there is none of that id, or it forbids no move.

    """
    found = next((rule for rule in RULES if rule.id == rule_id), None)
    if found is None:
        raise QuestionError(f"no rule '{rule_id}'; burgrave rules lists them")
    if not _games(rule_id):
        raise QuestionError(
            f"{rule_id} forbids no move by itself, so no move becomes legal without it; its cards"
            f" show it: burgrave rules {rule_id}"
        )
    return found


def _games(rule_id: str) -> tuple[str, ...]:
    """Return the ids of the games in which a rule forbids moves."""
    names = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")
    return tuple(name for name in names if _without(game_named(name), rule_id) is not None)


def _without(game: Game, rule_id: str) -> Game | None:
    """Return a game without a rule; None if none of its lists has it."""
    book = game.rules
    for name in FORBIDDING:
        laws = getattr(book, name)
        kept = tuple(law for law in laws if law.id != rule_id)
        if kept != laws:
            changed: dict[str, Any] = {name: kept}
            return replace(game, rules=replace(book, **changed))
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWish:
    """A wish for lessons on a rule."""

    rule: str
    """Id of the rule."""
    seed: int
    """Another number, other lessons."""
    version: str = ""
    """Of the program, for the record."""

    def check(self) -> None:
        """Refuse a rule on which there are no lessons.

        Raises:
            QuestionError: there is none of that id, or it forbids no move.

        """
        rule_named(self.rule)

    def made(self, puzzle: Puzzle) -> bool:
        """Tell whether a puzzle comes from this wish."""
        origin = puzzle.origin
        return origin is not None and (origin.theme, origin.seed) == (self.rule, self.seed)

    def candidate(self, index: int) -> Puzzle | None:
        """Return the lesson that a beginning of a game holds, if it holds one.

        Args:
            index: number of the beginning.

        """
        rng = Random(f"{self.rule} {self.seed} {index}")  # noqa: S311 -- to be repeated
        position = _beginning(game_named(_games(self.rule)[0]), rng)
        for move in _moves(position, rng):
            if _decides(position, move, self.rule):
                small = simplified(position, partial(_keeps, move, self.rule))
                origin = Origin(theme=self.rule, seed=self.seed, index=index, version=self.version)
                return _told(small, move, self.rule, origin)
        return None


def _keeps(move: Move, rule_id: str, position: Position) -> bool:
    """Tell whether a position with fewer pieces still is the lesson."""
    return bool(position.tiles) and _decides(position, move, rule_id)


def _decides(position: Position, move: Move, rule_id: str) -> bool:
    """Tell whether a rule alone forbids a move: without it the move is legal."""
    if {finding.rule for finding in judge(position, move).violations} != {rule_id}:
        return False
    without = _without(position.game, rule_id)
    return without is not None and judge(replace(position, game=without), move).legal


def _beginning(game: Game, rng: Random) -> Position:
    """Return a position some turns after the beginning, perhaps with pieces used up."""
    player: Player = Passable() if game.board.endless else random_player
    position = new_position(game, rng)
    for _ in range(rng.randint(*TURNS)):
        position = play(position, player(position, rng)).position
    order = position.order[:1]
    players = list(position.players)
    if rng.random() < 0.3:  # noqa: PLR2004 -- so that supplies decide now and then
        mover = players[position.to_move]
        players[position.to_move] = replace(mover, supply=0, pieces=0)
    return replace(position, order=order, players=tuple(players))


def _moves(position: Position, rng: Random) -> Iterator[Move]:
    """Yield moves, most of them illegal, with the next tile near those that lie."""
    kind = position.game.tile_set.kind(position.order[0])
    near = sorted({c for tile in position.tiles for c in _round(tile.cell)})
    roles = position.game.rules.roles
    for _ in range(TRIED):
        cell, rotation = rng.choice(near), rng.choice(kind.rotations())
        followers: tuple[Deployment, ...] = ()
        if rng.random() < 0.6:  # noqa: PLR2004 -- most rules are about followers
            segment = rng.randrange(len(kind.segments))
            role = rng.choice([roles[kind.segments[segment].kind], *roles.values()])
            rank = rng.choice((Rank.FOLLOWER, *position.game.specials))
            followers = (Deployment(cell, segment, role, rank),)
        move = Move(
            tile=kind.id,
            cell=cell,
            rotation=rotation,
            followers=followers,
            extra_turns=int(rng.random() < 0.1),  # noqa: PLR2004 -- few rules are about it
        )
        yield _with_tower(position, move, rng) if position.game.rules.actions else move


def _with_tower(position: Position, move: Move, rng: Random) -> Move:
    """Return a move of The Tower, perhaps with a piece, a prisoner or a guard."""
    foundations = [tile.cell for tile in position.tiles if tile.kind.tower_place]
    if not foundations or rng.random() < 0.3:  # noqa: PLR2004 -- most rules are about towers
        return move
    cell = rng.choice(foundations)
    if rng.random() < 0.3:  # noqa: PLR2004 -- guards are rarer than pieces
        return replace(move, guards=(cell,))
    taken = [Capture(*follower.node) for follower in position.followers]
    captures = (rng.choice(taken),) if taken and rng.random() < 0.6 else ()  # noqa: PLR2004 -- see above
    return replace(move, pieces=(cell,), captures=captures)


def _round(cell: Cell) -> Iterator[Cell]:
    """Yield a cell and the eight round it."""
    return (Cell(cell.x + dx, cell.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def _told(position: Position, move: Move, rule_id: str, origin: Origin) -> Puzzle | None:
    """Return a lesson with its words, if two engines come to its verdict."""
    law = rule_named(rule_id)
    question = Legal(move=write_move(position, move))
    made = Puzzle(
        id=f"{rule_id.replace('.', '-')[:20].rstrip('-')}-{origin.seed}-{origin.index}",
        title=f"Why not? {rule_id}",
        position=position,
        question=question,
        answer=Answer(legal=False, breaks=(rule_id,)),
        rules=(rule_id,),
        difficulty=1,
        explanation=_words(position, move, law),
        provenance="The beginning of a game played at random, without what the rule does not need.",
        origin=origin,
    )
    proved = certify(made)
    if not certified(proved):
        return None
    engines = tuple(verdict.engine for verdict in proved)
    return replace(made, certification=Certification(engines=engines))


def _words(position: Position, move: Move, law: Rule[..., object]) -> str:
    """Return both verdicts in words: with the rule, without it, and with its switches changed."""
    message = judge(position, move).violations[0].message
    parts = [
        f"{law.sentence} Here {message} [{law.id}], so the move is not legal.",
        "Without this rule it would be legal.",
    ]
    for switch in law.switches:
        for value in switch.values:
            game = position.game
            if game.value(switch) == value:
                continue
            other = judge(replace(position, game=game.with_switches({switch.name: value})), move)
            verdict = "legal" if other.legal else "illegal"
            parts.append(f"With the switch {switch.name} at {value} it is {verdict}.")
    return " ".join(parts)
