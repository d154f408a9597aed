"""Orders of scoring, wall tiles 2 and 3, and wall tiles 4 to 9, against trying everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.castle.final import best_uses, final_violations
from burgrave.model.castle.final_uses import final_hand
from burgrave.model.castle.markers import Markers, Take, outcomes
from burgrave.model.castle.plans import plans
from burgrave.model.claims import Claim
from burgrave.model.components import Marker, Node
from burgrave.model.features import Feature, position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell
from burgrave.model.position import FinalUse, PlayerState, Position, ScoreStep
from burgrave.model.switches import DOUBLE_ONCE, WALL_OWN_TURN_ONLY, WALL_TAKE_MOMENT
from burgrave.model.tiles import Kind
from tests.strategies import SEEDS, Step, after, hall_game, hall_games, named, opening

DOUBLED_BY = {2: Kind.TOWER, 3: Kind.HOUSE}


def claim(index: int, kind: Kind, winner: int | None, points: int) -> Claim:
    """Return a completed feature on a tile of its own."""
    node = Node(Cell(index, 0), 0)
    feature = Feature(
        kind=kind,
        nodes=(node,),
        cells=frozenset({node.cell}),
        start_cells=frozenset(),
        open_sides=(),
        marks=(),
        followers=(),
    )
    return Claim(feature=feature, followers=(), winner=winner, points=points)


CLAIMS = st.lists(
    st.tuples(
        st.sampled_from((Kind.TOWER, Kind.HOUSE, Kind.PATH)),
        st.sampled_from((0, 0, 1, None)),
        st.integers(min_value=1, max_value=8),
    ),
    max_size=5,
).map(lambda rows: [claim(index, *row) for index, row in enumerate(rows)])
"""Features completed in one turn."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions with markers near corner towers, wall tiles on them and in the hands."""
    pool = st.sets(st.sampled_from(((2, 0), (2, 1), (3, 0), (3, 1), (4, 0))), max_size=3)
    hands = pool.map(lambda held: tuple(sorted(number for number, _ in held)))
    names = [tower.name for tower in shipped_game("castle").board.towers if tower.holds_tile]
    towers = draw(st.lists(st.sampled_from(names), unique=True))
    switches = {
        switch.name: draw(st.sampled_from(switch.values))
        for switch in (WALL_TAKE_MOMENT, DOUBLE_ONCE, WALL_OWN_TURN_ONLY)
    }
    return Position(
        game=shipped_game("castle").with_switches(switches),
        players=tuple(
            PlayerState(score=draw(st.integers(30, 44)), wall_tiles=draw(hands)) for _ in range(2)
        ),
        to_move=draw(st.sampled_from((0, 1))),
        towers=tuple((name, 9) for name in names if name in towers),
    )


def ends(
    position: Position, claims: Sequence[Claim], doubled: Sequence[Sequence[int]]
) -> dict[tuple[int, ...], Markers]:
    """Return where every order of scoring leads, the mover's features first."""
    scored = [i for i, one in enumerate(claims) if one.winner is not None]
    return {
        order: _run(position, claims, doubled, order)
        for order in permutations(scored)
        if all(
            claims[a].winner == position.to_move or claims[b].winner != position.to_move
            for n, a in enumerate(order)
            for b in order[n:]
        )
    }


def _run(
    position: Position,
    claims: Sequence[Claim],
    doubled: Sequence[Sequence[int]],
    order: Sequence[int],
) -> Markers:
    """Move the markers feature by feature and take what they land on."""
    scores = [player.score for player in position.players]
    left = {name for name, _ in position.towers}
    spaces = {n: t.name for t in position.game.board.towers for n in t.spaces}
    taken = []
    each = position.game.value(WALL_TAKE_MOMENT) == "each_feature"
    moved = []
    for index in order:
        player = claims[index].winner
        assert player is not None
        scores[player] += claims[index].points * 2 ** len(doubled[index])
        moved.append(player)
        if each:
            moved = [player]
        last = index == order[-1]
        for lander in sorted(set(moved), key=lambda p: p != position.to_move):
            tower = spaces.get(scores[lander] % 100)
            if (each or last) and tower in left:
                left.remove(tower)
                taken.append(Take(tower, lander))
    return Markers(tuple(map(Marker, scores)), tuple(sorted(taken)))


@given(positions(), CLAIMS)
@settings(max_examples=100)
def test_outcomes_are_those_of_all_orders(position: Position, claims: list[Claim]) -> None:
    """The merged search over orders finds each outcome of every permutation, and no other."""
    found = outcomes(position, claims, ())
    expected = ends(position, claims, [()] * len(claims))
    assert set(found) == set(expected.values())
    for end, order in found.items():
        assert expected[order] == end


@given(positions(), CLAIMS, SEEDS)
@settings(max_examples=100)
def test_listed_features_are_scored_in_the_order_listed(
    position: Position, claims: list[Claim], seed: int
) -> None:
    """Scoring steps fix the order among themselves and come before what is not listed."""
    rng = random.Random(seed)
    scored = [i for i, one in enumerate(claims) if one.winner is not None]
    listed = rng.sample(scored, rng.randint(0, len(scored)))
    steps = tuple(ScoreStep(claims[i].feature.anchor) for i in listed)
    rank = {index: place for place, index in enumerate(listed)}
    expected = {
        end
        for order, end in ends(position, claims, [()] * len(claims)).items()
        if all(
            rank.get(a, 9) <= rank.get(b, 9)
            for n, a in enumerate(order)
            for b in order[n:]
            if claims[a].winner == claims[b].winner
        )
    }
    assert set(outcomes(position, claims, steps)) == expected


def every_doubling(
    position: Position, claims: Sequence[Claim]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every use of wall tiles 2 and 3 that hands, kinds and switches allow."""
    uses = ((), (2,), (3,), (2, 2), (3, 3))
    for used in product(uses, repeat=len(claims)):
        spent: list[Counter[int]] = [Counter(), Counter()]
        fits = True
        for one, numbers in zip(claims, used, strict=True):
            if not numbers:
                continue
            fits &= one.winner is not None and DOUBLED_BY[numbers[0]] is one.feature.kind
            mine = one.winner == position.to_move
            fits &= mine or position.game.value(WALL_OWN_TURN_ONLY) == "off"
            fits &= len(numbers) == 1 or position.game.value(DOUBLE_ONCE) == "off"
            spent[one.winner or 0].update(numbers)
        hands = [Counter(player.wall_tiles) for player in position.players]
        if fits and all(spent[p] <= hands[p] for p in range(2)):
            yield used


@given(positions(), CLAIMS.map(lambda claims: claims[:4]))
@settings(max_examples=100)
def test_plans_are_every_doubling_with_every_outcome_once(
    position: Position, claims: list[Claim]
) -> None:
    """For each use of wall tiles 2 and 3 there is one plan an outcome, and each plan says enough.

    A plan has one outcome in any order of the features left out. No two plans with the same use
    share an outcome. Together they have all outcomes.
    """
    found: Counter[tuple[tuple[tuple[int, ...], ...], Markers]] = Counter()
    for plan in plans(position, claims):
        used = {step.node: step.wall_tiles for step in plan}
        reached = outcomes(position, claims, plan)
        assert len(reached) == 1
        doubled = tuple(used.get(one.feature.anchor, ()) for one in claims)
        found[doubled, next(iter(reached))] += 1
    expected = {
        (doubled, end)
        for doubled in every_doubling(position, claims)
        for end in ends(position, claims, doubled).values()
    }
    assert set(found) == expected
    assert set(found.values()) == {1}


@st.composite
def finished(draw: st.DrawFn) -> Position:
    """Finished games in a small hall with wall tiles 4 to 9 in the hands."""
    game: list[Step] = draw(hall_games())
    position = game[-1].played.position
    hands = st.lists(st.integers(4, 9), max_size=3).map(sorted).map(tuple)
    players = tuple(replace(player, wall_tiles=draw(hands)) for player in position.players)
    return replace(position, order=(), bag=(), players=players, towers=(), spent=())


@given(finished())
@settings(max_examples=30)
def test_the_best_use_of_final_wall_tiles_is_the_best_of_all(position: Position) -> None:
    """No legal use of wall tiles 4 to 9 brings a player more, whatever the opponent uses."""
    board = position_features(position)
    best = final_scoring(position)
    assert not list(final_violations(position, best.uses, board))
    for player in range(2):
        others = tuple(use for use in best.uses if use.player != player)
        hand = list(final_hand(position, player).elements())
        for mine in product(*[_uses(position, player, number) for number in hand]):
            uses = (*others, *(use for use in mine if use is not None))
            if not list(final_violations(position, uses, board)):
                final = final_scoring(position, uses)
                assert final.scores[player] <= best.scores[player]
                assert final.scores[player] - final.scores[1 - player] <= (
                    best.scores[player] - best.scores[1 - player]
                )


def _uses(position: Position, player: int, number: int) -> list[FinalUse | None]:
    """Return no use and every use of a wall tile, on every feature that holds a follower."""
    if number > 7:
        return [None, FinalUse(player, number)]
    nodes = {f.anchor for f in position_features(position) if f.inside and f.followers}
    return [None, *(FinalUse(player, number, node) for node in sorted(nodes))]


@given(SEEDS)
def test_final_points_are_the_sum_of_events(seed: int) -> None:
    """Totals are scores plus the points of the events, and the best uses are legal."""
    rng = random.Random(seed)
    position = named(after(opening(hall_game(rng), rng), rng, 60))
    final = final_scoring(position)
    for player, state in enumerate(position.players):
        won = sum(event.points for event in final.events if event.player == player)
        assert final.scores[player] == state.score + won
    assert final_scoring(position, best_uses(position, position_features(position))) == final
