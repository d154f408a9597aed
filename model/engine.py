"""The reference engine: legal moves, verdicts, playing a move.

It is written for clarity. A placement reads the features that its tile touches anew. Tests compare
every faster engine with it. Drawing and placing are the same in every game; what follows
the tile, the book of the game tells (``Conduct``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.draws import draws
from burgrave.model.errors import IllegalMoveError
from burgrave.model.features import Features, position_features
from burgrave.model.laying import lay
from burgrave.model.placement import Placement
from burgrave.model.places import place_faults, places
from burgrave.model.position import Move, Position
from burgrave.model.results import Played
from burgrave.model.rule import Finding
from burgrave.model.tiles import PlacedTile

__all__ = ["Judgement", "Played", "canonical", "judge", "legal_moves", "play", "violations"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rules' verdict on a move."""

    violations: tuple[Finding, ...]
    """Every rule that the move breaks."""
    notes: tuple[Finding, ...]
    """Rules by which something about it is allowed that people ask about."""

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    def __str__(self) -> str:
        """Return the verdict in one line, ``illegal: castle.place.path``."""
        broken = dict.fromkeys(finding.rule for finding in self.violations)
        return f"illegal: {', '.join(broken)}" if broken else "legal"


def legal_moves(position: Position, tile: str | None = None) -> Iterator[Move]:
    """Yield every legal move, canonical ones only.

    Args:
        position: a position with tiles left to draw.
        tile: only moves that lay this tile; None for every tile that may be drawn.

    Yields:
        Moves by draw, cell, rotation and actions after the tile. Moves that lead
        to the same position by another order of scoring, another moment of a ransom or an
        equal-looking rotation are listed once.

    """
    conduct = book_of(position.game).conduct
    before = position_features(position)
    for draw in draws(position):
        if tile is not None and draw.tile != tile:
            continue
        if draw.tile is None:
            yield from conduct.passes(position, draw.discards)
            continue
        for laid in places(position, draw.tile):
            placement = lay(position, laid, before, draw.discards)
            yield from conduct.turns(placement, draw.discards)


def judge(position: Position, move: Move) -> Judgement:
    """Return every rule that a move breaks, and the rules that allow it.

    Args:
        position: the position before the move.
        move: any move, legal or not.

    Returns:
        The findings. Rules about followers, scoring and wall tiles speak only if the tile
        can be put on its cell at all.

    """
    return _judged(position, move)[0]


def _judged(
    position: Position, move: Move, before: Features | None = None
) -> tuple[Judgement, Placement | None]:
    """Return the rules' verdict on a move, and its placement if the cell can take a tile."""
    game = position.game
    conduct = book_of(game).conduct
    broken: list[Finding] = [*conduct.draw(position, move)]
    notes: list[Finding] = []
    placement = None
    if move.tile in game.tile_set.ids():
        laid = move.laid(game.tile_set.kind(move.tile))
        broken += place_faults(position, laid)
        if game.board.holds(laid.cell) and position.tile_at(laid.cell) is None:
            if before is None:
                before = position_features(position)
            placement = lay(position, laid, before, move.discards)
            notes = list(conduct.notes(placement, move))
    broken += conduct.rest(position, move, placement)
    return Judgement(tuple(broken), tuple(notes)), placement


def violations(position: Position, move: Move) -> tuple[Finding, ...]:
    """Return every rule that a move breaks; none if it is legal."""
    return judge(position, move).violations


def canonical(position: Position, move: Move) -> Move:
    """Return the move as the engine lists it, if it is legal.

    An equal-looking rotation becomes the lowest one, segments are named anew, and of several
    ways to the same outcome the move takes the first.
    """
    conduct = book_of(position.game).conduct
    if move.tile is None or move.cell is None:
        return conduct.canonical_pass(position, move)
    kind = position.game.tile_set.kind(move.tile)
    shape = kind.shape(move.rotation)
    rotation = next(r for r in kind.rotations() if kind.shape(r) == shape)
    old, new = move.laid(kind), PlacedTile(cell=move.cell, kind=kind, rotation=rotation)

    def renamed(node: Node) -> Node:
        if node.cell != old.cell or rotation == old.rotation:
            return node
        ports = kind.turned(node.segment, old.rotation)
        if not ports:
            return node
        return Node(node.cell, new.at(ports[0]))

    followers = tuple(
        d._replace(segment=renamed(Node(d.cell, d.segment)).segment) for d in move.followers
    )
    moved = replace(
        move,
        rotation=rotation,
        followers=followers,
        scoring=tuple(step._replace(node=renamed(step.node)) for step in move.scoring),
        reveals=tuple(sorted(move.reveals)),
        captures=tuple(
            capture
            if capture.segment is None
            else capture._replace(segment=renamed(Node(capture.cell, capture.segment)).segment)
            for capture in move.captures
        ),
    )
    placement = lay(position, new, position_features(position), move.discards)
    return conduct.canonical(placement, moved)


def play(position: Position, move: Move, before: Features | None = None) -> Played:
    """Play a move.

    Args:
        position: the position before.
        move: a legal move.
        before: the features of ``position``, if the caller has them; None to read them anew.

    Returns:
        The position after the turn, and what happened.

    Raises:
        IllegalMoveError: the move breaks a rule; all findings are listed.

    """
    judgement, placement = _judged(position, move, before)
    if not judgement.legal:
        raise IllegalMoveError(judgement.violations)
    conduct = book_of(position.game).conduct
    if placement is None:
        return conduct.pass_turn(position, move)
    return conduct.resolve(placement, move)
