"""``burgrave force`` from the command line."""

from __future__ import annotations

from tests.cli.conftest import Burgrave


def test_force_proves_a_lead(burgrave: Burgrave) -> None:
    """Exit 0 with lead, first moves, a line to the end and its totals."""
    answer = burgrave("force", "castle-01", "--json")
    data = answer.data
    assert answer.code == 0
    assert set(data) == {
        "value",
        "exact",
        "status",
        "player",
        "goal",
        "play",
        "order",
        "tiles",
        "odds",
        "moves",
        "complete",
        "line",
        "scores",
        "engine",
        "nodes",
        "seconds",
        "confirmed",
        "floor",
        "least",
        "most",
        "guess",
    }
    assert (data["value"], data["status"], data["player"]) == (-7, "optimal", "white")
    assert data["scores"][0] - data["scores"][1] == data["value"]
    assert data["least"] == data["most"] == {"value": -7, "exact": "-7"}
    assert data["guess"] == []
    assert data["line"][0] == data["moves"][0]["notation"]
    assert len(data["line"]) == 2


def test_force_without_a_proof_is_only_a_bound(burgrave: Burgrave) -> None:
    """Exit 3 when time runs out, in words and as JSON."""
    answer = burgrave("force", "castle-09", "--time", "0.01")
    assert answer.code == 3
    assert "search was stopped" in answer.out
    assert burgrave("force", "castle-09", "--time", "0.01", "--json").data["status"] == "unknown"


def test_force_refuses_what_it_cannot_know(burgrave: Burgrave) -> None:
    """A bag in unknown order, and a time of 0, are unusable input."""
    unknown = burgrave("force", "castle-10")
    assert (unknown.code, "order of 6 tiles is not known" in unknown.err) == (2, True)
    assert burgrave("force", "castle-01", "--time", "0").code == 2
