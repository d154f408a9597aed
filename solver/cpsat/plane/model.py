"""The whole model of the turns to come in Carcassonne: tiles, followers, towers, final scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from model.position import Position
from model.rules.carcassonne.followers import ROLE
from model.rules.tower.actions import ONE_ACTION
from model.switches import FARMERS
from model.tiles import Kind
from solver.cpsat.base.cp import Literal
from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic, Model, Term, no, weighted
from solver.cpsat.connectivity.protocol import Encoding
from solver.cpsat.plane.features import feature_vars
from solver.cpsat.plane.instance import survey
from solver.cpsat.plane.prisoners import Custody, custody, solvent, supplied
from solver.cpsat.plane.scoring import cloisters, farms, roads_and_cities
from solver.cpsat.plane.towers import Table, Towers, reaching, taking, towering
from solver.cpsat.shared.claims import Moves, claiming
from solver.cpsat.shared.contacts import contacts
from solver.cpsat.shared.features import FeatureVars, gone_home
from solver.cpsat.shared.placement import PlacementVars, place_tiles
from solver.cpsat.shared.points import Piece, total
from solver.limits import Clock
from solver.problem import Goal, Play, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanePlay:
    """The turns to come as variables, without what they are worth."""

    table: Table
    features: tuple[FeatureVars, ...]
    custody: Custody

    def income(self, pieces: Sequence[Piece], by: int | None = None) -> list[list[Term]]:
        """Return what each player wins, to the end or by the end of a turn, ransoms included.

        Args:
            pieces: what features bring.
            by: the tile of the turn; None for the end.

        """
        logic = self.table.logic
        before = None if by is None else by + 1
        return [
            [
                *total(logic, (one for one in pieces if one.player == player), by),
                *self.custody.income(player, before),
            ]
            for player in range(len(self.table.instance.position.players))
        ]


def plane_play(
    logic: Logic, instance: Instance, encoding: Encoding, *, alone: bool = False
) -> PlanePlay:
    """Make the variables of turns to come with the rules of Carcassonne.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        encoding: how it is said what is connected.
        alone: whether all turns belong to the player to move.

    """
    position = instance.position
    placement = place_tiles(logic, instance)
    moves = moving(logic, position, placement, alone=alone)
    barred = {Kind.FIELD: ROLE} if position.game.value(FARMERS) == "off" else {}
    claims = claiming(logic, instance, placement, moves, barred)
    towers = towering(logic, instance, placement, moves)
    for tile in range(len(instance.kinds)):
        _one_action(logic, claims.of_turn(instance, tile), towers, tile)
    table = Table(
        logic=logic,
        instance=instance,
        placement=placement,
        moves=moves,
        claims=claims,
        towers=towers,
    )
    reached = reaching(table)
    touching = contacts(logic, instance, placement)
    joined = encoding.join(logic, instance, touching, claims.on, towers.freed(logic, instance))
    features = feature_vars(logic, instance, placement, touching, joined, claims, towers)
    home = gone_home(logic, instance, features)
    taking(table, reached, home)
    held = custody(table)
    supplied(table, held, home)
    return PlanePlay(table=table, features=features, custody=held)


def moving(logic: Logic, position: Position, placement: PlacementVars, *, alone: bool) -> Moves:
    """Return whose turn it is at each tile: the next player's after a tile that was laid.

    Args:
        logic: the model.
        position: the position; its player to move begins.
        placement: where the tiles lie.
        alone: whether all turns belong to the player to move.

    """
    number = len(position.players)
    row: tuple[Lit, ...] = tuple(player == position.to_move for player in range(number))
    moves = [row]
    for laid in placement.laid[:-1]:
        if not alone:
            row = tuple(
                logic.any_of(
                    (
                        logic.all_of((laid, row[player - 1])),
                        logic.all_of((no(laid), row[player])),
                    )
                )
                for player in range(number)
            )
        moves.append(row)
    return tuple(moves)


def plane_model(
    problem: Problem, encoding: Encoding, clock: Clock | None = None, *, explain: bool = False
) -> Model[PlanePlay]:
    """Build the model of a problem with a known order in which everybody serves the asker.

    Args:
        problem: the question, to the end of the game; its position is as the asker meets it.
        encoding: how it is said what is connected.
        clock: the time to build it; None for no limit.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    logic = Logic(explain=explain, watch=clock)
    position = problem.position
    instance, cities = survey(
        position, clock, farthest=len(position.order + position.bag) if explain else 0
    )
    play = plane_play(logic, instance, encoding, alone=problem.play is Play.SOLITAIRE)
    pieces = [
        *roads_and_cities(logic, instance, play.features),
        *cloisters(logic, instance, play.table.placement, play.features),
        *farms(logic, instance, cities, play.features),
    ]
    solvent(play.table, play.custody, pieces)
    terms = play.income(pieces)
    scores = [
        state.score + weighted(mine) for state, mine in zip(position.players, terms, strict=True)
    ]
    value = scores[problem.asker]
    if problem.goal is Goal.LEAD and len(scores) > 1:
        most = sum(abs(w) for mine in terms for w, _ in mine)
        most += sum(state.score for state in position.players)
        value = logic.integer(-most, most, "lead")
        for player, theirs in enumerate(scores):
            if player != problem.asker:
                logic.model.add(value <= scores[problem.asker] - theirs)
    return Model(logic=logic, play=play, value=value)


def _one_action(logic: Logic, placed: Sequence[Literal], towers: Towers, tile: int) -> None:
    """Demand that in a turn one follower, guard or tower piece is placed at most.

    Whether the rule holds or not there is one of each sort.
    """
    pieces, guards = towers.of_turn(tile)
    if not logic.explain:
        logic.model.add_at_most_one([*placed, *pieces, *guards])
        return
    logic.model.add_at_most_one([*placed, *guards])
    logic.model.add_at_most_one(pieces)
    for piece, other in product(pieces, (*placed, *guards)):
        logic.clause(no(logic.law(ONE_ACTION)), ~piece, ~other)
