"""Compare the solution of a puzzle with a try: where the points differ, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from burgrave.model.engine import judge, legal_moves
from burgrave.model.errors import NotationError
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.rule import Event
from burgrave.puzzles.questions.wording import listed, named, noun
from burgrave.puzzles.study.study import Other, Step, Study


class Change(NamedTuple):
    """Points that a player has more, or less, for one thing in the solution than after a try."""

    player: int
    points: int
    thing: str
    event: Event
    """The event of the solution; of the try if the solution has none."""


def served(study: Study) -> int:
    """Return the player whose value counts."""
    return study.asker if study.served is None else study.served


def account(study: Study) -> list[Event]:
    """Return every event of a line and of final scoring that changes points."""
    events = [event for step in study.steps for event in step.events]
    ends = study.final.events if study.final is not None else ()
    return [event for event in (*events, *ends) if event.points and event.player is not None]


def changes(study: Study, other: Other) -> list[Change]:
    """Return where the points of the solution and of a try differ, largest differences first.

    Returns:
        The differences; none if they do not add up to the difference of the two values, as where
        the play after the try is not stored.

    """
    tried = study.tried(other)
    if study.to_the_end and (study.final is None or tried.final is None):
        return []
    left, found = account(tried), list[Change]()
    for event in account(study):
        near = {at: _common(study, event, tried, one) for at, one in enumerate(left)}
        twins = [at for at, common in near.items() if common and left[at].player == event.player]
        twin = left[max(twins, key=near.__getitem__)] if twins else None
        if twin is not None:
            left.remove(twin)
        found.append(_change(event, event.points - (twin.points if twin else 0)))
    found += [_change(event, -event.points) for event in left]
    # Where points alone count, what others win is nothing to the asker.
    helped = study.values == "points"
    found = [one for one in found if one.points and not (helped and one.player != served(study))]
    gained = study.value - other.value
    if study.values == "result":  # It says nothing of points: the leads at the end do.
        gained = _lead(study) - _lead(tried)
    if _total(study, found) != gained:
        return []
    return sorted(found, key=lambda one: -abs(one.points))


def _lead(study: Study) -> Fraction:
    """Return the lead at the end of a line of the player whose value counts."""
    assert study.final is not None
    scores, own = study.final.scores, served(study)
    return Fraction(scores[own] - max((*scores[:own], *scores[own + 1 :])))


def _change(event: Event, points: int) -> Change:
    """Return a difference for the thing of an event; who need not pay gains what he keeps."""
    kept = " not paid" if event.points < 0 < points else ""
    return Change(event.player or 0, points, f"{named(event)}{kept}", event)


def _common(study: Study, event: Event, tried: Study, other: Event) -> int:
    """Return how many segments the things have in common that two lines score; 0 if none.

    Things without segments have one in common if they are of one kind.
    """
    if noun(event) != noun(other):
        return 0
    if event.anchor is None or other.anchor is None:
        return len({*event.cells} & {*other.cells}) or not (event.cells or other.cells)
    ours, theirs = study.end_features, tried.end_features
    return len({*ours.at(event.anchor).nodes} & {*theirs.at(other.anchor).nodes})


def keeps_share(study: Study, other: Other, change: Change) -> bool:
    """Tell whether the asker scores something for the thing of a difference after a try too."""
    tried = study.tried(other)
    at = study if change.event in account(study) else tried
    own = [one for one in account(tried) if one.player == study.asker]
    return any(_common(tried, one, at, change.event) for one in own)


def _total(study: Study, found: Sequence[Change]) -> int:
    """Return what differences are worth to the player whose value counts."""
    own = served(study)
    return sum(one.points * (1 if one.player == own else -1) for one in found)


class Cause(Enum):
    """The reason why a try is worse than the solution."""

    SPENT = "spent"
    """The follower whom the solution places later is gone."""
    CAPTURED = "captured"
    """The opponent takes the follower prisoner."""
    PLACE = "place"
    """The opponent lays his tile where the solution lays one."""
    SHARED = "shared"
    """The opponent wins or shares what the solution keeps."""
    HANDED = "handed"
    """The opponent scores something that the solution keeps from him."""
    MISSED = "missed"
    """The asker gets less for something."""


class Reason(NamedTuple):
    """A cause with the thing that it decides."""

    cause: Cause
    change: Change
    cell: Cell | None = None
    """The cell in question, for ``PLACE``."""


def reason(study: Study, other: Other) -> Reason | None:
    """Return the most telling reason why a try is worse; None if the lines tell none."""
    found = [one for one in changes(study, other) if _good(study, one)]
    if not study.opposed or study.forcing:
        # Nobody takes anything away: the largest difference is the reason.
        return next((Reason(Cause.MISSED, one) for one in found), None)
    # A small difference is no reason beside a large one.
    large = [one for one in found if 2 * abs(one.points) >= abs(found[0].points)]
    asked = (
        (_spent, large),
        (_captured, large[:1]),
        (_shared, large),
        (_place, large[:1]),
        (_last, large[:1]),
    )
    for test, within in asked:
        for change in within:
            for told in test(study, other, change):
                return told
    return None


def _good(study: Study, change: Change) -> bool:
    """Tell whether a difference speaks for the solution."""
    return (change.points > 0) is (change.player == served(study))


def _spent(study: Study, other: Other, change: Change) -> Iterator[Reason]:
    """Yield the reason that no follower is left for what the solution scores."""
    if change.player != study.asker or change.event not in account(study):
        return
    mine = [step for step in study.steps if step.mover == study.asker]
    his = [step for step in other.steps if step.mover == study.asker]
    for step, instead in zip(mine[1:], his[1:], strict=False):
        state = instead.before.players[study.asker]
        placed = any(one.cell in change.event.cells for one in step.move.followers)
        if placed and not state.supply and not state.specials:
            yield Reason(Cause.SPENT, change)


def _captured(study: Study, other: Other, change: Change) -> Iterator[Reason]:
    """Yield the reason that the reply takes the asker's follower on a feature prisoner."""
    for reply in _replies(study, other):
        if any(one.cell == other.step.move.cell for one in reply.move.captures):
            yield Reason(Cause.CAPTURED, change, other.step.move.cell)


def _place(study: Study, other: Other, change: Change) -> Iterator[Reason]:
    """Yield the reason that the reply takes a cell that the solution fills."""
    cells = {step.move.cell for step in study.steps if step.mover == study.asker}
    for reply in _replies(study, other):
        cell = reply.move.cell
        if cell is not None and cell in cells and cell != other.step.move.cell:
            yield Reason(Cause.PLACE, change, cell)


def _shared(study: Study, other: Other, change: Change) -> Iterator[Reason]:
    """Yield the reason that the opponent scores the asker's feature, alone or too."""
    if not change.event.cells or noun(change.event) in {"wall tile", "empty area", "cloister"}:
        return
    tried = study.tried(other)
    at = study if change.event in account(study) else tried
    rivals = [one for one in account(tried) if one.player != study.asker and one.points > 0]
    mine = [one for one in account(study) if one.player == study.asker and one.points > 0]
    for one in rivals:
        his = [late for late in account(study) if late.player == one.player]
        kept = [
            own
            for own in mine
            if _common(study, own, tried, one)
            and not any(_common(study, late, study, own) for late in his)
        ]
        if kept and _common(at, change.event, tried, one):
            yield Reason(Cause.SHARED, change._replace(thing=named(kept[0])))


def _last(study: Study, other: Other, change: Change) -> Iterator[Reason]:  # noqa: ARG001 -- as the others
    """Yield the reason that the opponent scores more, or the asker less."""
    yield Reason(Cause.MISSED if change.player == study.asker else Cause.HANDED, change)


def _replies(study: Study, other: Other) -> Iterator[Step]:
    """Yield the opponent's first turn after a try, if there is one."""
    yield from [step for step in other.steps[1:] if step.mover != study.asker][:1]


def prevented(study: Study, other: Other) -> Step | None:
    """Return the reply to a try that was possible before the key and is not after it, if any."""
    for reply in _replies(study, other):
        after = study.key.after
        if after.over or after.to_move != reply.mover or after.order != reply.before.order:
            return None
        before = replace(study.position, to_move=reply.mover, order=reply.before.order)
        text = write_move(reply.before, reply.move)
        if _possible(before, text) and not _possible(after, text):
            return reply
    return None


def _deed(step: Step) -> str:
    """Return what stands on the tile of a turn; the word tile if nothing does."""
    return next(iter(_deeds(step.move)), "tile")


def _deeds(move: Move) -> list[str]:
    """Return the titles of the followers that a turn places."""
    return [one.title for one in move.followers]


def denied(study: Study, stopped: Step) -> str:
    """Return what the key rules out: such turns on a cell, or what cannot be done there."""
    move, deed = stopped.move, _deed(stopped)
    left = [one for one in legal_moves(study.key.after) if one.cell == move.cell]
    taken = {one.cell for one in move.captures} - {one.cell for man in left for one in man.captures}
    if not left or (move.followers and all(deed not in _deeds(one) for one in left)):
        return f"{deed} on {move.cell}"
    if taken:
        return f"capture on {listed([*map(str, sorted(taken))])}"
    if all(one.rotation != move.rotation for one in left):
        turned = "turned" if deed == "tile" else "with the tile turned"
        return f"{deed} on {move.cell} {turned} this way"
    if move.followers:
        return f"{deed} on one part of {move.cell}"
    return f"turn {write_move(stopped.before, move)}"


def _possible(position: Position, text: str) -> bool:
    """Tell whether a move is legal; it may name tiles that do not lie on the board."""
    try:
        return judge(position, read_move(position, text)).legal
    except NotationError:
        return False
