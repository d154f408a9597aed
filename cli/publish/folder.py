"""The folder of a published copy: written beside its place, then put there at once."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.paths import PathKind, path_kind, probe, reason


def check(folder: Path, listing: str, *, force: bool) -> None:
    """Refuse a place at which a copy must not be written, before any work is done.

    Args:
        folder: the place.
        listing: the file in a copy that names its files under the key ``files``.
        force: whether to replace an earlier copy.

    Raises:
        QuestionError: something else is there, or an earlier copy that may not be replaced.
        FileError: nothing can be written there.

    """
    kind = path_kind(folder)
    if kind not in {PathKind.NOTHING, PathKind.FOLDER}:
        raise QuestionError(f"{folder}: this is a file; name a folder")
    try:
        there = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()
        )
        empty = kind is PathKind.NOTHING or not any(folder.iterdir())
    except OSError as error:
        raise FileError(str(folder), [f"cannot be read: {reason(error)}"]) from error
    if not empty:
        known = _listed(folder / listing)
        foreign = [name for name in there if name != listing and name not in known]
        if not known or foreign:
            named = f" ({foreign[0]})" if foreign else ""
            raise QuestionError(
                f"{folder}: the folder has files that burgrave publish did not write{named};"
                " name an empty or a new one"
            )
        if not force:
            raise QuestionError(f"{folder}: a published site is there; add --force to replace it")
    parent = _parent(folder)
    if path_kind(parent) is not PathKind.FOLDER:
        raise QuestionError(f"{folder}: there is no folder {parent}")
    probe(parent)


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a copy so that nobody ever sees half of it; what was there before goes.

    Args:
        folder: its place, which ``check`` has allowed.
        files: the contents by path.

    Raises:
        FileError: it cannot be written; what was there before is untouched.

    """
    place = folder.resolve()
    mark = secrets.token_hex(4)
    fresh = place.parent / f".{place.name}.{mark}.new"
    old = place.parent / f".{place.name}.{mark}.old"
    try:
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            if place.exists():
                place.rename(old)
            fresh.rename(place)
        except BaseException:
            if old.exists() and not place.exists():
                old.rename(place)
            raise
    except OSError as error:
        raise FileError(str(folder), [f"cannot be written: {reason(error)}"]) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)


def _parent(folder: Path) -> Path:
    """Return the folder in which a folder stands."""
    return folder.resolve().parent


def _listed(path: Path) -> frozenset[str]:
    """Return the files that the list of a copy names; none if it is no such list."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return frozenset(data["files"]) if data["type"] == "site" else frozenset()
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
