"""The files of a release, and a run of it outside the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import burgrave

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
VERSION = PROJECT["project"]["version"]
TEXTS = sorted(
    path
    for folder in (ROOT, ROOT / "docs", *(ROOT / name for name in PACKAGES))
    for pattern in (("*.md",) if folder == ROOT else ("**/*.md", "**/*.py"))
    for path in folder.glob(pattern)
    if path.name != "CHANGELOG.md"
)


def run(*command: object, cwd: Path, **env: str) -> str:
    """Return the output of a command, which must succeed without a checkout."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=clean | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_version_stands_in_one_place() -> None:
    """The project file says it; the code asks the installed package, the history names it."""
    history = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## (\d\S*)", history, re.MULTILINE)
    assert releases[0] == VERSION
    for name in PACKAGES:
        for path in (ROOT / name).rglob("*.py"):
            assert f'"{VERSION}"' not in path.read_text(encoding="utf-8"), path


def test_no_text_names_a_package_index_or_a_link_that_is_not_ours() -> None:
    """Burgrave is on no index, so extras are installed from its folder."""
    named = [path for path in TEXTS if "burgrave[" in path.read_text(encoding="utf-8")]
    assert named == []
    assert "urls" not in PROJECT["project"]


def test_each_extra_that_a_text_names_is_there() -> None:
    """``pip install ".[page]"`` works in the folder of the project."""
    extras = {
        name
        for path in (*TEXTS, ROOT / ".pre-commit-config.yaml")
        for found in re.findall(r"\.\[([a-z,]+)\]", path.read_text(encoding="utf-8"))
        for name in found.split(",")
    }
    assert {"page", "pictures", "booklet", "test"} <= extras
    assert extras <= set(PROJECT["project"]["optional-dependencies"])


def test_each_commit_is_checked_as_ci_checks() -> None:
    """The hooks run the tools of .ci/run with the settings of the project."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"entry: (.+)", hooks)
    tools = [entry.removesuffix(" --force-exclude") for entry in entries]
    assert tools == ["ruff format", "ruff check", "mypy"]
    checks = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(f'/{tool.partition(" ")[0]}"' in checks for tool in tools)


@pytest.mark.slow
def test_a_release_installs_and_runs_outside_the_checkout(tmp_path: Path) -> None:
    """The wheel is built from the sdist; it has every file and answers in a fresh environment."""
    dist = tmp_path / "dist"
    build = (sys.executable, "-m", "hatchling", "build", "-d", dist, "-t")
    run(*build, "sdist", cwd=ROOT)
    with tarfile.open(dist / f"burgrave-{VERSION}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    run(*build, "wheel", cwd=tmp_path / f"burgrave-{VERSION}")
    (wheel,) = dist.glob("*.whl")
    files = {
        f"{'' if name == 'burgrave' else 'burgrave/'}{path.relative_to(ROOT).as_posix()}"
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {f for f in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in f} == files

    home = tmp_path / "fresh"
    venv.create(home, with_pip=False)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(run(python, "-c", ask, cwd=tmp_path).strip())
    install = ("-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "-q")
    run(sys.executable, *install, wheel, cwd=tmp_path)
    # Dependencies come from this environment; its own links to a checkout are not followed.
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")

    where = run(python, "-c", "import burgrave; print(burgrave.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(site)
    program = scripts / "burgrave"
    assert run(program, "--version", cwd=tmp_path) == f"burgrave {VERSION}\n"
    assert "13 points in this turn (proved)" in run(
        program, "best", "path-house-and-tower", cwd=tmp_path
    )
    line = burgrave.write_line(burgrave.load("path-house-and-tower"))
    assert run(program, "check", line, "K04@1,0r0", cwd=tmp_path).startswith("Legal: K04@1,0r0\n")
    namesakes(tmp_path)
    assert "13 points" in run(program, "best", "path-house-and-tower", cwd=tmp_path)
    assert run(python, "script.py", cwd=tmp_path) == "13 points\n"
    assert run(python, "-c", SCRIPT, cwd=tmp_path) == "13 points\n"


SCRIPT = """
import burgrave
import burgrave.puzzles.judging.quality, burgrave.solver.questions
assert burgrave.puzzles(), "the function is meant, not the package"
print(burgrave.best(burgrave.load("path-house-and-tower")).value, "points")
"""


def namesakes(folder: Path) -> None:
    """Write a script, and beside it modules of a user that have the names of our packages."""
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    for name in ("model", "solver", "puzzles", "cli"):
        (folder / f"{name}.py").write_text("raise SystemExit('a user's own')", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("linked", [True, False])
def test_a_checkout_runs_beside_modules_of_the_same_names(tmp_path: Path, *, linked: bool) -> None:
    """A checkout is one package, also where it has no links to its rooms, as on Windows."""
    checkout, work = tmp_path / "checkout", tmp_path / "work"
    work.mkdir()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, checkout / name, symlinks=True)
    for link in (checkout / "burgrave").iterdir():
        if link.is_symlink() and not linked:
            link.unlink()
            link.write_text("../model", encoding="utf-8")
    namesakes(work)
    for command in (("script.py",), ("-c", SCRIPT)):
        assert run(sys.executable, *command, cwd=work, PYTHONPATH=str(checkout)) == "13 points\n"
    where = "import burgrave.model as m; print(m.__file__)"
    found = run(sys.executable, "-c", where, cwd=work, PYTHONPATH=str(checkout)).strip()
    assert Path(found).resolve() == checkout / "model" / "__init__.py"
