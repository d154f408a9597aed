"""Positions for puzzles: late in games of self-play by players who keep followers back.

A game is played by players of mixed strength on the kernel. Near its end it branches
into other deals of tiles and wall tiles. So one game gives many positions, each reached by legal
play. The solution is guessed on the way. The rules engine replays only the turns that are needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from itertools import islice
from math import exp
from operator import attrgetter, itemgetter
from random import Random

from burgrave.model.book import book_of
from burgrave.model.engine import play
from burgrave.model.files.games import first_tiles
from burgrave.model.games import Game
from burgrave.model.position import Move, Position
from burgrave.puzzles.candidates.dealing import (
    as_suits,
    before_a_tower,
    dealt,
    scarce_last,
    with_few_followers,
)
from burgrave.puzzles.candidates.seeker import Seeker
from burgrave.puzzles.candidates.single import Guessed, once
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.look import Look, Where
from burgrave.puzzles.selfplay.players import Sensible, Walker
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.themes.signs import Outlook, misled
from burgrave.puzzles.themes.theme import Theme, everywhere, whatever
from burgrave.solver.problem import Goal
from burgrave.solver.simulation import Judged

SOUGHT = 20
"""Turns before the puzzle in which players prepare a theme."""
BEFORE = 6
"""Turns before the puzzle at which the branches of one game part."""
BRANCHES = 6
"""Branches of one game, each after other tiles."""
WALKED = 2
"""Turns before the puzzle that are walked."""
ENDINGS = 4
"""Endings of a branch, each with other tiles and wall tiles."""
PICKED = (3, 8)
"""Turns that are walked of each position, by how many were walked before."""
HOPED = 40
"""Turns that are tested for a theme, if the test is slow."""
LOOKED = 9
"""Positions of an ending whose turns are all examined."""
SURE = 4
"""Points by which a turn leads that is taken for the best without a further look."""
DOUBTS = 3
"""Other turns with which one is compared that leads by less, each played out to the end."""
CLEAR = 1.0
"""Points by which the best place of a tile seems better than any other."""
ALIKE = 5
"""Other turns with the effect of a theme's key."""
COST = 3
"""Points that the key of a theme may seem to cost."""
MANY = 100
"""More tower pieces than anybody has."""
JUDGE = Sensible(reserve=2, pieces=MANY)
"""Tells a player who seeks a theme which turns are good."""
DARING = 6
"""About the number of better turns that a walked turn passes over."""

_Path = tuple[tuple[Judged, Move], ...]
"""Turns, as the walk and the rules know them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The part of a game in which puzzles are sought."""

    game: Game
    tiles_left: int
    """Tiles to come."""
    turns: int
    """Turns played, after which the tiles not wanted are left out."""
    goal: Goal | None = None
    """The aim of one turn; None if best play to the end of the game is asked for."""

    def ahead(self, walk: Rehearsal) -> int:
        """Return the number of turns from the game to the stage."""
        start = walk.start
        before = len(start.tiles) + len(start.discarded) - len(first_tiles(start.game))
        return min(self.turns - before - walk.at, walk.left - self.tiles_left)

    def solver(self, walk: Rehearsal) -> int:
        """Return the player who solves the puzzle if every tile before it has a place."""
        return (walk.mover + self.ahead(walk)) % len(walk.start.players)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A position of a game, with a guess at its solution."""

    start: Position
    """A position some turns earlier, with the tiles that come."""
    ending: int
    """Number of the ending of the game that it belongs to."""
    turns: tuple[Move, ...]
    """The turns up to here."""
    line: tuple[Move, ...]
    """Turns to the end that seem best; or one alone."""
    lead: int
    """The mover's lead if the game ended after the first of them, or its points."""
    once: bool = False
    """Whether one turn alone is asked for."""
    margin: int
    """Its margin over any other first turn."""
    doubts: tuple[Move, ...]
    """Other first turns that seem good."""

    @cached_property
    def position(self) -> Position:
        """The position, played out by the rules."""
        at = self.start
        for turn in self.turns:
            at = play(at, turn).position
        return at


def tiles_of(game: Game) -> int:
    """Return the number of tiles that a game lays; the first tile of Carcassonne lies already."""
    return len(game.tile_set.all_tiles()) - len(first_tiles(game))


def scenes(stage: Stage, themes: Sequence[Theme], rng: Random) -> Iterator[Scene]:
    """Yield scenes of one game in different endings, all reached by legal play.

    Args:
        stage: the game and the tiles to come.
        themes: the wanted themes; scenes without a sign of them are left out.
        rng: the only source of chance.

    """
    game = stage.game
    walk = Rehearsal(new_position(game, rng))
    mine, theirs = max(one.pieces for one in themes)
    # He is to solve the puzzle to whom it comes if every tile has a place.
    pieces = (theirs, mine) if stage.ahead(walk) % 2 else (mine, theirs)
    players: tuple[Walker, ...] = tuple(player_of(kept, rng) for kept in pieces)
    _play(walk, players, rng, stage, SOUGHT)
    scarce = _scarce(themes)
    if scarce:
        walk.deal(scarce_last(walk, rng))
    signs = tuple(one.sign for one in themes if one.sign is not None)
    if stage.goal is Goal.LEAD and not book_of(game).wall_tiles:
        signs = misled(signs)
    if signs:
        seeker = Seeker(signs=signs, judge=JUDGE, solver=stage.solver)
        players = (seeker, seeker)
    _play(walk, players, rng, stage, BEFORE)
    ending = 0
    for branch in _branches(walk, players, stage, themes, rng):
        for _ in range(ENDINGS):
            start = dealt(branch, stage.tiles_left + WALKED, themes, rng)
            ending += 1
            if start is not None:
                if stage.goal is None:
                    start = with_few_followers(start, rng)
                if any(one.lands for one in themes):
                    start = before_a_tower(start, rng)
                if scarce:
                    start = replace(start, order=scarce_last(Rehearsal(start), rng))
                found = _endings(start, ending, stage.goal, themes, rng)
                # A root move with a large lead over the others is usually the single best one.
                yield from sorted(found, key=lambda scene: -scene.margin)


def _branches(
    walk: Rehearsal,
    players: tuple[Walker, ...],
    stage: Stage,
    themes: Sequence[Theme],
    rng: Random,
) -> Iterator[Position]:
    """Yield positions a few turns before a stage to which a game leads, with other tiles each."""
    if not _ready(walk, stage, themes):
        return
    parted = walk.position
    for _ in range(BRANCHES):
        order = list(parted.order)
        rng.shuffle(order)
        turns = Rehearsal(replace(parted, order=tuple(order)))
        if _scarce(themes):
            turns.deal(scarce_last(turns, rng))
        _play(turns, players, rng, stage, WALKED)
        enough = turns.left >= stage.tiles_left + WALKED
        if enough and _ready(turns, stage, themes):
            yield turns.position


def _scarce(themes: Sequence[Theme]) -> bool:
    """Tell whether tiles with few places are to come late for one of some themes."""
    return any(one.where is Where.STRANDING for one in themes)


def _ready(walk: Rehearsal, stage: Stage, themes: Sequence[Theme]) -> bool:
    """Tell whether a game is worth going on with for one of some themes."""
    outlook = Outlook(walk, stage.solver(walk))
    return any(one.ready(outlook) for one in themes)


def _endings(
    start: Position,
    ending: int,
    goal: Goal | None,
    themes: Sequence[Theme],
    rng: Random,
) -> Iterator[Scene]:
    """Yield scenes some turns after a position.

    The walk uses no tile after its end, so the tiles left may come in any order. If a theme needs a
    certain place for the key, the places of each tile decide whether it comes first.
    """
    walk = Rehearsal(start)
    begun, rest = walk.mark(), start.order[WALKED:]
    found: list[tuple[_Path, tuple[str, ...]]] = []
    # The opponent's reply hardly ever changes the best place of a tile.
    settled: defaultdict[Move, dict[str, bool]] = defaultdict(dict)
    for path in _walks(walk, 0, themes, rng):
        # A tile without a place makes a walk pass by the number wanted.
        if walk.at == WALKED:
            firsts = _firsts(walk, rest, themes, walk.mover, settled[path[0][1]])
            found += [(path, _led(first, rest, rng)) for first in firsts]
    for path, drawn in rng.sample(found, min(LOOKED, len(found))):
        for turn, _ in path:
            walk.play(turn)
        if order := as_suits(walk, drawn, themes):
            walk.deal(order)
            guessed = _guessed(walk, goal, themes)
            if guessed is not None:
                yield Scene(
                    start=replace(start, order=(*start.order[:WALKED], *order)),
                    ending=ending,
                    turns=tuple(move for _, move in path),
                    once=goal is not None,
                    **guessed._asdict(),
                )
        walk.undo(begun)


def _guessed(walk: Rehearsal, goal: Goal | None, themes: Sequence[Theme]) -> Guessed | None:
    """Return a guess at a solution that may show a theme: of one turn, or of best play."""
    looks = walk.looks()
    if goal:
        return once(walk, looks, goal, themes)
    if not (guess := _guess(looks, themes)):
        return None
    line, end = _line(walk, guess)
    margin = _margin(walk, guess, end, looks, themes)
    if margin <= 0:
        return None
    return Guessed(line, guess.lead, margin, tuple(map(walk.move, _doubts(guess, looks))))


def _led(first: str, tiles: Sequence[str], rng: Random) -> tuple[str, ...]:
    """Return tiles in an order that begins with one of them."""
    others = list(tiles)
    others.remove(first)
    return (first, *rng.sample(others, len(others)))


def _firsts(
    walk: Rehearsal,
    tiles: Sequence[str],
    themes: Sequence[Theme],
    player: int,
    settled: dict[str, bool] | None = None,
) -> list[str]:
    """Return those of some tiles that have a place that may show a theme, if they come first.

    Args:
        walk: where the first comes.
        tiles: the tiles.
        themes: the themes.
        player: whose place it is to be.
        settled: whether one place of a tile seems the best, as far as it was asked; None if that
            does not matter.

    """
    found = []
    for tile in sorted({*tiles}):
        coming = list(tiles)
        coming.remove(tile)
        able = [one for one in themes if _has_place(walk, one, tile, coming, player)]
        if able and settled is not None and all(one.deed for one in able):
            # The slow tests come last.
            if tile not in settled:
                settled[tile] = _settled(walk, (tile, *coming))
            able = able if settled[tile] else []
        if able:
            found.append(tile)
    return found


def _has_place(
    walk: Rehearsal, theme: Theme, tile: str, coming: Sequence[str], player: int
) -> bool:
    """Tell whether a tile has a place that may show a theme."""
    if theme.placed is everywhere:
        return bool(walk.places(tile))
    return any(map(theme.placed, walk.glance(tile, coming, player, theme.where)))


def _settled(walk: Rehearsal, order: Sequence[str]) -> bool:
    """Tell whether one place of the next tile of an order seems the best."""
    walk.deal(order)
    bare = [one.lead for one in walk.judged() if not (one.claims or one.acts)]
    leads = nlargest(2, bare)
    return len(leads) > 1 and leads[0] >= leads[1] + CLEAR


def _walks(walk: Rehearsal, walked: int, themes: Sequence[Theme], rng: Random) -> Iterator[_Path]:
    """Rehearse some turns, most of them good; yield them while the walk is where they lead to.

    The player who solves the puzzle walks only turns that leave him a place for a theme.
    """
    if walked == WALKED:
        yield ()
        return
    drawn = _drawn(_good(walk), rng)
    choosy = walked == 0 and not any(one.placed is everywhere for one in themes)
    turns: Iterable[Judged] = _hopeful(walk, drawn, themes) if choosy else drawn
    for turn in islice(turns, PICKED[walked]):
        mark, move = walk.mark(), walk.move(turn)
        walk.play(turn)
        for rest in _walks(walk, walked + 1, themes, rng):
            yield ((turn, move), *rest)
        walk.undo(mark)


def _good(walk: Rehearsal) -> list[Judged]:
    """Return every turn of a walk, those first that seem best.

    In The Tower the last follower and tower pieces are kept, since themes need them.
    """
    last = book_of(walk.start.game).actions and walk.supply == 1
    turns = [turn for turn in walk.judged() if not turn.acts]
    return sorted(turns, key=lambda turn: (last and turn.claims, -turn.lead))


def _drawn(turns: Sequence[Judged], rng: Random) -> list[Judged]:
    """Return turns, the best of which come first, in the order in which they are drawn by lot."""
    lots = [rng.expovariate(1) * exp(rank / DARING) for rank in range(len(turns))]
    return [turn for _, turn in sorted(zip(lots, turns, strict=True), key=itemgetter(0))]


def _hopeful(walk: Rehearsal, turns: Sequence[Judged], themes: Sequence[Theme]) -> Iterator[Judged]:
    """Yield turns after which the player who makes them has a place for a theme."""
    tiles, player, mark = walk.order[WALKED:], walk.mover, walk.mark()
    slow = any(one.where is Where.ANYWHERE for one in themes)
    for turn in turns[:HOPED] if slow else turns:
        walk.play(turn)
        hopeful = _firsts(walk, tiles, themes, player)
        walk.undo(mark)
        if hopeful:
            yield turn


def _promise(look: Look) -> tuple[int, int]:
    """Return the estimated value of a turn, then its gain."""
    return look.worth, look.gain


def _guess(looks: Sequence[Look], themes: Sequence[Theme]) -> Look | None:
    """Return the turn that may be best and show a theme; None if there is none, or no choice.

    It is the one with the largest lead if the game ended after it, if no other leads as much.
    If a theme defines its key by an action, the best turn with that action is used, even at a small
    cost.

    Args:
        looks: every turn.
        themes: the themes.

    """
    if len(looks) < 2:  # noqa: PLR2004 -- there is nothing to find
        return None
    ranked = sorted(looks, key=_promise, reverse=True)
    sole = sum(look.worth == ranked[0].worth for look in looks) == 1
    most, gain = max(look.points for look in looks), max(look.gain for look in looks)
    for look in ranked:
        if look.worth < ranked[0].worth - COST:
            break
        greedy = 0 < look.points == most or 0 < look.gain == gain
        for one in themes:
            shows = (sole and look is ranked[0]) if one.sought is None else one.sought(look, looks)
            shows = shows and one.placed(look.place)
            if shows and (one.elementary or not greedy) and one.glimpsed(look, looks):
                return look
    return None


def _margin(
    walk: Rehearsal, guess: Look, end: int, looks: Sequence[Look], themes: Sequence[Theme]
) -> int:
    """Return the estimated margin of a first turn over the others.

    If its lead over the next is small, the best other turns are played out too.

    Args:
        walk: where it is made.
        guess: the turn.
        end: the lead of who makes it at the end of its line.
        looks: every first turn.
        themes: the themes.

    """
    doubts = _doubts(guess, looks)
    margin = guess.worth - max((look.worth for look in doubts), default=0)
    if margin >= SURE:
        return margin
    sought = [one.sought for one in themes if one.sought not in {None, whatever}]
    others = [look for look in looks if look is not guess]
    alike = [look for look in others if any(so(look, looks) for so in sought)]
    doubts += [look for look in nlargest(ALIKE, alike, key=_promise) if look not in doubts]
    margin = SURE
    for look in doubts:
        margin = min(margin, end - _line(walk, look)[1])
        if margin <= 0:
            break
    return margin


def _doubts(guess: Look, looks: Sequence[Look]) -> list[Look]:
    """Return the turns that seem best besides one."""
    return nlargest(DOUBTS, (look for look in looks if look is not guess), key=_promise)


def _line(walk: Rehearsal, first: Look) -> tuple[tuple[Move, ...], int]:
    """Return turns to the end of the game, and the lead then of who makes the first.

    Args:
        walk: where it begins.
        first: the first turn; each later turn is the one that the policy thinks best.

    """
    mark, me, line = walk.mark(), walk.mover, [walk.move(first)]
    end = first.lead
    walk.play(first)
    while turns := walk.judged():
        turn = max(turns, key=attrgetter("lead"))
        line.append(walk.move(turn))
        # After the last tile the policy counts.
        end = round(turn.lead if walk.mover == me else -turn.lead)
        walk.play(turn)
    if walk.left:
        # None of them has a place: who would draw passes.
        line.append(Move(discards=tuple(walk.order[walk.at :])))
    walk.undo(mark)
    return tuple(line), end


def player_of(pieces: int, rng: Random) -> Sensible:
    """Return a player of some strength who keeps followers and some tower pieces back."""
    return Sensible(
        reserve=rng.choice((2, 3)), pieces=pieces, looseness=rng.choice((0.1, 0.3, 0.6))
    )


def _play(
    walk: Rehearsal, players: tuple[Walker, ...], rng: Random, stage: Stage, before: int
) -> None:
    """Play on until some turns before a stage, or until no tile to come has a place."""
    while stage.ahead(walk) > before:
        chosen = players[walk.mover](walk, rng)
        if chosen is None:
            return
        walk.play(chosen)
