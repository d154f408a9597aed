"""A turn with The Tower after the tile: ransom, one action, late ransom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burgrave.model.book import Conduct, book_of
from burgrave.model.carcassonne.turn import laid
from burgrave.model.components import Rank
from burgrave.model.expansions.tower.capture import targets
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.expansions.tower.prisoners import (
    ONCE,
    PRICE,
    PRISONER,
    WINDOW,
    choices,
    paid,
)
from burgrave.model.expansions.tower.towers import tower_places
from burgrave.model.laying import deployable
from burgrave.model.placement import Placement
from burgrave.model.position import Capture, Guard, Move, Position, Ransom
from burgrave.model.rule import Finding
from burgrave.model.stage import Stage


def with_towers(conduct: Conduct) -> Conduct:
    """Return a turn of Carcassonne with the actions and the ransoms of The Tower."""
    return replace(
        conduct,
        turns=turns,
        passes=passes,
        rest=rest,
        canonical=canonical,
        canonical_pass=canonical_pass,
    )


def staged(position: Position, placement: Placement | None, move: Move) -> Stage:
    """Return the table at the moment of the action: the early ransoms of the move are paid."""
    at_action = paid(position, [ransom for ransom in move.ransoms if not ransom.late])
    return Stage(position=at_action, placement=placement)


def turns(placement: Placement, discards: tuple[str, ...]) -> Iterator[Move]:
    """Yield the legal moves with a tile on its cell: by early ransom, action, late ransom."""
    yield from _with_ransoms(placement.position, placement, laid(placement, discards))


def passes(position: Position, discards: tuple[str, ...]) -> Iterator[Move]:
    """Yield the legal moves of a turn for which no tile is left that has a place."""
    yield from _with_ransoms(position, None, Move(discards=discards))


def _with_ransoms(position: Position, placement: Placement | None, begun: Move) -> Iterator[Move]:
    """Yield every action without a ransom, with a late one, and with an early one.

    A late ransom is left out where the same ransom paid early leads to the same position.
    """
    held = [
        Ransom(captor, rank=rank)
        for captor, state in enumerate(position.players)
        for rank in sorted(set(state.part(TowerHoldings).held(position.to_move)))
    ]
    early = [ransom for ransom in held if not any(_not_bought(position, (ransom,)))]
    for ransoms in ((), *((ransom,) for ransom in early)):
        bought = replace(begun, ransoms=ransoms)
        stage = staged(position, placement, bought)
        for move in actions(stage, bought):
            yield move
            if not ransoms:
                yield from _late(position, placement, move, held)


def _late(
    position: Position, placement: Placement | None, move: Move, held: list[Ransom]
) -> Iterator[Move]:
    """Yield a move with every late ransom that no early one can stand for.

    Args:
        position: the position before the turn.
        placement: its tile.
        move: the move so far, without a ransom.
        held: the mover's followers that are held when the turn begins. Nobody takes one in it.

    """
    for ransom in held:
        late = replace(move, ransoms=(ransom._replace(late=True),))
        if any(rest(position, late, placement)):
            continue
        soon = replace(move, ransoms=(ransom,))
        if any(rest(position, soon, placement)) or (
            _after(position, placement, soon) != _after(position, placement, late)
        ):
            yield late


def _after(position: Position, placement: Placement | None, move: Move) -> Position:
    """Return the position after a move."""
    conduct = book_of(position.game).conduct
    if placement is None:
        return conduct.pass_turn(position, move).position
    return conduct.resolve(placement, move).position


def actions(stage: Stage, begun: Move) -> Iterator[Move]:
    """Yield a move with every legal action, none first.

    Args:
        stage: the table at the moment of the action.
        begun: the move so far: tiles drawn and laid, early ransoms.

    """
    yield begun
    if stage.placement is not None:
        at_action = replace(stage.placement, position=stage.position)
        for followers in deployable(at_action):
            if followers:
                yield replace(begun, followers=followers)
    laws = book_of(stage.position.game).actions
    for cell in tower_places(stage):
        piece = replace(begun, pieces=(cell,))
        captures = [(), *((capture,) for capture in _named(stage, piece))]
        ranks = (Rank.FOLLOWER, *stage.position.game.specials)
        guards = (replace(begun, guards=(Guard(cell, rank),)) for rank in ranks)
        for move in (*(replace(piece, captures=taken) for taken in captures), *guards):
            if not any(True for law in laws for _ in law(stage, move)):
                yield move


def _named(stage: Stage, piece: Move) -> Iterator[Capture]:
    """Yield the captures of a tower piece, with each follower that can come home for it."""
    for capture in targets(stage, piece):
        ranks = choices(stage, capture)
        yield from (
            (capture,) if len(ranks) < 2 else (capture._replace(back=rank) for rank in ranks)  # noqa: PLR2004
        )


def rest(position: Position, move: Move, placement: Placement | None) -> Iterator[Finding]:
    """Yield the faults of ransom, follower and actions."""
    soon = tuple(ransom for ransom in move.ransoms if not ransom.late)
    yield from ONCE(position, move.ransoms)
    yield from WINDOW(position, move.ransoms)
    wrong = tuple(_not_bought(position, soon))
    yield from wrong
    if placement is None and move.tile is not None:
        return  # The tile cannot be put on its cell; a turn without a tile has other rules.
    if wrong or len(move.ransoms) > 1:
        move = replace(move, ransoms=())
    broken = False
    stage = staged(position, placement, move)
    for finding in _misplaced(stage, move):
        broken = True
        yield finding
    late = tuple(ransom for ransom in move.ransoms if ransom.late)
    if late and not broken:
        unbought = _after(position, placement, replace(move, ransoms=()))
        yield from _not_bought(replace(unbought, to_move=position.to_move), late)


def _not_bought(position: Position, ransoms: tuple[Ransom, ...]) -> Iterator[Finding]:
    """Yield the reasons why ransoms cannot be paid at this moment."""
    yield from PRISONER(position, ransoms)
    yield from PRICE(position, ransoms)


def _misplaced(stage: Stage, move: Move) -> Iterator[Finding]:
    """Yield the faults of followers, tower pieces, prisoners and guards."""
    book = book_of(stage.position.game)
    if stage.placement is not None:
        at_action = replace(stage.placement, position=stage.position)
        for law in book.deployment:
            yield from law(at_action, move.followers)
    for action in book.actions:
        yield from action(stage, move)


def canonical(placement: Placement, move: Move) -> Move:
    """Return the canonical move: a ransom early where the time makes no difference.

    Who comes home by an exchange is named where there is a choice.
    """
    return _soonest(placement.position, placement, _unnamed(placement.position, placement, move))


def canonical_pass(position: Position, move: Move) -> Move:
    """Return the canonical form of a move that lays no tile, likewise."""
    return _soonest(position, None, _unnamed(position, None, move))


def _unnamed(position: Position, placement: Placement | None, move: Move) -> Move:
    """Return a legal move that names nobody who comes home where there is no choice."""
    named = any(capture.back is not None for capture in move.captures)
    if not named or any(rest(position, move, placement)):
        return move
    stage = staged(position, placement, move)
    captures = tuple(
        capture if len(choices(stage, capture)) > 1 else capture._replace(back=None)
        for capture in move.captures
    )
    return replace(move, captures=captures)


def _soonest(position: Position, placement: Placement | None, move: Move) -> Move:
    """Return a move with its ransom early if it is legal then and leads to the same position."""
    soon = replace(move, ransoms=tuple(ransom._replace(late=False) for ransom in move.ransoms))
    if soon == move or any(rest(position, move, placement)) or any(rest(position, soon, placement)):
        return move
    same = _after(position, placement, soon) == _after(position, placement, move)
    return soon if same else move
