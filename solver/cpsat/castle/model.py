"""The model of turns to come in a castle: placement, connectivity, scores, final scoring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.rules.castle.final_tiles import TARGETS
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import RETURN_ON_TIE
from solver.cpsat.base.connectivity import Encoding
from solver.cpsat.base.cp import Expression
from solver.cpsat.base.features import FeatureVars, Piece, gone_home, total
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Model, weighted
from solver.cpsat.base.placement import contacts, place_tiles
from solver.cpsat.castle.contest import Contest, contested
from solver.cpsat.castle.ending import (
    End,
    best_uses,
    brought,
    chosen_uses,
    empties,
    larger_keep,
    largest_area,
    scored_if,
    sure_points,
    targets,
)
from solver.cpsat.castle.features import Crowns, crowns, feature_vars, points, worth
from solver.cpsat.castle.instance import holes, survey
from solver.cpsat.castle.markers import OF_EACH_NUMBER, Track, tracking, within_reach
from solver.cpsat.castle.turns import CastleTable, not_now, placing, supplied, turning
from solver.cpsat.castle.wall_tiles import (
    Doubled,
    Hands,
    doubled_once,
    doubling,
    numbered,
    within_hands,
)
from solver.limits import Clock
from solver.problem import Goal, Play, Problem

Played = Mapping[tuple[int, int], Sequence[Piece]]
"""By leader and player: the feature's points for him in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastlePlay:
    """The turns to come as variables, without final scoring."""

    table: CastleTable
    features: tuple[FeatureVars, ...]
    crowned: Crowns
    doubled: Doubled
    played: Played
    track: Track
    hands: Hands
    towers: frozenset[str]
    """The corner towers whose wall tiles matter; the model leaves the others out."""

    def won(self, player: int) -> Won:
        """Return a player's points in play, with the stops of his marker at gates."""
        logic = self.table.logic
        start = self.table.instance.position.players[player].score
        pieces = [
            piece for (_, who), some in self.played.items() if who == player for piece in some
        ]
        if player not in self.track.stopped:
            return Won(start, tuple(pieces))
        jumps = self.track.jumps[player]
        score = jumps[-1].place.score if jumps else start
        # A gate only takes points away; this redundant limit propagates better than its formulas.
        logic.model.add(score <= start + weighted(total(logic, pieces)))
        return Won(score, ())


class Won(NamedTuple):
    """A player's points when the last tile is laid."""

    score: Expression
    pieces: tuple[Piece, ...]
    """Points to be added to the score, as terms."""


def castle_play(  # noqa: PLR0913 -- all that makes a model
    logic: Logic,
    instance: Instance,
    encoding: Encoding,
    *,
    counted: Collection[int] = (0, 1),
    alone: int | None = None,
    single: bool = False,
) -> CastlePlay:
    """Make the variables of turns to come with the rules of a castle.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        encoding: the encoding of connectivity.
        counted: the players that the objective counts.
        alone: the player to whom all turns belong; None if both play.
        single: whether it is one turn. Then wall tiles taken do not matter, and an
            explanation may use wall tiles and followers that rules forbid.

    """
    (asker,) = counted if len(counted) == 1 else (None,)
    reach = within_reach(instance, asker, OF_EACH_NUMBER if single and logic.explain else 0)
    placement = place_tiles(logic, instance)
    ones = (reach.most(0, EXTRA_TURN), reach.most(1, EXTRA_TURN))
    table = placing(turning(placement, ones, alone), single=single)
    touching = contacts(placement)
    joined = encoding.join(placement, touching, table.claims.on)
    features = feature_vars(table, touching, joined, holes(instance))
    on_tie = instance.position.game.value(RETURN_ON_TIE) == "on"
    home = gone_home(placement, features, on_tie=on_tie)
    supplied(table, home)
    not_now(table, features)
    crowned = crowns(table, features)
    doubled = doubling(table, features, reach)
    doubled_once(logic, crowned, doubled)
    played = _played(table, features, doubled, crowned)
    terms = {key: [piece.term for piece in pieces] for key, pieces in played.items()}
    track = tracking(table, features, terms, reach, counted)
    numbers = numbered(logic, instance, () if single else reach.towers)
    hands = Hands(table=table, takes=track.takes, numbers=numbers)
    within_hands(features, doubled, crowned, hands)
    return CastlePlay(
        table=table,
        features=features,
        crowned=crowned,
        doubled=doubled,
        played=played,
        track=track,
        hands=hands,
        towers=frozenset(reach.towers),
    )


def castle_model(
    problem: Problem, encoding: Encoding, clock: Clock | None = None, *, explain: bool = False
) -> Model[CastlePlay]:
    """Build the model of a problem with a known order in which all players serve the asker.

    Args:
        problem: the question; its position is as the asker meets it.
        encoding: the encoding of connectivity.
        clock: the time to build it; None for no limit.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    logic = Logic(explain=explain, watch=clock)
    position, asker = problem.position, problem.asker
    instance = survey(position, len(position.order))
    alone = asker if problem.play is Play.SOLITAIRE else None
    counted = {asker} if problem.goal is Goal.POINTS else {0, 1}
    play = castle_play(logic, instance, encoding, counted=counted, alone=alone)
    end = End(
        table=play.table,
        features=play.features,
        crowned=play.crowned,
        hands=play.hands,
        # In a solitaire the last turn is the asker's too.
        last=play.table.turns.moves[-1] if alone is None else (asker == 0, asker == 1),
    )
    won = (play.won(0), play.won(1))
    area = largest_area(logic, empties(play.table.turns.placement))
    rivals = {0, 1} if problem.goal is Goal.POINTS else {1 - asker}
    contest = contested(end, area, rivals)
    value = _final_score(end, area, contest, won[asker], asker, own=True)
    if problem.goal is Goal.LEAD:
        value = value - _final_score(end, area, contest, won[1 - asker], 1 - asker, own=False)
    return Model(logic=logic, play=play, value=value)


def _played(
    table: CastleTable, features: Sequence[FeatureVars], doubled: Doubled, crowned: Crowns
) -> Played:
    """Return the points of each feature in play, doubled by a king or by wall tiles."""
    logic = table.logic
    played: dict[tuple[int, int], list[Piece]] = {}
    for one in features:
        if one.complete is False:
            continue
        value = worth(logic, table.instance, one)
        for player in (0, 1):
            scored = one.scored(logic, player)
            if scored is not False:
                uses: tuple[Lit, ...] = doubled.get((one.leader, player), ())
                royal = crowned.royal.get((one.leader, player), False)
                if royal is not False:
                    uses = (logic.any_of((royal, *uses[:1])), *uses[1:])
                played[one.leader, player] = points(logic, one, value, (player, scored), uses)
    return played


def _final_score(  # noqa: PLR0913 -- the parts of the formula
    end: End, area: Expression, contest: Contest, won: Won, player: int, *, own: bool
) -> Expression:
    """Return a player's final score, with an upper bound for the opponent's wall tiles."""
    logic, uses = end.logic, [*contest.uses[player]]
    score = won.score
    for number in sorted(TARGETS.keys() - contest.numbers[player]):
        if own:
            uses += chosen_uses(end, number, player, targets(end, number, player))
        else:
            score = score + best_uses(end, number, player)
    for ahead in (larger_keep(end, player), contest.ahead[player]):
        score = score + scored_if(logic, ahead, area, len(end.instance.empty))
    pieces = [*won.pieces, *brought(logic, uses)]
    return score + weighted([*total(logic, pieces), *sure_points(end, player)])
