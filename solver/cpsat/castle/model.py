"""The model of turns to come in a castle: placement, connectivity, scores, final scoring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.rules.castle.final_tiles import TARGETS
from model.rules.castle.wall_tiles import EXTRA_TURN
from model.switches import RETURN_ON_TIE
from solver.cpsat.base.cp import Expression
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Model, Term, no, weighted
from solver.cpsat.castle.contest import Contest, contested
from solver.cpsat.castle.empties import Empties, covering_area, empties, shown_area
from solver.cpsat.castle.ending import (
    End,
    best_uses,
    brought,
    chosen_uses,
    court_points,
    larger_keep,
    nines,
    targets,
)
from solver.cpsat.castle.features import Crowns, crowns, feature_vars
from solver.cpsat.castle.followers import at_hand, not_now, placing, supplied
from solver.cpsat.castle.instance import holes, looked_at, survey
from solver.cpsat.castle.markers import EACH, Track, tracking, within_reach
from solver.cpsat.castle.scoring import points, worth
from solver.cpsat.castle.wall_tiles import (
    Doubled,
    Hands,
    doubled_once,
    doubling,
    numbered,
    within_hands,
)
from solver.cpsat.castle.whose_turn import Turns, turning
from solver.cpsat.connectivity.protocol import Encoding
from solver.cpsat.shared.claims import Claims
from solver.cpsat.shared.contacts import Contacts, contacts
from solver.cpsat.shared.features import FeatureVars, gone_home
from solver.cpsat.shared.placement import PlacementVars, place_tiles
from solver.cpsat.shared.points import Piece, total
from solver.limits import Clock
from solver.problem import Goal, Play, Problem

Played = Mapping[tuple[int, int], Sequence[Piece]]
"""By leader and player: what the feature brings him in play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastlePlay:
    """The turns to come as variables, without final scoring."""

    logic: Logic
    instance: Instance
    placement: PlacementVars
    turns: Turns
    claims: Claims
    features: tuple[FeatureVars, ...]
    crowned: Crowns
    doubled: Doubled
    played: Played
    track: Track
    hands: Hands
    towers: frozenset[str]
    """The corner towers whose wall tiles matter; who takes others is left open."""

    def won(self, player: int) -> Won:
        """Return what a player has in play: all that he scores, but for stops at gates."""
        start = self.instance.position.players[player].score
        pieces = [
            piece for (_, who), some in self.played.items() if who == player for piece in some
        ]
        if player not in self.track.stopped:
            return Won(start, tuple(pieces))
        jumps = self.track.jumps[player]
        score = jumps[-1].place.score if jumps else start
        # A gate takes points away and never gives any, which the formulas of its stops hide.
        self.logic.model.add(score <= start + weighted(total(self.logic, pieces)))
        return Won(score, ())


class Won(NamedTuple):
    """What a player has when the last tile is laid."""

    score: Expression
    pieces: tuple[Piece, ...]
    """Points that come to the score, as terms."""


def castle_play(  # noqa: PLR0913 -- all that makes a model
    logic: Logic,
    instance: Instance,
    encoding: Encoding,
    *,
    counted: Collection[int] = (0, 1),
    alone: int | None = None,
    horizon: int | None = None,
    single: bool = False,
) -> CastlePlay:
    """Make the variables of turns to come with the rules of a castle.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        encoding: how it is said what is connected.
        counted: the players whose points count.
        alone: the player to whom all turns belong; None if both play.
        horizon: no turn begins after so many tiles; None for no limit.
        single: whether it is one turn: what players hold after it does not matter, and to
            explain something they may wish for wall tiles and followers that rules forbid.

    """
    position = instance.position
    (asker,) = counted if len(counted) == 1 else (None,)
    wished = EACH if single and logic.explain else 0
    reach = within_reach(instance, asker, wished)
    placement = place_tiles(logic, instance, horizon)
    ones = (reach.most(0, EXTRA_TURN), reach.most(1, EXTRA_TURN))
    turns = turning(logic, instance, placement, ones, alone)
    claims = placing(logic, instance, placement, turns, single=single)
    touching = contacts(logic, instance, placement)
    joined = encoding.join(logic, instance, touching, claims.on)
    walls = holes(instance)
    features = feature_vars(logic, instance, placement, touching, joined, claims, walls)
    on_tie = position.game.value(RETURN_ON_TIE) == "on"
    home = gone_home(logic, instance, features, on_tie=on_tie)
    supplied(logic, instance, turns, claims, home)
    at_hand(logic, instance, turns, claims, home)
    not_now(logic, instance, claims, features)
    crowned = crowns(logic, instance, claims, features)
    doubled = doubling(logic, instance, turns, features, reach)
    doubled_once(logic, crowned, doubled)
    played = _played(logic, instance, features, doubled, crowned)
    _needed(logic, touching, features, played, len(instance.kinds) - 1)
    terms = {key: [piece.term for piece in pieces] for key, pieces in played.items()}
    track = tracking(logic, instance, turns, features, terms, reach, counted)
    numbers = numbered(logic, instance, () if single else reach.towers)
    hands = Hands(logic=logic, instance=instance, turns=turns, takes=track.takes, numbers=numbers)
    within_hands(logic, instance, turns, features, doubled, crowned.barred, hands)
    return CastlePlay(
        logic=logic,
        instance=instance,
        placement=placement,
        turns=turns,
        claims=claims,
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
    """Build the model of a problem with a known order in which everybody serves the asker.

    Args:
        problem: the question; its position is as the asker meets it.
        encoding: how it is said what is connected.
        clock: the time to build it; None for no limit.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    logic = Logic(explain=explain, watch=clock)
    position, asker = problem.position, problem.asker
    instance = survey(position, looked_at(position, problem.horizon))
    alone = asker if problem.play is Play.SOLITAIRE else None
    counted = {asker} if problem.goal is Goal.POINTS else {0, 1}
    play = castle_play(
        logic, instance, encoding, counted=counted, alone=alone, horizon=problem.horizon
    )
    all_drawn = len(instance.kinds) == len(position.order)
    end = End(
        logic=logic,
        instance=instance,
        features=play.features,
        claims=play.claims,
        crowned=play.crowned,
        hands=play.hands,
        over=no(play.placement.idle[-1]) if all_drawn else False,
        # In a solitaire the asker has the last turn too.
        last=play.turns.moves[-1] if alone is None else (asker == 0, asker == 1),
    )
    won = (play.won(0), play.won(1))
    board = empties(instance, play.placement)
    rivals = {0, 1} if problem.goal is Goal.POINTS else {1 - asker}
    contest = contested(end, board, rivals)
    value = _for_asker(end, board, contest, won[asker], asker)
    if problem.goal is Goal.LEAD:
        value -= _against(end, board, contest, won[1 - asker], 1 - asker)
    return Model(logic=logic, play=play, value=value)


def _played(
    logic: Logic,
    instance: Instance,
    features: Sequence[FeatureVars],
    doubled: Doubled,
    crowned: Crowns,
) -> Played:
    """Return what each feature brings whom in play: a king doubles it, or wall tiles do."""
    played: dict[tuple[int, int], list[Piece]] = {}
    for one in features:
        if one.complete is False:
            continue
        value = worth(logic, instance, one)
        for player in (0, 1):
            scored = logic.all_of((one.complete, one.wins[player]))
            if scored is not False:
                uses: tuple[Lit, ...] = doubled.get((one.leader, player), ())
                royal = crowned.royal.get((one.leader, player), False)
                if royal is not False:
                    uses = (logic.any_of((royal, *uses[:1])), *uses[1:])
                played[one.leader, player] = points(logic, one, value, player, scored, uses)
    return played


def _needed(
    logic: Logic, touching: Contacts, features: Sequence[FeatureVars], played: Played, last: int
) -> None:
    """Say once more what follows: where a part is scored, all cells that it needs are filled."""
    ways: dict[int, list[Lit]] = {}
    for one in features:
        for player in (0, 1):
            if (one.leader, player) in played:
                scored = logic.all_of((one.complete, one.wins[player]))
                for v, literal in one.members.items():
                    ways.setdefault(v, []).append(logic.all_of((scored, literal)))
    for v, literals in ways.items():
        logic.clause(no(logic.any_of(literals)), touching.shut[last][v])


def _for_asker(end: End, board: Empties, contest: Contest, won: Won, asker: int) -> Expression:
    """Return the asker's final score."""
    logic = end.logic
    uses = [*contest.uses[asker]]
    for number in sorted(TARGETS.keys() - contest.numbers[asker]):
        uses += chosen_uses(end, number, asker, targets(end, number, asker))
    pieces = [*won.pieces, *brought(logic, uses)]
    terms: list[Term] = [*total(logic, pieces), *court_points(end, asker), *nines(end, asker)]
    for ahead in (larger_keep(end, asker), contest.ahead[asker]):
        if logic.value(ahead) is not False:
            area = logic.integer(0, len(end.instance.empty), "shown")
            logic.model.add(area <= weighted(shown_area(logic, board, ahead)))
            terms.append((1, area))
    return won.score + weighted(terms) + contest.area[asker]


def _against(end: End, board: Empties, contest: Contest, won: Won, opponent: int) -> Expression:
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
