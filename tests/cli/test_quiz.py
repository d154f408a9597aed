"""``burgrave quiz``: printed, asked, written."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Burgrave


def test_a_quiz_is_printed_written_and_asked(burgrave: Burgrave, tmp_path: Path) -> None:
    """What is written is solved; a right answer is accepted, and a wrong one not."""
    file = tmp_path / "quiz.jsonl"
    made = burgrave("quiz", "two-cities-one-answer", "--count", "2", "-o", str(file), "--json")
    assert [one["id"] for one in made.data] == [
        "two-cities-one-answer-1",
        "two-cities-one-answer-2",
    ]
    assert burgrave("quiz", "two-cities-one-answer", "-o", str(file)).code == 2
    assert burgrave("solve", str(file)).code == 0
    assert made.data[0]["legal"] is False
    told = burgrave("quiz", "two-cities-one-answer", "--count", "1", "--ask", text="yes\nno\n")
    assert (told.code, "No, it is illegal" in told.out, "Right." in told.out) == (0, True, True)
    assert burgrave("quiz", "two-cities-one-answer", "--count", "1", "--ask", text="").code == 1
    assert "Answer: illegal" in burgrave("quiz", "two-cities-one-answer", "--count", "1").out


def test_a_quiz_refuses_what_it_cannot_do(burgrave: Burgrave) -> None:
    """Another ending, and two ways to answer at once."""
    assert burgrave("quiz", "castle-04", "-o", "quiz.html").code == 2
    assert burgrave("quiz", "castle-04", "--ask", "--json").code == 2
