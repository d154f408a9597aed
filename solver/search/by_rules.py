"""Engines that play every turn through the rules engine: proofs that do not rest on the kernel.

``exhaustive`` is the slow definition of each answer: nothing is cut off, remembered or reordered.
Unknowns are resolved as the problem says: the next tile at its draw, the number of a face-down wall
tile when a marker takes it. Decisions after that moment may depend on it, decisions before may not.

``alphabeta`` leaves out turns that cannot change the answer (D. Knuth and R. Moore, An analysis of
alpha-beta pruning, 1975). Of ``b`` turns in each position about ``b ** (d / 2)`` lines remain if
the best turn comes first. The kernel proposes which turn that is. A wrong proposal costs time and
changes no value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import permutations, product, takewhile
from typing import NamedTuple

from burgrave.model.book import book_of
from burgrave.model.castle.markers import outcomes
from burgrave.model.castle.plans import doublings
from burgrave.model.castle.rewards import claims_of
from burgrave.model.castle.turn import turns
from burgrave.model.claims import Turn
from burgrave.model.draws import Draw, drawn, draws, stuck
from burgrave.model.engine import play
from burgrave.model.errors import QuestionError
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.laying import deployable, lay
from burgrave.model.placement import Placement
from burgrave.model.places import can_lie, placeable, places, vacant
from burgrave.model.position import Move, Position, ScoreStep
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, WALL_TILES, unseen
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE, WALL_TAKE_MOMENT
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, OutOfTimeError, Reporter
from burgrave.solver.problem import TWO, Play, Problem, TileOrder, face_down, has_unknowns
from burgrave.solver.result import NOTHING, Result, RootMove, Status, TooLargeError

Worths = tuple[Fraction, ...]
"""A value: the asker's, and the others' if each plays for himself."""
Token = tuple[str, object]
"""A decision or a revelation within a turn."""
BEYOND_VALUES = 1 << 61
"""Beyond every value."""
PROPOSING = 100_000
"""Turns that the kernel may search for a proposal."""


class ExhaustiveEngine:
    """Answers every problem by trying everything."""

    name = "exhaustive"

    def answers(self, problem: Problem) -> bool:  # noqa: ARG002 -- every problem
        """Tell that it answers every problem."""
        return True

    def solve(
        self,
        problem: Problem,
        limits: Limits = NO_LIMIT,
        reporter: Reporter = SILENT,  # noqa: ARG002 -- it has nothing to tell
    ) -> Result:
        """Answer a problem, or tell the best first moves found in the time."""
        clock = limits.start()
        search = _Exhaustive(problem, clock)
        at = problem.begin(problem.position)
        try:
            value, first = search.root(at)
        except (OutOfTimeError, KeyboardInterrupt):
            # With one first tile the mover can have the best of the moves tried.
            tried = search.tried if len(list(chances(at))) == 1 else []
            found = [RootMove(move=move, value=worths[0]) for move, worths in tried]
            return _stopped(problem, at, found, clock.nodes)
        return Result(status=Status.OPTIMAL, value=value, first=first, nodes=clock.nodes)


def _stopped(problem: Problem, at: Position, tried: Sequence[RootMove], nodes: int) -> Result:
    """Return the result of a stopped search: the mover, if served, has the best move tried."""
    if not tried or not problem.serves(at.to_move):
        return replace(NOTHING, nodes=nodes)
    best = max(one.value for one in tried)
    return Result(
        status=Status.BOUND,
        value=best,
        first=tuple(one for one in tried if problem.every or one.value == best),
        complete=False,
        nodes=nodes,
    )


class _Way(NamedTuple):
    """One way to end a turn: the move, and the decisions and revelations in it in order."""

    move: Move
    tokens: tuple[Token, ...]


class _Exhaustive:
    """One search."""

    def __init__(self, problem: Problem, clock: Clock) -> None:
        """Remember the problem, and the clock that counts the turns."""
        self.problem = problem
        self.clock = clock
        self.tried: list[tuple[Move, Worths]] = []

    def value(self, at: Position, laid: int) -> Worths:
        """Return the values of a position, ``laid`` tiles after the question; see ``worths``."""
        if at.over:
            return self._ended(final_scoring(at).scores)
        if self.problem.horizon is not None and laid >= self.problem.horizon:
            return self._ended([player.score for player in at.players])
        best = self._choice(at)
        cases = ((chance, self._moves(at, draw, laid)) for chance, draw in chances(at))
        return self._unknown([(chance, best(v for _, v in moves)) for chance, moves in cases])

    def root(self, at: Position) -> tuple[Fraction, tuple[RootMove, ...]]:
        """Return the value of a position and its first moves, in the order of the rules engine."""
        if at.over or self.problem.horizon == 0:
            return self.value(at, 0)[0], ()
        cases, first = [], []
        for chance, draw in chances(at):
            self.tried = moves = []
            for move, worths in self._moves(at, draw, 0):
                moves.append((move, worths))
            value = self._choice(at)(value for _, value in moves)
            cases.append((chance, value))
            first += [pair for pair in moves if self.problem.every or pair[1][0] == value[0]]
        return self._unknown(cases)[0], tuple(
            RootMove(move=move, value=value[0], line=self._line(at, move)) for move, value in first
        )

    def _ended(self, totals: Sequence[int]) -> Worths:
        """Return the value of an end."""
        return tuple(Fraction(worth) for worth in self.problem.worths(*totals))

    def _choice(self, at: Position) -> Callable[[Iterable[Worths]], Worths]:
        """Return the choice function of the player to move."""
        return partial(max, key=partial(self.problem.liking, at.to_move))

    def _line(self, at: Position, move: Move) -> tuple[Move, ...]:
        """Return a first move with best play after it, if all is known."""
        if self.problem.order is not TileOrder.GIVEN:
            return ()
        line, laid = [move], 0
        while True:
            self.clock.tick()
            at, laid = self.problem.begin(play(at, move).position), laid + len(drawn(move))
            if at.over or (self.problem.horizon is not None and laid >= self.problem.horizon):
                return tuple(line)
            liking = partial(self.problem.liking, at.to_move)
            moves = self._moves(at, next(draws(at)), laid)
            move, _ = max(moves, key=lambda pair: liking(pair[1]))
            line.append(move)

    def _unknown(self, cases: Sequence[tuple[Fraction, Worths]]) -> Worths:
        """Return the value of an unknown from its cases, each a chance and a value."""
        values = [value for _, value in cases]
        if len(cases) == 1:
            return values[0]
        if self.problem.order is TileOrder.CHOOSE:
            return max(values)
        if self.problem.order is TileOrder.ANY:
            return min(values)
        weighed = [[chance * worth for worth in value] for chance, value in cases]
        return tuple(sum(worths, Fraction(0)) for worths in zip(*weighed, strict=True))

    def _moves(self, at: Position, draw: Draw, laid: int) -> Iterator[tuple[Move, Worths]]:
        """Yield every move with a tile and its value."""
        laid += len(draw.discards) + (draw.tile is not None)
        if draw.tile is not None and face_down(at):
            for placement in placements(at, draw):
                yield from self._with_reveals(placement, draw, laid)
            return
        for move, after in listed(at, draw, self.clock):
            yield move, self.value(self.problem.begin(after), laid)

    def _with_reveals(
        self, placement: Placement, draw: Draw, laid: int
    ) -> Iterator[tuple[Move, Worths]]:
        """Yield the moves with a tile on its cell; some may take a face-down wall tile.

        Of moves with the same decisions up to the first revelation the first stands for all.
        """
        for deployments in deployable(placement):
            moves = list(turns(placement, draw.discards, deployments))
            if _reveals_none(placement, moves):
                for move in moves:
                    yield move, self.value(self._resolved(placement, move), laid)
                continue
            groups: dict[tuple[Token, ...], list[_Way]] = {}
            for way in _ways(placement, moves[0]):
                decided = tuple(takewhile(lambda token: token[0] != "shown", way.tokens))
                groups.setdefault(decided, []).append(way)
            for decided, group in groups.items():
                yield group[0].move, self._decide(placement, group, len(decided), laid)

    def _decide(self, placement: Placement, ways: Sequence[_Way], depth: int, laid: int) -> Worths:
        """Return the value of a turn of which some decisions and revelations are made."""
        self.clock.tick()
        following: dict[Token, list[_Way]] = {}
        for way in ways:
            if len(way.tokens) == depth:
                return self.value(self._resolved(placement, way.move), laid)
            following.setdefault(way.tokens[depth], []).append(way)
        kind, what = next(iter(following))
        if kind == "shown":
            return self._shown(placement, ways, depth, str(what), laid)
        return self._choice(placement.position)(
            self._decide(placement, group, depth + 1, laid) for group in following.values()
        )

    def _shown(
        self, placement: Placement, ways: Sequence[_Way], depth: int, tower: str, laid: int
    ) -> Worths:
        """Return the value where the wall tile of a tower is turned over."""
        pool = unseen(placement.position)
        pool.subtract(number for _, number in ways[0].move.reveals)
        cases = []
        for number, count in sorted((+pool).items()):
            told = [
                way._replace(move=replace(way.move, reveals=(*way.move.reveals, (tower, number))))
                for way in ways
            ]
            value = self._decide(placement, told, depth + 1, laid)
            cases.append((Fraction(count, pool.total()), value))
        return self._unknown(cases)

    def _resolved(self, placement: Placement, move: Move) -> Position:
        """Return the position after a move whose tile is on the board."""
        self.clock.tick()
        resolve = book_of(placement.position.game).conduct.resolve
        return self.problem.begin(resolve(placement, move).position)


def chances(at: Position) -> Iterator[tuple[Fraction, Draw]]:
    """Yield the possible draws, each with its probability."""
    known = stuck(at)
    if known < len(at.order):
        yield Fraction(1), Draw(at.order[:known], at.order[known])
        return
    found = defaultdict[Draw, Fraction](Fraction)
    for gone, tile, chance in _from_bag(at, (), Counter(at.bag), Fraction(1)):
        found[Draw((*at.order, *gone), tile)] += chance
    # No tile is laid in one case alone: all are gone.
    yield from ((chance, draw) for draw, chance in sorted(found.items()))


def _from_bag(
    at: Position, gone: tuple[str, ...], bag: Counter[str], chance: Fraction
) -> Iterator[tuple[tuple[str, ...], str | None, Fraction]]:
    """Yield the ways to draw from a bag: tiles without a place, the tile laid, its chance.

    Tiles without a place leave in any order; the same tiles and draw come several times then.
    """
    if not bag:
        yield gone, None, chance
    for tile in sorted(bag):
        part = chance * Fraction(bag[tile], bag.total())
        if placeable(at, tile):
            yield gone, tile, part
        else:
            rest = bag - Counter({tile: 1})
            yield from _from_bag(at, tuple(sorted((*gone, tile))), rest, part)


def placements(at: Position, draw: Draw, like: Move | None = None) -> Iterator[Placement]:
    """Yield every way to lay the tile of a draw, or the one way of a move if it is legal."""
    if like is None or draw.tile is None:
        tiles = places(at, draw.tile or "")
    else:
        laid = like.laid(at.game.tile_set.kind(draw.tile))
        tiles = iter([laid] if laid.cell in {*vacant(at)} and can_lie(at, laid) else [])
    before = position_features(at)
    for tile in tiles:
        yield lay(at, tile, before, draw.discards)


def listed(
    at: Position, draw: Draw, clock: Clock, like: Move | None = None
) -> Iterator[tuple[Move, Position]]:
    """Yield the legal turns, or those that lay the tile like a move, in the rules' order.

    The position after a turn is found when the caller asks for it, and ``clock`` counts it then.
    """
    conduct = book_of(at.game).conduct
    if draw.tile is None:
        for move in conduct.passes(at, draw.discards):
            clock.tick()
            yield move, conduct.pass_turn(at, move).position
        return
    for placement in placements(at, draw, like):
        for move in conduct.turns(placement, draw.discards):
            if like is None or move == like:
                clock.tick()
                yield move, conduct.resolve(placement, move).position


def _reveals_none(placement: Placement, moves: Sequence[Move]) -> bool:
    """Tell whether none of some moves takes a face-down wall tile."""
    hidden = {tower for tower, number in placement.position.towers if not number}
    return not any(
        take.tower in hidden
        for move in moves
        for end in outcomes(placement.position, claims_of(placement, move.followers), move.scoring)
        for take in end.takes
    )


def _ways(placement: Placement, move: Move) -> Iterator[_Way]:
    """Yield every way to score the turn of a legal move, with every order in full."""
    position = placement.position
    claims = claims_of(placement, move.followers)
    mover = position.to_move
    mine = [i for i, claim in enumerate(claims) if claim.winner == mover]
    theirs = [i for i, c in enumerate(claims) if c.winner is not None and c.winner != mover]
    ones = range(placement.mover.wall_tiles.count(EXTRA_TURN) + 1)
    orders = [own + other for own in permutations(mine) for other in permutations(theirs)]
    for used, order, extra in product(doublings(position, claims), orders, ones):
        steps = tuple(ScoreStep(claims[i].feature.anchor, used[i]) for i in order)
        doubling = sorted(n for i in mine for n in used[i])
        early = position.game.value
        declared = [EXTRA_TURN] * extra if early(WALL_1_DECLARE) == "before_draw" else []
        declared += doubling if early(WALL_DOUBLE_DECLARE) == "before_draw" else []
        way = replace(
            move, scoring=steps, extra_turns=extra, declared=tuple(sorted(declared)), reveals=()
        )
        turn = Turn(position=position, move=way, claims=claims)
        if not any(True for law in WALL_TILES for _ in law(turn)):
            yield _Way(way, tuple(_tokens(turn, order)))


def _tokens(turn: Turn, order: Sequence[int]) -> Iterator[Token]:
    """Yield the decisions and revelations of a turn in their order."""
    position, move = turn.position, turn.move
    yield "declared", move.declared
    hidden = {tower for tower, number in position.towers if not number}
    shown: set[str] = set()
    at_once = position.game.value(WALL_TAKE_MOMENT) == "each_feature"
    for step in range(len(order) + 1):
        if step:
            yield "scored", move.scoring[step - 1]
        # The features scored so far decide the towers taken; later ones change nothing.
        partial = move.scoring[:step]
        claims = [turn.claims[index] for index in order[:step]]
        (end,) = outcomes(position, claims, partial) if step else (None,)
        for take in end.takes if end is not None else ():
            if take.tower in hidden - shown and (at_once or step == len(order)):
                shown.add(take.tower)
                yield "shown", take.tower
    yield "extra", move.extra_turns


class AlphabetaEngine:
    """Answers what a player forces to the end if all tiles to come are known."""

    name = "alphabeta"

    def answers(self, problem: Problem) -> bool:
        """Tell whether nothing is hidden and two players play against each other."""
        position = problem.position
        return (
            problem.play is Play.AGAINST
            and problem.order is TileOrder.GIVEN
            and problem.horizon is None
            and len(position.players) == TWO
            and not has_unknowns(position)
        )

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Answer a problem, or tell the best first moves found in the time."""
        search, at = _Tree(problem, limits.start(), reporter), problem.position
        try:
            search.root(at)
            every = [move for move, _ in listed(at, next(draws(at)), search.clock)]
        except (OutOfTimeError, KeyboardInterrupt):
            return _stopped(problem, at, search.found, search.clock.nodes)
        choose = max if problem.serves(at.to_move) else min
        value = choose(one.value for one in search.found)
        known = {one.move: one for one in search.found if problem.every or one.value == value}
        first = tuple(known[move] for move in every if move in known)
        return Result(status=Status.OPTIMAL, value=value, first=first, nodes=search.clock.nodes)


class _Tree:
    """One search."""

    def __init__(self, problem: Problem, clock: Clock, reporter: Reporter) -> None:
        """Remember the problem, and the clock that counts the turns."""
        self.problem, self.clock, self.reporter = problem, clock, reporter
        self.found: list[RootMove] = []
        """First moves with exact values so far."""
        self._killers: dict[int, Move] = {}

    def root(self, at: Position) -> None:
        """Find the first moves that are not worse than the best, or every one, with lines."""
        serving, best = self.problem.serves(at.to_move), None
        for move, after in self._turns(at):
            low, high = -BEYOND_VALUES, BEYOND_VALUES
            if best is not None and not self.problem.every:
                # The windows let moves through that are as good as the best.
                low, high = (best - 1, high) if serving else (low, best + 1)
            value, line = self._value(after, low, high)
            if not low < value < high:
                continue
            self.found.append(RootMove(move=move, value=Fraction(value), line=(move, *line)))
            if best is None or (value > best if serving else value < best):
                best = value
                self.reporter.found(Fraction(value))

    def _value(self, at: Position, low: int, high: int) -> tuple[int, tuple[Move, ...]]:
        """Return the value of a position, exact within a window, and best play from it."""
        if at.over:
            return self.problem.worth(*final_scoring(at).scores), ()
        serving, best, line = self.problem.serves(at.to_move), 0, None
        for move, after in self._turns(at):
            value, rest = self._value(after, low, high)
            if line is None or (value > best if serving else value < best):
                best, line = value, (move, *rest)
            if serving:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                self._killers[len(at.order)] = move
                break
        return best, line or ()

    def _turns(self, at: Position) -> Iterator[tuple[Move, Position]]:
        """Yield the legal turns with the positions after them, likely refutations first."""
        draw, tried = next(draws(at)), set[Move]()
        # The kernel is asked late: a killer that refutes saves the proposal.
        for guess in (self._killer, self._proposed):
            likely = guess(at)
            if likely and likely.cell and likely.tile == draw.tile and likely not in tried:
                for move, after in listed(at, draw, self.clock, likely):
                    tried.add(move)
                    yield move, after
        yield from (pair for pair in listed(at, draw, self.clock) if pair[0] not in tried)

    def _killer(self, at: Position) -> Move | None:
        """Return the turn that refuted last with as many tiles to come."""
        return self._killers.get(len(at.order))

    def _proposed(self, at: Position) -> Move | None:
        """Return the turn that the kernel holds for best; None if it has no answer."""
        from burgrave.solver.search.question import Ending  # noqa: PLC0415 -- numba loads late

        try:
            ending = Ending(at, PROPOSING)
            return ending.move(ending.best().turns[0])
        except (QuestionError, OutOfTimeError, TooLargeError):
            return None
