"""Imports run downwards only: burgrave, cli, puzzles, solver, model; and in no circle."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

import networkx as nx  # noqa: TID253 -- no command loads this module
import pytest
from importlinter.cli import lint_imports

from burgrave.solver.engines import ENGINES, GAME_ENGINES

ROOT = Path(__file__).parents[1]
STOREYS = ["burgrave", "cli", "puzzles", "solver", "model"]
FOR_PUZZLES = {
    "burgrave.solver",
    "burgrave.solver.result",
    "burgrave.solver.search.question",
    "burgrave.solver.limits",
    "burgrave.solver.pool",
    "burgrave.solver.workers.tasks",
    "burgrave.solver.problem",
    "burgrave.solver.questions",
    "burgrave.solver.engines",
    "burgrave.solver.simulation",
}
"""What puzzles may know of the solver: questions, their values and means, progress, and games at
speed."""
FOR_SELF_PLAY = {"burgrave.solver.simulation"}


def nodes(folder: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield everything that stands in the code of a folder, with the name of its file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.name, node


def known_of_the_solver(folder: str) -> set[str]:
    """Return the modules of the solver that the code of a folder imports."""
    found = set()
    for _, node in nodes(folder):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    return {name for name in found if name.startswith("burgrave.solver")}


def settings() -> dict[str, object]:
    """Return what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def test_imports_run_downwards_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The contracts of pyproject.toml hold, imports inside functions included."""
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert broken == 0, capsys.readouterr().out


def test_the_contract_names_every_package() -> None:
    """What is checked, installed, linked, measured and, with benchmarks, typed is the same."""
    tools = settings()
    layers = [c for c in tools["importlinter"]["contracts"] if c["type"] == "layers"]
    top, *rooms = STOREYS
    assert [contract["layers"][1:] for contract in layers] == [rooms]
    highest = {path.stem for path in (ROOT / top).glob("*.py")} - {"__init__"}
    assert {*layers[0]["layers"][0].split(" : ")} == highest
    assert tools["importlinter"]["root_package"] == top
    assert tools["mypy"]["packages"] == [top, "benchmarks"]
    assert tools["coverage"]["run"]["source"] == [top]
    wheel = tools["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["only-include"]) == sorted(STOREYS)
    assert wheel["sources"] == {room: f"{top}/{room}" for room in rooms}
    assert sorted(wheel["exclude"]) == sorted(f"/{top}/{room}" for room in rooms)
    for room in rooms:
        assert (ROOT / top / room).resolve() == ROOT / room


def test_the_package_says_that_it_is_typed() -> None:
    """PEP 561: a checker believes the types of an installed package with ``py.typed`` alone."""
    assert (resources.files("burgrave") / "py.typed").is_file()
    assert "Typing :: Typed" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_folder_of_python_code_has_its_place() -> None:
    """Beside the packages, code stands in tests, benchmarks and docs only."""
    found = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("[a-z]*/**/*.py")}
    assert found == {*STOREYS, "tests", "benchmarks", "docs"}


def test_puzzles_know_little_of_the_solver() -> None:
    """Puzzles import all that is listed here and no more, self-play what plays at speed."""
    assert known_of_the_solver("puzzles") == FOR_PUZZLES
    assert known_of_the_solver("puzzles/selfplay") == FOR_SELF_PLAY


def test_puzzles_name_no_engine() -> None:
    """Who answers a question of a puzzle the solver tells; names in files are data."""
    engines = {*ENGINES, *GAME_ENGINES}
    named = {
        (file, node.value)
        for file, node in nodes("puzzles")
        if isinstance(node, ast.Constant) and node.value in engines
    }
    assert not named


def modules(root: Path, package: str) -> dict[str, Path]:
    """Return the modules of a package, each with its file."""
    above = () if package == "burgrave" else ("burgrave",)
    return {
        ".".join((*above, *file.relative_to(root).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): file
        for file in (root / package).rglob("*.py")
    }


def imported(file: Path, known: Iterable[str]) -> Iterator[str]:
    """Yield the known modules that a file imports, in functions and for types alone included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                if submodule in known or node.module in known:
                    yield submodule if submodule in known else node.module


def circles(root: Path, package: str, *, folders: bool) -> list[list[str]]:
    """Return the circles of imports in a package.

    Args:
        root: the folder that holds the package.
        package: its name.
        folders: look at folders as wholes; a folder holds its modules, not its folders.

    """
    known = modules(root, package)

    def place(module: str) -> str:
        return str(known[module].parent.relative_to(root)) if folders else module

    graph: nx.DiGraph[str] = nx.DiGraph()
    for module, file in known.items():
        graph.add_edges_from(
            (place(module), place(other))
            for other in imported(file, known)
            if place(module) != place(other)
        )
    return sorted(sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1)


@pytest.mark.parametrize("package", STOREYS)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    """Every module can be read before those that import it, its types included."""
    assert circles(ROOT, package, folders=False) == []


@pytest.mark.parametrize("package", STOREYS)
def test_no_folders_import_each_other_in_a_circle(package: str) -> None:
    """Every folder can be read before those that import from it."""
    assert circles(ROOT, package, folders=True) == []


def test_a_circle_is_found(tmp_path: Path) -> None:
    """Two modules that know each other, one for types alone, and folders of which none do."""
    texts = {
        "a/__init__.py": "",
        "a/b/__init__.py": "",
        "a/one.py": "if TYPE_CHECKING:\n    from burgrave.a.two import Two",
        "a/two.py": "def two():\n    from burgrave.a import one",
        "a/three.py": "import burgrave.a.b.four",
        "a/b/four.py": "from burgrave.a.two import Two",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert circles(tmp_path, "a", folders=False) == [["burgrave.a.one", "burgrave.a.two"]]
    assert circles(tmp_path, "a", folders=True) == [["a", "a/b"]]


def test_a_name_of_a_class_stands_for_one_thing_in_the_solver() -> None:
    """Whoever reads it need not know in which of its folders he is."""
    files: dict[str, list[str]] = {}
    for path in sorted((ROOT / "solver").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                files.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert "Problem" in files
    assert not {name: where for name, where in files.items() if len(where) > 1}


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the classes and constants that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        for target in targets:
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def test_no_name_of_the_solver_stands_for_two_things() -> None:
    """No class or constant is defined in two modules of the solver."""
    where: dict[str, set[str]] = {}
    for path in sorted((ROOT / "solver").rglob("*.py")):
        for name in defined(ast.parse(path.read_text(encoding="utf-8"))):
            where.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    twice = {name: paths for name, paths in where.items() if len(paths) > 1}
    assert not twice, f"give each its own name: {twice}"


def test_only_geometry_asks_whether_a_board_is_endless() -> None:
    """What a game has is asked of its book, base or board, and not guessed from its table."""
    asking = {
        str(path.relative_to(ROOT))
        for storey in STOREYS[1:]
        for path in (ROOT / storey).rglob("*.py")
        if ".endless" in path.read_text(encoding="utf-8")
    }
    assert asking == {"model/boards.py", "model/fitting.py", "model/places.py"}
