"""Measure a tile set in self-play: points, claims, and tiles without a place.

Run it with a number of games, and perhaps a tile set of one's own:
``python -m benchmarks.tile_set 50 mine.toml``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, pstdev

from burgrave.model.book import book_of
from burgrave.model.books import book
from burgrave.model.engine import play
from burgrave.model.expansions.falcon.aeries import TOKEN_END
from burgrave.model.features import empty_cells
from burgrave.model.files.games import shipped_game
from burgrave.model.files.tilesets import load_tile_set
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.geometry import areas
from burgrave.model.position import Move, Position
from burgrave.model.registry import CASTLE, ids
from burgrave.model.rule import Event
from burgrave.model.rules.castle.keeps import END_COURT, END_KEEP
from burgrave.model.rules.castle.wall_tiles import TAKE
from burgrave.model.tiles import Kind
from burgrave.puzzles.selfplay.games import new_position, play_game
from burgrave.puzzles.selfplay.players import Sensible, anew

WALL_TILES = "wall tiles"
KEEP = "keep"
TOKENS = "aerie tokens"
KINGS = "kings"
SOURCES = {rule.id: str(kind) for kind, rule in book("castle+falcon").worth.items()} | {
    END_COURT.id: str(Kind.COURT),
    END_KEEP.id: KEEP,
    TOKEN_END.id: TOKENS,
}
"""The source of an event's points, by the first rule it names; all others are wall tiles."""
KINDS = {role: str(kind) for kind, role in book("castle+falcon").roles.items()}
"""The kind of feature on which a follower of each role stands."""


@dataclass(slots=True)
class Figures:
    """The counts of all games."""

    scores: list[int] = field(default_factory=list)
    """Totals, one for each player and game."""
    leads: list[int] = field(default_factory=list)
    """Points between the players, one for each game."""
    turns: list[int] = field(default_factory=list)
    areas: list[int] = field(default_factory=list)
    """Cells of the largest empty area, one for each game."""
    keeps: list[int] = field(default_factory=list)
    """Tiles of the keeps, one for each player and game."""
    discards: Counter[str] = field(default_factory=Counter)
    """Tiles without a place, by kind of tile."""
    points: Counter[str] = field(default_factory=Counter)
    """Points by what brought them."""
    claims: Counter[str] = field(default_factory=Counter)
    """Followers placed, by kind of feature."""
    standing: Counter[str] = field(default_factory=Counter)
    """Turns of either player that followers stood on the board, by kind of feature."""
    scored: Counter[str] = field(default_factory=Counter)
    """Features that brought points, by kind."""
    sizes: Counter[str] = field(default_factory=Counter)
    """Tiles of the features that brought points, by kind."""
    taken: int = 0
    """Wall tiles taken."""
    tokens: int = 0
    """Aerie tokens taken."""


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=20)
    parser.add_argument(
        "tiles", type=Path, nargs="?", help="a tile-set file; default: the shipped one"
    )
    parser.add_argument(
        "--game", choices=ids(base=CASTLE), default="castle", help="the game; default: castle"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game")
    parser.add_argument("--looseness", type=float, default=0.0, help="of both players, 0 to 1")
    options = parser.parse_args()
    game = shipped_game(
        options.game, tile_set=load_tile_set(options.tiles) if options.tiles else None
    )
    figures = Figures()
    begun = time.perf_counter()
    for seed in range(options.seed, options.seed + options.games):
        count_game(figures, game, Random(seed), options.looseness)
    show(figures, game, time.perf_counter() - begun)


def count_game(figures: Figures, game: Game, rng: Random, looseness: float) -> None:
    """Play one game between equal players and count it."""
    player = anew(Sensible(looseness=looseness))
    line = play_game(new_position(game, rng), (player, player), rng)
    for position, move in line:
        count_move(figures, position, move)
    end = play(*line[-1]).position
    final = final_scoring(end)
    count_events(figures, final.events)
    figures.scores += final.scores
    figures.leads.append(max(final.scores) - min(final.scores))
    figures.turns.append(len(line))
    figures.areas.append(len(areas(empty_cells(end))[0]))
    figures.keeps += [player.keep for player in end.players]


def count_move(figures: Figures, position: Position, move: Move) -> None:
    """Count the effects of one turn."""
    figures.discards.update(move.discards)
    figures.claims.update(KINDS[deployment.role] for deployment in move.followers)
    figures.standing.update(KINDS[follower.role] for follower in position.followers)
    if move.tile is not None:
        count_events(figures, play(position, move).events)


def count_events(figures: Figures, events: tuple[Event, ...]) -> None:
    """Count points by their source; the points that a doubling adds belong to the wall tile."""
    for event in events:
        figures.taken += TAKE.id in event.rules
        figures.tokens += event.tokens
        if event.player is None or event.points == 0:
            continue
        source = SOURCES.get(event.rules[0], WALL_TILES)
        half = event.points // 2
        by_tile, by_king = "doubled by wall tile" in event.text, "by the king" in event.text
        figures.points[source] += half if by_tile or by_king else event.points
        figures.points[WALL_TILES] += half if by_tile else 0
        figures.points[KINGS] += half if by_king else 0
        figures.scored[source] += 1
        figures.sizes[source] += len(event.cells)


def show(figures: Figures, game: Game, seconds: float) -> None:
    """Print the table."""
    games = len(figures.turns)
    tiles = games * len(game.tile_set.all_tiles())
    lost = figures.discards.total()
    names = ", ".join(f"{tile} {times}" for tile, times in figures.discards.most_common(8))
    print(f"{game.title}: {games} games, {seconds:.0f} s")
    print(f"tiles without a place  {lost} of {tiles} = {100 * lost / tiles:.2f} %  {names}")
    print(f"final score            {spread(figures.scores)}")
    print(f"lead                   {spread(figures.leads)}")
    print(f"turns                  {spread(figures.turns)}")
    print(f"largest empty area     {spread(figures.areas)}")
    print(f"keep                   {spread(figures.keeps)}")
    print(f"wall tiles taken       {figures.taken / games:.1f} a game")
    print("                 points  claims  scored  tiles  points   turns  points")
    print("                 each    each    each    each   a claim  stood  a turn stood")
    for kind in book_of(game).completion:
        show_kind(figures, str(kind), 2 * games)
    if book_of(game).collect is not None:
        print(f"aerie tokens taken {figures.tokens / games:.1f} a game")
    for source in (KEEP, WALL_TILES, TOKENS, KINGS):
        print(f"{source:16} {figures.points[source] / (2 * games):6.1f}")


def show_kind(figures: Figures, kind: str, players: int) -> None:
    """Print the line of one kind of feature: figures for each player and game."""
    claims, scored = max(1, figures.claims[kind]), max(1, figures.scored[kind])
    points, stood = figures.points[kind], max(1, figures.standing[kind])
    print(
        f"{kind:16} {points / players:6.1f}  {claims / players:6.1f}  {scored / players:6.1f}"
        f"  {figures.sizes[kind] / scored:5.1f}  {points / claims:7.1f}  {stood / claims:5.1f}"
        f"  {points / stood:6.2f}"
    )


def spread(values: list[int]) -> str:
    """Return mean, standard deviation and extremes in words."""
    return f"{mean(values):.1f} ± {pstdev(values):.1f}, {min(values)} to {max(values)}"


if __name__ == "__main__":
    main()
