"""Answers kept in a file of lines, so that an interrupted command goes on from them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Generic, TypeVar

from burgrave.cli.output import writable
from burgrave.model.errors import FileError
from burgrave.model.files.paths import PathKind, path_kind, reason
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.solver.pool import Pool
from burgrave.solver.workers.cluster import versions
from burgrave.solver.workers.tasks import Done, ordered

Item = TypeVar("Item")


class KeptVerdicts(Generic[Item]):
    """The verdicts on puzzles or cards, each kept in a file when it is known.

    The first line of the file tells the command with its options and the sources of the program.
    """

    def __init__(
        self,
        file: Path | None,
        command: str,
        options: Mapping[str, object],
        key: Callable[[Item], str],
    ) -> None:
        """Read what an earlier run kept.

        Args:
            file: the file; None to keep nothing.
            command: the name of the command.
            options: those that change an answer.
            key: returns a text that tells items apart.

        Raises:
            FileError: it keeps something else, or cannot be read.
            QuestionError: no file can be written there.

        """
        self.file, self._command, self._key = file, command, key
        self._known: dict[str, list[Verdict]] = {}
        if file is None:
            return
        writable(file, force=True)  # answers are added to a file that is there
        head = {"answers": command, **options, "sources": versions()["its sources"]}
        lines = [] if path_kind(file) is PathKind.NOTHING else finished(file, command)
        if not lines:
            self._write(head)
        elif lines[0] != head:
            told = "line 1: keeps answers of another command, release or other options"
            raise FileError(str(file), [f"{told}; name another file"])
        for number, line in enumerate(lines[1:], start=2):
            try:
                self._known[line["item"]] = [_verdict(**one) for one in line["verdicts"]]
            except (TypeError, KeyError):
                raise FileError(str(file), [_none(number, command)]) from None

    def of(
        self, answer: Callable[[Item], list[Verdict]], items: Sequence[Item], pool: Pool | None
    ) -> Generator[Done[Item, list[Verdict]], None, None]:
        """Yield the verdicts on items in their order: those that are kept, and new ones.

        Args:
            answer: returns the verdicts on an item.
            items: the items.
            pool: the workers; None for this process.

        Raises:
            WorkersError: the workers are gone.

        """
        known = [self._known.get(self._digest(item)) if self._known else None for item in items]
        new = [item for item, kept in zip(items, known, strict=True) if kept is None]
        with closing(ordered(answer, new, pool)) as results:
            for item, kept in zip(items, known, strict=True):
                yield next(results) if kept is None else Done(item=item, value=kept)

    def add(self, item: Item, verdicts: list[Verdict]) -> None:
        """Keep the verdicts on an item, if that is wanted.

        Raises:
            FileError: they cannot be written.

        """
        if self.file is None or (digest := self._digest(item)) in self._known:
            return
        self._known[digest] = verdicts
        told = [
            {name: getattr(one, name) for name in Verdict.__dataclass_fields__} for one in verdicts
        ]
        self._write({"item": digest, "verdicts": told})

    def _digest(self, item: Item) -> str:
        """Return a digest of what tells items apart."""
        return hashlib.sha256(self._key(item).encode()).hexdigest()[:16]

    def _write(self, line: Mapping[str, object]) -> None:
        """Add a line; what a full disk leaves of it is taken away the next time.

        Raises:
            FileError: it cannot be written.

        """
        assert self.file is not None
        try:
            with self.file.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"{json.dumps(line)}\n")
        except OSError as error:
            raise FileError(str(self.file), [f"cannot be written: {reason(error)}"]) from error


def _verdict(rules: Sequence[str], **others: Any) -> Verdict:
    """Return a verdict that was kept."""
    return Verdict(rules=tuple(rules), **others)


def _none(number: int, command: str) -> str:
    """Return what is said of a line that a command has not written."""
    return f"line {number} is no answer of burgrave {command}"


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, however large.

    Raises:
        FileError: it cannot be read.

    """
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise FileError(str(path), [f"cannot be read: {reason(error)}"]) from error


def finished(path: Path, command: str) -> list[dict[str, Any]]:
    """Return the lines that a command wrote; a last one that was cut off is taken away.

    Raises:
        FileError: it holds something else.

    """
    whole, found = 0, []
    for number, line in enumerate(lines_of(path), start=1):
        if not line.endswith(b"\n"):
            _cut(path, whole)
            break
        whole += len(line)
        try:
            found.append(dict(json.loads(line)))
        except (ValueError, TypeError):
            raise FileError(str(path), [_none(number, command)]) from None
    return found


def _cut(path: Path, size: int) -> None:
    """Take away what a file holds after its first bytes.

    Raises:
        FileError: it cannot be written.

    """
    try:
        os.truncate(path, size)
    except OSError as error:
        raise FileError(str(path), [f"cannot be written: {reason(error)}"]) from error
