"""Themes of majorities: features joined, stolen, shared and farmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from burgrave.model.book import book_of
from burgrave.model.features import Feature, position_features
from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.rules.carcassonne.farms import farms
from burgrave.model.tiles import Kind
from burgrave.puzzles.selfplay.look import Place, Where
from burgrave.puzzles.study.study import Study, leader
from burgrave.puzzles.themes import signs
from burgrave.puzzles.themes.theme import CASTLES, NEVER, PLANES, Theme, whatever

FARM = "carcassonne.farm"
"""The family of the rules about farms."""


def _joining(position: Position, *players: int) -> bool:
    """Tell whether a tile on some cell may join claimed features, one of a player's among them."""
    facing: dict[tuple[Kind, Cell], list[Feature]] = {}
    for feature in position_features(position):
        for cell in feature.empty_cells() if feature.followers else ():
            facing.setdefault((feature.kind, cell), []).append(feature)
    return any(
        len(found) > 1 and any(f.number_of(player) for f in found for player in players)
        for found in facing.values()
    )


def _led_by_others(position: Position, kinds: Iterable[Kind] = Kind) -> bool:
    """Tell whether an opponent of the player to move leads a feature."""
    return any(
        feature.kind in kinds and leader(position.game, feature) not in {None, position.to_move}
        for feature in position_features(position)
    )


def _leads(place: Place) -> bool:
    """Tell whether a tile makes a feature that its player leads and scores of claimed ones."""
    return place.leads


def _steals(place: Place) -> bool:
    """Tell whether his opponent led that in part."""
    return place.steals


def _joins(study: Study) -> Iterator[tuple[Feature, tuple[Feature, ...]]]:
    """Yield the features of the key's tile that join claimed features, with those."""
    for feature in study.key.touched:
        parts = tuple(part for part in study.key.parts(feature) if part.followers)
        if len(parts) > 1:
            yield feature, parts


def _scores(study: Study, feature: Feature) -> bool:
    """Tell whether the player scores a feature in the solution, perhaps extended."""
    node = feature.nodes[0]
    in_play = any(
        node in scored.nodes and event.player == study.asker
        for step in study.steps
        for scored, event in step.scored()
    )
    grown = study.end_features.at(node)
    if grown.kind is Kind.FIELD:
        return leader(study.game, grown) == study.asker and _pays(study, grown)
    events = study.final.events if study.final is not None else ()
    return in_play or any(
        event.player == study.asker and event.points > 0 and event.anchor in grown.nodes
        for event in events
    )


def _pays(study: Study, field: Feature) -> bool:
    """Tell whether a field, or a city that it touches, brings the player points at the end."""
    touching = farms(study.end_features, study.end.laid())
    cities = next((farm.cities for farm in touching if farm.field.nodes == field.nodes), ())
    paying = {node for feature in (field, *cities) for node in feature.nodes}
    return any(event.anchor in paying for event in study.won(FARM, study.asker))


@partial(
    Theme,
    name="merge-to-win",
    turns=(8, 40),
    possible=lambda at: _joining(at, at.to_move),
    placed=_leads,
    where=Where.JOINING,
    sought=whatever,
    sign=signs.joined_to_win,
    ready=partial(signs.joinable, _leads),
)
def MERGE_TO_WIN(study: Study) -> bool:
    """The key joins claimed features to one that the player leads and scores in the solution."""
    return any(
        leader(study.game, feature) == study.asker and _scores(study, feature)
        for feature, _ in _joins(study)
    )


@partial(
    Theme,
    name="merge-to-tie",
    turns=(8, 40),
    possible=lambda at: _joining(at, *({*range(len(at.players))} - {at.to_move})),
    placed=lambda place: place.ties,
    where=Where.JOINING,
    sign=signs.joined_to_tie,
)
def MERGE_TO_TIE(study: Study) -> bool:
    """The key joins a feature that an opponent leads with another, and then nobody leads."""
    return any(
        leader(study.game, feature) is None
        and any(leader(study.game, part) not in {None, study.asker} for part in parts)
        for feature, parts in _joins(study)
    )


@partial(
    Theme,
    name="steal-a-majority",
    turns=(8, 40),
    possible=_led_by_others,
    placed=_steals,
    where=Where.JOINING,
    sought=whatever,
    sign=signs.steals,
    ready=partial(signs.joinable, _steals),
)
def STEAL(study: Study) -> bool:
    """The player alone scores in the solution what an opponent led, in part, at the start."""
    begun = [f for f in study.key.features if leader(study.game, f) not in {None, study.asker}]
    return any(_stolen(study, part) for part in begun)


def _stolen(study: Study, part: Feature) -> bool:
    """Tell whether the player leads and scores a feature that grew from another player's."""
    node = part.nodes[0]
    for step in study.steps:
        for scored, event in step.scored():
            if node in scored.nodes:
                alone = all(e.player == study.asker for f, e in step.scored() if f is scored)
                return event.player == study.asker and alone
    grown = study.end_features.at(node)
    return leader(study.game, grown) == study.asker and _scores(study, grown)


@partial(Theme, name="court-majority", games=CASTLES, once=NEVER)
def COURT_MAJORITY(study: Study) -> bool:
    """The key lies on a court that the player scores at the end and did not lead before."""
    for court in study.key.touched:
        if court.kind is Kind.COURT:
            led = any(leader(study.game, part) == study.asker for part in study.key.parts(court))
            if not led and _scores(study, court):
                return True
    return False


@partial(
    Theme,
    name="farm-takeover",
    games=PLANES,
    possible=lambda at: _led_by_others(at, (Kind.FIELD,)),
    sign=signs.farms,
    once=NEVER,
)
def FARM_TAKEOVER(study: Study) -> bool:
    """The player has most farmers at the end on a field that an opponent led at the start."""
    return any(
        field.kind is Kind.FIELD
        and leader(study.game, field) not in {None, study.asker}
        and study.asker in _farmers(study, field)
        for field in study.key.features
    )


def _farmers(study: Study, field: Feature) -> set[int]:
    """Return the player with most farmers on the final form of a field, if it pays."""
    if study.final is None:
        return set()
    grown = study.end_features.at(field.nodes[0])
    book, game = book_of(study.game), study.game
    counts = {p: book.strength(game, grown.followers, p) for p in range(len(game.players))}
    if not _pays(study, grown):
        return set()
    best = max(counts.values())
    return {player for player, count in counts.items() if count == best > 0}


MAJORITIES = (
    MERGE_TO_WIN,
    MERGE_TO_TIE,
    STEAL,
    COURT_MAJORITY,
    FARM_TAKEOVER,
)
