"""The libraries of the extra ``tables``, imported when they are needed: pyarrow and DuckDB."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from burgrave.model.errors import QuestionError

_EXTRA = "the extra 'tables': in the folder of Burgrave's sources run pip install \".[tables]\""


def arrow(what: str, instead: str = "") -> tuple[Any, Any]:
    """Return pyarrow, and its module that reads and writes Parquet.

    Args:
        what: the thing that needs it, for the message.
        instead: the thing that needs nothing, to end the message.

    Raises:
        QuestionError: it is not installed.

    """
    return _imported("pyarrow", what, instead), _imported("pyarrow.parquet", what, instead)


def duckdb() -> Any:
    """Return DuckDB, which queries Parquet files.

    Raises:
        QuestionError: it is not installed.

    """
    return _imported("duckdb", "a dataset of puzzles", "")


def _imported(name: str, what: str, instead: str) -> Any:
    """Return a module of the extra.

    Raises:
        QuestionError: it is not installed.

    """
    try:
        return import_module(name)
    except ImportError:
        more = f"; {instead}" if instead else ""
        raise QuestionError(f"{what} needs {_EXTRA}{more}") from None
