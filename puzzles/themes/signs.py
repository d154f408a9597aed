"""Signs of themes: how close an earlier position is to a theme.

They steer self-play and nothing else; a theme is detected in the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Rank
from burgrave.model.expansions.tower.parts import TowerHoldings
from burgrave.model.features import Feature
from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.tiles import Kind, Mark
from burgrave.puzzles.selfplay.look import Place, gap
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import leader

NEAR = 2
"""Empty cells that a feature may face to be completed soon."""
SAVED = 3
"""Points that a capture or a guard brings at least more than another."""
ENOUGH = 10
"""Points by which one capture may be better than another to be the only good one."""

FEW = 2
"""Features that most tiles can join."""
NARROW = 3
"""Kinds of tiles to come that have the fewest places."""
READY = 2
"""Followers of the opponent: one for the turn before the puzzle, one for that after the key."""
MANY = 20
"""Places of a tile after which more make no difference."""
SOON = 30
"""Tiles to come, from which on a sign tells which of them do what is wanted."""
FITS = 3.0
"""The weight of each of them."""
CLOSED = 0.6
"""The weight of completing joined features in a castle."""


@dataclass(frozen=True)
class Outlook:
    """A position from the side of the solver's player."""

    walk: Rehearsal
    """The simulated game, at the examined position."""
    player: int

    @property
    def rival(self) -> int:
        """The player after him."""
        return (self.player + 1) % len(self.position.players)

    @cached_property
    def position(self) -> Position:
        """The position."""
        return self.walk.position

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features on which followers stand."""
        return self.walk.claimed

    @cached_property
    def facing(self) -> dict[tuple[Kind, Cell], list[Feature]]:
        """By kind and empty cell the claimed features that face it."""
        found: dict[tuple[Kind, Cell], list[Feature]] = {}
        for feature in self.features:
            for cell in feature.empty_cells():
                found.setdefault((feature.kind, cell), []).append(feature)
        return found

    def strength(self, followers: Iterable[Follower], player: int) -> int:
        """Return as how many followers those of a player count together in a majority."""
        game = self.position.game
        return book_of(game).strength(game, followers, player)

    def leader(self, feature: Feature) -> int | None:
        """Return the player who alone has the majority on a feature, if there is one."""
        return leader(self.position.game, feature)

    def mine(self, gaps: int = NEAR) -> Iterator[Feature]:
        """Yield the features that the player leads and that face few empty cells."""
        for feature in self.features:
            if self.leader(feature) == self.player and 0 < len(feature.empty_cells()) <= gaps:
                yield feature


Sign = Callable[[Outlook], float]
"""Rates the distance of a position from a theme's needs; more is nearer."""


def joins(
    stage: Callable[[Outlook, list[Feature]], float],
    placed: Callable[[Place], bool],
    outlook: Outlook,
) -> float:
    """Rate how close claimed features are to the wanted join.

    Args:
        stage: tells how far features are that face the same cell, from 0 to 1.
        placed: tells of a place of a tile whether it joins features as is wanted.
        outlook: the position.

    """
    found = [
        stage(outlook, parts) * _paying(outlook, cell, parts)
        for (_, cell), parts in outlook.facing.items()
        if len(parts) > 1
    ]
    # One that is ready is worth more than several that are not.
    total = max(found, default=0.0) + 0.1 * sum(found)
    if total and outlook.walk.left <= SOON:
        tiles = outlook.walk.joins(outlook.player)
        total += FITS * sum(any(placed(place) for place in places) for places in tiles)
    return total


def joinable(placed: Callable[[Place], bool], outlook: Outlook) -> bool:
    """Tell whether a tile to come has a place where it joins features as is wanted."""
    return any(any(map(placed, places)) for places in outlook.walk.joins(outlook.player))


def _paying(outlook: Outlook, cell: Cell, parts: list[Feature]) -> float:
    """Rate the points of features that a tile on a cell joins, from 0 to 1.

    Completed features usually bring most points at once, so the key is greedy. A court brings its
    points at the end.
    """
    if parts[0].kind is Kind.COURT:
        return 0.4 + 0.2 * min(3, sum(part.count(Mark.MARKET) for part in parts))
    # Features that score at the end need not be completed.
    game = outlook.position.game
    if any(worth.end for worth in book_of(game).table(game).values()):
        return 1.0
    return CLOSED / len({gap for part in parts for gap in part.empty_cells()} | {cell})


def _balance(outlook: Outlook, parts: list[Feature]) -> int:
    """Return the player's followers on features minus his opponent's."""
    men = [man for part in parts for man in part.followers]
    return outlook.strength(men, outlook.player) - outlook.strength(men, outlook.rival)


def _rivalled(outlook: Outlook, parts: list[Feature]) -> bool:
    """Tell whether the opponent leads one of some features."""
    return any(outlook.leader(part) == outlook.rival for part in parts)


def _won(outlook: Outlook, parts: list[Feature]) -> float:
    return float(_balance(outlook, parts) > 0)


def _tied(outlook: Outlook, parts: list[Feature]) -> float:
    return float(_balance(outlook, parts) == 0 and _rivalled(outlook, parts))


def _stolen(outlook: Outlook, parts: list[Feature]) -> float:
    ahead, rivalled = _balance(outlook, parts), _rivalled(outlook, parts)
    if ahead > 0:
        # Few tiles join what lies on three of their sides.
        return (1.0 if len(parts) == FEW else 0.3) if rivalled else 0.3
    return 0.2 if rivalled and ahead == 0 else 0.0


joined_to_win: Sign = partial(joins, _won, lambda place: place.leads)
joined_to_tie: Sign = partial(joins, _tied, lambda place: place.ties)


def _misleading(outlook: Outlook) -> float:
    """Rate the features near completion that bring the opponent points as well.

    Points mislead a greedy player, above all if he leads other features that he could complete
    instead. Without followers in the supply he has only one way to do either.
    """
    shared = [
        1 / len(feature.empty_cells())
        for feature in outlook.features
        if feature.empty_cells()
        and feature.kind is not Kind.FIELD
        and _balance(outlook, [feature]) == 0
    ]
    own = [1 / len(feature.empty_cells()) for feature in outlook.mine()]
    spent = float(outlook.position.players[outlook.player].supply == 0)
    return 2 * max(shared, default=0.0) + max(own, default=0.0) + 0.5 * spent


def misled(signs: Sequence[Sign]) -> tuple[Sign, ...]:
    """Return signs that some themes may show in a turn in which points mislead.

    In a castle that is so often enough, and to look for it takes longer.
    """
    return tuple(
        lambda outlook, sign=sign: sign(outlook) + _misleading(outlook) for sign in signs
    ) or (_misleading,)


def steals(outlook: Outlook) -> float:
    """Rate the player's distance from a majority where both players may join."""
    strong = [
        1 / len(f.empty_cells())
        for f in outlook.mine(5)
        if outlook.strength(f.followers, outlook.player) > 1
    ]
    near = joins(_stolen, lambda place: place.steals, outlook)
    return near + 0.4 * max(strong, default=0.0) + 0.2 * min(2, len(strong))


def farms(outlook: Outlook) -> float:
    """Count cells on which a tile may join a field that the opponent leads with others."""
    return sum(
        1.0
        for (kind, _), parts in outlook.facing.items()
        if kind is Kind.FIELD
        and len(parts) > 1
        and _balance(outlook, parts) >= 0
        and _rivalled(outlook, parts)
    )


def _soon(position: Position, feature: Feature) -> float:
    """Return the points of a feature with one tile more, about."""
    _, worth = book_of(position.game).completed(position.game, feature)
    return worth * (1 + 1 / feature.size)


def landings(outlook: Outlook) -> float:
    """Count features that one tile completes, those more that lead onto a corner tower."""
    position = outlook.position
    held = {name for name, _ in position.towers}
    score, total = position.players[outlook.player].score, 0.0
    for feature in outlook.mine(gaps=1):
        if feature.kind is Kind.COURT:
            continue
        points = _soon(position, feature)
        tower = position.game.board.tower_at(score + round(points))
        total += 3.0 if tower is not None and tower.name in held else 1.0
    return total


def together(outlook: Outlook) -> float:
    """Count features of the player that one tile would complete on the same cell.

    A feature counts more if it alone leads the marker onto a corner tower.
    """
    position, total = outlook.position, 0.0
    score, held = position.players[outlook.player].score, {name for name, _ in position.towers}
    ways: dict[Cell, list[bool]] = {}
    for feature in outlook.mine(gaps=1):
        if feature.kind is not Kind.COURT:
            points = _soon(position, feature)
            tower = position.game.board.tower_at(score + round(points))
            for cell in feature.empty_cells():
                ways.setdefault(cell, []).append(tower is not None and tower.name in held)
    for lands in ways.values():
        total += 0.1 + len(lands) - 1 + 2 * (len({*lands}) > 1)
    return total


def narrow(outlook: Outlook) -> float:
    """Rate how few places the scarcest tiles to come have.

    A missing tile costs least if the player has no follower to place with it. It gains most if his
    opponent has one.
    """
    walk = outlook.walk
    mine, theirs = (walk.game.reader.supply[p] for p in (outlook.player, outlook.rival))
    counts = sorted(filter(None, (len(walk.places(t)) for t in {*walk.order[walk.at :]})))
    few = sum(min(count, MANY) * 0.5**i for i, count in enumerate(counts[:NARROW]))
    return -few - mine - max(0, READY - theirs)


def keeps(outlook: Outlook) -> float:
    """Rate how soon a house of the player may exceed his opponent's keep."""
    mine, theirs = (outlook.position.players[p].keep for p in (outlook.player, outlook.rival))
    if mine > theirs:
        return -1.0
    houses = [f for f in outlook.mine(gaps=4) if f.kind is Kind.HOUSE]
    grown = [(f.size + len(f.empty_cells()) - theirs, len(f.empty_cells())) for f in houses]
    return max((1.0 / gaps for more, gaps in grown if more > 0), default=0.0)


def starved(outlook: Outlook) -> float:
    """Return the opponent's lead in keeps, capped."""
    mine, theirs = (outlook.position.players[p].keep for p in (outlook.player, outlook.rival))
    return float(max(-3, min(theirs - mine, 3)))


def hands(outlook: Outlook) -> float:
    """Count the wall tiles that the player has in hand, two at most."""
    state = outlook.position.players[outlook.player]
    return min(2.0, len(state.wall_tiles) + len(state.fresh_wall_tiles))


def doublings(outlook: Outlook) -> float:
    """Tell whether the player has a wall tile in hand, and what towers and houses he may double."""
    found = (f for f in outlook.mine() if f.kind in {Kind.TOWER, Kind.HOUSE})
    worth = (0.2 * f.size / len(f.empty_cells()) for f in found)
    return 2.0 * min(1.0, hands(outlook)) + min(1.0, sum(worth))


def scarce(outlook: Outlook) -> float:
    """Rate the player's distance from a supply of one follower."""
    state = outlook.position.players[outlook.player]
    return -abs(state.supply + len(state.specials) - 1.0)


def returning(outlook: Outlook) -> float:
    """Count the player's features that are nearly complete, more if his supply is small.

    In Carcassonne each scoring brings a follower home. A player without followers then has only
    greedy keys. So he should have two: one to place before the puzzle, one in the key.
    """
    state, game = outlook.position.players[outlook.player], outlook.position.game
    wanted = 0 if book_of(game).wall_tiles or book_of(game).actions else 2
    at_hand = state.supply + len(state.specials)
    return sum(1.0 for _ in outlook.mine(gaps=1)) / 2 - abs(at_hand - wanted)


def fountains(outlook: Outlook) -> float:
    """Count paths with a fountain that the player may soon complete."""
    paths = (f for f in outlook.mine() if f.kind is Kind.PATH and f.count(Mark.FOUNTAIN))
    return sum(1.0 / len(path.empty_cells()) for path in paths)


def kings(outlook: Outlook) -> float:
    """Rate how soon a feature with the player's king may be completed."""
    king = (outlook.player, Rank.KING)
    led = (f for f in outlook.mine(4) if king in {(m.player, m.rank) for m in f.followers})
    return sum(1.0 / len(feature.empty_cells()) for feature in led)


def aeries(outlook: Outlook) -> float:
    """Count aeries at features that the player may soon complete."""
    return sum(len(f.aeries) / len(f.empty_cells()) for f in outlook.mine())


def chapels(outlook: Outlook) -> float:
    """Rate how soon the player may complete chapels."""
    found = (f for f in outlook.mine(gaps=3) if f.kind is Kind.CHAPEL)
    return sum(1.0 / len(chapel.empty_cells()) for chapel in found)


def reached(outlook: Outlook) -> float:
    """Return the margin of the player's best capture over any other.

    He must not wait with it: his opponent has a follower to complete the tower, which is begun.
    """
    threats = outlook.walk.threats(outlook.player)
    return (
        _much(gap(threats)) + _growing(outlook) - _unlike(outlook, (0, 1), (1, 0)) - _held(outlook)
    )


def in_danger(outlook: Outlook) -> float:
    """Return the margin of the worst capture against the player over any with another tower.

    He needs a follower to complete that tower, and his opponent a piece to raise it.
    """
    lost = _much(gap(outlook.walk.threats(outlook.rival), by_tower=True)) + _growing(outlook)
    return lost - _unlike(outlook, (1, 0), (0, 1)) - _held(outlook)


def may_capture(outlook: Outlook) -> bool:
    """Tell whether one capture gains the player much more than any other, and he has a piece."""
    able = outlook.position.players[outlook.player].part(TowerHoldings).pieces > 0
    return able and gap(outlook.walk.threats(outlook.player)) >= SAVED


def may_exchange(outlook: Outlook) -> bool:
    """Tell whether one capture gains the player much, and gets a follower of his back."""
    return _mine(outlook) > 0 and may_capture(outlook)


def may_be_captured(outlook: Outlook) -> bool:
    """Tell whether a tower threatens the player most, and both have what they need for it."""
    mine, theirs = (outlook.position.players[p] for p in (outlook.player, outlook.rival))
    able = mine.supply > 0 and theirs.part(TowerHoldings).pieces > 0
    return able and gap(outlook.walk.threats(outlook.rival), by_tower=True) >= SAVED


def _much(points: int) -> float:
    """Rate the margin in points of a turn, capped."""
    return 0.25 * min(ENOUGH, points)


def _growing(outlook: Outlook) -> float:
    """Count features of the player that a tile may enlarge: its places differ by them."""
    return 0.6 * sum(1 for feature in outlook.mine(gaps=6) if feature.kind is not Kind.FIELD)


def prisoners(outlook: Outlook) -> float:
    """Tell whether a follower of the player is held whom he needs and can buy back."""
    held = 3.0 * min(1, _mine(outlook))
    return held + _score(outlook) - _unlike(outlook, (0, 0), (0, 0)) - _held(outlook)


def exchanges(outlook: Outlook) -> float:
    """Tell whether a follower of the player is held, and one of the opponent's may be taken."""
    return 3.0 * min(1, _mine(outlook)) + reached(outlook)


def _mine(outlook: Outlook) -> int:
    """Return the number of the player's followers that his opponent holds prisoner."""
    return len(outlook.position.players[outlook.rival].part(TowerHoldings).held(outlook.player))


def _score(outlook: Outlook) -> float:
    """Tell whether the player has the points to buy a follower back."""
    return 0.1 * min(outlook.position.players[outlook.player].score, 5)


def _unlike(outlook: Outlook, mine: tuple[int, int], theirs: tuple[int, int]) -> float:
    """Tell the distance of followers and tower pieces in the supply from the wanted numbers.

    Args:
        outlook: the position.
        mine: followers and pieces that the player should have.
        theirs: those of his opponent; whatever there is more gives more to think about.

    """
    total = 0.0
    for player, (supply, pieces) in ((outlook.player, mine), (outlook.rival, theirs)):
        state = outlook.position.players[player]
        short = max(0, supply - state.supply) + max(0, pieces - state.part(TowerHoldings).pieces)
        total += 3.0 * short + 0.7 * state.supply + 1.5 * state.part(TowerHoldings).pieces
    return total


def _held(outlook: Outlook) -> float:
    """Rate the choices that prisoners bring."""
    return sum(0.3 * len(state.part(TowerHoldings).prisoners) for state in outlook.position.players)
