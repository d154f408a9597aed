"""Final scoring of The Castle: keep, courts, wall tiles 4 to 6, tile 9."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from burgrave.model.book import book_of
from burgrave.model.castle.final_uses import (
    COURT_TILE,
    KEEP_TILE,
    POINTS_TILE,
    chosen,
    final_hand,
    scored_at_end,
    undecided,
)
from burgrave.model.castle.rewards import collect, factors, multiple, pile_of
from burgrave.model.claims import Occasion, Pile, Scored
from burgrave.model.errors import IllegalMoveError, QuestionError
from burgrave.model.features import Feature, Features, Laid, position_features
from burgrave.model.laying import complete
from burgrave.model.position import FinalUse, Position
from burgrave.model.results import Final
from burgrave.model.rule import Event, Finding
from burgrave.model.rules.castle.ending import WINNER
from burgrave.model.rules.castle.final_tiles import END_ONCE, TARGETS, TILE_9
from burgrave.model.rules.castle.keeps import END_COURT, END_KEEP, ENLARGED
from burgrave.model.rules.castle.scoring import MAJORITY
from burgrave.model.rules.castle.wall_tiles import NEEDS_MAJORITY, WHEN
from burgrave.model.switches import END_TILE_ONCE_PER_FEATURE
from burgrave.model.tiles import Kind


@dataclass(slots=True, kw_only=True)
class _Account:
    """The state of final scoring."""

    position: Position
    board: Features
    uses: tuple[FinalUse, ...]
    pile: Pile
    """Tokens so far."""

    def scored(self, feature: Feature, winner: int, occasion: Occasion) -> Scored:
        """Return a feature that a player scores."""
        return scored_at_end(self.position, feature, winner, occasion)

    def collect(self, scored: Sequence[Scored]) -> Iterator[Event]:
        """Let the scorers of features take their tokens, the player of the last turn first."""
        count = len(self.position.players)
        last = (self.position.to_move - 1) % count
        for one in sorted(scored, key=lambda one: (one.winner - last) % count):
            self.pile, events = collect(self.pile, one)
            yield from events


def score_castle(position: Position, uses: Sequence[FinalUse] | None) -> Final:
    """Score the end of a game of The Castle; see ``model.final.final_scoring``."""
    board = position_features(position)
    if uses is None:
        if reason := undecided(position):
            raise QuestionError(reason)
        uses = best_uses(position, board)
    elif found := tuple(final_violations(position, uses, board)):
        raise IllegalMoveError(found)
    return _scored(position, board, tuple(uses))


def _scored(position: Position, board: Features, uses: tuple[FinalUse, ...]) -> Final:
    """Score the end of a game with some wall tiles used; legality is not tested."""
    account = _Account(position=position, board=board, uses=uses, pile=pile_of(position))
    phases = {
        "keep": _keep,
        "courts": _courts,
        "incomplete": _incomplete,
        "nines": _nines,
        "tokens": _tokens,
    }
    order = book_of(position.game).phases(position.game)
    events = tuple(event for phase in order for event in phases[phase](account))
    scores = tuple(
        player.score + sum(event.points for event in events if event.player == index)
        for index, player in enumerate(position.players)
    )
    return Final(
        scores=scores,
        winner=WINNER(scores),
        events=events,
        uses=uses,
        tokens=account.pile.held,
    )


def best_uses(position: Position, board: Features) -> tuple[FinalUse, ...]:
    """Return the wall tiles 4 to 9 that the players use if each plays for his lead."""
    return chosen(position, board, lambda uses: _scored(position, board, uses).scores)


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
    """Return the feature on which a wall tile 4 to 7 is used, if there is one."""
    if use.node is None or use.wall_tile not in TARGETS:
        return None
    return board.by_node.get(use.node)


def _misused(position: Position, use: FinalUse, board: Features) -> Iterator[Finding]:
    """Yield the faults of the feature of a single use."""
    if use.wall_tile not in TARGETS:
        if use.node is not None:
            yield WHEN.finding(f"wall tile {use.wall_tile} is used on no feature", (use.node.cell,))
        return
    kind, worth = TARGETS[use.wall_tile]
    feature = _feature(board, use)
    if feature is None or feature.kind is not kind:
        yield worth.finding(f"wall tile {use.wall_tile} needs a {kind}, and none is named")
        return
    cells = (feature.anchor.cell,)
    if complete(position, feature, position.laid()):
        yield worth.finding(f"the {feature} at {feature.anchor.cell} is complete", cells)
    if MAJORITY(position.game, feature.followers) != use.player:
        yield NEEDS_MAJORITY.finding(
            f"{position.game.name(use.player)} does not have more followers than the opponent on"
            f" the {feature} at {feature.anchor.cell}",
            cells,
        )


def _keep(account: _Account) -> Iterator[Event]:
    """Score the largest connected empty area for the larger keep."""
    position, uses = account.position, account.uses
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


def _courts(account: _Account) -> Iterator[Event]:
    """Score every court for the strict majority of its merchants."""
    position = account.position
    scored: list[Scored] = []
    for court in account.board:
        if court.kind is not Kind.COURT or not court.followers:
            continue
        winner = MAJORITY(position.game, court.followers)
        if winner is None:
            vain = book_of(position.game).in_vain
            yield Event(
                rules=(END_COURT.id, MAJORITY.id, *(vain(court.followers) if vain else ())),
                text=f"the {court} at {court.anchor.cell} is tied: nobody scores it",
                cells=tuple(sorted(court.cells)),
                anchor=court.anchor,
            )
        else:
            here = [
                use
                for use in account.uses
                if use.wall_tile == COURT_TILE and _feature(account.board, use) == court
            ]
            occasion = Occasion.COURT_WITH_TILE if here else Occasion.COURT
            scored.append(account.scored(court, winner, occasion))
            yield from _court(account, scored[-1], winner, len(here))
    yield from account.collect(scored)


def _court(account: _Account, scored: Scored, winner: int, tiles: int) -> Iterator[Event]:
    """Score a court for a player, with some wall tiles 7 that he uses on it."""
    court, worth = scored.feature, TARGETS[COURT_TILE][1]
    cells = tuple(sorted(court.cells))
    game = account.position.game
    name = game.name(winner)
    points, more = END_COURT(game, court) * multiple(scored), worth(game, court) * multiple(scored)
    yield Event(
        rules=(END_COURT.id, *_doubling(scored)),
        text=f"{name} scores the {court} at {court.anchor.cell}: {points}{_by(scored)}",
        player=winner,
        points=points,
        cells=cells,
        anchor=court.anchor,
    )
    for _ in range(tiles):
        yield Event(
            rules=(worth.id, *_doubling(scored)),
            text=f"{name} uses wall tile 7 on it: {more} more{_by(scored)}",
            player=winner,
            points=more,
            cells=cells,
            anchor=court.anchor,
        )


def _doubling(scored: Scored) -> tuple[str, ...]:
    """Return the ids of the rules that double a feature for its scorer."""
    return tuple(factor.rule.id for factor in factors(scored))


def _by(scored: Scored) -> str:
    """Return in words who doubles a feature."""
    return "".join(f", doubled by {factor.by}" for factor in factors(scored))


def _incomplete(account: _Account) -> Iterator[Event]:
    """Score uncompleted features by tiles 4 to 6; the others score nothing."""
    position = account.position
    laid = position.laid()
    tiled: list[Scored] = []
    for feature in account.board:
        if feature.kind is Kind.COURT or not feature.followers:
            continue
        if complete(position, feature, laid):
            continue
        here = [use for use in account.uses if use.node is not None and use.node in feature.nodes]
        for use in here:
            scored = account.scored(feature, use.player, Occasion.END_TILE)
            worth = TARGETS[use.wall_tile][1]
            points = worth(position.game, feature) * multiple(scored)
            name = position.game.name(use.player)
            yield Event(
                rules=(worth.id, *_doubling(scored)),
                text=f"{name} uses wall tile {use.wall_tile} on the uncompleted {feature} at"
                f" {feature.anchor.cell}: {points}{_by(scored)}",
                player=use.player,
                points=points,
                cells=tuple(sorted(feature.cells)),
                anchor=feature.anchor,
            )
        if here:
            # However many wall tiles score it, an aerie counts once for a feature.
            tiled.append(account.scored(feature, here[0].player, Occasion.END_TILE))
        else:
            yield _left_open(position, feature, laid)
    yield from account.collect(tiled)


def _left_open(position: Position, feature: Feature, laid: Laid) -> Event:
    """Return the event of an uncompleted feature on which no wall tile is used."""
    game = position.game
    law = book_of(game).incomplete[feature.kind]
    points = law(game, feature, laid)
    winner = MAJORITY(game, feature.followers) if points else None
    name = f"the uncompleted {feature} at {feature.anchor.cell}"
    return Event(
        rules=(law.id,),
        text=f"{name} scores nothing"
        if winner is None
        else f"{game.name(winner)} scores {name}: {points}",
        player=winner,
        points=0 if winner is None else points,
        cells=tuple(sorted(feature.cells)),
        anchor=feature.anchor,
    )


def _nines(account: _Account) -> Iterator[Event]:
    """Score every wall tile 9."""
    for use in account.uses:
        if use.wall_tile == POINTS_TILE:
            points = TILE_9()
            name = account.position.game.name(use.player)
            text = f"{name} uses wall tile 9: {points}"
            yield Event(rules=(TILE_9.id,), text=text, player=use.player, points=points)


def _tokens(account: _Account) -> Iterator[Event]:
    """Score the largest connected empty area for the player with more tokens."""
    position, held = account.position, account.pile.held
    law = book_of(position.game).token_end
    if law is None:
        return
    winner, area = law(position, held)
    shown = " to ".join(map(str, held))
    if winner is None:
        text = f"aerie tokens {shown}: nobody scores the empty area of {area}"
        yield Event(rules=(law.id,), text=text)
        return
    text = f"{position.game.name(winner)} has more aerie tokens ({shown}): the largest empty area"
    yield Event(rules=(law.id,), text=f"{text} has {area} cells", player=winner, points=area)
