"""The moves of the markers on the track, the wall tiles that they take, and those in hand.

A player's first follower on a feature names the feature. So a marker has at most one move for
each follower. The moves are in the order of turns; within a turn their order is a decision. In a
variant of The Falcon gates stop markers. Then the place of the marker is the player's score.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from burgrave.model.book import book_of
from burgrave.model.expansions.falcon.switches import GATE_STOP, GATE_STOP_PLACE
from burgrave.model.games import Game
from burgrave.model.rules.castle.setup import WALL_TILE_NUMBERS
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, HIDDEN, MUST, WHEN, unseen
from burgrave.model.switches import (
    LAST_TURN_WALL_TILES,
    WALL_1_CHAIN,
    WALL_TAKE_MOMENT,
    WALL_TILES_OPTIONAL,
)
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.base.cp import Expression, IntVar, Lit, Logic, Term, no, weighted
from burgrave.solver.cpsat.base.features import FeatureVars, Piece, bunches, total
from burgrave.solver.cpsat.base.instance import Instance
from burgrave.solver.cpsat.castle.features import NUMBER_FOR, Earned, Earning
from burgrave.solver.cpsat.castle.turns import CastleTable

OF_EACH_NUMBER = 2
"""Wall tiles of each number in the game."""
MOST_TIMES = 4
"""A feature may be doubled twice, by both tiles of a number."""
TowerNumbers = Mapping[str, Mapping[int, Lit]]
"""By tower and possible number: whether the wall tile there has this number."""
Takes = Mapping[tuple[int, str, int], Lit]
"""By player, tower and tile: he takes the wall tile there in the tile's turn."""
MANY = 99
"""More than all wall tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinReach:
    """Limits known without a solve."""

    instance: Instance
    towers: Mapping[str, int]
    """By name of each corner tower that a marker may reach: the number of its wall tile, or 0
    for a face-down one."""
    landings: Mapping[tuple[int, str], tuple[int, ...]]
    """By player and tower: the scores within his reach that land on it."""
    gates: tuple[tuple[int, ...], ...]
    """By player: the scores within his reach after which a gate stops his marker."""
    wished: int = 0
    """Wall tiles of each number that an explanation lets a player use without having them."""

    def most(self, player: int, number: int) -> int:
        """Return the maximum number of wall tiles of a number that a player can use in play."""
        state = self.instance.position.players[player]
        held = state.wall_tiles.count(number)
        if len(self.instance.kinds) < 2:  # noqa: PLR2004 -- a new wall tile is used in a later turn
            return max(held, self.wished)
        held += state.fresh_wall_tiles.count(number)
        taken = sum(
            what in {0, number} and (player, tower) in self.landings
            for tower, what in self.towers.items()
        )
        return max(held + taken, self.wished)


def within_reach(instance: Instance, wished: int = 0) -> WithinReach:
    """Return the limits of markers and wall tiles."""
    position, board = instance.position, instance.position.game.board
    held = dict(position.towers)
    gain = _most_points(instance)
    gates: set[int] = set()
    if board.gates and position.game.value(GATE_STOP) == "on":
        gates = {gate.after for gate in board.gates}
    landings: dict[tuple[int, str], tuple[int, ...]] = {}
    for (player, state), tower in product(enumerate(position.players), board.towers):
        reach = range(state.score + 1, state.score + gain + 1)
        scores = tuple(s for s in reach if s % board.track in tower.spaces)
        if scores and tower.name in held:
            landings[player, tower.name] = scores
    return WithinReach(
        instance=instance,
        wished=wished,
        towers={tower: held[tower] for _, tower in landings},
        landings=landings,
        gates=tuple(
            tuple(s for s in range(state.score, state.score + gain) if s % board.track in gates)
            for state in position.players
        ),
    )


def _most_a_tile(game: Game) -> dict[Kind, int]:
    """Return the maximum points of a tile by kind: doubled by marks, wall tiles or a king.

    A king and wall tiles do not double the same feature.
    """
    found = {}
    for kind, worth in book_of(game).table(game).items():
        times = MOST_TIMES if kind in NUMBER_FOR else 2 if game.specials else 1
        found[kind] = worth.a_tile(len(worth.steps), times)
    return found


def _most_points(instance: Instance) -> int:
    """Return an upper bound of points in play: all that can be complete, doubled."""
    fillable = {cell for spots in instance.spots for cell, _ in spots}
    closable = {
        part.number
        for part in instance.parts
        if part.needs <= fillable and len(part.needs) <= len(instance.kinds)
    }
    most = _most_a_tile(instance.position.game)
    return sum(
        times * bunch.tiles
        for kind, times in most.items()
        for bunch in bunches(instance, kind)
        if bunch.parts & closable
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gain:
    """The points of a player by one of his followers."""

    by: tuple[Lit, ...]
    """By tile: whether they are scored by the end of the tile's turn."""
    points: IntVar
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """The m-th move of a player's marker."""

    by: tuple[Lit, ...]
    """By tile: whether it is made by the end of the tile's turn."""
    score: Expression
    """The marker's place after it, laps included."""
    at_gate: Lit
    """Whether the marker then stands on the gate after that space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """The moves of the markers in play."""

    takes: Takes
    """The wall tiles taken, with player and turn."""
    jumps: Mapping[int, Sequence[Jump]]
    """By player whose order of scoring may matter: the moves of his marker."""
    stopped: tuple[int, ...]
    """The players whose marker a gate may stop: their score is its place at the end. Others win
    the points of all that they score."""


def tracking(table: CastleTable, earned: Earned, reach: WithinReach, asker: int | None) -> Track:
    """Make the variables of the markers.

    ``asker`` is the only player whose points count; None if those of both do.

    takes[p,w,t] ↔ p has landed on w by t, nobody by t-1, and the mover does not precede p in t
    """
    logic, count = table.logic, len(table.instance.kinds)
    resting = table.instance.position.game.value(WALL_TAKE_MOMENT) == "end_of_turn"
    landed: dict[tuple[int, str], tuple[Lit, ...]] = {}
    jumps: dict[int, Sequence[Jump]] = {}
    stopped = tuple(player for player in (0, 1) if asker in {None, player} and reach.gates[player])
    for player in (0, 1):
        mine = {tower: s for (who, tower), s in reach.landings.items() if who == player}
        if player in stopped or mine:
            gains = _gains(table, [one for one in earned.values() if one.player == player])
            jumps[player] = _jumps(table, gains, player, reach.gates[player])
        for tower, scores in mine.items():
            landed[player, tower] = _landed(logic, count, jumps[player], scores, resting=resting)
    takes: dict[tuple[int, str, int], Lit] = {}
    for (player, tower), here in landed.items():
        theirs = landed.get((1 - player, tower), (False,) * count)
        for tile in range(count):
            before = (here[tile - 1], theirs[tile - 1]) if tile else ()
            later = logic.all_of((theirs[tile], table.moves[tile][1 - player]))
            takes[player, tower, tile] = logic.all_of((here[tile], *map(no, before), no(later)))
    sure = {key: literal for key, literal in takes.items() if literal is not False}
    return Track(takes=sure, jumps=jumps, stopped=stopped)


def _gains(table: CastleTable, earned: Sequence[Earning]) -> list[_Gain]:
    """Return the points of each follower of a player; the first on a feature gets them.

    first[j,r] ↔ the player scores r, j is on r, and no earlier follower of his is on r

    first[j,r] → gained[j] = points of r; no first[j,·] → gained[j] = 0
    """
    logic = table.logic
    on = [(mine, mine.one.on[mine.player]) for mine in earned if mine.pieces]
    found = []
    for key in sorted({key for _, here in on for key in here}):
        ways: list[tuple[Lit, Earning]] = []
        for mine, here in on:
            if key in here:
                earlier = [no(literal) for other, literal in here.items() if other < key]
                scored = mine.one.scored(logic, mine.player)
                first = logic.all_of((scored, here[key], *earlier))
                if first is not False:
                    ways.append((first, mine))
        if not ways:
            continue
        by = tuple(
            logic.any_of(
                logic.all_of((first, mine.one.done.get(tile, False))) for first, mine in ways
            )
            for tile in range(len(table.moves))
        )
        most = max(sum(piece.weight for piece in mine.pieces) for _, mine in ways)
        gained = logic.integer(0, most, "gained")
        logic.equal_if(no(by[-1]), gained, 0)
        for first, mine in ways:
            logic.equal_if(first, gained, weighted(piece.term for piece in mine.pieces))
        found.append(_Gain(by=by, points=gained, most=most))
    return found


def _jumps(
    table: CastleTable, gains: Sequence[_Gain], player: int, gates: Sequence[int]
) -> list[Jump]:
    """Return the moves of a marker in order: one for each follower that scores.

    Σ_m place[j,m] = scored[j]; Σ_j place[j,m] ≤ 1; move m+1 → move m, in each turn
    """
    logic, position = table.logic, table.instance.position
    state, count = position.players[player], len(gains)
    place = [[logic.decision(f"place{j},{m}") for m in range(count)] for j in range(count)]
    for j, gain in enumerate(gains):
        logic.model.add_exactly_one([*place[j], no(gain.by[-1])])
    limit = state.score + sum(gain.most for gain in gains)
    tiles = range(len(table.moves))
    jumps = [Jump(by=(True,) * len(tiles), score=state.score, at_gate=state.at_gate)]
    for m in range(count):
        here, column = jumps[-1], [place[j][m] for j in range(count)]
        logic.model.add_at_most_one(column)
        by = tuple(
            logic.any_of(logic.all_of((column[j], gain.by[tile])) for j, gain in enumerate(gains))
            for tile in tiles
        )
        for late, early in zip(by, here.by, strict=True):
            logic.clause(no(late), early)
        reach = logic.integer(state.score, limit, f"marker{m}")
        logic.equal_if(no(by[-1]), reach, here.score)
        for j, gain in enumerate(gains):
            logic.equal_if(column[j], reach, here.score + gain.points)
        score, at_gate = _marched(logic, position.game, here, reach, by[-1], gates, limit)
        jumps.append(Jump(by=by, score=score, at_gate=at_gate))
    return jumps[1:]


def _marched(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    game: Game,
    here: Jump,
    reach: Expression,
    moved: Lit,
    gates: Sequence[int],
    farthest: int,
) -> tuple[Expression, Lit]:
    """Return the place of a marker after a gain: the first gate on its way, or the end.

    ``here`` is the move before, ``reach`` its score if no gate stopped it, ``moved`` whether it
    moves. ``gates`` are ascending.

    stop(g) ↔ here + at_gate ≤ g < reach and no earlier stop; by a switch here < g

    stop(g) → score = g; no stop → score = reach
    """
    if not gates:
        return reach, False
    before = game.value(GATE_STOP_PLACE) == "space_before"
    least = here.score + (1 if before else weighted([(1, here.at_gate)]))
    after = logic.integer(0, farthest, "score")
    stopped: Lit = False
    for gate in gates:
        ahead = logic.within(least, 0, gate)
        stop = logic.all_of((ahead, no(logic.within(reach, 0, gate)), no(stopped)))
        logic.equal_if(stop, after, gate)
        stopped = logic.any_of((stopped, stop))
    logic.equal_if(no(stopped), after, reach)
    waits = logic.all_of((here.at_gate, no(moved)))
    return after, waits if before else logic.any_of((stopped, waits))


def _landed(
    logic: Logic, count: int, jumps: Sequence[Jump], scores: Sequence[int], *, resting: bool
) -> tuple[Lit, ...]:
    """Return by tile whether a marker has landed on a tower by the end of its turn.

    ``scores`` land on it. If ``resting``, the marker must stand there at the end of a turn.
    """
    ways: list[list[Lit]] = [[] for _ in range(count)]
    for m, jump in enumerate(jumps):
        stands = logic.any_of(logic.within(jump.score, score, score) for score in scores)
        there = logic.all_of((jump.by[-1], stands, no(jump.at_gate)))
        if resting and m + 1 < len(jumps):
            # The next move is in the same turn.
            further = zip(jumps[m + 1].by, (False, *jump.by), strict=False)
            goes_on = logic.any_of(logic.all_of((now, no(before))) for now, before in further)
            there = logic.all_of((there, no(goes_on)))
        for tile in range(count):
            ways[tile].append(logic.all_of((there, jump.by[tile])))
    return tuple(logic.any_of(literals) for literals in ways)


def numbered(logic: Logic, instance: Instance, towers: Collection[str]) -> TowerNumbers:
    """Return the numbers of the wall tiles on towers; those of face-down ones are decisions.

    hidden → Σ_w a[w,n] ≤ wall tiles n not yet seen, for each number n

    A face-down wall tile is left out if no marker may land on its tower.
    """
    found: dict[str, dict[int, Lit]] = {}
    for tower, number in instance.position.towers:
        if number:
            found[tower] = {number: True}
        elif tower in towers:
            found[tower] = {n: logic.decision(f"{tower} is {n}") for n in WALL_TILE_NUMBERS}
            logic.model.add_exactly_one(found[tower].values())
    pool = unseen(instance.position)
    hidden = [numbers for numbers in found.values() if len(numbers) > 1]
    for number in WALL_TILE_NUMBERS if hidden else ():
        turned_up = weighted((1, numbers[number]) for numbers in hidden)
        logic.within_if(logic.law(HIDDEN), turned_up, 0, max(0, pool[number]))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CastlePlay:
    """The turns to come as variables, without final scoring."""

    table: CastleTable
    features: Sequence[FeatureVars]
    earned: Earned
    track: Track
    numbers: TowerNumbers
    towers: frozenset[str]
    """The corner towers whose wall tiles matter; the model leaves the others out."""

    @property
    def logic(self) -> Logic:
        """The model."""
        return self.table.logic

    @property
    def instance(self) -> Instance:
        """The position and the tiles to come."""
        return self.table.instance

    def won(self, player: int) -> tuple[Expression, Sequence[Piece]]:
        """Return a player's score and the points to be added to it, when the last tile is laid."""
        start = self.instance.position.players[player].score
        mine = [one for one in self.earned.values() if one.player == player]
        pieces = [piece for one in mine for piece in one.pieces]
        if player not in self.track.stopped:
            return start, pieces
        jumps = self.track.jumps[player]
        score = jumps[-1].score if jumps else start
        # A gate only takes points away; this redundant limit propagates better than its formulas.
        self.logic.model.add(score <= start + weighted(total(self.logic, pieces)))
        return score, ()

    def held(self, kind: Kind, player: int) -> list[tuple[FeatureVars, Lit]]:
        """Return the uncompleted features of a kind that a player holds at the end."""
        found: list[tuple[FeatureVars, Lit]] = []
        for one in self.features:
            if one.kind is kind:
                leads = one.members[one.leader]
                literal = self.logic.all_of((leads, one.wins[player], no(one.complete)))
                if literal is not False:
                    found.append((one, literal))
        return found

    def hand(self, player: int, number: int, tile: int | None = None) -> list[Term]:
        """Return the wall tiles of a number that a player can have used by a tile's turn.

        With None, return those of final scoring. Those taken in the last turn count by a switch.
        """
        table, position = self.table, self.instance.position
        state = position.players[player]
        last = position.game.value(LAST_TURN_WALL_TILES) == "on"
        until = tile if tile is not None else len(position.order) - (not last)
        usable = [tile is None or table.released(player, when, tile) for when in range(until)]
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), tile is None or table.released(player, 0, tile)),
        ]
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    (numbers[number], self.track.takes.get((player, tower, when), False), now)
                    for when, now in enumerate(usable)
                )
                terms.append((1, table.logic.any_of(map(table.logic.all_of, ways))))
        return [term for term in terms if term[0] and term[1] is not False]

    def most(self, player: int, number: int) -> int:
        """Return the maximum number of wall tiles of a number that a player can have."""
        return sum(count for count, _ in self.hand(player, number))


def within_hands(play: CastlePlay) -> None:
    """Demand that no player uses more wall tiles than he has, or fewer than he must.

    when → Σ used up to turn t ≤ Σ usable by t

    must → no wall tile 1 in hand, if a further turn is possible

    must → (completed in his own turn and a wall tile in hand → doubled or barred)
    """
    table, logic, position = play.table, play.logic, play.instance.position
    must = position.game.value(WALL_TILES_OPTIONAL) != "on"
    chain = position.game.value(WALL_1_CHAIN) != "off"
    for player, tile in product((0, 1), range(len(table.moves))):
        mine = table.moves[tile][player]
        spent: list[Term] = [
            (1, logic.all_of((one, moves[player])))
            for extra, moves in zip(table.extra[: tile + 1], table.moves, strict=False)
            for one in extra
        ]
        left = _in_hand(play, player, EXTRA_TURN, tile, spent)
        if must and tile < len(position.order) - 1:
            excuse = () if chain else (*table.extra[tile][:1], table.chained[tile])
            laid = table.placement.laid[tile]
            some = logic.within(left, 1, MANY)
            logic.demand(MUST, no(laid), no(mine), no(some), *excuse)
        for kind, number in NUMBER_FOR.items():
            able = [
                earning
                for earning in play.earned.values()
                if earning.uses and earning.one.kind is kind and earning.player == player
            ]
            spent = [
                (1, logic.all_of((use, earning.one.done.get(tile, False))))
                for earning in able
                for use in earning.uses
            ]
            left = _in_hand(play, player, number, tile, spent)
            for earning in able if must else ():
                now, wins = earning.one.completed_in(logic, tile), earning.one.wins[player]
                some = logic.within(left, 1, MANY)
                forced = (now, wins, mine, some)
                logic.demand(MUST, *map(no, forced), earning.barred, earning.uses[0])


def _in_hand(
    play: CastlePlay, player: int, number: int, tile: int, spent: Sequence[Term]
) -> Expression:
    """Return a player's wall tiles of a number after a turn; demand that they are not negative."""
    left = weighted(play.hand(player, number, tile)) - weighted(spent)
    if any(literal is not False for _, literal in spent):
        play.logic.within_if(play.logic.law(WHEN), left, 0, MANY)
    return left
