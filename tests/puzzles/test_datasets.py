"""Datasets of puzzles: nothing is lost, each position stands once, faults are told."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from burgrave.model.engine import legal_moves
from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.features import position_features
from burgrave.model.files.locks import locked
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.model.words import write_node
from burgrave.puzzles.files import adding
from burgrave.puzzles.files.adding import Added, add, partition, row
from burgrave.puzzles.files.dataset_rows import COLUMNS
from burgrave.puzzles.files.datasets import MANIFEST, Dataset, Order, opened
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.judging.canonical import Match
from burgrave.puzzles.questions import Complete, Expect, Legal, Question
from burgrave.puzzles.study.puzzle import Puzzle
from tests.puzzles.test_canonical import PLANE, copied, copied_move, laid

pytestmark = pytest.mark.every_case
NAMES = (PLANE, "market-day", "eight-points-or-six")


@pytest.fixture(scope="module")
def some() -> tuple[Puzzle, ...]:
    """Three shipped puzzles of two games."""
    return tuple(puzzle(find(name)) for name in NAMES)


def put(path: Path, *puzzles: Puzzle) -> Added:
    """Add puzzles."""
    return add(path, puzzles, lambda _: None)


@pytest.fixture
def stored(tmp_path: Path, some: tuple[Puzzle, ...]) -> Dataset:
    """A dataset of the three puzzles in two partitions, in a folder with an awkward name."""
    path = tmp_path / "we[ir]d *? a=b'ü"
    put(path, *some[:2])
    put(path, some[2])
    return opened(path)


def test_nothing_of_a_puzzle_is_lost(stored: Dataset, some: tuple[Puzzle, ...]) -> None:
    """The lines that come out are those of ``generate``, in the order in which they came in."""
    lines = [json.dumps(puzzle_data(one)) for one in some]
    assert [*stored.texts({})] == lines
    assert [one.id for one in stored.heads({})] == [*NAMES]
    assert stored.text("market-day") == lines[1]
    assert stored.text("nosuch") is None
    assert [one.puzzles for one in stored.partitions] == [2, 1]
    assert set(row(some[0])) == set(COLUMNS)


def test_filters_choose(stored: Dataset, some: tuple[Puzzle, ...]) -> None:
    """Of one sort any may hold, of several all must."""
    known = stored.known(["market-day", "castle"])
    assert known["game"] == {one.position.game.id for one in some}
    assert known["theme"] == {theme for one in some for theme in one.themes}
    assert known["id"] == {"market-day"}
    for one in some:
        kind = {"game": [one.position.game.id], "theme": [*one.themes], "id": [*NAMES]}
        kind |= {"question": [one.question.name], "difficulty": [str(one.difficulty)]}
        assert one.id in {head.id for head in stored.heads(kind)}
    assert stored.count({"game": ["castle", "carcassonne"]}) == 3
    assert [*stored.heads({"game": ["castle"], "difficulty": ["9"]})] == []
    assert [one.id for one in stored.heads({}, most=1)] == [NAMES[0]]
    titles = [one.title for one in stored.heads({}, order=Order.TITLE)]
    assert titles == sorted(one.title for one in some)
    levels = [one.difficulty for one in stored.heads({}, order=Order.EASY)]
    hard = [one.difficulty for one in stored.heads({}, order=Order.HARD)]
    assert (levels, hard) == ([2, 2, 4], [4, 2, 2])


def test_what_is_there_is_not_added_again(stored: Dataset, some: tuple[Puzzle, ...]) -> None:
    """Nor a mirrored copy with another name, nor what comes twice; another question is."""
    before = (stored.path / MANIFEST).read_bytes()
    seen: list[int] = []
    twice = add(stored.path, some, seen.append)
    assert seen == [1, 2, 3]
    assert (twice.added, twice.present, twice.puzzles) == (0, 3, 3)
    assert (stored.path / MANIFEST).read_bytes() == before
    first = some[0]
    mirror = replace(
        first, id="mirror", title="Other", position=copied(first.position, 1, mirrored=True)
    )
    asks = replace(first, id="asks", question=Expect())
    found = put(stored.path, mirror, asks, replace(asks, id="again"))
    assert (found.added, found.present, found.puzzles) == (1, 2, 4)
    assert found.doubles == [("mirror", PLANE), ("again", "asks")]


def test_what_a_question_names_is_turned_with_the_position(
    tmp_path: Path, some: tuple[Puzzle, ...]
) -> None:
    """A mirrored copy of a question about a move or a feature is there already."""
    first, turned = some[0], copied(some[0].position, 1, mirrored=True)
    moves = [*legal_moves(first.position)][:2]
    told = [Legal(move=write_move(first.position, move)) for move in moves]
    there = copied_move(moves[0], 1, mirrored=True)
    whole = next(one for one in position_features(first.position) if len(one.nodes) > 1)
    at = laid(whole.nodes[1].cell, 1, mirrored=True)
    asks: list[tuple[Position, Question]] = [(first.position, one) for one in told]
    asks.append(
        (first.position, Complete(feature=write_node(first.position.by_cell(), whole.nodes[0])))
    )
    asks.append((turned, Legal(move=write_move(turned, there))))
    same = write_node(turned.by_cell(), whole.nodes[1]._replace(cell=at))
    asks.append((turned, Complete(feature=same)))
    puzzles = [
        replace(first, id=f"p{number}", position=position, question=question)
        for number, (position, question) in enumerate(asks)
    ]
    found = put(tmp_path / "collection", *puzzles)
    assert (found.added, found.doubles) == (3, [("p3", "p0"), ("p4", "p2")])


def test_an_id_stands_for_one_puzzle(stored: Dataset, some: tuple[Puzzle, ...]) -> None:
    """Another puzzle with an id that is taken gets one of its own, the same each time."""
    other = replace(some[0], question=Expect())
    third = replace(some[1], id=PLANE, question=Expect())
    found = put(stored.path, other, third)
    assert (found.added, found.renamed) == (2, 2)
    ids = [one.id for one in opened(stored.path).heads({})]
    assert len(set(ids)) == 5
    assert all(len(one) <= 32 for one in ids)
    assert put(stored.path, other, third).present == 2


def test_a_position_is_found_however_it_lies(stored: Dataset, some: tuple[Puzzle, ...]) -> None:
    """As it is, turned, or with another score."""
    one = some[0].position
    told = [(PLANE, Match.SAME), (PLANE, Match.TURNED), (PLANE, Match.LOOK)]
    others = [one, copied(one, 3, mirrored=True)]
    others.append(replace(one, players=(replace(one.players[0], score=40), *one.players[1:])))
    for other, (name, match) in zip(others, told, strict=True):
        assert [(head.id, how) for head, how in stored.alike(other)] == [(name, match)]
    assert stored.alike(replace(one, tiles=one.tiles[:1], followers=())) == []


def test_what_ends_in_the_middle_leaves_the_dataset_as_it_was(
    stored: Dataset, some: tuple[Puzzle, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C and a full disk; and what a killed run left goes at the next one."""
    monkeypatch.setattr(adding, "ROWS", 1)
    fresh = [replace(one, question=Expect()) for one in some]
    before = {one.name: one.read_bytes() for one in stored.path.iterdir()}

    def interrupted() -> Iterator[Puzzle]:
        yield from fresh[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(stored.path, interrupted(), lambda _: None)
    assert {one.name: one.read_bytes() for one in stored.path.iterdir()} == before
    write = adding.write_whole

    def full(path: Path, content: str | bytes) -> None:
        if path.name == MANIFEST:
            raise FileError(str(path), ["cannot be written: No space left on device"])
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(adding, "write_whole", full)
        with pytest.raises(FileError, match=r"dataset\.json: .*No space left"):
            put(stored.path, *fresh)
    assert {one.name: one.read_bytes() for one in stored.path.iterdir()} == before
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(FileError, match=r"part-000003\.parquet: cannot be written: File too"):
            put(stored.path, *fresh)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {one.name: one.read_bytes() for one in stored.path.iterdir()} == before
    left = stored.path / "part-000003.parquet"
    left.write_bytes(b"half")
    assert opened(stored.path).puzzles == 3
    assert put(stored.path, *some).present == 3
    assert not left.exists()
    new = stored.path.parent / "new"
    with pytest.raises(KeyboardInterrupt):
        add(new, interrupted(), lambda _: None)
    assert not new.exists()


def test_a_run_that_is_killed_at_the_first_addition_leaves_an_empty_dataset(
    tmp_path: Path, some: tuple[Puzzle, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its partitions do not count, and the same command begins anew."""
    monkeypatch.setattr(adding, "ROWS", 1)
    path, seen = tmp_path / "new", tmp_path / "seen"

    def killed() -> Iterator[Puzzle]:
        yield from some[:2]
        shutil.copytree(path, seen)  # what is there at that moment
        yield some[2]

    add(path, killed(), lambda _: None)
    assert (seen / "part-000002.parquet").exists()
    assert (opened(seen).puzzles, [*opened(seen).heads({})]) == (0, [])
    assert put(seen, some[2]).puzzles == 1
    assert len([*seen.glob("part-*")]) == 1


def test_small_partitions_become_one(tmp_path: Path, some: tuple[Puzzle, ...]) -> None:
    """Whoever adds little by little has few files, and nothing is lost; a reader is told."""
    path, at = tmp_path / "collection", some[0].position
    moves = islice(legal_moves(at), 5)
    asks = [replace(some[0], question=Legal(move=write_move(at, one))) for one in moves]
    sizes, before = [], None
    for number, one in enumerate((*some, *asks), start=1):
        put(path, replace(one, id=f"p{number}"))
        if before and not all((path / each.file).exists() for each in before.partitions):
            with pytest.raises(FileError, match="merged into another one meanwhile: run the"):
                [*before.heads({})]
        before = opened(path)
        sizes.append([each.puzzles for each in before.partitions])
    assert sizes == [[1], [2], [2, 1], [4], [4, 1], [4, 2], [4, 2, 1], [8]]
    assert before
    assert len([*path.glob("part-*")]) == 1
    assert [one.id for one in before.heads({})] == [f"p{number}" for number in range(1, 9)]


def faulty(stored: Dataset) -> BurgraveError:
    """Return the error at the first query."""
    with pytest.raises(BurgraveError) as error:
        [*opened(stored.path).heads({"game": ["castle"]})]
    return error.value


def test_a_broken_partition_is_named_with_what_to_do(
    stored: Dataset, some: tuple[Puzzle, ...]
) -> None:
    """Cut off, damaged within, of another program, or gone; nothing is added then either."""
    file = stored.path / stored.partitions[0].file
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    told = str(faulty(stored))
    assert f"{file.name} has {len(whole) - 1} bytes, not {len(whole)}: it is broken" in told
    assert "Put back a copy of it, or delete its entry from dataset.json" in told
    with pytest.raises(FileError):
        put(stored.path, *some)
    for at in (0, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        told = str(faulty(stored))
        assert f"{file.name} is broken: its checksum is another one. Put back a copy" in told
        with pytest.raises(FileError, match="checksum"):
            put(stored.path, replace(some[0], question=Expect()))
    file.unlink()
    assert f"{file.name} is missing. Put back" in str(faulty(stored))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"columns": 1', '"columns": 2', "columns"),
        ('"burgrave": 1', '"burgrave": 2', "the file version is 2; this release reads 1"),
        ('"type": "dataset"', '"type": "puzzle"', "expected 'dataset'; burgrave solve"),
        ("part-000002", "part-000001", "named twice: part-000001.parquet"),
        ("part-000002", "../part-000001", "partitions[1].file"),
        ("[", "", "is not JSON"),
    ],
)
def test_a_broken_manifest_is_told(stored: Dataset, old: str, new: str, told: str) -> None:
    """With the file, the place and what this release reads."""
    manifest = stored.path / MANIFEST
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    error = faulty(stored)
    assert str(error).startswith(str(manifest))
    assert told in str(error)


def test_a_place_that_is_no_dataset_is_refused(
    tmp_path: Path, some: tuple[Puzzle, ...], stored: Dataset
) -> None:
    """A file, a folder of other things, below a file, where another run writes."""
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(QuestionError, match="is no folder"):
        put(file, some[0])
    with pytest.raises(FileError, match="cannot be made: Not a directory"):
        put(file / "below", some[0])
    with pytest.raises(QuestionError, match=r"has other files and no dataset\.json"):
        put(tmp_path, some[0])
    with pytest.raises(QuestionError, match="is no dataset"):
        opened(tmp_path)
    with (
        locked(stored.path / ".lock", stored.path),
        pytest.raises(QuestionError, match="another run is writing puzzles there"),
    ):
        put(stored.path, some[0])
    (stored.path / MANIFEST).unlink()
    with pytest.raises(QuestionError, match=r"has partitions and no dataset\.json: put that back"):
        put(stored.path, some[0])


@pytest.mark.parametrize("module", ["duckdb", "pyarrow"])
def test_without_the_extra_the_message_says_what_to_install(
    stored: Dataset, some: tuple[Puzzle, ...], monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    """Nothing is written then, and only DuckDB is needed to read."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(QuestionError, match=r'pip install "\.\[tables\]"'):
        put(stored.path.parent / "new", some[0])
    assert not (stored.path.parent / "new").exists()
    if module == "duckdb":
        with pytest.raises(QuestionError, match=r'pip install "\.\[tables\]"'):
            [*stored.heads({})]
    else:
        assert len([*stored.heads({})]) == 3


def test_a_partition_has_the_published_columns(some: tuple[Puzzle, ...]) -> None:
    """In their order and with their types."""
    pa = pytest.importorskip("pyarrow")
    table = sys.modules["pyarrow.parquet"].read_table(pa.BufferReader(partition([row(some[0])])))
    assert table.column_names == [*COLUMNS]
