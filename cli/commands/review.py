"""``burgrave review``: a whole game, turn by turn, with its mistakes and its luck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import ForceOption, JobsOption, JsonOption, budget, cores, player_index
from burgrave.model.errors import QuestionError


def review(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A record, a game that burgrave import reads, or - for standard input.",
            show_default=False,
        ),
    ],
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts",
            min=100,
            metavar="N",
            help="Games for each turn; each move gets 10 at least.",
        ),
    ] = 1200,
    seed: Annotated[int, typer.Option("--seed", help="Seed of all chance.")] = 1,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="FILE",
            help="Keep each finished turn in this file, and go on from it the next time.",
            show_default=False,
        ),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", metavar="FILE.svg", help="Draw the lead to this file.", show_default=False
        ),
    ] = None,
    puzzles: Annotated[
        Path | None,
        typer.Option(
            "--puzzles",
            metavar="DIR",
            help="Write each mistake that has one proved best move to this folder as a puzzle.",
            show_default=False,
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Try your mistakes again, with hints on demand.")
    ] = False,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose mistakes become puzzles or are asked; all players' by default.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    jobs: JobsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Review a game: the lead before and after each turn, mistakes, missed ideas, luck."""
    from burgrave.cli.output import save, show, writable
    from burgrave.cli.render.review import graph_svg, review_data, review_text
    from burgrave.cli.reviews import asked, game_of, mistakes_of, reviewed, write_puzzles

    if ask and as_json:
        raise QuestionError("--ask and --json exclude each other")
    writable(graph, force=force)
    played = game_of(game)
    whose = player_index(played.turns[0][0], player, "--player")
    means = budget(None, None, jobs or cores())
    turns = reviewed(played, playouts=playouts, seed=seed, budget=means, keep=keep)
    if graph is not None:
        save(graph, graph_svg(played.players, turns))
    wrong = mistakes_of(turns, whose)
    made = write_puzzles(played, wrong, puzzles, force=force) if puzzles is not None else []
    if ask:
        found_all = asked(played, wrong, playouts=playouts, seed=seed, budget=means)
        raise typer.Exit(ANSWERED if found_all else NO)
    text = "\n".join(review_text(played, turns))
    data = review_data(played, turns, playouts=playouts, seed=seed, puzzles=made)
    show(data, text, as_json=as_json, game=played.turns[0][0].game)
