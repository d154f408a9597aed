"""Final scoring of Carcassonne: uncompleted features, then the farms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.features import Features, Laid, position_features
from burgrave.model.games import Game
from burgrave.model.position import FinalUse, Position
from burgrave.model.results import Final
from burgrave.model.rule import Event
from burgrave.model.rules.carcassonne.ending import WINNER
from burgrave.model.rules.carcassonne.farms import farms
from burgrave.model.rules.carcassonne.scoring import MAJORITY


def final(position: Position, uses: Sequence[FinalUse] | None) -> Final:  # noqa: ARG001
    """Score the end of a game.

    Args:
        position: a position with no tile left to draw.
        uses: nothing; there are no wall tiles in this game.

    """
    laid = position.by_cell()
    board = position_features(position)
    game = position.game
    events = (*_uncompleted(game, board, laid), *_farms(game, board, laid))
    scores = tuple(
        state.score + sum(event.points for event in events if event.player == index)
        for index, state in enumerate(position.players)
    )
    return Final(scores=scores, winner=WINNER(scores), events=events)


def _uncompleted(game: Game, board: Features, laid: Laid) -> Iterator[Event]:
    """Yield an event for every scorer of an uncompleted road, city or cloister."""
    book = book_of(game)
    for feature in board:
        if feature.kind not in book.incomplete or not feature.followers:
            continue
        if book.completion[feature.kind](game, feature, laid):
            continue
        rule, points = book.uncompleted(game, feature, laid)
        for winner in MAJORITY(game, feature.followers):
            yield Event(
                rules=(rule, MAJORITY.id),
                text=f"{game.name(winner)} scores the uncompleted {feature} at"
                f" {feature.anchor.cell}: {points}",
                player=winner,
                points=points,
                cells=tuple(sorted(feature.cells)),
                anchor=feature.anchor,
            )


def _farms(game: Game, board: Features, laid: Laid) -> Iterator[Event]:
    """Yield an event for everything that farms bring."""
    harvest = book_of(game).harvest
    if harvest is None:
        return
    rule_id, found = harvest(game, farms(board, laid))
    for gain in found:
        paying = "1 completed city" if gain.cities == 1 else f"{gain.cities} completed cities"
        yield Event(
            rules=(rule_id,),
            text=f"{game.name(gain.player)} farms round the {gain.feature} at"
            f" {gain.feature.anchor.cell}, {paying}: {gain.points}",
            player=gain.player,
            points=gain.points,
            cells=tuple(sorted(gain.feature.cells)),
            anchor=gain.feature.anchor,
        )
