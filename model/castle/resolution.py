"""Play a legal move in a castle: the position after the turn and its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.castle.markers import Markers, Take, outcomes, points
from burgrave.model.castle.rewards import claims_of, collect, pile_of, with_pile
from burgrave.model.claims import Claim, Scored
from burgrave.model.components import Follower, Rank
from burgrave.model.draws import after_draw
from burgrave.model.placement import Placement
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.results import Played
from burgrave.model.rule import Event
from burgrave.model.rules.castle.followers import RETURN
from burgrave.model.rules.castle.keeps import KEEP
from burgrave.model.rules.castle.placement import NONE
from burgrave.model.rules.castle.scoring import MAJORITY, ORDER
from burgrave.model.rules.castle.wall_tiles import (
    DOUBLE_HOUSE,
    DOUBLE_TOWER,
    EXTRA,
    EXTRA_TURN,
    HIDDEN,
    TAKE,
)
from burgrave.model.switches import (
    EXTRA_TURN_IS_NEXT_TURN,
    LAST_TURN_WALL_TILES,
    RETURN_ON_TIE,
    WALL_TAKE_MOMENT,
)

DOUBLING = {2: DOUBLE_TOWER, 3: DOUBLE_HOUSE}


def pass_turn(position: Position, move: Move) -> Played:
    """Play a turn in which no tile is left that has a place: the game ends with it."""
    players = tuple(
        _rested(position, state, (), (), waits=False, over=False) for state in position.players
    )
    after = replace(
        position,
        players=players,
        order=(),
        bag=(),
        discarded=(*position.discarded, *move.discards),
        to_move=_other(position),
        extra_turns=0,
        in_extra_turn=False,
    )
    return Played(after, tuple(_discard_events(move)))


def resolve(placement: Placement, move: Move) -> Played:
    """Play a legal move that lays a tile.

    Args:
        placement: the tile of the move on its cell.
        move: a legal move; legality is not tested.

    """
    position = placement.position
    claims = claims_of(placement, move.followers)
    ends = outcomes(position, claims, move.scoring)
    markers = min(ends, key=lambda end: ends[end])
    home = tuple(f for claim in claims if _go_home(position, claim) for f in claim.followers)
    numbers = _numbers(position, move, markers)
    scoring = _Scoring(position, move, claims, markers, numbers)
    events = (
        *_discard_events(move),
        *scoring.events(ends[markers]),
        *_home_events(position, home),
        *_extra_events(position, move),
    )
    return Played(_next_position(placement, move, scoring, home), events)


def _go_home(position: Position, claim: Claim) -> bool:
    """Tell whether the followers of a completed feature leave it."""
    return claim.winner is not None or position.game.value(RETURN_ON_TIE) == "on"


def _other(position: Position) -> int:
    """Return the player after the one to move."""
    return (position.to_move + 1) % len(position.players)


def _numbers(position: Position, move: Move, markers: Markers) -> dict[str, int]:
    """Return the number of each wall tile taken, by tower; 0 if it is unknown."""
    shown = dict(move.reveals)
    on_towers = dict(position.towers)
    return {take.tower: on_towers[take.tower] or shown.get(take.tower, 0) for take in markers.takes}


def _next_position(
    placement: Placement, move: Move, scored: _Scoring, home: tuple[Follower, ...]
) -> Position:
    """Put the position after the turn together, once its scoring is told."""
    position = placement.position
    mover = position.to_move
    order, bag = after_draw(position, move)
    extra = position.extra_turns + move.extra_turns
    goes_on = extra > 0 and bool(order or bag)
    new = [deployment.by(mover) for deployment in move.followers]
    used = _used(position, move, scored.claims)
    players = []
    for index, state in enumerate(position.players):
        after = replace(
            state,
            score=scored.places[index].score,
            at_gate=scored.places[index].at_gate,
            keep=scored.keeps[index],
            wall_tiles=tuple(sorted((Counter(state.wall_tiles) - used[index]).elements())),
        )
        taken = [scored.numbers[take.tower] for take in scored.taken if take.player == index]
        if index == mover:
            after = after.without([follower.rank for follower in new])
        back = [follower.rank for follower in home if follower.player == index]
        waits = goes_on and index == mover
        players.append(_rested(position, after, taken, back, waits=waits, over=not (order or bag)))
    gone = {take.tower for take in scored.taken}
    standing = {*position.followers, *new} - set(home)
    after_turn = replace(
        position,
        tiles=tuple(sorted((*position.tiles, placement.tile), key=lambda tile: tile.cell)),
        followers=tuple(sorted(standing)),
        players=tuple(players),
        to_move=mover if goes_on else _other(position),
        order=order,
        bag=bag,
        towers=tuple(entry for entry in position.towers if entry[0] not in gone),
        spent=tuple(sorted([*position.spent, *(n for hand in used for n in hand.elements())])),
        discarded=(*position.discarded, *move.discards),
        extra_turns=extra - 1 if goes_on else 0,
        in_extra_turn=goes_on,
    )
    return with_pile(after_turn, scored.pile)


def _used(position: Position, move: Move, claims: Sequence[Claim]) -> list[Counter[int]]:
    """Return the wall tiles that each player used in the turn."""
    used: list[Counter[int]] = [Counter() for _ in position.players]
    used[position.to_move][EXTRA_TURN] += move.extra_turns
    for step in move.scoring:
        for claim in claims:
            if step.node in claim.feature.nodes and claim.winner is not None:
                used[claim.winner].update(step.wall_tiles)
    return used


def _rested(  # noqa: PLR0913 -- what a player gets at the end of a turn
    position: Position,
    state: PlayerState,
    taken: Sequence[int],
    back: Sequence[Rank],
    *,
    waits: bool,
    over: bool,
) -> PlayerState:
    """Give a player the wall tiles and followers of the turn, to be used now or later."""
    game = position.game
    rests = waits and game.value(EXTRA_TURN_IS_NEXT_TURN) == "off"
    last = over and game.value(LAST_TURN_WALL_TILES) == "off"
    hand, fresh = list(state.wall_tiles), list(state.fresh_wall_tiles)
    plain = back.count(Rank.FOLLOWER)
    supply, fresh_followers = state.supply, state.fresh_followers + plain
    specials = list(state.specials)
    fresh_specials = [*state.fresh_specials, *(r for r in back if r is not Rank.FOLLOWER)]
    if not rests:
        hand += fresh
        fresh = []
        supply += fresh_followers
        fresh_followers = 0
        specials += fresh_specials
        fresh_specials = []
    (fresh if rests or last else hand).extend(taken)
    return replace(
        state,
        supply=supply,
        fresh_followers=fresh_followers,
        specials=tuple(sorted(specials)),
        fresh_specials=tuple(sorted(fresh_specials)),
        wall_tiles=tuple(sorted(hand)),
        fresh_wall_tiles=tuple(sorted(fresh)),
    )


def _discard_events(move: Move) -> Iterable[Event]:
    """Yield an event for every tile that had no place."""
    for tile in move.discards:
        yield Event(rules=(NONE.id,), text=f"tile {tile} has no place and leaves the game")


class _Scoring:
    """The scoring of a turn, feature by feature: what its events change as they are told."""

    def __init__(
        self,
        position: Position,
        move: Move,
        claims: Sequence[Claim],
        markers: Markers,
        numbers: Mapping[str, int],
    ) -> None:
        """Begin before the first feature is scored.

        Args:
            position: the position before the turn.
            move: the move.
            claims: the features completed in the turn.
            markers: the outcome of the scoring.
            numbers: the number of each wall tile taken, by tower; 0 if it is unknown.

        """
        self.position, self.move, self.claims, self.numbers = position, move, claims, numbers
        self.places = [player.marker for player in position.players]
        self.keeps = [player.keep for player in position.players]
        self.takes = list(markers.takes)
        self.taken: list[Take] = []
        self.pile = pile_of(position)

    def events(self, order: Sequence[int]) -> Iterator[Event]:
        """Yield what happens, in the order in which it happens.

        Args:
            order: the claims that somebody scores, by their indices, in the order of scoring.

        """
        for index in order:
            scored = self.claims[index].scored(self.position.game)
            if scored is not None:
                yield self._score(self.claims[index], scored.winner)
                self.pile, taken = collect(self.pile, scored)
                yield from taken
                yield from self._keep(scored)
                if self.position.game.value(WALL_TAKE_MOMENT) == "each_feature":
                    yield from self._take(scored.winner)
        for player in (self.position.to_move, _other(self.position)):
            yield from self._take(player)
        yield from self._unscored()

    def _score(self, claim: Claim, winner: int) -> Event:
        """Move the winner's marker by a feature, and return the event."""
        game, book = self.position.game, book_of(self.position.game)
        steps = self.move.scoring
        march = book.march(game, self.places[winner], points(claim, steps))
        gained = march.marker.score - self.places[winner].score
        self.places[winner] = march.marker
        used = [n for step in steps if step.node in claim.feature.nodes for n in step.wall_tiles]
        by = [*(who for who, _ in claim.doubled_by), *(f"wall tile {number}" for number in used)]
        doubled = "".join(f", doubled by {one}" for one in by)
        several = len([one for one in self.claims if one.winner is not None]) > 1
        return Event(
            rules=(
                book.worth[claim.feature.kind].id,
                MAJORITY.id,
                *(DOUBLING[number].id for number in used),
                *(rule for _, rule in claim.doubled_by),
                *march.rules,
                *((ORDER.id,) if several else ()),
            ),
            text=f"{game.name(winner)} scores the {claim.feature}: {gained}{doubled}, now"
            f" {march.marker.score}{march.note}",
            player=winner,
            points=gained,
            cells=tuple(sorted(claim.feature.cells)),
            anchor=claim.feature.anchor,
        )

    def _keep(self, scored: Scored) -> Iterator[Event]:
        """Move the winner's keep to a larger house."""
        player = scored.winner
        state = replace(self.position.players[player], keep=self.keeps[player])
        size = KEEP(state, scored)
        if size > state.keep:
            self.keeps[player] = size
            text = f"{self.position.game.name(player)}'s keep goes to a house of {size}"
            yield Event(rules=(KEEP.id,), text=text, player=player)

    def _take(self, player: int) -> Iterator[Event]:
        """Let a marker take the wall tile of the corner tower on which it stands."""
        tower = self.position.game.board.tower_at(self.places[player].score)
        for take in [take for take in self.takes if take.player == player]:
            if tower is not None and take.tower == tower.name:
                self.takes.remove(take)
                self.taken.append(take)
                yield self._told_take(take)

    def _told_take(self, take: Take) -> Event:
        """Return the event of a wall tile taken."""
        number, name = self.numbers[take.tower], self.position.game.name(take.player)
        what = f"wall tile {number}" if number else "a face-down wall tile"
        face_up = dict(self.position.towers)[take.tower]
        text = f"{name} lands on tower {take.tower} and takes {what}"
        ids = (TAKE.id,) if face_up else (TAKE.id, HIDDEN.id)
        return Event(rules=ids, text=text, player=take.player)

    def _unscored(self) -> Iterator[Event]:
        """Yield an event for every completed feature that nobody scores."""
        vain = book_of(self.position.game).in_vain
        for claim in self.claims:
            if claim.winner is None:
                why = "is tied" if claim.followers else "has no follower"
                yield Event(
                    rules=(MAJORITY.id, *(vain(claim.followers) if vain else ())),
                    text=f"the {claim.feature} at {claim.feature.anchor.cell} {why}: nobody scores",
                    cells=tuple(sorted(claim.feature.cells)),
                    anchor=claim.feature.anchor,
                )


def _extra_events(position: Position, move: Move) -> Iterator[Event]:
    """Yield an event if the player takes further turns by wall tiles 1."""
    if move.extra_turns:
        name, count = position.game.name(position.to_move), move.extra_turns
        text = (
            f"{name} plays wall tile 1 and takes another turn"
            if count == 1
            else f"{name} plays {count} wall tiles 1 and takes {count} more turns"
        )
        yield Event(rules=(EXTRA.id,), text=text, player=position.to_move)


def _home_events(position: Position, home: Sequence[Follower]) -> Iterable[Event]:
    """Yield an event for every follower that goes home."""
    for follower in home:
        name = position.game.name(follower.player)
        text = f"{name}'s {follower.title} on {follower.node.cell} goes home"
        yield Event(
            rules=(RETURN.id,), text=text, player=follower.player, cells=(follower.node.cell,)
        )
