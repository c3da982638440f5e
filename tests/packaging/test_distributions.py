"""The built package: what it carries, and that it runs in an environment that holds nothing else."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints, with nothing of this environment showing through."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))
    }
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist, made by the backend already installed."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    (found,) = distributions.glob("bullpen_games-*.whl")
    return found


def installed_files(name: str) -> Iterator[tuple[Path, Path]]:
    """Where each file of an installed distribution lies, and its place below site-packages."""
    for file in distribution(name).files or ():
        if ".." not in file.parts:
            yield Path(str(file.locate())), Path(file)


@pytest.fixture(scope="module")
def empty_environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with msgspec, copied so that no network is needed, and the wheel.

    Without an index, pip can install the wheel only if msgspec is all that it needs.
    """
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    site = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    )
    for source, place in installed_files("msgspec"):
        (site / place).parent.mkdir(parents=True, exist_ok=True)
        (site / place).write_bytes(source.read_bytes())
    run(python, "-m", "pip", "install", "--quiet", "--no-index", wheel, cwd=folder)
    return folder


def test_the_wheel_carries_every_page_of_rules(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    folder = ROOT / "docs" / "rules"
    pages = {f"bullpen/rulesets/pages/{page.relative_to(folder).as_posix()}" for page in folder.rglob("*.md")}
    assert "bullpen/rulesets/pages/play/en/base.md" in pages
    assert pages <= names


def test_the_wheel_says_that_it_is_typed(wheel: Path) -> None:
    assert "bullpen/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_the_package_only(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"bullpen"}


def test_the_sdist_holds_what_building_and_testing_need(distributions: Path) -> None:
    (sdist,) = distributions.glob("bullpen_games-*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = [path for folder in ("src", "tests", "docs", "tools") for path in (ROOT / folder).rglob("*.*")]
    wanted = {str(path.relative_to(ROOT)) for path in needed if path.suffix in {".py", ".md", ".json"}}
    named = "Makefile pyproject.toml LICENSE README.md requirements/dev.txt requirements/play.txt"
    assert wanted | set(named.split()) <= names


def test_the_wheel_alone_lists_the_games(empty_environment: Path) -> None:
    command = empty_environment / "bin" / "bullpen"
    assert "base" in run(command, "games", cwd=empty_environment)
    assert "base" in {
        game["id"] for game in json.loads(run(command, "games", "--json", cwd=empty_environment))
    }


def test_the_wheel_alone_prints_the_rules(empty_environment: Path) -> None:
    printed = run(empty_environment / "bin" / "bullpen", "rules", "base", cwd=empty_environment)
    assert "bullhead" in printed


def test_importing_bullpen_loads_the_standard_library_and_msgspec_only(empty_environment: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); import bullpen\n"
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(tops - sys.stdlib_module_names))"
    )
    printed = run(empty_environment / "bin" / "python", "-c", code, cwd=empty_environment)
    loaded = set(printed.split())
    assert "bullpen" in loaded
    assert loaded <= {"bullpen", "msgspec"}


def test_the_wheel_alone_says_its_version_and_what_serving_takes(empty_environment: Path) -> None:
    version = run(empty_environment / "bin" / "bullpen", "--version", cwd=empty_environment)
    assert version == run(
        empty_environment / "bin" / "python", "-m", "bullpen", "--version", cwd=empty_environment
    )
    assert version.startswith("bullpen ")
    assert "--bot-workers" in run(
        empty_environment / "bin" / "bullpen", "serve", "--help", cwd=empty_environment
    )


def test_the_package_is_published_under_a_name_of_our_own(wheel: Path) -> None:
    (metadata,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/METADATA"))
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    assert "Name: bullpen-games\n" in text
    assert "Project-URL: Documentation, " in text


def test_a_game_in_a_wheel_of_its_own_is_found_once_it_is_installed(
    empty_environment: Path, tmp_path: Path
) -> None:
    example = ROOT / "examples" / "shepherd"
    run(
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--wheel",
        "--outdir",
        tmp_path,
        example,
        cwd=tmp_path,
    )
    (wheel,) = tmp_path.glob("bullpen_shepherd-*.whl")
    run(
        empty_environment / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        wheel,
        cwd=tmp_path,
    )
    command = empty_environment / "bin" / "bullpen"
    assert "shepherd" in run(command, "games", cwd=tmp_path)
    assert "shepherd stands at one of the rows" in run(command, "rules", "shepherd", cwd=tmp_path)
