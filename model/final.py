"""Final scoring, and that of The Castle: keep, courts, wall tiles 4 to 6, tile 9."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from model.errors import IllegalMoveError, QuestionError
from model.features import Feature, Features, position_features
from model.placement import complete
from model.position import FinalUse, Position
from model.results import Final
from model.rules.ending import INCOMPLETE, WINNER
from model.rules.final_tiles import END_ONCE, TARGETS, TILE_9
from model.rules.keeps import END_COURT, END_KEEP, ENLARGED
from model.rules.rule import Event, Finding
from model.rules.scoring import MAJORITY
from model.rules.wall_tiles import NEEDS_MAJORITY, WHEN
from model.switches import END_TILE_ONCE_PER_FEATURE, LAST_TURN_WALL_TILES
from model.tiles import Kind

KEEP_TILE = 8
POINTS_TILE = 9


def final_hand(position: Position, player: int) -> Counter[int]:
    """Return the wall tiles 4 to 9 that a player may use in final scoring."""
    state = position.players[player]
    tiles = state.wall_tiles
    if position.game.value(LAST_TURN_WALL_TILES) == "on":
        tiles += state.fresh_wall_tiles
    return Counter(number for number in tiles if number in {*TARGETS, KEEP_TILE, POINTS_TILE})


def final_scoring(position: Position, uses: Sequence[FinalUse] | None = None) -> Final:
    """Score the end of a game.

    Args:
        position: a position with no tile left to draw.
        uses: the wall tiles 4 to 9 that the players use; None for the choice that brings
            each player most (no player's choice changes what the other's tiles bring).

    Returns:
        Totals, winner and what brought points.

    Raises:
        QuestionError: tiles are left to draw.
        IllegalMoveError: a use breaks a rule.

    """
    if not position.over:
        left = len(position.order) + len(position.bag)
        raise QuestionError(f"the game is not over: {left} tiles are left to draw")
    return position.game.rules.conduct.final(position, uses)


def score_castle(position: Position, uses: Sequence[FinalUse] | None) -> Final:
    """Score the end of a game of The Castle; arguments and errors are those of the above."""
    board = position_features(position)
    if uses is None:
        uses = best_uses(position, board)
    elif found := tuple(final_violations(position, uses, board)):
        raise IllegalMoveError(found)
    phases = {
        "keep": lambda: _keep(position, uses),
        "courts": lambda: _courts(position, board, uses),
        "incomplete": lambda: _incomplete(position, board, uses),
        "nines": lambda: _nines(position, uses),
    }
    events = tuple(
        event for phase in position.game.rules.phases(position.game) for event in phases[phase]()
    )
    scores = tuple(
        player.score + sum(event.points for event in events if event.player == index)
        for index, player in enumerate(position.players)
    )
    return Final(scores=scores, winner=WINNER(scores), events=events, uses=tuple(uses))


def targets(position: Position, board: Features, player: int, number: int) -> list[Feature]:
    """Return the features on which a player may use wall tile 4, 5, 6 or 7, most points first."""
    kind, worth = TARGETS[number]
    laid = position.laid()
    found = [
        feature
        for feature in board
        if feature.kind is kind
        and MAJORITY(feature.followers, len(position.players)) == player
        and not complete(position, feature, laid)
    ]
    return sorted(found, key=lambda feature: (-worth(feature), feature.nodes))


def best_uses(position: Position, board: Features) -> tuple[FinalUse, ...]:
    """Return for each player the use of wall tiles 4 to 9 that brings most points."""
    once = position.game.value(END_TILE_ONCE_PER_FEATURE) == "on"
    uses = []
    for player in range(len(position.players)):
        for number, times in sorted(final_hand(position, player).items()):
            if number not in TARGETS:
                uses += [FinalUse(player, number)] * times
                continue
            found = targets(position, board, player, number)
            chosen = found[:times] if once else found[:1] * times
            uses += [FinalUse(player, number, feature.anchor) for feature in chosen]
    return tuple(uses)


def final_violations(
    position: Position, uses: Sequence[FinalUse], board: Features
) -> Iterator[Finding]:
    """Yield every rule that a choice of wall tiles in final scoring breaks."""
    for player in range(len(position.players)):
        mine = [use for use in uses if use.player == player]
        hand = final_hand(position, player)
        for number, times in sorted(Counter(use.wall_tile for use in mine).items()):
            if times > hand[number]:
                yield WHEN.finding(
                    f"{position.game.name(player)} has {hand[number]} wall tiles {number} to use in"
                    f" final scoring and uses {times}"
                )
        for use in mine:
            yield from _misused(position, use, board)
        if position.game.value(END_TILE_ONCE_PER_FEATURE) == "on":
            yield from END_ONCE(mine, lambda use: _feature(board, use))


def _feature(board: Features, use: FinalUse) -> Feature | None:
    """Return the feature on which a wall tile is used, if there is one."""
    return None if use.node is None else board.by_node.get(use.node)


def _misused(position: Position, use: FinalUse, board: Features) -> Iterator[Finding]:
    """Yield what is wrong with the feature of a single use."""
    if use.wall_tile not in TARGETS:
        return
    kind, worth = TARGETS[use.wall_tile]
    feature = _feature(board, use)
    if feature is None or feature.kind is not kind:
        yield worth.finding(f"wall tile {use.wall_tile} needs a {kind}, and none is named")
        return
    cells = (feature.anchor.cell,)
    if complete(position, feature, position.laid()):
        yield worth.finding(f"the {feature} at {feature.anchor.cell} is complete", cells)
    if MAJORITY(feature.followers, len(position.players)) != use.player:
        yield NEEDS_MAJORITY.finding(
            f"{position.game.name(use.player)} does not have more followers than the opponent on"
            f" the {feature} at {feature.anchor.cell}",
            cells,
        )


def _keep(position: Position, uses: Sequence[FinalUse]) -> Iterator[Event]:
    """Score the largest connected empty area for the larger keep."""
    sizes = []
    for index, player in enumerate(position.players):
        tiles = sum(use.player == index and use.wall_tile == KEEP_TILE for use in uses)
        sizes.append(ENLARGED(position.game, player.keep, tiles))
    winner, area = END_KEEP(position, sizes)
    shown = " to ".join(str(size) for size in sizes)
    ids = (
        (END_KEEP.id, ENLARGED.id)
        if KEEP_TILE in {use.wall_tile for use in uses}
        else (END_KEEP.id,)
    )
    if winner is None:
        yield Event(rules=ids, text=f"keeps {shown}: nobody scores the empty area of {area}")
    else:
        name = position.game.name(winner)
        text = f"{name}'s keep is larger ({shown}): the largest empty area has {area} cells"
        yield Event(rules=ids, text=text, player=winner, points=area)


def _courts(position: Position, board: Features, uses: Sequence[FinalUse]) -> Iterator[Event]:
    """Score every court for the strict majority of its merchants."""
    worth = TARGETS[7][1]
    for court in board:
        if court.kind is not Kind.COURT or not court.followers:
            continue
        cells = tuple(sorted(court.cells))
        winner = MAJORITY(court.followers, len(position.players))
        if winner is None:
            text = f"the {court} at {court.anchor.cell} is tied: nobody scores it"
            yield Event(rules=(END_COURT.id, MAJORITY.id), text=text, cells=cells)
            continue
        name = position.game.name(winner)
        points = END_COURT(court)
        text = f"{name} scores the {court} at {court.anchor.cell}: {points}"
        yield Event(rules=(END_COURT.id,), text=text, player=winner, points=points, cells=cells)
        for use in uses:
            if use.wall_tile == 7 and _feature(board, use) == court:  # noqa: PLR2004
                more = worth(court)
                text = f"{name} uses wall tile 7 on it: {more} more"
                yield Event(rules=(worth.id,), text=text, player=winner, points=more, cells=cells)


def _incomplete(position: Position, board: Features, uses: Sequence[FinalUse]) -> Iterator[Event]:
    """Score uncompleted paths, towers and houses by tiles 4 to 6; the others score nothing."""
    laid = position.laid()
    for feature in board:
        if feature.kind is Kind.COURT or not feature.followers:
            continue
        if complete(position, feature, laid):
            continue
        here = [use for use in uses if use.node is not None and use.node in feature.nodes]
        for use in here:
            worth = TARGETS[use.wall_tile][1]
            points = worth(feature)
            name = position.game.name(use.player)
            yield Event(
                rules=(worth.id,),
                text=f"{name} uses wall tile {use.wall_tile} on the uncompleted {feature} at"
                f" {feature.anchor.cell}: {points}",
                player=use.player,
                points=points,
                cells=tuple(sorted(feature.cells)),
            )
        if not here:
            yield INCOMPLETE(feature)


def _nines(position: Position, uses: Sequence[FinalUse]) -> Iterator[Event]:
    """Score every wall tile 9."""
    for use in uses:
        if use.wall_tile == POINTS_TILE:
            points = TILE_9()
            name = position.game.name(use.player)
            text = f"{name} uses wall tile 9: {points}"
            yield Event(rules=(TILE_9.id,), text=text, player=use.player, points=points)
