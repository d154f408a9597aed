"""The player to move at each tile, extra turns, and the supply of followers.

The turn of tile t is the turn in which it is drawn. A tile without a place changes neither player
nor extra turns; the next tile is drawn in the same turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, product, zip_longest

from burgrave.model.components import Rank
from burgrave.model.expansions.falcon.specials import NOT_NOW
from burgrave.model.expansions.falcon.switches import SPECIAL_LAST_TURN
from burgrave.model.rules.castle.followers import ONE, SUPPLY
from burgrave.model.rules.castle.wall_tiles import EXTRA
from burgrave.model.switches import EXTRA_TURN_IS_NEXT_TURN, WALL_1_CHAIN
from burgrave.solver.cpsat.base.cp import Lit, Literal, Logic, Term, added, no, weighted
from burgrave.solver.cpsat.base.features import (
    FeatureVars,
    Home,
    Moves,
    Turns,
    claiming,
    ranking,
    ranks_of,
)
from burgrave.solver.cpsat.base.instance import Part
from burgrave.solver.cpsat.base.placement import PlacementVars


@dataclass(frozen=True, slots=True, kw_only=True)
class CastleTable(Turns):
    """The turns to come, with extra turns, as literals."""

    extra: tuple[tuple[Lit, ...], ...]
    """By tile: whether at least 1, 2, … wall tiles 1 are played in its turn."""
    chained: tuple[Lit, ...]
    """By tile: before wall tiles 1 are played, an extra turn is pending or this is one."""
    rests: Moves
    """By tile and player: wall tiles and followers gained in its turn, or too late before it,
    cannot be used in the next turn."""

    def released(self, player: int, since: int, until: int) -> Lit:
        """Return whether a player's gain in the turn of tile ``since`` can be used in a later one.

        A gain too late before the first turn counts as one in it.
        """
        logic, laid = self.logic, self.placement.laid
        return logic.any_of(
            logic.all_of((laid[tile], no(self.rests[tile][player]))) for tile in range(since, until)
        )

    def placed(self, player: int, part: Part, rank: Rank) -> Lit:
        """Return whether a player places a follower of a rank on a new part."""
        its = self.has_rank(self.unit(part.tile), rank)
        return self.logic.all_of((self.claimed(player, part), its))

    def in_time(self, home: Home, player: int, part: int, tile: int) -> Lit:
        """Return whether the followers of a part came home in time for a turn.

        OR_u home[v,u] and not home[v,u-1] and released[u,t]
        """
        at = [home.get((part, u), False) for u in range(-1, tile)]
        usable = [self.released(player, u, tile) for u in range(tile)]
        if all(literal is True for literal in usable):
            return at[-1]
        steps = zip(at[1:], map(no, at), usable, strict=False)
        return self.logic.any_of(map(self.logic.all_of, steps))


def turning(
    placement: PlacementVars, most: tuple[int, int], *, alone: bool, single: bool
) -> CastleTable:
    """Make the literals of the player to move, of extra turns and of followers.

    ``most`` is the maximum number of wall tiles 1 that each player can play. All turns belong to
    the player to move if he is ``alone``. The explanation of a ``single`` turn may name the rule
    of one follower.
    """
    logic, position = placement.logic, placement.instance.position
    pending: list[Lit] = [True] * position.extra_turns
    within: Lit = position.in_extra_turn
    black: Lit = position.to_move == 1
    rows: list[tuple[tuple[Lit, ...], tuple[Lit, ...], Lit, Lit]] = []
    last = len(position.order) - 1
    for tile, laid in enumerate(placement.laid):
        mover = (no(black), black)
        extra = _played(logic, tile, laid, mover, most)
        chained = logic.any_of((*pending[:1], within))
        if position.game.value(WALL_1_CHAIN) != "on" and extra:
            # chain → (extra ≥ 1 → extra + pending + within ≤ 1)
            logic.demand(EXTRA, no(extra[0]), no(chained))
            if len(extra) > 1:
                logic.demand(EXTRA, no(extra[1]))
        due = added(logic, pending, extra)
        goes_on = logic.all_of((laid, *due[:1])) if due and tile < last else False
        rows.append((mover, extra, chained, goes_on))
        # pending after: due less one if the turn goes on; unchanged if the tile is gone.
        pending = [
            logic.any_of((logic.all_of((goes_on, less)), logic.all_of((no(laid), same))))
            for less, same in zip_longest(due[1:], pending, fillvalue=False)
        ]
        within = logic.any_of((goes_on, logic.all_of((no(laid), within))))
        if not alone:
            passes = logic.all_of((laid, no(goes_on)))
            stays = logic.all_of((black, no(passes)))
            black = logic.any_of((stays, logic.all_of((no(black), passes))))
    waits = position.game.value(EXTRA_TURN_IS_NEXT_TURN) == "off"
    moves = tuple(row[0] for row in rows)
    on = _claims(placement, single=single)
    return CastleTable(
        placement=placement,
        moves=moves,
        on=on,
        ranks=_ranking(placement, on),
        extra=tuple(row[1] for row in rows),
        chained=tuple(row[2] for row in rows),
        rests=tuple(tuple(logic.all_of((waits, row[3], mine)) for mine in row[0]) for row in rows),
    )


def _played(
    logic: Logic, tile: int, laid: Lit, moves: tuple[Lit, Lit], most: tuple[int, int]
) -> tuple[Lit, ...]:
    """Return decisions "at least j wall tiles 1 are played"; j+1 → j → the player has them."""
    extra: list[Lit] = []
    for j in range(max(most)):
        able = logic.any_of(moves[player] for player in (0, 1) if most[player] > j)
        if able is False or laid is False:
            break
        one = logic.decision(f"extra{tile},{j + 1}")
        for needed in (laid, able, *extra[-1:]):
            logic.clause(~one, needed)
        extra.append(one)
    return tuple(extra)


def _claims(placement: PlacementVars, *, single: bool) -> dict[int, Literal]:
    """Make the variables of followers: at most one in a turn, on the tile laid."""
    logic, on = placement.logic, claiming(placement)
    for tile in range(len(placement.laid)):
        here = [on[part.number] for part in placement.instance.new_of(tile)]
        if single and logic.explain:
            for first, second in combinations(here, 2):
                logic.demand(ONE, ~first, ~second)
        else:
            logic.model.add_at_most_one(here)
    return on


def _ranking(
    placement: PlacementVars, on: Mapping[int, Literal]
) -> dict[tuple[int, Rank], Literal]:
    """Make the variables of ranks; by a switch nobody of a rank is placed in the last turn."""
    logic, instance = placement.logic, placement.instance
    game, tiles = instance.position.game, range(len(placement.laid))
    found = ranking(logic, game, [[on[p.number] for p in instance.new_of(t)] for t in tiles])
    for (tile, _), literal in found.items():
        last = tile == len(instance.position.order) - 1
        if last and game.value(SPECIAL_LAST_TURN) == "off":
            logic.demand(NOT_NOW, ~literal)
    return found


def supplied(table: CastleTable, home: Home) -> None:
    """Demand that each follower, king and falconer comes from the supply.

    supply → Σ placed up to turn t ≤ supply now + Σ came home in time for t, for each rank
    """
    logic, instance = table.logic, table.instance
    law = logic.law(SUPPLY)
    ranks = ranks_of(instance.position.game)
    for (player, state), rank in product(enumerate(instance.position.players), ranks):
        placed: list[Term] = []
        turns_so_far = 0
        for tile in range(len(instance.kinds)):
            placed += [(1, table.placed(player, part, rank)) for part in instance.new_of(tile)]
            turns_so_far += table.moves[tile][player] is not False
            if turns_so_far <= state.available(rank):
                continue
            back: list[Term] = [(state.resting(rank), table.released(player, 0, tile))]
            for number in sorted({v for v, _ in home}):
                part, count = instance.parts[number], 1
                there = table.in_time(home, player, number, tile)
                if part.old:
                    mine = (player, rank)
                    count = sum((f.player, f.rank) == mine for f in part.feature.followers)
                else:
                    there = logic.all_of((there, table.placed(player, part, rank)))
                back.append((count, there))
            terms = [*placed, *((-weight, literal) for weight, literal in back)]
            low = -sum(weight for weight, _ in back)
            logic.within_if(law, weighted(terms), low, state.available(rank))


def not_now(table: CastleTable, features: Iterable[FeatureVars]) -> None:
    """Demand that no king or falconer is placed on a feature that his tile completes.

    not-now and rank[r,t] and y[v] and within[l,v] → not done[l,t]
    """
    logic = table.logic
    for (tile, _), rank in table.ranks.items():
        for part in table.instance.new_of(tile):
            stands = table.on[part.number]
            for one in features:
                within, done = one.members.get(part.number, False), one.done.get(tile, False)
                logic.demand(NOT_NOW, ~rank, no(stands), no(within), no(done))
