"""Getting browsers for the tests: what is tried, in which order, and what is said when nothing works."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tools.get_browser import get

from tests.house.repository import ROOT


class Installer:
    """Runs nothing; installing with the named program makes a browser appear."""

    def __init__(self, works: str | None = None) -> None:
        self.works = works
        self.refuses: str | None = None
        self.ran: list[str] = []
        self.there = False

    def __call__(self, command: Sequence[str]) -> bool:
        self.ran.append(" ".join(command))
        done = self.works in command and self.refuses not in command and "install" in command
        self.there = self.there or done
        return done

    def found(self) -> str | None:
        return "/a/browser" if self.there else None


def test_a_browser_that_is_there_is_taken_and_nothing_runs() -> None:
    installer = Installer()
    installer.there = True
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert installer.ran == []


def test_playwrights_own_comes_before_apt(capsys: pytest.CaptureFixture[str]) -> None:
    installer = Installer("playwright")
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert not any("apt-get" in command for command in installer.ran)
    assert "Fetching Playwright's own Chromium" in capsys.readouterr().out


def test_root_installs_with_apt_and_is_told_before(capsys: pytest.CaptureFixture[str]) -> None:
    installer = Installer("apt-get")
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert "for the whole system with apt-get, as root" in capsys.readouterr().out
    assert installer.ran[-1].endswith("chromium-headless-shell")


def test_where_apt_has_no_browser_without_windows_it_takes_the_other() -> None:
    installer = Installer("chromium")
    installer.refuses = "playwright"
    assert get(installer.found, installer, True, "apt-get") == "/a/browser"
    assert installer.ran[-1].endswith(" chromium")


@pytest.mark.parametrize(
    ("root", "apt", "why"),
    [
        (False, "apt-get", "sudo apt-get install chromium"),
        (True, None, "no apt-get here"),
        (True, "apt-get", "apt-get could not install chromium"),
    ],
)
def test_without_any_it_stops_with_the_reasons(root: bool, apt: str | None, why: str) -> None:
    installer = Installer()
    with pytest.raises(SystemExit) as stopped:
        get(installer.found, installer, root, apt)
    assert "Playwright could not fetch its own Chromium" in str(stopped.value)
    assert why in str(stopped.value)


def test_a_browser_that_was_installed_but_does_not_start_is_not_enough() -> None:
    installer = Installer("playwright")
    dead: Callable[[], str | None] = lambda: None  # noqa: E731
    with pytest.raises(SystemExit, match="what was installed does not start"):
        get(dead, installer, False, None)


class Machine:
    """A machine with a few programs, each of which only writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self._programs = folder / "bin"
        self._programs.mkdir()
        self._log = folder / "called"
        for real in ("bash", "dirname"):
            (self._programs / real).symlink_to(str(shutil.which(real)))
        self.has("make", "apt-get")
        self.has("id", says="0")

    def has(self, *names: str, says: str = "", status: int = 0) -> None:
        for name in names:
            program = self._programs / name
            words = f'echo "{name} $* $BULLPEN_ENGINES" >> {self._log}\necho {says}\nexit {status}\n'
            program.write_text(f"#!{shutil.which('bash')}\n{words}")
            program.chmod(0o755)

    def checks(self, *goal: str) -> tuple[bool, list[str]]:
        """Run continuous integration; return whether it went well, and what was called."""
        ran = subprocess.run([ROOT / ".ci" / "run", *goal], env={"PATH": str(self._programs)}, check=False)
        called = self._log.read_text().splitlines() if self._log.exists() else []
        return ran.returncode == 0, [call for call in called if not call.startswith("id ")]


@pytest.mark.parametrize("firefox", ["firefox", "firefox-esr"])
def test_continuous_integration_takes_the_engines_that_are_there(tmp_path: Path, firefox: str) -> None:
    machine = Machine(tmp_path)
    machine.has(firefox, "WebKitWebDriver", "Xvfb")
    assert machine.checks() == (True, ["make test 1"])
    assert machine.checks("soak") == (True, ["make test 1", "make soak 1"])


def test_continuous_integration_installs_the_engines_that_are_missing_first(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.has("Xvfb")
    well, called = machine.checks()
    assert well
    assert [call.split()[:2] for call in called] == [
        ["apt-get", "update"],
        ["apt-get", "install"],
        ["make", "test"],
    ]
    assert called[1].endswith(" firefox-esr webkit2gtk-driver 1")


def test_continuous_integration_fails_where_an_engine_cannot_be_had(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.has("apt-get", status=100)
    well, called = machine.checks()
    assert not well
    assert not any(call.startswith("make") for call in called)


def test_continuous_integration_asks_for_the_rights_it_lacks(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.has("id", says="1000")
    machine.has("sudo")
    well, called = machine.checks()
    assert well
    assert [call.split()[:3] for call in called] == [
        ["sudo", "apt-get", "update"],
        ["sudo", "apt-get", "install"],
        ["make", "test", "1"],
    ]
