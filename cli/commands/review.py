"""``burgrave review``: whole games, turn by turn, with their mistakes and their luck."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, INTERRUPTED, NO
from burgrave.cli.options import (
    ClusterOption,
    ForceOption,
    JobsOption,
    JsonOption,
    budget,
    cores,
    player_index,
    workers,
)
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.render import json_estimates
    from burgrave.solver.pool import Pool


def review(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="Records, games that burgrave import reads, folders of them, or - for standard"
            " input.",
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
            help="Keep each finished turn in this file, and go on from it the next time; of several"
            " games in a folder, a file each.",
            show_default=False,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="FILE.svg",
            help="Draw the lead and what each turn lost to this file.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Write a row for each turn to this file: .csv, .jsonl or .parquet.",
            show_default=False,
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
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Review games: the lead before and after each turn, mistakes, missed ideas, luck."""
    from burgrave.cli.many_reviews import is_folder, listed
    from burgrave.cli.output import save, show, writable
    from burgrave.cli.render.review import review_data, review_text
    from burgrave.cli.render.review_picture import picture_svg
    from burgrave.cli.render.review_table import rows_of, table_writable
    from burgrave.cli.render.review_table import table as table_of
    from burgrave.cli.reviews import (
        asked,
        game_of,
        mistakes_of,
        places_ready,
        reviewed,
        reviewed_by,
        write_puzzles,
    )

    if ask and as_json:
        raise QuestionError("--ask and --json exclude each other")
    many = len(games) > 1 or is_folder(games[0])
    if many and (picture is not None or puzzles is not None or ask or player is not None):
        raise QuestionError("--picture, --puzzles, --ask and --player take one game")
    if table is not None:
        table_writable(table)
        # What is kept makes the table anew, so the same command goes on.
        writable(table, force=force or keep is not None)
    if many:
        names = listed(games)
        with workers(jobs, cluster, usual=cores()) as pool:
            code = _many(names, playouts, seed, pool, keep, table, as_json=as_json)
        raise typer.Exit(code)
    places_ready(picture, puzzles, force=force)
    played = game_of(games[0])
    whose = player_index(played.turns[0][0], player, "--player")
    means = budget(None, None, jobs or cores())
    with workers(None if cluster is None else jobs, cluster) as pool:
        if pool is None:
            turns = reviewed(played, playouts=playouts, seed=seed, budget=means, keep=keep)
        else:
            turns = reviewed_by(pool, played, playouts=playouts, seed=seed, keep=keep)
    if picture is not None:
        save(picture, picture_svg(played, turns))
    if table is not None:
        save(table, table_of(table, [*rows_of(played, turns)]))
    wrong = mistakes_of(turns, whose)
    made = write_puzzles(played, wrong, puzzles, force=force) if puzzles is not None else []
    if ask:
        found_all = asked(played, wrong, playouts=playouts, seed=seed, budget=means)
        raise typer.Exit(ANSWERED if found_all else NO)
    text = "\n".join(review_text(played, turns))
    data = review_data(played, turns, playouts=playouts, seed=seed, puzzles=made)
    show(data, text, as_json=as_json, game=played.turns[0][0].game)


def _many(
    names: list[str],
    playouts: int,
    seed: int,
    pool: Pool | None,
    keep: Path | None,
    table: Path | None,
    *,
    as_json: bool,
) -> int:
    """Review several games and print what each player loses; return the exit code.

    The table is written anew after each game, so that it always holds the finished ones.
    """
    from burgrave.cli.many_reviews import LeftOut, kept_in, ready, review_all
    from burgrave.cli.output import note, show
    from burgrave.cli.render import review_table
    from burgrave.model.files.paths import write_whole

    ready(keep)
    rows: list[review_table.Row] = []
    done: list[str] = []
    left_out: list[json_estimates.GameLeftOut] = []
    stopped = False
    reviews = review_all(names, playouts=playouts, seed=seed, keep=kept_in(keep), pool=pool)
    try:
        for one in reviews:
            if isinstance(one, LeftOut):
                left_out.append({"game": one.name, "error": one.error})
                continue
            rows += review_table.rows_of(*one)
            done.append(one[0].name)
            if table is not None:
                write_whole(table, review_table.table(table, rows))
    except KeyboardInterrupt:
        stopped = True
        goes_on = "the same command goes on from there" if keep else "--keep DIR would keep them"
        note(f"Interrupted after {len(done)} of {len(names)} games; {goes_on}.")
    finally:
        reviews.close()
    if not rows:
        if stopped:
            return INTERRUPTED
        raise QuestionError(f"none of the {len(names)} games can be reviewed; see the lines above")
    data: json_estimates.ManyReviews = {
        "games": done,
        "left_out": left_out,
        "playouts": playouts,
        "seed": seed,
        "players": review_table.summary(rows),
    }
    text = [*review_table.summary_text(rows)]
    text += [f"left out: {one['error']}" for one in left_out]
    show(data, "\n".join(text), as_json=as_json)
    return INTERRUPTED if stopped else NO if left_out else ANSWERED
