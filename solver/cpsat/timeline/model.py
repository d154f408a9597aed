"""The whole model of the turns to come: placement, connectivity, scores, final scoring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.rules.castle.final_tiles import TARGETS
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import RETURN_ON_TIE
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Expression
from solver.cpsat.timeline.claims import Claims, claiming, supplied
from solver.cpsat.timeline.contacts import Contacts, contacts
from solver.cpsat.timeline.contest import Contest, contested
from solver.cpsat.timeline.doubling import Doubled, doubling, within_hands
from solver.cpsat.timeline.empties import Empties, covering_area, empties, shown_area
from solver.cpsat.timeline.ending import (
    End,
    best_uses,
    brought,
    chosen_uses,
    court_points,
    larger_keep,
    nines,
    targets,
)
from solver.cpsat.timeline.features import Led, gone_home, leading
from solver.cpsat.timeline.ground import Ground, looked_at, survey
from solver.cpsat.timeline.hands import Hands, numbered
from solver.cpsat.timeline.joining import Encoding
from solver.cpsat.timeline.laying import Laying, laying
from solver.cpsat.timeline.prospects import prospects
from solver.cpsat.timeline.rings import rings
from solver.cpsat.timeline.specials import Crowns, at_hand, crowns, doubled_once, not_now
from solver.cpsat.timeline.track import Track, tracking
from solver.cpsat.timeline.turns import Turns, turning
from solver.cpsat.timeline.worth import Piece, Term, points, total, worth
from solver.outlook import Goal, Play, Task

Played = Mapping[tuple[int, int], Sequence[Piece]]
"""By leader and player: what the feature brings him in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The turns to come as variables, with what they stand for."""

    logic: Logic
    ground: Ground
    lie: Laying
    turns: Turns
    claims: Claims
    led: tuple[Led, ...]
    doubled: Doubled
    track: Track
    towers: frozenset[str]
    """The corner towers whose wall tiles matter; who takes others is left open."""
    value: Expression
    """What the end is worth to the asker. Of a solution that is not best it may be less than
    the play is worth, never more."""


def timeline(task: Task, encoding: Encoding, *, explain: bool = False) -> Timeline:
    """Build the model of a task with a known order in which everybody serves the asker.

    Args:
        task: the question; its position is as the asker meets it.
        encoding: how it is said what is connected.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time of the task is used up.

    """
    logic = Logic(explain=explain, watch=task.watch)
    position, asker = task.position, task.asker
    ground = survey(position, looked_at(position, task.horizon))
    chances = prospects(ground, asker if task.goal is Goal.POINTS else None)
    lie = laying(logic, ground, task.horizon)
    alone = asker if task.play is Play.SOLITAIRE else None
    ones = (chances.most(0, EXTRA_TURN), chances.most(1, EXTRA_TURN))
    turns = turning(logic, ground, lie, ones, alone)
    claims = claiming(logic, ground, lie, turns)
    touching = contacts(logic, ground, lie)
    joined = encoding.join(logic, ground, touching, claims.on)
    led = leading(logic, ground, lie, touching, joined, claims, rings(ground))
    on_tie = position.game.value(RETURN_ON_TIE) == "on"
    home = gone_home(logic, ground, led, on_tie=on_tie)
    supplied(logic, ground, turns, claims, home)
    at_hand(logic, ground, turns, claims, home)
    not_now(logic, ground, claims, led)
    crowned = crowns(logic, ground, claims, led)
    doubled = doubling(logic, ground, turns, led, chances)
    doubled_once(logic, crowned, doubled)
    played = _played(logic, ground, led, doubled, crowned)
    _needed(logic, touching, led, played, len(ground.kinds) - 1)
    terms = {key: [piece.term for piece in pieces] for key, pieces in played.items()}
    counted = {asker} if task.goal is Goal.POINTS else {0, 1}
    track = tracking(logic, ground, turns, led, terms, chances, counted)
    numbers = numbered(logic, ground, chances.towers)
    hands = Hands(logic=logic, ground=ground, turns=turns, takes=track.takes, numbers=numbers)
    within_hands(logic, ground, turns, led, doubled, crowned.barred, hands)
    all_drawn = len(ground.kinds) == len(position.order)
    over = no(lie.idle[-1]) if all_drawn else False
    end = End(
        logic=logic,
        ground=ground,
        led=led,
        claims=claims,
        crowned=crowned,
        hands=hands,
        over=over,
        # In a solitaire the asker has the last turn too.
        last=turns.moves[-1] if alone is None else (asker == 0, asker == 1),
    )
    won = tuple(_won(end, played, track, player) for player in (0, 1))
    board = empties(ground, lie)
    rivals = {0, 1} if task.goal is Goal.POINTS else {1 - asker}
    contest = contested(end, board, rivals)
    value = _for_asker(end, board, contest, won[asker], asker)
    if task.goal is Goal.LEAD:
        value -= _against(end, board, contest, won[1 - asker], 1 - asker)
    return Timeline(
        logic=logic,
        ground=ground,
        lie=lie,
        turns=turns,
        claims=claims,
        led=led,
        doubled=doubled,
        track=track,
        towers=frozenset(chances.towers),
        value=value,
    )


def _played(
    logic: Logic, ground: Ground, led: Sequence[Led], doubled: Doubled, crowned: Crowns
) -> Played:
    """Return what each feature brings whom in play: a king doubles it, or wall tiles do."""
    played: dict[tuple[int, int], list[Piece]] = {}
    for one in led:
        if one.complete is False:
            continue
        value = worth(logic, ground, one)
        for player in (0, 1):
            scored = logic.all_of((one.complete, one.wins[player]))
            if scored is not False:
                uses: tuple[Lit, ...] = doubled.get((one.leader, player), ())
                royal = crowned.royal.get((one.leader, player), False)
                if royal is not False:
                    uses = (logic.any_of((royal, *uses[:1])), *uses[1:])
                played[one.leader, player] = points(logic, one, value, scored, uses)
    return played


def _needed(
    logic: Logic, touching: Contacts, led: Sequence[Led], played: Played, last: int
) -> None:
    """Say once more what follows: where a part is scored, all cells that it needs are filled."""
    ways: dict[int, list[Lit]] = {}
    for one in led:
        for player in (0, 1):
            if (one.leader, player) in played:
                scored = logic.all_of((one.complete, one.wins[player]))
                for v, literal in one.members.items():
                    ways.setdefault(v, []).append(logic.all_of((scored, literal)))
    for v, literals in ways.items():
        logic.clause(no(logic.any_of(literals)), touching.shut[last][v])


class _Won(NamedTuple):
    """What a player has when the last tile is laid."""

    score: Expression
    pieces: tuple[Piece, ...]
    """Points that come to the score, as terms."""


def _won(end: End, played: Played, track: Track, player: int) -> _Won:
    """Return what a player has in play: all that he scores, unless a gate may stop his marker."""
    start = end.ground.position.players[player].score
    pieces = tuple(piece for (_, who), some in played.items() if who == player for piece in some)
    if player not in track.stopped:
        return _Won(start, pieces)
    jumps = track.stopped[player]
    score = jumps[-1].place.score if jumps else start
    # A gate takes points away and never gives any, which the formulas of its stops hide.
    end.logic.model.add(score <= start + weighted(total(end.logic, pieces)))
    return _Won(score, ())


def _for_asker(end: End, board: Empties, contest: Contest, won: _Won, asker: int) -> Expression:
    """Return the asker's final score."""
    logic = end.logic
    uses = [*contest.uses[asker]]
    for number in sorted(TARGETS.keys() - contest.numbers[asker]):
        uses += chosen_uses(end, number, asker, targets(end, number, asker))
    pieces = [*won.pieces, *brought(logic, uses)]
    terms: list[Term] = [*total(logic, pieces), *court_points(end, asker), *nines(end, asker)]
    for ahead in (larger_keep(end, asker), contest.ahead[asker]):
        if logic.value(ahead) is not False:
            area = logic.integer(0, len(end.ground.empty), "shown")
            logic.model.add(area <= weighted(shown_area(logic, board, ahead)))
            terms.append((1, area))
    return won.score + weighted(terms) + contest.area[asker]


def _against(end: End, board: Empties, contest: Contest, won: _Won, opponent: int) -> Expression:
    """Return the opponent's final score."""
    logic = end.logic
    terms: list[Term] = [
        *total(logic, [*won.pieces, *brought(logic, contest.uses[opponent])]),
        *court_points(end, opponent),
        *nines(end, opponent),
    ]
    score: Expression = won.score + weighted(terms) + contest.area[opponent]
    for number in sorted(TARGETS.keys() - contest.numbers[opponent]):
        score += best_uses(end, number, opponent)
    for ahead in (larger_keep(end, opponent), contest.ahead[opponent]):
        if logic.value(ahead) is not False:
            score += covering_area(logic, board, ahead)
    return score
