"""``burgrave schema``: the JSON Schema of files and answers."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.completion import complete_answers
from burgrave.cli.options import JsonOption
from burgrave.cli.output import show
from burgrave.model.errors import QuestionError


def schema(
    answer: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND]",
            help="A command, or answers for all of them.",
            show_default=False,
            autocompletion=complete_answers,
        ),
    ] = None,
    as_json: JsonOption = False,  # noqa: ARG001 -- it is JSON either way
) -> None:
    """Print the JSON Schema of all files, or of the --json answer of a command."""
    from burgrave.model.naming import quoted, suggestion

    name = " ".join(answer or ()).lower()
    if not name:
        from burgrave.model.files.schema import FILES, json_schema
        from burgrave.puzzles.cards.files import CardsFile
        from burgrave.puzzles.files.dataset_rows import PuzzleRow
        from burgrave.puzzles.files.datasets import DatasetFile
        from burgrave.puzzles.files.puzzle_files import PuzzleFile, SetFile
        from burgrave.solver.simulation.values_file import ValuesFile

        data = json_schema(
            {
                **FILES,
                "puzzle": PuzzleFile,
                "set": SetFile,
                "cards": CardsFile,
                "dataset": DatasetFile,
                "row of a dataset": PuzzleRow,
                "values": ValuesFile,
            }
        )
    else:
        from burgrave.cli.answers import ANSWERS, answer_schema

        names = list(ANSWERS) if name == "answers" else [name]
        if not set(names) <= set(ANSWERS):
            known = [*ANSWERS, "answers"]
            helps = suggestion(name, known, "burgrave --help lists the commands.")
            raise QuestionError(f"no command {quoted(name)}.{helps}")
        data = answer_schema(names)
    show(data, "", as_json=True)
