"""Moves in sentences: what a player lays, what it joins, and what he does with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from burgrave.model.components import Node, Rank
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.features import Feature, position_features
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.laying import lay
from burgrave.model.naming import times
from burgrave.model.placement import Placement
from burgrave.model.position import Capture, Deployment, Move, Position, Ransom, ScoreStep
from burgrave.model.tiles import Kind, TileKind

_JOINED = 2
"""Features that a sentence names at most."""


class Act(NamedTuple):
    """What a turn does besides laying its tile."""

    says: str
    """The words, after the player's name."""
    sort: Literal["", "follower", "piece", "capture", "guard", "ransom"] = ""
    """What can be tapped to do it; empty where nothing can."""
    cell: Cell | None = None
    segment: int | None = None
    """The segment on which the follower stands; None on a tower."""
    title: str = ""
    """The follower's role or rank; of a ransom the player who holds the prisoner."""


def move_sentence(position: Position, move: Move) -> str:
    """Return a legal move in a sentence: Red lays a straight road and stands as a thief."""
    if move.cell is None or move.tile is None:
        return f"{position.game.name(position.to_move)} passes: no tile to come has a place."
    tile = move.laid(position.game.tile_set.kind(move.tile))
    placement = lay(position, tile, position_features(position), move.discards)
    return sentence(placement, [act.says for act in acts(placement, move)])


def sentence(placement: Placement, said: Iterable[str]) -> str:
    """Return the sentence of a turn from what it does besides the tile."""
    tile = f"lays {tile_words(placement.tile.kind)}"
    told = listed([tile, *_joins(placement), *said])
    gone = len(placement.discards)
    without = f" after {times(gone, 'tile')} without a place" if gone else ""
    return f"{placement.mover_name} {told}{without}."


def tile_words(kind: TileKind) -> str:
    """Return a kind of tile in words: its title, or what it shows."""
    if kind.title:
        parts = kind.title.partition(";")[0].replace(", with", " with").split(", ")
        article = "" if parts[0].split()[0] in {"a", "an", "two"} else "a tile with "
        return f"{article}{listed(parts)}"
    shown = Counter(str(segment.kind) for segment in kind.segments)
    told = [f"a {name}" if number == 1 else f"{number} {name}s" for name, number in shown.items()]
    return f"a tile with {listed(told)}"


def listed(parts: list[str]) -> str:
    """Return parts of a sentence with commas and a last ``and``."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _joins(placement: Placement) -> Iterator[str]:
    """Yield what the tile does to features on which somebody stands, or that it completes."""
    found: dict[Node, tuple[tuple[bool, bool], str, str]] = {}
    for segment in range(len(placement.tile.kind.segments)):
        feature = placement.after.at(Node(placement.tile.cell, segment))
        complete = feature in placement.completed
        if feature.size > 1 and (feature.followers or complete):
            verb = "completes" if complete else "extends"
            rank = (not complete, feature.kind is Kind.FIELD)
            found[feature.anchor] = (rank, verb, _owned(placement, feature))
    first = sorted(found.values())[:_JOINED]
    for verb in dict.fromkeys(verb for _, verb, _ in first):
        yield f"{verb} {listed([*dict.fromkeys(words for _, by, words in first if by == verb)])}"


def _owned(placement: Placement, feature: Feature) -> str:
    """Return a feature in words, with those who stand on it."""
    game, mover = placement.position.game, placement.position.to_move
    owners = sorted({follower.player for follower in feature.followers})
    others = [game.name(player) for player in owners if player != mover]
    if not owners:
        return f"a {feature.kind}"
    if not others:
        return f"his {feature.kind}"
    if mover in owners:
        return f"the {feature.kind} that he shares with {listed(others)}"
    return f"{listed(others)}'s {feature.kind}"


def acts(placement: Placement, move: Move) -> Iterator[Act]:
    """Yield what a legal turn does besides laying its tile, in the order of its notation."""
    for number in move.declared:
        yield Act(f"declares wall tile {number}")
    for ransom in move.ransoms:
        game = placement.position.game
        yield Act(_ransom(game, ransom), "ransom", title=game.players[ransom.captor])
    for one in move.followers:
        yield Act(_deployed(one), "follower", one.cell, one.segment, one.title)
    for cell in move.pieces:
        yield Act(f"puts a tower piece on {cell}", "piece", cell)
    for capture in move.captures:
        yield _capture(placement, capture)
    for cell, rank in move.guards:
        yield Act(f"closes the tower on {cell} with a {rank.called}", "guard", cell, None, "guard")
    if move.scoring:
        yield Act(f"scores {', then '.join(_step(placement, step) for step in move.scoring)}")
    if move.extra_turns:
        yield Act("plays wall tile 1 for another turn")


def _ransom(game: Game, ransom: Ransom) -> str:
    """Return the words of a ransom."""
    when = " after scoring" if ransom.late else ""
    return f"buys a {ransom.rank.called} back from {game.name(ransom.captor)}{when}"


def _deployed(deployment: Deployment) -> str:
    """Return the words of a follower who is placed."""
    if deployment.rank is Rank.FOLLOWER:
        return f"stands as a {deployment.role}"
    return f"sends his {deployment.rank.called} as a {deployment.role}"


def _capture(placement: Placement, capture: Capture) -> Act:
    """Return a capture."""
    position = placement.position
    cell, segment, back = capture
    if segment is None:
        tower = position.part(Towers).on(cell)
        owner, title = None if tower is None else tower.guard, "guard"
    else:
        stands = (one for one in position.followers if one.node == Node(cell, segment))
        taken = next(stands, None)
        owner = None if taken is None else taken.player
        title = "follower" if taken is None else str(taken.role)
    if owner in {None, position.to_move}:
        says = f"takes his own {title} on {cell} back"
    else:
        says = f"takes {position.game.name(owner or 0)}'s {title} on {cell} prisoner"
    if back is not None:
        says += f" and gets his {back.called} back for it"
    return Act(says, "capture", cell, segment, title)


def _step(placement: Placement, step: ScoreStep) -> str:
    """Return the words of a step of scoring."""
    kind = placement.after.at(step.node).kind
    told = f"the {kind} on {step.node.cell}"
    if not step.wall_tiles:
        return told
    return f"{told} doubled by wall tile {listed([str(number) for number in step.wall_tiles])}"
