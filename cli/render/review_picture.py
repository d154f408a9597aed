"""A reviewed game as one picture to post: the lead over the game, and what each turn lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from burgrave.cli.render.review import DUEL, Game, leads, mistakes
from burgrave.model.pictures.pawns import colour
from burgrave.puzzles.games.review import ReviewedTurn

WIDTH, HEIGHT, RIM = 1200, 630, 60
"""Of the picture and its rim, in pixels: the shape of a picture that sites show beside a link."""
LEAD, LOSS = (110, 400), (440, 560)
"""Upper and lower ends of the two charts, in pixels."""
INKS = {
    "white": "#b8a888",
    "black": "#222222",
    "red": "#c0392b",
    "blue": "#2a6db0",
    "green": "#2e8b57",
    "yellow": "#d4a017",
    "grey": "#7f8c8d",
}
"""Ink of a player by colour; White's is dark enough to be seen on white."""
LEAST_LEAD, LEAST_LOSS = 10.0, 5.0
"""Points that the charts show at least."""


def picture_svg(game: Game, turns: Sequence[ReviewedTurn]) -> str:
    """Return the picture of a reviewed game as SVG.

    Above is the lead of the first player after each turn, below the points that each turn lost
    against the best move, in the colour of its player. Marks stand at mistakes and strong moves.
    """
    values = leads(turns)
    title = escape(game.title or game.name)
    told = f"Lead of {escape(game.players[0])}, {values[-1]:+.1f} after the last turn"
    charts = [*_lead(values, turns), *_losses(game, turns)]
    body = "\n".join([*_head(title, told), *charts, *_legend(game, turns)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="18" role="img">\n'
        f"<title>{title}: {told}</title>\n{body}\n</svg>\n"
    )


def _head(title: str, told: str) -> Iterator[str]:
    """Yield ground and headings."""
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield f'<text x="{RIM}" y="50" font-size="28" font-weight="bold">{title}</text>'
    yield f'<text x="{RIM}" y="84" fill="#555555">{told}</text>'
    lost = "points lost against the best move"
    yield f'<text x="{RIM}" y="{LOSS[0] - 8}" fill="#555555">{lost}</text>'


def _across(index: int, count: int) -> float:
    """Return how far to the right a turn stands, in pixels."""
    return RIM + (index + 0.5) * (WIDTH - 2 * RIM) / count


def _lead(values: Sequence[float], turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    """Yield the curve of the lead with its marks."""
    top, bottom = LEAD
    middle, most = (top + bottom) / 2, max(LEAST_LEAD, *(abs(value) for value in values))

    def down(value: float) -> float:
        return middle - value / most * (bottom - top) / 2

    for value in (most, 0.0, -most):
        y = down(value)
        yield f'<line x1="{RIM}" x2="{WIDTH - RIM}" y1="{y:.1f}" y2="{y:.1f}" stroke="#cccccc"/>'
        yield f'<text x="{RIM - 8}" y="{y + 6:.1f}" text-anchor="end">{_signed(value)}</text>'
    places = [(_across(index, len(values)), down(value)) for index, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<polyline points="{line}" fill="none" stroke="#333333" stroke-width="3"/>'
    for (x, y), turn in zip(places, turns, strict=True):
        if turn.mark:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#333333"/>'
            yield f'<text x="{x:.1f}" y="{y - 10:.1f}" text-anchor="middle">{turn.mark}</text>'


def _signed(value: float) -> str:
    """Return a lead beside its line."""
    return f"{value:+.0f}" if value else "0"


def _losses(game: Game, turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    """Yield a bar for what each turn lost; an estimate below 0 has none."""
    top, bottom = LOSS
    most = max(LEAST_LOSS, *(turn.loss for turn in turns))
    wide = 0.8 * (WIDTH - 2 * RIM) / len(turns)
    yield f'<line x1="{RIM}" x2="{WIDTH - RIM}" y1="{bottom}" y2="{bottom}" stroke="#cccccc"/>'
    yield f'<text x="{RIM - 8}" y="{top + 6}" text-anchor="end">{most:.0f}</text>'
    for index, turn in enumerate(turns):
        if turn.loss > 0:
            high = turn.loss / most * (bottom - top)
            x = _across(index, len(turns)) - wide / 2
            yield (
                f'<rect x="{x:.1f}" y="{bottom - high:.1f}" width="{wide:.1f}"'
                f' height="{high:.1f}" fill="{_ink(game, turn.player)}"/>'
            )


def _legend(game: Game, turns: Sequence[ReviewedTurn]) -> Iterator[str]:
    """Yield a line for each player: name, points lost a turn, marks."""
    step = (WIDTH - 2 * RIM) / max(DUEL, len(game.players))
    for player, name in enumerate(game.players):
        mine = [turn for turn in turns if turn.player == player]
        lost = sum(turn.loss for turn in mine) / max(1, len(mine))
        marks = ", ".join(
            f"{count} {mark}" for mark, count in mistakes(turns, player).items() if count
        )
        x = RIM + player * step
        yield f'<rect x="{x:.0f}" y="590" width="18" height="18" fill="{_ink(game, player)}"/>'
        words = f"{name}: lost {lost:.1f} a turn{'; ' + marks if marks else ''}"
        yield f'<text x="{x + 26:.0f}" y="605">{escape(words)}</text>'


def _ink(game: Game, player: int) -> str:
    """Return the ink of a player."""
    return INKS[colour(game.turns[0][0].game, player)]
