"""Brute force: try everything and ask the rules. Slow and plain, for comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, permutations, product

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.draws import Draw, draws
from burgrave.model.engine import play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.features import Feature, position_features
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.position import Deployment, Move, Position, ScoreStep
from burgrave.model.rules.castle.wall_tiles import DOUBLERS, EXTRA_TURN
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.solver.limits import NO_LIMIT, SILENT, Limits, Reporter
from burgrave.solver.problem import Problem, the_draw
from burgrave.solver.result import Result, ScoredMove, best_listed, passing

MARGIN = 1
"""Cells around the castle that are tried too."""
MOST = 2
"""Wall tiles of one player that are tried on one feature."""
Uses = tuple[tuple[int, ...], ...]
"""For each feature, the wall tiles used on it."""


class BruteEngine:
    """Tries every cell, rotation, follower, order of scoring and use of wall tiles."""

    name = "brute"

    def answers(self, problem: Problem) -> bool:
        """Tell whether it answers a problem: one turn."""
        return problem.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position, _lies_somewhere)

    def moves(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        tile = the_draw(problem).tile
        if tile is None:
            return (passing(problem),)
        clock, found = limits.start(), list[ScoredMove]()
        for laid in _spots(problem.position, tile):
            for followers in _followers(problem.position.game, laid):
                if clock.out:
                    return None
                found += _moves_with(problem.position, the_draw(problem), laid, followers)
            reporter.listed(len(found))
        return tuple(found)

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best moves of a turn."""
        return best_listed(
            problem, self.moves(problem, limits, reporter), "every conceivable move was tried"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    """A move that was tried and is legal."""

    move: Move
    uses: Uses
    order: tuple[int, ...]
    """The features that it names, in order."""
    after: Position


def _spots(position: Position, tile: str) -> Iterator[PlacedTile]:
    """Yield every place that no rule of placement forbids; the first of equal rotations."""
    kind = position.game.tile_set.kind(tile)
    xs = [cell.x for cell in position.game.board.cells]
    ys = [cell.y for cell in position.game.board.cells]
    columns = range(min(xs) - MARGIN, max(xs) + MARGIN + 1)
    rows = range(min(ys) - MARGIN, max(ys) + MARGIN + 1)
    for x, y in product(columns, rows):
        looks = []
        for rotation in range(4):
            laid = PlacedTile(cell=Cell(x, y), kind=kind, rotation=rotation)
            new = kind.shape(rotation) not in looks
            looks.append(kind.shape(rotation))
            if new and not any(
                True for law in book_of(position.game).placement for _ in law(position, laid)
            ):
                yield laid


def _lies_somewhere(position: Position, tile: str) -> bool:
    """Tell whether a tile has a place."""
    return any(True for _ in _spots(position, tile))


def _followers(game: Game, laid: PlacedTile) -> Iterator[tuple[Deployment, ...]]:
    """Yield no follower, then one of each rank on each segment."""
    yield ()
    for index, segment in enumerate(laid.kind.segments):
        for rank in (Rank.FOLLOWER, *game.specials):
            yield (Deployment(laid.cell, index, book_of(game).roles[segment.kind], rank),)


def _moves_with(
    position: Position, draw: Draw, laid: PlacedTile, followers: tuple[Deployment, ...]
) -> list[ScoredMove]:
    """Return every legal move with a tile and a follower in place, in the reference's order."""
    groups: dict[tuple[Uses, int], list[_Try]] = defaultdict(list)
    plain = Move(
        discards=draw.discards,
        tile=draw.tile,
        cell=laid.cell,
        rotation=laid.rotation,
        followers=followers,
    )
    for tried in _legal_tries(position, plain, _candidates(position, laid, followers)):
        groups[tried.uses, tried.move.extra_turns].append(tried)
    keyed = []
    for (uses, extra), tries in groups.items():
        ends: dict[object, _Try] = {}
        for tried in tries:
            # All that two orders of scoring can change.
            outcome = (tried.after.players, tried.after.towers)
            known = ends.setdefault(outcome, tried)
            # The longest order names everything that is scored.
            ends[outcome] = min(known, tried, key=lambda t: (-len(t.order), t.order))
        for end in ends.values():
            if len(ends) > 1:
                keyed.append(((uses, end.order, extra), _found(position, end)))
            else:
                # No order matters: the doubled features alone are named.
                named = [t for t in tries if all(step.wall_tiles for step in t.move.scoring)]
                first = min(named, key=lambda t: t.order)
                keyed.append(((uses, (), extra), _found(position, first)))
    return [found for _, found in sorted(keyed, key=lambda pair: pair[0])]


def _candidates(
    position: Position, laid: PlacedTile, followers: Sequence[Deployment]
) -> list[tuple[Feature, int]]:
    """Return features that might be scored, with their winner; the rules decide."""
    new = tuple(follower.by(position.to_move) for follower in followers)
    after = replace(position, tiles=(*position.tiles, laid), followers=(*position.followers, *new))
    found = []
    two = ("special_counts", "two") in position.game.changed_switches().items()
    for feature in position_features(after):
        white, black = feature.number_of(0), feature.number_of(1)
        if two:
            special = [f.player for f in feature.followers if f.rank is not Rank.FOLLOWER]
            white, black = white + special.count(0), black + special.count(1)
        if white != black and not feature.open_sides and feature.kind is not Kind.COURT:
            found.append((feature, 0 if white > black else 1))
    # Features of start spaces alone are never scored: where they stand is the same to the rules.
    return sorted(found, key=lambda pair: pair[0].anchor if _laid(pair[0]) else min(pair[0].nodes))


def _laid(feature: Feature) -> bool:
    """Tell whether a tile shows some of a feature."""
    return any(node.cell not in feature.start_cells for node in feature.nodes)


def _legal_tries(
    position: Position, plain: Move, candidates: Sequence[tuple[Feature, int]]
) -> Iterator[_Try]:
    """Yield every legal move with any features in any order, any wall tiles on them."""
    mover = position.to_move
    hands = [number for player in position.players for number in player.wall_tiles]
    numbers = sorted(number for number in set(hands) if number in DOUBLERS)
    tiles = [c for k in range(MOST + 1) for c in combinations_with_replacement(numbers, k)]
    ones = position.players[mover].wall_tiles.count(EXTRA_TURN)
    orders = [
        order
        for size in range(len(candidates) + 1)
        for order in permutations(range(len(candidates)), size)
    ]
    for order in orders:
        for used, extra in product(product(tiles, repeat=len(order)), range(ones + 1)):
            chosen = dict(zip(order, used, strict=True))
            mine = [n for i, ns in chosen.items() if candidates[i][1] == mover for n in ns]
            move = replace(
                plain,
                declared=_declared(position, mine, extra),
                scoring=tuple(
                    ScoreStep(candidates[i][0].anchor, numbers) for i, numbers in chosen.items()
                ),
                extra_turns=extra,
            )
            try:
                after = play(position, move).position
            except IllegalMoveError:
                continue
            uses = tuple(chosen.get(i, ()) for i in range(len(candidates)))
            yield _Try(move=move, uses=uses, order=order, after=after)


def _declared(position: Position, doubling: Sequence[int], extra: int) -> tuple[int, ...]:
    """Return the mover's wall tiles that have to be declared before the draw."""
    declared: list[int] = []
    if position.game.value(WALL_1_DECLARE) == "before_draw":
        declared += [EXTRA_TURN] * extra
    if position.game.value(WALL_DOUBLE_DECLARE) == "before_draw":
        declared += doubling
    return tuple(sorted(declared))


def _found(position: Position, tried: _Try) -> ScoredMove:
    """Return a move that was tried with what it brings."""
    pairs = zip(position.players, tried.after.players, strict=True)
    gains = tuple(after.score - before.score for before, after in pairs)
    return ScoredMove(tried.move, gains)
